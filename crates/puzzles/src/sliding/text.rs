//! Tiles as text, as a drawing, and by chance.

use std::fmt;

use plyground_core::tree::mix;

use super::Shape;
use crate::error::ProblemError;

/// The tiles of a puzzle, cell by cell, 0 for the blank: an instance that can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    shape: Shape,
    numbers: Vec<u8>,
}

impl Tiles {
    /// All tiles in order, the blank first.
    pub fn in_order(shape: Shape) -> Tiles {
        Tiles { shape, numbers: (0..shape.cells() as u8).collect() }
    }

    /// Reads the numbers row by row, separated by blanks, commas or line ends.
    pub fn parse(shape: Shape, text: &str) -> Result<Tiles, ProblemError> {
        let cells = shape.cells();
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        let mut numbers: Vec<u8> = Vec::with_capacity(cells);
        for (place, word) in words.iter().enumerate() {
            let number = word.parse().ok().filter(|n: &usize| *n < cells);
            let number = number.ok_or_else(|| ProblemError::Word {
                word: (*word).into(),
                place: place + 1,
                expected: format!("a number from 0 to {}", cells - 1),
            })?;
            if numbers.contains(&(number as u8)) {
                return Err(ProblemError::Twice(number, cells - 1));
            }
            numbers.push(number as u8);
        }
        if numbers.len() != cells {
            let expected = format!(
                "{cells} for {}x{}, row by row, 0 for the blank",
                shape.width, shape.height
            );
            return Err(ProblemError::Count { found: numbers.len(), expected });
        }
        let tiles = Tiles { shape, numbers };
        tiles.check_solvable()?;
        Ok(tiles)
    }

    /// A random instance: every one that can be solved is as likely.
    pub fn random(shape: Shape, seed: u64) -> Tiles {
        let mut tiles = Tiles::in_order(shape);
        let mut draws = 0;
        let mut draw = |below: usize| {
            draws += 1;
            (mix(seed, draws) % below as u64) as usize
        };
        if shape.is_line() {
            // The tiles of a single line keep their order; only the blank has a choice.
            let blank = draw(shape.cells());
            tiles.numbers[..=blank].rotate_left(1);
            return tiles;
        }
        for cell in (1..shape.cells()).rev() {
            let other = draw(cell + 1);
            tiles.numbers.swap(cell, other);
        }
        if tiles.check_solvable().is_err() {
            // Any exchange of two tiles changes the parity.
            let mut cells = (0..shape.cells()).filter(|cell| tiles.numbers[*cell] != 0);
            if let (Some(a), Some(b)) = (cells.next(), cells.next()) {
                tiles.numbers.swap(a, b);
            }
        }
        tiles
    }

    /// A random walk of this many moves from the tiles in order, without going straight back.
    pub fn shuffled(shape: Shape, seed: u64, moves: u64) -> Tiles {
        let mut tiles = Tiles::in_order(shape);
        let mut last = 4;
        for number in 0..moves {
            let blank = tiles.blank();
            let ways: Vec<usize> = (0..4)
                .filter(|direction| direction + last != 3)
                .filter(|direction| shape.neighbour(blank, *direction).is_some())
                .collect();
            // At the end of a single line there is no way but back.
            let Some(count) = (ways.len() as u64).checked_sub(1) else {
                last = 4;
                continue;
            };
            last = ways[(mix(seed, number) % (count + 1)) as usize];
            if let Some(to) = shape.neighbour(blank, last) {
                tiles.numbers.swap(blank, to);
            }
        }
        tiles
    }

    /// A move changes the parity of the permutation and moves the blank by one: the two together tell
    /// which half of all boards can be brought into order. In a single line tiles cannot pass.
    fn check_solvable(&self) -> Result<(), ProblemError> {
        let refused = |reason: &str| Err(ProblemError::Unsolvable(reason.into()));
        if self.shape.is_line() {
            let tiles: Vec<u8> = self.numbers.iter().copied().filter(|tile| *tile != 0).collect();
            return match tiles.is_sorted() {
                true => Ok(()),
                false => refused("in a single line tiles cannot pass each other"),
            };
        }
        let mut odd = false;
        let mut seen = vec![false; self.numbers.len()];
        for cell in 0..self.numbers.len() {
            let mut at = cell;
            // A cycle of n cells takes n - 1 exchanges.
            while !seen[at] {
                seen[at] = true;
                at = self.numbers[at].into();
                odd ^= at != cell;
            }
        }
        let (row, column) = self.shape.row_and_column(self.blank());
        match odd == ((row + column) % 2 == 1) {
            true => Ok(()),
            false => refused(
                "the parity of the permutation and that of the blank's place differ, so no moves \
                 lead to 0 1 2 …; exchange any two tiles",
            ),
        }
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The tiles, cell by cell.
    pub fn numbers(&self) -> &[u8] {
        &self.numbers
    }

    /// The cell of the blank.
    pub fn blank(&self) -> usize {
        self.numbers.iter().position(|tile| *tile == 0).unwrap_or(0)
    }

    /// Are all tiles in their places?
    pub fn are_in_order(&self) -> bool {
        self.numbers.is_sorted()
    }

    /// The tiles that can slide, in the order of the blank's directions up, left, right, down.
    pub fn movable(&self) -> Vec<u8> {
        let to = (0..4).filter_map(|direction| self.shape.neighbour(self.blank(), direction));
        to.map(|cell| self.numbers[cell]).collect()
    }

    /// Slides a tile into the blank; `false` if it is not next to the blank.
    pub fn slide(&mut self, tile: u8) -> bool {
        let blank = self.blank();
        let can = self.movable().contains(&tile);
        if can && let Some(cell) = self.numbers.iter().position(|other| *other == tile) {
            self.numbers.swap(blank, cell);
        }
        can
    }

    /// The board in letters.
    pub fn picture(&self) -> String {
        self.framed(["+-++", "+-++", "+-++"], '|')
    }

    /// The board in lines.
    pub fn drawing(&self) -> String {
        self.framed(["┌─┬┐", "├─┼┤", "└─┴┘"], '│')
    }

    /// The board in a frame: the left, straight, crossing and right parts of its rules at the top, between
    /// rows and at the bottom.
    fn framed(&self, rules: [&str; 3], side: char) -> String {
        let wide = (self.shape.cells() - 1).to_string().len();
        let [top, between, bottom] = rules.map(|parts| {
            let parts: Vec<String> = parts.chars().map(String::from).collect();
            let cells = vec![parts[1].repeat(wide + 2); self.shape.width];
            format!("{}{}{}\n", parts[0], cells.join(&parts[2]), parts[3])
        });
        let row = |tiles: &[u8]| {
            let tile = |tile: &u8| if *tile == 0 { String::new() } else { tile.to_string() };
            let cells = tiles.iter().map(|number| format!("{side} {:>wide$} ", tile(number)));
            format!("{}{side}\n", cells.collect::<String>())
        };
        let rows: Vec<String> = self.numbers.chunks(self.shape.width).map(row).collect();
        format!("{top}{}{bottom}", rows.join(&between))
    }
}

/// The numbers row by row, as [`Tiles::parse`] reads them.
impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.numbers.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(" "))
    }
}
