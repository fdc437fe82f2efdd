//! The steps of a selective search, each on a switch of its own.

use serde::{Deserialize, Serialize};

/// Which steps a selective search takes. All are on unless a profile's `[play]` says otherwise; a
/// step that the game has no use for (no null move in Othello) does nothing there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Selective {
    /// Values from the table count at equal or greater depth.
    pub table: bool,
    /// At the horizon captures are played out; without it, a position there is worth what it is at
    /// first sight.
    pub quiescence: bool,
    /// Moves are generated and chosen in stages: captures that lose nothing by the exchange, quiet
    /// moves by what was learnt of them, captures that lose. Without it they come in the tree's own
    /// order, after the table's move.
    pub stages: bool,
    /// An ending that can be played out in time is solved.
    pub solver: bool,
    /// A side that stands well may pass; if that is still good enough, so is a move.
    pub null_move: bool,
    /// A position is not searched deeply if shallower searches foretell that it misses the window.
    pub multi_probcut: bool,
    /// Late quiet moves are searched less deep, and again if they turn out well.
    pub reductions: bool,
    /// Near the horizon, quiet moves that can hardly reach the window are left out.
    pub futility: bool,
    /// Near the horizon, a position far above the window is not searched.
    pub reverse_futility: bool,
    /// Near the horizon, a position far below the window gets a quiescence search only.
    pub razoring: bool,
    /// Near the horizon, quiet moves that come late are left out.
    pub late_moves: bool,
    /// Near the horizon, moves that lose material at first sight are left out.
    pub exchanges: bool,
    /// A position whose side to move is threatened is searched a ply deeper.
    pub checks: bool,
    /// A position with a single move is searched a ply deeper.
    pub forced: bool,
    /// A position where doing nothing would be answered with mate is searched a ply deeper.
    pub mate_threats: bool,
    /// A position whose table entry has a move far better than all others is searched deeper there.
    pub singular: bool,
    /// A position of which the table knows no move is searched a ply less deep.
    pub hesitation: bool,
    /// An iteration begins with a narrow window around the value of the one before.
    pub aspiration: bool,
}

impl Selective {
    /// Every step.
    pub const ALL: Selective = Selective {
        table: true,
        quiescence: true,
        stages: true,
        solver: true,
        null_move: true,
        multi_probcut: true,
        reductions: true,
        futility: true,
        reverse_futility: true,
        razoring: true,
        late_moves: true,
        exchanges: true,
        checks: true,
        forced: true,
        mate_threats: true,
        singular: true,
        hesitation: true,
        aspiration: true,
    };

    /// A full-width search with quiescence at the horizon, and nothing else.
    pub const NONE: Selective = Selective {
        table: false,
        quiescence: true,
        stages: true,
        solver: false,
        null_move: false,
        multi_probcut: false,
        reductions: false,
        futility: false,
        reverse_futility: false,
        razoring: false,
        late_moves: false,
        exchanges: false,
        checks: false,
        forced: false,
        mate_threats: false,
        singular: false,
        hesitation: false,
        aspiration: false,
    };

    /// These steps without those that may overlook something: for a mate that has to be found as
    /// soon as it is within the depth.
    #[must_use]
    pub const fn full_width(self) -> Selective {
        Selective {
            table: self.table,
            quiescence: self.quiescence,
            stages: self.stages,
            checks: self.checks,
            forced: self.forced,
            aspiration: self.aspiration,
            ..Selective::NONE
        }
    }
}

impl Default for Selective {
    fn default() -> Selective {
        Selective::ALL
    }
}
