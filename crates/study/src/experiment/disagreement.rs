//! Searches that contradict each other: which ones, and the commands that show it again.
//!
//! All algorithms must find the same value of a position at a depth. Where two do not, one of them
//! is wrong, and a reader will want to run both searches.

use std::collections::HashMap;

use super::record::Record;
use plyground_search::{Factors, SPAWN_HEIGHT, Update};

/// A message if two searches of the same position to the same depth, judged by the same weights, have
/// different values; `None` if all values agree. Values of another grain are other values, and searches
/// whose table may err prove nothing. A search that was stopped has no value and agrees
/// with any.
pub fn disagreement(records: &[Record]) -> Option<String> {
    let mut first: HashMap<_, &Record> = HashMap::new();
    let exact = |record: &&Record| record.setup.factors.is_exact();
    for record in records.iter().filter(|record| record.value.is_some()).filter(exact) {
        let setup = &record.setup;
        let key = (&setup.game, &setup.position, setup.depth, &setup.weights, setup.factors.grain);
        let other = first.entry(key).or_insert(record);
        if other.value != record.value {
            return Some(format!(
                "values disagree on the {} position {} to depth {}\n{}\n{}",
                setup.game,
                setup.position,
                setup.depth,
                value_and_command(other),
                value_and_command(record)
            ));
        }
    }
    None
}

fn value_and_command(record: &Record) -> String {
    let value = record.value.unwrap_or_default();
    format!("  {} says {value}:\n    {}", record.setup.algorithm, command(record))
}

/// The flags of the factors that are not at their defaults.
fn flags(factors: &Factors) -> String {
    let usual = Factors::default();
    let all = [
        ("grain", factors.grain.to_string(), usual.grain.to_string()),
        ("guess", factors.guess.to_string(), usual.guess.to_string()),
        ("table-leaves", factors.table_leaves.to_string(), usual.table_leaves.to_string()),
        ("table-depth", factors.table_depth.to_string(), usual.table_depth.to_string()),
        ("replacement", factors.replacement.to_string(), usual.replacement.to_string()),
        ("key-bits", factors.key_bits.to_string(), usual.key_bits.to_string()),
        ("quiescence", factors.quiescence_window.to_string(), usual.quiescence_window.to_string()),
        ("store", factors.store.to_string(), usual.store.to_string()),
    ];
    let changed = all.into_iter().filter(|(_, level, usual)| level != usual);
    changed.map(|(flag, level, _)| format!(" --{flag} {level}")).collect()
}

/// The command that makes this search again.
fn command(record: &Record) -> String {
    let setup = &record.setup;
    let mut command = format!(
        "plyground best {} --position '{}' --algorithm {} --depth {}",
        setup.game, setup.position, setup.algorithm, setup.depth
    );
    if setup.memory != "none" {
        command += &format!(" --memory {}", setup.memory);
    }
    if let Some(entries) = setup.table {
        command += &format!(" --table {entries}");
    }
    if setup.deepening {
        command += " --deepening";
    }
    command += &flags(&setup.factors);
    if setup.simulated {
        command += " --simulate";
    }
    if let Some(height) = setup.spawn_height.filter(|&height| height != SPAWN_HEIGHT) {
        command += &format!(" --spawn-height {height}");
    }
    if setup.update != Update::default().to_string() {
        command += &format!(" --update {}", setup.update);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Setup;

    fn record(algorithm: &str, position: &str, value: i32) -> Record {
        let setup = Setup {
            game: "chess".into(),
            position: position.into(),
            algorithm: algorithm.into(),
            depth: 3,
            memory: "table+history".into(),
            deepening: true,
            table: Some(8192),
            update: Update::default().to_string(),
            ..Setup::default()
        };
        Record { setup, value: Some(value), ..Record::default() }
    }

    #[test]
    fn a_disagreement_comes_with_commands_that_show_it() {
        let mut records =
            vec![record("alpha-beta", "p1", 5), record("sss", "p1", 5), record("sss", "p2", 7)];
        assert_eq!(disagreement(&records), None);
        records.push(record("pvs", "p2", 8));
        let message = disagreement(&records).unwrap();
        let expected = "values disagree on the chess position p2 to depth 3";
        assert!(message.contains(expected), "{message}");
        let command = "plyground best chess --position 'p2' --algorithm pvs --depth 3 \
                       --memory table+history --table 8192 --deepening";
        assert!(message.contains(command), "{message}");
        // A search that was stopped says nothing.
        records[3].value = None;
        assert_eq!(disagreement(&records), None);
    }
}
