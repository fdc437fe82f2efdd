//! The principal variation, found from the value alone.
//!
//! Not every algorithm here keeps the moves that its value rests on: OPEN has merits, the memory
//! test has bounds. But the value is enough: at each node some move keeps it, and a search with a
//! window of that one value finds the move. So the variation is the same whichever algorithm found
//! the value, and it adds nothing to the counts of that search.

use crate::algorithms::AlphaBeta;
use crate::context::Search;
use crate::depth_first::alpha_beta;
use crate::keep::Nothing;
use crate::mode::Bare;
use crate::spec::SearchSpec;
use plyground_core::limits::Limits;
use plyground_core::tree::GameTree;
use plyground_core::value::{Value, Window};

/// Best play of both sides from the root to the horizon, given the root's exact `value` and, if it
/// is known, a `first` move that keeps it. The variation ends early if a limit stops the search for
/// it.
pub fn principal_variation<T: GameTree>(
    tree: &T,
    depth: u32,
    value: Value,
    first: Option<T::Move>,
    limits: &Limits,
) -> Vec<T::Move> {
    let spec = SearchSpec::new(&AlphaBeta.into(), depth).within(limits.clone());
    let mut search = Search::new(tree, &spec, Bare(Nothing));
    let mut variation = Vec::new();
    let mut at = search.root();
    let mut value = value;
    'plies: while let Some(children) = search.generate(&at) {
        let known = first.filter(|_| at.ply == 0);
        for number in 0..children.len() {
            let mv = children.mv(number);
            let child = search.child(&at, &children, number);
            let keeps = match known {
                Some(first) => mv == first,
                None => {
                    let window = Window::new(value - 1, value + 1).flip();
                    match alpha_beta(&mut search, &child, window) {
                        Ok(merit) => -merit == value,
                        Err(_) => break 'plies,
                    }
                }
            };
            if keeps {
                variation.push(mv);
                (at, value) = (child, -value);
                continue 'plies;
            }
        }
        break;
    }
    variation
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::{Explicit, Synthetic};

    /// On trees with many ties the variation ends in a leaf of the tree's value.
    #[test]
    fn the_variation_ends_in_the_value() {
        for seed in 0..200 {
            let (width, depth) = (2 + seed as usize % 3, 2 + seed as usize % 4);
            let tree = Synthetic::independent(width, depth, 4, seed).unwrap();
            let spec = SearchSpec::new(&AlphaBeta.into(), depth as u32);
            let value = crate::search(&tree, &spec).unwrap().value.unwrap();
            let line = principal_variation(&tree, depth as u32, value, None, &Limits::default());
            assert_eq!(line.len(), depth);
            let leaf = line.iter().fold(tree.root(), |node, mv| tree.child(&node, *mv));
            let sign = if depth.is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * tree.evaluate(&leaf), value, "seed {seed}");
        }
    }

    #[test]
    fn the_variation_keeps_the_value() {
        let tree: Explicit = "((3 12 8) ((2 9) 4 6) (14 5 2))".parse().unwrap();
        let limits = Limits::default();
        assert_eq!(principal_variation(&tree, 3, 4, None, &limits), [1, 1]);
        assert_eq!(principal_variation(&tree, 3, 4, Some(1), &limits), [1, 1]);
        assert_eq!(
            principal_variation(&"7".parse::<Explicit>().unwrap(), 0, 7, None, &limits),
            [0; 0]
        );
        // The first child of the root may be worth no more than 4, but is worth less.
        let tree: Explicit = "((4 3) (4 4))".parse().unwrap();
        assert_eq!(principal_variation(&tree, 2, 4, None, &limits), [1, 0]);
        let tree: Explicit = "((3 12 8) ((2 9) 4 6) (14 5 2))".parse().unwrap();
        let stopped = Limits { leaves: Some(0), ..Limits::default() };
        assert_eq!(principal_variation(&tree, 3, 4, Some(1), &stopped), [1]);
    }
}
