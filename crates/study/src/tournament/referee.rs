//! The referee: one game between two opponents, by the rules and the clock.

use super::adjudication::Adjudication;
use super::limit::Clocks;
use super::opponent::{Opponent, OpponentError, OpponentReply};
use super::record::Fault;
use plyground_engine::door::AnyLine;
use plyground_engine::game::{Remark, Seat, Verdict};

/// A game that lasts this many plies after its opening is a draw.
pub const LONGEST_GAME: usize = 600;

/// A game that is over.
pub struct PlayedGame {
    /// The moves.
    pub line: Box<dyn AnyLine>,
    /// The players' values of their moves after the opening; `None` for a forced pass.
    pub remarks: Vec<Option<Remark>>,
    /// The result.
    pub verdict: Verdict,
    /// The fault that ended the game, if one did, and the side at fault.
    pub fault: Option<(Seat, Fault)>,
}

/// Plays a game from an opening, which must not end the game; `None` if it was interrupted. The players
/// are in the order of their sides; the adjudication may end the game before its rules do.
pub fn play_game(
    opening: &dyn AnyLine,
    mut players: [&mut dyn Opponent; 2],
    mut clocks: Clocks,
    adjudication: &Adjudication,
) -> Option<PlayedGame> {
    let mut line = opening.boxed();
    let mut remarks = Vec::new();
    let mut whole_game = || {
        for seat in Seat::ALL {
            players[seat.index()].begin(opening).map_err(|error| (seat, error))?;
        }
        loop {
            if let Some(verdict) = turn(&mut *line, &mut remarks, &mut players, &mut clocks)? {
                return Ok(verdict);
            }
            // What the rules of the game say counts first.
            if line.verdict().is_none()
                && let Some(verdict) = adjudication.verdict(&remarks, line.mover().other())
            {
                return Ok(verdict);
            }
        }
    };
    let (verdict, fault) = match whole_game() {
        Ok(verdict) => (verdict, None),
        Err((_, OpponentError::Interrupted)) => return None,
        Err((seat, OpponentError::Fault(fault))) => {
            let reason = fault.kind.ending().into();
            (Verdict { winner: Some(seat.other()), reason }, Some((seat, fault)))
        }
    };
    Some(PlayedGame { line, remarks, verdict, fault })
}

/// Plays one move, or returns the result. An error names the side at fault.
fn turn(
    line: &mut dyn AnyLine,
    remarks: &mut Vec<Option<Remark>>,
    players: &mut [&mut dyn Opponent; 2],
    clocks: &mut Clocks,
) -> Result<Option<Verdict>, (Seat, OpponentError)> {
    if let Some(verdict) = line.verdict() {
        return Ok(Some(verdict));
    }
    if remarks.len() >= LONGEST_GAME {
        return Ok(Some(Verdict { winner: None, reason: "length".into() }));
    }
    let mover = line.mover();
    let illegal =
        |mv: &str| (mover, OpponentError::illegal(format!("`{mv}` is against the rules")));
    if let Some(pass) = line.forced_pass() {
        line.play(&pass).map_err(|_| illegal(&pass))?;
        remarks.push(None);
        return Ok(None);
    }
    let OpponentReply { mv, spent, value, depth } =
        players[mover.index()].choose(line, clocks).map_err(|error| (mover, error))?;
    clocks.spend(mover, spent).map_err(|fault| (mover, OpponentError::Fault(fault)))?;
    let Some(mv) = mv else {
        return Ok(Some(Verdict { winner: Some(mover.other()), reason: "resignation".into() }));
    };
    line.play(&mv).map_err(|_| illegal(&mv))?;
    remarks.push(Some(Remark { value, depth, time: spent }));
    Ok(None)
}
