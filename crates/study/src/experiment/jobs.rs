//! Runs jobs on several threads.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use plyground_core::memory;

/// The stack of a thread. A search recurses deeper than the usual stack allows; unused memory costs
/// nothing.
const STACK: usize = 32 << 20;

/// Calls `make` for each item on `jobs` threads, and `done` for each result as soon as it is there, one
/// at a time. Ends early if `make` returns `None`, or if one of the two fails; returns the first error.
pub fn in_parallel<T: Sync, R, E: Send>(
    items: &[T],
    jobs: usize,
    make: impl Fn(&T) -> Result<Option<R>, E> + Sync,
    done: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E> {
    in_parallel_with(items, jobs, || (), |(), item| make(item), done)
}

/// As [`in_parallel`], with a state that each thread creates by `begin` and keeps from item to item.
pub fn in_parallel_with<T: Sync, R, E: Send, S>(
    items: &[T],
    jobs: usize,
    begin: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, &T) -> Result<Option<R>, E> + Sync,
    done: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let state = Mutex::new((done, Ok(())));
    let work = || {
        let mut kept = begin();
        while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
            let made = make(&mut kept, item);
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (done, result) = &mut *state;
            if result.is_err() {
                return;
            }
            let goes_on = match made {
                Ok(Some(made)) => done(made).map(|()| true),
                Ok(None) => Ok(false),
                Err(error) => Err(error),
            };
            match goes_on {
                Ok(true) => {}
                Ok(false) => return next.store(items.len(), Relaxed),
                Err(error) => {
                    *result = Err(error);
                    return next.store(items.len(), Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // If the system has no more threads, the others do all the work.
            let thread = memory::thread(STACK);
            if thread.and_then(|thread| thread.spawn_scoped(scope, work)).is_err() {
                break;
            }
        }
        work();
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_are_made_once() {
        let items: Vec<u32> = (0..200).collect();
        for jobs in [1, 2, 7] {
            let mut made = Vec::new();
            let result = in_parallel(
                &items,
                jobs,
                |i| Ok::<_, ()>(Some(i * 2)),
                |made_now| {
                    made.push(made_now);
                    Ok(())
                },
            );
            assert_eq!(result, Ok(()));
            made.sort_unstable();
            assert_eq!(made, items.iter().map(|i| i * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn it_ends_early() {
        let items: Vec<u32> = (0..1000).collect();
        for jobs in [1, 3] {
            let make = |&i: &u32| if i == 500 { Err(i) } else { Ok(Some(i)) };
            assert_eq!(in_parallel(&items, jobs, make, |_| Ok(())), Err(500));
            let mut count = 0;
            let make = |&i: &u32| Ok::<_, ()>((i < 10).then_some(i));
            let counted = |_| {
                count += 1;
                Ok(())
            };
            assert_eq!(in_parallel(&items, jobs, make, counted), Ok(()));
            assert!(count <= 10);
            let done = |i: u32| if i == 3 { Err(()) } else { Ok(()) };
            assert_eq!(in_parallel(&items, jobs, |&i| Ok(Some(i)), done), Err(()));
        }
    }
}
