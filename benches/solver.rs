//! The exact Othello solver on endgames of the FFO suite, one thread: nodes a second. Nodes and scores
//! are asserted.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::limits::Limits;
use plyground::othello::parse_obf;
use plyground::solver::Solver;

#[path = "support/brief.rs"]
mod brief;

use brief::brief;

/// The number of a position, its empty squares, and the nodes that it takes.
const CASES: &[(usize, u32, u64)] =
    &[(1, 14, 37_309), (3, 14, 74_528), (15, 16, 202_864), (40, 20, 8_098_282)];

fn solver(c: &mut Criterion) {
    let suite = parse_obf(include_str!("../positions/ffo.obf")).unwrap();
    let mut group = c.benchmark_group("the exact solver of Othello");
    brief(&mut group);
    group.sample_size(10);
    for &(number, empties, nodes) in CASES {
        let problem = &suite[number - 1];
        let board = problem.position.board;
        assert_eq!(board.empties().len() as u32, empties, "FFO {number}");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new(format!("FFO {number}"), empties), |b| {
            b.iter(|| {
                let mut solver = Solver::with_table(1 << 24).unwrap();
                let solution = solver.solve(&board, &Limits::default()).unwrap();
                assert_eq!((Some(solution.score), solution.nodes), (problem.score(), nodes));
            });
        });
    }
}

criterion_group!(benches, solver);
criterion_main!(benches);
