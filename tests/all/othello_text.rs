//! Text: everything written reads back, and nothing read makes a panic.

use plyground::othello::{
    Board, Disc, GgfGame, GgfMove, ObfLine, Picture, Position, ScoredMove, Square, Squares,
    Transcript, parse_obf,
};
use proptest::prelude::*;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(taken, colour, black)| Position {
        board: Board::new(Squares::from_word(taken & colour), Squares::from_word(taken & !colour))
            .expect("disjoint by construction"),
        side: if black { Disc::Black } else { Disc::White },
    })
}

/// A game whose moves are chosen by numbers, until it is over or they run out.
fn games() -> impl Strategy<Value = Transcript> {
    prop::collection::vec(0usize..64, 0..64).prop_map(|choices| {
        let mut game = Transcript::new(Position::start());
        for choice in choices {
            let moves = game.end().board.moves();
            if moves.is_empty() {
                break;
            }
            let square = moves.into_iter().nth(choice % moves.len()).expect("within the set");
            game.play(square).expect("taken from the legal moves");
        }
        game
    })
}

fn numbers() -> impl Strategy<Value = Option<f64>> {
    prop::option::of(-6400.0..6400.0)
}

/// Text made of pieces that the readers know, in any order, to get past the first character.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("(;".to_owned()),
        Just(";)".to_owned()),
        Just("GM[Othello]".to_owned()),
        Just("BO[8 ".to_owned()),
        Just("B[F5".to_owned()),
        Just("W[d6/".to_owned()),
        Just("]".to_owned()),
        Just("\\".to_owned()),
        Just("pa".to_owned()),
        Just("--".to_owned()),
        Just("%".to_owned()),
        Just(" X; A2:+38;".to_owned()),
        Just("\n".to_owned()),
        Just(Position::start().to_string()),
        "[-XOxo*. ]{0,70}",
        "[a-i][0-9]",
        "\\PC{0,8}",
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

fn read_everything(text: &str) {
    let _ = text.parse::<Square>();
    let _ = text.parse::<Disc>();
    let _ = text.parse::<Position>();
    let _ = text.parse::<ObfLine>();
    let _ = parse_obf(text);
    let _ = text.parse::<Transcript>();
    let _ = GgfGame::parse_all(text);
    if let Ok(game) = text.parse::<GgfGame>() {
        assert_eq!(game.to_string().parse(), Ok(game));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn positions_read_back(position in positions()) {
        let text = position.to_string();
        prop_assert_eq!(text.parse(), Ok(position));
        prop_assert_eq!(text.to_lowercase().replace('-', ".").parse(), Ok(position));
        prop_assert_eq!(text.replace('X', "*").parse(), Ok(position));
        prop_assert_eq!(Picture(&position).to_string().lines().count(), 11);
    }

    #[test]
    fn obf_lines_read_back(
        position in positions(),
        moves in prop::collection::vec((prop::option::of(0usize..64), -64..=64), 0..8),
        comment in "[a-z0-9 ]{0,20}",
    ) {
        let moves = moves
            .into_iter()
            .map(|(index, score)| ScoredMove { square: index.and_then(Square::new), score })
            .collect();
        let line = ObfLine { position, moves, comment: comment.trim().to_owned() };
        prop_assert_eq!(line.to_string().parse(), Ok(line));
    }

    #[test]
    fn transcripts_read_back(game in games()) {
        prop_assert_eq!(game.to_string().to_uppercase().parse(), Ok(game));
    }

    #[test]
    fn ggf_games_read_back(
        game in games(),
        names in prop::collection::vec(("[A-Z]{2,3}", "\\PC{0,12}"), 0..5),
        notes in prop::collection::vec((numbers(), numbers()), 64),
    ) {
        let mut record = GgfGame::new(game.start());
        for (name, value) in &names {
            if name != "TY" {
                // The board's own tags are refused, which is right too.
                let _ = record.set_tag(name, value);
            }
        }
        for ((position, square), (evaluation, seconds)) in game.steps().zip(notes) {
            if record.end().side != position.side {
                record.play(GgfMove::default()).expect("the transcript implies a pass");
            }
            record.play(GgfMove { square: Some(square), evaluation, seconds }).expect("legal");
        }
        prop_assert_eq!(record.to_string().parse(), Ok(record));
    }

    #[test]
    fn hostile_text_is_only_refused(text in "\\PC{0,200}", known in pieces()) {
        read_everything(&text);
        read_everything(&known);
    }
}

#[test]
fn errors_point_into_the_text() {
    let error = "f5d6x1".parse::<Transcript>().unwrap_err();
    assert_eq!((error.line, error.column), (1, 5));
    assert!(error.to_string().contains("expected a square"));
}
