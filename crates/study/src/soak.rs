//! A soak: copies of the program play each other over its protocols for hours, and are disturbed in every
//! way that a client may think of.
//!
//! A game is played by two copies. Between moves and during searches they are stopped, killed, told to
//! quit, given other table sizes, little memory and nonsense. The rules judge every move, every wait has
//! an end, every exit code is checked, and the memory of each copy is watched. What goes wrong is a
//! [fault](SoakFault); the game is given up and the next one begins. All choices of a game follow from its
//! seed, so that a game with a fault can be played again; the times of a shared machine do not.

mod dice;
mod engine_copy;
mod game;
mod gtp;
mod nboard;
mod stopwatch;
mod uci;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::tournament::process::end_descendants;
use crate::tournament::{FaultKind, OpponentError};
use plyground_core::limits::StopFlag;
use plyground_engine::door::AnyGame;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

/// A protocol that copies of the program are spoken to by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SoakProtocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol.
    Gtp,
    /// The NBoard protocol.
    Nboard,
}

impl SoakProtocol {
    /// All protocols.
    pub const ALL: [SoakProtocol; 3] = [SoakProtocol::Uci, SoakProtocol::Gtp, SoakProtocol::Nboard];

    /// The program's command that speaks it.
    pub const fn command(self) -> &'static str {
        match self {
            SoakProtocol::Uci => "uci",
            SoakProtocol::Gtp => "gtp",
            SoakProtocol::Nboard => "nboard",
        }
    }

    /// The game that is played over it.
    fn game(self) -> &'static dyn AnyGame {
        match self {
            SoakProtocol::Uci => Chess::door(),
            SoakProtocol::Gtp | SoakProtocol::Nboard => Othello::door(),
        }
    }

    /// The protocols of a program with these games.
    pub fn of(games: &Games) -> Vec<SoakProtocol> {
        let is_played = |protocol: &SoakProtocol| games.iter().any(|game| game == protocol.game());
        SoakProtocol::ALL.into_iter().filter(is_played).collect()
    }
}

/// The settings of a soak.
#[derive(Clone, Debug)]
pub struct SoakSettings {
    /// The program whose copies play.
    pub program: PathBuf,
    /// The protocols that it speaks.
    pub protocols: Vec<SoakProtocol>,
    /// The first game's seed; each game has the next one.
    pub seed: u64,
    /// No game begins after this time.
    pub time: Option<Duration>,
    /// The most games.
    pub games: Option<u64>,
    /// How many games are played at the same time.
    pub jobs: usize,
    /// How many MiB a copy may use besides its table.
    pub memory: u64,
    /// Interrupts the soak when it is raised.
    pub stop: StopFlag,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SoakFaultKind {
    /// A move against the rules, or an answer that is none.
    Illegal,
    /// A copy ended by itself.
    Crash,
    /// A search or a session broke down inside a copy that went on.
    Panic,
    /// No answer.
    Silent,
    /// An answer long after the time was up.
    Late,
    /// A copy did not end when it was told to, or with another exit code than expected.
    Exit,
    /// A copy used more memory than it may.
    Memory,
}

impl SoakFaultKind {
    /// All kinds.
    pub const ALL: [SoakFaultKind; 7] = [
        SoakFaultKind::Illegal,
        SoakFaultKind::Crash,
        SoakFaultKind::Panic,
        SoakFaultKind::Silent,
        SoakFaultKind::Late,
        SoakFaultKind::Exit,
        SoakFaultKind::Memory,
    ];

    /// The name in tables and in JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            SoakFaultKind::Illegal => "illegal",
            SoakFaultKind::Crash => "crash",
            SoakFaultKind::Panic => "panic",
            SoakFaultKind::Silent => "silent",
            SoakFaultKind::Late => "late",
            SoakFaultKind::Exit => "exit",
            SoakFaultKind::Memory => "memory",
        }
    }
}

/// What went wrong in a game.
#[derive(Clone, Debug, Serialize)]
pub struct SoakFault {
    /// The kind of fault.
    pub fault: SoakFaultKind,
    /// The seed of the game: a soak of one game with this seed repeats it.
    pub seed: u64,
    /// The protocol that was spoken.
    pub protocol: SoakProtocol,
    /// What happened.
    pub reason: String,
    /// The last lines to (`>`) and from (`<`) the copy.
    pub lines: Vec<String>,
}

impl fmt::Display for SoakFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SoakFault { fault, seed, protocol, reason, .. } = self;
        write!(f, "{}, {}, seed {seed}: {reason}", fault.name(), protocol.command())
    }
}

/// What was done to the copies, and what they did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SoakCounts {
    /// The games that ended, with or without a fault.
    pub games: u64,
    /// The moves of the copies.
    pub moves: u64,
    /// Searches that were stopped.
    pub stops: u64,
    /// Table sizes that were set, some of them during a search.
    pub hash_changes: u64,
    /// Copies that were killed during a search.
    pub kills: u64,
    /// Copies that were sent SIGTERM during a search.
    pub terminations: u64,
    /// Copies that were told to quit during a search, or whose input was closed.
    pub quits: u64,
    /// Copies that were given little memory.
    pub low_memory: u64,
    /// Lines without a meaning.
    pub nonsense: u64,
    /// The most memory that a copy used besides its table, in MiB.
    pub peak_mib: u64,
    /// The longest time between the end of a search's time and its answer, in milliseconds.
    pub latest_ms: u64,
    /// The longest time of a search's answer in which nothing could run, in milliseconds.
    pub starved_ms: u64,
}

impl SoakCounts {
    fn add(&mut self, other: &SoakCounts) {
        self.games += other.games;
        self.moves += other.moves;
        self.stops += other.stops;
        self.hash_changes += other.hash_changes;
        self.kills += other.kills;
        self.terminations += other.terminations;
        self.quits += other.quits;
        self.low_memory += other.low_memory;
        self.nonsense += other.nonsense;
        self.peak_mib = self.peak_mib.max(other.peak_mib);
        self.latest_ms = self.latest_ms.max(other.latest_ms);
        self.starved_ms = self.starved_ms.max(other.starved_ms);
    }

    /// An answer came so late, and nothing could run for so long meanwhile.
    fn answered(&mut self, late: Duration, starved: Duration) {
        self.latest_ms = self.latest_ms.max(late.as_millis() as u64);
        self.starved_ms = self.starved_ms.max(starved.as_millis() as u64);
    }
}

/// What a soak has found so far.
#[derive(Clone, Debug, Default)]
pub struct SoakReport {
    /// What was done.
    pub counts: SoakCounts,
    /// The faults, in the order in which they were found.
    pub faults: Vec<SoakFault>,
    /// The time that it took.
    pub time: Duration,
}

impl SoakReport {
    /// How many faults of a kind there were.
    pub fn faults_of(&self, kind: SoakFaultKind) -> usize {
        self.faults.iter().filter(|fault| fault.fault == kind).count()
    }
}

/// Why a game was given up.
enum GivenUp {
    Fault(SoakFaultKind, String),
    Interrupted,
}

impl From<OpponentError> for GivenUp {
    fn from(error: OpponentError) -> GivenUp {
        match error {
            OpponentError::Interrupted => GivenUp::Interrupted,
            OpponentError::Fault(fault) => {
                let kind = match fault.kind {
                    FaultKind::Illegal => SoakFaultKind::Illegal,
                    FaultKind::Crash => SoakFaultKind::Crash,
                    FaultKind::Time => SoakFaultKind::Silent,
                };
                GivenUp::Fault(kind, fault.reason)
            }
        }
    }
}

/// Plays games until the time is up, the games are played or the soak is interrupted. After each game,
/// `done` gets the report so far and the fault of that game, if there was one.
pub fn soak(
    settings: &SoakSettings,
    done: impl FnMut(&SoakReport, Option<&SoakFault>) + Send,
) -> SoakReport {
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let state = Mutex::new((SoakReport::default(), done));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let enough = settings.games.is_some_and(|games| number >= games)
                || settings.time.is_some_and(|time| started.elapsed() >= time);
            if enough || settings.stop.is_raised() {
                return;
            }
            let (mut counts, fault) = game::play(settings, settings.seed.wrapping_add(number));
            counts.games = u64::from(!settings.stop.is_raised());
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (report, done) = &mut *state;
            report.counts.add(&counts);
            report.time = started.elapsed();
            report.faults.extend(fault.clone());
            done(report, fault.as_ref());
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..settings.jobs {
            // If the system has no more threads, the others do all the work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    end_descendants();
    let (mut report, _) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.time = started.elapsed();
    report
}
