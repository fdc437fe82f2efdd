//! Messages as numbers of four bytes each: written and read in the same order.

/// Writes numbers to a message.
pub(crate) trait WriteWords {
    /// Adds a number.
    fn word(&mut self, word: u32);
    /// Adds a long number.
    fn long(&mut self, long: u64) {
        self.word(long as u32);
        self.word((long >> 32) as u32);
    }
    /// Adds a value.
    fn value(&mut self, value: i32) {
        self.word(value as u32);
    }
    /// Adds a list of numbers and its length.
    fn words(&mut self, words: &[u32]) {
        self.word(words.len() as u32);
        words.iter().for_each(|&word| self.word(word));
    }
}

impl WriteWords for Vec<u8> {
    fn word(&mut self, word: u32) {
        self.extend(word.to_le_bytes());
    }
}

/// Reads numbers from a message; `None` where it has no more.
pub(crate) struct ReadWords<'m>(pub(crate) &'m [u8]);

impl ReadWords<'_> {
    /// The next number.
    pub(crate) fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }

    /// The next long number.
    pub(crate) fn long(&mut self) -> Option<u64> {
        Some(u64::from(self.word()?) | u64::from(self.word()?) << 32)
    }

    /// The next value.
    pub(crate) fn value(&mut self) -> Option<i32> {
        Some(self.word()? as i32)
    }

    /// The next list.
    pub(crate) fn words(&mut self) -> Option<Vec<u32>> {
        let length = self.word()?;
        (0..length).map(|_| self.word()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_no_more() {
        let mut message = Vec::new();
        message.word(7);
        message.long(u64::MAX - 5);
        message.value(-3);
        message.words(&[1, 2, u32::MAX]);
        let mut words = ReadWords(&message);
        assert_eq!(words.word(), Some(7));
        assert_eq!(words.long(), Some(u64::MAX - 5));
        assert_eq!(words.value(), Some(-3));
        assert_eq!(words.words(), Some(vec![1, 2, u32::MAX]));
        assert_eq!(words.word(), None);
        assert_eq!(ReadWords(&[3, 0, 0, 0, 1]).words(), None);
    }
}
