//! `plyground solve`: Othello endgames to the last disc, and mates in chess.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;

use crate::cli::console::{Console, width};
use crate::cli::record::yes_or_no;
use crate::cli::{LimitArgs, NamedAlgorithm, at_least, parse_algorithm};
use crate::games::chess::mate;
use plyground_core::cpu_time::thread_cpu_time;
use plyground_core::limits::{Limits, Stop};
use plyground_core::value::Value;
use plyground_engine::game::Game;
use plyground_engine::profile::MAX_THREADS;
use plyground_engine::text_file::read_text;
use plyground_games::othello::{Evaluator, LONGEST_GAME, Move, Othello, Position, parse_obf};
use plyground_games::solver::{Interrupted, Selectivity, Solver};
use plyground_search::mate::{MOST_MOVES, MateSpec};
use plyground_search::{Options, SearchSpec, Workspace, principal_variation};
use plyground_study::report::{Align, TextTable, thousands};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground solve positions/ffo.obf --lines 40..44
  plyground solve positions/ffo.obf --lines 45..45 --threads 2
  plyground solve positions/ffo.obf --lines 45..49 --selectivity 95
  plyground solve positions/ffo.obf --lines 1..3 --algorithm mtd-f --json
  plyground solve positions/ffo.obf --lines 1..3 --algorithm pn2 --at-least 1
  plyground solve f5d6c3d3c4f4c5b3c2e3 --time 10
  plyground solve --mate '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1'";

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// An OBF file, or a position: 64 squares (X O -) and the side to move, or a transcript
    #[arg(
        value_name = "FILE|POSITION",
        allow_hyphen_values = true,
        required_unless_present = "mate"
    )]
    what: Option<String>,
    /// Find a mate that the side to move can force in a chess position, with the whole line to it; after
    /// 20 million nodes the search gives up, unless --nodes or --time say otherwise
    #[arg(long, value_name = "FEN", conflicts_with_all = ["what", "lines", "algorithm", "threads", "wide"])]
    mate: Option<String>,
    /// The longest mate to look for, in moves of the winner [default: 40]
    #[arg(long, value_name = "N", requires = "mate",
          value_parser = clap::value_parser!(u32).range(1..=250))]
    moves: Option<u32>,
    /// Ask only whether the score is at least V: 1 for a win
    #[arg(long, value_name = "V", allow_negative_numbers = true, requires = "algorithm",
          value_parser = at_least)]
    at_least: Option<Value>,
    /// Search the whole tree with this algorithm instead of the solver
    #[arg(long, value_name = "ID", value_parser = parse_algorithm)]
    algorithm: Option<NamedAlgorithm>,
    /// Only the positions number A to B of the file, from 1, B included
    #[arg(long, value_name = "A..B", value_parser = lines)]
    lines: Option<RangeInclusive<usize>>,
    /// The size of the solver's table [default: 16M, or 128M from 24 empty squares on; 64M for mates]
    #[arg(long, value_name = "SIZE", conflicts_with = "algorithm",
          value_parser = plyground_core::limits::parse_bytes)]
    table: Option<usize>,
    /// Find a score that is probably right, in a fraction of the time: how sure the cuts are, in per cent
    #[arg(long, value_name = "73|87|95|98|99", conflicts_with_all = ["algorithm", "mate"],
          value_parser = selectivity)]
    selectivity: Option<Selectivity>,
    /// Threads of the solver [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "algorithm",
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// One JSON object a position
    #[arg(long)]
    json: bool,
    /// All columns and whole variations in one line, however wide the terminal
    #[arg(long, conflicts_with = "json")]
    wide: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

fn selectivity(text: &str) -> Result<Selectivity, String> {
    let named = |level: &Selectivity| level.percent().to_string() == text;
    let found = Selectivity::ALL.into_iter().find(named);
    found.ok_or_else(|| "expected 73, 87, 95, 98 or 99".into())
}

/// The nodes of a search for a mate without a limit: where there is none it could go on for ever.
const MATE_NODES: u64 = 20_000_000;

fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected a number or a range, such as 40..44".into()),
    }
}

/// A position to solve, and its score if the file knows it.
struct Endgame {
    number: usize,
    position: Position,
    expected: Option<i32>,
}

impl Endgame {
    /// Is the score another than the file's?
    fn differs(&self, solved: &Solved) -> bool {
        matches!((self.expected, solved.score), (Some(a), Some(b)) if a != b)
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Solved {
    position: String,
    /// `None` if a limit stopped the search.
    score: Option<i32>,
    best: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// The CPU time of the solver's thread; `None` with several threads, by an algorithm, or where the
    /// system has no such clock.
    cpu_seconds: Option<f64>,
    stopped: Option<&'static str>,
    /// The answer to `--at-least`: yes, no, or null if it is not proved or was not asked.
    proved: Option<&'static str>,
}

pub(crate) fn run(console: &Console, args: &SolveArgs) -> anyhow::Result<()> {
    let limits = args.limits.limits(console);
    if let Some(position) = &args.mate {
        refuse_other_limits(args)?;
        let mut limits = limits;
        if limits.time.is_none() {
            limits.nodes = limits.nodes.or(Some(MATE_NODES));
        }
        let spec = MateSpec {
            moves: args.moves.unwrap_or(MOST_MOVES),
            table: args.table.unwrap_or(64 << 20),
            limits,
        };
        return mate::run(console, position, &spec, args.json);
    }
    let spec = spec(args, &limits)?;
    let endgames = read(args)?;
    let bar = console.progress(endgames.len() as u64, "positions");
    let (mut nodes, mut seconds, mut wrong) = (0, 0.0, 0);
    let (table, width) = (table(), width(args.wide));
    if !args.json {
        bar.suspend(|| console.print(&table.head_text(width)))?;
    }
    for endgame in &endgames {
        let Some(solved) = solve(args, spec.as_ref(), &endgame.position, &limits)
            .with_context(|| format!("position {}", endgame.number))?
        else {
            break;
        };
        bar.inc(1);
        nodes += solved.nodes;
        seconds += solved.seconds;
        wrong += usize::from(endgame.differs(&solved));
        bar.suspend(|| {
            let row = || table.row_text(&row(endgame, &solved), width);
            if args.json { console.json(&solved) } else { console.print(&row()) }
        })?;
    }
    let done = bar.position();
    bar.finish_and_clear();
    if !args.json && done > 1 {
        let sums = [thousands(nodes as f64, 0), format!("{seconds:.3}"), rate(nodes, seconds)];
        let [all, none] = [String::from("all"), String::new()];
        let row = [vec![all, done.to_string(), none.clone(), none], sums.to_vec()].concat();
        console.print(&table.row_text(&row, width))?;
    }
    console.note_interruption(done, endgames.len() as u64, "positions");
    if args.selectivity.is_some() {
        // Selective scores may be wrong: their share is what the user wants to know.
        return match args.json {
            true => Ok(()),
            false => console.print(&format!("{wrong} of {done} scores differ from the file's\n")),
        };
    }
    ensure!(wrong == 0, "{wrong} of {done} scores differ from the file's");
    Ok(())
}

/// The search with an algorithm, if one was given. Limits that do not apply are refused.
fn spec(args: &SolveArgs, limits: &Limits) -> anyhow::Result<Option<SearchSpec>> {
    let Some(NamedAlgorithm { algorithm, .. }) = &args.algorithm else {
        refuse_other_limits(args)?;
        return Ok(None);
    };
    let at_least = args.at_least;
    let options = Options { limits: limits.clone(), at_least, ..Options::to_depth(LONGEST_GAME) };
    Ok(Some(SearchSpec::check(algorithm, options)?))
}

/// The solvers know nodes and a table, not leaves and lists.
fn refuse_other_limits(args: &SolveArgs) -> anyhow::Result<()> {
    let LimitArgs { leaves, bytes, .. } = &args.limits;
    ensure!(leaves.is_none(), "--leaves goes with --algorithm; the solver has --nodes");
    ensure!(bytes.is_none(), "--bytes goes with --algorithm; the solver has --table");
    Ok(())
}

/// Millions of nodes a second.
fn rate(nodes: u64, seconds: f64) -> String {
    format!("{:.1}", nodes as f64 / seconds.max(1e-9) / 1e6)
}

/// The columns of the results, wide enough for all rows: they are printed one by one.
fn table() -> TextTable {
    let mut table = TextTable::new("");
    let columns =
        [("no", 3), ("empties", 7), ("score", 5), ("best", 4), ("nodes", 13), ("seconds", 9)];
    for (name, width) in columns {
        table.column(name, Align::Right);
        table.at_least(width);
    }
    table.optional("Mnps", Align::Right, 1);
    table.at_least(5);
    table.prose("variation");
    table.at_least(LONGEST_GAME as usize);
    table
}

fn row(endgame: &Endgame, solved: &Solved) -> Vec<String> {
    let note = match (endgame.expected, solved.stopped) {
        (_, Some(limit)) => format!("stopped by the limit on {limit}"),
        _ if solved.proved.is_some() => {
            let best = solved.best.as_deref().unwrap_or("–");
            format!("at least that? {}, proved; {best}", solved.proved.unwrap_or_default())
        }
        (Some(expected), _) if endgame.differs(solved) => format!("EXPECTED {expected:+}: "),
        _ => String::new(),
    };
    vec![
        endgame.number.to_string(),
        endgame.position.board.empties().len().to_string(),
        solved.score.map_or("–".into(), |score| format!("{score:+}")),
        solved.best.clone().unwrap_or_else(|| "–".into()),
        thousands(solved.nodes as f64, 0),
        format!("{:.3}", solved.seconds),
        rate(solved.nodes, solved.seconds),
        format!("{note}{}", solved.pv.join(" ")),
    ]
}

/// A move as people write it.
fn shown(mv: Move) -> String {
    mv.map_or_else(|| "pass".into(), |square| square.to_string())
}

fn read(args: &SolveArgs) -> anyhow::Result<Vec<Endgame>> {
    let what = args.what.as_deref().unwrap_or_default();
    if !Path::new(what).is_file() {
        if what.contains(['/', '.']) && !what.contains("--") {
            bail!("there is no file {what}; expected an OBF file or a position");
        }
        ensure!(args.lines.is_none(), "--lines goes with a file");
        let position = <Othello>::position(what).context("the position")?;
        return Ok(vec![Endgame { number: 1, position, expected: None }]);
    }
    let text = read_text(Path::new(what)).with_context(|| format!("cannot read {what}"))?;
    let suite = parse_obf(&text).with_context(|| what.to_string())?;
    let all = 1..=usize::MAX;
    let wanted = args.lines.as_ref().unwrap_or(&all);
    let endgames: Vec<Endgame> = suite
        .iter()
        .enumerate()
        .map(|(i, line)| Endgame { number: i + 1, position: line.position, expected: line.score() })
        .filter(|endgame| wanted.contains(&endgame.number))
        .collect();
    ensure!(!endgames.is_empty(), "{what} has {} positions: none is asked for", suite.len());
    Ok(endgames)
}

/// `None` if interrupted.
fn solve(
    args: &SolveArgs,
    spec: Option<&SearchSpec>,
    position: &Position,
    limits: &Limits,
) -> anyhow::Result<Option<Solved>> {
    let started = Instant::now();
    let mut solved = Solved {
        position: position.to_string(),
        score: None,
        best: None,
        pv: Vec::new(),
        nodes: 0,
        seconds: 0.0,
        cpu_seconds: None,
        stopped: None,
        proved: None,
    };
    let shown_all = |moves: Vec<Move>| moves.into_iter().map(shown).collect();
    if let Some(spec) = spec {
        let tree = Othello::new(position.board, Evaluator::final_score());
        let outcome = Othello::search(&tree, &mut Workspace::new(), spec, None)?;
        solved.seconds = outcome.time.as_secs_f64();
        solved.nodes = outcome.counts.visits;
        solved.stopped = outcome.stopped.map(Stop::name);
        solved.score = outcome.value;
        solved.proved = outcome.proved.map(yes_or_no);
        solved.best = outcome.best.map(shown);
        if let Some(score) = outcome.value {
            let flag = Limits { flag: limits.flag.clone(), ..Limits::default() };
            let pv = principal_variation(&tree, LONGEST_GAME, score, outcome.best, &flag);
            solved.pv = shown_all(pv);
        }
    } else {
        let empties = position.board.empties().len();
        let bytes = args.table.unwrap_or(if empties < 24 { 1 << 24 } else { 1 << 27 });
        let mut solver = Solver::with_table(bytes).context("--table")?;
        let threads = args.threads.unwrap_or(1);
        solver.set_threads(threads.into());
        let began = thread_cpu_time().filter(|_| threads == 1);
        let result = match args.selectivity {
            Some(level) => solver.solve_selectively(&position.board, level, limits),
            None => solver.solve(&position.board, limits),
        };
        solved.seconds = started.elapsed().as_secs_f64();
        let spent = began.and_then(|began| Some(thread_cpu_time()?.saturating_sub(began)));
        solved.cpu_seconds = spent.map(|time| time.as_secs_f64());
        match result {
            Ok(solution) => {
                solved.score = Some(solution.score);
                solved.best = solution.pv.first().copied().map(shown);
                solved.pv = shown_all(solution.pv);
                solved.nodes = solution.nodes;
            }
            Err(interrupted) => {
                let (stop, nodes) = match interrupted {
                    Interrupted::Stopped { nodes } => (Stop::Flag, nodes),
                    Interrupted::Nodes { nodes, .. } => (Stop::Nodes, nodes),
                    Interrupted::Time { nodes, .. } => (Stop::Time, nodes),
                };
                solved.stopped = Some(stop.name());
                solved.nodes = nodes;
            }
        }
    }
    Ok(if limits.flag.is_raised() { None } else { Some(solved) })
}
