//! Chess as people keep and type it: games in PGN, positions in FEN and EPD, moves in SAN.

use super::{GameError, GameLine, Heading, MoveAnnotation, Remark, SavedGame, Seat, Verdict};
use plyground_core::value::{LEAST_MATE, MATE, Value};
use plyground_games::chess::{
    Board, Chess, Draw, Epd, Evaluator, GameResult, History, Move, PAWN, PgnGame, PgnNote, Side,
    Status, parse_epd,
};

/// The points that a line of EPD gives for moves, as in `c0 "f5=10, Be5+=2"`. A comment that says
/// anything else gives none.
pub(super) fn points(epd: &Epd) -> Vec<(Move, u32)> {
    let comment = epd.others.iter().find(|(code, _)| code == "c0");
    let Some([operand]) = comment.map(|(_, operands)| operands.as_slice()) else {
        return Vec::new();
    };
    let point = |text: &str| {
        // The move itself may have an equals sign: `e8=Q=10`.
        let (mv, points) = text.trim().rsplit_once('=')?;
        Some((epd.board.san_move(mv.trim()).ok()?, points.trim().parse().ok()?))
    };
    operand.text().split(',').map(point).collect::<Option<_>>().unwrap_or_default()
}

pub(super) fn mover(board: &Board) -> Seat {
    match board.side() {
        Side::White => Seat::First,
        Side::Black => Seat::Second,
    }
}

/// Mate, stalemate, too little material, the third repetition, fifty moves.
pub(super) fn verdict(positions: &[Board]) -> Option<Verdict> {
    let board = positions.last()?;
    let ended = |winner, reason: &str| Some(Verdict { winner, reason: reason.into() });
    if board.status() == Status::Checkmate {
        return ended(Some(mover(board).other()), "checkmate");
    }
    let mut history = History::new();
    positions.iter().for_each(|position| history.push(position));
    let reason = match history.draw(board)? {
        Draw::Stalemate => "stalemate",
        Draw::InsufficientMaterial => "insufficient material",
        Draw::Repetition => "threefold repetition",
        Draw::FiftyMoves => "fifty moves",
    };
    ended(None, reason)
}

/// SAN, or from square to square. Only the capital letter tells a bishop from a pawn on the b-file,
/// so a text is read as SAN as it is written, and only then in small letters from square to square.
pub(super) fn typed_move(board: &Board, text: &str) -> Result<Move, GameError> {
    let coordinates = text.to_ascii_lowercase();
    match board.san_move(text) {
        Ok(mv) => Ok(mv),
        Err(error) => board.uci_move(&coordinates).map_err(|_| error.into()),
    }
}

/// The terms of the evaluation; for a network, its value and how much each piece changes it.
pub(super) fn explain(evaluator: &Evaluator, board: &Board) -> Vec<(String, Value)> {
    let whole = evaluator.explain(board).into_iter().map(|term| (term.term.into(), term.value));
    let pieces = evaluator.explain_pieces(board).into_iter().filter_map(|(square, value)| {
        let (side, piece) = (board.side_on(square)?, board.piece_on(square)?);
        Some((format!("{side} {} on {square}", piece.name()), value))
    });
    whole.chain(pieces).collect()
}

/// A player's remark as chess programs write it: pawns or moves to mate, depth, seconds.
fn comment(remark: &Remark) -> String {
    let mut text = String::new();
    if let Some(value) = remark.value {
        let sign = if value < 0 { '-' } else { '+' };
        text = match value.abs() {
            mate @ LEAST_MATE.. => format!("{sign}M{}", (MATE - mate + 1) / 2),
            _ => format!("{:+.2}", f64::from(value) / f64::from(PAWN)),
        };
        if let Some(depth) = remark.depth {
            text += &format!("/{depth}");
        }
        text.push(' ');
    }
    text + &format!("{}s", (remark.time.as_secs_f64() * 1e3).round() / 1e3)
}

/// The game in PGN.
pub(super) fn save(line: &GameLine<Chess>, heading: &Heading) -> String {
    let mut game = PgnGame::new(*line.start());
    let mut remarks = heading.remarks.iter();
    // As long as the moves are the same, what was said about them is kept.
    let mut source = heading.source.parse::<PgnGame>().ok().filter(|s| s.start() == line.start());
    let mut keep = |game: &mut PgnGame, plies: usize| {
        source = source.take().filter(|source| source.moves().get(..plies) == Some(game.moves()));
        let notes = source.as_ref().map_or(&[][..], |source| source.notes(plies));
        notes.iter().for_each(|note| game.note(note.clone()));
    };
    keep(&mut game, 0);
    for (plies, &mv) in (1..).zip(line.moves()) {
        game.play(mv).expect("a line holds legal moves only");
        keep(&mut game, plies);
        if let Some(remark) = remarks.next().copied().flatten() {
            game.note(PgnNote::Comment(comment(&remark)));
        }
    }
    let verdict = heading.verdict.clone().or_else(|| line.verdict());
    let [white, black] = &heading.players;
    let reason = verdict.as_ref().map_or("", |verdict| verdict.reason.as_str());
    let tags = [
        ("Event", heading.event.as_str()),
        ("Date", &heading.date),
        ("Round", &heading.round),
        ("White", white),
        ("Black", black),
        ("TimeControl", &heading.time),
        ("Termination", reason),
    ];
    for (name, value) in tags.into_iter().filter(|(_, value)| !value.is_empty()) {
        game.set_tag(name, value).expect("none of these is the game's own");
    }
    game.result = match verdict.map(|verdict| verdict.winner) {
        None => GameResult::Open,
        Some(None) => GameResult::Draw,
        Some(Some(Seat::First)) => GameResult::WhiteWins,
        Some(Some(Seat::Second)) => GameResult::BlackWins,
    };
    game.to_string()
}

/// The game in PGN: values as comments, signs behind moves that gave something away, and better lines as
/// variations, besides what the game's file said.
pub(super) fn annotated(
    saved: &SavedGame<GameLine<Chess>>,
    annotations: &[Option<MoveAnnotation>],
) -> String {
    let text = saved.text.clone().unwrap_or_else(|| save(&saved.line, &Heading::default()));
    let Ok(mut game) = text.parse::<PgnGame>() else { return text };
    for (place, annotation) in annotations.iter().enumerate().take(game.moves().len()) {
        let Some(annotation) = annotation else { continue };
        // A sign that a person has set stays.
        let judged = |note: &PgnNote| matches!(note, PgnNote::Glyph(1..=6));
        let glyph = annotation.glyph.filter(|_| !game.notes(place + 1).iter().any(judged));
        let before = saved.line.positions().get(place);
        let better = before.and_then(|board| variation(board, &annotation.better));
        let comment = Some(annotation.comment.clone()).filter(|comment| !comment.is_empty());
        let notes = glyph.map(PgnNote::Glyph).into_iter();
        let notes = notes.chain(comment.map(PgnNote::Comment));
        for note in notes.chain(better.map(PgnNote::Variation)) {
            game.note_at(place + 1, note);
        }
    }
    game.to_string()
}

/// A line of play with its numbers, as in `12... Nf6 13. O-O`; `None` if it is empty.
fn variation(start: &Board, moves: &[String]) -> Option<String> {
    let mut line = GameLine::<Chess>::new(*start);
    for text in moves {
        let mv = line.position().uci_move(text).ok()?;
        line.play(mv);
    }
    let words = numbered(&line).into_iter().map(|word| match word.rsplit_once('.') {
        Some((number, mv)) => format!("{number}. {mv}"),
        None => word,
    });
    let text = words.collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// A position in FEN, or in EPD.
pub(super) fn save_position(board: &Board, ending: &str) -> String {
    match ending {
        "epd" => format!("{}\n", Epd::from(*board)),
        _ => format!("{board}\n"),
    }
}

/// The moves with their numbers. A game from a later position begins with a later number, and may
/// begin with Black's move.
pub(super) fn numbered(line: &GameLine<Chess>) -> Vec<String> {
    let moves = line.positions().iter().zip(line.shown()).enumerate();
    let numbered = moves.map(|(place, (board, text))| match board.side() {
        Side::White => format!("{}.{text}", board.move_number()),
        Side::Black if place == 0 => format!("{}...{text}", board.move_number()),
        Side::Black => text,
    });
    numbered.collect()
}

/// The comments among what is said about a move, variations in parentheses.
fn comments(notes: &[PgnNote]) -> String {
    let said = notes.iter().filter_map(|note| match note {
        PgnNote::Comment(text) => Some(text.clone()),
        PgnNote::Variation(text) => Some(format!("({text})")),
        PgnNote::Glyph(_) => None,
    });
    said.collect::<Vec<_>>().join(" ")
}

/// Games in PGN, or positions in FEN or EPD, one a line.
pub(super) fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Chess>>>, GameError> {
    // A position has seven slashes before its first space; no move and no tag has.
    let begun = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let first = begun.and_then(|line| line.split_whitespace().next()).unwrap_or("");
    if first.matches('/').count() == 7 {
        let boards = parse_epd(text)?.into_iter().map(|epd| epd.board);
        return Ok(boards.map(|board| GameLine::new(board).into()).collect());
    }
    let mut games = Vec::new();
    for game in PgnGame::parse_all(text)? {
        let mut line = GameLine::new(*game.start());
        game.moves().iter().for_each(|&mv| {
            line.play(mv);
        });
        let comments = (0..=game.moves().len()).map(|plies| comments(game.notes(plies)));
        let mut comments: Vec<String> = comments.collect();
        while comments.pop_if(|comment| comment.is_empty()).is_some() {}
        games.push(SavedGame { line, text: Some(game.to_string()), comments });
    }
    if games.is_empty() {
        return Err(GameError::Nothing { expected: "a game in PGN, or a position in FEN" });
    }
    Ok(games)
}

/// The games of a PGN file: each begins with the first of its tags, which stand on lines of their own.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut at) = (Vec::new(), 0, 0);
    // Is there a move since the last tag, and is a comment open?
    let (mut moves, mut comment) = (false, false);
    for line in text.split_inclusive('\n') {
        let is_tag = !comment && line.trim_start().starts_with('[');
        if is_tag && moves {
            parts.push(&text[begin..at]);
            (begin, moves) = (at, false);
        }
        moves |= !is_tag && !line.trim().is_empty();
        for letter in line.chars().filter(|_| !is_tag) {
            comment = if comment { letter != '}' } else { letter == '{' };
        }
        at += line.len();
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_before_each_games_tags() {
        let first = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {open\n[%clk 1] still} e5\n2. Ke9 *\n\n";
        let second = "[Event \"c\"]\n\n1. d4 *\n";
        assert_eq!(parts(&format!("{first}{second}")), [first, second]);
        assert_eq!(parts("1. e4 e5 *"), ["1. e4 e5 *"]);
        assert_eq!(parts(""), [""]);
    }
}
