//! The engine of a protocol: the flags that choose and set it.

use std::time::Duration;

use clap::Args;

use crate::protocol::engine_thread;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::MAX_THREADS;
use plyground_engine::session::{OVERHEAD, Session, new_seed};
use plyground_games::othello::Othello;

/// The flags that all protocols of Othello share.
#[derive(Debug, Args)]
pub(super) struct OthelloArgs {
    /// An engine that plays Othello: a name from `plyground engines`, or a file
    #[arg(long, value_name = "NAME", default_value = Othello::NAME)]
    engine: String,
    /// The threads that search [default: the engine's own number, or 1]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Milliseconds that a move takes to reach the client, which the engine leaves unused
    #[arg(long, value_name = "MS", default_value_t = OVERHEAD.as_millis() as u64)]
    overhead: u64,
    /// What the choices of a level below the highest follow from: the same seed gives the same game
    /// [default: another one for each game]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl OthelloArgs {
    /// The seed of a new game.
    pub(super) fn new_seed(&self) -> u64 {
        self.seed.unwrap_or_else(new_seed)
    }

    /// A session with this engine.
    pub(super) fn session(
        &self,
        games: &Games,
        protocol: &str,
    ) -> anyhow::Result<Session<Othello>> {
        let mut session = engine_thread::session(games, &self.engine, protocol)?;
        session.set_overhead(Duration::from_millis(self.overhead));
        if let Some(threads) = self.threads {
            session.set_threads(threads.into());
        }
        Ok(session)
    }
}
