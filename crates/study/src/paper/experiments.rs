//! The experiments of the document, in one list: an experiment joins it by one entry.

use serde_json::Value as Json;

use super::family::{self, FAMILY_NODES};
use super::parallel::{self, GamePositions, ParallelSettings, parallel};
use super::{Claim, Findings, PaperRun, PositionRun};
use super::{
    best_first::best_first, enhancements::enhancements, parsss::parsss, ps::ps, ps_real::ps_real,
    single_agent::single_agent, solution_trees::solution_trees, survey::strongly_ordered,
};
use super::{best_move, claims, examples, keys, memory, premise, selective};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_search::MemoryFunctions;

/// The settings of all experiments of a document.
#[derive(Clone)]
pub struct DocumentRun<'a> {
    /// The settings of every experiment.
    pub run: PaperRun<'a>,
    /// The games.
    pub games: &'a Games,
    /// Fewer and smaller searches: a first look.
    pub quick: bool,
    /// The number of searches that run in parallel; times are measured with one.
    pub jobs: usize,
}

impl<'a> DocumentRun<'a> {
    /// The settings with the number of trees for each cell: few for a first look.
    fn trees(&self, quick: u64, full: u64) -> PaperRun<'a> {
        let usual = if self.quick { quick } else { full };
        PaperRun { count: Some(self.run.count.unwrap_or(usual)), ..self.run.clone() }
    }

    /// Runs an experiment on every game, on so many positions of the hold-out.
    fn on_games(
        &self,
        (quick, full): (usize, usize),
        experiment: impl Fn(&PositionRun<'_>) -> anyhow::Result<Findings>,
    ) -> anyhow::Result<Findings> {
        let mut all = Findings::default();
        for game in self.games.iter() {
            let usual = if self.quick { quick } else { full };
            let wanted = self.run.count.map_or(usual, |count| count as usize);
            let run = PositionRun {
                run: self.run.clone(),
                game,
                positions: hold_out(game, wanted)?,
                depth: None,
                jobs: self.jobs,
            };
            all.extend(self.run.part((game.name(), None), || experiment(&run))?);
            if self.run.flag.is_raised() {
                break;
            }
        }
        Ok(all)
    }

    /// The last `count` depths up to the game's own for lists; two at the most, and one less far, for a
    /// first look.
    fn depths(&self, game: &dyn AnyGame, count: u32) -> Vec<u32> {
        let (last, count) = match self.quick {
            true => (game.depths().lists - 1, count.min(2)),
            false => (game.depths().lists, count),
        };
        (last.saturating_sub(count - 1).max(1)..=last).collect()
    }
}

/// So many of these, evenly spread.
pub(super) fn spread(all: &[String], count: usize) -> Vec<String> {
    let count = count.clamp(1, all.len());
    (0..count).map(|i| all[i * all.len() / count].clone()).collect()
}

/// Positions of the hold-out, spread over all kinds.
pub fn hold_out(game: &dyn AnyGame, count: usize) -> anyhow::Result<Vec<String>> {
    let all: Vec<String> = game.hold_out()?.into_iter().map(|given| given.position).collect();
    Ok(spread(&all, count))
}

/// The experiments that may make the deepest of their searches on fewer positions.
pub const DEEPEST: [&str; 2] = ["memory", "best-first"];

/// An experiment of the document.
pub struct DocumentExperiment {
    /// Its name on the command line, and that of its file of data.
    pub id: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Whose tables, figures or questions it is about.
    pub paper: &'static str,
    /// Runs it.
    pub run: fn(&DocumentRun<'_>) -> anyhow::Result<Findings>,
    /// Do shards make some of its searches each? Otherwise one of them makes it whole.
    pub shared: bool,
    /// What its data say of the paper's claims.
    pub claims: fn(&[Json]) -> Vec<Claim>,
}

/// All experiments of the document, in its order.
pub const EXPERIMENTS: &[DocumentExperiment] = &[
    DocumentExperiment {
        id: "memory",
        title: "What a byte is worth: every search with the same memory",
        paper: "what all five papers leave open",
        run: |document| {
            document.on_games((8, 120), |run| memory::memory(run, &document.depths(run.game, 4)))
        },
        shared: true,
        claims: memory::claims,
    },
    DocumentExperiment {
        id: "best-first",
        title: "Best-first searches in fixed memory on real games",
        paper: "de Bruin, Pijls and Plaat 1994; Plaat, Schaeffer, Pijls and de Bruin 1996",
        run: |document| {
            document.on_games((12, 120), |run| {
                let depth = document.quick.then(|| run.game.depths().table - 2);
                let run = PositionRun { depth, ..run.clone() };
                best_first(&run, None, MemoryFunctions::TABLE)
            })
        },
        shared: true,
        claims: claims::best_first,
    },
    DocumentExperiment {
        id: "best-move",
        title: "The best move or its value",
        paper: "de Bruin, Pijls and Plaat 1994, section 7",
        run: |document| {
            document
                .on_games((24, 120), |run| best_move::best_move(run, &document.depths(run.game, 2)))
        },
        shared: false,
        claims: best_move::claims,
    },
    DocumentExperiment {
        id: "solution-trees",
        title: "Solution trees: figures 6 to 10",
        paper: "de Bruin, Pijls and Plaat 1994",
        run: |document| solution_trees(&document.trees(3, 100)),
        shared: false,
        claims: claims::solution_trees,
    },
    DocumentExperiment {
        id: "ps",
        title: "PS*: tables 2 to 6, figures 5 to 7",
        paper: "Srimani and Marsland",
        run: |document| ps(&document.trees(20, 100)),
        shared: false,
        claims: claims::ps,
    },
    DocumentExperiment {
        id: "examples",
        title: "The example trees of the papers",
        paper: "Srimani and Marsland, figures 1 to 4; Bhattacharya and Bagchi, section 3",
        run: |_| examples::examples(),
        shared: false,
        claims: examples::claims,
    },
    DocumentExperiment {
        id: "ps-real",
        title: "PS* on real games",
        paper: "Srimani and Marsland",
        run: |document| {
            document.on_games((10, 60), |run| {
                let depth = document.quick.then(|| run.game.depths().lists - 2);
                ps_real(&PositionRun { depth, ..run.clone() })
            })
        },
        shared: true,
        claims: claims::ps_real,
    },
    DocumentExperiment {
        id: "premise",
        title: "Do generated trees stand for real ones?",
        paper: "Srimani and Marsland",
        run: |document| {
            document.on_games((20, 120), |run| {
                premise::premise(run, document.depths(run.game, 1)[0].min(6))
            })
        },
        shared: false,
        claims: premise::claims,
    },
    DocumentExperiment {
        id: "parsss",
        title: "Parallel SSS*: tables 1, 2 and 3, simulated",
        paper: "Bhattacharya and Bagchi 1989",
        run: |document| parsss(&document.trees(4, 100), document.jobs),
        shared: false,
        claims: claims::parsss,
    },
    DocumentExperiment {
        id: "parallel",
        title: "Parallel search beyond the cores: every scheme on the same trees, simulated",
        paper: "Marsland 1991, sections 4.2 to 4.4",
        run: |document| {
            let settings = ParallelSettings::usual(document.quick, document.jobs);
            let trees = document.trees(2, 10);
            let wanted = trees.count.unwrap_or(1) as usize;
            let positions = |game: &'static dyn AnyGame| -> anyhow::Result<GamePositions> {
                let (positions, depth) = (hold_out(game, wanted)?, game.depths().quick);
                Ok(GamePositions { game, positions, depth })
            };
            let games: Vec<GamePositions> =
                document.games.iter().map(positions).collect::<anyhow::Result<_>>()?;
            parallel(&trees, &settings, &games)
        },
        shared: true,
        claims: parallel::claims,
    },
    DocumentExperiment {
        id: "survey",
        title: "Strongly ordered trees: figure 5",
        paper: "Marsland 1991",
        run: |document| strongly_ordered(&document.trees(5, 50)),
        shared: false,
        claims: claims::survey,
    },
    DocumentExperiment {
        id: "selective",
        title: "Selective searches: three phases, null move, singular extensions, razoring, futility",
        paper: "Marsland 1991, sections 3.3 and 3.5",
        run: |document| {
            document.on_games((20, 60), |run| {
                let mut run = run.clone();
                run.depth = Some(run.game.depths().lists);
                run.run = document.trees(20, 60);
                selective::selective(&run)
            })
        },
        shared: false,
        claims: selective::claims,
    },
    DocumentExperiment {
        id: "enhancements",
        title: "Enhancements of alpha-beta: figure 6",
        paper: "Marsland 1991",
        run: |document| {
            document.on_games((8, 30), |run| {
                // The survey's six plies, or what is quick.
                let depth = document.quick.then(|| run.game.depths().compare);
                enhancements(&PositionRun { depth, ..run.clone() })
            })
        },
        shared: true,
        claims: claims::enhancements,
    },
    DocumentExperiment {
        id: "keys",
        title: "Short keys of the table, and their errors",
        paper: "Marsland 1991, section 3.6",
        run: |document| {
            document.on_games((30, 120), |run| keys::keys(run, document.depths(run.game, 1)[0]))
        },
        shared: false,
        claims: keys::claims,
    },
    DocumentExperiment {
        id: "single-agent",
        title: "Searches for one player",
        paper: "Marsland 1991, its first half",
        run: |document| single_agent(&document.trees(3, 20), document.quick),
        shared: false,
        claims: claims::single_agent,
    },
    DocumentExperiment {
        id: "best-first-family",
        title: "Proof numbers, conspiracies, B*, best-first minimax, UCT, at equal nodes",
        paper: "de Bruin, Pijls and Plaat 1994, section 7; Marsland 1991, section 3.6",
        run: |document| {
            let trees = document.trees(10, 40);
            let mut found = trees.part(("trees", None), || family::trees(&trees))?;
            // Many short games say more than a few long ones.
            let (nodes, games) = if document.quick { (500, 4) } else { (FAMILY_NODES / 2, 30) };
            let run = document.trees(8, 20);
            found.extend(document.on_games((8, 40), |positions| {
                let run = PositionRun { run: run.clone(), ..positions.clone() };
                family::on_game(&run, nodes, games)
            })?);
            Ok(found)
        },
        shared: false,
        claims: |rows| [family::claims(rows), claims::family(rows)].concat(),
    },
];
