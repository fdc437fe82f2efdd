//! Positions for experiments, made by self-play.
//!
//! Games begin at varied openings, go on with a few random moves, and are then played by PVS with a table.
//! Every game gives at most one position of each of its thirds. A position is quiet if a search two plies
//! deeper judges it nearly alike. All phases, quiet and not, get the same share, and none is nearer to
//! another than a given number of squares. The same seed makes the same positions.

use anyhow::ensure;

use plyground_core::limits::{Limits, StopFlag};
use plyground_core::tree::mix;
use plyground_core::value::LEAST_MATE;
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::profile::Weights;
use plyground_games::grid::Square;
use plyground_search::algorithms::Pvs;
use plyground_search::table::TableSize;
use plyground_search::{MemoryFunctions, Options, Outcome, SearchSpec, Workspace};

use crate::tournament::match_openings;

/// What positions are wanted.
#[derive(Clone, Debug)]
pub struct PositionRequest {
    /// How many.
    pub count: usize,
    /// The same seed makes the same positions.
    pub seed: u64,
    /// The depth of the searches that choose the moves, in plies.
    pub depth: u32,
    /// The least number of squares in which two positions differ.
    pub distance: usize,
    /// Stops the work when it is raised.
    pub flag: StopFlag,
}

/// A third of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePhase {
    /// The first third.
    Opening,
    /// The second.
    Middle,
    /// The last, without its last moves.
    Ending,
}

impl GamePhase {
    /// The phases in order.
    pub const ALL: [GamePhase; 3] = [GamePhase::Opening, GamePhase::Middle, GamePhase::Ending];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            GamePhase::Opening => "opening",
            GamePhase::Middle => "middle",
            GamePhase::Ending => "ending",
        }
    }
}

/// A position that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePosition {
    /// The position as the game's files of positions write it, without a line's end.
    pub text: String,
    /// The third of its game that it is from.
    pub phase: GamePhase,
    /// Does a search two plies deeper judge it nearly alike?
    pub quiet: bool,
    /// Is it one of those that no choice may be tuned on?
    pub hold_out: bool,
    /// The board, a character for each square, for distances.
    board: String,
}

/// A game is cut off here: what follows is mostly shuffling.
const LONGEST: usize = 120;
/// Positions this near to the end of their game are not taken: a deep search would see it.
const TAIL: usize = 10;
/// A position has at least this many moves.
const LEAST_MOVES: usize = 4;
/// One move in so many is random.
const RANDOM_MOVE: u64 = 12;
/// Games for each position at most, before the request is given up.
const ATTEMPTS: usize = 12;

/// Makes positions; fewer than were asked for if the flag is raised. `done` is told of every position. An
/// error if self-play does not find enough that differ so much.
pub fn make_positions(
    game: &'static dyn AnyGame,
    request: &PositionRequest,
    mut done: impl FnMut(),
) -> anyhow::Result<Vec<MadePosition>> {
    let openings = match_openings(game, request.seed)?;
    let mut maker = Maker { game, request, workspace: Workspace::new() };
    let mut made: Vec<MadePosition> = Vec::new();
    for attempt in 0.. {
        if made.len() == request.count || request.flag.is_raised() {
            break;
        }
        ensure!(
            attempt < ATTEMPTS * request.count.max(8),
            "{game}: {} of {} positions after {attempt} games; expected a smaller distance than {} \
             or fewer positions",
            made.len(),
            request.count,
            request.distance
        );
        let choice = mix(request.seed, attempt as u64);
        let opening = &openings[(choice % openings.len() as u64) as usize];
        let Some(line) = maker.played(opening.boxed(), choice)? else { break };
        for phase in GamePhase::ALL {
            if made.len() == request.count {
                break;
            }
            if let Some(position) = maker.position(&*line, phase, choice, &made)? {
                made.push(position);
                done();
            }
        }
    }
    // By phase and quiet or not, so that a stretch of the file is of one kind; made in this order within.
    made.sort_by_key(|position| (position.phase as usize, position.quiet));
    hold_half_out(&mut made);
    Ok(made)
}

/// Makes every other position of each kind one of the hold-out. The last one of a kind with an odd number goes
/// where fewer are, so that the halves differ by one position at the most.
fn hold_half_out(made: &mut [MadePosition]) {
    let (mut held_out, mut others) = (0, 0);
    for kind in made.chunk_by_mut(|a, b| (a.phase, a.quiet) == (b.phase, b.quiet)) {
        let last = kind.len() - 1;
        for (i, position) in kind.iter_mut().enumerate() {
            position.hold_out = match i % 2 == 0 && i == last {
                true => held_out < others,
                false => i % 2 == 1,
            };
            *(if position.hold_out { &mut held_out } else { &mut others }) += 1;
        }
    }
}

struct Maker<'r> {
    game: &'static dyn AnyGame,
    request: &'r PositionRequest,
    workspace: Workspace,
}

impl Maker<'_> {
    /// A game from an opening; `None` if it was interrupted.
    fn played(
        &mut self,
        mut line: Box<dyn AnyLine>,
        choice: u64,
    ) -> anyhow::Result<Option<Box<dyn AnyLine>>> {
        let random_until = line.plies() + 2 + (mix(choice, 1) % 5) as usize;
        while line.verdict().is_none() && line.plies() < LONGEST {
            let moves = line.legal_moves();
            let dice = mix(choice, 100 + line.plies() as u64);
            let random = line.plies() < random_until || dice.is_multiple_of(RANDOM_MOVE);
            let mv = match random {
                true => moves[(mix(dice, 1) % moves.len() as u64) as usize].clone(),
                false => {
                    let outcome = self.search(&line.position(), self.request.depth)?;
                    if outcome.stopped.is_some() {
                        return Ok(None);
                    }
                    if outcome.value.is_some_and(|value| value.abs() >= LEAST_MATE) {
                        break;
                    }
                    outcome.best.unwrap_or_else(|| moves[0].clone())
                }
            };
            line.play(&mv)?;
        }
        Ok(Some(line))
    }

    /// A position of this phase of a game, if one is still wanted that is like it and far enough from all
    /// others.
    fn position(
        &mut self,
        line: &dyn AnyLine,
        phase: GamePhase,
        choice: u64,
        made: &[MadePosition],
    ) -> anyhow::Result<Option<MadePosition>> {
        let third = line.plies() / 3;
        let first = third * phase as usize;
        let last = (first + third).min(line.plies().saturating_sub(TAIL));
        // The first plies are those of the opening, which many games share.
        let first = first.max(6);
        if first >= last {
            return Ok(None);
        }
        let ply = first + (mix(choice, 7 + phase as u64) % (last - first) as u64) as usize;
        let mut there = line.boxed();
        there.truncate(ply);
        if there.legal_moves().len() < LEAST_MOVES {
            return Ok(None);
        }
        let board = squares(&*there);
        if made.iter().any(|other| distance(&other.board, &board) < self.request.distance) {
            return Ok(None);
        }
        let depth = self.request.depth.max(3);
        let shallow = self.search(&there.position(), depth - 2)?.value;
        let deep = self.search(&there.position(), depth)?.value;
        let (Some(shallow), Some(deep)) = (shallow, deep) else { return Ok(None) };
        if deep.abs() >= LEAST_MATE {
            return Ok(None);
        }
        let quiet = shallow.abs_diff(deep) <= self.game.aspiration() / 2;
        let alike =
            made.iter().filter(|other| other.phase == phase && other.quiet == quiet).count();
        let kinds = 2 * GamePhase::ALL.len();
        if alike >= self.request.count.div_ceil(kinds) {
            return Ok(None);
        }
        let extension = self.game.extensions().last().copied().unwrap_or("");
        let text = there.save_position(extension).trim_end().to_owned();
        Ok(Some(MadePosition { text, phase, quiet, hold_out: false, board }))
    }

    fn search(&mut self, position: &str, depth: u32) -> anyhow::Result<Outcome<String>> {
        let options = Options {
            memory: MemoryFunctions::TABLE | MemoryFunctions::HISTORY,
            table: Some(TableSize::of_entries(1 << 14)),
            deepening: true,
            limits: Limits { flag: self.request.flag.clone(), ..Limits::default() },
            ..Options::to_depth(depth)
        };
        let spec = SearchSpec::check(&Pvs.into(), options)?;
        let tree = self.game.tree(position, &Weights::Standard)?;
        Ok(tree.search(&mut self.workspace, &spec, None)?)
    }
}

/// The board, a character for each square; the picture of a game that has no diagram. A picture has more than
/// the squares: the last move, moves that are open, the sides' discs.
fn squares(line: &dyn AnyLine) -> String {
    let Some(diagram) = line.diagram() else { return line.picture() };
    let letter = |square| diagram.piece(square).map_or('-', |piece| piece.letter);
    Square::all().map(letter).collect()
}

/// The number of characters in which two boards differ: the squares that are not alike.
fn distance(a: &str, b: &str) -> usize {
    let differing = a.chars().zip(b.chars()).filter(|(a, b)| a != b).count();
    differing + a.chars().count().abs_diff(b.chars().count())
}

#[cfg(test)]
mod tests {
    use plyground_engine::game::Game;
    use plyground_games::othello::Othello;

    use super::*;

    fn request(count: usize, seed: u64) -> PositionRequest {
        PositionRequest { count, seed, depth: 2, distance: 10, flag: StopFlag::new() }
    }

    #[test]
    fn positions_of_all_kinds_are_made_again_by_the_same_seed() {
        let make = |seed| make_positions(Othello::door(), &request(12, seed), || ()).unwrap();
        let made = make(1);
        assert_eq!(made.len(), 12);
        for phase in GamePhase::ALL {
            for quiet in [false, true] {
                let alike = made.iter().filter(|p| p.phase == phase && p.quiet == quiet);
                let hold_out = alike.clone().filter(|position| position.hold_out).count();
                assert_eq!((alike.count(), hold_out), (2, 1), "{phase:?} {quiet}");
            }
        }
        for (i, a) in made.iter().enumerate() {
            assert!(made[..i].iter().all(|b| distance(&a.board, &b.board) >= 10));
            assert_eq!(Othello::door().suite(&a.text).unwrap().len(), 1, "{}", a.text);
        }
        // Nothing but squares counts, as whoever reads the file sees them.
        let boards: Vec<&str> = made.iter().map(|position| &position.text[..64]).collect();
        for (i, a) in boards.iter().enumerate() {
            assert!(boards[..i].iter().all(|b| distance(a, b) >= 10), "{boards:?}");
        }
        assert_eq!(made, make(1));
        assert_ne!(made, make(2));
    }

    #[test]
    fn any_number_has_two_halves() {
        for count in [2, 3, 6, 7] {
            let made = make_positions(Othello::door(), &request(count, 3), || ()).unwrap();
            let held_out = made.iter().filter(|position| position.hold_out).count();
            assert_eq!((made.len(), held_out), (count, count / 2));
        }
    }

    #[test]
    fn too_great_a_distance_is_an_error() {
        let far = PositionRequest { distance: 500, ..request(2, 1) };
        let error = make_positions(Othello::door(), &far, || ()).unwrap_err().to_string();
        assert!(error.contains("expected a smaller distance than 500"), "{error}");
    }
}
