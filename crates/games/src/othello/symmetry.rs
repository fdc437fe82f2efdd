//! The eight symmetries of the board: positions that differ by one of them are the same to a player.

use super::patterns::{TURNS, all_turned};
use super::{Board, Square, Squares};

/// A way to turn or mirror the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn(usize);

impl Turn {
    /// The square that a square is turned to.
    #[must_use]
    pub fn square(self, square: Square) -> Square {
        let turned = all_turned(square.only().word())[self.0];
        Square::wrapping(turned.trailing_zeros() as usize)
    }
}

impl Board {
    /// The least of the eight turned boards, the same for all of them, and the turn that leads to it.
    ///
    /// ```
    /// use plyground_games::othello::{Board, Square};
    ///
    /// let after = |square: &str| Board::start().play(square.parse().unwrap()).unwrap();
    /// assert_eq!(after("f5").normalised().0, after("c4").normalised().0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn normalised(&self) -> (Board, Turn) {
        let (player, opponent) = (self.player().word(), self.opponent().word());
        let (ours, theirs) = (all_turned(player), all_turned(opponent));
        let least = (1..TURNS).fold(0, |least, turn| {
            let earlier = (ours[turn], theirs[turn]) < (ours[least], theirs[least]);
            if earlier { turn } else { least }
        });
        let squares = Squares::from_word;
        let board = Board::new(squares(ours[least]), squares(theirs[least])).unwrap_or(*self);
        (board, Turn(least))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// All eight images have one normal form, and a move made before or after the turn leads to
        /// the same normal form.
        #[test]
        fn images_have_one_form(player: u64, opponent: u64) {
            let opponent = opponent & !player;
            let images = all_turned(player).into_iter().zip(all_turned(opponent));
            let squares = Squares::from_word;
            let forms: Vec<Board> = images
                .map(|(p, o)| Board::new(squares(p), squares(o)).unwrap().normalised().0)
                .collect();
            prop_assert!(forms.iter().all(|form| *form == forms[0]));
            let board = Board::new(squares(player), squares(opponent)).unwrap();
            let (form, turn) = board.normalised();
            for square in board.moves() {
                let here = board.play(square).unwrap().normalised().0;
                let there = form.play(turn.square(square)).unwrap().normalised().0;
                prop_assert_eq!(here, there);
            }
        }
    }
}
