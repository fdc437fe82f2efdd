//! Trees that only tests search: games whose values are nothing but hashes, so that no search can
//! profit from sense, and a tree whose leaves take their time.
//!
//! The searches are compiled once more for each of the two types here, and for no other type.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use plyground::chess::{self, Chess, Node, Piece, Placement, Score, Side, Square, Status};
use plyground::othello::{self, Board, Othello};
use plyground::search::{Outcome, SearchError, SearchSpec, Watcher, Workspace, search_in};
use plyground::tree::{Explicit, ExplicitNode, GameTree, MoveList, mix};
use plyground::value::{MATE, Value, Window};

use crate::searching::Searched;

/// A judge with this many values: few make many ties.
pub struct Hashed(pub u64);

impl Hashed {
    fn of(&self, hash: u64) -> Value {
        (hash % self.0) as Value - self.0 as Value / 2
    }
}

impl othello::Judge for Hashed {
    fn judge(&self, board: &Board) -> Value {
        self.of(board.hash())
    }

    fn most(&self) -> Value {
        self.0 as Value / 2
    }
}

impl Placement for Hashed {
    fn placed(&self, _: Side, _: Piece, _: Square) -> Score {
        Score::ZERO
    }
}

impl chess::Judge for Hashed {
    fn judge(&self, node: &Node) -> Value {
        match node.board().status() {
            Status::Checkmate => -MATE,
            Status::Stalemate => 0,
            Status::Ongoing => self.of(node.board().key()),
        }
    }
}

impl Searched for Chess<Hashed> {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<chess::Move>, SearchError> {
        search_in(&mut Workspace::new(), self, spec, watch)
    }
}

/// Othello with hashes for values, or a written tree whose leaves take now no time, now a while.
pub enum OddTree {
    Hashed(Othello<Hashed>),
    Slow { tree: Explicit, evaluated: AtomicU64 },
}

impl OddTree {
    pub fn hashed(board: Board, values: u64) -> OddTree {
        OddTree::Hashed(Othello::new(board, Hashed(values)))
    }

    pub fn slow(tree: Explicit) -> OddTree {
        OddTree::Slow { tree, evaluated: AtomicU64::new(0) }
    }
}

#[derive(Clone, Copy)]
pub enum OddNode {
    Board(Board),
    Written(ExplicitNode),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddMove {
    Square(othello::Move),
    Child(u32),
}

fn list<M: MoveList>(all: &M, wrap: impl Fn(M::Move) -> OddMove) -> Vec<OddMove> {
    (0..all.len()).map(|place| wrap(all.at(place))).collect()
}

impl GameTree for OddTree {
    type Node = OddNode;
    type Move = OddMove;
    type Moves = Vec<OddMove>;

    fn root(&self) -> OddNode {
        match self {
            OddTree::Hashed(game) => OddNode::Board(game.root()),
            OddTree::Slow { tree, .. } => OddNode::Written(tree.root()),
        }
    }

    fn moves(&self, node: &OddNode, moves: &mut Vec<OddMove>) {
        *moves = match (self, node) {
            (OddTree::Hashed(game), OddNode::Board(board)) => {
                let mut all = othello::Moves::default();
                game.moves(board, &mut all);
                list(&all, OddMove::Square)
            }
            (OddTree::Slow { tree, .. }, OddNode::Written(node)) => {
                let mut all = Default::default();
                tree.moves(node, &mut all);
                list(&all, OddMove::Child)
            }
            _ => unreachable!("a node of another tree"),
        };
    }

    fn child(&self, node: &OddNode, mv: OddMove) -> OddNode {
        match (self, node, mv) {
            (OddTree::Hashed(game), OddNode::Board(board), OddMove::Square(mv)) => {
                OddNode::Board(game.child(board, mv))
            }
            (OddTree::Slow { tree, .. }, OddNode::Written(node), OddMove::Child(mv)) => {
                OddNode::Written(tree.child(node, mv))
            }
            _ => unreachable!("a node of another tree"),
        }
    }

    fn evaluate(&self, node: &OddNode) -> Value {
        match (self, node) {
            (OddTree::Hashed(game), OddNode::Board(board)) => {
                game.quiesce(board, Window::FULL, &mut 0)
            }
            (OddTree::Slow { tree, evaluated }, OddNode::Written(node)) => {
                match mix(evaluated.fetch_add(1, Relaxed), 5) % 8 {
                    0..4 => {}
                    4..7 => std::thread::yield_now(),
                    _ => std::thread::sleep(Duration::from_micros(30)),
                }
                tree.evaluate(node)
            }
            _ => unreachable!("a node of another tree"),
        }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        match self {
            OddTree::Hashed(game) => game.value_range(),
            OddTree::Slow { tree, .. } => tree.value_range(),
        }
    }

    fn key(&self, node: &OddNode) -> u64 {
        match (self, node) {
            (OddTree::Hashed(game), OddNode::Board(board)) => game.key(board),
            (OddTree::Slow { tree, .. }, OddNode::Written(node)) => tree.key(node),
            _ => unreachable!("a node of another tree"),
        }
    }

    fn code(&self, mv: OddMove) -> u16 {
        match (self, mv) {
            (OddTree::Hashed(game), OddMove::Square(mv)) => game.code(mv),
            (OddTree::Slow { tree, .. }, OddMove::Child(mv)) => tree.code(mv),
            _ => unreachable!("a move of another tree"),
        }
    }
}

impl Searched for OddTree {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<OddMove>, SearchError> {
        search_in(&mut Workspace::new(), self, spec, watch)
    }
}
