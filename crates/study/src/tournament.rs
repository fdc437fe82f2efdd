//! Matches: two engines play many games, whose results give an estimate of the difference in strength.
//!
//! Every opening is played twice, with the sides exchanged. A [`Participant`] is one of our own engines,
//! of any game, or another program that speaks UCI or GTP. The referee ([`play_game`]) applies the rules,
//! runs the clocks and records faults. Every finished game is one line of a file, so that a match can be
//! continued; the [`Scoreboard`] sums the games up.
//!
//! Nothing here depends on the type of a game: positions and moves are text, games in progress are
//! [lines](plyground_engine::door::AnyLine), our own engines are [`Player`](plyground_engine::door::Player)s.

mod adjudication;
mod date;
mod gtp;
mod limit;
mod openings;
mod opponent;
mod participant;
pub(crate) mod process;
mod rating;
mod record;
mod referee;
mod score;
mod scoreboard;
mod sprt;
mod uci;

pub use adjudication::{Adjudication, DrawRule, ParseRuleError, ResignRule};
pub use date::today;
pub use limit::{Clocks, MatchLimit, ParseTimeError, TimeControl};
pub use openings::match_openings;
pub use opponent::{Opponent, OpponentError, OpponentReply};
pub use participant::{Participant, ParticipantError, ParticipantSettings, Protocol};
pub use process::end_descendants;
pub use rating::{PairingResult, Rating, ratings};
pub use record::{Fault, FaultKind, FaultRecord, GameRecord, GameSetup, RemarkRecord};
pub use referee::{LONGEST_GAME, PlayedGame, play_game};
pub use score::{Competitor, Elo, Pentanomial, Tally, elo, expected};
pub use scoreboard::Scoreboard;
pub use sprt::{Hypothesis, ParseSprtError, Sprt};

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::experiment::{Store, StoreError, in_parallel};
use plyground_core::limits::StopFlag;
use plyground_core::memory::{self, OutOfMemory};
use plyground_core::tree::mix;
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::game::{Heading, Seat, Verdict};

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The limit on each move or on the game.
    pub limit: MatchLimit,
    /// A move that is late by at most this is accepted.
    pub grace: Duration,
    /// How long to wait for an opponent whose time is up; `None` for the default.
    pub patience: Option<Duration>,
    /// The number of games.
    pub games: u32,
    /// The seed that chooses the order of the openings.
    pub seed: u64,
    /// When a game ends before its rules end it.
    pub adjudication: Adjudication,
    /// Interrupts the match when it is raised.
    pub stop: StopFlag,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The records of earlier games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An opponent does not start.
    #[error("`{typed}` does not play: {reason}")]
    Start {
        /// The text that names the opponent.
        typed: String,
        /// Why not.
        reason: String,
    },
    /// A game cannot be played from this opening.
    #[error("opening {number}: {reason}")]
    Opening {
        /// The number of the opening, from 1.
        number: usize,
        /// Why not.
        reason: String,
    },
    /// There is no memory for the tables of our own engines.
    #[error("the tables of the engines that play at once: {0}")]
    Memory(OutOfMemory),
    /// There are no openings.
    #[error("there are no openings; expected at least one")]
    NoOpenings,
    /// A record's moves are not legal.
    #[error("game {number} of the records: {reason}")]
    Moves {
        /// The number of the game.
        number: u32,
        /// What is wrong with the moves.
        reason: String,
    },
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// What identifies the game.
    pub setup: GameSetup,
    /// The opening, by its index in the list.
    opening: usize,
}

/// Two running engines that play one game after another, in the order of [`Competitor::ALL`].
type Opponents = [Box<dyn Opponent>; 2];

/// A match between two participants.
pub struct Match {
    game: &'static dyn AnyGame,
    participants: [Participant; 2],
    openings: Vec<Box<dyn AnyLine>>,
    settings: MatchSettings,
    /// The games, in the order of their numbers.
    pub pairings: Vec<Pairing>,
}

impl Match {
    /// Pairs the games: each opening twice with the sides exchanged, in an order that the seed chooses;
    /// openings repeat if there are not enough.
    pub fn new(
        participants: [Participant; 2],
        openings: Vec<Box<dyn AnyLine>>,
        settings: MatchSettings,
    ) -> Result<Match, MatchError> {
        let game = openings.first().ok_or(MatchError::NoOpenings)?.game();
        let from_start = participants.iter().any(|p| p.protocol() == Some(Protocol::Gtp));
        for (place, opening) in openings.iter().enumerate() {
            let wrong = |reason| MatchError::Opening { number: place + 1, reason };
            if let Some(verdict) = opening.verdict() {
                return Err(wrong(format!("the game is over: {}", verdict.text(game.sides()))));
            }
            if from_start && !opening.is_from_start() {
                let reason = "GTP cannot set up a position; expected moves from the start";
                return Err(wrong(reason.into()));
            }
        }
        let order = shuffled(openings.len(), settings.seed);
        let pairings = (0..settings.games).map(|number| {
            let opening = order[number as usize / 2 % order.len()];
            let first = if number.is_multiple_of(2) { Competitor::A } else { Competitor::B };
            let setup = GameSetup {
                game: game.to_string(),
                a: participants[0].typed().into(),
                b: participants[1].typed().into(),
                a_setup: participants[0].setup(),
                b_setup: participants[1].setup(),
                limit: settings.limit.to_string(),
                number: number + 1,
                first,
                opening: described(&*openings[opening]),
                seed: settings.seed,
                adjudication: settings.adjudication.to_string(),
                version: env!("CARGO_PKG_VERSION").into(),
            };
            Pairing { setup, opening }
        });
        let pairings = pairings.collect();
        Ok(Match { game, participants, openings, settings, pairings })
    }

    /// The game that is played.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Plays the games that are not in the records, `jobs` at a time, until all are played, the test on
    /// the scoreboard has decided, or the match is interrupted. Each game is counted and stored, and then
    /// `done` is called; games from the records come first.
    pub fn run<E: From<MatchError> + Send>(
        &self,
        board: &mut Scoreboard,
        mut store: Option<&mut Store<GameRecord>>,
        jobs: usize,
        mut done: impl FnMut(&GameRecord, &Scoreboard) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let mut missing = Vec::new();
        for pairing in &self.pairings {
            match store.as_ref().and_then(|store| store.get(&pairing.setup)) {
                None => missing.push(pairing),
                Some(record) => {
                    board.add(record);
                    done(record, board)?;
                }
            }
        }
        if missing.is_empty() || board.decision().is_some() {
            return Ok(());
        }
        self.check_memory(jobs.min(missing.len()))?;
        // A job takes a free pair of engines, or starts another pair.
        let idle = match self.opponents() {
            Ok(opponents) => Mutex::new(vec![opponents]),
            // The match was interrupted before it began.
            Err(_) if self.settings.stop.is_raised() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let enough = StopFlag::new();
        let make = |pairing: &&Pairing| {
            if enough.is_raised() || self.settings.stop.is_raised() {
                return Ok(None);
            }
            let free = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut opponents = match free {
                Some(opponents) => opponents,
                None => self.opponents()?,
            };
            let record = self.play(pairing, &mut opponents);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(opponents);
            Ok(record)
        };
        in_parallel(&missing, jobs, make, |record| {
            if let Some(store) = &mut store {
                store.append(&record).map_err(MatchError::from)?;
            }
            board.add(&record);
            if board.decision().is_some() {
                enough.raise();
            }
            done(&record, board)
        })
    }

    /// Is there memory for the tables of all games that are played at once?
    fn check_memory(&self, jobs: usize) -> Result<(), MatchError> {
        let tables: usize = self.participants.iter().map(Participant::table_bytes).sum();
        memory::check(tables.saturating_mul(jobs)).map_err(MatchError::Memory)
    }

    /// Starts both opponents.
    fn opponents(&self) -> Result<Opponents, MatchError> {
        let start = |participant: &Participant| {
            participant.start(&self.settings.stop).map_err(|error| MatchError::Start {
                typed: participant.typed().into(),
                reason: match error {
                    OpponentError::Fault(fault) => fault.reason,
                    OpponentError::Interrupted => "interrupted".into(),
                },
            })
        };
        Ok([start(&self.participants[0])?, start(&self.participants[1])?])
    }

    /// Plays one game; `None` if it was interrupted.
    fn play(&self, pairing: &Pairing, opponents: &mut Opponents) -> Option<GameRecord> {
        let Pairing { setup, opening } = pairing;
        let opening = &*self.openings[*opening];
        let MatchSettings { limit, grace, patience, adjudication, .. } = self.settings;
        let clocks = Clocks::new(limit, grace, patience);
        let started = Instant::now();
        for (opponent, number) in opponents.iter_mut().zip(0..) {
            opponent.set_seed(mix(mix(setup.seed, setup.number.into()), number));
        }
        let [a, b] = opponents;
        let players: [&mut dyn Opponent; 2] = match setup.first {
            Competitor::A => [a.as_mut(), b.as_mut()],
            Competitor::B => [b.as_mut(), a.as_mut()],
        };
        let PlayedGame { line, remarks, verdict, fault } =
            play_game(opening, players, clocks, &adjudication)?;
        let competitor = |seat| match seat {
            Seat::First => setup.first,
            Seat::Second => setup.first.other(),
        };
        let moves = &line.written()[opening.plies()..];
        Some(GameRecord {
            setup: setup.clone(),
            a_name: opponents[0].name(),
            b_name: opponents[1].name(),
            winner: verdict.winner.map(competitor),
            reason: verdict.reason,
            fault: fault.map(|(seat, fault)| FaultRecord { by: competitor(seat), fault }),
            plies: moves.len(),
            moves: moves.join(" "),
            date: date::today(),
            seconds: (started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            remarks: remarks.into_iter().map(|remark| remark.map(RemarkRecord::from)).collect(),
        })
    }

    /// A game in the format of its game, such as PGN or GGF.
    pub fn saved(&self, record: &GameRecord) -> Result<String, MatchError> {
        let setup = &record.setup;
        let wrong = |reason: String| MatchError::Moves { number: setup.number, reason };
        let pairing = self.pairings.get(setup.number as usize - 1);
        let pairing = pairing.ok_or_else(|| wrong("there is no such game".into()))?;
        let mut line = self.openings[pairing.opening].clone();
        let mut remarks = vec![None; line.plies()];
        for mv in record.moves.split_whitespace() {
            line.play(mv).map_err(|error| wrong(error.to_string()))?;
        }
        remarks.extend(record.remarks.iter().map(|remark| remark.map(Into::into)));
        let seat = |of: Competitor| if of == setup.first { Seat::First } else { Seat::Second };
        let mut players = [record.a_name.clone(), record.b_name.clone()];
        if setup.first == Competitor::B {
            players.swap(0, 1);
        }
        // A result by the rules of the game follows from the moves.
        let ruled = line.verdict().is_some() && record.fault.is_none();
        let verdict = Verdict { winner: record.winner.map(seat), reason: record.reason.clone() };
        let heading = Heading {
            event: format!("{} against {}", record.a_name, record.b_name),
            date: record.date.clone(),
            round: setup.number.to_string(),
            players,
            time: self.settings.limit.pgn_text(),
            verdict: (!ruled).then_some(verdict),
            remarks,
            ..Heading::default()
        };
        Ok(line.save(&heading))
    }
}

/// The numbers below `count` in an order that the seed chooses.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (mix(seed, last as u64) % (last as u64 + 1)) as usize);
    }
    order
}

/// An opening in one line of text.
fn described(opening: &dyn AnyLine) -> String {
    let moves = opening.written().join(" ");
    match (opening.is_from_start(), moves.is_empty()) {
        (true, true) => "start".into(),
        (true, false) => moves,
        (false, true) => opening.start(),
        (false, false) => format!("{} moves {moves}", opening.start()),
    }
}

#[cfg(test)]
mod tests;
