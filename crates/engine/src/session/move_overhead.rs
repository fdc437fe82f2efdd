//! The time that a move costs besides the thinking, estimated from the clocks that the engine is
//! given.
//!
//! The engine knows what its clock should show before its next move: the time before the last one,
//! less the time that it thought, plus the increment. If the clock shows less, the difference was
//! lost on the way: in a pipe, in a slow client, or because other programs had the processor. If
//! that is more than the overhead that was set, the next moves are planned with it instead.

use std::time::Duration;

use super::clock::Clock;

/// The mean of the time that was lost, in which recent moves count most.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveOverhead {
    /// What the clock should show now.
    expected: Option<Duration>,
    mean: Duration,
}

/// A greater difference than this is not a loss: it is another clock.
const MAX_LOSS: Duration = Duration::from_millis(300);

/// The weight of the last move in the mean is one part in this many.
const WEIGHTS: u32 = 8;

impl MoveOverhead {
    /// Takes a clock before a move, and learns what was lost since the last one, if that is known.
    pub(super) fn clock_received(&mut self, clock: &Clock) {
        let lost = self.expected.take().map(|expected| expected.saturating_sub(clock.left));
        if let Some(lost) = lost.filter(|&lost| lost <= MAX_LOSS) {
            self.mean = (self.mean * (WEIGHTS - 1) + lost) / WEIGHTS;
        }
    }

    /// Notes that a move was made after this much thinking.
    pub(super) fn move_made(&mut self, clock: &Clock, thinking: Duration) {
        self.expected = clock.left.checked_sub(thinking).map(|left| left + clock.increment);
    }

    /// Forgets the last clock: the next one has nothing to do with it.
    pub(super) fn forget_clock(&mut self) {
        self.expected = None;
    }

    /// The loss to plan a move with: half as much again as the mean.
    pub(super) fn expected_loss(&self) -> Duration {
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
            move_overhead.clock_received(&clock(left));
            move_overhead.move_made(&clock(left), ms(100));
            left = left - 100 + 10 - 20;
        }
        assert!(
            (29..=30).contains(&move_overhead.expected_loss().as_millis()),
            "{move_overhead:?}"
        );
        // A clock of another game shows no loss, and neither does time that was added.
        move_overhead.clock_received(&clock(1_000));
        move_overhead.move_made(&clock(1_000), ms(100));
        move_overhead.clock_received(&clock(60_000));
        move_overhead.move_made(&clock(60_000), ms(100));
        move_overhead.forget_clock();
        move_overhead.clock_received(&clock(59_800));
        assert!(
            move_overhead.expected_loss() <= ms(30) && move_overhead.expected_loss() >= ms(20),
            "{move_overhead:?}"
        );
    }
}
