//! Games: trees whose positions, moves and values people can write and read.
//!
//! [`Game`] is what front ends and experiments need besides the tree. It asks for little (a name,
//! text of positions and moves, a drawing) and has a default for everything else. Front ends do not
//! use it directly: they work through the game's [door](crate::door).

mod chess;
mod chess_texts;
mod diagram;
mod error;
mod line;
mod othello;
mod othello_texts;
mod plain;

pub use diagram::{Diagram, DiagramPiece, Surface};
pub use error::GameError;
pub use line::{GameLine, Heading, MoveAnnotation, Remark, SavedGame, Seat, Verdict};

use std::fmt;
use std::time::Duration;

use crate::door::{AnyGame, Door};
#[cfg(doc)]
use crate::profile::Weights;
use plyground_core::limits::Limits;
use plyground_core::memory::OutOfMemory;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::Value;
use plyground_search::mate::{MateOutcome, MateSpec};
use plyground_search::play::{PlayControl, PlayHistory, PlayOutcome, PlayRequest};
use plyground_search::table::TranspositionTable;
use plyground_search::{Outcome, SearchError, SearchSpec, Watcher, Workspace, search_in};

/// A position of a test suite, with its solution as far as it is known.
#[derive(Clone, Debug)]
pub struct SuiteProblem<G: Game> {
    /// The position.
    pub position: G::Position,
    /// What the suite calls it; empty if it has no name.
    pub name: String,
    /// The moves that solve it; empty if none is known.
    pub best: Vec<G::Move>,
    /// Moves that do not solve it.
    pub avoid: Vec<G::Move>,
    /// Points for moves, in suites that give points; empty in others.
    pub points: Vec<(G::Move, u32)>,
}

/// A test suite that comes with a game.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInSuite {
    /// The name, as typed after `plyground suite`.
    pub name: &'static str,
    /// Other names that people know it by.
    pub aliases: &'static [&'static str],
    /// What it tests, in a line.
    pub about: &'static str,
    /// Where the positions and their solutions come from, in a line.
    pub source: &'static str,
    /// The positions, as [`Game::suite`] reads them.
    pub text: &'static str,
}

impl<G: Game> SuiteProblem<G> {
    /// Does this move solve it? Every move does, if no solution is known.
    pub fn is_solved_by(&self, mv: G::Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Is a solution known?
    pub fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// An ending that an [`EndgameSolver`] has solved exactly.
#[derive(Clone, Debug)]
pub struct Ending<M> {
    /// What it is worth to the side to move.
    pub value: Value,
    /// Best play to the end of the game.
    pub line: Vec<M>,
    /// How many positions the solver searched.
    pub nodes: u64,
}

/// Solves endings exactly, by searching to the end of the game. It may keep what it has found from
/// one move to the next.
pub trait EndgameSolver<G: Game>: Send {
    /// How long it usually takes to solve this position; `None` if it would take far too long, or
    /// the game is over.
    fn expected_time(&self, position: &G::Position) -> Option<Duration>;
    /// At most how many moves are left in the game.
    fn moves_left(&self, position: &G::Position) -> u32;
    /// Solves the position with this many threads; `None` if a limit is reached before.
    fn solve(
        &mut self,
        position: &G::Position,
        limits: &Limits,
        threads: usize,
    ) -> Option<Ending<G::Move>>;
}

/// An evaluator that comes with a game.
pub struct BuiltInEvaluator<E> {
    /// The name that engine files use.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its file of weights.
    pub file: &'static [u8],
    /// Makes it. It is asked for at every position of an experiment, so it should be read once.
    pub make: fn() -> E,
}

/// The default depths of experiments, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentDepths {
    /// For the first look at the main algorithms, which takes about a minute.
    pub overview: u32,
    /// For a comparison of all algorithms on several positions.
    pub compare: u32,
    /// For the same on one position, while a user waits.
    pub quick: u32,
    /// The greatest depth for algorithms that keep lists.
    pub lists: u32,
    /// The greatest depth for algorithms with a table.
    pub table: u32,
    /// For the benchmark of the strongest engine.
    pub bench: u32,
}

/// What a search for a mate found, or the memory that it could not have.
pub type FoundMate<G> = Result<MateOutcome<<G as GameTree>::Move>, OutOfMemory>;

/// A [selective search](plyground_search::play): it looks deeper where much happens and leaves out
/// what can hardly matter. [`think`](plyground_search::play::think) is one for every tree that
/// implements [`PlayTree`](plyground_core::tree::PlayTree).
pub type SelectiveThink<G> = fn(
    &G,
    &TranspositionTable,
    &PlayHistory,
    usize,
    PlayRequest<'_, <G as GameTree>::Move>,
    &mut dyn PlayControl<<G as GameTree>::Move>,
) -> PlayOutcome<<G as GameTree>::Move>;

/// A game: a tree from any position on, with text in and out.
///
/// A new game implements [`GameTree`] for its rules and evaluation, and the items here that have no
/// default. Registered with [`Games`](crate::games::Games), it then has every command of the
/// program: it can be played, searched by every algorithm, compared, and put into matches.
///
/// ```
/// use std::fmt;
/// use std::ops::RangeInclusive;
///
/// use plyground_core::tree::GameTree;
/// use plyground_core::value::Value;
/// use plyground_engine::game::{Game, GameError, Seat};
/// use plyground_engine::profile::{Profile, Weights};
/// use plyground_engine::session::{GoLimits, ThinkRequest};
/// use plyground_search::{SearchSpec, Workspace};
///
/// /// A heap of stones: a move takes one, two or three of them, and the last stone wins.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Heap {
///     stones: u32,
///     mover: Seat,
/// }
///
/// /// Writes what `position` reads: `7 first`.
/// impl fmt::Display for Heap {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write!(f, "{} {}", self.stones, Nim::SIDES[self.mover.index()])
///     }
/// }
///
/// struct Nim(Heap);
///
/// impl GameTree for Nim {
///     type Node = Heap;
///     type Move = u32;
///     type Moves = Vec<u32>;
///
///     fn root(&self) -> Heap {
///         self.0
///     }
///     fn moves(&self, heap: &Heap, moves: &mut Vec<u32>) {
///         moves.extend(1..=heap.stones.min(3));
///     }
///     fn child(&self, heap: &Heap, taken: u32) -> Heap {
///         Heap { stones: heap.stones - taken, mover: heap.mover.other() }
///     }
///     /// With no stone left, the other side has just taken the last one.
///     fn evaluate(&self, heap: &Heap) -> Value {
///         if heap.stones == 0 { -1 } else { 0 }
///     }
///     fn value_range(&self) -> RangeInclusive<Value> {
///         -1..=1
///     }
///     fn key(&self, heap: &Heap) -> u64 {
///         heap.stones.into()
///     }
///     fn code(&self, taken: u32) -> u16 {
///         taken as u16
///     }
/// }
///
/// impl Game for Nim {
///     type Position = Heap;
///     type Evaluator = ();
///     const NAME: &'static str = "nim";
///
///     fn from_position(heap: &Heap, (): ()) -> Nim {
///         Nim(*heap)
///     }
///     fn position(text: &str) -> Result<Heap, GameError> {
///         let (stones, side) = text.split_once(' ').unwrap_or((text, Nim::SIDES[0]));
///         let stones = if stones.is_empty() { "10" } else { stones };
///         let stones = stones.parse().map_err(|_| GameError::Text("expected stones".into()))?;
///         Ok(Heap { stones, mover: Seat::ALL[usize::from(side == Nim::SIDES[1])] })
///     }
///     fn played(heap: &Heap, taken: u32) -> Option<Heap> {
///         (1..=heap.stones.min(3)).contains(&taken).then(|| Nim(*heap).child(heap, taken))
///     }
///     fn mover(heap: &Heap) -> Seat {
///         heap.mover
///     }
///     fn move_text(_: &Heap, taken: u32) -> String {
///         taken.to_string()
///     }
///     fn picture(heap: &Heap) -> String {
///         "o".repeat(heap.stones as usize) + "\n"
///     }
/// }
///
/// // Any algorithm searches a position: of 7 stones, 3 must be taken.
/// let nim = Nim::door();
/// let tree = nim.tree("7 first", &Weights::Standard)?;
/// let spec = SearchSpec::new(&"alpha-beta".parse()?, 7);
/// let outcome = tree.search(&mut Workspace::new(), &spec, None)?;
/// assert_eq!((outcome.value, outcome.best.as_deref()), (Some(1), Some("3")));
///
/// // And an engine plays it.
/// let mut player = nim.player(Profile::standard(nim)?)?;
/// player.set_line(&*nim.start("7 first")?)?;
/// let limits = GoLimits { depth: Some(7), ..GoLimits::default() };
/// let outcome = player.think(&ThinkRequest::on(limits), &mut |_| {});
/// assert_eq!(outcome.best.as_deref(), Some("3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: GameTree + Send + Sized + 'static {
    /// A position with everything that its text says, which may be more than the search needs.
    /// `Display` writes what [`Game::position`] reads.
    type Position: Clone + PartialEq + Send + Sync + fmt::Debug + fmt::Display;
    /// What judges positions, as weights that a file can set; `()` if there is nothing to set.
    type Evaluator: Clone + Default + Send + Sync;

    /// The game's name in small letters, as typed after `plyground play`.
    const NAME: &'static str;

    /// The tree from `position` on.
    fn from_position(position: &Self::Position, evaluator: Self::Evaluator) -> Self;
    /// Reads a position as people type it; an empty text is the start of the game.
    fn position(text: &str) -> Result<Self::Position, GameError>;
    /// The position after a move; `None` if the move is against the rules.
    fn played(position: &Self::Position, mv: Self::Move) -> Option<Self::Position>;
    /// The side to move.
    fn mover(position: &Self::Position) -> Seat;
    /// A move as programs write it: one word, different for every move of a position.
    fn move_text(position: &Self::Position, mv: Self::Move) -> String;
    /// The position as a picture of several lines.
    fn picture(position: &Self::Position) -> String;

    // Everything below has a default.

    /// Other names that people know the game by.
    const ALIASES: &'static [&'static str] = &[];
    /// The sides' names, in the order of [`Seat::ALL`].
    const SIDES: [&'static str; 2] = ["first", "second"];
    /// The extensions of the game's files: the first for games, the others for positions.
    const EXTENSIONS: &'static [&'static str] = &["game", "position"];
    /// Positions for experiments, as [`Game::suite`] reads them; if empty, the start.
    const EXPERIMENTS: &'static str = "";
    /// Test suites: positions with solutions, by name.
    const SUITES: &'static [BuiltInSuite] = &[];
    /// Openings for matches, as [`Game::openings`] reads them; if empty, the start.
    const OPENINGS: &'static str = "";
    /// The engines that come with the game: names and the texts of their files, the strongest
    /// first. If there are none, the game has an engine of its own name: PVS with a table.
    const ENGINES: &'static [(&'static str, &'static str)] = &[];
    /// The levels of play, as [`Levels`](crate::levels::Levels) reads them; by default levels that
    /// differ by depth alone.
    const LEVELS: &'static str = include_str!("../../../engines/levels/any.toml");
    /// Positions for experiments that nothing may be tuned on, as a test suite; may be empty.
    const HOLD_OUT: &'static str = "";
    /// The default depths of experiments.
    const DEPTHS: ExperimentDepths =
        ExperimentDepths { overview: 5, compare: 4, quick: 3, lists: 5, table: 6, bench: 8 };
    /// Half the width of an aspiration window, in the unit of the evaluation.
    const ASPIRATION: u32 = 50;
    /// The deepest search that can be asked for, in plies: the length of the longest game, if games
    /// have a greatest length.
    const DEEPEST: u32 = 120;

    /// The processor instructions that the game's code uses on this machine, by their usual name.
    fn instructions() -> &'static str {
        "portable"
    }

    /// The door to the game. A game in a library of its own repeats this line in its `impl`: the
    /// searches are then compiled there, and not again in every program that has the game.
    fn door() -> &'static dyn AnyGame {
        const { &Door::<Self>::NEW }
    }
    /// Searches a tree by an algorithm of the laboratory. A game in a library repeats this line
    /// too.
    fn search(
        tree: &Self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<Self::Move>, SearchError> {
        search_in(workspace, tree, spec, watch)
    }
    /// Looks for a mate that the side to move can force; `None` if the game knows no
    /// [mates](GameTree::MATES). A game that does returns `Some(find_mate(tree, spec))`.
    fn find_mate(_tree: &Self, _spec: &MateSpec) -> Option<FoundMate<Self>> {
        None
    }
    /// The game's selective search; `None` if it plays by the laboratory's searches.
    fn selective() -> Option<SelectiveThink<Self>> {
        None
    }
    /// What solves endings exactly; `None` if the game has no solver.
    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }

    /// The evaluators that come with the game, the [standard](Weights::Standard) one first.
    const EVALUATORS: &'static [BuiltInEvaluator<Self::Evaluator>] = &[];
    /// Reads the evaluator that a file of weights describes.
    fn evaluator(_file: &[u8]) -> Result<Self::Evaluator, GameError> {
        Err(GameError::Evaluator(format!("{} has none that a file could describe", Self::NAME)))
    }
    /// The game's opening book, as [`Book`](crate::book::Book) reads it; empty if it has none.
    const BOOK: &'static [u8] = &[];
    /// The key of a position in opening books. It must stay the same from version to version.
    fn book_key(position: &Self::Position) -> u64 {
        let tree = Self::from_position(position, Self::Evaluator::default());
        tree.key(&tree.root())
    }
    /// The number of a move in opening books, different for every move of a position.
    fn book_code(position: &Self::Position, mv: Self::Move) -> u16 {
        Self::from_position(position, Self::Evaluator::default()).code(mv)
    }
    /// The terms of the evaluation with their values for the side to move.
    fn explain(_evaluator: &Self::Evaluator, _position: &Self::Position) -> Vec<(String, Value)> {
        Vec::new()
    }
    /// A value as people read it, in the game's unit.
    fn value_text(value: Value) -> String {
        format!("{value:+}")
    }

    /// Is a text clearly a position of this game and of no other?
    fn recognises(_text: &str) -> bool {
        false
    }
    /// The legal moves, in the order of the tree.
    fn legal_moves(position: &Self::Position) -> Vec<Self::Move> {
        let tree = Self::from_position(position, Self::Evaluator::default());
        let mut moves = Self::Moves::default();
        tree.moves(&tree.root(), &mut moves);
        (0..moves.len()).map(|place| moves.at(place)).collect()
    }
    /// Reads a legal move as programs write it.
    fn read_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError> {
        let mut moves = Self::legal_moves(position).into_iter();
        let found =
            moves.find(|&mv| Self::move_text(position, mv).eq_ignore_ascii_case(text.trim()));
        let reason = "not a legal move here";
        found.ok_or_else(|| GameError::Move { found: text.into(), reason })
    }
    /// Reads a legal move as people type it.
    fn typed_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError> {
        Self::read_move(position, text)
    }
    /// Why a text is no legal move here, in words for somebody who learns the rules; `None` if there
    /// is nothing to say but that it is not legal.
    fn why_illegal(_position: &Self::Position, _text: &str) -> Option<String> {
        None
    }
    /// The moves that a text may mean which leaves something out, such as what a pawn becomes: each
    /// with the words that name it, the most likely first. Empty if the text leaves nothing out.
    fn open_choices(_position: &Self::Position, _text: &str) -> Vec<(Vec<String>, Self::Move)> {
        Vec::new()
    }
    /// What should be said about the result besides the result: why the points are as they are.
    fn result_note(_position: &Self::Position) -> Option<String> {
        None
    }
    /// The pass that the side to move must make, where no other move is legal but the game is not
    /// over; `None` if it need not pass.
    fn forced_pass(_position: &Self::Position) -> Option<Self::Move> {
        None
    }
    /// The result of the game that went through these positions; `None` if it is not over. By
    /// default a game ends where there is no move, and the evaluation says which side has won.
    fn verdict(positions: &[Self::Position]) -> Option<Verdict> {
        plain::verdict::<Self>(positions)
    }

    /// Writes a game as a file keeps it; by default in one line.
    fn save(line: &GameLine<Self>, heading: &Heading) -> String {
        plain::save(line, heading)
    }
    /// Writes a game as a file keeps it, with what its own file said and with the annotations of its
    /// moves as far as the format can hold them; by default without.
    fn annotated(
        saved: &SavedGame<GameLine<Self>>,
        _annotations: &[Option<MoveAnnotation>],
    ) -> String {
        saved.text.clone().unwrap_or_else(|| Self::save(&saved.line, &Heading::default()))
    }
    /// Writes a position as a file with this extension keeps it.
    fn save_position(position: &Self::Position, _extension: &str) -> String {
        format!("{position}\n")
    }
    /// Reads the games of a file, at least one, in any of the game's formats; a position is a game
    /// without moves.
    fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Self>>>, GameError> {
        plain::games(text)
    }
    /// The parts of a file that hold a game each, as far as they can be told apart without reading
    /// them; by default there is one.
    fn parts(text: &str) -> Vec<&str> {
        vec![text]
    }
    /// The same with nothing but the moves.
    fn load(text: &str) -> Result<Vec<GameLine<Self>>, GameError> {
        Ok(Self::games(text)?.into_iter().map(|game| game.line).collect())
    }
    /// Reads the openings of a file, at least one: games to continue from.
    fn openings(text: &str) -> Result<Vec<GameLine<Self>>, GameError> {
        Self::load(text)
    }
    /// Reads the positions of a suite; by default one in each line, with its name after `#`.
    fn suite(text: &str) -> Result<Vec<SuiteProblem<Self>>, GameError> {
        plain::suite(text)
    }

    /// The current board of a game, for drawing it square by square; `None` if the game has nothing
    /// but a [picture](Game::picture).
    fn diagram(_line: &GameLine<Self>) -> Option<Diagram> {
        None
    }
    /// A sequence of moves from a position, as programs write them.
    fn written(position: &Self::Position, moves: &[Self::Move]) -> Vec<String> {
        plain::written::<Self>(position, moves)
    }
    /// A legal move as a list of moves has it: as people write it, but without saying that it wins.
    fn listed(position: &Self::Position, mv: Self::Move) -> String {
        Self::shown(position, &[mv]).concat()
    }
    /// A sequence of moves from a position, as people write them.
    fn shown(position: &Self::Position, moves: &[Self::Move]) -> Vec<String> {
        Self::written(position, moves)
    }
    /// The moves of a game with their numbers, as people write them; by default every move has one.
    fn numbered(line: &GameLine<Self>) -> Vec<String> {
        let numbered = |(place, text): (usize, String)| format!("{}.{text}", place + 1);
        line.shown().into_iter().enumerate().map(numbered).collect()
    }

    /// How many sequences of `depth` moves the rules allow: the usual test of a move generator.
    fn perft(position: &Self::Position, depth: u32) -> u64 {
        let tree = Self::from_position(position, Self::Evaluator::default());
        plain::perft(&tree, &tree.root(), depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::value::MATE;
    use plyground_games::chess::{self, Chess};
    use plyground_games::othello::{self, Othello};

    #[test]
    fn chess_positions() {
        let start = chess::Board::start();
        assert_eq!(Chess::position("").unwrap(), start);
        assert_eq!(Chess::position("startpos").unwrap(), start);
        assert_eq!(Chess::position(&start.to_string()).unwrap(), start);
        let message = Chess::position("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err().to_string();
        assert!(message.contains("line 1"), "{message}");
    }

    #[test]
    fn boards_and_transcripts() {
        assert_eq!(Othello::position("").unwrap(), othello::Position::start());
        let position = Othello::position("f5d6c3").unwrap();
        assert_eq!(Othello::position("F5 d6C3").unwrap(), position);
        assert_eq!(Othello::position(&position.to_string()).unwrap(), position);
        for (wrong, expected) in
            [("a1", "not a legal move"), ("z9", "line 1"), ("---", "64"), ("f5d6xx", "line 1")]
        {
            let message = Othello::position(wrong).unwrap_err().to_string();
            assert!(message.contains(expected), "{wrong}: {message}");
        }
    }

    #[test]
    fn suites_are_solved_by_their_moves() {
        let suite = Chess::suite(include_str!("../../../positions/bratko-kopec.epd")).unwrap();
        assert_eq!(suite.len(), 24);
        for problem in &suite {
            assert!(problem.has_solution() && !problem.name.is_empty());
            assert!(problem.is_solved_by(problem.best[0]));
        }
        let suite = Othello::suite(include_str!("../../../positions/ffo.obf")).unwrap();
        assert!(suite.iter().all(|p| p.has_solution() && p.is_solved_by(p.best[0])));
        assert!(Chess::suite("nonsense").is_err() && Othello::suite("nonsense").is_err());
        assert_eq!(Othello::suite(Othello::EXPERIMENTS).unwrap().len(), 20);
        assert_eq!(Chess::suite(Chess::EXPERIMENTS).unwrap().len(), 20);
        assert_eq!(Othello::suite(Othello::HOLD_OUT).unwrap().len(), 120);
        assert_eq!(Chess::suite(Chess::HOLD_OUT).unwrap().len(), 120);
    }

    #[test]
    fn values_are_written_in_the_game_s_unit() {
        assert_eq!(Othello::value_text(-308), "-3.08 discs");
        assert_eq!(Chess::value_text(35), "+0.35 pawns");
        assert_eq!(Chess::value_text(MATE - 1), "mate in 1");
        assert_eq!(Chess::value_text(MATE - 5), "mate in 3");
        assert_eq!(Chess::value_text(-MATE + 4), "mated in 2");
    }
}
