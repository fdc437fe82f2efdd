//! Every state of a small puzzle and its distance from the goal, by breadth-first search: what all other
//! searches are held against.

use std::collections::HashSet;

use plyground_core::space::Cost;

use super::{Shape, Tiles};
use crate::error::ProblemError;

/// The most cells of a rectangle whose states are listed: 10 cells have 1,814,400.
const MOST_CELLS: usize = 10;

/// All tiles of this shape that can be brought into order, with the slides that takes, the nearest first.
///
/// ```
/// use plyground_puzzles::sliding::{Shape, all_states};
/// let states = all_states(Shape::new(3, 2)?)?;
/// assert_eq!((states.len(), states[359].1), (360, 21));
/// # Ok::<(), plyground_puzzles::ProblemError>(())
/// ```
pub fn all_states(shape: Shape) -> Result<Vec<(Tiles, Cost)>, ProblemError> {
    if shape.cells() > MOST_CELLS && !shape.is_line() {
        return Err(ProblemError::TooManyStates { most: MOST_CELLS });
    }
    let goal = Tiles::in_order(shape);
    let mut seen = HashSet::from([goal.numbers().to_vec()]);
    let mut all = vec![(goal, 0)];
    let mut next = 0;
    while let Some((tiles, distance)) = all.get(next).cloned() {
        for tile in tiles.movable() {
            let mut after = tiles.clone();
            after.slide(tile);
            if seen.insert(after.numbers().to_vec()) {
                all.push((after, distance + 1));
            }
        }
        next += 1;
    }
    Ok(all)
}
