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

const LISTS: [&[&str]; 6] = [
    &["algorithms"],
    &["engines"],
    &["trees", "--width", "8", "--depth", "4", "--count", "3"],
    &["compare", "--depth", "2", "--count", "2", "--memory", "none,table+history"],
    &["paper", "ps", "--count", "2"],
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
