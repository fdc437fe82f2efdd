use super::*;
use plyground_engine::game::Game;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_search::catalogue;

const TREE: &str = "((((3 12) (8 1)) ((2 4) (6 9))) (((14 5) (2 7)) ((1 3) (4 4))))";

fn film(tree: &str, id: &str) -> Json {
    let tree: Explicit = tree.parse().unwrap();
    replay(&ReplaySubject::Written(&tree), &ReplayOptions::new(id).unwrap()).unwrap()
}

fn to_depth(id: &str, depth: u32) -> ReplayOptions {
    let mut options = ReplayOptions::new(id).unwrap();
    options.options.depth = depth;
    options
}

/// The cut-offs of a film: the names of the nodes and the reasons.
fn cuts(film: &Json) -> Vec<(usize, String)> {
    let steps = film["steps"].as_array().unwrap();
    let all = steps.iter().filter_map(|step| step["cut"].as_array()).flatten();
    all.map(|cut| (cut["nodes"].as_array().unwrap().len(), cut["why"].as_str().unwrap().into()))
        .collect()
}

#[test]
fn the_last_step_has_the_counts_of_the_search() {
    for text in [TREE, "((3 12 8) (2 4 6) (14 5 2))", "7", "(1 (2 3))"] {
        for id in catalogue().flat_map(|entry| entry.examples) {
            let film = film(text, id);
            let result = &film["result"];
            let steps = film["steps"].as_array().unwrap();
            let last = &steps.last().unwrap()["c"];
            assert_eq!(last[0], result["leaves"], "{id} on {text}");
            assert_eq!(last[1], result["visits"], "{id} on {text}");
            // Some searches judge nodes above the leaves too.
            let evaluated = |step: &&Json| step["e"] == "leaf" || step["e"] == "judged";
            let evaluations = steps.iter().filter(evaluated).count();
            assert_eq!(json!(evaluations), result["evaluations"], "{id} on {text}");
            assert!(steps.iter().all(|step| step["t"].as_str().unwrap().ends_with(['.', '?'])));
        }
    }
}

#[test]
fn every_unvisited_leaf_is_cut_off_once_with_a_reason() {
    for id in ["alpha-beta", "sss", "dual", "ps:2", "mtd-f", "scout", "pvs", "sss-2-tree"] {
        let film = film(TREE, id);
        let parent: Vec<usize> = serde_json::from_value(film["nodes"]["parent"].clone()).unwrap();
        let count: Vec<usize> = serde_json::from_value(film["nodes"]["count"].clone()).unwrap();
        let mut state = vec![' '; parent.len()];
        for step in film["steps"].as_array().unwrap() {
            if step["e"] == "leaf" {
                state[step["n"].as_u64().unwrap() as usize] = 'v';
            }
            for cut in step["cut"].as_array().into_iter().flatten() {
                for node in cut["nodes"].as_array().unwrap() {
                    let node = node.as_u64().unwrap() as usize;
                    assert_eq!(state[node], ' ', "{id}: {node} was visited or cut before");
                    state[node] = 'c';
                }
            }
        }
        for leaf in (0..parent.len()).filter(|node| count[*node] == 0) {
            let mut above = leaf;
            while above != 0 && state[above] == ' ' {
                above = parent[above];
            }
            assert!(state[above] != ' ', "{id}: leaf {leaf} is neither visited nor cut");
        }
    }
}

#[test]
fn cut_offs_are_explained() {
    let told = cuts(&film("((3 12 8) (2 4 6) (14 5 2))", "alpha-beta"));
    assert_eq!(
        told[0].1,
        "MIN 1 is worth at most 2, but MAX can already get 3 at the root: 1 will not be played, so \
         1.1 and 1.2 cannot matter."
    );
    assert_eq!(told.len(), 1);
    // SSS* solves MIN 2, worth 2, before MIN 0.
    let told = cuts(&film("((3 12 8) (2 4 6) (14 5 2))", "sss"));
    assert!(told[0].1.contains("MAX can already get 2 at the root"), "{told:?}");
    let told = cuts(&film("((3 12 8) (2 4 6) (14 5 2))", "mtd-f:50"));
    assert!(told.iter().any(|(_, why)| why.contains("the question of this window")), "{told:?}");
    // MIN 1.0.0 is at most 4, and the root has 5 three plies above it.
    let told = cuts(&film("((5 9) (((4 8) 7) 6))", "alpha-beta"));
    assert!(told[0].1.contains("(a deep cut-off)"), "{told:?}");
}

#[test]
fn positions_are_watched_by_their_moves() {
    for (game, position, depth) in [(Othello::door(), "f5d6", 3), (Chess::door(), "", 2)] {
        let line = game.start(position).unwrap();
        let weights = Weights::Standard;
        let subject = ReplaySubject::Position { line: &*line, weights: &weights };
        for id in ["alpha-beta", "sss", "mtd-f"] {
            let film = replay(&subject, &to_depth(id, depth)).unwrap();
            let steps = film["steps"].as_array().unwrap();
            assert_eq!(steps.last().unwrap()["c"][1], film["result"]["visits"], "{id}");
            let labels = film["nodes"]["label"].as_array().unwrap();
            assert!(labels[1..].iter().all(|label| !label.as_str().unwrap().is_empty()));
            assert!(labels.contains(&film["result"]["best_shown"]), "{id}");
        }
    }
}

#[test]
fn every_iteration_begins_anew() {
    let line = Othello::door().start("f5d6").unwrap();
    let weights = Weights::Standard;
    let subject = ReplaySubject::Position { line: &*line, weights: &weights };
    for id in ["alpha-beta", "sss", "mtd-f"] {
        let mut options = to_depth(id, 3);
        options.options.deepening = true;
        let film = replay(&subject, &options).unwrap();
        let steps = film["steps"].as_array().unwrap();
        assert_eq!(steps.last().unwrap()["c"][1], film["result"]["visits"], "{id}");
        let parent: Vec<usize> = serde_json::from_value(film["nodes"]["parent"].clone()).unwrap();
        let depth = |mut node: usize| {
            let mut depth = 0;
            while node != 0 {
                (node, depth) = (parent[node], depth + 1);
            }
            depth
        };
        let (mut horizon, mut begun) = (0, Vec::new());
        for step in steps {
            if step["e"] == "iteration" {
                horizon = step["d"].as_u64().unwrap();
                begun.push(horizon);
            }
            let cuts = step["cut"].as_array().into_iter().flatten();
            let cut = cuts.flat_map(|cut| cut["nodes"].as_array().unwrap());
            for node in cut.chain((step["e"] == "leaf").then_some(&step["n"])) {
                let deep = depth(node.as_u64().unwrap() as usize);
                assert!(deep <= horizon, "{id}: {node} is below the horizon {horizon}");
            }
        }
        assert_eq!(begun, [1, 2, 3], "{id}");
    }
    let tree: Explicit = TREE.parse().unwrap();
    let mut options = ReplayOptions::new("pvs").unwrap();
    options.options.deepening = true;
    let told = replay(&ReplaySubject::Written(&tree), &options).unwrap_err().to_string();
    assert!(told.contains("expected no deepening"), "{told}");
}

#[test]
fn each_process_has_an_open_list_of_its_own() {
    let film = film(TREE, "parsss:3");
    let steps = film["steps"].as_array().unwrap();
    let lists = steps.iter().filter_map(|step| step["open"].as_array()).flatten();
    let of: Vec<u64> = lists.map(|list| list["p"].as_u64().unwrap()).collect();
    assert!((1..=3).all(|process| of.contains(&process)), "{of:?}");
    assert!(!of.contains(&0), "no list without a process");
    // The second process begins with what it was given.
    let second = steps.iter().flat_map(|step| step["open"].as_array().into_iter().flatten());
    let first = second.into_iter().find(|list| list["p"] == 2).unwrap();
    assert_eq!(first["states"], json!([[2, "LIVE", null, true]]));
}

#[test]
fn what_is_too_large_is_refused_or_cut_short() {
    let wide = format!("({})", "1 ".repeat(MOST_NODES));
    let tree: Explicit = wide.parse().unwrap();
    let told = replay(&ReplaySubject::Written(&tree), &ReplayOptions::new("minimax").unwrap());
    assert!(told.unwrap_err().to_string().contains("expected a smaller one"));
    let line = Chess::door().start("").unwrap();
    let weights = Weights::Standard;
    let subject = ReplaySubject::Position { line: &*line, weights: &weights };
    let film = replay(&subject, &to_depth("minimax", 4)).unwrap();
    assert_eq!(film["truncated"], true);
    assert_eq!(film["steps"].as_array().unwrap().len(), MOST_STEPS);
}
