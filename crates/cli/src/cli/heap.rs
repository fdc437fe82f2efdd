//! One heap for all threads where the address space is limited (`ulimit -v`).
//!
//! The C library gives every thread a heap of its own, and reserves 64 MiB of addresses for each, used or
//! not. Eight threads then take half a gigabyte of a limit on addresses, and what is left may be too little
//! for the smallest allocation, which ends the program. With one heap they wait for each other now and then.

/// Starts the program anew with one heap, if the address space is limited. Called first of all, with no
/// other thread; returns if nothing is limited, or if the program has been started anew already.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn share_if_limited() {
    use rustix::process::{Resource, getrlimit};
    use std::os::unix::process::CommandExt;
    /// The C library reads it when a program starts, and never again.
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    if getrlimit(Resource::As).current.is_none() || std::env::var_os(HEAPS).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut command = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // It returns only if the program cannot be started; then this one goes on with several heaps.
    let _ = command.args(arguments).env(HEAPS, "1").exec();
}

/// Other systems' heaps reserve little.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn share_if_limited() {}
