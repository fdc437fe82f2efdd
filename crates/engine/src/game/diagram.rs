//! A board as front ends draw it: the pieces on their squares, and marks.

use super::{GameLine, Seat};
use plyground_core::names::plural;
use plyground_games::chess::{Chess, Piece};
use plyground_games::grid::{Square, Squares};
use plyground_games::othello::Othello;

/// A piece or a disc as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagramPiece {
    /// The side that it belongs to.
    pub owner: Seat,
    /// Its letter, different for the two sides.
    pub letter: char,
    /// Its symbol, different for the two sides.
    pub symbol: char,
    /// Its symbol where colours tell the sides apart.
    pub solid: char,
}

/// How the squares of a board look, where colours can show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Green cloth, as for Othello.
    Cloth,
    /// Light and dark wood, as for chess.
    Wood,
}

/// A board with its marks.
#[derive(Clone, Debug)]
pub struct Diagram {
    pieces: [Option<DiagramPiece>; Square::NUM],
    /// How the squares look.
    pub surface: Surface,
    /// The squares of the last move.
    pub last: Squares,
    /// The empty squares that the side to move may occupy, where that is what moves do.
    pub open: Squares,
    /// The square of a king in check.
    pub danger: Squares,
    /// Is row 1 at the bottom?
    pub upward: bool,
    /// What each side has, in words, in the order of [`Seat::ALL`].
    pub tally: [String; 2],
    /// A piece of each side, as a sign for it.
    pub signs: [DiagramPiece; 2],
}

impl Diagram {
    /// The piece on a square, if there is one.
    pub fn piece(&self, square: Square) -> Option<DiagramPiece> {
        self.pieces[square.index()]
    }
}

pub(super) fn othello(line: &GameLine<Othello>) -> Diagram {
    let position = line.position();
    let sides = plyground_games::othello::Disc::ALL;
    let symbols = ['●', '○'];
    let signs = Seat::ALL.map(|owner| DiagramPiece {
        owner,
        letter: sides[owner.index()].letter(),
        symbol: symbols[owner.index()],
        solid: '●',
    });
    let pieces = std::array::from_fn(|square| {
        let side = position.disc(Square::new(square)?)?;
        Some(signs[usize::from(side == sides[1])])
    });
    let last = line.moves().last().copied().flatten();
    Diagram {
        pieces,
        surface: Surface::Cloth,
        last: last.map_or(Squares::EMPTY, Square::only),
        open: position.board.moves(),
        danger: Squares::EMPTY,
        upward: false,
        tally: sides.map(|side| plural(position.discs(side).len(), "disc")),
        signs,
    }
}

/// The values of the pieces that beginners learn.
const POINTS: [usize; 6] = [1, 3, 3, 5, 9, 0];

pub(super) fn chess(line: &GameLine<Chess>) -> Diagram {
    let board = line.position();
    let sides = plyground_games::chess::Side::ALL;
    let drawn = |piece: Piece, owner: Seat| {
        let outlined = ['♙', '♘', '♗', '♖', '♕', '♔'][piece.index()];
        let solid = ['♟', '♞', '♝', '♜', '♛', '♚'][piece.index()];
        let symbol = if owner == Seat::First { outlined } else { solid };
        DiagramPiece { owner, letter: piece.letter_of(sides[owner.index()]), symbol, solid }
    };
    let pieces = std::array::from_fn(|square| {
        let square = Square::new(square)?;
        let side = board.side_on(square)?;
        Some(drawn(board.piece_on(square)?, Seat::ALL[side.index()]))
    });
    let worth = |side| {
        let points = |piece: &Piece| board.pieces_of(side, *piece).len() * POINTS[piece.index()];
        Piece::ALL.iter().map(points).sum::<usize>()
    };
    let [white, black] = sides.map(worth);
    let tally = |own: usize, other: usize| match own.saturating_sub(other) {
        0 => plural(own, "point"),
        more => format!("{} (+{more})", plural(own, "point")),
    };
    let last = line.moves().last();
    Diagram {
        pieces,
        surface: Surface::Wood,
        last: last.map_or(Squares::EMPTY, |mv| mv.from().only() | mv.to().only()),
        open: Squares::EMPTY,
        danger: if board.in_check() { board.king(board.side()).only() } else { Squares::EMPTY },
        upward: true,
        tally: [tally(white, black), tally(black, white)],
        signs: Seat::ALL.map(|owner| drawn(Piece::King, owner)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::*;

    fn after<G: Game>(moves: &str) -> GameLine<G> {
        let mut line = GameLine::<G>::new(G::position("").unwrap());
        for text in moves.split_whitespace() {
            let mv = G::typed_move(line.position(), text).unwrap();
            assert!(line.play(mv), "{text}");
        }
        line
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn discs_and_their_marks() {
        let drawn = Othello::diagram(&after("f5")).unwrap();
        assert_eq!(drawn.piece(square("f5")).unwrap().letter, 'X');
        assert_eq!(drawn.piece(square("d4")).unwrap().symbol, '○');
        assert_eq!(drawn.piece(square("a1")), None);
        assert_eq!(drawn.last, square("f5").only());
        assert_eq!(drawn.open.to_string(), "f4 d6 f6");
        assert_eq!(drawn.tally, ["4 discs", "1 disc"]);
    }

    #[test]
    fn pieces_and_their_marks() {
        let drawn = Chess::diagram(&after("e4 d5 exd5 c6 dxc6 Qa5 c7 Kd7")).unwrap();
        assert_eq!(drawn.piece(square("c7")).unwrap().letter, 'P');
        assert_eq!(drawn.piece(square("a5")).unwrap().letter, 'q');
        assert_eq!(drawn.last, square("e8").only() | square("d7").only());
        assert_eq!(drawn.tally, ["39 points (+2)", "37 points"]);
        let check = Chess::diagram(&after("f3 e5 g4 Qh4#")).unwrap();
        assert_eq!(check.danger, square("e1").only());
    }
}
