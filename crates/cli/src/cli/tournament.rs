//! `plyground match`: two opponents, many games.

mod games_file;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{ArgGroup, Args};

use super::console::{Console, Format, csv, note, width};
use super::{FormatArgs, seconds};
use games_file::GamesFile;
use plyground_core::names::plural;
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::games::Games;
use plyground_engine::text_file::read_text;
use plyground_study::experiment::Store;
use plyground_study::tournament::{
    GameRecord, Match, MatchError, MatchLimit, MatchSettings, Participant, ParticipantSettings,
    Protocol, Scoreboard, Sprt, TimeControl, end_descendants, match_openings,
};

pub(super) const EXAMPLES: &str = "Examples:
  plyground match chess chess-mtd-f --games 20 --time 2+0.02
  plyground match chess \"uci:gnuchess --uci\" --games 100 --time 2+0.02 --pgn out.pgn
  plyground match othello \"gtp:gtp-rhino -l 3 -b 0\" --games 50 --move-time 1
  plyground match pvs sss --game othello --games 40 --depth 4 --jobs 2
  plyground match my.toml chess --games 2000 --nodes 20000 --sprt 0,10 --out out

An opponent is
  chess             an engine of ours: a name from `plyground engines`
  my-engine.toml    an engine's file
  mtd-f             an algorithm, in the game's standard engine
  uci:COMMAND       any other engine for chess, by the Universal Chess Interface
  gtp:COMMAND       any other engine for Othello, by the Go Text Protocol
  cmd:COMMAND       any other engine; its protocol is found out

An engine that exceeds its time, plays an illegal move or exits before the end of the game loses
the game; all such faults are counted and shown. The Elo interval is computed from pairs of games
with the same opening; --sprt stops the match once it is decided, with an error of 5 % either way.";

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("limit")))]
pub(super) struct MatchArgs {
    /// An opponent: see below
    a: String,
    /// The other one
    b: String,
    /// How many games: each opening is played twice, with the sides exchanged
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
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
    /// The game [default: the one that the opponents play, or the only one]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Openings: EPD, FEN or PGN for chess; transcripts one a line, GGF or OBF for Othello
    /// [default: the built-in ones, or a few random moves in a game without any]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Chooses the order of the openings, and the moves of random ones
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The size of the table of each engine that has one, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: Option<u32>,
    /// Sets an option of A, if it speaks UCI; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_a: Vec<(String, String)>,
    /// Sets an option of B
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_b: Vec<(String, String)>,
    /// Stop when it is decided whether A is stronger by E1 Elo rather than by E0
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Games to play in parallel
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Keep the games in this folder, and skip those that it has already
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the games to this file in PGN, replacing its contents at the end
    #[arg(long, value_name = "FILE", conflicts_with = "ggf")]
    pgn: Option<PathBuf>,
    /// The same in GGF, for Othello
    #[arg(long, value_name = "FILE")]
    ggf: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().into(), value.trim().into()))
        }
        _ => Err("expected a name and a value, such as Hash=16".into()),
    }
}

impl MatchArgs {
    fn limit(&self) -> anyhow::Result<MatchLimit> {
        Ok(match self {
            MatchArgs { time: Some(time), .. } => MatchLimit::Clock(*time),
            MatchArgs { move_time: Some(time), .. } => MatchLimit::MoveTime(*time),
            MatchArgs { depth: Some(depth), .. } => MatchLimit::Depth(*depth),
            MatchArgs { nodes: Some(nodes), .. } => MatchLimit::Nodes(*nodes),
            _ => bail!("expected one of --time, --move-time, --depth and --nodes"),
        })
    }
}

pub(super) fn run(console: &Console, games: &Games, args: &MatchArgs) -> anyhow::Result<()> {
    let settings = ParticipantSettings {
        hash: args.hash.map(|mebibytes| mebibytes as usize),
        options: [args.option_a.clone(), args.option_b.clone()],
    };
    let typed = [args.a.as_str(), args.b.as_str()];
    let named = args.game.as_deref().map(|name| games.find(name)).transpose()?;
    let (participants, game) = Participant::pair(games, typed, named, &settings, &console.flag())?;
    let limit = args.limit()?;
    let (openings, places) = openings(game, args)?;
    warn_about_settings(args, &participants, limit, openings.len());
    let settings = MatchSettings {
        limit,
        grace: args.grace,
        patience: args.patience,
        games: args.games,
        seed: args.seed,
        stop: console.flag(),
    };
    let between = Match::new(participants, openings, settings).map_err(|error| match error {
        MatchError::Opening { number, reason } => anyhow!("{}: {reason}", places[number - 1]),
        error => error.into(),
    })?;
    play(console, args, &between)
}

/// Plays the match and prints its games and the result.
fn play(console: &Console, args: &MatchArgs, between: &Match) -> anyhow::Result<()> {
    let mut games = GamesFile::open(saved_to(between.game(), args)?)?;
    let mut store = args.out.as_deref().map(Store::<GameRecord>::open).transpose()?;
    if let Some(store) = &store {
        note_records(between, store);
    }
    if store.is_some() || games.is_wanted() {
        console.outlive_reader();
    }
    let bar = console.progress(args.games.into(), "games");
    let mut board = Scoreboard::new(args.sprt);
    let mut rows = Vec::new();
    let format = args.format.format();
    let mut hand_out = |record: &GameRecord| {
        if games.is_wanted() {
            games.write(&between.saved(record)?)?;
        }
        match format {
            Format::Text => {}
            Format::Json => console.json(&table::game(record)?)?,
            Format::Csv => rows.push(table::csv_row(record)?),
        }
        anyhow::Ok(())
    };
    let mut waiting = GamesInOrder::default();
    let played = between.run(&mut board, store.as_mut(), args.jobs.into(), |record, board| {
        bar.inc(1);
        bar.set_message(table::live(board));
        waiting.push(record.clone());
        while let Some(record) = waiting.next() {
            hand_out(&record)?;
        }
        anyhow::Ok(())
    });
    let played = played.and_then(|()| waiting.rest().try_for_each(|record| hand_out(&record)));
    // Whatever an engine has left behind ends with the match.
    end_descendants();
    bar.finish_and_clear();
    games.finish(played)?;
    let kept_in = store.as_ref().map(|store| store.path().to_path_buf());
    store.map(Store::finish).transpose()?;
    let played = board.tally().games();
    console.note_interruption(played.into(), args.games.into(), "games");
    if kept_in.is_some() {
        console.note_continuation();
    }
    match format {
        Format::Json => console.json(&table::sums(between, &board)),
        Format::Csv => console.print(&csv(&rows)),
        Format::Text => {
            let mut text = table::text(between, &board, width(args.format.wide));
            if let Some(file) = kept_in {
                text += &format!("Records: {}\n", file.display());
            }
            console.print(&text)
        }
    }
}

/// Openings, and the place of each in its file, for messages.
type LocatedOpenings = (Vec<Box<dyn AnyLine>>, Vec<String>);

/// The openings of a file, or the game's own.
fn openings(game: &'static dyn AnyGame, args: &MatchArgs) -> anyhow::Result<LocatedOpenings> {
    let (name, text, openings) = match &args.openings {
        None => {
            ("the built-in openings".to_owned(), String::new(), match_openings(game, args.seed))
        }
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

/// The file for the games. Its format must be the game's own.
fn saved_to<'a>(
    game: &'static dyn AnyGame,
    args: &'a MatchArgs,
) -> anyhow::Result<Option<&'a Path>> {
    let formats = [("pgn", &args.pgn), ("ggf", &args.ggf)];
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
fn warn_about_settings(
    args: &MatchArgs,
    participants: &[Participant; 2],
    limit: MatchLimit,
    openings: usize,
) {
    if args.games as usize > 2 * openings {
        note(&format!(
            "note: there are {openings} openings; they repeat after {} games",
            2 * openings
        ));
    }
    let timeless = matches!(limit, MatchLimit::Depth(_) | MatchLimit::Nodes(_));
    for participant in participants.iter().filter(|p| p.protocol() == Some(Protocol::Gtp)) {
        if timeless {
            note(&format!(
                "note: GTP has no limit on depth or nodes: `{}` has none",
                participant.typed()
            ));
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if !timeless && usize::from(args.jobs) > cores {
        note(&format!("note: {} games share {cores} cores, and the clocks run for all", args.jobs));
    }
}

/// Prints notes about the records of an earlier run.
fn note_records(between: &Match, store: &Store<GameRecord>) {
    if store.mended() > 0 {
        note(&format!(
            "{}: the last line was torn, {} bytes of it were removed",
            store.path().display(),
            store.mended()
        ));
    }
    let known = between.pairings.iter().filter(|p| store.get(&p.setup).is_some()).count();
    if known > 0 {
        note(&format!(
            "{known} of {} are in the records already",
            plural(between.pairings.len(), "game")
        ));
    }
}

/// Hands out games in the order of their numbers, whichever ends first.
#[derive(Default)]
struct GamesInOrder {
    waiting: BTreeMap<u32, GameRecord>,
    given: u32,
}

impl GamesInOrder {
    fn push(&mut self, record: GameRecord) {
        self.waiting.insert(record.setup.number, record);
    }

    /// The next game, if it is over.
    fn next(&mut self) -> Option<GameRecord> {
        let record = self.waiting.remove(&(self.given + 1))?;
        self.given += 1;
        Some(record)
    }

    /// The games that are left if an earlier one will never be over.
    fn rest(self) -> impl Iterator<Item = GameRecord> {
        self.waiting.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(option("Hash=16"), Ok(("Hash".into(), "16".into())));
        assert_eq!(option("Clear Hash="), Ok(("Clear Hash".into(), String::new())));
        assert_eq!(option("A=b=c"), Ok(("A".into(), "b=c".into())));
        assert!(option("Hash").is_err() && option("=16").is_err() && option("").is_err());
    }

    #[test]
    fn openings_are_named_by_their_lines() {
        assert_eq!(places("x", "# a\n\nf5 % b\nd3\n", 2), ["x, line 3", "x, line 4"]);
        assert_eq!(
            places("x", "[White \"a\"]\n\n1. e4 *\n\n1. d4 *\n", 2),
            ["x, game 1", "x, game 2"]
        );
    }
}
