//! The steps of play, each with a switch of its own.

use serde::{Deserialize, Serialize};

use crate::parallel::Policy;

/// How the threads of a search in play share it. The table and the histories are common to all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayScheme {
    /// All search the root; a thread puts off a move that another searches, and leaves a node that
    /// another has settled.
    Abdada,
    /// All search the root without a look at each other, every other one a ply ahead.
    LazySmp,
    /// Young brothers wait: a thread without work joins at a node whose first move was searched.
    Ybw,
    /// Dynamic splitting: a thread without work chooses among the nodes that look like ALL nodes, in the
    /// whole tree.
    Dts,
}

impl PlayScheme {
    /// Every scheme, the default first.
    pub const ALL: [PlayScheme; 4] =
        [PlayScheme::Abdada, PlayScheme::LazySmp, PlayScheme::Ybw, PlayScheme::Dts];

    /// Which nodes are shared, if the scheme is of split points: as in the laboratory.
    pub(super) fn policy(self) -> Option<&'static Policy> {
        match self {
            PlayScheme::Abdada | PlayScheme::LazySmp => None,
            PlayScheme::Ybw => Some(&Policy::YOUNG_BROTHERS_WAIT),
            PlayScheme::Dts => Some(&Policy::DYNAMIC_SPLITTING),
        }
    }
}

/// Which steps a search in play takes.
///
/// All are on unless `[play]` in an engine's file says otherwise. A step that the game has no use for
/// (no null move in Othello) does nothing there. Names are those that engines have for these steps,
/// with hyphens in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct PlaySwitches {
    /// Transposition table: values found at an equal or greater depth count, and the best move found
    /// before is tried first.
    pub table: bool,
    /// Quiescence search: at the horizon, captures and the like are played out as far as the window
    /// asks for it. Without it, a position there is worth what
    /// [`evaluate`](plyground_core::tree::GameTree::evaluate) says, as in the laboratory.
    pub quiescence: bool,
    /// Moves are generated and chosen in stages: captures that lose nothing by the exchange, quiet
    /// moves by their histories, captures that lose. Without it they come in the tree's own order,
    /// after the table's move.
    pub staged_move_generation: bool,
    /// An ending that can be played out in time is solved exactly.
    pub solver: bool,
    /// Null move: a side that stands well may do nothing; if that is still good enough, so is a move.
    pub null_move: bool,
    /// Multi-probcut: a position is not searched deeply if shallower searches predict that its value
    /// lies outside the window.
    pub multi_probcut: bool,
    /// Late move reductions: late quiet moves are searched less deep, and again if they turn out well.
    pub late_move_reductions: bool,
    /// Futility pruning: near the horizon, quiet moves that can hardly reach the window are left out.
    pub futility: bool,
    /// Reverse futility pruning: near the horizon, a position far above the window is not searched.
    pub reverse_futility: bool,
    /// Razoring: near the horizon, a position far below the window gets a quiescence search only.
    pub razoring: bool,
    /// Late move pruning: near the horizon, quiet moves that come late are left out.
    pub late_move_pruning: bool,
    /// Pruning by static exchange evaluation (SEE): near the horizon, moves that lose material in the
    /// exchange on their square are left out.
    pub see_pruning: bool,
    /// A position whose side to move is in check is searched a ply deeper.
    pub check_extension: bool,
    /// A position with a single legal move is searched a ply deeper.
    pub one_reply_extension: bool,
    /// A position where a null move would be answered with mate is searched a ply deeper.
    pub mate_threats: bool,
    /// Singular extension: the table's move is searched deeper if it is far better than all others.
    pub singular_extension: bool,
    /// Correction history: the static evaluation is corrected by how far it was off in positions with
    /// the same pawns, or the same pieces of a side.
    pub correction_history: bool,
    /// A position of which the table knows no move is searched a ply less deep.
    pub internal_iterative_reduction: bool,
    /// Aspiration windows: an iteration begins with a narrow window around the value of the one
    /// before.
    pub aspiration: bool,
    /// How several threads share the search. It is no step: one thread alone has no use for it.
    pub scheme: PlayScheme,
}

impl PlaySwitches {
    /// Names that switches had in files once, each with the name it has now.
    pub const RENAMED: &[(&str, &str)] = &[
        ("abdada", "scheme"),
        ("checks", "check-extension"),
        ("exchanges", "see-pruning"),
        ("forced", "one-reply-extension"),
        ("hesitation", "internal-iterative-reduction"),
        ("late-moves", "late-move-pruning"),
        ("reductions", "late-move-reductions"),
        ("singular", "singular-extension"),
        ("stages", "staged-move-generation"),
    ];

    /// Every step.
    pub const ALL: PlaySwitches = PlaySwitches {
        table: true,
        quiescence: true,
        staged_move_generation: true,
        solver: true,
        null_move: true,
        multi_probcut: true,
        late_move_reductions: true,
        futility: true,
        reverse_futility: true,
        razoring: true,
        late_move_pruning: true,
        see_pruning: true,
        check_extension: true,
        one_reply_extension: true,
        mate_threats: true,
        singular_extension: true,
        correction_history: true,
        internal_iterative_reduction: true,
        aspiration: true,
        scheme: PlayScheme::Abdada,
    };

    /// A full-width search with quiescence at the horizon, and nothing else; how threads share it is no
    /// step.
    pub const NONE: PlaySwitches = PlaySwitches {
        table: false,
        quiescence: true,
        staged_move_generation: true,
        solver: false,
        null_move: false,
        multi_probcut: false,
        late_move_reductions: false,
        futility: false,
        reverse_futility: false,
        razoring: false,
        late_move_pruning: false,
        see_pruning: false,
        check_extension: false,
        one_reply_extension: false,
        mate_threats: false,
        singular_extension: false,
        correction_history: false,
        internal_iterative_reduction: false,
        aspiration: false,
        scheme: PlayScheme::Abdada,
    };

    /// These steps without those that may overlook something: for a mate that has to be found as
    /// soon as it is within the depth.
    #[must_use]
    pub const fn full_width(self) -> PlaySwitches {
        PlaySwitches {
            table: self.table,
            quiescence: self.quiescence,
            staged_move_generation: self.staged_move_generation,
            check_extension: self.check_extension,
            one_reply_extension: self.one_reply_extension,
            aspiration: self.aspiration,
            scheme: self.scheme,
            ..PlaySwitches::NONE
        }
    }
}

impl Default for PlaySwitches {
    fn default() -> PlaySwitches {
        PlaySwitches::ALL
    }
}
