//! Simulated processors: one after the other on one thread, in virtual time.
//!
//! Time is counted in leaves, the papers' *terminal counts*: a processor's step ends when it has chosen
//! its next leaf, and its next step comes when that leaf is evaluated, one leaf later. Everything else
//! is free unless [`Costs`] say what it costs. A processor that finds nothing to do sleeps and costs
//! nothing until another's step wakes it, so a thousand idle processors do not slow the simulation.
//!
//! Where several processors are ready at the same time, a [`Schedule`] says who is first: the lowest
//! number, or one drawn by a seed. Each seed is another interleaving, and each is repeatable.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use plyground_core::limits::Stop;
use plyground_core::tree::mix;

use super::scheduler::{Schedule, Step};

/// One leaf in units of virtual time: costs are thousandths of a leaf.
pub(crate) const LEAF: u64 = 1000;

/// What a simulated search pays for besides leaves, in thousandths of the time of one leaf. All are 0
/// by default: then only search overhead and idle time keep the speed-up below the number of
/// processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// A message between two processors: work that is handed over, a result that comes back, a process
    /// that is started or killed.
    pub message: u64,
    /// A read or a write of the memory that all processors share.
    pub table: u64,
    /// Making a node ready to be shared.
    pub split: u64,
}

impl Costs {
    /// Is everything but leaves free?
    pub fn is_free(&self) -> bool {
        *self == Costs::default()
    }
}

/// Who is to be woken after a step.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    /// This many of those that sleep and are free for any work.
    pub(crate) free: usize,
    /// These, whatever they sleep for.
    pub(crate) these: Vec<usize>,
}

/// Takes a step of the processor with this number.
pub(crate) type TakeStep<'s> = dyn FnMut(usize, &mut Wakes) -> Result<(Step, u64), Stop> + 's;

/// Simulates `processors` processors until a step says that the search has ended. `step` takes the
/// number of a processor, says who is to be woken, and returns what the step came to and what it cost
/// besides its leaf. Returns the virtual time at the end.
///
/// # Panics
/// If all processors sleep and none has ended: they would wait for each other for ever.
pub(crate) fn simulate_events(
    processors: usize,
    schedule: Schedule,
    step: &mut TakeStep<'_>,
) -> Result<u64, (u64, Stop)> {
    let mut draws = 0;
    let mut priority = |number: usize| match schedule {
        Schedule::InTurn => number as u64,
        Schedule::Random(seed) => {
            draws += 1;
            mix(seed, draws)
        }
    };
    let mut ready: BinaryHeap<Reverse<(u64, u64, usize)>> =
        (0..processors).map(|number| Reverse((0, priority(number), number))).collect();
    let mut asleep = BTreeSet::new();
    let mut wakes = Wakes::default();
    while let Some(Reverse((now, _, number))) = ready.pop() {
        let (done, cost) = step(number, &mut wakes).map_err(|stop| (now, stop))?;
        match done {
            Step::Worked => {
                let next = now + LEAF + cost;
                ready.push(Reverse((next, priority(number), number)));
            }
            Step::Idle => {
                asleep.insert(number);
            }
            Step::Ended => return Ok(now + cost),
        }
        for woken in wakes.these.drain(..) {
            if asleep.remove(&woken) {
                ready.push(Reverse((now, priority(woken), woken)));
            }
        }
        for _ in 0..std::mem::take(&mut wakes.free) {
            let Some(woken) = asleep.pop_first() else { break };
            ready.push(Reverse((now, priority(woken), woken)));
        }
    }
    panic!("all simulated processors wait for each other");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of two processors has so many leaves; the second sleeps until the first has done one.
    fn count(leaves: [u64; 2], cost: u64, schedule: Schedule) -> u64 {
        let mut left = leaves;
        let mut awake = [true, false];
        simulate_events(2, schedule, &mut |number, wakes| {
            if !awake[number] {
                return Ok((Step::Idle, 0));
            }
            if number == 0 && left[0] < leaves[0] && !awake[1] {
                awake[1] = true;
                wakes.these.push(1);
            }
            if left == [0, 0] {
                return Ok((Step::Ended, 0));
            }
            if left[number] == 0 {
                return Ok((Step::Idle, 0));
            }
            left[number] -= 1;
            Ok((Step::Worked, cost))
        })
        .unwrap()
    }

    #[test]
    fn time_is_counted_in_leaves() {
        assert_eq!(count([5, 0], 0, Schedule::InTurn), 5 * LEAF);
        assert_eq!(count([5, 5], 0, Schedule::InTurn), 6 * LEAF);
        assert_eq!(count([5, 0], 250, Schedule::InTurn), 5 * (LEAF + 250));
        for seed in 0..50 {
            let found = count([5, 5], 0, Schedule::Random(seed));
            assert!([5 * LEAF, 6 * LEAF].contains(&found), "{found}");
            assert_eq!(found, count([5, 5], 0, Schedule::Random(seed)));
        }
    }
}
