//! The tests of the table are no part of its file, which is compiled once more under a model checker.

use crate::table::*;
use plyground_core::tree::mix;
use plyground_core::value::{Bounds, INFINITY, Value};

fn stored(lower: Value, upper: Value, best: u16, height: u8) -> Stored {
    Stored { bounds: Bounds { lower, upper }, best, height }
}

#[test]
fn an_entry_comes_back_as_it_was() {
    let table = TranspositionTable::new(TableSize::of_entries(1 << 12)).unwrap();
    let cases = [
        stored(-INFINITY, INFINITY, NO_MOVE, 0),
        stored(-32_000, 32_000, 0, 255),
        stored(17, 17, 4097, 12),
        stored(-5, INFINITY, 3, 7),
        stored(-INFINITY, -5, 3, 7),
    ];
    for (i, &case) in cases.iter().enumerate() {
        let key = mix(1, i as u64);
        assert_eq!(table.get(key), None);
        table.put(key, case);
        assert_eq!(table.get(key), Some(case));
    }
    assert_eq!(table.used(), 5);
    // A bound that does not fit is not known.
    table.put(9, stored(-40_000, 40_000, 1, 1));
    assert_eq!(table.get(9), Some(stored(-INFINITY, INFINITY, 1, 1)));
    table.put(9, stored(40_000, 1 << 29, 1, 1));
    assert_eq!(table.get(9), Some(stored(-INFINITY, INFINITY, 1, 1)));
    table.clear();
    assert_eq!((table.get(9), table.used()), (None, 0));
}

#[test]
fn what_is_old_and_low_gives_way_first() {
    let table = TranspositionTable::new(TableSize::of_entries(4)).unwrap();
    for key in 0..4 {
        table.put(key, stored(0, 0, 0, 10 + key as u8));
    }
    table.put(4, stored(0, 0, 0, 1));
    assert_eq!(table.get(0), None);
    assert!((1..5).all(|key| table.get(key).is_some()));
    table.grow_older();
    table.put(1, stored(0, 0, 0, 1));
    table.put(5, stored(0, 0, 0, 1));
    assert_eq!(table.get(4), None);
    table.put(6, stored(0, 0, 0, 1));
    table.put(7, stored(0, 0, 0, 2));
    assert!([1, 5, 6, 7].iter().all(|&key| table.get(key).is_some()), "{table:?}");
    assert_eq!(table.used(), 4);
}

#[test]
fn sizes() {
    for (text, entries) in [("8192", 8192), ("8K", 8192), ("1M", 1 << 20), ("16MiB", 1 << 20)] {
        assert_eq!(text.parse::<TableSize>().unwrap().entries(), entries);
    }
    assert_eq!("1".parse::<TableSize>().unwrap().entries(), 4);
    assert_eq!(TranspositionTable::new(TableSize::of_entries(64)).unwrap().capacity(), 64);
    for wrong in ["", "0", "-1", "1G", "MiB", "16 GiB", "99999999999999999999", "8k"] {
        assert!(wrong.parse::<TableSize>().is_err(), "{wrong}");
    }
    for text in ["8K", "1M", "24M", "12345"] {
        assert_eq!(text.parse::<TableSize>().unwrap().to_string(), text);
    }
}

/// Threads write and read the same few entries: what is read was written whole.
#[test]
fn no_torn_entry_is_taken_for_a_whole_one() {
    let table = TranspositionTable::new(TableSize::of_entries(8)).unwrap();
    let of = |key: u64, i: u64| {
        let word = mix(key, i % 50) as u16;
        stored((word % 1000).into(), (word % 1000).into(), word, word as u8)
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let table = &table;
            scope.spawn(move || {
                // Miri is slow.
                for i in 0..if cfg!(miri) { 60 } else { 100_000 } {
                    let key = mix(thread, i) % 5;
                    let key = mix(key, 1);
                    table.put(key, of(key, i));
                    if let Some(found) = table.get(key) {
                        assert!((0..50).any(|i| of(key, i) == found), "{found:?}");
                    }
                }
            });
        }
    });
}
