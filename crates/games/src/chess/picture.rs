//! The board drawn in characters.

use std::fmt;

use super::board::{Board, Status};
use crate::grid::Square;

/// Displays a board as a diagram, with named ranks and files and White at the bottom. An en passant
/// square is marked `·`.
///
/// ```
/// use plyground_games::chess::{Board, Picture};
///
/// let drawn = Picture(&Board::start()).to_string();
/// assert_eq!(drawn.lines().nth(1), Some("8 r n b q k b n r 8"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a>(pub &'a Board);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FILES: &str = "  a b c d e f g h";
        let board = self.0;
        writeln!(f, "{FILES}")?;
        for rank in (0..8).rev() {
            write!(f, "{}", rank + 1)?;
            for square in (0..8).filter_map(|file| Square::at(file, rank)) {
                let mark = match (board.piece_on(square), board.side_on(square)) {
                    (Some(piece), Some(side)) => piece.letter_of(side),
                    _ if board.en_passant() == Some(square) => '·',
                    _ => '-',
                };
                write!(f, " {mark}")?;
            }
            writeln!(f, " {}", rank + 1)?;
        }
        writeln!(f, "{FILES}")?;
        let side = board.side();
        let state = match board.status() {
            Status::Checkmate => format!("{side} is mated"),
            Status::Stalemate => format!("{side} is stalemated"),
            Status::Ongoing if board.in_check() => format!("{side} to move, in check"),
            Status::Ongoing => format!("{side} to move"),
        };
        writeln!(f, "move {}: {state}; castling {}", board.move_number(), board.castling())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check() {
        let board = Board::from_fen("4k3/8/8/8/4R3/8/8/4K3 b - - 3 40").unwrap();
        let expected = "  a b c d e f g h
8 - - - - k - - - 8
7 - - - - - - - - 7
6 - - - - - - - - 6
5 - - - - - - - - 5
4 - - - - R - - - 4
3 - - - - - - - - 3
2 - - - - - - - - 2
1 - - - - K - - - 1
  a b c d e f g h
move 40: black to move, in check; castling -
";
        assert_eq!(Picture(&board).to_string(), expected);
    }
}
