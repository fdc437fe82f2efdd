//! The command that started this process, as it can be typed again.

use std::ffi::OsStr;

/// The command with its arguments, quoted for a shell where that is necessary.
pub fn own_command() -> String {
    let words: Vec<String> = std::env::args_os().map(|word| quoted(&word)).collect();
    words.join(" ")
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
