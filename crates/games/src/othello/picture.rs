//! The board drawn in characters.

use std::fmt;

use super::position::{Disc, Position};
use crate::grid::Square;

/// Displays a position as a diagram, with named rows and columns and the legal moves marked `·`.
///
/// ```
/// use plyground_games::othello::{Picture, Position};
///
/// let drawn = Picture(&Position::start()).to_string();
/// assert_eq!(drawn.lines().nth(4), Some("4 - - · O X - - - 4"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a>(pub &'a Position);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLUMNS: &str = "  a b c d e f g h";
        let position = self.0;
        let moves = position.board.moves();
        writeln!(f, "{COLUMNS}")?;
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for square in (0..8).filter_map(|column| Square::at(column, row)) {
                let mark = match position.disc(square) {
                    Some(side) => side.letter(),
                    None if moves.contains(square) => '·',
                    None => '-',
                };
                write!(f, " {mark}")?;
            }
            writeln!(f, " {}", row + 1)?;
        }
        writeln!(f, "{COLUMNS}")?;
        let [black, white] = Disc::ALL.map(|side| position.discs(side).len());
        let state = if position.board.is_over() {
            "the game is over".to_owned()
        } else if moves.is_empty() {
            format!("{} must pass", position.side)
        } else {
            format!("{} to move", position.side)
        };
        writeln!(f, "X black {black}, O white {white}: {state}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start() {
        let expected = "  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - · - - - - 3
4 - - · O X - - - 4
5 - - - X O · - - 5
6 - - - - · - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
X black 2, O white 2: black to move
";
        assert_eq!(Picture(&Position::start()).to_string(), expected);
    }
}
