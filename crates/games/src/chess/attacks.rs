//! Attack tables of kings, knights and pawns, and the geometry of ranks, files and diagonals.
//!
//! The inner loops work with words, not with [`Squares`](super::Squares). The tables are computed at
//! compile time.

/// The files a and h, from which a step sideways may leave the board.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;

/// The first and the last rank: no pawn stands there, since it is promoted when it arrives.
pub(super) const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

type Step = (i32, i32);

pub(super) const ROOK_STEPS: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub(super) const BISHOP_STEPS: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const KNIGHT_STEPS: [Step; 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
const KING_STEPS: [Step; 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The square one step away, unless the step leaves the board.
const fn step(square: usize, (files, ranks): Step) -> Option<usize> {
    let file = (square % 8) as i32 + files;
    let rank = (square / 8) as i32 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return None;
    }
    Some((rank * 8 + file) as usize)
}

const fn leaps<const N: usize>(steps: [Step; N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < N {
            if let Some(to) = step(square, steps[index]) {
                table[square] |= 1 << to;
            }
            index += 1;
        }
        square += 1;
    }
    table
}

/// What a piece that slides along `steps` attacks, found square by square: the definition that the
/// fast tables are built from and tested against.
pub(super) const fn slide(square: usize, occupied: u64, steps: &[Step; 4]) -> u64 {
    let mut attacks = 0;
    let mut index = 0;
    while index < 4 {
        let mut at = square;
        while let Some(to) = step(at, steps[index]) {
            attacks |= 1 << to;
            if occupied >> to & 1 != 0 {
                break;
            }
            at = to;
        }
        index += 1;
    }
    attacks
}

const fn open_lines(steps: &[Step; 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = slide(square, 0, steps);
        square += 1;
    }
    table
}

/// What a knight attacks.
pub(super) static KNIGHT: [u64; 64] = leaps(KNIGHT_STEPS);
/// What a king attacks.
pub(super) static KING: [u64; 64] = leaps(KING_STEPS);
/// What a pawn of each side attacks.
pub(super) static PAWN: [[u64; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];
/// What a rook attacks on an empty board.
pub(super) static ROOK_LINES: [u64; 64] = open_lines(&ROOK_STEPS);
/// What a bishop attacks on an empty board.
pub(super) static BISHOP_LINES: [u64; 64] = open_lines(&BISHOP_STEPS);
/// The rising diagonal through a square, as a1–h8 is.
pub(super) static RISING: [u64; 64] = open_lines(&[(1, 1), (-1, -1), (1, 1), (-1, -1)]);
/// The falling diagonal through a square, as a8–h1 is.
pub(super) static FALLING: [u64; 64] = open_lines(&[(-1, 1), (1, -1), (-1, 1), (1, -1)]);

/// A word for each pair of squares.
pub(super) type Pairs = [[u64; 64]; 64];

const fn pairs(whole_line: bool) -> Pairs {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = KING_STEPS[index];
            let back = (-files, -ranks);
            let along = [(files, ranks), back, (files, ranks), back];
            let line = slide(from, 0, &along) | 1 << from;
            let mut passed = 0;
            let mut at = from;
            while let Some(to) = step(at, (files, ranks)) {
                table[from][to] = if whole_line { line } else { passed };
                passed |= 1 << to;
                at = to;
            }
            index += 1;
        }
        from += 1;
    }
    table
}

/// The squares strictly between two squares on one rank, file or diagonal; none for other pairs.
pub(super) static BETWEEN: Pairs = pairs(false);
/// The whole rank, file or diagonal through two squares; none if they are not on one.
pub(super) static LINE: Pairs = pairs(true);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_counts() {
        let total = |table: &[u64; 64]| table.iter().map(|set| set.count_ones()).sum::<u32>();
        assert_eq!(total(&KNIGHT), 336);
        assert_eq!(total(&KING), 420);
        assert_eq!(total(&ROOK_LINES), 896);
        assert_eq!(total(&BISHOP_LINES), 560);
        assert_eq!(RISING[0].count_ones(), 7);
        assert_eq!(FALLING[0], 0);
    }

    #[test]
    fn lines_are_symmetric() {
        for a in 0..64 {
            for b in 0..64 {
                assert_eq!(BETWEEN[a][b], BETWEEN[b][a]);
                assert_eq!(LINE[a][b], LINE[b][a]);
                let shared = (ROOK_LINES[a] | BISHOP_LINES[a]) >> b & 1 != 0;
                assert_eq!(LINE[a][b] != 0, shared);
                assert_eq!(LINE[a][b] & BETWEEN[a][b], BETWEEN[a][b]);
            }
        }
    }
}
