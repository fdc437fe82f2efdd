//! What threads are worth, as people read it.

use crate::experiment::{Ratio, Record, speedups};
use crate::report::{Align, Table, thousands};

/// The table of the threads in these records, which are of one group; `None` if there are none.
pub(super) fn table(title: &str, records: &[&Record]) -> Option<Table> {
    let (found, best) = speedups(records);
    if found.is_empty() {
        return None;
    }
    let simulated = found.iter().any(|speedup| speedup.simulated);
    let mut table = Table::new(format!("Threads: {title}"));
    table.column("algorithm", Align::Left);
    for column in ["threads", "× serial", "95 %", "× itself", "95 %", "leaves", "idle", "KiB"] {
        table.column(column, if column == "95 %" { Align::Left } else { Align::Right });
    }
    let cells = |ratio: Option<Ratio>| Ratio::cells(ratio, |x| format!("{x:.2}"));
    for speedup in &found {
        let over = |n: u64, cores: bool| if cores { n.to_string() } else { format!("{n}*") };
        let mut row = vec![speedup.family.clone()];
        row.push(over(speedup.threads, speedup.has_cores || simulated));
        row.extend(cells(speedup.over_best));
        row.extend(cells(speedup.over_itself));
        row.push(cells(speedup.leaves)[0].clone());
        row.push(speedup.idle.map_or("–".into(), |idle| format!("{:.0} %", 100.0 * idle)));
        row.push(thousands(speedup.bytes / 1024.0, 0));
        table.row(row);
    }
    let time = if simulated { "in terminal counts" } else { "by the clock" };
    let best = best.as_deref().map_or("no serial algorithm is among them".into(), |best| {
        format!("× serial: over {best}, the best serial one")
    });
    table.note(format!(
        "How many times as fast, {time}; {best}; × itself: over the same with one thread. leaves: \
         times those with one thread. idle: the part of the threads' time in which they waited."
    ));
    if !simulated && found.iter().any(|speedup| !speedup.has_cores) {
        table.note("*: more threads than this machine has processors.");
    }
    table.note("");
    Some(table)
}
