//! Which sides people play, and which the engine.

use plyground_engine::door::AnyGame;
use plyground_engine::game::Seat;

/// The sides that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seats {
    people: [bool; 2],
}

impl Default for Seats {
    /// A person has the side that begins, the engine the other.
    fn default() -> Seats {
        Seats { people: [true, false] }
    }
}

impl Seats {
    /// Reads one of the game's sides, `both` or `none`.
    pub(super) fn read(game: &dyn AnyGame, text: &str) -> Result<Seats, String> {
        let [first, second] = game.sides();
        let people = match text.to_ascii_lowercase().as_str() {
            "both" => [true, true],
            "none" => [false, false],
            side if side == first => [true, false],
            side if side == second => [false, true],
            _ => {
                let typed: String = text.chars().take(30).collect();
                return Err(format!("`{typed}`: expected {first}, {second}, both or none"));
            }
        };
        Ok(Seats { people })
    }

    /// The words that [`read`](Seats::read) accepts.
    pub(super) fn words(game: &dyn AnyGame) -> Vec<String> {
        game.sides().iter().chain(&["both", "none"]).map(ToString::to_string).collect()
    }

    pub(super) fn is_person(self, player: Seat) -> bool {
        self.people[player.index()]
    }

    /// The one side that a person plays against the engine.
    pub(super) fn alone(self) -> Option<Seat> {
        match self.people {
            [true, false] => Some(Seat::First),
            [false, true] => Some(Seat::Second),
            _ => None,
        }
    }

    /// Does the engine play itself?
    pub(super) fn engine_plays_both(self) -> bool {
        self.people == [false, false]
    }

    /// The same with the sides exchanged; `None` if that changes nothing.
    pub(super) fn exchanged(self) -> Option<Seats> {
        self.alone().map(|_| Seats { people: self.people.map(|person| !person) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    #[test]
    fn sides_are_the_game_s() {
        assert_eq!(Seats::read(Chess::door(), "white"), Ok(Seats::default()));
        assert_eq!(Seats::read(Othello::door(), "Black"), Ok(Seats::default()));
        let black = Seats::read(Chess::door(), "black").unwrap();
        assert_eq!(black.alone(), Some(Seat::Second));
        assert_eq!(Seats::default().exchanged(), Some(black));
        for text in ["both", "none"] {
            assert_eq!(Seats::read(Chess::door(), text).unwrap().exchanged(), None);
        }
        assert!(Seats::read(Chess::door(), "green").is_err());
    }
}
