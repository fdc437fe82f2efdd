//! Tables as plain text, for a terminal.

use std::fmt::Write as _;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A table of text.
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    /// The title; may be empty.
    pub title: String,
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl TextTable {
    /// A table without columns.
    pub fn new(title: impl Into<String>) -> TextTable {
        TextTable { title: title.into(), ..TextTable::default() }
    }

    /// Adds a column.
    pub fn column(&mut self, name: impl Into<String>, align: Align) {
        self.columns.push((name.into(), align));
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Adds a note below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The table with aligned columns.
    pub fn to_text(&self) -> String {
        let mut widths: Vec<usize> = self.columns.iter().map(|(name, _)| width(name)).collect();
        for row in &self.rows {
            for (cell, widest) in row.iter().zip(&mut widths) {
                *widest = (*widest).max(width(cell));
            }
        }
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "{}", self.title);
        }
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        self.line(&mut text, &names, &widths);
        let rule: Vec<String> = widths.iter().map(|&w| "─".repeat(w)).collect();
        self.line(&mut text, &rule, &widths);
        for row in &self.rows {
            self.line(&mut text, row, &widths);
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn line(&self, text: &mut String, cells: &[String], widths: &[usize]) {
        let mut line = String::new();
        for (i, (&w, (_, align))) in widths.iter().zip(&self.columns).enumerate() {
            let cell = cells.get(i).map_or("", String::as_str);
            let space = " ".repeat(w - width(cell));
            let gap = if i == 0 { "" } else { "  " };
            match align {
                Align::Right => line.extend([gap, &space, cell]),
                Align::Left => line.extend([gap, cell, &space]),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// The columns that a text takes on a terminal. The texts have no wide or combining characters.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// A number with separators between thousands, rounded to `decimals` digits after the point.
pub fn thousands(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return "–".into();
    }
    let text = format!("{:.decimals$}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let negative = number < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b));
    let mut out = String::from(if negative { "-" } else { "" });
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = TextTable::new("Leaves");
        table.column("algorithm", Align::Left);
        table.column("NBP", Align::Right);
        table.row(vec!["αβ".into(), "1,234".into()]);
        table.row(vec!["SSS*".into(), "7".into()]);
        table.note("a note");
        let expected = "Leaves\nalgorithm    NBP\n─────────  ─────\nαβ         1,234\nSSS*           7\na note\n";
        assert_eq!(table.to_text(), expected);
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(1234567.0, 0), "1,234,567");
        assert_eq!(thousands(999.96, 1), "1,000.0");
        assert_eq!(thousands(-1234.5, 1), "-1,234.5");
        assert_eq!(thousands(-0.01, 1), "0.0");
        assert_eq!(thousands(0.0, 0), "0");
        assert_eq!(thousands(f64::NAN, 0), "–");
    }
}
