//! The clock: how long a move may take.
//!
//! A [`TimePlan`] has two limits. After the *soft* limit no new iteration begins, because it would
//! hardly be finished; at the *hard* limit the search is stopped wherever it is. The hard limit
//! always lies before the clock runs out: by the *overhead*, the time that a move needs to reach
//! its receiver, or by what it was seen to need on a busy machine, and by a reserve.

use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time that is left.
    pub left: Duration,
    /// The increment: the time that every move adds.
    pub increment: Duration,
    /// The number of moves until more time is added; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// When to stop thinking about a move, as UCI's `go` says it. Everything is unlimited by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The exact time for the move.
    pub move_time: Option<Duration>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// Stop when a mate in at most this many moves is found.
    pub mate: Option<u32>,
}

/// The two limits on a move's time; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// No iteration begins after this.
    pub soft: Option<Duration>,
    /// The search stops at this.
    pub hard: Option<Duration>,
}

/// The time that a move costs besides the thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// What the user has set.
    pub set: Duration,
    /// What the last moves are seen to cost, a little more than the mean.
    pub usual: Duration,
    /// The most that one of the last moves is seen to cost.
    pub greatest: Duration,
}

impl Delays {
    /// What the user has set, with nothing seen yet.
    pub const fn set(set: Duration) -> Delays {
        Delays { set, usual: Duration::ZERO, greatest: Duration::ZERO }
    }
}

/// The default overhead: the time that a move takes to reach its receiver.
pub const OVERHEAD: Duration = Duration::from_millis(10);

/// The number of moves that the time is shared among, if the number of moves to go is unknown. Games are
/// longer, but the first moves after the opening decide them, and the increment serves the last.
const EXPECTED_MOVES: u32 = 19;

/// The number of moves that the clock must last for on a machine so busy that each move costs more than
/// the increment, however little is thought.
const LONG_GAME: u32 = 40;

/// The time that is kept for unforeseen delays: when the clock has no more, a move gets next to nothing.
const RESERVE: Duration = Duration::from_millis(100);

/// The part of a clock that a move gets even then, so that no clock is too short to play with, and the
/// most of it.
const LEAST_PART: u32 = 20;
const LEAST: Duration = Duration::from_millis(2);

/// A year: a clock with more counts as one with this much.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The own moves that will need time in a game whose ending is solved, with this number of moves left of both
/// sides: half of them, without the last ones, which are solved in a moment. At least two: the other side may
/// have to pass.
#[must_use]
pub fn moves_that_need_time(left: u32) -> u32 {
    /// The own moves of an ending that is solved within a second.
    const SOLVED: u32 = 7;
    (left / 2).saturating_sub(SOLVED).max(2)
}

impl TimePlan {
    /// The plan for a move within these limits, where moves cost as much besides the thinking.
    pub fn new(limits: &GoLimits, delays: Delays) -> TimePlan {
        // What many moves will cost, and what a single one may cost.
        let overhead = delays.set.max(delays.usual).min(LONGEST);
        let margin = overhead.max(delays.greatest);
        if let Some(time) = limits.move_time {
            let hard = time.saturating_sub(margin.min(time / 2));
            return TimePlan { soft: Some(hard), hard: Some(hard) };
        }
        let Some(clock) = limits.clock else { return TimePlan::default() };
        let left = clock.left.min(LONGEST);
        let increment = clock.increment.min(LONGEST);
        let drain = delays.usual.saturating_sub(delays.set.max(increment)).min(LONGEST) * LONG_GAME;
        let usable = left.saturating_sub(margin).saturating_sub(RESERVE).saturating_sub(drain);
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES * 2);
        // The time that there will be for these moves, less the overhead of each.
        let all = usable + increment * (moves - 1);
        let all = all.saturating_sub(overhead * (moves - 1));
        // The last move before more time is added may use nearly all of it; no other move may use
        // much more than its share.
        let share = all / moves;
        let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
        let least = (left.saturating_sub(overhead) / LEAST_PART).min(LEAST);
        let hard = (share * 4).min(most).max(least);
        // The last iteration is cut short more often than not, so none begins after most of the
        // share.
        let soft = (share * 8 / 10).max(least / 2).min(hard);
        TimePlan { soft: Some(soft), hard: Some(hard) }
    }

    /// Moves the soft limit after `used` time was spent in vain: at least half of the time up to it
    /// is then left, but it never moves past the hard limit.
    pub(super) fn begin_again(&mut self, used: Duration) {
        let moved = |soft: Duration| soft.max(used + soft / 2);
        self.soft = self.soft.map(moved).map(|soft| soft.min(self.hard.unwrap_or(soft)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// An attempt at solving leaves time to search, and the hard limit does not move.
    #[test]
    fn a_plan_begins_again_within_its_hard_limit() {
        let plan = TimePlan { soft: Some(ms(70)), hard: Some(ms(400)) };
        for (used, soft) in [(0, 70), (30, 70), (50, 85), (200, 235), (390, 400)] {
            let mut again = plan;
            again.begin_again(ms(used));
            assert_eq!(again, TimePlan { soft: Some(ms(soft)), ..plan }, "{used}");
        }
        let mut endless = TimePlan::default();
        endless.begin_again(ms(5));
        assert_eq!(endless, TimePlan::default());
    }

    /// No plan, for however odd a clock, lasts longer than the clock less the overhead.
    #[test]
    fn the_clock_never_runs_out() {
        let lefts = [0, 1, 2, 5, 9, 10, 11, 20, 50, 99, 100, 1_000, 2_000, 60_000, 3_600_000];
        let increments = [0, 1, 20, 100, 1_000, 60_000];
        let moves = [None, Some(0), Some(1), Some(2), Some(3), Some(10), Some(40), Some(u32::MAX)];
        for left in lefts {
            for increment in increments {
                for moves_to_go in moves {
                    for overhead in [0, 1, 10, 100, 5_000] {
                        let (left, overhead) = (ms(left), ms(overhead));
                        let clock = Clock { left, increment: ms(increment), moves_to_go };
                        let limits = GoLimits { clock: Some(clock), ..GoLimits::default() };
                        let plan = TimePlan::new(&limits, Delays::set(overhead));
                        let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                        let context = format!("{clock:?} {overhead:?}: {plan:?}");
                        assert!(soft <= hard, "{context}");
                        assert!(hard <= left.saturating_sub(overhead), "{context}");
                        if left > overhead * 100 {
                            assert!(soft >= (left / 200).min(LEAST / 2), "{context}");
                        }
                    }
                }
            }
        }
    }

    /// A whole game, every move taking all that its plan allows, is never lost on time.
    #[test]
    fn whole_games_are_never_lost_on_time() {
        for (start, increment, session) in [
            (2_000, 20, None),
            (1_000, 0, None),
            (10_000, 0, Some(40)),
            (100, 10, None),
            (50, 0, None),
        ] {
            let mut left = ms(start);
            for number in 0..200 {
                let moves_to_go = session.map(|moves| moves - number % moves);
                let clock = Clock { left, increment: ms(increment), moves_to_go };
                let plan = TimePlan::new(
                    &GoLimits { clock: Some(clock), ..GoLimits::default() },
                    Delays::set(OVERHEAD),
                );
                // The move takes half of the overhead to reach its receiver.
                let way = if left > OVERHEAD { OVERHEAD / 2 } else { Duration::ZERO };
                left = left.checked_sub(plan.hard.unwrap() + way).expect("the clock ran out");
                left += ms(increment);
                if moves_to_go == Some(1) {
                    left += ms(start);
                }
            }
        }
    }

    /// A clock that has it keeps a tenth of a second, and what the machine was seen to take, for the
    /// next delay: however long the moves take, it is touched only by a moment at a time.
    #[test]
    fn a_tenth_of_a_second_is_kept() {
        for margin in [10, 50, 200] {
            for left in [110, 150, 200, 400, 1_000, 5_000] {
                let clock = Clock { left: ms(left), increment: ms(10), moves_to_go: None };
                let limits = GoLimits { clock: Some(clock), ..GoLimits::default() };
                let delays = Delays { greatest: ms(margin), ..Delays::set(ms(10)) };
                let hard = TimePlan::new(&limits, delays).hard.unwrap();
                let kept = ms(left).checked_sub(hard).unwrap();
                let context = format!("{left} {margin}: {hard:?}");
                assert!(kept >= ms(100 + margin) || hard <= LEAST, "{context}");
            }
        }
    }

    /// A game on a machine that takes more for every move than the increment brings, and now and then much
    /// more: the clock lasts for a long game, though every fourth move takes all that its plan allows.
    #[test]
    fn a_busy_machine_loses_no_game_on_time() {
        for (start, increment) in [(1_000, 10), (2_000, 20), (3_000, 5)] {
            let mut left = ms(start);
            for number in 0..60 {
                let clock = Clock { left, increment: ms(increment), moves_to_go: None };
                let limits = GoLimits { clock: Some(clock), ..GoLimits::default() };
                // It is learnt in the first few moves.
                let (usual, greatest) = if number < 5 { (ms(0), ms(0)) } else { (ms(20), ms(90)) };
                let plan = TimePlan::new(&limits, Delays { usual, greatest, set: OVERHEAD });
                let thinking = if number % 4 == 3 { plan.hard } else { plan.soft }.unwrap();
                let cost = if number % 10 == 9 { ms(60) } else { ms(13) };
                let context = format!("{start}+{increment}, move {number}, {left:?}, {plan:?}");
                left = left.checked_sub(thinking + cost).expect(&context);
                left += ms(increment);
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_up_to_the_overhead() {
        for (time, overhead, expected) in [(1_000, 10, 990), (10, 10, 5), (0, 10, 0), (5, 0, 5)] {
            let limits = GoLimits { move_time: Some(ms(time)), ..GoLimits::default() };
            assert_eq!(TimePlan::new(&limits, Delays::set(ms(overhead))).hard, Some(ms(expected)));
        }
        assert_eq!(TimePlan::new(&GoLimits::default(), Delays::set(OVERHEAD)), TimePlan::default());
    }
}
