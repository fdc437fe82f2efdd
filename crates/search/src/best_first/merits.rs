//! The merits of a frame's slots, and the best of them.
//!
//! The merits stand side by side, so that the best of a few dozen is found by looking at all: that takes
//! less time than to keep a winner tree up to date. A frame with more slots also has the best merit of
//! each block of them.

use plyground_core::value::Value;

/// The merit of a slot that cannot be chosen, because its state has left OPEN or is INACTIVE: less
/// than any real merit.
pub(crate) const NOTHING: Value = Value::MIN;

/// Frames with more slots have blocks.
const NARROW: usize = 48;

/// The size of the blocks of `size` slots: about the square root.
#[inline]
fn block(size: usize) -> usize {
    1 << (size.ilog2() / 2 + 1)
}

/// How many places `size` slots take: one each, and one for each block.
#[inline]
pub(crate) fn places(size: usize) -> usize {
    if size <= NARROW { size } else { size + size.div_ceil(block(size)) }
}

/// The better of two merits with their slots, the first if they are equal.
#[inline(always)]
fn better(left: (usize, Value), right: (usize, Value)) -> (usize, Value) {
    if right.1 > left.1 { right } else { left }
}

/// The leftmost of the greatest, and its merit. There is no branch that depends on the merits: it would
/// be taken by chance. Four at a time without a loop, because the compiler's own way takes twice as long.
#[inline(always)]
fn leftmost_best(merits: &[Value]) -> (usize, Value) {
    let mut best = (0, NOTHING);
    let (fours, rest) = merits.as_chunks::<4>();
    let mut slot = 0;
    for &[a, b, c, d] in fours {
        let (place, merit) = better(better((0, a), (1, b)), better((2, c), (3, d)));
        best = better(best, (slot + place, merit));
        slot += 4;
    }
    // Nearly always there is no rest, or a frame is so narrow that it has nothing else.
    if rest.is_empty() {
        return best;
    }
    match *rest {
        [a] => better(best, (slot, a)),
        [a, b] => better(best, better((slot, a), (slot + 1, b))),
        [a, b, c] => better(best, better(better((slot, a), (slot + 1, b)), (slot + 2, c))),
        _ => best,
    }
}

/// The best of `size` slots, ties leftmost, and its merit; `merits` has their [`places`].
#[inline(always)]
pub(crate) fn best(merits: &[Value], size: usize) -> (usize, Value) {
    if size <= NARROW {
        return leftmost_best(merits);
    }
    best_of_blocks(merits, size)
}

fn best_of_blocks(merits: &[Value], size: usize) -> (usize, Value) {
    let block = block(size);
    let first = leftmost_best(&merits[size..]).0 * block;
    let (slot, merit) = leftmost_best(&merits[first..size.min(first + block)]);
    (first + slot, merit)
}

/// Changes the merit of a slot.
#[inline]
pub(crate) fn set(merits: &mut [Value], size: usize, slot: usize, merit: Value) {
    merits[slot] = merit;
    if size > NARROW {
        update_block(merits, size, slot);
    }
}

fn update_block(merits: &mut [Value], size: usize, slot: usize) {
    let block = block(size);
    let number = slot / block;
    let first = number * block;
    let most = merits[first..size.min(first + block)].iter().copied().max();
    merits[size + number] = most.unwrap_or(NOTHING);
}

/// Gives all slots the same merit.
#[inline]
pub(crate) fn fill(merits: &mut [Value], merit: Value) {
    merits.fill(merit);
}

/// Computes the best of all blocks, after many merits have changed.
pub(crate) fn rebuild(merits: &mut [Value], size: usize) {
    if size > NARROW {
        for first in (0..size).step_by(block(size)) {
            update_block(merits, size, first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::mix;

    fn best(merits: &[Value], size: usize) -> usize {
        let (slot, merit) = super::best(merits, size);
        assert_eq!(merits[slot], merit);
        slot
    }

    #[test]
    fn the_best_is_the_leftmost_of_the_greatest() {
        for case in 0..600 {
            let random = |i: u64, n: u64| (mix(case, i) % n) as usize;
            let size = 1 + random(0, if case % 3 == 0 { 2_000 } else { 60 });
            let mut merits = vec![NOTHING; places(size)];
            fill(&mut merits, 50);
            assert_eq!(best(&merits, size), 0);
            for step in 0..60 {
                // Mostly the best changes, as in a search; now and then another.
                let slot = match random(100 + step, 4) {
                    0 => random(200 + step, size as u64),
                    _ => best(&merits, size),
                };
                set(&mut merits, size, slot, random(300 + step, 51) as Value);
                let expected = (0..size).max_by_key(|&s| (merits[s], size - s)).unwrap();
                assert_eq!(best(&merits, size), expected, "{size} slots: {merits:?}");
            }
            for (slot, merit) in merits.iter_mut().enumerate().take(size) {
                *merit = random(1_000 + slot as u64, 9) as Value;
            }
            rebuild(&mut merits, size);
            let expected = (0..size).max_by_key(|&s| (merits[s], size - s)).unwrap();
            assert_eq!(best(&merits, size), expected, "{size} slots: {merits:?}");
        }
    }
}
