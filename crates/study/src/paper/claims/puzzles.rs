//! Marsland 1991, the first half: searches for one player.

use serde_json::Value as Json;

use super::{Claim, Verdict, number, text};
use plyground_search::single_agent::SpaceAlgorithm;
use plyground_search::single_agent::{AStar, Ida};

const PAPER: &str = "Marsland";

/// The survey's remarks on searches for one player.
pub(in crate::paper) fn single_agent(rows: &[Json]) -> Vec<Claim> {
    let of = |name: &str| -> Vec<&Json> {
        rows.iter().filter(|row| text(row, "table") == name).collect()
    };
    let mut claims = Vec::new();
    let sizes = of("sizes");
    let (mut less, mut numbers) = (Vec::new(), Vec::new());
    for row in sizes.iter().filter(|row| text(row, "algorithm") == Ida::ENTRY.id) {
        let same = |other: &&&Json| {
            other["puzzle"] == row["puzzle"] && text(other, "algorithm") == AStar::ENTRY.id
        };
        let Some(a_star) = sizes.iter().find(same) else { continue };
        let (Some(ours), Some(theirs)) = (number(row, "peak_bytes"), number(a_star, "peak_bytes"))
        else {
            continue;
        };
        less.push(ours < theirs);
        numbers.push(format!("{}: IDA* {ours:.0} bytes, A* {theirs:.0}", text(row, "puzzle")));
    }
    if !less.is_empty() {
        let text = "IDA* needs space linear in the depth, A* runs out of memory";
        claims.push(Claim::new(
            PAPER,
            text,
            Verdict::of_sides(less, "the puzzle"),
            numbers.join("; "),
        ));
    }
    let mut steps = Vec::new();
    for pair in of("bounds").windows(2) {
        if pair[0]["number"] == pair[1]["number"]
            && let (Some(a), Some(b)) = (number(pair[0], "bound"), number(pair[1], "bound"))
        {
            steps.push(b - a == 2.0);
        }
    }
    if !steps.is_empty() {
        claims.push(Claim::new(
            PAPER,
            "the bound of IDA* grows by 2 in the N-puzzle",
            Verdict::of_sides(steps.iter().copied(), "the puzzle"),
            format!("{} of {} steps", steps.iter().filter(|two| **two).count(), steps.len()),
        ));
    }
    let salesman: Vec<(f64, f64)> = (of("salesman").into_iter())
        .filter_map(|row| {
            Some((
                number(row, "cities")?,
                number(row, "expanded_ida")? / number(row, "expanded_a_star")?,
            ))
        })
        .collect();
    if let [first, .., last] = salesman[..] {
        claims.push(Claim::new(
            PAPER,
            "IDA* behaves poorly on the travelling salesman: it expands ever more than A*",
            Verdict::of_sides([last.1 > 2.0 * first.1], "the cities"),
            format!(
                "{:.1} times as many states with {:.0} cities, {:.1} times with {:.0}",
                first.1, first.0, last.1, last.0
            ),
        ));
    }
    let pida: Vec<(f64, f64)> = (of("pida").into_iter())
        .filter_map(|row| Some((number(row, "processes")?, number(row, "all")?)))
        .collect();
    if !pida.is_empty() {
        let told: Vec<String> =
            pida.iter().map(|(n, share)| format!("N = {n:.0}: {share:.2} N")).collect();
        claims.push(Claim::new(
            PAPER,
            "PIDA* reaches about 0.93 N",
            Verdict::of_sides(pida.iter().map(|(_, share)| *share >= 0.93), "the processors"),
            format!("to all solutions, simulated: {}", told.join("; ")),
        ));
    }
    let windows: Vec<&Json> = of("window");
    if let Some(row) = windows.last() {
        let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
        claims.push(Claim::new(
            PAPER,
            "parallel window search finds a nearly optimal solution quickly, improves it, then proves it",
            Verdict::of_sides([of("first") < of("best") && of("best") <= of("proof")], "the puzzle"),
            format!(
                "with {} processes, in units of IDA*'s time: first solution {:.3} ({:.1} moves too many), best {:.3}, proof {:.3}",
                row["processes"], of("first"), of("excess"), of("best"), of("proof")
            ),
        ));
    }
    if let Some(row) = of("pia").into_iter().find(|row| row["processes"] == 1) {
        let ratio = number(row, "expanded_ratio").unwrap_or(f64::NAN);
        claims.push(Claim::new(
            PAPER,
            "PIA* on one processor expands the nodes of A*",
            Verdict::of_sides([(ratio - 1.0).abs() < 1e-9], "the puzzle"),
            format!("{ratio:.3} times as many, {} puzzles", row["problems"]),
        ));
    }
    claims
}
