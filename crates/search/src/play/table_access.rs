//! What the story of `node` leaves to others: the table, what is learnt, lines, limits.

use super::root::Break;
use super::{INTERVAL, Play};

use crate::table::Stored;
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, Value, Window, mate_from_node, mate_from_root};

use super::history::NO_SLOT;

impl<T: PlayTree> Play<'_, T> {
    /// The slot of the move `back` plies before the node at `ply`.
    pub(super) fn slot_before(&self, ply: usize, back: usize) -> usize {
        ply.checked_sub(back).map_or(NO_SLOT, |at| self.frames[at].slot)
    }

    /// The line from `ply` on is `mv` and the line after it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: T::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(below)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(below);
        }
    }

    /// A quiet move cut off: it gains, and those tried before it lose.
    pub(super) fn learn(
        &mut self,
        ply: usize,
        depth: i32,
        before: [usize; 2],
        slot: usize,
        code: u16,
        tried: &[usize],
    ) {
        let change = (12 * depth * depth + 60 * depth).min(1_500);
        self.learnt.learn(ply, before, slot, change);
        for &other in tried {
            self.learnt.learn(ply, before, other, -change);
        }
        self.learnt.set_counter(ply, before[0], code);
        let killers = &mut self.frames[ply].killers;
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// The value after the captures.
    pub(super) fn quiesce(&mut self, node: &T::Node, window: Window, ply: usize) -> Value {
        if !self.switches.quiescence {
            return self.ends(node, ply);
        }
        if !T::MATES {
            return self.tree.quiesce_in_play(node, window, &mut self.nodes);
        }
        let at = ply as u32;
        let window = Window::new(mate_from_node(window.alpha, at), mate_from_node(window.beta, at));
        mate_from_root(self.tree.quiesce_in_play(node, window, &mut self.nodes), at)
    }

    /// The value of a finished game, or of any other at first sight.
    pub(super) fn ends(&self, node: &T::Node, ply: usize) -> Value {
        let value = self.tree.evaluate(node);
        if T::MATES { mate_from_root(value, ply as u32) } else { value }
    }

    /// What the table holds, as seen from the root.
    pub(super) fn recall(&self, key: u64, ply: usize) -> Option<Stored> {
        if !self.switches.table {
            return None;
        }
        let mut stored = self.table.get(key)?;
        if T::MATES {
            stored.bounds.lower = mate_from_root(stored.bounds.lower, ply as u32);
            stored.bounds.upper = mate_from_root(stored.bounds.upper, ply as u32);
        }
        Some(stored)
    }

    /// Stores what a search with this window has shown, beside what was known at the same depth.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn remember(
        &self,
        key: u64,
        depth: i32,
        value: Value,
        (alpha, beta): (Value, Value),
        known: Bounds,
        best: u16,
        ply: usize,
    ) {
        if !self.switches.table {
            return;
        }
        let mut bounds = Bounds {
            lower: if value > alpha { value } else { known.lower.min(value) },
            upper: if value < beta { value } else { known.upper.max(value) },
        };
        if T::MATES {
            bounds.lower = mate_from_node(bounds.lower, ply as u32);
            bounds.upper = mate_from_node(bounds.upper, ply as u32);
        }
        let height = depth.clamp(0, 255) as u8;
        self.table.put(key, Stored { bounds, best, height });
    }

    #[cold]
    #[inline(never)]
    pub(super) fn check(&mut self, ply: usize) -> Result<(), Break> {
        let interval = self.watch.check(self.nodes)?;
        self.look_up(ply)?;
        self.checkpoint = self.nodes + interval.clamp(1, INTERVAL);
        Ok(())
    }
}
