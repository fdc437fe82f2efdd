//! What a second thread is worth, as ratios within one run: the same positions with 1 thread and with
//! more, in turns.
//!
//! - Chess and Othello: the time to a depth in play by every scheme (ABDADA, lazy SMP, young brothers wait,
//!   dynamic splitting), and by the laboratory's schemes of these names as engines that deepen. The positions
//!   are those that nothing was tuned on.
//! - The Othello solver: the time to the exact score.
//!
//! On a machine that others use, times say little; so the nodes are printed as well. If every thread has
//! a processor to itself, `n` threads that search `m` times the nodes are `n / m` times as fast.
//!
//! A selective search on several threads is another search each time, and takes now half and now twice
//! the nodes; so the mean of many positions is printed with its standard error.
//!
//! `cargo bench --bench threads -- 4` compares with 4 threads, `-- 4 17 18` at depth 17 in chess and 18 in
//! Othello, and `-- 2 15 15 40` on 40 positions of each game, which takes half an hour; `-- --quick`
//! takes few positions at smaller depths.

use std::time::{Duration, Instant};

use plyground::chess::Chess;
use plyground::door::{AnyGame, TextProblem};
use plyground::game::Game;
use plyground::limits::Limits;
use plyground::othello::{Othello, parse_obf};
use plyground::profile::Profile;
use plyground::registry::Games;
use plyground::search::play::{PlayScheme, PlaySwitches};
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

/// A way to think with several threads, and the way with one that it is compared with.
struct Way {
    name: String,
    one: Profile,
    many: Profile,
}

/// The ways of a game: play by every scheme, and the laboratory's schemes of the same names as engines,
/// deepened, with the strongest engine's evaluator and memory functions.
fn ways(engine: &str, threads: usize, games: &Games) -> Vec<Way> {
    let one = Profile::find(games, engine).unwrap();
    let name_of = |scheme| match serde_json::to_value(scheme) {
        Ok(serde_json::Value::String(name)) => name,
        other => panic!("a scheme is a name: {other:?}"),
    };
    let mut ways = Vec::new();
    for scheme in PlayScheme::ALL {
        let play = one.play.map(|play| PlaySwitches { scheme, ..play });
        let many = Profile { threads, play, ..one.clone() };
        let name = format!("{engine}: {} in play", name_of(scheme));
        ways.push(Way { name, one: one.clone(), many });
    }
    let serial = Profile { play: None, ..one };
    for scheme in PlayScheme::ALL.map(name_of) {
        let algorithm = format!("{scheme}:{threads}").parse().unwrap();
        let many = serial.clone().with_algorithm(algorithm);
        let name = format!("{engine}: {scheme} in the laboratory");
        ways.push(Way { name, one: serial.clone(), many });
    }
    ways
}

/// What one thread and several take for a depth, position by position in turns.
fn to_depth(
    game: &'static dyn AnyGame,
    way: &Way,
    problems: &[TextProblem],
    threads: usize,
    depth: u32,
) {
    let mut players = [&way.one, &way.many].map(|profile| game.player(profile.clone()).unwrap());
    let (mut ones, mut manies) = (Sum::default(), Sum::default());
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    for problem in problems {
        let [one, many] = players.each_mut().map(|player| {
            player.set_line(&*game.start(&problem.position).unwrap()).unwrap();
            player.clear();
            let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
            player.think(&ThinkRequest::on(limits), &mut |_| {})
        });
        // A mate that is found, or an ending that is solved, ends a search before its depth.
        if one.depth != depth || many.depth != depth {
            continue;
        }
        ones.add(one.time, one.nodes);
        manies.add(many.time, many.nodes);
        times.push(one.time.as_secs_f64() / many.time.as_secs_f64());
        nodes.push(threads as f64 * one.nodes as f64 / many.nodes as f64);
    }
    let Way { name, .. } = way;
    print_gain(&format!("{name}, depth {depth}"), threads, ones, manies);
    let [(fast, error), (rest, rest_error)] = [mean(&times), mean(&nodes)];
    println!(
        "{name}: {fast:.2} ± {error:.2} times as fast in the geometric mean of {} positions, \
         {rest:.2} ± {rest_error:.2} with a processor each",
        times.len(),
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

/// A game: its engines, the depths in play and in the laboratory, in full and with `--quick`.
struct Subject {
    game: &'static dyn AnyGame,
    engines: &'static [&'static str],
    play_depth: [u32; 2],
    laboratory_depth: [u32; 2],
}

/// The positions of a game, in full and with `--quick`, unless the command says how many.
const POSITIONS: [usize; 2] = [8, 3];

fn main() {
    let about = "What a second thread is worth: the time to a depth, and the Othello solver";
    let arguments = Arguments::begin(about, [180, 40]);
    let threads = arguments.numbers.first().copied().unwrap_or(2);
    for &number in arguments.choose(&[40, 44, 45][..], &[40]) {
        solved(number, threads);
    }
    let subjects = [
        Subject {
            game: Chess::door(),
            engines: &["chess", "chess-mtd-f"],
            play_depth: [15, 12],
            laboratory_depth: [6, 5],
        },
        Subject {
            game: Othello::door(),
            engines: &["othello", "othello-mtd-f"],
            play_depth: [15, 11],
            laboratory_depth: [9, 7],
        },
    ];
    for (i, subject) in subjects.into_iter().enumerate() {
        let Subject { game, engines, play_depth, laboratory_depth } = subject;
        let own_count = arguments.numbers.get(3).copied();
        let count = own_count.unwrap_or(arguments.choose(POSITIONS[0], POSITIONS[1])).max(2);
        let suite = game.hold_out().unwrap();
        let every = (suite.len() / count).max(1);
        let problems: Vec<TextProblem> = suite.into_iter().step_by(every).take(count).collect();
        let own_depth = arguments.numbers.get(1 + i).map(|&depth| depth as u32);
        let games = Games::of(game);
        for (engine, is_first) in engines.iter().zip([true, false]) {
            for way in ways(engine, threads, &games) {
                let plays = way.one.play.is_some();
                // Which scheme is best is asked of the game's first engine.
                let is_default = plays && way.many.play == way.one.play;
                if !is_first && !is_default {
                    continue;
                }
                let [full, quick] = if plays { play_depth } else { laboratory_depth };
                let depth = own_depth.filter(|_| plays).unwrap_or(arguments.choose(full, quick));
                to_depth(game, &way, &problems, threads, depth);
            }
        }
    }
}
