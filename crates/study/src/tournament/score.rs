//! Points, and the difference in Elo that they suggest.

use serde::{Deserialize, Serialize};

use crate::experiment::student;

/// One of the two participants of a match, whichever side it has in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Competitor {
    /// The participant that was named first.
    A,
    /// The participant that was named second.
    B,
}

impl Competitor {
    /// Both.
    pub const ALL: [Competitor; 2] = [Competitor::A, Competitor::B];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Competitor {
        match self {
            Competitor::A => Competitor::B,
            Competitor::B => Competitor::A,
        }
    }

    /// The index in [`Competitor::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `A` or `B`.
    pub const fn letter(self) -> char {
        match self {
            Competitor::A => 'A',
            Competitor::B => 'B',
        }
    }
}

/// A's wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games that A won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games that B won.
    pub losses: u32,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, winner: Option<Competitor>) {
        match winner {
            Some(Competitor::A) => self.wins += 1,
            None => self.draws += 1,
            Some(Competitor::B) => self.losses += 1,
        }
    }

    /// All games.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// A's share of the points, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }
}

/// The pentanomial result: the number of pairs of games in which A scored 0, ½, 1, 1½ and 2 points. The
/// games of a pair have the same opening, with the sides exchanged. They are not independent: an opening
/// that favours one side gives each participant a point. So pairs vary less than single games, and their
/// interval is narrower.
pub type Pentanomial = [u32; 5];

/// A pair's share of the points, by its index in [`Pentanomial`].
pub(super) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The difference in Elo that a share of the points suggests.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The share of the points that a difference in Elo predicts.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A difference in Elo with its 95 % interval; any of the three may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference that predicts the score.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The standard deviations around the mean that contain 95 % of a normal distribution.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The weight of what is assumed before any game: this many results of independent, decided games.
const ASSUMED: usize = 2;

impl Elo {
    /// The difference that these results suggest; `None` without games.
    ///
    /// The interval is Wilson's: a true share μ is in it if the score is within t standard errors *of μ*,
    /// so it never leaves the range from 0 to 1, and an end is open only if one participant has all
    /// points. Wilson's standard error is that of decided games, √(μ(1 − μ)/n). Draws and openings that
    /// favour one side make results vary less, and how much less is estimated from the pairs (from
    /// single games, if there are fewer than two pairs). Few results estimate it badly: the estimate
    /// begins with two pairs of independent, decided games, and t is Student's. So the interval after
    /// four games is wide, and that after a thousand is the usual one; a test simulates how often it
    /// contains the truth.
    pub fn of(tally: &Tally, pairs: &Pentanomial) -> Option<Elo> {
        let score = tally.score()?;
        let games = [(tally.losses, 0.0), (tally.draws, 0.5), (tally.wins, 1.0)];
        let paired: u32 = pairs.iter().sum();
        // Two independent results vary half as much as one.
        let (results, squared, assumed) = match paired {
            0 | 1 => (tally.games() as usize, squares(games.into_iter(), score), 1.0),
            _ => {
                let pairs = pairs.iter().copied().zip(SHARES);
                (paired as usize, squares(pairs, score), 0.5)
            }
        };
        let decided = score * (1.0 - score);
        let freedom = results - 1 + ASSUMED;
        let ratio = match decided > 0.0 {
            true => (squared / decided + ASSUMED as f64 * assumed) / freedom as f64,
            // All points: nothing is known of the spread.
            false => assumed,
        };
        let spread = student(freedom).powi(2) * ratio.min(1.0) / results as f64;
        let middle = (score + spread / 2.0) / (1.0 + spread);
        let half = (spread * (decided + spread / 4.0)).sqrt() / (1.0 + spread);
        let low = if score == 0.0 { 0.0 } else { middle - half };
        let high = if score == 1.0 { 1.0 } else { middle + half };
        Some(Elo { value: elo(score), low: elo(low.max(0.0)), high: elo(high.min(1.0)) })
    }
}

/// The sum of the squared distances from the mean.
fn squares(counted: impl Iterator<Item = (u32, f64)>, mean: f64) -> f64 {
    counted.map(|(count, share)| f64::from(count) * (share - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::mix;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.05, "{found}, expected {expected}");
    }

    #[test]
    fn elo_and_back() {
        near(elo(0.75), 190.8);
        near(elo(0.5), 0.0);
        near(elo(0.1), -381.7);
        near(expected(100.0), 0.640_065);
        for points in [-300.0, -12.5, 0.0, 3.0, 800.0] {
            near(elo(expected(points)), points);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// Many games: what everybody computes. 1,000 games, 600 won and 200 drawn: score 0.7, variance
    /// 0.6·0.09 + 0.2·0.04 + 0.2·0.49 = 0.16, standard error 0.01265.
    #[test]
    fn the_interval_of_many_games_is_the_usual_one() {
        let tally = Tally { wins: 600, draws: 200, losses: 200 };
        let found = Elo::of(&tally, &[0; 5]).unwrap();
        let about = |found: f64, share: f64| {
            assert!((found - elo(share)).abs() < 2.0, "{found}, expected about {}", elo(share));
        };
        near(found.value, 147.2);
        about(found.low, 0.7 - 1.96 * 0.012_65);
        about(found.high, 0.7 + 1.96 * 0.012_65);
        // In pairs, 200 of a win and a loss, 100 of two draws, 200 of two wins: the variance of a pair
        // is (300·0.04 + 200·0.09) / 500 = 0.06, so the error is less than that of single games.
        let found = Elo::of(&tally, &[0, 0, 300, 0, 200]).unwrap();
        let reach = 1.96 * (0.06f64 / 500.0).sqrt();
        about(found.low, 0.7 - reach);
        about(found.high, 0.7 + reach);
        assert_eq!(Elo::of(&Tally::default(), &[0; 5]), None);
    }

    #[test]
    fn all_points_leave_an_end_open_and_no_interval_is_a_point() {
        for pairs in 2..20u32 {
            let wins = 2 * pairs;
            let won = Elo::of(&Tally { wins, ..Tally::default() }, &[0, 0, 0, 0, pairs]).unwrap();
            assert_eq!((won.value, won.high), (f64::INFINITY, f64::INFINITY));
            assert!(won.low.is_finite(), "{won:?}");
            let losses = wins;
            let lost = Tally { losses, ..Tally::default() };
            let lost = Elo::of(&lost, &[pairs, 0, 0, 0, 0]).unwrap();
            near(lost.high, -won.low);
            let drawn = Tally { draws: wins, ..Tally::default() };
            let drawn = Elo::of(&drawn, &[0, 0, pairs, 0, 0]).unwrap();
            near(drawn.low, -drawn.high);
            assert!(drawn.high > 600.0 / f64::from(wins), "{drawn:?}");
        }
        // Four games say little: 4–0 may still be the weaker one, 2–2 may hide 400 Elo.
        let four =
            |wins, losses, pairs| Elo::of(&Tally { wins, draws: 0, losses }, &pairs).unwrap();
        assert!(four(4, 0, [0, 0, 0, 0, 2]).low < -50.0);
        assert!(four(2, 2, [0, 0, 2, 0, 0]).high > 200.0);
        assert!(four(3, 1, [0, 0, 1, 0, 1]).low < -200.0);
        // A single game, half a pair.
        let one = Elo::of(&Tally { wins: 1, ..Tally::default() }, &[0; 5]).unwrap();
        assert!(one.low < -300.0 && one.high == f64::INFINITY);
    }

    /// How often the interval contains the truth, over simulated matches of this many pairs. `bias` is
    /// what an opening gives to one side, `draws` the share of drawn games.
    fn coverage(score: f64, draws: f64, bias: f64, pairs: usize, seed: u64) -> f64 {
        const MATCHES: u64 = 2_000;
        let mut contained = 0;
        for number in 0..MATCHES {
            let (mut tally, mut counted) = (Tally::default(), [0; 5]);
            for pair in 0..pairs {
                let mut half_points = 0;
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    let share: f64 = score + sign * bias;
                    let drawn = draws.min(2.0 * share).min(2.0 * (1.0 - share));
                    let draw = mix(mix(seed, number), (2 * pair + side) as u64);
                    let chance = (draw >> 11) as f64 / (1u64 << 53) as f64;
                    let won = share - drawn / 2.0;
                    let winner = match chance {
                        c if c < won => Some(Competitor::A),
                        c if c < won + drawn => None,
                        _ => Some(Competitor::B),
                    };
                    tally.add(winner);
                    half_points += match winner {
                        Some(Competitor::A) => 2,
                        None => 1,
                        Some(Competitor::B) => 0,
                    };
                }
                counted[half_points] += 1;
            }
            let found = Elo::of(&tally, &counted).unwrap();
            contained += u64::from((found.low..=found.high).contains(&elo(score)));
        }
        contained as f64 / MATCHES as f64
    }

    #[test]
    fn the_interval_contains_the_truth_as_often_as_it_says() {
        for pairs in [2, 3, 5, 10, 20, 50] {
            let mut all = Vec::new();
            for (number, score) in [0.5, 0.6, 0.75, 0.9].into_iter().enumerate() {
                for draws in [0.0, 0.4, 0.8] {
                    for bias in [0.0, 0.1] {
                        let found = coverage(score, draws, bias, pairs, number as u64);
                        // Three standard errors of 2,000 matches are 1.5 %.
                        let context = (pairs, score, draws, bias);
                        assert!(found > 0.925, "{context:?}: {found}");
                        all.push(found);
                    }
                }
            }
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            assert!(mean > 0.945, "{pairs} pairs: {mean}");
        }
        // And it is not simply as wide as can be.
        let many = coverage(0.6, 0.4, 0.1, 100, 1);
        assert!(many < 0.975, "{many}");
    }
}
