//! The papers' experiments: their tables and figures, measured again beside the printed ones.
//!
//! Each function runs the searches of one paper and returns [`Findings`]: tables for people, objects
//! for programs, figures. A [`PaperRun`] has the number of trees or positions and the flag that stops
//! the run; a [`PositionRun`] adds the settings of experiments on real games. Nothing here prints.

mod best_first;
mod best_move;
mod calls;
mod cells;
mod claims;
mod columns;
mod data_file;
mod document;
mod enhancements;
mod examples;
mod experiments;
mod family;
mod findings;
mod kept;
mod keys;
mod memory;
mod parallel;
mod parsss;
mod premise;
mod ps;
mod ps_real;
mod ps_shapes;
mod real;
mod selective;
mod single_agent;
mod solution_trees;
mod survey;
mod wall;

pub use best_first::best_first;
pub use best_move::best_move;
pub use cells::{CellMeasure, Compared, MeasuredCell, family};
pub use claims::{Claim, IntervalVerdict, Verdict};
pub use document::{
    ExperimentData, Provenance, claims as judged, conclusions, document, processor,
};
pub use enhancements::enhancements;
pub use experiments::{DEEPEST, DocumentExperiment, DocumentRun, EXPERIMENTS, hold_out};
pub use family::{FAMILY_NODES, on_game as family_on_game, trees as family_on_trees};
pub use findings::{Findings, WorkDone};
pub use kept::Kept;
pub use keys::keys;
pub use memory::memory;
pub use parallel::{GamePositions, ParallelSettings, parallel};
pub use parsss::parsss;
pub use premise::premise;
pub use ps::ps;
pub use ps_real::ps_real;
pub use real::PositionRun;
pub use selective::selective;
pub use single_agent::single_agent;
pub use solution_trees::solution_trees;
pub use survey::strongly_ordered;

use plyground_core::limits::{Limits, Stop, StopFlag};

use crate::experiment::Sample;

/// Receives the progress of an experiment, for a progress bar.
pub trait PaperProgress: Sync {
    /// Work of this many steps begins; `what` names a step, in the plural.
    fn begin(&self, steps: u64, what: &'static str);
    /// One more step is done.
    fn step(&self);
    /// The work is over.
    fn end(&self);
}

/// Ignores the progress.
impl PaperProgress for () {
    fn begin(&self, _steps: u64, _what: &'static str) {}
    fn step(&self) {}
    fn end(&self) {}
}

/// The settings of every experiment.
#[derive(Clone)]
pub struct PaperRun<'a> {
    /// The number of trees for each cell or point; `None` for the experiment's own number.
    pub count: Option<u64>,
    /// The number of positions for the deepest searches, where they are fewer.
    pub deepest: Option<u64>,
    /// The same seed gives the same trees.
    pub seed: u64,
    /// Stops the run when it is raised; the findings are then of the searches that were done.
    pub flag: StopFlag,
    /// Receives the progress of the run.
    pub progress: &'a dyn PaperProgress,
    /// What is kept of the experiment while it is not whole, if anything is.
    pub kept: Option<&'a Kept>,
}

impl PaperRun<'_> {
    /// Trees for each cell of a table: as many as in the PS* papers. The standard error is then about 2 %.
    fn trees_a_cell(&self) -> u64 {
        self.count.unwrap_or(100)
    }

    /// Trees for each point of a figure: as many as in the solution-tree paper.
    fn trees_a_point(&self) -> u64 {
        self.count.unwrap_or(20)
    }

    /// Only the flag stops a search.
    fn limits(&self) -> Limits {
        Limits { flag: self.flag.clone(), ..Limits::default() }
    }

    /// Was the run stopped, during this search or after it?
    fn stopped(&self, sample: &Sample) -> bool {
        sample.stopped == Some(Stop::Flag) || self.flag.is_raised()
    }
}

/// What the numbers of a table are, for its title: one tree's, or means of many.
pub fn means(count: u64) -> String {
    if count == 1 { "one tree".into() } else { format!("means of {count} trees") }
}
