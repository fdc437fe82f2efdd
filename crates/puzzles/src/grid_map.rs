//! A way through a map: from S to G, one cell at a time, around obstacles.
//!
//! The heuristic is the Manhattan distance. Many ways lead to the same cell, so a search that keeps no
//! states searches the same cells again and again: on open ground IDA\* is hopeless where A\* is quick.

use std::fmt;

use plyground_core::space::{Cost, StateSpace};
use plyground_core::tree::mix;

use crate::error::ProblemError;

/// The most cells of a map.
const MOST_CELLS: usize = 1 << 20;

/// How many maps by chance are tried until one has a way.
const ATTEMPTS: u64 = 200;

/// A step on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the row above.
    North,
    /// To the column on the left.
    West,
    /// To the column on the right.
    East,
    /// To the row below.
    South,
}

impl Direction {
    const ALL: [Direction; 4] =
        [Direction::North, Direction::West, Direction::East, Direction::South];

    /// N, W, E or S.
    pub fn letter(self) -> char {
        ['N', 'W', 'E', 'S'][self as usize]
    }

    fn opposite(self) -> Direction {
        Direction::ALL[3 - self as usize]
    }
}

/// A cell, by its number, row by row.
pub type GridState = u32;

/// A map with obstacles, a start and a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridMap {
    width: usize,
    walls: Vec<bool>,
    start: usize,
    goal: usize,
}

/// The steps from a cell, as a set of bits.
#[derive(Clone, Copy, Debug)]
pub struct Steps(u8);

impl Iterator for Steps {
    type Item = Direction;

    fn next(&mut self) -> Option<Direction> {
        let direction = Direction::ALL.get(self.0.trailing_zeros() as usize).copied();
        self.0 &= self.0.wrapping_sub(1);
        direction
    }
}

impl GridMap {
    /// Reads a map: rows of `.` for free cells, `#` for obstacles, one `S` and one `G`. Rows are
    /// separated by line ends or by `/`.
    pub fn parse(text: &str) -> Result<GridMap, ProblemError> {
        let wrong = |reason: String| Err(ProblemError::Map(reason));
        let rows: Vec<&str> =
            text.split(['\n', '/']).map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut walls = Vec::new();
        let (mut start, mut goal) = (None, None);
        for (number, row) in rows.iter().enumerate() {
            if row.chars().count() != width {
                let (row, found) = (number + 1, row.chars().count());
                return wrong(format!(
                    "row {row} has {found} cells; expected {width}, as the first"
                ));
            }
            for (column, letter) in row.chars().enumerate() {
                let end = match letter {
                    'S' => &mut start,
                    'G' => &mut goal,
                    '.' | '#' => &mut None,
                    other => {
                        let (row, column) = (number + 1, column + 1);
                        return wrong(format!(
                            "`{other}` in row {row}, column {column}; expected . # S or G"
                        ));
                    }
                };
                if let Some(_twice) = end.replace(walls.len()) {
                    return wrong(format!("two cells with {letter}; expected one"));
                }
                walls.push(letter == '#');
            }
        }
        if walls.len() > MOST_CELLS {
            return wrong(format!("{} cells; expected at most {MOST_CELLS}", walls.len()));
        }
        let (Some(start), Some(goal)) = (start, goal) else {
            return wrong("expected one S, where the way begins, and one G, where it ends".into());
        };
        let map = GridMap { width, walls, start, goal };
        match map.reaches_goal() {
            true => Ok(map),
            false => Err(ProblemError::Unsolvable("no way leads from S to G".into())),
        }
    }

    /// A map by chance: each cell is an obstacle with `percent` in a hundred, and a way exists. The
    /// start is in the first cell and the goal in the last.
    pub fn random(
        width: usize,
        height: usize,
        percent: u64,
        seed: u64,
    ) -> Result<GridMap, ProblemError> {
        let cells = width.saturating_mul(height);
        if !(2..=MOST_CELLS).contains(&cells) {
            let reason = format!("{width}x{height}; expected 2 to {MOST_CELLS} cells");
            return Err(ProblemError::Map(reason));
        }
        for attempt in 0..ATTEMPTS {
            let seed = mix(seed, attempt);
            let mut walls: Vec<bool> =
                (0..cells as u64).map(|cell| mix(seed, cell) % 100 < percent).collect();
            (walls[0], walls[cells - 1]) = (false, false);
            let map = GridMap { width, walls, start: 0, goal: cells - 1 };
            if map.reaches_goal() {
                return Ok(map);
            }
        }
        let reason = format!(
            "of {ATTEMPTS} maps with {percent} % obstacles none has a way; expected fewer obstacles"
        );
        Err(ProblemError::Map(reason))
    }

    fn neighbour(&self, cell: usize, direction: Direction) -> Option<usize> {
        let column = cell % self.width;
        let to = match direction {
            Direction::North => cell.checked_sub(self.width),
            Direction::West => (column > 0).then(|| cell - 1),
            Direction::East => (column + 1 < self.width).then_some(cell + 1),
            Direction::South => Some(cell + self.width).filter(|to| *to < self.walls.len()),
        };
        to.filter(|to| !self.walls[*to])
    }

    fn reaches_goal(&self) -> bool {
        let mut seen = self.walls.clone();
        let mut found = vec![self.start];
        seen[self.start] = true;
        while let Some(cell) = found.pop() {
            for to in Direction::ALL.into_iter().filter_map(|way| self.neighbour(cell, way)) {
                if !std::mem::replace(&mut seen[to], true) {
                    found.push(to);
                }
            }
        }
        seen[self.goal]
    }

    fn letter(&self, cell: usize) -> char {
        match cell {
            cell if cell == self.start => 'S',
            cell if cell == self.goal => 'G',
            cell if self.walls[cell] => '#',
            _ => '.',
        }
    }

    fn rows(&self, letter: impl Fn(usize) -> char) -> Vec<String> {
        let cells: Vec<usize> = (0..self.walls.len()).collect();
        cells.chunks(self.width).map(|row| row.iter().map(|cell| letter(*cell)).collect()).collect()
    }

    /// The map with a way drawn by stars.
    pub fn picture(&self, way: &[Direction]) -> String {
        let mut on_way = vec![false; self.walls.len()];
        let mut at = self.start;
        for &direction in way {
            at = self.neighbour(at, direction).unwrap_or(at);
            on_way[at] = true;
        }
        let letter = |cell: usize| match self.letter(cell) {
            '.' if on_way[cell] => '*',
            letter => letter,
        };
        self.rows(letter).join("\n") + "\n"
    }
}

/// The map on one line, as [`GridMap::parse`] reads it.
impl fmt::Display for GridMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rows(|cell| self.letter(cell)).join("/"))
    }
}

impl StateSpace for GridMap {
    type State = GridState;
    type Action = Direction;
    type Actions = Steps;

    fn start(&self) -> GridState {
        self.start as GridState
    }

    fn is_goal(&self, &cell: &GridState) -> bool {
        cell as usize == self.goal
    }

    fn heuristic(&self, &cell: &GridState) -> Cost {
        let cell = cell as usize;
        let rows = (cell / self.width).abs_diff(self.goal / self.width);
        let columns = (cell % self.width).abs_diff(self.goal % self.width);
        (rows + columns) as Cost
    }

    fn actions(&self, &cell: &GridState, last: Option<Direction>) -> Steps {
        let back = last.map(Direction::opposite);
        let ways = Direction::ALL.into_iter().filter(|way| Some(*way) != back);
        let open = ways.filter(|way| self.neighbour(cell as usize, *way).is_some());
        Steps(open.fold(0, |set, way| set | 1 << way as u8))
    }

    fn successor(&self, &cell: &GridState, direction: Direction) -> (GridState, Cost) {
        let to = self.neighbour(cell as usize, direction).unwrap_or(cell as usize);
        (to as GridState, 1)
    }

    fn key(&self, &cell: &GridState) -> u64 {
        cell.into()
    }

    /// Every way between two cells has the same parity.
    fn cost_step(&self) -> Cost {
        2
    }
}
