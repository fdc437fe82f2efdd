//! Lists of moves: what a tree fills and a search reads.

use arrayvec::ArrayVec;

/// The moves of a node: a list whose order the tree chose.
///
/// `Vec` and `arrayvec::ArrayVec` are such lists. A tree that wants to say more, as how many of the
/// moves [lead](MoveList::leading), brings a list of its own.
pub trait MoveList: Default + Clone + Send {
    /// What the list holds.
    type Move: Copy;

    /// How many moves there are.
    fn len(&self) -> usize;

    /// The move at `index`, which is less than [`len`](MoveList::len). It is not called `get`,
    /// which would hide the `get` of slices wherever this trait is imported.
    fn at(&self, index: usize) -> Self::Move;

    /// How many moves at the front stand there for a reason that outweighs everything a search has
    /// learnt at other nodes, as a capture that wins a piece. Only the best move of an earlier
    /// search of the same node comes before them. With the default, 0, the search orders all moves
    /// by what it has learnt.
    #[inline]
    fn leading(&self) -> usize {
        0
    }

    /// Are there no moves?
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<M: Copy + Send> MoveList for Vec<M> {
    type Move = M;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn at(&self, index: usize) -> M {
        self[index]
    }
}

impl<M: Copy + Send, const N: usize> MoveList for ArrayVec<M, N> {
    type Move = M;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn at(&self, index: usize) -> M {
        self[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed<L: MoveList<Move = u8> + Extend<u8>>() -> (Vec<u8>, usize, bool) {
        let mut list = L::default();
        let empty = list.is_empty();
        list.extend([3, 1, 2]);
        let all = (0..list.len()).map(|index| list.at(index)).collect();
        (all, list.leading(), empty && !list.is_empty())
    }

    #[test]
    fn plain_vectors_are_lists_of_moves() {
        let expected = (vec![3, 1, 2], 0, true);
        assert_eq!(listed::<Vec<u8>>(), expected);
        assert_eq!(listed::<ArrayVec<u8, 4>>(), expected);
    }
}
