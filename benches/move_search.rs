//! How long the main algorithms take to find a move on real positions of both games. Values,
//! moves and totals of nodes must be the same in every round and the values those of all algorithms, so
//! that nothing is optimised away.

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

/// An algorithm and its memory functions (with deepening, if there are any).
type Case = (&'static str, &'static str);

const CASES: &[Case] = &[
    ("alpha-beta", "none"),
    ("pvs", "none"),
    ("mtd-f", "none"),
    ("sss", "none"),
    ("ps:2", "none"),
    ("alpha-beta", "table+history"),
    ("pvs", "table+history+killers+countermoves"),
    ("mtd-f", "table+history+killers+countermoves"),
];

/// The positions that are searched: an early one, a middle one and a late one.
const PLACES: [usize; 3] = [3, 9, 15];

/// Searches of the laboratory. All algorithms must agree about the values.
fn game(c: &mut Criterion, game: &dyn AnyGame, depth: u32) {
    let suite = game.experiments().unwrap();
    let trees = PLACES.map(|i| game.tree(&suite[i].position, &Weights::Standard).unwrap());
    let mut workspace = Workspace::new();
    let mut group = c.benchmark_group(format!("{game}, {depth} plies"));
    brief(&mut group);
    group.sample_size(10);
    let mut agreed = None;
    for &(id, memory) in CASES {
        let deepening = memory != "none";
        let options =
            Options { memory: memory.parse().unwrap(), deepening, ..Options::to_depth(depth) };
        let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
        let mut search = || {
            let found = trees.iter().map(|tree| {
                let outcome = tree.search(&mut workspace, &spec, None).unwrap();
                assert!(outcome.best.is_some());
                (outcome.value, outcome.counts.visits)
            });
            found.collect::<Vec<_>>()
        };
        let expected = search();
        let values: Vec<_> = expected.iter().map(|(value, _)| *value).collect();
        assert_eq!(*agreed.get_or_insert(values.clone()), values, "{id} with {memory}");
        group.throughput(Throughput::Elements(expected.iter().map(|(_, visits)| visits).sum()));
        group.bench_function(BenchmarkId::new(id, memory), |b| {
            b.iter(|| assert_eq!(search(), expected, "{id} with {memory}"));
        });
    }
}

/// The engines that play: the time to a depth on the same positions, from an empty table.
fn play(c: &mut Criterion, game: &'static dyn AnyGame, depth: u32) {
    let suite = game.experiments().unwrap();
    let mut group = c.benchmark_group(format!("{game}, play to depth {depth}"));
    brief(&mut group);
    group.sample_size(10);
    let profiles = Profile::built_in(&Games::of(game)).map(Result::unwrap).collect::<Vec<_>>();
    for profile in profiles.into_iter().filter(|profile| profile.selective().is_some()) {
        let name = profile.name.clone();
        let mut player = game.player(profile).unwrap();
        let mut search = || {
            let found = PLACES.map(|place| {
                player.clear();
                player.set_line(&*game.start(&suite[place].position).unwrap()).unwrap();
                let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
                let outcome = player.think(&ThinkRequest::on(limits), &mut |_| {});
                assert!(outcome.best.is_some());
                (outcome.best, outcome.nodes)
            });
            found.to_vec()
        };
        let expected = search();
        group.throughput(Throughput::Elements(expected.iter().map(|(_, nodes)| nodes).sum()));
        group.bench_function(BenchmarkId::from_parameter(&name), |b| {
            b.iter(|| assert_eq!(search(), expected, "{name} to depth {depth}"));
        });
    }
}

fn games(c: &mut Criterion) {
    game(c, Othello::door(), 6);
    game(c, Chess::door(), 4);
    play(c, Othello::door(), 10);
    play(c, Chess::door(), 9);
}

criterion_group!(benches, games);
criterion_main!(benches);
