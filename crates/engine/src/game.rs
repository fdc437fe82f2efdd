//! Games by name: trees whose positions, moves and values people can write and read.
//!
//! [`Game`] is what front ends and experiments need beside the tree; [`GameName::dispatch`] is the
//! door from a name that was typed to code that knows the game.

mod chess_texts;
mod course;
mod diagram;
mod othello_texts;

pub use course::{Course, Heading, Kept, Player, Remark, Verdict};
pub use diagram::{Diagram, Man};

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use plyground_core::limits::Limits;
use plyground_core::tree::PlayTree;
use plyground_core::value::{LEAST_MATE, MATE, Value};
use plyground_games::chess::{self, Chess, parse_epd};
use plyground_games::othello::{self, DISC, Othello, Transcript, parse_obf};
use plyground_games::solver::Solver;

/// The games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameName {
    /// Othello, also known as Reversi.
    Othello,
    /// Chess.
    Chess,
}

/// Something to do with whichever game was named.
pub trait GameTask {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<G: Game>(self) -> Self::Output;
}

impl GameName {
    /// All of them.
    pub const ALL: [GameName; 2] = [GameName::Othello, GameName::Chess];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            GameName::Othello => "othello",
            GameName::Chess => "chess",
        }
    }

    /// Does `task` with the game of this name.
    pub fn dispatch<T: GameTask>(self, task: T) -> T::Output {
        match self {
            GameName::Othello => task.run::<Othello>(),
            GameName::Chess => task.run::<Chess>(),
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text names no game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no game; expected othello or chess")]
pub struct ParseGameError(String);

impl FromStr for GameName {
    type Err = ParseGameError;

    fn from_str(text: &str) -> Result<GameName, ParseGameError> {
        let found = GameName::ALL.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| ParseGameError(text.into()))
    }
}

/// What is wrong with a text about a game, and where.
#[derive(Debug, Error)]
pub enum GameError {
    /// In a text about Othello.
    #[error(transparent)]
    Othello(#[from] othello::TextError),
    /// In a text about chess.
    #[error(transparent)]
    Chess(#[from] chess::TextError),
    /// In a move.
    #[error("`{found}`: {reason}")]
    Move {
        /// What was found.
        found: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// In an evaluator's file.
    #[error("the evaluator: {0}")]
    Evaluator(String),
    /// In a text that says nothing.
    #[error("there is nothing in it; expected {expected}")]
    Nothing {
        /// What was expected.
        expected: &'static str,
    },
}

/// A position of a suite, with what is known of it.
#[derive(Clone, Debug)]
pub struct Problem<G: Game> {
    /// The position.
    pub position: G::Position,
    /// What the suite calls it; empty if it has no name.
    pub name: String,
    /// The moves that solve it; empty if none is known.
    pub best: Vec<G::Move>,
    /// Moves that do not.
    pub avoid: Vec<G::Move>,
}

impl<G: Game> Problem<G> {
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

/// A game: a tree from any position on, with text in and out.
pub trait Game: PlayTree + Sized + 'static {
    /// A position as its text form describes it.
    type Position: Clone + PartialEq + Send + Sync + fmt::Debug + fmt::Display;
    /// What judges positions.
    type Evaluator: Clone + Default + Send + Sync;

    /// What solves endings, and remembers from one move to the next.
    type Solver: Default + Send;

    /// The game's name.
    const NAME: GameName;
    /// The sides' names, in the order of [`Player::ALL`].
    const SIDES: [&'static str; 2];
    /// How the names of files end that hold games: the first. The others hold positions.
    const ENDINGS: &'static [&'static str];
    /// Positions for experiments, in the game's suite format.
    const EXPERIMENTS: &'static str;
    /// Openings for matches, as [`Game::openings`] reads them.
    const OPENINGS: &'static str;

    /// The tree from `position` on.
    fn from_position(position: &Self::Position, evaluator: Self::Evaluator) -> Self;
    /// A position as people type it; the start for an empty text.
    fn position(text: &str) -> Result<Self::Position, GameError>;
    /// The evaluator that a file describes.
    fn evaluator(text: &str) -> Result<Self::Evaluator, GameError>;
    /// The position after a move; `None` if the move is against the rules.
    fn played(position: &Self::Position, mv: Self::Move) -> Option<Self::Position>;
    /// A legal move as programs write it.
    fn read_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError>;
    /// A legal move as people type it.
    fn typed_move(position: &Self::Position, text: &str) -> Result<Self::Move, GameError> {
        Self::read_move(position, text)
    }
    /// Whose move it is.
    fn mover(position: &Self::Position) -> Player;
    /// How the game ended that went through these positions; `None` if it goes on.
    fn verdict(positions: &[Self::Position]) -> Option<Verdict>;
    /// A game as a file keeps it.
    fn save(course: &Course<Self>, heading: &Heading) -> String;
    /// A position as a file keeps it whose name ends so.
    fn save_position(position: &Self::Position, ending: &str) -> String;
    /// The games of a file in any of the formats that the game is kept in, at least one; a position
    /// is a game in which nothing has been played yet.
    fn games(text: &str) -> Result<Vec<Kept<Self>>, GameError>;
    /// The same without what the file says besides the moves.
    fn load(text: &str) -> Result<Vec<Course<Self>>, GameError> {
        Ok(Self::games(text)?.into_iter().map(|game| game.course).collect())
    }
    /// The openings of a file: games to be played on, at least one.
    fn openings(text: &str) -> Result<Vec<Course<Self>>, GameError> {
        Self::load(text)
    }
    /// The move of a side that has none but whose game goes on; `None` if it has a choice, or the
    /// game is over.
    fn forced_pass(_position: &Self::Position) -> Option<Self::Move> {
        None
    }
    /// The terms of the evaluation, for the side to move.
    fn explain(
        evaluator: &Self::Evaluator,
        position: &Self::Position,
    ) -> Vec<(&'static str, Value)>;
    /// How long it takes, as a rule, to play the game out to its end from here; `None` if nobody
    /// can, or the game is over.
    fn time_to_solve(_position: &Self::Position) -> Option<Duration> {
        None
    }
    /// Plays the game out to its end on so many threads; `None` if the limits end it before.
    fn solve(
        _solver: &mut Self::Solver,
        _position: &Self::Position,
        _limits: &Limits,
        _threads: usize,
    ) -> Option<Ending<Self::Move>> {
        None
    }
    /// The positions of a suite: OBF or EPD.
    fn suite(text: &str) -> Result<Vec<Problem<Self>>, GameError>;
    /// The position as a picture.
    fn picture(position: &Self::Position) -> String;
    /// The board that a game has come to, to be drawn.
    fn diagram(course: &Course<Self>) -> Diagram;
    /// Moves one after the other from a position, as people write them.
    fn shown(position: &Self::Position, moves: &[Self::Move]) -> Vec<String>;
    /// The same as programs write them.
    fn written(position: &Self::Position, moves: &[Self::Move]) -> Vec<String>;
    /// The moves of a game with their numbers, as people write them.
    fn numbered(course: &Course<Self>) -> Vec<String>;
    /// A value in the game's unit.
    fn value_text(value: Value) -> String;
    /// How many positions the rules lead to in so many plies.
    fn perft(position: &Self::Position, depth: u32) -> u64;
    /// The same below each move; `depth` is at least 1.
    fn divide(position: &Self::Position, depth: u32) -> Vec<(Self::Move, u64)>;
}

impl Game for Othello {
    type Position = othello::Position;
    type Evaluator = othello::Evaluator;
    /// Its tables are made when they are first needed.
    type Solver = Option<Solver>;

    const NAME: GameName = GameName::Othello;
    const SIDES: [&'static str; 2] = ["black", "white"];
    const ENDINGS: &'static [&'static str] = &["ggf", "obf"];
    const EXPERIMENTS: &'static str = include_str!("../../../positions/midgame.obf");
    const OPENINGS: &'static str = include_str!("../../../positions/openings-othello.txt");

    fn from_position(position: &othello::Position, evaluator: othello::Evaluator) -> Othello {
        Othello::new(position.board, evaluator)
    }

    /// 64 squares and the side to move, or a transcript such as `f5d6c3`. Where the side to move
    /// must pass, it stays to move: a pass is a move.
    fn position(text: &str) -> Result<othello::Position, GameError> {
        if is_transcript(text) {
            return Ok(text.parse::<Transcript>()?.end());
        }
        Ok(text.parse()?)
    }

    fn evaluator(text: &str) -> Result<othello::Evaluator, GameError> {
        othello::Evaluator::from_toml(text).map_err(|error| GameError::Evaluator(error.to_string()))
    }

    fn played(position: &othello::Position, mv: othello::Move) -> Option<othello::Position> {
        match mv {
            Some(square) => position.play(square),
            None => position.board.must_pass().then(|| position.pass()),
        }
    }

    /// A square, or `pass`.
    fn read_move(position: &othello::Position, text: &str) -> Result<othello::Move, GameError> {
        let wrong = |reason| GameError::Move { found: text.into(), reason };
        let mv = match text.to_ascii_lowercase().as_str() {
            "pass" | "ps" | "pa" | "--" => None,
            square => match square.parse::<plyground_games::grid::Square>() {
                Ok(square) => Some(square),
                Err(_) => return Err(wrong("expected a square, such as f5, or pass")),
            },
        };
        match Othello::played(position, mv) {
            Some(_) => Ok(mv),
            None => Err(wrong("not a legal move here")),
        }
    }

    fn mover(position: &othello::Position) -> Player {
        othello_texts::mover(position)
    }

    fn verdict(positions: &[othello::Position]) -> Option<Verdict> {
        othello_texts::verdict(positions)
    }

    fn save(course: &Course<Othello>, heading: &Heading) -> String {
        othello_texts::save(course, heading)
    }

    fn save_position(position: &othello::Position, _: &str) -> String {
        othello_texts::save_position(position)
    }

    fn games(text: &str) -> Result<Vec<Kept<Othello>>, GameError> {
        othello_texts::games(text)
    }

    fn openings(text: &str) -> Result<Vec<Course<Othello>>, GameError> {
        othello_texts::openings(text)
    }

    fn forced_pass(position: &othello::Position) -> Option<othello::Move> {
        position.board.must_pass().then_some(None)
    }

    fn explain(
        evaluator: &othello::Evaluator,
        position: &othello::Position,
    ) -> Vec<(&'static str, Value)> {
        evaluator.explain(&position.board)
    }

    /// Twice as long for each empty square: every second game takes about 0.1 s at 20 empties.
    fn time_to_solve(position: &othello::Position) -> Option<Duration> {
        let empties = position.board.empties().len() as i32;
        if position.board.is_over() || empties > 30 {
            return None;
        }
        Some(Duration::from_secs_f64(0.1 * f64::from(empties - 20).exp2()))
    }

    fn solve(
        solver: &mut Option<Solver>,
        position: &othello::Position,
        limits: &Limits,
        threads: usize,
    ) -> Option<Ending<othello::Move>> {
        let solver = solver.get_or_insert_with(Solver::new);
        solver.set_threads(threads);
        let solution = solver.solve(&position.board, limits).ok()?;
        let value = solution.score * DISC;
        Some(Ending { value, line: solution.pv, nodes: solution.nodes })
    }

    fn suite(text: &str) -> Result<Vec<Problem<Othello>>, GameError> {
        let problem = |line: othello::ObfLine| Problem {
            position: line.position,
            best: line
                .moves
                .iter()
                .map(|scored| scored.square)
                .filter(|&square| line.is_best(square))
                .collect(),
            avoid: Vec::new(),
            name: line.comment,
        };
        Ok(parse_obf(text)?.into_iter().map(problem).collect())
    }

    fn picture(position: &othello::Position) -> String {
        othello::Picture(position).to_string()
    }

    fn diagram(course: &Course<Othello>) -> Diagram {
        diagram::othello(course)
    }

    fn shown(_: &othello::Position, moves: &[othello::Move]) -> Vec<String> {
        let shown = |mv: &othello::Move| mv.map_or_else(|| "pass".into(), |s| s.to_string());
        moves.iter().map(shown).collect()
    }

    fn written(position: &othello::Position, moves: &[othello::Move]) -> Vec<String> {
        Othello::shown(position, moves)
    }

    /// Every move has its number.
    fn numbered(course: &Course<Othello>) -> Vec<String> {
        let numbered = |(place, text): (usize, String)| format!("{}.{text}", place + 1);
        course.shown().into_iter().enumerate().map(numbered).collect()
    }

    fn value_text(value: Value) -> String {
        format!("{:+.2} discs", f64::from(value) / f64::from(DISC))
    }

    fn perft(position: &othello::Position, depth: u32) -> u64 {
        othello::perft(&position.board, depth)
    }

    fn divide(position: &othello::Position, depth: u32) -> Vec<(othello::Move, u64)> {
        othello::divide(&position.board, depth)
    }
}

/// Does it start with a square, or is it empty? No board does.
fn is_transcript(text: &str) -> bool {
    let mut letters = text.trim_start().chars().map(|c| c.to_ascii_lowercase());
    match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some('a'..='h'), Some(second)) => second.is_ascii_digit(),
        _ => false,
    }
}

impl Game for Chess {
    type Position = chess::Board;
    type Evaluator = chess::Evaluator;
    type Solver = ();

    const NAME: GameName = GameName::Chess;
    const SIDES: [&'static str; 2] = ["white", "black"];
    const ENDINGS: &'static [&'static str] = &["pgn", "fen", "epd"];
    const EXPERIMENTS: &'static str = include_str!("../../../positions/experiment-chess.epd");
    const OPENINGS: &'static str = include_str!("../../../positions/openings-chess.epd");

    fn from_position(position: &chess::Board, evaluator: chess::Evaluator) -> Chess {
        Chess::new(*position, evaluator)
    }

    /// A FEN, or nothing or `startpos` for the start.
    fn position(text: &str) -> Result<chess::Board, GameError> {
        match text.trim() {
            "" | "startpos" => Ok(chess::Board::start()),
            fen => Ok(fen.parse()?),
        }
    }

    fn evaluator(text: &str) -> Result<chess::Evaluator, GameError> {
        chess::Evaluator::from_toml(text).map_err(|error| GameError::Evaluator(error.to_string()))
    }

    fn played(position: &chess::Board, mv: chess::Move) -> Option<chess::Board> {
        position.try_play(mv)
    }

    /// From square to square, as in UCI.
    fn read_move(position: &chess::Board, text: &str) -> Result<chess::Move, GameError> {
        Ok(position.uci_move(text)?)
    }

    fn typed_move(position: &chess::Board, text: &str) -> Result<chess::Move, GameError> {
        chess_texts::typed_move(position, text)
    }

    fn mover(position: &chess::Board) -> Player {
        chess_texts::mover(position)
    }

    fn verdict(positions: &[chess::Board]) -> Option<Verdict> {
        chess_texts::verdict(positions)
    }

    fn save(course: &Course<Chess>, heading: &Heading) -> String {
        chess_texts::save(course, heading)
    }

    fn save_position(position: &chess::Board, ending: &str) -> String {
        chess_texts::save_position(position, ending)
    }

    fn games(text: &str) -> Result<Vec<Kept<Chess>>, GameError> {
        chess_texts::games(text)
    }

    fn explain(
        evaluator: &chess::Evaluator,
        position: &chess::Board,
    ) -> Vec<(&'static str, Value)> {
        chess_texts::explain(evaluator, position)
    }

    fn suite(text: &str) -> Result<Vec<Problem<Chess>>, GameError> {
        let problem = |epd: chess::Epd| Problem {
            position: epd.board,
            best: epd.best,
            avoid: epd.avoid,
            name: epd.id.unwrap_or_default(),
        };
        Ok(parse_epd(text)?.into_iter().map(problem).collect())
    }

    fn picture(position: &chess::Board) -> String {
        chess::Picture(position).to_string()
    }

    fn diagram(course: &Course<Chess>) -> Diagram {
        diagram::chess(course)
    }

    /// In standard algebraic notation.
    fn shown(position: &chess::Board, moves: &[chess::Move]) -> Vec<String> {
        let mut board = *position;
        let san = moves.iter().map(|&mv| {
            let text = board.san(mv).to_string();
            board = board.play(mv);
            text
        });
        san.collect()
    }

    /// From square to square, as in UCI.
    fn written(_: &chess::Board, moves: &[chess::Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    /// Every pair of moves has its number.
    fn numbered(course: &Course<Chess>) -> Vec<String> {
        chess_texts::numbered(course)
    }

    fn value_text(value: Value) -> String {
        let plies = MATE - value.abs();
        match value {
            MATE => "mate".into(),
            _ if value == -MATE => "mated".into(),
            LEAST_MATE.. => format!("mate in {}", (plies + 1) / 2),
            _ if value <= -LEAST_MATE => format!("mated in {}", plies / 2),
            _ => format!("{:+.2} pawns", f64::from(value) / f64::from(chess::PAWN)),
        }
    }

    fn perft(position: &chess::Board, depth: u32) -> u64 {
        chess::perft(position, depth)
    }

    fn divide(position: &chess::Board, depth: u32) -> Vec<(chess::Move, u64)> {
        chess::divide(position, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
