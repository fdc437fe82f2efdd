//! `plyground report` as its users meet it: files, messages, exit codes.

use std::path::Path;
use std::process::{Command, Output};

use plyground::experiment::{Record, Setup};
use plyground::search::Counts;

fn report(arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .arg("report")
        .args(arguments)
        .output()
        .unwrap()
}

fn line(position: &str, algorithm: &str, depth: u32, leaves: u64) -> String {
    let record = Record {
        setup: Setup {
            game: "chess".into(),
            position: position.into(),
            algorithm: algorithm.into(),
            depth,
            memory: "none".into(),
            update: "clipped".into(),
            evaluator: "standard".into(),
            version: "0.1.0".into(),
            ..Setup::default()
        },
        value: Some(20),
        best: Some("e2e4".into()),
        counts: Counts {
            leaves: Some(leaves),
            evaluations: leaves,
            interior: Some(10),
            visits: leaves + 10,
            quiescence: 0,
            peak_open: 5,
            peak_backup: 1,
            peak_stored: 0,
            peak_bytes: 100,
            calls: 1,
            researches: 0,
        },
        width: None,
        seconds: Some(0.25),
        stopped: None,
        ..Record::default()
    };
    format!("{}\n", serde_json::to_string(&record).unwrap())
}

/// Writes the records of two algorithms on two positions to two depths.
fn write_records(folder: &Path) -> String {
    let mut text = String::new();
    for position in ["p", "q"] {
        for depth in [2, 3] {
            text += &line(position, "alpha-beta", depth, 1000);
            text += &line(position, "sss", depth, 250);
        }
    }
    std::fs::write(folder.join("records.jsonl"), &text).unwrap();
    text
}

#[test]
fn three_files_are_written_and_named() {
    let folder = tempfile::tempdir().unwrap();
    write_records(folder.path());
    let output = report(&[folder.path().to_str().unwrap()]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let printed = String::from_utf8(output.stdout).unwrap();
    let names = ["report.html", "report.md", "report.csv"];
    let expected: Vec<String> =
        names.iter().map(|name| folder.path().join(name).display().to_string()).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let html = read("report.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    assert!(html.contains("All values agree") && html.contains(">0.250 <small>[0.250, 0.250]"));
    assert!(html.contains("<svg"), "two depths make a figure");
    let markdown = read("report.md");
    assert!(markdown.contains("| SSS\\* | 2 | 250 | 0.250 \\[0.250, 0.250\\] |"), "{markdown}");
    let csv = read("report.csv");
    assert!(csv.starts_with("part,game,evaluator,version,memory,"), "{csv}");
    let ratio = "comparison,chess,standard,0.1.0,none,false,,clipped,,1,previous,stored,\
         equal,aged,64,full,all,3,sss,,leaves ratio,alpha-beta,";
    let found = csv.lines().find(|line| line.starts_with(ratio)).unwrap();
    let mean: f64 = found[ratio.len()..].split(',').next().unwrap().parse().unwrap();
    assert!((mean - 0.25).abs() < 1e-12 && found.ends_with(",2"), "{found}");
}

#[test]
fn the_same_records_make_the_same_files_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    write_records(folder.path());
    let out = folder.path().join("new/pages");
    let arguments = [folder.path().to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert!(report(&arguments).status.success());
    assert!(!folder.path().join("report.html").exists());
    let first = std::fs::read(out.join("report.html")).unwrap();
    assert!(report(&arguments).status.success());
    assert_eq!(first, std::fs::read(out.join("report.html")).unwrap());
}

#[test]
fn a_line_that_is_not_finished_is_skipped_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let text = write_records(folder.path());
    let cut = format!("{text}{}", &line("r", "sss", 2, 7)[..40]);
    std::fs::write(folder.path().join("records.jsonl"), cut).unwrap();
    let output = report(&[folder.path().to_str().unwrap()]);
    assert!(output.status.success());
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.contains("records.jsonl: the last line is torn, 40 bytes of it are skipped"),
        "{note}"
    );
}

#[test]
fn what_is_no_experiment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let refused = |expected: &str| {
        let output = report(&[name]);
        assert_eq!(output.status.code(), Some(2), "{expected}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(expected), "{message}");
        assert!(!folder.path().join("report.html").exists());
    };
    refused("expected a folder with records");
    let file = folder.path().join("records.jsonl");
    std::fs::write(&file, "").unwrap();
    refused("records.jsonl: no records in it");
    std::fs::write(&file, line("p", "sss", 2, 7) + "{\"game\":\"chess\"}\n").unwrap();
    refused("records.jsonl, line 2: not a record: missing field");
    std::fs::write(&file, line("p", "sss", 2, 7) + "nonsense\n").unwrap();
    refused("line 2: not a record: expected");
    std::fs::write(&file, line("p", "sss", 2, 7)).unwrap();
    let output = report(&[name, "--out", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot make the folder"));
}
