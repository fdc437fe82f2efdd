//! `plyground bench`: fixed positions, fixed depths, one total of nodes.
//!
//! The total is the search's signature: it is the same in every run and on every machine, and a
//! change to the search that should change nothing must not change it. What differs from machine to
//! machine is the time, and the instructions that the first line names.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::console::Console;
use plyground_core::limits::StopFlag;
use plyground_core::platform;
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{GoLimits, ThinkRequest};
use plyground_study::report::thousands;

pub(crate) const EXAMPLES: &str = "Examples:
  plyground bench
  plyground bench --chess 10 --othello 9";

/// The games in question, and how deep their positions are searched.
type Depths = Vec<(&'static dyn AnyGame, u32)>;

/// The command's arguments: each game has one of its own name, the depth.
pub(crate) fn arguments(command: Command, games: &Games) -> Command {
    games.iter().fold(command, |command, game| {
        let depth = Arg::new(game.name()).long(game.name()).value_name("N");
        let usual = game.depths().bench;
        command.arg(
            depth
                .help(format!("The depth for {game} [default: {usual}]"))
                .value_parser(value_parser!(u32).range(1..=60)),
        )
    })
}

pub(crate) fn run(console: &Console, games: &Games, args: &ArgMatches) -> anyhow::Result<()> {
    let mut depths = usual(games);
    for (game, depth) in &mut depths {
        let given = args.subcommand_matches("bench").and_then(|own| own.get_one(game.name()));
        *depth = given.copied().unwrap_or(*depth);
    }
    for line in lines(&depths, &console.flag())? {
        console.print(&format!("{line}\n"))?;
    }
    Ok(())
}

/// The depths that the total is usually quoted for.
fn usual(games: &Games) -> Depths {
    games.iter().map(|game| (game, game.depths().bench)).collect()
}

/// What the command says if no depths are given.
pub(crate) fn all(games: &Games, stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    lines(&usual(games), stop)
}

fn lines(depths: &Depths, stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    let measured = depths.iter().map(|&(game, depth)| measured(game, depth, stop));
    let measured: Vec<Measured> = measured.collect::<Result<_, _>>()?;
    let sum: u64 = measured.iter().map(|line| line.nodes).sum();
    let lines = measured.iter().map(Measured::text).chain([format!("{sum} nodes")]);
    Ok([instructions(depths)].into_iter().chain(lines).collect())
}

/// The processor instructions that are in use.
fn instructions(depths: &Depths) -> String {
    let of_games = depths.iter().map(|(game, _)| format!("{game} {}", game.instructions()));
    let of_tables = if platform::prefetches() { "prefetch" } else { "portable" };
    let all: Vec<String> = of_games.chain([format!("tables {of_tables}")]).collect();
    format!("instructions: {}", all.join(", "))
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
/// first. A new player has nothing to forget, so its tables are not cleared for that one.
fn measured(game: &'static dyn AnyGame, depth: u32, stop: &StopFlag) -> anyhow::Result<Measured> {
    let mut player = game.player(Profile::standard(game)?)?;
    let mut sum = Measured { name: game.name(), depth, nodes: 0, time: Duration::ZERO };
    for (number, problem) in game.experiments()?.iter().enumerate() {
        if number > 0 {
            player.clear();
        }
        player.set_line(&*game.start(&problem.position)?)?;
        let mut request = ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() });
        request.stop = stop.clone();
        let thought = player.think(&request, &mut |_| {});
        sum.nodes += thought.nodes;
        sum.time += thought.time;
    }
    Ok(sum)
}
