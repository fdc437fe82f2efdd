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
use plyground::door::{AnyGame, Player, TextProblem};
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

/// Ways to think with several threads, and the way with one that they are compared with.
struct Ways {
    one: Profile,
    many: Vec<(String, Profile)>,
}

/// The ways of a game to play, by every scheme or by the default alone.
fn in_play(engine: &str, threads: usize, games: &Games, all: bool) -> Ways {
    let one = Profile::find(games, engine).unwrap();
    let default = one.play.map(|play| play.scheme);
    let schemes = PlayScheme::ALL.into_iter().filter(|&scheme| all || Some(scheme) == default);
    let many = schemes.map(|scheme| {
        let play = one.play.map(|play| PlaySwitches { scheme, ..play });
        let name = format!("{engine}: {} in play", name_of(scheme));
        (name, Profile { threads, play, ..one.clone() })
    });
    Ways { many: many.collect(), one }
}

/// The laboratory's schemes of the same names as engines, deepened, with the strongest engine's evaluator and
/// memory functions.
fn in_the_laboratory(engine: &str, threads: usize, games: &Games) -> Ways {
    let one = Profile { play: None, ..Profile::find(games, engine).unwrap() };
    let many = PlayScheme::ALL.map(name_of).map(|scheme| {
        let algorithm = format!("{scheme}:{threads}").parse().unwrap();
        (format!("{engine}: {scheme} in the laboratory"), one.clone().with_algorithm(algorithm))
    });
    Ways { many: many.into(), one }
}

fn name_of(scheme: PlayScheme) -> String {
    match serde_json::to_value(scheme) {
        Ok(serde_json::Value::String(name)) => name,
        other => panic!("a scheme is a name: {other:?}"),
    }
}

/// What a way came to, beside one thread.
#[derive(Default)]
struct Gain {
    one: Sum,
    many: Sum,
    times: Vec<f64>,
    nodes: Vec<f64>,
}

/// What one thread and several take for a depth, position by position: all ways in turns, so that each is
/// compared with the same search on one thread, and whatever else the machine does meets all alike.
fn to_depth(
    game: &'static dyn AnyGame,
    ways: &Ways,
    problems: &[TextProblem],
    threads: usize,
    depth: u32,
) {
    let mut one = game.player(ways.one.clone()).unwrap();
    let players = ways.many.iter().map(|(_, profile)| game.player(profile.clone()).unwrap());
    let mut many: Vec<_> = players.map(|player| (player, Gain::default())).collect();
    for problem in problems {
        let search = |player: &mut Box<dyn Player>| {
            player.set_line(&*game.start(&problem.position).unwrap()).unwrap();
            player.clear();
            let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
            player.think(&ThinkRequest::on(limits), &mut |_| {})
        };
        let alone = search(&mut one);
        for (player, gain) in &mut many {
            let found = search(player);
            // A mate that is found, or an ending that is solved, ends a search before its depth.
            if alone.depth != depth || found.depth != depth {
                continue;
            }
            gain.one.add(alone.time, alone.nodes);
            gain.many.add(found.time, found.nodes);
            gain.times.push(alone.time.as_secs_f64() / found.time.as_secs_f64());
            gain.nodes.push(threads as f64 * alone.nodes as f64 / found.nodes as f64);
        }
    }
    for ((name, _), (_, gain)) in ways.many.iter().zip(&many) {
        print_gain(&format!("{name}, depth {depth}"), threads, gain.one, gain.many);
        let [(fast, error), (rest, rest_error)] = [mean(&gain.times), mean(&gain.nodes)];
        println!(
            "{name}: {fast:.2} ± {error:.2} times as fast in the geometric mean of {} positions, \
             {rest:.2} ± {rest_error:.2} with a processor each",
            gain.times.len(),
        );
    }
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
            // Which scheme is best is asked of the game's first engine.
            let ways = in_play(engine, threads, &games, is_first);
            let depth = own_depth.unwrap_or(arguments.choose(play_depth[0], play_depth[1]));
            to_depth(game, &ways, &problems, threads, depth);
            if is_first {
                let ways = in_the_laboratory(engine, threads, &games);
                let depth = arguments.choose(laboratory_depth[0], laboratory_depth[1]);
                to_depth(game, &ways, &problems, threads, depth);
            }
        }
    }
}
