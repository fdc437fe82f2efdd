//! What a run of the document keeps of an experiment before it is whole: every search of a position as a
//! record, and parts that are no searches of positions as files of their own.
//!
//! They are in `records/ID` of the document's folder, those of a shard in a folder below it. Whoever runs the
//! experiment again, after it was killed or to more positions, makes only what is not there; several shards
//! make a part each, and the run after them finds everything.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::document::Provenance;
use super::{Findings, PaperRun, data_file};
use crate::experiment::{ExperimentPlan, FILE_NAME, PlannedSearch, Record, Records, Setup, Store};
use crate::files;
use crate::report::TextTable;
use crate::report::plot::Plot;

/// The files that name the commits and the processors which made what is in their folder.
const COMMITS: &str = "commits.txt";
const PROCESSORS: &str = "processors.txt";

/// What is kept of one experiment.
pub struct Kept {
    /// The folder that this run writes.
    folder: PathBuf,
    /// Records of this run's folder, and where to write more.
    store: Mutex<Store<Record>>,
    /// Records of the other folders.
    others: HashMap<Setup, Record>,
    /// All folders, this run's own among them.
    folders: Vec<PathBuf>,
    run: Provenance,
    /// The shard, from 0, and how many there are.
    shard: (usize, usize),
    left_out: AtomicU64,
}

/// A part of an experiment, in a file of its own.
#[derive(Serialize, Deserialize)]
struct Part {
    /// Parts of earlier versions have none.
    #[serde(default)]
    format: u32,
    #[serde(flatten)]
    run: Provenance,
    tables: Vec<TextTable>,
    plots: Vec<(String, Plot)>,
    rows: Vec<Json>,
}

impl Kept {
    /// Opens what is kept of an experiment in the document's folder. `shard` is the I-th of N, from 1.
    pub fn open(
        document: &Path,
        id: &str,
        run: &Provenance,
        shard: Option<(usize, usize)>,
    ) -> anyhow::Result<Kept> {
        let whole = document.join("records").join(id);
        let folder = match shard {
            None => whole.clone(),
            Some((i, n)) => whole.join(format!("{i}-of-{n}")),
        };
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let store = Store::open(&folder)?;
        let mut folders = vec![whole.clone()];
        let shards = std::fs::read_dir(&whole)
            .with_context(|| format!("cannot read {}", whole.display()))?;
        for entry in shards {
            let path = entry.with_context(|| format!("cannot read {}", whole.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
        folders.sort();
        let mut others = HashMap::new();
        for other in folders.iter().filter(|other| **other != folder) {
            if other.join(FILE_NAME).exists() {
                let read = Records::<Record>::read(other)?;
                others.extend(read.records.into_iter().map(|r| (r.setup.clone(), r)));
            }
        }
        let kept = Kept {
            folder,
            store: Mutex::new(store),
            others,
            folders,
            run: run.clone(),
            shard: shard.map_or((0, 1), |(i, n)| (i - 1, n)),
            left_out: AtomicU64::new(0),
        };
        kept.note(COMMITS, &kept.run.commit)?;
        kept.note(PROCESSORS, &kept.run.processor)?;
        Ok(kept)
    }

    /// The commits of all runs that made what is kept, the present one among them.
    pub fn commits(&self) -> String {
        self.noted(COMMITS).join(", ")
    }

    /// The processors of all runs that made what is kept, the present one among them.
    pub fn processors(&self) -> String {
        self.noted(PROCESSORS).join("; ")
    }

    /// The lines of the files of this name in all folders, sorted, each once.
    fn noted(&self, file: &str) -> Vec<String> {
        let texts = self.folders.iter().filter_map(|f| std::fs::read_to_string(f.join(file)).ok());
        let mut all: Vec<String> =
            texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        all.sort();
        all.dedup();
        all
    }

    fn note(&self, file: &str, line: &str) -> anyhow::Result<()> {
        let path = self.folder.join(file);
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        if known.lines().any(|known| known == line) {
            return Ok(());
        }
        let text = format!("{known}{line}\n");
        files::replace(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// How many searches and parts belong to other shards and are not there yet.
    pub fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }

    /// Does the search or part of this number belong to this shard?
    pub(super) fn is_mine(&self, number: usize) -> bool {
        number % self.shard.1 == self.shard.0
    }

    fn known(&self, setup: &Setup) -> Option<Record> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.get(setup).or_else(|| self.others.get(setup)).cloned()
    }

    fn keep(&self, record: &Record) -> anyhow::Result<()> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(store.append(record)?)
    }

    fn part_file(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.json"))
    }

    /// The part, if one of the folders has it; a file of other settings is none.
    fn read_part(&self, name: &str) -> anyhow::Result<Option<Findings>> {
        for folder in &self.folders {
            let path = Kept::part_file(folder, name);
            let Some(part) = data_file::read(&path)? else { continue };
            let part: Part = serde_json::from_value(part).with_context(|| {
                format!("{}: not a part of an experiment; remove it", path.display())
            })?;
            if part.run.is_same(&self.run) {
                let Part { tables, plots, rows, .. } = part;
                return Ok(Some(Findings { tables, plots, rows, ..Findings::default() }));
            }
        }
        Ok(None)
    }

    fn write_part(&self, name: &str, found: &Findings) -> anyhow::Result<()> {
        let path = Kept::part_file(&self.folder, name);
        let Findings { tables, plots, rows, .. } = found;
        let (tables, plots, rows) = (tables.clone(), plots.clone(), rows.clone());
        let (format, run) = (data_file::FORMAT, self.run.clone());
        data_file::write(&path, &Part { format, run, tables, plots, rows })
    }
}

impl PaperRun<'_> {
    /// Runs a part of an experiment, or takes it from what is kept. `number` says which shard makes it;
    /// without one all do, each the searches that are its own.
    pub(super) fn part(
        &self,
        (name, number): (&str, Option<usize>),
        make: impl FnOnce() -> anyhow::Result<Findings>,
    ) -> anyhow::Result<Findings> {
        let Some(kept) = self.kept else { return make() };
        if let Some(found) = kept.read_part(name)? {
            return Ok(found);
        }
        if number.is_some_and(|number| !kept.is_mine(number)) {
            kept.leave_out();
            return Ok(Findings::default());
        }
        let before = kept.left_out();
        let found = make()?;
        // What is not whole is not kept.
        if !self.flag.is_raised() && kept.left_out() == before {
            kept.write_part(name, &found)?;
        }
        Ok(found)
    }

    /// Makes the searches of a plan that are not kept yet; all records that there are then, in no particular
    /// order. Those of other shards may be missing, and all after the flag was raised.
    pub(super) fn make(
        &self,
        plan: &ExperimentPlan,
        jobs: usize,
        step: impl Fn() + Sync,
    ) -> anyhow::Result<Vec<Record>> {
        let mut records: Vec<Record> = Vec::new();
        let mut tasks: Vec<&PlannedSearch> = Vec::new();
        for (number, task) in plan.tasks.iter().enumerate() {
            let known = self.kept.and_then(|kept| kept.known(&task.setup));
            match (known, self.kept) {
                (Some(record), _) => {
                    records.push(record);
                    step();
                }
                (None, Some(kept)) if !kept.is_mine(number) => kept.leave_out(),
                (None, _) => tasks.push(task),
            }
        }
        plan.run(&tasks, jobs, |record| {
            let record = record?;
            if let Some(kept) = self.kept {
                kept.keep(&record)?;
            }
            records.push(record);
            step();
            anyhow::Ok(())
        })?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance(seed: u64) -> Provenance {
        let (commit, processor) = (format!("commit{seed}"), format!("processor {}", seed % 2));
        Provenance { commit, processor, seed, ..Provenance::default() }
    }

    fn found(text: &str) -> Findings {
        Findings { rows: vec![text.into()], ..Findings::default() }
    }

    fn run<'a>(kept: &'a Kept) -> PaperRun<'a> {
        let flag = plyground_core::limits::StopFlag::new();
        PaperRun { count: None, deepest: None, seed: 1, flag, progress: &(), kept: Some(kept) }
    }

    #[test]
    fn a_part_is_made_once_for_the_same_settings() {
        let folder = tempfile::tempdir().unwrap();
        let open = |seed, shard| Kept::open(folder.path(), "survey", &provenance(seed), shard);
        let kept = open(1, None).unwrap();
        let first = run(&kept).part(("trees", None), || Ok(found("first"))).unwrap();
        assert_eq!(first.rows[0], "first");
        drop(kept);
        let kept = open(1, None).unwrap();
        let again = run(&kept).part(("trees", None), || Ok(found("second"))).unwrap();
        assert_eq!(again.rows[0], "first");
        drop(kept);
        let kept = open(2, None).unwrap();
        let other = run(&kept).part(("trees", None), || Ok(found("second"))).unwrap();
        assert_eq!(other.rows[0], "second");
        assert_eq!(kept.commits(), "commit1, commit2");
        assert_eq!(kept.processors(), "processor 0; processor 1");
    }

    #[test]
    fn a_part_that_was_stopped_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::open(folder.path(), "survey", &provenance(1), None).unwrap();
        let stopped = run(&kept);
        stopped
            .part(("trees", None), || {
                stopped.flag.raise();
                Ok(found("half"))
            })
            .unwrap();
        let whole = run(&kept).part(("trees", None), || Ok(found("whole"))).unwrap();
        assert_eq!(whole.rows[0], "whole");
    }

    #[test]
    fn shards_leave_the_parts_of_others_out_and_find_them_later() {
        let folder = tempfile::tempdir().unwrap();
        let open = |shard| Kept::open(folder.path(), "survey", &provenance(1), shard).unwrap();
        let (one, two) = (open(Some((1, 2))), open(Some((2, 2))));
        let make = |kept: &Kept, number| {
            run(kept)
                .part((&format!("part{number}"), Some(number)), || Ok(found("made")))
                .unwrap()
                .rows
                .len()
        };
        assert_eq!((make(&one, 0), make(&one, 1), one.left_out()), (1, 0, 1));
        assert_eq!((make(&two, 1), two.left_out()), (1, 0));
        drop((one, two));
        let all = open(None);
        let never = || -> anyhow::Result<Findings> { panic!("it is there") };
        for name in ["part0", "part1"] {
            assert_eq!(run(&all).part((name, Some(0)), never).unwrap().rows.len(), 1);
        }
    }
}
