//! What a leaf is worth: its evaluation, and what the factors of an experiment make of it.

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, LEAST_MATE, Value, Window, mate_from_node, mate_from_root};

use super::{Search, for_max};
use crate::factors::TableLeaves;
use crate::mode::Mode;
use crate::node::SearchNode;
use crate::table::NO_MOVE;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Search<'_, T, M> {
    /// What the leaf `at` is worth to its mover.
    #[inline(always)]
    pub fn leaf(&mut self, at: &SearchNode<T, M>) -> Result<Value, Stop> {
        self.evaluate(at, Window::FULL)
    }

    /// What the leaf `at` is worth to its mover if that is inside the window, else a bound on it.
    #[inline(always)]
    fn evaluate(&mut self, at: &SearchNode<T, M>, window: Window) -> Result<Value, Stop> {
        let Search { mode, tally, .. } = self;
        tally.count_evaluation(|| mode.bytes())?;
        // Bare searches have neither a grain nor a window.
        let grain = if M::RICH { self.spec.factors().grain } else { 1 };
        let told = if M::RICH { self.window_at(at, window) } else { Window::FULL };
        let mut value = self.tree.quiesce(&at.node, told, &mut self.tally.quiescence);
        if M::RICH && grain > 1 && !(T::MATES && value.abs() >= LEAST_MATE) {
            value = self.spec.factors().rounded(value);
        }
        if T::MATES {
            value = mate_from_root(value, at.ply);
        }
        self.mode.leaf(at.tag, for_max(at.ply, value));
        Ok(value)
    }

    /// What an interior node is worth at first sight to its mover, for an algorithm that grows its tree
    /// by such judgements. It counts as an evaluation, but not as a leaf.
    pub(crate) fn judge(&mut self, at: &SearchNode<T, M>) -> Result<Value, Stop> {
        let Search { mode, tally, .. } = self;
        tally.count_evaluation(|| mode.bytes())?;
        let mut value = self.tree.quiesce(&at.node, Window::FULL, &mut self.tally.quiescence);
        if self.spec.factors().grain > 1 && !(T::MATES && value.abs() >= LEAST_MATE) {
            value = self.spec.factors().rounded(value);
        }
        if T::MATES {
            value = mate_from_root(value, at.ply);
        }
        self.emit(at, || Event::Judged { value: for_max(at.ply, value) });
        Ok(value)
    }

    /// The same for an algorithm that has not asked the memory before: other moves may have led to
    /// the leaf already.
    #[inline(always)]
    pub(crate) fn leaf_once(&mut self, at: &SearchNode<T, M>) -> Result<Value, Stop> {
        if !self.mode.has_table() {
            return self.leaf(at);
        }
        if let Some(value) = self.leaf_from_table(at)? {
            return Ok(value);
        }
        let value = self.leaf(at)?;
        self.remember_leaf(at, Bounds::exact(value));
        Ok(value)
    }

    /// What the table says that the leaf `at` is worth to its mover, if it knows.
    #[inline(always)]
    pub(crate) fn leaf_from_table(&mut self, at: &SearchNode<T, M>) -> Result<Option<Value>, Stop> {
        let known = self.recall(at).bounds;
        self.answer(at, known, Window::FULL)
    }

    /// The value of the leaf `at`, or a bound on it if the quiescence search is told the window, and what
    /// is to be remembered, with what was `known`.
    #[inline(always)]
    pub(super) fn leaf_within(
        &mut self,
        at: &SearchNode<T, M>,
        window: Window,
        known: Bounds,
    ) -> Result<(Value, Bounds), Stop> {
        if !M::RICH || !self.spec.has_leaf_bounds() {
            let value = self.leaf(at)?;
            return Ok((value, Bounds::exact(value)));
        }
        let value = self.evaluate(at, window)?;
        let bounds = Bounds {
            lower: if value > window.alpha { value } else { known.lower },
            upper: if value < window.beta { value } else { known.upper },
        };
        Ok((value, bounds))
    }

    /// Remembers a leaf, unless leaves stay out of the table.
    #[inline(always)]
    pub(crate) fn remember_leaf(&mut self, at: &SearchNode<T, M>, bounds: Bounds) {
        if M::RICH
            && self.spec.factors().table_leaves == TableLeaves::Evaluated
            && self.mode.has_table()
        {
            return;
        }
        self.remember(at, bounds, NO_MOVE);
    }

    /// A window as the quiescence search at the leaf `at` is told it: wider by the grain, because values
    /// are rounded afterwards, and with mates as seen from the leaf.
    #[inline]
    fn window_at(&self, at: &SearchNode<T, M>, window: Window) -> Window {
        if window == Window::FULL {
            return window;
        }
        let wider = (self.spec.factors().grain - 1) as Value;
        let told = Window::new(window.alpha - wider, window.beta + wider);
        match T::MATES {
            true => {
                Window::new(mate_from_node(told.alpha, at.ply), mate_from_node(told.beta, at.ply))
            }
            false => told,
        }
    }
}
