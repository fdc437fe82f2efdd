//! A figure as it is printed, and the numbers that it stands for.

use std::fmt;

/// The numbers that a printed figure stands for, both ends included.
///
/// ```
/// use plyground_study::verify::Interval;
///
/// let of = |text: &str| Interval::printed(text).map(|i| (i.low, i.high));
/// assert_eq!(of("3,005,288 leaves"), Some((3_005_287.5, 3_005_288.5)));
/// assert_eq!(of("97 million"), Some((96.5e6, 97.5e6)));
/// assert!(Interval::printed("0.9").is_some_and(|i| i.contains(0.94) && !i.contains(0.96)));
/// assert_eq!(of("22 to 29 million"), Some((21.5e6, 29.5e6)));
/// assert_eq!(of("at most 1.1"), Some((f64::NEG_INFINITY, 1.1)));
/// assert_eq!(of("a few"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least number.
    pub low: f64,
    /// The greatest number.
    pub high: f64,
}

/// Words that multiply the number before them.
const SCALES: [(&str, f64); 3] = [("thousand", 1e3), ("million", 1e6), ("billion", 1e9)];

/// A number of a text: its value, and half a unit of its last digit.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    half: f64,
}

impl Interval {
    /// The interval of a figure: what is rounded to it, or the interval that it names (`A to B`, `A–B`,
    /// `A ± B`, `at most A`, `at least A`). `None` if there is no number in it.
    pub fn printed(text: &str) -> Option<Interval> {
        let (before, first, rest) = number(text)?;
        let rest = rest.trim_start();
        // The unit may stand before the second number too: 22 % to 29 %.
        let joined = rest.trim_start_matches('%').trim_start();
        let second = |joint: &str| number(joined.strip_prefix(joint)?);
        let interval = if let Some((_, spread, rest)) = second("±") {
            let scale = scale(rest);
            let (middle, spread) = (first.value * scale, spread.value * scale);
            Interval { low: middle - spread, high: middle + spread }
        } else if let Some((_, last, rest)) = second("to ").or_else(|| second("–")) {
            let scale = scale(rest);
            let low = (first.value - first.half) * scale;
            Interval { low, high: (last.value + last.half) * scale }
        } else {
            let scale = scale(rest);
            Interval { low: first.value - first.half, high: first.value + first.half }.times(scale)
        };
        let value = first.value * scale(rest);
        Some(match before.split_whitespace().last() {
            Some("most" | "under" | "below") => Interval { low: f64::NEG_INFINITY, high: value },
            Some("least" | "over" | "above") => Interval { low: value, high: f64::INFINITY },
            _ => interval,
        })
    }

    fn times(self, factor: f64) -> Interval {
        Interval { low: self.low * factor, high: self.high * factor }
    }

    /// The interval, widened at both ends by `10 %` of that end, or by `3`. `None` if the text is neither.
    pub fn widened(self, by: &str) -> Option<Interval> {
        let (amount, is_share) = match by.trim().strip_suffix('%') {
            Some(share) => (share.trim().parse::<f64>().ok()? / 100.0, true),
            None => (by.trim().parse::<f64>().ok()?, false),
        };
        if !(amount >= 0.0 && amount.is_finite()) {
            return None;
        }
        let wider = |end: f64| if is_share { end.abs() * amount } else { amount };
        let Interval { low, high } = self;
        Some(Interval { low: low - wider(low), high: high + wider(high) })
    }

    /// Does the number lie in the interval? Rounding errors of the last bits count as nothing.
    pub fn contains(self, number: f64) -> bool {
        let error = 1e-9 * number.abs();
        number >= self.low - error && number <= self.high + error
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = super::reading::shown;
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, _) => write!(f, "at most {}", short(self.high)),
            (_, false) => write!(f, "at least {}", short(self.low)),
            _ => write!(f, "{} to {}", short(self.low), short(self.high)),
        }
    }
}

/// What the word after a number multiplies it by.
fn scale(rest: &str) -> f64 {
    let word = rest.split_whitespace().next().unwrap_or("");
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    SCALES.iter().find(|(name, _)| *name == word).map_or(1.0, |(_, scale)| *scale)
}

/// The first number of a text, with what stands before and after it.
fn number(text: &str) -> Option<(&str, Number, &str)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let is_part = |(at, c): (usize, char)| {
        let followed = || text[start + at + 1..].starts_with(|c: char| c.is_ascii_digit());
        c.is_ascii_digit() || (matches!(c, ',' | '.') && followed())
    };
    let length = text[start..].char_indices().take_while(|&place| is_part(place)).count();
    let (digits, rest) = text[start..].split_at(length);
    let digits = digits.replace(',', "");
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let negative = text[..start].ends_with(['-', '−']);
    let value: f64 = digits.parse().ok()?;
    let number = Number {
        value: if negative { -value } else { value },
        half: 0.5 * 0.1_f64.powi(i32::try_from(decimals).ok()?),
    };
    Some((&text[..start], number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(text: &str, low: f64, high: f64) {
        let found = Interval::printed(text).unwrap();
        let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9 * b.abs().max(1.0);
        assert!(close(found.low, low) && close(found.high, high), "{text}: {found:?}");
    }

    #[test]
    fn figures_say_their_intervals() {
        near("284 of the 300", 283.5, 284.5);
        near("2.05 ± 0.12 times", 1.93, 2.17);
        near("0.83–0.98", 0.825, 0.985);
        near("46 %", 45.5, 46.5);
        near("15 % to 30 %", 14.5, 30.5);
        near("-3.08 discs", -3.085, -3.075);
        near("1.2, or more", 1.15, 1.25);
        near("about 1.5 million.", 1.45e6, 1.55e6);
        near("at least 0.85", 0.85, f64::INFINITY);
        near("under 10 minutes", f64::NEG_INFINITY, 10.0);
        assert_eq!(Interval::printed("none"), None);
    }

    #[test]
    fn intervals_are_widened() {
        let printed = Interval::printed("100").unwrap();
        assert_eq!(printed.widened("3"), Some(Interval { low: 96.5, high: 103.5 }));
        let by_share = printed.widened("10 %").unwrap();
        assert!(by_share.contains(89.6) && by_share.contains(110.5) && !by_share.contains(111.0));
        for wrong in ["", "x", "-1", "nan", "% 5"] {
            assert_eq!(printed.widened(wrong), None, "{wrong}");
        }
    }
}
