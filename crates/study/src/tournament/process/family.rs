//! The processes that a program has started, and how to end all of them.
//!
//! A process group is not enough: a child leaves it by `setsid`, and is nobody's child once its parent has
//! ended. On Linux this process therefore adopts what its descendants leave behind (it is their
//! *subreaper*), so that everything an opponent has started is found below this process in `/proc`: as a
//! descendant of the opponent, by its process group or session, or by a mark in its environment. If this
//! process is killed itself, a guard, a shell that waits for nothing else, ends what has the mark. Elsewhere
//! the process group is all that is ended.

#[cfg(target_os = "linux")]
pub(super) use linux::Family;
#[cfg(target_os = "linux")]
pub use linux::end_descendants;
#[cfg(not(target_os = "linux"))]
pub(super) use portable::Family;
#[cfg(not(target_os = "linux"))]
pub use portable::end_descendants;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command, Stdio};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
    };

    /// The name of the mark in the environment.
    const MARK: &str = "PLYGROUND_OPPONENT";
    /// How often to look for processes that were started while the others were stopped.
    const MOST_ROUNDS: usize = 50;
    /// How long to wait for the end of processes that were killed, in steps of a millisecond.
    const MOST_WAITS: usize = 200;

    /// What the guard does: its input ends with the process that holds the other end, and then everything
    /// with the mark is killed, until nothing is left.
    const GUARD: &str = r#"read -r _
for round in 1 2 3 4 5; do
    found=$(grep -lsz -- "^$1" /proc/[0-9]*/environ)
    [ -n "$found" ] || exit 0
    for file in $found; do pid=${file#/proc/}; kill -KILL "${pid%/environ}"; done
done"#;

    /// A process as `/proc` tells it.
    #[derive(Clone, Copy)]
    struct Listed {
        parent: i32,
        group: i32,
        session: i32,
        /// When it was started: together with its number this identifies it.
        started: u64,
    }

    /// A program and everything that it has started.
    pub(in super::super) struct Family {
        root: i32,
        started: Option<u64>,
        mark: String,
    }

    /// What a command needs before it is started, to be a family.
    pub(in super::super) struct Unborn(String);

    impl Family {
        /// Prepares a command.
        pub(in super::super) fn prepare(command: &mut Command) -> Unborn {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let value = format!("{}{number}", begin());
            command.env(MARK, &value);
            Unborn(format!("{MARK}={value}"))
        }

        /// The family of a process that was started just now.
        pub(in super::super) fn new(root: u32, unborn: Unborn) -> Family {
            let root = root as i32;
            Family { root, started: listed(root).map(|root| root.started), mark: unborn.0 }
        }

        /// Kills the whole family. The caller waits for its head.
        pub(in super::super) fn end(&self) {
            end(self.root, |all| self.members(all));
        }

        fn members(&self, all: &BTreeMap<i32, Listed>) -> BTreeSet<i32> {
            // Another process may have the head's number after the head has gone.
            let replaced =
                all.get(&self.root).is_some_and(|root| Some(root.started) != self.started);
            let is_member = |pid: i32, process: &Listed| {
                let own = [pid, process.group, process.session].contains(&self.root);
                own && !replaced || is_marked(pid, &self.mark)
            };
            let heads: BTreeSet<i32> = all
                .iter()
                .filter(|(pid, process)| is_member(**pid, process))
                .map(|(p, _)| *p)
                .collect();
            all.keys()
                .copied()
                .filter(|&pid| {
                    heads.contains(&pid) || ancestors(all, pid).any(|a| heads.contains(&a))
                })
                .collect()
        }
    }

    /// Adopts what descendants leave behind, and starts the guard: once. Returns how the marks of this
    /// process begin: another one may have its number some day, so the time is in it.
    fn begin() -> &'static str {
        static BEGUN: OnceLock<(String, Option<ChildStdin>)> = OnceLock::new();
        let (mark, _) = BEGUN.get_or_init(|| {
            // Where the system does not allow it, orphans are found no more.
            let _ = set_child_subreaper(Some(getpid()));
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let mark = format!("{}-{}-", getpid().as_raw_nonzero(), now.as_nanos());
            // In a process group of its own, since Ctrl-C is not for it. Without a shell there is no guard.
            let guard = Command::new("/bin/sh")
                .args(["-c", GUARD, "plyground-guard", &format!("{MARK}={mark}")])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn();
            (mark, guard.ok().and_then(|mut guard| guard.stdin.take()))
        });
        mark
    }

    /// Ends all processes that this one has started or adopted, and everything below them. It is for
    /// programs that start nothing but opponents.
    pub fn end_descendants() {
        end(0, |all| all.keys().copied().collect());
    }

    /// Stops the members until there are no new ones, kills them, and waits for those that this process
    /// has adopted.
    fn end(root: i32, members: impl Fn(&BTreeMap<i32, Listed>) -> BTreeSet<i32>) {
        let mut found = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let now = members(&descendants());
            let new: Vec<i32> = now.difference(&found).copied().collect();
            if new.is_empty() {
                break;
            }
            new.iter().for_each(|&pid| send(pid, Signal::STOP));
            found.extend(new);
        }
        found.iter().for_each(|&pid| send(pid, Signal::KILL));
        for _ in 0..MOST_WAITS {
            let all = descendants();
            let left = found.iter().filter(|&&pid| pid != root && all.contains_key(&pid));
            let left: Vec<i32> = left.copied().collect();
            if left.is_empty() {
                return;
            }
            for pid in left.into_iter().filter_map(Pid::from_raw) {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn send(pid: i32, signal: Signal) {
        if let Some(pid) = Pid::from_raw(pid) {
            // It may have ended in the meantime.
            let _ = kill_process(pid, signal);
        }
    }

    /// All processes below this one.
    fn descendants() -> BTreeMap<i32, Listed> {
        let own = getpid().as_raw_nonzero().get();
        let Ok(folder) = fs::read_dir("/proc") else { return BTreeMap::new() };
        let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut all: BTreeMap<i32, Listed> =
            numbers.filter_map(|pid| Some((pid, listed(pid)?))).collect();
        let below: BTreeSet<i32> =
            all.keys().copied().filter(|&pid| ancestors(&all, pid).any(|a| a == own)).collect();
        all.retain(|pid, _| below.contains(pid));
        all
    }

    /// The parent of a process, its parent, and so on.
    fn ancestors(all: &BTreeMap<i32, Listed>, pid: i32) -> impl Iterator<Item = i32> {
        let parent = |pid: &i32| all.get(pid).map(|process| process.parent);
        // A list that was read while processes came and went might have a circle.
        std::iter::successors(parent(&pid), parent).take(1000)
    }

    fn listed(pid: i32) -> Option<Listed> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may contain anything.
        let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
        Some(Listed {
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }

    fn is_marked(pid: i32, mark: &str) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use std::process::Command;

    /// A program and, on Unix, its process group.
    pub(in super::super) struct Family {
        #[cfg(unix)]
        root: u32,
    }

    /// What a command needs before it is started, to be a family: nothing.
    pub(in super::super) struct Unborn;

    impl Family {
        /// Prepares a command.
        pub(in super::super) fn prepare(_: &mut Command) -> Unborn {
            Unborn
        }

        /// The family of a process that was started just now.
        #[cfg(unix)]
        pub(in super::super) fn new(root: u32, _: Unborn) -> Family {
            Family { root }
        }

        /// The family of a process that was started just now.
        #[cfg(not(unix))]
        pub(in super::super) fn new(_: u32, _: Unborn) -> Family {
            Family {}
        }

        /// Kills the process group; the caller kills the head.
        pub(in super::super) fn end(&self) {
            #[cfg(unix)]
            if let Some(group) = rustix::process::Pid::from_raw(self.root as i32) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
        }
    }

    /// Ends nothing: this system does not tell which processes there are.
    pub fn end_descendants() {}
}
