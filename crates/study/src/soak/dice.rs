//! Choices that follow from a seed.

use std::time::Duration;

use plyground_core::tree::mix;

/// Numbers that look random and are the same for the same seed.
pub(super) struct Dice {
    seed: u64,
    drawn: u64,
}

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice { seed: mix(seed, 1), drawn: 0 }
    }

    /// A number below `end`, which must not be 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.drawn += 1;
        mix(self.seed, self.drawn) % end
    }

    /// A number from `least` to `most`.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Does something happen that happens once in so many times?
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items, of which there must be one.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Some milliseconds, more often few than many.
    pub(super) fn pause(&mut self) -> Duration {
        let most = *self.pick(&[0, 1, 5, 60]);
        Duration::from_millis(self.between(0, most))
    }
}
