//! A plot in characters, for a terminal: each line is drawn with a letter of its own.

use std::fmt::Write as _;

use super::Plot;
use crate::report::thousands;

/// The rows of the drawing.
const ROWS: usize = 14;
/// Narrower than this nothing can be seen.
const LEAST_COLUMNS: usize = 20;

impl Plot {
    /// The plot in lines of at most `width` columns; empty if there is nothing to draw. Lines are lettered
    /// from `a`; where two meet, the later letter hides the earlier one. Intervals, labels and named ticks
    /// are not drawn.
    pub fn to_text(&self, width: usize) -> String {
        let scale = |value: f64, log: bool| if log { value.log10() } else { value };
        let placed = |&(x, y): &(f64, f64)| (scale(x, self.log_x), scale(y, self.log_y));
        let lines: Vec<Vec<(f64, f64)>> =
            self.series.iter().map(|series| series.points.iter().map(placed).collect()).collect();
        let points = || lines.iter().flatten().filter(|(x, y)| x.is_finite() && y.is_finite());
        let Some((left, right)) = range(points().map(|point| point.0)) else {
            return String::new();
        };
        let Some((low, high)) = range(points().map(|point| point.1)) else { return String::new() };
        let named = |value: f64, log: bool| short(if log { 10f64.powf(value) } else { value });
        let names = [named(high, self.log_y), named(low, self.log_y)];
        let margin = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let columns = width.saturating_sub(margin + 3).clamp(LEAST_COLUMNS, 100);
        let at_column =
            |column: usize| left + (right - left) * column as f64 / (columns - 1) as f64;
        let mut grid = vec![vec![' '; columns]; ROWS];
        for (line, letter) in lines.iter().zip(('a'..='z').cycle()) {
            for (column, x) in (0..columns).map(|column| (column, at_column(column))) {
                let Some(y) = height_at(line, x) else { continue };
                let up = ((y - low) / (high - low) * (ROWS - 1) as f64).round();
                if (0.0..=(ROWS - 1) as f64).contains(&up) {
                    grid[ROWS - 1 - up as usize][column] = letter;
                }
            }
        }
        let mut text = format!("{}\n", self.y_label);
        for (row, cells) in grid.iter().enumerate() {
            let name = match row {
                0 => names[0].as_str(),
                _ if row == ROWS - 1 => names[1].as_str(),
                _ => "",
            };
            let cells: String = cells.iter().collect();
            let _ = writeln!(text, "{name:>margin$} │{}", cells.trim_end());
        }
        let _ = writeln!(text, "{:>margin$} └{}", "", "─".repeat(columns));
        let (first, last) = (named(left, self.log_x), named(right, self.log_x));
        let middle = format!("{}{}", self.x_label, if self.log_x { " (logarithmic)" } else { "" });
        let taken = first.chars().count() + last.chars().count() + middle.chars().count();
        let gap = columns.saturating_sub(taken) / 2;
        let rest = columns.saturating_sub(taken + gap);
        let axis = format!("{first}{}{middle}{}{last}", " ".repeat(gap), " ".repeat(rest));
        let _ = writeln!(text, "{:>margin$}  {axis}", "");
        for (series, letter) in self.series.iter().zip(('a'..='z').cycle()) {
            let _ = writeln!(text, "  {letter}  {}", series.name);
        }
        text
    }
}

/// A number for the end of an axis: three digits are enough.
fn short(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => return thousands(value, 0),
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 4,
    };
    let text = thousands(value, decimals);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The least and the greatest of these, not the same.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (least, greatest) =
        values.fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(value), b.max(value)));
    match greatest - least {
        span if span < 0.0 => None,
        span if span > 0.0 => Some((least, greatest)),
        _ => Some((least - 0.5, greatest + 0.5)),
    }
}

/// The height of a line at `x`: on the straight line between its neighbours, and of a step the top.
fn height_at(line: &[(f64, f64)], x: f64) -> Option<f64> {
    let pairs = line.windows(2).rev();
    let mut around = pairs.filter(|pair| pair[0].0 <= x && x <= pair[1].0);
    match around.next() {
        Some([(x1, y1), (x2, y2)]) if x2 > x1 => Some(y1 + (y2 - y1) * (x - x1) / (x2 - x1)),
        Some([_, (_, y)]) => Some(*y),
        _ => line.first().filter(|_| line.len() == 1).filter(|p| p.0 == x).map(|p| p.1),
    }
    .filter(|y: &f64| y.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::Series;
    use super::*;

    fn plot(series: &[&[(f64, f64)]], log_x: bool) -> Plot {
        let series = series.iter().enumerate().map(|(number, points)| Series {
            name: format!("line {number}"),
            points: points.to_vec(),
            ..Series::default()
        });
        Plot {
            x_label: "seconds".into(),
            y_label: "solved".into(),
            log_x,
            series: series.collect(),
            ..Plot::default()
        }
    }

    #[test]
    fn lines_rise_from_the_left_to_the_right() {
        let text = plot(&[&[(0.0, 0.0), (10.0, 100.0)]], false).to_text(40);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "solved");
        assert!(rows[1].starts_with("100 │") && rows[1].ends_with('a'), "{text}");
        assert!(rows[ROWS].starts_with("  0 │a"), "{text}");
        assert!(
            rows[ROWS + 2].trim_start().starts_with('0') && rows[ROWS + 2].ends_with("10"),
            "{text}"
        );
        assert_eq!(rows.last(), Some(&"  a  line 0"));
        assert!(rows.iter().all(|row| row.chars().count() <= 40), "{text}");
    }

    #[test]
    fn steps_letters_and_logarithms() {
        let steps = [(0.001, 0.0), (0.01, 0.0), (0.01, 5.0), (1.0, 5.0)];
        let text = plot(&[&steps, &[(0.001, 3.0), (1.0, 3.0)]], true).to_text(60);
        assert!(text.contains("(logarithmic)") && text.contains("  b  line 1"), "{text}");
        let top = text.lines().nth(1).unwrap();
        // From a third of the width on.
        let begins = top.find('a').unwrap() as f64 / 60.0;
        assert!((0.2..0.5).contains(&begins), "{text}");
        assert!(text.contains("bbbbbbbbbb"), "{text}");
    }

    #[test]
    fn little_or_nothing_is_no_trouble() {
        assert_eq!(plot(&[], false).to_text(80), "");
        assert_eq!(plot(&[&[(1.0, f64::NAN)]], false).to_text(80), "");
        assert!(plot(&[&[(1.0, 1.0)]], true).to_text(3).lines().count() > ROWS);
        for width in 0..200 {
            let _ = plot(&[&[(1.0, 2.0), (1.0, 2.0), (3.0, f64::NAN)]], true).to_text(width);
        }
    }
}
