//! Experiments, the papers' tables and figures, tournaments and reports.
//!
//! An [`experiment`] searches the same positions with several algorithms and keeps a record of each
//! search. [`laboratory`] measures searches of generated trees. [`paper`] repeats the experiments of
//! the literature. A [`tournament`] plays engines against each other and estimates the difference in
//! strength. A [`suite`] puts positions with known solutions to engines. [`positions`] makes positions
//! for experiments. [`report`] turns records into tables, plots and pages. [`verify`] checks the figures that
//! documents print. A [`soak`] disturbs copies of the
//! program for hours.

pub mod annotation;
pub mod book;
pub mod command;
pub mod experiment;
pub mod files;
pub mod laboratory;
pub mod paper;
pub mod positions;
pub mod report;
pub mod soak;
pub mod suite;
pub mod tournament;
pub mod verify;
