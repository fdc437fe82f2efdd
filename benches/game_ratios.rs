//! What is promised about searches of real positions, as ratios within one run: the two sides are
//! timed in turns on the same positions, and the least times compared.
//!
//! - Iterative deepening with table and history reaches a depth sooner than direct alpha-beta.
//! - MTD(f) costs at most 1.15 times PVS per node, both with deepening and a table.
//! - SSS* and PS*(k) in lists cost at most 1.3 times alpha-beta per leaf.
//!
//! Visits and leaves must be the same in every round.

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::search::{Algorithm, Counts, Options, Unwatched, search};

const ROUNDS: usize = 7;

/// Something that is done on all positions: an algorithm and how.
struct Way {
    algorithm: Algorithm,
    options: Options,
}

fn way(id: &str, depth: u32, memory: &str, deepening: bool) -> Way {
    let memory = memory.parse().unwrap();
    let options = Options { memory, deepening, ..Options::to_depth(depth) };
    Way { algorithm: id.parse().unwrap(), options }
}

/// Least seconds of each way, and what it counted, summed over the positions.
fn times<G: Game>(ways: &[Way]) -> Vec<(f64, Counts)> {
    let suite = G::suite(G::EXPERIMENTS).unwrap();
    let trees: Vec<G> = suite
        .iter()
        .step_by(4)
        .map(|problem| G::from_position(&problem.position, G::Evaluator::default()))
        .collect();
    let mut totals = vec![(0.0, Counts::default()); ways.len()];
    for tree in &trees {
        let mut least = vec![f64::MAX; ways.len()];
        let mut counts: Vec<Option<Counts>> = vec![None; ways.len()];
        for _ in 0..ROUNDS {
            for (i, Way { algorithm, options }) in ways.iter().enumerate() {
                let (outcome, _) = search(tree, algorithm, options, Unwatched).unwrap();
                assert!(outcome.best.is_some());
                assert_eq!(*counts[i].get_or_insert(outcome.counts), outcome.counts);
                least[i] = least[i].min(outcome.time.as_secs_f64());
            }
        }
        for (total, (least, counts)) in totals.iter_mut().zip(least.iter().zip(counts)) {
            let counts = counts.unwrap();
            total.0 += least;
            total.1.visits += counts.visits;
            total.1.evaluations += counts.evaluations;
        }
    }
    totals
}

fn told(what: &str, ratio: f64, most: f64) {
    let verdict = if ratio <= most { "" } else { "  ABOVE" };
    println!("{what:<64} {ratio:>5.2}  (at most {most}){verdict}");
}

fn game<G: Game>(depth: u32, list_depth: u32) {
    let name = G::NAME;
    let deepened = times::<G>(&[
        way("alpha-beta", depth, "none", false),
        way("alpha-beta", depth, "table+history", true),
        way("pvs", depth, "table+history", true),
        way("mtd-f", depth, "table+history", true),
    ]);
    let (direct, _) = deepened[0];
    for (id, (time, _)) in ["alpha-beta", "PVS", "MTD(f)"].iter().zip(&deepened[1..]) {
        let what =
            format!("{name}, {depth} plies: {id} with all iterations over direct alpha-beta");
        told(&what, time / direct, 1.0);
    }
    let per_node = |(time, counts): &(f64, Counts)| time / counts.visits as f64;
    let ratio = per_node(&deepened[3]) / per_node(&deepened[2]);
    told(&format!("{name}, {depth} plies: MTD(f) per node over PVS"), ratio, 1.15);
    let ids = ["sss", "ps:2", "ps:4", "ps:1+2+4+8"];
    let mut ways = vec![way("alpha-beta", list_depth, "none", false)];
    ways.extend(ids.map(|id| way(id, list_depth, "none", false)));
    let lists = times::<G>(&ways);
    let per_leaf = |(time, counts): &(f64, Counts)| time / counts.evaluations as f64;
    for (id, list) in ids.iter().zip(&lists[1..]) {
        let name = format!("{name}, {list_depth} plies: {id} per leaf over alpha-beta");
        told(&name, per_leaf(list) / per_leaf(&lists[0]), 1.3);
    }
}

fn main() {
    game::<Othello>(9, 6);
    game::<Chess>(6, 4);
}
