//! What the experiment with equal bytes says of the papers' claims.

use serde_json::Value as Json;

use super::super::cells::CellMeasure;
use super::super::claims::Side;
use super::super::{Claim, Verdict};
use super::{BYTES, MemoryFigure, all_cells, figures, short_bytes};
use crate::report::thousands;

/// What the experiment says of the papers' claims.
pub(in crate::paper) fn claims(rows: &[Json]) -> Vec<Claim> {
    let cells = all_cells(rows);
    let mut claims = Vec::new();
    let figures = figures(&cells);
    let told = |line: &str, measure: CellMeasure, bytes: u64| {
        let mut numbers = Vec::new();
        let mut sides = Vec::new();
        for figure in &figures {
            let of = figure.lines.iter().find(|(name, _)| *name == line);
            let cell =
                of.and_then(|(_, cells)| cells.iter().find(|c| c.x == bytes && c.is_complete()));
            let (Some(cell), Some(base)) = (cell, figure.base(bytes)) else { continue };
            if let Some(paired) = cell.paired(base, measure) {
                sides.push(paired);
                let (low, high) = paired.bootstrap;
                numbers.push(format!(
                    "{} {}: {:.2} ({low:.2}–{high:.2})",
                    figure.game, figure.depth, paired.ratio.mean
                ));
            }
        }
        (sides, numbers.join("; "))
    };
    // Beside PVS of the same bytes in the least memory that all searches of a line fit into.
    let in_least = |line: &str| {
        let (mut numbers, mut sides) = (Vec::new(), Vec::new());
        for figure in &figures {
            let of = figure.lines.iter().find(|(name, _)| *name == line);
            let cell = of.and_then(|(_, cells)| cells.iter().find(|cell| cell.is_complete()));
            let base = cell.and_then(|cell| figure.base(cell.x));
            let (Some(cell), Some(base)) = (cell, base) else { continue };
            if let Some(paired) = cell.paired(base, CellMeasure::Evaluations) {
                sides.push(paired);
                let (low, high) = paired.bootstrap;
                let MemoryFigure { game, depth, .. } = figure;
                numbers.push(format!(
                    "{game} {depth}, {}: {:.2} ({low:.2}–{high:.2})",
                    short_bytes(cell.x),
                    paired.ratio.mean
                ));
            }
        }
        (sides, numbers.join("; "))
    };
    for (line, paper, less, text) in [
        (
            "SSS*",
            "de Bruin, Pijls and Plaat",
            false,
            "SSS* keeps too much in memory to be practical, and gains nothing where memory is equal",
        ),
        (
            "PS*(2)",
            "Srimani and Marsland",
            true,
            "PS* searches less in little space, so it suits real programs (left open)",
        ),
        (
            "ITERSSS*(M)",
            "Bhattacharya and Bagchi",
            true,
            "ITERSSS* makes good use of bounded memory (left open)",
        ),
    ] {
        let (mut sides, least) = in_least(line);
        if sides.is_empty() {
            let numbers = format!("{line} does not fit into 64 MiB in any setting");
            claims.push(Claim::new(paper, text, Verdict::Answered, numbers));
            continue;
        }
        let (more, most) = told(line, CellMeasure::Evaluations, BYTES[BYTES.len() - 1]);
        sides.extend(more);
        let decided = sides.iter().map(|paired| Side::of(paired, 1.0, less));
        let verdict = Verdict::of_intervals(decided, "game, depth and memory");
        let numbers = format!(
            "evaluations relative to PVS of the same bytes, in the least memory that it fits into: {least}; \
             in 64 MiB: {most}"
        );
        claims.push(Claim::new(paper, text, verdict, numbers));
    }
    for bytes in [BYTES[0], BYTES[3], BYTES[6]] {
        let (sides, numbers) = told("MTD(f), parity", CellMeasure::Visits, bytes);
        let decided = sides.iter().map(|paired| Side::of(paired, 1.0, true));
        let verdict = Verdict::of_intervals(decided, "game, depth and memory");
        let text = format!(
            "MTD(f), started from the value of the same parity, visits fewer nodes than PVS in {}",
            short_bytes(bytes)
        );
        claims.push(Claim::new(
            "de Bruin, Pijls and Plaat",
            text,
            verdict,
            format!("visits relative to PVS: {numbers}"),
        ));
    }
    claims.extend(between_lines(&figures));
    claims.extend(least_memory(&figures));
    claims
}

/// Claims that set one line beside another with the same bytes: the first takes less.
const BESIDE: [(&str, &str, CellMeasure, &str); 5] = [
    (
        "SSS-2",
        "SSS*",
        CellMeasure::Evaluations,
        "a transposition table in place of lists is an advantage for SSS* (left open): evaluations of SSS-2 over a table relative to list SSS*",
    ),
    (
        "SSS-B",
        "SSS-2",
        CellMeasure::Visits,
        "on real trees SSS-B is preferable to SSS-2 (left open): visits",
    ),
    (
        "SSS-4",
        "SSS-2",
        CellMeasure::Visits,
        "on real trees SSS-4 is preferable to SSS-2 (left open): visits",
    ),
    (
        "MTD(f)",
        "SSS-2",
        CellMeasure::Visits,
        "on real trees SSS-0 is preferable to SSS-2 (left open): visits of MTD(f), which is SSS-0 by null windows",
    ),
    (
        "Dual-2",
        "SSS-2",
        CellMeasure::Visits,
        "on real trees Dual-2 visits fewer nodes than SSS-2 (left open)",
    ),
];

fn between_lines(figures: &[MemoryFigure<'_>]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (first, second, measure, text) in BESIDE {
        let (mut sides, mut numbers) = (Vec::new(), Vec::new());
        for figure in figures {
            let of = |line: &str, bytes: u64| {
                let (_, cells) = figure.lines.iter().find(|(name, _)| *name == line)?;
                cells.iter().find(|cell| cell.x == bytes && cell.is_complete()).copied()
            };
            // In the least memory that both fit into, and in the most.
            let least =
                BYTES.into_iter().find(|&b| of(first, b).is_some() && of(second, b).is_some());
            for bytes in least.into_iter().chain([BYTES[BYTES.len() - 1]]) {
                let (Some(a), Some(b)) = (of(first, bytes), of(second, bytes)) else { continue };
                let Some(paired) = a.paired(b, measure) else { continue };
                let (low, high) = paired.bootstrap;
                sides.push(Side::of(&paired, 1.0, true));
                numbers.push(format!(
                    "{} {}, {}: {:.2} ({low:.2}–{high:.2})",
                    figure.game,
                    figure.depth,
                    short_bytes(bytes),
                    paired.ratio.mean
                ));
            }
        }
        if !numbers.is_empty() {
            let verdict = Verdict::of_intervals(sides, "game, depth and memory");
            claims.push(Claim::new("de Bruin, Pijls and Plaat", text, verdict, numbers.join("; ")));
        }
    }
    claims
}

/// What the searches need that keep their lists small, and what that costs them.
fn least_memory(figures: &[MemoryFigure<'_>]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let least = |figure: &MemoryFigure<'_>, line: &str| {
        let (_, cells) = figure.lines.iter().find(|(name, _)| *name == line)?;
        cells.iter().find(|cell| cell.is_complete()).map(|cell| (cell.x, (*cell).clone()))
    };
    let mut told = Vec::new();
    for figure in figures {
        let Some((_, sss)) = least(figure, "SSS*") else { continue };
        let managed = figure.lines.iter().map(|(line, _)| *line).filter(|line| {
            ["Staged", "Rsearch", "RecSSS", "ITERSSS"].iter().any(|name| line.starts_with(name))
        });
        for line in managed {
            let Some((bytes, cell)) = least(figure, line) else { continue };
            let Some(paired) = cell.paired(&sss, CellMeasure::Evaluations) else { continue };
            let (low, high) = paired.bootstrap;
            told.push(format!(
                "{} {}, {line} from {} on: {:.2} ({low:.2}–{high:.2})",
                figure.game,
                figure.depth,
                short_bytes(bytes),
                paired.ratio.mean
            ));
        }
    }
    if !told.is_empty() {
        claims.push(Claim::new(
            "de Bruin, Pijls and Plaat",
            "Staged SSS*, Rsearch, RecSSS* and ITERSSS* manage the memory of SSS* (left open)",
            Verdict::Answered,
            format!(
                "the least memory that all positions fit into, and evaluations there relative to SSS*: {}",
                told.join("; ")
            ),
        ));
    }
    let (mut less, mut numbers) = (Vec::new(), Vec::new());
    for figure in figures {
        let (Some((_, sss)), Some((_, dual))) = (least(figure, "SSS*"), least(figure, "DUAL*"))
        else {
            continue;
        };
        less.push(dual.peak_bytes < sss.peak_bytes);
        numbers.push(format!(
            "{} {}: DUAL* {}, SSS* {}",
            figure.game,
            figure.depth,
            thousands(dual.peak_bytes as f64, 0),
            thousands(sss.peak_bytes as f64, 0)
        ));
    }
    if !less.is_empty() {
        claims.push(Claim::new(
            "Marsland",
            "DUAL* has a lower memory requirement than SSS*: it searches a tree of one ply less",
            Verdict::of_sides(less, "the game and the parity of the depth"),
            format!("the most bytes of lists of any position: {}", numbers.join("; ")),
        ));
    }
    claims
}
