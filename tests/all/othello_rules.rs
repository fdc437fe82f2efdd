//! The rules against two other implementations: a slow, obvious one and the crate `magpie`.

use magpie::othello::{Board as MagpieBoard, Position as MagpieSquare, Stone};
use plyground::othello::{Board, Square, Squares};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The discs a move turns, walking the eight directions square by square.
fn slow_flips(board: &Board, square: Square) -> Squares {
    let mut all = Squares::EMPTY;
    if !board.empties().contains(square) {
        return all;
    }
    for rows in -1..=1isize {
        for columns in -1..=1isize {
            if (rows, columns) == (0, 0) {
                continue;
            }
            let mut line = Squares::EMPTY;
            for distance in 1..8 {
                let next = Square::at(
                    square.column().wrapping_add_signed(columns * distance),
                    square.row().wrapping_add_signed(rows * distance),
                );
                match next {
                    Some(next) if board.opponent().contains(next) => line = line | next.only(),
                    Some(next) if board.player().contains(next) => {
                        all = all | line;
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
    all
}

/// Half of the boards come from random games, half are discs thrown at random.
fn random_board(random: &mut StdRng) -> Board {
    if random.random_bool(0.5) {
        let taken: u64 = match random.random_range(0..3) {
            0 => random.random(),
            1 => random.random::<u64>() | random.random::<u64>(),
            _ => random.random::<u64>() & random.random::<u64>(),
        };
        let player = taken & random.random::<u64>();
        let board = Board::new(Squares::from_word(player), Squares::from_word(taken & !player));
        return board.expect("the two sets were made apart");
    }
    let mut board = Board::start();
    for _ in 0..random.random_range(0..60) {
        if board.is_over() {
            break;
        }
        if board.must_pass() {
            board = board.pass();
        }
        let moves = board.moves();
        let square = moves.into_iter().nth(random.random_range(0..moves.len())).unwrap();
        board = board.play(square).unwrap();
    }
    board
}

#[test]
fn moves_and_flips_equal_the_slow_and_the_independent_ones() {
    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..100_000 {
        let board = random_board(&mut random);
        let slow: Squares =
            Square::all().filter(|&square| !slow_flips(&board, square).is_empty()).collect();
        assert_eq!(board.moves(), slow, "{board:?}");
        let words = (board.player().word(), board.opponent().word());
        let magpie = MagpieBoard::try_from(words).unwrap();
        assert_eq!(board.moves().word(), magpie.moves_for(Stone::Black).raw(), "{board:?}");
        for square in slow {
            let flips = board.flips(square);
            assert_eq!(flips, slow_flips(&board, square), "{square} on {board:?}");
            let next = board.play(square).unwrap();
            let mut magpie = magpie.clone();
            magpie.play(Stone::Black, MagpieSquare::try_from(square.only().word()).unwrap());
            assert_eq!(next.opponent().word(), magpie.bits_for(Stone::Black).raw());
            assert_eq!(next.player().word(), magpie.bits_for(Stone::White).raw());
        }
    }
}
