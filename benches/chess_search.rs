//! Plain alpha-beta on chess through the tree, with quiescence at every leaf: nodes a second, with
//! and without those of quiescence, beside the rate of `cozy-chess`'s perft in the same run, so that
//! the figures of different machines can be compared. Node totals are asserted, and so is that no
//! node allocates.
//!
//! `cargo bench --bench chess_search -- [ROUNDS] [--quick]`
// A global allocator can only be written with `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use cozy_chess::Board as CozyBoard;
use plyground::chess::{Board, Chess, Evaluator, Node};
use plyground::game::Game;
use plyground::search::{SearchSpec, Workspace};
use plyground::tree::{GameTree, MoveList};
use plyground::value::{INFINITY, Value, Window};

use support::{Arguments, Rounds, least_in_turns, timed};

/// Counts what is allocated.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A name, a FEN and a depth that takes a fraction of a second.
const POSITIONS: [(&str, &str, u32); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("castling", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("middle", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

/// The rate of cozy-chess's bulk perft that figures are scaled to.
const COZY: f64 = 200e6;

fn cozy_perft(board: &CozyBoard, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            total += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                total += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    total
}

/// Leaves, interior nodes and nodes of quiescence.
#[derive(Default, PartialEq, Debug)]
struct Counts {
    leaves: u64,
    interior: u64,
    quiet: u64,
}

/// The same search written out by hand, to count what quiescence looks at.
fn by_hand(
    game: &Chess,
    node: &Node,
    depth: u32,
    alpha: Value,
    beta: Value,
    counts: &mut Counts,
) -> Value {
    let mut moves = <Chess as GameTree>::Moves::default();
    if depth > 0 {
        game.moves(node, &mut moves);
    }
    if moves.is_empty() {
        counts.leaves += 1;
        return game.quiesce(node, Window::FULL, &mut counts.quiet);
    }
    counts.interior += 1;
    let mut best = -INFINITY;
    for i in 0..moves.len() {
        let child = game.child(node, moves.at(i));
        let value = -by_hand(game, &child, depth - 1, -beta, -alpha.max(best), counts);
        if value > best {
            best = value;
            if best >= beta {
                break;
            }
        }
    }
    best
}

fn main() {
    let about = "Alpha-beta on chess with quiescence at every leaf, and cozy-chess's perft";
    let arguments = Arguments::begin(about, [2, 1]);
    let rounds = arguments.numbers.first().copied().unwrap_or(arguments.choose(5, 1));
    let alpha_beta = "alpha-beta".parse().unwrap();
    let start = CozyBoard::default();
    let (mut cozy_seconds, mut seconds) = (f64::MAX, 0.0);
    let (mut visits, mut quiet) = (0, 0);
    for (name, fen, depth) in POSITIONS {
        let game = Chess::new(Board::from_fen(fen).unwrap(), Evaluator::default());
        let spec = SearchSpec::new(&alpha_beta, depth);
        let mut counts = Counts::default();
        let value = by_hand(&game, &game.root(), depth, -INFINITY, INFINITY, &mut counts);
        let entered = counts.leaves + counts.interior;
        let runs = [
            timed(|| assert_eq!(cozy_perft(&start, 5), 4_865_609)),
            timed(|| {
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                let outcome = Chess::search(&game, &mut Workspace::new(), &spec, None).unwrap();
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert_eq!(outcome.value.map(|v| v.abs() < 20_000), Some(true));
                assert_eq!(outcome.value, Some(value), "{name}");
                assert_eq!(outcome.counts.evaluations, counts.leaves, "{name}");
                assert_eq!(outcome.counts.visits, entered, "{name}");
                assert_eq!(outcome.counts.quiescence, counts.quiet, "{name}");
                assert!(allocated < 10, "{name}: {allocated} allocations");
            }),
        ];
        let [cozy, searched] = least_in_turns(Rounds::Count(rounds), runs);
        println!(
            "{name:>10} {depth}: {entered:>9} visits, {:>9} in quiescence, {:.2} and {:.2} million a \
             second",
            counts.quiet,
            entered as f64 / searched / 1e6,
            (entered + counts.quiet) as f64 / searched / 1e6,
        );
        cozy_seconds = cozy.min(cozy_seconds);
        seconds += searched;
        visits += entered;
        quiet += counts.quiet;
    }
    let cozy = 4_865_609.0 / cozy_seconds;
    println!("cozy-chess's perft: {:.1} million leaves a second", cozy / 1e6);
    for (what, nodes) in [("visits", visits), ("with quiescence", visits + quiet)] {
        let rate = nodes as f64 / seconds;
        println!(
            "{what:>16}: {:.2} million a second, {:.2} where cozy-chess does {:.0}",
            rate / 1e6,
            rate / cozy * COZY / 1e6,
            COZY / 1e6,
        );
    }
}
