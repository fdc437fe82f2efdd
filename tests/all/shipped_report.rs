//! The page that is shipped in docs/report: its numbers are computed from the data beside it.

use std::path::{Path, PathBuf};

use plyground_study::paper::{EXPERIMENTS, judged};
use serde_json::Value as Json;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report")
}

fn data(id: &str) -> Json {
    let path = folder().join(format!("data/{id}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Whoever changes how a claim is judged writes the page again: `plyground paper all --page --out docs/report`.
#[test]
fn the_page_is_self_contained_and_its_data_are_read() {
    let folder = folder();
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let claims = judged(&folder).unwrap();
    assert!(claims.len() > 30, "{}", claims.len());
    assert!(!page.contains("Not run yet"));
    for experiment in EXPERIMENTS {
        assert!(page.contains(experiment.title), "{} is not in the page", experiment.id);
        let data = data(experiment.id);
        let command = data["command"].as_str().unwrap();
        assert!(command.starts_with("plyground paper all "), "{command}");
        assert!(command.split([' ', '=']).all(|word| !word.starts_with('/')), "{command}");
    }
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
}

/// A geometric mean of ratios by a plain loop over the positions, beside the table that was printed.
#[test]
fn a_sample_of_numbers_is_computed_again() {
    let memory = data("memory");
    let rows = memory["rows"].as_array().unwrap();
    let tables = memory["tables"].as_array().unwrap();
    let mut compared = 0;
    for row in rows.iter().filter(|row| row["line"] != "PVS").step_by(5) {
        let base = rows.iter().find(|base| {
            base["line"] == "PVS"
                && ["game", "depth", "x"].iter().all(|key| base[*key] == row[*key])
        });
        let Some(base) = base else { continue };
        let counts = |row: &Json| -> Vec<Option<f64>> {
            row["evaluations"].as_array().unwrap().iter().map(Json::as_f64).collect()
        };
        let (own, theirs) = (counts(row), counts(base));
        if own.iter().any(Option::is_none) {
            continue;
        }
        let logs: f64 = own.iter().zip(&theirs).map(|(a, b)| (a.unwrap() / b.unwrap()).ln()).sum();
        let mean = format!("{:.2}", (logs / own.len() as f64).exp());
        let (game, depth) = (row["game"].as_str().unwrap(), &row["depth"]);
        let title = format!("Evaluations on {game} to depth {depth},");
        let table =
            tables.iter().find(|t| t["title"].as_str().unwrap().starts_with(&title)).unwrap();
        let line =
            table["rows"].as_array().unwrap().iter().find(|line| line[0] == row["line"]).unwrap();
        let cells: Vec<&str> = line.as_array().unwrap().iter().filter_map(Json::as_str).collect();
        assert!(
            cells.iter().any(|cell| cell.trim_end_matches('*') == mean),
            "{}, {game} {depth}: {mean} is not in {cells:?}",
            row["line"]
        );
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
    // A printed cell of the PS* papers, and ours, as the rows say it.
    let ps = data("ps");
    let rows = ps["rows"].as_array().unwrap();
    let cell =
        rows.iter().find(|row| row["table"] == 2 && row["algorithm"] == "sss" && row["order"] == 1);
    let cell = cell.unwrap();
    let (ours, printed) = (cell["leaves"].as_f64().unwrap(), cell["printed"].as_f64().unwrap());
    let deviation = cell["deviation_percent"].as_f64().unwrap();
    assert_eq!(printed, 439.0);
    // Files keep seven digits.
    assert!((100.0 * (ours / printed - 1.0) - deviation).abs() < 1e-4);
}

/// The percentages of an experiment whose rows have the counts of every position, against a plain loop.
#[test]
fn percentages_are_computed_again_position_by_position() {
    let data = data("best-first");
    let rows: Vec<&Json> =
        data["rows"].as_array().unwrap().iter().filter(|r| r["figure"] == "best-first").collect();
    let counts = |row: &Json, key: &str| -> Vec<f64> {
        row[key].as_array().unwrap().iter().map(|count| count.as_f64().unwrap()).collect()
    };
    let mut compared = 0;
    for row in &rows {
        let base = rows.iter().find(|base| {
            base["line"].as_str().unwrap().starts_with("Aspiration")
                && base["game"] == row["game"]
                && base["depth"] == row["depth"]
        });
        for (key, percent) in [("evaluations", "percent"), ("all_visits", "visits_percent")] {
            let (own, theirs) = (counts(row, key), counts(base.unwrap(), key));
            assert_eq!(own.len(), theirs.len());
            let logs: f64 = own.iter().zip(&theirs).map(|(a, b)| (a / b).ln()).sum();
            let mean = 100.0 * (logs / own.len() as f64).exp();
            let told = row[percent].as_f64().unwrap();
            assert!((mean - told).abs() < 1e-6 * told, "{mean} {told} {row}");
            compared += 1;
        }
    }
    assert!(compared >= 50, "{compared}");
}
