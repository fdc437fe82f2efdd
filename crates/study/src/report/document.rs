//! A report as a sequence of headings, texts, tables and figures, which can be written as a page
//! ([`Document::to_html`]) or as Markdown ([`Document::to_markdown`]).

use std::fmt::Write as _;

use super::Align;
use super::plot::Plot;

/// A report: its parts in order.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The title of the report.
    pub title: String,
    /// The parts.
    pub blocks: Vec<Block>,
}

/// A part of a [`Document`].
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading of the first level, which the table of contents lists.
    Part(String),
    /// A heading of the second level.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A paragraph that stands out, about a problem.
    Warning(String),
    /// A paragraph that stands out, about a check that succeeded.
    Assurance(String),
    /// A list of names and values.
    Facts(Vec<(String, String)>),
    /// Claims with what came out of each.
    Judgements(Vec<Judgement>),
    /// A table.
    Table(ReportTable),
    /// A plot with its numbers; the table has no columns if the numbers are elsewhere.
    Figure(Plot, ReportTable),
    /// Blocks that the reader can fold away.
    Fold {
        /// The line that stays visible.
        summary: String,
        /// Are they shown at first?
        open: bool,
        /// The blocks.
        blocks: Vec<Block>,
    },
}

/// A claim, and what came out.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The verdict in a few words.
    pub verdict: String,
    /// Did the claim hold? `None` if that is not decided, or was not the question.
    pub held: Option<bool>,
    /// The claim.
    pub claim: String,
    /// The numbers behind it.
    pub numbers: String,
    /// Where they come from.
    pub source: String,
}

/// A table of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportTable {
    /// The title; may be empty.
    pub title: String,
    /// The names of the columns with their alignment.
    pub columns: Vec<(String, Align)>,
    /// The rows, each with as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// A note below the table; may be empty.
    pub note: String,
}

/// A cell of a [`ReportTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The interval of a mean, if it has one.
    pub interval: Option<String>,
    /// Is the mean significantly below or above the baseline?
    pub tone: Tone,
}

/// How a mean compares with the baseline, judging by its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// The interval does not decide.
    #[default]
    Plain,
    /// The whole interval is below the baseline.
    Less,
    /// The whole interval is above the baseline.
    More,
}

impl Cell {
    /// A cell with a text and nothing else.
    pub fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// The cell as plain text.
    fn plain_text(&self) -> String {
        match &self.interval {
            Some(interval) => format!("{} [{interval}]", self.text),
            None => self.text.clone(),
        }
    }
}

impl ReportTable {
    /// A table with these columns: the first for words, the others for numbers.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> ReportTable {
        let align = |i: usize| if i == 0 { Align::Left } else { Align::Right };
        let columns = columns.iter().enumerate().map(|(i, name)| (name.to_string(), align(i)));
        ReportTable { title: title.into(), columns: columns.collect(), ..ReportTable::default() }
    }

    /// Aligns these columns for words.
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
            let cells: Vec<String> = row.iter().map(|cell| markdown(&cell.plain_text())).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        if !self.note.is_empty() {
            let _ = writeln!(text, "\n{}", markdown(&self.note));
        }
        text
    }
}

impl Document {
    /// The report as Markdown: all tables, and the numbers of all figures.
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
            Block::Judgements(all) => {
                let each = all.iter().map(|judged| {
                    let Judgement { verdict, claim, numbers, source, .. } = judged;
                    let [verdict, claim] = [verdict, claim].map(|text| markdown(text));
                    let [numbers, source] = [numbers, source].map(|text| markdown(text));
                    format!("- **{verdict}**: {claim}. {numbers} ({source})\n")
                });
                texts.push(each.collect());
            }
            Block::Table(table) => texts.push(table.to_markdown()),
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

/// A text with the special characters of Markdown escaped.
fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '*' | '_' | '`' | '|' | '[' | ']' | '<' | '>' | '#' | '~' | '&' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // Lines end where the document ends them, and nothing speaks to the terminal.
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => out.push(' '),
            // At the beginning of a line these make a list or a rule.
            '-' | '+' | '=' if out.trim().is_empty() => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_taken_for_markdown() {
        for (text, written) in [
            ("<script>a&b</script>", "\\<script\\>a\\&b\\</script\\>"),
            ("a\n\n# b", "a  \\# b"),
            ("a | b", "a \\| b"),
            ("![x](y)", "\\!\\[x\\](y)"),
            ("- x - y", "\\- x - y"),
            ("=1", "\\=1"),
            ("\u{1b}[31m", " \\[31m"),
        ] {
            assert_eq!(markdown(text), written);
        }
    }

    #[test]
    fn markdown_has_everything_and_nothing_breaks_out() {
        let mut table = ReportTable::new("T", &["name|", "SSS*"]);
        let interval = Some("0.4, 0.6".to_string());
        let cell = Cell { text: "0.5".into(), interval, tone: Tone::Less };
        table.rows.push(vec![Cell::new("a_b"), cell]);
        table.note = "a note".into();
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
                    blocks: vec![Block::Figure(plot, table)],
                },
            ],
        };
        let expected = "# Report \\<b\\>\n\n## One\n\n- games: chess\n\n> **look**\n\n#### more\n\n\
            **F**\n\nhow\n\n**T**\n\n| name\\| | SSS\\* |\n| --- | ---: |\n\
            | a\\_b | 0.5 \\[0.4, 0.6\\] |\n\na note\n";
        assert_eq!(document.to_markdown(), expected);
    }
}
