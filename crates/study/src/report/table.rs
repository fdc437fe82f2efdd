//! Tables as plain text, for a terminal.
//!
//! A table fits a width: columns that a reader can do without are left out, the least important first,
//! and a note says which; prose is wrapped in its column; groups of columns that all matter go into
//! blocks, one below the other; titles and notes are wrapped between words.

use std::fmt::Write as _;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::document::{Cell, ReportTable};
use super::wrap::{broken, columns};

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A column of a [`TextTable`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Column {
    name: String,
    align: Align,
    /// Columns of a greater rank are left out first; those of rank 0 never are.
    #[serde(default, skip_serializing_if = "is_zero")]
    rank: u8,
    /// Are its cells wrapped where the table would not fit otherwise?
    #[serde(default, skip_serializing_if = "Not::not")]
    prose: bool,
    /// It is at least this wide.
    #[serde(default, skip_serializing_if = "is_zero")]
    least: usize,
    /// Does it begin a group of columns that stay together?
    #[serde(default, skip_serializing_if = "Not::not")]
    begins_group: bool,
}

/// What is not said in a file.
fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// Prose is not made narrower than this.
const LEAST_PROSE: usize = 16;

/// The columns between two columns.
const GAP: usize = 2;

/// A table of text.
///
/// ```
/// use plyground_study::report::{Align, TextTable};
///
/// let mut table = TextTable::new("Leaves");
/// table.column("search", Align::Left);
/// table.column("leaves", Align::Right);
/// table.optional("entries", Align::Right, 1);
/// table.row(["SSS*", "7", "3"].map(String::from).to_vec());
/// assert_eq!(table.to_text(80).lines().nth(1), Some("search  leaves  entries"));
/// assert_eq!(table.to_text(20).lines().nth(1), Some("search  leaves"));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TextTable {
    /// The title; may be empty.
    pub title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

/// Which columns are shown, and how wide they are.
#[derive(Clone, Debug)]
struct ShownColumns {
    /// A column's place in the table, and its width.
    widths: Vec<(usize, usize)>,
    left_out: Vec<usize>,
}

impl TextTable {
    /// A table without columns.
    pub fn new(title: impl Into<String>) -> TextTable {
        TextTable { title: title.into(), ..TextTable::default() }
    }

    /// Adds a column that is always shown.
    pub fn column(&mut self, name: impl Into<String>, align: Align) {
        self.optional(name, align, 0);
    }

    /// Adds a column that is left out where the table is too wide: all those of the greatest `rank`
    /// first. A column of rank 0 is always shown.
    pub fn optional(&mut self, name: impl Into<String>, align: Align, rank: u8) {
        let (name, prose, least, begins_group) = (name.into(), false, 0, false);
        self.columns.push(Column { name, align, rank, prose, least, begins_group });
    }

    /// Adds a column that begins a group, up to the next group. Where the table is too wide, the groups
    /// go into blocks, one below the other, and the columns before the first group are in every block.
    pub fn group(&mut self, name: impl Into<String>, align: Align) {
        self.column(name, align);
        if let Some(column) = self.columns.last_mut() {
            column.begins_group = true;
        }
    }

    /// Adds a column of words, which are wrapped where the table is too wide.
    pub fn prose(&mut self, name: impl Into<String>) {
        self.column(name, Align::Left);
        if let Some(column) = self.columns.last_mut() {
            column.prose = true;
        }
    }

    /// Makes the last column at least this wide, for rows that are [written](TextTable::row_text)
    /// before all are known.
    pub fn at_least(&mut self, width: usize) {
        if let Some(column) = self.columns.last_mut() {
            column.least = width;
        }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Adds a note below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The same table for a page.
    pub fn to_report(&self) -> ReportTable {
        let cells = |row: &Vec<String>| {
            let missing = self.columns.len().saturating_sub(row.len());
            let empty = std::iter::repeat_n(Cell::default(), missing);
            row.iter().map(Cell::new).chain(empty).collect()
        };
        ReportTable {
            title: self.title.clone(),
            columns: self.columns.iter().map(|c| (c.name.clone(), c.align)).collect(),
            rows: self.rows.iter().map(cells).collect(),
            note: self.notes.join(" "),
        }
    }

    /// The table with aligned columns, at most `width` columns wide where that is possible;
    /// `usize::MAX` shows everything.
    pub fn to_text(&self, width: usize) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            push_wrapped(&mut text, &self.title, width);
        }
        let shown = self.shown(width);
        for (number, block) in self.blocks(&shown, width).iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            self.write_head(&mut text, block);
            for row in &self.rows {
                self.write_row(&mut text, row, block);
            }
        }
        if let Some(note) = self.left_out(&shown) {
            push_wrapped(&mut text, &note, width);
        }
        for note in &self.notes {
            push_wrapped(&mut text, note, width);
        }
        text
    }

    /// The names of the columns, for a table whose rows are written one by one. The widths are those of
    /// the names, and what was asked for by [`TextTable::at_least`].
    pub fn head_text(&self, width: usize) -> String {
        let mut text = String::new();
        self.write_head(&mut text, &self.shown(width).widths);
        text
    }

    /// A row of a table whose rows are written one by one.
    pub fn row_text(&self, cells: &[String], width: usize) -> String {
        let mut text = String::new();
        self.write_row(&mut text, cells, &self.shown(width).widths);
        text
    }

    fn write_head(&self, text: &mut String, shown: &[(usize, usize)]) {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        self.write_row(text, &names, shown);
        let mut rule = vec![String::new(); self.columns.len()];
        for &(at, width) in shown {
            rule[at] = "─".repeat(width);
        }
        self.write_row(text, &rule, shown);
    }

    /// Chooses the columns for a width.
    fn shown(&self, width: usize) -> ShownColumns {
        let mut widths: Vec<(usize, usize)> = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|c| columns(c));
                (at, cells.fold(columns(&column.name).max(column.least), usize::max))
            })
            .collect();
        // Prose is wrapped before a column is left out, if it keeps half of its width.
        let needed = |widths: &[(usize, usize)]| {
            let spared = widths.iter().filter(|(at, _)| self.columns[*at].prose);
            let spared = spared.map(|(_, width)| width - (*width).min(3 * LEAST_PROSE));
            total(widths) - spared.sum::<usize>()
        };
        let mut left_out = Vec::new();
        while needed(&widths) > width {
            let rank = |(at, _): &(usize, usize)| self.columns[*at].rank;
            let Some(greatest) = widths.iter().map(rank).max().filter(|rank| *rank > 0) else {
                break;
            };
            left_out.extend(widths.iter().filter(|c| rank(c) == greatest).map(|(at, _)| *at));
            widths.retain(|column| rank(column) < greatest);
        }
        left_out.sort_unstable();
        let excess = total(&widths).saturating_sub(width);
        let widest = widths.iter_mut().filter(|(at, _)| self.columns[*at].prose);
        if let Some((_, prose)) = widest.max_by_key(|(_, width)| *width) {
            *prose = prose.saturating_sub(excess).max(LEAST_PROSE.min(*prose));
        }
        ShownColumns { widths, left_out }
    }

    /// The shown columns in blocks that fit, if there are groups.
    fn blocks(&self, shown: &ShownColumns, width: usize) -> Vec<Vec<(usize, usize)>> {
        let begins = |(at, _): &(usize, usize)| self.columns[*at].begins_group;
        let first = shown.widths.iter().position(begins).unwrap_or(shown.widths.len());
        let (labels, rest) = shown.widths.split_at(first);
        let mut blocks = vec![labels.to_vec()];
        for group in rest.chunk_by(|_, next| !begins(next)) {
            let last = blocks.len() - 1;
            let joined = [&blocks[last][..], group].concat();
            if blocks[last].len() > labels.len() && total(&joined) > width {
                blocks.push([labels, group].concat());
            } else {
                blocks[last] = joined;
            }
        }
        blocks
    }

    /// A note about the columns that are left out.
    fn left_out(&self, shown: &ShownColumns) -> Option<String> {
        let name = |at: &usize| {
            let name = &self.columns[*at].name;
            let is_repeated = self.columns.iter().filter(|c| c.name == *name).count() > 1;
            // An interval is named with what it is of.
            let of = self.columns[..*at].iter().rev().find(|column| column.name != *name);
            match of.filter(|_| is_repeated) {
                Some(of) => format!("{name} of {}", of.name),
                None => name.clone(),
            }
        };
        let names: Vec<String> = shown.left_out.iter().map(name).collect();
        (!names.is_empty()).then(|| format!("With --wide also: {}.", names.join(", ")))
    }

    fn write_row(&self, text: &mut String, cells: &[String], shown: &[(usize, usize)]) {
        let wrapped: Vec<Vec<String>> = shown
            .iter()
            .map(|&(at, width)| {
                let cell = cells.get(at).map_or("", String::as_str);
                match self.columns[at].prose {
                    true => broken(cell, width, 0),
                    false => vec![cell.to_owned()],
                }
            })
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(1);
        for number in 0..height {
            let mut line = String::new();
            for (i, (lines, &(at, width))) in wrapped.iter().zip(shown).enumerate() {
                let cell = lines.get(number).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(columns(cell)));
                let gap = if i == 0 { "" } else { "  " };
                match self.columns[at].align {
                    Align::Right => line.extend([gap, &space, cell]),
                    Align::Left => line.extend([gap, cell, &space]),
                }
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}

/// The columns that a row takes.
fn total(widths: &[(usize, usize)]) -> usize {
    widths.iter().map(|(_, width)| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Adds a paragraph, wrapped; one that is indented stays so.
fn push_wrapped(text: &mut String, paragraph: &str, width: usize) {
    let indent = paragraph.len() - paragraph.trim_start().len();
    for line in broken(paragraph, width, indent) {
        let _ = writeln!(text, "{line}");
    }
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
        assert_eq!(table.to_text(80), expected);
    }

    fn wide() -> TextTable {
        let mut table = TextTable::new("A title of several words");
        table.column("id", Align::Left);
        table.column("leaves", Align::Right);
        table.optional("95 %", Align::Left, 1);
        table.column("nodes", Align::Right);
        table.optional("95 %", Align::Left, 2);
        table.prose("what it is, in words");
        let words = "some words that go on for longer than anybody would wish to read in one line";
        for id in ["alpha-beta", "sss"] {
            let row = [id, "1,000", "0.9–1.1", "20,000", "0.8–1.2", words];
            table.row(row.map(String::from).to_vec());
        }
        table.note("A note that is long enough to be wrapped in a narrow terminal, like this one.");
        table
    }

    #[test]
    fn everything_is_shown_where_there_is_room() {
        let text = wide().to_text(usize::MAX);
        assert!(text.contains("0.8–1.2  some words that go on"), "{text}");
        assert!(!text.contains("--wide"), "{text}");
        assert_eq!(text.lines().count(), 1 + 2 + 2 + 1);
    }

    #[test]
    fn a_table_fits_any_width_that_is_enough_for_its_first_columns() {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        for width in 44..140 {
            let text = wide().to_text(width);
            for line in text.lines() {
                assert!(columns(line) <= width, "{width}: {line}");
            }
            assert!(words(&text).contains(&"alpha-beta".into()), "{text}");
        }
        // The columns that matter least go first, and none comes back where there is less room.
        let left_out = |width| {
            let text = words(&wide().to_text(width)).join(" ");
            match text.split_once("With --wide also: ").map(|(_, names)| names) {
                None => 0,
                Some(names) if names.starts_with("95 % of nodes.") => 1,
                Some(names) if names.starts_with("95 % of leaves, 95 % of nodes.") => 2,
                Some(names) => panic!("{width}: {names}"),
            }
        };
        let mut steps: Vec<u8> = (44..140).rev().map(left_out).collect();
        steps.dedup();
        assert_eq!(steps, [0, 1, 2]);
    }

    #[test]
    fn groups_go_below_each_other() {
        let mut table = TextTable::new("");
        table.column("search", Align::Left);
        for name in ["R=1", "R=2", "R=4"] {
            table.group(name, Align::Right);
            table.column("printed", Align::Right);
        }
        table.row(["αβ", "1", "2", "3", "4", "5", "6"].map(String::from).to_vec());
        assert_eq!(table.to_text(80).lines().count(), 3);
        let expected = "search  R=1  printed  R=2  printed
──────  ───  ───────  ───  ───────
αβ        1        2    3        4

search  R=4  printed
──────  ───  ───────
αβ        5        6
";
        assert_eq!(table.to_text(36), expected);
        assert_eq!(table.to_text(10).lines().count(), 3 * 3 + 2, "a group is never cut");
    }

    #[test]
    fn rows_can_be_written_one_by_one() {
        let mut table = TextTable::new("");
        table.column("no", Align::Right);
        table.at_least(4);
        table.prose("variation");
        table.at_least(40);
        assert_eq!(table.head_text(24).lines().next(), Some("  no  variation"));
        let row = table.row_text(&["12".into(), "g8 h8 a1 a2 a3 a4 a5".into()], 24);
        assert_eq!(row, "  12  g8 h8 a1 a2 a3 a4\n      a5\n");
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
