//! PARSSS*(2) on two threads, and its own simulation: how much of the speed-up that the simulation
//! promises do threads reach on the same real positions? Each is searched to the first depth at which
//! one process takes a second. Ratios within one run: SSS*, PARSSS*(1) and PARSSS*(2) are timed in
//! turns, and the least times compared. A process costs more for each leaf than SSS*, so the speed-up
//! over SSS* is printed beside it.
//!
//! - Two threads reach at least 0.85 of the simulated speed-up, if two cores are free.
//!
//! Values must agree, a simulation must count the same each time, and its terminal count is at most
//! the leaves of SSS*.

use plyground::chess::Chess;
use plyground::door::{AnyGame, AnyTree};
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::profile::Weights;
use plyground::search::{Options, Outcome, SearchSpec, Workspace};

use support::{Arguments, Limit, Ratios, Rounds, Timed, least_in_turns};

fn run(tree: &dyn AnyTree, id: &str, depth: u32, simulate: bool) -> Outcome<String> {
    let options = Options { simulate, ..Options::to_depth(depth) };
    let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
    let outcome = tree.search(&mut Workspace::new(), &spec, None).unwrap();
    assert!(outcome.value.is_some());
    outcome
}

/// The least depth from `depth` on at which one process takes so many seconds.
fn deep_enough(tree: &dyn AnyTree, depth: u32, seconds: f64) -> u32 {
    let time = run(tree, "parsss:1", depth, false).time;
    if time.as_secs_f64() < seconds { deep_enough(tree, depth + 1, seconds) } else { depth }
}

/// The speed-ups of one position: over PARSSS*(1), over SSS*, and the one that the simulation promises.
fn speed_ups(tree: &dyn AnyTree, depth: u32, rounds: Rounds) -> [f64; 3] {
    let [one, two] = ["sss", "parsss:2"].map(|id| run(tree, id, depth, true));
    assert_eq!(one.value, two.value);
    assert_eq!(run(tree, "parsss:2", depth, true).counts, two.counts);
    let (serial, parallel) = (one.terminal_count.unwrap(), two.terminal_count.unwrap());
    assert!(parallel <= serial && serial == one.counts.evaluations);
    // What two threads evaluate depends on their timing; one thread always does the same.
    let runs = [("sss", Some(serial)), ("parsss:1", Some(serial)), ("parsss:2", None)];
    let runs = runs.map(|(id, leaves)| {
        let value = one.value;
        Box::new(move || {
            let outcome = run(tree, id, depth, false);
            assert_eq!(outcome.value, value, "{id}");
            assert!(leaves.is_none_or(|leaves| leaves == outcome.counts.evaluations), "{id}");
            outcome.time.as_secs_f64()
        }) as Timed<'_>
    });
    let [sss, process, pair] = least_in_turns(rounds, runs);
    [process / pair, sss / pair, serial as f64 / parallel as f64]
}

fn game(game: &dyn AnyGame, depth: u32, ratios: &mut Ratios) {
    let (count, rounds, seconds) = (2, Rounds::Count(3), 1.0);
    let suite = game.experiments().unwrap();
    let mut logarithms = [0.0; 2];
    for problem in suite.iter().step_by((suite.len() / count).max(1)).take(count) {
        let tree = game.tree(&problem.position, &Weights::Standard).unwrap();
        let depth = deep_enough(&*tree, depth, seconds);
        let [own, over_sss, promised] = speed_ups(&*tree, depth, rounds);
        let place = format!("{game}, {}, {depth} plies", problem.name);
        let what = format!("{place}: speed-up {own:.2}, simulated {promised:.2}");
        ratios.row(&what, own / promised, Limit::None);
        let what = format!("{place}: speed-up over SSS* {over_sss:.2}");
        ratios.row(&what, over_sss / promised, Limit::None);
        for (sum, speed_up) in logarithms.iter_mut().zip([own, over_sss]) {
            *sum += (speed_up / promised).ln() / count as f64;
        }
    }
    let [own, over_sss] = logarithms.map(f64::exp);
    // One core cannot show what two threads gain.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let limit = if cores < 2 { Limit::None } else { Limit::AtLeast(0.85) };
    ratios.row(&format!("{game}, geometric mean: the share of the simulated speed-up"), own, limit);
    ratios.row(&format!("{game}, geometric mean: the same over SSS*"), over_sss, Limit::None);
}

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [90, 0];

/// Not with `--quick`: short searches on threads say nothing.
pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    if !arguments.quick {
        game(Othello::door(), 9, ratios);
        game(Chess::door(), 5, ratios);
    }
}
