//! `plyground verify`: the figures that the README and `docs/` print are recomputed.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use super::console::{Console, FaultsFound, note};
use super::soak::program;
use plyground_core::names::plural;
use plyground_engine::text_file::read_text;
use plyground_study::tournament::end_descendants;
use plyground_study::verify::{Document, Example, Figure, Mark, Part, shell_words};

pub(super) const EXAMPLES: &str = "Examples:
  plyground verify --quick
  plyground verify --json
  plyground verify --only docs/games.md
  plyground verify --only 'suite wac'
  plyground verify --docs ~/plyground

The documents are README.md and docs/*.md of a checkout: the current folder, or DIR. They say in comments
how their figures are computed (CONTRIBUTING.md describes the form). The quick part is the counts, which are
the same on every machine, and the examples; the rest is times, strength and long searches, for an idle
machine with cargo. A figure that comes out beyond its interval, an example that prints something else and
a number without a mark are listed, and the exit code is 1.";

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Only what is quickly computed and the same on every machine
    #[arg(long)]
    quick: bool,
    /// Only documents and commands whose names contain this
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    only: Option<String>,
    /// The folder with README.md and docs/
    #[arg(long, value_name = "DIR", default_value = ".")]
    docs: PathBuf,
    /// One JSON object for each figure and example
    #[arg(long)]
    json: bool,
}

/// What became of a figure or an example.
enum Verdict {
    /// It came out.
    Agrees,
    /// It did not, for this reason.
    Deviates(String),
    /// It was not recomputed, for this reason.
    LeftOut(String),
}

impl Verdict {
    /// Of a command that printed nothing to compare with.
    fn failed(why: String) -> Verdict {
        if why == INTERRUPTED { Verdict::LeftOut(why) } else { Verdict::Deviates(why) }
    }
}

/// Why a command has no output that was ended by Ctrl-C.
const INTERRUPTED: &str = "interrupted";

/// A line of the result.
struct Finding<'a> {
    document: &'a str,
    line: usize,
    /// The figure as it is printed; empty for an example.
    figure: &'a str,
    command: Option<&'a str>,
    reading: Option<String>,
    /// What came out.
    found: Vec<f64>,
    verdict: Verdict,
}

/// What a command printed, or why it failed.
type Output = Result<String, String>;

/// Runs the commands of the documents, each of them once.
struct Runner<'a> {
    console: &'a Console,
    /// The folder that the commands are run in: the one with `positions/`.
    folder: PathBuf,
    program: PathBuf,
    outputs: BTreeMap<String, Output>,
}

pub(super) fn run(
    console: &Console,
    args: &VerifyArgs,
    whole: impl Fn() -> clap::Command,
) -> anyhow::Result<()> {
    let documents = documents(&args.docs)?;
    let candidates = [args.docs.clone(), args.docs.join(".."), PathBuf::from(".")];
    let folder = candidates.into_iter().find(|folder| folder.join("positions").is_dir());
    let folder = folder.unwrap_or_else(|| args.docs.clone());
    let mut runner = Runner { console, folder, program: program()?, outputs: BTreeMap::new() };
    let bar = console.progress(args.count(&documents), "commands");
    let mut findings = Vec::new();
    'documents: for document in &documents {
        let name = document.name.as_str();
        for example in document.examples.iter().filter(|e| args.wants(name, Some(&e.command))) {
            let found = [runner.example(name, example)];
            told(console, args.json, &mut findings, found)?;
            bar.inc(1);
            if console.interrupted() {
                break 'documents;
            }
        }
        for (mark, missing) in document.marks().filter(|(m, _)| args.wants(name, m.run.as_deref()))
        {
            let missing = missing.into_iter().map(|text| not_there(name, mark, text));
            told(console, args.json, &mut findings, missing)?;
            let found = runner.mark(name, mark, args.quick, &whole);
            told(console, args.json, &mut findings, found)?;
            bar.inc(1);
            if console.interrupted() {
                break 'documents;
            }
        }
        let unmarked = document.unmarked().into_iter().filter(|_| args.wants(name, None));
        let unmarked = unmarked.map(|number| Finding {
            document: name,
            line: number.line,
            figure: "",
            command: None,
            reading: None,
            found: Vec::new(),
            verdict: Verdict::Deviates(format!("`{}` is a figure without a mark", number.text)),
        });
        told(console, args.json, &mut findings, unmarked)?;
    }
    bar.finish_and_clear();
    if console.interrupted() {
        note("interrupted: the results are incomplete");
    }
    if !args.json {
        console.print(&summary(&findings, args.quick))?;
    }
    if findings.iter().any(Finding::deviates) { Err(FaultsFound.into()) } else { Ok(()) }
}

/// Prints what was found at once, since the next command may take an hour: everything as JSON, or what
/// deviates.
fn told<'a>(
    console: &Console,
    json: bool,
    findings: &mut Vec<Finding<'a>>,
    found: impl IntoIterator<Item = Finding<'a>>,
) -> anyhow::Result<()> {
    for finding in found {
        match json {
            true => console.json(&finding.object())?,
            false if finding.deviates() => console.print(&finding.text())?,
            false => {}
        }
        findings.push(finding);
    }
    Ok(())
}

impl VerifyArgs {
    /// Is this command of this document to be looked at?
    fn wants(&self, document: &str, command: Option<&str>) -> bool {
        let Some(only) = &self.only else { return true };
        document.contains(only) || command.is_some_and(|command| command.contains(only))
    }

    /// How many commands there are.
    fn count(&self, documents: &[Document]) -> u64 {
        let wanted = |document: &Document| {
            let name = &document.name;
            document.examples.iter().filter(|e| self.wants(name, Some(&e.command))).count()
                + document.marks().filter(|(m, _)| self.wants(name, m.run.as_deref())).count()
        };
        documents.iter().map(wanted).sum::<usize>() as u64
    }
}

/// The README and the pages of `docs/`, or the pages of the folder if it is that one.
fn documents(folder: &Path) -> anyhow::Result<Vec<Document>> {
    let pages = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder);
        let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
        let mut pages = Vec::new();
        for entry in entries {
            let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
        pages.sort();
        Ok(pages)
    };
    let (readme, docs) = (folder.join("README.md"), folder.join("docs"));
    let files = match docs.is_dir() {
        true => [vec![readme], pages(&docs)?].concat(),
        false => pages(folder)?,
    };
    let mut documents = Vec::new();
    for file in files {
        let text = read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        documents.push(Document::parse(&name, &text)?);
    }
    if documents.iter().all(|document| document.marks().next().is_none()) {
        bail!(
            "{}: no page there says how its figures are computed; expected a checkout with README.md and \
             docs/: change to it, or name it by --docs DIR",
            folder.display()
        );
    }
    Ok(documents)
}

/// A mark speaks of a figure that its section does not print any more.
fn not_there<'a>(document: &'a str, mark: &'a Mark, text: &'a str) -> Finding<'a> {
    let why = format!("the section does not say `{text}`, of which its mark speaks");
    Finding {
        document,
        line: mark.line,
        figure: text,
        command: mark.run.as_deref(),
        reading: None,
        found: Vec::new(),
        verdict: Verdict::Deviates(why),
    }
}

impl Runner<'_> {
    /// What a command prints. It is run once, however often it is asked for.
    fn output(&mut self, command: &str) -> Output {
        if let Some(known) = self.outputs.get(command) {
            return known.clone();
        }
        let output = self.execute(command);
        self.outputs.insert(command.to_owned(), output.clone());
        output
    }

    fn execute(&self, command: &str) -> Output {
        let words = shell_words(command).unwrap_or_default();
        let (name, arguments) = words.split_first().ok_or("there is no command")?;
        let program = match name.as_str() {
            "plyground" => self.program.as_os_str(),
            other => other.as_ref(),
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).env("COLUMNS", "80");
        let ran = self.ran(&mut command);
        let ran = ran.map_err(|error| format!("{name} could not be run: {error}"))?;
        let (status, printed, errors) = ran.ok_or(INTERRUPTED)?;
        if !status.success() {
            let last = errors.trim_end().lines().last().unwrap_or("").to_owned();
            return Err(format!("the command failed ({status}): {last}"));
        }
        Ok(printed)
    }

    /// Runs a command to its end: how it ended, and what it printed to both its outputs. `None` after
    /// Ctrl-C.
    fn ran(&self, command: &mut Command) -> std::io::Result<Option<(ExitStatus, String, String)>> {
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn()?;
        let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
        fn all(from: &mut Option<impl Read>) -> String {
            let mut bytes = Vec::new();
            // What was read before an error is what there is.
            let _ = from.as_mut().map(|from| from.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        }
        std::thread::scope(|scope| {
            let printed = scope.spawn(|| all(&mut out));
            let errors = scope.spawn(|| all(&mut err));
            let status = loop {
                if self.console.interrupted() {
                    // It may have started others, as cargo does. Both outputs end with them.
                    end_descendants();
                    return Ok(None);
                }
                if let Some(status) = child.try_wait()? {
                    break status;
                }
                std::thread::sleep(Duration::from_millis(10));
            };
            let text = |thread: std::thread::ScopedJoinHandle<'_, String>| {
                thread.join().unwrap_or_default()
            };
            Ok(Some((status, text(printed), text(errors))))
        })
    }

    fn example<'a>(&mut self, document: &'a str, example: &'a Example) -> Finding<'a> {
        let verdict = match self.console.interrupted() {
            true => Verdict::LeftOut(INTERRUPTED.into()),
            false => match self.output(&example.command) {
                Err(why) => Verdict::failed(why),
                Ok(printed) => match example.compare(&printed) {
                    Ok(()) => Verdict::Agrees,
                    Err((expected, there)) => {
                        Verdict::Deviates(format!("shown: `{expected}`, printed: `{there}`"))
                    }
                },
            },
        };
        Finding {
            document,
            line: example.line,
            figure: "",
            command: Some(&example.command),
            reading: None,
            found: Vec::new(),
            verdict,
        }
    }

    /// The figures of a mark, recomputed if they are in the part that was asked for.
    fn mark<'a>(
        &mut self,
        document: &'a str,
        mark: &'a Mark,
        quick: bool,
        whole: &impl Fn() -> clap::Command,
    ) -> Vec<Finding<'a>> {
        let command = mark.run.as_deref();
        let finding = |figure: &'a str, reading, found, verdict| Finding {
            document,
            line: mark.line,
            figure,
            command,
            reading,
            found,
            verdict,
        };
        let measured = mark.measured.as_deref().unwrap_or("");
        let noted = mark.noted.iter().map(|text| {
            let why = format!("no command recomputes it; measured: {measured}");
            finding(text, None, Vec::new(), Verdict::LeftOut(why))
        });
        let mut findings: Vec<Finding<'a>> = noted.collect();
        let Some(command) = command else { return findings };
        let judge = match self.obstacle(command, mark, quick, whole) {
            Some(verdict) => Err(verdict),
            None => Ok(self.output(command)),
        };
        for figure in &mark.figures {
            let (found, verdict) = match &judge {
                Ok(output) => judged(figure, output),
                Err(Ok(why)) => (Vec::new(), Verdict::LeftOut(why.clone())),
                Err(Err(why)) => (Vec::new(), Verdict::Deviates(why.clone())),
            };
            findings.push(finding(
                &figure.printed,
                Some(figure.reading.to_string()),
                found,
                verdict,
            ));
        }
        findings
    }

    /// Why a command is not run: a reason that is no fault, or a fault.
    fn obstacle(
        &self,
        command: &str,
        mark: &Mark,
        quick: bool,
        whole: &impl Fn() -> clap::Command,
    ) -> Option<Result<String, String>> {
        let words = shell_words(command).unwrap_or_default();
        if words.first().is_some_and(|name| name == "plyground")
            && let Err(error) = whole().try_get_matches_from(&words)
        {
            let why = error.to_string();
            let first = why.lines().next().unwrap_or("").trim_start_matches("error: ");
            return Some(Err(format!("the command is not understood: {first}")));
        }
        if self.console.interrupted() {
            return Some(Ok(INTERRUPTED.into()));
        }
        if quick && mark.part == Part::Full {
            let measured = mark.measured.as_deref().unwrap_or("");
            return Some(Ok(format!("not in the quick part; measured: {measured}")));
        }
        let missing = mark.needs.as_deref().filter(|name| !is_installed(name));
        missing.map(|name| Ok(format!("{name} is not installed")))
    }
}

/// Is a program of this name on the search path?
fn is_installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// What a figure came out as, and whether it lies in its interval.
fn judged(figure: &Figure, output: &Output) -> (Vec<f64>, Verdict) {
    let found = match output.as_ref().map_err(Clone::clone).and_then(|o| figure.reading.read(o)) {
        Ok(found) => found,
        Err(why) => return (Vec::new(), Verdict::failed(why)),
    };
    let beyond = found.iter().find(|number| !figure.interval.contains(**number));
    let verdict = beyond.map_or(Verdict::Agrees, |number| {
        Verdict::Deviates(format!("{number} came out, expected {}", figure.interval))
    });
    (found, verdict)
}

impl Finding<'_> {
    fn deviates(&self) -> bool {
        matches!(self.verdict, Verdict::Deviates(_))
    }

    /// For people: where, what, and by which command.
    fn text(&self) -> String {
        let Finding { document, line, figure, command, .. } = self;
        let why = match &self.verdict {
            Verdict::Agrees => "agrees",
            Verdict::Deviates(why) | Verdict::LeftOut(why) => why,
        };
        let figure = if figure.is_empty() { String::new() } else { format!("`{figure}`: ") };
        let command = command.map_or(String::new(), |command| format!("    {command}\n"));
        format!("{document}, line {line}: {figure}{why}\n{command}")
    }

    fn object(&self) -> serde_json::Value {
        let (status, why) = match &self.verdict {
            Verdict::Agrees => ("agrees", None),
            Verdict::Deviates(why) => ("deviates", Some(why)),
            Verdict::LeftOut(why) => ("left-out", Some(why)),
        };
        let figure = Some(self.figure).filter(|figure| !figure.is_empty());
        json!({
            "document": self.document, "line": self.line, "figure": figure,
            "command": self.command, "read": self.reading, "found": self.found,
            "status": status, "why": why
        })
    }

    fn is_example(&self) -> bool {
        self.figure.is_empty() && self.command.is_some()
    }
}

/// How much was recomputed, and what was not.
fn summary(findings: &[Finding<'_>], quick: bool) -> String {
    let count =
        |wanted: &dyn Fn(&Finding<'_>) -> bool| findings.iter().filter(|f| wanted(f)).count();
    let left_out = |finding: &Finding<'_>| matches!(finding.verdict, Verdict::LeftOut(_));
    let examples = count(&|finding| finding.is_example() && !left_out(finding));
    let figures = count(&|finding| !finding.figure.is_empty() && !left_out(finding));
    let deviating = count(&|finding| finding.deviates());
    let verb = if deviating == 1 { "deviates" } else { "deviate" };
    let mut text = format!(
        "Recomputed: {} and {}; {deviating} {verb}.\n",
        plural(figures, "figure"),
        plural(examples, "example")
    );
    let rest = count(&left_out);
    if rest > 0 {
        let hint = if quick { "; without --quick most of them are" } else { "" };
        text += &format!("{} not recomputed{hint}.\n", were(rest));
    }
    text
}

fn were(count: usize) -> String {
    format!("{} {}", plural(count, "figure"), if count == 1 { "was" } else { "were" })
}
