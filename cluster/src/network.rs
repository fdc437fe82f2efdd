//! Messages over MPI.

use std::thread;
use std::time::{Duration, Instant};

use mpi::Tag;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};
use plyground_core::cpu_time::thread_cpu_time;
use plyground_search::distributed::Network;

/// The messages of a search.
const SEARCH: Tag = 1;
/// The messages between searches: where ranks meet.
const MEETING: Tag = 2;

/// Room for messages that were sent and have not left yet.
const BUFFER: usize = 64 << 20;

/// A rank that waits looks for messages all the time at first, and then gives its processor to others
/// between looks: ranks may be more than processors.
const LOOKS: Duration = Duration::from_micros(30);
const WAITS: Duration = Duration::from_millis(1);

/// The ranks of an MPI program.
pub struct MpiNetwork {
    world: SimpleCommunicator,
    rank: usize,
    ranks: usize,
    // Dropped last: it ends MPI.
    _universe: Universe,
}

impl MpiNetwork {
    /// Joins the other ranks; `None` if MPI cannot begin.
    pub fn join() -> Option<MpiNetwork> {
        let mut universe = mpi::initialize()?;
        universe.set_buffer_size(BUFFER);
        let world = universe.world();
        let (rank, ranks) = (world.rank() as usize, world.size() as usize);
        Some(MpiNetwork { world, rank, ranks, _universe: universe })
    }

    /// Waits until all ranks are here. Those that wait leave their processors to others.
    pub fn meet(&mut self) {
        let here = [0u8; 0];
        if self.rank == 0 {
            for other in 1..self.ranks {
                self.next(MEETING, Some(other));
            }
            for other in 1..self.ranks {
                self.world.process_at_rank(other as i32).buffered_send_with_tag(&here[..], MEETING);
            }
        } else {
            self.world.process_at_rank(0).buffered_send_with_tag(&here[..], MEETING);
            self.next(MEETING, Some(0));
        }
    }

    /// Waits for the next message with this tag.
    fn next(&mut self, tag: Tag, from: Option<usize>) -> Vec<u8> {
        loop {
            if let Some((_, message)) = self.look(tag, from) {
                return message;
            }
            self.pause();
        }
    }

    fn look(&self, tag: Tag, from: Option<usize>) -> Option<(usize, Vec<u8>)> {
        let message = match from {
            Some(rank) => {
                self.world.process_at_rank(rank as i32).immediate_matched_probe_with_tag(tag)?
            }
            None => self.world.any_process().immediate_matched_probe_with_tag(tag)?,
        };
        let (bytes, status) = message.matched_receive_vec::<u8>();
        Some((status.source_rank() as usize, bytes))
    }

    fn pause(&self) {
        thread::sleep(LOOKS);
    }

    /// What a message costs: the CPU time of sending one and of receiving one, measured between the first
    /// two ranks. `None` on one rank, or where the system has no such clock. All ranks call this together;
    /// rank 0 gets the time.
    pub fn message_cost(&mut self) -> Option<Duration> {
        const MESSAGES: u32 = 1000;
        if self.ranks == 1 || self.rank > 1 {
            return None;
        }
        let other = 1 - self.rank;
        let began = thread_cpu_time()?;
        for _ in 0..MESSAGES {
            self.send(other, vec![0; 16]);
        }
        let sent = thread_cpu_time()?;
        // All have arrived when the meeting is over, so that no time is lost by looking for them.
        self.world.process_at_rank(other as i32).buffered_send_with_tag(&[0u8; 0][..], MEETING);
        self.next(MEETING, Some(other));
        let received = thread_cpu_time()?;
        for _ in 0..MESSAGES {
            self.next(SEARCH, Some(other));
        }
        Some((sent - began + (thread_cpu_time()? - received)) / MESSAGES)
    }
}

impl Network for MpiNetwork {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.world.process_at_rank(to as i32).buffered_send_with_tag(&message[..], SEARCH);
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.look(SEARCH, None)
    }

    fn wait(&mut self) {
        let since = Instant::now();
        let is_here = || self.world.any_process().immediate_probe_with_tag(SEARCH).is_some();
        while !is_here() && since.elapsed() < WAITS {
            if since.elapsed() < LOOKS { thread::yield_now() } else { self.pause() }
        }
    }
}
