//! What is promised about speed: one table of ratios within one run, and whether they hold.
//!
//! `cargo bench --bench ratios` prints the table and `PASS` or `FAIL`; with `-- --check` a limit that does
//! not hold is also an error, and `-- --quick` takes fewer rounds.

mod by_hand;
mod chess_perft;
mod games;
mod laboratory;
mod othello_perft;
mod parallel;

use std::process::ExitCode;

use support::{Arguments, Ratios};

/// A part of the table, and the seconds that it takes, in full and with `--quick`.
type Part = (fn(&Arguments, &mut Ratios), [u32; 2]);

const PARTS: [Part; 6] = [
    (laboratory::check, laboratory::SECONDS),
    (games::check, games::SECONDS),
    (by_hand::check, by_hand::SECONDS),
    (othello_perft::check, othello_perft::SECONDS),
    (chess_perft::check, chess_perft::SECONDS),
    (parallel::check, parallel::SECONDS),
];

fn main() -> ExitCode {
    let [full, quick] = [0, 1].map(|i| PARTS.iter().map(|(_, seconds)| seconds[i]).sum());
    let arguments = Arguments::begin("What is promised about speed, as ratios", [full, quick]);
    let mut ratios = Ratios::new(&arguments);
    for (check, _) in PARTS {
        check(&arguments, &mut ratios);
    }
    ratios.finish()
}
