//! `plyground bench`: fixed positions, fixed depths, one total of nodes.
//!
//! The total is the search's signature: it is the same in every run and on every machine, and a
//! change to the search that should change nothing must not change it.

use std::time::Duration;

use clap::Args;

use super::console::Console;
use plyground_core::limits::StopFlag;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{GoLimits, Session, ThinkRequest};
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_study::report::thousands;

pub(super) const EXAMPLES: &str = "Examples:
  plyground bench
  plyground bench --chess 12 --othello 10";

/// The depths that the total is usually quoted for.
const CHESS: u32 = 10;
const OTHELLO: u32 = 9;

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// The depth for chess
    #[arg(long, value_name = "N", default_value_t = CHESS,
          value_parser = clap::value_parser!(u32).range(1..=40))]
    chess: u32,
    /// The depth for Othello
    #[arg(long, value_name = "N", default_value_t = OTHELLO,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    othello: u32,
}

pub(super) fn run(console: &Console, _: &Games, args: &BenchArgs) -> anyhow::Result<()> {
    for line in lines(args.chess, args.othello, &console.flag())? {
        console.print(&format!("{line}\n"))?;
    }
    Ok(())
}

/// What the command says if no depths are given.
pub(super) fn all(stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    lines(CHESS, OTHELLO, stop)
}

fn lines(chess: u32, othello: u32, stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    let measured = [measured::<Chess>(chess, stop)?, measured::<Othello>(othello, stop)?];
    let sum: u64 = measured.iter().map(|line| line.nodes).sum();
    Ok(measured.iter().map(Measured::text).chain([format!("{sum} nodes")]).collect())
}

/// What one game's positions took.
struct Measured {
    name: &'static str,
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Measured {
    fn text(&self) -> String {
        let speed = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        format!(
            "{:<8} depth {:>2} {:>14} nodes {:>8.2} s {:>12} nodes a second",
            self.name,
            self.depth,
            thousands(self.nodes as f64, 0),
            self.time.as_secs_f64(),
            thousands(speed, 0),
        )
    }
}

/// The game's positions for experiments, each searched by its strongest engine as if it were the
/// first.
fn measured<G: Game>(depth: u32, stop: &StopFlag) -> anyhow::Result<Measured> {
    let mut session = Session::<G>::new(Profile::standard(G::door())?)?;
    let mut sum = Measured { name: G::NAME, depth, nodes: 0, time: Duration::ZERO };
    for problem in G::suite(G::EXPERIMENTS)? {
        session.clear();
        session.set_position(problem.position);
        let mut request = ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() });
        request.stop = stop.clone();
        let thought = session.think(&request, &mut |_| {});
        sum.nodes += thought.nodes;
        sum.time += thought.time;
    }
    Ok(sum)
}
