//! What a position is worth where the search does not look further.

use super::state::PlaySearch;
use plyground_core::tree::PlayTree;
use plyground_core::value::{Value, Window, mate_from_node, mate_from_root};

impl<T: PlayTree> PlaySearch<'_, T> {
    /// The value of a position at the horizon, after quiescence search.
    pub(super) fn quiesce(&mut self, node: &T::Node, window: Window, ply: usize) -> Value {
        if !self.switches.quiescence {
            return self.evaluate(node, ply);
        }
        if !T::MATES {
            return self.tree.quiesce_in_play(node, window, &mut self.nodes);
        }
        let at = ply as u32;
        let window = Window::new(mate_from_node(window.alpha, at), mate_from_node(window.beta, at));
        mate_from_root(self.tree.quiesce_in_play(node, window, &mut self.nodes), at)
    }

    /// The result of a finished game, or the evaluation of any other position.
    pub(super) fn evaluate(&self, node: &T::Node, ply: usize) -> Value {
        let value = self.tree.evaluate(node);
        if T::MATES { mate_from_root(value, ply as u32) } else { value }
    }
}
