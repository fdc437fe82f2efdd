//! Inputs on disk: the committed corpus, a text file a target with an escaped input a line; and what a
//! run has found worth keeping, a file an input.

use std::fs;
use std::io;
use std::path::PathBuf;

/// The folders that the driver names.
pub struct Folders {
    /// The committed corpus.
    pub corpus: PathBuf,
    /// What is written while it runs.
    pub work: PathBuf,
}

impl Folders {
    /// As the driver says; below the present folder without a driver.
    pub fn found() -> Folders {
        let folder = |name: &str, usual: &str| {
            std::env::var_os(name).map_or_else(|| PathBuf::from(usual), PathBuf::from)
        };
        Folders {
            corpus: folder("PLYGROUND_FUZZ_CORPUS", "fuzz/corpus"),
            work: folder("PLYGROUND_FUZZ_WORK", "target/fuzz"),
        }
    }

    /// All inputs of a target, the small ones first.
    pub fn inputs(&self, target: &str) -> Vec<Vec<u8>> {
        let committed = fs::read_to_string(self.corpus.join(format!("{target}.txt")));
        let mut inputs: Vec<Vec<u8>> =
            committed.unwrap_or_default().lines().map(unescaped).collect();
        if let Ok(entries) = fs::read_dir(self.work.join("corpus").join(target)) {
            inputs.extend(entries.flatten().filter_map(|entry| fs::read(entry.path()).ok()));
        }
        inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        inputs.dedup();
        inputs
    }

    /// Keeps an input for later runs.
    pub fn keep(&self, target: &str, input: &[u8]) -> io::Result<()> {
        let folder = self.work.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{:016x}", hash(input))), input)
    }

    /// Writes the committed corpus of a target anew.
    pub fn commit(&self, target: &str, inputs: &[Vec<u8>]) -> io::Result<()> {
        let lines: String = inputs.iter().map(|input| escaped(input) + "\n").collect();
        fs::write(self.corpus.join(format!("{target}.txt")), lines)
    }

    /// Writes an input that went wrong, and why; once for each `kind` of fault.
    pub fn crash(&self, target: &str, kind: &str, why: &str, input: &[u8]) -> io::Result<bool> {
        let number = hash(kind.as_bytes());
        let file = self.work.join(format!("crashes/{target}.{number:016x}"));
        if file.exists() {
            return Ok(false);
        }
        fs::write(file.with_extension(format!("{number:016x}.why")), why)?;
        fs::write(file, input)?;
        Ok(true)
    }
}

/// FNV-1a.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

fn escaped(input: &[u8]) -> String {
    input.escape_ascii().to_string()
}

/// What `escape_ascii` wrote. Anything else stands for itself.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hexadecimal = |digits: &[u8]| {
            u8::from_str_radix(std::str::from_utf8(digits.get(..2)?).ok()?, 16).ok()
        };
        let (byte, after) = match (first, after) {
            (b'\\', [b'n', after @ ..]) => (b'\n', after),
            (b'\\', [b'r', after @ ..]) => (b'\r', after),
            (b'\\', [b't', after @ ..]) => (b'\t', after),
            (b'\\', [b'x', after @ ..]) if hexadecimal(after).is_some() => {
                (hexadecimal(after).unwrap_or(0), &after[2..])
            }
            (b'\\', [escaped @ (b'\\' | b'\'' | b'"'), after @ ..]) => (*escaped, after),
            _ => (first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}
