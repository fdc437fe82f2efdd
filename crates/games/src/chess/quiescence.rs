//! Quiescence search: captures and promotions are played out before a position is evaluated.
//!
//! The side to move may also *stand pat*, that is take the static value of the position, unless it is
//! in check: then all its moves are tried, and having none is mate. Captures that lose material are
//! left out (static exchange evaluation), and so are those that can hardly reach the window (delta
//! pruning). With a full window the value depends on the position alone. Experiments use it in this
//! way, since every algorithm must see the same value of a leaf.

use arrayvec::ArrayVec;

use super::board::Board;
use super::checks::add_checks;
use super::evaluate::Evaluator;
use super::generate::{self, Finder, Lister};
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{MAX_MOVES, Move, Moves, PROMOTION};
use super::node::Node;
use super::piece::Piece;
use super::side::Side;
use plyground_core::value::{MATE, Value, Window};

/// In the first plies, this many, all moves out of check are tried; later only captures, as without
/// check.
const EVASION_PLIES: Value = 3;

/// In the first plies, this many, equal captures are tried too; later a capture must win material.
const EQUAL_CAPTURE_PLIES: Value = 4;

/// At this ply a position is worth its static value, whatever can be captured.
const MAX_PLIES: Value = 24;

/// After this many nodes likewise: boards full of queens have too many lines of captures to search
/// them all. The limit depends on the position alone, as everything here does; in games it is never
/// reached.
const MAX_NODES: u64 = 10_000;

/// Delta pruning: a capture is not tried if it leaves the mover further below the window than this,
/// which is more than the other features usually change.
const DELTA_MARGIN: Value = 180;

/// Quiescence search: the value of `node` for the side to move if it is inside the window, otherwise a
/// bound on it. Being mated `n` plies below is worth `n - MATE`. Adds the nodes visited below `node` to
/// `nodes`.
#[must_use]
pub fn quiesce(evaluator: &Evaluator, node: &Node, window: Window, nodes: &mut u64) -> Value {
    let max_nodes = *nodes + MAX_NODES;
    dispatch(Quiesce::<false> { evaluator, node, window, ply: 0, nodes, max_nodes })
}

/// As [`quiesce`], but at `node` itself quiet checks are tried too if no capture reaches the window: for
/// play, where an attack on the king at the horizon should not be missed.
#[must_use]
pub fn quiesce_with_checks(
    evaluator: &Evaluator,
    node: &Node,
    window: Window,
    nodes: &mut u64,
) -> Value {
    let max_nodes = *nodes + MAX_NODES;
    dispatch(Quiesce::<true> { evaluator, node, window, ply: 0, nodes, max_nodes })
}

/// One node of quiescence search. With `CHECKS`, quiet checks are tried at it, but not below it.
struct Quiesce<'a, const CHECKS: bool> {
    evaluator: &'a Evaluator,
    node: &'a Node,
    window: Window,
    ply: Value,
    nodes: &'a mut u64,
    /// When `nodes` reaches this number, nodes are worth their static values.
    max_nodes: u64,
}

impl<const CHECKS: bool> Task for Quiesce<'_, CHECKS> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Value {
        let Self { evaluator, node, window, ply, max_nodes, .. } = self;
        let board = &node.board;
        let enough = *self.nodes >= max_nodes;
        let mut moves = Moves::new();
        if board.in_check() && ply < EVASION_PLIES && !enough {
            generate::generate::<I, _, false>(i, board, &mut Lister(&mut moves));
            // Every move counts here, and having none is mate.
            let mated = ply - MATE;
            return self.search_moves::<I, true>(i, mated, &moves);
        }
        if !can_move(i, board) {
            return if board.in_check() { ply - MATE } else { 0 };
        }
        let stand_pat = evaluator.value(i, node);
        if stand_pat >= window.beta || ply >= MAX_PLIES || enough {
            return stand_pat;
        }
        generate::generate::<I, _, true>(i, board, &mut Lister(&mut moves));
        if !CHECKS {
            return self.search_moves::<I, false>(i, stand_pat, &moves);
        }
        let Self { nodes, .. } = self;
        let here = Quiesce::<false> { evaluator, node, window, ply, nodes: &mut *nodes, max_nodes };
        let best = here.search_moves::<I, false>(i, stand_pat, &moves);
        if best >= window.beta {
            return best;
        }
        moves.clear();
        add_checks(i, board, &mut moves);
        moves.retain(|mv| board.see_with(i, *mv, 0));
        let here = Quiesce::<false> { evaluator, node, window, ply, nodes, max_nodes };
        here.search_moves::<I, true>(i, best, &moves)
    }
}

impl<const CHECKS: bool> Quiesce<'_, CHECKS> {
    /// The best of `stand_pat` and the values of the moves. With `ALL` no move is left out, otherwise the
    /// moves are captures and promotions.
    #[inline(always)]
    fn search_moves<I: Instructions, const ALL: bool>(
        self,
        i: I,
        stand_pat: Value,
        moves: &Moves,
    ) -> Value {
        let Self { evaluator, node, window, ply, nodes, max_nodes } = self;
        let board = &node.board;
        let mut best = stand_pat;
        let mut window = window.raised(best);
        // The most valuable victim first, taken by the least valuable piece (MVV-LVA).
        let mut keys: ArrayVec<u32, MAX_MOVES> = ArrayVec::new();
        for &mv in moves {
            let taken = board.taken(mv);
            if !ALL {
                // A promotion to another piece than a queen is hardly ever better.
                let queen = PROMOTION + Piece::Queen.index() as u16;
                if mv.number() > PROMOTION && mv.number() != queen {
                    continue;
                }
                let reachable = stand_pat + taken + DELTA_MARGIN;
                if reachable <= window.alpha {
                    best = best.max(reachable);
                    continue;
                }
            }
            let piece = board.piece_index(mv.from().index()) as u32;
            let key = (taken as u32) << 3 | (5 - piece);
            keys.push(key << 16 | u32::from(mv.code()));
        }
        while let Some(key) = take_greatest(&mut keys) {
            let mv = Move::from_code(key as u16);
            if !ALL {
                let taken = (key >> 19) as Value;
                let reachable = stand_pat + taken + DELTA_MARGIN;
                // Alpha may have risen.
                if reachable <= window.alpha {
                    best = best.max(reachable);
                    continue;
                }
                let piece = board.piece_index(mv.from().index());
                // Deep down a capture must win material.
                let least = Value::from(ply >= EQUAL_CAPTURE_PLIES);
                if Board::can_lose(piece, mv, taken - least) && !board.see_with(i, mv, least) {
                    continue;
                }
            }
            *nodes += 1;
            let child = node.play_with(i, evaluator, mv);
            let below = Quiesce::<false> {
                evaluator,
                node: &child,
                window: window.flip(),
                ply: ply + 1,
                nodes: &mut *nodes,
                max_nodes,
            };
            let value = -i.enter(below);
            if value > best {
                best = value;
                if best >= window.beta {
                    break;
                }
                window = window.raised(best);
            }
        }
        best
    }
}

/// Takes the greatest number out of a list. Sorting would cost more: after one or two moves most nodes
/// are done.
#[inline(always)]
fn take_greatest(keys: &mut ArrayVec<u32, MAX_MOVES>) -> Option<u32> {
    let greatest = (0..keys.len()).max_by_key(|&index| keys[index])?;
    keys.swap_pop(greatest)
}

/// Whether the side to move has a move. Nearly always a pawn has one, which is quick to see.
#[inline(always)]
fn can_move<I: Instructions>(i: I, board: &Board) -> bool {
    let us = board.sides[board.side.index()];
    let pawns = board.pieces[Piece::Pawn.index()] & us & !board.pinned;
    let steps = match board.side {
        Side::White => pawns << 8,
        Side::Black => pawns >> 8,
    };
    if !board.in_check() && steps & !(board.sides[0] | board.sides[1]) != 0 {
        return true;
    }
    let mut finder = Finder(false);
    generate::generate::<I, _, false>(i, board, &mut finder);
    finder.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::positions;

    fn value(board: &Board) -> Value {
        let evaluator = Evaluator::default();
        quiesce(&evaluator, &Node::new(*board, &evaluator), Window::FULL, &mut 0)
    }

    #[test]
    fn finished_games_and_mates() {
        for (fen, expected) in [
            // Mated, stalemated, and mate by a capture.
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", -MATE),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
            ("r5k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", MATE - 1),
            // Mated by two rooks.
            ("7k/6pp/8/8/8/8/r7/1r4K1 w - - 0 1", -MATE),
        ] {
            assert_eq!(value(&Board::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn what_hangs_is_taken_and_what_is_defended_is_not() {
        let evaluator = Evaluator::default();
        let gain = |fen: &str| {
            let board = Board::from_fen(fen).unwrap();
            value(&board) - evaluator.evaluate(&board)
        };
        assert!(gain("4k3/ppp5/8/3r4/4P3/8/PPP5/4K3 w - - 0 1") > 300);
        assert_eq!(gain("4k3/ppp5/2p5/3p4/8/8/PPPR4/4K3 w - - 0 1"), 0);
        assert!(gain("4k3/P4ppp/8/8/8/8/5PPP/4K3 w - - 0 1") > 500);
    }

    #[test]
    fn a_full_window_asks_for_the_position_alone() {
        let evaluator = Evaluator::default();
        let all = Window::new(-MATE - 1, MATE + 1);
        for board in positions(30) {
            let node = Node::new(board, &evaluator);
            let mut nodes = 0;
            let value = quiesce(&evaluator, &node, Window::FULL, &mut nodes);
            assert!(value.abs() <= MATE && nodes < 100_000, "{board}: {value}, {nodes}");
            assert_eq!(quiesce(&evaluator, &node, all, &mut 0), value, "{board}");
            let stand_pat = if board.has_moves() { evaluator.evaluate(&board) } else { 0 };
            assert!(board.in_check() || value >= stand_pat, "{board}");
            // With other clocks.
            let mut fields: Vec<String> = board.to_string().split(' ').map(String::from).collect();
            fields[4] = "7".into();
            let later = Board::from_fen(&fields.join(" ")).unwrap();
            let later = Node::new(later, &evaluator);
            assert_eq!(quiesce(&evaluator, &later, Window::FULL, &mut 0), value, "{board}");
        }
    }
}
