//! Searches of random trees against minimax: every algorithm of the catalogue, with every memory, with
//! deepening, within limits.

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{
    Explicit, GameTree, LabNode, LabTree, MoveList, Swapped, Synthetic, TreeOrdering, mix,
};
use plyground_core::value::Value;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, MemoryFunctions, Options, Proves, SearchError, SearchSpec, Update, catalogue,
    laboratory,
};

use crate::Target;

pub const TARGETS: &[Target] = &[Target {
    name: "search",
    run: search,
    dictionary: &[],
    built_in: &[],
    longest: 256,
    patience: 60,
}];

/// The bytes of an input, one decision after the other; zeros at the end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n
    }

    fn flag(&mut self) -> bool {
        self.next() & 1 == 1
    }
}

/// A written tree: the bytes are its shape and its values.
fn written(bytes: &mut Bytes<'_>, height: usize, text: &mut String) {
    let byte = bytes.next();
    if height == 0 || byte & 7 == 0 {
        let value = Value::from(byte.cast_signed());
        text.push_str(
            &match byte % 5 {
                0 => value * 7_000_000,
                1 => value / 60,
                _ => value,
            }
            .to_string(),
        );
        return;
    }
    text.push('(');
    for child in 0..1 + usize::from(byte >> 4) % 5 {
        if child > 0 {
            text.push(' ');
        }
        written(bytes, height - 1, text);
    }
    text.push(')');
}

fn tree(bytes: &mut Bytes<'_>) -> Option<LabTree> {
    let kind = bytes.below(4);
    if kind == 0 {
        let height = bytes.below(6);
        let mut text = String::new();
        written(bytes, height, &mut text);
        return text.parse::<Explicit>().ok().map(Into::into);
    }
    let depth = bytes.below(6);
    let width = 1 + bytes.below([8, 8, 6, 5, 4, 3][depth]);
    let values = 1 + Value::from(bytes.next()) * [1, 1, 40, 3_000_000][bytes.below(4)];
    let seed = mix(bytes.next().into(), bytes.next().into());
    match kind {
        1 => Synthetic::independent(width, depth, values, seed).ok().map(Into::into),
        2 => {
            let ordering = match bytes.flag() {
                true => TreeOrdering::Strong,
                false => TreeOrdering::Probable {
                    order: 1 + bytes.below(width),
                    probability: f64::from(bytes.next()) / 255.0,
                },
            };
            let root = (mix(seed, 1) % values as u64) as Value;
            Synthetic::ordered(width, depth, values, root, seed, ordering).ok().map(Into::into)
        }
        _ => {
            let probability = f64::from(bytes.next()) / 255.0;
            Swapped::new(width, depth, values, probability, seed).map(Into::into)
        }
    }
}

/// The value by the definition.
fn minimax(tree: &LabTree, node: &LabNode, depth: u32) -> Value {
    let mut moves = <LabTree as GameTree>::Moves::default();
    if depth > 0 {
        tree.moves(node, &mut moves);
    }
    let values =
        (0..moves.len()).map(|i| -minimax(tree, &tree.child(node, moves.at(i)), depth - 1));
    values.max().unwrap_or_else(|| tree.evaluate(node))
}

fn algorithm(bytes: &mut Bytes<'_>) -> Option<Algorithm> {
    let entries: Vec<_> = catalogue().collect();
    let entry = entries[bytes.below(entries.len())];
    let parameters = match bytes.below(4) {
        0 => String::new(),
        1 => format!(":{}", bytes.next()),
        2 => format!(":{}:{}", 1 + bytes.below(8), bytes.next()),
        _ => return entry.examples().next(),
    };
    let algorithm: Algorithm = format!("{}{parameters}", entry.id).parse().ok()?;
    // Many threads are slow to start, and no other code.
    (algorithm.threads().is_none_or(|threads| threads <= 8)).then_some(algorithm)
}

fn options(bytes: &mut Bytes<'_>, depth: u32) -> Options {
    let memory = MemoryFunctions::from_bits_truncate(bytes.next());
    let has_table = memory.contains(MemoryFunctions::TABLE);
    let limits = match bytes.below(4) {
        0 => Limits { leaves: Some(bytes.next().into()), ..Limits::default() },
        1 => Limits { nodes: Some(bytes.next().into()), ..Limits::default() },
        _ => Limits::default(),
    };
    Options {
        depth,
        limits,
        update: if bytes.flag() { Update::Maxsearch } else { Update::Clipped },
        guess: bytes.flag().then(|| Value::from(bytes.next().cast_signed()) * 100),
        at_least: bytes.flag().then(|| Value::from(bytes.next().cast_signed())),
        deepening: bytes.flag(),
        memory,
        table: has_table.then(|| TableSize::of_entries(4 << bytes.below(10))),
        simulate: bytes.flag(),
        spawn_height: bytes.flag().then(|| bytes.below(5) as u32),
        paths: bytes.flag().then(|| 1 << (8 + bytes.below(12))),
        ..Options::default()
    }
}

fn search(input: &[u8]) {
    let mut bytes = Bytes(input);
    let Some(algorithm) = algorithm(&mut bytes) else { return };
    let less = bytes.below(8);
    let asked = options(&mut bytes, 0);
    let Some(tree) = tree(&mut bytes) else { return };
    // The horizon may be anywhere, beyond the leaves too.
    let depth = match less {
        0..4 => tree.height(),
        4 => tree.height() + 1,
        _ => tree.height().saturating_sub(less - 4),
    } as u32;
    let Ok(spec) = SearchSpec::check(&algorithm, Options { depth, ..asked.clone() }) else {
        return;
    };
    let outcome = match laboratory::search(&tree, &spec, None) {
        Ok(outcome) => outcome,
        Err(SearchError::Locked(lock)) => {
            assert!(lock.held <= lock.entries, "{lock}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let root = tree.root();
    let value = minimax(&tree, &root, depth);
    let mut moves = <LabTree as GameTree>::Moves::default();
    if depth > 0 {
        tree.moves(&root, &mut moves);
    }
    let case = || format!("{algorithm} to depth {depth}, {asked:?}, {tree:?}: {outcome:?}");
    let worth = |mv: u32| -minimax(&tree, &tree.child(&root, mv), depth - 1);
    assert!(outcome.best.is_none_or(|best| (best as usize) < moves.len()), "{}", case());
    if let Some(found) = outcome.value {
        assert_eq!(found, value, "{}", case());
    }
    match outcome.stopped {
        None => {
            let entry = algorithm.entry();
            let asked = asked.at_least.is_some() && entry.proves == Proves::Goal;
            assert!(outcome.value.is_some() || !entry.tells_value() || asked, "{}", case());
            assert_eq!(outcome.best.is_some(), moves.len() > 0, "{}", case());
            if outcome.value.is_some() || entry.tells_move::<LabTree>() && !asked {
                assert!(outcome.best.map(worth).is_none_or(|worth| worth == value), "{}", case());
            }
        }
        Some(stop) => {
            let asked = &asked.limits;
            assert!(
                matches!(stop, Stop::Leaves if asked.leaves.is_some())
                    || matches!(stop, Stop::Nodes if asked.nodes.is_some()),
                "{}",
                case()
            );
            assert_eq!(outcome.value, None, "{}", case());
        }
    }
    if let (Some(least), Some(proved)) = (asked.at_least, outcome.proved) {
        assert_eq!(proved, value >= least, "{}", case());
    }
    // What a search that was stopped knows holds for the depth that was asked for.
    assert!(outcome.bounds.lower <= value && value <= outcome.bounds.upper, "{}", case());
    if let (Some(leaves), evaluations) = (outcome.counts.leaves, outcome.counts.evaluations) {
        assert!(leaves <= evaluations, "{}", case());
    }
}
