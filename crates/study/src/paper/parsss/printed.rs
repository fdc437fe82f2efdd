//! PARITERSSS* as its paper prints it, with lists, on uniform trees with MAX leaves: to see what becomes of
//! it when the entry of a killed process is never given back.
//!
//! The searches of the program give it back. This one is for table 3 alone: it keeps the printed lists, and
//! can do either. Time is counted as the program's simulation counts it: in a tick every process evaluates
//! at most one leaf, and runs on until it would need another, waits or ends.

use plyground_core::value::{INFINITY, Value};

/// The least height of a node that may get a process.
const SPAWN_HEIGHT: usize = 4;

/// A node of a uniform tree: its level, and its number in the level from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    level: usize,
    number: usize,
}

/// A state on OPEN or in LIVEMINS.
#[derive(Clone, Copy, Debug)]
struct State {
    at: Place,
    h: Value,
    solved: bool,
    active: bool,
}

/// What MINPROC says of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Life {
    Runs,
    Solved,
    /// Killed, or its result was taken back.
    Gone,
}

struct ListProcess {
    /// Its node.
    root: Place,
    parent: Option<usize>,
    /// OPEN and LIVEMINS.
    lists: Vec<State>,
    /// The entries of memory that are left.
    left: i64,
    h: Value,
    life: Life,
    may_evaluate: bool,
}

/// Why a turn ended.
enum Pause {
    Leaf,
    Waits,
    Ended,
}

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The value and the terminal count.
    Value(Value, u64),
    /// No process could go on.
    Locked,
}

/// A uniform tree with its leaves' values, and the settings of the search.
pub(super) struct PrintedSearch<'l> {
    width: usize,
    depth: usize,
    leaves: &'l [Value],
    processes: Vec<ListProcess>,
    /// N: the processes that may still be started.
    free: usize,
    memory: i64,
    /// Is the entry of a killed process given back?
    gives_back: bool,
}

impl<'l> PrintedSearch<'l> {
    /// A search of a tree of even depth by `processes` processes with `memory` entries each.
    pub(super) fn new(
        (width, depth): (usize, usize),
        leaves: &'l [Value],
        (processes, memory): (usize, usize),
        gives_back: bool,
    ) -> PrintedSearch<'l> {
        let root = Place { level: 0, number: 0 };
        let mut search = PrintedSearch {
            width,
            depth,
            leaves,
            processes: Vec::new(),
            free: processes - 1,
            memory: memory as i64,
            gives_back,
        };
        search.start(root, INFINITY, None);
        search
    }

    fn start(&mut self, root: Place, h: Value, parent: Option<usize>) {
        let first = State { at: root, h, solved: false, active: true };
        self.processes.push(ListProcess {
            root,
            parent,
            lists: vec![first],
            left: self.memory,
            h,
            life: Life::Runs,
            may_evaluate: true,
        });
    }

    /// Runs the search to its end.
    pub(super) fn run(&mut self) -> Ending {
        let mut count = 0;
        loop {
            let mut evaluated = false;
            loop {
                let mut changed = false;
                let mut i = 0;
                while i < self.processes.len() {
                    if self.processes[i].life == Life::Runs {
                        let before = self.processes[i].may_evaluate;
                        let pause = self.turn(i, &mut changed);
                        evaluated |= before && !self.processes[i].may_evaluate;
                        if matches!(pause, Pause::Ended) && i == 0 {
                            return Ending::Value(
                                self.processes[0].h,
                                count + u64::from(evaluated),
                            );
                        }
                    }
                    i += 1;
                }
                if !changed {
                    break;
                }
            }
            if !evaluated {
                return Ending::Locked;
            }
            count += 1;
            for process in &mut self.processes {
                process.may_evaluate = true;
            }
        }
    }

    fn is_max(at: Place) -> bool {
        at.level.is_multiple_of(2)
    }

    fn is_leaf(&self, at: Place) -> bool {
        at.level == self.depth
    }

    fn child(&self, at: Place, step: usize) -> Place {
        Place { level: at.level + 1, number: at.number * self.width + step }
    }

    fn parent(&self, at: Place) -> Place {
        Place { level: at.level - 1, number: at.number / self.width }
    }

    fn is_below(&self, at: Place, top: Place) -> bool {
        at.level >= top.level
            && at.number / self.width.pow((at.level - top.level) as u32) == top.number
    }

    /// Where its first leaf is: ties go to the leftmost.
    fn leftmost_leaf(&self, at: Place) -> usize {
        at.number * self.width.pow((self.depth - at.level) as u32)
    }

    /// The ACTIVE state of the highest h, the leftmost of several.
    fn first(&self, i: usize) -> Option<usize> {
        let lists = &self.processes[i].lists;
        let active = (0..lists.len()).filter(|&s| lists[s].active);
        active.max_by_key(|&s| (lists[s].h, std::cmp::Reverse(self.leftmost_leaf(lists[s].at))))
    }

    /// The processes that process `i` has started and that still run.
    fn started_by(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let runs = move |&j: &usize| {
            self.processes[j].parent == Some(i) && self.processes[j].life == Life::Runs
        };
        (0..self.processes.len()).filter(runs)
    }

    /// Updates the h-value in MINPROC: of all states, INACTIVE ones included, and of its processes.
    fn publish(&mut self, i: usize, first: Value, changed: &mut bool) {
        let inactive = self.processes[i].lists.iter().filter(|state| !state.active).map(|s| s.h);
        let others = self.started_by(i).map(|j| self.processes[j].h);
        let h = inactive.chain(others).fold(first, Value::max);
        if h < self.processes[i].h {
            self.processes[i].h = h;
            *changed = true;
        }
    }

    /// Takes the results of its processes back.
    fn take_back(&mut self, i: usize, changed: &mut bool) {
        for j in 0..self.processes.len() {
            if self.processes[j].parent == Some(i) && self.processes[j].life == Life::Solved {
                self.processes[j].life = Life::Gone;
                let ListProcess { root, h, .. } = self.processes[j];
                let state = State { at: root, h, solved: true, active: true };
                self.processes[i].lists.push(state);
                *changed = true;
            }
        }
    }

    /// Starts as many processes as may be, INACTIVE nodes first and then the highest; `true` if any was.
    fn share(&mut self, i: usize, x: Option<usize>) -> bool {
        let lists = &self.processes[i].lists;
        let shareable = |&s: &usize| {
            let State { at, solved, .. } = lists[s];
            Some(s) != x
                && !solved
                && !Self::is_max(at)
                && at != self.processes[i].root
                && self.depth - at.level >= SPAWN_HEIGHT
        };
        let mut nodes: Vec<State> = (0..lists.len()).filter(shareable).map(|s| lists[s]).collect();
        nodes.sort_by_key(|state| (state.active, state.at.level, self.leftmost_leaf(state.at)));
        nodes.truncate(self.free);
        for state in &nodes {
            self.free -= 1;
            self.processes[i].lists.retain(|other| other.at != state.at);
            self.start(state.at, state.h, Some(i));
        }
        !nodes.is_empty()
    }

    /// Kills a process and all that it has started.
    fn kill(&mut self, j: usize) {
        self.processes[j].life = Life::Gone;
        self.free += 1;
        let below: Vec<usize> = self.started_by(j).collect();
        for k in below {
            self.kill(k);
        }
        // What has ended already was given back when it ended.
        for process in &mut self.processes {
            if process.parent == Some(j) && process.life == Life::Solved {
                process.life = Life::Gone;
            }
        }
    }

    /// One turn of a process.
    fn turn(&mut self, i: usize, changed: &mut bool) -> Pause {
        // A state that is made ACTIVE again and again without room for it has to wait.
        let mut woken = 0;
        loop {
            self.take_back(i, changed);
            let Some(s) = self.first(i) else {
                self.publish(i, -INFINITY, changed);
                if self.free > 0 && self.share(i, None) {
                    *changed = true;
                    continue;
                }
                return Pause::Waits;
            };
            let State { at, h, solved, .. } = self.processes[i].lists[s];
            self.publish(i, h, changed);
            let evaluates = !solved && self.is_leaf(at);
            if evaluates && !self.processes[i].may_evaluate {
                return Pause::Leaf;
            }
            if self.free > 0 && self.share(i, Some(s)) {
                *changed = true;
                continue;
            }
            let top = self.processes[i].root;
            if solved && at == top {
                for j in self.started_by(i).collect::<Vec<_>>() {
                    self.kill(j);
                }
                let process = &mut self.processes[i];
                (process.h, process.life) = (h, Life::Solved);
                self.free += 1;
                *changed = true;
                return Pause::Ended;
            }
            if solved && !Self::is_max(at) {
                match self.solved_min(i, (at, h), changed, &mut woken) {
                    true => continue,
                    false => return Pause::Waits,
                }
            }
            let below = self.child(at, 0);
            let fits = self.processes[i].left + 1 > self.width as i64;
            let is_live_min = !solved && !Self::is_max(at);
            if is_live_min && !self.is_leaf(below) && !fits {
                // Nothing has changed for whoever waits.
                self.processes[i].lists[s].active = false;
                continue;
            }
            self.processes[i].lists.swap_remove(s);
            *changed = true;
            woken = 0;
            if evaluates {
                let h = h.min(self.leaves[at.number]);
                self.processes[i].may_evaluate = false;
                self.put(i, State { at, h, solved: true, active: true });
            } else if solved {
                let min = self.parent(at);
                let last = at.number % self.width + 1 == self.width;
                let next = if last { min } else { Place { number: at.number + 1, ..at } };
                self.put(i, State { at: next, h, solved: last, active: true });
            } else if Self::is_max(at) {
                self.processes[i].left += 1;
                for step in 0..self.width {
                    let at = self.child(at, step);
                    self.processes[i].left -= 1;
                    self.put(i, State { at, h, solved: false, active: true });
                }
            } else {
                self.put(i, State { at: below, h, solved: false, active: true });
            }
        }
    }

    fn put(&mut self, i: usize, state: State) {
        self.processes[i].lists.push(state);
    }

    /// The case of a SOLVED MIN node; `false` if the process has to wait.
    fn solved_min(
        &mut self,
        i: usize,
        (at, h): (Place, Value),
        changed: &mut bool,
        woken: &mut u32,
    ) -> bool {
        let max = self.parent(at);
        for j in self.started_by(i).collect::<Vec<_>>() {
            if self.is_below(self.processes[j].root, max) && self.processes[j].h <= h {
                self.kill(j);
                self.processes[i].left += i64::from(self.gives_back);
                *changed = true;
            }
        }
        let before = self.processes[i].lists.len();
        let lists = std::mem::take(&mut self.processes[i].lists);
        let kept = |state: &State| state.at == at || !self.is_below(state.at, max) || state.h > h;
        let lists: Vec<State> = lists.into_iter().filter(kept).collect();
        self.processes[i].left += (before - lists.len()) as i64;
        *changed |= before > lists.len();
        self.processes[i].lists = lists;
        let asleep = |state: &&State| !state.active && self.is_below(state.at, max);
        let deepest = (self.processes[i].lists.iter().filter(asleep))
            .max_by_key(|state| (state.at.level, std::cmp::Reverse(self.leftmost_leaf(state.at))))
            .map(|state| state.at);
        if let Some(y) = deepest {
            *woken += 1;
            if *woken > 2 {
                return false;
            }
            let lists = &mut self.processes[i].lists;
            for state in lists.iter_mut().filter(|state| state.at == y) {
                state.active = true;
            }
            return true;
        }
        if self.started_by(i).any(|j| self.is_below(self.processes[j].root, max)) {
            return false;
        }
        let lists = &mut self.processes[i].lists;
        lists.retain(|state| state.at != at);
        lists.push(State { at: max, h, solved: true, active: true });
        *changed = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::{GameTree, Synthetic};
    use plyground_search::{Options, SearchSpec};

    use super::super::leaf_values;
    use super::*;
    use crate::laboratory::{LabTree, search};

    /// With entries given back, the lists do what the program's search does.
    #[test]
    fn the_lists_agree_with_the_search_of_the_program() {
        for seed in 0..20 {
            let tree = Synthetic::independent(3, 6, 1_000_000, seed).unwrap();
            let leaves = leaf_values(&tree);
            assert_eq!(leaves.len(), 729);
            assert!(tree.value_range().contains(&leaves[0]));
            let lab: LabTree = tree.into();
            for (processes, memory) in [(1, 7), (1, 15), (1, 500), (3, 9), (8, 7), (8, 20)] {
                // Whoever never gives an entry back may lock up, and is right where it ends.
                let kept = PrintedSearch::new((3, 6), &leaves, (processes, memory), false).run();
                let id = format!("paritersss:{processes}:{memory}");
                let options = Options { simulate: true, ..Options::to_depth(6) };
                let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
                let found = search(&lab, &spec, None).unwrap();
                let mut lists = PrintedSearch::new((3, 6), &leaves, (processes, memory), true);
                let ending = lists.run();
                let Ending::Value(value, count) = ending else {
                    panic!("{id}, seed {seed}: locked");
                };
                assert_eq!(Some(value), found.value, "{id}, seed {seed}");
                assert!(
                    matches!(kept, Ending::Locked)
                        || matches!(kept, Ending::Value(v, _) if v == value)
                );
                if processes == 1 {
                    assert_eq!(Some(count), found.terminal_count, "{id}, seed {seed}");
                }
                let theirs = found.terminal_count.unwrap() as f64;
                assert!((count as f64 / theirs - 1.0).abs() < 0.15, "{id}: {count} and {theirs}");
            }
        }
    }
}
