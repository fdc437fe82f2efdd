//! The tests of the log are no part of its file, which is compiled once more under a model checker.

use super::root_log::*;
use plyground_core::value::Value;

fn found(mv: u8, value: Value) -> Option<RootEvent<u8>> {
    Some(RootEvent::NewBest(NewBest { mv, value, line: vec![mv] }))
}

#[test]
fn all_read_the_same_in_the_same_order() {
    let log = RootLog::new();
    let (mut one, mut two) = (RootLogCursor::new(&log), RootLogCursor::new(&log));
    let (mut heard, mut heard_two) = (Vec::new(), Vec::new());
    let mut on_best = |found: &NewBest<u8>| heard.push(found.mv);
    assert_eq!(one.sync(found(1, 10), &mut on_best), None);
    assert_eq!(one.sync(found(2, 30), &mut on_best), None);
    let mut on_best_two = |found: &NewBest<u8>| heard_two.push(found.mv);
    // The other thread has found better already: it is no news.
    assert_eq!(two.sync(found(3, 20), &mut on_best_two), None);
    assert_eq!(two.sync(found(4, 31), &mut on_best_two), None);
    assert!(!one.is_behind() && !two.is_behind());
    assert_eq!(two.sync(Some(RootEvent::PassOver(31)), &mut on_best_two), Some(31));
    assert!(one.is_behind() && !two.is_behind());
    // The next pass begins below, and a thread that is behind reads the end of the old one first.
    assert_eq!(two.sync(found(5, 7), &mut on_best_two), None);
    assert_eq!(one.sync(Some(RootEvent::PassOver(29)), &mut on_best), Some(31));
    assert!(!one.is_behind());
    assert_eq!(one.sync(None, &mut on_best), None);
    assert_eq!((heard, heard_two), (vec![1, 2, 4, 5], vec![1, 2, 4, 5]));
}
