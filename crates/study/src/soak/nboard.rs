//! A soak over the NBoard protocol.

use super::GivenUp;
use super::engine_copy::EngineCopy;
use super::game::SoakGame;
use plyground_engine::door::AnyLine;
use plyground_engine::game::Heading;

impl EngineCopy<'_> {
    pub(super) fn nboard_greet(&mut self) -> Result<(), GivenUp> {
        self.send("nboard 2")?;
        self.nboard_ping(1)
    }

    /// Waits until the copy has read everything, and stops its search.
    pub(super) fn nboard_ping(&mut self, number: u64) -> Result<(), GivenUp> {
        self.send(&format!("ping {number}"))?;
        let pong = format!("pong {number}");
        self.find(|line| (line == pong).then_some(())).map(|_| ())
    }

    /// Tells the copy the moves that it does not know.
    pub(super) fn nboard_sync(&mut self, line: &dyn AnyLine) -> Result<(), GivenUp> {
        if self.known == 0 {
            let game = line.save(&Heading::default());
            self.send(&format!("set game {}", game.trim()))?;
        } else {
            for mv in &line.written()[self.known..] {
                self.send(&format!("move {mv}"))?;
            }
        }
        self.known = line.plies();
        Ok(())
    }
}

impl SoakGame<'_> {
    /// Requests that are interrupted.
    pub(super) fn nboard_requests(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        copy.nboard_sync(&*self.line)?;
        for _ in 0..self.dice.between(1, 3) {
            let lines = self.dice.between(1, 5);
            let requests = [format!("hint {lines}"), "analyze".to_owned(), "go".to_owned()];
            let request: &String = self.dice.pick(&requests);
            copy.send(request)?;
            std::thread::sleep(self.dice.pause());
            self.counts.stops += 1;
        }
        let number = self.dice.below(1000);
        copy.nboard_ping(number)
    }

    /// A move at some depth.
    pub(super) fn nboard_move(&mut self, copy: &mut EngineCopy<'_>) -> Result<String, GivenUp> {
        copy.nboard_sync(&*self.line)?;
        copy.send(&format!("set depth {}", self.dice.between(1, 6)))?;
        copy.send("go")?;
        let stopped = self.dice.once_in(3);
        if stopped {
            std::thread::sleep(self.dice.pause());
            self.counts.stops += 1;
            copy.send("ping 99")?;
        }
        let (_, mv) = copy.find(|line| {
            let answer = line.strip_prefix("===")?;
            Some(answer.split('/').next().unwrap_or("").trim().to_owned())
        })?;
        if stopped {
            copy.find(|line| (line == "pong 99").then_some(()))?;
        }
        Ok(mv)
    }
}
