//! The scoreboard: the state of a match while it goes on.

use std::collections::BTreeMap;

use super::record::{FaultKind, FaultRecord, GameRecord};
use super::score::{Competitor, Elo, Pentanomial, Tally};
use super::sprt::{Hypothesis, Sprt};

/// The finished games of a match, added in any order, and their sums.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    sprt: Option<Sprt>,
    /// By number: the participant with the side that begins, and the winner.
    games: BTreeMap<u32, (Competitor, Option<Competitor>)>,
    faults: BTreeMap<u32, FaultRecord>,
    ends: BTreeMap<String, u32>,
    names: [String; 2],
    /// The pairs that the test has used: from the first game on, without a gap.
    tested: Pentanomial,
    decision: Option<Hypothesis>,
}

impl Scoreboard {
    /// A scoreboard without games. The test, if there is one, decides when there are enough.
    pub fn new(sprt: Option<Sprt>) -> Scoreboard {
        Scoreboard { sprt, ..Scoreboard::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let number = record.setup.number;
        self.games.insert(number, (record.setup.first, record.winner));
        *self.ends.entry(ending(record)).or_default() += 1;
        if let Some(fault) = &record.fault {
            self.faults.insert(number, fault.clone());
        }
        self.names = [record.a_name.clone(), record.b_name.clone()];
        self.test();
    }

    /// Runs the test on the pairs in the order of their numbers until it has decided. So the decision
    /// does not depend on which of several simultaneous games ends first.
    fn test(&mut self) {
        let Some(sprt) = self.sprt else { return };
        while self.decision.is_none()
            && let Some(points) = self.pair(self.tested.iter().sum())
        {
            self.tested[points] += 1;
            self.decision = sprt.decision(&self.tested);
        }
    }

    /// A's half-points in the pair of this number, from 0, if both games are over.
    fn pair(&self, number: u32) -> Option<usize> {
        let half = |number| {
            self.games.get(&number).map(|(_, winner)| match winner {
                Some(Competitor::A) => 2,
                None => 1,
                Some(Competitor::B) => 0,
            })
        };
        Some(half(2 * number + 1)? + half(2 * number + 2)?)
    }

    /// The names that the participants give themselves; empty before the first game.
    pub fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The results of all games.
    pub fn tally(&self) -> Tally {
        self.tally_where(|_| true)
    }

    /// The results of the games in which this participant had the side that begins.
    pub fn tally_of(&self, first: Competitor) -> Tally {
        self.tally_where(|of| of == first)
    }

    fn tally_where(&self, wanted: impl Fn(Competitor) -> bool) -> Tally {
        let mut tally = Tally::default();
        let games = self.games.values().filter(|(first, _)| wanted(*first));
        games.for_each(|(_, winner)| tally.add(*winner));
        tally
    }

    /// The results of the pairs whose games are both over.
    pub fn pairs(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let last = self.games.last_key_value().map_or(0, |(number, _)| number.div_ceil(2));
        for points in (0..last).filter_map(|number| self.pair(number)) {
            pairs[points] += 1;
        }
        pairs
    }

    /// The difference in Elo that the games suggest; `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        Elo::of(&self.tally(), &self.pairs())
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The log-likelihood ratio of the test: the one that decided, or that of the pairs so far.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(&self.tested))
    }

    /// The hypothesis that the test has accepted, if it has decided.
    pub fn decision(&self) -> Option<Hypothesis> {
        self.decision
    }

    /// The faults, with the numbers of their games.
    pub fn faults(&self) -> impl Iterator<Item = (u32, &FaultRecord)> {
        self.faults.iter().map(|(&number, fault)| (number, fault))
    }

    /// The number of faults of this kind by this participant.
    pub fn count_of(&self, of: Competitor, kind: FaultKind) -> usize {
        self.faults.values().filter(|f| f.by == of && f.fault.kind == kind).count()
    }

    /// The endings of games with their numbers, the most frequent first.
    pub fn ends(&self) -> Vec<(&str, u32)> {
        let mut ends: Vec<_> =
            self.ends.iter().map(|(end, &count)| (end.as_str(), count)).collect();
        ends.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        ends
    }
}

/// The ending of a game, without the score, which would be different in every game.
fn ending(record: &GameRecord) -> String {
    let is_score = record.reason.starts_with(|letter: char| letter.is_ascii_digit());
    if is_score { "played out".into() } else { record.reason.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Fault, GameSetup};
    use super::*;

    pub(crate) fn record(number: u32, winner: Option<Competitor>) -> GameRecord {
        let setup = GameSetup {
            game: "chess".into(),
            a: "one".into(),
            b: "two".into(),
            a_setup: String::new(),
            b_setup: String::new(),
            limit: "depth 1".into(),
            number,
            first: if number % 2 == 1 { Competitor::A } else { Competitor::B },
            opening: String::new(),
            seed: 1,
            adjudication: String::new(),
            version: String::new(),
        };
        GameRecord {
            setup,
            a_name: "one".into(),
            b_name: "two".into(),
            winner,
            reason: "checkmate".into(),
            fault: None,
            plies: 0,
            moves: String::new(),
            date: String::new(),
            seconds: 0.0,
            remarks: Vec::new(),
        }
    }

    #[test]
    fn games_come_in_any_order() {
        let mut board = Scoreboard::new(None);
        let results = [
            (4, None),
            (1, Some(Competitor::A)),
            (5, Some(Competitor::B)),
            (3, Some(Competitor::B)),
        ];
        for (number, winner) in results {
            board.add(&record(number, winner));
        }
        assert_eq!(board.tally(), Tally { wins: 1, draws: 1, losses: 2 });
        assert_eq!(board.tally_of(Competitor::A), Tally { wins: 1, draws: 0, losses: 2 });
        assert_eq!(board.pairs(), [0, 1, 0, 0, 0]);
        board.add(&record(2, Some(Competitor::A)));
        assert_eq!(board.pairs(), [0, 1, 0, 0, 1]);
    }

    #[test]
    fn faults_are_counted_by_kind() {
        let mut board = Scoreboard::new(None);
        for (number, kind) in [(1, FaultKind::Time), (2, FaultKind::Time), (3, FaultKind::Crash)] {
            let mut faulty = record(number, Some(Competitor::A));
            let fault = Fault { kind, reason: "so".into() };
            faulty.reason = kind.ending().into();
            faulty.fault = Some(FaultRecord { by: Competitor::B, fault });
            board.add(&faulty);
        }
        assert_eq!(board.count_of(Competitor::B, FaultKind::Time), 2);
        assert_eq!(board.count_of(Competitor::B, FaultKind::Crash), 1);
        assert_eq!(board.count_of(Competitor::B, FaultKind::Illegal), 0);
        assert_eq!(board.count_of(Competitor::A, FaultKind::Time), 0);
        assert_eq!(board.ends(), [("time forfeit", 2), ("crash", 1)]);
    }

    /// Whatever comes after the decision does not change it, nor does the order matter.
    #[test]
    fn the_test_decides_once() {
        let sprt = Some(Sprt { elo0: -200.0, elo1: 200.0 });
        let results = |number| if number <= 8 { Some(Competitor::A) } else { Some(Competitor::B) };
        let mut boards = [Scoreboard::new(sprt), Scoreboard::new(sprt)];
        (1..=40).for_each(|number| boards[0].add(&record(number, results(number))));
        (1..=40).rev().for_each(|number| boards[1].add(&record(number, results(number))));
        for board in boards {
            assert_eq!(board.decision(), Some(Hypothesis::H1));
            assert!(board.llr().unwrap() >= Sprt::bound());
            assert_eq!(board.tally().games(), 40);
        }
        assert_eq!(Scoreboard::new(None).llr(), None);
    }
}
