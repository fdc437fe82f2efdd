//! Heuristics that count moves by rows and columns.

use plyground_core::space::Cost;

use super::{MOST_CELLS, Shape, Slide, TileBoard};

/// A heuristic of the sliding puzzle that follows from move to move.
pub trait TileHeuristic<B>: Sync {
    /// What a state keeps for it.
    type Estimate: Copy + Eq + Send + Sync;

    /// The estimate of these tiles, computed from scratch.
    fn of(&self, tiles: &[u8]) -> Self::Estimate;

    /// The estimate after `tile` has slid into the blank cell `to`, on the board before and after.
    fn slid(
        &self,
        estimate: &Self::Estimate,
        boards: (&B, &B),
        tile: u8,
        slide: Slide,
        to: u8,
    ) -> Self::Estimate;

    /// The number of moves that it stands for.
    fn value(&self, estimate: &Self::Estimate) -> Cost;
}

/// The Manhattan distance: each tile's rows and columns to its place, summed. A move brings one tile one
/// cell nearer at most.
#[derive(Debug)]
pub struct Manhattan {
    shape: Shape,
    /// The change by a tile and a move's byte: no index needs a check.
    changes: Box<[[i8; 256]; MOST_CELLS]>,
}

impl Manhattan {
    /// The Manhattan distance on a board of this shape.
    pub fn new(shape: Shape) -> Manhattan {
        let mut changes = Box::new([[0; 256]; MOST_CELLS]);
        for (tile, changes) in changes.iter_mut().enumerate().take(shape.cells()).skip(1) {
            for from in 0..shape.cells() {
                for direction in 0..4 {
                    // The tile goes where the blank came from: against the blank's direction.
                    let Some(to) = shape.neighbour(from, 3 - direction) else { continue };
                    let slide = Slide::new(from, direction);
                    changes[slide.0 as usize] =
                        shape.distance(tile, to) as i8 - shape.distance(tile, from) as i8;
                }
            }
        }
        Manhattan { shape, changes }
    }
}

impl<B: TileBoard> TileHeuristic<B> for Manhattan {
    type Estimate = u16;

    fn of(&self, tiles: &[u8]) -> u16 {
        let tiles = tiles.iter().enumerate().filter(|(_, tile)| **tile != 0);
        tiles.map(|(cell, tile)| self.shape.distance(usize::from(*tile), cell) as u16).sum()
    }

    #[inline(always)]
    fn slid(&self, estimate: &u16, _: (&B, &B), tile: u8, slide: Slide, _: u8) -> u16 {
        estimate.wrapping_add_signed(self.changes[(tile & 63) as usize][slide.0 as usize].into())
    }

    #[inline(always)]
    fn value(&self, estimate: &u16) -> Cost {
        (*estimate).into()
    }
}

/// Manhattan distance with linear conflicts (Hansson, Mayer and Yung 1992).
///
/// Two tiles that are in the line of their places, in the wrong order, cannot pass each other: one must
/// leave the line and come back, two moves that the Manhattan distance does not count. In each row and
/// column as few tiles leave as put the others in order.
#[derive(Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    /// The row and the column of a cell, or of the place of a tile.
    places: [(u8, u8); MOST_CELLS],
    /// Are conflicts counted? Without them it is the Manhattan distance.
    counts: bool,
}

/// What a state keeps for linear conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictSum {
    manhattan: u16,
    /// Tiles that must leave a line, over all lines.
    leaving: u16,
}

impl LinearConflict {
    /// Linear conflicts on a board of this shape.
    pub fn new(shape: Shape) -> LinearConflict {
        let mut places = [(0, 0); MOST_CELLS];
        for (cell, place) in places.iter_mut().enumerate().take(shape.cells()) {
            let (row, column) = shape.row_and_column(cell);
            *place = (row as u8, column as u8);
        }
        LinearConflict { manhattan: Manhattan::new(shape), places, counts: true }
    }

    /// The Manhattan distance by the same type, for boards whose searches are compiled once.
    pub fn without_conflicts(shape: Shape) -> LinearConflict {
        LinearConflict { counts: false, ..LinearConflict::new(shape) }
    }

    fn in_row(&self, tile: impl Fn(u8) -> u8, row: u8) -> u16 {
        let width = self.manhattan.shape.width() as u8;
        let tiles = (row * width..(row + 1) * width).map(tile).filter(|tile| *tile != 0);
        let places = tiles.map(|tile| self.places[(tile & 63) as usize]);
        leaving(places.filter(|(home, _)| *home == row).map(|(_, column)| column))
    }

    fn in_column(&self, tile: impl Fn(u8) -> u8, column: u8) -> u16 {
        let shape = self.manhattan.shape;
        let cells = (column..shape.cells() as u8).step_by(shape.width());
        let tiles = cells.map(tile).filter(|tile| *tile != 0);
        let places = tiles.map(|tile| self.places[(tile & 63) as usize]);
        leaving(places.filter(|(_, home)| *home == column).map(|(row, _)| row))
    }
}

/// How many of these must leave so that the others increase: all but the longest increasing part.
fn leaving(places: impl Iterator<Item = u8>) -> u16 {
    // By place: the length of the longest increasing part that ends there.
    let mut lengths = [0u8; MOST_CELLS];
    let (mut count, mut longest) = (0, 0);
    for place in places {
        let place = (place & 63) as usize;
        let before = lengths[..place].iter().max().copied().unwrap_or(0);
        lengths[place] = before + 1;
        longest = longest.max(before + 1);
        count += 1;
    }
    count - u16::from(longest)
}

impl<B: TileBoard> TileHeuristic<B> for LinearConflict {
    type Estimate = ConflictSum;

    fn of(&self, tiles: &[u8]) -> ConflictSum {
        let shape = self.manhattan.shape;
        let tile = |cell: u8| tiles[usize::from(cell)];
        let rows = (0..shape.height()).map(|row| self.in_row(tile, row as u8));
        let columns = (0..shape.width()).map(|column| self.in_column(tile, column as u8));
        let leaving = if self.counts { rows.chain(columns).sum() } else { 0 };
        ConflictSum { manhattan: TileHeuristic::<B>::of(&self.manhattan, tiles), leaving }
    }

    /// A tile that moves along a row stays in the row's order, but changes two columns; and the other
    /// way round.
    #[inline]
    fn slid(
        &self,
        estimate: &ConflictSum,
        boards: (&B, &B),
        tile: u8,
        slide: Slide,
        to: u8,
    ) -> ConflictSum {
        let (from_row, from_column) = self.places[(slide.to() & 63) as usize];
        let (to_row, to_column) = self.places[(to & 63) as usize];
        let (before, after) = boards;
        let lines = |board: &B| {
            let tile = |cell| board.tile(cell);
            if !self.counts {
                0
            } else if from_row == to_row {
                self.in_column(tile, from_column) + self.in_column(tile, to_column)
            } else {
                self.in_row(tile, from_row) + self.in_row(tile, to_row)
            }
        };
        ConflictSum {
            manhattan: self.manhattan.slid(&estimate.manhattan, boards, tile, slide, to),
            leaving: estimate.leaving - lines(before) + lines(after),
        }
    }

    #[inline]
    fn value(&self, estimate: &ConflictSum) -> Cost {
        Cost::from(estimate.manhattan) + 2 * Cost::from(estimate.leaving)
    }
}
