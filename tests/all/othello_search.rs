//! Every algorithm on Othello: the same values as minimax, with the real evaluator and with one that
//! is nothing but a hash, so that no search can profit from sense.

use plyground::limits::Limits;
use plyground::othello::{Board, Evaluator, LONGEST_GAME, Othello, parse_obf};
use plyground::search::{Options, Outcome, principal_variation};
use plyground::solver::Solver;

use crate::agreement;
use crate::odd_trees::OddTree;
use crate::searching::Searched;

fn midgame() -> Vec<Board> {
    let suite = parse_obf(include_str!("../../positions/midgame.obf")).unwrap();
    suite.iter().map(|line| line.position.board).collect()
}

fn check<T: Searched>(tree: &T, depth: u32, name: &str) {
    agreement::check(tree, name, &[Options::to_depth(depth)]);
}

fn run<T: Searched>(tree: &T, id: &str, depth: u32) -> Outcome<T::Move> {
    agreement::run(tree, id, &Options::to_depth(depth))
}

#[test]
fn all_agree_with_minimax() {
    for (i, board) in midgame().into_iter().enumerate().step_by(4) {
        let game = Othello::new(board, Evaluator::default());
        for depth in 1..=4 {
            check(&game, depth, &format!("position {}", i + 1));
        }
    }
}

#[test]
fn all_agree_with_minimax_at_depth_six() {
    for index in [0, 13] {
        let game = Othello::new(midgame()[index], Evaluator::default());
        check(&game, 6, &format!("position {}", index + 1));
    }
}

#[test]
fn all_agree_with_each_other_deeper() {
    let game = Othello::new(midgame()[9], Evaluator::default());
    let value = run(&game, "alpha-beta", 8).value;
    for id in
        ["pvs", "negascout", "scout", "mtd-f", "sss-2", "dual-2", "sss-b", "sss", "dual", "ps:4"]
    {
        assert_eq!(run(&game, id, 8).value, value, "{id}");
    }
}

#[test]
fn all_agree_where_values_are_hashes() {
    for (i, board) in midgame().into_iter().enumerate().step_by(5) {
        for values in [3, 11, 20_001] {
            let hashed = OddTree::hashed(board, values);
            for depth in [2, 3, 4] {
                check(&hashed, depth, &format!("position {} with {values} values", i + 1));
            }
        }
    }
}

#[test]
fn any_algorithm_solves_an_endgame() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    for line in &suite[..6] {
        // Down the solution to nine empties, where every algorithm is quick.
        let solution = Solver::new().solve(&line.position.board, &Limits::default()).unwrap();
        let mut board = line.position.board;
        let mut score = solution.score;
        for mv in solution.pv {
            if board.empties().len() <= 9 {
                break;
            }
            board = mv.map_or(board.pass(), |square| board.play(square).unwrap());
            score = -score;
        }
        let endgame = Othello::new(board, Evaluator::final_score());
        for id in &agreement::all() {
            let outcome = run(&endgame, id, LONGEST_GAME);
            let proved = outcome.value.is_none() && agreement::proves_move(id);
            assert!(outcome.value == Some(score) || proved, "{id} on {board:?}");
        }
        let limits = Limits::default();
        let pv = principal_variation(&endgame, LONGEST_GAME, score, None, &limits);
        let end = pv.iter().fold(board, |b, mv| mv.map_or(b.pass(), |s| b.play(s).unwrap()));
        assert!(end.is_over());
        let sign = if pv.len() % 2 == 0 { 1 } else { -1 };
        assert_eq!(sign * end.final_score(), score, "the variation keeps the score");
    }
}
