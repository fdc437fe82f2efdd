//! The example trees of the papers, as they are kept under `positions/`: what each search visits there.

use anyhow::Context;
use serde_json::{Value as Json, json};

use super::{Claim, Findings, Verdict};
use crate::laboratory::{LabTree, count};
use crate::report::{Align, TextTable};
use plyground_core::tree::Explicit;
use plyground_search::algorithms::{AlphaBeta, Dual, Ps, Pvs, Sss};
use plyground_search::{Algorithm, SearchAlgorithm, SearchSpec};

/// An example: its figure, its file, and the tree.
struct Example {
    name: &'static str,
    paper: &'static str,
    file: &'static str,
    text: &'static str,
}

macro_rules! example {
    ($name:literal, $paper:expr, $file:literal) => {
        Example {
            name: $name,
            paper: $paper,
            file: $file,
            text: include_str!(concat!("../../../../positions/", $file)),
        }
    };
}

const PHASED: &str = "Srimani and Marsland";
const PARALLEL: &str = "Bhattacharya and Bagchi";

const EXAMPLES: [Example; 5] = [
    example!("figure 1", PHASED, "phased-search-figure-1.tree"),
    example!("figure 2", PHASED, "phased-search-figure-2.tree"),
    example!("figure 3", PHASED, "phased-search.tree"),
    example!("figure 4", PHASED, "phased-search-figure-4.tree"),
    example!("section 3", PARALLEL, "parallel-sss.tree"),
];

fn algorithms() -> [Algorithm; 5] {
    [AlphaBeta.into(), Pvs.into(), Sss.into(), Dual.into(), Ps::with_partitions(2).into()]
}

/// All example trees by all searches.
pub(super) fn examples() -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let mut table = TextTable::new("The example trees: leaves, and states on OPEN, of each search");
    table.column("paper", Align::Left);
    table.column("tree", Align::Left);
    table.column("value", Align::Right);
    for algorithm in algorithms() {
        table.group(algorithm.name(), Align::Right);
        table.column("OPEN", Align::Right);
    }
    for Example { name, paper, file, text } in &EXAMPLES {
        let tree: LabTree = text.parse::<Explicit>().with_context(|| file.to_string())?.into();
        let mut cells = vec![paper.to_string(), name.to_string(), String::new()];
        for algorithm in algorithms() {
            let sample = count(&tree, &SearchSpec::new(&algorithm, tree.height() as u32))?;
            let leaves = sample.counts.leaves.unwrap_or(sample.counts.evaluations);
            cells[2] = sample.value.map_or_else(String::new, |value| value.to_string());
            cells.push(leaves.to_string());
            cells.push(match sample.counts.peak_open {
                0 => "–".into(),
                open => open.to_string(),
            });
            found.rows.push(json!({
                "example": name, "paper": paper, "file": file, "algorithm": algorithm.to_string(),
                "value": sample.value, "leaves": leaves, "peak_open": sample.counts.peak_open,
            }));
        }
        table.row(cells);
    }
    table.note("The figures' values are not readable any more; the trees are ours and show what the figures show.");
    found.tables.push(table);
    found.note_work(EXAMPLES.len() as u64, EXAMPLES.len() as u64, "trees");
    Ok(found)
}

/// What the figures are there to show.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let ps = Ps::with_partitions(2).into();
    let of = |figure: &str, algorithm: Algorithm, key: &str| {
        let id = algorithm.to_string();
        let same = |row: &&Json| row["example"] == figure && row["algorithm"] == id.as_str();
        rows.iter().find(same).and_then(|row| row[key].as_u64())
    };
    let both = |figure: &str, a: Algorithm, b: Algorithm, key: &str| {
        of(figure, a, key).zip(of(figure, b, key))
    };
    let ps2 = |ps: &Algorithm| ps.clone();
    let mut claims = Vec::new();
    let mut claim = |paper, text: &str, held: Option<bool>, numbers: String| {
        if let Some(held) = held {
            claims.push(Claim::new(paper, text, Verdict::of_sides([held], "the tree"), numbers));
        }
    };
    let open = both("figure 1", ps2(&ps), Sss.into(), "peak_open");
    claim(
        PHASED,
        "figure 1: PS*(2) holds at most four states on OPEN where SSS* holds sixteen",
        open.map(|(a, b)| a <= 4 && b == 16),
        open.map_or_else(String::new, |(a, b)| format!("{a} and {b}")),
    );
    for (figure, text, less, other) in [
        (
            "figure 2",
            "figure 2: there are trees on which PS*(2) visits fewer leaves than SSS*",
            true,
            Sss::ENTRY.id,
        ),
        (
            "figure 3",
            "figure 3: there are trees on which PS*(2) visits more leaves than SSS*",
            false,
            Sss::ENTRY.id,
        ),
        (
            "figure 4",
            "figure 4: there are trees on which PS*(2) visits more leaves than alpha-beta",
            false,
            AlphaBeta::ENTRY.id,
        ),
    ] {
        let Ok(other) = other.parse::<Algorithm>() else { continue };
        let leaves = both(figure, ps2(&ps), other, "leaves");
        claim(
            PHASED,
            text,
            leaves.map(|(a, b)| if less { a < b } else { a > b }),
            leaves.map_or_else(String::new, |(a, b)| format!("{a} and {b} leaves")),
        );
    }
    let twelve = of("section 3", Sss.into(), "leaves");
    claim(
        PARALLEL,
        "SSS* takes 12 terminal counts on the worked example",
        twelve.map(|leaves| leaves == 12),
        twelve.map_or_else(String::new, |leaves| leaves.to_string()),
    );
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_show_what_the_figures_show() {
        let found = examples().unwrap();
        assert_eq!(found.rows.len(), EXAMPLES.len() * algorithms().len());
        let claims = claims(&found.rows);
        assert_eq!(claims.len(), 5);
        for claim in claims {
            assert_eq!(claim.verdict, Verdict::Held, "{claim:?}");
        }
    }
}
