//! `plyground-fuzz`: random input for every parser, protocol and search, guided by coverage, on stable
//! Rust.
//!
//! This is the driver. It has cargo build the targets once more with LLVM's coverage counters in our own
//! crates: cargo calls this program in place of the compiler for members of the workspace, and it adds
//! the flags (`wrapper`). Then it runs each target in a process of its own, one slice of time after the
//! other. An input that panics, hangs, takes too much memory or kills the process becomes a file, with the
//! command that repeats it.

mod arguments;
mod supervise;
mod wrapper;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = wrapper::compiled() {
        return code;
    }
    let result = arguments::Wanted::read(std::env::args().skip(1)).and_then(|wanted| {
        let targets = supervise::Targets::build()?;
        targets.run(&wanted)
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
