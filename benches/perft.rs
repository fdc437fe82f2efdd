//! The rules alone: bulk perft of both games, leaves a second, totals asserted. `ratios` compares the
//! same with other libraries.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::chess::Chess;
use plyground::door::AnyGame;
use plyground::game::Game;
use plyground::limits::StopFlag;
use plyground::othello::Othello;

#[path = "support/brief.rs"]
mod brief;

use brief::brief;

/// A position (empty for the start), a depth and its total.
type Case = (&'static str, &'static str, u32, u64);

const OTHELLO: &[Case] = &[("start", "", 9, 3_005_288)];

const CHESS: &[Case] = &[
    ("start", "", 5, 4_865_609),
    (
        "castling",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
];

fn game(c: &mut Criterion, game: &dyn AnyGame, cases: &[Case]) {
    let mut group = c.benchmark_group(format!("perft of {game}"));
    brief(&mut group);
    group.sample_size(10);
    for &(name, position, depth, total) in cases {
        group.throughput(Throughput::Elements(total));
        group.bench_function(BenchmarkId::new(name, depth), |b| {
            b.iter(|| {
                let counted = game.perft(position, depth, &StopFlag::new()).unwrap();
                assert_eq!(counted, Some(total), "{name}");
            });
        });
    }
}

fn perft(c: &mut Criterion) {
    game(c, Othello::door(), OTHELLO);
    game(c, Chess::door(), CHESS);
}

criterion_group!(benches, perft);
criterion_main!(benches);
