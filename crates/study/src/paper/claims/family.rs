//! The searches that the papers name and do not measure: proof numbers, conspiracies, B*, best-first minimax.

use serde_json::Value as Json;

use super::{Claim, Side, Verdict, distinct, number, paired, ratio_text, text};
use crate::experiment::share_interval;
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{AlphaBeta, BStar, BestFirstMinimax, Cns, MtdF, Pvs};

/// What the papers say of these searches, or leave open.
pub(in crate::paper) fn family(rows: &[Json]) -> Vec<Claim> {
    let of = |name: &str| -> Vec<&Json> {
        rows.iter().filter(|row| text(row, "experiment") == name).collect()
    };
    let mut claims = Vec::new();
    let matches = of("family-matches");
    let mut told = Vec::new();
    let mut weaker = Vec::new();
    for row in &matches {
        let [won, drawn, lost] =
            ["won", "drawn", "lost"].map(|key| number(row, key).unwrap_or(0.0));
        let games = won + drawn + lost;
        if games == 0.0 {
            continue;
        }
        let points = won + drawn / 2.0;
        let (share, (low, high)) = (points / games, share_interval(points, games));
        weaker.push(Side::of_share(points, games));
        told.push(format!(
            "{}, {} against {}: {:.0} % ({:.0}–{:.0}) of {games:.0} games",
            text(row, "game"),
            text(row, "algorithm"),
            text(row, "against"),
            100.0 * share,
            100.0 * low,
            100.0 * high
        ));
    }
    if !told.is_empty() {
        claims.push(Claim::new(
            "de Bruin, Pijls and Plaat",
            "the relation with proof numbers, best-first minimax and B* is worth investigating (left open): at equal nodes they are weaker than PVS and MTD(f)",
            Verdict::of_intervals(weaker, "the game and the search"),
            told.join("; "),
        ));
    }
    let trees = of("family-trees");
    let mut numbers = Vec::new();
    let (mut more, mut right) = (Vec::new(), (0.0, 0.0));
    for row in trees.iter().filter(|row| text(row, "algorithm").starts_with(Cns::ENTRY.id)) {
        let same = |other: &&&Json| {
            other["width"] == row["width"]
                && other["depth"] == row["depth"]
                && text(other, "algorithm") == AlphaBeta::ENTRY.id
        };
        let Some(base) = trees.iter().find(same) else { continue };
        let Some(found) = paired(row, base, "each") else { continue };
        more.push(Side::of(&found, 1.0, true));
        right.0 += number(row, "right").unwrap_or(0.0);
        right.1 += number(row, "trees").unwrap_or(0.0);
        numbers.push(format!(
            "T({},{}): {} of {}",
            row["width"],
            row["depth"],
            ratio_text(&found),
            found.ratio.count
        ));
    }
    if !numbers.is_empty() {
        claims.push(Claim::new(
            "Marsland",
            "conspiracy numbers beside alpha-beta and SSS* on random trees (Allis and others): fewer leaves, without certainty",
            Verdict::of_intervals(more, "the tree"),
            format!(
                "leaves relative to alpha-beta's: {}; right in {:.0} of {:.0} trees",
                numbers.join("; "),
                right.0,
                right.1
            ),
        ));
    }
    let suites = of("family-suites");
    let mut solved = Vec::new();
    for game in distinct(rows, "game") {
        let sum = |id: &str| {
            let own = suites
                .iter()
                .filter(|row| text(row, "game") == game && text(row, "algorithm") == id);
            own.fold((0.0, 0.0), |(a, b), row| {
                (
                    a + number(row, "solved").unwrap_or(0.0),
                    b + number(row, "positions").unwrap_or(0.0),
                )
            })
        };
        for id in [Pvs::ENTRY.id, MtdF::ENTRY.id, BestFirstMinimax::ENTRY.id, BStar::ENTRY.id] {
            let (found, all) = sum(id);
            if all > 0.0 {
                let (low, high) = share_interval(found, all);
                let (low, high) = (100.0 * low, 100.0 * high);
                solved.push(format!("{game}, {id}: {found:.0} of {all:.0} ({low:.0}–{high:.0} %)"));
            }
        }
    }
    let agreement = of("family-agreement");
    let most_nodes = agreement.iter().filter_map(|row| number(row, "nodes")).fold(0.0, f64::max);
    let mut agreed = Vec::new();
    for row in agreement.iter().filter(|row| number(row, "nodes") == Some(most_nodes)) {
        let of = |key: &str| number(row, key).unwrap_or(0.0);
        let (low, high) = share_interval(of("agreed"), of("positions"));
        agreed.push(format!(
            "{}, {}: {:.0} % ({:.0}–{:.0})",
            text(row, "game"),
            text(row, "algorithm"),
            100.0 * of("agreed") / of("positions").max(1.0),
            100.0 * low,
            100.0 * high
        ));
    }
    if !agreed.is_empty() {
        claims.push(Claim::new(
            "de Bruin, Pijls and Plaat",
            "how often the searches of the family choose the move of a deep PVS (left open)",
            Verdict::Answered,
            format!("{most_nodes:.0} nodes: {}", agreed.join("; ")),
        ));
    }
    if !solved.is_empty() {
        claims.push(Claim::new(
            "Marsland",
            "B* finds the best move without narrowing its value, so some search reduction is possible (left open): positions solved at equal nodes",
            Verdict::Answered,
            solved.join("; "),
        ));
    }
    claims
}
