//! Adjudication: the end of games that are decided, or drawn, before the rules end them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use plyground_core::value::Value;
use plyground_engine::game::{Remark, Seat, Verdict};

/// The rules by which games are adjudicated; by default none are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// When a side has lost.
    pub resign: Option<ResignRule>,
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
}

/// A side has lost that says of this many of its moves in a row that its position is worth no more than
/// `-value`. Written `MOVES,VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// The moves in a row.
    pub moves: u32,
    /// The value, in hundredths of a pawn or a disc.
    pub value: Value,
}

/// A game is drawn if, not before move `from`, both sides say of this many moves in a row that the
/// position is worth at most `value` to either side. Written `FROM,MOVES,VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move of each side that counts, numbered from 1 at the end of the opening.
    pub from: u32,
    /// The moves in a row.
    pub moves: u32,
    /// The value, in hundredths of a pawn or a disc.
    pub value: Value,
}

/// A text is not such a rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{found}`: expected {expected}")]
pub struct ParseRuleError {
    found: String,
    expected: &'static str,
}

/// Whole numbers with commas between them, the values at least 0, the others at least 1.
fn numbers<const N: usize>(
    text: &str,
    expected: &'static str,
) -> Result<[Value; N], ParseRuleError> {
    let wrong = || ParseRuleError { found: text.into(), expected };
    let numbers: Result<Vec<Value>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let numbers: [Value; N] = numbers.ok().and_then(|n| n.try_into().ok()).ok_or_else(wrong)?;
    let last = N - 1;
    let fits = |(place, number): (usize, &Value)| *number >= Value::from(place < last);
    if numbers.iter().enumerate().all(fits) { Ok(numbers) } else { Err(wrong()) }
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<ResignRule, ParseRuleError> {
        let [moves, value] = numbers(text, "moves and a value, such as 3,600")?;
        Ok(ResignRule { moves: moves as u32, value })
    }
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<DrawRule, ParseRuleError> {
        let expected = "the first move, moves and a value, such as 40,8,10";
        let [from, moves, value] = numbers(text, expected)?;
        Ok(DrawRule { from: from as u32, moves: moves as u32, value })
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resign =
            self.resign.map(|ResignRule { moves, value }| format!("resign {moves},{value}"));
        let draw =
            self.draw.map(|DrawRule { from, moves, value }| format!("draw {from},{moves},{value}"));
        f.write_str(&resign.into_iter().chain(draw).collect::<Vec<_>>().join(" "))
    }
}

/// The reason of a result that is not by the rules of the game.
const REASON: &str = "adjudication";

impl Adjudication {
    /// The result of a game with these remarks, if a rule gives one. The last remark is of `mover`'s
    /// last move; a forced pass has none.
    pub(super) fn verdict(&self, remarks: &[Option<Remark>], mover: Seat) -> Option<Verdict> {
        // A side that says nothing of its moves is not judged.
        let last = |skipped: usize, moves: u32| {
            let said = remarks.iter().rev().skip(skipped).step_by(2).flatten();
            let values: Option<Vec<Value>> =
                said.take(moves as usize).map(|remark| remark.value).collect();
            values.filter(|values| values.len() == moves as usize)
        };
        if let Some(ResignRule { moves, value }) = self.resign
            && last(0, moves).is_some_and(|values| values.iter().all(|&said| said <= -value))
        {
            return Some(Verdict { winner: Some(mover.other()), reason: REASON.into() });
        }
        if let Some(DrawRule { from, moves, value }) = self.draw
            && remarks.len() >= 2 * (from as usize + moves as usize - 1)
        {
            let quiet = |values: Vec<Value>| values.iter().all(|said| said.abs() <= value);
            if last(0, moves).is_some_and(quiet) && last(1, moves).is_some_and(quiet) {
                return Some(Verdict { winner: None, reason: REASON.into() });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(values: &[Value]) -> Vec<Option<Remark>> {
        let remark = |&value: &Value| Some(Remark { value: Some(value), ..Remark::default() });
        values.iter().map(remark).collect()
    }

    #[test]
    fn rules_are_read_and_written() {
        let rules = Adjudication {
            resign: Some("3, 600".parse().unwrap()),
            draw: Some("40,8,10".parse().unwrap()),
        };
        assert_eq!(rules.to_string(), "resign 3,600 draw 40,8,10");
        assert_eq!(Adjudication::default().to_string(), "");
        for wrong in ["", "3", "0,600", "3,-1", "3,600,1", "x,1"] {
            assert!(wrong.parse::<ResignRule>().is_err(), "{wrong}");
        }
        assert!("40,0,10".parse::<DrawRule>().is_err() && "8,10".parse::<DrawRule>().is_err());
    }

    #[test]
    fn a_side_resigns_by_its_own_values() {
        let rules = Adjudication { resign: Some("2,500".parse().unwrap()), draw: None };
        let verdict = |values: &[Value]| rules.verdict(&said(values), Seat::Second);
        assert_eq!(verdict(&[0, -600, 0, -500]).unwrap().winner, Some(Seat::First));
        assert_eq!(verdict(&[0, -600, 0, -499]), None);
        assert_eq!(verdict(&[-900, -600]), None);
        // A side that does not say what its position is worth goes on.
        let mut silent = said(&[0, -600, 0, -600]);
        silent[1] = Some(Remark::default());
        assert_eq!(rules.verdict(&silent, Seat::Second), None);
    }

    #[test]
    fn both_sides_agree_on_a_draw() {
        let rules = Adjudication { resign: None, draw: Some("2,2,10".parse().unwrap()) };
        let verdict = |values: &[Value]| rules.verdict(&said(values), Seat::Second);
        assert_eq!(verdict(&[90, 0, 10, -10, 0, 5]).unwrap().winner, None);
        assert_eq!(verdict(&[90, 0, 11, -10, 0, 5]), None);
        assert_eq!(verdict(&[0, 0, 0, 0]), None, "too early");
    }
}
