//! Alpha bounding (after Schaeffer 1986): the best move without its value.
//!
//! Every child of the root is tested against one bound. If a single child is worth the bound, it is
//! the best. If none is, the bound falls to the highest f⁺; if several are, it rises past the
//! second highest f⁻.

use super::root_children::prove_best;
use crate::prelude::*;

/// The best move, the only one above a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBounding {
    /// The first bound; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for AlphaBounding {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "alpha-bounding",
        usage: "alpha-bounding[:G]",
        name: "Alpha bounding",
        about: "the best move without its value: the only child above a bound, from a guess G",
        paper: "Schaeffer 1986",
        examples: &["alpha-bounding"],
        proves: Proves::Move,
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<AlphaBounding, String> {
        Ok(AlphaBounding { guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        guess_parameter(self.guess)
    }

    fn name(&self) -> String {
        match self.guess {
            None => Self::ENTRY.name.into(),
            Some(guess) => format!("Alpha bounding({guess})"),
        }
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let mut bound = search.guess(self.guess);
        prove_best(search, root, |children| {
            loop {
                for c in 0..children.len() {
                    let Bounds { lower, upper } = children.bounds(c);
                    if lower < bound && bound <= upper {
                        children.test(c, bound)?;
                    }
                    if let Some(best) = children.proved() {
                        return Ok(best);
                    }
                }
                bound = match children.second_lower() {
                    // Several are worth the bound.
                    Some(second) if second >= bound => second + 1,
                    _ => children.bounds(children.highest()).upper,
                };
            }
        })
    }
}
