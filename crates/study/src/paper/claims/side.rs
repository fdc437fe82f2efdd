//! What single settings say of a claim, and what all of them together do.
//!
//! A claim that is tried in sixteen settings gets one of them right or wrong by chance sooner or later. So a
//! setting counts only if its interval decides and its probability would still be remarkable beside those of
//! the claim's other settings, by Holm's correction; and a verdict needs at least half of the settings.

use super::Verdict;
use crate::experiment::{PairedRatio, holm, share_interval, student_p};

/// What one setting says of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::paper) struct Side {
    /// Is it for the claim or against it? `None` if its interval does not decide.
    held: Option<bool>,
    /// How probable a result as far from the limit is by chance.
    p: f64,
}

/// Degrees of freedom with which Student's distribution is the normal one, as far as anybody can see.
const MANY: f64 = 1e5;

impl Side {
    /// By a paired ratio: the claim is that it is below the limit if `less`, and above it otherwise.
    pub(in crate::paper) fn of(paired: &PairedRatio, limit: f64, less: bool) -> Side {
        let held = paired.is_below(limit).map(|below| below == less);
        Side { held, p: paired.p_against(limit) }
    }

    /// By a difference with its standard error: the claim is that it is below 0.
    pub(in crate::paper) fn of_difference(difference: f64, error: f64) -> Side {
        let z = match (difference == 0.0, error == 0.0) {
            (true, _) => 0.0,
            (false, true) => f64::INFINITY,
            (false, false) => difference / error,
        };
        let p = if z.is_finite() { student_p(z, MANY) } else { 0.0 };
        Side { held: (p < 0.05).then_some(difference < 0.0), p }
    }

    /// By a mean with its 95 % interval, which is even on a logarithmic scale: the claim is that it is below
    /// the limit.
    pub(in crate::paper) fn of_interval((mean, low, high): (f64, f64, f64), limit: f64) -> Side {
        Side::of_difference((mean / limit).ln(), log_error((low, high)))
    }

    /// By a share of `whole` cases beside one half: the claim is that it is less.
    pub(in crate::paper) fn of_share(part: f64, whole: f64) -> Side {
        let (low, high) = share_interval(part, whole);
        let z = (part / whole - 0.5) / (0.25 / whole).sqrt();
        let held = (high < 0.5 || low > 0.5).then_some(high < 0.5);
        Side { held, p: student_p(z, MANY) }
    }

    /// By a test whose probability is known.
    pub(in crate::paper) fn of_test(held: Option<bool>, p: f64) -> Side {
        Side { held, p }
    }

    /// What was decided by other means, and stands as it is.
    pub(in crate::paper) fn certain(held: Option<bool>) -> Side {
        Side { held, p: if held.is_some() { 0.0 } else { 1.0 } }
    }

    /// The same for the contrary claim.
    pub(in crate::paper) fn contrary(self) -> Side {
        Side { held: self.held.map(|held| !held), ..self }
    }

    /// What stands of these after Holm's correction over all of them.
    pub(in crate::paper) fn corrected(sides: &[Side]) -> Vec<Option<bool>> {
        let corrected = holm(&sides.iter().map(|side| side.p).collect::<Vec<_>>());
        sides.iter().zip(corrected).map(|(side, p)| side.held.filter(|_| p < 0.05)).collect()
    }
}

/// The standard error of a logarithm, from the ends of its number's 95 % interval.
pub(in crate::paper) fn log_error((low, high): (f64, f64)) -> f64 {
    (high / low).ln() / (2.0 * 1.96)
}

/// A verdict by intervals, with how many of them do not decide: the reader shall know how much it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalVerdict {
    pub(super) verdict: Verdict,
    pub(super) undecided: usize,
    pub(super) of: usize,
}

impl From<Verdict> for IntervalVerdict {
    fn from(verdict: Verdict) -> IntervalVerdict {
        IntervalVerdict { verdict, undecided: 0, of: 0 }
    }
}

impl Verdict {
    /// The verdict on a claim that intervals judge in several settings, each for it, against it or undecided:
    /// held or not held if all that decide agree, and at least half do.
    pub(in crate::paper) fn of_intervals(
        sides: impl IntoIterator<Item = Side>,
        what: &str,
    ) -> IntervalVerdict {
        let sides: Vec<Side> = sides.into_iter().collect();
        let all = Side::corrected(&sides);
        let decided: Vec<bool> = all.iter().copied().flatten().collect();
        let undecided = all.len() - decided.len();
        let verdict = match Verdict::of_sides(decided.iter().copied(), what) {
            Verdict::Held | Verdict::NotHeld if undecided > decided.len() || all.is_empty() => {
                Verdict::DependsOn("more cases".into())
            }
            verdict => verdict,
        };
        IntervalVerdict { verdict, undecided, of: all.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(sides: &[Side]) -> String {
        Verdict::of_intervals(sides.iter().copied(), "the game").verdict.to_string()
    }

    #[test]
    fn one_of_many_may_be_chance() {
        // Its interval decides, and one of twenty such intervals does so by chance.
        let lucky = Side::of_test(Some(true), 0.03);
        let nothing = Side::of_test(None, 0.4);
        assert_eq!(verdict(&[lucky]), "held");
        assert_eq!(verdict(&[lucky, nothing]), "depends on more cases");
        let clear = Side::of_test(Some(true), 1e-4);
        assert_eq!(verdict(&[clear, nothing]), "held");
        assert_eq!(verdict(&[clear, nothing, nothing]), "depends on more cases");
        assert_eq!(verdict(&[clear, clear.contrary()]), "depends on the game");
        assert_eq!(verdict(&[clear.contrary()]), "not held");
        assert_eq!(verdict(&[]), "depends on more cases");
    }

    #[test]
    fn sides_of_means_intervals_and_shares() {
        assert_eq!(Side::of_difference(-2.0, 1.0).held, Some(true));
        assert_eq!(Side::of_difference(1.9, 1.0).held, None);
        assert!((Side::of_difference(1.96, 1.0).p - 0.05).abs() < 1e-4);
        assert_eq!(Side::of_difference(0.0, 0.0), Side { held: None, p: 1.0 });
        assert_eq!(Side::of_difference(3.0, 0.0), Side { held: Some(false), p: 0.0 });
        // An interval whose end is the limit has a probability of one in twenty.
        let at_the_limit = Side::of_interval((2.0, 1.0, 4.0), 1.0);
        assert!((at_the_limit.p - 0.05).abs() < 1e-4, "{at_the_limit:?}");
        assert_eq!(Side::of_interval((2.0, 1.5, 2.7), 5.0).held, Some(true));
        assert_eq!(Side::of_share(3.0, 30.0).held, Some(true));
        assert_eq!(Side::of_share(16.0, 30.0).held, None);
        let pairs = (0..20u32).map(|i| (f64::from(90 + i % 5), 100.0));
        let paired = PairedRatio::of(pairs).unwrap();
        assert_eq!(Side::of(&paired, 1.0, true).held, Some(true));
        assert_eq!(Side::of(&paired, 0.9, true).held, Some(false));
        assert_eq!(Side::of(&paired, 1.0, false).held, Some(false));
    }
}
