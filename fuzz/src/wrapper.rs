//! In place of the compiler: cargo calls this program for the workspace's own crates.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Set while cargo builds the targets.
pub const VARIABLE: &str = "PLYGROUND_FUZZ_WRAPPER";

/// Counters in our crates, which are compiled quickly and check their arithmetic.
const FLAGS: &[&str] = &[
    "passes=sancov-module",
    "llvm-args=-sanitizer-coverage-level=3",
    "llvm-args=-sanitizer-coverage-inline-8bit-counters",
    "opt-level=1",
    "codegen-units=16",
    "debug-assertions=on",
    "overflow-checks=on",
];

/// Compiles, if this program was called by cargo in place of the compiler.
pub fn compiled() -> Option<ExitCode> {
    std::env::var_os(VARIABLE)?;
    let mut arguments = std::env::args_os().skip(1);
    let compiler = arguments.next()?;
    let arguments: Vec<_> = arguments.collect();
    let name =
        arguments.iter().position(|a| a == "--crate-name").and_then(|at| arguments.get(at + 1));
    let name = name.and_then(|name| name.to_str()).unwrap_or_default();
    let mut command = Command::new(Path::new(&compiler));
    command.args(&arguments);
    // The counters of the program that reads the counters are of no interest.
    if name.starts_with("plyground") && !name.starts_with("plyground_fuzz") {
        for flag in FLAGS {
            command.args(["-C", flag]);
        }
    }
    let status = command.status();
    let code =
        status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    Some(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
