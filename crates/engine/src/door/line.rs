//! A game in progress, without the game's types.

use std::any::Any;
use std::fmt;

use super::AnyGame;
use super::tree::show;
use crate::book::{Book, BookMove};
use crate::game::{Diagram, Game, GameError, GameLine, Heading, Seat, Verdict};

/// A game in progress without the game's types: positions and moves are text, and all moves are
/// legal. [`GameLine`] is the typed form.
pub trait AnyLine: Any + Send + Sync + fmt::Debug {
    /// The game.
    fn game(&self) -> &'static dyn AnyGame;
    /// A copy of the game in progress.
    fn boxed(&self) -> Box<dyn AnyLine>;
    /// Are the start and the moves the same? Moves that were taken back do not count.
    fn is_same(&self, other: &dyn AnyLine) -> bool;

    /// The first position.
    fn start(&self) -> String;
    /// Is the first position the usual start of the game?
    fn is_from_start(&self) -> bool;
    /// The current position.
    fn position(&self) -> String;
    /// The position after this many plies; `None` if fewer were played.
    fn position_after(&self, plies: usize) -> Option<String>;
    /// How many moves were played.
    fn plies(&self) -> usize;
    /// The side to move.
    fn mover(&self) -> Seat;
    /// The side to move after this many plies; `None` if fewer were played.
    fn mover_after(&self, plies: usize) -> Option<Seat>;
    /// The pass that the side to move must make; `None` if it need not pass.
    fn forced_pass(&self) -> Option<String>;
    /// Was the move of this number, from 0, a forced pass?
    fn was_forced_pass(&self, number: usize) -> bool;
    /// The result of the game; `None` if it is not over.
    fn verdict(&self) -> Option<Verdict>;

    /// The legal moves as programs write them, in the order of the tree.
    fn legal_moves(&self) -> Vec<String>;
    /// The same in the same order as people write them, without saying which of them win.
    fn legal_moves_shown(&self) -> Vec<String>;
    /// Reads a legal move as programs write it, and returns its usual text.
    fn read_move(&self, text: &str) -> Result<String, GameError>;
    /// Reads a legal move as people type it, and returns its text as programs write it.
    fn typed_move(&self, text: &str) -> Result<String, GameError>;
    /// Why a text is no legal move, in words for somebody who learns the rules; `None` if there is
    /// nothing to say but that it is not legal.
    fn why_illegal(&self, text: &str) -> Option<String>;
    /// The moves, as programs write them, that a text may mean which leaves something out: each with
    /// the words that name it, the most likely first.
    fn open_choices(&self, text: &str) -> Vec<(Vec<String>, String)>;
    /// What should be said about the result besides the result.
    fn result_note(&self) -> Option<String>;
    /// Plays a move as programs write it. Moves that were taken back cannot be played again after
    /// that.
    fn play(&mut self, mv: &str) -> Result<(), GameError>;
    /// Takes the last move back; `None` if there is none.
    fn undo(&mut self) -> Option<String>;
    /// Plays the move that was taken back last once more; `None` if there is none.
    fn redo(&mut self) -> Option<String>;
    /// Takes moves back until this many are left.
    fn truncate(&mut self, plies: usize);

    /// The moves as programs write them.
    fn written(&self) -> Vec<String>;
    /// The moves as people write them.
    fn shown(&self) -> Vec<String>;
    /// The same with their numbers.
    fn numbered(&self) -> Vec<String>;
    /// A sequence of moves from here, given as programs write them, as people write them; from the
    /// first illegal move on they are left out.
    fn show(&self, moves: &[String]) -> Vec<String>;

    /// The position as a picture of several lines.
    fn picture(&self) -> String;
    /// The board, for drawing it square by square; `None` if the game has nothing but a picture.
    fn diagram(&self) -> Option<Diagram>;
    /// The game as a file keeps it.
    fn save(&self, heading: &Heading) -> String;
    /// The position as a file with this extension keeps it.
    fn save_position(&self, extension: &str) -> String;

    /// The key of the position in opening books.
    fn book_key(&self) -> u64;
    /// The number of a move, as programs write it, in opening books.
    fn book_code(&self, mv: &str) -> Result<u16, GameError>;
    /// The moves that a book has for the position, as programs write them, the heaviest first.
    fn book_moves(&self, book: &Book) -> Vec<(String, BookMove)>;
}

impl Clone for Box<dyn AnyLine> {
    fn clone(&self) -> Box<dyn AnyLine> {
        (**self).boxed()
    }
}

impl PartialEq for dyn AnyLine {
    fn eq(&self, other: &dyn AnyLine) -> bool {
        self.is_same(other)
    }
}

/// The typed form of a line, or an error if it is of another game.
pub(super) fn typed<G: Game>(line: &dyn AnyLine) -> Result<&GameLine<G>, GameError> {
    let typed = (line as &dyn Any).downcast_ref::<GameLine<G>>();
    let found = line.game().name();
    typed.ok_or(GameError::OtherGame { found, expected: G::NAME })
}

impl<G: Game> AnyLine for GameLine<G> {
    fn game(&self) -> &'static dyn AnyGame {
        G::door()
    }

    fn boxed(&self) -> Box<dyn AnyLine> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn AnyLine) -> bool {
        typed::<G>(other).is_ok_and(|other| self == other)
    }

    fn start(&self) -> String {
        GameLine::start(self).to_string()
    }

    fn is_from_start(&self) -> bool {
        G::position("").is_ok_and(|start| start == *GameLine::start(self))
    }

    fn position(&self) -> String {
        GameLine::position(self).to_string()
    }

    fn position_after(&self, plies: usize) -> Option<String> {
        self.positions().get(plies).map(ToString::to_string)
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn mover(&self) -> Seat {
        GameLine::mover(self)
    }

    fn mover_after(&self, plies: usize) -> Option<Seat> {
        self.positions().get(plies).map(G::mover)
    }

    fn forced_pass(&self) -> Option<String> {
        let position = GameLine::position(self);
        G::forced_pass(position).map(|pass| G::move_text(position, pass))
    }

    fn was_forced_pass(&self, number: usize) -> bool {
        number < self.moves().len() && G::forced_pass(&self.positions()[number]).is_some()
    }

    fn verdict(&self) -> Option<Verdict> {
        GameLine::verdict(self)
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = GameLine::position(self);
        G::legal_moves(position).into_iter().map(|mv| G::move_text(position, mv)).collect()
    }

    fn legal_moves_shown(&self) -> Vec<String> {
        let position = GameLine::position(self);
        G::legal_moves(position).into_iter().map(|mv| G::listed(position, mv)).collect()
    }

    fn read_move(&self, text: &str) -> Result<String, GameError> {
        let position = GameLine::position(self);
        G::read_move(position, text).map(|mv| G::move_text(position, mv))
    }

    fn typed_move(&self, text: &str) -> Result<String, GameError> {
        let position = GameLine::position(self);
        G::typed_move(position, text).map(|mv| G::move_text(position, mv))
    }

    fn why_illegal(&self, text: &str) -> Option<String> {
        G::why_illegal(GameLine::position(self), text)
    }

    fn open_choices(&self, text: &str) -> Vec<(Vec<String>, String)> {
        let position = GameLine::position(self);
        let choices = G::open_choices(position, text).into_iter();
        choices.map(|(words, mv)| (words, G::move_text(position, mv))).collect()
    }

    fn result_note(&self) -> Option<String> {
        G::result_note(GameLine::position(self))
    }

    fn play(&mut self, mv: &str) -> Result<(), GameError> {
        let mv = G::read_move(GameLine::position(self), mv)?;
        GameLine::play(self, mv);
        Ok(())
    }

    fn undo(&mut self) -> Option<String> {
        let mv = GameLine::undo(self)?;
        Some(G::move_text(GameLine::position(self), mv))
    }

    fn redo(&mut self) -> Option<String> {
        let before = GameLine::position(self).clone();
        let mv = GameLine::redo(self)?;
        Some(G::move_text(&before, mv))
    }

    fn truncate(&mut self, plies: usize) {
        GameLine::truncate(self, plies);
    }

    fn written(&self) -> Vec<String> {
        G::written(GameLine::start(self), self.moves())
    }

    fn shown(&self) -> Vec<String> {
        GameLine::shown(self)
    }

    fn numbered(&self) -> Vec<String> {
        G::numbered(self)
    }

    fn show(&self, moves: &[String]) -> Vec<String> {
        show::<G>(GameLine::position(self), moves)
    }

    fn picture(&self) -> String {
        G::picture(GameLine::position(self))
    }

    fn diagram(&self) -> Option<Diagram> {
        G::diagram(self)
    }

    fn save(&self, heading: &Heading) -> String {
        G::save(self, heading)
    }

    fn save_position(&self, extension: &str) -> String {
        G::save_position(GameLine::position(self), extension)
    }

    fn book_key(&self) -> u64 {
        G::book_key(GameLine::position(self))
    }

    fn book_code(&self, mv: &str) -> Result<u16, GameError> {
        let position = GameLine::position(self);
        Ok(G::book_code(position, G::read_move(position, mv)?))
    }

    fn book_moves(&self, book: &Book) -> Vec<(String, BookMove)> {
        let position = GameLine::position(self);
        let moves = book.moves::<G>(position).into_iter();
        moves.map(|(mv, known)| (G::move_text(position, mv), known)).collect()
    }
}
