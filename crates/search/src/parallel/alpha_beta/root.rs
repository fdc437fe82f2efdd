//! What a processor does at the root: it begins there, and makes the next call when one has returned.

use super::Shared;
use super::frame::{Entry, Extent, Frame};
use super::policy::NodeKind;
use super::root_calls::RootCalls;
use super::walker::{Action, Walker};
use crate::memory::Recalled;
use crate::prelude::*;

impl<T: GameTree, M: Mode> Walker<T, M> {
    /// There is no node: begin with the root, or help.
    pub(super) fn begin(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        if self.finished {
            return Ok(Action::Idle);
        }
        if let Some(calls) = self.calls {
            return self.call_root(search, shared, &calls);
        }
        if self.number == 0
            && let Some(calls) = shared.first_call()
        {
            return self.call_root(search, shared, &calls);
        }
        self.look_for_work(search, shared)
    }

    /// Makes the next call of the root.
    fn call_root(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        calls: &RootCalls,
    ) -> Result<Action, Stop> {
        let window = calls.window;
        if calls.is_driven() {
            search.pass(window);
        }
        let root = self.root.clone();
        let (kind, left, extent) = (NodeKind::Pv, true, Extent::Whole);
        if !shared.memory_answers_for_root() {
            // The best move would be missing.
            let best = search.recall(&root).best;
            let mut frame = Frame::new(root, kind, left);
            if search.expand_into(&frame.node, best, &mut frame.siblings)? {
                frame.recalled = Recalled { bounds: Bounds::UNKNOWN, best };
                frame.window = window;
                search.enter(&frame.node, window);
                self.stack.frames.push(frame);
                return Ok(Action::Continue);
            }
            return self.enter(search, shared, frame.node, Entry { window, kind, left, extent });
        }
        let action = self.enter(search, shared, root, Entry { window, kind, left, extent })?;
        if let Action::Value(_) = action {
            // What the memory knows of the children may have named a move.
            shared.note_root(search, search.best);
        }
        Ok(action)
    }

    /// A call of the root has returned.
    pub(super) fn root_returned(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        value: Value,
    ) -> Result<Action, Stop> {
        let (calls, known) = match &mut self.calls {
            Some(calls) => {
                let known = calls.returned(value);
                (*calls, known)
            }
            None => shared.returned(value),
        };
        search.narrow_root(calls.known());
        if let Some(value) = known {
            shared.end(value, self.best.filter(|_| self.calls.is_some()));
            return Ok(Action::Ended);
        }
        if !calls.is_driven() {
            // The value is outside this processor's window, and inside another's.
            self.finished = true;
            return Ok(Action::Idle);
        }
        self.call_root(search, shared, &calls)
    }
}
