//! The files of chess positions: they can be read, are complete, and hold what their headers say.
#![allow(missing_docs)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use plyground::chess::{Epd, Side, Status, parse_epd};

/// Reads a file of `positions/` and checks what is true of all of them.
fn suite(file: &str, count: usize) -> Vec<Epd> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(file);
    let text = fs::read_to_string(path).unwrap();
    assert!(text.starts_with("# "), "{file} has no header");
    let suite = parse_epd(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(suite.len(), count, "{file}");

    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut ids = HashSet::new();
    for (epd, line) in suite.iter().zip(lines) {
        // What is written is what was read: moves in SAN as the board spells them.
        assert_eq!(epd.to_string(), line, "{file}");
        let id = epd.id.as_deref().unwrap_or_else(|| panic!("{file}: no id: {line}"));
        assert!(ids.insert(id), "{file}: {id} stands there twice");
        let same = suite.iter().filter(|other| other.board.same_position(&epd.board)).count();
        assert_eq!(same, 1, "{file}: the position of {id} stands there twice");
        assert_eq!(epd.board.status(), Status::Ongoing, "{file}: {id}");

        let mut moves = HashSet::new();
        for &mv in epd.best.iter().chain(&epd.avoid) {
            let san = epd.board.san(mv).to_string();
            assert_eq!(epd.board.san_move(&san), Ok(mv), "{file}: {id}");
            assert!(epd.board.is_legal(mv), "{file}: {id}: {san}");
            assert!(moves.insert(mv), "{file}: {id}: {san} stands there twice");
        }
    }
    suite
}

#[test]
fn suites_with_solutions() {
    for (file, count) in [
        ("win-at-chess.epd", 300),
        ("bratko-kopec.epd", 24),
        ("zugzwang.epd", 5),
        ("mates.epd", 53),
    ] {
        for epd in suite(file, count) {
            assert!(!epd.best.is_empty(), "{file}: {:?} has no solution", epd.id);
        }
    }
}

#[test]
fn win_at_chess_accepts_what_later_analysis_found() {
    let suite = suite("win-at-chess.epd", 300);
    for (number, epd) in (1..).zip(&suite) {
        assert_eq!(epd.id, Some(format!("WAC.{number:03}")));
    }
    for (number, sans) in [
        (31, "g3"),
        (38, "Qd3"),
        (41, "b7"),
        (52, "c4"),
        (96, "b3"),
        (100, "Be3"),
        (105, "Bxg3"),
        (120, "Rhg1"),
        (123, "Re6"),
        (140, "Bc7"),
        (146, "Bd3 Bh3"),
        (150, "Be5"),
        (199, "Rcd1"),
        (216, "a4"),
        (235, "Qe4"),
        (252, "Bg4"),
        (264, "Qe5"),
        (273, "g3"),
        (274, "Rg5+"),
        (275, "Nc5"),
        (279, "Rc3"),
        (287, "Qg4"),
    ] {
        let epd = &suite[number - 1];
        let later: Vec<_> = sans.split(' ').map(|san| epd.board.san_move(san).unwrap()).collect();
        assert!(epd.best.ends_with(&later) && epd.best.len() > later.len(), "{epd}");
    }
}

#[test]
fn openings_for_matches() {
    for epd in suite("openings-chess.epd", 100) {
        assert_eq!(epd.board.side(), Side::White, "{epd}");
        assert!(epd.best.is_empty() && epd.avoid.is_empty(), "{epd}");
    }
}

#[test]
fn positions_for_experiments() {
    let suite = suite("experiment-chess.epd", 20);
    for (number, epd) in (1..).zip(&suite) {
        let id = epd.id.as_deref().unwrap();
        assert!(id.starts_with(&format!("x{number:02} ")), "{id}");
        assert!(id.ends_with(&format!(", {} men", epd.board.occupied().len())), "{id}");
        assert!(epd.board.count_moves() >= 3, "{id}");
        assert!(!epd.board.in_check(), "{id}");
    }
    let white = suite.iter().filter(|epd| epd.board.side() == Side::White).count();
    assert_eq!(white, 10);
}
