//! The best-first family on real games, and its commands: proofs that are replayed, mates that mate.

use plyground::chess::{Board, Chess, Evaluator, parse_epd};
use plyground::game::Game;
use plyground::limits::Limits;
use plyground::othello::{self, LONGEST_GAME, Othello, parse_obf};
use plyground::search::mate::{MateOutcome, MateSpec};
use plyground::search::{Options, Proves, SearchSpec, Workspace, catalogue};
use plyground::solver::Solver;
use serde_json::Value;

use crate::commands::{objects, refused, stdout};
use crate::othello_games::random_game;

const TEXTBOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

/// The proof searches.
fn provers() -> impl Iterator<Item = &'static str> {
    catalogue()
        .filter(|entry| entry.proves == Proves::Goal)
        .flat_map(|entry| entry.examples)
        .copied()
}

#[test]
fn a_question_is_answered_on_the_command_line() {
    for id in provers().chain(["alpha-beta", "sss", "mtd-f"]) {
        for (least, expected) in [("-5", "yes"), ("3", "yes"), ("4", "no"), ("14", "no")] {
            let asked = ["tree", TEXTBOOK, "--algorithm", id, "--at-least", least, "--json"];
            let object = &objects(&asked)[0];
            assert_eq!(object["proved"], expected, "{id}: at least {least}? {object}");
            if expected == "yes" && least == "3" {
                assert_eq!(object["best"], 0, "{id}: {object}");
            }
        }
        let object = &objects(&["tree", TEXTBOOK, "--algorithm", id, "--json"])[0];
        assert_eq!((&object["proved"], &object["value"]), (&Value::Null, &Value::from(3)), "{id}");
        let stopped =
            ["tree", TEXTBOOK, "--algorithm", id, "--at-least", "3", "--leaves", "1", "--json"];
        let object = &objects(&stopped)[0];
        assert_eq!(
            (&object["proved"], &object["stopped"]),
            (&Value::Null, &"leaves".into()),
            "{id}"
        );
    }
    let text = stdout(&["tree", TEXTBOOK, "--algorithm", "pn", "--at-least", "4"]);
    assert!(text.contains("question     at least 4? no, proved"), "{text}");
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    for id in provers() {
        let best = ["best", "chess", "--position", mate, "--algorithm", id, "--depth", "3"];
        let asked = [&best[..], &["--at-least", "31000", "--json"]].concat();
        let object = &objects(&asked)[0];
        assert_eq!((&object["proved"], &object["best"]), (&"yes".into(), &"d1d8".into()), "{id}");
    }
    for (least, expected) in [("x", "expected a value"), ("2000000000", "expected a value")] {
        let message = refused(&["tree", TEXTBOOK, "--at-least", least], "");
        assert!(message.contains(expected), "{message}");
    }
}

fn mate_of(board: Board, moves: u32, nodes: u64) -> MateOutcome<plyground::chess::Move> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let spec = MateSpec { moves, table: 1 << 20, limits };
    Chess::find_mate(&Chess::new(board, Evaluator::default()), &spec).unwrap().unwrap()
}

fn legal(board: &Board) -> Vec<plyground::chess::Move> {
    board.moves().into_iter().collect()
}

/// Is there a mate in this many moves, by the definition?
fn is_mate_in(board: &Board, moves: u32) -> bool {
    moves > 0
        && legal(board).into_iter().any(|mv| {
            let after = board.try_play(mv).unwrap();
            let replies = legal(&after);
            (!replies.is_empty() || after.in_check())
                && replies
                    .iter()
                    .all(|&reply| is_mate_in(&after.try_play(reply).unwrap(), moves - 1))
        })
}

/// Replays a mate: its line is legal and ends in mate, and every reply to every move of it, not only the
/// one in the line, leads to a mate in time.
fn replay(board: Board, outcome: &MateOutcome<plyground::chess::Move>) {
    let moves = outcome.moves.unwrap();
    let (first, rest) = outcome.line.split_first().expect("a line");
    let after = board.try_play(*first).expect("a legal move");
    let replies = legal(&after);
    assert!(!replies.is_empty() || after.in_check(), "{board}: stalemate");
    for reply in replies {
        let next = after.try_play(reply).unwrap();
        if moves <= 2 {
            assert!(is_mate_in(&next, moves - 1), "{board}");
        } else {
            let found = mate_of(next, moves - 1, 2_000_000);
            assert_eq!(found.proved, Some(true), "{board}: {found:?}");
            if rest.first() == Some(&reply) {
                replay(next, &found);
            }
        }
    }
    let end = outcome.line.iter().fold(board, |at, &mv| at.try_play(mv).expect("a legal move"));
    assert!(legal(&end).is_empty() && end.in_check(), "{board}: {:?}", outcome.line);
    assert!((outcome.line.len() as u32) < 2 * moves);
}

#[test]
fn mates_are_found_and_replayed_and_none_is_overlooked() {
    let suite = parse_epd(include_str!("../../positions/win-at-chess.epd")).unwrap();
    let (mut mates, mut none) = (0, 0);
    for line in suite.iter().step_by(4) {
        let board = line.board;
        let outcome = mate_of(board, 4, 30_000);
        // What is said of one or two moves is checked by the definition.
        for moves in 1..=outcome.none_within.min(2) {
            assert!(!is_mate_in(&board, moves), "{board}");
            none += 1;
        }
        if outcome.proved == Some(true) && !outcome.line.is_empty() {
            mates += 1;
            replay(board, &outcome);
            if outcome.is_shortest() && outcome.moves <= Some(2) {
                assert!(is_mate_in(&board, outcome.moves.unwrap()), "{board}");
            }
        }
    }
    assert!(mates >= 5 && none >= 50, "{mates} {none}");
}

/// The mates that a file knows are found, and none is longer than the file says.
#[test]
fn known_mates_are_found() {
    let suite = parse_epd(include_str!("../../positions/mates.epd")).unwrap();
    for epd in suite.iter().step_by(2) {
        let id = epd.id.as_deref().unwrap();
        let known: u32 = id.rsplit(' ').next().unwrap().parse().unwrap();
        let outcome = mate_of(epd.board, known, 3_000_000);
        assert_eq!(outcome.proved, Some(true), "{id}: {outcome:?}");
        assert!(outcome.moves <= Some(known) && !outcome.line.is_empty(), "{id}: {outcome:?}");
        if known <= 3 {
            replay(epd.board, &outcome);
        }
    }
}

#[test]
fn the_whole_mating_line_is_printed() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let object = &objects(&["solve", "--mate", mate, "--json"])[0];
    assert_eq!((&object["proved"], &object["mate_in"]), (&"yes".into(), &1.into()), "{object}");
    assert_eq!((&object["pv"][0], &object["line"][0]), (&"d1d8".into(), &"Rd8#".into()));
    assert_eq!(object["shortest"], true);
    let text = stdout(&["solve", "--mate", mate]);
    assert!(text.contains("in 1 move, and no sooner") && text.contains("Rd8#"), "{text}");
    // No mate in two moves, and none that a single node could find.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let object = &objects(&["solve", "--mate", start, "--moves", "2", "--json"])[0];
    assert_eq!((&object["proved"], &object["none_within"]), (&"no".into(), &2.into()), "{object}");
    let object = &objects(&["solve", "--mate", start, "--nodes", "10", "--json"])[0];
    assert_eq!(
        (&object["proved"], &object["stopped"]),
        (&Value::Null, &"nodes".into()),
        "{object}"
    );
    for (arguments, expected) in [
        (&["solve", "--mate", "nonsense"][..], "--mate: the position"),
        (&["solve"], "required"),
        (&["solve", "--mate", mate, "--leaves", "5"], "--leaves goes with --algorithm"),
        (&["solve", "--mate", mate, "--moves", "0"], "0"),
    ] {
        let message = refused(arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

/// Wins in Othello endings: the proof searches against the solver.
#[test]
fn endings_are_proved_won_or_not() {
    let suite = parse_obf(include_str!("../../positions/ffo.obf")).unwrap();
    let mut questions = 0;
    for line in &suite[..8] {
        let solution = Solver::new().solve(&line.position.board, &Limits::default()).unwrap();
        let mut board = line.position.board;
        let mut score = solution.score;
        for mv in solution.pv {
            if board.empties().len() <= 8 {
                break;
            }
            board = mv.map_or(board.pass(), |square| board.play(square).unwrap());
            score = -score;
        }
        let tree = Othello::new(board, othello::Evaluator::final_score());
        for id in provers() {
            for least in [1, score, score + 1] {
                let options = Options { at_least: Some(least), ..Options::to_depth(LONGEST_GAME) };
                let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
                let outcome = Othello::search(&tree, &mut Workspace::new(), &spec, None).unwrap();
                assert_eq!(
                    outcome.proved,
                    Some(score >= least),
                    "{id}: at least {least}? {board:?}"
                );
                questions += 1;
            }
        }
    }
    assert_eq!(questions, 8 * 3 * provers().count());
    let asked = ["solve", "positions/ffo.obf", "--lines", "1", "--algorithm", "alpha-beta"];
    let message = refused(&[&asked[..2], &["--at-least", "1"]].concat(), "");
    assert!(message.contains("--algorithm"), "{message}");
}

/// Thousands of questions about small endings of random games, against a full search by the solver.
#[test]
fn thousands_of_small_endings_are_proved_as_the_solver_says() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..250_u64 {
        let few = 4 + seed as usize % 3;
        let (line, end) = random_game(seed);
        let found = line.iter().map(|(position, _)| position.board);
        let board = found.chain([end.board]).find(|board| board.empties().len() <= few);
        let Some(board) = board else { continue };
        let score = Solver::new().solve(&board, &Limits::default()).unwrap().score;
        let tree = Othello::new(board, othello::Evaluator::final_score());
        for id in provers() {
            for least in [score, score + 1, 1] {
                let options = Options { at_least: Some(least), ..Options::to_depth(LONGEST_GAME) };
                let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
                let outcome = Othello::search(&tree, &mut Workspace::new(), &spec, None).unwrap();
                let case = || format!("{id}: at least {least}? {board:?}: {outcome:?}");
                assert_eq!(outcome.proved, Some(score >= least), "{}", case());
                *if score >= least { &mut yes } else { &mut no } += 1;
            }
        }
    }
    assert!(yes > 1_000 && no > 1_000, "{yes} {no}");
}

/// A search that may hold next to nothing still has a legal move to say, and holds no more.
#[test]
fn next_to_no_memory_is_enough_for_a_move() {
    for entry in catalogue().filter(|entry| entry.rich_only) {
        for id in entry.examples {
            for bytes in ["1", "500", "20000", "300000"] {
                let asked = ["best", "chess", "--algorithm", id, "--depth", "12"];
                let limits = ["--bytes", bytes, "--nodes", "20000", "--json"];
                let object = &objects(&[&asked[..], &limits[..]].concat())[0];
                let peak = object["peak_bytes"].as_u64().unwrap();
                // The children of the root are made in any case.
                let most = bytes.parse::<u64>().unwrap().max(40_000);
                assert!(peak <= most, "{id} in {bytes}: {object}");
            }
        }
    }
}

/// Every search of the family plays: its move is legal, whatever stops it.
#[test]
fn the_family_plays() {
    for entry in catalogue().filter(|entry| entry.rich_only) {
        let id = entry.examples[0];
        for (game, depth) in [("othello", "20"), ("chess", "20")] {
            let arguments =
                ["best", game, "--algorithm", id, "--depth", depth, "--nodes", "3000", "--json"];
            let object = &objects(&arguments)[0];
            assert!(object["best"].is_string(), "{id}: {object}");
            assert!(object["visits"].as_u64().unwrap() <= 3_000, "{id}: {object}");
        }
    }
    let listed = objects(&["algorithms", "--json"]);
    for (id, proves) in
        [("pn", "goal"), ("b-star", "move"), ("cns:T", "bound"), ("uct:C", "nothing")]
    {
        let object = listed.iter().find(|object| object["id"] == id).unwrap();
        assert_eq!(object["proves"], proves, "{id}");
    }
}
