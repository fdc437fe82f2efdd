//! What a process may hold: M entries of memory, and what is told to the crew.

use super::minproc::Desk;
use super::process::{Process, Turn};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::winner_tree::NOTHING;
use crate::outcome::MemoryLock;
use crate::parallel::team::Holds;
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Turn<'_, '_, T, M> {
    /// A state belongs to the process at `desk` from now on, though that has not begun.
    pub(super) fn hand_over(&self, desk: &Desk) {
        self.hold(desk.holds(1), 1);
    }

    /// Kills a process and all that it has started. Their states are on no OPEN any more, though it
    /// may be a while before they see it.
    pub(super) fn kill(&self, desk: &Desk) {
        self.hold(self.minproc.kill(desk), 0);
    }

    /// Others held so many states, and hold so many now.
    fn hold(&self, before: usize, after: usize) {
        if let Some(team) = &self.search.tally.team {
            let states = |open| Holds { open, ..Holds::default() };
            team.holds(states(before), states(after));
        }
    }
}

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Do `sons` entries fit in the place of the state in hand?
    pub(super) fn fits(&mut self, turn: &Turn<'_, '_, T, M>, sons: usize) -> bool {
        self.widest = self.widest.max(sons);
        turn.rules.entries.is_none_or(|entries| self.tree.frames.open - 1 + sons as u64 <= entries)
    }

    pub(super) fn is_too_wide(
        &mut self,
        turn: &Turn<'_, '_, T, M>,
        sons: Option<&Children<T, M>>,
    ) -> bool {
        turn.rules.is_bounded() && sons.is_some_and(|sons| !self.fits(turn, sons.len()))
    }

    /// ⌈d/2⌉(b - 1) + 1
    fn enough(&self, turn: &Turn<'_, '_, T, M>) -> u64 {
        u64::from(turn.search.depth.div_ceil(2)) * (self.widest as u64 - 1) + 1
    }

    pub(super) fn may_exceed(&self, turn: &Turn<'_, '_, T, M>) -> bool {
        turn.rules.entries.is_none_or(|entries| entries >= self.enough(turn))
    }

    pub(super) fn locked(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Stop {
        turn.search.lock = Some(MemoryLock {
            entries: turn.rules.entries.unwrap_or(u64::MAX),
            held: self.tree.frames.open,
            inactive: self.tree.frames.inactive(TOP),
            width: self.widest as u64,
            depth: turn.search.depth,
            least: self.enough(turn),
        });
        Stop::Locked
    }

    pub(super) fn reactivate(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: usize,
    ) {
        if let Some(min) = self.tree.nodes(block).min(slot) {
            turn.search.emit(&min.n, || Event::Activity { active: true });
        }
        self.tree.frames.take_up(block, slot);
        self.tree.frames.report_up_to_top(block);
        self.path.truncate(1);
        turn.changed = true;
    }

    /// With no ACTIVE state left: waits for what is away (`true`) and gives away INACTIVE ones while
    /// others have room, or takes up the deepest INACTIVE state.
    pub(super) fn nothing_is_active(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
    ) -> Result<bool, Stop> {
        self.publish(turn, NOTHING);
        if !self.away.is_empty() {
            if self.unshared && turn.minproc.free() > 0 && self.share(turn, None) {
                return Ok(false);
            }
            self.waits = Some((TOP, NOTHING));
            return Ok(true);
        }
        match self.tree.frames.deepest_inactive(TOP) {
            Some((block, slot)) if self.may_exceed(turn) => {
                self.reactivate(turn, block, slot);
                Ok(false)
            }
            _ => Err(self.locked(turn)),
        }
    }

    /// What it holds: not what is away.
    #[inline]
    fn holds(&self, turn: &Turn<'_, '_, T, M>) -> Holds {
        let backup = if turn.rules.is_bounded() { 0 } else { self.tree.frames.backup as usize };
        let open = self.tree.frames.open as usize - self.away.len();
        Holds { open, backup, bytes: self.tree.bytes() }
    }

    /// What it holds has grown.
    #[inline]
    pub(super) fn count(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Result<(), Stop> {
        let peak = &mut turn.search.tally.peak_process;
        *peak = (*peak).max(self.tree.frames.open);
        let now = self.holds(turn);
        let grown = now.bytes > self.held.bytes;
        let step = turn.rules.count_step;
        if grown || now.open > self.held.open + step || now.open + 2 * step < self.held.open {
            self.hold(turn, now);
        }
        if grown {
            turn.search.check_bytes()?;
        }
        Ok(())
    }

    /// States go to others or have come from them, or others go on while it pauses: what it holds is
    /// told as it is, so that two are never thought to hold the same.
    pub(super) fn count_exactly(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        let now = self.holds(turn);
        self.hold(turn, now);
    }

    fn hold(&mut self, turn: &mut Turn<'_, '_, T, M>, mut now: Holds) {
        if self.desk.is_killed() {
            now.open = 0;
        }
        self.held.open = self.desk.holds(now.open);
        if let Some(team) = &turn.search.tally.team {
            team.holds(self.held, now);
            self.held = now;
        }
    }

    /// The process is over: it holds nothing any more.
    pub(super) fn leave(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        self.hold(turn, Holds::default());
    }
}
