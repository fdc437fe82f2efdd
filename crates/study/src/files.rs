//! Files that are written as a whole or not at all.
//!
//! The contents go to a new file in the same folder, which takes the old one's place when everything is
//! in it and on the disk. Whatever happens before that (a full disk, a kill, a power cut), the old file
//! is as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Writes a file; one that is there already is replaced. A link stays a link, and what cannot be
/// replaced, such as a pipe, is written to.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if let Ok(there) = fs::metadata(path) {
        // Opening it also finds out whether it may be written to at all.
        let mut old = OpenOptions::new().write(true).open(path)?;
        if !there.is_file() {
            return old.write_all(contents);
        }
    }
    let new = written(path, contents)?;
    if let Ok(there) = fs::metadata(path) {
        keep_owner(new.as_file(), &there)?;
    }
    new.persist(path).map_err(|error| error.error)?;
    sync_folder(path);
    Ok(())
}

/// Writes a file that must not be there yet; the error is [`ErrorKind::AlreadyExists`] if it is.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    written(path, contents)?.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(path);
    Ok(())
}

/// A new file beside `path` with these contents, on the disk.
fn written(path: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    let prefix = leftover_prefix(path);
    builder.prefix(&prefix).suffix(LEFTOVER_SUFFIX);
    #[cfg(unix)]
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(readable);
    let mut new = builder.tempfile_in(folder_of(path))?;
    new.write_all(contents)?;
    new.as_file().sync_all()?;
    Ok(new)
}

/// Gives the new file the permissions of the old one, and its owner where that is allowed.
fn keep_owner(new: &File, old: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let now = new.metadata()?;
        if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
            let _ = fchown(new, Some(old.uid()), Some(old.gid()));
        }
    }
    new.set_permissions(old.permissions())
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes sure that the folder's list of files is on the disk. Some systems cannot; the file is written
/// all the same.
pub(crate) fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

const LEFTOVER_SUFFIX: &str = ".tmp";

fn leftover_prefix(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes the new files beside `path` that a killed process could not put into its place. Only for a
/// process that knows that no other is at work on `path`.
pub(crate) fn remove_leftovers(path: &Path) {
    let prefix = leftover_prefix(path);
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.strip_prefix(&prefix).is_some_and(|rest| rest.ends_with(LEFTOVER_SUFFIX)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Is the open file still the one at this path? A file that was replaced or removed stays open, but
/// nobody will ever find what is written to it.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        Ok((own.dev(), own.ino()) == (there.dev(), there.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, there);
        Ok(true)
    }
}

/// A file that grows while its predecessor stays in place until the end: the games of a match.
///
/// Where there is no file yet, it is written at once, so that others can read along. Where there is one,
/// a new file beside it, `games.pgn.new`, takes its place in [`finish`](GrowingFile::finish). If that
/// does not happen, both are there.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    /// The new file, if it is not at `path` itself.
    beside: Option<PathBuf>,
    file: File,
    /// The bytes of all parts that were written whole.
    whole: u64,
    is_regular: bool,
}

impl GrowingFile {
    /// Opens the file for writing; an existing one is not changed yet.
    pub fn open(path: &Path) -> io::Result<GrowingFile> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let there = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => {
                return Ok(GrowingFile { path, beside: None, file, whole: 0, is_regular: true });
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).open(&path)?
            }
            Err(error) => return Err(error),
        };
        let metadata = there.metadata()?;
        if !metadata.is_file() {
            return Ok(GrowingFile {
                path,
                beside: None,
                file: there,
                whole: 0,
                is_regular: false,
            });
        }
        for number in 1.. {
            let mut name = path.as_os_str().to_owned();
            name.push(if number == 1 { ".new".into() } else { format!(".new{number}") });
            let beside = PathBuf::from(name);
            // What another run left there may be all that is left of its games.
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    keep_owner(&file, &metadata)?;
                    let beside = Some(beside);
                    return Ok(GrowingFile { path, beside, file, whole: 0, is_regular: true });
                }
            }
        }
        unreachable!("there are not that many files")
    }

    /// The file that is being written.
    pub fn written_to(&self) -> &Path {
        self.beside.as_deref().unwrap_or(&self.path)
    }

    /// Writes a part. If that fails, none of it stays in the file.
    pub fn write(&mut self, part: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(part);
        match written {
            Ok(()) => self.whole += part.len() as u64,
            Err(_) if self.is_regular => {
                let _ = self.file.set_len(self.whole);
                let _ = self.file.seek(SeekFrom::Start(self.whole));
            }
            Err(_) => {}
        }
        written
    }

    /// Puts the file in its place. If nothing was written, the old file stays.
    pub fn finish(self) -> io::Result<()> {
        if self.is_regular && self.whole > 0 {
            self.file.sync_all()?;
            if let Some(beside) = &self.beside {
                fs::rename(beside, &self.path)?;
            }
            sync_folder(&self.path);
        }
        Ok(())
    }
}

impl Drop for GrowingFile {
    /// A file with nothing in it is removed.
    fn drop(&mut self) {
        if self.is_regular && self.whole == 0 {
            let _ = fs::remove_file(self.written_to());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        replace(&file, b"one").unwrap();
        replace(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(create(&file, b"three").unwrap_err().kind(), ErrorKind::AlreadyExists);
        create(&folder.path().join("b"), b"three").unwrap();
        assert_eq!((fs::read(&file).unwrap(), names(folder.path()).len()), (b"two".to_vec(), 2));
        assert!(replace(&folder.path().join("none/c"), b"").is_err());
        assert!(replace(folder.path(), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to() {
        replace(Path::new("/dev/null"), b"x").unwrap();
        assert!(replace(Path::new("/dev/full"), b"x").is_err());
        let mut full = GrowingFile::open(Path::new("/dev/full")).unwrap();
        assert!(full.write(b"x").is_err());
    }

    #[test]
    fn only_leftovers_of_this_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", ".a.x1.tmp", ".b.x1.tmp", ".a.tmp", "a.tmp"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_leftovers(&folder.path().join("a"));
        assert_eq!(names(folder.path()), [".a.tmp", ".b.x1.tmp", "a", "a.tmp"]);
    }

    #[test]
    fn a_growing_file_replaces_the_old_one_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let read = || fs::read_to_string(&path).unwrap();
        let mut first = GrowingFile::open(&path).unwrap();
        first.write(b"1").unwrap();
        assert_eq!(read(), "1");
        first.finish().unwrap();
        let mut second = GrowingFile::open(&path).unwrap();
        second.write(b"2").unwrap();
        second.write(b"3").unwrap();
        assert_eq!(read(), "1");
        let mut third = GrowingFile::open(&path).unwrap();
        third.write(b"4").unwrap();
        second.finish().unwrap();
        assert_eq!((read(), names(folder.path()).len()), ("23".into(), 2));
        third.finish().unwrap();
        assert_eq!(read(), "4");
        GrowingFile::open(&path).unwrap().finish().unwrap();
        assert_eq!((read(), names(folder.path())), ("4".into(), vec!["games".into()]));
    }
}
