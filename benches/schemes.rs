//! What the parallel code costs on one thread, and how fast it is simulated.
//!
//! - On one thread no scheme is slower than 0.95 of its serial form: both visit the same nodes, so the
//!   ratio is what the parallel code costs. Serial form and scheme are timed in turns by the thread's own
//!   clock, and the least times compared.
//! - With 64 simulated processors on T(8,6) that share whatever they can (spawn height 0), in millions of
//!   leaves a second. A time is promised nowhere, so this column has no limit.
//!
//! `cargo bench --bench schemes -- --quick` takes fewer rounds, and with `--check` a limit that does not
//! hold is an error.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use plyground::chess::Chess;
use plyground::door::{AnyGame, AnyTree};
use plyground::game::Game;
use plyground::laboratory::{LabTree, search};
use plyground::othello::Othello;
use plyground::profile::Weights;
use plyground::search::{Algorithm, Counts, Options, SearchSpec, Workspace, catalogue};
use plyground::tree::{Synthetic, mix};

use support::{Arguments, Limit, Ratios, Rounds, Timed, least_in_turns, timed};

/// The least share of its serial form's speed that a scheme has on one thread.
const LEAST_SPEED: f64 = 0.95;

/// How many processors are simulated.
const SIMULATED: usize = 64;

/// What is searched: generated trees, or positions of a game.
enum Subject {
    Trees(Vec<LabTree>),
    Positions(Vec<Box<dyn AnyTree>>),
}

impl Subject {
    fn trees(count: u64) -> Subject {
        let tree = Synthetic::independent(8, 6, 1000, 1).unwrap();
        Subject::Trees((0..count).map(|i| tree.reseeded(mix(1, i)).into()).collect())
    }

    fn positions(game: &dyn AnyGame, count: usize) -> Subject {
        let suite = game.experiments().unwrap();
        let chosen = suite.iter().step_by((suite.len() / count).max(1)).take(count);
        let tree = |position: &_| game.tree(position, &Weights::Standard).unwrap();
        Subject::Positions(chosen.map(|problem| tree(&problem.position)).collect())
    }

    /// Searches everything, and adds up evaluations and visits.
    fn searched(&self, spec: &SearchSpec) -> [u64; 2] {
        let add =
            |sum: [u64; 2], counts: Counts| [sum[0] + counts.evaluations, sum[1] + counts.visits];
        match self {
            Subject::Trees(trees) => {
                let counts = trees.iter().map(|tree| search(tree, spec, None).unwrap().counts);
                counts.fold([0; 2], add)
            }
            Subject::Positions(trees) => {
                let mut workspace = Workspace::new();
                let counts = trees
                    .iter()
                    .map(|tree| tree.search(&mut workspace, spec, None).unwrap().counts);
                counts.fold([0; 2], add)
            }
        }
    }
}

fn spec(algorithm: &Algorithm, depth: u32, simulate: bool) -> SearchSpec {
    let spawn_height = simulate.then_some(0);
    let options = Options { simulate, spawn_height, ..Options::to_depth(depth) };
    SearchSpec::check(algorithm, options).unwrap()
}

/// The parallel algorithms, each with one processor.
fn schemes() -> Vec<Algorithm> {
    let parallel = catalogue().filter(|entry| entry.serial.is_some());
    parallel.filter_map(|entry| entry.examples().next()).collect()
}

/// How fast each scheme is on one thread, over its serial form.
fn one_thread(name: &str, subject: &Subject, depth: u32, rounds: Rounds, ratios: &mut Ratios) {
    for scheme in schemes() {
        let serial = scheme.serial();
        let specs = [&serial, &scheme].map(|algorithm| spec(algorithm, depth, false));
        let counts = specs.each_ref().map(|spec| subject.searched(spec));
        assert_eq!(counts[0], counts[1], "{scheme} visits what {serial} visits");
        let [one, many] = specs.each_ref().map(|spec| -> Timed<'_> {
            timed(move || {
                black_box(subject.searched(spec));
            })
        });
        let [serial_time, time] = least_in_turns(rounds, [one, many]);
        let what = format!("{name}: the speed of {scheme} over {serial}");
        ratios.row(&what, serial_time / time, Limit::AtLeast(LEAST_SPEED));
    }
}

/// How many million leaves a second each scheme evaluates in its simulation.
fn simulated(trees: &Subject, rounds: Rounds, ratios: &mut Ratios) {
    for scheme in schemes() {
        let many = scheme.with_threads(NonZeroUsize::new(SIMULATED).unwrap());
        let spec = spec(&many, 6, true);
        let [leaves, _] = trees.searched(&spec);
        let run = timed(|| {
            black_box(trees.searched(&spec));
        });
        let [time] = least_in_turns(rounds, [run]);
        let what = format!("T(8,6): million leaves a second of {many}, simulated");
        ratios.row(&what, leaves as f64 / time / 1e6, Limit::None);
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::begin("Schemes on one thread, and simulated", [120, 30]);
    let mut ratios = Ratios::new(&arguments);
    let rounds = Rounds::Seconds(arguments.choose(1.5, 0.3));
    let trees = Subject::trees(8);
    one_thread("T(8,6)", &trees, 6, rounds, &mut ratios);
    one_thread("othello", &Subject::positions(Othello::door(), 2), 8, rounds, &mut ratios);
    one_thread("chess", &Subject::positions(Chess::door(), 2), 5, rounds, &mut ratios);
    simulated(&trees, rounds, &mut ratios);
    ratios.finish()
}
