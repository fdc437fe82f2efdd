//! Questions: a proof search answers whether the value is at least v, and questions in a row find the
//! value.
//!
//! With one value v, every tree is an AND/OR tree: MAX has to reach a leaf that is worth at least v, MIN
//! to prevent it. An answer is a bound on the value, often a better one than was asked for, because a
//! proof is itself a tree with a minimax value.

use crate::prelude::*;

/// What a proof search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Is the value at least what was asked for?
    pub(crate) yes: bool,
    /// The bound that the proof gives: a lower one if yes, an upper one if no.
    pub(crate) bound: Value,
}

impl Answer {
    /// What is known of the value, in a tree whose values lie in `range`.
    pub(crate) fn bounds(self, range: Bounds) -> Bounds {
        match self.yes {
            true => Bounds { lower: self.bound, upper: range.upper },
            false => Bounds { lower: range.lower, upper: self.bound },
        }
    }
}

/// Finds the value by questions. `expected` is where they begin; `ask` answers one.
pub(crate) fn find_value(
    range: Bounds,
    expected: Option<Value>,
    mut ask: impl FnMut(Value) -> Result<Answer, Stop>,
) -> Result<Value, Stop> {
    let Bounds { lower: mut low, upper: mut high } = range;
    let middle = |low: Value, high: Value| low + (high - low + 1) / 2;
    let mut question = expected.unwrap_or_else(|| middle(low, high));
    let (mut seen_yes, mut seen_no, mut step) = (false, false, 1);
    while low < high {
        let answer = ask(question.clamp(low + 1, high))?;
        match answer.yes {
            true => (low, seen_yes) = (low.max(answer.bound).min(high), true),
            false => (high, seen_no) = (high.min(answer.bound).max(low), true),
        }
        // Away from the expected value by growing steps, until the value is between two answers.
        question = match (seen_yes, seen_no) {
            (true, false) if expected.is_some() => low.saturating_add(step),
            (false, true) if expected.is_some() => high.saturating_sub(step - 1),
            _ => middle(low, high),
        };
        step = step.saturating_mul(4);
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_from_every_guess() {
        for value in -7..=9 {
            for expected in (-9..=11).map(Some).chain([None]) {
                for slack in [0, 2] {
                    let range = Bounds { lower: -7, upper: 9 };
                    let mut questions = 0;
                    let found = find_value(range, expected, |least| {
                        questions += 1;
                        assert!(questions < 40);
                        // A proof may show more than was asked for.
                        Ok(match value >= least {
                            true => Answer { yes: true, bound: value.min(least + slack) },
                            false => Answer { yes: false, bound: value.max(least - 1 - slack) },
                        })
                    });
                    assert_eq!(found, Ok(value));
                }
            }
        }
    }
}
