//! The Zobrist numbers that a board's key is made of.
//!
//! A key is the exclusive or of one number for each piece on its square, one for the castling rights,
//! one for the file of a legal en passant capture, and one if Black is to move. The clocks are left
//! out: a position is the same whenever it is reached.

/// A number for each side, piece and square.
pub(super) static PIECES: [[[u64; 64]; 6]; 2] = NUMBERS.0;
/// A number for each set of castling rights; 0 for no rights.
pub(super) static CASTLING: [u64; 16] = NUMBERS.1;
/// A number for each file of an en passant capture.
pub(super) static EN_PASSANT: [u64; 8] = NUMBERS.2;
/// Black to move.
pub(super) const BLACK: u64 = NUMBERS.3;

type Numbers = ([[[u64; 64]; 6]; 2], [u64; 16], [u64; 8], u64);

const NUMBERS: Numbers = {
    let mut state = SEED;
    let mut pieces = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        (state, pieces[index / 384][index / 64 % 6][index % 64]) = next(state);
        index += 1;
    }
    // The number of a set of rights is the exclusive or of its members' numbers, so that losing rights
    // takes one step.
    let mut castling = [0; 16];
    let mut right = 0;
    while right < 4 {
        let number;
        (state, number) = next(state);
        let mut set = 0;
        while set < 16 {
            if set >> right & 1 != 0 {
                castling[set] ^= number;
            }
            set += 1;
        }
        right += 1;
    }
    let mut en_passant = [0; 8];
    let mut file = 0;
    while file < 8 {
        (state, en_passant[file]) = next(state);
        file += 1;
    }
    (pieces, castling, en_passant, next(state).1)
};

/// The fractional part of the square root of 2: a seed without a pattern.
const SEED: u64 = 0x6a09_e667_f3bc_c909;

/// The next state, a counter that advances by the golden ratio, and the number made from it by two
/// multiplications with the fractional parts of the square roots of 3 and 5.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = state;
    mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbb67_ae85_84ca_a73b);
    mixed = (mixed ^ mixed >> 29).wrapping_mul(0x3c6e_f372_fe94_f82b);
    (state, mixed ^ mixed >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut numbers: Vec<u64> = PIECES.iter().flatten().flatten().copied().collect();
        numbers.extend(CASTLING);
        numbers.extend(EN_PASSANT);
        numbers.push(BLACK);
        let count = numbers.len();
        assert_eq!(numbers.into_iter().collect::<HashSet<_>>().len(), count);
    }
}
