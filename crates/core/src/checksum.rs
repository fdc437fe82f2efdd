//! A checksum for files: it finds what a crash or a bad disk does to them.

use crate::tree::mix;

/// The checksum of some bytes: FNV-1a with 64 bits. Each step is one-to-one, so a change within one byte
/// is always found; nobody is kept from forging it.
///
/// ```
/// use plyground_core::checksum::checksum;
///
/// assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
/// assert_ne!(checksum(b"one"), checksum(b"onf"));
/// ```
#[must_use]
#[inline(never)]
pub fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// A hash of some bytes in which every bit depends on every byte, by which records tell things apart:
/// [`mix`] byte by byte.
///
/// ```
/// use plyground_core::checksum::mixed;
///
/// assert_ne!(mixed(b"ab"), mixed(b"ba"));
/// assert_ne!(mixed(b""), mixed(&[0]));
/// ```
#[must_use]
// A caller may be compiled without optimisation.
#[inline(never)]
pub fn mixed(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |hash, &byte| mix(hash, u64::from(byte)))
}
