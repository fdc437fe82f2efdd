//! Srimani and Marsland 1986 and 1987: PS*.

use serde_json::Value as Json;

use super::{Claim, Side, Verdict, distinct, interval, log_error, number, percent, text};
use crate::experiment::share_interval;
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{AlphaBeta, Ps, Sss};

const PAPER: &str = "Srimani and Marsland";

/// Srimani and Marsland: tables 2 to 6.
pub(in crate::paper) fn ps(rows: &[Json]) -> Vec<Claim> {
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
        let (low, high) = share_interval(above, trees);
        claims.push(Claim::new(
            "Srimani and Marsland",
            "trees on which PS*(k) visits more leaves than alpha-beta are statistically insignificant \
             (R < k)",
            Verdict::of_sides([high < 0.05], "the order of the trees"),
            format!(
                "in {:.1} % of {trees:.0} searches with some k ({:.1}–{:.1})",
                100.0 * above / trees,
                100.0 * low,
                100.0 * high
            ),
        ));
    }
    claims.extend(orderings(&cells));
    claims.extend(times(rows));
    claims
}

/// What the tables say of the order of the searches.
fn orderings(cells: &[&Json]) -> Vec<Claim> {
    let k = |row: &Json| -> Option<u64> {
        let id = text(row, "algorithm");
        if id == Sss::ENTRY.id {
            return Some(1);
        }
        if id == AlphaBeta::ENTRY.id {
            return Some(u64::MAX);
        }
        id.strip_prefix(Ps::ENTRY.id)?.strip_prefix(':')?.parse().ok()
    };
    // 95 % of the difference of two independent means: the trees are the same, so this is on the safe side.
    let below = |a: &Json, b: &Json| {
        let of = |row: &Json, key: &str| number(row, key).unwrap_or(0.0);
        let error = of(a, "leaves_se").hypot(of(b, "leaves_se"));
        Side::of_difference(of(a, "leaves") - of(b, "leaves"), error)
    };
    let (mut growing, mut within, mut minimal, mut sss) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut told = Vec::new();
    for a in cells {
        let same = |b: &&&Json| {
            ["table", "order", "prob"].iter().all(|key| a[*key] == b[*key]) && k(a) < k(b)
        };
        for b in cells.iter().filter(same) {
            let (Some(i), Some(order)) = (k(a), a["order"].as_u64()) else { continue };
            if a["order"] == a["width"] {
                minimal.push(number(a, "leaves") == number(b, "leaves"));
            } else if i == 1 && k(b) == Some(u64::MAX) {
                sss.push(below(a, b));
            } else if a["prob"].as_f64() == Some(1.0) && k(b) <= Some(order) {
                // Both within the order: the later one takes no more.
                within.push(below(a, b));
            } else {
                growing.push(below(a, b));
            }
            if i == 1 && k(b) == Some(2) && order == 1 {
                let of = |row: &Json, key: &str| number(row, key).unwrap_or(f64::NAN);
                let ratio = of(b, "leaves") / of(a, "leaves");
                let relative = |row: &Json| of(row, "leaves_se") / of(row, "leaves");
                let half = 1.96 * ratio * relative(a).hypot(relative(b));
                told.push(format!("T({},{}): {ratio:.2} ± {half:.2}", a["width"], a["depth"]));
            }
        }
    }
    let count = |sides: &[Side]| {
        let stand = Side::corrected(sides);
        let decided = stand.iter().flatten();
        format!(
            "{} of {} pairs of cells",
            decided.clone().filter(|held| **held).count(),
            decided.count()
        )
    };
    // No more than the other: where it is not certainly more.
    let within: Vec<bool> =
        Side::corrected(&within).into_iter().map(|less| less != Some(true)).collect();
    if growing.is_empty() {
        return Vec::new();
    }
    vec![
        Claim::new(
            PAPER,
            "PS*(k) visits more leaves the greater k is, on trees that are not ordered within k",
            Verdict::of_intervals(growing.clone(), "the tree"),
            count(&growing),
        ),
        Claim::new(
            PAPER,
            "where R ≥ k and p = 1, PS*(k) is at least as good as SSS*",
            Verdict::of_sides(within.iter().copied(), "the tree"),
            format!("{} of {} pairs", within.iter().filter(|held| **held).count(), within.len()),
        ),
        Claim::new(
            PAPER,
            "SSS* always visits fewer leaves than alpha-beta",
            Verdict::of_intervals(sss.clone(), "the tree"),
            count(&sss),
        ),
        Claim::new(
            PAPER,
            "on minimal trees all visit the same number of leaves",
            Verdict::of_sides(minimal.iter().copied(), "the tree"),
            format!("{} pairs of cells", minimal.len()),
        ),
        Claim::new(
            PAPER,
            "PS*(k) is comparable to SSS*, especially on bushy trees (w > 20): leaves of PS*(2) over those of SSS* on random trees",
            Verdict::Answered,
            told.join("; "),
        ),
    ]
}

/// The time of PS* beside that of SSS*.
fn times(rows: &[Json]) -> Vec<Claim> {
    let timed = || rows.iter().filter(|row| row["times"] == true);
    let (mut less, mut numbers) = (Vec::new(), Vec::new());
    for row in timed().filter(|row| text(row, "algorithm").starts_with(Ps::ENTRY.id)) {
        let same = |other: &&Json| {
            ["width", "depth", "order"].iter().all(|key| other[*key] == row[*key])
                && text(other, "algorithm") == Sss::ENTRY.id
        };
        let Some(sss) = timed().find(same) else { continue };
        let of = |row: &Json, key: &str| number(row, key).unwrap_or(f64::NAN);
        // Both are in units of the same alpha-beta searches, so this error of the difference is on the safe
        // side.
        let error = |row: &Json| log_error((of(row, "time_low"), of(row, "time_high")));
        let difference = (of(row, "time") / of(sss, "time")).ln();
        less.push(Side::of_difference(difference, error(row).hypot(error(sss))));
        numbers.push(format!(
            "T({},{}), R = {}: {} {}, SSS* {}",
            row["width"],
            row["depth"],
            row["order"],
            text(row, "algorithm"),
            interval(row, ["time", "time_low", "time_high"]),
            interval(sss, ["time", "time_low", "time_high"])
        ));
    }
    if numbers.is_empty() {
        return Vec::new();
    }
    vec![Claim::new(
        PAPER,
        "PS* needs less execution time than SSS*",
        Verdict::of_intervals(less, "the order of the tree"),
        format!("processor time of a tree in units of alpha-beta's: {}", numbers.join("; ")),
    )]
}

/// PS* on real games: what its papers wish for.
pub(in crate::paper) fn ps_real(rows: &[Json]) -> Vec<Claim> {
    let mut told = Vec::new();
    for game in distinct(rows, "game") {
        let here = || rows.iter().filter(|row| text(row, "game") == game);
        let deepest = here().filter_map(|row| row["depth"].as_u64()).max();
        for row in here().filter(|row| row["depth"].as_u64() == deepest) {
            let kind = text(row, "algorithm").split(':').next();
            if kind == Some(Ps::ENTRY.id) && row["deepening"] == true && row["table"].is_null() {
                told.push(percent(row, game));
            }
        }
    }
    let wish = "PS* remains to be tried in a real game program";
    let numbers =
        format!("leaves in percent of alpha-beta's with the same memory: {}", told.join("; "));
    let mut claims = vec![Claim::new(PAPER, wish, Verdict::Answered, numbers)];
    claims.extend(ends_of_the_continuum(rows));
    let (mut better, mut shapes) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| text(row, "figure") == "ps-shapes") {
        let keys = ["ratio", "low", "high"];
        let [Some(ratio), Some(low), Some(high)] = keys.map(|key| number(row, key)) else {
            continue;
        };
        if row["count"].as_u64() < Some(3) {
            continue;
        }
        let grows = text(row, "line").contains("(1+");
        if grows {
            better.push(Side::of_interval((ratio, low, high), 1.0));
        }
        shapes.push(format!(
            "{} {}, {}: {}",
            text(row, "game"),
            row["depth"],
            text(row, "line"),
            interval(row, keys)
        ));
    }
    if !shapes.is_empty() {
        claims.push(Claim::new(
            PAPER,
            "partitions that grow from phase to phase are a good compromise (left open)",
            Verdict::of_intervals(better, "the game and the depth"),
            format!(
                "leaves relative to equal partitions that hold as many entries: {}",
                shapes.join("; ")
            ),
        ));
    }
    let by_processors = || rows.iter().filter(|row| text(row, "figure") == "ps-parallel");
    let parallel: Vec<String> = by_processors()
        .filter(|row| row["processors"] == 4 || row["processors"] == 16)
        .map(|row| {
            format!(
                "{}, {}, N = {}: {}",
                text(row, "game"),
                text(row, "line"),
                row["processors"],
                interval(row, ["speed_up", "low", "high"])
            )
        })
        .collect();
    if !parallel.is_empty() {
        let counts = by_processors().filter_map(|row| row["terminal_counts"].as_array());
        let claim = Claim::new(
            PAPER,
            "the partitions of PS* can be tailored to parallel search (left open)",
            Verdict::Answered,
            format!("speed-up on real positions, simulated: {}", parallel.join("; ")),
        );
        claims.push(claim.on_positions(counts.map(|counts| counts.len() as u64).max()));
    }
    let over_table: Vec<String> = rows
        .iter()
        .filter(|row| row["table"].is_u64() && text(row, "algorithm").starts_with(Ps::ENTRY.id))
        .filter(|row| text(row, "figure") == "ps-real")
        .filter(|row| {
            let same = |other: &&Json| other["game"] == row["game"];
            let deepest = rows.iter().filter(same).filter_map(|row| row["depth"].as_u64()).max();
            row["depth"].as_u64() == deepest
        })
        .map(|row| percent(row, text(row, "game")))
        .collect();
    if !over_table.is_empty() {
        claims.push(Claim::new(
            PAPER,
            "PS* over a transposition table",
            Verdict::Answered,
            format!(
                "leaves in percent of alpha-beta's with the same table: {}",
                over_table.join("; ")
            ),
        ));
    }
    claims
}

/// PS*(1) is SSS*, and PS*(w) is alpha-beta.
fn ends_of_the_continuum(rows: &[Json]) -> Option<Claim> {
    let plain = |line: &str| -> Vec<&Json> {
        let bare = |row: &&Json| text(row, "memory") == "none" && row["deepening"] == false;
        rows.iter().filter(bare).filter(|row| text(row, "line") == line).collect()
    };
    let (mut same, mut searches) = (Vec::new(), 0);
    for (phased, other) in [("PS*(1)", "SSS*"), ("PS*(width)", "αβ")] {
        let others = plain(other);
        for row in plain(phased) {
            let beside = others
                .iter()
                .find(|other| other["game"] == row["game"] && other["depth"] == row["depth"])?;
            same.push(row["evaluations"] == beside["evaluations"]);
            searches += row["evaluations"].as_array().map_or(0, Vec::len);
        }
    }
    (searches > 0).then(|| {
        Claim::new(
            PAPER,
            "PS*(1) visits the leaves of SSS*, and PS*(w) those of alpha-beta",
            Verdict::of_sides(same.iter().copied(), "the game and the depth"),
            format!(
                "the same counts in {} of {} settings on real games, {searches} searches",
                same.iter().filter(|same| **same).count(),
                same.len()
            ),
        )
    })
}
