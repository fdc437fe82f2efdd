//! Games and positions on the command line.

use anyhow::Context;
use clap::ValueEnum;

use crate::chess::Board;
use crate::othello::{Position, Transcript};

/// A game that can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GameArg {
    /// Othello, also known as Reversi
    Othello,
    /// Chess
    Chess,
}

/// An Othello position as it is typed: 64 squares and the side to move, or a transcript such as
/// `f5d6c3`. Where the side to move must pass, it stays to move: a pass is a move.
pub(super) fn othello(text: &str) -> anyhow::Result<Position> {
    if is_transcript(text) {
        let transcript: Transcript = text.parse().context("the transcript")?;
        return Ok(transcript.end());
    }
    text.parse().context("the position")
}

/// A chess position as it is typed: a FEN, or nothing or `startpos` for the start.
pub(super) fn chess(text: &str) -> anyhow::Result<Board> {
    match text.trim() {
        "" | "startpos" => Ok(Board::start()),
        fen => fen.parse().context("the position"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_positions() {
        assert_eq!(chess("").unwrap(), Board::start());
        assert_eq!(chess("startpos").unwrap(), chess(&Board::start().to_string()).unwrap());
        let message = format!("{:#}", chess("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err());
        assert!(message.contains("the position: line 1"), "{message}");
    }

    #[test]
    fn boards_and_transcripts() {
        assert_eq!(othello("").unwrap(), Position::start());
        assert_eq!(othello("F5 d6").unwrap(), othello("f5d6").unwrap());
        let text = othello("f5d6c3").unwrap().to_string();
        assert_eq!(othello(&text).unwrap(), othello("f5d6c3").unwrap());
        for (wrong, expected) in [
            ("a1", "not a legal move"),
            ("z9", "position"),
            ("---", "64"),
            ("f5d6xx", "transcript"),
        ] {
            let message = format!("{:#}", othello(wrong).unwrap_err());
            assert!(message.contains(expected), "{wrong}: {message}");
        }
    }
}
