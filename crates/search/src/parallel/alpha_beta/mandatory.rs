//! Mandatory work first (Akl, Barnard and Doran 1982).
//!
//! A node whose value is needed has a left son, whose value is needed too, and right sons, each of
//! which is refuted at best, by its own first son: so much of the tree must be searched whatever the
//! values are, and all of it can be searched at the same time, though without bounds from each other.
//! When the left son's value is there, the right sons that their first sons do not refute are searched
//! on, without the first son, by alpha-beta. Who does that may have learnt another order of moves than
//! he who chose the first son: so that son goes by his place in the tree's own list.

use super::siblings::{Hand, Known, Task};
use crate::node::Picker;
use crate::prelude::*;

impl<T: GameTree, M: Mode> Hand<'_, T, M> {
    /// The value of `n`, whose children `picker` has, all of them.
    pub(super) fn mandatory(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
        window: Window,
    ) -> Result<Value, Stop> {
        let known = self.share(search, n, picker, window, -INFINITY, Task::Mandatory)?.known;
        let mut best = known[0].value;
        picker.current = M::pick(&mut picker.siblings.ranks, 0);
        search.improve(n, picker, best, window.alpha);
        if best >= window.beta || known.len() == 1 {
            return Ok(best);
        }
        picker.next = 1;
        let known = Task::Rest(known[1..].to_vec());
        best = self.share(search, n, picker, window, best, known)?.best;
        Ok(best)
    }

    /// The mandatory work at `c`, son `number` of its parent, for whom the window is: for a left son
    /// his value, for a right son the value of his first son, which is all he can be worth; for a leaf
    /// its value.
    pub(super) fn mandatory_son(
        &mut self,
        search: &mut Search<'_, T, M>,
        c: &SearchNode<T, M>,
        window: Window,
        number: usize,
    ) -> Result<Known, Stop> {
        if number == 0 {
            let value = -self.node(search, c, window.flip(), true)?;
            return Ok(Known { value, son: 0 });
        }
        let Some(children) = search.expand(c)? else {
            return Ok(Known { value: -search.leaf_once(c)?, son: 0 });
        };
        let son = children.place(0);
        let first = search.child_at(c, &children.moves, son);
        Ok(Known { value: self.node(search, &first, window, true)?, son })
    }

    /// The right son `c` without the son that was searched, if that one does not refute him: by what
    /// is `known`. The window is for his parent's mover.
    pub(super) fn rest(
        &mut self,
        search: &mut Search<'_, T, M>,
        c: &SearchNode<T, M>,
        window: Window,
        known: Known,
    ) -> Result<Value, Stop> {
        let Window { alpha, beta } = window.flip();
        let mut best = -known.value;
        if best >= beta {
            return Ok(known.value);
        }
        let Some(children) = search.generate(c) else { return Ok(known.value) };
        let places = (0..children.len()).map(|number| children.place(number));
        for place in places.filter(|&place| place != known.son) {
            let son = search.child_at(c, &children.moves, place);
            let window = Window { alpha: alpha.max(best), beta };
            best = best.max(-self.node(search, &son, window.flip(), false)?);
            if best >= beta {
                break;
            }
        }
        Ok(-best)
    }
}
