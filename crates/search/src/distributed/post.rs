//! A rank's post: what it sends and receives, counted, and how a search ends.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{Network, RankCounts, ReadWords, WriteWords};
use crate::tally::Tally;
use plyground_core::cpu_time::thread_cpu_time;

/// The kind of a rank's last message; its searches use numbers from 1 for theirs.
const LAST: u32 = 0;

/// A rank's post.
pub(crate) struct Post<'n> {
    network: &'n mut dyn Network,
    /// Messages to itself, which do not travel.
    own: VecDeque<Vec<u8>>,
    messages: u64,
    bytes: u64,
    idle: Duration,
    began: Instant,
    began_cpu: Option<Duration>,
    /// Who has sent its last message, and what rank 0 was told with it.
    last: Vec<Option<RankCounts>>,
    said_last: bool,
    pub(crate) jobs: u64,
}

impl<'n> Post<'n> {
    pub(crate) fn new(network: &'n mut dyn Network) -> Post<'n> {
        let last = vec![None; network.ranks()];
        Post {
            network,
            own: VecDeque::new(),
            messages: 0,
            bytes: 0,
            idle: Duration::ZERO,
            began: Instant::now(),
            began_cpu: thread_cpu_time(),
            last,
            said_last: false,
            jobs: 0,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        self.network.rank()
    }

    pub(crate) fn ranks(&self) -> usize {
        self.network.ranks()
    }

    /// The time since the search began.
    pub(crate) fn time(&self) -> Duration {
        self.began.elapsed()
    }

    /// Sends a message. After its last one, a rank has nothing to say.
    pub(crate) fn send(&mut self, to: usize, message: Vec<u8>) {
        if to == self.rank() {
            self.own.push_back(message);
        } else if !self.said_last {
            self.messages += 1;
            self.bytes += message.len() as u64;
            self.network.send(to, message);
        }
    }

    /// The next message, if one has arrived. Last messages are kept here.
    pub(crate) fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if let Some(message) = self.own.pop_front() {
            return Some((self.rank(), message));
        }
        loop {
            let (from, message) = self.network.receive()?;
            let mut words = ReadWords(&message);
            if words.word() != Some(LAST) {
                return Some((from, message));
            }
            self.last[from] = Some(read_counts(&mut words).unwrap_or_default());
        }
    }

    /// Has rank 0 said that the search has ended?
    pub(crate) fn has_ended(&self) -> bool {
        self.last[0].is_some()
    }

    /// Waits for a message, and counts the time.
    pub(crate) fn wait(&mut self) {
        if self.own.is_empty() {
            let since = Instant::now();
            self.network.wait();
            self.idle += since.elapsed();
        }
    }

    /// Sends the last message to every other rank, with what this rank did, and waits for theirs. From
    /// then on no message of this search is on its way to this rank. Returns what every rank did, as far
    /// as it was told here: rank 0 was told all.
    pub(crate) fn end(&mut self, tally: &Tally) -> Vec<RankCounts> {
        let others = self.ranks() as u64 - 1;
        let cpu = match (thread_cpu_time(), self.began_cpu) {
            (Some(now), Some(then)) => now.saturating_sub(then).as_secs_f64(),
            _ => 0.0,
        };
        let mut counts = RankCounts {
            evaluations: tally.evaluations,
            visits: tally.visits(),
            jobs: self.jobs,
            messages: self.messages + others,
            bytes: self.bytes,
            idle_seconds: self.idle.as_secs_f64(),
            cpu_seconds: cpu,
            peak_open: tally.peak_open,
        };
        counts.bytes += others * last_message(&counts).len() as u64;
        let message = last_message(&counts);
        for to in (0..self.ranks()).filter(|&to| to != self.rank()).collect::<Vec<_>>() {
            self.network.send(to, message.clone());
        }
        self.said_last = true;
        let rank = self.rank();
        self.last[rank] = Some(counts);
        while self.last.iter().any(Option::is_none) {
            while self.receive().is_some() {}
            if self.last.iter().any(Option::is_none) {
                self.network.wait();
            }
        }
        self.last.iter().flatten().copied().collect()
    }
}

fn last_message(counts: &RankCounts) -> Vec<u8> {
    let RankCounts {
        evaluations,
        visits,
        jobs,
        messages,
        bytes,
        idle_seconds,
        cpu_seconds,
        peak_open,
    } = *counts;
    let mut message = Vec::new();
    message.word(LAST);
    let (idle, cpu) = (idle_seconds.to_bits(), cpu_seconds.to_bits());
    for long in [evaluations, visits, jobs, messages, bytes, idle, cpu, peak_open] {
        message.long(long);
    }
    message
}

fn read_counts(words: &mut ReadWords<'_>) -> Option<RankCounts> {
    Some(RankCounts {
        evaluations: words.long()?,
        visits: words.long()?,
        jobs: words.long()?,
        messages: words.long()?,
        bytes: words.long()?,
        idle_seconds: f64::from_bits(words.long()?),
        cpu_seconds: f64::from_bits(words.long()?),
        peak_open: words.long()?,
    })
}
