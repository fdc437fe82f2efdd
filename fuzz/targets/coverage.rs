//! LLVM's coverage counters: one byte for each edge of the control flow of our crates, which the code
//! itself counts up. This is the only module of the fuzzer with `unsafe`.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Called by the code that the compiler puts into each crate with counters, before `main`: all of them
/// lie between `start` and `stop`.
// SAFETY: the name is LLVM's, and nothing else in the program has it.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Relaxed);
    COUNT.store(stop.addr().saturating_sub(start.addr()), Relaxed);
}

/// How many counters there are.
pub fn count() -> usize {
    COUNT.load(Relaxed)
}

/// Copies the counters to `copy`, which has room for all of them, and sets them to zero.
pub fn take(copy: &mut [u8]) {
    let (start, count) = (START.load(Relaxed), count().min(copy.len()));
    if start.is_null() {
        return;
    }
    // SAFETY: the compiler's own code gave out the range, which is a section of the program that is never
    // freed, and `copy` is as long. The counters are counted up by plain instructions, which another
    // thread of a search that is ending may still run: LLVM's counters are made for being read like this,
    // and a byte that is off by a little costs nothing but a guess.
    unsafe {
        std::ptr::copy_nonoverlapping(start, copy.as_mut_ptr(), count);
        std::ptr::write_bytes(start, 0, count);
    }
}
