//! What a second thread is worth, as ratios within one run: the same positions with 1 thread and with
//! more, in turns.
//!
//! - Chess: the time to a depth that takes one thread about two seconds.
//! - The Othello solver: the time to the exact score.
//!
//! On a machine that others use, times say little; so the nodes are told as well. If every thread has
//! a processor to itself, `n` threads that search `m` times the nodes are `n / m` times as fast.
//!
//! `cargo bench --bench threads -- 4` compares with 4 threads, and with `-- 4 500` at the depth of half
//! a second.

use std::time::{Duration, Instant};

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::limits::{Limits, StopFlag};
use plyground::othello::parse_obf;
use plyground::profile::Profile;
use plyground::session::{Orders, Session, Terms, Told};
use plyground::solver::Solver;

/// Deepened until one thread takes as long as this, in milliseconds.
const LONG: u64 = 2_000;

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

fn told(what: &str, threads: usize, one: Sum, many: Sum) {
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

/// The depth at which one thread takes at least so long, and what it and `threads` take for it.
fn to_depth(engine: &str, threads: usize, long: Duration) {
    let mut session = Session::<Chess>::new(Profile::find(engine).unwrap()).unwrap();
    let (mut ones, mut manies, mut ratios) = (Sum::default(), Sum::default(), Vec::new());
    for problem in Chess::suite(Chess::EXPERIMENTS).unwrap().into_iter() {
        session.set_position(problem.position);
        session.set_threads(1);
        session.clear();
        let mut deep = (0, Duration::ZERO, 0);
        let all = Terms { move_time: Some(long * 20), ..Terms::default() };
        let mut orders = Orders::on(all);
        orders.stop = StopFlag::new();
        let stop = orders.stop.clone();
        session.think(&orders, &mut |report| {
            if report.told == Told::Exact && !stop.is_raised() {
                deep = (report.depth, report.time, report.nodes);
                if report.time >= long {
                    stop.raise();
                }
            }
        });
        session.set_threads(threads);
        session.clear();
        let terms = Terms { depth: Some(deep.0), ..Terms::default() };
        let thought = session.think(&Orders::on(terms), &mut |_| {});
        let (mut one, mut many) = (Sum::default(), Sum::default());
        one.add(deep.1, deep.2);
        many.add(thought.time, thought.nodes);
        told(&format!("{engine}, depth {}", deep.0), threads, one, many);
        ratios.push([one.seconds / many.seconds, one.nodes as f64 / many.nodes as f64]);
        ones.add(deep.1, deep.2);
        manies.add(thought.time, thought.nodes);
    }
    told(&format!("{engine}, all"), threads, ones, manies);
    let mean = |which: usize| {
        let sum: f64 = ratios.iter().map(|ratio| ratio[which].ln()).sum();
        (sum / ratios.len() as f64).exp()
    };
    println!(
        "{engine}: {:.2} times as fast in the geometric mean, {:.2} with a processor each",
        mean(0),
        mean(1) * threads as f64
    );
}

/// The solver on the position with this number, counted from 1.
fn solved(number: usize, threads: usize) {
    let suite = parse_obf(include_str!("../positions/ffo.obf")).unwrap();
    let board = suite[number - 1].position.board;
    let mut scores = Vec::new();
    let sums = [1, threads].map(|threads| {
        let mut solver = Solver::with_table(1 << 27);
        solver.set_threads(threads);
        let started = Instant::now();
        let solution = solver.solve(&board, &Limits::default()).unwrap();
        scores.push(solution.score);
        Sum { seconds: started.elapsed().as_secs_f64(), nodes: solution.nodes }
    });
    assert!(scores[0] == scores[1] && suite[number - 1].score() == Some(scores[0]));
    told(&format!("FFO {number}"), threads, sums[0], sums[1]);
}

fn main() {
    let mut numbers = std::env::args().filter_map(|arg| arg.parse().ok());
    let threads = numbers.next().unwrap_or(2) as usize;
    let long = Duration::from_millis(numbers.next().unwrap_or(LONG));
    for number in [40, 44, 45] {
        solved(number, threads);
    }
    for engine in ["chess", "chess-mtd-f"] {
        to_depth(engine, threads, long);
    }
}
