//! What every protocol needs: lines in and out, and an engine that thinks on a thread of its own.

pub(crate) mod engine_thread;
pub(crate) mod lines;
