//! B* (Berliner 1979): proves which move is best, and no more.
//!
//! Every node has an interval ([`intervals`](super::intervals)). As long as the best move is not proved,
//! one of two strategies takes a step. ProveBest expands below the child of the root with the highest
//! optimistic value, to raise its pessimistic value. DisproveRest expands below the best of the others, to
//! lower its optimistic value. Berliner's criterion chooses: DisproveRest if the squared depths from which
//! the optimistic values of the rivals come are together less than the best child's own.
//!
//! If every interval holds the true value, the proof is right whatever their widths.

use super::growth::{GrownTree, Growth, ROOT};
use super::intervals::{IntervalTree, Oracle, shallow};
use crate::prelude::*;
use crate::trace::Event;

/// Berliner's B*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BStar;

impl SearchAlgorithm for BStar {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "b-star",
        usage: "b-star",
        name: "B*",
        about: "proves the best move by optimistic and pessimistic values",
        paper: "Berliner 1979",
        examples: &["b-star"],
        proves: Proves::Move,
        trusts_evaluations: true,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<BStar, String> {
        Ok(BStar)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut tree = IntervalTree::new(growth, 0);
        let ended = prove(growth, &mut tree, &mut shallow);
        let value = tree.report(growth, tree.proved_best().or_else(|| tree.most_optimistic()));
        ended.map(|()| value)
    }
}

/// Expands until the best move is proved.
fn prove(growth: &mut dyn Growth, tree: &mut IntervalTree, oracle: Oracle<'_>) -> Result<(), Stop> {
    tree.expand(growth, ROOT, oracle)?;
    while tree.proved_best().is_none() {
        let Some((child, why)) = strategy(tree) else { return Ok(()) };
        let leaf = tree.leaf_below(growth, child);
        growth.emit(leaf, Event::Chosen { why });
        tree.expand(growth, leaf, oracle)?;
    }
    Ok(())
}

/// The child of the root to work on, and what for; `None` if the root has no children.
fn strategy(tree: &IntervalTree) -> Option<(usize, &'static str)> {
    let best = tree.most_optimistic()?;
    let least = tree.interval(best).lower;
    let rivals = || {
        let others = tree.nodes[ROOT].children.clone().filter(move |&child| child != best);
        others.filter(move |&child| tree.interval(child).upper > least)
    };
    let squared = |child: usize| u64::from(tree.nodes[child].depth).pow(2);
    // A rival that is exact cannot be lowered.
    let open = rivals().filter(|&child| !tree.is_exact(child));
    let rival =
        open.reduce(|a, b| if tree.interval(b).upper > tree.interval(a).upper { b } else { a });
    let effort: u64 = rivals().map(squared).sum();
    match rival {
        Some(rival) if tree.is_exact(best) || effort < squared(best) => {
            Some((rival, "DisproveRest"))
        }
        _ => Some((best, "ProveBest")),
    }
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::{Synthetic, TreeOrdering, mix};

    use super::*;
    use crate::memory::Memory;
    use crate::memory_functions::MemoryFunctions;
    use crate::order::MoveOrder;
    use crate::paths::Paths;
    use crate::rich::Rich;
    use crate::spec::SearchSpec;

    /// Interior nodes of these trees know their own minimax value: intervals around it hold it.
    #[test]
    fn on_intervals_that_hold_the_value_the_best_move_is_always_proved() {
        let mut early = 0;
        for seed in 0..2_000 {
            let (width, depth) = (2 + seed as usize % 4, 2 + seed as usize / 4 % 4);
            let ordering = TreeOrdering::Probable { order: 1, probability: 0.5 };
            let root = (mix(seed, 1) % 50) as Value;
            let tree = Synthetic::ordered(width, depth, 50, root, seed, ordering).unwrap();
            let spec = SearchSpec::new(&BStar.into(), depth as u32);
            let order = MoveOrder::new(MemoryFunctions::empty(), false, Synthetic::HISTORY_SIZE);
            let rich = Rich::new(Memory::None, order, Paths::Off, None);
            let mut search = Search::new(&tree, &spec, rich);
            let at = search.root();
            let growth = &mut GrownTree::new(&mut search, &at);
            let mut intervals = IntervalTree::new(growth, 0);
            let most = 1 + (seed % 30) as Value;
            let mut oracle = |growth: &mut dyn Growth, node: usize| {
                let value = growth.judge(node)?;
                let word = mix(seed, node as u64);
                let (below, above) = (word as Value & 0xFFFF, (word >> 16) as Value & 0xFFFF);
                Ok(Bounds { lower: value - below % most, upper: value + above % most })
            };
            prove(growth, &mut intervals, &mut oracle).unwrap();
            let best = intervals.proved_best().expect("a proof");
            assert_eq!(growth.judge(best), Ok(root), "seed {seed}: the move has the value");
            early += usize::from(!intervals.is_exact(ROOT));
        }
        assert!(early > 500, "{early}: the value need not be known");
    }
}
