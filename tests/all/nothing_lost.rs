//! What was written stays: two writers, kills, full disks, damaged lines, readers that go away.
//!
//! A full disk is simulated by a limit on the size of files. The program outlives the signal that comes with
//! it, so a write fails as it does on a full disk.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::bad_engines::listens;
use crate::commands::{plyground, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plyground");

/// Runs a shell script in a folder; the program is `$P`.
pub fn shell(folder: &Path, script: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).env("P", PROGRAM).stdin(Stdio::null());
    command.output().unwrap()
}

/// The text of standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn lines(file: &Path) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// Waits until something is true.
fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A program that is killed when the test is over, however it ends.
struct Running(Child);

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn signal(&self, name: &str) {
        listens(self.0.id());
        let sent = Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// The output after the end, which must come soon.
    fn end(mut self) -> Output {
        until("the program ends", || self.0.try_wait().unwrap().is_some());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        use std::io::Read;
        self.0.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        self.0.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        Output { status: self.0.wait().unwrap(), stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An experiment of a few records.
fn few(folder: &Path, out: &str) {
    let output = shell(
        folder,
        &format!("$P compare --game othello --depth 2 --count 2 --algorithms pvs,sss --out {out}"),
    );
    assert!(output.status.success(), "{}", errors(&output));
}

/// An experiment that takes longer than any test.
const LONG: [&str; 8] =
    ["compare", "--game", "othello", "--depth", "1..9", "--count", "20", "--out"];

#[test]
fn a_folder_in_use_is_refused_to_every_other_writer() {
    let folder = tempfile::tempdir().unwrap();
    few(folder.path(), "part");
    let run = Running::start(folder.path(), &[&LONG[..], &["all"]].concat());
    let records = folder.path().join("all/records.jsonl");
    until("the first records", || lines(&records) > 3);
    for script in [
        "$P merge part --out all",
        "$P compare --game chess --depth 1 --out all",
        "$P match pvs sss --game othello --games 2 --depth 1 --out all",
    ] {
        let refused = shell(folder.path(), script);
        assert_eq!(refused.status.code(), Some(2), "{script}");
        let message = errors(&refused);
        let holder = format!("process {}: ", run.0.id());
        assert!(
            message.contains("another run is writing") && message.contains(&holder),
            "{message}"
        );
    }
    run.signal("-INT");
    let output = run.end();
    assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
    // Nothing of it is lost, and the folder is free again.
    let kept = lines(&records);
    assert!(kept > 3);
    assert!(shell(folder.path(), "$P merge part --out all").status.success());
    assert_eq!(lines(&records), kept + 4);
    assert_eq!(names(&folder.path().join("all")), ["records.jsonl"]);
}

#[test]
fn a_killed_run_leaves_no_lock() {
    let folder = tempfile::tempdir().unwrap();
    let run = Running::start(folder.path(), &[&LONG[..], &["all"]].concat());
    let records = folder.path().join("all/records.jsonl");
    until("the first records", || lines(&records) > 3);
    run.signal("-KILL");
    run.end();
    few(folder.path(), "all");
    assert_eq!(names(&folder.path().join("all")), ["records.jsonl"]);
}

#[test]
fn a_run_whose_file_is_replaced_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = Running::start(folder.path(), &[&LONG[..], &["all"]].concat());
    let records = folder.path().join("all/records.jsonl");
    until("the first records", || lines(&records) > 3);
    fs::rename(&records, folder.path().join("moved.jsonl")).unwrap();
    fs::write(&records, "").unwrap();
    let output = run.end();
    assert_eq!(output.status.code(), Some(2));
    let message = errors(&output);
    assert!(message.contains("records.jsonl: the file was replaced or removed"), "{message}");
}

#[test]
fn ctrl_c_prints_the_command_that_continues() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["--game", "othello", "--depth", "2..6", "--count", "20", "--out", "my records"];
    let run = Running::start(folder.path(), &[&["compare"], &arguments[..]].concat());
    let records = folder.path().join("my records/records.jsonl");
    until("the first records", || lines(&records) > 3);
    run.signal("-INT");
    let message = errors(&run.end());
    let command = message.lines().find_map(|line| line.strip_prefix("to continue: ")).unwrap();
    assert!(command.ends_with("--count 20 --out 'my records'"), "{command}");
    // The command is that of a shell, and goes on where the run was interrupted.
    let output = shell(folder.path(), &format!("{command} --algorithms pvs --depth 2"));
    assert!(errors(&output).contains("cannot be used multiple times"), "{}", errors(&output));
    let kept = lines(&records);
    let again = Running::start(folder.path(), &[&["compare"], &arguments[..]].concat());
    until("more records", || lines(&records) > kept);
    again.signal("-INT");
    assert!(errors(&again.end()).contains("searches are in the records already"));
    // A match is continued in the same way.
    let games = ["match", "pvs", "sss", "--game", "othello", "--games", "1000", "--depth", "3"];
    let run = Running::start(folder.path(), &[&games[..], &["--out", "games"]].concat());
    until("the first games", || lines(&folder.path().join("games/games.jsonl")) > 1);
    run.signal("-INT");
    let message = errors(&run.end());
    assert!(message.contains("to continue: ") && message.contains("--out games"), "{message}");
    // So are a suite and a book.
    for (command, file, out) in [
        (
            &["suite", "wac", "--nodes", "100000", "--out", "solved"][..],
            "solved/suite.jsonl",
            "solved",
        ),
        (
            &["book", "make", "othello", "--positions", "9000", "--out", "o.bin"],
            "o.bin.jsonl",
            "o.bin",
        ),
    ] {
        let run = Running::start(folder.path(), command);
        until("the first lines", || lines(&folder.path().join(file)) > 1);
        run.signal("-INT");
        let message = errors(&run.end());
        let continues = format!("{} {}", command[..2].join(" "), command[2]);
        let told = message.lines().find_map(|line| line.strip_prefix("to continue: "));
        let told = told.unwrap_or_else(|| panic!("{message}"));
        assert!(told.contains(&continues) && told.ends_with(&format!("--out {out}")), "{told}");
    }
}

/// The analyses of a book are records: one writer, a checksum each, and another engine's are not used.
#[test]
fn a_book_is_made_of_sound_analyses_by_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let make = "$P book make othello --out o.bin --positions 6 --nodes 300";
    assert!(shell(folder.path(), make).status.success());
    let (book, work) = (folder.path().join("o.bin"), folder.path().join("o.bin.jsonl"));
    let (first, whole) = (fs::read(&book).unwrap(), fs::read(&work).unwrap());
    assert_eq!(lines(&work), 6);
    assert_eq!(names(folder.path()), ["o.bin", "o.bin.jsonl"]);
    for sample in 0..20_usize {
        let bit = sample * 8 * (whole.len() - 1) / 20 + sample % 7;
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&work, &damaged).unwrap();
        let output = shell(folder.path(), make);
        assert_eq!(output.status.code(), Some(2), "bit {bit}");
        assert!(errors(&output).contains("o.bin.jsonl, line "), "{}", errors(&output));
        assert_eq!((fs::read(&work).unwrap(), fs::read(&book).unwrap()), (damaged, first.clone()));
    }
    // What was torn is analysed again, and nothing else is.
    fs::write(&work, &whole[..whole.len() - 5]).unwrap();
    assert!(shell(folder.path(), make).status.success());
    assert_eq!((fs::read(&work).unwrap(), fs::read(&book).unwrap()), (whole, first));
    let other = format!("{make} --engine othello-mtd-f");
    assert!(shell(folder.path(), &other).status.success());
    assert_eq!(lines(&work), 12);
    let long = ["book", "make", "othello", "--positions", "9000", "--out", "o.bin"];
    let run = Running::start(folder.path(), &long);
    until("another analysis", || lines(&work) > 12);
    let output = shell(folder.path(), make);
    assert_eq!(output.status.code(), Some(2));
    let holder = format!("process {}: ", run.0.id());
    assert!(errors(&output).contains(&holder), "{}", errors(&output));
    // A book beside it is another matter.
    assert!(shell(folder.path(), &make.replace("o.bin", "p.bin")).status.success());
}

/// Games of self-play behind a damaged one are not thrown away.
#[test]
fn a_damaged_game_of_self_play_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let train = "$P train othello --out games --games 200 --nodes 5 --only games";
    assert!(shell(folder.path(), train).status.success());
    let all = folder.path().join("games");
    let shard = names(&all).into_iter().find(|name| name.ends_with(".shard")).unwrap();
    let shard = all.join(shard);
    let whole = fs::read(&shard).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    for train in [train.to_owned(), train.replace("--only games", "--only weights")] {
        fs::write(&shard, &damaged).unwrap();
        let output = shell(folder.path(), &train);
        assert_eq!(output.status.code(), Some(2), "{train}: {}", errors(&output));
        assert!(errors(&output).contains("is damaged, at byte"), "{}", errors(&output));
        assert_eq!(fs::read(&shard).unwrap(), damaged);
    }
    // A file that was cut off goes on, as it was.
    fs::write(&shard, &whole[..whole.len() / 2]).unwrap();
    assert!(shell(folder.path(), train).status.success());
    assert_eq!(fs::read(&shard).unwrap(), whole);
}

#[test]
fn perft_hears_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    for divide in [&["--divide"][..], &[]] {
        let run = Running::start(folder.path(), &[&["perft", "chess", "20"], divide].concat());
        std::thread::sleep(Duration::from_millis(300));
        run.signal("-INT");
        let output = run.end();
        assert_eq!(output.status.code(), Some(130));
        assert!(errors(&output).contains("interrupted"), "{}", errors(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_printing_and_not_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let compare = "$P compare --game othello --depth 3..4 --count 20 --algorithms pvs,sss,dual";
    let games = "$P match pvs sss --game othello --games 20 --depth 1";
    for (script, out, count) in [
        (format!("{compare} --json --out a"), "a/records.jsonl", 120),
        (format!("{compare} --json --out b 2>&1"), "b/records.jsonl", 120),
        (format!("{compare} --out c"), "c/records.jsonl", 120),
        (format!("{games} --json --out d"), "d/games.jsonl", 20),
    ] {
        let output = shell(folder.path(), &format!("{{ {script}; echo $? > code; }} | head -1"));
        assert_eq!(errors(&output), "", "{script}");
        let code = fs::read_to_string(folder.path().join("code")).unwrap();
        assert_eq!(code.trim(), "0", "{script}");
        assert_eq!(lines(&folder.path().join(out)), count, "{script}");
    }
    // An output that is full is an error, after all the records.
    let output = shell(folder.path(), &format!("{compare} --json --out e > /dev/full"));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("cannot write to standard output"), "{}", errors(&output));
    assert_eq!(lines(&folder.path().join("e/records.jsonl")), 120);
    // Nobody reads from the beginning: all files of a report are written.
    let output = shell(folder.path(), "{ sleep 0.2; $P report a; echo $? > code; } | true");
    assert_eq!(errors(&output), "");
    for name in ["report.html", "report.md", "report.csv"] {
        assert!(folder.path().join("a").join(name).exists(), "{name}");
    }
}

#[test]
fn a_full_disk_takes_no_game_away() {
    let folder = tempfile::tempdir().unwrap();
    let full = "ulimit -f 0;";
    let old = "[Event \"old\"]\n\n1. e4 *\n";
    let game = folder.path().join("game.pgn");
    fs::write(&game, old).unwrap();
    let script = "printf 'e4\\nsave! game.pgn\\nsave new.pgn\\nquit\\n' > moves";
    assert!(shell(folder.path(), script).status.success());
    let output = shell(folder.path(), &format!("{full} $P play chess < moves"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output);
    assert!(said.contains("cannot write game.pgn"), "{said}");
    assert_eq!(fs::read_to_string(&game).unwrap(), old);
    assert_eq!(names(folder.path()), ["game.pgn", "moves"]);
    // A match needs more than one block for its games.
    for blocks in [0, 1] {
        let script = format!(
            "ulimit -f {blocks}; $P match pvs sss --game chess --games 6 --depth 1 \
             --pgn game.pgn"
        );
        let output = shell(folder.path(), &script);
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains("cannot write game.pgn"), "{}", errors(&output));
        assert_eq!(fs::read_to_string(&game).unwrap(), old);
        // What was written whole is there.
        let beside = fs::read_to_string(folder.path().join("game.pgn.new"));
        assert!(beside.is_err() || beside.unwrap().trim_end().ends_with(['0', '1', '2', '*']));
    }
    let _ = fs::remove_file(folder.path().join("game.pgn.new"));
    let script = "$P match pvs sss --game chess --games 4 --depth 1 --pgn game.pgn";
    assert!(shell(folder.path(), script).status.success());
    let games = fs::read_to_string(&game).unwrap();
    assert_eq!(games.matches("[Event ").count(), 4);
    assert!(!games.contains("\"old\""));
    assert_eq!(names(folder.path()), ["game.pgn", "moves"]);
}

/// A limit on the size of files sends a signal that ends a program which does not expect it.
#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_death() {
    let folder = tempfile::tempdir().unwrap();
    for (script, expected) in [
        ("$P algorithms > list", "cannot write to standard output"),
        ("$P puzzle make > list", "cannot write to standard output"),
        ("$P compare --game othello --depth 2 --count 3 --out all", "all"),
        ("$P match pvs sss --game othello --games 2 --depth 1 --out games", "games"),
        ("$P train othello --out shards --games 2 --nodes 50", "shards"),
        ("$P man --out pages", "pages"),
    ] {
        let output = shell(folder.path(), &format!("ulimit -f 0; {script}"));
        assert_eq!(output.status.code(), Some(2), "{script}: {}", errors(&output));
        assert!(errors(&output).contains(expected), "{script}: {}", errors(&output));
    }
    // What is there already stays.
    assert!(shell(folder.path(), "$P man --out pages").status.success());
    let page = folder.path().join("pages/plyground-tree.1");
    let (old, count) = (fs::read(&page).unwrap(), names(&folder.path().join("pages")).len());
    let output = shell(folder.path(), "ulimit -f 1; $P man --out pages");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(old.len() > 1024 && fs::read(&page).unwrap() == old);
    assert_eq!(names(&folder.path().join("pages")).len(), count);
    // Help is no work that could be lost; it must only not be a death by a signal.
    let output = shell(folder.path(), "ulimit -f 0; $P --help > list");
    assert!(output.status.code().is_some_and(|code| code <= 2), "{:?}", output.status);
}

#[test]
fn a_failed_merge_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    few(folder.path(), "part");
    few(folder.path(), "all");
    let before = fs::read(folder.path().join("all/records.jsonl")).unwrap();
    let output = shell(folder.path(), "ulimit -f 1; $P merge part part --out all");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names(&folder.path().join("all")), ["records.jsonl"]);
    assert_eq!(fs::read(folder.path().join("all/records.jsonl")).unwrap(), before);
    let output = shell(folder.path(), "ulimit -f 1; $P report all --out pages");
    assert_eq!(output.status.code(), Some(2));
    assert!(names(&folder.path().join("pages")).is_empty());
}

#[test]
fn every_wrong_bit_of_a_record_is_found() {
    let folder = tempfile::tempdir().unwrap();
    few(folder.path(), "all");
    let all = folder.path().join("all");
    let records = all.join("records.jsonl");
    let whole = fs::read(&records).unwrap();
    let first = String::from_utf8(whole.clone()).unwrap();
    assert!(first.starts_with("{\"schema\":1,\"game\":\"othello\""), "{first}");
    let bits = 8 * (whole.len() - 1);
    for sample in 0..60_usize {
        let bit = sample * bits / 60 + sample % 7;
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&records, &damaged).unwrap();
        let line = whole[..bit / 8].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = refused(&["report", &all.display().to_string()], "");
        assert!(message.contains(&format!("records.jsonl, line {line}: ")), "bit {bit}: {message}");
        assert_eq!(fs::read(&records).unwrap(), damaged);
    }
    // The last line's end is part of the line: without it, the search is made again.
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&records, &damaged).unwrap();
    let output = plyground(&["report", &all.display().to_string()]);
    assert!(errors(&output).contains("the last line is torn"), "{}", errors(&output));
    few(folder.path(), "all");
    assert_eq!(lines(&records), 4);
}

/// Records of earlier versions, without schema and checksum, are read, and merged into new ones.
#[test]
fn earlier_records_are_read_and_times_come_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    few(folder.path(), "all");
    let records = folder.path().join("all/records.jsonl");
    let text = fs::read_to_string(&records).unwrap();
    let mut seconds = Vec::new();
    let earlier: String = text
        .lines()
        .zip(["0.30000000000000004", "4.4501477170144023e-308", "1.1754943508222875e-38", "0.1e-6"])
        .map(|(line, time)| {
            let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
            let keys = record.as_object_mut().unwrap();
            assert!(keys.shift_remove("schema").is_some());
            assert!(keys.shift_remove("checksum").is_some());
            let time: f64 = time.parse().unwrap();
            keys["seconds"] = time.into();
            seconds.push(time);
            format!("{record}\n")
        })
        .collect();
    fs::create_dir(folder.path().join("earlier")).unwrap();
    fs::write(folder.path().join("earlier/records.jsonl"), earlier).unwrap();
    assert!(shell(folder.path(), "$P merge earlier --out new").status.success());
    let merged = fs::read_to_string(folder.path().join("new/records.jsonl")).unwrap();
    let found: Vec<f64> = merged
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|record| record["seconds"].as_f64().unwrap())
        .collect();
    assert_eq!(found, seconds);
    assert!(merged.lines().all(|line| line.starts_with("{\"schema\":1,")));
}

#[test]
fn files_without_an_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |evaluator: &str| {
        let text = format!(
            "about = \"\"\n[game.chess]\nevaluator = \"{evaluator}\"\n[algorithm]\nid = \"pvs\"\n"
        );
        fs::write(folder.path().join("e.toml"), text).unwrap();
    };
    assert!(shell(folder.path(), "mkfifo pipe").status.success());
    for evaluator in ["/dev/zero", "pipe"] {
        engine(evaluator);
        let script = "ulimit -v 4000000; $P best chess --engine e.toml --depth 1";
        let output = shell(folder.path(), script);
        assert_eq!(output.status.code(), Some(2));
        let message = errors(&output);
        assert!(
            message.contains("e.toml, line 3: ") && message.contains("not a file"),
            "{message}"
        );
    }
    for script in [
        "$P best chess --engine pipe.toml --depth 1",
        "$P suite /dev/zero --engine chess --depth 1",
        "$P compare --game chess --positions /dev/zero",
        "$P tree @/dev/zero",
        "$P tree - < /dev/zero",
    ] {
        let script = format!("ln -sf /dev/zero pipe.toml; ulimit -v 4000000; {script}");
        let output = shell(folder.path(), &script);
        assert_eq!(output.status.code(), Some(2), "{script}: {}", errors(&output));
        assert!(errors(&output).contains("expected a text file"), "{script}: {}", errors(&output));
    }
}

#[test]
fn an_option_of_two_lines_is_refused() {
    let option = "Hash=1\nquit";
    let message = refused(
        &["match", "uci:x", "chess", "--depth", "1", "--games", "2", "--option-a", option],
        "",
    );
    assert!(message.contains("the option `Hash`: expected one line"), "{message}");
}
