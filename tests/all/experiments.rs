//! `compare`, its records, and what can be done with them; engines.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::commands::{objects, plyground, refused, stdout};

const SMALL: &[&str] =
    &["compare", "--count", "2", "--depth", "2", "--algorithms", "alpha-beta,minimax,sss,mtd-f"];

/// A command with more arguments.
fn and<'a>(command: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [command, more].concat()
}

/// Records without their times, as a set.
fn timeless(records: &[Value]) -> BTreeSet<String> {
    let without = |record: &Value| {
        let mut record = record.clone();
        let keys = record.as_object_mut().unwrap();
        keys.shift_remove("seconds");
        keys.shift_remove("clock");
        // The checksum is also that of the times.
        keys.shift_remove("checksum");
        record.to_string()
    };
    records.iter().map(without).collect()
}

fn records_of(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("records.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn compare_prints_a_table_for_each_game() {
    let text = stdout(SMALL);
    assert!(text.contains("othello, depth 2, 2 positions"), "{text}");
    assert!(text.contains("chess, depth 2, 2 positions"), "{text}");
    assert_eq!(text.matches("Every value agreed.").count(), 2, "{text}");
    assert!(text.contains("Relative to αβ"), "{text}");
}

#[test]
fn records_have_the_promised_keys() {
    let record = &objects(&and(SMALL, &["--game", "chess", "--json"]))[0];
    let keys: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    for key in [
        "game",
        "position",
        "algorithm",
        "depth",
        "memory",
        "version",
        "seed",
        "value",
        "best",
        "leaves",
        "evaluations",
        "interior",
        "visits",
        "peak_open",
        "peak_backup",
        "peak_stored",
        "seconds",
        "clock",
        "minimal_leaves",
        "minimal_graph",
        "over_minimal",
        "stopped",
    ] {
        assert!(keys.contains(&key), "{key}: {keys:?}");
    }
    let number = |key: &str| record[key].as_f64().unwrap();
    assert_eq!(number("over_minimal"), number("evaluations") / number("minimal_leaves"));
    assert!(number("over_minimal") >= 1.0 && number("minimal_graph") <= number("minimal_leaves"));
    assert_eq!(record["game"], "chess");
    assert_eq!(record["memory"], "none");
    assert!(record["seconds"].is_number());
}

#[test]
fn the_same_command_gives_the_same_records_with_any_number_of_jobs() {
    let memories = ["--memory", "none,table,all", "--deepening", "--table", "4K,64", "--json"];
    let command = and(SMALL, &memories);
    let first = objects(&command);
    // Two games, two positions, four algorithms, five configurations.
    assert_eq!(first.len(), 2 * 2 * 4 * 5);
    assert_eq!(timeless(&first), timeless(&objects(&command)));
    let jobs = objects(&and(&command, &["--jobs", "3"]));
    assert_eq!(timeless(&first), timeless(&jobs));
    assert!(jobs.iter().all(|record| record["seconds"].is_null()));
    let other = objects(&and(&command, &["--seed", "2"]));
    assert_ne!(timeless(&first), timeless(&other));
}

#[test]
fn a_run_is_resumed_and_a_torn_line_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let command = and(SMALL, &["--game", "othello", "--out", out]);
    stdout(&command);
    let whole = records_of(folder.path());
    assert_eq!(whole.len(), 2 * 4);
    let file = folder.path().join("records.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    // Killed while it wrote its sixth record.
    let sixth: usize = text.lines().take(5).map(|line| line.len() + 1).sum();
    fs::write(&file, &text[..sixth + 40]).unwrap();
    let output = plyground(&command);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("torn, 40 bytes"), "{said}");
    assert!(said.contains("5 of 8 searches are in the records already"), "{said}");
    assert_eq!(timeless(&records_of(folder.path())), timeless(&whole));
    // Nothing is left to do; the table is of all records.
    let output = plyground(&command);
    assert!(String::from_utf8_lossy(&output.stderr).contains("8 of 8"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("SSS*"));
    assert_eq!(records_of(folder.path()).len(), 8);
    // A line that is no record is left alone, and said.
    fs::write(&file, format!("{}nonsense\n{}", &text[..sixth], &text[sixth..])).unwrap();
    let message = refused(&command, "");
    assert!(message.contains("records.jsonl, line 6: not a record"), "{message}");
}

#[test]
fn shards_are_merged_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, joined) = (path("whole"), path("joined"));
    stdout(&and(SMALL, &["--out", &whole]));
    let parts: Vec<String> = (1..=3).map(|i| path(&format!("part{i}"))).collect();
    for (i, part) in parts.iter().enumerate() {
        let shard = format!("{}/3", i + 1);
        stdout(&and(SMALL, &["--shard", &shard, "--out", part]));
    }
    let merge = ["merge", &parts[0], &parts[1], &parts[2], "--out", &joined];
    assert!(stdout(&merge).contains("16 records, 0 of them"));
    let [whole, merged] =
        [&whole, &joined].map(|folder| timeless(&records_of(Path::new(folder.as_str()))));
    assert_eq!(whole, merged);
    // A contradiction is refused, and nothing is changed by it.
    let file = Path::new(&parts[1]).join("records.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let other = text.replacen("\"leaves\":", "\"leaves\":1", 1);
    fs::write(&file, &other).unwrap();
    assert!(refused(&merge, "").contains("records.jsonl, line 1: damaged"));
    // As an earlier version wrote it, without a checksum.
    let (line, rest) = other.split_once('\n').unwrap();
    let line = line.replacen("\"schema\":1,", "", 1);
    let line = format!("{}}}", &line[..line.rfind(",\"checksum\"").unwrap()]);
    fs::write(&file, format!("{line}\n{rest}")).unwrap();
    let message = refused(&merge, "");
    assert!(message.contains("contradict each other"), "{message}");
    assert_eq!(records_of(Path::new(&joined)).len(), 16);
    assert!(refused(&["merge", "nowhere", "--out", &joined], "").contains("nowhere"));
}

#[test]
fn a_search_that_needs_too_much_memory_is_recorded_as_such() {
    let algorithms = ["--algorithms", "alpha-beta,sss,mtd-f", "--bytes", "2K"];
    let command = and(&["compare", "--game", "chess", "--count", "2", "--depth", "3"], &algorithms);
    let records = objects(&and(&command, &["--json"]));
    let stopped: Vec<_> = records.iter().filter(|r| r["stopped"] == "bytes").collect();
    assert!(!stopped.is_empty() && stopped.iter().all(|r| r["value"].is_null()));
    assert!(stdout(&command).contains("Stopped by the limit of memory"));
    let locked = ["--algorithms", "itersss:3", "--count", "1", "--depth", "3", "--json"];
    let records = objects(&and(&["compare", "--game", "chess"], &locked));
    assert_eq!(records[0]["stopped"], "locked");
}

#[test]
fn wrong_settings_are_refused() {
    for (arguments, expected) in [
        (vec!["--memory", "tables"], "`tables` is no memory function"),
        (vec!["--memory", "etc"], "table+etc"),
        (vec!["--table", "8K"], "no configuration has a table"),
        (vec!["--memory", "table", "--table", "8Q"], "expected entries"),
        (vec!["--depth", "5..2"], "as in 2..6"),
        (vec!["--shard", "3/2", "--out", "x"], "expected I/N"),
        (vec!["--shard", "1/2"], "--out"),
        (vec!["--game", "go"], "expected othello or chess"),
        (vec!["--positions", "nowhere.epd"], "nowhere.epd"),
        (vec!["--positions", "Cargo.toml"], "--game"),
        (vec!["--positions", "Cargo.toml", "--game", "chess"], "Cargo.toml: line 1"),
        (vec!["--engine", "nobody"], "no engine `nobody`"),
        (vec!["--engine", "chess", "--game", "othello"], "plays chess, not othello"),
        (vec!["--engine", "chess", "--deepening"], "cannot be used with"),
        (vec!["--jobs", "0"], "jobs"),
    ] {
        let message = refused(&and(&["compare"], &arguments), "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn engines_are_listed_and_checked() {
    let rows = objects(&["engines", "--json"]);
    assert_eq!(rows.len(), 11);
    for row in &rows {
        let name = row["engine"].as_str().unwrap();
        assert!(stdout(&["engines"]).contains(name));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
        let file = folder.join(format!("{name}.toml"));
        assert_eq!(&objects(&["engines", file.to_str().unwrap(), "--json"])[0], row);
    }
    // Every file of the folder is built in.
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("engines")).unwrap();
    let toml = |name: &str| name.ends_with(".toml");
    let names = files.map(|f| f.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| toml(name)).count(), rows.len());
    let message = refused(&["engines", "nobody"], "");
    assert!(message.contains("chess-mtd-f"), "{message}");
}

#[test]
fn an_engine_searches_and_flags_change_it() {
    let best = |more: &[&str]| objects(&and(&["best", "chess", "--depth", "3", "--json"], more));
    let engine = &best(&["--engine", "chess-sss"])[0];
    assert_eq!(engine["algorithm"], "sss");
    let other = &best(&["--engine", "chess-sss", "--algorithm", "mtd-f"])[0];
    assert_eq!(other["algorithm"], "mtd-f");
    assert_eq!(engine["value"], other["value"]);
    let plain = &best(&["--algorithm", "sss"])[0];
    assert_eq!(plain["value"], engine["value"]);
    assert_ne!(plain["visits"], engine["visits"]);
    let same = ["--memory", "history", "--deepening", "--algorithm", "sss"];
    let same = &best(&same)[0];
    assert_eq!(same["visits"], engine["visits"]);
    // An engine brings its evaluator: hand-made weights are the laboratory's default, and play has others.
    let tuned = &best(&["--engine", "chess-mtd-f"])[0];
    assert_eq!(tuned["algorithm"], "mtd-f");
    assert_ne!(tuned["value"], plain["value"]);
    for (arguments, expected) in [
        (vec!["--engine", "othello"], "plays othello, not chess"),
        (vec!["--table", "8K"], "there is no table"),
        (vec!["--engine", "x.toml"], "x.toml"),
    ] {
        let message = refused(&and(&["best", "chess"], &arguments), "");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_suite_is_solved_position_by_position() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (zugzwang, ffo) = (file("zugzwang.epd"), file("ffo.obf"));
    let engines = ["--engine", "chess-ps", "--engine", "chess-alpha-beta"];
    let command = and(&["suite", &zugzwang, "--depth", "3"], &engines);
    let rows = objects(&and(&command, &["--json", "--jobs", "2"]));
    assert_eq!(rows.len(), 2 * 5 + 2);
    for row in &rows[..10] {
        assert!(row["best"].is_string() && row["solved"].is_boolean());
        assert_eq!(row["seconds_to_solution"].is_number(), row["solved"] == true);
        assert_eq!(row["nodes_to_solution"].is_number(), row["solved"] == true);
        assert!(row["nodes"].as_u64() >= row["nodes_to_solution"].as_u64());
    }
    let solved = rows[..5].iter().filter(|row| row["solved"] == true).count();
    assert_eq!(rows[10]["solved"], solved);
    // The two search the same tree to the same depth, and may only differ between equal moves.
    for (lists, plain) in rows[..5].iter().zip(&rows[5..10]) {
        assert_eq!(lists["value"], plain["value"]);
    }
    // One that plays selectively sees deeper than its depth.
    let bratko = file("bratko-kopec.epd");
    let played = objects(&["suite", &bratko, "--engine", "chess", "--depth", "7", "--json"]);
    let solved = played[..24].iter().filter(|row| row["solved"] == true).count();
    assert!(solved >= 8 && played[24]["solved"] == solved, "{solved}");
    for row in &played[..24] {
        assert!(row["nodes"].as_u64() >= row["nodes_to_solution"].as_u64());
        assert_eq!(row["seconds_to_solution"].is_number(), row["solved"] == true);
    }
    let text = stdout(&command);
    let row = text.lines().find(|line| line.starts_with("chess-alpha-beta ")).unwrap();
    assert_eq!(row.split_whitespace().nth(2), Some("5"), "{text}");
    let nodes = objects(&["suite", &ffo, "--engine", "othello", "--nodes", "500", "--json"]);
    assert_eq!(nodes.len(), 59 + 1);
    assert!(nodes[..59].iter().all(|row| row["nodes"].as_u64().unwrap() <= 500));
    let csv = stdout(&["suite", &zugzwang, "--engine", "chess", "--depth", "1", "--csv"]);
    assert!(csv.starts_with("engine,file,number,position,limit,") && csv.lines().count() == 6);
    let experiments = file("experiment-chess.epd");
    for (arguments, expected) in [
        (vec!["suite", "nowhere.epd", "--engine", "chess", "--depth", "2"], "nowhere.epd"),
        (vec!["suite", &zugzwang, "--engine", "othello", "--depth", "2"], "plays othello"),
        (vec!["suite", &experiments, "--engine", "chess", "--depth", "2"], "has no solution"),
        (vec!["suite", &zugzwang, "--engine", "chess", "--depth", "2", "--time", "1"], "cannot"),
    ] {
        let message = refused(&arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
