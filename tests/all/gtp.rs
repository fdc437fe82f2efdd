//! `plyground gtp` in conversation: recorded ones, hostile ones, whole games, and little time.

use std::time::Duration;

use plyground::othello::{Disc, Position};

use crate::commands::{refused, with_input};
use crate::conversation::{Engine, SLACK};
use crate::othello_games::{after, games_with_passes, random_game, read, written};

/// How GTP is spoken.
trait Gtp {
    /// The answer to a command, its sign included; an empty line ends it.
    fn ask(&mut self, command: &str) -> String;
    /// The answer to a command that must succeed.
    fn done(&mut self, command: &str) -> String;
}

impl Gtp for Engine {
    fn ask(&mut self, command: &str) -> String {
        self.send(command);
        let mut answer = String::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                return answer.trim_end().to_owned();
            }
            answer.push_str(&line);
            answer.push('\n');
        }
    }

    fn done(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
        text.trim().to_owned()
    }
}

/// Black or white, with one letter.
fn color(side: Disc) -> &'static str {
    match side {
        Disc::Black => "b",
        Disc::White => "w",
    }
}

/// The position that `showboard` shows, as 64 letters and the side to move.
fn shown(engine: &mut Engine) -> String {
    let text = engine.done("showboard");
    let rows = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let discs: String = rows.flat_map(|row| row.split(' ').skip(1).take(8)).collect();
    assert_eq!(discs.len(), 64, "{text}");
    assert!(text.is_ascii());
    let side = if text.contains(": white") { 'O' } else { 'X' };
    format!("{discs} {side}")
}

fn score(position: &Position) -> String {
    let mover = position.board.final_score();
    let black = if position.side == Disc::Black { mover } else { -mover };
    match black {
        0 => "0".into(),
        1.. => format!("B+{black}"),
        _ => format!("W+{}", -black),
    }
}

/// Numbers, comments, tabs, control characters, empty lines: every byte of the answers is known.
#[test]
fn a_recorded_conversation() {
    let asked = "\
# a comment, and nothing else

1 protocol_version
2 name # what is it called?
known_command genmove
known_command quit
03\tknown_command\tsing\r
list_games
set_game Othello
set_game Go
boardsize 8
4 boardsize 19
komi 6.5
clear_board
5 play B F5
play black d6
play white d6
play w pass
play w a1
6 play w D6
\u{7}un\u{1}do
undo
undo
final_score
frobnicate
7 frobnicate all
8
play b
play x f5
play b i9
genmove
level 0
level many
time_settings 1 2
time_left b x 0
play b f5
showboard
9 quit
name
";
    let expected = format!(
        "\
=1 2

=2 Plyground

= true

= true

=03 false

= Othello

=

? unsupported game: expected Othello

=

?4 unacceptable size: expected 8

=

=

=5

? illegal move: it is white's turn

=

? illegal move: it is black's turn

? illegal move: it is black's turn

?6 illegal move: it is black's turn

=

=

? cannot undo

? cannot score: the game is not over

? unknown command

?7 unknown command

?8 unknown command

? syntax error: expected play COLOR MOVE

? syntax error: expected play COLOR MOVE, such as play black f5 or play white pass

? syntax error: expected play COLOR MOVE, such as play black f5 or play white pass

? syntax error: expected genmove COLOR

? syntax error: expected level N, from 1 to 10

? syntax error: expected level N, from 1 to 10

? syntax error: expected time_settings MAIN BYO_YOMI STONES

? syntax error: expected time_left COLOR TIME STONES

=

={}
  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - - - - - - 3
4 - - - O X - - - 4
5 - - - X X X - - 5
6 - - - - - - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
X black 4, O white 1: white to move

=9

",
        " "
    );
    let output = with_input(&["gtp"], asked);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn every_command_that_is_listed_is_known() {
    let mut engine = Engine::start(&["gtp", "--depth", "1"]);
    let list = engine.done("list_commands");
    for required in [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "reg_genmove",
        "undo",
        "showboard",
        "time_settings",
        "time_left",
        "level",
        "final_score",
        "set_game",
        "list_games",
    ] {
        assert!(list.lines().any(|line| line == required), "{required}");
    }
    for command in list.lines().filter(|&command| command != "quit") {
        assert_eq!(engine.done(&format!("known_command {command}")), "true");
        assert_ne!(engine.ask(command), "? unknown command", "{command}");
    }
    assert_eq!(engine.ask("quit"), "=");
    engine.close();
}

/// A pass may be said or not; either way the same position is reached, and taken back.
#[test]
fn passes_are_explicit_or_implied() {
    let mut engine = Engine::start(&["gtp", "--depth", "1"]);
    for explicit in [true, false] {
        for (played, end) in games_with_passes(6) {
            engine.done("clear_board");
            let mut commands = Vec::new();
            for (position, mv) in &played {
                let side = color(position.side);
                match mv {
                    None => {
                        let other = color(position.side.other());
                        assert_eq!(engine.done(&format!("reg_genmove {side}")), "PASS");
                        assert!(engine.ask(&format!("play {side} a1")).starts_with("? illegal"));
                        assert!(engine.ask(&format!("play {other} pass")).starts_with("? illegal"));
                        // The other side may go on at once, and nothing has changed by asking.
                        assert_ne!(engine.done(&format!("reg_genmove {other}")), "PASS");
                        assert_eq!(shown(&mut engine), position.to_string());
                    }
                    Some(_) => {
                        assert!(engine.ask(&format!("play {side} pass")).starts_with("? illegal"));
                    }
                }
                if mv.is_some() || explicit {
                    let command = format!("play {side} {}", written(*mv, "pass"));
                    engine.done(&command);
                    commands.push(command);
                }
            }
            assert_eq!(shown(&mut engine)[..64], end.to_string()[..64]);
            assert_eq!(engine.done("final_score"), score(&end));
            // After the end both may pass, and that can be taken back as well.
            for side in ["b", "w", "b"] {
                engine.done(&format!("play {side} pass"));
                assert_eq!(engine.done(&format!("genmove {side}")), "PASS");
            }
            assert!(engine.ask("play b a1").starts_with("? illegal move"));
            for _ in 0..commands.len() + 6 {
                engine.done("undo");
            }
            assert_eq!(shown(&mut engine), Position::start().to_string());
            assert_eq!(engine.ask("undo"), "? cannot undo");
        }
    }
    engine.close();
}

/// A move that was wanted from the side that is not to move, because the other must pass.
#[test]
fn genmove_implies_a_pass() {
    for (played, _) in games_with_passes(4) {
        let mut engine = Engine::start(&["gtp", "--depth", "2"]);
        let (position, _) = played.iter().find(|(_, mv)| mv.is_none()).unwrap();
        engine.done(&format!("plyground-setup_board {position}"));
        assert_eq!(shown(&mut engine), position.to_string());
        let other = color(position.side.other());
        let mv = read(&engine.done(&format!("genmove {other}")), "PASS");
        let next = after(&position.pass(), mv);
        assert_eq!(shown(&mut engine)[..64], next.to_string()[..64]);
        engine.done("undo");
        assert_eq!(shown(&mut engine), position.to_string());
        assert_eq!(engine.done(&format!("genmove {}", color(position.side))), "PASS");
        // What the first search has left in the table may lead to another move that is as good.
        let again = read(&engine.done(&format!("genmove {other}")), "PASS");
        let next = after(&position.pass(), again);
        assert_eq!(shown(&mut engine)[..64], next.to_string()[..64]);
        engine.close();
        // With nothing in the table it is the same move, whether the pass was said or implied.
        let mut engine = Engine::start(&["gtp", "--depth", "2"]);
        engine.done(&format!("plyground-setup_board {position}"));
        assert_eq!(engine.done(&format!("genmove {}", color(position.side))), "PASS");
        assert_eq!(engine.done(&format!("genmove {other}")), written(mv, "PASS"));
        engine.close();
    }
}

/// Plays games against random moves, told with implied passes; returns how they ended.
fn play_games(
    engine: &mut Engine,
    seeds: std::ops::Range<u64>,
    before: impl Fn(&mut Engine, &str),
) {
    for seed in seeds {
        engine.done("clear_board");
        let ours = if seed % 2 == 0 { Disc::Black } else { Disc::White };
        let (line, _) = random_game(seed);
        let mut position = Position::start();
        let mut ply = 0;
        while !position.board.is_over() {
            position = position.after_pass();
            let side = color(position.side);
            let mv = if position.side == ours {
                before(engine, side);
                read(&engine.done(&format!("genmove {side}")), "PASS")
            } else {
                // Any move will do, but not always the same.
                let moves: Vec<_> = position.board.moves().into_iter().collect();
                let place = line.get(ply).and_then(|(_, mv)| *mv).map_or(0, |s| s.index());
                let mv = moves[place % moves.len()];
                engine.done(&format!("play {side} {mv}"));
                Some(mv)
            };
            position = after(&position, mv);
            ply += 1;
        }
        assert_eq!(engine.done("final_score"), score(&position));
        assert_eq!(engine.done("genmove b"), "PASS");
    }
}

#[test]
fn whole_games_are_legal_and_scored() {
    for engine in ["othello", "othello-mtd-f", "othello-alpha-beta"] {
        let mut engine = Engine::start(&["gtp", "--engine", engine, "--depth", "2"]);
        play_games(&mut engine, 0..4, |_, _| {});
        engine.close();
    }
    let mut engine = Engine::start(&["gtp", "--time", "0.005", "--threads", "2"]);
    play_games(&mut engine, 4..6, |_, _| {});
    engine.close();
}

/// The engine keeps its own clock where the client does not tell.
#[test]
fn whole_games_in_a_second() {
    let mut engine = Engine::start(&["gtp"]);
    for (settings, most) in [("1 0 0", 1.0), ("0 0.01 1", 0.3), ("0.2 0.1 5", 0.8)] {
        engine.done(&format!("time_settings {settings}"));
        let watch = engine.watch();
        play_games(&mut engine, 7..8, |_, _| {});
        let took = engine.used(&watch);
        assert!(took < Duration::from_secs_f64(most) + 4 * SLACK, "{settings}: {took:?}");
    }
    engine.done("time_settings 60 0 0");
    let watch = engine.watch();
    play_games(&mut engine, 8..9, |engine, side| {
        engine.done(&format!("time_left {side} 0.01 0"));
    });
    assert!(engine.used(&watch) < 4 * SLACK);
    engine.close();
}

#[test]
fn times_are_kept_however_short() {
    let mut engine = Engine::start(&["gtp"]);
    for (settings, most) in [
        (&["time_settings 0 0 0"][..], 0),
        (&["time_settings 0 0.1 1"], 100),
        (&["time_settings 0 1 10"], 400),
        (&["time_settings 0.05 0 0"], 50),
        (&["time_settings -5 -5 -5"], 0),
        (&["time_settings 10 0 0", "time_left b 0 0"], 0),
        (&["time_settings 10 30 5", "time_left b 0.1 1"], 100),
        (&["time_settings 0 1 1", "time_left b -3 1"], 0),
        (&["time_settings 0 0 1", "time_left w 10 0"], 0),
        // No limit, says the protocol: then it is as if nothing had been said.
        (&["time_settings 0 1 0"], 1000),
        (&["time_settings 0 1 0", "level 3"], 1000),
        (&["time_settings 99999999999999999999 1 0", "time_left b 1e99 1", "level 2"], 1000),
    ] {
        engine.done("clear_board");
        for command in settings {
            engine.done(command);
        }
        let watch = engine.watch();
        let mv = read(&engine.done("genmove b"), "PASS");
        let took = engine.used(&watch);
        after(&Position::start(), mv);
        assert!(took < Duration::from_millis(most) + SLACK, "{settings:?} took {took:?}");
    }
    engine.close();
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut engine = Engine::start(&["gtp", "--depth", "1"]);
    for line in [
        "xyzzy",
        "play",
        "play b",
        "play b f5 f5",
        "play b \u{1F600}",
        "play \u{1F600} f5",
        "genmove green",
        "genmove b w",
        "boardsize",
        "boardsize -8",
        "boardsize 99999999999999999999",
        "komi lots",
        "level -1",
        "level 99999999999999",
        "time_settings nan nan nan",
        "time_left b 1 x",
        "plyground-setup_board",
        "plyground-setup_board here",
        "known_command",
        "set_game",
        "99999999999999999999999999999999 nothing",
        "-1 name",
        "GENMOVE b",
    ] {
        let answer = engine.ask(line);
        let failed = answer.starts_with('?') && answer.contains(' ');
        assert!(failed, "{line:?}: {answer:?}");
        assert_eq!(shown(&mut engine), Position::start().to_string(), "{line:?}");
    }
    engine.send_bytes(b"\xff\xfe\x00 # \xc3\x28\n\r\n\n   \n\t#\n");
    assert_eq!(engine.ask(""), "? unknown command");
    let long = "a".repeat(1 << 20);
    assert_eq!(engine.ask(&long), "? unknown command");
    assert_eq!(engine.ask("1 name # quit"), "=1 Plyground");
    engine.close();
    assert!(refused(&["gtp", "--engine", "chess"], "").contains("GTP is for othello"));
    assert!(refused(&["gtp", "--engine", "nobody"], "").contains("no engine `nobody`"));
}

/// What is piped in is done in full, as if somebody waited for each answer.
#[test]
fn scripts_are_done_to_their_end() {
    let script = "genmove b\ngenmove w\ngenmove b\n";
    let arguments = ["gtp", "--depth", "7"];
    let said = String::from_utf8(with_input(&arguments, script).stdout).unwrap();
    let mut engine = Engine::start(&arguments);
    let asked: Vec<String> = script.lines().map(|line| engine.ask(line) + "\n\n").collect();
    assert_eq!(said, asked.concat());
    engine.close();
}

/// A client that goes away is not thought for any more.
#[test]
fn the_end_of_the_input_ends_the_thinking() {
    for last in ["", "quit"] {
        let mut engine = Engine::start(&["gtp", "--depth", "60"]);
        // A while after its first answer it is known that a client is talking, and not a script.
        engine.done("name");
        std::thread::sleep(Duration::from_millis(700));
        engine.send("genmove b");
        std::thread::sleep(Duration::from_millis(100));
        engine.send(last);
        engine.close();
    }
}
