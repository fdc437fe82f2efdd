//! What is wrong with a move that somebody typed, in words for people who are learning the rules.

use super::attacks::{BETWEEN, BISHOP_LINES, KING, KNIGHT, PAWN, ROOK_LINES};
use super::board::Board;
use super::error::Problem;
use super::moves::{Move, MoveKind, Moves};
use super::piece::Piece;
use super::san::ParsedSan;
use super::side::Side;
use super::uci;
use crate::grid::{Square, Squares};

/// A move as far as a text says it: which pieces could be meant, and where to.
struct Meant {
    piece: Piece,
    /// The pieces of that kind which the text may mean.
    from: Squares,
    to: Square,
    capture: bool,
}

impl Board {
    /// Why a text is no legal move here, as people say it: `the knight on g1 cannot go to g5`, `your king
    /// would be in check`. `None` if the text is a legal move, or not a move at all.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let board = Board::start();
    /// let why = |text: &str| board.why_illegal(text).unwrap_or_default();
    /// assert_eq!(why("Ng5"), "the knight on g1 cannot go to g5");
    /// assert_eq!(why("e2e5"), "the pawn on e2 cannot go to e5");
    /// assert_eq!(why("e7e5"), "the pawn on e7 is black's");
    /// assert_eq!(why("Bc4"), "the bishop on f1 cannot jump over e2");
    /// assert_eq!(why("O-O"), "there is a piece between the king and the rook");
    /// assert_eq!(board.why_illegal("e4"), None);
    /// ```
    #[must_use]
    pub fn why_illegal(&self, text: &str) -> Option<String> {
        let small = text.to_ascii_lowercase();
        if self.san_move(text).is_ok() || self.uci_move(&small).is_ok() {
            return None;
        }
        if !self.has_moves() {
            return Some("the game is over".into());
        }
        if let Err(error) = self.san_move(text)
            && let problem @ Problem::Ambiguous { .. } = error.problem
        {
            return Some(problem.to_string());
        }
        if let Some((from, to, promotion)) = uci::read(&small) {
            return self.why_not_from(from, to, promotion);
        }
        match ParsedSan::read(text)? {
            ParsedSan::Castling { short } => Some(self.why_no_castling(short).into()),
            ParsedSan::Piece { piece, file, rank, capture, to, promotion } => {
                // A pawn that takes nothing stays on its file.
                let stays = piece == Piece::Pawn && !capture && file.is_none();
                let file = if stays { Some(to.column()) } else { file };
                let hinted = |square: &Square| {
                    file.is_none_or(|file| square.column() == file)
                        && rank.is_none_or(|rank| square.row() == rank)
                };
                let from = self.pieces_of(self.side, piece);
                let from =
                    from.into_iter().filter(hinted).fold(Squares::EMPTY, |all, s| all | s.only());
                let meant = Meant { piece, from, to, capture };
                Some(self.why_not(&meant, promotion))
            }
        }
    }

    /// The moves that a text may mean which leaves out what a pawn becomes on the last rank; empty if
    /// it is not such a text. The queen comes first.
    #[must_use]
    pub fn promotions_meant(&self, text: &str) -> Moves {
        let small = text.to_ascii_lowercase();
        let is_meant = |mv: &Move| match (uci::read(&small), ParsedSan::read(text)) {
            (Some((from, to, None)), _) => mv.from() == from && mv.to() == to,
            (
                None,
                Some(ParsedSan::Piece {
                    piece: Piece::Pawn, file, rank, to, promotion: None, ..
                }),
            ) => {
                mv.to() == to
                    && file.is_none_or(|file| mv.from().column() == file)
                    && rank.is_none_or(|rank| mv.from().row() == rank)
            }
            _ => false,
        };
        let mut moves: Moves = self
            .moves()
            .into_iter()
            .filter(|mv| mv.promotion().is_some() && is_meant(mv))
            .collect();
        // Two pawns that could take the same piece are not told apart.
        if moves.iter().any(|mv| mv.from() != moves[0].from()) {
            moves.clear();
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.promotion().map(Piece::index)));
        moves
    }

    /// The same for a move from square to square.
    fn why_not_from(&self, from: Square, to: Square, promotion: Option<Piece>) -> Option<String> {
        let Some(piece) = self.piece_on(from) else {
            return Some(format!("there is no piece on {from}"));
        };
        if self.side_on(from) != Some(self.side) {
            return Some(format!("the {piece} on {from} is {}'s", self.side.other()));
        }
        let steps = from.column().abs_diff(to.column());
        if piece == Piece::King && steps == 2 && from.row() == to.row() {
            return Some(self.why_no_castling(to.column() > from.column()).into());
        }
        Some(self.why_not(&Meant { piece, from: from.only(), to, capture: false }, promotion))
    }

    fn why_not(&self, meant: &Meant, promotion: Option<Piece>) -> String {
        let Meant { piece, from, to, capture } = *meant;
        if from.is_empty() {
            return match self.pieces_of(self.side, piece).is_empty() {
                true => format!("{} has no {piece}", self.side),
                false if piece == Piece::Pawn => format!("no pawn can go to {to}"),
                false => format!("there is no such {piece}"),
            };
        }
        if self.side_on(to) == Some(self.side) && from != to.only() {
            let own = self.piece_on(to).unwrap_or(Piece::Pawn);
            return format!("your own {own} stands on {to}");
        }
        // Pieces that could go there if it were not for the king.
        let reaching = |square: &Square| self.reaches(piece, *square, to);
        let pseudo: Vec<Square> = from.into_iter().filter(reaching).collect();
        if let Some(square) = pseudo.first() {
            let moves = self.moves();
            let legal = moves.iter().find(|mv| mv.to() == to && pseudo.contains(&mv.from()));
            return match legal {
                Some(mv) if mv.promotion().is_some() && promotion.is_none() => {
                    format!("which piece does the pawn become? {to}=Q, {to}=R, {to}=B or {to}=N")
                }
                Some(_) if capture && !self.takes(*square, to) => {
                    format!("there is nothing to take on {to}")
                }
                Some(_) if promotion.is_some() => format!("a {piece} on {to} becomes nothing else"),
                Some(_) => format!("which {piece}? more than one can go to {to}"),
                None if piece == Piece::King => "your king would be in check".into(),
                None if self.in_check() => format!("your king is in check, and {to} does not help"),
                None => "your king would be in check".into(),
            };
        }
        // Of several pieces one that moves in this direction was probably meant, or else the nearest.
        let meant = nearest(to, from.into_iter().filter(|s| slides(piece, *s, to)));
        match meant.or_else(|| nearest(to, from)) {
            Some(square) => self.why_unreachable(piece, square, to),
            None => format!("no {piece} can go to {to}"),
        }
    }

    fn takes(&self, from: Square, to: Square) -> bool {
        let en_passant = self.piece_on(from) == Some(Piece::Pawn) && self.en_passant() == Some(to);
        self.side_on(to) == Some(self.side.other()) || en_passant
    }

    /// Can the piece go there, if its own king does not matter?
    fn reaches(&self, piece: Piece, from: Square, to: Square) -> bool {
        let occupied = self.occupied().word();
        let free = BETWEEN[from.index()][to.index()] & occupied == 0;
        let on = |lines: u64| lines >> to.index() & 1 == 1;
        match piece {
            Piece::Knight => on(KNIGHT[from.index()]),
            Piece::King => on(KING[from.index()]),
            Piece::Bishop => on(BISHOP_LINES[from.index()]) && free,
            Piece::Rook => on(ROOK_LINES[from.index()]) && free,
            Piece::Queen => on(BISHOP_LINES[from.index()] | ROOK_LINES[from.index()]) && free,
            Piece::Pawn => {
                let attacks = on(PAWN[self.side.index()][from.index()]);
                if attacks {
                    return self.takes(from, to);
                }
                let forward = match self.side {
                    Side::White => to.row() as i32 - from.row() as i32,
                    Side::Black => from.row() as i32 - to.row() as i32,
                };
                let first = from.row() == if self.side == Side::White { 1 } else { 6 };
                from.column() == to.column()
                    && (forward == 1 || forward == 2 && first)
                    && free
                    && !self.occupied().contains(to)
            }
        }
    }

    /// Why one piece cannot go to a square that it does not reach.
    fn why_unreachable(&self, piece: Piece, from: Square, to: Square) -> String {
        let between = Squares::from_word(BETWEEN[from.index()][to.index()]) & self.occupied();
        if slides(piece, from, to)
            && let Some(blocker) = nearest(from, between)
        {
            return format!("the {piece} on {from} cannot jump over {blocker}");
        }
        if piece == Piece::Pawn {
            let attacks = PAWN[self.side.index()][from.index()] >> to.index() & 1 == 1;
            if attacks {
                return format!("there is nothing to take on {to}");
            }
            if from.column() == to.column() && self.occupied().contains(to) {
                return format!("the pawn on {from} is blocked: pawns take diagonally");
            }
        }
        format!("the {piece} on {from} cannot go to {to}")
    }

    fn why_no_castling(&self, short: bool) -> &'static str {
        let castles = |mv: &Move| mv.kind() == MoveKind::Castling;
        let king = self.king(self.side);
        let home = Square::at(4, if self.side == Side::White { 0 } else { 7 });
        let rook = Square::at(if short { 7 } else { 0 }, king.row());
        if Some(king) != home {
            return "the king has left its place: it cannot castle any more";
        }
        let has_rook = rook.is_some_and(|square| {
            self.piece_on(square) == Some(Piece::Rook) && self.side_on(square) == Some(self.side)
        });
        if !has_rook {
            return "there is no rook to castle with";
        }
        if self.in_check() {
            return "the king is in check: it cannot castle out of it";
        }
        let between = rook.map_or(0, |rook| BETWEEN[king.index()][rook.index()]);
        if between & self.occupied().word() != 0 {
            return "there is a piece between the king and the rook";
        }
        let passed = |steps: usize| {
            let column = if short { 4 + steps } else { 4 - steps };
            let square = Square::at(column, king.row());
            square.is_some_and(|square| self.is_attacked(square, self.side.other()))
        };
        if passed(1) {
            return "the king would pass through check";
        }
        if passed(2) {
            return "your king would be in check";
        }
        match self.moves().iter().any(castles) {
            true => "the rook on that side has moved: castling is possible on the other side alone",
            false => "the king or the rook has moved: castling is not possible any more",
        }
    }
}

/// Is the square in a direction in which the piece moves any number of steps?
fn slides(piece: Piece, from: Square, to: Square) -> bool {
    let straight = ROOK_LINES[from.index()] >> to.index() & 1 == 1;
    let diagonal = BISHOP_LINES[from.index()] >> to.index() & 1 == 1;
    match piece {
        Piece::Queen => straight || diagonal,
        Piece::Rook => straight,
        Piece::Bishop => diagonal,
        _ => false,
    }
}

/// The square of `squares` that is nearest to `from`.
fn nearest(from: Square, squares: impl IntoIterator<Item = Square>) -> Option<Square> {
    let distance = |square: &Square| {
        square.column().abs_diff(from.column()).max(square.row().abs_diff(from.row()))
    };
    squares.into_iter().min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, cases: &[(&str, &str)]) {
        let board = Board::from_fen(fen).unwrap();
        for (text, expected) in cases {
            let why = board.why_illegal(text).unwrap_or_else(|| "legal, or no move".into());
            assert_eq!(why, *expected, "{text} in {fen}");
        }
    }

    #[test]
    fn reasons_are_told() {
        check(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            &[
                ("e5", "the pawn on e4 is blocked: pawns take diagonally"),
                ("e4e5", "the pawn on e4 is blocked: pawns take diagonally"),
                ("exd5", "there is nothing to take on d5"),
                ("e4d5", "there is nothing to take on d5"),
                ("Nf4", "the knight on g1 cannot go to f4"),
                ("a5", "the pawn on a2 cannot go to a5"),
                ("a3a4", "there is no piece on a3"),
                ("Qe2e3", "there is no such queen"),
                ("Rh3", "the rook on h1 cannot jump over h2"),
                ("Rhh3", "the rook on h1 cannot jump over h2"),
                ("Ke3", "the king on e1 cannot go to e3"),
                ("Qd2", "your own pawn stands on d2"),
                ("hello", "legal, or no move"),
                ("Nf3", "legal, or no move"),
            ],
        );
        check(
            "4k3/8/8/8/7b/8/5P2/4K2R w K - 0 1",
            &[
                ("f3", "your king would be in check"),
                ("Kd1", "legal, or no move"),
                ("e1g1", "legal, or no move"),
                ("Qd1", "white has no queen"),
            ],
        );
        check(
            "r3k2r/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
            &[
                ("O-O", "the king is in check: it cannot castle out of it"),
                ("Ra2", "your king is in check, and a2 does not help"),
                ("Ke2", "your king would be in check"),
            ],
        );
        check(
            "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1",
            &[("O-O", "the king would pass through check"), ("O-O-O", "legal, or no move")],
        );
        check(
            "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
            &[("O-O", "the king or the rook has moved: castling is not possible any more")],
        );
        check(
            "8/4P1k1/8/8/8/8/8/K7 w - - 0 1",
            &[("e8", "which piece does the pawn become? e8=Q, e8=R, e8=B or e8=N")],
        );
    }

    #[test]
    fn a_promotion_may_be_left_open() {
        let board = Board::from_fen("3r4/4P3/7k/8/8/8/8/K7 w - - 0 1").unwrap();
        let meant = |text: &str| board.promotions_meant(text);
        let names = |text: &str| board.names(&meant(text));
        assert_eq!(names("e8"), "e8=Q e8=R e8=B e8=N");
        assert_eq!(names("e7e8"), "e8=Q e8=R e8=B e8=N");
        assert_eq!(names("exd8"), "exd8=Q exd8=R exd8=B exd8=N");
        assert!(meant("e8=Q").is_empty() && meant("Ka2").is_empty() && meant("e7e8q").is_empty());
    }

    /// Every text of a move is legal or has a reason.
    #[test]
    fn every_move_from_square_to_square_is_judged() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for from in Square::all() {
                for to in Square::all() {
                    let text = format!("{from}{to}");
                    let legal = board.uci_move(&text).is_ok();
                    assert_eq!(board.why_illegal(&text).is_none(), legal, "{text} in {fen}");
                }
            }
        }
    }
}
