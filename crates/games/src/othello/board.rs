//! The board: the discs of the side to move and those of the opponent.

use super::hash::hash;
use super::instructions::{flips_here, moves_here};
use crate::grid::{Square, Squares};

/// The highest score: a game in which the loser has no disc left.
pub const FULL_SCORE: i32 = 64;

/// A board without colours: the discs of the side to move and those of the opponent.
///
/// Two boards are equal if the side to move has the same discs and the opponent has; which of them is
/// black, only a [`Position`](super::Position) knows. [`Board::play`] returns a new board with the
/// sides exchanged, so no move is ever undone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    player: u64,
    opponent: u64,
}

const _: () = assert!(size_of::<Board>() == 16);

impl Board {
    /// The position every game starts from, Black to move: white on d4 and e5.
    #[must_use]
    pub const fn start() -> Self {
        Self { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 }
    }

    /// A board from the mover's and the opponent's discs; `None` if both have a disc on one square.
    ///
    /// Any other pair is a board, whether or not a game can lead to it.
    #[must_use]
    pub const fn new(player: Squares, opponent: Squares) -> Option<Self> {
        if player.word() & opponent.word() == 0 {
            Some(Self { player: player.word(), opponent: opponent.word() })
        } else {
            None
        }
    }

    /// A board from words known not to overlap.
    #[inline(always)]
    pub(crate) const fn from_words(player: u64, opponent: u64) -> Self {
        debug_assert!(player & opponent == 0);
        Self { player, opponent }
    }

    /// The discs of the side to move.
    #[must_use]
    #[inline(always)]
    pub const fn player(&self) -> Squares {
        Squares::from_word(self.player)
    }

    /// The discs of the side that moved last.
    #[must_use]
    #[inline(always)]
    pub const fn opponent(&self) -> Squares {
        Squares::from_word(self.opponent)
    }

    /// The squares without a disc.
    #[must_use]
    #[inline(always)]
    pub const fn empties(&self) -> Squares {
        Squares::from_word(!(self.player | self.opponent))
    }

    /// Where the mover may play. Empty means a pass or the end of the game.
    ///
    /// This looks which instructions the machine has; [`perft`](fn@super::perft) and the solver choose
    /// them once for a whole search.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> Squares {
        Squares::from_word(moves_here(self.player, self.opponent))
    }

    /// The discs that a move turns over; empty if and only if the move is against the rules.
    #[must_use]
    #[inline]
    pub fn flips(&self, square: Square) -> Squares {
        if !self.empties().contains(square) {
            return Squares::EMPTY;
        }
        Squares::from_word(flips_here(square.index(), self.player, self.opponent))
    }

    /// The board after a move, with the opponent to move; `None` if the move is against the rules.
    #[must_use]
    #[inline]
    pub fn play(&self, square: Square) -> Option<Self> {
        let flips = self.flips(square).word();
        (flips != 0).then(|| Self {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips ^ square.only().word(),
        })
    }

    /// The same discs with the opponent to move. This is a legal move only if [`must_pass`] says so.
    ///
    /// [`must_pass`]: Self::must_pass
    #[must_use]
    #[inline(always)]
    pub const fn pass(&self) -> Self {
        Self { player: self.opponent, opponent: self.player }
    }

    /// Whether the mover has no move but the opponent has one.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.moves().is_empty() && !self.pass().moves().is_empty()
    }

    /// Whether neither side has a move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.moves().is_empty() && self.pass().moves().is_empty()
    }

    /// The mover's discs minus the opponent's, with the empty squares given to the side that has more
    /// discs.
    ///
    /// If the game is over, this is its score as the federations count it. It is always even, and from
    /// −64 to 64.
    #[must_use]
    pub const fn final_score(&self) -> i32 {
        let player = self.player.count_ones() as i32;
        let opponent = self.opponent.count_ones() as i32;
        let empties = 64 - player - opponent;
        let difference = player - opponent;
        difference + empties * difference.signum()
    }

    /// A 64-bit hash of the board, for transposition tables.
    #[must_use]
    #[inline(always)]
    pub const fn hash(&self) -> u64 {
        hash(self.player, self.opponent)
    }
}

impl std::fmt::Debug for Board {
    /// 64 characters, with `X` for the mover's discs and `O` for the opponent's.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for square in Square::all() {
            let disc = match (self.player().contains(square), self.opponent().contains(square)) {
                (true, _) => "X",
                (_, true) => "O",
                _ => "-",
            };
            f.write_str(disc)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_four_moves() {
        let start = Board::start();
        assert_eq!(start.moves().len(), 4);
        assert_eq!(start.empties().len(), 60);
        assert!(!start.is_over() && !start.must_pass());
        assert_eq!(start.final_score(), 0);
    }

    #[test]
    fn a_move_against_the_rules_is_refused() {
        let start = Board::start();
        for square in Square::all() {
            assert_eq!(start.play(square).is_some(), start.moves().contains(square), "{square}");
        }
    }

    #[test]
    fn empties_go_to_the_winner() {
        let board = Board::new(Squares::from_word(0b111), Squares::EMPTY).unwrap();
        assert!(board.is_over());
        assert_eq!(board.final_score(), 64);
        assert_eq!(board.pass().final_score(), -64);
        let even = Board::new(Squares::from_word(1), Squares::from_word(1 << 63)).unwrap();
        assert_eq!(even.final_score(), 0);
    }

    #[test]
    fn overlapping_discs_are_no_board() {
        assert_eq!(Board::new(Squares::ALL, Squares::from_word(1)), None);
    }
}
