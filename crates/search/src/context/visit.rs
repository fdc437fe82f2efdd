//! The beginning of a visit of a node, for all searches that go depth first.

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::{Value, Window};

use super::Search;
use crate::mode::Mode;
use crate::node::{BegunVisit, SearchNode, Siblings};

impl<T: GameTree, M: Mode> Search<'_, T, M> {
    /// What every depth-first algorithm does at a node. The memory may answer for it, or it may be
    /// a leaf. If neither, `interior` searches its children, within a window that is narrowed to
    /// what is already known, and the result is remembered.
    ///
    /// Inlined into the loop over the children, so that a leaf costs no call.
    #[inline(always)]
    pub fn visit(
        &mut self,
        at: &SearchNode<T, M>,
        window: Window,
        interior: impl FnOnce(
            &mut Self,
            &SearchNode<T, M>,
            &mut Siblings<T, M>,
            Window,
        ) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        let mut siblings = Siblings::none();
        let (recalled, clipped) = if M::RICH {
            match self.begin_visit_by_call(at, window, &mut siblings)? {
                BegunVisit::Answered(value) => return Ok(value),
                BegunVisit::Leaf(value, bounds) => {
                    self.remember_leaf(at, bounds);
                    return Ok(value);
                }
                BegunVisit::Interior(recalled, clipped) => (recalled, clipped),
            }
        } else {
            // The steps of `begin_visit`, without the answer in between: it costs a leaf a fifth of its
            // time.
            let recalled = self.recall(at);
            let known = recalled.bounds;
            if let Some(value) = self.answer(at, known, window)? {
                return Ok(value);
            }
            if !self.expand_into(at, recalled.best, &mut siblings)? {
                let (value, bounds) = self.leaf_within(at, window, known)?;
                self.remember_leaf(at, bounds);
                return Ok(value);
            }
            if let Some(value) = self.answer_from_children(at, &siblings, window.beta)? {
                return Ok(value);
            }
            (recalled, window.clipped(known))
        };
        let value = interior(self, at, &mut siblings, clipped)?;
        self.settle(at, &siblings, recalled, clipped, value);
        Ok(value)
    }

    /// The beginning of a [visit](Search::visit), for searches that keep a stack of their own;
    /// `siblings` is empty, and filled if the node is to be searched.
    #[inline(always)]
    pub(crate) fn begin_visit(
        &mut self,
        at: &SearchNode<T, M>,
        window: Window,
        siblings: &mut Siblings<T, M>,
    ) -> Result<BegunVisit, Stop> {
        if M::RICH {
            self.begin_visit_by_call(at, window, siblings)
        } else {
            self.begin_visit_here(at, window, siblings)
        }
    }

    /// The rich mode asks a memory at every node, beside which a call costs nothing: inlined into each of
    /// some twenty searches, its visit would be a tenth of all that they compile to.
    #[inline(never)]
    fn begin_visit_by_call(
        &mut self,
        at: &SearchNode<T, M>,
        window: Window,
        siblings: &mut Siblings<T, M>,
    ) -> Result<BegunVisit, Stop> {
        self.begin_visit_here(at, window, siblings)
    }

    #[inline(always)]
    fn begin_visit_here(
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
        Ok(BegunVisit::Interior(recalled, window.clipped(known)))
    }
}
