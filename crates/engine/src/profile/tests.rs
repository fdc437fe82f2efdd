//! What engine files may say, and how wrong ones are refused.

use super::*;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

fn games() -> Games {
    Games::new().with::<Othello>().with::<Chess>()
}

const TEXT: &str = "about = \"a test\"
[game.chess]
[algorithm]
id = \"mtd-f\"
[memory]
functions = \"table+history\"
table = \"8K\"
deepening = true
[limits]
depth = 4
time = 0.5
bytes = \"64K\"
";

fn parse(text: &str) -> Result<Profile, ProfileError> {
    Profile::parse(&games(), "test.toml", text, Path::new("test.toml"))
}

#[test]
fn the_built_in_engines_are_sound() {
    let all = games();
    let names = all.iter().flat_map(|game| game.engines()).map(|(name, _)| *name);
    for name in names.clone() {
        let profile = Profile::find(&games(), name).unwrap();
        assert_eq!(profile.name, *name);
        assert!(name.starts_with(profile.game.name()), "{name}");
        assert!(!profile.about.is_empty());
    }
    assert_eq!(Profile::built_in(&games()).count(), names.count());
    for game in games().iter() {
        let standard = Profile::standard(game).unwrap();
        assert_eq!((standard.game, standard.name.as_str()), (game, game.name()));
    }
}

#[test]
fn every_setting_is_read() {
    let profile = parse(TEXT).unwrap();
    assert_eq!(profile.name, "test");
    assert_eq!(profile.game, Chess::door());
    assert_eq!(profile.evaluator, Weights::Standard);
    assert_eq!(profile.algorithm.to_string(), "mtd-f");
    let options = profile.options(3);
    assert_eq!(options.memory.to_string(), "table+history");
    assert_eq!(options.table.unwrap().entries(), 8192);
    assert!(options.deepening);
    assert_eq!(options.depth, 3);
    assert_eq!(profile.depth, Some(4));
    assert_eq!(options.limits.time, Some(Duration::from_millis(500)));
    assert_eq!(options.limits.bytes, Some(65536));
    assert_eq!((profile.selective(), profile.threads), (None, 1));
    let played = TEXT.replace("[limits]", "[play]\nnull-move = false\n[limits]");
    let steps = PlaySwitches { null_move: false, ..PlaySwitches::ALL };
    assert_eq!(parse(&played).unwrap().selective(), Some((steps, PlayDriver::MtdF)));
    let threads = played.replace("[game.chess]", "threads = 3\n[game.chess]");
    assert_eq!(parse(&threads).unwrap().threads, 3);
    let stored = TEXT.replace("table+history", "history").replace("table = \"8K\"\n", "");
    let maxsearch = stored.replace("id = \"mtd-f\"", "id = \"sss-2\"\nupdate = \"maxsearch\"");
    assert_eq!(parse(&maxsearch).unwrap().update, Update::Maxsearch);
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    for (from, to, line, expected) in [
        ("[game.chess]", "threads = 0\n[game.chess]", 2, "expected 1 to 256"),
        ("[game.chess]", "threads = 257\n[game.chess]", 2, "expected 1 to 256"),
        ("[game.chess]", "threads = -1\n[game.chess]", 2, "expected a number from 1 to 256"),
        ("[game.chess]", "threads = 2\n[game.chess]", 2, "expected a section [play]"),
        ("\"mtd-f\"", "\"mtd\"", 4, "no such algorithm"),
        ("\"mtd-f\"", "5", 4, "`id`: expected an algorithm"),
        ("id = ", "ids = ", 4, "there is no `ids` in [algorithm]; expected id, update"),
        ("mtd-f\"", "sss-2\"\nupdate = \"x\"", 5, "expected \"clipped\" or \"maxsearch\""),
        ("[game.chess]", "[game.go]", 2, "no game `go`; expected [game.othello] or [game.chess]"),
        ("table+history", "table+histories", 6, "no memory function"),
        ("table+history", "history", 7, "no `table`"),
        ("table+history", "history+etc", 6, "`table+etc`"),
        ("\"table+history\"", "[\"table\"]", 6, "joined by +, as in \"table+history\""),
        ("8K", "8Q", 7, "expected entries"),
        ("\"8K\"", "8192", 7, "`table`: expected entries or MiB in quotes, as in \"1M\""),
        ("0.5", "-1", 11, "expected seconds"),
        ("0.5", "\"x\"", 11, "`time`: expected seconds, as in 0.5"),
        ("64K", "lots", 12, "expected a number of bytes"),
        ("\"64K\"", "65536", 12, "`bytes`: expected a number of bytes in quotes"),
        ("depth = 4", "depth = -4", 10, "`depth`: expected a number of plies, as in 6"),
        ("depth = 4", "depth = 5_000_000_000", 10, "`depth`: expected a number of plies"),
        ("depth = 4", "dept = 4", 10, "there is no `dept` in [limits]; expected depth, leaves"),
        ("deepening = true", "deepening = 1", 8, "`deepening`: expected true or false"),
        ("[game.chess]", "[game.chess]\nevaluator = \"nowhere.toml\"", 3, "nowhere.toml"),
        ("[game.chess]", "[game.chess]\neval = 1", 3, "`eval` in [game.chess]; expected evaluator"),
        ("[limits]", "[limit]", 9, "there is no section [limit]; expected [game.othello] or"),
        ("[game.chess]", "name = \"x\"\n[game.chess]", 2, "expected about, threads"),
        ("[limits]", "[play]\nnull = true\n[limits]", 10, "`null` in [play]; expected table, quie"),
        ("[limits]", "[play]\nfutility = 1\n[limits]", 10, "`futility`: expected true or false"),
        (
            "[limits]",
            "[play]\nscheme = \"yb\"\n[limits]",
            10,
            "`scheme`: expected \"abdada\", \"lazy-",
        ),
        (
            "[limits]",
            "[play]\nscheme = true\n[limits]",
            10,
            "`scheme`: expected \"abdada\", \"lazy-",
        ),
        ("mtd-f\"", "mtd-f\"\nupdate = \"maxsearch\"", 5, "update maxsearch has no effect with"),
        ("mtd-f\"", "sss\"\n[play]", 5, "`sss` does not play selectively"),
        ("[limits]", "[limits", 9, ""),
    ] {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT);
        let message = parse(&text).unwrap_err().to_string();
        assert!(message.contains(expected), "{to}: {message}");
        assert!(message.starts_with(&format!("test.toml, line {line}:")), "{to}: {message}");
    }
    let message = Profile::find(&games(), "chess-best").unwrap_err().to_string();
    assert!(message.contains("no engine `chess-best`") && message.contains("chess-mtd-f"));
    assert!(
        Profile::find(&games(), "nowhere.toml").unwrap_err().to_string().contains("nowhere.toml")
    );
}

/// A switch by an old name is refused with its new name, and the new name is accepted.
#[test]
fn old_names_of_switches_are_refused_with_the_new_ones() {
    let with = |name: &str| {
        let value = if name == "scheme" { "\"lazy-smp\"" } else { "false" };
        TEXT.replace("[limits]", &format!("[play]\n{name} = {value}\n[limits]"))
    };
    assert!(!PlaySwitches::RENAMED.is_empty());
    for (old, new) in PlaySwitches::RENAMED {
        let message = parse(&with(old)).unwrap_err().to_string();
        let expected = format!("`{old}` in [play] has a new name; expected {new}");
        assert_eq!(message, format!("test.toml, line 10: {expected}"));
        assert_ne!(parse(&with(new)).unwrap().play, Some(PlaySwitches::ALL), "{new}");
    }
}

/// For a section that is written as a setting, or is missing, the message says how to write it.
#[test]
fn sections_are_asked_for_as_they_are_written() {
    let about = "about = \"a test\"";
    for (text, line, expected) in [
        ("", 1, "`about` is missing; expected about = \"…\" before the first section"),
        ("[game.chess]\n[algorithm]\nid = \"pvs\"", 1, "`about` is missing"),
        (about, 1, "`game` is missing; expected [game.othello] or [game.chess]"),
        ("A\n[game.chess]", 1, "`algorithm` is missing; expected [algorithm] and below it id"),
        ("A\n[game.chess]\n[algorithm]", 3, "`algorithm.id` is missing; expected [algorithm]"),
        ("A\n[game]\n[algorithm]\nid = \"pvs\"", 2, "which game? expected [game.othello] or"),
        ("A\n[game]\nname = \"chess\"", 3, "there is no game `name`; expected [game.othello]"),
        ("A\n[game.chess]\n[game.othello]", 3, "a second game; expected"),
        ("A\n\ngame = \"chess\"", 3, "`game` is a section; expected [game.chess]"),
        ("A\ngame = \"go\"", 2, "`game` is a section; expected [game.othello] or [game.chess]"),
        ("A\ngame.chess = true", 2, "`chess` is a section; expected [game.othello] or"),
        (
            "A\nalgorithm = \"sss\"",
            2,
            "`algorithm` is a section; expected [algorithm] and below it id = \"sss\"",
        ),
        (
            "A\nalgorithm = 1",
            2,
            "`algorithm` is a section; expected [algorithm] and below it id = \"pvs\"",
        ),
        (
            "A\nmemory = \"table\"",
            2,
            "`memory` is a section; expected [memory] and below it functions",
        ),
        (
            "A\nplay = true",
            2,
            "`play` is a section; expected [play] and below it the steps to leave out",
        ),
        ("A\n[[limits]]", 2, "`limits` is a section; expected [limits] and below it depth = 6"),
        ("A\n[chess]", 2, "there is no section [chess]; expected [game.othello] or [game.chess]"),
        ("A\n[algorithm.pvs]", 2, "there is no section [algorithm.pvs]"),
    ] {
        let message = parse(&text.replace('A', about)).unwrap_err().to_string();
        let expected = format!("test.toml, line {line}: {expected}");
        assert!(message.starts_with(&expected), "{text}: {message}");
    }
    let inline = "A\ngame = { chess = {} }\nalgorithm.id = \"pvs\"\nplay = { razoring = false }";
    let profile = parse(&inline.replace('A', about)).unwrap();
    assert_eq!(profile.play, Some(PlaySwitches { razoring: false, ..PlaySwitches::ALL }));
}
