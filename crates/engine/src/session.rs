//! An engine that plays: a game in progress, and thinking about the next move.
//!
//! [`Session`] is the typed form, for code that belongs to one game; all other code uses a
//! [`Player`](crate::door::Player). A session is given a [`ThinkRequest`], sends [`ThinkReport`]s
//! while it thinks, and returns a [`ThinkOutcome`].
//!
//! ```
//! use plyground_games::chess::Chess;
//! use plyground_engine::game::Game;
//! use plyground_engine::profile::Profile;
//! use plyground_engine::session::{ThinkRequest, Session, GoLimits};
//!
//! let mut session = Session::<Chess>::new(Profile::standard(Chess::door())?)?;
//! session.set_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse()?);
//! let limits = GoLimits { depth: Some(3), ..GoLimits::default() };
//! let outcome = session.think(&ThinkRequest::on(limits), &mut |_| {});
//! assert_eq!(outcome.best.map(|mv| mv.to_string()).as_deref(), Some("d1d8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod clock;
mod laboratory;
mod move_overhead;
mod ponder_hit;
mod request;
mod time_control;

pub use choice::{MoveChoice, SLIP, new_seed};
pub use clock::{Clock, Delays, GoLimits, OVERHEAD, TimePlan, moves_that_need_time};
pub use plyground_search::play::BoundKind;
pub use ponder_hit::PonderHit;
pub use request::{ThinkOutcome, ThinkProgress, ThinkReport, ThinkRequest};

use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::book::Book;
use crate::game::{EndgameSolver, Game, GameError, GameLine};
use crate::profile::{MAX_THREADS, Profile};
use move_overhead::MoveOverhead;
use plyground_core::limits::Limits;
use plyground_core::memory::{self, OutOfMemory};
use plyground_core::tree::MoveList;
use plyground_search::play::{PlayHistory, PlayRequest, PlaySwitches};
use plyground_search::table::{TableSize, TranspositionTable};
use plyground_search::{Algorithm, SearchError, check_threads};
use time_control::TimeManager;

/// A game in progress and the engine that plays it.
pub struct Session<G: Game> {
    profile: Profile,
    evaluator: G::Evaluator,
    table: TranspositionTable,
    history: PlayHistory,
    solver: Option<Box<dyn EndgameSolver<G>>>,
    overhead: Duration,
    move_overhead: MoveOverhead,
    line: GameLine<G>,
    /// The keys of the positions before the current one, by which repetitions are found.
    earlier: Vec<u64>,
}

impl<G: Game> Session<G> {
    /// A session at the start of a game, played by this engine.
    pub fn new(profile: Profile) -> Result<Session<G>, GameError> {
        let threads = profile.threads;
        check_threads(&profile.algorithm)?;
        let mut session = Session {
            evaluator: profile.evaluator.evaluator::<G>()?,
            table: TranspositionTable::new(profile.table)?,
            history: PlayHistory::new(G::HISTORY_SIZE),
            solver: G::endgame_solver(),
            overhead: OVERHEAD,
            move_overhead: MoveOverhead::default(),
            line: GameLine::new(G::position("")?),
            earlier: Vec::new(),
            profile,
        };
        session.set_threads(threads);
        Ok(session)
    }

    /// The engine.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Sets the algorithm: in selective play with these switches, or as in the laboratory. If there is no
    /// memory for its threads, the old one stays.
    pub fn set_algorithm(
        &mut self,
        algorithm: Algorithm,
        play: Option<PlaySwitches>,
    ) -> Result<(), SearchError> {
        check_threads(&algorithm)?;
        self.profile.algorithm = algorithm;
        self.profile.play = play;
        Ok(())
    }

    /// Sets the book that it opens games with; `None` for none.
    pub fn set_book(&mut self, book: Option<Arc<Book>>) {
        self.profile.book = book;
    }

    /// Does the engine play selectively?
    pub fn is_selective(&self) -> bool {
        self.profile.selective().is_some()
    }

    /// The evaluator that judges positions.
    pub fn evaluator(&self) -> &G::Evaluator {
        &self.evaluator
    }

    /// Replaces the table by an empty one of this size. If there is no memory for it, the old one stays.
    pub fn resize(&mut self, size: TableSize) -> Result<(), OutOfMemory> {
        memory::check_exchange(size.bytes(), self.table.bytes())?;
        // The old table is dropped first: there may be no memory for both.
        self.table = TranspositionTable::smallest();
        match TranspositionTable::new(size) {
            Ok(table) => {
                self.table = table;
                self.profile.table = size;
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = TranspositionTable::new(self.profile.table) {
                    self.table = table;
                }
                Err(error)
            }
        }
    }

    /// Sets the number of threads: from 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.profile.threads = threads.clamp(1, MAX_THREADS);
    }

    /// How many threads think: those that were set, but no more than a few for each processor. Many more
    /// would only take turns: the one that watches the clock, too, and the clock runs out meanwhile.
    pub fn threads(&self) -> usize {
        self.profile.threads.min(MOST_TURNS * cores())
    }

    /// Forgets everything that searches have learnt.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.move_overhead.forget_clock();
    }

    /// Sets the move overhead: the time that a move takes to reach its receiver.
    pub fn set_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// How much of the table the last search has filled, in thousandths.
    pub fn permille_full(&self) -> u32 {
        self.table.permille_full()
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        self.line.position()
    }

    /// The game so far.
    pub fn line(&self) -> &GameLine<G> {
        &self.line
    }

    /// Begins a game at this position, without any earlier moves.
    pub fn set_position(&mut self, position: G::Position) {
        self.line = GameLine::new(position);
        self.earlier.clear();
    }

    /// Continues from the end of this game.
    pub fn set_line(&mut self, line: GameLine<G>) {
        self.earlier.clear();
        for position in &line.positions()[..line.moves().len()] {
            let tree = G::from_position(position, self.evaluator.clone());
            self.earlier.push(tree.key(&tree.root()));
        }
        self.line = line;
    }

    /// Plays a move; `false` if it is not legal, and then nothing changes.
    pub fn play(&mut self, mv: G::Move) -> bool {
        let key = self.key();
        let played = self.line.play(mv);
        if played {
            self.earlier.push(key);
        }
        played
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let undone = self.line.undo()?;
        self.earlier.pop();
        Some(undone)
    }

    /// Plays the move that was taken back last once more; `None` if there is none.
    pub fn redo(&mut self) -> Option<G::Move> {
        let key = self.key();
        let redone = self.line.redo()?;
        self.earlier.push(key);
        Some(redone)
    }

    /// The key of the current position.
    fn key(&self) -> u64 {
        let tree = self.tree();
        tree.key(&tree.root())
    }

    /// The legal moves, in the order of the tree.
    pub fn legal_moves(&self) -> Vec<G::Move> {
        let tree = self.tree();
        let mut moves = G::Moves::default();
        tree.moves(&tree.root(), &mut moves);
        (0..moves.len()).map(|place| moves.at(place)).collect()
    }

    /// How late the thread that watches the clock may be: more threads than processors take turns.
    fn scheduling_delay(&self) -> Duration {
        let rounds = self.threads().div_ceil(cores()) as u32 - 1;
        TIME_SLICE * rounds
    }

    fn tree(&self) -> G {
        G::from_position(self.position(), self.evaluator.clone())
    }

    /// Thinks about the next move, and reports every line that it finds. The outcome always has a
    /// move if the game is not over, however short the time.
    pub fn think(
        &mut self,
        request: &ThinkRequest<G::Move>,
        on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
    ) -> ThinkOutcome<G::Move> {
        let started = request.asked.unwrap_or_else(Instant::now);
        // An engine that ponders does not know how long its own clock has been running.
        let clock = request.limits.clock.filter(|_| request.ponder_hit.is_none());
        match &clock {
            Some(clock) => self.move_overhead.clock_received(clock),
            None => self.move_overhead.forget_clock(),
        }
        let plan = self.plan(&request.limits);
        let outcome = self.think_since(started, plan, request, on_report);
        if let Some(hard) = plan.hard.filter(|_| request.ponder_hit.is_none()) {
            let thinking = started.elapsed();
            self.move_overhead.move_made(clock.as_ref(), thinking, thinking.saturating_sub(hard));
        }
        outcome
    }

    /// The plan for a move: with what the user has set, or with what was observed if that is more.
    fn plan(&self, limits: &GoLimits) -> TimePlan {
        let (usual, greatest) =
            (self.move_overhead.expected_loss(), self.move_overhead.greatest_loss());
        let mut limits = limits.clone();
        if let (Some(clock), Some(solver)) = (&mut limits.clock, &self.solver) {
            let left = solver.moves_left(self.line.position());
            clock.moves_to_go = clock.moves_to_go.or(Some(moves_that_need_time(left)));
        }
        TimePlan::new(
            &limits,
            Delays { set: self.overhead + self.scheduling_delay(), usual, greatest },
        )
    }

    fn think_since(
        &mut self,
        started: Instant,
        mut plan: TimePlan,
        request: &ThinkRequest<G::Move>,
        on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
    ) -> ThinkOutcome<G::Move> {
        let mut moves = self.legal_moves();
        if moves.iter().any(|mv| request.moves.contains(mv)) {
            moves.retain(|mv| request.moves.contains(mv));
        }
        let tree = self.tree();
        let Some(&first) = moves.first() else { return finished(&tree, started) };
        if let Some(known) = self.open(started, request) {
            on_report(&known.report(0));
            return known;
        }
        if let Some(solved) = self.solve((started, plan), request, &moves, on_report) {
            return solved;
        }
        plan.begin_again(started.elapsed());
        // Only the lines that were asked for are reported.
        let asked = request.lines.max(1);
        let on_report = &mut |report: &ThinkReport<'_, G::Move>| {
            if report.number < asked {
                on_report(report);
            }
        };
        let weighed = request.choice.map_or(1, |choice| choice.candidates);
        let lines = asked.max(weighed.min(moves.len()));
        let (mut outcome, candidates) = match self.profile.selective().zip(G::selective()) {
            Some(((switches, driver), think)) => {
                let wants_mate = request.limits.mate.is_some();
                let switches = if wants_mate { switches.full_width() } else { switches };
                let depth = request.limits.depth.unwrap_or(u32::MAX);
                let game = &self.earlier[..];
                let search = PlayRequest { switches, driver, depth, lines, moves: &moves, game };
                let only_move = moves.len() == 1;
                let (table, history) = (&self.table, &self.history);
                let mut control =
                    TimeManager::new(request, plan, started, only_move, table, on_report);
                let helpers = self.threads() - 1;
                let found = think(&tree, table, history, helpers, search, &mut control);
                self.move_overhead.waited(control.longest_gap());
                let best = &found.moves[0];
                let outcome = ThinkOutcome {
                    best: Some(best.mv),
                    ponder: None,
                    value: best.value,
                    bound: best.bound,
                    depth: found.depth,
                    deepest: found.deepest,
                    nodes: found.nodes,
                    time: Duration::ZERO,
                    failure: None,
                    line: best.line.clone(),
                };
                let weighed = found.moves.into_iter().take(lines);
                (outcome, weighed.map(|found| (found.value, found.line)).collect())
            }
            None => laboratory::think::<G>(
                self.position(),
                &self.evaluator,
                &self.profile,
                &ThinkRequest { lines, ..request.clone() },
                (plan, started),
                (&moves, first),
                on_report,
            ),
        };
        if let Some(choice) = request.choice {
            self.choose(choice, candidates, &mut outcome);
        }
        outcome.ponder = outcome.line.get(1).copied();
        outcome.time = started.elapsed();
        outcome
    }
}

impl<G: Game> Session<G> {
    /// The book's move, if the engine plays a game at full strength.
    fn open(
        &self,
        started: Instant,
        request: &ThinkRequest<G::Move>,
    ) -> Option<ThinkOutcome<G::Move>> {
        let weak = request.choice.is_some_and(|choice| choice.slips > 0.0 || choice.exact > 0);
        if !request.book || request.lines > 1 || !request.moves.is_empty() || weak {
            return None;
        }
        let book = self.profile.book.as_ref()?;
        let seed = request.choice.map(|choice| choice.seed);
        let (best, value) = book.choose::<G>(self.position(), seed)?;
        let after = G::played(self.position(), best)?;
        let answer = book.choose::<G>(&after, None).map(|(mv, _)| mv);
        Some(ThinkOutcome {
            best: Some(best),
            ponder: answer,
            value,
            bound: BoundKind::Exact,
            depth: 0,
            deepest: 0,
            nodes: 0,
            time: started.elapsed(),
            failure: None,
            line: std::iter::once(best).chain(answer).collect(),
        })
    }

    /// Solves the position exactly, if that is expected to take no more than half of the longest
    /// time that the move may take. On a clock this may be more than the move's share, because the
    /// moves after it will need next to no time.
    fn solve(
        &mut self,
        (started, plan): (Instant, TimePlan),
        request: &ThinkRequest<G::Move>,
        moves: &[G::Move],
        on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
    ) -> Option<ThinkOutcome<G::Move>> {
        let limits = &request.limits;
        let all = request.moves.is_empty() && request.lines <= 1 && request.ponder_hit.is_none();
        let promised = request.choice.map_or(0, |choice| choice.exact);
        let left = self.solver.as_ref().map(|solver| solver.moves_left(self.line.position()));
        let is_promised = left.is_some_and(|left| left <= promised);
        let endless = limits.depth.is_none() && limits.nodes.is_none() || is_promised;
        let solves = self.profile.selective().is_some_and(|(switches, _)| switches.solver);
        if !all || !endless || !solves || moves.len() < 2 {
            return None;
        }
        let most = match plan.hard {
            Some(hard) => (hard / 2).saturating_sub(started.elapsed()),
            None => TIME_WITHOUT_CLOCK / 2,
        };
        let threads = self.threads();
        let gain = 1.0 + (threads.min(cores()) - 1) as f64 * THREAD_GAIN;
        let solver = self.solver.as_mut()?;
        let position = self.line.position();
        if solver.expected_time(position)?.div_f64(gain) > most {
            return None;
        }
        let limits = Limits { time: Some(most), flag: request.stop.clone(), ..Limits::default() };
        let ending = solver.solve(position, &limits, threads)?;
        let best = *ending.line.first()?;
        let plies = ending.line.len() as u32;
        let time = started.elapsed();
        let progress = ThinkProgress {
            depth: plies,
            deepest: plies,
            number: 0,
            value: ending.value,
            bound: BoundKind::Exact,
            nodes: ending.nodes,
            time,
            full: 0,
        };
        on_report(&ThinkReport { progress, line: &ending.line });
        Some(ThinkOutcome {
            best: Some(best),
            ponder: ending.line.get(1).copied(),
            value: ending.value,
            bound: BoundKind::Exact,
            depth: plies,
            deepest: plies,
            nodes: ending.nodes,
            time,
            failure: None,
            line: ending.line,
        })
    }
}

/// The speed that each further thread is expected to add, in parts of the speed of one.
const THREAD_GAIN: f64 = 0.7;

/// The number of processors. It is found out once: the system reads several files for it.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// The most threads that share a processor. With 32, every third game at a second with a hundredth a move was
/// lost on time, and nearly all of the others on the board; with four, none was.
const MOST_TURNS: usize = 4;

/// The time that the system gives a thread on a processor while other threads wait for it.
const TIME_SLICE: Duration = Duration::from_millis(4);

/// Without a clock, an ending that takes longer than half of this to solve is searched like any
/// other position.
const TIME_WITHOUT_CLOCK: Duration = Duration::from_secs(20);

/// The outcome where the game is over.
fn finished<G: Game>(tree: &G, started: Instant) -> ThinkOutcome<G::Move> {
    ThinkOutcome {
        best: None,
        ponder: None,
        value: tree.evaluate(&tree.root()),
        bound: BoundKind::Exact,
        depth: 0,
        deepest: 0,
        nodes: 0,
        time: started.elapsed(),
        failure: None,
        line: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookMove;
    use plyground_core::limits::StopFlag;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    fn session<G: Game>() -> Session<G> {
        Session::new(Profile::standard(G::door()).unwrap()).unwrap()
    }

    fn millis(time: u64) -> GoLimits {
        GoLimits { move_time: Some(Duration::from_millis(time)), ..GoLimits::default() }
    }

    /// Whole games of Othello in a great hurry: every move is legal, and the last ones are exact.
    #[test]
    fn othello_is_played_to_its_end() {
        let mut session = session::<Othello>();
        let mut exact = false;
        for _ in 0..plyground_games::othello::LONGEST_GAME {
            let outcome = session.think(&ThinkRequest::on(millis(4)), &mut |_| {});
            let Some(best) = outcome.best else { break };
            exact |= outcome.bound == BoundKind::Exact && outcome.depth > 6;
            assert!(session.play(best), "{best:?}");
        }
        assert!(session.position().board.is_over() && exact);
    }

    /// A book answers in games alone: an analysis searches.
    #[test]
    fn a_book_opens_games() {
        let mut session = session::<Chess>();
        let start = *session.position();
        let mv = start.uci_move("a2a3").unwrap();
        let code = Chess::book_code(&start, mv);
        let mut book = Book::default();
        book.add(Chess::book_key(&start), BookMove { code, weight: 1, value: -9 });
        session.set_book(Some(Arc::new(book)));
        let game = ThinkRequest { book: true, ..ThinkRequest::on(millis(20)) };
        let mut reports = 0;
        let outcome = session.think(&game, &mut |_| reports += 1);
        assert_eq!((outcome.best, outcome.value, outcome.nodes), (Some(mv), -9, 0));
        assert_eq!(reports, 1);
        let analysis = ThinkRequest { book: false, ..game.clone() };
        let several = ThinkRequest { lines: 2, ..game.clone() };
        let weak = MoveChoice { seed: 1, candidates: 1, noise: 0, slips: 0.1, exact: 0 };
        let weak = ThinkRequest { choice: Some(weak), ..game.clone() };
        let other = start.uci_move("e2e4").unwrap();
        let some = ThinkRequest { moves: vec![other], ..game.clone() };
        for request in [analysis, several, weak, some] {
            assert!(session.think(&request, &mut |_| {}).nodes > 0);
        }
        session.set_book(None);
        assert!(session.think(&game, &mut |_| {}).nodes > 0);
    }

    #[test]
    fn without_time_there_is_still_a_move() {
        let mut session = session::<Chess>();
        for limits in [millis(0), GoLimits { nodes: Some(1), ..GoLimits::default() }] {
            let mut request = ThinkRequest::on(limits);
            request.stop = StopFlag::new();
            request.stop.raise();
            let outcome = session.think(&request, &mut |_| {});
            assert!(session.legal_moves().contains(&outcome.best.unwrap()));
        }
    }

    /// What was taken back is forgotten as if it had never been: repetitions too.
    #[test]
    fn moves_taken_back_leave_no_trace() {
        let mut game = session::<Chess>();
        for text in ["e2e4", "e7e5", "g1f3"] {
            let mv = game.position().uci_move(text).unwrap();
            assert!(game.play(mv));
        }
        let mut other = session::<Chess>();
        other.set_line(game.line().clone());
        assert_eq!(other.earlier, game.earlier);
        assert!(game.undo().is_some() && game.undo().is_some());
        assert_eq!(game.earlier.len(), 1);
        assert!(game.redo().is_some() && game.redo().is_some() && game.redo().is_none());
        assert_eq!((&game.earlier, game.line()), (&other.earlier, other.line()));
    }

    #[test]
    fn what_is_illegal_changes_nothing() {
        let mut session = session::<Chess>();
        let e4 = session.position().uci_move("e2e4").unwrap();
        assert!(session.play(e4) && !session.play(e4));
        session.resize(TableSize::of_mebibytes(1)).unwrap();
        let limits = GoLimits { depth: Some(4), ..GoLimits::default() };
        let mut reports = 0;
        let outcome = session.think(&ThinkRequest::on(limits), &mut |report| {
            assert!(report.line.len() <= 8 && report.nodes > 0);
            reports += 1;
        });
        assert!(reports >= 4 && outcome.depth == 4 && outcome.line.len() > 1);
        assert_eq!(session.profile().game, Chess::door());
    }
}
