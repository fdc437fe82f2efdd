//! Games: trees whose positions, moves and values people can write and read.
//!
//! [`Game`] is what front ends and experiments need beside the tree. It asks for little (a name, text
//! of positions and moves, a drawing) and has a default for everything else; front ends never see
//! it, they work through the game's [door](crate::door).

mod chess;
mod chess_texts;
mod diagram;
mod error;
mod line;
mod name;
mod othello;
mod othello_texts;
mod plain;

pub use diagram::{Diagram, DiagramPiece, Surface};
pub use error::GameError;
pub use line::{GameLine, Heading, Remark, SavedGame, Seat, Verdict};
pub use name::{GameName, GameTask, ParseGameError};

use std::fmt;
use std::time::Duration;

use crate::door::{AnyGame, Door};
use plyground_core::limits::Limits;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::Value;
use plyground_search::play::{PlayControl, PlayHistory, PlayOutcome, PlayRequest};
use plyground_search::table::TranspositionTable;
use plyground_search::{MemoryLock, Outcome, SearchSpec, Watcher, Workspace, search_in};

/// A position of a suite, with what is known of it.
#[derive(Clone, Debug)]
pub struct SuiteProblem<G: Game> {
    /// The position.
    pub position: G::Position,
    /// What the suite calls it; empty if it has no name.
    pub name: String,
    /// The moves that solve it; empty if none is known.
    pub best: Vec<G::Move>,
    /// Moves that do not.
    pub avoid: Vec<G::Move>,
}

impl<G: Game> SuiteProblem<G> {
    /// Does this move solve it? Always, if nothing is known.
    pub fn is_solved_by(&self, mv: G::Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Is anything known?
    pub fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// An ending that was played out: exact, to the last move.
#[derive(Clone, Debug)]
pub struct Ending<M> {
    /// What it is worth to the side to move.
    pub value: Value,
    /// Best play to the end of the game.
    pub line: Vec<M>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Plays games out to their end, and remembers from one move to the next.
pub trait EndgameSolver<G: Game>: Send {
    /// How long it takes, as a rule, to play the game out from here; `None` if that is hopeless, or
    /// the game is over.
    fn expected_time(&self, position: &G::Position) -> Option<Duration>;
    /// Plays the game out on so many threads; `None` if the limits end it before.
    fn solve(
        &mut self,
        position: &G::Position,
        limits: &Limits,
        threads: usize,
    ) -> Option<Ending<G::Move>>;
}

/// The depths that experiments go to where nobody says how deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentDepths {
    /// A comparison of all algorithms on several positions.
    pub compare: u32,
    /// The same on one position, for somebody who waits.
    pub quick: u32,
    /// Algorithms that keep lists, at the deepest.
    pub lists: u32,
    /// Algorithms with a table, at the deepest.
    pub table: u32,
    /// The strongest engine as it plays.
    pub bench: u32,
}

/// How a game [plays selectively](plyground_search::play): the search that looks deeper where it
/// matters and leaves out what hardly can. `plyground_search::play::think` is one for every tree
/// that has what it asks for.
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
/// What has no default is all that a new game must bring besides its [tree](GameTree). Whoever
/// registers it with [`Games`](crate::games::Games) then has every command for it.
pub trait Game: GameTree + Send + Sized + 'static {
    /// A position as its text form describes it. `Display` writes what [`Game::position`] reads.
    type Position: Clone + PartialEq + Send + Sync + fmt::Debug + fmt::Display;
    /// What judges positions; `()` if there is nothing to set.
    type Evaluator: Clone + Default + Send + Sync;

    /// The game's name, in small letters: what is typed after `plyground play`.
    const NAME: &'static str;

    /// The tree from `position` on.
    fn from_position(position: &Self::Position, evaluator: Self::Evaluator) -> Self;
    /// A position as people type it; the start for an empty text.
    fn position(text: &str) -> Result<Self::Position, GameError>;
    /// The position after a move; `None` if the move is against the rules.
    fn played(position: &Self::Position, mv: Self::Move) -> Option<Self::Position>;
    /// Whose move it is.
    fn mover(position: &Self::Position) -> Seat;
    /// A move as programs write it.
    fn move_text(position: &Self::Position, mv: Self::Move) -> String;
    /// The position as a picture of several lines.
    fn picture(position: &Self::Position) -> String;

    // Everything below has a default.

    /// The sides' names, in the order of [`Seat::ALL`].
    const SIDES: [&'static str; 2] = ["first", "second"];
    /// How the names of files end that hold games: the first. The others hold positions.
    const EXTENSIONS: &'static [&'static str] = &["game", "position"];
    /// Positions for experiments, as [`Game::suite`] reads them; without any, the start.
    const EXPERIMENTS: &'static str = "";
    /// Openings for matches, as [`Game::openings`] reads them; without any, the start.
    const OPENINGS: &'static str = "";
    /// The engines that come with the game: names and the texts of their files, the strongest first.
    /// Without any, the game has one of its own name: PVS with a table.
    const ENGINES: &'static [(&'static str, &'static str)] = &[];
    /// How deep experiments go.
    const DEPTHS: ExperimentDepths =
        ExperimentDepths { compare: 4, quick: 3, lists: 5, table: 6, bench: 8 };
    /// Half the width of an aspiration window, in the values of the evaluation.
    const ASPIRATION: u32 = 50;
    /// The deepest search that can be asked for, in plies: the longest game, where there is one.
    const DEEPEST: u32 = 120;

    /// The door to the game. A game in a library of its own repeats this line in its `impl`: the
    /// searches are then compiled there, and not again in every program that has the game.
    fn door() -> &'static dyn AnyGame {
        const { &Door::<Self>::NEW }
    }
    /// A search of the laboratory. A game in a library repeats this line too.
    fn search(
        tree: &Self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<Self::Move>, MemoryLock> {
        search_in(workspace, tree, spec, watch)
    }
    /// How the game plays selectively; `None` if it plays by the laboratory's searches.
    fn selective() -> Option<SelectiveThink<Self>> {
        None
    }
    /// What plays endings out, if somebody can.
    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }

    /// The evaluator that a file describes.
    fn evaluator(_text: &str) -> Result<Self::Evaluator, GameError> {
        Err(GameError::Evaluator(format!("{} has none that a file could describe", Self::NAME)))
    }
    /// The file that describes the evaluator that is built in; empty if there is none.
    fn standard_weights() -> &'static str {
        ""
    }
    /// The terms of the evaluation, for the side to move.
    fn explain(
        _evaluator: &Self::Evaluator,
        _position: &Self::Position,
    ) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
    /// A value in the game's unit.
    fn value_text(value: Value) -> String {
        format!("{value:+}")
    }

    /// Is a text plainly a position of this game and of no other?
    fn recognises(_text: &str) -> bool {
        false
    }
    /// The legal moves, in the order of first sight.
    fn legal_moves(position: &Self::Position) -> Vec<Self::Move> {
        let tree = Self::from_position(position, Self::Evaluator::default());
        let mut moves = Self::Moves::default();
        tree.moves(&tree.root(), &mut moves);
        (0..moves.len()).map(|place| moves.at(place)).collect()
    }
    /// A legal move as programs write it.
    fn read_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError> {
        let mut moves = Self::legal_moves(position).into_iter();
        let found =
            moves.find(|&mv| Self::move_text(position, mv).eq_ignore_ascii_case(text.trim()));
        let reason = "not a legal move here";
        found.ok_or_else(|| GameError::Move { found: text.into(), reason })
    }
    /// A legal move as people type it.
    fn typed_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError> {
        Self::read_move(position, text)
    }
    /// The move of a side that has none but whose game goes on; `None` if it has a choice, or the
    /// game is over.
    fn forced_pass(_position: &Self::Position) -> Option<Self::Move> {
        None
    }
    /// How the game ended that went through these positions; `None` if it goes on. By default a game
    /// ends where there is no move, and whoever the evaluation is for has won.
    fn verdict(positions: &[Self::Position]) -> Option<Verdict> {
        plain::verdict::<Self>(positions)
    }

    /// A game as a file keeps it; by default in a line.
    fn save(line: &GameLine<Self>, heading: &Heading) -> String {
        plain::save(line, heading)
    }
    /// A position as a file keeps it whose name ends so.
    fn save_position(position: &Self::Position, _extension: &str) -> String {
        format!("{position}\n")
    }
    /// The games of a file in any of the formats that the game is kept in, at least one; a position
    /// is a game in which nothing has been played yet.
    fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Self>>>, GameError> {
        plain::games(text)
    }
    /// The same without what the file says besides the moves.
    fn load(text: &str) -> Result<Vec<GameLine<Self>>, GameError> {
        Ok(Self::games(text)?.into_iter().map(|game| game.line).collect())
    }
    /// The openings of a file: games to be played on, at least one.
    fn openings(text: &str) -> Result<Vec<GameLine<Self>>, GameError> {
        Self::load(text)
    }
    /// The positions of a suite; by default one a line, and its name after `#`.
    fn suite(text: &str) -> Result<Vec<SuiteProblem<Self>>, GameError> {
        plain::suite(text)
    }

    /// The board that a game has come to, to be drawn square by square; `None` if the
    /// [picture](Game::picture) is all there is.
    fn diagram(_line: &GameLine<Self>) -> Option<Diagram> {
        None
    }
    /// Moves one after the other from a position, as programs write them.
    fn written(position: &Self::Position, moves: &[Self::Move]) -> Vec<String> {
        plain::written::<Self>(position, moves)
    }
    /// The same as people write them.
    fn shown(position: &Self::Position, moves: &[Self::Move]) -> Vec<String> {
        Self::written(position, moves)
    }
    /// The moves of a game with their numbers, as people write them; by default every move has one.
    fn numbered(line: &GameLine<Self>) -> Vec<String> {
        let numbered = |(place, text): (usize, String)| format!("{}.{text}", place + 1);
        line.shown().into_iter().enumerate().map(numbered).collect()
    }

    /// How many positions the rules lead to in so many plies.
    fn perft(position: &Self::Position, depth: u32) -> u64 {
        let tree = Self::from_position(position, Self::Evaluator::default());
        plain::perft(&tree, &tree.root(), depth)
    }
    /// The same below each move; `depth` is at least 1.
    fn divide(position: &Self::Position, depth: u32) -> Vec<(Self::Move, u64)> {
        let below = |mv| {
            let next = Self::played(position, mv)?;
            Some((mv, Self::perft(&next, depth.saturating_sub(1))))
        };
        Self::legal_moves(position).into_iter().filter_map(below).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::value::MATE;
    use plyground_games::chess::{self, Chess};
    use plyground_games::othello::{self, Othello};

    #[test]
    fn names_read_back() {
        for game in GameName::ALL {
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        let message = "go".parse::<GameName>().unwrap_err().to_string();
        assert_eq!(message, "`go` is no game; expected othello or chess");
    }

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
