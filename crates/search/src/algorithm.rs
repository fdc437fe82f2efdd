//! The algorithms by name.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use thiserror::Error;

use super::best_move::Proof;
use super::memory::SharedTree;
use super::options::Options;
use plyground_core::value::{MAX_LEAF, Value};

/// An algorithm with its parameters.
///
/// ```
/// use plyground_search::Algorithm;
/// let ps: Algorithm = "ps:2".parse().unwrap();
/// assert_eq!(ps.to_string(), "ps:2");
/// assert_eq!(ps.name(), "PS*(2)");
/// assert!("ps:0".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Full width, the reference.
    Minimax,
    /// Fail-soft alpha-beta.
    AlphaBeta,
    /// Alpha-beta in a window around a guess.
    Aspiration {
        /// Half the window's width.
        epsilon: Value,
        /// Its middle; by default the value of an earlier search, else 0.
        guess: Option<Value>,
    },
    /// NegaScout in a window around a guess.
    AspirationNegaScout {
        /// Half the window's width.
        epsilon: Value,
        /// Its middle; by default the value of an earlier search, else 0.
        guess: Option<Value>,
    },
    /// Pearl's Scout.
    Scout,
    /// Reinefeld's NegaScout.
    NegaScout,
    /// Marsland's PVS/NWS.
    Pvs,
    /// SSS* as null windows from +∞ down over stored bounds.
    Sss2,
    /// DUAL* as null windows from -∞ up over stored bounds.
    Dual2,
    /// From a guess, with windows of one value.
    Sss0 {
        /// The first guess.
        guess: Option<Value>,
    },
    /// From +∞ down in steps.
    Sss4 {
        /// How far below an upper bound the next window lies.
        step: Value,
    },
    /// Bisection.
    SssB,
    /// Null windows from a guess.
    MtdF {
        /// The first guess.
        guess: Option<Value>,
    },
    /// The best move, proved better than the second best.
    SecondBest,
    /// The best move, the only one above a bound.
    AlphaBounding {
        /// The first bound.
        guess: Option<Value>,
    },
    /// SSS-2 with expand and diminish on an explicit solution tree.
    Sss2Tree,
    /// Stockman's SSS* with an OPEN list.
    Sss,
    /// SSS* with the sides exchanged.
    Dual,
    /// Phased search.
    Ps(Partitions),
    /// SSS* in restricted memory.
    IterSss {
        /// M, the entries of memory.
        entries: NonZeroUsize,
    },
    /// SSS* by several processes.
    ParSss {
        /// N, how many at most.
        processes: NonZeroUsize,
    },
    /// SSS* by several processes in restricted memory.
    ParIterSss {
        /// N, how many at most.
        processes: NonZeroUsize,
        /// M, the entries of memory of each.
        entries: NonZeroUsize,
    },
    /// Phased search by several processes.
    ParPs {
        /// N, how many at most.
        processes: NonZeroUsize,
        /// How a MAX node's children are divided.
        partitions: Partitions,
    },
    /// Alpha-beta by several threads.
    Shared {
        /// How they work together.
        scheme: Scheme,
        /// N, how many.
        threads: NonZeroUsize,
    },
}

/// How threads work together at alpha-beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// PVS by all on one memory, what others search put off.
    Abdada,
    /// MTD(f) in the same way.
    AbdadaMtdF,
    /// PVS with younger brothers given away once the eldest is searched.
    YoungBrothers,
    /// MTD(f) in the same way.
    YoungBrothersMtdF,
    /// PVS with brothers of the principal variation given away.
    PvSplit,
    /// Alpha-beta after what has to be searched in any case.
    MandatoryFirst,
}

impl Scheme {
    const ALL: [Scheme; 6] = [
        Scheme::Abdada,
        Scheme::AbdadaMtdF,
        Scheme::YoungBrothers,
        Scheme::YoungBrothersMtdF,
        Scheme::PvSplit,
        Scheme::MandatoryFirst,
    ];

    const fn id(self) -> &'static str {
        match self {
            Scheme::Abdada => "abdada",
            Scheme::AbdadaMtdF => "abdada-mtd-f",
            Scheme::YoungBrothers => "ybw",
            Scheme::YoungBrothersMtdF => "ybw-mtd-f",
            Scheme::PvSplit => "pvsplit",
            Scheme::MandatoryFirst => "mwf",
        }
    }

    /// The name as the papers write it, on so many threads.
    fn name(self, threads: NonZeroUsize) -> String {
        match self {
            Scheme::Abdada => format!("ABDADA({threads})"),
            Scheme::AbdadaMtdF => format!("ABDADA MTD(f,{threads})"),
            Scheme::YoungBrothers => format!("YBW({threads})"),
            Scheme::YoungBrothersMtdF => format!("YBW MTD(f,{threads})"),
            Scheme::PvSplit => format!("PVSplit({threads})"),
            Scheme::MandatoryFirst => format!("MWF({threads})"),
        }
    }
}

/// How PS* divides the children of a MAX node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// Into so many partitions of size ⌈children / k⌉.
    Count(NonZeroUsize),
    /// Into partitions of these sizes, the last repeated.
    Sizes(Vec<NonZeroUsize>),
}

impl Partitions {
    /// The size of partition number `partition` (from 0) of a node with `children` children.
    #[inline]
    pub fn size(&self, children: usize, partition: usize) -> usize {
        match self {
            Partitions::Count(k) => children.div_ceil(k.get()),
            Partitions::Sizes(sizes) => sizes[partition.min(sizes.len() - 1)].get(),
        }
    }
}

/// One line of [`CATALOGUE`].
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// The id with its parameters.
    pub id: &'static str,
    /// The name as the papers write it.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
}

/// All algorithms, one line each.
pub const CATALOGUE: &[Described] = &[
    Described {
        id: "minimax",
        name: "Minimax",
        what: "full width, every leaf: the reference",
        paper: "Marsland 1991, section 3",
    },
    Described {
        id: "alpha-beta",
        name: "αβ",
        what: "fail-soft alpha-beta with deep cut-offs",
        paper: "Marsland 1991, figure 1; Knuth and Moore 1975",
    },
    Described {
        id: "aspiration:E[:G]",
        name: "Aspiration",
        what: "alpha-beta in the window G ± E, again from the value that came back if it fails",
        paper: "Marsland 1991, section 3.2",
    },
    Described {
        id: "aspiration-negascout:E[:G]",
        name: "Aspiration NegaScout",
        what: "NegaScout in the window G ± E, again from the value that came back if it fails",
        paper: "Reinefeld 1989; Plaat, Schaeffer, Pijls and de Bruin 1996",
    },
    Described {
        id: "scout",
        name: "Scout",
        what: "tests whether a brother is better before evaluating it",
        paper: "Pearl 1980",
    },
    Described {
        id: "negascout",
        name: "NegaScout",
        what: "the test as a recursive null-window call, fail-soft",
        paper: "Reinefeld 1983; Marsland 1991, section 3.5",
    },
    Described {
        id: "pvs",
        name: "PVS",
        what: "principal variation search, brothers by null-window search NWS",
        paper: "Marsland 1991, figure 3",
    },
    Described {
        id: "sss-2",
        name: "SSS-2",
        what: "null windows from +∞ down over stored bounds: visits what SSS* visits",
        paper: "de Bruin, Pijls and Plaat 1994, section 4",
    },
    Described {
        id: "dual-2",
        name: "Dual-2",
        what: "null windows from -∞ up over stored bounds: visits what DUAL* visits",
        paper: "de Bruin, Pijls and Plaat 1994, section 4",
    },
    Described {
        id: "sss-0[:G]",
        name: "SSS-0",
        what: "windows of one value from a first guess G, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
    },
    Described {
        id: "sss-4:STEP",
        name: "SSS-4",
        what: "windows STEP below the upper bound, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
    },
    Described {
        id: "sss-b",
        name: "SSS-B",
        what: "bisection between the bounds, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
    },
    Described {
        id: "mtd-f[:G]",
        name: "MTD(f)",
        what: "null windows from a first guess G, over stored bounds",
        paper: "Plaat, Schaeffer, Pijls and de Bruin 1994",
    },
    Described {
        id: "second-best",
        name: "Second-best",
        what: "the best move without its value: the child with the highest f⁺ against the next",
        paper: "de Bruin, Pijls and Plaat 1994, section 7",
    },
    Described {
        id: "alpha-bounding[:G]",
        name: "Alpha bounding",
        what: "the best move without its value: the only child above a bound, from a guess G",
        paper: "Schaeffer 1986",
    },
    Described {
        id: "sss-2-tree",
        name: "SSS-2 (solution tree)",
        what: "expand and diminish on an explicit max solution tree",
        paper: "de Bruin, Pijls and Plaat 1994, figure 4",
    },
    Described {
        id: "sss",
        name: "SSS*",
        what: "best-first over OPEN, states by merit, ties leftmost",
        paper: "Stockman 1979; Campbell 1981",
    },
    Described {
        id: "dual",
        name: "DUAL*",
        what: "SSS* with the sides exchanged",
        paper: "Marsland, Reinefeld and Schaeffer 1987",
    },
    Described {
        id: "ps:K | ps:1+2+4",
        name: "PS*(K)",
        what: "phased search: MAX nodes in K partitions, or in partitions of given sizes",
        paper: "Srimani and Marsland 1986 and 1987",
    },
    Described {
        id: "itersss:M",
        name: "ITERSSS*(M)",
        what: "SSS* in M entries of memory",
        paper: "Bhattacharya and Bagchi 1986 and 1990, section 5",
    },
    Described {
        id: "parsss:N",
        name: "PARSSS*(N)",
        what: "SSS* by N processes with OPEN lists of their own, on threads or simulated",
        paper: "Bhattacharya and Bagchi 1990, section 3",
    },
    Described {
        id: "paritersss:N:M",
        name: "PARITERSSS*(N,M)",
        what: "SSS* by N processes in M entries of memory each",
        paper: "Bhattacharya and Bagchi 1990, section 5",
    },
    Described {
        id: "parps:N:K | parps:N:1+2+4",
        name: "PARPS*(N,K)",
        what: "phased search by N processes, partitions side by side",
        paper: "suggested by Srimani and Marsland 1986",
    },
    Described {
        id: "abdada:N",
        name: "ABDADA(N)",
        what: "PVS by N threads on one memory, a table or a stored tree: a brother that another searches \
               is put off",
        paper: "Weill 1996",
    },
    Described {
        id: "abdada-mtd-f:N",
        name: "ABDADA MTD(f,N)",
        what: "MTD(f) by N threads in the same way",
        paper: "Weill 1996; Plaat, Schaeffer, Pijls and de Bruin 1994",
    },
    Described {
        id: "ybw:N",
        name: "YBW(N)",
        what: "PVS by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann, Monien, Mysliwietz and Vornberger 1990; Marsland 1991, section 5",
    },
    Described {
        id: "ybw-mtd-f:N",
        name: "YBW MTD(f,N)",
        what: "MTD(f) by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann and others 1990; Plaat, Schaeffer, Pijls and de Bruin 1994",
    },
    Described {
        id: "pvsplit:N",
        name: "PVSplit(N)",
        what: "PVS by N threads: brothers of the principal variation are shared, from below",
        paper: "Marsland and Campbell 1982; Marsland 1991, section 5",
    },
    Described {
        id: "mwf:N",
        name: "MWF(N)",
        what: "mandatory work first: left sons and first sons of right sons at once, then αβ",
        paper: "Akl, Barnard and Doran 1982; Marsland 1991, section 5",
    },
];

impl Algorithm {
    /// The name as the papers write it.
    pub fn name(&self) -> String {
        match self {
            Algorithm::Minimax => "Minimax".into(),
            Algorithm::AlphaBeta => "αβ".into(),
            Algorithm::Aspiration { epsilon, guess: None } => format!("Aspiration(±{epsilon})"),
            Algorithm::Aspiration { epsilon, guess: Some(g) } => {
                format!("Aspiration({g}±{epsilon})")
            }
            Algorithm::AspirationNegaScout { epsilon, guess: None } => {
                format!("Aspiration NegaScout(±{epsilon})")
            }
            Algorithm::AspirationNegaScout { epsilon, guess: Some(g) } => {
                format!("Aspiration NegaScout({g}±{epsilon})")
            }
            Algorithm::Scout => "Scout".into(),
            Algorithm::NegaScout => "NegaScout".into(),
            Algorithm::Pvs => "PVS".into(),
            Algorithm::Sss2 => "SSS-2".into(),
            Algorithm::Dual2 => "Dual-2".into(),
            Algorithm::Sss0 { guess: None } => "SSS-0".into(),
            Algorithm::Sss0 { guess: Some(g) } => format!("SSS-0({g})"),
            Algorithm::Sss4 { step } => format!("SSS-4({step})"),
            Algorithm::SssB => "SSS-B".into(),
            Algorithm::MtdF { guess: None } => "MTD(f)".into(),
            Algorithm::MtdF { guess: Some(g) } => format!("MTD({g})"),
            Algorithm::SecondBest => "Second-best".into(),
            Algorithm::AlphaBounding { guess: None } => "Alpha bounding".into(),
            Algorithm::AlphaBounding { guess: Some(g) } => format!("Alpha bounding({g})"),
            Algorithm::Sss2Tree => "SSS-2 (solution tree)".into(),
            Algorithm::Sss => "SSS*".into(),
            Algorithm::Dual => "DUAL*".into(),
            Algorithm::Ps(partitions) => format!("PS*({partitions})"),
            Algorithm::IterSss { entries } => format!("ITERSSS*({entries})"),
            Algorithm::ParSss { processes } => format!("PARSSS*({processes})"),
            Algorithm::ParIterSss { processes, entries } => {
                format!("PARITERSSS*({processes},{entries})")
            }
            Algorithm::ParPs { processes, partitions } => {
                format!("PARPS*({processes},{partitions})")
            }
            Algorithm::Shared { scheme, threads } => scheme.name(*threads),
        }
    }

    /// Does it work on stored bounds?
    pub(super) fn stores_bounds(&self) -> bool {
        use Algorithm::*;
        matches!(self, Sss2 | Dual2 | Sss0 { .. } | Sss4 { .. } | SssB | MtdF { .. })
            || self.best_move().is_some()
    }

    /// Does it need a memory that threads share, other than a table if there is one? With one thread,
    /// PVS needs none.
    pub(super) fn shares_bounds(&self) -> bool {
        match self {
            Algorithm::Shared { scheme: Scheme::Abdada, threads } => threads.get() > 1,
            Algorithm::Shared { scheme, .. } => {
                matches!(scheme, Scheme::AbdadaMtdF | Scheme::YoungBrothersMtdF)
            }
            _ => false,
        }
    }

    /// The memory that its threads share where there is no table. MTD(f) works on all of it; ABDADA's
    /// threads meet only where a thread is worth its while.
    pub(super) fn shared_tree(&self, options: &Options) -> SharedTree {
        let meets = matches!(self, Algorithm::Shared { scheme: Scheme::Abdada, .. });
        SharedTree::from_height(if meets { options.spawn_height.max(1) } else { 0 })
    }

    /// How it proves the best move, if that is all it does.
    pub(super) fn best_move(&self) -> Option<Proof> {
        match *self {
            Algorithm::SecondBest => Some(Proof::SecondBest),
            Algorithm::AlphaBounding { guess } => Some(Proof::AlphaBounding { guess }),
            _ => None,
        }
    }

    /// Does it keep OPEN, or a solution tree in its place?
    pub(super) fn is_best_first(&self) -> bool {
        use Algorithm::*;
        matches!(self, Sss2Tree | Sss | Dual | Ps(_))
    }

    /// Is it PARSSS* or a relative of it, be it with one process?
    pub(super) fn is_parallel_best_first(&self) -> bool {
        use Algorithm::*;
        matches!(self, IterSss { .. } | ParSss { .. } | ParIterSss { .. } | ParPs { .. })
    }

    /// How many threads it runs on; `None` for a serial algorithm.
    pub fn threads(&self) -> Option<usize> {
        use Algorithm::*;
        match self {
            ParSss { processes } | ParIterSss { processes, .. } | ParPs { processes, .. } => {
                Some(processes.get())
            }
            Shared { threads, .. } => Some(threads.get()),
            _ => None,
        }
    }

    /// The same on so many threads; a serial algorithm stays as it is.
    #[must_use]
    pub fn with_threads(&self, threads: NonZeroUsize) -> Algorithm {
        use Algorithm::*;
        let mut algorithm = self.clone();
        if let ParSss { processes }
        | ParIterSss { processes, .. }
        | ParPs { processes, .. }
        | Shared { threads: processes, .. } = &mut algorithm
        {
            *processes = threads;
        }
        algorithm
    }

    /// Can its processes be simulated, with time counted in leaves? A serial algorithm can: its time
    /// is the leaves it evaluates.
    pub fn can_be_simulated(&self) -> bool {
        self.threads().is_none() || self.is_parallel_best_first()
    }
}

impl fmt::Display for Partitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partitions::Count(k) => write!(f, "{k}"),
            // A trailing + tells a single size from a count.
            Partitions::Sizes(sizes) if sizes.len() == 1 => write!(f, "{}+", sizes[0]),
            Partitions::Sizes(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                f.write_str(&sizes.join("+"))
            }
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guessed = |f: &mut fmt::Formatter<'_>, id: &str, guess: &Option<Value>| match guess {
            None => f.write_str(id),
            Some(g) => write!(f, "{id}:{g}"),
        };
        match self {
            Algorithm::Minimax => f.write_str("minimax"),
            Algorithm::AlphaBeta => f.write_str("alpha-beta"),
            Algorithm::Aspiration { epsilon, guess } => {
                guessed(f, &format!("aspiration:{epsilon}"), guess)
            }
            Algorithm::AspirationNegaScout { epsilon, guess } => {
                guessed(f, &format!("aspiration-negascout:{epsilon}"), guess)
            }
            Algorithm::Scout => f.write_str("scout"),
            Algorithm::NegaScout => f.write_str("negascout"),
            Algorithm::Pvs => f.write_str("pvs"),
            Algorithm::Sss2 => f.write_str("sss-2"),
            Algorithm::Dual2 => f.write_str("dual-2"),
            Algorithm::Sss0 { guess } => guessed(f, "sss-0", guess),
            Algorithm::Sss4 { step } => write!(f, "sss-4:{step}"),
            Algorithm::SssB => f.write_str("sss-b"),
            Algorithm::MtdF { guess } => guessed(f, "mtd-f", guess),
            Algorithm::SecondBest => f.write_str("second-best"),
            Algorithm::AlphaBounding { guess } => guessed(f, "alpha-bounding", guess),
            Algorithm::Sss2Tree => f.write_str("sss-2-tree"),
            Algorithm::Sss => f.write_str("sss"),
            Algorithm::Dual => f.write_str("dual"),
            Algorithm::Ps(partitions) => write!(f, "ps:{partitions}"),
            Algorithm::IterSss { entries } => write!(f, "itersss:{entries}"),
            Algorithm::ParSss { processes } => write!(f, "parsss:{processes}"),
            Algorithm::ParIterSss { processes, entries } => {
                write!(f, "paritersss:{processes}:{entries}")
            }
            Algorithm::ParPs { processes, partitions } => {
                write!(f, "parps:{processes}:{partitions}")
            }
            Algorithm::Shared { scheme, threads } => write!(f, "{}:{threads}", scheme.id()),
        }
    }
}

/// Why a text names no algorithm.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("algorithm `{id}`: {reason}")]
pub struct ParseAlgorithmError {
    /// The text.
    pub id: String,
    /// What is wrong with it and what was expected.
    pub reason: String,
}

/// The parameters after an id, taken one by one.
struct Parameters<'t> {
    rest: Vec<&'t str>,
}

impl<'t> Parameters<'t> {
    fn next(&mut self, expected: &str) -> Result<&'t str, String> {
        if self.rest.is_empty() {
            return Err(format!("expected {expected}"));
        }
        Ok(self.rest.remove(0))
    }

    fn value(&mut self, expected: &str, least: Value) -> Result<Value, String> {
        let word = self.next(expected)?;
        word.parse()
            .ok()
            .filter(|v| (least..=MAX_LEAF).contains(v))
            .ok_or_else(|| format!("`{word}`: expected {expected}, from {least} to {MAX_LEAF}"))
    }

    fn guess(&mut self) -> Result<Option<Value>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.value("a guess", -MAX_LEAF).map(Some)
    }
}

/// More processes than this are not simulated either.
pub const MOST_PROCESSES: usize = 1 << 16;

fn processes(word: &str) -> Result<NonZeroUsize, String> {
    word.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MOST_PROCESSES).ok_or_else(|| {
        format!("`{word}`: expected a number of processes, from 1 to {MOST_PROCESSES}")
    })
}

fn count(word: &str, expected: &str) -> Result<NonZeroUsize, String> {
    word.parse().map_err(|_| format!("`{word}`: expected {expected}, at least 1"))
}

fn partitions(word: &str) -> Result<Partitions, String> {
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

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(id: &str) -> Result<Algorithm, ParseAlgorithmError> {
        parse(id).map_err(|reason| ParseAlgorithmError { id: id.into(), reason })
    }
}

fn parse(id: &str) -> Result<Algorithm, String> {
    let mut words = id.split(':');
    let name = words.next().unwrap_or_default();
    let mut parameters = Parameters { rest: words.collect() };
    let p = &mut parameters;
    let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.id() == name);
    let algorithm = match name {
        "minimax" => Algorithm::Minimax,
        "alpha-beta" => Algorithm::AlphaBeta,
        "aspiration" => Algorithm::Aspiration {
            epsilon: p.value("half the window's width, as in `aspiration:10`", 1)?,
            guess: p.guess()?,
        },
        "aspiration-negascout" => Algorithm::AspirationNegaScout {
            epsilon: p.value("half the window's width, as in `aspiration-negascout:10`", 1)?,
            guess: p.guess()?,
        },
        "scout" => Algorithm::Scout,
        "negascout" => Algorithm::NegaScout,
        "pvs" => Algorithm::Pvs,
        "sss-2" => Algorithm::Sss2,
        "dual-2" => Algorithm::Dual2,
        "sss-0" => Algorithm::Sss0 { guess: p.guess()? },
        "sss-4" => Algorithm::Sss4 { step: p.value("a step, as in `sss-4:50`", 1)? },
        "sss-b" => Algorithm::SssB,
        "mtd-f" => Algorithm::MtdF { guess: p.guess()? },
        "second-best" => Algorithm::SecondBest,
        "alpha-bounding" => Algorithm::AlphaBounding { guess: p.guess()? },
        "sss-2-tree" => Algorithm::Sss2Tree,
        "sss" => Algorithm::Sss,
        "dual" => Algorithm::Dual,
        "ps" => Algorithm::Ps(partitions(
            p.next("a number of partitions (`ps:2`) or their sizes (`ps:1+2+4`)")?,
        )?),
        "itersss" => Algorithm::IterSss {
            entries: count(p.next("entries of memory, as in `itersss:50`")?, "entries of memory")?,
        },
        "parsss" => Algorithm::ParSss {
            processes: processes(p.next("a number of processes, as in `parsss:4`")?)?,
        },
        "paritersss" => Algorithm::ParIterSss {
            processes: processes(p.next("processes and entries, as in `paritersss:4:50`")?)?,
            entries: count(
                p.next("entries of memory for each process, as in `paritersss:4:50`")?,
                "entries of memory",
            )?,
        },
        "parps" => Algorithm::ParPs {
            processes: processes(p.next("processes and partitions, as in `parps:4:2`")?)?,
            partitions: partitions(p.next("a number of partitions, as in `parps:4:2`")?)?,
        },
        _ if scheme.is_some() => Algorithm::Shared {
            scheme: scheme.unwrap_or(Scheme::Abdada),
            threads: processes(p.next("a number of threads, as in `ybw:2`")?)?,
        },
        _ => {
            let ids: Vec<&str> = CATALOGUE
                .iter()
                .map(|d| d.id.split([':', '[', ' ']).next().unwrap_or(d.id))
                .collect();
            return Err(format!("no such algorithm; expected one of {}", ids.join(", ")));
        }
    };
    match parameters.rest.first() {
        Some(extra) => Err(format!("`:{extra}` is more than `{name}` takes")),
        None => Ok(algorithm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        for id in [
            "minimax",
            "alpha-beta",
            "aspiration:5",
            "aspiration:5:-3",
            "aspiration-negascout:5",
            "aspiration-negascout:5:-3",
            "scout",
            "negascout",
            "pvs",
            "sss-2",
            "dual-2",
            "sss-0",
            "sss-0:7",
            "sss-4:50",
            "sss-b",
            "mtd-f",
            "mtd-f:-1",
            "second-best",
            "alpha-bounding",
            "alpha-bounding:-4",
            "sss-2-tree",
            "sss",
            "dual",
            "ps:2",
            "ps:1+2+4+8",
            "ps:3+",
            "itersss:11",
            "parsss:8",
            "paritersss:8:11",
            "parps:4:2",
            "parps:2:1+2+4",
            "abdada:2",
            "abdada-mtd-f:3",
            "ybw:8",
            "ybw-mtd-f:1",
            "pvsplit:2",
            "mwf:2",
        ] {
            assert_eq!(id.parse::<Algorithm>().unwrap().to_string(), id);
        }
    }

    #[test]
    fn the_catalogue_names_every_algorithm() {
        for line in CATALOGUE {
            let id = line.id.split([' ', '[']).next().unwrap();
            let id = id.replace(":E", ":1").replace(":STEP", ":1").replace(":K", ":1");
            let id = id.replace(":M", ":1").replace(":N", ":1");
            let algorithm: Algorithm = id.parse().unwrap();
            let name = algorithm.name();
            let stem = |s: &str| s.split('(').next().unwrap().trim().to_string();
            assert_eq!(stem(&name), stem(line.name), "{id}");
        }
    }

    #[test]
    fn wrong_ids_say_what_was_expected() {
        for (id, expected) in [
            ("", "no such algorithm"),
            ("alphabeta", "expected one of minimax, alpha-beta"),
            ("ps", "number of partitions"),
            ("ps:0", "at least 1"),
            ("ps:1+0", "at least 1"),
            ("ps:1++2", "size of a partition"),
            ("ps:x", "number of partitions"),
            ("ps:2:3", "more than `ps` takes"),
            ("sss:1", "more than `sss` takes"),
            ("sss-4", "a step"),
            ("sss-4:0", "from 1"),
            ("aspiration", "half the window"),
            ("aspiration:-1", "from 1"),
            ("aspiration-negascout", "half the window"),
            ("mtd-f:9999999999", "a guess"),
            ("mtd-f:", "a guess"),
            ("itersss", "entries of memory"),
            ("parsss", "number of processes"),
            ("parsss:0", "from 1 to 65536"),
            ("parsss:65537", "from 1 to 65536"),
            ("parsss:2:2", "more than `parsss` takes"),
            ("paritersss:2", "entries of memory for each"),
            ("paritersss:0:5", "from 1 to"),
            ("parps:2", "number of partitions"),
            ("parps:2:0", "at least 1"),
            ("ybw", "number of threads"),
            ("mwf:0", "from 1 to"),
        ] {
            let error = id.parse::<Algorithm>().unwrap_err();
            assert!(error.reason.contains(expected), "{id}: {error}");
        }
    }
}
