//! The README and `docs/`: their examples are run, and their links lead somewhere.

use std::path::{Path, PathBuf};

use plyground::verify::{Document, shell_words};

use super::commands::{objects, plyground, refused, stdout};

/// The README, and all pages of `docs/`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::fs::read_dir(root.join("docs")).unwrap();
    let mut found: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    found.push(root.join("README.md"));
    found
}

/// Runs the examples of a document. Returns how many there are.
fn run_examples(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let document = Document::parse(&path.display().to_string(), &text).unwrap();
    for example in &document.examples {
        let words = shell_words(&example.command).unwrap();
        assert_eq!(words[0], "plyground", "{}", example.command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let printed = stdout(&arguments);
        let compared = example.compare(&printed);
        assert_eq!(compared, Ok(()), "{}: {}\n{printed}", document.name, example.command);
    }
    document.examples.len()
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

/// Every figure that looks like a measurement is in a mark, and every mark speaks of what its section says.
#[test]
fn figures_are_marked() {
    let (mut marks, mut wrong) = (0, Vec::new());
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let document = Document::parse(&path.display().to_string(), &text).unwrap();
        for (mark, missing) in document.marks() {
            marks += 1;
            let lost =
                missing.iter().map(|text| format!("{}:{}: {text}", document.name, mark.line));
            wrong.extend(lost);
        }
        let unmarked = document.unmarked().into_iter();
        wrong.extend(unmarked.map(|n| format!("{}:{}: {}", document.name, n.line, n.text)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(marks >= 15, "{marks}");
}

/// A page with a figure that comes out, one that does not, one for later, and an example that is wrong.
const PAGE: &str = "# A page\n\nThe tree has 9 leaves, of which 5.0 are visited, in 3 seconds.\n\n\
<!-- verify\nrun = \"plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm minimax --json\"\n\
figures.\"9 leaves\" = \"leaves\"\n-->\n\
<!-- verify\nrun = \"plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm sss --json\"\n\
figures.\"5.0\" = \"leaves\"\n-->\n\
<!-- verify\nrun = \"plyground perft chess 3\"\npart = \"full\"\nmeasured = \"today\"\n\
figures.\"3 seconds\" = 'after \"leaves in\"'\n-->\n\n\
```console\n$ plyground perft othello 3\ndepth 3: 57 leaves in …\n```\n";

#[test]
fn deviations_are_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    std::fs::write(folder.path().join("README.md"), "# Nothing\n").unwrap();
    let page = folder.path().join("docs/page.md");
    std::fs::write(&page, PAGE).unwrap();
    let docs = folder.path().to_str().unwrap();
    let told = |output: std::process::Output| {
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = told(plyground(&["verify", "--quick", "--docs", docs]));
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("docs/page.md, line 9: `5.0`: 7 came out, expected 4.95 to 5.05"),
        "{text}"
    );
    assert!(text.contains("shown: `depth 3: 57 leaves in …`, printed: `depth 3: 56"), "{text}");
    assert!(text.contains("Recomputed: 2 figures and 1 example; 2 deviate."), "{text}");
    let (code, text) = told(plyground(&["verify", "--quick", "--json", "--docs", docs]));
    assert_eq!(code, Some(1));
    let statuses: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["status"].to_string())
        .collect();
    assert_eq!(statuses, ["\"deviates\"", "\"agrees\"", "\"deviates\"", "\"left-out\""]);
    // All is well.
    let right = PAGE.replace("5.0", "7.0").replace(": 57 leaves", ": 56 leaves");
    std::fs::write(&page, right).unwrap();
    let all = objects(&["verify", "--quick", "--json", "--docs", docs]);
    assert_eq!(all.len(), 4);
    // A figure that changed has no mark, and the mark has no figure. A flag that is gone is noticed.
    for changed in
        [PAGE.replace("which 5.0", "which 7.5"), PAGE.replace("perft chess 3", "perft --x")]
    {
        std::fs::write(&page, changed).unwrap();
        let output = plyground(&["verify", "--quick", "--docs", docs]);
        assert_eq!(output.status.code(), Some(1));
    }
    std::fs::write(&page, PAGE.replace("figures.\"9", "fogures.\"9")).unwrap();
    let message = refused(&["verify", "--quick", "--docs", docs], "");
    assert!(
        message.contains("docs/page.md, line 5: the mark's line 2: unknown field"),
        "{message}"
    );
    std::fs::remove_file(&page).unwrap();
    let message = refused(&["verify", "--docs", docs], "");
    assert!(message.contains("expected a checkout with README.md and docs/"), "{message}");
    assert!(refused(&["verify", "--docs", "/nowhere"], "").contains("cannot read /nowhere"));
}

/// One document or one command can be recomputed alone.
#[test]
fn a_part_of_the_figures_is_recomputed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let right = PAGE.replace("5.0", "7.0");
    std::fs::write(folder.path().join("page.md"), &right).unwrap();
    std::fs::write(folder.path().join("other.md"), "It took 9.9 seconds.\n").unwrap();
    let docs = folder.path().to_str().unwrap();
    let only = |text: &str| {
        let output = plyground(&["verify", "--quick", "--json", "--docs", docs, "--only", text]);
        let lines = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), lines.lines().count())
    };
    // A command, a document with its example that is wrong, the one with a figure that has no mark.
    assert_eq!(only("--algorithm sss"), (Some(0), 1));
    assert_eq!(only("page.md"), (Some(1), 4));
    assert_eq!(only("other"), (Some(1), 1));
}

/// What a document has started ends with `verify`, and what was recomputed by then has been printed.
#[cfg(unix)]
#[test]
fn an_interrupted_verification_leaves_nothing_running() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let mark = "<!-- verify\nrun = \"sh -c 'touch started; sleep 600'\"\npart = \"full\"\n\
                measured = \"today\"\nfigures.\"7 s\" = 'after \"x\"'\n-->\n";
    let wrong = "```console\n$ plyground perft othello 3\ndepth 3: 57 leaves in …\n```\n";
    std::fs::write(folder.path().join("page.md"), format!("In 7 s.\n\n{mark}\n{wrong}")).unwrap();
    for signal in ["-INT", "-TERM"] {
        let child = Command::new(assert_cmd::cargo::cargo_bin!("plyground"))
            .args(["verify", "--docs", "."])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let started = folder.path().join("started");
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !started.exists() {
            assert!(std::time::Instant::now() < patience, "the command was not run");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        std::fs::remove_file(started).unwrap();
        crate::bad_engines::send(signal, &child);
        let output = crate::bad_engines::finished(child, "verify");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains("shown: `depth 3: 57 leaves"), "{printed}");
        assert!(printed.contains("and 1 example; 1 deviates."), "{printed}");
        assert_eq!(output.status.code(), Some(1), "a deviation was found: {printed}");
    }
}
