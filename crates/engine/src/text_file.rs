//! Texts from files that a user names, within bounds: a device such as `/dev/zero` has no end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most bytes of a file of positions, openings, games or trees.
pub const MOST_BYTES: u64 = 256 << 20;

/// The most bytes of an engine's file, or of a file of weights.
const MOST_SETTINGS: u64 = 16 << 20;

/// Reads all bytes of a file or a pipe.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, MOST_BYTES)
}

/// Reads a text from a file or a pipe.
pub fn read_text(path: &Path) -> io::Result<String> {
    as_text(read_bytes(path)?)
}

/// Reads a text of at most [`MOST_BYTES`].
pub fn read_text_from(input: impl Read) -> io::Result<String> {
    as_text(read_at_most(input, MOST_BYTES)?)
}

/// Reads a file of settings, which is no pipe and no device: these may keep a reader waiting for ever.
pub(crate) fn read_settings(path: &Path) -> io::Result<String> {
    as_text(read_weights(path)?)
}

/// Reads a file of weights, a text or not; as [`read_settings`].
pub(crate) fn read_weights(path: &Path) -> io::Result<Vec<u8>> {
    read_file(path, MOST_SETTINGS)
}

/// Reads an opening book, which is no pipe and no device either.
pub(crate) fn read_book(path: &Path) -> io::Result<Vec<u8>> {
    read_file(path, MOST_BYTES)
}

fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a file; expected a text file"));
    }
    read_at_most(File::open(path)?, most)
}

fn read_at_most(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if input.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        let reason = format!("more than {} MiB; expected a text file", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8; expected a text file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let error = read_at_most(io::repeat(0), 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "more than 1 MiB; expected a text file");
        assert_eq!(read_at_most(&b"four"[..], 4).unwrap(), b"four");
        assert!(read_at_most(&b"fives"[..], 4).is_err());
        assert!(read_text_from(&b"\xff"[..]).is_err());
        assert!(read_settings(Path::new(".")).is_err());
        #[cfg(unix)]
        assert!(read_settings(Path::new("/dev/zero")).unwrap_err().to_string().contains("file"));
    }
}
