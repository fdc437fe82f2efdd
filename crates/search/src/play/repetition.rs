//! Draws by repetition: the keys of all positions since the game began.

/// The keys from the game's start to the node that is searched.
#[derive(Clone, Debug)]
pub(super) struct KeyStack {
    keys: Vec<u64>,
    /// The index of the root's key.
    root: usize,
    /// No key before this index is compared: a null move is not a move of the game, so no position
    /// comes again across it.
    barrier: usize,
}

impl KeyStack {
    /// The keys of a game up to and with the root; at most `longest` plies follow.
    pub(super) fn new(game: &[u64], root: u64, longest: usize) -> KeyStack {
        let mut keys = Vec::with_capacity(game.len() + longest + 1);
        keys.extend_from_slice(game);
        keys.push(root);
        KeyStack { root: keys.len() - 1, keys, barrier: 0 }
    }

    /// A move leads to the position with this key.
    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// The last move is taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// A null move is about to be made. Returns what [`lower_barrier`](KeyStack::lower_barrier) wants
    /// when it is taken back.
    #[inline]
    pub(super) fn raise_barrier(&mut self) -> usize {
        std::mem::replace(&mut self.barrier, self.keys.len())
    }

    /// The null move was taken back.
    #[inline]
    pub(super) fn lower_barrier(&mut self, barrier: usize) {
        self.barrier = barrier;
    }

    /// Is the last position a draw by repetition, if the last `reversible` plies could be undone? It
    /// is if the position came before below the root, or twice before in all. Below the root once is
    /// enough: a side that can return to a position can do so again.
    #[inline]
    pub(super) fn is_repetition(&self, reversible: u32) -> bool {
        let last = self.keys.len() - 1;
        let reach = (reversible as usize).min(last - self.barrier.min(last));
        let mut seen = false;
        // Only every other position has the same side to move, and two plies undo nothing.
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == self.keys[last] {
                if last - back > self.root || seen {
                    return true;
                }
                seen = true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_below_the_root_and_twice_in_all() {
        let mut keys = KeyStack::new(&[1, 2, 3, 4], 1, 8);
        assert!(!keys.is_repetition(100));
        for key in [2, 3, 4, 1] {
            keys.push(key);
        }
        // The root and a position of the game: the third time.
        assert!(keys.is_repetition(100));
        assert!(!keys.is_repetition(7) && !keys.is_repetition(4));
        (0..4).for_each(|_| keys.pop());
        for key in [5, 6, 7, 8] {
            keys.push(key);
            assert!(!keys.is_repetition(100));
        }
        keys.push(5);
        assert!(keys.is_repetition(4) && !keys.is_repetition(3));
        let barrier = keys.raise_barrier();
        assert!(!keys.is_repetition(100));
        keys.lower_barrier(barrier);
        assert!(keys.is_repetition(100));
        keys.pop();
        keys.push(9);
        assert!(!keys.is_repetition(100));
    }
}
