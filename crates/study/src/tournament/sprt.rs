//! The sequential probability ratio test: is A stronger by E1 Elo rather than by E0?
//!
//! After every pair of games the logarithm of the likelihood ratio of the two hypotheses is compared
//! with two bounds. The test ends when it passes one of them; the probability of an error is 5 % either
//! way (Wald 1945). The probabilities that a pair gives 0, ½, …, 2 points are unknown, so each hypothesis
//! gets the distribution that fits best among those with its mean. This is the generalised test, without
//! the normal approximation, which is bad for few pairs.

use std::str::FromStr;

use thiserror::Error;

use super::score::{Pentanomial, SHARES, expected};

/// The test's two hypotheses, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// H0: A is stronger by this difference.
    pub elo0: f64,
    /// H1: A is stronger by this difference, which is greater.
    pub elo1: f64,
}

/// The hypothesis that the test accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The smaller difference.
    H0,
    /// The greater difference.
    H1,
}

impl Hypothesis {
    /// `H0` or `H1`.
    pub const fn name(self) -> &'static str {
        match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        }
    }
}

/// The probability of either error.
const ERROR: f64 = 0.05;

/// The count of a result that has not occurred yet. Zero would make means beyond all results
/// impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The test ends when the log-likelihood ratio reaches this bound or its negative.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// The logarithm of the likelihood ratio of H1 to H0.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| f64::from(count).max(UNSEEN));
        likelihood(&counts, expected(self.elo1)) - likelihood(&counts, expected(self.elo0))
    }

    /// The hypothesis that is accepted; `None` if the test goes on.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        match self.llr(pairs) {
            llr if llr >= Sprt::bound() => Some(Hypothesis::H1),
            llr if llr <= -Sprt::bound() => Some(Hypothesis::H0),
            _ => None,
        }
    }
}

/// The logarithm of the likelihood of these counts under the best distribution with this mean, minus
/// that under the best distribution of all.
///
/// By Lagrange's multiplier the best probabilities are the observed ones, each divided by
/// 1 + θ(share − mean), with the θ that gives the mean.
fn likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let counted = || counts.iter().zip(SHARES).map(|(&count, share)| (count, share - mean));
    // The sum falls as θ grows, from +∞ to −∞ between these two.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let theta = (low + high) / 2.0;
        let sum: f64 = counted().map(|(count, off)| count * off / (1.0 + theta * off)).sum();
        if sum > 0.0 { low = theta } else { high = theta }
    }
    let theta = (low + high) / 2.0;
    -counted().map(|(count, off)| count * (theta * off).ln_1p()).sum::<f64>()
}

/// A text is not a pair of hypotheses.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}`: expected two differences in Elo with the lesser first, such as 0,10")]
pub struct ParseSprtError(String);

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.abs() < 4000.0);
        let both = text.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?)));
        match both {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
            _ => Err(ParseSprtError(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where pairs are won or lost and nothing else, the mean is the whole distribution: by hand,
    /// the ratio is that of two coins.
    #[test]
    fn two_results_are_a_coin() {
        let test = Sprt { elo0: 0.0, elo1: 100.0 };
        let (p0, p1) = (0.5f64, 0.640_065f64);
        for (lost, won) in [(10, 30), (30, 10), (7, 7), (0, 5)] {
            let by_hand =
                f64::from(won) * (p1 / p0).ln() + f64::from(lost) * ((1.0 - p1) / (1.0 - p0)).ln();
            let found = test.llr(&[lost, 0, 0, 0, won]);
            assert!((found - by_hand).abs() < 0.02, "{lost} {won}: {found}, {by_hand}");
        }
    }

    /// With many pairs the normal approximation is good: n (s1 − s0)(2 m − s0 − s1) / 2v.
    #[test]
    fn many_pairs_are_nearly_normal() {
        let pairs: Pentanomial = [50, 240, 420, 270, 60];
        let test = Sprt { elo0: 0.0, elo1: 5.0 };
        let all = 1040.0;
        let mean = (240.0 * 0.25 + 420.0 * 0.5 + 270.0 * 0.75 + 60.0) / all;
        let square = (240.0 * 0.0625 + 420.0 * 0.25 + 270.0 * 0.5625 + 60.0) / all;
        let (s0, s1) = (0.5, expected(5.0));
        let normal = all * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * (square - mean * mean));
        let found = test.llr(&pairs);
        assert!((found - normal).abs() < 0.05, "{found}, {normal}");
    }

    #[test]
    fn it_decides_at_its_bounds() {
        assert!((Sprt::bound() - 2.944_439).abs() < 1e-6);
        let test: Sprt = "-10,10".parse().unwrap();
        assert_eq!(test.llr(&[0; 5]), 0.0);
        assert_eq!(test.decision(&[1, 2, 3, 2, 1]), None);
        // A mirror image has the opposite ratio.
        let (pairs, mirror) = ([2, 5, 9, 30, 40], [40, 30, 9, 5, 2]);
        assert!((test.llr(&pairs) + test.llr(&mirror)).abs() < 1e-6);
        assert_eq!(test.decision(&[20, 50, 90, 300, 400]), Some(Hypothesis::H1));
        assert_eq!(test.decision(&[400, 300, 90, 50, 20]), Some(Hypothesis::H0));
        // A few pairs decide nothing, however one-sided.
        assert_eq!(test.decision(&[0, 0, 0, 0, 3]), None);
    }

    #[test]
    fn hypotheses_are_read() {
        assert_eq!("0,10".parse(), Ok(Sprt { elo0: 0.0, elo1: 10.0 }));
        for wrong in ["", "5", "10,0", "0,0", "a,b", "0,10,20", "nan,1", "0,inf"] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}
