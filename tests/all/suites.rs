//! `plyground suite` and `plyground suites`: built-in suites and files, engines and algorithms, points,
//! records.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::commands::{objects, plyground, refused, stdout};

#[test]
fn the_shipped_suites_are_built_in_and_told_apart() {
    let listed = objects(&["suites", "--json"]);
    let counts: Vec<(&str, u64)> = listed
        .iter()
        .map(|suite| (suite["suite"].as_str().unwrap(), suite["positions"].as_u64().unwrap()))
        .collect();
    assert_eq!(counts, [("ffo", 59), ("win-at-chess", 300), ("bratko-kopec", 24), ("zugzwang", 5)]);
    for suite in &listed {
        assert!(!suite["tests"].as_str().unwrap().is_empty());
        assert!(!suite["source"].as_str().unwrap().is_empty());
    }
    let text = stdout(&["suites"]);
    assert!(text.contains("win-at-chess, wac") && text.contains("Reinfeld"), "{text}");
    // From any folder, by any of its names.
    let folder = tempfile::tempdir().unwrap();
    for name in ["zugzwang", "Zugzwang"] {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
            .args(["suite", name, "--depth", "2", "--json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}");
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 5 + 1, "{name}");
    }
    let message = refused(&["suite", "zugswang"], "");
    assert!(message.contains("did you mean zugzwang?"), "{message}");
    assert!(refused(&["suite", "nothing.epd"], "").contains("no suite and no file nothing.epd"));
}

#[test]
fn engines_and_algorithms_make_one_table_with_a_chart() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("solved.svg");
    let arguments = [
        "suite",
        "bk",
        "--engine",
        "chess",
        "--algorithms",
        "pvs,mtd-f,sss,ps:2",
        "--nodes",
        "3000",
    ];
    let text = stdout(&[&arguments[..], &["--svg", svg.to_str().unwrap()]].concat());
    for name in ["chess ", "pvs ", "mtd-f ", "sss ", "ps:2 "] {
        assert_eq!(text.lines().filter(|line| line.starts_with(name)).count(), 1, "{name}: {text}");
    }
    assert!(text.contains("positions solved") && text.contains("  e  ps:2"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let rows = objects(&[&arguments[..], &["--json"]].concat());
    assert_eq!(rows.len(), 5 * 24 + 5);
    for row in &rows[..5 * 24] {
        assert_eq!(row["solved"].as_bool().unwrap(), row["nodes_to_solution"].is_number(), "{row}");
        assert!(row["nodes"].as_u64().unwrap() <= 3000 + 2000, "{row}");
    }
    // At equal nodes the engine that plays solves more than any search of the laboratory.
    let solved: Vec<u64> =
        rows[5 * 24..].iter().map(|row| row["solved"].as_u64().unwrap()).collect();
    assert!(solved[1..].iter().all(|other| *other <= solved[0]), "{solved:?}");
    assert_eq!(rows[5 * 24..][2]["engine"], "mtd-f");
}

#[test]
fn points_are_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("points.epd");
    let suite = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"a\"; c0 \"Rd8+=10, Rd7=3, h3=1\";\n\
                 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id \"b\"; c0 \"Rd7=7, Rd8#=5\";\n\
                 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"c\"; c0 \"a remark = nothing\";\n";
    fs::write(&file, suite).unwrap();
    let name = file.to_str().unwrap();
    let rows = objects(&["suite", name, "--depth", "3", "--json"]);
    let points: Vec<_> =
        rows.iter().map(|row| (row["points"].as_u64(), row["solved"].clone())).collect();
    assert_eq!(points[0], (Some(10), true.into()));
    assert_eq!(
        points[1],
        (Some(5), false.into()),
        "the mate is worth less than the best move here"
    );
    assert_eq!(points[2], (None, true.into()));
    assert_eq!((&rows[3]["points"], &rows[3]["most_points"]), (&15.into(), &17.into()));
    let text = stdout(&["suite", name, "--depth", "3"]);
    assert!(text.contains("points"), "{text}");
}

#[test]
fn a_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let arguments = ["suite", "zugzwang", "--depth", "4", "--json", "--out", out.to_str().unwrap()];
    let first = plyground(&arguments);
    assert!(first.status.success());
    let kept = out.join("suite.jsonl");
    let lines = fs::read_to_string(&kept).unwrap();
    assert_eq!(lines.lines().count(), 5);
    // As if it had been killed in the third position.
    let torn: String = lines.lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(&kept, format!("{torn}{{\"engine\":\"ch")).unwrap();
    let again = plyground(&arguments);
    let errors = String::from_utf8(again.stderr).unwrap();
    assert!(errors.contains("2 of 5 positions are in the records already"), "{errors}");
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 5);
    let third = plyground(&arguments);
    assert_eq!(third.stdout, again.stdout, "nothing is searched again");
    // Another limit is another experiment.
    let other = ["suite", "zugzwang", "--depth", "3", "--json", "--out", out.to_str().unwrap()];
    assert!(plyground(&other).status.success());
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 10);
}

#[test]
fn the_built_in_suites_are_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    let file = folder.join("zugzwang.epd");
    let strip = |arguments: &[&str]| -> Vec<_> {
        let mut rows = objects(arguments);
        for row in &mut rows {
            for key in ["file", "seconds", "seconds_to_solution"] {
                row.as_object_mut().unwrap().remove(key);
            }
        }
        rows
    };
    let built_in = strip(&["suite", "zugzwang", "--depth", "3", "--json"]);
    assert_eq!(built_in, strip(&["suite", file.to_str().unwrap(), "--depth", "3", "--json"]));
}
