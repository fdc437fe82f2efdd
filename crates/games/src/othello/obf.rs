//! OBF, the format of Othello endgame suites: each line is a position and the scores of its moves.
//!
//! `<64 squares> X; A2:+38; C7:+36; % comment`. Scores are from the mover's point of view. Blank lines
//! and lines that begin with `%` are comments.

use std::fmt;
use std::str::FromStr;

use super::error::{Problem, TextError};
use super::notation::{excerpt, read_position};
use super::position::Position;
use crate::grid::Square;

/// A move and the score it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move; `None` is a pass, written `PS`.
    pub square: Option<Square>,
    /// The mover's discs minus the opponent's at the end of the game.
    pub score: i32,
}

/// A line of an OBF file: a position and the known scores of its moves.
///
/// ```
/// use plyground_games::othello::ObfLine;
///
/// let line: ObfLine = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; \
///                      A2:+38; C7:+36; % FFO 40".parse()?;
/// assert_eq!(line.score(), Some(38));
/// assert!(line.is_best("a2".parse().ok()));
/// assert_eq!(line.comment, "FFO 40");
/// # Ok::<(), plyground_games::othello::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObfLine {
    /// The position.
    pub position: Position,
    /// The scored moves, in the order of the line.
    pub moves: Vec<ScoredMove>,
    /// The text after `%`; empty if there is none.
    pub comment: String,
}

impl ObfLine {
    /// The best score among the moves.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.moves.iter().map(|known| known.score).max()
    }

    /// Whether a move is listed and has the best score.
    #[must_use]
    pub fn is_best(&self, square: Option<Square>) -> bool {
        let best = self.score();
        self.moves.iter().any(|known| known.square == square && Some(known.score) == best)
    }
}

impl FromStr for ObfLine {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let (text, comment) = text.split_once('%').unwrap_or((text, ""));
        let (position, rest, mut column) = read_position(text)?;
        let mut moves = Vec::new();
        let mut fields = rest.split(';');
        // The semicolon after the side may be missing if nothing follows.
        let before = fields.next().unwrap_or("");
        if !before.trim().is_empty() {
            let spaces = leading_spaces(before);
            return Err(TextError::at(
                column + spaces,
                Problem::Expected {
                    found: format!("{:?}", excerpt(before.trim())),
                    expected: "a semicolon",
                },
            ));
        }
        column += before.chars().count() + 1;
        for field in fields {
            if !field.trim().is_empty() {
                let at = column + leading_spaces(field);
                moves.push(scored_move(field.trim()).map_err(|error| error.shifted(at))?);
            }
            column += field.chars().count() + 1;
        }
        Ok(Self { position, moves, comment: comment.trim().to_owned() })
    }
}

fn leading_spaces(text: &str) -> usize {
    text.chars().take_while(|letter| letter.is_whitespace()).count()
}

fn scored_move(field: &str) -> Result<ScoredMove, TextError> {
    let Some((square, number)) = field.split_once(':') else {
        return Err(TextError::at(0, Problem::ScoredMove { found: excerpt(field) }));
    };
    let at = square.chars().count() + 1 + leading_spaces(number);
    let square = match square.trim() {
        pass if ["ps", "pa", "--", "pass"].iter().any(|p| pass.eq_ignore_ascii_case(p)) => None,
        square => Some(
            square
                .parse()
                .map_err(|_| TextError::at(0, Problem::Square { found: excerpt(square) }))?,
        ),
    };
    let number = number.trim();
    match number.parse::<i32>() {
        Ok(score) if (-64..=64).contains(&score) => Ok(ScoredMove { square, score }),
        _ => Err(TextError::at(at, Problem::Score { found: excerpt(number) })),
    }
}

impl fmt::Display for ObfLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        for known in &self.moves {
            match known.square {
                Some(square) => write!(f, " {}", square.to_string().to_uppercase())?,
                None => f.write_str(" PS")?,
            }
            write!(f, ":{:+};", known.score)?;
        }
        if !self.comment.is_empty() {
            write!(f, " % {}", self.comment)?;
        }
        Ok(())
    }
}

/// Reads the lines of an OBF file; an error names its line.
pub fn parse_obf(text: &str) -> Result<Vec<ObfLine>, TextError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('%'))
        .map(|(number, line)| line.parse().map_err(|error: TextError| error.on_line(number + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; \
                          A2:+38; C7:+36; % FFO 40";

    #[test]
    fn lines_read_back() {
        let line: ObfLine = FFO_40.parse().unwrap();
        assert_eq!(line.to_string(), FFO_40);
        assert_eq!(line.score(), Some(38));
        assert!(line.is_best("a2".parse().ok()) && !line.is_best("c7".parse().ok()));
        assert_eq!(line.comment, "FFO 40");
    }

    #[test]
    fn wrong_lines_are_told() {
        let told = |text: &str| parse_obf(text).unwrap_err().to_string();
        let board = &FFO_40[..66];
        assert!(
            told(&format!("% a suite\n\n{board}; A2:+380;")).starts_with("line 3, column 72: ")
        );
        assert!(told(&format!("{board}; A9:+38;")).starts_with("line 1, column 69: \"A9\""));
        assert!(told(&format!("{board}; A2")).contains("such as A2:+38"));
        assert!(told(&format!("{board} A2:+38")).contains("expected a semicolon"));
        assert_eq!(parse_obf(board).map(|lines| lines.len()), Ok(1));
    }
}
