//! MINPROC under a model checker: the program's own file, compiled once more on `shuttle`'s locks and
//! atomics, in thousands of interleavings. A wake-up that is lost is a deadlock, which it reports.
//!
//! It takes every access for sequentially consistent; why the orderings suffice is said in the file.

mod sync {
    pub use shuttle::sync::*;
}

#[allow(dead_code, missing_docs)]
#[path = "../../../crates/search/src/parallel/processes/minproc.rs"]
mod minproc;

use minproc::{Minproc, MinprocEntry};
use shuttle::thread;
use sync::Arc;

const ROUNDS: usize = 3_000;

/// The h-value of the one below falls step by step; the one above wants to know when it is 5 or less,
/// or the result.
#[test]
fn one_waits_for_another() {
    let scenario = || {
        let minproc = Arc::new(Minproc::<()>::new(0));
        let first = minproc.first_entry(10, -10);
        let below = minproc.new_entry(&first, 10, -10).unwrap();
        let other = {
            let (minproc, below) = (Arc::clone(&minproc), Arc::clone(&below));
            thread::spawn(move || {
                for h in [8, 6, 4] {
                    minproc.lower(&below, h);
                }
                minproc.solve(&below, 4, 1);
            })
        };
        loop {
            if first.take_child_solved() {
                assert_eq!(below.result(), Some((4, 1)));
                break;
            }
            if below.h() <= 5 {
                minproc.kill(&below);
                break;
            }
            assert!(minproc.wait(&first, 5, || below.h() <= 5));
        }
        other.join().unwrap();
        assert_eq!(minproc.free(), 1, "a place is given back once");
    };
    shuttle::check_random(scenario, ROUNDS);
}

/// What a process in the middle does while it waits: it passes on how its h-value falls, until the
/// one below is SOLVED or it is killed.
fn passes_on(minproc: &Minproc<()>, own: &Arc<MinprocEntry>, below: &MinprocEntry) {
    let mut published = 10;
    loop {
        if own.is_killed() {
            return;
        }
        if own.take_child_solved() {
            minproc.solve(own, below.result().unwrap().0, 0);
            return;
        }
        let h = below.h().max(3);
        if h < published {
            published = h;
            minproc.lower(own, h);
        }
        if !minproc.wait(own, i32::MAX, || below.h().max(3) < published) {
            return;
        }
    }
}

#[test]
fn h_values_are_passed_on_by_those_who_wait() {
    let scenario = || {
        let minproc = Arc::new(Minproc::<()>::new(0));
        let first = minproc.first_entry(10, -10);
        let middle = minproc.new_entry(&first, 10, -10).unwrap();
        let last = minproc.new_entry(&middle, 10, -10).unwrap();
        let in_the_middle = {
            let (minproc, middle, last) =
                (Arc::clone(&minproc), Arc::clone(&middle), Arc::clone(&last));
            thread::spawn(move || passes_on(&minproc, &middle, &last))
        };
        let at_the_end = {
            let (minproc, last) = (Arc::clone(&minproc), Arc::clone(&last));
            thread::spawn(move || {
                for h in [7, 4] {
                    if last.is_killed() {
                        return;
                    }
                    minproc.lower(&last, h);
                }
                minproc.solve(&last, 4, 0);
            })
        };
        while !first.take_child_solved() {
            if middle.h() <= 5 {
                minproc.kill(&middle);
                break;
            }
            assert!(minproc.wait(&first, 5, || middle.h() <= 5));
        }
        in_the_middle.join().unwrap();
        at_the_end.join().unwrap();
        assert_eq!(minproc.free(), 2, "each place is given back once");
    };
    shuttle::check_random(scenario, ROUNDS);
}

/// One starts another in the moment in which it is killed.
#[test]
fn nobody_is_started_by_the_dead() {
    let scenario = || {
        let minproc = Arc::new(Minproc::<Arc<MinprocEntry>>::new(1));
        let first = minproc.first_entry(10, -10);
        let middle = minproc.new_entry(&first, 10, -10).unwrap();
        let worker = {
            let minproc = Arc::clone(&minproc);
            thread::spawn(move || {
                while let Some(entry) = minproc.job() {
                    if !entry.is_killed() {
                        minproc.solve(&entry, 1, 0);
                    }
                }
            })
        };
        let starter = {
            let (minproc, middle) = (Arc::clone(&minproc), Arc::clone(&middle));
            thread::spawn(move || {
                let taken = minproc.take_places(3);
                assert!(taken <= 2);
                for i in 0..taken {
                    match minproc.new_entry(&middle, 9, -10) {
                        Some(entry) => minproc.submit(entry),
                        None => {
                            assert!(middle.is_killed());
                            minproc.give_places(taken - i);
                            break;
                        }
                    }
                }
            })
        };
        minproc.kill(&middle);
        starter.join().unwrap();
        // The one who waits for places gets them all back.
        assert!(minproc.wait(&first, 0, || minproc.free() == 2));
        minproc.close();
        worker.join().unwrap();
        assert_eq!(minproc.free(), 2);
    };
    shuttle::check_random(scenario, ROUNDS);
}

/// The end of all wakes everybody, whoever waits for whatever.
#[test]
fn all_is_over() {
    let scenario = || {
        let minproc = Arc::new(Minproc::<()>::new(0));
        let first = minproc.first_entry(10, -10);
        let below = minproc.new_entry(&first, 10, -10).unwrap();
        let sleepers = [first, below].map(|entry| {
            let minproc = Arc::clone(&minproc);
            thread::spawn(move || assert!(!minproc.wait(&entry, 0, || false)))
        });
        let worker = {
            let minproc = Arc::clone(&minproc);
            thread::spawn(move || assert_eq!(minproc.job(), None))
        };
        minproc.close();
        sleepers.into_iter().for_each(|sleeper| sleeper.join().unwrap());
        worker.join().unwrap();
    };
    shuttle::check_random(scenario, ROUNDS);
}
