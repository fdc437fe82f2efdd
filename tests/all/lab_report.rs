//! `positions make`, the experiments on the hold-out, and the one document of all of them.

use std::fs;

use serde_json::Value;

use plyground::experiment::PairedRatio;

use crate::commands::{objects, refused, stdout};
use crate::shipped_report::data_in;

#[test]
fn positions_are_made_again_by_the_same_command() {
    let make = |seed: &str| {
        stdout(&["positions", "make", "othello", "--count", "6", "--depth", "1", "--seed", seed])
    };
    let made = make("3");
    assert_eq!(made.lines().filter(|line| !line.starts_with('%')).count(), 6, "{made}");
    assert!(made.contains("plyground positions make othello --count 6 --seed 3"), "{made}");
    assert_eq!(made, make("3"));
    assert_ne!(made, make("4"));
    // Both halves have some, and one position cannot have two halves.
    let (lab, hold_out) = made.split_once("the hold-out").unwrap();
    for half in [lab, hold_out] {
        let positions = half.lines().skip(1).filter(|line| !line.starts_with('%')).count();
        assert_eq!(positions, 3, "{made}");
    }
    let said = refused(&["positions", "make", "othello", "--count", "1"], "");
    assert!(said.contains("2..=100000"), "{said}");
}

#[test]
fn the_example_trees_show_what_their_papers_say() {
    let leaves = |figure: u32, id: &str| {
        let file = format!("@positions/phased-search-figure-{figure}.tree");
        let object = &objects(&["tree", &file, "--algorithm", id, "--json"])[0];
        (object["leaves"].as_u64().unwrap(), object["peak_open"].as_u64().unwrap())
    };
    assert_eq!((leaves(1, "sss"), leaves(1, "ps:2")), ((26, 16), (29, 4)));
    assert_eq!(leaves(1, "alpha-beta").0, 34);
    assert_eq!((leaves(2, "sss").0, leaves(2, "ps:2").0), (178, 173));
    assert_eq!((leaves(4, "alpha-beta").0, leaves(4, "ps:2").0), (36, 48));
}

#[test]
fn searches_get_bytes_and_what_does_not_fit_is_said() {
    let command =
        ["paper", "memory", "--game", "othello", "--depth", "4", "--count", "3", "--jobs", "2"];
    let text = stdout(&command);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("relative to PVS of the same bytes"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let cells = objects(&[&command[..], &["--json"]].concat());
    let first = &cells[0];
    for key in ["experiment", "game", "depth", "line", "x", "values", "evaluations", "visits"] {
        assert!(!first[key].is_null(), "{key}: {first}");
    }
    assert_eq!(first["evaluations"].as_array().unwrap().len(), 3);
    // Every depth has every line, and a search either has numbers or was stopped.
    assert!(cells.iter().any(|cell| cell["line"] == "SSS*" && cell["depth"] == 4));
    for cell in &cells {
        let numbers = cell["evaluations"].as_array().unwrap();
        assert!(numbers.iter().all(|n| n.is_null() || n.as_u64().unwrap() > 0), "{cell}");
    }
}

#[test]
fn short_keys_err_and_whole_ones_do_not() {
    let cells = objects(&["paper", "keys", "--depth", "5", "--count", "12", "--json"]);
    let values = |game: &str, bits: u64| {
        let cell = cells.iter().find(|cell| cell["game"] == game && cell["x"] == bits).unwrap();
        cell["values"].clone()
    };
    for game in ["othello", "chess"] {
        assert_eq!(values(game, 64), values(game, 32), "{game}");
    }
    assert!(["othello", "chess"].iter().any(|game| values(game, 64) != values(game, 4)));
}

/// A number of the page is computed again from the data that are shipped with it.
#[test]
fn the_document_is_made_of_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let command =
        ["paper", "all", "--quick", "--count", "2", "--only", "best-move,survey", "--out", out];
    let printed = stdout(&command);
    assert!(printed.contains("index.html"), "{printed}");
    let page = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("Not run yet: memory"), "what is missing is named");
    // A namespace is no address that is loaded.
    let loads = ["src=", "<link", "<script", "@import"];
    assert!(loads.iter().all(|load| !page.contains(load)), "self-contained");
    let data = data_in(folder.path(), "best-move");
    let rows = data["rows"].as_array().unwrap();
    let visits = |id: &str| -> Vec<f64> {
        let first = |row: &&Value| row["game"] == "othello" && row["algorithm"] == id;
        let row = rows.iter().find(first).unwrap();
        row["visits"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
    };
    let pairs = visits("second-best").into_iter().zip(visits("mtd-f"));
    let paired = PairedRatio::of(pairs).unwrap();
    let (low, high) = paired.bootstrap;
    let depth = rows[0]["depth"].as_u64().unwrap();
    let told = format!("othello {depth}: {:.2} ({low:.2}–{high:.2})", paired.ratio.mean);
    assert!(page.contains(&told), "{told}");
    for key in ["commit", "processor", "seed", "date", "version"] {
        assert!(!data[key].is_null(), "{key}");
    }
    let claims = fs::read_to_string(folder.path().join("claims.csv")).unwrap();
    assert!(claims.starts_with("experiment,paper,claim,verdict,numbers"), "{claims}");
    // What is there is not run again: not even its time changes.
    let before = data["seconds"].clone();
    stdout(&command);
    let again = fs::read_to_string(folder.path().join("data/best-move.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["seconds"], before);
    let said = refused(&["paper", "all", "--only", "nothing", "--out", out], "");
    assert!(said.contains("expected some of memory, best-first"), "{said}");
}
