//! What lists, stored bounds and a plain stack cost: the algorithms on generated trees. Leaf totals are asserted, so that nothing is
//! optimised away and a change of behaviour cannot pass for a change of speed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::laboratory::{LabTree, search};
use plyground::search::SearchSpec;
use plyground::tree::Synthetic;

#[path = "support/brief.rs"]
mod brief;

use brief::brief;

/// Width, depth, algorithm, and the leaves it visits on the tree of independent leaves 0..999 with
/// seed 1.
const CASES: &[(usize, usize, &str, u64)] = &[
    (8, 6, "alpha-beta", 23_071),
    (8, 6, "pvs", 21_753),
    (8, 6, "mtd-f:500", 15_941),
    (8, 6, "sss-2", 15_943),
    (8, 6, "sss", 15_943),
    (8, 6, "dual", 14_262),
    (8, 6, "ps:2", 23_990),
    (8, 6, "itersss:100", 18_984),
    (32, 4, "alpha-beta", 74_858),
    (32, 4, "sss", 47_442),
    (32, 4, "dual", 59_053),
    (32, 4, "ps:2", 67_463),
];

fn algorithms(c: &mut Criterion) {
    for &(width, depth, id, evaluations) in CASES {
        let tree = LabTree::from(Synthetic::independent(width, depth, 1000, 1).unwrap());
        let spec = SearchSpec::new(&id.parse().unwrap(), depth as u32);
        let mut group = c.benchmark_group(format!("T({width},{depth})"));
        brief(&mut group);
        group.throughput(Throughput::Elements(evaluations));
        group.bench_function(BenchmarkId::from_parameter(id), |b| {
            b.iter(|| {
                let outcome = search(&tree, &spec, None).unwrap();
                assert_eq!(outcome.counts.evaluations, evaluations, "{id} on T({width},{depth})");
            });
        });
    }
}

criterion_group!(benches, algorithms);
criterion_main!(benches);
