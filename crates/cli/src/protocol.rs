//! The parts that all protocols share: reading and writing lines, and an engine that thinks on a thread
//! of its own.

pub(crate) mod engine_thread;
pub(crate) mod lines;
