//! A report before it has a form: headings, texts, tables and figures. Pages are made of it
//! ([`Document::to_html`]), and Markdown.

use std::fmt::Write as _;

use super::Align;
use super::plot::Plot;

/// A report: its parts in order.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// What the report is of.
    pub title: String,
    /// The parts.
    pub blocks: Vec<Block>,
}

/// A part of a [`Document`].
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading of the first rank, which the page's contents list.
    Part(String),
    /// A heading of the second rank.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A paragraph that must not be missed.
    Warning(String),
    /// A paragraph with good news.
    Assurance(String),
    /// Names with what they stand for.
    Facts(Vec<(String, String)>),
    /// A table.
    Table(ReportTable),
    /// A plot with its numbers; a table without columns if they are told elsewhere.
    Figure(Plot, ReportTable),
    /// Blocks that can be folded away; are they shown at first?
    Fold {
        /// What is seen when they are not.
        summary: String,
        /// Are they shown at first?
        open: bool,
        /// What is folded.
        blocks: Vec<Block>,
    },
}

/// A table of cells.
#[derive(Clone, Debug, Default)]
pub struct ReportTable {
    /// What it is about; empty for none.
    pub title: String,
    /// Names, and where their text stands.
    pub columns: Vec<(String, Align)>,
    /// As many cells as columns.
    pub rows: Vec<Vec<Cell>>,
    /// A line below; empty for none.
    pub note: String,
}

/// A cell of a [`ReportTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What is written.
    pub text: String,
    /// The interval of a mean, if it has one.
    pub interval: Option<String>,
    /// Is the mean below what it is compared with, or above, and surely so?
    pub tone: Tone,
}

/// What an interval says of a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// All of it is below.
    Less,
    /// All of it is above.
    More,
}

impl Cell {
    /// A cell with nothing but a text.
    pub fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// The cell in one line.
    fn in_words(&self) -> String {
        match &self.interval {
            Some(interval) => format!("{} [{interval}]", self.text),
            None => self.text.clone(),
        }
    }
}

impl ReportTable {
    /// A table with these columns; the first is of words, the others are of numbers.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> ReportTable {
        let align = |i: usize| if i == 0 { Align::Left } else { Align::Right };
        let columns = columns.iter().enumerate().map(|(i, name)| (name.to_string(), align(i)));
        ReportTable { title: title.into(), columns: columns.collect(), ..ReportTable::default() }
    }

    /// Makes these columns ones of words.
    pub fn with_words(&mut self, columns: &[usize]) {
        for &i in columns {
            self.columns[i].1 = Align::Left;
        }
    }

    fn to_markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "**{}**\n", markdown(&self.title));
        }
        let names: Vec<String> = self.columns.iter().map(|(name, _)| markdown(name)).collect();
        let rule = self.columns.iter().map(|(_, align)| match align {
            Align::Left => "---",
            Align::Right => "---:",
        });
        let _ = writeln!(text, "| {} |", names.join(" | "));
        let _ = writeln!(text, "| {} |", rule.collect::<Vec<_>>().join(" | "));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| markdown(&cell.in_words())).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        if !self.note.is_empty() {
            let _ = writeln!(text, "\n{}", markdown(&self.note));
        }
        text
    }
}

impl Document {
    /// The report as Markdown: every table, and every figure's numbers.
    pub fn to_markdown(&self) -> String {
        let mut texts = vec![format!("# {}\n", markdown(&self.title))];
        markdown_blocks(&self.blocks, &mut texts);
        texts.join("\n")
    }
}

fn markdown_blocks(blocks: &[Block], texts: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Part(title) => texts.push(format!("## {}\n", markdown(title))),
            Block::Heading(title) => texts.push(format!("### {}\n", markdown(title))),
            Block::Text(text) | Block::Assurance(text) => {
                texts.push(format!("{}\n", markdown(text)));
            }
            Block::Warning(text) => texts.push(format!("> **{}**\n", markdown(text))),
            Block::Facts(facts) => {
                let facts = facts
                    .iter()
                    .map(|(name, what)| format!("- {}: {}\n", markdown(name), markdown(what)));
                texts.push(facts.collect());
            }
            Block::Table(grid) => texts.push(grid.to_markdown()),
            Block::Figure(plot, numbers) => {
                texts.push(format!("**{}**\n", markdown(&plot.title)));
                texts.extend(plot.note.iter().map(|note| format!("{}\n", markdown(note))));
                if !numbers.columns.is_empty() {
                    texts.push(numbers.to_markdown());
                }
            }
            Block::Fold { summary, blocks, .. } => {
                texts.push(format!("#### {}\n", markdown(summary)));
                markdown_blocks(blocks, texts);
            }
        }
    }
}

/// A text that Markdown takes as it is.
fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '*' | '_' | '`' | '|' | '[' | ']' | '<' | '>' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_everything_and_nothing_breaks_out() {
        let mut grid = ReportTable::new("T", &["name|", "SSS*"]);
        let interval = Some("0.4, 0.6".to_string());
        let cell = Cell { text: "0.5".into(), interval, tone: Tone::Less };
        grid.rows.push(vec![Cell::new("a_b"), cell]);
        grid.note = "a note".into();
        let plot = Plot { title: "F".into(), note: Some("how".into()), ..Plot::default() };
        let document = Document {
            title: "Report <b>".into(),
            blocks: vec![
                Block::Part("One".into()),
                Block::Facts(vec![("games".into(), "chess".into())]),
                Block::Warning("look".into()),
                Block::Fold {
                    summary: "more".into(),
                    open: false,
                    blocks: vec![Block::Figure(plot, grid)],
                },
            ],
        };
        let expected = "# Report \\<b\\>\n\n## One\n\n- games: chess\n\n> **look**\n\n#### more\n\n\
            **F**\n\nhow\n\n**T**\n\n| name\\| | SSS\\* |\n| --- | ---: |\n\
            | a\\_b | 0.5 \\[0.4, 0.6\\] |\n\na note\n";
        assert_eq!(document.to_markdown(), expected);
    }
}
