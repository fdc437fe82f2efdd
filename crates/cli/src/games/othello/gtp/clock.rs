//! GTP's clocks: main time, then periods of byo-yomi, in each of which a number of stones has to be
//! played.
//!
//! A client may send the time left before each move; if it does not, the engine measures it.

use std::time::Duration;

use plyground_engine::session::{Clock, GoLimits, moves_that_need_time};
use plyground_games::othello::Disc;

/// The arguments of `time_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeSettings {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// The time left of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Main(Duration),
    Period(Duration, u32),
}

/// The clocks of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct GtpClocks {
    settings: TimeSettings,
    /// `None` for a side whose clock is unknown.
    left: [Option<Left>; 2],
}

impl TimeSettings {
    /// `None` if the settings are GTP's notation for no limit.
    pub(super) fn new(main: Duration, period: Duration, stones: u32) -> Option<TimeSettings> {
        let endless = !period.is_zero() && stones == 0;
        (!endless).then_some(TimeSettings { main, period, stones })
    }
}

impl GtpClocks {
    /// The clocks at the beginning of a game.
    pub(super) fn new(settings: TimeSettings) -> GtpClocks {
        let mut clocks = GtpClocks { settings, left: [Some(Left::Main(settings.main)); 2] };
        for side in Disc::ALL {
            clocks.spend(side, Duration::ZERO);
        }
        clocks
    }

    /// Sets the time left that the client sent; without stones it is main time.
    pub(super) fn set(&mut self, side: Disc, time: Duration, stones: u32) {
        self.left[side as usize] = Some(match stones {
            0 => Left::Main(time),
            _ => Left::Period(time, stones),
        });
    }

    /// A side has moved after this time.
    pub(super) fn played(&mut self, side: Disc, time: Duration) {
        self.spend(side, time);
        let TimeSettings { period, stones, .. } = self.settings;
        if let Some(Left::Period(_, left)) = &mut self.left[side as usize] {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.left[side as usize] = Some(Left::Period(period, stones.max(1)));
            }
        }
    }

    /// Takes time off a clock; byo-yomi begins when the main time is over.
    fn spend(&mut self, side: Disc, time: Duration) {
        let TimeSettings { period, stones, .. } = self.settings;
        let Some(left) = &mut self.left[side as usize] else { return };
        *left = match *left {
            Left::Main(main) if main > time || period.is_zero() => {
                Left::Main(main.saturating_sub(time))
            }
            Left::Main(main) => Left::Period(period.saturating_sub(time - main), stones.max(1)),
            Left::Period(left, stones) => Left::Period(left.saturating_sub(time), stones),
        };
    }

    /// The limits for a move with this many squares empty; `None` if the clock is unknown.
    pub(super) fn limits(&self, side: Disc, empties: u32) -> Option<GoLimits> {
        let TimeSettings { period, stones, .. } = self.settings;
        let (left, stones) = match self.left[side as usize]? {
            // The time of byo-yomi counts as soon as it is longer than what is left of the main time.
            Left::Main(main) if !period.is_zero() && period > main => (main + period, stones),
            Left::Main(left) => {
                let increment = period.checked_div(stones).unwrap_or_default();
                let moves_to_go = Some(moves_that_need_time(empties));
                let clock = Clock { left, increment, moves_to_go };
                return Some(GoLimits { clock: Some(clock), ..GoLimits::default() });
            }
            Left::Period(left, stones) => (left, stones),
        };
        if stones <= 1 {
            return Some(GoLimits { move_time: Some(left), ..GoLimits::default() });
        }
        let clock = Clock { left, increment: Duration::ZERO, moves_to_go: Some(stones) };
        Some(GoLimits { clock: Some(clock), ..GoLimits::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::session::{Delays, OVERHEAD, TimePlan};

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn endless_and_one_second_a_move() {
        assert_eq!(TimeSettings::new(ms(0), ms(1000), 0), None);
        let mut clocks = GtpClocks::new(TimeSettings::new(ms(0), ms(1000), 1).unwrap());
        for _ in 0..3 {
            assert_eq!(clocks.limits(Disc::Black, 60).unwrap().move_time, Some(ms(1000)));
            clocks.played(Disc::Black, ms(900));
        }
        // Nothing at all is very little time, not endless time.
        let none = GtpClocks::new(TimeSettings::new(ms(0), ms(0), 0).unwrap());
        assert_eq!(
            TimePlan::new(&none.limits(Disc::White, 60).unwrap(), Delays::set(OVERHEAD)).hard,
            Some(ms(0))
        );
    }

    #[test]
    fn byo_yomi_begins_when_the_main_time_is_over() {
        let mut clocks = GtpClocks::new(TimeSettings::new(ms(1000), ms(3000), 3).unwrap());
        clocks.played(Disc::White, ms(1500));
        assert_eq!(clocks.left[1], Some(Left::Period(ms(2500), 2)));
        assert_eq!(clocks.left[0], Some(Left::Main(ms(1000))));
        clocks.played(Disc::White, ms(100));
        clocks.played(Disc::White, ms(100));
        assert_eq!(clocks.left[1], Some(Left::Period(ms(3000), 3)));
        clocks.set(Disc::White, ms(700), 2);
        let clock = clocks.limits(Disc::White, 30).unwrap().clock.unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(700), Some(2)));
        clocks.set(Disc::White, ms(700), 0);
        assert_eq!(clocks.left[1], Some(Left::Main(ms(700))));
        // One clock says nothing about the other.
        let mut clocks = GtpClocks::default();
        clocks.set(Disc::White, ms(700), 0);
        clocks.played(Disc::White, ms(300));
        assert_eq!(clocks.left, [None, Some(Left::Main(ms(400)))]);
        assert_eq!(clocks.limits(Disc::Black, 30), None);
    }

    /// Whole games in which every move takes all that its plan allows, and even every answer is a
    /// pass, are never lost on time.
    #[test]
    fn no_clock_runs_out() {
        for (main, period, stones) in [
            (1_000, 0, 0),
            (60_000, 0, 0),
            (100, 0, 0),
            (0, 1_000, 1),
            (0, 100, 5),
            (500, 100, 1),
            (100, 2_000, 10),
        ] {
            for step in [1, 2] {
                let settings = TimeSettings::new(ms(main), ms(period), stones).unwrap();
                let mut clocks = GtpClocks::new(settings);
                for empties in (1..=60).rev().step_by(step) {
                    let plan = TimePlan::new(
                        &clocks.limits(Disc::Black, empties).unwrap(),
                        Delays::set(OVERHEAD),
                    );
                    let hard = plan.hard.unwrap();
                    let left = match clocks.left[0].unwrap() {
                        Left::Main(main) => main + clocks.settings.period,
                        Left::Period(left, _) => left,
                    };
                    assert!(hard <= left, "{settings:?} {empties}: {hard:?} of {left:?}");
                    clocks.played(Disc::Black, hard);
                }
            }
        }
    }
}
