//! Processes that are woken at moments of every kind: on a tree whose leaves take their time.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use plyground::search::{Unwatched, search};
use plyground::tree::{Explicit, GameTree, mix};
use plyground::value::Value;
use rand::RngExt;

use crate::laboratory::trees::{any_tree, chance, minimax, options};

/// A tree whose leaves take now no time, now a while; which do changes each time.
struct Slow {
    tree: Explicit,
    evaluated: AtomicU64,
}

impl GameTree for Slow {
    type Node = <Explicit as GameTree>::Node;
    type Move = u32;
    type Moves = <Explicit as GameTree>::Moves;
    const TRANSPOSES: bool = false;

    fn root(&self) -> Self::Node {
        self.tree.root()
    }

    fn moves(&self, node: &Self::Node, moves: &mut Self::Moves) {
        self.tree.moves(node, moves);
    }

    fn child(&self, node: &Self::Node, mv: u32) -> Self::Node {
        self.tree.child(node, mv)
    }

    fn evaluate(&self, node: &Self::Node) -> Value {
        match mix(self.evaluated.fetch_add(1, Relaxed), 5) % 8 {
            0..4 => {}
            4..7 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(30)),
        }
        self.tree.evaluate(node)
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        self.tree.value_range()
    }

    fn key(&self, node: &Self::Node) -> u64 {
        self.tree.key(node)
    }

    fn code(&self, mv: u32) -> u16 {
        self.tree.code(mv)
    }
}

/// The value is found, or the memory locks; returns how often it did.
fn locks(tree: Explicit, id: &str, times: usize) -> usize {
    let (value, options) = (minimax(&tree, &mut Vec::new()), options(&tree));
    let (slow, algorithm) = (Slow { tree, evaluated: AtomicU64::new(0) }, id.parse().unwrap());
    let locked = (0..times).filter(|_| match search(&slow, &algorithm, &options, Unwatched) {
        Ok((outcome, _)) => {
            assert_eq!(outcome.value, Some(value), "{id} on {}", slow.tree);
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
