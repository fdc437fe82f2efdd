//! Quiescence: captures and promotions are played out before a position is judged.
//!
//! The side to move may also leave it at the value of the position as it stands, unless it is in
//! check: then all its answers are tried, and having none is mate. Captures that lose material are
//! left out, and so are those that can hardly reach the window. With a full window the value depends on
//! the position alone; that is what experiments use, where every algorithm must see the same leaf.

use arrayvec::ArrayVec;

use super::board::Board;
use super::checks::add_checks;
use super::evaluate::Evaluator;
use super::generate::{self, Finder, Lister};
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{MOST_MOVES, Move, Moves, PROMOTION};
use super::node::Node;
use super::piece::Piece;
use super::side::Side;
use plyground_core::value::{MATE, Value, Window};

/// So many plies deep all answers to a check are tried; beyond, only captures, as elsewhere.
const ANSWERED_PLIES: Value = 3;

/// So many plies deep also captures are tried that win nothing.
const TRADING_PLIES: Value = 4;

/// After so many plies a position is judged as it stands, whatever hangs.
const MOST_PLIES: Value = 24;

/// After so many positions in all likewise: boards full of queens have more lines of captures than
/// anybody can wait for. It depends on the position alone, as everything here does; in games it is
/// never reached.
const MOST_POSITIONS: u64 = 10_000;

/// A capture that leaves the mover further below the window than this is not tried: what the
/// pieces' places may change at most, as a rule.
const MARGIN: Value = 180;

/// The value of `node` for its mover if it is inside the window, else a bound on it. To be mated `n`
/// plies below is worth `n - MATE`. Adds the positions looked at beyond `node` to `nodes`.
#[must_use]
pub fn quiesce(evaluator: &Evaluator, node: &Node, window: Window, nodes: &mut u64) -> Value {
    let most = *nodes + MOST_POSITIONS;
    dispatch(Quiesce::<false> { evaluator, node, window, ply: 0, nodes, most })
}

/// The same, but at `node` itself quiet checks are tried too if no capture reaches the window: for
/// play, where an attack on the king is not to be overlooked at the horizon.
#[must_use]
pub fn quiesce_with_checks(
    evaluator: &Evaluator,
    node: &Node,
    window: Window,
    nodes: &mut u64,
) -> Value {
    let most = *nodes + MOST_POSITIONS;
    dispatch(Quiesce::<true> { evaluator, node, window, ply: 0, nodes, most })
}

/// `CHECKS` says that quiet checks are tried here, though not below.
struct Quiesce<'a, const CHECKS: bool> {
    evaluator: &'a Evaluator,
    node: &'a Node,
    window: Window,
    ply: Value,
    nodes: &'a mut u64,
    /// When there are so many, it is enough.
    most: u64,
}

impl<const CHECKS: bool> Task for Quiesce<'_, CHECKS> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Value {
        let Self { evaluator, node, window, ply, most, .. } = self;
        let board = &node.board;
        let enough = *self.nodes >= most;
        let mut moves = Moves::new();
        if board.in_check() && ply < ANSWERED_PLIES && !enough {
            generate::generate::<I, _, false>(i, board, &mut Lister(&mut moves));
            // No move may be left out, and having none is mate.
            let mated = ply - MATE;
            return self.best::<I, true>(i, mated, &moves);
        }
        if !can_move(i, board) {
            return if board.in_check() { ply - MATE } else { 0 };
        }
        let standing = evaluator.value(i, node);
        if standing >= window.beta || ply >= MOST_PLIES || enough {
            return standing;
        }
        generate::generate::<I, _, true>(i, board, &mut Lister(&mut moves));
        if !CHECKS {
            return self.best::<I, false>(i, standing, &moves);
        }
        let Self { nodes, .. } = self;
        let here = Quiesce::<false> { evaluator, node, window, ply, nodes: &mut *nodes, most };
        let best = here.best::<I, false>(i, standing, &moves);
        if best >= window.beta {
            return best;
        }
        moves.clear();
        add_checks(i, board, &mut moves);
        moves.retain(|mv| board.see_with(i, *mv, 0));
        let here = Quiesce::<false> { evaluator, node, window, ply, nodes, most };
        here.best::<I, true>(i, best, &moves)
    }
}

impl<const CHECKS: bool> Quiesce<'_, CHECKS> {
    /// The best of the moves, or of what the mover has without: of all moves, or of the captures.
    #[inline(always)]
    fn best<I: Instructions, const ALL: bool>(self, i: I, standing: Value, moves: &Moves) -> Value {
        let Self { evaluator, node, window, ply, nodes, most } = self;
        let board = &node.board;
        let mut best = standing;
        let mut window = window.raised(best);
        // The most valuable capture first, by the least valuable piece.
        let mut keys: ArrayVec<u32, MOST_MOVES> = ArrayVec::new();
        for &mv in moves {
            let taken = board.taken(mv);
            if !ALL {
                // What a queen does not achieve, another promotion hardly ever will.
                let queen = PROMOTION + Piece::Queen.index() as u16;
                if mv.number() > PROMOTION && mv.number() != queen {
                    continue;
                }
                let most = standing + taken + MARGIN;
                if most <= window.alpha {
                    best = best.max(most);
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
                let most = standing + taken + MARGIN;
                // Alpha may have risen.
                if most <= window.alpha {
                    best = best.max(most);
                    continue;
                }
                let piece = board.piece_index(mv.from().index());
                // Deep down, only what wins something.
                let least = Value::from(ply >= TRADING_PLIES);
                if Board::risks(piece, mv, taken - least) && !board.see_with(i, mv, least) {
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
                most,
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

/// Takes the greatest number out of a list: most lists are left after one or two.
#[inline(always)]
fn take_greatest(keys: &mut ArrayVec<u32, MOST_MOVES>) -> Option<u32> {
    let greatest = (0..keys.len()).max_by_key(|&index| keys[index])?;
    keys.swap_pop(greatest)
}

/// Whether the side to move has a move: nearly always a pawn has.
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
            let standing = if board.has_moves() { evaluator.evaluate(&board) } else { 0 };
            assert!(board.in_check() || value >= standing, "{board}");
            // With other clocks.
            let mut fields: Vec<String> = board.to_string().split(' ').map(String::from).collect();
            fields[4] = "7".into();
            let later = Board::from_fen(&fields.join(" ")).unwrap();
            let later = Node::new(later, &evaluator);
            assert_eq!(quiesce(&evaluator, &later, Window::FULL, &mut 0), value, "{board}");
        }
    }
}
