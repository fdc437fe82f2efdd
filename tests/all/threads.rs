//! Several threads: the same scores, legal moves, and an end whenever one is asked for.

use std::time::Duration;

use plyground::chess::{Board, Chess};
use plyground::game::{Game, GameName};
use plyground::limits::{Limits, StopFlag};
use plyground::othello::{Othello, parse_obf};
use plyground::profile::Profile;
use plyground::session::{Orders, Report, Session, Terms};
use plyground::solver::{Interrupted, Solver};
use plyground::tree::mix;

fn depth(depth: u32) -> Terms {
    Terms { depth: Some(depth), ..Terms::default() }
}

/// Both drivers find the mate with any number of threads, and tell legal lines.
#[test]
fn mates_are_found_by_every_number_of_threads() {
    let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    for engine in ["chess", "chess-mtd-f"] {
        let mut session = Session::<Chess>::new(Profile::find(engine).unwrap()).unwrap();
        session.set_position(Board::from_fen(fen).unwrap());
        for threads in [2, 3, 8] {
            session.set_threads(threads);
            session.clear();
            let mut nodes = 0;
            let thought = session.think(&Orders::on(depth(9)), &mut |report: &Report<'_, _>| {
                assert!(report.nodes >= nodes, "nodes are the sum of all threads");
                nodes = report.nodes;
                let board = Board::from_fen(fen).unwrap();
                assert!(Chess::shown(&board, report.line).len() == report.line.len());
            });
            assert_eq!(thought.best.map(|mv| mv.to_string()).as_deref(), Some("g3g6"), "{engine}");
            assert!(thought.nodes >= nodes && thought.depth >= 9);
        }
    }
}

#[test]
fn several_lines_and_some_moves_only() {
    let mut session = Session::<Chess>::new(Profile::standard(GameName::Chess).unwrap()).unwrap();
    session.set_threads(3);
    let mut orders = Orders::on(depth(8));
    orders.lines = 3;
    orders.moves = ["a2a3", "h2h4", "e2e4", "b1a3"]
        .iter()
        .map(|text| session.position().uci_move(text).unwrap())
        .collect();
    let mut last = [None; 3];
    let thought = session.think(&orders, &mut |report| {
        assert!(orders.moves.contains(&report.line[0]));
        if report.depth == 8 {
            last[report.number] = Some(report.line[0]);
        }
    });
    assert!(orders.moves.contains(&thought.best.unwrap()));
    assert!(last[0] != last[1] && last[1] != last[2] && last[0] != last[2]);
    assert!(last.iter().all(Option::is_some));
}

/// Stops at moments that nobody chose: there is a legal move, and nobody is left behind.
#[test]
fn a_think_can_be_stopped_at_any_moment() {
    let mut chess = Session::<Chess>::new(Profile::find("chess-mtd-f").unwrap()).unwrap();
    let mut othello =
        Session::<Othello>::new(Profile::standard(GameName::Othello).unwrap()).unwrap();
    for run in 0..120 {
        let threads = [1, 2, 3, 8][run as usize % 4];
        chess.set_threads(threads);
        othello.set_threads(threads);
        stopped(&mut chess, run);
        stopped(&mut othello, run);
    }
}

fn stopped<G: Game>(session: &mut Session<G>, run: u64) {
    let stop = StopFlag::new();
    let mut orders = Orders::on(Terms::default());
    // Several lines keep the solver out of it.
    (orders.stop, orders.lines) = (stop.clone(), 2);
    let wait = Duration::from_micros(mix(run, 7) % 20_000);
    let best = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(wait);
            stop.raise();
        });
        session.think(&orders, &mut |_| {}).best
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
    let mut session = Session::<Chess>::new(Profile::standard(GameName::Chess).unwrap()).unwrap();
    for threads in [1, 2, 8] {
        session.set_threads(threads);
        let terms = Terms { nodes: Some(30_000), ..Terms::default() };
        let nodes = session.think(&Orders::on(terms), &mut |_| {}).nodes;
        // Helpers count on until they look again; on a busy machine the captain may look late.
        assert!((30_000..3_000_000).contains(&nodes), "{nodes} with {threads} threads");
    }
}

#[test]
fn the_solver_finds_the_same_scores() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    let hard = suite.iter().filter(|line| (17..=20).contains(&line.position.board.empties().len()));
    for line in hard.take(10) {
        for threads in [2, 3, 8] {
            let mut solver = Solver::with_table(1 << 20);
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
        let mut solver = Solver::with_table(1 << 20);
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
    let mut solver = Solver::with_table(1 << 20);
    solver.set_threads(3);
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    match solver.solve(&board, &limits) {
        Err(Interrupted::Nodes { nodes, .. }) => assert!((200_000..900_000).contains(&nodes)),
        other => panic!("{other:?}"),
    }
}
