//! The values of a game as a chart of letters.

use super::AnalysedGame;
use plyground_core::value::Value;

/// The rows above and below the middle.
const ROWS: usize = 4;

/// A chart of the values after each move: bars above the line for the side that begins, below it for the
/// other. Each letter has two halves, so a row is two steps. At most `width` columns; empty without
/// moves.
pub fn chart(game: &AnalysedGame, width: usize) -> String {
    let [first, second] = game.game.sides();
    let label = first.len().max(second.len()) + 1;
    let room = width.saturating_sub(label).max(1);
    let values: Vec<Value> = game.moves.iter().map(|mv| mv.value).collect();
    if values.is_empty() {
        return String::new();
    }
    // Several moves share a column if there are many, one has several columns if there are few.
    let wide = (room / values.len()).clamp(1, 3);
    let shared = values.len().div_ceil(room);
    let columns: Vec<Value> = values
        .chunks(shared)
        .flat_map(|chunk| {
            let mean = chunk.iter().map(|&value| i64::from(value)).sum::<i64>();
            std::iter::repeat_n((mean / chunk.len() as i64) as Value, wide)
        })
        .collect();
    let unit = game.game.aspiration() as Value;
    // A mate does not make everything else look even.
    let most = values.iter().map(|value| value.abs()).max().unwrap_or(0).clamp(2 * unit, 20 * unit);
    let steps = (2 * ROWS) as Value;
    let height =
        |value: Value| (value.clamp(-most, most) * steps + value.signum() * most / 2) / most;
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let name = if row + 1 == ROWS { first } else { "" };
        let cells = columns.iter().map(|&value| match height(value) - 2 * row as Value {
            2.. => '█',
            1 => '▄',
            _ => ' ',
        });
        text += format!("{name:<label$}{}", cells.collect::<String>()).trim_end();
        text.push('\n');
    }
    text += &format!("{:<label$}{}\n", "", "─".repeat(columns.len()));
    for row in 0..ROWS {
        let name = if row + 1 == ROWS { second } else { "" };
        let cells = columns.iter().map(|&value| match -height(value) - 2 * row as Value {
            2.. => '█',
            1 => '▀',
            _ => ' ',
        });
        text += format!("{name:<label$}{}", cells.collect::<String>()).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{AnalysedMove, MoveQuality};
    use super::*;
    use plyground_engine::game::{Game, Seat};
    use plyground_games::chess::Chess;

    fn of(values: &[Value]) -> AnalysedGame {
        let mv = |(ply, &value): (usize, &Value)| AnalysedMove {
            ply,
            seat: Seat::First,
            written: String::new(),
            shown: String::new(),
            numbered: String::new(),
            value,
            loss: 0,
            best: Vec::new(),
            best_shown: Vec::new(),
            quality: MoveQuality::Good,
            depth: 1,
        };
        let moves = (1..).zip(values).map(mv).collect();
        AnalysedGame { game: Chess::door(), moves, plies: values.len() }
    }

    #[test]
    fn bars_are_on_the_side_that_is_ahead() {
        let text = chart(&of(&[0, 100, -100, 32_000]), 10);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 * ROWS + 1, "{text}");
        assert_eq!(lines[0], "white    █", "{text}");
        assert_eq!(lines[ROWS - 1], "       ▄ █", "{text}");
        assert_eq!(lines[ROWS], "      ────");
        assert_eq!(lines[ROWS + 1], "        ▀", "{text}");
        assert_eq!(*lines.last().unwrap(), "black");
    }

    #[test]
    fn it_fits() {
        for moves in [0, 1, 5, 60, 300] {
            for width in [20, 80] {
                let values: Vec<Value> = (0..moves).map(|n| n * 13 % 400 - 200).collect();
                let text = chart(&of(&values), width);
                let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
                assert!(longest <= width, "{moves} {width}\n{text}");
            }
        }
    }
}
