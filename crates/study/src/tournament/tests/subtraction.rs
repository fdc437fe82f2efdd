//! The subtraction game: a heap of 21 counters, each side takes one to three, and the side that takes
//! the last one wins. It defines nothing but what a game must define.

use std::fmt;
use std::ops::RangeInclusive;

use plyground_core::tree::{GameTree, mix};
use plyground_core::value::Value;
use plyground_engine::game::{Game, GameError, Seat};

/// The counters that are left, and whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    left: u32,
    mover: Seat,
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.mover.index() + 1)
    }
}

pub struct Subtraction(Heap);

impl GameTree for Subtraction {
    type Node = Heap;
    type Move = u32;
    type Moves = Vec<u32>;

    fn root(&self) -> Heap {
        self.0
    }

    fn moves(&self, heap: &Heap, moves: &mut Vec<u32>) {
        moves.extend(1..=heap.left.min(3));
    }

    fn child(&self, heap: &Heap, taken: u32) -> Heap {
        Heap { left: heap.left - taken, mover: heap.mover.other() }
    }

    fn evaluate(&self, heap: &Heap) -> Value {
        if heap.left == 0 { -1 } else { 0 }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -1..=1
    }

    fn key(&self, heap: &Heap) -> u64 {
        mix(heap.left.into(), heap.mover.index() as u64)
    }

    fn code(&self, taken: u32) -> u16 {
        taken as u16
    }
}

impl Game for Subtraction {
    type Position = Heap;
    type Evaluator = ();
    const NAME: &'static str = "subtraction";

    fn from_position(heap: &Heap, (): ()) -> Subtraction {
        Subtraction(*heap)
    }

    fn position(text: &str) -> Result<Heap, GameError> {
        let (left, mover) =
            if text.is_empty() { ("21", "1") } else { text.split_at(text.len() - 2) };
        let wrong = || GameError::Text(format!("`{text}`: expected counters and a side"));
        let mover = if mover.trim() == "1" { Seat::First } else { Seat::Second };
        Ok(Heap { left: left.parse().map_err(|_| wrong())?, mover })
    }

    fn played(heap: &Heap, taken: u32) -> Option<Heap> {
        (1..=heap.left.min(3)).contains(&taken).then(|| Subtraction(*heap).child(heap, taken))
    }

    fn mover(heap: &Heap) -> Seat {
        heap.mover
    }

    fn move_text(_: &Heap, taken: u32) -> String {
        taken.to_string()
    }

    fn picture(heap: &Heap) -> String {
        "o".repeat(heap.left as usize) + "\n"
    }
}
