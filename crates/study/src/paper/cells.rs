//! The cells of an experiment on real positions: one engine at one setting on all positions, with the
//! numbers of every position, so that every ratio and every interval can be computed again from them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::PositionRun;
use crate::experiment::{ExperimentPlan, PairedRatio, Processes, Record, Setup, holm};
use plyground_core::value::Value;
use plyground_engine::profile::Profile;

/// One engine at one setting, position by position. A search that was stopped has no numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCell {
    /// The experiment.
    pub experiment: String,
    /// The game's name.
    pub game: String,
    /// The depth of the searches, in plies.
    pub depth: u32,
    /// The line of the table or figure that it belongs to.
    pub line: String,
    /// The algorithm's id.
    pub algorithm: String,
    /// The setting: the place on the x axis.
    pub x: u64,
    /// The values that were found; none in a file of data where they are those of the first line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Option<Value>>,
    /// Evaluations of leaves.
    pub evaluations: Vec<Option<u64>>,
    /// Visits of nodes.
    pub visits: Vec<Option<u64>>,
    /// Seconds of the processor; none if searches ran side by side.
    pub seconds: Vec<Option<f64>>,
    /// The mean number of calls of the search below the root.
    pub calls: f64,
    /// The most bytes that any of the searches held.
    pub peak_bytes: u64,
    /// The most bytes that each search held, where nothing else depends on the bytes that it may hold: the
    /// cell then says what is found [within](MeasuredCell::within) fewer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each_bytes: Vec<Option<u64>>,
}

/// A number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellMeasure {
    /// Evaluations of leaves.
    Evaluations,
    /// Visits of nodes.
    Visits,
    /// Seconds of the processor.
    Seconds,
}

impl CellMeasure {
    /// All of them.
    pub const ALL: [CellMeasure; 3] =
        [CellMeasure::Evaluations, CellMeasure::Visits, CellMeasure::Seconds];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            CellMeasure::Evaluations => "evaluations",
            CellMeasure::Visits => "visits",
            CellMeasure::Seconds => "CPU seconds",
        }
    }
}

impl MeasuredCell {
    /// The numbers of all positions.
    pub fn numbers(&self, measure: CellMeasure) -> Vec<Option<f64>> {
        let counts = |counts: &[Option<u64>]| counts.iter().map(|n| n.map(|n| n as f64)).collect();
        match measure {
            CellMeasure::Evaluations => counts(&self.evaluations),
            CellMeasure::Visits => counts(&self.visits),
            CellMeasure::Seconds => self.seconds.clone(),
        }
    }

    /// This cell beside another one on the same positions.
    pub fn paired(&self, other: &MeasuredCell, measure: CellMeasure) -> Option<PairedRatio> {
        let (ours, theirs) = (self.numbers(measure), other.numbers(measure));
        PairedRatio::of(ours.into_iter().zip(theirs).filter_map(|(a, b)| Some((a?, b?))))
    }

    /// How many searches were not stopped.
    pub fn finished(&self) -> usize {
        self.evaluations.iter().flatten().count()
    }

    /// Was no search stopped?
    pub fn is_complete(&self) -> bool {
        self.finished() == self.evaluations.len() && !self.evaluations.is_empty()
    }

    /// Takes the numbers of another cell on the same positions where this one has none.
    pub fn fill(&mut self, other: &MeasuredCell) {
        fn each<T: Copy>(own: &mut [Option<T>], other: &[Option<T>], missing: &[bool]) {
            for ((own, other), missing) in own.iter_mut().zip(other).zip(missing) {
                if *missing {
                    *own = *other;
                }
            }
        }
        let missing: Vec<bool> = self.evaluations.iter().map(Option::is_none).collect();
        each(&mut self.values, &other.values, &missing);
        each(&mut self.evaluations, &other.evaluations, &missing);
        each(&mut self.visits, &other.visits, &missing);
        each(&mut self.seconds, &other.seconds, &missing);
        each(&mut self.each_bytes, &other.each_bytes, &missing);
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }

    /// What the same searches find when they may hold only so many bytes, where nothing else depends on the
    /// bytes: those that held more have no numbers.
    pub fn within(&self, bytes: u64) -> MeasuredCell {
        fn only<T: Copy>(all: &[Option<T>], fits: &[bool]) -> Vec<Option<T>> {
            all.iter().zip(fits).map(|(one, fits)| one.filter(|_| *fits)).collect()
        }
        let fits: Vec<bool> =
            self.each_bytes.iter().map(|held| held.is_some_and(|held| held <= bytes)).collect();
        let all_fit = fits.iter().all(|fits| *fits);
        MeasuredCell {
            x: bytes,
            values: only(&self.values, &fits),
            evaluations: only(&self.evaluations, &fits),
            visits: only(&self.visits, &fits),
            seconds: only(&self.seconds, &fits),
            // A search that stops has filled its bytes.
            peak_bytes: if all_fit { self.peak_bytes } else { bytes },
            each_bytes: only(&self.each_bytes, &fits),
            ..self.clone()
        }
    }

    /// The cell as an object of a file of data.
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The cells among these objects.
    pub fn all(rows: &[Json]) -> Vec<MeasuredCell> {
        rows.iter().filter_map(|row| serde_json::from_value(row.clone()).ok()).collect()
    }
}

/// A time to the microsecond: what a clock tells, and short in a file.
pub(super) fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Ratios of several cells to their bases, with what Holm's correction makes of each probability.
pub fn family(
    pairs: &[(&MeasuredCell, &MeasuredCell)],
    measure: CellMeasure,
) -> Vec<Option<Compared>> {
    let found: Vec<Option<PairedRatio>> =
        pairs.iter().map(|(cell, base)| cell.paired(base, measure)).collect();
    let known: Vec<f64> = found.iter().flatten().map(|paired| paired.p).collect();
    let mut corrected = holm(&known).into_iter();
    let compared = |paired: Option<PairedRatio>| {
        paired.map(|paired| Compared { paired, corrected: corrected.next().unwrap_or(1.0) })
    };
    found.into_iter().map(compared).collect()
}

/// A paired ratio as one of a family of comparisons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The ratio.
    pub paired: PairedRatio,
    /// Its probability after Holm's correction.
    pub corrected: f64,
}

impl Compared {
    /// Is it below 1, above 1, or undecided?
    pub fn decided(&self) -> Option<std::cmp::Ordering> {
        let decided = self.corrected < 0.05 && self.paired.ratio.count > 2;
        decided.then(|| self.paired.ratio.mean.total_cmp(&1.0))
    }
}

impl PositionRun<'_> {
    /// Searches every position to one depth with one engine; `None` if the flag stopped it. `line` names
    /// the line and `x` the setting.
    pub(super) fn cell(
        &self,
        experiment: &str,
        at: (&str, u64),
        engine: &Profile,
        depth: u32,
    ) -> anyhow::Result<Option<MeasuredCell>> {
        let cell = self.cell_with_bytes(experiment, at, engine, depth)?;
        Ok(cell.map(|cell| MeasuredCell { each_bytes: Vec::new(), ..cell }))
    }

    /// As [`cell`](PositionRun::cell), with the bytes that each search held.
    pub(super) fn cell_with_bytes(
        &self,
        experiment: &str,
        (line, x): (&str, u64),
        engine: &Profile,
        depth: u32,
    ) -> anyhow::Result<Option<MeasuredCell>> {
        let engines = std::slice::from_ref(engine);
        let seed = self.run.seed;
        let processes = Processes::default();
        let plan =
            ExperimentPlan::new(self.game, &self.positions, engines, [depth], processes, seed)?;
        let plan = plan.timed_once();
        let records = self.run.make(&plan, self.jobs, || ())?;
        if self.run.flag.is_raised() {
            return Ok(None);
        }
        // In the order of the positions, whichever search ended first. A shard has some of them.
        let by_setup: HashMap<&Setup, &Record> = records.iter().map(|r| (&r.setup, r)).collect();
        let found: Vec<Option<&Record>> =
            plan.tasks.iter().map(|task| by_setup.get(&task.setup).copied()).collect();
        let finished: Vec<Option<&Record>> =
            found.iter().map(|record| record.filter(|record| record.stopped.is_none())).collect();
        let calls: f64 = records.iter().map(|record| record.counts.calls as f64).sum();
        let counts = |of: fn(&Record) -> u64| finished.iter().map(|r| r.map(of)).collect();
        Ok(Some(MeasuredCell {
            experiment: experiment.into(),
            game: self.game.name().into(),
            depth,
            line: line.into(),
            algorithm: engine.algorithm.to_string(),
            x,
            values: finished.iter().map(|record| record.and_then(|r| r.value)).collect(),
            evaluations: counts(|record| record.counts.evaluations),
            visits: counts(|record| record.counts.visits),
            seconds: finished.iter().map(|r| r.and_then(|r| r.seconds).map(microseconds)).collect(),
            calls: calls / records.len().max(1) as f64,
            peak_bytes: records.iter().map(|r| r.counts.peak_bytes).max().unwrap_or(0),
            each_bytes: counts(|record| record.counts.peak_bytes),
        }))
    }

    /// Was no search of the cell stopped that this run makes?
    pub(super) fn is_complete(&self, cell: &MeasuredCell) -> bool {
        let mine = |i: usize| self.run.kept.is_none_or(|kept| kept.is_mine(i));
        let own = || (0..cell.evaluations.len()).filter(|&i| mine(i));
        own().count() > 0 && own().all(|i| cell.evaluations[i].is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(in crate::paper) fn cell(line: &str, x: u64, evaluations: &[u64]) -> MeasuredCell {
        MeasuredCell {
            line: line.into(),
            x,
            values: vec![Some(0); evaluations.len()],
            evaluations: evaluations.iter().copied().map(Some).collect(),
            visits: evaluations.iter().copied().map(Some).collect(),
            seconds: vec![None; evaluations.len()],
            ..MeasuredCell::default()
        }
    }

    #[test]
    fn ratios_are_computed_from_the_positions() {
        let (a, b) = (cell("a", 1, &[50, 52, 48, 51]), cell("b", 1, &[100, 100, 100, 100]));
        let paired = a.paired(&b, CellMeasure::Evaluations).unwrap();
        assert!((paired.ratio.mean - 0.5022).abs() < 1e-3 && (paired.total - 0.5025).abs() < 1e-9);
        assert_eq!(a.paired(&b, CellMeasure::Seconds), None);
        let family = family(&[(&a, &b), (&b, &b)], CellMeasure::Visits);
        assert_eq!(family[0].unwrap().decided(), Some(std::cmp::Ordering::Less));
        assert_eq!(family[1].unwrap().decided(), None);
    }

    #[test]
    fn what_a_cell_lacks_is_taken_from_another() {
        let (mut some, more) = (cell("a", 1, &[50, 52]), cell("a", 1, &[60, 62]));
        (some.evaluations[1], some.visits[1], some.values[1]) = (None, None, None);
        some.fill(&more);
        assert_eq!(some.evaluations, [Some(50), Some(62)]);
        assert!(some.is_complete() && some.visits == [Some(50), Some(62)]);
    }

    #[test]
    fn what_fits_into_less_is_the_same() {
        let whole = MeasuredCell {
            each_bytes: vec![Some(100), None, Some(300)],
            peak_bytes: 400,
            ..cell("a", 400, &[5, 6, 7])
        };
        let less = whole.within(100);
        assert_eq!((less.x, less.peak_bytes), (100, 100));
        assert_eq!(less.evaluations, [Some(5), None, None]);
        assert_eq!(whole.within(300).visits, [Some(5), None, Some(7)]);
    }

    #[test]
    fn cells_are_read_back_from_their_data() {
        let mut stopped = cell("a", 1 << 20, &[3, 4]);
        stopped.values[1] = None;
        stopped.evaluations[1] = None;
        assert!(!stopped.is_complete() && stopped.finished() == 1);
        let rows = [stopped.to_json(), serde_json::json!({"table": 2})];
        assert_eq!(MeasuredCell::all(&rows), [stopped]);
    }
}
