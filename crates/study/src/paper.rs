//! The papers' experiments: their tables and figures, ours beside theirs.
//!
//! Each function makes the searches of one paper and returns [`Findings`]: tables for people, objects
//! for programs, figures. A [`PaperRun`] says how many trees or positions, and carries the flag that
//! stops the run; a [`PositionRun`] adds what experiments on real games need. Nothing here prints.

mod best_first;
mod enhancements;
mod findings;
mod parsss;
mod ps;
mod ps_real;
mod real;
mod solution_trees;
mod survey;

pub use best_first::best_first;
pub use enhancements::enhancements;
pub use findings::{Findings, WorkDone};
pub use parsss::parsss;
pub use ps::ps;
pub use ps_real::ps_real;
pub use real::PositionRun;
pub use solution_trees::solution_trees;
pub use survey::strongly_ordered;

use plyground_core::limits::{Limits, Stop, StopFlag};

use crate::experiment::Sample;

/// Hears how far an experiment has come, for a progress bar.
pub trait PaperProgress: Sync {
    /// Work of this many steps begins; `what` is the plural of a step.
    fn begin(&self, steps: u64, what: &'static str);
    /// One more step is done.
    fn step(&self);
    /// The work is over.
    fn end(&self);
}

/// Nobody wants to know.
impl PaperProgress for () {
    fn begin(&self, _steps: u64, _what: &'static str) {}
    fn step(&self) {}
    fn end(&self) {}
}

/// What every experiment is told.
#[derive(Clone)]
pub struct PaperRun<'a> {
    /// The number of trees a cell or point; each experiment has a number of its own if there is none.
    pub count: Option<u64>,
    /// The same seed gives the same trees.
    pub seed: u64,
    /// Stops the run when it is raised; the findings are then of what was done before.
    pub flag: StopFlag,
    /// Hears how far the run has come.
    pub progress: &'a dyn PaperProgress,
}

impl PaperRun<'_> {
    /// Trees a cell of a table: as many as the PS* papers took. The standard error is then about 2 %.
    fn trees_a_cell(&self) -> u64 {
        self.count.unwrap_or(100)
    }

    /// Trees a point of a figure: as many as the solution-tree paper took.
    fn trees_a_point(&self) -> u64 {
        self.count.unwrap_or(20)
    }

    /// Nothing but the flag stops a search.
    fn limits(&self) -> Limits {
        Limits { flag: self.flag.clone(), ..Limits::default() }
    }

    /// Was the run stopped, in this search or after it?
    fn stopped(&self, sample: &Sample) -> bool {
        sample.stopped == Some(Stop::Flag) || self.flag.is_raised()
    }
}

/// What the numbers of a table are, for its title: one tree's, or means of many.
pub fn means(count: u64) -> String {
    if count == 1 { "one tree".into() } else { format!("means of {count} trees") }
}

/// The leaves of the minimal tree: w^⌈d/2⌉ + w^⌊d/2⌋ - 1
fn minimal(width: f64, depth: u32) -> f64 {
    let power = |exponent: u32| width.powi(exponent as i32);
    power(depth.div_ceil(2)) + power(depth / 2) - 1.0
}
