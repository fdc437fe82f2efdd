//! The trait that carries every tree, and the trees that can be written down or generated.
//!
//! A *game tree* is all that can still happen in a game of two players who move in turn: its nodes
//! are positions, its root is the position that somebody asks about, and each legal move leads from
//! a node to a child. Searching the tree answers which move is best and what it is worth.
//!
//! [`GameTree`] is what every search needs, and [`PlayTree`] adds what only a playing engine asks
//! for. Both are implemented on the *tree* (the rules and whatever the evaluation needs), not on a
//! position: a synthetic tree is then as natural as a board, and weights read from a file live in
//! `&self`.

mod explicit;
mod laboratory;
mod move_list;
mod path;
mod play;
mod swapped;
mod synthetic;

pub use explicit::{Explicit, ExplicitNode, ParseTreeError};
pub use laboratory::{LabNode, LabTree};
pub use move_list::MoveList;
pub use path::{PathTree, ROOT};
pub use play::{CORRECTIONS, Forecast, PlayTree};
pub use swapped::{Swapped, SwappedNode};
pub use synthetic::{
    ChildNumbers, MAX_DEPTH, MAX_WIDTH, Synthetic, SyntheticError, SyntheticNode, TreeOrdering, mix,
};

use std::fmt;
use std::ops::RangeInclusive;

use crate::value::{Value, Window};

/// A game tree of two players who move in turn: the rules of a game, and a judgement of positions.
///
/// Some words first, for those who have not written a game program before. A *ply* is one move of
/// one side; the root is at ply 0, and the side that moves there is MAX, the other one MIN. A
/// search looks a number of plies ahead, its *depth*, and where it stops looking is its *horizon*.
/// A *leaf* is a node where it does not look further: every node at the horizon, and a node without
/// moves at any depth. A leaf gets a number from [`evaluate`](GameTree::evaluate). Each side
/// chooses the child that is best for it, so the leaves decide what the root is worth: the *minimax
/// value*.
///
/// Numbers are always seen from the side to move at the node in question, and what is good for one
/// side is exactly as bad for the other. A game in which a side may have to pass makes the pass a
/// move like any other, so that the sides really do alternate.
///
/// Seven functions say what the tree is, and [`evaluate`](GameTree::evaluate) and
/// [`value_range`](GameTree::value_range) may be as simple as a win, a draw and a loss:
///
/// ```
/// use std::ops::RangeInclusive;
///
/// use plyground_core::tree::GameTree;
/// use plyground_core::value::Value;
///
/// /// A heap of stones: a move takes one, two or three of them, and the last stone wins.
/// struct Nim(u32);
///
/// impl GameTree for Nim {
///     type Node = u32;
///     type Move = u32;
///     type Moves = Vec<u32>;
///
///     fn root(&self) -> u32 {
///         self.0
///     }
///     fn moves(&self, &stones: &u32, moves: &mut Vec<u32>) {
///         moves.extend(1..=stones.min(3));
///     }
///     fn child(&self, &stones: &u32, taken: u32) -> u32 {
///         stones - taken
///     }
///     /// With no stone left, the other side has just taken the last one.
///     fn evaluate(&self, &stones: &u32) -> Value {
///         if stones == 0 { -1 } else { 0 }
///     }
///     fn value_range(&self) -> RangeInclusive<Value> {
///         -1..=1
///     }
///     fn key(&self, &stones: &u32) -> u64 {
///         stones.into()
///     }
///     fn code(&self, taken: u32) -> u16 {
///         taken as u16
///     }
/// }
///
/// /// The definition of the minimax value, on any tree.
/// fn minimax<T: GameTree<Moves = Vec<M>, Move = M>, M: Copy>(tree: &T, node: &T::Node) -> Value {
///     let mut moves = Vec::new();
///     tree.moves(node, &mut moves);
///     let values = moves.iter().map(|&mv| -minimax(tree, &tree.child(node, mv)));
///     values.max().unwrap_or_else(|| tree.evaluate(node))
/// }
///
/// assert_eq!(minimax(&Nim(7), &7), 1);
/// assert_eq!(minimax(&Nim(8), &8), -1);
/// ```
///
/// The searches share one tree between threads: hence `Sync`.
pub trait GameTree: Sync {
    /// A position. A search makes children from it and never takes a move back, so it should be
    /// cheap to copy: a few words, no heap.
    type Node: Clone + Send;

    /// A move, small enough to copy freely. A tree whose moves have no names of their own uses the
    /// child's number.
    type Move: Copy + Eq + Send + Sync + fmt::Debug;

    /// A list of moves. `Vec` will do; `arrayvec::ArrayVec` and lists of the tree's own avoid an
    /// allocation at every node.
    type Moves: MoveList<Move = Self::Move>;

    /// The position at ply 0, where the search begins.
    fn root(&self) -> Self::Node;

    /// Fills `moves`, which arrives empty, with the legal moves of `node`. No moves means that the
    /// game is over.
    ///
    /// The order is the tree's own: alpha-beta and its relatives skip much more of the tree if good
    /// moves come early, so moves that look good at first sight belong in front. The values that
    /// searches return do not depend on the order.
    fn moves(&self, node: &Self::Node, moves: &mut Self::Moves);

    /// The position after `mv`, which is one of the [moves](GameTree::moves) of `node`.
    fn child(&self, node: &Self::Node, mv: Self::Move) -> Self::Node;

    /// What `node` is worth for its side to move: higher is better, 0 is even.
    ///
    /// At the horizon this is a guess, the better the stronger the program plays; where the game is
    /// over it is the result. It depends on the position alone, and lies within
    /// ±[`MAX_LEAF`](crate::value::MAX_LEAF). A transposition table keeps values within ±32,000
    /// only.
    fn evaluate(&self, node: &Self::Node) -> Value;

    /// The least and the greatest value that a leaf may have, seen from the side that moves at the
    /// root. Searches that bisect start from these ends, and a search that is stopped before it
    /// knows anything answers with them, so the range should be as narrow as is certain.
    fn value_range(&self) -> RangeInclusive<Value>;

    /// A hash of everything that the rest of the game depends on: the pieces, the side to move, and
    /// so on.
    ///
    /// The same position can often be reached by different moves, a *transposition*. Searches with
    /// a memory take nodes with the same key for the same node, so different positions must have
    /// different keys but for rare accidents: all 64 bits should be well mixed.
    fn key(&self, node: &Self::Node) -> u64;

    /// A number for a move, different for every move of a node: what tables keep of it. Never
    /// 65,535, which stands for no move.
    fn code(&self, mv: Self::Move) -> u16;

    /// Do values tell how far a won game is from its end?
    ///
    /// A program that only knows "won" may put off the win for ever, so a win now should be worth
    /// more than a win later. If this is `true`, [`evaluate`](GameTree::evaluate) says
    /// -[`MATE`](crate::value::MATE) where the side to move has lost, however deep in the tree that
    /// is, and a search accounts for the plies from the root: a mate in n plies is worth `MATE -
    /// n`. Other values then stay below [`LEAST_MATE`](crate::value::LEAST_MATE). With the default,
    /// `false`, values are what they are at any depth, as in games that are won by points.
    const MATES: bool = false;

    /// Is a list of moves made again about as soon as it is read from memory?
    ///
    /// A best-first search holds many nodes at once. With the default, `false`, it keeps the moves of all of
    /// them; with `true` it makes most lists again when it needs them, which takes a little time and saves
    /// much memory.
    const LISTS_AGAIN: bool = false;

    /// Does [`evaluate`](GameTree::evaluate) say anything about a node above the leaves?
    ///
    /// Some searches grow a tree by what nodes are worth at first sight. A tree of the laboratory,
    /// whose leaves alone have values, says `false`: such a search then takes an interior node to be
    /// worth anything in the [range](GameTree::value_range), which is always true, and what it proves
    /// is certain.
    const JUDGES: bool = true;

    /// How many numbers [`history_index`](GameTree::history_index) has: searches that keep
    /// histories make tables of this size. The default has room for every code.
    const HISTORY_SIZE: usize = 1 << 16;

    /// The place of a move in history tables, less than [`HISTORY_SIZE`](GameTree::HISTORY_SIZE).
    ///
    /// A move that was good at one node is often good at its neighbours: searches keep such
    /// *histories* of moves and try the successful ones first. Moves with the same index share one
    /// history, so it should be the same for moves that do the same at different nodes, as a piece
    /// that goes to a square. With the default, the code, a tree with few codes is served well; one
    /// with many wastes memory.
    #[inline]
    fn history_index(&self, _node: &Self::Node, mv: Self::Move) -> usize {
        self.code(mv) as usize
    }

    /// What `node` is worth at the horizon, after a *quiescence search*.
    ///
    /// In the middle of an exchange of pieces a plain evaluation is badly wrong: whoever has just
    /// captured seems to win a piece that is recaptured at the next ply. A game with such moves
    /// plays them out here before it evaluates. With the default, the value is what
    /// [`evaluate`](GameTree::evaluate) says.
    ///
    /// With the full window the value must be that of [`evaluate`](GameTree::evaluate), which then
    /// includes the quiescence search; with a narrower one, any bound on the same side of the
    /// window will do for a value outside it. Adds the positions looked at beyond `node` to
    /// `nodes`.
    #[inline]
    fn quiesce(&self, node: &Self::Node, _window: Window, _nodes: &mut u64) -> Value {
        self.evaluate(node)
    }
}
