//! Matches: two opponents, many games, and what they say of the difference in strength.
//!
//! Every opening is played twice with the sides exchanged. An opponent is one of our own engines or
//! any other that speaks UCI or GTP ([`Entrant`]); a referee who knows the rules and has the clocks
//! ([`play`]) counts whatever goes wrong. Games are kept as they end, a line each, so that a match
//! can be continued; the [`Scoreboard`] adds them up.

mod board;
mod contender;
mod date;
mod entrant;
mod gtp;
mod limit;
mod process;
mod record;
mod referee;
mod score;
mod sprt;
mod uci;

pub use board::Scoreboard;
pub use contender::{Answer, Contender, Trouble};
pub use date::today;
pub use entrant::{Entrant, EntrantError, EntrantSettings, Protocol};
pub use limit::{Clocks, Limit, ParseTimeError, TimeControl};
pub use record::{Fault, FaultKind, FaultRecord, GameRecord, GameSetup, Thinking};
pub use referee::{LONGEST, Played, play};
pub use score::{Elo, Pairs, Tally, Who, elo, expected};
pub use sprt::{Hypothesis, ParseSprtError, Sprt};

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::experiment::{Store, StoreError, side_by_side};
use plyground_core::limits::StopFlag;
use plyground_core::tree::mix;
use plyground_engine::game::{Game, GameLine, Heading, Seat, Verdict};

/// How a match is played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the opponents may use.
    pub limit: Limit,
    /// A move that comes late by no more than this is in time.
    pub grace: Duration,
    /// How long to wait for an opponent whose time is up; `None` for what is usual.
    pub patience: Option<Duration>,
    /// How many games.
    pub games: u32,
    /// Chooses the order of the openings.
    pub seed: u64,
    /// Ends the match when raised.
    pub stop: StopFlag,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The records are wrong.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An opponent does not start.
    #[error("`{typed}` does not play: {reason}")]
    Start {
        /// What was typed.
        typed: String,
        /// Why not.
        reason: String,
    },
    /// A game cannot be played from this opening.
    #[error("opening {number}: {reason}")]
    Opening {
        /// Which, from 1.
        number: usize,
        /// Why not.
        reason: String,
    },
    /// There are no openings.
    #[error("there are no openings; expected at least one")]
    NoOpenings,
    /// A record's moves are not legal.
    #[error("game {number} of the records: {reason}")]
    Moves {
        /// Which game.
        number: u32,
        /// What is wrong.
        reason: String,
    },
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// Which game it is.
    pub setup: GameSetup,
    /// The opening, by its place in the list.
    opening: usize,
}

/// Both opponents at one table, in the order of [`Who::ALL`].
type Seats<G> = [Box<dyn Contender<G>>; 2];

/// A match.
pub struct Contest<G: Game> {
    entrants: [Entrant; 2],
    openings: Vec<GameLine<G>>,
    settings: Settings,
    /// The games, in the order of their numbers.
    pub pairings: Vec<Pairing>,
}

impl<G: Game> Contest<G> {
    /// Each opening twice with the sides exchanged, in an order that the seed chooses; from the
    /// beginning again where there are not enough.
    pub fn new(
        entrants: [Entrant; 2],
        openings: Vec<GameLine<G>>,
        settings: Settings,
    ) -> Result<Contest<G>, ContestError> {
        if openings.is_empty() {
            return Err(ContestError::NoOpenings);
        }
        let start = G::position("").ok();
        let from_start = entrants.iter().any(|e| e.protocol() == Some(Protocol::Gtp));
        for (place, opening) in openings.iter().enumerate() {
            let wrong = |reason| ContestError::Opening { number: place + 1, reason };
            if let Some(verdict) = opening.verdict() {
                return Err(wrong(format!("the game is over: {}", verdict.text(G::SIDES))));
            }
            if from_start && start.as_ref() != Some(opening.start()) {
                let reason = "GTP cannot set up a position; expected moves from the start";
                return Err(wrong(reason.into()));
            }
        }
        let order = shuffled(openings.len(), settings.seed);
        let pairings = (0..settings.games).map(|number| {
            let opening = order[number as usize / 2 % order.len()];
            let first = if number.is_multiple_of(2) { Who::A } else { Who::B };
            let setup = GameSetup {
                game: G::NAME.to_string(),
                a: entrants[0].typed().into(),
                b: entrants[1].typed().into(),
                a_setup: entrants[0].setup(),
                b_setup: entrants[1].setup(),
                limit: settings.limit.to_string(),
                number: number + 1,
                first,
                opening: described(&openings[opening]),
                seed: settings.seed,
                version: env!("CARGO_PKG_VERSION").into(),
            };
            Pairing { setup, opening }
        });
        let pairings = pairings.collect();
        Ok(Contest { entrants, openings, settings, pairings })
    }

    /// Plays the games that are not in the records, so many at a time, until all are played, the test
    /// on the scoreboard has decided, or the match is interrupted. Each game is counted, kept, and
    /// handed to `done`; those of the records come first.
    pub fn run<E: From<ContestError> + Send>(
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
        let seats = match self.seats() {
            Ok(seats) => Mutex::new(vec![seats]),
            // It was interrupted before it began.
            Err(_) if self.settings.stop.is_raised() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let enough = StopFlag::new();
        let make = |pairing: &&Pairing| {
            if enough.is_raised() || self.settings.stop.is_raised() {
                return Ok(None);
            }
            let free = seats.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut taken = match free {
                Some(taken) => taken,
                None => self.seats()?,
            };
            let record = self.game(pairing, &mut taken);
            seats.lock().unwrap_or_else(PoisonError::into_inner).push(taken);
            Ok(record)
        };
        side_by_side(&missing, jobs, make, |record| {
            if let Some(store) = &mut store {
                store.append(&record).map_err(ContestError::from)?;
            }
            board.add(&record);
            if board.decision().is_some() {
                enough.raise();
            }
            done(&record, board)
        })
    }

    /// Both opponents, ready to play.
    fn seats(&self) -> Result<Seats<G>, ContestError> {
        let start = |entrant: &Entrant| {
            entrant.start::<G>(&self.settings.stop).map_err(|trouble| ContestError::Start {
                typed: entrant.typed().into(),
                reason: match trouble {
                    Trouble::Fault(fault) => fault.reason,
                    Trouble::Interrupted => "interrupted".into(),
                },
            })
        };
        Ok([start(&self.entrants[0])?, start(&self.entrants[1])?])
    }

    /// Plays one game; `None` if it was interrupted.
    fn game(&self, pairing: &Pairing, seats: &mut Seats<G>) -> Option<GameRecord> {
        let Pairing { setup, opening } = pairing;
        let opening = &self.openings[*opening];
        let Settings { limit, grace, patience, .. } = self.settings;
        let clocks = Clocks::new(limit, grace, patience);
        let started = Instant::now();
        let [a, b] = seats;
        let players: [&mut dyn Contender<G>; 2] = match setup.first {
            Who::A => [a.as_mut(), b.as_mut()],
            Who::B => [b.as_mut(), a.as_mut()],
        };
        let Played { line, remarks, verdict, fault } = play(opening, players, clocks)?;
        let who = |player| match player {
            Seat::First => setup.first,
            Seat::Second => setup.first.other(),
        };
        let moves = G::written(line.start(), line.moves());
        let moves = &moves[opening.moves().len()..];
        Some(GameRecord {
            setup: setup.clone(),
            a_name: seats[0].name(),
            b_name: seats[1].name(),
            winner: verdict.winner.map(who),
            reason: verdict.reason,
            fault: fault.map(|(player, fault)| FaultRecord { by: who(player), fault }),
            plies: moves.len(),
            moves: moves.join(" "),
            date: date::today(),
            seconds: (started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            remarks: remarks.into_iter().map(|remark| remark.map(Thinking::from)).collect(),
        })
    }

    /// A game as a file keeps it: PGN or GGF.
    pub fn saved(&self, record: &GameRecord) -> Result<String, ContestError> {
        let setup = &record.setup;
        let wrong = |reason: String| ContestError::Moves { number: setup.number, reason };
        let pairing = self.pairings.get(setup.number as usize - 1);
        let pairing = pairing.ok_or_else(|| wrong("there is no such game".into()))?;
        let mut line = self.openings[pairing.opening].clone();
        let mut remarks = vec![None; line.moves().len()];
        for text in record.moves.split_whitespace() {
            let mv = G::read_move(line.position(), text);
            line.play(mv.map_err(|error| wrong(error.to_string()))?);
        }
        remarks.extend(record.remarks.iter().map(|remark| remark.map(Into::into)));
        let player = |who: Who| if who == setup.first { Seat::First } else { Seat::Second };
        let mut players = [record.a_name.clone(), record.b_name.clone()];
        if setup.first == Who::B {
            players.swap(0, 1);
        }
        // A game that its own rules ended needs nobody to say so.
        let ruled = line.verdict().is_some() && record.fault.is_none();
        let verdict = Verdict { winner: record.winner.map(player), reason: record.reason.clone() };
        let heading = Heading {
            event: format!("{} against {}", record.a_name, record.b_name),
            date: record.date.clone(),
            round: setup.number.to_string(),
            players,
            time: setup.limit.clone(),
            verdict: (!ruled).then_some(verdict),
            remarks,
        };
        Ok(G::save(&line, &heading))
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

/// An opening in a line.
fn described<G: Game>(opening: &GameLine<G>) -> String {
    let moves = G::written(opening.start(), opening.moves()).join(" ");
    let from_start = G::position("").is_ok_and(|start| start == *opening.start());
    match (from_start, moves.is_empty()) {
        (true, true) => "start".into(),
        (true, false) => moves,
        (false, true) => opening.start().to_string(),
        (false, false) => format!("{} moves {moves}", opening.start()),
    }
}

#[cfg(test)]
mod tests;
