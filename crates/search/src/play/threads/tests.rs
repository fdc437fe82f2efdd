//! What one thread makes of the others: their marks and their entries are written by the test.

use std::ops::RangeInclusive;
use std::sync::Mutex;

use super::*;
use crate::play::mate_line::plies_to_mate;
use crate::play::{CHECK_INTERVAL, PlayDriver, PlaySwitches};
use crate::table::{NO_MOVE, Stored, TableSize};
use plyground_core::tree::{GameTree, mix};
use plyground_core::value::MATE;

/// A tree of three moves a node, which notes the moves that are made. A node is its path.
#[derive(Default)]
struct Noting(Mutex<Vec<(u64, u8)>>);

impl GameTree for Noting {
    type Node = u64;
    type Move = u8;
    type Moves = Vec<u8>;
    const HISTORY_SIZE: usize = 4;
    const MATES: bool = true;

    fn root(&self) -> u64 {
        0
    }

    fn moves(&self, _: &u64, moves: &mut Vec<u8>) {
        moves.extend([1, 2, 3]);
    }

    fn child(&self, node: &u64, mv: u8) -> u64 {
        self.0.lock().unwrap().push((*node, mv));
        4 * node + u64::from(mv)
    }

    fn evaluate(&self, node: &u64) -> Value {
        (mix(3, *node) % 100) as Value
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -100..=100
    }

    fn key(&self, node: &u64) -> u64 {
        mix(1, *node)
    }

    fn code(&self, mv: u8) -> u16 {
        mv.into()
    }
}

impl PlayTree for Noting {}

struct NoLimit;

impl PlayControl<u8> for NoLimit {
    fn check(&mut self, _: u64) -> Result<u64, Stop> {
        Ok(CHECK_INTERVAL)
    }
    fn on_line(&mut self, _: PlayLine<'_, u8>) {}
    fn continues_after(&mut self, _: PlayIteration<u8>) -> bool {
        true
    }
}

fn state() -> SharedState<u8> {
    SharedState {
        ended: AtomicBool::new(false),
        nodes: Vec::new(),
        in_flight: InFlight::new(),
        root_log: RootLog::new(),
    }
}

const WITH_TABLE: PlaySwitches = PlaySwitches { table: true, ..PlaySwitches::NONE };

/// Calls `test` with a search that sees others, or none.
fn searching(others: bool, test: impl FnOnce(&mut PlaySearch<'_, Noting>)) {
    let (tree, shared) = (Noting::default(), state());
    let table = TranspositionTable::new(TableSize::of_entries(64)).unwrap();
    let history = PlayHistory::new(Noting::HISTORY_SIZE);
    let view = shared.view(others);
    let control = &mut NoLimit;
    test(&mut PlaySearch::new(&tree, (&table, &history), view, WITH_TABLE, &[], control));
}

/// The moves that a search to this depth makes at `node`, in order, if another thread is searching those
/// children of it that are marked; and the best move of the root.
fn made(node: u64, depth: u32, marked: &[u8]) -> (Vec<u8>, u8) {
    let (tree, shared) = (Noting::default(), state());
    let table = TranspositionTable::new(TableSize::of_entries(1 << 12)).unwrap();
    let history = PlayHistory::new(Noting::HISTORY_SIZE);
    let plies = (0..).take_while(|plies| node >> (2 * plies) != 0).count() as u32;
    for mv in marked {
        let key = tree.key(&(4 * node + u64::from(*mv)));
        shared.in_flight.set(key, depth - plies, true);
    }
    let request = PlayRequest {
        switches: PlaySwitches::NONE,
        driver: PlayDriver::Pvs,
        depth,
        lines: 1,
        moves: &[1, 2, 3],
        game: &[],
    };
    let memory = (&table, &history);
    let outcome = iterative_deepening(&tree, memory, request, 1, shared.view(true), &mut NoLimit);
    let made = tree.0.into_inner().unwrap().into_iter().filter(|(at, _)| *at == node);
    (made.map(|(_, mv)| mv).collect(), outcome.moves[0].mv)
}

#[test]
fn a_move_that_another_thread_searches_is_made_once_more() {
    let depth = SHARED_DEPTH as u32;
    // Nothing is cut off at the root, nor at the child that is searched first: the best of the iteration
    // before.
    let first: u64 = made(0, depth, &[]).1.into();
    for (node, depth) in [(0, depth), (0, depth + 1), (first, depth + 1)] {
        let plain = made(node, depth, &[]).0.len();
        let more = |mv| made(node, depth, &[mv]).0.len() - plain;
        // A move that is deferred is made when it comes, and again when it is searched. The first one never
        // is deferred.
        let mut more = [1, 2, 3].map(more);
        more.sort_unstable();
        assert!(more[0] == 0 && more[1] > 0, "{node}, {depth}: {more:?}");
    }
    // Nearer to the horizon nobody asks.
    for (node, depth) in [(0, depth - 1), (first, depth)] {
        assert_eq!(made(node, depth, &[1, 2, 3]), made(node, depth, &[]));
    }
}

#[test]
fn threads_that_do_not_look_at_each_other_come_to_the_same_depth() {
    let search = |helpers, abdada, table| {
        let memory = TranspositionTable::new(TableSize::of_entries(1 << 12)).unwrap();
        let history = PlayHistory::new(Noting::HISTORY_SIZE);
        let switches = PlaySwitches { abdada, table, ..PlaySwitches::NONE };
        let (driver, moves) = (PlayDriver::Pvs, &[1, 2, 3][..]);
        let request = PlayRequest { switches, driver, depth: 8, lines: 1, moves, game: &[] };
        let outcome = think(&Noting::default(), &memory, &history, helpers, request, &mut NoLimit);
        (outcome.depth, outcome.moves[0].value)
    };
    let alone = search(0, true, false);
    for helpers in [1, 3] {
        // Without a table they share nothing that changes a value; with one, a helper that is a ply ahead
        // answers with the value of a greater depth.
        assert_eq!(search(helpers, false, false), alone);
        assert_eq!(search(helpers, false, true).0, alone.0);
    }
    assert!(state().view(true).has_others() && !state().view(false).has_others());
}

#[test]
fn the_nodes_of_all_helpers_are_counted() {
    let nodes = vec![AtomicU64::new(3), AtomicU64::new(4)];
    assert_eq!(SharedState { nodes, ..state() }.nodes(), 7);
}

#[test]
fn a_helper_goes_on_until_it_is_told_to_end() {
    let (ended, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut helper = HelperControl { ended: &ended, nodes: &nodes };
    let control: &mut dyn PlayControl<u8> = &mut helper;
    assert_eq!(control.check(7), Ok(HELPER_INTERVAL));
    assert!(control.continues_after(PlayIteration { depth: 9, best: 1, value: 0, nodes: 7 }));
    ended.store(true, Relaxed);
    assert_eq!(control.check(9), Err(Stop::Flag));
    assert_eq!(nodes.load(Relaxed), 9);
}

#[test]
fn a_mate_is_as_many_plies_away_as_its_value_says() {
    for (value, plies) in [(MATE - 3, Some(3)), (3 - MATE, Some(3)), (MATE, Some(0)), (90, None)] {
        assert_eq!(plies_to_mate::<Noting>(value), plies, "{value}");
    }
}

#[test]
fn marks_are_for_nodes_far_from_the_horizon() {
    searching(true, |search| {
        for depth in [SHARED_DEPTH - 1, SHARED_DEPTH, SHARED_DEPTH + 1] {
            search.set_in_flight(7, depth, true);
            assert_eq!(search.is_in_flight(7, depth), depth >= SHARED_DEPTH);
            search.set_in_flight(7, depth, false);
            assert!(!search.is_in_flight(7, depth));
        }
    });
    searching(false, |search| {
        search.set_in_flight(7, SHARED_DEPTH, true);
        assert!(!search.is_in_flight(7, SHARED_DEPTH));
    });
}

fn stored(search: &PlaySearch<'_, Noting>, key: u64, height: u8, (lower, upper): (Value, Value)) {
    let bounds = Bounds { lower, upper };
    search.table.put(key, Stored { bounds, best: NO_MOVE, height });
}

#[test]
fn what_another_has_found_counts_if_it_is_deep_enough_and_no_better_than_alpha() {
    searching(true, |search| {
        let found =
            |search: &PlaySearch<'_, Noting>, alpha| search.found_by_another(9, alpha, 6, 1);
        assert_eq!(found(search, 10), None);
        for (height, lower, alpha, expected) in [
            (6, -5, 10, Some(5)),
            (5, -5, 10, Some(5)),
            (4, -5, 10, None),
            (6, -10, 10, Some(10)),
            (6, -11, 10, None),
            (4, -11, 10, None),
        ] {
            search.table.clear();
            stored(search, 9, height, (lower, 90));
            assert_eq!(found(search, alpha), expected, "{height}, {lower}, {alpha}");
        }
    });
}

#[test]
fn a_node_on_the_path_is_resolved_by_a_bound_beyond_its_window() {
    let window = Window { alpha: 10, beta: 20 };
    let resolved = |others, (height, bounds), depth, may_resolve| {
        let mut value = None;
        searching(others, |search| {
            search.watch(9, window, depth, 2, may_resolve);
            stored(search, 9, height, bounds);
            value = search.resolved(2);
            // From below, the recursion unwinds to it.
            let unwound = search.check_path(4);
            assert_eq!(matches!(unwound, Err(Unwind::Resolved(2))), value.is_some());
            assert!(value.is_none_or(|value| search.resolved_value == value));
            assert!(search.check_path(2).is_ok());
        });
        value
    };
    let depth = SHARED_DEPTH + 1;
    let height = depth as u8;
    for (bounds, expected) in [
        ((20, 50), Some(20)),
        ((25, 50), Some(25)),
        ((-50, 10), Some(10)),
        ((-50, 3), Some(3)),
        ((15, 15), Some(15)),
        ((19, 50), None),
        ((-50, 11), None),
        ((12, 18), None),
    ] {
        assert_eq!(resolved(true, (height, bounds), depth, true), expected, "{bounds:?}");
        assert_eq!(resolved(true, (height + 1, bounds), depth, true), expected, "{bounds:?}");
        assert_eq!(resolved(true, (height - 1, bounds), depth, true), None, "not deep enough");
        assert_eq!(resolved(true, (height, bounds), depth, false), None, "not watched");
        assert_eq!(resolved(false, (height, bounds), depth, true), None, "nobody is there");
    }
    assert_eq!(resolved(true, (height, (20, 50)), SHARED_DEPTH - 1, true), None, "too near");
}
