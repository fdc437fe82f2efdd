//! The rules against an independent rule book, the crate `cozy-chess`.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use cozy_chess::{Board as CozyBoard, GameStatus, Move as CozyMove, Piece as CozyPiece};
use plyground::chess::{Board, Move, MoveKind, Moves, Status, parse_epd, perft, perft_portable};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Cozy's name of a move: castling is the king taking its own rook there.
fn cozy_name(mv: Move) -> String {
    match (mv.kind(), mv.to().column()) {
        (MoveKind::Castling, 6) => format!("{}h{}", mv.from(), mv.from().row() + 1),
        (MoveKind::Castling, _) => format!("{}a{}", mv.from(), mv.from().row() + 1),
        _ => mv.to_string(),
    }
}

fn cozy_moves(board: &CozyBoard) -> Vec<CozyMove> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

/// Cozy keeps every en passant file; we keep those where a capture is legal.
fn cozy_fen(board: &CozyBoard, moves: &[CozyMove]) -> String {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let captured = moves.iter().any(|mv| {
        board.piece_on(mv.from) == Some(CozyPiece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.piece_on(mv.to).is_none()
    });
    if !captured {
        fields[3] = "-";
    }
    fields.join(" ")
}

/// What the positions of a walk had, so that a test can say it saw enough.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    checks: usize,
    double_checks: usize,
    pins: usize,
    promotions: usize,
    en_passant: usize,
    castlings: usize,
    few: usize,
    queens: usize,
    mates: usize,
    stalemates: usize,
}

/// Everything the two rule books can be compared in.
fn compare(board: &Board, cozy: &CozyBoard, seen: &mut Seen) -> Moves {
    let fen = board.to_string();
    let theirs = cozy_moves(cozy);
    let clock = board.half_moves();
    let mut capped = cozy.clone();
    // Cozy stops counting at a hundred.
    if clock <= 100 {
        assert_eq!(u16::from(cozy.halfmove_clock()), clock, "{fen}");
    }
    capped.set_halfmove_clock(clock.min(100) as u8);
    let plain = |fen: &str| {
        let fields: Vec<&str> = fen.split(' ').collect();
        [&fields[..4], &fields[5..]].concat().join(" ")
    };
    assert_eq!(plain(&fen), plain(&cozy_fen(&capped, &theirs)));

    let moves = board.moves();
    let ours: BTreeSet<String> = moves.iter().map(|&mv| cozy_name(mv)).collect();
    assert_eq!(ours.len(), moves.len(), "a move twice in {fen}");
    let theirs: BTreeSet<String> = theirs.iter().map(ToString::to_string).collect();
    assert_eq!(ours, theirs, "{fen}");
    assert_eq!(board.count_moves(), moves.len(), "{fen}");
    assert_eq!(board.has_moves(), !moves.is_empty(), "{fen}");

    let mut noisy = Moves::new();
    board.add_noisy_moves(&mut noisy);
    let noisy: BTreeSet<Move> = noisy.into_iter().collect();
    let expected: BTreeSet<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| board.is_capture(mv) || mv.promotion().is_some())
        .collect();
    assert_eq!(noisy, expected, "{fen}");

    assert_eq!(board.checkers().word(), cozy.checkers().0, "{fen}");
    let own = board.side_pieces(board.side()).word();
    assert_eq!(board.pinned().word(), cozy.pinned().0 & own, "{fen}");
    let status = board.status();
    match cozy.status() {
        GameStatus::Won => assert_eq!(status, Status::Checkmate, "{fen}"),
        GameStatus::Drawn if moves.is_empty() => assert_eq!(status, Status::Stalemate, "{fen}"),
        _ => assert_eq!(status, Status::Ongoing, "{fen}"),
    }
    assert_eq!(board.key(), board.recomputed_key(), "{fen}");
    assert_eq!(Board::from_fen(&fen).as_ref(), Ok(board), "{fen}");
    if let Some(other) = board.pass() {
        assert_eq!(other.key(), other.recomputed_key(), "{fen}");
        assert_eq!(Board::from_fen(&other.to_string()), Ok(other), "{fen}");
    }

    seen.positions += 1;
    seen.checks += usize::from(board.in_check());
    seen.double_checks += usize::from(board.checkers().len() == 2);
    seen.pins += usize::from(!board.pinned().is_empty());
    seen.promotions += usize::from(moves.iter().any(|mv| mv.promotion().is_some()));
    seen.en_passant += usize::from(board.en_passant().is_some());
    seen.castlings += usize::from(moves.iter().any(|mv| mv.kind() == MoveKind::Castling));
    seen.few += usize::from(board.occupied().len() <= 6);
    seen.queens += usize::from(board.pieces(plyground::chess::Piece::Queen).len() >= 4);
    seen.mates += usize::from(status == Status::Checkmate);
    seen.stalemates += usize::from(status == Status::Stalemate);
    moves
}

/// Plays at random from a position, comparing at every ply; `prefer` says which moves to favour.
fn walk(fen: &str, plies: usize, prefer: fn(&Board, Move) -> bool, seed: u64, seen: &mut Seen) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut board = Board::from_fen(fen).unwrap();
    let mut cozy: CozyBoard = fen.parse().unwrap();
    for _ in 0..plies {
        let moves = compare(&board, &cozy, seen);
        if moves.is_empty() {
            return;
        }
        // Every SAN reads back; without optimization a sample, as it is slow to write them all.
        if seen.positions.is_multiple_of(if cfg!(debug_assertions) { 16 } else { 1 }) {
            for &mv in &moves {
                let san = board.san(mv).to_string();
                assert_eq!(board.san_move(&san), Ok(mv), "{san} in {board}");
                assert_eq!(board.uci_move(&mv.to_string()), Ok(mv), "{mv} in {board}");
            }
        }
        let favoured: Moves = moves.iter().copied().filter(|&mv| prefer(&board, mv)).collect();
        let from =
            if favoured.is_empty() || random.random_range(0..4) == 0 { &moves } else { &favoured };
        let mv = from[random.random_range(0..from.len())];
        board = board.play(mv);
        cozy.play(cozy_name(mv).parse().unwrap());
    }
}

const STARTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "qqqq3k/7p/8/8/8/8/P7/K3QQQQ w - - 0 1",
    "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1",
    "8/8/3p4/1Pp4r/1K3R2/6k1/4P1P1/8 w - c6 0 2",
];

#[test]
fn random_play_agrees_with_cozy_chess() {
    let preferences: [fn(&Board, Move) -> bool; 5] = [
        |_, _| true,
        |board, mv| board.is_capture(mv) || mv.promotion().is_some(),
        // Pawns run, and what is not taken lives on: many queens.
        |board, mv| {
            !board.is_capture(mv)
                && board.piece_on(mv.from()) == Some(plyground::chess::Piece::Pawn)
        },
        |board, mv| board.play(mv).in_check(),
        |board, mv| {
            let next = board.play(mv);
            next.checkers().len() == 2 || !board.is_capture(mv) && !next.pinned().is_empty()
        },
    ];
    let mut seen = Seen::default();
    let mut seed = 0;
    while seen.positions < 100_000 {
        for fen in STARTS {
            for prefer in preferences {
                seed += 1;
                walk(fen, 80, prefer, seed, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.checks > 5_000 && seen.double_checks > 20 && seen.pins > 5_000, "{seen:?}");
    assert!(seen.promotions > 1_000 && seen.en_passant > 100, "{seen:?}");
    assert!(seen.castlings > 500 && seen.few > 1_000 && seen.queens > 1_000, "{seen:?}");
    assert!(seen.mates > 20 && seen.stalemates > 5, "{seen:?}");
}

/// The plainest count with the other rule book.
fn cozy_perft(board: &CozyBoard, depth: u32) -> u64 {
    let moves = cozy_moves(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut next = board.clone();
            next.play_unchecked(mv);
            cozy_perft(&next, depth - 1)
        })
        .sum()
}

#[test]
fn perft_of_well_known_positions() {
    // Without optimization the largest trees take too long.
    let most = if cfg!(debug_assertions) { 5_000_000 } else { u64::MAX };
    let suite = parse_epd(include_str!("../../positions/perft.epd")).unwrap();
    assert_eq!(suite.len(), 6);
    for epd in suite {
        for &(depth, leaves) in epd.leaves.iter().filter(|(_, leaves)| *leaves <= most) {
            let what = format!("{:?} at depth {depth}", epd.id);
            assert_eq!(perft(&epd.board, depth), leaves, "{what}");
            if leaves < 20_000_000 {
                assert_eq!(perft_portable(&epd.board, depth), leaves, "{what}, portable");
                let cozy: CozyBoard = epd.board.to_string().parse().unwrap();
                assert_eq!(cozy_perft(&cozy, depth), leaves, "{what}, cozy-chess");
            }
        }
    }
}

#[test]
fn the_most_moves_of_any_known_position() {
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(Board::from_fen(fen).unwrap().moves().len(), 218);
}

#[test]
fn keys_are_of_the_position_and_not_of_the_path() {
    let after = |moves: &str| {
        moves.split(' ').fold(Board::start(), |board, mv| board.play(board.uci_move(mv).unwrap()))
    };
    let one = after("g1f3 g8f6 b1c3");
    let other = after("b1c3 g8f6 g1f3");
    assert_eq!(one.key(), other.key());
    assert!(one.same_position(&other));
    // Two steps leave no trace where nothing can be captured.
    let late = after("e2e4 g8f6 g1f3 f6g8 f3g1 e7e5");
    assert_eq!(after("e2e4 e7e5").key(), late.key());
    // A king that has gone and come back may no longer castle.
    let stayed = after("e2e4 e7e5");
    let returned = after("e2e4 e7e5 e1e2 g8f6 e2e1 f6g8");
    assert_ne!(stayed.key(), returned.key());
    // A pawn that can be captured en passant makes another position than one that cannot.
    let can = after("e2e4 a7a6 e4e5 d7d5");
    let cannot = after("e2e4 a7a6 e4e5 d7d5 g1f3 g8f6 f3g1 f6g8");
    assert!(can.en_passant().is_some() && cannot.en_passant().is_none());
    assert_ne!(can.key(), cannot.key());
    assert!(can.to_string().contains(" d6 "));
}
