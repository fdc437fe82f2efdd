//! The loop: the game, the seats, the engine and the clocks, and the conversation about them.

mod commands;
mod view;

use super::board::Style;
use super::clocks::Clocks;
use super::command::Command;
use super::completion::Completion;
use super::input::{Heard, Input};
use super::opponent;
use super::pace::Pace;
use super::seats::Seats;
use super::thinking::{Watcher, value};
use super::wrap::fit;
use crate::cli::console::Console;
use plyground_engine::door::{AnyGame, AnyLine, Player};
use plyground_engine::game::{GameError, SavedGame, Seat, Verdict};
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;

pub(super) struct Repl<'a> {
    console: &'a Console,
    games: &'a Games,
    game: &'static dyn AnyGame,
    player: Box<dyn Player>,
    /// The game that was loaded.
    saved: Option<SavedGame>,
    seats: Seats,
    pace: Pace,
    /// Only where the game is played by the clock.
    clocks: Option<Clocks>,
    /// Whose time ran out.
    fallen: Option<Seat>,
    style: Style,
    /// Is there a terminal at both ends?
    live: bool,
    /// How many columns it has.
    width: Option<usize>,
    /// Is the board turned round from where it would be?
    flipped: bool,
    /// Does the engine wait, though it may be its turn?
    held: bool,
    /// Has the board changed since it was drawn?
    changed: bool,
}

/// What a line means.
enum Meaning {
    /// A legal move, as programs write it.
    Move(String),
    Do(Command),
}

impl<'a> Repl<'a> {
    pub(super) fn new(
        console: &'a Console,
        games: &'a Games,
        profile: Profile,
        seats: Seats,
        pace: Pace,
    ) -> anyhow::Result<Repl<'a>> {
        let game = profile.game;
        let mut repl = Repl {
            console,
            games,
            game,
            player: game.player(profile)?,
            saved: None,
            seats,
            pace: Pace::Own,
            clocks: None,
            fallen: None,
            style: Style::Ascii,
            live: false,
            width: None,
            flipped: false,
            held: false,
            changed: true,
        };
        repl.set_pace(pace);
        Ok(repl)
    }

    /// How it is shown.
    pub(super) fn show(&mut self, style: Style, live: bool) {
        (self.style, self.live) = (style, live);
    }

    /// Goes to the end of a game.
    pub(super) fn set_game(&mut self, game: SavedGame) -> anyhow::Result<()> {
        self.player.set_line(&*game.line)?;
        self.saved = Some(game);
        self.begin();
        Ok(())
    }

    /// The game so far.
    fn line(&self) -> &dyn AnyLine {
        self.player.line()
    }

    /// The name of a side.
    fn side(&self, seat: Seat) -> &'static str {
        self.game.sides()[seat.index()]
    }

    fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.begin();
    }

    /// New clocks, and nobody has lost on time.
    fn begin(&mut self) {
        self.clocks = match self.pace {
            Pace::Game(time) => Some(Clocks::new(time, self.plies())),
            _ => None,
        };
        self.fallen = None;
        self.changed = true;
    }

    fn plies(&self) -> usize {
        self.line().plies()
    }

    fn mover(&self) -> Seat {
        self.line().mover()
    }

    fn verdict(&self) -> Option<Verdict> {
        let late = self
            .fallen
            .map(|player| Verdict { winner: Some(player.other()), reason: "time forfeit".into() });
        late.or_else(|| self.line().verdict())
    }

    /// Says something to people: in letters and in lines that their terminal can show.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        let text = self.style.text(text);
        match self.width {
            Some(width) => self.print(&fit(&text, width)),
            None => self.print(&text),
        }
    }

    /// Prints as it is what programs may want to read.
    fn print(&self, text: &str) -> anyhow::Result<()> {
        match text {
            "" => Ok(()),
            text if text.ends_with('\n') => self.console.print(text),
            text => self.console.print(&format!("{text}\n")),
        }
    }

    /// Reads and obeys until there is no more to read. Only an output that is gone is an error.
    pub(super) fn play(&mut self, mut input: Input) -> anyhow::Result<()> {
        self.width = input.width();
        if self.live {
            self.say(&self.welcome())?;
            if !self.seats.is_person(self.mover()) {
                self.say(&self.board())?;
            }
        }
        loop {
            // It may have changed since.
            self.width = input.width();
            self.settle()?;
            if self.console.interrupted() && !self.live {
                return Ok(());
            }
            let prompt = self.prompt();
            let line = match input.read(self.console, &prompt, || self.completion())? {
                Heard::Line(line) => line,
                Heard::Nothing => {
                    self.say("(quit or Ctrl-D leaves, help lists the commands)")?;
                    continue;
                }
                // The prompt's line is ended for who reads on.
                Heard::End if self.live => return self.say("\n"),
                Heard::End => return Ok(()),
            };
            let line = line.trim();
            // Scripts may explain themselves.
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let answer = match self.meaning(line) {
                Ok(Meaning::Do(Command::Quit)) => return Ok(()),
                Ok(Meaning::Do(command)) => self.obey(command),
                Ok(Meaning::Move(mv)) => self.person_moves(&mv),
                Err(complaint) => Err(anyhow::Error::msg(complaint)),
            };
            match answer {
                Ok(text) => self.say(&text)?,
                Err(error) => self.say(&harmless(&format!("{error:#}")))?,
            }
        }
    }

    /// Plays on until it is a person's turn, then shows where the game stands.
    fn settle(&mut self) -> anyhow::Result<()> {
        let plays = !self.held && !self.seats.is_person(self.mover());
        let news = self.changed || plays && self.verdict().is_none();
        while self.verdict().is_none() {
            if let Some(pass) = self.line().forced_pass() {
                let side = self.side(self.mover());
                self.play_move(&pass);
                self.say(&format!("{side} has no move and passes"))?;
                continue;
            }
            if self.held || self.seats.is_person(self.mover()) {
                break;
            }
            let told = self.engine_moves();
            self.say(&told)?;
            if !self.seats.nobody() {
                continue;
            }
            if self.console.interrupted() {
                if !self.live {
                    break;
                }
                self.held = true;
                self.say("(paused: go goes on)")?;
            } else if self.live {
                self.changed = false;
                self.say(&self.board())?;
            }
        }
        // An interruption ended the thinking, and that is over.
        self.console.go_on();
        if self.changed {
            self.changed = false;
            self.say(&self.board())?;
        }
        if news { self.say(&self.standing()) } else { Ok(()) }
    }

    /// Makes a legal move, unless it comes too late.
    fn play_move(&mut self, mv: &str) {
        let (plies, mover) = (self.plies(), self.mover());
        self.changed = true;
        if let Some(clocks) = &mut self.clocks
            && !clocks.press(plies, mover)
        {
            self.fallen = Some(mover);
            return;
        }
        let played = self.player.play(mv);
        debug_assert!(played.is_ok(), "{mv} is legal");
    }

    fn person_moves(&mut self, mv: &str) -> anyhow::Result<String> {
        self.still_on()?;
        self.play_move(mv);
        self.held = false;
        Ok(String::new())
    }

    /// The engine thinks and moves; what it says to that.
    fn engine_moves(&mut self) -> String {
        let mover = self.mover();
        let left =
            self.clocks.as_ref().map(|clocks| clocks.left(self.plies(), mover)[mover.index()]);
        let limits = self.pace.limits(self.player.profile(), left);
        let name = self.player.profile().name.clone();
        let title = format!("{name} thinks  ");
        let thought = self.watcher(title, false, false).think(&mut *self.player, limits);
        let side = self.side(mover);
        let Some(thought) = thought else {
            // Any move is better than none.
            let first = self.line().legal_moves().into_iter().next();
            first.iter().for_each(|mv| self.play_move(mv));
            return "the search broke down; the first legal move was played".into();
        };
        let Some(best) = thought.best else { return String::new() };
        let line = match thought.line.first() {
            Some(first) if *first == best => self.line().show(&thought.line),
            _ => self.line().show(std::slice::from_ref(&best)),
        };
        self.play_move(&best);
        let shown = line.first().unwrap_or(&best);
        let mut told = format!("{side} ({name}) plays {}", self.style.strong(shown));
        if thought.depth > 0 {
            let worth = value(self.game, thought.value, thought.bound);
            told += &format!("  [{worth}, depth {}", thought.depth);
            if line.len() > 1 {
                told += &format!(
                    ", expecting {}",
                    line[1..].iter().take(5).cloned().collect::<Vec<_>>().join(" ")
                );
            }
            told.push(']');
        }
        told
    }

    fn watcher(&self, title: String, enter: bool, lines: bool) -> Watcher<'a> {
        Watcher { console: self.console, live: self.live, enter, lines, title }
    }

    /// An error if the game is over.
    fn still_on(&self) -> anyhow::Result<()> {
        match self.verdict() {
            None => Ok(()),
            Some(verdict) => {
                anyhow::bail!("the game is over ({}):\n{OVER}", verdict.text(self.game.sides()))
            }
        }
    }

    /// What a line means, or what to say if it means nothing.
    fn meaning(&self, line: &str) -> Result<Meaning, String> {
        if let Some(command) = Command::named(line) {
            return command.map(Meaning::Do);
        }
        let complaint = match self.typed_move(line) {
            Ok(mv) => return Ok(Meaning::Move(mv)),
            Err(complaint) => complaint,
        };
        let first = line.split_whitespace().next().unwrap_or(line);
        if first.len() < line.len() && self.typed_move(first).is_ok() {
            return Err(format!("one move at a time: `{first}` is legal, with more it is no move"));
        }
        // No command has a figure or a stroke in its name.
        let figures = first.contains(|c: char| c.is_ascii_digit() || c == '-');
        if figures && first.len() <= 8 || first.eq_ignore_ascii_case("pass") {
            self.still_on().map_err(|over| over.to_string())?;
            return Err(complaint);
        }
        Command::guessed(line).map(Meaning::Do)
    }

    /// A legal move as people type it: with its number, in small letters, or in two words.
    fn typed_move(&self, line: &str) -> Result<String, String> {
        let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = match bare.strip_prefix('.') {
            Some(rest) if bare.len() < line.len() => rest.trim_start_matches(['.', ' ']),
            _ => line,
        };
        let joined: String = text.split_whitespace().collect();
        let mut capital = joined.to_lowercase();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        // What a pawn becomes is a capital letter at the end.
        let mut promoted = joined.to_lowercase();
        if let Some(last) = promoted.len().checked_sub(1).and_then(|at| promoted.get_mut(at..)) {
            last.make_ascii_uppercase();
        }
        let (small, great) = (joined.to_lowercase(), joined.to_uppercase());
        let attempts = [&joined, &small, &capital, &promoted, &great];
        let mut found = attempts.into_iter().map(|text| self.line().typed_move(text));
        match found.next() {
            Some(Err(error)) => found.flatten().next().ok_or_else(|| reason(&error)),
            Some(Ok(mv)) => Ok(mv),
            None => Err(String::new()),
        }
    }

    /// What the line editor can complete.
    fn completion(&self) -> Completion {
        Completion {
            moves: self.line().legal_moves_shown(),
            coordinates: self.line().legal_moves(),
            engines: opponent::names(self.games, self.game),
            sides: Seats::words(self.game),
            ..Completion::default()
        }
    }
}

/// What can be done when a game is over.
const OVER: &str = "undo takes moves back, new begins another game, save FILE keeps this one.";

/// A complaint that repeats what was typed, without what would move the cursor or change colours.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '?' } else { c }).collect()
}

/// What is wrong with a move. Everybody sees where it stands.
fn reason(error: &GameError) -> String {
    error.problem().unwrap_or_else(|| format!("{error}; moves lists those that are"))
}
