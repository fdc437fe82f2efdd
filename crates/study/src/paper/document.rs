//! One document of all experiments: it is resumable, its data are files beside it, and every number in it
//! comes from them.
//!
//! An experiment that is done leaves `data/ID.json` with its tables, figures and rows. The page is made from
//! these files alone, whoever wrote them: a run that was interrupted goes on with what is missing, and
//! several machines can each do a part.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::experiments::{DocumentExperiment, EXPERIMENTS};
use super::{Claim, Findings, Verdict, columns, data_file};
use crate::report::TextTable;
use crate::report::document::{Block, Document, Judgement, ReportTable};
use crate::report::plot::Plot;

/// Where and when an experiment was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit of the checkout that it was run in, with all commits of what was kept of earlier runs;
    /// `unknown` elsewhere.
    pub commit: String,
    /// The processor.
    pub processor: String,
    /// The day, in UTC.
    pub date: String,
    /// The seed.
    pub seed: u64,
    /// Was it a first look?
    pub quick: bool,
    /// The number of trees and positions, if it was given.
    pub count: Option<u64>,
    /// The number of positions for the deepest searches, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepest: Option<u64>,
    /// The command.
    pub command: String,
}

impl Provenance {
    /// Is it such a run? The same version, seed and size, wherever and whenever it was.
    pub(super) fn is_same(&self, other: &Provenance) -> bool {
        let what = |p: &Provenance| (p.version.clone(), p.seed, p.quick, p.count, p.deepest);
        what(self) == what(other)
    }
}

/// The file of an experiment's data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExperimentData {
    format: u32,
    /// The experiment.
    pub id: String,
    /// Where and when it was run.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// How long it took.
    pub seconds: f64,
    /// Tables for people.
    pub tables: Vec<TextTable>,
    /// Figures with their names.
    pub plots: Vec<(String, Plot)>,
    /// The numbers: what every claim is judged by.
    #[serde(with = "columns")]
    pub rows: Vec<Json>,
}

impl ExperimentData {
    /// What an experiment found.
    pub fn new(id: &str, provenance: Provenance, seconds: f64, found: Findings) -> ExperimentData {
        let Findings { tables, rows, plots, .. } = found;
        ExperimentData {
            format: data_file::FORMAT,
            id: id.into(),
            provenance,
            seconds,
            tables,
            plots,
            rows,
        }
    }

    fn path(folder: &Path, id: &str) -> PathBuf {
        folder.join("data").join(format!("{id}.json"))
    }

    /// Reads an experiment's file; `None` if there is none. A file of another version is an error that
    /// says so.
    pub fn read(folder: &Path, id: &str) -> anyhow::Result<Option<ExperimentData>> {
        let path = ExperimentData::path(folder, id);
        let Some(data) = data_file::read(&path)? else { return Ok(None) };
        let data = serde_json::from_value(data);
        data.map(Some).with_context(|| format!("{}: not a file of `paper all`", path.display()))
    }

    /// Writes the file, as a whole or not at all.
    pub fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let path = ExperimentData::path(folder, &self.id);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        let mut data = serde_json::to_value(self)?;
        shorten(&mut data);
        data_file::write(&path, &data)?;
        Ok(path)
    }

    /// Is it the result of such a run? The same version, seed and size, wherever and whenever it was.
    pub fn is_of(&self, provenance: &Provenance) -> bool {
        self.provenance.is_same(provenance)
    }
}

/// Leaves seven digits of every number that is not whole: more than anything that is measured deserves, and
/// half of the file.
fn shorten(data: &mut Json) {
    match data {
        Json::Number(number) if number.is_f64() => {
            // A whole number is exact: bytes are powers of two.
            let broken = number.as_f64().filter(|number| number.fract() != 0.0);
            let short = broken.and_then(|number| format!("{number:.6e}").parse::<f64>().ok());
            *number =
                short.and_then(serde_json::Number::from_f64).unwrap_or_else(|| number.clone());
        }
        Json::Array(all) => all.iter_mut().for_each(shorten),
        Json::Object(all) => all.values_mut().for_each(shorten),
        _ => {}
    }
}

/// The page of all experiments whose data are in the folder.
pub fn document(folder: &Path) -> anyhow::Result<Document> {
    let mut found: Vec<(&DocumentExperiment, ExperimentData)> = Vec::new();
    let mut missing = Vec::new();
    for experiment in EXPERIMENTS {
        match ExperimentData::read(folder, experiment.id)? {
            Some(data) => found.push((experiment, data)),
            None => missing.push(experiment.id),
        }
    }
    let mut blocks = vec![Block::Text(
        "Every table and figure of five papers on game-tree search measured again, and what they claim or \
         leave open with a verdict. Every number is computed from the files beside this page."
            .into(),
    )];
    if !missing.is_empty() {
        blocks.push(Block::Warning(format!("Not run yet: {}.", missing.join(", "))));
    }
    blocks.push(Block::Part("Conclusions".into()));
    blocks.push(Block::Text(conclusions(folder)?));
    blocks.push(Block::Part("Claims and questions".into()));
    blocks.extend(claims_blocks(&found));
    for (experiment, data) in &found {
        blocks.push(Block::Part(experiment.title.into()));
        blocks.push(Block::Text(format!("About: {}.", experiment.paper)));
        for (_, plot) in &data.plots {
            blocks.push(Block::Figure(plot.clone(), ReportTable::default()));
        }
        for table in &data.tables {
            blocks.push(Block::Table(table.to_report()));
        }
    }
    blocks.push(Block::Part("How it was made".into()));
    for (experiment, data) in &found {
        let Provenance { version, commit, processor, date, seed, quick, count, .. } =
            &data.provenance;
        let size = if *quick { "a first look (--quick)" } else { "full" };
        let counted = match (count, data.provenance.deepest) {
            (None, _) => String::new(),
            (Some(count), None) => format!(", --count {count}"),
            (Some(count), Some(deepest)) => format!(", --count {count}/{deepest}"),
        };
        blocks.push(Block::Heading(experiment.id.into()));
        blocks.push(Block::Facts(vec![
            ("program".into(), format!("Plyground {version}, commit {commit}")),
            ("processor".into(), processor.clone()),
            ("date".into(), date.clone()),
            ("seed".into(), seed.to_string()),
            ("size".into(), format!("{size}{counted}")),
            ("seconds".into(), format!("{:.0}", data.seconds)),
            ("command".into(), data.provenance.command.clone()),
            ("data".into(), format!("data/{}.json, {} rows", data.id, data.rows.len())),
        ]));
    }
    Ok(Document { title: "Game-tree search, measured again".into(), blocks })
}

/// What an experiment's data say, with the number of positions where the numbers do not tell it.
fn judged(experiment: &DocumentExperiment, data: &ExperimentData) -> Vec<Claim> {
    let counted = data.rows.iter().filter_map(|row| row["evaluations"].as_array());
    let most = counted.map(Vec::len).max();
    let mut claims = (experiment.claims)(&data.rows);
    for claim in &mut claims {
        if let Some(most) = most {
            claim.tell_positions(most, data.provenance.deepest);
        }
    }
    claims
}

/// The claims of all experiments, judged by their data.
pub fn claims(folder: &Path) -> anyhow::Result<Vec<(&'static str, Claim)>> {
    let mut all = Vec::new();
    for experiment in EXPERIMENTS {
        if let Some(data) = ExperimentData::read(folder, experiment.id)? {
            all.extend(judged(experiment, &data).into_iter().map(|claim| (experiment.id, claim)));
        }
    }
    Ok(all)
}

/// The claims that the conclusions quote, by their experiment and a part of their words, and what the
/// sentence calls them.
const QUOTED: [(&str, &str, &str); 13] = [
    ("memory", "gains nothing where memory is equal", "that SSS* gains nothing at equal memory"),
    (
        "memory",
        "PS* searches less in little space",
        "that PS* suits real programs for its little space",
    ),
    (
        "best-first",
        "MTD(f) evaluates fewer leaves",
        "that MTD(f) evaluates fewer leaves than aspiration NegaScout",
    ),
    ("memory", "in place of lists is an advantage", "that SSS* over a table beats SSS* with lists"),
    (
        "best-first",
        "visits fewer nodes than PVS",
        "that MTD(f) visits fewer nodes than PVS, with deepening and a table",
    ),
    (
        "best-first-family",
        "weaker than PVS and MTD(f)",
        "that B*, conspiracies, best-first minimax and UCT are weaker than PVS and MTD(f) at equal nodes",
    ),
    ("parallel", "assigned dynamically", "that dynamic schemes gain more than PVSplit in parallel"),
    ("parallel", "hashing in place", "that hashing serves SSS* in parallel better than lists"),
    (
        "best-move",
        "proves the best move with less work",
        "that proving the best move is cheaper than proving its value",
    ),
    ("premise", "predict the ratios", "that generated trees predict real ones"),
    (
        "survey",
        "more than five times",
        "that lists cost more than five times the time of a depth-first search",
    ),
    (
        "ps",
        "statistically insignificant",
        "that trees on which PS* is worse than alpha-beta are insignificant",
    ),
    ("solution-trees", "figure 8: Dual-2", "that Dual-2 expands the fewest nodes"),
];

/// The conclusions in one paragraph: how many claims were held, and the verdicts on those that matter most.
pub fn conclusions(folder: &Path) -> anyhow::Result<String> {
    let all = claims(folder)?;
    let of = |wanted: fn(&Verdict) -> bool| all.iter().filter(|(_, c)| wanted(&c.verdict)).count();
    let mut text = format!(
        "Of {} claims and open questions, {} held, {} did not, {} depend on the setting or on more cases, \
         and {} are answered by numbers.",
        all.len(),
        of(|v| *v == Verdict::Held),
        of(|v| *v == Verdict::NotHeld),
        of(|v| matches!(v, Verdict::DependsOn(_))),
        of(|v| *v == Verdict::Answered)
    );
    for (wanted, heading) in [
        ((|v: &Verdict| *v == Verdict::Held) as fn(&Verdict) -> bool, "Held:"),
        (|v| *v == Verdict::NotHeld, "Not held:"),
        (|v| matches!(v, Verdict::DependsOn(_)), "Undecided or depending on the setting:"),
    ] {
        let told: Vec<&str> = (QUOTED.iter())
            .filter(|(id, words, _)| {
                let named = |(own, claim): &&(&str, Claim)| own == id && claim.text.contains(words);
                all.iter().find(named).is_some_and(|(_, claim)| wanted(&claim.verdict))
            })
            .map(|(_, _, sentence)| *sentence)
            .collect();
        if !told.is_empty() {
            text.push_str(&format!(" {heading} {}.", told.join("; ")));
        }
    }
    Ok(text)
}

/// The claims of each paper with their verdicts, and the numbers below.
fn claims_blocks(found: &[(&DocumentExperiment, ExperimentData)]) -> Vec<Block> {
    let mut papers: Vec<(&str, Vec<Judgement>)> = Vec::new();
    for (experiment, data) in found {
        for Claim { paper, text, verdict, numbers, .. } in judged(experiment, data) {
            let held = match verdict {
                Verdict::Held => Some(true),
                Verdict::NotHeld => Some(false),
                Verdict::DependsOn(_) | Verdict::Answered => None,
            };
            let source = experiment.id.into();
            let verdict = verdict.to_string();
            let judged = Judgement { verdict, held, claim: text, numbers, source };
            match papers.iter_mut().find(|(known, _)| *known == paper) {
                Some((_, all)) => all.push(judged),
                None => papers.push((paper, vec![judged])),
            }
        }
    }
    let mut blocks = vec![Block::Text(
        "Held and not held: by the whole interval and by Holm's correction over the settings of the claim, in all \
         settings that decide, and these are at least half; depends on: the settings disagree, or too few \
         decide; answered: it was a question. \
         Intervals are 95 %; in brackets, the data that the numbers are computed from."
            .into(),
    )];
    for (paper, all) in papers {
        blocks.push(Block::Heading(paper.into()));
        blocks.push(Block::Judgements(all));
    }
    blocks
}

/// The name of the processor, as the system tells it.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{name}, {cores} threads")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_to_seven_digits() {
        let mut data = serde_json::json!({"a": [1.0 / 3.0, 123_456_789_u64, 1e-9 / 7.0, -2.5, null, "0.333333333333"], "b": 67_108_864.0});
        shorten(&mut data);
        let text = data.to_string();
        assert_eq!(
            text,
            r#"{"a":[0.3333333,123456789,1.428571e-10,-2.5,null,"0.333333333333"],"b":67108864.0}"#
        );
    }

    #[test]
    fn every_experiment_has_a_name_of_its_own() {
        for (i, experiment) in EXPERIMENTS.iter().enumerate() {
            assert!(EXPERIMENTS[..i].iter().all(|other| other.id != experiment.id));
            assert!(!experiment.title.is_empty() && !experiment.paper.is_empty());
        }
    }

    #[test]
    fn data_are_read_back_and_the_page_is_made_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = TextTable::new("Leaves of it");
        table.column("search", crate::report::Align::Left);
        table.row(vec!["SSS* <b>".into()]);
        let row = serde_json::json!({"figure": 5, "algorithm": "sss", "depth": 3, "leaves": 30.0});
        let rows = [("sss", 30.0), ("dual", 20.0), ("pvs", 25.0)].map(|(id, leaves)| {
            let mut row = row.clone();
            (row["algorithm"], row["leaves"]) = (id.into(), leaves.into());
            row
        });
        let found = Findings { tables: vec![table], rows: rows.to_vec(), ..Findings::default() };
        let provenance = Provenance { version: "1".into(), seed: 7, ..Provenance::default() };
        let data = ExperimentData::new("survey", provenance.clone(), 1.5, found);
        data.write(folder.path()).unwrap();
        let read = ExperimentData::read(folder.path(), "survey").unwrap().unwrap();
        assert!(read.is_of(&provenance) && read.rows == data.rows);
        assert!(!read.is_of(&Provenance { seed: 8, ..provenance }));
        let html = document(folder.path()).unwrap().to_html();
        assert!(html.contains("SSS* &lt;b&gt;") && html.contains("Not run yet: memory"), "{html}");
        assert!(html.contains("SSS* 30 ± 0, DUAL* 20 ± 0"), "{html}");
        let claims = claims(folder.path()).unwrap();
        assert!(claims.iter().any(|(id, claim)| *id == "survey" && claim.text.contains("DUAL*")));
        let text = conclusions(folder.path()).unwrap();
        assert!(text.starts_with(&format!("Of {} claims", claims.len())), "{text}");
        // What was changed by another hand is refused with a reason.
        let path = folder.path().join("data/survey.json");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"seed\":7", "\"seed\":8")).unwrap();
        let error = document(folder.path()).unwrap_err().to_string();
        assert!(error.contains("damaged: its checksum is"), "{error}");
    }
}
