//! Multi-probcut: what it leaves out, and where it stays away.

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::othello::{Board, Evaluator, Othello};
use plyground::profile::{Profile, Weights};
use plyground::search::play::PlaySwitches;
use plyground::session::{GoLimits, Session, ThinkOutcome, ThinkRequest};
use plyground::solver::Solver;
use plyground::tree::PlayTree;

const WITHOUT: PlaySwitches =
    PlaySwitches { table: true, staged_move_generation: true, ..PlaySwitches::NONE };
const WITH: PlaySwitches = PlaySwitches { multi_probcut: true, ..WITHOUT };

/// The engine with these steps and, if there are any, these weights.
fn session<G: Game>(steps: PlaySwitches, weights: Option<&str>) -> Session<G> {
    let mut profile = Profile::standard(G::door()).unwrap();
    profile.play = Some(steps);
    if let Some(text) = weights {
        profile.evaluator = Weights::File { path: "test.toml".into(), bytes: text.into() };
    }
    Session::new(profile).unwrap()
}

fn thoughts<G: Game>(mut session: Session<G>, depth: u32) -> Vec<ThinkOutcome<G::Move>> {
    let request = ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() });
    let mut thought = |position| {
        session.clear();
        session.set_position(position);
        session.think(&request, &mut |_| {})
    };
    let suite = G::suite(G::EXPERIMENTS).unwrap().into_iter().take(12);
    suite.map(|problem| thought(problem.position)).collect()
}

fn nodes<M>(thoughts: &[ThinkOutcome<M>]) -> u64 {
    thoughts.iter().map(|thought| thought.nodes).sum()
}

/// Far fewer nodes, and mostly the same moves.
#[test]
fn it_leaves_out_much_that_does_not_matter() {
    let full = thoughts::<Othello>(session(WITHOUT, None), 7);
    let cut = thoughts::<Othello>(session(WITH, None), 7);
    assert!(nodes(&cut) * 2 < nodes(&full), "{} of {}", nodes(&cut), nodes(&full));
    let same = full.iter().zip(&cut).filter(|(full, cut)| full.best == cut.best).count();
    assert!(same >= 8, "{same}");
}

/// A game without forecasts and weights without forecasts are searched as if it were off.
#[test]
fn without_forecasts_nothing_changes() {
    let bare = include_str!("../../engines/weights/othello.toml");
    let (bare, _) = bare.split_once("\n[[forecast]]").unwrap();
    let [on, off] = [WITH, WITHOUT].map(|steps| {
        let chess = nodes(&thoughts::<Chess>(session(steps, None), 4));
        (chess, nodes(&thoughts::<Othello>(session(steps, Some(bare)), 6)))
    });
    assert_eq!(on, off);
    let forecast = nodes(&thoughts::<Othello>(session(WITH, None), 6));
    assert!(forecast < off.1);
}

/// Near the end nothing is left to chance: there are no forecasts, and values are exact.
#[test]
fn the_end_is_left_to_the_solver() {
    let suite = Othello::suite(include_str!("../../positions/ffo.obf")).unwrap();
    let mut solver = Solver::with_table(1 << 20).unwrap();
    for problem in &suite[..3] {
        // The position of the suite with a few moves of best play made.
        let solution = solver.solve(&problem.position.board, &Default::default()).unwrap();
        let mut position = problem.position;
        for &mv in &solution.pv {
            if position.board.empties().len() <= 10 {
                break;
            }
            position = Othello::played(&position, mv).unwrap();
        }
        let board: Board = position.board;
        let tree = Othello::new(board, Evaluator::default());
        assert!((0..64).all(|depth| tree.probcut_forecasts(&board, depth).is_empty()));
        let mut session = session::<Othello>(WITH, None);
        session.set_position(position);
        let request = ThinkRequest::on(GoLimits { depth: Some(20), ..GoLimits::default() });
        let value = session.think(&request, &mut |_| {}).value;
        let exact = solver.solve(&board, &Default::default()).unwrap().score;
        assert_eq!(value, exact * plyground::othello::DISC);
    }
}
