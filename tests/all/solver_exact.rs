//! The solver against plain negamax, and on the published suite.

use std::time::Duration;

use plyground::limits::{Limits, StopFlag};
use plyground::othello::{Board, Square, parse_obf};
use plyground::solver::{Bound, Interrupted, Solution, Solver};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The nodes that FFO 1 to 20 take in all.
const SIGNATURE: u64 = 1_509_985;

/// The score by plain negamax: nothing but the rules.
fn negamax(board: &Board) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        return if board.is_over() { board.final_score() } else { -negamax(&board.pass()) };
    }
    moves.map(|square| -negamax(&board.play(square).unwrap())).max().unwrap()
}

/// A board from a random game with so many empties.
fn random_board(random: &mut StdRng, empties: usize) -> Board {
    'game: loop {
        let mut board = Board::start();
        while board.empties().len() > empties {
            if board.is_over() {
                continue 'game;
            }
            if board.must_pass() {
                board = board.pass();
            }
            let moves = board.moves();
            let square = moves.into_iter().nth(random.random_range(0..moves.len())).unwrap();
            board = board.play(square).unwrap();
        }
        // As often as not the side to move is the wrong one: it may have to pass.
        return if random.random_bool(0.5) { board } else { board.pass() };
    }
}

fn check_line(board: &Board, solution: &Solution) {
    assert_eq!(solution.bound, Bound::Exact);
    let (mut end, mut sign) = (*board, 1);
    for step in &solution.pv {
        end = match step {
            Some(square) => end.play(*square).unwrap(),
            None => {
                assert!(end.must_pass());
                end.pass()
            }
        };
        sign = -sign;
    }
    assert!(end.is_over(), "best play ends where the game ends");
    assert_eq!(sign * end.final_score(), solution.score, "and with the score");
    assert_eq!(solution.best, solution.pv.first().copied().flatten());
}

#[test]
fn equals_plain_negamax() {
    let mut random = StdRng::seed_from_u64(1);
    let mut solver = Solver::with_table(1 << 20).unwrap();
    let mut passes = 0;
    for round in 0..3000 {
        // Mostly small, so that plain negamax can keep up.
        let empties = match round {
            _ if round % 500 == 0 => 10,
            _ if round % 50 == 0 => 9,
            _ => round % 9,
        };
        let board = random_board(&mut random, empties);
        let score = negamax(&board);
        let solution = solver.solve(&board, &Limits::default()).unwrap();
        assert_eq!(solution.score, score, "{board:?}");
        check_line(&board, &solution);
        passes += usize::from(solution.pv.contains(&None));
        if let Some(best) = solution.best {
            assert_eq!(-negamax(&board.play(best).unwrap()), score, "{best} on {board:?}");
        }
    }
    assert!(passes > 300, "{passes} lines with passes");
}

#[test]
fn windows_give_bounds() {
    let mut random = StdRng::seed_from_u64(2);
    let mut solver = Solver::with_table(1 << 20).unwrap();
    for round in 0..1500 {
        let board = random_board(&mut random, 4 + round % 5);
        let score = negamax(&board);
        let alpha = random.random_range(-64..64);
        let beta = random.random_range(alpha + 1..=64);
        let solution = solver.solve_window(&board, alpha, beta, &Limits::default()).unwrap();
        let told = format!("{alpha}..{beta} of {score}: {solution:?} on {board:?}");
        match solution.bound {
            Bound::Exact => assert_eq!(solution.score, score, "{told}"),
            Bound::AtLeast => assert!(score >= solution.score && solution.score >= beta, "{told}"),
            Bound::AtMost => assert!(score <= solution.score && solution.score <= alpha, "{told}"),
        }
        if alpha < score && score < beta {
            assert_eq!(solution.bound, Bound::Exact, "{told}");
        }
    }
}

#[test]
fn larger_boards_agree_with_their_children() {
    // Too large for plain negamax: the score must be the best of the children's, solved afresh.
    let mut random = StdRng::seed_from_u64(4);
    let mut solver = Solver::with_table(1 << 20).unwrap();
    for round in 0..30 {
        let board = random_board(&mut random, 12 + round % 3);
        let solution = solver.solve(&board, &Limits::default()).unwrap();
        check_line(&board, &solution);
        solver.clear();
        let children: Vec<(Square, i32)> = board
            .moves()
            .map(|square| {
                let next = board.play(square).unwrap();
                (square, -solver.solve(&next, &Limits::default()).unwrap().score)
            })
            .collect();
        if let Some(best) = children.iter().map(|(_, score)| *score).max() {
            assert_eq!(solution.score, best, "{board:?}");
            assert!(children.contains(&(solution.best.unwrap(), best)), "{board:?}");
        }
    }
}

#[test]
fn ffo_1_to_19() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    assert_eq!(suite.len(), 59);
    let mut solver = Solver::with_table(1 << 24).unwrap();
    let mut nodes = 0;
    for line in &suite[..20] {
        solver.clear();
        let solution = solver.solve(&line.position.board, &Limits::default()).unwrap();
        assert_eq!(Some(solution.score), line.score(), "{}", line.comment);
        assert!(line.is_best(solution.best), "{:?} in {}", solution.best, line.comment);
        check_line(&line.position.board, &solution);
        nodes += solution.nodes;
    }
    // The search's signature: a change of the search says its new number here.
    assert_eq!(nodes, SIGNATURE);
}

#[test]
fn the_same_search_twice_is_the_same() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    let mut solver = Solver::with_table(1 << 22).unwrap();
    let board = suite[15].position.board;
    let first = solver.solve(&board, &Limits::default()).unwrap();
    solver.clear();
    assert_eq!(solver.solve(&board, &Limits::default()), Ok(first));
}

#[test]
fn limits_end_the_search() {
    let board = Board::start();
    let mut solver = Solver::with_table(1 << 20).unwrap();
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    match solver.solve(&board, &limits) {
        Err(Interrupted::Nodes { nodes, limit: 100_000 }) => assert!(nodes < 2_000_000, "{nodes}"),
        other => panic!("expected the limit on nodes, not {other:?}"),
    }
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    assert!(matches!(solver.solve(&board, &limits), Err(Interrupted::Time { .. })));
    let flag = StopFlag::new();
    flag.raise();
    let limits = Limits { flag, ..Limits::default() };
    assert!(matches!(solver.solve(&board, &limits), Err(Interrupted::Stopped { .. })));
}

#[test]
fn finished_and_strange_boards() {
    let mut solver = Solver::with_table(1 << 16).unwrap();
    let mut solve = |text: &str| {
        let position: plyground::othello::Position = text.parse().unwrap();
        solver.solve(&position.board, &Limits::default()).unwrap()
    };
    let over = solve(&format!("{} X", "X".repeat(40) + &"-".repeat(24)));
    assert_eq!((over.score, over.best, over.pv.len()), (64, None, 0));
    assert_eq!(solve(&format!("{} O", "X".repeat(64))).score, -64);
    assert_eq!(solve(&format!("{} X", "-".repeat(64))).score, 0);
}
