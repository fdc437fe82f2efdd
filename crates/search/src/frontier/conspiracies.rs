//! Conspiracy numbers (McAllester 1988): how many leaves must change for a node to change?
//!
//! A *conspirator* is a leaf of the stored tree that is not a leaf of the game: deeper search may give it
//! any value. With k conspirators a node can be raised to some value at the most, and lowered to some
//! value at the least. [`Reach`] holds both for k = 0, 1, … T. They are the conspiracy numbers read the
//! other way round: the number of a value v above the node's is the least k that reaches it.
//!
//! To raise a MAX node it is enough to raise one child. To raise a MIN node all children have to be raised,
//! so the conspirators are shared out among them: always the least child next. Lowering is the reverse.

use crate::prelude::*;

/// What a node can become with k conspirators, from MAX's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The highest value, for k = 0 to T.
    pub(crate) up: Box<[Value]>,
    /// The lowest value.
    pub(crate) down: Box<[Value]>,
}

impl Reach {
    /// A leaf of the game: nothing changes it.
    pub(crate) fn fixed(value: Value, most: usize) -> Reach {
        Reach { up: vec![value; most + 1].into(), down: vec![value; most + 1].into() }
    }

    /// A node that was judged: one conspirator, and it is anything in the range.
    pub(crate) fn judged(value: Value, range: Bounds, most: usize) -> Reach {
        let first = |others: Value| {
            let mut all = vec![others; most + 1];
            all[0] = value;
            all.into()
        };
        Reach { up: first(range.upper), down: first(range.lower) }
    }

    /// What a node can become by what its children can.
    pub(crate) fn combined(is_max: bool, children: &[&Reach]) -> Reach {
        let ups: Vec<&[Value]> = children.iter().map(|child| &*child.up).collect();
        let downs: Vec<&[Value]> = children.iter().map(|child| &*child.down).collect();
        match is_max {
            true => Reach { up: any_of(&ups, |a, b| a > b), down: all_of(&downs, |a, b| a < b) },
            false => Reach { up: all_of(&ups, |a, b| a > b), down: any_of(&downs, |a, b| a < b) },
        }
    }

    /// The bytes that it takes.
    pub(crate) const fn bytes(most: usize) -> usize {
        2 * (most + 1) * size_of::<Value>() + size_of::<Reach>()
    }

    /// How many conspirators raise it to `value`; `None` if those that are counted do not.
    pub(crate) fn to_raise(&self, value: Value) -> Option<usize> {
        self.up.iter().position(|&up| up >= value)
    }

    /// How many conspirators lower it to `value`.
    pub(crate) fn to_lower(&self, value: Value) -> Option<usize> {
        self.down.iter().position(|&down| down <= value)
    }
}

/// One child is enough: for each k the farthest that any of them gets.
fn any_of(children: &[&[Value]], is_farther: fn(Value, Value) -> bool) -> Box<[Value]> {
    let mut farthest = children[0].to_vec();
    for child in &children[1..] {
        for (best, &value) in farthest.iter_mut().zip(*child) {
            if is_farther(value, *best) {
                *best = value;
            }
        }
    }
    farthest.into()
}

/// All children are needed: those that lag behind get the next conspirators.
fn all_of(children: &[&[Value]], is_farther: fn(Value, Value) -> bool) -> Box<[Value]> {
    let count = children[0].len();
    let mut given = vec![0; children.len()];
    let mut reached = Vec::with_capacity(count);
    let mut spent = 0;
    loop {
        let at = |child: usize| children[child][given[child]];
        let nearer = |a: Value, b: Value| if is_farther(a, b) { b } else { a };
        let now = (1..children.len()).fold(at(0), |now, child| nearer(now, at(child)));
        // The least that takes every child beyond this.
        let mut next = given.clone();
        for (child, given) in next.iter_mut().enumerate() {
            let more = children[child].iter().skip(*given);
            match more.clone().position(|&value| is_farther(value, now)) {
                Some(extra) => *given += extra,
                None => *given = count,
            }
        }
        let cost: usize = next.iter().zip(&given).map(|(next, given)| next - given).sum();
        let until = if next.contains(&count) { count } else { (spent + cost).min(count) };
        reached.resize(until, now);
        if until == count {
            return reached.into();
        }
        (given, spent) = (next, spent + cost);
    }
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::mix;

    use super::*;

    /// A tree whose leaves are fixed, or may change.
    enum Node {
        Leaf { value: Value, fixed: bool },
        Inner(Vec<Node>),
    }

    fn tree(seed: u64, path: u64, height: u32) -> Node {
        let word = mix(seed, path);
        if height == 0 || word.is_multiple_of(5) {
            let fixed = (word >> 20).is_multiple_of(3);
            return Node::Leaf { value: (word >> 30) as Value & 7, fixed };
        }
        let child = |child| tree(seed, path * 4 + child, height - 1);
        Node::Inner((1..=1 + word / 5 % 3).map(child).collect())
    }

    const RANGE: Bounds = Bounds { lower: 0, upper: 7 };
    const MOST: usize = 4;

    fn reach(node: &Node, is_max: bool) -> Reach {
        match node {
            Node::Leaf { value, fixed: true } => Reach::fixed(*value, MOST),
            Node::Leaf { value, fixed: false } => Reach::judged(*value, RANGE, MOST),
            Node::Inner(children) => {
                let below: Vec<Reach> = children.iter().map(|c| reach(c, !is_max)).collect();
                Reach::combined(is_max, &below.iter().collect::<Vec<_>>())
            }
        }
    }

    /// The value when the leaves of `changed` that may change are worth `to`.
    fn value(node: &Node, is_max: bool, changed: u32, to: Value, next: &mut u32) -> Value {
        match node {
            Node::Leaf { value, fixed: true } => *value,
            Node::Leaf { value, .. } => {
                *next += 1;
                if changed >> (*next - 1) & 1 == 1 { to } else { *value }
            }
            Node::Inner(children) => {
                let below = children.iter().map(|c| value(c, !is_max, changed, to, next));
                let below: Vec<Value> = below.collect();
                let best = if is_max { below.iter().max() } else { below.iter().min() };
                *best.unwrap()
            }
        }
    }

    /// Against the definition: every set of conspirators is tried.
    #[test]
    fn conspiracies_are_those_of_all_sets_of_leaves() {
        let mut trees = 0;
        for seed in 0..3_000 {
            let tree = tree(seed, 1, 1 + seed as u32 % 3);
            let mut leaves = 0;
            value(&tree, true, 0, 0, &mut leaves);
            if leaves > 10 {
                continue;
            }
            trees += 1;
            let found = reach(&tree, true);
            for k in 0..=MOST {
                let sets = (0..1u32 << leaves).filter(|set| set.count_ones() as usize <= k);
                let becomes = |set, to| value(&tree, true, set, to, &mut 0);
                let highest = sets.clone().map(|set| becomes(set, RANGE.upper)).max().unwrap();
                let lowest = sets.map(|set| becomes(set, RANGE.lower)).min().unwrap();
                assert_eq!((found.up[k], found.down[k]), (highest, lowest), "tree {seed}, k = {k}");
            }
        }
        assert!(trees > 1_000, "{trees}");
    }
}
