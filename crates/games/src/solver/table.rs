//! The solver's transposition table: for a board, both bounds on its score and the best moves found.
//!
//! An entry is two words, `check ^ data` and `data`, in relaxed atomics. A thread that reads while
//! another one writes may see one old and one new word; their check then belongs to no board, and the
//! entry is not found. So threads share the table without a lock and without `unsafe`.
//!
//! [`Board::hash`] chooses the bucket. The check is another mix of the board's two words that is
//! one-to-one in each of them. A board is mistaken for another only if both agree.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::othello::{Board, Square};
use plyground_core::memory::OutOfMemory;
use plyground_core::platform;

/// No bound in the table is larger, or smaller than minus this: it stands for no bound at all.
const LIMIT: i32 = i16::MAX as i32;

/// What the table knows about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The depth of the search that found it: in the exact endgame the number of empty squares.
    pub depth: u32,
    /// The best moves found, the newest first.
    pub best: [Option<Square>; 2],
}

/// A table of fixed size that replaces entries of earlier searches first, then shallow ones.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
    generation: u8,
}

/// Four entries: one line of the processor's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

#[derive(Debug, Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

const _: () = assert!(size_of::<Bucket>() == 64);

impl Table {
    /// A table of at most `bytes` bytes: the largest power of two that fits, but at least 4 KiB. An error
    /// if there is no memory for it.
    pub(super) fn with_bytes(bytes: usize) -> Result<Self, OutOfMemory> {
        let wanted = (bytes / size_of::<Bucket>()).max(64);
        let count = 1 << wanted.ilog2();
        let buckets = platform::in_large_pages(count, Bucket::default)?;
        Ok(Self { buckets, mask: count - 1, generation: 1 })
    }

    /// The size of the entries in bytes.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        for entry in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *entry = Entry::default();
        }
    }

    /// Marks all entries as old: they are kept, but the next search replaces them first.
    pub(super) fn start_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1).max(1);
    }

    /// Asks the processor for the entries of a board before they are needed.
    #[inline(always)]
    pub(super) fn prefetch(&self, board: &Board) {
        platform::prefetch(&self.buckets[board.hash() as usize & self.mask]);
    }

    /// The entry of a board, if there is one.
    #[must_use]
    #[inline(always)]
    pub(super) fn probe(&self, board: &Board) -> Option<TableEntry> {
        let check = check(board);
        for entry in &self.bucket(board).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == check && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores that a search of `depth` with the null window above `alpha` returned `value`, which is a
    /// lower bound if it is above `alpha` and an upper bound otherwise.
    #[inline(always)]
    pub(super) fn store(
        &self,
        board: &Board,
        depth: u32,
        alpha: i32,
        value: i32,
        best: Option<Square>,
    ) {
        let (lower, upper) = if value > alpha { (value, LIMIT) } else { (-LIMIT, value) };
        self.store_bounds(board, TableEntry { lower, upper, depth, best: [best, None] });
    }

    /// Stores both bounds and a best move. Bounds of the same depth that the table already has are
    /// kept where they are tighter, and its best move becomes the second best.
    #[inline(always)]
    pub(super) fn store_bounds(&self, board: &Board, mut new: TableEntry) {
        let check = check(board);
        let mut worst = (u32::MAX, 0);
        let bucket = &self.bucket(board).0;
        let mut place = None;
        for (index, entry) in bucket.iter().enumerate() {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == check && data != 0 {
                let old = unpack(data);
                if old.depth == new.depth {
                    new.lower = new.lower.max(old.lower);
                    new.upper = new.upper.min(old.upper);
                }
                new.best = match (new.best[0], old.best) {
                    (None, best) => best,
                    (Some(best), [Some(first), second]) if best == first => [Some(best), second],
                    (Some(best), [first, _]) => [Some(best), first],
                };
                place = Some(index);
                break;
            }
            // Old entries go first, then shallow ones; an empty entry has depth 0 and generation 0.
            let current = u32::from((data >> 40) as u8 == self.generation);
            let priority = current << 8 | (data >> 32 & 0xff) as u32;
            worst = worst.min((priority, index));
        }
        let entry = &bucket[place.unwrap_or(worst.1) & 3];
        let data = pack(&new, self.generation);
        entry.check.store(check ^ data, Relaxed);
        entry.data.store(data, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, board: &Board) -> &Bucket {
        &self.buckets[board.hash() as usize & self.mask]
    }
}

/// One-to-one in either word, as a product with an odd number is.
#[inline(always)]
fn check(board: &Board) -> u64 {
    let mixed = board.player().word().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29 ^ board.opponent().word()).wrapping_mul(0xd1b5_4a32_d192_ed03)
}

/// The number that says "no square".
const NONE: u64 = 64;

#[inline(always)]
fn pack(known: &TableEntry, generation: u8) -> u64 {
    let square = |best: Option<Square>| best.map_or(NONE, |square| square.index() as u64);
    let bound = |value: i32| u64::from(value.clamp(-LIMIT, LIMIT) as i16 as u16);
    bound(known.lower)
        | bound(known.upper) << 16
        | u64::from(known.depth as u8) << 32
        | u64::from(generation) << 40
        | square(known.best[0]) << 48
        | square(known.best[1]) << 56
}

#[inline(always)]
fn unpack(data: u64) -> TableEntry {
    TableEntry {
        lower: i32::from(data as i16),
        upper: i32::from((data >> 16) as i16),
        depth: u32::from((data >> 32) as u8),
        best: [Square::new((data >> 48 & 0xff) as usize), Square::new((data >> 56) as usize)],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_survive_packing(
            lower in -LIMIT..=LIMIT,
            upper in -LIMIT..=LIMIT,
            depth in 0..256u32,
            best in prop::array::uniform2(prop::option::of(0..64usize)),
            generation in any::<u8>(),
        ) {
            let best = best.map(|index| index.and_then(Square::new));
            let entry = TableEntry { lower, upper, depth, best };
            let data = pack(&entry, generation);
            prop_assert_eq!(unpack(data), entry);
            prop_assert_eq!((data >> 40) as u8, generation);
        }
    }

    fn square(text: &str) -> Option<Square> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn both_bounds_are_kept() {
        let table = Table::with_bytes(1 << 16).unwrap();
        let board = Board::start();
        assert_eq!(table.probe(&board), None);
        table.store(&board, 20, 3, -2, None);
        table.store(&board, 20, -7, -6, square("f5"));
        table.store(&board, 20, -5, -4, square("d3"));
        let known = table.probe(&board).unwrap();
        assert_eq!((known.lower, known.upper, known.depth), (-4, -2, 20));
        assert_eq!(known.best, [square("d3"), square("f5")]);
        assert_eq!(table.probe(&board.pass()), None);
        table.store(&board, 22, 0, 2, None);
        let known = table.probe(&board).unwrap();
        assert_eq!((known.lower, known.upper > 64), (2, true), "another depth starts anew");
        assert_eq!(known.best[0], square("d3"), "but the best move is still a good guess");
    }

    #[test]
    fn shallow_facts_are_replaced_first() {
        let table = Table::with_bytes(1).unwrap();
        assert_eq!(table.bytes(), 4096);
        let mut boards = vec![Board::start()];
        for next in 0..4000 {
            let board = boards[next];
            boards.extend(board.moves().filter_map(|square| board.play(square)));
        }
        table.store(&boards[0], 60, 0, 2, None);
        for board in &boards[1..] {
            table.store(board, 9, 0, 2, None);
        }
        assert!(table.probe(&boards[0]).is_some());
        assert!(boards.iter().filter(|board| table.probe(board).is_some()).count() > 200);
    }

    /// Threads that write over each other's entries never read an entry of another board.
    #[test]
    fn torn_entries_are_not_found() {
        let table = Table::with_bytes(1).unwrap();
        let fact = |board: &Board| (board.hash() % 65) as i32;
        let found = std::thread::scope(|scope| {
            let walk = |mut choice: u64| {
                let table = &table;
                move || {
                    let mut found = 0;
                    for _ in 0..3000 {
                        let mut board = Board::start();
                        while !board.moves().is_empty() {
                            if let Some(known) = table.probe(&board) {
                                assert_eq!(known.lower, fact(&board));
                                assert_eq!(known.upper, fact(&board) + 1);
                                found += 1;
                            }
                            let (lower, upper) = (fact(&board), fact(&board) + 1);
                            let best = [None; 2];
                            table.store_bounds(&board, TableEntry { lower, upper, depth: 9, best });
                            choice = choice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                            let moves = board.moves();
                            let place = (choice >> 33) as usize % moves.len();
                            board =
                                moves.into_iter().nth(place).and_then(|m| board.play(m)).unwrap();
                        }
                    }
                    found
                }
            };
            let threads = [1, 2, 3, 4].map(|seed| scope.spawn(walk(seed)));
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>()
        });
        assert!(found > 1000, "{found}");
    }
}
