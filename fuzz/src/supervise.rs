//! Builds the targets, runs them in processes of their own, and keeps what goes wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::arguments::{Task, Wanted};
use crate::wrapper;

/// One slice of a target's time: long runs give every target many of them.
const LONGEST_SLICE: Duration = Duration::from_secs(300);

/// The exit code of a target that has found something, and could go on to the end.
const FOUND: i32 = 3;
/// The exit code of a target that was ended because an input took too long or too much memory.
const ENDED: i32 = 4;

/// The program with the targets, and the folders it works in.
pub struct Targets {
    program: PathBuf,
    /// The committed corpus.
    corpus: PathBuf,
    /// What is written while it runs.
    work: PathBuf,
}

impl Targets {
    /// Has cargo build the targets with counters.
    pub fn build() -> Result<Targets, String> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let own = std::env::current_exe().map_err(|error| format!("who am I? {error}"))?;
        let mut command = Command::new(cargo);
        command
            .current_dir(package)
            .args(["build", "--locked", "--release", "--quiet"])
            .args(["--package", "plyground-fuzz", "--bin", "plyground-fuzz-targets"])
            .args(["--features", "targets"])
            .env("RUSTC_WORKSPACE_WRAPPER", own)
            .env(wrapper::VARIABLE, "1");
        let status = command.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err("the targets do not compile".into());
        }
        let built = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => package.join("../target"),
        };
        let work = built.join("fuzz");
        fs::create_dir_all(work.join("crashes")).map_err(|error| format!("{error}"))?;
        let absolute = |path: PathBuf| fs::canonicalize(path).map_err(|error| format!("{error}"));
        Ok(Targets {
            program: absolute(built.join("release/plyground-fuzz-targets"))?,
            corpus: package.join("corpus"),
            work: absolute(work)?,
        })
    }

    /// Does what is wanted; `false` if something was found.
    pub fn run(&self, wanted: &Wanted) -> Result<bool, String> {
        let all = self.names()?;
        let names: Vec<&String> = match &wanted.target {
            None => all.iter().collect(),
            Some(name) => match all.iter().find(|known| *known == name) {
                Some(known) => vec![known],
                None => {
                    return Err(format!("no target {name}: expected one of {}", all.join(", ")));
                }
            },
        };
        match &wanted.task {
            Task::List => {
                all.iter().for_each(|name| println!("{name}"));
                Ok(true)
            }
            Task::Minimise => {
                for name in names {
                    self.child(name, &["minimise"], Stdio::null())?;
                    self.tell(name);
                }
                Ok(true)
            }
            Task::Repeat(file) => self.repeat(file, &all),
            Task::Fuzz(time) => self.fuzz(&names, *time, wanted.seed),
        }
    }

    fn names(&self) -> Result<Vec<String>, String> {
        let output = Command::new(&self.program).arg("list").output();
        let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
    }

    /// Runs an input again; its target is in the file's name.
    fn repeat(&self, file: &Path, all: &[String]) -> Result<bool, String> {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let target = all.iter().find(|target| {
            name.as_ref().is_some_and(|name| name.starts_with(&format!("{target}.")))
        });
        let target = target.ok_or("which target? expected a file as fuzzing writes it")?;
        let file =
            fs::canonicalize(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let status = self.child(target, &["repeat", &file.to_string_lossy()], Stdio::inherit())?;
        println!("{target}: {}", if status.success() { "nothing is wrong" } else { "it fails" });
        Ok(status.success())
    }

    /// Slices of time for all targets in turn.
    fn fuzz(&self, names: &[&String], time: Duration, seed: u64) -> Result<bool, String> {
        let begun = Instant::now();
        let before = self.crashes();
        let rounds = (time.as_secs_f64() / names.len() as f64 / LONGEST_SLICE.as_secs_f64()).ceil();
        let slice = time.div_f64(names.len() as f64 * rounds.max(1.0));
        for round in 0..rounds as u64 {
            for name in names {
                self.slice(name, slice, seed.wrapping_add(round << 32))?;
            }
        }
        let found: Vec<PathBuf> =
            self.crashes().into_iter().filter(|file| !before.contains(file)).collect();
        println!("{:.0} s, {} new faults", begun.elapsed().as_secs_f64(), found.len());
        for file in &found {
            println!("  cargo run -p plyground-fuzz -- --repeat {}", file.display());
        }
        Ok(found.is_empty())
    }

    /// One target for a while: a process that dies is started again.
    fn slice(&self, name: &str, time: Duration, seed: u64) -> Result<(), String> {
        let begun = Instant::now();
        let mut start = seed;
        loop {
            let left = time.saturating_sub(begun.elapsed());
            let arguments = ["fuzz", &left.as_secs_f64().to_string(), &start.to_string()];
            let status = self.child(name, &arguments, Stdio::null())?;
            match status.code() {
                Some(0 | FOUND) => break,
                Some(ENDED) => {}
                // Whatever killed the process, the input that it was running is in a file.
                _ => self.keep_current(name, status)?,
            }
            if begun.elapsed() >= time {
                break;
            }
            start = start.wrapping_add(1);
        }
        self.tell(name);
        Ok(())
    }

    /// Prints what a target says of its run.
    fn tell(&self, name: &str) {
        let told = fs::read_to_string(self.work.join(format!("{name}.status")));
        println!("{name:<16} {}", told.unwrap_or_default().trim());
    }

    fn keep_current(&self, name: &str, status: ExitStatus) -> Result<(), String> {
        let current = fs::read(self.work.join(format!("{name}.current"))).unwrap_or_default();
        let bytes = current.get(8..).unwrap_or_default();
        let length = current.get(..8).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes);
        let input = &bytes[..bytes.len().min(length.unwrap_or(0) as usize)];
        let number = input
            .iter()
            .fold(17_u64, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let file = self.work.join(format!("crashes/{name}.died-{number:016x}"));
        println!("{name}: the process died ({status}): {}", file.display());
        fs::write(&file, input).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn crashes(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.work.join("crashes")) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_none_or(|extension| extension != "why"));
        files.sort();
        files
    }

    fn child(&self, name: &str, arguments: &[&str], errors: Stdio) -> Result<ExitStatus, String> {
        Command::new(&self.program)
            .arg(arguments[0])
            .arg(name)
            .args(&arguments[1..])
            .env("PLYGROUND_FUZZ_CORPUS", &self.corpus)
            .env("PLYGROUND_FUZZ_WORK", &self.work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .status()
            .map_err(|error| format!("{}: {error}", self.program.display()))
    }
}
