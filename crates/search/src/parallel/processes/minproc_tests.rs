//! The tests are no part of the file, which is compiled once more under a model checker.

use std::sync::atomic::Ordering::SeqCst;

use super::minproc::*;

#[test]
fn places_are_taken_and_given_back() {
    let minproc = Minproc::<()>::new(5);
    assert_eq!((minproc.free(), minproc.take_places(3), minproc.free()), (5, 3, 2));
    assert_eq!((minproc.take_places(3), minproc.free(), minproc.take_places(1)), (2, 0, 0));
    minproc.give_places(4);
    assert_eq!(minproc.free(), 4);
}

#[test]
fn who_is_ready_does_not_wait_and_nobody_waits_after_the_end() {
    let minproc = Minproc::<()>::new(5);
    let entry = minproc.first_entry(9, 0);
    assert!(minproc.wait(&entry, 0, || true));
    minproc.close();
    assert!(!minproc.wait(&entry, 0, || false));
    assert_eq!(minproc.job(), None);
}

/// A process below whose h falls far enough wakes the one above, which sleeps by then.
#[test]
fn an_h_that_falls_wakes_whoever_waits_for_that() {
    let minproc = Minproc::<()>::new(5);
    let above = minproc.first_entry(9, 0);
    let below = minproc.new_entry(&above, 8, 0).unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| minproc.wait(&above, 4, || below.h() <= 4));
        while !above.waits.load(SeqCst) {
            std::thread::yield_now();
        }
        minproc.lower(&below, 6);
        minproc.lower(&below, 4);
        assert!(waits.join().unwrap());
    });
}

#[test]
fn entries_are_numbered_from_1() {
    let minproc = Minproc::<()>::new(5);
    let first = minproc.first_entry(9, 0);
    let second = minproc.new_entry(&first, 8, 0).unwrap();
    let third = minproc.new_entry(&first, 7, 0).unwrap();
    assert_eq!([first.number, second.number, third.number], [1, 2, 3]);
}
