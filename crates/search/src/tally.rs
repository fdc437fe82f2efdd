//! The counts of a search, and the limits that stop it.
//!
//! A [`Tally`] knows nothing of trees: it is plain numbers, compiled once for all searches.
//! Counting a node is an increment and one comparison with a checkpoint. Everything else (the
//! clock, the flag, the bytes) is checked only when a checkpoint is reached.

use std::sync::Arc;
use std::time::{Duration, Instant};

use plyground_core::cpu_time::thread_cpu_time;
use plyground_core::limits::{Limits, Stop};
use plyground_core::memory;

use crate::SearchError;
use crate::parallel::Team;

/// Limits that do not depend on the counts are checked this often, in nodes.
pub(crate) const INTERVAL: u64 = 1024;

/// They are also checked this often in positions of quiescence: a single leaf may have many.
const QUIESCENCE_INTERVAL: u64 = 16 * INTERVAL;

/// The counts of one context of a search, and what it may still use.
pub(crate) struct Tally {
    limits: Limits,
    started: Instant,
    /// The CPU time of this thread when the search began, once the system has been asked for it: `None`
    /// inside if it does not say. And the CPU time of other threads since.
    started_cpu: Option<Option<Duration>>,
    pub(crate) others_cpu: Duration,
    pub(crate) evaluations: u64,
    pub(crate) expansions: u64,
    pub(crate) answered: u64,
    pub(crate) quiescence: u64,
    pub(crate) calls: u64,
    pub(crate) researches: u64,
    /// The children of all expanded nodes.
    pub(crate) children: u64,
    /// Limits are checked when the counts reach these; the first one also stands where a turn ends.
    leaf_checkpoint: u64,
    quiescence_checkpoint: u64,
    node_checkpoint: u64,
    answer_checkpoint: u64,
    /// The evaluations at which limits are checked, and those at which the turn of a process ends, if processes
    /// take turns.
    limit_checkpoint: u64,
    turn_end: u64,
    /// The other contexts, if several threads search together.
    pub(crate) team: Option<Arc<Team>>,
    /// The counts that this context may reach with what it has drawn from the team's limits.
    drawn_leaves: u64,
    drawn_visits: u64,
    /// How long threads had nothing to do.
    pub(crate) idle: Duration,
    /// The most entries that one process held.
    pub(crate) peak_process: u64,
    /// The terminal count of a simulated search, where it is not the number of evaluations.
    pub(crate) ticks: Option<u64>,
    /// What a simulated search has paid for besides leaves, in thousandths of a leaf.
    pub(crate) costs: u64,
    /// Bytes held by the lists of a best-first algorithm.
    pub(crate) list_bytes: usize,
    pub(crate) peak_open: u64,
    pub(crate) peak_backup: u64,
    /// Nodes of a solution tree that an algorithm keeps for itself.
    pub(crate) peak_stored: u64,
    /// Bytes of the memory that does not grow: the table.
    pub(crate) fixed_bytes: usize,
    /// The bytes that the system had left before the search took any.
    left_before: Option<u64>,
    /// The expansions at which the system is asked again what it has left.
    next_look: u64,
    /// Why the threads of the search could not be had.
    pub(crate) refused_threads: Option<SearchError>,
}

/// The system is first asked what it has left after this many expansions.
const FIRST_LOOK: u64 = 1 << 14;

/// More bytes than an expansion takes, in any game.
const EXPANSION_BYTES: u64 = 16 << 10;

/// What a search leaves to others.
const SPARED_BYTES: u64 = 8 << 20;

impl Tally {
    /// A tally of nothing; the time runs from now on.
    pub(crate) fn new(limits: Limits) -> Tally {
        Tally {
            limits,
            started: Instant::now(),
            started_cpu: None,
            others_cpu: Duration::ZERO,
            evaluations: 0,
            expansions: 0,
            answered: 0,
            quiescence: 0,
            calls: 0,
            researches: 0,
            children: 0,
            leaf_checkpoint: 0,
            quiescence_checkpoint: 0,
            node_checkpoint: 0,
            answer_checkpoint: 0,
            limit_checkpoint: 0,
            turn_end: u64::MAX,
            team: None,
            drawn_leaves: 0,
            drawn_visits: 0,
            idle: Duration::ZERO,
            peak_process: 0,
            ticks: None,
            costs: 0,
            list_bytes: 0,
            peak_open: 0,
            peak_backup: 0,
            peak_stored: 0,
            fixed_bytes: 0,
            left_before: None,
            next_look: FIRST_LOOK,
            refused_threads: None,
        }
    }

    /// The tally of another context of the same search, which belongs to `team`.
    pub(crate) fn fork(&self, team: &Arc<Team>) -> Tally {
        let mut fork = Tally::new(self.limits.clone());
        fork.started = self.started;
        fork.fixed_bytes = self.fixed_bytes;
        fork.left_before = self.left_before;
        fork.team = Some(Arc::clone(team));
        fork
    }

    /// Adds what another context counted.
    pub(crate) fn join(&mut self, other: &Tally) {
        self.evaluations += other.evaluations;
        self.expansions += other.expansions;
        self.answered += other.answered;
        self.quiescence += other.quiescence;
        self.calls += other.calls;
        self.researches += other.researches;
        self.children += other.children;
        self.costs += other.costs;
        self.peak_process = self.peak_process.max(other.peak_process);
        self.peak_open = self.peak_open.max(other.peak_open);
        self.peak_backup = self.peak_backup.max(other.peak_backup);
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time since the search began.
    pub(crate) fn time(&self) -> Duration {
        self.started.elapsed()
    }

    /// The CPU time of the search, if the system says: that of the calling thread, which began it, and of
    /// those that have joined it.
    ///
    /// Asking for a thread's clock is a call of the system, which a small search would notice. So the clock
    /// is first asked at the second checkpoint, and up to there the time counts as CPU time.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let own = match self.started_cpu {
            Some(started) => thread_cpu_time()?.saturating_sub(started?),
            None => self.time(),
        };
        Some(own + self.others_cpu)
    }

    /// Asks for the CPU time at which the search began, if it has not been asked for.
    pub(crate) fn start_cpu_clock(&mut self) {
        if self.started_cpu.is_none() {
            self.started_cpu =
                Some(thread_cpu_time().map(|now| now.saturating_sub(self.started.elapsed())));
        }
    }

    /// Leaves out what has passed since these times of the search.
    pub(crate) fn leave_out_since(&mut self, time: Duration, cpu: Option<Duration>) {
        let passed = self.time().saturating_sub(time);
        self.started += passed;
        // The clock of a thread is a call of the system: a small search would notice it.
        if passed < Duration::from_micros(20) {
            return;
        }
        if let (Some(now), Some(then), Some(Some(started))) =
            (self.cpu_time(), cpu, &mut self.started_cpu)
        {
            *started += now.saturating_sub(then);
        }
    }

    /// The share of a simulated search's time in which this many processors had nothing to do.
    pub(crate) fn idle_share(&self, processors: Option<usize>) -> f64 {
        let busy = self.evaluations as f64 + self.costs as f64 / 1000.0;
        let ticks = self.ticks.unwrap_or(self.evaluations) as f64;
        let all = ticks * processors.unwrap_or(1) as f64;
        if all > 0.0 { (1.0 - busy / all).max(0.0) } else { 0.0 }
    }

    /// All entries into nodes.
    pub(crate) fn visits(&self) -> u64 {
        self.evaluations + self.expansions + self.answered
    }

    /// Counts one evaluation. `held` gives the bytes that the memory takes; it is called only at a
    /// checkpoint.
    #[inline(always)]
    pub(crate) fn count_evaluation(&mut self, held: impl FnOnce() -> usize) -> Result<(), Stop> {
        if self.evaluations >= self.leaf_checkpoint || self.quiescence >= self.quiescence_checkpoint
        {
            self.check_leaf_limit(held())?;
        }
        self.evaluations += 1;
        Ok(())
    }

    /// Begins the turn of a process, which may evaluate this many leaves.
    pub(crate) fn begin_turn(&mut self, leaves: u64) {
        self.turn_end = self.evaluations.saturating_add(leaves);
        self.leaf_checkpoint = self.limit_checkpoint.min(self.turn_end);
    }

    /// How many leaves may still be evaluated in this turn.
    pub(crate) fn leaves_left(&self) -> u64 {
        self.turn_end - self.evaluations
    }

    /// May a leaf be evaluated in this turn? The first comparison is the one that counting it begins with.
    #[inline(always)]
    pub(crate) fn may_evaluate(&self) -> bool {
        self.evaluations < self.leaf_checkpoint || self.may_evaluate_beyond()
    }

    /// The same at a checkpoint.
    #[cold]
    #[inline(never)]
    fn may_evaluate_beyond(&self) -> bool {
        self.evaluations < self.turn_end
    }

    /// Counts one expansion.
    #[inline(always)]
    pub(crate) fn count_expansion(&mut self, held: impl FnOnce() -> usize) -> Result<(), Stop> {
        if self.expansions >= self.node_checkpoint {
            self.check_limits(held())?;
        }
        self.expansions += 1;
        Ok(())
    }

    /// How many expansions may follow before limits must be checked again; at least one. For searches
    /// that count in registers and report by [`count_burst`](Tally::count_burst).
    #[inline]
    pub(crate) fn next_burst(&mut self, held: impl FnOnce() -> usize) -> Result<u64, Stop> {
        if self.expansions >= self.node_checkpoint {
            self.check_limits(held())?;
        }
        // The last expansions before a limit come one by one.
        Ok(self.node_checkpoint.saturating_sub(self.expansions).max(1))
    }

    /// Counts the expansions of a burst and the children that were generated in it.
    #[inline]
    pub(crate) fn count_burst(&mut self, expansions: u64, children: u64) {
        self.expansions += expansions;
        self.children += children;
    }

    /// Checks the limits now, whatever the counts: for a thread that waits.
    pub(crate) fn check_while_waiting(&mut self, held: usize) -> Result<(), Stop> {
        self.give_back_shares();
        self.check_limits(held)
    }

    /// Stops the search at this many visits, whatever its limit was.
    pub(crate) fn stop_at(&mut self, visits: u64) {
        self.limits.nodes = Some(visits);
        (self.leaf_checkpoint, self.limit_checkpoint) = (0, 0);
        self.node_checkpoint = 0;
        self.answer_checkpoint = 0;
    }

    /// Notes that this context's thread has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        if let Some(team) = &self.team {
            team.has_waited(since);
        }
    }

    /// Counts a node that the memory answers for.
    #[inline(always)]
    pub(crate) fn count_answer(&mut self, held: impl FnOnce() -> usize) -> Result<(), Stop> {
        if self.answered >= self.answer_checkpoint {
            self.check_limits(held())?;
        }
        self.answered += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check_leaf_limit(&mut self, held: usize) -> Result<(), Stop> {
        if self.limits.leaves.is_some() && self.evaluations >= self.leaves_allowed() {
            return Err(Stop::Leaves);
        }
        self.check_limits(held)
    }

    /// The evaluations that this context may reach, by the limit on leaves.
    fn leaves_allowed(&mut self) -> u64 {
        let Some(team) = &self.team else { return self.limits.leaves.unwrap_or(u64::MAX) };
        if self.evaluations >= self.drawn_leaves {
            self.drawn_leaves = self.evaluations + team.draw_leaves();
        }
        self.drawn_leaves
    }

    /// The visits that this context may reach, by the limit on nodes.
    fn visits_allowed(&mut self) -> u64 {
        let Some(team) = &self.team else { return self.limits.nodes.unwrap_or(u64::MAX) };
        let visits = self.evaluations + self.expansions + self.answered;
        if visits >= self.drawn_visits {
            self.drawn_visits = visits + team.draw_visits();
        }
        self.drawn_visits
    }

    /// Stops the search if a limit is reached, else sets the next checkpoints: no later than any
    /// limit that depends on the counts can be reached.
    #[cold]
    #[inline(never)]
    fn check_limits(&mut self, held: usize) -> Result<(), Stop> {
        if let Some(stop) = self.team.as_ref().and_then(|team| team.stopped()) {
            return Err(stop);
        }
        let mut interval = INTERVAL;
        if self.limits.nodes.is_some() {
            let (visits, most) = (self.visits(), self.visits_allowed());
            if visits >= most {
                return Err(Stop::Nodes);
            }
            // Leaves, expansions and answers have separate counts: each may use a third of the
            // rest.
            interval = interval.min((most - visits) / 3);
        }
        if self.limits.flag.is_raised() {
            return Err(Stop::Flag);
        }
        if self.limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            return Err(Stop::Time);
        }
        if self.limits.bytes.is_some() {
            self.check_bytes(held)?;
            interval = interval.min(16);
        }
        if self.expansions >= self.next_look {
            self.look_for_room(held)?;
        }
        if self.visits() > 0 {
            self.start_cpu_clock();
        }
        self.node_checkpoint = self.expansions + interval;
        self.answer_checkpoint = self.answered + interval;
        if self.limits.leaves.is_some() {
            interval = interval.min(self.leaves_allowed().saturating_sub(self.evaluations));
        }
        self.limit_checkpoint = self.evaluations + interval;
        self.leaf_checkpoint = self.limit_checkpoint.min(self.turn_end);
        self.quiescence_checkpoint = self.quiescence + QUIESCENCE_INTERVAL;
        Ok(())
    }

    /// Stops the search if the lists and the memory, which takes `held` bytes, exceed the limit.
    pub(crate) fn check_bytes(&self, held: usize) -> Result<(), Stop> {
        match self.limits.bytes {
            Some(most) if held + self.list_bytes_now() > most => Err(Stop::Bytes),
            _ => Ok(()),
        }
    }

    fn list_bytes_now(&self) -> usize {
        self.team.as_ref().map_or(self.list_bytes, |team| team.bytes())
    }

    /// Stops the search if the system has not enough memory left for it to go on. An allocation that
    /// fails would end the program, and what a search holds is not all that it takes; so the system is
    /// asked, the more often the less it has left.
    #[cold]
    fn look_for_room(&mut self, held: usize) -> Result<(), Stop> {
        let growing = (held + self.list_bytes_now()).saturating_sub(self.fixed_bytes) as u64;
        let Some(left) = (growing > 0).then(memory::left).flatten() else {
            self.next_look = self.expansions + FIRST_LOOK;
            return Ok(());
        };
        let taken = self.left_before.get_or_insert(left + growing).saturating_sub(left);
        // A list that is full moves to one twice as large.
        if left / 4 * 3 < taken + SPARED_BYTES {
            return Err(Stop::Memory);
        }
        let threads = self.team.as_ref().map_or(1, |team| team.threads());
        self.next_look = self.expansions + left / (4 * EXPANSION_BYTES * threads);
        Ok(())
    }

    /// Notes that a best-first algorithm now holds this many states on OPEN and entries on BACKUP.
    #[inline]
    pub(crate) fn count_entries(&mut self, open: u64, backup: u64) {
        self.peak_open = self.peak_open.max(open);
        self.peak_backup = self.peak_backup.max(backup);
    }

    /// Notes that a best-first algorithm now holds this many states on OPEN, entries on BACKUP, and
    /// bytes; `held` gives the bytes of the memory.
    #[inline]
    pub(crate) fn holds(
        &mut self,
        open: u64,
        backup: u64,
        bytes: usize,
        held: impl FnOnce() -> usize,
    ) -> Result<(), Stop> {
        self.count_entries(open, backup);
        if bytes > self.list_bytes {
            self.list_bytes = bytes;
            self.check_bytes(held())?;
        }
        Ok(())
    }

    /// Gives back what this context has drawn from the limits and not used, before it sleeps.
    pub(crate) fn give_back_shares(&mut self) {
        let Some(team) = &self.team else { return };
        let visits = self.evaluations + self.expansions + self.answered;
        team.give_back_leaves(self.drawn_leaves.saturating_sub(self.evaluations));
        team.give_back_visits(self.drawn_visits.saturating_sub(visits));
        self.drawn_leaves = self.drawn_leaves.min(self.evaluations);
        self.drawn_visits = self.drawn_visits.min(visits);
        // It draws again before it counts again.
        (self.leaf_checkpoint, self.limit_checkpoint) = (0, 0);
        self.node_checkpoint = 0;
        self.answer_checkpoint = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_with_its_leaves_and_limits_hold_in_it() {
        let mut tally = Tally::new(Limits { leaves: Some(3), ..Limits::default() });
        tally.begin_turn(2);
        for left in [2, 1] {
            assert!(tally.may_evaluate() && tally.leaves_left() == left);
            tally.count_evaluation(|| 0).unwrap();
        }
        assert!(!tally.may_evaluate());
        tally.begin_turn(2);
        assert!(tally.may_evaluate());
        tally.count_evaluation(|| 0).unwrap();
        assert!(tally.may_evaluate());
        assert_eq!(tally.count_evaluation(|| 0), Err(Stop::Leaves));
    }
}
