//! A position to search in the laboratory, without the game's types.

use crate::game::{Game, GameLine};
use plyground_core::limits::Limits;
use plyground_core::memory::OutOfMemory;
use plyground_core::value::Value;
use plyground_search::mate::{MateOutcome, MateSpec};
use plyground_search::{
    MinimalTree, Outcome, SearchError, SearchSpec, Watcher, Workspace, minimal_tree,
    principal_variation,
};

/// A position to search, without the game's types. Moves are text, as programs write them.
pub trait AnyTree: Send + Sync {
    /// The position.
    fn position(&self) -> String;
    /// Searches it as `spec` says. Successive searches can share a workspace.
    fn search(
        &self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<String>, SearchError>;
    /// Best play of both sides to the horizon, given the exact `value` and, if it is known, a
    /// `first` move that keeps it. It ends early if a limit is reached.
    fn principal_variation(
        &self,
        depth: u32,
        value: Value,
        first: Option<&str>,
        limits: &Limits,
    ) -> Vec<String>;
    /// The left-first minimal tree that proves the exact `value` to this depth; `None` if a limit is
    /// reached first.
    fn minimal_tree(&self, depth: u32, value: Value, limits: &Limits) -> Option<MinimalTree>;
    /// Looks for a mate that the side to move can force; `None` if the game knows no mates.
    fn find_mate(&self, spec: &MateSpec) -> Option<Result<MateOutcome<String>, OutOfMemory>>;
    /// The evaluation of the position for the side to move.
    fn evaluate(&self) -> Value;
    /// The terms of the evaluation.
    fn explain(&self) -> Vec<(String, Value)>;
    /// A sequence of moves from the position, given as programs write them, as people write them;
    /// from the first illegal move on they are left out.
    fn show(&self, moves: &[String]) -> Vec<String>;
}

/// A position with its tree: [`AnyTree`] for the typed [`Game`].
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
    ) -> Result<Outcome<String>, SearchError> {
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

    fn minimal_tree(&self, depth: u32, value: Value, limits: &Limits) -> Option<MinimalTree> {
        minimal_tree(&self.tree, depth, value, limits)
    }

    fn find_mate(&self, spec: &MateSpec) -> Option<Result<MateOutcome<String>, OutOfMemory>> {
        let found = G::find_mate(&self.tree, spec)?;
        Some(found.map(|outcome| outcome.map(|line| G::written(&self.position, &line))))
    }

    fn evaluate(&self) -> Value {
        self.tree.evaluate(&self.tree.root())
    }

    fn explain(&self) -> Vec<(String, Value)> {
        G::explain(&self.evaluator, &self.position)
    }

    fn show(&self, moves: &[String]) -> Vec<String> {
        show::<G>(&self.position, moves)
    }
}

/// A sequence of moves from a position, as people write them, up to the first illegal one.
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
