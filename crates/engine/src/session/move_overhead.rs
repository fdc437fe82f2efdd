//! The time that a move costs besides the thinking, estimated from the clocks that the engine is
//! given.
//!
//! The engine knows what its clock should show before its next move: the time before the last one,
//! less the time that it thought, plus the increment. If the clock shows less, the difference was
//! lost on the way: in a pipe, in a slow client, or because other programs had the processor. The
//! time that the engine thought longer than it wanted to is lost as well. If that is more than the
//! overhead that was set, the next moves are planned with it instead: with the mean where many moves
//! are planned for, and with the greatest of the last ones where one of them could be fatal. A search
//! that is not given the processor for a while notices that, too: it may happen again when its time is
//! up.

use std::time::Duration;

use super::clock::Clock;

/// The time that was lost. Recent moves count most.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveOverhead {
    /// What the clock should show now, and how much longer than planned the last move took.
    expected: Option<(Duration, Duration)>,
    mean: Duration,
    /// The greatest loss, which is forgotten little by little.
    greatest: Duration,
}

/// A greater difference than this is not a loss: it is another clock.
const MAX_LOSS: Duration = Duration::from_secs(1);

/// No plan is made with a greater loss than this.
const MAX_MARGIN: Duration = Duration::from_millis(300);

/// The weight of the last move in the mean is one part in this many.
const WEIGHTS: u32 = 8;

/// One part in this many of the greatest loss is forgotten with every move.
const FORGETTING: u32 = 24;

impl MoveOverhead {
    /// Takes a clock before a move, and learns what was lost since the last one, if that is known.
    pub(super) fn clock_received(&mut self, clock: &Clock) {
        if let Some((expected, late)) = self.expected.take() {
            let on_the_way = expected.saturating_sub(clock.left);
            self.learn(late + if on_the_way <= MAX_LOSS { on_the_way } else { Duration::ZERO });
        }
    }

    fn learn(&mut self, lost: Duration) {
        self.mean = (self.mean * (WEIGHTS - 1) + lost) / WEIGHTS;
        self.greatest = (self.greatest - self.greatest / FORGETTING).max(lost);
    }

    /// Notes that a move was made after this much thinking, which ended so much later than planned.
    /// Without a clock, nothing else will be known about the move.
    pub(super) fn move_made(&mut self, clock: Option<&Clock>, thinking: Duration, late: Duration) {
        let late = late.min(MAX_LOSS);
        let left = |clock: &Clock| Some(clock.left.checked_sub(thinking)? + clock.increment);
        match clock {
            Some(clock) => self.expected = left(clock).map(|left| (left, late)),
            None => self.learn(late),
        }
    }

    /// Notes that a search had to wait for the processor for this long, without having been late.
    pub(super) fn waited(&mut self, gap: Duration) {
        self.greatest = self.greatest.max(gap.min(MAX_LOSS));
    }

    /// Forgets the last clock: the next one has nothing to do with it.
    pub(super) fn forget_clock(&mut self) {
        self.expected = None;
    }

    /// The loss to plan each of many moves with: half as much again as the mean.
    pub(super) fn expected_loss(&self) -> Duration {
        (self.mean * 3 / 2).min(MAX_MARGIN)
    }

    /// The greatest loss of the last moves, to plan a single move with.
    pub(super) fn greatest_loss(&self) -> Duration {
        self.greatest.min(MAX_MARGIN)
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
            move_overhead.move_made(Some(&clock(left)), ms(100), ms(0));
            left = left - 100 + 10 - 20;
        }
        assert!(
            (29..=30).contains(&move_overhead.expected_loss().as_millis()),
            "{move_overhead:?}"
        );
        // A clock of another game shows no loss, and neither does time that was added.
        move_overhead.clock_received(&clock(1_000));
        move_overhead.move_made(Some(&clock(1_000)), ms(100), ms(0));
        move_overhead.clock_received(&clock(60_000));
        move_overhead.move_made(Some(&clock(60_000)), ms(100), ms(0));
        move_overhead.forget_clock();
        move_overhead.clock_received(&clock(59_800));
        assert!(
            move_overhead.expected_loss() <= ms(30) && move_overhead.expected_loss() >= ms(20),
            "{move_overhead:?}"
        );
    }
    /// One great delay in many moves is remembered for a while, wherever it came from: the way, or a
    /// search that was stopped too late.
    #[test]
    fn a_great_delay_is_remembered() {
        for (on_the_way, late) in [(120, 0), (0, 120), (60, 60)] {
            let mut move_overhead = MoveOverhead::default();
            move_overhead.clock_received(&clock(1_000));
            move_overhead.move_made(Some(&clock(1_000)), ms(50 + late), ms(late));
            move_overhead.clock_received(&clock(1_000 - 50 - late + 10 - on_the_way));
            assert_eq!(move_overhead.greatest_loss(), ms(120));
            for moves in 1..200 {
                move_overhead.move_made(Some(&clock(1_000)), ms(50), ms(0));
                move_overhead.clock_received(&clock(960));
                let greatest = move_overhead.greatest_loss();
                assert!(moves > 10 || greatest > ms(70), "{moves}: {greatest:?}");
                assert!(moves < 150 || greatest < ms(1), "{moves}: {greatest:?}");
            }
        }
        // Without a clock it is known at once.
        let mut move_overhead = MoveOverhead::default();
        move_overhead.move_made(None, ms(150), ms(50));
        assert_eq!(move_overhead.greatest_loss(), ms(50));
    }
}
