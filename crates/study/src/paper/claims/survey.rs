//! Marsland 1991: figures 5 and 6.

use serde_json::Value as Json;

use super::{Claim, Verdict, distinct, interval, number, percent, text};
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
        dual_best.push(dual.0 < sss.0 && dual.0 < pvs.0);
        sss_odd.push(sss.0 > dual.0);
        numbers.push(format!(
            "depth {depth}: SSS* {:.0} ± {:.0}, DUAL* {:.0} ± {:.0}, PVS {:.0} ± {:.0}",
            sss.0, sss.1, dual.0, dual.1, pvs.0, pvs.1
        ));
    }
    let numbers = numbers.join("; ");
    let mut claims = vec![
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
        let (Some(low), Some(high)) =
            (number(row, "time_a_leaf_low"), number(row, "time_a_leaf_high"))
        else {
            continue;
        };
        more.push((low > 5.0 || high < 5.0).then_some(low > 5.0));
        numbers.push(format!(
            "{id}: {}, and for the whole tree {}",
            interval(row, ["time_a_leaf", "time_a_leaf_low", "time_a_leaf_high"]),
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
        found.and_then(|row| number(row, "leaves"))
    };
    let (mut dominated, mut above, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for row in
        rows.iter().filter(|row| row["figure"] == 5 && text(row, "algorithm") == Pvs::ENTRY.id)
    {
        let depth = &row["depth"];
        let Some(base) = leaves(AlphaBeta::ENTRY.id, depth) else { continue };
        for id in [Sss::ENTRY.id, Dual::ENTRY.id, Pvs::ENTRY.id] {
            dominated.extend(leaves(id, depth).map(|leaves| leaves <= base));
        }
        if let (Some(aspiration), Some(pvs)) =
            (leaves(Aspiration::ENTRY.id, depth), leaves(Pvs::ENTRY.id, depth))
        {
            above.push(aspiration > pvs);
            numbers.push(format!("depth {depth}: {aspiration:.0} and {pvs:.0} leaves"));
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
            Verdict::of_sides(above, "the depth"),
            format!("strongly ordered trees, half of the windows fail; {}", numbers.join("; ")),
        ),
    ]
}

/// Marsland: figure 6, on our games.
pub(in crate::paper) fn enhancements(rows: &[Json]) -> Vec<Claim> {
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
    let mut claims = vec![
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
    ];
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
        rows.iter().find(named).and_then(|row| number(row, "percent"))
    };
    let (mut worse, mut numbers) = (Vec::new(), Vec::new());
    for game in distinct(rows, "game") {
        let depths =
            rows.iter().filter(|row| text(row, "game") == game).filter_map(|r| r["depth"].as_u64());
        let Some(depth) = depths.max() else { continue };
        let (small, large) = (of(game, "PVS+trans, 8K", depth)?, of(game, "PVS+trans, 1M", depth)?);
        worse.push(small > 1.05 * large);
        numbers.push(format!(
            "{game}, depth {depth}: {small:.1} % with 8K entries, {large:.1} % with 1M"
        ));
    }
    (!worse.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "figure 6: a table of 8K entries is overloaded at the greatest depth",
            Verdict::of_sides(worse, "the game"),
            numbers.join("; "),
        )
    })
}
