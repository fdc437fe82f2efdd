//! Pairings, the referee, and whole matches of our own engines.

mod subtraction;

use super::*;
use plyground_engine::game::{Game, Verdict};
use plyground_engine::games::Games;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use subtraction::Subtraction;

fn games() -> Games {
    Games::new().with::<Othello>().with::<Chess>().with::<Subtraction>()
}

type Choice = fn(&dyn AnyLine) -> Result<OpponentReply, OpponentError>;

/// Plays the alphabetically first legal move `honest` times, and then does something else.
struct Puppet {
    honest: usize,
    then: Choice,
    played: usize,
}

impl Opponent for Puppet {
    fn name(&self) -> String {
        "puppet".into()
    }

    fn begin(&mut self, _: &dyn AnyLine) -> Result<(), OpponentError> {
        self.played = 0;
        Ok(())
    }

    fn choose(&mut self, line: &dyn AnyLine, _: &Clocks) -> Result<OpponentReply, OpponentError> {
        self.played += 1;
        if self.played > self.honest {
            return (self.then)(line);
        }
        Ok(answer(line.legal_moves().into_iter().min(), 10))
    }
}

fn answer(mv: Option<String>, millis: u64) -> OpponentReply {
    OpponentReply { mv, spent: Duration::from_millis(millis), value: None, depth: None }
}

/// A game between one that always plays the first move and one that does so only at first.
fn game<G: Game>(honest: usize, then: Choice) -> Option<PlayedGame> {
    let opening = G::door().start("").unwrap();
    let mut first = Puppet { honest: usize::MAX, then, played: 0 };
    let mut second = Puppet { honest, then, played: 0 };
    let limit = MatchLimit::MoveTime(Duration::from_millis(100));
    let clocks = Clocks::new(limit, Duration::from_millis(20), None);
    play_game(&*opening, [&mut first, &mut second], clocks, &Adjudication::default())
}

fn interrupted(_: &dyn AnyLine) -> Result<OpponentReply, OpponentError> {
    Err(OpponentError::Interrupted)
}

#[test]
fn a_game_is_played_to_its_end() {
    let played = game::<Othello>(usize::MAX, interrupted).unwrap();
    assert!(played.fault.is_none());
    assert_eq!(Some(played.verdict), played.line.verdict());
    // The players are not asked in positions with a forced pass.
    let passes = played.line.written().iter().filter(|mv| *mv == "pass").count();
    assert!(passes > 0);
    assert_eq!(played.remarks.iter().filter(|remark| remark.is_none()).count(), passes);
    let played = game::<Chess>(usize::MAX, interrupted).unwrap();
    assert!(played.fault.is_none() && played.line.verdict().is_some());
}

#[test]
fn a_side_at_fault_has_lost() {
    let lost = |played: Option<PlayedGame>, kind: FaultKind, plies: usize| {
        let played = played.unwrap();
        let (player, fault) = played.fault.unwrap();
        assert_eq!((player, fault.kind), (Seat::Second, kind), "{}", fault.reason);
        assert_eq!(played.verdict.winner, Some(Seat::First));
        assert_eq!(played.verdict.reason, kind.ending());
        assert_eq!(played.line.plies(), plies);
    };
    // A move that was legal at the beginning, by the other side.
    lost(
        game::<Chess>(2, |line| Ok(answer(line.written().first().cloned(), 10))),
        FaultKind::Illegal,
        5,
    );
    lost(game::<Chess>(1, |line| Ok(answer(line.legal_moves().pop(), 121))), FaultKind::Time, 3);
    lost(game::<Chess>(0, |_| Err(OpponentError::crash("gone"))), FaultKind::Crash, 1);
}

#[test]
fn a_side_that_resigns_has_lost_without_a_fault() {
    let played = game::<Othello>(3, |_| Ok(answer(None, 10))).unwrap();
    assert!(played.fault.is_none());
    let reason = "resignation".into();
    assert_eq!(played.verdict, Verdict { winner: Some(Seat::First), reason });
    assert!(game::<Othello>(3, interrupted).is_none());
}

fn settings(games: u32, seed: u64) -> MatchSettings {
    MatchSettings {
        limit: MatchLimit::Depth(1),
        grace: Duration::ZERO,
        patience: None,
        games,
        seed,
        adjudication: Adjudication::default(),
        stop: StopFlag::new(),
    }
}

/// A match from these openings, or from the game's own if they are empty.
fn new_match<G: Game>(typed: [&str; 2], openings: &str, settings: MatchSettings) -> Match {
    let game = G::door();
    let options = ParticipantSettings { hash: Some(1), ..ParticipantSettings::default() };
    let pair = Participant::pair(&games(), typed, Some(game), &options, &settings.stop);
    let openings = match openings {
        "" => match_openings(game, settings.seed),
        text => game.openings(text),
    };
    Match::new(pair.unwrap().0, openings.unwrap(), settings).unwrap()
}

#[test]
fn each_opening_is_played_with_both_sides() {
    let order = |games, seed| {
        let between = new_match::<Othello>(["pvs", "pvs"], "", settings(games, seed));
        let setups = between.pairings.into_iter().map(|pairing| pairing.setup);
        setups.map(|setup| (setup.number, setup.first, setup.opening)).collect::<Vec<_>>()
    };
    let all = order(125, 7);
    for pair in all[..120].chunks(2) {
        assert_eq!(pair[0].2, pair[1].2);
        assert_eq!((pair[0].1, pair[1].1), (Competitor::A, Competitor::B));
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
        let (pair, _) = Participant::pair(
            &games(),
            typed,
            Some(Othello::door()),
            &ParticipantSettings::default(),
            &StopFlag::default(),
        )
        .unwrap();
        let openings = Othello::door().openings(opening).unwrap();
        Match::new(pair, openings, settings(2, 1)).map(|_| ()).unwrap_err().to_string()
    };
    let over = refused(["pvs", "pvs"], "f5\ne6f4e3f6g5d6e7f5c5");
    assert!(over.contains("opening 2: the game is over: black wins: 64-0"), "{over}");
    let board = Othello::door().start("f5d6").unwrap().position();
    let unsettable = refused(["pvs", "gtp:x"], &format!("{board};"));
    assert!(unsettable.contains("GTP cannot set up a position"), "{unsettable}");
}

/// What does not depend on time.
fn timeless(record: &GameRecord) -> (u32, Option<Competitor>, String, String) {
    let GameRecord { setup, winner, reason, moves, .. } = record;
    (setup.number, *winner, reason.clone(), moves.clone())
}

/// The same games with one job or with three, and when a match is continued that was killed.
#[test]
fn a_match_is_the_same_however_it_is_played() {
    let play = |games: u32, jobs: usize, folder: Option<&std::path::Path>| {
        let between = new_match::<Othello>(["pvs", "alpha-beta"], "", settings(games, 1));
        let mut store = folder.map(|folder| Store::<GameRecord>::open(folder).unwrap());
        let mut board = Scoreboard::new(None);
        let mut records = Vec::new();
        let done = |record: &GameRecord, _: &Scoreboard| {
            assert!(between.saved(record).is_ok_and(|saved| saved.contains(";)")));
            records.push(timeless(record));
            Ok::<_, MatchError>(())
        };
        between.run(&mut board, store.as_mut(), jobs, done).unwrap();
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

/// The test on the scoreboard ends a match. An interruption does too, and the unfinished game does not
/// count.
#[test]
fn a_match_ends_early() {
    let decided = settings(1000, 1);
    // Mate in one for White: the engine that has White wins, and nothing is decided.
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let even = new_match::<Chess>(["pvs", "mtd-f"], mate, settings(10, 1));
    let mut board = Scoreboard::new(None);
    let quiet = |_: &GameRecord, _: &Scoreboard| Ok::<_, MatchError>(());
    even.run(&mut board, None, 2, quiet).unwrap();
    assert_eq!((board.tally().games(), board.pairs()), (10, [0, 0, 5, 0, 0]));
    assert_eq!(board.tally_of(Competitor::A), Tally { wins: 5, ..Tally::default() });
    let stop = decided.stop.clone();
    let long = new_match::<Chess>(["pvs", "mtd-f"], mate, decided);
    let mut board = Scoreboard::new(Some(Sprt { elo0: 0.0, elo1: 100.0 }));
    let stops = |record: &GameRecord, _: &Scoreboard| {
        if record.setup.number == 3 {
            stop.raise();
        }
        Ok::<_, MatchError>(())
    };
    long.run(&mut board, None, 1, stops).unwrap();
    assert_eq!(board.tally().games(), 3);
    let mut board = Scoreboard::new(Some(Sprt { elo0: 0.0, elo1: 100.0 }));
    let again = new_match::<Chess>(["pvs", "mtd-f"], mate, settings(1000, 1));
    again.run(&mut board, None, 1, quiet).unwrap();
    assert_eq!(board.decision(), Some(Hypothesis::H0));
    // Even pairs speak against 100 Elo, each with ln 0.72: nine of them pass -2.94.
    assert_eq!(board.tally().games(), 18);
}

/// A match works for a game without selective search and without openings: algorithms play by their
/// laboratory search, and random openings make the games different.
#[test]
fn algorithms_play_a_game_that_has_no_extras() {
    let typed = ["alpha-beta", "mtd-f"];
    let (settings, options) = (settings(8, 1), ParticipantSettings::default());
    let settings = MatchSettings { limit: MatchLimit::Depth(5), ..settings };
    let alone = Games::of(Subtraction::door());
    let (pair, game) = Participant::pair(&alone, typed, None, &options, &settings.stop).unwrap();
    let between = Match::new(pair, match_openings(game, 1).unwrap(), settings).unwrap();
    assert_eq!(between.game(), Subtraction::door());
    let mut board = Scoreboard::new(None);
    let mut openings = Vec::new();
    let done = |record: &GameRecord, _: &Scoreboard| {
        let saved = between.saved(record)?;
        assert_eq!(game.games(&saved).unwrap()[0].line.plies(), 4 + record.plies);
        assert!(record.fault.is_none(), "{:?}", record.fault);
        openings.push(record.setup.opening.clone());
        Ok::<_, MatchError>(())
    };
    between.run(&mut board, None, 1, done).unwrap();
    assert_eq!(board.tally().games(), 8);
    openings.dedup();
    assert_eq!(openings.len(), 4);
}

#[test]
fn random_openings_are_chosen_by_the_seed() {
    let of = |seed| -> Vec<String> {
        let openings = match_openings(Subtraction::door(), seed).unwrap();
        assert!(openings.iter().all(|line| line.plies() == 4 && line.mover() == Seat::First));
        openings.iter().map(|line| line.position()).collect()
    };
    // Four moves take 4 to 12 of the 21 counters: there are nine positions, each of them once.
    let (mut one, two) = (of(1), of(2));
    assert!(one == of(1) && one != two);
    one.sort();
    one.dedup();
    assert_eq!(one.len(), 9);
    // A game that has openings keeps them.
    assert_eq!(match_openings(Othello::door(), 1).unwrap().len(), 60);
}

/// What the time control is in PGN's tag.
#[test]
fn limits_are_written_as_pgn_has_them() {
    let clock = |text: &str| MatchLimit::Clock(text.parse().unwrap()).pgn_text();
    assert_eq!((clock("2+0.02"), clock("300+0")), ("2+0.02".into(), "300".into()));
    let half = Duration::from_millis(500);
    assert_eq!(MatchLimit::MoveTime(half).pgn_text(), "1/0.5");
    assert_eq!(
        (MatchLimit::Depth(4).pgn_text(), MatchLimit::Nodes(9).pgn_text()),
        ("-".into(), "-".into())
    );
}
