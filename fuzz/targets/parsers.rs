//! Texts: whatever a parser accepts, it reads again as it wrote it.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use plyground_core::limits::parse_bytes;
use plyground_core::tree::{Explicit, GameTree, MoveList};
use plyground_engine::game::Game;
use plyground_games::chess::{Board, Chess, Epd, PgnGame, START_FEN, parse_epd};
use plyground_games::othello::{
    Disc, GgfGame, ObfLine, Othello, Position, Square, Transcript, parse_obf,
};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions};
use plyground_study::tournament::{Sprt, TimeControl};

use crate::Target;

pub const TARGETS: &[Target] = &[
    text("fen", fen, CHESS),
    text("epd", epd, CHESS),
    text("san", san, CHESS),
    text("pgn", pgn, CHESS),
    text("othello", othello, OTHELLO),
    text("obf", obf, OTHELLO),
    text("transcript", transcript, OTHELLO),
    text("ggf", ggf, OTHELLO),
    text("tree", tree, &["(", ")", "((", "))", " ", "-", "1000000000", "2147483648"]),
    text("ids", ids, IDS),
    text("game-files", game_files, CHESS),
];

const fn text(name: &'static str, run: fn(&[u8]), dictionary: &'static [&'static str]) -> Target {
    Target { name, run, dictionary, built_in: &[], longest: 4096, patience: 30 }
}

const CHESS: &[&str] = &[
    START_FEN,
    "8/8/8/8/8/8/8/8",
    " w KQkq - 0 1",
    " b - e3 ",
    "e2e4",
    "e7e8q",
    "O-O-O",
    "0-0",
    "Nbd7",
    "exd5",
    "e8=Q+",
    "Qxf7#",
    "1. ",
    "2... ",
    "{comment}",
    "; rest\n",
    "(1. d4)",
    "$14",
    "[FEN \"",
    "[SetUp \"1\"]\n",
    "[Event \"?\"]\n",
    "1-0",
    "1/2-1/2",
    "*",
    "bm Nf3;",
    "am e4 d4;",
    "id \"x\";",
    "c0 \"",
    "startpos moves ",
    "fen ",
];

const OTHELLO: &[&str] = &[
    "---------------------------OX------XO---------------------------",
    " X;",
    " O",
    "f5d6c3",
    "pass",
    "PA",
    "--",
    "(;GM[Othello]PC[x]DT[2003]PB[a]PW[b]RE[+2]TI[5]TY[8]",
    "BO[8 ---------------------------O*------*O--------------------------- *]",
    "B[f5/1.2/3]",
    "W[d6//0.1]",
    ";)",
    "% comment",
    " H1:+38; G8:-2;",
    "\\",
    "]",
];

const IDS: &[&str] = &[
    "alpha-beta",
    "pvs",
    "sss",
    "ps:",
    "1+2+4",
    "itersss:",
    "mtd-f:",
    "aspiration:",
    "parsss:",
    "paritersss:2:",
    "parps:2:",
    "ybw:",
    "abdada:",
    "table",
    "history",
    "killers",
    "etc",
    "+",
    "MiB",
    "K",
    "M",
    "G",
    "40/300+2",
    "0.5",
    "/move",
    "nodes",
    "elo0=0",
    "all",
    "none",
];

/// The text of an input; bytes that are not UTF-8 are replaced.
pub fn text_of(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

/// What is read, written and read again is the same.
fn round_trip<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Option<T>
where
    T::Err: Display,
{
    match text.parse::<T>() {
        Ok(read) => {
            let written = read.to_string();
            match written.parse::<T>() {
                Ok(again) => assert_eq!(again, read, "{written:?}"),
                Err(error) => panic!("{written:?} is not read again: {error}"),
            }
            Some(read)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// The moves of a legal position are those of its rules, each with its text; nothing in it panics.
fn sound(board: &Board) {
    for mv in board.moves() {
        assert_eq!(board.uci_move(&mv.to_string()), Ok(mv), "{board}");
        assert_eq!(board.san_move(&board.san(mv).to_string()), Ok(mv), "{board}");
        let after = board.play(mv);
        assert_eq!(Board::from_fen(&after.to_string()), Ok(after), "{board} {mv}");
    }
}

fn fen(input: &[u8]) {
    let text = text_of(input);
    let strict = round_trip::<Board>(&text);
    if let Some(board) = &strict {
        sound(board);
    }
    if let Ok((board, forgiven)) = Board::from_lenient_fen(&text) {
        if let Some(strict) = strict {
            assert_eq!(board, strict);
            assert!(forgiven.is_empty() || text.split_whitespace().count() < 6, "{forgiven:?}");
        }
        sound(&board);
    }
}

fn epd(input: &[u8]) {
    let text = text_of(input);
    round_trip::<Epd>(&text);
    let _ = parse_epd(&text);
}

/// A position, and a move of it on the next line.
fn san(input: &[u8]) {
    let text = text_of(input);
    let (fen, moves) = text.split_once('\n').unwrap_or((START_FEN, &text));
    let Ok(mut board) = Board::from_fen(fen) else { return };
    for word in moves.split_whitespace().take(200) {
        let found = [board.san_move(word).ok(), board.uci_move(word).ok()];
        if let Some(mv) = found.into_iter().flatten().next() {
            assert_eq!(board.san_move(&board.san(mv).to_string()), Ok(mv), "{board}");
            board = board.play(mv);
        }
    }
}

fn pgn(input: &[u8]) {
    if let Ok(games) = PgnGame::parse_all(&text_of(input)) {
        for game in games {
            let written = game.to_string();
            let again: PgnGame = match written.parse() {
                Ok(again) => again,
                Err(error) => panic!("{written:?} is not read again: {error}"),
            };
            assert_eq!(again.moves(), game.moves(), "{written:?}");
            assert_eq!(again.start(), game.start(), "{written:?}");
        }
    }
}

fn othello(input: &[u8]) {
    let text = text_of(input);
    if let Some(position) = round_trip::<Position>(&text) {
        let board = position.board;
        for square in Square::all() {
            assert_eq!(board.play(square).is_some(), board.moves().contains(square), "{position}");
        }
    }
    let _ = text.parse::<Disc>();
    let _ = text.parse::<Square>();
}

fn obf(input: &[u8]) {
    let text = text_of(input);
    round_trip::<ObfLine>(&text);
    let _ = parse_obf(&text);
}

fn transcript(input: &[u8]) {
    round_trip::<Transcript>(&text_of(input));
}

fn ggf(input: &[u8]) {
    let text = text_of(input);
    if let Ok(games) = GgfGame::parse_all(&text) {
        for game in games {
            let written = game.to_string();
            let again: GgfGame = match written.parse() {
                Ok(again) => again,
                Err(error) => panic!("{written:?} is not read again: {error}"),
            };
            assert_eq!(again.moves(), game.moves(), "{written:?}");
        }
    }
}

fn tree(input: &[u8]) {
    let text = text_of(input);
    match text.parse::<Explicit>() {
        Ok(tree) => {
            let written = tree.to_string();
            assert_eq!(written.parse::<Explicit>().map(|tree| tree.to_string()), Ok(written));
            let mut moves = <Explicit as GameTree>::Moves::default();
            tree.moves(&tree.root(), &mut moves);
            assert_eq!(moves.len() == 0, tree.height() == 0);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn ids(input: &[u8]) {
    let text = text_of(input);
    for line in text.lines().take(20) {
        if let Ok(algorithm) = line.parse::<Algorithm>() {
            assert_eq!(
                algorithm.to_string().parse::<Algorithm>().as_ref(),
                Ok(&algorithm),
                "{line}"
            );
            assert!(!algorithm.name().is_empty());
        }
        if let Ok(memory) = line.parse::<MemoryFunctions>() {
            assert_eq!(memory.to_string().parse::<MemoryFunctions>(), Ok(memory), "{line}");
        }
        if let Ok(size) = line.parse::<TableSize>() {
            assert_eq!(size.to_string().parse::<TableSize>(), Ok(size), "{line}");
        }
        let _ = parse_bytes(line);
        let _ = line.parse::<TimeControl>();
        let _ = line.parse::<Sprt>();
    }
}

/// Files of games, positions, openings and suites, as every command reads them.
fn game_files(input: &[u8]) {
    let text = text_of(input);
    for game in [Chess::door(), Othello::door()] {
        let _ = game.recognises(&text);
        let _ = game.openings(&text);
        let _ = game.suite(&text);
        let started = game.start(&text).ok();
        let games = game.games(&text).into_iter().flatten();
        for mut line in games.map(|saved| saved.line).chain(started) {
            let position = line.position();
            match game.start(&position) {
                Ok(again) => assert_eq!(again.position(), position),
                Err(error) => panic!("{position}: {error}"),
            }
            let plies = line.plies();
            while line.undo().is_some() {}
            while line.redo().is_some() {}
            assert_eq!((line.plies(), line.position()), (plies, position));
        }
    }
}
