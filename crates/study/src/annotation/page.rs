//! The analysis of a game as a page.

use super::{AnalysedGame, MoveQuality};
use crate::report::document::{Block, Cell, Document, ReportTable};
use crate::report::plot::{Plot, Series};
use plyground_core::value::{LEAST_MATE, Value};
use plyground_engine::game::Seat;

/// The page: a chart of the values, what each side gave away, and all moves.
pub fn page(game: &AnalysedGame, title: &str, how: &str) -> Document {
    let [first, second] = game.game.sides();
    let mut blocks = vec![Block::Text(format!("{how}. Values are for {first}."))];
    blocks.push(Block::Part("The course of the game".into()));
    blocks.push(Block::Figure(plot(game), ReportTable::default()));
    blocks.push(Block::Part("What was given away".into()));
    let mut sums =
        ReportTable::new("", &["side", "inaccuracies", "mistakes", "blunders", "mean loss"]);
    for (seat, side) in Seat::ALL.into_iter().zip([first, second]) {
        let mut row = vec![Cell::new(side)];
        row.extend(
            MoveQuality::MARKED.map(|quality| Cell::new(game.count(seat, quality).to_string())),
        );
        let mean = game.mean_loss(seat).map_or("–".into(), |loss| format!("{:.2}", loss / 100.0));
        row.push(Cell::new(mean));
        sums.rows.push(row);
    }
    blocks.push(Block::Table(sums));
    blocks.push(Block::Part("The moves".into()));
    let mut moves = ReportTable::new("", &["move", "value", "loss", "", "better"]);
    moves.with_words(&[3, 4]);
    for mv in &game.moves {
        let marked = mv.quality != MoveQuality::Good;
        let loss =
            if mv.loss > 0 { format!("{:.2}", f64::from(mv.loss) / 100.0) } else { String::new() };
        moves.rows.push(vec![
            Cell::new(format!("{}{}", mv.numbered, mv.quality.mark())),
            Cell::new(AnalysedGame::short_value(mv.value)),
            Cell::new(loss),
            Cell::new(if marked { mv.quality.name() } else { "" }),
            Cell::new(if marked { mv.best_shown.join(" ") } else { String::new() }),
        ]);
    }
    blocks.push(Block::Table(moves));
    Document { title: title.into(), blocks }
}

fn plot(game: &AnalysedGame) -> Plot {
    let [first, _] = game.game.sides();
    let unit = game.game.aspiration() as Value;
    // A mate is drawn at the edge.
    let edge = game.moves.iter().map(|mv| mv.value.abs()).filter(|value| *value < LEAST_MATE).max();
    let edge = edge.unwrap_or(0).max(10 * unit);
    let point =
        |(ply, value): (usize, Value)| (ply as f64, f64::from(value.clamp(-edge, edge)) / 100.0);
    let values = game.moves.iter().map(|mv| point((mv.ply, mv.value)));
    let mut series = vec![Series {
        name: format!("value for {first}"),
        points: values.collect(),
        reference: true,
        look: Some(0),
        ..Series::default()
    }];
    for (number, quality) in (1..).zip(MoveQuality::MARKED) {
        // Single points: what lies between them is left out.
        let marked = game.moves.iter().map(|mv| match mv.quality == quality {
            true => point((mv.ply, mv.value)),
            false => (mv.ply as f64, f64::NAN),
        });
        let points: Vec<(f64, f64)> = marked.collect();
        if points.iter().any(|(_, value)| value.is_finite()) {
            let name = quality.name().into();
            series.push(Series { name, points, look: Some(number), ..Series::default() });
        }
    }
    Plot {
        title: "The value after each move".into(),
        x_label: "move (of either side)".into(),
        y_label: format!("value for {first}"),
        series,
        ..Plot::default()
    }
}
