//! What an engine's file may say: its sections, their settings, and what is written for each.
//!
//! A file is held against this before it is read, so that whoever writes one is told what to write,
//! not what the reader is made of.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::games::{Games, either};
use plyground_search::play::PlaySwitches;

/// What is wrong, and at which byte.
pub(super) type Wrong = (usize, String);

/// A setting's name, and what is written after its `=`.
type Setting = (&'static str, &'static str);

const EVALUATOR: &[Setting] = &[("evaluator", "\"standard\", or a file of weights in quotes")];

/// The sections but for the games': their names, what to write to begin one, and their settings. The
/// settings of the first stand before all sections.
const SECTIONS: &[(&str, &str, &[Setting])] = &[
    (
        "",
        "about = \"…\" before the first section",
        &[("about", "what the engine is, in quotes"), ("threads", "a number from 1 to 256")],
    ),
    (
        "algorithm",
        "[algorithm] and below it id = \"pvs\"",
        &[
            ("id", "an algorithm from `plyground algorithms`, as in \"pvs\""),
            ("update", "\"clipped\" or \"maxsearch\""),
        ],
    ),
    (
        "memory",
        "[memory] and below it functions = \"table+history\"",
        &[
            ("functions", "memory functions joined by +, as in \"table+history\""),
            ("table", "entries or MiB in quotes, as in \"1M\" or \"16MiB\""),
            ("deepening", "true or false"),
        ],
    ),
    // Its settings are the switches of play.
    ("play", "[play] and below it the steps to leave out, as in null-move = false", &[]),
    (
        "limits",
        "[limits] and below it depth = 6",
        &[
            ("depth", "a number of plies, as in 6"),
            ("leaves", "a number of leaves, as in 1_000_000"),
            ("nodes", "a number of nodes, as in 1_000_000"),
            ("time", "seconds, as in 0.5"),
            ("bytes", "a number of bytes in quotes, as in \"1G\""),
        ],
    ),
];

/// What cannot be left out: the name, and the section that it belongs to.
const NEEDED: [(&str, &str); 4] =
    [("about", ""), ("game", "game"), ("algorithm", "algorithm"), ("algorithm.id", "algorithm")];

/// A section or a setting of a file.
struct Entry {
    /// The section that it stands in; empty before the first.
    section: String,
    name: String,
    /// Where the name stands.
    at: usize,
    /// Where the value stands; `None` for a section.
    value: Option<Range<usize>>,
}

impl Entry {
    /// The name with its section's.
    fn path(&self) -> String {
        match self.section.as_str() {
            "" => self.name.clone(),
            section => format!("{section}.{}", self.name),
        }
    }
}

/// All sections and settings below a section.
fn entries(table: &DeTable<'_>, section: &str) -> Vec<Entry> {
    let mut all = Vec::new();
    for (key, value) in table {
        let (section, name) = (section.to_owned(), key.get_ref().to_string());
        let mut entry = Entry { section, name, at: key.span().start, value: None };
        match value.get_ref() {
            DeValue::Table(inner) => all.extend(entries(inner, &entry.path())),
            _ => entry.value = Some(value.span()),
        }
        all.push(entry);
    }
    all.sort_by_key(|entry| entry.at);
    all
}

/// The switches of play, by the names that files have for them.
fn switches() -> Vec<String> {
    let all = serde_json::to_value(PlaySwitches::ALL).unwrap_or_default();
    all.as_object().map_or_else(Vec::new, |all| all.keys().cloned().collect())
}

/// What a file may say that is for one of these games.
pub(super) struct Shape {
    /// The games' sections, by the names that files have for them.
    sections: Vec<String>,
    /// The same as people list them: what to write to begin one.
    games: String,
}

impl Shape {
    pub(super) fn new(games: &Games) -> Shape {
        let sections: Vec<String> = games.iter().map(|game| format!("game.{game}")).collect();
        let games = either(sections.iter().map(|section| format!("[{section}]")));
        Shape { sections, games }
    }

    /// What to write to begin the section of a game.
    pub(super) fn games(&self) -> &str {
        &self.games
    }

    /// What to write to begin a section; `None` if there is no such section.
    fn beginning(&self, section: &str) -> Option<String> {
        if section == "game" || self.sections.iter().any(|known| known == section) {
            return Some(self.games.clone());
        }
        let known = SECTIONS.iter().find(|(name, ..)| *name == section);
        known.map(|(_, written, _)| (*written).to_owned())
    }

    /// The settings of a section.
    fn settings(&self, section: &str) -> Vec<(String, &'static str)> {
        if section == "play" {
            return switches().into_iter().map(|name| (name, "true or false")).collect();
        }
        let settings = match SECTIONS.iter().find(|(name, ..)| *name == section) {
            Some((.., settings)) => settings,
            None if self.sections.iter().any(|known| known == section) => EVALUATOR,
            None => &[],
        };
        settings.iter().map(|(name, expected)| (name.to_string(), *expected)).collect()
    }

    /// Finds the first thing in a file that does not belong where it stands, or else what is missing.
    pub(super) fn check(&self, text: &str, file: &DeTable<'_>) -> Result<(), Wrong> {
        let all = entries(file, "");
        if let Some(wrong) = all.iter().find_map(|entry| self.misplaced(text, entry)) {
            return Err(wrong);
        }
        if let [_, second, ..] = all.iter().filter(|e| e.section == "game").collect::<Vec<_>>()[..]
        {
            return Err((second.at, format!("a second game; expected {}", self.games)));
        }
        for (name, section) in NEEDED {
            if all.iter().all(|entry| entry.path() != name) {
                let at =
                    all.iter().find(|entry| entry.path() == section).map_or(0, |entry| entry.at);
                let expected = self.beginning(section).unwrap_or_default();
                return Err((at, format!("`{name}` is missing; expected {expected}")));
            }
        }
        // A section of that name, but without a game in it.
        match all.iter().find(|entry| entry.path() == "game") {
            Some(game) if all.iter().all(|entry| entry.section != "game") => {
                Err((game.at, format!("which game? expected {}", self.games)))
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with where an entry stands.
    fn misplaced(&self, text: &str, entry: &Entry) -> Option<Wrong> {
        let Entry { section, name, at, value } = entry;
        let wrong = |reason| Some((*at, reason));
        match (value, self.beginning(&entry.path())) {
            (None, Some(_)) => None,
            (_, None) if section == "game" => {
                wrong(format!("there is no game `{name}`; expected {}", self.games))
            }
            (None, None) => {
                let known =
                    ["algorithm", "memory", "play", "limits"].map(|name| format!("[{name}]"));
                let known = known.join(", ");
                wrong(format!(
                    "there is no section [{}]; expected {}, {known}",
                    entry.path(),
                    self.games
                ))
            }
            // `game = "chess"` and `algorithm = "pvs"` are what one would guess.
            (Some(value), Some(written)) => {
                let found = text.get(value.clone()).unwrap_or_default();
                let expected = match (name.as_str(), found.trim_matches(['"', '\''])) {
                    ("game", game) if self.sections.contains(&format!("game.{game}")) => {
                        format!("[game.{game}]")
                    }
                    ("algorithm", id) if id.len() + 2 == found.len() => {
                        format!("[algorithm] and below it id = \"{id}\"")
                    }
                    _ => written,
                };
                wrong(format!("`{name}` is a section; expected {expected}"))
            }
            (Some(_), None) => {
                let known = self.settings(section);
                if known.is_empty() || known.iter().any(|(known, _)| known == name) {
                    return None;
                }
                let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                let place =
                    if section.is_empty() { String::new() } else { format!(" in [{section}]") };
                if section == "play"
                    && let Some((_, now)) =
                        PlaySwitches::RENAMED.iter().find(|(old, _)| old == name)
                {
                    return wrong(format!("`{name}` in [play] has a new name; expected {now}"));
                }
                wrong(format!("there is no `{name}`{place}; expected {}", known.join(", ")))
            }
        }
    }

    /// What is to be written for the setting whose value stands at this byte.
    pub(super) fn expected(&self, file: &DeTable<'_>, at: usize) -> Option<String> {
        let here = |entry: &Entry| entry.value.as_ref().is_some_and(|value| value.contains(&at));
        let entry = entries(file, "").into_iter().find(here)?;
        let (name, expected) =
            self.settings(&entry.section).into_iter().find(|s| s.0 == entry.name)?;
        Some(format!("`{name}`: expected {expected}"))
    }
}
