//! Records as tables for people: one table for each game, depth and configuration.

use plyground_core::names::plural;
use plyground_search::algorithms::AlphaBeta;
use plyground_search::{Algorithm, Factors, SearchAlgorithm};
use plyground_study::experiment::{Ratio, Record};
use plyground_study::report::{Align, TextTable, thousands};

/// What the records of one table have in common.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    game: String,
    depth: u32,
    memory: String,
    table: Option<u64>,
    deepening: bool,
    factors: Factors,
}

impl Group {
    fn of(record: &Record) -> Group {
        let setup = &record.setup;
        Group {
            game: setup.game.clone(),
            depth: setup.depth,
            memory: setup.memory.clone(),
            table: setup.table,
            deepening: setup.deepening,
            factors: setup.factors.shared(),
        }
    }

    fn title(&self, positions: usize, records: &[&Record]) -> String {
        let mut title = format!("{}, depth {}", self.game, self.depth);
        title += &format!(", {}", plural(positions, "position"));
        if self.memory != "none" {
            title += &format!(", memory {}", self.memory);
        }
        if let Some(entries) = self.table {
            title += &format!(" ({} entries)", thousands(entries as f64, 0));
        }
        if self.deepening {
            title += ", deepening";
        }
        // Of some algorithms only: named if any search has it.
        let own = records.iter().map(|record| record.setup.factors.own()).max().unwrap_or_default();
        for factors in [self.factors.describe(), own.describe()] {
            if !factors.is_empty() {
                title += &format!(", {factors}");
            }
        }
        title
    }
}

/// The tables of these records, in their order.
pub(super) fn tables(records: &[Record]) -> Vec<TextTable> {
    let mut groups: Vec<(Group, Vec<&Record>)> = Vec::new();
    for record in records {
        let group = Group::of(record);
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, members)) => members.push(record),
            None => groups.push((group, vec![record])),
        }
    }
    let tables = groups.iter().flat_map(|(group, members)| {
        let main = table(group, members);
        let speedup =
            super::speedup::table(&group.title(positions(members).len(), members), members);
        std::iter::once(main).chain(speedup)
    });
    tables.collect()
}

/// The distinct positions, in the order of their first records.
fn positions<'r>(records: &[&'r Record]) -> Vec<&'r str> {
    let mut positions: Vec<&str> = Vec::new();
    for record in records {
        if !positions.contains(&record.setup.position.as_str()) {
            positions.push(&record.setup.position);
        }
    }
    positions
}

const BASELINE: &str = AlphaBeta::ENTRY.id;

fn table(group: &Group, records: &[&Record]) -> TextTable {
    let positions = positions(records);
    let mut algorithms: Vec<&str> = Vec::new();
    for record in records {
        if !algorithms.contains(&record.setup.algorithm.as_str()) {
            algorithms.push(&record.setup.algorithm);
        }
    }
    let base = if algorithms.contains(&BASELINE) { BASELINE } else { algorithms[0] };
    let find = |algorithm: &str, position: &str| {
        let same = |r: &&&Record| r.setup.algorithm == algorithm && r.setup.position == position;
        records.iter().find(same).copied()
    };
    let mut table = TextTable::new(group.title(positions.len(), records));
    table.column("algorithm", Align::Left);
    let simulated = records.iter().any(|record| record.terminal_count.is_some());
    // A column's rank, and that of its interval: what a narrow terminal leaves out first.
    let ratios =
        [("count", 0, 4), ("leaves", 0, 1), ("evals", 3, 8), ("nodes", 2, 7), ("time", 0, 1)];
    for (name, rank, interval) in &ratios[usize::from(!simulated)..] {
        table.optional(*name, Align::Right, *rank);
        table.optional("95 %", Align::Left, *interval);
    }
    table.optional("entries", Align::Right, 6);
    table.optional("KiB", Align::Right, 5);
    table.optional("over minimal", Align::Right, 9);
    table.column("agreed", Align::Right);
    let mut stopped = 0;
    for algorithm in &algorithms {
        let own: Vec<&Record> = positions.iter().filter_map(|p| find(algorithm, p)).collect();
        let finished: Vec<&Record> = own.iter().copied().filter(|r| r.stopped.is_none()).collect();
        stopped += own.len() - finished.len();
        let ratio = |of: fn(&Record) -> Option<f64>| {
            Ratio::of(finished.iter().filter_map(|record| {
                let base = find(base, &record.setup.position)?;
                base.stopped.is_none().then_some(of(record)? / of(base)?)
            }))
        };
        let mut cells = vec![name(algorithm)];
        if simulated {
            cells.extend(ratio_cells(ratio(|r: &Record| Some(r.terminal_count? as f64))));
        }
        for of in [
            |r: &Record| r.counts.leaves.map(|leaves| leaves as f64),
            |r: &Record| Some(r.counts.evaluations as f64),
            |r: &Record| Some(r.counts.visits as f64),
            |r: &Record| r.seconds,
        ] {
            cells.extend(ratio_cells(ratio(of)));
        }
        let mean = |of: fn(&Record) -> u64| {
            own.iter().map(|r| of(r) as f64).sum::<f64>() / own.len().max(1) as f64
        };
        cells.push(thousands(mean(Record::peak_entries), 0));
        cells.push(thousands(mean(|r| r.counts.peak_bytes) / 1024.0, 0));
        let over_minimal = Ratio::of(finished.iter().filter_map(|r| r.over_minimal));
        cells.push(over_minimal.map_or_else(|| "–".into(), |ratio| thousands(ratio.mean, 2)));
        cells.push(match finished.len() {
            n if n == own.len() => "yes".into(),
            n => format!("{n} of {}", own.len()),
        });
        table.row(cells);
    }
    let base_records = || records.iter().filter(|r| r.setup.algorithm == base);
    let leaves = Ratio::of(base_records().filter_map(|r| Some(r.counts.leaves? as f64)));
    table.note(format!(
        "Relative to {}, which evaluates {} leaves; geometric means over positions. nodes: all visits.",
        name(base),
        leaves.map_or_else(|| "–".into(), |leaves| thousands(leaves.mean, 0))
    ));
    if simulated {
        table.note("count: the time of a simulation, in leaves (terminal counts).");
    }
    if records.iter().any(|r| r.seconds.is_none() && r.stopped.is_none() && !r.setup.simulated) {
        table.note("Times are taken with --jobs 1.");
    }
    table.note(match stopped {
        0 => "Every value agreed.".to_owned(),
        n => {
            let searches = plural(n, "search");
            format!("Stopped by the limit of memory: {searches}; all other values agreed.")
        }
    });
    table.note("");
    table
}

fn name(id: &str) -> String {
    id.parse::<Algorithm>().map_or_else(|_| id.into(), |algorithm| algorithm.name())
}

pub(super) fn ratio_cells(ratio: Option<Ratio>) -> [String; 2] {
    let digits = |x: f64| match x {
        x if x >= 100.0 => thousands(x, 0),
        x if x >= 10.0 => thousands(x, 1),
        x => thousands(x, 2),
    };
    Ratio::cells(ratio, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(algorithm: &str, position: &str, value: i32, leaves: u64) -> Record {
        let text = format!(
            r#"{{"game":"chess","position":"{position}","algorithm":"{algorithm}","depth":3,
                "memory":"table+history","deepening":true,"table":8192,"update":"clipped",
                "bytes":null,"evaluator":"standard","weights":"0",
                "version":"0","seed":1,"value":{value},
                "best":"e2e4","leaves":{leaves},"evaluations":{leaves},"interior":1,"visits":{leaves},
                "quiescence":0,"peak_open":0,"peak_backup":0,"peak_stored":0,"peak_bytes":0,
                "calls":0,"seconds":1.0,"stopped":null}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn ratios_are_to_alpha_beta_on_the_same_position() {
        let records = [
            record("sss", "p1", 5, 50),
            record("alpha-beta", "p1", 5, 100),
            record("sss", "p2", 5, 200),
            record("alpha-beta", "p2", 5, 100),
        ];
        let tables = tables(&records);
        assert_eq!(tables.len(), 1);
        let text = tables[0].to_text(usize::MAX);
        assert!(
            text.starts_with("chess, depth 3, 2 positions, memory table+history (8,192"),
            "{text}"
        );
        let row = text.lines().find(|line| line.starts_with("SSS*")).unwrap();
        assert!(row.starts_with("SSS*         1.00"), "{row}");
        assert!(text.contains("which evaluates 100 leaves") && text.contains("agreed."), "{text}");
    }
}
