//! `plyground play` whatever is typed: nothing ends the game but its end.

use std::process::{Command, Output, Stdio};

use proptest::prelude::*;

use super::play::{positions, said, talk};

const NONSENSE: &[&str] = &[
    "",
    "   ",
    "?",
    "!",
    "\t",
    "xyzzy",
    "e9",
    "z1z2",
    "O-O-O-O",
    "undo -1",
    "undo 99999999999999",
    "redo x",
    "level",
    "level x",
    "level 1 2",
    "depth -",
    "time",
    "time 1e309",
    "time -1",
    "time 1+1+1",
    "engine",
    "engine \u{0}",
    "position",
    "position  ",
    "position 8/8",
    "save",
    "save /",
    "load /",
    "load nothing.pgn 0",
    "compare 0",
    "compare x",
    "analyse x",
    "analyse -1",
    "hint please",
    "help me",
    "switch nobody",
    "pass",
    "--",
    "0000",
    "♔e2",
    "é",
    "\u{feff}e4",
    "1.",
    "1...",
    "....",
    "12345678901234567890",
    "e2e4e5",
    "e8=Q",
    "quite",
    "N",
    "Nbd",
    "x",
    "@@@@",
    "\\",
    "\"",
    "'",
    "load \"",
    "save '",
    "#",
    "ANALYSE x",
];

#[test]
fn nonsense_never_ends_the_game() {
    for game in ["chess", "othello"] {
        let text = talk(&[game, "--depth", "1"], &[NONSENSE, &["position"]].concat());
        let at = positions(&text);
        assert!(at.len() == 3 && at[0] == at[2], "{text}");
    }
}

/// Runs in a folder of its own, whatever is typed.
fn talk_bytes(game: &str, input: &[u8]) -> Output {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .args(["play", game, "--depth", "1"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(
        lines in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                "[a-hNBRQKO][1-8x-][a-h1-8]{0,4}".prop_map(String::into_bytes),
                "(undo|redo|switch|position|load|help|engine|save) ?[ -~]{0,12}"
                    .prop_map(String::into_bytes),
                "[a-h][1-8]".prop_map(String::into_bytes),
            ],
            0..80,
        ),
        chess in any::<bool>(),
    ) {
        let mut input = lines.join(&b'\n');
        // One more line that shows that it still listens.
        input.extend(b"\nswitch both\nposition\n");
        let output = talk_bytes(if chess { "chess" } else { "othello" }, &input);
        let text = said(&output, &String::from_utf8_lossy(&input));
        prop_assert!(!positions(&text).is_empty(), "{text}");
    }
}
