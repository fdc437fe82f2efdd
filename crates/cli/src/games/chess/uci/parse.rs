//! The parser of UCI commands. It does not search or print: errors are returned together with the part
//! of the command that was understood.

use std::time::Duration;

use plyground_engine::session::{Clock, GoLimits};
use plyground_games::chess::{Board, Move, Side};

/// The arguments of `go`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GoCommand {
    pub(super) limits: GoLimits,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) moves: Vec<Move>,
    pub(super) perft: Option<u32>,
    /// Was there a `perft`, even without a valid depth?
    pub(super) counts: bool,
    /// What was wrong.
    pub(super) complaints: Vec<String>,
}

/// The words that `go` knows.
const WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

/// The time left on a clock that the interface did not give.
const DEFAULT_LEFT: Duration = Duration::from_secs(1);

impl GoCommand {
    /// Reads the words after `go`.
    pub(super) fn parse(words: &[&str], board: &Board) -> GoCommand {
        let mut go = GoCommand::default();
        let (mut left, mut increment) = ([None; 2], [None; 2]);
        let mut moves_to_go = None;
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !WORDS.contains(word)) {
                        match board.uci_move(text) {
                            Ok(mv) => go.moves.push(mv),
                            Err(error) => {
                                go.complaints.push(format!("searchmoves: {}", error.problem))
                            }
                        }
                    }
                }
                _ if WORDS.contains(&word) => {
                    go.counts |= word == "perft";
                    let text = words.next_if(|word| !WORDS.contains(word));
                    let Some(number) = text.and_then(number) else {
                        let found = text.unwrap_or("nothing");
                        go.complaints.push(format!("go {word}: expected a number, found {found}"));
                        continue;
                    };
                    let small = u32::try_from(number).unwrap_or(u32::MAX);
                    let time = Some(Duration::from_millis(number));
                    match word {
                        "wtime" => left[0] = time,
                        "btime" => left[1] = time,
                        "winc" => increment[0] = time,
                        "binc" => increment[1] = time,
                        "movestogo" => moves_to_go = Some(small),
                        "depth" => go.limits.depth = Some(small.max(1)),
                        "nodes" => go.limits.nodes = Some(number.max(1)),
                        "mate" => go.limits.mate = Some(small.max(1)),
                        "movetime" => go.limits.move_time = time,
                        _ => go.perft = Some(small),
                    }
                }
                _ => go.complaints.push(format!("go: `{word}` is not understood")),
            }
        }
        let side = usize::from(board.side() == Side::Black);
        if left.iter().chain(&increment).any(Option::is_some) || moves_to_go.is_some() {
            go.limits.clock = Some(Clock {
                left: left[side].or(left[1 - side]).unwrap_or(DEFAULT_LEFT),
                increment: increment[side].unwrap_or_default(),
                moves_to_go,
            });
        }
        if go.limits == GoLimits::default() && !go.ponder && !go.counts {
            go.infinite = true;
        }
        go
    }
}

impl GoCommand {
    /// Does the search last until it is stopped?
    pub(super) fn is_endless(&self) -> bool {
        let GoLimits { clock, move_time, depth, nodes, .. } = &self.limits;
        let ends = clock.is_some() || move_time.is_some() || depth.is_some() || nodes.is_some();
        self.infinite || self.ponder || !ends
    }
}

/// A number; a negative one counts as zero, because interfaces send negative times for clocks that have
/// run out.
fn number(text: &str) -> Option<u64> {
    let number = text.parse::<i128>().ok()?;
    Some(u64::try_from(number.max(0)).unwrap_or(u64::MAX).min(MOST))
}

/// The greatest number. Times of this many milliseconds can be added without overflow.
const MOST: u64 = 1 << 50;

/// The arguments of `position`.
#[derive(Debug, PartialEq)]
pub(super) struct PositionCommand {
    /// The position before the moves.
    pub(super) start: Board,
    /// The moves up to the first illegal one.
    pub(super) moves: Vec<Move>,
    /// What was wrong.
    pub(super) complaints: Vec<String>,
}

/// Reads the words after `position`.
pub(super) fn position(words: &[&str]) -> Result<PositionCommand, String> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (place, played) = words.split_at(end);
    let mut complaints = Vec::new();
    let start = match place {
        ["startpos"] => Board::start(),
        ["fen", fen @ ..] => read_fen(fen, &mut complaints)?,
        _ => return Err("position: expected startpos or fen, then moves".into()),
    };
    let (mut board, mut moves) = (start, Vec::new());
    for (number, text) in (1..).zip(played.iter().skip(1)) {
        match board.uci_move(text) {
            Ok(mv) => {
                moves.push(mv);
                board = board.play(mv);
            }
            Err(error) => {
                complaints.push(format!("position: move {number}: {}", error.problem));
                break;
            }
        }
    }
    Ok(PositionCommand { start, moves, complaints })
}

/// Reads a FEN as interfaces and databases write it: clocks may be missing, and castling rights or an
/// en passant square that the position cannot have are dropped.
fn read_fen(fields: &[&str], complaints: &mut Vec<String>) -> Result<Board, String> {
    let (board, forgiven) =
        Board::from_lenient_fen(&fields.join(" ")).map_err(|error| format!("position: {error}"))?;
    complaints.extend(forgiven.iter().map(|error| format!("position: {error}; it is left out")));
    Ok(board)
}

/// Reads the words after `setoption`: a name and a value.
pub(super) fn option(words: &[&str]) -> Option<(String, Option<String>)> {
    let ["name", rest @ ..] = words else { return None };
    let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let (name, value) = rest.split_at(end);
    let value = (!value.is_empty()).then(|| value[1..].join(" "));
    (!name.is_empty()).then(|| (name.join(" "), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str, board: &Board) -> GoCommand {
        GoCommand::parse(&text.split_whitespace().collect::<Vec<_>>(), board)
    }

    #[test]
    fn the_mover_s_clock_counts() {
        let start = Board::start();
        let text = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        let clock = go(text, &start).limits.clock.unwrap();
        let ms = Duration::from_millis;
        assert_eq!((clock.left, clock.increment, clock.moves_to_go), (ms(1000), ms(10), Some(5)));
        let black = start.play(start.uci_move("e2e4").unwrap());
        assert_eq!(go(text, &black).limits.clock.unwrap().left, ms(2000));
        assert_eq!(go("btime 500", &start).limits.clock.unwrap().left, ms(500));
        assert_eq!(go("wtime -500", &start).limits.clock.unwrap().left, ms(0));
        assert_eq!(go("winc 5", &start).limits.clock.unwrap().left, DEFAULT_LEFT);
        let huge = go("wtime 99999999999999999999999999", &start);
        assert!(huge.limits.clock.is_some() && huge.complaints.is_empty());
    }

    #[test]
    fn unknown_words_are_reported_and_left_out() {
        let start = Board::start();
        let asked = go("depth x nodes searchmoves e2e4 e2e5 d2d4 infinite rubbish", &start);
        assert_eq!(asked.moves.len(), 2);
        assert!(asked.infinite);
        assert_eq!(asked.complaints.len(), 4, "{:?}", asked.complaints);
        assert!(go("", &start).infinite && !go("depth 3", &start).infinite);
        assert_eq!(go("perft 3", &start).perft, Some(3));
        let nothing = go("perft x", &start);
        assert!(nothing.counts && nothing.perft.is_none() && !nothing.infinite);
        assert!(go("mate 3", &start).is_endless() && go("ponder depth 3", &start).is_endless());
        assert!(!go("mate 3 nodes 9", &start).is_endless());
    }

    #[test]
    fn positions_and_options() {
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        let placed = position(&words("startpos moves e2e4 e7e5")).unwrap();
        assert_eq!((placed.start, placed.moves.len()), (Board::start(), 2));
        assert!(placed.complaints.is_empty());
        let placed = position(&words("startpos moves e2e4 e2e4 d7d5")).unwrap();
        assert_eq!(placed.moves.len(), 1);
        assert!(placed.complaints[0].starts_with("position: move 2: \"e2e4\""), "{placed:?}");
        let placed = position(&words("fen 7k/8/8/8/8/8/8/K7 w - -")).unwrap();
        assert_eq!(placed.start.to_string(), "7k/8/8/8/8/8/8/K7 w - - 0 1");
        let placed = position(&words("fen 7k/8/8/8/8/8/8/K7 w K - 0 1 moves a1b1")).unwrap();
        assert_eq!((placed.moves.len(), placed.complaints.len()), (1, 1));
        for wrong in ["", "moves", "fen", "fen x y z", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "here"] {
            assert!(position(&words(wrong)).is_err(), "{wrong}");
        }
        let named = |name: &str, value: Option<&str>| Some((name.into(), value.map(Into::into)));
        assert_eq!(option(&words("name Move Overhead value 5")), named("Move Overhead", Some("5")));
        assert_eq!(option(&words("name Clear Hash")), named("Clear Hash", None));
        assert_eq!(option(&words("name value 3")), None);
        assert_eq!(option(&words("Hash 3")), None);
    }
}
