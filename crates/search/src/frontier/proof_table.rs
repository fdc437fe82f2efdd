//! The table of df-pn: proof and disproof numbers by position.

use plyground_core::memory::{self, OutOfMemory};

use super::proof_numbers::NEVER;
use crate::prelude::*;

/// What is known of a position, seen from its mover: φ is the least number of frontier nodes that give
/// the mover what it wants (MAX a proof, MIN a disproof), δ the same for the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) phi: u32,
    pub(crate) delta: u32,
    /// If one of them is 0: the bound on the value that the proof gives, from MAX's view.
    pub(crate) bound: Value,
}

impl Effort {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Effort = Effort { phi: 1, delta: 1, bound: 0 };

    /// The mover has what it wants, or cannot have it.
    pub(crate) fn solved(mover_has_it: bool, bound: Value) -> Effort {
        let (phi, delta) = if mover_has_it { (0, NEVER) } else { (NEVER, 0) };
        Effort { phi, delta, bound }
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
struct ProofEntry {
    key: u64,
    effort: Effort,
    /// Plies to the horizon.
    height: u16,
    /// The logarithm of the nodes that it took: what is cheap is replaced first.
    work: u8,
    used: bool,
}

const EMPTY: ProofEntry =
    ProofEntry { key: 0, effort: Effort::UNKNOWN, height: 0, work: 0, used: false };

/// The bytes of an entry.
pub(crate) const PROOF_ENTRY: usize = size_of::<ProofEntry>();

/// A position may be in any of this many places.
const PLACES: usize = 4;

/// A table of fixed size. What does not fit replaces what took the least work.
pub(crate) struct ProofTable {
    entries: Vec<ProofEntry>,
    used: u64,
    /// Does the same position need the less, the farther the horizon is? So it is with mates: a mate in
    /// n plies is one in more plies too, and no mate in n plies is none in fewer.
    monotone: bool,
}

impl ProofTable {
    /// A table of this many bytes, or nearly.
    pub(crate) fn new(bytes: usize, monotone: bool) -> Result<ProofTable, OutOfMemory> {
        let count = (bytes / PROOF_ENTRY).max(PLACES);
        let mut entries = memory::reserve(count)?;
        entries.resize(count, EMPTY);
        Ok(ProofTable { entries, used: 0, monotone })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.used = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * PROOF_ENTRY
    }

    /// How many entries are in use.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    fn places(&self, key: u64) -> std::ops::Range<usize> {
        let last = self.entries.len() - PLACES;
        let first = ((u128::from(key) * (last as u128 + 1)) >> 64) as usize;
        first..first + PLACES
    }

    /// What is known of a position at this height.
    pub(crate) fn get(&self, key: u64, height: u32) -> Option<Effort> {
        let found = |e: &&ProofEntry| {
            e.used && e.key == key && (self.monotone || u32::from(e.height) == height)
        };
        let entry = self.entries[self.places(key)].iter().find(found)?;
        let Effort { phi, delta, .. } = entry.effort;
        if u32::from(entry.height) == height || !entry.effort.is_solved() {
            return Some(entry.effort);
        }
        // At an odd distance from a mate the winner moves.
        let is_mate = if height % 2 == 1 { phi == 0 } else { delta == 0 };
        let nearer = u32::from(entry.height) < height;
        // A mate holds for farther horizons, no mate for nearer ones.
        (is_mate == nearer).then_some(entry.effort)
    }

    /// Stores what is known; `nodes` is the work that it took.
    pub(crate) fn put(&mut self, key: u64, height: u32, effort: Effort, nodes: u64) {
        let Ok(height) = u16::try_from(height) else { return };
        let work = (u64::BITS - nodes.leading_zeros()) as u8;
        let places = self.places(key);
        let monotone = self.monotone;
        let is_same = |e: &ProofEntry| e.used && e.key == key && (monotone || e.height == height);
        let same = places.clone().find(|&place| is_same(&self.entries[place]));
        let place = same.or_else(|| {
            places.min_by_key(|&p| {
                let entry = &self.entries[p];
                (entry.used, entry.work)
            })
        });
        let Some(place) = place else { return };
        self.used += u64::from(!self.entries[place].used);
        self.entries[place] = ProofEntry { key, effort, height, work, used: true };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_found_and_what_took_little_goes_first() {
        let mut table = ProofTable::new(PLACES * PROOF_ENTRY, false).unwrap();
        for key in 1..=4 {
            table.put(key, 3, Effort { phi: key as u32, ..Effort::UNKNOWN }, 1 << key);
        }
        assert_eq!(table.get(2, 3).map(|e| e.phi), Some(2));
        assert_eq!(table.get(2, 5), None, "another horizon, another tree");
        table.put(9, 3, Effort::UNKNOWN, 1);
        assert_eq!((table.get(1, 3), table.used()), (None, 4), "it took the least work");
        assert!(table.get(9, 3).is_some() && table.get(4, 3).is_some());
        table.clear();
        assert_eq!((table.get(4, 3), table.used()), (None, 0));
    }

    #[test]
    fn a_mate_holds_for_farther_horizons_and_none_for_nearer_ones() {
        let mut table = ProofTable::new(1 << 12, true).unwrap();
        // The winner moves, and mates within three plies; or the loser moves, and cannot avoid it.
        table.put(1, 3, Effort::solved(true, 1), 1);
        table.put(2, 4, Effort::solved(false, 1), 1);
        // No mate in three plies, and a loser who holds out for four.
        table.put(3, 3, Effort::solved(false, 0), 1);
        table.put(4, 4, Effort::solved(true, 0), 1);
        for (key, height, is_known) in [
            (1, 5, true),
            (1, 3, true),
            (1, 1, false),
            (2, 6, true),
            (2, 2, false),
            (3, 1, true),
            (3, 5, false),
            (4, 2, true),
            (4, 6, false),
        ] {
            assert_eq!(table.get(key, height).is_some(), is_known, "{key} at {height}");
        }
    }
}
