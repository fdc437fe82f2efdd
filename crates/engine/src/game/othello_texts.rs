//! Othello as people keep and type it: games in GGF and as transcripts, positions in OBF.

use super::othello::is_transcript;
use super::{Game, GameError, GameLine, Heading, MoveAnnotation, SavedGame, Seat, Verdict};
use plyground_games::grid::Square;
use plyground_games::othello::{
    DISC, Disc, GgfGame, GgfMove, Move, ObfLine, Othello, Position, Transcript, parse_obf,
};

pub(super) fn mover(position: &Position) -> Seat {
    match position.side {
        Disc::Black => Seat::First,
        Disc::White => Seat::Second,
    }
}

/// The side with more discs wins. Empty squares that neither side could fill count for the winner,
/// as in tournaments.
pub(super) fn verdict(positions: &[Position]) -> Option<Verdict> {
    let position = positions.last().filter(|position| position.board.is_over())?;
    let score = position.board.final_score();
    let winner = match score {
        0 => None,
        1.. => Some(mover(position)),
        _ => Some(mover(position).other()),
    };
    let (more, less) = ((64 + score.abs()) / 2, (64 - score.abs()) / 2);
    Some(Verdict { winner, reason: format!("{more}-{less}") })
}

/// Why a text is no legal move.
pub(super) fn why_illegal(position: &Position, text: &str) -> Option<String> {
    let board = &position.board;
    if board.is_over() {
        return Some("the game is over".into());
    }
    let small = text.trim().to_ascii_lowercase();
    if ["pass", "ps", "pa", "--"].contains(&small.as_str()) {
        let legal = board.must_pass();
        return (!legal).then(|| format!("{} has a move and may not pass", position.side));
    }
    let square: Square = small.parse().ok()?;
    if board.moves().contains(square) {
        return None;
    }
    Some(match position.disc(square) {
        Some(disc) => format!("there is a {disc} disc on {square} already"),
        None if board.must_pass() => format!("{} has no move and must pass", position.side),
        None => format!("{square} turns no disc"),
    })
}

/// Why the points are more than the discs: empty squares count for the winner.
pub(super) fn result_note(position: &Position) -> Option<String> {
    let board = &position.board;
    let (empty, score) = (board.empties().len(), board.final_score());
    if !board.is_over() || empty == 0 {
        return None;
    }
    let own = position.discs(position.side).len();
    let other = 64 - empty - own;
    let squares = if empty == 1 { "the empty square" } else { "the empty squares" };
    Some(match score {
        0 => format!("{own} discs each, and {squares} counted half for each side"),
        _ => {
            let more = own.max(other);
            let points = more + empty;
            format!("{more} discs count {points}: {squares} ({empty}) went to the winner")
        }
    })
}

/// The game in GGF.
pub(super) fn save(line: &GameLine<Othello>, heading: &Heading) -> String {
    let mut game = GgfGame::new(*line.start());
    let verdict = heading.verdict.clone().or_else(|| line.verdict());
    // Black's discs less White's, as servers write it.
    let result = verdict.map_or_else(String::new, |verdict| {
        let discs = line.verdict().map(|_| {
            let score = line.position().board.final_score();
            if line.mover() == Seat::First { score } else { -score }
        });
        match (discs, verdict.winner) {
            (Some(score), _) if heading.verdict.is_none() => format!("{score:+}"),
            // A game that was lost without being played out counts as lost by all discs.
            (_, Some(Seat::First)) => "+64".into(),
            (_, Some(Seat::Second)) => "-64".into(),
            (_, None) => "+0".into(),
        }
    });
    let [black, white] = &heading.players;
    let tags = [
        ("PC", heading.event.as_str()),
        ("DT", &heading.date),
        ("PB", black),
        ("PW", white),
        ("RE", &result),
        ("TI", &heading.time),
        ("TY", "8"),
    ];
    // What is `-` in PGN is left out here.
    let said = |(_, value): &(&str, &str)| !value.is_empty() && *value != "-";
    for (name, value) in tags.into_iter().filter(said) {
        game.set_tag(name, value).expect("none of these is the game's own");
    }
    let mut remarks = heading.remarks.iter();
    let source = heading.source.trim().parse::<GgfGame>().ok();
    let mut source = source.filter(|source| source.start() == *line.start());
    for (place, &square) in line.moves().iter().enumerate() {
        // As long as the moves are the same, what was said about them is kept.
        let said = source.as_ref().and_then(|source| source.moves().get(place).copied());
        if let Some(said) = said.filter(|said| said.square == square) {
            game.play(said).expect("a line holds legal moves only");
            continue;
        }
        source = None;
        let remark = remarks.next().copied().flatten();
        let discs = |value| f64::from(value) / f64::from(DISC);
        let played = GgfMove {
            square,
            evaluation: remark.and_then(|remark| remark.value).map(discs),
            // Clocks are no more precise than thousandths.
            seconds: remark.map(|remark| (remark.time.as_secs_f64() * 1e3).round() / 1e3),
        };
        game.play(played).expect("a line holds legal moves only");
    }
    format!("{game}\n")
}

/// The game in GGF, with the value of each move for the side that made it.
pub(super) fn annotated(
    saved: &SavedGame<GameLine<Othello>>,
    annotations: &[Option<MoveAnnotation>],
) -> String {
    let text = saved.text.clone().unwrap_or_else(|| save(&saved.line, &Heading::default()));
    let Ok(source) = text.trim().parse::<GgfGame>() else { return text };
    let mut game = GgfGame::new(source.start());
    for (name, value) in source.tags() {
        game.set_tag(name, value).expect("it was a tag");
    }
    let values = annotations.iter().chain(std::iter::repeat(&None));
    for (played, annotation) in source.moves().iter().zip(values) {
        let black = game.end().side == Disc::Black;
        let value = annotation.as_ref().map(|annotation| {
            let discs = f64::from(annotation.value) / f64::from(DISC);
            if black || discs == 0.0 { discs } else { -discs }
        });
        let played = GgfMove { evaluation: value.or(played.evaluation), ..*played };
        game.play(played).expect("it was legal");
    }
    format!("{game}\n")
}

/// A position in OBF.
pub(super) fn save_position(position: &Position) -> String {
    let line = ObfLine { position: *position, moves: Vec::new(), comment: String::new() };
    format!("{line}\n")
}

/// Games in GGF, one transcript, or positions in OBF, one a line.
pub(super) fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Othello>>>, GameError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begun = text.trim_start();
    let games: Vec<SavedGame<GameLine<Othello>>> = if begun.is_empty() {
        Vec::new()
    } else if begun.contains("(;") {
        let kept =
            |game: &GgfGame| SavedGame { text: Some(format!("{game}\n")), ..replay(game).into() };
        GgfGame::parse_all(text)?.iter().map(kept).collect()
    } else if is_transcript(begun) {
        let line = |game: &Transcript| {
            with_passes(game.start(), game.moves().iter().map(|&square| Some(square)))
        };
        match text.parse::<Transcript>() {
            Ok(game) => vec![line(&game).into()],
            // One game may take several lines, so it is read as one if that is possible.
            Err(error) => {
                let lines = text.lines().filter(|text| !text.trim().is_empty());
                let games: Result<Vec<Transcript>, _> = lines.map(str::parse).collect();
                games.map_err(|_| error)?.iter().map(|game| line(game).into()).collect()
            }
        }
    } else {
        parse_obf(text)?.into_iter().map(|line| GameLine::new(line.position).into()).collect()
    };
    if games.is_empty() {
        let expected = "a game in GGF, moves such as f5d6c3, or a position in OBF";
        return Err(GameError::Nothing { expected });
    }
    Ok(games)
}

/// The games of a GGF file.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = text.match_indices("(;").map(|(at, _)| at).collect();
    // What stands before the first game goes with it.
    match begins.first_mut() {
        Some(first) => *first = 0,
        None => begins.push(0),
    }
    let ends = begins.iter().copied().skip(1).chain([text.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| &text[begin..end]).collect()
}

/// As `games`, but with one transcript in each line, after which `%` or `#` begins a comment.
pub(super) fn openings(text: &str) -> Result<Vec<GameLine<Othello>>, GameError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(|line| line.split(['%', '#']).next().unwrap_or("").trim_end());
    let lines = lines.enumerate().filter(|(_, line)| !line.trim().is_empty());
    if !lines.clone().next().is_some_and(|(_, line)| is_transcript(line)) {
        return Othello::load(text);
    }
    let mut openings = Vec::new();
    for (place, line) in lines {
        let game = line.parse::<Transcript>().map_err(|error| error.on_line(place + 1))?;
        openings.push(with_passes(game.start(), game.moves().iter().map(|&square| Some(square))));
    }
    Ok(openings)
}

fn replay(game: &GgfGame) -> GameLine<Othello> {
    with_passes(game.start(), game.moves().iter().map(|played| played.square))
}

/// Plays moves that may leave forced passes out.
fn with_passes(start: Position, moves: impl Iterator<Item = Move>) -> GameLine<Othello> {
    let mut line = GameLine::<Othello>::new(start);
    for mv in moves {
        if mv.is_some() && line.position().board.must_pass() {
            line.play(None);
        }
        line.play(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_before_each_game() {
        let (first, second) = ("two games: (;GM[Othello]B[Z9];)\n", "(;GM[Othello]B[F5];)");
        assert_eq!(parts(&format!("{first}{second}")), [first, second]);
        assert_eq!(parts("f5d6"), ["f5d6"]);
    }

    #[test]
    fn transcripts_are_one_over_several_lines_or_one_a_line() {
        let plies = |text: &str| {
            let games = games(text).unwrap();
            games.iter().map(|game| game.line.moves().len()).collect::<Vec<_>>()
        };
        assert_eq!(plies("f5d6\nc3d3\n"), [4]);
        assert_eq!(plies("f5d6c3\n\nf5f6\n"), [3, 2]);
        let error = games("f5d6\na1\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2, column 1: a1 is not a legal move"), "{error}");
    }
}
