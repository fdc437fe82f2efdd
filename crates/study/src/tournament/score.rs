//! Points, and the difference in Elo that they suggest.

use serde::{Deserialize, Serialize};

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
const NORMAL_95: f64 = 1.959_963_984_540_054;

impl Elo {
    /// The difference that these results suggest; `None` without games.
    ///
    /// The standard error is that of the pairs, or of single games if there are fewer than two pairs.
    /// The interval is at least one half-point of all games wide to either side. If one participant has
    /// all points, there is no spread, and the interval is Wilson's.
    pub fn of(tally: &Tally, pairs: &Pentanomial) -> Option<Elo> {
        let score = tally.score()?;
        let games = f64::from(tally.games());
        let [low, high] = if score == 0.0 || score == 1.0 {
            let squared = NORMAL_95 * NORMAL_95;
            let reach = squared / (games + squared);
            if score == 0.0 { [0.0, reach] } else { [1.0 - reach, 1.0] }
        } else {
            let reach = (NORMAL_95 * standard_error(tally, pairs)).max(0.5 / games);
            [score - reach, score + reach]
        };
        let ends = [low, high].map(|end| elo(end.clamp(0.0, 1.0)));
        Some(Elo { value: elo(score), low: ends[0], high: ends[1] })
    }
}

/// The standard deviation of the mean score.
fn standard_error(tally: &Tally, pairs: &Pentanomial) -> f64 {
    let count: u32 = pairs.iter().sum();
    if count >= 2 {
        return (variance(pairs.iter().copied().zip(SHARES)) / f64::from(count)).sqrt();
    }
    let games = [(tally.losses, 0.0), (tally.draws, 0.5), (tally.wins, 1.0)];
    (variance(games.into_iter()) / f64::from(tally.games())).sqrt()
}

fn variance(counted: impl Iterator<Item = (u32, f64)> + Clone) -> f64 {
    let all: f64 = counted.clone().map(|(count, _)| f64::from(count)).sum();
    let mean = counted.clone().map(|(count, share)| f64::from(count) * share).sum::<f64>() / all;
    counted.map(|(count, share)| f64::from(count) * (share - mean).powi(2)).sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// 100 games, 60 won and 20 drawn: score 0.7, variance 0.6·0.09 + 0.2·0.04 + 0.2·0.49 = 0.16,
    /// standard error 0.04, interval 0.6216 to 0.7784.
    #[test]
    fn the_interval_of_single_games() {
        let tally = Tally { wins: 60, draws: 20, losses: 20 };
        let found = Elo::of(&tally, &[0; 5]).unwrap();
        near(found.value, 147.2);
        near(found.low, elo(0.621_601));
        near(found.high, elo(0.778_399));
        assert_eq!(Elo::of(&Tally::default(), &[0; 5]), None);
    }

    /// The same games in pairs, 20 of each a win and a loss, 10 two draws, 20 two wins: variance of
    /// the pairs (30·0.04 + 20·0.09) / 50 = 0.06, so the error is less than that of single games.
    #[test]
    fn the_interval_of_pairs() {
        let tally = Tally { wins: 60, draws: 20, losses: 20 };
        let found = Elo::of(&tally, &[0, 0, 30, 0, 20]).unwrap();
        let reach = 1.959_964 * (0.06f64 / 50.0).sqrt();
        near(found.low, elo(0.7 - reach));
        near(found.high, elo(0.7 + reach));
    }

    #[test]
    fn no_interval_is_a_point() {
        let won = Elo::of(&Tally { wins: 10, ..Tally::default() }, &[0, 0, 0, 0, 5]).unwrap();
        assert_eq!((won.value, won.high), (f64::INFINITY, f64::INFINITY));
        near(won.low, elo(10.0 / (10.0 + 3.841_459)));
        let lost = Elo::of(&Tally { losses: 10, ..Tally::default() }, &[5, 0, 0, 0, 0]).unwrap();
        near(lost.high, -won.low);
        let drawn = Elo::of(&Tally { draws: 10, ..Tally::default() }, &[0, 0, 5, 0, 0]).unwrap();
        near(drawn.low, elo(0.45));
        near(drawn.high, elo(0.55));
    }
}
