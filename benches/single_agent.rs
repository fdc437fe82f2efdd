//! Searches for one player: what they expand and how fast, with the counts asserted.
//!
//! - IDA\* with the Manhattan distance on Korf's first instance, beside a recursion written by hand and
//!   beside the `pathfinding` crate's IDA\* and A\* on smaller ones. The ratio of times is what is promised;
//!   states a second are for information.
//! - All of Korf's 100 instances with the pattern databases, built anew: every optimal cost, and the total
//!   of expanded states.
//!
//! `cargo bench --bench single_agent -- --check` fails above a limit; `-- --quick` takes a smaller instance
//! and ten of the hundred.

use std::hint::black_box;
use std::process::ExitCode;

use pathfinding::prelude::{astar, idastar};
use plyground::puzzles::sliding::{PatternDatabases, Shape, Tiles};
use plyground::puzzles::{Domain, Heuristic, Instance};
use plyground::search::single_agent::{AStar, Ida, SingleAgent, SolveSpec};
use support::{Arguments, Limit, Ratios, Rounds, least_in_turns, timed};

const KORF: &str = include_str!("../positions/korf-100.txt");

/// Korf's first instance: expanded, generated.
const FIRST: (&str, u64, u64) = ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 140_036_828, 276_361_933);
/// His second, for a first look.
const SECOND: (&str, u64, u64) = ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 7_855_093, 15_300_442);
/// One that other solvers do in a second.
const SMALL: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";

fn fifteen(text: &str) -> Instance {
    Instance::parse(Domain::Sliding(Shape::FIFTEEN), text).unwrap()
}

/// IDA* by hand: a recursion over a packed board, as plain as it can be fast.
struct Plain {
    changes: [[i8; 64]; 16],
    expanded: u64,
    least_cut: i32,
}

impl Plain {
    fn new() -> Plain {
        let mut changes = [[0; 64]; 16];
        for (tile, changes) in changes.iter_mut().enumerate().skip(1) {
            for from in 0..16 {
                for (direction, step) in [-4i32, -1, 1, 4].into_iter().enumerate() {
                    let to = from - step;
                    if (0..16).contains(&to) {
                        let distance =
                            |cell: i32| Shape::FIFTEEN.distance(tile, cell as usize) as i8;
                        changes[from as usize * 4 + direction] = distance(to) - distance(from);
                    }
                }
            }
        }
        Plain { changes, expanded: 0, least_cut: 0 }
    }

    /// Looks for a goal that costs no more than `left` above the estimate `h`.
    fn search(&mut self, board: u64, blank: u32, last: u32, left: i32, h: i32) -> bool {
        if h == 0 {
            return true;
        }
        self.expanded += 1;
        for direction in 0..4 {
            let open = match direction {
                0 => blank >= 4,
                1 => !blank.is_multiple_of(4),
                2 => blank % 4 != 3,
                _ => blank < 12,
            };
            if !open || direction + last == 3 {
                continue;
            }
            let to = (blank as i32 + [-4, -1, 1, 4][direction as usize]) as u32;
            let tile = board >> (4 * to) & 15;
            let change = i32::from(self.changes[tile as usize][(to * 4 + direction) as usize]);
            let rest = left - 1 - change;
            if rest < 0 {
                self.least_cut = self.least_cut.min(-rest);
                continue;
            }
            let after = board ^ tile << (4 * to) ^ tile << (4 * blank);
            if self.search(after, to, direction, rest, h + change) {
                return true;
            }
        }
        false
    }

    fn solve(&mut self, tiles: &[u8]) {
        let board = tiles.iter().rev().fold(0, |board, tile| board << 4 | u64::from(*tile));
        let blank = tiles.iter().position(|tile| *tile == 0).unwrap() as u32;
        let placed = tiles.iter().enumerate().filter(|(_, tile)| **tile != 0);
        let h = placed.map(|(cell, t)| Shape::FIFTEEN.distance((*t).into(), cell) as i32).sum();
        let mut left = 0;
        self.expanded = 0;
        loop {
            self.least_cut = i32::MAX;
            if self.search(board, blank, 9, left, h) {
                return;
            }
            left += self.least_cut;
        }
    }
}

/// The successors of a board for the `pathfinding` crate, which has no notion of the last move.
fn successors(board: &[u8; 16]) -> Vec<([u8; 16], u32)> {
    let blank = board.iter().position(|tile| *tile == 0).unwrap();
    let to = (0..4).filter_map(|direction| Shape::FIFTEEN.neighbour(blank, direction));
    let slid = |to: usize| {
        let mut after = *board;
        after.swap(blank, to);
        (after, 1)
    };
    to.map(slid).collect()
}

fn manhattan(board: &[u8; 16]) -> u32 {
    let placed = board.iter().enumerate().filter(|(_, tile)| **tile != 0);
    placed.map(|(cell, tile)| Shape::FIFTEEN.distance((*tile).into(), cell) as u32).sum()
}

fn main() -> ExitCode {
    let about = "Searches for one player: counts asserted, speed beside others";
    let arguments = Arguments::begin(about, [90, 25]);
    let mut ratios = Ratios::new(&arguments);
    let (text, expanded, generated) = arguments.choose(FIRST, SECOND);
    let instance = fifteen(text);
    let tiles = Tiles::parse(Shape::FIFTEEN, text).unwrap();
    let ida = SolveSpec::new(&Ida.into());
    let ours = timed(|| {
        let solution = instance.solve(Heuristic::Manhattan, &ida).unwrap();
        assert_eq!((solution.counts.expanded, solution.counts.generated), (expanded, generated));
    });
    let mut plain = Plain::new();
    let by_hand = timed(|| {
        plain.solve(tiles.numbers());
        assert_eq!(plain.expanded, expanded);
    });
    let [ours, by_hand] = least_in_turns(Rounds::Count(arguments.choose(5, 9)), [ours, by_hand]);
    println!("IDA*: {:.1} million states expanded a second", expanded as f64 / ours / 1e6);
    // By hand, each of four directions has branches of its own, and nothing is counted but expansions.
    ratios.row("IDA* over a recursion written by hand", ours / by_hand, Limit::AtMost(1.5));

    let small = fifteen(SMALL);
    let board: [u8; 16] =
        Tiles::parse(Shape::FIFTEEN, SMALL).unwrap().numbers().try_into().unwrap();
    let solve = |algorithm: SingleAgent| {
        let (small, spec) = (&small, SolveSpec::new(&algorithm));
        timed(move || {
            assert_eq!(small.solve(Heuristic::Manhattan, &spec).unwrap().cost, Some(42));
        })
    };
    let is_goal = |board: &[u8; 16]| board.is_sorted();
    let their_ida = timed(|| {
        let found = idastar(&board, successors, manhattan, is_goal);
        assert_eq!(black_box(found).unwrap().1, 42);
    });
    let their_a_star = timed(|| {
        let found = astar(&board, successors, manhattan, is_goal);
        assert_eq!(black_box(found).unwrap().1, 42);
    });
    let runs = [solve(Ida.into()), their_ida, solve(AStar.into()), their_a_star];
    let [ida_ours, ida_theirs, a_ours, a_theirs] = least_in_turns(Rounds::Count(3), runs);
    ratios.row("IDA* over pathfinding's", ida_ours / ida_theirs, Limit::AtMost(0.5));
    ratios.row("A* over pathfinding's", a_ours / a_theirs, Limit::AtMost(1.0));

    let (count, total) = arguments.choose((100, 89_249_659), (10, 4_989_511));
    let mut states = 0;
    let mut everything = timed(|| {
        let databases = PatternDatabases::build(Shape::FIFTEEN).unwrap();
        black_box(databases.groups());
        for line in KORF.lines().filter(|line| !line.starts_with('#')).take(count) {
            let mut fields = line.split(';').map(str::trim);
            let (text, cost) = (fields.next().unwrap(), fields.next().unwrap());
            let solution = fifteen(text).solve(Heuristic::Pattern, &ida).unwrap();
            assert_eq!(solution.cost.unwrap().to_string(), cost, "{text}");
            states += solution.counts.expanded;
        }
    });
    let seconds = everything();
    drop(everything);
    println!(
        "Korf's first {count} with pattern databases, built anew: {seconds:.1} s, {states} states"
    );
    assert_eq!(states, total, "the states that IDA* expands with the databases");
    ratios.finish()
}
