//! `plyground annotate`: games of both kinds, in all their formats.

use std::fs;

use crate::commands::{objects, refused, stdout, with_input};

const PGN: &str =
    "[Event \"x\"]\n[White \"one\"]\n\n1. e4 {best} e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
const GGF: &str = "(;GM[Othello]PB[one]PW[two]TY[8]B[F5/1.5/2]W[D6]B[C3]W[D3];)\n";

#[test]
fn every_move_has_a_line_of_json() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, moves) in [
        ("x.pgn", PGN, &["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"][..]),
        ("x.ggf", GGF, &["f5", "d6", "c3", "d3"]),
        ("x.txt", "f5d6c3d3", &["f5", "d6", "c3", "d3"]),
        ("x.txt", "1.f5 2.d6 3.c3 4.d3\n", &["f5", "d6", "c3", "d3"]),
    ] {
        let file = folder.path().join(name).display().to_string();
        fs::write(&file, text).unwrap();
        let found = objects(&["annotate", &file, "--nodes", "3000", "--json"]);
        let played: Vec<&str> = found.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        assert_eq!(played, moves);
        for (ply, mv) in (1..).zip(&found) {
            assert_eq!(mv["ply"], ply);
            assert!(mv["value"].is_i64() && mv["best"].is_string(), "{mv}");
            assert!(mv["loss"].as_i64().unwrap() >= 0, "{mv}");
            if mv["move"] == mv["best"] {
                assert_eq!(mv["loss"], 0, "{mv}");
            }
        }
        assert_eq!(found, objects(&["annotate", &file, "--nodes", "3000", "--json"]));
    }
    // Moves may be typed, too, or come from a pipe.
    assert_eq!(objects(&["annotate", "f5d6c3d3", "--depth", "2", "--json"]).len(), 4);
    let piped = with_input(&["annotate", "-", "--depth", "2", "--json"], "1. e4 e5 *");
    assert_eq!(String::from_utf8(piped.stdout).unwrap().lines().count(), 2);
}

#[test]
fn mistakes_are_marked_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("x.pgn"), PGN).unwrap();
    let arguments = ["--nodes", "5000", "--html", &path("x.html"), "--out", &path("out.pgn")];
    let text = stdout(&[&["annotate", &path("x.pgn")], &arguments[..]].concat());
    assert!(text.contains("3...Nf6??") && text.contains("mean loss"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80 || line.contains("x.pgn")),
        "{text}"
    );
    let page = fs::read_to_string(path("x.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"), "{page}");
    assert!(page.contains("3...Nf6??"));
    // The file's own tags and comments are kept.
    let annotated = fs::read_to_string(path("out.pgn")).unwrap();
    for kept in ["[White \"one\"]", "{best}", "$4", "(3... ", "1-0"] {
        assert!(annotated.contains(kept), "no {kept} in {annotated}");
    }
    // What was written is read again, and annotated again.
    assert_eq!(objects(&["annotate", &path("out.pgn"), "--depth", "1", "--json"]).len(), 7);
    fs::write(path("x.ggf"), GGF).unwrap();
    stdout(&["annotate", &path("x.ggf"), "--nodes", "2000", "--out", &path("out.ggf")]);
    let annotated = fs::read_to_string(path("out.ggf")).unwrap();
    assert!(annotated.contains("PB[one]") && annotated.contains("W[D6/"), "{annotated}");
}

#[test]
fn what_is_no_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("bad.pgn"), "1. e4 e5\n2. Ke3 *").unwrap();
    fs::write(path("empty.pgn"), "").unwrap();
    fs::write(path("one.pgn"), "1. e4 *").unwrap();
    for (arguments, expected) in [
        (&["no-such-file.pgn"][..], "cannot read no-such-file.pgn"),
        (&[&path("bad.pgn")], "bad.pgn: line 2, column 4"),
        (&[&path("empty.pgn")], "empty.pgn: there is nothing in it"),
        (&[&path("one.pgn"), "--number", "2"], "there is no game 2"),
        (&["nonsense"], "not a game"),
        (&[&path("one.pgn"), "--engine", "othello"], "plays othello, and this is chess"),
        (&[&path("one.pgn"), "--html", "no/where.html"], "cannot write no/where.html"),
    ] {
        let message = refused(&[&["annotate"], arguments].concat(), "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

/// One broken game, or an unfinished one, does not hide the others of its file.
#[test]
fn each_game_of_a_file_is_read_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let broken = "[Event \"y\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    fs::write(path("x.pgn"), format!("{PGN}\n{broken}[Event \"z\"]\n\n1. d4 (1. c4 c5) d5 *\n"))
        .unwrap();
    fs::write(path("x.ggf"), format!("(;GM[Othello]B[A1];){GGF}")).unwrap();
    fs::write(path("x.txt"), "f5d6c3\nf5f6\n").unwrap();
    for (file, number, moves) in
        [("x.pgn", "1", 7), ("x.pgn", "3", 2), ("x.ggf", "2", 4), ("x.txt", "2", 2)]
    {
        let asked = ["annotate", &path(file), "--number", number, "--depth", "1", "--json"];
        assert_eq!(objects(&asked).len(), moves, "{file} {number}");
    }
    let piped =
        with_input(&["annotate", "-", "--depth", "1"], &fs::read_to_string(path("x.pgn")).unwrap());
    let noted = String::from_utf8(piped.stderr).unwrap();
    assert!(noted.contains("has 3 games, of which 1 cannot be read; this is game 1"), "{noted}");
    let message = refused(&["annotate", &path("x.pgn"), "--number", "2"], "");
    assert!(message.contains("x.pgn: game 2 of 3: line 8, column 13: \"Ke3\""), "{message}");
}
