//! What a person sees at a terminal of 80 columns, and what is forgiven of what a person types.

use std::process::Command;

use crate::commands::{objects, refused, stdout};

/// The widest line that a command prints with this variable COLUMNS, in characters.
fn widest(arguments: &[&str], columns: &str) -> usize {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("plyground"));
    let output = command.args(arguments).env("COLUMNS", columns).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.chars().count()).max().unwrap()
}

const LISTS: [&[&str]; 7] = [
    &["algorithms"],
    &["engines"],
    &["trees", "--width", "8", "--depth", "4", "--count", "3"],
    &["compare", "--depth", "2", "--count", "2", "--memory", "none,table+history"],
    &["paper", "ps", "--count", "2"],
    &["puzzle", "compare", "--domain", "8-puzzle"],
    &["solve", "positions/ffo.obf", "--lines", "1..2"],
];

#[test]
fn tables_fit_the_terminal_and_wide_ones_show_everything() {
    for arguments in LISTS {
        let text = stdout(arguments);
        let piped = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(piped <= 80, "{arguments:?}: {piped}\n{text}");
        for columns in [72, 100] {
            let widest = widest(arguments, &columns.to_string());
            assert!(widest <= columns, "{arguments:?}: {widest} of {columns}");
        }
        let wide = [arguments, &["--wide"]].concat();
        assert!(widest(&wide, "80") > 80, "{arguments:?}");
        assert!(!stdout(&wide).contains("--wide"), "{arguments:?}");
    }
    // Nonsense in the variable is ignored.
    for nonsense in ["", "0", "wide", "-3"] {
        assert!(widest(LISTS[0], nonsense) <= 80, "{nonsense}");
    }
}

#[test]
fn names_are_forgiven_or_asked_about() {
    let tree = "((3 12 8) (2 4 6) (14 5 2))";
    for (typed, id) in [
        ("alphabeta", "alpha-beta"),
        ("mtdf", "mtd-f"),
        ("MTD(f)", "mtd-f"),
        ("sss*", "sss"),
        ("SSS", "sss"),
        ("PS*:2", "ps:2"),
        ("ps:2", "ps:2"),
    ] {
        let object = &objects(&["tree", tree, "--algorithm", typed, "--json"])[0];
        assert_eq!(object["algorithm"], id, "{typed}");
    }
    assert_eq!(objects(&["perft", "Chess", "2", "--json"])[0]["leaves"], 400);
    assert_eq!(objects(&["perft", "reversi", "2", "--json"])[0]["leaves"], 12);
    let named = objects(&["engines", "Chess-MTDF", "--json"]);
    assert_eq!(named[0]["engine"], "chess-mtd-f");
    for (arguments, question) in [
        (vec!["tree", tree, "--algorithm", "alhpa-beta"], "did you mean alpha-beta?"),
        (vec!["perft", "chss", "2"], "did you mean chess?"),
        (vec!["engines", "ches-mtd-f"], "did you mean chess-mtd-f?"),
    ] {
        let message = refused(&arguments, "");
        assert!(message.contains(question), "{arguments:?}: {message}");
    }
}

/// The help of the program and of every command below it.
fn every_help() -> Vec<(Vec<String>, String)> {
    let (mut all, mut open) = (Vec::new(), vec![Vec::<String>::new()]);
    while let Some(path) = open.pop() {
        let mut arguments: Vec<&str> = path.iter().map(String::as_str).collect();
        arguments.push("--help");
        let text = stdout(&arguments);
        let commands =
            text.split("\nCommands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
        for line in commands.unwrap_or("").lines() {
            // A wrapped description is indented further.
            let word = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '));
            let name = word.and_then(|rest| rest.split_whitespace().next());
            if let Some(name) = name.filter(|name| *name != "help") {
                open.push([path.clone(), vec![name.to_owned()]].concat());
            }
        }
        all.push((path, text));
    }
    all
}

#[test]
fn help_fits_80_columns_and_its_examples_are_whole() {
    let all = every_help();
    assert!(all.len() > 25, "{}", all.len());
    for (path, text) in all {
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{path:?}: {line}");
        }
        assert!(!text.contains("so many"), "{path:?}");
        let Some(examples) = text.split("\nExamples:\n").nth(1) else {
            assert!(text.contains("\nCommands:\n"), "{path:?}: its commands have examples");
            continue;
        };
        let first = examples.split("\n\n").next().unwrap();
        for line in first.lines() {
            // A wrapped example could not be copied.
            let piped = line.contains(" | ") || line.contains("plyground");
            assert!(line.starts_with("  ") && piped, "{path:?}: {line}");
        }
    }
}

#[test]
fn shells_know_the_names() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        for name in ["othello", "chess-mtd-f", "alpha-bounding", "bratko-kopec"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    // What stands where no option does: the game of `play`, the opponents of a tournament.
    let fish = stdout(&["completions", "fish"]);
    for (command, names) in [("play\" -f", "chess othello"), ("tournament\"", "ab-cns:3 ")] {
        let line = format!("-n \"__fish_plyground_using_subcommand {command} -a \"{names}");
        assert!(fish.contains(&line), "{line}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let page = stdout(&["man"]);
    assert!(page.contains(".TH plyground 1"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    stdout(&["man", "--out", out.to_str().unwrap()]);
    for (path, _) in every_help() {
        let name = [&["plyground".to_owned()], path.as_slice()].concat().join("-");
        let page = std::fs::read_to_string(out.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{name}");
    }
}
