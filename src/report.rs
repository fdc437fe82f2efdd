//! Tables and drawings.
