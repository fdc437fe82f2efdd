//! The way to a node: the keys of all positions since the game began, for draws by repetition.

/// The keys from the game's start to the node that is searched.
#[derive(Clone, Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// Where the root stands.
    root: usize,
    /// Nothing before this place is looked at: a null move is no way back.
    barrier: usize,
}

impl Path {
    /// The path of a game up to and with the root; `longest` plies may follow.
    pub(super) fn new(game: &[u64], root: u64, longest: usize) -> Path {
        let mut keys = Vec::with_capacity(game.len() + longest + 1);
        keys.extend_from_slice(game);
        keys.push(root);
        Path { root: keys.len() - 1, keys, barrier: 0 }
    }

    /// Goes on to a position.
    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Goes back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// A null move was made: returns what [`reopen`](Path::reopen) wants when it is taken back.
    #[inline]
    pub(super) fn close(&mut self) -> usize {
        std::mem::replace(&mut self.barrier, self.keys.len())
    }

    /// The null move is taken back.
    #[inline]
    pub(super) fn reopen(&mut self, barrier: usize) {
        self.barrier = barrier;
    }

    /// Whether the last position is a draw by repetition, if `reversible` plies led to it that could
    /// be undone: it came before below the root, or twice before in all. Who returns to a position
    /// below the root may do so again, so once is enough there.
    #[inline]
    pub(super) fn repeats(&self, reversible: u32) -> bool {
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
        let mut path = Path::new(&[1, 2, 3, 4], 1, 8);
        assert!(!path.repeats(100));
        for key in [2, 3, 4, 1] {
            path.push(key);
        }
        // The root and a position of the game: the third time.
        assert!(path.repeats(100));
        assert!(!path.repeats(7) && !path.repeats(4));
        (0..4).for_each(|_| path.pop());
        for key in [5, 6, 7, 8] {
            path.push(key);
            assert!(!path.repeats(100));
        }
        path.push(5);
        assert!(path.repeats(4) && !path.repeats(3));
        let barrier = path.close();
        assert!(!path.repeats(100));
        path.reopen(barrier);
        assert!(path.repeats(100));
        path.pop();
        path.push(9);
        assert!(!path.repeats(100));
    }
}
