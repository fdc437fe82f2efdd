//! The room that ITERSSS* has for OPEN: M entries, or as many as it takes.

/// M, and what is needed to tell whether it is enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// M, if the room is bounded.
    entries: Option<u64>,
    /// The most children of a MAX node met so far: b.
    widest: usize,
}

impl Room {
    /// As many entries as it takes.
    pub(crate) const UNBOUNDED: Room = Room { entries: None, widest: 1 };

    /// At most `entries` entries.
    pub(crate) fn of(entries: u64) -> Room {
        Room { entries: Some(entries), widest: 1 }
    }

    #[inline]
    pub(crate) fn is_bounded(&self) -> bool {
        self.entries.is_some()
    }

    /// Do `sons` entries fit in the place of the state in hand, where OPEN has `open`?
    #[inline]
    pub(crate) fn fits(&mut self, open: u64, sons: usize) -> bool {
        let Some(entries) = self.entries else { return true };
        self.widest = self.widest.max(sons);
        open - 1 + sons as u64 <= entries
    }

    /// M
    pub(crate) fn entries(&self) -> u64 {
        self.entries.unwrap_or(u64::MAX)
    }

    /// The widest node met so far.
    pub(crate) fn widest(&self) -> u64 {
        self.widest as u64
    }

    /// ⌈d/2⌉(b - 1) + 1: on a uniform tree of this depth the least M.
    pub(crate) fn least(&self, depth: u32) -> u64 {
        u64::from(depth.div_ceil(2)) * (self.widest as u64 - 1) + 1
    }

    /// Is M enough by the formula? Then it may be exceeded by a few entries where nothing else helps.
    pub(crate) fn may_be_exceeded(&self, depth: u32) -> bool {
        self.entries.is_none_or(|entries| entries >= self.least(depth))
    }
}
