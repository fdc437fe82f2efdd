//! What a second thread is worth, as ratios within one run: the same positions with 1 thread and with
//! more, in turns.
//!
//! - Chess: the time to a depth that takes one thread a second or two.
//! - The Othello solver: the time to the exact score.
//!
//! On a machine that others use, times say little; so the nodes are printed as well. If every thread has
//! a processor to itself, `n` threads that search `m` times the nodes are `n / m` times as fast.
//!
//! A selective search on several threads is another search each time, and takes now half and now twice
//! the nodes; so the mean of many positions is printed with its standard error.
//!
//! `cargo bench --bench threads -- 4` compares with 4 threads, and `-- 4 17` at depth 17; `-- --quick`
//! takes a part of the positions at a smaller depth.

use std::time::{Duration, Instant};

use plyground::chess::Chess;
use plyground::door::TextProblem;
use plyground::game::Game;
use plyground::limits::Limits;
use plyground::othello::parse_obf;
use plyground::profile::Profile;
use plyground::registry::Games;
use plyground::session::{GoLimits, ThinkRequest};
use plyground::solver::Solver;

use support::Arguments;

/// Sums of one way: seconds and nodes.
#[derive(Clone, Copy, Default)]
struct Sum {
    seconds: f64,
    nodes: u64,
}

impl Sum {
    fn add(&mut self, time: Duration, nodes: u64) {
        self.seconds += time.as_secs_f64();
        self.nodes += nodes;
    }
}

fn print_gain(what: &str, threads: usize, one: Sum, many: Sum) {
    println!(
        "{what:<40} {:>7.2} s {:>7.2} s   {:>5.2} times as fast; {:>5.2} times the nodes: {:>5.2} \
         with a processor each",
        one.seconds,
        many.seconds,
        one.seconds / many.seconds,
        many.nodes as f64 / one.nodes as f64,
        threads as f64 * one.nodes as f64 / many.nodes as f64,
    );
}

/// What one thread and `threads` take for a depth.
fn to_depth(engine: &str, problems: &[TextProblem], threads: usize, depth: u32) {
    let game = Chess::door();
    let mut player = game.player(Profile::find(&Games::of(game), engine).unwrap()).unwrap();
    let (mut ones, mut manies) = (Sum::default(), Sum::default());
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    for problem in problems {
        player.set_line(&*game.start(&problem.position).unwrap()).unwrap();
        let [one, many] = [1, threads].map(|threads| {
            player.set_threads(threads);
            player.clear();
            let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
            player.think(&ThinkRequest::on(limits), &mut |_| {})
        });
        assert!(one.depth == depth && many.depth == depth);
        ones.add(one.time, one.nodes);
        manies.add(many.time, many.nodes);
        times.push(one.time.as_secs_f64() / many.time.as_secs_f64());
        nodes.push(threads as f64 * one.nodes as f64 / many.nodes as f64);
    }
    print_gain(&format!("{engine}, depth {depth}"), threads, ones, manies);
    let [(fast, error), (rest, rest_error)] = [mean(&times), mean(&nodes)];
    println!(
        "{engine}: {fast:.2} ± {error:.2} times as fast in the geometric mean, {rest:.2} ± \
         {rest_error:.2} with a processor each"
    );
}

/// The geometric mean and its standard error.
fn mean(ratios: &[f64]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count;
    let squares = ratios.iter().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>();
    (mean.exp(), mean.exp() * (squares / (count - 1.0) / count).sqrt())
}

/// The solver on the position with this number, counted from 1.
fn solved(number: usize, threads: usize) {
    let suite = parse_obf(include_str!("../positions/ffo.obf")).unwrap();
    let board = suite[number - 1].position.board;
    let mut scores = Vec::new();
    let sums = [1, threads].map(|threads| {
        let mut solver = Solver::with_table(1 << 27).unwrap();
        solver.set_threads(threads);
        let started = Instant::now();
        let solution = solver.solve(&board, &Limits::default()).unwrap();
        scores.push(solution.score);
        Sum { seconds: started.elapsed().as_secs_f64(), nodes: solution.nodes }
    });
    assert!(scores[0] == scores[1] && suite[number - 1].score() == Some(scores[0]));
    print_gain(&format!("FFO {number}"), threads, sums[0], sums[1]);
}

fn main() {
    let about = "What a second thread is worth: chess to a depth, and the Othello solver";
    let arguments = Arguments::begin(about, [50, 5]);
    let threads = arguments.numbers.first().copied().unwrap_or(2);
    let depth = arguments.numbers.get(1).map(|&depth| depth as u32);
    let depth = depth.unwrap_or(arguments.choose(15, 13));
    for &number in arguments.choose(&[40, 44, 45][..], &[40]) {
        solved(number, threads);
    }
    let game = Chess::door();
    let suite = game.suite(include_str!("../positions/bratko-kopec.epd")).unwrap();
    let problems = game.experiments().unwrap().into_iter().chain(suite);
    let problems: Vec<TextProblem> = problems.step_by(arguments.choose(2, 4)).collect();
    for engine in ["chess", "chess-mtd-f"] {
        to_depth(engine, &problems, threads, depth);
    }
}
