//! A page of Markdown with marks and examples.

use super::{DocumentError, Example, Mark};

/// A document, taken apart: its examples, its marks, and the text of its sections.
///
/// ```
/// use plyground_study::verify::Document;
///
/// let text = "# Speed\n\nIt takes 97 million nodes and 12.5 seconds.\n\
///             <!-- verify\nrun = \"plyground bench\"\nfigures.\"97 million\" = 'after \"all\"'\n-->\n";
/// let document = Document::parse("speed.md", text)?;
/// assert_eq!(document.marks().count(), 1);
/// // The number in no mark is found.
/// assert_eq!(document.unmarked()[0].text, "12.5 seconds");
/// # Ok::<(), plyground_study::verify::DocumentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name, for messages.
    pub name: String,
    /// The commands whose output it shows.
    pub examples: Vec<Example>,
    sections: Vec<Section>,
}

/// What stands between two headings, code and comments left out.
#[derive(Clone, Debug, Default)]
struct Section {
    /// Words with one blank between them.
    text: String,
    /// The line of each byte of the text.
    lines: Vec<usize>,
    marks: Vec<Mark>,
}

/// A number that looks like a measurement and is in no mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmarkedNumber {
    /// Its line, from 1.
    pub line: usize,
    /// The number with the word after it.
    pub text: String,
}

const COMMENT: &str = "<!--";
const MARK: &str = "<!-- verify";

impl Document {
    /// Takes a document apart. A mark that cannot be read is an error.
    pub fn parse(name: &str, text: &str) -> Result<Document, DocumentError> {
        let error =
            |line, reason: String| DocumentError { document: name.to_owned(), line, reason };
        let (mut examples, mut sections) = (Vec::new(), vec![Section::default()]);
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let last = sections.len() - 1;
            let section: &mut Section = &mut sections[last];
            if let Some(kind) = line.trim_start().strip_prefix("```") {
                let block =
                    lines.by_ref().take_while(|(_, line)| !line.trim_start().starts_with("```"));
                let block: Vec<&str> = block.map(|(_, line)| line).collect();
                if kind.trim() == "console" {
                    examples.extend(Example::of_block(number + 1, &block));
                }
            } else if line.starts_with(COMMENT) {
                let mut comment = line.to_owned();
                while !comment.contains("-->") {
                    let (_, next) = lines.next().ok_or_else(|| {
                        error(number, "the comment does not end; expected -->".into())
                    })?;
                    comment.push('\n');
                    comment.push_str(next);
                }
                let Some(inner) = comment.strip_prefix(MARK) else { continue };
                let inner = inner.split("-->").next().unwrap_or(inner);
                let mark = Mark::parse(number, inner.trim_start());
                section.marks.push(mark.map_err(|reason| error(number, reason))?);
            } else if line.starts_with('#') {
                sections.push(Section::default());
            } else {
                section.add(number, line);
            }
        }
        Ok(Document { name: name.to_owned(), examples, sections })
    }

    /// All marks, with the texts of each that its section does not say.
    pub fn marks(&self) -> impl Iterator<Item = (&Mark, Vec<&str>)> {
        self.sections.iter().flat_map(|section| {
            section.marks.iter().map(|mark| {
                (mark, mark.texts().filter(|text| !section.text.contains(text)).collect())
            })
        })
    }

    /// Numbers that look like measurements and are in no mark of their section.
    pub fn unmarked(&self) -> Vec<UnmarkedNumber> {
        self.sections.iter().flat_map(Section::unmarked).collect()
    }
}

impl Section {
    /// Adds the words of a line.
    fn add(&mut self, number: usize, line: &str) {
        for word in line.split_whitespace() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.lines.resize(self.text.len(), number);
        }
    }

    fn unmarked(&self) -> Vec<UnmarkedNumber> {
        let mut text = self.text.clone();
        let mut texts: Vec<&str> = self.marks.iter().flat_map(Mark::texts).collect();
        // A longer text may contain a shorter one.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        for marked in texts.into_iter().filter(|marked| !marked.is_empty()) {
            text = text.replace(marked, &" ".repeat(marked.len()));
        }
        blank_between(&mut text, "`", "`");
        blank_between(&mut text, "](", ")");
        numbers(&text)
            .filter(|(number, word)| is_measured(&text, number.clone(), word))
            .map(|(number, word)| {
                let line = self.lines.get(number.start).copied().unwrap_or(0);
                UnmarkedNumber { line, text: format!("{} {word}", &text[number]).trim().to_owned() }
            })
            .collect()
    }
}

/// Replaces by blanks what stands between an opening and a closing text, both included.
fn blank_between(text: &mut String, opening: &str, closing: &str) {
    let mut from = 0;
    while let Some(start) = text[from..].find(opening).map(|at| from + at) {
        let inner = start + opening.len();
        let end = text[inner..].find(closing).map_or(text.len(), |at| inner + at + closing.len());
        text.replace_range(start..end, &" ".repeat(end - start));
        from = end;
    }
}

/// The numbers of a text with the word after each.
fn numbers(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(|c: char| c.is_ascii_digit())?;
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        from = end;
        let trimmed = text[start..end].trim_end_matches([',', '.']);
        // A word belongs to the number if no other sentence or clause begins between them.
        let ends_clause = trimmed.len() < end - start;
        let word = text[end..].split_whitespace().next().filter(|_| !ends_clause).unwrap_or("");
        Some((start..start + trimmed.len(), word.trim_end_matches([',', '.', ';', ':', ')'])))
    })
}

/// Words after a number that make it a measurement.
const UNITS: [&str; 11] = [
    "%", "times", "thousand", "million", "billion", "second", "seconds", "s", "ms", "minutes",
    "hours",
];

/// Does the number look like a measurement: with a decimal point, in millions, or with such a unit? Parts of
/// names (`T(8,6)`, `EUR-CS-94`) and of versions do not, and smaller counts are mostly sizes and limits.
fn is_measured(text: &str, number: std::ops::Range<usize>, word: &str) -> bool {
    let (digits, before) = (&text[number.clone()], text[..number.start].chars().next_back());
    let in_name = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '^'));
    let after = text[number.end..].chars().next();
    let is_version = digits.matches('.').count() > 1;
    // The usual level of an interval.
    let is_level = (digits, word) == ("95", "%");
    if in_name || is_version || is_level || after.is_some_and(|c| c.is_alphabetic()) {
        return false;
    }
    let groups: Vec<&str> = digits.split(',').collect();
    let has_millions = groups.len() > 2 && groups[1..].iter().all(|group| group.len() >= 3);
    digits.contains('.') || has_millions || UNITS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse("page.md", text).unwrap()
    }

    #[test]
    fn marks_belong_to_their_section() {
        let text =
            "Takes 5 s here.\n<!-- verify\ngiven = [\"5 s\", \"7 s\"]\n-->\n# Other\n7 s and 5 s\n";
        let document = document(text);
        let (mark, missing) = document.marks().next().unwrap();
        assert_eq!((mark.line, missing), (2, vec!["7 s"]));
        let found = document.unmarked();
        let texts: Vec<&str> = found.iter().map(|number| number.text.as_str()).collect();
        assert_eq!(texts, ["7 s", "5 s"]);
        assert!(found.iter().all(|number| number.line == 6));
    }

    #[test]
    fn figures_are_found_over_line_breaks() {
        let text = "It takes 97\nmillion nodes.\n<!-- verify\ngiven = [\"97 million\"]\n-->\n";
        assert!(document(text).unmarked().is_empty());
        assert!(document(text).marks().all(|(_, missing)| missing.is_empty()));
    }

    #[test]
    fn names_code_and_small_counts_are_no_measurements() {
        let text = "T(8,6), `0.5 s`, PS\\*(2), SSS-2, EUR-CS-94-04, in 1985, 20 positions, [x](y-1.5.md),\n\
                    version 6.2.7, FFO 40 to 44, 95 % intervals, 2,000 nodes, 16 MiB.\n\n```sh\n# 5 seconds\n```\n<!-- 5 seconds -->\n";
        assert_eq!(document(text).unmarked(), []);
        let measured = "46 % of 2,924,117 leaves, 0.25 and 30 million; 2 times";
        assert_eq!(document(measured).unmarked().len(), 5);
    }

    #[test]
    fn examples_are_found_in_console_blocks() {
        let text = "```sh\n$ plyground x\n```\n\n```console\n$ plyground bench\n5 nodes\n```\n";
        let document = document(text);
        assert_eq!(document.examples.len(), 1);
        assert_eq!((document.examples[0].line, document.examples[0].expected.len()), (6, 1));
    }

    #[test]
    fn a_wrong_mark_is_named_by_its_line() {
        let error = Document::parse("page.md", "a\n\n<!-- verify\nfigures = 3\n-->\n").unwrap_err();
        assert!(error.to_string().starts_with("page.md, line 3: "), "{error}");
        let error = Document::parse("page.md", "<!-- verify\nx\n").unwrap_err();
        assert!(error.to_string().contains("does not end"), "{error}");
    }
}
