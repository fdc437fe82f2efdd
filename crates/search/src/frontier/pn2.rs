//! PN²: proof-number search whose leaves are evaluated by a second proof-number search (Allis 1994;
//! Breuker, Uiterwijk and van den Herik 2001).
//!
//! A stored tree fills the memory within seconds. So the most-proving node of the first tree is not
//! expanded by a single step but by a whole search below it, with a tree of its own of at most as many
//! nodes as the first tree has. Of that tree only the node's children are kept, with what was found of
//! them. Nodes are expanded again and again, and the memory lasts for the square of the work.

use super::growth::{GrownTree, Growth, ROOT};
use super::pn::answer_questions;
use super::proof_numbers::ProofTree;
use super::questions::Answer;
use crate::prelude::*;
use crate::trace::Event;

/// Proof-number search at two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pn2;

impl SearchAlgorithm for Pn2 {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pn2",
        usage: "pn2",
        name: "PN²",
        about: "proof-number search whose leaves are proof-number searches: less memory, more work",
        paper: "Allis 1994; Breuker, Uiterwijk and van den Herik 2001",
        examples: &["pn2"],
        proves: Proves::Goal,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Pn2, String> {
        Ok(Pn2)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        answer_questions(&mut GrownTree::new(search, root), &mut prove)
    }
}

/// Answers whether the root is worth at least `least`.
fn prove(growth: &mut dyn Growth, least: Value, best: &mut Option<usize>) -> Result<Answer, Stop> {
    let mut tree = ProofTree::new(growth, ROOT, least);
    let mut from = ROOT;
    loop {
        if let Some(answer) = tree.answer() {
            *best = tree.best_child(growth, ROOT);
            return Ok(answer);
        }
        let node = tree.most_proving(growth, from);
        growth.emit(node, Event::Chosen { why: "most proving, to be searched by itself" });
        if let Err(stop) = search_below(growth, &mut tree, node, least) {
            *best = tree.best_child(growth, ROOT);
            return Err(stop);
        }
        from = tree.update(growth, node);
    }
}

/// The second search, below `node`: as large as the first tree. Its children's numbers become the first
/// tree's.
fn search_below(
    growth: &mut dyn Growth,
    tree: &mut ProofTree,
    node: usize,
    least: Value,
) -> Result<(), Stop> {
    let (first, held) = (growth.len(), tree.bytes());
    // Two trees have figures of the same nodes.
    growth.expects(2 * ProofTree::BYTES_A_NODE);
    let mut inner = ProofTree::new(growth, node, least);
    let mut from = node;
    while inner.answer().is_none() && growth.len() <= 2 * first {
        let leaf = inner.most_proving(growth, from);
        inner.expand(growth, leaf)?;
        growth.holds(held + inner.bytes())?;
        from = inner.update(growth, leaf);
    }
    let children = inner.node(node).children.clone();
    growth.truncate(children.end.max(first));
    match inner.answer() {
        // A leaf, which has no children to be kept.
        Some(answer) if children.is_empty() => tree.settle(node, answer),
        _ => tree.graft(growth, node, &inner),
    }
    Ok(())
}
