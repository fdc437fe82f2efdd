//! `plyground soak`: copies of the program play each other for hours, and are disturbed.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use super::console::{Console, FaultsFound, note, width};
use plyground_engine::games::Games;
use plyground_study::report::{Align, TextTable};
use plyground_study::soak::{SoakFaultKind, SoakProtocol, SoakReport, SoakSettings, soak};

pub(super) const EXAMPLES: &str = "Examples:
  plyground soak --hours 2
  plyground soak --hours 0.1 --jobs 2 --json
  plyground soak --seed 4711 --games 1

Two copies of this program play each other over UCI, GTP or NBoard. They are stopped, killed, told to
quit, given other table sizes, little memory and nonsense; the rules judge their moves, every wait has
an end, exit codes are checked and memory is watched. Time in which a copy gets no processor, or the soak
itself stands still, is not counted against it. A game's choices follow from its seed: the first
game has the one given, each further game the next. A fault is printed with the seed of its game. The
exit code is 1 if there was a fault.";

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("end").required(true).multiple(true)))]
pub(super) struct SoakArgs {
    /// Begin games for H hours
    #[arg(long, value_name = "H", group = "end", value_parser = hours)]
    hours: Option<Duration>,
    /// Play at most N games
    #[arg(long, value_name = "N", group = "end", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The seed of the first game
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games to play in parallel, each by two copies
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// How many MiB a copy may use besides its table
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u64,
    /// One JSON object for each fault, and one for the whole
    #[arg(long)]
    json: bool,
}

/// Reads a number of hours.
fn hours(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|hours| *hours > 0.0 && *hours <= 10_000.0);
    let number = number.ok_or("expected a number of hours, such as 2 or 0.5")?;
    Ok(Duration::from_secs_f64(number * 3600.0))
}

/// This program. On Linux its own link is used: it stays the same when the file is replaced.
pub(super) fn program() -> anyhow::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return Ok(own);
    }
    std::env::current_exe().context("cannot find this program")
}

pub(super) fn run(console: &Console, games: &Games, args: &SoakArgs) -> anyhow::Result<()> {
    let protocols = SoakProtocol::of(games);
    if protocols.is_empty() {
        bail!("this program speaks no protocol; expected one that plays chess or Othello");
    }
    let settings = SoakSettings {
        program: program()?,
        protocols,
        seed: args.seed,
        time: args.hours,
        games: args.games,
        jobs: args.jobs.into(),
        memory: args.memory,
        stop: console.flag(),
    };
    let live = console.live_line();
    let mut printed = Ok(());
    let report = soak(&settings, |report, fault| {
        live.set_message(progress(report, args));
        let Some(fault) = fault else { return };
        let text = format!("{fault}\n");
        let told =
            live.suspend(|| if args.json { console.json(fault) } else { console.print(&text) });
        printed = std::mem::replace(&mut printed, Ok(())).and(told);
    });
    live.finish_and_clear();
    printed?;
    if console.interrupted() {
        note(&format!("interrupted after {} games: the results are of those", report.counts.games));
    }
    match args.json {
        true => console.json(&summary(&report, args)?)?,
        false => console.print(&table(&report))?,
    }
    if report.faults.is_empty() { Ok(()) } else { Err(FaultsFound.into()) }
}

/// What is shown while the soak goes on.
fn progress(report: &SoakReport, args: &SoakArgs) -> String {
    let part = match (args.hours, args.games) {
        (Some(time), _) => report.time.as_secs_f64() / time.as_secs_f64(),
        (None, Some(games)) => report.counts.games as f64 / games as f64,
        (None, None) => 0.0,
    };
    format!(
        "{:.0} %  {:.2} h  {} games  {} moves  {} kills  {} faults",
        (part * 100.0).min(100.0),
        report.time.as_secs_f64() / 3600.0,
        report.counts.games,
        report.counts.moves,
        report.counts.kills,
        report.faults.len()
    )
}

/// The whole as a JSON object.
fn summary(report: &SoakReport, args: &SoakArgs) -> anyhow::Result<serde_json::Value> {
    let mut object = serde_json::to_value(&report.counts)?;
    let faults: serde_json::Map<String, serde_json::Value> = SoakFaultKind::ALL
        .iter()
        .map(|kind| (kind.name().to_owned(), report.faults_of(*kind).into()))
        .collect();
    object["hours"] = json!(report.time.as_secs_f64() / 3600.0);
    object["seed"] = json!(args.seed);
    object["faults"] = faults.into();
    Ok(object)
}

/// The whole as a table.
fn table(report: &SoakReport) -> String {
    let counts = &report.counts;
    let title = format!("{:.2} hours", report.time.as_secs_f64() / 3600.0);
    let mut table = TextTable::new(title);
    table.column("", Align::Left);
    table.column("count", Align::Right);
    for (name, count) in [
        ("games", counts.games),
        ("moves", counts.moves),
        ("searches stopped", counts.stops),
        ("table sizes set", counts.hash_changes),
        ("copies killed", counts.kills),
        ("copies sent SIGTERM", counts.terminations),
        ("copies told to quit", counts.quits),
        ("copies with little memory", counts.low_memory),
        ("lines of nonsense", counts.nonsense),
        ("most MiB besides the table", counts.peak_mib),
        ("latest answer, ms", counts.latest_ms),
        ("longest wait for a processor, ms", counts.starved_ms),
    ] {
        table.row(vec![name.to_owned(), count.to_string()]);
    }
    for kind in SoakFaultKind::ALL {
        table.row(vec![format!("faults: {}", kind.name()), report.faults_of(kind).to_string()]);
    }
    table.to_text(width(false))
}
