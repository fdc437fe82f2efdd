//! `plyground levels`: the levels of the games, and the measurement of their Elo.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::batch::{BatchArgs, SeedArgs};
use super::console::{Console, note};
use super::tournament::{Series, play_series, results};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::levels::{Level, Levels, MAX_LEVEL, WEAKEST_ELO};
use plyground_engine::text_file::read_text;
use plyground_study::experiment::Store;
use plyground_study::files;
use plyground_study::report::{Align, TextTable, thousands};
use plyground_study::tournament::{
    Adjudication, GameRecord, Match, MatchLimit, MatchSettings, Participant, match_openings,
    ratings, today,
};

pub(super) const EXAMPLES: &str = "Examples:
  plyground levels
  plyground levels chess --json
  plyground levels measure othello --games 200 --jobs 2 --out levels-othello

Levels are chosen by `play --level`, `gtp --level`, `nboard --level`, UCI's UCI_LimitStrength and
UCI_Elo, and in matches as in chess@4. A level below the highest is the same on every machine.";

/// How many games neighbouring levels play unless something else is asked for: more where a game is over
/// in a moment, so that an hour's error is small.
const GAMES: [u32; 9] = [800, 800, 500, 500, 400, 400, 300, 300, 100];

const MEASURE_EXAMPLES: &str = "Examples:
  plyground levels measure chess --out levels-chess
  plyground levels measure chess --games 400,400,200,100 --nodes 100000
  plyground levels measure othello --games 20 --seed 7 --file my-levels.toml

Each level plays the next. Their Elo is what makes the results most likely, and the weakest level is set
to 400. The same seed gives the same games; games that are in the records of --out are not played again.
If the file is there, its levels are measured: change one and see. The program is built with the file, so
build it again to use the new Elo.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct LevelsArgs {
    #[command(subcommand)]
    command: Option<LevelsCommand>,
    /// The game [default: all]
    game: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum LevelsCommand {
    /// Measure the Elo of the levels, and write the file that they are read from
    #[command(after_help = MEASURE_EXAMPLES)]
    Measure(MeasureArgs),
}

#[derive(Debug, Args)]
struct MeasureArgs {
    /// The game
    game: String,
    /// How many games each level plays against the next: a number for all, or one for each pair from the
    /// weakest on, the last for all that follow. Weak levels play quickly, and each pair's error is in the
    /// Elo of all levels above it
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = GAMES,
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: Vec<u32>,
    /// The nodes of a move at full strength
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    batch: BatchArgs,
    /// The file to write [default: engines/levels/GAME.toml]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(console: &Console, games: &Games, args: &LevelsArgs) -> anyhow::Result<()> {
    match (&args.command, &args.game) {
        (Some(LevelsCommand::Measure(args)), _) => measure(console, games, args),
        (None, Some(game)) => show(console, games.find(game)?, None, args.json),
        (None, None) => games.iter().enumerate().try_for_each(|(place, game)| {
            if place > 0 && !args.json {
                console.print("\n")?;
            }
            show(console, game, None, args.json)
        }),
    }
}

/// Prints the levels of a game: its own, or those that were just measured.
fn show(
    console: &Console,
    game: &'static dyn AnyGame,
    levels: Option<Levels>,
    json: bool,
) -> anyhow::Result<()> {
    let levels = levels.map_or_else(|| game.levels(), Ok)?;
    if json {
        return levels
            .iter()
            .try_for_each(|(number, level)| console.json(&object(game, number, level)));
    }
    console.table(&table(game, &levels), false)
}

fn object(game: &dyn AnyGame, number: u8, level: &Level) -> Value {
    json!({
        "game": game.name(), "level": number, "about": level.about, "elo": level.elo,
        "elo_low": level.interval.map(|ends| ends[0]), "elo_high": level.interval.map(|ends| ends[1]),
        "games": level.games, "depth": level.depth, "nodes": level.nodes, "time": level.time,
        "candidates": level.candidates, "noise": level.noise, "slips": level.slips,
        "exact": level.exact,
    })
}

fn table(game: &'static dyn AnyGame, levels: &Levels) -> TextTable {
    let mut table = TextTable::new(format!("Levels of {game}"));
    for (column, align) in [
        ("", Align::Right),
        ("what it is", Align::Left),
        ("Elo", Align::Right),
        ("+-", Align::Right),
        ("limits", Align::Left),
        ("slips", Align::Right),
        ("solves", Align::Right),
    ] {
        table.column(column, align);
    }
    let mut solves = false;
    for (number, level) in levels.iter() {
        let margin = level.interval.map(|[low, high]| (high - low) / 2);
        let text = |number: Option<i32>| number.map_or("–".into(), |number| number.to_string());
        solves |= level.exact > 0;
        table.row(vec![
            number.to_string(),
            level.about.clone(),
            text(level.elo),
            text(margin),
            level.limits_text(),
            match level.slips {
                0.0 => String::new(),
                slips => format!("{:.0} %", 100.0 * slips),
            },
            match (level.exact, level.time) {
                (0, _) => String::new(),
                (exact, _) => format!("last {exact}"),
            },
        ]);
    }
    table.note("slips: moves at which it misjudges badly. Level 1 has 400 Elo by convention.");
    if solves {
        table.note("solves: the last moves of a game that it plays perfectly; level 10 from about");
        table.note("24 empty squares on, as its time allows.");
    }
    if !levels.measured.is_empty() {
        table.note(format!("Measured: {}", levels.measured));
    }
    table
}

fn measure(console: &Console, games: &Games, args: &MeasureArgs) -> anyhow::Result<()> {
    let game = games.find(&args.game)?;
    let file = args.file.clone().unwrap_or_else(|| format!("engines/levels/{game}.toml").into());
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        bail!("there is no folder {}; expected --file FILE", folder.display());
    }
    // The file that will be written may describe other levels than the program was built with.
    // What is there and describes none is somebody's file, and not ours to replace.
    let levels = if file.exists() {
        let text = read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Levels::parse(&text).with_context(|| file.display().to_string())?
    } else {
        game.levels()?
    };
    let openings = match_openings(game, args.seed.seed)?;
    let games_of = |place: usize| *args.games.get(place).or(args.games.last()).unwrap_or(&GAMES[0]);
    let mut series = Series::new();
    let players: Result<Vec<Participant>, _> = levels
        .iter()
        .map(|(number, level)| Participant::at_level(game, number, level.clone()))
        .collect();
    for (place, pair) in players?.windows(2).enumerate() {
        let pair = [pair[0].clone(), pair[1].clone()];
        let settings = MatchSettings {
            limit: MatchLimit::Nodes(args.nodes),
            grace: Duration::ZERO,
            patience: None,
            games: games_of(place),
            seed: args.seed.seed,
            adjudication: Adjudication::default(),
            stop: console.flag(),
        };
        series.push(([place, place + 1], Match::new(pair, openings.clone(), settings)?));
    }
    let mut store = args.batch.out.as_deref().map(Store::<GameRecord>::open).transpose()?;
    let all = (0..series.len()).map(|place| u64::from(games_of(place))).sum();
    let bar = console.progress(all, "games");
    let boards =
        play_series(console, &series, store.as_mut(), args.batch.jobs.into(), &bar, |_, _| Ok(()))?;
    bar.finish_and_clear();
    store.map(Store::finish).transpose()?;
    if console.interrupted() {
        let kept =
            if args.batch.out.is_some() { "the games so far are kept" } else { "nothing is kept" };
        note(&format!("interrupted: {kept}, and {} is left as it was", file.display()));
        if args.batch.out.is_some() {
            console.note_continuation();
        }
        return Ok(());
    }
    let rated = ratings(MAX_LEVEL.into(), &results(&series, &boards), Some(0));
    let rounded = |elo: f64| elo.round() as i32 + WEAKEST_ELO;
    let elo: Vec<(i32, [i32; 2], u32)> = rated
        .iter()
        .map(|r| (rounded(r.elo), [rounded(r.elo - r.margin), rounded(r.elo + r.margin)], r.games))
        .collect();
    let mut games: Vec<String> =
        (0..series.len()).map(|place| games_of(place).to_string()).collect();
    // One number says it if it is the same for all pairs.
    if games.iter().all(|number| *number == games[0]) {
        games.truncate(1);
    }
    let measured = format!(
        "{} games between neighbours from the weakest on, full strength at {} nodes a move, seed {}, {}",
        games.join(", "),
        thousands(args.nodes as f64, 0),
        args.seed.seed,
        today()
    );
    let levels = levels.with_elo(measured, &elo);
    files::replace(&file, levels.to_toml(game.name()).as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))?;
    show(console, game, Some(levels), args.json)?;
    if !args.json {
        console.print(&format!("Written: {}\n", file.display()))?;
    }
    Ok(())
}
