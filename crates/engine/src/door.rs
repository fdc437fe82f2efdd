//! The door: every game behind one object-safe trait, without any of the game's types.
//!
//! [`AnyGame`] is implemented once for every [`Game`], so the code above it is compiled once and
//! works with any game. Positions and moves are text there. An [`AnyLine`] is a game in progress,
//! an [`AnyTree`] a position to search in the laboratory, a [`Player`] an engine that plays.
//!
//! ```
//! use plyground_engine::game::Game;
//! use plyground_engine::profile::Profile;
//! use plyground_engine::session::{GoLimits, ThinkRequest};
//! use plyground_games::chess::Chess;
//!
//! let chess = Chess::door();
//! let mut line = chess.start("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
//! let mut player = chess.player(Profile::standard(chess)?)?;
//! player.set_line(&*line)?;
//! let limits = GoLimits { depth: Some(3), ..GoLimits::default() };
//! let outcome = player.think(&ThinkRequest::on(limits), &mut |_| {});
//! let best = outcome.best.ok_or("no move")?;
//! assert_eq!((best.as_str(), line.show(&[best.clone()]).join(" ")), ("d1d8", "Rd8#".into()));
//! line.play(&best)?;
//! assert_eq!(line.verdict().map(|verdict| verdict.text(chess.sides())).as_deref(),
//!            Some("white wins: checkmate"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod line;
mod player;
mod tree;
mod weights;

pub use line::AnyLine;
pub use player::{MoveTexts, Player, TextReport};
pub use tree::AnyTree;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use crate::book::Book;
use crate::game::{
    BuiltInSuite, ExperimentDepths, Game, GameError, GameLine, MoveAnnotation, SavedGame,
    SuiteProblem,
};
use crate::levels::Levels;
use crate::perft::{divide, perft};
use crate::profile::{Profile, STANDARD, Weights};
use crate::session::Session;
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use tree::PositionTree;

/// A position of a test suite, with its solution as far as it is known; moves as programs write
/// them. [`SuiteProblem`] is the typed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextProblem {
    /// The position.
    pub position: String,
    /// What the suite calls it; empty if it has no name.
    pub name: String,
    /// The moves that solve it; empty if none is known.
    pub best: Vec<String>,
    /// Moves that do not solve it.
    pub avoid: Vec<String>,
    /// Points for moves, in suites that give points; empty in others.
    pub points: Vec<(String, u32)>,
}

impl TextProblem {
    /// Does this move solve it? Every move does, if no solution is known.
    pub fn is_solved_by(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|known| known == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }

    /// Is a solution known?
    pub fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }

    /// The points for a move.
    pub fn points_for(&self, mv: &str) -> u32 {
        self.points.iter().find(|(known, _)| known == mv).map_or(0, |(_, points)| *points)
    }

    /// The most points that a move gets; `None` if the suite gives none.
    pub fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    fn of<G: Game>(problem: SuiteProblem<G>) -> TextProblem {
        let SuiteProblem { position, name, best, avoid, points } = problem;
        let points = points.into_iter().map(|(mv, n)| (G::move_text(&position, mv), n)).collect();
        let texts = |moves: Vec<G::Move>| {
            moves.into_iter().map(|mv| G::move_text(&position, mv)).collect::<Vec<_>>()
        };
        let (best, avoid) = (texts(best), texts(avoid));
        TextProblem { name, best, avoid, points, position: position.to_string() }
    }
}

/// A game without its types: positions and moves are text. [`Game`] is the typed form.
///
/// Two games are equal if they have the same name, and they are printed as their names.
pub trait AnyGame: Send + Sync + 'static {
    /// The game's name, as it is typed.
    fn name(&self) -> &'static str;
    /// Other names that people know the game by.
    fn aliases(&self) -> &'static [&'static str];
    /// The sides' names, in the order of [`Seat::ALL`](crate::game::Seat::ALL).
    fn sides(&self) -> [&'static str; 2];
    /// The extensions of the game's files: the first for games, the others for positions.
    fn extensions(&self) -> &'static [&'static str];
    /// The engines that come with the game: names and the texts of their files. May be empty: see
    /// [`Profile::standard`].
    fn engines(&self) -> &'static [(&'static str, &'static str)];
    /// The levels of play.
    fn levels(&self) -> Result<Levels, GameError>;
    /// The default depths of experiments.
    fn depths(&self) -> ExperimentDepths;
    /// Half the width of an aspiration window, in the unit of the evaluation.
    fn aspiration(&self) -> u32;
    /// The deepest search that can be asked for, in plies.
    fn deepest(&self) -> u32;
    /// The processor instructions that the game's code uses on this machine, by their usual name.
    fn instructions(&self) -> &'static str;
    /// Does the game have a selective search? If not, it plays by the laboratory's searches.
    fn is_selective(&self) -> bool;
    /// A value as people read it, in the game's unit.
    fn value_text(&self, value: Value) -> String;

    /// Is a text clearly a position of this game and of no other?
    fn recognises(&self, text: &str) -> bool;
    /// A game that begins at a position as people type it, or at the start if the text is empty.
    fn start(&self, position: &str) -> Result<Box<dyn AnyLine>, GameError>;
    /// Reads the games of a file, at least one; a position is a game without moves.
    fn games(&self, text: &str) -> Result<Vec<SavedGame>, GameError>;
    /// The parts of a file that hold a game each, as far as they can be told apart without reading them:
    /// so that one broken game does not hide the others. Together they are the whole text.
    fn parts<'a>(&self, text: &'a str) -> Vec<&'a str>;
    /// Writes a game with what its own file said and with the annotations of its moves, as far as its
    /// format can hold them.
    fn annotated(
        &self,
        saved: &SavedGame,
        annotations: &[Option<MoveAnnotation>],
    ) -> Result<String, GameError>;
    /// Reads the openings of a file, at least one: games to continue from.
    fn openings(&self, text: &str) -> Result<Vec<Box<dyn AnyLine>>, GameError>;
    /// The openings that come with the game, at least one.
    fn standard_openings(&self) -> Result<Vec<Box<dyn AnyLine>>, GameError>;
    /// The test suites that come with the game; may be empty.
    fn suites(&self) -> &'static [BuiltInSuite];
    /// Reads the positions of a test suite.
    fn suite(&self, text: &str) -> Result<Vec<TextProblem>, GameError>;
    /// The positions for experiments that come with the game, at least one.
    fn experiments(&self) -> Result<Vec<TextProblem>, GameError>;
    /// The positions for experiments that nothing was tuned on, at least one: those of
    /// [`experiments`](AnyGame::experiments) if the game has no hold-out.
    fn hold_out(&self) -> Result<Vec<TextProblem>, GameError>;

    /// How many sequences of `depth` moves the rules allow: the usual test of a move generator. `None`
    /// if the flag was raised.
    fn perft(&self, position: &str, depth: u32, stop: &StopFlag) -> Result<Option<u64>, GameError>;
    /// The same for each first move, as programs write it; `depth` is at least 1. If the flag is
    /// raised, moves are missing at the end.
    fn divide(
        &self,
        position: &str,
        depth: u32,
        stop: &StopFlag,
    ) -> Result<Vec<(String, u64)>, GameError>;

    /// The names of the evaluators that come with the game, the standard one first.
    fn evaluators(&self) -> Vec<&'static str>;
    /// The opening book that comes with the game; `None` if there is none.
    fn book(&self) -> Option<Arc<Book>>;
    /// Checks that a file describes an evaluator.
    fn check_weights(&self, file: &[u8]) -> Result<(), GameError>;
    /// A hash of an evaluator's weights: the same for the same weights in every run and on every
    /// machine, however their file is laid out.
    fn weights_hash(&self, weights: &Weights) -> u64;

    /// A position to search in the laboratory.
    fn tree(&self, position: &str, weights: &Weights) -> Result<Box<dyn AnyTree>, GameError>;
    /// An engine that plays, at the start of a game.
    fn player(&self, profile: Profile) -> Result<Box<dyn Player>, GameError>;
}

impl fmt::Display for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for dyn AnyGame {
    fn eq(&self, other: &dyn AnyGame) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn AnyGame {}

impl Hash for dyn AnyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// The door to a game: [`AnyGame`] for the typed [`Game`].
pub struct Door<G>(PhantomData<fn() -> G>);

impl<G> Door<G> {
    /// The door. It holds no data.
    pub const NEW: Door<G> = Door(PhantomData);
}

fn boxed<G: Game>(lines: Vec<GameLine<G>>) -> Vec<Box<dyn AnyLine>> {
    lines.into_iter().map(|line| Box::new(line) as Box<dyn AnyLine>).collect()
}

impl<G: Game> AnyGame for Door<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn aliases(&self) -> &'static [&'static str] {
        G::ALIASES
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn extensions(&self) -> &'static [&'static str] {
        G::EXTENSIONS
    }

    fn engines(&self) -> &'static [(&'static str, &'static str)] {
        G::ENGINES
    }

    fn levels(&self) -> Result<Levels, GameError> {
        Levels::parse(G::LEVELS)
    }

    fn depths(&self) -> ExperimentDepths {
        G::DEPTHS
    }

    fn aspiration(&self) -> u32 {
        G::ASPIRATION
    }

    fn deepest(&self) -> u32 {
        G::DEEPEST
    }

    fn instructions(&self) -> &'static str {
        G::instructions()
    }

    fn is_selective(&self) -> bool {
        G::selective().is_some()
    }

    fn value_text(&self, value: Value) -> String {
        G::value_text(value)
    }

    fn recognises(&self, text: &str) -> bool {
        G::recognises(text)
    }

    fn start(&self, position: &str) -> Result<Box<dyn AnyLine>, GameError> {
        Ok(Box::new(GameLine::<G>::new(G::position(position)?)))
    }

    fn games(&self, text: &str) -> Result<Vec<SavedGame>, GameError> {
        let erased = |game: SavedGame<GameLine<G>>| SavedGame {
            line: Box::new(game.line) as Box<dyn AnyLine>,
            text: game.text,
            comments: game.comments,
        };
        Ok(G::games(text)?.into_iter().map(erased).collect())
    }

    fn parts<'a>(&self, text: &'a str) -> Vec<&'a str> {
        G::parts(text)
    }

    fn annotated(
        &self,
        saved: &SavedGame,
        annotations: &[Option<MoveAnnotation>],
    ) -> Result<String, GameError> {
        let SavedGame { line, text, comments } = saved;
        let line = line::typed::<G>(&**line)?.clone();
        let saved = SavedGame { line, text: text.clone(), comments: comments.clone() };
        Ok(G::annotated(&saved, annotations))
    }

    fn openings(&self, text: &str) -> Result<Vec<Box<dyn AnyLine>>, GameError> {
        Ok(boxed(G::openings(text)?))
    }

    fn standard_openings(&self) -> Result<Vec<Box<dyn AnyLine>>, GameError> {
        if G::OPENINGS.is_empty() {
            return Ok(vec![self.start("")?]);
        }
        self.openings(G::OPENINGS)
    }

    fn suites(&self) -> &'static [BuiltInSuite] {
        G::SUITES
    }

    fn suite(&self, text: &str) -> Result<Vec<TextProblem>, GameError> {
        Ok(G::suite(text)?.into_iter().map(TextProblem::of).collect())
    }

    fn experiments(&self) -> Result<Vec<TextProblem>, GameError> {
        if G::EXPERIMENTS.is_empty() {
            let position = G::position("")?.to_string();
            let (name, best, avoid, points) = Default::default();
            return Ok(vec![TextProblem { position, name, best, avoid, points }]);
        }
        self.suite(G::EXPERIMENTS)
    }

    fn hold_out(&self) -> Result<Vec<TextProblem>, GameError> {
        if G::HOLD_OUT.is_empty() { self.experiments() } else { self.suite(G::HOLD_OUT) }
    }

    fn perft(&self, position: &str, depth: u32, stop: &StopFlag) -> Result<Option<u64>, GameError> {
        Ok(perft::<G>(&G::position(position)?, depth, stop))
    }

    fn divide(
        &self,
        position: &str,
        depth: u32,
        stop: &StopFlag,
    ) -> Result<Vec<(String, u64)>, GameError> {
        let position = G::position(position)?;
        let text = |(mv, count)| (G::move_text(&position, mv), count);
        Ok(divide::<G>(&position, depth, stop).map(text).collect())
    }

    fn evaluators(&self) -> Vec<&'static str> {
        G::EVALUATORS.iter().map(|built_in| built_in.name).collect()
    }

    fn book(&self) -> Option<Arc<Book>> {
        // A test makes sure that the built-in books can be read.
        let book = Book::from_bytes(G::BOOK).unwrap_or_default();
        (book.positions() > 0).then(|| Arc::new(book))
    }

    fn check_weights(&self, file: &[u8]) -> Result<(), GameError> {
        G::evaluator(file).map(|_| ())
    }

    fn weights_hash(&self, weights: &Weights) -> u64 {
        let of_name = |name: &str| {
            let found = G::EVALUATORS.iter().find(|built_in| built_in.name == name);
            weights::hash(found.map_or(&[], |built_in| built_in.file))
        };
        match weights {
            Weights::Standard => of_name(STANDARD),
            Weights::BuiltIn(name) => of_name(name),
            Weights::File { bytes, .. } => weights::hash(bytes),
        }
    }

    fn tree(&self, position: &str, weights: &Weights) -> Result<Box<dyn AnyTree>, GameError> {
        let position = G::position(position)?;
        Ok(Box::new(PositionTree::<G>::new(position, weights.evaluator::<G>()?)))
    }

    fn player(&self, profile: Profile) -> Result<Box<dyn Player>, GameError> {
        Ok(Box::new(Session::<G>::new(profile)?))
    }
}

#[cfg(test)]
mod tests;
