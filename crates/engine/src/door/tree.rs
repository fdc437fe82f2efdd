//! A position to be searched in the laboratory, its moves as text.

use super::widths::Widths;
use crate::game::{Game, GameLine};
use plyground_core::limits::Limits;
use plyground_core::tree::GameTree;
use plyground_core::value::Value;
use plyground_search::{
    Algorithm, Iteration, MemoryLock, Options, Outcome, Paths, Unwatched, principal_variation,
};

/// What is counted of a search beyond what every search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Nothing: for times.
    Nothing,
    /// Distinct paths: leaves and interior nodes that were seen before do not count again.
    Paths,
    /// The moves of the nodes that were expanded, for the mean width of the tree.
    Widths,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Searched<M> {
    /// The outcome.
    pub outcome: Outcome<M>,
    /// The mean width of the tree, if [widths](Count::Widths) were counted and every node told its own.
    pub width: Option<f64>,
}

/// A search of any tree. All of the laboratory is compiled for a tree where this is.
pub(crate) fn search<T: GameTree>(
    tree: &T,
    algorithm: &Algorithm,
    options: &Options,
    count: Count,
) -> Result<Searched<T::Move>, MemoryLock> {
    use plyground_search::search;
    let (outcome, width) = match count {
        Count::Nothing => (search(tree, algorithm, options, Unwatched)?.0, None),
        Count::Paths => (search(tree, algorithm, options, Paths::new())?.0, None),
        Count::Widths => {
            let (outcome, widths) = search(tree, algorithm, options, Widths::default())?;
            (outcome, widths.mean())
        }
    };
    Ok(Searched { outcome, width })
}

/// A position to be searched. Moves are as programs write them.
pub trait AnyTree: Send + Sync {
    /// The position.
    fn position(&self) -> String;
    /// Searches it.
    fn search(
        &self,
        algorithm: &Algorithm,
        options: &Options,
        count: Count,
    ) -> Result<Searched<String>, MemoryLock>;
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
        algorithm: &Algorithm,
        options: &Options,
        count: Count,
    ) -> Result<Searched<String>, MemoryLock> {
        let Searched { outcome, width } = G::search(&self.tree, algorithm, options, count)?;
        let text = |mv| G::move_text(&self.position, mv);
        Ok(Searched { outcome: written(outcome, &text), width })
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

/// The outcome with its moves, all of them of the root, as text.
fn written<M>(outcome: Outcome<M>, text: &dyn Fn(M) -> String) -> Outcome<String> {
    let Outcome {
        value,
        bounds,
        best,
        stopped,
        depth,
        counts,
        time,
        idle,
        peak_process,
        terminal_count,
        iterations,
    } = outcome;
    let iteration = |iteration: Iteration<M>| {
        let Iteration { depth, value, best, visits, time } = iteration;
        Iteration { depth, value, best: best.map(text), visits, time }
    };
    Outcome {
        value,
        bounds,
        best: best.map(text),
        stopped,
        depth,
        counts,
        time,
        idle,
        peak_process,
        terminal_count,
        iterations: iterations.into_iter().map(iteration).collect(),
    }
}
