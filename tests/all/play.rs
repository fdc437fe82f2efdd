//! `plyground play` from a pipe: whole conversations about both games.

use std::path::Path;
use std::process::Output;

use super::agreement::all;
use super::commands::{refused, with_input};

/// What a conversation prints. It must end well, and without a colour.
pub fn talk(arguments: &[&str], lines: &[&str]) -> String {
    let arguments: Vec<&str> = [&["play"], arguments].concat();
    let output = with_input(&arguments, &lines.join("\n"));
    said(&output, &format!("{arguments:?} {lines:?}"))
}

/// Lines that were refused are told at the end, by the exit code too.
pub fn said(output: &Output, context: &str) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(2) || !errors.contains(" refused, the first was line ") {
        assert_eq!(output.status.code(), Some(0), "{context}: {errors}");
        assert_eq!(errors, "", "{context}");
    }
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!text.contains(['\x1b', '\r']), "{context}: {text}");
    text
}

/// The positions that `position` was answered with.
pub fn positions(text: &str) -> Vec<&str> {
    let is_board = |line: &&str| match line.split_once(' ') {
        Some((board, _)) if board.len() == 64 => board.chars().all(|c| "XO-".contains(c)),
        Some((board, _)) => board.matches('/').count() == 7,
        None => false,
    };
    text.lines().filter(is_board).collect()
}

#[track_caller]
pub fn has(text: &str, expected: &str) {
    assert!(text.contains(expected), "no `{expected}` in:\n{text}");
}

#[test]
fn a_move_is_answered_the_same_way_every_time() {
    let play = || talk(&["chess", "--depth", "3"], &["e4", "position", "quit", "d4"]);
    let text = play();
    assert_eq!(text, play());
    assert!(text.is_ascii());
    has(&text, "black (chess) plays ");
    has(&text, "depth 3");
    assert_eq!(positions(&text).len(), 1);
    let before = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    assert!(!positions(&text)[0].starts_with(before) && positions(&text)[0].contains(" w "));
}

#[test]
fn a_pipe_with_wrong_moves_does_not_end_well() {
    let end = |lines: &str| {
        let output = with_input(&["play", "chess", "--side", "both"], lines);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for wrong in ["e4", "Zz9", "undo x", "load nothing.pgn"] {
        let (code, message) = end(&format!("e4\n{wrong}\nxyzzy\nd5\nquit\n"));
        assert_eq!(code, Some(2), "{wrong}");
        let expected = format!("2 of 5 lines refused, the first was line 2, `{wrong}`");
        assert!(message.contains(&expected), "{message}");
    }
    assert_eq!(end("e4\ne5\n# a remark\n\nhistory\n"), (Some(0), String::new()));
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    for game in ["othello", "chess"] {
        let text = talk(&[game, "--depth", "1"], &[]);
        has(&text, "     a  b  c  d  e  f  g  h");
    }
    has(&talk(&[], &["level"]), "othello plays: 2 s a move");
}

#[test]
fn moves_are_understood_as_people_write_them() {
    let arguments = ["chess", "--side", "both"];
    let lines = ["1. e4", "e7-e5", "g1f3", "nc6", "2... Bb5", "Bb5", "a6", "bxc6", "dxc6", "o-o"];
    let text = talk(&arguments, &[&lines[..], &["history", "quit"]].concat());
    has(&text, "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O");
    let pawn = ["chess", "--side", "both", "--from", "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"];
    for typed in ["e8=Q", "e8q", "e8=q", "E8Q", "e7e8q", "e7-e8=Q"] {
        has(&talk(&pawn, &[typed]), "last move e8=Q");
    }
    let text = talk(&["othello", "--side", "both"], &["F5", "2. d6", "c3", "e2 e4", "history"]);
    has(&text, "1.f5 2.d6 3.c3");
    let text = talk(&arguments, &["e4 e5", "e5", "O-O", "e2e5", "position"]);
    has(&text, "one move at a time");
    has(&text, "there is a piece between the king and the rook");
    has(&text, "the pawn on e2 cannot go to e5");
    assert!(positions(&text)[0].ends_with("w KQkq - 0 1"));
}

#[test]
fn undo_takes_back_both_moves_and_redo_plays_them_again() {
    for (game, first, second) in [("chess", "e4", "d4"), ("othello", "f5", "")] {
        let lines = [
            "position", first, "position", "undo", "position", "redo", "position", "undo", "undo",
            "redo 5", "position", "redo",
        ];
        let text = talk(&[game, "--depth", "2"], &lines);
        let at = positions(&text);
        assert_eq!(at.len(), 5, "{text}");
        assert_eq!(at[0], at[2]);
        assert!(at[0] != at[1] && at[1] == at[3] && at[3] == at[4], "{text}");
        has(&text, &format!("taken back: {first} "));
        has(&text, &format!("played again: {first} "));
        has(&text, "there is nothing to take back");
        has(&text, "there is nothing to play again");
        if !second.is_empty() {
            // Another move forgets what was taken back.
            let text = talk(&[game, "--depth", "1"], &[first, "undo", second, "redo"]);
            has(&text, "there is nothing to play again");
        }
    }
    let lines = ["e4", "e5", "Nf3", "undo", "undo", "history", "redo", "history"];
    let text = talk(&["chess", "--side", "both"], &lines);
    has(&text, "taken back: Nf3\n");
    has(&text, "\n1.e4\n");
    has(&text, "\n1.e4 e5\n");
    // The engine does not move by itself after that.
    let text = talk(&["chess", "--side", "black", "--depth", "1"], &["undo", "position"]);
    has(&text, "(chess waits: go lets it move)");
    assert!(positions(&text)[0].contains(" w "));
}

#[test]
fn sides_can_be_switched() {
    let text =
        talk(&["chess", "--depth", "1"], &["switch", "position", "switch white", "switch x"]);
    has(&text, "you are black now\nwhite (chess) plays ");
    has(&text, "     h  g  f  e  d  c  b  a");
    assert!(positions(&text)[0].contains(" b "));
    has(&text, "you are white now\nblack (chess) plays ");
    has(&text, "`x`: expected white, black, both or none");
    let text = talk(&["othello", "--side", "both", "--depth", "1"], &["switch", "side none"]);
    has(&text, "switch to what? expected black, white, both or none");
    has(&text, "The game is over, ");
    let text = talk(&["othello", "--side", "white", "--depth", "1"], &["go"]);
    assert_eq!(text.matches("black (othello) plays ").count(), 2, "{text}");
    assert_eq!(text.matches("white (othello) plays ").count(), 1, "{text}");
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let text = talk(&["othello", "--side", "none", "--depth", "1"], &["history", "new"]);
    assert_eq!(text.matches("The game is over, ").count(), 2, "{text}");
    has(&text, "1.");
    has(&text, "undo takes moves back, new begins another game, save FILE keeps this one");
}

#[test]
fn a_game_that_is_over_stays_so_until_it_is_taken_back() {
    let lines = [
        "f3", "e5", "g4", "Qh4", "a3", "hint", "analyse", "go", "compare", "moves", "eval", "pgn",
        "undo", "Nc6", "position",
    ];
    let text = talk(&["chess", "--side", "both"], &lines);
    has(&text, "The game is over, black wins: checkmate.");
    assert_eq!(text.matches("the game is over (black wins: checkmate)").count(), 6, "{text}");
    has(&text, "[Result \"0-1\"]");
    assert!(positions(&text)[0].contains(" w "));
}

/// White, to move, has none: it passes by itself. Then Black takes everything.
#[test]
fn forced_passes_are_played() {
    let board = format!("XO{} O", "-".repeat(62));
    let lines = ["history", "pass", "c1", "undo", "history", "undo", "position"];
    let text = talk(&["othello", "--from", &board], &lines);
    has(&text, "white has no move and passes\n");
    has(&text, "1.pass\n");
    has(&text, "black has a move and may not pass");
    has(
        &text,
        "The game is over, black wins: 64-0.\n3 discs count 64: the empty squares (61) went to the winner\n",
    );
    has(&text, "taken back: c1\n");
    assert!(positions(&text)[0].ends_with(" X"), "{text}");
}

#[test]
fn hints_analysis_and_evaluation() {
    for (game, term) in [("chess", "white knight on b1"), ("othello", "mobility")] {
        let lines = ["hint", "analyse", "analyze 0.05", "eval", "moves", "compare 2", "position"];
        let text = talk(&[game, "--depth", "3"], &lines);
        has(&text, "hint: ");
        has(&text, ", depth 3: ");
        for depth in 1..=3 {
            has(&text, &format!("\ndepth  {depth}  "));
        }
        has(&text, "/s  ");
        has(&text, term);
        has(&text, "\nthe position ");
        has(&text, " moves:\n");
        for algorithm in ["alpha-beta", "minimax", "mtd-f", "sss", "dual", "ps:2", "itersss:500"] {
            has(&text, &format!("\n{algorithm} "));
        }
        has(&text, "Every value agreed.");
        // Nothing of this moves.
        assert_eq!(text.matches("to move").count(), 1, "{text}");
    }
}

#[test]
fn every_algorithm_can_be_played_against() {
    let mut ids = all();
    ids.push("minimax".into());
    for game in ["chess", "othello"] {
        let commands: Vec<String> = ids.iter().map(|id| format!("new\nengine {id}\ngo")).collect();
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let text = talk(&[game, "--side", "both", "--depth", "2"], &commands);
        for id in &ids {
            has(&text, &format!(" ({id}) plays "));
        }
    }
    let text = talk(&["chess", "--engine", "sss", "--depth", "1"], &["e4", "engine"]);
    has(&text, "black (sss) plays ");
    has(&text, "chess-mtd-f");
    has(&text, "Algorithms:");
    let text =
        talk(&["chess"], &["engine nobody", "engine othello", "engine ps:0", "engine x.toml"]);
    for expected in ["no engine `nobody`", "plays othello, not chess", "ps:0", "x.toml: cannot"] {
        has(&text, expected);
    }
}

#[test]
fn the_pace_can_be_set() {
    let lines =
        ["level 3", "e4", "depth 1", "d4", "time 0.01", "Nf3", "time", "depth 0", "level 11"];
    let text = talk(&["chess"], &[&lines[..], &["time soon", "time 60+1", "board"]].concat());
    for expected in ["level 3 of 10", "depth 1", "0.01 s a move", "clock 60+1", "  1:00\n"] {
        has(&text, expected);
    }
    has(&text, "depth: expected a number from 1 to 60, found `0`");
    has(&text, "level: expected a number from 1 to 10, found `11`");
    has(&text, "`soon` is no time");
    assert_eq!(text.matches("black (chess) plays").count(), 3, "{text}");
}

#[test]
fn a_level_plays_with_a_clock() {
    let lines = ["e4", "level 2", "time 100+0", "pgn"];
    let text = talk(&["chess", "--level", "1", "--time", "60+1"], &lines);
    has(&text, "level 1 of 10: has just learnt");
    has(&text, "black (chess) plays ");
    for clock in ["clock 60+1\n", "clock 100+0\n"] {
        let told = text.lines().filter(|line| format!("{line}\n").ends_with(clock));
        assert!(told.clone().any(|line| line.contains("level 2 of 10")), "{clock} {text}");
    }
    has(&text, "[TimeControl \"100");
}

#[test]
fn who_has_no_time_left_has_lost() {
    let lines = ["e4", "d4", "pgn", "undo", "time 100+0", "e4", "undo", "board"];
    let text = talk(&["chess", "--time", "0.000001+0"], &lines);
    has(&text, "The game is over, black wins: time forfeit.");
    has(&text, "the game is over (black wins: time forfeit)");
    has(&text, "[Result \"0-1\"]");
    has(&text, "the clock runs again");
    has(&text, "black (chess) plays ");
    has(&text, "1:40");
}

#[test]
fn games_and_positions_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (game, moves, endings) in [
        ("chess", ["e4", "e5", "Nf3"], ["pgn", "fen", "epd"]),
        ("othello", ["f5", "d6", "c3"], ["ggf", "obf", ""]),
    ] {
        for ending in endings.into_iter().filter(|ending| !ending.is_empty()) {
            let file = path(&format!("a game.{ending}"));
            let save = format!("save {file}");
            let lines = [&moves[..], &[&save, &save, "position"]].concat();
            let first = talk(&[game, "--side", "both"], &lines);
            has(&first, &format!(" is in {file}"));
            has(&first, &format!("{file} exists already and is left as it is"));
            let text = std::fs::read_to_string(&file).unwrap();
            let load = format!("load {file}");
            let second = talk(&[game, "--side", "both"], &[&load, "position", "history"]);
            assert_eq!(positions(&second), positions(&first), "{text}");
            let from = talk(&["--side", "both", "--from", &file], &["position"]);
            assert_eq!(positions(&from), positions(&first));
            // Whoever insists replaces it.
            let again = format!("save! {file}");
            has(&talk(&[game, "--side", "both"], &[moves[0], &again]), " is in ");
            assert_ne!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
    let two = format!("{0}\n{0}", "[Result \"*\"]\n\n1. e4 *\n");
    std::fs::write(path("two.pgn"), two).unwrap();
    let load = format!("load {}", path("two.pgn"));
    let nowhere = format!("save {}", path("no/where.pgn"));
    let lines = [&*load, &format!("{load} 2"), &format!("{load} 3"), "load", "save", &nowhere];
    let text = talk(&["chess", "--side", "both"], &[&lines[..], &["save x.doc"]].concat());
    has(&text, "a game of 1 move; game 1 of 2");
    has(&text, "game 2 of 2");
    has(&text, "there is no game 3; expected a number from 1 to 2");
    has(&text, "load: expected the name of a file");
    has(&text, "save: expected the name of a file");
    has(&text, "cannot write");
    has(&text, "x.doc: expected a name that ends in .pgn (the game), .fen or .epd (the position)");
    assert!(!Path::new("x.doc").exists());
}

/// Four fields and operations, as other programs want it.
#[test]
fn an_epd_is_no_fen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.epd").display().to_string();
    let from = ["chess", "--side", "both", "--from", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 10"];
    let first = talk(&from, &["Kd7", &format!("save {file}"), "position"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "8/3k4/8/8/8/8/4P3/4K3 w - - hmvc 4; fmvn 11;\n");
    let second = talk(&["chess", "--side", "both"], &[&format!("load {file}"), "position"]);
    assert_eq!(positions(&second), positions(&first));
}

/// A game that was loaded is saved with what its file said, until it is another game.
#[test]
fn a_loaded_game_keeps_its_tags_and_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let pgn = "[Event \"London\"]\n[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\
               [Result \"1/2-1/2\"]\n[ECO \"C33\"]\n\n1. e4 {best} e5 2. f4 exf4 1/2-1/2\n";
    let ggf = "(;GM[Othello]PC[GGS]PB[one]PW[two]RE[+2]TY[8]B[F5/1.5/0.25]W[D6]B[C3];)\n";
    for (game, text, kept, other, changed) in [
        ("chess", pgn, &["Anderssen", "London", "C33", "exf4 1/2-1/2"][..], "Bc4", "exf4 3. Bc4 *"),
        ("othello", ggf, &["PB[one]", "PC[GGS]", "RE[+2]", "B[F5/1.5/0.25]"], "d3", "W[D3];)"),
    ] {
        let ending = if game == "chess" { "pgn" } else { "ggf" };
        let file = path(&format!("given.{ending}"));
        std::fs::write(&file, text).unwrap();
        let [same, another] = ["same", "another"].map(|name| path(&format!("{name}.{ending}")));
        let (load, save, save_other) =
            (format!("load {file}"), format!("save {same}"), format!("save {another}"));
        // Going back and forth changes nothing, another move does.
        let lines = [&load, "undo", "redo", &save, "pgn", other, &save_other];
        let told = talk(&[game, "--side", "both"], &lines);
        let saved = std::fs::read_to_string(&same).unwrap();
        for part in kept {
            assert!(saved.contains(part), "no {part} in {saved}");
            has(&told, part);
        }
        let from = talk(&["--side", "both", "--from", &file], &["pgn"]);
        has(&from, saved.trim_end());
        let saved = std::fs::read_to_string(&another).unwrap();
        assert!(!saved.contains(kept[0]) && saved.contains(changed), "{saved}");
    }
}

#[test]
fn files_of_the_other_game_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let start = format!("{}OX{}XO{} X", "-".repeat(27), "-".repeat(6), "-".repeat(27));
    let ggf = file("x.ggf", "(;GM[Othello]PB[one]PW[two]TY[8]B[F5];)");
    let obf = file("x.obf", &format!("{start};\n"));
    let pgn = file("x.pgn", "[White \"x\"]\n\n1. e4 *\n");
    let unnamed = file("a game", "[White \"x\"]\n\n1. e4 *\n");
    for (game, other, path) in [
        ("chess", "othello", &ggf),
        ("chess", "othello", &obf),
        ("othello", "chess", &pgn),
        ("othello", "chess", &unnamed),
    ] {
        let text = talk(&[game, "--side", "both"], &[&format!("load {path}"), "position"]);
        has(&text, &format!("{other} now. {path}: "));
        assert_eq!(positions(&text).len(), 1);
        assert_eq!(positions(&text)[0].contains('/'), other == "chess");
    }
    let message = refused(&["play", "chess", "--from", &ggf], "");
    assert!(message.contains("x.ggf is a file of othello"), "{message}");
    let wrong = file("wrong.pgn", "1. e5 *");
    has(&talk(&["chess"], &[&format!("load {wrong}")]), "wrong.pgn: line 1, column 4");
    let fen = "position 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    has(
        &talk(&["othello"], &[fen]),
        "that is a position of chess, and this is othello: game chess",
    );
}

#[test]
fn positions_are_set_and_wrong_ones_change_nothing() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let set = format!("position {fen}");
    let lines = [&*set, "position nonsense", "position 8/8/8/8/8/8/8/8 w - - 0 1", "position"];
    let text = talk(&["chess"], &lines);
    assert_eq!(positions(&text), [fen]);
    has(&text, "kings: expected one");
    // As graphical interfaces write them to engines.
    let lines = ["position startpos moves e2e4 e7e5", "history", "position startpos moves e2e5"];
    let pasted = format!("position fen {fen} moves e1g1");
    let text = talk(&["chess", "--side", "both"], &[&lines[..], &[&pasted, "position"]].concat());
    has(&text, "\n1.e4 e5\n");
    has(&text, "\"e2e5\" is not a legal move for white");
    assert_eq!(positions(&text), ["4k3/8/8/8/8/8/8/5RK1 b - - 1 1"]);
    let text =
        talk(&["othello", "--side", "both"], &["position f5d6", "history", "new", "history"]);
    has(&text, "1.f5 2.d6");
    has(&text, "nothing has been played yet");
    let text = talk(&["--from", fen, "--side", "both"], &["board", "flip", "position startpos"]);
    has(&text, "     h  g  f  e  d  c  b  a");
    has(&text, "K white");
}

/// The number of the first move is the position's.
#[test]
fn history_counts_from_the_position_on() {
    let from = ["chess", "--side", "both", "--from", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 10"];
    has(&talk(&from, &["Kd7", "e4", "Ke7", "history"]), "\n10...Kd7 11.e4 Ke7\n");
}

/// Othello's board marks the legal moves; beside that of chess they are listed where a person moves.
#[test]
fn legal_moves_are_shown() {
    let text = talk(&["chess", "--side", "both"], &["e4"]);
    has(&text, "moves: Na3 Nc3 Nf3 Nh3 a3 a4");
    has(&text, "moves: Na6 Nc6 Nf6 Nh6 a5 a6");
    let waits = talk(&["chess", "--side", "black"], &["undo", "position startpos"]);
    assert!(!waits.contains("moves: Na3"), "{waits}");
    let text = talk(&["othello", "--side", "both"], &[]);
    assert!(text.contains(" . ") && !text.contains("moves:"), "{text}");
    // So many that they do not fit: their number is told.
    let queens = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let text = talk(&["chess", "--side", "both", "--from", queens], &["moves"]);
    let count = text.lines().find_map(|line| line.strip_suffix(" moves:")).unwrap();
    has(&text, &format!("... {count} in all"));
}

/// The rest of the game is searched once.
#[test]
fn analysis_does_not_repeat_itself() {
    let ending = format!("XO-O-O{}OX- X", "X".repeat(55));
    for (engine, position) in [
        ("alpha-beta", ending.as_str()),
        ("othello", &ending),
        ("chess", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"),
    ] {
        let arguments = ["--engine", engine, "--side", "both", "--from", position];
        let text = talk(&arguments, &["analyse 1"]);
        let lines = text.lines().filter(|line| line.starts_with("depth ")).count();
        assert!((1..6).contains(&lines), "{text}");
    }
}

/// Where there is no terminal, all that is said is ASCII, whatever is said elsewhere.
#[test]
fn a_pipe_gets_plain_letters() {
    let commands = [
        "engine",
        "engine aspiration:50",
        "engine alpha-beta",
        "engine sss-2",
        "eval",
        "compare 1",
        "help",
        "moves",
        "history",
        "level",
        "hint",
        "board",
        "pgn",
    ];
    for game in ["chess", "othello"] {
        let text = talk(&[game, "--side", "both", "--depth", "1"], &commands);
        assert!(text.is_ascii(), "{text}");
        has(&text, "in the window G +- E");
        has(&text, "alpha-beta plays (depth 1): alpha-beta");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let engine = file("bad.toml", "about = \"x\"\n[game.chess]\n[algorithm]\nid = \"nothing\"\n");
    let game = file("bad.pgn", "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *\n");
    let obf = file("bad.obf", "nonsense\n");
    for (arguments, expected) in [
        (vec!["chess", "--engine", "nobody"], "no engine `nobody`"),
        (vec!["chess", "--engine", "othello"], "plays othello, not chess"),
        (vec!["chess", "--engine", &engine], "bad.toml, line 4"),
        (vec!["chess", "--from", "nonsense"], "--from: the position: line 1"),
        (vec!["chess", "--from", "nothing.pgn"], "there is no file nothing.pgn"),
        (vec!["chess", "--from", "nofile"], "there is no file nofile"),
        (vec!["--from", "nofile"], "there is no file nofile"),
        (vec!["chess", "--from", &game], "bad.pgn: line 4"),
        (vec!["--from", &obf], "bad.obf: line 1"),
        (vec!["chess", "--time", "1", "--depth", "2"], "cannot be used with"),
        (vec!["chess", "--level", "1", "--depth", "2"], "cannot be used with"),
        (
            vec!["chess", "--level", "1", "--time", "2"],
            "--time: a level limits its moves by itself",
        ),
        (vec!["chess", "--time", "x"], "is no time"),
        (vec!["chess", "--level", "11"], "11"),
        (vec!["chess", "--depth", "0"], "0"),
        (vec!["chess", "--side", "green"], "--side: `green`: expected white, black"),
        (vec!["go"], "`go` is no game"),
    ] {
        let message = refused(&[&["play"], &arguments[..]].concat(), "e4\n");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn help_tells_of_every_command() {
    let text = talk(&["chess"], &["help", "help undo", "help nothing", "help anlyse", "?", "udno"]);
    for command in [
        "undo", "redo", "hint", "analyse", "eval", "compare", "go", "switch", "engine", "level",
        "depth", "time", "moves", "board", "flip", "history", "pgn", "position", "save", "load",
        "new", "quit",
    ] {
        has(&text, command);
    }
    has(&text, "undo 3 takes back three of your moves");
    has(&text, "there is no command of that name; help lists them all");
    has(&text, "did you mean analyse");
    has(&text, "did you mean undo?");
}
