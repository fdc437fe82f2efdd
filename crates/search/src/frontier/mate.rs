//! Mates, by df-pn: can the side to move force one, and how?
//!
//! The question is asked for one, two, three, … moves, so the first mate that is found is a shortest one.
//! Each number of moves is a horizon: a position always comes with the plies that are left, so a line
//! that repeats a position gains nothing by it and no answer depends on how a position was reached. A mate
//! within n plies is a mate within more, and no mate within n is none within fewer; so the table keeps one
//! entry for a position and what one horizon taught helps at the others.
//!
//! To refute every mate in n moves may take much longer than to find a long one that is forced. So when a
//! number of moves has used up an allowance of nodes, the farthest horizon gets the same allowance; then
//! both get twice as much. A mate that is found there is tightened, and it is said whether a shorter one
//! is ruled out.
//!
//! At first sight a defender's node takes as many proofs as there are replies, so forcing moves are tried
//! first. Repetition and the rule of fifty moves, which no forced mate needs to fear, are not considered.

use std::time::Duration;

use plyground_core::limits::{Limits, Stop};
use plyground_core::memory::OutOfMemory;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{LEAST_MATE, MATE, Value};

use super::descent::Descent;
use super::df_pn::Prover;
use super::proof_numbers::NEVER;
use super::proof_table::ProofTable;
use crate::tally::Tally;
use crate::trace::Event;

/// The longest mate that is looked for by default, in moves of the winner.
pub const MOST_MOVES: u32 = 40;

/// The nodes that a number of moves is allowed at first.
const ALLOWANCE: u64 = 100_000;

/// The nodes for reading the line of a mate that is proved.
const LINE_NODES: u64 = 40_000_000;

/// A search for a mate.
#[derive(Clone, Debug)]
pub struct MateSpec {
    /// The longest mate to look for, in moves of the winner.
    pub moves: u32,
    /// The bytes of the table.
    pub table: usize,
    /// What may stop it. Leaves and bytes mean nothing here: the table is all the memory there is.
    pub limits: Limits,
}

/// The outcome of a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateOutcome<M> {
    /// Can the side to move force mate within the moves that were asked for? `None` if the search was
    /// stopped before it knew.
    pub proved: Option<bool>,
    /// Mate in this many moves of the winner at the most, if there is one.
    pub moves: Option<u32>,
    /// It is known that there is no mate in this many moves.
    pub none_within: u32,
    /// The whole line to the mate, the defender's longest replies in it.
    pub line: Vec<M>,
    /// The positions that were looked at.
    pub nodes: u64,
    /// The entries of the table that were used.
    pub stored: u64,
    /// How long it took.
    pub time: Duration,
    /// Why it stopped early, if it did.
    pub stopped: Option<Stop>,
}

impl<M> MateOutcome<M> {
    /// The same outcome with its line in another form, such as text.
    pub fn map<N>(self, write: impl FnOnce(Vec<M>) -> Vec<N>) -> MateOutcome<N> {
        MateOutcome {
            line: write(self.line),
            proved: self.proved,
            moves: self.moves,
            none_within: self.none_within,
            nodes: self.nodes,
            stored: self.stored,
            time: self.time,
            stopped: self.stopped,
        }
    }

    /// Is the mate as short as can be?
    pub fn is_shortest(&self) -> bool {
        self.moves.is_some_and(|moves| moves == self.none_within + 1)
    }
}

/// Looks for a mate that the side to move can force, in a game whose evaluation knows
/// [mates](GameTree::MATES).
///
/// The line is replayed before it is returned: every move in it is legal, and the last one mates.
pub fn find_mate<T: GameTree>(
    tree: &T,
    spec: &MateSpec,
) -> Result<MateOutcome<T::Move>, OutOfMemory> {
    let prover = Prover::with_table(ProofTable::new(spec.table, true)?);
    let limits = Limits { leaves: None, bytes: None, ..spec.limits.clone() };
    let line = MateLine {
        tree,
        tally: Tally::new(limits),
        stored: 0,
        allowed: u64::MAX,
        used_up: false,
        above: Vec::new(),
        present: tree.root(),
        moves: T::Moves::default(),
        attacks: true,
        height: 0,
    };
    let mut search = MateSearch { line, prover };
    let mut outcome = MateOutcome {
        proved: None,
        moves: None,
        none_within: 0,
        line: Vec::new(),
        nodes: 0,
        stored: 0,
        time: Duration::ZERO,
        stopped: None,
    };
    let most = spec.moves.clamp(1, MAX_MOVES);
    if let Err(stop) = search.run(most, &mut outcome) {
        outcome.stopped = Some(stop);
    }
    outcome.nodes = search.line.tally.visits();
    outcome.stored = search.line.stored;
    outcome.time = search.line.tally.time();
    Ok(outcome)
}

/// More moves than any mate that can be found. The search recurses as deep.
const MAX_MOVES: u32 = 250;

struct MateSearch<'t, T: GameTree> {
    line: MateLine<'t, T>,
    prover: Prover,
}

impl<T: GameTree> MateSearch<'_, T> {
    fn run(&mut self, most: u32, outcome: &mut MateOutcome<T::Move>) -> Result<(), Stop> {
        let mut allowance = ALLOWANCE;
        while outcome.none_within < most {
            let moves = outcome.none_within + 1;
            match self.ask(moves, allowance)? {
                Some(true) => return self.finish(moves, outcome),
                Some(false) => outcome.none_within = moves,
                None => {
                    match self.ask(most, allowance)? {
                        Some(true) => return self.tighten(most, allowance, outcome),
                        Some(false) => outcome.none_within = most,
                        None => {}
                    }
                    allowance *= 2;
                }
            }
        }
        outcome.proved = Some(false);
        Ok(())
    }

    /// Is there a mate in this many moves at the most? `None` if the allowance is used up.
    fn ask(&mut self, moves: u32, allowance: u64) -> Result<Option<bool>, Stop> {
        self.line.restart(2 * moves - 1);
        self.within(allowance)
    }

    /// Can the attacker mate from where the line stands, before its horizon?
    fn within(&mut self, allowance: u64) -> Result<Option<bool>, Stop> {
        let depth = self.line.above.len();
        self.line.allowed = self.line.tally.visits().saturating_add(allowance);
        self.line.used_up = false;
        let answer = self.prover.answer(&mut self.line, LEAST_MATE);
        self.line.allowed = u64::MAX;
        self.line.back_to(depth);
        match answer {
            Ok(answer) => Ok(Some(answer.yes)),
            Err(_) if self.line.used_up => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// There is a mate in `known` moves at the most: looks for shorter ones within the allowance.
    fn tighten(
        &mut self,
        known: u32,
        allowance: u64,
        outcome: &mut MateOutcome<T::Move>,
    ) -> Result<(), Stop> {
        let mut least = known;
        (outcome.proved, outcome.moves) = (Some(true), Some(known));
        // Halve the way to what is ruled out, for as long as that is answered.
        let mut open = outcome.none_within;
        while open + 1 < least {
            let middle = open + (least - open) / 2;
            match self.ask(middle, allowance)? {
                Some(true) => {
                    least = middle;
                    outcome.moves = Some(least);
                }
                Some(false) => {
                    open = middle;
                    outcome.none_within = middle;
                }
                // It may be there, but it is too far to see.
                None => open = middle,
            }
        }
        self.finish(least, outcome)
    }

    /// There is a mate in this many moves: finds the line. The nodes of the search may have been used up by
    /// the proof; but the table knows it, and to read it usually takes little. The time is what it is:
    /// where it is up first, the mate is proved and has no line.
    fn finish(&mut self, moves: u32, outcome: &mut MateOutcome<T::Move>) -> Result<(), Stop> {
        (outcome.proved, outcome.moves) = (Some(true), Some(moves));
        let Limits { time, flag, .. } = self.line.tally.limits().clone();
        let time = time.map(|time| time.saturating_sub(self.line.tally.time()));
        let limits = Limits { time, flag, nodes: Some(LINE_NODES), ..Limits::default() };
        let searched = std::mem::replace(&mut self.line.tally, Tally::new(limits));
        let line = self.read_line(moves);
        let reading = std::mem::replace(&mut self.line.tally, searched);
        self.line.tally.join(&reading);
        outcome.line = line?;
        Ok(())
    }

    /// The line of a mate in this many moves.
    fn read_line(&mut self, moves: u32) -> Result<Vec<T::Move>, Stop> {
        self.line.restart(2 * moves - 1);
        let mut played = Vec::new();
        while let Some(count) = self.line.open()? {
            let chosen = match self.line.attacks {
                true => self.first_that_mates(count)?,
                false => Some(self.longest_reply(count)?),
            };
            let Some(child) = chosen else { break };
            played.push(self.line.moves.at(child));
            self.line.enter(child);
        }
        let mated = self.line.value()? >= LEAST_MATE;
        debug_assert!(mated, "a proof that does not end in mate");
        Ok(if mated { played } else { Vec::new() })
    }

    /// A move after which mate is forced before the horizon. The table knows one; to refute the others
    /// would take long, so each gets a little first and then more.
    fn first_that_mates(&mut self, count: usize) -> Result<Option<usize>, Stop> {
        let mut allowance = 256;
        loop {
            let mut undecided = false;
            for child in 0..count {
                self.line.enter(child);
                let mates = self.within(allowance)?;
                self.line.leave();
                match mates {
                    Some(true) => return Ok(Some(child)),
                    Some(false) => {}
                    None => undecided = true,
                }
            }
            if !undecided {
                return Ok(None);
            }
            allowance *= 8;
        }
    }

    /// The reply that holds out longest. The horizon comes as near as the mate is.
    fn longest_reply(&mut self, count: usize) -> Result<usize, Stop> {
        // After the reply the attacker has an odd number of plies, less than the height.
        while self.line.height >= 4 {
            if let Some(reply) = self.first_that_holds(count, self.line.height - 3)? {
                return Ok(reply);
            }
            self.line.height -= 2;
        }
        Ok(0)
    }

    /// The first reply after which there is no mate within `plies`, or none is seen: what is hard to
    /// refute holds out long enough.
    fn first_that_holds(&mut self, count: usize, plies: u32) -> Result<Option<usize>, Stop> {
        let height = self.line.height;
        for child in 0..count {
            self.line.enter(child);
            self.line.height = plies;
            let mate = self.within(ALLOWANCE)?;
            self.line.leave();
            self.line.height = height;
            if mate != Some(true) {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }
}

/// A line of play in search of a mate.
struct MateLine<'t, T: GameTree> {
    tree: &'t T,
    tally: Tally,
    stored: u64,
    /// The search pauses when it has visited this many nodes.
    allowed: u64,
    used_up: bool,
    /// The nodes above the present one, with their moves.
    above: Vec<(T::Node, T::Moves)>,
    present: T::Node,
    /// The moves of the present node, when it was opened.
    moves: T::Moves,
    /// Is it the turn of the side that wants to mate?
    attacks: bool,
    height: u32,
}

impl<T: GameTree> MateLine<'_, T> {
    /// Goes back to the root, with this horizon.
    fn restart(&mut self, height: u32) {
        self.above.clear();
        self.present = self.tree.root();
        (self.attacks, self.height) = (true, height);
    }

    /// Goes up until this many nodes are above: a search that is stopped leaves the line where it was.
    fn back_to(&mut self, depth: usize) {
        while self.above.len() > depth {
            self.leave();
        }
        // The moves of the node are those of the last one that was opened.
        self.moves = T::Moves::default();
        self.tree.moves(&self.present, &mut self.moves);
    }

    fn count(&mut self) -> Result<(), Stop> {
        if self.tally.visits() >= self.allowed {
            self.used_up = true;
            return Err(Stop::Nodes);
        }
        self.tally.count_expansion(|| 0)
    }

    fn child(&self, child: usize) -> T::Node {
        self.tree.child(&self.present, self.moves.at(child))
    }
}

impl<T: GameTree> Descent for MateLine<'_, T> {
    fn open(&mut self) -> Result<Option<usize>, Stop> {
        self.count()?;
        self.moves = T::Moves::default();
        self.tree.moves(&self.present, &mut self.moves);
        let count = self.moves.len();
        Ok((count > 0 && self.height > 0).then_some(count))
    }

    /// A mate or nothing.
    fn value(&mut self) -> Result<Value, Stop> {
        let lost = self.moves.is_empty() && self.tree.evaluate(&self.present) <= -LEAST_MATE;
        Ok(match (lost, self.attacks) {
            (false, _) => 0,
            (true, false) => MATE,
            (true, true) => -MATE,
        })
    }

    fn key(&self, child: usize) -> u64 {
        self.tree.key(&self.child(child))
    }

    /// A defender with n replies takes n proofs; one without any is mated, or safe.
    fn first_sight(&mut self, child: usize) -> Result<(u32, u32), Stop> {
        if !self.attacks {
            return Ok((1, 1));
        }
        self.count()?;
        let node = self.child(child);
        let mut replies = T::Moves::default();
        self.tree.moves(&node, &mut replies);
        Ok(match replies.len() {
            0 if self.tree.evaluate(&node) <= -LEAST_MATE => (NEVER, 0),
            0 => (0, NEVER),
            _ if self.height == 1 => (0, NEVER),
            replies => (1, replies as u32),
        })
    }

    fn enter(&mut self, child: usize) {
        let next = self.child(child);
        let moves = std::mem::take(&mut self.moves);
        self.above.push((std::mem::replace(&mut self.present, next), moves));
        self.attacks = !self.attacks;
        self.height = self.height.saturating_sub(1);
    }

    fn leave(&mut self) {
        if let Some((above, moves)) = self.above.pop() {
            (self.present, self.moves) = (above, moves);
            self.attacks = !self.attacks;
            self.height += 1;
        }
    }

    fn is_max(&self) -> bool {
        self.attacks
    }

    fn height(&self) -> u32 {
        self.height
    }

    fn visits(&self) -> u64 {
        self.tally.visits()
    }

    fn emit(&mut self, _: Event) {}

    fn holds(&mut self, entries: u64) {
        self.stored = self.stored.max(entries);
    }
}
