//! The first look: what `plyground compare` shows where nothing is named. Every main algorithm stands twice
//! in one table for each game and depth, bare and with the memory functions that a playing program has; all
//! are relative to PVS with memory, because a search that only beats a weak one has shown nothing.

use plyground_core::names::plural;
use plyground_engine::door::AnyGame;
use plyground_engine::profile::Profile;
use plyground_search::algorithms::Pvs;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, Factors, MemoryFunctions, SearchAlgorithm, catalogue};
use plyground_study::experiment::{PairedRatio, Ratio, Record, holm};
use plyground_study::report::{Align, TextTable, thousands};

use super::CompareArgs;
use super::table::ratio_cells;

/// The memory functions of the second half of the table.
const MEMORY: MemoryFunctions = MemoryFunctions::TABLE
    .union(MemoryFunctions::HISTORY)
    .union(MemoryFunctions::KILLERS)
    .union(MemoryFunctions::REFUTATION);

/// The entries of its table: less than the searches would fill, as in a real program.
const ENTRIES: usize = 1 << 16;

/// The positions of each game that are searched by default.
pub(super) const POSITIONS: u32 = 12;

/// The id of the algorithm that all are relative to.
const BASELINE: &str = Pvs::ENTRY.id;

/// The widest bar, in characters.
const BAR: usize = 6;

/// Names longer than this are shown without their parameters.
const NAME: usize = 20;

/// Was nothing asked for that decides what is compared with what?
pub(super) fn is_wanted(args: &CompareArgs) -> bool {
    args.algorithms.is_empty()
        && args.engine.is_empty()
        && args.memory.is_empty()
        && args.table.is_empty()
        && args.threads.is_empty()
        && !args.deepening
        && !args.processes.simulate
        && args.processes.spawn_height.is_none()
        && args.update == super::UpdateArg::default()
        && args.factors.factors() == Factors::default()
}

/// The main algorithms, the baseline first.
pub(super) fn algorithms() -> Vec<Algorithm> {
    let mains = catalogue().filter(|entry| entry.main).filter_map(|entry| entry.examples().next());
    let mut all: Vec<Algorithm> = vec![Pvs.into()];
    all.extend(mains.filter(|algorithm| *algorithm != Pvs.into()));
    all
}

/// The two configurations: nothing, and memory.
pub(super) fn configurations(game: &'static dyn AnyGame) -> Vec<Profile> {
    let bare = Profile::plain(game);
    let mut with_memory = Profile::plain(game);
    with_memory.memory = MEMORY;
    with_memory.table = TableSize::of_entries(ENTRIES);
    with_memory.deepening = true;
    vec![bare, with_memory]
}

/// One table for each game and depth.
pub(super) fn tables(records: &[Record]) -> Vec<TextTable> {
    let mut groups: Vec<((&str, u32), Vec<&Record>)> = Vec::new();
    for record in records {
        let key = (record.setup.game.as_str(), record.setup.depth);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(record),
            None => groups.push((key, vec![record])),
        }
    }
    groups
        .iter()
        .map(|((game, depth), records)| Overview::of(records).table(game, *depth))
        .collect()
}

/// One row: an algorithm's searches in one configuration.
struct OverviewRow<'r> {
    id: &'r str,
    with_memory: bool,
    searches: Vec<&'r Record>,
}

impl<'r> OverviewRow<'r> {
    fn name(&self) -> String {
        let Ok(algorithm) = self.id.parse::<Algorithm>() else { return self.id.into() };
        let name = algorithm.name();
        if name.chars().count() <= NAME { name } else { algorithm.entry().name.into() }
    }

    fn finished(&self) -> impl Iterator<Item = &'r Record> {
        self.searches.iter().copied().filter(|record| record.stopped.is_none())
    }

    /// This row's numbers beside another's, for the positions that both finished.
    fn paired(&self, to: &OverviewRow<'r>, of: Measured) -> Option<PairedRatio> {
        PairedRatio::of(self.finished().filter_map(|record| {
            let same = |other: &&Record| other.setup.position == record.setup.position;
            Some((of(record)?, of(to.finished().find(same)?)?))
        }))
    }
}

/// A number of a record.
type Measured = fn(&Record) -> Option<f64>;

const LEAVES: Measured = |record| record.counts.leaves.map(|leaves| leaves as f64);
const TIME: Measured = |record| record.seconds;
const EVALUATIONS: Measured = |record| Some(record.counts.evaluations as f64);
const VISITS: Measured = |record| Some(record.counts.visits as f64);

/// The records of one game and depth, row by row.
struct Overview<'r> {
    rows: Vec<OverviewRow<'r>>,
}

impl<'r> Overview<'r> {
    fn of(records: &[&'r Record]) -> Overview<'r> {
        let mut rows: Vec<OverviewRow<'r>> = Vec::new();
        for record in records {
            let (id, with_memory) =
                (record.setup.algorithm.as_str(), record.setup.memory != "none");
            match rows.iter_mut().find(|row| row.id == id && row.with_memory == with_memory) {
                Some(row) => row.searches.push(record),
                None => rows.push(OverviewRow { id, with_memory, searches: vec![record] }),
            }
        }
        // Stable: within each half the order of the catalogue stays.
        rows.sort_by_key(|row| row.with_memory);
        Overview { rows }
    }

    fn row(&self, id: &str, with_memory: bool) -> Option<&OverviewRow<'r>> {
        self.rows.iter().find(|row| row.id == id && row.with_memory == with_memory)
    }

    fn table(&self, game: &str, depth: u32) -> TextTable {
        let positions = self.rows.iter().map(|row| row.searches.len()).max().unwrap_or(0);
        let positions = plural(positions, "position");
        let mut table = TextTable::new(format!("{game}, depth {depth}, {positions}"));
        table.column("algorithm", Align::Left);
        // What a narrow terminal leaves out first has the greatest rank.
        for (name, rank, interval) in
            [("leaves", 0, 1), ("time", 0, 1), ("evals", 3, 6), ("nodes", 2, 5)]
        {
            table.optional(name, Align::Right, rank);
            table.optional("95 %", Align::Left, interval);
        }
        table.optional("total leaves", Align::Right, 4);
        table.optional("entries", Align::Right, 4);
        table.column("KiB", Align::Right);
        table.column("agreed", Align::Right);
        table.column("leaves", Align::Left);
        let base = self.row(BASELINE, true).or(self.rows.first());
        let ratios = |row: &OverviewRow<'r>, of: Measured| {
            base.and_then(|base| row.paired(base, of)).map(|paired| paired.ratio)
        };
        let leaves = |row: &OverviewRow<'r>| ratios(row, LEAVES).map_or(0.0, |ratio| ratio.mean);
        let most = self.rows.iter().map(leaves).fold(1.0, f64::max);
        let mut half = None;
        for row in &self.rows {
            if half != Some(row.with_memory) {
                half = Some(row.with_memory);
                let title = if row.with_memory { "with memory:" } else { "bare:" };
                table.row(vec![title.into()]);
            }
            let mut cells = vec![row.name()];
            for of in [LEAVES, TIME, EVALUATIONS, VISITS] {
                cells.extend(ratio_cells(ratios(row, of)));
            }
            let total = base.and_then(|base| row.paired(base, LEAVES)).map(|paired| paired.total);
            cells.push(total.map_or_else(|| "–".into(), |total| thousands(total, 2)));
            cells.push(thousands(row.mean(|record| record.peak_entries() as f64), 0));
            cells.push(thousands(row.mean(|record| record.counts.peak_bytes as f64 / 1024.0), 0));
            let (finished, all) = (row.finished().count(), row.searches.len());
            cells.push(if finished == all { "yes".into() } else { format!("{finished} of {all}") });
            cells.push(bar(leaves(row) / most));
            table.row(cells);
        }
        self.notes(&mut table, base);
        table
    }

    fn notes(&self, table: &mut TextTable, base: Option<&OverviewRow<'r>>) {
        let Some(base) = base else { return };
        let memory = if base.with_memory { " with memory" } else { "" };
        let leaves = Ratio::of(base.finished().filter_map(LEAVES));
        table.note(format!(
            "Relative to {}{memory}, which evaluates {} leaves: geometric means and 95 % intervals. \
             Memory is deepening, a table of {}K entries, history, killers, refutations. time: of \
             the processor.",
            base.name(),
            leaves.map_or_else(|| "–".into(), |leaves| thousands(leaves.mean, 0)),
            ENTRIES >> 10
        ));
        let every = self.rows.iter().all(|row| row.finished().count() == row.searches.len());
        let agreed =
            if every { "Every value agreed." } else { "All values that were found agreed." };
        for sentence in std::iter::once(agreed.to_owned()).chain(self.verdict()) {
            table.note(sentence);
        }
        table.note("");
    }

    /// What came out, in sentences; nothing is said that chance would explain.
    fn verdict(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if let (Some(bare), Some(rich)) = (self.row(BASELINE, false), self.row(BASELINE, true))
            && let Some(found) = rich.paired(bare, LEAVES).filter(is_decided)
        {
            let what = if found.ratio.mean < 1.0 { "save" } else { "cost" };
            let name = rich.name();
            let shown = shown(found.ratio);
            sentences.push(format!(
                "The memory functions {what} {name} leaves: {shown} of bare {name}'s."
            ));
        }
        sentences.extend(self.family(true, LEAVES, "With memory", ("leaves", "fewer")));
        sentences.extend(self.family(true, TIME, "With memory", ("time", "less")));
        sentences.extend(self.family(false, LEAVES, "Bare", ("leaves", "fewer")));
        sentences
    }

    /// The algorithms of one half that differ from the baseline of that half, by Holm's correction over
    /// all of them.
    fn family(
        &self,
        with_memory: bool,
        of: Measured,
        half: &str,
        (what, fewer): (&str, &str),
    ) -> Option<String> {
        let base = self.row(BASELINE, with_memory)?;
        let others = self.rows.iter().filter(|row| row.with_memory == with_memory);
        let compared: Vec<(String, PairedRatio)> = others
            .filter(|row| row.id != BASELINE)
            .filter_map(|row| Some((row.name(), row.paired(base, of)?)))
            .collect();
        let corrected = holm(&compared.iter().map(|(_, paired)| paired.p).collect::<Vec<_>>());
        let mut decided: Vec<(&str, Ratio)> = compared
            .iter()
            .zip(corrected)
            .filter(|((_, paired), p)| *p < 0.05 && is_decided(paired))
            .map(|((name, paired), _)| (name.as_str(), paired.ratio))
            .collect();
        decided.sort_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
        let (less, more): (Vec<_>, Vec<_>) = decided.iter().partition(|(_, r)| r.mean < 1.0);
        let (all, base) = (compared.len(), base.name());
        let told = |side: &[&(&str, Ratio)], extreme: Option<&&(&str, Ratio)>, less: bool| {
            let (name, ratio) = extreme?;
            let takes = if side.len() == 1 { "takes" } else { "take" };
            let most = if side.len() == 1 { "" } else { "above all " };
            let word = if !less { "more" } else { fewer };
            let count = side.len();
            Some(format!(
                "{count} of {all} {takes} {word} {what} than {base} ({most}{name}, {})",
                shown(*ratio)
            ))
        };
        let sides = [told(&less, less.first(), true), told(&more, more.last(), false)];
        let sides: Vec<String> = sides.into_iter().flatten().collect();
        (!sides.is_empty()).then(|| format!("{half}, {}.", sides.join(", and ")))
    }
}

impl OverviewRow<'_> {
    fn mean(&self, of: impl Fn(&Record) -> f64) -> f64 {
        let all: f64 = self.searches.iter().map(|record| of(record)).sum();
        all / self.searches.len().max(1) as f64
    }
}

/// Do both intervals exclude 1?
fn is_decided(paired: &PairedRatio) -> bool {
    let out = |low: f64, high: f64| high < 1.0 || low > 1.0;
    let PairedRatio { ratio, bootstrap: (low, high), .. } = *paired;
    ratio.count > 2 && out(ratio.low, ratio.high) && out(low, high)
}

fn shown(ratio: Ratio) -> String {
    let [mean, interval] = ratio_cells(Some(ratio));
    if interval.is_empty() { mean } else { format!("{mean} ({interval})") }
}

/// A bar for a share of the widest, in eighths of a character.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize;
    let rest = if eighths == 0 && share > 0.0 { EIGHTHS[1] } else { EIGHTHS[eighths % 8] };
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, memory: &str, position: usize, leaves: u64, seconds: f64) -> Record {
        let mut record = Record::default();
        record.setup.game = "chess".into();
        record.setup.depth = 4;
        record.setup.algorithm = id.into();
        record.setup.memory = memory.into();
        record.setup.position = position.to_string();
        record.counts.leaves = Some(leaves);
        record.counts.evaluations = leaves;
        record.counts.visits = leaves;
        record.seconds = Some(seconds);
        record
    }

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for position in 0..8 {
            let spread = [0, 3, 5, 2, 7, 1, 6, 4][position] as u64;
            let alternates = if position % 2 == 0 { 900 } else { 1110 };
            for (id, memory, leaves) in [
                ("pvs", "none", 2000 + spread),
                ("sss", "none", 1000 + 9 * spread),
                ("pvs", "table", 1000 + spread),
                ("mtd-f", "table", 900 + spread),
                ("sss", "table", alternates),
            ] {
                records.push(record(id, memory, position, leaves, 0.01));
            }
        }
        records
    }

    #[test]
    fn sentences_follow_from_the_numbers_and_keep_silent_otherwise() {
        let text = tables(&records())[0].to_text(80);
        assert!(text.starts_with("chess, depth 4, 8 positions\n"), "{text}");
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for sentence in [
            "The memory functions save PVS leaves: 0.50 of bare PVS's.",
            "With memory, 1 of 2 takes fewer leaves than PVS (MTD(f), 0.90).",
            "Bare, 1 of 1 takes fewer leaves than PVS (SSS*, 0.51",
            "Every value agreed.",
        ] {
            assert!(joined.contains(sentence), "{sentence}\n{text}");
        }
        // Equal times, and leaves that go either way, are not spoken of.
        assert!(!joined.contains("time than") && !joined.contains("more leaves"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn a_single_position_decides_nothing() {
        let one: Vec<Record> = records().into_iter().filter(|r| r.setup.position == "0").collect();
        let text = tables(&one)[0].to_text(80);
        assert!(!text.contains("than PVS") && !text.contains("save"), "{text}");
    }

    #[test]
    fn bars_grow_with_the_share() {
        assert_eq!((bar(0.0).as_str(), bar(1.0).as_str()), ("", "██████"));
        assert_eq!(bar(0.5), "███");
        assert_eq!(bar(0.001), "▏");
        assert!(algorithms()[0] == Pvs.into() && algorithms().len() > 10);
    }
}
