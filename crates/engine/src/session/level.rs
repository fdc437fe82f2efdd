//! Levels of play, for users who do not want to set depths and times.

use std::time::Duration;

use super::GoLimits;

/// The highest level.
pub const MAX_LEVEL: u8 = 10;

/// The limits of the levels below the highest: plies and nodes, whichever is reached first. They
/// are the same on every machine.
const LEVELS: [(u32, u64); MAX_LEVEL as usize - 1] = [
    (1, 10_000),
    (2, 20_000),
    (3, 50_000),
    (4, 100_000),
    (6, 200_000),
    (8, 400_000),
    (12, 800_000),
    (20, 1_600_000),
    (60, 3_200_000),
];

/// The time for a move at the highest level, which has no other limit.
const FULL_TIME: Duration = Duration::from_secs(5);

impl GoLimits {
    /// The limits of a level from 1 to [`MAX_LEVEL`]; `None` if there is no such level.
    #[must_use]
    pub fn of_level(level: u8) -> Option<GoLimits> {
        if level == MAX_LEVEL {
            return Some(GoLimits { move_time: Some(FULL_TIME), ..GoLimits::default() });
        }
        let &(depth, nodes) = LEVELS.get(usize::from(level).checked_sub(1)?)?;
        Some(GoLimits { depth: Some(depth), nodes: Some(nodes), ..GoLimits::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        }
        assert_eq!(GoLimits::of_level(1).unwrap().depth, Some(1));
        assert_eq!(GoLimits::of_level(MAX_LEVEL).unwrap().move_time, Some(FULL_TIME));
        assert!(GoLimits::of_level(0).is_none() && GoLimits::of_level(MAX_LEVEL + 1).is_none());
    }
}
