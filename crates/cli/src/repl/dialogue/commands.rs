//! The commands: each does its work and returns a message.

use anyhow::{anyhow, bail};

use super::Repl;
use crate::repl::command::{Command, CommandEntry, TABLE, closest};
use crate::repl::comparison::compare;
use crate::repl::input::key_waits;
use crate::repl::pace::Pace;
use crate::repl::seats::Seats;
use crate::repl::thinking::{line, value};
use crate::repl::{files, opponent};
use plyground_core::names::plural;
use plyground_engine::door::AnyGame;
use plyground_engine::game::{SavedGame, Seat};
use plyground_engine::session::GoLimits;
use plyground_study::report::{Align, TextTable};

/// The nodes that the engine searches for a hint.
const HINT_NODES: u64 = 300_000;

/// How long an analysis lasts that comes from a pipe, where no key can end it.
const UNATTENDED: std::time::Duration = std::time::Duration::from_secs(5);

impl Repl<'_> {
    /// Executes a command.
    pub(super) fn execute(&mut self, command: Command) -> anyhow::Result<String> {
        match command {
            Command::Analyse(time) => self.analyse(time),
            Command::Board => Ok(self.board()),
            Command::Compare(depth) => {
                self.still_on()?;
                let depth = depth.unwrap_or(self.game.depths().quick);
                let weights = &self.player.profile().evaluator;
                compare(self.console, self.live, self.line(), weights, depth)
            }
            Command::Engine(None) => {
                Ok(opponent::listed(self.games, self.game, &self.player.profile().name))
            }
            Command::Engine(Some(name)) => self.set_engine(&name),
            Command::Eval => Ok(self.explain()),
            Command::Flip => {
                self.flipped = !self.flipped;
                Ok(self.board())
            }
            Command::Go => {
                self.still_on()?;
                self.held = false;
                self.walking = false;
                Ok(self.engine_moves())
            }
            Command::Help(None) => Ok(list()),
            Command::Help(Some(name)) => help(&name, self.line_width()),
            Command::Hint => self.hint(),
            Command::History => Ok(self.history()),
            Command::Draw => self.offer_draw(),
            Command::Game(None) => {
                let names: Vec<&str> = self.games.iter().map(AnyGame::name).collect();
                Ok(format!("this is {}; game {} changes it", self.game, names.join(" or game ")))
            }
            Command::Game(Some(name)) => {
                self.set_other_game(self.games.find(&name)?)?;
                Ok(self.welcome())
            }
            Command::Load { file, number } => {
                let (game, count) = files::load_any(self.games, self.game, &file, number)?;
                let mut message = format!("{file}: {}", plies(game.line.plies()));
                if game.line.game() != self.game {
                    self.set_other_game(game.line.game())?;
                    message = format!("{} now. {message}", self.game);
                }
                if count > 1 {
                    message += &format!("; game {} of {count}", number.unwrap_or(1));
                }
                self.look_at(game)?;
                Ok(message)
            }
            Command::Moves => {
                self.still_on()?;
                Ok(self.legal_moves())
            }
            Command::New => {
                self.player.clear();
                self.set_seed(self.given_seed);
                self.set_game(self.game.start("")?.into())?;
                self.held = false;
                Ok("a new game".into())
            }
            Command::Pace(pace) => {
                if let Some(pace) = pace {
                    self.set_pace(pace);
                    self.changed = self.clocks.is_some();
                }
                let profile = self.player.profile();
                Ok(format!("{} plays: {}", profile.name, self.pace.text(profile)))
            }
            Command::Position(None) => {
                self.print(&self.line().position())?;
                Ok(String::new())
            }
            Command::Position(Some(text)) => {
                let line = files::parse(self.game, &text).map_err(|error| {
                    match self.games.of_text(&text) {
                        Some(other) if other != self.game => anyhow!(
                            "that is a position of {other}, and this is {}: game {other} changes it",
                            self.game
                        ),
                        _ => error.into(),
                    }
                })?;
                self.look_at(line.into())?;
                Ok(String::new())
            }
            Command::Quit => Ok(String::new()),
            Command::Record => {
                self.print(&self.record())?;
                Ok(String::new())
            }
            Command::Redo(count) => self.redo(count),
            Command::Resign => self.resign(),
            Command::Seed(seed) => {
                if seed.is_some() {
                    self.set_seed(seed);
                }
                Ok(format!("the engine's choices follow from seed {}", self.seed))
            }
            Command::Save { file, replace } => {
                let what = files::save(self.line(), &self.record(), &file, replace)?;
                Ok(format!("the {what} is in {file}"))
            }
            Command::Switch(side) => self.switch(side.as_deref()),
            Command::Undo(count) => self.undo(count),
            Command::Walk(step) => self.walk(step),
        }
    }

    /// Goes to another game; the engine waits, so that people can look at it.
    fn look_at(&mut self, game: SavedGame) -> anyhow::Result<()> {
        self.set_game(game)?;
        self.held = true;
        Ok(())
    }

    fn set_engine(&mut self, name: &str) -> anyhow::Result<String> {
        let profile = opponent::find(self.games, name, Some(self.game))?;
        let mut player = self.game.player(profile)?;
        player.set_line(self.line())?;
        self.player = player;
        let profile = self.player.profile();
        let (name, about) = (&profile.name, &profile.about);
        Ok(format!("{name} plays ({}): {about}", self.pace.text(profile)))
    }

    fn switch(&mut self, side: Option<&str>) -> anyhow::Result<String> {
        self.seats = match side {
            Some(side) => Seats::read(self.game, side).map_err(anyhow::Error::msg)?,
            None => self.seats.exchanged().ok_or_else(|| {
                let [first, second] = self.game.sides();
                anyhow!("switch to what? expected {first}, {second}, both or none")
            })?,
        };
        self.held = false;
        self.changed = true;
        Ok(match self.seats.alone() {
            Some(player) => format!("you are {} now", self.side(player)),
            None if self.seats.engine_plays_both() => "the engine plays itself".into(),
            None => "both sides are yours".into(),
        })
    }

    /// Is this a position where a person has no choice: the engine's turn, or a forced pass? Undo and
    /// redo go past it.
    fn is_between(&self) -> bool {
        let engines = self.seats.alone().is_some_and(|person| person != self.mover());
        engines || self.line().forced_pass().is_some()
    }

    fn undo(&mut self, count: u32) -> anyhow::Result<String> {
        // What ended the game was no move: it is taken back first.
        if self.ended.is_some() {
            let clock = self.clocks.is_some();
            self.after_step();
            self.result = None;
            self.held = false;
            return Ok(if clock { "the clock runs again" } else { "the game goes on" }.into());
        }
        let moves = self.line().shown();
        for _ in 0..count {
            if self.player.undo().is_none() {
                break;
            }
            while self.is_between() && self.player.undo().is_some() {}
        }
        // If the game begins with a forced pass, the pass cannot be taken back.
        while self.line().forced_pass().is_some() && self.player.redo().is_some() {}
        let left = self.plies();
        if left == moves.len() {
            bail!("there is nothing to take back");
        }
        self.after_step();
        Ok(format!("taken back: {}", moves[left..].join(" ")))
    }

    fn redo(&mut self, count: u32) -> anyhow::Result<String> {
        let before = self.plies();
        for _ in 0..count {
            if self.player.redo().is_none() {
                break;
            }
            while self.is_between() && self.player.redo().is_some() {}
        }
        if self.plies() == before {
            bail!("there is nothing to play again");
        }
        self.after_step();
        Ok(format!("played again: {}", self.line().shown()[before..].join(" ")))
    }

    /// After going back or forth: the clocks start now, and the engine waits.
    pub(super) fn after_step(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.start();
        }
        self.ended = None;
        self.held = true;
        self.changed = true;
    }

    fn hint(&mut self) -> anyhow::Result<String> {
        self.still_on()?;
        let limits = match self.pace {
            Pace::Depth(depth) => GoLimits { depth: Some(depth), ..GoLimits::default() },
            _ => GoLimits { nodes: Some(HINT_NODES), ..GoLimits::default() },
        };
        let display = self.display("a hint  ".into(), false, false);
        let thought = display.think(&mut *self.player, limits, None);
        let thought = thought.ok_or_else(|| anyhow!("the search broke down"))?;
        let best = thought.best.ok_or_else(|| anyhow!("there is no move"))?;
        let best = self.line().show(&[best]).join(" ");
        let mut message = format!("hint: {}", self.style.strong(&best));
        if thought.depth > 0 {
            message += &format!(
                "  [{}, depth {}: {}]",
                value(self.game, self.mover(), thought.value, thought.bound),
                thought.depth,
                self.line().show(&thought.line).join(" ")
            );
        }
        Ok(message)
    }

    fn analyse(&mut self, time: Option<std::time::Duration>) -> anyhow::Result<String> {
        self.still_on()?;
        let mut limits = GoLimits { move_time: time, ..GoLimits::default() };
        // Where more is typed already, nobody waits for a key to press.
        let attended = self.live && !key_waits();
        if time.is_none() && !attended {
            match self.pace {
                Pace::Depth(depth) => limits.depth = Some(depth),
                _ => limits.move_time = Some(UNATTENDED),
            }
        }
        if attended {
            let ends =
                if time.is_none() { "Enter or Ctrl-C ends it" } else { "Enter ends it early" };
            self.say(&format!("{} analyses; {ends}", self.player.profile().name))?;
        }
        let display = self.display(String::new(), true, true);
        let thought = display.think(&mut *self.player, limits, None);
        let thought = thought.ok_or_else(|| anyhow!("the search broke down"))?;
        // Without a terminal every line was printed already.
        if !self.live {
            return Ok(String::new());
        }
        Ok(line(
            thought.depth,
            &value(self.game, self.mover(), thought.value, thought.bound),
            (thought.nodes, thought.time),
            &self.line().show(&thought.line),
        ))
    }

    /// The evaluator's terms and their sum.
    fn explain(&self) -> String {
        let (whole, terms) = self.player.explain();
        // As everywhere, for the side that begins.
        let sign = if self.mover() == Seat::First { 1 } else { -1 };
        let side = self.side(Seat::First);
        let mut table = TextTable::new(format!("At first sight, for {side}"));
        table.column("term", Align::Left);
        table.column("value", Align::Right);
        for (term, value) in terms {
            table.row(vec![term, self.game.value_text(sign * value)]);
        }
        table.row(vec!["the position".into(), self.game.value_text(sign * whole)]);
        table.to_text(self.line_width())
    }
}

fn plies(plies: usize) -> String {
    match plies {
        0 => "a position".into(),
        plies => format!("a game of {}", plural(plies, "move")),
    }
}

/// The list of commands, without those that its last line mentions.
fn list() -> String {
    let mut text = String::new();
    for entry in TABLE.iter().filter(|entry| !["help", "save!", "quit"].contains(&entry.name)) {
        let usage = format!("{} {}", entry.name, entry.usage);
        text += &format!("  {usage:<18} {}\n", entry.what);
    }
    text + "help COMMAND explains it, Tab completes, quit or Ctrl-D leaves. All else is a move.\n"
}

fn help(name: &str, width: usize) -> anyhow::Result<String> {
    let name = name.trim().to_ascii_lowercase();
    match CommandEntry::find(&name) {
        Some(entry) => Ok(entry.explained(width)),
        None => match closest(&name)[..] {
            [] => bail!("there is no command of that name; help lists them all"),
            ref close => {
                bail!("there is no command of that name; did you mean {}?", close.join(" or "))
            }
        },
    }
}
