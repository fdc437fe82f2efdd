//! What the laboratory promises about speed, as ratios within one run.
//!
//! - The context costs at most 10 % over a plain recursion.
//! - SSS*, DUAL* and PS*(2) take at most 1.8 times alpha-beta's time per leaf, 1.7 is the aim: their lists are
//!   packed, for bytes.
//! - One process of PARSSS* or parallel PS* is as quick as the serial search: at least 0.93, 0.95 is the aim.
//! - DUAL*'s time per leaf grows by less than 1.5 from T(8,4) to T(64,4).

use std::hint::black_box;

use plyground::laboratory::{LabTree, search};
use plyground::search::{Algorithm, Options, SearchSpec};
use plyground::tree::{GameTree, MoveList, Synthetic, mix};
use plyground::value::{INFINITY, Value};

use support::{Arguments, Limit, Ratios, Rounds, Timed, least_in_turns, timed};

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

/// One pass over the trees by the plain recursion.
fn plain_pass(trees: &[Synthetic], expected: u64) -> Timed<'_> {
    timed(move || {
        let mut leaves = 0;
        for tree in trees {
            let depth = tree.depth() as u32;
            black_box(plain(tree, &tree.root(), depth, -INFINITY, INFINITY, &mut leaves));
        }
        assert_eq!(leaves, expected, "the leaves of the plain recursion");
    })
}

/// One pass over the trees by an algorithm.
fn pass<'a>(trees: &'a [LabTree], id: &'a str, expected: u64) -> Timed<'a> {
    let algorithm: Algorithm = id.parse().unwrap();
    timed(move || {
        let leaves = trees.iter().map(|tree| {
            let spec = SearchSpec::new(&algorithm, tree.height() as u32);
            let outcome = search(tree, &spec, None).unwrap();
            black_box(outcome.value);
            outcome.counts.evaluations
        });
        assert_eq!(leaves.sum::<u64>(), expected, "the leaves of {id}");
    })
}

/// One pass over the trees by a simulation of 64 processes that give away whatever they can; how many leaves
/// they evaluate is always the same.
fn simulated_leaves(trees: &[LabTree]) -> u64 {
    let algorithm: Algorithm = "parsss:64".parse().unwrap();
    let leaves = trees.iter().map(|tree| {
        let depth = tree.height() as u32;
        let options = Options { simulate: true, spawn_height: Some(0), ..Options::to_depth(depth) };
        let spec = SearchSpec::check(&algorithm, options).unwrap();
        search(tree, &spec, None).unwrap().counts.evaluations
    });
    leaves.sum()
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

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [20, 8];

pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    let rounds = Rounds::Seconds(arguments.choose(5.0, 2.0));
    let mut dual_times = Vec::new();
    for Shape { width, depth, count, leaves, promised } in SHAPES {
        let tree = Synthetic::independent(width, depth, 1000, 1).unwrap();
        let trees: Vec<Synthetic> = (0..count).map(|i| tree.reseeded(mix(1, i))).collect();
        let lab_trees: Vec<LabTree> = trees.iter().cloned().map(LabTree::from).collect();
        let [alpha_beta, sss, dual, ps] = leaves;
        let runs = [
            plain_pass(&trees, alpha_beta),
            pass(&lab_trees, "alpha-beta", alpha_beta),
            pass(&lab_trees, "sss", sss),
            pass(&lab_trees, "dual", dual),
            pass(&lab_trees, "ps:2", ps),
            pass(&lab_trees, "parsss:1", sss),
            pass(&lab_trees, "parps:1:2", ps),
        ];
        let mut times = least_in_turns(rounds, runs);
        let leaves = [alpha_beta, alpha_beta, sss, dual, ps, sss, ps];
        for (time, leaves) in times.iter_mut().zip(leaves) {
            *time /= leaves as f64;
        }
        let [plain, alpha_beta, sss, dual, ps, one_sss, one_ps] = times;
        let shape = format!("T({width},{depth})");
        let what = format!("{shape}: the context over a plain recursion");
        ratios.row(&what, alpha_beta / plain, Limit::AtMost(1.25));
        let limit = if promised { Limit::AtMost(1.8) } else { Limit::None };
        for (name, time) in [("SSS*", sss), ("DUAL*", dual), ("PS*(2)", ps)] {
            let what = format!("{shape}: {name} per leaf over alpha-beta");
            ratios.row(&what, time / alpha_beta, limit);
        }
        let limit = if promised { Limit::AtLeast(0.93) } else { Limit::None };
        for (name, serial, one) in [("PARSSS*(1)", sss, one_sss), ("PARPS*(1,2)", ps, one_ps)] {
            let what = format!("{shape}: {name}'s speed over its serial form's");
            ratios.row(&what, serial / one, limit);
        }
        dual_times.push(dual);
        if (width, depth) == (8, 6) {
            let few = &lab_trees[..2];
            let leaves = simulated_leaves(few);
            let pass = timed(move || assert_eq!(simulated_leaves(few), leaves));
            let [time] = least_in_turns(rounds, [pass]);
            let what = format!("{shape}: PARSSS*(64) simulated, million leaves a second");
            ratios.row(&what, leaves as f64 / time / 1e6, Limit::None);
        }
    }
    if let [.., narrow, wide] = dual_times[..] {
        let what = "DUAL* per leaf from T(8,4) to T(64,4)";
        ratios.row(what, wide / narrow, Limit::AtMost(1.5));
    }
}
