//! Numbers, names and conditions as texts for people.

use std::collections::BTreeSet;

use super::Conditions;
use crate::experiment::Record;
use crate::report::thousands;
use plyground_search::{Algorithm, MemoryFunctions, catalogue};

/// The algorithm's name as the papers write it; an unknown id unchanged.
pub(super) fn algorithm_name(id: &str) -> String {
    id.parse::<Algorithm>().map_or_else(|_| id.into(), |algorithm| algorithm.name())
}

/// A key that sorts ids in the order of the catalogue, and parameters as numbers: `ps:2` before
/// `ps:10`.
pub(super) fn algorithm_rank(id: &str) -> (usize, Vec<(u64, String)>) {
    let kind = kind(id);
    let known = catalogue().position(|entry| entry.id == kind);
    let parts = id[kind.len()..].split([':', '+']).map(|part| match part.parse() {
        Ok(number) => (number, String::new()),
        Err(_) => (u64::MAX, part.into()),
    });
    let named = std::iter::once((0, if known.is_some() { String::new() } else { kind.into() }));
    (known.unwrap_or(catalogue().count()), named.chain(parts).collect())
}

/// An id without its parameters.
pub(super) fn kind(id: &str) -> &str {
    id.split(':').next().unwrap_or(id)
}

/// Which conditions the records differ in: only those are described.
#[derive(Debug, Default)]
pub(super) struct Variety {
    evaluators: bool,
    versions: bool,
    updates: bool,
    limits: bool,
    deepening: bool,
    spawn_heights: bool,
}

impl Variety {
    pub(super) fn of(records: &[Record]) -> Variety {
        fn several<T: Ord>(records: &[Record], of: impl Fn(&Record) -> T) -> bool {
            records.iter().map(of).collect::<BTreeSet<T>>().len() > 1
        }
        Variety {
            evaluators: several(records, |r| r.setup.evaluator.clone()),
            versions: several(records, |r| r.setup.version.clone()),
            updates: several(records, |r| r.setup.update.clone()),
            limits: several(records, |r| r.setup.bytes),
            deepening: records.iter().any(|r| r.setup.deepening),
            spawn_heights: {
                let heights = records.iter().filter_map(|r| r.setup.spawn_height);
                heights.collect::<BTreeSet<u32>>().len() > 1
            },
        }
    }

    /// An algorithm's name with its spawn height, if the records differ in it.
    pub(super) fn with_height(&self, name: String, spawn_height: Option<u32>) -> String {
        match spawn_height {
            Some(height) if self.spawn_heights => format!("{name}, spawn height {height}"),
            _ => name,
        }
    }

    pub(super) fn describe(&self, conditions: &Conditions) -> String {
        let mut words = vec![memory_name(&conditions.memory)];
        if let Some(entries) = conditions.table {
            words.push(format!("{} entries", short_count(entries)));
        }
        if conditions.deepening {
            words.push("deepening".into());
        } else if self.deepening {
            words.push("no deepening".into());
        }
        let factors = conditions.factors.describe();
        if !factors.is_empty() {
            words.push(factors);
        }
        if conditions.simulated {
            words.push("processes simulated".into());
        }
        if self.updates {
            words.push(format!("update {}", conditions.update));
        }
        if self.limits {
            let limit = conditions.bytes.map(|b| format!("at most {}", short_bytes(b as f64)));
            words.push(limit.unwrap_or_else(|| "no limit of bytes".into()));
        }
        if self.evaluators {
            words.push(format!("evaluator {}", conditions.evaluator));
        }
        if self.versions {
            words.push(format!("version {}", conditions.version));
        }
        words.join(", ")
    }
}

/// Memory functions in words.
pub(super) fn memory_name(memory: &str) -> String {
    match memory {
        "none" => "no memory".into(),
        all if all == "all" || all == MemoryFunctions::all().to_string() => {
            "all memory functions".into()
        }
        some => some.split('+').collect::<Vec<_>>().join(" + "),
    }
}

/// A count of entries: 8K, 1M, or the number itself.
pub(super) fn short_count(count: u64) -> String {
    match count {
        0 => "0".into(),
        n if n % (1 << 20) == 0 => format!("{}M", n >> 20),
        n if n % (1 << 10) == 0 => format!("{}K", n >> 10),
        n => thousands(n as f64, 0),
    }
}

/// Bytes with a unit.
pub(super) fn short_bytes(bytes: f64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut unit = 0;
    let mut shown = bytes;
    while shown >= 1024.0 && unit + 1 < UNITS.len() {
        shown /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(unit > 0 && shown < 100.0);
    format!("{} {}", thousands(shown, decimals), UNITS[unit])
}

/// A time with a unit.
pub(super) fn short_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} µs", significant(s * 1e6)),
        s if s < 1.0 => format!("{} ms", significant(s * 1e3)),
        s => format!("{} s", significant(s)),
    }
}

/// About three digits.
pub(super) fn significant(v: f64) -> String {
    let decimals = match v.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.01 => 3,
        _ => 5,
    };
    thousands(v, decimals)
}

/// A mean count: whole where that is exact enough.
pub(super) fn count(v: f64) -> String {
    if v == v.round() || v >= 99.95 { thousands(v, 0) } else { significant(v) }
}

/// `1 record`, `2 records`.
pub(super) fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {what}{ending}", thousands(count as f64, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_the_order_of_the_catalogue() {
        let mut ids = ["zeta", "ps:10", "sss", "ps:2", "alpha-beta", "pvs", "ps:1+2", "sss-2"];
        ids.sort_by_cached_key(|id| algorithm_rank(id));
        assert_eq!(ids, ["alpha-beta", "pvs", "sss-2", "sss", "ps:1+2", "ps:2", "ps:10", "zeta"]);
        assert_eq!(algorithm_name("ps:2"), "PS*(2)");
        assert_eq!(algorithm_name("zeta"), "zeta");
    }

    #[test]
    fn numbers_with_their_units() {
        assert_eq!(short_count(8192), "8K");
        assert_eq!(short_count(1 << 20), "1M");
        assert_eq!(short_count(1000), "1,000");
        assert_eq!(short_bytes(512.0), "512 B");
        assert_eq!(short_bytes(1536.0), "1.5 KiB");
        assert_eq!(short_time(0.001_234), "1.23 ms");
        assert_eq!(short_time(12.34), "12.3 s");
        for (v, text) in [(0.5, "0.500"), (1.0, "1.00"), (12.34, "12.3"), (1234.5, "1,234")] {
            assert_eq!(significant(v), text);
        }
        assert_eq!(memory_name("table+history"), "table + history");
        assert_eq!(counted(1, "record"), "1 record");
    }
}
