//! `plyground train`: evaluators that learn from self-play. Each game adds its own command below it;
//! what they share is here.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Args;

use super::console::{Console, FaultsFound};
use plyground_core::limits::StopFlag;
use plyground_engine::games::Games;
use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_study::report::thousands;
use plyground_train::self_play::{self, GAMES_PER_SHARD, SelfPlay, SelfPlayPlan};
use plyground_train::shard::{self, NO_VALUE, RecordedGame};

pub(crate) const NAME: &str = "train";

/// The command, with a command for each game below it.
pub(crate) fn command(games: impl Iterator<Item = clap::Command>) -> clap::Command {
    clap::Command::new(NAME)
        .about("Learn to judge positions: self-play, and evaluators made from it")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(games)
}

/// The arguments of self-play.
#[derive(Debug, Args)]
pub(crate) struct SelfPlayArgs {
    /// The folder of the games and of what is learnt from them; what is there is not made again
    #[arg(long, value_name = "DIR", required_unless_present = "quick")]
    out: Option<PathBuf>,
    /// Try all of it with a few quick games, in a folder that is removed again, and say what held
    #[arg(long, conflicts_with_all = ["out", "games", "nodes", "shard"])]
    pub(crate) quick: bool,
    /// Games of self-play; rounded up to whole files of 200
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes of a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The engine that plays, a name or a file [default: the game's strongest]
    #[arg(long, value_name = "ENGINE", conflicts_with = "quick")]
    engine: Option<String>,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games played at once; threads that train a network
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Only the K-th of N parts of the games, K from 1: several machines share the work
    #[arg(long, value_name = "K/N", value_parser = super::compare::parse_shard)]
    shard: Option<(usize, usize)>,
}

impl SelfPlayArgs {
    /// The folder of the games.
    pub(crate) fn folder(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("."))
    }

    /// The threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads.into()
    }
}

/// Plays the games that are not there yet.
pub(crate) fn self_play<G: SelfPlay>(console: &Console, args: &SelfPlayArgs) -> anyhow::Result<()> {
    let (part, parts) = args.shard.unwrap_or((1, 1));
    let (part, parts) = (part as u64, parts as u64);
    let files = args.games.div_ceil(GAMES_PER_SHARD as u64);
    ensure!(parts <= files, "--shard: {parts} parts of {files} files of {GAMES_PER_SHARD} games");
    let plan = SelfPlayPlan {
        folder: args.folder().into(),
        seed: args.seed,
        nodes: args.nodes.unwrap_or(G::NODES),
        first: part - 1,
        step: parts,
        end: files,
        threads: args.threads.into(),
    };
    let profile = match &args.engine {
        Some(name) => Profile::find(&Games::of(G::door()), name)?,
        None => Profile::standard(G::door())?,
    };
    let mine = (files + parts - part) / parts * GAMES_PER_SHARD as u64;
    let bar = console.progress(mine, "games");
    let started = Instant::now();
    let totals = self_play::run::<G>(&plan, &profile, &console.flag(), &|totals| {
        bar.set_position(totals.found + totals.played);
    })
    .context("self-play")?;
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    console.print(&format!(
        "{} games with {} positions played in {:.0} s ({:.0} positions/s), {} games found\n",
        thousands(totals.played as f64, 0),
        thousands(totals.positions as f64, 0),
        seconds,
        totals.positions as f64 / seconds.max(1e-9),
        thousands(totals.found as f64, 0),
    ))?;
    console.note_interruption(totals.found + totals.played, mine, "games");
    console.note_continuation();
    Ok(())
}

/// The nodes of a move of a quick check.
const QUICK_NODES: u64 = 100;

/// The games of a quick check that are played once more.
const QUICK_AGAIN: u64 = 10;

/// What a quick check has learnt.
pub(crate) struct QuickFit {
    /// What it is.
    pub(crate) name: &'static str,
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// The mean squared error on what was learnt from, before and after.
    pub(crate) losses: [f64; 2],
    /// Does what is read from the file judge as what was written?
    pub(crate) loads: bool,
}

/// A folder that is removed with all that it holds.
struct QuickFolder(PathBuf);

impl QuickFolder {
    fn new(name: &str) -> anyhow::Result<QuickFolder> {
        let name = format!("plyground-train-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(QuickFolder(path))
    }
}

impl Drop for QuickFolder {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Tries the whole way from self-play to a file of weights: games are read back, the same seed gives the
/// same games, the loss falls, the weights load, and the same games give the same file. Prints what held;
/// an error if something did not.
pub(crate) fn quick<G: SelfPlay>(
    console: &Console,
    args: &SelfPlayArgs,
    learn: &mut dyn FnMut(&[RecordedGame]) -> anyhow::Result<Vec<QuickFit>>,
) -> anyhow::Result<()> {
    let folder = QuickFolder::new(G::NAME)?;
    let again = QuickFolder::new(&format!("{}-again", G::NAME))?;
    let profile = Profile::standard(G::door())?;
    let plan = |folder: &QuickFolder| SelfPlayPlan {
        folder: folder.0.clone(),
        seed: args.seed,
        nodes: QUICK_NODES,
        first: 0,
        step: 1,
        end: 1,
        threads: 1,
    };
    let bar = console.progress(GAMES_PER_SHARD as u64, "games");
    let totals = self_play::run::<G>(&plan(&folder), &profile, &console.flag(), &|totals| {
        bar.set_position(totals.played);
    })?;
    bar.finish_and_clear();
    if console.interrupted() {
        return Ok(());
    }
    let stop = StopFlag::new();
    self_play::run::<G>(&plan(&again), &profile, &stop, &|totals| {
        if totals.played >= QUICK_AGAIN || console.interrupted() {
            stop.raise();
        }
    })?;
    let games = shard::games(&folder.0, G::NAME)?;
    let repeated = shard::games(&again.0, G::NAME)?;
    let values = games.iter().flat_map(|game| &game.plies).filter(|ply| ply.value != NO_VALUE);
    let read = values.count() as u64;
    let mut faults = 0;
    let mut say = |what: &str, held: bool, figures: String| {
        faults += u32::from(!held);
        let held = if held { "yes" } else { "NO" };
        console.print(&format!("{what:<28} {held:<3}  {figures}\n"))
    };
    let figures = |games: u64, positions: u64| {
        format!("{games} games, {} positions", thousands(positions as f64, 0))
    };
    let whole = (totals.played, totals.positions) == (games.len() as u64, read);
    say("games are read back", whole, figures(games.len() as u64, read))?;
    let same = repeated.len() as u64 >= QUICK_AGAIN && games.starts_with(&repeated);
    say("same seed, same games", same, format!("{} of them played again", repeated.len()))?;
    for (fit, once_more) in learn(&games)?.into_iter().zip(learn(&games)?) {
        let [before, after] = fit.losses;
        say(
            &format!("{}: loss falls", fit.name),
            after < before,
            format!("{before:.5} to {after:.5}"),
        )?;
        let bytes = format!("{} bytes", thousands(fit.bytes.len() as f64, 0));
        say(&format!("{}: file loads", fit.name), fit.loads, bytes)?;
        let same = fit.bytes == once_more.bytes;
        say(&format!("{}: same file", fit.name), same, "learnt once more".into())?;
    }
    if faults > 0 { Err(FaultsFound.into()) } else { Ok(()) }
}
