//! Plain alpha-beta through the tree, to depth 10 from the start, against a recursion written out by
//! hand with the same evaluator: leaves a second, in turns, leaf totals asserted.

use std::hint::black_box;
use std::time::Instant;

use plyground::othello::{Board, Evaluator, Othello};
use plyground::search::{Options, Unwatched, search};
use plyground::tree::{GameTree, MoveList};
use plyground::value::{INFINITY, Value};

const DEPTH: u32 = 10;
const ROUNDS: usize = 9;

fn by_hand(
    game: &Othello,
    board: &Board,
    depth: u32,
    alpha: Value,
    beta: Value,
    leaves: &mut u64,
) -> Value {
    if depth == 0 {
        *leaves += 1;
        return game.evaluate(board);
    }
    let mut moves = <Othello as GameTree>::Moves::default();
    game.moves(board, &mut moves);
    if moves.is_empty() {
        *leaves += 1;
        return game.evaluate(board);
    }
    let mut best = -INFINITY;
    for i in 0..moves.len() {
        let child = game.child(board, moves.at(i));
        let value = -by_hand(game, &child, depth - 1, -beta, -alpha.max(best), leaves);
        if value > best {
            best = value;
            if best >= beta {
                break;
            }
        }
    }
    best
}

fn main() {
    let game = Othello::new(Board::start(), Evaluator::default());
    let options = Options::to_depth(DEPTH);
    let alpha_beta = "alpha-beta".parse().unwrap();
    let (mut hand, mut tree) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut leaves = 0;
        let value = by_hand(&game, &Board::start(), DEPTH, -INFINITY, INFINITY, &mut leaves);
        hand.push(leaves as f64 / started.elapsed().as_secs_f64());
        let started = Instant::now();
        let (outcome, _) = search(&game, &alpha_beta, &options, Unwatched).unwrap();
        tree.push(leaves as f64 / started.elapsed().as_secs_f64());
        assert_eq!(outcome.counts.evaluations, leaves);
        assert_eq!(outcome.value, Some(black_box(value)));
    }
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let (hand, tree) = (median(&mut hand), median(&mut tree));
    println!("by hand           {:>8.2} million leaves a second", hand / 1e6);
    println!("through the tree  {:>8.2} million leaves a second", tree / 1e6);
    println!("ratio {:.2} (at least 0.85)", tree / hand);
}
