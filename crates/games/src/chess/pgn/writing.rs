//! Writes games in PGN.

use std::fmt;

use super::{PgnGame, PgnNote, ROSTER};
use crate::chess::board::Board;
use crate::chess::side::Side;

/// Writes a word, in lines that are not too long.
type Words<'a> = dyn FnMut(&mut fmt::Formatter<'_>, &str) -> fmt::Result + 'a;

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        for (name, unknown) in ROSTER {
            tag(f, name, self.tag(name).unwrap_or(unknown))?;
        }
        tag(f, "Result", self.result.text())?;
        if self.start != Board::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.start.to_string())?;
        }
        for (name, value) in self.tags() {
            if ROSTER.iter().all(|(known, _)| *known != name) {
                tag(f, name, value)?;
            }
        }
        writeln!(f)?;

        let mut width = 0;
        let mut word = |f: &mut fmt::Formatter<'_>, word: &str| {
            let space = match width {
                0 => "",
                _ if width + 1 + word.len() > 80 => "\n",
                _ => " ",
            };
            width = if space == " " { width + 1 } else { 0 } + word.len();
            write!(f, "{space}{word}")
        };
        // What is said about a move, in the order of the standard: a glyph stands next to its move.
        let say = |f: &mut fmt::Formatter<'_>, word: &mut Words<'_>, plies: usize| {
            for note in self.notes(plies) {
                let text = match note {
                    PgnNote::Glyph(number) => format!("${number}"),
                    PgnNote::Comment(text) => format!("{{{text}}}"),
                    PgnNote::Variation(text) => format!("({text})"),
                };
                text.split_whitespace().try_for_each(|part| word(f, part))?;
            }
            Ok(self.notes(plies).iter().any(|note| !matches!(note, PgnNote::Glyph(_))))
        };
        let mut interrupted = say(f, &mut word, 0)?;
        let mut board = self.start;
        for (place, &mv) in self.moves.iter().enumerate() {
            match board.side() {
                Side::White => word(f, &format!("{}.", board.move_number()))?,
                Side::Black if place == 0 || interrupted => {
                    word(f, &format!("{}...", board.move_number()))?;
                }
                Side::Black => {}
            }
            word(f, &board.san(mv).to_string())?;
            interrupted = say(f, &mut word, place + 1)?;
            board = board.play(mv);
        }
        word(f, self.result.text())?;
        writeln!(f)
    }
}
