//! The signals that end a program: Ctrl-C and, on Unix, SIGTERM, which `kill`, `timeout` and service
//! managers send; and SIGXFSZ, which shall not end it.

/// A request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no such signal"))]
    Terminate,
}

/// Calls `heard` on a thread of its own whenever a signal comes.
#[cfg(unix)]
pub(super) fn listen(mut heard: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            heard(if signal == SIGTERM { Signal::Terminate } else { Signal::Interrupt });
        }
    })?;
    Ok(())
}

/// From now on a file that grows beyond the limit on its size (`ulimit -f`) is an error of the write, as a
/// full disk is. Otherwise the signal that comes before that error, SIGXFSZ, ends the program without a
/// word. The signal is handled and not ignored: programs that are started would inherit that.
#[cfg(unix)]
pub(super) fn outlive_file_size_limit() -> anyhow::Result<()> {
    use std::sync::{Arc, atomic::AtomicBool};
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// There is no such limit.
#[cfg(not(unix))]
pub(super) fn outlive_file_size_limit() -> anyhow::Result<()> {
    Ok(())
}

/// Calls `heard` on a thread of its own whenever Ctrl-C is pressed.
#[cfg(not(unix))]
pub(super) fn listen(mut heard: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    Ok(ctrlc::set_handler(move || heard(Signal::Interrupt))?)
}

/// What to do before the program ends in the middle of something: the terminal gets back the settings
/// that it has now, since a line editor may have changed them.
#[cfg(unix)]
pub(super) fn at_the_end() -> impl Fn() {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let settings = tcgetattr(std::io::stdin()).ok();
    move || {
        if let Some(settings) = &settings {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, settings);
        }
    }
}

/// What to do before the program ends in the middle of something: nothing.
#[cfg(not(unix))]
pub(super) fn at_the_end() -> impl Fn() {
    || {}
}
