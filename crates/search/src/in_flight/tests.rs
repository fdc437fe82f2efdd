//! The tests are no part of the file, which is compiled once more under a model checker.

use crate::in_flight::InFlight;

#[test]
fn a_search_is_seen_from_its_beginning_to_its_end() {
    let searches = InFlight::new();
    assert!(!searches.contains(7, 3));
    searches.set(7, 3, true);
    assert!(searches.contains(7, 3) && !searches.contains(7, 2) && !searches.contains(8, 3));
    searches.set(7, 3, false);
    assert!(!searches.contains(7, 3));
}
