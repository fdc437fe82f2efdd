//! Additive pattern databases (Korf and Felner 2002): 6-6-3 for the 15-puzzle.
//!
//! A pattern is a group of tiles. For every way in which its tiles can lie, a database has the least
//! number of moves *of these tiles* that bring them to their places, whatever the others do. A move moves
//! one tile, so the numbers of groups without a tile in common can be added, and the sum never
//! overestimates. The 15 tiles are divided into two groups of six and one of three.
//!
//! A database is found backwards from the tiles in order, by the number of moves of the group. The other
//! tiles are all alike, so what matters besides the placement of the group is the part of the board where
//! the blank can go without moving a tile of the group. For each placement that part is a set of cells, 16
//! bits, which is filled by a few shifts: a search over 5.8 million placements in place of 58 million
//! pairs of a placement and a blank.
//!
//! What a database forgets is where the blank is. So the sum is admissible, but not consistent: a move may
//! lower it by more than 1, and A\* must open states again.
//!
//! A placement is its own index: four bits for each tile's cell. Two thirds of such a table are never
//! used, but an index costs two instructions.

use plyground_core::space::Cost;

use super::{PackedBoard, Shape, Slide, TileHeuristic};

/// The most groups.
const GROUPS: usize = 3;

/// What a database says of a placement that cannot be.
const IMPOSSIBLE: u8 = u8::MAX;

/// The databases of one shape of board.
#[derive(Debug)]
pub struct PatternDatabases {
    shape: Shape,
    groups: Vec<Vec<u8>>,
    /// Where the cell of each tile stands in a placement of all tiles.
    lanes: [TileLane; 16],
    databases: [Database; GROUPS],
}

#[derive(Clone, Copy, Debug, Default)]
struct TileLane {
    shift: u8,
    group: u8,
}

/// The database of one group.
#[derive(Debug)]
struct Database {
    shift: u8,
    mask: u64,
    moves: Vec<u8>,
}

/// What a state keeps for pattern databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternSum {
    /// The cell of each tile, group by group, four bits each.
    placement: u64,
    moves: [u8; GROUPS],
}

/// The groups of tiles of a shape: 6-6-3 as Korf and Felner divide the 15-puzzle, else by number, at most
/// six in a group. `None` if the board is too large.
pub(super) fn groups(shape: Shape) -> Option<Vec<Vec<u8>>> {
    if shape == Shape::FIFTEEN {
        // Theirs, turned by half: in their order the blank is the last.
        return Some(vec![vec![1, 2, 4, 5, 8, 9], vec![3, 6, 7, 10, 11, 15], vec![12, 13, 14]]);
    }
    let tiles: Vec<u8> = (1..shape.cells() as u8).collect();
    let size = tiles.len().div_ceil(tiles.len().div_ceil(6));
    (shape.cells() <= 16).then(|| tiles.chunks(size).map(<[u8]>::to_vec).collect())
}

impl PatternDatabases {
    /// Builds the databases of a shape of at most 16 cells. For the 15-puzzle this takes some seconds.
    pub fn build(shape: Shape) -> Option<PatternDatabases> {
        let databases = groups(shape)?.iter().map(|group| build(shape, group)).collect();
        PatternDatabases::of(shape, databases)
    }

    /// The databases of a shape with these tables; `None` if they are not of the right size.
    pub(super) fn of(shape: Shape, tables: Vec<Vec<u8>>) -> Option<PatternDatabases> {
        let groups = groups(shape)?;
        let fits = |(group, table): (&Vec<u8>, &Vec<u8>)| table.len() == 1 << (4 * group.len());
        if groups.len() != tables.len() || !groups.iter().zip(&tables).all(fits) {
            return None;
        }
        let mut lanes = [TileLane::default(); 16];
        // A group that is not there has one placement, of no moves.
        let mut databases: [Database; GROUPS] =
            std::array::from_fn(|_| Database { shift: 0, mask: 0, moves: vec![0] });
        let mut shift = 0;
        for (number, (group, moves)) in groups.iter().zip(tables).enumerate() {
            databases[number] = Database { shift, mask: moves.len() as u64 - 1, moves };
            for &tile in group {
                lanes[usize::from(tile)] = TileLane { shift, group: number as u8 };
                shift += 4;
            }
        }
        Some(PatternDatabases { shape, groups, lanes, databases })
    }

    /// The shape of board that they are for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The groups of tiles.
    pub fn groups(&self) -> &[Vec<u8>] {
        &self.groups
    }

    /// The tables, group by group.
    pub(super) fn tables(&self) -> impl Iterator<Item = &[u8]> {
        self.databases[..self.groups.len()].iter().map(|database| database.moves.as_slice())
    }

    #[inline(always)]
    fn moves(&self, placement: u64, group: usize) -> u8 {
        let Database { shift, mask, moves } = &self.databases[group];
        moves[(placement >> shift & mask) as usize]
    }
}

/// The least number of moves of a group's tiles, by placement.
fn build(shape: Shape, group: &[u8]) -> Vec<u8> {
    let cells = shape.cells();
    let size = 1 << (4 * group.len());
    let neighbours: Vec<u16> = (0..cells)
        .map(|cell| {
            (0..4).filter_map(|d| shape.neighbour(cell, d)).fold(0, |set, to| set | 1 << to)
        })
        .collect();
    let column = |column: usize| {
        (0..cells).filter(|cell| cell % shape.width() == column).fold(0u16, |set, c| set | 1 << c)
    };
    let (first_column, last_column) = (column(0), column(shape.width() - 1));
    let board = ((1u32 << cells) - 1) as u16;
    let mut moves = vec![IMPOSSIBLE; size];
    // For each placement: the blank's cells that were reached, now and before.
    let mut reached = vec![0u16; size];
    let mut pending = [vec![0u16; size], vec![0u16; size]];
    let home = group.iter().rev().fold(0, |at, tile| at << 4 | u32::from(*tile));
    let mut current = vec![home];
    pending[0][home as usize] = 1;
    for count in 0.. {
        if current.is_empty() {
            break;
        }
        let [now, later] = &mut pending;
        let mut next = Vec::new();
        for &placement in &current {
            let index = placement as usize;
            let tiles = (0..group.len()).map(|tile| placement >> (4 * tile) & 15);
            let free = board & !tiles.clone().fold(0u16, |set, cell| set | 1 << cell);
            let mut blank = std::mem::take(&mut now[index]);
            loop {
                let sideways = (blank << 1 & !first_column) | (blank >> 1 & !last_column);
                // A row may be as wide as the word.
                let wide = u32::from(blank);
                let upright = (wide << shape.width() | wide >> shape.width()) as u16;
                let wider = (blank | sideways | upright) & free;
                if wider == blank {
                    break;
                }
                blank = wider;
            }
            blank &= !reached[index];
            if blank == 0 {
                continue;
            }
            reached[index] |= blank;
            moves[index] = moves[index].min(count);
            for (tile, cell) in tiles.enumerate() {
                let mut to = neighbours[cell as usize] & blank;
                while to != 0 {
                    let target = to.trailing_zeros();
                    to &= to - 1;
                    let moved = placement ^ (cell ^ target) << (4 * tile);
                    let after = &mut later[moved as usize];
                    if reached[moved as usize] & 1 << cell == 0 {
                        if *after == 0 {
                            next.push(moved);
                        }
                        *after |= 1 << cell;
                    }
                }
            }
        }
        current = next;
        pending.swap(0, 1);
    }
    moves
}

impl TileHeuristic<PackedBoard> for &PatternDatabases {
    type Estimate = PatternSum;

    fn of(&self, tiles: &[u8]) -> PatternSum {
        let placed = tiles.iter().enumerate().filter(|(_, tile)| **tile != 0);
        let placement = placed.fold(0, |placement, (cell, tile)| {
            placement | (cell as u64) << self.lanes[usize::from(*tile)].shift
        });
        PatternSum { placement, moves: std::array::from_fn(|group| self.moves(placement, group)) }
    }

    /// Only the group of the tile that slides is looked up.
    #[inline(always)]
    fn slid(
        &self,
        estimate: &PatternSum,
        _: (&PackedBoard, &PackedBoard),
        tile: u8,
        slide: Slide,
        to: u8,
    ) -> PatternSum {
        let TileLane { shift, group } = self.lanes[(tile & 15) as usize];
        let placement = estimate.placement ^ u64::from(slide.to() ^ to) << shift;
        let mut moves = estimate.moves;
        moves[group as usize] = self.moves(placement, group.into());
        PatternSum { placement, moves }
    }

    #[inline(always)]
    fn value(&self, estimate: &PatternSum) -> Cost {
        estimate.moves.iter().map(|moves| Cost::from(*moves)).sum()
    }
}
