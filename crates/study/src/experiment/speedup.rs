//! Speed-ups: searches on several threads against serial ones, position by position.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::ratio::Ratio;
use super::record::Record;
use plyground_search::{Algorithm, Proves};

/// The speed-up of an algorithm on a number of threads.
#[derive(Clone, Debug)]
pub struct Speedup {
    /// The algorithm, with `N` for the number of threads.
    pub family: String,
    /// The least height of a node that may get a process.
    pub spawn_height: Option<u32>,
    /// The number of threads.
    pub threads: u64,
    /// Is time counted in leaves, by a simulation?
    pub simulated: bool,
    /// Was the time measured? It is not if other searches ran at the same time.
    pub timed: bool,
    /// Did the machine have a processor for each thread in all timed searches?
    pub has_cores: bool,
    /// How many times as fast as the best serial algorithm.
    pub over_best: Option<Ratio>,
    /// How many times as fast as the same algorithm on one thread.
    pub over_itself: Option<Ratio>,
    /// The evaluations relative to the same algorithm on one thread. Repeated ones are included: distinct
    /// leaves would hide the work that threads do twice.
    pub evaluations: Option<Ratio>,
    /// The part of the threads' time that they waited, from 0 to 1.
    pub idle: Option<f64>,
    /// The most bytes, on average.
    pub bytes: f64,
}

impl Speedup {
    /// How the time was measured, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Speedup { simulated: true, .. } => "simulated",
            Speedup { timed: false, .. } => "not timed",
            Speedup { has_cores: true, .. } => "measured",
            _ => "measured, too few processors",
        }
    }

    /// The algorithm's id with this number of threads.
    pub fn id(&self, threads: u64) -> String {
        self.family.replacen('N', &threads.to_string(), 1)
    }
}

/// Searches by position.
type Searches<'r> = BTreeMap<&'r str, &'r Record>;

/// The speed-ups of the parallel algorithms in these records, and the id of the best serial algorithm,
/// with which they are compared. The records must be of one game, to one depth, under the same
/// conditions, and all simulated or none.
pub fn speedups(records: &[&Record]) -> (Vec<Speedup>, Option<String>) {
    let mut serial: BTreeMap<&str, Searches<'_>> = BTreeMap::new();
    let mut parallel: BTreeMap<(String, Option<u32>, u64), Searches<'_>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.stopped.is_none()) {
        let setup = &record.setup;
        let Ok(algorithm) = setup.algorithm.parse::<Algorithm>() else { continue };
        let searches = match algorithm.threads() {
            // It proves something else than the value: less work, so no measure for the others.
            None if algorithm.entry().proves != Proves::Value => continue,
            None => serial.entry(&setup.algorithm).or_default(),
            Some(threads) => {
                let key = (family(&algorithm), setup.spawn_height, threads as u64);
                parallel.entry(key).or_default()
            }
        };
        searches.entry(&setup.position).or_insert(record);
    }
    let best = best(&serial);
    let over = |to: Option<&Searches<'_>>, searches: &Searches<'_>, of: Of| {
        let to = to?;
        Ratio::of(
            searches
                .iter()
                .filter_map(|(position, record)| Some(of(to.get(position)?)? / of(record)?)),
        )
    };
    let each = |(key, searches): (&(String, Option<u32>, u64), &Searches<'_>)| {
        let (family, spawn_height, threads) = key;
        let itself = parallel.get(&(family.clone(), *spawn_height, 1));
        let all = || searches.values();
        let timed = || all().filter(|r| r.seconds.is_some());
        let worked: f64 = all().filter_map(|r| Some(r.seconds? * *threads as f64)).sum();
        let idle: f64 = all().filter_map(|r| r.idle).sum();
        Speedup {
            family: family.clone(),
            spawn_height: *spawn_height,
            threads: *threads,
            simulated: all().any(|r| r.setup.simulated),
            timed: timed().count() > 0,
            has_cores: timed().all(|r| r.cores.is_some_and(|cores| cores >= *threads)),
            over_best: over(best.map(|id| &serial[id]), searches, time),
            over_itself: over(itself, searches, time),
            evaluations: over(itself, searches, |r| Some(1.0 / r.counts.evaluations as f64)),
            idle: (worked > 0.0).then_some(idle / worked),
            bytes: all().map(|r| r.counts.peak_bytes as f64).sum::<f64>() / searches.len() as f64,
        }
    };
    (parallel.iter().map(each).collect(), best.map(String::from))
}

type Of = fn(&Record) -> Option<f64>;

/// How long a search took: in seconds or, if it was simulated, in leaves.
fn time(record: &Record) -> Option<f64> {
    if record.setup.simulated {
        record.terminal_count.map(|count| count as f64)
    } else {
        record.seconds
    }
}

/// The fastest serial algorithm among those that finished the most positions.
fn best<'r>(serial: &BTreeMap<&'r str, Searches<'r>>) -> Option<&'r str> {
    let timed = serial.iter().filter_map(|(id, searches)| {
        let mean = Ratio::of(searches.values().filter_map(|record| time(record)))?;
        Some((*id, mean))
    });
    let timed: Vec<_> = timed.collect();
    let most = timed.iter().map(|(_, mean)| mean.count).max()?;
    let full = timed.into_iter().filter(|(_, mean)| mean.count == most);
    full.min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).map(|(id, _)| id)
}

/// The id with `N` for the number of threads, which is the first parameter.
fn family(algorithm: &Algorithm) -> String {
    let one = algorithm.with_threads(NonZeroUsize::MIN).to_string();
    one.replacen(":1", ":N", 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Setup;
    use plyground_search::Counts;

    fn record(algorithm: &str, position: &str, leaves: u64, seconds: f64) -> Record {
        let setup =
            Setup { algorithm: algorithm.into(), position: position.into(), ..Setup::default() };
        let (seconds, cores) = (Some(seconds), Some(2));
        let counts = Counts { leaves: Some(leaves), evaluations: 2 * leaves, ..Counts::default() };
        Record { setup, counts, seconds, cores, idle: Some(0.5), ..Record::default() }
    }

    #[test]
    fn over_the_best_serial_and_over_itself() {
        let records = [
            record("alpha-beta", "p", 100, 4.0),
            record("pvs", "p", 80, 3.0),
            record("ybw:1", "p", 80, 3.0),
            record("ybw:2", "p", 100, 2.0),
            record("ybw:4", "p", 100, 1.0),
            record("parps:2:1+2", "p", 100, 6.0),
        ];
        let all: Vec<&Record> = records.iter().collect();
        let (found, best) = speedups(&all);
        assert_eq!(best.as_deref(), Some("pvs"));
        let of = |family: &str, threads| {
            found.iter().find(|s| s.family == family && s.threads == threads).unwrap()
        };
        let two = of("ybw:N", 2);
        assert!((two.over_best.unwrap().mean - 1.5).abs() < 1e-12);
        assert!((two.over_itself.unwrap().mean - 1.5).abs() < 1e-12);
        assert!((two.evaluations.unwrap().mean - 1.25).abs() < 1e-12);
        assert!((two.idle.unwrap() - 0.125).abs() < 1e-12 && two.has_cores);
        assert_eq!((two.kind(), two.id(1).as_str()), ("measured", "ybw:1"));
        assert_eq!(of("ybw:N", 4).kind(), "measured, too few processors");
        let ps = of("parps:N:1+2", 2);
        assert!((ps.over_best.unwrap().mean - 0.5).abs() < 1e-12 && ps.over_itself.is_none());
    }

    #[test]
    fn the_best_serial_one_finds_the_value() {
        let records = [
            record("second-best", "p", 10, 1.0),
            record("alpha-bounding:5", "p", 10, 1.0),
            record("sss", "p", 80, 2.0),
            record("parsss:1", "p", 80, 3.0),
        ];
        let all: Vec<&Record> = records.iter().collect();
        assert_eq!(speedups(&all).1.as_deref(), Some("sss"));
        let (found, best) = speedups(&[&all[..2], &all[3..]].concat());
        assert_eq!(best, None);
        assert!(found[0].over_best.is_none() && found[0].over_itself.is_some());
    }

    #[test]
    fn what_threads_do_twice_is_overhead() {
        let mut records = [record("ybw:1", "p", 100, 1.0), record("ybw:2", "p", 100, 1.0)];
        records[1].counts.evaluations = 300;
        let (found, _) = speedups(&records.each_ref());
        assert!((found[1].evaluations.unwrap().mean - 1.5).abs() < 1e-12);
    }

    #[test]
    fn without_a_time_nothing_is_said_of_processors() {
        let mut records = [record("pvs", "p", 80, 3.0), record("ybw:4", "p", 80, 3.0)];
        for record in &mut records {
            (record.seconds, record.cores, record.idle) = (None, None, None);
        }
        let (found, best) = speedups(&records.each_ref());
        assert_eq!((found[0].kind(), best), ("not timed", None));
        records[1].setup.simulated = true;
        assert_eq!(speedups(&[&records[1]]).0[0].kind(), "simulated");
    }

    #[test]
    fn spawn_heights_are_kept_apart() {
        let at = |height: u32, id: &str, seconds: f64| {
            let mut record = record(id, "p", 100, seconds);
            record.setup.spawn_height = Some(height);
            record
        };
        let records = [
            at(4, "parsss:1", 4.0),
            at(4, "parsss:2", 2.0),
            at(2, "parsss:1", 3.0),
            at(2, "parsss:2", 1.0),
        ];
        let (found, _) = speedups(&records.each_ref());
        let heights: Vec<_> = found
            .iter()
            .map(|s| (s.spawn_height, s.threads, s.over_itself.unwrap().mean))
            .collect();
        assert_eq!(heights.len(), 4);
        assert_eq!((heights[1].0, heights[3].0), (Some(2), Some(4)));
        assert!((heights[1].2 - 3.0).abs() < 1e-12 && (heights[3].2 - 2.0).abs() < 1e-12);
    }
}
