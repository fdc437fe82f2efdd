//! The best-first family: the searches that the solution-tree paper and the survey name and do not
//! measure.
//!
//! They prove a goal, a bound or a move rather than the value of a fixed tree, so they are compared at
//! equal nodes and equal memory. On trees whose value all of them can find, [`trees`] repeats the
//! comparison of Allis and others 1991: SSS*, alpha-beta, conspiracy numbers. On real games [`on_game`]
//! counts the positions of test suites that each solves, how often it chooses the move of a deep search,
//! and how it fares against PVS and MTD(f); and df-pn stands beside the search for play and the solver.

mod agreement;
mod matches;
mod proofs;
mod suites;
mod trees;

pub use trees::trees;

use serde_json::Value as Json;

use super::{Claim, Findings, PositionRun, Verdict};
use crate::experiment::{PairedRatio, holm};
use plyground_core::limits::Limits;
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{
    AbCns, AlphaBeta, BStar, BestFirstMinimax, Cns, DfPn, MtdF, PbStar, Pn, Pn2, Pvs, Sss, Uct,
};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions};

/// The nodes for each move by default.
pub const FAMILY_NODES: u64 = 2_000;

/// The memory that every search may take.
const BYTES: usize = 64 << 20;

/// The entries of the table of those that deepen: many more than such searches visit nodes. A larger one only
/// takes time to clear and to count.
const TABLE: usize = 1 << 16;

/// Mates, for games that can read the file: there a proof search is asked for one.
const MATES: &str = "mates";
const MATE_POSITIONS: &str = include_str!("../../../../positions/mates.epd");

/// The experiment on positions of a game: suites, agreement, matches, each at this many nodes; and proofs.
pub fn on_game(run: &PositionRun<'_>, nodes: u64, games: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let mut part = |name: &str, make: &dyn Fn() -> anyhow::Result<Findings>| {
        if !run.run.flag.is_raised() {
            let name = format!("{}-{name}", run.game);
            found.extend(run.run.part((&name, None), make)?);
        }
        anyhow::Ok(())
    };
    part("suites", &|| suites::suites(run, nodes))?;
    part("proofs", &|| proofs::proofs(run))?;
    part("agreement", &|| agreement::agreement(run, nodes))?;
    part("matches", &|| matches::matches(run, nodes, games))?;
    Ok(found)
}

/// The searches that the others are measured against.
fn references() -> [Algorithm; 2] {
    [Pvs.into(), MtdF { guess: None }.into()]
}

/// The searches that choose a move by their judgement of positions.
fn choosers() -> Vec<Algorithm> {
    vec![
        Uct { exploration: 500 }.into(),
        BestFirstMinimax.into(),
        BStar.into(),
        PbStar.into(),
        Cns { threshold: 3 }.into(),
        AbCns { threshold: 3 }.into(),
    ]
}

/// The proof searches.
fn provers() -> Vec<Algorithm> {
    vec![Pn.into(), DfPn { bytes: BYTES / 4 }.into(), Pn2.into()]
}

/// An engine that searches with this algorithm in the laboratory's way: one that deepens has a table and
/// histories, one that grows a tree keeps that.
fn engine(run: &PositionRun<'_>, algorithm: &Algorithm, nodes: u64) -> Profile {
    let limits = Limits { nodes: Some(nodes), bytes: Some(BYTES), ..run.run.limits() };
    let plain = Profile { algorithm: algorithm.clone(), limits, ..Profile::plain(run.game) };
    match algorithm.entry().rich_only {
        true => Profile { deepening: !algorithm.entry().anytime, ..plain },
        false => Profile {
            deepening: true,
            memory: MemoryFunctions::TABLE | MemoryFunctions::HISTORY,
            table: TableSize::of_entries(TABLE),
            ..plain
        },
    }
}

/// Which of these probabilities are below 5 % by Holm's correction.
fn remarkable(chances: impl Iterator<Item = f64>) -> Vec<bool> {
    holm(&chances.collect::<Vec<_>>()).into_iter().map(|p| p < 0.05).collect()
}

/// The horizon of a search that is stopped by its nodes.
const HORIZON: u32 = 40;

/// What the experiment answers.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let number = |row: &Json, key: &str| row[key].as_f64().unwrap_or(0.0);
    let of = |name: &'static str| rows.iter().filter(move |row| row["experiment"] == name);
    let id = |algorithm: Algorithm| algorithm.to_string();
    // Leaves over those of alpha-beta, tree by tree, over all shapes.
    let each = |algorithm: &str| -> Vec<f64> {
        let mine = of("family-trees").filter(|row| row["algorithm"] == algorithm);
        mine.flat_map(|row| row["each"].as_array().into_iter().flatten())
            .map(|leaves| leaves.as_f64().unwrap_or(0.0))
            .collect()
    };
    let first = each(&id(AlphaBeta.into()));
    let searches: [Algorithm; 4] = [
        Sss.into(),
        AbCns { threshold: trees::EVERYONE }.into(),
        Cns { threshold: u8::MAX }.into(),
        Pn.into(),
    ];
    let mut found = Vec::new();
    if !first.is_empty() {
        let shares = searches.iter().filter_map(|algorithm| {
            let own = each(&id(algorithm.clone()));
            let paired = PairedRatio::of(own.into_iter().zip(first.iter().copied()))?;
            let (low, high) = paired.bootstrap;
            let (name, mean) = (trees::label(algorithm), paired.ratio.mean);
            Some(format!("{name} {mean:.2} ({low:.2}–{high:.2})"))
        });
        let text = "how many leaves the value takes SSS*, conspiracy numbers and proof numbers";
        let numbers = format!(
            "leaves over those of alpha-beta, {} trees: {}",
            first.len(),
            shares.collect::<Vec<_>>().join(", ")
        );
        found.push(Claim::new("Allis and others 1991", text, Verdict::Answered, numbers));
    }
    let proofs: Vec<String> = of("family-proofs")
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
            format!(
                "{}, {}: {} answers {} of {} with {:.0} nodes in {:.2} s",
                text("game"),
                text("question"),
                text("search"),
                row["answered"],
                row["positions"],
                number(row, "nodes"),
                number(row, "seconds")
            )
        })
        .collect();
    if !proofs.is_empty() {
        let text = "what proof numbers are worth beside the search for play and a solver";
        found.push(Claim::new("Allis 1994", text, Verdict::Answered, proofs.join("; ")));
    }
    found
}
