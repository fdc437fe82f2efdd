//! Engines of the laboratory in play: any algorithm, deepened under the same limits.
//!
//! Such an engine searches a fixed tree to each depth in turn and knows nothing of repetitions; it
//! plays, but not well. It looks at its stop flag and at a time that runs from the beginning; so while
//! it ponders, a thread beside it waits for the clock to be its own, and raises the flag in time.

use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::clock::TimePlan;
use super::{BoundKind, ThinkOutcome, ThinkProgress, ThinkReport, ThinkRequest};
use crate::game::Game;
use crate::profile::Profile;
use plyground_core::limits::{Limits, Stop};
use plyground_core::value::{LEAST_MATE, MATE, Value, mate_from_root};
use plyground_search::{Options, SearchSpec, Workspace};

/// The most bytes that lists may take.
const MOST_BYTES: usize = 256 << 20;

/// Leaves are dearer here than nodes elsewhere, and limits are looked at later: so much earlier the
/// search is told to stop.
const EARLIER: Duration = Duration::from_millis(15);

/// Who waits for the clock looks this often.
const GLANCE: Duration = Duration::from_millis(1);

/// No search of the laboratory comes this deep in a game's time.
const MOST_DEPTH: u32 = 60;

/// What one search found: a value, a move, whether it was stopped.
struct Found<M> {
    value: Option<Value>,
    best: Option<M>,
    nodes: u64,
    stopped: Option<Stop>,
}

pub(super) fn think<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    profile: &Profile,
    request: &ThinkRequest<G::Move>,
    (mut plan, started): (TimePlan, Instant),
    moves: (&[G::Move], G::Move),
    on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> ThinkOutcome<G::Move> {
    plan.hard = plan.hard.map(|hard| hard.saturating_sub(EARLIER.min(hard / 2)));
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
        scope.spawn(move || {
            while done.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if hit.is_raised() {
                    let since = *clock.get_or_init(Instant::now);
                    if plan.hard.is_some_and(|hard| since.elapsed() >= hard) {
                        stop.raise();
                    }
                }
            }
        });
        let over = (plan, clock);
        let thought = deepen::<G>(position, evaluator, profile, request, over, moves, on_report);
        drop(finished);
        thought
    })
}

/// One depth after the other. The time counts from what `clock` says, or not yet.
fn deepen<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    profile: &Profile,
    request: &ThinkRequest<G::Move>,
    (plan, clock): (TimePlan, &OnceLock<Instant>),
    (moves, first): (&[G::Move], G::Move),
    on_report: &mut dyn FnMut(&ThinkReport<'_, G::Move>),
) -> ThinkOutcome<G::Move> {
    let started = Instant::now();
    let used = || clock.get().map(Instant::elapsed);
    let tree = G::from_position(position, evaluator.clone());
    // Who chooses from some moves only, or wants several lines, looks at each move for itself.
    let one_by_one = request.lines > 1 || !request.moves.is_empty();
    let mut thought = ThinkOutcome {
        best: Some(first),
        ponder: None,
        value: 0,
        bound: BoundKind::AtMost,
        depth: 0,
        deepest: 0,
        nodes: 0,
        time: Duration::ZERO,
        line: vec![first],
    };
    let deepest = request.limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
    let mut workspace = Workspace::new();
    for depth in 1..=deepest {
        let mut options = profile.options(depth);
        options.guess = (depth > 1).then_some(thought.value);
        options.limits = Limits {
            nodes: request.limits.nodes.map(|most| most.saturating_sub(thought.nodes)),
            // Who ponders is stopped by the flag.
            time: plan.hard.and_then(|hard| Some(hard.saturating_sub(used()?))),
            bytes: Some(profile.limits.bytes.unwrap_or(MOST_BYTES).min(MOST_BYTES)),
            leaves: None,
            flag: request.stop.clone(),
        };
        let mut lines: Vec<(G::Move, Option<Value>)> = Vec::new();
        let found = if one_by_one {
            each::<G>(
                position,
                evaluator,
                &mut workspace,
                (profile, &mut options),
                moves,
                &mut lines,
            )
        } else {
            once(&tree, &mut workspace, profile, &options)
        };
        thought.nodes += found.nodes;
        // A search that was stopped may not have come to the best move yet.
        if let Some(best) = found.best
            && (found.stopped.is_none() || depth == 1)
        {
            thought.best = Some(best);
            thought.line = vec![best];
        }
        if found.stopped.is_some() {
            break;
        }
        thought.value = found.value.unwrap_or(thought.value);
        thought.bound = if found.value.is_some() { BoundKind::Exact } else { BoundKind::AtMost };
        (thought.depth, thought.deepest) = (depth, depth);
        if lines.is_empty() {
            lines.extend(thought.best.map(|best| (best, found.value)));
        }
        for (number, &(mv, value)) in lines.iter().take(request.lines.max(1)).enumerate() {
            let progress = ThinkProgress {
                depth,
                deepest: depth,
                number,
                value: value.unwrap_or(thought.value),
                bound: if value.is_some() { BoundKind::Exact } else { BoundKind::AtMost },
                nodes: thought.nodes,
                time: started.elapsed(),
                full: 0,
            };
            on_report(&ThinkReport { progress, line: &[mv] });
        }
        let late = plan.soft.zip(used()).is_some_and(|(soft, used)| used >= soft);
        let mated = request.limits.mate.is_some_and(|moves| {
            thought.value >= LEAST_MATE && MATE - thought.value < 2 * moves.min(500) as Value
        });
        if late || mated || request.stop.is_raised() {
            break;
        }
    }
    thought
}

/// One search from the root.
fn once<G: Game>(
    tree: &G,
    workspace: &mut Workspace,
    profile: &Profile,
    options: &Options,
) -> Found<G::Move> {
    let nothing = Found { value: None, best: None, nodes: 0, stopped: Some(Stop::Locked) };
    // A profile has been checked, and guesses and limits go with every algorithm.
    let Ok(spec) = SearchSpec::check(&profile.algorithm, options.clone()) else { return nothing };
    match G::search(tree, workspace, &spec, None) {
        Ok(outcome) => Found {
            value: outcome.value,
            best: outcome.best,
            nodes: outcome.counts.visits,
            stopped: outcome.stopped,
        },
        // Memory is too small for this depth: what was found before stands.
        Err(_) => nothing,
    }
}

/// A search below each move; `lines` are the moves with their values, the best first.
fn each<G: Game>(
    position: &G::Position,
    evaluator: &G::Evaluator,
    workspace: &mut Workspace,
    (profile, options): (&Profile, &mut Options),
    moves: &[G::Move],
    lines: &mut Vec<(G::Move, Option<Value>)>,
) -> Found<G::Move> {
    let started = Instant::now();
    let (whole, most) = (options.limits.time, options.limits.nodes);
    let mut sum = 0;
    options.depth -= 1;
    options.guess = options.guess.map(|guess| -guess);
    for &mv in moves {
        let Some(next) = G::played(position, mv) else { continue };
        options.limits.time = whole.map(|time| time.saturating_sub(started.elapsed()));
        options.limits.nodes = most.map(|most| most.saturating_sub(sum));
        let found = once(&G::from_position(&next, evaluator.clone()), workspace, profile, options);
        sum += found.nodes;
        if found.stopped.is_some() {
            return Found { value: None, best: None, nodes: sum, stopped: found.stopped };
        }
        let one_ply_up = |value: Value| if G::MATES { mate_from_root(-value, 1) } else { -value };
        let seen = found.value.map(one_ply_up);
        lines.push((mv, seen));
    }
    lines.sort_by_key(|&(_, value)| value.map_or(Value::MAX, |value| -value));
    let best = lines.first().copied();
    let value = best.and_then(|(_, value)| value);
    Found { value, best: best.map(|(mv, _)| mv), nodes: sum, stopped: None }
}
