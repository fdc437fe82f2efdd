//! `plyground uci` in conversation: recorded ones, hostile ones, and ones in a great hurry.

use std::time::{Duration, Instant};

use plyground::chess::Board;

use crate::commands::{stdout, with_input};
use crate::conversation::{Engine, SLACK};

/// How UCI is spoken.
trait Uci {
    /// The lines after a command and before `readyok`.
    fn after(&mut self, line: &str) -> Vec<String>;
    /// The move that a search answers with, and all it said.
    fn best(&mut self, go: &str) -> (String, Vec<String>);
}

impl Uci for Engine {
    fn after(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut seen = self.until("readyok");
        seen.pop();
        seen
    }

    fn best(&mut self, go: &str) -> (String, Vec<String>) {
        self.send(go);
        let seen = self.until("bestmove");
        let best = seen.last().unwrap().split_whitespace().nth(1).unwrap().to_owned();
        (best, seen)
    }
}

fn bestmoves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

fn is_legal(fen: &str, mv: &str) -> bool {
    let board = if fen.is_empty() { Board::start() } else { Board::from_fen(fen).unwrap() };
    board.uci_move(mv).is_ok()
}

/// Walks the variations that were told from a position; each move must be legal.
fn walk(board: &Board, lines: &[String]) -> usize {
    let mut walked = 0;
    for line in lines {
        let Some((_, pv)) = line.split_once(" pv ") else { continue };
        let mut board = *board;
        for mv in pv.split_whitespace() {
            board =
                board.play(board.uci_move(mv).unwrap_or_else(|error| panic!("{line}: {error}")));
            walked += 1;
        }
    }
    walked
}

/// What a lenient reader forgives, it forgives once: signed clocks and long fields are answered.
#[test]
fn odd_positions_are_answered() {
    let long = format!("position fen k7/8/8/8/8/8/8/K7 w {} - 0 1", "KQkq".repeat(500_000));
    let signed = "position fen k7/8/8/8/8/8/8/K7 w - - +5 1";
    let mut engine = Engine::start(&["uci"]);
    for (line, complaints) in [(signed, 1), (long.as_str(), 4), ("position startpos", 0)] {
        assert_eq!(engine.after(line).len(), complaints, "{}", &line[..20.min(line.len())]);
    }
    engine.close();
}

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Plyground "));
    assert!(lines[1].starts_with("id author "));
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "MultiPV",
        "Move Overhead",
        "Ponder",
        "Algorithm",
        "UCI_EngineAbout",
    ] {
        let start = format!("option name {name} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}: {lines:?}");
    }
    assert!(engine.after("ucinewgame").is_empty());
    assert!(engine.after("setoption name Hash value 2").is_empty());
    assert!(engine.after("setoption name Clear Hash").is_empty());
    engine.send("quit");
    engine.close();
}

#[test]
fn mates_and_finished_games() {
    let mut engine = Engine::start(&["uci"]);
    for (fen, best, score) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", "mate 1"),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6", "mate 2"),
        ("7k/8/8/8/8/8/r7/1r4K1 w - - 0 1", "0000", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "0000", "cp 0"),
    ] {
        engine.send(&format!("position fen {fen}"));
        let (found, lines) = engine.best("go depth 18");
        assert_eq!(found, best, "{lines:?}");
        let told = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
        assert!(told.contains(&format!(" score {score}")), "{told}");
    }
    // A mate that is wanted ends the search; one that is not there does not.
    engine.send("position fen 8/8/8/8/8/2k5/8/K6r w - - 0 1");
    assert_eq!(engine.best("go depth 3").0.len(), 4);
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    assert_eq!(engine.best("go mate 1").0, "d1d8");
    // A sacrifice that selective search takes a while to look at.
    engine.send("ucinewgame");
    let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    let (best, lines) = engine.best("go mate 2 depth 4");
    assert_eq!(best, "g3g6", "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:?}");
    engine.close();
}

#[test]
fn times_are_kept_however_short() {
    let mut engine = Engine::start(&["uci"]);
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    engine.send(&format!("position fen {fen}"));
    for (go, most) in [
        ("go movetime 10", 10),
        ("go movetime 0", 0),
        ("go movetime -5", 0),
        ("go movetime 100", 100),
        ("go wtime 0 btime 0", 0),
        ("go wtime 1 btime 1", 1),
        ("go wtime -30 btime 5000 winc 0 binc 0", 0),
        ("go wtime 50 btime 50 movestogo 1", 50),
        ("go wtime 300 winc 10 movestogo 40", 300),
        ("go winc 100", 1000),
        ("go nodes 1", 100),
    ] {
        let watch = engine.watch();
        let (best, _) = engine.best(go);
        let took = engine.used(&watch);
        assert!(is_legal(fen, &best), "{go}: {best}");
        assert!(took < Duration::from_millis(most) + SLACK, "{go} took {took:?}");
    }
    engine.close();
}

#[test]
fn an_endless_search_waits_for_stop() {
    let mut engine = Engine::start(&["uci"]);
    for go in ["go infinite", "go", "go ponder wtime 100 btime 100", "go infinite depth 1"] {
        engine.send("position startpos moves e2e4");
        engine.send(go);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(bestmoves(&engine.after("")), 0, "{go}");
        engine.send("stop");
        engine.until("bestmove");
        // Another stop is no reason to say it again.
        assert_eq!(bestmoves(&engine.after("stop")), 0, "{go}");
    }
    // Also where the end is reached long before.
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(bestmoves(&engine.after("")), 0);
    assert_eq!(engine.best("stop").0, "d1d8");
    engine.close();
}

#[test]
fn pondering() {
    let mut engine = Engine::start(&["uci"]);
    for algorithm in ["pvs", "alpha-beta"] {
        engine.send(&format!("setoption name Algorithm value {algorithm}"));
        engine.send("position startpos moves e2e4 e7e5");
        engine.send("go ponder wtime 2000 btime 2000 winc 20 binc 20");
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(bestmoves(&engine.after("")), 0);
        let watch = engine.watch();
        let (best, _) = engine.best("ponderhit");
        assert!(engine.used(&watch) < Duration::from_secs(2), "{algorithm}");
        assert_eq!(best.len(), 4);
    }
    assert!(engine.after("ponderhit")[0].starts_with("info string"));
    // The clock begins to run with the hit, and the time until then costs nothing.
    engine.send("go ponder movetime 700");
    std::thread::sleep(Duration::from_millis(100));
    let (started, watch) = (Instant::now(), engine.watch());
    engine.best("ponderhit");
    let took = started.elapsed();
    assert!(took > Duration::from_millis(300), "{took:?}");
    let took = engine.used(&watch);
    assert!(took < Duration::from_millis(700) + SLACK, "{took:?}");
    engine.close();
}

/// Who answers at once, from the first moment on, is answered in time.
#[test]
fn a_client_in_a_hurry_never_waits() {
    let mut engine = Engine::start(&["uci"]);
    let started = Instant::now();
    let mut times = Vec::new();
    while started.elapsed() < Duration::from_millis(700) {
        let watch = engine.watch();
        engine.best("go wtime 40 btime 40");
        times.push(engine.used(&watch));
    }
    // The machine may hold up one of them, but not most.
    times.sort_unstable();
    assert!(times[times.len() / 2] < Duration::from_millis(300), "{times:?}");
    // A quit is a quit, whatever is under way.
    let mut engine = Engine::start(&["uci"]);
    engine.after("");
    engine.send("go movetime 30000");
    engine.send("quit");
    engine.until("bestmove");
}

/// Looking does not disturb a search, nor does what is refused; and whatever has to wait for one is
/// done after it.
#[test]
fn what_comes_meanwhile() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("position startpos moves e2e4");
    engine.send("go infinite");
    for line in ["d", "eval", "uci", "setoption name Nosuch value 3", "setoption name Hash value x"]
    {
        let said = engine.after(line);
        assert_eq!(bestmoves(&said), 0, "{line}");
        assert!(said.iter().any(|line| !line.starts_with("info depth")), "{line}: {said:?}");
    }
    engine.best("stop");
    for line in
        ["perft 4", "go perft 3", "position startpos", "perft 4", "go depth 4", "go depth 5"]
    {
        engine.send(line);
    }
    let sums = [405_385, 13_160, 197_281_u64];
    for (sum, moves) in sums.into_iter().zip(["e2e4", "e2e4", ""]) {
        let found = engine.until("Nodes searched").pop().unwrap();
        assert_eq!(found, format!("Nodes searched: {sum}"), "{moves}");
    }
    for depth in [4, 5] {
        let said = engine.until("bestmove");
        assert!(said.iter().any(|line| line.contains(&format!("depth {depth} "))), "{said:?}");
    }
    // Without a number there is nothing to count.
    for line in ["perft", "go perft", "perft abc"] {
        let said = engine.after(line);
        assert!(said.len() == 1 && said[0].starts_with("info string"), "{line}: {said:?}");
    }
    engine.close();
}

/// Positions as other programs write them are read, and what means nothing in them is left out.
#[test]
fn positions_of_any_kind() {
    let mut engine = Engine::start(&["uci"]);
    for (fen, read) in [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 b", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e3 7", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 5 c0 x", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 5"),
    ] {
        engine.after(&format!("position fen {fen}"));
        assert!(engine.after("d").contains(&format!("FEN {read}")), "{fen}");
        assert!(is_legal(read, &engine.best("go depth 2").0));
    }
    engine.close();
}

/// Boards full of captures take no longer than others, whatever searches them.
#[test]
fn queens_everywhere() {
    let mut engine = Engine::start(&["uci"]);
    let fen = "q2q3k/1q3q1r/3q1q1r/Q1bq1Q2/1Q1QbQ1n/2Q1q1Qn/RR2Q3/KNNBB2q w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    for algorithm in ["pvs", "alpha-beta", "sss"] {
        engine.send(&format!("setoption name Algorithm value {algorithm}"));
        let watch = engine.watch();
        let (best, _) = engine.best("go movetime 100");
        assert!(engine.used(&watch) < Duration::from_millis(100) + SLACK, "{algorithm}");
        assert!(is_legal(fen, &best));
    }
    engine.close();
}

/// The move that is played was told of, with its value, even if it came up at the last moment.
#[test]
fn the_best_move_was_told_of() {
    let mut engine = Engine::start(&["uci"]);
    let fen = "2bqkb1r/1rp1p1pp/2n2p1n/p2p4/7R/3P3N/NPPQPPPP/2B1KB1R w Kk - 0 10";
    engine.send(&format!("position fen {fen}"));
    for nodes in (2_000..40_000).step_by(1_700) {
        engine.send("ucinewgame");
        engine.send(&format!("position fen {fen}"));
        let (best, lines) = engine.best(&format!("go nodes {nodes}"));
        let told = lines.iter().rev().find(|line| line.contains(" multipv 1 ")).unwrap();
        assert!(told.contains(&format!(" pv {best}")), "{nodes}: {best} after {told}");
    }
    engine.close();
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut engine = Engine::start(&["uci"]);
    for line in [
        "xyzzy",
        "go depth",
        "stop",
        "go depth banana",
        "stop",
        "go perft 99999999999",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8 w KQkq - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 hello",
        "setoption",
        "setoption name",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name Nothing value 3",
        "setoption name Algorithm value nothing",
        "ponderhit",
        "perft x",
        "go searchmoves e2e5 depth 1",
        "\u{1F600} \u{0} \u{7f}",
    ] {
        let said = engine.after(line);
        let answered = said.iter().any(|line| line.starts_with("info string"));
        assert!(answered || line == "stop", "{line:?}: {said:?}");
        // Nothing is said late.
        if line.starts_with("go ") && !line.contains("perft") && bestmoves(&said) == 0 {
            engine.best("stop");
        }
    }
    engine.send_bytes(b"\xff\xfe\x00 garbage \xc3\x28\n\r\n\n   \n");
    engine.send_bytes(&[vec![b'a'; 1 << 20], b"\n".to_vec()].concat());
    let many = " e2e4".repeat(20_000);
    engine.send(&format!("position startpos moves{many}"));
    engine.send("go wtime 99999999999999999999999 btime 1 winc 88888888888888888888 depth 2");
    let (best, _) = engine.best("");
    assert!(best.len() == 4, "{best}");
    engine.send("position startpos");
    let (best, _) = engine.best("go depth 3");
    assert!(is_legal("", &best));
    engine.close();
}

#[test]
fn what_is_legal_of_the_moves_is_played() {
    let mut engine = Engine::start(&["uci"]);
    let said = engine.after("position startpos moves e2e4 e7e5 e1e3 g8f6");
    assert!(said[0].contains("e1e3"), "{said:?}");
    let shown = engine.after("d").join("\n");
    assert!(shown.contains("FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{shown}");
    assert!(engine.after("eval").last().unwrap().starts_with("for the side to move"));
    engine.send("position startpos");
    engine.send("perft 4");
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 197281");
    engine.send("go perft 1");
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 20");
    engine.close();
}

#[test]
fn stop_comes_when_it_likes() {
    let mut engine = Engine::start(&["uci"]);
    let board = Board::start();
    for round in 0..150_u64 {
        engine.send("position startpos");
        engine.send(
            ["go infinite", "go movetime 1", "go depth 2", "go nodes 500"][round as usize % 4],
        );
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_micros(round * 37));
        }
        engine.send("stop");
        let lines = engine.until("bestmove");
        let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
        assert!(board.uci_move(best).is_ok(), "{best}");
        assert_eq!(bestmoves(&lines), 1);
    }
    assert_eq!(bestmoves(&engine.after("isready")), 0);
    // A new search while one runs: each has its answer.
    engine.send("go infinite");
    engine.send("go depth 1");
    engine.until("bestmove");
    engine.until("bestmove");
    engine.close();
}

#[test]
fn the_end_of_the_input_ends_the_search() {
    for go in ["go infinite", "go perft 12", "go ponder", "go depth 90", "go mate 9", "isready"] {
        let mut engine = Engine::start(&["uci"]);
        // A while after its first answer it is known that a client is talking, and not a script.
        engine.after("");
        std::thread::sleep(Duration::from_millis(700));
        engine.send(go);
        engine.close();
    }
}

/// What is piped in is done to its end, unless it has none.
#[test]
fn scripts_are_done_to_their_end() {
    let script = "position startpos\ngo depth 6\nposition startpos moves e2e4\ngo depth 5\n\
                  go perft 4\nquit\nuci\n";
    let output = with_input(&["uci"], script);
    assert_eq!(output.status.code(), Some(0));
    let said: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(Into::into).collect();
    assert_eq!(bestmoves(&said), 2);
    assert!(said.iter().any(|line| line.starts_with("info depth 6 ")), "{said:?}");
    assert_eq!(said.last().unwrap(), "Nodes searched: 405385");
    for endless in ["go infinite\n", "go ponder depth 2\nquit\n", "go mate 3"] {
        let output = with_input(&["uci"], endless);
        assert!(String::from_utf8(output.stdout).unwrap().contains("bestmove "), "{endless}");
    }
}

#[test]
fn some_moves_and_several_lines() {
    let mut engine = Engine::start(&["uci"]);
    for algorithm in ["pvs", "mtd-f", "alpha-beta"] {
        engine.send(&format!("setoption name Algorithm value {algorithm}"));
        engine.send("position startpos");
        let (best, _) = engine.best("go depth 4 searchmoves a2a3 h2h4");
        assert!(["a2a3", "h2h4"].contains(&best.as_str()), "{algorithm}: {best}");
        engine.send("setoption name MultiPV value 3");
        let (_, lines) = engine.best("go depth 4");
        let last: Vec<&str> = (1..=3)
            .map(|number| {
                let start = format!(" multipv {number} ");
                let line = lines.iter().rev().find(|line| line.contains(&start)).unwrap();
                line.split_once(" pv ").unwrap().1.split_whitespace().next().unwrap()
            })
            .collect();
        assert!(last[0] != last[1] && last[1] != last[2] && last[0] != last[2], "{last:?}");
        engine.send("setoption name MultiPV value 1");
    }
    engine.close();
}

#[test]
fn every_algorithm_plays_legal_moves_and_lines() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("uci");
    let lines = engine.until("uciok");
    let combo = lines.iter().find(|line| line.starts_with("option name Algorithm")).unwrap();
    let ids: Vec<&str> = combo.split(" var ").skip(1).collect();
    assert!(ids.len() > 10 && ids.contains(&"mtd-f") && ids.contains(&"sss"));
    for id in ids {
        assert!(engine.after(&format!("setoption name Algorithm value {id}")).is_empty(), "{id}");
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            engine.send(&format!("position fen {fen}"));
            let watch = engine.watch();
            let (best, lines) = engine.best("go movetime 120");
            assert!(engine.used(&watch) < Duration::from_millis(120) + 2 * SLACK, "{id}");
            assert!(is_legal(fen, &best), "{id}: {best}");
            walk(&Board::from_fen(fen).unwrap(), &lines);
        }
    }
    engine.close();
}

#[test]
fn variations_are_walked_out_and_legal() {
    let mut engine = Engine::start(&["uci"]);
    let suite = include_str!("../../positions/experiment-chess.epd");
    let positions = plyground::chess::parse_epd(suite).unwrap();
    for algorithm in ["pvs", "mtd-f"] {
        engine.send(&format!("setoption name Algorithm value {algorithm}"));
        let mut walked = 0;
        for epd in &positions {
            engine.send(&format!("position fen {}", epd.board));
            let (_, lines) = engine.best("go depth 8");
            walked += walk(&epd.board, &lines);
        }
        assert!(walked > positions.len() * 20, "{algorithm}: {walked}");
    }
    engine.close();
}

/// The side that is ahead does not repeat, the side that is behind does.
#[test]
fn repetitions_are_draws() {
    let mut engine = Engine::start(&["uci"]);
    let start = "position fen 7k/8/8/8/8/8/1R6/K7 w - - 0 1 moves";
    engine.send(&format!("{start} b2b3 h8g8 b3b2 g8h8 b2b3 h8g8"));
    let (best, _) = engine.best("go depth 6");
    assert_ne!(best, "b3b2");
    // A queen behind, but the checks can go on for ever.
    engine.send("position fen 6k1/6p1/6Q1/8/8/8/qr6/5K2 w - - 0 1");
    let (_, lines) = engine.best("go depth 14");
    let told = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
    assert!(told.contains("score cp 0 ") || told.contains("mate -"), "{told}");
    engine.close();
}

#[test]
fn bench_has_one_total() {
    let total = || {
        let said = stdout(&["bench", "--chess", "6", "--othello", "6"]);
        said.lines().last().unwrap().to_owned()
    };
    let first = total();
    assert!(first.ends_with(" nodes"), "{first}");
    assert_eq!(first, total());
}
