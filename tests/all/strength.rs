//! The strength of the engine over the protocols: levels, UCI's Elo; and what UCI says of mates.

use std::collections::HashSet;

use plyground::chess::Board;

use crate::commands::with_input;

fn said(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let output = with_input(arguments, &(lines.join("\n") + "\n"));
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// The range of `UCI_Elo`.
fn elo_range() -> (String, String) {
    let lines = said(&["uci"], &["uci", "quit"]);
    let option =
        lines.iter().find(|line| line.starts_with("option name UCI_Elo type spin")).unwrap();
    let words: Vec<&str> = option.split(' ').collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name).unwrap();
        words[at + 1].to_owned()
    };
    assert_eq!(after("default"), after("max"));
    (after("min"), after("max"))
}

#[test]
fn an_engine_of_little_elo_varies_and_repeats_by_its_seed() {
    let (weakest, _) = elo_range();
    let elo = format!("setoption name UCI_Elo value {weakest}");
    let first = |seed: u32| {
        let seed = format!("setoption name Seed value {seed}");
        let limited = "setoption name UCI_LimitStrength value true";
        let lines =
            said(&["uci"], &[limited, &elo, &seed, "position startpos", "go movetime 500", "quit"]);
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    let moves: Vec<String> = (1..=8).map(first).collect();
    assert_eq!(first(3), moves[2]);
    assert!(moves.iter().collect::<HashSet<_>>().len() >= 3, "{moves:?}");
    assert!(moves.iter().all(|mv| Board::start().uci_move(mv).is_ok()));
    let lines = said(&["uci"], &["setoption name UCI_Elo value 100000", "quit"]);
    assert!(lines[0].contains("UCI_Elo: expected a number from"), "{lines:?}");
}

/// The strongest is the engine as it always is, and variety must be asked for.
#[test]
fn full_strength_is_the_same_every_time() {
    let (_, strongest) = elo_range();
    let elo = format!("setoption name UCI_Elo value {strongest}");
    let go = |options: &[&str]| {
        let lines = [options, &["position startpos", "go nodes 5000", "quit"]].concat();
        said(&["uci"], &lines).last().unwrap().clone()
    };
    let plain = go(&[]);
    assert_eq!(go(&["setoption name UCI_LimitStrength value true", &elo]), plain);
    let varied: HashSet<String> = (1..=12)
        .map(|seed| {
            go(&["setoption name Variety value true", &format!("setoption name Seed value {seed}")])
        })
        .collect();
    assert!(varied.len() > 1, "{varied:?}");
}

#[test]
fn chances_are_told_if_they_are_asked_for() {
    let lines = ["position startpos", "go depth 3", "quit"];
    assert!(said(&["uci"], &lines).iter().all(|line| !line.contains(" wdl ")));
    let lines = [&["setoption name UCI_ShowWDL value true"], &lines[..]].concat();
    let said = said(&["uci"], &lines);
    for line in said.iter().filter(|line| line.starts_with("info depth")) {
        let (_, wdl) = line.split_once(" wdl ").unwrap();
        let chances = wdl.split(' ').take(3).map(|n| n.parse::<u32>().unwrap());
        assert_eq!(chances.sum::<u32>(), 1000, "{line}");
    }
}

#[test]
fn othello_has_levels_over_its_protocols() {
    for level in ["1", "5"] {
        let game = |seed: &str| {
            let moves: Vec<String> =
                ["b", "w"].repeat(6).iter().map(|c| format!("genmove {c}")).collect();
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            said(&["gtp", "--level", level, "--seed", seed], &moves)
        };
        assert_eq!(game("1"), game("1"));
        assert_ne!(game("1"), game("2"), "level {level}");
    }
    let lines =
        ["set game (;GM[Othello]TY[8]B[F5];)", "set level 1", "go", "ping 1", "set level 99"];
    let moves: HashSet<String> = (0..12)
        .map(|seed| {
            let seed = seed.to_string();
            let said = said(&["nboard", "--seed", &seed], &lines);
            assert!(said.last().unwrap().contains("set level: expected a number from 1 to 10"));
            said.into_iter().find(|line| line.starts_with("===")).unwrap()[..6].to_owned()
        })
        .collect();
    assert!(moves.len() > 1, "{moves:?}");
}

/// A mate is told with its whole line, and not again and again.
#[test]
fn mates_are_told_whole_and_once() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 0", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("8/8/8/8/8/4k3/8/R3K2R w KQ - 0 1", 4),
    ] {
        for threads in ["1", "2"] {
            let position = format!("position fen {fen}");
            let threads = format!("setoption name Threads value {threads}");
            let lines = said(&["uci"], &[&threads, &position, "go depth 100", "quit"]);
            let mates: Vec<&String> =
                lines.iter().filter(|line| line.contains(" score mate ")).collect();
            assert!((1..=20).contains(&mates.len()), "{lines:?}");
            for line in &mates {
                let (_, pv) = line.split_once(" pv ").unwrap();
                let number = line.split(" score mate ").nth(1).unwrap().split(' ').next().unwrap();
                let number: usize = number.parse().unwrap();
                assert_eq!(pv.split(' ').count(), 2 * number - 1, "{line}");
                let mut board = Board::from_fen(fen).unwrap();
                for mv in pv.split(' ') {
                    board = board.play(board.uci_move(mv).unwrap());
                }
                assert!(!board.has_moves() && board.in_check(), "{line}");
            }
            let last = format!(" score mate {moves} ");
            assert!(mates.last().unwrap().contains(&last), "{fen}: {lines:?}");
        }
    }
}
