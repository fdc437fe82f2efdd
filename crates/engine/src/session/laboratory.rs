//! The laboratory's algorithms in play: any algorithm, with iterative deepening, under the same
//! limits.
//!
//! Such an engine searches a fixed tree to each depth in turn and knows nothing of repetitions; it
//! plays, but not well. Its searches know only a stop flag and a time that runs from their
//! beginning. So while the engine ponders, another thread waits until its own clock starts, and
//! raises the flag in time.

use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::clock::TimePlan;
use super::{BoundKind, ThinkOutcome, ThinkProgress, ThinkReport, ThinkRequest};
use crate::game::Game;
use crate::profile::Profile;
use plyground_core::limits::{Limits, Stop};
use plyground_core::memory;
use plyground_core::value::{LEAST_MATE, MATE, Value, mate_from_root};
use plyground_search::{Options, SearchError, SearchSpec, Workspace};

/// The most bytes that the lists and the table of a search may take.
const MAX_BYTES: usize = 256 << 20;

/// How much earlier than planned a search is stopped: a leaf takes longer here than a node in
/// selective play, and limits are checked less often.
const STOP_MARGIN: Duration = Duration::from_millis(15);

/// How often the thread that waits for the clock checks it.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The stack of that thread.
const WATCH_STACK: usize = 256 << 10;

/// The greatest depth. No search of the laboratory reaches it in the time of a game.
const MAX_DEPTH: u32 = 60;

/// A line of play with its value, of the last depth that was finished.
pub(super) type WeighedLine<M> = (Value, Vec<M>);

/// The result of the search to one depth.
struct SearchResult<M> {
    value: Option<Value>,
    best: Option<M>,
    nodes: u64,
    stopped: Option<Stop>,
    failure: Option<SearchError>,
}

/// Thinks about a move by the algorithm of `profile`; `moves` are the moves to choose from, and the
/// first of them. Returns the lines that were valued too, the best first.
pub(super) fn think<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    profile: &Profile,
    request: &ThinkRequest<G::Move>,
    (mut plan, started): (TimePlan, Instant),
    moves: (&[G::Move], G::Move),
    on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> (ThinkOutcome<G::Move>, Vec<WeighedLine<G::Move>>) {
    plan.hard = plan.hard.map(|hard| hard.saturating_sub(STOP_MARGIN.min(hard / 2)));
    let clock = OnceLock::new();
    let Some(hit) = &request.ponder_hit else {
        let _ = clock.set(started);
        return deepen::<G>(
            position,
            evaluator,
            profile,
            request,
            (plan, &clock),
            moves,
            on_report,
        );
    };
    let (finished, done) = channel::<()>();
    std::thread::scope(|scope| {
        let (clock, stop) = (&clock, &request.stop);
        let watch = move || {
            while done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Some(since) = hit.made() {
                    let since = *clock.get_or_init(|| since);
                    if plan.hard.is_some_and(|hard| since.elapsed() >= hard) {
                        stop.raise();
                    }
                }
            }
        };
        let watching = memory::thread(WATCH_STACK).and_then(|t| t.spawn_scoped(scope, watch));
        if watching.is_err() {
            // Without that thread the search could not end in time: its clock runs at once.
            let _ = clock.set(started);
        }
        let over = (plan, clock);
        let outcome = deepen::<G>(position, evaluator, profile, request, over, moves, on_report);
        drop(finished);
        outcome
    })
}

/// Searches to one depth after the other. `clock` holds when the own clock started, and is empty
/// while the engine ponders.
fn deepen<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    profile: &Profile,
    request: &ThinkRequest<G::Move>,
    (plan, clock): (TimePlan, &OnceLock<Instant>),
    (moves, first): (&[G::Move], G::Move),
    on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> (ThinkOutcome<G::Move>, Vec<WeighedLine<G::Move>>) {
    let started = Instant::now();
    let used = || clock.get().map(Instant::elapsed);
    let tree = G::from_position(position, evaluator.clone());
    // To choose from some of the moves, or to find several lines, each move is searched by itself.
    let one_by_one = request.lines > 1 || !request.moves.is_empty();
    let mut outcome = ThinkOutcome {
        best: Some(first),
        ponder: None,
        value: 0,
        bound: BoundKind::AtMost,
        depth: 0,
        deepest: 0,
        nodes: 0,
        time: Duration::ZERO,
        failure: None,
        line: vec![first],
    };
    let deepest = request.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut workspace = Workspace::new();
    let mut weighed = Vec::new();
    // A search whose move is an answer at any time needs no iterations: it has the whole time, and one
    // horizon far away.
    let anytime = profile.algorithm.entry().anytime && !one_by_one;
    let hard = plan.hard.map(|hard| hard.min(plan.soft.filter(|_| anytime).unwrap_or(hard)));
    for depth in if anytime { deepest } else { 1 }..=deepest {
        let mut options = profile.options(depth);
        options.deepening &= !anytime;
        options.guess = (depth > 1).then_some(outcome.value);
        options.limits = Limits {
            nodes: request.limits.nodes.map(|most| most.saturating_sub(outcome.nodes)),
            // While the engine ponders, the flag stops it.
            time: hard.and_then(|hard| Some(hard.saturating_sub(used()?))),
            bytes: Some(profile.limits.bytes.unwrap_or(MAX_BYTES).min(MAX_BYTES)),
            leaves: None,
            flag: request.stop.clone(),
        };
        let mut lines: Vec<(G::Move, Option<Value>)> = Vec::new();
        let found = if one_by_one {
            search_each_move::<G>(
                position,
                evaluator,
                &mut workspace,
                (profile, &mut options),
                moves,
                &mut lines,
            )
        } else {
            search_root(&tree, &mut workspace, profile, &options)
        };
        outcome.nodes += found.nodes;
        if outcome.depth == 0 {
            outcome.failure = found.failure;
        }
        // A search that was stopped may not have found the best move yet.
        if let Some(best) = found.best
            && (found.stopped.is_none() || depth == 1 || anytime)
        {
            outcome.best = Some(best);
            outcome.line = vec![best];
        }
        if found.stopped.is_some() && !anytime {
            break;
        }
        // Its lines have no common depth.
        let depth = if anytime { 1 } else { depth };
        outcome.value = found.value.unwrap_or(outcome.value);
        outcome.bound = if found.value.is_some() { BoundKind::Exact } else { BoundKind::AtMost };
        (outcome.depth, outcome.deepest) = (depth, depth);
        if lines.is_empty() {
            lines.extend(outcome.best.map(|best| (best, found.value)));
        }
        weighed =
            lines.iter().map(|&(mv, value)| (value.unwrap_or(outcome.value), vec![mv])).collect();
        for (number, &(mv, value)) in lines.iter().take(request.lines.max(1)).enumerate() {
            let progress = ThinkProgress {
                depth,
                deepest: depth,
                number,
                value: value.unwrap_or(outcome.value),
                bound: if value.is_some() { BoundKind::Exact } else { BoundKind::AtMost },
                nodes: outcome.nodes,
                time: started.elapsed(),
                full: 0,
            };
            on_report(&ThinkReport { progress, line: &[mv] });
        }
        let late = plan.soft.zip(used()).is_some_and(|(soft, used)| used >= soft);
        let mated = request.limits.mate.is_some_and(|moves| {
            outcome.value >= LEAST_MATE && MATE - outcome.value < 2 * moves.min(500) as Value
        });
        if late || mated || request.stop.is_raised() {
            break;
        }
    }
    (outcome, weighed)
}

/// Searches the tree from its root.
fn search_root<G: Game>(
    tree: &G,
    workspace: &mut Workspace,
    profile: &Profile,
    options: &Options,
) -> SearchResult<G::Move> {
    let nothing = |failure| {
        let stopped = Some(Stop::Locked);
        SearchResult { value: None, best: None, nodes: 0, stopped, failure }
    };
    // The profile was checked when it was made, and guesses and limits suit every algorithm.
    let Ok(spec) = SearchSpec::check(&profile.algorithm, options.clone()) else {
        return nothing(None);
    };
    match G::search(tree, workspace, &spec, None) {
        Ok(outcome) => SearchResult {
            value: outcome.value.or(outcome.estimate),
            best: outcome.best,
            nodes: outcome.counts.visits,
            stopped: outcome.stopped,
            failure: None,
        },
        // The memory of the algorithm is too small for this depth; the result of the last one stands.
        Err(SearchError::Locked(_)) => nothing(None),
        Err(error) => nothing(Some(error)),
    }
}

/// Searches below each move by itself; fills `lines` with the moves and their values, the best
/// first.
fn search_each_move<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    workspace: &mut Workspace,
    (profile, options): (&Profile, &mut Options),
    moves: &[G::Move],
    lines: &mut Vec<(G::Move, Option<Value>)>,
) -> SearchResult<G::Move> {
    let started = Instant::now();
    let (whole, most) = (options.limits.time, options.limits.nodes);
    let mut sum = 0;
    options.depth -= 1;
    options.guess = options.guess.map(|guess| -guess);
    for &mv in moves {
        let Some(next) = G::played(position, mv) else { continue };
        options.limits.time = whole.map(|time| time.saturating_sub(started.elapsed()));
        options.limits.nodes = most.map(|most| most.saturating_sub(sum));
        let found =
            search_root(&G::from_position(&next, evaluator.clone()), workspace, profile, options);
        sum += found.nodes;
        if found.stopped.is_some() {
            return SearchResult { value: None, best: None, nodes: sum, ..found };
        }
        let one_ply_up = |value: Value| if G::MATES { mate_from_root(-value, 1) } else { -value };
        let seen = found.value.map(one_ply_up);
        lines.push((mv, seen));
    }
    lines.sort_by_key(|&(_, value)| value.map_or(Value::MAX, |value| -value));
    let best = lines.first().copied();
    let value = best.and_then(|(_, value)| value);
    let best = best.map(|(mv, _)| mv);
    SearchResult { value, best, nodes: sum, stopped: None, failure: None }
}
