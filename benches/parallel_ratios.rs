//! PARSSS*(2) on two threads, and its own simulation: how much of the speed-up that the simulation
//! promises do threads reach on the same real positions? Each is searched to the first depth at which
//! one process takes a second. Ratios within one run: SSS*, PARSSS*(1) and PARSSS*(2) are timed in
//! turns, and the least times compared. A process costs more for each leaf than SSS*, which is told
//! beside it.
//!
//! Values must agree, a simulation must count the same each time, and its terminal count is at most
//! the leaves of SSS*. More cores than the machine has would show nothing: it takes two that are free.

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::search::{Algorithm, Options, Outcome, SPAWN_HEIGHT, Unwatched, search};

const ROUNDS: usize = 3;

fn run<G: Game>(tree: &G, id: &str, options: &Options) -> Outcome<G::Move> {
    let algorithm: Algorithm = id.parse().unwrap();
    let (outcome, _) = search(tree, &algorithm, options, Unwatched).unwrap();
    assert!(outcome.value.is_some());
    outcome
}

/// The least depth from `depth` on at which one process takes a second.
fn deep_enough<G: Game>(tree: &G, depth: u32) -> Options {
    let options = Options { spawn_height: SPAWN_HEIGHT, ..Options::to_depth(depth) };
    let quick = run(tree, "parsss:1", &options).time.as_secs_f64() < 1.0;
    if quick { deep_enough(tree, depth + 1) } else { options }
}

fn game<G: Game>(depth: u32, count: usize) {
    let suite = G::suite(G::EXPERIMENTS).unwrap();
    let mut shares = [0.0; 2];
    let step = (suite.len() / count).max(1);
    for problem in suite.iter().step_by(step).take(count) {
        let tree = G::from_position(&problem.position, G::Evaluator::default());
        let threads = deep_enough(&tree, depth);
        let simulated = Options { simulate: true, ..threads.clone() };
        let [one, two] = ["sss", "parsss:2"].map(|id| run(&tree, id, &simulated));
        assert_eq!(one.value, two.value);
        assert_eq!(run(&tree, "parsss:2", &simulated).counts, two.counts);
        let (serial, parallel) = (one.terminal_count.unwrap(), two.terminal_count.unwrap());
        assert!(parallel <= serial && serial == one.counts.evaluations);
        let mut least = [f64::MAX; 3];
        let (mut leaves, mut idle) = (0, 0.0);
        for _ in 0..ROUNDS {
            let [sss, process, pair] =
                ["sss", "parsss:1", "parsss:2"].map(|id| run(&tree, id, &threads));
            assert_eq!((sss.value, sss.value), (process.value, pair.value));
            assert_eq!(sss.counts.evaluations, process.counts.evaluations);
            let times = [&sss, &process, &pair].map(|outcome| outcome.time.as_secs_f64());
            if times[2] < least[2] {
                (leaves, idle) = (pair.counts.evaluations, pair.idle.as_secs_f64());
            }
            least = std::array::from_fn(|i| least[i].min(times[i]));
        }
        let promised = serial as f64 / parallel as f64;
        let [over_sss, over_itself] = [least[0] / least[2], least[1] / least[2]];
        shares[0] += (over_itself / promised).ln() / count as f64;
        shares[1] += (over_sss / promised).ln() / count as f64;
        println!(
            "{}, {} plies: SSS* {serial:>9} leaves {:.2} s, PARSSS*(1) {:.2} s, PARSSS*(2) {leaves:>9} \
             leaves {:.2} s (idle {idle:.2} s): speed-up {over_itself:.2}, over SSS* {over_sss:.2}, \
             simulated {promised:.2}",
            G::NAME,
            threads.depth,
            least[0],
            least[1],
            least[2],
        );
    }
    let [own, over_sss] = shares.map(f64::exp);
    let verdict = if own >= 0.85 { "" } else { "  BELOW" };
    println!(
        "{}: {own:.2} of the simulated speed-up (at least 0.85){verdict}; over SSS* {over_sss:.2} of it",
        G::NAME
    );
}

fn main() {
    game::<Othello>(10, 3);
    game::<Chess>(6, 3);
}
