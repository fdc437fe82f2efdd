//! `plyground best`: one position, one algorithm, the value, the move and the counts.

use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::position::{self, GameArg};
use super::record::{Record, counted, labelled, value_or_bounds};
use super::{Chosen, LimitArgs, UpdateArg, chosen};
use crate::chess::{self, Chess};
use crate::othello::{self, DISC, LONGEST_GAME, Othello};
use crate::report::thousands;
use crate::search::{Options, Outcome, Paths, Unwatched, principal_variation, search};
use crate::tree::GameTree;
use crate::value::{LEAST_MATE, MATE, Value};

pub(super) const EXAMPLES: &str = "Examples:
  plyground best othello --depth 6
  plyground best othello --position f5d6c3d3c4 --algorithm sss --depth 5
  plyground best othello --position f5d6c3 --algorithm ps:4 --depth 6 --json
  plyground best chess --depth 4
  plyground best chess --position '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --algorithm mtd-f";

#[derive(Debug, Args)]
pub(super) struct BestArgs {
    /// The game
    game: GameArg,
    /// 64 squares (X O -) and the side to move, or a transcript; for chess a FEN [default: the start]
    #[arg(
        long,
        value_name = "P",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// The algorithm: see `plyground algorithms`
    #[arg(long, value_name = "ID", value_parser = chosen, default_value = "pvs")]
    algorithm: Chosen,
    /// How many plies to search
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(LONGEST_GAME)))]
    depth: u32,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct BestRecord<'a> {
    #[serde(flatten)]
    search: Record<'a>,
    best: Option<String>,
    pv: Vec<String>,
}

pub(super) fn run(console: &Console, args: &BestArgs) -> anyhow::Result<()> {
    match args.game {
        GameArg::Othello => {
            let position = position::othello(&args.position)?;
            let tree = Othello::new(position.board, othello::Evaluator::default());
            best(console, args, &tree, &position)
        }
        GameArg::Chess => {
            let board = position::chess(&args.position)?;
            let tree = Chess::new(board, chess::Evaluator::default());
            best(console, args, &tree, &board)
        }
    }
}

/// How a game's positions, moves and values are written.
trait Written {
    type Move: Copy;
    /// The position as a picture.
    fn picture(&self) -> String;
    /// Moves one after the other from this position, as people write them.
    fn moves(&self, moves: &[Self::Move]) -> Vec<String>;
    /// The same as programs write them.
    fn codes(&self, moves: &[Self::Move]) -> Vec<String> {
        self.moves(moves)
    }
    /// A value in the game's unit.
    fn value(value: Value) -> String;
}

impl Written for othello::Position {
    type Move = othello::Move;

    fn picture(&self) -> String {
        othello::Picture(self).to_string()
    }

    fn moves(&self, moves: &[othello::Move]) -> Vec<String> {
        moves.iter().copied().map(shown).collect()
    }

    fn value(value: Value) -> String {
        format!("{:+.2} discs", f64::from(value) / f64::from(DISC))
    }
}

impl Written for chess::Board {
    type Move = chess::Move;

    fn picture(&self) -> String {
        chess::Picture(self).to_string()
    }

    fn moves(&self, moves: &[chess::Move]) -> Vec<String> {
        let mut board = *self;
        let san = moves.iter().map(|&mv| {
            let text = board.san(mv).to_string();
            board = board.play(mv);
            text
        });
        san.collect()
    }

    fn codes(&self, moves: &[chess::Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    fn value(value: Value) -> String {
        let plies = MATE - value.abs();
        match value {
            MATE => "mate".into(),
            _ if value == -MATE => "mated".into(),
            LEAST_MATE.. => format!("mate in {}", (plies + 1) / 2),
            _ if value <= -LEAST_MATE => format!("mated in {}", plies / 2),
            _ => format!("{:+.2} pawns", f64::from(value) / f64::from(chess::PAWN)),
        }
    }
}

fn best<T: GameTree, W: Written<Move = T::Move>>(
    console: &Console,
    args: &BestArgs,
    tree: &T,
    position: &W,
) -> anyhow::Result<()> {
    let limits = args.limits.limits(console);
    let options =
        Options { depth: args.depth, limits, update: args.update.into(), ..Options::default() };
    let algorithm = &args.algorithm.algorithm;
    let (outcome, _) = search(tree, algorithm, &options, Paths::new())?;
    // Times are taken without anybody watching.
    let seconds = match outcome.stopped {
        None => search(tree, algorithm, &options, Unwatched)?.0.time,
        Some(_) => outcome.time,
    }
    .as_secs_f64();
    let pv = match outcome.value {
        Some(value) => principal_variation(tree, args.depth, value, outcome.best, &options.limits),
        None => Vec::new(),
    };
    let best = outcome.best.as_slice();
    if args.json {
        let search = Record::new(&args.algorithm.id, &outcome, seconds);
        let (best, pv) = (position.codes(best).pop(), position.codes(&pv));
        return console.json(&BestRecord { search, best, pv });
    }
    let (best, pv) = (position.moves(best).pop(), position.moves(&pv));
    let value = value_or_bounds(&outcome, W::value);
    let lines = for_people(&algorithm.name(), args.depth, &outcome, value, seconds, best, &pv);
    console.print(&format!("{}\n{}", position.picture(), labelled(&lines)))
}

/// A move of Othello as people write it.
pub(super) fn shown(mv: othello::Move) -> String {
    mv.map_or_else(|| "pass".into(), |square| square.to_string())
}

fn for_people<M>(
    name: &str,
    depth: u32,
    outcome: &Outcome<M>,
    value: String,
    seconds: f64,
    best: Option<String>,
    pv: &[String],
) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("algorithm", format!("{name}, {depth} plies")),
        ("value", value),
        ("best", best.unwrap_or_else(|| "none: the game is over or nothing is known".into())),
    ];
    if !pv.is_empty() {
        lines.push(("variation", pv.join(" ")));
    }
    lines.push(("leaves", thousands(outcome.counts.leaves as f64, 0)));
    lines.extend(counted(outcome, seconds));
    lines
}
