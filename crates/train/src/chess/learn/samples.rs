//! Positions as a network sees them, packed: tens of millions are learnt from at once.

use arrayvec::ArrayVec;

use plyground_games::chess::network::{INPUTS, bucket, inputs};
use plyground_games::chess::{Board, Side};

/// Positions, each with what it should be worth.
#[derive(Default)]
pub(super) struct Samples {
    /// The inputs from the side to move's point of view, one position after the other.
    pieces: Vec<u16>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    /// Where the inputs of the position begin.
    begin: u32,
    pieces: u8,
    bucket: u8,
    /// What turns an input of the side to move's point of view into one of the other's: a square is seen
    /// from the other end of the board, and from its other side if one king stands left and the other
    /// right.
    turn: u8,
    /// The result to be expected for the side to move, from 0 to 1.
    target: f32,
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pieces: &'a [u16],
    turn: u16,
    pub(super) bucket: usize,
    pub(super) target: f32,
}

/// The inputs of the pieces of one side.
const OF_A_SIDE: u16 = INPUTS as u16 / 2;

impl Sample<'_> {
    /// The inputs from the side to move's point of view and from the other's.
    #[inline]
    pub(super) fn inputs(&self) -> [Inputs; 2] {
        let other = |input: u16| {
            let theirs = if input < OF_A_SIDE { input + OF_A_SIDE } else { input - OF_A_SIDE };
            theirs ^ self.turn
        };
        let mut seen = [Inputs::new(), Inputs::new()];
        for &input in self.pieces {
            seen[0].push(input);
            seen[1].push(other(input));
        }
        seen
    }
}

/// The inputs that are on.
pub(super) type Inputs = ArrayVec<u16, 32>;

impl Samples {
    /// Adds a position; `false` if there is no room for more.
    pub(super) fn push(&mut self, board: &Board, target: f32) -> bool {
        let Ok(begin) = u32::try_from(self.pieces.len()) else { return false };
        self.pieces.extend(inputs(board, board.side()).map(|input| input as u16));
        let pieces = (self.pieces.len() - begin as usize) as u8;
        let on_the_right = |side: Side| board.king(side).column() >= 4;
        let mirrored = on_the_right(Side::White) != on_the_right(Side::Black);
        let turn = 56 ^ if mirrored { 7 } else { 0 };
        self.rows.push(Row { begin, pieces, bucket: bucket(board) as u8, turn, target });
        true
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn get(&self, number: usize) -> Sample<'_> {
        let row = self.rows[number];
        let pieces = &self.pieces[row.begin as usize..][..usize::from(row.pieces)];
        let (bucket, turn) = (usize::from(row.bucket), u16::from(row.turn));
        Sample { pieces, turn, bucket, target: row.target }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|number| self.get(number))
    }
}

impl FromIterator<(Board, f32)> for Samples {
    /// As many as there is room for.
    fn from_iter<I: IntoIterator<Item = (Board, f32)>>(positions: I) -> Samples {
        let mut samples = Samples::default();
        let _ = positions.into_iter().all(|(board, target)| samples.push(&board, target));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_points_of_view_come_from_one() {
        let mut samples = Samples::default();
        let mut board = Board::start();
        for step in 0..120usize {
            samples.push(&board, 0.5);
            let sample = samples.get(step);
            for (view, seen) in
                [board.side(), board.side().other()].into_iter().zip(sample.inputs())
            {
                let mut seen: Vec<usize> = seen.into_iter().map(usize::from).collect();
                let mut expected: Vec<usize> = inputs(&board, view).collect();
                seen.sort_unstable();
                expected.sort_unstable();
                assert_eq!(seen, expected, "{board}");
            }
            let moves = board.moves();
            let Some(&mv) = moves.get(step * 7 % moves.len().max(1)) else { return };
            board = board.play(mv);
        }
    }
}
