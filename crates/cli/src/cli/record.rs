//! One search as JSON, by stable keys, and as lines for people.

use serde::Serialize;

use super::console::width;
use plyground_core::limits::Stop;
use plyground_core::value::Value;
use plyground_search::Outcome;
use plyground_study::report::thousands;
use plyground_study::report::wrap::broken;

/// One search as a JSON object. The keys are stable: scripts read them.
#[derive(Serialize)]
pub(crate) struct SearchRecord<'a> {
    algorithm: &'a str,
    value: Option<Value>,
    leaves: Option<u64>,
    evaluations: u64,
    interior: Option<u64>,
    visits: u64,
    #[serde(skip_serializing_if = "is_zero")]
    quiescence: u64,
    peak_open: u64,
    peak_backup: u64,
    peak_stored: u64,
    peak_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    researches: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_count: Option<u64>,
    stopped: Option<&'static str>,
    /// The answer to `--at-least`: yes, no, or null if it is not proved or was not asked.
    proved: Option<&'static str>,
    /// What a search that proves no value takes it to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<Value>,
}

/// Trees without a quiescence search leave its count out, and algorithms that never search again theirs.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl<'a> SearchRecord<'a> {
    pub(crate) fn new<M>(id: &'a str, outcome: &Outcome<M>, seconds: f64) -> SearchRecord<'a> {
        let counts = &outcome.counts;
        let bounds = outcome.value.is_none().then_some(outcome.bounds);
        SearchRecord {
            algorithm: id,
            value: outcome.value,
            leaves: counts.leaves,
            evaluations: counts.evaluations,
            interior: counts.interior,
            visits: counts.visits,
            quiescence: counts.quiescence,
            peak_open: counts.peak_open,
            peak_backup: counts.peak_backup,
            peak_stored: counts.peak_stored,
            peak_bytes: counts.peak_bytes,
            researches: counts.researches,
            seconds,
            terminal_count: outcome.terminal_count,
            stopped: outcome.stopped.map(Stop::name),
            proved: outcome.proved.map(yes_or_no),
            estimate: outcome.estimate.filter(|_| outcome.value.is_none()),
            lower: bounds.map(|b| b.lower),
            upper: bounds.map(|b| b.upper),
        }
    }
}

/// An answer as JSON output writes it.
pub(crate) const fn yes_or_no(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

/// The answer to `--at-least` as people read it.
pub(crate) fn answered<M>(
    least: Value,
    outcome: &Outcome<M>,
    shown: impl Fn(Value) -> String,
) -> (&'static str, String) {
    let answer = match outcome.proved {
        Some(answer) => format!("{}, proved", yes_or_no(answer)),
        None => "not known".into(),
    };
    ("question", format!("at least {}? {answer}", shown(least)))
}

/// What a search that proves no value takes it to be, as people read it.
pub(crate) fn estimated<M>(
    outcome: &Outcome<M>,
    shown: impl Fn(Value) -> String,
) -> Option<(&'static str, String)> {
    let estimate = outcome.estimate.filter(|_| outcome.value.is_none())?;
    Some(("estimate", shown(estimate)))
}

/// The counts as people read them, a line each.
pub(crate) fn counted<M>(outcome: &Outcome<M>, seconds: f64) -> Vec<(&'static str, String)> {
    let counts = &outcome.counts;
    let mut lines = Vec::new();
    if counts.leaves != Some(counts.evaluations) {
        lines.push(("evaluations", Some(counts.evaluations)));
    }
    lines.extend(outcome.terminal_count.map(|count| ("count", Some(count))));
    lines.extend([("interior", counts.interior), ("visits", Some(counts.visits))]);
    if counts.quiescence > 0 {
        lines.push(("quiescence", Some(counts.quiescence)));
    }
    let peaks = [
        ("re-searches", counts.researches),
        ("peak OPEN", counts.peak_open),
        ("peak BACKUP", counts.peak_backup),
        ("peak stored", counts.peak_stored),
    ];
    let held = peaks.into_iter().filter(|(_, peak)| *peak > 0);
    lines.extend(held.map(|(label, peak)| (label, Some(peak))));
    let mut lines: Vec<_> = lines.into_iter().map(|(label, count)| (label, known(count))).collect();
    let time = match seconds {
        s if s < 1e-3 => format!("{} µs", thousands(s * 1e6, 1)),
        s if s < 1.0 => format!("{} ms", thousands(s * 1e3, 1)),
        s => format!("{} s", thousands(s, 2)),
    };
    lines.push(("time", time));
    lines
}

/// A count as people read it; a dash where it is not known.
pub(crate) fn known(count: Option<u64>) -> String {
    count.map_or_else(|| "–".into(), |count| thousands(count as f64, 0))
}

/// The value, or what is known of it.
pub(crate) fn value_or_bounds<M>(outcome: &Outcome<M>, shown: impl Fn(Value) -> String) -> String {
    match (outcome.value, outcome.stopped) {
        (Some(value), _) => shown(value),
        (None, Some(stop)) => {
            let (lower, upper) = (shown(outcome.bounds.lower), shown(outcome.bounds.upper));
            format!("between {lower} and {upper} (stopped by the limit on {stop})")
        }
        (None, None) => {
            let (lower, upper) = (shown(outcome.bounds.lower), shown(outcome.bounds.upper));
            format!("between {lower} and {upper}: enough for the search to end")
        }
    }
}

/// Lines with labels, aligned and wrapped at the terminal's width.
pub(crate) fn labelled(lines: &[(&str, String)]) -> String {
    const LABEL: usize = 13;
    let width = width(false);
    let wrapped = lines.iter().flat_map(|(label, text)| {
        broken(&format!("{label:<width$}{text}", width = LABEL), width, LABEL)
    });
    wrapped.map(|line| line + "\n").collect()
}
