//! What the papers claim or leave open, and what the experiments say of it.

use std::fmt;

use serde_json::Value as Json;

use plyground_search::algorithms::{AlphaBeta, Dual, Dual2, MtdF, Ps, Pvs, Sss, Sss2};
use plyground_search::{GuessFrom, SearchAlgorithm};

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
    /// The verdict on a claim that intervals judge in several settings, each for it, against it or
    /// undecided: held or not held if all that decide agree, and at least one does.
    pub fn of_intervals(decided: impl IntoIterator<Item = Option<bool>>, what: &str) -> Verdict {
        let decided: Vec<bool> = decided.into_iter().flatten().collect();
        match decided.is_empty() {
            true => Verdict::DependsOn("more positions".into()),
            false => Verdict::of_sides(decided, what),
        }
    }

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
}

impl Claim {
    /// A claim with its verdict.
    pub fn new(
        paper: &'static str,
        text: impl Into<String>,
        verdict: Verdict,
        numbers: impl Into<String>,
    ) -> Claim {
        Claim { paper, text: text.into(), verdict, numbers: numbers.into() }
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

/// No claim is judged yet.
pub(super) fn none(_: &[Json]) -> Vec<Claim> {
    Vec::new()
}

/// Srimani and Marsland: tables 2 to 6.
pub(super) fn ps(rows: &[Json]) -> Vec<Claim> {
    let cells: Vec<&Json> =
        rows.iter().filter(|row| row["misprint"] == false && row["printed"].is_u64()).collect();
    let deviations: Vec<f64> =
        cells.iter().filter_map(|row| number(row, "deviation_percent")).collect();
    let mut claims = Vec::new();
    if !deviations.is_empty() {
        let squares: f64 = deviations.iter().map(|d| d * d).sum();
        let rms = (squares / deviations.len() as f64).sqrt();
        let within = deviations.iter().filter(|d| d.abs() <= 8.0).count();
        claims.push(Claim::new(
            "Srimani and Marsland",
            "tables 2 to 6, leaves: the generator is a reconstruction",
            Verdict::of_sides([rms < 5.0], "the generator"),
            format!(
                "{} cells, root mean square deviation {rms:.1} %, {within} within 8 %",
                deviations.len()
            ),
        ));
    }
    let is_list = |row: &&&Json| text(row, "algorithm") != AlphaBeta::ENTRY.id;
    let spaces = cells.iter().filter(is_list).map(|row| row["space"] == row["printed_space"]);
    let (all, same) = (spaces.clone().count(), spaces.clone().filter(|same| *same).count());
    claims.push(Claim::new(
        "Srimani and Marsland",
        "tables 2 to 6, space: OPEN and BACKUP of PS*(k) on uniform trees",
        Verdict::of_sides(spaces, "the tree"),
        format!("{same} of {all} cells exactly as printed"),
    ));
    let unfavourable = rows.iter().filter(|row| row["above_alpha_beta"].is_number());
    let below: Vec<(f64, f64)> = unfavourable
        .filter_map(|row| {
            let k = text(row, "algorithm").strip_prefix(Ps::ENTRY.id)?.strip_prefix(':')?;
            let k = k.parse::<f64>().ok()?;
            let order = number(row, "order")?;
            (order < k).then_some((number(row, "above_alpha_beta")?, number(row, "count")?))
        })
        .collect();
    if !below.is_empty() {
        let (trees, above) = below.iter().fold((0.0, 0.0), |(trees, above), (share, count)| {
            (trees + count, above + share * count)
        });
        let share = above / trees;
        let error = (share * (1.0 - share) / trees).sqrt();
        claims.push(Claim::new(
            "Srimani and Marsland",
            "trees on which PS*(k) visits more leaves than alpha-beta are statistically insignificant \
             (R < k)",
            Verdict::of_sides([share + 1.96 * error < 0.05], "the order of the trees"),
            format!(
                "{:.1} % of {trees:.0} trees ({:.1}–{:.1})",
                100.0 * share,
                100.0 * (share - 1.96 * error).max(0.0),
                100.0 * (share + 1.96 * error)
            ),
        ));
    }
    claims
}

/// PS* on real games: what its papers wish for.
pub(super) fn ps_real(rows: &[Json]) -> Vec<Claim> {
    let mut told = Vec::new();
    for game in distinct(rows, "game") {
        let here = || rows.iter().filter(|row| text(row, "game") == game);
        let deepest = here().filter_map(|row| row["depth"].as_u64()).max();
        for row in here().filter(|row| row["depth"].as_u64() == deepest) {
            let kind = text(row, "algorithm").split(':').next();
            if kind == Some(Ps::ENTRY.id) && row["deepening"] == true {
                told.push(percent(row, game));
            }
        }
    }
    let wish = "PS* remains to be tried in a real game program";
    let numbers =
        format!("leaves in percent of alpha-beta's with the same memory: {}", told.join("; "));
    vec![Claim::new("Srimani and Marsland", wish, Verdict::Answered, numbers)]
}

/// Does a row's search start from this guess? Rows of earlier versions do not say, and start from the last.
fn is_guess(row: &Json, guess: GuessFrom) -> bool {
    row["guess"].as_str().map_or(guess == GuessFrom::default(), |said| said == guess.to_string())
}

/// MTD(f) and its relatives with a table.
pub(super) fn best_first(rows: &[Json]) -> Vec<Claim> {
    let judged = |id: &str, guess: GuessFrom, words: &str, held: fn(f64, f64) -> Option<bool>| {
        let (mut sides, mut numbers) = (Vec::new(), Vec::new());
        let by_depth = rows.iter().filter(|row| text(row, "figure") == "best-first");
        let named = |row: &&Json| text(row, "algorithm") == id && is_guess(row, guess);
        for row in by_depth.filter(named) {
            let (Some(low), Some(high)) = (number(row, "low"), number(row, "high")) else {
                continue;
            };
            sides.push(held(low, high));
            numbers.push(percent(row, text(row, "game")));
        }
        let numbers =
            format!("leaves in percent of aspiration NegaScout's: {}", numbers.join("; "));
        Claim::new(
            "de Bruin, Pijls and Plaat",
            words,
            Verdict::of_intervals(sides, "game and depth"),
            numbers,
        )
    };
    // Below, above, or undecided.
    fn against(low: f64, high: f64, limit: f64) -> Option<bool> {
        (high < limit || low > limit).then_some(high < limit)
    }
    let (previous, parity) = (GuessFrom::Previous, GuessFrom::Parity);
    let fewer = "MTD(f) evaluates fewer leaves than aspiration NegaScout";
    let still = "so it does from the value of the same parity, where values swing";
    let within = "SSS* as a driver over a table stays within 20 % of it";
    vec![
        judged(MtdF::ENTRY.id, previous, fewer, |low, high| against(low, high, 100.0)),
        judged(MtdF::ENTRY.id, parity, still, |low, high| against(low, high, 100.0)),
        judged(Sss2::ENTRY.id, previous, within, |low, high| against(low, high, 120.0)),
        judged(Dual2::ENTRY.id, previous, "so does DUAL*", |low, high| against(low, high, 120.0)),
    ]
}

/// De Bruin, Pijls and Plaat: figures 8 to 10.
pub(super) fn solution_trees(rows: &[Json]) -> Vec<Claim> {
    let figure = |number: u64, generator: &str, x: u64| -> Vec<(&str, f64)> {
        let cells = rows.iter().filter(|row| {
            row["figure"] == number && text(row, "generator") == generator && row["x"] == x
        });
        cells.filter_map(|row| Some((text(row, "line"), row["nodes"].as_f64()?))).collect()
    };
    let (mut best, mut numbers, mut equal) = (Vec::new(), Vec::new(), Vec::new());
    for generator in distinct(rows, "generator") {
        let mut first = 0;
        let levels: Vec<u64> = (2..10).map(|level| 10 * level).collect();
        for &x in &levels {
            let cells = figure(8, generator, x);
            let least = cells.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let is_dual = least.is_some_and(|(line, _)| line.starts_with("Dual"));
            best.push(is_dual);
            first += u32::from(is_dual);
        }
        numbers.push(format!("{generator}: at {first} of {} levels of order", levels.len()));
        let perfect = figure(8, generator, 100);
        equal.push(!perfect.is_empty() && perfect.windows(2).all(|pair| pair[0].1 == pair[1].1));
    }
    vec![
        Claim::new(
            "de Bruin, Pijls and Plaat",
            "figure 8: Dual-2 expands the fewest nodes (w = 5, d = 9)",
            Verdict::of_sides(best, "the generator and the order"),
            numbers.join("; "),
        ),
        Claim::new(
            "de Bruin, Pijls and Plaat",
            "in a perfectly ordered tree every algorithm expands the same nodes",
            Verdict::of_sides(equal, "the generator"),
            format!("{} generators", distinct(rows, "generator").len()),
        ),
    ]
}

/// Marsland: figures 5 and 6.
pub(super) fn survey(rows: &[Json]) -> Vec<Claim> {
    let leaves = |id: &str, depth: u64| {
        let row = rows.iter().find(|row| {
            row["figure"] == 5 && text(row, "algorithm") == id && row["depth"] == depth
        });
        row.and_then(|row| Some((number(row, "leaves")?, number(row, "leaves_se").unwrap_or(0.0))))
    };
    let (mut dual_best, mut sss_odd, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for depth in [3, 5] {
        let (Some(sss), Some(dual), Some(pvs)) = (
            leaves(Sss::ENTRY.id, depth),
            leaves(Dual::ENTRY.id, depth),
            leaves(Pvs::ENTRY.id, depth),
        ) else {
            continue;
        };
        dual_best.push(dual.0 < sss.0 && dual.0 < pvs.0);
        sss_odd.push(sss.0 > dual.0);
        numbers.push(format!(
            "depth {depth}: SSS* {:.0} ± {:.0}, DUAL* {:.0} ± {:.0}, PVS {:.0} ± {:.0}",
            sss.0, sss.1, dual.0, dual.1, pvs.0, pvs.1
        ));
    }
    let numbers = numbers.join("; ");
    vec![
        Claim::new(
            "Marsland",
            "figure 5: SSS* does not do well on bushy trees of odd depth",
            Verdict::of_sides(sss_odd, "the depth"),
            numbers.clone(),
        ),
        Claim::new(
            "Marsland",
            "figure 5: DUAL* is best there",
            Verdict::of_sides(dual_best, "the depth"),
            numbers,
        ),
    ]
}

/// Bhattacharya and Bagchi: tables 2 and 3, whose counts are of one tree each.
pub(super) fn parsss(rows: &[Json]) -> Vec<Claim> {
    let mut distances = Vec::new();
    let mut below = Vec::new();
    for row in rows {
        let of = |key: &str| number(row, key);
        let (Some(ours), Some(error), Some(printed), Some(count)) =
            (of("speed_up"), of("speed_up_se"), of("printed_speed_up"), of("count"))
        else {
            continue;
        };
        // The spread of single trees, and not of their mean.
        let spread = error * count.sqrt();
        if spread > 0.0 {
            distances.push((ours - printed).abs() / spread);
        }
        if let Some(threads) = text(row, "algorithm").split(':').nth(1) {
            below.push(threads.parse().is_ok_and(|threads: f64| ours <= threads));
        }
    }
    let within = distances.iter().filter(|distance| **distance < 2.0).count();
    let farthest = distances.iter().copied().fold(0.0, f64::max);
    vec![
        Claim::new(
            "Bhattacharya and Bagchi",
            "tables 2 and 3: the speed-up of a printed tree lies among those of many trees",
            Verdict::of_sides(
                distances.iter().map(|distance| *distance < 2.0),
                "the number of processes",
            ),
            format!(
                "{within} of {} within 2 standard deviations of single trees, the farthest at {farthest:.1}",
                distances.len()
            ),
        ),
        Claim::new(
            "Bhattacharya and Bagchi",
            "the speed-up stays below the number of processes on average",
            Verdict::of_sides(below.iter().copied(), "the tree"),
            format!("{} of {} cells", below.iter().filter(|held| **held).count(), below.len()),
        ),
    ]
}

/// Marsland: figure 6, on our games.
pub(super) fn enhancements(rows: &[Json]) -> Vec<Claim> {
    let (mut pvs, mut additive, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for game in distinct(rows, "game") {
        let here = || rows.iter().filter(|row| text(row, "game") == game);
        let deepest = here().filter_map(|row| row["depth"].as_u64()).max();
        let at = |line: &str| {
            let named = |row: &&Json| text(row, "line").starts_with(line);
            here().filter(|row| row["depth"].as_u64() == deepest).find(named)
        };
        let percents = |line: &str| at(line).and_then(|row| number(row, "percent"));
        if let (Some(plain), Some(aspiration)) = (percents("PVS"), percents("Aspiration")) {
            pvs.push(plain < aspiration);
        }
        if let (Some(one), Some(all)) =
            (percents("PVS+trans, 1M"), percents("PVS+trans+ref+hist, 1M"))
        {
            additive.push(all < one);
        }
        for line in ["Aspiration", "PVS", "PVS+trans, 1M", "PVS+trans+ref+hist, 1M"] {
            numbers.extend(at(line).map(|row| percent(row, game)));
        }
    }
    let numbers = format!("leaves in percent of direct alpha-beta's: {}", numbers.join("; "));
    vec![
        Claim::new(
            "Marsland",
            "figure 6: PVS is more efficient than aspiration search",
            Verdict::of_sides(pvs, "the game"),
            numbers.clone(),
        ),
        Claim::new(
            "Marsland",
            "figure 6: the memory functions are additive",
            Verdict::of_sides(additive, "the game"),
            numbers,
        ),
    ]
}

/// `game depth: 95.1 (93.0–97.3)`
fn percent(row: &Json, game: &str) -> String {
    let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
    let depth = row["depth"].as_u64().unwrap_or(0);
    let name = text(row, "line");
    format!("{game} {depth}, {name}: {:.0} ({:.0}–{:.0})", of("percent"), of("low"), of("high"))
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
    fn numbers_are_those_of_the_rows() {
        let row = |low: f64, high: f64, game: &str| {
            json!({"figure": "best-first", "game": game, "line": "MTD(f)", "algorithm": "mtd-f",
                   "depth": 6, "percent": 95.0, "low": low, "high": high})
        };
        let claims = best_first(&[row(93.0, 97.0, "othello"), row(101.0, 104.0, "chess")]);
        assert_eq!(claims[0].verdict, Verdict::DependsOn("game and depth".into()));
        // An interval that holds both says nothing.
        let claims = best_first(&[row(93.0, 97.0, "othello"), row(94.0, 101.0, "chess")]);
        assert_eq!(claims[0].verdict, Verdict::Held);
        let nothing = best_first(&[row(94.0, 101.0, "chess")]);
        assert!(nothing[0].verdict.to_string().starts_with("depends on more positions"));
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
        assert!(claims[2].numbers.starts_with("12.0 % of 200 trees (7.5–16.5)"), "{claims:?}");
    }
}
