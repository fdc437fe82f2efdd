//! New inputs from old ones.

/// Pseudo-random numbers: the same seed, the same inputs.
pub struct Chance(u64);

impl Chance {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next word: SplitMix64.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(if self.below(4) == 0 { length } else { 12 });
        start..start + self.below(most + 1)
    }
}

/// Numbers that programs get wrong.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "+5",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "1e308",
    "-0",
    "0.5",
    "nan",
    "inf",
];

/// Bytes that mean something to some parser.
const BYTES: &[u8] = b" \n\t\"'(){}[];:,.-+/0159aZ\0\xff\xc3";

/// A new input from one or two of the corpus, at most `longest` bytes.
pub fn mutated(
    corpus: &[Vec<u8>],
    dictionary: &[&str],
    longest: usize,
    chance: &mut Chance,
) -> Vec<u8> {
    let mut input = match corpus.len() {
        0 => Vec::new(),
        n => corpus[chance.below(n)].clone(),
    };
    for _ in 0..1 + chance.below(4) {
        once(&mut input, corpus, dictionary, chance);
    }
    input.truncate(longest);
    input
}

fn once(input: &mut Vec<u8>, corpus: &[Vec<u8>], dictionary: &[&str], chance: &mut Chance) {
    let length = input.len();
    let at = chance.below(length + 1);
    match chance.below(13) {
        0 if length > 0 => input[at % length] ^= 1 << chance.below(8),
        1 if length > 0 => input[at % length] = chance.word() as u8,
        2 => input.insert(at, BYTES[chance.below(BYTES.len())]),
        3 => drop(input.drain(chance.range(length))),
        4 | 5 if !dictionary.is_empty() => {
            let token = dictionary[chance.below(dictionary.len())].bytes();
            let range = if chance.below(2) == 0 { at..at } else { chance.range(length) };
            drop(input.splice(range, token));
        }
        // A part again, once or many times: deep nesting, long lists.
        6 => {
            let part = input[chance.range(length)].to_vec();
            let times = if chance.below(8) == 0 { chance.below(300) } else { 1 };
            drop(input.splice(at..at, part.repeat(times)));
        }
        7 if !corpus.is_empty() => {
            let other = &corpus[chance.below(corpus.len())];
            let part = other[chance.range(other.len())].to_vec();
            drop(input.splice(chance.range(length), part));
        }
        // Another number in place of one.
        8 | 9 => {
            let is_digit = |at: &usize| input[*at].is_ascii_digit();
            let digits: Vec<usize> = (0..length).filter(is_digit).collect();
            if let Some(&start) = digits.get(chance.below(digits.len().max(1))) {
                let end = (start..length).find(|&at| !input[at].is_ascii_digit()).unwrap_or(length);
                drop(input.splice(start..end, NUMBERS[chance.below(NUMBERS.len())].bytes()));
            }
        }
        // Two parts change places: words, or lines.
        10 => {
            let separator = if chance.below(2) == 0 { b' ' } else { b'\n' };
            let mut parts: Vec<Vec<u8>> =
                input.split(|b| *b == separator).map(<[u8]>::to_vec).collect();
            let (one, other) = (chance.below(parts.len()), chance.below(parts.len()));
            parts.swap(one, other);
            *input = parts.join(&separator);
        }
        11 => input.truncate(at),
        _ => {
            if let Some(byte) = input.get_mut(at) {
                *byte = if byte.is_ascii_lowercase() {
                    byte.to_ascii_uppercase()
                } else {
                    byte.to_ascii_lowercase()
                };
            }
        }
    }
}
