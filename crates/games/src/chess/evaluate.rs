//! The static evaluation: an estimate of a position without search.
//!
//! The module `layout` lists the features, `features` counts them, `weights` says what each is worth
//! in the middlegame and in the endgame. This module adds up the products and tapers between the two
//! sums by the pieces that are left. `scale` reduces an advantage that is hard to win or not winnable.
//! The weights come from a file, `engines/weights/chess.toml` if none is given. Values are in
//! hundredths of a pawn from the point of view of the side to move.
//!
//! Except for the scale, the value is linear in the weights: [`Evaluator::features`] gives the counts,
//! which is all that fitting the weights to games needs.
//!
//! ```
//! use plyground_games::chess::{Board, Evaluator};
//!
//! let evaluator = Evaluator::default();
//! let board = Board::start();
//! let value = evaluator.evaluate(&board);
//! assert!(value.abs() < 100);
//! assert_eq!(evaluator.explain(&board).iter().map(|term| term.value).sum::<i32>(), value);
//! ```

mod features;
mod layout;
mod scale;
mod score;
mod weights;

pub use layout::{FEATURES, FeatureGroup};
pub use score::Score;

use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::board::Board;
use super::instructions::{Instructions, Portable, Task, dispatch};
use super::network::{Network, NetworkError};
use super::node::{Node, Placement};
use super::piece::Piece;
use super::side::Side;
use crate::grid::Square;
use features::Sink;
use layout::GROUPS;
use plyground_core::value::Value;
use scale::FULL_SCALE;
use weights::Weights;

/// The value of a pawn: values are in hundredths of a pawn.
pub const PAWN: Value = 100;

/// The largest value of a static evaluation, far below that of a mate.
pub const MAX_STATIC: Value = 20_000;

/// The phase of a board with all pieces: a pure middlegame.
pub const FULL_PHASE: Value = 24;

/// Why a file of weights was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The text of weights of features: the problem, and its line.
    #[error("the evaluator's weights: {0}")]
    Features(#[from] toml::de::Error),
    /// A network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Something else.
    #[error("the evaluator's weights: expected TOML or a network, found other bytes")]
    Bytes,
}

/// An evaluator of chess positions: features and their weights, or a network. Where one side has nothing
/// left but its king, features judge in any case: they know how such a game is won, and games of
/// self-play, which end before, do not teach it.
///
/// A clone shares the weights, so that a copy for each thread costs nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// With a network they judge no position, but their piece-square tables still order moves.
    weights: Arc<Weights>,
    network: Option<Arc<Network>>,
}

/// The weights that are built in, as their file has them: `engines/weights/chess.toml`.
pub const STANDARD_WEIGHTS: &str = include_str!("../../../../engines/weights/chess.toml");

/// The same features with weights tuned on games of self-play: `engines/weights/chess-tuned.toml`.
pub const TUNED_WEIGHTS: &str = include_str!("../../../../engines/weights/chess-tuned.toml");

/// A network trained on games of self-play: `engines/weights/chess.network`.
pub const NETWORK_WEIGHTS: &[u8] = &NETWORK_FILE;

/// A static, because every crate that uses a constant gets a copy of what it refers to.
static NETWORK_FILE: [u8; include_bytes!("../../../../engines/weights/chess.network").len()] =
    *include_bytes!("../../../../engines/weights/chess.network");

impl Default for Evaluator {
    /// The [weights that are built in](STANDARD_WEIGHTS).
    fn default() -> Self {
        static BUILT_IN: LazyLock<Evaluator> = LazyLock::new(|| {
            Evaluator::from_toml(STANDARD_WEIGHTS).expect("the built-in weights are tested")
        });
        BUILT_IN.clone()
    }
}

/// A position as counts of features: what fitting the weights needs.
///
/// The value for White is `(middle · phase + end · (FULL_PHASE - phase) · scale / 64) / FULL_PHASE`,
/// where `middle` and `end` are the sums of counts times weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// For each feature, by its number, how often White has it minus how often Black has it. Features
    /// with a difference of 0 are left out.
    pub counts: Vec<(usize, i32)>,
    /// The phase of the game, from 0 (endgame) to [`FULL_PHASE`] (middlegame).
    pub phase: Value,
    /// How much of an advantage in the endgame counts, from 0 to 64.
    pub scale: Value,
}

/// A term of an evaluation, such as mobility: what both sides have of it, and what it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationTerm {
    /// The name of the term.
    pub term: &'static str,
    /// What White has of it.
    pub white: Score,
    /// What Black has of it.
    pub black: Score,
    /// What the term adds to the value, from the point of view of the side to move. The terms of a
    /// position add up to its evaluation.
    pub value: Value,
}

impl Evaluator {
    /// The evaluator with the [tuned weights](TUNED_WEIGHTS).
    #[must_use]
    pub fn tuned() -> Self {
        static BUILT_IN: LazyLock<Evaluator> = LazyLock::new(|| {
            Evaluator::from_toml(TUNED_WEIGHTS).expect("the built-in weights are tested")
        });
        BUILT_IN.clone()
    }

    /// An evaluator with the weights of a file such as `engines/weights/chess.toml`.
    pub fn from_toml(text: &str) -> Result<Self, EvaluatorError> {
        Ok(Self { weights: Arc::new(toml::from_str(text)?), network: None })
    }

    /// The evaluator with the [network that is built in](NETWORK_WEIGHTS).
    #[must_use]
    pub fn standard_network() -> Self {
        static BUILT_IN: LazyLock<Evaluator> = LazyLock::new(|| {
            Evaluator::from_bytes(NETWORK_WEIGHTS).expect("the built-in network is tested")
        });
        BUILT_IN.clone()
    }

    /// An evaluator that asks a network.
    #[must_use]
    pub fn with_network(network: Network) -> Self {
        Self { network: Some(Arc::new(network)), ..Self::default() }
    }

    /// The network, if one judges.
    #[must_use]
    pub fn network(&self) -> Option<&Network> {
        self.network.as_deref()
    }

    /// An evaluator with the weights of a file: a network, or features in TOML.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EvaluatorError> {
        if Network::is_file(bytes) {
            return Ok(Self::with_network(Network::from_bytes(bytes)?));
        }
        Self::from_toml(str::from_utf8(bytes).map_err(|_| EvaluatorError::Bytes)?)
    }

    /// A file of weights, as [`from_toml`](Self::from_toml) reads it, with a comment before them that
    /// says how they were made.
    #[must_use]
    pub fn to_toml(weights: &[Score; FEATURES], about: &str) -> String {
        weights::to_toml(weights, about)
    }

    /// The groups of features, ordered by the numbers of their features.
    #[must_use]
    pub fn layout() -> &'static [FeatureGroup] {
        &GROUPS
    }

    /// The weight of each feature, by its number.
    #[must_use]
    pub fn weights(&self) -> &[Score; FEATURES] {
        &self.weights.features
    }

    /// The value of a board from the point of view of the side to move, in units of 1/[`PAWN`] pawn,
    /// within ±[`MAX_STATIC`].
    ///
    /// Mate and stalemate are not seen here: whether there are moves is for the rules to say.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> Value {
        dispatch(Evaluate { evaluator: self, node: &Node::new(*board, self) })
    }

    /// As [`evaluate`](Self::evaluate), for a node, whose piece-square sum is already known.
    #[inline]
    pub(super) fn evaluate_node(&self, node: &Node) -> Value {
        dispatch(Evaluate { evaluator: self, node })
    }

    /// The value of a node, compiled for a set of instructions.
    #[inline(always)]
    pub(super) fn value<I: Instructions>(&self, i: I, node: &Node) -> Value {
        let board = &node.board;
        if let Some(network) = &self.network
            && !board.has_lone_king()
        {
            return judged_by(network, board);
        }
        let mut sink = Scoring { weights: &self.weights.features, score: node.placed };
        features::extract(i, board, &mut sink);
        let value = tapered(sink.score, phase(board), endgame_scale(board, sink.score));
        let value = value.clamp(-MAX_STATIC, MAX_STATIC);
        if board.side == Side::White { value } else { -value }
    }

    /// The features of a position with their counts.
    #[must_use]
    pub fn features(&self, board: &Board) -> Features {
        let counts = Counting::of(board);
        let score = counts.score(0, &self.weights, 0..FEATURES)
            - counts.score(1, &self.weights, 0..FEATURES);
        let differences = (0..FEATURES).map(|f| (f, counts.0[0][f] - counts.0[1][f]));
        Features {
            counts: differences.filter(|&(_, count)| count != 0).collect(),
            phase: phase(board),
            scale: endgame_scale(board, score),
        }
    }

    /// What a network's value owes to each piece: how much it changes when the piece is taken away.
    /// Kings cannot be. The terms are by square, and do not add up to the value, because pieces work
    /// together. Empty without a network.
    #[must_use]
    pub fn explain_pieces(&self, board: &Board) -> Vec<(Square, Value)> {
        let Some(network) = self.network.as_ref().filter(|_| !board.has_lone_king()) else {
            return Vec::new();
        };
        let value = network.evaluate(board);
        let squares =
            board.occupied().filter(|&square| board.piece_on(square) != Some(Piece::King));
        squares.map(|square| (square, value - network.evaluate_without(board, square))).collect()
    }

    /// The terms that [`evaluate`](Self::evaluate) adds up. The last one, `ending`, is what the endgame
    /// scale and rounding change; it is left out if it is 0.
    #[must_use]
    pub fn explain(&self, board: &Board) -> Vec<EvaluationTerm> {
        if self.network.is_some() && !board.has_lone_king() {
            let (white, black) = (Score::ZERO, Score::ZERO);
            let value = self.evaluate(board);
            return vec![EvaluationTerm { term: "network", white, black, value }];
        }
        let counts = Counting::of(board);
        let phase = phase(board);
        let mut terms: Vec<EvaluationTerm> = Vec::new();
        for group in GROUPS {
            let range = group.first..group.first + group.len;
            let [white, black] = [0, 1].map(|s| counts.score(s, &self.weights, range.clone()));
            // Features of one term are neighbours.
            match terms.last_mut() {
                Some(last) if last.term == group.term => {
                    last.white += white;
                    last.black += black;
                }
                _ => terms.push(EvaluationTerm { term: group.term, white, black, value: 0 }),
            }
        }
        // The value of a term is how much it changes the tapered sum: so rounding errors do not add up.
        let sign = if board.side == Side::White { 1 } else { -1 };
        let (mut sum, mut told) = (Score::ZERO, 0);
        for term in &mut terms {
            sum += term.white - term.black;
            let value = sign * tapered(sum, phase, FULL_SCALE);
            term.value = value - told;
            told = value;
        }
        let less = self.evaluate(board) - told;
        if less != 0 {
            let term = "ending";
            terms.push(EvaluationTerm {
                term,
                white: Score::ZERO,
                black: Score::ZERO,
                value: less,
            });
        }
        terms
    }
}

impl Placement for Evaluator {
    #[inline(always)]
    fn placed(&self, side: Side, piece: Piece, square: Square) -> Score {
        self.weights.placed[side.index()][piece.index()][square.index()]
    }
}

/// The value that a network gives a board. What the rules call a draw, or what every player knows to be
/// one, is a draw.
#[inline(never)]
fn judged_by(network: &Network, board: &Board) -> Value {
    let value = network.evaluate(board).clamp(-MAX_STATIC, MAX_STATIC);
    let ahead = if value > 0 { board.side } else { board.side.other() };
    if value != 0 && scale::scale(board, ahead.index()) == 0 { 0 } else { value }
}

/// The phase of the game: a queen counts 4, a rook 2, a bishop or knight 1.
#[inline(always)]
fn phase(board: &Board) -> Value {
    let [_, knights, bishops, rooks, queens, _] = board.pieces;
    let count = |set: u64| set.count_ones() as Value;
    (count(knights | bishops) + 2 * count(rooks) + 4 * count(queens)).min(FULL_PHASE)
}

/// How much of the advantage that the endgame sum shows counts.
#[inline(always)]
fn endgame_scale(board: &Board, score: Score) -> Value {
    match score.end() {
        1.. => scale::scale(board, 0),
        0 => FULL_SCALE,
        _ => scale::scale(board, 1),
    }
}

/// Tapered evaluation: the middlegame and the endgame sum, mixed by the phase. Zero if the endgame is
/// drawn.
#[inline(always)]
fn tapered(score: Score, phase: Value, scale: Value) -> Value {
    if scale == 0 {
        return 0;
    }
    let end = score.end() * scale / FULL_SCALE;
    (score.middle() * phase + end * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Adds up counts times weights.
struct Scoring<'a> {
    weights: &'a [Score; FEATURES],
    score: Score,
}

impl Sink for Scoring<'_> {
    #[inline(always)]
    fn add(&mut self, side: usize, feature: usize, count: i32) {
        let score = self.weights[feature] * count;
        if side == 0 {
            self.score += score;
        } else {
            self.score -= score;
        }
    }
}

/// Collects the counts of both sides.
struct Counting([[i32; FEATURES]; 2]);

impl Sink for Counting {
    fn add(&mut self, side: usize, feature: usize, count: i32) {
        self.0[side][feature] += count;
    }
}

impl Counting {
    fn of(board: &Board) -> Self {
        let mut counts = Self([[0; FEATURES]; 2]);
        features::placement(board, &mut counts);
        features::extract(Portable::new(), board, &mut counts);
        counts
    }

    /// The score of a side for some of the features.
    fn score(&self, side: usize, weights: &Weights, features: std::ops::Range<usize>) -> Score {
        features.fold(Score::ZERO, |sum, f| sum + weights.features[f] * self.0[side][f])
    }
}

/// The evaluation of one board, compiled for each set of instructions.
struct Evaluate<'a> {
    evaluator: &'a Evaluator,
    node: &'a Node,
}

impl Task for Evaluate<'_> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Value {
        self.evaluator.value(i, self.node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::positions;

    const BUILT_IN: &str = include_str!("../../../../engines/weights/chess.toml");

    /// The board upside down with the colours exchanged.
    fn exchanged(board: &Board) -> Board {
        let text = board.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let swap = |text: &str| -> String {
            let turn = |c: char| match c {
                _ if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                _ => c.to_ascii_uppercase(),
            };
            text.chars().map(turn).collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let castling = match fields[2] {
            "-" => "-".into(),
            rights => {
                let mut rights: Vec<char> = swap(rights).chars().collect();
                rights.sort_by_key(|c| "KQkq".find(*c));
                rights.into_iter().collect::<String>()
            }
        };
        let square = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
        let ranks = ranks.join("/");
        Board::from_fen(&format!("{ranks} {side} {castling} {square} 0 1")).unwrap()
    }

    /// Every evaluator that is built in.
    fn all() -> [Evaluator; 3] {
        [Evaluator::default(), Evaluator::tuned(), Evaluator::standard_network()]
    }

    #[test]
    fn colours_change_nothing() {
        for evaluator in all() {
            for board in positions(200) {
                let value = evaluator.evaluate(&board);
                assert_eq!(evaluator.evaluate(&exchanged(&board)), value, "{board}");
                assert!(value.abs() <= MAX_STATIC);
            }
        }
    }

    /// Left and right differ only by castling, which the evaluator does not look at.
    #[test]
    fn left_and_right_change_nothing() {
        let evaluator = Evaluator::default();
        for board in positions(50) {
            let text = board.to_string();
            let mut fields = text.split(' ');
            let ranks = fields.next().unwrap().split('/');
            let ranks: Vec<String> = ranks.map(|rank| rank.chars().rev().collect()).collect();
            let (ranks, side) = (ranks.join("/"), fields.next().unwrap());
            let mirrored = Board::from_fen(&format!("{ranks} {side} - - 0 1")).unwrap();
            assert_eq!(evaluator.evaluate(&mirrored), evaluator.evaluate(&board), "{board}");
        }
    }

    #[test]
    fn explanations_and_features_add_up() {
        let evaluator = Evaluator::default();
        for board in positions(100) {
            let value = evaluator.evaluate(&board);
            let terms = evaluator.explain(&board);
            assert_eq!(terms.iter().map(|term| term.value).sum::<Value>(), value, "{board}");
            let features = evaluator.features(&board);
            let weights = evaluator.weights();
            let sum = features.counts.iter().fold(Score::ZERO, |s, &(f, n)| s + weights[f] * n);
            let white = tapered(sum, features.phase, features.scale);
            assert_eq!(if board.side() == Side::White { white } else { -white }, value, "{board}");
        }
    }

    #[test]
    fn files_of_weights_are_read_back() {
        let evaluator = Evaluator::default();
        let text = Evaluator::to_toml(evaluator.weights(), "Made by\na test.");
        assert!(text.starts_with("# Made by\n# a test.\n\nmaterial = ["), "{text}");
        assert_eq!(Evaluator::from_toml(&text).unwrap().weights(), evaluator.weights());
    }

    #[test]
    fn drawn_material_is_worth_nothing() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 b - - 0 1",
            "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
            // A rook's pawn with a bishop of the wrong colour.
            "k7/8/8/P7/8/8/8/2B1K3 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(Evaluator::default().evaluate(&board), 0, "{fen}");
        }
    }

    /// One position is worth more than another, both for White, the side to move.
    #[test]
    fn what_is_better_is_worth_more() {
        let value = |fen: &str| Evaluator::default().evaluate(&Board::from_fen(fen).unwrap());
        for (better, worse) in [
            // The lone king on the edge, and the kings near; the right corner for bishop and knight.
            ("k7/8/8/8/3K4/8/8/7R w - - 0 1", "8/8/8/3k4/8/3K4/8/7R w - - 0 1"),
            ("k7/8/2K5/8/8/8/8/7R w - - 0 1", "k7/8/8/8/8/8/8/K6R w - - 0 1"),
            ("k7/8/2K5/8/8/8/8/5BN1 w - - 0 1", "7k/8/5K2/8/8/8/8/5BN1 w - - 0 1"),
            // A win is better than a small advantage without pawns, and than a bigger one that
            // bishops of different colours hold.
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k1n1/8/8/8/8/8/8/4K2R w - - 0 1"),
            ("2b1k3/8/8/8/8/8/PPP5/4KB2 w - - 0 1", "4kb2/8/8/8/8/8/PPP5/4KB2 w - - 0 1"),
            // A passed pawn further on; pawns that stand together.
            ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
            ("4k3/5ppp/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/5ppp/8/8/8/P7/P1P5/4K3 w - - 0 1"),
        ] {
            assert!(
                value(better) > value(worse),
                "{better} {} {worse} {}",
                value(better),
                value(worse)
            );
        }
    }

    #[test]
    fn wrong_files_are_told_by_line() {
        let refused = |text: &str| Evaluator::from_toml(text).unwrap_err().to_string();
        let line = BUILT_IN.lines().position(|line| line.starts_with("tempo")).unwrap() + 1;
        let tempo = BUILT_IN.lines().nth(line - 1).unwrap();
        for (with, expected) in [
            ("tempo = [3000, 0]", "the weight 3000 is not between -2000 and 2000"),
            ("tempo = [1]", "invalid length 1"),
            ("tempo = 7", "invalid type"),
            ("tempi = [1, 1]", "unknown field `tempi`"),
        ] {
            let message = refused(&BUILT_IN.replace(tempo, with));
            assert!(message.contains(expected), "{message}");
            assert!(message.contains(&format!("line {line}")), "{message}");
        }
        let message = refused(&BUILT_IN.replace(tempo, ""));
        assert!(message.contains("missing field `tempo`"), "{message}");
        let material = "    [84, 108], [338, 312]";
        let message = refused(&BUILT_IN.replace(material, "    [84, 108]"));
        assert!(message.contains("5 weights [middlegame, endgame]"), "{message}");
    }
}
