//! The trait that carries every problem of one player.
//!
//! A *state space* is all that one player can bring about: its states are what the world can look
//! like, an action leads from a state to a successor and costs something, and some states are goals.
//! Searching it answers which actions lead from the start to a goal at the least total cost. There
//! is no opponent, so there are no sides, no windows and no minimax value; for those see
//! [`tree`](crate::tree).
//!
//! [`StateSpace`] is implemented on the *problem* (the rules, the instance, the tables of its
//! heuristic), not on a state, just as a [`GameTree`](crate::tree::GameTree) is not a position.

use std::fmt;

/// What actions cost, and estimates of it. Costs are whole numbers.
pub type Cost = u32;

/// More than any path costs: a sum of costs stays below it, and an estimate may be added without an
/// overflow.
pub const UNREACHABLE: Cost = Cost::MAX / 2;

/// A problem of one player: states, actions with costs, goals, and an estimate of the way that is
/// left.
///
/// Some words first, for those who have not written a solver before. To *expand* a state is to
/// *generate* its successors, one for each action. The cost of the path from the start to a state n
/// is g(n). The *heuristic* h(n) estimates the cost from n to the nearest goal. So f(n) = g(n) +
/// h(n) estimates a whole solution through n, and a search expands states with small f first. A
/// heuristic that never overestimates is *admissible*, and then the first solution of A\* is an
/// *optimal* one: none costs less.
///
/// Six functions say what the problem is:
///
/// ```
/// use plyground_core::space::{Cost, StateSpace};
///
/// /// A number that is to become 1: halve it if it is even, or add or take 1.
/// struct Halving(u64);
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// enum Step { Halve, Up, Down }
///
/// impl StateSpace for Halving {
///     type State = u64;
///     type Action = Step;
///     type Actions = std::vec::IntoIter<Step>;
///
///     fn start(&self) -> u64 {
///         self.0
///     }
///     fn is_goal(&self, &n: &u64) -> bool {
///         n == 1
///     }
///     /// No action does more than halve.
///     fn heuristic(&self, &n: &u64) -> Cost {
///         n.checked_ilog2().unwrap_or(1)
///     }
///     fn actions(&self, &n: &u64, last: Option<Step>) -> Self::Actions {
///         let mut actions = Vec::new();
///         if n > 0 && n % 2 == 0 {
///             actions.push(Step::Halve);
///         }
///         // A step up takes a step down back, and the other way round.
///         if last != Some(Step::Down) {
///             actions.push(Step::Up);
///         }
///         if last != Some(Step::Up) && n > 0 {
///             actions.push(Step::Down);
///         }
///         actions.into_iter()
///     }
///     fn successor(&self, &n: &u64, step: Step) -> (u64, Cost) {
///         match step {
///             Step::Halve => (n / 2, 1),
///             Step::Up => (n + 1, 1),
///             Step::Down => (n - 1, 1),
///         }
///     }
///     fn key(&self, &n: &u64) -> u64 {
///         n
///     }
/// }
///
/// /// Iterative deepening in ten lines: is there a solution for at most `left`?
/// fn within<S: StateSpace>(space: &S, state: &S::State, last: Option<S::Action>, left: Cost) -> bool {
///     space.is_goal(state)
///         || space.actions(state, last).any(|action| {
///             let (child, cost) = space.successor(state, action);
///             cost + space.heuristic(&child) <= left
///                 && within(space, &child, Some(action), left - cost)
///         })
/// }
///
/// // 15, 16, 8, 4, 2, 1 is shorter than 15, 14, 7, 6, 3, 2, 1.
/// let problem = Halving(15);
/// assert_eq!((0..).find(|&bound| within(&problem, &15, None, bound)), Some(5));
/// ```
///
/// The searches share one problem between threads: hence `Sync`.
pub trait StateSpace: Sync {
    /// A state, with whatever makes its heuristic cheap: a search copies states, and asks for the
    /// estimate of each. A puzzle keeps the estimate in its state and changes it with each action.
    ///
    /// Two states are equal if everything that can follow is the same. How a state was reached is no
    /// part of it.
    type State: Clone + Eq + Send + Sync;

    /// An action, small enough to copy freely.
    type Action: Copy + Eq + Send + Sync + fmt::Debug;

    /// The actions of one state, one after the other. A search holds as many of these as its path is
    /// long, so it should be a few bytes: a packed list, a range, a set of bits.
    type Actions: Iterator<Item = Self::Action> + Clone + Send;

    /// The state where the search begins.
    fn start(&self) -> Self::State;

    /// Does the problem end here?
    fn is_goal(&self, state: &Self::State) -> bool;

    /// An estimate of the least cost from `state` to a goal, which must not be above it (it is
    /// *admissible*); 0 at a goal.
    ///
    /// If no action lowers it by more than the action costs, it is *consistent* as well, and A\*
    /// never expands a state twice. The greater the estimate, the less there is to search.
    fn heuristic(&self, state: &Self::State) -> Cost;

    /// The actions that are possible in `state`, in the problem's own order.
    ///
    /// `last` is the action that led here, if the search knows it. An action that would only take it
    /// back should be left out, for no solution needs it: a search that keeps no states would else
    /// go back and forth.
    fn actions(&self, state: &Self::State, last: Option<Self::Action>) -> Self::Actions;

    /// The state after `action`, which is one of the [actions](StateSpace::actions) of `state`, and
    /// what the action costs: at least 1, so that a bound on the cost is one on the length too.
    fn successor(&self, state: &Self::State, action: Self::Action) -> (Self::State, Cost);

    /// A hash of the state. Searches that keep states compare them as well, so two states with one
    /// key cost time and nothing else.
    fn key(&self, state: &Self::State) -> u64;

    /// The costs of any two solutions differ by a multiple of this. In the 15-puzzle it is 2, for
    /// every move changes the parity of the board.
    fn cost_step(&self) -> Cost {
        1
    }
}
