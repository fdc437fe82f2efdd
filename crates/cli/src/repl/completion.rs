//! The words that the line editor completes: moves, commands and their arguments.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::command::{Argument, CommandEntry, TABLE};
use plyground_engine::levels::MAX_LEVEL;

/// The words that can be completed in the present position.
#[derive(Default)]
pub(super) struct Completion {
    /// The legal moves as people write them, as in `Nf3`.
    pub(super) moves: Vec<String>,
    /// The legal moves as programs write them, as in `g1f3`: people type those too.
    pub(super) coordinates: Vec<String>,
    pub(super) engines: Vec<String>,
    pub(super) sides: Vec<String>,
    pub(super) games: Vec<String>,
    pub(super) files: FilenameCompleter,
}

impl Completion {
    /// The words that can continue a line, and the place where they begin.
    fn words(&self, line: &str) -> (usize, Vec<String>) {
        let blank = line.len() - line.trim_start().len();
        let Some(end) = line[blank..].find(char::is_whitespace) else {
            return (blank, self.first(&line[blank..]));
        };
        let command = line[blank..blank + end].to_ascii_lowercase();
        let start = line
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
        let words: Vec<String> = match CommandEntry::find(&command).map(|entry| entry.argument) {
            Some(Argument::Command) => TABLE.iter().map(|entry| entry.name.into()).collect(),
            Some(Argument::Engine) => self.engines.clone(),
            Some(Argument::Side) => self.sides.clone(),
            Some(Argument::Game) => self.games.clone(),
            Some(Argument::Number) if command == "level" => {
                (1..=MAX_LEVEL).map(|level| level.to_string()).collect()
            }
            _ => Vec::new(),
        };
        (start, begun(&words, &line[start..]))
    }

    /// Moves and commands that begin with `begin`.
    fn first(&self, begin: &str) -> Vec<String> {
        let mut words = begun(&self.moves, begin);
        if begin.len() >= 2 {
            words.extend(begun(&self.coordinates, begin));
        }
        for entry in TABLE.iter().filter(|entry| entry.name.starts_with(&begin.to_lowercase())) {
            let more = if entry.argument == Argument::Nothing { "" } else { " " };
            words.push(format!("{}{more}", entry.name));
        }
        words.sort();
        words.dedup();
        words
    }

    /// Is the argument of the line's command a file?
    fn wants_file(line: &str) -> bool {
        let mut words = line.split_whitespace();
        let entry = words.next().and_then(|name| CommandEntry::find(&name.to_ascii_lowercase()));
        let begun = words.next().is_some() || line.ends_with(char::is_whitespace);
        let argument = entry.map(|entry| entry.argument);
        begun && matches!(argument, Some(Argument::File | Argument::Engine))
    }
}

/// Those of `words` that begin with `begin`; case does not matter.
fn begun(words: &[String], begin: &str) -> Vec<String> {
    let begin = begin.to_lowercase();
    words.iter().filter(|word| word.to_lowercase().starts_with(&begin)).cloned().collect()
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = self.words(&line[..pos]);
        if words.is_empty() && Completion::wants_file(&line[..pos]) {
            return self.files.complete_path(line, pos);
        }
        let pair = |word: String| Pair { display: word.trim_end().into(), replacement: word };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion() -> Completion {
        let list = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        Completion {
            moves: list("Nf3 Nc3 e4 e3 b4"),
            coordinates: list("g1f3 b1c3 e2e4 e2e3 b2b4"),
            engines: list("chess chess-mtd-f sss"),
            sides: list("white black both none"),
            games: list("othello chess"),
            ..Completion::default()
        }
    }

    #[test]
    fn moves_and_commands_are_completed() {
        let completion = completion();
        let words = |line: &str| completion.words(line);
        assert_eq!(words("e4"), (0, vec!["e4".into()]));
        assert_eq!(words("e2"), (0, vec!["e2e3".into(), "e2e4".into()]));
        assert_eq!(words("nf"), (0, vec!["Nf3".into()]));
        assert_eq!(words("  und"), (2, vec!["undo ".into()]));
        assert_eq!(words("n").1, ["Nc3", "Nf3", "new", "next "]);
        assert!(words("").1.len() > TABLE.len());
    }

    #[test]
    fn arguments_are_completed() {
        let completion = completion();
        assert_eq!(completion.words("engine chess-"), (7, vec!["chess-mtd-f".into()]));
        assert_eq!(completion.words("switch bl"), (7, vec!["black".into()]));
        assert_eq!(completion.words("game c").1, ["chess"]);
        assert_eq!(completion.words("level 1").1, ["1", "10"]);
        assert_eq!(completion.words("help undo").1, ["undo"]);
        assert!(completion.words("board x").1.is_empty());
        assert!(Completion::wants_file("save ") && Completion::wants_file("load x"));
        assert!(!Completion::wants_file("save") && !Completion::wants_file("undo "));
        assert!(completion.words("é é").1.is_empty());
    }
}
