use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::chess::testing::positions;

/// A network of random weights.
fn network(seed: u64) -> Network {
    let mut random = StdRng::seed_from_u64(seed);
    let mut small = |most: i16| random.random_range(-most..=most);
    let weights = NetworkWeights {
        about: "random".into(),
        inputs: (0..INPUTS).map(|_| std::array::from_fn(|_| small(60))).collect(),
        biases: std::array::from_fn(|_| small(100)),
        outputs: std::array::from_fn(|_| {
            std::array::from_fn(|_| std::array::from_fn(|_| small(127)))
        }),
        output_biases: std::array::from_fn(|_| i32::from(small(5000))),
    };
    Network::new(weights).unwrap()
}

#[test]
fn sums_that_are_kept_are_the_sums() {
    let networks = [network(1), network(2)];
    for (number, board) in positions(200).enumerate() {
        // Two networks in turns: the sums of one are not taken for those of the other.
        let network = &networks[number / 3 % 2];
        assert_eq!(network.evaluate(&board), network.evaluate_anew(&board), "{board}");
        for mv in board.moves().iter().take(8) {
            let next = board.play(*mv);
            assert_eq!(network.evaluate(&next), network.evaluate_anew(&next), "{next}");
        }
    }
}

#[test]
fn vectors_and_plain_loops_agree() {
    let network = network(3);
    for board in positions(100) {
        let (fast, plain) = sums::with_sums(&network, &board, |sums| {
            let weights = &network.weights.outputs[bucket(&board)];
            let both = |product: fn(&sums::HiddenSums, &[i16; HIDDEN]) -> i32| {
                product(sums[0], &weights[0]) + product(sums[1], &weights[1])
            };
            (both(sums::product), both(sums::product_body))
        });
        assert_eq!(fast, plain);
    }
}

#[test]
fn colours_and_sides_of_the_board_change_nothing() {
    let network = network(4);
    for board in positions(200) {
        let text = board.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let exchanged: String = fields[0]
            .chars()
            .map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            })
            .collect();
        let upside_down: Vec<&str> = exchanged.split('/').rev().collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let other = Board::from_fen(&format!("{} {side} - - 0 1", upside_down.join("/"))).unwrap();
        assert_eq!(network.evaluate(&other), network.evaluate(&board), "{board}");
        let turned: Vec<String> =
            fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
        let turned =
            Board::from_fen(&format!("{} {} - - 0 1", turned.join("/"), fields[1])).unwrap();
        assert_eq!(network.evaluate(&turned), network.evaluate(&board), "{board}");
    }
}

#[test]
fn files_are_read_back_and_wrong_ones_refused() {
    let network = network(5);
    let bytes = network.to_bytes();
    assert_eq!(Network::from_bytes(&bytes).unwrap().weights, network.weights);
    let message = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
    assert!(message(b"material = 1").contains("another kind of file"));
    let mut other = bytes.clone();
    other[10..12].copy_from_slice(&64u16.to_le_bytes());
    let expected = format!("version 1 with 64 hidden neurons; expected 1 with {HIDDEN}");
    assert!(message(&other).contains(&expected));
    let mut large = network.weights.clone();
    large.outputs[0][0][0] = 128;
    assert!(Network::new(large).unwrap_err().to_string().contains("128; expected at most 127"));
    let mut large = network.weights.clone();
    large.inputs[5][7] = 1030;
    assert!(Network::new(large).unwrap_err().to_string().contains("neuron 7"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_flipped_bit_is_found(at in any::<prop::sample::Index>(), bit in 0..8u32) {
        static FILE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| network(6).to_bytes());
        let mut bytes = FILE.clone();
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert!(Network::from_bytes(&bytes).is_err());
        bytes.truncate(at);
        prop_assert!(Network::from_bytes(&bytes).is_err());
    }
}
