//! `plyground tournament`: several engines play each other, and are ranked.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::games_args::GamesArgs;
use super::{GamesFile, Series, play_series, results, table};
use crate::cli::batch::BatchArgs;
use crate::cli::console::{Console, Format, csv, width};
use plyground_engine::games::Games;
use plyground_study::experiment::Store;
use plyground_study::report::{Align, TextTable};
use plyground_study::tournament::{
    Competitor, GameRecord, Participant, ParticipantSettings, Rating, Scoreboard, Tally, ratings,
};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground tournament chess chess-mtd-f chess-ps --games 20 --nodes 20000
  plyground tournament othello@5 othello@6 othello@7 --games 10 --nodes 50000
  plyground tournament chess \"uci:toga2\" --format gauntlet --time 2+0.02

An opponent is written as for `plyground match`. The ratings are those under which the results are most
likely, relative to the mean of all, with one drawn game added to each pairing; +- is half of the 95 %
interval. Games that are in the records of --out are not played again.";

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TournamentFormat {
    /// Each against each other
    #[default]
    RoundRobin,
    /// The first against each other
    Gauntlet,
}

impl TournamentFormat {
    fn name(self) -> &'static str {
        match self {
            TournamentFormat::RoundRobin => "round-robin",
            TournamentFormat::Gauntlet => "gauntlet",
        }
    }

    /// The pairings of this many engines.
    fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let last = if self == TournamentFormat::Gauntlet { 1 } else { engines };
        (0..last).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct TournamentArgs {
    /// The opponents, at least two: see below
    #[arg(required = true, num_args = 2.., value_name = "OPPONENT")]
    opponents: Vec<String>,
    /// Which of them play each other
    #[arg(long = "format", value_name = "FORMAT", value_enum, default_value_t)]
    pairing: TournamentFormat,
    /// How many games two opponents play: each opening is played twice, with the sides exchanged
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    #[command(flatten)]
    games_args: GamesArgs,
}

pub(crate) fn run(console: &Console, games: &Games, args: &TournamentArgs) -> anyhow::Result<()> {
    let GamesArgs { hash, game, batch: BatchArgs { out, jobs }, format, .. } = &args.games_args;
    let settings = ParticipantSettings {
        hash: hash.map(|mebibytes| mebibytes as usize),
        ..ParticipantSettings::default()
    };
    let typed: Vec<&str> = args.opponents.iter().map(String::as_str).collect();
    if let Some(twice) = typed.iter().enumerate().find(|(at, name)| typed[..*at].contains(name)) {
        anyhow::bail!("`{}` is named twice; expected different opponents", twice.1);
    }
    let named = game.as_deref().map(|name| games.find(name)).transpose()?;
    let (participants, game) = Participant::all(games, &typed, named, &settings, &console.flag())?;
    let openings = args.games_args.openings(game)?;
    args.games_args.warn_about_settings(&participants, args.games, openings.0.len());
    let mut series = Series::new();
    for players in args.pairing.pairings(participants.len()) {
        let pair = players.map(|player| participants[player].clone());
        let between = args.games_args.between(pair, &openings, args.games, console.flag())?;
        series.push((players, between));
    }
    let mut saved = GamesFile::open(args.games_args.saved_to(game)?)?;
    let mut store = out.as_deref().map(Store::<GameRecord>::open).transpose()?;
    let all = series.len() as u64 * u64::from(args.games);
    let bar = console.progress(all, "games");
    let (format, mut rows) = (format.format(), Vec::new());
    if store.is_some() || saved.is_wanted() {
        console.outlive_reader();
    }
    let boards =
        play_series(console, &series, store.as_mut(), (*jobs).into(), &bar, |between, record| {
            if saved.is_wanted() {
                saved.write(&between.saved(record)?)?;
            }
            match format {
                Format::Text => {}
                Format::Json => console.json(&table::game(record)?)?,
                Format::Csv => rows.push(table::csv_row(record)?),
            }
            Ok(())
        });
    bar.finish_and_clear();
    let boards = saved.finish(boards)?;
    let kept_in = store.as_ref().map(|store| store.path().to_path_buf());
    store.map(Store::finish).transpose()?;
    let played: u64 = boards.iter().map(|board| u64::from(board.tally().games())).sum();
    console.note_interruption(played, all, "games");
    if kept_in.is_some() {
        console.note_continuation();
    }
    let ranking = Ranking::new(&typed, &series, &boards);
    match format {
        Format::Csv => console.print(&csv(&rows)),
        Format::Json => console.json(&json!({
            "game": game.name(),
            "format": args.pairing.name(),
            "limit": series.first().map(|(_, between)| &between.pairings[0].setup.limit),
            "games": played,
            "ranking": ranking.objects(),
        })),
        Format::Text if played == 0 => console.print("No game was finished.\n"),
        Format::Text => {
            let limit = series.first().map_or("", |(_, m)| &m.pairings[0].setup.limit);
            let title = format!("{game}, {}, {limit}: {played} games", args.pairing.name());
            let mut text = ranking.table(title).to_text(width(args.games_args.format.wide));
            if let Some(file) = kept_in {
                text += &format!("Records: {}\n", file.display());
            }
            console.print(&text)
        }
    }
}

/// A player of a tournament with its results.
struct Ranked<'a> {
    name: &'a str,
    rating: Rating,
    tally: Tally,
    faults: usize,
    /// Its index among the participants.
    player: usize,
}

/// The players, the best first.
struct Ranking<'a> {
    players: Vec<Ranked<'a>>,
    /// The points and the games of the first against the second, by their indices.
    against: Vec<([usize; 2], f64, u32)>,
}

impl<'a> Ranking<'a> {
    fn new(names: &[&'a str], series: &Series, boards: &[Scoreboard]) -> Ranking<'a> {
        let results = results(series, boards);
        let rated = ratings(names.len(), &results, None);
        let mut players: Vec<Ranked<'a>> = (0..)
            .zip(names)
            .zip(rated)
            .map(|((player, name), rating)| {
                let (mut tally, mut faults) = (Tally::default(), 0);
                for ((pair, _), board) in series.iter().zip(boards) {
                    let Some(at) = pair.iter().position(|&at| at == player) else { continue };
                    let Tally { wins, draws, losses } = board.tally();
                    let (won, lost) = if at == 0 { (wins, losses) } else { (losses, wins) };
                    tally.wins += won;
                    tally.draws += draws;
                    tally.losses += lost;
                    let own = Competitor::ALL[at];
                    faults += board.faults().filter(|(_, fault)| fault.by == own).count();
                }
                Ranked { name, rating, tally, faults, player }
            })
            .collect();
        players.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        let both = results.iter().flat_map(|result| {
            let [a, b] = result.players;
            let rest = f64::from(result.games) - result.points;
            [([a, b], result.points, result.games), ([b, a], rest, result.games)]
        });
        Ranking { players, against: both.collect() }
    }

    fn objects(&self) -> Vec<Value> {
        let object = |(rank, ranked): (usize, &Ranked<'_>)| {
            let Rating { elo, margin, games, points } = ranked.rating;
            json!({
                "rank": rank, "name": ranked.name, "elo": elo, "elo_low": elo - margin,
                "elo_high": elo + margin, "games": games, "points": points,
                "score": (games > 0).then(|| points / f64::from(games)),
                "wins": ranked.tally.wins, "draws": ranked.tally.draws,
                "losses": ranked.tally.losses, "faults": ranked.faults,
            })
        };
        (1..).zip(&self.players).map(object).collect()
    }

    /// The ranking, with the points against each other if there is room for them.
    fn table(&self, title: String) -> TextTable {
        let mut table = TextTable::new(title);
        table.column("", Align::Right);
        table.column("name", Align::Left);
        for column in ["Elo", "+-", "games", "score", "draws"] {
            table.column(column, Align::Right);
        }
        let crossed = self.players.len() <= 6;
        let columns = if crossed { self.players.len() } else { 0 };
        (1..=columns).for_each(|rank| table.column(format!("vs {rank}"), Align::Right));
        for (rank, ranked) in (1..).zip(&self.players) {
            let Rating { elo, margin, games, points } = ranked.rating;
            let share = |part: f64| match games {
                0 => "–".into(),
                games => format!("{:.1} %", 100.0 * part / f64::from(games)),
            };
            let mut row = vec![
                rank.to_string(),
                ranked.name.into(),
                format!("{elo:+.0}"),
                format!("{margin:.0}"),
                games.to_string(),
                share(points),
                share(f64::from(ranked.tally.draws)),
            ];
            for other in self.players.iter().take(columns) {
                let pair = [ranked.player, other.player];
                let found = self.against.iter().find(|(players, ..)| *players == pair);
                row.push(found.map_or(String::new(), |(_, points, _)| points.to_string()));
            }
            table.row(row);
        }
        for ranked in self.players.iter().filter(|ranked| ranked.faults > 0) {
            table.note(format!("Faults of {}: {}", ranked.name, ranked.faults));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings() {
        assert_eq!(TournamentFormat::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(TournamentFormat::Gauntlet.pairings(3), [[0, 1], [0, 2]]);
        for format in TournamentFormat::value_variants() {
            let value = format.to_possible_value().unwrap();
            assert_eq!(value.get_name(), format.name());
        }
    }
}
