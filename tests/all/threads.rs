//! Several threads: the same scores, legal moves, and an end whenever one is asked for.

use std::time::Duration;

use plyground::chess::{Board, Chess};
use plyground::door::AnyGame;
use plyground::game::Game;
use plyground::limits::{Limits, StopFlag};
use plyground::othello::{Othello, parse_obf};
use plyground::profile::Profile;
use plyground::registry::Games;
use plyground::search::Options;
use plyground::search::play::{PlayScheme, PlaySwitches};
use plyground::session::{GoLimits, Session, ThinkReport, ThinkRequest};
use plyground::solver::{Interrupted, Solver};
use plyground::tree::{Synthetic, mix};
use plyground::value::LEAST_MATE;

use crate::commands::{refused, stdout};
use crate::conversation::Engine;
use crate::searching::search;

/// A built-in engine whose threads share the search by this scheme.
fn by_scheme(game: &'static dyn AnyGame, engine: &str, scheme: PlayScheme) -> Profile {
    let profile = Profile::find(&Games::of(game), engine).unwrap();
    let play = profile.play.map(|play| PlaySwitches { scheme, ..play });
    Profile { play, ..profile }
}

fn depth(depth: u32) -> GoLimits {
    GoLimits { depth: Some(depth), ..GoLimits::default() }
}

/// Both drivers find a mate with any number of threads, and think about a long fight; their lines are
/// legal, and nodes are the sum of all threads.
#[test]
fn mates_are_found_by_every_number_of_threads() {
    let mate = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
    let fight = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let schemes =
        PlayScheme::ALL.into_iter().flat_map(|scheme| [("chess", scheme), ("chess-mtd-f", scheme)]);
    for (engine, scheme) in schemes {
        let mut session = Session::<Chess>::new(by_scheme(Chess::door(), engine, scheme)).unwrap();
        for (fen, threads) in
            [mate, fight].into_iter().flat_map(|fen| [(fen, 2), (fen, 4), (fen, 8)])
        {
            let board = Board::from_fen(fen).unwrap();
            session.set_position(board);
            session.set_threads(threads);
            session.clear();
            let mut nodes = 0;
            let thought =
                session.think(&ThinkRequest::on(depth(9)), &mut |report: &ThinkReport<'_, _>| {
                    assert!(report.nodes >= nodes);
                    nodes = report.nodes;
                    let end =
                        report.line.iter().try_fold(board, |board, &mv| Chess::played(&board, mv));
                    assert!(end.is_some(), "{:?}", report.line);
                });
            // A mate that no deeper search can shorten ends the search.
            assert!(thought.nodes >= nodes && (thought.depth >= 9 || thought.value >= LEAST_MATE));
            if fen == mate {
                let best = thought.best.map(|mv| mv.to_string());
                let who = format!("{engine} by {scheme:?}, {threads} threads");
                assert_eq!(best.as_deref(), Some("d2h6"), "{who}");
            }
        }
    }
}

#[test]
fn several_lines_and_some_moves_only() {
    for scheme in PlayScheme::ALL {
        several_lines_by(scheme);
    }
}

fn several_lines_by(scheme: PlayScheme) {
    let mut session = Session::<Chess>::new(by_scheme(Chess::door(), "chess", scheme)).unwrap();
    session.set_threads(3);
    let mut request = ThinkRequest::on(depth(8));
    request.lines = 3;
    request.moves = ["a2a3", "h2h4", "e2e4", "b1a3"]
        .iter()
        .map(|text| session.position().uci_move(text).unwrap())
        .collect();
    let mut last = [None; 3];
    let thought = session.think(&request, &mut |report| {
        assert!(request.moves.contains(&report.line[0]));
        if report.depth == 8 {
            last[report.number] = Some(report.line[0]);
        }
    });
    assert!(request.moves.contains(&thought.best.unwrap()));
    assert!(last[0] != last[1] && last[1] != last[2] && last[0] != last[2]);
    assert!(last.iter().all(Option::is_some));
}

/// Stops at moments that nobody chose: there is a legal move, and nobody is left behind.
#[test]
fn a_think_can_be_stopped_at_any_moment() {
    for (number, scheme) in (0..).zip(PlayScheme::ALL) {
        let chess = by_scheme(Chess::door(), "chess-mtd-f", scheme);
        let othello = by_scheme(Othello::door(), "othello", scheme);
        let mut chess = Session::<Chess>::new(chess).unwrap();
        let mut othello = Session::<Othello>::new(othello).unwrap();
        for run in 0..60 {
            let threads = [1, 2, 4, 8][run as usize % 4];
            chess.set_threads(threads);
            othello.set_threads(threads);
            stopped(&mut chess, 100 * number + run);
            stopped(&mut othello, 100 * number + run);
        }
    }
}

fn stopped<G: Game>(session: &mut Session<G>, run: u64) {
    let stop = StopFlag::new();
    let mut request = ThinkRequest::on(GoLimits::default());
    // Several lines keep the solver out of it.
    (request.stop, request.lines) = (stop.clone(), 2);
    let wait = Duration::from_micros(mix(run, 7) % 20_000);
    let best = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(wait);
            stop.raise();
        });
        session.think(&request, &mut |_| {}).best
    });
    let legal = session.legal_moves();
    assert_eq!(best.is_some(), !legal.is_empty());
    match best {
        Some(best) => assert!(legal.contains(&best) && session.play(best)),
        None => session.set_position(G::position("").unwrap()),
    }
}

#[test]
fn a_limit_on_nodes_holds_for_all_threads() {
    for scheme in PlayScheme::ALL {
        let mut session = Session::<Chess>::new(by_scheme(Chess::door(), "chess", scheme)).unwrap();
        for threads in [1, 2, 8] {
            session.set_threads(threads);
            let limits = GoLimits { nodes: Some(30_000), ..GoLimits::default() };
            let nodes = session.think(&ThinkRequest::on(limits), &mut |_| {}).nodes;
            // Helpers count on until they look again; on a busy machine the main thread may look late.
            let who = format!("{scheme:?} with {threads} threads");
            assert!((30_000..3_000_000).contains(&nodes), "{nodes} by {who}");
        }
    }
}

#[test]
fn the_solver_finds_the_same_scores() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    let hard = suite.iter().filter(|line| (17..=20).contains(&line.position.board.empties().len()));
    for line in hard.take(10) {
        for threads in [2, 3, 8] {
            let mut solver = Solver::with_table(1 << 20).unwrap();
            solver.set_threads(threads);
            let board = line.position.board;
            let solution = solver.solve(&board, &Limits::default()).unwrap();
            assert_eq!(Some(solution.score), line.score(), "{} {threads}", line.comment);
            // The line is best play: its end is worth the score.
            let end = solution.pv.iter().try_fold((board, 1), |(board, sign), mv| {
                Some((mv.map_or(Some(board.pass()), |square| board.play(square))?, -sign))
            });
            let (end, sign) = end.unwrap();
            assert!(end.is_over());
            assert_eq!(end.final_score() * sign, solution.score);
        }
    }
}

#[test]
fn the_solver_stops_when_it_is_told() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    let board = suite[44].position.board;
    for run in 0..40 {
        let mut solver = Solver::with_table(1 << 20).unwrap();
        solver.set_threads([2, 3, 8][run as usize % 3]);
        let wait = Duration::from_micros(mix(run, 3) % 30_000);
        let mut limits = Limits::default();
        if run % 2 == 0 {
            limits.time = Some(wait);
            let result = solver.solve(&board, &limits);
            assert!(matches!(result, Err(Interrupted::Time { .. })), "{result:?}");
        } else {
            limits.flag = StopFlag::new();
            let flag = limits.flag.clone();
            let result = std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(wait);
                    flag.raise();
                });
                solver.solve(&board, &limits)
            });
            assert!(matches!(result, Err(Interrupted::Stopped { .. })), "{result:?}");
        }
    }
    let mut solver = Solver::with_table(1 << 20).unwrap();
    solver.set_threads(3);
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    match solver.solve(&board, &limits) {
        Err(Interrupted::Nodes { nodes, .. }) => assert!((200_000..900_000).contains(&nodes)),
        other => panic!("{other:?}"),
    }
}

/// Each parallel algorithm with each number of threads, measured and simulated; the report shows both.
#[test]
fn threads_are_compared_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let common = ["compare", "--game", "othello", "--depth", "5", "--count", "1"];
    let with = |more: &[&str]| stdout(&[&common[..], more].concat());
    let text = with(&["--out", out, "--threads", "1,2", "--algorithms", "pvs,ybw,mwf:3,parsss"]);
    assert!(text.contains("Threads: othello, depth 5"), "{text}");
    assert!(text.contains("over pvs, the best serial one"), "{text}");
    for family in ["ybw:N", "mwf:N", "parsss:N"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(family)).count(), 2, "{text}");
    }
    let json = with(&["--threads", "1,2", "--algorithms", "pvs,ybw", "--json"]);
    let records: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let threads: Vec<_> = records.iter().map(|record| record["threads"].as_u64()).collect();
    assert_eq!(threads, [None, Some(1), Some(2)]);
    assert!(records.iter().all(|r| r["threads"].is_null() || r["idle"].as_f64().is_some()));
    with(&["--out", out, "--simulate", "--threads", "1,2,16", "--algorithms", "sss,parsss"]);
    stdout(&["report", out]);
    let page = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(page.contains("## Speed-up"), "{page}");
    assert!(page.contains("simulated") && page.contains("measured"), "{page}");
    let rows = std::fs::read_to_string(folder.path().join("report.csv")).unwrap();
    assert!(rows.lines().any(|row| row.starts_with("speed-up") && row.contains("parsss:16")));
}

/// Where nothing can be shared, all threads but one are idle, from the first moment to the last.
#[test]
fn who_has_nothing_to_do_is_idle() {
    let tree = Synthetic::independent(6, 8, 1_000, 1).unwrap();
    let options = Options { spawn_height: Some(30), ..Options::to_depth(8) };
    for threads in [1, 2, 8] {
        for scheme in ["ybw", "pvsplit", "mwf", "parsss"] {
            let algorithm = format!("{scheme}:{threads}").parse().unwrap();
            let outcome = search(&tree, &algorithm, &options).unwrap();
            let idle = outcome.idle.as_secs_f64() / outcome.time.as_secs_f64();
            // A busy machine may keep a thread from saying that it waits, or all from the end.
            let least = 0.75 * f64::from(threads - 1);
            assert!((least..=f64::from(threads)).contains(&idle), "{algorithm}: {idle}");
        }
    }
}

#[test]
fn what_threads_cannot_do_is_said() {
    for (args, expected) in [
        (&["compare", "--algorithms", "ybw"][..], "or --threads"),
        (&["compare", "--threads", "2", "--algorithms", "pvs"], "none of the algorithms"),
        (&["compare", "--threads", "0"], "from 1 to"),
        (&["tree", "(1 2)", "--algorithm", "ybw:2", "--schedules", "3"], "--simulate"),
        (&["tree", "(1 2)", "--algorithm", "ybw:2", "--message-cost", "1"], "--simulate"),
        (&["tree", "(1 2)", "--simulate", "--split-cost", "x"], "--split-cost"),
        (&["tree", "(1 2)", "--simulate", "--schedules", "0"], "--schedules"),
        (&["compare", "--table-per-processor", "--algorithms", "pvs"], "no parallel algorithm"),
        (&["solve", "--threads", "0", "-"], "0"),
        (&["solve", "--threads", "2", "--algorithm", "pvs", "-"], "cannot be used with"),
        (&["solve", "--algorithm", "parsss:5000", "-"], "5000 threads are too many"),
        (&["solve", "--leaves", "5", "-"], "--leaves goes with --algorithm"),
        (&["solve", "--bytes", "5K", "-"], "--bytes goes with --algorithm"),
    ] {
        let told = refused(args, "");
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}

/// However many threads are asked for, no more think than can take turns: a clock would run out meanwhile.
#[test]
fn a_few_threads_a_processor_think() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let profile = Profile::standard(Chess::door()).unwrap();
    let mut session = Session::<Chess>::new(Profile { threads: 256, ..profile }).unwrap();
    assert_eq!((session.profile().threads, session.threads()), (256, 256.min(4 * processors)));
    session.set_threads(3);
    assert_eq!(session.threads(), 3);
}

/// Over UCI: by every scheme a search on many threads can be stopped, pondered through, given another table
/// and left at any moment.
#[test]
fn every_scheme_hears_what_comes_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let standard = include_str!("../../engines/chess.toml");
    for scheme in ["abdada", "lazy-smp", "ybw", "dts"] {
        let file = folder.path().join(format!("{scheme}.toml"));
        let switches = format!("[play]\nscheme = \"{scheme}\"");
        std::fs::write(&file, standard.replace("[play]", &switches)).unwrap();
        for (round, threads) in [2, 8, 256].into_iter().enumerate() {
            let mut engine = Engine::start(&["uci", "--engine", file.to_str().unwrap()]);
            engine.send("setoption name OwnBook value false");
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("isready");
            engine.until("readyok");
            for (pause, go, end) in [
                (0, "go infinite", "stop"),
                (60, "go infinite", "stop"),
                (30, "go ponder wtime 200 btime 200", "ponderhit"),
                (30, "go ponder wtime 9000 btime 9000", "stop"),
                // An endless search makes way for another table.
                (50, "go infinite", "setoption name Hash value 3"),
                (50, "go infinite", "setoption name Threads value 5"),
                (0, "go movetime 20", ""),
                (0, "go nodes 3000", ""),
            ] {
                engine.send("position startpos moves e2e4 c7c5");
                engine.send(go);
                std::thread::sleep(Duration::from_millis(pause));
                engine.send(end);
                let said = engine.until("bestmove");
                let best = said.last().unwrap().split_whitespace().nth(1).unwrap();
                let board = Board::from_fen(
                    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
                );
                assert!(board.unwrap().uci_move(best).is_ok(), "{scheme}, {go}: {best}");
            }
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(40));
            // A quit, or the end of the input.
            if round == 0 {
                engine.send("quit");
            }
            engine.close();
        }
    }
}
