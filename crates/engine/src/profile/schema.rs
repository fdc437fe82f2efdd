//! The schema of an engine file: its sections, their settings, and what to write for each.
//!
//! A file is checked against the schema before it is read, so that an error says what to write in
//! the file and not how the reader works.

use std::borrow::Cow;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::games::Games;
use plyground_core::names::either;
use plyground_search::play::{PlayScheme, PlaySwitches};

/// An error: the byte where it is, and what is wrong.
pub(super) type Wrong = (usize, String);

/// A setting's name, and what is written after its `=`.
type Setting = (&'static str, &'static str);

const EVALUATOR: &[Setting] = &[
    ("evaluator", "\"standard\", another evaluator of the game, or a file of weights in quotes"),
    ("book", "\"none\", \"standard\", or an opening book in quotes"),
];

/// The sections except those of games: their names, what to write to begin one, and their settings.
/// The settings of the first are written before all sections.
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

/// What cannot be left out: the name, and the section to begin for it.
const REQUIRED: [(&str, &str); 4] =
    [("about", ""), ("game", "game"), ("algorithm", "algorithm"), ("algorithm.id", "algorithm")];

/// A section or a setting of a file.
struct Key {
    /// The section that it is in; empty before the first.
    section: String,
    name: String,
    /// The byte where the name begins.
    at: usize,
    /// The bytes of the value; `None` for a section.
    value: Option<Range<usize>>,
}

impl Key {
    /// The name after that of its section.
    fn path(&self) -> String {
        match self.section.as_str() {
            "" => self.name.clone(),
            section => format!("{section}.{}", self.name),
        }
    }
}

/// All sections and settings below a section.
fn keys(table: &DeTable<'_>, section: &str) -> Vec<Key> {
    let mut all = Vec::new();
    for (name, value) in table {
        let at = name.span().start;
        let (section, name) = (section.to_owned(), name.get_ref().to_string());
        let mut key = Key { section, name, at, value: None };
        match value.get_ref() {
            DeValue::Table(inner) => all.extend(keys(inner, &key.path())),
            _ => key.value = Some(value.span()),
        }
        all.push(key);
    }
    all.sort_by_key(|key| key.at);
    all
}

/// The settings of selective play: steps that are on or off, and the scheme of threads.
fn switches() -> Vec<(String, Cow<'static, str>)> {
    let all = serde_json::to_value(PlaySwitches::ALL).unwrap_or_default();
    let expected = |value: &serde_json::Value| match value {
        serde_json::Value::Bool(_) => Cow::Borrowed("true or false"),
        _ => {
            let schemes = PlayScheme::ALL.map(|scheme| serde_json::to_string(&scheme));
            Cow::Owned(either(schemes.into_iter().flatten()))
        }
    };
    let all = all.as_object().into_iter().flatten();
    all.map(|(name, value)| (name.clone(), expected(value))).collect()
}

/// The schema of files for some games.
pub(super) struct Schema {
    /// The names of the games' sections.
    sections: Vec<String>,
    /// What to write to begin one of them, as a message lists it.
    games: String,
}

impl Schema {
    pub(super) fn new(games: &Games) -> Schema {
        let sections: Vec<String> = games.iter().map(|game| format!("game.{game}")).collect();
        let games = either(sections.iter().map(|section| format!("[{section}]")));
        Schema { sections, games }
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
    fn settings(&self, section: &str) -> Vec<(String, Cow<'static, str>)> {
        if section == "play" {
            return switches();
        }
        let settings = match SECTIONS.iter().find(|(name, ..)| *name == section) {
            Some((.., settings)) => settings,
            None if self.sections.iter().any(|known| known == section) => EVALUATOR,
            None => &[],
        };
        settings.iter().map(|(name, expected)| (name.to_string(), (*expected).into())).collect()
    }

    /// Finds the first section or setting in a file that does not belong where it is, or else the
    /// first that is missing.
    pub(super) fn check(&self, text: &str, file: &DeTable<'_>) -> Result<(), Wrong> {
        let all = keys(file, "");
        if let Some(wrong) = all.iter().find_map(|key| self.misplaced(text, key)) {
            return Err(wrong);
        }
        if let [_, second, ..] = all.iter().filter(|e| e.section == "game").collect::<Vec<_>>()[..]
        {
            return Err((second.at, format!("a second game; expected {}", self.games)));
        }
        for (name, section) in REQUIRED {
            if all.iter().all(|key| key.path() != name) {
                let at = all.iter().find(|key| key.path() == section).map_or(0, |key| key.at);
                let expected = self.beginning(section).unwrap_or_default();
                return Err((at, format!("`{name}` is missing; expected {expected}")));
            }
        }
        // There is a section `game`, but without a game in it.
        match all.iter().find(|key| key.path() == "game") {
            Some(game) if all.iter().all(|key| key.section != "game") => {
                Err((game.at, format!("which game? expected {}", self.games)))
            }
            _ => Ok(()),
        }
    }

    /// The error, if a section or setting does not belong where it is.
    fn misplaced(&self, text: &str, key: &Key) -> Option<Wrong> {
        let Key { section, name, at, value } = key;
        let wrong = |reason| Some((*at, reason));
        match (value, self.beginning(&key.path())) {
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
                    key.path(),
                    self.games
                ))
            }
            // `game = "chess"` and `algorithm = "pvs"` are easy guesses; the answer is as specific.
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

    /// What to write for the setting whose value is at this byte.
    pub(super) fn expected(&self, file: &DeTable<'_>, at: usize) -> Option<String> {
        let here = |key: &Key| key.value.as_ref().is_some_and(|value| value.contains(&at));
        let key = keys(file, "").into_iter().find(here)?;
        let (name, expected) = self.settings(&key.section).into_iter().find(|s| s.0 == key.name)?;
        Some(format!("`{name}`: expected {expected}"))
    }
}
