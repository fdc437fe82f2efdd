//! What is shown: the board, how the game stands, what was played.

use super::{OVER, Repl};
use crate::repl::board::{SidePanel, Style, draw, draw_picture, sign};
use crate::repl::clocks::shown;
use crate::repl::pace::Pace;
use crate::repl::wrap::broken;
use plyground_engine::game::{Diagram, Heading, SavedGame, Seat};

/// Lines are no longer than this, and shorter where the terminal is narrow.
const WIDTH: usize = 78;

impl Repl<'_> {
    pub(super) fn welcome(&self) -> String {
        let profile = self.player.profile();
        let who = match self.seats.alone() {
            Some(player) => format!("You are {}.", self.side(player)),
            None if self.seats.nobody() => "It plays itself; Ctrl-C makes it pause.".into(),
            None => "Both sides are yours.".into(),
        };
        format!(
            "{} with {} ({}). {who}\nType a move, or help for the commands.\n\n",
            self.game,
            profile.name,
            self.pace.text(profile)
        )
    }

    /// The prompt, plain and as a terminal shows it.
    pub(super) fn prompt(&self) -> (String, String) {
        let side = self.side(self.mover());
        let text = if self.verdict().is_some() { "over" } else { side };
        (format!("{text}> "), format!("{}> ", self.style.strong(text)))
    }

    /// The second side sits below where a person plays it and the game has an above and a below.
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
            None => {
                let danger = diagram.as_ref().is_some_and(|diagram| !diagram.danger.is_empty());
                let check = if danger { ", in check" } else { "" };
                format!("  {} to move{check}", self.side(self.mover()))
            }
        });
        notes.push(format!("  {}: {}", profile.name, self.pace.text(profile)));
        // Where the mover takes empty squares, the board shows which.
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

    /// What there is to say below the board.
    pub(super) fn standing(&self) -> String {
        let name = &self.player.profile().name;
        match self.verdict() {
            Some(verdict) => {
                format!("The game is over, {}.\n{OVER}", verdict.text(self.game.sides()))
            }
            None if !self.seats.is_person(self.mover()) => {
                format!("({name} waits: go lets it move)")
            }
            None => String::new(),
        }
    }

    /// The moves so far, numbered as the game's players do.
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

    /// The legal moves as people write them, in the order of a dictionary.
    fn move_names(&self) -> Vec<String> {
        let mut words = self.line().legal_moves_shown();
        words.sort();
        words
    }

    /// How long lines may be that are made here.
    pub(super) fn line_width(&self) -> usize {
        self.width.map_or(WIDTH, |width| width.min(WIDTH))
    }

    /// Words in lines.
    fn listed(&self, words: &[String]) -> String {
        broken(&words.join(" "), self.line_width(), 0).join("\n") + "\n"
    }

    /// The game as a file keeps it: with all that its file said as long as it is the game of that file.
    pub(super) fn record(&self) -> String {
        let same = |saved: &&SavedGame| *saved.line == *self.line() && self.fallen.is_none();
        let saved = self.saved.as_ref().filter(same).and_then(|saved| saved.text.clone());
        saved.unwrap_or_else(|| self.line().save(&self.heading()))
    }

    /// What a saved game says of its players.
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
            time: match self.pace {
                Pace::Game(time) => time.to_string(),
                _ => String::new(),
            },
            verdict: self.fallen.and_then(|_| self.verdict()),
            ..Heading::default()
        }
    }
}
