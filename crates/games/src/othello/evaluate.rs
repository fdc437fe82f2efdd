//! The static evaluation: an estimate of the final score of a position, without search.
//!
//! The module `features` counts what a player looks at (mobility, corners, stable discs, …),
//! `weights` says what each feature is worth in each of fifteen stages of the game, and this module
//! adds up the products. The weights come from a file, `engines/weights/othello.toml` if none is
//! given, and the head of that file says how they were fitted. Values are in hundredths of a disc
//! from the point of view of the side to move, and a finished game is worth exactly its score.
//!
//! ```
//! use plyground_games::othello::{Board, DISC, Evaluator};
//!
//! let evaluator = Evaluator::default();
//! let board = Board::start();
//! let value = evaluator.evaluate(&board);
//! assert!(value.abs() < 10 * DISC);
//! assert_eq!(evaluator.explain(&board).iter().map(|term| term.1).sum::<i32>(), value);
//! ```

mod features;
mod forecasts;
mod weights;

pub(super) use features::{odd_quadrants, with_neighbours};
pub(super) use forecasts::Forecasts;

use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::board::{Board, FULL_SCORE};
use super::instructions::{Instructions, Portable, Task, dispatch};
use super::patterns::{PatternError, PatternWeights};
use features::{Features, TERMS};
use plyground_core::tree::Forecast;
use plyground_core::value::Value;
use weights::Weights;

/// The value of one disc: values are in hundredths of a disc.
pub const DISC: Value = 100;

/// The largest value of an unfinished game: a finished one may be worth 64 discs, an estimate never
/// is.
const MAX_ESTIMATE: Value = FULL_SCORE * DISC - 1;

/// Why a file of weights was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The text of weights of features: the problem, and its line.
    #[error("the evaluator's weights: {0}")]
    Features(#[from] toml::de::Error),
    /// Weights of patterns.
    #[error(transparent)]
    Patterns(#[from] PatternError),
    /// Neither of the two.
    #[error("the evaluator's weights: expected TOML or pattern weights, found other bytes")]
    Bytes,
}

/// An evaluator of Othello positions: features and their weights, patterns, or the disc count alone.
///
/// A clone shares the weights, so that a copy for each thread costs nothing.
#[derive(Clone, Debug)]
pub struct Evaluator(Judgement);

/// What judges.
#[derive(Clone, Debug)]
enum Judgement {
    /// Features that were chosen by hand.
    Features(Arc<Weights>),
    /// Shapes of discs.
    Patterns(Arc<PatternWeights>),
    /// Discs: see [`Evaluator::final_score`].
    Discs,
}

/// The weights that are built in, as their file has them: `engines/weights/othello.toml`.
pub const STANDARD_WEIGHTS: &str = include_str!("../../../../engines/weights/othello.toml");

impl Default for Evaluator {
    /// The [weights that are built in](STANDARD_WEIGHTS).
    fn default() -> Self {
        static BUILT_IN: LazyLock<Evaluator> = LazyLock::new(|| {
            Evaluator::from_toml(STANDARD_WEIGHTS).expect("the built-in weights are tested")
        });
        BUILT_IN.clone()
    }
}

impl Evaluator {
    /// An evaluator with the weights of a file such as `engines/weights/othello.toml`.
    pub fn from_toml(text: &str) -> Result<Self, EvaluatorError> {
        Ok(Self(Judgement::Features(Arc::new(toml::from_str(text)?))))
    }

    /// An evaluator with the weights of a file: patterns, or features in TOML.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EvaluatorError> {
        if PatternWeights::is_file(bytes) {
            return Ok(PatternWeights::from_bytes(bytes)?.into());
        }
        Self::from_toml(str::from_utf8(bytes).map_err(|_| EvaluatorError::Bytes)?)
    }

    /// An evaluator with the [patterns that are built in](super::PATTERN_WEIGHTS).
    #[must_use]
    pub fn patterns() -> Self {
        Self(Judgement::Patterns(Arc::clone(PatternWeights::built_in())))
    }

    /// The pattern weights, if it judges by such.
    #[must_use]
    pub fn pattern_weights(&self) -> Option<&PatternWeights> {
        match &self.0 {
            Judgement::Patterns(weights) => Some(weights),
            _ => None,
        }
    }

    /// An evaluator without weights: a board is worth its [`final_score`](Board::final_score), in
    /// whole discs, as if the game ended there.
    ///
    /// It is meant for searches to the end of the game, whose values are then the exact scores.
    ///
    /// ```
    /// use plyground_games::othello::{Evaluator, Transcript};
    ///
    /// // The shortest game: Black turns over all discs in nine moves.
    /// let game: Transcript = "e6f4e3f6g5d6e7f5c5".parse()?;
    /// let evaluator = Evaluator::final_score();
    /// assert_eq!(evaluator.evaluate(&game.end().board), -64);
    /// assert_eq!(evaluator.max_value(), 64);
    /// # Ok::<(), plyground_games::othello::TextError>(())
    /// ```
    #[must_use]
    pub const fn final_score() -> Self {
        Self(Judgement::Discs)
    }

    /// The mover's expected score in units of 1/[`DISC`] disc, or in discs if the evaluator is
    /// [`final_score`](Self::final_score).
    ///
    /// Exactly the score if the game is over; with weights, less than 64 discs either way if not.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        match &self.0 {
            Judgement::Features(weights) => dispatch(Evaluate { weights: &**weights, board }),
            Judgement::Patterns(weights) => dispatch(Evaluate { weights: &**weights, board }),
            Judgement::Discs => board.final_score(),
        }
    }

    /// The largest value that [`evaluate`](Self::evaluate) can return: a game won with 64 discs. The
    /// smallest is minus this.
    #[must_use]
    #[inline]
    pub const fn max_value(&self) -> Value {
        if matches!(self.0, Judgement::Discs) { FULL_SCORE } else { FULL_SCORE * DISC }
    }

    /// How searches with these weights predict deeper ones: see
    /// [`PlayTree::probcut_forecasts`](plyground_core::tree::PlayTree::probcut_forecasts).
    #[inline]
    pub fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        match &self.0 {
            Judgement::Features(weights) => weights.forecasts(empties, depth),
            Judgement::Patterns(weights) => weights.forecasts(empties, depth),
            Judgement::Discs => &[],
        }
    }

    /// The terms that [`evaluate`](Self::evaluate) adds up, by name.
    ///
    /// Their sum is its value, except where an extreme value is clamped. A finished game has one
    /// term, its score, and so has every board without weights.
    #[must_use]
    pub fn explain(&self, board: &Board) -> Vec<(&'static str, Value)> {
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let weights = match &self.0 {
            Judgement::Features(weights) => weights,
            Judgement::Patterns(weights) => {
                let over = || vec![("final score", board.final_score() * DISC)];
                return weights.explain(player, opponent).unwrap_or_else(over);
            }
            Judgement::Discs => return vec![("final score", board.final_score())],
        };
        let features = Features::of(Portable, player, opponent);
        if features.game_over() {
            return vec![("final score", board.final_score() * DISC)];
        }
        let mut terms: Vec<(&'static str, Value)> = Vec::new();
        let weighted = features.counts.iter().zip(weights.counts(&features));
        for (name, (count, weight)) in TERMS.into_iter().zip(weighted) {
            let value = count * weight;
            // Features of one term are neighbours.
            match terms.last_mut() {
                Some(last) if last.0 == name => last.1 += value,
                _ => terms.push((name, value)),
            }
        }
        terms.push(("edges", weights.edges(&features)));
        terms
    }
}

/// The evaluation of one board, compiled for each set of instructions. It counts bits some twenty
/// times; on a machine that counts them in one instruction it takes three quarters of the time (60 ns
/// instead of 80, the choice of instructions included).
struct Evaluate<'a, W> {
    weights: &'a W,
    board: &'a Board,
}

/// Weights that say what a board is worth.
trait Estimate {
    /// The mover's expected score in hundredths of a disc; `None` if the game is over.
    fn estimate<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
    ) -> Option<Value>;
}

impl<W: Estimate> Task for Evaluate<'_, W> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Instructions>(self, instructions: I) -> Value {
        let (player, opponent) = (self.board.player().word(), self.board.opponent().word());
        instructions.enter(
            #[inline(always)]
            |weights: &W, player, opponent, _, _| match weights.estimate(
                instructions,
                player,
                opponent,
            ) {
                Some(value) => value.clamp(-MAX_ESTIMATE, MAX_ESTIMATE),
                None => Board::from_words(player, opponent).final_score() * DISC,
            },
            self.weights,
            player,
            opponent,
            0,
            0,
        )
    }
}

impl Estimate for Weights {
    /// Features times weights.
    #[inline(always)]
    fn estimate<I: Instructions>(&self, i: I, player: u64, opponent: u64) -> Option<Value> {
        let features = Features::of(i, player, opponent);
        if features.game_over() {
            return None;
        }
        let counted = features.counts.iter().zip(self.counts(&features));
        let counted: Value = counted.map(|(count, weight)| count * weight).sum();
        Some(counted + self.edges(&features))
    }
}

impl Estimate for PatternWeights {
    #[inline(always)]
    fn estimate<I: Instructions>(&self, i: I, player: u64, opponent: u64) -> Option<Value> {
        self.value(i, player, opponent)
    }
}

impl From<PatternWeights> for Evaluator {
    fn from(weights: PatternWeights) -> Evaluator {
        Evaluator(Judgement::Patterns(Arc::new(weights)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::features::edge;
    use super::*;
    use crate::othello::{Disc, Othello, Position, Square, Squares};
    use plyground_core::tree::GameTree;

    const BUILT_IN: &str = include_str!("../../../../engines/weights/othello.toml");

    /// Boards of random games at every stage, the finished ones among them.
    fn boards() -> Vec<Board> {
        let mut random = StdRng::seed_from_u64(3);
        let mut boards = Vec::new();
        for _ in 0..200 {
            let mut board = Board::start();
            boards.push(board);
            while !board.is_over() {
                let moves = board.moves();
                board = match moves.len() {
                    0 => board.pass(),
                    count => {
                        let square = moves.into_iter().nth(random.random_range(0..count));
                        board.play(square.unwrap()).unwrap()
                    }
                };
                boards.push(board);
            }
        }
        boards
    }

    /// The board with every square moved.
    fn moved(board: &Board, to: impl Fn(Square) -> Option<Square>) -> Board {
        let set = |discs: Squares| discs.map(|square| to(square).unwrap()).collect();
        Board::new(set(board.player()), set(board.opponent())).unwrap()
    }

    #[test]
    fn the_eight_symmetries_change_nothing() {
        let evaluator = Evaluator::default();
        for board in boards() {
            let value = evaluator.evaluate(&board);
            for symmetry in 0..8 {
                let image = moved(&board, |square| {
                    let (mut column, mut row) = (square.column(), square.row());
                    if symmetry & 1 != 0 {
                        column = 7 - column;
                    }
                    if symmetry & 2 != 0 {
                        row = 7 - row;
                    }
                    if symmetry & 4 != 0 {
                        (column, row) = (row, column);
                    }
                    Square::at(column, row)
                });
                assert_eq!(evaluator.evaluate(&image), value, "{board:?} {symmetry}");
            }
        }
    }

    /// With the colours and the side to move exchanged, the mover sees the same board.
    #[test]
    fn colours_change_nothing() {
        let evaluator = Evaluator::default();
        for board in boards() {
            let black = Position { board, side: Disc::Black }.to_string();
            let exchanged: String = black
                .chars()
                .map(|disc| match disc {
                    'X' => 'O',
                    'O' => 'X',
                    other => other,
                })
                .collect();
            let white: Position = exchanged.parse().unwrap();
            assert_eq!(white.side, Disc::White);
            assert_eq!(evaluator.evaluate(&white.board), evaluator.evaluate(&board), "{black}");
        }
    }

    #[test]
    fn finished_games_are_exact() {
        let evaluator = Evaluator::default();
        let mut finished: Vec<Board> =
            boards().into_iter().filter(|board| board.is_over()).collect();
        finished.push(Board::new(Squares::ALL, Squares::EMPTY).unwrap());
        finished.push(Board::new(Squares::EMPTY, Squares::EMPTY).unwrap());
        finished.push(Board::new(Squares::EMPTY, Squares::from_word(1)).unwrap());
        assert!(finished.len() >= 203);
        for board in finished {
            let value = board.final_score() * DISC;
            assert_eq!(evaluator.evaluate(&board), value, "{board:?}");
            assert_eq!(evaluator.explain(&board), [("final score", value)]);
        }
    }

    #[test]
    fn the_terms_add_up() {
        let evaluator = Evaluator::default();
        let mut clamped = 0;
        for board in boards() {
            let (value, terms) = (evaluator.evaluate(&board), evaluator.explain(&board));
            let sum: Value = terms.iter().map(|term| term.1).sum();
            if board.is_over() || sum.abs() <= MAX_ESTIMATE {
                assert_eq!(sum, value, "{board:?}");
            } else {
                assert_eq!(value, sum.clamp(-MAX_ESTIMATE, MAX_ESTIMATE), "{board:?}");
                clamped += 1;
            }
            let names: BTreeMap<_, _> = terms.iter().copied().collect();
            assert_eq!(names.len(), terms.len(), "a name twice: {terms:?}");
        }
        assert!(clamped < 200, "{clamped}");
    }

    #[test]
    fn every_set_of_instructions_gives_the_same() {
        let evaluator = Evaluator::default();
        let Judgement::Features(weights) = &evaluator.0 else { panic!("no features") };
        for board in boards() {
            let portable = Evaluate { weights: &**weights, board: &board }.run(Portable);
            assert_eq!(evaluator.evaluate(&board), portable, "{board:?}");
        }
    }

    #[test]
    fn without_weights_discs_are_counted() {
        let evaluator = Evaluator::final_score();
        let mut boards = boards();
        boards.push(Board::new(Squares::EMPTY, Squares::EMPTY).unwrap());
        boards.push(Board::new(Squares::ALL, Squares::EMPTY).unwrap());
        boards.push(Board::new(Squares::EMPTY, Squares::ALL).unwrap());
        let max = evaluator.max_value();
        let mut extremes = [0; 2];
        for board in boards {
            let judged = Othello::new(board, evaluator.clone());
            let value = evaluator.evaluate(&board);
            assert_eq!((value, judged.evaluate(&board)), (board.final_score(), value), "{board:?}");
            assert_eq!(-max..=max, judged.value_range());
            assert_eq!(evaluator.explain(&board), [("final score", value)]);
            assert!(
                (0..40)
                    .all(|depth| { evaluator.forecasts(board.empties().len(), depth).is_empty() })
            );
            extremes[0] += usize::from(value == -max);
            extremes[1] += usize::from(value == max);
        }
        assert!(extremes.iter().all(|&count| count > 0), "{extremes:?}");
    }

    #[test]
    fn no_value_is_beyond_the_largest() {
        let weighted = Evaluator::default();
        assert_eq!(weighted.max_value(), FULL_SCORE * DISC);
        for board in boards() {
            assert!(weighted.evaluate(&board).abs() <= weighted.max_value(), "{board:?}");
        }
    }

    /// What every player knows about Othello.
    #[test]
    fn a_corner_is_good_and_the_square_beside_it_is_not() {
        let evaluator = Evaluator::default();
        // A white disc on g8, beside the empty corner.
        let gift: Position =
            "--------------------------XXX-----OXX-----OOOX------OXO-------O- X".parse().unwrap();
        let calm: Position =
            "--------------------------XXX-----OXX-----OOOX------OXO--------- X".parse().unwrap();
        assert!(evaluator.evaluate(&gift.board) > evaluator.evaluate(&calm.board));
        let term = |position: &Position, name| {
            let terms = evaluator.explain(&position.board);
            terms.into_iter().find(|term| term.0 == name).unwrap().1
        };
        let corner: Position =
            "X--------X----------------XXX-----OXX-----OOOX------OXO--------- X".parse().unwrap();
        assert!(term(&corner, "corners") + term(&corner, "edges") > 5 * DISC);
    }

    #[test]
    fn an_edge_is_a_number_to_the_base_three() {
        assert_eq!(edge(0, 0), 0);
        assert_eq!(edge(1, 0), 1);
        assert_eq!(edge(0, 1), 2);
        assert_eq!(edge(0b100, 0b1000), 9 + 2 * 27);
        assert_eq!(edge(0, 255), 6560);
    }

    /// The message with which a changed file is refused.
    fn refused(from: &str, to: &str) -> String {
        assert!(BUILT_IN.contains(from), "{from}");
        Evaluator::from_toml(&BUILT_IN.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn bad_files_are_refused() {
        let message = refused("discs = 4\n", "discs = 4\ncolour = 3\n");
        assert!(message.contains("unknown field `colour`"), "{message}");
        let message = refused("discs = 8\n", "discs = 9\n");
        assert!(message.contains("stage 2 starts at 8 discs, not at 9"), "{message}");
        assert!(message.contains("at line"), "{message}");
        let message = refused("discs = 8\n", "");
        assert!(message.contains("missing field `discs`"), "{message}");
        let message = refused("\nown_moves = ", "\nown_moves = 99999 #");
        assert!(message.contains("99999 is not between -6400 and 6400"), "{message}");
        let message = refused("\nown_moves = ", "\nown_moves = 0.5 #");
        assert!(message.contains("floating point `0.5`"), "{message}");
        // The first number of a table is the empty edge's, which must be 0.
        let message = refused("table = [\n0,", "table = [\n");
        assert!(message.contains("an edge table has 6561 weights, not 6560"), "{message}");
        let message = refused("table = [\n0,", "table = [\n5,");
        let expected = "the edge -------- is worth 5, so -------- must be worth -5, not 5";
        assert!(message.contains(expected) && message.contains("at line"), "{message}");
        let message = Evaluator::from_toml("").unwrap_err().to_string();
        assert!(message.contains("missing field `stage`"), "{message}");
        let (stages, _) = BUILT_IN.split_once("[[edge]]").unwrap();
        let message = Evaluator::from_toml(&format!("edge = []\n{stages}")).unwrap_err();
        assert!(message.to_string().contains("expected 5 tables [[edge]], found 0"), "{message}");
        let message = Evaluator::from_toml("stage = []").unwrap_err().to_string();
        assert!(message.contains("expected 15 tables [[stage]], found 0"), "{message}");
        assert!(Evaluator::from_toml("stage = [").is_err());
    }

    #[test]
    fn an_edge_and_its_mirror_image_must_agree() {
        let (head, tail) = BUILT_IN.split_once("table = [\n0,").unwrap();
        let (_, rest) = tail.split_once(',').unwrap();
        let text = format!("{head}table = [\n0,6400,{rest}");
        let message = Evaluator::from_toml(&text).unwrap_err().to_string();
        assert!(message.contains("the edge X------- is worth 6400"), "{message}");
        assert!(message.contains("its mirror image -------X"), "{message}");
    }
}
