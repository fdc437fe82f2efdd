//! The steps of selective search: each is a switch that does something, and none is needed for a
//! legal move or a right value.

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::othello::Othello;
use plyground::profile::Profile;
use plyground::search::algorithms::AlphaBeta;
use plyground::search::play::PlaySwitches;
use plyground::search::{SearchSpec, Workspace};
use plyground::session::{GoLimits, Session, ThinkRequest};
use plyground::tree::PlayTree;

/// Every step by its name in a profile. The scheme of threads is none: it is not on or off.
fn switches() -> Vec<String> {
    let all = serde_json::to_value(PlaySwitches::ALL).unwrap();
    let steps = all.as_object().unwrap().iter().filter(|(_, value)| value.is_boolean());
    steps.map(|(name, _)| name.clone()).collect()
}

/// All steps but one.
fn without(name: &str) -> PlaySwitches {
    let mut steps = serde_json::to_value(PlaySwitches::ALL).unwrap();
    steps[name] = false.into();
    serde_json::from_value(steps).unwrap()
}

fn session<G: Game>(steps: PlaySwitches) -> Session<G> {
    let mut profile = Profile::standard(G::door()).unwrap();
    profile.play = Some(steps);
    Session::new(profile).unwrap()
}

/// The nodes of searches of the game's first positions for experiments.
fn nodes<G: Game>(steps: PlaySwitches, depth: u32, count: usize) -> u64 {
    let mut session = session::<G>(steps);
    let mut sum = 0;
    for problem in G::suite(G::EXPERIMENTS).unwrap().into_iter().take(count) {
        session.clear();
        session.set_position(problem.position);
        let request = ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() });
        sum += session.think(&request, &mut |_| {}).nodes;
    }
    sum
}

#[test]
fn every_switch_changes_the_search() {
    let all = nodes::<Chess>(PlaySwitches::ALL, 9, 3);
    let othello = nodes::<Othello>(PlaySwitches::ALL, 7, 3);
    for name in switches() {
        let steps = without(&name);
        match name.as_str() {
            // Only where there is time to solve an ending: see below.
            "solver" => continue,
            "multi-probcut" => assert_ne!(nodes::<Othello>(steps, 7, 3), othello, "{name}"),
            // Rarer than the others.
            "mate-threats" => {
                let all = nodes::<Chess>(PlaySwitches::ALL, 10, 20);
                assert_ne!(nodes::<Chess>(steps, 10, 20), all, "{name}");
            }
            _ => assert_ne!(nodes::<Chess>(steps, 9, 3), all, "{name}"),
        }
    }
}

#[test]
fn endings_are_solved_if_that_is_wanted() {
    let ending = Othello::suite(include_str!("../../positions/ffo.obf")).unwrap();
    let mut told = Vec::new();
    for steps in [PlaySwitches::ALL, without("solver")] {
        let mut session = session::<Othello>(steps);
        session.set_position(ending[0].position);
        let mut request = ThinkRequest::on(GoLimits::default());
        request.limits.move_time = Some(std::time::Duration::from_secs(2));
        let mut depths = Vec::new();
        let stop = plyground::limits::StopFlag::new();
        request.stop = stop.clone();
        session.think(&request, &mut |report| {
            depths.push(report.depth);
            stop.raise();
        });
        told.push(depths[0]);
    }
    // The first thing that is told is the whole ending, or the first iteration.
    assert!(told[0] >= 13 && told[1] == 1, "{told:?}");
}

/// With no step at all the search is a full-width one with the laboratory's leaves.
#[test]
fn without_steps_the_value_is_minimax_s() {
    fn check<G: Game + PlayTree>(depth: u32) {
        let steps = PlaySwitches { quiescence: G::NAME == Othello::NAME, ..PlaySwitches::NONE };
        for problem in G::suite(G::EXPERIMENTS).unwrap().into_iter().take(5) {
            let mut session = session::<G>(steps);
            session.set_position(problem.position.clone());
            let request = ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() });
            let thought = session.think(&request, &mut |_| {});
            let evaluator = Profile::standard(G::door()).unwrap().evaluator.evaluator::<G>();
            let tree = G::from_position(&problem.position, evaluator.unwrap());
            if G::NAME == Othello::NAME {
                let spec = SearchSpec::new(&AlphaBeta.into(), depth);
                let outcome = G::search(&tree, &mut Workspace::new(), &spec, None).unwrap();
                assert_eq!(Some(thought.value), outcome.value, "{}", problem.position);
            } else {
                let value = plain(&tree, &tree.root(), depth);
                assert_eq!(thought.value, value, "{}", problem.position);
            }
        }
    }
    /// Negamax with evaluations at the horizon.
    fn plain<G: Game + PlayTree>(tree: &G, node: &G::Node, depth: u32) -> i32 {
        use plyground::tree::MoveList;
        let mut moves = G::Moves::default();
        tree.moves(node, &mut moves);
        if depth == 0 || moves.is_empty() || tree.is_drawn(node) {
            return if tree.is_drawn(node) { 0 } else { tree.evaluate(node) };
        }
        let below = |i| -plain(tree, &tree.child(node, moves.at(i)), depth - 1);
        (0..moves.len()).map(below).max().unwrap()
    }
    check::<Othello>(5);
    check::<Chess>(3);
}
