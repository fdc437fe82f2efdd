//! The beginning of a visit of a node, for all searches that go depth first.

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::Window;

use super::Search;
use crate::mode::Mode;
use crate::node::{BegunVisit, SearchNode, Siblings};

impl<T: GameTree, M: Mode> Search<'_, T, M> {
    /// The beginning of a [visit](Search::visit), for searches that keep a stack of their own;
    /// `siblings` is empty, and filled if the node is to be searched.
    #[inline(always)]
    pub(crate) fn begin_visit(
        &mut self,
        at: &SearchNode<T, M>,
        window: Window,
        siblings: &mut Siblings<T, M>,
    ) -> Result<BegunVisit, Stop> {
        let recalled = self.recall(at);
        let known = recalled.bounds;
        if let Some(value) = self.answer(at, known, window)? {
            return Ok(BegunVisit::Answered(value));
        }
        if !self.expand_into(at, recalled.best, siblings)? {
            let (value, bounds) = self.leaf_within(at, window, known)?;
            return Ok(BegunVisit::Leaf(value, bounds));
        }
        if let Some(value) = self.answer_from_children(at, siblings, window.beta)? {
            return Ok(BegunVisit::Answered(value));
        }
        let clipped = Window::new(window.alpha.max(known.lower), window.beta.min(known.upper));
        Ok(BegunVisit::Interior(recalled, clipped))
    }
}
