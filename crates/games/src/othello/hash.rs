//! The hash of a board.
//!
//! It is computed from the two words when it is needed, not updated with every move. A Zobrist key
//! would cost one lookup for each disc turned, for both colours, and could go stale. Mixing costs two
//! multiplications however many discs a move turns, and is needed only where a table is used, which
//! is never for the solver's last empty squares. As a function of the board it needs no check.
//!
//! The mix is a 64×64→128-bit product folded onto itself, so that every input bit reaches every
//! output bit, and then one more multiplication, so that both the high and the low bits are fit to
//! index a table. The test below counts collisions among half a million boards reached from the start
//! position, and checks the spread over buckets.

/// Odd constants without a pattern: the fractional parts of the square roots of 2, 3 and 5.
const ROOT_2: u64 = 0x6a09_e667_f3bc_c909;
const ROOT_3: u64 = 0xbb67_ae85_84ca_a73b;
const ROOT_5: u64 = 0x3c6e_f372_fe94_f82b;

/// Hashes the mover's and the other side's discs.
#[inline(always)]
pub(super) const fn hash(player: u64, opponent: u64) -> u64 {
    let product = ((player ^ ROOT_2) as u128) * ((opponent ^ ROOT_3) as u128);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    // The low half of a product does not depend on the high bits of its factors: fold once more.
    let product = ((folded ^ player.rotate_left(32)) as u128) * (ROOT_5 as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::othello::Board;

    /// Distinct boards after exactly `plies` plies.
    fn boards_after(plies: usize) -> HashSet<Board> {
        let mut boards = HashSet::from([Board::start()]);
        for _ in 0..plies {
            boards = boards
                .iter()
                .flat_map(|board| board.moves().filter_map(|square| board.play(square)))
                .collect();
        }
        boards
    }

    #[test]
    fn no_collision_and_an_even_spread() {
        let boards = boards_after(9);
        assert!(boards.len() > 500_000, "{}", boards.len());
        let hashes: HashSet<u64> = boards.iter().map(Board::hash).collect();
        assert_eq!(hashes.len(), boards.len());
        // Both ends of the hash must index evenly: the spread over 4096 buckets stays within
        // what chance allows (chi-squared, ten standard deviations).
        for shift in [0, 20, 52] {
            let mut buckets = vec![0f64; 4096];
            for hash in &hashes {
                buckets[(hash >> shift & 4095) as usize] += 1.0;
            }
            let expected = hashes.len() as f64 / 4096.0;
            let chi: f64 = buckets.iter().map(|n| (n - expected).powi(2) / expected).sum();
            assert!((chi - 4095.0).abs() < 10.0 * (2.0 * 4095.0f64).sqrt(), "{shift}: {chi}");
        }
    }

    #[test]
    fn the_side_to_move_matters() {
        let board = Board::start();
        assert_ne!(board.hash(), board.pass().hash());
    }
}
