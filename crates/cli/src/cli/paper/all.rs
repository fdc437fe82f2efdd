//! `plyground paper all`: every experiment, and one page of them.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Args;

use super::super::batch::SeedArgs;
use super::super::compare::parse_shard;
use super::super::console::{Console, csv, note};
use super::super::tree::write;
use super::ConsoleProgress;
use plyground_core::names::plural;
use plyground_engine::games::Games;
use plyground_study::command::portable_command;
use plyground_study::paper::{
    DEEPEST, DocumentRun, EXPERIMENTS, ExperimentData, Kept, PaperRun, Provenance, document,
    judged, processor,
};
use plyground_study::tournament::today;

#[derive(Debug, Args)]
pub(super) struct AllArgs {
    /// Write the page, its data and the claims into this folder; what is there already is not run again
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Fewer and smaller searches: a first look, in about ten minutes
    #[arg(long)]
    quick: bool,
    /// Run nothing: only the page and the claims, from the data that are there
    #[arg(long, conflicts_with_all = ["quick", "only", "count", "shard"])]
    page: bool,
    /// Only these experiments, separated by commas
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Trees for each cell or point, and positions of each game, in place of each experiment's own number: of
    /// all experiments, or of the one that is named. N/M: M positions for the deepest searches of `memory` and
    /// `best-first`, which take most of the time
    #[arg(long, value_name = "N|N/M|ID=N,…", value_delimiter = ',', value_parser = parse_count)]
    count: Vec<CountOf>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Searches to run in parallel; times are measured only with 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Run only the I-th of N parts; the parts may write into the same folder, and a run without this
    /// makes the page when all are done
    #[arg(long, value_name = "I/N|auto", value_parser = parse_shard)]
    shard: Option<(usize, usize)>,
}

/// A number of trees and positions, for one experiment or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CountOf {
    id: Option<&'static str>,
    count: u64,
    /// The positions of the deepest searches, where they are fewer.
    deepest: Option<u64>,
}

fn parse_count(text: &str) -> Result<CountOf, String> {
    let (id, number) = match text.split_once('=') {
        None => (None, text),
        Some((id, number)) => (Some(known_id(id)?), number),
    };
    let parse = |number: &str| match number.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!("{number}: expected a number from 1 on")),
    };
    let (number, deepest) = match number.split_once('/') {
        Some((number, deepest)) => (number, Some(parse(deepest)?)),
        None => (number, None),
    };
    let count = parse(number)?;
    match (id, deepest) {
        (_, Some(deepest)) if deepest > count => {
            Err(format!("{deepest}: expected at most {count} positions for the deepest searches"))
        }
        (id, Some(_)) if !id.is_some_and(|id| DEEPEST.contains(&id)) => {
            Err(format!("{text}: expected {}=N/M", DEEPEST.join("=N/M or ")))
        }
        _ => Ok(CountOf { id, count, deepest }),
    }
}

/// The experiment of this name.
fn known_id(id: &str) -> Result<&'static str, String> {
    let found = EXPERIMENTS.iter().find(|experiment| experiment.id == id);
    found.map(|experiment| experiment.id).ok_or_else(|| {
        let known: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
        format!("{id}: expected some of {}", known.join(", "))
    })
}

impl AllArgs {
    /// The number for an experiment: its own, or else that of all.
    fn count_of(&self, id: &str) -> Option<&CountOf> {
        let named = |name: Option<&str>| self.count.iter().rev().find(|count| count.id == name);
        named(Some(id)).or_else(|| named(None))
    }
}

pub(super) fn run(
    console: &Console,
    progress: &ConsoleProgress<'_>,
    games: &Games,
    args: &AllArgs,
) -> anyhow::Result<()> {
    for id in &args.only {
        let known = known_id(id);
        ensure!(known.is_ok(), "--only {}", known.unwrap_err());
    }
    console.outlive_reader();
    let provenance = Provenance {
        version: env!("CARGO_PKG_VERSION").into(),
        commit: commit(),
        processor: processor(),
        date: today(),
        seed: args.seed.seed,
        quick: args.quick,
        count: None,
        deepest: None,
        command: portable_command(),
    };
    let (part, parts) = args.shard.unwrap_or((1, 1));
    let wanted = |id: &str| args.only.is_empty() || args.only.iter().any(|only| only == id);
    let mine = (EXPERIMENTS.iter().enumerate()).filter(|(i, experiment)| {
        !args.page && (experiment.shared || i % parts == part - 1) && wanted(experiment.id)
    });
    for (_, experiment) in mine {
        let given = args.count_of(experiment.id);
        let (count, deepest) = (given.map(|of| of.count), given.and_then(|of| of.deepest));
        let provenance = Provenance { count, deepest, ..provenance.clone() };
        let known = ExperimentData::read(&args.out, experiment.id)?;
        if known.is_some_and(|data| data.is_of(&provenance)) {
            tell(&format!("{}: its data are there already", experiment.id));
            continue;
        }
        tell(&format!("{}: {}", experiment.id, experiment.title));
        let flag = console.flag();
        let shard = args.shard.filter(|_| experiment.shared);
        let kept = &Kept::open(&args.out, experiment.id, &provenance, shard)?;
        let seed = args.seed.seed;
        let run = DocumentRun {
            run: PaperRun { count, deepest, seed, flag, progress, kept: Some(kept) },
            games,
            quick: args.quick,
            jobs: args.jobs.into(),
        };
        let begun = Instant::now();
        let found = (experiment.run)(&run).with_context(|| experiment.id.to_owned())?;
        // What is not whole has no data yet; the next run goes on with what is kept.
        if console.interrupted() {
            break;
        }
        if kept.left_out() > 0 {
            let left = plural(kept.left_out() as usize, "search");
            tell(&format!("{}: {left} left to other shards", experiment.id));
            continue;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let (commit, processor) = (kept.commits(), kept.processors());
        let provenance = Provenance { commit, processor, ..provenance.clone() };
        let data = ExperimentData::new(experiment.id, provenance, seconds, found);
        let file = data.write(&args.out)?;
        tell(&format!("wrote {}, {seconds:.0} s", file.display()));
    }
    let page = document(&args.out)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let claims: Vec<serde_json::Value> = judged(&args.out)?
        .into_iter()
        .map(|(experiment, claim)| {
            serde_json::json!({
                "experiment": experiment,
                "paper": claim.paper,
                "claim": claim.text,
                "verdict": claim.verdict.to_string(),
                "numbers": claim.numbers,
            })
        })
        .collect();
    for (name, text) in [
        ("index.html", page.to_html()),
        ("report.md", page.to_markdown()),
        ("claims.csv", csv(&claims)),
    ] {
        let file = args.out.join(name);
        write(&file, &text)?;
        console.print(&format!("{}\n", file.display()))?;
    }
    if !args.page {
        console.note_continuation();
    }
    Ok(())
}

/// Says on a terminal where the work is; in a pipe nothing but the results.
fn tell(text: &str) {
    if std::io::stderr().is_terminal() {
        note(text);
    }
}

/// The commit of the checkout that the command is run in, with `-dirty` if files of it are changed; `unknown`
/// elsewhere.
fn commit() -> String {
    let output = Command::new("git")
        .args(["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"])
        .output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let text = text.and_then(|text| String::from_utf8(text).ok());
    text.map_or_else(|| "unknown".into(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_all_experiments_or_of_one() {
        let of = |id, count, deepest| Ok(CountOf { id, count, deepest });
        assert_eq!(parse_count("40"), of(None, 40, None));
        assert_eq!(parse_count("memory=24"), of(Some("memory"), 24, None));
        assert_eq!(parse_count("memory=120/40"), of(Some("memory"), 120, Some(40)));
        assert_eq!(parse_count("memory=40/0").unwrap_err(), "0: expected a number from 1 on");
        let many = "50: expected at most 40 positions for the deepest searches";
        assert_eq!(parse_count("memory=40/50").unwrap_err(), many);
        let which = "keys=40/20: expected memory=N/M or best-first=N/M";
        assert_eq!(parse_count("keys=40/20").unwrap_err(), which);
        assert_eq!(parse_count("memory=0").unwrap_err(), "0: expected a number from 1 on");
        assert!(parse_count("nothing=3").unwrap_err().starts_with("nothing: expected some of"));
    }
}
