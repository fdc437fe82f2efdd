//! What the shell asks for: completions and manual pages.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};

use super::console::Console;
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_search::catalogue;
use plyground_study::files;

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
  plyground completions bash >> ~/.bash_completion
  plyground completions zsh > ~/.zfunc/_plyground
  plyground completions fish > ~/.config/fish/completions/plyground.fish";

pub(super) const MAN_EXAMPLES: &str = "Examples:
  plyground man | man -l -
  plyground man --out ~/.local/share/man/man1 && man plyground-compare";

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Write a page for every command into this folder [default: print the program's page]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a shell's completions. They know the games, the engines, the algorithms and the suites.
pub(super) fn completions(
    console: &Console,
    args: &CompletionsArgs,
    command: Command,
    games: &Games,
) -> anyhow::Result<()> {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let mut script = Vec::new();
    let mut command = with_names(command, &Names::of(games));
    clap_complete::generate(args.shell, &mut command, &name, &mut script);
    if args.shell == clap_complete::Shell::Fish {
        script.extend(fish_arguments(&command, &name).into_bytes());
    }
    console.print(&String::from_utf8_lossy(&script))
}

/// What fish completes where no option stands: the generator's script knows the names of options' values
/// alone.
fn fish_arguments(program: &Command, name: &str) -> String {
    let using = format!("__fish_{}_using_subcommand", name.replace('-', "_"));
    let line = |condition: &str, command: &Command| {
        let known = command.get_positionals().flat_map(Arg::get_possible_values);
        let mut known: Vec<String> = known.map(|value| value.get_name().to_owned()).collect();
        known.sort();
        known.dedup();
        if known.is_empty() {
            return String::new();
        }
        // An opponent and a suite may be files, too.
        let no_file = command.get_positionals().any(|argument| argument.get_id() == "game");
        let files = if no_file { " -f" } else { "" };
        format!("complete -c {name} -n \"{condition}\"{files} -a \"{}\"\n", known.join(" "))
    };
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let condition = format!("{using} {}", command.get_name());
        lines += &line(&condition, command);
        for inner in command.get_subcommands() {
            let condition =
                format!("{condition}; and __fish_seen_subcommand_from {}", inner.get_name());
            lines += &line(&condition, inner);
        }
    }
    lines
}

/// The names that a user may type.
struct Names {
    games: Vec<&'static str>,
    engines: Vec<&'static str>,
    algorithms: Vec<&'static str>,
    suites: Vec<&'static str>,
}

impl Names {
    fn of(games: &Games) -> Names {
        let suites = games.iter().flat_map(AnyGame::suites);
        Names {
            games: games.iter().map(AnyGame::name).collect(),
            engines: games.iter().flat_map(Profile::names).collect(),
            algorithms: catalogue().flat_map(|entry| entry.examples).copied().collect(),
            suites: suites
                .flat_map(|suite| suite.aliases.iter().copied().chain([suite.name]))
                .collect(),
        }
    }

    /// What an argument with this id takes, if names are expected there.
    fn for_argument(&self, command: &str, id: &str) -> Option<Vec<&'static str>> {
        // An opponent may be an engine or an algorithm.
        let opponents = || [self.engines.clone(), self.algorithms.clone()].concat();
        match (command, id) {
            (_, "game") => Some(self.games.clone()),
            ("play", "engine") | (_, "a" | "b" | "opponents") => Some(opponents()),
            (_, "engine" | "engines") => Some(self.engines.clone()),
            (_, "algorithm" | "algorithms") => Some(self.algorithms.clone()),
            (_, "suites") => Some(self.suites.clone()),
            _ => None,
        }
    }
}

/// The command with the names as the possible values of its arguments. Files and parameters are possible
/// too, so this is for completion alone.
fn with_names(command: Command, names: &Names) -> Command {
    let own = command.get_name().to_owned();
    let command =
        command.mut_args(|argument| match names.for_argument(&own, argument.get_id().as_str()) {
            Some(known) => argument.value_parser(PossibleValuesParser::new(known)),
            None => argument,
        });
    command.mut_subcommands(|subcommand| with_names(subcommand, names))
}

/// Prints the program's manual page, or writes those of all commands.
pub(super) fn manual(console: &Console, args: &ManArgs, command: Command) -> anyhow::Result<()> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).context("the manual page")?;
        return console.print(&String::from_utf8_lossy(&page));
    };
    let written = |folder: &Path| format!("cannot write manual pages into {}", folder.display());
    std::fs::create_dir_all(folder).with_context(|| written(folder))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(&command, folder).with_context(|| written(folder))?;
    console.print(&format!("manual pages: {}\n", folder.display()))
}

/// Writes the manual pages of a command and of all its commands, each as a whole or not at all.
fn write_pages(command: &Command, folder: &Path) -> std::io::Result<()> {
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let manual = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    manual.render(&mut page)?;
    files::replace(&folder.join(manual.get_filename()), &page)
}
