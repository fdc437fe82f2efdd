//! An engine that plays, without the game's types.

use std::ops::Deref;
use std::time::Duration;

use super::AnyLine;
use super::line::typed;
use crate::game::{Game, GameError};
use crate::profile::Profile;
use crate::session::{MoveChoice, Session, ThinkOutcome, ThinkProgress, ThinkReport, ThinkRequest};
use plyground_core::memory::OutOfMemory;
use plyground_core::value::Value;
use plyground_search::play::PlaySwitches;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, SearchError};

/// An engine that plays: a game in progress, and the engine that thinks about its next move. Moves
/// are text, as programs write them. [`Session`] is the typed form.
pub trait Player: Send {
    /// The engine.
    fn profile(&self) -> &Profile;
    /// The game so far.
    fn line(&self) -> &dyn AnyLine;
    /// Continues from the end of this game.
    fn set_line(&mut self, line: &dyn AnyLine) -> Result<(), GameError>;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), GameError>;
    /// Takes the last move back; `None` if there is none.
    fn undo(&mut self) -> Option<String>;
    /// Plays the move that was taken back last once more; `None` if there is none.
    fn redo(&mut self) -> Option<String>;

    /// Thinks about the next move, and reports every line that it finds. The outcome always has a
    /// move if the game is not over, however short the time.
    fn think(
        &mut self,
        request: &ThinkRequest<String>,
        on_report: &mut dyn FnMut(&TextReport<'_>),
    ) -> ThinkOutcome<String>;
    /// Variety for the next move: in the opening, one of several nearly equal moves, as the seed has
    /// it. `None` later in the game, and for engines that do not play selectively.
    fn variety(&self, seed: u64) -> Option<MoveChoice>;
    /// The evaluation of the position for the side to move, and its terms.
    fn explain(&self) -> (Value, Vec<(String, Value)>);
    /// Forgets everything that searches have learnt.
    fn clear(&mut self);
    /// How much of the table the last search has filled, in thousandths.
    fn permille_full(&self) -> u32;

    /// Sets the algorithm: in selective play with these switches, or as in the laboratory. If there is no
    /// memory for its threads, the old one stays.
    fn set_algorithm(
        &mut self,
        algorithm: Algorithm,
        play: Option<PlaySwitches>,
    ) -> Result<(), SearchError>;
    /// Replaces the table by an empty one of this size. If there is no memory for it, the old one stays.
    fn resize(&mut self, size: TableSize) -> Result<(), OutOfMemory>;
    /// Sets the number of threads: from 1 to [`MAX_THREADS`](crate::profile::MAX_THREADS).
    fn set_threads(&mut self, threads: usize);
    /// Sets the move overhead: the time that a move takes to reach its receiver.
    fn set_overhead(&mut self, overhead: Duration);
}

/// A sequence of moves that is turned into text only on demand: reports are frequent.
pub trait MoveTexts {
    /// How many moves there are.
    fn count(&self) -> usize;
    /// The first move as programs write it.
    fn first(&self) -> Option<String>;
    /// All moves as programs write them.
    fn written(&self) -> Vec<String>;
    /// All moves as people write them.
    fn shown(&self) -> Vec<String>;
}

/// A report of a search in progress. [`ThinkReport`] is the typed form.
#[derive(Clone, Copy)]
pub struct TextReport<'a> {
    /// How far the search has come.
    pub progress: ThinkProgress,
    /// The moves of the line.
    pub line: &'a dyn MoveTexts,
}

impl Deref for TextReport<'_> {
    type Target = ThinkProgress;

    fn deref(&self) -> &ThinkProgress {
        &self.progress
    }
}

/// A sequence of moves from a position.
struct MovesFrom<'a, G: Game> {
    position: &'a G::Position,
    moves: &'a [G::Move],
}

impl<G: Game> MoveTexts for MovesFrom<'_, G> {
    fn count(&self) -> usize {
        self.moves.len()
    }

    fn first(&self) -> Option<String> {
        self.moves.first().map(|&mv| G::move_text(self.position, mv))
    }

    fn written(&self) -> Vec<String> {
        G::written(self.position, self.moves)
    }

    fn shown(&self) -> Vec<String> {
        G::shown(self.position, self.moves)
    }
}

impl<G: Game> Player for Session<G> {
    fn profile(&self) -> &Profile {
        Session::profile(self)
    }

    fn line(&self) -> &dyn AnyLine {
        Session::line(self)
    }

    fn set_line(&mut self, line: &dyn AnyLine) -> Result<(), GameError> {
        let line = typed::<G>(line)?.clone();
        Session::set_line(self, line);
        Ok(())
    }

    fn play(&mut self, mv: &str) -> Result<(), GameError> {
        let mv = G::read_move(self.position(), mv)?;
        Session::play(self, mv);
        Ok(())
    }

    fn undo(&mut self) -> Option<String> {
        let mv = Session::undo(self)?;
        Some(G::move_text(self.position(), mv))
    }

    fn redo(&mut self) -> Option<String> {
        let before = self.position().clone();
        let mv = Session::redo(self)?;
        Some(G::move_text(&before, mv))
    }

    fn think(
        &mut self,
        request: &ThinkRequest<String>,
        on_report: &mut dyn FnMut(&TextReport<'_>),
    ) -> ThinkOutcome<String> {
        let position = self.position().clone();
        let read = |text: &String| G::read_move(&position, text).ok();
        let request = ThinkRequest {
            limits: request.limits.clone(),
            stop: request.stop.clone(),
            asked: request.asked,
            ponder_hit: request.ponder_hit.clone(),
            moves: request.moves.iter().filter_map(read).collect(),
            lines: request.lines,
            choice: request.choice,
            book: request.book,
        };
        let mut forward = |report: &ThinkReport<'_, G::Move>| {
            let line = MovesFrom::<G> { position: &position, moves: report.line };
            on_report(&TextReport { progress: report.progress, line: &line });
        };
        let outcome = Session::think(self, &request, &mut forward);
        let line = G::written(&position, &outcome.line);
        ThinkOutcome {
            best: outcome.best.map(|mv| G::move_text(&position, mv)),
            ponder: line.get(1).cloned(),
            value: outcome.value,
            bound: outcome.bound,
            depth: outcome.depth,
            deepest: outcome.deepest,
            nodes: outcome.nodes,
            time: outcome.time,
            failure: outcome.failure,
            line,
        }
    }

    fn variety(&self, seed: u64) -> Option<MoveChoice> {
        Session::variety(self, seed)
    }

    fn explain(&self) -> (Value, Vec<(String, Value)>) {
        let tree = G::from_position(self.position(), self.evaluator().clone());
        let terms = G::explain(self.evaluator(), self.position());
        (tree.evaluate(&tree.root()), terms)
    }

    fn clear(&mut self) {
        Session::clear(self);
    }

    fn permille_full(&self) -> u32 {
        Session::permille_full(self)
    }

    fn set_algorithm(
        &mut self,
        algorithm: Algorithm,
        play: Option<PlaySwitches>,
    ) -> Result<(), SearchError> {
        Session::set_algorithm(self, algorithm, play)
    }

    fn resize(&mut self, size: TableSize) -> Result<(), OutOfMemory> {
        Session::resize(self, size)
    }

    fn set_threads(&mut self, threads: usize) {
        Session::set_threads(self, threads);
    }

    fn set_overhead(&mut self, overhead: Duration) {
        Session::set_overhead(self, overhead);
    }
}
