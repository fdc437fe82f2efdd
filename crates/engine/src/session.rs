//! The door for front ends: a position with its history, an engine, and thinking about a move.
//!
//! ```
//! use plyground_games::chess::Chess;
//! use plyground_engine::game::GameName;
//! use plyground_engine::profile::Profile;
//! use plyground_engine::session::{Orders, Session, Terms};
//!
//! let mut session = Session::<Chess>::new(Profile::standard(GameName::Chess)?)?;
//! session.set_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse()?);
//! let terms = Terms { depth: Some(3), ..Terms::default() };
//! let thought = session.think(&Orders::on(terms), &mut |_| {});
//! assert_eq!(thought.best.map(|mv| mv.to_string()).as_deref(), Some("d1d8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod laboratory;
mod lag;
mod level;
mod warden;

pub use clock::{Clock, OVERHEAD, Plan, Terms};
pub use level::MOST_LEVEL;
pub use plyground_search::play::BoundKind;

use std::num::NonZero;
use std::time::{Duration, Instant};

use crate::game::{Course, Game, GameError};
use crate::profile::{MOST_THREADS, Profile};
use lag::Lag;
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::tree::MoveList;
use plyground_core::value::Value;
use plyground_search::Algorithm;
use plyground_search::play::{self, PlayHistory, PlayRequest};
use plyground_search::table::{Table, TableSize};
use warden::Warden;

/// A game in progress and the engine that plays it.
pub struct Session<G: Game> {
    profile: Profile,
    evaluator: G::Evaluator,
    table: Table,
    history: PlayHistory,
    solver: G::Solver,
    overhead: Duration,
    lag: Lag,
    course: Course<G>,
    /// The keys of the positions before the present one.
    earlier: Vec<u64>,
}

/// What to think about and for how long.
#[derive(Clone, Debug)]
pub struct Orders<M> {
    /// When to stop.
    pub terms: Terms,
    /// Stops the thinking when raised.
    pub stop: StopFlag,
    /// If there is one, the other side's clock is running until it is raised: the time counts from
    /// then on.
    pub ponder_hit: Option<StopFlag>,
    /// The moves to choose from; all, if it is empty. Illegal ones do not count.
    pub moves: Vec<M>,
    /// How many of the best lines are wanted.
    pub lines: usize,
}

impl<M> Orders<M> {
    /// The best of all moves on these terms.
    pub fn on(terms: Terms) -> Orders<M> {
        let (stop, moves) = (StopFlag::default(), Vec::new());
        Orders { terms, stop, ponder_hit: None, moves, lines: 1 }
    }
}

/// What is told while thinking.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a, M> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply it came to.
    pub deepest: u32,
    /// Which line: 0 is the best.
    pub number: usize,
    /// Its value for the side to move.
    pub value: Value,
    /// What the value says.
    pub bound: BoundKind,
    /// Positions looked at, those of quiescence included.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// Thousandths of the table that are full.
    pub full: u32,
    /// The moves.
    pub line: &'a [M],
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Thought<M> {
    /// The move; `None` only where the game is over.
    pub best: Option<M>,
    /// The answer that is expected.
    pub ponder: Option<M>,
    /// What the best move is worth.
    pub value: Value,
    /// What that value says.
    pub bound: BoundKind,
    /// The last iteration that was finished.
    pub depth: u32,
    /// The deepest ply.
    pub deepest: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// The best line.
    pub line: Vec<M>,
}

impl<M> Thought<M> {
    /// What was thought last, as it is told while thinking; `full` are thousandths of the table.
    pub fn report(&self, full: u32) -> Report<'_, M> {
        Report {
            depth: self.depth.max(1),
            deepest: self.deepest,
            number: 0,
            value: self.value,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            full,
            line: &self.line,
        }
    }
}

impl<G: Game> Session<G> {
    /// The start position, played by this engine.
    pub fn new(profile: Profile) -> Result<Session<G>, GameError> {
        let threads = profile.threads;
        let mut session = Session {
            evaluator: profile.evaluator.evaluator::<G>()?,
            table: Table::new(profile.table),
            history: PlayHistory::new(G::HISTORY_SIZE),
            solver: G::Solver::default(),
            overhead: OVERHEAD,
            lag: Lag::default(),
            course: Course::new(G::position("")?),
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

    /// Plays on with another algorithm: selectively, or as in the laboratory.
    pub fn set_algorithm(&mut self, algorithm: Algorithm, play: Option<play::PlaySwitches>) {
        self.profile.algorithm = algorithm;
        self.profile.play = play;
    }

    /// Does the engine play selectively?
    pub fn is_selective(&self) -> bool {
        self.profile.selective().is_some()
    }

    /// What judges positions.
    pub fn evaluator(&self) -> &G::Evaluator {
        &self.evaluator
    }

    /// A table of another size, empty.
    pub fn resize(&mut self, size: TableSize) {
        // The old one goes first: there may be no room for both.
        self.table = Table::new(TableSize::of_entries(1));
        self.table = Table::new(size);
        self.profile.table = size;
    }

    /// How many threads think from now on: from 1 to [`MOST_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.profile.threads = threads.clamp(1, MOST_THREADS);
    }

    /// Forgets everything that was learnt.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.lag.forget_clock();
    }

    /// The time that a move takes to reach its receiver.
    pub fn set_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// Thousandths of the table that the last search has filled.
    pub fn permille_full(&self) -> u32 {
        self.table.permille_full()
    }

    /// The position.
    pub fn position(&self) -> &G::Position {
        self.course.position()
    }

    /// The game so far.
    pub fn course(&self) -> &Course<G> {
        &self.course
    }

    /// Goes to a position whose past nobody knows.
    pub fn set_position(&mut self, position: G::Position) {
        self.course = Course::new(position);
        self.earlier.clear();
    }

    /// Goes to the end of a game.
    pub fn set_course(&mut self, course: Course<G>) {
        self.earlier.clear();
        for position in &course.positions()[..course.moves().len()] {
            let tree = G::from_position(position, self.evaluator.clone());
            self.earlier.push(tree.key(&tree.root()));
        }
        self.course = course;
    }

    /// Plays a move; `false` if it is not legal, and then nothing changes.
    pub fn play(&mut self, mv: G::Move) -> bool {
        let key = self.key();
        let played = self.course.play(mv);
        if played {
            self.earlier.push(key);
        }
        played
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let undone = self.course.undo()?;
        self.earlier.pop();
        Some(undone)
    }

    /// Plays the move that was taken back last once more; `None` if there is none.
    pub fn redo(&mut self) -> Option<G::Move> {
        let key = self.key();
        let redone = self.course.redo()?;
        self.earlier.push(key);
        Some(redone)
    }

    fn key(&self) -> u64 {
        let tree = self.tree();
        tree.key(&tree.root())
    }

    /// The legal moves, in the order of first sight.
    pub fn legal_moves(&self) -> Vec<G::Move> {
        let tree = self.tree();
        let mut moves = G::Moves::default();
        tree.moves(&tree.root(), &mut moves);
        (0..moves.len()).map(|place| moves.at(place)).collect()
    }

    /// More threads than processors take turns: the one with the clock may be late by so much.
    fn lateness(&self) -> Duration {
        let rounds = self.profile.threads.div_ceil(cores()) as u32 - 1;
        TURN * rounds.min(10)
    }

    fn tree(&self) -> G {
        G::from_position(self.position(), self.evaluator.clone())
    }

    /// Thinks, and tells of every line it finds. There is always a move in the end if there is one at
    /// all, however short the time.
    pub fn think(
        &mut self,
        orders: &Orders<G::Move>,
        on_report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Thought<G::Move> {
        let started = Instant::now();
        // Who ponders does not know how long its own clock has been running.
        let clock = orders.terms.clock.filter(|_| orders.ponder_hit.is_none());
        match &clock {
            Some(clock) => self.lag.told(clock),
            None => self.lag.forget_clock(),
        }
        let thought = self.think_since(started, orders, on_report);
        if let Some(clock) = clock {
            self.lag.moved(&clock, started.elapsed());
        }
        thought
    }

    fn think_since(
        &mut self,
        started: Instant,
        orders: &Orders<G::Move>,
        on_report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Thought<G::Move> {
        let mut moves = self.legal_moves();
        if moves.iter().any(|mv| orders.moves.contains(mv)) {
            moves.retain(|mv| orders.moves.contains(mv));
        }
        let tree = self.tree();
        let Some(&first) = moves.first() else { return over(&tree, started) };
        let overhead = self.overhead.max(self.lag.to_reckon_with());
        let mut plan = Plan::new(&orders.terms, overhead + self.lateness());
        if let Some(solved) = self.solve(orders, plan, &moves, on_report) {
            return solved;
        }
        plan.begin_again(started.elapsed());
        let mut thought = match self.profile.selective() {
            Some((switches, driver)) => {
                let wants_mate = orders.terms.mate.is_some();
                let switches = if wants_mate { switches.full_width() } else { switches };
                let depth = orders.terms.depth.unwrap_or(u32::MAX);
                let (lines, game) = (orders.lines, &self.earlier[..]);
                let request = PlayRequest { switches, driver, depth, lines, moves: &moves, game };
                let alone = moves.len() == 1;
                let mut warden = Warden::new(orders, plan, started, alone, &self.table, on_report);
                let (history, helpers) = (&self.history, self.profile.threads - 1);
                let outcome =
                    play::think(&tree, &self.table, history, helpers, request, &mut warden);
                let best = &outcome.moves[0];
                Thought {
                    best: Some(best.mv),
                    ponder: None,
                    value: best.value,
                    bound: best.bound,
                    depth: outcome.depth,
                    deepest: outcome.deepest,
                    nodes: outcome.nodes,
                    time: Duration::ZERO,
                    line: best.line.clone(),
                }
            }
            None => laboratory::think::<G>(
                self.position(),
                &self.evaluator,
                &self.profile,
                orders,
                (plan, started),
                (&moves, first),
                on_report,
            ),
        };
        thought.ponder = thought.line.get(1).copied();
        thought.time = started.elapsed();
        thought
    }
}

impl<G: Game> Session<G> {
    /// Plays the game out to its end where that takes no more than half of all the time that a move
    /// may take: on a clock more than its share, for the moves after it will need next to none.
    fn solve(
        &mut self,
        orders: &Orders<G::Move>,
        plan: Plan,
        moves: &[G::Move],
        on_report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Option<Thought<G::Move>> {
        let terms = &orders.terms;
        let all = orders.moves.is_empty() && orders.lines <= 1 && orders.ponder_hit.is_none();
        let endless = terms.depth.is_none() && terms.nodes.is_none();
        let solves = self.profile.selective().is_some_and(|(switches, _)| switches.solver);
        if !all || !endless || !solves || moves.len() < 2 {
            return None;
        }
        let most = plan.hard.unwrap_or(ENDLESS) / 2;
        let threads = self.profile.threads;
        let gain = 1.0 + (threads.min(cores()) - 1) as f64 * GAIN;
        if G::time_to_solve(self.position())?.div_f64(gain) > most {
            return None;
        }
        let started = Instant::now();
        let limits = Limits { time: Some(most), flag: orders.stop.clone(), ..Limits::default() };
        let ending = G::solve(&mut self.solver, self.course.position(), &limits, threads)?;
        let best = *ending.line.first()?;
        let plies = ending.line.len() as u32;
        let time = started.elapsed();
        on_report(&Report {
            depth: plies,
            deepest: plies,
            number: 0,
            value: ending.value,
            bound: BoundKind::Exact,
            nodes: ending.nodes,
            time,
            full: 0,
            line: &ending.line,
        });
        Some(Thought {
            best: Some(best),
            ponder: ending.line.get(1).copied(),
            value: ending.value,
            bound: BoundKind::Exact,
            depth: plies,
            deepest: plies,
            nodes: ending.nodes,
            time,
            line: ending.line,
        })
    }
}

/// What each further thread is expected to add to the speed of one.
const GAIN: f64 = 0.7;

/// How many processors there are.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The time for which a thread has a processor to itself when others wait for it.
const TURN: Duration = Duration::from_millis(4);

/// Without a clock, an ending that takes longer than half of this is searched like any position.
const ENDLESS: Duration = Duration::from_secs(20);

/// What there is to say of a finished game.
fn over<G: Game>(tree: &G, started: Instant) -> Thought<G::Move> {
    Thought {
        best: None,
        ponder: None,
        value: tree.evaluate(&tree.root()),
        bound: BoundKind::Exact,
        depth: 0,
        deepest: 0,
        nodes: 0,
        time: started.elapsed(),
        line: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameName;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    fn session<G: Game>() -> Session<G> {
        Session::new(Profile::standard(G::NAME).unwrap()).unwrap()
    }

    fn millis(time: u64) -> Terms {
        Terms { move_time: Some(Duration::from_millis(time)), ..Terms::default() }
    }

    /// Whole games of Othello in a great hurry: every move is legal, and the last ones are exact.
    #[test]
    fn othello_is_played_to_its_end() {
        let mut session = session::<Othello>();
        let mut exact = false;
        for _ in 0..plyground_games::othello::LONGEST_GAME {
            let thought = session.think(&Orders::on(millis(4)), &mut |_| {});
            let Some(best) = thought.best else { break };
            exact |= thought.bound == BoundKind::Exact && thought.depth > 6;
            assert!(session.play(best), "{best:?}");
        }
        assert!(session.position().board.is_over() && exact);
    }

    #[test]
    fn without_time_there_is_still_a_move() {
        let mut session = session::<Chess>();
        for terms in [millis(0), Terms { nodes: Some(1), ..Terms::default() }] {
            let mut orders = Orders::on(terms);
            orders.stop = StopFlag::new();
            orders.stop.raise();
            let thought = session.think(&orders, &mut |_| {});
            assert!(session.legal_moves().contains(&thought.best.unwrap()));
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
        other.set_course(game.course().clone());
        assert_eq!(other.earlier, game.earlier);
        assert!(game.undo().is_some() && game.undo().is_some());
        assert_eq!(game.earlier.len(), 1);
        assert!(game.redo().is_some() && game.redo().is_some() && game.redo().is_none());
        assert_eq!((&game.earlier, game.course()), (&other.earlier, other.course()));
    }

    #[test]
    fn what_is_illegal_changes_nothing() {
        let mut session = session::<Chess>();
        let e4 = session.position().uci_move("e2e4").unwrap();
        assert!(session.play(e4) && !session.play(e4));
        session.resize(TableSize::of_mebibytes(1));
        let terms = Terms { depth: Some(4), ..Terms::default() };
        let mut reports = 0;
        let thought = session.think(&Orders::on(terms), &mut |report| {
            assert!(report.line.len() <= 8 && report.nodes > 0);
            reports += 1;
        });
        assert!(reports >= 4 && thought.depth == 4 && thought.line.len() > 1);
        assert_eq!(session.profile().game, GameName::Chess);
    }
}
