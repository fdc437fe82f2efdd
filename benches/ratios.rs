//! What the laboratory promises about speed, as ratios within one run: machines are shared and
//! noisy, so the two sides of a ratio are timed in turns and the medians compared.
//!
//! - The context costs at most 10 % over a plain recursion.
//! - SSS*, DUAL* and PS*(2) take at most 2.5 times alpha-beta's time per leaf.
//! - DUAL*'s time per leaf grows by less than 1.5 from T(8,4) to T(64,4).

use std::hint::black_box;
use std::time::Instant;

use plyground::search::{Algorithm, Options, Unwatched, search};
use plyground::tree::{GameTree, MoveList, Synthetic, mix};
use plyground::value::{INFINITY, Value};

const ROUNDS: usize = 31;

/// A plain recursion: fail-soft alpha-beta with nothing around it but a count of the leaves.
fn plain<T: GameTree>(
    tree: &T,
    node: &T::Node,
    height: u32,
    alpha: Value,
    beta: Value,
    leaves: &mut u64,
) -> Value {
    let mut moves = T::Moves::default();
    if height > 0 {
        tree.moves(node, &mut moves);
    }
    if moves.is_empty() {
        *leaves += 1;
        return tree.evaluate(node);
    }
    let mut best = -INFINITY;
    for i in 0..moves.len() {
        let child = tree.child(node, moves.at(i));
        let value = -plain(tree, &child, height - 1, -beta, -alpha.max(best), leaves);
        if value > best {
            best = value;
            if best >= beta {
                break;
            }
        }
    }
    best
}

fn trees(width: usize, depth: usize, count: u64) -> Vec<Synthetic> {
    let tree = Synthetic::independent(width, depth, 1000, 1).unwrap();
    (0..count).map(|i| tree.reseeded(mix(1, i))).collect()
}

/// Seconds per leaf of one pass over the trees, and the leaves.
type Timed<'a> = Box<dyn Fn() -> (f64, u64) + 'a>;

fn plain_pass(trees: &[Synthetic]) -> Timed<'_> {
    Box::new(move || {
        let started = Instant::now();
        let mut leaves = 0;
        for tree in trees {
            let depth = tree.depth() as u32;
            black_box(plain(tree, &tree.root(), depth, -INFINITY, INFINITY, &mut leaves));
        }
        (started.elapsed().as_secs_f64() / leaves as f64, leaves)
    })
}

fn pass<'a>(trees: &'a [Synthetic], id: &str) -> Timed<'a> {
    let algorithm: Algorithm = id.parse().unwrap();
    Box::new(move || {
        let started = Instant::now();
        let mut leaves = 0;
        for tree in trees {
            let options = Options::to_depth(tree.depth() as u32);
            let (outcome, _) = search(tree, &algorithm, &options, Unwatched).unwrap();
            leaves += outcome.counts.evaluations;
            black_box(outcome.value);
        }
        (started.elapsed().as_secs_f64() / leaves as f64, leaves)
    })
}

/// The median time per leaf of each, taken in turns.
fn medians(passes: &[(Timed<'_>, u64)]) -> Vec<f64> {
    let mut times = vec![Vec::new(); passes.len()];
    for _ in 0..ROUNDS {
        for ((pass, expected), times) in passes.iter().zip(&mut times) {
            let (time, leaves) = pass();
            assert_eq!(leaves, *expected, "the leaves have changed");
            times.push(time);
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect()
}

fn line(what: &str, ratio: f64, limit: Option<f64>) {
    let verdict = match limit {
        None => String::new(),
        Some(limit) if ratio <= limit => format!("  (at most {limit})"),
        Some(limit) => format!("  (at most {limit})  ABOVE"),
    };
    println!("{what:<58} {ratio:>5.2}{verdict}");
}

/// Leaves of alpha-beta, SSS*, DUAL* and PS*(2) over the trees of a shape.
struct Shape {
    width: usize,
    depth: usize,
    count: u64,
    leaves: [u64; 4],
    /// Are the lists' times per leaf promised here?
    promised: bool,
}

const SHAPES: [Shape; 4] = [
    Shape {
        width: 8,
        depth: 6,
        count: 20,
        leaves: [424_031, 305_949, 295_660, 470_085],
        promised: true,
    },
    Shape {
        width: 32,
        depth: 4,
        count: 20,
        leaves: [1_516_939, 1_144_399, 1_141_377, 1_498_972],
        promised: true,
    },
    Shape {
        width: 8,
        depth: 4,
        count: 200,
        leaves: [197_522, 138_134, 156_514, 186_100],
        promised: false,
    },
    Shape {
        width: 64,
        depth: 4,
        count: 4,
        leaves: [2_831_373, 2_272_603, 2_070_948, 2_975_583],
        promised: false,
    },
];

fn main() {
    let mut dual = Vec::new();
    for Shape { width, depth, count, leaves, promised } in SHAPES {
        let trees = trees(width, depth, count);
        let [alpha_beta, sss, dual_leaves, ps] = leaves;
        let passes = [
            (plain_pass(&trees), alpha_beta),
            (pass(&trees, "alpha-beta"), alpha_beta),
            (pass(&trees, "sss"), sss),
            (pass(&trees, "dual"), dual_leaves),
            (pass(&trees, "ps:2"), ps),
        ];
        let m = medians(&passes);
        let shape = format!("T({width},{depth})");
        let limit = promised.then_some(2.5);
        println!("{shape}: alpha-beta takes {:.2} ns a leaf", m[1] * 1e9);
        line(&format!("{shape}: the context over a plain recursion"), m[1] / m[0], Some(1.1));
        line(&format!("{shape}: SSS* per leaf over alpha-beta"), m[2] / m[1], limit);
        line(&format!("{shape}: DUAL* per leaf over alpha-beta"), m[3] / m[1], limit);
        line(&format!("{shape}: PS*(2) per leaf over alpha-beta"), m[4] / m[1], limit);
        dual.push(m[3]);
    }
    if let [_, _, narrow, wide] = dual[..] {
        line("DUAL* per leaf from T(8,4) to T(64,4)", wide / narrow, Some(1.5));
    }
}
