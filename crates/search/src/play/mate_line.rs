//! The whole line of a mate. A search sees a mate before its line is complete: quiescence finds the last
//! moves without keeping them. So the rest of the line is searched for by itself, all moves of both sides,
//! which takes next to nothing for the few plies that are missing.

use super::state::PlaySearch;
use plyground_core::tree::{MoveList, PlayTree};
use plyground_core::value::{LEAST_MATE, MATE, Value};

/// The most positions that are looked at for the rest of a line: a few milliseconds, since no clock is
/// looked at meanwhile.
const MOST_NODES: u32 = 5_000;

/// The most plies that are searched for; more are taken from the table first.
const MOST_PLIES: usize = 7;

/// Iterations go on for so many plies after the depth of a mate: a shorter one may be found that was
/// pruned away. A mate in two moves has no shorter one that the first iteration would not have seen.
const PLIES_AFTER_MATE: u32 = 4;
const SHORT_MATE: u32 = 3;

/// The plies to the mate that a value stands for; `None` if it is no mate.
pub(super) fn plies_to_mate<T: PlayTree>(value: Value) -> Option<u32> {
    (T::MATES && value.abs() >= LEAST_MATE).then(|| (MATE - value.abs()).max(0) as u32)
}

/// Is this mate, found by an iteration of this depth, as short as it will get?
pub(super) fn is_shortest(depth: u32, plies: u32) -> bool {
    depth >= plies + if plies <= SHORT_MATE { 0 } else { PLIES_AFTER_MATE }
}

impl<T: PlayTree> PlaySearch<'_, T> {
    /// Completes the line of a mate, as far as the rest of it is found; other lines stay as they are.
    pub(super) fn complete_mate(&self, root: &T::Node, value: Value, line: &mut Vec<T::Move>) {
        let Some(plies) = plies_to_mate::<T>(value) else { return };
        let plies = plies as usize;
        let tree = self.tree;
        let mut node = line.iter().fold(root.clone(), |node, &mv| tree.child(&node, mv));
        let mut nodes_left = MOST_NODES;
        while line.len() < plies {
            let left = plies - line.len();
            let rest = match left <= MOST_PLIES {
                true => self.forced_mate(&node, left, &mut nodes_left),
                false => None,
            };
            if let Some(rest) = rest {
                line.extend(rest);
                return;
            }
            // The table has a move that leads on, if its value is still this mate.
            let stored = self.probe_table(tree.key(&node), line.len());
            let on_the_way = stored.filter(|s| s.bounds.lower == value || s.bounds.upper == -value);
            let on_the_way = on_the_way
                .or(stored.filter(|s| -s.bounds.lower == value || s.bounds.upper == value));
            let Some(mv) = on_the_way.and_then(|stored| tree.find_move(&node, stored.best)) else {
                return;
            };
            node = tree.child(&node, mv);
            line.push(mv);
        }
    }

    /// The line of a mate within `plies` plies that is forced: the side that is mated holds out as
    /// long as it can. An odd number of plies is for the side that mates.
    fn forced_mate(
        &self,
        node: &T::Node,
        plies: usize,
        nodes_left: &mut u32,
    ) -> Option<Vec<T::Move>> {
        *nodes_left = nodes_left.checked_sub(1)?;
        let tree = self.tree;
        let mut list = T::Moves::default();
        tree.moves(node, &mut list);
        let mut moves: Vec<T::Move> = (0..list.len()).map(|place| list.at(place)).collect();
        if moves.is_empty() {
            let is_mated = plies.is_multiple_of(2) && tree.evaluate(node) <= -MATE;
            return is_mated.then(Vec::new);
        }
        if plies == 0 || tree.is_drawn(node) {
            return None;
        }
        if plies % 2 == 1 {
            let best = self.table.get(tree.key(node)).map(|stored| stored.best);
            moves.sort_by_key(|&mv| (Some(tree.code(mv)) != best, !tree.gives_check(node, mv)));
            return moves.into_iter().find_map(|mv| {
                let below = self.forced_mate(&tree.child(node, mv), plies - 1, nodes_left)?;
                Some(std::iter::once(mv).chain(below).collect())
            });
        }
        let mut longest: Vec<T::Move> = Vec::new();
        for mv in moves {
            let child = tree.child(node, mv);
            let mut tries = (1..plies).step_by(2);
            let below = tries.find_map(|plies| self.forced_mate(&child, plies, nodes_left))?;
            if below.len() + 1 > longest.len() {
                longest = std::iter::once(mv).chain(below).collect();
            }
        }
        Some(longest)
    }
}
