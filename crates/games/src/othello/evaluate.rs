//! What a position is worth without search: what a player looks at, times what it is worth.
//!
//! `features` says what is looked at, `weights` what each thing is worth in each of fifteen stages
//! of the game, and this module multiplies. The weights come from a file, `engines/weights/othello.toml`
//! if none is given, whose head says how they were fitted. All is seen from the side to move, in
//! hundredths of a disc, and a finished game is worth its score exactly.
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

/// One disc is worth this many units.
pub const DISC: Value = 100;

/// No guess is beyond this: a finished game may be worth 64 discs, a guess never is.
const MOST: Value = FULL_SCORE * DISC - 1;

/// Why a file of weights was refused: what is wrong, and on which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the evaluator's weights: {0}")]
pub struct EvaluatorError(#[from] toml::de::Error);

/// An evaluator of Othello positions: the features with their weights.
///
/// A clone shares the weights, so that every thread may have its own for nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Arc<Weights>,
}

impl Default for Evaluator {
    /// The weights of `engines/weights/othello.toml`, which are built in.
    fn default() -> Self {
        static BUILT_IN: LazyLock<Evaluator> = LazyLock::new(|| {
            Evaluator::from_toml(include_str!("../../../../engines/weights/othello.toml"))
                .expect("the built-in weights are tested")
        });
        BUILT_IN.clone()
    }
}

impl Evaluator {
    /// An evaluator with the weights of a file such as `engines/weights/othello.toml`.
    pub fn from_toml(text: &str) -> Result<Self, EvaluatorError> {
        Ok(Self { weights: Arc::new(toml::from_str(text)?) })
    }

    /// The mover's expected score in units of 1/[`DISC`] disc.
    ///
    /// Exactly `final_score` discs if the game is over, and less than 64 discs either way if not.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        dispatch(Evaluate { weights: &self.weights, board })
    }

    /// How searches with these weights foretell deeper ones: see
    /// [`GameTree::forecasts`](plyground_core::tree::GameTree::forecasts).
    #[inline]
    pub fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        self.weights.forecasts(empties, depth)
    }

    /// The terms that [`evaluate`](Self::evaluate) adds up, by name.
    ///
    /// Their sum is its value, but for guesses so extreme that it is clamped. A finished game has
    /// one term, its score.
    #[must_use]
    pub fn explain(&self, board: &Board) -> Vec<(&'static str, Value)> {
        let features = Features::of(Portable, board.player().word(), board.opponent().word());
        if features.game_over() {
            return vec![("final score", board.final_score() * DISC)];
        }
        let weights = self.weights.counts(&features);
        let mut terms: Vec<(&'static str, Value)> = Vec::new();
        for (name, (count, weight)) in TERMS.into_iter().zip(features.counts.iter().zip(weights)) {
            let value = count * weight;
            // Features of one term stand together.
            match terms.last_mut() {
                Some(last) if last.0 == name => last.1 += value,
                _ => terms.push((name, value)),
            }
        }
        terms.push(("edges", self.weights.edges(&features)));
        terms
    }
}

/// The evaluation of one board, compiled for each set of instructions: it counts bits some twenty
/// times, and a machine that does so in one instruction takes three quarters of the time (60 ns
/// against 80, the choice of instructions included).
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
    (counted + weights.edges(&features)).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::features::edge;
    use super::*;
    use crate::othello::{Disc, Position, Square, Squares};

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

    /// Exchanging the colours together with the side to move leaves the mover's view as it was.
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
            if board.is_over() || sum.abs() <= MOST {
                assert_eq!(sum, value, "{board:?}");
            } else {
                assert_eq!(value, sum.clamp(-MOST, MOST), "{board:?}");
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
        for board in boards() {
            let portable = Evaluate { weights: &evaluator.weights, board: &board }.run(Portable);
            assert_eq!(evaluator.evaluate(&board), portable, "{board:?}");
        }
    }

    /// What everybody knows about Othello.
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
