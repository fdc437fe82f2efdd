//! The texts of the game: the board, the result, the moves.

use super::{OVER, Repl};
use crate::repl::board::{SidePanel, Style, draw, draw_picture, sign};
use crate::repl::clocks::{Ticker, shown};
use crate::repl::pace::Pace;
use crate::repl::wrap::broken;
use plyground_engine::game::{Diagram, Heading, SavedGame, Seat};
use plyground_study::tournament::MatchLimit;

/// Lines are no longer than this, and shorter where the terminal is narrow.
const WIDTH: usize = 78;

impl Repl<'_> {
    pub(super) fn welcome(&self) -> String {
        let profile = self.player.profile();
        let sides = match self.seats.alone() {
            Some(player) => format!("You are {}.", self.side(player)),
            None if self.seats.engine_plays_both() => {
                "It plays itself; Ctrl-C makes it pause.".into()
            }
            None => "Both sides are yours.".into(),
        };
        format!(
            "{}, engine {} ({}). {sides}\nType a move, or help for the commands; level 1 to level 10 set its strength.\n\n",
            self.game,
            profile.name,
            self.pace.text(profile)
        )
    }

    /// The running clock of a person's turn, for the terminal.
    pub(super) fn ticker(&self) -> Option<Ticker> {
        let (clocks, width) = (self.clocks.as_ref()?, self.width?);
        let runs = self.live && self.verdict().is_none();
        let left = clocks.left(self.plies(), self.mover())[self.mover().index()];
        runs.then_some(Ticker { left, width })
    }

    /// The prompt: plain, and with the colours of the terminal.
    pub(super) fn prompt(&self) -> (String, String) {
        if !self.open_choices.is_empty() {
            let words = self.open_choices.iter().filter_map(|(words, _)| words.first());
            let words: Vec<&str> = words.map(String::as_str).collect();
            let text = format!("which: {}? [{}]", words.join(", "), words[0]);
            return (format!("{text} "), format!("{} ", self.style.strong(&text)));
        }
        let side = self.side(self.mover());
        let text = if self.verdict().is_some() { "over" } else { side };
        (format!("{text}> "), format!("{}> ", self.style.strong(text)))
    }

    /// Is the second side at the bottom? It is if a person plays it, in games where that matters.
    fn is_turned(&self, diagram: &Diagram) -> bool {
        self.flipped != (diagram.upward && self.seats.alone() == Some(Seat::Second))
    }

    pub(super) fn board(&self) -> String {
        let diagram = self.line().diagram();
        let profile = self.player.profile();
        let over = self.verdict();
        let clocks = self.clocks.as_ref().map(|clocks| clocks.left(self.plies(), self.mover()));
        let names =
            Seat::ALL.map(|player| match (self.seats.is_person(player), self.seats.alone()) {
                (true, Some(_)) => "you",
                (true, None) => "",
                (false, _) => profile.name.as_str(),
            });
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let sides = Seat::ALL.map(|player| {
            let moves = over.is_none() && player == self.mover();
            let arrow = match (moves, self.style) {
                (true, Style::Ascii) => '>',
                (true, _) => '▸',
                (false, _) => ' ',
            };
            let (sign, tally) = match &diagram {
                Some(Diagram { surface, signs, tally, .. }) => (
                    sign(*surface, signs[player.index()], self.style),
                    tally[player.index()].as_str(),
                ),
                None => (String::new(), ""),
            };
            let name = names[player.index()];
            let side = self.side(player);
            let mut line = match longest {
                0 => format!("{side:<5}  {tally}"),
                _ => format!("{side:<5}  {name:<longest$}  {tally}"),
            };
            if let Some(clocks) = clocks {
                line += &format!("  {}", shown(clocks[player.index()]));
            }
            let line = if moves { self.style.strong(&line) } else { line };
            format!("{arrow} {sign} {line}")
        });
        let mut notes = Vec::new();
        if let Some(last) = self.line().shown().last() {
            notes.push(format!("  last move {last}"));
        }
        notes.push(match &over {
            Some(verdict) => format!("  {}", verdict.text(self.game.sides())),
            None if self.walking && self.line().boxed().redo().is_some() => {
                format!("  {} to move; next goes on", self.side(self.mover()))
            }
            None => {
                let danger = diagram.as_ref().is_some_and(|diagram| !diagram.danger.is_empty());
                let check = if danger { ", in check" } else { "" };
                format!("  {} to move{check}", self.side(self.mover()))
            }
        });
        notes.push(format!("  {}: {}", profile.name, self.pace.text(profile)));
        // If moves are empty squares, the board marks them.
        let asked = over.is_none() && self.seats.is_person(self.mover());
        let drawn = diagram.as_ref().is_some_and(|diagram| !diagram.open.is_empty());
        let moves = if asked && !drawn { self.move_names() } else { Vec::new() };
        let panel = SidePanel { sides, notes, moves };
        let width = self.width.unwrap_or(WIDTH);
        match &diagram {
            Some(diagram) => draw(diagram, &panel, self.style, self.is_turned(diagram), width),
            None => draw_picture(&self.line().picture(), &panel, width),
        }
    }

    /// The message below the board: the result, or that the engine waits.
    pub(super) fn standing(&self) -> String {
        let name = &self.player.profile().name;
        match self.verdict() {
            Some(verdict) => {
                let note = self.line().result_note().filter(|_| self.ended.is_none());
                let note = note.map_or(String::new(), |note| format!("{note}\n"));
                format!("The game is over, {}.\n{note}{OVER}", verdict.text(self.game.sides()))
            }
            None if self.walking => String::new(),
            None if !self.seats.is_person(self.mover()) => {
                format!("({name} waits: go lets it move)")
            }
            None => String::new(),
        }
    }

    /// The moves so far, numbered as is usual in the game.
    pub(super) fn history(&self) -> String {
        if self.plies() == 0 {
            return "nothing has been played yet".into();
        }
        self.listed(&self.line().numbered())
    }

    pub(super) fn legal_moves(&self) -> String {
        let words = self.move_names();
        let count = words.len();
        format!("{count} move{}:\n{}", if count == 1 { "" } else { "s" }, self.listed(&words))
    }

    /// The legal moves as people write them, in alphabetical order.
    fn move_names(&self) -> Vec<String> {
        let mut words = self.line().legal_moves_shown();
        words.sort();
        words
    }

    /// The greatest length of a line.
    pub(super) fn line_width(&self) -> usize {
        self.width.map_or(WIDTH, |width| width.min(WIDTH))
    }

    /// Words in lines.
    fn listed(&self, words: &[String]) -> String {
        broken(&words.join(" "), self.line_width(), 0).join("\n") + "\n"
    }

    /// The game in a file's format. A loaded game that was not changed keeps the text of its file.
    pub(super) fn record(&self) -> String {
        let same = |saved: &&SavedGame| *saved.line == *self.line() && self.ended.is_none();
        let saved = self.saved.as_ref().filter(same).and_then(|saved| saved.text.clone());
        saved.unwrap_or_else(|| self.line().save(&self.heading()))
    }

    /// The heading of a saved game.
    fn heading(&self) -> Heading {
        let profile = self.player.profile();
        let person = std::env::var("USER").ok().filter(|name| !name.is_empty());
        let person = person.unwrap_or_else(|| "a person".into());
        let engine = format!("Plyground {}, {}", profile.name, self.pace.text(profile));
        Heading {
            event: "Plyground".into(),
            date: plyground_study::tournament::today(),
            players: Seat::ALL.map(|player| match self.seats.is_person(player) {
                true => person.clone(),
                false => engine.clone(),
            }),
            time: match (self.pace.clock(), self.pace) {
                (Some(time), _) => time.pgn_text(),
                (None, Pace::Move(time)) => MatchLimit::MoveTime(time).pgn_text(),
                _ => "-".into(),
            },
            verdict: self.ended.clone(),
            source: self.saved.as_ref().and_then(|saved| saved.text.clone()).unwrap_or_default(),
            ..Heading::default()
        }
    }
}
