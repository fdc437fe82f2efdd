//! How long the main algorithms take to find a move on real positions of both games. Totals of
//! visits are asserted, so that nothing is optimised away and a change of behaviour cannot pass for
//! a change of speed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyground::chess::Chess;
use plyground::door::AnyGame;
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::profile::{Profile, Weights};
use plyground::registry::Games;
use plyground::search::{Options, SearchSpec, Workspace};
use plyground::session::{GoLimits, ThinkRequest};

#[path = "support/brief.rs"]
mod brief;

use brief::brief;

/// An algorithm, its memory functions (with deepening, if there are any), and the visits of all
/// positions on Othello and on chess.
type Case = (&'static str, &'static str, u64, u64);

const CASES: &[Case] = &[
    ("alpha-beta", "none", 68_718, 30_910),
    ("pvs", "none", 62_922, 29_463),
    ("mtd-f", "none", 52_432, 27_251),
    ("sss", "none", 35_983, 18_759),
    ("ps:2", "none", 51_380, 23_825),
    ("alpha-beta", "table+history", 19_026, 14_291),
    ("pvs", "table+history+killers+countermoves", 17_722, 14_093),
    ("mtd-f", "table+history+killers+countermoves", 29_659, 18_461),
];

fn game(c: &mut Criterion, game: &dyn AnyGame, depth: u32, visits: impl Fn(&Case) -> u64) {
    let suite = game.experiments().unwrap();
    let trees = [3, 9, 15].map(|i| game.tree(&suite[i].position, &Weights::Standard).unwrap());
    let mut workspace = Workspace::new();
    let mut group = c.benchmark_group(format!("{game}, {depth} plies"));
    brief(&mut group);
    group.sample_size(10);
    for case in CASES {
        let (id, memory, ..) = *case;
        let deepening = memory != "none";
        let options =
            Options { memory: memory.parse().unwrap(), deepening, ..Options::to_depth(depth) };
        let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
        let expected = visits(case);
        group.throughput(Throughput::Elements(expected));
        group.bench_function(BenchmarkId::new(id, memory), |b| {
            b.iter(|| {
                let counted = trees.iter().map(|tree| {
                    let outcome = tree.search(&mut workspace, &spec, None).unwrap();
                    assert!(outcome.best.is_some());
                    outcome.counts.visits
                });
                assert_eq!(counted.sum::<u64>(), expected, "{id} with {memory}");
            });
        });
    }
}

/// The engines that play: the time to a depth on the same positions, from an empty table.
fn play(c: &mut Criterion, game: &'static dyn AnyGame, engine: &str, depth: u32, expected: u64) {
    let suite = game.experiments().unwrap();
    let mut player = game.player(Profile::find(&Games::of(game), engine).unwrap()).unwrap();
    let mut group = c.benchmark_group(format!("{game}, play to depth {depth}"));
    brief(&mut group);
    group.sample_size(10);
    group.throughput(Throughput::Elements(expected));
    group.bench_function(BenchmarkId::from_parameter(engine), |b| {
        b.iter(|| {
            let mut nodes = 0;
            for place in [3, 9, 15] {
                player.clear();
                player.set_line(&*game.start(&suite[place].position).unwrap()).unwrap();
                let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
                let outcome = player.think(&ThinkRequest::on(limits), &mut |_| {});
                assert!(outcome.best.is_some());
                nodes += outcome.nodes;
            }
            assert_eq!(nodes, expected, "{engine} to depth {depth}");
        });
    });
}

fn games(c: &mut Criterion) {
    game(c, Othello::door(), 6, |case| case.2);
    game(c, Chess::door(), 4, |case| case.3);
    for (engine, nodes) in [("othello", 0), ("othello-mtd-f", 0)] {
        play(c, Othello::door(), engine, 10, nodes);
    }
    for (engine, nodes) in [("chess", 0), ("chess-mtd-f", 0)] {
        play(c, Chess::door(), engine, 9, nodes);
    }
}

criterion_group!(benches, games);
criterion_main!(benches);
