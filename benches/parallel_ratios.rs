//! PARSSS*(2) on two threads, and its own simulation: how much of the speed-up that the simulation
//! promises do threads reach on the same real positions? Ratios within one run: SSS* and PARSSS*(2)
//! are timed in turns, and the least times compared.
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

fn game<G: Game>(depth: u32, count: usize) {
    let threads = Options { spawn_height: SPAWN_HEIGHT, ..Options::to_depth(depth) };
    let simulated = Options { simulate: true, ..threads.clone() };
    let suite = G::suite(G::EXPERIMENTS).unwrap();
    let mut shares = Vec::new();
    let step = (suite.len() / count).max(1);
    for problem in suite.iter().step_by(step).take(count) {
        let tree = G::from_position(&problem.position, G::Evaluator::default());
        let [one, two] = ["sss", "parsss:2"].map(|id| run(&tree, id, &simulated));
        assert_eq!(one.value, two.value);
        assert_eq!(run(&tree, "parsss:2", &simulated).counts, two.counts);
        let (serial, parallel) = (one.terminal_count.unwrap(), two.terminal_count.unwrap());
        assert!(parallel <= serial && serial == one.counts.evaluations);
        let (mut least, mut of_one_process) = ([f64::MAX; 2], f64::MAX);
        let (mut leaves, mut idle) = (0, 0.0);
        for _ in 0..ROUNDS {
            let alone = run(&tree, "sss", &threads);
            let beside = run(&tree, "parsss:2", &threads);
            let process = run(&tree, "parsss:1", &threads);
            assert_eq!((alone.value, alone.value), (beside.value, process.value));
            assert_eq!(alone.counts.evaluations, process.counts.evaluations);
            least[0] = least[0].min(alone.time.as_secs_f64());
            of_one_process = of_one_process.min(process.time.as_secs_f64());
            let time = beside.time.as_secs_f64();
            if time < least[1] {
                (least[1], leaves) = (time, beside.counts.evaluations);
                idle = beside.idle.as_secs_f64();
            }
        }
        let (measured, promised) = (least[0] / least[1], serial as f64 / parallel as f64);
        shares.push(measured / promised);
        println!(
            "{}, {depth} plies: SSS* {serial:>9} leaves {:.2} s, PARSSS*(1) {of_one_process:.2} s, \
             PARSSS*(2) {leaves:>9} leaves {:.2} s (idle {idle:.2} s): \
             speed-up {measured:.2}, simulated {promised:.2}",
            G::NAME,
            least[0],
            least[1],
        );
    }
    let mean = (shares.iter().map(|share| share.ln()).sum::<f64>() / shares.len() as f64).exp();
    let verdict = if mean >= 0.85 { "" } else { "  BELOW" };
    println!("{}: {mean:.2} of the simulated speed-up (at least 0.85){verdict}", G::NAME);
}

fn main() {
    game::<Othello>(11, 3);
    game::<Chess>(7, 3);
}
