//! How much memory may be had, and what cannot be had.
//!
//! An allocation that fails ends a Rust program, and a Linux system grants memory that it does not have
//! and kills a process later. So whatever may be large asks here first: tables, stacks of threads, lists
//! that grow. What limits a process is the least of
//!
//! - the memory that the machine has left,
//! - the limits of its control groups, of version 1 and 2, each less what the group uses,
//! - its own limits (`ulimit -v`, `ulimit -d`), less what it has mapped,
//! - what the system promises at most, where it is set never to promise more than it has.
//!
//! On systems other than Linux nothing is known beforehand; there the allocator alone refuses.

mod linux;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use thiserror::Error;

use crate::platform;
use linux::System;

/// What limits the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryLimit {
    /// The memory that the machine has left.
    Machine,
    /// The limit of a control group.
    ControlGroup,
    /// The limit on the process's address space.
    AddressSpace,
    /// The limit on the process's data.
    Data,
    /// What the system promises to all processes together.
    Promised,
    /// The allocator, which gives no reason.
    Allocator,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemoryLimit::Machine => "that is what the machine has left",
            MemoryLimit::ControlGroup => "that is what its control group leaves",
            MemoryLimit::AddressSpace => {
                "that is what the limit on address space leaves (ulimit -v)"
            }
            MemoryLimit::Data => "that is what the limit on data leaves (ulimit -d)",
            MemoryLimit::Promised => "the system promises no more than it has",
            MemoryLimit::Allocator => "the system gives no more",
        })
    }
}

/// Memory that cannot be had.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{} cannot be had; expected at most {}: {limit}", Bytes(*wanted), Bytes(*most))]
pub struct OutOfMemory {
    /// The bytes that were wanted.
    pub wanted: u64,
    /// The most bytes that could have been had.
    pub most: u64,
    /// What limits them.
    pub limit: MemoryLimit,
}

/// A number of bytes as people read it.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes @ 0x10_0000.. => write!(f, "{} MiB", bytes >> 20),
            bytes => write!(f, "{} KiB", bytes >> 10),
        }
    }
}

/// The bytes that are left of one limit.
type Left = (u64, MemoryLimit);

/// What is left for this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Room {
    /// The least of the limits on memory that is used; `None` if nothing is known.
    used: Option<Left>,
    /// The least of the limits on memory that is mapped, used or not.
    mapped: Option<Left>,
}

impl Room {
    fn now() -> Room {
        System::of(Path::new("/")).room()
    }

    fn after_freeing(self, bytes: u64) -> Room {
        let more = |(left, limit): Left| (left.saturating_add(bytes), limit);
        Room { used: self.used.map(more), mapped: self.mapped.map(more) }
    }

    /// Of what is left, a quarter stays free: other threads, lists and programs need memory too.
    fn check(self, used: u64, mapped: u64) -> Result<(), OutOfMemory> {
        let short = |(wanted, left): (u64, Option<Left>)| {
            let (left, limit) = left?;
            let most = left / 4 * 3;
            (wanted > most).then_some(OutOfMemory { wanted, most, limit })
        };
        let shortages = [(used, self.used), (mapped, self.mapped)].into_iter().filter_map(short);
        shortages.min_by_key(|shortage| shortage.most).map_or(Ok(()), Err)
    }
}

/// Less than this is not checked beforehand: the answer would take longer than the allocation.
const CHECKED: u64 = 1 << 20;

/// Can this many bytes be had?
pub fn check(bytes: usize) -> Result<(), OutOfMemory> {
    match bytes as u64 {
        ..CHECKED => Ok(()),
        bytes => Room::now().check(bytes, bytes),
    }
}

/// Can this many bytes be had in exchange for `freed` ones?
pub fn check_exchange(bytes: usize, freed: usize) -> Result<(), OutOfMemory> {
    match bytes as u64 {
        ..CHECKED => Ok(()),
        bytes => Room::now().after_freeing(freed as u64).check(bytes, bytes),
    }
}

/// The bytes that are left for this process; `None` if that is not known.
pub fn left() -> Option<u64> {
    let Room { used, mapped } = Room::now();
    used.into_iter().chain(mapped).map(|(left, _)| left).min()
}

/// An empty vector with room for `count` values.
pub fn reserve<T>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let bytes = count.saturating_mul(size_of::<T>());
    check(bytes)?;
    let mut vector = Vec::new();
    vector.try_reserve_exact(count).map_err(|_| refused(bytes as u64))?;
    Ok(vector)
}

fn refused(wanted: u64) -> OutOfMemory {
    OutOfMemory { wanted, most: wanted / 2, limit: MemoryLimit::Allocator }
}

/// Keeps threads from being promised the same memory: to be held from a check until the memory is in use.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a thread uses at once of its stack and for itself.
const THREAD_USE: u64 = 128 << 10;

/// What a thread maps besides its stack.
const THREAD_MAP: u64 = 1 << 20;

/// More threads than a search has on most machines.
const MANY_THREADS: usize = 65;

/// A thread with a stack of this many bytes, ready to be started; an error if there is no room for it.
/// Without this check, a thread that is started with too little memory ends the program.
pub fn thread(stack: usize) -> io::Result<thread::Builder> {
    check_threads(1, stack).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    Ok(thread::Builder::new().stack_size(stack))
}

/// Is there room for this many threads with stacks of this many bytes?
pub fn check_threads(threads: usize, stack: usize) -> Result<(), OutOfMemory> {
    // Stacks are mapped and hardly used. Where nothing limits that, a few threads need no check, which
    // would take longer than their start. What the system promises is asked once; others may limit the
    // process while it runs.
    static IS_PROMISED: OnceLock<bool> = OnceLock::new();
    let is_limited = || {
        platform::is_mapping_limited() || *IS_PROMISED.get_or_init(|| Room::now().mapped.is_some())
    };
    if threads < MANY_THREADS && !is_limited() {
        return Ok(());
    }
    let threads = threads as u64;
    Room::now().check(
        threads.saturating_mul(THREAD_USE),
        threads.saturating_mul(stack as u64 + THREAD_MAP),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_stays_free() {
        let room = Room {
            used: Some((400 << 20, MemoryLimit::ControlGroup)),
            mapped: Some((800 << 20, MemoryLimit::AddressSpace)),
        };
        assert_eq!(room.check(300 << 20, 600 << 20), Ok(()));
        let refused = room.check(301 << 20, 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "301 MiB cannot be had; expected at most 300 MiB: that is what its control group leaves"
        );
        let freed = room.after_freeing(100 << 20);
        assert_eq!(freed.check(375 << 20, 0), Ok(()));
        assert_eq!(freed.check(376 << 20, 0).unwrap_err().most, 375 << 20);
        assert_eq!(room.check(0, 601 << 20).unwrap_err().limit, MemoryLimit::AddressSpace);
        assert_eq!(Room::default().check(u64::MAX, u64::MAX), Ok(()));
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(reserve::<u64>(1 << 58).is_err());
        assert!(reserve::<u64>(usize::MAX).is_err());
        assert_eq!(reserve::<u64>(1000).unwrap().capacity(), 1000);
        assert_eq!(check(1000), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_some() {
        let room = Room::now();
        assert!(room.used.is_some_and(|(left, _)| left > 0), "{room:?}");
        assert!(check(1 << 62).is_err() && left().is_some_and(|left| left > 0));
        assert!(check_threads(1 << 60, 1 << 20).is_err() && thread(1 << 20).is_ok());
    }
}
