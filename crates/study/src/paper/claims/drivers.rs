//! De Bruin, Pijls and Plaat 1994, and Plaat and others 1996: drivers of the memory test.

use serde_json::Value as Json;

use super::{Claim, Verdict, distinct, number, percent, text};
use plyground_search::algorithms::{Dual2, MtdF, Sss2};
use plyground_search::{GuessFrom, SearchAlgorithm};

const PAPER: &str = "de Bruin, Pijls and Plaat";

/// Does a row's search start from this guess? Rows of earlier versions do not say, and start from the last.
fn is_guess(row: &Json, guess: GuessFrom) -> bool {
    row["guess"].as_str().map_or(guess == GuessFrom::default(), |said| said == guess.to_string())
}

/// MTD(f) and its relatives with a table.
pub(in crate::paper) fn best_first(rows: &[Json]) -> Vec<Claim> {
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

/// One line of a figure at one place: a mean with its standard error.
#[derive(Clone, Copy)]
struct FigurePoint<'r> {
    line: &'r str,
    x: u64,
    nodes: f64,
    error: f64,
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
        })
    };
    here.filter_map(point).collect()
}

/// Is the first point below the second, beyond twice the error of their difference? `None` if that is not
/// certain.
fn is_below(a: FigurePoint<'_>, b: FigurePoint<'_>) -> Option<bool> {
    let error = 1.96 * (a.error * a.error + b.error * b.error).sqrt();
    ((a.nodes - b.nodes).abs() > error).then_some(a.nodes < b.nodes)
}

/// At how many levels of order Dual-2 is below all others, of how many.
fn dual_first(points: &[FigurePoint<'_>]) -> (usize, usize) {
    let mut levels: Vec<u64> = points.iter().map(|p| p.x).filter(|x| *x < 100).collect();
    levels.sort_unstable();
    levels.dedup();
    let is_first = |x: &&u64| {
        let here = points.iter().filter(|point| point.x == **x);
        let least = here.min_by(|a, b| a.nodes.total_cmp(&b.nodes));
        least.is_some_and(|point| point.line.starts_with("Dual"))
    };
    (levels.iter().filter(is_first).count(), levels.len())
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
            let (first, all) = dual_first(&points(rows, 8, generator, size));
            held.extend((0..all).map(|level| level < first));
            numbers.push(format!("{generator}: best at {first} of {all} levels of order"));
        }
        if !held.is_empty() {
            let verdict = Verdict::of_sides(held, "the generator and the order");
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
                exact.push(zero.nodes < dual.nodes);
                better += u32::from(zero.nodes < dual.nodes);
            }
        }
        numbers.push(format!("{generator}: at {better} of 8 levels of order"));
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
            Verdict::of_sides(exact, "the generator and the order"),
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
            nearer.push(near.nodes < low.nodes && near.nodes < high.nodes);
            left.push(is_below(low, high));
            gains.push(1.0 - near.nodes / high.nodes);
            numbers.push(format!(
                "{generator}, {line}: {:.0} from 0, {:.0} from 504, {:.0} from 999",
                low.nodes, near.nodes, high.nodes
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
            Verdict::of_sides(nearer, "the generator and the order"),
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
