//! Opening books from our own analysis.
//!
//! The positions that games are likeliest to reach are analysed first. From the start on, each
//! position is searched with several lines; a move is the likelier the less it is worse than the best,
//! and a position is as likely as the moves that lead to it. When all are analysed, the values of later
//! positions go back to earlier ones, and each move's weight follows from its value.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::book::{Book, BookMove};
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::game::GameError;
use plyground_engine::profile::Profile;
use plyground_engine::session::{BoundKind, GoLimits, ThinkRequest};

use crate::experiment::StoredRecord;
use crate::suite::search_text;

/// What a book is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookPlan {
    /// How many positions are analysed.
    pub positions: usize,
    /// The nodes of a position.
    pub nodes: u64,
    /// No position is analysed that is further from the start.
    pub plies: usize,
    /// A move is in the book if it is worse than the best by no more than this, in the unit of the
    /// evaluation.
    pub margin: Value,
}

/// The lines of a search: this many moves of a position are valued.
const LINES: usize = 6;

/// The other side may also play a move that is worse by this many margins: such positions are analysed
/// too, so that the book has an answer.
const REPLIES: Value = 3;

/// The largest weight of a move.
const HEAVIEST: f64 = 1000.0;

/// Which position was analysed, and how: everything needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AnalysisSetup {
    /// The moves from the start.
    pub moves: Vec<String>,
    /// The nodes of its search.
    pub nodes: u64,
    /// How the engine searches: algorithm, memory, switches of play, a hash of the weights. Lines of earlier
    /// versions do not say it, and their positions are analysed again.
    #[serde(default)]
    pub search: String,
}

impl fmt::Display for AnalysisSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`, {} nodes", self.moves.join(" "), self.nodes)
    }
}

/// A position that was analysed: a line of the file beside the book's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysedPosition {
    /// The position and its search.
    #[serde(flatten)]
    pub setup: AnalysisSetup,
    /// The moves that were valued, the best first, with their values for the side to move.
    pub values: Vec<(String, Value)>,
}

impl StoredRecord for AnalysedPosition {
    type Key = AnalysisSetup;
    const FILE_NAME: &'static str = ".jsonl";

    fn key(&self) -> &AnalysisSetup {
        &self.setup
    }

    fn agrees_with(&self, other: &AnalysedPosition) -> bool {
        self.values == other.values
    }
}

/// A position that waits for its analysis.
struct Candidate {
    /// The logarithm of how likely it is.
    likelihood: f64,
    line: Box<dyn AnyLine>,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.likelihood.total_cmp(&other.likelihood);
        // What is equally likely is taken in the order of its moves, so that every run is the same.
        order.then_with(|| other.line.written().cmp(&self.line.written()))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// Analyses the positions of a plan and makes a book of them. `known` are positions that were analysed
/// before: they are not searched again. Each new one is given to `found`, together with how many are
/// done; it returns `false` to stop. A work that was stopped makes a book of what it has.
pub fn make(
    plan: &BookPlan,
    profile: &Profile,
    known: Vec<AnalysedPosition>,
    stop: &StopFlag,
    found: &mut dyn FnMut(&AnalysedPosition, bool, usize) -> bool,
) -> Result<Book, GameError> {
    let game = profile.game;
    let mut player = game.player(Profile { book: None, ..profile.clone() })?;
    let mut before: HashMap<AnalysisSetup, AnalysedPosition> =
        known.into_iter().map(|position| (position.setup.clone(), position)).collect();
    let search = search_text(profile);
    let mut analysed: BTreeMap<u64, (Box<dyn AnyLine>, AnalysedPosition)> = BTreeMap::new();
    let mut waiting = BinaryHeap::new();
    waiting.push(Candidate { likelihood: 0.0, line: game.start("")? });
    while let Some(Candidate { likelihood, line }) = waiting.pop() {
        if analysed.len() >= plan.positions || stop.is_raised() {
            break;
        }
        let key = line.book_key();
        if analysed.contains_key(&key) || line.verdict().is_some() {
            continue;
        }
        let (moves, search) = (line.written(), search.clone());
        let setup = AnalysisSetup { moves, nodes: plan.nodes, search };
        let old = before.remove(&setup);
        let is_new = old.is_none();
        let position = match old {
            Some(old) => old,
            None => {
                player.set_line(&*line)?;
                player.clear();
                let values = values(&mut *player, plan.nodes, stop);
                if stop.is_raised() {
                    break;
                }
                AnalysedPosition { setup, values }
            }
        };
        if !found(&position, is_new, analysed.len() + 1) {
            break;
        }
        let best = position.values.first().map_or(0, |(_, value)| *value);
        for (mv, value) in &position.values {
            let worse = best - value;
            if worse > REPLIES * plan.margin || line.plies() + 1 > plan.plies {
                continue;
            }
            let mut next = line.clone();
            next.play(mv)?;
            let likelihood = likelihood - step(worse, plan.margin);
            waiting.push(Candidate { likelihood, line: next });
        }
        analysed.insert(key, (line, position));
    }
    book(plan, game, &analysed)
}

/// How much less likely a position is by a move that is so much worse than the best.
fn step(worse: Value, margin: Value) -> f64 {
    // Every ply costs something too, or one line would be followed to its end.
    0.7 + f64::from(worse) / f64::from(margin.max(1))
}

/// The values of the best moves of the player's position.
fn values(
    player: &mut dyn plyground_engine::door::Player,
    nodes: u64,
    stop: &StopFlag,
) -> Vec<(String, Value)> {
    let lines = LINES.min(player.line().legal_moves().len()).max(1);
    let limits = GoLimits { nodes: Some(nodes), ..GoLimits::default() };
    let request = ThinkRequest { lines, stop: stop.clone(), ..ThinkRequest::on(limits) };
    // By their places: the last exact report of each counts.
    let mut found: Vec<Option<(String, Value)>> = vec![None; lines];
    let outcome = player.think(&request, &mut |report| {
        if report.bound == BoundKind::Exact
            && let (Some(place), Some(mv)) = (found.get_mut(report.number), report.line.first())
        {
            *place = Some((mv, report.value));
        }
    });
    let mut values: Vec<(String, Value)> = Vec::new();
    for (mv, value) in found.into_iter().flatten() {
        if values.iter().all(|(known, _)| *known != mv) {
            values.push((mv, value));
        }
    }
    if values.is_empty() {
        values.extend(outcome.best.map(|mv| (mv, outcome.value)));
    }
    values.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    values
}

/// The book of what was analysed: values go back from later positions, then weights follow.
fn book(
    plan: &BookPlan,
    game: &'static dyn AnyGame,
    analysed: &BTreeMap<u64, (Box<dyn AnyLine>, AnalysedPosition)>,
) -> Result<Book, GameError> {
    // The furthest from the start first: the value of a position is known before it is asked for. A
    // position that is reached in several ways may be asked for too early; its own search counts then.
    let mut order: Vec<_> = analysed.iter().collect();
    order.sort_by_key(|(key, (line, _))| (std::cmp::Reverse(line.plies()), **key));
    let mut backed: BTreeMap<u64, Value> = BTreeMap::new();
    let mut book = Book::default();
    for (&key, (line, position)) in order {
        let mut values = Vec::new();
        for (mv, value) in &position.values {
            let mut next = line.clone();
            next.play(mv)?;
            let value = backed.get(&next.book_key()).map_or(*value, |later| -later);
            values.push((mv, value));
        }
        values.sort_by_key(|&(mv, value)| (std::cmp::Reverse(value), mv));
        let Some(&(_, best)) = values.first() else { continue };
        backed.insert(key, best);
        for (mv, value) in values {
            let worse = best - value;
            if worse <= plan.margin {
                let share = (-2.0 * f64::from(worse) / f64::from(plan.margin.max(1))).exp();
                let weight = (HEAVIEST * share).round().max(1.0) as u16;
                book.add(key, BookMove { code: line.book_code(mv)?, weight, value });
            }
        }
    }
    debug_assert!(book.positions() > 0 || analysed.is_empty(), "{game}");
    Ok(book)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::othello::Othello;

    fn plan(positions: usize) -> BookPlan {
        BookPlan { positions, nodes: 300, plies: 6, margin: 100 }
    }

    fn made(plan: &BookPlan, known: Vec<AnalysedPosition>) -> (Book, Vec<AnalysedPosition>, usize) {
        let profile = Profile::standard(Othello::door()).unwrap();
        let (mut all, mut searched) = (Vec::new(), 0);
        let book = make(plan, &profile, known, &StopFlag::new(), &mut |position, is_new, _| {
            all.push(position.clone());
            searched += usize::from(is_new);
            true
        });
        (book.unwrap(), all, searched)
    }

    #[test]
    fn a_book_is_the_same_however_often_its_work_was_interrupted() {
        let (whole, all, searched) = made(&plan(30), Vec::new());
        assert_eq!((searched, all.len(), whole.positions()), (30, 30, 30));
        let (part, first, _) = made(&plan(12), Vec::new());
        assert!(part.positions() == 12 && all.starts_with(&first));
        let (again, _, searched) = made(&plan(30), first);
        assert_eq!((again, searched), (whole, 18));
        // What was searched in another way is searched again.
        let mut other = all;
        other.iter_mut().for_each(|position| position.setup.search.clear());
        assert_eq!(made(&plan(12), other).2, 12);
    }

    /// The start has one move in the book for its four symmetric ones, and every first move of the
    /// other side finds an answer.
    #[test]
    fn a_book_knows_symmetric_positions() {
        let (book, ..) = made(&plan(10), Vec::new());
        for first in ["", "f5", "e6", "c4", "d3"] {
            let line = Othello::door().start(first).unwrap();
            assert!(!line.book_moves(&book).is_empty(), "{first}");
        }
    }

    /// Values go back: a move that a later search refutes is no longer the first choice.
    #[test]
    fn later_searches_correct_earlier_ones() {
        let game = Othello::door();
        let start = game.start("").unwrap();
        let mut after = start.clone();
        after.play("f5").unwrap();
        let position = |line: &dyn AnyLine, values: &[(&str, Value)]| AnalysedPosition {
            setup: AnalysisSetup { moves: line.written(), nodes: 300, search: String::new() },
            values: values.iter().map(|&(mv, value)| (mv.into(), value)).collect(),
        };
        let mut analysed = BTreeMap::new();
        let second = position(&*after, &[("d6", 90), ("f4", 10)]);
        let first = position(&*start, &[("f5", 50), ("d3", 20)]);
        // All four first moves are the same to a player, so d3 is refuted with f5.
        analysed.insert(after.book_key(), (after.clone(), second));
        analysed.insert(start.book_key(), (start.clone(), first));
        let book = book(&plan(2), game, &analysed).unwrap();
        let known = start.book_moves(&book);
        assert!(known.iter().all(|(_, known)| known.value == -90), "{known:?}");
        let answers = after.book_moves(&book);
        assert_eq!((answers[0].0.as_str(), answers[0].1.weight), ("d6", 1000));
        assert_eq!(answers[1].1.weight, (1000.0 * (-1.6f64).exp()).round() as u16);
    }
}
