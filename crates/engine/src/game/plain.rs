//! The defaults of [`Game`]: texts of one line, and rules by the tree alone.
//!
//! A game is one line of text: its first position, unless that is the start, the word `moves`, and
//! the moves. A position alone is a game without moves. `#` begins a comment.

use super::{Game, GameError, GameLine, Heading, SavedGame, SuiteProblem, Verdict};
use plyground_core::tree::{GameTree, MoveList};

/// The word between a position and the moves.
const MOVES: &str = "moves";

pub(super) fn written<G: Game>(position: &G::Position, moves: &[G::Move]) -> Vec<String> {
    let mut at = position.clone();
    let each = moves.iter().map(|&mv| {
        let text = G::move_text(&at, mv);
        if let Some(next) = G::played(&at, mv) {
            at = next;
        }
        text
    });
    each.collect()
}

/// A game without legal moves is over, and the evaluation says which side has won.
pub(super) fn verdict<G: Game>(positions: &[G::Position]) -> Option<Verdict> {
    let position = positions.last()?;
    let tree = G::from_position(position, G::Evaluator::default());
    let mut moves = G::Moves::default();
    tree.moves(&tree.root(), &mut moves);
    if !moves.is_empty() {
        return None;
    }
    let mover = G::mover(position);
    let winner = match tree.evaluate(&tree.root()) {
        0 => None,
        1.. => Some(mover),
        _ => Some(mover.other()),
    };
    Some(Verdict { winner, reason: "no move is left".into() })
}

pub(super) fn save<G: Game>(line: &GameLine<G>, heading: &Heading) -> String {
    let [first, second] = &heading.players;
    let verdict = heading.verdict.clone().or_else(|| line.verdict());
    let mut text = String::new();
    for (name, value) in [
        ("event", heading.event.as_str()),
        ("date", &heading.date),
        ("round", &heading.round),
        (G::SIDES[0], first),
        (G::SIDES[1], second),
        ("time", &heading.time),
        ("result", &verdict.map_or_else(String::new, |verdict| verdict.text(G::SIDES))),
    ] {
        if !value.is_empty() {
            text += &format!("# {name}: {}\n", value.replace('\n', " "));
        }
    }
    let from_start = G::position("").is_ok_and(|start| start == *line.start());
    let mut words = Vec::new();
    if !from_start {
        words.push(line.start().to_string());
    }
    if from_start || !line.moves().is_empty() {
        words.push(MOVES.into());
        words.extend(G::written(line.start(), line.moves()));
    }
    text + &words.join(" ") + "\n"
}

pub(super) fn games<G: Game>(text: &str) -> Result<Vec<SavedGame<GameLine<G>>>, GameError> {
    let mut games = Vec::new();
    for (number, written, _) in lines(text) {
        let at = |error| GameError::Line { line: number, error: Box::new(error) };
        let words: Vec<&str> = written.split_whitespace().collect();
        let end = words.iter().position(|word| *word == MOVES).unwrap_or(words.len());
        let start = G::position(&words[..end].join(" ")).map_err(at)?;
        let mut line = GameLine::<G>::new(start);
        for word in words.iter().skip(end + 1) {
            line.play(G::read_move(line.position(), word).map_err(at)?);
        }
        games.push(line.into());
    }
    if games.is_empty() {
        return Err(GameError::Nothing { expected: "a position, or `moves` and moves, in a line" });
    }
    Ok(games)
}

pub(super) fn suite<G: Game>(text: &str) -> Result<Vec<SuiteProblem<G>>, GameError> {
    let mut problems = Vec::new();
    for (number, written, name) in lines(text) {
        let position = G::position(written)
            .map_err(|error| GameError::Line { line: number, error: Box::new(error) })?;
        let name = name.to_owned();
        let (best, avoid, points) = Default::default();
        problems.push(SuiteProblem { position, name, best, avoid, points });
    }
    Ok(problems)
}

/// The lines that are not empty: number, text, comment.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.lines().enumerate().filter_map(|(place, line)| {
        let (text, comment) = line.split_once('#').unwrap_or((line, ""));
        let text = text.trim();
        (!text.is_empty()).then_some((place + 1, text, comment.trim()))
    })
}

/// How many paths of `depth` moves there are.
pub(super) fn perft<T: GameTree>(tree: &T, node: &T::Node, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = T::Moves::default();
    tree.moves(node, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    (0..moves.len()).map(|place| perft(tree, &tree.child(node, moves.at(place)), depth - 1)).sum()
}
