//! What the papers claim or leave open, and what the experiments say of it.

mod drivers;
mod family;
mod parsss;
mod phased;
mod puzzles;
mod side;
mod survey;

pub(super) use drivers::{best_first, solution_trees};
pub(super) use family::family;
pub(super) use parsss::parsss;
pub(super) use phased::{ps, ps_real};
pub(super) use puzzles::single_agent;
pub(super) use side::{Side, log_error};
pub(super) use survey::{enhancements, survey};

pub use side::IntervalVerdict;

use std::fmt;

use serde_json::Value as Json;

use crate::experiment::PairedRatio;

/// What an experiment says of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It held.
    Held,
    /// It did not hold.
    NotHeld,
    /// It depends on this.
    DependsOn(String),
    /// It was a question, and has an answer.
    Answered,
}

impl Verdict {
    /// The verdict on a claim that was tried in several settings: held in all, held in none, or depending
    /// on `what` differs between them. Without a setting nothing is held.
    pub fn of_sides(held: impl IntoIterator<Item = bool>, what: &str) -> Verdict {
        let held: Vec<bool> = held.into_iter().collect();
        match held.iter().filter(|held| **held).count() {
            0 => Verdict::NotHeld,
            n if n == held.len() => Verdict::Held,
            _ => Verdict::DependsOn(what.into()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Held => f.pad("held"),
            Verdict::NotHeld => f.pad("not held"),
            Verdict::DependsOn(what) => f.pad(&format!("depends on {what}")),
            Verdict::Answered => f.pad("answered"),
        }
    }
}

/// A claim of a paper, or something that it leaves to be done, with the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The paper, by its place in the bibliography.
    pub paper: &'static str,
    /// The claim in our words.
    pub text: String,
    /// What came out.
    pub verdict: Verdict,
    /// The numbers behind it, with their intervals.
    pub numbers: String,
    /// The positions behind them, where they are not those of the whole experiment.
    positions: Option<u64>,
}

impl Claim {
    /// A claim with its verdict.
    pub fn new(
        paper: &'static str,
        text: impl Into<String>,
        verdict: impl Into<IntervalVerdict>,
        numbers: impl Into<String>,
    ) -> Claim {
        let IntervalVerdict { verdict, undecided, of } = verdict.into();
        let mut numbers: String = numbers.into();
        if undecided > 0 {
            numbers.push_str(&format!("; {undecided} of {of} settings do not decide"));
        }
        Claim { paper, text: text.into(), verdict, numbers, positions: None }
    }

    /// The claim, whose numbers are those of so many positions, and not of all that the experiment has.
    pub(super) fn on_positions(self, count: Option<u64>) -> Claim {
        Claim { positions: count, ..self }
    }

    /// Adds the number of positions: the claim's own, or that of the experiment, `most` and `deepest` of them
    /// for the deepest searches.
    pub(super) fn tell_positions(&mut self, most: usize, deepest: Option<u64>) {
        if self.numbers.contains("searches") {
            return;
        }
        let told = match (self.positions, deepest) {
            (Some(own), _) => format!("; {own} positions in each setting"),
            (None, None) => format!("; {most} positions in each setting"),
            (None, Some(fewer)) => {
                format!("; {most} positions in each setting, {fewer} in the deepest")
            }
        };
        self.numbers.push_str(&told);
    }
}

/// A number of an object; `None` if it has none under this key.
fn number(row: &Json, key: &str) -> Option<f64> {
    row[key].as_f64()
}

/// A text of an object; empty if it has none under this key.
fn text<'r>(row: &'r Json, key: &str) -> &'r str {
    row[key].as_str().unwrap_or("")
}

/// `game depth: 95.1 (93.0–97.3)`
fn percent(row: &Json, game: &str) -> String {
    let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
    let depth = row["depth"].as_u64().unwrap_or(0);
    let name = text(row, "line");
    format!("{game} {depth}, {name}: {:.0} ({:.0}–{:.0})", of("percent"), of("low"), of("high"))
}

/// One row's counts over another's, position by position, under this key.
fn paired(row: &Json, base: &Json, key: &str) -> Option<PairedRatio> {
    let counts = |row: &Json| -> Option<Vec<Option<f64>>> {
        Some(row[key].as_array()?.iter().map(Json::as_f64).collect())
    };
    let (own, theirs) = (counts(row)?, counts(base)?);
    PairedRatio::of(own.into_iter().zip(theirs).filter_map(|(a, b)| Some((a?, b?))))
}

/// `0.93 (0.90–0.96)`
fn ratio_text(paired: &PairedRatio) -> String {
    let (low, high) = paired.bootstrap;
    format!("{:.2} ({low:.2}–{high:.2})", paired.ratio.mean)
}

/// The different texts under a key, in the order of their first objects.
fn distinct<'r>(rows: &'r [Json], key: &str) -> Vec<&'r str> {
    let mut all: Vec<&str> = Vec::new();
    for row in rows {
        let found = text(row, key);
        if !found.is_empty() && !all.contains(&found) {
            all.push(found);
        }
    }
    all
}

/// `2.31 (2.20–2.43)`, from the keys of a mean and the ends of its interval.
fn interval(row: &Json, [mean, low, high]: [&str; 3]) -> String {
    let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
    format!("{:.2} ({:.2}–{:.2})", of(mean), of(low), of(high))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn verdicts_on_several_settings() {
        assert_eq!(Verdict::of_sides([true, true], "x"), Verdict::Held);
        assert_eq!(Verdict::of_sides([false], "x"), Verdict::NotHeld);
        assert_eq!(Verdict::of_sides([], "x"), Verdict::NotHeld);
        let both = Verdict::of_sides([true, false], "the game");
        assert_eq!(both.to_string(), "depends on the game");
    }

    #[test]
    fn a_part_of_an_experiment_tells_its_own_positions() {
        let row = |figure: &str, count: u64| {
            json!({"figure": figure, "game": "chess", "line": "PVS", "algorithm": "pvs", "depth": 6,
                   "table": 1 << 20, "visits_percent": 101.0, "visits_low": 100.0,
                   "visits_high": 102.0, "count": count})
        };
        let rows = [row("best-first", 120), row("table-size", 10), row("table-size", 9)];
        let mut claims = best_first(&rows);
        for claim in &mut claims {
            claim.tell_positions(120, Some(40));
        }
        let (sizes, others) = claims.split_last().unwrap();
        assert!(sizes.numbers.ends_with("; 10 positions in each setting"), "{sizes:?}");
        for claim in others {
            let told = "; 120 positions in each setting, 40 in the deepest";
            assert!(claim.numbers.ends_with(told), "{claim:?}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_rows() {
        // Evaluations of MTD(f) in percent of aspiration NegaScout's, one for each position.
        let pair = |game: &str, percents: [u64; 6]| {
            let row = |line: &str, id: &str, evaluations: [u64; 6]| {
                json!({"figure": "best-first", "game": game, "line": line, "algorithm": id,
                       "depth": 6, "percent": 95.0, "low": 93.0, "high": 97.0,
                       "evaluations": evaluations})
            };
            [row("NS", "aspiration-negascout:50", [100; 6]), row("MTD(f)", "mtd-f", percents)]
        };
        let (less, more) = ([95, 94, 96, 95, 94, 96], [102, 103, 102, 103, 102, 103]);
        let neither = [90, 110, 93, 108, 97, 104];
        let claims = best_first(&[pair("othello", less), pair("chess", more)].concat());
        assert_eq!(claims[0].verdict, Verdict::DependsOn("game and depth".into()));
        // An interval that holds both says nothing.
        let claims = best_first(&[pair("othello", less), pair("chess", neither)].concat());
        assert_eq!(claims[0].verdict, Verdict::Held);
        assert!(claims[0].numbers.contains("1 of 2 settings do not decide"), "{claims:?}");
        let nothing = best_first(&pair("chess", neither));
        assert_eq!(nothing[0].verdict.to_string(), "depends on more cases");
        assert!(claims[0].numbers.contains("othello 6, MTD(f): 95 (93–97)"), "{claims:?}");
        let cell = |printed: u64, ours: f64| {
            json!({"misprint": false, "printed": printed, "algorithm": "ps:4", "order": 2.0,
                   "deviation_percent": 100.0 * (ours / printed as f64 - 1.0), "space": 7,
                   "printed_space": 7, "above_alpha_beta": 0.12, "count": 100.0})
        };
        let claims = ps(&[cell(100, 103.0), cell(200, 196.0)]);
        assert!(claims[0].numbers.contains("root mean square deviation 2.5 %"), "{claims:?}");
        assert_eq!(claims[1].verdict, Verdict::Held);
        assert_eq!(claims[2].verdict, Verdict::NotHeld, "{claims:?}");
        assert!(
            claims[2].numbers.starts_with("in 12.0 % of 200 searches with some k (8.2–17.2)"),
            "{claims:?}"
        );
    }
}
