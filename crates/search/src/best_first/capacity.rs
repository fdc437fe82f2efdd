//! The capacity of OPEN: M entries for ITERSSS* and Rsearch, and no bound for the others.

/// What happens to a LIVE node whose children do not fit on OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenFull {
    /// It becomes INACTIVE until there is room: ITERSSS*.
    Deactivate,
    /// It is searched depth-first: Rsearch.
    SearchDepthFirst,
}

/// The capacity of OPEN: M, and the widest node so far, which decides whether M is enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// M, if the capacity is bounded.
    entries: Option<u64>,
    when_full: WhenFull,
    /// b, the most children of a MAX node so far.
    widest: usize,
}

impl Capacity {
    /// Any number of entries.
    pub(crate) const UNBOUNDED: Capacity =
        Capacity { entries: None, when_full: WhenFull::Deactivate, widest: 1 };

    /// At most `entries` entries.
    pub(crate) fn of(entries: u64, when_full: WhenFull) -> Capacity {
        Capacity { entries: Some(entries), when_full, widest: 1 }
    }

    /// What happens to a LIVE node whose children do not fit.
    pub(crate) fn when_full(&self) -> WhenFull {
        self.when_full
    }

    /// May states become INACTIVE?
    #[inline]
    pub(crate) fn deactivates(&self) -> bool {
        self.is_bounded() && self.when_full == WhenFull::Deactivate
    }

    #[inline]
    pub(crate) fn is_bounded(&self) -> bool {
        self.entries.is_some()
    }

    /// Do `children` entries fit in place of the current state, where OPEN has `open`?
    #[inline]
    pub(crate) fn fits(&mut self, open: u64, children: usize) -> bool {
        let Some(entries) = self.entries else { return true };
        self.widest = self.widest.max(children);
        open - 1 + children as u64 <= entries
    }

    /// M.
    pub(crate) fn entries(&self) -> u64 {
        self.entries.unwrap_or(u64::MAX)
    }

    /// b, the most children of a MAX node so far.
    pub(crate) fn widest(&self) -> u64 {
        self.widest as u64
    }

    /// ⌈d/2⌉(b - 1) + 1, the least M that is enough on a uniform tree of this depth.
    pub(crate) fn least(&self, depth: u32) -> u64 {
        u64::from(depth.div_ceil(2)) * (self.widest as u64 - 1) + 1
    }

    /// Is M enough by the formula? Only then may it be exceeded by a few entries.
    pub(crate) fn may_be_exceeded(&self, depth: u32) -> bool {
        self.entries.is_none_or(|entries| entries >= self.least(depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_tells_whether_m_is_enough() {
        for (entries, enough) in [(4, false), (5, true), (6, true)] {
            let mut capacity = Capacity::of(entries, WhenFull::Deactivate);
            assert!(capacity.fits(1, 3));
            // ⌈4/2⌉ (3 - 1) + 1.
            assert_eq!((capacity.least(4), capacity.least(3)), (5, 5));
            assert_eq!(capacity.may_be_exceeded(4), enough);
            assert_eq!((capacity.fits(entries, 1), capacity.fits(entries, 2)), (true, false));
        }
        assert!(Capacity::UNBOUNDED.may_be_exceeded(99));
    }
}
