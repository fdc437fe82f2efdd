//! Opponents that flood, do not read, die in odd ways or leave processes behind, and signals: nobody
//! waits for ever, and nothing outlives a match.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// More than anything here takes on a busy machine, and less than for ever.
const LONG: Duration = Duration::from_secs(120);

/// One position, and a move that is legal there.
const OPENING: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n";

/// An engine in Python. It does `start` at first, and `search` when it has to move.
fn engine(folder: &Path, start: &str, search: &str) -> String {
    let text = format!(
        "import os, sys, time
out = sys.stdout.buffer
def say(text):
    out.write(text.encode() if isinstance(text, str) else text)
    out.flush()
{start}
for line in sys.stdin:
    word = line.split()[0] if line.split() else ''
    if word == 'uci':
        say('id name Bad\\noption name Big type string\\noption name Bigger type string\\nuciok\\n')
    elif word == 'isready':
        say('readyok\\n')
    elif word == 'go':
        {search}
    elif word == 'quit':
        break
"
    );
    let path = folder.join("engine.py");
    fs::write(&path, text).unwrap();
    format!("uci:python3 '{}'", path.display())
}

pub fn start(arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of a program, but not for ever.
pub fn finished(mut child: Child, what: &str) -> Output {
    let end = Instant::now() + LONG;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            panic!("{what}: it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// A match of two games of this engine against one of ours: the faults of the engine as
/// illegal, crash, time; and all that was told.
fn faults(folder: &Path, engine: &str, limit: &[&str]) -> ([u64; 3], Vec<Value>) {
    let openings = folder.join("one.epd");
    fs::write(&openings, OPENING).unwrap();
    let openings = openings.display().to_string();
    let command = ["match", engine, "chess", "--games", "2", "--json", "--openings", &openings];
    let output = finished(start(&[&command[..], limit].concat()), engine);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}{errors}");
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sums = &told.last().unwrap()["faults"]["a"];
    (["illegal", "crash", "time"].map(|kind| sums[kind].as_u64().unwrap()), told)
}

/// Whatever an engine writes without an end, it is late: lines of any length, half lines, nothing.
#[test]
fn floods_and_half_answers_are_late() {
    for search in [
        "while True: say('info string ' + 'x' * 900000 + '\\n')",
        "while True: say('info depth 1\\n' * 1000)",
        "while True: say('x' * 100000)",
        "while True: say(b'\\0' * 100000 + b'\\n')",
        "while True: say('\\n' * 100000)",
        "say('bestmove d1d8'); time.sleep(1000)",
        "time.sleep(1000)",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let bad = engine(folder.path(), "", search);
        let limit = ["--move-time", "0.1", "--patience", "0.3"];
        assert_eq!(faults(folder.path(), &bad, &limit).0, [0, 0, 1], "{search}");
    }
}

/// An engine that has died is noticed at once, although a child of it keeps its output open; one that
/// writes strange bytes plays on.
#[test]
fn deaths_and_strange_bytes_are_taken_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let dies = "os.fork() == 0 and time.sleep(1000); os._exit(7)";
    let (found, told) = faults(folder.path(), &engine(folder.path(), "", dies), &["--depth", "1"]);
    assert_eq!(found, [0, 1, 0]);
    assert!(told[0]["fault"]["reason"].as_str().unwrap().contains('7'), "{}", told[0]);
    let hello = "say(b'id name A\\0B\\x07\\xff\\n')";
    let strange = "say(b'\\0\\0\\xff\\n' + b'bestmove d1d8 \\0\\r\\n')";
    let (found, told) =
        faults(folder.path(), &engine(folder.path(), hello, strange), &["--depth", "1"]);
    assert_eq!(found, [0; 3], "{told:?}");
    // What is longer than any line of the protocol is cut, and its rest is no line of its own.
    let long = "say('info string ' + 'x ' * 50000 + '\\rbestmove a1a1\\nbestmove d1d8\\n')";
    let (found, told) = faults(folder.path(), &engine(folder.path(), "", long), &["--depth", "1"]);
    assert_eq!(found, [0; 3], "{told:?}");
}

/// A match with an engine that does not read what it is sent.
fn does_not_read(folder: &Path) -> Child {
    let deaf = "say('option name Big type string\\noption name Bigger type string\\nuciok\\n')
say('readyok\\n' * 10)
time.sleep(1000)";
    let bad = engine(folder, deaf, "pass");
    // Together they are longer than a pipe.
    let [big, bigger] = ["Big", "Bigger"].map(|name| format!("{name}={}", "x".repeat(100_000)));
    start(&["match", &bad, "chess", "--depth", "1", "--option-a", &big, "--option-a", &bigger])
}

#[test]
fn an_engine_that_does_not_read_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let output = finished(does_not_read(folder.path()), "an engine that does not read");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("it does not read what it is sent"), "{errors}");
}

/// Waits until a program listens to signals: before that they end it as they end any program, and on a busy
/// machine it may take long to begin.
#[cfg(unix)]
pub fn listens(process: u32) {
    let end = Instant::now() + LONG;
    // The signals that it has a function for, a bit each: SIGINT is 2, the lowest bit is signal 1.
    let catches = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
    };
    while Instant::now() < end {
        match fs::read_to_string(format!("/proc/{process}/status")) {
            Ok(status) if !catches(&status) => std::thread::sleep(Duration::from_millis(10)),
            Ok(_) => return,
            // The system does not tell.
            Err(_) => return std::thread::sleep(Duration::from_secs(1)),
        }
    }
    panic!("process {process} does not listen to signals");
}

#[cfg(unix)]
pub fn send(signal: &str, child: &Child) {
    listens(child.id());
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Ctrl-C is heard while a line is written to an engine that does not read it.
#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_while_an_engine_does_not_read() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let child = does_not_read(folder.path());
        std::thread::sleep(Duration::from_millis(700));
        send(signal, &child);
        let output = finished(child, "a match that was interrupted");
        assert_eq!(output.status.code(), Some(130), "{signal} {output:?}");
    }
}

/// A machine that gives this program no time while a line is written is not the engine's fault: what is waited
/// counts, not what the clock says.
#[cfg(unix)]
#[test]
fn a_match_that_was_held_up_itself_blames_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (pid, reads) = (folder.path().join("pid"), folder.path().join("reads"));
    let deaf = format!(
        "say('option name Big type string\\noption name Bigger type string\\nuciok\\n')
open('{0}.new', 'w').write(str(os.getpid()) + '\\n')
os.rename('{0}.new', '{0}')
while not os.path.exists('{1}'):
    time.sleep(0.01)",
        pid.display(),
        reads.display()
    );
    let bad = engine(folder.path(), &deaf, "say('bestmove d1d8\\n')");
    let openings = folder.path().join("one.epd");
    fs::write(&openings, OPENING).unwrap();
    // Together they are longer than a pipe.
    let [big, bigger] = ["Big", "Bigger"].map(|name| format!("{name}={}", "x".repeat(100_000)));
    let openings = openings.display().to_string();
    let child = start(&[
        "match",
        &bad,
        "chess",
        "--games",
        "2",
        "--depth",
        "1",
        "--openings",
        &openings,
        "--option-a",
        &big,
        "--option-a",
        &bigger,
    ]);
    number(&pid);
    std::thread::sleep(Duration::from_millis(500));
    send("-STOP", &child);
    std::thread::sleep(Duration::from_secs(7));
    send("-CONT", &child);
    fs::write(&reads, "").unwrap();
    let output = finished(child, "a match that was held up");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
}

#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

/// The number that a process has written to a file.
#[cfg(unix)]
fn number(file: &Path) -> String {
    let end = Instant::now() + LONG;
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
        assert!(Instant::now() < end, "{} is not written", file.display());
    }
}

/// A process that has left its parent, its group, its session and its pipes behind; with this environment.
#[cfg(target_os = "linux")]
fn daemon(pid: &Path, environment: &str) -> String {
    format!(
        "def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(3):
                os.close(number)
                os.open('/dev/null', os.O_RDWR)
            open('{0}.new', 'w').write(str(os.getpid()) + '\\n')
            os.rename('{0}.new', '{0}')
            os.execve('/bin/sleep', ['sleep', '1000'], {environment})
        os._exit(0)
    os.wait()
    while not os.path.exists('{0}'):
        time.sleep(0.01)",
        pid.display()
    )
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_leaves_behind_ends_with_the_match() {
    for search in ["daemon(); say('bestmove d1d8\\n')", "daemon(); os._exit(1)"] {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let bad = engine(folder.path(), &daemon(&pid, "{}"), search);
        faults(folder.path(), &bad, &["--depth", "1"]);
        assert!(!runs(&number(&pid)), "{search}");
    }
}

/// SIGTERM and SIGHUP are as Ctrl-C: the match ends, shows what was played, and leaves nothing behind.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_terminated_leaves_nothing_behind() {
    for signal in ["-TERM", "-HUP"] {
        let (process, child, _folder) = match_with_daemon("{}");
        send(signal, &child);
        let output = finished(child, "a match that was terminated");
        assert_eq!(output.status.code(), Some(130), "{signal}: {output:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("interrupted after 0 of 100 games"), "{signal}: {errors}");
        assert!(!runs(&process), "{signal}");
    }
}

/// A match that is killed cannot end anything itself; its guard does, by the mark in the environment.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_killed_leaves_nothing_behind() {
    let (process, mut child, _folder) = match_with_daemon("os.environ");
    child.kill().unwrap();
    child.wait().unwrap();
    for _ in 0..2000 {
        if !runs(&process) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {process} has outlived the match");
}

/// Starts a match against an engine that thinks for ever and has started a daemon, whose number comes first.
#[cfg(target_os = "linux")]
fn match_with_daemon(environment: &str) -> (String, Child, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let bad = engine(folder.path(), &daemon(&pid, environment), "daemon(); time.sleep(1000)");
    let child = start(&["match", &bad, "chess", "--games", "100", "--depth", "1"]);
    let process = number(&pid);
    assert!(runs(&process));
    (process, child, folder)
}

/// Every kind of command that lasts ends by SIGTERM, as by Ctrl-C.
#[cfg(unix)]
#[test]
fn sigterm_ends_every_command_as_ctrl_c_does() {
    for arguments in [
        &["uci"][..],
        &["gtp"],
        &["nboard"],
        &["play", "chess"],
        &["trees", "--width", "8", "--depth", "7", "--algorithms", "pvs", "--count", "1000000"],
        // Not even its first tree is done.
        &["trees", "--width", "40", "--depth", "8", "--algorithms", "sss", "--count", "2"],
        &["match", "chess", "chess", "--time", "600"],
    ] {
        for signal in ["-TERM", "-INT"] {
            let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let input = child.stdin.take();
            std::thread::sleep(Duration::from_millis(500));
            send(signal, &child);
            let output = finished(child, &format!("{arguments:?}"));
            assert_eq!(output.status.code(), Some(130), "{arguments:?} {signal}");
            drop(input);
        }
    }
}
