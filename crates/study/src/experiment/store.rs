//! Files of records, a line each: the `records.jsonl` of an experiment, the `games.jsonl` of a match.
//!
//! Each line is written by a single call, so a run that is killed loses at most one record. It may leave
//! an incomplete last line, which is removed when the file is opened again.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::Hash;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::record::Record;

/// A record that a [`Store`] keeps: a search or a game, with a key that identifies it.
pub trait StoredRecord: Clone + Serialize + DeserializeOwned {
    /// Everything needed to repeat the search or the game.
    type Key: Clone + Eq + Hash + fmt::Display;
    /// The name of the file in its folder.
    const FILE_NAME: &'static str;
    /// The key of this record.
    fn key(&self) -> &Self::Key;
    /// Can both records be true? They have the same key.
    fn agrees_with(&self, other: &Self) -> bool;
}

/// The name of an experiment's file in its folder.
pub const FILE_NAME: &str = Record::FILE_NAME;

/// An error about a file of records.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is not a record.
    #[error("{}, line {line}: not a record: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Another run is writing to the file.
    #[error("{}: another run is writing to it; expected a folder of this run's own", .0.display())]
    Busy(PathBuf),
    /// Two records of the same search or game differ.
    #[error("{first} and {second} contradict each other: {what}")]
    Contradiction {
        /// The file of the first record.
        first: String,
        /// The file of the second record.
        second: String,
        /// The search or game.
        what: String,
    },
}

/// The records of a folder.
#[derive(Debug)]
pub struct Records<R = Record> {
    /// The file.
    pub path: PathBuf,
    /// All of them, in the order of the file.
    pub records: Vec<R>,
    /// The bytes of an incomplete last line.
    pub torn: usize,
}

impl<R: StoredRecord> Records<R> {
    /// Reads the records of a folder. An incomplete last line is left out; any other line that is not a
    /// record is an error.
    pub fn read(folder: &Path) -> Result<Records<R>, StoreError> {
        let path = folder.join(R::FILE_NAME);
        let bytes =
            fs::read(&path).map_err(|error| StoreError::File { path: path.clone(), error })?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
        let mut records = Vec::new();
        for (i, line) in bytes[..whole].split(|b| *b == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let record = serde_json::from_slice(line).map_err(|error| StoreError::Line {
                path: path.clone(),
                line: i + 1,
                reason: error.to_string(),
            })?;
            records.push(record);
        }
        Ok(Records { path, records, torn: bytes.len() - whole })
    }
}

/// A file of records, open for appending.
#[derive(Debug)]
pub struct Store<R: StoredRecord = Record> {
    path: PathBuf,
    file: File,
    records: HashMap<R::Key, R>,
    mended: usize,
}

impl<R: StoredRecord> Store<R> {
    /// Opens the file of a folder; both are created if necessary. Removes an incomplete last line.
    pub fn open(folder: &Path) -> Result<Store<R>, StoreError> {
        let path = folder.join(R::FILE_NAME);
        let wrong = |error| StoreError::File { path: path.clone(), error };
        fs::create_dir_all(folder)
            .map_err(|error| StoreError::File { path: folder.into(), error })?;
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path).map_err(wrong)?;
        if !lock(&file) {
            return Err(StoreError::Busy(path));
        }
        let read = Records::read(folder)?;
        if read.torn > 0 {
            let length = file.metadata().map_err(wrong)?.len();
            file.set_len(length - read.torn as u64).map_err(wrong)?;
        }
        let mut records = HashMap::new();
        for record in read.records {
            insert(&mut records, record, &path.display().to_string(), None)?;
        }
        Ok(Store { path, file, records, mended: read.torn })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of an incomplete last line that were removed.
    pub fn mended(&self) -> usize {
        self.mended
    }

    /// The record with this key, if there is one.
    pub fn get(&self, key: &R::Key) -> Option<&R> {
        self.records.get(key)
    }

    /// Appends a record.
    pub fn append(&mut self, record: &R) -> Result<(), StoreError> {
        let line = line_of(record);
        let wrong = |error| StoreError::File { path: self.path.clone(), error };
        self.file.write_all(line.as_bytes()).map_err(wrong)?;
        self.records.insert(record.key().clone(), record.clone());
        Ok(())
    }
}

/// How often the lock is tried, and the pause between two tries.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Takes the file's lock; `false` if another writer has it. Tries more than once: a process that was just
/// started may hold the lock for an instant, until it becomes another program.
fn lock(file: &File) -> bool {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // Some file systems have no locks; there, two runs are not kept apart.
            Ok(()) | Err(TryLockError::Error(_)) => return true,
        }
    }
    false
}

fn line_of(record: &impl StoredRecord) -> String {
    let mut line = serde_json::to_string(record).expect("a record is plain data");
    line.push('\n');
    line
}

/// Inserts a record; `false` if it was there already. A record that contradicts another is an error.
fn insert<R: StoredRecord>(
    records: &mut HashMap<R::Key, R>,
    record: R,
    place: &str,
    places: Option<&HashMap<R::Key, String>>,
) -> Result<bool, StoreError> {
    match records.get(record.key()) {
        None => {
            records.insert(record.key().clone(), record);
            Ok(true)
        }
        Some(there) if there.agrees_with(&record) => Ok(false),
        Some(_) => Err(StoreError::Contradiction {
            first: places.and_then(|p| p.get(record.key()).cloned()).unwrap_or(place.into()),
            second: place.into(),
            what: record.key().to_string(),
        }),
    }
}

/// Joins the records of several folders in one folder, with one record of each search. Writes nothing if
/// two records contradict each other. Returns the number of records and the number of duplicates.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<(usize, usize), StoreError> {
    let mut joined = Vec::new();
    let mut records = HashMap::new();
    let mut places = HashMap::new();
    let mut repeated = 0;
    let own = out.join(FILE_NAME).exists().then(|| out.to_path_buf());
    for folder in own.iter().chain(folders.iter().filter(|f| Some(*f) != own.as_ref())) {
        let read = Records::<Record>::read(folder)?;
        let place = read.path.display().to_string();
        for record in read.records {
            if insert(&mut records, record.clone(), &place, Some(&places))? {
                places.insert(record.setup.clone(), place.clone());
                joined.push(record);
            } else {
                repeated += 1;
            }
        }
    }
    let path = out.join(FILE_NAME);
    let wrong = |error| StoreError::File { path: path.clone(), error };
    fs::create_dir_all(out).map_err(wrong)?;
    let text: String = joined.iter().map(line_of).collect();
    // The old file stays until the new one is complete.
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text).map_err(wrong)?;
    fs::rename(&unfinished, &path).map_err(wrong)?;
    Ok((joined.len(), repeated))
}

#[cfg(test)]
mod tests {
    use super::super::record::Setup;
    use super::*;
    use plyground_search::Counts;

    type Records = super::Records<Record>;
    type Store = super::Store<Record>;

    fn record(position: &str, leaves: u64) -> Record {
        let setup = Setup {
            game: "chess".into(),
            position: position.into(),
            algorithm: "pvs".into(),
            depth: 3,
            memory: "none".into(),
            ..Setup::default()
        };
        Record {
            setup,
            value: Some(3),
            best: Some("e2e4".into()),
            counts: Counts {
                leaves: Some(leaves),
                evaluations: leaves,
                interior: Some(1),
                visits: 2,
                ..Counts::default()
            },
            width: None,
            seconds: Some(0.5),
            stopped: None,
            ..Record::default()
        }
    }

    #[test]
    fn records_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        store.append(&record("a", 1)).unwrap();
        store.append(&record("b", 2)).unwrap();
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.get(&record("b", 2).setup), Some(&record("b", 2)));
        assert_eq!(store.get(&record("c", 2).setup), None);
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Busy(_))));
    }

    #[test]
    fn a_torn_last_line_is_mended_wherever_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let (first, second) = (line_of(&record("a", 1)), line_of(&record("b", 2)));
        for cut in 0..second.len() {
            fs::write(&path, format!("{first}{}", &second[..cut])).unwrap();
            assert_eq!(Records::read(folder.path()).unwrap().torn, cut);
            let mut store = Store::open(folder.path()).unwrap();
            assert_eq!(store.mended(), cut);
            store.append(&record("c", 3)).unwrap();
            drop(store);
            let read = Records::read(folder.path()).unwrap();
            assert_eq!((read.records.len(), read.torn), (2, 0));
        }
    }

    #[test]
    fn a_bad_line_is_an_error_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let line = line_of(&record("a", 1));
        for bad in ["{}\n", "nonsense\n", "{\"game\":\"chess\"}\n"] {
            fs::write(folder.path().join(FILE_NAME), format!("{line}\n{bad}{line}")).unwrap();
            let message = Records::read(folder.path()).unwrap_err().to_string();
            assert!(message.contains("line 3: not a record"), "{message}");
        }
        let nowhere = Records::read(Path::new("no such folder")).unwrap_err().to_string();
        assert!(nowhere.contains("no such folder"), "{nowhere}");
    }

    #[test]
    fn merging_joins_and_refuses_contradictions() {
        let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let paths: Vec<PathBuf> = folders.iter().map(|f| f.path().to_path_buf()).collect();
        let out = tempfile::tempdir().unwrap();
        for (path, leaves) in paths.iter().zip([1, 1, 5]) {
            let mut store = Store::open(path).unwrap();
            store.append(&record("a", leaves)).unwrap();
            store.append(&record(&path.display().to_string(), 1)).unwrap();
        }
        assert_eq!(merge(&paths[..2], out.path()).unwrap(), (3, 1));
        let message = merge(&paths, out.path()).unwrap_err().to_string();
        assert!(message.contains("contradict") && message.contains("pvs on a"), "{message}");
        assert!(message.contains(&paths[2].display().to_string()), "{message}");
        // What was there is still there, and merging again changes nothing.
        assert_eq!(Records::read(out.path()).unwrap().records.len(), 3);
        assert_eq!(merge(&paths[..1], out.path()).unwrap(), (3, 2));
    }
}
