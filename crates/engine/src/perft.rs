//! Perft, the usual test of a move generator, in a form that can be stopped: a count of a few plies more
//! takes hours.

use crate::game::Game;
use plyground_core::limits::StopFlag;

/// A count to this depth takes a moment and is not interrupted.
const QUICK_DEPTH: u32 = 4;

/// How many sequences of `depth` moves the rules allow; `None` if the flag was raised.
pub fn perft<G: Game>(position: &G::Position, depth: u32, stop: &StopFlag) -> Option<u64> {
    if stop.is_raised() {
        return None;
    }
    if depth <= QUICK_DEPTH {
        return Some(G::perft(position, depth));
    }
    let moves = G::legal_moves(position);
    if moves.is_empty() {
        // Games count their ends in different ways.
        return Some(G::perft(position, depth));
    }
    let next = moves.into_iter().filter_map(|mv| G::played(position, mv));
    next.map(|next| perft::<G>(&next, depth - 1, stop)).sum()
}

/// The same for each first move, counted one after the other; `depth` is at least 1. Ends early if the
/// flag is raised.
pub fn divide<'a, G: Game>(
    position: &'a G::Position,
    depth: u32,
    stop: &'a StopFlag,
) -> impl Iterator<Item = (G::Move, u64)> + 'a {
    let below = move |mv| {
        let next = G::played(position, mv)?;
        Some((mv, perft::<G>(&next, depth.saturating_sub(1), stop)?))
    };
    G::legal_moves(position).into_iter().map_while(below)
}
