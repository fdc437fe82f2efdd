//! The page that is shipped in docs/report: its numbers are computed from the data beside it.

use std::path::{Path, PathBuf};

use plyground_study::paper::{EXPERIMENTS, document, judged};
use serde_json::Value as Json;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report")
}

fn data(id: &str) -> Json {
    data_in(&folder(), id)
}

/// The data of an experiment of a page, with the keys in every row again.
pub(crate) fn data_in(page: &Path, id: &str) -> Json {
    let path = page.join(format!("data/{id}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut data: Json = serde_json::from_str(&text).unwrap();
    // Rows with the same keys are written below them.
    let mut rows = Vec::new();
    for group in data["rows"].as_array().unwrap() {
        let keys: Vec<String> =
            group["keys"].as_array().unwrap().iter().map(|k| k.as_str().unwrap().into()).collect();
        for row in group["rows"].as_array().unwrap() {
            let cells = row.as_array().unwrap().iter().cloned();
            rows.push(Json::Object(keys.iter().cloned().zip(cells).collect()));
        }
    }
    data["rows"] = rows.into();
    data
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

/// Not a number, a word or a line differs from what the data say.
#[test]
fn the_page_and_the_claims_are_those_of_the_data() {
    let folder = folder();
    let page = document(&folder).unwrap().to_html();
    let shipped = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let differs = page.lines().zip(shipped.lines()).find(|(now, then)| now != then);
    assert_eq!(differs, None, "write the page again: plyground paper all --page --out docs/report");
    assert_eq!(page.len(), shipped.len());
    let claims = std::fs::read_to_string(folder.join("claims.csv")).unwrap();
    for (id, claim) in judged(&folder).unwrap() {
        for text in [&claim.numbers, &claim.text, &claim.verdict.to_string()] {
            assert!(
                claims.contains(&text.replace('"', "\"\"")),
                "{id}: {text} is not in claims.csv"
            );
        }
    }
}

/// The counts of every position, in the order of the positions; none where a search was stopped.
fn counts(row: &Json, key: &str) -> Vec<Option<f64>> {
    row[key].as_array().unwrap().iter().map(Json::as_f64).collect()
}

/// The mean of the logarithms of paired ratios, and the standard error of that mean.
fn mean_of_logs(own: &[Option<f64>], theirs: &[Option<f64>]) -> (f64, f64) {
    assert_eq!(own.len(), theirs.len());
    let logs: Vec<f64> =
        own.iter().zip(theirs).map(|(a, b)| (a.unwrap() / b.unwrap()).ln()).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The row of PVS with the same game, depth and bytes.
fn pvs_beside<'r>(rows: &'r [Json], row: &Json) -> &'r Json {
    let same = |base: &&Json| {
        base["line"] == "PVS" && ["game", "depth", "x"].iter().all(|key| base[*key] == row[*key])
    };
    rows.iter().find(same).unwrap()
}

/// Geometric means of ratios by a plain loop over the positions, each beside its own cell of the table that
/// was printed, and the interval beside the usual one of the logarithms.
#[test]
fn a_sample_of_numbers_is_computed_again() {
    let memory = data("memory");
    let rows = memory["rows"].as_array().unwrap();
    let tables = memory["tables"].as_array().unwrap();
    let mut compared = 0;
    for row in rows.iter().filter(|row| row["line"] != "PVS").step_by(3) {
        let own = counts(row, "evaluations");
        if own.iter().any(Option::is_none) {
            continue;
        }
        let (mean, error) = mean_of_logs(&own, &counts(pvs_beside(rows, row), "evaluations"));
        let (game, depth) = (row["game"].as_str().unwrap(), &row["depth"]);
        let title = format!("Evaluations on {game} to depth {depth},");
        let table =
            tables.iter().find(|t| t["title"].as_str().unwrap().starts_with(&title)).unwrap();
        let bytes = match row["x"].as_u64().unwrap() {
            x if x >= 1 << 20 => format!("{} MiB", x >> 20),
            x => format!("{} KiB", x >> 10),
        };
        let columns = table["columns"].as_array().unwrap();
        let column = columns.iter().position(|column| column["name"] == bytes.as_str()).unwrap();
        let line =
            table["rows"].as_array().unwrap().iter().find(|line| line[0] == row["line"]).unwrap();
        let what = format!("{}, {game} {depth}, {bytes}: {line}", row["line"]);
        let printed = line[column].as_str().unwrap().trim_end_matches('*');
        assert_eq!(printed, format!("{:.2}", mean.exp()), "{what}");
        let (low, high) = line[column + 1].as_str().unwrap().split_once('–').unwrap();
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        for (end, usual) in [(low, mean - 1.96 * error), (high, mean + 1.96 * error)] {
            // The bootstrap's interval is not symmetric, and two digits were printed.
            let near = 0.01 + 0.5 * error * mean.exp() * 1.96;
            assert!((end - usual.exp()).abs() < near, "{what}: {end}, {}", usual.exp());
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
    // What the claim quotes.
    let claims = judged(&folder()).unwrap();
    let (_, claim) = (claims.iter())
        .find(|(_, claim)| claim.text.contains("gains nothing where memory is equal"))
        .unwrap();
    let quoted = claim.numbers.split_once("in 64 MiB: ").unwrap().1;
    let sss = |row: &&Json| row["line"] == "SSS*" && row["x"] == 64 << 20;
    let mut quotes = 0;
    for row in rows.iter().filter(sss) {
        let own = counts(row, "evaluations");
        let (mean, _) = mean_of_logs(&own, &counts(pvs_beside(rows, row), "evaluations"));
        let quote =
            format!("{} {}: {:.2} (", row["game"].as_str().unwrap(), row["depth"], mean.exp());
        assert!(quoted.contains(&quote), "{quote} is not in {quoted}");
        quotes += 1;
    }
    assert_eq!(quotes, 8);
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
    let mut compared = 0;
    for row in &rows {
        let base = rows.iter().find(|base| {
            base["line"].as_str().unwrap().starts_with("Aspiration")
                && base["game"] == row["game"]
                && base["depth"] == row["depth"]
        });
        for (key, percent) in [("evaluations", "percent"), ("all_visits", "visits_percent")] {
            // To the deepest, fewer positions may have been searched: the same by all.
            let searched = |row: &Json| -> Vec<Option<f64>> {
                counts(row, key).into_iter().filter(Option::is_some).collect()
            };
            let (own, theirs) = (searched(row), searched(base.unwrap()));
            assert_eq!(row["count"], own.len());
            let mean = 100.0 * mean_of_logs(&own, &theirs).0.exp();
            let told = row[percent].as_f64().unwrap();
            assert!((mean - told).abs() < 1e-6 * told, "{mean} {told} {row}");
            compared += 1;
        }
    }
    assert!(compared >= 50, "{compared}");
}
