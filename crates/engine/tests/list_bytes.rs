//! What the lists of best-first searches really take. This program has an allocator that counts, so that
//! `peak_bytes` can be compared with what was allocated; the bytes of an entry, boards and moves included,
//! are held to their limits.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use plyground_core::limits::Limits;
use plyground_engine::door::AnyGame;
use plyground_engine::game::Game;
use plyground_engine::profile::Weights;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_search::{Counts, Options, SearchSpec, Workspace};

struct CountingAllocator;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does everything; only sizes are noted.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A search of a position of the experiments: its counts, and the most bytes that were allocated in it.
fn searched(game: &dyn AnyGame, number: usize, id: &str, options: Options) -> (Counts, f64) {
    let position = &game.experiments().unwrap()[number].position;
    let tree = game.tree(position, &Weights::Standard).unwrap();
    let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
    let mut workspace = Workspace::new();
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let outcome = tree.search(&mut workspace, &spec, None).unwrap();
    (outcome.counts, (PEAK.load(Relaxed) - before) as f64)
}

/// One test, because the allocator counts for all threads.
#[test]
fn peak_bytes_are_what_is_allocated_and_entries_are_small() {
    // All positions of Othello's experiments, and some of those of chess, which take longer.
    let games: [(&dyn AnyGame, u32, usize, f64); 2] =
        [(Othello::door(), 8, 1, 64.0), (Chess::door(), 5, 6, 192.0)];
    for (game, depth, step, most) in games {
        // What a game makes once, at its first search, is not the list's.
        let _ = searched(game, 0, "alpha-beta", Options::to_depth(2));
        for id in ["sss", "dual", "ps:2"] {
            let (mut bytes, mut entries) = (0, 0);
            for number in (0..game.experiments().unwrap().len()).step_by(step) {
                let (counts, real) = searched(game, number, id, Options::to_depth(depth));
                let said = counts.peak_bytes as f64;
                let what = format!("{game} {number}, {id}: {said} bytes said, {real} allocated");
                assert!((said / real - 1.0).abs() < 0.1, "{what}");
                assert!((id == "ps:2") == (counts.peak_backup > 0), "{what}");
                let held = counts.peak_open + counts.peak_backup;
                // Where there are few entries, what is left over of chunks and classes weighs more.
                let entry = said / held as f64;
                assert!(entry <= 1.4 * most, "{what}, {entry:.1} an entry");
                bytes += counts.peak_bytes;
                entries += held;
            }
            let entry = bytes as f64 / entries as f64;
            assert!(entry <= most, "{game}, {id}: {entry:.1} bytes an entry");
        }
    }
    // A limit on bytes holds for what is allocated, MIN nodes included.
    let limits = Limits { bytes: Some(100_000), ..Limits::default() };
    for id in ["sss", "dual", "ps:2", "ps:auto", "staged-sss:4", "rsearch:1000"] {
        let options = Options { limits: limits.clone(), ..Options::to_depth(8) };
        let (counts, real) = searched(Othello::door(), 0, id, options);
        assert!(real < 120_000.0, "{id}: {real} allocated, {} said", counts.peak_bytes);
    }
}
