//! What is promised about searches of real positions, as ratios within one run.
//!
//! - Iterative deepening with table and history reaches a depth sooner than direct alpha-beta.
//! - MTD(f) costs at most 1.15 times PVS per node, both with deepening and a table.
//! - SSS*, DUAL* and PS*(k) in lists cost at most 1.3 times alpha-beta per leaf on chess to depth 5, and 1.7 times
//!   on Othello to depth 8 (1.3 is the aim), where MIN nodes are kept without their moves.
//! - An entry of the lists of SSS*, DUAL* and PS*(2) takes at most 64 bytes on Othello and 192 on chess, boards
//!   and moves included.
//!
//! Visits and leaves must be the same in every round.

use plyground::chess::Chess;
use plyground::door::{AnyGame, AnyTree};
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::profile::Weights;
use plyground::search::{Options, SearchSpec, Workspace};

use support::{Arguments, Limit, Ratios, Rounds, Timed, least_in_turns, timed_within};

fn spec(id: &str, depth: u32, memory: &str, deepening: bool) -> SearchSpec {
    let memory = memory.parse().unwrap();
    let options = Options { memory, deepening, ..Options::to_depth(depth) };
    SearchSpec::check(&id.parse().unwrap(), options).unwrap()
}

/// What a search took, summed over the positions.
#[derive(Clone, Copy, Default)]
struct Sum {
    seconds: f64,
    visits: u64,
    leaves: u64,
}

impl Sum {
    fn per_node(&self) -> f64 {
        self.seconds / self.visits as f64
    }

    fn per_leaf(&self) -> f64 {
        self.seconds / self.leaves as f64
    }
}

/// Searches all positions in all ways, in turns.
fn sums<const N: usize>(
    trees: &[Box<dyn AnyTree>],
    specs: &[SearchSpec; N],
    rounds: Rounds,
) -> [Sum; N] {
    let mut sums = [Sum::default(); N];
    for tree in trees {
        let runs: [Timed<'_>; N] = std::array::from_fn(|i| {
            let spec = &specs[i];
            let mut workspace = Workspace::new();
            let expected = tree.search(&mut workspace, spec, None).unwrap().counts;
            sums[i].visits += expected.visits;
            sums[i].leaves += expected.evaluations;
            timed_within(move || {
                let outcome = tree.search(&mut workspace, spec, None).unwrap();
                assert!(outcome.best.is_some());
                assert_eq!(outcome.counts, expected, "{}", spec.algorithm());
                // The table was cleared before this clock began to run.
                outcome.time.as_secs_f64()
            })
        });
        for (sum, seconds) in sums.iter_mut().zip(least_in_turns(rounds, runs)) {
            sum.seconds += seconds;
        }
    }
    sums
}

/// The ratios of a game, with a table to one depth and in lists to another.
fn game(
    game: &dyn AnyGame,
    [depth, list_depth]: [u32; 2],
    per_leaf: f64,
    arguments: &Arguments,
    ratios: &mut Ratios,
) {
    let step = arguments.choose(4, 8);
    let rounds = Rounds::Seconds(arguments.choose(1.5, 0.4));
    let trees: Vec<Box<dyn AnyTree>> = game
        .experiments()
        .unwrap()
        .iter()
        .step_by(step)
        .map(|problem| game.tree(&problem.position, &Weights::Standard).unwrap())
        .collect();
    let specs = [
        spec("alpha-beta", depth, "none", false),
        spec("alpha-beta", depth, "table+history", true),
        spec("pvs", depth, "table+history", true),
        spec("mtd-f", depth, "table+history", true),
    ];
    let [direct, alpha_beta, pvs, mtd_f] = sums(&trees, &specs, rounds);
    for (name, sum) in [("alpha-beta", alpha_beta), ("PVS", pvs), ("MTD(f)", mtd_f)] {
        let what =
            format!("{game}, {depth} plies: {name} with all iterations over direct alpha-beta");
        ratios.row(&what, sum.seconds / direct.seconds, Limit::AtMost(1.0));
    }
    let what = format!("{game}, {depth} plies: MTD(f) per node over PVS");
    ratios.row(&what, mtd_f.per_node() / pvs.per_node(), Limit::AtMost(1.15));
    let ids = ["sss", "dual", "ps:2", "ps:4", "ps:1+2+4+8"];
    let [one, two, three, four, five] = ids.map(|id| spec(id, list_depth, "none", false));
    let direct = spec("alpha-beta", list_depth, "none", false);
    let [direct, lists @ ..] = sums(&trees, &[direct, one, two, three, four, five], rounds);
    for (id, sum) in ids.iter().zip(lists) {
        let what = format!("{game}, {list_depth} plies: {id} per leaf over alpha-beta");
        ratios.row(&what, sum.per_leaf() / direct.per_leaf(), Limit::AtMost(per_leaf));
    }
}

/// The bytes of an entry of the lists, boards and moves included: over every `step`th position of the
/// experiments.
fn bytes(game: &dyn AnyGame, depth: u32, step: usize, most: f64, ratios: &mut Ratios) {
    for id in ["sss", "dual", "ps:2"] {
        let spec = spec(id, depth, "none", false);
        let (mut bytes, mut entries) = (0, 0);
        for problem in game.experiments().unwrap().iter().step_by(step) {
            let tree = game.tree(&problem.position, &Weights::Standard).unwrap();
            let counts = tree.search(&mut Workspace::new(), &spec, None).unwrap().counts;
            bytes += counts.peak_bytes;
            entries += counts.peak_open + counts.peak_backup;
        }
        let what = format!("{game}, {depth} plies: bytes of an entry of {id}");
        ratios.row(&what, bytes as f64 / entries as f64, Limit::AtMost(most));
    }
}

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [70, 30];

pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    game(Othello::door(), [9, 8], 1.7, arguments, ratios);
    bytes(Othello::door(), 8, 1, 64.0, ratios);
    game(Chess::door(), [6, 5], 1.3, arguments, ratios);
    bytes(Chess::door(), 5, 6, 192.0, ratios);
}
