//! The tests are no part of the file, which is compiled once more under a model checker.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::split_points::*;
use crate::tree::mix;

/// Sums the numbers below a node: a tree of split points, all of whose siblings count.
#[derive(Debug)]
struct Sum {
    seed: u64,
    height: u32,
    sum: AtomicU64,
}

const WIDTH: usize = 5;

fn node(
    splits: &SplitPoints<Sum>,
    above: Option<&Arc<SplitPoint<Sum>>>,
    seed: u64,
    height: u32,
) -> u64 {
    if height == 0 || above.is_some_and(|above| above.is_cut()) {
        return seed % 100;
    }
    let work = Sum { seed, height, sum: AtomicU64::new(0) };
    let job = splits.open(above, work, WIDTH, height);
    let own = Arc::clone(&job.split);
    help(splits, job);
    while let Some(job) = splits.next(Some(&own)) {
        help(splits, job);
    }
    own.work.sum.load(Relaxed)
}

fn help(splits: &SplitPoints<Sum>, job: SplitJob<'_, Sum>) {
    let mut next = Some(job);
    while let Some(job) = next {
        let split = Arc::clone(&job.split);
        let Sum { seed, height, ref sum } = split.work;
        let seed = mix(seed, job.number as u64);
        sum.fetch_add(node(splits, Some(&split), seed, height - 1), Relaxed);
        next = job.done();
    }
}

fn run(threads: usize, seed: u64, height: u32) -> u64 {
    let splits = SplitPoints::new();
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| {
                while let Some(job) = splits.next(None) {
                    help(&splits, job);
                }
            });
        }
        let _end = EndOnDrop(&splits);
        let sum = node(&splits, None, seed, height);
        assert!(splits.is_empty(), "{splits:?}");
        sum
    })
}

#[test]
fn all_work_is_done_once_by_any_number_of_threads() {
    for seed in 0..200 {
        let height = 1 + seed as u32 % 4;
        let alone = run(1, seed, height);
        for threads in [2, 3, 8] {
            assert_eq!(run(threads, seed, height), alone, "{threads} threads, seed {seed}");
        }
    }
}

/// A job that is dropped breaks its split point, and no thread waits for it.
#[test]
fn a_job_that_is_dropped_breaks_its_split_point() {
    let splits = SplitPoints::new();
    let job = splits.open(None, Sum { seed: 0, height: 1, sum: AtomicU64::new(0) }, 3, 0);
    let own = Arc::clone(&job.split);
    std::thread::scope(|scope| {
        let helper = scope.spawn(|| {
            let job = splits.next(None).unwrap();
            assert_eq!(job.number, 1);
            drop(job);
        });
        helper.join().unwrap();
    });
    assert!(own.is_broken() && own.is_cut());
    assert!(job.done().is_none());
    assert!(splits.next(Some(&own)).is_none());
}
