//! The driver's arguments.

use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "\
Usage: cargo run -p plyground-fuzz -- [--seconds N | --minutes N | --hours N] [--target NAME] [--seed N]
       cargo run -p plyground-fuzz -- --list | --minimise | --repeat FILE

  --seconds N   how long altogether, over all targets [default: 60]
  --target NAME one target only
  --seed N      another sequence of random inputs [default: 1]
  --list        the targets
  --minimise    keep the few small inputs that reach all that is reached: fuzz/corpus
  --repeat FILE run an input again that was written to a file, and say what happens";

/// What to do.
#[derive(Debug)]
pub enum Task {
    /// Random inputs for this long.
    Fuzz(Duration),
    /// List the targets.
    List,
    /// Make the corpus small.
    Minimise,
    /// Run one input.
    Repeat(PathBuf),
}

/// What was asked for.
#[derive(Debug)]
pub struct Wanted {
    /// What to do.
    pub task: Task,
    /// One target only.
    pub target: Option<String>,
    /// Where the random inputs begin.
    pub seed: u64,
}

impl Wanted {
    /// Reads the arguments.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Wanted, String> {
        let mut wanted =
            Wanted { task: Task::Fuzz(Duration::from_secs(60)), target: None, seed: 1 };
        while let Some(flag) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| format!("{flag}: expected a value\n{USAGE}"));
            match flag.as_str() {
                "--seconds" => wanted.task = Task::Fuzz(duration(&value()?, 1.0)?),
                "--minutes" => wanted.task = Task::Fuzz(duration(&value()?, 60.0)?),
                "--hours" => wanted.task = Task::Fuzz(duration(&value()?, 3600.0)?),
                "--target" => wanted.target = Some(value()?),
                "--seed" => {
                    let text = value()?;
                    let wrong = |_| format!("--seed {text}: expected a number\n{USAGE}");
                    wanted.seed = text.parse().map_err(wrong)?;
                }
                "--list" => wanted.task = Task::List,
                "--minimise" => wanted.task = Task::Minimise,
                "--repeat" => wanted.task = Task::Repeat(value()?.into()),
                _ => return Err(format!("`{flag}` is not understood\n{USAGE}")),
            }
        }
        Ok(wanted)
    }
}

fn duration(text: &str, unit: f64) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().map(|n| n * unit);
    seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}`: expected a number above 0\n{USAGE}"))
}
