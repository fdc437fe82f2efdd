//! Slider attacks by bit extraction (PEXT), for machines where that is one fast instruction.
//!
//! This is the only module of chess with `unsafe`, and each use rests on one fact: a [`Pext`] value
//! exists only on a machine where [`Pext::detect`] found the instructions. The tests compare it with
//! the portable code; the benchmark `ratios` measures the difference.

use std::arch::x86_64::{__cpuid, _pext_u64};
use std::sync::LazyLock;

use plyground_core::platform::is_portable;

use super::instructions::{Instructions, Task};
use super::sliders::{Entry, Index, Sliders};

/// The proof that this machine has BMI 1 and 2, LZCNT and POPCNT, as every x86-64 processor of the
/// last decade has.
#[derive(Clone, Copy)]
pub(crate) struct Pext(&'static Sliders);

impl Pext {
    /// The proof, if this machine has the instructions and extracts bits fast. AMD's family 17h takes
    /// tens of cycles for it, and the portable index is faster there; nor is it used on a machine that
    /// is told to be [portable](is_portable).
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        static FOUND: LazyLock<Option<Sliders>> = LazyLock::new(|| {
            let found = !is_portable()
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            (found && !has_slow_pext()).then(|| {
                // SAFETY: the line above found BMI 2.
                unsafe { build() }
            })
        });
        FOUND.as_ref().map(Self)
    }
}

/// Whether the processor says that it is of AMD's family 17h (Zen to Zen 2).
// Older compilers, back to the package's `rust-version`, call the intrinsic unsafe; newer ones do not.
#[allow(unused_unsafe)]
fn has_slow_pext() -> bool {
    // Miri cannot ask the processor.
    if cfg!(miri) {
        return false;
    }
    // SAFETY: every x86-64 processor has the instruction, with leaves 0 and 1.
    let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let amd = [vendor.ebx, vendor.edx, vendor.ecx]
        == [*b"Auth", *b"enti", *b"cAMD"].map(u32::from_le_bytes);
    let family = (signature >> 8 & 15) + (signature >> 20 & 255);
    amd && family == 0x17
}

#[target_feature(enable = "bmi2")]
fn build() -> Sliders {
    Sliders::build(Extract(()))
}

/// The index by bit extraction. Made only where BMI 2 was found.
#[derive(Clone, Copy)]
struct Extract(());

impl Index for Extract {
    #[inline(always)]
    fn index(self, entry: &Entry, occupied: u64) -> usize {
        // SAFETY: an `Extract` is made only by `build` and by a `Pext`'s methods, all of which
        // run only on machines where BMI 2 was found.
        unsafe { _pext_u64(occupied, entry.mask) as usize }
    }
}

impl Instructions for Pext {
    const NAME: &'static str = "pext";

    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        self.0.rook(Extract(()), square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        self.0.bishop(Extract(()), square, occupied)
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` proves that the machine has all the instructions `enter` is compiled for.
        unsafe { enter(self, task) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn enter<T: Task>(pext: Pext, task: T) -> T::Output {
    task.run(pext)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::chess::instructions::Portable;
    use crate::chess::sliders::SQUARES;

    #[test]
    fn equals_the_portable_code() {
        let Some(pext) = Pext::detect() else { return };
        let portable = Portable::new();
        let mut random = StdRng::seed_from_u64(7);
        // Miri is slow.
        for round in 0..if cfg!(miri) { 3 } else { 20_000 } {
            let mut occupied = random.random::<u64>();
            for _ in 0..round % 3 {
                occupied &= random.random::<u64>();
            }
            for square in 0..SQUARES {
                assert_eq!(pext.rook(square, occupied), portable.rook(square, occupied));
                assert_eq!(pext.bishop(square, occupied), portable.bishop(square, occupied));
            }
        }
    }
}
