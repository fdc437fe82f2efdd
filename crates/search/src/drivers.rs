//! Drivers: loops over the memory test that differ only in the windows of their calls.
//!
//! The memory test is alpha-beta on a stored search tree (S-alpha-beta in de Bruin, Pijls and Plaat
//! 1994, figure 5; Plaat's MT): every node carries the bounds f⁻ and f⁺ of earlier visits. They
//! answer for the node if they can, else they narrow the window, and the result of the search is
//! stored in them. The context's `visit` does all that, so the memory test is
//! [`alpha_beta`](crate::depth_first::alpha_beta) in a search with a memory.
//!
//! SSS-2, Dual-2, SSS-0, SSS-4 and SSS-B are from the same paper (sections 4 and 5), MTD(f) from
//! Plaat's later work. f⁻(r) and f⁺(r) are what is known of the root. Second-best search and alpha
//! bounding drive the test below the root's children instead, and prove the best move.

mod root_children;

family! {
    /// The drivers of the memory test.
    Drivers:
    sss_2::Sss2,
    dual_2::Dual2,
    sss_0::Sss0,
    sss_4::Sss4,
    sss_4_variable::Sss4Variable,
    sss_b::SssB,
    mtd_f::MtdF,
    mtd_step::MtdStep,
    mtd_bi::MtdBi,
    second_best::SecondBest,
    alpha_bounding::AlphaBounding,
}

use crate::prelude::*;

/// The memory test, called again and again on the root.
pub(crate) struct Driver<'s, 't, T: GameTree, M: Mode, F> {
    search: &'s mut Search<'t, T, M>,
    root: &'s SearchNode<T, M>,
    /// The memory test.
    test: F,
    /// f⁻(r) and f⁺(r). A table may lose them; a driver keeps them.
    known: Bounds,
    /// Did the last call tell nothing new?
    stuck: bool,
}

impl<'s, 't, T: GameTree, M: Mode, F> Driver<'s, 't, T, M, F>
where
    F: FnMut(&mut Search<'t, T, M>, &SearchNode<T, M>, Window) -> Result<Value, Stop>,
{
    fn new(search: &'s mut Search<'t, T, M>, root: &'s SearchNode<T, M>, test: F) -> Self {
        Driver { search, root, test, known: Bounds::UNKNOWN, stuck: false }
    }

    /// Calls the memory test on the root once, and narrows f⁻(r) and f⁺(r) by its result.
    fn call(&mut self, alpha: Value, beta: Value) -> Result<Value, Stop> {
        let window = Window { alpha, beta };
        self.search.pass(window);
        let g = (self.test)(self.search, self.root, window)?;
        let stored = match self.search.mode.has_table() {
            true => Bounds::UNKNOWN,
            false => self.search.mode.recall(self.root.tag, self.root.height).bounds,
        };
        let lower = if g > alpha { g } else { stored.lower };
        let upper = if g < beta { g } else { stored.upper };
        let before = self.known;
        self.known.lower = before.lower.max(lower);
        self.known.upper = before.upper.min(upper);
        self.stuck = self.known == before;
        self.search.narrow_root(self.known);
        Ok(g)
    }

    /// Do the bounds exclude each other, or did the last call tell nothing new? Neither ever happens before
    /// the value is known, unless the table mistakes a position for another or answers at another depth; a
    /// driver would then go on for ever.
    fn is_contradicted(&self) -> bool {
        self.known.lower > self.known.upper || self.stuck
    }
}
