//! Memory and threads that cannot be had are said to be so: no command is aborted by them.
//!
//! The limits are those of a shell: a machine with little memory is one with a limit on address space.

use std::path::Path;

use crate::nothing_lost::{errors, shell};

/// Runs a script that must be refused; returns the message.
fn refused(folder: &Path, script: &str) -> String {
    let output = shell(folder, script);
    let message = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{script}: {message}");
    assert!(!message.contains("panicked") && !message.contains("backtrace"), "{message}");
    message
}

/// An engine for a game with a table of this size.
fn engine(folder: &Path, game: &str, table: &str) {
    let text = format!(
        "about = \"large\"\n[game.{game}]\n[algorithm]\nid = \"pvs\"\n\
         [memory]\nfunctions = \"table\"\ntable = \"{table}\"\n[play]\n"
    );
    std::fs::write(folder.join("large.toml"), text).unwrap();
}

#[test]
fn a_table_that_cannot_be_had_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    engine(folder.path(), "chess", "1024MiB");
    for script in [
        "$P compare --game othello --depth 2 --count 1 --memory table --table 1024MiB",
        "$P compare --game othello --depth 2 --count 1 --memory table --table 64MiB --jobs 16",
        "$P compare --engine large.toml --depth 2 --count 1",
        "$P best chess --engine large.toml --depth 2",
        "$P suite positions.epd --engine large.toml --nodes 100",
        "$P match chess pvs --games 2 --depth 1 --hash 1024",
        "$P match chess pvs --games 20 --depth 1 --hash 16 --jobs 16",
        "$P match large.toml chess --games 2 --depth 1",
        "$P uci --engine large.toml < /dev/null",
        "$P play chess --engine large.toml < /dev/null",
        "$P solve '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X' --table 1024M",
    ] {
        let position = "4k3/8/8/8/8/8/4K3/7R w - - bm Rh8+;";
        std::fs::write(folder.path().join("positions.epd"), position).unwrap();
        let message = refused(folder.path(), &format!("ulimit -v 400000; {script}"));
        assert!(message.contains("MiB cannot be had; expected at most"), "{script}: {message}");
        assert!(message.contains("ulimit -v"), "{script}: {message}");
        assert_eq!(message.matches("cannot be had").count(), 1, "said twice: {script}: {message}");
    }
    // Nothing but what the machine has: the largest table there is.
    let script = "$P compare --game othello --depth 2 --count 1 --memory table --table 65536MiB";
    let message = refused(folder.path(), &format!("ulimit -v 60000000; {script}"));
    assert!(message.contains("65536 MiB cannot be had"), "{message}");
}

#[test]
fn what_can_be_had_under_a_limit_works() {
    let folder = tempfile::tempdir().unwrap();
    for script in [
        "$P compare --game othello --depth 3 --count 1 --memory table --table 64MiB",
        "$P best chess --engine chess --depth 3",
        "$P match chess pvs --games 2 --depth 1 --hash 32",
        "$P solve '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'",
    ] {
        let output = shell(folder.path(), &format!("ulimit -v 400000; {script}"));
        assert!(output.status.success(), "{script}: {}", errors(&output));
    }
}

/// Heaps of threads reserve 64 MiB of addresses each: under a limit there is one for all. What the program
/// starts inherits the setting, and so can tell it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_limit_on_addresses_leaves_one_heap() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tell"), "echo \"heaps: $MALLOC_ARENA_MAX\" > heaps\n")
        .unwrap();
    let script = "unset MALLOC_ARENA_MAX; $P match chess 'uci:sh tell' --games 2 --depth 1";
    for (limit, heaps) in [("ulimit -v 4000000; ", "heaps: 1\n"), ("", "heaps: \n")] {
        refused(folder.path(), &format!("{limit}{script}"));
        assert_eq!(std::fs::read_to_string(folder.path().join("heaps")).unwrap(), heaps, "{limit}");
    }
}

/// The session goes on with the table that it has.
#[test]
fn uci_keeps_its_table_if_there_is_no_memory_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "setoption name Hash value 64\\nsetoption name Hash value 2048\\n\
                 isready\\ngo depth 4\\nsetoption name Hash value 32\\ngo depth 3\\nquit\\n";
    let script = format!("ulimit -v 400000; printf '{lines}' | $P uci");
    let output = shell(folder.path(), &script);
    assert!(output.status.success(), "{}", errors(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused: Vec<&str> = said.lines().filter(|line| line.contains("info string")).collect();
    assert_eq!(refused.len(), 1, "{said}");
    assert!(refused[0].starts_with("info string Hash: 2048 MiB cannot be had"), "{said}");
    assert!(refused[0].ends_with("the table stays as it was"), "{said}");
    assert!(said.contains("readyok") && said.matches("bestmove").count() == 2, "{said}");
}

#[test]
fn threads_that_cannot_be_had_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["ybw:1024", "abdada:1024", "parsss:1024", "pvsplit:1000"] {
        let script = format!("ulimit -v 400000; $P best othello --algorithm {id} --depth 6");
        let message = refused(folder.path(), &script);
        assert!(message.contains("threads: "), "{message}");
        assert!(message.contains("cannot be had; expected at most"), "{message}");
    }
    // An engine that gets no threads would play any moves, and a match would tell its score.
    for script in [
        "$P match ybw:1024 pvs --game othello --games 2 --depth 2 --out games",
        "$P play othello --engine ybw:1024 < /dev/null",
    ] {
        let message = refused(folder.path(), &format!("ulimit -v 400000; {script}"));
        assert!(message.contains("1024 threads: ") && message.contains("had; "), "{message}");
    }
    let lines = "setoption name Algorithm value ybw:1024\\ngo depth 3\\nquit\\n";
    let output = shell(folder.path(), &format!("ulimit -v 400000; printf '{lines}' | $P uci"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused_option = "info string Algorithm: 1024 threads: ";
    assert!(said.contains(refused_option) && said.contains("it stays as it was"), "{said}");
    assert!(said.contains("info depth 3") && said.contains("bestmove"), "{said}");
    let eight = "'8 7 6 5 4 3 2 1 0'";
    for id in ["pida:1024", "window:1024"] {
        let script = format!(
            "ulimit -v 400000; $P puzzle solve --domain 8-puzzle {eight} --algorithm {id} --json"
        );
        let message = refused(folder.path(), &script);
        assert!(
            message.contains("1024 threads: ") && message.contains("cannot be had"),
            "{message}"
        );
    }
    let script = "ulimit -v 400000; $P compare --game othello --depth 5 --count 1 \
                  --algorithms pvs,ybw:1024 --out records";
    let message = refused(folder.path(), script);
    assert!(message.contains("ybw:1024 on ") && message.contains("1024 threads"), "{message}");
    // The records before that one are kept.
    let records = std::fs::read_to_string(folder.path().join("records/records.jsonl")).unwrap();
    assert_eq!(records.lines().count(), 1, "{records}");
}

/// Lists that outgrow the memory stop their search. Such a search is no record of the algorithm.
#[test]
fn lists_that_cannot_grow_stop_the_search() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["sss", "sss-2", "sss-4:100", "parsss:2"] {
        let script = format!("ulimit -v 200000; $P best chess --algorithm {id} --depth 10 --json");
        let output = shell(folder.path(), &script);
        assert!(output.status.success(), "{id}: {}", errors(&output));
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["stopped"], "memory", "{id}: {found}");
    }
    let script = "ulimit -v 200000; $P compare --game chess --depth 10 --count 1 \
                  --algorithms sss --out records";
    let message = refused(folder.path(), script);
    assert!(message.contains("no more memory for it"), "{message}");
    let records = std::fs::read_to_string(folder.path().join("records/records.jsonl")).unwrap();
    assert_eq!(records, "");
}

/// However little memory there is, a command ends with an answer or with a message.
#[test]
fn no_limit_aborts_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for limit in (60_000..400_000).step_by(40_000) {
        for script in [
            "printf 'uci\\nisready\\nsetoption name Threads value 8\\ngo depth 6\\nquit\\n' | $P uci",
            "$P gtp < /dev/null",
            "$P best othello --algorithm ybw:16 --depth 6",
            "$P trees --width 4 --depth 6 --count 3 --algorithms sss,parsss:8",
            "$P compare --game othello --depth 3 --count 1 --jobs 8 --memory none,all",
        ] {
            let output = shell(folder.path(), &format!("ulimit -v {limit}; {script}"));
            let code = output.status.code();
            let message = errors(&output);
            assert!(matches!(code, Some(0 | 2)), "{limit} {script}: {code:?} {message}");
            assert!(!message.contains("panicked"), "{limit} {script}: {message}");
        }
    }
}

/// A limit on processes counts threads too. Whichever thread the system refuses, of ours or of the opponent's,
/// it is an error and no panic.
#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_the_system_refuses_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    std::fs::copy(assert_cmd::cargo::cargo_bin!("plyground"), folder.path().join("p")).unwrap();
    // Nothing limits the processes of root.
    let user = "user=$((40000 + $$)); [ $(id -u) = 0 ] || user=$(id -u); \
                as() { if [ $(id -u) = 0 ]; then \
                setpriv --reuid=$user --clear-groups \"$@\"; else \"$@\"; fi; };";
    let with = |limit: usize, command: &str| {
        let script = format!("{user} as prlimit --nproc={limit}:{limit} ./p {command}");
        let output = shell(folder.path(), &script);
        let said = errors(&output);
        let (code, panicked) = (output.status.code(), said.contains("panicked"));
        assert!(matches!(code, Some(0 | 2)) && !panicked, "{limit}: {code:?}: {said}");
        (code, said)
    };
    for limit in 1..=7 {
        let (code, said) = with(limit, "match 'uci:./p uci' pvs --game chess --games 1 --depth 1");
        assert!(limit > 1 || code == Some(2), "one thread alone hears no Ctrl-C: {said}");
    }
    // Searches for one player take their threads elsewhere.
    let (code, said) =
        with(4, "puzzle solve --domain 8-puzzle '8 7 6 5 4 3 2 1 0' --algorithm pida:8");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("8 threads: the system gives no more than"), "{said}");
}

/// A limit that comes when the program is ready leaves it what its searches need.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_that_comes_later_ends_no_protocol() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    for (protocol, ready, search) in [
        ("uci", "isready\n", "go movetime 20\n"),
        ("gtp", "name\n", "genmove black\n"),
        ("nboard", "ping 1\n", "go\n"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_plyground"))
            .arg(protocol)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = program.stdin.take().unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        input.write_all(ready.as_bytes()).unwrap();
        let answers = ["readyok", "= ", "pong 1"];
        lines.find(|line| answers.iter().any(|answer| line.as_ref().unwrap().starts_with(answer)));
        let id = program.id().to_string();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
        let kibibytes: u64 = size.split_whitespace().next().unwrap().parse().unwrap();
        let limit = format!("--as={}", (kibibytes + 256) << 10);
        assert!(Command::new("prlimit").args(["--pid", &id, &limit]).status().unwrap().success());
        input.write_all(format!("{search}quit\n").as_bytes()).unwrap();
        drop(input);
        assert!(lines.map_while(Result::ok).count() > 0, "{protocol}");
        assert!(program.wait().unwrap().success(), "{protocol}");
    }
}
