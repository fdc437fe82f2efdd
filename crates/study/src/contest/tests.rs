//! Pairings, the referee, and whole matches of our own engines.

use super::*;
use plyground_engine::game::Verdict;
use plyground_engine::games::Games;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

fn games() -> Games {
    Games::new().with::<Othello>().with::<Chess>()
}

type Chooses<G> =
    fn(&GameLine<G>) -> Result<Answer<<G as plyground_core::tree::GameTree>::Move>, Trouble>;

/// Plays the first legal move, until it has played so many and does something else.
struct Puppet<G: Game> {
    honest: usize,
    then: Chooses<G>,
    played: usize,
}

impl<G: Game> Contender<G> for Puppet<G> {
    fn name(&self) -> String {
        "puppet".into()
    }

    fn begin(&mut self, _: &GameLine<G>) -> Result<(), Trouble> {
        self.played = 0;
        Ok(())
    }

    fn choose(&mut self, line: &GameLine<G>, _: &Clocks) -> Result<Answer<G::Move>, Trouble> {
        self.played += 1;
        if self.played > self.honest {
            return (self.then)(line);
        }
        let first = G::divide(line.position(), 1)[0].0;
        Ok(answer(Some(first), 10))
    }
}

fn answer<M>(mv: Option<M>, millis: u64) -> Answer<M> {
    Answer { mv, spent: Duration::from_millis(millis), value: None, depth: None }
}

/// A game between one that always plays the first move and one that does so only at first.
fn game<G: Game>(honest: usize, then: Chooses<G>) -> Option<Played<G>> {
    let opening = GameLine::new(G::position("").unwrap());
    let mut first = Puppet { honest: usize::MAX, then, played: 0 };
    let mut second = Puppet { honest, then, played: 0 };
    let limit = Limit::MoveTime(Duration::from_millis(100));
    let clocks = Clocks::new(limit, Duration::from_millis(20), None);
    play(&opening, [&mut first, &mut second], clocks)
}

fn again<G: Game>(_: &GameLine<G>) -> Result<Answer<G::Move>, Trouble> {
    Err(Trouble::Interrupted)
}

#[test]
fn a_game_is_played_to_its_end() {
    let played = game::<Othello>(usize::MAX, again).unwrap();
    assert!(played.fault.is_none() && played.line.position().board.is_over());
    assert_eq!(Some(played.verdict), played.line.verdict());
    // The players are asked only where there is something to choose.
    let passes = played.line.moves().iter().filter(|mv| mv.is_none()).count();
    assert!(passes > 0);
    assert_eq!(played.remarks.iter().filter(|remark| remark.is_none()).count(), passes);
    let played = game::<Chess>(usize::MAX, again).unwrap();
    assert!(played.fault.is_none() && played.line.verdict().is_some());
}

#[test]
fn who_is_at_fault_has_lost() {
    let lost = |played: Option<Played<Chess>>, kind: FaultKind, plies: usize| {
        let played = played.unwrap();
        let (player, fault) = played.fault.unwrap();
        assert_eq!((player, fault.kind), (Seat::Second, kind), "{}", fault.reason);
        assert_eq!(played.verdict.winner, Some(Seat::First));
        assert_eq!(played.verdict.reason, kind.ending());
        assert_eq!(played.line.moves().len(), plies);
    };
    // A move that was legal at the beginning, by the other side.
    let stale = |line: &GameLine<Chess>| Ok(answer(Some(line.moves()[0]), 10));
    lost(game(2, stale), FaultKind::Illegal, 5);
    let late =
        |line: &GameLine<Chess>| Ok(answer(Some(Chess::divide(line.position(), 1)[0].0), 121));
    lost(game(1, late), FaultKind::Time, 3);
    lost(game(0, |_| Err(Trouble::crash("gone"))), FaultKind::Crash, 1);
}

#[test]
fn who_resigns_has_lost_without_a_fault() {
    let played = game::<Othello>(3, |_| Ok(answer(None, 10))).unwrap();
    assert!(played.fault.is_none());
    let reason = "resignation".into();
    assert_eq!(played.verdict, Verdict { winner: Some(Seat::First), reason });
    assert!(game::<Othello>(3, again).is_none());
}

fn settings(games: u32, seed: u64) -> Settings {
    Settings {
        limit: Limit::Depth(1),
        grace: Duration::ZERO,
        patience: None,
        games,
        seed,
        stop: StopFlag::new(),
    }
}

fn contest<G: Game>(typed: [&str; 2], openings: &str, settings: Settings) -> Contest<G> {
    let options = EntrantSettings { hash: Some(1), ..EntrantSettings::default() };
    let both = Entrant::both(&games(), typed, Some(G::door()), &options, &settings.stop);
    Contest::new(both.unwrap().0, G::openings(openings).unwrap(), settings).unwrap()
}

#[test]
fn each_opening_is_played_with_both_sides() {
    let order = |games, seed| {
        let contest = contest::<Othello>(["pvs", "pvs"], Othello::OPENINGS, settings(games, seed));
        let setups = contest.pairings.into_iter().map(|pairing| pairing.setup);
        setups.map(|setup| (setup.number, setup.first, setup.opening)).collect::<Vec<_>>()
    };
    let all = order(125, 7);
    for pair in all[..120].chunks(2) {
        assert_eq!(pair[0].2, pair[1].2);
        assert_eq!((pair[0].1, pair[1].1), (Who::A, Who::B));
    }
    let mut openings: Vec<&String> = all[..120].iter().map(|(_, _, opening)| opening).collect();
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 60);
    // From the beginning again, and a longer match begins like a shorter one.
    assert_eq!(all[120].2, all[0].2);
    assert_eq!(all[124].0, 125);
    assert_eq!(order(10, 7), all[..10]);
    assert_ne!(order(10, 8), all[..10]);
}

#[test]
fn openings_must_be_playable() {
    let refused = |typed, opening: &str| {
        let (both, _) = Entrant::both(
            &games(),
            typed,
            Some(Othello::door()),
            &EntrantSettings::default(),
            &StopFlag::default(),
        )
        .unwrap();
        let openings = Othello::openings(opening).unwrap();
        Contest::new(both, openings, settings(2, 1)).map(|_| ()).unwrap_err().to_string()
    };
    let over = refused(["pvs", "pvs"], "f5\ne6f4e3f6g5d6e7f5c5");
    assert!(over.contains("opening 2: the game is over: black wins: 64-0"), "{over}");
    let board = Othello::position("f5d6").unwrap().to_string();
    let unsettable = refused(["pvs", "gtp:x"], &format!("{board};"));
    assert!(unsettable.contains("GTP cannot set up a position"), "{unsettable}");
}

/// What does not depend on time.
fn timeless(record: &GameRecord) -> (u32, Option<Who>, String, String) {
    let GameRecord { setup, winner, reason, moves, .. } = record;
    (setup.number, *winner, reason.clone(), moves.clone())
}

/// The same games with one table or with three, and when a match is continued that was killed.
#[test]
fn a_match_is_the_same_however_it_is_played() {
    let play = |games: u32, jobs: usize, folder: Option<&std::path::Path>| {
        let contest =
            contest::<Othello>(["pvs", "alpha-beta"], Othello::OPENINGS, settings(games, 1));
        let mut store = folder.map(|folder| Store::<GameRecord>::open(folder).unwrap());
        let mut board = Scoreboard::new(None);
        let mut records = Vec::new();
        let done = |record: &GameRecord, _: &Scoreboard| {
            assert!(contest.saved(record).is_ok_and(|saved| saved.contains(";)")));
            records.push(timeless(record));
            Ok::<_, ContestError>(())
        };
        contest.run(&mut board, store.as_mut(), jobs, done).unwrap();
        assert_eq!(board.tally().games(), games);
        records.sort();
        records
    };
    let expected = play(6, 1, None);
    assert_eq!(expected.len(), 6);
    assert_eq!(play(6, 3, None), expected);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(play(4, 1, Some(folder.path())), expected[..4]);
    let file = folder.path().join("games.jsonl");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert_eq!(play(6, 2, Some(folder.path())), expected);
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written.lines().count(), 6);
    assert_eq!(play(6, 1, Some(folder.path())), expected);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

/// The test on the scoreboard ends a match; an interruption too, and the game in hand does not count.
#[test]
fn a_match_ends_early() {
    let decided = settings(1000, 1);
    // Mate in one for White: whoever has White wins, and nothing is decided.
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let even = contest::<Chess>(["pvs", "mtd-f"], mate, settings(10, 1));
    let mut board = Scoreboard::new(None);
    let quiet = |_: &GameRecord, _: &Scoreboard| Ok::<_, ContestError>(());
    even.run(&mut board, None, 2, quiet).unwrap();
    assert_eq!((board.tally().games(), board.pairs()), (10, [0, 0, 5, 0, 0]));
    assert_eq!(board.tally_of(Who::A), Tally { wins: 5, ..Tally::default() });
    let stop = decided.stop.clone();
    let long = contest::<Chess>(["pvs", "mtd-f"], mate, decided);
    let mut board = Scoreboard::new(Some(Sprt { elo0: 0.0, elo1: 100.0 }));
    let stops = |record: &GameRecord, _: &Scoreboard| {
        if record.setup.number == 3 {
            stop.raise();
        }
        Ok::<_, ContestError>(())
    };
    long.run(&mut board, None, 1, stops).unwrap();
    assert_eq!(board.tally().games(), 3);
    let mut board = Scoreboard::new(Some(Sprt { elo0: 0.0, elo1: 100.0 }));
    let again = contest::<Chess>(["pvs", "mtd-f"], mate, settings(1000, 1));
    again.run(&mut board, None, 1, quiet).unwrap();
    assert_eq!(board.decision(), Some(Hypothesis::H0));
    // Even pairs speak against 100 Elo, each with ln 0.72: nine of them pass -2.94.
    assert_eq!(board.tally().games(), 18);
}
