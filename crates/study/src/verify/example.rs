//! Commands that a document shows together with what they print.

/// A command of a document and its output: in a block that begins with ` ```console `, a line that
/// starts with `$` is the command, and what follows is the output. `…` in the output stands for anything
/// within a line; a line that is only `…` for any lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The command's line in the document, from 1.
    pub line: usize,
    /// The command, as it is typed.
    pub command: String,
    /// The output that the document shows.
    pub expected: Vec<String>,
}

impl Example {
    /// The examples of a block of code, whose first line has this number.
    pub(super) fn of_block(first: usize, block: &[&str]) -> Vec<Example> {
        let mut found: Vec<Example> = Vec::new();
        for (line, text) in (first..).zip(block) {
            if let Some(command) = text.strip_prefix("$ ") {
                let command = command.trim().to_owned();
                found.push(Example { line, command, expected: Vec::new() });
            } else if let Some(example) = found.last_mut() {
                example.expected.push(text.trim_end().to_owned());
            }
        }
        for example in &mut found {
            while example.expected.last().is_some_and(String::is_empty) {
                example.expected.pop();
            }
        }
        found
    }

    /// Does the document show what the command printed? If not: the first line that differs, and what was
    /// printed there.
    pub fn compare(&self, printed: &str) -> Result<(), (String, String)> {
        let expected: Vec<&str> = self.expected.iter().map(String::as_str).collect();
        let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
        if lines_match(&expected, &lines) {
            return Ok(());
        }
        let differs = |at: &usize| !lines_match(&with_rest(&expected[..=*at]), &lines);
        let at = (0..expected.len()).find(differs);
        match at {
            Some(at) => {
                let wanted = expected[at];
                // Before a line of dots the lines stand in their own places.
                let in_place = !expected[..at].contains(&ANY);
                let there = if in_place { lines.get(at).copied().unwrap_or("") } else { "" };
                Err((wanted.to_owned(), there.to_owned()))
            }
            None => Err((String::new(), lines.get(expected.len()).unwrap_or(&"").to_string())),
        }
    }
}

/// Stands for anything.
const ANY: &str = "…";

/// These lines, and then any.
fn with_rest<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    lines.iter().copied().chain([ANY]).collect()
}

fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match (expected.first(), lines.first()) {
        (None, None) => true,
        (Some(&ANY), _) => {
            (0..=lines.len()).any(|skipped| lines_match(&expected[1..], &lines[skipped..]))
        }
        (Some(pattern), Some(line)) => {
            line_matches(pattern, line) && lines_match(&expected[1..], &lines[1..])
        }
        _ => false,
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once(ANY) {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(i, _)| i)
                .chain([rest.len()])
                .any(|i| line_matches(after, &rest[i..]))
        }),
    }
}

/// The words of a command, as a shell parts them; quotes keep blanks together. `None` if a quote does not
/// end.
///
/// ```
/// use plyground_study::verify::shell_words;
///
/// let words = shell_words("plyground tree '((3 12) (2 4))' --algorithm \"sss\"");
/// assert_eq!(words.unwrap(), ["plyground", "tree", "((3 12) (2 4))", "--algorithm", "sss"]);
/// assert_eq!(shell_words("it's"), None);
/// ```
pub fn shell_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == letter => break,
                        inner => word.push(inner),
                    }
                }
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(expected: &[&str]) -> Example {
        let expected = expected.iter().map(|line| line.to_string()).collect();
        Example { line: 1, command: "plyground".into(), expected }
    }

    #[test]
    fn dots_stand_for_anything() {
        let shown = example(&["leaves 7", "time … µs", "…", "end"]);
        assert_eq!(shown.compare("leaves 7\ntime 12 µs\na\nb\nend\n"), Ok(()));
        assert_eq!(shown.compare("leaves 7\ntime 12 µs\nend\n"), Ok(()));
        let (wanted, there) = shown.compare("leaves 8\ntime 12 µs\nend\n").unwrap_err();
        assert_eq!((wanted.as_str(), there.as_str()), ("leaves 7", "leaves 8"));
        assert_eq!(shown.compare("leaves 7\ntime 1 µs\n").unwrap_err().0, "end");
        assert_eq!(example(&["a"]).compare("a\nb\n").unwrap_err().1, "b");
    }

    #[test]
    fn a_block_has_several_commands() {
        let block = ["$ plyground bench", "5 nodes", "", "$ plyground perft 3", "…"];
        let found = Example::of_block(10, &block);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[1].line), (10, 13));
        assert_eq!(found[0].expected, ["5 nodes"]);
    }
}
