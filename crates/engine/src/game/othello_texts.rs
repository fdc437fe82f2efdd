//! Othello as people keep and type it: games in GGF and as transcripts, positions in OBF.

use super::othello::is_transcript;
use super::{Game, GameError, GameLine, Heading, SavedGame, Seat, Verdict};
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
    for (name, value) in tags.into_iter().filter(|(_, value)| !value.is_empty()) {
        game.set_tag(name, value).expect("none of these is the game's own");
    }
    let mut remarks = heading.remarks.iter();
    for &square in line.moves() {
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
            |game: &GgfGame| SavedGame { line: replay(game), text: Some(format!("{game}\n")) };
        GgfGame::parse_all(text)?.iter().map(kept).collect()
    } else if is_transcript(begun) {
        let game: Transcript = text.parse()?;
        vec![with_passes(game.start(), game.moves().iter().map(|&square| Some(square))).into()]
    } else {
        parse_obf(text)?.into_iter().map(|line| GameLine::new(line.position).into()).collect()
    };
    if games.is_empty() {
        let expected = "a game in GGF, moves such as f5d6c3, or a position in OBF";
        return Err(GameError::Nothing { expected });
    }
    Ok(games)
}

/// As above, but with one transcript in each line, after which `%` or `#` begins a comment.
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
