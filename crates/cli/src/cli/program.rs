//! The program: the commands that work for every game, and those that single games add.

use std::process::ExitCode;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches};

use super::console::{self, Console};
use super::{Cli, bench, heap, signals, train};
use plyground_core::limits::StopFlag;
use plyground_engine::game::Game;
use plyground_engine::games::Games;

/// A game on the command line. Every command works for every game, so a game need not define anything
/// here; a game with protocols or commands of its own lists them.
///
/// ```ignore
/// impl CommandLine for ConnectFour {}
/// ```
pub trait CommandLine: Game {
    /// The commands that belong to this game alone.
    const COMMANDS: &'static [OwnCommand] = &[];
    /// How the game's evaluators are trained: a command below `train`. `None` if nothing is learnt.
    const TRAIN: Option<OwnCommand> = None;
    /// Examples for the program's help, without the program's name: `play chess`.
    const EXAMPLES: &'static [&'static str] = &[];
}

/// A command that belongs to one game, such as a protocol that only its programs speak.
pub struct OwnCommand {
    command: fn() -> clap::Command,
    run: fn(&Console, &Games, &ArgMatches) -> anyhow::Result<()>,
}

impl OwnCommand {
    pub(crate) const fn new(
        command: fn() -> clap::Command,
        run: fn(&Console, &Games, &ArgMatches) -> anyhow::Result<()>,
    ) -> OwnCommand {
        OwnCommand { command, run }
    }

    fn is_named(&self, name: &str) -> bool {
        (self.command)().get_name() == name
    }

    /// A command with the arguments `A`.
    pub(crate) fn with_args<A: Args>(
        name: &'static str,
        about: &'static str,
        examples: &'static str,
    ) -> clap::Command {
        // After the arguments: flattened ones would set their own description.
        A::augment_args(clap::Command::new(name)).about(about).after_help(examples)
    }
}

/// A program made of games: name them, and run it.
///
/// ```no_run
/// use plyground_cli::Plyground;
/// use plyground_games::chess::Chess;
/// use plyground_games::othello::Othello;
///
/// fn main() -> std::process::ExitCode {
///     Plyground::new().game::<Othello>().game::<Chess>().run()
/// }
/// ```
#[derive(Default)]
pub struct Plyground {
    games: Games,
    own: Vec<&'static OwnCommand>,
    train: Vec<OwnCommand>,
    examples: Vec<&'static str>,
}

/// The help is wrapped at this width, or at the terminal's if that is less.
const HELP_WIDTH: usize = 80;

/// Examples for the help of every program, whatever its games.
const EXAMPLES: [&str; 3] = [
    "compare",
    "tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm sss --trace",
    "trees --width 8 --depth 6 --algorithms alpha-beta,sss,ps:2",
];

impl Plyground {
    /// A program without a game.
    pub fn new() -> Plyground {
        Plyground::default()
    }

    /// Adds a game to all commands, and the commands of its own.
    #[must_use]
    pub fn game<G: CommandLine>(mut self) -> Plyground {
        self.games.register(G::door());
        self.own.extend(G::COMMANDS);
        self.train.extend(G::TRAIN);
        self.examples.extend(G::EXAMPLES);
        self
    }

    /// Runs the program on the process's arguments. The exit code is 0 if all is well, 1 if a soak found
    /// a fault or a document deviates, 2 if an argument or a file is wrong, 130 if the program was interrupted.
    pub fn run(self) -> ExitCode {
        heap::share_if_limited();
        // Before anything is written: the help may be too long for a file.
        if let Err(error) = signals::outlive_file_size_limit() {
            return console::report_error(&error);
        }
        let matches = self.command().get_matches();
        let console = match Console::new() {
            Ok(console) => console,
            Err(error) => return console::report_error(&error),
        };
        let done = self.dispatch(&console, &matches);
        let interrupted = console.interrupted();
        match done.and_then(|()| console.finish()) {
            Ok(()) if interrupted => ExitCode::from(130),
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => console::report_error(&error),
        }
    }

    /// Runs the program on these arguments, the program's name left out, in a process that goes on
    /// afterwards: for tests and other programs. Input and output are the process's; raising `stop` does
    /// what Ctrl-C does. Returns the exit code.
    ///
    /// ```
    /// use plyground_cli::Plyground;
    /// use plyground_core::limits::StopFlag;
    /// use plyground_games::othello::Othello;
    ///
    /// let program = Plyground::new().game::<Othello>();
    /// assert_eq!(program.run_on(&["perft", "3"], &StopFlag::new()), 0);
    /// assert_eq!(program.run_on(&["perft", "x"], &StopFlag::new()), 2);
    /// ```
    pub fn run_on(&self, arguments: &[&str], stop: &StopFlag) -> u8 {
        let all = [&["plyground"], arguments].concat();
        let matches = match self.command().try_get_matches_from(all) {
            Ok(matches) => matches,
            Err(error) => {
                // Nobody may be there to read it.
                let _ = error.print();
                return error.exit_code() as u8;
            }
        };
        let console = Console::stopped_by(stop.clone());
        match self.dispatch(&console, &matches) {
            Ok(()) if console.interrupted() => 130,
            Ok(()) => 0,
            Err(error) => console::error_code(&error),
        }
    }

    fn dispatch(&self, console: &Console, matches: &ArgMatches) -> anyhow::Result<()> {
        if let Some((name, arguments)) = matches.subcommand() {
            let found = match arguments.subcommand() {
                Some((game, arguments)) if name == train::NAME => {
                    self.train.iter().find(|own| own.is_named(game)).zip(Some(arguments))
                }
                _ => self.own.iter().copied().find(|own| own.is_named(name)).zip(Some(arguments)),
            };
            if let Some((own, arguments)) = found {
                return (own.run)(console, &self.games, arguments);
            }
        }
        let cli = Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        super::run(console, &self.games, &cli.command, matches, || self.command())
    }

    /// The whole command line.
    fn command(&self) -> clap::Command {
        let name = name();
        let examples = EXAMPLES.iter().chain(&self.examples);
        let examples: String = examples.map(|line| format!("\n  {name} {line}")).collect();
        let command = Cli::command()
            .bin_name(&name)
            .after_help(format!("Examples:{examples}"))
            .max_term_width(HELP_WIDTH)
            .mut_subcommand("bench", |c| bench::arguments(c, &self.games));
        let command = match self.train.is_empty() {
            true => command,
            false => {
                command.subcommand(train::command(self.train.iter().map(|own| (own.command)())))
            }
        };
        let whole =
            self.own.iter().fold(command, |command, own| command.subcommand((own.command)()));
        reflowed(whole)
    }
}

/// The command with the paragraphs below its help in one line each, so that they are wrapped at the width
/// of the terminal. Indented lines, such as examples, stay as they are.
fn reflowed(command: clap::Command) -> clap::Command {
    let after = command.get_after_help().map(|text| reflow(&text.to_string()));
    let command = match after {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(reflowed)
}

fn reflow(text: &str) -> String {
    let mut flowing = String::new();
    let mut joins = false;
    for line in text.lines() {
        let is_words = !line.is_empty() && !line.starts_with(' ');
        flowing.push_str(if joins && is_words { " " } else { "\n" });
        flowing.push_str(line);
        // A heading ends with a colon, or stands before a list.
        joins = is_words && !line.ends_with(':');
    }
    flowing.trim_start_matches('\n').to_owned()
}

/// The name that the program was started by.
fn name() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    let stem = std::path::Path::new(&path).file_stem();
    stem.map_or_else(|| "plyground".into(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    use super::*;

    #[test]
    fn paragraphs_flow_and_examples_stay() {
        let text = "Examples:\n  a\n  b\n\nOne\ntwo.\n\nA list:\n  three\nfour";
        assert_eq!(reflow(text), "Examples:\n  a\n  b\n\nOne two.\n\nA list:\n  three\nfour");
    }

    #[test]
    fn the_arguments_are_consistent() {
        Plyground::new().game::<Othello>().game::<Chess>().command().debug_assert();
        let only = Plyground::new().game::<Othello>().command();
        let has = |name: &str| only.get_subcommands().any(|command| command.get_name() == name);
        assert!(has("solve") && has("gtp") && !has("uci"));
    }
}
