//! The engines that think for the page: one thread for each browser tab, and not more than a few.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use plyground_core::limits::StopFlag;
use plyground_core::memory;
use plyground_core::value::Value;
use plyground_engine::door::{AnyGame, AnyLine, Player, TextReport};
use plyground_engine::game::{Heading, SavedGame, Seat};
use plyground_engine::profile::Profile;
use plyground_engine::session::{BoundKind, GoLimits, MoveChoice, ThinkRequest};
use plyground_study::annotation::analyse;
use serde_json::{Value as Json, json};

use crate::stream::Feed;

/// The tabs that may have an engine at the same time. The one that was quiet for longest makes room.
const MOST_TABS: usize = 8;

/// The stack of an engine's thread.
const STACK: usize = 32 << 20;

/// Nothing thinks for longer than this.
pub(crate) const LONGEST: Duration = Duration::from_secs(600);

/// Work for an engine's thread.
pub(crate) struct EngineJob {
    /// The game so far.
    pub(crate) line: Box<dyn AnyLine>,
    /// The engine.
    pub(crate) profile: Profile,
    pub(crate) limits: GoLimits,
    pub(crate) task: EngineTask,
    pub(crate) stop: StopFlag,
    pub(crate) feed: Feed,
}

/// What to do with the game.
pub(crate) enum EngineTask {
    /// Think about the next move: how many lines to report, and how to choose.
    Think { lines: usize, choice: Option<MoveChoice> },
    /// Judge every move.
    Annotate,
}

struct Tab {
    jobs: Sender<EngineJob>,
    /// Stops what the thread does now.
    stop: StopFlag,
    used: Instant,
}

/// The engines of all tabs.
#[derive(Default)]
pub(crate) struct Tabs(Mutex<HashMap<String, Tab>>);

impl Tabs {
    /// Gives a job to a tab's thread, which leaves what it was doing.
    pub(crate) fn give(&self, tab: &str, job: EngineJob) -> anyhow::Result<()> {
        let mut tabs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !tabs.contains_key(tab) && tabs.len() >= MOST_TABS {
            let quiet = tabs.iter().filter(|(_, tab)| tab.stop.is_raised());
            let oldest = quiet.min_by_key(|(_, tab)| tab.used).map(|(name, _)| name.clone());
            match oldest {
                Some(oldest) => drop(tabs.remove(&oldest)),
                None => {
                    bail!("{MOST_TABS} tabs think already; expected that one of them is closed")
                }
            }
        }
        let stop = job.stop.clone();
        let job = match tabs.get_mut(tab) {
            Some(open) => {
                open.stop.raise();
                (open.stop, open.used) = (stop.clone(), Instant::now());
                match open.jobs.send(job) {
                    Ok(()) => return Ok(()),
                    // Its thread has ended by a panic.
                    Err(unsent) => unsent.0,
                }
            }
            None => job,
        };
        let (jobs, waiting) = channel();
        memory::thread(STACK)
            .and_then(|thread| thread.spawn(move || work(&waiting)))
            .context("there is no memory for an engine")?;
        let _ = jobs.send(job);
        tabs.insert(tab.into(), Tab { jobs, stop, used: Instant::now() });
        Ok(())
    }

    /// Stops what a tab's engine does.
    pub(crate) fn stop(&self, tab: &str) {
        let tabs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tab) = tabs.get(tab) {
            tab.stop.raise();
        }
    }

    /// Ends a tab's engine.
    pub(crate) fn close(&self, tab: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(tab);
    }

    /// Ends all engines.
    pub(crate) fn close_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The thread ends when it has no more work and nobody can give it any.
impl Drop for Tab {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// An engine's thread.
fn work(jobs: &Receiver<EngineJob>) {
    let mut engine: Option<Box<dyn Player>> = None;
    while let Ok(job) = jobs.recv() {
        let done = catch_unwind(AssertUnwindSafe(|| run(&mut engine, &job)));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => job.feed.deliver("failed", json!({ "error": format!("{error:#}") })),
            Err(_) => {
                engine = None;
                job.feed.deliver("failed", json!({ "error": "the engine failed" }));
            }
        }
        // A tab that is quiet has its flag raised.
        job.stop.raise();
    }
}

fn run(engine: &mut Option<Box<dyn Player>>, job: &EngineJob) -> anyhow::Result<()> {
    if job.stop.is_raised() {
        return Ok(());
    }
    let game = job.line.game();
    let fits = |player: &&mut Box<dyn Player>| {
        player.profile().name == job.profile.name && player.profile().game == game
    };
    let player = match engine.as_mut().filter(fits) {
        Some(player) => player,
        None => {
            // The old table goes before there is a new one.
            *engine = None;
            engine.insert(game.player(job.profile.clone())?)
        }
    };
    player.set_line(&*job.line)?;
    match job.task {
        EngineTask::Think { lines, choice } => think(&mut **player, job, lines, choice),
        EngineTask::Annotate => annotate(&mut **player, job),
    }
}

/// A value for the side that begins.
fn for_first(mover: Seat, value: Value) -> Value {
    if mover == Seat::First { value } else { -value }
}

fn bound_sign(mover: Seat, bound: BoundKind) -> &'static str {
    match (bound, mover) {
        (BoundKind::Exact, _) => "",
        (BoundKind::AtLeast, Seat::First) | (BoundKind::AtMost, Seat::Second) => "≥",
        _ => "≤",
    }
}

fn think(
    player: &mut dyn Player,
    job: &EngineJob,
    lines: usize,
    choice: Option<MoveChoice>,
) -> anyhow::Result<()> {
    let (game, mover) = (job.line.game(), job.line.mover());
    let mut request = ThinkRequest::on(job.limits.clone());
    (request.stop, request.lines, request.choice) = (job.stop.clone(), lines, choice);
    let mut settled = None;
    let thought = player.think(&request, &mut |report: &TextReport<'_>| {
        if report.number == 0 && report.bound == BoundKind::Exact {
            settled = Some(report.value);
        }
        job.feed.report("info", progress(game, mover, report));
    });
    let value = match (thought.bound, settled) {
        (BoundKind::Exact, _) | (_, None) => thought.value,
        (_, Some(value)) => value,
    };
    let value = for_first(mover, value);
    job.feed.deliver(
        "done",
        json!({
            "best": thought.best,
            "best_shown": job.line.show(thought.best.as_slice()).pop(),
            "value": value,
            "value_text": game.value_text(value),
            "depth": thought.depth,
            "nodes": thought.nodes,
            "seconds": thought.time.as_secs_f64(),
            "full": player.permille_full(),
            "line": thought.line,
            "shown": job.line.show(&thought.line),
        }),
    );
    Ok(())
}

fn progress(game: &dyn AnyGame, mover: Seat, report: &TextReport<'_>) -> Json {
    let value = for_first(mover, report.value);
    let seconds = report.time.as_secs_f64();
    json!({
        "number": report.number,
        "depth": report.depth,
        "deepest": report.deepest,
        "value": value,
        "value_text": game.value_text(value),
        "bound": bound_sign(mover, report.bound),
        "nodes": report.nodes,
        "seconds": seconds,
        "nps": report.nodes as f64 / seconds.max(1e-3),
        "full": report.full,
        "line": report.line.written(),
        "shown": report.line.shown(),
    })
}

fn annotate(player: &mut dyn Player, job: &EngineJob) -> anyhow::Result<()> {
    let game = job.line.game();
    let all = job.line.plies() + 1;
    let mut done = 0;
    let analysed = analyse(player, &*job.line, &job.limits, &job.stop, || {
        done += 1;
        job.feed.report("progress", json!({ "done": done, "of": all }));
    })?;
    let moves: Vec<Json> = analysed
        .moves
        .iter()
        .map(|mv| {
            json!({
                "ply": mv.ply, "move": mv.shown, "value": mv.value, "best": mv.best_shown.first(),
                "value_text": game.value_text(mv.value),
                "loss": mv.loss, "quality": mv.quality.name(), "mark": mv.quality.mark(),
                "line": mv.best_shown, "side": mv.seat.index(),
            })
        })
        .collect();
    let text = job.line.save(&Heading::default());
    let saved = SavedGame { line: job.line.clone(), text: Some(text), comments: Vec::new() };
    let text = game.annotated(&saved, &analysed.annotations())?;
    job.feed.deliver("done", json!({ "moves": moves, "of": analysed.plies, "text": text }));
    Ok(())
}
