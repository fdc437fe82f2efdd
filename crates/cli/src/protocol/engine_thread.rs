//! The session of a protocol: idle, or with a search on a thread of its own, which returns it. So a
//! protocol reads and executes lines while the engine thinks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cli::console::Console;
use plyground_core::limits::StopFlag;
use plyground_core::memory;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{GoLimits, Session, ThinkOutcome, ThinkReport, ThinkRequest};
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

/// Searches a little, with a session that is thrown away. A first search takes memory that later ones find in
/// place: tables of attacks that are computed on first use, the thread's own heap. So the program has it before
/// it says that it is ready, and memory that becomes short later does not end it.
fn rehearse<G: Game>(profile: Profile) {
    let profile = Profile { table: TableSize::of_entries(1), threads: 1, ..profile };
    if let Ok(mut session) = Session::<G>::new(profile) {
        let limits = GoLimits { depth: Some(2), ..GoLimits::default() };
        session.think(&ThinkRequest::on(limits), &mut |_| {});
    }
}

/// Owns a session and the thread that searches with it. The thread is there from the beginning: when
/// memory is short or the machine is busy, a search need not wait for a new one.
pub(crate) struct EngineThread<G: Game> {
    state: State<G>,
    jobs: Sender<Job<G>>,
    /// Sessions that come back from the thread; nothing if one was lost.
    returned: Receiver<Option<Box<Session<G>>>>,
    /// Reports an error in the way of the protocol.
    complain: fn(&str),
}

/// Where the session is.
enum State<G: Game> {
    Idle(Box<Session<G>>),
    /// The thread has it; raising the flag ends the work.
    Searching(StopFlag),
}

/// Work for the thread.
struct Job<G: Game> {
    session: Box<Session<G>>,
    work: SessionWork<G>,
}

type SessionWork<G> = Box<dyn FnOnce(&mut Session<G>) + Send>;

impl<G: Game> EngineThread<G> {
    /// Starts the thread.
    pub(crate) fn new(session: Session<G>, complain: fn(&str)) -> anyhow::Result<EngineThread<G>> {
        let (jobs, taken) = channel::<Job<G>>();
        let (sender, returned) = channel();
        let (rehearsed, ready) = channel::<()>();
        let profile = session.profile().clone();
        let work = move || {
            rehearse::<G>(profile);
            drop(rehearsed);
            for Job { mut session, work } in taken {
                let done = catch_unwind(AssertUnwindSafe(|| {
                    work(&mut session);
                    session
                }));
                if sender.send(done.ok()).is_err() {
                    return;
                }
            }
        };
        let thread = memory::thread(STACK).and_then(|thread| thread.spawn(work));
        thread.context("no thread for the engine could be started")?;
        // Nothing is ever sent: the thread lets go of its end when it is ready.
        let _ = ready.recv();
        Ok(EngineThread { state: State::Idle(Box::new(session)), jobs, returned, complain })
    }

    /// The session, after stopping a search in progress.
    pub(crate) fn session(&mut self) -> &mut Session<G> {
        self.stop();
        if let State::Searching(_) = self.state {
            let session = self.returned.recv().ok().flatten();
            self.take_back(session);
        }
        match &mut self.state {
            State::Idle(session) => session,
            State::Searching(_) => unreachable!("the line before takes it back"),
        }
    }

    fn take_back(&mut self, session: Option<Box<Session<G>>>) {
        let session = session.unwrap_or_else(|| {
            // The work panicked and the session is lost with it: start with a new one.
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
    }

    /// Starts `work` with the session on the other thread, after stopping a search in progress. Raising
    /// `stop` ends the work.
    pub(crate) fn begin(
        &mut self,
        stop: StopFlag,
        work: impl FnOnce(&mut Session<G>) + Send + 'static,
    ) {
        self.session();
        if let State::Idle(session) = std::mem::replace(&mut self.state, State::Searching(stop)) {
            // If the thread were gone, the session would be lost, which is noticed when it is needed.
            let _ = self.jobs.send(Job { session, work: Box::new(work) });
        }
    }

    /// Asks the work in progress to end, if there is any.
    pub(crate) fn stop(&self) {
        if let State::Searching(stop) = &self.state {
            stop.raise();
        }
    }

    /// Waits until the work in progress is done; Ctrl-C or `gives_up` stops it.
    pub(crate) fn wait(&mut self, console: &Console, gives_up: impl Fn() -> bool) {
        while let State::Searching(stop) = &self.state {
            match self.returned.recv_timeout(POLL_INTERVAL) {
                Ok(session) => self.take_back(session),
                Err(RecvTimeoutError::Disconnected) => self.take_back(None),
                Err(RecvTimeoutError::Timeout) => {
                    if console.interrupted() || gives_up() {
                        stop.raise();
                    }
                }
            }
        }
    }

    /// Is there work in progress?
    pub(crate) fn is_busy(&mut self) -> bool {
        if let State::Searching(_) = &self.state {
            match self.returned.try_recv() {
                Ok(session) => self.take_back(session),
                Err(TryRecvError::Disconnected) => self.take_back(None),
                Err(TryRecvError::Empty) => {}
            }
        }
        matches!(self.state, State::Searching(_))
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
