//! The recursion: is the score above `alpha`?
//!
//! Every search here has a null window. Scores are even, so the question "above `alpha`?" with an
//! even `alpha` leaves nothing between the answers. What a position is asked for depends on how many
//! squares are empty, since a question must cost less than the search it may save:
//!
//! * up to 4 empties: `last`, by hand;
//! * up to [`FEW`]: legal moves in the order of quadrant parity, and stability;
//! * up to [`MIDDLE`]: the table, and moves ordered by what they leave the opponent;
//! * above: enhanced transposition cut-offs, and moves ordered by shallow searches as well.
//!
//! The last kind also asks whether to stop; the others are over in a few milliseconds.

use std::time::Instant;

use arrayvec::ArrayVec;

use super::Memory;
use super::crew::Hand;
use super::evaluate::SCALE;
use super::last::{odd_quadrants, score_of};
use super::order::REMEMBERED;
use super::table::{Known, Table};
use crate::othello::{Board, Edges, Instructions, Square};
use plyground_core::limits::StopFlag;

/// The most empties searched with parity as the only order.
const FEW: u32 = 6;
/// The most empties remembered in the table near the end.
const NEAR: u32 = 10;
/// The most empties searched without looking ahead and without asking whether to stop.
const MIDDLE: u32 = 11;
/// The least empties at which forward pruning asks, and how deep it looks.
const PRUNE_FROM: u32 = 13;
const PRUNE_DEPTH: u32 = 3;
/// Below any score.
const NO_SCORE: i32 = -65;

/// The search was told to stop: its result so far means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    Stopped,
    Nodes,
    Time,
    /// Another thread has made it pointless.
    Cut,
}

/// When to give up.
#[derive(Clone, Copy)]
pub(super) struct Patience<'a> {
    pub flag: &'a StopFlag,
    pub nodes: u64,
    pub until: Option<Instant>,
}

/// Forward pruning: a position is given up if a guess is so far beyond the window (ProbCut).
#[derive(Clone, Copy)]
pub(super) struct Pruning {
    /// Which of the margins, so that bounds found with one are not taken for another's.
    pub level: u32,
    /// In the evaluator's units.
    pub margin: i32,
}

/// The state of one search.
pub(super) struct Search<'a, I> {
    pub instructions: I,
    pub memory: &'a Memory,
    /// Exact bounds near the end, of this thread alone.
    pub near: &'a Table,
    /// `None` if there is only one thread.
    pub hand: Option<Hand<'a>>,
    pub edges: &'static Edges,
    pub patience: Patience<'a>,
    pub pruning: Option<Pruning>,
    /// Positions entered, the last empties included.
    pub nodes: u64,
    /// The number of nodes at which to look at the clock again.
    pub look: u64,
}

/// A move and the board it leads to, seen by the next mover.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub worth: i32,
    pub square: u32,
    pub mover: u64,
    pub other: u64,
}

/// The moves of a position. No board has more moves than squares, however strange it is.
pub(super) type Candidates = ArrayVec<Candidate, 64>;

impl<'a, I: Instructions> Search<'a, I> {
    /// Whether the score is above `alpha`: if the result is, it is a lower bound, else an upper one.
    #[inline(always)]
    pub(super) fn above(&mut self, player: u64, opponent: u64, alpha: i32) -> Result<i32, Halt> {
        self.above_with(player, opponent, alpha, (!(player | opponent)).count_ones())
    }

    /// The same with the number of empties.
    #[inline(always)]
    pub(super) fn above_with(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<i32, Halt> {
        if empties > MIDDLE {
            self.many(player, opponent, alpha, empties)
        } else {
            Ok(self.exact(player, opponent, alpha, empties))
        }
    }

    /// As [`above`](Self::above), for at most [`MIDDLE`] empties.
    #[inline(always)]
    fn exact(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        match empties {
            0..=3 => self.ending(player, opponent),
            4 => self.four(player, opponent, alpha),
            5..=FEW => self.few(player, opponent, alpha, empties),
            _ => self.middle(player, opponent, alpha, empties),
        }
    }

    /// Fewer than four empties at the root: plain negamax.
    fn ending(&mut self, player: u64, opponent: u64) -> i32 {
        self.nodes += 1;
        let mut moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return score_of(player, opponent);
            }
            return -self.ending(opponent, player);
        }
        let mut best = NO_SCORE;
        while moves != 0 {
            let (mover, other) = self.play(player, opponent, moves.trailing_zeros());
            moves &= moves - 1;
            best = best.max(-self.ending(mover, other));
        }
        best
    }

    #[inline(always)]
    fn few(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.instructions.enter(Self::few_body, self, player, opponent, alpha, empties)
    }

    #[inline(always)]
    fn few_body(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(player, opponent, alpha, empties) {
            return score;
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return score_of(player, opponent);
            }
            return -self.few(opponent, player, -alpha - 1, empties);
        }
        let odd = odd_quadrants(!(player | opponent));
        let mut best = NO_SCORE;
        for mut set in [moves & odd, moves & !odd] {
            while set != 0 {
                let square = set.trailing_zeros();
                set &= set - 1;
                let (mover, other) = self.play(player, opponent, square);
                let score = -if empties == 5 {
                    self.four(mover, other, -alpha - 1)
                } else {
                    self.few(mover, other, -alpha - 1, empties - 1)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    #[inline(always)]
    fn middle(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.instructions.enter(Self::middle_body, self, player, opponent, alpha, empties)
    }

    #[inline(always)]
    fn middle_body(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(player, opponent, alpha, empties) {
            return score;
        }
        let board = Board::from_words(player, opponent);
        let table = self.exact_table(empties);
        let mut first = [None; 2];
        if let Some(known) = table.find(&board) {
            if let Some(score) = decided(&known, alpha) {
                return score;
            }
            first = known.best;
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return score_of(player, opponent);
            }
            return -self.middle(opponent, player, -alpha - 1, empties);
        }
        let mut candidates = Candidates::new();
        if !self.candidates(player, opponent, moves, first, &mut candidates) {
            return 64;
        }
        let (mut best, mut best_square) = (NO_SCORE, 0);
        for place in 0..candidates.len() {
            let Candidate { square, mover, other, .. } = pick(&mut candidates, place);
            let score = -self.exact(mover, other, -alpha - 1, empties - 1);
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        table.store(&board, empties, alpha, best, Square::new(best_square as usize));
        best
    }

    #[inline(always)]
    fn many(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> Result<i32, Halt> {
        self.instructions.enter(Self::many_body, self, player, opponent, alpha, empties)
    }

    #[inline(always)]
    fn many_body(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<i32, Halt> {
        self.enter_node()?;
        if let Some(score) = self.stability_cut(player, opponent, alpha, empties) {
            return Ok(score);
        }
        // What is known. Bounds found with one margin of forward pruning are none with another.
        let board = Board::from_words(player, opponent);
        let (table, depth) = match self.pruning {
            Some(Pruning { level, .. }) => (&self.memory.hints, level << 6 | empties),
            None => (&self.memory.far, empties),
        };
        let mut first = [None; 2];
        if let Some(known) = table.find(&board) {
            if known.depth == depth
                && let Some(score) = decided(&known, alpha)
            {
                return Ok(score);
            }
            first = known.best;
        }
        if self.pruning.is_none() && first[0].is_none() {
            first = self.memory.hints.find(&board).map_or(first, |known| known.best);
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return Ok(score_of(player, opponent));
            }
            return Ok(-self.many(opponent, player, -alpha - 1, empties)?);
        }
        if let Some(score) = self.prune(player, opponent, alpha, empties)? {
            return Ok(score);
        }
        let (replies, reply_depth) = if empties - 1 > MIDDLE {
            (table, depth - 1)
        } else {
            (self.exact_table(empties - 1), empties - 1)
        };
        let mut candidates = Candidates::new();
        if !self.candidates(player, opponent, moves, first, &mut candidates) {
            return Ok(64);
        }
        // Enhanced transposition cut-off: a move whose board is already known to be good enough.
        for &Candidate { square, mover, other, .. } in &candidates {
            if let Some(known) = replies.find(&Board::from_words(mover, other))
                && known.depth == reply_depth
                && -known.upper > alpha
            {
                table.store(&board, depth, alpha, -known.upper, Square::new(square as usize));
                return Ok(-known.upper);
            }
        }
        if candidates.len() > 1 {
            self.look_ahead(&mut candidates, empties)?;
        }
        let (mut best, mut best_square) = (NO_SCORE, 0);
        for place in 0..candidates.len() {
            if place > 0 && self.shares(empties, candidates.len() - place) {
                let so_far = (best, best_square);
                (best, best_square) =
                    self.share(&mut candidates[place..], alpha, empties, so_far)?;
                break;
            }
            let Candidate { square, mover, other, .. } = pick(&mut candidates, place);
            let score = -self.above_with(mover, other, -alpha - 1, empties - 1)?;
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        table.store(&board, depth, alpha, best, Square::new(best_square as usize));
        Ok(best)
    }

    /// With forward pruning, the likely answer if a guess is far enough beyond the window.
    #[inline(always)]
    fn prune(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<Option<i32>, Halt> {
        let Some(Pruning { margin, .. }) = self.pruning else { return Ok(None) };
        if empties < PRUNE_FROM {
            return Ok(None);
        }
        let high = (alpha + 1) * SCALE + margin;
        if self.guess(player, opponent, high - 1, high, PRUNE_DEPTH)? >= high {
            return Ok(Some((alpha + 2) & !1));
        }
        let low = alpha * SCALE - margin;
        if self.guess(player, opponent, low, low + 1, PRUNE_DEPTH)? <= low {
            return Ok(Some(alpha & !1));
        }
        Ok(None)
    }

    /// The table of exact bounds for so many empties.
    #[inline(always)]
    fn exact_table(&self, empties: u32) -> &'a Table {
        if empties <= NEAR { self.near } else { &self.memory.far }
    }

    /// Counts a position, and now and then asks whether to stop.
    #[inline(always)]
    pub(super) fn enter_node(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes >= self.look { self.look() } else { Ok(()) }
    }

    /// Fills the list of moves with their boards and a first ordering; false if a move takes all of
    /// the opponent's discs, which wins everything.
    #[inline(always)]
    pub(super) fn candidates(
        &mut self,
        player: u64,
        opponent: u64,
        moves: u64,
        first: [Option<Square>; 2],
        list: &mut Candidates,
    ) -> bool {
        let odd = odd_quadrants(!(player | opponent));
        let [best, second] = first.map(|square| square.map_or(64, |square| square.index() as u32));
        let mut set = moves;
        while set != 0 {
            let square = set.trailing_zeros();
            set &= set - 1;
            let (mover, other) = self.play(player, opponent, square);
            if mover == 0 {
                return false;
            }
            let worth = if square == best {
                REMEMBERED + 1
            } else if square == second {
                REMEMBERED
            } else {
                self.quick_worth(mover, other, square, odd)
            };
            list.push(Candidate { worth, square, mover, other });
        }
        true
    }

    #[inline(always)]
    pub(super) fn play(&self, player: u64, opponent: u64, square: u32) -> (u64, u64) {
        let flips = self.instructions.flips(square as usize, player, opponent);
        (opponent ^ flips, player ^ flips ^ 1 << (square & 63))
    }

    /// If the opponent's stable discs alone keep the score down to `alpha`: the bound they give.
    #[inline(always)]
    pub(super) fn stability_cut(
        &self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Option<i32> {
        // With fewer discs than would have to be stable there is nothing to count.
        if alpha < STABILITY_FROM[empties as usize & 63]
            || 64 - 2 * (opponent.count_ones() as i32) > alpha
        {
            return None;
        }
        let bound = 64 - 2 * self.edges.stable(opponent, player).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Looks at the stop flag, the count and the clock.
    #[cold]
    pub(super) fn look(&mut self) -> Result<(), Halt> {
        if self.patience.flag.is_raised() {
            return Err(Halt::Stopped);
        }
        let most = self.patience.nodes;
        let nodes = match &mut self.hand {
            None => self.nodes,
            Some(hand) if hand.is_cut() => return Err(Halt::Cut),
            Some(hand) => hand.add(self.nodes),
        };
        if nodes >= most {
            return Err(Halt::Nodes);
        }
        if self.patience.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Halt::Time);
        }
        self.look = self.nodes + (most - nodes).min(2_000);
        Ok(())
    }
}

/// With so many empties, the least `alpha` at which stable discs are worth counting.
static STABILITY_FROM: [i32; 64] = {
    let mut from = [99; 64];
    let mut empties = 4;
    while empties < 64 {
        let value = 2 * empties as i32 - 2;
        from[empties] = if value < 54 { value } else { 54 };
        empties += 1;
    }
    from
};

/// The score that a table's bounds decide the question with, if they do.
#[inline(always)]
fn decided(known: &Known, alpha: i32) -> Option<i32> {
    if known.lower > alpha {
        Some(known.lower)
    } else if known.upper <= alpha {
        Some(known.upper)
    } else {
        None
    }
}

/// Moves the best of the candidates from `place` on to `place`, and returns it.
#[inline(always)]
pub(super) fn pick(candidates: &mut Candidates, place: usize) -> Candidate {
    let mut best = place;
    for other in place + 1..candidates.len() {
        if candidates[other].worth > candidates[best].worth {
            best = other;
        }
    }
    candidates.swap(place, best);
    candidates[place]
}
