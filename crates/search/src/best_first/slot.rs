//! A slot: a child of an expanded MAX node, that is a MIN node of the solution tree.

use plyground_core::value::Value;

use super::frames::FrameId;
use super::runs::{NO_RUN, Run, RunSpace};

/// The state of an opened slot. The *current child* of a MIN node is the one that is being
/// searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotState {
    /// The current child, a MAX node, is SOLVED.
    SolvedMax,
    /// The MIN node itself is SOLVED.
    SolvedMin,
    /// The current child is expanded; its frame.
    Expanded(FrameId),
    /// The MIN node is LIVE: INACTIVE before it was expanded, or just ACTIVE again; its merit.
    LiveMin(Value),
    /// The current child, a MAX node, is LIVE: INACTIVE, or just ACTIVE again; its merit.
    LiveMax(Value),
    /// Another process searches the MIN node, or a partition that has this slot.
    Delegated,
    /// Another process has SOLVED a partition; the number of the child that has the merit.
    Returned(u32),
    /// The state has left OPEN for good.
    Gone,
}

impl SlotState {
    /// The merit of a state, INACTIVE or not; `merit` is the one by which its slot is chosen.
    pub(crate) fn merit(self, merit: Value) -> Value {
        match self {
            SlotState::LiveMin(h) | SlotState::LiveMax(h) => h,
            _ => merit,
        }
    }
}

/// The numbers of frames and children in a state are below this.
pub(crate) const MOST_NUMBERS: u32 = 1 << 29;

/// What is kept of an opened slot, besides its merit.
///
/// There may be millions. So a state is one word, and a MIN node is its moves, its current child and no
/// position: that is one move away from the position of the MAX node above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The kind of state, and its number.
    state: u32,
    /// The number of the MIN node's current child.
    pub(crate) child: u32,
    /// The MIN node's moves, if they are kept.
    pub(crate) moves: Run,
    /// How many children the MIN node has; 0 if it is a leaf or not expanded.
    pub(crate) width: u32,
}

const SOLVED_MAX: u32 = 0;
const SOLVED_MIN: u32 = 1;
const EXPANDED: u32 = 2;
const LIVE_MIN: u32 = 3;
const LIVE_MAX: u32 = 4;
const DELEGATED: u32 = 5;
const RETURNED: u32 = 6;
const GONE: u32 = 7;

const KIND_SHIFT: u32 = 29;

impl Slot {
    /// A slot without a MIN node.
    #[inline]
    pub(crate) fn new(state: SlotState) -> Slot {
        let mut slot = Slot { state: 0, child: 0, moves: NO_RUN, width: 0 };
        slot.set_state(state);
        slot
    }

    #[inline]
    pub(crate) fn set_state(&mut self, state: SlotState) {
        let (kind, number) = match state {
            SlotState::SolvedMax => (SOLVED_MAX, 0),
            SlotState::SolvedMin => (SOLVED_MIN, 0),
            SlotState::Expanded(below) => (EXPANDED, below),
            SlotState::LiveMin(_) => (LIVE_MIN, 0),
            SlotState::LiveMax(_) => (LIVE_MAX, 0),
            SlotState::Delegated => (DELEGATED, 0),
            SlotState::Returned(child) => (RETURNED, child),
            SlotState::Gone => (GONE, 0),
        };
        debug_assert!(number < MOST_NUMBERS);
        self.state = kind << KIND_SHIFT | number;
    }

    /// The state; `h` gives the merit of a LIVE one.
    #[inline]
    pub(crate) fn state(&self, h: impl FnOnce() -> Value) -> SlotState {
        let number = self.state & (MOST_NUMBERS - 1);
        match self.state >> KIND_SHIFT {
            SOLVED_MAX => SlotState::SolvedMax,
            SOLVED_MIN => SlotState::SolvedMin,
            EXPANDED => SlotState::Expanded(number),
            LIVE_MIN => SlotState::LiveMin(h()),
            LIVE_MAX => SlotState::LiveMax(h()),
            DELEGATED => SlotState::Delegated,
            RETURNED => SlotState::Returned(number),
            _ => SlotState::Gone,
        }
    }

    /// The frame of its current child, if that is expanded.
    #[inline]
    pub(crate) fn below(&self) -> Option<FrameId> {
        (self.state >> KIND_SHIFT == EXPANDED).then_some(self.state & (MOST_NUMBERS - 1))
    }

    /// The number of the child that has the merit, if another process has SOLVED a partition.
    #[inline]
    pub(crate) fn returned(&self) -> Option<usize> {
        let number = self.state & (MOST_NUMBERS - 1);
        (self.state >> KIND_SHIFT == RETURNED).then_some(number as usize)
    }

    #[inline]
    pub(crate) fn is_live_min(&self) -> bool {
        self.state >> KIND_SHIFT == LIVE_MIN
    }

    pub(crate) fn is_live(&self) -> bool {
        matches!(self.state >> KIND_SHIFT, LIVE_MIN | LIVE_MAX)
    }

    /// Gives the places of the MIN node's moves back, if it has any.
    #[inline]
    pub(super) fn forget_moves(&mut self, space: &mut RunSpace) {
        if self.moves != NO_RUN {
            space.release(self.moves, self.width as usize);
            self.moves = NO_RUN;
        }
    }

    /// Is there an expanded MIN node?
    #[inline]
    pub(crate) fn has_min(&self) -> bool {
        self.width > 0
    }
}
