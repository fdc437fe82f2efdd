//! Plain alpha-beta on chess through the tree, with quiescence at every leaf: nodes a second, those of
//! quiescence included. Node totals are asserted against the same search written out by hand, and so is
//! that no node allocates.
// A global allocator can only be written with `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::chess::{Board, Chess, Evaluator, Node};
use plyground::game::Game;
use plyground::search::{SearchSpec, Workspace};
use plyground::tree::{GameTree, MoveList};
use plyground::value::{INFINITY, Value, Window};

#[path = "support/brief.rs"]
mod brief;

use brief::brief;

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

fn quiescence(c: &mut Criterion) {
    let alpha_beta = "alpha-beta".parse().unwrap();
    let mut group = c.benchmark_group("alpha-beta on chess with quiescence at every leaf");
    brief(&mut group);
    group.sample_size(10);
    for (name, fen, depth) in POSITIONS {
        let game = Chess::new(Board::from_fen(fen).unwrap(), Evaluator::default());
        let spec = SearchSpec::new(&alpha_beta, depth);
        let mut counts = Counts::default();
        let value = by_hand(&game, &game.root(), depth, -INFINITY, INFINITY, &mut counts);
        let entered = counts.leaves + counts.interior;
        group.throughput(Throughput::Elements(entered + counts.quiet));
        group.bench_function(BenchmarkId::new(name, depth), |b| {
            b.iter(|| {
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                let outcome = Chess::search(&game, &mut Workspace::new(), &spec, None).unwrap();
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert_eq!(outcome.value.map(|v| v.abs() < 20_000), Some(true));
                assert_eq!(outcome.value, Some(value), "{name}");
                assert_eq!(outcome.counts.evaluations, counts.leaves, "{name}");
                assert_eq!(outcome.counts.visits, entered, "{name}");
                assert_eq!(outcome.counts.quiescence, counts.quiet, "{name}");
                assert!(allocated < 10, "{name}: {allocated} allocations");
            });
        });
    }
}

criterion_group!(benches, quiescence);
criterion_main!(benches);
