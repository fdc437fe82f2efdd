//! Files: engines, weights, records.

use std::path::Path;

use plyground_cli::Plyground;
use plyground_core::limits::StopFlag;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_games::chess::{self, Chess};
use plyground_games::othello::{self, Othello};
use plyground_study::experiment::{Record, Records};

use crate::Target;
use crate::parsers::text_of;

pub const TARGETS: &[Target] = &[
    file("engine-file", engine, TOML, &[]),
    file("weights", weights, TOML, &[chess::STANDARD_WEIGHTS, othello::STANDARD_WEIGHTS]),
    file("records", records, JSON, &[]),
];

const fn file(
    name: &'static str,
    run: fn(&[u8]),
    dictionary: &'static [&'static str],
    built_in: &'static [&'static str],
) -> Target {
    Target { name, run, dictionary, built_in, longest: 32_768, patience: 60 }
}

const TOML: &[&str] = &[
    "[chess]",
    "[othello]",
    "[search]",
    "[play]",
    "[memory]",
    "[limits]",
    "algorithm = ",
    "\"pvs\"",
    "\"mtd-f\"",
    "evaluator = \"standard\"",
    "table = \"16MiB\"",
    "null-move = false",
    "depth = 6",
    "threads = 2",
    "about = ",
    "name = ",
    "functions = ",
    "\"table+history\"",
    "seconds = 1.5",
    "true",
    "\n",
    "= ",
    "[[",
    "]]",
    "'''",
    "\"\"\"",
    "{",
    "}",
];

const JSON: &[&str] = &[
    "{\"",
    "\":",
    "\",\"",
    "null",
    "true",
    "[]",
    "{}",
    "\\u0000",
    "\n",
    "\"algorithm\":\"pvs\"",
    "\"leaves\":",
    "\"value\":",
    "\"seconds\":",
    "1e-9",
    "-1",
];

fn games() -> Games {
    Games::new().with::<Othello>().with::<Chess>()
}

fn engine(input: &[u8]) {
    let text = text_of(input);
    // A file of weights may be named; this is no place to read whatever is on the machine.
    if text.contains("/dev") || text.contains("/proc") {
        return;
    }
    match Profile::parse(&games(), "fuzzed", &text, Path::new("nowhere/fuzzed.toml")) {
        Ok(profile) => {
            let _ = (profile.spec(3), profile.selective());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn weights(input: &[u8]) {
    let text = text_of(input);
    for game in [Chess::door(), Othello::door()] {
        let _ = game.check_weights(input);
    }
    if let Ok(evaluator) = chess::Evaluator::from_toml(&text) {
        let board = chess::Board::start();
        let value = evaluator.evaluate(&board);
        assert!(value.abs() < 31_000, "{value}");
    }
    let _ = othello::Evaluator::from_bytes(input);
}

/// Records of any content are read or refused, and what is read can be reported.
fn records(input: &[u8]) {
    let folder = Path::new("records");
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(folder.join("records.jsonl"), input));
    if written.is_err() {
        return;
    }
    let read = Records::<Record>::read(folder);
    let code = Plyground::new()
        .game::<Othello>()
        .game::<Chess>()
        .run_on(&["report", "records"], &StopFlag::new());
    assert!(code == 0 || code == 2, "exit code {code}");
    assert!(read.is_ok() || code == 2, "{:?}", read.err().map(|error| error.to_string()));
}
