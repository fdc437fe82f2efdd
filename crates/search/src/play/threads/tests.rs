//! What one thread makes of the others: their marks and their entries are written by the test.

use std::ops::RangeInclusive;
use std::sync::Mutex;

use super::*;
use crate::play::mate_line::plies_to_mate;
use crate::play::split::{Sibling, SplitState};
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
        // Far below the root the first moves are forgotten.
        node.wrapping_mul(4).wrapping_add(mv.into())
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

fn state() -> SharedState<Noting> {
    SharedState::new(0)
}

const WITH_TABLE: PlaySwitches = PlaySwitches { table: true, ..PlaySwitches::NONE };

/// Calls `test` with a search that sees others, or none.
fn searching(others: bool, test: impl FnOnce(&mut PlaySearch<'_, Noting>)) {
    let (tree, shared) = (Noting::default(), state());
    let table = TranspositionTable::new(TableSize::of_entries(64)).unwrap();
    let history = PlayHistory::new(Noting::HISTORY_SIZE);
    let view = if others { shared.view(PlayScheme::Abdada) } else { SharedView::Nothing };
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
    let view = shared.view(PlayScheme::Abdada);
    let outcome = iterative_deepening(&tree, memory, request, 1, view, &mut NoLimit);
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

/// A search to this depth by a scheme: the depth, the value and the nodes.
fn searched(
    scheme: PlayScheme,
    table: bool,
    depth: u32,
    search: impl FnOnce(&Noting, &TranspositionTable, PlayRequest<'_, u8>) -> PlayOutcome<u8>,
) -> (u32, Value, u64) {
    let memory = TranspositionTable::new(TableSize::of_entries(1 << 12)).unwrap();
    let switches = PlaySwitches { scheme, table, ..PlaySwitches::NONE };
    let (driver, moves) = (PlayDriver::Pvs, &[1, 2, 3][..]);
    let request = PlayRequest { switches, driver, depth, lines: 1, moves, game: &[] };
    let outcome = search(&Noting::default(), &memory, request);
    (outcome.depth, outcome.moves[0].value, outcome.nodes)
}

#[test]
fn the_threads_of_every_scheme_find_what_one_finds() {
    for scheme in PlayScheme::ALL {
        let search = |helpers, table| {
            let (depth, value, _) = searched(scheme, table, 8, |tree, memory, request| {
                let history = PlayHistory::new(Noting::HISTORY_SIZE);
                think(tree, memory, &history, helpers, request, &mut NoLimit)
            });
            (depth, value)
        };
        let alone = search(0, false);
        for helpers in [1, 3] {
            // Without a table they share nothing that changes a value; with one, a thread that is a ply
            // ahead answers with the value of a greater depth.
            assert_eq!(search(helpers, false), alone, "{scheme:?}, {helpers} helpers");
            assert_eq!(search(helpers, true).0, alone.0, "{scheme:?}, {helpers} helpers");
        }
    }
    let views = PlayScheme::ALL.map(|scheme| state().view(scheme).has_others());
    assert_eq!(views, [true, false, true, true]);
}

/// The main thread of a scheme whose helpers never come.
#[test]
fn young_brothers_wait_for_somebody_idle_and_dynamic_splitting_does_not() {
    let search = |scheme, table, view: fn(&SharedState<Noting>) -> SharedView<'_, Noting>| {
        searched(scheme, table, 7, |tree, memory, request| {
            let (shared, history) = (state(), PlayHistory::new(Noting::HISTORY_SIZE));
            let view = view(&shared);
            iterative_deepening(tree, (memory, &history), request, 1, view, &mut NoLimit)
        })
    };
    for table in [false, true] {
        let alone = search(PlayScheme::Ybw, table, |_| SharedView::Nothing);
        let ybw = search(PlayScheme::Ybw, table, |shared| shared.view(PlayScheme::Ybw));
        assert_eq!(ybw, alone);
        // Its siblings have the window and the killers that they have one after the other.
        let dts = search(PlayScheme::Dts, table, |shared| shared.view(PlayScheme::Dts));
        assert_eq!((dts.0, dts.1), (alone.0, alone.1));
    }
}

/// The split point of a root whose siblings are searched this deep.
fn split_root(
    search: &mut PlaySearch<'_, Noting>,
    depths: [i32; 2],
) -> (Option<(u8, Value)>, Result<(), Unwind>) {
    let sibling = |(number, depth)| Sibling {
        mv: number as u8,
        index: number as usize,
        is_quiet: true,
        depth,
        reduction: 0,
        number,
        tried_before: 0,
    };
    let siblings = (2..).zip(depths).map(sibling).collect();
    let (window, best) = (Window { alpha: -90, beta: 90 }, -90);
    let state = SplitState { window, best, depth: 6, ply: 0, is_pv: true };
    let (top, end) = search.split(&0, siblings, state);
    (top.map(|(sibling, value)| (sibling.mv, value)), end)
}

/// Stops its search when it was asked this number of times.
struct Impatient(u32);

impl PlayControl<u8> for Impatient {
    fn check(&mut self, _: u64) -> Result<u64, Stop> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Err(Stop::Time) } else { Ok(64) }
    }
    fn on_line(&mut self, _: PlayLine<'_, u8>) {}
    fn continues_after(&mut self, _: PlayIteration<u8>) -> bool {
        true
    }
}

/// Calls `test` with a search by split points and a helper besides, which waits already.
fn with_helper<R>(
    control: &mut dyn PlayControl<u8>,
    test: impl FnOnce(&mut PlaySearch<'_, Noting>) -> R,
) -> R {
    let (tree, shared) = (Noting::default(), SharedState::new(1));
    let table = TranspositionTable::new(TableSize::of_entries(64)).unwrap();
    let history = PlayHistory::new(Noting::HISTORY_SIZE);
    let switches = PlaySwitches::NONE;
    let (driver, moves) = (PlayDriver::Pvs, &[1, 2, 3][..]);
    let request = PlayRequest { switches, driver, depth: 9, lines: 1, moves, game: &[] };
    let view = || shared.view(PlayScheme::Ybw);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (ended, nodes) = (&shared.ended, &shared.nodes[0]);
            let control = &mut HelperControl { ended, nodes };
            help(&tree, (&table, &history), request, view(), control)
        });
        while !shared.splits.has_idle() {
            std::thread::yield_now();
        }
        let _end = EndOnDrop(&shared.splits);
        test(&mut PlaySearch::new(&tree, (&table, &history), view(), switches, &[], control))
    })
}

#[test]
fn siblings_are_worth_what_they_are_worth_alone() {
    for depths in [[3, 6], [6, 3], [5, 5]] {
        let alone = {
            let mut best = None;
            searching(false, |search| {
                search.switches = PlaySwitches::NONE;
                search.depth = 9;
                for (mv, depth) in (2_u8..).zip(depths) {
                    let window = Window { alpha: best.map_or(-90, |(_, best)| best), beta: 90 };
                    let child = search.tree.child(&0, mv);
                    let value = -search.search::<true>(&child, window.flip(), depth, 1).unwrap();
                    if value > window.alpha {
                        best = Some((mv, value));
                    }
                }
            });
            best
        };
        for _ in 0..20 {
            let found = with_helper(&mut NoLimit, |search| {
                search.depth = 9;
                split_root(search, depths)
            });
            assert_eq!(found, (alone, Ok(())), "{depths:?}");
        }
    }
}

/// A search of a hundred plies never ends: whoever is at it, the helper or the main thread, leaves it.
#[test]
fn a_thread_that_waits_at_its_split_point_is_stopped() {
    for (depths, patience) in [([1, 100], 30), ([100, 1], 30), ([100, 100], 3), ([1, 1], 1)] {
        let (found, end) = with_helper(&mut Impatient(patience), |search| {
            search.depth = 100;
            split_root(search, depths)
        });
        assert_eq!(end, Err(Unwind::Stop(Stop::Time)), "{depths:?}: {found:?}");
    }
}

/// The nodes below a PV node are CUT and ALL nodes in turns.
#[test]
fn kinds_of_nodes_alternate() {
    let shared = state();
    let (tree, control) = (Noting::default(), &mut NoLimit);
    let table = TranspositionTable::new(TableSize::of_entries(64)).unwrap();
    let history = PlayHistory::new(Noting::HISTORY_SIZE);
    let view = shared.view(PlayScheme::Dts);
    let mut search = PlaySearch::new(&tree, (&table, &history), view, WITH_TABLE, &[], control);
    search.watch::<true>(1, Window::FULL, 9, 1, true);
    for ply in 2..6 {
        search.watch::<false>(1, Window::FULL, 9, ply, true);
    }
    let kinds = [0, 1, 2, 3, 4, 5].map(|ply| search.frames[ply].kind);
    use NodeKind::{All, Cut, Pv};
    assert_eq!(kinds, [Pv, Pv, Cut, All, Cut, All]);
    // A CUT node is shared when three of its moves have not cut off, the others after the first.
    assert!([1, 3].map(|ply| search.shares(9, ply, 2)) == [true; 2]);
    assert!([3, 4].map(|number| search.shares(9, 2, number)) == [false, true]);
    assert!(!search.shares(1, 1, 2), "too near to the horizon");
    assert!(search.shared.has_others() && search.check_path(5).is_ok());
}

#[test]
fn the_nodes_of_all_helpers_are_counted() {
    let nodes = vec![AtomicU64::new(3), AtomicU64::new(4)];
    assert_eq!(SharedState::<Noting> { nodes, ..state() }.nodes(), 7);
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
            search.watch::<true>(9, window, depth, 2, may_resolve);
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
