//! Names as people type them, and words for them: `SSS*` for `sss`, `alphabeta` for `alpha-beta`, `Chess` for `chess`.
//!
//! Every list of names (algorithms, games, engines, suites) is searched through [`find`], so a name is
//! forgiven everywhere or nowhere, and [`did_you_mean`] asks the same question in every message.
//!
//! ```
//! use plyground_core::names::{did_you_mean, find};
//!
//! let known = ["alpha-beta", "mtd-f", "sss"];
//! assert_eq!(find("AlphaBeta", known), Some("alpha-beta"));
//! assert_eq!(find("SSS*", known), Some("sss"));
//! assert_eq!(find("alhpa-beta", known), None);
//! assert_eq!(did_you_mean("alhpa-beta", known), "; did you mean alpha-beta?");
//! ```

/// The known name that is meant: the same letters and digits, whatever their case and whatever hyphens,
/// stars, brackets and blanks stand between them. `None` if there is none, or if several are meant and
/// none is written exactly so.
pub fn find<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if let Some(exact) = known.clone().into_iter().find(|known| *known == name) {
        return Some(exact);
    }
    let meant = essence(name);
    let mut same = known.into_iter().filter(|known| !meant.is_empty() && essence(known) == meant);
    match (same.next(), same.next()) {
        (found, None) => found,
        _ => None,
    }
}

/// What is left of a name without case and marks.
pub fn essence(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The end of a message about an unknown name: `; did you mean this or that?`, or nothing if no known
/// name is similar.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let close = closest(&name.to_lowercase(), known);
    if close.is_empty() { String::new() } else { format!("; did you mean {}?", either(close)) }
}

/// At most three of the `known` names that are similar to `name`, the most similar first.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: Vec<char> = name.chars().take(20).collect();
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (distance(&name, &known.chars().collect::<Vec<_>>()), known))
        .filter(|(far, _)| *far <= 2 && *far * 2 <= name.len())
        .collect();
    close.sort_by_key(|(far, _)| *far);
    close.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The edit distance: how many letters have to be changed, inserted or removed.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A count with its noun: `1 point`, `2 points`, `3 leaves`.
pub fn plural(count: usize, noun: &str) -> String {
    let plural = match noun {
        _ if count == 1 => return format!("1 {noun}"),
        "leaf" => "leaves".to_owned(),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => match noun.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{noun}s"),
        },
    };
    format!("{count} {plural}")
}

/// Lists names for a message: `one, two or three`.
pub fn either<T: ToString>(names: impl IntoIterator<Item = T>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    match names.pop() {
        None => "none".into(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_marks_do_not_matter() {
        let known = ["mtd-f", "sss", "sss-2", "sss-2-tree", "Alpha bounding"];
        for (typed, meant) in [
            ("MTD(f)", "mtd-f"),
            ("mtdf", "mtd-f"),
            ("mtd_f", "mtd-f"),
            ("sss*", "sss"),
            ("SSS2", "sss-2"),
            ("alphabounding", "Alpha bounding"),
        ] {
            assert_eq!(find(typed, known), Some(meant), "{typed}");
        }
        for unknown in ["", "*", "sss-3", "mtd"] {
            assert_eq!(find(unknown, known), None, "{unknown}");
        }
        // Where two names differ by marks alone, one of them must be written exactly.
        assert_eq!(find("ab", ["a-b", "a*b"]), None);
        assert_eq!(find("a*b", ["a-b", "a*b"]), Some("a*b"));
    }

    #[test]
    fn similar_names_are_suggested() {
        assert_eq!(did_you_mean("ches", ["othello", "chess"]), "; did you mean chess?");
        assert_eq!(did_you_mean("Chees", ["chess", "cheese"]), "; did you mean chess or cheese?");
        assert_eq!(did_you_mean("go", ["othello", "chess"]), "");
        assert_eq!(closest("udno", ["undo", "level"]), ["undo"]);
    }

    #[test]
    fn one_is_singular() {
        for (count, noun, text) in [
            (1, "point", "1 point"),
            (0, "point", "0 points"),
            (2, "search", "2 searches"),
            (3, "ply", "3 plies"),
            (4, "entry", "4 entries"),
            (5, "leaf", "5 leaves"),
            (6, "day", "6 days"),
        ] {
            assert_eq!(plural(count, noun), text);
        }
    }

    #[test]
    fn lists_read_as_people_write_them() {
        assert_eq!(either(["a"]), "a");
        assert_eq!(either(["a", "b"]), "a or b");
        assert_eq!(either(["a", "b", "c"]), "a, b or c");
        assert_eq!(either::<&str>([]), "none");
    }
}
