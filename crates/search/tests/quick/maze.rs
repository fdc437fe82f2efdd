//! A game that has everything play may ask for: captures that lose and captures that win, checks,
//! mates, null moves, positions with one reply, repetitions, drawn positions, forecasts. Its rules are
//! a hash.

use std::ops::RangeInclusive;

use plyground_core::tree::{CORRECTIONS, Forecast, GameTree, MoveList, PlayTree, mix};
use plyground_core::value::{MATE, Value, Window};

/// A place in the maze, and what the side to move has more than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    place: u16,
    side: bool,
    material: i16,
    /// The plies since the last capture.
    quiet: u8,
}

/// The maze, from a place on. A game with forecasts is played with multi-probcut.
#[derive(Clone, Debug)]
pub struct Maze {
    root: Place,
    forecasts: Vec<Forecast>,
}

/// The moves of a place; those that win something lead.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    moves: Vec<u8>,
    leading: usize,
}

impl MoveList for Steps {
    type Move = u8;

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn at(&self, index: usize) -> u8 {
        self.moves[index]
    }

    fn leading(&self) -> usize {
        self.leading
    }
}

/// Moves from here on are captures.
const CAPTURES: u8 = 4;

impl Maze {
    pub fn new(seed: u64) -> Maze {
        let place = mix(seed, 5) as u16;
        let root = Place { place, side: false, material: 0, quiet: 0 };
        Maze { root, forecasts: Vec::new() }
    }

    pub fn with_forecasts(mut self) -> Maze {
        let forecast = |depth, error| Forecast { depth, slope: 0.9, offset: 3.0, error };
        self.forecasts = vec![forecast(1, 40.0), forecast(2, 30.0)];
        self
    }

    fn word(node: &Place, about: u64) -> u64 {
        mix(u64::from(node.place) << 1 | u64::from(node.side), about)
    }

    /// What a capture wins.
    fn gain(node: &Place, mv: u8) -> i16 {
        (Maze::word(node, 100 + u64::from(mv)) % 7) as i16 * 60 - 120
    }

    fn is_capture(node: &Place, mv: u8) -> bool {
        Maze::word(node, 200 + u64::from(mv)).is_multiple_of(3)
    }

    fn is_step(node: &Place, mv: u8) -> bool {
        !Maze::word(node, 300 + u64::from(mv)).is_multiple_of(4)
    }

    fn positional(node: &Place) -> Value {
        let word = mix(u64::from(node.place), 9);
        let value = (word % 81) as Value - 40;
        if node.side { -value } else { value }
    }

    fn captures(node: &Place) -> impl Iterator<Item = u8> + '_ {
        (CAPTURES..CAPTURES + 4).filter(|&mv| Maze::is_capture(node, mv))
    }

    fn steps(node: &Place) -> impl Iterator<Item = u8> + '_ {
        (0..CAPTURES).filter(|&mv| Maze::is_step(node, mv))
    }

    fn is_over(node: &Place) -> bool {
        Maze::word(node, 1).is_multiple_of(29)
    }
}

impl GameTree for Maze {
    type Node = Place;
    type Move = u8;
    type Moves = Steps;
    const MATES: bool = true;
    const HISTORY_SIZE: usize = 64;

    fn root(&self) -> Place {
        self.root
    }

    fn moves(&self, node: &Place, moves: &mut Steps) {
        self.noisy_moves(node, moves);
        self.quiet_moves(node, moves);
    }

    fn child(&self, node: &Place, mv: u8) -> Place {
        let side = !node.side;
        if mv < CAPTURES {
            // A step can be undone two plies later: it turns over one bit, of four for each side.
            let place = node.place ^ 1 << (mv + if node.side { 4 } else { 0 });
            return Place { place, side, material: -node.material, quiet: node.quiet + 1 };
        }
        let place = Maze::word(node, 400 + u64::from(mv)) as u16;
        let material = (node.material + Maze::gain(node, mv)).clamp(-3000, 3000);
        Place { place, side, material: -material, quiet: 0 }
    }

    fn evaluate(&self, node: &Place) -> Value {
        let mut moves = Steps::default();
        self.moves(node, &mut moves);
        match moves.len() {
            0 if self.in_check(node) => -MATE,
            0 => 0,
            _ => self.static_eval(node),
        }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        -MATE..=MATE
    }

    fn key(&self, node: &Place) -> u64 {
        let material = if node.side { -node.material } else { node.material };
        mix(u64::from(node.place) << 1 | u64::from(node.side), material as u64)
    }

    fn code(&self, mv: u8) -> u16 {
        mv.into()
    }

    fn history_index(&self, node: &Place, mv: u8) -> usize {
        usize::from(mv) * 8 + usize::from(node.place) % 8
    }
}

impl PlayTree for Maze {
    const UNIT: Value = 50;
    const REPEATS: bool = true;

    fn reversible(&self, node: &Place) -> u32 {
        node.quiet.into()
    }

    fn is_drawn(&self, node: &Place) -> bool {
        node.quiet > 20 || mix(node.place.into(), 8).is_multiple_of(53)
    }

    fn in_check(&self, node: &Place) -> bool {
        Maze::word(node, 2).is_multiple_of(4)
    }

    fn is_forced(&self, node: &Place) -> bool {
        let mut moves = Steps::default();
        self.moves(node, &mut moves);
        moves.len() == 1
    }

    fn null_move(&self, node: &Place) -> Option<Place> {
        let allowed = !self.in_check(node) && !Maze::word(node, 3).is_multiple_of(5);
        let passed = Place { side: !node.side, material: -node.material, quiet: 0, ..*node };
        allowed.then_some(passed)
    }

    fn static_eval(&self, node: &Place) -> Value {
        Value::from(node.material) + Maze::positional(node)
    }

    fn correction_keys(&self, node: &Place) -> Option<[u64; CORRECTIONS]> {
        let material = node.material.unsigned_abs().into();
        Some([mix(material, 21), mix(u64::from(node.place) % 8, 22), mix(node.quiet.into(), 23)])
    }

    fn quiesce_in_play(&self, node: &Place, window: Window, nodes: &mut u64) -> Value {
        // One capture deep, and only if it is needed.
        let value = self.evaluate(node);
        if self.in_check(node) || value >= window.beta || value.abs() >= MATE {
            return value;
        }
        let mut moves = Steps::default();
        self.noisy_moves(node, &mut moves);
        let after = moves.moves[..moves.leading].iter().map(|&mv| {
            *nodes += 1;
            -self.static_eval(&self.child(node, mv))
        });
        after.max().map_or(value, |best| best.max(value))
    }

    fn is_quiet(&self, _: &Place, mv: u8) -> bool {
        mv < CAPTURES
    }

    fn noisy_moves(&self, node: &Place, moves: &mut Steps) {
        if !Maze::is_over(node) {
            moves.moves.extend(Maze::captures(node).filter(|&mv| Maze::gain(node, mv) >= 0));
            moves.leading = moves.moves.len();
            moves.moves.extend(Maze::captures(node).filter(|&mv| Maze::gain(node, mv) < 0));
        }
    }

    fn quiet_moves(&self, node: &Place, moves: &mut Steps) {
        if !Maze::is_over(node) {
            moves.moves.extend(Maze::steps(node));
        }
    }

    fn quiet_score(&self, node: &Place, mv: u8) -> i32 {
        (Maze::word(node, 500 + u64::from(mv)) % 2000) as i32
    }

    fn see_below(&self, node: &Place, mv: u8, loss: Value) -> bool {
        let gain = if mv < CAPTURES {
            -((Maze::word(node, 600 + u64::from(mv)) % 200) as Value)
        } else {
            Maze::gain(node, mv).into()
        };
        gain < -loss
    }

    fn probcut_forecasts(&self, _: &Place, depth: u32) -> &[Forecast] {
        if depth >= 4 { &self.forecasts } else { &[] }
    }
}
