//! Files of records, a line each: the `records.jsonl` of an experiment, the `games.jsonl` of a match.
//!
//! Each line is written by a single call, so a run that is killed loses at most one record. It may leave
//! an incomplete last line, which is removed when the file is opened again. What was written more than a
//! second ago is on the disk, and everything is at the end of a run: a power cut loses no more than that.
//!
//! Every line has a [checksum](line). A line that is damaged is never used: every command that reads the
//! file refuses it with the line's number. Without that line, the run makes the search again.
//!
//! A folder, or a file that lies beside another one, has one writer at a time, which holds its
//! [lock](lock).

mod line;
mod lock;

pub use line::SCHEMA;
use line::record_line;
pub(crate) use line::{is_sealed, sealed};

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::Hash;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::record::Record;
use crate::files;
use lock::WriterLock;

/// A record that a [`Store`] keeps: a search or a game, with a key that identifies it.
pub trait StoredRecord: Clone + Serialize + DeserializeOwned {
    /// Everything needed to repeat the search or the game.
    type Key: Clone + Eq + Hash + fmt::Display;
    /// The name of the file in its folder; or what is added to the name of the file that it lies beside.
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
    /// A line is not a record, or was damaged.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process is writing to the folder.
    #[error(
        "{}: another run is writing to it ({holder}); expected a place of this run's own, or that \
         run's end", what.display()
    )]
    Busy {
        /// The folder or the file.
        what: PathBuf,
        /// What the other process says of itself.
        holder: String,
    },
    /// The file is no longer the one that this run has written.
    #[error(
        "{}: {what} while this run was writing to it; {lost} of its records are not there, and the \
         same command makes them again", path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        what: &'static str,
        /// How many records this run had written.
        lost: usize,
    },
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
        Records::read_file(folder.join(R::FILE_NAME))
    }

    fn read_file(path: PathBuf) -> Result<Records<R>, StoreError> {
        let wrong = |error| StoreError::File { path: path.clone(), error };
        if !fs::metadata(&path).map_err(wrong)?.is_file() {
            return Err(wrong(io::Error::other("not a file; expected a file of records")));
        }
        let bytes = fs::read(&path).map_err(wrong)?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
        let mut records = Vec::new();
        for (i, line) in bytes[..whole].split(|b| *b == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let record = line::decode(line).map_err(|reason| StoreError::Line {
                path: path.clone(),
                line: i + 1,
                reason,
            })?;
            records.push(record);
        }
        Ok(Records { path, records, torn: bytes.len() - whole })
    }
}

/// How long a record may wait until it is on the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A file of records, open for appending.
#[derive(Debug)]
pub struct Store<R: StoredRecord = Record> {
    path: PathBuf,
    file: File,
    records: HashMap<R::Key, R>,
    mended: usize,
    /// The length of the file, as this run has left it.
    length: u64,
    /// How many records this run has written.
    appended: usize,
    synced: Instant,
    _lock: WriterLock,
}

impl<R: StoredRecord> Store<R> {
    /// Opens the file of a folder; both are created if necessary. Removes an incomplete last line.
    pub fn open(folder: &Path) -> Result<Store<R>, StoreError> {
        let lock = WriterLock::of_folder(folder)?;
        Store::open_file(folder.join(R::FILE_NAME), lock)
    }

    /// Opens the file that lies beside another one and has its name with [`StoredRecord::FILE_NAME`] added.
    pub fn open_beside(file: &Path) -> Result<Store<R>, StoreError> {
        let mut name = file.as_os_str().to_owned();
        name.push(R::FILE_NAME);
        let path = PathBuf::from(name);
        let lock = WriterLock::of_file(&path)?;
        Store::open_file(path, lock)
    }

    fn open_file(path: PathBuf, lock: WriterLock) -> Result<Store<R>, StoreError> {
        let wrong = |error| StoreError::File { path: path.clone(), error };
        files::remove_leftovers(&path);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path).map_err(wrong)?;
        files::sync_folder(&path);
        let read = Records::read_file(path.clone())?;
        let mut length = file.metadata().map_err(wrong)?.len();
        if read.torn > 0 {
            length -= read.torn as u64;
            file.set_len(length).map_err(wrong)?;
        }
        let mut records = HashMap::new();
        for record in read.records {
            insert(&mut records, record, &path.display().to_string(), None)?;
        }
        let (mended, appended, synced) = (read.torn, 0, Instant::now());
        Ok(Store { path, file, records, mended, length, appended, synced, _lock: lock })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of an incomplete last line that were removed.
    pub fn mended(&self) -> usize {
        self.mended
    }

    /// All records, in no particular order.
    pub fn records(&self) -> impl Iterator<Item = &R> {
        self.records.values()
    }

    /// The record with this key, if there is one.
    pub fn get(&self, key: &R::Key) -> Option<&R> {
        self.records.get(key)
    }

    /// Appends a record. Nothing of it stays in the file if it cannot be written whole.
    pub fn append(&mut self, record: &R) -> Result<(), StoreError> {
        self.check()?;
        let line = record_line(record);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            let _ = self.file.set_len(self.length);
            return Err(self.wrong(error));
        }
        self.length += line.len() as u64;
        self.appended += 1;
        self.records.insert(record.key().clone(), record.clone());
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes sure that all records are at their path and on the disk.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.sync()?;
        self.check()
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(|error| self.wrong(error))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Is the file at the path still the one that this run writes, and as long as it has left it?
    fn check(&self) -> Result<(), StoreError> {
        let at_path = files::is_at(&self.file, &self.path).map_err(|error| self.wrong(error))?;
        let length = self.file.metadata().map_err(|error| self.wrong(error))?.len();
        let what = match at_path {
            true if length == self.length => return Ok(()),
            true => "the file was changed",
            false => "the file was replaced or removed",
        };
        Err(StoreError::Changed { path: self.path.clone(), what, lost: self.appended })
    }

    fn wrong(&self, error: io::Error) -> StoreError {
        StoreError::File { path: self.path.clone(), error }
    }
}

impl<R: StoredRecord> Drop for Store<R> {
    /// A run that ends by an error keeps its records too.
    fn drop(&mut self) {
        let _ = self.file.sync_data();
    }
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
/// two records contradict each other, or if another process is writing to the folder. Returns the number
/// of records and the number of duplicates.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<(usize, usize), StoreError> {
    let is_new = !out.exists();
    let merged = WriterLock::of_folder(out).and_then(|_lock| merge_locked(folders, out));
    if is_new && merged.is_err() {
        // Only if nothing is in it.
        let _ = fs::remove_dir(out);
    }
    merged
}

fn merge_locked(folders: &[PathBuf], out: &Path) -> Result<(usize, usize), StoreError> {
    let path = out.join(FILE_NAME);
    files::remove_leftovers(&path);
    let mut joined = Vec::new();
    let mut records = HashMap::new();
    let mut places = HashMap::new();
    let mut repeated = 0;
    let own = path.exists().then(|| out.to_path_buf());
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
    let text: String = joined.iter().map(record_line).collect();
    files::replace(&path, text.as_bytes()).map_err(|error| StoreError::File { path, error })?;
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
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Busy { .. })));
    }

    #[test]
    fn a_torn_last_line_is_mended_wherever_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let (first, second) = (record_line(&record("a", 1)), record_line(&record("b", 2)));
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
        let line = record_line(&record("a", 1));
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

    /// Whoever writes to a folder has it alone, and it is free when the writer is gone.
    #[test]
    fn a_folder_has_one_writer() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        Store::open(other.path()).unwrap().append(&record("b", 2)).unwrap();
        let from_other = [other.path().to_path_buf()];
        let mut store = Store::open(folder.path()).unwrap();
        store.append(&record("a", 1)).unwrap();
        for refused in [
            Store::open(folder.path()).map(|_| ()),
            super::Store::<crate::tournament::GameRecord>::open(folder.path()).map(|_| ()),
            merge(&from_other, folder.path()).map(|_| ()),
        ] {
            let message = refused.unwrap_err().to_string();
            let own = format!("process {}", std::process::id());
            assert!(message.contains("another run") && message.contains(&own), "{message}");
        }
        store.finish().unwrap();
        // A file that a killed process left does not lock anything.
        fs::write(folder.path().join(".lock"), "process 1: nothing\n").unwrap();
        assert_eq!(merge(&from_other, folder.path()).unwrap(), (2, 0));
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, [FILE_NAME]);
    }

    #[test]
    fn a_writer_notices_that_its_file_is_not_at_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let replaced = || fs::rename(&path, folder.path().join("moved"));
        let removed = || fs::remove_file(&path);
        let changed = || fs::write(&path, "");
        let changes: [&dyn Fn() -> io::Result<()>; 3] = [&replaced, &removed, &changed];
        for change in changes {
            let mut store = Store::open(folder.path()).unwrap();
            store.append(&record("a", 1)).unwrap();
            change().unwrap();
            let message = store.append(&record("b", 2)).unwrap_err().to_string();
            assert!(message.contains("while this run was writing"), "{message}");
            assert!(message.contains("1 of its records"), "{message}");
            assert!(matches!(store.finish(), Err(StoreError::Changed { .. })));
            let _ = fs::remove_file(&path);
        }
    }

    #[test]
    fn a_failed_merge_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        assert!(merge(&[folder.path().join("none")], &out).is_err());
        assert!(!out.exists());
        // What a killed merge left is removed by the next writer.
        let leftover = folder.path().join(".records.jsonl.x1.tmp");
        fs::write(&leftover, "half").unwrap();
        Store::open(folder.path()).unwrap().finish().unwrap();
        assert!(!leftover.exists());
    }
}
