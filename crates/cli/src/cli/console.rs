//! The terminal, or the pipe in its place: output, progress, interruption.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::signals::{self, Signal};
use plyground_core::limits::StopFlag;
use plyground_study::command::own_command;
use plyground_study::report::TextTable;
use plyground_study::tournament::end_descendants;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Tables for people.
    Text,
    /// One object a line.
    Json,
    /// With a header.
    Csv,
}

/// Where a command prints, and how it learns that Ctrl-C was pressed or SIGTERM was sent.
pub(crate) struct Console {
    flag: StopFlag,
    /// Ctrl-C stops the work in progress, but never ends the program.
    survives: Arc<AtomicBool>,
    /// The work goes on when nobody reads the output any more.
    outlives_reader: AtomicBool,
    /// Why something could not be printed while the work went on.
    unprinted: OnceLock<std::io::Error>,
}

/// The reader of our output has closed it. That is no error, but there is nobody left to print for.
#[derive(Debug, thiserror::Error)]
#[error("the output was closed")]
struct OutputClosed;

/// A command has found faults and has printed them. That is an exit code and no message.
#[derive(Debug, thiserror::Error)]
#[error("faults were found")]
pub(crate) struct FaultsFound;

const CANNOT_PRINT: &str = "cannot write to standard output";

impl Console {
    pub(crate) fn new() -> anyhow::Result<Console> {
        let console = Console::stopped_by(StopFlag::new());
        let (raised, survives_now) = (console.flag.clone(), console.survives.clone());
        let end = signals::at_the_end();
        signals::listen(move |signal| {
            let survives = survives_now.load(Ordering::Relaxed);
            let ends = match signal {
                // A second Ctrl-C ends the program without waiting for its threads.
                Signal::Interrupt => raised.is_raised() && !survives,
                // A program that waits at its prompt would not hear of the first one.
                Signal::Terminate => raised.is_raised() || survives,
            };
            raised.raise();
            if ends {
                end_descendants();
                end();
                std::process::exit(130);
            }
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(console)
    }

    /// A console that does not listen for Ctrl-C: whoever raises `flag` does.
    pub(crate) fn stopped_by(flag: StopFlag) -> Console {
        Console {
            flag,
            survives: Arc::default(),
            outlives_reader: AtomicBool::new(false),
            unprinted: OnceLock::new(),
        }
    }

    /// From now on Ctrl-C stops the work in progress, but does not end the program.
    pub(crate) fn survive_interrupts(&self) {
        self.survives.store(true, Ordering::Relaxed);
    }

    /// Clears an interruption in a program that survives it.
    pub(crate) fn clear_interrupt(&self) {
        if self.survives.load(Ordering::Relaxed) {
            self.flag.lower();
        }
    }

    /// From now on the work goes on when the reader of the output goes away: it also writes files, and
    /// only the printing ends.
    pub(crate) fn outlive_reader(&self) {
        self.outlives_reader.store(true, Ordering::Relaxed);
    }

    /// Raised by Ctrl-C and by SIGTERM.
    pub(crate) fn flag(&self) -> StopFlag {
        self.flag.clone()
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.flag.is_raised()
    }

    /// Prints a note if the run was interrupted and the results are incomplete.
    pub(crate) fn note_interruption(&self, done: u64, of: u64, what: &str) {
        if self.interrupted() {
            note(&format!("interrupted after {done} of {of} {what}: the results are of those"));
        }
    }

    /// Prints the command that continues an interrupted run that keeps its records.
    pub(crate) fn note_continuation(&self) {
        if self.interrupted() {
            note(&format!("to continue: {}", own_command()));
        }
    }

    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if self.outlives_reader.load(Ordering::Relaxed) => {
                if error.kind() != ErrorKind::BrokenPipe {
                    let _ = self.unprinted.set(error);
                }
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(OutputClosed.into()),
            result => result.context(CANNOT_PRINT),
        }
    }

    /// Ends the program's work: an error if something could not be printed.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self.unprinted.into_inner() {
            Some(error) => Err(error).context(CANNOT_PRINT),
            None => Ok(()),
        }
    }

    /// Prints a table that fits the terminal; all its columns if `wide`.
    pub(crate) fn table(&self, table: &TextTable, wide: bool) -> anyhow::Result<()> {
        self.print(&table.to_text(width(wide)))
    }

    pub(crate) fn json(&self, object: &impl Serialize) -> anyhow::Result<()> {
        self.print(&format!("{}\n", serde_json::to_string(object)?))
    }

    /// A progress bar on a terminal; hidden if output or errors are redirected.
    pub(crate) fn progress(&self, steps: u64, what: &'static str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(steps), on_terminal());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
    }

    /// A line on a terminal that is redrawn in place, cut to the terminal's width.
    pub(crate) fn live_line(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, on_terminal());
        let style = ProgressStyle::with_template(" {prefix}{wide_msg}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    }
}

/// The width of a line where there is no terminal to ask: in a pipe or a file.
const USUAL_WIDTH: usize = 80;

/// The columns of a line: what the environment variable COLUMNS says, else what the terminal says, else
/// 80. If `wide`, there is no limit.
pub(crate) fn width(wide: bool) -> usize {
    if wide {
        return usize::MAX;
    }
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let given = given.filter(|columns: &usize| *columns > 0);
    let shown = || terminal_size::terminal_size_of(std::io::stdout()).map(|size| size.0.0.into());
    given.or_else(shown).filter(|columns| *columns > 0).unwrap_or(USUAL_WIDTH)
}

fn on_terminal() -> ProgressDrawTarget {
    let shown = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

/// Prints an error with its causes; exit code 2. Faults that a command has printed are exit code 1.
pub(crate) fn report_error(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(error_code(error))
}

/// As [`report_error`], with the code as a number.
pub(crate) fn error_code(error: &anyhow::Error) -> u8 {
    if error.is::<OutputClosed>() {
        return 0;
    }
    if error.is::<FaultsFound>() {
        return 1;
    }
    note(&format!("error: {error:#}"));
    2
}

/// Prints a line for people, beside the results. If nobody can read it, nothing happens: `eprintln!` would
/// end the program.
pub(crate) fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// JSON objects as CSV. The header has all their keys, in the order of their first appearance.
pub(crate) fn csv(objects: &[serde_json::Value]) -> String {
    let mut text = String::new();
    let mut keys: Vec<&String> = Vec::new();
    for key in objects.iter().filter_map(|object| object.as_object()).flat_map(|o| o.keys()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.is_empty() {
        return text;
    }
    text.push_str(&keys.iter().map(|key| csv_field(key)).collect::<Vec<_>>().join(","));
    text.push('\n');
    for object in objects {
        let field = |key: &&String| match &object[key.as_str()] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(s) => csv_field(s),
            other => csv_field(&other.to_string()),
        };
        text.push_str(&keys.iter().map(field).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

fn csv_field(text: &str) -> String {
    let text = match is_formula(text) {
        // A spreadsheet shows what follows the apostrophe.
        true => format!("'{text}"),
        false => text.into(),
    };
    let blank = |c: Option<char>| c.is_some_and(char::is_whitespace);
    let is_special = |c: char| c == ',' || c == '"' || c.is_control();
    if text.contains(is_special) || blank(text.chars().next()) || blank(text.chars().last()) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

/// Would a spreadsheet compute this text? A minus alone does not make a formula: numbers have one, and
/// so have boards of Othello.
fn is_formula(text: &str) -> bool {
    match text.chars().next() {
        Some('=' | '@' | '+' | '\t' | '\r') => text.parse::<f64>().is_err(),
        Some('-') => text.contains(['(', '|', '!']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn csv_has_a_header_and_quotes_what_needs_it() {
        let rows = [json!({"a": "x,\"y\"", "b": 1.5}), json!({"a": null, "b": 2})];
        assert_eq!(csv(&rows), "a,b\n\"x,\"\"y\"\"\",1.5\n,2\n");
        assert_eq!(csv(&[]), "");
        for (text, field) in [
            ("a\rb", "\"a\rb\""),
            (" a", "\" a\""),
            ("=1+2", "'=1+2"),
            ("@SUM(1,2)", "\"'@SUM(1,2)\""),
            ("-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0"),
            ("+2", "+2"),
            ("-3.5", "-3.5"),
            ("---OX--- X", "---OX--- X"),
        ] {
            assert_eq!(csv_field(text), field);
        }
        let different = [json!({"a": 1}), json!({"b": 2, "a": 3})];
        assert_eq!(csv(&different), "a,b\n1,\n3,2\n");
    }
}
