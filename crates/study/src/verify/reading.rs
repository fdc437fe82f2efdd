//! How a figure is read off what a command prints.

use std::fmt;

use serde_json::Value;

/// A way to read a number off the output of a command. Of a command that prints JSON, an object a line:
///
/// - `KEY`: the number of that name, from the only object;
/// - `KEY where NAME=VALUE NAME=VALUE`: from the only object with these values;
/// - `sum KEY`, `mean KEY`, `least KEY`, `most KEY`, each with `where` or without: over all such objects;
/// - `each KEY`: every one of them has to lie in the figure's interval;
/// - `count where NAME=VALUE`: how many such objects there are;
/// - `A / B`: one reading divided by another; `100 * A`, `100 - A`: a number before a reading.
///
/// Of any command: `after "TEXT"` is the first number after that text, in which runs of blanks count as one.
///
/// ```
/// use plyground_study::verify::Reading;
///
/// let reading: Reading = "sum nodes / count where solved=true".parse()?;
/// let output = "{\"nodes\":10,\"solved\":true}\n{\"nodes\":5,\"solved\":false}\n";
/// assert_eq!(reading.read(output), Ok(vec![15.0]));
/// assert_eq!("after \"depth 9:\"".parse::<Reading>()?.read("depth 9: 3,005 leaves"), Ok(vec![3005.0]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    text: String,
    /// A number and a sign before the rest: `100 *`, `100 -`.
    before: Option<(f64, Sign)>,
    dividend: Term,
    divisor: Option<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Times,
    Minus,
}

/// One number, or several, of an output.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    After(String),
    Of { over: Over, key: String, wanted: Vec<(String, String)> },
}

/// What is made of the objects that fit.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Over {
    Only,
    Each,
    Sum,
    Mean,
    Least,
    Most,
    Count,
}

const OVER: [(&str, Over); 6] = [
    ("each", Over::Each),
    ("sum", Over::Sum),
    ("mean", Over::Mean),
    ("least", Over::Least),
    ("most", Over::Most),
    ("count", Over::Count),
];

impl std::str::FromStr for Reading {
    type Err = String;

    fn from_str(text: &str) -> Result<Reading, String> {
        let mut rest = text.trim();
        let before =
            [(" * ", Sign::Times), (" - ", Sign::Minus)].iter().find_map(|(sign, means)| {
                let (number, after) = rest.split_once(sign)?;
                Some((number.trim().parse::<f64>().ok()?, *means, after))
            });
        if let Some((_, _, after)) = before {
            rest = after;
        }
        // A text may hold the sign itself.
        let (dividend, divisor) = match rest.split_once(" / ") {
            Some((a, b)) if a.matches('"').count() % 2 == 0 => (term(a)?, Some(term(b)?)),
            _ => (term(rest)?, None),
        };
        let before = before.map(|(number, sign, _)| (number, sign));
        Ok(Reading { text: text.trim().into(), before, dividend, divisor })
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

fn term(text: &str) -> Result<Term, String> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix("after ") {
        let inner = quoted.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let inner = inner.filter(|inner| !inner.trim().is_empty());
        return inner.map(|inner| Term::After(squeezed(inner))).ok_or_else(expected);
    }
    let (subject, conditions) = match text.split_once("where ") {
        Some((subject, conditions)) => (subject.trim(), conditions),
        None => (text, ""),
    };
    let words: Vec<&str> = subject.split_whitespace().collect();
    let over = |word: &str| OVER.iter().find(|(name, _)| *name == word).map(|(_, over)| *over);
    let (over, key) = match words[..] {
        ["count"] => (Over::Count, ""),
        [name, key] => (over(name).filter(|o| *o != Over::Count).ok_or_else(expected)?, key),
        [key] if over(key).is_none() => (Over::Only, key),
        _ => return Err(expected()),
    };
    let pair = |condition: &str| {
        let (name, value) = condition.split_once('=').ok_or_else(expected)?;
        Ok((name.to_owned(), value.to_owned()))
    };
    let wanted: Result<Vec<_>, String> = conditions.split_whitespace().map(pair).collect();
    Ok(Term::Of { over, key: key.into(), wanted: wanted? })
}

fn expected() -> String {
    "expected a way to read a figure off, such as `sum nodes`, `percent where depth=8`, \
     `count where solved=true` or `after \"nodes:\"`"
        .into()
}

impl Reading {
    /// The numbers of an output: one, or several if each of them has to lie in the interval.
    pub fn read(&self, output: &str) -> Result<Vec<f64>, String> {
        let mut numbers = self.dividend.read(output)?;
        if let Some(divisor) = &self.divisor {
            let by = divisor.read(output)?;
            let [by] = by[..] else { return Err("expected one number to divide by".into()) };
            if by == 0.0 {
                return Err(format!("`{}` divides by zero", self.text));
            }
            numbers.iter_mut().for_each(|number| *number /= by);
        }
        for number in &mut numbers {
            *number = match self.before {
                Some((factor, Sign::Times)) => factor * *number,
                Some((whole, Sign::Minus)) => whole - *number,
                None => *number,
            };
        }
        Ok(numbers)
    }
}

impl Term {
    fn read(&self, output: &str) -> Result<Vec<f64>, String> {
        let (over, key, wanted) = match self {
            Term::After(text) => return after(output, text).map(|number| vec![number]),
            Term::Of { over, key, wanted } => (*over, key, wanted),
        };
        let objects: Vec<Value> =
            output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let fits = |object: &&Value| {
            wanted.iter().all(|(name, value)| plain(&object[name.as_str()]) == *value)
        };
        let found: Vec<&Value> = objects.iter().filter(fits).collect();
        if over == Over::Count {
            return Ok(vec![found.len() as f64]);
        }
        let numbers: Vec<f64> = found.iter().filter_map(|object| object[key].as_f64()).collect();
        let count = numbers.len();
        let sum: f64 = numbers.iter().sum();
        match (over, count) {
            (_, 0) => Err(format!("no line of the output has a number `{key}` that fits")),
            (Over::Only, 2..) => Err(format!("{count} lines of the output fit, expected one")),
            (Over::Only | Over::Each | Over::Count, _) => Ok(numbers),
            (Over::Sum, _) => Ok(vec![sum]),
            (Over::Mean, _) => Ok(vec![sum / count as f64]),
            (Over::Least, _) => Ok(vec![numbers.into_iter().fold(f64::INFINITY, f64::min)]),
            (Over::Most, _) => Ok(vec![numbers.into_iter().fold(f64::NEG_INFINITY, f64::max)]),
        }
    }
}

/// A JSON value as it is written in a condition: strings without their quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// The text with every run of blanks as one.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first number after a text.
fn after(output: &str, text: &str) -> Result<f64, String> {
    let output = squeezed(output);
    let at = output.find(text).ok_or_else(|| format!("the output does not say \"{text}\""))?;
    let rest = &output[at + text.len()..];
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '+');
    let numbers = rest.split(|c: char| !is_part(c)).map(|word| word.replace(',', ""));
    let number = |word: String| word.trim_end_matches('.').parse::<f64>().ok();
    numbers.filter_map(number).next().ok_or_else(|| format!("no number follows \"{text}\""))
}

/// A number with as many digits as a reader wants.
pub(super) fn shown(number: f64) -> String {
    let text = match number.abs() {
        10_000.0.. => crate::report::thousands(number, 0),
        100.0.. => format!("{number:.1}"),
        _ => format!("{number:.4}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "{\"depth\":4,\"id\":\"sss\",\"percent\":56.2,\"nodes\":10}\n\
                          {\"depth\":8,\"id\":\"sss\",\"percent\":46.1,\"nodes\":30}\n\
                          {\"depth\":8,\"id\":\"ps:2\",\"percent\":70.0,\"nodes\":20}\n\
                          not JSON\n";

    fn read(reading: &str) -> Result<Vec<f64>, String> {
        reading.parse::<Reading>()?.read(OUTPUT)
    }

    #[test]
    fn objects_are_chosen_and_added_up() {
        assert_eq!(read("percent where depth=8 id=ps:2"), Ok(vec![70.0]));
        assert_eq!(read("sum nodes"), Ok(vec![60.0]));
        assert_eq!(read("mean nodes where depth=8"), Ok(vec![25.0]));
        assert_eq!(read("least percent"), Ok(vec![46.1]));
        assert_eq!(read("most percent"), Ok(vec![70.0]));
        assert_eq!(read("each nodes where id=sss"), Ok(vec![10.0, 30.0]));
        assert_eq!(read("count where id=sss"), Ok(vec![2.0]));
        assert_eq!(read("100 * sum nodes where id=ps:2 / sum nodes where depth=8"), Ok(vec![40.0]));
        assert_eq!(read("100 - percent where depth=4"), Ok(vec![100.0 - 56.2]));
        assert!(read("percent").unwrap_err().contains("3 lines"));
        assert!(read("percent where id=pvs").unwrap_err().contains("no line"));
        assert!(read("nodes where depth=4 / count where id=x").unwrap_err().contains("zero"));
    }

    #[test]
    fn numbers_follow_a_text() {
        let read = |reading: &str, output: &str| reading.parse::<Reading>().unwrap().read(output);
        let table = "T(8,6)\n  SSS*   per leaf     2.18 / 2.5\nall:   97,123,456.\n";
        assert_eq!(read("after \"SSS* per leaf\"", table), Ok(vec![2.18]));
        assert_eq!(read("after \"all:\"", table), Ok(vec![97_123_456.0]));
        assert!(read("after \"DUAL*\"", table).unwrap_err().contains("does not say"));
        assert!(read("after \"456.\"", table).unwrap_err().contains("no number"));
    }

    #[test]
    fn other_texts_are_no_readings() {
        for wrong in
            ["", "sum", "sum of nodes", "count nodes", "after nodes", "after \"\"", "x where y"]
        {
            assert!(wrong.parse::<Reading>().is_err(), "{wrong}");
        }
    }
}
