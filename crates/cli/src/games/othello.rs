//! Othello alone: the Go Text Protocol, NBoard's protocol, and the exact solver.

mod engine;
mod gtp;
mod nboard;
mod solve;
mod train;

use clap::FromArgMatches;
use plyground_engine::game::Game;
use plyground_games::othello::Othello;

use crate::cli::{CommandLine, OwnCommand};

const GTP: &str = "Play Othello for other programs: the Go Text Protocol";
const NBOARD: &str = "Play and analyse Othello for a graphical interface: the NBoard protocol";
const SOLVE: &str = "Solve Othello endgames to the last disc, or find a mate in chess";
const TRAIN: &str = "Learn to judge Othello positions from games of self-play";

impl CommandLine for Othello {
    const TRAIN: Option<OwnCommand> = Some(OwnCommand::new(
        || OwnCommand::with_args::<train::TrainArgs>(Othello::NAME, TRAIN, train::EXAMPLES),
        |console, _, m| train::run(console, &train::TrainArgs::from_arg_matches(m)?),
    ));
    const EXAMPLES: &'static [&'static str] = &[
        "play othello",
        "best othello --position f5d6c3d3c4 --algorithm mtd-f --depth 8",
        "solve positions/ffo.obf --lines 40..44",
    ];
    const COMMANDS: &'static [OwnCommand] = &[
        OwnCommand::new(
            || OwnCommand::with_args::<solve::SolveArgs>("solve", SOLVE, solve::EXAMPLES),
            |console, _, m| solve::run(console, &solve::SolveArgs::from_arg_matches(m)?),
        ),
        OwnCommand::new(
            || OwnCommand::with_args::<gtp::GtpArgs>("gtp", GTP, gtp::EXAMPLES),
            |console, games, m| gtp::run(console, games, &gtp::GtpArgs::from_arg_matches(m)?),
        ),
        OwnCommand::new(
            || OwnCommand::with_args::<nboard::NboardArgs>("nboard", NBOARD, nboard::EXAMPLES),
            |console, games, m| {
                nboard::run(console, games, &nboard::NboardArgs::from_arg_matches(m)?)
            },
        ),
    ];
}
