//! Going through a game, ending it by agreement, and changing to another game.

use anyhow::{anyhow, bail};

use super::Repl;
use crate::repl::command::Walk;
use crate::repl::thinking::value;
use plyground_engine::door::AnyGame;
use plyground_engine::game::Verdict;
use plyground_engine::profile::Profile;
use plyground_engine::session::{BoundKind, GoLimits};

/// The nodes that the engine searches before it answers the offer of a draw.
const DRAW_NODES: u64 = 200_000;

impl Repl<'_> {
    /// Goes to another place in the game, which stays as it is.
    pub(super) fn walk(&mut self, step: Walk) -> anyhow::Result<String> {
        let before = self.plies();
        if let Some(ended) = self.ended.clone() {
            self.result = Some((ended, self.line().written()));
        }
        let (back, count) = match step {
            Walk::First => (true, u32::MAX),
            Walk::Back(count) => (true, count),
            Walk::Next(count) => (false, count),
            Walk::Last => (false, u32::MAX),
        };
        for _ in 0..count {
            let moved = if back { self.player.undo() } else { self.player.redo() };
            if moved.is_none() {
                break;
            }
        }
        if self.plies() == before {
            bail!("this is the {} position of the game", if back { "first" } else { "last" });
        }
        self.after_step();
        self.walking = true;
        // What players have agreed on is no move: it stands where the moves end.
        let at_end = |(_, moves): &&(Verdict, Vec<String>)| *moves == self.line().written();
        self.ended = self.result.as_ref().filter(at_end).map(|(verdict, _)| verdict.clone());
        let mut whole = self.line().boxed();
        while whole.redo().is_some() {}
        let mut message = format!("move {} of {}", self.plies(), whole.plies());
        if let Some(mv) = self.line().numbered().last() {
            message += &format!(": {mv}");
        }
        // The comments are those of the moves in the file.
        let saved = self.saved.as_ref().filter(|saved| {
            let (saved, here) = (saved.line.written(), self.line().written());
            saved.get(..here.len()) == Some(&here[..])
        });
        let comment = saved.and_then(|saved| saved.comments.get(self.plies()));
        if let Some(comment) = comment.filter(|comment| !comment.is_empty()) {
            message += &format!("\n  {comment}");
        }
        Ok(message)
    }

    /// The person's side gives up, or the side to move if both are the person's or the engine's.
    pub(super) fn resign(&mut self) -> anyhow::Result<String> {
        self.still_on()?;
        let loser = self.seats.alone().unwrap_or_else(|| self.mover());
        self.end(Verdict { winner: Some(loser.other()), reason: "resignation".into() })
    }

    fn end(&mut self, verdict: Verdict) -> anyhow::Result<String> {
        self.ended = Some(verdict);
        self.changed = true;
        Ok(String::new())
    }

    /// Offers a draw. The engine accepts if it is not better.
    pub(super) fn offer_draw(&mut self) -> anyhow::Result<String> {
        self.still_on()?;
        let agreed = Verdict { winner: None, reason: "agreement".into() };
        let Some(person) = self.seats.alone() else { return self.end(agreed) };
        let mover = self.mover();
        let limits = GoLimits { nodes: Some(DRAW_NODES), ..GoLimits::default() };
        let display = self.display("the offer is considered  ".into(), false, false);
        let thought = display.think(&mut *self.player, limits, None);
        let thought = thought.ok_or_else(|| anyhow!("the search broke down"))?;
        let engines = if mover == person { -thought.value } else { thought.value };
        let worth = value(self.game, mover, thought.value, BoundKind::Exact);
        let name = self.player.profile().name.clone();
        match engines <= 0 {
            true => {
                self.say(&format!("{name} accepts the draw  [{worth}]"))?;
                self.end(agreed)
            }
            false => Ok(format!("{name} declines the draw  [{worth}]")),
        }
    }

    /// Changes to another game, at its start.
    pub(super) fn set_other_game(&mut self, game: &'static dyn AnyGame) -> anyhow::Result<()> {
        self.player = game.player(Profile::standard(game)?)?;
        self.game = game;
        self.saved = None;
        self.flipped = false;
        self.held = false;
        self.set_seed(self.given_seed);
        self.begin();
        Ok(())
    }
}
