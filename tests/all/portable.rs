//! Portable on demand: with `PLYGROUND_PORTABLE=1` the program uses no special instruction, and finds
//! exactly what it finds with them.

use std::process::Command;

use serde_json::Value;

/// What a command prints, with special instructions or without.
fn printed(arguments: &[&str], portable: bool) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("plyground"));
    // The suite itself may be run either way.
    command.args(arguments).env_remove("PLYGROUND_PORTABLE");
    if portable {
        command.env("PLYGROUND_PORTABLE", "1");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The objects that a command prints, without their times.
fn timeless(arguments: &[&str], portable: bool) -> Vec<Value> {
    let text = printed(arguments, portable);
    let objects = text.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        object.as_object_mut().unwrap().retain(|key, _| !key.contains("second"));
        object
    });
    objects.collect()
}

#[test]
fn portable_code_finds_the_same() {
    let middle = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/ffo.obf");
    for arguments in [
        &["perft", "chess", "4", "--position", middle, "--divide", "--json"][..],
        &["perft", "othello", "8", "--divide", "--json"],
        &["solve", suite, "--lines", "1..12", "--json"],
        &["solve", suite, "--lines", "1..2", "--algorithm", "mtd-f", "--json"],
        &["best", "chess", "--position", middle, "--depth", "4", "--algorithm", "sss", "--json"],
        &["best", "othello", "--depth", "6", "--algorithm", "pvs", "--json"],
        &["best", "chess", "--memory", "table+history", "--deepening", "--depth", "5", "--json"],
    ] {
        let (special, portable) = (timeless(arguments, false), timeless(arguments, true));
        assert!(!special.is_empty());
        assert_eq!(special, portable, "{arguments:?}");
    }
}

/// The strongest engines search the same nodes, and the bench says what they are searched with.
#[test]
fn portable_engines_search_the_same_nodes() {
    let arguments = ["bench", "--chess", "9", "--othello", "10"];
    let (special, portable) = (printed(&arguments, false), printed(&arguments, true));
    assert_eq!(special.lines().last(), portable.lines().last());
    let told = portable.lines().next().unwrap();
    assert_eq!(told, "instructions: othello portable, chess portable, tables portable");
    let told = special.lines().next().unwrap();
    assert!(told.starts_with("instructions: othello "), "{told}");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
        assert!(told.starts_with("instructions: othello avx"), "{told}");
    }
}

/// Nothing and `0` ask for nothing.
#[test]
fn an_empty_variable_asks_for_nothing() {
    let own = |value: &str| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("plyground"));
        command.args(["bench", "--chess", "1", "--othello", "1"]);
        let output = command.env("PLYGROUND_PORTABLE", value).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().next().unwrap_or_default().to_owned()
    };
    let special = printed(&["bench", "--chess", "1", "--othello", "1"], false);
    for value in ["", "0"] {
        assert_eq!(Some(own(value).as_str()), special.lines().next(), "{value:?}");
    }
    assert!(own("yes").ends_with("tables portable"));
}
