//! Ranks on threads: channels in the place of MPI, which deliver late and in every order that is allowed.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{Explicit, GameTree, Synthetic, mix};

use super::*;
use crate::table::TableSize;
use crate::{SearchSpec, algorithms, search};

/// The letters to one rank: a queue for each sender, and how many letters there are.
#[derive(Default)]
struct LetterBox {
    from: Mutex<Vec<VecDeque<Vec<u8>>>>,
    arrived: Condvar,
}

struct Channels {
    rank: usize,
    boxes: Arc<Vec<LetterBox>>,
    seed: u64,
    draws: u64,
}

impl Channels {
    fn draw(&mut self) -> u64 {
        self.draws += 1;
        mix(self.seed, self.draws)
    }
}

impl Network for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.boxes.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        assert_ne!(to, self.rank, "a message to itself");
        let letters = &self.boxes[to];
        letters.from.lock().unwrap()[self.rank].push_back(message);
        letters.arrived.notify_all();
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        let (late, first) = (self.draw().is_multiple_of(4), self.draw() as usize);
        let mut from = self.boxes[self.rank].from.lock().unwrap();
        let senders = from.len();
        let waits = (0..senders).map(|i| (first + i) % senders).find(|&s| !from[s].is_empty())?;
        if late { None } else { from[waits].pop_front().map(|message| (waits, message)) }
    }

    fn wait(&mut self) {
        let letters = &self.boxes[self.rank];
        let from = letters.from.lock().unwrap();
        if from.iter().all(VecDeque::is_empty) {
            drop(letters.arrived.wait_timeout(from, Duration::from_millis(1)).unwrap());
        }
    }
}

/// Runs `search` on every rank and returns what rank 0 got. Nothing is left on its way.
fn on_ranks<R: Send>(
    ranks: usize,
    seed: u64,
    search: impl Fn(&mut dyn Network) -> Result<Option<R>, SearchError> + Sync,
) -> Result<R, SearchError> {
    let letter_box =
        || LetterBox { from: Mutex::new(vec![VecDeque::new(); ranks]), ..LetterBox::default() };
    let boxes: Arc<Vec<LetterBox>> = Arc::new((0..ranks).map(|_| letter_box()).collect());
    let results: Vec<_> = std::thread::scope(|scope| {
        let start = |rank: usize| {
            let boxes = Arc::clone(&boxes);
            let (seed, search) = (mix(seed, rank as u64), &search);
            scope.spawn(move || search(&mut Channels { rank, boxes, seed, draws: 0 }))
        };
        let handles: Vec<_> = (0..ranks).map(start).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    for letters in boxes.iter() {
        assert!(letters.from.lock().unwrap().iter().all(VecDeque::is_empty), "a message is left");
    }
    let mut results = results.into_iter();
    let first = results.next().unwrap();
    assert!(results.all(|other| !matches!(other, Ok(Some(_)))));
    first.map(|outcome| outcome.expect("rank 0 has the outcome"))
}

fn minimax<T: GameTree>(tree: &T, depth: u32) -> Value {
    search(tree, &SearchSpec::new(&algorithms::Minimax.into(), depth)).unwrap().value.unwrap()
}

fn random_tree(seed: u64) -> (Synthetic, u32) {
    let (width, depth) = (2 + mix(seed, 1) as usize % 4, 1 + mix(seed, 2) as usize % 6);
    let values = [2, 9, 1000][mix(seed, 3) as usize % 3];
    (Synthetic::independent(width, depth, values, seed).unwrap(), depth as u32)
}

#[test]
fn processes_on_ranks_find_the_minimax_value_and_leave_no_message() {
    for seed in 0..600 {
        let (tree, depth) = random_tree(seed);
        let ranks = 1 + mix(seed, 4) as usize % 5;
        let settings = ParSssSettings {
            depth,
            spawn_height: Some(mix(seed, 5) as u32 % 3),
            entries: mix(seed, 6).is_multiple_of(2).then_some(NonZeroUsize::new(40).unwrap()),
            ..ParSssSettings::default()
        };
        let found = on_ranks(ranks, seed, |network| parsss(&tree, &settings, network)).unwrap();
        assert_eq!(found.value, Some(minimax(&tree, depth)), "seed {seed}");
        assert_eq!(found.ranks.len(), ranks);
        let best = found.best.unwrap();
        let child = tree.child(&tree.root(), best);
        let below =
            search(&Below(&tree, child), &SearchSpec::new(&algorithms::Pvs.into(), depth - 1));
        assert_eq!(below.unwrap().value.map(|value| -value), found.value, "seed {seed}");
    }
}

/// The tree below a node.
struct Below<'t, T: GameTree>(&'t T, T::Node);

impl<T: GameTree> GameTree for Below<'_, T>
where
    T::Node: Sync,
{
    type Node = T::Node;
    type Move = T::Move;
    type Moves = T::Moves;

    fn root(&self) -> T::Node {
        self.1.clone()
    }
    fn moves(&self, node: &T::Node, moves: &mut T::Moves) {
        self.0.moves(node, moves);
    }
    fn child(&self, node: &T::Node, mv: T::Move) -> T::Node {
        self.0.child(node, mv)
    }
    fn evaluate(&self, node: &T::Node) -> Value {
        self.0.evaluate(node)
    }
    fn value_range(&self) -> std::ops::RangeInclusive<Value> {
        let range = self.0.value_range();
        -*range.end()..=-*range.start()
    }
    fn key(&self, node: &T::Node) -> u64 {
        self.0.key(node)
    }
    fn code(&self, mv: T::Move) -> u16 {
        self.0.code(mv)
    }
}

#[test]
fn one_rank_does_what_the_serial_form_does() {
    let tree = Synthetic::independent(4, 6, 100, 5).unwrap();
    let settings = ParSssSettings { depth: 6, ..ParSssSettings::default() };
    let found = on_ranks(1, 0, |network| parsss(&tree, &settings, network)).unwrap();
    let serial = search(&tree, &SearchSpec::new(&algorithms::Sss.into(), 6)).unwrap();
    assert_eq!((found.value, found.total().evaluations), (serial.value, serial.counts.evaluations));
    assert_eq!((found.total().messages, found.total().bytes), (0, 0));
    assert_eq!(found.total().visits, serial.counts.visits);
}

#[test]
fn several_ranks_share_the_work_and_say_what_it_cost() {
    let tree = Synthetic::independent(8, 6, 1000, 3).unwrap();
    let settings = ParSssSettings { depth: 6, ..ParSssSettings::default() };
    let found = on_ranks(3, 1, |network| parsss(&tree, &settings, network)).unwrap();
    assert_eq!(found.value, Some(minimax(&tree, 6)));
    for rank in &found.ranks {
        assert!(rank.evaluations > 0 && rank.jobs > 0 && rank.messages > 0, "{:?}", found.ranks);
        assert!(rank.bytes >= 4 * rank.messages);
    }
}

#[test]
fn a_leaf_and_a_node_with_one_child() {
    for text in ["7", "(7)", "((7))", "((1 2) 3)"] {
        let tree: Explicit = text.parse().unwrap();
        let depth = tree.height() as u32;
        let settings = ParSssSettings { depth, spawn_height: Some(0), ..Default::default() };
        for ranks in 1..4 {
            let found = on_ranks(ranks, 9, |network| parsss(&tree, &settings, network)).unwrap();
            assert_eq!(found.value, Some(minimax(&tree, depth)), "{text} by {ranks}");
        }
    }
}

#[test]
fn a_limit_on_any_rank_ends_the_search_on_all() {
    let tree = Synthetic::independent(8, 8, 1000, 3).unwrap();
    let limits = Limits { leaves: Some(2000), ..Limits::default() };
    let settings = ParSssSettings { depth: 8, limits, ..ParSssSettings::default() };
    for ranks in 1..4 {
        let found = on_ranks(ranks, 2, |network| parsss(&tree, &settings, network)).unwrap();
        assert_eq!((found.value, found.stopped), (None, Some(Stop::Leaves)));
    }
}

#[test]
fn too_little_memory_is_an_error_wherever_it_happens() {
    let tree = Synthetic::independent(4, 6, 1000, 3).unwrap();
    let entries = NonZeroUsize::new(5);
    let settings =
        ParSssSettings { depth: 6, entries, spawn_height: Some(0), ..ParSssSettings::default() };
    for ranks in 1..4 {
        let found = on_ranks(ranks, 2, |network| parsss(&tree, &settings, network));
        assert!(matches!(found, Err(SearchError::Locked(_))), "{ranks}");
    }
}

#[test]
fn aphid_finds_the_minimax_value_and_leaves_no_message() {
    for seed in 0..300 {
        let (tree, depth) = random_tree(seed);
        let ranks = 1 + mix(seed, 4) as usize % 4;
        let settings = AphidSettings {
            depth,
            top: 1 + mix(seed, 5) as u32 % 3,
            table: TableSize::of_entries(1 << 10),
            margin: mix(seed, 6) as Value % 10,
            limits: Limits::default(),
        };
        let found = on_ranks(ranks, seed, |network| aphid(&tree, &settings, network)).unwrap();
        assert_eq!(found.value, Some(minimax(&tree, depth)), "seed {seed}");
        let child = tree.child(&tree.root(), found.best.unwrap());
        let below =
            search(&Below(&tree, child), &SearchSpec::new(&algorithms::Pvs.into(), depth - 1));
        assert_eq!(below.unwrap().value.map(|value| -value), found.value, "seed {seed}");
    }
}

#[test]
fn aphid_by_one_rank_is_its_serial_form_and_by_several_shares_the_work() {
    let tree = Synthetic::independent(8, 7, 1000, 3).unwrap();
    let settings = AphidSettings {
        depth: 7,
        top: 2,
        table: TableSize::default(),
        margin: 10,
        limits: Limits::default(),
    };
    let serial = search(&tree, &settings.serial()).unwrap();
    let one = on_ranks(1, 0, |network| aphid(&tree, &settings, network)).unwrap();
    assert_eq!((one.value, one.total().visits), (serial.value, serial.counts.visits));
    let three = on_ranks(3, 0, |network| aphid(&tree, &settings, network)).unwrap();
    assert_eq!(three.value, serial.value);
    for worker in &three.ranks[1..] {
        assert!(worker.evaluations > 0 && worker.jobs > 0 && worker.messages > 0, "{three:?}");
    }
    // The master leaves the work to the others.
    assert!(three.ranks[0].evaluations < three.ranks[1].evaluations);
}

#[test]
fn aphid_stops_at_its_time() {
    let tree = Synthetic::independent(30, 12, 100_000, 3).unwrap();
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::default() };
    let table = TableSize::of_entries(1 << 10);
    let settings = AphidSettings { depth: 12, top: 2, table, margin: 10, limits };
    for ranks in 1..4 {
        let found = on_ranks(ranks, 2, |network| aphid(&tree, &settings, network)).unwrap();
        assert_eq!((found.value, found.stopped), (None, Some(Stop::Time)));
    }
}
