//! What a playing engine asks of a game beyond the tree itself.

use super::{GameTree, MoveList};
use crate::value::{Value, Window};

/// How many [correction keys](PlayTree::correction_keys) a position has.
pub const CORRECTIONS: usize = 3;

/// A game tree that can be played *selectively*.
///
/// The laboratory's searches look at every move to the same depth, and are compared by how much of
/// the tree they need for its exact value. A playing engine has a clock instead. It looks deeper
/// where much happens, leaves out what can hardly matter, and needs to know more of the game for
/// that: which moves are captures, which side is in check, what a position is worth without looking
/// further.
///
/// Every item has a default that is safe: `impl PlayTree for MyGame {}` is a game that is played
/// well, if not as well as it could be. The questions are asked at every node of a search, so
/// answers must be quick; an exact answer that takes long is worth less than a good guess.
///
/// Values in play lie within ±[`LEAST_MATE`](crate::value::LEAST_MATE), but for mates.
pub trait PlayTree: GameTree {
    /// What the margins of the search count in: what a small but real advantage is worth, as a pawn
    /// in chess or a disc in Othello. At least 1.
    ///
    /// A step that leaves out hopeless moves has to know how far behind is hopeless, and the
    /// evaluation alone knows its own scale. The default, 100, suits evaluations in hundredths of a
    /// pawn. With a unit that is too small, the search overlooks more; with one that is too large,
    /// it prunes less.
    const UNIT: Value = 100;

    /// Is a position that comes again a draw?
    ///
    /// If so, the search compares keys along the path to a node and takes a repetition for a draw:
    /// it can hold a lost game by perpetual check, and does not walk in circles when it wins. With
    /// the default, `false`, it does not look; that is right where no position can come again, as
    /// in Othello.
    const REPEATS: bool = false;

    /// How many of the last moves before `node` could be undone by further moves: a position
    /// farther back than that cannot be the same. In chess these are the plies since the last
    /// capture or pawn move. Asked only where the game [repeats](PlayTree::REPEATS); with the
    /// default, 0, no repetition is found.
    #[inline]
    fn reversible(&self, _node: &Self::Node) -> u32 {
        0
    }

    /// Is the game drawn at `node` although there are moves, as by the rule of fifty moves or for
    /// want of material? Such rules depend on the way to a position, so the laboratory's searches
    /// do not know them. With the default, `false`, only a list without moves ends a game.
    #[inline]
    fn is_drawn(&self, _node: &Self::Node) -> bool {
        false
    }

    /// Is the side to move in check: must it answer a threat to the game itself?
    ///
    /// Then nothing is quiet. The search looks a ply deeper, takes no static evaluation for granted
    /// and prunes no move. With the default, `false`, no position is special in this way.
    #[inline]
    fn in_check(&self, _node: &Self::Node) -> bool {
        false
    }

    /// Will the other side be [in check](PlayTree::in_check) after `mv`? Such moves are not pruned.
    /// The default makes the move and looks, which is right but slow; a game with checks should
    /// know without making the move.
    #[inline]
    fn gives_check(&self, node: &Self::Node, mv: Self::Move) -> bool {
        self.in_check(&self.child(node, mv))
    }

    /// Does the side to move have a single move? Such a position is searched a ply deeper, since it
    /// costs nothing: there is nothing to choose from. `false`, the default, is always allowed, and
    /// also right where it would take long to find out.
    #[inline]
    fn is_forced(&self, _node: &Self::Node) -> bool {
        false
    }

    /// The position if the side to move did nothing, a *null move*.
    ///
    /// If a side stands so well that even doing nothing is good enough, a real move will be good
    /// enough too, and a shallow search of the null move saves a deep one of all moves. `None`
    /// where doing nothing is against the rules, as in check, or where it may well be better than
    /// any move (*zugzwang*), since the reasoning is false there. The default, `None` everywhere,
    /// goes without.
    #[inline]
    fn null_move(&self, _node: &Self::Node) -> Option<Self::Node> {
        None
    }

    /// What `node` is worth at first sight, without any search: the *static evaluation*, for a side
    /// to move that is not [in check](PlayTree::in_check).
    ///
    /// The search compares it with its window to decide which nodes deserve more work. The default
    /// asks [`evaluate`](GameTree::evaluate), which is too slow if that plays out captures first.
    #[inline]
    fn static_eval(&self, node: &Self::Node) -> Value {
        self.evaluate(node)
    }

    /// Numbers that tell apart what positions have in common for a long time, such as their pawns, each
    /// spread over all its bits. Positions that share such a number are misjudged alike, so the search
    /// learns from the values it finds how far the [static evaluation](PlayTree::static_eval) is off
    /// and corrects it (*correction history*). `None`, the default, where nothing is to be learnt.
    #[inline]
    fn correction_keys(&self, _node: &Self::Node) -> Option<[u64; CORRECTIONS]> {
        None
    }

    /// What `node` is worth at the horizon of play: as [`quiesce`](GameTree::quiesce), but free to
    /// look at more where the window asks for it, as at checks near the value in question. The
    /// laboratory needs the same value for the same leaf each time; play does not. The default is
    /// [`quiesce`](GameTree::quiesce) itself.
    #[inline]
    fn quiesce_in_play(&self, node: &Self::Node, window: Window, nodes: &mut u64) -> Value {
        self.quiesce(node, window, nodes)
    }

    /// The move of `node` with this code, if it has one.
    ///
    /// A search remembers the best move of a position by its [code](GameTree::code), and tries that
    /// move before it generates any other. The code may come from a different position by accident,
    /// so it has to be checked. The default generates all moves and looks; a game that can check
    /// one move alone saves the work at most nodes.
    fn find_move(&self, node: &Self::Node, code: u16) -> Option<Self::Move> {
        let mut moves = Self::Moves::default();
        self.moves(node, &mut moves);
        (0..moves.len()).map(|index| moves.at(index)).find(|&mv| self.code(mv) == code)
    }

    /// Is `mv` *quiet*: does it leave the balance of the game as it is, as a capture or a promotion
    /// does not?
    ///
    /// Quiet moves are many and most of them matter little; they are ordered by their histories,
    /// searched less deep when they come late, and pruned first. Everything else is *noisy*. With
    /// the default all moves are quiet. A game that says otherwise here must also bring
    /// [`noisy_moves`](PlayTree::noisy_moves) and [`quiet_moves`](PlayTree::quiet_moves) that
    /// agree: the search generates moves by these two, and each move must be in exactly one of
    /// them.
    #[inline]
    fn is_quiet(&self, _node: &Self::Node, _mv: Self::Move) -> bool {
        true
    }

    /// Fills `moves`, which arrives empty, with the moves of `node` that are not
    /// [quiet](PlayTree::is_quiet), the best ones first.
    ///
    /// Those that [lead](MoveList::leading) the list lose nothing and are tried before the quiet
    /// moves, the others after them; so a list that does not tell them apart (`Vec`) has them all
    /// tried last. The default fills in nothing.
    #[inline]
    fn noisy_moves(&self, _node: &Self::Node, _moves: &mut Self::Moves) {}

    /// Fills `moves`, which arrives empty, with the [quiet](PlayTree::is_quiet) moves of `node`.
    /// Their order decides between moves of equal score only. The default fills in all moves.
    #[inline]
    fn quiet_moves(&self, node: &Self::Node, moves: &mut Self::Moves) {
        self.moves(node, moves);
    }

    /// How good a quiet move looks at first sight.
    ///
    /// Quiet moves are tried in the order of this score plus the move's histories, which lie within
    /// ±25,000 altogether: a few thousand have a say without drowning what the search learns. More
    /// than half a million in either direction is not allowed. With the default, 0, histories alone
    /// decide.
    #[inline]
    fn quiet_score(&self, _node: &Self::Node, _mv: Self::Move) -> i32 {
        0
    }

    /// Does `mv` lose more than `loss` in the exchange of captures that follows on its square?
    ///
    /// This is *static exchange evaluation* (SEE): both sides capture on one square with their
    /// least valuable piece first, and stop when it does not pay any more. Near the horizon, moves
    /// that lose much by it are left out. With the default, `false`, none are.
    #[inline]
    fn see_below(&self, _node: &Self::Node, _mv: Self::Move, _loss: Value) -> bool {
        false
    }

    /// How shallow searches of `node` predict one of `depth` plies, the shallowest first: for
    /// *multi-probcut*, which leaves out a deep search whose result a shallow one makes nearly
    /// certain.
    ///
    /// Empty, as by default, where nothing was measured, or where the end of the game is so near
    /// that nothing should be left to chance. Predictions come from statistics over many positions;
    /// in chess they are too uncertain to pay.
    #[inline]
    fn probcut_forecasts(&self, _node: &Self::Node, _depth: u32) -> &[Forecast] {
        &[]
    }
}

/// How a shallow search of a node predicts a deeper one: the deep value is about `slope` times the
/// shallow one, plus `offset`, with errors that are normally distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The depth of the shallow search, in plies.
    pub depth: u32,
    /// The factor of the shallow value: above 0.
    pub slope: f32,
    /// What is added to the product.
    pub offset: f32,
    /// The standard deviation of the error.
    pub error: f32,
}
