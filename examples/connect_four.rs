//! Connect Four, complete: rules, evaluation, text, drawing. Everything else (every algorithm, tables
//! that compare them, play at the keyboard, matches, reports) comes with `Plyground`:
//!
//! ```text
//! cargo run --release --example connect_four -- play
//! cargo run --release --example connect_four -- compare --depth 6
//! cargo run --release --example connect_four -- match alpha-beta mtd-f --games 4 --depth 5
//! cargo run --release --example connect_four -- best --position ddc --algorithm ps:2 --depth 6
//! ```

use std::fmt;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use plyground::prelude::*;

/// A win at once; a win that takes longer is worth less.
const WIN: Value = 1000;
/// All places. A column is seven bits, the lowest row first, and its seventh bit stays empty: so no
/// four in a row goes over from one column into the next.
const ALL: u64 = 0x3f * 0x0000_0408_1020_4081;

/// The discs of the side to move and of the other.
#[derive(Clone, Copy, Default)]
struct Grid {
    own: u64,
    other: u64,
}

/// How many rows of four these places hold.
fn fours(places: u64) -> Value {
    let four = |step: u32| {
        let two = places & (places >> step);
        (two & (two >> (2 * step))).count_ones() as Value
    };
    [1, 6, 7, 8].map(four).iter().sum()
}

impl Grid {
    /// Has the side that moved last four in a row?
    fn is_lost(&self) -> bool {
        fours(self.other) > 0
    }

    fn drop_in(&self, column: usize) -> Option<Grid> {
        let column = 0x3f_u64.checked_shl(7 * column as u32)? & ALL & !(self.own | self.other);
        let disc = column & column.wrapping_neg();
        let next = Grid { own: self.other, other: self.own | disc };
        (disc != 0 && !self.is_lost()).then_some(next)
    }
}

struct ConnectFour(Grid);

impl GameTree for ConnectFour {
    type Node = Grid;
    type Move = u8;
    type Moves = Vec<u8>;

    fn root(&self) -> Grid {
        self.0
    }
    /// The middle first: most rows go through it.
    fn moves(&self, grid: &Grid, moves: &mut Vec<u8>) {
        let legal = |column: &u8| grid.drop_in((*column).into()).is_some();
        moves.extend([3, 2, 4, 1, 5, 0, 6].into_iter().filter(legal));
    }
    fn child(&self, grid: &Grid, column: u8) -> Grid {
        grid.drop_in(column.into()).unwrap_or(*grid)
    }
    /// The rows that each side could still fill.
    fn evaluate(&self, grid: &Grid) -> Value {
        if grid.is_lost() {
            return (grid.own | grid.other).count_ones() as Value - WIN;
        }
        fours(ALL & !grid.other) - fours(ALL & !grid.own)
    }
    fn value_range(&self) -> RangeInclusive<Value> {
        -WIN..=WIN
    }
    fn key(&self, grid: &Grid) -> u64 {
        mix(grid.own, grid.other)
    }
    fn code(&self, column: u8) -> u16 {
        column.into()
    }
}

/// A position, as the columns that were played: `ddc`.
#[derive(Clone, Debug, PartialEq)]
struct Played(String);

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Game for ConnectFour {
    type Position = Played;
    type Evaluator = ();
    const NAME: &'static str = "connect-four";
    /// What `compare` searches: a few openings.
    const EXPERIMENTS: &'static str = "ddcd\ndcbaab\nabcdefg\ncddcee\ngfedd";

    fn from_position(played: &Played, (): ()) -> ConnectFour {
        let columns = played.0.bytes().map(|letter| letter.wrapping_sub(b'a').into());
        ConnectFour(columns.fold(Grid::default(), |grid, c| grid.drop_in(c).unwrap_or(grid)))
    }
    fn position(text: &str) -> Result<Played, GameError> {
        let mut played = Played(String::new());
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let column = (letter as u32).wrapping_sub('a' as u32);
            let next = u8::try_from(column).ok().and_then(|c| Self::played(&played, c));
            played = next.ok_or_else(|| {
                let at = played.0.len() + 1;
                GameError::Text(format!("move {at}, {letter:?}: expected a column, a to g"))
            })?;
        }
        Ok(played)
    }
    fn played(played: &Played, column: u8) -> Option<Played> {
        let _ = Self::from_position(played, ()).0.drop_in(column.into())?;
        Some(Played(format!("{played}{}", Self::move_text(played, column))))
    }
    fn mover(played: &Played) -> Seat {
        Seat::ALL[played.0.len() % 2]
    }
    fn move_text(_: &Played, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }
    fn picture(played: &Played) -> String {
        let Grid { own, other } = Self::from_position(played, ()).0;
        let [x, o] = if played.0.len().is_multiple_of(2) { [own, other] } else { [other, own] };
        let disc = |place: usize| match (x >> place & 1, o >> place & 1) {
            (1, _) => " X",
            (_, 1) => " O",
            _ => " .",
        };
        let row = |row| (0..7).map(|c: usize| disc(7 * c + row)).collect::<String>() + "\n";
        (0..6_usize).rev().map(row).collect::<String>() + " a b c d e f g\n"
    }
}

impl CommandLine for ConnectFour {}

fn main() -> ExitCode {
    Plyground::new().game::<ConnectFour>().run()
}
