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

use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::board::{Board, FULL_SCORE};
use super::instructions::{Instructions, Portable, Task, dispatch};
use features::{Features, TERMS};
use plyground_core::tree::Forecast;
use plyground_core::value::Value;
use weights::Weights;

/// The value of one disc: values are in hundredths of a disc.
pub const DISC: Value = 100;

/// The largest value of an unfinished game: a finished one may be worth 64 discs, an estimate never
/// is.
const MAX_ESTIMATE: Value = FULL_SCORE * DISC - 1;

/// Why a file of weights was refused: the problem, and its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the evaluator's weights: {0}")]
pub struct EvaluatorError(#[from] toml::de::Error);

/// An evaluator of Othello positions: features and their weights, or the disc count alone.
///
/// A clone shares the weights, so that a copy for each thread costs nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// `None` if discs are counted: see [`Evaluator::final_score`].
    weights: Option<Arc<Weights>>,
}

/// The weights that are built in, as their file has them: `engines/weights/othello.toml`.
pub static STANDARD_WEIGHTS: &str = include_str!("../../../../engines/weights/othello.toml");

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
        Ok(Self { weights: Some(Arc::new(toml::from_str(text)?)) })
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
        Self { weights: None }
    }

    /// The mover's expected score in units of 1/[`DISC`] disc, or in discs if the evaluator is
    /// [`final_score`](Self::final_score).
    ///
    /// Exactly the score if the game is over; with weights, less than 64 discs either way if not.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        match &self.weights {
            Some(weights) => dispatch(Evaluate { weights, board }),
            None => board.final_score(),
        }
    }

    /// The largest value that [`evaluate`](Self::evaluate) can return: a game won with 64 discs. The
    /// smallest is minus this.
    #[must_use]
    #[inline]
    pub const fn max_value(&self) -> Value {
        if self.weights.is_some() { FULL_SCORE * DISC } else { FULL_SCORE }
    }

    /// How searches with these weights predict deeper ones: see
    /// [`PlayTree::probcut_forecasts`](plyground_core::tree::PlayTree::probcut_forecasts).
    #[inline]
    pub fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        match &self.weights {
            Some(weights) => weights.forecasts(empties, depth),
            None => &[],
        }
    }

    /// The terms that [`evaluate`](Self::evaluate) adds up, by name.
    ///
    /// Their sum is its value, except where an extreme value is clamped. A finished game has one
    /// term, its score, and so has every board without weights.
    #[must_use]
    pub fn explain(&self, board: &Board) -> Vec<(&'static str, Value)> {
        let Some(weights) = &self.weights else {
            return vec![("final score", board.final_score())];
        };
        let features = Features::of(Portable, board.player().word(), board.opponent().word());
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
struct Evaluate<'a> {
    weights: &'a Weights,
    board: &'a Board,
}

impl Task for Evaluate<'_> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Instructions>(self, instructions: I) -> Value {
        let (player, opponent) = (self.board.player().word(), self.board.opponent().word());
        instructions.enter(
            #[inline(always)]
            |weights: &Weights, player, opponent, _, _| {
                value(instructions, weights, player, opponent)
            },
            self.weights,
            player,
            opponent,
            0,
            0,
        )
    }
}

/// Features times weights.
#[inline(always)]
fn value<I: Instructions>(instructions: I, weights: &Weights, player: u64, opponent: u64) -> Value {
    let features = Features::of(instructions, player, opponent);
    if features.game_over() {
        return Board::from_words(player, opponent).final_score() * DISC;
    }
    let counted: Value = features
        .counts
        .iter()
        .zip(weights.counts(&features))
        .map(|(count, weight)| count * weight)
        .sum();
    (counted + weights.edges(&features)).clamp(-MAX_ESTIMATE, MAX_ESTIMATE)
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
        let weights = evaluator.weights.as_deref().unwrap();
        for board in boards() {
            let portable = Evaluate { weights, board: &board }.run(Portable);
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
