//! Processes that are woken at moments of every kind: on a tree whose leaves take their time.

use plyground::tree::Explicit;
use rand::RngExt;

use crate::laboratory::trees::{any_tree, chance, minimax, options};
use crate::odd_trees::OddTree;
use crate::searching::search;

/// The value is found, or the memory locks; returns how often it did.
fn locks(tree: Explicit, id: &str, times: usize) -> usize {
    let (value, options) = (minimax(&tree, &mut Vec::new()), options(&tree));
    let (slow, algorithm) = (OddTree::slow(tree.clone()), id.parse().unwrap());
    let locked = (0..times).filter(|_| match search(&slow, &algorithm, &options) {
        Ok(outcome) => {
            assert_eq!(outcome.value, Some(value), "{id} on {}", tree);
            false
        }
        Err(_) => true,
    });
    locked.count()
}

/// A process with nothing ACTIVE waits for what is away, and waits on if it is woken for another reason.
#[test]
fn with_nothing_active() {
    let text = "(((-621517 971752 460072) (-811842 475558 279029 143014 -791023)) ((-686987 -12845 \
                722767 910309 -437041) (984802) (977875)) ((329811 207064 -443190 502139) (902128) \
                (181114 -172974 -97021) (395199) (121463 541907 981008 -448744)) ((-332174 643787) \
                (346557 350575 -765034 96444) (624842)))";
    for id in ["paritersss:3:5", "paritersss:4:5", "paritersss:8:6"] {
        locks(text.parse().unwrap(), id, 500);
    }
}

#[test]
fn with_too_little_memory() {
    let mut rng = chance(83);
    let mut locked = 0;
    for _ in 0..150 {
        let tree = any_tree(&mut rng);
        let id = format!("paritersss:{}:{}", rng.random_range(2..9), rng.random_range(3..12));
        locked += locks(tree, &id, 5);
    }
    assert!(locked > 0);
}
