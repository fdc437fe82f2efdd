use plyground_core::space::{Cost, StateSpace};
use plyground_core::tree::mix;

use super::*;
use crate::parallel::Schedule;

/// A random graph with costs: every state has a few edges, some of them into dead ends.
struct Maze {
    seed: u64,
    size: u64,
    /// The true cost from each state to the goal, and a heuristic below it.
    distances: Vec<Cost>,
    spoil: u64,
}

impl Maze {
    fn new(seed: u64, size: u64, spoil: u64) -> Maze {
        let mut maze = Maze { seed, size, distances: vec![UNREACHED; size as usize], spoil };
        let goal = size - 1;
        maze.distances[goal as usize] = 0;
        // Bellman and Ford: slow and plain.
        for _ in 0..size {
            for state in 0..size {
                for edge in 0..maze.width(state) {
                    let (to, cost) = maze.edge(state, edge);
                    let through = maze.distances[to as usize].saturating_add(cost);
                    maze.distances[state as usize] = maze.distances[state as usize].min(through);
                }
            }
        }
        maze
    }

    fn width(&self, state: u64) -> u64 {
        mix(self.seed, state) % 4
    }

    fn edge(&self, state: u64, edge: u64) -> (u64, Cost) {
        let draw = mix(mix(self.seed, state), edge + 1);
        (draw % self.size, 1 + (draw >> 32) as Cost % 5)
    }
}

const UNREACHED: Cost = 1_000_000;

impl StateSpace for Maze {
    type State = u64;
    type Action = u64;
    type Actions = std::ops::Range<u64>;

    fn start(&self) -> u64 {
        0
    }
    fn is_goal(&self, &state: &u64) -> bool {
        state == self.size - 1
    }
    /// Below the true cost by as much as the draw says: admissible, and not consistent.
    fn heuristic(&self, &state: &u64) -> Cost {
        let less = (mix(self.spoil, state) % (self.spoil + 1)) as Cost;
        self.distances[state as usize].saturating_sub(less)
    }
    fn actions(&self, &state: &u64, _: Option<u64>) -> Self::Actions {
        0..self.width(state)
    }
    fn successor(&self, &state: &u64, edge: u64) -> (u64, Cost) {
        self.edge(state, edge)
    }
    /// A poor key on purpose.
    fn key(&self, &state: &u64) -> u64 {
        state % 16
    }
}

/// The mazes with a solution.
fn mazes() -> impl Iterator<Item = Maze> {
    (0..80).map(|seed| Maze::new(seed, 20 + seed % 30, seed % 7)).filter(|m| m.distances[0] < 1000)
}

fn check(maze: &Maze, spec: &SolveSpec) {
    let solution = solve(maze, spec);
    let what = format!("{} on {}", spec.algorithm(), maze.seed);
    assert_eq!(solution.cost, Some(maze.distances[0]), "{what}");
    assert!(solution.optimal && solution.stopped.is_none(), "{what}");
    for path in solution.all.as_ref().unwrap_or(&vec![solution.path]) {
        let (mut state, mut cost) = (0, 0);
        for &edge in path {
            let (next, more) = maze.successor(&state, edge);
            (state, cost) = (next, cost + more);
        }
        assert!(maze.is_goal(&state) && Some(cost) == solution.cost, "{what}");
    }
}

#[test]
fn every_search_finds_the_least_cost() {
    assert!(mazes().count() > 20);
    for maze in mazes() {
        for algorithm in examples() {
            check(&maze, &SolveSpec::new(&algorithm));
        }
    }
}

#[test]
fn every_schedule_gives_the_least_cost() {
    for maze in mazes() {
        for algorithm in examples().filter(|a| a.threads().is_some()) {
            let random = |number| Schedule::Random(mix(maze.seed, number));
            let schedules = (0..20).map(random).chain([Schedule::InTurn]);
            for schedule in schedules {
                let simulate = Some(schedule);
                let options = SolveOptions { simulate, ..SolveOptions::default() };
                check(&maze, &SolveSpec::check(&algorithm, options).unwrap());
            }
        }
    }
}

#[test]
fn all_solutions_are_found_once_by_everyone() {
    for maze in mazes() {
        let all = |id: &str, simulate| {
            let options = SolveOptions { all: true, simulate, ..SolveOptions::default() };
            let spec = SolveSpec::check(&id.parse().unwrap(), options).unwrap();
            check(&maze, &spec);
            let mut all = solve(&maze, &spec).all.unwrap();
            all.sort();
            all
        };
        let by_ida = all("ida", None);
        let mut once = by_ida.clone();
        once.dedup();
        assert_eq!(once, by_ida);
        for seed in 0..10 {
            assert_eq!(all("pida:3", Some(Schedule::Random(seed))), by_ida);
        }
        assert_eq!(all("pida:2", None), by_ida);
    }
}

#[test]
fn one_process_does_what_the_serial_search_does() {
    for maze in mazes() {
        let counts = |id: &str, simulate| {
            let options = SolveOptions { simulate, ..SolveOptions::default() };
            let solution = solve(&maze, &SolveSpec::check(&id.parse().unwrap(), options).unwrap());
            (solution.counts.expanded, solution.counts.generated, solution.path)
        };
        for simulate in [None, Some(Schedule::InTurn)] {
            assert_eq!(counts("pida:1", simulate), counts("ida", None), "{}", maze.seed);
            assert_eq!(counts("window:1", simulate), counts("ida", None), "{}", maze.seed);
            assert_eq!(counts("pia:1", simulate), counts("a-star", None), "{}", maze.seed);
        }
        let plenty = counts("bounded-a-star:100000", None);
        assert_eq!(plenty, counts("a-star", None), "{}", maze.seed);
        assert_eq!(counts("bounded-a-star:1", None), counts("ida", None), "{}", maze.seed);
    }
}

/// What goes depth-first stores its path, and nothing else.
#[test]
fn a_depth_first_search_stores_its_path() {
    for maze in mazes() {
        for id in ["ida", "branch-and-bound", "pida:1", "window:1"] {
            let solution = solve(&maze, &SolveSpec::new(&id.parse().unwrap()));
            let SolveCounts { peak_stored, peak_bytes, expanded, .. } = solution.counts;
            assert!(peak_stored >= solution.path.len() as u64, "{id} on {}", maze.seed);
            assert!(peak_stored <= expanded, "{id} on {}", maze.seed);
            assert!(peak_bytes >= 8 * peak_stored, "{id} on {}", maze.seed);
        }
    }
}

#[test]
fn the_bytes_of_stored_states_hold_their_hash_table() {
    let maze = Maze::new(1, 20, 0);
    let mut graph = stored_graph::StoredGraph::new(&maze);
    // 64 places of four bytes, and a state of at least eight.
    assert!(graph.bytes() >= 64 * 4 + 8, "{}", graph.bytes());
    // A state with its g, its parent and its action; two places; its place on OPEN.
    assert!(graph.reserve(&maze, 1000).is_ok());
    assert!(graph.bytes() >= 1000 * (32 + 8 + 8), "{}", graph.bytes());
    for maze in mazes() {
        let SolveCounts { peak_stored, peak_bytes, .. } =
            solve(&maze, &SolveSpec::new(&AStar.into())).counts;
        assert!(peak_bytes >= 24 * peak_stored, "{}", maze.seed);
    }
}

#[test]
fn a_start_that_is_a_goal_costs_nothing() {
    let maze = Maze::new(1, 1, 0);
    for algorithm in examples() {
        for simulate in [None, Some(Schedule::Random(3))] {
            let options = SolveOptions { simulate, ..SolveOptions::default() };
            let solution = solve(&maze, &SolveSpec::check(&algorithm, options).unwrap());
            assert_eq!((solution.cost, solution.path.len()), (Some(0), 0), "{algorithm}");
            assert!(solution.optimal, "{algorithm}");
        }
    }
}

#[test]
fn a_limit_stops_every_search() {
    use plyground_core::limits::{Limits, Stop};
    let maze = (0..50).map(|seed| Maze::new(seed, 60, 100)).filter(|m| m.distances[0] < 1000);
    let work = |m: &Maze| solve(m, &SolveSpec::new(&AStar.into())).counts.expanded;
    let maze = maze.max_by_key(work).unwrap();
    assert!(work(&maze) > 20);
    for algorithm in examples() {
        for simulate in [None, Some(Schedule::InTurn)] {
            for nodes in [1, 2, 7] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let options = SolveOptions { limits, simulate, ..SolveOptions::default() };
                let solution = solve(&maze, &SolveSpec::check(&algorithm, options).unwrap());
                assert_eq!(solution.stopped, Some(Stop::Nodes), "{algorithm}");
                assert!(
                    solution.counts.expanded <= nodes + 1,
                    "{algorithm}: {:?}",
                    solution.counts
                );
                assert!(solution.lower_bound <= maze.distances[0], "{algorithm}");
            }
        }
        let flag = plyground_core::limits::StopFlag::new();
        flag.raise();
        let limits = Limits { flag, ..Limits::default() };
        let options = SolveOptions { limits, ..SolveOptions::default() };
        let solution = solve(&maze, &SolveSpec::check(&algorithm, options).unwrap());
        assert_eq!(solution.stopped, Some(Stop::Flag), "{algorithm}");
    }
}

#[test]
fn a_space_without_a_goal_is_searched_to_its_end() {
    // A tree: the searches without memory end too.
    struct Tree;
    impl StateSpace for Tree {
        type State = (u32, u32);
        type Action = u32;
        type Actions = std::ops::Range<u32>;
        fn start(&self) -> (u32, u32) {
            (0, 0)
        }
        fn is_goal(&self, _: &(u32, u32)) -> bool {
            false
        }
        fn heuristic(&self, _: &(u32, u32)) -> Cost {
            1
        }
        fn actions(&self, &(depth, _): &(u32, u32), _: Option<u32>) -> Self::Actions {
            0..if depth < 4 { 3 } else { 0 }
        }
        fn successor(&self, &(depth, name): &(u32, u32), action: u32) -> ((u32, u32), Cost) {
            ((depth + 1, 3 * name + action), 1)
        }
        fn key(&self, &(depth, name): &(u32, u32)) -> u64 {
            mix(depth.into(), name.into())
        }
    }
    for algorithm in examples() {
        let solution = solve(&Tree, &SolveSpec::new(&algorithm));
        assert_eq!((solution.cost, solution.optimal), (None, true), "{algorithm}");
    }
}

#[test]
fn every_entry_is_whole_and_what_has_no_effect_is_refused() {
    for entry in catalogue() {
        assert!(!entry.examples.is_empty() && !entry.paper.is_empty(), "{}", entry.id);
        for id in entry.examples {
            let algorithm: SingleAgent = id.parse().unwrap();
            assert_eq!(&algorithm.to_string(), id);
            assert_eq!(algorithm.threads().is_some(), entry.is_parallel());
        }
        if let Some(serial) = entry.serial {
            assert!(serial.parse::<SingleAgent>().is_ok());
        }
    }
    for (id, expected) in [
        ("quickest", "no such algorithm; expected one of a-star, ida"),
        ("bfs", "no such algorithm; did you mean rbfs?"),
        ("bounded-a-star", "states in memory"),
        ("bounded-a-star:0", "at least 1"),
        ("pida", "number of processes"),
        ("window:x", "number of processes"),
        ("ida:2", "more than `ida` takes"),
    ] {
        let error = id.parse::<SingleAgent>().unwrap_err();
        assert!(error.reason.contains(expected), "{id}: {error}");
    }
    let check = |id: &str, options| SolveSpec::check(&id.parse().unwrap(), options).unwrap_err();
    let all = SolveOptions { all: true, ..SolveOptions::default() };
    assert!(matches!(check("a-star", all), SolveSpecError::FindsOne { .. }));
    let many = check("pida:2000", SolveOptions::default());
    assert!(matches!(many, SolveSpecError::TooManyThreads { threads: 2000, .. }));
}
