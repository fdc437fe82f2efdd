//! The README and `docs/`: their examples are run, and their links lead somewhere.

use std::path::{Path, PathBuf};

use super::commands::stdout;

/// The README, and all pages of `docs/`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::fs::read_dir(root.join("docs")).unwrap();
    let mut found: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    found.push(root.join("README.md"));
    found
}

/// Runs the examples of a document: blocks marked `console`, in which a line that starts with `$` is a
/// command and the rest its output. `…` in the output stands for anything, in a line or, alone, for any
/// lines. Returns how many there are.
fn run_examples(document: &Path) -> usize {
    let text = std::fs::read_to_string(document).unwrap();
    let mut examples = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").filter(|example| !example.trim().is_empty()) {
            let (command, expected) = example.split_once('\n').unwrap();
            let words = shell_words(command);
            assert_eq!(words[0], "plyground", "{command}");
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let printed = stdout(&arguments);
            let expected: Vec<&str> = expected.trim_end().lines().collect();
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            assert!(
                lines_match(&expected, &lines),
                "{}: $ {command}\nexpected:\n{}\nprinted:\n{printed}",
                document.display(),
                expected.join("\n")
            );
            examples += 1;
        }
    }
    examples
}

/// The examples of every document do what the document says.
#[test]
fn examples_show_what_happens() {
    let count: usize = documents().iter().map(|document| run_examples(document)).sum();
    assert!(count >= 25, "{count}");
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(document.with_file_name(file).exists(), "{}: {link}", document.display());
            }
        }
    }
}

/// The front page is for a visitor of a few minutes.
#[test]
fn the_readme_is_short() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    assert!(std::fs::read_to_string(readme).unwrap().lines().count() <= 200);
}

fn shell_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match (expected.first(), lines.first()) {
        (None, None) => true,
        (Some(&"…"), _) => {
            (0..=lines.len()).any(|skipped| lines_match(&expected[1..], &lines[skipped..]))
        }
        (Some(pattern), Some(line)) => {
            line_matches(pattern, line) && lines_match(&expected[1..], &lines[1..])
        }
        _ => false,
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(i, _)| i)
                .chain([rest.len()])
                .any(|i| line_matches(after, &rest[i..]))
        }),
    }
}
