//! `--simulate` and `--spawn-height`, and the paper's tables.

use std::fs;
use std::num::NonZeroUsize;

use plyground::search::catalogue;
use serde_json::Value;

use crate::commands::{objects, plyground, refused, stdout};

const EXAMPLE: &str = "((((4 4) (4 9)) ((4 4) (9 9))) (((6 5) (6 5)) ((5 4) (3 9))))";

#[test]
fn tree_tells_the_terminal_count() {
    for (id, count) in [("sss", 12), ("parsss:1", 12), ("parsss:2", 7), ("alpha-beta", 12)] {
        let object = &objects(&["tree", EXAMPLE, "--algorithm", id, "--simulate", "--json"])[0];
        assert_eq!(object["terminal_count"], count, "{object}");
        assert_eq!(object["value"], 4);
        // On threads, and where nothing is simulated, there is no such time.
        let object = &objects(&["tree", EXAMPLE, "--algorithm", id, "--json"])[0];
        assert_eq!(object.get("terminal_count"), None, "{object}");
        assert_eq!(object["value"], 4);
    }
    // Nobody is low enough for a process, or everybody.
    for (height, count) in [("4", 12), ("3", 7), ("0", 7)] {
        let arguments =
            ["tree", EXAMPLE, "--algorithm", "parsss:2", "--simulate", "--spawn-height", height];
        let text = stdout(&arguments);
        assert!(text.contains(&format!("count        {count}\n")), "{height}: {text}");
    }
    let text = stdout(&["tree", EXAMPLE, "--algorithm", "parsss:2", "--simulate", "--trace"]);
    for line in ["terminal count 7", "process 2 is given 1", "it waits"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn every_parallel_algorithm_is_simulated() {
    for entry in catalogue().filter(|entry| entry.is_parallel()) {
        let example = entry.examples().next().unwrap();
        let id = example.with_threads(NonZeroUsize::new(70).unwrap()).to_string();
        let arguments = ["tree", EXAMPLE, "--algorithm", &id, "--simulate", "--schedules", "3"];
        let object = &objects(&[&arguments[..], &["--json"]].concat())[0];
        assert_eq!(object["value"], 4, "{object}");
        let number = |key: &str| object[key].as_f64().unwrap_or_else(|| panic!("{key}: {object}"));
        assert!(number("terminal_count") > 0.0 && number("speed_up") > 0.0, "{object}");
        assert!((0.0..=1.0).contains(&number("idle_share")), "{object}");
        assert!(number("search_overhead") >= -1.0, "{object}");
        let schedules = &object["schedules"];
        assert_eq!(schedules["count"], 3, "{object}");
        assert!(schedules["min"].as_f64() <= schedules["mean"].as_f64(), "{object}");
        assert!(schedules["spread"].is_u64(), "{object}");
    }
}

#[test]
fn messages_splits_and_the_table_cost_time() {
    let count = |more: &[&str]| {
        let trees = ["trees", "--width", "4", "--depth", "5", "--iid", "--count", "2", "--json"];
        let how =
            ["--simulate", "--spawn-height", "2", "--algorithms", "ybw:8,ybw-sss-2:8,parsss:8"];
        let rows = objects(&[&trees[..], &how, more].concat());
        let count = |row: &Value| row["terminal_count"].as_f64().unwrap();
        rows.iter().map(count).collect::<Vec<f64>>()
    };
    let free = count(&[]);
    for (flag, dearer) in [
        ("--message-cost", [true, true, true]),
        ("--split-cost", [true, true, true]),
        ("--table-cost", [false, true, false]),
    ] {
        let paid = count(&[flag, "5"]);
        for i in 0..3 {
            assert_eq!(paid[i] > free[i], dearer[i], "{flag}: {paid:?}, {free:?}");
        }
    }
}

#[test]
fn alpha_beta_visits_every_leaf_of_the_worst_ordered_tree() {
    let trees = ["trees", "--width", "3", "--depth", "5", "--worst", "--count", "1", "--json"];
    let rows = objects(&[&trees[..], &["--algorithms", "alpha-beta,minimax,sss"]].concat());
    assert_eq!((&rows[0]["leaves"], &rows[1]["leaves"]), (&243.0.into(), &243.0.into()));
    assert!(rows[2]["leaves"].as_f64() < Some(243.0), "{rows:?}");
    let told = refused(&["trees", "--width", "40", "--depth", "7", "--worst"], "");
    assert!(told.contains("needs a value for each leaf"), "{told}");
}

#[test]
fn the_parallel_paper_has_every_scheme() {
    let settings = ["--width", "3", "--depth", "4", "--processors", "4", "--count", "1"];
    let rows = objects(&[&["paper", "parallel", "--no-games", "--json"], &settings[..]].concat());
    for entry in catalogue().filter(|entry| entry.is_parallel()) {
        for trees in ["minimal", "strong", "random", "worst"] {
            let is_of = |row: &&Value| {
                row["trees"] == trees && row["algorithm"].as_str().unwrap().starts_with(entry.id)
            };
            let numbers: Vec<u64> =
                rows.iter().filter(is_of).filter_map(|row| row["processors"].as_u64()).collect();
            assert!([1, 2, 4].iter().all(|n| numbers.contains(n)), "{} {trees}", entry.id);
        }
    }
    let text = stdout(&[&["paper", "parallel", "--no-games"], &settings[..]].concat());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("gains most on"), "{text}");
    let told = refused(&["paper", "parallel", "--algorithms", "pvs"], "");
    assert!(told.contains("expected parallel algorithms"), "{told}");
}

#[test]
fn trees_average_terminal_counts_of_mixed_lists() {
    let arguments = [
        "trees",
        "--width",
        "3",
        "--depth",
        "7",
        "--iid",
        "--count",
        "5",
        "--simulate",
        "--algorithms",
        "sss,parsss:2,parsss:500,parps:4:2,alpha-beta",
        "--json",
    ];
    let rows = objects(&arguments);
    let count = |row: &Value| row["terminal_count"].as_f64().unwrap();
    assert_eq!(count(&rows[0]), rows[0]["leaves"]);
    assert_eq!(count(&rows[4]), rows[4]["leaves"]);
    assert!(count(&rows[2]) < count(&rows[1]) && count(&rows[1]) < count(&rows[0]));
    assert!(rows[1]["terminal_count_se"].is_number());
    let plain = objects(&["trees", "--width", "2", "--depth", "3", "--count", "2", "--json"]);
    assert_eq!(plain[0].get("terminal_count"), None);
}

#[test]
fn compare_records_simulations_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let arguments = [
        "compare",
        "--game",
        "othello",
        "--count",
        "2",
        "--depth",
        "4",
        "--algorithms",
        "sss,parsss:2,parps:3:2",
        "--spawn-height",
        "2",
        "--simulate",
        "--out",
        out,
    ];
    let text = stdout(&arguments);
    assert!(text.contains("PARSSS*(2)") && text.contains("terminal counts"), "{text}");
    let file = folder.path().join("records.jsonl");
    let records = fs::read_to_string(&file).unwrap();
    let first: Value = serde_json::from_str(records.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&first["simulated"], &first["spawn_height"]), (&true.into(), &2.into()));
    assert!(first["terminal_count"].as_u64().unwrap() < first["evaluations"].as_u64().unwrap());
    // Again: nothing is left to do. On threads: other searches.
    let again = plyground(&arguments);
    assert!(String::from_utf8_lossy(&again.stderr).contains("6 of 6 searches are in the records"));
    assert_eq!(fs::read_to_string(&file).unwrap(), records);
    let threads: Vec<&str> = arguments.into_iter().filter(|a| *a != "--simulate").collect();
    assert!(plyground(&threads).status.success());
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 12);
}

/// The height of the root's children is less than that of a node that may get a process.
#[test]
fn nodes_that_are_too_low_for_processes_are_told() {
    let command = ["compare", "--game", "chess", "--count", "1", "--simulate", "--depth"];
    let algorithms = ["--algorithms", "sss,parsss:1,parsss:64"];
    let note = "chess: PARSSS*(64): at depth 4 no node is high enough for a process";
    let text = stdout(&[&command[..], &["4"], &algorithms].concat());
    assert!(text.contains(note), "{text}");
    assert!(text.contains("--spawn-height 3 or a greater --depth would change that."), "{text}");
    let text = stdout(&[&command[..], &["4", "--spawn-height", "3"], &algorithms].concat());
    assert!(!text.contains("high enough"), "{text}");
    let trees = ["trees", "--width", "2", "--count", "2", "--algorithms", "parsss:2", "--depth"];
    assert!(stdout(&[&trees[..], &["4"]].concat()).contains("at depth 4 no node is high enough"));
    assert!(!stdout(&[&trees[..], &["5"]].concat()).contains("high enough"));
}

/// With several jobs no times are taken: nothing is said of processors or of the best serial one.
#[test]
fn several_jobs_take_no_times() {
    let text = stdout(&[
        "compare",
        "--game",
        "othello",
        "--depth",
        "5",
        "--count",
        "2",
        "--algorithms",
        "pvs,ybw,parsss",
        "--threads",
        "1,2,3",
        "--jobs",
        "2",
    ]);
    assert!(text.contains("times are not taken with several jobs"), "{text}");
    for wrong in ["1*", "3*", "processors", "serial algorithm"] {
        assert!(!text.contains(wrong), "{wrong}: {text}");
    }
}

#[test]
fn the_lists_have_what_speed_ups_are_measured_by() {
    let command = ["compare", "--game", "chess", "--depth", "1", "--count", "1", "--json"];
    let ids = |more: &[&str]| -> Vec<String> {
        let records = objects(&[&command[..], more].concat());
        records.iter().map(|record| record["algorithm"].as_str().unwrap().to_owned()).collect()
    };
    let threaded = ids(&["--threads", "1"]);
    for id in ["pvs", "mtd-f", "sss", "parsss:1", "ps:2", "parps:1:2"] {
        assert!(threaded.iter().any(|known| known == id), "{id}: {threaded:?}");
    }
    let simulated = ids(&["--simulate"]);
    for id in ["parsss:1", "parsss:8", "paritersss:1:500", "parps:1:2"] {
        assert!(simulated.iter().any(|known| known == id), "{id}: {simulated:?}");
    }
}

#[test]
fn nonsense_is_refused() {
    for (arguments, expected) in [
        (vec!["tree", "(1 2)", "--algorithm", "parsss:0"], "from 1 to 65536"),
        (vec!["tree", "(1 2)", "--algorithm", "parsss:2000"], "at most 1024, or --simulate"),
        (vec!["best", "othello", "--algorithm", "parps:2000:2"], "at most 1024, or --simulate"),
        (vec!["tree", "(1 2)", "--algorithm", "parps:2:0"], "at least 1"),
        (vec!["tree", "(1 2)", "--algorithm", "paritersss:2"], "entries of memory"),
        (vec!["tree", "(1 2)", "--algorithm", "paritersss:2:1", "--simulate"], "memory locks"),
        (vec!["tree", "(1 2)", "--spawn-height", "-1"], "-1"),
        (vec!["tree", "(1 2)", "--algorithm", "pvs", "--spawn-height", "3"], "starts no process"),
        (vec!["best", "chess", "--algorithm", "pvs", "--spawn-height", "3"], "starts no process"),
        (vec!["compare", "--algorithms", "pvs,sss", "--spawn-height", "3"], "starts no process"),
        (
            vec!["trees", "--width", "2", "--depth", "2", "--spawn-height", "3"],
            "expected a parallel algorithm",
        ),
    ] {
        let message = refused(&arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn the_papers_tables() {
    let rows = objects(&["paper", "parsss", "--count", "2", "--jobs", "2", "--json"]);
    let of = |table: u64| rows.iter().filter(move |row| row["table"] == table);
    assert_eq!((of(1).count(), of(2).count(), of(3).count()), (12, 12, 16));
    for row in of(2).filter(|row| row["algorithm"] == "parsss:1") {
        assert_eq!(row["speed_up"], 1.0, "{row}");
        assert_eq!(row["terminal_count"], row["leaves"], "{row}");
    }
    // The same seed gives the same, however many trees are searched side by side.
    let again = objects(&["paper", "parsss", "--count", "2", "--json"]);
    assert_eq!(rows, again);
    let text = stdout(&["paper", "parsss", "--count", "1"]);
    assert!(
        text.contains("Table 1: PARSSS*(2) on the worked example, 7 terminal counts"),
        "{text}"
    );
    // A single tree tells nothing of the error.
    assert!(text.contains("PARSSS*(1)  1,841  –    1,874      1.00  –     1.00"), "{text}");
    let one = objects(&["paper", "parsss", "--count", "1", "--json"]);
    let last = one.iter().rfind(|row| row["table"] == 3).unwrap();
    assert!(last["speed_up"].is_number() && last["speed_up_se"].is_null(), "{last}");
    assert!(of(3).next_back().unwrap()["speed_up_se"].is_number());
    // Where the printed ones lie among ours, and table 3 by the code as printed.
    assert_eq!(rows.iter().filter(|row| row["distribution"].is_u64()).count(), 12 + 16);
    assert_eq!(rows.iter().filter(|row| row["literal"].is_string()).count(), 4);
}
