//! Conversations: the protocols and the board at the keyboard, with the whole program behind them.

use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::mpsc::channel;
use std::time::Duration;

use plyground_cli::Plyground;
use plyground_core::limits::StopFlag;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

use crate::Target;
use crate::parsers::text_of;

pub const TARGETS: &[Target] = &[
    conversation("uci", uci, UCI),
    conversation("gtp", gtp, GTP),
    conversation("nboard", nboard, NBOARD),
    conversation("repl-chess", |input| repl("chess", input), REPL),
    conversation("repl-othello", |input| repl("othello", input), REPL),
];

const fn conversation(
    name: &'static str,
    run: fn(&[u8]),
    dictionary: &'static [&'static str],
) -> Target {
    Target { name, run, dictionary, built_in: &[], longest: 2048, patience: 90 }
}

/// Then the person at the keyboard presses Ctrl-C, and everything has to end.
const INTERRUPTED_AFTER: Duration = Duration::from_millis(150);

const UCI: &[&str] = &[
    "uci\n",
    "isready\n",
    "ucinewgame\n",
    "position startpos",
    " moves e2e4",
    " e7e5\n",
    "position fen ",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n",
    "go depth 3\n",
    "go nodes 500\n",
    "go infinite\n",
    "go ponder",
    "ponderhit\n",
    "stop\n",
    "go movetime 20\n",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 3\n",
    "go mate 2\n",
    "go perft 2\n",
    " searchmoves e2e4",
    "setoption name Hash value 2\n",
    "setoption name Threads value 2\n",
    "setoption name MultiPV value 3\n",
    "setoption name Clear Hash\n",
    "setoption name UCI_Elo value ",
    "d\n",
    "eval\n",
    "quit\n",
    "debug on\n",
];

const GTP: &[&str] = &[
    "boardsize 8\n",
    "clear_board\n",
    "play b f5\n",
    "play w d6\n",
    "play b pass\n",
    "genmove b\n",
    "genmove w\n",
    "reg_genmove b\n",
    "undo\n",
    "showboard\n",
    "final_score\n",
    "level 1\n",
    "time_settings 1 0 0\n",
    "time_left b 1 0\n",
    "komi 0\n",
    "list_commands\n",
    "known_command ",
    "plyground-setup_board ",
    "set_game Othello\n",
    "12 ",
    "# x\n",
    "quit\n",
];

const NBOARD: &[&str] = &[
    "nboard 2\n",
    "set depth 2\n",
    "set game (;GM[Othello]PC[x]DT[]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ",
    "---------------------------O*------*O--------------------------- *]",
    "B[f5]",
    ";)\n",
    "move f5\n",
    "move PA\n",
    "hint 3\n",
    "go\n",
    "analyze\n",
    "ping 3\n",
    "learn\n",
    "set contempt 1\n",
    "f5\n",
    "quit\n",
];

const REPL: &[&str] = &[
    "e4\n",
    "e2e4\n",
    "Nf3\n",
    "f5\n",
    "d6\n",
    "analyse 0.01\n",
    "board\n",
    "compare 1\n",
    "engine pvs\n",
    "eval\n",
    "flip\n",
    "go\n",
    "help\n",
    "help go\n",
    "hint\n",
    "history\n",
    "load x.pgn\n",
    "save x.pgn\n",
    "save! x.ggf\n",
    "save! x.fen\n",
    "load x.ggf\n",
    "moves\n",
    "new\n",
    "depth 2\n",
    "level 1\n",
    "time 1+1\n",
    "position ",
    "position startpos moves e2e4\n",
    "record\n",
    "redo 1\n",
    "undo 2\n",
    "switch\n",
    "switch both\n",
    "quit\n",
];

fn uci(input: &[u8]) {
    converse(&["uci"], &without_large_tables(input));
}

fn gtp(input: &[u8]) {
    converse(&["gtp", "--depth", "2"], input);
}

fn nboard(input: &[u8]) {
    converse(&["nboard"], input);
}

fn repl(game: &str, input: &[u8]) {
    let text = text_of(input);
    let kept_here = |line: &str| -> String {
        // Files are read and written in the target's own folder, nowhere else.
        match line.trim_start().to_ascii_lowercase().starts_with(['s', 'l']) {
            true => line.replace(['/', '~', '\\'], ""),
            false => line.to_owned(),
        }
    };
    let text: String = text.split_inclusive('\n').map(kept_here).collect();
    converse(&["play", game, "--depth", "2"], text.as_bytes());
}

/// A table of gigabytes is the memory that it asks for, and no fault.
fn without_large_tables(input: &[u8]) -> Vec<u8> {
    let text = text_of(input);
    let small = |line: &&str| {
        let digits = line.bytes().filter(u8::is_ascii_digit).count();
        !(line.to_ascii_lowercase().contains("setoption") && digits > 2)
    };
    text.split_inclusive('\n').filter(small).collect::<String>().into_bytes()
}

/// Runs a command with this on its standard input, until it ends or is interrupted.
fn converse(arguments: &[&str], input: &[u8]) {
    if let Err(error) = talk(arguments, input) {
        panic!("the conversation could not be held: {error}");
    }
}

fn talk(arguments: &[&str], input: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open("standard-input")?;
    file.write_all(input)?;
    file.seek(SeekFrom::Start(0))?;
    rustix::stdio::dup2_stdin(&file)?;
    let stop = StopFlag::new();
    let (done, wait) = channel::<()>();
    let raised = stop.clone();
    let keyboard = std::thread::spawn(move || {
        if wait.recv_timeout(INTERRUPTED_AFTER).is_err() {
            raised.raise();
        }
    });
    let code = Plyground::new().game::<Othello>().game::<Chess>().run_on(arguments, &stop);
    drop(done);
    let _ = keyboard.join();
    // The thread that reads the input reads it to its end, and so does this: the next one begins anew.
    std::io::stdin().lock().read_to_end(&mut Vec::new())?;
    assert!([0, 2, 130].contains(&code), "exit code {code}");
    Ok(())
}
