//! The lock on a folder of records, or on a single file of them. Whoever writes there holds it: a run that
//! appends, and a merge that replaces.
//!
//! The lock is the system's own, on a file in the folder that says who holds it. So it is free again when
//! its process ends, however it ends; a file that is left over locks nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::StoreError;
use crate::command::own_command;
use crate::files;

/// The name of the file in the folder.
const FILE_NAME: &str = ".lock";

/// How often the lock is tried, and the pause between two tries.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// The most bytes that are read of what the holder says of itself.
const MOST_SAID: u64 = 1000;

/// The lock on a folder or a file, while this exists.
#[derive(Debug)]
pub(super) struct WriterLock {
    path: PathBuf,
    _file: File,
}

impl WriterLock {
    /// Takes the lock of a folder, which is created if necessary.
    pub(super) fn of_folder(folder: &Path) -> Result<WriterLock, StoreError> {
        fs::create_dir_all(folder)
            .map_err(|error| StoreError::File { path: folder.into(), error })?;
        WriterLock::take(folder, folder.join(FILE_NAME))
    }

    /// Takes the lock of a file that shares its folder with files of others.
    pub(super) fn of_file(file: &Path) -> Result<WriterLock, StoreError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        WriterLock::take(file, files::folder_of(file).join(format!(".{name}{FILE_NAME}")))
    }

    fn take(what: &Path, path: PathBuf) -> Result<WriterLock, StoreError> {
        let wrong = |error| StoreError::File { path: path.clone(), error };
        // More than one try: a process that was just started may hold the lock for an instant, until it
        // becomes another program, and a holder that ends removes the file.
        for _ in 0..TRIES {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path).map_err(wrong)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(PAUSE);
                    continue;
                }
                // Some file systems have no locks; there, two runs are not kept apart.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if files::is_at(&file, &path).map_err(wrong)? {
                let says = format!("process {}: {}\n", std::process::id(), own_command());
                // On a full disk the lock says nothing, and holds all the same.
                let _ = file.set_len(0).and_then(|()| file.write_all(says.as_bytes()));
                return Ok(WriterLock { path, _file: file });
            }
        }
        Err(StoreError::Busy { what: what.into(), holder: holder(&path) })
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Before the lock is free: whoever takes it next sees that this is no longer the file.
        let _ = fs::remove_file(&self.path);
    }
}

/// What the holder says of itself.
fn holder(path: &Path) -> String {
    let mut says = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_SAID).read_to_string(&mut says));
    match says.trim() {
        says if read.is_ok() && !says.is_empty() => says.replace(char::is_control, " "),
        _ => "another process".into(),
    }
}
