//! The `plyground` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    plyground::front::main()
}
