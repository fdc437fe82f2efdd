//! The read-eval-print loop: it holds the game, the seats, the engine and the clocks.

mod commands;
mod view;
mod walk;

use anyhow::bail;

use super::board::Style;
use super::clocks::GameClocks;
use super::command::Command;
use super::completion::Completion;
use super::input::{Input, InputEvent};
use super::opponent;
use super::pace::Pace;
use super::seats::Seats;
use super::thinking::{ThinkingDisplay, value};
use super::wrap::fit;
use crate::cli::console::Console;
use plyground_core::names::plural;
use plyground_engine::door::{AnyGame, AnyLine, Player};
use plyground_engine::game::{GameError, SavedGame, Seat, Verdict};
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{MoveChoice, new_seed};

/// A game in progress at the keyboard.
pub(super) struct Repl<'a> {
    console: &'a Console,
    games: &'a Games,
    game: &'static dyn AnyGame,
    player: Box<dyn Player>,
    /// The game that was loaded from a file, with the file's text.
    saved: Option<SavedGame>,
    seats: Seats,
    pace: Pace,
    /// The seed that was asked for; without one, each game has another.
    given_seed: Option<u64>,
    /// What the engine's choices in this game follow from.
    seed: u64,
    /// `None` unless the game is played with clocks.
    clocks: Option<GameClocks>,
    /// The result, if the rules of the game do not give it: time that ran out, or what players agree.
    ended: Option<Verdict>,
    /// That result and the moves before it, while the game is gone through.
    result: Option<(Verdict, Vec<String>)>,
    /// The moves that the last line may mean, with the words that name them: the next line chooses.
    open_choices: Vec<(Vec<String>, String)>,
    /// Is the game only looked at?
    walking: bool,
    style: Style,
    /// Are input and output a terminal?
    live: bool,
    /// The columns of the terminal.
    width: Option<usize>,
    /// Is the board turned round from its usual orientation?
    flipped: bool,
    /// Does the engine wait for `go`, though it may be its turn?
    held: bool,
    /// Has the board changed since it was drawn?
    changed: bool,
    /// The lines read so far, how many of them were refused, and the first of those.
    lines: usize,
    refused: usize,
    first_refused: Option<(usize, String)>,
}

/// A line that was understood.
enum ParsedLine {
    /// A legal move, as programs write it.
    Move(String),
    /// A move that leaves something out: the moves that it may mean, with the words that name them.
    Choose(Vec<(Vec<String>, String)>),
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
            given_seed: None,
            seed: new_seed(),
            clocks: None,
            ended: None,
            result: None,
            open_choices: Vec::new(),
            walking: false,
            style: Style::Ascii,
            live: false,
            width: None,
            flipped: false,
            held: false,
            changed: true,
            lines: 0,
            refused: 0,
            first_refused: None,
        };
        repl.set_pace(pace);
        Ok(repl)
    }

    /// Sets what the engine's choices follow from; `None` for another seed in each game.
    pub(super) fn set_seed(&mut self, seed: Option<u64>) {
        self.given_seed = seed;
        self.seed = seed.unwrap_or_else(new_seed);
    }

    /// Sets how the game is shown.
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
        let pace = pace.after(self.pace);
        // Another level does not set the clocks back.
        let running = if pace.clock() == self.pace.clock() { self.clocks.take() } else { None };
        self.pace = pace;
        self.begin();
        self.clocks = running.or(self.clocks.take());
    }

    /// Starts new clocks, in a game that is not over unless its rules say so.
    fn begin(&mut self) {
        let plies = self.plies();
        self.clocks = self.pace.clock().map(|time| GameClocks::new(time, plies));
        self.ended = None;
        self.result = None;
        self.walking = false;
        self.open_choices.clear();
        self.changed = true;
    }

    fn plies(&self) -> usize {
        self.line().plies()
    }

    fn mover(&self) -> Seat {
        self.line().mover()
    }

    fn verdict(&self) -> Option<Verdict> {
        self.ended.clone().or_else(|| self.line().verdict())
    }

    /// Prints a text for people, in characters and lines that their terminal can show.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        let text = self.style.text(text);
        match self.width {
            Some(width) => self.print(&fit(&text, width)),
            None => self.print(&text),
        }
    }

    /// Prints a text unchanged: programs may read it.
    fn print(&self, text: &str) -> anyhow::Result<()> {
        match text {
            "" => Ok(()),
            text if text.ends_with('\n') => self.console.print(text),
            text => self.console.print(&format!("{text}\n")),
        }
    }

    /// Reads and executes lines until the input ends. An output that was closed is an error, and in a
    /// pipe lines that were refused are one at the end: a script learns of them by the exit code.
    pub(super) fn play(&mut self, input: Input) -> anyhow::Result<()> {
        self.converse(input)?;
        match &self.first_refused {
            Some((number, line)) if !self.live => bail!(
                "{} of {} refused, the first was line {number}, `{}`",
                self.refused,
                plural(self.lines, "line"),
                harmless(line)
            ),
            _ => Ok(()),
        }
    }

    fn converse(&mut self, mut input: Input) -> anyhow::Result<()> {
        self.width = input.width();
        if self.live {
            self.say(&self.welcome())?;
            if !self.seats.is_person(self.mover()) {
                self.say(&self.board())?;
            }
        }
        let mut game = self.game;
        loop {
            // The window may have been resized.
            self.width = input.width();
            self.settle()?;
            if game != self.game {
                game = self.game;
                input.set_game(game);
            }
            if self.console.interrupted() && !self.live {
                return Ok(());
            }
            let prompt = self.prompt();
            let line =
                match input.read(self.console, &prompt, self.ticker(), || self.completion())? {
                    InputEvent::Line(line) => line,
                    InputEvent::Cancelled => {
                        self.open_choices.clear();
                        self.say("(quit or Ctrl-D leaves, help lists the commands)")?;
                        continue;
                    }
                    // Ends the line of the prompt, so that the shell's prompt begins a new one.
                    InputEvent::End if self.live => return self.say("\n"),
                    // A script that ends here means the most likely move.
                    InputEvent::End if !self.open_choices.is_empty() => String::new(),
                    InputEvent::End => return Ok(()),
                };
            let line = line.trim();
            self.lines += 1;
            if let Some(done) = self.choose(line) {
                self.say(&done)?;
                continue;
            }
            // Scripts may have comments.
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let result = match self.parse_line(line) {
                Ok(ParsedLine::Do(Command::Quit)) => return Ok(()),
                Ok(ParsedLine::Do(command)) => self.execute(command),
                Ok(ParsedLine::Move(mv)) => self.person_moves(&mv),
                Ok(ParsedLine::Choose(choices)) => {
                    self.open_choices = choices;
                    Ok(String::new())
                }
                Err(complaint) => Err(anyhow::Error::msg(complaint)),
            };
            match result {
                Ok(text) => self.say(&text)?,
                Err(error) => {
                    self.refused += 1;
                    self.first_refused.get_or_insert_with(|| (self.lines, line.to_owned()));
                    self.say(&harmless(&format!("{error:#}")))?;
                }
            }
        }
    }

    /// Lets the engine move until it is a person's turn, then shows the state of the game.
    fn settle(&mut self) -> anyhow::Result<()> {
        let plays = !self.held && !self.seats.is_person(self.mover());
        let is_new = self.changed || plays && self.verdict().is_none();
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
            let message = self.engine_moves();
            self.say(&message)?;
            if !self.seats.engine_plays_both() {
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
        // The interruption stopped the thinking and is dealt with.
        self.console.clear_interrupt();
        if self.changed {
            self.changed = false;
            self.say(&self.board())?;
        }
        if is_new { self.say(&self.standing()) } else { Ok(()) }
    }

    /// Plays a legal move, unless the mover's time has run out.
    fn play_move(&mut self, mv: &str) {
        let (plies, mover) = (self.plies(), self.mover());
        self.changed = true;
        if let Some(clocks) = &mut self.clocks
            && !clocks.press(plies, mover)
        {
            let reason = "time forfeit".into();
            self.ended = Some(Verdict { winner: Some(mover.other()), reason });
            return;
        }
        let played = self.player.play(mv);
        debug_assert!(played.is_ok(), "{mv} is legal");
    }

    fn person_moves(&mut self, mv: &str) -> anyhow::Result<String> {
        self.still_on()?;
        self.play_move(mv);
        self.held = false;
        self.walking = false;
        Ok(String::new())
    }

    /// Takes a line that names one of the moves that the line before may have meant; `None` if there is
    /// nothing to choose, or the line is something else. From a pipe, where nobody is asked, the most
    /// likely move is then played first.
    fn choose(&mut self, line: &str) -> Option<String> {
        let choices = std::mem::take(&mut self.open_choices);
        let word = line.to_lowercase();
        let named = choices.iter().find(|(words, _)| words.contains(&word));
        let likely = choices.first().filter(|_| line.is_empty() || !self.live);
        let (_, mv) = named.or(likely)?;
        let done = self.person_moves(mv).unwrap_or_else(|error| error.to_string());
        (named.is_some() || line.is_empty()).then_some(done)
    }

    /// Lets the engine think and move; returns the message about its move.
    fn engine_moves(&mut self) -> String {
        let mover = self.mover();
        let left =
            self.clocks.as_ref().map(|clocks| clocks.left(self.plies(), mover)[mover.index()]);
        let limits = self.pace.limits(self.player.profile(), left);
        let choice = self.choice();
        let name = self.player.profile().name.clone();
        let title = format!("{name} thinks  ");
        let mut display = self.display(title, false, false);
        (display.clock, display.plays) = (left, true);
        let thought = display.think(&mut *self.player, limits, choice);
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
        let mut message = format!("{side} ({name}) plays {}", self.style.strong(shown));
        if thought.depth == 0 && thought.nodes == 0 {
            message += "  [from its book]";
        } else if thought.depth > 0 {
            let worth = value(self.game, mover, thought.value, thought.bound);
            message += &format!("  [{worth}, depth {}", thought.depth);
            if line.len() > 1 {
                message += &format!(
                    ", expecting {}",
                    line[1..].iter().take(5).cloned().collect::<Vec<_>>().join(" ")
                );
            }
            message.push(']');
        }
        message
    }

    /// How the engine chooses its next move: as its level does, or with variety. A fixed depth is for
    /// games that can be repeated, and has variety only if a seed is given.
    fn choice(&self) -> Option<MoveChoice> {
        if let Some(level) = self.pace.level(self.player.profile())
            && let choice @ Some(_) = level.choice(self.seed)
        {
            return choice;
        }
        let repeats = matches!(self.pace, Pace::Depth(_)) && self.given_seed.is_none();
        if repeats { None } else { self.player.variety(self.seed) }
    }

    fn display(&self, title: String, any_key: bool, lines: bool) -> ThinkingDisplay<'a> {
        ThinkingDisplay {
            console: self.console,
            live: self.live,
            any_key,
            lines,
            title,
            plays: false,
            clock: None,
        }
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

    /// The move or the command of a line, or a message about what is wrong with the line.
    fn parse_line(&self, line: &str) -> Result<ParsedLine, String> {
        if let Some(command) = Command::named(line) {
            return command.map(ParsedLine::Do);
        }
        let complaint = match self.typed_move(line) {
            Ok(mv) => return Ok(ParsedLine::Move(mv)),
            Err(complaint) => complaint,
        };
        let choices = spellings(line).into_iter().map(|text| self.line().open_choices(&text));
        if let Some(choices) = choices.into_iter().find(|choices| !choices.is_empty()) {
            self.still_on().map_err(|over| over.to_string())?;
            return Ok(ParsedLine::Choose(choices));
        }
        let first = line.split_whitespace().next().unwrap_or(line);
        if first.len() < line.len() && self.typed_move(first).is_ok() {
            return Err(format!("one move at a time: `{first}` is legal, with more it is no move"));
        }
        // No command has a digit or a hyphen in its name.
        let move_like = first.contains(|c: char| c.is_ascii_digit() || c == '-');
        if move_like && first.len() <= 8 || first.eq_ignore_ascii_case("pass") {
            self.still_on().map_err(|over| over.to_string())?;
            return Err(complaint);
        }
        Command::guessed(line).map(ParsedLine::Do)
    }

    /// Reads a legal move as people type it: with its number, in lower case, or in two words. An error
    /// says why it is none.
    fn typed_move(&self, line: &str) -> Result<String, String> {
        let attempts = spellings(line);
        let mut found = attempts.iter().map(|text| self.line().typed_move(text));
        match found.next() {
            Some(Err(error)) => found.flatten().next().ok_or_else(|| {
                let reasons = attempts.iter().find_map(|text| self.line().why_illegal(text));
                reasons.unwrap_or_else(|| reason(&error))
            }),
            Some(Ok(mv)) => Ok(mv),
            None => Err(String::new()),
        }
    }

    /// The words that the line editor can complete.
    fn completion(&self) -> Completion {
        Completion {
            moves: self.line().legal_moves_shown(),
            coordinates: self.line().legal_moves(),
            engines: opponent::names(self.games, self.game),
            sides: Seats::words(self.game),
            games: self.games.iter().map(|game| game.name().to_owned()).collect(),
            ..Completion::default()
        }
    }
}

/// A move as it may have been meant: without its number and blanks, as it is, in small letters, with a
/// capital letter at the beginning, where the piece is, or at the end, where the piece of a promotion is.
fn spellings(line: &str) -> [String; 5] {
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
    let mut promoted = joined.to_lowercase();
    if let Some(last) = promoted.len().checked_sub(1).and_then(|at| promoted.get_mut(at..)) {
        last.make_ascii_uppercase();
    }
    let (small, great) = (joined.to_lowercase(), joined.to_uppercase());
    [joined, small, capital, promoted, great]
}

/// A hint for people whose game is over.
const OVER: &str = "undo takes moves back, new begins another game, save FILE keeps this one.";

/// A message without control characters: it may repeat what was typed, and must not move the cursor or
/// change colours.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '?' } else { c }).collect()
}

/// What is wrong with a move, without its line and column: there is only one.
fn reason(error: &GameError) -> String {
    error.problem().unwrap_or_else(|| format!("{error}; moves lists those that are"))
}
