//! What the data say of the papers' claims on parallel search.

use serde_json::Value as Json;

use super::show::QUOTED;
use crate::experiment::{PairedRatio, student};
use crate::paper::Claim;
use crate::paper::claims::{Side, Verdict};
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{
    AbdadaMtdF, BoundAndBranch, Dts, Mwf, ParSss, PvSplit, TreeSplit, Ybw, YbwDual2, YbwMtdF,
    YbwSss2,
};

/// The survey's claims, and what the other papers leave to be done in parallel.
pub(in crate::paper) fn claims(rows: &[Json]) -> Vec<Claim> {
    let cells = Cells { rows };
    let mut claims = Vec::new();
    claims.extend(few(&cells));
    claims.extend(beside(
        &cells,
        (YbwSss2::ENTRY.id, ParSss::ENTRY.id),
        "hashing in place of lists serves SSS* in parallel",
    ));
    claims.extend(beside(
        &cells,
        (Ybw::ENTRY.id, PvSplit::ENTRY.id),
        "processors that are assigned dynamically gain more than the static PVSplit",
    ));
    claims.extend(worst(&cells));
    claims.extend(static_forms(&cells));
    claims.extend(quoted(&cells));
    claims.extend(massive(&cells));
    claims.extend(drivers(&cells));
    claims.extend(real_parsss(&cells));
    claims.extend(bounds(rows));
    claims
}

/// The objects of the experiment.
struct Cells<'r> {
    rows: &'r [Json],
}

impl<'r> Cells<'r> {
    fn of(&self, trees: &str, id: &str, n: u64) -> Option<&'r Json> {
        self.rows.iter().find(|row| {
            let named = row["algorithm"].as_str().and_then(|name| name.split(':').next());
            row["trees"] == trees && named == Some(id) && row["processors"] == n
        })
    }

    /// What one scheme gains over another, or by another number of processors, tree by tree: both against the
    /// best serial search.
    fn ratio(&self, trees: &str, first: (&str, u64), second: (&str, u64)) -> Option<PairedRatio> {
        let each = |(id, n): (&str, u64)| -> Option<Vec<f64>> {
            let each = self.of(trees, id, n)?["each_best"].as_array()?;
            Some(each.iter().filter_map(Json::as_f64).collect())
        };
        PairedRatio::of(each(first)?.into_iter().zip(each(second)?))
    }

    /// The ids of all schemes.
    fn schemes(&self) -> Vec<&'r str> {
        let mut all: Vec<&str> = Vec::new();
        for name in self.rows.iter().filter_map(|row| row["algorithm"].as_str()) {
            let id = name.split(':').next().unwrap_or(name);
            if !all.contains(&id) {
                all.push(id);
            }
        }
        all
    }

    /// The kinds of trees, in their order.
    fn kinds(&self) -> Vec<&'r str> {
        let mut kinds: Vec<&str> = Vec::new();
        for kind in self.rows.iter().filter_map(|row| row["trees"].as_str()) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    fn most_processors(&self) -> u64 {
        let numbers = self.rows.iter().filter(|row| row["experiment"] == "parallel");
        numbers.filter_map(|row| row["processors"].as_u64()).max().unwrap_or(0)
    }
}

/// A mean with half of its 95 % interval; an infinite one for a single tree.
#[derive(Clone, Copy)]
struct SpeedUp {
    mean: f64,
    half: f64,
}

impl SpeedUp {
    fn of(row: &Json, key: &str) -> Option<SpeedUp> {
        let mean = row[key].as_f64()?;
        let count = row["count"].as_u64().unwrap_or(1) as usize;
        let error = row[format!("{key}_se")].as_f64();
        let half = error.map_or(f64::INFINITY, |e| student(count.saturating_sub(1).max(1)) * e);
        Some(SpeedUp { mean, half })
    }

    /// Is it at least this, or less?
    fn reaches(self, limit: f64) -> Side {
        // Trees that all give the same number leave no doubt; a single one does not tell.
        match self.half.is_finite() {
            true => Side::of_difference(limit - self.mean, self.half / 1.96),
            false => Side::certain(None),
        }
    }
}

impl std::fmt::Display for SpeedUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.half.is_finite() {
            true => write!(f, "{:.2} ± {:.2}", self.mean, self.half),
            false => write!(f, "{:.2}", self.mean),
        }
    }
}

fn own(cells: &Cells<'_>, trees: &str, id: &str, n: u64) -> Option<SpeedUp> {
    SpeedUp::of(cells.of(trees, id, n)?, "speed_up")
}

fn few(cells: &Cells<'_>) -> Option<Claim> {
    let (mut held, mut numbers) = (Vec::new(), Vec::new());
    for trees in ["strong", "random"] {
        let split = |n| own(cells, trees, PvSplit::ENTRY.id, n);
        if let (Some(four), Some(many)) = (split(4), split(64)) {
            // Half of what there is to gain with four, and little more with sixteen times as many.
            held.push(four.reaches(2.0));
            let gained = cells.ratio(trees, (PvSplit::ENTRY.id, 64), (PvSplit::ENTRY.id, 4));
            held.extend(gained.map(|gained| Side::of(&gained, 4.0, true)));
            numbers.push(format!("{trees}: {four} on 4 processors, {many} on 64"));
        }
    }
    (!held.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "PVSplit does very well with up to 4 processors, and gains little from many",
            Verdict::of_intervals(held, "the trees"),
            numbers.join("; "),
        )
    })
}

/// Two schemes on the same trees by 16 processors: the first is better.
fn beside(cells: &Cells<'_>, (first, second): (&str, &str), text: &str) -> Option<Claim> {
    const N: u64 = 16;
    let (mut held, mut numbers) = (Vec::new(), Vec::new());
    for trees in cells.kinds() {
        let Some(paired) = cells.ratio(trees, (first, N), (second, N)) else { continue };
        let (low, high) = paired.bootstrap;
        let games = !["minimal", "strong", "random", "worst"].contains(&trees);
        if games || trees == "strong" || trees == "random" {
            held.push(Side::of(&paired, 1.0, false));
        }
        numbers.push(format!(
            "{trees}: {:.2} ({low:.2}–{high:.2}) of {}",
            paired.ratio.mean, paired.ratio.count
        ));
    }
    (!held.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            text,
            Verdict::of_intervals(held, "the trees"),
            format!(
                "speed-up of {first} over that of {second}, {N} processors, both against the best serial \
                 search, tree by tree: {}",
                numbers.join("; ")
            ),
        )
    })
}

/// Where nothing can be pruned, even simple schemes are nearly linear.
fn worst(cells: &Cells<'_>) -> Option<Claim> {
    const N: u64 = 16;
    let (mut held, mut numbers) = (Vec::new(), Vec::new());
    for id in [TreeSplit::ENTRY.id, Mwf::ENTRY.id, PvSplit::ENTRY.id, Ybw::ENTRY.id] {
        let Some(found) = own(cells, "worst", id, N) else { continue };
        held.push(found.mean >= 0.8 * N as f64);
        numbers.push(format!("{id} {:.2}", found.mean));
    }
    (!held.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "on worst-ordered trees even simple work distribution is nearly linear (at least 0.8 N)",
            Verdict::of_sides(held, "the scheme"),
            format!("one tree, {N} processors, over the own serial form: {}", numbers.join(", ")),
        )
    })
}

/// Bound-and-branch is said to be equivalent to PVSplit.
fn static_forms(cells: &Cells<'_>) -> Option<Claim> {
    let mut numbers = Vec::new();
    let mut same = Vec::new();
    for trees in cells.kinds() {
        let of = |id| own(cells, trees, id, 32);
        let ids = (BoundAndBranch::ENTRY.id, PvSplit::ENTRY.id);
        let (Some(a), Some(b)) = (of(ids.0), of(ids.1)) else { continue };
        let Some(paired) = cells.ratio(trees, (ids.0, 32), (ids.1, 32)) else { continue };
        // The same within 5 %, tree by tree.
        let (above, below) = (Side::of(&paired, 1.05, true), Side::of(&paired, 1.0 / 1.05, false));
        same.push(if paired.ratio.mean > 1.0 { above } else { below });
        numbers.push(format!("{trees}: {a} and {b}"));
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "bound-and-branch is equivalent to the static PVSplit, whose speed-up it exceeds (12 by 32 processors)",
            Verdict::of_intervals(same, "the trees"),
            format!("speed-up of bound-and-branch and of PVSplit by 32: {}", numbers.join("; ")),
        )
    })
}

/// The survey's figures, each beside ours.
fn quoted(cells: &Cells<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for quoted in &QUOTED {
        let n = quoted.processors.next_power_of_two() as u64;
        let mut numbers = Vec::new();
        for trees in cells.kinds() {
            let Some(found) = own(cells, trees, quoted.id, n) else { continue };
            numbers.push(format!("{trees} {found}"));
        }
        // Theirs were on much larger trees, with more to share: that ours are less refutes nothing.
        if !numbers.is_empty() {
            claims.push(Claim::new(
                "Marsland",
                format!(
                    "{}: a speed-up of {} by {} processors ({}) on larger trees than ours",
                    quoted.source, quoted.speed_up, quoted.processors, quoted.id
                ),
                Verdict::Answered,
                format!("N = {n}, over the own serial form: {}", numbers.join("; ")),
            ));
        }
    }
    claims
}

/// What is gained by as many processors as there are.
fn massive(cells: &Cells<'_>) -> Option<Claim> {
    let n = cells.most_processors();
    let mut numbers = Vec::new();
    let mut limited = Vec::new();
    for trees in cells.kinds() {
        let best = |n: u64| {
            let here =
                cells.rows.iter().filter(|row| row["trees"] == trees && row["processors"] == n);
            let found = here.filter_map(|row| Some((row, SpeedUp::of(row, "speed_up_best")?)));
            found.max_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean))
        };
        let (Some((row, most)), Some((_, quarter))) = (best(n), best(n / 4)) else { continue };
        // Every scheme, and not the one that happens to be the best.
        let schemes = cells.schemes();
        let gains = schemes.iter().filter_map(|id| cells.ratio(trees, (id, n), (id, n / 4)));
        let sides: Vec<Side> = gains.map(|gain| Side::of(&gain, 2.0, true)).collect();
        let doubled = Side::corrected(&sides).iter().filter(|side| **side == Some(false)).count();
        if trees != "minimal" && trees != "worst" {
            limited.extend(&sides);
        }
        let id = row["algorithm"].as_str().unwrap_or("");
        numbers.push(format!(
            "{trees}: {most} by {id}, {:.2} the best by a quarter of them, {doubled} of {} schemes double",
            quarter.mean,
            sides.len()
        ));
    }
    (!limited.is_empty()).then(|| {
        Claim::new(
            "Marsland",
            "no scheme extends to arbitrarily many processors: four times as many are worth less than twice the speed-up",
            Verdict::of_intervals(limited, "the trees"),
            format!("the best of all schemes by {n} processors: {}", numbers.join("; ")),
        )
    })
}

/// The drivers of the memory test in parallel.
fn drivers(cells: &Cells<'_>) -> Option<Claim> {
    const N: u64 = 16;
    let mut numbers = Vec::new();
    for trees in cells.kinds() {
        let mut told = Vec::new();
        for id in [
            Ybw::ENTRY.id,
            YbwSss2::ENTRY.id,
            YbwDual2::ENTRY.id,
            YbwMtdF::ENTRY.id,
            AbdadaMtdF::ENTRY.id,
            Dts::ENTRY.id,
        ] {
            let row = cells.of(trees, id, N);
            let found = row.and_then(|row| SpeedUp::of(row, "speed_up_best"));
            told.extend(found.map(|found| format!("{id} {found}")));
        }
        if !told.is_empty() {
            numbers.push(format!("{trees}: {}", told.join(", ")));
        }
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            "de Bruin, Pijls and Plaat",
            "what parallel versions of SSS-2, Dual-2 and MTD(f) gain (left open)",
            Verdict::Answered,
            format!("speed-up over the best serial search, {N} processors: {}", numbers.join("; ")),
        )
    })
}

/// PARSSS* on real games and on real threads.
fn real_parsss(cells: &Cells<'_>) -> Option<Claim> {
    let (mut numbers, mut is_measured) = (Vec::new(), false);
    for trees in cells.kinds() {
        if ["minimal", "strong", "random", "worst"].contains(&trees) {
            continue;
        }
        for n in [2, 8, 64] {
            let Some(row) = cells.of(trees, ParSss::ENTRY.id, n) else { continue };
            let Some(found) = SpeedUp::of(row, "speed_up") else { continue };
            let threads = SpeedUp::of(row, "threads_speed_up");
            is_measured |= threads.is_some();
            let clock = threads.map_or_else(String::new, |m| format!(", by the clock {m}"));
            numbers.push(format!("{trees}, N = {n}: {found}{clock}"));
        }
    }
    if !is_measured && !numbers.is_empty() {
        numbers.push("on threads not measured: other work ran on the cores".into());
    }
    (!numbers.is_empty()).then(|| {
        Claim::new(
            "Bhattacharya and Bagchi",
            "what PARSSS* gains on real games, and on real processors (left open)",
            Verdict::Answered,
            format!("over SSS*, simulated: {}", numbers.join("; ")),
        )
    })
}

/// The bounds on PARSSS*'s speed-up.
fn bounds(rows: &[Json]) -> Option<Claim> {
    let of = |row: &Json, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    let here: Vec<&Json> =
        rows.iter().filter(|row| row["experiment"] == "parallel-bounds").collect();
    let last = here.last()?;
    let within = here.iter().map(|row| {
        let found = of(row, "simulated");
        of(row, "lower") <= found + 1e-9 && found <= of(row, "upper") + 1e-9
    });
    let told = [here[0], here[here.len() / 2], last].map(|row| {
        format!(
            "N = {}: {:.2} ≤ {:.2} ≤ {:.2}",
            row["processors"],
            of(row, "lower"),
            of(row, "simulated"),
            of(row, "upper")
        )
    });
    Some(Claim::new(
        "Bhattacharya and Bagchi",
        "upper and lower bounds on the speed-up of PARSSS* (left open): total work, critical path and minimal tree",
        Verdict::of_sides(within, "the processors"),
        format!("random trees, {} of them: {}", last["trees"], told.join("; ")),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemes_are_compared_tree_by_tree() {
        let row = |id: &str, each: [f64; 5]| {
            json!({"experiment": "parallel", "trees": "strong", "algorithm": format!("{id}:16"),
                   "processors": 16, "count": 5, "speed_up": each[0], "speed_up_se": 0.1,
                   "speed_up_best": each[0], "speed_up_best_se": 0.1, "each_best": each})
        };
        let rows = [
            row(Ybw::ENTRY.id, [8.0, 8.1, 7.9, 8.0, 8.2]),
            row(PvSplit::ENTRY.id, [4.0, 4.1, 3.9, 4.0, 4.0]),
        ];
        let claims = claims(&rows);
        let dynamic = claims.iter().find(|claim| claim.text.contains("dynamically")).unwrap();
        assert_eq!(dynamic.verdict, Verdict::Held, "{dynamic:?}");
        assert!(dynamic.numbers.contains("strong: 2.01 (1.99–2.03) of 5"), "{dynamic:?}");
        let quoted = claims.iter().find(|claim| claim.text.contains("Feldmann")).unwrap();
        assert_eq!(quoted.verdict, Verdict::Answered, "{quoted:?}");
    }
    #[test]
    fn a_time_beside_other_work_is_not_told() {
        let told = |key: &str| {
            let mut row = json!({"experiment": "parallel", "trees": "chess", "algorithm": "parsss:2",
                                 "processors": 2, "count": 5, "speed_up": 1.5, "speed_up_se": 0.1});
            (row[key], row[format!("{key}_se")]) = (1.25.into(), 0.0.into());
            let claims = claims(&[row]);
            let real = claims.iter().find(|claim| claim.text.contains("on real processors"));
            real.unwrap().numbers.clone()
        };
        assert!(told("threads_speed_up").ends_with("by the clock 1.25 ± 0.00"));
        // Data of earlier versions do not say whether the cores were free.
        let earlier = told("measured_speed_up");
        assert!(
            earlier.ends_with("on threads not measured: other work ran on the cores"),
            "{earlier}"
        );
    }
}
