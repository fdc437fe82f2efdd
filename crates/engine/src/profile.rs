//! Engine profiles: text files that say which game an engine plays, with which evaluator,
//! algorithm, memory functions and limits.
//!
//! ```toml
//! about = "MTD(f) from the value of the iteration before"
//! threads = 2                 # in play; 1 if it is left out, at most 256
//!
//! [game.chess]
//! evaluator = "standard"      # or a file of weights, relative to this one
//! book = "none"               # or "standard", or an opening book in Polyglot's format
//!
//! [algorithm]
//! id = "mtd-f"                # see `plyground algorithms`
//! update = "clipped"          # or "maxsearch"
//!
//! [memory]
//! functions = "table+history" # see `plyground compare --help`
//! table = "1M"                # entries, or "16MiB"
//! deepening = true
//!
//! [play]                      # selective play, with these steps left out: pvs and mtd-f only
//! null-move = false
//!
//! [limits]                    # unless a command gives its own
//! depth = 6
//! time = 1.0                  # seconds
//! nodes = 1_000_000
//! bytes = "1G"
//! ```
//!
//! The engines that come with a game are built into the program; a game without any has a default
//! one.

mod schema;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;
use toml::de::DeTable;

use crate::book::Book;
use crate::door::AnyGame;
use crate::game::{Game, GameError};
use crate::games::Games;
use crate::text_file::{read_settings, read_weights};
use plyground_core::limits::{Limits, parse_bytes};
use plyground_core::names;
use plyground_search::play::{PlayDriver, PlaySwitches};
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, Factors, MemoryFunctions, Options, SearchSpec, SpecError, Update, algorithms,
    catalogue,
};
use schema::Schema;

/// The most threads that an engine plays with.
pub const MAX_THREADS: usize = 256;

/// The name of the built-in evaluator, and of the built-in book.
pub const STANDARD: &str = "standard";

/// What an engine's file says for no book.
const NO_BOOK: &str = "none";

/// The profile of an engine: what its file says, checked.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name: that of its file, without the extension.
    pub name: String,
    /// What it is, in one line.
    pub about: String,
    /// The game that it plays.
    pub game: &'static dyn AnyGame,
    /// The weights of its evaluator.
    pub evaluator: Weights,
    /// The book that it opens games with, if it has one.
    pub book: Option<Arc<Book>>,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How stored bounds are updated.
    pub update: Update,
    /// The memory functions that are switched on.
    pub memory: MemoryFunctions,
    /// The size of the table.
    pub table: TableSize,
    /// Does it use iterative deepening: search to depth 1, 2, … first?
    pub deepening: bool,
    /// The factors of an experiment; an engine's file has none.
    pub factors: Factors,
    /// The switches of its selective play; `None` if it plays as it searches in the laboratory.
    pub play: Option<PlaySwitches>,
    /// The number of threads in play.
    pub threads: usize,
    /// The default depth of its searches.
    pub depth: Option<u32>,
    /// The default limits of its searches.
    pub limits: Limits,
}

/// The weights of an evaluator: built-in ones, or those of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// The game's standard weights.
    Standard,
    /// Other weights that come with the game, by their name.
    BuiltIn(&'static str),
    /// The weights of a file, which has been read and checked.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The contents of the file.
        bytes: Vec<u8>,
    },
}

impl Weights {
    /// The weights of this name that come with a game, or those of a file.
    pub fn find(game: &'static dyn AnyGame, name: &str) -> Result<Weights, GameError> {
        Weights::beside(game, name, Path::new(name))
    }

    /// As [`find`](Self::find), with the path of the file.
    fn beside(game: &'static dyn AnyGame, name: &str, path: &Path) -> Result<Weights, GameError> {
        if name == STANDARD {
            return Ok(Weights::Standard);
        }
        let known = game.evaluators();
        if let Some(found) = known.iter().find(|known| **known == name) {
            return Ok(Weights::BuiltIn(found));
        }
        let path = path.to_path_buf();
        let wrong = |reason: String| GameError::Text(format!("{}: {reason}", path.display()));
        let bytes = read_weights(&path).map_err(|error| {
            let known = known.join(", ");
            wrong(format!(
                "{error}; expected a file, or an evaluator that comes with {}: {known}",
                game.name()
            ))
        })?;
        game.check_weights(&bytes).map_err(|error| wrong(error.to_string()))?;
        Ok(Weights::File { path, bytes })
    }

    /// The name in records: `standard`, another built-in name, or the path of the file.
    pub fn name(&self) -> String {
        match self {
            Weights::Standard => STANDARD.into(),
            Weights::BuiltIn(name) => (*name).into(),
            Weights::File { path, .. } => path.display().to_string(),
        }
    }

    /// The evaluator with these weights.
    pub fn evaluator<G: Game>(&self) -> Result<G::Evaluator, GameError> {
        match self {
            Weights::Standard => Ok(G::Evaluator::default()),
            Weights::BuiltIn(name) => {
                let found = G::EVALUATORS.iter().find(|built_in| built_in.name == *name);
                let unknown = || GameError::Evaluator(format!("{} has no `{name}`", G::NAME));
                found.map(|built_in| (built_in.make)()).ok_or_else(unknown)
            }
            Weights::File { bytes, .. } => G::evaluator(bytes),
        }
    }
}

/// What is wrong with an engine's file.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// No engine has this name.
    #[error(
        "there is no engine `{name}`; expected the path of a .toml file or one of {known}{suggestion}"
    )]
    Unknown {
        /// The name.
        name: String,
        /// The names of the built-in engines.
        known: String,
        /// A similar name, as a question to the user; empty if there is none.
        suggestion: String,
    },
    /// The file cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why it cannot be read.
        error: std::io::Error,
    },
    /// A setting is wrong.
    #[error("{file}, line {line}: {reason}")]
    Wrong {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what was expected.
        reason: String,
    },
}

impl Profile {
    /// The engines that come with these games.
    pub fn built_in(games: &Games) -> impl Iterator<Item = Result<Profile, ProfileError>> + '_ {
        games.iter().flat_map(Profile::all_of)
    }

    /// The engines that come with a game, at least one.
    fn all_of(game: &'static dyn AnyGame) -> Vec<Result<Profile, ProfileError>> {
        let read = |(name, text): &(&str, &str)| {
            Profile::parse(&Games::of(game), name, text, Path::new(""))
        };
        match game.engines() {
            [] => vec![Ok(Profile::default_of(game))],
            engines => engines.iter().map(read).collect(),
        }
    }

    /// The strongest engine of a game: the first that comes with it.
    pub fn standard(game: &'static dyn AnyGame) -> Result<Profile, ProfileError> {
        match game.engines() {
            [] => Ok(Profile::default_of(game)),
            [(name, text), ..] => Profile::parse(&Games::of(game), name, text, Path::new("")),
        }
    }

    /// The engine of a game that comes without any.
    fn default_of(game: &'static dyn AnyGame) -> Profile {
        let memory = MemoryFunctions::TABLE | MemoryFunctions::HISTORY | MemoryFunctions::KILLERS;
        Profile {
            name: game.name().into(),
            about: "PVS with a table, deepened".into(),
            memory: memory | MemoryFunctions::COUNTERMOVES,
            deepening: true,
            play: game.is_selective().then_some(PlaySwitches::ALL),
            ..Profile::plain(game)
        }
    }

    /// The engine of experiments that name none: PVS without any memory function.
    pub fn plain(game: &'static dyn AnyGame) -> Profile {
        Profile {
            name: "plain".into(),
            about: "no memory function, one search".into(),
            game,
            evaluator: Weights::Standard,
            book: None,
            algorithm: algorithms::Pvs.into(),
            update: Update::default(),
            memory: MemoryFunctions::empty(),
            table: TableSize::default(),
            deepening: false,
            factors: Factors::default(),
            play: None,
            threads: 1,
            depth: None,
            limits: Limits::default(),
        }
    }

    /// The same engine with another algorithm. It plays selectively if that algorithm can,
    /// otherwise as in the laboratory.
    #[must_use]
    pub fn with_algorithm(mut self, algorithm: Algorithm) -> Profile {
        let plays = self.game.is_selective() && driver(&algorithm).is_some();
        self.play = plays.then(|| self.play.unwrap_or(PlaySwitches::ALL));
        self.name = algorithm.to_string();
        self.about = algorithm.name();
        self.algorithm = algorithm;
        self
    }

    /// The names of the engines that come with a game, at least one.
    pub fn names(game: &'static dyn AnyGame) -> Vec<&'static str> {
        match game.engines() {
            [] => vec![game.name()],
            engines => engines.iter().map(|(name, _)| *name).collect(),
        }
    }

    /// The engine of this name that comes with one of the games (case and marks do not matter), or the
    /// engine in the file at this path.
    pub fn find(games: &Games, name: &str) -> Result<Profile, ProfileError> {
        let known: Vec<&str> = games.iter().flat_map(Profile::names).collect();
        if let Some(name) = names::find(name, known.iter().copied()) {
            for game in games.iter() {
                if let Some((_, text)) = game.engines().iter().find(|(known, _)| *known == name) {
                    return Profile::parse(games, name, text, Path::new(""));
                }
                if game.engines().is_empty() && game.name() == name {
                    return Ok(Profile::default_of(game));
                }
            }
        }
        let path = Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") {
            // The name of a game stands for its strongest engine.
            if let Ok(game) = games.find(name) {
                return Profile::standard(game);
            }
            return Err(ProfileError::Unknown {
                name: name.into(),
                suggestion: names::did_you_mean(name, known.iter().copied()),
                known: known.join(", "),
            });
        }
        match read_settings(path) {
            Ok(text) => Profile::parse(games, name, &text, path),
            Err(error) => Err(ProfileError::Unreadable { file: name.into(), error }),
        }
    }

    /// Reads the engine that `text` describes, for one of these games. Other files that the text
    /// names are relative to `path`.
    pub fn parse(
        games: &Games,
        file: &str,
        text: &str,
        path: &Path,
    ) -> Result<Profile, ProfileError> {
        let wrong = |offset: usize, reason: String| ProfileError::Wrong {
            file: file.into(),
            line: text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count()
                + 1,
            reason,
        };
        let place = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        let parsed = DeTable::parse(text)
            .map_err(|error| wrong(place(&error), error.message().to_owned()))?;
        let found = parsed.get_ref();
        let schema = Schema::new(games);
        schema.check(text, found).map_err(|(at, reason)| wrong(at, reason))?;
        let read: FileText = toml::from_str(text).map_err(|error| {
            // For a value of the wrong kind, the reader's own message speaks of Rust's types: the
            // schema says what to write instead.
            let kinds = ["invalid type", "invalid value", "unknown variant", "wanted "];
            let of_kind = kinds.iter().any(|begin| error.message().starts_with(begin));
            let told = schema.expected(found, place(&error)).filter(|_| of_kind);
            wrong(place(&error), told.unwrap_or_else(|| error.message().to_owned()))
        })?;
        // The schema has made sure that there is one known game.
        let named = read.game.into_iter().next();
        let (name, settings) =
            named.ok_or_else(|| wrong(0, format!("which game? expected {}", schema.games())))?;
        let game = games.find(&name).map_err(|error| wrong(0, error.to_string()))?;
        let evaluator = match settings.evaluator {
            None => Weights::Standard,
            Some(name) => {
                let file = path.with_file_name(name.as_ref());
                Weights::beside(game, name.as_ref(), &file)
                    .map_err(|error| wrong(name.span().start, error.to_string()))?
            }
        };
        let book = match settings.book {
            None => None,
            Some(name) if name.as_ref() == NO_BOOK => None,
            Some(name) if name.as_ref() == STANDARD => Some(game.book().ok_or_else(|| {
                let reason = format!("{} comes without a book; expected a file", game.name());
                wrong(name.span().start, reason)
            })?),
            Some(name) => {
                let read = Book::read(&path.with_file_name(name.as_ref()));
                Some(Arc::new(read.map_err(|reason| wrong(name.span().start, reason))?))
            }
        };
        let memory = read.memory;
        let functions =
            memory.functions.as_ref().map_or(MemoryFunctions::empty(), |f| f.get_ref().0);
        if let Some(table) = &memory.table
            && !functions.contains(MemoryFunctions::TABLE)
        {
            let reason = "a size for the table, but `functions` has no `table`";
            return Err(wrong(table.span().start, reason.into()));
        }
        let algorithm = read.algorithm.id.0;
        if let Some(play) = &read.play
            && driver(&algorithm).is_none()
        {
            let drivers = catalogue().filter(|entry| entry.driver.is_some()).map(|entry| entry.id);
            let drivers = drivers.collect::<Vec<_>>().join(" or ");
            let reason = format!("`{algorithm}` does not play selectively; expected {drivers}");
            return Err(wrong(play.span().start, reason));
        }
        if let Some(play) = &read.play
            && !game.is_selective()
        {
            let reason = format!("{game} is not played selectively; expected no section [play]");
            return Err(wrong(play.span().start, reason));
        }
        let threads = read.threads.unwrap_or(Spanned::new(0..0, 1));
        if !(1..=MAX_THREADS).contains(threads.get_ref()) {
            let reason = format!("{} threads; expected 1 to {MAX_THREADS}", threads.get_ref());
            return Err(wrong(threads.span().start, reason));
        }
        if *threads.get_ref() > 1 && read.play.is_none() {
            let reason = format!(
                "`{algorithm}` without [play] thinks with one thread; expected a section [play], or \
                 an algorithm of several threads, such as ybw:2"
            );
            return Err(wrong(threads.span().start, reason));
        }
        if read.about.get_ref().contains(char::is_control) {
            let reason = "`about` is one line; expected no control characters".into();
            return Err(wrong(read.about.span().start, reason));
        }
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let limits = read.limits;
        let update = read.algorithm.update.unwrap_or(Spanned::new(0..0, Update::default()));
        let at = update.span().start;
        let profile = Profile {
            name: stem.unwrap_or_else(|| file.into()),
            about: read.about.into_inner(),
            game,
            evaluator,
            book,
            algorithm,
            update: update.into_inner(),
            memory: functions,
            table: memory.table.map_or_else(TableSize::default, |table| table.into_inner().0),
            deepening: memory.deepening,
            factors: Factors::default(),
            play: read.play.map(Spanned::into_inner),
            threads: threads.into_inner(),
            depth: limits.depth,
            limits: Limits {
                leaves: limits.leaves,
                nodes: limits.nodes,
                time: limits.time.map(|seconds| seconds.0),
                bytes: limits.bytes.map(|bytes| bytes.0),
                ..Limits::default()
            },
        };
        profile.spec(1).map_err(|error| wrong(at, error.to_string()))?;
        Ok(profile)
    }

    /// The switches and the driver of its selective play; `None` if it plays as in the laboratory.
    pub fn selective(&self) -> Option<(PlaySwitches, PlayDriver)> {
        self.play.zip(driver(&self.algorithm))
    }

    /// The options of this engine's search to `depth`, with its own limits.
    pub fn options(&self, depth: u32) -> Options {
        Options {
            depth,
            limits: self.limits.clone(),
            update: self.update,
            guess: None,
            deepening: self.deepening,
            memory: self.memory,
            table: self.memory.contains(MemoryFunctions::TABLE).then_some(self.table),
            factors: self.factors,
            ..Options::default()
        }
    }

    /// The search that [`Profile::options`] ask for, or an error if one of them would have no
    /// effect.
    pub fn spec(&self, depth: u32) -> Result<SearchSpec, SpecError> {
        SearchSpec::check(&self.algorithm, self.options(depth))
    }
}

/// The driver of an algorithm in selective play, if it has one.
fn driver(algorithm: &Algorithm) -> Option<PlayDriver> {
    algorithm.entry().driver
}

/// The file as it is written, before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    about: Spanned<String>,
    threads: Option<Spanned<usize>>,
    game: BTreeMap<String, EvaluatorText>,
    algorithm: AlgorithmText,
    #[serde(default)]
    memory: MemoryText,
    play: Option<Spanned<PlaySwitches>>,
    #[serde(default)]
    limits: LimitsText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EvaluatorText {
    evaluator: Option<Spanned<String>>,
    book: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AlgorithmText {
    id: Parsed<Algorithm>,
    update: Option<Spanned<Update>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MemoryText {
    functions: Option<Spanned<Parsed<MemoryFunctions>>>,
    table: Option<Spanned<Parsed<TableSize>>>,
    deepening: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsText {
    depth: Option<u32>,
    leaves: Option<u64>,
    nodes: Option<u64>,
    time: Option<Seconds>,
    bytes: Option<Bytes>,
}

/// A setting in the text form that the command line uses too.
#[derive(Clone, Copy)]
struct Parsed<T>(T);

impl<'de, T: std::str::FromStr<Err: std::fmt::Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Parsed).map_err(serde::de::Error::custom)
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Seconds(Duration);

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Seconds, String> {
        let time = Duration::try_from_secs_f64(seconds);
        time.map(Seconds).map_err(|_| format!("{seconds} is no time; expected seconds, as in 0.5"))
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Bytes(usize);

impl TryFrom<String> for Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Bytes, String> {
        parse_bytes(&text).map(Bytes)
    }
}

#[cfg(test)]
mod tests;
