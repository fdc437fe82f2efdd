//! Othello as a game tree: what every search sees of it.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use super::board::Board;
use super::evaluate::Evaluator;
use crate::grid::{Square, Squares};
use plyground_core::tree::{Forecast, GameTree, MoveList, PlayTree};
use plyground_core::value::Value;

/// A move: a square, or `None` for a pass. A pass is a move like any other, so that the sides always
/// alternate.
pub type Move = Option<Square>;

/// Who says what a position is worth where the search ends.
pub trait Judge: Sync {
    /// For the side to move; exact where the game is over.
    fn judge(&self, board: &Board) -> Value;
    /// No value is beyond this.
    fn most(&self) -> Value;
    /// How shallow searches predict one of `depth` plies with so many empty squares.
    fn forecasts(&self, _empties: usize, _depth: u32) -> &[Forecast] {
        &[]
    }
}

impl Judge for Evaluator {
    #[inline]
    fn judge(&self, board: &Board) -> Value {
        self.evaluate(board)
    }

    fn most(&self) -> Value {
        self.max_value()
    }

    #[inline]
    fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        self.forecasts(empties, depth)
    }
}

/// More plies than any game has: sixty moves, and a pass before each.
pub const LONGEST_GAME: u32 = 120;

/// Othello from a position on.
///
/// ```
/// use plyground_games::othello::{Board, Evaluator, Othello};
/// use plyground_core::tree::GameTree;
///
/// let game = Othello::new(Board::start(), Evaluator::default());
/// assert_eq!(game.root(), Board::start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Othello<J = Evaluator> {
    root: Board,
    judge: J,
}

impl<J: Judge> Othello<J> {
    /// The game from `root` on.
    pub fn new(root: Board, judge: J) -> Othello<J> {
        Othello { root, judge }
    }
}

/// Squares from the best to the worst at first sight: corners, the inside, edges, the squares beside
/// corners, the squares diagonal to them.
const CLASSES: [u64; 5] = [
    0x8100_0000_0000_0081,
    0x0000_3C3C_3C3C_0000,
    0x3C00_8181_8181_003C,
    0x003C_4242_4242_3C00,
    0x42C3_0000_0000_C342,
];

/// What an answer takes away from a move's score; one in a corner counts twice.
const ANSWER: i32 = 400;

/// The moves of a board in that order.
#[derive(Clone, Debug, Default)]
pub struct Moves(ArrayVec<Move, 64>);

impl MoveList for Moves {
    type Move = Move;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn at(&self, index: usize) -> Move {
        self.0[index]
    }
}

impl<J: Judge> GameTree for Othello<J> {
    type Node = Board;
    type Move = Move;
    type Moves = Moves;

    fn root(&self) -> Board {
        self.root
    }

    #[inline]
    fn moves(&self, node: &Board, moves: &mut Moves) {
        let legal = node.moves().word();
        if legal == 0 {
            if !node.pass().moves().is_empty() {
                moves.0.push(None);
            }
            return;
        }
        for class in CLASSES {
            moves.0.extend(Squares::from_word(legal & class).map(Some));
        }
    }

    #[inline]
    fn child(&self, node: &Board, mv: Move) -> Board {
        match mv {
            None => node.pass(),
            Some(square) => node.play(square).expect("moves are legal"),
        }
    }

    #[inline]
    fn evaluate(&self, node: &Board) -> Value {
        self.judge.judge(node)
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -self.judge.most()..=self.judge.most()
    }

    #[inline]
    fn key(&self, node: &Board) -> u64 {
        node.hash()
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        mv.map_or(64, |square| square.index() as u16)
    }

    /// They are a few operations on words.
    const LISTS_AGAIN: bool = true;

    /// A square, or the pass.
    const HISTORY_SIZE: usize = 65;
}

impl<J: Judge> PlayTree for Othello<J> {
    #[inline]
    fn is_forced(&self, node: &Board) -> bool {
        node.moves().len() <= 1
    }

    /// A move is the better the fewer answers it leaves.
    #[inline]
    fn quiet_score(&self, node: &Board, mv: Move) -> i32 {
        let Some(next) = mv.and_then(|square| node.play(square)) else { return 0 };
        let answers = next.moves().word();
        -ANSWER * (answers.count_ones() + (answers & CLASSES[0]).count_ones()) as i32
    }

    /// None for a position without a choice, which is searched deeper than it was asked for.
    #[inline]
    fn probcut_forecasts(&self, node: &Board, depth: u32) -> &[Forecast] {
        let forecasts = self.judge.forecasts(node.empties().len(), depth);
        if !forecasts.is_empty() && self.is_forced(node) { &[] } else { forecasts }
    }

    #[inline]
    fn find_move(&self, node: &Board, code: u16) -> Option<Move> {
        match Square::new(usize::from(code)) {
            Some(square) => node.moves().contains(square).then_some(Some(square)),
            None => (code == 64 && node.must_pass()).then_some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::DISC;

    #[test]
    fn the_classes_are_all_squares_once_and_symmetric() {
        assert_eq!(CLASSES.iter().fold(0, |all, class| all | class), u64::MAX);
        assert_eq!(CLASSES.iter().map(|class| class.count_ones()).sum::<u32>(), 64);
        for class in CLASSES {
            assert_eq!(class, class.swap_bytes());
            assert_eq!(class, class.reverse_bits());
        }
    }

    #[test]
    fn the_tree_has_the_boards_moves() {
        let mut board = Board::start();
        let game = Othello::new(board, Evaluator::default());
        for turn in 0.. {
            let mut moves = Moves::default();
            game.moves(&board, &mut moves);
            if moves.is_empty() {
                assert!(board.is_over());
                assert_eq!(game.evaluate(&board), board.final_score() * DISC);
                assert_eq!(
                    Othello::new(board, Evaluator::final_score()).evaluate(&board),
                    board.final_score()
                );
                break;
            }
            let listed: Vec<Move> = (0..moves.len()).map(|i| moves.at(i)).collect();
            if listed == [None] {
                assert!(board.must_pass());
            } else {
                assert_eq!(listed.len(), board.moves().len());
                assert!(listed.iter().all(|mv| board.moves().contains(mv.unwrap())));
            }
            board = game.child(&board, listed[turn * 7 % listed.len()]);
        }
    }
}
