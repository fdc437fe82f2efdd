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
    /// As [`judge`](Judge::judge), but outside the window a bound will do. Adds the positions looked
    /// at beyond `node` to `nodes`.
    fn within(&self, node: &Node, _window: Window, _nodes: &mut u64) -> Value {
        self.judge(node)
    }
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

    #[inline]
    fn within(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        quiesce(self, node, window, nodes)
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

    #[inline]
    fn key(&self, node: &Node) -> u64 {
        node.board.key()
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        mv.code()
    }

    const MATES: bool = true;

    /// A side's piece and where it goes.
    const SLOTS: usize = 2 * 6 * 64;

    #[inline]
    fn slot(&self, node: &Node, mv: Move) -> usize {
        let board = &node.board;
        let piece = board.side.index() * 6 + board.piece_index(mv.from().index());
        piece * 64 + mv.to().index()
    }

    #[inline]
    fn quiesce(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        self.judge.within(node, window, nodes)
    }
}
