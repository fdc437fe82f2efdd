//! A worker of APHID: it searches its leaves deeper and deeper, the shallowest first.

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Value, Window};

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
    /// The height of the last search that was finished.
    height: u32,
    /// What is known of its value at its full height.
    bounds: Bounds,
    /// The window that the master has asked about; `None` if it does not matter at present.
    window: Option<Window>,
    /// The visits of the next attempt.
    visits: u64,
}

impl<T: GameTree> Task<T> {
    /// Is there something to search?
    fn is_open(&self) -> bool {
        let decided = |window| super::decides(self.bounds, window).is_some();
        self.window.is_some_and(|window| self.height < self.n.height || !decided(window))
    }
}

/// Searches what the master asks for, until the search has ended.
pub(super) fn run<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    post: &mut Post<'_>,
    margin: Value,
) {
    let mut tasks: Vec<Task<T>> = Vec::new();
    let mut starves = false;
    while !post.has_ended() {
        while let Some((_, message)) = post.receive() {
            hear(search, post, &mut tasks, &message);
            starves = false;
        }
        let open = tasks.iter_mut().filter(|task| task.is_open());
        let Some(task) = open.min_by_key(|task| (task.height, task.leaf)) else {
            if !starves && !post.has_ended() {
                starves = true;
                post.send(0, Message::Starves.write());
            }
            post.wait();
            continue;
        };
        match deepen(search, task, margin) {
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
    let mut set = |leaf: u32, window| {
        if let Some(task) = tasks.iter_mut().find(|task| task.leaf == leaf) {
            task.window = window;
        }
    };
    match Message::read(message).expect("a message of this search") {
        Message::Take { leaf, path } => {
            if tasks.iter().all(|task| task.leaf != leaf) {
                post.jobs += 1;
                let n = node_at(search, &path);
                let (height, bounds, window) = (0, Bounds::UNKNOWN, None);
                tasks.push(Task { leaf, n, height, bounds, window, visits: VISITS });
            }
        }
        Message::Search { leaf, window: [alpha, beta] } => {
            set(leaf, Some(Window::new(alpha, beta)));
        }
        Message::Leave { leaf } => set(leaf, None),
        Message::Found { .. } | Message::Starves | Message::Stopped => {}
    }
}

/// Searches a leaf one ply deeper, or to its full height with another window, and says what was found.
fn deepen<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    task: &mut Task<T>,
    margin: Value,
) -> Result<Message, Stop> {
    let full = task.n.height;
    let height = (task.height + 1).min(full);
    let asked = task.window.unwrap_or(Window::FULL);
    let is_last = height == full;
    // A search that is not the last only tells where to look: its window may be wider, and the master's
    // widest one would be no window at all.
    let window = match is_last {
        true => Window::new(asked.alpha.max(task.bounds.lower), asked.beta.min(task.bounds.upper)),
        false => Window::new(
            asked.alpha.saturating_sub(margin).max(Window::FULL.alpha),
            asked.beta.saturating_add(margin).min(Window::FULL.beta),
        ),
    };
    let n = SearchNode { height, ..task.n.clone() };
    let visits = search.tally.visits();
    search.tally.stop_at(visits + task.visits);
    let value = pvs(search, &n, window)?;
    (task.height, task.visits) = (height, VISITS);
    if is_last {
        if value > window.alpha {
            task.bounds.lower = task.bounds.lower.max(value);
        }
        if value < window.beta {
            task.bounds.upper = task.bounds.upper.min(value);
        }
    }
    let bounds = if is_last { task.bounds } else { Bounds::UNKNOWN };
    let bounds = [bounds.lower, bounds.upper];
    Ok(Message::Found { leaf: task.leaf, height, bounds, value })
}
