//! The input: a terminal with a line editor, or a pipe.

use std::fs;
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};

use super::clocks::Ticker;
use super::completion::Completion;
use crate::cli::console::Console;
use crate::protocol::lines::Lines;
use plyground_engine::door::AnyGame;

/// The most lines that the history file keeps.
const REMEMBERED: usize = 1000;

/// The result of reading a line.
pub(super) enum InputEvent {
    Line(String),
    /// Ctrl-C discarded the line.
    Cancelled,
    /// The input has ended.
    End,
}

pub(super) enum Input {
    Terminal { editor: Box<Editor<Completion, FileHistory>>, history: Option<PathBuf> },
    Pipe(Lines),
}

impl Input {
    /// An editor on the terminal; a pipe if there is none.
    pub(super) fn terminal(game: &dyn AnyGame) -> anyhow::Result<Input> {
        Ok(match editor() {
            Ok(mut editor) => {
                let history = history_file(game);
                if let Some(file) = &history {
                    // The first run has no history file.
                    let _ = editor.load_history(file);
                }
                Input::Terminal { editor: Box::new(editor), history }
            }
            Err(_) => Input::pipe()?,
        })
    }

    pub(super) fn pipe() -> anyhow::Result<Input> {
        Ok(Input::Pipe(Lines::read(|_| false)?))
    }

    /// Changes to the history of another game.
    pub(super) fn set_game(&mut self, game: &dyn AnyGame) {
        if let Input::Terminal { editor, history } = self {
            *history = history_file(game);
            // Lines of the game before are no help in this one.
            let _ = editor.clear_history();
            if let Some(file) = history {
                let _ = editor.load_history(file);
            }
        }
    }

    /// How many columns the terminal has; `None` if there is none.
    pub(super) fn width(&mut self) -> Option<usize> {
        match self {
            Input::Terminal { editor, .. } => {
                editor.dimensions().map(|(columns, _)| columns.into())
            }
            Input::Pipe(_) => None,
        }
    }

    /// Reads the next line. A terminal shows the prompt, which is given without and with colours, lets a
    /// clock tick if there is one, and completes words.
    pub(super) fn read(
        &mut self,
        console: &Console,
        prompt: &(String, String),
        ticker: Option<Ticker>,
        completion: impl FnOnce() -> Completion,
    ) -> anyhow::Result<InputEvent> {
        match self {
            Input::Terminal { editor, history } => {
                editor.set_helper(Some(completion()));
                let ticking = ticker.and_then(Ticker::start);
                let read = editor.readline(prompt);
                if let Some((running, thread)) = ticking {
                    drop(running);
                    // It shows the time once more at the most.
                    let _ = thread.join();
                }
                match read {
                    Ok(line) => {
                        let added = editor.add_history_entry(line.as_str()).unwrap_or(false);
                        if let (true, Some(file)) = (added, history) {
                            // The game goes on without a history file.
                            let _ = editor.append_history(file);
                        }
                        Ok(InputEvent::Line(line))
                    }
                    Err(ReadlineError::Interrupted) => Ok(InputEvent::Cancelled),
                    Err(ReadlineError::Eof) => Ok(InputEvent::End),
                    Err(error) => Err(error.into()),
                }
            }
            Input::Pipe(lines) => {
                Ok(lines.next(console).map_or(InputEvent::End, |line| InputEvent::Line(line.text)))
            }
        }
    }
}

fn editor() -> rustyline::Result<Editor<Completion, FileHistory>> {
    let config = Config::builder()
        .max_history_size(REMEMBERED)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        .completion_type(rustyline::CompletionType::List)
        .completion_prompt_limit(200)
        // A pasted text is what was typed: each of its lines is executed.
        .bracketed_paste(false)
        .build();
    Editor::with_config(config)
}

/// The history file of a game; its folder is created. `None` if there is no home folder.
fn history_file(game: &dyn AnyGame) -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    let own = state.join("plyground");
    fs::create_dir_all(&own).ok()?;
    Some(own.join(format!("history-{game}")))
}

/// The terminal between two lines of input. Keys are not shown while the engine thinks or prints, where
/// they would garble the screen; nothing is lost, because they wait for the line editor. Ctrl-C still
/// interrupts. Dropping it gives the terminal its mode back.
pub(super) struct QuietTerminal {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl QuietTerminal {
    /// Sets the mode of the terminal, if standard input is one.
    pub(super) fn begin() -> QuietTerminal {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(std::io::stdin()).ok();
        if let Some(mut quiet) = before.clone() {
            quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            // A terminal that refuses stays as it is: its keys are shown.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &quiet);
        }
        QuietTerminal { before }
    }
}

#[cfg(unix)]
impl Drop for QuietTerminal {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}

/// Does a key wait that was pressed since the line editor last read? It is not taken.
#[cfg(unix)]
pub(super) fn key_waits() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    matches!(poll(&mut terminal, Some(&at_once)), Ok(1..))
}

#[cfg(not(unix))]
impl QuietTerminal {
    /// The terminal keeps its mode.
    pub(super) fn begin() -> QuietTerminal {
        QuietTerminal {}
    }
}

/// Keys are not seen on this system: Ctrl-C ends an analysis.
#[cfg(not(unix))]
pub(super) fn key_waits() -> bool {
    false
}
