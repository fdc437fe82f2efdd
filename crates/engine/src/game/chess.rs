//! Chess as a game of the program.

use super::{
    BuiltInEvaluator, BuiltInSuite, Diagram, ExperimentDepths, FoundMate, Game, GameError,
    GameLine, Heading, MoveAnnotation, SavedGame, Seat, SelectiveThink, SuiteProblem, Verdict,
    chess_texts, diagram,
};
use crate::door::{AnyGame, Door};
use crate::profile::STANDARD;
use plyground_contexts as contexts;
use plyground_core::value::{LEAST_MATE, MATE, Value};
use plyground_games::chess::{self, Chess, parse_epd};
use plyground_search::mate::MateSpec;
use plyground_search::{Outcome, SearchError, SearchSpec, Watcher, Workspace};

impl Game for Chess {
    type Position = chess::Board;
    type Evaluator = chess::Evaluator;

    const NAME: &'static str = "chess";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const EXTENSIONS: &'static [&'static str] = &["pgn", "fen", "epd"];
    const EXPERIMENTS: &'static str = include_str!("../../../../positions/experiment-chess.epd");
    const HOLD_OUT: &'static str = include_str!("../../../../positions/holdout-chess.epd");
    const OPENINGS: &'static str = include_str!("../../../../positions/openings-chess.epd");
    const SUITES: &'static [BuiltInSuite] = &[
        BuiltInSuite {
            name: "win-at-chess",
            aliases: &["wac"],
            about: "300 positions: tactics of a few moves",
            source: "Reinfeld's book Win at Chess (1958), as handed round, with later solutions",
            text: include_str!("../../../../positions/win-at-chess.epd"),
        },
        BuiltInSuite {
            name: "bratko-kopec",
            aliases: &["bk"],
            about: "24 positions: half tactics, half pawn levers",
            source: "Kopec and Bratko, The Bratko-Kopec experiment (1982)",
            text: include_str!("../../../../positions/bratko-kopec.epd"),
        },
        BuiltInSuite {
            name: "zugzwang",
            aliases: &[],
            about: "5 positions in which a side would rather pass: does null-move pruning err?",
            source: "known among chess programmers",
            text: include_str!("../../../../positions/zugzwang.epd"),
        },
    ];

    const ENGINES: &'static [(&'static str, &'static str)] = &[
        ("chess", include_str!("../../../../engines/chess.toml")),
        ("chess-tuned", include_str!("../../../../engines/chess-tuned.toml")),
        ("chess-mtd-f", include_str!("../../../../engines/chess-mtd-f.toml")),
        ("chess-ps", include_str!("../../../../engines/chess-ps.toml")),
        ("chess-sss", include_str!("../../../../engines/chess-sss.toml")),
        ("chess-alpha-beta", include_str!("../../../../engines/chess-alpha-beta.toml")),
    ];
    const LEVELS: &'static str = include_str!("../../../../engines/levels/chess.toml");
    const BOOK: &'static [u8] = include_bytes!("../../../../engines/books/chess.bin");
    const DEPTHS: ExperimentDepths =
        ExperimentDepths { overview: 5, compare: 4, quick: 3, lists: 5, table: 6, bench: 13 };

    fn instructions() -> &'static str {
        chess::instructions_found()
    }

    // Never inlined: a caller in another crate would compile what is behind the door again.
    #[inline(never)]
    fn door() -> &'static dyn AnyGame {
        &Door::<Chess>::NEW
    }

    fn search(
        tree: &Chess,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<chess::Move>, SearchError> {
        contexts::chess::search(tree, workspace, spec, watch)
    }

    fn find_mate(tree: &Chess, spec: &MateSpec) -> Option<FoundMate<Chess>> {
        Some(contexts::chess::find_mate(tree, spec))
    }

    fn selective() -> Option<SelectiveThink<Chess>> {
        Some(contexts::chess::think)
    }

    fn from_position(position: &chess::Board, evaluator: chess::Evaluator) -> Chess {
        Chess::new(*position, evaluator)
    }

    /// A FEN, or nothing or `startpos` for the start.
    fn position(text: &str) -> Result<chess::Board, GameError> {
        match text.trim() {
            "" | "startpos" => Ok(chess::Board::start()),
            fen => Ok(fen.parse()?),
        }
    }

    const EVALUATORS: &'static [BuiltInEvaluator<chess::Evaluator>] = &[
        BuiltInEvaluator {
            name: STANDARD,
            about: "features and weights chosen by hand",
            file: chess::STANDARD_WEIGHTS.as_bytes(),
            make: chess::Evaluator::default,
        },
        BuiltInEvaluator {
            name: "tuned",
            about: "the same features, weights tuned on games of self-play",
            file: chess::TUNED_WEIGHTS.as_bytes(),
            make: chess::Evaluator::tuned,
        },
        BuiltInEvaluator {
            name: "network",
            about: "a small network trained on games of self-play",
            file: chess::NETWORK_WEIGHTS,
            make: chess::Evaluator::standard_network,
        },
    ];

    fn evaluator(file: &[u8]) -> Result<chess::Evaluator, GameError> {
        chess::Evaluator::from_bytes(file).map_err(|error| GameError::Evaluator(error.to_string()))
    }

    /// A FEN has seven slashes before its first space; UCI puts `startpos` or `fen` before a
    /// position.
    fn recognises(text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or("");
        first.matches('/').count() == 7 || ["startpos", "fen"].contains(&first)
    }

    fn book_key(board: &chess::Board) -> u64 {
        chess::polyglot_key(board)
    }

    fn book_code(_: &chess::Board, mv: chess::Move) -> u16 {
        chess::polyglot_move(mv)
    }

    fn played(position: &chess::Board, mv: chess::Move) -> Option<chess::Board> {
        position.try_play(mv)
    }

    /// From square to square, as in UCI.
    fn read_move(position: &chess::Board, text: &str) -> Result<chess::Move, GameError> {
        Ok(position.uci_move(text)?)
    }

    fn typed_move(position: &chess::Board, text: &str) -> Result<chess::Move, GameError> {
        chess_texts::typed_move(position, text)
    }

    fn why_illegal(position: &chess::Board, text: &str) -> Option<String> {
        position.why_illegal(text)
    }

    /// A pawn's move to the last rank may leave out what the pawn becomes.
    fn open_choices(position: &chess::Board, text: &str) -> Vec<(Vec<String>, chess::Move)> {
        let named = |mv: chess::Move| {
            let piece = mv.promotion()?;
            let letter = piece.letter().to_ascii_lowercase().to_string();
            Some((vec![letter, piece.name().to_owned()], mv))
        };
        position.promotions_meant(text).into_iter().filter_map(named).collect()
    }

    fn mover(position: &chess::Board) -> Seat {
        chess_texts::mover(position)
    }

    fn verdict(positions: &[chess::Board]) -> Option<Verdict> {
        chess_texts::verdict(positions)
    }

    fn save(line: &GameLine<Chess>, heading: &Heading) -> String {
        chess_texts::save(line, heading)
    }

    fn annotated(
        saved: &SavedGame<GameLine<Chess>>,
        annotations: &[Option<MoveAnnotation>],
    ) -> String {
        chess_texts::annotated(saved, annotations)
    }

    fn save_position(position: &chess::Board, ending: &str) -> String {
        chess_texts::save_position(position, ending)
    }

    fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Chess>>>, GameError> {
        chess_texts::games(text)
    }

    fn parts(text: &str) -> Vec<&str> {
        chess_texts::parts(text)
    }

    fn explain(evaluator: &chess::Evaluator, position: &chess::Board) -> Vec<(String, Value)> {
        chess_texts::explain(evaluator, position)
    }

    fn suite(text: &str) -> Result<Vec<SuiteProblem<Chess>>, GameError> {
        let problem = |epd: chess::Epd| {
            let points = chess_texts::points(&epd);
            let most = points.iter().map(|(_, points)| *points).max();
            let best = match epd.best.is_empty() && epd.avoid.is_empty() {
                // Without other words, the moves with the most points solve it.
                true => points.iter().filter(|p| Some(p.1) == most).map(|p| p.0).collect(),
                false => epd.best,
            };
            let name = epd.id.unwrap_or_default();
            SuiteProblem { position: epd.board, name, best, avoid: epd.avoid, points }
        };
        Ok(parse_epd(text)?.into_iter().map(problem).collect())
    }

    fn picture(position: &chess::Board) -> String {
        chess::Picture(position).to_string()
    }

    fn diagram(line: &GameLine<Chess>) -> Option<Diagram> {
        Some(diagram::chess(line))
    }

    /// From square to square, as in UCI.
    fn move_text(_: &chess::Board, mv: chess::Move) -> String {
        mv.to_string()
    }

    /// In standard algebraic notation.
    fn shown(position: &chess::Board, moves: &[chess::Move]) -> Vec<String> {
        let mut board = *position;
        let san = moves.iter().map(|&mv| {
            let text = board.san(mv).to_string();
            board = board.play(mv);
            text
        });
        san.collect()
    }

    /// Without the sign of a mate: the list is no solution.
    fn listed(position: &chess::Board, mv: chess::Move) -> String {
        position.san(mv).to_string().trim_end_matches(['+', '#']).to_owned()
    }

    fn written(_: &chess::Board, moves: &[chess::Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    /// Every pair of moves has its number.
    fn numbered(line: &GameLine<Chess>) -> Vec<String> {
        chess_texts::numbered(line)
    }

    fn value_text(value: Value) -> String {
        let plies = MATE - value.abs();
        match value {
            MATE => "mate".into(),
            _ if value == -MATE => "mated".into(),
            LEAST_MATE.. => format!("mate in {}", (plies + 1) / 2),
            _ if value <= -LEAST_MATE => format!("mated in {}", plies / 2),
            _ => format!("{:+.2} pawns", f64::from(value) / f64::from(chess::PAWN)),
        }
    }

    fn perft(position: &chess::Board, depth: u32) -> u64 {
        chess::perft(position, depth)
    }
}
