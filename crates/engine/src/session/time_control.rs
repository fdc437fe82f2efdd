//! Time control of a selective search: stops it by the plan, and passes its reports on.

use std::time::{Duration, Instant};

use super::clock::TimePlan;
use super::{ThinkProgress, ThinkReport, ThinkRequest};
use plyground_core::limits::Stop;
use plyground_core::value::{LEAST_MATE, MATE, Value};
use plyground_search::play::{CHECK_INTERVAL, PlayControl, PlayIteration, PlayLine};
use plyground_search::table::TranspositionTable;

/// Until one iteration is finished, nothing stops the search before this many nodes. They take less
/// than a millisecond, and a move that was searched once is much better than one that was not.
const FIRST_NODES: u64 = 2_000;

/// When less than this is left before the hard limit, the clock is looked at more often.
const LAST_MOMENT: Duration = Duration::from_millis(4);

/// The nodes between two looks at the clock then.
const LAST_INTERVAL: u64 = CHECK_INTERVAL / 8;

/// The part of the planned time, in tenths, that is used if the best move has been the same for 0,
/// 1, 2, … iterations.
const STABILITY: [u32; 6] = [17, 13, 10, 9, 8, 7];

/// A value that falls by more than this gets more time.
const VALUE_DROP: Value = 30;

/// Controls the time of one search.
pub(super) struct TimeManager<'a, M> {
    request: &'a ThinkRequest<M>,
    plan: TimePlan,
    started: Instant,
    /// When the own clock started; `None` while the engine ponders.
    running: Option<Instant>,
    /// Is there only one legal move?
    only_move: bool,
    table: &'a TranspositionTable,
    on_report: &'a mut dyn FnMut(&ThinkReport<'_, M>),
    /// The best move of the last iteration and its value.
    last: Option<(M, Value)>,
    /// For how many iterations the best move has been the same.
    stable: usize,
    /// When the clock was last looked at.
    looked: Instant,
    /// The longest time between two looks.
    longest_gap: Duration,
}

impl<'a, M> TimeManager<'a, M> {
    pub(super) fn new(
        request: &'a ThinkRequest<M>,
        plan: TimePlan,
        started: Instant,
        only_move: bool,
        table: &'a TranspositionTable,
        on_report: &'a mut dyn FnMut(&ThinkReport<'_, M>),
    ) -> Self {
        let running = request.ponder_hit.is_none().then_some(started);
        TimeManager {
            request,
            plan,
            started,
            running,
            only_move,
            table,
            on_report,
            last: None,
            stable: 0,
            looked: Instant::now(),
            longest_gap: Duration::ZERO,
        }
    }

    /// The longest time between two looks at the clock. It is a millisecond or two, unless other programs
    /// had the processor.
    pub(super) fn longest_gap(&self) -> Duration {
        self.longest_gap
    }

    /// How long the own clock has been running; `None` while the engine ponders.
    fn used(&mut self) -> Option<Duration> {
        if self.running.is_none() {
            self.running = self.request.ponder_hit.as_ref()?.made();
        }
        self.running.map(|since| since.elapsed())
    }
}

impl<M: Copy + PartialEq> PlayControl<M> for TimeManager<'_, M> {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        if self.last.is_none() && nodes < FIRST_NODES {
            let left = self.request.limits.nodes.map(|most| most.saturating_sub(nodes));
            return Ok(left.unwrap_or(CHECK_INTERVAL).clamp(1, CHECK_INTERVAL));
        }
        if self.request.stop.is_raised() {
            return Err(Stop::Flag);
        }
        let gap = self.looked.elapsed();
        (self.looked, self.longest_gap) = (self.looked + gap, self.longest_gap.max(gap));
        let mut interval = CHECK_INTERVAL;
        if let Some(most) = self.request.limits.nodes {
            if nodes >= most {
                return Err(Stop::Nodes);
            }
            interval = interval.min(most - nodes);
        }
        if let (Some(used), Some(hard)) = (self.used(), self.plan.hard) {
            let left = hard.saturating_sub(used);
            if left.is_zero() {
                return Err(Stop::Time);
            }
            if left < LAST_MOMENT {
                interval = interval.min(LAST_INTERVAL);
            }
        }
        Ok(interval)
    }

    fn on_line(&mut self, line: PlayLine<'_, M>) {
        let PlayLine { depth, deepest, number, value, bound, nodes, moves } = line;
        let (time, full) = (self.started.elapsed(), self.table.permille_full());
        let progress = ThinkProgress { depth, deepest, number, value, bound, nodes, time, full };
        (self.on_report)(&ThinkReport { progress, line: moves });
    }

    fn continues_after(&mut self, iteration: PlayIteration<M>) -> bool {
        let PlayIteration { depth, best, value, .. } = iteration;
        let (before, fell) = match self.last {
            Some((before, last)) => (before == best, value < last - VALUE_DROP),
            None => (false, false),
        };
        self.stable = if before { self.stable + 1 } else { 0 };
        self.last = Some((best, value));
        let limits = &self.request.limits;
        // The plies to a mate that has been found.
        let mate = (value.abs() >= LEAST_MATE).then(|| (MATE - value.abs()) as u32);
        if let (Some(moves), Some(plies)) = (limits.mate, mate)
            && value > 0
            && plies < moves.saturating_mul(2)
        {
            return false;
        }
        let Some(used) = self.used() else { return true };
        let Some(soft) = self.plan.soft else { return true };
        if limits.clock.is_none() || limits.move_time.is_some() {
            return used < soft;
        }
        // There is no choice, or the search is well past the mate that it has found.
        if self.only_move && depth >= 4 || mate.is_some_and(|plies| depth > plies + 4) {
            return false;
        }
        let mut planned = soft * STABILITY[self.stable.min(STABILITY.len() - 1)] / 10;
        if fell {
            planned = planned * 3 / 2;
        }
        used < planned.min(self.plan.hard.unwrap_or(planned))
    }
}
