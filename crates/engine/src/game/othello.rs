//! Othello as a game of the program.

use std::time::Duration;

use super::{
    BuiltInEvaluator, BuiltInSuite, Diagram, EndgameSolver, Ending, ExperimentDepths, Game,
    GameError, GameLine, Heading, MoveAnnotation, SavedGame, Seat, SelectiveThink, SuiteProblem,
    Verdict, diagram, othello_texts,
};
use crate::door::{AnyGame, Door};
use crate::profile::STANDARD;
use plyground_contexts as contexts;
use plyground_core::limits::Limits;
use plyground_core::tree::mix;
use plyground_core::value::Value;
use plyground_games::othello::{self, DISC, Othello, Transcript, parse_obf};
use plyground_games::solver::Solver;
use plyground_search::{Outcome, SearchError, SearchSpec, Watcher, Workspace};

impl Game for Othello {
    type Position = othello::Position;
    type Evaluator = othello::Evaluator;

    const NAME: &'static str = "othello";
    const ALIASES: &'static [&'static str] = &["reversi"];
    const SIDES: [&'static str; 2] = ["black", "white"];
    const EXTENSIONS: &'static [&'static str] = &["ggf", "obf"];
    const EXPERIMENTS: &'static str = include_str!("../../../../positions/midgame.obf");
    const HOLD_OUT: &'static str = include_str!("../../../../positions/holdout-othello.obf");
    const OPENINGS: &'static str = include_str!("../../../../positions/openings-othello.txt");
    const SUITES: &'static [BuiltInSuite] = &[BuiltInSuite {
        name: "ffo",
        aliases: &[],
        about: "59 endgames of 14 to 34 empty squares: every move that keeps the exact score",
        source: "the French Othello federation's test set; scores 1 to 52 and 56 solved again",
        text: include_str!("../../../../positions/ffo.obf"),
    }];

    const ENGINES: &'static [(&'static str, &'static str)] = &[
        ("othello", include_str!("../../../../engines/othello.toml")),
        ("othello-mtd-f", include_str!("../../../../engines/othello-mtd-f.toml")),
        ("othello-ps", include_str!("../../../../engines/othello-ps.toml")),
        ("othello-sss", include_str!("../../../../engines/othello-sss.toml")),
        ("othello-alpha-beta", include_str!("../../../../engines/othello-alpha-beta.toml")),
    ];
    const LEVELS: &'static str = include_str!("../../../../engines/levels/othello.toml");
    const BOOK: &'static [u8] = include_bytes!("../../../../engines/books/othello.bin");
    const DEPTHS: ExperimentDepths =
        ExperimentDepths { overview: 7, compare: 6, quick: 5, lists: 8, table: 9, bench: 15 };
    const ASPIRATION: u32 = 200;
    const DEEPEST: u32 = othello::LONGEST_GAME;

    fn instructions() -> &'static str {
        othello::instructions_found()
    }

    // Never inlined: a caller in another crate would compile what is behind the door again.
    #[inline(never)]
    fn door() -> &'static dyn AnyGame {
        &Door::<Othello>::NEW
    }

    fn search(
        tree: &Othello,
        workspace: &mut Workspace,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<othello::Move>, SearchError> {
        contexts::othello::search(tree, workspace, spec, watch)
    }

    fn selective() -> Option<SelectiveThink<Othello>> {
        Some(contexts::othello::think)
    }

    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Othello>>> {
        Some(Box::new(OthelloSolver::default()))
    }

    fn from_position(position: &othello::Position, evaluator: othello::Evaluator) -> Othello {
        Othello::new(position.board, evaluator)
    }

    /// 64 squares and the side to move, or a transcript such as `f5d6c3`. Where the side to move
    /// must pass, it stays to move: a pass is a move.
    fn position(text: &str) -> Result<othello::Position, GameError> {
        if is_transcript(text) {
            return Ok(text.parse::<Transcript>()?.end());
        }
        Ok(text.parse()?)
    }

    const EVALUATORS: &'static [BuiltInEvaluator<othello::Evaluator>] = &[
        BuiltInEvaluator {
            name: STANDARD,
            about: "features chosen by hand",
            file: othello::STANDARD_WEIGHTS.as_bytes(),
            make: othello::Evaluator::default,
        },
        BuiltInEvaluator {
            name: "patterns",
            about: "shapes of discs, learnt from self-play",
            file: othello::PATTERN_WEIGHTS,
            make: othello::Evaluator::patterns,
        },
    ];

    fn evaluator(file: &[u8]) -> Result<othello::Evaluator, GameError> {
        othello::Evaluator::from_bytes(file)
            .map_err(|error| GameError::Evaluator(error.to_string()))
    }

    /// That of the turned position: the moves of a book serve all symmetric ones.
    fn book_key(position: &othello::Position) -> u64 {
        let (board, _) = position.board.normalised();
        mix(mix(0, board.player().word()), board.opponent().word())
    }

    fn book_code(position: &othello::Position, mv: othello::Move) -> u16 {
        let (_, turn) = position.board.normalised();
        mv.map_or(64, |square| turn.square(square).index() as u16)
    }

    fn played(position: &othello::Position, mv: othello::Move) -> Option<othello::Position> {
        match mv {
            Some(square) => position.play(square),
            None => position.board.must_pass().then(|| position.pass()),
        }
    }

    /// A square, or `pass`.
    fn read_move(position: &othello::Position, text: &str) -> Result<othello::Move, GameError> {
        let wrong = |reason| GameError::Move { found: text.into(), reason };
        let mv = match text.to_ascii_lowercase().as_str() {
            "pass" | "ps" | "pa" | "--" => None,
            square => match square.parse::<plyground_games::grid::Square>() {
                Ok(square) => Some(square),
                Err(_) => return Err(wrong("expected a square, such as f5, or pass")),
            },
        };
        match Othello::played(position, mv) {
            Some(_) => Ok(mv),
            None => Err(wrong("not a legal move here")),
        }
    }

    fn why_illegal(position: &othello::Position, text: &str) -> Option<String> {
        othello_texts::why_illegal(position, text)
    }

    fn result_note(position: &othello::Position) -> Option<String> {
        othello_texts::result_note(position)
    }

    fn mover(position: &othello::Position) -> Seat {
        othello_texts::mover(position)
    }

    fn verdict(positions: &[othello::Position]) -> Option<Verdict> {
        othello_texts::verdict(positions)
    }

    fn save(line: &GameLine<Othello>, heading: &Heading) -> String {
        othello_texts::save(line, heading)
    }

    fn annotated(
        saved: &SavedGame<GameLine<Othello>>,
        annotations: &[Option<MoveAnnotation>],
    ) -> String {
        othello_texts::annotated(saved, annotations)
    }

    fn save_position(position: &othello::Position, _: &str) -> String {
        othello_texts::save_position(position)
    }

    fn games(text: &str) -> Result<Vec<SavedGame<GameLine<Othello>>>, GameError> {
        othello_texts::games(text)
    }

    fn parts(text: &str) -> Vec<&str> {
        othello_texts::parts(text)
    }

    fn openings(text: &str) -> Result<Vec<GameLine<Othello>>, GameError> {
        othello_texts::openings(text)
    }

    fn forced_pass(position: &othello::Position) -> Option<othello::Move> {
        position.board.must_pass().then_some(None)
    }

    fn explain(
        evaluator: &othello::Evaluator,
        position: &othello::Position,
    ) -> Vec<(String, Value)> {
        let terms = evaluator.explain(&position.board);
        terms.into_iter().map(|(term, value)| (term.into(), value)).collect()
    }

    fn suite(text: &str) -> Result<Vec<SuiteProblem<Othello>>, GameError> {
        let problem = |line: othello::ObfLine| SuiteProblem {
            position: line.position,
            best: line
                .moves
                .iter()
                .map(|scored| scored.square)
                .filter(|&square| line.is_best(square))
                .collect(),
            avoid: Vec::new(),
            points: Vec::new(),
            name: line.comment,
        };
        Ok(parse_obf(text)?.into_iter().map(problem).collect())
    }

    fn picture(position: &othello::Position) -> String {
        othello::Picture(position).to_string()
    }

    fn diagram(line: &GameLine<Othello>) -> Option<Diagram> {
        Some(diagram::othello(line))
    }

    fn move_text(_: &othello::Position, mv: othello::Move) -> String {
        mv.map_or_else(|| "pass".into(), |square| square.to_string())
    }

    fn written(_: &othello::Position, moves: &[othello::Move]) -> Vec<String> {
        let text = |mv: &othello::Move| mv.map_or_else(|| "pass".into(), |s| s.to_string());
        moves.iter().map(text).collect()
    }

    fn value_text(value: Value) -> String {
        format!("{:+.2} discs", f64::from(value) / f64::from(DISC))
    }

    fn perft(position: &othello::Position, depth: u32) -> u64 {
        othello::perft(&position.board, depth)
    }
}

/// The exact solver. Its tables are made when they are first needed.
#[derive(Default)]
struct OthelloSolver(Option<Solver>);

impl EndgameSolver<Othello> for OthelloSolver {
    /// The median time is about 0.1 s at 20 empties, and doubles with each further empty square.
    fn expected_time(&self, position: &othello::Position) -> Option<Duration> {
        let empties = position.board.empties().len() as i32;
        if position.board.is_over() || empties > 30 {
            return None;
        }
        Some(Duration::from_secs_f64(0.1 * f64::from(empties - 20).exp2()))
    }

    fn moves_left(&self, position: &othello::Position) -> u32 {
        position.board.empties().len() as u32
    }

    fn solve(
        &mut self,
        position: &othello::Position,
        limits: &Limits,
        threads: usize,
    ) -> Option<Ending<othello::Move>> {
        let solver = self.0.get_or_insert_with(Solver::new);
        solver.set_threads(threads);
        let solution = solver.solve(&position.board, limits).ok()?;
        let value = solution.score * DISC;
        Some(Ending { value, line: solution.pv, nodes: solution.nodes })
    }
}

/// Is a text a transcript: is it empty, or does it begin with a square or the number of a move, as no board
/// does?
pub(super) fn is_transcript(text: &str) -> bool {
    let text = text.trim_start();
    // The number of the first move.
    let numberless = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if numberless.len() < text.len() && numberless.starts_with('.') {
        return true;
    }
    let mut letters = text.chars().map(|c| c.to_ascii_lowercase());
    match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some('a'..='h'), Some(second)) => second.is_ascii_digit(),
        _ => false,
    }
}
