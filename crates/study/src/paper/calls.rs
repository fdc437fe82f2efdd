//! The calls of a driver, one by one: the window of each, the value that it returned and the nodes that it
//! visited.

use std::sync::{Arc, Mutex, PoisonError};

use plyground_core::limits::StopFlag;
use plyground_core::value::{Value, Window};
use plyground_search::{Event, Watch, Watcher};

/// One call of the memory test below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) window: Window,
    /// What it returned; `None` if it was stopped.
    pub(super) value: Option<Value>,
    /// Visits of nodes, leaves included.
    pub(super) nodes: u64,
}

/// Counts what every call visits.
#[derive(Default)]
struct CallLog {
    calls: Vec<Call>,
    /// Raised when the first call is over.
    after_first: Option<StopFlag>,
    /// Is no more to be counted? A search notices the flag only after some nodes.
    closed: bool,
}

impl Watch for CallLog {
    fn children(&mut self, _: u32, _: u32, _: usize) {}

    fn expanded(&mut self, _: u32) {
        if let Some(call) = self.calls.last_mut().filter(|_| !self.closed) {
            call.nodes += 1;
        }
    }

    fn leaf(&mut self, _: u32, _: u32, _: Value, _: bool) {
        self.expanded(0);
    }

    fn event(&mut self, _: u32, at: u32, event: Event) {
        match event {
            Event::Pass { window } => {
                if let Some(flag) = self.after_first.as_ref().filter(|_| !self.calls.is_empty()) {
                    flag.raise();
                    self.closed = true;
                } else {
                    self.calls.push(Call { window, value: None, nodes: 0 });
                }
            }
            Event::Leave { value } if at == 0 => {
                if let Some(call) = self.calls.last_mut() {
                    call.value.get_or_insert(value);
                }
            }
            _ => {}
        }
    }
}

/// Watches a driver's calls.
pub(super) struct CallWatch(Arc<Mutex<CallLog>>);

impl CallWatch {
    /// Watches all calls.
    pub(super) fn all() -> CallWatch {
        CallWatch(Arc::default())
    }

    /// Watches the first call, and raises the flag when it is over.
    pub(super) fn first(flag: &StopFlag) -> CallWatch {
        let log = CallLog { after_first: Some(flag.clone()), ..CallLog::default() };
        CallWatch(Arc::new(Mutex::new(log)))
    }

    /// The handle to give to a search.
    pub(super) fn watcher(&self) -> Watcher {
        Arc::clone(&self.0) as Watcher
    }

    /// The calls so far.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).calls.clone()
    }
}
