//! Mandatory work first (Akl, Barnard and Doran 1982).
//!
//! A node whose value is needed has a left child, whose value is needed too, and right children,
//! each of which is at best refuted by its own first child. This much of the tree must be searched
//! whatever the values are, and all of it can be searched at the same time, though without bounds
//! from each other. When the value of the left child is known, alpha-beta searches the rest of
//! those right children that their first children do not refute. The thread that does so may have
//! learnt another order of moves than the thread that chose the first child, so that child is known
//! by its place in the tree's own list.

use super::siblings::{MandatoryResult, SiblingTask, Worker};
use crate::node::Picker;
use crate::prelude::*;

impl<T: GameTree, M: Mode> Worker<'_, T, M> {
    /// The value of `n`; `picker` has all of its children.
    pub(super) fn mandatory(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
        window: Window,
    ) -> Result<Value, Stop> {
        let mandatory =
            self.share(search, n, picker, window, -INFINITY, SiblingTask::Mandatory)?.mandatory;
        let mut best = mandatory[0].value;
        picker.current = M::pick(&mut picker.siblings.ranks, 0);
        search.improve(n, picker, best, window.alpha);
        if best >= window.beta || mandatory.len() == 1 {
            return Ok(best);
        }
        picker.next = 1;
        let rest = SiblingTask::Rest(mandatory[1..].to_vec());
        best = self.share(search, n, picker, window, best, rest)?.best;
        Ok(best)
    }

    /// The mandatory work at `c`, child `number` of its parent. For a left child or a leaf, the
    /// result is its value; for a right child, the value of its first child, which is the most it
    /// can be worth. The window is seen from the parent's mover.
    pub(super) fn mandatory_child(
        &mut self,
        search: &mut Search<'_, T, M>,
        c: &SearchNode<T, M>,
        window: Window,
        number: usize,
    ) -> Result<MandatoryResult, Stop> {
        if number == 0 {
            let value = -self.node(search, c, window.flip(), true)?;
            return Ok(MandatoryResult { value, child: 0 });
        }
        let Some(children) = search.expand(c)? else {
            return Ok(MandatoryResult { value: -search.leaf_once(c)?, child: 0 });
        };
        let place = children.place(0);
        let first = search.child_at(c, &children.moves, place);
        Ok(MandatoryResult { value: self.node(search, &first, window, true)?, child: place })
    }

    /// The value of the right child `c`, given the result of mandatory work there. Unless that
    /// refutes `c`, its other children are searched. The window is seen from the parent's mover.
    pub(super) fn rest(
        &mut self,
        search: &mut Search<'_, T, M>,
        c: &SearchNode<T, M>,
        window: Window,
        mandatory: MandatoryResult,
    ) -> Result<Value, Stop> {
        let Window { alpha, beta } = window.flip();
        let mut best = -mandatory.value;
        if best >= beta {
            return Ok(mandatory.value);
        }
        let Some(children) = search.generate(c) else { return Ok(mandatory.value) };
        let places = (0..children.len()).map(|number| children.place(number));
        for place in places.filter(|&place| place != mandatory.child) {
            let grandchild = search.child_at(c, &children.moves, place);
            let window = Window { alpha: alpha.max(best), beta };
            best = best.max(-self.node(search, &grandchild, window.flip(), false)?);
            if best >= beta {
                break;
            }
        }
        Ok(-best)
    }
}
