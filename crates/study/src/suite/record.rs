//! What an entrant found in a position, as a line of `suite.jsonl`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FoundMove, NumberedProblem};
use crate::experiment::StoredRecord;

/// Which entrant tried which position, with which limit: everything needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SuiteSetup {
    /// The entrant's name.
    pub engine: String,
    /// The name of the suite, or the path of its file.
    pub file: String,
    /// The number of the position, from 1.
    pub number: usize,
    /// The position.
    pub position: String,
    /// The limit: `0.1 s`, `depth 6`, `20000 nodes`.
    pub limit: String,
    /// How it searches: algorithm, memory, switches of play, a hash of the weights.
    pub search: String,
    /// The program's version.
    pub version: String,
}

impl fmt::Display for SuiteSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}, position {}, {}", self.engine, self.file, self.number, self.limit)
    }
}

/// What one entrant found in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteRecord {
    /// Who, where, and with which limit.
    #[serde(flatten)]
    pub setup: SuiteSetup,
    /// What the suite calls the position.
    pub name: String,
    /// The solution, as people write it.
    pub expected: String,
    /// The move that was found.
    pub best: Option<String>,
    /// Is it a solution?
    pub solved: bool,
    /// The points for it, in a suite that gives points (`c0` of EPD).
    pub points: Option<u32>,
    /// The most points that the position gives.
    pub most_points: Option<u32>,
    /// The value of the position, for the side to move.
    pub value: Option<i32>,
    /// The depth that was reached.
    pub depth: u32,
    /// The time that was used.
    pub seconds: f64,
    /// The nodes that were visited.
    pub nodes: u64,
    /// When the best move became a solution for good.
    pub seconds_to_solution: Option<f64>,
    /// The same in nodes.
    pub nodes_to_solution: Option<u64>,
}

impl SuiteRecord {
    pub(super) fn new(
        setup: SuiteSetup,
        numbered: &NumberedProblem,
        found: &FoundMove,
    ) -> anyhow::Result<SuiteRecord> {
        let problem = &numbered.problem;
        let solved = found.best.as_ref().is_some_and(|mv| problem.is_solved_by(mv));
        let since = found.since.filter(|_| solved);
        let line = numbered.game.start(&problem.position)?;
        let texts = |moves: &[String], sign: &str| -> Vec<String> {
            let shown = moves.iter().flat_map(|mv| line.show(std::slice::from_ref(mv)));
            shown.map(|text| format!("{sign}{text}")).collect()
        };
        let expected = [texts(&problem.best, ""), texts(&problem.avoid, "not ")].concat();
        let most_points = problem.most_points();
        let points =
            most_points.map(|_| found.best.as_ref().map_or(0, |mv| problem.points_for(mv)));
        Ok(SuiteRecord {
            name: problem.name.clone(),
            expected: expected.join(" "),
            best: texts(found.best.as_slice(), "").pop(),
            solved,
            points,
            most_points,
            value: found.value,
            depth: found.depth,
            seconds: found.time.as_secs_f64(),
            nodes: found.nodes,
            seconds_to_solution: since.map(|(time, _)| time.as_secs_f64()),
            nodes_to_solution: since.map(|(_, nodes)| nodes),
            setup,
        })
    }
}

impl StoredRecord for SuiteRecord {
    type Key = SuiteSetup;
    const FILE_NAME: &'static str = "suite.jsonl";

    fn key(&self) -> &SuiteSetup {
        &self.setup
    }

    /// Two runs within the same time may find different moves, and so may several threads.
    fn agrees_with(&self, other: &Self) -> bool {
        self.setup == other.setup
    }
}
