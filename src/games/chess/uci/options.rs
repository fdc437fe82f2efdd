//! The options: what can be set, and setting it.

use std::time::Duration;

use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_engine::session::{OVERHEAD, Session};
use plyground_games::chess::Chess;
use plyground_search::Algorithm;
use plyground_search::play::PlaySwitches;
use plyground_search::table::TableSize;

/// What is set beside the session's own settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// How many lines are wanted.
    pub(super) lines: usize,
    /// Analysis shows bounds at once, a game only where a move takes long.
    pub(super) analyses: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { lines: 1, analyses: false }
    }
}

const MOST_HASH: usize = 32_768;
const MOST_LINES: usize = 218;
const MOST_OVERHEAD: u64 = 5_000;

/// What interfaces show of an engine.
const ABOUT: &str = concat!(
    "Plyground ",
    env!("CARGO_PKG_VERSION"),
    ": game-tree searches of the literature on one trait, exact and counted"
);

/// Algorithms that play selectively.
const PLAYERS: [&str; 2] = ["pvs", "mtd-f"];
/// Algorithms of the laboratory, as they are.
const LABORATORY: [&str; 13] = [
    "minimax",
    "alpha-beta",
    "scout",
    "negascout",
    "sss-2",
    "dual-2",
    "sss-0",
    "sss-b",
    "second-best",
    "sss",
    "dual",
    "ps:2",
    "ps:1+2+4+8",
];

impl Options {
    /// What `uci` is answered with.
    pub(super) fn listed(session: &Session<Chess>) -> Vec<String> {
        let hash = (session.profile().table.entries() / entries(1)).max(1);
        let algorithm = session.profile().algorithm.to_string();
        // The engine's own may be none of the usual.
        let usual = PLAYERS.into_iter().chain(LABORATORY);
        let own = Some(algorithm.as_str()).filter(|&own| usual.clone().all(|id| id != own));
        let choices = usual.chain(own).map(|id| format!(" var {id}"));
        vec![
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
        ]
    }

    /// Makes a change, and says if it does nothing for the present; an error says why it cannot be
    /// made.
    pub(super) fn make(
        &mut self,
        session: &mut Session<Chess>,
        change: Change,
    ) -> Result<Option<String>, String> {
        let concerns_threads = matches!(change, Change::Threads(_) | Change::Algorithm(..));
        match change {
            Change::Hash(size) => {
                if let Some(free) = free_mebibytes()
                    && size > free / 4 * 3
                {
                    return Err(format!("Hash: {size} MiB, but only {free} MiB are free"));
                }
                session.resize(TableSize::of_mebibytes(size));
            }
            Change::ClearHash => session.clear(),
            Change::Threads(threads) => session.set_threads(threads),
            Change::Lines(lines) => self.lines = lines,
            Change::Overhead(overhead) => session.set_overhead(overhead),
            Change::Analyses(analyses) => self.analyses = analyses,
            Change::Algorithm(algorithm, plays) => {
                let switches = session.profile().play.unwrap_or(PlaySwitches::ALL);
                session.set_algorithm(algorithm, plays.then_some(switches));
            }
            Change::Nothing => {}
        }
        let Profile { algorithm, threads, .. } = session.profile();
        let idle = concerns_threads && *threads > 1 && !session.is_selective();
        let players = PLAYERS.join(" and ");
        Ok(idle.then(|| format!("Threads: {algorithm} does not use them; {players} do")))
    }
}

/// What `setoption` asks for.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Hash(usize),
    ClearHash,
    Threads(usize),
    Lines(usize),
    Overhead(Duration),
    Analyses(bool),
    /// And whether it plays selectively.
    Algorithm(Algorithm, bool),
    Nothing,
}

impl Change {
    /// Reads the name and the value of an option; an error says what was expected.
    pub(super) fn read(name: &str, value: Option<&str>) -> Result<Change, String> {
        let value = value.unwrap_or("").trim();
        Ok(match name.to_ascii_lowercase().as_str() {
            "hash" => Change::Hash(spin(name, value, 1, MOST_HASH as u64)? as usize),
            "clear hash" => Change::ClearHash,
            "threads" => Change::Threads(spin(name, value, 1, MAX_THREADS as u64)? as usize),
            "multipv" => Change::Lines(spin(name, value, 1, MOST_LINES as u64)? as usize),
            "move overhead" => {
                Change::Overhead(Duration::from_millis(spin(name, value, 0, MOST_OVERHEAD)?))
            }
            // The interface decides when to ponder; it only wants to hear that we can.
            "ponder" => check(name, value).map(|_| Change::Nothing)?,
            // It says who we are, whatever it is set to.
            "uci_engineabout" => Change::Nothing,
            "uci_analysemode" => Change::Analyses(check(name, value)?),
            "algorithm" => {
                // Those of the list, and whatever else the laboratory can read.
                let algorithm = value.parse().map_err(|error| format!("{name}: {error}"))?;
                Change::Algorithm(algorithm, PLAYERS.contains(&value))
            }
            _ => return Err(format!("there is no option `{name}`")),
        })
    }
}

/// How many entries so many MiB are.
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

/// The memory that is free, where the system tells.
fn free_mebibytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kibibytes| kibibytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_engine::profile::Profile;

    #[test]
    fn every_choice_can_be_set() {
        let mut session = Session::new(Profile::standard(Chess::door()).unwrap()).unwrap();
        let mut options = Options::default();
        let mut set = |name: &str, value: &str| {
            let result = Change::read(name, Some(value))
                .and_then(|change| options.make(&mut session, change));
            result.map(|note| (session.is_selective(), note.is_some()))
        };
        for id in PLAYERS {
            assert_eq!(set("Algorithm", id), Ok((true, false)), "{id}");
        }
        for id in LABORATORY {
            assert_eq!(set("algorithm", id), Ok((false, false)), "{id}");
        }
        assert!(set("Algorithm", "magic").is_err());
        assert!(set("Hash", "0").is_err() && set("Hash", "x").is_err() && set("Hash", "").is_err());
        assert_eq!(set("Threads", "2"), Ok((false, true)));
        assert_eq!(set("Algorithm", "sss"), Ok((false, true)));
        assert_eq!(set("Hash", "1"), Ok((false, false)));
        assert_eq!(set("Algorithm", PLAYERS[0]), Ok((true, false)));
        assert!(set("Threads", "257").is_err());
        assert!(set("MultiPV", "3").is_ok() && set("MultiPV", "0").is_err());
        assert!(set("Ponder", "true").is_ok() && set("Ponder", "maybe").is_err());
        assert!(set("Contempt", "3").unwrap_err().contains("no option"));
        assert_eq!(options.lines, 3);
    }
}
