//! Marsland 1991: figures 5 and 6.

use serde_json::Value as Json;

use super::{Claim, Side, Verdict, distinct, interval, number, paired, percent, ratio_text, text};
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{AlphaBeta, Aspiration, Dual, Pvs, Sss};

/// Marsland: figures 5 and 6.
pub(in crate::paper) fn survey(rows: &[Json]) -> Vec<Claim> {
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
        // 95 % of the difference of two independent means: the trees are the same, so this is on the safe side.
        let below = |a: (f64, f64), b: (f64, f64)| Side::of_difference(a.0 - b.0, a.1.hypot(b.1));
        dual_best.extend([below(dual, sss), below(dual, pvs)]);
        sss_odd.extend([below(dual, sss), below(pvs, sss)]);
        numbers.push(format!(
            "depth {depth}: SSS* {:.0} ± {:.0}, DUAL* {:.0} ± {:.0}, PVS {:.0} ± {:.0}",
            sss.0,
            1.96 * sss.1,
            dual.0,
            1.96 * dual.1,
            pvs.0,
            1.96 * pvs.1
        ));
    }
    let numbers = numbers.join("; ");
    let mut claims = vec![
        Claim::new(
            "Marsland",
            "figure 5: SSS* does not do well on bushy trees of odd depth",
            Verdict::of_intervals(sss_odd, "the depth"),
            numbers.clone(),
        ),
        Claim::new(
            "Marsland",
            "figure 5: DUAL* is best there",
            Verdict::of_intervals(dual_best, "the depth"),
            numbers,
        ),
    ];
    claims.extend(times(rows));
    claims.extend(dominance(rows));
    claims
}

/// "More than five times": what a leaf costs SSS* and DUAL*.
fn times(rows: &[Json]) -> Option<Claim> {
    let (mut more, mut numbers) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row["figure"] == 5 && row["depth"] == 5) {
        let id = text(row, "algorithm");
        if id != Sss::ENTRY.id && id != Dual::ENTRY.id {
            continue;
        }
        let keys = ["time_a_leaf", "time_a_leaf_low", "time_a_leaf_high"];
        let [Some(mean), Some(low), Some(high)] = keys.map(|key| number(row, key)) else {
            continue;
        };
        more.push(Side::of_interval((mean, low, high), 5.0).contrary());
        numbers.push(format!(
            "{id}: {}, and for the whole tree {}",
            interval(row, keys),
            interval(row, ["time", "time_low", "time_high"])
        ));
    }
    (!more.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "the overhead of SSS* and DUAL* is more than five times that of a depth-first search",
            Verdict::of_intervals(more, "the search"),
            format!(
                "processor time of a leaf in units of alpha-beta's, leaves that cost nothing (D = 5): {}",
                numbers.join("; ")
            ),
        )
    })
}

/// SSS*, DUAL* and PVS visit no more leaves than alpha-beta; aspiration without the answer is above PVS.
fn dominance(rows: &[Json]) -> Vec<Claim> {
    let leaves = |id: &str, depth: &Json| {
        let found = rows.iter().find(|row| {
            let own = text(row, "algorithm");
            row["figure"] == 5
                && &row["depth"] == depth
                && (own == id || own.split(':').next() == Some(id))
        });
        found
            .and_then(|row| Some((number(row, "leaves")?, number(row, "leaves_se").unwrap_or(0.0))))
    };
    let (mut dominated, mut above, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for row in
        rows.iter().filter(|row| row["figure"] == 5 && text(row, "algorithm") == Pvs::ENTRY.id)
    {
        let depth = &row["depth"];
        let Some(base) = leaves(AlphaBeta::ENTRY.id, depth) else { continue };
        for id in [Sss::ENTRY.id, Dual::ENTRY.id, Pvs::ENTRY.id] {
            dominated.extend(leaves(id, depth).map(|leaves| leaves.0 <= base.0));
        }
        if let (Some(aspiration), Some(pvs)) =
            (leaves(Aspiration::ENTRY.id, depth), leaves(Pvs::ENTRY.id, depth))
        {
            // The trees are the same, so this error of the difference is on the safe side.
            above.push(Side::of_difference(pvs.0 - aspiration.0, aspiration.1.hypot(pvs.1)));
            numbers.push(format!(
                "depth {depth}: {:.0} ± {:.0} and {:.0} ± {:.0} leaves",
                aspiration.0,
                1.96 * aspiration.1,
                pvs.0,
                1.96 * pvs.1
            ));
        }
    }
    if dominated.is_empty() {
        return Vec::new();
    }
    vec![
        Claim::new(
            "Marsland",
            "SSS*, DUAL* and PVS dominate alpha-beta: they never visit more leaves",
            Verdict::of_sides(dominated.iter().copied(), "the depth"),
            format!("{} means of strongly ordered trees", dominated.len()),
        ),
        Claim::new(
            "Marsland",
            "aspiration search, whose estimate is made before the search, does not reach PVS",
            Verdict::of_intervals(above, "the depth"),
            format!("strongly ordered trees, half of the windows fail; {}", numbers.join("; ")),
        ),
    ]
}

/// How the line of aspiration search begins.
const ASPIRATION: &str = "Aspiration";

/// Marsland: figure 6, on our games.
pub(in crate::paper) fn enhancements(rows: &[Json]) -> Vec<Claim> {
    let of = |game: &str, depth: u64, line: &str| {
        let named = |row: &&Json| {
            // Aspiration's name goes on with its window.
            let here = text(row, "game") == game && row["depth"] == depth;
            here && (text(row, "line") == line
                || line == ASPIRATION && text(row, "line").starts_with(ASPIRATION))
        };
        rows.iter().find(named)
    };
    // One line beside another, position by position, in every game at every depth.
    let beside = |first: &str, second: &str| {
        let (mut sides, mut numbers) = (Vec::new(), Vec::new());
        for game in distinct(rows, "game") {
            let here = rows.iter().filter(|row| text(row, "game") == game);
            let mut depths: Vec<u64> = here.filter_map(|row| row["depth"].as_u64()).collect();
            depths.sort_unstable();
            depths.dedup();
            for depth in depths {
                let (Some(a), Some(b)) = (of(game, depth, first), of(game, depth, second)) else {
                    continue;
                };
                let Some(found) = paired(a, b, "evaluations") else { continue };
                sides.push(Side::of(&found, 1.0, true));
                numbers.push(format!("{game} {depth}: {}", ratio_text(&found)));
            }
        }
        (sides, numbers.join("; "))
    };
    let mut claims = Vec::new();
    for (first, second, claim) in [
        ("PVS", ASPIRATION, "figure 6: PVS is more efficient than aspiration search"),
        ("PVS+trans, 8K", "PVS", "figure 6: the transposition table is an improvement"),
        ("PVS+trans+ref, 8K", "PVS+trans, 8K", "figure 6: the refutation table adds to it"),
        ("PVS+trans+ref+hist, 8K", "PVS+trans+ref, 8K", "figure 6: the history table adds to both"),
        (
            "PVS+trans+ref+hist, 1M",
            "αβ, direct",
            "with memory functions a search that deepens takes fewer leaves than a direct one",
        ),
    ] {
        let (sides, numbers) = beside(first, second);
        if numbers.is_empty() {
            continue;
        }
        claims.push(Claim::new(
            "Marsland",
            claim,
            Verdict::of_intervals(sides, "the game and the depth"),
            format!("leaves of {first} relative to {second}: {numbers}"),
        ));
    }
    claims.extend(minimal_tree(rows));
    claims.extend(overloaded(rows));
    claims
}

/// Is the minimal tree a lower bound, once a table answers for leaves?
fn minimal_tree(rows: &[Json]) -> Option<Claim> {
    let minimal = |row: &Json| {
        let same = |other: &&Json| {
            text(other, "line") == "minimal tree"
                && other["game"] == row["game"]
                && other["depth"] == row["depth"]
        };
        rows.iter().find(same).and_then(|other| number(other, "percent"))
    };
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row["table"].is_u64()) {
        let (Some(least), Some(high)) = (minimal(row), number(row, "high")) else { continue };
        above.push(high >= least);
        if high < least {
            below.push(format!("{} against {least:.0}", percent(row, text(row, "game"))));
        }
    }
    (!above.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "figure 6: the minimal tree is a lower bound for searches with a table",
            Verdict::of_sides(above.iter().copied(), "the game and the depth"),
            match below.is_empty() {
                true => format!(
                    "no line of {} is below it with certainty; in principle one may be",
                    above.len()
                ),
                false => format!("below it with certainty: {}", below.join("; ")),
            },
        )
    })
}

/// Is a table of 8K entries overloaded at six plies?
fn overloaded(rows: &[Json]) -> Option<Claim> {
    let of = |game: &str, line: &str, depth: u64| {
        let named = |row: &&Json| {
            text(row, "game") == game && text(row, "line") == line && row["depth"] == depth
        };
        rows.iter().find(named)
    };
    let (mut worse, mut numbers) = (Vec::new(), Vec::new());
    for game in distinct(rows, "game") {
        let depths =
            rows.iter().filter(|row| text(row, "game") == game).filter_map(|r| r["depth"].as_u64());
        let Some(depth) = depths.max() else { continue };
        let (small, large) = (of(game, "PVS+trans, 8K", depth)?, of(game, "PVS+trans, 1M", depth)?);
        let found = paired(small, large, "evaluations")?;
        worse.push(Side::of(&found, 1.05, false));
        numbers.push(format!("{game}, depth {depth}: {}", ratio_text(&found)));
    }
    (!worse.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "figure 6: a table of 8K entries is overloaded at the greatest depth (over 5 % more leaves)",
            Verdict::of_intervals(worse, "the game"),
            format!("leaves with 8K entries relative to 1M: {}", numbers.join("; ")),
        )
    })
}
