//! The signals that end a program: Ctrl-C and, on Unix, SIGTERM, which `kill`, `timeout` and service
//! managers send, and SIGHUP, which a terminal sends that is closed; and SIGXFSZ, which shall not end it.

/// A request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no such signal"))]
    Terminate,
}

/// Calls `heard` on a thread of its own whenever a signal comes.
#[cfg(unix)]
pub(super) fn listen(mut heard: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hangup = hears_hangup().then_some(SIGHUP);
    let heeded = [SIGINT, SIGTERM].into_iter().chain(hangup);
    let mut signals = signal_hook::iterator::Signals::new(heeded)?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            heard(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    })?;
    Ok(())
}

/// Does a terminal that is closed end this program? Not if `nohup` has started it, which lets SIGHUP be
/// ignored: Linux tells, as a set of bits. Elsewhere the signal does what it does by itself.
#[cfg(unix)]
fn hears_hangup() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
        .is_some_and(|bits| bits & 1 == 0)
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
