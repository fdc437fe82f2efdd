//! Engines on the command line: a name or a file, and the flags that change its settings.

use anyhow::bail;
use clap::Args;

use super::console::Console;
use super::{FormatArgs, NamedAlgorithm, UpdateArg, parse_algorithm, print_list};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_search::MemoryFunctions;
use plyground_search::table::TableSize;
use plyground_study::report::{Align, TextTable};

pub(super) const EXAMPLES: &str = "Examples:
  plyground engines
  plyground engines my-engine.toml
  plyground engines --json";

/// How a position is searched.
#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// An engine: a name from `plyground engines`, or a file
    #[arg(long, value_name = "NAME")]
    pub(super) engine: Option<String>,
    /// The algorithm: see `plyground algorithms` [default: the engine's, else pvs]
    #[arg(long, value_name = "ID", value_parser = parse_algorithm)]
    pub(super) algorithm: Option<NamedAlgorithm>,
    /// The memory functions: none, all, or table history killers refutation countermoves etc,
    /// joined by + [default: the engine's, else none]
    #[arg(long, value_name = "PARTS")]
    memory: Option<MemoryFunctions>,
    /// The size of the table: in entries (8K, 1M) or in MiB (16MiB)
    #[arg(long, value_name = "SIZE")]
    table: Option<TableSize>,
    /// Search to depth 1, 2, … first
    #[arg(long)]
    deepening: bool,
    /// How stored bounds are updated [default: the engine's, else clipped]
    #[arg(long, value_enum)]
    update: Option<UpdateArg>,
}

impl EngineArgs {
    /// The engine for `game`, and the algorithm's id as it was typed.
    pub(super) fn profile(
        &self,
        games: &Games,
        game: &'static dyn AnyGame,
    ) -> anyhow::Result<(Profile, String)> {
        let mut profile = match &self.engine {
            None => Profile::plain(game),
            Some(name) => Profile::find(games, name)?,
        };
        if profile.game != game {
            bail!("the engine {} plays {}, not {game}", profile.name, profile.game);
        }
        if let Some(named) = &self.algorithm {
            profile.algorithm = named.algorithm.clone();
        }
        if let Some(memory) = self.memory {
            profile.memory = memory;
        }
        if let Some(table) = self.table {
            if !profile.memory.contains(MemoryFunctions::TABLE) {
                bail!("--table {table}: there is no table; expected --memory with `table`");
            }
            profile.table = table;
        }
        profile.deepening |= self.deepening;
        if let Some(update) = self.update {
            profile.update = update.into();
        }
        let id = self.algorithm.as_ref().map(|named| named.id.clone());
        let id = id.unwrap_or_else(|| profile.algorithm.to_string());
        Ok((profile, id))
    }
}

/// `plyground engines`
#[derive(Debug, Args)]
pub(super) struct EnginesArgs {
    /// Engines to check: names or files [default: all built-in ones]
    engines: Vec<String>,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(console: &Console, games: &Games, args: &EnginesArgs) -> anyhow::Result<()> {
    let profiles: Vec<Profile> = if args.engines.is_empty() {
        Profile::built_in(games).collect::<Result<_, _>>()?
    } else {
        args.engines.iter().map(|name| Profile::find(games, name)).collect::<Result<_, _>>()?
    };
    let rows: Vec<serde_json::Value> = profiles.iter().map(described).collect();
    print_list(console, args.format, &rows, &table(&profiles))
}

fn described(profile: &Profile) -> serde_json::Value {
    let has_table = profile.memory.contains(MemoryFunctions::TABLE);
    serde_json::json!({
        "engine": profile.name,
        "game": profile.game.name(),
        "algorithm": profile.algorithm.to_string(),
        "memory": profile.memory.to_string(),
        "table": has_table.then(|| profile.table.entries()),
        "deepening": profile.deepening,
        "play": profile.selective().map(|(switches, _)| switches),
        "threads": profile.threads,
        "evaluator": profile.evaluator.name(),
        "depth": profile.depth,
        "time": profile.limits.time.map(|time| time.as_secs_f64()),
        "nodes": profile.limits.nodes,
        "bytes": profile.limits.bytes,
        "about": profile.about,
    })
}

fn table(profiles: &[Profile]) -> TextTable {
    let mut table = TextTable::new("");
    for column in ["engine", "game", "algorithm"] {
        table.column(column, Align::Left);
    }
    table.optional("plays", Align::Left, 1);
    table.optional("memory", Align::Left, 4);
    table.optional("table", Align::Left, 3);
    table.optional("deepening", Align::Left, 3);
    table.optional("depth", Align::Right, 2);
    table.prose("what it is");
    for profile in profiles {
        let has_table = profile.memory.contains(MemoryFunctions::TABLE);
        table.row(vec![
            profile.name.clone(),
            profile.game.to_string(),
            profile.algorithm.name(),
            if profile.selective().is_some() { "selectively" } else { "full width" }.into(),
            profile.memory.to_string(),
            if has_table { profile.table.to_string() } else { String::new() },
            if profile.deepening { "yes" } else { "no" }.into(),
            profile.depth.map_or(String::new(), |depth| depth.to_string()),
            profile.about.clone(),
        ]);
    }
    table
}
