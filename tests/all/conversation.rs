//! A protocol's engine at the other end of two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// More than any answer takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// What the parts of a search that do not look at the clock may add to a time.
pub const SLACK: Duration = Duration::from_millis(500);

pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(LONG).expect("no answer")
    }

    /// All lines up to the first that begins like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let end = Instant::now() + LONG;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(_) => panic!("no `{start}` after {seen:?}"),
            }
        }
    }

    /// Begins to measure a time.
    pub fn watch(&self) -> Watch {
        Watch { started: Instant::now(), processor: self.processor_time() }
    }

    /// What the engine has used since: the processor's time, or the clock's if that is less. On a busy
    /// machine others use the rest, and an engine that overlooks the clock uses all of it itself.
    pub fn used(&self, watch: &Watch) -> Duration {
        let passed = watch.started.elapsed();
        match (watch.processor, self.processor_time()) {
            (Some(before), Some(now)) => passed.min(now.saturating_sub(before)),
            _ => passed,
        }
    }

    /// The time of all its threads on a processor, where the system tells it.
    fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name, in parentheses, may contain spaces. Times are in hundredths of a second.
        let (_, fields) = stat.rsplit_once(") ")?;
        let times = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        Some(Duration::from_millis(10 * times.sum::<Result<u64, _>>().ok()?))
    }

    /// Ends the input; the program must be content.
    pub fn close(mut self) {
        drop(self.input.take());
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("still running");
    }
}

/// The beginning of a time.
pub struct Watch {
    started: Instant,
    processor: Option<Duration>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
