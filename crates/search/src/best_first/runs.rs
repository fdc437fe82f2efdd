//! Storage for many short runs of elements: the lists' own allocator.
//!
//! OPEN is made of millions of small pieces (the slots of a frame, the moves of a node) that come and go.
//! A `Vec` for each would cost an allocation and two words; one large `Vec` would stand empty for up to
//! half, and twice in memory whenever it grows. Here a [`RunSpace`] hands out *runs*, numbers of
//! neighbouring places in chunks that never move, and takes them back for the next run of such a length. Where
//! there is none, it cuts one from a longer run, and joins free neighbours before it asks for more memory.
//! A [`RunStore`] has the elements at the places of a space; several stores may share one space. What they
//! take is known to the byte.

/// The first place of a run: the number of its chunk, and the place in that chunk.
pub(crate) type Run = u32;

/// No run.
pub(crate) const NO_RUN: Run = Run::MAX;

const PLACE_BITS: u32 = 20;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;

/// Runs begin at places below this.
const MOST_PLACES: usize = 1 << PLACE_BITS;

/// The least capacity of a chunk, and that of a chunk of places for single large elements.
const LEAST_CHUNK: usize = 32;
const LEAST_LARGE_CHUNK: usize = 8;

/// Space grows by a part of this size: so much stands empty at the most.
const GROWTH: usize = 16;

/// Which places are in use.
pub(crate) struct RunSpace {
    /// The least capacity of a chunk.
    least_chunk: usize,
    /// The capacity of each chunk.
    capacities: Vec<usize>,
    /// The chunk that new runs are taken from, and how much of it is used.
    current: usize,
    used: usize,
    /// The capacity of all chunks.
    places: usize,
    /// Runs that were given back, by class of length.
    free: Vec<Vec<Run>>,
    /// Where free runs are joined.
    joining: Vec<u64>,
    /// The bytes that the lists of free runs take, and the one where they are joined.
    free_bytes: usize,
    /// How many runs were looked for beyond the free runs of their class since free runs were last joined, and
    /// after how many they may be joined again.
    looks: usize,
    next_join: usize,
}

impl Default for RunSpace {
    fn default() -> RunSpace {
        RunSpace {
            least_chunk: LEAST_CHUNK,
            capacities: Vec::new(),
            current: 0,
            used: 0,
            places: 0,
            free: Vec::new(),
            joining: Vec::new(),
            free_bytes: 0,
            looks: 0,
            next_join: 0,
        }
    }
}

/// How far a space is used.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunMark {
    current: usize,
    used: usize,
}

/// The class of a length, and the length of its runs, which is at most a quarter more.
#[inline(always)]
fn class(len: usize) -> (usize, usize) {
    debug_assert!(len > 0, "a run has at least one place");
    if len <= 8 {
        return (len - 1, len);
    }
    // Four classes from each power of two to the next.
    let step = (len - 1).ilog2() as usize - 2;
    let quarters = (len - 1) >> step;
    (4 * step + quarters, (quarters + 1) << step)
}

/// The length of the runs of a class.
fn length(class: usize) -> usize {
    match class {
        0..8 => class + 1,
        _ => {
            let step = (class - 4) / 4;
            (class - 4 * step + 1) << step
        }
    }
}

/// The greatest class whose runs have at most `places` places, and their length.
fn class_within(places: usize) -> (usize, usize) {
    if places <= 8 {
        return (places - 1, places);
    }
    let step = places.ilog2() as usize - 2;
    let quarters = places >> step;
    match quarters {
        4 => (4 * (step - 1) + 7, 8 << (step - 1)),
        _ => (4 * step + quarters - 1, quarters << step),
    }
}

impl RunSpace {
    /// A space for single elements that take many bytes.
    pub(crate) fn of_large_elements() -> RunSpace {
        RunSpace { least_chunk: LEAST_LARGE_CHUNK, ..RunSpace::default() }
    }

    /// A run of at least `len` places, `len` at least 1.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, len: usize) -> Run {
        let (class, len) = class(len);
        if let Some(run) = self.free.get_mut(class).and_then(Vec::pop) {
            return run;
        }
        self.find(class, len)
    }

    /// A run where no free one has this class: a part of a longer one, of several joined, or a new one.
    #[cold]
    #[inline(never)]
    fn find(&mut self, class: usize, len: usize) -> Run {
        self.looks += 1;
        if let Some(run) = self.split(class + 1, len).or_else(|| self.extend(len, false)) {
            return run;
        }
        // The chunks are used up. Neighbours may be free; but to join them takes a while.
        if self.looks >= self.next_join {
            self.join();
            if let Some(run) = self.split(class, len) {
                return run;
            }
        }
        self.extend(len, true).expect("a new chunk has room")
    }

    /// The beginning of the shortest free run of this class or a greater one; the rest of it stays free.
    fn split(&mut self, class: usize, len: usize) -> Option<Run> {
        let longer = (class..self.free.len()).find(|&longer| !self.free[longer].is_empty())?;
        let run = self.free[longer].pop()?;
        self.release_rest(run + len as Run, length(longer) - len);
        Some(run)
    }

    /// Gives places back that are no run, as the longest runs that they have room for.
    fn release_rest(&mut self, mut run: Run, mut places: usize) {
        while places > 0 {
            let (class, len) = class_within(places);
            self.release_in(run, class);
            run += len as Run;
            places -= len;
        }
    }

    /// Joins free runs that are neighbours to longer ones.
    fn join(&mut self) {
        // The list is kept for the next time, and its bytes are counted; a run and its length are one
        // number, so that they are few.
        let mut runs = std::mem::take(&mut self.joining);
        let before = runs.capacity();
        runs.clear();
        runs.reserve_exact(self.free.iter().map(Vec::len).sum());
        self.free_bytes += (runs.capacity() - before) * size_of::<u64>();
        for (class, free) in self.free.iter_mut().enumerate() {
            let len = length(class) as u64;
            runs.extend(free.drain(..).map(|run| u64::from(run) << 32 | len));
        }
        runs.sort_unstable();
        (self.looks, self.next_join) = (0, 16 + runs.len() / 4);
        let mut joined: Option<(Run, usize)> = None;
        for (run, len) in runs.iter().map(|both| ((both >> 32) as Run, *both as u32 as usize)) {
            joined = match joined {
                // The first place of a chunk is no neighbour of the last one of another.
                Some((start, places)) if start + places as Run == run && run & PLACE_MASK != 0 => {
                    Some((start, places + len))
                }
                Some((start, places)) => {
                    self.release_rest(start, places);
                    Some((run, len))
                }
                None => Some((run, len)),
            };
        }
        if let Some((start, places)) = joined {
            self.release_rest(start, places);
        }
        self.joining = runs;
    }

    /// A run of places that were never used; `None` if there are none left and no chunk may be `added`.
    fn extend(&mut self, len: usize, added: bool) -> Option<Run> {
        while let Some(&capacity) = self.capacities.get(self.current)
            && (self.used + len > capacity || self.used >= MOST_PLACES)
        {
            // What is left of the chunk is room for shorter runs.
            let left = capacity.min(MOST_PLACES).saturating_sub(self.used);
            let rest = (self.current as Run) << PLACE_BITS | self.used as Run;
            (self.current, self.used) = (self.current + 1, 0);
            if left > 0 {
                self.release_rest(rest, left);
            }
        }
        if self.current == self.capacities.len() {
            if !added {
                return None;
            }
            let capacity = (self.places / GROWTH).clamp(self.least_chunk, MOST_PLACES).max(len);
            self.capacities.push(capacity);
            self.places += capacity;
        }
        let run = (self.current as Run) << PLACE_BITS | self.used as Run;
        self.used += len;
        Some(run)
    }

    /// Gives the run for `len` places back.
    #[inline(always)]
    pub(crate) fn release(&mut self, run: Run, len: usize) {
        self.release_in(run, class(len).0);
    }

    #[inline(always)]
    fn release_in(&mut self, run: Run, class: usize) {
        match self.free.get_mut(class) {
            Some(free) if free.len() < free.capacity() => free.push(run),
            _ => self.release_more(run, class),
        }
    }

    #[cold]
    #[inline(never)]
    fn release_more(&mut self, run: Run, class: usize) {
        if self.free.len() <= class {
            self.free.reserve_exact(class + 1 - self.free.len());
            self.free.resize_with(class + 1, Vec::new);
        }
        let free = &mut self.free[class];
        let before = free.capacity();
        // Not twice as much: these lists are bytes too.
        free.reserve_exact(2 + free.len() / 4);
        free.push(run);
        self.free_bytes += (free.capacity() - before) * size_of::<Run>();
    }

    /// How far the space is used, to be [reset](RunSpace::reset) later.
    pub(crate) fn mark(&self) -> RunMark {
        RunMark { current: self.current, used: self.used }
    }

    /// Gives all runs back that were allocated since then. Runs of any length can have their places now.
    pub(crate) fn reset(&mut self, mark: RunMark) {
        (self.current, self.used) = (mark.current, mark.used);
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// What is held has grown only if this has.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        self.places + self.free_bytes
    }

    /// How many chunks there are.
    pub(crate) fn chunks(&self) -> usize {
        self.capacities.len()
    }

    /// The bytes that this takes: what is free, and the capacities.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.free.capacity() * size_of::<Vec<Run>>();
        self.free_bytes + lists + self.capacities.capacity() * size_of::<usize>()
    }
}

/// The elements at the places of a space.
pub(crate) struct RunStore<X> {
    chunks: Vec<Vec<X>>,
    bytes: usize,
}

#[inline(always)]
fn split(run: Run) -> (usize, usize) {
    ((run >> PLACE_BITS) as usize, (run & PLACE_MASK) as usize)
}

impl<X: Clone> RunStore<X> {
    pub(crate) const EMPTY: Self = RunStore { chunks: Vec::new(), bytes: 0 };

    /// Makes sure that the run for `len` places, just allocated, has elements; `fill` where it never had.
    #[inline(always)]
    pub(crate) fn cover(&mut self, space: &RunSpace, run: Run, len: usize, fill: X) {
        let (chunk, place) = split(run);
        let len = class(len).1;
        if self.chunks.get(chunk).is_none_or(|chunk| chunk.len() < place + len) {
            self.add(space, (chunk, place), len, fill);
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, space: &RunSpace, (chunk, place): (usize, usize), len: usize, fill: X) {
        while self.chunks.len() <= chunk {
            let before = self.chunks.capacity();
            let capacity = space.capacities[self.chunks.len()];
            self.chunks.push(Vec::with_capacity(capacity));
            self.bytes += capacity * size_of::<X>();
            self.bytes += (self.chunks.capacity() - before) * size_of::<Vec<X>>();
        }
        self.chunks[chunk].resize(place + len, fill);
    }

    /// Puts an element into a run of one place, just allocated.
    #[inline(always)]
    pub(crate) fn put(&mut self, space: &RunSpace, run: Run, element: X) {
        let (chunk, place) = split(run);
        match self.chunks.get_mut(chunk).and_then(|chunk| chunk.get_mut(place)) {
            Some(there) => *there = element,
            None => self.add(space, (chunk, place), 1, element),
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, run: Run, i: usize) -> &X {
        let (chunk, place) = split(run);
        &self.chunks[chunk][place + i]
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, run: Run, i: usize) -> &mut X {
        let (chunk, place) = split(run);
        &mut self.chunks[chunk][place + i]
    }

    #[inline(always)]
    pub(crate) fn slice(&self, run: Run, len: usize) -> &[X] {
        let (chunk, place) = split(run);
        &self.chunks[chunk][place..place + len]
    }

    #[inline(always)]
    pub(crate) fn slice_mut(&mut self, run: Run, len: usize) -> &mut [X] {
        let (chunk, place) = split(run);
        &mut self.chunks[chunk][place..place + len]
    }

    /// Copies `len` elements from one run to another.
    pub(crate) fn copy(&mut self, from: Run, to: Run, len: usize) {
        for i in 0..len {
            *self.get_mut(to, i) = self.get(from, i).clone();
        }
    }

    /// The bytes that the elements take, used or not.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::mix;

    #[test]
    fn a_class_has_room_for_its_lengths_and_little_more() {
        let mut last = 0;
        for len in 1..5_000 {
            let (number, room) = class(len);
            assert!(room >= len && room * 4 <= len * 5 + 3, "{len}: {room}");
            assert!(number == last || number == last + 1, "{len}: {number} after {last}");
            assert_eq!(class(room), (number, room), "{len}");
            assert_eq!(length(number), room, "{len}");
            let (within, most) = class_within(len);
            assert!(most <= len && length(within + 1) > len, "{len}: {most}");
            assert_eq!(length(within), most, "{len}");
            last = number;
        }
    }

    /// Runs that live at the same time never share a place, and what was given back is used again.
    #[test]
    fn runs_keep_their_elements() {
        let (mut space, mut store) = (RunSpace::default(), RunStore::<u64>::EMPTY);
        let mut live: Vec<(Run, usize, u64)> = Vec::new();
        let mut places = 0;
        let (mut held, mut most) = (0, 0);
        for step in 0..60_000_u64 {
            if step % 20_000 == 19_999 {
                live.clear();
                held = 0;
                space.reset(RunMark::default());
            }
            let random = |i: u64, n: usize| mix(step, i) as usize % n;
            // It grows and shrinks in turns.
            if live.is_empty() || random(0, 10) < if step / 5_000 % 2 == 0 { 7 } else { 3 } {
                let len = 1 + random(1, 40);
                let run = space.allocate(len);
                store.cover(&space, run, len, 0);
                store.slice_mut(run, len).fill(step);
                live.push((run, len, step));
                held += class(len).1;
                most = most.max(held);
            } else {
                let (run, len, written) = live.swap_remove(random(2, live.len()));
                assert!(store.slice(run, len).iter().all(|&x| x == written));
                space.release(run, len);
                held -= class(len).1;
            }
            if step == 15_000 {
                places = space.places;
            }
        }
        assert!(live.iter().all(|&(run, len, written)| *store.get(run, len - 1) == written));
        assert!(space.places * 4 < most * 5, "{} places for {most}", space.places);
        assert!(space.places < places * 2, "{} after {places}", space.places);
        let elements: usize = store.chunks.iter().map(|chunk| chunk.capacity() * 8).sum();
        assert_eq!(store.bytes(), elements + store.chunks.capacity() * size_of::<Vec<u64>>());
    }
    /// A chunk more shows in what has grown, and so does a longer list of free runs.
    #[test]
    fn growth_tells_of_chunks_and_of_free_runs() {
        let mut space = RunSpace::default();
        let mut grown = vec![space.growth()];
        let mut note = |space: &RunSpace| grown.push(space.growth());
        let runs: Vec<Run> = (0..4).map(|_| space.allocate(5)).collect();
        note(&space);
        runs.iter().for_each(|&run| space.release(run, 5));
        note(&space);
        space.allocate(space.places);
        note(&space);
        assert!(grown.is_sorted_by(|a, b| a < b), "{grown:?}");
        assert_eq!(grown[3], space.places + space.free_bytes);
    }
}
