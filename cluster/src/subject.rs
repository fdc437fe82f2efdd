//! What is searched: generated and written trees, and positions of the games.

use std::num::NonZeroUsize;

use anyhow::{Context, anyhow, bail, ensure};
use plyground_core::limits::Limits;
use plyground_core::tree::{Explicit, GameTree, LabTree, Synthetic, TreeOrdering, mix};
use plyground_engine::game::Game;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_search::distributed::{
    AphidSettings, DistributedOutcome, Network, ParSssSettings, aphid, parsss,
};
use plyground_search::{Outcome, SearchError, SearchSpec, Workspace, laboratory};

use crate::{Args, Scheme};

/// What rank 0 gets of a search; nothing on the other ranks.
pub type Found = Result<Option<DistributedOutcome<String>>, SearchError>;

/// A tree or a position, without its types.
pub trait Subject {
    /// What it is: a position as text, or which tree.
    fn name(&self) -> &str;
    /// The depth to search it to.
    fn depth(&self) -> u32;
    /// Searches it on this rank alone.
    fn search(&self, spec: &SearchSpec) -> Result<Outcome<String>, SearchError>;
    /// PARSSS* or PARITERSSS* by all ranks.
    fn parsss(&self, settings: &ParSssSettings, network: &mut dyn Network) -> Found;
    /// APHID by all ranks; `None` if it does not search this.
    fn aphid(&self, settings: &AphidSettings, network: &mut dyn Network) -> Option<Found>;
    /// Half the width of an aspiration window.
    fn aspiration(&self) -> u32;
}

fn as_text<M>(
    found: Result<Option<DistributedOutcome<M>>, SearchError>,
    text: impl Fn(M) -> String,
) -> Found {
    Ok(found?.map(|outcome| DistributedOutcome {
        value: outcome.value,
        best: outcome.best.map(text),
        stopped: outcome.stopped,
        time: outcome.time,
        ranks: outcome.ranks,
    }))
}

/// A tree of the laboratory.
struct Tree<T> {
    name: String,
    tree: T,
    depth: u32,
}

impl<T: GameTree<Move = u32> + Clone + Into<LabTree>> Subject for Tree<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn search(&self, spec: &SearchSpec) -> Result<Outcome<String>, SearchError> {
        let tree: LabTree = self.tree.clone().into();
        Ok(laboratory::search(&tree, spec, None)?.map(|number| number.to_string()))
    }

    fn parsss(&self, settings: &ParSssSettings, network: &mut dyn Network) -> Found {
        as_text(parsss(&self.tree, settings, network), |number| number.to_string())
    }

    fn aphid(&self, _: &AphidSettings, _: &mut dyn Network) -> Option<Found> {
        None
    }

    fn aspiration(&self) -> u32 {
        0
    }
}

/// A position of a game.
struct Position<G: Game> {
    name: String,
    position: G::Position,
    tree: G,
    depth: u32,
}

impl<G: Game> Subject for Position<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn search(&self, spec: &SearchSpec) -> Result<Outcome<String>, SearchError> {
        let outcome = G::search(&self.tree, &mut Workspace::new(), spec, None)?;
        Ok(outcome.map(|mv| G::move_text(&self.position, mv)))
    }

    fn parsss(&self, settings: &ParSssSettings, network: &mut dyn Network) -> Found {
        let found = parsss(&self.tree, settings, network);
        as_text(found, |mv| G::move_text(&self.position, mv))
    }

    fn aphid(&self, settings: &AphidSettings, network: &mut dyn Network) -> Option<Found> {
        let found = aphid(&self.tree, settings, network);
        Some(as_text(found, |mv| G::move_text(&self.position, mv)))
    }

    fn aspiration(&self) -> u32 {
        G::ASPIRATION
    }
}

/// The trees or positions that the arguments name.
pub fn subjects(args: &Args) -> anyhow::Result<Vec<Box<dyn Subject>>> {
    let tree_flags = args.width.is_some() || args.iid || args.strong || args.tree.is_some();
    match args.game.as_str() {
        "trees" => trees(args),
        game => {
            ensure!(
                !tree_flags,
                "--width, --iid, --strong and --tree are for --game trees, not for {game}"
            );
            match game {
                Othello::NAME => positions::<Othello>(args),
                Chess::NAME => positions::<Chess>(args),
                other => bail!("--game {other}: no such game; expected trees, othello or chess"),
            }
        }
    }
}

fn trees(args: &Args) -> anyhow::Result<Vec<Box<dyn Subject>>> {
    ensure!(args.position.is_empty(), "--position is for games; expected --game othello or chess");
    ensure!(args.scheme != Scheme::Aphid, "aphid searches games; expected --game othello or chess");
    if let Some(text) = &args.tree {
        ensure!(args.width.is_none(), "--tree is a whole tree; expected no --width");
        let tree: Explicit = text.parse().context("--tree")?;
        let depth = args.depth.unwrap_or(tree.height() as u32);
        return Ok(vec![Box::new(Tree { name: text.clone(), tree, depth })]);
    }
    let (Some(width), Some(depth)) = (args.width, args.depth) else {
        bail!("expected --width and --depth of generated trees, or --tree, or --game");
    };
    let ordering = match (args.iid, args.strong) {
        (true, _) => TreeOrdering::Independent,
        (_, true) => TreeOrdering::Strong,
        _ => TreeOrdering::Probable { order: 1, probability: 1.0 },
    };
    let tree = Synthetic::ordered(width, depth as usize, args.values, args.values / 2, 0, ordering)
        .context("no such tree can be generated")?;
    let one = |number: u64| {
        let seed = mix(args.seed, number);
        let name = format!("T({width},{depth}) {number}, seed {}", args.seed);
        Box::new(Tree { name, tree: tree.reseeded(seed), depth }) as Box<dyn Subject>
    };
    Ok((0..args.count as u64).map(one).collect())
}

fn positions<G: Game>(args: &Args) -> anyhow::Result<Vec<Box<dyn Subject>>> {
    let depth = args.depth.unwrap_or(G::DEPTHS.quick);
    ensure!(depth >= 1 && depth <= G::DEEPEST, "--depth {depth}: expected 1 to {}", G::DEEPEST);
    let texts = match args.position.is_empty() {
        false => args.position.clone(),
        true => {
            let all = G::door().experiments()?;
            ensure!(
                args.count <= all.len(),
                "--count {}: {} has only {} positions for experiments",
                args.count,
                G::NAME,
                all.len()
            );
            all.into_iter().take(args.count).map(|problem| problem.position).collect()
        }
    };
    let one = |text: String| -> anyhow::Result<Box<dyn Subject>> {
        let position = G::position(&text).map_err(|error| anyhow!("--position {text}: {error}"))?;
        let tree = G::from_position(&position, G::Evaluator::default());
        Ok(Box::new(Position::<G> { name: position.to_string(), position, tree, depth }))
    };
    texts.into_iter().map(one).collect()
}

/// The settings of PARSSS* for a subject.
pub fn parsss_settings(args: &Args, subject: &dyn Subject) -> ParSssSettings {
    let entries = match args.scheme {
        Scheme::ParIterSss(entries) => NonZeroUsize::new(entries),
        _ => None,
    };
    ParSssSettings {
        depth: subject.depth(),
        spawn_height: args.spawn_height,
        entries,
        limits: limits(args),
    }
}

/// The settings of APHID for a subject.
pub fn aphid_settings(args: &Args, subject: &dyn Subject) -> AphidSettings {
    AphidSettings {
        depth: subject.depth(),
        top: args.top_plies,
        table: args.table.unwrap_or_default(),
        margin: (subject.aspiration() / 8) as i32,
        limits: limits(args),
    }
}

fn limits(args: &Args) -> Limits {
    Limits { time: args.time, bytes: args.bytes, ..Limits::default() }
}
