//! Pattern databases on disk: built on first use, then read from the user's cache folder.
//!
//! A file has a heading (what it is, its version, the groups), the tables, and a checksum of all of it. It
//! is written under another name and then renamed, so that nobody ever reads half a file. A file that is
//! cut off, damaged or of another version is built again and replaced. Without a folder to write to the
//! databases are built each time.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Shape;
use super::pattern::{PatternDatabases, groups};

/// What the first bytes say. A change of the format or of the groups' tables gets a new number.
const HEADING: &[u8] = b"plyground pattern databases 1\n";

/// Databases that are in use, by shape. They stay until the program ends.
static BUILT: Mutex<Vec<&'static PatternDatabases>> = Mutex::new(Vec::new());

impl PatternDatabases {
    /// The databases of a shape, built or read once in a program; `None` if the board has more than 16
    /// cells.
    pub fn get(shape: Shape) -> Option<&'static PatternDatabases> {
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(databases) = built.iter().find(|databases| databases.shape() == shape) {
            return Some(databases);
        }
        let folder = (shape.cells() > LARGE).then(cache_folder).flatten();
        let databases = match folder {
            Some(folder) => PatternDatabases::cached(shape, &folder)?,
            None => PatternDatabases::build(shape)?,
        };
        let databases: &'static PatternDatabases = Box::leak(Box::new(databases));
        built.push(databases);
        Some(databases)
    }

    /// The databases of a shape from this folder; if they are not there, or not whole, they are built and
    /// written there.
    pub fn cached(shape: Shape, folder: &Path) -> Option<PatternDatabases> {
        let file = folder.join(file_name(shape)?);
        let read = fs::read(&file).ok().and_then(|bytes| from_bytes(shape, &bytes));
        if read.is_some() {
            return read;
        }
        let built = PatternDatabases::build(shape)?;
        // Whoever cannot keep them builds them again next time.
        let _ = write(&file, &built);
        Some(built)
    }
}

/// Databases of boards with fewer cells are built faster than they are read.
const LARGE: usize = 12;

/// The user's cache folder for this program.
fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(cache.join("plyground"))
}

/// As in `patterns-4x4-6-6-3`.
fn file_name(shape: Shape) -> Option<String> {
    let sizes: String = groups(shape)?.iter().map(|group| format!("-{}", group.len())).collect();
    Some(format!("patterns-{}x{}{sizes}", shape.width(), shape.height()))
}

/// The heading of a shape's file: what it is, and the groups.
fn heading(shape: Shape) -> Option<Vec<u8>> {
    let mut heading = HEADING.to_vec();
    heading.extend(format!("{}x{}", shape.width(), shape.height()).bytes());
    for group in groups(shape)? {
        heading.push(b'\n');
        heading.extend(group);
    }
    heading.push(b'\n');
    Some(heading)
}

fn from_bytes(shape: Shape, bytes: &[u8]) -> Option<PatternDatabases> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    if u64::from_le_bytes(*sum) != checksum(content) {
        return None;
    }
    let mut rest = content.strip_prefix(heading(shape)?.as_slice())?;
    let mut tables = Vec::new();
    for group in groups(shape)? {
        let (table, after) = rest.split_at_checked(1 << (4 * group.len()))?;
        tables.push(table.to_vec());
        rest = after;
    }
    if !rest.is_empty() {
        return None;
    }
    PatternDatabases::of(shape, tables)
}

fn write(file: &Path, databases: &PatternDatabases) -> io::Result<()> {
    let Some(mut bytes) = heading(databases.shape()) else { return Ok(()) };
    databases.tables().for_each(|table| bytes.extend_from_slice(table));
    bytes.extend(checksum(&bytes).to_le_bytes());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // Two programs may write at once: each under a name of its own.
    let own = file.with_extension(format!("{}.part", std::process::id()));
    let written = fs::File::create(&own).and_then(|mut out| {
        out.write_all(&bytes)?;
        out.sync_all()
    });
    let result = written.and_then(|()| fs::rename(&own, file));
    if result.is_err() {
        let _ = fs::remove_file(&own);
    }
    result
}

/// A sum that any change of a byte changes, in four lanes for speed.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut lanes = [0xcbf2_9ce4_8422_2325u64, 1, 2, 3];
    let chunks = bytes.chunks_exact(32);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, word) in lanes.iter_mut().zip(chunk.chunks_exact(8)) {
            let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            *lane = (*lane ^ word).wrapping_mul(PRIME).rotate_left(23);
        }
    }
    let all = lanes.into_iter().chain(rest.iter().map(|byte| u64::from(*byte)));
    all.chain([bytes.len() as u64])
        .fold(0, |sum: u64, word| (sum ^ word).wrapping_mul(PRIME).rotate_left(29))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_built_again() {
        let shape = Shape::new(3, 2).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("below").join(file_name(shape).unwrap());
        let cached = || {
            let databases = PatternDatabases::cached(shape, file.parent().unwrap()).unwrap();
            databases.tables().map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        let built = cached();
        let whole = fs::read(&file).unwrap();
        assert!(from_bytes(shape, &whole).is_some());
        assert!(from_bytes(Shape::EIGHT, &whole).is_none());
        for place in [0, 5, HEADING.len() + 1, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            fs::write(&file, &damaged).unwrap();
            assert!(from_bytes(shape, &damaged).is_none(), "byte {place}");
            assert_eq!(cached(), built);
            assert_eq!(fs::read(&file).unwrap(), whole);
        }
        for length in [0, 1, 7, 8, 40, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(cached(), built);
            assert_eq!(fs::read(&file).unwrap(), whole);
        }
        let left: Vec<_> = fs::read_dir(file.parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 1, "no part of a file stays");
    }

    #[test]
    fn without_a_folder_they_are_built() {
        let shape = Shape::new(2, 3).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        // A file where the folder should be.
        assert!(PatternDatabases::cached(shape, file.path()).is_some());
        assert!(PatternDatabases::get(Shape::new(5, 5).unwrap()).is_none());
        let first = PatternDatabases::get(shape).unwrap();
        assert!(std::ptr::eq(first, PatternDatabases::get(shape).unwrap()));
    }
}
