//! The engine's strength: `UCI_LimitStrength`, `UCI_Elo`, `Variety`; and `UCI_ShowWDL`.

use super::options::UciOptions;
use plyground_core::tree::mix;
use plyground_core::value::{LEAST_MATE, Value};
use plyground_engine::game::{Game, GameError};
use plyground_engine::levels::Levels;
use plyground_engine::session::{GoLimits, MoveChoice, Session, new_seed};
use plyground_games::chess::{Chess, PAWN};

/// What the strength of a move follows from, besides the options.
pub(super) struct UciStrength {
    levels: Levels,
    /// The seed of this game, unless the option sets one.
    seed: u64,
}

impl UciStrength {
    pub(super) fn new() -> Result<UciStrength, GameError> {
        Ok(UciStrength { levels: Chess::door().levels()?, seed: new_seed() })
    }

    /// Another game has another seed.
    pub(super) fn new_game(&mut self) {
        self.seed = new_seed();
    }

    /// The limits of a move, and how it is chosen.
    pub(super) fn of_move(
        &self,
        session: &Session<Chess>,
        limits: &GoLimits,
        options: &UciOptions,
    ) -> (GoLimits, Option<MoveChoice>) {
        let seed = if options.seed > 0 { options.seed } else { self.seed };
        let plies = session.line().moves().len() as u64;
        // Which of two levels a move is played at follows from the seed too.
        let draw = mix(seed, plies) as f64 / u64::MAX as f64;
        let level = self.levels.of_elo(options.elo, draw).filter(|_| options.limited);
        if let Some(level) = level {
            return (level.limited(limits), level.choice(seed));
        }
        let variety = options.variety.then(|| session.variety(seed)).flatten();
        (limits.clone(), variety)
    }
}

/// The value of an even chance to win, and how quickly the chance grows, in hundredths of a pawn: what fits
/// 6,524 positions of 71 games between the levels from 7 to 10 best.
const EVEN: f64 = 150.0;
const SLOPE: f64 = 130.0;

/// The chances of a win, a draw and a loss with this value, in thousandths.
pub(super) fn wdl(value: Value) -> String {
    let hundredths = f64::from(value) * 100.0 / f64::from(PAWN);
    let chance = |value: f64| match value.abs() >= f64::from(LEAST_MATE) {
        true => 1000.0 * f64::from(u8::from(value > 0.0)),
        false => 1000.0 / (1.0 + ((EVEN - value) / SLOPE).exp()),
    };
    let (win, loss) = (chance(hundredths).round() as u32, chance(-hundredths).round() as u32);
    format!("{win} {} {loss}", 1000 - (win + loss).min(1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::value::MATE;

    #[test]
    fn chances_add_up_and_rise() {
        let chances = |value: Value| -> Vec<u32> {
            wdl(value).split(' ').map(|part| part.parse().unwrap()).collect()
        };
        let mut before = 0;
        for value in (-3_000..3_000).step_by(7) {
            let found = chances(value);
            assert_eq!(found.iter().sum::<u32>(), 1000, "{value}: {found:?}");
            assert!(found[0] >= before, "{value}");
            before = found[0];
            let other = chances(-value);
            assert_eq!((found[0], found[2]), (other[2], other[0]));
        }
        assert_eq!(wdl(MATE - 3), "1000 0 0");
        assert_eq!(wdl(-MATE + 4), "0 0 1000");
    }
}
