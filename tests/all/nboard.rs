//! `plyground nboard` in conversation: recorded ones, hostile ones, whole games, and changes of mind.

use std::time::Duration;

use plyground::othello::{GgfGame, GgfMove, Move, Position};

use crate::commands::{refused, with_input};
use crate::conversation::Engine;
use crate::othello_games::{after, games_with_passes, random_game, read, written};

/// The beginning of a game.
const OPENING: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[one]PW[two]RE[?]TI[15:00]\
TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

/// Starts a conversation with a depth.
fn start(depth: u32) -> Engine {
    let mut engine = Engine::start(&["nboard"]);
    engine.send("nboard 2");
    assert_eq!(engine.line(), "set myname Plyground");
    engine.send(&format!("set depth {depth}"));
    engine
}

/// What is said until all is done; the last line, the answer to our ping, is left out.
fn settle(engine: &mut Engine, number: u32) -> Vec<String> {
    engine.send(&format!("ping {number}"));
    let mut said = engine.until("pong");
    assert_eq!(said.pop(), Some(format!("pong {number}")));
    said
}

/// The move and its value that `go` is answered with.
fn go(engine: &mut Engine) -> (Move, Option<f64>) {
    engine.send("go");
    let said = engine.until("===");
    assert_eq!(engine.line(), "status");
    let mut parts = said.last().unwrap()["=== ".len()..].split('/');
    let mv = read(parts.next().unwrap(), "PA");
    (mv, parts.next().map(|value| value.parse().unwrap()))
}

/// The lines of hints: a variation, a value and a depth; the variation must be legal.
fn hints(position: &Position, said: &[String]) -> Vec<(Vec<Move>, f64, String)> {
    let mut found = Vec::new();
    for line in said.iter().filter_map(|line| line.strip_prefix("search ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let [moves, value, games, depth] = words[..] else { panic!("{line}") };
        assert_eq!(games, "0");
        let mut position = *position;
        let mut variation = Vec::new();
        for place in (0..moves.len()).step_by(2) {
            let mv = read(&moves[place..place + 2], "PA");
            position = after(&position, mv);
            variation.push(mv);
        }
        found.push((variation, value.parse().unwrap(), depth.to_owned()));
    }
    found
}

/// The game up to a position, without what it leaves out.
fn ggf(played: &[(Position, Move)]) -> String {
    let mut game = GgfGame::new(Position::start());
    for &(_, square) in played {
        game.play(GgfMove { square, ..GgfMove::default() }).unwrap();
    }
    game.to_string()
}

/// Wipe-out in one move: depth, variation and value cannot be anything else.
#[test]
fn a_recorded_conversation() {
    let asked = "\
nboard 2
set depth 3
set contempt 0
set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5];)
ping 1
this is not understood

set game (;GM[Othello]nonsense
set depth none
move A1
move C5/64.00/1.5
learn
ping 2
go
ping 3
quit
ping 4
";
    let expected = "\
set myname Plyground
pong 1
status set game: line 1, column 22: found the end of the text: expected [ and the tag's value
status set depth: expected a number of plies, found `none`
status move `A1`: not a legal move here
learned
pong 2
status Thinking
=== PA
status
pong 3
";
    let output = with_input(&["nboard"], asked);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn hints_are_as_many_as_wanted_and_legal() {
    let mut engine = start(5);
    engine.send(&format!("set game {OPENING}"));
    let position = OPENING.parse::<GgfGame>().unwrap().end();
    for wanted in [1, 3, 64] {
        engine.send(&format!("hint {wanted}"));
        let said = engine.until("nodestats");
        assert_eq!(said[0], "status Thinking");
        let mut said = [said, engine.until("status")].concat();
        assert_eq!(said.pop().as_deref(), Some("status"));
        let found = hints(&position, &said);
        let last: Vec<_> = found.iter().filter(|(.., depth)| depth == "5").collect();
        // A line whose place changed is told again.
        let mut firsts: Vec<_> = last.iter().map(|(moves, ..)| moves[0]).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), wanted.min(position.board.moves().len()), "{said:?}");
        assert!(last.iter().all(|(_, value, _)| value.abs() <= 64.0));
    }
    assert!(settle(&mut engine, 9).is_empty());
    engine.close();
}

/// Games with passes, which are moves here; each move is told as it was made.
#[test]
fn whole_games_are_legal() {
    let mut engine = start(2);
    for (number, (played, _)) in games_with_passes(3).iter().enumerate() {
        let pass = played.iter().position(|(_, mv)| mv.is_none()).unwrap();
        engine.send(&format!("set game {}", ggf(&played[..pass])));
        // Who must pass says so, in answers and hints.
        let (mut position, _) = played[pass];
        engine.send("hint 2");
        let said = engine.until("nodestats");
        assert!(hints(&position, &said).iter().all(|(moves, ..)| moves[0].is_none()));
        while !position.board.is_over() {
            let (mv, _) = go(&mut engine);
            assert_eq!(mv.is_none(), position.board.must_pass());
            position = after(&position, mv);
            // Whether a pass is told does not matter if the other side's move follows.
            let told = match position.board.moves().first() {
                Some(next) if mv.is_none() && number % 2 == 1 => {
                    position = after(&position, Some(next));
                    Some(next)
                }
                _ => mv,
            };
            engine.send(&format!("move {}/1.25/0.5", written(told, "PA")));
        }
        assert_eq!(go(&mut engine), (None, None));
        engine.send("hint 1");
        assert!(engine.until("status The game is over").len() < 4);
    }
    engine.close();
}

/// The last squares are played out: the value is the game's result.
#[test]
fn endings_are_exact() {
    let mut engine = start(6);
    for seed in 1..6 {
        let (played, _) = random_game(seed);
        let place = played.iter().position(|(position, mv)| {
            mv.is_some() && position.board.empties().len() <= 8 && position.board.moves().len() > 1
        });
        let Some(place) = place else { continue };
        let (mut position, _) = played[place];
        let mover = position.side;
        engine.send(&format!("set game {}", ggf(&played[..place])));
        engine.send("hint 1");
        let said = engine.until("nodestats");
        let found = hints(&position, &said);
        assert_eq!(found.len(), 1, "{said:?}");
        let (moves, value, depth) = &found[0];
        assert_eq!(depth, "100%");
        for &mv in moves {
            position = after(&position, mv);
        }
        assert!(position.board.is_over());
        let score = position.board.final_score();
        let score = if position.side == mover { score } else { -score };
        assert_eq!(*value, f64::from(score));
        let (_, told) = go(&mut engine);
        assert_eq!(told, Some(*value));
    }
    engine.close();
}

/// Whatever comes while it thinks, thinking ends, and nothing is said about what was before.
#[test]
fn changes_of_mind() {
    let mut engine = start(60);
    engine.send(&format!("set game {OPENING}"));
    std::thread::sleep(Duration::from_millis(600));
    for (asked, number) in [("hint 3", 1), ("analyze", 2), ("hint 1", 3)] {
        engine.send(asked);
        std::thread::sleep(Duration::from_millis(50));
        let said = settle(&mut engine, number);
        assert_eq!(said[0], "status Thinking", "{said:?}");
        assert_eq!(said.last().unwrap(), "status", "{said:?}");
        assert!(settle(&mut engine, 10 + number).is_empty());
    }
    // Who asked for a move gets one, even so.
    engine.send("go");
    let said = settle(&mut engine, 4);
    let position = OPENING.parse::<GgfGame>().unwrap().end();
    let answer = said.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
    let mv = read(&answer[..2], "PA");
    // One command after the other, none of which waits.
    engine.send("hint 1");
    engine.send(&format!("move {}", written(mv, "PA")));
    engine.send("hint 2");
    engine.send("set depth 1");
    engine.send("analyze");
    let said = engine.until("analysis 0 ");
    assert_eq!(said.iter().filter(|line| line.starts_with("analysis ")).count(), 10);
    // The game is still there after its analysis.
    settle(&mut engine, 5);
    let position = after(&position, mv);
    let (next, value) = go(&mut engine);
    assert!(value.is_some());
    after(&position, next);
    engine.close();
}

#[test]
fn nonsense_is_ignored_and_survived() {
    let mut engine = start(1);
    for line in [
        "xyzzy",
        "set",
        "set game",
        "set depth",
        "set depth 0",
        "set depth -4",
        "set depth 99999999999999999999",
        "set game (;GM[Chess];)",
        "set game (;GM[Othello]BO[10 ----];)",
        "move",
        "move /",
        "move \u{1F600}/1/1",
        "move PA",
        "\u{1F600}",
        "é5",
        "A1",
        "nboard x",
        "learn",
    ] {
        engine.send(line);
        for said in settle(&mut engine, 1) {
            let known = ["status ", "set myname ", "learned"];
            assert!(known.iter().any(|start| said.starts_with(start)), "{line:?}: {said}");
        }
    }
    engine.send_bytes(b"\xff\xfe\x00 garbage \xc3\x28\n\r\n\n   \n");
    engine.send_bytes(&[vec![b'a'; 1 << 20], b"\n".to_vec()].concat());
    engine.send("hint -1");
    engine.send("hint 99999999999999999999");
    engine.send("ping");
    assert_eq!(engine.until("pong").pop().as_deref(), Some("pong "));
    // The first version's way to tell a move.
    engine.send("F5");
    let (mv, _) = go(&mut engine);
    after(&after(&Position::start(), read("F5", "PA")), mv);
    engine.close();
    assert!(refused(&["nboard", "--engine", "chess"], "").contains("NBoard is for othello"));
}

#[test]
fn the_end_of_the_input_ends_the_thinking() {
    for last in ["", "quit"] {
        let mut engine = start(60);
        std::thread::sleep(Duration::from_millis(700));
        engine.send("hint 2");
        engine.send(last);
        engine.close();
    }
}
