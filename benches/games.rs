//! How long the main algorithms take to find a move on real positions of both games. Totals of
//! visits are asserted, so that nothing is optimised away and a change of behaviour cannot pass for
//! a change of speed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::chess::Chess;
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::search::{Algorithm, Options, Unwatched, search};

/// An algorithm, its memory functions (with deepening, if there are any), and the visits of all
/// positions on Othello and on chess.
const CASES: &[(&str, &str, u64, u64)] = &[
    ("alpha-beta", "none", 68_718, 30_910),
    ("pvs", "none", 62_922, 29_463),
    ("mtd-f", "none", 52_432, 27_251),
    ("sss", "none", 35_983, 18_759),
    ("ps:2", "none", 51_380, 23_825),
    ("alpha-beta", "table+history", 19_026, 14_291),
    ("pvs", "table+history+killers+countermoves", 17_722, 14_093),
    ("mtd-f", "table+history+killers+countermoves", 29_659, 18_461),
];

fn game<G: Game>(c: &mut Criterion, depth: u32, visits: impl Fn(&(&str, &str, u64, u64)) -> u64) {
    let suite = G::suite(G::EXPERIMENTS).unwrap();
    let tree = |i: usize| G::from_position(&suite[i].position, G::Evaluator::default());
    let trees = [tree(3), tree(9), tree(15)];
    let mut group = c.benchmark_group(format!("{}, {depth} plies", G::NAME));
    group.sample_size(10);
    for case in CASES {
        let (id, memory, ..) = *case;
        let algorithm: Algorithm = id.parse().unwrap();
        let deepening = memory != "none";
        let memory_functions = memory.parse().unwrap();
        let options = Options { memory: memory_functions, deepening, ..Options::to_depth(depth) };
        let expected = visits(case);
        group.throughput(Throughput::Elements(expected));
        group.bench_function(BenchmarkId::new(id, memory), |b| {
            b.iter(|| {
                let counted = trees.iter().map(|tree| {
                    let (outcome, _) = search(tree, &algorithm, &options, Unwatched).unwrap();
                    assert!(outcome.best.is_some());
                    outcome.counts.visits
                });
                assert_eq!(counted.sum::<u64>(), expected, "{id} with {memory}");
            });
        });
    }
}

fn games(c: &mut Criterion) {
    game::<Othello>(c, 6, |case| case.2);
    game::<Chess>(c, 4, |case| case.3);
}

criterion_group!(benches, games);
criterion_main!(benches);
