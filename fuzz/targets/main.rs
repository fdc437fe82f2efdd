//! The targets, built with coverage counters by the driver.
//!
//! `list`, `fuzz TARGET SECONDS SEED`, `minimise TARGET`, `repeat TARGET FILE`.

mod conversations;
mod corpus;
mod coverage;
mod files;
mod fuzz;
mod mutate;
mod parsers;
mod searches;

use std::process::ExitCode;

/// Something that takes any input and must neither panic nor hang nor take much memory.
pub struct Target {
    /// Its name, of the files too.
    pub name: &'static str,
    /// Runs an input; panics if something is wrong.
    pub run: fn(&[u8]),
    /// Words that are worth trying.
    pub dictionary: &'static [&'static str],
    /// Inputs that the program brings along, too long for the corpus.
    pub built_in: &'static [&'static str],
    /// Longer inputs are cut off.
    pub longest: usize,
    /// An input may take this long, in seconds, on a busy machine.
    pub patience: u64,
}

fn targets() -> impl Iterator<Item = &'static Target> {
    let all = [parsers::TARGETS, files::TARGETS, conversations::TARGETS, searches::TARGETS];
    all.into_iter().flatten()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let find = |name: &str| targets().find(|target| target.name == name);
    let done = match words[..] {
        ["list"] => {
            targets().for_each(|target| println!("{}", target.name));
            return ExitCode::SUCCESS;
        }
        ["fuzz", name, seconds, seed] => match (find(name), seconds.parse(), seed.parse()) {
            (Some(target), Ok(seconds), Ok(seed)) => fuzz::fuzz(target, seconds, seed),
            _ => return ExitCode::from(2),
        },
        ["minimise", name] if find(name).is_some() => find(name).map_or(Ok(0), fuzz::minimise),
        ["repeat", name, file] if find(name).is_some() => {
            find(name).map_or(Ok(0), |target| fuzz::repeat(target, file.as_ref()))
        }
        _ => return ExitCode::from(2),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
