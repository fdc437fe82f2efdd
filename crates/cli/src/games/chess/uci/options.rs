//! The options of the engine: the list for `uci`, and `setoption`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use plyground_engine::book::Book;
use plyground_engine::game::Game;
use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_engine::session::{OVERHEAD, Session};
use plyground_games::chess::Chess;
use plyground_search::play::PlaySwitches;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, catalogue};

/// The options that are not settings of the session.
#[derive(Clone, Debug)]
pub(super) struct UciOptions {
    /// The number of lines of play to report (`MultiPV`).
    pub(super) lines: usize,
    /// Are bounds reported at once, as in analysis? In a game they are reported only if a move takes long.
    pub(super) analyses: bool,
    /// The Elo that `UCI_Elo` has set, and whether `UCI_LimitStrength` makes the engine play by it.
    pub(super) elo: i32,
    pub(super) limited: bool,
    /// Are the chances of a win, a draw and a loss reported (`UCI_ShowWDL`)?
    pub(super) wdl: bool,
    /// The book that `BookFile` has named, which `OwnBook` switches on and off.
    pub(super) book_file: Option<Arc<Book>>,
    /// Does it play one of several nearly equal moves (`Variety`)?
    pub(super) variety: bool,
    /// What random choices follow from; 0 for another seed in each game.
    pub(super) seed: u64,
}

impl Default for UciOptions {
    fn default() -> UciOptions {
        UciOptions {
            lines: 1,
            analyses: false,
            elo: i32::MAX,
            limited: false,
            wdl: false,
            book_file: None,
            variety: false,
            seed: 0,
        }
    }
}

const MOST_HASH: usize = 32_768;
const MOST_LINES: usize = 218;
const MOST_OVERHEAD: u64 = 5_000;
const MOST_SEED: u64 = 1_000_000_000;

/// The description that interfaces show.
const ABOUT: &str = concat!(
    "Plyground ",
    env!("CARGO_PKG_VERSION"),
    ": game-tree searches of the literature on one trait, exact and counted"
);

/// The ids of the algorithms that can play selectively.
fn selective_ids() -> impl Iterator<Item = &'static str> {
    catalogue().filter(|entry| entry.driver.is_some()).map(|entry| entry.id)
}

/// The ids of all other serial algorithms, each with parameters. They play by their laboratory search.
fn laboratory_ids() -> impl Iterator<Item = &'static str> {
    let entries = catalogue().filter(|entry| entry.driver.is_none() && !entry.is_parallel());
    entries.flat_map(|entry| entry.examples).copied()
}

impl UciOptions {
    /// The lines that list the options, in reply to `uci`.
    pub(super) fn listed(session: &Session<Chess>) -> Vec<String> {
        let hash = (session.profile().table.entries() / entries(1)).max(1);
        let algorithm = session.profile().algorithm.to_string();
        let mut ids: Vec<&str> = selective_ids().chain(laboratory_ids()).collect();
        // The engine's own algorithm may have other parameters.
        if !ids.contains(&algorithm.as_str()) {
            ids.push(&algorithm);
        }
        let choices = ids.iter().map(|id| format!(" var {id}"));
        let mut listed = vec![
            format!("option name Hash type spin default {hash} min 1 max {MOST_HASH}"),
            "option name Clear Hash type button".into(),
            format!(
                "option name Threads type spin default {} min 1 max {MAX_THREADS}",
                session.profile().threads
            ),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}",
                OVERHEAD.as_millis()
            ),
            "option name Ponder type check default false".into(),
            "option name UCI_AnalyseMode type check default false".into(),
            format!("option name UCI_EngineAbout type string default {ABOUT}"),
            format!(
                "option name Algorithm type combo default {algorithm}{}",
                choices.collect::<String>()
            ),
            format!("option name OwnBook type check default {}", session.profile().book.is_some()),
            "option name BookFile type string default <empty>".into(),
            "option name UCI_ShowWDL type check default false".into(),
            "option name Variety type check default false".into(),
            format!("option name Seed type spin default 0 min 0 max {MOST_SEED}"),
        ];
        if let Some([weakest, strongest]) = elo_range() {
            listed.push("option name UCI_LimitStrength type check default false".into());
            listed.push(format!(
                "option name UCI_Elo type spin default {strongest} min {weakest} max {strongest}"
            ));
        }
        listed
    }

    /// Makes a change. Returns a note if the change has no effect at present, or the reason why it cannot
    /// be made.
    pub(super) fn make(
        &mut self,
        session: &mut Session<Chess>,
        change: OptionChange,
    ) -> Result<Option<String>, String> {
        let concerns_threads =
            matches!(change, OptionChange::Threads(_) | OptionChange::Algorithm(..));
        match change {
            OptionChange::Hash(size) => {
                let resized = session.resize(TableSize::of_mebibytes(size));
                resized.map_err(|error| format!("Hash: {error}; the table stays as it was"))?;
            }
            OptionChange::ClearHash => session.clear(),
            OptionChange::Threads(threads) => session.set_threads(threads),
            OptionChange::Lines(lines) => self.lines = lines,
            OptionChange::Overhead(overhead) => session.set_overhead(overhead),
            OptionChange::Analyses(analyses) => self.analyses = analyses,
            OptionChange::Limited(limited) => self.limited = limited,
            OptionChange::Elo(elo) => self.elo = elo,
            OptionChange::Wdl(wdl) => self.wdl = wdl,
            OptionChange::OwnBook(false) => session.set_book(None),
            OptionChange::OwnBook(true) => {
                let book = match &self.book_file {
                    Some(book) => Some(Arc::clone(book)),
                    None => Chess::door().book(),
                };
                let none = book.is_none();
                session.set_book(book);
                if none {
                    return Ok(Some("OwnBook: there is no book; set BookFile first".into()));
                }
            }
            OptionChange::BookFile(book) => {
                session.set_book(Some(Arc::clone(&book)));
                self.book_file = Some(book);
            }
            OptionChange::Variety(variety) => self.variety = variety,
            OptionChange::Seed(seed) => self.seed = seed,
            OptionChange::Algorithm(algorithm, plays) => {
                let switches = session.profile().play.unwrap_or(PlaySwitches::ALL);
                let set = session.set_algorithm(algorithm, plays.then_some(switches));
                set.map_err(|error| format!("Algorithm: {error}; it stays as it was"))?;
            }
            OptionChange::Nothing => {}
        }
        let Profile { algorithm, threads, .. } = session.profile();
        if !concerns_threads || *threads == 1 {
            return Ok(None);
        }
        if !session.is_selective() {
            let players = selective_ids().collect::<Vec<_>>().join(" and ");
            return Ok(Some(format!("Threads: {algorithm} does not use them; {players} do")));
        }
        let think = session.threads();
        let too_many =
            || format!("Threads: {threads} are too many for the processors; {think} think");
        Ok((think < *threads).then(too_many))
    }
}

/// A change that `setoption` makes.
#[derive(Clone, Debug)]
pub(super) enum OptionChange {
    Hash(usize),
    ClearHash,
    Threads(usize),
    Lines(usize),
    Overhead(Duration),
    Analyses(bool),
    Limited(bool),
    Elo(i32),
    Wdl(bool),
    OwnBook(bool),
    BookFile(Arc<Book>),
    Variety(bool),
    Seed(u64),
    /// The algorithm, and whether it plays selectively.
    Algorithm(Algorithm, bool),
    Nothing,
}

impl OptionChange {
    /// Reads the name and the value of an option; an error says what was expected.
    pub(super) fn read(name: &str, value: Option<&str>) -> Result<OptionChange, String> {
        let value = value.unwrap_or("").trim();
        Ok(match name.to_ascii_lowercase().as_str() {
            "hash" => OptionChange::Hash(spin(name, value, 1, MOST_HASH as u64)? as usize),
            "clear hash" => OptionChange::ClearHash,
            "threads" => OptionChange::Threads(spin(name, value, 1, MAX_THREADS as u64)? as usize),
            "multipv" => OptionChange::Lines(spin(name, value, 1, MOST_LINES as u64)? as usize),
            "move overhead" => {
                OptionChange::Overhead(Duration::from_millis(spin(name, value, 0, MOST_OVERHEAD)?))
            }
            // The interface decides when to ponder; the option only says that the engine can.
            "ponder" => check(name, value).map(|_| OptionChange::Nothing)?,
            // The description is fixed.
            "uci_engineabout" => OptionChange::Nothing,
            "uci_analysemode" => OptionChange::Analyses(check(name, value)?),
            "uci_limitstrength" => OptionChange::Limited(check(name, value)?),
            "uci_elo" => {
                let [least, most] = elo_range().ok_or("the levels have no Elo")?;
                OptionChange::Elo(spin(name, value, least.max(0) as u64, most.max(0) as u64)? as i32)
            }
            "uci_showwdl" => OptionChange::Wdl(check(name, value)?),
            "ownbook" => OptionChange::OwnBook(check(name, value)?),
            "bookfile" if value.is_empty() || value == "<empty>" => OptionChange::OwnBook(false),
            "bookfile" => {
                let book =
                    Book::read(Path::new(value)).map_err(|error| format!("{name}: {error}"))?;
                OptionChange::BookFile(Arc::new(book))
            }
            "variety" => OptionChange::Variety(check(name, value)?),
            "seed" => OptionChange::Seed(spin(name, value, 0, MOST_SEED)?),
            "algorithm" => {
                // Any algorithm of the catalogue is accepted, listed or not.
                let algorithm = value.parse().map_err(|error| format!("{name}: {error}"))?;
                OptionChange::Algorithm(algorithm, selective_ids().any(|id| id == value))
            }
            _ => return Err(format!("there is no option `{name}`")),
        })
    }
}

/// The Elo of the weakest and the strongest level, if it was measured.
fn elo_range() -> Option<[i32; 2]> {
    Chess::door().levels().ok()?.elo_range()
}

/// The entries of a table of this many MiB.
fn entries(mebibytes: usize) -> usize {
    TableSize::of_mebibytes(mebibytes).entries()
}

fn spin(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    match value.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{name}: expected a number from {least} to {most}, found `{value}`")),
    }
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name}: expected true or false, found `{value}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::profile::Profile;

    #[test]
    fn every_choice_can_be_set() {
        let mut session = Session::new(Profile::standard(Chess::door()).unwrap()).unwrap();
        let mut options = UciOptions::default();
        let mut set = |name: &str, value: &str| {
            let result = OptionChange::read(name, Some(value))
                .and_then(|change| options.make(&mut session, change));
            result.map(|note| (session.is_selective(), note.is_some()))
        };
        for id in selective_ids() {
            assert_eq!(set("Algorithm", id), Ok((true, false)), "{id}");
        }
        for id in laboratory_ids() {
            assert_eq!(set("algorithm", id), Ok((false, false)), "{id}");
        }
        assert!(set("Algorithm", "magic").is_err());
        assert!(set("Hash", "0").is_err() && set("Hash", "x").is_err() && set("Hash", "").is_err());
        assert_eq!(set("Threads", "2"), Ok((false, true)));
        assert_eq!(set("Algorithm", "sss"), Ok((false, true)));
        assert_eq!(set("Hash", "1"), Ok((false, false)));
        assert_eq!(set("Algorithm", "pvs"), Ok((true, false)));
        // Some machines have processors for all of them.
        let processors = std::thread::available_parallelism().unwrap().get();
        assert_eq!(set("Threads", "256"), Ok((true, processors < 64)));
        assert!(set("Threads", "257").is_err());
        assert!(set("MultiPV", "3").is_ok() && set("MultiPV", "0").is_err());
        assert!(set("Ponder", "true").is_ok() && set("Ponder", "maybe").is_err());
        assert!(set("Contempt", "3").unwrap_err().contains("no option"));
        let [weakest, strongest] = elo_range().unwrap();
        assert!(set("UCI_LimitStrength", "true").is_ok() && set("Seed", "7").is_ok());
        assert!(set("UCI_Elo", &weakest.to_string()).is_ok());
        assert!(set("UCI_Elo", &(strongest + 1).to_string()).is_err());
        assert!(set("OwnBook", "false").is_ok() && set("OwnBook", "yes").is_err());
        assert!(set("BookFile", "no-such.bin").unwrap_err().contains("no-such.bin"));
        assert!(set("BookFile", "<empty>").is_ok() && set("BookFile", "/dev/zero").is_err());
        assert!(set("UCI_ShowWDL", "true").is_ok() && set("Variety", "1").is_err());
        assert_eq!((options.lines, options.elo, options.wdl), (3, weakest, true));
    }
}
