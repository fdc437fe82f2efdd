//! Recorded games of Othello, move by move.

use crate::shard::{RecordedGame, RecordedPly};
use plyground_games::othello::{Board, Move, Square};

/// A move's number in a record: its square, or [`PASS`].
pub(super) fn code(mv: Move) -> u16 {
    mv.map_or(PASS, |square| square.index() as u16)
}

const PASS: u16 = 64;

/// The positions of a recorded game before each of its moves, as far as its moves are legal, with 1 if
/// Black is to move and -1 if White is.
pub fn positions(game: &RecordedGame) -> impl Iterator<Item = (Board, i16, RecordedPly)> + '_ {
    let mut at = Some((Board::start(), 1));
    game.plies.iter().map_while(move |&ply| {
        let (board, side) = at?;
        let next = match Square::new(usize::from(ply.code)) {
            Some(square) => board.play(square),
            None => (ply.code == PASS && board.must_pass()).then(|| board.pass()),
        };
        at = next.map(|next| (next, -side));
        at.map(|_| (board, side, ply))
    })
}
