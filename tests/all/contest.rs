//! Matches, with our own engines, with our own program as somebody else's, and with engines that do
//! everything wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::commands::{objects, plyground, refused, stdout};

/// A few positions from which games are short.
const ENDINGS: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1
8/8/8/3k4/8/8/4K2Q/8 w - - 0 1
4k3/8/4K3/4P3/8/8/8/8 w - - 0 1
";

fn and<'a>(command: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [command, more].concat()
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// What is the same whenever the games are.
fn games(objects: &[Value]) -> Vec<[Value; 5]> {
    let games = objects.iter().filter(|object| object["number"].is_u64());
    games
        .map(|game| ["number", "first", "winner", "reason", "moves"].map(|key| game[key].clone()))
        .collect()
}

fn sums(objects: &[Value]) -> &Value {
    let last = objects.last().unwrap();
    assert!(last["games"].is_u64(), "{last}");
    last
}

/// All counts of faults of one opponent: illegal, crash, time.
fn faults(sums: &Value, who: &str) -> [u64; 3] {
    ["illegal", "crash", "time"].map(|kind| sums["faults"][who][kind].as_u64().unwrap())
}

const SMALL: &[&str] = &["match", "chess", "chess-mtd-f", "--games", "4", "--nodes", "50"];

#[test]
fn ours_against_ours_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "endings.epd", ENDINGS);
    let pgn = folder.path().join("games.pgn").display().to_string();
    let command = and(SMALL, &["--openings", &openings, "--json"]);
    let first = objects(&and(&command, &["--pgn", &pgn]));
    assert_eq!(games(&first).len(), 4);
    assert_eq!(games(&objects(&and(&command, &["--jobs", "3"]))), games(&first));
    let sums = sums(&first);
    for key in [
        "a", "b", "games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high",
        "faults", "sprt",
    ] {
        assert!(sums.get(key).is_some(), "{key}: {sums}");
    }
    assert_eq!((faults(sums, "a"), faults(sums, "b")), ([0; 3], [0; 3]));
    let saved = fs::read_to_string(&pgn).unwrap();
    let read = plyground::chess::PgnGame::parse_all(&saved).unwrap();
    assert_eq!(read.len(), 4);
    for (number, (game, told)) in read.iter().zip(games(&first)).enumerate() {
        assert_eq!(game.tag("Round"), Some((number + 1).to_string().as_str()));
        let white = if told[1] == "a" { "chess" } else { "chess-mtd-f" };
        assert_eq!(game.tag("White"), Some(white));
        assert_eq!(game.tag("Termination"), told[3].as_str());
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        assert_eq!(moves.join(" "), told[4].as_str().unwrap());
    }
    let text = stdout(&and(SMALL, &["--openings", &openings]));
    assert!(text.contains("A chess against B chess-mtd-f: chess, 50 nodes"), "{text}");
    assert!(text.contains("as white      2") && text.contains("together      4"), "{text}");
    assert!(text.contains("Faults of A: none"), "{text}");
    let csv = stdout(&and(SMALL, &["--openings", &openings, "--csv"]));
    assert_eq!(csv.lines().count(), 5, "{csv}");
}

#[test]
fn othello_s_games_are_kept_in_ggf() {
    let folder = tempfile::tempdir().unwrap();
    let ggf = folder.path().join("games.ggf").display().to_string();
    let command =
        ["match", "pvs", "sss", "--game", "othello", "--games", "2", "--depth", "1", "--json"];
    let told = objects(&and(&command, &["--ggf", &ggf]));
    assert_eq!(games(&told).len(), 2);
    let saved = fs::read_to_string(&ggf).unwrap();
    let read = plyground::othello::GgfGame::parse_all(&saved).unwrap();
    assert_eq!(read.len(), 2);
    assert!(read.iter().all(|game| game.end().board.is_over()));
    assert_eq!((read[0].tag("PB"), read[1].tag("PW")), (Some("pvs"), Some("pvs")));
}

/// A match that was killed is continued, and comes to the same.
#[test]
fn a_match_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "endings.epd", ENDINGS);
    let out = folder.path().join("out").display().to_string();
    let command = and(SMALL, &["--openings", &openings, "--json", "--out", &out]);
    let whole = objects(&command);
    let file = folder.path().join("out/games.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let second = text.match_indices('\n').nth(1).unwrap().0;
    fs::write(&file, &text[..second + 40]).unwrap();
    let output = plyground(&command);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("the last line was torn"), "{errors}");
    assert!(errors.contains("2 of 4 games are in the records already"), "{errors}");
    let read = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let again = read(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((games(&again), sums(&again)), (games(&whole), sums(&whole)));
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(games(&read(&kept)), games(&whole));
    // Another match has its own games in the same file.
    let other = plyground(&and(&command, &["--seed", "2"]));
    assert_eq!(String::from_utf8_lossy(&other.stderr), "");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 8);
}

/// Our own program at the other end of a pipe plays what it plays at this one.
#[test]
fn our_own_program_as_somebody_else_s() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "endings.epd", ENDINGS);
    let program = assert_cmd::cargo::cargo_bin!("plyground").display().to_string();
    let theirs = format!("uci:'{program}' uci");
    let play = |opponent: &str| {
        let command = ["match", opponent, "chess", "--games", "6", "--depth", "3", "--json"];
        objects(&and(&command, &["--openings", &openings]))
    };
    let (piped, direct) = (play(&theirs), play("chess"));
    assert_eq!(games(&piped), games(&direct));
    assert!(sums(&piped)["a_name"].as_str().unwrap().starts_with("Plyground"));
    assert_eq!(faults(sums(&piped), "a"), [0; 3]);
    // It tells itself what it speaks, and takes options.
    let told = format!("cmd:'{program}' uci");
    let command = ["match", &told, "chess", "--games", "1", "--move-time", "0.05", "--json"];
    let options = ["--option-a", "Algorithm=sss-2", "--hash", "1", "--grace", "20"];
    let known = objects(&[&command[..], &options[..], &["--openings", &openings]].concat());
    assert_eq!(faults(sums(&known), "a"), [0; 3]);
    let message = refused(&and(&command, &["--option-a", "Contempt=3"]), "");
    assert!(message.contains("it has no option `Contempt`; it has Hash"), "{message}");
}

/// The same over GTP, which cannot be told a depth: the program's own flag says it.
#[test]
fn our_own_program_over_gtp() {
    let program = assert_cmd::cargo::cargo_bin!("plyground").display().to_string();
    let theirs = format!("gtp:'{program}' gtp --depth 2");
    let command = ["othello", "--games", "2", "--depth", "2", "--json"];
    let output = plyground(&[&["match", &theirs][..], &command].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("GTP has no limit on depth"), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let piped: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let direct = objects(&[&["match", "othello"][..], &command].concat());
    assert_eq!(games(&piped), games(&direct));
    assert_eq!(faults(sums(&piped), "a"), [0; 3]);
}

/// An engine in a few lines of shell that does one thing when it has to move.
#[cfg(unix)]
fn fake(folder: &Path, name: &str, behaviour: &str) -> String {
    let text = format!(
        "while read -r line; do case \"$line\" in
           uci) echo id name Fake {name}; echo uciok;;
           isready) echo readyok;;
           name) printf '= Fake {name}\\n\\n';;
           genmove*|go*) {behaviour};;
           quit) exit 0;;
           boardsize*|clear_board|play*|time*) printf '=\\n\\n';;
         esac; done\n"
    );
    format!("sh '{}'", written(folder, name, &text))
}

/// Each kind of fault loses the game, is counted for what it is, and does not hinder the next game.
#[cfg(unix)]
#[test]
fn faults_are_counted_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let mate = ENDINGS.lines().next().unwrap();
    let openings = written(folder.path(), "two.epd", &format!("{mate}\n{mate}\n"));
    let pid = folder.path().join("pid");
    let nothing = "echo bestmove '(none)'";
    let hangs = format!("sleep 1000 & echo $! > '{}'; wait", pid.display());
    for (name, behaviour, expected, told) in [
        ("illegal", "echo bestmove d1a5", [2, 0, 0], "d1a5"),
        ("none", nothing, [2, 0, 0], "(none)"),
        ("crash", "exit 7", [0, 2, 0], "7"),
        ("hang", hangs.as_str(), [0, 0, 2], "no answer"),
        ("late", "sleep 0.6; echo bestmove d1d8", [0, 0, 2], "with 0.100 s left"),
    ] {
        let bad = format!("uci:{}", fake(folder.path(), name, behaviour));
        let mate = format!("uci:{}", fake(folder.path(), "good", "echo bestmove d1d8"));
        // Whoever has White is to move: each mates, or fails to, twice.
        let command = ["match", &bad, &mate, "--games", "4", "--move-time", "0.1", "--json"];
        let slow = if name == "late" { "5" } else { "0.3" };
        let more = ["--openings", &openings, "--patience", slow];
        let told_all = objects(&and(&command, &more));
        let sums = sums(&told_all);
        assert_eq!(faults(sums, "a"), expected, "{name}: {sums}");
        assert_eq!(sums["losses"], 4, "{name}: {sums}");
        let fault = &told_all[0]["fault"];
        assert_eq!(fault["by"], "a", "{name}");
        assert!(fault["reason"].as_str().unwrap().contains(told), "{name}: {fault}");
        // The same in the table, with the number of the game.
        if name == "illegal" {
            let command: Vec<&str> = command.into_iter().filter(|word| *word != "--json").collect();
            let text = stdout(&and(&command, &more));
            assert!(text.contains("Faults of A: illegal move 2"), "{text}");
            assert!(text.contains("game 3: A illegal move: \"d1a5\""), "{text}");
        }
    }
    // What the engine had started is gone with it.
    let process = fs::read_to_string(&pid).unwrap();
    let state = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

#[cfg(unix)]
#[test]
fn gtp_engines_are_watched_as_well() {
    let folder = tempfile::tempdir().unwrap();
    for (name, behaviour, expected) in [
        ("illegal", "printf '= a1\\n\\n'", [2, 0, 0]),
        ("pass", "printf '= pass\\n\\n'", [2, 0, 0]),
        ("crash", "exit 7", [0, 2, 0]),
        ("resign", "printf '=\\t resign\\n\\n'", [0, 0, 0]),
    ] {
        let bad = format!("gtp:{}", fake(folder.path(), name, behaviour));
        let command = ["match", &bad, "othello", "--games", "2", "--move-time", "0.1", "--json"];
        let told = objects(&and(&command, &["--grace", "20"]));
        let sums = sums(&told);
        assert_eq!(faults(sums, "a"), expected, "{name}: {sums}");
        assert_eq!(sums["losses"], 2, "{name}: {sums}");
        assert_eq!(sums["a_name"], format!("Fake {name}"));
    }
}

/// An engine of another protocol is refused at once where it says that it does not understand.
#[cfg(unix)]
#[test]
fn engines_that_speak_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "echo Chess; while read -r line; do echo \"Invalid move: $line\"; done\n";
    let xboard = format!("sh '{}'", written(folder.path(), "xboard", text));
    for (prefix, told) in [("uci:", "does not play: it answers"), ("cmd:", "neither UCI nor GTP")] {
        let theirs = format!("{prefix}{xboard}");
        let message = refused(&["match", "chess", &theirs, "--games", "2", "--depth", "1"], "");
        assert!(message.contains(told), "{message}");
        for part in ["`Invalid move: uci`", "xboard protocol", "\"uci:gnuchess --uci\""] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_sequential_test_ends_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let bad = format!("uci:{}", fake(folder.path(), "bad", "echo bestmove a1a1"));
    let command = ["match", "chess", &bad, "--games", "190", "--depth", "1", "--sprt", "0,400"];
    let told = objects(&and(&command, &["--json"]));
    let sums = sums(&told);
    // ln(0.909 / 0.5) for each pair that is won: five of them pass 2.94.
    assert_eq!((&sums["games"], &sums["wins"]), (&10.into(), &10.into()), "{sums}");
    assert_eq!(sums["sprt"]["decision"], "H1");
    assert!(sums["elo"].is_null() && sums["elo_low"].as_f64().unwrap() > 85.0, "{sums}");
    assert!(stdout(&command).contains("H1 is accepted"));
}

/// Ctrl-C ends the match, keeps its games, shows them, and leaves no engine behind.
#[cfg(unix)]
#[test]
fn an_interrupted_match_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "one.epd", ENDINGS.lines().next().unwrap());
    let pid = folder.path().join("pid");
    let good = format!("uci:{}", fake(folder.path(), "good", "echo bestmove d1d8"));
    // The fourth time that it has to move it falls silent.
    let behaviour = format!(
        "n=$((n+1)); if [ $n = 4 ]; then echo $$ > '{}'; sleep 1000; fi; echo bestmove d1d8",
        pid.display()
    );
    let hangs = format!("uci:{}", fake(folder.path(), "hangs", &behaviour));
    let out = folder.path().join("out").display().to_string();
    let child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .args(["match", &hangs, &good, "--games", "100", "--depth", "1", "--out", &out])
        .args(["--openings", &openings])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let process = loop {
        match fs::read_to_string(&pid) {
            Ok(text) if text.ends_with('\n') => break text,
            _ => std::thread::sleep(std::time::Duration::from_millis(10)),
        }
    };
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted after 6 of 100 games"), "{errors}");
    assert!(text.contains("together      6") && text.contains("Faults of A: none"), "{text}");
    let kept = fs::read_to_string(folder.path().join("out/games.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 6);
    let state = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

#[test]
fn what_is_wrong_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "wrong.epd", "\n8/8/8 w - - 0 1\n");
    let over = written(folder.path(), "over.fen", "# mate\n\n7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n");
    let fools_mate = "[White \"x\"]\n\n1. e4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let mated = written(folder.path(), "over.pgn", fools_mate);
    for (arguments, told) in [
        (&["chess", "deep-thought", "--depth", "1"][..], "`deep-thought` is no opponent"),
        (&["pvs", "mtd-f", "--depth", "1"], "which game?"),
        (&["chess", "othello", "--depth", "1"], "`othello` plays othello, not chess"),
        (&["chess", "chess"], "--time"),
        (&["chess", "chess", "--depth", "1", "--nodes", "1"], "cannot be used with"),
        (&["chess", "chess", "--time", "2+"], "such as 2+0.02"),
        (&["chess", "chess", "--depth", "1", "--games", "0"], "0 is not in"),
        (&["chess", "chess", "--depth", "1", "--sprt", "5"], "such as 0,10"),
        (&["chess", "chess", "--depth", "1", "--ggf", "x.ggf"], "expected --pgn"),
        (&["chess", "chess", "--depth", "1", "--option-a", "Hash=1"], "takes no options"),
        (&["chess", "chess", "--depth", "1", "--openings", "nowhere.epd"], "cannot read nowhere"),
        (&["chess", "chess", "--depth", "1", "--openings", &openings], "line 2"),
        (
            &["chess", "chess", "--depth", "1", "--openings", &over],
            "over.fen, line 3: the game is over",
        ),
        (
            &["chess", "chess", "--depth", "1", "--openings", &mated],
            "over.pgn, game 2: the game is over",
        ),
        (&["chess", "uci:./no-such-engine", "--depth", "1"], "cannot be started"),
        (&["chess", "uci:true", "--depth", "1"], "does not play: the engine ended"),
        (&["chess", "chess", "--depth", "1", "--pgn", "/no/such/folder/x"], "cannot write"),
    ] {
        let message = refused(&and(&["match"], arguments), "");
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
}

/// A game that is decided, or drawn, need not be played out.
#[test]
fn games_are_adjudicated_if_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let openings = written(folder.path(), "endings.epd", "3qk3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let pgn = folder.path().join("games.pgn").display().to_string();
    let command = [
        "match",
        "chess",
        "chess-mtd-f",
        "--games",
        "2",
        "--nodes",
        "2000",
        "--json",
        "--openings",
    ];
    let played = objects(&and(&command, &[&openings]));
    assert!(games(&played).iter().all(|game| game[3] == "checkmate"), "{played:?}");
    let judged = objects(&and(&command, &[&openings, "--resign", "2,500", "--pgn", &pgn]));
    assert!(games(&judged).iter().all(|game| game[3] == "adjudication"), "{judged:?}");
    assert_eq!(played[0]["winner"], judged[0]["winner"]);
    let text = fs::read_to_string(pgn).unwrap();
    assert!(text.contains("[Termination \"adjudication\"]"), "{text}");
    assert!(text.contains("[TimeControl \"-\"]"), "{text}");
    let even = written(folder.path(), "even.epd", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let drawn = objects(&and(&command, &[&even, "--draw", "1,3,90"]));
    assert!(games(&drawn).iter().any(|game| game[3] == "adjudication"), "{drawn:?}");
    let message = refused(&and(&command, &[&even, "--resign", "x"]), "");
    assert!(message.contains("expected moves and a value, such as 3,600"), "{message}");
}

#[test]
fn a_tournament_ranks_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let players = ["othello@1", "othello@5", "othello"];
    let command = and(&["tournament"], &players);
    let limits = ["--games", "4", "--nodes", "2000", "--jobs", "2", "--out", &out];
    let command = and(&command, &limits);
    let found = objects(&and(&command, &["--json"]));
    let last = found.last().unwrap();
    assert_eq!((&last["format"], &last["games"]), (&"round-robin".into(), &12.into()));
    let ranking = last["ranking"].as_array().unwrap();
    let names: Vec<&str> = ranking.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names[2], "othello@1", "{last}");
    for one in ranking {
        assert_eq!(one["games"], 8);
        let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|key| one[key].as_f64().unwrap());
        assert!(low < elo && elo < high);
    }
    let points: f64 = ranking.iter().map(|one| one["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 12.0);
    // What is in the records is not played again.
    let records = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let text = stdout(&command);
    assert!(text.contains("othello, round-robin, 2000 nodes: 12 games"), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("games.jsonl")).unwrap(), records);
    let gauntlet = objects(&and(&command, &["--format", "gauntlet", "--json"]));
    assert_eq!(gauntlet.last().unwrap()["games"], 8);
    let twice = refused(&["tournament", "chess", "chess", "--nodes", "10"], "");
    assert!(twice.contains("named twice"), "{twice}");
}

/// The same seed measures the same, and the file that is written is read again.
#[test]
fn levels_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("levels.toml").display().to_string();
    let out = folder.path().join("games").display().to_string();
    let command =
        ["levels", "measure", "othello", "--games", "2", "--nodes", "300", "--file", &file];
    let first = objects(&and(&command, &["--json", "--out", &out]));
    assert_eq!(first.len(), 10);
    assert_eq!((&first[0]["elo"], &first[0]["level"]), (&400.into(), &1.into()));
    assert_eq!(first[4]["games"], 4);
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains("measured = \"2 games between neighbours"), "{written}");
    let again = objects(&and(&command, &["--json", "--jobs", "2"]));
    assert_eq!(first, again);
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    let text = stdout(&["levels", "chess"]);
    assert!(text.contains("has just learnt the rules") && text.contains("full strength"), "{text}");
    let nowhere = refused(&["levels", "measure", "chess", "--file", "no/such/x.toml"], "");
    assert!(nowhere.contains("there is no folder no/such"), "{nowhere}");
    // A file that describes no levels is left as it is, whatever is in it.
    for foreign in [&b"\xff\xfe\0 a picture"[..], b"a letter"] {
        fs::write(&file, foreign).unwrap();
        let message = refused(&["levels", "measure", "chess", "--games", "2", "--file", &file], "");
        assert!(message.contains(&file), "{message}");
        assert_eq!(fs::read(&file).unwrap(), foreign);
    }
}
