//! Plain alpha-beta on Othello to depth 10 from the start, against a recursion written out by hand
//! with the same evaluator: leaves a second, in turns, leaf totals asserted.
//!
//! - The search reaches at least 0.85 of the recursion's rate.

use std::hint::black_box;

use plyground::game::Game;
use plyground::othello::{Board, Evaluator, Othello};
use plyground::search::{SearchSpec, Workspace};
use plyground::tree::{GameTree, MoveList};
use plyground::value::{INFINITY, Value};

use support::{Arguments, Limit, Ratios, Rounds, least_in_turns, timed};

const DEPTH: u32 = 10;

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

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [5, 2];

pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    let game = Othello::new(Board::start(), Evaluator::default());
    let spec = SearchSpec::new(&"alpha-beta".parse().unwrap(), DEPTH);
    let search = || Othello::search(&game, &mut Workspace::new(), &spec, None).unwrap();
    let outcome = search();
    let expected = (outcome.counts.evaluations, outcome.value);
    let runs = [
        timed(|| {
            let mut leaves = 0;
            let root = black_box(game.root());
            let value = by_hand(&game, &root, DEPTH, -INFINITY, INFINITY, &mut leaves);
            assert_eq!((leaves, Some(value)), expected);
        }),
        timed(|| {
            let outcome = search();
            assert_eq!((outcome.counts.evaluations, outcome.value), expected);
        }),
    ];
    let times = least_in_turns(Rounds::Seconds(arguments.choose(5.0, 2.0)), runs);
    let [hand, tree] = times.map(|time| expected.0 as f64 / time / 1e6);
    let what = "othello, 10 plies: alpha-beta's rate over a recursion by hand";
    ratios.row(what, tree / hand, Limit::AtLeast(0.85));
}
