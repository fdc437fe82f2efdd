//! What threads share under a model checker: the transposition table, the log of the root, the positions
//! in flight and the split points. They are the program's own files, compiled once more on `shuttle`'s
//! locks and atomics, in thousands of interleavings.
//!
//! It takes every access for sequentially consistent. The table's two words are independent of each other
//! by their check, so a weaker order brings about no pair of words that some interleaving does not; the
//! rest is guarded by locks.

mod sync {
    pub use shuttle::sync::*;
}

#[allow(dead_code, missing_docs)]
#[path = "../../../crates/search/src/in_flight.rs"]
mod in_flight;
#[allow(dead_code, missing_docs)]
#[path = "../../../crates/search/src/play/root_log.rs"]
mod root_log;
#[allow(dead_code, missing_docs)]
#[path = "../../../crates/core/src/split_points.rs"]
mod split_points;
#[allow(dead_code, missing_docs)]
#[path = "../../../crates/search/src/table.rs"]
mod table;

use plyground::value::Bounds;
use root_log::{NewBest, RootEvent, RootLog, RootLogCursor};
use shuttle::thread;
use split_points::{EndOnDrop, SplitJob, SplitPoint, SplitPoints};
use sync::Arc;
use sync::atomic::{AtomicU64, Ordering::Relaxed};
use table::{Stored, TableSize, TranspositionTable};

const ROUNDS: usize = 2_000;

fn stored(value: i32) -> Stored {
    Stored { bounds: Bounds::exact(value), best: value as u16, height: value as u8 }
}

/// Three threads put different entries into one cluster, and clear it: whatever is read was put there
/// under that key, as it was.
#[test]
fn a_table_returns_only_what_was_stored() {
    let scenario = || {
        let size = TableSize::of_entries(4);
        let table = Arc::new(TranspositionTable::new(size).unwrap());
        let threads: Vec<_> = (0..3_u64)
            .map(|own| {
                let table = Arc::clone(&table);
                thread::spawn(move || {
                    for round in 0..2 {
                        // All have the first key, and each a second one of its own.
                        table.put(7, stored(10 * own as i32 + round));
                        table.put(20 + own, stored(100 + own as i32));
                        if let Some(found) = table.get(7) {
                            let value = found.bounds.lower;
                            assert!([0, 1, 10, 11, 20, 21].contains(&value), "{found:?}");
                            assert_eq!(found, stored(value));
                        }
                        for other in 0..3 {
                            let found = table.get(20 + other);
                            let right = stored(100 + other as i32);
                            assert!(found.is_none_or(|found| found == right), "{found:?}");
                        }
                    }
                    if own == 2 {
                        table.grow_older();
                        table.clear();
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(table.used() <= 4);
    };
    shuttle::check_random(scenario, ROUNDS);
    shuttle::check_pct(scenario, ROUNDS, 3);
}

/// Threads find better moves in two passes: all of them come to the same moves in the same order, and to
/// the same values of the passes.
#[test]
fn all_threads_read_one_log() {
    let scenario = || {
        let log = Arc::new(RootLog::<u8>::new());
        let threads: Vec<_> = (0..3_u8)
            .map(|own| {
                let log = Arc::clone(&log);
                thread::spawn(move || {
                    let mut cursor = RootLogCursor::new(&log);
                    let (mut heard, mut values) = (Vec::new(), Vec::new());
                    for pass in 0..2 {
                        let value = i32::from(own) + 10 * pass;
                        let found = RootEvent::NewBest(NewBest { mv: own, value, line: vec![own] });
                        let mut hear = |best: &NewBest<u8>| heard.push((best.mv, best.value));
                        let over = cursor.sync(Some(found), &mut hear).or_else(|| {
                            let end = RootEvent::PassOver(100 + pass);
                            cursor.sync(Some(end), &mut hear)
                        });
                        values.push(over.unwrap());
                    }
                    assert!(!cursor.is_behind());
                    (heard, values)
                })
            })
            .collect();
        let mut all = threads.into_iter().map(|thread| thread.join().unwrap());
        let (heard, values) = all.next().unwrap();
        assert_eq!(values, [100, 101]);
        for pass in heard.chunk_by(|a, b| a.1 < b.1) {
            assert!(!pass.is_empty());
        }
        assert!(all.all(|(other, same)| other == heard && same == values), "{heard:?}");
    };
    shuttle::check_random(scenario, ROUNDS);
}

/// What is in flight is seen until it has landed, whoever else is about.
#[test]
fn a_search_in_flight_is_seen() {
    let scenario = || {
        let flights = Arc::new(in_flight::InFlight::new());
        let other = {
            let flights = Arc::clone(&flights);
            thread::spawn(move || {
                flights.set(8, 5, true);
                assert!(flights.contains(8, 5));
                flights.set(8, 5, false);
            })
        };
        flights.set(7, 5, true);
        assert!(flights.contains(7, 5) && !flights.contains(7, 4));
        flights.set(7, 5, false);
        assert!(!flights.contains(7, 5));
        other.join().unwrap();
        assert!(!flights.contains(8, 5));
    };
    shuttle::check_random(scenario, 20);
}

/// The siblings of a split point, and how many of them were searched.
struct Work {
    height: u32,
    done: AtomicU64,
}

const SIBLINGS: usize = 3;

/// Searches a node with all threads; the number of leaves.
fn node(splits: &SplitPoints<Work>, above: Option<&Arc<SplitPoint<Work>>>, height: u32) -> u64 {
    if height == 0 {
        return 1;
    }
    let job = splits.open(above, Work { height, done: AtomicU64::new(0) }, SIBLINGS, height);
    let own = Arc::clone(&job.split);
    help(splits, job);
    while let Some(job) = splits.next(Some(&own)) {
        help(splits, job);
    }
    own.work.done.load(Relaxed)
}

fn help(splits: &SplitPoints<Work>, job: SplitJob<'_, Work>) {
    let mut next = Some(job);
    while let Some(job) = next {
        let split = Arc::clone(&job.split);
        let leaves = node(splits, Some(&split), split.work.height - 1);
        split.work.done.fetch_add(leaves, Relaxed);
        next = job.done();
    }
}

/// Every leaf is searched once by some thread, and nobody waits for ever.
#[test]
fn split_points_lose_no_work_and_no_wake_up() {
    let scenario = || {
        let splits = Arc::new(SplitPoints::<Work>::new());
        let helpers: Vec<_> = (0..2)
            .map(|_| {
                let splits = Arc::clone(&splits);
                thread::spawn(move || {
                    while let Some(job) = splits.next(None) {
                        help(&splits, job);
                    }
                })
            })
            .collect();
        {
            let _end = EndOnDrop(&splits);
            assert_eq!(node(&splits, None, 2), (SIBLINGS * SIBLINGS) as u64);
        }
        helpers.into_iter().for_each(|helper| helper.join().unwrap());
    };
    shuttle::check_random(scenario, ROUNDS);
}

/// A sibling cuts off: the others stop, and whoever opened the split point goes on.
#[test]
fn a_cut_ends_the_work_of_all() {
    let scenario = || {
        let splits = Arc::new(SplitPoints::<Work>::new());
        let helper = {
            let splits = Arc::clone(&splits);
            thread::spawn(move || {
                while let Some(job) = splits.next(None) {
                    if job.number == 1 {
                        job.split.cut();
                    }
                    job.split.work.done.fetch_add(1, Relaxed);
                    job.done();
                }
            })
        };
        let job = splits.open(None, Work { height: 1, done: AtomicU64::new(0) }, SIBLINGS, 0);
        let own = Arc::clone(&job.split);
        let mut next = Some(job);
        while let Some(job) = next {
            own.work.done.fetch_add(1, Relaxed);
            next = job.done();
        }
        while let Some(job) = splits.next(Some(&own)) {
            own.work.done.fetch_add(1, Relaxed);
            job.done();
        }
        assert!(!own.is_broken());
        assert!((1..=SIBLINGS as u64).contains(&own.work.done.load(Relaxed)));
        assert!(own.is_cut() || own.work.done.load(Relaxed) == SIBLINGS as u64);
        drop(EndOnDrop(&splits));
        helper.join().unwrap();
    };
    shuttle::check_random(scenario, ROUNDS);
}
