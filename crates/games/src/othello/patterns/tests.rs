use proptest::prelude::*;

use super::shapes::OFFSETS;
use super::*;
use crate::othello::Board;
use crate::othello::instructions::{Task, dispatch};
use crate::othello::properties::boards;

/// Weights that differ everywhere, and are the same for images.
fn weights() -> PatternWeights {
    let representatives = PatternFeatures::representatives();
    let weight = |stage: usize, state: u32| {
        let mixed = (u64::from(state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        if mixed % 3 == 0 { 0 } else { ((mixed + stage as u64) % 401) as i16 - 200 }
    };
    let states = (0..STAGES)
        .flat_map(|stage| representatives.iter().map(move |&state| weight(stage, state)))
        .collect();
    let terms = (0..STAGES as i16).map(|stage| [stage, -3, 5, -7, 300, 90, -20]).collect();
    PatternWeights::new("about = \"a test\"".into(), terms, states).unwrap()
}

/// The state of a shape square by square.
fn plain_state(instance: usize, player: u64, opponent: u64) -> u32 {
    let shapes::Instance { shape, turn } = ALL_INSTANCES[instance];
    let (ours, theirs) = (shapes::all_turned(player)[turn], shapes::all_turned(opponent)[turn]);
    let squares = (0..64).rev().filter(|square| SHAPES[shape].mask >> square & 1 != 0);
    let digit = |square: u32| (ours >> square & 1) as u32 + 2 * (theirs >> square & 1) as u32;
    OFFSETS[shape] as u32 + squares.fold(0, |state, square| 3 * state + digit(square))
}

/// The states with the instructions of this machine.
struct Found(u64, u64);

impl Task for Found {
    type Output = [u32; INSTANCES];
    fn run<I: Instructions>(self, instructions: I) -> [u32; INSTANCES] {
        Lookup::get().states(instructions, self.0, self.1)
    }
}

/// Whether the boards after all moves have the same value both ways, which is the portable one.
struct AfterMoves<'a>(&'a PatternWeights, Board);

impl Task for AfterMoves<'_> {
    type Output = bool;
    fn run<I: Instructions>(self, i: I) -> bool {
        let AfterMoves(weights, board) = self;
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let before = weights.before_moves(i, player, opponent);
        board.moves().into_iter().all(|square| {
            let (flips, next) = (board.flips(square).word(), board.play(square).unwrap());
            let (player, opponent) = (next.player().word(), next.opponent().word());
            let place = (square.index() as u32, flips);
            let after = weights.value_after(i, &before, place, (player, opponent));
            after == weights.value(i, player, opponent)
                && after == weights.value(Portable, player, opponent)
        })
    }
}

proptest! {
    #[test]
    fn states_are_looked_up_right(board in boards()) {
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let states = Lookup::get().states(Portable, player, opponent);
        for (instance, &state) in states.iter().enumerate() {
            prop_assert_eq!(state, plain_state(instance, player, opponent));
        }
        prop_assert_eq!(dispatch(Found(player, opponent)), states);
    }

    #[test]
    fn after_a_move_the_value_is_that_of_the_board(board in boards()) {
        let weights = weights();
        prop_assert!(dispatch(AfterMoves(&weights, board)));
        prop_assert!(AfterMoves(&weights, board).run(Portable));
    }

    #[test]
    fn symmetries_change_nothing(board in boards()) {
        let weights = weights();
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let value = weights.value(Portable, player, opponent);
        let images = shapes::all_turned(player).into_iter().zip(shapes::all_turned(opponent));
        for (player, opponent) in images {
            prop_assert_eq!(weights.value(Portable, player, opponent), value);
        }
        let terms = weights.explain(player, opponent);
        let sum = terms.map(|terms| terms.iter().map(|term| term.1).sum::<Value>());
        prop_assert_eq!(sum, value);
    }

    #[test]
    fn a_flipped_bit_is_found(at in any::<prop::sample::Index>(), bit in 0..8u32) {
        static FILE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| weights().to_bytes());
        let mut bytes = FILE.clone();
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert!(PatternWeights::from_bytes(&bytes).is_err());
        bytes.truncate(at);
        prop_assert!(PatternWeights::from_bytes(&bytes).is_err());
    }
}

#[test]
fn files_are_read_back() {
    let weights = weights();
    let bytes = weights.to_bytes();
    let read = PatternWeights::from_bytes(&bytes).unwrap();
    assert_eq!((&read.terms, &read.text), (&weights.terms, &weights.text));
    assert!(read.states == weights.states);
    assert!(read.to_bytes() == bytes);
}

#[test]
fn files_without_the_term_of_odd_empties_are_read() {
    let mut weights = weights();
    weights.terms.iter_mut().for_each(|terms| terms[ODD_TERM] = 0);
    let bytes = weights.to_bytes();
    let old = file::write_first_version(&weights.text, &weights.terms, &weights.states);
    assert!(old.len() < bytes.len());
    let read = PatternWeights::from_bytes(&old).unwrap();
    assert_eq!(read.terms, weights.terms);
    assert!(read.to_bytes() == bytes);
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let message = |bytes: &[u8]| PatternWeights::from_bytes(bytes).unwrap_err().to_string();
    assert!(message(b"[[stage]]").contains("another kind of file"));
    let mut bytes = weights().to_bytes();
    bytes[8] = 9;
    assert!(message(&bytes).contains("version 9; expected 2"));
    let unknown =
        PatternWeights::new("abut = 1".into(), vec![[0; TERMS]; STAGES], vec![0; STAGES * STATES]);
    assert!(unknown.unwrap_err().to_string().contains("abut"));
}

#[test]
fn a_finished_game_has_no_estimate() {
    let over = Board::from_words(0b111, 0);
    assert_eq!(PatternFeatures::of(&over), None);
    assert_eq!(weights().value(Portable, 0b111, 0), None);
}
