//! A game in progress: its first position, its moves, those that were taken back, and its result.

use std::fmt;
use std::time::Duration;

use super::Game;
use crate::door::AnyLine;
use plyground_core::value::Value;

/// One of the two sides of any game, by the order in which they move: a seat at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The side that begins the game: White in chess, Black in Othello.
    First,
    /// The other side.
    Second,
}

impl Seat {
    /// Both sides, in the order of their moves.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// The index in [`Seat::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The result of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The side that won; `None` for a draw.
    pub winner: Option<Seat>,
    /// The reason, such as `checkmate` or `40-24`.
    pub reason: String,
}

impl Verdict {
    /// The result with the sides' names, as in `white wins: checkmate`.
    pub fn text(&self, sides: [&str; 2]) -> String {
        match self.winner {
            Some(winner) => format!("{} wins: {}", sides[winner.index()], self.reason),
            None => format!("draw: {}", self.reason),
        }
    }
}

/// What a player said of its own move: the comment that a saved game keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// The value of the position for the player, if it gave one.
    pub value: Option<Value>,
    /// The depth of its search, if it gave one.
    pub depth: Option<u32>,
    /// How long it thought.
    pub time: Duration,
}

/// What a saved game says besides its moves. An empty text stands for something unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The name of the event.
    pub event: String,
    /// The day, as in `2026.01.31`.
    pub date: String,
    /// The number of the game in the event.
    pub round: String,
    /// The players' names, in the order of [`Seat::ALL`].
    pub players: [String; 2],
    /// The time control, as in `2+0.02`.
    pub time: String,
    /// The result, if the rules of the game alone do not give it: after a forfeit, for example.
    pub verdict: Option<Verdict>,
    /// The players' remarks, move by move; there may be fewer than moves.
    pub remarks: Vec<Option<Remark>>,
    /// The text of a game that begins with the same moves: what it says about them is kept.
    pub source: String,
}

/// What an analysis says of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveAnnotation {
    /// The value after the move, for the side that begins the game.
    pub value: Value,
    /// The number of a sign such as `?` in PGN, if the move has one.
    pub glyph: Option<u8>,
    /// The value in words, and what is wrong with the move.
    pub comment: String,
    /// A better line, as programs write it; empty if there is none.
    pub better: Vec<String>,
}

/// A game as a file has it: with or without the game's types.
#[derive(Clone, Debug)]
pub struct SavedGame<L = Box<dyn AnyLine>> {
    /// The game.
    pub line: L,
    /// The game's text with its tags and its result, which is written again if the game has not
    /// changed; `None` if the file holds nothing but moves or a position.
    pub text: Option<String>,
    /// The file's comments, by how many moves were played then; there may be fewer than moves.
    pub comments: Vec<String>,
}

impl<L> From<L> for SavedGame<L> {
    /// A game without a text of its own.
    fn from(line: L) -> SavedGame<L> {
        SavedGame { line, text: None, comments: Vec::new() }
    }
}

/// A game in progress: a first position and the legal moves that were played from it.
pub struct GameLine<G: Game> {
    /// All positions, the current one last.
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// Moves that were taken back, as a stack: the last is the next to be played again.
    undone: Vec<G::Move>,
}

impl<G: Game> GameLine<G> {
    /// A game without moves.
    pub fn new(start: G::Position) -> GameLine<G> {
        GameLine { positions: vec![start], moves: Vec::new(), undone: Vec::new() }
    }

    /// The first position.
    pub fn start(&self) -> &G::Position {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions from the first to the current one.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The moves that were played.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Plays a move; `false` if it is not legal, and then nothing changes. Moves that were taken
    /// back cannot be played again after that.
    pub fn play(&mut self, mv: G::Move) -> bool {
        let Some(next) = G::played(self.position(), mv) else { return false };
        self.positions.push(next);
        self.moves.push(mv);
        self.undone.clear();
        true
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.undone.push(mv);
        Some(mv)
    }

    /// Plays the move that was taken back last once more; `None` if there is none.
    pub fn redo(&mut self) -> Option<G::Move> {
        let mv = self.undone.pop()?;
        let undone = std::mem::take(&mut self.undone);
        let played = self.play(mv);
        self.undone = undone;
        played.then_some(mv)
    }

    /// Takes moves back until this many are left.
    pub fn truncate(&mut self, plies: usize) {
        while self.moves.len() > plies {
            self.undo();
        }
    }

    /// The side to move.
    pub fn mover(&self) -> Seat {
        G::mover(self.position())
    }

    /// The result of the game; `None` if it is not over.
    pub fn verdict(&self) -> Option<Verdict> {
        G::verdict(&self.positions)
    }

    /// The moves as people write them.
    pub fn shown(&self) -> Vec<String> {
        G::shown(self.start(), &self.moves)
    }
}

// Not derived: the tree itself need not be `Clone` or `PartialEq`.
impl<G: Game> Clone for GameLine<G> {
    fn clone(&self) -> Self {
        GameLine {
            positions: self.positions.clone(),
            moves: self.moves.clone(),
            undone: self.undone.clone(),
        }
    }
}

/// Equal with the same start and the same moves; moves that were taken back do not count.
impl<G: Game> PartialEq for GameLine<G> {
    fn eq(&self, other: &Self) -> bool {
        self.start() == other.start() && self.moves == other.moves
    }
}

impl<G: Game> fmt::Debug for GameLine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameLine")
            .field("start", self.start())
            .field("moves", &self.moves)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    fn line<G: Game>(position: &str, moves: &str) -> GameLine<G> {
        let mut line = GameLine::<G>::new(G::position(position).unwrap());
        for text in moves.split_whitespace() {
            let mv = G::typed_move(line.position(), text).unwrap();
            assert!(line.play(mv), "{text}");
        }
        line
    }

    #[test]
    fn moves_are_taken_back_and_played_again() {
        let mut game = line::<Chess>("", "e4 e5 Nf3");
        let end = game.clone();
        assert_eq!(game.mover(), Seat::Second);
        assert!(game.redo().is_none());
        for _ in 0..3 {
            assert!(game.undo().is_some());
        }
        assert!(game.undo().is_none() && game.moves().is_empty());
        for _ in 0..3 {
            assert!(game.redo().is_some());
        }
        assert_eq!(game, end);
        game.undo();
        let other = Chess::typed_move(game.position(), "d4").unwrap();
        assert!(game.play(other) && game.redo().is_none());
    }

    #[test]
    fn games_end_by_their_rules() {
        let told = |game: GameLine<Chess>| game.verdict().map(|verdict| verdict.text(Chess::SIDES));
        assert_eq!(told(line("", "e4 e5")), None);
        let mate = told(line("", "f3 e5 g4 Qh4#")).unwrap();
        assert_eq!(mate, "black wins: checkmate");
        let again = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
        assert_eq!(told(line("", &again)).unwrap(), "draw: threefold repetition");
        let stale = told(line("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7")).unwrap();
        assert_eq!(stale, "draw: stalemate");
        let game = line::<Othello>("", "e6 f4 e3 f6 g5 d6 e7 f5 c5");
        assert_eq!(game.verdict().unwrap().text(Othello::SIDES), "black wins: 64-0");
    }

    #[test]
    fn games_are_saved_and_read_back() {
        let game = line::<Chess>("4k3/8/8/8/8/8/8/4K2R b K - 4 30", "Kd7 O-O Ke6");
        let heading = Heading {
            players: ["one".into(), "two".into()],
            date: "2026.01.31".into(),
            ..Heading::default()
        };
        let saved = Chess::save(&game, &heading);
        assert!(saved.contains("[White \"one\"]") && saved.contains("[Date \"2026.01.31\"]"));
        assert_eq!(Chess::load(&saved).unwrap(), std::slice::from_ref(&game));
        for (ending, text) in [
            ("fen", "8/8/4k3/8/8/8/8/5RK1 w - - 7 32\n"),
            ("epd", "8/8/4k3/8/8/8/8/5RK1 w - - hmvc 7; fmvn 32;\n"),
        ] {
            assert_eq!(Chess::save_position(game.position(), ending), text);
            let read = Chess::load(text).unwrap();
            assert_eq!(read[0].position().to_string(), game.position().to_string());
        }

        let game = line::<Othello>("", "f5 d6 c3 d3 c4");
        let saved = Othello::save(&game, &heading);
        assert!(saved.contains("PB[one]") && saved.contains("PW[two]"), "{saved}");
        assert_eq!(Othello::load(&saved).unwrap(), std::slice::from_ref(&game));
        let line = Othello::save_position(game.position(), "obf");
        assert_eq!(Othello::load(&line).unwrap(), [GameLine::new(*game.position())]);
        assert_eq!(Othello::load("f5d6c3d3c4").unwrap(), std::slice::from_ref(&game));
        let openings = "% two\nf5d6c3d3c4\n\nf5f6 # and a note\n";
        let read = Othello::openings(openings).unwrap();
        assert_eq!((read.len(), &read[0], read[1].moves().len()), (2, &game, 2));
        let wrong = Othello::openings("f5\n\nf5a1").unwrap_err().to_string();
        assert!(wrong.starts_with("line 3, column 3"), "{wrong}");
        for wrong in ["", "nonsense", "1. e9"] {
            assert!(Chess::load(wrong).is_err() && Othello::load(wrong).is_err(), "{wrong}");
            assert!(Othello::openings(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Chess::openings(Chess::OPENINGS).unwrap().len(), 100);
        assert_eq!(Othello::openings(Othello::OPENINGS).unwrap().len(), 60);
    }

    /// What a file says besides the moves is kept.
    #[test]
    fn games_are_kept_with_their_tags() {
        let pgn = "[Event \"x\"]\n[Site \"?\"]\n[Date \"1851.06.21\"]\n[Round \"?\"]\n\
                   [White \"Anderssen\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[ECO \"C33\"]\n\n\
                   1. e4 e5 1/2-1/2\n";
        let games = Chess::games(&format!("{pgn}\n{pgn}")).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].text.as_deref(), Some(pgn));
        assert_eq!(games[1].line, line("", "e4 e5"));
        let ggf = "(;GM[Othello]PB[one]RE[+2]TY[8]BO[8 ---------------------------O*------*O\
                   --------------------------- *]B[F5/1.5/0.25]W[D6];)\n";
        let games = Othello::games(ggf).unwrap();
        assert_eq!(games[0].text.as_deref(), Some(ggf));
        assert_eq!(Othello::games("f5d6").unwrap()[0].text, None);
        assert_eq!(Chess::games("4k3/8/8/8/8/8/8/4K2R b K - 4 30").unwrap()[0].text, None);
    }

    #[test]
    fn moves_have_the_numbers_that_players_give_them() {
        let numbered = |start, moves| Chess::numbered(&line(start, moves)).join(" ");
        assert_eq!(numbered("", "e4 e5 Nf3"), "1.e4 e5 2.Nf3");
        let late = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 10";
        assert_eq!(numbered(late, "Kd7 e4 Ke7"), "10...Kd7 11.e4 Ke7");
        assert_eq!(Othello::numbered(&line("", "f5 d6")).join(" "), "1.f5 2.d6");
    }

    #[test]
    fn remarks_are_saved() {
        let time = Duration::from_millis(50);
        let remark = Remark { value: Some(-35), depth: Some(12), time };
        let mate = Remark { value: Some(plyground_core::value::MATE - 5), ..remark };
        let silent = Remark { time, ..Remark::default() };
        let remarks = vec![None, Some(remark), Some(mate), Some(silent)];
        let heading = Heading { remarks, ..Heading::default() };
        let game = line::<Chess>("", "e4 e5 Nf3 Nc6 a3");
        let saved = Chess::save(&game, &heading);
        let expected = "1. e4 e5 {-0.35/12 0.05s} 2. Nf3 {+M3/12 0.05s} 2... Nc6 {0.05s} 3. a3 *\n";
        assert!(saved.ends_with(expected), "{saved}");
        assert_eq!(Chess::load(&saved).unwrap(), [game]);
        let game = line::<Othello>("", "f5 d6 c3 d3 c4");
        let saved = Othello::save(&game, &heading);
        assert!(saved.contains("]B[F5]W[D6/-0.35/0.05]B[C3/"), "{saved}");
        assert!(saved.contains("W[D3//0.05]B[C4];)"), "{saved}");
        assert_eq!(Othello::load(&saved).unwrap(), [game]);
    }

    /// A game that goes on from another says what that one said about the moves that they share.
    #[test]
    fn notes_on_shared_moves_are_kept() {
        let source = "1. e4 {best} e5 (1... c5) 2. Nf3 $1 Nc6 {usual} *".to_owned();
        let heading = Heading { source, ..Heading::default() };
        let saved = Chess::save(&line("", "e4 e5 Nc3"), &heading);
        assert!(saved.ends_with("1. e4 {best} 1... e5 (1... c5) 2. Nc3 *\n"), "{saved}");
        let source = "(;GM[Othello]TY[8]B[F5/1.5/2]W[D6/-2]B[C3];)".to_owned();
        let heading = Heading { source, ..Heading::default() };
        let saved = Othello::save(&line("", "f5 d6 c4"), &heading);
        assert!(saved.contains("B[F5/1.5/2]W[D6/-2]B[C4];"), "{saved}");
        let games = Chess::games("{hello} 1. e4 {best} e5 *").unwrap();
        assert_eq!(games[0].comments, ["hello", "best"]);
    }

    /// A mate that is given up on the board is worth what the heading says, and so is a fault.
    #[test]
    fn a_heading_may_say_how_it_ended() {
        let verdict = Verdict { winner: Some(Seat::Second), reason: "time".into() };
        let heading = Heading { verdict: Some(verdict), ..Heading::default() };
        let saved = Chess::save(&line("", "e4"), &heading);
        assert!(saved.contains("[Result \"0-1\"]"), "{saved}");
        assert!(saved.contains("[Termination \"time\"]"), "{saved}");
    }
}
