//! Wraps lines at the width of a terminal, between words.

/// The columns that a text takes. Escape sequences for colours take none.
pub fn columns(text: &str) -> usize {
    let (mut columns, mut colour) = (0, false);
    for letter in text.chars() {
        match letter {
            '\x1b' => colour = true,
            'm' if colour => colour = false,
            _ if colour => {}
            _ => columns += 1,
        }
    }
    columns
}

/// A line wrapped into lines of at most `width` columns, those after the first indented. A word that is
/// too long has a line of its own.
pub fn broken(line: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut used, mut rest) = (0, line);
    while let Some(start) = rest.find(|letter| letter != ' ') {
        let end = rest[start..].find(' ').map_or(rest.len(), |length| start + length);
        let (word, more) = (&rest[start..end], columns(&rest[..end]));
        match lines.last_mut() {
            Some(last) if used == 0 || used + more <= width => {
                last.push_str(&rest[..end]);
                used += more;
            }
            _ => {
                lines.push(format!("{}{word}", " ".repeat(indent)));
                used = indent + columns(word);
            }
        }
        rest = &rest[end..];
    }
    lines
}

/// A text in which lines that are too long are wrapped.
pub fn fit(text: &str, width: usize) -> String {
    let mut fitting = String::new();
    for line in text.split_inclusive('\n') {
        let (bare, end) = line.strip_suffix('\n').map_or((line, ""), |bare| (bare, "\n"));
        match columns(bare) <= width {
            true => fitting.push_str(bare),
            false => fitting.push_str(&broken(bare, width, indentation(bare, width)).join("\n")),
        }
        fitting.push_str(end);
    }
    fitting
}

/// The indentation of a wrapped line: the second column of a list if that leaves enough room, else a
/// little more than that of the line.
fn indentation(line: &str, width: usize) -> usize {
    let own = line.len() - line.trim_start().len();
    let first = line[own..].find("  ").filter(|_| own > 0).map(|gap| own + gap);
    let second = first.and_then(|gap| Some(gap + line[gap..].find(|letter| letter != ' ')?));
    second.filter(|column| column * 2 <= width + 8).unwrap_or(own + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_room() {
        assert_eq!(columns("\x1b[48;5;28;38;5;16m ● \x1b[0m m"), 5);
        assert_eq!(columns(""), 0);
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(broken("one two three", 7, 2), ["one two", "  three"]);
        assert_eq!(broken("one  two", 8, 0), ["one  two"]);
        assert_eq!(broken("one  two", 7, 0), ["one", "two"]);
        assert_eq!(broken("a verylongword b", 5, 1), ["a", " verylongword", " b"]);
        assert_eq!(broken("  \x1b[1mone\x1b[0m two", 5, 2), ["  \x1b[1mone\x1b[0m", "  two"]);
        assert_eq!(broken("", 5, 2), [""]);
    }

    #[test]
    fn texts_fit() {
        let list = "Engines:\n  one  what it is, in a few words\n";
        assert_eq!(fit(list, 40), list);
        let narrow = "Engines:\n  one  what it is, in\n       a few words\n";
        assert_eq!(fit(list, 22), narrow);
        assert_eq!(fit("  a line of words", 10), "  a line\n    of\n    words");
        // A second column too far to the right is no place for words.
        let far = "  a long name of something  and what it is";
        assert_eq!(fit(far, 24).lines().nth(1), Some("    something  and what"));
        for width in 1..80 {
            let fitting = fit(list, width);
            let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
            assert_eq!(words(&fitting), words(list), "{width}");
        }
    }
}
