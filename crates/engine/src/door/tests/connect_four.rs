//! Connect Four, as somebody who has never seen the rest of the program would write it.

use std::fmt;
use std::ops::RangeInclusive;

use crate::game::{Game, GameError, Seat};
use plyground_core::tree::{GameTree, MoveList, mix};
use plyground_core::value::Value;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// Won at once; a win that takes longer is worth less.
const WON: Value = 1000;

/// The discs of the side to move and of the other, each column in seven bits, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    own: u64,
    other: u64,
    plies: u32,
}

impl Columns {
    fn height(&self, column: usize) -> usize {
        (((self.own | self.other) >> (column * 7)) & 0x7f).count_ones() as usize
    }

    fn drop_in(&self, column: usize) -> Option<Columns> {
        let row = self.height(column);
        let disc = 1 << (column * 7 + row);
        let next = Columns { own: self.other, other: self.own | disc, plies: self.plies + 1 };
        (row < ROWS && !self.is_lost()).then_some(next)
    }

    /// Has the side that moved last four in a row?
    fn is_lost(&self) -> bool {
        [1, 6, 7, 8].into_iter().any(|step| {
            let two = self.other & (self.other >> step);
            two & (two >> (2 * step)) != 0
        })
    }

    fn disc(&self, column: usize, row: usize) -> char {
        let bit = 1 << (column * 7 + row);
        let [own, other] = if self.plies.is_multiple_of(2) { ['X', 'O'] } else { ['O', 'X'] };
        match (self.own & bit != 0, self.other & bit != 0) {
            (true, _) => own,
            (_, true) => other,
            _ => '.',
        }
    }
}

/// The columns, each from below: `XO/X/////`.
impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = |column| (0..self.height(column)).map(|row| self.disc(column, row)).collect();
        f.write_str(&(0..COLUMNS).map(column).collect::<Vec<String>>().join("/"))
    }
}

#[derive(Clone, Copy, Default)]
pub struct Drops {
    columns: [u8; COLUMNS],
    len: usize,
}

impl MoveList for Drops {
    type Move = u8;

    fn len(&self) -> usize {
        self.len
    }

    fn at(&self, index: usize) -> u8 {
        self.columns[index]
    }
}

pub struct ConnectFour(Columns);

impl GameTree for ConnectFour {
    type Node = Columns;
    type Move = u8;
    type Moves = Drops;

    fn root(&self) -> Columns {
        self.0
    }

    fn moves(&self, grid: &Columns, moves: &mut Drops) {
        for column in [3, 2, 4, 1, 5, 0, 6].into_iter().filter(|&c| grid.drop_in(c).is_some()) {
            moves.columns[moves.len] = column as u8;
            moves.len += 1;
        }
    }

    fn child(&self, grid: &Columns, column: u8) -> Columns {
        grid.drop_in(column.into()).unwrap_or(*grid)
    }

    fn evaluate(&self, grid: &Columns) -> Value {
        if grid.is_lost() { grid.plies as Value - WON } else { 0 }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -WON..=WON
    }

    fn key(&self, grid: &Columns) -> u64 {
        mix(grid.own, grid.other)
    }

    fn code(&self, column: u8) -> u16 {
        column.into()
    }
}

impl Game for ConnectFour {
    type Position = Columns;
    type Evaluator = ();
    const NAME: &'static str = "connect-four";

    fn from_position(grid: &Columns, (): ()) -> ConnectFour {
        ConnectFour(*grid)
    }

    fn position(text: &str) -> Result<Columns, GameError> {
        let mut grid = Columns::default();
        let columns: Vec<&str> = if text.is_empty() { vec![] } else { text.split('/').collect() };
        let discs =
            |disc: &str| columns.iter().map(|c| c.matches(disc).count() as u32).sum::<u32>();
        grid.plies = discs("X") + discs("O");
        for (column, text) in columns.iter().enumerate() {
            for (row, disc) in text.chars().enumerate() {
                let bits = match (disc, grid.plies % 2) {
                    ('X', 0) | ('O', 1) => &mut grid.own,
                    ('X' | 'O', _) => &mut grid.other,
                    _ => return Err(GameError::Text(format!("{disc:?}: expected X or O"))),
                };
                *bits |= 1 << (column * 7 + row);
            }
        }
        Ok(grid)
    }

    fn played(grid: &Columns, column: u8) -> Option<Columns> {
        grid.drop_in(column.into())
    }

    fn mover(grid: &Columns) -> Seat {
        Seat::ALL[grid.plies as usize % 2]
    }

    fn move_text(_: &Columns, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }

    fn picture(grid: &Columns) -> String {
        let row = |row| (0..COLUMNS).map(|c| format!("{} ", grid.disc(c, row))).collect::<String>();
        (0..ROWS).rev().map(|r| row(r).trim_end().to_owned() + "\n").collect()
    }
}
