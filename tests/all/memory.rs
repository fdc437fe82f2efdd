//! Memory functions change how fast a search is, never what it finds.

use plyground::othello::{Board, Evaluator, Othello, parse_obf};
use plyground::search::{MemoryFunctions, Options, Outcome};
use plyground::table::TableSize;
use plyground::tree::{GameTree, Synthetic};

use crate::agreement::{self, run};
use crate::odd_trees::OddTree;
use crate::searching::counted;

pub fn midgame() -> Vec<Board> {
    let suite = parse_obf(include_str!("../../positions/midgame.obf")).unwrap();
    suite.iter().map(|line| line.position.board).collect()
}

/// Every combination of memory functions that makes sense, with and without deepening.
pub fn combinations(depth: u32, table: TableSize) -> Vec<Options> {
    let sensible = |functions: &MemoryFunctions| {
        functions.contains(MemoryFunctions::TABLE) || !functions.contains(MemoryFunctions::ETC)
    };
    let memories = (0..=MemoryFunctions::all().bits()).map(MemoryFunctions::from_bits_truncate);
    memories
        .filter(sensible)
        .flat_map(|memory| {
            [false, true].map(|deepening| Options {
                memory,
                deepening,
                table: memory.contains(MemoryFunctions::TABLE).then_some(table),
                ..Options::to_depth(depth)
            })
        })
        .collect()
}

#[test]
fn all_agree_with_every_combination_on_othello() {
    let boards = midgame();
    let small = TableSize::of_entries(64);
    let large = TableSize::of_entries(1 << 14);
    for (index, depth, table) in [(2, 4, large), (12, 3, small), (17, 4, small)] {
        let name = format!("position {}", index + 1);
        let game = Othello::new(boards[index], Evaluator::default());
        agreement::check(&game, &name, &combinations(depth, table));
    }
    for (index, values) in [(5, 5), (15, 20_001)] {
        let name = format!("position {} with {values} values", index + 1);
        let game = OddTree::hashed(boards[index], values);
        agreement::check(&game, &name, &combinations(3, small));
        agreement::check(&game, &name, &combinations(4, large)[90..]);
    }
}

#[test]
fn all_agree_with_every_combination_on_synthetic_trees() {
    for seed in 0..4 {
        let tree = Synthetic::independent(4 + seed as usize % 3, 4, 30, seed).unwrap();
        let table = TableSize::of_entries(if seed % 2 == 0 { 16 } else { 4096 });
        agreement::check(&tree, &format!("seed {seed}"), &combinations(4, table));
    }
}

/// Visits and distinct leaves over some positions.
fn effort(id: &str, options: &Options) -> (u64, u64) {
    let outcomes: Vec<Outcome<_>> = midgame()
        .into_iter()
        .step_by(6)
        .map(|board| {
            let game = Othello::new(board, Evaluator::default());
            counted(&game, &id.parse().unwrap(), options).unwrap()
        })
        .collect();
    let sum = |of: fn(&Outcome<_>) -> u64| outcomes.iter().map(of).sum();
    (sum(|outcome| outcome.counts.visits), sum(|outcome| outcome.counts.leaves.unwrap()))
}

#[test]
fn every_switch_changes_the_tree() {
    let with = |memory: &str| Options {
        memory: memory.parse().unwrap(),
        deepening: true,
        table: memory.contains("table").then_some(TableSize::of_entries(1 << 16)),
        ..Options::to_depth(5)
    };
    for id in ["alpha-beta", "pvs", "mtd-f", "sss", "ps:2"] {
        let none = effort(id, &with("none"));
        for one in ["table", "history", "killers", "refutation", "countermoves"] {
            assert_ne!(effort(id, &with(one)), none, "{id} with {one}");
        }
        let direct = effort(id, &Options::to_depth(5));
        assert_ne!(direct, none, "{id} with deepening");
    }
    // List-based algorithms keep their own bounds, and ask no table for any.
    for id in ["alpha-beta", "pvs", "mtd-f"] {
        assert_ne!(effort(id, &with("table")), effort(id, &with("table+etc")), "{id}");
    }
}

#[test]
fn a_table_and_history_save_work() {
    let all = Options {
        memory: "table+history".parse().unwrap(),
        deepening: true,
        ..Options::to_depth(7)
    };
    for id in ["alpha-beta", "pvs", "mtd-f"] {
        let (with, without) = (effort(id, &all), effort(id, &Options::to_depth(7)));
        assert!(with.0 < without.0 && with.1 < without.1, "{id}: {with:?} {without:?}");
    }
}

#[test]
fn a_stopped_deepening_search_keeps_the_last_iteration() {
    let game = Othello::new(midgame()[8], Evaluator::default());
    let mut options = Options { deepening: true, ..Options::to_depth(8) };
    let whole = run(&game, "alpha-beta", &options);
    assert_eq!((whole.depth, whole.stopped), (8, None));
    for nodes in [0, 1, 10, 100, 1_000, 10_000] {
        options.limits.nodes = Some(nodes);
        let stopped = run(&game, "alpha-beta", &options);
        assert!(stopped.stopped.is_some() && stopped.value.is_none());
        assert!(stopped.depth < 8);
        assert!(stopped.bounds.lower <= whole.bounds.lower);
        assert!(stopped.bounds.upper >= whole.bounds.upper);
        assert_eq!(stopped.best.is_some(), stopped.counts.visits > 3, "{nodes} nodes");
        assert!(stopped.counts.visits <= nodes);
    }
}

#[test]
fn the_same_search_counts_the_same_twice() {
    let game = Othello::new(midgame()[4], Evaluator::default());
    let options = Options {
        memory: MemoryFunctions::all(),
        deepening: true,
        table: Some(TableSize::of_entries(1 << 10)),
        ..Options::to_depth(5)
    };
    for id in &agreement::all() {
        let [first, second] =
            [(); 2].map(|()| counted(&game, &id.parse().unwrap(), &options).unwrap().counts);
        assert_eq!(first, second, "{id}");
        // Counting paths changes nothing.
        let unwatched = run(&game, id, &options).counts;
        assert_eq!(unwatched.visits, first.visits, "{id}");
        assert!(first.leaves.unwrap() <= first.evaluations, "{id}");
        assert_eq!(game.root(), midgame()[4]);
    }
}
