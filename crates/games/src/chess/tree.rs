//! Chess as a game tree: what every search sees of it.

use std::ops::RangeInclusive;

use super::board::Board;
use super::evaluate::Evaluator;
use super::instructions::dispatch;
use super::moves::Move;
use super::node::{Node, Placement};
use super::order::{Order, Ordered};
use super::quiescence::{quiesce, quiesce_with_checks};
use super::stages::{IsLegal, Noisy, Quiet, quiet_score};
use plyground_core::tree::{CORRECTIONS, GameTree, PlayTree};
use plyground_core::value::{MATE, Value, Window};

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
    /// As [`within`](Judge::within), but what is looked at may depend on the window.
    fn in_play(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        self.within(node, window, nodes)
    }
    /// What the position is worth as it stands, whatever hangs.
    fn static_eval(&self, node: &Node) -> Value {
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

    #[inline]
    fn in_play(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        quiesce_with_checks(self, node, window, nodes)
    }

    #[inline]
    fn static_eval(&self, node: &Node) -> Value {
        self.evaluate_node(node)
    }
}

/// Chess from a position on.
///
/// A finished game is one without moves: repetitions and the rule of fifty moves depend on the way
/// to a position, and belong to play.
///
/// ```
/// use plyground_games::chess::{Board, Chess, Evaluator};
/// use plyground_core::tree::{GameTree, MoveList};
///
/// let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
/// let game = Chess::new(board, Evaluator::default());
/// let mate = board.uci_move("d1d8")?;
/// let mated = game.child(&game.root(), mate);
/// let mut moves = Default::default();
/// game.moves(&mated, &mut moves);
/// assert!(moves.is_empty());
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
    const HISTORY_SIZE: usize = 2 * 6 * 64;

    #[inline]
    fn history_index(&self, node: &Node, mv: Move) -> usize {
        let board = &node.board;
        let piece = board.side.index() * 6 + board.piece_index(mv.from().index());
        piece * 64 + mv.to().index()
    }

    #[inline]
    fn quiesce(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        self.judge.within(node, window, nodes)
    }
}

impl<J: Judge> PlayTree for Chess<J> {
    /// With quiet checks.
    #[inline]
    fn quiesce_in_play(&self, node: &Node, window: Window, nodes: &mut u64) -> Value {
        self.judge.in_play(node, window, nodes)
    }

    const REPEATS: bool = true;

    #[inline]
    fn reversible(&self, node: &Node) -> u32 {
        u32::from(node.board.half_moves())
    }

    /// By fifty moves, or because nobody can mate. A mate with the last of the fifty moves is a mate.
    #[inline]
    fn is_drawn(&self, node: &Node) -> bool {
        let board = &node.board;
        board.insufficient_material()
            || board.fifty_moves() && (!board.in_check() || board.has_moves())
    }

    #[inline]
    fn in_check(&self, node: &Node) -> bool {
        node.board.in_check()
    }

    #[inline]
    fn gives_check(&self, node: &Node, mv: Move) -> bool {
        node.board.gives_check(mv)
    }

    /// Looked at only in check, where it is cheap and common.
    #[inline]
    fn is_forced(&self, node: &Node) -> bool {
        node.board.in_check() && node.board.count_moves() == 1
    }

    /// Not with king and pawns alone: there doing nothing is often best.
    #[inline]
    fn null_move(&self, node: &Node) -> Option<Node> {
        let board = &node.board;
        let [pawns, .., kings] = board.pieces;
        if board.sides[board.side.index()] & !(pawns | kings) == 0 {
            return None;
        }
        Some(Node { board: board.pass()?, placed: node.placed })
    }

    #[inline]
    fn static_eval(&self, node: &Node) -> Value {
        self.judge.static_eval(node)
    }

    /// The pawns, and the pieces of each side.
    #[inline]
    fn correction_keys(&self, node: &Node) -> Option<[u64; CORRECTIONS]> {
        // Odd numbers without a pattern; what they spread ends up in the high bits.
        const SPREAD: [u64; 5] = [
            0x9e37_79b9_7f4a_7c15,
            0xc2b2_ae3d_27d4_eb4f,
            0x1656_67b1_9e37_79f9,
            0xd6e8_feb8_6659_fd93,
            0xa076_1d64_78bd_642f,
        ];
        let Board { pieces: [pawns, officers @ .., king], sides, .. } = node.board;
        let [white, black] = sides.map(|side| {
            let sets = officers.iter().zip(SPREAD);
            let sum = sets.fold(side & king, |sum, (&set, spread)| {
                (sum ^ (set & side).wrapping_mul(spread)).rotate_left(23)
            });
            sum.wrapping_mul(SPREAD[4]) >> 40
        });
        let [ours, theirs] = sides.map(|side| pawns & side);
        let pawns = ours.wrapping_mul(SPREAD[0]) ^ theirs.wrapping_mul(SPREAD[1]).rotate_left(32);
        Some([pawns.wrapping_mul(SPREAD[2]) >> 40, white, black])
    }

    #[inline]
    fn find_move(&self, node: &Node, code: u16) -> Option<Move> {
        let mv = Move::from_code(code);
        dispatch(IsLegal(&node.board, mv)).then_some(mv)
    }

    #[inline]
    fn is_quiet(&self, node: &Node, mv: Move) -> bool {
        node.board.taken(mv) == 0
    }

    #[inline]
    fn noisy_moves(&self, node: &Node, moves: &mut Ordered) {
        dispatch(Noisy(&node.board, moves));
    }

    #[inline]
    fn quiet_moves(&self, node: &Node, moves: &mut Ordered) {
        dispatch(Quiet(&node.board, moves));
    }

    #[inline]
    fn quiet_score(&self, node: &Node, mv: Move) -> i32 {
        quiet_score(node, &self.judge, mv)
    }

    #[inline]
    fn see_below(&self, node: &Node, mv: Move, loss: Value) -> bool {
        !node.board.see_at_least(mv, -loss)
    }
}
