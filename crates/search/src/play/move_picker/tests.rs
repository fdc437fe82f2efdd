//! The picker on a tree of its own: a node with quiet moves, captures that win and captures that lose.

use std::ops::RangeInclusive;

use super::*;
use crate::play::history::NO_INDEX;
use crate::table::NO_MOVE;
use plyground_core::tree::{GameTree, mix};
use plyground_core::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Winning,
    Quiet,
    Losing,
}

/// A move: its code and what kind of move it is.
type Move = (u16, Kind);

/// A list that knows how many of its moves lead.
#[derive(Clone, Debug, Default)]
struct Listed {
    moves: Vec<Move>,
    leading: usize,
}

impl MoveList for Listed {
    type Move = Move;

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn at(&self, index: usize) -> Move {
        self.moves[index]
    }

    fn leading(&self) -> usize {
        self.leading
    }
}

/// A tree whose every node has these moves, in this order.
struct Moves(Vec<Move>);

impl Moves {
    /// Moves of all kinds in a disorder that depends on the seed.
    fn new(seed: u64, winning: usize, quiet: usize, losing: usize) -> Moves {
        let kinds = [(Kind::Winning, winning), (Kind::Quiet, quiet), (Kind::Losing, losing)];
        let all = kinds.into_iter().flat_map(|(kind, count)| std::iter::repeat_n(kind, count));
        let mut moves: Vec<Move> = (0..).zip(all).collect();
        moves.sort_by_key(|&(code, _)| mix(seed, code.into()));
        Moves(moves)
    }

    fn fill(&self, list: &mut Listed, wanted: impl Fn(Kind) -> bool) {
        list.moves.extend(self.0.iter().filter(|(_, kind)| wanted(*kind)));
        list.moves.sort_by_key(|&(_, kind)| kind == Kind::Losing);
        list.leading = list.moves.iter().filter(|(_, kind)| *kind == Kind::Winning).count();
    }
}

impl GameTree for Moves {
    type Node = ();
    type Move = Move;
    type Moves = Listed;
    const HISTORY_SIZE: usize = 512;

    fn root(&self) {}

    fn moves(&self, _: &(), moves: &mut Listed) {
        moves.moves.extend(&self.0);
    }

    fn child(&self, _: &(), _: Move) {}

    fn evaluate(&self, _: &()) -> Value {
        0
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        0..=0
    }

    fn key(&self, _: &()) -> u64 {
        0
    }

    fn code(&self, (code, _): Move) -> u16 {
        code
    }
}

impl PlayTree for Moves {
    fn is_quiet(&self, _: &(), (_, kind): Move) -> bool {
        kind == Kind::Quiet
    }

    fn noisy_moves(&self, _: &(), moves: &mut Listed) {
        self.fill(moves, |kind| kind != Kind::Quiet);
    }

    fn quiet_moves(&self, _: &(), moves: &mut Listed) {
        self.fill(moves, |kind| kind == Kind::Quiet);
    }

    /// Few different scores, so that there are equals.
    fn quiet_score(&self, _: &(), (code, _): Move) -> i32 {
        i32::from(code % 5) * 1_000 - 2_000
    }
}

fn picked(
    tree: &Moves,
    first: Option<Move>,
    staged: bool,
    history: &PlayHistory,
    context: PickerContext,
) -> Vec<(Move, Stage)> {
    let mut picker = MovePicker::<Moves>::new(first, staged);
    std::iter::from_fn(|| picker.next(tree, &(), history, context)).collect()
}

fn context(refutations: [u16; 3]) -> PickerContext {
    PickerContext { ply: 1, before: [NO_INDEX; 2], refutations }
}

/// Whatever the table and the killers say, every move comes once, in its stage.
#[test]
fn every_move_comes_once() {
    let history = PlayHistory::new(Moves::HISTORY_SIZE);
    // The last ones have as many quiet moves as are scored, and more.
    let shapes = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 0, 2), (4, 9, 3), (1, 70, 6)]
        .into_iter()
        .chain([(1, MAX_SCORED, 1), (2, MAX_SCORED + 30, 3)]);
    for (seed, (winning, quiet, losing)) in (0..).zip(shapes) {
        let tree = Moves::new(seed, winning, quiet, losing);
        let mut all = tree.0.clone();
        all.sort();
        let code = |number: usize| all.get(number).map_or(NO_MOVE, |&(code, _)| code);
        // Killers may be quiet moves, captures, moves of other nodes, and the same one twice.
        let killers = [
            [NO_MOVE; 3],
            [code(0), NO_MOVE, code(winning)],
            [code(winning + 1), code(winning), code(winning + quiet)],
            [code(winning); 3],
            [500, code(winning + 2), 501],
        ];
        let firsts: Vec<_> = all.iter().map(|&mv| Some(mv)).chain([None]).collect();
        for (first, refutations) in firsts.iter().flat_map(|&f| killers.map(|killers| (f, killers)))
        {
            for staged in [true, false] {
                let picked = picked(&tree, first, staged, &history, context(refutations));
                let mut moves: Vec<Move> = picked.iter().map(|&(mv, _)| mv).collect();
                let (table, rest) = picked.split_at(usize::from(first.is_some()));
                assert!(
                    table.iter().all(|&picked| Some(picked) == first.map(|f| (f, Stage::Table)))
                );
                for &((code, kind), stage) in rest {
                    let expected = match kind {
                        Kind::Quiet => Stage::Quiet,
                        Kind::Losing if staged => Stage::BadNoisy,
                        _ => Stage::GoodNoisy,
                    };
                    assert_eq!(stage, expected, "{code}");
                }
                if staged {
                    assert!(rest.is_sorted_by_key(|&(_, stage)| stage), "{rest:?}");
                } else {
                    let others = tree.0.iter().filter(|&&mv| Some(mv) != first);
                    assert!(rest.iter().map(|(mv, _)| mv).eq(others), "{rest:?}");
                }
                moves.sort();
                assert_eq!(moves, all, "{first:?} {refutations:?} {staged}");
            }
        }
    }
}

/// Killers and the counter-move come first, then the best by history and score; of equals, the first
/// of the tree's own order.
#[test]
fn quiet_moves_come_in_the_order_of_their_scores() {
    let tree = Moves::new(7, 0, 60, 0);
    let history = PlayHistory::new(Moves::HISTORY_SIZE);
    for code in (0..60).step_by(7) {
        history.update(1, [NO_INDEX; 2], code, if code % 2 == 0 { 1_400 } else { -1_400 });
    }
    let refutations = [33, 8, 59];
    let picked = picked(&tree, None, true, &history, context(refutations));
    let codes: Vec<u16> = picked.iter().map(|&((code, _), _)| code).collect();
    assert_eq!(codes[..3], refutations);
    let mut expected = tree.0.clone();
    expected.retain(|(code, _)| !refutations.contains(code));
    let score = |mv: Move| {
        history.score(1, [NO_INDEX; 2], tree.history_index(&(), mv)) + tree.quiet_score(&(), mv)
    };
    expected.sort_by_key(|&mv| -score(mv));
    assert!(codes[3..].iter().eq(expected.iter().map(|(code, _)| code)));
    assert!(score(expected[0]) > score(expected[20]));
}
