//! What a move costs besides the thinking, learnt from the clocks that are told.
//!
//! A clock that shows less than it did, less the time that was thought, plus what the move added, has
//! lost the difference on the way: in a pipe, in a slow client, or because others had the processor.
//! Where that is more than the overhead that was set, it is what the next moves reckon with.

use std::time::Duration;

use super::clock::Clock;

/// The mean of what was lost, recent moves counting most.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveOverhead {
    /// What the clock would show now if nothing were lost.
    expected: Option<Duration>,
    mean: Duration,
}

/// A difference greater than this is another clock, not a loss.
const PLAUSIBLE: Duration = Duration::from_millis(300);

/// The weight of the last move is one in so many.
const MEMORY: u32 = 8;

impl MoveOverhead {
    /// A clock is told: what was lost since the last move, if that is known?
    pub(super) fn told(&mut self, clock: &Clock) {
        let lost = self.expected.take().map(|expected| expected.saturating_sub(clock.left));
        if let Some(lost) = lost.filter(|&lost| lost <= PLAUSIBLE) {
            self.mean = (self.mean * (MEMORY - 1) + lost) / MEMORY;
        }
    }

    /// A move was made after so much thought.
    pub(super) fn moved(&mut self, clock: &Clock, thought: Duration) {
        self.expected = clock.left.checked_sub(thought).map(|left| left + clock.increment);
    }

    /// The next clock has nothing to do with the last one.
    pub(super) fn forget_clock(&mut self) {
        self.expected = None;
    }

    /// What a move is to reckon with: half as much again as was lost in the mean.
    pub(super) fn to_reckon_with(&self) -> Duration {
        self.mean * 3 / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(left: u64) -> Clock {
        Clock { left: ms(left), increment: ms(10), moves_to_go: None }
    }

    #[test]
    fn what_is_lost_on_the_way_is_learnt() {
        let mut move_overhead = MoveOverhead::default();
        let mut left = 10_000;
        for _ in 0..40 {
            move_overhead.told(&clock(left));
            move_overhead.moved(&clock(left), ms(100));
            left = left - 100 + 10 - 20;
        }
        assert!(
            (29..=30).contains(&move_overhead.to_reckon_with().as_millis()),
            "{move_overhead:?}"
        );
        // Another game begins: that is no loss, and neither is time that was added.
        move_overhead.told(&clock(1_000));
        move_overhead.moved(&clock(1_000), ms(100));
        move_overhead.told(&clock(60_000));
        move_overhead.moved(&clock(60_000), ms(100));
        move_overhead.forget_clock();
        move_overhead.told(&clock(59_800));
        assert!(
            move_overhead.to_reckon_with() <= ms(30) && move_overhead.to_reckon_with() >= ms(20),
            "{move_overhead:?}"
        );
    }
}
