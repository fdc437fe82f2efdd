//! Axes: the places of numbers, and which numbers are written.

use super::super::thousands;

/// A tick of an axis; without a label, a minor one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

/// An axis from `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) is_log: bool,
    pub(super) ticks: Vec<Tick>,
}

impl Axis {
    /// An axis from a round number to a round number.
    pub(super) fn linear(low: f64, high: f64) -> Axis {
        let (low, high) = widened(low, high);
        let step = round_step((high - low) / 8.0);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let ticks = linear_ticks(first, last, step);
        Axis { low: first * step, high: last * step, is_log: false, ticks }
    }

    /// An axis from a little below to a little above, with round numbers between. With `whole`, only
    /// whole numbers are written.
    pub(super) fn padded((low, high): (f64, f64), whole: bool) -> Axis {
        let one = high - low < 1e-9 * low.abs().max(1e-270);
        let (low, high) = if one { (low - 0.5, high + 0.5) } else { (low, high) };
        // A half is lost in the rounding of a very large number.
        let (low, high) = widened(low, high);
        let pad = 0.04 * (high - low);
        let (low, high) = (low - pad, high + pad);
        let least = if whole { 1.0 } else { 0.0 };
        let step = round_step((high - low) / 10.0).max(least);
        let ticks = linear_ticks((low / step).ceil(), (high / step).floor(), step);
        Axis { low, high, is_log: false, ticks }
    }

    /// A logarithmic axis; both ends are above zero.
    pub(super) fn logarithmic(low: f64, high: f64) -> Axis {
        let (low, high) =
            if high / low < 1.0 + 1e-6 { (low / 2.0, high * 2.0) } else { (low, high) };
        // A short range has too few powers of ten. The ticks are those of a linear axis, whose step is
        // then well below `low`: the axis does not reach zero.
        if high / low < 3.0 {
            return Axis { is_log: true, ..Axis::linear(low, high) };
        }
        let (low, high) = (one_two_five(low, false), one_two_five(high, true));
        let first = low.log10().floor() as i32;
        let last = high.log10().ceil() as i32;
        let inside = |v: f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&v);
        let places: Vec<(i32, i32, f64)> = (first..=last)
            .flat_map(|power| {
                (1..10).map(move |digit| (power, digit, f64::from(digit) * ten(power)))
            })
            .filter(|&(_, _, v)| inside(v))
            .collect();
        let decades = places.iter().filter(|&&(_, digit, _)| digit == 1).count() as i32;
        let long = first < -6 || last > 9;
        // As few labels as are enough.
        let of_few = |digit: i32| matches!(digit, 1 | 2 | 5);
        let few = places.iter().filter(|&&(_, digit, _)| of_few(digit)).count();
        let every = 1 + (decades - 1) / 9;
        let is_labelled = |power: i32, digit: i32| match digit {
            1 => power.rem_euclid(every) == 0,
            _ if decades >= 4 => false,
            2 | 5 => true,
            _ => few < 4,
        };
        let ticks = places
            .iter()
            .filter(|&&(_, digit, _)| digit == 1 || decades <= 9)
            .map(|&(power, digit, at)| {
                let label = is_labelled(power, digit).then(|| power_label(digit, power, long));
                Tick { at, label }
            })
            .collect();
        Axis { low, high, is_log: true, ticks }
    }

    /// A logarithmic axis by powers of two; both ends are above zero.
    pub(super) fn binary(low: f64, high: f64) -> Axis {
        let first = (low.log2() + 1e-9).floor() as i32;
        let last = ((high.log2() - 1e-9).ceil() as i32).max(first + 1);
        let octaves = last - first;
        let every = 1 + octaves / 13;
        let mut ticks = Vec::new();
        for power in first..=last {
            let number = || match power {
                // A fraction is shorter than its decimals, and says which power it is.
                -40..=-4 => format!("1/{}", shown_number(two(-power), 0)),
                _ => shown_number(two(power), -power),
            };
            let label = (power.rem_euclid(every) == 0).then(number);
            if label.is_some() || octaves <= 52 {
                ticks.push(Tick { at: two(power), label });
            }
            // With few powers there is room for a number half-way between two.
            if power < last && octaves < 4 {
                let at = 1.5 * two(power);
                ticks.push(Tick { at, label: Some(shown_number(at, 1 - power)) });
            }
        }
        Axis { low: two(first), high: two(last), is_log: true, ticks }
    }

    /// A logarithmic axis from a little below to a little above, without ticks: the caller adds named
    /// ones.
    pub(super) fn logarithmic_padded((low, high): (f64, f64)) -> Axis {
        let pad = (high / low).powf(0.05).max(1.1);
        Axis { low: low / pad, high: high * pad, is_log: true, ticks: Vec::new() }
    }

    /// The place of `v`: 0 at the low end, 1 at the high end.
    pub(super) fn part(&self, v: f64) -> f64 {
        if self.is_log {
            (v.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            (v - self.low) / (self.high - self.low)
        }
    }

    pub(super) fn labelled(&self) -> impl Iterator<Item = f64> + '_ {
        self.ticks.iter().filter(|t| t.label.is_some()).map(|t| t.at)
    }
}

/// Can this number be used? Differences of larger ones would overflow.
pub(super) fn usable(v: f64) -> bool {
    v.is_finite() && v.abs() < 1e290
}

/// Numbers up to this count as zero on a logarithmic axis: smaller powers of ten would underflow.
pub(super) const LEAST_LOG: f64 = 1e-280;

/// The least and the greatest.
pub(super) fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |span, v| {
        let (low, high) = span.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    })
}

/// Ends that differ enough to write numbers between them.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < 1e-290 {
        (0.0, 1.0)
    } else if high - low < size * 1e-9 {
        (low - 0.1 * size, high + 0.1 * size)
    } else {
        (low, high)
    }
}

fn two(power: i32) -> f64 {
    2f64.powi(power)
}

fn ten(power: i32) -> f64 {
    10f64.powi(power)
}

/// The next of 1, 2, 5, 10, … at or above `least`.
fn round_step(least: f64) -> f64 {
    one_two_five(least, true)
}

/// The nearest of …, 1, 2, 5, 10, … above `v`, or below it; `v` itself if it is one.
fn one_two_five(v: f64, above: bool) -> f64 {
    let power = v.log10().floor() as i32;
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * ten(power));
    let found = if above {
        candidates.into_iter().find(|&c| c >= v * (1.0 - 1e-9))
    } else {
        candidates.into_iter().rev().find(|&c| c <= v * (1.0 + 1e-9))
    };
    found.unwrap_or(v)
}

/// Ticks at `first`, …, `last` times `step`.
fn linear_ticks(first: f64, last: f64, step: f64) -> Vec<Tick> {
    let decimals = -step.log10().floor() as i32;
    let count = (last - first).clamp(0.0, 100.0) as i32;
    let at = |i: i32| (first + f64::from(i)) * step;
    let tick = |at: f64| Tick { at, label: Some(shown_number(at, decimals)) };
    (0..=count).map(at).map(tick).collect()
}

/// A number for people, rounded to `decimals` digits after the point, or before it if negative: with
/// separators, or with a power of ten if it would be too long.
fn shown_number(v: f64, decimals: i32) -> String {
    if v == 0.0 || (v.abs() < 1e12 && decimals < 8) {
        return thousands(v, decimals.max(0) as usize);
    }
    let digits = (v.abs().log10().floor() as i32 + decimals).clamp(0, 12) as usize;
    format!("{v:.digits$e}")
}

/// `digit` · 10^`power`. On an axis with `long` numbers, powers are written as such.
fn power_label(digit: i32, power: i32, long: bool) -> String {
    if !long || (-3..=3).contains(&power) {
        return thousands(f64::from(digit) * ten(power), power.min(0).unsigned_abs() as usize);
    }
    let raised: String = power.to_string().chars().map(superscript).collect();
    if digit == 1 { format!("10{raised}") } else { format!("{digit}·10{raised}") }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// A name that fits under an axis.
pub(super) fn shorten(name: &str) -> String {
    const MOST: usize = 24;
    if name.chars().count() <= MOST {
        return name.into();
    }
    let start: String = name.chars().take(MOST - 1).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().filter_map(|t| t.label.as_deref()).collect()
    }

    #[test]
    fn linear_axes_have_round_numbers() {
        assert_eq!(
            labels(&Axis::linear(0.0, 262_000.0)),
            ["0", "50,000", "100,000", "150,000", "200,000", "250,000", "300,000"]
        );
        assert_eq!(
            labels(&Axis::linear(0.97, 1.04)),
            ["0.97", "0.98", "0.99", "1.00", "1.01", "1.02", "1.03", "1.04"]
        );
        assert_eq!(labels(&Axis::linear(-3.0, 3.0)), ["-3", "-2", "-1", "0", "1", "2", "3"]);
        assert_eq!(labels(&Axis::linear(5.0, 5.0)).len(), 7, "one value has an axis around it");
    }

    #[test]
    fn whole_numbers_stay_whole() {
        assert_eq!(labels(&Axis::padded((2.0, 4.0), true)), ["2", "3", "4"]);
        assert_eq!(labels(&Axis::padded((2.0, 4.0), false)), ["2.0", "2.5", "3.0", "3.5", "4.0"]);
        assert_eq!(labels(&Axis::padded((7.0, 7.0), true)), ["7"]);
    }

    #[test]
    fn logarithmic_axes_have_powers_and_minor_ticks() {
        let axis = Axis::logarithmic(8.0, 262_000.0);
        assert_eq!(labels(&axis), ["10", "100", "1,000", "10,000", "100,000"]);
        assert_eq!((axis.low, axis.high), (5.0, 500_000.0));
        assert!(axis.ticks.iter().any(|t| t.at == 300.0 && t.label.is_none()));
        assert_eq!(labels(&Axis::logarithmic(11.0, 190.0)), ["10", "20", "50", "100", "200"]);
        assert_eq!(
            labels(&Axis::logarithmic(21.0, 90.0)),
            ["20", "30", "40", "50", "60", "70", "80", "90", "100"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(0.8, 1.15)),
            ["0.80", "0.85", "0.90", "0.95", "1.00", "1.05", "1.10", "1.15"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(1.0, 1e13)),
            ["1", "100", "10⁴", "10⁶", "10⁸", "10¹⁰", "10¹²"]
        );
        assert_eq!(axis.part(axis.low), 0.0);
        let middle = axis.part((axis.low * axis.high).sqrt());
        assert!((middle - 0.5).abs() < 1e-9);
    }

    #[test]
    fn binary_axes_have_powers_of_two() {
        assert_eq!(labels(&Axis::binary(0.8, 1.9)), ["0.5", "0.75", "1", "1.5", "2"]);
        assert_eq!(labels(&Axis::binary(1.0, 16.0)), ["1", "2", "4", "8", "16"]);
        let wide = Axis::binary(1.0, 1024.0);
        assert_eq!(labels(&wide).len(), 11);
        assert_eq!((wide.low, wide.high), (1.0, 1024.0));
        assert!((wide.part(32.0) - 0.5).abs() < 1e-12);
        assert_eq!(labels(&Axis::binary(4.0, 4.0)), ["4", "6", "8"]);
    }

    pub fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => -1e6..1e6_f64,
            2 => (-10..10_i32).prop_map(f64::from),
            1 => any::<f64>(),
            1 => Just(f64::NAN),
            1 => Just(f64::INFINITY),
        ]
    }

    proptest! {
        #[test]
        fn axes_hold_what_they_are_made_for(a in any_number(), b in any_number()) {
            let [a, b] = [a, b].map(|v| if usable(v) { v } else { 1.0 });
            let (low, high) = (a.min(b), a.max(b));
            let mut axes = vec![Axis::linear(low, high), Axis::padded((low, high), false)];
            let (tiny, large) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
            if tiny > LEAST_LOG {
                axes.push(Axis::logarithmic(tiny, large));
                axes.push(Axis::binary(tiny, large));
            }
            for axis in axes {
                for v in if axis.is_log { [tiny, large] } else { [low, high] } {
                    prop_assert!((-1e-6..=1.0 + 1e-6).contains(&axis.part(v)), "{v} on {axis:?}");
                }
                prop_assert!(axis.ticks.windows(2).all(|t| t[0].at < t[1].at), "{axis:?}");
                for tick in &axis.ticks {
                    prop_assert!((-1e-6..=1.0 + 1e-6).contains(&axis.part(tick.at)), "{axis:?}");
                }
                let mut labels = labels(&axis);
                prop_assert!((2..=14).contains(&labels.len()), "{axis:?}");
                labels.dedup();
                prop_assert_eq!(labels.len(), axis.labelled().count());
            }
        }
    }
}
