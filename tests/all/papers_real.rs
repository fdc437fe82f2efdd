//! The papers' commands on real games: small runs of each.

use std::path::Path;

use serde_json::Value;

use crate::commands::{objects, plyground, refused, stdout};

/// What every row of these commands has, the last four where a search was timed: a minimal tree is counted and
/// not searched.
const KEYS: [&str; 30] = [
    "figure",
    "game",
    "line",
    "algorithm",
    "memory",
    "deepening",
    "table",
    "guess",
    "depth",
    "count",
    "leaves",
    "visits",
    "calls",
    "calls_se",
    "peak_entries",
    "percent",
    "low",
    "high",
    "total",
    "visits_percent",
    "visits_low",
    "visits_high",
    "visits_total",
    "width",
    "evaluations",
    "all_visits",
    "seconds_percent",
    "seconds_low",
    "seconds_high",
    "seconds",
];

fn check_rows(rows: &[Value], count: u64) {
    for row in rows {
        let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        let timed = row["seconds"].is_array();
        assert_eq!(keys, KEYS[..if timed { 30 } else { 26 }]);
        assert!(timed || row["algorithm"] == "minimal-tree", "{row}");
        assert_eq!(row["count"], count, "{row}");
        let [low, percent, high] = ["low", "percent", "high"].map(|key| number(row, key));
        assert!(low <= percent && percent <= high && percent > 0.0, "{row}");
    }
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"))
}

/// The rows with these values.
fn with<'a>(rows: &'a [Value], wanted: &[(&str, Value)]) -> Vec<&'a Value> {
    rows.iter().filter(|row| wanted.iter().all(|(key, value)| row[*key] == *value)).collect()
}

const SURVEY: [&str; 8] = ["paper", "survey", "--figure", "6", "--depth", "3", "--count", "2"];

#[test]
fn figure_6_has_every_line_and_the_minimal_tree() {
    let rows = objects(&[&SURVEY[..], &["--json"]].concat());
    assert_eq!(rows.len(), 11 * 2);
    check_rows(&rows, 2);
    assert!(rows.iter().all(|row| row["figure"] == 6 && row["game"] == "chess"));
    for row in with(&rows, &[("algorithm", "alpha-beta".into())]) {
        assert_eq!((number(row, "percent"), number(row, "low")), (100.0, 100.0));
        assert_eq!(row["deepening"], false);
    }
    assert_eq!(with(&rows, &[("table", 8192.into())]).len(), 3 * 2);
    assert_eq!(with(&rows, &[("table", (1 << 20).into())]).len(), 2 * 2);
    assert_eq!(with(&rows, &[("memory", "table+history+refutation".into())]).len(), 2 * 2);
    let text = stdout(&SURVEY);
    assert!(text.contains("Figure 6") && text.contains("minimal tree"), "{text}");
    assert!(text.contains("the survey's: 34"), "{text}");
}

#[test]
fn the_minimal_tree_is_of_the_width_that_was_met() {
    let one = ["paper", "survey", "--figure", "6", "--depth", "3", "--count", "1", "--json"];
    let rows = objects(&one);
    check_rows(&rows, 1);
    let minimal = with(&rows, &[("algorithm", "minimal-tree".into())]);
    assert_eq!(minimal.len(), 2);
    for row in minimal {
        let width = number(row, "width");
        assert!((15.0..60.0).contains(&width), "{row}");
        let leaves = match row["depth"].as_u64() {
            Some(2) => width + width - 1.0,
            _ => width * width + width - 1.0,
        };
        assert!((number(row, "leaves") - leaves).abs() < 1e-6 * leaves, "{row}");
        let depth = row["depth"].clone();
        let base = with(&rows, &[("line", "αβ, direct".into()), ("depth", depth)]);
        let percent = 100.0 * leaves / number(base[0], "leaves");
        assert!((number(row, "percent") - percent).abs() < 1e-6 * percent, "{row}");
    }
}

const BEST_FIRST: [&str; 6] = ["paper", "best-first", "--depth", "3", "--count", "2"];

#[test]
fn best_first_has_depths_and_sizes_for_both_games() {
    let rows = objects(&[&BEST_FIRST[..], &["--json"]].concat());
    check_rows(&rows, 2);
    for game in ["othello", "chess"] {
        let of = |figure: &str| with(&rows, &[("figure", figure.into()), ("game", game.into())]);
        assert_eq!(of("best-first").len(), 7 * 3, "{game}");
        assert_eq!(of("table-size").len(), 7 * 6, "{game}");
        let driver = |id: &str| {
            let wanted = [
                ("figure", "best-first".into()),
                ("game", game.into()),
                ("algorithm", id.into()),
                ("depth", 3.into()),
            ];
            number(with(&rows, &wanted)[0], "calls")
        };
        assert!(driver("mtd-f") > 3.0, "more than one call an iteration");
        assert!(driver("sss-2") > 3.0 && driver("dual-2") > 3.0);
        assert_eq!(driver("alpha-beta"), 0.0);
    }
    for row in with(&rows, &[("figure", "table-size".into()), ("table", (4 << 20).into())]) {
        assert_eq!(number(row, "visits_percent"), 100.0, "{row}");
    }
    let text = stdout(&[&BEST_FIRST[..], &["--game", "chess"]].concat());
    for expected in ["Leaves on chess", "Nodes on chess", "Calls an iteration", "literature"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("othello"), "{text}");
}

const PS: [&str; 7] = ["paper", "ps", "--real", "--depth", "3", "--count", "2"];

#[test]
fn ps_on_real_games_is_between_its_ends() {
    let all = objects(&[&PS[..], &["--json"]].concat());
    let rows: Vec<Value> = all.iter().filter(|row| row["figure"] == "ps-real").cloned().collect();
    // Plain, with history, and over a table.
    assert_eq!(rows.len(), 2 * 3 * 10 * 3);
    check_rows(&rows, 2);
    // Three shapes at each depth, three schemes by the number of processors.
    assert_eq!(with(&all, &[("figure", "ps-shapes".into())]).len(), 2 * 3 * 3);
    let parallel = with(&all, &[("figure", "ps-parallel".into())]);
    assert_eq!(parallel.len(), 2 * 3 * 5);
    for row in with(&all, &[("figure", "ps-parallel".into()), ("processors", 1.into())]) {
        assert_eq!(row["speed_up"], 1.0, "{row}");
    }
    for game in ["othello", "chess"] {
        for depth in 1..=3 {
            let one = |id: &str, key| {
                let wanted = [
                    ("game", game.into()),
                    ("algorithm", id.into()),
                    ("depth", depth.into()),
                    ("memory", "none".into()),
                ];
                number(with(&rows, &wanted)[0], key)
            };
            assert_eq!(one("ps:1", "leaves"), one("sss", "leaves"), "{game} {depth}");
            assert_eq!(one("ps:1+", "percent"), 100.0, "{game} {depth}");
            assert!(one("sss", "percent") <= 100.0, "{game} {depth}");
            assert!(one("ps:4", "peak_entries") <= one("ps:1", "peak_entries"), "{game} {depth}");
        }
    }
    let text = stdout(&[&PS[..], &["--game", "othello"]].concat());
    assert!(text.contains("PS*(width)") && text.contains("entries"), "{text}");
}

#[test]
fn jobs_and_seeds() {
    // Times differ from run to run.
    let ps = |more: &[&str]| {
        let mut rows = objects(&[&PS[..], &["--game", "othello", "--json"], more].concat());
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            row.retain(|key, _| !key.starts_with("seconds"));
        }
        rows
    };
    let first = ps(&[]);
    assert_eq!(first, ps(&["--jobs", "3"]));
    assert_ne!(first, ps(&["--seed", "2"]));
}

#[test]
fn positions_of_a_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/bratko-kopec.epd");
    let file = file.to_str().unwrap();
    let survey =
        ["paper", "survey", "--figure", "6", "--depth", "2", "--positions", file, "--json"];
    check_rows(&objects(&survey), 24);
    let rows = objects(&["paper", "ps", "--real", "--depth", "1", "--positions", file, "--json"]);
    assert!(rows.iter().all(|row| row["game"] == "chess"));
    let rows: Vec<Value> = rows.into_iter().filter(|row| row["figure"] == "ps-real").collect();
    check_rows(&rows, 24);
}

#[test]
fn figures_and_csv() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let csv = stdout(&[&SURVEY[..], &["--csv", "--out", out]].concat());
    assert_eq!(csv.lines().next().unwrap(), KEYS.join(","));
    assert_eq!(csv.lines().count(), 1 + 11 * 2);
    let csv = stdout(&[&BEST_FIRST[..], &["--csv", "--out", out]].concat());
    assert_eq!(csv.lines().next().unwrap(), KEYS.join(","));
    stdout(&[&PS[..], &["--csv", "--out", out]].concat());
    for name in [
        "figure-6",
        "best-first-chess-leaves",
        "best-first-othello-nodes",
        "table-size-chess",
        "ps-othello-plain",
        "ps-chess-history",
    ] {
        assert!(folder.path().join(format!("{name}.svg")).exists(), "{name}");
    }
    // Figures 5 and 6 have different keys; all are in the header.
    let both = ["paper", "survey", "--depth", "2", "--count", "1", "--csv"];
    let csv = stdout(&both);
    let header = csv.lines().next().unwrap();
    assert!(header.starts_with("figure,width,depth") && header.contains("percent"), "{header}");
    // And nine selective searches.
    assert_eq!(csv.lines().count(), 1 + 7 * 4 + 11 + 9);
}

#[test]
fn what_is_wrong_is_refused() {
    let message = refused(&["paper", "ps", "--depth", "3"], "");
    assert!(message.contains("expected --real"), "{message}");
    let message = refused(&["paper", "best-first", "--memory", "history"], "");
    assert!(message.contains("need a table"), "{message}");
    let message = refused(&["paper", "best-first", "--positions", "nowhere.txt"], "");
    assert!(message.contains("which game"), "{message}");
    let message = refused(&["paper", "ps", "--real", "--positions", "nowhere.epd"], "");
    assert!(message.contains("cannot read nowhere.epd"), "{message}");
    for wrong in [["--depth", "0"], ["--figure", "7"], ["--jobs", "0"], ["--count", "0"]] {
        let output = plyground(&[&["paper", "survey"], &wrong[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}
