//! df-pn (Nagai 2002): proof-number search depth-first, over a table.
//!
//! Proof-number search jumps to the most-proving node at every step, but for many steps that node stays
//! in one subtree. df-pn goes down and stays below a node until its numbers exceed *thresholds*: the
//! point at which the most-proving node would be elsewhere. It keeps nothing but the line it is on and a
//! table of fixed size, so its memory never grows.
//!
//! Seen from the mover of a node, φ is the least δ of its children and δ the sum of their φ. A child is
//! left when its δ exceeds that of the second-best child (by a quarter more, the 1 + ε trick of Pawlewicz
//! and Lew 2007, without which it would go to and fro between two children), or when the sum exceeds the
//! parent's own threshold. What the table loses is found again: the numbers of the children of every node
//! on the line are kept outside of it, and thresholds grow, so the search ends however small the table.
//!
//! The same position at another height is another node, because another tree lies below it: transpositions
//! are found, and no line can go round in a circle.

use plyground_core::limits::parse_bytes;

use super::descent::{Descent, SearchLine};
use super::proof_numbers::{NEVER, shown, sum};
use super::proof_table::{Effort, ProofTable};
use super::questions::{Answer, find_value};
use crate::outcome::SearchError;
use crate::prelude::*;
use crate::trace::Event;

/// Nagai's depth-first proof-number search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DfPn {
    /// The bytes of its table.
    pub bytes: usize,
}

impl SearchAlgorithm for DfPn {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "df-pn",
        usage: "df-pn:SIZE",
        name: "df-pn(SIZE)",
        about: "proof-number search depth-first, over a table of SIZE bytes",
        paper: "Nagai 2002; Pawlewicz and Lew 2007",
        examples: &["df-pn:1M"],
        proves: Proves::Goal,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<DfPn, String> {
        let word = parameters.next("the size of its table, such as 16M")?;
        match parse_bytes(word) {
            Ok(bytes @ 1..) => Ok(DfPn { bytes }),
            _ => Err(format!("`{word}`: expected the size of its table, such as 64K, 16M or 1G")),
        }
    }

    fn parameters(&self) -> String {
        format!(":{}", self.size())
    }

    fn name(&self) -> String {
        format!("df-pn({})", self.size())
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        if search.spec.limits().bytes.is_some_and(|most| self.bytes > most) {
            return Err(Stop::Bytes);
        }
        let table = match ProofTable::new(self.bytes, false) {
            Ok(table) => table,
            Err(error) => {
                search.failure = Some(SearchError::Table(error));
                return Err(Stop::Memory);
            }
        };
        search.stores(0, table.bytes())?;
        let (range, expected) = (search.widest(), search.expected());
        let question = search.spec.at_least();
        let Some(children) = search.generate(root) else { return search.leaf(root).map(Some) };
        let mut prover = Prover { table, at_least: 0, best: None };
        let mut line = SearchLine::new(search, root);
        let mut yes = false;
        let mut ask = |least: Value| {
            line.emit(Event::Question { at_least: least });
            let answer = prover.answer(&mut line, least);
            let search = &mut *line.search;
            // The last yes names the move: what a no leaves behind is a guess.
            if !yes || answer.is_ok_and(|answer| answer.yes) {
                search.best = prover.best.map(|child| children.mv(child)).or(search.best);
            }
            let answer = answer?;
            yes |= answer.yes;
            search.narrow_root(answer.bounds(range));
            Ok(answer)
        };
        if let Some(least) = question {
            ask(least)?;
            return Ok(None);
        }
        let value = find_value(range, expected, ask)?;
        if !yes {
            // The value is the least there is: any move has it.
            search.best = Some(children.mv(0));
        }
        Ok(Some(value))
    }
}

impl DfPn {
    /// The size of the table as it is typed.
    fn size(&self) -> String {
        match self.bytes {
            n if n % (1 << 30) == 0 => format!("{}G", n >> 30),
            n if n % (1 << 20) == 0 => format!("{}M", n >> 20),
            n if n % (1 << 10) == 0 => format!("{}K", n >> 10),
            n => n.to_string(),
        }
    }
}

/// A depth-first proof search with its table.
pub(crate) struct Prover {
    pub(crate) table: ProofTable,
    /// The question: is the value at least this?
    at_least: Value,
    /// The child of the root that makes the answer, or seems nearest to it.
    pub(crate) best: Option<usize>,
}

/// A node is left when its φ or its δ reaches these.
#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl Prover {
    pub(crate) fn with_table(table: ProofTable) -> Prover {
        Prover { table, at_least: 0, best: None }
    }

    /// Answers whether the node where `line` stands is worth at least `least`.
    pub(crate) fn answer(&mut self, line: &mut dyn Descent, least: Value) -> Result<Answer, Stop> {
        // Numbers belong to one question.
        if least != self.at_least {
            self.table.clear();
            self.at_least = least;
        }
        self.best = None;
        let never = Thresholds { phi: NEVER, delta: NEVER };
        let found = self.search(line, never, true)?;
        let yes = (found.phi == 0) == line.is_max();
        Ok(Answer { yes, bound: found.bound })
    }

    /// Searches below the node where `line` stands until its numbers reach the thresholds.
    fn search(
        &mut self,
        line: &mut dyn Descent,
        most: Thresholds,
        is_root: bool,
    ) -> Result<Effort, Stop> {
        let Some(count) = line.open()? else {
            let value = line.value()?;
            return Ok(Effort::solved((value >= self.at_least) == line.is_max(), value));
        };
        let height = line.height();
        let mut children: Vec<Effort> = Vec::with_capacity(count);
        for child in 0..count {
            children.push(match self.table.get(line.key(child), height - 1) {
                Some(known) => known,
                None => {
                    let (phi, delta) = line.first_sight(child)?;
                    Effort { phi, delta, bound: 0 }
                }
            });
        }
        loop {
            let choice = Choice::among(&children, line.is_max());
            let Choice { effort, best, .. } = choice;
            if is_root {
                self.best = Some(best);
            }
            let (proof, disproof) = match line.is_max() {
                true => (effort.phi, effort.delta),
                false => (effort.delta, effort.phi),
            };
            line.emit(Event::Proof { proof: shown(proof), disproof: shown(disproof) });
            if effort.is_solved() || effort.phi >= most.phi || effort.delta >= most.delta {
                return Ok(effort);
            }
            let key = line.key(best);
            let before = line.visits();
            line.enter(best);
            let found = self.search(line, choice.thresholds(&children, most), false);
            line.leave();
            let found = found?;
            children[best] = found;
            self.table.put(key, height - 1, found, line.visits() - before);
            line.holds(self.table.used());
        }
    }
}

/// The numbers of a node by those of its children, and the child to go to.
struct Choice {
    effort: Effort,
    best: usize,
    /// The second least δ of the children.
    second: u32,
}

impl Choice {
    fn among(children: &[Effort], is_max: bool) -> Choice {
        let (mut phi, mut delta, mut best, mut second) = (NEVER, 0, 0, NEVER);
        for (number, child) in children.iter().enumerate() {
            delta = sum(delta, child.phi);
            if child.delta < phi {
                (second, phi, best) = (phi, child.delta, number);
            } else {
                second = second.min(child.delta);
            }
        }
        let mut effort = Effort { phi, delta, bound: 0 };
        if effort.is_solved() {
            let for_mover = |value: Value| if is_max { value } else { -value };
            // The mover's proof needs one child that the other side loses; that of the other side all.
            let solving =
                children.iter().enumerate().filter(|(_, child)| phi != 0 || child.delta == 0);
            let bounds =
                solving.map(|(number, child)| (for_mover(child.bound), usize::MAX - number));
            if let Some((bound, number)) = bounds.max() {
                best = usize::MAX - number;
                effort.bound = for_mover(bound);
            }
        }
        Choice { effort, best, second }
    }

    /// The thresholds of the best child, beyond which another choice would be made above.
    fn thresholds(&self, children: &[Effort], most: Thresholds) -> Thresholds {
        let child = children[self.best];
        let others = self.effort.delta - child.phi.min(self.effort.delta);
        let phi = match most.delta {
            NEVER => NEVER,
            most => most.saturating_sub(others),
        };
        let wide = self.second.saturating_add(self.second / 4).saturating_add(1);
        let second = if self.second == NEVER { NEVER } else { wide };
        Thresholds {
            // Above the present numbers, so that every visit gets somewhere.
            phi: phi.max(child.phi.saturating_add(1)),
            delta: most.phi.min(second).max(child.delta.saturating_add(1)),
        }
    }
}
