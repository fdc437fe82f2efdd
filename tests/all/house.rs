//! The house rules that the compiler does not hold: a thing is named in one place, and no file is
//! too long to read.

use std::fs;
use std::path::{Path, PathBuf};

use plyground::game::Game;
use plyground::search::Algorithm;
use plyground::search::single_agent::SingleAgent;

/// All Rust files below a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The string literals of a file, tests and comments left out, with their lines.
fn literals(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        let quoted = line.split('"').skip(1).step_by(2);
        found.extend(quoted.map(|literal| (number + 1, literal.to_owned())));
    }
    found
}

fn is_test(path: &Path) -> bool {
    path.file_stem()
        .is_some_and(|stem| stem == "tests" || stem == "testing" || stem == "properties")
        || path.components().any(|part| part.as_os_str() == "tests")
}

fn offences(folders: &[&str], exempt: &[&str], is_named: impl Fn(&str) -> bool) -> Vec<String> {
    let mut offences = Vec::new();
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let shown = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string();
        if is_test(&path) || exempt.iter().any(|exempt| shown.starts_with(exempt)) {
            continue;
        }
        for (line, literal) in literals(&fs::read_to_string(&path).unwrap()) {
            if is_named(&literal) {
                offences.push(format!("{shown}:{line}: {literal:?}"));
            }
        }
    }
    offences
}

/// An algorithm's id stands in its own file. Code that means a particular algorithm uses its type.
#[test]
fn no_algorithm_is_named_outside_the_catalogue() {
    // Names are forgiven where people type them: here an id is what is written as one.
    let is_one = |id: &str| {
        let base = id.split(':').next().unwrap_or(id);
        id.parse::<Algorithm>().is_ok_and(|algorithm| algorithm.entry().id == base)
            || id.parse::<SingleAgent>().is_ok_and(|algorithm| algorithm.entry().id == base)
    };
    let is_id = |literal: &str| !literal.is_empty() && literal.split(',').all(is_one);
    let found = offences(
        &["src", "crates/cli", "crates/engine", "crates/study", "crates/core"],
        &[],
        is_id,
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A game's name stands with the game. Everything else asks the door.
#[test]
fn no_game_is_named_outside_its_own_folder() {
    let names = [plyground::othello::Othello::NAME, plyground::chess::Chess::NAME];
    let own = ["crates/engine/src/game/", "crates/cli/src/games/", "crates/games"];
    let is_name = |literal: &str| names.contains(&literal.to_ascii_lowercase().as_str());
    let found = offences(&["src", "crates"], &own, is_name);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A reader of the output may go away: these macros would end the program then.
#[test]
fn nothing_is_printed_by_a_macro_that_panics() {
    let macros = ["println!(", "eprintln!(", "print!("];
    let mut found = Vec::new();
    for path in files("crates").into_iter().chain(files("src")).filter(|path| !is_test(path)) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        for (number, line) in code.lines().enumerate() {
            let is_code = !line.trim_start().starts_with("//");
            if is_code && macros.iter().any(|name| line.contains(name)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_is_too_long() {
    let folders = ["src", "crates", "cluster", "tests", "benches", "examples", "fuzz"];
    let long: Vec<String> = folders
        .iter()
        .flat_map(|folder| files(folder))
        .map(|path| (fs::read_to_string(&path).unwrap().lines().count(), path))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, path)| format!("{}: {lines} lines", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// `PLYGROUND_PORTABLE` switches every special instruction off: a file that looks for one at run time
/// asks `is_portable` first.
#[test]
fn whatever_looks_for_instructions_asks_whether_it_may() {
    let mut looking = 0;
    for path in files("crates") {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        if code.contains("feature_detected!") {
            looking += 1;
            assert!(code.contains("!is_portable()"), "{}", path.display());
        }
    }
    assert!(looking > 1);
}
