//! The depth-first search below a bound on f: one loop for all that search so.
//!
//! IDA*, branch and bound, bounded A*, PIDA* and parallel window search differ in the bounds that they
//! set and in who searches what. The search itself is here. It is a stack of frames in place of a
//! recursion: so it can pause after any number of expansions, go on later, and give a part of its
//! stack away. A frame is a state on the path and the actions that have not been tried there; it is
//! overwritten in place, and nothing is allocated while the stack does not grow.

use plyground_core::space::{Cost, StateSpace};

/// A state on the path, and what is left to try there.
pub(super) struct Frame<S: StateSpace> {
    state: S::State,
    untried: S::Actions,
    g: Cost,
    /// The action that led here; `None` at the start.
    action: Option<S::Action>,
}

impl<S: StateSpace> Clone for Frame<S> {
    fn clone(&self) -> Frame<S> {
        let Frame { state, untried, g, action } = self;
        Frame { state: state.clone(), untried: untried.clone(), g: *g, action: *action }
    }
}

/// Why a depth-first search pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause<A> {
    /// It has come to a goal of this cost by this last action. It may go on behind the goal.
    Goal { cost: Cost, last: A },
    /// It has expanded as many states as it was allowed to.
    Budget,
    /// Everything below the bound has been searched.
    Exhausted,
}

/// What a depth-first search has done since it was last asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

/// A depth-first search that can pause.
pub(super) struct DepthFirst<S: StateSpace> {
    /// The frames up to `top` are the path; what is above was used before.
    frames: Vec<Frame<S>>,
    top: usize,
    /// States with a greater f are cut off.
    pub(super) bound: Cost,
    /// The least f that was cut off: the next bound that makes a difference.
    pub(super) least_cut: Cost,
    done: Done,
    deepest: usize,
}

impl<S: StateSpace> DepthFirst<S> {
    pub(super) fn new() -> DepthFirst<S> {
        DepthFirst {
            frames: Vec::new(),
            top: 0,
            bound: 0,
            least_cut: Cost::MAX,
            done: Done::default(),
            deepest: 0,
        }
    }

    /// Begins below `state`, which was reached by `action` at cost `g` and is no goal. This expands it.
    pub(super) fn begin(
        &mut self,
        space: &S,
        (state, g, action): (S::State, Cost, Option<S::Action>),
        bound: Cost,
    ) {
        let untried = space.actions(&state, action);
        self.done.expanded += 1;
        self.resume(Frame { state, untried, g, action }, bound);
    }

    /// Begins with the actions that are left in a frame, which was expanded elsewhere.
    pub(super) fn resume(&mut self, frame: Frame<S>, bound: Cost) {
        match self.frames.first_mut() {
            Some(first) => *first = frame,
            None => self.frames.push(frame),
        }
        self.top = 0;
        self.deepest = self.deepest.max(1);
        self.bound = bound;
        self.least_cut = Cost::MAX;
    }

    /// Goes on, and expands at most `budget` states.
    #[inline(never)]
    pub(super) fn advance(&mut self, space: &S, budget: u64) -> Pause<S::Action> {
        let (bound, mut least_cut) = (self.bound, self.least_cut);
        let mut top = self.top;
        let mut deepest = self.deepest;
        let mut left = budget;
        let mut generated = 0;
        // What is tried at the top of the path. It stands twice below, for a state that was just reached
        // and for one that the search comes back to: each copy has branches of its own, which the
        // processor predicts better. One copy for both takes a ninth more time on the 15-puzzle.
        macro_rules! try_actions {
            ($path:lifetime) => {
                let [here, below, ..] = &mut self.frames[top..] else {
                    unreachable!("there is room for one more")
                };
                for action in here.untried.by_ref() {
                    let (state, cost) = space.successor(&here.state, action);
                    generated += 1;
                    let g = here.g + cost;
                    let f = g + space.heuristic(&state);
                    if f > bound {
                        least_cut = least_cut.min(f);
                        continue;
                    }
                    if space.is_goal(&state) {
                        break $path Pause::Goal { cost: g, last: action };
                    }
                    let untried = space.actions(&state, Some(action));
                    *below = Frame { state, untried, g, action: Some(action) };
                    top += 1;
                    left -= 1;
                    if left == 0 {
                        break $path Pause::Budget;
                    }
                    continue $path;
                }
            };
        }
        let pause = 'path: loop {
            if top + 1 >= self.frames.len() {
                let filler = self.frames[top].clone();
                self.frames.resize((2 * top).max(64), filler);
            }
            try_actions!('path);
            deepest = deepest.max(top + 1);
            loop {
                if top == 0 {
                    break 'path Pause::Exhausted;
                }
                top -= 1;
                try_actions!('path);
            }
        };
        deepest = deepest.max(top + 1);
        self.top = top;
        self.deepest = deepest;
        self.least_cut = least_cut;
        self.done.expanded += budget - left;
        self.done.generated += generated;
        pause
    }

    /// What was done since the last call.
    pub(super) fn take_done(&mut self) -> Done {
        std::mem::take(&mut self.done)
    }

    /// The actions from where the search began to its top.
    pub(super) fn path(&self) -> impl Iterator<Item = S::Action> {
        self.frames[1..=self.top].iter().filter_map(|frame| frame.action)
    }

    /// The most states that were on the path.
    pub(super) fn deepest(&self) -> u64 {
        self.deepest as u64
    }

    /// The bytes of a path of this many states.
    pub(super) fn bytes(states: u64) -> usize {
        states as usize * size_of::<Frame<S>>()
    }

    /// Gives the untried siblings away that are nearest to the start, with the path to them: the
    /// largest subtrees. What is below the first frame with untried actions stays; a search that has
    /// nothing else gives nothing.
    pub(super) fn split(&mut self) -> Option<(Vec<S::Action>, Frame<S>)> {
        let is_untried = |frame: &Frame<S>| frame.untried.clone().next().is_some();
        let at = self.frames[..self.top].iter().position(is_untried)?;
        let path = self.frames[1..=at].iter().filter_map(|frame| frame.action).collect();
        let given = self.frames[at].clone();
        self.frames[at].untried.by_ref().for_each(drop);
        Some((path, given))
    }
}
