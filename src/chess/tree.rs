//! Chess as a game tree: what every search sees of it.

use std::ops::RangeInclusive;

use super::board::Board;
use super::evaluate::Evaluator;
use super::instructions::dispatch;
use super::moves::Move;
use super::node::{Node, Placement};
use super::order::{Order, Ordered};
use super::quiescence::quiesce;
use crate::tree::GameTree;
use crate::value::{MATE, Value, Window};

/// Who says what a position is worth where the search ends.
pub trait Judge: Placement {
    /// For the side to move; `-MATE` and 0 where it is mated or stalemated. A function of the
    /// position alone.
    fn judge(&self, node: &Node) -> Value;
    /// No value is beyond this.
    fn most(&self) -> Value {
        MATE
    }
}

impl Judge for Evaluator {
    /// After the captures: quiescence with a full window.
    #[inline]
    fn judge(&self, node: &Node) -> Value {
        quiesce(self, node, Window::FULL, &mut 0)
    }
}

/// Chess from a position on.
///
/// A finished game is one without moves: repetitions and the rule of fifty moves depend on the way
/// to a position, and belong to play.
///
/// ```
/// use plyground::chess::{Board, Chess, Evaluator};
/// use plyground::search::{Options, Paths, search};
///
/// let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
/// let game = Chess::new(board, Evaluator::default());
/// let (outcome, _) = search(&game, &"pvs".parse()?, &Options::to_depth(2), Paths::new())?;
/// assert_eq!(outcome.best, Some(board.uci_move("d1d8")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chess<J = Evaluator> {
    root: Node,
    judge: J,
}

impl<J: Judge> Chess<J> {
    /// The game from `root` on.
    pub fn new(root: Board, judge: J) -> Chess<J> {
        Chess { root: Node::new(root, &judge), judge }
    }
}

impl<J: Judge> GameTree for Chess<J> {
    type Node = Node;
    type Move = Move;
    type Moves = Ordered;

    fn root(&self) -> Node {
        self.root
    }

    #[inline]
    fn moves(&self, node: &Node, moves: &mut Ordered) {
        dispatch(Order(node, &self.judge, moves));
    }

    #[inline]
    fn child(&self, node: &Node, mv: Move) -> Node {
        node.play(&self.judge, mv)
    }

    #[inline]
    fn evaluate(&self, node: &Node) -> Value {
        self.judge.judge(node)
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -self.judge.most()..=self.judge.most()
    }
}
