//! A line of a file of records: the record's JSON with a schema and a checksum.
//!
//! ```json
//! {"schema":1,"game":"othello", … ,"stopped":null,"checksum":"5f0c9a1e"}
//! ```
//!
//! `schema` is the version of the keys, and always the first key. `checksum` is the last one: the CRC-32
//! (that of zip and PNG) of all bytes of the line before `,"checksum"`, in eight hexadecimal digits. A
//! CRC finds every error of a single bit, and every other one but one in four thousand million. Lines of
//! earlier versions have neither key, and are read as they are.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

/// The version of the keys. A program reads its own and all earlier ones.
pub const SCHEMA: u32 = 1;

const CHECKSUM_KEY: &str = ",\"checksum\":\"";
const CHECKSUM_END: &str = "\"}";
/// The length of what follows the bytes that the checksum is of.
const CHECKSUM_LENGTH: usize = CHECKSUM_KEY.len() + 8 + CHECKSUM_END.len();

/// The line of a record, with its end.
pub(super) fn record_line(record: &impl Serialize) -> String {
    let json = serde_json::to_string(record).expect("a record is plain data");
    sealed(&format!("{{\"schema\":{SCHEMA},{}", &json[1..])) + "\n"
}

/// The text of a JSON object with a checksum as its last key.
pub(crate) fn sealed(object: &str) -> String {
    let bytes = &object[..object.len() - 1];
    format!("{bytes}{CHECKSUM_KEY}{:08x}{CHECKSUM_END}", crc(bytes.as_bytes()))
}

/// Has the text of an object a checksum as its last key? If it is wrong, the error says so.
pub(crate) fn is_sealed(object: &[u8]) -> Result<bool, String> {
    let Some((bytes, found)) = checksum_of(object) else { return Ok(false) };
    let right = format!("{:08x}", crc(bytes));
    if found == right.as_bytes() {
        return Ok(true);
    }
    let found = String::from_utf8_lossy(found);
    Err(format!(
        "damaged: its checksum is `{}`, and that of its bytes {right}",
        found.escape_debug()
    ))
}

/// The keys that a line of an earlier version does not have.
#[derive(Deserialize)]
struct Marks {
    schema: Option<IgnoredAny>,
    checksum: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Version {
    schema: u32,
}

/// The record of a line, without its end; an error says what is wrong with the line.
pub(super) fn decode<R: DeserializeOwned>(line: &[u8]) -> Result<R, String> {
    let wrong = |error: serde_json::Error| format!("not a record: {error}");
    match is_sealed(line)? {
        true => {
            let Version { schema } = serde_json::from_slice(line).map_err(wrong)?;
            if schema > SCHEMA {
                return Err(format!(
                    "a record of a later version: schema {schema}, expected at most {SCHEMA}"
                ));
            }
        }
        false => {
            let marks: Marks = serde_json::from_slice(line).map_err(wrong)?;
            if marks.schema.is_some() || marks.checksum.is_some() {
                return Err("damaged: a record with a schema, but no checksum at its end".into());
            }
        }
    }
    serde_json::from_slice(line).map_err(wrong)
}

/// The bytes that a line's checksum is of, and the checksum, if it ends with one.
fn checksum_of(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (bytes, end) = line.split_at_checked(line.len().checked_sub(CHECKSUM_LENGTH)?)?;
    let digits = end.strip_prefix(CHECKSUM_KEY.as_bytes())?;
    Some((bytes, digits.strip_suffix(CHECKSUM_END.as_bytes())?))
}

/// The CRC-32 of some bytes.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| CRC_TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

/// The CRC of each byte.
const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(line: &[u8]) -> Result<Value, String> {
        decode(line.trim_ascii_end())
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(b""), 0);
    }

    #[test]
    fn a_line_comes_back_and_no_wrong_bit_passes() {
        let record = json!({"game": "chess", "position": "a*b J", "seconds": 0.1, "best": null});
        let line = record_line(&record);
        assert!(line.starts_with("{\"schema\":1,\"game\"") && line.ends_with("\"}\n"), "{line}");
        let mut found = read(line.as_bytes()).unwrap();
        let keys = found.as_object_mut().unwrap();
        assert!(keys.remove("schema").is_some() && keys.remove("checksum").is_some());
        assert_eq!(found, record);
        let whole = line.trim_end().as_bytes();
        for bit in 0..8 * whole.len() {
            let mut damaged = whole.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // A line that is cut in two by a wrong bit is wrong in its first part.
            let first = damaged.split(|byte| *byte == b'\n').next().unwrap();
            assert!(decode::<Value>(first).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn earlier_lines_are_read_and_later_ones_refused() {
        assert!(read(b"{\"game\":\"chess\"}").is_ok());
        for marked in ["{\"schema\":1,\"game\":\"chess\"}", "{\"checksum\":\"00000000\"}"] {
            assert!(read(marked.as_bytes()).unwrap_err().contains("no checksum at its end"));
        }
        let later = "{\"schema\":9,\"game\":\"chess\"";
        let later = format!("{later}{CHECKSUM_KEY}{:08x}{CHECKSUM_END}", crc(later.as_bytes()));
        assert!(read(later.as_bytes()).unwrap_err().contains("schema 9, expected at most 1"));
    }

    /// Every number comes back to the last bit.
    #[test]
    fn times_come_back_exactly() {
        let mut word = 1_u64;
        for _ in 0..20_000 {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let seconds = f64::from_bits(0x3e00_0000_0000_0000 | word >> 10);
            let found = read(record_line(&json!({ "seconds": seconds })).as_bytes()).unwrap();
            assert_eq!(found["seconds"].as_f64().map(f64::to_bits), Some(seconds.to_bits()));
        }
    }
}
