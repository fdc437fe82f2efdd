//! Properties of the texts and of what is updated move by move, on random games and random texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::testing::STARTS;
use super::{
    Board, Epd, Evaluator, GameResult, Move, Node, Operand, PgnGame, PgnNote, Piece, Side,
    TextError, parse_epd,
};

/// A random game: its first board and its moves.
fn games(most_plies: usize) -> impl Strategy<Value = (Board, Vec<Move>)> {
    (select(&STARTS[..]), vec(any::<Index>(), 0..most_plies)).prop_map(|(fen, choices)| {
        let start = Board::from_fen(fen).unwrap();
        let mut board = start;
        let mut moves = Vec::new();
        for choice in choices {
            let legal = board.moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice.index(legal.len())];
            moves.push(mv);
            board = board.play(mv);
        }
        (start, moves)
    })
}

/// The last board of a random game.
fn boards() -> impl Strategy<Value = Board> {
    games(80).prop_map(|(start, moves)| moves.iter().fold(start, |board, &mv| board.play(mv)))
}

/// Text that the readers understand in part.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        select(&STARTS[..]).prop_map(str::to_owned),
        select(
            &[
                "bm e4; ",
                "id \"x\"; ",
                "D1 20; ",
                "hmvc 3; ",
                "[FEN \"",
                "\"]\n",
                "1. e4 ",
                "e5 ",
                "O-O",
                "e8=Q+",
                "(",
                ")",
                "{",
                "}",
                "$3 ",
                "; ",
                "% ",
                "\n",
                "1-0",
                "e2e4",
                "a7a8q",
            ][..]
        )
        .prop_map(str::to_owned),
        "[pnbrqkPNBRQK1-8/ w-]{0,30}",
        "\\PC{0,6}",
        any::<String>(),
    ];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Text that is nearly a FEN: each field may be something else, or missing.
fn near_fens() -> impl Strategy<Value = String> {
    let field = |usual: &'static str| {
        let other = prop_oneof![
            Just("-".to_owned()),
            "[KQkq]{0,9}",
            "[a-i][0-9]",
            "[-+]?[0-9]{0,6}",
            "\\PC{0,6}",
        ];
        prop_oneof![2 => Just(usual.to_owned()), 3 => other]
    };
    let fields = (field("KQkq"), field("e3"), field("7"), field("9"), field(""));
    (select(&STARTS[..]), fields, 0..8usize).prop_map(|(fen, (a, b, c, d, e), most)| {
        let mut given = fen.split(' ').map(str::to_owned).take(2).chain([a, b, c, d, e]);
        given.by_ref().take(most).collect::<Vec<_>>().join(" ")
    })
}

/// An error points into the text, or to the end of it.
fn points_into(error: &TextError, text: &str) -> bool {
    let lines = text.lines().count().max(1) + 1;
    (1..=lines).contains(&error.line) && (1..=text.chars().count() + 2).contains(&error.column)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Reading a FEN finds key, checkers and pins afresh: so they are right on every board.
    #[test]
    fn boards_read_back_and_their_keys_are_right((start, moves) in games(80)) {
        let mut board = start;
        for mv in moves {
            board = board.play(mv);
            let text = board.to_string();
            prop_assert_eq!(text.parse(), Ok(board));
            prop_assert_eq!(Board::from_lenient_fen(&text), Ok((board, Vec::new())));
            prop_assert_eq!(board.key(), board.recomputed_key(), "{}", board);
            if let Some(passed) = board.pass() {
                prop_assert_eq!(passed.to_string().parse(), Ok(passed));
                prop_assert_eq!(passed.key(), passed.recomputed_key(), "{}", passed);
            }
        }
    }

    /// Every square has at most one piece, and captures and promotions change the material by one.
    #[test]
    fn pieces_and_sides_agree((start, moves) in games(80)) {
        let count = |board: &Board, side| board.side_pieces(side).len();
        let mut board = start;
        for mv in moves {
            let next = board.play(mv);
            let all = Piece::ALL.map(|piece| next.pieces(piece));
            prop_assert_eq!(all.iter().map(|set| set.len()).sum::<usize>(), next.occupied().len());
            prop_assert!((next.side_pieces(Side::White) & next.side_pieces(Side::Black)).is_empty());
            let lost = usize::from(board.is_capture(mv));
            prop_assert_eq!(count(&next, board.side()), count(&board, board.side()));
            prop_assert_eq!(count(&next, next.side()) + lost, count(&board, next.side()));
            let pawns = |board: &Board, side| board.pieces_of(side, Piece::Pawn).len();
            let promoted = usize::from(mv.promotion().is_some());
            prop_assert_eq!(pawns(&next, board.side()) + promoted, pawns(&board, board.side()));
            board = next;
        }
    }

    /// The piece-square sum of a node is the same after a game as from its last board alone.
    #[test]
    fn node_sums_are_right((start, moves) in games(80)) {
        let evaluator = Evaluator::default();
        let mut node = Node::new(start, &evaluator);
        for mv in moves {
            node = node.play(&evaluator, mv);
            prop_assert_eq!(node, Node::new(*node.board(), &evaluator));
        }
    }

    #[test]
    fn moves_read_back_as_uci_and_san(board in boards()) {
        let mut names: Vec<String> = Vec::new();
        for mv in board.moves() {
            let san = board.san(mv).to_string();
            prop_assert_eq!(board.uci_move(&mv.to_string()), Ok(mv), "{}", board);
            prop_assert_eq!(board.san_move(&san), Ok(mv), "{} in {}", san, board);
            prop_assert_eq!(board.san_move(san.trim_end_matches(['+', '#'])), Ok(mv));
            names.push(san);
        }
        names.sort();
        let count = names.len();
        names.dedup();
        prop_assert_eq!(names.len(), count, "two moves have one name in {}", board);
    }

    #[test]
    fn epd_lines_read_back(
        board in boards(),
        choices in vec((any::<Index>(), any::<bool>()), 0..4),
        mate_in in proptest::option::of(1..100u32),
        leaves in vec((0..20u32, any::<u64>()), 0..3),
        id in proptest::option::of("[a-zA-Z0-9 .;#-]{0,12}"),
        others in vec(("c[0-9]|acd|pv", vec(("[a-zA-Z0-9+=-]{1,6}", any::<bool>()), 0..3)), 0..3),
    ) {
        let mut epd = Epd::from(board);
        let legal = board.moves();
        if !legal.is_empty() {
            for (choice, good) in choices {
                let list = if good { &mut epd.best } else { &mut epd.avoid };
                list.push(legal[choice.index(legal.len())]);
            }
        }
        (epd.mate_in, epd.leaves, epd.id) = (mate_in, leaves, id);
        let operand = |(text, word)| if word { Operand::Word(text) } else { Operand::Quoted(text) };
        epd.others = others
            .into_iter()
            .map(|(code, operands)| (code, operands.into_iter().map(operand).collect()))
            .collect();
        let text = epd.to_string();
        prop_assert_eq!(text.parse::<Epd>(), Ok(epd.clone()), "{}", text);
        prop_assert_eq!(parse_epd(&format!("# a suite\n{text}\n\n")), Ok(vec![epd]));
    }

    #[test]
    fn pgn_games_read_back(
        (start, moves) in games(60),
        tags in vec(("[A-Z][A-Za-z]{1,8}", "\\PC{0,12}"), 0..5),
        comments in vec(proptest::option::of(any::<String>()), 60),
        result in select(&GameResult::ALL[..]),
    ) {
        let mut game = PgnGame::new(start);
        game.result = result;
        for (name, value) in &tags {
            // The game's own tags are refused.
            let _ = game.set_tag(name, value);
        }
        for (mv, comment) in moves.into_iter().zip(comments) {
            game.play(mv).unwrap();
            if let Some(comment) = comment {
                game.note(PgnNote::Comment(comment));
                game.note(PgnNote::Glyph(4));
                game.note(PgnNote::Variation("1. e4 {a (} (1. d4)".into()));
            }
        }
        let text = game.to_string();
        let read = text.parse::<PgnGame>();
        prop_assert!(read.is_ok(), "{:?}: {}", read, text);
        let read = read.unwrap();
        for plies in 0..=game.moves().len() {
            prop_assert_eq!(read.notes(plies), game.notes(plies), "{}", text);
        }
        prop_assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
        prop_assert_eq!((read.end(), read.result), (game.end(), game.result));
        for (name, value) in game.tags() {
            prop_assert_eq!(read.tag(name), Some(value));
        }
        prop_assert_eq!(PgnGame::parse_all(&text.repeat(2)), Ok(vec![read.clone(), read]));
    }

    /// A lenient reader forgives each right, square, clock and the rest of the line at most once, and
    /// what it reads is a position that the strict reader accepts.
    #[test]
    fn lenient_reading_ends(text in near_fens()) {
        if let Ok((board, forgiven)) = Board::from_lenient_fen(&text) {
            prop_assert!(forgiven.len() <= 4 + 1 + 2 + 1, "{:?}", forgiven);
            prop_assert!(forgiven.iter().all(|error| points_into(error, &text)));
            prop_assert_eq!(board.to_string().parse(), Ok(board));
        }
        if let Ok(board) = Board::from_fen(&text) {
            prop_assert_eq!(Board::from_lenient_fen(&text), Ok((board, Vec::new())));
        }
    }

    /// No text makes a reader panic, and an error says where.
    #[test]
    fn any_text_is_read_or_refused(text in texts(), board in boards()) {
        let _ = (board.why_illegal(&text), board.promotions_meant(&text));
        for error in [
            Board::from_fen(&text).err(),
            Board::from_lenient_fen(&text).err(),
            text.parse::<Epd>().err(),
            parse_epd(&text).err(),
            PgnGame::parse_all(&text).err(),
            board.san_move(&text).err(),
            board.uci_move(&text).err(),
        ]
        .into_iter()
        .flatten()
        {
            prop_assert!(points_into(&error, &text), "{}: {:?}", error, text);
        }
    }
}
