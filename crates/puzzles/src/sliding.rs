//! The N-puzzle: tiles on a rectangle with one blank cell, which slide into the blank.
//!
//! In order, the blank is in the first cell and the tiles follow by number, row by row. A move is named
//! by the cell that the blank goes to, and moves are tried in the order up, left, right, down (of the
//! blank): in this order Korf's counts of 1985 come out.
//!
//! A state holds its board packed (16 cells in a word, or a byte a cell on larger boards), the blank's
//! cell, and what the heuristic needs; a move changes all of it in a few instructions.

mod board;
mod distances;
mod heuristics;
mod pattern;
mod pattern_cache;
mod text;

pub use board::{PackedBoard, TileBoard, WideBoard};
pub use distances::all_states;
pub use heuristics::{ConflictSum, LinearConflict, Manhattan, TileHeuristic};
pub use pattern::{PatternDatabases, PatternSum};
pub use text::Tiles;

use plyground_core::space::{Cost, StateSpace};

use crate::error::ProblemError;

/// The most cells of a board.
pub const MOST_CELLS: usize = 64;

/// The width and the height of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    width: usize,
    height: usize,
}

impl Shape {
    /// 3x3.
    pub const EIGHT: Shape = Shape { width: 3, height: 3 };
    /// 4x4.
    pub const FIFTEEN: Shape = Shape { width: 4, height: 4 };

    /// A shape of 2 to 64 cells.
    pub fn new(width: usize, height: usize) -> Result<Shape, ProblemError> {
        let cells = width.saturating_mul(height);
        if (2..=MOST_CELLS).contains(&cells) {
            return Ok(Shape { width, height });
        }
        Err(ProblemError::Shape(width, height))
    }

    /// How many columns there are.
    pub fn width(self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub fn height(self) -> usize {
        self.height
    }

    /// How many cells there are.
    pub fn cells(self) -> usize {
        self.width * self.height
    }

    /// Is it a single row or column, in which tiles cannot pass each other?
    pub(crate) fn is_line(self) -> bool {
        self.width == 1 || self.height == 1
    }

    /// The row and the column of a cell, or of the place of a tile in order.
    pub fn row_and_column(self, cell: usize) -> (usize, usize) {
        (cell / self.width, cell % self.width)
    }

    /// The Manhattan distance of a tile in a cell from its place.
    pub fn distance(self, tile: usize, cell: usize) -> usize {
        let ((row, column), (home_row, home_column)) =
            (self.row_and_column(cell), self.row_and_column(tile));
        row.abs_diff(home_row) + column.abs_diff(home_column)
    }

    /// The cell next to `cell` in a direction, 0 to 3 for up, left, right, down.
    pub fn neighbour(self, cell: usize, direction: usize) -> Option<usize> {
        let (row, column) = self.row_and_column(cell);
        match direction {
            0 => (row > 0).then(|| cell - self.width),
            1 => (column > 0).then(|| cell - 1),
            2 => (column + 1 < self.width).then(|| cell + 1),
            _ => (row + 1 < self.height).then(|| cell + self.width),
        }
    }
}

/// A move: the cell that the blank goes to, and its direction, packed in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide(u8);

impl Slide {
    fn new(to: usize, direction: usize) -> Slide {
        Slide((to << 2 | direction) as u8)
    }

    /// The cell that the blank goes to.
    #[inline(always)]
    pub fn to(self) -> u8 {
        self.0 >> 2
    }

    /// 0 to 3 for up, left, right, down.
    #[inline(always)]
    pub fn direction(self) -> u8 {
        self.0 & 3
    }
}

/// The moves of a state: at most four of them, in lanes of 16 bits, the next one lowest; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slides(u64);

/// Tells a move from an empty lane.
const PRESENT: u64 = 1 << 8;

impl Iterator for Slides {
    type Item = Slide;

    #[inline(always)]
    fn next(&mut self) -> Option<Slide> {
        if self.0 == 0 {
            return None;
        }
        let slide = Slide(self.0 as u8);
        self.0 >>= 16;
        Some(slide)
    }
}

/// A state of the puzzle: `X` is what the heuristic keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlidingState<B, X> {
    board: B,
    blank: u8,
    estimate: X,
}

/// A sliding puzzle with a start and a heuristic.
#[derive(Debug)]
pub struct SlidingPuzzle<B, H> {
    tiles: Tiles,
    goal: B,
    heuristic: H,
    /// The moves by the blank's cell and the last direction; 4 is none.
    moves: Box<[[Slides; 5]; MOST_CELLS]>,
}

impl<B: TileBoard, H: TileHeuristic<B>> SlidingPuzzle<B, H> {
    /// The puzzle that begins with these tiles.
    ///
    /// # Panics
    /// If the board is too small for their shape.
    pub fn new(tiles: Tiles, heuristic: H) -> SlidingPuzzle<B, H> {
        let shape = tiles.shape();
        assert!(shape.cells() <= B::MOST_CELLS, "the board has room");
        let mut moves = Box::new([[Slides(0); 5]; MOST_CELLS]);
        for (cell, by_last) in moves.iter_mut().enumerate().take(shape.cells()) {
            for (last, slides) in by_last.iter_mut().enumerate() {
                // The opposite of a direction is 3 minus it.
                for direction in (0..4).rev().filter(|direction| direction + last != 3) {
                    if let Some(to) = shape.neighbour(cell, direction) {
                        slides.0 =
                            slides.0 << 16 | PRESENT | u64::from(Slide::new(to, direction).0);
                    }
                }
            }
        }
        let in_order = Tiles::in_order(shape);
        SlidingPuzzle { goal: B::of(in_order.numbers()), tiles, heuristic, moves }
    }

    /// The tile that a move slides.
    pub fn tile(&self, state: &SlidingState<B, H::Estimate>, slide: Slide) -> u8 {
        state.board.tile(slide.to())
    }
}

impl<B: TileBoard, H: TileHeuristic<B>> StateSpace for SlidingPuzzle<B, H> {
    type State = SlidingState<B, H::Estimate>;
    type Action = Slide;
    type Actions = Slides;

    fn start(&self) -> Self::State {
        let numbers = self.tiles.numbers();
        SlidingState {
            board: B::of(numbers),
            blank: self.tiles.blank() as u8,
            estimate: self.heuristic.of(numbers),
        }
    }

    #[inline(always)]
    fn is_goal(&self, state: &Self::State) -> bool {
        state.board == self.goal
    }

    #[inline(always)]
    fn heuristic(&self, state: &Self::State) -> Cost {
        self.heuristic.value(&state.estimate)
    }

    #[inline(always)]
    fn actions(&self, state: &Self::State, last: Option<Slide>) -> Slides {
        let last = last.map_or(4, Slide::direction);
        self.moves[(state.blank & 63) as usize][last as usize]
    }

    #[inline(always)]
    fn successor(&self, state: &Self::State, slide: Slide) -> (Self::State, Cost) {
        let (from, to) = (slide.to(), state.blank);
        let tile = state.board.tile(from);
        let board = state.board.slid(tile, from, to);
        let estimate =
            self.heuristic.slid(&state.estimate, (&state.board, &board), tile, slide, to);
        (SlidingState { board, blank: from, estimate }, 1)
    }

    fn key(&self, state: &Self::State) -> u64 {
        state.board.key()
    }

    /// Every move changes the parity of the permutation and of the blank's place.
    fn cost_step(&self) -> Cost {
        2
    }
}
