//! The command that started this process, as it can be typed again.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The command with its arguments, quoted for a shell where that is necessary.
pub fn own_command() -> String {
    let words: Vec<String> = std::env::args_os().map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// The command as somebody else can type it: the program by its name, and of absolute paths, which are this
/// machine's own, the last part alone.
pub fn portable_command() -> String {
    let words: Vec<OsString> = std::env::args_os().collect();
    portable(&words)
}

fn portable(words: &[OsString]) -> String {
    let last = |path: &OsStr| {
        let path = Path::new(path);
        let name = path.file_name().filter(|_| path.is_absolute());
        name.map_or_else(|| path.as_os_str().to_owned(), OsStr::to_owned)
    };
    let word = |(i, word): (usize, &OsString)| {
        if i == 0 {
            return quoted(Path::new(word).file_name().unwrap_or(word));
        }
        match word.to_str().filter(|word| word.starts_with("--")).and_then(|w| w.split_once('=')) {
            Some((option, value)) => {
                let value = last(OsStr::new(value));
                quoted(OsStr::new(&format!("{option}={}", value.to_string_lossy())))
            }
            None => quoted(&last(word)),
        }
    };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./:,+=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_this_machine_is_told() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        for (typed, told) in [
            (
                "/home/me/bin/plyground paper all --out /srv/x/report",
                "plyground paper all --out report",
            ),
            (
                "target/release/plyground paper all --out=/srv/report",
                "plyground paper all --out=report",
            ),
            ("plyground paper all --out docs/report", "plyground paper all --out docs/report"),
            ("plyground paper all --out ../a --seed 7", "plyground paper all --out ../a --seed 7"),
            ("plyground paper all --out /", "plyground paper all --out /"),
        ] {
            assert_eq!(portable(&words(typed)), told);
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (word, expected) in [
            ("compare", "compare"),
            ("--depth=2..6", "--depth=2..6"),
            ("", "''"),
            ("uci:gnuchess --uci", "'uci:gnuchess --uci'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("a*", "'a*'"),
        ] {
            assert_eq!(quoted(OsStr::new(word)), expected);
        }
    }
}
