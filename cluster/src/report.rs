//! The searches, one after the other, and what rank 0 prints of them.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{anyhow, ensure};
use plyground_search::algorithms::{IterSss, Sss};
use plyground_search::distributed::{DistributedOutcome, Network, ParSssSettings, RankCounts};
use plyground_search::{Algorithm, Costs, Options, Outcome, SearchSpec};
use serde::Serialize;

use crate::network::MpiNetwork;
use crate::subject::{Subject, aphid_settings, parsss_settings};
use crate::{Args, Scheme};

/// A search by all ranks, as a line of JSON.
#[derive(Serialize)]
struct Record<'a> {
    algorithm: &'a str,
    game: &'a str,
    position: &'a str,
    depth: u32,
    ranks: usize,
    value: Option<i32>,
    best: Option<&'a str>,
    stopped: Option<&'a str>,
    seconds: f64,
    #[serde(flatten)]
    total: RankCounts,
    by_rank: &'a [RankCounts],
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<Serial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<Simulated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
}

/// The same search by rank 0 alone.
#[derive(Clone, Copy, Serialize)]
struct Serial {
    value: Option<i32>,
    evaluations: u64,
    visits: u64,
    seconds: f64,
    cpu_seconds: f64,
}

/// The same processes, simulated.
#[derive(Clone, Copy, Serialize)]
struct Simulated {
    value: Option<i32>,
    /// What a message costs, in leaves.
    message_cost: f64,
    terminal_count: u64,
    evaluations: u64,
    /// The serial search's evaluations over the terminal count.
    speed_up: f64,
}

/// What the ranks gained.
#[derive(Clone, Copy, Serialize)]
struct Compared {
    /// The serial search's time over that of the ranks.
    speed_up: f64,
    /// The serial search's CPU time over that of the busiest rank: what the speed-up would be if every rank
    /// had a processor of its own and no rank ever waited.
    cpu_speed_up: f64,
    /// The evaluations of all ranks over those of the serial search.
    search_overhead: f64,
    /// The share of the ranks' time in which they had nothing to do.
    idle_share: f64,
}

/// Makes all searches; every rank calls this.
pub fn run(
    args: &Args,
    subjects: &[Box<dyn Subject>],
    network: &mut MpiNetwork,
) -> anyhow::Result<()> {
    let cost = if args.no_baseline { None } else { network.message_cost() };
    let mut failed = None;
    for subject in subjects {
        network.meet();
        let found = match args.scheme {
            Scheme::Aphid => {
                let settings = aphid_settings(args, &**subject);
                subject.aphid(&settings, network).ok_or_else(|| anyhow!("APHID needs a game"))?
            }
            _ => subject.parsss(&parsss_settings(args, &**subject), network),
        };
        network.meet();
        if network.rank() != 0 {
            continue;
        }
        // The other ranks go on to the next search and wait there, so an error is told at the end.
        let told = match found {
            Ok(Some(outcome)) => tell(args, &**subject, &outcome, cost),
            Ok(None) => Ok(()),
            Err(error) => Err(anyhow!(error).context(subject.name().to_owned())),
        };
        if let Err(error) = told {
            failed.get_or_insert(error);
        }
    }
    network.meet();
    failed.map_or(Ok(()), Err)
}

/// Searches once more by itself, and prints.
fn tell(
    args: &Args,
    subject: &dyn Subject,
    outcome: &DistributedOutcome<String>,
    cost: Option<Duration>,
) -> anyhow::Result<()> {
    let ranks = outcome.ranks.len();
    let total = outcome.total();
    let (mut serial, mut simulated, mut compared) = (None, None, None);
    if !args.no_baseline && outcome.stopped.is_none() {
        let alone = subject.search(&serial_spec(args, subject))?;
        ensure!(
            alone.value == outcome.value || alone.stopped.is_some(),
            "{}: the ranks found {:?}, the serial search {:?}",
            subject.name(),
            outcome.value,
            alone.value
        );
        let one = Serial::of(&alone);
        serial = Some(one);
        compared = alone.stopped.is_none().then(|| Compared::of(one, outcome));
        if args.scheme != Scheme::Aphid {
            let cost = args.message_cost.unwrap_or_else(|| in_leaves(cost, one));
            let settings = parsss_settings(args, subject);
            let other = subject.search(&simulated_spec(&settings, ranks, cost)?)?;
            ensure!(
                other.value == outcome.value,
                "{}: the ranks found {:?}, the simulation {:?}",
                subject.name(),
                outcome.value,
                other.value
            );
            simulated = Some(Simulated::of(&other, cost, one));
        }
    }
    let algorithm = name(args.scheme);
    let record = Record {
        algorithm: &algorithm,
        game: &args.game,
        position: subject.name(),
        depth: subject.depth(),
        ranks,
        value: outcome.value,
        best: outcome.best.as_deref(),
        stopped: outcome.stopped.map(|stop| stop.name()),
        seconds: outcome.time.as_secs_f64(),
        total,
        by_rank: &outcome.ranks,
        serial,
        simulated,
        compared,
    };
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &record)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &record)?;
    }
    Ok(())
}

/// What a message takes, in the time of a leaf.
fn in_leaves(cost: Option<Duration>, serial: Serial) -> f64 {
    let leaf = serial.cpu_seconds.max(1e-9) / serial.evaluations.max(1) as f64;
    cost.map_or(0.0, |cost| (cost.as_secs_f64() / leaf).min(1e6))
}

fn name(scheme: Scheme) -> String {
    match scheme {
        Scheme::ParSss => "parsss".into(),
        Scheme::ParIterSss(entries) => format!("paritersss:{entries}"),
        Scheme::Aphid => "aphid".into(),
    }
}

/// The serial form of the search.
fn serial_spec(args: &Args, subject: &dyn Subject) -> SearchSpec {
    let settings = parsss_settings(args, subject);
    let algorithm: Algorithm = match (args.scheme, settings.entries) {
        (Scheme::Aphid, _) => return aphid_settings(args, subject).serial(),
        (_, Some(entries)) => IterSss { entries }.into(),
        _ => Sss.into(),
    };
    SearchSpec::new(&algorithm, subject.depth()).within(settings.limits)
}

/// The same processes with a message cost, simulated.
fn simulated_spec(
    settings: &ParSssSettings,
    ranks: usize,
    cost: f64,
) -> anyhow::Result<SearchSpec> {
    let message = (cost * 1000.0).round() as u64;
    let options = Options {
        simulate: true,
        costs: Costs { message, ..Costs::default() },
        spawn_height: settings.spawn_height,
        ..Options::to_depth(settings.depth)
    };
    Ok(SearchSpec::check(&settings.algorithm(ranks), options)?)
}

impl Serial {
    fn of(outcome: &Outcome<String>) -> Serial {
        Serial {
            value: outcome.value,
            evaluations: outcome.counts.evaluations,
            visits: outcome.counts.visits,
            seconds: outcome.time.as_secs_f64(),
            cpu_seconds: outcome.cpu.unwrap_or(outcome.time).as_secs_f64(),
        }
    }
}

impl Simulated {
    fn of(outcome: &Outcome<String>, message_cost: f64, serial: Serial) -> Simulated {
        let terminal_count = outcome.terminal_count.unwrap_or(outcome.counts.evaluations);
        let speed_up = serial.evaluations as f64 / terminal_count.max(1) as f64;
        let (value, evaluations) = (outcome.value, outcome.counts.evaluations);
        Simulated { value, message_cost, terminal_count, evaluations, speed_up }
    }
}

impl Compared {
    fn of(serial: Serial, outcome: &DistributedOutcome<String>) -> Compared {
        let total = outcome.total();
        let seconds = outcome.time.as_secs_f64().max(1e-9);
        let busiest = outcome.ranks.iter().map(|rank| rank.cpu_seconds).fold(1e-9, f64::max);
        Compared {
            speed_up: serial.seconds / seconds,
            cpu_speed_up: serial.cpu_seconds / busiest,
            search_overhead: total.evaluations as f64 / serial.evaluations.max(1) as f64,
            idle_share: total.idle_seconds / (seconds * outcome.ranks.len() as f64),
        }
    }
}

fn write_text(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    let Record { algorithm, position, depth, ranks, .. } = record;
    writeln!(out, "{algorithm} by {ranks} ranks, depth {depth}: {position}")?;
    match (record.value, record.stopped) {
        (Some(value), _) => writeln!(out, "  value {value}, best {}", record.best.unwrap_or("-"))?,
        (None, stopped) => writeln!(out, "  stopped: {}", stopped.unwrap_or("-"))?,
    }
    let total = &record.total;
    writeln!(
        out,
        "  {} leaves in {:.3} s; {} messages, {} bytes; idle {:.3} s of {:.3} s",
        total.evaluations,
        record.seconds,
        total.messages,
        total.bytes,
        total.idle_seconds,
        record.seconds * record.ranks as f64
    )?;
    if let (Some(serial), Some(compared)) = (record.serial, record.compared) {
        writeln!(
            out,
            "  serial: {} leaves in {:.3} s; speed-up {:.2} (by CPU time {:.2}), {:.2} times the leaves",
            serial.evaluations,
            serial.seconds,
            compared.speed_up,
            compared.cpu_speed_up,
            compared.search_overhead
        )?;
    }
    if let Some(simulated) = record.simulated {
        writeln!(
            out,
            "  simulated, {:.1} leaves a message: {} ticks, {} leaves, speed-up {:.2}",
            simulated.message_cost,
            simulated.terminal_count,
            simulated.evaluations,
            simulated.speed_up
        )?;
    }
    Ok(())
}
