//! What Linux says of memory: the files below `/proc` and `/sys`. Elsewhere they do not exist, and
//! nothing is known.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Left, MemoryLimit, Room};

/// The files of a system; those of a test are in a folder of their own.
pub(super) struct System<'a> {
    root: &'a Path,
}

impl<'a> System<'a> {
    /// The system whose files are below `root`.
    pub(super) fn of(root: &'a Path) -> System<'a> {
        System { root }
    }

    /// What is left for this process.
    pub(super) fn room(&self) -> Room {
        let information = self.read("proc/meminfo").unwrap_or_default();
        let kib = |name: &str| value_of(&information, name).and_then(kib);
        let machine = kib("MemAvailable:").map(|left| (left, MemoryLimit::Machine));
        let promised = self.never_overcommits().then(|| {
            let left = kib("CommitLimit:")?.saturating_sub(kib("Committed_AS:")?);
            Some((left, MemoryLimit::Promised))
        });
        let used = [machine, self.control_groups()].into_iter().flatten().min();
        let mapped = self.own_limits().into_iter().chain(promised.flatten()).min();
        Room { used, mapped }
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// Does the system promise only memory that it has?
    fn never_overcommits(&self) -> bool {
        self.read("proc/sys/vm/overcommit_memory").is_some_and(|mode| mode.trim() == "2")
    }

    /// What is left of the process's own limits, where it has any.
    fn own_limits(&self) -> Vec<Left> {
        let limits = self.read("proc/self/limits").unwrap_or_default();
        let kinds = [
            ("Max address space", "VmSize:", MemoryLimit::AddressSpace),
            ("Max data size", "VmData:", MemoryLimit::Data),
        ];
        let limited = kinds.iter().filter_map(|(name, uses, limit)| {
            // The soft limit; `unlimited` is no number.
            let most: u64 = value_of(&limits, name)?.split_whitespace().next()?.parse().ok()?;
            Some((most, uses, *limit))
        });
        let limited: Vec<_> = limited.collect();
        if limited.is_empty() {
            return Vec::new();
        }
        let status = self.read("proc/self/status").unwrap_or_default();
        let left = |(most, uses, limit): (u64, &&str, MemoryLimit)| {
            let used = value_of(&status, uses).and_then(kib).unwrap_or(0);
            (most.saturating_sub(used), limit)
        };
        limited.into_iter().map(left).collect()
    }

    /// The least that is left of the limits of the process's control groups, those above them included.
    fn control_groups(&self) -> Option<Left> {
        let groups = self.read("proc/self/cgroup")?;
        let mounts = self.read("proc/self/mountinfo")?;
        let mut left = Vec::new();
        for line in groups.lines() {
            // `0::/path` in version 2, `4:memory:/path` in version 1.
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
            let version = match controllers {
                "" => Version::Two,
                _ if controllers.split(',').any(|name| name == "memory") => Version::One,
                _ => continue,
            };
            let Some((folder, below)) = self.mounted(&mounts, version, path) else { continue };
            let mut folders: Vec<PathBuf> = vec![folder.clone()];
            for part in below.split('/').filter(|part| !part.is_empty() && *part != "..") {
                folders.push(folders[folders.len() - 1].join(part));
            }
            left.extend(folders.iter().filter_map(|folder| version.left(folder)));
        }
        left.into_iter().min().map(|left| (left, MemoryLimit::ControlGroup))
    }

    /// Where the groups of a version are mounted, and the path of a group below that.
    fn mounted(&self, mounts: &str, version: Version, path: &str) -> Option<(PathBuf, String)> {
        mounts.lines().find_map(|line| {
            let (place, kind) = line.split_once(" - ")?;
            let mut place = place.split(' ').skip(3);
            let (root, at) = (place.next()?, place.next()?);
            let mut kind = kind.split(' ');
            let (system, options) = (kind.next()?, kind.nth(1).unwrap_or_default());
            let is_it = match version {
                Version::Two => system == "cgroup2",
                Version::One => {
                    system == "cgroup" && options.split(',').any(|option| option == "memory")
                }
            };
            // In a container the mount shows only the part of the tree below the container's group.
            let below = match root {
                "/" => path,
                root => path.strip_prefix(root).unwrap_or(""),
            };
            let at = self.root.join(at.trim_start_matches('/'));
            is_it.then(|| (at, below.to_owned()))
        })
    }
}

/// The versions of control groups, whose files have different names.
#[derive(Clone, Copy)]
enum Version {
    One,
    Two,
}

impl Version {
    /// The bytes that the group in this folder may still use; `None` if it has no limit.
    fn left(self, folder: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let (limits, uses, file, files) = match self {
            Version::One => (
                &["memory.limit_in_bytes"][..],
                "memory.usage_in_bytes",
                "memory.stat",
                ["total_inactive_file", "total_active_file"],
            ),
            Version::Two => (
                &["memory.max", "memory.high"][..],
                "memory.current",
                "memory.stat",
                ["inactive_file", "active_file"],
            ),
        };
        // `max` is no number; version 1 says a number that no machine has.
        let most = limits.iter().filter_map(|name| number(name)).min()?;
        let used = number(uses)?;
        // Files that were read take memory that the system gives back when it is wanted.
        let statistics = read(file).unwrap_or_default();
        let cached: u64 = files.iter().filter_map(|name| number_after(&statistics, name)).sum();
        Some(most.saturating_sub(used.saturating_sub(cached)))
    }
}

/// What follows a name at the beginning of a line.
fn value_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name))
}

/// The number after a whole word at the beginning of a line.
fn number_after(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next()? == name).then(|| words.next()?.parse().ok())?
    })
}

/// The bytes of a text such as `  1234 kB`.
fn kib(text: &str) -> Option<u64> {
    Some(text.split_whitespace().next()?.parse::<u64>().ok()?.saturating_mul(1 << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A system of these files.
    struct Files(PathBuf);

    impl Files {
        fn new(name: &str, files: &[(&str, &str)]) -> Files {
            let name = format!("plyground-memory-{}-{name}", std::process::id());
            let system = Files(std::env::temp_dir().join(name));
            for (path, text) in files {
                let path = system.0.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            system
        }

        fn room(&self) -> Room {
            System::of(&self.0).room()
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MEMINFO: (&str, &str) = (
        "proc/meminfo",
        "MemTotal: 8192000 kB\nMemAvailable:    1024000 kB\nCommitLimit: 3072 kB\nCommitted_AS: 1024 kB\n",
    );

    #[test]
    fn a_machine_without_limits() {
        let files = Files::new("plain", &[MEMINFO]);
        let used = Some((1000 * MIB, MemoryLimit::Machine));
        assert_eq!(files.room(), Room { used, mapped: None });
        assert_eq!(Files::new("nothing", &[]).room(), Room::default());
    }

    #[test]
    fn limits_of_the_process() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\n\
                      Max data size             unlimited   unlimited            bytes\n\
                      Max address space         419430400            unlimited   bytes\n";
        let status = "Name:\tx\nVmSize:\t  102400 kB\nVmData:\t 1024 kB\n";
        let both = [("proc/self/limits", limits), ("proc/self/status", status)];
        let room = Files::new("limits", &both).room();
        assert_eq!(room.mapped, Some((300 * MIB, MemoryLimit::AddressSpace)));
        let data = limits.replace("size             unlimited", "size  2097152");
        let files = [("proc/self/limits", data.as_str()), ("proc/self/status", status)];
        assert_eq!(Files::new("data", &files).room().mapped, Some((MIB, MemoryLimit::Data)));
    }

    #[test]
    fn a_system_that_promises_no_more_than_it_has() {
        let files = [MEMINFO, ("proc/sys/vm/overcommit_memory", "2\n")];
        let room = Files::new("strict", &files).room();
        assert_eq!(room.mapped, Some((2 * MIB, MemoryLimit::Promised)));
    }

    /// The least of a group's limits and those of the groups above it counts, and what files take in
    /// the cache can be had.
    #[test]
    fn control_groups_of_version_two() {
        let mounts = "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let files = Files::new(
            "two",
            &[
                MEMINFO,
                ("proc/self/cgroup", "0::/a/b\n"),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/a/memory.max", "314572800\n"),
                ("sys/fs/cgroup/a/memory.current", "104857600\n"),
                (
                    "sys/fs/cgroup/a/memory.stat",
                    "anon 5\nactive_file 1048576\ninactive_file 1048576\n",
                ),
                ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                ("sys/fs/cgroup/a/b/memory.high", "1073741824\n"),
                ("sys/fs/cgroup/a/b/memory.current", "0\n"),
            ],
        );
        assert_eq!(files.room().used, Some((202 * MIB, MemoryLimit::ControlGroup)));
    }

    /// In a container, the mount begins at the container's own group.
    #[test]
    fn control_groups_of_version_one() {
        for (name, root, group, folder) in
            [("whole", "/", "/docker/x", "/docker/x"), ("inner", "/docker/x", "/docker/x", "")]
        {
            let mounts = format!(
                "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                 34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n\
                 35 31 0:32 {root} /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
            );
            let groups = format!("5:cpuset:/\n4:memory:{group}\n0::/\n");
            let at = format!("sys/fs/cgroup/memory{folder}");
            let limit = format!("{at}/memory.limit_in_bytes");
            let usage = format!("{at}/memory.usage_in_bytes");
            let files = Files::new(
                name,
                &[
                    MEMINFO,
                    ("proc/self/cgroup", groups.as_str()),
                    ("proc/self/mountinfo", mounts.as_str()),
                    (limit.as_str(), "104857600\n"),
                    (usage.as_str(), "52428800\n"),
                ],
            );
            assert_eq!(files.room().used, Some((50 * MIB, MemoryLimit::ControlGroup)), "{name}");
        }
    }
}
