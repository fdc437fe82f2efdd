//! Chess alone: the Universal Chess Interface, and mates.

pub(super) mod mate;
mod train;
mod uci;

use clap::FromArgMatches;
use plyground_engine::game::Game;
use plyground_games::chess::Chess;

use crate::cli::{CommandLine, OwnCommand};

const UCI: &str = "Play chess for a graphical interface: the Universal Chess Interface";
const TRAIN: &str = "Learn to judge chess positions from games of self-play";

impl CommandLine for Chess {
    const TRAIN: Option<OwnCommand> = Some(OwnCommand::new(
        || OwnCommand::with_args::<train::TrainArgs>(Chess::NAME, TRAIN, train::EXAMPLES),
        |console, _, m| train::run(console, &train::TrainArgs::from_arg_matches(m)?),
    ));
    const EXAMPLES: &'static [&'static str] =
        &["play chess", "best chess --algorithm pvs --depth 5", "paper best-first --game chess"];
    const COMMANDS: &'static [OwnCommand] = &[OwnCommand::new(
        || OwnCommand::with_args::<uci::UciArgs>("uci", UCI, uci::EXAMPLES),
        |console, games, m| uci::run(console, games, &uci::UciArgs::from_arg_matches(m)?),
    )];
}
