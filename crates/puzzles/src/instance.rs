//! One type for all problems: what the command line reads, draws, makes and solves.

use std::fmt;
use std::str::FromStr;

use plyground_search::single_agent::{Solution, SolveSpec, solve};
use serde::Serialize;

use crate::error::ProblemError;
use crate::grid_map::{Direction, GridMap};
use crate::salesman::Salesman;
use crate::sliding::{
    LinearConflict, Manhattan, PackedBoard, PatternDatabases, Shape, Slide, SlidingPuzzle,
    TileBoard, TileHeuristic, Tiles, WideBoard, all_states,
};
use plyground_core::space::{Cost, StateSpace};

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A sliding puzzle of this shape.
    Sliding(Shape),
    /// The travelling salesman.
    Salesman,
    /// A map with obstacles.
    Grid,
}

impl FromStr for Domain {
    type Err = ProblemError;

    fn from_str(text: &str) -> Result<Domain, ProblemError> {
        let unknown = || ProblemError::Domain(text.into());
        match text {
            "8-puzzle" => Ok(Domain::Sliding(Shape::EIGHT)),
            "15-puzzle" => Ok(Domain::Sliding(Shape::FIFTEEN)),
            "tsp" => Ok(Domain::Salesman),
            "grid" => Ok(Domain::Grid),
            _ => {
                let shape = text.strip_prefix("puzzle:").and_then(|s| s.split_once('x'));
                let (width, height) = shape.ok_or_else(unknown)?;
                let side = |text: &str| text.parse().map_err(|_| unknown());
                Shape::new(side(width)?, side(height)?).map(Domain::Sliding)
            }
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Sliding(Shape::EIGHT) => f.write_str("8-puzzle"),
            Domain::Sliding(Shape::FIFTEEN) => f.write_str("15-puzzle"),
            Domain::Sliding(shape) => write!(f, "puzzle:{}x{}", shape.width(), shape.height()),
            Domain::Salesman => f.write_str("tsp"),
            Domain::Grid => f.write_str("grid"),
        }
    }
}

/// A heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// Rows and columns from each tile to its place.
    #[default]
    Manhattan,
    /// The same, and two moves more for each tile that must leave its line.
    LinearConflict,
    /// Additive pattern databases.
    Pattern,
}

impl Heuristic {
    /// All of them.
    pub const ALL: [Heuristic; 3] =
        [Heuristic::Manhattan, Heuristic::LinearConflict, Heuristic::Pattern];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Heuristic::Manhattan => "manhattan",
            Heuristic::LinearConflict => "linear-conflict",
            Heuristic::Pattern => "pattern",
        }
    }

    /// The error that it does not suit a problem.
    fn refused(self, reason: &str) -> ProblemError {
        ProblemError::Heuristic { heuristic: self.name().into(), reason: reason.into() }
    }
}

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Heuristic, String> {
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == text).ok_or_else(|| {
            let names = Heuristic::ALL.map(Heuristic::name);
            format!("no such heuristic; expected {}", names.join(", "))
        })
    }
}

/// How large problems by chance are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemSize {
    /// The moves that a puzzle is shuffled by; `None` for any puzzle that can be solved, all as likely.
    pub moves: Option<u64>,
    /// The cities of a salesman.
    pub cities: usize,
    /// The width and height of a map.
    pub map: (usize, usize),
    /// The obstacles of a map, in a hundred cells.
    pub walls: u64,
}

impl Default for ProblemSize {
    fn default() -> ProblemSize {
        ProblemSize { moves: None, cities: 10, map: (16, 8), walls: 25 }
    }
}

/// One action of a solution: the tile that slides, the city, or the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum ProblemStep {
    /// The tile that slides into the blank, or the next city.
    Number(u8),
    /// N, W, E or S.
    Letter(char),
}

impl fmt::Display for ProblemStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemStep::Number(number) => write!(f, "{number}"),
            ProblemStep::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

/// A problem that can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instance {
    /// Tiles to bring into order.
    Sliding(Tiles),
    /// Cities to visit.
    Salesman(Salesman),
    /// A way to find.
    Grid(GridMap),
}

impl Instance {
    /// Reads a problem; one that cannot be solved is refused with the reason.
    pub fn parse(domain: Domain, text: &str) -> Result<Instance, ProblemError> {
        match domain {
            Domain::Sliding(shape) => Tiles::parse(shape, text).map(Instance::Sliding),
            Domain::Salesman => Salesman::parse(text).map(Instance::Salesman),
            Domain::Grid => GridMap::parse(text).map(Instance::Grid),
        }
    }

    /// Its domain.
    pub fn domain(&self) -> Domain {
        match self {
            Instance::Sliding(tiles) => Domain::Sliding(tiles.shape()),
            Instance::Salesman(_) => Domain::Salesman,
            Instance::Grid(_) => Domain::Grid,
        }
    }

    /// What it looks like.
    pub fn picture(&self) -> String {
        match self {
            Instance::Sliding(tiles) => tiles.picture(),
            Instance::Salesman(salesman) => salesman.picture(),
            Instance::Grid(map) => map.picture(&[]),
        }
    }

    /// A problem by chance: the same seed gives the same one.
    pub fn make(domain: Domain, size: &ProblemSize, seed: u64) -> Result<Instance, ProblemError> {
        match domain {
            Domain::Sliding(shape) => Ok(Instance::Sliding(match size.moves {
                Some(moves) => Tiles::shuffled(shape, seed, moves),
                None => Tiles::random(shape, seed),
            })),
            Domain::Salesman => Salesman::random(size.cities, seed).map(Instance::Salesman),
            Domain::Grid => {
                let (width, height) = size.map;
                GridMap::random(width, height, size.walls, seed).map(Instance::Grid)
            }
        }
    }

    /// Every problem of a small puzzle with its least cost, by breadth-first search, the nearest first.
    pub fn all(domain: Domain) -> Result<Vec<(Instance, Cost)>, ProblemError> {
        match domain {
            Domain::Sliding(shape) => {
                let states = all_states(shape)?.into_iter();
                Ok(states.map(|(tiles, cost)| (Instance::Sliding(tiles), cost)).collect())
            }
            Domain::Salesman | Domain::Grid => Err(ProblemError::NoStates),
        }
    }

    /// What these steps cost if they solve the problem; `None` if they do not, or cannot be made.
    pub fn cost_of(&self, path: &[ProblemStep]) -> Option<Cost> {
        match self {
            Instance::Sliding(tiles) => {
                let mut tiles = tiles.clone();
                let slides = path.iter().all(|step| match step {
                    ProblemStep::Number(tile) => tiles.slide(*tile),
                    ProblemStep::Letter(_) => false,
                });
                (slides && tiles.are_in_order()).then_some(path.len() as Cost)
            }
            Instance::Salesman(salesman) => cost_along(salesman, path, ProblemStep::Number),
            Instance::Grid(map) => cost_along(map, path, |way| ProblemStep::Letter(way.letter())),
        }
    }

    /// The name of what a search of this problem estimates with.
    pub fn heuristic_name(&self, heuristic: Heuristic) -> &'static str {
        match self {
            Instance::Salesman(_) => "spanning-tree",
            Instance::Sliding(_) | Instance::Grid(_) => heuristic.name(),
        }
    }

    /// Searches it as `spec` says. Pattern databases are built when they are needed first.
    pub fn solve(
        &self,
        heuristic: Heuristic,
        spec: &SolveSpec,
    ) -> Result<Solution<ProblemStep>, ProblemError> {
        let own = |reason| match heuristic {
            Heuristic::Manhattan => Ok(()),
            other => Err(other.refused(reason)),
        };
        let solution = match self {
            Instance::Sliding(tiles) => solve_tiles(tiles, heuristic, spec)?,
            Instance::Salesman(salesman) => {
                own("the travelling salesman has its own, the least spanning tree")?;
                solve(salesman, spec).map(ProblemStep::Number)
            }
            Instance::Grid(map) => {
                own("maps have the Manhattan distance only")?;
                solve(map, spec).map(|way: Direction| ProblemStep::Letter(way.letter()))
            }
        };
        match solution.failure {
            None => Ok(solution),
            Some(failure) => Err(failure.into()),
        }
    }
}

/// The problem on one line, as [`Instance::parse`] reads it.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instance::Sliding(tiles) => tiles.fmt(f),
            Instance::Salesman(salesman) => salesman.fmt(f),
            Instance::Grid(map) => map.fmt(f),
        }
    }
}

/// What the actions of these names cost if they lead from the start to a goal.
fn cost_along<S: StateSpace>(
    space: &S,
    path: &[ProblemStep],
    step: impl Fn(S::Action) -> ProblemStep,
) -> Option<Cost> {
    let (mut state, mut total) = (space.start(), 0);
    for taken in path {
        let action = space.actions(&state, None).find(|action| step(*action) == *taken)?;
        let (after, cost) = space.successor(&state, action);
        state = after;
        total += cost;
    }
    space.is_goal(&state).then_some(total)
}

fn solve_tiles(
    tiles: &Tiles,
    heuristic: Heuristic,
    spec: &SolveSpec,
) -> Result<Solution<ProblemStep>, ProblemError> {
    let shape = tiles.shape();
    let packed = shape.cells() <= PackedBoard::MOST_CELLS;
    Ok(match heuristic {
        Heuristic::Manhattan if packed => {
            slide::<PackedBoard, _>(tiles, Manhattan::new(shape), spec)
        }
        Heuristic::Manhattan => {
            slide::<WideBoard, _>(tiles, LinearConflict::without_conflicts(shape), spec)
        }
        Heuristic::LinearConflict if packed => {
            slide::<PackedBoard, _>(tiles, LinearConflict::new(shape), spec)
        }
        Heuristic::LinearConflict => slide::<WideBoard, _>(tiles, LinearConflict::new(shape), spec),
        Heuristic::Pattern => {
            let databases = PatternDatabases::get(shape)
                .ok_or_else(|| heuristic.refused("databases are for at most 16 cells"))?;
            slide::<PackedBoard, _>(tiles, databases, spec)
        }
    })
}

/// Solves a puzzle and says its moves by their tiles.
fn slide<B: TileBoard, H: TileHeuristic<B>>(
    tiles: &Tiles,
    heuristic: H,
    spec: &SolveSpec,
) -> Solution<ProblemStep> {
    let puzzle = SlidingPuzzle::<B, H>::new(tiles.clone(), heuristic);
    let solution = solve(&puzzle, spec);
    let in_tiles = |path: &[Slide]| {
        let mut state = puzzle.start();
        let tile = |&slide: &Slide| {
            let tile = puzzle.tile(&state, slide);
            state = puzzle.successor(&state, slide).0;
            ProblemStep::Number(tile)
        };
        path.iter().map(tile).collect::<Vec<_>>()
    };
    let path = in_tiles(&solution.path);
    let all = solution.all.as_ref().map(|all| all.iter().map(|path| in_tiles(path)).collect());
    Solution { path, all, ..solution.map(|_| ProblemStep::Number(0)) }
}
