//! Ratios over positions: their geometric mean with its interval.

/// A geometric mean of ratios with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval; the mean itself for a single ratio.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of ratios.
    pub count: usize,
}

/// Student's t for a two-sided 95 % interval, by degrees of freedom from 1 on.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// Student's t for a two-sided 95 % interval with these degrees of freedom, at least 1.
pub(crate) fn student(freedom: usize) -> f64 {
    let tabulated = STUDENT.get(freedom.saturating_sub(1)).copied();
    tabulated.unwrap_or(1.96 + 2.4 / freedom as f64)
}

/// The 95 % interval of a share, `part` of `whole` (Wilson 1927): it is right for few cases and for shares
/// near 0 and 1 too, where a share less and plus its error is not.
///
/// ```
/// let (low, high) = plyground_study::experiment::share_interval(0.0, 100.0);
/// assert!(low == 0.0 && (high - 0.037).abs() < 1e-3);
/// ```
pub fn share_interval(part: f64, whole: f64) -> (f64, f64) {
    if whole <= 0.0 {
        return (0.0, 1.0);
    }
    let z = 1.96_f64;
    let share = part / whole;
    let centre = share + z * z / (2.0 * whole);
    let half = z * (share * (1.0 - share) / whole + z * z / (4.0 * whole * whole)).sqrt();
    let scale = 1.0 + z * z / whole;
    (((centre - half) / scale).max(0.0), ((centre + half) / scale).min(1.0))
}

impl Ratio {
    /// The mean of these ratios; `None` if there are none. Ratios that are not positive are left out.
    ///
    /// The interval assumes that the logarithms are normally distributed, as those of ratios of counts
    /// nearly are.
    pub fn of(ratios: impl IntoIterator<Item = f64>) -> Option<Ratio> {
        let logs: Vec<f64> =
            ratios.into_iter().filter(|r| r.is_finite() && *r > 0.0).map(f64::ln).collect();
        let count = logs.len();
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let half = match count {
            1 => 0.0,
            _ => {
                let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
                student(count - 1) * (squares / (n - 1.0) / n).sqrt()
            }
        };
        Some(Ratio { mean: mean.exp(), low: (mean - half).exp(), high: (mean + half).exp(), count })
    }

    /// The mean and the interval as texts for a table, formatted by `digits`. The interval is empty if it
    /// says nothing.
    pub fn cells(ratio: Option<Ratio>, digits: impl Fn(f64) -> String) -> [String; 2] {
        let Some(Ratio { mean, low, high, count }) = ratio else {
            return ["–".into(), String::new()];
        };
        let (low, high) = (digits(low), digits(high));
        let interval =
            if count == 1 || low == high { String::new() } else { format!("{low}–{high}") };
        [digits(mean), interval]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_for_people() {
        let digits = |x: f64| format!("{x:.1}");
        assert_eq!(Ratio::cells(None, digits), ["–", ""]);
        assert_eq!(Ratio::cells(Ratio::of([2.0]), digits), ["2.0", ""]);
        assert_eq!(Ratio::cells(Ratio::of([2.0, 2.0]), digits), ["2.0", ""]);
        let wide = Ratio { mean: 1.0, low: 0.5, high: 2.0, count: 3 };
        assert_eq!(Ratio::cells(Some(wide), digits), ["1.0", "0.5–2.0"]);
    }

    #[test]
    fn means_of_ratios() {
        assert_eq!(Ratio::of([]), None);
        assert_eq!(Ratio::of([0.0, f64::NAN]), None);
        let one = Ratio::of([2.0]).unwrap();
        assert!((one.mean - 2.0).abs() < 1e-12 && one.low == one.mean && one.high == one.mean);
        let two = Ratio::of([0.5, 2.0]).unwrap();
        assert!((two.mean - 1.0).abs() < 1e-12);
        // ln 2 on either side: standard error ln 2, times 12.706.
        assert!((two.high.ln() - 12.706 * 2f64.ln()).abs() < 1e-9);
        assert!((two.low * two.high - 1.0).abs() < 1e-9);
        let many = Ratio::of((0..100).map(|i| if i % 2 == 0 { 0.9 } else { 1.1 })).unwrap();
        assert!(many.low < many.mean && many.mean < many.high && many.count == 100);
        assert!(many.high / many.low < 1.05);
    }
}
