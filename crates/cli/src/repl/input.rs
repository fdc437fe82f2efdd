//! The input: a terminal with a line editor, or a pipe.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};

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
    pub(super) fn terminal(game: &dyn AnyGame) -> Input {
        match editor() {
            Ok(mut editor) => {
                let history = history_file(game);
                if let Some(file) = &history {
                    // The first run has no history file.
                    let _ = editor.load_history(file);
                }
                Input::Terminal { editor: Box::new(editor), history }
            }
            Err(_) => Input::pipe(),
        }
    }

    pub(super) fn pipe() -> Input {
        Input::Pipe(Lines::read(|_| false))
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

    /// Reads the next line. A terminal shows the prompt, which is given without and with colours, and
    /// completes words.
    pub(super) fn read(
        &mut self,
        console: &Console,
        prompt: &(String, String),
        completion: impl FnOnce() -> Completion,
    ) -> anyhow::Result<InputEvent> {
        match self {
            Input::Terminal { editor, history } => {
                editor.set_helper(Some(completion()));
                match editor.readline(prompt) {
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
            Input::Pipe(lines) => Ok(lines.next(console).map_or(InputEvent::End, InputEvent::Line)),
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

/// The terminal's keyboard, for checking whether Enter was pressed while the engine thinks.
pub(super) struct Keyboard(Option<File>);

impl Keyboard {
    /// Opens the terminal a second time, so that the mode of standard input does not change. On systems
    /// whose flag for non-blocking reads is unknown, Enter is never seen.
    pub(super) fn open() -> Keyboard {
        Keyboard(open_non_blocking())
    }

    /// Was Enter pressed since the last call?
    pub(super) fn entered(&mut self) -> bool {
        let Some(file) = &mut self.0 else { return false };
        // A terminal delivers whole lines.
        matches!(file.read(&mut [0; 256]), Ok(1..))
    }
}

#[cfg(unix)]
fn open_non_blocking() -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let common =
        cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));
    // O_NONBLOCK as these systems define it.
    let flag = match () {
        () if cfg!(target_os = "linux") && common => 0o4000,
        () if cfg!(any(target_os = "macos", target_os = "freebsd")) => 0x4,
        () => return None,
    };
    fs::OpenOptions::new().read(true).custom_flags(flag).open("/dev/tty").ok()
}

#[cfg(not(unix))]
fn open_non_blocking() -> Option<File> {
    None
}
