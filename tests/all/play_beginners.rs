//! `plyground play` as a beginner meets it: what is wrong with a move, promotions, giving up, going through
//! a game, changing the game, levels.

use super::play::{has, positions, talk};

/// An illegal move is answered with what is wrong with it, and not with a list.
#[test]
fn what_is_wrong_is_told() {
    let lines = ["Ng5", "e7e5", "Bc4", "e4", "d5", "exf5", "ke3", "Nf4"];
    let text = talk(&["chess", "--side", "both"], &lines);
    for expected in [
        "the knight on g1 cannot go to g5",
        "the pawn on e7 is black's",
        "the bishop on f1 cannot jump over e2",
        "there is nothing to take on f5",
        "the king on e1 cannot go to e3",
    ] {
        has(&text, expected);
    }
    assert!(!text.contains("expected one of"), "{text}");
    let pinned = ["chess", "--side", "both", "--from", "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1"];
    has(&talk(&pinned, &["f3"]), "your king would be in check");
    let text = talk(&["othello", "--side", "both"], &["a1", "d4", "pass", "z9"]);
    for expected in ["a1 turns no disc", "there is a white disc on d4 already", "may not pass"] {
        has(&text, expected);
    }
}

/// A pawn that reaches the last rank: what it becomes is asked for, and from a pipe it is a queen.
#[test]
fn a_promotion_may_be_left_open() {
    let pawn = ["chess", "--side", "both", "--from", "8/P5k1/8/8/8/8/8/K7 w - - 0 1"];
    for (lines, expected) in [
        (&["a8"][..], "last move a8=Q"),
        (&["a7a8", "n"], "last move a8=N"),
        (&["A8", "rook"], "last move a8=R"),
        (&["a8", "q", "history"], "1.a8=Q"),
        (&["a8", "history"], "1.a8=Q"),
        (&["a8=B"], "last move a8=B"),
    ] {
        has(&talk(&pawn, lines), expected);
    }
}

/// The list of moves is no solution: a mate looks like any other move.
#[test]
fn the_moves_do_not_say_which_of_them_mates() {
    let mate = ["chess", "--side", "both", "--from", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"];
    let text = talk(&mate, &["moves"]);
    has(&text, " Rd8 ");
    assert!(!text.contains('#') && !text.contains("Rd8+"), "{text}");
}

#[test]
fn games_are_given_up_or_drawn() {
    let text = talk(&["chess", "--depth", "1"], &["e4", "resign", "d4", "pgn", "undo", "d4"]);
    has(&text, "The game is over, black wins: resignation.");
    has(&text, "the game is over (black wins: resignation)");
    has(&text, "[Result \"0-1\"]");
    has(&text, "the game goes on");
    assert_eq!(text.matches("black (chess) plays").count(), 2, "{text}");
    let text = talk(&["othello", "--side", "both"], &["f5", "draw", "pgn"]);
    has(&text, "The game is over, draw: agreement.");
    has(&text, "RE[+0]");
    // The engine has a queen more, or less.
    let more = "3qk3/8/8/8/8/8/8/4K3 w - - 0 1";
    has(&talk(&["chess", "--from", more], &["draw"]), "chess declines the draw");
    let less = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    has(&talk(&["chess", "--from", less], &["draw"]), "chess accepts the draw");
}

/// A game from a file is gone through, with its comments, and stays as it is.
#[test]
fn a_loaded_game_is_walked_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.pgn").display().to_string();
    let pgn = "[White \"x\"]\n\n{hello} 1. f3 e5 {well} (1... d5) 2. g4 Qh4# 0-1\n";
    std::fs::write(&file, pgn).unwrap();
    let load = format!("load {file}");
    let lines = [
        &load, "back", "first", "back", "next", "next", "position", "last", "next", "pgn",
        "back 2", "d4", "pgn",
    ];
    let text = talk(&["chess", "--side", "both"], &lines);
    for expected in [
        "move 3 of 4: 2.g4",
        "move 0 of 4\n  hello",
        "this is the first position of the game",
        "move 1 of 4: 1.f3",
        "move 2 of 4: e5\n  well (1... d5)",
        "move 4 of 4: Qh4#",
        "this is the last position of the game",
        "{hello} 1. f3 e5 {well} (1... d5) 2. g4 Qh4# 0-1",
        // What was said about the moves that are the same is kept in another game too.
        "{hello} 1. f3 e5 {well} (1... d5) 2. d4 *",
    ] {
        has(&text, expected);
    }
    assert!(positions(&text)[0].contains(" w "), "{text}");
}

/// A game that was given up is gone through to its end, where its result stands and is saved.
#[test]
fn a_result_without_a_move_is_met_again_at_the_end() {
    for (end, result, mark) in
        [("resign", "black wins: resignation", "0-1"), ("draw", "draw: agreement", "1/2-1/2")]
    {
        let text = talk(&["chess", "--side", "both"], &["e4", "e5", end, "first", "last", "pgn"]);
        assert!(text.matches(&format!("The game is over, {result}.")).count() >= 2, "{text}");
        has(&text, &format!("1. e4 e5 {mark}"));
        let lines = ["e4", "e5", end, "first", "next", "pgn"];
        has(&talk(&["chess", "--side", "both"], &lines), "1. e4 *");
    }
    // Nothing goes on after the last move of a game that has no result.
    let text = talk(&["chess", "--side", "both"], &["e4", "e5", "first", "last"]);
    assert_eq!(text.matches("next goes on").count(), 1, "{text}");
}

#[test]
fn the_game_can_be_changed() {
    let lines = ["e4", "game", "game othello", "f5", "history", "game go", "game chess", "history"];
    let text = talk(&["chess", "--depth", "1"], &lines);
    has(&text, "this is chess; game othello or game chess changes it");
    has(&text, "othello, engine othello (depth 1). You are black.");
    has(&text, "white (othello) plays ");
    has(&text, "1.f5 2.");
    has(&text, "`go` is no game");
    has(&text, "chess, engine chess (depth 1). You are white.");
    has(&text, "nothing has been played yet");
}

/// The same seed gives the same game, other seeds other games; a depth alone is the same every time.
#[test]
fn games_follow_from_their_seed() {
    for game in ["chess", "othello"] {
        let play = |seed: &str, level: &str| {
            let arguments = [game, "--side", "none", "--level", level, "--seed", seed];
            let text = talk(&arguments, &["history"]);
            text.lines().filter(|line| line.starts_with("1.")).collect::<String>()
        };
        let games: Vec<String> = ["1", "2", "3"].map(|seed| play(seed, "1")).to_vec();
        assert_eq!(play("1", "1"), games[0]);
        assert!(games[0] != games[1] && games[1] != games[2] && !games[0].is_empty(), "{games:?}");
    }
    let first = |seed: &str| {
        let arguments = ["chess", "--side", "black", "--depth", "4", "--seed", seed];
        let text = talk(&arguments, &["position"]);
        positions(&text)[0].to_owned()
    };
    let opened: std::collections::HashSet<String> =
        (0..12).map(|seed| first(&seed.to_string())).collect();
    assert!(opened.len() > 1, "{opened:?}");
    has(&talk(&["chess", "--seed", "7"], &["seed", "seed 8", "seed x"]), "seed 7\n");
}

/// All values are for the side that begins, and say so.
#[test]
fn values_say_whose_they_are() {
    let up = "4k3/8/8/8/8/8/8/3QK3";
    for side in ["w", "b"] {
        let from = format!("{up} {side} - - 0 1");
        let arguments = ["chess", "--side", "both", "--depth", "3", "--from", &from];
        let text = talk(&arguments, &["hint", "analyse", "eval"]);
        let said: Vec<&str> =
            text.lines().filter(|line| line.contains("pawns for white")).collect();
        assert!(said.len() >= 2, "{text}");
        assert!(said.iter().all(|line| line.contains('+') && !line.contains("-9")), "{text}");
        has(&text, "At first sight, for white");
    }
}
