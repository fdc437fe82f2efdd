//! What must hold on every problem.

use std::collections::VecDeque;

use plyground_core::space::{Cost, StateSpace};
use plyground_core::tree::mix;
use plyground_search::Schedule;
use plyground_search::single_agent::{SingleAgent, SolveOptions, SolveSpec, examples, solve};
use proptest::prelude::*;

use crate::sliding::{
    LinearConflict, Manhattan, PackedBoard, PatternDatabases, Shape, SlidingPuzzle, TileBoard,
    TileHeuristic, Tiles, WideBoard, all_states,
};
use crate::{Domain, GridMap, Heuristic, Instance, ProblemError, Salesman};

/// An estimate never exceeds the distance, and is the same from move to move as from scratch. Returns the
/// sum of all, and how often an estimate falls by more than a move costs.
fn hold_on_all<H: TileHeuristic<PackedBoard>>(
    states: &[(Tiles, Cost)],
    heuristic: impl Fn() -> H,
) -> (u64, u64) {
    let (mut total, mut falls) = (0, 0);
    let from_scratch = heuristic();
    for (tiles, distance) in states {
        let puzzle = SlidingPuzzle::<PackedBoard, H>::new(tiles.clone(), heuristic());
        let start = puzzle.start();
        let estimate = puzzle.heuristic(&start);
        assert!(estimate <= *distance, "{tiles}: {estimate} is above {distance}");
        assert_eq!(puzzle.is_goal(&start), *distance == 0);
        total += u64::from(estimate);
        for slide in puzzle.actions(&start, None) {
            let mut after = tiles.clone();
            after.slide(puzzle.tile(&start, slide));
            let (state, cost) = puzzle.successor(&start, slide);
            assert_eq!(cost, 1);
            let scratch = from_scratch.value(&from_scratch.of(after.numbers()));
            assert_eq!(puzzle.heuristic(&state), scratch, "{tiles} to {after}");
            falls += u64::from(scratch + 1 < estimate);
        }
    }
    (total, falls)
}

#[test]
fn heuristics_are_admissible_on_the_8_puzzle_and_all_but_one_are_consistent() {
    let states = all_states(Shape::EIGHT).unwrap();
    assert_eq!(states.len(), 181_440);
    assert_eq!(states.last().unwrap().1, 31);
    // A puzzle's tables are made anew for each state: a part of them is enough without --release.
    let states: Vec<_> = states.into_iter().step_by(7).collect();
    let shape = Shape::EIGHT;
    let (manhattan, falls) = hold_on_all(&states, || Manhattan::new(shape));
    let (conflicts, more_falls) = hold_on_all(&states, || LinearConflict::new(shape));
    assert_eq!((falls, more_falls), (0, 0), "both are consistent");
    // A database forgets where the blank is, so a move may lead to a placement that is nearer by two.
    let (pattern, falls) = hold_on_all(&states, || PatternDatabases::get(shape).unwrap());
    assert!(falls > 0, "the documentation says that databases are not consistent");
    let (plain, _) = hold_on_all(&states, || LinearConflict::without_conflicts(shape));
    assert!(manhattan == plain && plain < conflicts && conflicts < pattern);
}

fn spec(algorithm: &SingleAgent, simulate: Option<Schedule>) -> SolveSpec {
    SolveSpec::check(algorithm, SolveOptions { simulate, ..SolveOptions::default() }).unwrap()
}

#[test]
fn every_search_and_heuristic_agrees_with_breadth_first_search() {
    let states = all_states(Shape::EIGHT).unwrap();
    for (number, (tiles, distance)) in states.iter().step_by(4567).enumerate() {
        let instance = Instance::Sliding(tiles.clone());
        for algorithm in examples() {
            for heuristic in Heuristic::ALL {
                let parallel = algorithm.threads().is_some();
                let schedule = parallel.then_some(Schedule::Random(number as u64));
                let solution = instance.solve(heuristic, &spec(&algorithm, schedule)).unwrap();
                let what = format!("{algorithm} with {} on {tiles}", heuristic.name());
                assert_eq!(solution.cost, Some(*distance), "{what}");
                assert!(solution.optimal && solution.path.len() == *distance as usize, "{what}");
                assert_eq!(instance.cost_of(&solution.path), solution.cost, "{what}");
            }
        }
    }
}

#[test]
fn threads_agree_too() {
    for seed in 0..6 {
        let instance = Instance::Sliding(Tiles::random(Shape::EIGHT, seed));
        let cost = |id: &str| {
            let algorithm: SingleAgent = id.parse().unwrap();
            instance.solve(Heuristic::Manhattan, &spec(&algorithm, None)).unwrap().cost
        };
        for id in ["pida:2", "pida:5", "window:3", "pia:3"] {
            assert_eq!(cost(id), cost("a-star"), "{id}");
        }
    }
}

#[test]
fn korfs_counts_come_out() {
    // Instances 79, 12 and 42 of Korf 1985, with the nodes that he printed.
    for (text, cost, generated) in [
        ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42, 540_860),
        ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 546_344),
        ("4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10", 42, 877_823),
    ] {
        let domain = Domain::Sliding(Shape::FIFTEEN);
        let instance = Instance::parse(domain, text).unwrap();
        let ida = "ida".parse().unwrap();
        let solution = instance.solve(Heuristic::Manhattan, &spec(&ida, None)).unwrap();
        assert_eq!((solution.cost, solution.counts.generated), (Some(cost), generated));
        let steps = solution.iterations.windows(2).map(|two| two[1].bound - two[0].bound);
        assert!(steps.into_iter().all(|step| step == 2), "the bound grows by 2");
        // In its last iteration PIDA* may find the goal sooner or later; before, it does the same.
        let two = spec(&"pida:7".parse().unwrap(), Some(Schedule::InTurn));
        let parallel = instance.solve(Heuristic::Manhattan, &two).unwrap();
        assert_eq!((parallel.cost, parallel.iterations), (Some(cost), solution.iterations));
    }
}

/// The least tour by dynamic programming over sets of cities (Held and Karp 1962).
fn held_karp(salesman: &Salesman) -> Cost {
    let n = salesman.count();
    let all = (1usize << n) - 1;
    let distance = |a: usize, b: usize| {
        let start = salesman.start();
        let to_a = if a == 0 { start } else { salesman.successor(&start, a as u8).0 };
        salesman.successor(&to_a, b as u8).1
    };
    let mut best = vec![vec![Cost::MAX; n]; all + 1];
    best[1][0] = 0;
    for set in 1..=all {
        for at in 0..n {
            let Some(so_far) = Some(best[set][at]).filter(|cost| *cost < Cost::MAX) else {
                continue;
            };
            for to in (0..n).filter(|to| set & 1 << to == 0) {
                let after = &mut best[set | 1 << to][to];
                *after = (*after).min(so_far + distance(at, to));
            }
        }
    }
    (1..n).map(|at| best[all][at].saturating_add(distance(at, 0))).min().unwrap_or(0)
}

#[test]
fn tours_are_the_least() {
    for seed in 0..8 {
        for cities in 1..=7 {
            let salesman = Salesman::random(cities, mix(seed, cities as u64)).unwrap();
            let least = held_karp(&salesman);
            for algorithm in examples() {
                let schedule = algorithm.threads().map(|_| Schedule::Random(seed));
                let solution = solve(&salesman, &spec(&algorithm, schedule));
                assert_eq!(solution.cost, Some(least), "{algorithm}: {salesman}");
                let mut visited = solution.path.clone();
                visited.sort_unstable();
                let every: Vec<u8> = (0..cities as u8).collect();
                assert!(cities == 1 || visited == every, "{algorithm}: {salesman}");
            }
        }
    }
}

#[test]
fn ways_are_the_shortest() {
    for seed in 0..12 {
        let map = GridMap::random(6, 5, 25, seed).unwrap();
        // Breadth-first.
        let mut distances = [Cost::MAX; 30];
        let mut queue = VecDeque::from([map.start()]);
        distances[map.start() as usize] = 0;
        while let Some(cell) = queue.pop_front() {
            for way in map.actions(&cell, None) {
                let (to, _) = map.successor(&cell, way);
                if distances[to as usize] == Cost::MAX {
                    distances[to as usize] = distances[cell as usize] + 1;
                    queue.push_back(to);
                }
            }
        }
        for algorithm in examples() {
            let schedule = algorithm.threads().map(|_| Schedule::Random(seed));
            let solution = solve(&map, &spec(&algorithm, schedule));
            assert_eq!(solution.cost, Some(distances[29]), "{algorithm}: {map}");
            let drawn = map.picture(&solution.path);
            let stars = drawn.matches('*').count() as Cost;
            assert_eq!(Some(stars + 1), solution.cost, "{drawn}");
        }
    }
}

fn any_shape() -> impl Strategy<Value = Shape> {
    (1usize..9, 1usize..9).prop_filter_map("a shape", |(w, h)| Shape::new(w, h).ok())
}

/// A walk by moves of the puzzle holds its estimate and its board equal to what is made from scratch.
fn walk<B: TileBoard, H: TileHeuristic<B>>(tiles: &Tiles, heuristic: H, scratch: &H, seed: u64) {
    let puzzle = SlidingPuzzle::<B, H>::new(tiles.clone(), heuristic);
    let mut tiles = tiles.clone();
    let mut state = puzzle.start();
    for number in 0..60 {
        let slides: Vec<_> = puzzle.actions(&state, None).collect();
        let movable: Vec<u8> = slides.iter().map(|slide| puzzle.tile(&state, *slide)).collect();
        assert_eq!(movable, tiles.movable());
        let slide = slides[(mix(seed, number) % slides.len() as u64) as usize];
        let tile = puzzle.tile(&state, slide);
        let (after, _) = puzzle.successor(&state, slide);
        // What takes the move back is left out, and nothing else.
        let onward: Vec<_> = puzzle.actions(&after, Some(slide)).collect();
        let all: Vec<_> = puzzle.actions(&after, None).collect();
        assert_eq!(onward.len() + 1, all.len());
        let back = all.iter().find(|slide| !onward.contains(slide)).unwrap();
        assert!(puzzle.successor(&after, *back).0 == state);
        state = after;
        assert!(tiles.slide(tile));
        let estimate = scratch.value(&scratch.of(tiles.numbers()));
        assert_eq!(puzzle.heuristic(&state), estimate);
        assert_eq!(puzzle.key(&state), B::of(tiles.numbers()).key());
        assert_eq!(puzzle.is_goal(&state), tiles.are_in_order());
    }
}

proptest! {
    #[test]
    fn tiles_read_back_and_every_move_is_followed(shape in any_shape(), seed: u64, moves in 0u64..200) {
        for tiles in [Tiles::random(shape, seed), Tiles::shuffled(shape, seed, moves)] {
            prop_assert_eq!(&Tiles::parse(shape, &tiles.to_string()).unwrap(), &tiles);
            let conflicts = || LinearConflict::new(shape);
            walk::<WideBoard, _>(&tiles, conflicts(), &conflicts(), seed);
            walk::<WideBoard, _>(&tiles, Manhattan::new(shape), &Manhattan::new(shape), seed);
            if shape.cells() <= 16 {
                walk::<PackedBoard, _>(&tiles, conflicts(), &conflicts(), seed);
                walk::<PackedBoard, _>(&tiles, Manhattan::new(shape), &Manhattan::new(shape), seed);
            }
        }
    }

    #[test]
    fn an_exchange_of_two_tiles_is_refused(shape in any_shape(), seed: u64) {
        let tiles = Tiles::random(shape, seed);
        let mut numbers = tiles.numbers().to_vec();
        let blank = tiles.blank();
        let cells: Vec<usize> = (0..numbers.len()).filter(|cell| *cell != blank).collect();
        if cells.len() >= 2 {
            numbers.swap(cells[0], cells[1]);
            let text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let refused = Tiles::parse(shape, &text.join(" "));
            prop_assert!(matches!(refused, Err(ProblemError::Unsolvable(_))), "{refused:?}");
        }
    }

    #[test]
    fn no_text_is_a_panic(text in ".{0,60}", numbers in prop::collection::vec(0u32..20, 0..20)) {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        for text in [text.as_str(), &numbers.join(" "), &numbers.join(",")] {
            for domain in ["8-puzzle", "15-puzzle", "puzzle:1x4", "tsp", "grid"] {
                if let Ok(instance) = Instance::parse(domain.parse().unwrap(), text) {
                    let again = Instance::parse(instance.domain(), &instance.to_string());
                    prop_assert_eq!(again, Ok(instance));
                }
            }
            let _ = text.parse::<Domain>();
        }
    }

    #[test]
    fn maps_and_cities_read_back(seed: u64, width in 1usize..12, height in 1usize..12, n in 1usize..20) {
        if width * height > 1 {
            let map = GridMap::random(width, height, 20, seed).unwrap();
            prop_assert_eq!(GridMap::parse(&map.to_string()), Ok(map.clone()));
            prop_assert_eq!(GridMap::parse(&map.picture(&[])), Ok(map));
        }
        let salesman = Salesman::random(n, seed).unwrap();
        prop_assert_eq!(Salesman::parse(&salesman.to_string()), Ok(salesman.clone()));
        prop_assert!(salesman.picture().lines().count() == 16);
    }
}

#[test]
fn databases_of_a_single_line_are_exact() {
    for (width, height) in [(16, 1), (1, 9), (5, 1)] {
        let shape = Shape::new(width, height).unwrap();
        let databases = PatternDatabases::get(shape).unwrap();
        for seed in 0..20 {
            let tiles = Tiles::random(shape, seed);
            // The blank goes home, and every tile that it passes moves by one.
            let value = databases.value(&databases.of(tiles.numbers()));
            assert_eq!(value as usize, tiles.blank(), "{tiles}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (domain, text, expected) in [
        ("8-puzzle", "1 2 3", "3 numbers: expected 9 for 3x3"),
        ("8-puzzle", "0 1 2 3 4 5 6 7 9", "`9` at place 9: expected a number from 0 to 8"),
        ("8-puzzle", "0 1 2 3 4 5 6 7 7", "tile 7 is there twice"),
        ("8-puzzle", "0 1 2 3 4 5 6 8 7", "unsolvable: the parity"),
        ("puzzle:3x1", "0 2 1", "unsolvable: in a single line"),
        ("tsp", "", "0 numbers: expected 1 to 32 cities"),
        ("tsp", "1,2 3", "`3` at place 2: expected a city as x,y"),
        ("grid", "S.#G", "unsolvable: no way leads"),
        ("grid", "S./G", "row 2 has 1 cells; expected 2"),
        ("grid", "SxG", "`x` in row 1, column 2"),
        ("grid", "S..", "one S, where the way begins"),
        ("grid", "SSG", "two cells with S"),
    ] {
        let error = Instance::parse(domain.parse().unwrap(), text).unwrap_err().to_string();
        assert!(error.contains(expected), "{domain} {text}: {error}");
    }
    for domain in ["", "9-puzzle", "puzzle:", "puzzle:4", "puzzle:0x4", "puzzle:9x9", "puzzle:x"] {
        assert!(domain.parse::<Domain>().is_err(), "{domain}");
    }
    for domain in ["8-puzzle", "15-puzzle", "puzzle:4x3", "tsp", "grid"] {
        assert_eq!(domain.parse::<Domain>().unwrap().to_string(), domain);
    }
}
