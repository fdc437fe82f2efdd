//! What the data say of the survey's claims on parallel search.

use serde_json::Value as Json;

use crate::paper::Claim;
use crate::paper::claims::Verdict;
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{ParSss, PvSplit, YbwSss2};

/// The survey's claims, judged on strongly ordered and on random trees.
pub(in crate::paper) fn claims(rows: &[Json]) -> Vec<Claim> {
    let speed_up = |trees: &str, id: &str, n: u64| {
        let is_of = |row: &&Json| {
            let named = row["algorithm"].as_str().and_then(|name| name.split(':').next());
            row["trees"] == trees && named == Some(id) && row["processors"] == n
        };
        rows.iter().find(is_of).and_then(|row| row["speed_up"].as_f64())
    };
    let (mut few, mut numbers) = (Vec::new(), Vec::new());
    let (mut hashing, mut lists) = (Vec::new(), Vec::new());
    for trees in ["strong", "random"] {
        let split = |n| speed_up(trees, PvSplit::ENTRY.id, n);
        if let (Some(four), Some(many)) = (split(4), split(64)) {
            // Half of what there is to gain with four, and little more with sixteen times as many.
            few.push(four >= 2.0 && many < 4.0 * four);
            numbers.push(format!("{trees}: {four:.2} on 4 processors, {many:.2} on 64"));
        }
        let pair = [YbwSss2::ENTRY.id, ParSss::ENTRY.id].map(|id| speed_up(trees, id, 16));
        if let [Some(hashed), Some(listed)] = pair {
            hashing.push(hashed > listed);
            lists.push(format!("{trees}, 16 processors: hashing {hashed:.2}, lists {listed:.2}"));
        }
    }
    vec![
        Claim::new(
            "Marsland",
            "PVSplit does very well with up to 4 processors, and gains little from many",
            Verdict::of_sides(few, "the trees"),
            numbers.join("; "),
        ),
        Claim::new(
            "Marsland",
            "hashing in place of lists serves SSS* in parallel",
            Verdict::of_sides(hashing, "the trees"),
            lists.join("; "),
        ),
    ]
}
