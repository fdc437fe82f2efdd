//! The analysis of a whole game: what each move was worth, what it gave away, and what was better.
//!
//! Every position of the game is searched with the same limits, from the last to the first, so that a
//! search finds in the table what came of the moves. The *loss* of a move is what the position was worth
//! before it less what it is worth after it, for the side that moved.

mod chart;
mod page;

pub use chart::chart;
pub use page::page;

use plyground_core::limits::StopFlag;
use plyground_core::value::{LEAST_MATE, MATE, Value, mate_from_root};
use plyground_engine::door::{AnyGame, AnyLine, Player};
use plyground_engine::game::{GameError, MoveAnnotation, Seat};
use plyground_engine::session::{BoundKind, GoLimits, MoveChoice, ThinkRequest};

/// How bad a move is, by what it gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveQuality {
    /// It gives away next to nothing.
    Good,
    /// It gives away half a pawn, or two discs.
    Inaccuracy,
    /// It gives away a pawn, or four discs.
    Mistake,
    /// It gives away three pawns, or twelve discs.
    Blunder,
}

impl MoveQuality {
    /// All that are marked and counted, the smallest first.
    pub const MARKED: [MoveQuality; 3] =
        [MoveQuality::Inaccuracy, MoveQuality::Mistake, MoveQuality::Blunder];

    /// The quality of a move that gives this much away.
    pub fn of(game: &dyn AnyGame, loss: Value) -> MoveQuality {
        // Half an aspiration window is the smallest difference that matters in a game.
        let unit = game.aspiration() as Value;
        match loss {
            loss if loss >= 6 * unit => MoveQuality::Blunder,
            loss if loss >= 2 * unit => MoveQuality::Mistake,
            loss if loss >= unit => MoveQuality::Inaccuracy,
            _ => MoveQuality::Good,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            MoveQuality::Good => "good",
            MoveQuality::Inaccuracy => "inaccuracy",
            MoveQuality::Mistake => "mistake",
            MoveQuality::Blunder => "blunder",
        }
    }

    /// The sign behind a move.
    pub const fn mark(self) -> &'static str {
        match self {
            MoveQuality::Good => "",
            MoveQuality::Inaccuracy => "?!",
            MoveQuality::Mistake => "?",
            MoveQuality::Blunder => "??",
        }
    }

    /// The number of the sign in PGN.
    const fn glyph(self) -> Option<u8> {
        match self {
            MoveQuality::Good => None,
            MoveQuality::Inaccuracy => Some(6),
            MoveQuality::Mistake => Some(2),
            MoveQuality::Blunder => Some(4),
        }
    }
}

/// A move of a game that was analysed.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedMove {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The side that made it.
    pub seat: Seat,
    /// The move as programs write it.
    pub written: String,
    /// The move as people write it.
    pub shown: String,
    /// The move with its number, as in `12...Nf6`.
    pub numbered: String,
    /// The value after the move, for the side that begins the game.
    pub value: Value,
    /// What the move gave away: at least 0.
    pub loss: Value,
    /// Best play instead, which begins with the best move, as programs write it. If the move was the
    /// best, it is what may follow.
    pub best: Vec<String>,
    /// The same as people write it.
    pub best_shown: Vec<String>,
    /// How bad the move was.
    pub quality: MoveQuality,
    /// The depth of the search before the move; 0 if there was no choice.
    pub depth: u32,
}

/// A game that was analysed.
pub struct AnalysedGame {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The moves that were analysed: all of them, unless the analysis was interrupted. Then the first
    /// ones are missing.
    pub moves: Vec<AnalysedMove>,
    /// How many moves the game has.
    pub plies: usize,
}

/// In a game with mates, an advantage counts at most this much: who misses a mate and still wins easily
/// has not given much away.
const MOST_ADVANTAGE: Value = 1_500;

/// Othello's last squares are solved exactly, whatever the limits: that takes a moment.
const EXACT: u32 = 20;

/// What a position was found to be worth.
struct Judgement {
    /// For the side to move.
    value: Value,
    line: Vec<String>,
    depth: u32,
}

/// Analyses a game with this engine. `done` is called after each position; there is one more than moves.
pub fn analyse(
    player: &mut dyn Player,
    line: &dyn AnyLine,
    limits: &GoLimits,
    stop: &StopFlag,
    mut done: impl FnMut(),
) -> Result<AnalysedGame, GameError> {
    let game = line.game();
    let plies = line.plies();
    let (written, shown, numbered) = (line.written(), line.shown(), line.numbered());
    let mut here = line.boxed();
    let mut moves = Vec::new();
    let mut after = judge(player, &*here, limits, stop, None)?;
    done();
    for ply in (1..=plies).rev() {
        here.undo();
        let before = judge(player, &*here, limits, stop, Some((&after, &written[ply - 1])))?;
        done();
        if stop.is_raised() {
            break;
        }
        let mover = here.mover();
        let played = mate_from_root(-after.value, 1);
        let is_best = before.line.first() == Some(&written[ply - 1]);
        let loss = if is_best { 0 } else { given_away(before.value, played) };
        moves.push(AnalysedMove {
            ply,
            seat: mover,
            written: written[ply - 1].clone(),
            shown: shown[ply - 1].clone(),
            numbered: label(&*here, &numbered[ply - 1], &shown[ply - 1]),
            // The other side is to move then.
            value: if mover == Seat::First { -after.value } else { after.value },
            loss,
            best_shown: here.show(&before.line),
            best: before.line.clone(),
            quality: MoveQuality::of(game, loss),
            depth: before.depth,
        });
        after = before;
    }
    moves.reverse();
    Ok(AnalysedGame { game, moves, plies })
}

/// A move with its number also where the number stands before the other side's move alone.
fn label(before: &dyn AnyLine, numbered: &str, shown: &str) -> String {
    if numbered != shown {
        return numbered.into();
    }
    let number = before.numbered().into_iter().rev().find_map(|text| {
        let (number, _) = text.split_once('.')?;
        number.parse::<u32>().ok()
    });
    number.map_or_else(|| shown.into(), |number| format!("{number}...{shown}"))
}

/// What is given away where the best move is worth `best`, and the move that was played `played`.
fn given_away(best: Value, played: Value) -> Value {
    let mates = best.abs() >= LEAST_MATE || played.abs() >= LEAST_MATE;
    let counted = |value: Value| match mates {
        true => value.clamp(-MOST_ADVANTAGE, MOST_ADVANTAGE),
        false => value,
    };
    (counted(best) - counted(played)).max(0)
}

/// The value of a position. Where there is no choice, it is that of the position after the only move.
fn judge(
    player: &mut dyn Player,
    line: &dyn AnyLine,
    limits: &GoLimits,
    stop: &StopFlag,
    played: Option<(&Judgement, &String)>,
) -> Result<Judgement, GameError> {
    if let (Some((after, mv)), [_]) = (played, &line.legal_moves()[..]) {
        let line = std::iter::once(mv).chain(&after.line).cloned().collect();
        return Ok(Judgement { value: mate_from_root(-after.value, 1), line, depth: 0 });
    }
    player.set_line(line)?;
    let mut request = ThinkRequest::on(limits.clone());
    request.stop = stop.clone();
    let exact = MoveChoice { seed: 0, candidates: 1, noise: 0, slips: 0.0, exact: EXACT };
    request.choice = Some(exact);
    // Games that are drawn by their rules though there are moves are worth nothing to either side.
    if let Some(verdict) = line.verdict()
        && verdict.winner.is_none()
        && !line.legal_moves().is_empty()
    {
        return Ok(Judgement { value: 0, line: Vec::new(), depth: 0 });
    }
    let mut settled = None;
    let thought = player.think(&request, &mut |report| {
        if report.number == 0 && report.bound == BoundKind::Exact {
            settled = Some(report.value);
        }
    });
    let value = match thought.bound {
        BoundKind::Exact => thought.value,
        _ => settled.unwrap_or(thought.value),
    };
    Ok(Judgement { value, line: thought.line, depth: thought.depth })
}

impl AnalysedGame {
    /// How many moves of this side are of this quality.
    pub fn count(&self, seat: Seat, quality: MoveQuality) -> usize {
        self.moves.iter().filter(|mv| mv.seat == seat && mv.quality == quality).count()
    }

    /// What a move of this side gave away on the average; `None` without moves.
    pub fn mean_loss(&self, seat: Seat) -> Option<f64> {
        let losses: Vec<f64> =
            self.moves.iter().filter(|mv| mv.seat == seat).map(|mv| f64::from(mv.loss)).collect();
        (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64)
    }

    /// A value for the side that begins, in as few letters as it takes: `+0.35`, or `#3` and `#-3` for
    /// mates.
    pub fn short_value(value: Value) -> String {
        match value.abs() >= LEAST_MATE {
            true => {
                let moves = (MATE - value.abs() + 1) / 2;
                let moves = if moves > 0 { moves.to_string() } else { String::new() };
                format!("#{}{moves}", if value < 0 { "-" } else { "" })
            }
            false => format!("{:+.2}", f64::from(value) / 100.0),
        }
    }

    /// The annotations for the game's file, move by move.
    pub fn annotations(&self) -> Vec<Option<MoveAnnotation>> {
        let mut all = vec![None; self.plies];
        for mv in &self.moves {
            let marked = mv.quality != MoveQuality::Good;
            all[mv.ply - 1] = Some(MoveAnnotation {
                value: mv.value,
                glyph: mv.quality.glyph(),
                comment: match marked {
                    true => format!(
                        "{} {}, -{:.2}",
                        AnalysedGame::short_value(mv.value),
                        mv.quality.name(),
                        f64::from(mv.loss) / 100.0
                    ),
                    false => AnalysedGame::short_value(mv.value),
                },
                better: if marked { mv.best.clone() } else { Vec::new() },
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_engine::profile::Profile;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    fn analysed<G: Game>(text: &str, nodes: u64) -> AnalysedGame {
        let saved = G::door().games(text).unwrap().swap_remove(0);
        let mut player = G::door().player(Profile::standard(G::door()).unwrap()).unwrap();
        let limits = GoLimits { nodes: Some(nodes), ..GoLimits::default() };
        analyse(&mut *player, &*saved.line, &limits, &StopFlag::new(), || {}).unwrap()
    }

    #[test]
    fn a_fool_s_mate_is_two_mistakes() {
        let game = analysed::<Chess>("1. f3 e5 2. g4 Qh4# 0-1", 20_000);
        assert_eq!(game.moves.len(), 4);
        let worst = &game.moves[2];
        assert_eq!((worst.ply, worst.seat, &*worst.numbered), (3, Seat::First, "2.g4"));
        assert_eq!(worst.quality, MoveQuality::Blunder);
        assert!(worst.value <= -LEAST_MATE && worst.best_shown[0] != "g4");
        let mate = &game.moves[3];
        assert_eq!((mate.loss, mate.value, &*mate.numbered), (0, -MATE, "2...Qh4#"));
        assert_eq!(game.count(Seat::First, MoveQuality::Blunder), 1);
        assert_eq!(game.count(Seat::Second, MoveQuality::Blunder), 0);
    }

    /// The last moves of Othello are solved: what they give away adds up to the result.
    #[test]
    fn the_end_of_othello_is_exact() {
        let mut line = Othello::door().start("").unwrap();
        while line.verdict().is_none() {
            let mv = line.legal_moves()[0].clone();
            line.play(&mv).unwrap();
        }
        let moves: String = line.written().into_iter().filter(|mv| mv != "pass").collect();
        let game = analysed::<Othello>(&moves, 2_000);
        assert_eq!(game.moves.len(), line.plies());
        let solved = &game.moves[line.plies() - 12..];
        let mut value = game.moves[line.plies() - 13].value;
        for mv in solved {
            let sign = if mv.seat == Seat::First { -1 } else { 1 };
            assert_eq!(mv.value, value + sign * mv.loss, "{mv:?}");
            value = mv.value;
        }
    }

    #[test]
    fn losses_are_judged() {
        let of = |loss| MoveQuality::of(Chess::door(), loss);
        assert_eq!(
            [of(49), of(50), of(100), of(300)],
            [
                MoveQuality::Good,
                MoveQuality::Inaccuracy,
                MoveQuality::Mistake,
                MoveQuality::Blunder
            ]
        );
        assert_eq!(given_away(MATE - 3, 1_600), 0);
        assert_eq!(given_away(MATE - 3, 200), 1_300);
        assert_eq!(given_away(10, 30), 0);
        assert_eq!(AnalysedGame::short_value(MATE - 3), "#2");
        assert_eq!(AnalysedGame::short_value(4 - MATE), "#-2");
        assert_eq!(AnalysedGame::short_value(-35), "-0.35");
    }
}
