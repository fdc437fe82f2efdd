//! How a search in play reads and writes the transposition table.

use super::state::PlaySearch;
use crate::table::Stored;
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, Value, mate_from_node, mate_from_root};

impl<T: PlayTree> PlaySearch<'_, T> {
    /// What the table holds under `key`. A mate is stored as seen from its node, since the same node
    /// may be reached at different plies; returned is what the root sees.
    pub(super) fn probe_table(&self, key: u64, ply: usize) -> Option<Stored> {
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

    /// Stores what a search with this window has shown, together with what was `known` at the same
    /// depth.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn store_in_table(
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
}
