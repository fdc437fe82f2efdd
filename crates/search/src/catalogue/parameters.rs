//! The parameters of an algorithm's id: `ps:1+2+4`, `parps:2:3`.

use std::fmt;
use std::num::NonZeroUsize;

use plyground_core::value::{MAX_LEAF, Value};

/// The parameters after an id, taken one by one.
pub struct Parameters<'t> {
    rest: Vec<&'t str>,
}

/// The most processes that a simulation may have.
pub const MAX_PROCESSES: usize = 1 << 16;

impl<'t> Parameters<'t> {
    pub(crate) fn of(words: impl Iterator<Item = &'t str>) -> Parameters<'t> {
        Parameters { rest: words.collect() }
    }

    /// The first parameter that nobody has taken.
    pub(crate) fn unread(&self) -> Option<&'t str> {
        self.rest.first().copied()
    }

    /// The next parameter; `expected` says in the error what it should be if it is missing.
    pub fn next(&mut self, expected: &str) -> Result<&'t str, String> {
        if self.rest.is_empty() {
            return Err(format!("expected {expected}"));
        }
        Ok(self.rest.remove(0))
    }

    /// A value of at least `least`.
    pub fn value(&mut self, expected: &str, least: Value) -> Result<Value, String> {
        let word = self.next(expected)?;
        word.parse()
            .ok()
            .filter(|v| (least..=MAX_LEAF).contains(v))
            .ok_or_else(|| format!("`{word}`: expected {expected}, from {least} to {MAX_LEAF}"))
    }

    /// A guess, if there is one.
    pub fn guess(&mut self) -> Result<Option<Value>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.value("a guess", -MAX_LEAF).map(Some)
    }

    /// A number of processes or threads.
    pub fn processes(&mut self, expected: &str) -> Result<NonZeroUsize, String> {
        let word = self.next(expected)?;
        word.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MAX_PROCESSES).ok_or_else(|| {
            format!("`{word}`: expected a number of processes, from 1 to {MAX_PROCESSES}")
        })
    }

    /// A count of at least 1; `what` says in the error what is counted.
    pub fn count(&mut self, expected: &str, what: &str) -> Result<NonZeroUsize, String> {
        let word = self.next(expected)?;
        count(word, what)
    }

    /// The same, or `auto`.
    pub fn partitions_or_auto(&mut self, expected: &str) -> Result<Partitions, String> {
        if self.unread() == Some("auto") {
            self.next(expected)?;
            return Ok(Partitions::Auto);
        }
        self.partitions(expected)
    }

    /// Counts of at least 1 with `+` between them.
    pub fn counts(&mut self, expected: &str, what: &str) -> Result<Vec<NonZeroUsize>, String> {
        let word = self.next(expected)?;
        word.split('+').map(|part| count(part, what)).collect()
    }

    /// How children are divided into partitions.
    pub fn partitions(&mut self, expected: &str) -> Result<Partitions, String> {
        let word = self.next(expected)?;
        if !word.contains('+') {
            return count(word, "a number of partitions").map(Partitions::Count);
        }
        let sizes = word.strip_suffix('+').unwrap_or(word);
        sizes
            .split('+')
            .map(|size| count(size, "the size of a partition"))
            .collect::<Result<_, _>>()
            .map(Partitions::Sizes)
    }
}

fn count(word: &str, what: &str) -> Result<NonZeroUsize, String> {
    word.parse().map_err(|_| format!("`{word}`: expected {what}, at least 1"))
}

/// How PS* divides the children of a MAX node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// Into k partitions of size ⌈children / k⌉.
    Count(NonZeroUsize),
    /// Into partitions of these sizes, growing, shrinking or both, the last of them repeated.
    Sizes(Vec<NonZeroUsize>),
    /// Into as few as the bytes allow that are left when a partition begins.
    Auto,
}

/// The bytes that an entry of OPEN may take, moves and boards included.
const ENTRY_BYTES: usize = 192;

impl Partitions {
    /// All children in one partition.
    pub const ONE: Partitions = Partitions::Count(NonZeroUsize::MIN);

    /// The size of partition number `partition` (from 0) of a node with `children` children.
    #[inline]
    pub fn size(&self, children: usize, partition: usize) -> usize {
        match self {
            Partitions::Count(NonZeroUsize::MIN) => children,
            Partitions::Count(k) => children.div_ceil(k.get()),
            Partitions::Sizes(sizes) => sizes[partition.min(sizes.len() - 1)].get(),
            // Without a limit on bytes.
            Partitions::Auto => children,
        }
    }

    /// The size of a partition of a MAX node with this height and number of children, where `bytes` are
    /// left: ⌈children / k⌉ for the least k with which the whole solution tree below would fit into half of
    /// them, if all its nodes were as wide.
    pub fn size_for(children: usize, height: u32, bytes: usize) -> usize {
        let entries = bytes / 2 / ENTRY_BYTES;
        let fits = |size: usize| {
            size.checked_pow(height.div_ceil(2)).is_some_and(|needed| needed <= entries)
        };
        let sizes = (1..=children).map(|k| children.div_ceil(k));
        sizes.into_iter().find(|&size| fits(size)).unwrap_or(1)
    }
}

impl fmt::Display for Partitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partitions::Count(k) => write!(f, "{k}"),
            Partitions::Auto => f.write_str("auto"),
            // A trailing + tells a single size from a count.
            Partitions::Sizes(sizes) if sizes.len() == 1 => write!(f, "{}+", sizes[0]),
            Partitions::Sizes(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                f.write_str(&sizes.join("+"))
            }
        }
    }
}

/// A guess as a parameter's text: nothing, or the value after a colon.
pub(crate) fn guess_parameter(guess: Option<Value>) -> String {
    guess.map_or_else(String::new, |guess| format!(":{guess}"))
}
