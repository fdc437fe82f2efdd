//! `plyground puzzle` and `plyground play puzzle`, as their users meet them.

use std::process::Command;

use serde_json::Value;

use super::commands::{objects, refused, stdout, with_input};
use super::play::talk;

const EIGHT: [&str; 4] = ["puzzle", "solve", "--domain", "8-puzzle"];

fn solved(arguments: &[&str]) -> Value {
    let mut found = objects(&[&["puzzle", "solve", "--json"], arguments].concat());
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn solve_prints_one_object_with_the_promised_keys() {
    let found = solved(&["--domain", "8-puzzle", "8 7 6 5 4 3 2 1 0"]);
    for key in
        ["cost", "optimal", "expanded", "generated", "peak_stored", "peak_bytes", "seconds", "path"]
    {
        assert!(!found[key].is_null(), "{key}: {found}");
    }
    assert_eq!((&found["cost"], &found["optimal"]), (&28.into(), &true.into()));
    assert_eq!(found["path"].as_array().unwrap().len(), 28);
    assert_eq!(found["heuristic"], "manhattan");
    // Korf's instance 79: the default is IDA* with the Manhattan distance on the 15-puzzle.
    let found = solved(&["0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"]);
    assert_eq!((&found["cost"], &found["generated"]), (&42.into(), &540_860.into()));
    assert_eq!((&found["domain"], &found["algorithm"]), (&"15-puzzle".into(), &"ida".into()));
}

#[test]
fn every_domain_is_solved_by_every_search() {
    for (domain, instance, cost) in [
        ("8-puzzle", "1 2 5 3 4 0 6 7 8", 3),
        ("puzzle:2x3", "1 3 2 0 4 5", 2),
        ("puzzle:5x5", "1 2 3 4 9 5 6 7 8 0 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24", 5),
        ("puzzle:1x4", "1 2 3 0", 3),
        ("tsp", "0,0 0,3 4,3 4,0", 14),
        ("grid", "S.#./..#./...G", 5),
    ] {
        let mut costs = Vec::new();
        for entry in objects(&["algorithms", "--players", "1", "--json"]) {
            let id = entry["id"].as_str().unwrap().replace(":M", ":7").replace(":N", ":3");
            let found = solved(&["--domain", domain, instance, "--algorithm", &id]);
            assert_eq!(found["optimal"], true, "{domain} by {id}: {found}");
            costs.push(found["cost"].clone());
        }
        assert!(
            costs.len() >= 8 && costs.iter().all(|other| *other == costs[0]),
            "{domain}: {costs:?}"
        );
        assert!(costs[0] == cost, "{domain}: {costs:?}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    for (arguments, expected) in [
        (vec!["8 7 6 5 4 3 1 2 0"], "unsolvable: the parity"),
        (vec!["1 2 3"], "3 numbers: expected 9"),
        (vec!["0 1 2 3 4 5 6 7 x"], "`x` at place 9"),
        (vec!["0 1 2 3 4 5 6 7 7"], "tile 7 is there twice"),
        (vec!["0 1 2 3 4 5 6 7 8", "--algorithm", "idaa"], "did you mean ida"),
        (vec!["0 1 2 3 4 5 6 7 8", "--heuristic", "euclid"], "expected manhattan"),
        (vec!["0 1 2 3 4 5 6 7 8", "--algorithm", "a-star", "--all"], "cannot find all"),
        (vec!["--file", "no-such-file"], "cannot read no-such-file"),
        (vec![], "required"),
    ] {
        let message = refused(&[&EIGHT, arguments.as_slice()].concat(), "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let solve = |arguments: &[&str]| refused(&[&["puzzle", "solve"], arguments].concat(), "");
    assert!(solve(&["--domain", "9-puzzle", "1"]).contains("no such domain"));
    assert!(
        solve(&["--domain", "tsp", "0,0 1,1", "--heuristic", "pattern"])
            .contains("tsp has its own")
    );
    assert!(solve(&["--domain", "puzzle:5x5", "--file", "-"]).contains("no problem is there"));
    let make = |arguments: &[&str]| refused(&[&["puzzle", "make"], arguments].concat(), "");
    assert!(make(&["--domain", "tsp", "--moves", "3"]).contains("--moves"));
    assert!(make(&["--domain", "tsp", "--cities", "99"]).contains("1 to 32 cities"));
    assert!(make(&["--domain", "grid", "--size", "5"]).contains("as in 16x8"));
}

#[test]
fn limits_stop_a_search_and_say_so() {
    let hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    let found = solved(&[hard, "--nodes", "1000"]);
    assert_eq!((&found["stopped"], &found["optimal"]), (&"nodes".into(), &false.into()));
    assert_eq!((&found["cost"], &found["expanded"]), (&Value::Null, &1000.into()));
    let found = solved(&[hard, "--algorithm", "a-star", "--bytes", "64K"]);
    assert_eq!(found["stopped"], "bytes");
    let found = solved(&[hard, "--algorithm", "pida:2", "--time", "0.05"]);
    assert_eq!(found["stopped"], "time");
}

#[test]
fn made_problems_are_the_same_for_a_seed_and_can_be_solved() {
    for domain in ["8-puzzle", "puzzle:3x2", "tsp", "grid"] {
        let make = |seed| {
            let arguments = ["puzzle", "make", "--domain", domain, "--count", "3", "--seed", seed];
            let small = match domain {
                "grid" => vec!["--size", "4x3"],
                "tsp" => vec!["--cities", "6"],
                _ => vec!["--moves", "20"],
            };
            stdout(&[arguments.as_slice(), &small].concat())
        };
        let made = make("5");
        assert_eq!(made.lines().count(), 3);
        assert!(made == make("5") && made != make("6"), "{made}");
        let arguments = ["puzzle", "solve", "--domain", domain, "--file", "-", "--json"];
        let output = with_input(&arguments, &made);
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
    }
}

#[test]
fn compare_tells_means_and_simulates() {
    let rows = objects(&[
        "puzzle",
        "compare",
        "--domain",
        "8-puzzle",
        "--count",
        "3",
        "--algorithms",
        "a-star,ida,pida:4",
        "--heuristics",
        "manhattan,pattern",
        "--simulate",
        "--json",
    ]);
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["solved"] == 3 && row["cost"] == rows[0]["cost"]));
    let ticks = |row: &Value| row["ticks"].as_f64();
    assert!(ticks(&rows[4]).unwrap() < rows[2]["expanded"].as_f64().unwrap());
    assert_eq!(ticks(&rows[0]), None);
}

/// A file may say what a problem costs; who disagrees is told.
#[test]
fn the_costs_of_a_file_are_checked() {
    let solve = |cost: &str| {
        let arguments = [&EIGHT, ["--file", "-"].as_slice()].concat();
        with_input(&arguments, &format!("# one\n1 2 5 3 4 0 6 7 8 ; {cost}\n"))
    };
    assert_eq!(solve("3").status.code(), Some(0));
    let wrong = solve("4");
    assert_eq!(wrong.status.code(), Some(1));
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert!(message.contains("the cost is 3, where the file says 4"), "{message}");
}

/// Every tenth of Korf's instances with the pattern databases, which are built once and then read.
#[test]
fn korfs_costs_come_out_of_the_databases() {
    let cache = tempfile::tempdir().unwrap();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/korf-100.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let all: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(all.len(), 100);
    let part: Vec<&str> = all.iter().step_by(10).copied().collect();
    let own = cache.path().join("part.txt");
    std::fs::write(&own, part.join("\n")).unwrap();
    let mut counts = Vec::new();
    for _ in 0..2 {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
            .args(["puzzle", "solve", "--domain", "15-puzzle", "--heuristic", "pattern", "--json"])
            .arg("--file")
            .arg(&own)
            .env("XDG_CACHE_HOME", cache.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        let found: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        counts.push(found.iter().map(|found| found["expanded"].clone()).collect::<Vec<_>>());
        for (line, found) in part.iter().zip(&found) {
            assert_eq!(line.split(';').nth(1).unwrap().trim(), found["cost"].to_string());
        }
        let kept: Vec<_> = std::fs::read_dir(cache.path().join("plyground")).unwrap().collect();
        assert_eq!(kept.len(), 1);
    }
    assert_eq!(counts[0], counts[1], "what was read is what was built");
}

#[test]
fn a_puzzle_is_played_from_a_pipe() {
    let said = talk(
        &["puzzle", "--from", "1 2 5 3 4 0 6 7 8"],
        &["hint", "5", "7", "slide 2", "undo", "solve", "hint", "undo now", "slid 1", "quit"],
    );
    for expected in [
        "| 1 | 2 | 5 |",
        "slide 5; 3 to go",
        "`7` cannot slide; beside the blank are 2, 5",
        "slides: 1",
        "2 1\n2 slides, and no solution is shorter",
        "in order, after 3 slides",
        "the tiles are in order",
        "undo takes nothing",
        "did you mean slide",
    ] {
        assert!(said.contains(expected), "{expected} is not in\n{said}");
    }
    let said = talk(&["puzzle"], &["new 3x2", "shuffle 4", "shuffle 4", "set 1 2 3", "help"]);
    let boards: Vec<&str> = said.split("slides: 0\n").collect();
    assert_eq!(boards[2], boards[3], "the same seed gives the same board");
    assert!(said.contains("3 numbers: expected 6 for 3x2") && said.contains("shuffle [SEED]"));
    let message = refused(&["play", "puzzle", "--level", "3"], "");
    assert!(message.contains("has no effect on a puzzle"), "{message}");
    assert!(refused(&["play", "puzzle", "--from", "1 2 0"], "").contains("--from"));
}

#[test]
fn the_survey_is_repeated() {
    let rows = objects(&["paper", "single-agent", "--quick", "--count", "1", "--json"]);
    for table in ["sizes", "bounds", "salesman", "pida", "pida-threads", "window", "pia"] {
        assert!(rows.iter().any(|row| row["table"] == table), "{table}");
    }
    let one = rows.iter().find(|row| row["table"] == "pia" && row["processes"] == 1).unwrap();
    assert_eq!(one["expanded_ratio"], 1.0);
}

/// A sample of the 181,440 states of the 8-puzzle; the whole of a smaller puzzle.
#[test]
fn all_states_are_held_against_breadth_first_search() {
    for (domain, count, problems) in [("8-puzzle", "12", 12), ("puzzle:2x2", "1000", 12)] {
        let arguments = ["puzzle", "compare", "--all-states", "--simulate", "--json"];
        let rows = objects(&[&arguments[..], &["--domain", domain, "--count", count]].concat());
        let mut ids: Vec<&str> =
            rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
        ids.dedup();
        assert!(ids.len() >= 8 && rows.len() == 3 * ids.len(), "every search, every heuristic");
        for row in &rows {
            assert_eq!((&row["solved"], &row["wrong"]), (&problems.into(), &0.into()), "{row}");
        }
    }
    let message = refused(&["puzzle", "compare", "--all-states"], "");
    assert!(message.contains("expected a puzzle of at most 10 cells"), "{message}");
    let message = refused(&["puzzle", "compare", "--all-states", "--domain", "tsp"], "");
    assert!(message.contains("only puzzles have them"), "{message}");
}
