//! The time that a thread has run on a processor.
//!
//! On a machine that others use too, the time on the wall says how busy they are. The CPU time of a thread
//! does not run while the thread waits for a processor. Where the system has no such clock, searches are
//! timed by the wall, and their records say so.

use std::time::Duration;

/// The CPU time of the calling thread since it began; `None` where the system has no clock for it, or we
/// do not know it.
pub fn thread_cpu_time() -> Option<Duration> {
    crate::platform::thread_clock()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_clock_runs_with_the_thread_and_with_no_other() {
        let began = thread_cpu_time().unwrap();
        // A thread that has just begun has hardly run, however long this one has.
        while thread_cpu_time().unwrap() < began + Duration::from_millis(20) {}
        let own = thread_cpu_time().unwrap();
        let other = std::thread::spawn(|| thread_cpu_time().unwrap()).join().unwrap();
        assert!(other < own, "{other:?} {own:?}");
    }
}
