//! How simulated searches are scheduled, what they pay for, and what came of it.

use clap::Args;
use serde::Serialize;

use plyground_search::{Costs, Options};
use plyground_study::laboratory::{Interleavings, Simulation};
use plyground_study::report::thousands;

/// How simulated processors take turns, and what they pay for besides leaves.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Parallel searches")]
pub(super) struct SimulationArgs {
    /// Simulate N random interleavings besides, for the least, mean and spread of the terminal count
    #[arg(long, value_name = "N", requires = "simulate",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    schedules: Option<u64>,
    /// What a message between simulated processors costs, in leaves [default: 0]
    #[arg(long, value_name = "LEAVES", requires = "simulate", value_parser = parse_cost)]
    message_cost: Option<u64>,
    /// What a simulated access to the shared memory costs, in leaves [default: 0]
    #[arg(long, value_name = "LEAVES", requires = "simulate", value_parser = parse_cost)]
    table_cost: Option<u64>,
    /// What it costs to make a node ready to be shared, in leaves [default: 0]
    #[arg(long, value_name = "LEAVES", requires = "simulate", value_parser = parse_cost)]
    split_cost: Option<u64>,
}

/// A cost in leaves with at most three decimals, as thousandths of a leaf.
fn parse_cost(text: &str) -> Result<u64, String> {
    let leaves: f64 = text.parse().map_err(|_| "expected a number of leaves, such as 0.25")?;
    let thousandths = (leaves * 1000.0).round();
    if !(0.0..=1e9).contains(&thousandths) {
        return Err("expected a number of leaves from 0 to 1000000".into());
    }
    Ok(thousandths as u64)
}

impl SimulationArgs {
    /// Sets the options that were given.
    pub(super) fn set(&self, options: &mut Options) {
        options.costs = Costs {
            message: self.message_cost.unwrap_or(0),
            table: self.table_cost.unwrap_or(0),
            split: self.split_cost.unwrap_or(0),
        };
    }

    /// How many random interleavings are simulated besides.
    pub(super) fn schedules(&self) -> u64 {
        self.schedules.unwrap_or(0)
    }
}

/// What a simulation came to, as JSON keys.
#[derive(Serialize)]
pub(super) struct SimulationRecord {
    speed_up: Option<f64>,
    search_overhead: Option<f64>,
    idle_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedules: Option<InterleavingsRecord>,
}

#[derive(Serialize)]
struct InterleavingsRecord {
    count: u64,
    min: u64,
    mean: f64,
    spread: u64,
}

impl From<&Simulation> for SimulationRecord {
    fn from(found: &Simulation) -> SimulationRecord {
        let record = |found: &Interleavings| InterleavingsRecord {
            count: found.count,
            min: found.least,
            mean: found.mean(),
            spread: found.spread(),
        };
        SimulationRecord {
            speed_up: found.speed_up,
            search_overhead: found.search_overhead,
            idle_share: found.idle_share,
            schedules: found.interleavings.as_ref().map(record),
        }
    }
}

/// The same as lines for people.
pub(super) fn described(found: &Simulation) -> Vec<(&'static str, String)> {
    let percent = |share: f64| format!("{} %", thousands(100.0 * share, 1));
    let mut lines = Vec::new();
    lines.extend(
        found.speed_up.map(|speed_up| {
            ("speed-up", format!("{} over {}", thousands(speed_up, 2), found.serial))
        }),
    );
    lines.extend(found.search_overhead.map(|overhead| ("overhead", percent(overhead))));
    lines.extend(found.idle_share.map(|idle| ("idle", percent(idle))));
    lines.extend(found.interleavings.as_ref().map(|found| {
        let (least, greatest) = (found.least, found.greatest);
        let mean = thousands(found.mean(), 1);
        ("schedules", format!("{}: count {least} to {greatest}, mean {mean}", found.count))
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_thousandths_of_a_leaf() {
        assert_eq!(parse_cost("0.25"), Ok(250));
        assert_eq!(parse_cost("3"), Ok(3000));
        for wrong in ["-1", "x", "nan", "1e9", ""] {
            assert!(parse_cost(wrong).is_err(), "{wrong}");
        }
    }
}
