//! What a search for one player is to do.

use plyground_core::limits::Limits;
use thiserror::Error;

use super::SingleAgent;
use crate::parallel::{MAX_THREADS, Schedule};

/// Options of a search for one player.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// What may stop it. `nodes` are expanded states; there are no leaves.
    pub limits: Limits,
    /// Find all optimal solutions, not one.
    pub all: bool,
    /// Simulate its processes by this schedule, in place of threads.
    pub simulate: Option<Schedule>,
}

/// Why options do not fit an algorithm: one of them would have no effect.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SolveSpecError {
    /// The algorithm stops at the first solution.
    #[error("{algorithm} stops at its first solution and cannot find all")]
    FindsOne {
        /// Its id.
        algorithm: String,
    },
    /// There are no leaves.
    #[error("a search for one player has no leaves; expected a limit on nodes")]
    NoLeaves,
    /// The system would not start as many.
    #[error("{algorithm}: {threads} threads are too many; expected at most {MAX_THREADS}")]
    TooManyThreads {
        /// Its id.
        algorithm: String,
        /// Its threads.
        threads: usize,
    },
}

/// A checked specification of a search for one player: an algorithm and options that have an effect.
#[derive(Clone, Debug)]
pub struct SolveSpec {
    algorithm: SingleAgent,
    options: SolveOptions,
}

impl SolveSpec {
    /// A plain search: one solution, no limits, on threads.
    pub fn new(algorithm: &SingleAgent) -> SolveSpec {
        SolveSpec { algorithm: algorithm.clone(), options: SolveOptions::default() }
    }

    /// The search that `options` ask for, or an error if one of them would have no effect.
    pub fn check(
        algorithm: &SingleAgent,
        options: SolveOptions,
    ) -> Result<SolveSpec, SolveSpecError> {
        let named = || algorithm.to_string();
        if options.all && !algorithm.finds_all() {
            return Err(SolveSpecError::FindsOne { algorithm: named() });
        }
        if options.limits.leaves.is_some() {
            return Err(SolveSpecError::NoLeaves);
        }
        if let Some(threads) = algorithm.threads()
            && threads.get() > MAX_THREADS
            && options.simulate.is_none()
        {
            let threads = threads.get();
            return Err(SolveSpecError::TooManyThreads { algorithm: named(), threads });
        }
        Ok(SolveSpec { algorithm: algorithm.clone(), options })
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &SingleAgent {
        &self.algorithm
    }

    /// What may stop the search.
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Are all optimal solutions wanted?
    pub fn all(&self) -> bool {
        self.options.all
    }

    /// The schedule of the simulation, if processes are simulated.
    pub fn simulate(&self) -> Option<Schedule> {
        self.options.simulate
    }
}
