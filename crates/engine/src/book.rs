//! Opening books: moves for known positions, so that an engine need not think about them.
//!
//! The file is Polyglot's, which chess programs share, for every game: entries of 16 bytes, sorted by
//! their keys, all numbers with their most significant byte first.
//!
//! ```text
//! key:u64 move:u16 weight:u16 value:i32
//! ```
//!
//! A position's key and a move's number are the game's ([`Game::book_key`], [`Game::book_code`]): in chess
//! Polyglot's own, in Othello those of the position turned so that all eight symmetric ones are one. A
//! move with twice the weight is played twice as often. Polyglot leaves the last four bytes to programs;
//! ours keep the value of the move there, and nothing depends on it.

use std::collections::BTreeMap;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::game::Game;
use crate::text_file::read_book;
use plyground_core::tree::mix;
use plyground_core::value::Value;

/// The bytes of an entry.
const ENTRY: usize = 16;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move's number, as [`Game::book_code`] has it.
    pub code: u16,
    /// How often it is played, beside the others.
    pub weight: u16,
    /// What it is worth to the side to move, if whoever made the book has said so.
    pub value: i32,
}

/// An opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: BTreeMap<u64, Vec<BookMove>>,
}

/// Why a file is no book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// The length is wrong.
    #[error("{0} bytes; expected a book, whose entries have 16 bytes each")]
    Length(usize),
    /// The entries are not in order.
    #[error(
        "entry {0} has a smaller key than the one before it; expected a book, sorted by its keys"
    )]
    Order(usize),
}

impl Book {
    /// Reads the book in a file; the error says what is wrong with it.
    pub fn read(path: &Path) -> Result<Book, String> {
        let wrong = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let bytes = read_book(path).map_err(|error| wrong(&error))?;
        Book::from_bytes(&bytes).map_err(|error| wrong(&error))
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let (mut book, mut last) = (Book::default(), 0);
        for (number, entry) in entries.iter().enumerate() {
            let [a, b, c, d, e, f, g, h, mv @ .., p, q, r, s] = *entry;
            let key = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
            if key < last {
                return Err(BookError::Order(number));
            }
            last = key;
            let [code, code_2, weight, weight_2] = mv;
            let mv = BookMove {
                code: u16::from_be_bytes([code, code_2]),
                weight: u16::from_be_bytes([weight, weight_2]),
                value: i32::from_be_bytes([p, q, r, s]),
            };
            book.add(key, mv);
        }
        Ok(book)
    }

    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (key, moves) in &self.entries {
            for mv in moves {
                bytes.extend(key.to_be_bytes());
                bytes.extend(mv.code.to_be_bytes());
                bytes.extend(mv.weight.to_be_bytes());
                bytes.extend(mv.value.to_be_bytes());
            }
        }
        bytes
    }

    /// Adds a move of the position with this key.
    pub fn add(&mut self, key: u64, mv: BookMove) {
        self.entries.entry(key).or_default().push(mv);
    }

    /// How many positions it knows.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// The moves of a position that are legal, with their weights and values, the heaviest first. A
    /// foreign book may hold others, where two positions have one key.
    #[must_use]
    pub fn moves<G: Game>(&self, position: &G::Position) -> Vec<(G::Move, BookMove)> {
        let Some(known) = self.entries.get(&G::book_key(position)) else { return Vec::new() };
        let legal = G::legal_moves(position);
        let mut found: Vec<(G::Move, BookMove)> = known
            .iter()
            .filter_map(|known| {
                let mv = legal.iter().find(|&&mv| G::book_code(position, mv) == known.code)?;
                Some((*mv, *known))
            })
            .collect();
        found.sort_by_key(|(_, known)| std::cmp::Reverse(known.weight));
        found
    }

    /// The move to play in a position, and what the book thinks it is worth: drawn by lot with the
    /// weights if there is a seed, else the heaviest. `None` if the book has none.
    #[must_use]
    pub fn choose<G: Game>(
        &self,
        position: &G::Position,
        seed: Option<u64>,
    ) -> Option<(G::Move, Value)> {
        let mut moves = self.moves::<G>(position);
        moves.retain(|(_, known)| known.weight > 0);
        let all: u64 = moves.iter().map(|(_, known)| u64::from(known.weight)).sum();
        let mut drawn = match seed {
            Some(seed) if all > 0 => {
                let seed = mix(seed, G::book_key(position));
                StdRng::seed_from_u64(seed).random_range(0..all)
            }
            _ => 0,
        };
        let chosen = moves.into_iter().find(|(_, known)| {
            let weight = u64::from(known.weight);
            let here = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            here
        });
        chosen.map(|(mv, known)| (mv, known.value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use plyground_games::chess::{Board, Chess};
    use plyground_games::othello::Othello;

    /// The positions of a game's built-in book that games lead to, one move after the other.
    fn reached<G: Game>() -> usize {
        let book = Book::from_bytes(G::BOOK).unwrap();
        let (mut found, mut waiting) = (BTreeMap::new(), vec![G::position("").unwrap()]);
        while let Some(position) = waiting.pop() {
            let moves = book.moves::<G>(&position);
            let key = G::book_key(&position);
            if moves.is_empty() || found.insert(key, ()).is_some() {
                continue;
            }
            // Every move of the book is legal.
            assert_eq!(moves.len(), book.entries[&key].len(), "{}", G::picture(&position));
            let next = |mv: &G::Move| G::played(&position, *mv);
            waiting.extend(G::legal_moves(&position).iter().filter_map(next));
        }
        found.len()
    }

    #[test]
    fn the_built_in_books_can_be_played() {
        assert_eq!(reached::<Chess>(), Book::from_bytes(Chess::BOOK).unwrap().positions());
        assert_eq!(reached::<Othello>(), Book::from_bytes(Othello::BOOK).unwrap().positions());
    }

    #[test]
    fn a_move_is_played_as_often_as_its_weight_says() {
        let mut book = Book::default();
        let start = Board::start();
        for (text, weight) in [("e2e4", 3), ("d2d4", 1), ("c2c4", 0)] {
            let code = Chess::book_code(&start, start.uci_move(text).unwrap());
            book.add(Chess::book_key(&start), BookMove { code, weight, value: 7 });
        }
        // A move that is not legal here, as in a book of another program.
        book.add(Chess::book_key(&start), BookMove { code: 0, weight: 9, value: 0 });
        let played = |seed| book.choose::<Chess>(&start, seed).unwrap().0.to_string();
        assert_eq!(played(None), "e2e4");
        let count = |text: &str| (0..1000).filter(|&seed| played(Some(seed)) == text).count();
        assert!((700..800).contains(&count("e2e4")), "{}", count("e2e4"));
        assert_eq!(count("e2e4") + count("d2d4"), 1000);
        assert_eq!(book.moves::<Chess>(&start).len(), 3);
        assert_eq!(book.choose::<Chess>(&start.play(start.moves()[0]), None), None);
    }

    /// One entry serves all symmetric positions of Othello.
    #[test]
    fn symmetric_positions_share_their_moves() {
        let position = |text: &str| Othello::position(text).unwrap();
        let one = position("f5");
        let answer = Othello::read_move(&one, "d6").unwrap();
        let mut book = Book::default();
        let mv = BookMove { code: Othello::book_code(&one, answer), weight: 1, value: 0 };
        book.add(Othello::book_key(&one), mv);
        for (text, answers) in [("f5", "d6"), ("e6", "f4"), ("c4", "e3"), ("d3", "c5")] {
            let position = position(text);
            let (mv, _) = book.choose::<Othello>(&position, Some(1)).unwrap();
            assert_eq!(Othello::move_text(&position, mv), answers, "{text}");
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let mut book = Book::default();
        book.add(1, BookMove { code: 1, weight: 1, value: 0 });
        book.add(2, BookMove { code: 1, weight: 1, value: 0 });
        let mut bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes[..31]), Err(BookError::Length(31)));
        bytes.rotate_left(16);
        assert_eq!(Book::from_bytes(&bytes), Err(BookError::Order(1)));
    }

    proptest! {
        #[test]
        fn a_book_is_read_as_it_was_written(
            entries in proptest::collection::vec((0u64..9, any::<(u16, u16, i32)>()), 0..40)
        ) {
            let mut book = Book::default();
            for (key, (code, weight, value)) in entries {
                book.add(key, BookMove { code, weight, value });
            }
            prop_assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
        }
    }
}
