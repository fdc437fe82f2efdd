//! The best-first family: the searches that the solution-tree paper and the survey name and do not
//! measure.
//!
//! They prove a goal, a bound or a move rather than the value of a fixed tree, so they are compared at
//! equal nodes and equal memory. On trees whose value all of them can find, [`trees`] repeats the
//! comparison of Allis and others 1991: SSS*, alpha-beta, conspiracy numbers. On real games [`on_game`]
//! counts the positions of test suites that each solves, how often it chooses the move of a deep search,
//! and how it fares against PVS and MTD(f).

mod agreement;
mod matches;
mod suites;
mod trees;

pub use trees::trees;

use super::{Findings, PositionRun};
use plyground_core::limits::Limits;
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{
    AbCns, BStar, BestFirstMinimax, Cns, DfPn, MtdF, PbStar, Pn, Pn2, Pvs, Uct,
};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions};

/// The nodes for each move by default.
pub const FAMILY_NODES: u64 = 2_000;

/// The memory that every search may take.
const BYTES: usize = 64 << 20;

/// The experiment on positions of a game: suites, agreement, matches, each at this many nodes.
pub fn on_game(run: &PositionRun<'_>, nodes: u64, games: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    found.extend(suites::suites(run, nodes)?);
    if !run.run.flag.is_raised() {
        found.extend(agreement::agreement(run, nodes)?);
    }
    if !run.run.flag.is_raised() {
        found.extend(matches::matches(run, nodes, games)?);
    }
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
            table: TableSize::of_mebibytes(16),
            ..plain
        },
    }
}

/// The horizon of a search that is stopped by its nodes.
const HORIZON: u32 = 40;
