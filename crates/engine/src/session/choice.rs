//! The choice of a move that need not be the best: variety among nearly equal moves, and the misjudgement
//! of weak levels.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{BoundKind, Session, ThinkOutcome};
use crate::game::Game;
use plyground_core::tree::mix;
use plyground_core::value::{LEAST_MATE, Value};

/// How many times as large the random numbers of a slip are.
pub const SLIP: Value = 6;

/// For a player that misjudges, no advantage is worth more than this many times its usual error at a
/// slip: a mate too can be overlooked.
const MOST_ADVANTAGE: Value = 2;

/// How a move is chosen from those that a search has valued. The same seed gives the same move in the
/// same game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveChoice {
    /// What the random numbers follow from, together with the position and its place in the game.
    pub seed: u64,
    /// How many of the best moves are weighed.
    pub candidates: usize,
    /// The standard deviation of the random number that is added to each value, in the unit of the
    /// evaluation.
    pub noise: Value,
    /// The probability of a slip, at which the random numbers are [`SLIP`] times as large.
    pub slips: f64,
    /// A position is solved exactly, and its best move played, once at most this many moves are
    /// left in the game, if the game has a solver.
    pub exact: u32,
}

impl MoveChoice {
    /// Variety at full strength: one of the few best moves, if their values differ by next to
    /// nothing.
    pub fn variety(seed: u64, nearly_equal: Value) -> MoveChoice {
        MoveChoice { seed, candidates: 4, noise: nearly_equal, slips: 0.0, exact: 0 }
    }

    /// The index of the chosen value. The values belong to the best moves, the best of all first;
    /// `key` and `plies` say where the game stands.
    pub(super) fn choose(&self, values: &[Value], key: u64, plies: usize) -> usize {
        let Some(&best) = values.first() else { return 0 };
        let mut random = StdRng::seed_from_u64(mix(mix(self.seed, key), plies as u64));
        let slips = random.random_bool(self.slips.clamp(0.0, 1.0));
        let mated = best.abs() >= LEAST_MATE;
        // Whoever sees a mate, or that there is no way out, plays accordingly.
        if self.noise == 0 || mated && !slips {
            return 0;
        }
        let error = if slips { self.noise.saturating_mul(SLIP) } else { self.noise };
        // Within three standard deviations: no more is nearly equal.
        let least = best.saturating_sub(error.saturating_mul(3));
        let most = error.saturating_mul(MOST_ADVANTAGE);
        let mut chosen = (f64::MIN, 0);
        for (index, &value) in values.iter().enumerate() {
            let seen = f64::from(value.clamp(-most.max(1_000), most.max(1_000)));
            let seen = seen + f64::from(error) * normal(&mut random);
            if (slips || value >= least) && seen > chosen.0 {
                chosen = (seen, index);
            }
        }
        chosen.1
    }
}

/// The plies of a game in which there is variety, if it is asked for: it costs some strength.
const VARIED_PLIES: usize = 16;

/// Nearly equal moves differ by this part of half an aspiration window: by a tenth of a pawn in chess.
const NEARLY_EQUAL: Value = 5;

impl<G: Game> Session<G> {
    /// Variety for the next move: in the opening, one of several nearly equal moves, as the seed has
    /// it. `None` later in the game, and for engines that do not play selectively.
    pub fn variety(&self, seed: u64) -> Option<MoveChoice> {
        let early = self.line.moves().len() < VARIED_PLIES && self.is_selective();
        early.then(|| MoveChoice::variety(seed, G::ASPIRATION as Value / NEARLY_EQUAL))
    }

    /// Chooses one of the moves that the search has valued, instead of the best of them.
    pub(super) fn choose(
        &self,
        choice: MoveChoice,
        candidates: Vec<(Value, Vec<G::Move>)>,
        outcome: &mut ThinkOutcome<G::Move>,
    ) {
        let candidates = &candidates[..candidates.len().min(choice.candidates)];
        let values: Vec<Value> = candidates.iter().map(|(value, _)| *value).collect();
        let chosen = choice.choose(&values, self.key(), self.line.moves().len());
        if let Some((value, line)) = candidates.get(chosen).filter(|_| chosen > 0) {
            (outcome.value, outcome.bound) = (*value, BoundKind::Exact);
            (outcome.best, outcome.line) = (line.first().copied(), line.clone());
        }
    }
}

/// A random number with mean 0 and standard deviation 1, nearly normal: a sum of uniform ones.
fn normal(random: &mut StdRng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// A seed that nobody chose.
pub fn new_seed() -> u64 {
    // Short enough to be typed again.
    u64::from(rand::random::<u32>() % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::value::MATE;

    fn counts(choice: MoveChoice, values: &[Value]) -> Vec<u32> {
        let mut counts = vec![0; values.len()];
        for seed in 0..2_000 {
            counts[MoveChoice { seed, ..choice }.choose(values, 7, 3)] += 1;
        }
        counts
    }

    #[test]
    fn the_same_seed_chooses_the_same() {
        let choice = MoveChoice::variety(5, 20);
        let values = [30, 28, 25, 20];
        assert_eq!(choice.choose(&values, 1, 2), choice.choose(&values, 1, 2));
        let places: Vec<usize> = (0..40).map(|plies| choice.choose(&values, 1, plies)).collect();
        assert!(places.iter().any(|&place| place != places[0]));
    }

    #[test]
    fn better_moves_are_more_likely_and_much_worse_ones_never_chosen() {
        let counts = counts(MoveChoice::variety(0, 10), &[30, 25, 10, -1]);
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert!(counts[1] > 200 && counts[3] == 0, "{counts:?}");
    }

    #[test]
    fn a_mate_is_played_but_for_slips() {
        let choice = MoveChoice { seed: 0, candidates: 9, noise: 100, slips: 0.0, exact: 0 };
        assert_eq!(counts(choice, &[MATE - 1, MATE - 3, 400])[0], 2_000);
        let slips = MoveChoice { slips: 0.5, ..choice };
        let counts = counts(slips, &[MATE - 1, 900, 400]);
        assert!(counts[0] > 1_000 && counts[2] > 20, "{counts:?}");
        assert_eq!(MoveChoice { noise: 0, ..slips }.choose(&[1, 1], 1, 1), 0);
        assert_eq!(choice.choose(&[], 1, 1), 0);
    }
}
