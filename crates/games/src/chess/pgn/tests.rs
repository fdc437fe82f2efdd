use super::*;

const GAME: &str = "% an escaped line
[Event \"A \\\"quoted\\\" event\"]
[White \"Someone\"]
[Black \"Somebody\"]
[Result \"1-0\"]
[Opening \"four moves\"]

1. e4 {a comment (with brackets)} e5 ; to the end of the line
2.Bc4 $1 (2. Nf3 Nc6 (2... d6 {deep :)}) 3. Bb5) Nc6 3 Qh5!? Nf6?? 4. Qxf7# 1-0
";

#[test]
fn a_game_with_everything() {
    let game: PgnGame = GAME.parse().unwrap();
    assert_eq!(game.moves().len(), 7);
    assert_eq!(game.result, GameResult::WhiteWins);
    assert_eq!(game.tag("Event"), Some("A \"quoted\" event"));
    assert_eq!(game.end().status(), crate::chess::Status::Checkmate);
    let written = game.to_string();
    let expected = "[Event \"A \\\"quoted\\\" event\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Someone\"]
[Black \"Somebody\"]
[Result \"1-0\"]
[Opening \"four moves\"]

1. e4 {a comment (with brackets)} 1... e5 {to the end of the line} 2. Bc4 $1 (2.
Nf3 Nc6 (2... d6 {deep :)}) 3. Bb5) 2... Nc6 3. Qh5 $5 Nf6 $4 4. Qxf7# 1-0
";
    assert_eq!(written, expected);
    let again: PgnGame = written.parse().unwrap();
    assert_eq!((&again.moves, &again.notes), (&game.moves, &game.notes));
    let variation = "2. Nf3 Nc6 (2... d6 {deep :)}) 3. Bb5".to_owned();
    assert_eq!(game.notes(3), [PgnNote::Glyph(1), PgnNote::Variation(variation)]);
    assert_eq!(game.notes(2), [PgnNote::Comment("to the end of the line".into())]);
    assert!(game.notes(7).is_empty() && game.notes(99).is_empty());
    assert_eq!(PgnGame::parse_all(&written.repeat(2)).map(|games| games.len()), Ok(2));
}

/// What is said about the moves comes back, wherever it stands and however the lines are broken.
#[test]
fn notes_are_kept() {
    for text in [
        "{before} 1. e4 *",
        "1. e4 e5 {after} 1-0",
        "1. e4 $1 $14 {a} {b} (1. d4 d5) (1. c4) 1... e5 *",
        "1. e4 (1. d4 ; a remark with ) and }\n d5) *",
        "1. e4 (1. d4 (1. c4 {( }) 1... d5 $6) 1... c5 $2 {bad} *",
        "1. e4 {} e5 ; nothing at all *\n *",
    ] {
        let game: PgnGame = text.parse().unwrap();
        let written = game.to_string();
        let again: PgnGame = written.parse().unwrap();
        assert_eq!((&again.moves, &again.notes), (&game.moves, &game.notes), "{text}");
        assert_eq!(again.to_string(), written);
    }
    let mut game: PgnGame = "1. e4 *".parse().unwrap();
    let long = "words that are said about a move ".repeat(9);
    game.note(PgnNote::Comment(long.trim().into()));
    game.note(PgnNote::Comment("{in braces}".into()));
    let written = game.to_string();
    assert!(written.lines().all(|line| line.len() <= 80), "{written}");
    assert_eq!(written.parse::<PgnGame>().unwrap().notes, game.notes);
}

#[test]
fn from_another_position() {
    let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R b K - 4 30").unwrap();
    let mut game = PgnGame::new(board);
    for text in ["e8d7", "e1g1", "d7e6"] {
        let mv = game.end().uci_move(text).unwrap();
        game.play(mv).unwrap();
    }
    let written = game.to_string();
    assert!(written.ends_with("30... Kd7 31. O-O Ke6 *\n"), "{written}");
    let read: PgnGame = written.parse().unwrap();
    assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
    assert_eq!(read.to_string(), written);
}

/// So many tags, and so long ones, that looking at all of them for each would not end.
#[test]
fn many_tags_and_long_ones_are_read_once() {
    let tags: String = (0..500_000).map(|number| format!("[T{number} \"\"]\n")).collect();
    let long = "x\\\"".repeat(5_000_000);
    let game: PgnGame = format!("{tags}[Long \"{long}\"]\n\n1. e4 *").parse().unwrap();
    assert_eq!(game.tags().count(), 500_001);
    assert_eq!(game.tag("Long").map(str::len), Some(10_000_000));
    let board = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    let castling = "K".repeat(20_000_000);
    assert!(
        format!("[FEN \"{}\"] *", board.replacen('-', &castling, 1)).parse::<PgnGame>().is_err()
    );
}

/// So many notes on one move that looking at all of them for each would not end. The glyphs come first.
#[test]
fn many_notes_are_read_once() {
    let game: PgnGame = format!("1. e4 {} *", "{a} $1 ".repeat(1_000_000)).parse().unwrap();
    let notes = game.notes(1);
    assert_eq!(notes.len(), 2_000_000);
    let (glyphs, comments) = notes.split_at(1_000_000);
    assert!(glyphs.iter().all(|note| *note == PgnNote::Glyph(1)));
    assert!(comments.iter().all(|note| *note == PgnNote::Comment("a".into())));
}

#[test]
fn wrong_games_are_told() {
    for (text, told) in [
        ("1. e4 e5\n2. Ke3", "line 2, column 4: \"Ke3\" is not a legal move for white"),
        ("1. e4 {open", "line 1, column 7: a comment is not closed: expected '}'"),
        ("1. e4 (1. d4", "line 1, column 7: a variation is not closed: expected ')'"),
        ("[White Someone]", "line 1, column 8: found \"Someone]\": expected the tag's value"),
        ("[White \"Someone", "line 1, column 8: a quotation is not closed"),
        ("[FEN \"8/8 w - -\"]", "line 1, column 7: the board has 2 ranks"),
        ("1. e4 )", "line 1, column 7: found \")\": expected a move"),
        ("1. 0-0", "line 1, column 4: \"0-0\" is not a legal move"),
        ("e4 * e5", "line 1, column 6: \"e5\" follows"),
    ] {
        let error = text.parse::<PgnGame>().unwrap_err();
        assert!(error.to_string().starts_with(told), "{text}: {error}");
    }
}
