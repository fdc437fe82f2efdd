//! De Bruin, Pijls and Plaat 1994, and Plaat and others 1996: drivers of the memory test.

use serde_json::Value as Json;

use crate::experiment::PairedRatio;

use super::{Claim, Verdict, distinct, number, paired, percent, percent_below, ratio_text, text};
use plyground_search::algorithms::{Dual2, MtdF, Pvs, Sss2};
use plyground_search::{GuessFrom, SearchAlgorithm};

const PAPER: &str = "de Bruin, Pijls and Plaat";

/// Does a row's search start from this guess? Rows of earlier versions do not say, and start from the last.
fn is_guess(row: &Json, guess: GuessFrom) -> bool {
    row["guess"].as_str().map_or(guess == GuessFrom::default(), |said| said == guess.to_string())
}

/// MTD(f) and its relatives with a table.
pub(in crate::paper) fn best_first(rows: &[Json]) -> Vec<Claim> {
    let by_depth: Vec<&Json> =
        rows.iter().filter(|row| text(row, "figure") == "best-first").collect();
    let judged = |(id, guess): (&str, GuessFrom), words: &str, limit: f64| {
        let (mut sides, mut numbers) = (Vec::new(), Vec::new());
        let named = |row: &&&Json| text(row, "algorithm") == id && is_guess(row, guess);
        for row in by_depth.iter().filter(named) {
            if number(row, "low").is_none() {
                continue;
            }
            sides.push(percent_below(row, ["low", "high"], limit));
            numbers.push(percent(row, text(row, "game")));
        }
        let numbers =
            format!("leaves in percent of aspiration NegaScout's: {}", numbers.join("; "));
        let verdict = Verdict::of_intervals(sides, "game and depth");
        Claim::new(PAPER, words, verdict, numbers)
    };
    let (previous, parity) = (GuessFrom::Previous, GuessFrom::Parity);
    let (mtd, sss, dual) = (MtdF::ENTRY.id, Sss2::ENTRY.id, Dual2::ENTRY.id);
    let mut claims = vec![
        judged((mtd, previous), "MTD(f) evaluates fewer leaves than aspiration NegaScout", 100.0),
        judged(
            (mtd, parity),
            "MTD(f) does so from the value of the same parity, where values swing",
            100.0,
        ),
        judged(
            (sss, previous),
            "SSS* as a driver over a table stays within 20 % of aspiration NegaScout",
            120.0,
        ),
        judged((dual, previous), "DUAL* stays within 20 % of it", 120.0),
    ];
    claims.extend(against_pvs(&by_depth));
    claims.extend(calls(&by_depth));
    claims.extend(table_sizes(rows));
    claims
}

/// MTD(f) beside PVS: leaves and visits, position by position.
fn against_pvs(rows: &[&Json]) -> Option<Claim> {
    let (mut sides, mut numbers) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| text(row, "algorithm") == MtdF::ENTRY.id) {
        if !is_guess(row, GuessFrom::Parity) {
            continue;
        }
        let same = |other: &&&Json| {
            text(other, "algorithm") == Pvs::ENTRY.id
                && other["game"] == row["game"]
                && other["depth"] == row["depth"]
        };
        let base = rows.iter().find(same)?;
        let (leaves, visits) =
            (paired(row, base, "evaluations")?, paired(row, base, "all_visits")?);
        sides.push(visits.is_below(1.0));
        numbers.push(format!(
            "{} {}: leaves {}, visits {}",
            text(row, "game"),
            row["depth"],
            ratio_text(&leaves),
            ratio_text(&visits)
        ));
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "with deepening and a table MTD(f), from the value of the same parity, visits fewer nodes than PVS (left open)",
            Verdict::of_intervals(sides, "game and depth"),
            format!("relative to PVS: {}", numbers.join("; ")),
        )
    })
}

/// Calls an iteration.
fn calls(rows: &[&Json]) -> Option<Claim> {
    let (mut few, mut numbers) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| text(row, "algorithm") == MtdF::ENTRY.id) {
        let (Some(calls), Some(depth)) = (number(row, "calls"), number(row, "depth")) else {
            continue;
        };
        let each = calls / depth.max(1.0);
        few.push(each <= 6.0);
        let name = text(row, "line");
        numbers.push(format!("{} {depth:.0}, {name}: {each:.1}", text(row, "game")));
    }
    (!few.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "MTD(f) needs at most six calls an iteration (Plaat and others 1996)",
            Verdict::of_sides(few, "the game"),
            format!("means of all iterations: {}", numbers.join("; ")),
        )
    })
}

/// Is a table of a million entries enough, where searches have more entries?
fn table_sizes(rows: &[Json]) -> Option<Claim> {
    const MILLION: u64 = 1 << 20;
    let (mut enough, mut numbers, mut positions) = (Vec::new(), Vec::new(), None);
    for row in rows.iter().filter(|row| text(row, "figure") == "table-size") {
        if row["table"] != MILLION {
            continue;
        }
        let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
        positions = positions.max(row["count"].as_u64());
        enough.push(percent_below(row, ["visits_low", "visits_high"], 105.0));
        numbers.push(format!(
            "{} {}, {}: {:.1} ({:.1}–{:.1})",
            text(row, "game"),
            row["depth"],
            text(row, "line"),
            of("visits_percent"),
            of("visits_low"),
            of("visits_high")
        ));
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "a table of about a million entries is enough: at most 5 % more visits than with four millions (Plaat and others 1996)",
            Verdict::of_intervals(enough, "the game and the search"),
            format!("visits in percent of those with four millions: {}", numbers.join("; ")),
        )
        .on_positions(positions)
    })
}

/// One line of a figure at one place: a mean with its standard error.
#[derive(Clone, Copy)]
struct FigurePoint<'r> {
    line: &'r str,
    x: u64,
    nodes: f64,
    error: f64,
    /// Tree by tree; data of earlier versions have none.
    each: &'r [Json],
}

/// The points of a figure on one kind of tree by one generator.
fn points<'r>(
    rows: &'r [Json],
    figure: u64,
    generator: &str,
    (width, depth): (u64, u64),
) -> Vec<FigurePoint<'r>> {
    let here = rows.iter().filter(|row| {
        row["figure"] == figure
            && text(row, "generator") == generator
            && row["width"] == width
            && row["depth"] == depth
    });
    let point = |row: &'r Json| {
        Some(FigurePoint {
            line: text(row, "line"),
            x: row["x"].as_u64()?,
            nodes: number(row, "nodes")?,
            error: number(row, "nodes_se").unwrap_or(0.0),
            each: row["each"].as_array().map_or(&[], Vec::as_slice),
        })
    };
    here.filter_map(point).collect()
}

/// Is the first point below the second? By the ratios on the same trees, or where they are not known beyond
/// twice the error of the difference of the means; `None` if that is not certain.
fn is_below(a: FigurePoint<'_>, b: FigurePoint<'_>) -> Option<bool> {
    if !a.each.is_empty() && a.each.len() == b.each.len() {
        let pairs = a.each.iter().zip(b.each);
        return PairedRatio::of(pairs.filter_map(|(a, b)| Some((a.as_f64()?, b.as_f64()?))))?
            .is_below(1.0);
    }
    let error = 1.96 * (a.error * a.error + b.error * b.error).sqrt();
    ((a.nodes - b.nodes).abs() > error).then_some(a.nodes < b.nodes)
}

/// At each level of order: is no other mean below that of Dual-2? `None` where the least other one is not
/// certainly above or below it.
fn dual_first(points: &[FigurePoint<'_>]) -> Vec<Option<bool>> {
    let mut levels: Vec<u64> = points.iter().map(|p| p.x).filter(|x| *x < 100).collect();
    levels.sort_unstable();
    levels.dedup();
    let is_first = |x: u64| {
        let here = || points.iter().filter(move |point| point.x == x);
        let dual = here().find(|point| point.line.starts_with("Dual"))?;
        let others = here().filter(|point| !point.line.starts_with("Dual"));
        is_below(*dual, *others.min_by(|a, b| a.nodes.total_cmp(&b.nodes))?)
    };
    levels.into_iter().map(is_first).collect()
}

/// De Bruin, Pijls and Plaat: figures 6 to 10.
pub(in crate::paper) fn solution_trees(rows: &[Json]) -> Vec<Claim> {
    let generators = distinct(rows, "generator");
    let mut claims = Vec::new();
    for (size, text) in [
        ((5, 9), "figure 8: Dual-2 expands the fewest nodes (w = 5, d = 9)"),
        ((20, 5), "the results of figure 8 hold for wider trees too (w = 20, d = 5)"),
    ] {
        let (mut held, mut numbers) = (Vec::new(), Vec::new());
        for generator in &generators {
            let levels = dual_first(&points(rows, 8, generator, size));
            let of = |side: Option<bool>| levels.iter().filter(|level| **level == side).count();
            numbers.push(format!(
                "{generator}: best at {} of {} levels of order, another at {}, undecided at {}",
                of(Some(true)),
                levels.len(),
                of(Some(false)),
                of(None)
            ));
            held.extend(levels);
        }
        if !held.is_empty() {
            let verdict = Verdict::of_intervals(held, "the generator and the order");
            claims.push(Claim::new(PAPER, text, verdict, numbers.join("; ")));
        }
    }
    let (mut even, mut odd, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for size in [(5, 8), (20, 4)] {
        for generator in &generators {
            let here = points(rows, 8, generator, size);
            let of = |line: &str, x: u64| here.iter().find(|p| p.line == line && p.x == x).copied();
            let mut worse = [0, 0];
            for x in (2..10).map(|level| 10 * level) {
                if let (Some(dual), Some(sss)) = (of("Dual-2", x), of("SSS-2", x)) {
                    let below = is_below(dual, sss);
                    even.push(below.map(|below| !below));
                    worse[usize::from(below == Some(true))] += 1;
                }
            }
            numbers.push(format!(
                "T({},{}), {generator}: Dual-2 below SSS-2 at {} of {} levels",
                size.0,
                size.1,
                worse[1],
                worse[0] + worse[1]
            ));
        }
    }
    for generator in &generators {
        let here = points(rows, 8, generator, (5, 9));
        let of = |line: &str, x: u64| here.iter().find(|p| p.line == line && p.x == x).copied();
        let pairs =
            (2..10).filter_map(|level| Some((of("Dual-2", 10 * level)?, of("SSS-2", 10 * level)?)));
        let below: Vec<Option<bool>> = pairs.map(|(dual, sss)| is_below(dual, sss)).collect();
        numbers.push(format!(
            "T(5,9), {generator}: at {} of {} levels",
            below.iter().filter(|below| **below == Some(true)).count(),
            below.len()
        ));
        odd.extend(below);
    }
    if !even.is_empty() {
        claims.push(Claim::new(
            PAPER,
            "Dual-2 expands fewer nodes than SSS-2 at odd depth, and not at even depth",
            Verdict::of_intervals(odd.into_iter().chain(even), "the generator and the order"),
            numbers.join("; "),
        ));
    }
    let equal = generators.iter().map(|generator| {
        let perfect: Vec<f64> = (points(rows, 8, generator, (5, 9)).iter())
            .filter(|point| point.x == 100)
            .map(|point| point.nodes)
            .collect();
        !perfect.is_empty() && perfect.windows(2).all(|pair| pair[0] == pair[1])
    });
    claims.push(Claim::new(
        PAPER,
        "in a perfectly ordered tree every algorithm expands the same nodes",
        Verdict::of_sides(equal.collect::<Vec<_>>(), "the generator"),
        format!("{} generators", generators.len()),
    ));
    claims.extend(surpassing(rows, &generators));
    claims.extend(guesses(rows, &generators));
    if let Some(row) = rows.iter().find(|row| row["figure"] == 7) {
        claims.push(Claim::new(
            PAPER,
            "figure 7: a null-window call farther from the value may expand fewer nodes",
            Verdict::Held,
            format!(
                "a tree of value {}: γ = {} takes {} nodes, γ = {} only {}",
                row["value"], row["near"], row["near_nodes"], row["far"], row["far_nodes"]
            ),
        ));
    }
    claims
}

/// The new algorithms never expand more than alpha-beta, and SSS-0 with the exact value beats Dual-2.
fn surpassing(rows: &[Json], generators: &[&str]) -> Vec<Claim> {
    let (mut never, mut count) = (Vec::new(), 0);
    let (mut exact, mut numbers) = (Vec::new(), Vec::new());
    for generator in generators {
        for size in [(5, 9), (5, 8), (20, 5), (20, 4)] {
            let here = points(rows, 8, generator, size);
            for point in here.iter().filter(|p| p.line != "αβ" && p.line != "PVS") {
                let base = here.iter().find(|p| p.line == "αβ" && p.x == point.x);
                if let Some(base) = base {
                    never.push(point.nodes <= base.nodes);
                    count += 1;
                }
            }
        }
        let nine = points(rows, 9, generator, (5, 9));
        let of = |line: &str, x: u64| nine.iter().find(|p| p.line == line && p.x == x).copied();
        let mut better = 0;
        for x in (2..10).map(|level| 10 * level) {
            if let (Some(zero), Some(dual)) = (of("SSS-0(exact)", x), of("Dual-2", x)) {
                let below = is_below(zero, dual);
                exact.push(below);
                better += u32::from(below == Some(true));
            }
        }
        numbers.push(format!("{generator}: at {better} of 8 levels of order with certainty"));
    }
    vec![
        Claim::new(
            PAPER,
            "SSS-2, Dual-2, SSS-4 and SSS-B never expand more nodes than alpha-beta",
            Verdict::of_sides(never, "the tree"),
            format!("{count} means over four kinds of trees"),
        ),
        Claim::new(
            PAPER,
            "figure 9: SSS-0 that begins at the exact value expands fewer nodes than Dual-2",
            Verdict::of_intervals(exact, "the generator and the order"),
            numbers.join("; "),
        ),
    ]
}

/// Figure 10: a start nearer to the value is better, and less so in ordered trees.
fn guesses(rows: &[Json], generators: &[&str]) -> Vec<Claim> {
    let (mut nearer, mut left, mut less, mut numbers) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for generator in generators {
        let here = points(rows, 10, generator, (5, 9));
        let at = |line: &str, x: u64| here.iter().find(|p| p.line == line && p.x == x).copied();
        let mut gains = Vec::new();
        for line in ["q = 50 %", "q = 60 %", "q = 70 %", "q = 80 %", "q = 90 %"] {
            let (Some(low), Some(near), Some(high)) = (at(line, 0), at(line, 504), at(line, 999))
            else {
                continue;
            };
            nearer.extend([is_below(near, low), is_below(near, high)]);
            left.push(is_below(low, high));
            gains.push(1.0 - near.nodes / high.nodes);
            numbers.push(format!(
                "{generator}, {line}: {:.0} ± {:.0} from 0, {:.0} ± {:.0} from 504, {:.0} ± {:.0} from 999",
                low.nodes,
                1.96 * low.error,
                near.nodes,
                1.96 * near.error,
                high.nodes,
                1.96 * high.error
            ));
        }
        if let [first, .., last] = gains[..] {
            less.push(last < first);
        }
    }
    if numbers.is_empty() {
        return Vec::new();
    }
    let numbers = numbers.join("; ");
    vec![
        Claim::new(
            PAPER,
            "figure 10: the closer SSS-0 starts to the value, the fewer nodes it expands, on average",
            Verdict::of_intervals(nearer, "the generator and the order"),
            numbers.clone(),
        ),
        Claim::new(
            PAPER,
            "figure 10: a first guess of 0 expands fewer nodes than one of 999 at odd depth",
            Verdict::of_intervals(left, "the generator and the order"),
            numbers.clone(),
        ),
        Claim::new(
            PAPER,
            "figure 10: the gain is less in ordered trees",
            Verdict::of_sides(less, "the generator"),
            numbers,
        ),
    ]
}
