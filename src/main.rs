//! The `plyground` program.

fn main() {}
