//! Ratings of several players from the games between them.
//!
//! The model is Elo's: a difference of *d* predicts the share `1 / (1 + 10^(-d/400))` of the points. The
//! ratings are those that make the results most likely. Each pairing counts one drawn game more than was
//! played, so that a player who wins or loses all its games has a rating too.

use super::score::{NORMAL_95, expected};

/// The games between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairingResult {
    /// The two players, by their indices.
    pub players: [usize; 2],
    /// The number of games.
    pub games: u32,
    /// The points of the first of the two: a draw is half a point.
    pub points: f64,
}

/// A player's rating with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// The number of games.
    pub games: u32,
    /// The points in these games.
    pub points: f64,
}

/// How many times the estimate is improved at most; it is settled long before.
const STEPS: usize = 200;

/// The ratings of this many players, who must all be connected by games. They are relative to the player
/// `anchor`, whose own rating is 0 and certain; without an anchor, relative to the mean of all.
pub fn ratings(players: usize, results: &[PairingResult], anchor: Option<usize>) -> Vec<Rating> {
    let scale = std::f64::consts::LN_10 / 400.0;
    let mut elo = vec![0.0; players];
    let mut covariance = Vec::new();
    for _ in 0..STEPS {
        // The gradient of the likelihood, and its information.
        let mut gradient = vec![0.0; players];
        let mut information = vec![vec![1.0 / players as f64; players]; players];
        for &PairingResult { players: [a, b], games, points } in results.iter() {
            // One drawn game more than was played.
            let (games, points) = (f64::from(games) + 1.0, points + 0.5);
            let share = expected(elo[a] - elo[b]);
            let weight = games * share * (1.0 - share);
            gradient[a] += points - games * share;
            gradient[b] -= points - games * share;
            for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                information[row][column] += sign * weight;
            }
        }
        covariance = inverse(information);
        let step: Vec<f64> = covariance.iter().map(|row| dot(row, &gradient) / scale).collect();
        // Far from the maximum a whole step may lead past it.
        let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
        let part = (200.0 / longest.max(1e-9)).min(1.0);
        elo.iter_mut().zip(&step).for_each(|(elo, step)| *elo += part * step);
        if longest < 1e-6 {
            break;
        }
    }
    let origin = anchor.map_or_else(|| elo.iter().sum::<f64>() / players as f64, |at| elo[at]);
    let deviation = |player: usize| {
        let own = covariance.get(player).map_or(0.0, |row| row[player]);
        let variance = match anchor {
            Some(at) => own + covariance[at][at] - 2.0 * covariance[player][at],
            // The information had the mean added to it, so that it has an inverse.
            None => own - 1.0 / players as f64,
        };
        variance.max(0.0).sqrt() / scale
    };
    let rate = |player: usize| {
        let mut rating = Rating {
            elo: elo[player] - origin,
            margin: NORMAL_95 * deviation(player),
            games: 0,
            points: 0.0,
        };
        for result in results.iter().filter(|result| result.players.contains(&player)) {
            let games = f64::from(result.games);
            let first = result.players[0] == player;
            rating.games += result.games;
            rating.points += if first { result.points } else { games - result.points };
        }
        rating
    };
    (0..players).map(rate).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a matrix that is symmetric and positive.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|at| f64::from(u8::from(at == row))).collect()).collect();
    for pivot in 0..size {
        let scale = matrix[pivot][pivot].max(f64::MIN_POSITIVE);
        for row in [&mut matrix[pivot], &mut inverse[pivot]] {
            row.iter_mut().for_each(|entry| *entry /= scale);
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for (entry, pivot) in matrix[row].iter_mut().zip(&pivot_row) {
                *entry -= factor * pivot;
            }
            for (entry, pivot) in inverse[row].iter_mut().zip(&pivot_inverse) {
                *entry -= factor * pivot;
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, by: f64) {
        assert!((found - expected).abs() < by, "{found}, expected {expected}");
    }

    fn result(a: usize, b: usize, games: u32, points: f64) -> PairingResult {
        PairingResult { players: [a, b], games, points }
    }

    /// Many games: the drawn game that is added hardly counts. 75 % are 190.8 Elo.
    #[test]
    fn two_players_differ_by_their_score() {
        let rated = ratings(2, &[result(0, 1, 100_000, 75_000.0)], Some(1));
        near(rated[0].elo, 190.8, 0.1);
        assert_eq!((rated[1].elo, rated[1].margin), (0.0, 0.0));
        // The standard error of a score of 0.75 is sqrt(0.1875 / n), an Elo being 0.75·0.25·ln(10)/400.
        let slope = 0.1875 * std::f64::consts::LN_10 / 400.0;
        near(rated[0].margin, 1.959_964 * (0.1875_f64 / 100_000.0).sqrt() / slope, 0.01);
        let mean = ratings(2, &[result(0, 1, 100_000, 75_000.0)], None);
        near(mean[0].elo, 95.4, 0.1);
        near(mean[0].margin, rated[0].margin / 2.0, 0.01);
    }

    #[test]
    fn a_chain_adds_up() {
        let chain = [result(0, 1, 4_000, 1_000.0), result(1, 2, 4_000, 1_000.0)];
        let rated = ratings(3, &chain, Some(0));
        near(rated[1].elo, 190.8, 0.5);
        near(rated[2].elo, 381.7, 1.0);
        assert!(rated[2].margin > rated[1].margin * 1.3);
        assert_eq!((rated[1].games, rated[1].points), (8_000, 4_000.0));
    }

    #[test]
    fn a_player_that_wins_everything_is_rated() {
        let rated = ratings(3, &[result(0, 1, 20, 20.0), result(0, 2, 20, 20.0)], None);
        assert!(rated[0].elo.is_finite() && rated[0].elo > 200.0, "{rated:?}");
        assert!(rated[0].margin.is_finite() && rated[0].margin > 100.0, "{rated:?}");
        near(rated[1].elo, rated[2].elo, 1e-6);
        near(rated.iter().map(|rating| rating.elo).sum::<f64>(), 0.0, 1e-6);
    }
}
