//! Properties of the texts and of the rules, on random games, random boards and random texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{
    Board, Disc, GgfGame, GgfMove, ObfLine, Position, ScoredMove, Square, Squares, TextError,
    Transcript, parse_obf,
};

/// Any discs on any squares, whether or not a game leads there.
fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), select(&Disc::ALL[..])).prop_map(|(taken, black, side)| {
        let (player, opponent) = (taken & black, taken & !black);
        Position { board: Board::from_words(player, opponent), side }
    })
}

/// The boards of such positions.
pub(super) fn boards() -> impl Strategy<Value = Board> {
    positions().prop_map(|position| position.board)
}

/// A random game from the start.
fn games() -> impl Strategy<Value = Transcript> {
    vec(any::<Index>(), 0..64).prop_map(|choices| {
        let mut game = Transcript::new(Position::start());
        for choice in choices {
            let moves: Vec<Square> = game.end().board.moves().collect();
            if moves.is_empty() {
                break;
            }
            game.play(moves[choice.index(moves.len())]).unwrap();
        }
        game
    })
}

/// Text that the readers understand in part.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        select(
            &[
                "(;",
                ";)",
                "GM[Othello]",
                "TY[8]",
                "BO[8 ",
                "B[F5",
                "W[d6/",
                "]",
                "\\",
                "pa",
                "--",
                "%",
                " X; A2:+38;",
                "\n",
                "f5",
                "d6",
            ][..]
        )
        .prop_map(str::to_owned),
        Just(Position::start().to_string()),
        "[-XOxo*. ]{0,70}",
        "\\PC{0,6}",
        any::<String>(),
    ];
    vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// An error points into the text, or to the end of it.
fn points_into(error: &TextError, text: &str) -> bool {
    let lines = text.lines().count().max(1) + 1;
    (1..=lines).contains(&error.line) && (1..=text.chars().count() + 2).contains(&error.column)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn positions_read_back(position in positions()) {
        let text = position.to_string();
        prop_assert_eq!(text.parse(), Ok(position));
        prop_assert_eq!(text.to_lowercase().replace('-', ".").parse(), Ok(position));
        prop_assert_eq!(text.replace('X', "*").parse(), Ok(position));
    }

    /// A move takes one empty square, turns only opposing discs, and turns at least one.
    #[test]
    fn moves_turn_opposing_discs(position in positions()) {
        let board = position.board;
        for square in Square::all() {
            let flips = board.flips(square);
            prop_assert_eq!(board.moves().contains(square), !flips.is_empty());
            prop_assert!((flips - board.opponent()).is_empty());
            let Some(next) = board.play(square) else {
                prop_assert!(flips.is_empty());
                continue;
            };
            prop_assert_eq!(next.opponent(), board.player() | flips | square.only());
            prop_assert_eq!(next.player(), board.opponent() - flips);
            let same = Board::new(next.player(), next.opponent()).unwrap();
            prop_assert_eq!(next.hash(), same.hash());
        }
        prop_assert_eq!(board.pass().final_score(), -board.final_score());
        prop_assert_eq!(board.player() & board.opponent(), Squares::EMPTY);
    }

    #[test]
    fn obf_lines_read_back(
        position in positions(),
        moves in vec((proptest::option::of(0..64usize), -64..=64), 0..8),
        comment in "[a-z0-9 %;:]{0,20}",
    ) {
        let moves = moves
            .into_iter()
            .map(|(index, score)| ScoredMove { square: index.and_then(Square::new), score })
            .collect();
        let line = ObfLine { position, moves, comment: comment.trim().to_owned() };
        prop_assert_eq!(line.to_string().parse(), Ok(line.clone()));
        prop_assert_eq!(parse_obf(&format!("% a suite\n\n{line}\r\n{line}")), Ok(vec![line; 2]));
    }

    #[test]
    fn transcripts_read_back_with_and_without_passes(game in games()) {
        prop_assert_eq!(game.to_string().to_uppercase().parse(), Ok(game.clone()));
        let mut explicit = String::new();
        let mut side = game.start().side;
        for (position, square) in game.steps() {
            if position.side != side {
                explicit += "pass ";
            }
            explicit += &format!("{square} ");
            side = position.side.other();
        }
        prop_assert_eq!(explicit.parse(), Ok(game));
    }

    #[test]
    fn ggf_games_read_back(
        game in games(),
        tags in vec(("[A-Z]{2,3}", "\\PC{0,12}"), 0..5),
        notes in vec(proptest::option::of(-6400.0..6400.0), 128),
    ) {
        let mut record = GgfGame::new(game.start());
        for (name, value) in &tags {
            if name != "TY" {
                // The game's own tags are refused.
                let _ = record.set_tag(name, value);
            }
        }
        let mut notes = notes.into_iter();
        for (position, square) in game.steps() {
            if record.end().side != position.side {
                record.play(GgfMove::default()).unwrap();
            }
            let (evaluation, seconds) = (notes.next().flatten(), notes.next().flatten());
            record.play(GgfMove { square: Some(square), evaluation, seconds }).unwrap();
        }
        let text = record.to_string();
        prop_assert_eq!(text.parse(), Ok(record.clone()));
        let implied = text.replace("B[PA]", "").replace("W[PA]", "");
        if !tags.iter().any(|(_, value)| value.contains("[PA]")) {
            // A pass after the last move cannot be implied; `steps` has none.
            prop_assert_eq!(GgfGame::parse_all(&format!("1 {implied}\n")), Ok(vec![record]));
        }
    }

    /// No text makes a reader panic, and an error says where.
    #[test]
    fn any_text_is_read_or_refused(text in texts()) {
        for error in [
            text.parse::<Position>().err(),
            text.parse::<Disc>().err(),
            text.parse::<ObfLine>().err(),
            parse_obf(&text).err(),
            text.parse::<Transcript>().err(),
            text.parse::<GgfGame>().err(),
            GgfGame::parse_all(&text).err(),
        ]
        .into_iter()
        .flatten()
        {
            prop_assert!(points_into(&error, &text), "{}: {:?}", error, text);
        }
        let _ = text.parse::<Square>();
    }
}
