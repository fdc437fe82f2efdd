//! Processes on ranks that share no memory: messages in MINPROC's place.
//!
//! Each rank runs at most one process at a time. It has a MINPROC of its own, with the entry of its process
//! and of those that this one has started elsewhere; messages keep these entries as they would be in a
//! shared memory, only later. So the processes themselves do not know where the others run.
//!
//! - An h-value that is read too late is too high, as in `minproc.rs`: a process then waits a little longer,
//!   or kills another a little later. Both are safe, however long a message takes.
//! - Rank 0 runs the first process and knows which ranks are free. A process that has something to delegate
//!   *asks*; rank 0 gives it free ranks, and it sends a job to each, or gives the rank back.
//! - A job is the way to its node: the child numbers from the root. Every rank has the tree.
//! - A process that is killed kills those that it has started, by messages. A message about a process that
//!   has ended meanwhile is for nobody, because a rank never uses a number twice.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::minproc::{Minproc, MinprocEntry};
use super::process::{Pause, Process, Turn, TurnLeaves};
use super::{Job, Settings};
use crate::best_first::solution_tree::ExpandedMax;
use crate::catalogue::Partitions;
use crate::distributed::{DistributedOutcome, Network, Post, ReadWords, WriteWords};
use crate::keep::Nothing;
use crate::mode::Bare;
use crate::outcome::{MemoryLock, SearchError};
use crate::prelude::*;
use crate::spec::SearchSpec;

/// A rank looks for messages after this many leaves.
const LEAVES_A_TURN: u64 = 64;

/// After a rank that was given back unused, a process asks again after twice as many turns as before, up
/// to this many.
const MOST_PATIENCE: u32 = 64;

type Plain = Bare<Nothing>;

/// What ranks tell each other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    /// To rank 0: this rank has no process.
    Free { rank: u32 },
    /// To rank 0: this rank's process has something to delegate.
    Asks,
    /// From rank 0: these ranks are free for your process.
    Given { ranks: Vec<u32> },
    /// Search these children of the node at the end of the path; `number` is yours from now on.
    Job { number: u32, h: Value, low: Value, children: [u32; 2], path: Vec<u32> },
    /// The h-value of the process that you have started under this number has fallen.
    Falls { number: u32, h: Value },
    /// That process is SOLVED.
    Solved { number: u32, value: Value, best: u32 },
    /// The process that I have started under this number is killed.
    Killed { number: u32 },
    /// To rank 0: a limit was reached, or the memory is locked.
    Stopped { stop: Stop, lock: Option<MemoryLock> },
}

const STOPS: [Stop; 7] =
    [Stop::Leaves, Stop::Nodes, Stop::Time, Stop::Bytes, Stop::Flag, Stop::Locked, Stop::Memory];

impl Message {
    fn write(&self) -> Vec<u8> {
        let mut words = Vec::new();
        match self {
            Message::Free { rank } => {
                words.word(1);
                words.word(*rank);
            }
            Message::Asks => words.word(2),
            Message::Given { ranks } => {
                words.word(3);
                words.words(ranks);
            }
            Message::Job { number, h, low, children, path } => {
                words.word(4);
                words.word(*number);
                words.value(*h);
                words.value(*low);
                children.iter().for_each(|&child| words.word(child));
                words.words(path);
            }
            Message::Falls { number, h } => {
                words.word(5);
                words.word(*number);
                words.value(*h);
            }
            Message::Solved { number, value, best } => {
                words.word(6);
                words.word(*number);
                words.value(*value);
                words.word(*best);
            }
            Message::Killed { number } => {
                words.word(7);
                words.word(*number);
            }
            Message::Stopped { stop, lock } => {
                words.word(8);
                words.word(STOPS.iter().position(|known| known == stop).unwrap_or(0) as u32);
                if let Some(MemoryLock { entries, held, inactive, width, depth, least }) = *lock {
                    for long in [entries, held, inactive, width, depth.into(), least] {
                        words.long(long);
                    }
                }
            }
        }
        words
    }

    fn read(message: &[u8]) -> Option<Message> {
        let mut words = ReadWords(message);
        Some(match words.word()? {
            1 => Message::Free { rank: words.word()? },
            2 => Message::Asks,
            3 => Message::Given { ranks: words.words()? },
            4 => Message::Job {
                number: words.word()?,
                h: words.value()?,
                low: words.value()?,
                children: [words.word()?, words.word()?],
                path: words.words()?,
            },
            5 => Message::Falls { number: words.word()?, h: words.value()? },
            6 => Message::Solved {
                number: words.word()?,
                value: words.value()?,
                best: words.word()?,
            },
            7 => Message::Killed { number: words.word()? },
            8 => {
                let stop = *STOPS.get(words.word()? as usize)?;
                let mut lock = || {
                    Some(MemoryLock {
                        entries: words.long()?,
                        held: words.long()?,
                        inactive: words.long()?,
                        width: words.long()?,
                        depth: words.long()? as u32,
                        least: words.long()?,
                    })
                };
                Message::Stopped { stop, lock: lock() }
            }
            _ => return None,
        })
    }
}

/// Which ranks are free, and whose processes ask for them: rank 0 knows.
struct FreeRanks {
    free: VecDeque<usize>,
    asking: VecDeque<usize>,
}

impl FreeRanks {
    /// Gives free ranks to those that ask, to each as many: the ranks that get some, and which.
    fn give(&mut self) -> Vec<(usize, Vec<u32>)> {
        let mut given = Vec::new();
        while let Some(share) = self.free.len().checked_div(self.asking.len())
            && !self.free.is_empty()
            && let Some(to) = self.asking.pop_front()
        {
            let some = self.free.drain(..share.max(1)).map(|rank| rank as u32).collect();
            given.push((to, some));
        }
        given
    }
}

/// The process that a rank runs.
struct Running<T: GameTree> {
    process: Process<T, Plain>,
    pause: Pause,
    /// The rank that has started it, and its number there; `None` for the first process.
    above: Option<(usize, u32)>,
    /// The child numbers that lead from the root to its node.
    path: Vec<u32>,
    /// The h-value that the process above knows.
    known_h: Value,
    /// The processes that it has started: where they run, and their entries.
    below: Vec<(usize, Arc<MinprocEntry>)>,
    /// Has it asked for ranks?
    asked: bool,
    /// It asks no sooner than after this many turns.
    asks_in: u32,
    patience: u32,
}

/// One rank of a search.
struct Rank<'r, 'n, 't, T: GameTree> {
    search: &'r mut Search<'t, T, Plain>,
    post: Post<'n>,
    settings: Settings,
    minproc: Minproc<Job<T, Plain>>,
    running: Option<Running<T>>,
    /// The free ranks that its process was given.
    given: Vec<u32>,
    free_ranks: FreeRanks,
    /// Why the search ends without a value, as rank 0 was told.
    stopped: Option<(Stop, Option<MemoryLock>)>,
    /// The root's value.
    value: Option<Value>,
}

/// Searches with a process on each rank, each in at most `entries` entries of memory.
pub(crate) fn search_on_ranks<T: GameTree>(
    tree: &T,
    spec: &SearchSpec,
    entries: Option<NonZeroUsize>,
    network: &mut dyn Network,
) -> Result<Option<DistributedOutcome<T::Move>>, SearchError> {
    let post = Post::new(network);
    let mut search = Search::new(tree, spec, Bare(Nothing));
    let others = if post.rank() == 0 { 1..post.ranks() } else { 0..0 };
    let mut rank = Rank {
        search: &mut search,
        settings: Settings {
            partitions: Partitions::ONE,
            phased: false,
            entries: entries.map(|entries| entries.get() as u64),
            spawn_height: spec.spawn_height(),
            costs: spec.costs(),
            leaves_first: false,
            endless: false,
            alone: false,
            count_step: 0,
        },
        minproc: Minproc::by_messages(),
        running: None,
        given: Vec::new(),
        free_ranks: FreeRanks { free: others.collect(), asking: VecDeque::new() },
        stopped: None,
        value: None,
        post,
    };
    rank.run();
    let Rank { mut post, stopped, value, .. } = rank;
    let time = post.time();
    let ranks = post.end(&search.tally);
    if post.rank() != 0 {
        return Ok(None);
    }
    if value.is_none()
        && let Some((_, Some(lock))) = stopped
    {
        return Err(lock.into());
    }
    let stopped = stopped.map(|(stop, _)| stop).filter(|_| value.is_none());
    Ok(Some(DistributedOutcome { value, best: search.best, stopped, time, ranks }))
}

impl<'t, T: GameTree> Rank<'_, '_, 't, T> {
    /// Runs processes until the search has ended: until rank 0 says so, or knows so.
    fn run(&mut self) {
        if self.post.rank() == 0 {
            let result = self.begin();
            self.note_stop(result);
        }
        while !self.has_ended() {
            let mut heard = false;
            while let Some((from, message)) = self.post.receive() {
                heard = true;
                // Only ranks of the same search are on its network.
                let message = Message::read(&message).expect("a message of this search");
                let result = self.hear(from, message);
                self.note_stop(result);
                if self.has_ended() {
                    return;
                }
            }
            let result = self.turn();
            let has_run = *result.as_ref().unwrap_or(&true);
            self.note_stop(result.map(|_| ()));
            if !has_run && !heard && !self.has_ended() {
                self.post.wait();
                let result = self.search.tally.check_while_waiting(0);
                self.note_stop(result);
            }
        }
    }

    fn has_ended(&self) -> bool {
        match self.post.rank() {
            0 => self.value.is_some() || self.stopped.is_some(),
            _ => self.post.has_ended(),
        }
    }

    fn send(&mut self, to: usize, message: &Message) {
        self.post.send(to, message.write());
    }

    /// If the search cannot go on here, rank 0 must hear of it.
    fn note_stop(&mut self, result: Result<(), Stop>) {
        let Err(stop) = result else { return };
        self.running = None;
        let lock = match self.search.failure.take() {
            Some(SearchError::Locked(lock)) => Some(lock),
            _ => None,
        };
        if self.post.rank() == 0 {
            self.stopped.get_or_insert((stop, lock));
        } else if self.stopped.is_none() {
            self.stopped = Some((stop, lock));
            self.send(0, &Message::Stopped { stop, lock });
        }
    }

    /// Starts the first process.
    fn begin(&mut self) -> Result<(), Stop> {
        let root = self.search.root();
        let Some(children) = self.search.generate(&root) else {
            self.value = Some(self.search.leaf_once(&root)?);
            return Ok(());
        };
        let entry = self.minproc.first_entry(INFINITY, -INFINITY);
        let children_searched = 0..children.len();
        let job =
            Job { max: ExpandedMax::new(root, &children), children: children_searched, entry };
        self.start(job, None, Vec::new())
    }

    fn start(
        &mut self,
        job: Job<T, Plain>,
        above: Option<(usize, u32)>,
        path: Vec<u32>,
    ) -> Result<(), Stop> {
        self.post.jobs += 1;
        let known_h = job.entry.h();
        let process = Process::new(job, &mut self.the_turn(0))?;
        let (below, pause) = (Vec::new(), Pause::Leaf);
        let (asked, asks_in, patience) = (false, 0, 1);
        self.running =
            Some(Running { process, pause, above, path, known_h, below, asked, asks_in, patience });
        Ok(())
    }

    fn the_turn(&mut self, leaves: u64) -> Turn<'_, 't, T, Plain> {
        let Rank { search, minproc, settings, .. } = self;
        search.tally.begin_turn(leaves);
        Turn { search, minproc, settings, leaves: TurnLeaves::new(None), changed: false, cost: 0 }
    }

    fn hear(&mut self, from: usize, message: Message) -> Result<(), Stop> {
        match message {
            Message::Free { rank } => {
                let rank = rank as usize;
                self.free_ranks.asking.retain(|&asks| asks != rank);
                self.free_ranks.free.push_back(rank);
                self.give_ranks();
            }
            Message::Asks => {
                // The first process has the highest nodes.
                match from {
                    0 => self.free_ranks.asking.push_front(from),
                    _ => self.free_ranks.asking.push_back(from),
                }
                self.give_ranks();
            }
            Message::Given { ranks } => match &mut self.running {
                Some(running) => {
                    running.asked = false;
                    self.minproc.give_places(ranks.len());
                    self.given.extend(ranks);
                }
                None => self.give_back(ranks),
            },
            Message::Job { number, h, low, children: [first, end], path } => {
                self.start_job((from, number), (h, low), first as usize..end as usize, path)?;
            }
            Message::Falls { number, h } => {
                if let Some(entry) = self.started(from, number) {
                    self.minproc.lower(&entry, h);
                }
            }
            Message::Solved { number, value, best } => {
                if let Some(entry) = self.started(from, number) {
                    self.minproc.solve(&entry, value, best);
                }
            }
            Message::Killed { number } => {
                if let Some(running) = &self.running
                    && running.above == Some((from, number))
                {
                    self.minproc.kill(&running.process.entry);
                }
            }
            Message::Stopped { stop, lock } => _ = self.stopped.get_or_insert((stop, lock)),
        }
        Ok(())
    }

    fn give_ranks(&mut self) {
        for (to, ranks) in self.free_ranks.give() {
            self.send(to, &Message::Given { ranks });
        }
    }

    fn give_back(&mut self, ranks: Vec<u32>) {
        for rank in ranks {
            self.send(0, &Message::Free { rank });
        }
    }

    /// The entry of a process that this rank's process has started on rank `on`, if it is still LIVE.
    fn started(&self, on: usize, number: u32) -> Option<Arc<MinprocEntry>> {
        let below = &self.running.as_ref()?.below;
        let found = below.iter().find(|(rank, entry)| *rank == on && entry.number == number)?;
        Some(Arc::clone(&found.1))
    }

    /// Starts the process of a job from another rank: goes down the path, which every rank can.
    fn start_job(
        &mut self,
        above: (usize, u32),
        (h, low): (Value, Value),
        children: std::ops::Range<usize>,
        path: Vec<u32>,
    ) -> Result<(), Stop> {
        let mut n = self.search.root();
        for &number in &path {
            let siblings = self.search.generate(&n).expect("the path of a job exists");
            n = self.search.child(&n, &siblings, number as usize);
        }
        let siblings = self.search.generate(&n).expect("the node of a job has children");
        let entry = self.minproc.entry_from_afar(h, low);
        let job = Job { max: ExpandedMax::new(n, &siblings), children, entry };
        self.start(job, Some(above), path)
    }

    /// Lets the process take a turn and tells the other ranks what has changed; `false` if there is
    /// nothing to do but wait.
    fn turn(&mut self) -> Result<bool, Stop> {
        let Some(mut running) = self.running.take() else { return Ok(false) };
        let turn = self.the_turn(LEAVES_A_TURN);
        let has_work = running.pause == Pause::Leaf
            || running.process.has_something_to_do(&turn, running.pause);
        if has_work {
            let mut turn = turn;
            running.pause = running.process.run(&mut turn)?;
            let frames = &running.process.tree.frames;
            let (open, bytes) = (frames.open, running.process.tree.bytes());
            self.search.holds(open, 0, bytes)?;
        }
        self.send_jobs(&mut running);
        self.send_kills(&mut running);
        let entry = Arc::clone(&running.process.entry);
        if running.pause == Pause::Ended {
            self.end_process(running);
            return Ok(true);
        }
        if let Some((to, number)) = running.above
            && entry.h() < running.known_h
        {
            running.known_h = entry.h();
            self.send(to, &Message::Falls { number, h: running.known_h });
        }
        self.ask_or_give_back(&mut running);
        self.running = Some(running);
        Ok(has_work)
    }

    /// Sends the jobs that were delegated to the ranks that were given for them.
    fn send_jobs(&mut self, running: &mut Running<T>) {
        while let Some(Job { children, entry, .. }) = self.minproc.try_job() {
            let here =
                |delegated: &&super::process::Delegated| Arc::ptr_eq(&delegated.entry, &entry);
            let frame =
                running.process.delegated.iter().find(here).map(|delegated| delegated.frame);
            // What was killed before it began needs no rank.
            let (Some(frame), false) = (frame, entry.is_killed()) else {
                self.minproc.give_places(1);
                continue;
            };
            let rank = self.given.pop().expect("a place is a rank that was given") as usize;
            let mut path = running.path.clone();
            path.extend(running.process.tree.frames.numbers_to(frame));
            let children = [children.start as u32, children.end as u32];
            let job = Message::Job {
                number: entry.number,
                h: entry.h(),
                low: entry.low(),
                children,
                path,
            };
            self.send(rank, &job);
            running.patience = 1;
            running.below.push((rank, entry));
        }
    }

    /// Tells the ranks of processes that were killed, and forgets these and the SOLVED ones.
    fn send_kills(&mut self, running: &mut Running<T>) {
        for (rank, entry) in &running.below {
            if entry.is_killed() && entry.result().is_none() {
                self.send(*rank, &Message::Killed { number: entry.number });
            }
        }
        running.below.retain(|(_, entry)| !entry.is_killed() && entry.result().is_none());
    }

    /// Asks for ranks if the process may have something to delegate; gives those that it cannot use back.
    fn ask_or_give_back(&mut self, running: &mut Running<T>) {
        running.asks_in = running.asks_in.saturating_sub(1);
        if !running.process.may_share && !self.given.is_empty() {
            self.minproc.take_places(self.given.len());
            let ranks = std::mem::take(&mut self.given);
            self.give_back(ranks);
            running.asks_in = running.patience;
            running.patience = (2 * running.patience).min(MOST_PATIENCE);
        }
        // A process that waits takes no turns that could be counted.
        let is_time = running.asks_in == 0 || running.pause == Pause::Waits;
        if running.process.may_share && self.given.is_empty() && !running.asked && is_time {
            running.asked = true;
            self.send(0, &Message::Asks);
        }
    }

    /// Tells the process above what this one has found, unless it was killed, and rank 0 that this rank is
    /// free.
    fn end_process(&mut self, mut running: Running<T>) {
        let result = running.process.entry.result();
        running.process.leave(&mut self.the_turn(0));
        self.minproc.take_places(self.given.len());
        let ranks = std::mem::take(&mut self.given);
        match (running.above, result) {
            (None, result) => {
                self.value = result.map(|(value, _)| value);
                return;
            }
            (Some((to, number)), Some((value, best))) => {
                self.send(to, &Message::Solved { number, value, best });
            }
            // It was killed.
            (Some(_), None) => {}
        }
        self.give_back(ranks);
        self.give_back(vec![self.post.rank() as u32]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let lock =
            MemoryLock { entries: 1, held: 2, inactive: 3, width: 4, depth: 5, least: 1 << 40 };
        for message in [
            Message::Free { rank: 3 },
            Message::Asks,
            Message::Given { ranks: vec![1, 2] },
            Message::Job { number: 9, h: -4, low: -INFINITY, children: [2, 3], path: vec![1, 0] },
            Message::Falls { number: 1, h: -1 },
            Message::Solved { number: 1, value: 7, best: 2 },
            Message::Killed { number: 8 },
            Message::Stopped { stop: Stop::Locked, lock: Some(lock) },
            Message::Stopped { stop: Stop::Time, lock: None },
        ] {
            assert_eq!(Message::read(&message.write()), Some(message));
        }
        assert_eq!(Message::read(&[99, 0, 0, 0]), None);
        assert_eq!(Message::read(&[]), None);
    }

    #[test]
    fn free_ranks_go_to_those_that_ask_in_equal_shares() {
        let mut ranks = FreeRanks { free: (1..6).collect(), asking: [0, 6].into() };
        assert_eq!(ranks.give(), [(0, vec![1, 2]), (6, vec![3, 4, 5])]);
        assert_eq!((ranks.free.len(), ranks.asking.len()), (0, 0));
        ranks.asking.push_back(2);
        assert_eq!(ranks.give(), []);
        ranks.free.push_back(4);
        assert_eq!(ranks.give(), [(2, vec![4])]);
    }
}
