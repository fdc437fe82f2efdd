//! Files of data in JSON: an object each, with a format and a checksum, written as a whole or not at all.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::Value as Json;

use crate::experiment::{is_sealed, sealed};
use crate::files;

/// The version of the files. Those of earlier versions, without a checksum, are read.
pub(super) const FORMAT: u32 = 3;
const FIRST_FORMAT: u32 = 1;

/// Reads a file; `None` if there is none. What is damaged is an error, and so is a file of a later version.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<Json>> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let again = "remove it, and it is made again";
    let is_sealed = is_sealed(text.as_bytes())
        .map_err(|wrong| anyhow::anyhow!("{}: {wrong}: {again}", path.display()))?;
    let data: Json = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a file of `paper all`", path.display()))?;
    match data["format"].as_u64() {
        Some(format) if format == u64::from(FORMAT) && !is_sealed => {
            bail!("{}: damaged: no checksum at its end: {again}", path.display())
        }
        Some(format) if format > u64::from(FORMAT) || format < u64::from(FIRST_FORMAT) => {
            bail!("{}: format {format}, expected {FORMAT}: {again}", path.display())
        }
        _ => Ok(Some(data)),
    }
}

/// Writes a file.
pub(super) fn write(path: &Path, data: &impl Serialize) -> anyhow::Result<()> {
    files::replace(path, sealed(&serde_json::to_string(data)?).as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_wrong_bit_passes_and_earlier_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert!(read(&path).unwrap().is_none());
        write(&path, &serde_json::json!({"format": FORMAT, "rows": [1, 0.5, "two"]})).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(read(&path).unwrap().unwrap()["rows"][1], 0.5);
        for bit in 0..8 * whole.len() {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, damaged).unwrap();
            assert!(read(&path).is_err(), "bit {bit}");
        }
        for earlier in ["{\"rows\":[]}", "{\"format\":1,\"rows\":[]}", "{\"format\":2,\"rows\":[]}"]
        {
            std::fs::write(&path, earlier).unwrap();
            assert!(read(&path).unwrap().is_some(), "{earlier}");
        }
        std::fs::write(&path, "{\"format\":99,\"rows\":[]}").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("format 99"));
    }
}
