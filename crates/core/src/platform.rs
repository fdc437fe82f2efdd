//! What large tables ask of the processor and the operating system: prefetching and large pages; the clock
//! of a thread; and whether the program may use what not every processor has.
//!
//! A transposition table is far larger than the processor's caches and than its list of pages (the
//! TLB). The first access to an entry waits for both, which was a fifth of all the time of a game
//! of chess. A search knows the key of a child some time before it looks it up, so it can have the
//! entry fetched meanwhile; with pages of 2 MiB the address is translated quickly. This is the
//! tables' only module with `unsafe`. Nothing it asks for changes what the program computes, and
//! where the processor or the system cannot do it, nothing happens.

use std::mem::MaybeUninit;
use std::sync::LazyLock;

/// The environment variable that makes the program portable on demand.
pub const PORTABLE: &str = "PLYGROUND_PORTABLE";

/// Whether the program shall use portable code only, although this processor may have special
/// instructions (AVX2, PEXT, POPCNT, prefetching).
///
/// It shall if the environment variable `PLYGROUND_PORTABLE` is set to anything but `0` or nothing. The
/// variable is read once, when the answer is first needed. Results are the same either way; this is for
/// tests, and for measuring what the instructions are worth. Whatever looks for an instruction at run
/// time asks here first.
#[inline]
#[must_use]
pub fn is_portable() -> bool {
    static ANSWER: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os(PORTABLE).is_some_and(|is| !is.is_empty() && is != "0"));
    *ANSWER
}

/// Whether [`prefetch`] does anything on this machine.
#[inline]
#[must_use]
pub fn prefetches() -> bool {
    cfg!(target_arch = "x86_64") && !is_portable()
}

use crate::memory;

/// Asks the processor to fetch the cache line of `value`; does not wait for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    if prefetches() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it only fills caches. The address
        // is a reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// A vector of `count` values from `make`, in large pages if the system has any; an error if there is no
/// memory for it.
pub fn in_large_pages<T>(
    count: usize,
    make: impl FnMut() -> T,
) -> Result<Vec<T>, memory::OutOfMemory> {
    // Until the memory is filled, the system counts it as free.
    let _turn = memory::one_at_a_time();
    let mut memory = memory::reserve(count)?;
    ask_for_large_pages(memory.spare_capacity_mut());
    memory.extend(std::iter::repeat_with(make).take(count));
    Ok(memory)
}

/// Asks for large pages. The memory must not have been used yet: the system gives out a page when
/// it is first written to.
fn ask_for_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    // Miri knows no advice about memory.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        /// Linux takes only a range that begins at a page. This is a multiple of the page size of
        /// every processor.
        const PAGES: usize = 64 << 10;
        let start = memory.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGES);
        let bytes = size_of_val(memory).saturating_sub(skipped) / PAGES * PAGES;
        if bytes > 0 {
            // SAFETY: the range lies within `memory`, and the advice changes what pages it is made
            // of, not what it holds. A system that has no large pages refuses, and all stays as it
            // was.
            unsafe {
                libc::madvise(start.add(skipped).cast(), bytes, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    let _ = memory;
}

/// The time that the calling thread has run on a processor, if the system says.
pub(crate) fn thread_clock() -> Option<std::time::Duration> {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the system writes one `timespec`, which this is.
        let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        let (seconds, nanoseconds) = (time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?);
        (failed == 0).then(|| std::time::Duration::new(seconds, nanoseconds))
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    None
}

/// Is there a limit on what the process may map, on its addresses or on its data?
pub(crate) fn is_mapping_limited() -> bool {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let is_limited = |resource| {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: the system writes one `rlimit`, which this is.
            let failed = unsafe { libc::getrlimit(resource, &raw mut limit) };
            failed == 0 && limit.rlim_cur != libc::RLIM_INFINITY
        };
        is_limited(libc::RLIMIT_AS) || is_limited(libc::RLIMIT_DATA)
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same as a plain vector, from nothing to several large pages and a bit more.
    #[test]
    fn large_pages_hold_what_plain_ones_do() {
        let counts = [0, 1, 7, 1 << 12, 1 << 18, (5 << 18) + 3];
        // Miri is slow.
        for &count in &counts[..if cfg!(miri) { 3 } else { counts.len() }] {
            let mut next = 0_u64;
            let made = in_large_pages(count, || {
                next += 1;
                next * next
            })
            .unwrap();
            let plain: Vec<u64> = (1..=count as u64).map(|n| n * n).collect();
            made.iter().for_each(prefetch);
            assert_eq!(made, plain);
        }
    }

    /// A limit that others set while the process runs counts for the next thread, however few there are.
    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_limit_that_comes_later_is_noticed() {
        // Without a limit this many addresses are not looked at; with one they are too many.
        let stack = 1 << 46;
        let _ = memory::check_threads(1, stack);
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the system writes one `rlimit`, which this is, and reads it again.
        let failed = unsafe {
            libc::getrlimit(libc::RLIMIT_AS, &raw mut limit);
            // More than any test maps.
            limit.rlim_cur = limit.rlim_cur.min(1 << 46);
            libc::setrlimit(libc::RLIMIT_AS, &raw const limit)
        };
        assert_eq!(failed, 0);
        assert!(is_mapping_limited());
        assert!(memory::check_threads(1, stack).is_err());
    }
}
