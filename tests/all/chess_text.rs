//! Hostile text: whatever is read, the answer is a value or an error that says where, never a panic.
#![allow(missing_docs)]

use plyground::chess::{Board, Epd, PgnGame, TextError, parse_epd};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
    "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "3k4/8/8/8/3Pp3/8/8/3K4 b - d3 65535 65535",
    "4k3/8/3N4/1B6/8/8/8/4K3 b - - 99 65535",
];

const EPD: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - hmvc 3; fmvn 9; bm O-O Rxa8+; am Kd1; dm 4; \
                   D1 26; D2 568; id \"a; name\"; c0 \"kept\"; acd 9;";

const PGN: &str = "[Event \"x\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1\"]\n\n1... O-O-O {so}
2. Ra7 (2. O-O $4 (2. Kd1) Kb8) Kb8 ; rest\n3. Rha1! Rxh1+ 1/2-1/2\n";

/// Whatever was read is a board the rules can work with, and reads back from its own text.
fn work_with(board: &Board) {
    let text = board.to_string();
    assert_eq!(Board::from_fen(&text).as_ref(), Ok(board), "{text}");
    assert_eq!(board.key(), board.recomputed_key());
    let _ = board.pass();
    for mv in board.moves() {
        let next = board.play(mv);
        assert_eq!(next.key(), next.recomputed_key(), "{mv} in {text}");
        assert_eq!(Board::from_fen(&next.to_string()), Ok(next), "{mv} in {text}");
        assert_eq!(board.san_move(&board.san(mv).to_string()), Ok(mv), "{mv} in {text}");
    }
}

/// An error says where, within the text, and says it in words.
fn told(error: &TextError, text: &str) {
    assert!(error.line >= 1 && error.line <= text.lines().count().max(1) + 1, "{error}: {text:?}");
    assert!(error.column >= 1 && error.column <= text.chars().count() + 2, "{error}: {text:?}");
    let words = error.to_string();
    assert!(words.contains("expected") || words.contains("follows"), "{words}");
}

fn read_everything(text: &str) {
    match Board::from_fen(text) {
        Ok(board) => work_with(&board),
        Err(error) => told(&error, text),
    }
    match text.parse::<Epd>() {
        Ok(epd) => {
            work_with(&epd.board);
            assert_eq!(epd.to_string().parse::<Epd>().as_ref(), Ok(&epd), "{text:?}");
        }
        Err(error) => told(&error, text),
    }
    if let Err(error) = parse_epd(text) {
        told(&error, text);
    }
    match PgnGame::parse_all(text) {
        Ok(games) => {
            for game in games {
                let read: PgnGame = game.to_string().parse().expect("what is written reads back");
                assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
                assert_eq!(read.result, game.result);
            }
        }
        Err(error) => told(&error, text),
    }
    for fen in FENS {
        let board = Board::from_fen(fen).unwrap();
        for read in [board.san_move(text), board.uci_move(text)] {
            match read {
                Ok(mv) => assert!(board.is_legal(mv)),
                Err(error) => told(&error, text),
            }
        }
    }
}

/// A text with some characters changed, put in, taken out, or a piece of it repeated.
fn spoil(text: &str, seed: u64) -> String {
    let mut random = StdRng::seed_from_u64(seed);
    let mut letters: Vec<char> = text.chars().collect();
    let alphabet: Vec<char> =
        "pnbrqkPNBRQK12345678/ -wbKQkqabcdefgh0x=+#!?;\"[](){}$%.…\\\n\u{301}é".chars().collect();
    for _ in 0..random.random_range(1..4) {
        let place = random.random_range(0..=letters.len());
        match random.random_range(0..4) {
            0 if place < letters.len() => {
                letters[place] = alphabet[random.random_range(0..alphabet.len())];
            }
            1 => letters.insert(place, alphabet[random.random_range(0..alphabet.len())]),
            2 if place < letters.len() => {
                letters.remove(place);
            }
            _ => {
                let end = (place + random.random_range(0..6)).min(letters.len());
                let piece = letters[place..end].to_vec();
                let to = random.random_range(0..=letters.len());
                letters.splice(to..to, piece);
            }
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 3000 }))]

    #[test]
    fn any_text(text in any::<String>()) {
        read_everything(&text);
    }

    #[test]
    fn text_of_the_right_letters(text in "[pnbrqkPNBRQK1-8/ wabcdefgh=x+#O0;\"\\[\\](){}$.-]{0,60}") {
        read_everything(&text);
    }

    #[test]
    fn nearly_a_fen(which in 0..FENS.len(), seed in any::<u64>()) {
        read_everything(&spoil(FENS[which], seed));
    }

    #[test]
    fn nearly_an_epd(seed in any::<u64>()) {
        read_everything(&spoil(EPD, seed));
    }

    #[test]
    fn nearly_a_pgn(seed in any::<u64>()) {
        read_everything(&spoil(PGN, seed));
    }

    #[test]
    fn random_pieces(
        squares in proptest::collection::vec((0usize..64, 0usize..12), 0..40),
        side in 0..2usize,
        castling in "[KQkq]{0,4}",
        en_passant in "[a-h][36]|-",
    ) {
        let mut letters = ['1'; 64];
        letters[4] = 'k';
        letters[60] = 'K';
        for (square, piece) in squares {
            letters[square] = "PNBRQPpnbrqp".as_bytes()[piece] as char;
        }
        let ranks: Vec<String> = letters.chunks(8).map(|rank| rank.iter().collect()).collect();
        let side = ["w", "b"][side];
        let castling = if castling.is_empty() { "-" } else { &castling };
        read_everything(&format!("{} {side} {castling} {en_passant} 0 1", ranks.join("/")));
    }

    #[test]
    fn any_code_is_a_move_or_not(code in any::<u16>(), which in 0..FENS.len()) {
        let board = Board::from_fen(FENS[which]).unwrap();
        let mv = plyground::chess::Move::from_code(code);
        let _ = (mv.to_string(), mv.kind(), board.try_play(mv), board.is_capture(mv));
        // Without the check the result means nothing, but it must not be a panic.
        let next = board.play(mv);
        let _ = (next.moves(), next.status(), next.to_string(), board.san(mv).to_string());
    }
}

#[test]
fn deep_and_long_texts() {
    let deep = format!("1. e4 {} e5", "(".repeat(100_000));
    assert!(PgnGame::parse_all(&deep).is_err());
    let closed = format!("1. e4 {}{} e5 *", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(PgnGame::parse_all(&closed).map(|games| games[0].moves().len()), Ok(2));
    assert!(Board::from_fen(&"8/".repeat(100_000)).is_err());
    assert!("Q".repeat(100_000).parse::<Epd>().is_err());
    assert!(Board::start().san_move(&"N".repeat(100_000)).is_err());
}
