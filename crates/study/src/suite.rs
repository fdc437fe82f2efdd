//! Test suites: engines and the laboratory's searches on positions whose solutions are known.
//!
//! An [`Entrant`] is an engine that plays (it solves a position by the search that it plays with), or a
//! search of the laboratory. All entrants get the same limit. A [`SuiteRecord`] is what one of them found
//! in one position; [`SuiteTotals`] sums up, and [`solved_plot`] shows how many positions were solved
//! within which time.

mod record;
mod totals;

pub use record::{SuiteRecord, SuiteSetup};
pub use totals::{SuiteTotals, solved_plot};

use std::fmt;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::json;

use crate::experiment::{Store, in_parallel_with};
use plyground_core::limits::StopFlag;
use plyground_core::names;
use plyground_engine::door::{AnyGame, TextProblem};
use plyground_engine::game::BuiltInSuite;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{BoundKind, GoLimits, ThinkRequest};
use plyground_search::{Algorithm, MemoryFunctions, Outcome, SearchSpec, Workspace};

/// What every position is searched with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SuiteLimit {
    /// To this depth.
    Depth(u32),
    /// For this time.
    Time(Duration),
    /// For this many visits of nodes.
    Nodes(u64),
}

impl fmt::Display for SuiteLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteLimit::Depth(depth) => write!(f, "depth {depth}"),
            SuiteLimit::Time(time) => write!(f, "{} s", time.as_secs_f64()),
            SuiteLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// A position of a suite, with the suite's name and its number there.
#[derive(Clone, Debug)]
pub struct NumberedProblem {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The name of the suite, or the path of its file.
    pub suite: String,
    /// Its number in the suite, from 1.
    pub number: usize,
    /// The position and its solution.
    pub problem: TextProblem,
}

/// The built-in suite of this name, with its game; `None` if no suite has it.
pub fn built_in(
    games: &Games,
    name: &str,
) -> Option<(&'static dyn AnyGame, &'static BuiltInSuite)> {
    let all = || games.iter().flat_map(|game| game.suites().iter().map(move |suite| (game, suite)));
    let names = |suite: &'static BuiltInSuite| {
        std::iter::once(suite.name).chain(suite.aliases.iter().copied())
    };
    let meant = names::find(name, all().flat_map(|(_, suite)| names(suite)))?;
    all().find(|(_, suite)| names(suite).any(|name| name == meant))
}

/// The positions of a suite's text. Each must have a solution.
pub fn problems(
    game: &'static dyn AnyGame,
    suite: &str,
    text: &str,
) -> anyhow::Result<Vec<NumberedProblem>> {
    let problems = game.suite(text).with_context(|| suite.to_owned())?;
    ensure!(!problems.is_empty(), "{suite}: there are no positions");
    if let Some(i) = problems.iter().position(|problem| !problem.has_solution()) {
        bail!("{suite}: position {} has no solution; expected moves that solve it", i + 1);
    }
    let numbered = (1..).zip(problems).map(|(number, problem)| NumberedProblem {
        game,
        suite: suite.to_owned(),
        number,
        problem,
    });
    Ok(numbered.collect())
}

/// The memory that the lists and the stored tree of a laboratory's search may take.
const LABORATORY_BYTES: usize = 1 << 30;

/// Somebody that a suite is put to: an engine, or a search of the laboratory.
#[derive(Clone, Debug)]
pub struct Entrant {
    profile: Profile,
    limit: SuiteLimit,
    /// `None` for an engine that plays selectively.
    spec: Option<SearchSpec>,
    stop: StopFlag,
}

/// How an engine searches, as text that is the same for the same search: algorithm, memory, switches of play,
/// a hash of the weights.
pub(crate) fn search_text(profile: &Profile) -> String {
    let has_table = profile.memory.contains(MemoryFunctions::TABLE);
    let search = json!({
        "algorithm": profile.algorithm.to_string(),
        "memory": profile.memory.to_string(),
        "table": has_table.then(|| profile.table.entries()),
        "deepening": profile.deepening,
        "play": profile.selective().map(|(switches, _)| switches),
        "threads": profile.threads,
        "weights": format!("{:016x}", profile.game.weights_hash(&profile.evaluator)),
    });
    search.to_string()
}

impl Entrant {
    /// An engine. One without `[play]` solves positions by its laboratory search.
    pub fn engine(profile: Profile, limit: SuiteLimit, stop: &StopFlag) -> anyhow::Result<Entrant> {
        let spec = match profile.selective() {
            Some(_) => None,
            None => Some(spec(&profile, limit, stop)?),
        };
        Ok(Entrant { profile, limit, spec, stop: stop.clone() })
    }

    /// An algorithm of the laboratory, deepened, with the memory functions of the game's strongest
    /// engine: the same for every algorithm.
    pub fn algorithm(
        game: &'static dyn AnyGame,
        algorithm: &Algorithm,
        limit: SuiteLimit,
        stop: &StopFlag,
    ) -> anyhow::Result<Entrant> {
        let mut profile = Profile::standard(game)?;
        profile.name = algorithm.to_string();
        profile.algorithm = algorithm.clone();
        profile.play = None;
        profile.deepening = true;
        profile.limits.bytes.get_or_insert(LABORATORY_BYTES);
        let spec = Some(spec(&profile, limit, stop)?);
        Ok(Entrant { profile, limit, spec, stop: stop.clone() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.profile.name
    }

    /// The game that it plays.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.profile.game
    }

    /// Everything that decides what it finds.
    pub fn setup(&self, numbered: &NumberedProblem) -> SuiteSetup {
        let profile = &self.profile;
        SuiteSetup {
            engine: profile.name.clone(),
            file: numbered.suite.clone(),
            number: numbered.number,
            position: numbered.problem.position.clone(),
            limit: self.limit.to_string(),
            search: search_text(profile),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }

    /// Puts a position to it; `None` if it was interrupted.
    fn solve(
        &self,
        workspace: &mut Workspace,
        numbered: &NumberedProblem,
    ) -> anyhow::Result<Option<SuiteRecord>> {
        let found = match &self.spec {
            None => self.played(&numbered.problem)?,
            Some(spec) => self.searched(workspace, spec, numbered)?,
        };
        if self.stop.is_raised() {
            return Ok(None);
        }
        SuiteRecord::new(self.setup(numbered), numbered, &found).map(Some)
    }

    fn searched(
        &self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        numbered: &NumberedProblem,
    ) -> anyhow::Result<FoundMove> {
        let NumberedProblem { suite, number, problem, .. } = numbered;
        let tree = self.profile.game.tree(&problem.position, &self.profile.evaluator)?;
        let outcome = tree
            .search(workspace, spec, None)
            .with_context(|| format!("{}: {suite}, position {number}", self.name()))?;
        Ok(FoundMove {
            value: outcome.value.or(outcome.iterations.last().and_then(|last| last.value)),
            depth: outcome.depth,
            time: outcome.time,
            nodes: outcome.counts.visits,
            since: solved_since(problem, &outcome),
            best: outcome.best,
        })
    }

    /// The move that the engine would make in a game, from an empty table.
    fn played(&self, problem: &TextProblem) -> anyhow::Result<FoundMove> {
        let game = self.profile.game;
        let mut player = game.player(self.profile.clone())?;
        player.set_overhead(Duration::ZERO);
        player.set_line(&*game.start(&problem.position)?)?;
        let mut limits = GoLimits::default();
        match self.limit {
            SuiteLimit::Depth(depth) => limits.depth = Some(depth),
            SuiteLimit::Time(time) => limits.move_time = Some(time),
            SuiteLimit::Nodes(nodes) => limits.nodes = Some(nodes),
        }
        let mut request = ThinkRequest::on(limits);
        request.stop = self.stop.clone();
        let mut since = None;
        let thought = player.think(&request, &mut |report| {
            let solves = report.line.first().is_some_and(|mv| problem.is_solved_by(&mv));
            if !solves {
                since = None;
            } else if report.bound != BoundKind::AtMost {
                since = since.or(Some((report.time, report.nodes)));
            }
        });
        Ok(FoundMove {
            best: thought.best,
            value: Some(thought.value),
            depth: thought.depth,
            time: thought.time,
            nodes: thought.nodes,
            since: since.or(Some((thought.time, thought.nodes))),
        })
    }
}

/// What an entrant found in one position.
struct FoundMove {
    best: Option<String>,
    value: Option<i32>,
    depth: u32,
    time: Duration,
    nodes: u64,
    /// The time and nodes after which the best move was a solution for good.
    since: Option<(Duration, u64)>,
}

/// A search of the laboratory, as a profile describes it.
fn spec(profile: &Profile, limit: SuiteLimit, stop: &StopFlag) -> anyhow::Result<SearchSpec> {
    // An engine without deepening keeps its depth, and the limit may stop it on the way.
    let depth = match limit {
        SuiteLimit::Depth(depth) => depth,
        _ if profile.deepening => profile.game.deepest(),
        _ => profile.depth.unwrap_or(6),
    };
    let mut options = profile.options(depth);
    match limit {
        SuiteLimit::Depth(_) => {}
        SuiteLimit::Time(time) => options.limits.time = Some(time),
        SuiteLimit::Nodes(nodes) => options.limits.nodes = Some(nodes),
    }
    options.limits.flag = stop.clone();
    SearchSpec::check(&profile.algorithm, options).with_context(|| profile.name.clone())
}

/// Time and nodes at the end of the first iteration after which the best move was a solution for good.
fn solved_since(problem: &TextProblem, outcome: &Outcome<String>) -> Option<(Duration, u64)> {
    let solves = |best: &Option<String>| best.as_ref().is_some_and(|mv| problem.is_solved_by(mv));
    let first = outcome.iterations.iter().rposition(|i| !solves(&i.best)).map_or(0, |i| i + 1);
    match outcome.iterations.get(first) {
        Some(iteration) => Some((iteration.time, iteration.visits)),
        // The iteration that was stopped found it.
        None => Some((outcome.time, outcome.counts.visits)),
    }
}

/// Puts `problems` to an entrant, those of its own game, on `jobs` threads; `done` hears of every new
/// record. Records that the store has are not made again. Returns all records in the order of the
/// problems, fewer if it was interrupted.
pub fn run(
    entrant: &Entrant,
    problems: &[NumberedProblem],
    jobs: usize,
    mut store: Option<&mut Store<SuiteRecord>>,
    mut done: impl FnMut(&SuiteRecord) + Send,
) -> anyhow::Result<Vec<SuiteRecord>> {
    let mut records: Vec<Option<SuiteRecord>> = problems
        .iter()
        .map(|problem| store.as_ref()?.get(&entrant.setup(problem)).cloned())
        .collect();
    let missing: Vec<usize> = (0..problems.len())
        .filter(|&at| records[at].is_none() && problems[at].game == entrant.game())
        .collect();
    let make = |workspace: &mut Workspace, &at: &usize| {
        Ok(entrant.solve(workspace, &problems[at])?.map(|record| (at, record)))
    };
    in_parallel_with(&missing, jobs, Workspace::new, make, |(at, record)| {
        if let Some(store) = &mut store {
            store.append(&record)?;
        }
        done(&record);
        records[at] = Some(record);
        anyhow::Ok(())
    })?;
    Ok(records.into_iter().flatten().collect())
}
