//! What a process may hold, M entries of memory, and what the team counts as held.

use super::minproc::MinprocEntry;
use super::process::{Process, Turn};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::merits::NOTHING;
use crate::outcome::MemoryLock;
use crate::parallel::team::Holds;
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Turn<'_, '_, T, M> {
    /// Counts a state for the process of `entry` from now on, although that has not begun yet.
    pub(super) fn count_handed_over(&self, entry: &MinprocEntry) {
        self.hold(entry.holds(1), 1);
    }

    /// Kills a process and all that it has started. Their states no longer count as on OPEN,
    /// although the processes may take a while to notice.
    pub(super) fn kill(&mut self, entry: &MinprocEntry) {
        self.cost += self.settings.costs.message;
        self.hold(self.minproc.kill(entry), 0);
    }

    /// Notes that other processes held `before` states, and hold `after` now.
    fn hold(&self, before: usize, after: usize) {
        if let Some(team) = &self.search.tally.team {
            let states = |open| Holds { open, ..Holds::default() };
            team.holds(states(before), states(after));
        }
    }
}

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Is M enough by the formula? Only then may it be exceeded by a few entries.
    pub(super) fn may_exceed(&self, turn: &Turn<'_, '_, T, M>) -> bool {
        self.capacity.may_be_exceeded(turn.search.depth)
    }

    /// Ends the search with a memory lock.
    pub(super) fn locked(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Stop {
        let lock = MemoryLock {
            entries: self.capacity.entries(),
            held: self.tree.frames.open,
            inactive: self.tree.frames.inactive(TOP),
            width: self.capacity.widest(),
            depth: turn.search.depth,
            least: self.capacity.least(turn.search.depth),
        };
        turn.search.failure = Some(lock.into());
        Stop::Locked
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(super) fn reactivate(&mut self, turn: &mut Turn<'_, '_, T, M>, id: FrameId, slot: usize) {
        if let Some(min) = self.tree.min(turn.search, id, slot) {
            turn.search.emit(&min.n, || Event::Activity { active: true });
        }
        self.tree.frames.reactivate(id, slot);
        self.tree.frames.report_up_to_top(id);
        self.path.truncate(1);
        turn.changed = true;
    }

    /// What to do with no ACTIVE state left. While states are delegated, the process waits for them
    /// (`true`), unless it can delegate INACTIVE ones too. Otherwise the deepest INACTIVE state
    /// becomes ACTIVE.
    pub(super) fn wait_or_reactivate(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
    ) -> Result<bool, Stop> {
        self.publish(turn, NOTHING);
        if !self.delegated.is_empty() {
            if self.may_share && turn.minproc.free() > 0 && self.share(turn, None) {
                return Ok(false);
            }
            self.waits = Some((TOP, NOTHING));
            return Ok(true);
        }
        match self.tree.frames.deepest_inactive(TOP) {
            Some((id, slot)) if self.may_exceed(turn) => {
                self.reactivate(turn, id, slot);
                Ok(false)
            }
            _ => Err(self.locked(turn)),
        }
    }

    /// What the process holds, without the states that it has delegated.
    #[inline]
    fn holds(&self, turn: &Turn<'_, '_, T, M>) -> Holds {
        // Without partitions, BACKUP would have nothing to say.
        let backup = if turn.settings.phased { self.tree.frames.backup as usize } else { 0 };
        let open = self.tree.frames.open as usize - self.delegated.len();
        Holds { open, backup, bytes: self.tree.bytes() }
    }

    /// Counts what the process holds. The team is told only of large changes, and of more bytes: what one process
    /// holds is at any rate a part of what all hold.
    #[inline]
    pub(super) fn count(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Result<(), Stop> {
        let frames = &self.tree.frames;
        let open = frames.open as usize - self.delegated.len();
        let backup = if turn.settings.phased { frames.backup as usize } else { 0 };
        let tally = &mut turn.search.tally;
        tally.peak_process = tally.peak_process.max(frames.open);
        tally.count_entries(open as u64, backup as u64);
        let (growth, step) = (frames.growth(), turn.settings.count_step);
        if growth == self.growth
            && open.abs_diff(self.held.open) <= step
            && backup.abs_diff(self.held.backup) <= step
        {
            return Ok(());
        }
        let grown = growth != self.growth;
        self.growth = growth;
        self.count_exactly(turn);
        if grown {
            if self.tree.frames.is_full() {
                return Err(Stop::Memory);
            }
            turn.search.check_bytes()?;
        }
        Ok(())
    }

    /// Tells the team exactly what the process holds: when states go to other processes or come
    /// back, and when the process pauses. So no state is counted for two processes.
    pub(super) fn count_exactly(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        let now = self.holds(turn);
        self.hold(turn, now);
    }

    fn hold(&mut self, turn: &mut Turn<'_, '_, T, M>, mut now: Holds) {
        if self.entry.is_killed() {
            now.open = 0;
        }
        self.held.open = self.entry.holds(now.open);
        if let Some(team) = &turn.search.tally.team {
            team.holds(self.held, now);
            self.held = now;
        }
    }

    /// Notes that the process has ended and holds nothing any more.
    pub(super) fn leave(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        self.hold(turn, Holds::default());
    }
}
