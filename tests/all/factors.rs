//! The factors of an experiment from the command line: in the records, refused where they have no effect.

use serde_json::Value;

use crate::commands::{objects, refused};

const SMALL: [&str; 5] = ["compare", "--json", "--count", "2", "--depth"];

fn compared(more: &[&str]) -> Vec<Value> {
    objects(&[&SMALL[..], more].concat())
}

#[test]
fn factors_are_in_the_records() {
    let records = compared(&[
        "3",
        "--game",
        "chess",
        "--algorithms",
        "pvs,mtd-f,sss",
        "--memory",
        "table",
        "--table",
        "1K",
        "--deepening",
        "--grain",
        "50",
        "--guess",
        "parity",
        "--table-leaves",
        "evaluated",
        "--replacement",
        "deepest",
        "--quiescence",
        "search",
    ]);
    for record in &records {
        assert_eq!((&record["grain"], &record["key_bits"]), (&50.into(), &64.into()), "{record}");
        assert_eq!(record["table_leaves"], "evaluated");
        assert_eq!(
            (&record["replacement"], &record["table_depth"]),
            (&"deepest".into(), &"equal".into())
        );
        assert_eq!(record["value"].as_i64().unwrap() % 50, 0, "{record}");
        assert!(record["researches"].is_u64(), "{record}");
        // Each algorithm has those that it has a use for.
        let (guess, window) = match record["algorithm"].as_str().unwrap() {
            "mtd-f" => ("parity", "search"),
            "pvs" => ("previous", "search"),
            _ => ("previous", "full"),
        };
        assert_eq!(
            (&record["guess"], &record["quiescence_window"]),
            (&guess.into(), &window.into())
        );
    }
    assert_eq!(records.len(), 6);
}

/// A quiescence search that is told the window has the same minimax value, and less to do.
#[test]
fn the_window_of_the_quiescence_search_changes_no_value() {
    let run = |window: &str| {
        let algorithms = "alpha-beta,scout,pvs,negascout,aspiration:50,mtd-f,sss-2,dual-2,sss-b";
        let memories = "none,table+history+killers+refutation";
        compared(&[
            "3",
            "--game",
            "chess",
            "--algorithms",
            algorithms,
            "--memory",
            memories,
            "--deepening",
            "--table",
            "4K",
            "--quiescence",
            window,
        ])
    };
    let (full, search) = (run("full"), run("search"));
    let sum = |records: &[Value]| -> u64 {
        records.iter().map(|record| record["quiescence"].as_u64().unwrap()).sum()
    };
    assert!(sum(&search) < sum(&full));
    for (a, b) in full.iter().zip(&search) {
        assert_eq!((&a["value"], &a["algorithm"]), (&b["value"], &b["algorithm"]));
    }
}

#[test]
fn factors_without_an_effect_are_refused() {
    for (arguments, message) in [
        (
            &["2", "--algorithms", "pvs", "--deepening", "--guess", "parity"][..],
            "--guess has no effect",
        ),
        (&["2", "--algorithms", "mtd-f", "--guess", "parity"], "expected deepening"),
        (
            &["2", "--algorithms", "pvs", "--key-bits", "16"],
            "--key-bits has no effect: there is no table",
        ),
        (
            &["2", "--algorithms", "sss,ps:2", "--quiescence", "search"],
            "--quiescence has no effect",
        ),
        (&["2", "--algorithms", "pvs", "--grain", "0"], "0"),
        (&["2", "--algorithms", "pvs", "--replacement", "best"], "aged or always or deepest"),
    ] {
        let said = refused(&[&SMALL[..], arguments].concat(), "");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}
