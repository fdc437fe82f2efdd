//! The file of pattern weights.
//!
//! ```text
//! "plypatt\n" version:u16 length:u32 text weights checksum:u64
//! ```
//!
//! The text is TOML: how the weights were made, and the forecasts of multi-probcut. The weights are
//! numbers in hundredths of a disc, stage by stage: the terms, then the states that stand for their
//! images, in the order of the shapes. A number is written in 7 bits a byte, the lowest first, signs
//! folded in (0, -1, 1, -2, …); a 0 is followed by how many more of them there are. Most states are
//! never seen, so most numbers are 0.
//!
//! Version 1, which is still read, has no weight for an odd number of empty squares.

use plyground_core::checksum::checksum;

use super::shapes::{self, STATES};
use super::{ODD_TERM, PatternError, STAGES, TERMS};

const MAGIC: &[u8; 8] = b"plypatt\n";
const VERSION: u16 = 2;
/// The version without a term for an odd number of empty squares.
const FIRST_VERSION: u16 = 1;

/// What a file holds.
pub(super) struct Contents {
    pub(super) text: String,
    /// Stage by stage: the terms.
    pub(super) terms: Vec<[i16; TERMS]>,
    /// Stage by stage: a weight for each state, the images included.
    pub(super) states: Vec<i16>,
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes numbers, with runs of zeros counted.
fn write_all(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = i16>) {
    let mut zeros = 0;
    for number in numbers {
        if number == 0 {
            zeros += 1;
            continue;
        }
        if zeros > 0 {
            bytes.push(0);
            write_number(bytes, zeros - 1);
            zeros = 0;
        }
        let number = i32::from(number);
        write_number(bytes, (number << 1 ^ number >> 31) as u32);
    }
    if zeros > 0 {
        bytes.push(0);
        write_number(bytes, zeros - 1);
    }
}

/// Reads what [`write_all`] wrote.
struct Numbers<'a> {
    bytes: &'a [u8],
    zeros: u32,
}

impl Numbers<'_> {
    fn number(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for shift in (0..28).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn next(&mut self) -> Option<i16> {
        if self.zeros > 0 {
            self.zeros -= 1;
            return Some(0);
        }
        match self.number()? {
            0 => {
                self.zeros = self.number()?;
                Some(0)
            }
            folded => i16::try_from((folded >> 1) as i32 ^ -((folded & 1) as i32)).ok(),
        }
    }
}

pub(super) fn is_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub(super) fn write(text: &str, terms: &[[i16; TERMS]], states: &[i16]) -> Vec<u8> {
    write_version(VERSION, text, terms, states)
}

#[cfg(test)]
pub(super) fn write_first_version(text: &str, terms: &[[i16; TERMS]], states: &[i16]) -> Vec<u8> {
    write_version(FIRST_VERSION, text, terms, states)
}

/// Has a version this term?
fn has(version: u16, term: usize) -> bool {
    version != FIRST_VERSION || term != ODD_TERM
}

fn write_version(version: u16, text: &str, terms: &[[i16; TERMS]], states: &[i16]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    let representatives = shapes::representatives();
    for (terms, states) in terms.iter().zip(states.chunks_exact(STATES)) {
        let stands = (0..STATES).filter(|&state| representatives[state] as usize == state);
        let terms = (0..TERMS).filter(|&term| has(version, term)).map(|term| terms[term]);
        write_all(&mut bytes, terms.chain(stands.map(|state| states[state])));
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

pub(super) fn read(bytes: &[u8]) -> Result<Contents, PatternError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(PatternError::Foreign) };
    let torn = || PatternError::Torn;
    let (version, rest) = rest.split_first_chunk().ok_or_else(torn)?;
    let version = u16::from_le_bytes(*version);
    if ![FIRST_VERSION, VERSION].contains(&version) {
        return Err(PatternError::Version { found: version, expected: VERSION });
    }
    let (sound, sum) = bytes.split_last_chunk().ok_or_else(torn)?;
    if checksum(sound) != u64::from_le_bytes(*sum) {
        return Err(PatternError::Torn);
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(torn)?;
    let length = u32::from_le_bytes(*length) as usize;
    let weights = rest.len().checked_sub(8).ok_or_else(torn)?;
    let (text, weights) = rest[..weights].split_at_checked(length).ok_or_else(torn)?;
    let text = str::from_utf8(text).map_err(|_| torn())?.to_owned();
    let representatives = shapes::representatives();
    let mut numbers = Numbers { bytes: weights, zeros: 0 };
    let mut terms = Vec::with_capacity(STAGES);
    // Room for one more, which [`PatternWeights::new`](super::PatternWeights::new) adds.
    let mut states = Vec::with_capacity(STAGES * STATES + 1);
    states.resize(STAGES * STATES, 0);
    for states in states.chunks_exact_mut(STATES) {
        let mut these = [0; TERMS];
        for (number, term) in these.iter_mut().enumerate() {
            if has(version, number) {
                *term = numbers.next().ok_or_else(torn)?;
            }
        }
        terms.push(these);
        for state in 0..STATES {
            let stands = representatives[state] as usize;
            states[state] =
                if stands == state { numbers.next().ok_or_else(torn)? } else { states[stands] };
        }
    }
    if !numbers.bytes.is_empty() || numbers.zeros > 0 {
        return Err(PatternError::Torn);
    }
    Ok(Contents { text, terms, states })
}
