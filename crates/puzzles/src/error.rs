//! What is wrong with a problem.

use plyground_search::SearchError;
use thiserror::Error;

/// Why a text is no problem that can be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProblemError {
    /// The domain's name is unknown.
    #[error("domain `{0}`: no such domain; expected 8-puzzle, 15-puzzle, puzzle:WxH, tsp or grid")]
    Domain(String),
    /// The puzzle's shape cannot be.
    #[error("{0}x{1}: expected a rectangle of 2 to 64 cells, as in puzzle:4x3")]
    Shape(usize, usize),
    /// A word is no number of the kind expected.
    #[error("`{word}` at place {place}: expected {expected}")]
    Word {
        /// The word.
        word: String,
        /// Its place, from 1.
        place: usize,
        /// What was expected.
        expected: String,
    },
    /// Too many or too few numbers.
    #[error("{found} numbers: expected {expected}")]
    Count {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: String,
    },
    /// A tile is there twice.
    #[error("tile {0} is there twice: expected each number from 0 to {1} once")]
    Twice(usize, usize),
    /// The tiles cannot be brought into order.
    #[error("unsolvable: {0}")]
    Unsolvable(String),
    /// The states of the domain cannot be listed.
    #[error(
        "all states: there are too many; expected a puzzle of at most {most} cells, or a single line"
    )]
    TooManyStates {
        /// The most cells of a puzzle whose states can be listed.
        most: usize,
    },
    /// The domain has problems without number.
    #[error("all states: only puzzles have them; expected a domain such as 8-puzzle")]
    NoStates,
    /// A map is no rectangle, or lacks its start or goal.
    #[error("the map: {0}")]
    Map(String),
    /// The search could not be made.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The heuristic does not suit the problem.
    #[error("heuristic {heuristic}: {reason}")]
    Heuristic {
        /// Its name.
        heuristic: String,
        /// Why not.
        reason: String,
    },
}
