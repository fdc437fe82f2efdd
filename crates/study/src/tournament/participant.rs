//! The participants of a match as they are typed: one of our engines by its name, its file or its
//! algorithm, with its level after `@` if it is not to play at full strength; or the command of another engine after `uci:` or `gtp:`, or after `cmd:`, which finds out
//! the protocol.

use std::fmt;

use thiserror::Error;

use super::gtp::Gtp;
use super::opponent::{Opponent, OpponentError, OwnEngine};
use super::process::{Process, split_command};
use super::uci::{HANDSHAKE_TIMEOUT, Uci, handshake};
use plyground_core::limits::StopFlag;
use plyground_core::tree::mix;
use plyground_engine::door::AnyGame;
use plyground_engine::game::{Game, GameError};
use plyground_engine::games::{Games, UnknownGame};
use plyground_engine::levels::{Level, MAX_LEVEL};
use plyground_engine::profile::{Profile, ProfileError};
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, SpecError};

/// A protocol for talking to other engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol, for Othello.
    Gtp,
}

impl Protocol {
    /// The name of the game that is played over it.
    pub const fn game(self) -> &'static str {
        match self {
            Protocol::Uci => Chess::NAME,
            Protocol::Gtp => Othello::NAME,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Uci => "UCI",
            Protocol::Gtp => "GTP",
        })
    }
}

/// An error about a participant.
#[derive(Debug, Error)]
pub enum ParticipantError {
    /// The text names no engine and no algorithm.
    #[error(
        "`{0}` is no opponent; expected a name from `plyground engines`, a .toml file, an algorithm \
         from `plyground algorithms`, or another engine's command as in \"uci:gnuchess --uci\", \
         \"gtp:gtp-rhino -l 1 -b 0\" or \"cmd:toga2\""
    )]
    Unknown(String),
    /// The engine's file is wrong.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The engine's command is wrong.
    #[error("`{typed}`: {reason}")]
    Command {
        /// The text that names the participant.
        typed: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine plays a game that this program does not have.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The levels of the game cannot be read.
    #[error(transparent)]
    Levels(#[from] GameError),
    /// The algorithm cannot be used in the game's standard engine.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// All participants play any game, and there are several.
    #[error("which game? all opponents play any; expected {0}")]
    AnyGame(String),
    /// The engine plays another game.
    #[error("`{typed}` plays {found}, not {game}")]
    OtherGame {
        /// The text that names the participant.
        typed: String,
        /// The game that the engine plays.
        found: &'static dyn AnyGame,
        /// The game of the match.
        game: &'static dyn AnyGame,
    },
    /// The engine has no options.
    #[error("`{typed}` takes no options: only engines that speak UCI do")]
    Options {
        /// The text that names the participant.
        typed: String,
    },
}

/// A participant before the game is known.
enum ParsedParticipant {
    Profile(Box<Profile>, Option<u8>),
    Algorithm(Algorithm, Option<u8>),
    Command(Protocol, &'static dyn AnyGame, Vec<String>),
}

impl ParsedParticipant {
    fn read(
        games: &Games,
        typed: &str,
        stop: &StopFlag,
    ) -> Result<ParsedParticipant, ParticipantError> {
        let wrong = |reason| ParticipantError::Command { typed: typed.into(), reason };
        for (prefix, protocol) in
            [("uci:", Some(Protocol::Uci)), ("gtp:", Some(Protocol::Gtp)), ("cmd:", None)]
        {
            if let Some(command) = typed.strip_prefix(prefix) {
                let command = split_command(command).map_err(wrong)?;
                let protocol = match protocol {
                    Some(protocol) => protocol,
                    None => detect(&command, stop).map_err(wrong)?,
                };
                return Ok(ParsedParticipant::Command(
                    protocol,
                    games.find(protocol.game())?,
                    command,
                ));
            }
        }
        let (name, level) = match typed.rsplit_once('@') {
            None => (typed, None),
            Some((name, level)) => match level.parse() {
                Ok(level @ 1..=MAX_LEVEL) => (name, Some(level)),
                _ => {
                    let reason = format!("expected a level from 1 to {MAX_LEVEL} after the @");
                    return Err(wrong(reason));
                }
            },
        };
        match Profile::find(games, name) {
            Ok(profile) => Ok(ParsedParticipant::Profile(Box::new(profile), level)),
            Err(ProfileError::Unknown { .. }) => match name.parse() {
                Ok(algorithm) => Ok(ParsedParticipant::Algorithm(algorithm, level)),
                Err(_) => Err(ParticipantError::Unknown(typed.into())),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn game(&self) -> Option<&'static dyn AnyGame> {
        match self {
            ParsedParticipant::Profile(profile, _) => Some(profile.game),
            ParsedParticipant::Algorithm(..) => None,
            ParsedParticipant::Command(_, game, _) => Some(*game),
        }
    }
}

/// Finds out the protocol of an engine: a GTP engine replies to `uci` with an error in the form of GTP.
fn detect(command: &[String], stop: &StopFlag) -> Result<Protocol, String> {
    let asked = || {
        let mut process = Process::start(command, stop.clone())?;
        handshake(&mut process, HANDSHAKE_TIMEOUT, |line| match line {
            "uciok" => Some(Protocol::Uci),
            line if line.starts_with(['?', '=']) => Some(Protocol::Gtp),
            _ => None,
        })
    };
    asked().map_err(|error| match error {
        OpponentError::Fault(fault) => format!("it speaks neither UCI nor GTP: {}", fault.reason),
        OpponentError::Interrupted => "interrupted".into(),
    })
}

/// One of the two participants of a match, with the text that names it.
#[derive(Clone, Debug)]
pub struct Participant {
    typed: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Own(Box<Profile>, Option<Box<Level>>),
    Uci { command: Vec<String>, options: Vec<(String, String)>, hash: Option<usize> },
    Gtp { command: Vec<String> },
}

/// The settings of the participants.
#[derive(Clone, Debug, Default)]
pub struct ParticipantSettings {
    /// The size of the transposition table in MiB, for engines that have one.
    pub hash: Option<usize>,
    /// The options of UCI engines: A's and B's.
    pub options: [Vec<(String, String)>; 2],
}

impl Participant {
    /// Reads both participants, and finds the game that they play: the one that is given, the one that a
    /// participant plays, or the only one.
    pub fn pair(
        games: &Games,
        typed: [&str; 2],
        game: Option<&'static dyn AnyGame>,
        settings: &ParticipantSettings,
        stop: &StopFlag,
    ) -> Result<([Participant; 2], &'static dyn AnyGame), ParticipantError> {
        let (all, game) = Participant::all(games, &typed, game, settings, stop)?;
        let pair = <[Participant; 2]>::try_from(all);
        Ok((pair.unwrap_or_else(|_| unreachable!("two were typed")), game))
    }

    /// The same for any number of participants; only the first two have options.
    pub fn all(
        games: &Games,
        typed: &[&str],
        game: Option<&'static dyn AnyGame>,
        settings: &ParticipantSettings,
        stop: &StopFlag,
    ) -> Result<(Vec<Participant>, &'static dyn AnyGame), ParticipantError> {
        let parsed = typed.iter().map(|typed| ParsedParticipant::read(games, typed, stop));
        let parsed = parsed.collect::<Result<Vec<_>, _>>()?;
        let mut all = games.iter();
        let only = all.next().filter(|_| all.next().is_none());
        let found = game.or_else(|| parsed.iter().find_map(ParsedParticipant::game)).or(only);
        let game = found.ok_or_else(|| {
            let flags: Vec<String> = games.iter().map(|game| format!("--game {game}")).collect();
            ParticipantError::AnyGame(flags.join(" or "))
        })?;
        let options = settings.options.iter().cloned().chain(std::iter::repeat(Vec::new()));
        let made = typed.iter().zip(parsed).zip(options).map(|((typed, parsed), options)| {
            Participant::new(typed, parsed, game, settings.hash, options)
        });
        Ok((made.collect::<Result<Vec<_>, _>>()?, game))
    }

    /// The standard engine of a game at a level, which need not be one of the game's own.
    pub fn at_level(
        game: &'static dyn AnyGame,
        number: u8,
        level: Level,
    ) -> Result<Participant, ParticipantError> {
        let profile = Box::new(Profile::standard(game)?);
        let kind = Kind::Own(profile, Some(Box::new(level)));
        Ok(Participant { typed: format!("{game}@{number}"), kind })
    }

    fn new(
        typed: &str,
        parsed: ParsedParticipant,
        game: &'static dyn AnyGame,
        hash: Option<usize>,
        options: Vec<(String, String)>,
    ) -> Result<Participant, ParticipantError> {
        let typed = typed.to_owned();
        if let Some(found) = parsed.game()
            && found != game
        {
            return Err(ParticipantError::OtherGame { typed, found, game });
        }
        // An option is sent in one line: what follows a line's end would be a command of its own.
        let breaks = |(name, value): &&(String, String)| {
            name.contains(char::is_control) || value.contains(char::is_control)
        };
        if let Some((name, _)) = options.iter().find(breaks) {
            let name = name.escape_debug();
            let reason = format!("the option `{name}`: expected one line, no control characters");
            return Err(ParticipantError::Command { typed, reason });
        }
        let own = |mut profile: Profile, level: Option<u8>| {
            if let Some(hash) = hash {
                profile.table = TableSize::of_mebibytes(hash);
            }
            let levels = level.map(|_| game.levels()).transpose()?;
            let level = levels.zip(level).and_then(|(levels, level)| levels.get(level).cloned());
            Ok::<_, ParticipantError>(Kind::Own(Box::new(profile), level.map(Box::new)))
        };
        let kind = match parsed {
            ParsedParticipant::Command(Protocol::Uci, _, command) => {
                Kind::Uci { command, options, hash }
            }
            _ if !options.is_empty() => return Err(ParticipantError::Options { typed }),
            ParsedParticipant::Command(Protocol::Gtp, _, command) => Kind::Gtp { command },
            ParsedParticipant::Profile(profile, level) => own(*profile, level)?,
            ParsedParticipant::Algorithm(algorithm, level) => {
                let profile = Profile::standard(game)?.with_algorithm(algorithm);
                // An engine whose searches are refused would play without searching.
                profile.spec(1)?;
                own(profile, level)?
            }
        };
        Ok(Participant { typed, kind })
    }

    /// The text that names it.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// The protocol of another program; `None` for our own engines.
    pub fn protocol(&self) -> Option<Protocol> {
        match self.kind {
            Kind::Own(..) => None,
            Kind::Uci { .. } => Some(Protocol::Uci),
            Kind::Gtp { .. } => Some(Protocol::Gtp),
        }
    }

    /// The bytes of its table in this process; other programs have their own.
    pub(super) fn table_bytes(&self) -> usize {
        match &self.kind {
            Kind::Own(profile, _) => profile.table.bytes(),
            _ => 0,
        }
    }

    /// A text that identifies its settings, because the same name may have other settings in another
    /// match. Our own engines are described by algorithm, table and a hash of all settings.
    pub fn setup(&self) -> String {
        match &self.kind {
            Kind::Own(profile, level) => {
                let level = level.as_ref().map_or(String::new(), |level| played_as(level));
                let text = format!("{profile:?}{level}");
                let hash = text.bytes().fold(0, |hash, byte| mix(hash, u64::from(byte)));
                format!("{} {} {hash:016x}", profile.algorithm, profile.table)
            }
            Kind::Uci { options, hash, .. } => {
                let hash = hash.map(|hash| format!("hash {hash}"));
                let options = options.iter().map(|(name, value)| format!("{name}={value}"));
                hash.into_iter().chain(options).collect::<Vec<_>>().join(", ")
            }
            Kind::Gtp { .. } => String::new(),
        }
    }

    /// Starts the engine.
    pub fn start(&self, stop: &StopFlag) -> Result<Box<dyn Opponent>, OpponentError> {
        let stop = stop.clone();
        Ok(match &self.kind {
            Kind::Own(profile, level) => {
                let mut profile = (**profile).clone();
                if level.is_some() {
                    profile.name.clone_from(&self.typed);
                }
                let engine = OwnEngine::new(profile, level.as_deref().cloned(), stop);
                Box::new(engine.map_err(|error| OpponentError::crash(error.to_string()))?)
            }
            Kind::Uci { command, options, hash } => {
                Box::new(Uci::start(command.clone(), options.clone(), *hash, stop)?)
            }
            Kind::Gtp { command } => Box::new(Gtp::start(command.clone(), stop)?),
        })
    }
}

/// A text of what a level plays by: its Elo is left out, which is measured.
fn played_as(level: &Level) -> String {
    format!("{:?}", Level { elo: None, interval: None, games: None, ..level.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Games {
        Games::new().with::<Othello>().with::<Chess>()
    }

    fn pair(
        a: &str,
        b: &str,
        game: Option<&'static dyn AnyGame>,
    ) -> Result<([Participant; 2], &'static dyn AnyGame), String> {
        let settings = ParticipantSettings::default();
        let pair = Participant::pair(&games(), [a, b], game, &settings, &StopFlag::default());
        pair.map_err(|error| error.to_string())
    }

    #[test]
    fn the_game_is_the_opponents() {
        let game = |a, b| pair(a, b, None).unwrap().1;
        assert_eq!(game("chess", "mtd-f"), Chess::door());
        assert_eq!(game("sss", "othello-ps"), Othello::door());
        assert_eq!(game("pvs", "uci:gnuchess --uci"), Chess::door());
        assert_eq!(game("gtp:gtp-rhino -l 3 -b 0", "alpha-beta"), Othello::door());
        assert!(pair("pvs", "mtd-f", Some(Othello::door())).is_ok());
        let (settings, stop) = (ParticipantSettings::default(), StopFlag::default());
        let chess = Games::of(Chess::door());
        let alone = Participant::pair(&chess, ["pvs", "mtd-f"], None, &settings, &stop);
        assert_eq!(alone.unwrap().1, Chess::door());
        let no_gtp = Participant::pair(&chess, ["pvs", "gtp:x"], None, &settings, &stop);
        let message = no_gtp.unwrap_err().to_string();
        assert_eq!(message, "`othello` is no game; expected chess");
    }

    #[test]
    fn what_is_no_opponent_is_refused() {
        for (a, b, expected) in [
            ("pvs", "mtd-f", "expected --game"),
            ("chess", "othello", "`othello` plays othello, not chess"),
            ("uci:x", "gtp:y", "`gtp:y` plays othello, not chess"),
            ("chess", "parsss:2000", "2000 threads are too many"),
            ("chess", "deep-thought", "`deep-thought` is no opponent"),
            ("chess", "none.toml", "cannot be read"),
            ("uci:", "chess", "expected a command"),
            ("uci:a 'b", "chess", "closing"),
            ("cmd:./there-is-no-such-program", "chess", "cannot be started"),
            ("chess@11", "chess", "expected a level from 1 to 10"),
            ("chess@", "chess", "expected a level"),
        ] {
            let message = pair(a, b, None).unwrap_err();
            assert!(message.contains(expected), "{a} {b}: {message}");
        }
        let options = [vec![("Hash".into(), "1".into())], Vec::new()];
        let settings = ParticipantSettings { hash: None, options };
        let refused =
            Participant::pair(&games(), ["chess", "chess"], None, &settings, &StopFlag::default());
        assert!(refused.unwrap_err().to_string().contains("takes no options"));
        for (name, value) in [("Hash", "1\nquit"), ("Ha\rsh", "1"), ("Hash", "\u{1b}[2J")] {
            let options = [vec![(name.into(), value.into())], Vec::new()];
            let settings = ParticipantSettings { hash: None, options };
            let stop = StopFlag::default();
            let refused = Participant::pair(&games(), ["uci:x", "chess"], None, &settings, &stop);
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("`: expected one line"), "{message}");
        }
    }

    /// An algorithm plays selectively where it can; another table makes another opponent.
    #[test]
    fn own_engines_are_identified_by_their_settings() {
        let ([a, b], _) = pair("chess", "chess", None).unwrap();
        assert_eq!(a.setup(), b.setup());
        let ([a, b], _) = pair("mtd-f", "sss-2", Some(Chess::door())).unwrap();
        assert_ne!(a.setup(), b.setup());
        let selective = |participant: &Participant| match &participant.kind {
            Kind::Own(profile, _) => profile.selective().is_some(),
            _ => false,
        };
        assert!(selective(&a) && !selective(&b));
        let settings = ParticipantSettings { hash: Some(2), ..ParticipantSettings::default() };
        let typed = ["mtd-f", "chess"];
        let ([small, _], _) =
            Participant::pair(&games(), typed, None, &settings, &StopFlag::default()).unwrap();
        assert_ne!(small.setup(), a.setup());
        let ([weak, full], _) = pair("chess@3", "chess", None).unwrap();
        assert_ne!(weak.setup(), full.setup());
    }
}
