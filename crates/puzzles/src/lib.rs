//! Problems of one player: sliding puzzles, the travelling salesman, grid maps.
//!
//! Each implements [`StateSpace`](plyground_core::space::StateSpace). [`Instance`] stands before all of
//! them: it reads, writes, draws and generates problems, and [`Instance::solve`] runs any search on
//! them. The searches are compiled here, once. This crate stands beside the games and not among them:
//! games and searches do not know each other, and it is compiled while the games' searches are.
//!
//! ```
//! use plyground_puzzles::{Domain, Heuristic, Instance};
//! use plyground_search::single_agent::SolveSpec;
//!
//! let domain: Domain = "8-puzzle".parse()?;
//! let instance = Instance::parse(domain, "1 2 5 3 4 0 6 7 8")?;
//! let solution = instance.solve(Heuristic::Manhattan, &SolveSpec::new(&"ida".parse()?))?;
//! assert_eq!(solution.cost, Some(3));
//! let tiles: Vec<String> = solution.path.iter().map(ToString::to_string).collect();
//! assert_eq!(tiles, ["5", "2", "1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod grid_map;
mod instance;
mod salesman;
pub mod sliding;

pub use error::ProblemError;
pub use grid_map::{Direction, GridMap, GridState};
pub use instance::{Domain, Heuristic, Instance, ProblemSize, ProblemStep};
pub use salesman::{MOST_CITIES, Salesman, Tour};

#[cfg(test)]
mod properties;
