//! Trees that are written out: nested lists such as `((3 12 8) (2 4 6) (14 5 2))`.
//!
//! A list is a node, a number is a leaf, and the root is MAX. Any shape is allowed: leaves at
//! different depths, nodes of different widths, a tree that is a single leaf. A comment begins with
//! `;` and ends with its line.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::{ChildNumbers, GameTree};
use crate::value::{MAX_LEAF, Value};

/// Lists may be nested this deep: searches recurse, and the stack is finite.
const MAX_NESTING: usize = 1_000;

/// A tree that is written out.
///
/// Papers print small trees like this one to show how an algorithm works; `Display` writes what
/// `FromStr` reads.
///
/// ```
/// use plyground_core::tree::Explicit;
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse().unwrap();
/// assert_eq!(tree.leaf_count(), 9);
/// assert_eq!(tree.to_string(), "((3 12 8) (2 4 6) (14 5 2))");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explicit {
    nodes: Vec<StoredNode>,
    /// The children of all nodes, those of one node in a run.
    children: Vec<u32>,
    root: u32,
    height: usize,
    width: usize,
    leaf_count: usize,
    range: (Value, Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoredNode {
    Leaf { value: Value, number: u32 },
    Interior { first: u32, count: u32 },
}

/// A node of an [`Explicit`] tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitNode {
    id: u32,
    min_to_move: bool,
}

/// What is wrong with a tree's text, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {reason}")]
pub struct ParseTreeError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub reason: String,
}

/// A list that has been opened and not yet closed.
struct Opened {
    at: (usize, usize),
    children: Vec<u32>,
}

/// Builds a tree from its leaves and lists, in the order of the text.
#[derive(Default)]
struct Builder {
    nodes: Vec<StoredNode>,
    children: Vec<u32>,
    leaves: u32,
    height: usize,
    width: usize,
    range: Option<(Value, Value)>,
}

impl Builder {
    fn leaf(&mut self, value: Value, depth: usize) -> u32 {
        let number = self.leaves;
        self.leaves += 1;
        self.height = self.height.max(depth);
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
        self.add(StoredNode::Leaf { value, number })
    }

    fn interior(&mut self, children: &[u32]) -> u32 {
        let first = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.width = self.width.max(children.len());
        self.add(StoredNode::Interior { first, count: children.len() as u32 })
    }

    fn add(&mut self, entry: StoredNode) -> u32 {
        self.nodes.push(entry);
        (self.nodes.len() - 1) as u32
    }

    fn finish(self, root: u32) -> Explicit {
        Explicit {
            nodes: self.nodes,
            children: self.children,
            root,
            height: self.height,
            width: self.width,
            leaf_count: self.leaves as usize,
            range: self.range.unwrap_or((0, 0)),
        }
    }
}

impl FromStr for Explicit {
    type Err = ParseTreeError;

    fn from_str(text: &str) -> Result<Explicit, ParseTreeError> {
        let mut builder = Builder::default();
        let mut open: Vec<Opened> = Vec::new();
        let mut root = None;
        let mut scanner = Scanner::new(text);
        loop {
            let at = scanner.skip_space();
            let Some(c) = scanner.peek() else { break };
            if root.is_some() {
                return Err(error(at, format!("{c:?} after the tree's end: expected one tree")));
            }
            let done = match c {
                '(' => {
                    scanner.next();
                    if open.len() == MAX_NESTING {
                        return Err(error(at, format!("lists nested deeper than {MAX_NESTING}")));
                    }
                    open.push(Opened { at, children: Vec::new() });
                    continue;
                }
                ')' => {
                    scanner.next();
                    let Some(list) = open.pop() else {
                        return Err(error(at, "`)` without a `(` before it".into()));
                    };
                    if list.children.is_empty() {
                        return Err(error(list.at, "an empty list: expected a child in it".into()));
                    }
                    builder.interior(&list.children)
                }
                _ => builder.leaf(scanner.number(at)?, open.len()),
            };
            match open.last_mut() {
                Some(list) => list.children.push(done),
                None => root = Some(done),
            }
        }
        if let Some(list) = open.last() {
            return Err(error(list.at, "this `(` is never closed: expected `)`".into()));
        }
        let end = scanner.position();
        let root = root.ok_or_else(|| error(end, "no tree: expected a number or `(`".into()))?;
        Ok(builder.finish(root))
    }
}

fn error((line, column): (usize, usize), reason: String) -> ParseTreeError {
    ParseTreeError { line, column, reason }
}

/// The characters of a text with their lines and columns.
struct Scanner<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    column: usize,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Scanner { rest: text.chars().peekable(), line: 1, column: 1 }
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn position(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// Skips white space and comments: from `;` to the end of the line.
    fn skip_space(&mut self) -> (usize, usize) {
        let mut comment = false;
        while let Some(c) = self.peek() {
            comment = c == ';' || (comment && c != '\n');
            if !comment && !c.is_whitespace() {
                break;
            }
            self.next();
        }
        self.position()
    }

    /// A whole number; everything up to the next space or bracket belongs to it.
    fn number(&mut self, at: (usize, usize)) -> Result<Value, ParseTreeError> {
        let mut word = String::new();
        while let Some(c) =
            self.peek().filter(|&c| !c.is_whitespace() && !matches!(c, '(' | ')' | ';'))
        {
            word.push(c);
            self.next();
        }
        let digits = word.strip_prefix(['-', '+']).unwrap_or(&word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let shown: String = word.chars().take(20).collect();
            return Err(error(at, format!("`{shown}`: expected a whole number, `(` or `)`")));
        }
        word.parse::<Value>()
            .ok()
            .filter(|v| (-MAX_LEAF..=MAX_LEAF).contains(v))
            .ok_or_else(|| error(at, format!("the value is outside -{MAX_LEAF} to {MAX_LEAF}")))
    }
}

impl Explicit {
    /// The uniform tree of the given width and depth over `leaves`, left to right.
    ///
    /// Returns `None` unless there are exactly wᵈ leaves, all within ±[`MAX_LEAF`].
    pub fn uniform(width: usize, depth: usize, leaves: &[Value]) -> Option<Explicit> {
        let expected = width.checked_pow(u32::try_from(depth).ok()?)?;
        let fits = |v: &Value| (-MAX_LEAF..=MAX_LEAF).contains(v);
        if width == 0 || depth > MAX_NESTING || leaves.len() != expected || !leaves.iter().all(fits)
        {
            return None;
        }
        let mut builder = Builder::default();
        let mut level: Vec<u32> = leaves.iter().map(|&v| builder.leaf(v, depth)).collect();
        for _ in 0..depth {
            level = level.chunks(width).map(|children| builder.interior(children)).collect();
        }
        Some(builder.finish(level[0]))
    }

    /// The length of the longest path.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The most children that a node has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.leaf_count
    }

    /// The node that child numbers (from 0) lead to.
    pub fn node_at(&self, steps: &[usize]) -> Option<ExplicitNode> {
        steps.iter().try_fold(self.root(), |node, &step| {
            let children = self.children(&node);
            (step < children.len()).then(|| self.child(&node, step as u32))
        })
    }

    /// A leaf's place from the left, from 0; `None` for an interior node.
    pub fn leaf_number(&self, node: &ExplicitNode) -> Option<usize> {
        match self.nodes[node.id as usize] {
            StoredNode::Leaf { number, .. } => Some(number as usize),
            StoredNode::Interior { .. } => None,
        }
    }

    /// A leaf's value from MAX's view; `None` for an interior node.
    pub fn leaf_value(&self, node: &ExplicitNode) -> Option<Value> {
        match self.nodes[node.id as usize] {
            StoredNode::Leaf { value, .. } => Some(value),
            StoredNode::Interior { .. } => None,
        }
    }

    /// How many children a node has.
    pub fn child_count(&self, node: &ExplicitNode) -> usize {
        self.children(node).len()
    }

    fn children(&self, node: &ExplicitNode) -> &[u32] {
        match self.nodes[node.id as usize] {
            StoredNode::Leaf { .. } => &[],
            StoredNode::Interior { first, count } => {
                &self.children[first as usize..][..count as usize]
            }
        }
    }
}

impl GameTree for Explicit {
    type Node = ExplicitNode;
    type Move = u32;
    type Moves = ChildNumbers;

    const JUDGES: bool = false;

    fn root(&self) -> ExplicitNode {
        ExplicitNode { id: self.root, min_to_move: false }
    }

    #[inline]
    fn moves(&self, node: &ExplicitNode, moves: &mut ChildNumbers) {
        *moves = ChildNumbers::new(self.children(node).len());
    }

    #[inline]
    fn child(&self, node: &ExplicitNode, mv: u32) -> ExplicitNode {
        ExplicitNode { id: self.children(node)[mv as usize], min_to_move: !node.min_to_move }
    }

    /// A leaf's value. A list has none of its own: at a horizon above the leaves it counts as its
    /// leftmost leaf.
    #[inline]
    fn evaluate(&self, node: &ExplicitNode) -> Value {
        let mut id = node.id;
        let value = loop {
            match self.nodes[id as usize] {
                StoredNode::Leaf { value, .. } => break value,
                StoredNode::Interior { first, .. } => id = self.children[first as usize],
            }
        };
        if node.min_to_move { -value } else { value }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        self.range.0..=self.range.1
    }

    fn key(&self, node: &ExplicitNode) -> u64 {
        super::mix(u64::from(node.id), u64::from(node.min_to_move))
    }

    /// The child's number. In a list of more than 65,536 children some share a code.
    fn code(&self, mv: u32) -> u16 {
        mv as u16
    }
}

impl fmt::Display for Explicit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A stack of the children still to be written, not recursion: trees may be deep.
        let mut open: Vec<&[u32]> = Vec::new();
        let mut next = self.root;
        loop {
            match self.nodes[next as usize] {
                StoredNode::Leaf { value, .. } => write!(f, "{value}")?,
                StoredNode::Interior { first, count } => {
                    f.write_str("(")?;
                    open.push(&self.children[first as usize..][..count as usize]);
                    next = open[open.len() - 1][0];
                    continue;
                }
            }
            loop {
                let Some(siblings) = open.last_mut() else { return Ok(()) };
                *siblings = &siblings[1..];
                if let Some(&sibling) = siblings.first() {
                    f.write_str(" ")?;
                    next = sibling;
                    break;
                }
                f.write_str(")")?;
                open.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Explicit, ParseTreeError> {
        text.parse()
    }

    #[test]
    fn a_tree_reads_back_as_it_was_written() {
        for text in
            ["7", "-7", "(1)", "((3 12 8) (2 4 6) (14 5 2))", "(((4 1)) 2 3)", "(1 (((1 1))))"]
        {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" ( +1\n(2\t3))\n").unwrap().to_string(), "(1 (2 3))");
        assert_eq!(parse("; a tree\n(1 2;two\n3) ; end").unwrap().to_string(), "(1 2 3)");
    }

    #[test]
    fn shape_and_leaves() {
        let tree = parse("(1 (((5 -3))))").unwrap();
        assert_eq!((tree.height(), tree.width(), tree.leaf_count()), (4, 2, 3));
        assert_eq!(tree.value_range(), -3..=5);
        let leaf = tree.node_at(&[1, 0, 0, 1]).unwrap();
        assert_eq!(tree.leaf_number(&leaf), Some(2));
        assert_eq!(tree.leaf_value(&leaf), Some(-3));
        assert_eq!(tree.evaluate(&leaf), -3);
        let min = tree.node_at(&[1]).unwrap();
        assert_eq!(tree.evaluate(&min), -5, "a list counts as its leftmost leaf, for its mover");
        assert_eq!(tree.node_at(&[2]), None);
        assert_eq!(tree.node_at(&[0, 0]), None);
    }

    #[test]
    fn uniform_trees_from_their_leaves() {
        let tree = Explicit::uniform(2, 2, &[1, 2, 3, 4]).unwrap();
        assert_eq!(tree.to_string(), "((1 2) (3 4))");
        assert_eq!(Explicit::uniform(2, 2, &[1, 2, 3]), None);
        assert_eq!(Explicit::uniform(3, 0, &[9]).unwrap().to_string(), "9");
    }

    #[test]
    fn errors_say_where() {
        for (text, line, column, reason) in [
            ("", 1, 1, "no tree"),
            ("  ", 1, 3, "no tree"),
            ("(1 2", 1, 1, "never closed"),
            ("(1 (2 3)", 1, 1, "never closed"),
            ("(1 2))", 1, 6, "after the tree"),
            (")", 1, 1, "without a `(`"),
            ("(1 ())", 1, 4, "empty list"),
            ("(1 x2)", 1, 4, "`x2`"),
            ("(1 2.5)", 1, 4, "whole number"),
            ("(1\n  -)", 2, 3, "whole number"),
            ("(1 9999999999)", 1, 4, "outside"),
            ("(1 1000000001)", 1, 4, "outside"),
            ("(ä 1)", 1, 2, "`ä`"),
            ("; (1 2)", 1, 8, "no tree"),
            ("1 2", 1, 3, "after the tree"),
        ] {
            let e = parse(text).unwrap_err();
            assert_eq!((e.line, e.column), (line, column), "{text:?}: {e}");
            assert!(e.reason.contains(reason), "{text:?}: {e}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow() {
        let deep = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(parse(&deep(MAX_NESTING)).unwrap().height(), MAX_NESTING);
        let e = parse(&deep(1_000_000)).unwrap_err();
        assert_eq!(e.column, MAX_NESTING + 1);
    }

    fn any_tree() -> impl Strategy<Value = String> {
        (-MAX_LEAF..=MAX_LEAF).prop_map(|v| v.to_string()).prop_recursive(6, 60, 5, |inner| {
            prop::collection::vec(inner, 1..5).prop_map(|c| format!("({})", c.join(" ")))
        })
    }

    proptest! {
        #[test]
        fn any_tree_round_trips(text in any_tree()) {
            prop_assert_eq!(parse(&text).unwrap().to_string(), text);
        }

        #[test]
        fn any_text_is_a_tree_or_an_error_inside_it(text in "[ ();0-9+x\\-\n\u{e9}]{0,40}") {
            match parse(&text) {
                Ok(tree) => prop_assert_eq!(parse(&tree.to_string()).unwrap(), tree),
                Err(e) => {
                    let lines: Vec<&str> = text.split('\n').collect();
                    prop_assert!((1..=lines.len()).contains(&e.line));
                    prop_assert!((1..=lines[e.line - 1].chars().count() + 1).contains(&e.column));
                }
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
