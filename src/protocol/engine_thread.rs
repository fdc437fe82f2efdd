//! Where a protocol keeps its session: at hand, or away with a search on a thread of its own, which
//! brings it back. So lines are read, and understood, while the engine thinks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use crate::cli::console::Console;
use plyground_core::limits::StopFlag;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_engine::session::{OVERHEAD, Session, ThinkOutcome, ThinkReport, ThinkRequest};
use plyground_games::othello::Othello;

/// A recursion of a hundred plies fits into less, but memory that is not used costs nothing.
pub(crate) const STACK: usize = 32 << 20;

/// Ctrl-C is looked for this often while somebody waits for a search.
const STEP: Duration = Duration::from_millis(10);

/// The session of a protocol, with an engine that plays its game.
pub(crate) fn session<G: Game>(
    games: &Games,
    engine: &str,
    protocol: &str,
) -> anyhow::Result<Session<G>> {
    let profile = Profile::find(games, engine)?;
    if profile.game != G::door() {
        bail!("the engine {} plays {}; {protocol} is for {}", profile.name, profile.game, G::NAME);
    }
    Ok(Session::new(profile)?)
}

/// What can be said of an engine that plays Othello for a protocol.
#[derive(Debug, Args)]
pub(crate) struct OthelloArgs {
    /// An engine that plays Othello: a name from `plyground engines`, or a file
    #[arg(long, value_name = "NAME", default_value = "othello")]
    engine: String,
    /// How many threads think [default: what the engine says, or 1]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Milliseconds that a move takes to reach the client: so much of its time is never used
    #[arg(long, value_name = "MS", default_value_t = OVERHEAD.as_millis() as u64)]
    overhead: u64,
}

impl OthelloArgs {
    pub(crate) fn session(
        &self,
        games: &Games,
        protocol: &str,
    ) -> anyhow::Result<Session<Othello>> {
        let mut session = session(games, &self.engine, protocol)?;
        session.set_overhead(Duration::from_millis(self.overhead));
        if let Some(threads) = self.threads {
            session.set_threads(threads.into());
        }
        Ok(session)
    }
}

/// The keeper of a session.
pub(crate) struct EngineThread<G: Game> {
    state: State<G>,
    /// How the protocol says that something went wrong.
    complain: fn(&str),
}

/// Who has the session.
enum State<G: Game> {
    Idle(Box<Session<G>>),
    Away(Away<G>),
    /// Only while one becomes the other.
    Changing,
}

/// A session that is with a search.
struct Away<G: Game> {
    thread: JoinHandle<Box<Session<G>>>,
    stop: StopFlag,
    /// Closed when the work is done.
    done: Receiver<()>,
}

impl<G: Game> EngineThread<G> {
    pub(crate) fn new(session: Session<G>, complain: fn(&str)) -> EngineThread<G> {
        EngineThread { state: State::Idle(Box::new(session)), complain }
    }

    /// The session; a search that has it is stopped first.
    pub(crate) fn session(&mut self) -> &mut Session<G> {
        self.stop();
        let session = match std::mem::replace(&mut self.state, State::Changing) {
            State::Idle(session) => Some(session),
            State::Away(away) => away.thread.join().ok(),
            State::Changing => None,
        };
        let session = session.unwrap_or_else(|| {
            // A search that broke down took the session with it: a new one, from the start.
            (self.complain)("the session was lost and begins anew");
            match Profile::standard(G::door()).ok().and_then(|p| Session::new(p).ok()) {
                Some(session) => Box::new(session),
                None => unreachable!("the tests make this session"),
            }
        });
        self.state = State::Idle(session);
        match &mut self.state {
            State::Idle(session) => session,
            _ => unreachable!("set the line before"),
        }
    }

    /// Does `work` with the session on another thread, after what is under way has been stopped;
    /// `stop` is how the work is asked to come to an end. `false` if no thread could be started.
    pub(crate) fn begin(
        &mut self,
        stop: StopFlag,
        work: impl FnOnce(&mut Session<G>) + Send + 'static,
    ) -> bool {
        self.session();
        let State::Idle(session) = std::mem::replace(&mut self.state, State::Changing) else {
            unreachable!("a session is at hand");
        };
        // Both the thread and, if there is none, this function can take it.
        let shared = Arc::new(Mutex::new(Some(session)));
        let theirs = shared.clone();
        let (sender, done) = channel::<()>();
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn(move || {
            let taken = theirs.lock().ok().and_then(|mut session| session.take());
            let mut session = taken.expect("the session was put there for this thread");
            work(&mut session);
            drop(sender);
            session
        });
        match thread {
            Ok(thread) => {
                self.state = State::Away(Away { thread, stop, done });
                true
            }
            Err(error) => {
                (self.complain)(&format!("no thread could be started: {error}"));
                if let Some(session) = shared.lock().ok().and_then(|mut session| session.take()) {
                    self.state = State::Idle(session);
                }
                false
            }
        }
    }

    /// Asks the work under way, if there is any, to come to an end.
    pub(crate) fn stop(&self) {
        if let State::Away(away) = &self.state {
            away.stop.raise();
        }
    }

    /// Waits for the work under way to be done; Ctrl-C, or `gives_up`, stops it.
    pub(crate) fn wait(&self, console: &Console, gives_up: impl Fn() -> bool) {
        let State::Away(away) = &self.state else { return };
        while away.done.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            if console.interrupted() || gives_up() {
                away.stop.raise();
            }
        }
    }

    /// Is there work under way?
    pub(crate) fn is_busy(&self) -> bool {
        match &self.state {
            State::Away(away) => away.done.try_recv() == Err(TryRecvError::Empty),
            _ => false,
        }
    }
}

/// Thinks; `None` if the search broke down, and then what it had learnt is forgotten.
pub(crate) fn think<G: Game>(
    session: &mut Session<G>,
    request: &ThinkRequest<G::Move>,
    tell: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> Option<ThinkOutcome<G::Move>> {
    let thought = catch_unwind(AssertUnwindSafe(|| session.think(request, tell)));
    if thought.is_err() {
        session.clear();
    }
    thought.ok()
}
