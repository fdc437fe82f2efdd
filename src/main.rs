//! The `plyground` program: its games, and nothing else.

use std::process::ExitCode;

use plyground::Plyground;
use plyground::chess::Chess;
use plyground::othello::Othello;

fn main() -> ExitCode {
    Plyground::new().game::<Othello>().game::<Chess>().run()
}
