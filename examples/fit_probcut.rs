//! Fits the forecasts of multi-probcut: how well shallow searches with Othello's evaluator foretell
//! deeper ones. Prints the `[[forecast]]` tables of `engines/weights/othello.toml`.
//!
//!     cargo run --release --example fit_probcut -- GAMES DEPTH
//!
//! Each game goes on from an opening of `positions/openings-othello.txt` with searches of four plies
//! and a random move now and then. Every fourth position is searched to every depth up to DEPTH,
//! without any selection, and for each pair of depths and each period of the game the deep values are
//! regressed on the shallow ones. Pairs too deep to be measured get slope 1, offset 0 and the error that
//! a line through the measured ones foretells: the logarithm of the error by those of the depths.

use std::collections::BTreeMap;

use plyground::game::Game;
use plyground::othello::{Othello, Position, Transcript};
use plyground::profile::Profile;
use plyground::search::play::PlaySwitches;
use plyground::session::{BoundKind, GoLimits, Session, ThinkRequest};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const OPENINGS: &str = include_str!("../positions/openings-othello.txt");

/// The periods begin at so many empties, and last for six.
const FIRST: usize = 13;
const LASTS: usize = 6;

/// What the searches of one position found, by depth.
type Values = BTreeMap<u32, f64>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let &[games, deepest] = numbers.as_slice() else {
        return Err("expected two numbers: GAMES DEPTH".into());
    };
    let mut profile = Profile::standard(Othello::door())?;
    profile.play =
        Some(PlaySwitches { table: true, staged_move_generation: true, ..PlaySwitches::NONE });
    let mut session = Session::<Othello>::new(profile)?;
    let openings: Vec<Position> = OPENINGS
        .lines()
        .filter(|line| !line.starts_with('%'))
        .map(|line| line.parse::<Transcript>().map(|game| game.end()))
        .collect::<Result<_, _>>()?;
    let mut random = StdRng::seed_from_u64(1);
    let mut periods: BTreeMap<usize, Vec<Values>> = BTreeMap::new();
    for game in 0..games {
        let mut left = random.random_range(0..4);
        session.set_position(openings[game % openings.len()]);
        loop {
            let moves = session.legal_moves();
            let empties = session.position().board.empties().len();
            if moves.is_empty() || empties < FIRST {
                break;
            }
            if left == 0 && moves.len() > 1 {
                left = 4;
                let values = searched(&mut session, (deepest as u32).min(empties as u32 - 4));
                periods.entry((empties - FIRST) / LASTS).or_default().push(values);
            }
            left -= usize::from(left > 0);
            let best = session.think(&ThinkRequest::on(to_depth(4)), &mut |_| {}).best;
            let any = moves[random.random_range(0..moves.len())];
            session.play(if random.random_ratio(1, 8) { any } else { best.unwrap_or(any) });
        }
        eprint!("\rgame {} of {games}", game + 1);
    }
    eprintln!();
    for (period, found) in &periods {
        println!("[[forecast]] # from {} positions", found.len());
        println!("empties = {}\npairs = [", FIRST + LASTS * period);
        let line = errors(found, deepest as u32);
        for deep in 1..=DEEPEST {
            for shallow in shallows(deep) {
                let measured = pairs(found, shallow, deep).map(|pairs| regression(&pairs));
                let (slope, offset, error) = measured.unwrap_or((1.0, 0.0, line(shallow, deep)));
                println!(
                    "    {{ deep = {deep}, shallow = {shallow}, slope = {slope:.3}, offset = \
                     {offset:.0}, error = {error:.0} }},"
                );
            }
        }
        println!("]\n");
    }
    Ok(())
}

/// Pairs are printed up to this depth.
const DEEPEST: u32 = 24;

/// The searches that foretell one of `deep` plies: of the same parity, for a search that ends with
/// the other side's move sees another game; half as deep or a little less. Near the horizon no
/// search is cheaper than none.
fn shallows(deep: u32) -> Vec<u32> {
    let half = deep / 2 - (deep / 2 + deep) % 2;
    match deep {
        1 | 2 => vec![0],
        3..=5 => vec![0, half],
        _ => vec![half - 2, half],
    }
}

fn to_depth(depth: u32) -> GoLimits {
    GoLimits { depth: Some(depth), ..GoLimits::default() }
}

/// The values of the searches to every depth.
fn searched(session: &mut Session<Othello>, depth: u32) -> Values {
    let stand = session.evaluator().evaluate(&session.position().board);
    let mut values = Values::from([(0, f64::from(stand))]);
    session.clear();
    session.think(&ThinkRequest::on(to_depth(depth)), &mut |report| {
        if report.bound == BoundKind::Exact {
            values.insert(report.depth, f64::from(report.value));
        }
    });
    values
}

/// The values of a pair of searches; `None` if too few positions have both.
fn pairs(found: &[Values], shallow: u32, deep: u32) -> Option<Vec<(f64, f64)>> {
    let pair = |values: &Values| Some((*values.get(&shallow)?, *values.get(&deep)?));
    let pairs: Vec<(f64, f64)> = found.iter().filter_map(pair).collect();
    (pairs.len() >= FEWEST).then_some(pairs)
}

/// Fewer positions than these say nothing about an error.
const FEWEST: usize = 30;

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
    let [a, b, c] = solved(&rows);
    move |shallow, deep| (a + b * f64::from(shallow).ln() + c * f64::from(deep).ln()).exp()
}

/// The least-squares solution, by elimination in the normal equations.
fn solved(rows: &[([f64; 3], f64)]) -> [f64; 3] {
    let mut m = [[0.0; 4]; 3];
    for (x, y) in rows {
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += x[i] * x[j];
            }
            m[i][3] += x[i] * y;
        }
    }
    for i in 0..3 {
        let pivot = m[i];
        for (j, row) in m.iter_mut().enumerate() {
            if i != j {
                let factor = row[i] / pivot[i];
                row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    std::array::from_fn(|i| m[i][3] / m[i][i])
}
