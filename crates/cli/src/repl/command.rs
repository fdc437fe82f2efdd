//! The commands of the loop: their syntax, and the parser of a line. They are listed in a table.

mod table;

pub(super) use table::TABLE;

use std::time::Duration;

use super::pace::Pace;
use super::wrap::broken;
use plyground_core::names;

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Analyse(Option<Duration>),
    Board,
    Draw,
    /// Another game; `None` asks which there are.
    Game(Option<String>),
    Compare(Option<u32>),
    Engine(Option<String>),
    Eval,
    Flip,
    Go,
    Help(Option<String>),
    Hint,
    History,
    Load {
        file: String,
        number: Option<usize>,
    },
    Moves,
    New,
    /// How long the engine thinks; `None` asks for the present setting.
    Pace(Option<Pace>),
    Position(Option<String>),
    Quit,
    Record,
    Redo(u32),
    Resign,
    /// What the engine's choices follow from; `None` asks for it.
    Seed(Option<u64>),
    Save {
        file: String,
        replace: bool,
    },
    /// The side that the person plays; `None` exchanges the sides.
    Switch(Option<String>),
    Undo(u32),
    /// Go through the game without changing it.
    Walk(Walk),
}

/// Where to go in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    First,
    Back(u32),
    Next(u32),
    Last,
}

/// The kind of a command's argument, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Nothing,
    Command,
    Engine,
    File,
    Game,
    Number,
    Side,
    Text,
}

/// A line of the table of commands.
pub(super) struct CommandEntry {
    pub(super) name: &'static str,
    /// Other names.
    also: &'static [&'static str],
    /// How the argument is written.
    pub(super) usage: &'static str,
    pub(super) argument: Argument,
    /// What it does, in a line.
    pub(super) what: &'static str,
    /// Further explanation.
    more: &'static str,
    read: fn(&str) -> Result<Command, String>,
}

impl CommandEntry {
    /// The entry of this name.
    pub(super) fn find(name: &str) -> Option<&'static CommandEntry> {
        let named = |entry: &&CommandEntry| entry.name == name || entry.also.contains(&name);
        TABLE.iter().find(named)
    }

    /// The entry of this name, or the only one whose name begins with it. At least three letters are
    /// needed: fewer may be the beginning of a move.
    fn guess(name: &str) -> Option<&'static CommandEntry> {
        let enough = name.len() >= 3;
        let mut begun = TABLE.iter().filter(|entry| enough && entry.name.starts_with(name));
        // save and save! begin alike.
        CommandEntry::find(name).or_else(|| match (begun.next(), begun.next()) {
            (Some(entry), None) => Some(entry),
            (Some(entry), Some(other)) if other.name.trim_end_matches('!') == entry.name => {
                begun.next().is_none().then_some(entry)
            }
            _ => None,
        })
    }

    /// The whole explanation, in lines of at most `width` columns.
    pub(super) fn explained(&self, width: usize) -> String {
        let mut text = format!("{} {}", self.name, self.usage).trim_end().to_owned();
        text += &format!("\n  {}\n", self.what);
        let more = self.more.lines().collect::<Vec<_>>().join(" ");
        for line in broken(&format!("  {more}"), width, 2).iter().filter(|_| !more.is_empty()) {
            text += &format!("{line}\n");
        }
        if !self.also.is_empty() {
            text += &format!("  Also: {}\n", self.also.join(", "));
        }
        text
    }
}

impl Command {
    /// The command that a line begins with, by its full name; `None` if the first word is no command.
    pub(super) fn named(line: &str) -> Option<Result<Command, String>> {
        let (name, rest) = split(line);
        CommandEntry::find(&name.to_ascii_lowercase()).map(|entry| (entry.read)(rest))
    }

    /// The command that an abbreviated name stands for, or a message.
    pub(super) fn guessed(line: &str) -> Result<Command, String> {
        let (name, rest) = split(line);
        let lower = name.to_ascii_lowercase();
        if let Some(entry) = CommandEntry::guess(&lower) {
            return (entry.read)(rest);
        }
        let typed: String = name.chars().take(30).collect();
        let close = closest(&lower);
        Err(match close.is_empty() {
            true => format!("`{typed}` is neither a legal move nor a command: see moves and help"),
            false => format!(
                "`{typed}` is neither a legal move nor a command; did you mean {}?",
                close.join(" or ")
            ),
        })
    }
}

/// The first word and what follows.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (name, rest.trim())
}

/// The commands with similar names, the most similar first.
pub(super) fn closest(name: &str) -> Vec<&'static str> {
    let names = |entry: &'static CommandEntry| {
        std::iter::once(entry.name).chain(entry.also.iter().copied())
    };
    names::closest(name, TABLE.iter().flat_map(names))
}

fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn nothing(name: &str, text: &str, command: Command) -> Result<Command, String> {
    match text {
        "" => Ok(command),
        _ => Err(format!("{name} takes nothing, found `{text}`")),
    }
}

fn number(name: &str, text: &str, least: u32, most: u32) -> Result<Option<u32>, String> {
    match (text, text.parse::<u32>()) {
        ("", _) => Ok(None),
        (_, Ok(number)) if (least..=most).contains(&number) => Ok(Some(number)),
        _ => Err(format!("{name}: expected a number from {least} to {most}, found `{text}`")),
    }
}

fn count(name: &str, text: &str) -> Result<u32, String> {
    Ok(number(name, text, 1, 1000)?.unwrap_or(1))
}

fn save(text: &str, replace: bool) -> Result<Command, String> {
    match file_name(text) {
        file if file.is_empty() => Err("save: expected the name of a file".into()),
        file => Ok(Command::Save { file, replace }),
    }
}

/// A file's name, optionally followed by a number.
fn load(text: &str) -> Result<Command, String> {
    let last = text.rsplit_once(char::is_whitespace);
    let numbered = last.and_then(|(file, n)| Some((file.trim_end(), n.parse::<usize>().ok()?)));
    let (file, number) = match numbered {
        Some((file, number)) => (file, Some(number)),
        None => (text, None),
    };
    match file_name(file) {
        file if file.is_empty() => Err("load: expected the name of a file".into()),
        file => Ok(Command::Load { file, number }),
    }
}

/// A file's name as people type it: in quotes, or with `\` before blanks, or relative to `~/`.
fn file_name(text: &str) -> String {
    let text = text.trim();
    for quote in ['"', '\''] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner.into();
        }
    }
    let name = if cfg!(windows) { text.to_owned() } else { text.replace("\\ ", " ") };
    match (name.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_read_and_explained() {
        for entry in TABLE {
            for name in std::iter::once(&entry.name).chain(entry.also) {
                assert!(Command::named(name).is_some(), "{name}");
                // No move is written like a command.
                assert!(!name.contains(|c: char| c.is_ascii_digit()), "{name}");
            }
            let explained = entry.explained(200);
            assert!(explained.contains(entry.what));
            let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
            let narrow = entry.explained(40);
            assert_eq!(words(&narrow), words(&explained));
            let twice = TABLE.iter().filter(|other| other.name == entry.name).count();
            assert_eq!(twice, 1, "{}", entry.name);
            assert!(entry.usage.is_empty() == (entry.argument == Argument::Nothing));
        }
    }

    #[test]
    fn arguments() {
        let read = |line: &str| Command::guessed(line);
        assert_eq!(read("undo"), Ok(Command::Undo(1)));
        assert_eq!(read(" UNDO  3 "), Ok(Command::Undo(3)));
        assert_eq!(read("level 4"), Ok(Command::Pace(Some(Pace::Level(4, None)))));
        assert_eq!(read("depth"), Ok(Command::Pace(None)));
        let file = |file: &str, number| Ok(Command::Load { file: file.into(), number });
        assert_eq!(read("load a.pgn"), file("a.pgn", None));
        assert_eq!(read("load my games.pgn 12"), file("my games.pgn", Some(12)));
        assert_eq!(read("load \"my 2\""), file("my 2", None));
        let save = |file: &str, replace| Ok(Command::Save { file: file.into(), replace });
        assert_eq!(read("save! my\\ game.pgn"), save("my game.pgn", true));
        assert_eq!(read("sav x"), save("x", false));
        assert_eq!(read("ana 1.5"), Ok(Command::Analyse(Some(Duration::from_millis(1500)))));
        for wrong in [
            "n", "Ne", "undo 0", "undo x", "level 11", "level 0", "depth 61", "time x", "board 3",
            "save",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn similar_commands_are_suggested() {
        assert_eq!(closest("anlyse"), ["analyse", "analyze"]);
        assert_eq!(closest("udno"), ["undo"]);
        assert_eq!(closest("levle"), ["level"]);
        assert!(closest("xyzzy").is_empty() && closest("").is_empty() && closest("a").is_empty());
        let message = Command::guessed("swich").unwrap_err();
        assert!(message.ends_with("did you mean switch?"), "{message}");
    }
}
