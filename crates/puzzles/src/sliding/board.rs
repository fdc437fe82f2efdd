//! Boards: which tile is in which cell.

use plyground_core::tree::mix;

use super::MOST_CELLS;

/// The tiles of a board, cheap to copy.
pub trait TileBoard: Copy + Eq + Send + Sync + std::fmt::Debug {
    /// The most cells that it has room for.
    const MOST_CELLS: usize;

    /// The board with these tiles, cell by cell.
    fn of(tiles: &[u8]) -> Self;

    /// The tile in a cell.
    fn tile(&self, cell: u8) -> u8;

    /// The board after `tile` has slid from a cell into the blank one.
    #[must_use]
    fn slid(&self, tile: u8, from: u8, to: u8) -> Self;

    /// A hash.
    fn key(&self) -> u64;
}

/// A board of at most 16 cells, four bits a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedBoard(u64);

impl TileBoard for PackedBoard {
    const MOST_CELLS: usize = 16;

    fn of(tiles: &[u8]) -> PackedBoard {
        PackedBoard(tiles.iter().rev().fold(0, |board, tile| board << 4 | u64::from(*tile)))
    }

    #[inline(always)]
    fn tile(&self, cell: u8) -> u8 {
        (self.0 >> (4 * cell)) as u8 & 15
    }

    #[inline(always)]
    fn slid(&self, tile: u8, from: u8, to: u8) -> PackedBoard {
        let tile = u64::from(tile);
        PackedBoard(self.0 ^ tile << (4 * from) ^ tile << (4 * to))
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0
    }
}

/// A board of at most 64 cells, a byte a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideBoard([u8; MOST_CELLS]);

impl TileBoard for WideBoard {
    const MOST_CELLS: usize = MOST_CELLS;

    fn of(tiles: &[u8]) -> WideBoard {
        let mut board = [0; MOST_CELLS];
        board[..tiles.len()].copy_from_slice(tiles);
        WideBoard(board)
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        self.0[(cell & 63) as usize]
    }

    #[inline]
    fn slid(&self, tile: u8, from: u8, to: u8) -> WideBoard {
        let mut board = *self;
        board.0[(from & 63) as usize] = 0;
        board.0[(to & 63) as usize] = tile;
        board
    }

    fn key(&self) -> u64 {
        let words = self.0.chunks_exact(8);
        words.fold(0, |hash, word| {
            mix(hash, word.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        })
    }
}
