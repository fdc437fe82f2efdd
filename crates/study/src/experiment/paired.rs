//! Two searches on the same positions: paired ratios, what chance would explain, and many such
//! comparisons at once.
//!
//! A ratio is of one position, so what makes a position hard for both searches cancels out. Its geometric
//! mean has two intervals: Student's, which assumes that logarithms are normally distributed, and a
//! bootstrap's, which assumes only that the positions are a sample. Totals stand beside it: the largest
//! positions weigh most there. Where many comparisons are made, Holm's correction says which of them would
//! still be remarkable.

use plyground_core::tree::mix;

use super::Ratio;
use super::ratio::student;

/// How often positions are drawn again for a bootstrap interval.
const RESAMPLES: u64 = 2000;

/// Two searches compared on the positions that both finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedRatio {
    /// The geometric mean of the ratios with Student's interval.
    pub ratio: Ratio,
    /// The bootstrap's 95 % interval of the geometric mean.
    pub bootstrap: (f64, f64),
    /// The ratio of the sums over all positions.
    pub total: f64,
    /// The probability of a mean at least this far from 1 if there were no difference, by a two-sided
    /// paired t-test of the logarithms; 1 for a single position.
    pub p: f64,
}

impl PairedRatio {
    /// Are both intervals below this limit, or above it? `None` if they do not decide. Few positions decide
    /// little: a bootstrap of few positions is too narrow, and Student's interval is not; fewer than
    /// [`FEWEST`](PairedRatio::FEWEST) decide nothing.
    pub fn is_below(&self, limit: f64) -> Option<bool> {
        let (low, high) = self.bootstrap;
        let (low, high) = (low.min(self.ratio.low), high.max(self.ratio.high));
        let decided = self.ratio.count >= PairedRatio::FEWEST && (high < limit || low > limit);
        decided.then_some(high < limit)
    }

    /// The probability of a mean at least this far from the limit if that were the true one, as [`p`] is for 1.
    ///
    /// [`p`]: PairedRatio::p
    pub fn p_against(&self, limit: f64) -> f64 {
        let Ratio { mean, high, count, .. } = self.ratio;
        if count < 2 {
            return 1.0;
        }
        let error = (high / mean).ln() / student(count - 1);
        let difference = (mean / limit).ln();
        match error > 0.0 {
            true => student_p(difference / error, (count - 1) as f64),
            false => f64::from(u8::from(difference == 0.0)),
        }
    }

    /// The fewest positions that may decide anything.
    pub const FEWEST: usize = 4;

    /// The same in other units: 100 for percent.
    pub fn scaled(self, factor: f64) -> PairedRatio {
        let Ratio { mean, low, high, count } = self.ratio;
        let ratio = Ratio { mean: factor * mean, low: factor * low, high: factor * high, count };
        let (low, high) = self.bootstrap;
        let bootstrap = (factor * low, factor * high);
        PairedRatio { ratio, bootstrap, total: factor * self.total, p: self.p }
    }

    /// The mean and its bootstrap interval as texts for a table, formatted by `digits`. The interval is empty
    /// if it says nothing.
    pub fn cells(paired: Option<PairedRatio>, digits: impl Fn(f64) -> String) -> [String; 2] {
        let ratio = paired.map(|paired| Ratio {
            low: paired.bootstrap.0,
            high: paired.bootstrap.1,
            ..paired.ratio
        });
        Ratio::cells(ratio, digits)
    }

    /// Compares by pairs (this search's number, the other's number), one for each position; `None` if no
    /// pair has two positive numbers.
    ///
    /// ```
    /// use plyground_study::experiment::PairedRatio;
    /// let pairs = [(50.0, 100.0), (40.0, 100.0), (60.0, 110.0), (45.0, 100.0)];
    /// let found = PairedRatio::of(pairs).unwrap();
    /// assert!(found.ratio.high < 1.0 && found.p < 0.01);
    /// ```
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<PairedRatio> {
        let positive = |pair: &(f64, f64)| {
            pair.0 > 0.0 && pair.1 > 0.0 && pair.0.is_finite() && pair.1.is_finite()
        };
        let pairs: Vec<(f64, f64)> = pairs.into_iter().filter(positive).collect();
        let ratio = Ratio::of(pairs.iter().map(|(a, b)| a / b))?;
        let logs: Vec<f64> = pairs.iter().map(|(a, b)| (a / b).ln()).collect();
        let (ours, theirs) = pairs.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0, b + pair.1));
        let (low, high) = bootstrap(&logs, 1);
        Some(PairedRatio {
            ratio,
            bootstrap: (low.exp(), high.exp()),
            total: ours / theirs,
            p: paired_p(&logs),
        })
    }
}

/// The 95 % percentile interval of the mean of these numbers, from samples drawn with replacement. The same
/// seed gives the same interval.
pub fn bootstrap(numbers: &[f64], seed: u64) -> (f64, f64) {
    let n = numbers.len() as u64;
    if n == 0 {
        return (f64::NAN, f64::NAN);
    }
    let mean_of = |sample: u64| {
        let draw = |i: u64| numbers[(mix(mix(seed, sample), i) % n) as usize];
        (0..n).map(draw).sum::<f64>() / n as f64
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(mean_of).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    (at(0.025), at(0.975))
}

/// Holm's correction: each probability as it has to be read beside all the others. Whoever looks at `m`
/// comparisons and calls those below 0.05 remarkable is wrong about any of them in at most one family of
/// twenty.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        let left = (probabilities.len() - rank) as f64;
        least = least.max((left * probabilities[i]).min(1.0));
        adjusted[i] = least;
    }
    adjusted
}

/// The two-sided probability of as many changes in one direction, if both were as likely: the exact sign
/// test of McNemar's table. 1 without a change.
///
/// ```
/// use plyground_study::experiment::sign_test;
/// assert_eq!(sign_test(3, 3), 1.0);
/// assert!((sign_test(8, 0) - 2.0 / 256.0).abs() < 1e-12);
/// ```
pub fn sign_test(gained: u64, lost: u64) -> f64 {
    let (n, least) = (gained + lost, gained.min(lost));
    let mut term = 0.5f64.powi(i32::try_from(n).unwrap_or(i32::MAX));
    let mut sum = 0.0;
    for k in 0..=least {
        sum += term;
        term *= (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}

/// The two-sided probability of these differences' mean, if their true mean were 0.
fn paired_p(differences: &[f64]) -> f64 {
    let n = differences.len() as f64;
    if n < 2.0 {
        return 1.0;
    }
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    if error == 0.0 {
        return if mean == 0.0 { 1.0 } else { 0.0 };
    }
    student_p(mean / error, n - 1.0)
}

/// The probability that Student's t is at least this far from 0.
pub(crate) fn student_p(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function, by its continued fraction (Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges quickly on the left side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    const TINY: f64 = 1e-300;
    let off_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (mut c, mut d) = (1.0, 1.0 / off_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for i in 1..300 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for term in [even, odd] {
            d = 1.0 / off_zero(1.0 + term * d);
            c = off_zero(1.0 + term / c);
            fraction *= c * d;
        }
        if (fraction / before - 1.0).abs() < 1e-14 {
            break;
        }
    }
    let factor = a * x.ln() + b * (1.0 - x).ln() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    factor.exp() * fraction / a
}

/// The logarithm of the gamma function (Lanczos, 7 terms).
fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let terms = COEFFICIENTS.iter().enumerate().map(|(i, c)| c / (x + i as f64 + 1.0));
    let series = 0.999_999_999_999_809_9 + terms.sum::<f64>();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + series.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_probabilities() {
        // From tables: the two-sided 5 % points of Student's t.
        for (freedom, t) in
            [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (19.0, 2.093), (119.0, 1.980)]
        {
            assert!((student_p(t, freedom) - 0.05).abs() < 1e-4, "{freedom}");
            assert!((student_p(-t, freedom) - 0.05).abs() < 1e-4, "{freedom}");
        }
        assert!((student_p(0.0, 7.0) - 1.0).abs() < 1e-12);
        // One degree of freedom is Cauchy's distribution: 1 is its quartile.
        assert!((student_p(1.0, 1.0) - 0.5).abs() < 1e-12);
        assert!(student_p(50.0, 30.0) < 1e-12);
    }

    #[test]
    fn holms_correction() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (a, b) in adjusted.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn intervals_agree_where_logarithms_are_well_behaved() {
        let pairs = (0..60u32).map(|i| (f64::from(90 + i % 7), 100.0));
        let found = PairedRatio::of(pairs).unwrap();
        let (low, high) = found.bootstrap;
        assert!((low / found.ratio.low - 1.0).abs() < 0.01, "{found:?}");
        assert!((high / found.ratio.high - 1.0).abs() < 0.01, "{found:?}");
        assert!((found.total - found.ratio.mean).abs() < 0.01 && found.p < 1e-6, "{found:?}");
        assert_eq!(
            [0.5, 0.93, 2.0].map(|limit| found.is_below(limit)),
            [Some(false), None, Some(true)]
        );
        // The same probability from the interval as from the numbers, and none far from the mean.
        assert!((found.p_against(1.0) - found.p).abs() < 1e-6, "{found:?}");
        assert!((found.p_against(found.ratio.high) - 0.05).abs() < 1e-3, "{found:?}");
        assert!(found.p_against(found.ratio.mean) > 0.999);
    }

    #[test]
    fn what_says_nothing_says_nothing() {
        assert_eq!(PairedRatio::of([(0.0, 1.0), (1.0, f64::NAN)]), None);
        let one = PairedRatio::of([(1.0, 2.0)]).unwrap();
        assert_eq!((one.p, one.bootstrap, one.total), (1.0, (0.5, 0.5), 0.5));
        assert_eq!(PairedRatio::of([(3.0, 3.0), (2.0, 2.0)]).unwrap().p, 1.0);
        let (low, high) = bootstrap(&[], 1);
        assert!(low.is_nan() && high.is_nan());
    }
}
