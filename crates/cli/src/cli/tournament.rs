//! `plyground match`: two opponents, many games.

mod games_args;
mod games_file;
pub(super) mod ranking;
mod table;

use std::collections::BTreeMap;

use clap::Args;
use indicatif::ProgressBar;

use super::console::{Console, Format, csv, note, width};
use games_args::GamesArgs;
use games_file::GamesFile;
use plyground_core::names::plural;
use plyground_engine::games::Games;
use plyground_study::experiment::Store;
use plyground_study::tournament::{
    GameRecord, Match, PairingResult, Participant, ParticipantSettings, Scoreboard, Sprt,
    end_descendants,
};

pub(super) const EXAMPLES: &str = "Examples:
  plyground match chess chess-mtd-f --games 20 --time 2+0.02 --pgn games.pgn
  plyground match chess \"uci:gnuchess --uci\" --games 100 --time 2+0.02
  plyground match othello \"gtp:gtp-rhino -l 3 -b 0\" --games 50 --move-time 1
  plyground match pvs sss --game othello --games 40 --depth 4 --jobs 2
  plyground match my.toml chess --games 2000 --nodes 20000 --sprt 0,10 --out out

An opponent is
  chess             an engine of ours: a name from `plyground engines`
  my-engine.toml    an engine's file
  mtd-f             an algorithm, in the game's standard engine
  chess@4           any of these at a level from 1 to 10
  uci:COMMAND       any other engine for chess, by the Universal Chess Interface
  gtp:COMMAND       any other engine for Othello, by the Go Text Protocol
  cmd:COMMAND       any other engine; its protocol is found out

An engine that exceeds its time, plays an illegal move or exits before the end of the game loses
the game; all such faults are counted and shown. The Elo interval is computed from pairs of games
with the same opening; --sprt stops the match once it is decided, with an error of 5 % either way.";

#[derive(Debug, Args)]
pub(super) struct MatchArgs {
    /// An opponent: see below
    a: String,
    /// The other one
    b: String,
    /// How many games: each opening is played twice, with the sides exchanged
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Sets an option of A, if it speaks UCI; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_a: Vec<(String, String)>,
    /// Sets an option of B
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_b: Vec<(String, String)>,
    /// Stop when it is decided whether A is stronger by E1 Elo rather than by E0
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    games_args: GamesArgs,
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().into(), value.trim().into()))
        }
        _ => Err("expected a name and a value, such as Hash=16".into()),
    }
}

pub(super) fn run(console: &Console, games: &Games, args: &MatchArgs) -> anyhow::Result<()> {
    let settings = ParticipantSettings {
        hash: args.games_args.hash.map(|mebibytes| mebibytes as usize),
        options: [args.option_a.clone(), args.option_b.clone()],
    };
    let typed = [args.a.as_str(), args.b.as_str()];
    let named = args.games_args.game.as_deref().map(|name| games.find(name)).transpose()?;
    let (participants, game) = Participant::pair(games, typed, named, &settings, &console.flag())?;
    let openings = args.games_args.openings(game)?;
    args.games_args.warn_about_settings(&participants, args.games, openings.0.len());
    let between = args.games_args.between(participants, &openings, args.games, console.flag())?;
    play(console, args, &between)
}

/// Plays the match and prints its games and the result.
fn play(console: &Console, args: &MatchArgs, between: &Match) -> anyhow::Result<()> {
    let mut games = GamesFile::open(args.games_args.saved_to(between.game())?)?;
    let mut store =
        args.games_args.batch.out.as_deref().map(Store::<GameRecord>::open).transpose()?;
    if let Some(store) = &store {
        note_records(between, store);
    }
    if store.is_some() || games.is_wanted() {
        console.outlive_reader();
    }
    let bar = console.progress(args.games.into(), "games");
    let mut board = Scoreboard::new(args.sprt);
    let mut rows = Vec::new();
    let format = args.games_args.format.format();
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
    let played = between.run(
        &mut board,
        store.as_mut(),
        args.games_args.batch.jobs.into(),
        |record, board| {
            bar.inc(1);
            bar.set_message(table::live(board));
            waiting.push(record.clone());
            while let Some(record) = waiting.next() {
                hand_out(&record)?;
            }
            anyhow::Ok(())
        },
    );
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
            let mut text = table::text(between, &board, width(args.games_args.format.wide));
            if let Some(file) = kept_in {
                text += &format!("Records: {}\n", file.display());
            }
            console.print(&text)
        }
    }
}

/// A match of several, between the participants with these indices.
pub(super) type Series = Vec<([usize; 2], Match)>;

/// Plays several matches one after the other, as far as they are not in the records. Calls `done` with
/// each game. The scoreboards are in the order of the matches; after an interruption there are fewer.
pub(super) fn play_series(
    console: &Console,
    series: &Series,
    mut store: Option<&mut Store<GameRecord>>,
    jobs: usize,
    bar: &ProgressBar,
    mut done: impl FnMut(&Match, &GameRecord) -> anyhow::Result<()> + Send,
) -> anyhow::Result<Vec<Scoreboard>> {
    let mut boards = Vec::new();
    for (_, between) in series {
        let mut board = Scoreboard::new(None);
        let mut waiting = GamesInOrder::default();
        between.run(&mut board, store.as_deref_mut(), jobs, |record, _| {
            bar.inc(1);
            waiting.push(record.clone());
            while let Some(record) = waiting.next() {
                done(between, &record)?;
            }
            anyhow::Ok(())
        })?;
        waiting.rest().try_for_each(|record| done(between, &record))?;
        // Whatever an engine has left behind ends with the match.
        end_descendants();
        boards.push(board);
        if console.interrupted() {
            break;
        }
    }
    Ok(boards)
}

/// The results of a series, as ratings are computed from them.
pub(super) fn results(series: &Series, boards: &[Scoreboard]) -> Vec<PairingResult> {
    let result = |(players, board): (&[usize; 2], &Scoreboard)| {
        let tally = board.tally();
        let points = f64::from(tally.wins) + f64::from(tally.draws) / 2.0;
        PairingResult { players: *players, games: tally.games(), points }
    };
    series.iter().map(|(players, _)| players).zip(boards).map(result).collect()
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
}
