//! Bhattacharya and Bagchi: parallel SSS*.

use serde_json::Value as Json;

use super::{Claim, Verdict, number, text};
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::IterSss;

const PAPER: &str = "Bhattacharya and Bagchi";

/// Bhattacharya and Bagchi: tables 1, 2 and 3, whose counts are of one tree each.
pub(in crate::paper) fn parsss(rows: &[Json]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let last =
        rows.iter().filter(|row| row["table"] == 1).filter_map(|r| r["terminal_count"].as_u64());
    if let Some(count) = last.max() {
        claims.push(Claim::new(
            PAPER,
            "table 1: PARSSS*(2) takes 7 terminal counts on the worked example",
            Verdict::of_sides([count == 7], "the schedule"),
            format!("{count}"),
        ));
    }
    let placed: Vec<(&Json, f64)> = rows
        .iter()
        .filter(|row| row["distribution"].is_u64())
        .filter(|row| number(row, "low") != number(row, "high"))
        .filter_map(|row| Some((row, number(row, "below")?)))
        .collect();
    if !placed.is_empty() {
        let inside = |below: f64| (0.025..=0.975).contains(&below);
        let within = placed.iter().filter(|(_, below)| inside(*below)).count();
        let outside: Vec<String> = placed
            .iter()
            .filter(|(_, below)| !inside(*below))
            .map(|(row, below)| {
                format!(
                    "{} on T({},{}): printed {:.2}, ours 5 to 95 % {:.2}–{:.2}, {:.0} % of trees below",
                    text(row, "algorithm"),
                    row["width"],
                    row["depth"],
                    number(row, "printed").unwrap_or(f64::NAN),
                    number(row, "low").unwrap_or(f64::NAN),
                    number(row, "high").unwrap_or(f64::NAN),
                    100.0 * below
                )
            })
            .collect();
        claims.push(Claim::new(
            PAPER,
            "tables 2 and 3: the speed-up of a printed tree lies among those of many trees (2.5 to 97.5 %)",
            Verdict::of_sides(
                placed.iter().map(|(_, below)| inside(*below)),
                "the processes and their memory",
            ),
            format!("{within} of {} rows; outside: {}", placed.len(), outside.join("; ")),
        ));
    }
    claims.extend(literal(rows));
    claims.extend(bounded(rows));
    let mut below = Vec::new();
    for row in rows {
        let Some(ours) = number(row, "speed_up") else { continue };
        if let Some(threads) = text(row, "algorithm").split(':').nth(1) {
            below.push(threads.parse().is_ok_and(|threads: f64| ours <= threads));
        }
    }
    claims.push(Claim::new(
        PAPER,
        "the speed-up is less than linear, on average",
        Verdict::of_sides(below.iter().copied(), "the tree"),
        format!("{} of {} cells", below.iter().filter(|held| **held).count(), below.len()),
    ));
    claims
}

/// Does the code as printed explain the rows of table 3 with eight processes?
fn literal(rows: &[Json]) -> Option<Claim> {
    let (mut explained, mut numbers) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row["literal"].is_string()) {
        let of = |key: &str| number(row, key);
        let (Some(given), Some(printed)) = (of("given_back"), of("printed")) else { continue };
        let trees = of("trees").unwrap_or(0.0);
        let locked = of("kept_locked").unwrap_or(0.0);
        let kept = of("kept");
        // The printed one is of a single tree: it must lie in the spread of trees, not of their mean.
        let far = |mean: f64, error: Option<f64>, count: f64| {
            (mean - printed).abs() > 1.96 * error.unwrap_or(0.0) * count.sqrt()
        };
        let off = far(given, of("given_back_se"), trees - of("given_back_locked").unwrap_or(0.0));
        if off {
            explained.push(kept.is_some_and(|kept| !far(kept, of("kept_se"), trees - locked)));
        }
        let told = kept.map_or_else(
            || "none ends".into(),
            |kept| format!("{kept:.2} ± {:.2}", 1.96 * of("kept_se").unwrap_or(0.0)),
        );
        numbers.push(format!(
            "{}: printed {printed:.2}, given back {given:.2} ± {:.2}, kept {told} ({locked:.0} of {trees:.0} trees lock up)",
            text(row, "literal"),
            1.96 * of("given_back_se").unwrap_or(0.0),
        ));
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "table 3 at N = 8: the printed code, which never gives the entry of a killed process back, explains the low speed-ups",
            match explained.is_empty() {
                true => Verdict::DependsOn("more trees: no row is far off".into()),
                false => Verdict::of_sides(explained, "the memory"),
            },
            numbers.join("; "),
        )
    })
}

/// ITERSSS* above its threshold of memory, beside alpha-beta.
fn bounded(rows: &[Json]) -> Option<Claim> {
    let (mut never, mut numbers) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| text(row, "bounded").starts_with(IterSss::ENTRY.id)) {
        let (Some(ended), Some(trees)) = (number(row, "ended"), number(row, "trees")) else {
            continue;
        };
        let more = number(row, "above_alpha_beta").unwrap_or(0.0);
        // Below the threshold it may end, and need not.
        let entries = text(row, "bounded").split(':').nth(1).and_then(|m| m.parse::<u64>().ok());
        if entries >= Some(THRESHOLD) {
            never.push(more == 0.0 && ended == trees);
        }
        numbers.push(format!(
            "{}: {ended:.0} of {trees:.0} trees end, {more:.0} with more leaves than alpha-beta",
            text(row, "bounded")
        ));
    }
    (!never.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "ITERSSS* runs in any memory from M₀ = ⌈d/2⌉(b − 1) + 1 = 11 entries on, and never examines more terminals than alpha-beta",
            Verdict::of_sides(never, "the memory"),
            format!("T(3,10): {}", numbers.join("; ")),
        )
    })
}

/// The entries that the paper says suffice on trees of width 3 and depth 10.
const THRESHOLD: u64 = 11;
