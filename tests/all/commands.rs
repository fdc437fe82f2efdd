//! The program as its users meet it: commands, output, errors.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub fn plyground(arguments: &[&str]) -> Output {
    with_input(arguments, "")
}

pub fn with_input(arguments: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn stdout(arguments: &[&str]) -> String {
    let output = plyground(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn objects(arguments: &[&str]) -> Vec<Value> {
    stdout(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs what must fail; returns the message.
pub fn refused(arguments: &[&str], input: &str) -> String {
    let output = with_input(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

const TEXTBOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

#[test]
fn tree_prints_one_object_with_the_promised_keys() {
    let object = &objects(&["tree", TEXTBOOK, "--algorithm", "ps:2", "--json"])[0];
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    let expected = [
        "algorithm",
        "value",
        "leaves",
        "evaluations",
        "interior",
        "visits",
        "peak_open",
        "peak_backup",
        "peak_stored",
        "peak_bytes",
        "seconds",
        "stopped",
        "proved",
        "best",
        "visited",
    ];
    assert_eq!(keys, expected);
    assert_eq!(object["algorithm"], "ps:2");
    assert_eq!(object["value"], 3);
    assert_eq!(object["stopped"], Value::Null);
    assert_eq!(object["visited"], serde_json::json!([0, 3, 1, 2, 6, 7, 8]));
}

#[test]
fn a_stopped_search_tells_its_bounds() {
    let arguments = ["tree", TEXTBOOK, "--algorithm", "alpha-beta", "--leaves", "4", "--json"];
    let object = &objects(&arguments)[0];
    assert_eq!(object["stopped"], "leaves");
    assert_eq!(object["value"], Value::Null);
    assert_eq!(object["lower"], 3);
    assert_eq!(object["upper"], 14);
    assert_eq!(object["leaves"], 4);
    for (limit, amount) in [("--nodes", "3"), ("--bytes", "1"), ("--time", "0")] {
        let object =
            &objects(&["tree", TEXTBOOK, "--algorithm", "sss", limit, amount, "--json"])[0];
        assert_eq!(object["stopped"], limit[2..], "{limit}");
        let (lower, upper) = (object["lower"].as_i64(), object["upper"].as_i64());
        assert!(lower.unwrap() <= 3 && upper.unwrap() >= 3);
    }
}

#[test]
fn a_tree_comes_from_the_line_a_file_or_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.txt");
    std::fs::write(&file, format!("{TEXTBOOK}\n")).unwrap();
    let argument = format!("@{}", file.display());
    assert_eq!(objects(&["tree", &argument, "--json"])[0]["value"], 3);
    let output = with_input(&["tree", "-", "--json"], TEXTBOOK);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["value"], 3);
    assert_eq!(objects(&["tree", "-7", "--json"])[0]["value"], -7);
}

#[test]
fn the_trees_that_are_shipped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    for (name, id, leaves) in [
        ("textbook", "alpha-beta", 7),
        ("parallel-sss", "sss", 12),
        ("phased-search", "sss", 11),
        ("phased-search", "ps:2", 14),
    ] {
        let argument = format!("@{}", folder.join(format!("{name}.tree")).display());
        let object = &objects(&["tree", &argument, "--algorithm", id, "--json"])[0];
        assert_eq!(object["leaves"], leaves, "{id} on {name}");
    }
}

#[test]
fn wrong_trees_and_ids_are_refused_with_their_place() {
    for (arguments, input, expected) in [
        (vec!["tree", "((3 12"], "", "column 2"),
        (vec!["tree", "(1 x)"], "", "column 4: `x`: expected a whole number"),
        (vec!["tree", "-"], "(1\n(2 3", "standard input: line 2, column 1"),
        (vec!["tree", "@no/such/file"], "", "cannot read no/such/file"),
        (vec!["tree", TEXTBOOK, "--algorithm", "ps:0"], "", "at least 1"),
        (vec!["tree", TEXTBOOK, "--algorithm", "alphabta"], "", "did you mean alpha-beta?"),
        (vec!["tree", TEXTBOOK, "--svg", "no/such/folder/x.svg"], "", "cannot write"),
        (vec!["tree", TEXTBOOK, "--time", "soon"], "", "expected a number of seconds"),
        (vec!["trees", "--width", "0", "--depth", "3"], "", "the width is 0: expected 1 to 256"),
        (vec!["trees", "--width", "3", "--depth", "99"], "", "the depth is 99"),
        (vec!["trees", "--width", "3", "--depth", "3", "--order", "4"], "", "the order R is 4"),
        (vec!["trees", "--width", "3", "--depth", "3", "--root", "100"], "", "0 to 99"),
        (vec!["trees", "--width", "3", "--depth", "3", "--iid", "--strong"], "", "cannot be used"),
        (vec!["trees", "--width", "3", "--depth", "3", "--count", "0"], "", "0"),
        (vec!["trees", "--width", "3", "--depth", "8", "--algorithms", "itersss:8"], "", "M = 9"),
        (vec!["paper", "nonsense"], "", "nonsense"),
    ] {
        let message = refused(&arguments, input);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn trace_and_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.svg");
    let name = file.to_str().unwrap();
    let text = stdout(&["tree", TEXTBOOK, "--algorithm", "sss", "--trace", "--svg", name]);
    assert!(text.contains("OPEN: (1, LIVE, ∞) (2, LIVE, ∞) (0.0, SOLVED, 3)"), "{text}");
    assert!(text.contains("(root, SOLVED, 3): the search ends"), "{text}");
    let svg = std::fs::read_to_string(file).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn the_best_child_is_told_in_the_same_way_everywhere() {
    for (tree, best) in [(TEXTBOOK, 0), ("((3 12) (7 9) (1 2))", 1), ("(1 2 (9 5))", 2)] {
        for entry in plyground::search::catalogue() {
            let id = entry.examples[0];
            let object = &objects(&["tree", tree, "--algorithm", id, "--json"])[0];
            assert_eq!(object["best"], best, "{id} on {tree}");
            let text = stdout(&["tree", tree, "--algorithm", id]);
            assert!(text.contains(&format!("best child   {best}\n")), "{id}: {text}");
        }
    }
    // A leaf has no child.
    assert_eq!(objects(&["tree", "7", "--json"])[0]["best"], Value::Null);
}

#[test]
fn a_searched_tree_is_exported_whole() {
    let graph = stdout(&["tree", TEXTBOOK, "--algorithm", "alpha-beta", "--dot"]);
    assert!(graph.starts_with("digraph tree {") && graph.trim_end().ends_with('}'), "{graph}");
    assert_eq!(
        graph.matches("dashed").count(),
        4,
        "two leaves are cut off, with their edges: {graph}"
    );
    let whole = &objects(&["tree", TEXTBOOK, "--algorithm", "sss", "--json-tree"])[0];
    assert_eq!((&whole["value"], &whole["best"]), (&Value::from(3), &Value::from(0)));
    let nodes = whole["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 13);
    let visited: Vec<&Value> = whole["visited"].as_array().unwrap().iter().collect();
    let mut leaves: Vec<&Value> = nodes.iter().filter(|n| !n["visit"].is_null()).collect();
    leaves.sort_by_key(|node| node["visit"].as_u64());
    assert_eq!(leaves.iter().map(|node| &node["leaf"]).collect::<Vec<_>>(), visited);
    let events = whole["events"].as_array().unwrap();
    assert_eq!(events.iter().filter(|event| event["event"] == "leaf").count(), 7);
    assert!(events.iter().any(|e| e["event"] == "taken" && e["state"]["status"] == "SOLVED"));
    let folder = tempfile::tempdir().unwrap();
    for flag in ["--dot", "--json-tree"] {
        let file = folder.path().join("tree");
        let text = stdout(&["tree", TEXTBOOK, flag, file.to_str().unwrap()]);
        assert!(text.starts_with("algorithm "), "{text}");
        assert!(std::fs::read_to_string(&file).unwrap().contains("tree") || flag != "--dot");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn update_maxsearch_changes_what_is_visited() {
    // Values tie: the lower bounds that Maxsearch also keeps save a leaf somewhere.
    let trees = ["--width", "3", "--depth", "5", "--iid", "--values", "3", "--count", "50"];
    let mut arguments = vec!["trees", "--algorithms", "sss-2", "--json"];
    arguments.extend(trees);
    let clipped = objects(&arguments)[0]["leaves"].as_f64().unwrap();
    arguments.extend(["--update", "maxsearch"]);
    let maxsearch = objects(&arguments)[0]["leaves"].as_f64().unwrap();
    assert!(maxsearch < clipped, "{maxsearch} {clipped}");
}

#[test]
fn trees_prints_means_with_errors_and_the_same_seed_gives_the_same() {
    let arguments = [
        "trees",
        "--width",
        "8",
        "--depth",
        "4",
        "--count",
        "50",
        "--seed",
        "3",
        "--algorithms",
        "alpha-beta,sss,ps:2",
        "--json",
    ];
    let strip = |mut objects: Vec<Value>| {
        for object in &mut objects {
            let object = object.as_object_mut().unwrap();
            assert!(object["seconds"].as_f64().unwrap() > 0.0);
            object.remove("seconds");
            object.remove("seconds_se");
        }
        objects
    };
    let first = strip(objects(&arguments));
    assert_eq!(first, strip(objects(&arguments)));
    assert_eq!(first.len(), 3);
    for (object, id) in first.iter().zip(["alpha-beta", "sss", "ps:2"]) {
        assert_eq!(object["algorithm"], id);
        assert_eq!(object["count"], 50);
        assert_eq!(object["value"], 50.0);
        assert_eq!(object["value_se"], 0.0);
        for key in [
            "leaves",
            "evaluations",
            "interior",
            "nodes",
            "visits",
            "peak_open",
            "peak_backup",
            "peak_stored",
        ] {
            assert!(object[key].is_number() && object[format!("{key}_se")].is_number(), "{key}");
        }
    }
    assert_eq!(first[1]["peak_open"], 64.0);
    assert_eq!(first[2]["peak_open"], 16.0);
    assert_eq!(first[2]["peak_backup"], 5.0);
    // The papers' generator: about 713 leaves for alpha-beta, 433 for SSS*, 564 for PS*(2).
    for (object, expected) in first.iter().zip([713.0, 433.0, 564.0]) {
        let (mean, error) =
            (object["leaves"].as_f64().unwrap(), object["leaves_se"].as_f64().unwrap());
        assert!((mean - expected).abs() < 4.0 * error, "{mean} ± {error}, expected {expected}");
    }
}

#[test]
fn kinds_of_trees() {
    let leaves = |more: &[&str]| {
        let mut arguments =
            vec!["trees", "--width", "4", "--depth", "4", "--count", "20", "--json"];
        arguments.extend(["--algorithms", "alpha-beta"]);
        arguments.extend(more);
        objects(&arguments)[0]["leaves"].as_f64().unwrap()
    };
    assert_eq!(leaves(&["--order", "4"]), 31.0, "the minimal tree");
    assert_eq!(leaves(&["--first-best", "0.6"]), leaves(&["--order", "4", "--prob", "0.6"]));
    assert!(leaves(&["--strong"]) < leaves(&[]));
    assert_ne!(leaves(&["--iid"]), leaves(&[]));
    let csv = stdout(&["trees", "--width", "2", "--depth", "2", "--count", "2", "--csv"]);
    assert!(csv.starts_with("algorithm,count,value,value_se,leaves,leaves_se,"), "{csv}");
    assert_eq!(csv.lines().count(), 7);
}

#[test]
fn paper_ps_has_every_cell_and_the_space_exactly() {
    let (rows, times): (Vec<_>, Vec<_>) = objects(&["paper", "ps", "--count", "20", "--json"])
        .into_iter()
        .partition(|row| row["table"].is_u64());
    assert_eq!(rows.len(), 4 * 4 + 5 * 4 + 6 * 6 + 6 * 5 + 4 * 4);
    // Four kinds of trees, four searches.
    assert_eq!(times.len(), 4 * 4);
    assert!(times.iter().all(|row| row["time_a_leaf"].is_number()), "{times:?}");
    for row in &rows {
        assert_eq!(row["space"], row["printed_space"], "{row}");
        if row["misprint"] == false {
            let deviation = row["deviation_percent"].as_f64().unwrap();
            let error = row["leaves_se"].as_f64().unwrap() / row["leaves"].as_f64().unwrap();
            assert!(deviation.abs() < 8.0 + 300.0 * error, "{row}");
        }
        if row["order"] == row["width"] {
            assert_eq!(row["deviation_percent"], 0.0, "{row}");
        }
    }
}

#[test]
fn figures_are_written_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures");
    let name = out.to_str().unwrap();
    let rows =
        objects(&["paper", "survey", "--figure", "5", "--count", "2", "--json", "--out", name]);
    assert_eq!(rows.len(), 7 * 4);
    assert!(out.join("figure-5.svg").exists());
    let rows = objects(&["paper", "solution-trees", "--count", "1", "--json", "--out", name]);
    let drawn = rows.iter().filter(|row| row["x"].is_u64()).count();
    // Figures 8, 9 and 10 by both generators, and figure 8 on three other kinds of trees.
    assert_eq!(drawn, 2 * (9 * 7 + 9 * 8 + 6 * 12) + 2 * 3 * 9 * 7);
    assert!(rows.iter().any(|row| row["figure"] == 6) && rows.iter().any(|row| row["figure"] == 7));
    let is_minimal = |row: &&Value| {
        row["x"] == 100
            && row["figure"] != 10
            && (&row["width"], &row["depth"]) == (&5.into(), &9.into())
    };
    for row in rows.iter().filter(is_minimal) {
        assert_eq!(row["nodes"], 6238.0, "all are equal on the minimal tree: {row}");
    }
    for figure in ["6", "8-handed-down", "8-swapped-20-5", "9-swapped", "10-handed-down"] {
        assert!(out.join(format!("figure-{figure}.svg")).exists(), "{figure}");
    }
}

const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn perft_counts() {
    let object = &objects(&["perft", "othello", "7", "--json"])[0];
    assert_eq!(object["depth"], 7);
    assert_eq!(object["leaves"], 55_092);
    assert!(object["seconds"].is_number());
    let rows = objects(&["perft", "othello", "5", "--position", "f5", "--divide", "--json"]);
    assert_eq!(rows.len(), 3 + 1);
    let sum: u64 = rows[..3].iter().map(|row| row["leaves"].as_u64().unwrap()).sum();
    assert_eq!(rows[3]["leaves"], sum);
    assert_eq!(sum, 8_200 / 4);
    let object = &objects(&["perft", "chess", "4", "--json"])[0];
    assert_eq!(object["leaves"], 197_281);
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let rows = objects(&["perft", "chess", "4", "--position", endgame, "--divide", "--json"]);
    assert_eq!(rows.len(), 14 + 1);
    assert_eq!(rows[14]["leaves"], 43_238);
}

#[test]
fn best_searches_a_position_with_any_algorithm() {
    let search = |id: &str| {
        let arguments =
            ["best", "othello", "--position", "f5d6c3d3c4", "--algorithm", id, "--depth", "5"];
        objects(&[&arguments[..], &["--json"]].concat()).remove(0)
    };
    let minimax = search("minimax");
    for id in ["alpha-beta", "mtd-f", "sss", "ps:1+2+4", "itersss:5000"] {
        let object = search(id);
        assert_eq!(object["algorithm"], id);
        assert_eq!(object["value"], minimax["value"], "{id}");
        assert_eq!(object["pv"].as_array().unwrap().len(), 5, "{id}");
        assert_eq!(object["pv"][0], object["best"], "{id}");
        assert!(object["leaves"].as_u64() < minimax["leaves"].as_u64(), "{id}");
    }
    // A board may start with what looks like a flag.
    let start = "---------------------------OX------XO--------------------------- X";
    let typed = &objects(&["best", "othello", "--position", start, "--depth", "3", "--json"])[0];
    let default = &objects(&["best", "othello", "--depth", "3", "--json"])[0];
    assert_eq!(typed["value"], default["value"]);
    let counted = &objects(&["perft", "othello", "3", "--position", start, "--json"])[0];
    assert_eq!(counted["leaves"], 56);
    let text = stdout(&["best", "othello", "--depth", "2"]);
    assert!(text.contains("black to move") && text.contains("variation"), "{text}");
}

#[test]
fn best_searches_chess() {
    let object =
        &objects(&["best", "chess", "--position", "startpos", "--depth", "2", "--json"])[0];
    assert_eq!(object["pv"].as_array().unwrap().len(), 2);
    assert_eq!(object["pv"][0], object["best"]);
    assert!(object["value"].as_i64().unwrap().abs() < 200);
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let arguments = ["best", "chess", "--position", mate, "--algorithm", "sss", "--depth", "2"];
    let object = &objects(&[&arguments[..], &["--json"]].concat())[0];
    assert_eq!((&object["value"], &object["best"]), (&Value::from(31_999), &Value::from("d1d8")));
    let text = stdout(&arguments);
    assert!(text.contains("value        mate in 1\nbest         Rd8#"), "{text}");
}

#[test]
fn solve_solves() {
    let object = &objects(&["solve", FFO_1, "--json"])[0];
    assert_eq!(object["position"], FFO_1);
    assert_eq!((&object["score"], &object["best"]), (&Value::from(18), &Value::from("g8")));
    assert_eq!(object["pv"][0], "g8");
    assert!(object["nodes"].as_u64().unwrap() > 0 && object["seconds"].is_number());
    // One thread has a clock of its own, several have not.
    assert_eq!(object["cpu_seconds"].is_number(), cfg!(target_os = "linux"), "{object}");
    let shared = &objects(&["solve", FFO_1, "--threads", "2", "--json"])[0];
    assert!(shared["cpu_seconds"].is_null() && shared["score"] == 18, "{shared}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/ffo.obf");
    let file = file.to_str().unwrap();
    let rows = objects(&["solve", file, "--lines", "2..4", "--json"]);
    let scores: Vec<i64> = rows.iter().map(|row| row["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, [10, 2, 0]);
    let rows = objects(&["solve", file, "--lines", "2", "--algorithm", "mtd-f", "--json"]);
    assert_eq!((&rows[0]["score"], &rows[0]["best"]), (&Value::from(10), &Value::from("a4")));
    for more in [&["--nodes", "10"][..], &["--nodes", "10", "--algorithm", "pvs"]] {
        let object = &objects(&[&["solve", FFO_1, "--json"], more].concat())[0];
        assert_eq!(object["stopped"], "nodes");
        assert_eq!(object["score"], Value::Null);
    }
    let text = stdout(&["solve", file, "--lines", "1..2"]);
    assert!(text.contains("+18") && text.lines().last().unwrap().starts_with("all"), "{text}");
}

#[test]
fn wrong_positions_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.obf");
    std::fs::write(&file, format!("{FFO_1}; G8:+18;\n{FFO_1}; Z9:+4;\n")).unwrap();
    let wrong_score = folder.path().join("score.obf");
    std::fs::write(&wrong_score, format!("{FFO_1}; G8:+20;\n")).unwrap();
    for (arguments, expected) in [
        (vec!["best", "othello", "--position", "a1"], "a1 is not a legal move"),
        (vec!["best", "othello", "--position", "XO-"], "column 4: the board ends after 3 squares"),
        (vec!["best", "othello", "--depth", "200"], "200"),
        (vec!["best", "go"], "othello"),
        (vec!["best", "chess", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"], "white has 0 kings"),
        (vec!["best", "chess", "--position", "e2e4"], "line 1, column"),
        (vec!["perft", "othello", "x"], "x"),
        (vec!["perft", "chess", "2", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (vec!["perft", "chess", "2", "--position", "nonsense"], "column"),
        (vec!["solve", "no/such/file.obf"], "there is no file no/such/file.obf"),
        (vec!["solve", FFO_1, "--lines", "1..2"], "--lines goes with a file"),
        (vec!["solve", file.to_str().unwrap()], "line 2"),
    ] {
        let message = refused(&arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let output = plyground(&["solve", wrong_score.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("EXPECTED +20"), "{printed}");
    assert!(errors.contains("1 of 1 scores differ"), "{errors}");
}

#[test]
fn help_version_algorithms_and_completions() {
    assert!(stdout(&["--version"]).starts_with("plyground 0."));
    for command in [
        vec!["--help"],
        vec!["tree", "--help"],
        vec!["trees", "--help"],
        vec!["paper", "--help"],
        vec!["paper", "ps", "--help"],
        vec!["paper", "solution-trees", "--help"],
        vec!["paper", "survey", "--help"],
        vec!["paper", "best-first", "--help"],
        vec!["compare", "--help"],
        vec!["merge", "--help"],
        vec!["suite", "--help"],
        vec!["engines", "--help"],
        vec!["algorithms", "--help"],
        vec!["completions", "--help"],
        vec!["best", "--help"],
        vec!["solve", "--help"],
        vec!["perft", "--help"],
        vec!["paper", "parsss", "--help"],
        vec!["report", "--help"],
        vec!["bench", "--help"],
        vec!["play", "--help"],
        vec!["match", "--help"],
        vec!["uci", "--help"],
        vec!["gtp", "--help"],
        vec!["nboard", "--help"],
    ] {
        assert!(stdout(&command).contains("Examples:"), "{command:?}");
    }
    let listed = objects(&["algorithms", "--json"]).len();
    assert_eq!(listed, plyground::search::catalogue().count());
    let text = stdout(&["algorithms"]);
    for id in ["minimax", "sss-4:STEP", "ps:K", "itersss:M", "parsss:N", "ybw:N"] {
        assert!(text.contains(id), "{id}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&["completions", shell]).contains("plyground"));
    }
}

#[test]
fn output_into_a_closed_pipe_is_no_panic() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .args(["trees", "--width", "4", "--depth", "3", "--count", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn trees_are_searched_with_a_bounded_table_and_recorded_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trees.jsonl");
    let shape = ["trees", "--width", "4", "--depth", "6", "--iid", "--count", "6", "--json"];
    let searches = |more: &[&str]| {
        let own = ["--algorithms", "mtd-f,pvs", "--records", file.to_str().unwrap()];
        let means = objects(&[&shape[..], &own, more].concat());
        let text = std::fs::read_to_string(&file).unwrap();
        let records: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (means, records)
    };
    let (means, records) = searches(&["--memory", "table", "--table", "64"]);
    assert_eq!(records.len(), 2 * 6);
    for (mean, id) in means.iter().zip(["mtd-f", "pvs"]) {
        let own: Vec<&Value> = records.iter().filter(|r| r["algorithm"] == id).collect();
        let evaluations: f64 = own.iter().map(|r| r["evaluations"].as_f64().unwrap()).sum();
        assert!((evaluations / 6.0 - mean["evaluations"].as_f64().unwrap()).abs() < 1e-6);
        for (number, record) in own.iter().enumerate() {
            assert_eq!(record["number"], number);
            assert_eq!((&record["memory"], &record["table"]), (&"table".into(), &64.into()));
            assert!(record["peak_stored"].as_u64().unwrap() <= 64);
            assert!(record["peak_bytes"].as_u64().unwrap() > 0 && record["stopped"].is_null());
        }
    }
    // A large table forgets nothing, a small one makes MTD(f) visit leaves again.
    let (large, plain) = searches(&["--memory", "table", "--table", "64K"]);
    let sum = |means: &[Value]| means[0]["evaluations"].as_f64().unwrap();
    assert!(sum(&large) < sum(&means), "{} {}", sum(&large), sum(&means));
    assert!(plain.iter().all(|record| record["value"].is_number()));
    let message = refused(&[&shape[..], &["--table", "64"]].concat(), "");
    assert!(message.contains("expected a memory with `table`"), "{message}");
    let missing = folder.path().join("no/such/folder.jsonl");
    let message = refused(&[&shape[..], &["--records", missing.to_str().unwrap()]].concat(), "");
    assert!(message.contains("--records"), "{message}");
}
