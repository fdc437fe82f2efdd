//! De Bruin, Pijls and Plaat 1994, and Plaat and others 1996: drivers of the memory test.

use serde_json::Value as Json;

use crate::experiment::PairedRatio;

use super::{Claim, Side, Verdict, distinct, number, paired, percent, ratio_text, text};
use plyground_search::algorithms::{AspirationNegaScout, Dual2, MtdF, Pvs, Sss2};
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
            let base = by_depth.iter().find(|base| {
                text(base, "algorithm").starts_with(AspirationNegaScout::ENTRY.id)
                    && base["game"] == row["game"]
                    && base["depth"] == row["depth"]
            });
            let Some(found) = base.and_then(|base| paired(row, base, "evaluations")) else {
                continue;
            };
            sides.push(Side::of(&found, limit / 100.0, true));
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
    claims.extend(against_pvs(
        &by_depth,
        "with deepening and a table MTD(f), from the value of the same parity, visits fewer nodes than PVS (left open)",
    ));
    let rounded: Vec<&Json> =
        rows.iter().filter(|row| text(row, "figure") == "best-first-grain").collect();
    claims.extend(against_pvs(
        &rounded,
        "it does so where the values of leaves are rounded, to half of the aspiration window (left open)",
    ));
    claims.extend(calls(&by_depth));
    claims.extend(table_sizes(rows));
    claims
}

/// MTD(f) beside PVS: leaves and visits, position by position.
fn against_pvs(rows: &[&Json], words: &str) -> Option<Claim> {
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
        sides.push(Side::of(&visits, 1.0, true));
        let time = paired(row, base, "seconds");
        let time = time.map_or_else(String::new, |time| format!(", time {}", ratio_text(&time)));
        numbers.push(format!(
            "{} {}: leaves {}, visits {}{time}",
            text(row, "game"),
            row["depth"],
            ratio_text(&leaves),
            ratio_text(&visits)
        ));
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            PAPER,
            words,
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
        let (each, error) = (calls / depth, number(row, "calls_se").map(|error| error / depth));
        // Data of earlier versions tell no error.
        few.push(Side::of_difference(each - 6.0, error.unwrap_or(0.0)));
        let name = text(row, "line");
        let half = error.map_or_else(String::new, |error| format!(" ± {:.1}", 1.96 * error));
        numbers.push(format!("{} {depth:.0}, {name}: {each:.1}{half}", text(row, "game")));
    }
    (!few.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "MTD(f) needs at most six calls an iteration (Plaat and others 1996)",
            Verdict::of_intervals(few, "the game"),
            format!("means of all iterations: {}", numbers.join("; ")),
        )
    })
}

/// Is a table of a million entries enough, where searches have more entries?
fn table_sizes(rows: &[Json]) -> Option<Claim> {
    const MILLION: u64 = 1 << 20;
    const MOST: u64 = 1 << 22;
    let (mut enough, mut numbers, mut positions) = (Vec::new(), Vec::new(), None);
    for row in rows.iter().filter(|row| text(row, "figure") == "table-size") {
        if row["table"] != MILLION {
            continue;
        }
        let largest = rows.iter().find(|other| {
            let same = ["figure", "game", "depth", "line"].iter().all(|key| other[key] == row[key]);
            same && other["table"] == MOST
        });
        let of = |key: &str| number(row, key).unwrap_or(f64::NAN);
        positions = positions.max(row["count"].as_u64());
        let found = largest.and_then(|largest| paired(row, largest, "all_visits"));
        enough.extend(found.map(|found| Side::of(&found, 1.05, true)));
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

impl<'r> FigurePoint<'r> {
    /// The numbers tree by tree.
    fn trees(self) -> impl Iterator<Item = Option<f64>> + use<'r> {
        self.each.iter().map(Json::as_f64)
    }

    /// The ratios to another point on the same trees, where they are known.
    fn over(self, other: FigurePoint<'_>) -> Option<PairedRatio> {
        let pairs = self.trees().zip(other.trees());
        PairedRatio::of(pairs.filter_map(|(a, b)| Some((a?, b?))))
    }
}

/// Is the first point below the second? By the ratios on the same trees, or where they are not known by the
/// difference of the means.
fn is_below(a: FigurePoint<'_>, b: FigurePoint<'_>) -> Side {
    match a.over(b).filter(|_| a.each.len() == b.each.len()) {
        Some(paired) => Side::of(&paired, 1.0, true),
        None => Side::of_difference(a.nodes - b.nodes, a.error.hypot(b.error)),
    }
}

/// At each level of order: is Dual-2 below all others? Not if one is below it; `None` where neither is certain.
fn dual_first(points: &[FigurePoint<'_>]) -> Vec<Option<bool>> {
    let mut levels: Vec<u64> = points.iter().map(|p| p.x).filter(|x| *x < 100).collect();
    levels.sort_unstable();
    levels.dedup();
    let is_dual = |point: &FigurePoint<'_>| point.line.starts_with("Dual");
    let (mut places, mut sides) = (Vec::new(), Vec::new());
    for (place, &x) in levels.iter().enumerate() {
        let here = || points.iter().filter(|point| point.x == x);
        let Some(dual) = here().find(|point| is_dual(point)) else { continue };
        for other in here().filter(|point| !is_dual(point)) {
            places.push(place);
            sides.push(is_below(*dual, *other));
        }
    }
    // All pairs are looked at, so all are corrected for each other.
    let stand = Side::corrected(&sides);
    let at = |place: usize| {
        let here = || stand.iter().zip(&places).filter(|(_, at)| **at == place).map(|(s, _)| *s);
        match here().any(|side| side == Some(false)) {
            true => Some(false),
            false => (here().count() > 0 && here().all(|side| side == Some(true))).then_some(true),
        }
    };
    (0..levels.len()).map(at).collect()
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
            held.extend(levels.into_iter().map(Side::certain));
        }
        if !held.is_empty() {
            let verdict = Verdict::of_intervals(held, "the generator and the order");
            claims.push(Claim::new(PAPER, text, verdict, numbers.join("; ")));
        }
    }
    claims.extend(parity(rows, &generators));
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

/// Dual-2 beside SSS-2 at odd and at even depth.
fn parity(rows: &[Json], generators: &[&str]) -> Option<Claim> {
    let (mut sides, mut numbers) = (Vec::new(), Vec::new());
    for size in [(5, 9), (20, 5), (5, 8), (20, 4)] {
        for generator in generators {
            let here = points(rows, 8, generator, size);
            let of = |line: &str, x: u64| here.iter().find(|p| p.line == line && p.x == x).copied();
            let pairs = (2..10).map(|level| 10 * level);
            let pairs = pairs.filter_map(|x| Some((of("Dual-2", x)?, of("SSS-2", x)?)));
            let below: Vec<Side> = pairs.map(|(dual, sss)| is_below(dual, sss)).collect();
            let stand = Side::corrected(&below);
            let at = |side: bool| stand.iter().filter(|stands| **stands == Some(side)).count();
            numbers.push(format!(
                "T({},{}), {generator}: fewer at {} of {} levels of order, more at {}",
                size.0,
                size.1,
                at(true),
                below.len(),
                at(false)
            ));
            let odd = size.1 % 2 == 1;
            sides.extend(below.into_iter().map(|side| if odd { side } else { side.contrary() }));
        }
    }
    (!sides.is_empty()).then(|| {
        Claim::new(
            PAPER,
            "Dual-2 expands fewer nodes than SSS-2 at odd depth, and more at even depth",
            Verdict::of_intervals(sides, "the generator and the order"),
            numbers.join("; "),
        )
    })
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
        let levels = (2..10).map(|level| 10 * level);
        let below = levels.filter_map(|x| Some(is_below(of("SSS-0(exact)", x)?, of("Dual-2", x)?)));
        let below: Vec<Side> = below.collect();
        let better = Side::corrected(&below).iter().filter(|side| **side == Some(true)).count();
        numbers.push(format!("{generator}: at {better} of 8 levels of order with certainty"));
        exact.extend(below);
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
fn guesses<'r>(rows: &'r [Json], generators: &[&str]) -> Vec<Claim> {
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
            gains.push((near, high));
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
        if let [(near, far), .., (last_near, last_far)] = gains[..] {
            // What is left of the nodes, tree by tree, in ordered trees over that in others.
            let left = |near: FigurePoint<'r>, far: FigurePoint<'r>| {
                near.trees().zip(far.trees()).map(|(a, b)| Some(a? / b?)).collect::<Vec<_>>()
            };
            let pairs = left(last_near, last_far).into_iter().zip(left(near, far));
            let paired = PairedRatio::of(pairs.filter_map(|(a, b)| Some((a?, b?))));
            less.extend(paired.map(|paired| Side::of(&paired, 1.0, false)));
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
            Verdict::of_intervals(less, "the generator"),
            numbers,
        ),
    ]
}
