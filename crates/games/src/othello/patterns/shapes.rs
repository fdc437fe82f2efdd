//! The shapes: small sets of squares whose discs are looked at together.
//!
//! A shape is drawn once and seen on all its images under the eight symmetries of the board. Its state
//! is a number to the base three with a digit for each square (0 empty, 1 the mover's, 2 the
//! opponent's), the lowest digit for the square with the lowest number.
//!
//! Instead of turning a shape, the board is turned: a shape is the same squares of eight boards. Where
//! a shape is its own image, some of the boards would show the same squares again and are left out,
//! and states that are images of each other share a weight.

/// A shape: what players call it, and its squares.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) mask: u64,
}

const fn shape(name: &'static str, squares: &str) -> Shape {
    let bytes = squares.as_bytes();
    let (mut mask, mut at) = (0u64, 0);
    while at + 1 < bytes.len() {
        mask |= 1 << ((bytes[at + 1] - b'1') * 8 + bytes[at] - b'a');
        at += 3;
    }
    assert!(mask.count_ones() as usize <= MAX_SQUARES);
    Shape { name, mask }
}

/// The most squares of a shape.
pub(super) const MAX_SQUARES: usize = 10;

/// The shapes.
pub(super) static SHAPES: [Shape; 13] = [
    shape("corners 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    shape("corner triangles", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    shape("corners 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    shape("edges with X squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    shape("edge blocks", "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"),
    shape("second rows", "a2 b2 c2 d2 e2 f2 g2 h2"),
    shape("third rows", "a3 b3 c3 d3 e3 f3 g3 h3"),
    shape("fourth rows", "a4 b4 c4 d4 e4 f4 g4 h4"),
    shape("diagonals of 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    shape("diagonals of 7", "b1 c2 d3 e4 f5 g6 h7"),
    shape("diagonals of 6", "c1 d2 e3 f4 g5 h6"),
    shape("diagonals of 5", "d1 e2 f3 g4 h5"),
    shape("diagonals of 4", "e1 f2 g3 h4"),
];

/// The ways to turn a board: bit 2 exchanges rows and columns, then bit 1 mirrors top and bottom, then
/// bit 0 left and right.
pub(in crate::othello) const TURNS: usize = 8;

/// A turned board.
#[inline(always)]
pub(super) const fn turned(mut board: u64, turn: usize) -> u64 {
    if turn & 4 != 0 {
        board = transposed(board);
    }
    if turn & 2 != 0 {
        board = board.swap_bytes();
    }
    if turn & 1 != 0 {
        board = board.swap_bytes().reverse_bits();
    }
    board
}

/// Rows and columns exchanged, by blocks of 4, 2 and 1.
#[inline(always)]
const fn transposed(mut board: u64) -> u64 {
    let mut swap = 0x0f0f_0f0f_0000_0000 & (board ^ board << 28);
    board ^= swap ^ swap >> 28;
    swap = 0x3333_0000_3333_0000 & (board ^ board << 14);
    board ^= swap ^ swap >> 14;
    swap = 0x5500_5500_5500_5500 & (board ^ board << 7);
    board ^ swap ^ swap >> 7
}

/// All turned boards.
#[inline(always)]
pub(in crate::othello) fn all_turned(board: u64) -> [u64; TURNS] {
    let mirrored = |board: u64| board.swap_bytes().reverse_bits();
    let other = transposed(board);
    let (a, b) = (mirrored(board), mirrored(other));
    [board, a, board.swap_bytes(), a.swap_bytes(), other, b, other.swap_bytes(), b.swap_bytes()]
}

/// The squares of the board that a shape shows when the board is turned.
const fn seen(mask: u64, turn: usize) -> u64 {
    let (mut seen, mut square) = (0, 0);
    while square < 64 {
        if turned(1 << square, turn) & mask != 0 {
            seen |= 1 << square;
        }
        square += 1;
    }
    seen
}

/// A shape on one of the turned boards.
#[derive(Clone, Copy)]
pub(super) struct Instance {
    pub(super) shape: usize,
    pub(super) turn: usize,
}

/// Does the shape show other squares on this board than on those before it?
const fn is_new(mask: u64, turn: usize) -> bool {
    let mut before = 0;
    while before < turn {
        if seen(mask, before) == seen(mask, turn) {
            return false;
        }
        before += 1;
    }
    true
}

/// How many instances there are: as many weights are added up for a position.
pub const INSTANCES: usize = {
    let (mut count, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        let mut turn = 0;
        while turn < TURNS {
            count += is_new(SHAPES[shape].mask, turn) as usize;
            turn += 1;
        }
        shape += 1;
    }
    count
};

/// All instances, shape by shape.
pub(super) static ALL_INSTANCES: [Instance; INSTANCES] = {
    let mut instances = [Instance { shape: 0, turn: 0 }; INSTANCES];
    let (mut count, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        let mut turn = 0;
        while turn < TURNS {
            if is_new(SHAPES[shape].mask, turn) {
                instances[count] = Instance { shape, turn };
                count += 1;
            }
            turn += 1;
        }
        shape += 1;
    }
    instances
};

/// How many states a shape has.
pub(super) const fn states(shape: usize) -> usize {
    3usize.pow(SHAPES[shape].mask.count_ones())
}

/// Where the states of each shape begin, in a table that holds all of them; the last is its size.
pub(super) static OFFSETS: [usize; SHAPES.len() + 1] = {
    let mut offsets = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        offsets[shape + 1] = offsets[shape] + states(shape);
        shape += 1;
    }
    offsets
};

/// The number of states of all shapes.
pub const STATES: usize = OFFSETS[SHAPES.len()];

/// For each state of each shape the state that stands for it and its images: the lowest of them.
pub(super) fn representatives() -> Vec<u32> {
    let mut representatives = Vec::with_capacity(STATES);
    for (shape, offset) in SHAPES.iter().zip(OFFSETS) {
        let squares: Vec<u32> = (0..64).filter(|square| shape.mask >> square & 1 != 0).collect();
        let place = |bit: u64| (shape.mask & (bit - 1)).count_ones() as usize;
        // What each digit is worth in the images under the symmetries that map the shape onto itself.
        let worth = |&square: &u32, turn| 3usize.pow(place(turned(1 << square, turn)) as u32);
        let images: Vec<Vec<usize>> = (0..TURNS)
            .filter(|&turn| seen(shape.mask, turn) == shape.mask)
            .map(|turn| squares.iter().map(|square| worth(square, turn)).collect())
            .collect();
        let mut digits = vec![0; squares.len()];
        for state in 0..3usize.pow(squares.len() as u32) {
            let mut rest = state;
            for digit in &mut digits {
                (*digit, rest) = (rest % 3, rest / 3);
            }
            let image = |worth: &Vec<usize>| digits.iter().zip(worth).map(|(d, w)| d * w).sum();
            let lowest = images.iter().map(image).min().unwrap_or(state);
            representatives.push((offset + lowest) as u32);
        }
    }
    representatives
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_image_is_seen_once() {
        for (number, shape) in SHAPES.iter().enumerate() {
            let turns = ALL_INSTANCES.iter().filter(|instance| instance.shape == number);
            let mut images: Vec<u64> = turns.map(|i| seen(shape.mask, i.turn)).collect();
            let count = images.len();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), count);
            assert!((0..TURNS).all(|turn| images.contains(&seen(shape.mask, turn))));
        }
        assert_eq!(INSTANCES, 54);
    }

    #[test]
    fn boards_are_turned_as_squares_are() {
        for square in 0..64 {
            let boards = all_turned(1 << square);
            for (turn, board) in boards.into_iter().enumerate() {
                assert_eq!(board, turned(1 << square, turn));
                assert_eq!(board.count_ones(), 1);
            }
        }
        assert_eq!(transposed(0b10), 1 << 8);
        assert_eq!(turned(1, 1), 1 << 7);
        assert_eq!(turned(1, 2), 1 << 56);
    }

    #[test]
    fn images_share_a_representative() {
        let representatives = representatives();
        assert_eq!(representatives.len(), STATES);
        for (state, &lowest) in representatives.iter().enumerate() {
            assert!(lowest as usize <= state);
            assert_eq!(representatives[lowest as usize], lowest);
        }
        // An edge with one disc on its first or its last corner.
        let edge = OFFSETS[3];
        assert_eq!(representatives[edge + 3usize.pow(7)], (edge + 1) as u32);
    }
}
