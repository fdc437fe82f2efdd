//! A worker of APHID: it searches its leaves to the height that the master asks for, in the master's order.

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Window};

use super::{Message, Post, is_final, node_at};
use crate::context::Search;
use crate::depth_first::pvs;
use crate::node::SearchNode;
use crate::rich::Rich;

/// A search looks for messages after this many visits. It then begins again, with a table that knows the
/// way, and with more visits: if the table forgets, they still bring it to its end.
const VISITS: u64 = 1 << 14;

/// At most this many more each time: the master waits for a search to look for messages.
const MORE_VISITS: u64 = 1 << 15;

/// A leaf of the master's tree.
struct Task<T: GameTree> {
    leaf: u32,
    n: SearchNode<T, Rich>,
    /// The height that the master has asked for, and what is known of the value there.
    asked: u32,
    bounds: Bounds,
    /// The window that the master has asked about; `None` if it does not matter at present.
    window: Option<Window>,
    /// The master's order.
    order: u32,
    /// The visits of the next attempt.
    visits: u64,
}

impl<T: GameTree> Task<T> {
    /// Is there something to search?
    fn is_open(&self) -> bool {
        self.window.is_some_and(|window| super::decides(self.bounds, window).is_none())
    }
}

/// Searches what the master asks for, until the search has ended.
pub(super) fn run<T: GameTree>(search: &mut Search<'_, T, Rich>, post: &mut Post<'_>) {
    let mut tasks: Vec<Task<T>> = Vec::new();
    let mut starves = false;
    while !post.has_ended() {
        while let Some((_, message)) = post.receive() {
            hear(search, post, &mut tasks, &message);
            starves = false;
        }
        let open = tasks.iter_mut().filter(|task| task.is_open());
        let Some(task) = open.min_by_key(|task| task.order) else {
            if !starves && !post.has_ended() {
                starves = true;
                post.send(0, Message::Starves.write());
            }
            post.wait();
            continue;
        };
        match answer(search, task) {
            Ok(found) => post.send(0, found.write()),
            Err(stop) if is_final(stop) => {
                post.send(0, Message::Stopped.write());
                while !post.has_ended() {
                    while post.receive().is_some() {}
                    post.wait();
                }
            }
            Err(_) => task.visits += task.visits.min(MORE_VISITS),
        }
    }
}

fn hear<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    post: &mut Post<'_>,
    tasks: &mut Vec<Task<T>>,
    message: &[u8],
) {
    match Message::read(message).expect("a message of this search") {
        Message::Take { leaf, path } => {
            if tasks.iter().all(|task| task.leaf != leaf) {
                post.jobs += 1;
                let n = node_at(search, &path);
                let (asked, bounds, window) = (0, Bounds::UNKNOWN, None);
                let (order, visits) = (0, VISITS);
                tasks.push(Task { leaf, n, asked, bounds, window, order, visits });
            }
        }
        Message::Search { leaf, height, order, window: [alpha, beta] } => {
            if let Some(task) = tasks.iter_mut().find(|task| task.leaf == leaf) {
                if task.asked != height {
                    (task.asked, task.bounds) = (height, Bounds::UNKNOWN);
                }
                (task.window, task.order) = (Some(Window::new(alpha, beta)), order);
            }
        }
        Message::Leave { leaf } => {
            if let Some(task) = tasks.iter_mut().find(|task| task.leaf == leaf) {
                task.window = None;
            }
        }
        Message::Found { .. } | Message::Starves | Message::Stopped => {}
    }
}

/// Searches a leaf to the height that was asked for, and says what was found. Its table knows the heights that
/// were asked for before: others are not searched, as the serial search does not either.
fn answer<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    task: &mut Task<T>,
) -> Result<Message, Stop> {
    let height = task.asked;
    let asked = task.window.unwrap_or(Window::FULL);
    let window = asked.clipped(task.bounds);
    let n = SearchNode { height, ..task.n.clone() };
    let visits = search.tally.visits();
    search.tally.stop_at(visits + task.visits);
    let value = pvs(search, &n, window)?;
    task.visits = VISITS;
    if value > window.alpha {
        task.bounds.lower = task.bounds.lower.max(value);
    }
    if value < window.beta {
        task.bounds.upper = task.bounds.upper.min(value);
    }
    let bounds = [task.bounds.lower, task.bounds.upper];
    Ok(Message::Found { leaf: task.leaf, height, bounds, value })
}
