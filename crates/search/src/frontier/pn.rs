//! Proof-number search: is the value at least v?
//!
//! The numbers and the most-proving node are in [`proof_numbers`](super::proof_numbers). The whole tree
//! is stored, a path at a time: two ways to one position are two nodes, which is sound, and a horizon
//! ends every path, so nothing can go round in a circle.

use super::growth::{GrownTree, Growth, ROOT};
use super::proof_numbers::ProofTree;
use super::questions::{Answer, find_value};
use crate::prelude::*;
use crate::trace::Event;

/// Allis's proof-number search on a stored tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pn;

impl SearchAlgorithm for Pn {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pn",
        usage: "pn",
        name: "PN",
        about: "proof-number search: expands the node that most helps to answer value ≥ v",
        paper: "Allis, van der Meulen and van den Herik 1994",
        examples: &["pn"],
        proves: Proves::Goal,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Pn, String> {
        Ok(Pn)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        answer_questions(&mut GrownTree::new(search, root), &mut prove)
    }
}

/// A search that answers one question in a tree of the root alone. It leaves behind the child of the root
/// that makes the answer, or seems nearest to it when a limit stops the search.
pub(crate) type Prover<'a> =
    &'a mut dyn FnMut(&mut dyn Growth, Value, &mut Option<usize>) -> Result<Answer, Stop>;

/// Answers the question of the spec, or questions in a row until the value is known.
pub(crate) fn answer_questions(
    growth: &mut dyn Growth,
    prove: Prover<'_>,
) -> Result<Option<Value>, Stop> {
    let range = growth.range();
    // The last yes names the move: what a no leaves behind is a guess.
    let (mut asked, mut yes) = (false, false);
    let mut ask = |growth: &mut dyn Growth, least: Value| {
        growth.truncate(ROOT + 1);
        growth.emit(ROOT, Event::Question { at_least: least });
        asked = true;
        let mut best = None;
        let answer = prove(growth, least, &mut best);
        if let Some(best) = best
            && (!yes || answer.is_ok_and(|answer| answer.yes))
        {
            growth.choose(best);
        }
        let answer = answer?;
        yes |= answer.yes;
        growth.know(answer.bounds(range));
        Ok(answer)
    };
    if let Some(least) = growth.at_least() {
        ask(growth, least)?;
        return Ok(None);
    }
    let expected = growth.expected();
    let value = find_value(range, expected, |least| ask(growth, least))?;
    // Where no answer was yes the value is the least there is, and any move has it. Where all values are
    // the same there was no question.
    if !yes {
        growth.truncate(ROOT + 1);
        if growth.expand(ROOT)?.is_some() {
            growth.choose(ROOT + 1);
        } else if !asked {
            growth.leaf(ROOT)?;
        }
    }
    Ok(Some(value))
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
        growth.emit(node, Event::Chosen { why: "most proving" });
        if let Err(stop) = tree.expand(growth, node).and_then(|()| growth.holds(tree.bytes())) {
            *best = tree.best_child(growth, ROOT);
            return Err(stop);
        }
        from = tree.update(growth, node);
    }
}
