//! `plyground play` on a terminal, which `script` provides: the line editor, colours, Ctrl-C.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A machine that is busy takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal with the program in it.
struct Terminal {
    child: Child,
    output: Arc<Mutex<Vec<u8>>>,
    /// How much of the output has been looked at.
    seen: usize,
}

impl Terminal {
    /// `script`, which every Debian has, makes the terminal.
    fn open(command: &str, columns: u16, state: &std::path::Path) -> Terminal {
        let program = assert_cmd::cargo::cargo_bin!("plyground");
        // A shell that waited for the program would hear Ctrl-C too, and some end by it.
        let command = format!("stty cols {columns}; exec '{}' {command}", program.display());
        let mut child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .envs([("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), ("SHELL", "/bin/sh")])
            .env("XDG_STATE_HOME", state)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("`script` makes a terminal");
        let output = Arc::new(Mutex::new(Vec::new()));
        let (mut stdout, written) = (child.stdout.take().unwrap(), output.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                written.lock().unwrap().extend(&buffer[..length]);
            }
        });
        Terminal { child, output, seen: 0 }
    }

    fn type_keys(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(keys.as_bytes()).and_then(|()| input.flush()).unwrap();
    }

    /// Waits until this has been shown after what was shown before.
    #[track_caller]
    fn expect(&mut self, text: &str) {
        let started = Instant::now();
        loop {
            let output = self.output.lock().unwrap().clone();
            let rest = &output[self.seen..];
            if let Some(at) = rest.windows(text.len()).position(|part| part == text.as_bytes()) {
                self.seen += at + text.len();
                return;
            }
            let shown = String::from_utf8_lossy(rest);
            assert!(started.elapsed() < PATIENCE, "no {text:?} in {shown:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_terminal_has_colours_completion_and_ctrl_c() {
    const PROMPT: &str = "white\x1b[0m> ";
    let state = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::open("play chess --depth 2", 80, state.path());
    // A square, then the prompt.
    terminal.expect("\x1b[48;5;");
    terminal.expect(PROMPT);
    terminal.type_keys("Nf\t\r");
    terminal.expect("black (chess) plays");
    terminal.expect("last move");
    terminal.expect(PROMPT);
    for end in ["\x03", "\r"] {
        terminal.type_keys("analyse\r");
        terminal.expect("chess analyses; Enter or Ctrl-C ends it");
        terminal.expect("depth ");
        terminal.type_keys(end);
        terminal.expect(PROMPT);
    }
    terminal.type_keys("rubbish\x03");
    terminal.expect("(quit or Ctrl-D leaves");
    terminal.expect(PROMPT);
    // What was given up is not in the way.
    terminal.type_keys("history\r");
    terminal.expect("1.Nf3 ");
    terminal.expect(PROMPT);
    terminal.type_keys("\x04");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
    // Each game has its own.
    let history = std::fs::read_to_string(state.path().join("plyground/history-chess")).unwrap();
    assert!(history.contains("Nf3") && history.contains("analyse"), "{history}");
    assert!(!state.path().join("plyground/history-othello").exists());
}

/// What was shown so far, without colours, in the lines that the program made.
fn plain(terminal: &Terminal) -> Vec<String> {
    let output = terminal.output.lock().unwrap().clone();
    let text = String::from_utf8_lossy(&output).replace('\r', "");
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find(|letter: char| letter.is_ascii_alphabetic()).map_or(0, |end| end + 1);
        plain.push_str(&part[end..]);
    }
    plain.lines().map(String::from).collect()
}

/// No line is longer than the terminal is wide, and the board is whole.
#[test]
fn a_narrow_terminal_is_not_overrun() {
    for (columns, beside) in [(24, false), (40, false), (60, false), (80, true), (120, true)] {
        for (game, first) in [("chess", "8 "), ("othello", "1 ")] {
            let state = tempfile::tempdir().unwrap();
            let command = format!("play {game} --depth 1 --side both --engine {game}-alpha-beta");
            let mut terminal = Terminal::open(&command, columns, state.path());
            terminal.expect("> ");
            terminal.type_keys("help\r");
            terminal.expect("All else");
            terminal.expect("> ");
            terminal.type_keys("help analyse\r");
            terminal.expect("Also: analyze");
            terminal.type_keys("\x04");
            assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
            let lines = plain(&terminal);
            let longest = lines.iter().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= columns.into(), "{columns}, {game}: {lines:?}");
            let row = lines.iter().find(|line| line.trim_start().starts_with(first)).unwrap();
            assert_eq!(row.contains("to move"), beside, "{columns}, {game}: {row}");
        }
    }
}

/// Lines that are pasted, or typed while the engine thinks, are all executed, in their order; keys that
/// wait are not shown in the midst of the output.
#[test]
fn no_line_is_lost() {
    let state = tempfile::tempdir().unwrap();
    let both = "play chess --side both";
    let mut terminal = Terminal::open(both, 80, state.path());
    terminal.expect("white\x1b[0m> ");
    terminal.type_keys("e4\rd5\rNf3\rhistory\r");
    terminal.expect("1.e4 d5 2.Nf3");
    // More than the editor reads at once.
    let long: String = "e6\rd4\rundo\rundo\r".repeat(200) + "# the end\rhistory\r";
    terminal.type_keys(&long);
    terminal.expect("# the end");
    terminal.expect("1.e4 d5 2.Nf3\r\n");
    terminal.type_keys("quit\r");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));

    let thinks = "play chess --time 1";
    let mut terminal = Terminal::open(thinks, 80, state.path());
    terminal.expect("white\x1b[0m> ");
    terminal.type_keys("e4\r");
    terminal.expect("chess thinks");
    for key in ["his", "tory", "\r", "quit\r"] {
        terminal.type_keys(key);
        std::thread::sleep(Duration::from_millis(50));
    }
    terminal.expect("plays");
    terminal.expect("1.e4 ");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
    let lines = plain(&terminal);
    let thinking = lines.iter().filter(|line| line.contains("thinks"));
    assert!(thinking.clone().all(|line| !line.contains("his")), "{lines:?}");
    let typed = |text: &str| lines.iter().filter(|line| line.ends_with(text)).count();
    assert_eq!((typed("> history"), typed("> quit")), (1, 1), "{lines:?}");
}

/// What a pawn becomes is asked for, and the clock of the side to move ticks while a person thinks.
#[test]
fn a_person_is_asked_and_the_clock_ticks() {
    let state = tempfile::tempdir().unwrap();
    let command = "play chess --side both --time 60+0 --from '8/P5k1/8/8/8/8/8/K7 w - - 0 1'";
    let mut terminal = Terminal::open(command, 80, state.path());
    terminal.expect("white\x1b[0m> ");
    terminal.expect("0:59\x1b8");
    terminal.expect("0:58\x1b8");
    terminal.type_keys("a8\r");
    terminal.expect("which: q, r, b, n? [q]");
    terminal.type_keys("n\r");
    terminal.expect("last move a8=N");
    terminal.type_keys("undo\r");
    terminal.expect("taken back: a8=N");
    terminal.type_keys("a8\r");
    terminal.expect("which: q, r, b, n? [q]");
    // Anything else is another command.
    terminal.type_keys("history\r");
    terminal.expect("nothing has been played yet");
    terminal.type_keys("a8\r\r");
    terminal.expect("last move a8=Q");
    terminal.type_keys("\x04");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
}
