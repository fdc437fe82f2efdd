//! The loop: mutate an input, run it, and keep it if it reaches something new.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Target;
use crate::corpus::Folders;
use crate::coverage;
use crate::mutate::{Chance, mutated};

/// The exit code if something was found.
const FOUND: u8 = 3;
/// The exit code if an input took too long or too much memory: the process cannot go on.
const ENDED: i32 = 4;

/// More memory than any input may take, in bytes.
const MOST_MEMORY: u64 = 3 << 30;

/// What the last panic said, on whichever thread it was.
static PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes panics instead of printing them: their place, and their message with it.
fn note_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        lock(&PANIC).get_or_insert((place, info.to_string()));
    }));
}

/// Runs an input; a panic on any thread is the error.
fn run(target: &Target, input: &[u8]) -> Result<(), (String, String)> {
    *lock(&PANIC) = None;
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    match (lock(&PANIC).take(), result) {
        (Some(panic), _) => Err(panic),
        (None, Err(_)) => Err((String::new(), "a panic without a message".into())),
        (None, Ok(())) => Ok(()),
    }
}

/// What has been reached: for each edge, which magnitudes of its count.
struct Reached {
    seen: Vec<u8>,
    counters: Vec<u8>,
}

impl Reached {
    fn new() -> Reached {
        let count = coverage::count();
        Reached { seen: vec![0; count], counters: vec![0; count] }
    }

    /// Forgets what was counted so far.
    fn reset(&mut self) {
        coverage::take(&mut self.counters);
    }

    /// The edges that were counted since, with their counts.
    fn taken(&mut self) -> impl Iterator<Item = (usize, u8)> {
        coverage::take(&mut self.counters);
        let chunks = self.counters.chunks(32).enumerate();
        // Nearly all of them are zero.
        let some = chunks.filter(|(_, chunk)| chunk.iter().fold(0, |all, byte| all | byte) != 0);
        let all = some.flat_map(|(at, chunk)| {
            chunk.iter().enumerate().map(move |(index, count)| (at * 32 + index, *count))
        });
        all.filter(|(_, count)| *count > 0)
    }

    /// Adds what was counted; whether some of it was new.
    fn add(&mut self) -> bool {
        let mut seen = std::mem::take(&mut self.seen);
        let mut new = false;
        for (edge, count) in self.taken() {
            let magnitude = 1 << count.ilog2();
            new |= seen[edge] & magnitude == 0;
            seen[edge] |= magnitude;
        }
        self.seen = seen;
        new
    }

    /// How many edges have been reached.
    fn edges(&self) -> usize {
        self.seen.iter().filter(|seen| **seen != 0).count()
    }
}

/// The input that is running, for whoever has to say what went wrong.
struct Current {
    file: File,
    input: Mutex<Vec<u8>>,
    /// Milliseconds since the start of the process when the input began; 0 while none runs.
    begun: AtomicU64,
    start: Instant,
}

impl Current {
    fn begin(&self, input: &[u8]) -> io::Result<()> {
        self.file.write_all_at(&(input.len() as u64).to_le_bytes(), 0)?;
        self.file.write_all_at(input, 8)?;
        input.clone_into(&mut lock(&self.input));
        self.begun.store(self.now().max(1), Relaxed);
        Ok(())
    }

    fn end(&self) {
        self.begun.store(0, Relaxed);
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}

/// Ends the process if an input runs too long or takes too much memory.
fn watch(current: Arc<Current>, target: &'static Target, folders: Arc<Folders>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(20));
            let begun = current.begun.load(Relaxed);
            let late = begun > 0 && current.now().saturating_sub(begun) > target.patience * 1000;
            let bytes = resident_bytes();
            if late || bytes > MOST_MEMORY {
                let (kind, why) = match late {
                    true => ("late", format!("not done after {} s", target.patience)),
                    false => ("memory", format!("{} MiB of memory", bytes >> 20)),
                };
                let input = lock(&current.input).clone();
                let _ = folders.crash(target.name, kind, &why, &input);
                std::process::exit(ENDED);
            }
        }
    });
}

/// The memory that the process has in use.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// A folder of its own to work in: what a target writes is written there.
fn enter_own_folder(folders: &Folders, target: &Target) -> io::Result<()> {
    let own = folders.work.join("folders").join(target.name);
    if own.exists() {
        std::fs::remove_dir_all(&own)?;
    }
    std::fs::create_dir_all(&own)?;
    std::env::set_current_dir(own)
}

/// Random inputs for a while. Returns the exit code.
pub fn fuzz(target: &'static Target, seconds: f64, seed: u64) -> io::Result<u8> {
    let start = Instant::now();
    let folders = Arc::new(Folders::found());
    enter_own_folder(&folders, target)?;
    note_panics();
    let current = Arc::new(Current {
        file: File::create(folders.work.join(format!("{}.current", target.name)))?,
        input: Mutex::default(),
        begun: AtomicU64::new(0),
        start,
    });
    watch(Arc::clone(&current), target, Arc::clone(&folders));
    let mut corpus = folders.inputs(target.name);
    let mut reached = Reached::new();
    let mut chance = Chance::new(seed ^ crate::corpus::hash(target.name.as_bytes()));
    let mut waiting = corpus.clone();
    waiting.extend(target.built_in.iter().map(|input| input.as_bytes().to_vec()));
    waiting.reverse();
    corpus.clear();
    let (mut runs, mut faults) = (0_u64, HashSet::new());
    while !waiting.is_empty() || start.elapsed().as_secs_f64() < seconds {
        let (input, is_old) = match waiting.pop() {
            Some(input) => (input, true),
            None => (mutated(&corpus, target.dictionary, target.longest, &mut chance), false),
        };
        current.begin(&input)?;
        reached.reset();
        let result = run(target, &input);
        current.end();
        runs += 1;
        if let Err((place, why)) = result {
            if faults.insert(place.clone()) {
                folders.crash(target.name, &place, &why, &input)?;
            }
        } else if reached.add() {
            if !is_old {
                folders.keep(target.name, &input)?;
            }
            corpus.push(input);
        }
    }
    let told = format!(
        "{runs:>8} inputs {:>5.0} a second, {:>6} of {} edges, corpus {:>5}, {} faults\n",
        runs as f64 / start.elapsed().as_secs_f64().max(1e-9),
        reached.edges(),
        coverage::count(),
        corpus.len(),
        faults.len()
    );
    std::fs::write(folders.work.join(format!("{}.status", target.name)), told)?;
    Ok(if faults.is_empty() { 0 } else { FOUND })
}

/// At most this many inputs of a target are committed, none longer than this.
const COMMITTED: usize = 60;
const COMMITTED_LENGTH: usize = 600;

/// Commits the inputs that reach the most, so that few of them reach nearly all.
pub fn minimise(target: &'static Target) -> io::Result<u8> {
    let folders = Folders::found();
    let inputs = folders.inputs(target.name);
    enter_own_folder(&folders, target)?;
    note_panics();
    let mut all = Reached::new();
    let mut edges: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
    for input in inputs.into_iter().filter(|input| input.len() <= COMMITTED_LENGTH) {
        all.reset();
        if run(target, &input).is_ok() {
            edges.push((input, all.taken().map(|(edge, _)| edge).collect()));
        }
    }
    // The input that adds most comes first; of equal ones, the smallest.
    let (mut kept, mut reached) = (Vec::new(), HashSet::new());
    while kept.len() < COMMITTED {
        let adds = |hit: &[usize]| hit.iter().filter(|edge| !reached.contains(*edge)).count();
        let best = edges.iter().enumerate().max_by_key(|(index, (input, hit))| {
            (adds(hit), std::cmp::Reverse(input.len()), std::cmp::Reverse(*index))
        });
        let Some((index, _)) = best.filter(|(_, (_, hit))| adds(hit) > 0) else { break };
        let (input, hit) = edges.swap_remove(index);
        reached.extend(hit);
        kept.push(input);
    }
    kept.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let told = format!("{} inputs reach {} edges\n", kept.len(), reached.len());
    std::fs::write(folders.work.join(format!("{}.status", target.name)), told)?;
    folders.commit(target.name, &kept)?;
    Ok(0)
}

/// One input from a file; says what is wrong with it.
pub fn repeat(target: &'static Target, file: &Path) -> io::Result<u8> {
    let input = std::fs::read(file)?;
    enter_own_folder(&Folders::found(), target)?;
    note_panics();
    let begun = Instant::now();
    match run(target, &input) {
        Ok(()) => {
            eprintln!("{:.3} s, {} MiB", begun.elapsed().as_secs_f64(), resident_bytes() >> 20);
            Ok(0)
        }
        Err((_, why)) => {
            eprintln!("{why}");
            Ok(FOUND)
        }
    }
}
