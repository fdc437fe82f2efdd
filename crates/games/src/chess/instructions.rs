//! The processor instructions that the rules are compiled for.
//!
//! Baseline x86-64 has neither population count nor bit extraction, and a function compiled for more
//! instructions is not inlined into one compiled for fewer. So whatever works on a board is generic
//! over an [`Instructions`] value, which [`dispatch`] chooses once for each task (a whole perft, a list
//! of moves), and runs inside [`Instructions::enter`], which compiles it for that set. The value is a
//! proof: only a machine that has the instructions can make one.

use super::sliders::{Magic, Sliders};

/// A set of instructions, with the attacks of rooks and bishops written for it.
pub(crate) trait Instructions: Copy + Send + Sync + 'static {
    /// The usual name of the set.
    const NAME: &'static str;

    /// What a rook attacks.
    fn rook(self, square: usize, occupied: u64) -> u64;

    /// What a bishop attacks.
    fn bishop(self, square: usize, occupied: u64) -> u64;

    /// Runs a task in a function compiled for these instructions.
    fn enter<T: Task>(self, task: T) -> T::Output;
}

/// The instructions that every machine has.
#[derive(Clone, Copy)]
pub(crate) struct Portable(&'static Sliders);

impl Portable {
    /// The portable set with its table of attacks.
    pub(crate) fn new() -> Self {
        Self(Sliders::portable())
    }
}

impl Instructions for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        self.0.rook(Magic, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        self.0.bishop(Magic, square, occupied)
    }

    // Never inlined, as for the other set: a recursion cannot be inlined into itself.
    #[inline(never)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Work that can be compiled for any set of instructions.
pub(crate) trait Task {
    /// What the work returns.
    type Output;
    /// Does the work with these instructions. It must be inlined, or it would be compiled for the
    /// baseline.
    fn run<I: Instructions>(self, instructions: I) -> Self::Output;
}

/// Runs a task with the best instructions of this machine.
#[inline]
pub(crate) fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = super::pext::Pext::detect() {
        return pext.enter(task);
    }
    Portable::new().enter(task)
}

/// The name of the instructions that the rules use on this machine.
#[must_use]
pub fn instructions_found() -> &'static str {
    struct Name;
    impl Task for Name {
        type Output = &'static str;
        #[inline(always)]
        fn run<I: Instructions>(self, _: I) -> &'static str {
            I::NAME
        }
    }
    dispatch(Name)
}
