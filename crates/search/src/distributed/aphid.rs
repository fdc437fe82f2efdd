//! APHID: asynchronous parallel hierarchical iterative deepening (Brockington and Schaeffer 1996), an
//! alpha-beta scheme for memory that is not shared.
//!
//! The master, rank 0, searches the first plies of the tree again and again: a *pass*. The leaves of its tree
//! belong to the workers, the other ranks, which search them deeper and deeper, each with a table of its
//! own, and report what they find. A leaf whose bounds do not decide the window of a pass is *uncertain*:
//! the pass takes what an earlier search found for it, and its worker hears which window was asked about.
//! Nobody waits for anybody but the master, when nothing new has come since its last pass. A pass without an
//! uncertain leaf proves the root's value, and the leaves are searched a ply deeper.
//!
//! What is uncertain has the value of two plies less, because values of even and of odd depths differ. A
//! window that rests on such a value is asked about a little wider, on the side where it may have to move:
//! then most leaves need no second search when the principal variation turns out somewhat different. Windows
//! that rest on no guess are those of PVS itself: they are asked as they are, and come first.
//!
//! What differs from the paper: the master searches by PVS, so that workers get null windows; all leaves are
//! at the same height; a worker that runs out of work gets half of what the busiest one has left; and the
//! search is to a fixed depth, so that its value is that of every other search.

mod master;
mod worker;

use std::sync::Arc;

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Value, Window};

use super::{DistributedOutcome, Network, Post, RankCounts, ReadWords, WriteWords};
use crate::algorithms::Pvs;
use crate::context::Search;
use crate::memory::{Memory, TableRules};
use crate::memory_functions::MemoryFunctions;
use crate::node::SearchNode;
use crate::order::MoveOrder;
use crate::outcome::SearchError;
use crate::paths::Paths;
use crate::rich::Rich;
use crate::spec::{Options, SearchSpec};
use crate::table::{TableSize, TranspositionTable};

/// The settings of [`aphid`].
#[derive(Clone, Debug)]
pub struct AphidSettings {
    /// The horizon.
    pub depth: u32,
    /// How many plies the master searches itself; at least 1, and less than the depth.
    pub top: u32,
    /// The size of each rank's table.
    pub table: TableSize,
    /// A window that rests on an earlier search is this much wider.
    pub margin: Value,
    /// What may stop the search: time and the flag.
    pub limits: Limits,
}

/// A table, history and killers: what each rank remembers, and the serial search too.
const MEMORY: MemoryFunctions = MemoryFunctions::TABLE.union(MemoryFunctions::HISTORY);

impl AphidSettings {
    /// The serial search that does the same: PVS with deepening and the same memory functions.
    ///
    /// # Panics
    /// Never: these options go together.
    pub fn serial(&self) -> SearchSpec {
        let AphidSettings { depth, table, limits, .. } = self.clone();
        let (memory, table) = (MEMORY, Some(table));
        let options =
            Options { memory, table, limits, deepening: true, ..Options::to_depth(depth) };
        SearchSpec::check(&Pvs.into(), options).expect("PVS takes a table, history and deepening")
    }
}

/// What master and workers tell each other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    /// From the master: leaf `leaf`, at the end of this path, is yours from now on.
    Take { leaf: u32, path: Vec<u32> },
    /// From the master: search the leaf to this height with this window; those with a lower `order` come
    /// first.
    Search { leaf: u32, height: u32, order: u32, window: [Value; 2] },
    /// From the master: the leaf does not matter at present.
    Leave { leaf: u32 },
    /// From a worker: the leaf has these bounds at this height; `value` is what the last search returned.
    Found { leaf: u32, height: u32, bounds: [Value; 2], value: Value },
    /// From a worker: there is nothing left to do.
    Starves,
    /// From a worker: a limit was reached.
    Stopped,
}

impl Message {
    fn write(&self) -> Vec<u8> {
        let mut words = Vec::new();
        match self {
            Message::Take { leaf, path } => {
                words.word(1);
                words.word(*leaf);
                words.words(path);
            }
            Message::Search { leaf, height, order, window } => {
                words.word(2);
                [leaf, height, order].into_iter().for_each(|&word| words.word(word));
                window.iter().for_each(|&value| words.value(value));
            }
            Message::Leave { leaf } => {
                words.word(3);
                words.word(*leaf);
            }
            Message::Found { leaf, height, bounds, value } => {
                words.word(4);
                words.word(*leaf);
                words.word(*height);
                bounds.iter().for_each(|&value| words.value(value));
                words.value(*value);
            }
            Message::Starves => words.word(5),
            Message::Stopped => words.word(6),
        }
        words
    }

    fn read(message: &[u8]) -> Option<Message> {
        let mut words = ReadWords(message);
        Some(match words.word()? {
            1 => Message::Take { leaf: words.word()?, path: words.words()? },
            2 => Message::Search {
                leaf: words.word()?,
                height: words.word()?,
                order: words.word()?,
                window: [words.value()?, words.value()?],
            },
            3 => Message::Leave { leaf: words.word()? },
            4 => Message::Found {
                leaf: words.word()?,
                height: words.word()?,
                bounds: [words.value()?, words.value()?],
                value: words.value()?,
            },
            5 => Message::Starves,
            6 => Message::Stopped,
            _ => return None,
        })
    }
}

/// The value that bounds have for a search with this window, if they decide it.
fn decides(bounds: Bounds, window: Window) -> Option<Value> {
    if bounds.lower >= window.beta || bounds.is_exact() {
        Some(bounds.lower)
    } else {
        (bounds.upper <= window.alpha).then_some(bounds.upper)
    }
}

/// Searches by APHID: exact for any number of ranks. Rank 0 gets the outcome, the others `None`.
pub fn aphid<T: GameTree>(
    tree: &T,
    settings: &AphidSettings,
    network: &mut dyn Network,
) -> Result<Option<DistributedOutcome<T::Move>>, SearchError> {
    let spec = settings.serial();
    let mut post = Post::new(network);
    if post.ranks() == 1 || settings.depth < 2 {
        return alone(tree, &spec, post);
    }
    let top = settings.top.clamp(1, settings.depth - 1);
    // The master's own tree is small; it needs no table.
    let table = if post.rank() == 0 { TranspositionTable::smallest() } else { table(&spec)? };
    let memory = Memory::Table(Arc::new(table), TableRules::of(spec.factors()));
    let order = MoveOrder::new(spec.memory(), spec.deepening(), T::HISTORY_SIZE);
    let mut search = Search::new(tree, &spec, Rich::new(memory, order, Paths::Off, None));
    if post.rank() > 0 {
        worker::run(&mut search, &mut post);
        post.end(&search.tally);
        return Ok(None);
    }
    let found = master::run(&mut search, &mut post, top, settings.margin);
    let time = post.time();
    let ranks = post.end(&search.tally);
    let (value, stopped) = match found {
        Ok(value) => (Some(value), None),
        Err(stop) => (None, Some(stop)),
    };
    Ok(Some(DistributedOutcome { value, best: search.best, stopped, time, ranks }))
}

fn table(spec: &SearchSpec) -> Result<TranspositionTable, SearchError> {
    TranspositionTable::new(spec.table().unwrap_or_default()).map_err(SearchError::Table)
}

/// With one rank it is the serial search.
fn alone<T: GameTree>(
    tree: &T,
    spec: &SearchSpec,
    mut post: Post<'_>,
) -> Result<Option<DistributedOutcome<T::Move>>, SearchError> {
    if post.rank() > 0 {
        post.end(&crate::tally::Tally::new(Limits::default()));
        return Ok(None);
    }
    let outcome = crate::search(tree, spec);
    let mut ranks = post.end(&crate::tally::Tally::new(Limits::default()));
    let outcome = outcome?;
    let counts = outcome.counts;
    ranks[0] =
        RankCounts { evaluations: counts.evaluations, visits: counts.visits, jobs: 1, ..ranks[0] };
    let (value, best, stopped, time) = (outcome.value, outcome.best, outcome.stopped, outcome.time);
    Ok(Some(DistributedOutcome { value, best, stopped, time, ranks }))
}

/// The node at the end of a path of child numbers in the tree's own order.
fn node_at<T: GameTree>(search: &mut Search<'_, T, Rich>, path: &[u32]) -> SearchNode<T, Rich> {
    let mut n = search.root();
    for &place in path {
        n = child_at_place(search, &n, place as usize).expect("the path of a leaf exists");
    }
    n
}

fn child_at_place<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    n: &SearchNode<T, Rich>,
    place: usize,
) -> Option<SearchNode<T, Rich>> {
    let siblings = search.generate_siblings(n)?;
    Some(search.child_at(n, &siblings.moves, place))
}

/// A stop that the other ranks have to hear of.
fn is_final(stop: Stop) -> bool {
    stop != Stop::Nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        for message in [
            Message::Take { leaf: 3, path: vec![0, 2] },
            Message::Search { leaf: 3, height: 2, order: 9, window: [-5, 7] },
            Message::Leave { leaf: 3 },
            Message::Found { leaf: 3, height: 2, bounds: [-7, 9], value: -1 },
            Message::Starves,
            Message::Stopped,
        ] {
            assert_eq!(Message::read(&message.write()), Some(message));
        }
        assert_eq!(Message::read(&[7, 0, 0, 0]), None);
    }

    #[test]
    fn bounds_decide_a_window() {
        let bounds = |lower, upper| Bounds { lower, upper };
        assert_eq!(decides(bounds(4, 9), Window::new(0, 4)), Some(4));
        assert_eq!(decides(bounds(-9, 4), Window::new(4, 8)), Some(4));
        assert_eq!(decides(bounds(5, 5), Window::FULL), Some(5));
        assert_eq!(decides(bounds(4, 9), Window::new(3, 5)), None);
    }
}
