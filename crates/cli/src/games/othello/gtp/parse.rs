//! The parser of GTP commands.

use std::time::Duration;

use plyground_engine::game::{Game, GameError};
use plyground_games::othello::{Disc, Move, Othello, Position};

/// A command with its number, if it has one, and its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GtpCommand<'a> {
    pub(super) id: Option<&'a str>,
    /// Empty if there is a number and nothing else.
    pub(super) command: &'a str,
    pub(super) arguments: Vec<&'a str>,
}

/// A line without comments and control characters; a tab becomes a space.
pub(super) fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    let seen = line.chars().map(|letter| if letter == '\t' { ' ' } else { letter });
    seen.filter(|letter| !letter.is_control()).collect()
}

impl GtpCommand<'_> {
    /// Reads a clean line; `None` if it is empty.
    pub(super) fn parse(line: &str) -> Option<GtpCommand<'_>> {
        let mut words = line.split_whitespace().peekable();
        let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(number);
        if id.is_none() {
            words.peek()?;
        }
        Some(GtpCommand {
            id,
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

/// Is this raw line the command `quit`?
pub(super) fn quits(line: &str) -> bool {
    GtpCommand::parse(&clean(line)).is_some_and(|line| line.command == "quit")
}

/// Reads a colour; case does not matter, here and elsewhere.
pub(super) fn color(text: &str) -> Option<Disc> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Disc::Black),
        "w" | "white" => Some(Disc::White),
        _ => None,
    }
}

/// Reads a number of seconds; a negative one, of a clock that has run out, counts as zero.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| !seconds.is_nan())?;
    Some(Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS)))
}

/// More than any game takes: a year.
const MOST_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// Reads a number of stones; a negative one counts as zero.
pub(super) fn stones(text: &str) -> Option<u32> {
    let number = text.parse::<i64>().ok()?;
    Some(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
}

/// A move as GTP writes it: `F5` or `PASS`.
pub(super) fn vertex(mv: Move) -> String {
    mv.map_or_else(|| "PASS".into(), |square| square.to_string().to_uppercase())
}

/// Reads a vertex, legal or not; `None` if the text is no vertex.
pub(super) fn read_vertex(text: &str) -> Option<Move> {
    match text.to_ascii_lowercase().as_str() {
        "pass" => Some(None),
        square => square.parse().ok().map(Some),
    }
}

/// Reads 64 squares and the side to move.
pub(super) fn position(words: &[&str]) -> Result<Position, GameError> {
    Othello::position(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_numbers_comments_and_dirt() {
        let text = clean("  12\tplay\u{7} b  f5\r # 13 quit\n");
        let line = GtpCommand::parse(&text).unwrap();
        assert_eq!((line.id, line.command), (Some("12"), "play"));
        assert_eq!(line.arguments, ["b", "f5"]);
        assert_eq!(GtpCommand::parse(&clean("# nothing")), None);
        assert_eq!(GtpCommand::parse(&clean(" \t\r\n")), None);
        assert_eq!(GtpCommand::parse("7").unwrap().command, "");
        assert_eq!(GtpCommand::parse("undo").unwrap().id, None);
        assert!(quits("3 quit # now") && !quits("known_command quit"));
    }

    #[test]
    fn colours_moves_and_times() {
        assert_eq!(
            [color("B"), color("wHite"), color("x")],
            [Some(Disc::Black), Some(Disc::White), None]
        );
        assert_eq!(read_vertex("PaSs"), Some(None));
        assert_eq!(read_vertex("F5").map(vertex), Some("F5".into()));
        for wrong in ["", "i1", "a9", "a0", "resign", "f55", "é5"] {
            assert_eq!(read_vertex(wrong), None, "{wrong}");
        }
        assert_eq!(seconds("-3"), Some(Duration::ZERO));
        assert_eq!(seconds("0.25"), Some(Duration::from_millis(250)));
        assert!(seconds("1e300").is_some() && seconds("nan").is_none() && seconds("x").is_none());
        assert_eq!(
            [stones("-1"), stones("99999999999"), stones("1.5")],
            [Some(0), Some(u32::MAX), None]
        );
    }
}
