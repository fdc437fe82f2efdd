//! Chess alone: the Universal Chess Interface.

mod uci;

use clap::FromArgMatches;
use plyground_games::chess::Chess;

use crate::cli::{CommandLine, OwnCommand};

const UCI: &str = "Play chess for a graphical interface: the Universal Chess Interface";

impl CommandLine for Chess {
    const EXAMPLES: &'static [&'static str] =
        &["play chess", "best chess --algorithm pvs --depth 5", "paper best-first --game chess"];
    const COMMANDS: &'static [OwnCommand] = &[OwnCommand::new(
        || OwnCommand::with_args::<uci::UciArgs>("uci", UCI, uci::EXAMPLES),
        |console, games, m| uci::run(console, games, &uci::UciArgs::from_arg_matches(m)?),
    )];
}
