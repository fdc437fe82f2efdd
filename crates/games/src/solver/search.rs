//! The null-window search: is the score above `alpha`?
//!
//! Scores are even, so a null window above an even `alpha` leaves no score between the two answers.
//! How much a node spends on avoiding work depends on how many squares are empty, since whatever is
//! tried must cost less than the search that it may save:
//!
//! * up to 4 empties: the module `last_four`, written out by hand;
//! * up to [`PARITY_MAX_EMPTIES`]: stability cutoffs, and moves in the order of quadrant parity;
//! * up to [`FASTEST_FIRST_MAX_EMPTIES`]: the table too, and moves ordered fastest first;
//! * above: enhanced transposition cutoffs and ProbCut too, moves ordered by shallow searches as
//!   well, and split points for other threads.
//!
//! Only the last kind checks whether to stop; the others end within a few milliseconds.

use std::time::Instant;

use arrayvec::ArrayVec;

use super::Memory;
use super::evaluate::SCALE;
use super::last_four::{final_score, odd_quadrants};
use super::order::TABLE_MOVE;
use super::table::{Table, TableEntry};
use super::threads::Worker;
use crate::othello::{Board, EdgeStability, Instructions, PatternWeights, Square};
use plyground_core::limits::StopFlag;

/// The most empties searched with parity as the only order.
const PARITY_MAX_EMPTIES: u32 = 6;
/// The most empties of a board in the table near the end.
const NEAR_MAX_EMPTIES: u32 = 10;
/// The most empties searched without shallow searches and without checking whether to stop.
const FASTEST_FIRST_MAX_EMPTIES: u32 = 12;
/// The fewest empties at which ProbCut is tried, and the depth of its shallow search.
const PROBCUT_MIN_EMPTIES: u32 = 14;
const PROBCUT_DEPTH: u32 = 3;
/// Lower than any score.
const NO_SCORE: i32 = -65;

/// Why a search stopped before its answer. What it has found until then means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    Stopped,
    Nodes,
    Time,
    /// Another thread has found a cutoff above this node.
    Cut,
}

/// What makes a search stop before its answer: the flag, a count of nodes, a point in time.
#[derive(Clone, Copy)]
pub(super) struct StopConditions<'a> {
    pub flag: &'a StopFlag,
    pub nodes: u64,
    pub until: Option<Instant>,
}

/// ProbCut (Buro 1995): a node is given up if a shallow search is `margin` beyond the window.
#[derive(Clone, Copy)]
pub(super) struct ProbCut {
    /// The margin's number, so that bounds found with one margin are not taken for another's.
    pub level: u32,
    /// In units of the evaluation.
    pub margin: i32,
}

/// The state of one search.
pub(super) struct Search<'a, I> {
    pub instructions: I,
    pub memory: &'a Memory,
    /// Exact bounds near the end, for this thread alone.
    pub near: &'a Table,
    /// `None` if there is only one thread.
    pub worker: Option<Worker<'a>>,
    pub edges: &'static EdgeStability,
    pub weights: &'static PatternWeights,
    pub conditions: StopConditions<'a>,
    pub probcut: Option<ProbCut>,
    /// Positions entered, down to the last empty square.
    pub nodes: u64,
    /// The number of nodes at which the limits are checked again.
    pub next_check: u64,
}

/// A move, the board after it as the opponent sees it, and how early it should be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub priority: i32,
    pub square: u32,
    pub mover: u64,
    pub other: u64,
}

/// The moves of a position. No board has more moves than squares, not even one that no game reaches.
pub(super) type Candidates = ArrayVec<Candidate, 64>;

impl<'a, I: Instructions> Search<'a, I> {
    /// Null-window search: whether the score is above `alpha`. A result above `alpha` is a lower
    /// bound on the score, any other result an upper bound.
    #[inline(always)]
    pub(super) fn nws(&mut self, player: u64, opponent: u64, alpha: i32) -> Result<i32, Halt> {
        self.nws_at(player, opponent, alpha, (!(player | opponent)).count_ones())
    }

    /// As [`nws`](Self::nws), with the number of empties already known.
    #[inline(always)]
    pub(super) fn nws_at(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<i32, Halt> {
        if empties > FASTEST_FIRST_MAX_EMPTIES {
            self.nws_deep(player, opponent, alpha, empties)
        } else {
            Ok(self.nws_near(player, opponent, alpha, empties))
        }
    }

    /// As [`nws`](Self::nws), for at most [`FASTEST_FIRST_MAX_EMPTIES`] empties.
    #[inline(always)]
    fn nws_near(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        match empties {
            0..=3 => self.negamax(player, opponent),
            4 => self.solve_4(player, opponent, alpha),
            5..=PARITY_MAX_EMPTIES => self.nws_parity(player, opponent, alpha, empties),
            _ => self.nws_fastest_first(player, opponent, alpha, empties),
        }
    }

    /// Plain negamax, for a root with fewer than four empties.
    fn negamax(&mut self, player: u64, opponent: u64) -> i32 {
        self.nodes += 1;
        let mut moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return final_score(player, opponent);
            }
            return -self.negamax(opponent, player);
        }
        let mut best = NO_SCORE;
        while moves != 0 {
            let (mover, other) = self.play(player, opponent, moves.trailing_zeros());
            moves &= moves - 1;
            best = best.max(-self.negamax(mover, other));
        }
        best
    }

    /// Moves in odd quadrants first: playing there leaves the opponent the worse parity.
    #[inline(always)]
    fn nws_parity(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.nws_parity_body(player, opponent, alpha, count)
            },
            self,
            player,
            opponent,
            alpha,
            empties,
        )
    }

    #[inline(always)]
    fn nws_parity_body(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cutoff(player, opponent, alpha, empties) {
            return score;
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return final_score(player, opponent);
            }
            return -self.nws_parity(opponent, player, -alpha - 1, empties);
        }
        let odd = odd_quadrants(!(player | opponent));
        let mut best = NO_SCORE;
        for mut set in [moves & odd, moves & !odd] {
            while set != 0 {
                let square = set.trailing_zeros();
                set &= set - 1;
                let (mover, other) = self.play(player, opponent, square);
                let score = -if empties == 5 {
                    self.solve_4(mover, other, -alpha - 1)
                } else {
                    self.nws_parity(mover, other, -alpha - 1, empties - 1)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    /// With the table, and moves that leave the opponent few replies first.
    #[inline(always)]
    fn nws_fastest_first(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.nws_fastest_first_body(player, opponent, alpha, count)
            },
            self,
            player,
            opponent,
            alpha,
            empties,
        )
    }

    #[inline(always)]
    fn nws_fastest_first_body(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> i32 {
        self.nodes += 1;
        let board = Board::from_words(player, opponent);
        let table = self.bounds_table(empties);
        table.prefetch(&board);
        if let Some(score) = self.stability_cutoff(player, opponent, alpha, empties) {
            return score;
        }
        let mut first = [None; 2];
        if let Some(known) = table.probe(&board) {
            if let Some(score) = table_cutoff(&known, alpha) {
                return score;
            }
            first = known.best;
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return final_score(player, opponent);
            }
            return -self.nws_fastest_first(opponent, player, -alpha - 1, empties);
        }
        let mut candidates = Candidates::new();
        if !self.candidates(player, opponent, moves, first, None, &mut candidates) {
            return 64;
        }
        let (mut best, mut best_square) = (NO_SCORE, 0);
        for place in 0..candidates.len() {
            let Candidate { square, mover, other, .. } = next_listed(&mut candidates, place);
            let score = -self.nws_near(mover, other, -alpha - 1, empties - 1);
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

    /// With everything: see the head of the module.
    #[inline(always)]
    fn nws_deep(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<i32, Halt> {
        self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.nws_deep_body(player, opponent, alpha, count)
            },
            self,
            player,
            opponent,
            alpha,
            empties,
        )
    }

    #[inline(always)]
    fn nws_deep_body(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<i32, Halt> {
        self.enter_node()?;
        let board = Board::from_words(player, opponent);
        if self.probcut.is_none() {
            self.memory.selective.prefetch(&board);
        }
        if let Some(score) = self.stability_cutoff(player, opponent, alpha, empties) {
            return Ok(score);
        }
        // Bounds found with one margin of ProbCut are no bounds with another, so the margin's number is
        // part of the depth.
        let (table, depth) = match self.probcut {
            Some(ProbCut { level, .. }) => (&self.memory.selective, level << 6 | empties),
            None => (&self.memory.far, empties),
        };
        let mut first = [None; 2];
        if let Some(known) = table.probe(&board) {
            if known.depth == depth
                && let Some(score) = table_cutoff(&known, alpha)
            {
                return Ok(score);
            }
            first = known.best;
        }
        if self.probcut.is_none() && first[0].is_none() {
            first = self.memory.selective.probe(&board).map_or(first, |known| known.best);
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return Ok(final_score(player, opponent));
            }
            return Ok(-self.nws_deep(opponent, player, -alpha - 1, empties)?);
        }
        if let Some(score) = self.probcut_bound(player, opponent, alpha, empties)? {
            return Ok(score);
        }
        let (replies, reply_depth) = if empties - 1 > FASTEST_FIRST_MAX_EMPTIES {
            (table, depth - 1)
        } else {
            (self.bounds_table(empties - 1), empties - 1)
        };
        let mut candidates = Candidates::new();
        if !self.candidates(player, opponent, moves, first, Some(replies), &mut candidates) {
            return Ok(64);
        }
        // Enhanced transposition cutoff: a move that leads to a board whose stored bound is enough.
        for &Candidate { square, mover, other, .. } in &candidates {
            if let Some(known) = replies.probe(&Board::from_words(mover, other))
                && known.depth == reply_depth
                && -known.upper > alpha
            {
                table.store(&board, depth, alpha, -known.upper, Square::new(square as usize));
                return Ok(-known.upper);
            }
        }
        if candidates.len() > 1 {
            self.add_shallow_values(&mut candidates, player, opponent, empties)?;
        }
        let (mut best, mut best_square) = (NO_SCORE, 0);
        for place in 0..candidates.len() {
            if place > 0 && self.can_split(empties, candidates.len() - place) {
                let so_far = (best, best_square);
                (best, best_square) =
                    self.split(&mut candidates[place..], alpha, empties, so_far)?;
                break;
            }
            let Candidate { square, mover, other, .. } = select_next(&mut candidates, place);
            let score = -self.nws_at(mover, other, -alpha - 1, empties - 1)?;
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

    /// With ProbCut, the bound that the node probably has if a shallow search is far enough beyond the
    /// window.
    #[inline(always)]
    fn probcut_bound(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Result<Option<i32>, Halt> {
        let Some(ProbCut { margin, .. }) = self.probcut else { return Ok(None) };
        if empties < PROBCUT_MIN_EMPTIES {
            return Ok(None);
        }
        let high = (alpha + 1) * SCALE + margin;
        if self.pvs(player, opponent, high - 1, high, PROBCUT_DEPTH)? >= high {
            return Ok(Some((alpha + 2) & !1));
        }
        let low = alpha * SCALE - margin;
        if self.pvs(player, opponent, low, low + 1, PROBCUT_DEPTH)? <= low {
            return Ok(Some(alpha & !1));
        }
        Ok(None)
    }

    /// The table with the exact bounds of boards with this many empties.
    #[inline(always)]
    fn bounds_table(&self, empties: u32) -> &'a Table {
        if empties <= NEAR_MAX_EMPTIES { self.near } else { &self.memory.far }
    }

    /// Counts a node, and checks the limits from time to time.
    #[inline(always)]
    pub(super) fn enter_node(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes >= self.next_check { self.check_limits() } else { Ok(()) }
    }

    /// Fills the list with the moves, the boards after them and their first priorities, `first` being
    /// the moves from the table. The entries of the boards in the table `replies` are asked for early.
    /// Returns false if a move takes all of the opponent's discs: that wins
    /// with 64 discs.
    #[inline(always)]
    pub(super) fn candidates(
        &mut self,
        player: u64,
        opponent: u64,
        moves: u64,
        first: [Option<Square>; 2],
        replies: Option<&Table>,
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
            if let Some(table) = replies {
                table.prefetch(&Board::from_words(mover, other));
            }
            let priority = if square == best {
                TABLE_MOVE + 1
            } else if square == second {
                TABLE_MOVE
            } else {
                self.static_priority(mover, other, square, odd)
            };
            list.push(Candidate { priority, square, mover, other });
            // The best one stands first: most nodes need no other.
            let last = list.len() - 1;
            if priority > list[0].priority {
                list.swap(0, last);
            }
        }
        true
    }

    /// The board after a move, as the opponent sees it: its discs first.
    #[inline(always)]
    pub(super) fn play(&self, player: u64, opponent: u64, square: u32) -> (u64, u64) {
        let flips = self.instructions.flips(square as usize, player, opponent);
        (opponent ^ flips, player ^ flips ^ 1 << (square & 63))
    }

    /// Stability cutoff: the upper bound that the opponent's stable discs set, if it is no more than
    /// `alpha`.
    #[inline(always)]
    pub(super) fn stability_cutoff(
        &self,
        player: u64,
        opponent: u64,
        alpha: i32,
        empties: u32,
    ) -> Option<i32> {
        // If the opponent has fewer discs than would have to be stable, counting them is pointless.
        if alpha < STABILITY_MIN_ALPHA[empties as usize & 63]
            || 64 - 2 * (opponent.count_ones() as i32) > alpha
        {
            return None;
        }
        let bound = 64 - 2 * self.edges.stable(opponent, player).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Checks the stop flag, the count of nodes and the clock.
    #[cold]
    pub(super) fn check_limits(&mut self) -> Result<(), Halt> {
        if self.conditions.flag.is_raised() {
            return Err(Halt::Stopped);
        }
        let most = self.conditions.nodes;
        let nodes = match &mut self.worker {
            None => self.nodes,
            Some(worker) if worker.is_cut() => return Err(Halt::Cut),
            Some(worker) => worker.add(self.nodes),
        };
        if nodes >= most {
            return Err(Halt::Nodes);
        }
        if self.conditions.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Halt::Time);
        }
        self.next_check = self.nodes + (most - nodes).min(2_000);
        Ok(())
    }
}

/// For each number of empties, the least `alpha` at which stable discs are worth counting.
static STABILITY_MIN_ALPHA: [i32; 64] = {
    let mut from = [99; 64];
    let mut empties = 4;
    while empties < 64 {
        let value = 2 * empties as i32 - 2;
        from[empties] = if value < 54 { value } else { 54 };
        empties += 1;
    }
    from
};

/// The stored bound that answers whether the score is above `alpha`, if one does.
#[inline(always)]
fn table_cutoff(known: &TableEntry, alpha: i32) -> Option<i32> {
    if known.lower > alpha {
        Some(known.lower)
    } else if known.upper <= alpha {
        Some(known.upper)
    } else {
        None
    }
}

/// As [`select_next`], for a list whose first candidate is known to be the best, as it is when the list has
/// been made.
#[inline(always)]
pub(super) fn next_listed(candidates: &mut Candidates, place: usize) -> Candidate {
    if place == 0 { candidates[0] } else { select_next(candidates, place) }
}

/// One step of a selection sort: swaps the candidate with the highest priority from `place` on to
/// `place`, and returns it.
#[inline(always)]
pub(super) fn select_next(candidates: &mut Candidates, place: usize) -> Candidate {
    let mut best = place;
    for other in place + 1..candidates.len() {
        if candidates[other].priority > candidates[best].priority {
            best = other;
        }
    }
    candidates.swap(place, best);
    candidates[place]
}
