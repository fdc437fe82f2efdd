//! A position to be searched in the laboratory, its moves as text.

use crate::game::{Game, GameLine};
use plyground_core::limits::Limits;
use plyground_core::value::Value;
use plyground_search::{MemoryLock, Outcome, SearchSpec, Watcher, Workspace, principal_variation};

/// A position to be searched. Moves are as programs write them.
pub trait AnyTree: Send + Sync {
    /// The position.
    fn position(&self) -> String;
    /// Searches it, in a workspace that serves one search after the other.
    fn search(
        &self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<String>, MemoryLock>;
    /// Best play to the horizon, given the exact `value` and, if it is known, a `first` move that
    /// keeps it. Ends early if a limit stops it.
    fn principal_variation(
        &self,
        depth: u32,
        value: Value,
        first: Option<&str>,
        limits: &Limits,
    ) -> Vec<String>;
    /// What the position is worth at first sight to the side to move.
    fn evaluate(&self) -> Value;
    /// The terms of that.
    fn explain(&self) -> Vec<(&'static str, Value)>;
    /// Moves one after the other from the position, as people write them; what is not legal, and all
    /// after it, is left out.
    fn show(&self, moves: &[String]) -> Vec<String>;
}

pub(super) struct PositionTree<G: Game> {
    position: G::Position,
    evaluator: G::Evaluator,
    tree: G,
}

impl<G: Game> PositionTree<G> {
    pub(super) fn new(position: G::Position, evaluator: G::Evaluator) -> PositionTree<G> {
        let tree = G::from_position(&position, evaluator.clone());
        PositionTree { position, evaluator, tree }
    }
}

impl<G: Game> AnyTree for PositionTree<G> {
    fn position(&self) -> String {
        self.position.to_string()
    }

    fn search(
        &self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<String>, MemoryLock> {
        let outcome = G::search(&self.tree, workspace, spec, watch)?;
        Ok(outcome.map(|mv| G::move_text(&self.position, mv)))
    }

    fn principal_variation(
        &self,
        depth: u32,
        value: Value,
        first: Option<&str>,
        limits: &Limits,
    ) -> Vec<String> {
        let first = first.and_then(|text| G::read_move(&self.position, text).ok());
        let variation = principal_variation(&self.tree, depth, value, first, limits);
        G::written(&self.position, &variation)
    }

    fn evaluate(&self) -> Value {
        self.tree.evaluate(&self.tree.root())
    }

    fn explain(&self) -> Vec<(&'static str, Value)> {
        G::explain(&self.evaluator, &self.position)
    }

    fn show(&self, moves: &[String]) -> Vec<String> {
        show::<G>(&self.position, moves)
    }
}

/// Moves one after the other from a position, as people write them, up to the first illegal one.
pub(super) fn show<G: Game>(position: &G::Position, moves: &[String]) -> Vec<String> {
    let mut line = GameLine::<G>::new(position.clone());
    for text in moves {
        match G::read_move(line.position(), text) {
            Ok(mv) => line.play(mv),
            Err(_) => break,
        };
    }
    line.shown()
}
