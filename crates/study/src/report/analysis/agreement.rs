//! Checks that all algorithms find the same values.

use std::collections::BTreeMap;

use super::words::{algorithm_name, memory_name};
use crate::experiment::{Record, StoredRecord};
use crate::report::document::{Cell, ReportTable};
use plyground_core::value::Value;

/// What determines the value: searches with the same question must have the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Question<'r> {
    game: &'r str,
    position: &'r str,
    depth: u32,
    evaluator: &'r str,
}

/// The values of all searches, and records that contradict each other.
#[derive(Debug, Default)]
pub(super) struct Agreement<'r> {
    answers: BTreeMap<Question<'r>, BTreeMap<Value, Vec<&'r Record>>>,
    /// The number of records of searches that have a record already.
    pub(super) repeated: usize,
    /// Pairs of records of the same search whose counts differ.
    differing: Vec<(&'r Record, &'r Record)>,
}

impl<'r> Agreement<'r> {
    pub(super) fn add(&mut self, record: &'r Record) {
        let (None, Some(value)) = (&record.stopped, record.value) else { return };
        let setup = &record.setup;
        let question = Question {
            game: &setup.game,
            position: &setup.position,
            depth: setup.depth,
            evaluator: &setup.evaluator,
        };
        let answers = self.answers.entry(question).or_default();
        answers.entry(value).or_default().push(record);
    }

    pub(super) fn add_repetition(&mut self, first: &'r Record, again: &'r Record) {
        self.repeated += 1;
        // The seed chose the position; it does not influence the search.
        let mut same = again.clone();
        same.setup.seed = first.setup.seed;
        // A search that a time limit stopped is stopped elsewhere the next time.
        let stopped = first.stopped.is_some() || again.stopped.is_some();
        if !stopped && !first.agrees_with(&same) {
            self.differing.push((first, again));
        }
    }

    /// The number of questions that more than one search answered.
    pub(super) fn compared(&self) -> usize {
        let several = |values: &&BTreeMap<Value, Vec<&Record>>| {
            values.values().map(Vec::len).sum::<usize>() > 1
        };
        self.answers.values().filter(several).count()
    }

    /// The questions with more than one answer.
    pub(super) fn disagreements(&self) -> Option<ReportTable> {
        let columns = ["game", "position", "depth", "value", "found by"];
        let mut table = ReportTable::new("Values that differ", &columns);
        table.with_words(&[1, 4]);
        for (question, values) in self.answers.iter().filter(|(_, values)| values.len() > 1) {
            for (value, records) in values {
                table.rows.push(vec![
                    Cell::new(question.game),
                    Cell::new(question.position),
                    Cell::new(question.depth.to_string()),
                    Cell::new(value.to_string()),
                    Cell::new(found_by(records)),
                ]);
            }
        }
        (!table.rows.is_empty()).then_some(table)
    }

    /// The records of the same search that differ.
    pub(super) fn contradictions(&self) -> Option<ReportTable> {
        let columns =
            ["game", "position", "depth", "algorithm", "memory", "value", "leaves", "visits"];
        let mut table = ReportTable::new("Records of the same search that differ", &columns);
        table.with_words(&[1, 3, 4]);
        for record in self.differing.iter().flat_map(|&(first, again)| [first, again]) {
            let setup = &record.setup;
            let value = record.value.map_or_else(|| "–".into(), |v| v.to_string());
            let cells = [
                setup.game.clone(),
                setup.position.clone(),
                setup.depth.to_string(),
                algorithm_name(&setup.algorithm),
                setup.memory.clone(),
                value,
                record.counts.leaves.map_or_else(|| "–".into(), |n| n.to_string()),
                record.counts.visits.to_string(),
            ];
            table.rows.push(cells.map(Cell::new).to_vec());
        }
        (!table.rows.is_empty()).then_some(table)
    }
}

/// The number of searches that found a value, and the first of them.
fn found_by(records: &[&Record]) -> String {
    const NAMED: usize = 6;
    let mut names: Vec<String> = Vec::new();
    for setup in records.iter().map(|record| &record.setup).take(NAMED) {
        let deepening = if setup.deepening { ", deepening" } else { "" };
        let memory = memory_name(&setup.memory);
        names.push(format!("{} ({memory}{deepening})", algorithm_name(&setup.algorithm)));
    }
    let more = if records.len() > NAMED { "; …" } else { "" };
    format!("{}: {}{more}", records.len(), names.join("; "))
}
