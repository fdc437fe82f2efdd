//! What a byte is worth: searches of the same positions with the same bytes of memory, from 16 KiB to
//! 64 MiB.
//!
//! The papers compare searches that hold megabytes of lists with searches that hold nothing, or count
//! entries. Here every search gets bytes: those with a table a table of that size, those with lists as many
//! bytes of lists, and a search that needs more has no number there. All deepen and have the history of
//! moves. A search with lists that fits does not change when it is given more, so it is made once, with the
//! most, and what it held says into how much it fits.

mod claims;
mod pairs;

pub(super) use claims::claims;

use anyhow::bail;
use serde_json::Value as Json;

use super::cells::{CellMeasure, MeasuredCell, family};
use super::{Findings, PositionRun};
use crate::experiment::PairedRatio;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::value::Value;
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{
    AlphaBeta, AspirationNegaScout, Dual2, MtdF, Pvs, Sss2, Sss4, SssB,
};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, CatalogueEntry, Factors, GuessFrom, MemoryFunctions, catalogue};

/// The experiment's name in its data.
pub(super) const NAME: &str = "memory";

/// The bytes of memory, by factors of 4.
pub(super) const BYTES: [u64; 7] =
    [16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20];

/// The line that the others are compared with.
const BASE: &str = "PVS";

/// The bytes that an entry of lists is taken to need, where an algorithm is told a number of entries: few
/// lists take more for each. A search that outgrows its bytes is told fewer entries.
const BYTES_AN_ENTRY: [u64; 4] = [128, 256, 512, 1024];

/// One line of the figure.
struct MemoryLine {
    label: String,
    /// The algorithms for so many bytes. Where a search outgrows them by the first, the next is tried.
    algorithms: Box<dyn Fn(u64) -> Vec<Algorithm>>,
    /// Does it have a table? Otherwise the bytes are those of its lists.
    table: bool,
    guess: GuessFrom,
    /// Is it another algorithm for other bytes?
    varies: bool,
}

impl MemoryLine {
    fn table(algorithm: impl Into<Algorithm>) -> MemoryLine {
        let algorithm = algorithm.into();
        MemoryLine {
            label: algorithm.name(),
            algorithms: Box::new(move |_| vec![algorithm.clone()]),
            table: true,
            guess: GuessFrom::Previous,
            varies: false,
        }
    }

    fn lists(algorithm: impl Into<Algorithm>) -> MemoryLine {
        let algorithm = algorithm.into();
        // Partitions that follow from the bytes that are left are others for other bytes.
        let varies = algorithm.to_string().ends_with("auto");
        MemoryLine { table: false, varies, ..MemoryLine::table(algorithm) }
    }

    /// An algorithm that is told how many entries it may hold.
    fn bounded(entry: &'static CatalogueEntry) -> MemoryLine {
        let told = |bytes: u64| {
            let of = |each: u64| format!("{}:{}", entry.id, bytes / each).parse().ok();
            BYTES_AN_ENTRY.into_iter().filter_map(of).collect()
        };
        MemoryLine {
            label: entry.name.into(),
            algorithms: Box::new(told),
            table: false,
            guess: GuessFrom::Previous,
            varies: true,
        }
    }

    /// The line's cells with all bytes, or one that says what is found within fewer, to one depth; `None` if
    /// the flag stopped it.
    fn cells(
        &self,
        run: &PositionRun<'_>,
        depth: u32,
    ) -> anyhow::Result<Option<Vec<MeasuredCell>>> {
        if self.table || self.varies {
            let mut cells = Vec::new();
            for bytes in BYTES {
                match self.cell(run, bytes, depth)? {
                    Some(cell) => cells.push(cell),
                    None if run.run.flag.is_raised() => return Ok(None),
                    None => {}
                }
            }
            return Ok(Some(cells));
        }
        // The bytes do nothing but stop such a search: one with the most of them tells what fits into fewer.
        let most = self.cell(run, BYTES[BYTES.len() - 1], depth)?;
        Ok(most.map(|most| vec![most]))
    }

    /// The cell with so many bytes, of the first engine that a position's search fits into them with; `None`
    /// if there is no such engine or if the flag stopped it.
    fn cell(
        &self,
        run: &PositionRun<'_>,
        bytes: u64,
        depth: u32,
    ) -> anyhow::Result<Option<MeasuredCell>> {
        let mut found: Option<MeasuredCell> = None;
        for engine in self.engines(run, bytes) {
            if found.as_ref().is_some_and(|found| run.is_complete(found)) {
                break;
            }
            let Some(cell) = run.cell_with_bytes(NAME, (&self.label, bytes), &engine, depth)?
            else {
                return Ok(None);
            };
            match &mut found {
                Some(found) => found.fill(&cell),
                None => found = Some(cell),
            }
        }
        if let Some(found) = found.as_mut().filter(|_| self.table || self.varies) {
            found.each_bytes.clear();
        }
        Ok(found)
    }

    /// The engines for so many bytes, the first to be tried first.
    fn engines(&self, run: &PositionRun<'_>, bytes: u64) -> Vec<Profile> {
        let algorithms = (self.algorithms)(bytes).into_iter();
        algorithms.map(|algorithm| self.engine(run, bytes, algorithm)).collect()
    }

    fn engine(&self, run: &PositionRun<'_>, bytes: u64, algorithm: Algorithm) -> Profile {
        let mut engine = Profile::plain(run.game);
        engine.algorithm = algorithm;
        engine.deepening = true;
        engine.memory = MemoryFunctions::HISTORY;
        engine.limits = run.run.limits();
        if self.table {
            engine.memory |= MemoryFunctions::TABLE;
            engine.table = TableSize::of_entries(bytes as usize / 16);
            engine.factors = Factors { guess: self.guess, ..Factors::default() };
        } else {
            engine.limits.bytes = Some(bytes as usize);
        }
        engine
    }
}

fn lines(run: &PositionRun<'_>) -> Vec<MemoryLine> {
    let epsilon = run.game.aspiration() as Value;
    let mtd_f = || MemoryLine::table(MtdF { guess: None });
    let mut lines = vec![
        MemoryLine::table(Pvs),
        MemoryLine::table(AlphaBeta),
        MemoryLine {
            label: "Aspiration NegaScout".into(),
            ..MemoryLine::table(AspirationNegaScout { epsilon, guess: None })
        },
        mtd_f(),
        MemoryLine { label: "MTD(f), parity".into(), guess: GuessFrom::Parity, ..mtd_f() },
        MemoryLine::table(Sss2),
        MemoryLine::table(Dual2),
        MemoryLine::table(SssB),
        MemoryLine { label: "SSS-4".into(), ..MemoryLine::table(Sss4 { step: epsilon }) },
    ];
    // Every serial best-first algorithm of the catalogue, those with a number of entries by bytes.
    for entry in catalogue().filter(|entry| !entry.is_parallel()) {
        let of_lists = |algorithm: &Algorithm| matches!(algorithm, Algorithm::BestFirst(_));
        if entry.usage == format!("{}:M", entry.id) {
            lines.push(MemoryLine::bounded(entry));
        } else {
            lines.extend(entry.examples().filter(of_lists).map(MemoryLine::lists));
        }
    }
    lines
}

/// The experiment on one game: all lines with all bytes, to these depths.
pub fn memory(run: &PositionRun<'_>, depths: &[u32]) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let lines = lines(run);
    let sizes = |line: &MemoryLine| if line.table || line.varies { BYTES.len() } else { 1 };
    let all = (lines.iter().map(sizes).sum::<usize>() * depths.len()) as u64;
    run.run.progress.begin(all, "cells");
    let (mut done, mut measured) = (0, Vec::<MeasuredCell>::new());
    let (usual, deepest) = (run, &run.deepest());
    'all: for &depth in depths {
        let run = if Some(&depth) == depths.last() { deepest } else { usual };
        for line in &lines {
            let Some(cells) = line.cells(run, depth)? else { break 'all };
            for cell in cells {
                measured.push(cell);
                done += 1;
                run.run.progress.step();
            }
        }
    }
    run.run.progress.end();
    found.note_work(done, all, "cells");
    agree(&measured)?;
    for mut cell in measured {
        // All lines found the same.
        if cell.line != BASE {
            cell.values.clear();
        }
        found.rows.push(cell.to_json());
    }
    present(&mut found);
    Ok(found)
}

/// An error if two searches of a position found different values.
pub(super) fn agree(cells: &[MeasuredCell]) -> anyhow::Result<()> {
    for cell in cells {
        let same = |other: &&MeasuredCell| other.game == cell.game && other.depth == cell.depth;
        for other in cells.iter().filter(same) {
            let differs = |(a, b): (&Option<Value>, &Option<Value>)| matches!((a, b), (Some(a), Some(b)) if a != b);
            if cell.values.iter().zip(&other.values).any(differs) {
                bail!(
                    "{} and {} disagree on {} to depth {}",
                    cell.line,
                    other.line,
                    cell.game,
                    cell.depth
                );
            }
        }
    }
    Ok(())
}

/// The cells of one game and depth, line by line.
struct MemoryFigure<'c> {
    game: &'c str,
    depth: u32,
    lines: Vec<(&'c str, Vec<&'c MeasuredCell>)>,
}

/// The cells of the rows with each number of bytes, also those that a cell with the most tells.
fn all_cells(rows: &[Json]) -> Vec<MeasuredCell> {
    let each = |cell: MeasuredCell| match cell.each_bytes.is_empty() {
        true => vec![cell],
        false => BYTES.map(|bytes| cell.within(bytes)).to_vec(),
    };
    MeasuredCell::all(rows).into_iter().flat_map(each).collect()
}

fn figures(cells: &[MeasuredCell]) -> Vec<MemoryFigure<'_>> {
    let mut figures: Vec<MemoryFigure<'_>> = Vec::new();
    for cell in cells {
        let known = figures.iter().position(|f| f.game == cell.game && f.depth == cell.depth);
        let at = known.unwrap_or_else(|| {
            figures.push(MemoryFigure { game: &cell.game, depth: cell.depth, lines: Vec::new() });
            figures.len() - 1
        });
        let lines = &mut figures[at].lines;
        match lines.iter_mut().find(|(line, _)| *line == cell.line) {
            Some((_, cells)) => cells.push(cell),
            None => lines.push((&cell.line, vec![cell])),
        }
    }
    figures
}

impl<'c> MemoryFigure<'c> {
    fn base(&self, bytes: u64) -> Option<&'c MeasuredCell> {
        let (_, cells) = self.lines.iter().find(|(line, _)| *line == BASE)?;
        cells.iter().find(|cell| cell.x == bytes).copied()
    }

    fn title(&self, measure: CellMeasure) -> String {
        // Searches side by side have no times.
        let known = |cell: &MeasuredCell| cell.numbers(measure).iter().flatten().count();
        let positions = self.lines.first().map_or(0, |(_, cells)| known(cells[0]));
        let MemoryFigure { game, depth, .. } = self;
        format!(
            "{} on {game} to depth {depth}, by bytes of memory, {positions} positions",
            capital(measure.name())
        )
    }

    /// Ratios to the base of the same bytes, a row for each line.
    fn table(&self, measure: CellMeasure) -> TextTable {
        let mut table = TextTable::new(format!(
            "{}; relative to {BASE} of the same bytes",
            self.title(measure)
        ));
        table.column("search", Align::Left);
        for bytes in BYTES {
            table.group(short_bytes(bytes), Align::Right);
            table.column("95 %", Align::Left);
        }
        let pairs: Vec<(&MeasuredCell, &MeasuredCell)> = self
            .lines
            .iter()
            .flat_map(|(_, cells)| cells)
            .filter(|cell| cell.is_complete() && cell.line != BASE)
            .filter_map(|cell| Some((*cell, self.base(cell.x)?)))
            .collect();
        let compared = family(&pairs, measure);
        for (line, cells) in &self.lines {
            let mut row = vec![(*line).to_owned()];
            for bytes in BYTES {
                let at = pairs.iter().position(|(cell, _)| cell.line == *line && cell.x == bytes);
                let found = at.and_then(|at| compared[at]);
                let of = cells.iter().find(|cell| cell.x == bytes);
                row.extend(match (found, of) {
                    _ if *line == BASE => ["1.00".to_owned(), String::new()],
                    (Some(found), _) => {
                        let (low, high) = found.paired.bootstrap;
                        let mark = if found.decided().is_some() { "*" } else { "" };
                        [
                            format!("{:.2}{mark}", found.paired.ratio.mean),
                            format!("{low:.2}–{high:.2}"),
                        ]
                    }
                    (None, Some(cell)) if !cell.is_complete() => {
                        [format!("{}/{}", cell.finished(), cell.evaluations.len()), String::new()]
                    }
                    _ => ["–".into(), String::new()],
                });
            }
            table.row(row);
        }
        table.note("Geometric means of paired ratios, bootstrap intervals; * differs from 1 by Holm's correction over the table.");
        table.note("m/n: only m of n searches fit into the memory.");
        if measure == CellMeasure::Seconds {
            table.note("Processor time of the thread. Each search is timed once, with an empty table: to touch its memory for the first time is part of it.");
        }
        table
    }

    fn plot(&self, measure: CellMeasure) -> Plot {
        let most = BYTES[BYTES.len() - 1];
        let base = BYTES.into_iter().rev().find_map(|bytes| self.base(bytes));
        let series = self.lines.iter().map(|(line, cells)| {
            let complete = cells.iter().filter(|cell| cell.is_complete());
            let ratios: Vec<(f64, PairedRatio)> = complete
                .filter_map(|cell| Some((cell.x as f64, cell.paired(base?, measure)?)))
                .collect();
            Series {
                name: (*line).into(),
                points: ratios.iter().map(|(x, paired)| (*x, paired.ratio.mean)).collect(),
                intervals: ratios.iter().map(|(_, paired)| paired.bootstrap).collect(),
                ..Series::default()
            }
        });
        Plot {
            title: self.title(measure),
            x_label: "bytes".into(),
            y_label: format!("{}, relative to {BASE} with {}", measure.name(), short_bytes(most)),
            log_x: true,
            log_y: true,
            series: series.filter(|series| !series.points.is_empty()).collect(),
            x_ticks: Some(BYTES.map(|b| (b as f64, short_bytes(b))).to_vec()),
            apart: true,
            note: Some("Geometric means of paired ratios, with bootstrap intervals".into()),
            ..Plot::default()
        }
    }
}

/// Adds the tables and figures that follow from the rows.
fn present(found: &mut Findings) {
    let cells = all_cells(&found.rows);
    let figures = figures(&cells);
    pairs::present(found, &figures);
    for figure in &figures {
        for measure in CellMeasure::ALL {
            if measure == CellMeasure::Seconds
                && figure.base(BYTES[0]).is_none_or(|base| base.seconds.iter().all(Option::is_none))
            {
                continue;
            }
            found.tables.push(figure.table(measure));
            let name = measure.name().replace(' ', "-");
            let file = format!("memory-{}-{}-{name}", figure.game, figure.depth);
            found.plots.push((file, figure.plot(measure)));
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// 16 KiB, 1 MiB.
pub(super) fn short_bytes(bytes: u64) -> String {
    match bytes {
        b if b >= 1 << 20 => format!("{} MiB", thousands((b >> 20) as f64, 0)),
        b => format!("{} KiB", b >> 10),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::super::cells::MeasuredCell;
    use super::*;

    fn cell(line: &str, x: u64, evaluations: [u64; 4]) -> Json {
        let numbers = evaluations.map(Some).to_vec();
        MeasuredCell {
            experiment: NAME.into(),
            game: "othello".into(),
            depth: 6,
            line: line.into(),
            x,
            values: vec![Some(1); 4],
            evaluations: numbers.clone(),
            visits: numbers,
            seconds: vec![None; 4],
            ..MeasuredCell::default()
        }
        .to_json()
    }

    #[test]
    fn tables_and_claims_follow_from_the_rows() {
        let last = BYTES[6];
        let rows = vec![
            cell("PVS", last, [100, 110, 120, 130]),
            cell("SSS*", last, [200, 221, 239, 262]),
            cell("SSS-2", last, [110, 122, 131, 144]),
            cell("MTD(f), parity", last, [90, 100, 107, 118]),
        ];
        let mut found = Findings { rows: rows.clone(), ..Findings::default() };
        let mut lists = MeasuredCell::all(&[cell("DUAL*", last, [100, 110, 121, 130])]).remove(0);
        lists.each_bytes = vec![Some(BYTES[0]), Some(BYTES[2]), Some(BYTES[2] + 1), Some(9)];
        found.rows.push(lists.to_json());
        present(&mut found);
        // The pairs that matter come first: the mean, and the total of 922 over 460.
        let pairs = found.tables.remove(0).to_text(usize::MAX);
        let sss = pairs.lines().find(|line| line.contains("SSS* ")).unwrap();
        assert!(sss.contains("2.00*") && sss.ends_with("2.00"), "{pairs}");
        let (name, scatter) = found.plots.remove(0);
        assert_eq!(name, "memory-othello-positions");
        let points = &scatter.series.iter().find(|series| series.name == "SSS*").unwrap().points;
        assert_eq!(points[..2], [(100.0, 200.0), (110.0, 221.0)]);
        let text = found.tables[0].to_text(usize::MAX);
        assert!(text.contains("2.00*") && text.contains("0.90*"), "{text}");
        // What the searches held says what fits into less: two, three and all of them.
        let dual = text.lines().find(|line| line.starts_with("DUAL*")).unwrap();
        let cells: Vec<&str> = dual.split_whitespace().collect();
        // Of PVS there are numbers with the most bytes alone.
        assert_eq!(&cells[1..8], ["2/4", "2/4", "3/4", "–", "–", "–", "1.00"], "{text}");
        let claims = claims(&rows);
        let sss = claims.iter().find(|claim| claim.text.contains("too much in memory")).unwrap();
        assert_eq!(sss.verdict, Verdict::Held, "{sss:?}");
        assert!(sss.numbers.contains("othello 6: 2.00"), "{sss:?}");
        let mtd = claims.iter().find(|claim| claim.text.contains("64 MiB")).unwrap();
        assert_eq!(mtd.verdict, Verdict::Held, "{mtd:?}");
        let hashed = claims.iter().find(|claim| claim.text.contains("in place of lists")).unwrap();
        assert_eq!(hashed.verdict, Verdict::Held, "{hashed:?}");
        assert!(hashed.numbers.contains("64 MiB: 0.55"), "{hashed:?}");
    }

    #[test]
    fn contradictions_are_errors() {
        let mut cells = MeasuredCell::all(&[cell("a", 1, [1; 4]), cell("b", 1, [1; 4])]);
        assert!(agree(&cells).is_ok());
        cells[1].values[2] = Some(7);
        assert!(agree(&cells).unwrap_err().to_string().contains("a and b disagree"));
    }
}
