//! A mark: how the figures of a section are computed.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;

use super::example::shell_words;
use super::{Interval, Reading};

/// When a figure is recomputed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Every time: a count that is the same on every machine, and quickly found.
    #[default]
    Quick,
    /// Only when all is recomputed: times, strength, long searches.
    Full,
}

/// What a mark says. It is TOML in an HTML comment that begins with `verify`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The line of the mark in its document, from 1.
    pub line: usize,
    /// The command: `plyground …`, or another program's.
    pub run: Option<String>,
    /// When it is run.
    pub part: Part,
    /// A program that has to be installed for the command, if it needs another one.
    pub needs: Option<String>,
    /// When and on what the figures were measured; figures of times and of strength have to say it.
    pub measured: Option<String>,
    /// The figures that the command recomputes.
    pub figures: Vec<Figure>,
    /// Figures that were measured, and that no command here recomputes.
    pub noted: Vec<String>,
    /// Numbers of the section that are no measurements: limits, conventions, other people's figures.
    pub given: Vec<String>,
}

/// A figure that a command recomputes.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The figure, as the document prints it.
    pub printed: String,
    /// The numbers that it stands for.
    pub interval: Interval,
    /// How it is read off the command's output.
    pub reading: Reading,
}

/// A mark as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenMark {
    run: Option<String>,
    #[serde(default)]
    part: Part,
    needs: Option<String>,
    measured: Option<String>,
    #[serde(default)]
    figures: BTreeMap<String, WrittenFigure>,
    #[serde(default)]
    noted: Vec<String>,
    #[serde(default)]
    given: Vec<String>,
}

/// How a figure is read off, and perhaps how far its interval is widened.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenFigure {
    Reading(String),
    Within { read: String, within: String },
}

impl Mark {
    /// Reads a mark; `line` is its line in the document.
    pub(super) fn parse(line: usize, text: &str) -> Result<Mark, String> {
        let written: WrittenMark = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            let lines = text.bytes().take(start).filter(|byte| *byte == b'\n').count();
            format!("the mark's line {}: {}", lines + 1, error.message())
        })?;
        let WrittenMark { run, part, needs, measured, figures, noted, given } = written;
        if let Some(command) = &run {
            let words = shell_words(command).filter(|words| !words.is_empty());
            let words = words.ok_or_else(|| format!("`{command}` is no command"))?;
            if part == Part::Quick && words[0] != "plyground" {
                let expected = "expected a command of plyground, or part = \"full\"";
                return Err(format!("`{}` is not run in the quick part; {expected}", words[0]));
            }
        }
        if figures.is_empty() == run.is_some() {
            return Err("expected `run` and `figures` together".into());
        }
        if (part == Part::Full || !noted.is_empty()) && measured.is_none() {
            return Err("expected `measured`: the date and the machine".into());
        }
        if figures.is_empty() && noted.is_empty() && given.is_empty() {
            return Err("expected figures, noted or given".into());
        }
        let figures = figures.into_iter().map(|(printed, how)| Figure::new(printed, how));
        let figures = figures.collect::<Result<_, String>>()?;
        Ok(Mark { line, run, part, needs, measured, figures, noted, given })
    }

    /// All texts of the document that the mark speaks of.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let figures = self.figures.iter().map(|figure| &figure.printed);
        figures.chain(&self.noted).chain(&self.given).map(String::as_str)
    }
}

impl Figure {
    fn new(printed: String, how: WrittenFigure) -> Result<Figure, String> {
        let (read, within) = match how {
            WrittenFigure::Reading(read) => (read, None),
            WrittenFigure::Within { read, within } => (read, Some(within)),
        };
        let reading = Reading::from_str(&read).map_err(|error| format!("`{read}`: {error}"))?;
        let interval = Interval::printed(&printed);
        let interval = interval.ok_or_else(|| format!("`{printed}` has no number"))?;
        let interval = match within {
            Some(by) => interval.widened(&by).ok_or_else(|| {
                format!("within `{by}`: expected a number, or a share as in 10 %")
            })?,
            None => interval,
        };
        Ok(Figure { printed, interval, reading })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_a_command_and_its_figures() {
        let text = "run = \"plyground solve x.obf --json\"\n\
                    figures.\"97 million\" = \"sum nodes\"\n\
                    figures.\"5 s\" = { read = \"sum seconds\", within = \"50 %\" }\n\
                    given = [\"16 MiB\"]\n";
        let mark = Mark::parse(7, text).unwrap();
        assert_eq!((mark.line, mark.part, mark.figures.len()), (7, Part::Quick, 2));
        assert_eq!(mark.figures[1].printed, "97 million");
        assert_eq!(mark.figures[0].interval, Interval { low: 2.25, high: 8.25 });
        assert_eq!(mark.texts().count(), 3);
    }

    #[test]
    fn a_mark_that_says_too_little_is_refused() {
        for (text, expected) in [
            ("", "expected figures, noted or given"),
            ("run = \"plyground bench\"", "expected `run` and `figures` together"),
            ("figures.\"5\" = \"nodes\"", "expected `run` and `figures` together"),
            ("run = \"plyground bench\"\nfigures.\"five\" = \"nodes\"", "has no number"),
            ("run = \"plyground bench\"\nfigures.\"5\" = \"of nodes x\"", "a way to read"),
            ("run = \"cargo bench\"\nfigures.\"5\" = \"nodes\"", "not run in the quick part"),
            ("run = \"it's\"\nfigures.\"5\" = \"nodes\"", "is no command"),
            ("run = \"plyground x\"\npart = \"full\"\nfigures.\"5\" = \"nodes\"", "`measured`"),
            ("noted = [\"5 games\"]", "expected `measured`"),
            ("given = [\"5\"]\nnote = 3", "line 2: unknown field"),
            (
                "run = \"plyground x\"\nfigures.\"5\" = { read = \"n\", within = \"x\" }",
                "within `x`",
            ),
        ] {
            let reason = Mark::parse(1, text).unwrap_err();
            assert!(reason.contains(expected), "{text}: {reason}");
        }
    }
}
