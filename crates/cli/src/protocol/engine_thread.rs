//! The session of a protocol: idle, or with a search on a thread of its own, which returns it. So a
//! protocol reads and executes lines while the engine thinks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::bail;

use crate::cli::console::Console;
use plyground_core::limits::StopFlag;
use plyground_core::memory;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{Session, ThinkOutcome, ThinkReport, ThinkRequest};
use plyground_search::table::TableSize;

/// The stack of the engine's thread. A recursion of a hundred plies needs less, but unused memory costs
/// nothing.
pub(crate) const STACK: usize = 32 << 20;

/// How often a wait for a search checks for Ctrl-C.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A session for a protocol; the engine must play the protocol's game.
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

/// Owns a session and the thread that searches with it.
pub(crate) struct EngineThread<G: Game> {
    state: State<G>,
    /// Reports an error in the way of the protocol.
    complain: fn(&str),
}

/// Where the session is.
enum State<G: Game> {
    Idle(Box<Session<G>>),
    Searching(Searching<G>),
    /// Only during a change from one to the other.
    Changing,
}

/// A search in progress, which has the session.
struct Searching<G: Game> {
    thread: JoinHandle<Box<Session<G>>>,
    stop: StopFlag,
    /// Closed when the work is done.
    done: Receiver<()>,
}

impl<G: Game> EngineThread<G> {
    pub(crate) fn new(session: Session<G>, complain: fn(&str)) -> EngineThread<G> {
        EngineThread { state: State::Idle(Box::new(session)), complain }
    }

    /// The session, after stopping a search in progress.
    pub(crate) fn session(&mut self) -> &mut Session<G> {
        self.stop();
        let session = match std::mem::replace(&mut self.state, State::Changing) {
            State::Idle(session) => Some(session),
            State::Searching(searching) => searching.thread.join().ok(),
            State::Changing => None,
        };
        let session = session.unwrap_or_else(|| {
            // The search panicked and the session is lost with it: start with a new one.
            (self.complain)("the session was lost and begins anew");
            let standard = || Profile::standard(G::door()).ok();
            // Where there is no memory for its table, a small one will do.
            let table = TableSize::of_entries(1);
            let small = || Some(Profile { table, ..standard()? });
            let session = |profile: Option<Profile>| Session::new(profile?).ok();
            match session(standard()).or_else(|| session(small())) {
                Some(session) => Box::new(session),
                None => unreachable!("the tests make this session"),
            }
        });
        self.state = State::Idle(session);
        match &mut self.state {
            State::Idle(session) => session,
            _ => unreachable!("the line before sets it"),
        }
    }

    /// Starts `work` with the session on another thread, after stopping a search in progress. Raising
    /// `stop` ends the work. `false` if no thread could be started.
    pub(crate) fn begin(
        &mut self,
        stop: StopFlag,
        work: impl FnOnce(&mut Session<G>) + Send + 'static,
    ) -> bool {
        self.session();
        let State::Idle(session) = std::mem::replace(&mut self.state, State::Changing) else {
            unreachable!("the session is idle");
        };
        // The new thread takes the session; if it cannot be started, this function takes it back.
        let shared = Arc::new(Mutex::new(Some(session)));
        let theirs = shared.clone();
        let (sender, done) = channel::<()>();
        let work = move || {
            let taken = theirs.lock().ok().and_then(|mut session| session.take());
            let mut session = taken.expect("the session was put there for this thread");
            work(&mut session);
            drop(sender);
            session
        };
        match memory::thread(STACK).and_then(|thread| thread.spawn(work)) {
            Ok(thread) => {
                self.state = State::Searching(Searching { thread, stop, done });
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

    /// Asks the work in progress to end, if there is any.
    pub(crate) fn stop(&self) {
        if let State::Searching(searching) = &self.state {
            searching.stop.raise();
        }
    }

    /// Waits until the work in progress is done; Ctrl-C or `gives_up` stops it.
    pub(crate) fn wait(&self, console: &Console, gives_up: impl Fn() -> bool) {
        let State::Searching(searching) = &self.state else { return };
        while searching.done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if console.interrupted() || gives_up() {
                searching.stop.raise();
            }
        }
    }

    /// Is there work in progress?
    pub(crate) fn is_busy(&self) -> bool {
        match &self.state {
            State::Searching(searching) => searching.done.try_recv() == Err(TryRecvError::Empty),
            _ => false,
        }
    }
}

/// Lets the engine think; `None` if the search panicked. Then the table is cleared: the search may have
/// left it in any state.
pub(crate) fn think<G: Game>(
    session: &mut Session<G>,
    request: &ThinkRequest<G::Move>,
    on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> Option<ThinkOutcome<G::Move>> {
    let thought = catch_unwind(AssertUnwindSafe(|| session.think(request, on_report)));
    if thought.is_err() {
        session.clear();
    }
    thought.ok()
}
