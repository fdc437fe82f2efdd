//! Mandatory work first (Akl, Barnard and Doran 1982).
//!
//! A node whose value is needed has a left son, whose value is needed too, and right sons, each of
//! which is refuted at best, by its own first son: so much of the tree must be searched whatever the
//! values are, and all of it can be searched at the same time, though without bounds from each other.
//! When the left son's value is there, the right sons that their first sons do not refute are searched
//! on, from the second son, by alpha-beta.

use super::brothers::{Hand, Task};
use crate::limits::Stop;
use crate::search::place::Picker;
use crate::search::{Order, Place, Search, Setting};
use crate::value::{INFINITY, Value, Window};

impl<S: Setting> Hand<'_, S> {
    /// The value of `n`, whose children `picker` has, all of them.
    pub(super) fn mandatory(
        &mut self,
        search: &mut Search<'_, S>,
        n: &Place<S>,
        picker: &mut Picker<'_, S>,
        window: Window,
    ) -> Result<Value, Stop> {
        let values = self.share(search, n, picker, window, -INFINITY, Task::Mandatory)?.values;
        let mut best = values[0];
        picker.current = S::Order::pick(&mut picker.brothers.ranks, 0);
        search.improve(n, picker, best, window.alpha);
        if best >= window.beta || values.len() == 1 {
            return Ok(best);
        }
        picker.next = 1;
        let known = values[1..].to_vec();
        best = self.share(search, n, picker, window, best, Task::Rest(known))?.best;
        Ok(best)
    }

    /// The mandatory work at `c`, son `number` of its parent, for whom the window is: for a left son
    /// his value, for a right son the value of his first son, which is all he can be worth; for a leaf
    /// its value.
    pub(super) fn mandatory_son(
        &mut self,
        search: &mut Search<'_, S>,
        c: &Place<S>,
        window: Window,
        number: usize,
    ) -> Result<Value, Stop> {
        if number == 0 {
            return Ok(-self.node(search, c, window.flip(), true)?);
        }
        match search.expand(c)? {
            None => Ok(-search.leaf_once(c)?),
            Some(children) => {
                let first = search.child(c, &children, 0);
                self.node(search, &first, window, true)
            }
        }
    }

    /// The right son `c` from his second son on, if his first does not refute him: he is worth at most
    /// `first` to his parent's mover, for whom the window is.
    pub(super) fn rest(
        &mut self,
        search: &mut Search<'_, S>,
        c: &Place<S>,
        window: Window,
        first: Value,
    ) -> Result<Value, Stop> {
        let Window { alpha, beta } = window.flip();
        let mut best = -first;
        if best >= beta {
            return Ok(first);
        }
        let Some(children) = search.generate(c) else { return Ok(first) };
        for number in 1..children.len() {
            let son = search.child(c, &children, number);
            let window = Window { alpha: alpha.max(best), beta };
            best = best.max(-self.node(search, &son, window.flip(), false)?);
            if best >= beta {
                break;
            }
        }
        Ok(-best)
    }
}
