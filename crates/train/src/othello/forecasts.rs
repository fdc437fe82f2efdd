//! The parameters of multi-probcut: how well shallow searches with an evaluator predict deeper ones.
//!
//! Positions of recorded games are searched to every depth, without any selection. For each pair of
//! depths and each period of the game the deep values are regressed on the shallow ones. Pairs too deep
//! to be measured get slope 1, offset 0 and the error that a line through the measured ones predicts: the
//! logarithm of the error by those of the depths.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::positions;
use super::regression::least_squares;
use crate::shard::RecordedGame;
use plyground_engine::game::GameError;
use plyground_engine::profile::{Profile, Weights};
use plyground_engine::session::{BoundKind, GoLimits, Session, ThinkRequest};
use plyground_games::othello::{Board, Disc, Othello, Position};
use plyground_search::play::PlaySwitches;

/// The first period begins at this number of empty squares.
const FIRST: usize = 13;
/// Each period lasts for this number of them.
const LASTS: usize = 6;
/// No period begins above this number.
const LAST: usize = 55;
/// Pairs are written up to this depth.
const DEEPEST: u32 = 24;
/// Fewer positions than these say nothing about an error.
const FEWEST: usize = 20;

/// What to measure.
pub struct ForecastFit<'a> {
    /// The positions of each period.
    pub positions: usize,
    /// The depth of the deepest search of a position.
    pub depth: u32,
    /// Hears how much is done, from 0 to 1; returns `false` to stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
}

/// What the searches of one position found, by depth.
type Values = BTreeMap<u32, f64>;

impl ForecastFit<'_> {
    /// Measures the forecasts of the weights in a file, with an engine of which the table counts, and returns them as the tables `[[forecast]]` of
    /// its text; `None` if it was stopped.
    pub fn run(
        &mut self,
        profile: &Profile,
        weights: Vec<u8>,
        games: &[RecordedGame],
    ) -> Result<Option<String>, GameError> {
        let mut profile = profile.clone();
        profile.evaluator = Weights::File { path: "weights".into(), bytes: weights };
        profile.play =
            Some(PlaySwitches { table: true, staged_move_generation: true, ..PlaySwitches::NONE });
        let mut session = Session::<Othello>::new(profile)?;
        let periods: Vec<usize> = (FIRST..=LAST).step_by(LASTS).collect();
        let mut text = String::new();
        for (number, &empties) in periods.iter().enumerate() {
            let mut found = Vec::new();
            for board in boards(games, empties, self.positions) {
                let depth = self.depth.min(board.empties().len() as u32 - 4);
                found.push(searched(&mut session, board, depth));
                let share = found.len() as f64 / self.positions.max(1) as f64;
                if !(self.progress)((number as f64 + share) / periods.len() as f64) {
                    return Ok(None);
                }
            }
            if found.len() >= FEWEST {
                table(&mut text, empties, &found, self.depth);
            }
        }
        Ok(Some(text))
    }
}

/// Positions of a period with a choice, one of each game, from games that are spread evenly.
fn boards(games: &[RecordedGame], empties: usize, count: usize) -> Vec<Board> {
    let every = (games.len() / count.max(1)).max(1);
    let position = |(number, game): (usize, &RecordedGame)| {
        let wanted = empties + number % LASTS;
        let fits = |board: &Board| board.empties().len() == wanted && board.moves().len() > 1;
        positions(game).map(|(board, ..)| board).find(fits)
    };
    games.iter().step_by(every).enumerate().filter_map(position).take(count).collect()
}

/// The values of the searches to every depth.
fn searched(session: &mut Session<Othello>, board: Board, depth: u32) -> Values {
    let stand = session.evaluator().evaluate(&board);
    let mut values = Values::from([(0, f64::from(stand))]);
    session.clear();
    session.set_position(Position { board, side: Disc::Black });
    let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
    session.think(&ThinkRequest::on(limits), &mut |report| {
        if report.bound == BoundKind::Exact {
            values.insert(report.depth, f64::from(report.value));
        }
    });
    values
}

/// Writes the table of a period.
fn table(text: &mut String, empties: usize, found: &[Values], depth: u32) {
    let line = errors(found, depth);
    let count = found.len();
    // A string takes whatever is written to it.
    let _ = writeln!(text, "[[forecast]] # from {count} positions\nempties = {empties}\npairs = [");
    for deep in 1..=DEEPEST {
        for shallow in shallows(deep) {
            let measured = pairs(found, shallow, deep).map(|pairs| regression(&pairs));
            let (slope, offset, error) = measured.unwrap_or((1.0, 0.0, line(shallow, deep)));
            let _ = writeln!(
                text,
                "    {{ deep = {deep}, shallow = {shallow}, slope = {:.3}, offset = {offset:.0}, \
                 error = {:.0} }},",
                slope.clamp(0.1, 10.0),
                error.clamp(1.0, 6400.0)
            );
        }
    }
    text.push_str("]\n");
}

/// The searches that predict one of `deep` plies: of the same parity, for a search that ends with the
/// other side's move sees another game; half as deep or a little less. Near the horizon no search is
/// cheaper than none.
fn shallows(deep: u32) -> Vec<u32> {
    let half = deep / 2 - (deep / 2 + deep) % 2;
    match deep {
        1 | 2 => vec![0],
        3..=5 => vec![0, half],
        _ => vec![half - 2, half],
    }
}

/// The values of a pair of searches; `None` if too few positions have both.
fn pairs(found: &[Values], shallow: u32, deep: u32) -> Option<Vec<(f64, f64)>> {
    let pair = |values: &Values| Some((*values.get(&shallow)?, *values.get(&deep)?));
    let pairs: Vec<(f64, f64)> = found.iter().filter_map(pair).collect();
    (pairs.len() >= FEWEST).then_some(pairs)
}

/// Least squares: slope, offset, and the standard deviation of what remains.
fn regression(pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = pairs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let xx = mean(&|p| (p.0 - x) * (p.0 - x));
    let xy = mean(&|p| (p.0 - x) * (p.1 - y));
    let slope = xy / xx;
    let offset = y - slope * x;
    let error = mean(&|p| (p.1 - slope * p.0 - offset).powi(2)).sqrt();
    (slope, offset, error)
}

/// A line through the logarithms of the errors: over the logarithms of both depths.
fn errors(found: &[Values], deepest: u32) -> impl Fn(u32, u32) -> f64 {
    let mut rows: Vec<([f64; 3], f64)> = Vec::new();
    for deep in 3..=deepest {
        for shallow in (1..deep).filter(|shallow| shallow % 2 == deep % 2) {
            if let Some(pairs) = pairs(found, shallow, deep) {
                let [s, d] = [shallow, deep].map(|depth| f64::from(depth).ln());
                rows.push(([1.0, s, d], regression(&pairs).2.ln()));
            }
        }
    }
    let [a, b, c] = least_squares(&rows);
    move |shallow, deep| (a + b * f64::from(shallow).ln() + c * f64::from(deep).ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_its_error() {
        let pairs = [(0.0, 11.0), (0.0, 9.0), (10.0, 31.0), (10.0, 29.0)];
        let (slope, offset, error) = regression(&pairs);
        assert!((slope - 2.0).abs() < 1e-9 && (offset - 10.0).abs() < 1e-9, "{slope} {offset}");
        assert!((error - 1.0).abs() < 1e-9, "{error}");
    }

    #[test]
    fn shallow_searches_have_the_parity_of_the_deep_one() {
        for deep in 3..=DEEPEST {
            let shallows = shallows(deep);
            assert!(shallows.iter().all(|shallow| *shallow < deep));
            assert!(shallows.iter().skip(1).all(|shallow| shallow % 2 == deep % 2), "{deep}");
        }
    }
}
