//! The end of pondering: the other side has made the move that was expected.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Tells an engine that ponders that the other side has made the move that was expected. Clones are the
/// same hit.
#[derive(Clone, Debug, Default)]
pub struct PonderHit(Arc<OnceLock<Instant>>);

impl PonderHit {
    /// A hit that was not made yet.
    pub fn new() -> PonderHit {
        PonderHit::default()
    }

    /// Makes the hit: the clock runs from this point in time on. Only the first time counts.
    pub fn make(&self, since: Instant) {
        let _ = self.0.set(since);
    }

    /// When the hit was made; `None` if it was not.
    pub fn made(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}
