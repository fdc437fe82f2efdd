//! A few seconds of `plyground soak`.

use serde_json::Value;

use crate::bad_engines::{finished, start};

/// A few games of the soak: nothing goes wrong, and what was done is told.
#[test]
fn a_short_soak_finds_nothing() {
    let output = finished(start(&["soak", "--games", "4", "--seed", "1", "--json"]), "a soak");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let told: Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(told["games"], 4, "{told}");
    assert!(told["moves"].as_u64().unwrap() > 20, "{told}");
    for kind in ["illegal", "crash", "panic", "silent", "late", "exit", "memory"] {
        assert_eq!(told["faults"][kind], 0, "{told}");
    }
    for key in ["stops", "hash_changes", "kills", "terminations", "quits", "low_memory", "hours"] {
        assert!(told[key].is_number(), "{key}: {told}");
    }
    let help = finished(start(&["soak"]), "a soak without an end");
    assert_eq!(help.status.code(), Some(2));
}

/// A copy that is told to use three threads while its memory is limited starts no more than there is room for:
/// it was aborted once, in this game.
#[cfg(target_os = "linux")]
#[test]
fn threads_are_few_where_memory_was_limited_meanwhile() {
    let command = ["soak", "--games", "1", "--seed", "3157", "--json"];
    let output = finished(start(&command), "a soak");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let told: Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(told["low_memory"], 1, "{told}");
}

/// A soak counts what goes wrong: copies that use more memory than they may are told, with the seed that
/// repeats the game, and the exit code says so.
#[cfg(target_os = "linux")]
#[test]
fn a_soak_that_finds_a_fault_says_so() {
    let command = ["soak", "--games", "2", "--seed", "1", "--memory", "1"];
    let output = finished(start(&[&command[..], &["--json"]].concat()), "a soak");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told[0]["fault"], "memory", "{text}");
    assert_eq!((&told[0]["seed"], &told[1]["seed"]), (&1.into(), &2.into()), "{text}");
    assert_eq!(told[2]["faults"]["memory"], 2, "{text}");
    let output = finished(start(&command), "a soak");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("memory, ") && text.contains("faults: memory"), "{text}");
}

/// Ctrl-C and SIGTERM end a soak; what was played is told.
#[cfg(unix)]
#[test]
fn an_interrupted_soak_tells_what_it_has_done() {
    for signal in ["-INT", "-TERM"] {
        let child = start(&["soak", "--hours", "1", "--json"]);
        std::thread::sleep(std::time::Duration::from_millis(700));
        crate::bad_engines::send(signal, &child);
        let output = finished(child, "a soak");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["faults"]["crash"], 0, "{told}");
    }
}
