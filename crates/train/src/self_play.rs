//! Self-play: an engine plays against itself, from openings that are drawn by lot.
//!
//! Games are kept in [shards](crate::shard), a fixed number in each. A game depends on the seed, the
//! shard's number and its place in the shard alone, so several processes and several machines can
//! share the work, a run can be interrupted and repeated, and lost files can be made again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::shard::{RecordedGame, Shard, ShardError, ShardHeading};
use plyground_core::limits::StopFlag;
use plyground_core::tree::mix;
use plyground_engine::game::{Game, GameError};
use plyground_engine::profile::Profile;

/// The games of a shard.
pub const GAMES_PER_SHARD: usize = 200;

/// How many openings are drawn for one game, at most: most are thrown away because one side is ahead.
const MAX_OPENINGS: u64 = 1000;

/// A game that an engine can learn by playing against itself.
pub trait SelfPlay: Game {
    /// What plays one game after the other.
    type Author: Send;
    /// How the games are played unless a user says otherwise: the nodes of a move.
    const NODES: u64;

    /// A player for a thread.
    fn author(profile: &Profile, nodes: u64) -> Result<Self::Author, GameError>;
    /// How the games are played, as their shards say it.
    fn settings(profile: &Profile, nodes: u64) -> String {
        let weights = Self::door().weights_hash(&profile.evaluator);
        format!("engine={} weights={weights:016x} nodes={nodes}", profile.name)
    }
    /// Plays a game with an opening drawn by lot; `None` if the opening is not worth playing, as one
    /// that is decided, or `stop` was raised. The same random numbers give the same game.
    fn play(
        author: &mut Self::Author,
        random: &mut StdRng,
        stop: &StopFlag,
    ) -> Option<RecordedGame>;
}

/// What to play.
#[derive(Clone, Debug)]
pub struct SelfPlayPlan {
    /// The folder of the shards.
    pub folder: PathBuf,
    /// The seed.
    pub seed: u64,
    /// The nodes of a move.
    pub nodes: u64,
    /// The numbers of the shards: every `step`th from `first` on, below `end`.
    pub first: u64,
    /// See `first`.
    pub step: u64,
    /// See `first`.
    pub end: u64,
    /// The number of threads, each with its own player.
    pub threads: usize,
}

/// What self-play has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfPlayTotals {
    /// Games that were there already.
    pub found: u64,
    /// Games that were played.
    pub played: u64,
    /// Positions with a value in those.
    pub positions: u64,
}

/// Plays the games of a plan that are not there yet. `progress` hears of every game, those that were
/// found included, with the totals so far.
pub fn run<G: SelfPlay>(
    plan: &SelfPlayPlan,
    profile: &Profile,
    stop: &StopFlag,
    progress: &(dyn Fn(SelfPlayTotals) + Sync),
) -> Result<SelfPlayTotals, SelfPlayError> {
    std::fs::create_dir_all(&plan.folder)
        .map_err(|error| ShardError::Io { path: plan.folder.clone(), error })?;
    let settings = G::settings(profile, plan.nodes);
    let next = AtomicU64::new(0);
    let totals = Mutex::new(SelfPlayTotals::default());
    let failure = Mutex::new(None);
    let authors: Vec<G::Author> = (0..plan.threads.max(1))
        .map(|_| G::author(profile, plan.nodes))
        .collect::<Result<_, _>>()?;
    let work = |mut author: G::Author| -> Result<(), SelfPlayError> {
        while !stop.is_raised() {
            let number = plan.first + plan.step.max(1) * next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.end {
                break;
            }
            let (game, seed, games) = (G::NAME.into(), plan.seed, GAMES_PER_SHARD);
            let heading = ShardHeading { game, seed, number, games, settings: settings.clone() };
            let note = |found, played, positions| {
                let mut totals = totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                totals.found += found;
                totals.played += played;
                totals.positions += positions;
                progress(*totals);
            };
            fill::<G>(&plan.folder, heading, &mut author, stop, &note)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for author in authors {
            let fail = |error: SelfPlayError| {
                stop.raise();
                *failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            };
            let play = move || work(author).unwrap_or_else(fail);
            // The system may refuse a thread.
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, play) {
                fail(SelfPlayError::Thread(error));
            }
        }
    });
    match failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some(error) => Err(error),
        None => Ok(totals.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())),
    }
}

/// Plays the games that a shard lacks.
fn fill<G: SelfPlay>(
    folder: &Path,
    heading: ShardHeading,
    author: &mut G::Author,
    stop: &StopFlag,
    note: &dyn Fn(u64, u64, u64),
) -> Result<(), SelfPlayError> {
    let (seed, number) = (heading.seed, heading.number);
    let Some(mut shard) = Shard::open(folder, heading)? else { return Ok(()) };
    note(shard.written() as u64, 0, 0);
    while !shard.is_complete() {
        let place = mix(mix(seed, number), shard.written() as u64);
        let attempts = (0..MAX_OPENINGS).map(|attempt| mix(place, attempt));
        let game = attempts
            .take_while(|_| !stop.is_raised())
            .find_map(|seed| G::play(author, &mut StdRng::seed_from_u64(seed), stop));
        if stop.is_raised() {
            break;
        }
        let game = game.ok_or(SelfPlayError::Openings(MAX_OPENINGS))?;
        shard.push(&game)?;
        note(
            0,
            1,
            game.plies.iter().filter(|ply| ply.value != crate::shard::NO_VALUE).count() as u64,
        );
    }
    Ok(())
}

/// Why self-play ended.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A file.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The engine cannot play.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The system gave no thread.
    #[error("a thread cannot be had: {0}; expected fewer of them")]
    Thread(std::io::Error),
    /// Every opening was decided.
    #[error("of {0} openings drawn by lot none was balanced: does the evaluator fit the game?")]
    Openings(u64),
}
