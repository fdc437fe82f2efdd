//! The records of a folder, as the page of results shows them: also while a run is writing them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use plyground_study::experiment::{Record, Records};
use plyground_study::report::report;
use serde_json::{Value as Json, json};

/// The most records that the page gets.
const MOST_RECORDS: usize = 20_000;

/// A folder of records.
pub(crate) struct ResultsFolder {
    folder: PathBuf,
    /// The report on a version of the records.
    made: Mutex<Option<(String, String)>>,
}

impl ResultsFolder {
    /// The folder, if there are records in it.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<ResultsFolder> {
        Records::<Record>::read(folder)
            .context("expected a folder with records, as `plyground compare --out DIR` makes")?;
        Ok(ResultsFolder { folder: folder.into(), made: Mutex::new(None) })
    }

    fn name(&self) -> String {
        let path = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        path.file_name()
            .map_or_else(|| "records".into(), |name| name.to_string_lossy().into_owned())
    }

    fn read(&self) -> anyhow::Result<(Vec<Record>, String)> {
        let read = Records::<Record>::read(&self.folder)?;
        let version = std::fs::metadata(&read.path).map(|file| file.len()).unwrap_or_default();
        let version = format!("{}-{version}", read.records.len());
        Ok((read.records, version))
    }

    /// The records; only their version if the page has these already.
    pub(crate) fn records(&self, known: &str) -> anyhow::Result<Json> {
        let (records, version) = self.read()?;
        if version == known {
            return Ok(json!({ "version": version }));
        }
        let shown: Vec<Json> = records.iter().take(MOST_RECORDS).map(row).collect();
        let all = records.len();
        Ok(json!({ "version": version, "name": self.name(), "records": shown, "all": all }))
    }

    /// The report as a page.
    pub(crate) fn report(&self) -> anyhow::Result<String> {
        let (records, version) = self.read()?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, html)) = &*made
            && *of == version
        {
            return Ok(html.clone());
        }
        let html = report(&records, &self.name()).document.to_html();
        *made = Some((version, html.clone()));
        Ok(html)
    }
}

fn row(record: &Record) -> Json {
    let setup = &record.setup;
    json!({
        "game": setup.game, "position": setup.position, "algorithm": setup.algorithm,
        "depth": setup.depth, "memory": setup.memory, "deepening": setup.deepening,
        "simulated": setup.simulated, "value": record.value, "best": record.best,
        "leaves": record.counts.leaves, "evaluations": record.counts.evaluations,
        "visits": record.counts.visits, "entries": record.peak_entries(),
        "seconds": record.seconds, "stopped": record.stopped,
    })
}
