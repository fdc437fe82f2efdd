//! The file of a network.
//!
//! ```text
//! "plynet\r\n" version:u16 hidden:u16 length:u32 text
//! inputs:i16* biases:i16* outputs:i16* output-biases:i32* checksum:u64
//! ```
//!
//! Numbers are little-endian; the text says how the network was made.

use plyground_core::checksum::checksum;

use super::{BUCKETS, HIDDEN, INPUTS, NetworkError, NetworkWeights};

const MAGIC: &[u8; 8] = b"plynet\r\n";
const VERSION: u16 = 1;

pub(super) fn is_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub(super) fn write(weights: &NetworkWeights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((HIDDEN as u16).to_le_bytes());
    bytes.extend((weights.about.len() as u32).to_le_bytes());
    bytes.extend(weights.about.as_bytes());
    let outputs = weights.outputs.iter().flatten().flatten();
    let small = weights.inputs.iter().flatten().chain(&weights.biases).chain(outputs);
    bytes.extend(small.flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(weights.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The next numbers of 16 bits.
fn numbers<const N: usize>(bytes: &mut &[u8]) -> Option<[i16; N]> {
    let (these, rest) = bytes.split_at_checked(2 * N)?;
    *bytes = rest;
    Some(std::array::from_fn(|at| i16::from_le_bytes([these[2 * at], these[2 * at + 1]])))
}

fn body(mut bytes: &[u8], about: String) -> Option<NetworkWeights> {
    let bytes = &mut bytes;
    let inputs = (0..INPUTS).map(|_| numbers(bytes)).collect::<Option<Vec<_>>>()?;
    let biases = numbers(bytes)?;
    let mut outputs = [[[0; HIDDEN]; 2]; BUCKETS];
    for output in outputs.iter_mut().flatten() {
        *output = numbers(bytes)?;
    }
    let mut output_biases = [0; BUCKETS];
    for bias in &mut output_biases {
        let (number, rest) = bytes.split_first_chunk()?;
        *bias = i32::from_le_bytes(*number);
        *bytes = rest;
    }
    bytes.is_empty().then_some(NetworkWeights { about, inputs, biases, outputs, output_biases })
}

pub(super) fn read(bytes: &[u8]) -> Result<NetworkWeights, NetworkError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(NetworkError::Foreign) };
    let torn = || NetworkError::Torn;
    let (sizes, rest) = rest.split_first_chunk::<4>().ok_or_else(torn)?;
    let version = u16::from_le_bytes([sizes[0], sizes[1]]);
    let hidden = u16::from_le_bytes([sizes[2], sizes[3]]);
    if (version, usize::from(hidden)) != (VERSION, HIDDEN) {
        let shown = |version, hidden| format!("{version} with {hidden} hidden neurons");
        let (found, expected) = (shown(version, hidden.into()), shown(VERSION, HIDDEN));
        return Err(NetworkError::Version { found, expected });
    }
    let (sound, sum) = bytes.split_last_chunk().ok_or_else(torn)?;
    if checksum(sound) != u64::from_le_bytes(*sum) {
        return Err(NetworkError::Torn);
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(torn)?;
    let length = u32::from_le_bytes(*length) as usize;
    let weights = rest.len().checked_sub(8).ok_or_else(torn)?;
    let (about, weights) = rest[..weights].split_at_checked(length).ok_or_else(torn)?;
    let about = str::from_utf8(about).map_err(|_| torn())?.to_owned();
    body(weights, about).ok_or_else(torn)
}
