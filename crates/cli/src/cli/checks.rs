//! What was asked for is checked before anything is searched: an option without an effect is refused by the
//! name of its flag.

use anyhow::anyhow;
use clap::Args;

use plyground_search::{
    Algorithm, Factors, GuessFrom, Options, QuiescenceWindow, Replacement, SearchSpec, SpecError,
    Store, TableDepth, TableLeaves, Update,
};

/// The factors of an experiment: choices that every algorithm shares.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Factors of an experiment")]
pub(crate) struct FactorArgs {
    /// Round the values of leaves to multiples of G
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(1..=30_000))]
    grain: Option<u32>,
    /// The guess of the next iteration: the value of the previous one, or of the last one whose depth
    /// has the same parity
    #[arg(long, value_name = "previous|parity")]
    guess: Option<GuessFrom>,
    /// Leaves are stored in the table, or evaluated each time
    #[arg(long, value_name = "stored|evaluated")]
    table_leaves: Option<TableLeaves>,
    /// An entry of the table answers at equal depth only, or at a greater one too
    #[arg(long, value_name = "equal|greater")]
    table_depth: Option<TableDepth>,
    /// What a full table replaces: what is old, then what is near the horizon; always the same place;
    /// or only what is nearer to the horizon
    #[arg(long, value_name = "aged|always|deepest")]
    replacement: Option<Replacement>,
    /// Bits of a key that tell positions apart, from 1 to 64
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    key_bits: Option<u8>,
    /// The quiescence search at a leaf has the full window, or the search's own
    #[arg(long, value_name = "full|search")]
    quiescence: Option<QuiescenceWindow>,
    /// What the stored search tree of drivers such as SSS-2 keeps: all of it, or nothing that the bounds
    /// above have made irrelevant
    #[arg(long, value_name = "all|relevant")]
    store: Option<Store>,
}

impl FactorArgs {
    /// The factors that were asked for.
    pub(crate) fn factors(&self) -> Factors {
        let usual = Factors::default();
        Factors {
            grain: self.grain.unwrap_or(usual.grain),
            guess: self.guess.unwrap_or(usual.guess),
            table_leaves: self.table_leaves.unwrap_or(usual.table_leaves),
            table_depth: self.table_depth.unwrap_or(usual.table_depth),
            replacement: self.replacement.unwrap_or(usual.replacement),
            key_bits: self.key_bits.unwrap_or(usual.key_bits),
            quiescence_window: self.quiescence.unwrap_or(usual.quiescence_window),
            store: self.store.unwrap_or(usual.store),
        }
    }
}

/// The search that the options describe. An option that would have no effect is refused by the name
/// of its flag.
pub(crate) fn checked(algorithm: &Algorithm, options: Options) -> anyhow::Result<SearchSpec> {
    SearchSpec::check(algorithm, options).map_err(|error| flagged(&error))
}

/// The searches of a comparison. An option applies to those algorithms that it has an effect on; an
/// option without an effect on any of them is refused.
pub(crate) fn checked_all<'a>(
    searches: impl IntoIterator<Item = (&'a Algorithm, Options)>,
) -> anyhow::Result<Vec<SearchSpec>> {
    let (mut specs, mut updated, mut spawning) = (Vec::new(), None, None);
    let mut without_effect: Vec<SpecError> = Vec::new();
    for (algorithm, mut options) in searches {
        let spec = loop {
            match SearchSpec::check(algorithm, options.clone()) {
                Ok(spec) => break spec,
                Err(error @ (SpecError::NoBounds { .. } | SpecError::UpdateWithTable)) => {
                    options.update = Update::Clipped;
                    updated.get_or_insert(error);
                }
                Err(error @ SpecError::NoProcess { .. }) => {
                    options.spawn_height = None;
                    spawning.get_or_insert(error);
                }
                Err(SpecError::NoEffect { factor, reason })
                    if drop_factor(&mut options, factor) =>
                {
                    without_effect.push(SpecError::NoEffect { factor, reason });
                }
                Err(error) => return Err(flagged(&error)),
            }
        };
        specs.push((spec, options));
    }
    let unused = updated
        .filter(|_| specs.iter().all(|(_, options)| options.update == Update::Clipped))
        .or(spawning.filter(|_| specs.iter().all(|(_, options)| options.spawn_height.is_none())));
    let factors = || specs.iter().map(|(spec, _)| *spec.factors());
    let unused = unused.or_else(|| {
        let usual = Factors::default();
        without_effect.into_iter().find(|error| match error {
            SpecError::NoEffect { factor: "guess", .. } => {
                factors().all(|f| f.guess == usual.guess)
            }
            SpecError::NoEffect { factor: "quiescence", .. } => {
                factors().all(|f| f.quiescence_window == usual.quiescence_window)
            }
            SpecError::NoEffect { factor: "store", .. } => {
                factors().all(|f| f.store == usual.store)
            }
            _ => factors().all(|f| f == Factors { grain: f.grain, ..usual }),
        })
    });
    match unused {
        Some(error) => Err(flagged(&error)),
        None => Ok(specs.into_iter().map(|(spec, _)| spec).collect()),
    }
}

/// The error about an option, with the name of the flag that sets the option.
/// Sets a factor that has no effect on one algorithm back; `false` if it is wrong for all.
fn drop_factor(options: &mut Options, factor: &str) -> bool {
    let (factors, usual) = (&mut options.factors, Factors::default());
    match factor {
        "guess" if factors.guess != usual.guess => factors.guess = usual.guess,
        "quiescence" if factors.quiescence_window != usual.quiescence_window => {
            factors.quiescence_window = usual.quiescence_window;
        }
        "store" if factors.store != usual.store => factors.store = usual.store,
        "table-leaves" | "table-depth" | "replacement" | "key-bits" => {
            let Factors { grain, guess, quiescence_window, store, .. } = *factors;
            let kept = Factors { grain, guess, quiescence_window, store, ..usual };
            if kept == *factors || !(1..=64).contains(&factors.key_bits) {
                return false;
            }
            *factors = kept;
        }
        _ => return false,
    }
    true
}

/// A refused option by the name of its flag.
pub(crate) fn flagged(error: &SpecError) -> anyhow::Error {
    match error {
        SpecError::NoBounds { .. } | SpecError::UpdateWithTable => anyhow!("--update: {error}"),
        SpecError::NoTable => anyhow!("--table: {error}"),
        SpecError::NoProcess { .. } => {
            let message = error.to_string();
            anyhow!("--spawn-height: {}", message.trim_start_matches("spawn height: "))
        }
        SpecError::NoTables { .. } => anyhow!("--table-per-processor: {error}"),
        SpecError::NotSimulated { .. } => anyhow!("{error}: --simulate"),
        SpecError::NoEffect { .. } => anyhow!("--{error}"),
        SpecError::TooManyThreads { .. } => anyhow!("{error}, or --simulate"),
    }
}
