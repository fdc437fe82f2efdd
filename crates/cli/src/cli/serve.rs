//! `plyground serve`: the page to play on, and to watch any search grow.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::console::{Console, note};
use plyground_engine::games::Games;
use plyground_web::{ServeOptions, serve};

pub(super) const EXAMPLES: &str = "Examples:
  plyground serve --open
  plyground serve results --port 9000
  plyground serve --bind 192.168.1.20

The page is at /play/GAME, /watch, /race, /quiz and /results; docs/page.md describes it. Only this machine
can open it, unless --bind gives an address that others can reach. Ctrl-C ends it.";

/// The port, unless another is asked for.
const PORT: u16 = 8171;

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// A folder of records, as `plyground compare --out DIR` makes, for the page of results
    #[arg(value_name = "DIR")]
    records: Option<PathBuf>,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "P", default_value_t = PORT)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Listen on this address too, for others on the network, who need the token in the printed address
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
}

pub(super) fn run(console: &Console, games: &Games, args: &ServeArgs) -> anyhow::Result<()> {
    let ServeArgs { records, port, bind, .. } = args;
    let options = ServeOptions { bind: bind.clone(), port: *port, records: records.clone() };
    let flag = console.flag();
    serve(games, &options, &flag, |address| {
        if bind.is_some() {
            note("warning: others on the network can open the page if they know its address");
        }
        console.print(&format!("Plyground is at {address}\nCtrl-C ends it.\n"))?;
        if args.open && !open(address) {
            note("no browser could be started: open the address yourself");
        }
        Ok(())
    })?;
    // Ctrl-C is how a server ends: nothing was cut short.
    flag.lower();
    Ok(())
}

/// Opens an address in the browser; `false` if there is no way to.
fn open(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("explorer", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
