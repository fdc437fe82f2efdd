//! The door, on games that are known well and on one that brings nothing but what is asked for.

mod connect_four;

use std::path::Path;

use super::*;
use crate::game::{Heading, Seat};
use crate::games::Games;
use crate::session::{GoLimits, ThinkRequest};
use connect_four::ConnectFour;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;
use plyground_search::{Outcome, SearchError, SearchSpec, Workspace};

fn all() -> Games {
    Games::new().with::<Othello>().with::<Chess>().with::<ConnectFour>()
}

fn depth(depth: u32) -> ThinkRequest<String> {
    ThinkRequest::on(GoLimits { depth: Some(depth), ..GoLimits::default() })
}

fn search(tree: &dyn AnyTree, id: &str, depth: u32) -> Result<Outcome<String>, SearchError> {
    tree.search(&mut Workspace::new(), &SearchSpec::new(&id.parse().unwrap(), depth), None)
}

/// What the papers' algorithms say of a position of any game.
#[test]
fn algorithms_agree_on_every_game() {
    for game in all().iter() {
        let position = &game.experiments().unwrap()[0].position;
        let tree = game.tree(position, &Weights::Standard).unwrap();
        assert_eq!(tree.position(), *position);
        let found = ["minimax", "alpha-beta", "pvs", "mtd-f", "sss", "ps:2"].map(|id| {
            let searched = search(&*tree, id, 3).unwrap();
            searched.value.unwrap()
        });
        assert!(found.iter().all(|value| *value == found[0]), "{game}: {found:?}");
        let again = search(&*tree, "pvs", 3).unwrap();
        let best = again.best.unwrap();
        let line = tree.principal_variation(3, found[0], Some(&best), &Default::default());
        assert_eq!((line.len(), &line[0]), (3, &best));
        assert_eq!(tree.show(&line).len(), 3);
        let wide = search(&*tree, "minimax", 3).unwrap();
        assert!(wide.width.is_some_and(|width| width > 1.0));
    }
}

/// Engines play any game to its end, and its text reads back.
#[test]
fn every_game_is_played_and_saved() {
    for game in all().iter() {
        let mut player = game.player(Profile::standard(game).unwrap()).unwrap();
        for _ in 0..12 {
            let mut reports = 0;
            let outcome = player.think(&depth(2), &mut |report| {
                assert_eq!(report.line.count(), report.line.written().len());
                assert_eq!(report.line.first(), report.line.written().first().cloned());
                assert_eq!(report.line.shown().len(), report.line.count());
                assert!(report.nodes > 0);
                reports += 1;
            });
            assert!(reports > 0, "{game}");
            player.play(&outcome.best.unwrap()).unwrap();
        }
        assert_eq!(player.line().plies(), 12);
        let saved = player.line().save(&Heading::default());
        let games = game.games(&saved).unwrap();
        assert!(games.len() == 1 && *games[0].line == *player.line(), "{saved}");
        let extension = *game.extensions().last().unwrap();
        let position = player.line().save_position(extension);
        assert_eq!(game.games(&position).unwrap()[0].line.position(), player.line().position());
        let mut other = game.player(Profile::standard(game).unwrap()).unwrap();
        other.set_line(player.line()).unwrap();
        let undone = other.undo();
        assert_eq!(undone.as_ref(), player.line().written().last());
        assert_ne!(*other.line(), *player.line());
        assert_eq!(other.redo(), undone);
        assert_eq!(*other.line(), *player.line());
    }
}

#[test]
fn a_line_is_what_was_played() {
    let chess = Chess::door();
    let mut line = chess.start("").unwrap();
    assert!(line.is_from_start());
    for text in ["e4", "e5", "Nf3"] {
        let mv = line.typed_move(text).unwrap();
        line.play(&mv).unwrap();
    }
    assert_eq!(line.written(), ["e2e4", "e7e5", "g1f3"]);
    assert_eq!(line.numbered().join(" "), "1.e4 e5 2.Nf3");
    assert_eq!((line.mover(), line.mover_after(0)), (Seat::Second, Some(Seat::First)));
    assert_eq!(line.show(&["b8c6".into(), "f1b5".into()]), ["Nc6", "Bb5"]);
    assert_eq!(line.show(&["b8c6".into(), "b8c6".into()]), ["Nc6"]);
    assert!(line.play("e2e4").is_err() && line.legal_moves().len() == 29);
    assert_eq!(line.legal_moves_shown().len(), 29);
    let mut shorter = line.clone();
    shorter.truncate(1);
    assert_eq!((shorter.plies(), shorter.undo().as_deref()), (1, Some("e2e4")));
    assert_eq!(line.position_after(0), Some(shorter.position()));
    assert!(line.diagram().is_some() && line.picture().lines().count() > 8);
    let othello = Othello::door().start("").unwrap();
    assert!(*line != *othello);
    let mut player = chess.player(Profile::standard(chess).unwrap()).unwrap();
    let message = player.set_line(&*othello).unwrap_err().to_string();
    assert_eq!(message, "this is chess, and that is othello");
}

/// A side passes where it must, and nowhere else.
#[test]
fn passes_are_told() {
    let othello = Othello::door();
    let board = "-XO-----".to_owned() + &"-".repeat(56);
    let mut line = othello.start(&format!("{board} O")).unwrap();
    assert_eq!((line.forced_pass(), line.verdict()), (None, None));
    line = othello.start(&format!("{} O", "XO------".to_owned() + &"-".repeat(56))).unwrap();
    let pass = line.forced_pass().unwrap();
    line.play(&pass).unwrap();
    assert!(pass == "pass" && line.was_forced_pass(0) && !line.was_forced_pass(1));
    assert_eq!(Chess::door().start("").unwrap().forced_pass(), None);
}

#[test]
fn suites_and_openings_are_text() {
    for (game, count) in [(Othello::door(), 60), (Chess::door(), 100), (ConnectFour::door(), 1)] {
        assert_eq!(game.standard_openings().unwrap().len(), count);
        for problem in game.experiments().unwrap() {
            assert_eq!(game.start(&problem.position).unwrap().position(), problem.position);
        }
    }
    let suite = include_str!("../../../../positions/bratko-kopec.epd");
    let problems = Chess::door().suite(suite).unwrap();
    assert_eq!(problems.len(), 24);
    for problem in &problems {
        assert!(problem.has_solution() && problem.is_solved_by(&problem.best[0]));
        let line = Chess::door().start(&problem.position).unwrap();
        assert!(line.read_move(&problem.best[0]).is_ok());
    }
    assert!(Chess::door().suite("nonsense").is_err());
}

#[test]
fn weights_are_known_by_a_number() {
    let chess = Chess::door();
    let text = str::from_utf8(Chess::EVALUATORS[0].file).unwrap();
    let file = |text: &str| Weights::File { path: "x".into(), bytes: text.into() };
    let standard = chess.weights_hash(&Weights::Standard);
    assert_eq!(chess.weights_hash(&file(&format!("# mine\n{text}"))), standard);
    assert_ne!(Othello::door().weights_hash(&Weights::Standard), standard);
    assert!(chess.check_weights(text.as_bytes()).is_ok() && chess.check_weights(b"x = 1").is_err());
    assert!(ConnectFour::door().check_weights(b"").is_err());
}

/// What a game does that brings nothing but what is asked for.
#[test]
fn a_small_game_has_everything() {
    let game = ConnectFour::door();
    let stop = StopFlag::new();
    let perft = |depth| game.perft("", depth, &stop).unwrap();
    assert_eq!((perft(4), perft(7)), (Some(2401), Some(823_536)));
    let divided = game.divide("", 3, &stop).unwrap();
    let raised = StopFlag::new();
    raised.raise();
    assert_eq!(game.perft("", 4, &raised).unwrap(), None);
    assert_eq!(game.divide("", 4, &raised).unwrap(), []);
    assert_eq!((divided.len(), divided[0].clone()), (7, ("d".into(), 49)));
    let mut line = game.start("").unwrap();
    for mv in ["d", "A", "d", "a", "d", "a"] {
        line.play(mv).unwrap();
    }
    assert_eq!(line.position(), "OOO///XXX///");
    assert_eq!(game.start(&line.position()).unwrap().mover(), Seat::First);
    assert!(line.picture().ends_with("O . . X . . .\n") && line.diagram().is_none());
    let tree = game.tree(&line.position(), &Weights::Standard).unwrap();
    let searched = search(&*tree, "mtd-f", 5).unwrap();
    assert_eq!(searched.best.as_deref(), Some("d"));
    line.play("d").unwrap();
    assert_eq!(line.verdict().unwrap().text(game.sides()), "first wins: no move is left");
    assert!(line.play("b").is_err() && line.legal_moves().is_empty());
    let saved = line.save(&Heading { event: "a\ntest".into(), ..Heading::default() });
    let expected = "# event: a test\n# result: first wins: no move is left\nmoves d a d a d a d\n";
    assert_eq!(saved, expected);
    let wrong = game.games("# one\nmoves d\nmoves d x").unwrap_err().to_string();
    assert_eq!(wrong, "line 3: `x`: not a legal move here");
    assert_eq!(game.suite("XX/OO///// # even\n\n").unwrap()[0].name, "even");
}

/// Its engine files are like those of any game, but it has no selective search.
#[test]
fn a_small_game_has_engines() {
    let games = all();
    let usual = Profile::find(&games, "connect-four").unwrap();
    assert_eq!((usual.game, usual.selective()), (ConnectFour::door(), None));
    let parse = |text: &str| Profile::parse(&games, "x.toml", text, Path::new("x.toml"));
    let text = "about = \"x\"\n[game.connect-four]\n[algorithm]\nid = \"pvs\"\n";
    assert_eq!(parse(text).unwrap().game, ConnectFour::door());
    let message = parse(&format!("{text}[play]\n")).unwrap_err().to_string();
    assert!(message.contains("connect-four is not played selectively"), "{message}");
    let message = parse(&text.replace("connect-four", "go")).unwrap_err().to_string();
    let expected = "expected [game.othello], [game.chess] or [game.connect-four]";
    assert!(message.ends_with(expected), "{message}");
    assert!(usual.with_algorithm("mtd-f".parse().unwrap()).selective().is_none());
}
