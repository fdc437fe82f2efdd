//! One game of a soak.

use super::dice::Dice;
use super::engine_copy::EngineCopy;
use super::{GivenUp, SoakCounts, SoakFault, SoakFaultKind, SoakProtocol, SoakSettings};
use plyground_engine::door::AnyLine;

/// The most moves of a game.
const MOST_MOVES: u64 = 90;
/// Random moves before the copies take over.
const MOST_OPENING: u64 = 12;
/// Of so many games, one is played with little memory.
const LOW_MEMORY: u64 = 5;

/// Lines that mean nothing, or nothing good.
const NONSENSE: [&str; 20] = [
    "",
    " ",
    "go",
    "xyzzy",
    "go depth",
    "go movetime x wtime 5",
    "position",
    "position fen",
    "position fen k7/8/8/8/8/8/8/K7 w - - +5 -1",
    "position startpos moves e2e5",
    "setoption name Hash value -1",
    "setoption name Hash value 99999999999999999999",
    "setoption name",
    "stop",
    "ponderhit",
    "7 = ?",
    "set game (;GM[Othello]",
    "move a1",
    "time_left b x y",
    "\u{0}\u{1}\u{7f}\u{1b}[2J ö \u{1f600}",
];

/// A game in progress.
pub(super) struct SoakGame<'a> {
    settings: &'a SoakSettings,
    pub(super) dice: Dice,
    pub(super) counts: SoakCounts,
    pub(super) line: Box<dyn AnyLine>,
}

/// Plays the game of this seed.
pub(super) fn play(settings: &SoakSettings, seed: u64) -> (SoakCounts, Option<SoakFault>) {
    let mut dice = Dice::new(seed);
    let protocol = *dice.pick(&settings.protocols);
    let mut lines = Vec::new();
    let mut counts = SoakCounts::default();
    let played = match protocol.game().start("") {
        Err(error) => Err(GivenUp::Fault(SoakFaultKind::Illegal, error.to_string())),
        Ok(line) => {
            let mut game = SoakGame { settings, dice, counts, line };
            let played = game.play(protocol, &mut lines);
            counts = game.counts;
            played
        }
    };
    let fault = match played {
        Err(GivenUp::Fault(fault, reason)) => {
            Some(SoakFault { fault, seed, protocol, reason, lines })
        }
        Ok(()) | Err(GivenUp::Interrupted) => None,
    };
    (counts, fault)
}

impl SoakGame<'_> {
    /// Plays the game; `lines` gets the last lines of the copy that was at fault.
    fn play(&mut self, protocol: SoakProtocol, lines: &mut Vec<String>) -> Result<(), GivenUp> {
        self.open()?;
        let mut copies = [
            EngineCopy::start(self.settings, protocol)?,
            EngineCopy::start(self.settings, protocol)?,
        ];
        if self.dice.once_in(LOW_MEMORY) {
            let poor = self.dice.below(2) as usize;
            self.counts.low_memory += u64::from(copies[poor].limit_memory(&mut self.dice));
        }
        let moves = self.dice.between(1, MOST_MOVES);
        for _ in 0..moves {
            if self.line.verdict().is_some() {
                break;
            }
            if let Some(pass) = self.line.forced_pass() {
                self.make(&pass)?;
                continue;
            }
            let copy = &mut copies[self.line.mover().index()];
            if let Err(given_up) = self.turn(copy) {
                lines.extend(copy.lines.drain(..));
                return Err(given_up);
            }
        }
        for mut copy in copies {
            copy.send("quit")?;
            copy.expect_exit("quit", 0)?;
        }
        Ok(())
    }

    /// Plays a few random moves.
    fn open(&mut self) -> Result<(), GivenUp> {
        for _ in 0..self.dice.between(0, MOST_OPENING) {
            let legal = self.line.legal_moves();
            if legal.is_empty() || self.line.verdict().is_some() {
                break;
            }
            let mv = self.dice.pick(&legal).clone();
            self.make(&mv)?;
        }
        Ok(())
    }

    fn make(&mut self, mv: &str) -> Result<(), GivenUp> {
        self.line.play(mv).map_err(|error| illegal(&error.to_string()))
    }

    /// One move by a copy, and perhaps a disturbance before it.
    fn turn(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        self.disturb(copy)?;
        let mv = match copy.protocol() {
            SoakProtocol::Uci => self.uci_move(copy)?,
            SoakProtocol::Gtp => self.gtp_move(copy)?,
            SoakProtocol::Nboard => self.nboard_move(copy)?,
        };
        let mv = self.line.read_move(&mv.to_ascii_lowercase());
        let mv = mv.map_err(|error| illegal(&format!("{error} in {}", self.line.position())))?;
        self.make(&mv)?;
        self.counts.moves += 1;
        self.counts.peak_mib = self.counts.peak_mib.max(copy.check_memory()?);
        Ok(())
    }

    fn disturb(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        match self.dice.below(100) {
            0..=9 if copy.protocol() == SoakProtocol::Uci => self.uci_options(copy)?,
            0..=4 if copy.protocol() == SoakProtocol::Gtp => copy.gtp_undo(&*self.line)?,
            0..=4 => self.nboard_requests(copy)?,
            10..=13 => {
                let line = *self.dice.pick(&NONSENSE);
                self.counts.nonsense += 1;
                copy.send(line)?;
                // The position may be another one now.
                copy.known = 0;
                match copy.protocol() {
                    SoakProtocol::Uci => copy.uci_settle()?,
                    SoakProtocol::Gtp => copy.gtp_settle()?,
                    SoakProtocol::Nboard => copy.nboard_ping(2)?,
                }
            }
            14..=15 => copy.known = 0,
            16..=18 => {
                self.search(copy)?;
                self.counts.kills += 1;
                copy.process.kill();
                copy.restart()?;
            }
            #[cfg(unix)]
            19..=20 => {
                use rustix::process::{Pid, Signal, kill_process};
                self.search(copy)?;
                self.counts.terminations += 1;
                if let Some(process) = Pid::from_raw(copy.process.id() as i32) {
                    // If it has ended already, that is noticed next.
                    let _ = kill_process(process, Signal::TERM);
                }
                copy.expect_exit("SIGTERM", 130)?;
                copy.restart()?;
            }
            21..=22 => {
                self.search(copy)?;
                self.counts.quits += 1;
                copy.send("quit")?;
                copy.expect_exit("quit during a search", 0)?;
                copy.restart()?;
            }
            23 => {
                self.search(copy)?;
                self.counts.quits += 1;
                copy.process.close_input();
                copy.expect_exit("the end of the input during a search", 0)?;
                copy.restart()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins a search that takes a while, and waits a moment.
    fn search(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        match copy.protocol() {
            SoakProtocol::Uci => {
                copy.uci_position(&*self.line)?;
                copy.send("go infinite")?;
            }
            SoakProtocol::Gtp => {
                copy.gtp_sync(&*self.line)?;
                let mover = self.line.game().sides()[self.line.mover().index()];
                copy.send(&format!("reg_genmove {mover}"))?;
            }
            SoakProtocol::Nboard => {
                copy.nboard_sync(&*self.line)?;
                copy.send("hint 3")?;
            }
        }
        std::thread::sleep(self.dice.pause());
        Ok(())
    }
}

/// The fault of a wrong answer.
pub(super) fn illegal(reason: &str) -> GivenUp {
    GivenUp::Fault(SoakFaultKind::Illegal, reason.to_owned())
}
