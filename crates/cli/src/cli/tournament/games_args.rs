//! The flags that `match` and `tournament` share: limits, openings, records.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{ArgGroup, Args};

use crate::cli::batch::{BatchArgs, SeedArgs};
use crate::cli::console::note;
use crate::cli::{FormatArgs, seconds};
use plyground_core::limits::StopFlag;
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::text_file::read_text;
use plyground_study::tournament::{
    Adjudication, DrawRule, Match, MatchError, MatchLimit, MatchSettings, Participant, Protocol,
    ResignRule, TimeControl, match_openings,
};

/// How games are played and kept.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("limit")))]
pub(super) struct GamesArgs {
    /// Seconds for a game, and seconds that every move adds: 2+0.02, or 60
    #[arg(long, value_name = "S+I", group = "limit", help_heading = "Limits")]
    time: Option<TimeControl>,
    /// Seconds for each move
    #[arg(long, value_name = "S", group = "limit", value_parser = seconds,
          help_heading = "Limits")]
    move_time: Option<Duration>,
    /// Plies for each move
    #[arg(long, value_name = "N", group = "limit", help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes for each move
    #[arg(long, value_name = "N", group = "limit", help_heading = "Limits",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Accept a move that is late by at most this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "0.05",
          help_heading = "Limits")]
    grace: Duration,
    /// Give up on an engine that is silent for this many seconds after its time is up [default: 5, and
    /// 600 with --depth or --nodes]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    patience: Option<Duration>,
    /// A side has lost that says of N moves in a row that it is behind by at least V hundredths of a
    /// pawn or a disc: 3,600 [default: games are played out]
    #[arg(long, value_name = "N,V", help_heading = "Adjudication")]
    resign: Option<ResignRule>,
    /// A game is drawn if both sides, not before move M, say of N moves in a row that nobody is
    /// ahead by more than V hundredths: 40,8,10
    #[arg(long, value_name = "M,N,V", help_heading = "Adjudication")]
    draw: Option<DrawRule>,
    /// The game [default: the one that the opponents play, or the only one]
    #[arg(long, value_name = "GAME")]
    pub(super) game: Option<String>,
    /// Openings: EPD, FEN or PGN for chess; transcripts one a line, GGF or OBF for Othello
    /// [default: the built-in ones, or a few random moves in a game without any]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    pub(super) seed: SeedArgs,
    /// The size of the table of each engine that has one, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub(super) hash: Option<u32>,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    /// Write the games to this file in PGN, replacing its contents at the end
    #[arg(long, value_name = "FILE", conflicts_with = "ggf")]
    pub(super) pgn: Option<PathBuf>,
    /// The same in GGF, for Othello
    #[arg(long, value_name = "FILE")]
    pub(super) ggf: Option<PathBuf>,
    #[command(flatten)]
    pub(super) format: FormatArgs,
}

/// Openings, and the place of each in its file, for messages.
pub(super) type LocatedOpenings = (Vec<Box<dyn AnyLine>>, Vec<String>);

impl GamesArgs {
    fn limit(&self) -> anyhow::Result<MatchLimit> {
        Ok(match self {
            GamesArgs { time: Some(time), .. } => MatchLimit::Clock(*time),
            GamesArgs { move_time: Some(time), .. } => MatchLimit::MoveTime(*time),
            GamesArgs { depth: Some(depth), .. } => MatchLimit::Depth(*depth),
            GamesArgs { nodes: Some(nodes), .. } => MatchLimit::Nodes(*nodes),
            _ => bail!("expected one of --time, --move-time, --depth and --nodes"),
        })
    }

    /// The match of two participants from these openings.
    pub(super) fn between(
        &self,
        participants: [Participant; 2],
        openings: &LocatedOpenings,
        games: u32,
        stop: StopFlag,
    ) -> anyhow::Result<Match> {
        let (openings, places) = openings;
        let settings = MatchSettings {
            limit: self.limit()?,
            grace: self.grace,
            patience: self.patience,
            games,
            seed: self.seed.seed,
            adjudication: Adjudication { resign: self.resign, draw: self.draw },
            stop,
        };
        Match::new(participants, openings.clone(), settings).map_err(|error| match error {
            MatchError::Opening { number, reason } => anyhow!("{}: {reason}", places[number - 1]),
            error => error.into(),
        })
    }

    /// The openings of a file, or the game's own.
    pub(super) fn openings(&self, game: &'static dyn AnyGame) -> anyhow::Result<LocatedOpenings> {
        let (name, text, openings) = match &self.openings {
            None => (
                "the built-in openings".to_owned(),
                String::new(),
                match_openings(game, self.seed.seed),
            ),
            Some(file) => {
                let name = file.display().to_string();
                let text = read_text(file);
                let text = text.with_context(|| format!("cannot read {name}"))?;
                let openings = game.openings(&text);
                (name, text, openings)
            }
        };
        let openings = openings.with_context(|| name.clone())?;
        let places = places(&name, &text, openings.len());
        Ok((openings, places))
    }

    /// The file for the games. Its format must be the game's own.
    pub(super) fn saved_to(&self, game: &'static dyn AnyGame) -> anyhow::Result<Option<&Path>> {
        let formats = [("pgn", &self.pgn), ("ggf", &self.ggf)];
        let Some((name, file)) = formats.iter().find(|(_, file)| file.is_some()) else {
            return Ok(None);
        };
        let own = game.extensions().first();
        if own == Some(name) {
            return Ok(file.as_deref());
        }
        let known = formats.iter().find(|(format, _)| own == Some(format));
        let instead = known.map_or("--out".to_owned(), |(format, _)| format!("--{format}"));
        bail!("--{name}: games of {game} are kept in another format; expected {instead}")
    }

    /// Warns about settings that are allowed but may not be intended.
    pub(super) fn warn_about_settings(
        &self,
        participants: &[Participant],
        games: u32,
        openings: usize,
    ) {
        if games as usize > 2 * openings {
            note(&format!(
                "note: there are {openings} openings; they repeat after {} games",
                2 * openings
            ));
        }
        let timeless = self.depth.is_some() || self.nodes.is_some();
        for participant in participants.iter().filter(|p| p.protocol() == Some(Protocol::Gtp)) {
            if timeless {
                note(&format!(
                    "note: GTP has no limit on depth or nodes: `{}` has none",
                    participant.typed()
                ));
            }
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if !timeless && usize::from(self.batch.jobs) > cores {
            note(&format!(
                "note: {} games share {cores} cores, and the clocks run for all",
                self.batch.jobs
            ));
        }
    }
}

/// The places of the games in a text: their line numbers if each has a line of its own, else their
/// numbers.
fn places(name: &str, text: &str, count: usize) -> Vec<String> {
    let says = |line: &str| line.split(['%', '#']).next().is_some_and(|l| !l.trim().is_empty());
    let lines: Vec<usize> =
        (1..).zip(text.lines()).filter(|(_, l)| says(l)).map(|(n, _)| n).collect();
    let place = |place: usize| match lines.len() == count {
        true => format!("{name}, line {}", lines[place]),
        false => format!("{name}, game {}", place + 1),
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_named_by_their_lines() {
        assert_eq!(places("x", "# a\n\nf5 % b\nd3\n", 2), ["x, line 3", "x, line 4"]);
        assert_eq!(
            places("x", "[White \"a\"]\n\n1. e4 *\n\n1. d4 *\n", 2),
            ["x, game 1", "x, game 2"]
        );
    }
}
