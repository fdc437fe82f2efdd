//! Noughts and crosses with the library alone: every algorithm of the catalogue says draw.

use std::error::Error;
use std::ops::RangeInclusive;

use plyground::prelude::*;
use plyground::search::{SearchSpec, best_move, catalogue, check_against_minimax, search};

struct TicTacToe;

/// The squares of the side to move and of the other, a bit each.
type Board = (u16, u16);

const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

fn is_lost((_, other): &Board) -> bool {
    ROWS.iter().any(|row| other & row == *row)
}

impl GameTree for TicTacToe {
    type Node = Board;
    type Move = u16;
    type Moves = Vec<u16>;

    fn root(&self) -> Board {
        (0, 0)
    }
    fn moves(&self, board: &Board, moves: &mut Vec<u16>) {
        let empty = |square: &u16| (board.0 | board.1) >> square & 1 == 0 && !is_lost(board);
        moves.extend((0..9).filter(empty));
    }
    fn child(&self, &(own, other): &Board, square: u16) -> Board {
        (other, own | 1 << square)
    }
    fn evaluate(&self, board: &Board) -> Value {
        if is_lost(board) { -1 } else { 0 }
    }
    fn value_range(&self) -> RangeInclusive<Value> {
        -1..=1
    }
    fn key(&self, board: &Board) -> u64 {
        mix(board.0.into(), board.1.into())
    }
    fn code(&self, square: u16) -> u16 {
        square
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for algorithm in catalogue().flat_map(|entry| entry.examples()) {
        let outcome = search(&TicTacToe, &SearchSpec::new(&algorithm, 9))?;
        let draw = outcome.value.is_none_or(|value| value == 0);
        println!("{algorithm:24} {}", if draw { "draw" } else { "WRONG" });
    }
    let agreed = check_against_minimax(&TicTacToe, 5)?;
    println!("{agreed} searches agree with minimax; best: {:?}", best_move(&TicTacToe, 9));
    Ok(())
}
