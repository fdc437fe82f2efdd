//! The pairs that matter most: totals over all positions beside geometric means, and every position as a point.

use super::super::Findings;
use super::super::cells::{CellMeasure, MeasuredCell, family};
use super::{BASE, BYTES, MemoryFigure, short_bytes};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable};

/// The lines that are set beside the base.
const LINES: [&str; 5] = ["MTD(f), parity", "SSS-2", "SSS*", "DUAL*", "PS*(2)"];

/// Adds a table and a scatter of positions for each game, in the most memory.
pub(super) fn present(found: &mut Findings, figures: &[MemoryFigure<'_>]) {
    let mut games: Vec<&str> = figures.iter().map(|figure| figure.game).collect();
    games.dedup();
    for game in games {
        let here: Vec<&MemoryFigure<'_>> = figures.iter().filter(|f| f.game == game).collect();
        found.tables.extend(table(game, &here));
        let deepest = here.iter().max_by_key(|figure| figure.depth);
        let scatter = deepest.and_then(|figure| scatter(figure));
        found.plots.extend(scatter.map(|plot| (format!("memory-{game}-positions"), plot)));
    }
}

/// The cell of a line in the most memory, if all positions fit, beside the base's.
fn pair<'c>(figure: &MemoryFigure<'c>, line: &str) -> Option<(&'c MeasuredCell, &'c MeasuredCell)> {
    let most = BYTES[BYTES.len() - 1];
    let (_, cells) = figure.lines.iter().find(|(name, _)| *name == line)?;
    let cell = cells.iter().find(|cell| cell.x == most && cell.is_complete())?;
    Some((cell, figure.base(most)?))
}

fn table(game: &str, figures: &[&MemoryFigure<'_>]) -> Option<TextTable> {
    let most = short_bytes(BYTES[BYTES.len() - 1]);
    let mut table = TextTable::new(format!(
        "Pairs that matter, {game} in {most}: relative to {BASE}, means and totals over positions"
    ));
    table.column("depth", Align::Right);
    table.column("search", Align::Left);
    let measures = [CellMeasure::Evaluations, CellMeasure::Visits];
    for measure in measures {
        table.group(measure.name(), Align::Right);
        table.column("95 %", Align::Left);
        table.column("total", Align::Right);
    }
    let known: Vec<(u32, &str, _)> = figures
        .iter()
        .flat_map(|figure| LINES.map(|line| (figure, line)))
        .filter_map(|(figure, line)| Some((figure.depth, line, pair(figure, line)?)))
        .collect();
    let pairs: Vec<_> = known.iter().map(|(_, _, pair)| *pair).collect();
    let compared = measures.map(|measure| family(&pairs, measure));
    for (i, (depth, line, _)) in known.iter().enumerate() {
        let mut row = vec![depth.to_string(), (*line).to_owned()];
        for of in &compared {
            let Some(found) = of[i] else {
                row.extend(["–".to_owned(), String::new(), String::new()]);
                continue;
            };
            let (low, high) = found.paired.bootstrap;
            let mark = if found.decided().is_some() { "*" } else { "" };
            row.extend([
                format!("{:.2}{mark}", found.paired.ratio.mean),
                format!("{low:.2}–{high:.2}"),
                format!("{:.2}", found.paired.total),
            ]);
        }
        table.row(row);
    }
    table.note("Geometric means of paired ratios, bootstrap intervals; * differs from 1 by Holm's correction over the column. total: of the sums over positions, in which the largest weigh most.");
    (!known.is_empty()).then_some(table)
}

fn scatter(figure: &MemoryFigure<'_>) -> Option<Plot> {
    let MemoryFigure { game, depth, .. } = figure;
    let mut series: Vec<Series> = Vec::new();
    for line in LINES {
        let Some((cell, base)) = pair(figure, line) else { continue };
        let both = base.numbers(CellMeasure::Evaluations).into_iter();
        let both = both.zip(cell.numbers(CellMeasure::Evaluations));
        let points = both.filter_map(|(x, y)| Some((x?, y?))).collect();
        series.push(Series { name: line.into(), points, scattered: true, ..Series::default() });
    }
    let all = || series.iter().flat_map(|series| &series.points).map(|(x, _)| *x);
    let (low, high) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
    series.push(Series {
        name: format!("as many as {BASE}"),
        points: vec![(low, low), (high, high)],
        reference: true,
        ..Series::default()
    });
    let most = short_bytes(BYTES[BYTES.len() - 1]);
    Some(Plot {
        title: format!("Position by position: {game} to depth {depth} in {most}"),
        x_label: format!("evaluations of {BASE}"),
        y_label: "evaluations".into(),
        log_x: true,
        log_y: true,
        series,
        note: Some("A point is a position".into()),
        ..Plot::default()
    })
}
