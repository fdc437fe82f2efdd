//! The referee: one game between two opponents, by the rules and the clock.

use super::contender::{Answer, Contender, Trouble};
use super::limit::Clocks;
use super::record::Fault;
use plyground_engine::game::{Game, GameLine, Remark, Seat, Verdict};

/// A game that lasts so many plies after its opening is a draw.
pub const LONGEST: usize = 600;

/// A game that is over.
pub struct Played<G: Game> {
    /// The moves.
    pub line: GameLine<G>,
    /// What the players thought of their moves after the opening.
    pub remarks: Vec<Option<Remark>>,
    /// How it ended.
    pub verdict: Verdict,
    /// What went wrong, and on which side.
    pub fault: Option<(Seat, Fault)>,
}

/// Plays a game on from an opening that is not over; `None` if it was interrupted. The players are
/// in the order of their sides.
pub fn play<G: Game>(
    opening: &GameLine<G>,
    mut players: [&mut dyn Contender<G>; 2],
    mut clocks: Clocks,
) -> Option<Played<G>> {
    let mut line = opening.clone();
    let mut remarks = Vec::new();
    let mut whole_game = || {
        for player in Seat::ALL {
            players[player.index()].begin(opening).map_err(|trouble| (player, trouble))?;
        }
        loop {
            if let Some(verdict) = turn(&mut line, &mut remarks, &mut players, &mut clocks)? {
                return Ok(verdict);
            }
        }
    };
    let (verdict, fault) = match whole_game() {
        Ok(verdict) => (verdict, None),
        Err((_, Trouble::Interrupted)) => return None,
        Err((player, Trouble::Fault(fault))) => {
            let reason = fault.kind.ending().into();
            (Verdict { winner: Some(player.other()), reason }, Some((player, fault)))
        }
    };
    Some(Played { line, remarks, verdict, fault })
}

/// One move, or the end of the game. Whoever is at fault is told.
fn turn<G: Game>(
    line: &mut GameLine<G>,
    remarks: &mut Vec<Option<Remark>>,
    players: &mut [&mut dyn Contender<G>; 2],
    clocks: &mut Clocks,
) -> Result<Option<Verdict>, (Seat, Trouble)> {
    if let Some(verdict) = line.verdict() {
        return Ok(Some(verdict));
    }
    if remarks.len() >= LONGEST {
        return Ok(Some(Verdict { winner: None, reason: "length".into() }));
    }
    let mover = line.mover();
    if let Some(pass) = G::forced_pass(line.position()) {
        line.play(pass);
        remarks.push(None);
        return Ok(None);
    }
    let Answer { mv, spent, value, depth } =
        players[mover.index()].choose(line, clocks).map_err(|trouble| (mover, trouble))?;
    clocks.spend(mover, spent).map_err(|fault| (mover, Trouble::Fault(fault)))?;
    let Some(mv) = mv else {
        return Ok(Some(Verdict { winner: Some(mover.other()), reason: "resignation".into() }));
    };
    if !line.play(mv) {
        let shown = G::written(line.position(), &[mv]).join(" ");
        return Err((mover, Trouble::illegal(format!("`{shown}` is against the rules"))));
    }
    remarks.push(Some(Remark { value, depth, time: spent }));
    Ok(None)
}
