use super::*;

#[test]
fn every_entry_is_whole_and_its_examples_read_back() {
    for entry in catalogue() {
        assert!(!entry.examples.is_empty(), "{}", entry.id);
        assert!(entry.usage.starts_with(entry.id) && !entry.paper.is_empty(), "{}", entry.id);
        for (id, algorithm) in entry.examples.iter().zip(entry.examples()) {
            assert_eq!(&algorithm.to_string(), id);
            assert_eq!(algorithm.entry().id, entry.id);
            let stem = |s: &str| s.split('(').next().unwrap_or_default().trim().to_owned();
            assert_eq!(stem(&algorithm.name()), stem(entry.name), "{id}");
            assert_eq!(algorithm.threads().is_some(), entry.is_parallel(), "{id}");
            let five = NonZeroUsize::new(5).unwrap();
            let on_five = algorithm.with_threads(five).threads();
            assert_eq!(on_five, entry.is_parallel().then_some(5), "{id}");
            let serial = algorithm.serial();
            assert!(serial.threads().is_none(), "{id}: {serial}");
        }
        let first = entry.examples().next().unwrap();
        assert!(first.threads().is_none_or(|threads| threads == 1), "{}", entry.id);
    }
    let ids: std::collections::HashSet<&str> = catalogue().map(|entry| entry.id).collect();
    assert_eq!(ids.len(), catalogue().count());
}

#[test]
fn ids_read_back() {
    for id in [
        "aspiration:5:-3",
        "aspiration-negascout:5:-3",
        "sss-0:7",
        "mtd-f:-1",
        "alpha-bounding:-4",
        "ps:1+2+4+8",
        "ps:3+",
        "parps:2:1+2+4",
        "pvsplit:4:2",
        "df-pn:64M",
        "df-pn:1000",
        "cns:255",
        "ab-cns:4000000000",
        "uct:1.25",
        "uct:0",
    ] {
        assert_eq!(id.parse::<Algorithm>().unwrap().to_string(), id);
    }
    for (id, serial) in [
        ("parps:2:1+2+4", "ps:1+2+4"),
        ("paritersss:8:11", "itersss:11"),
        ("ybw-mtd-f:3", "mtd-f"),
        ("mwf:2", "alpha-beta"),
        ("pvsplit:4:2", "pvs"),
        ("er:4", "serial-er"),
        ("sss-4:50", "sss-4:50"),
    ] {
        assert_eq!(id.parse::<Algorithm>().unwrap().serial().to_string(), serial);
    }
}

#[test]
fn names_are_forgiven() {
    for (typed, id) in [
        ("alphabeta", "alpha-beta"),
        ("Alpha-Beta", "alpha-beta"),
        ("αβ", "alpha-beta"),
        ("mtdf", "mtd-f"),
        ("MTD(f)", "mtd-f"),
        ("MTD-F:3", "mtd-f:3"),
        ("sss*", "sss"),
        ("SSS", "sss"),
        ("PS*:2", "ps:2"),
        ("sss2", "sss-2"),
        ("PVSplit:2", "pvsplit:2"),
        ("second best", "second-best"),
        ("B*", "b-star"),
        ("df-pn:1024K", "df-pn:1M"),
        ("UCT:2", "uct:2"),
    ] {
        assert_eq!(typed.parse::<Algorithm>().unwrap().to_string(), id, "{typed}");
    }
    let essences: std::collections::HashSet<String> =
        catalogue().map(|entry| names::essence(entry.id)).collect();
    assert_eq!(essences.len(), catalogue().count(), "no two ids differ by marks alone");
}

#[test]
fn wrong_ids_say_what_was_expected() {
    for (id, expected) in [
        ("", "no such algorithm"),
        ("quickest", "expected one of minimax, alpha-beta"),
        ("alphabta", "; did you mean alpha-beta?"),
        ("*", "no such algorithm"),
        ("ps", "number of partitions"),
        ("ps:0", "at least 1"),
        ("ps:1+0", "at least 1"),
        ("ps:1++2", "size of a partition"),
        ("ps:x", "number of partitions"),
        ("ps:2:3", "more than `ps` takes"),
        ("sss:1", "more than `sss` takes"),
        ("sss-4", "a step"),
        ("sss-4:0", "from 1"),
        ("aspiration", "half the window"),
        ("aspiration:-1", "from 1"),
        ("aspiration-negascout", "half the window"),
        ("mtd-f:9999999999", "a guess"),
        ("mtd-f:", "a guess"),
        ("itersss", "entries of memory"),
        ("parsss", "number of processes"),
        ("parsss:0", "from 1 to 65536"),
        ("parsss:65537", "from 1 to 65536"),
        ("parsss:2:2", "more than `parsss` takes"),
        ("paritersss:2", "entries of memory for each"),
        ("paritersss:0:5", "from 1 to"),
        ("parps:2", "number of partitions"),
        ("parps:2:0", "at least 1"),
        ("ybw", "number of threads"),
        ("mwf:0", "from 1 to"),
        ("pvsplit:2:0", "at least 1"),
        ("pvsplit:2:2:2", "more than `pvsplit` takes"),
        ("pn:2", "more than `pn` takes"),
        ("df-pn", "the size of its table"),
        ("df-pn:0", "the size of its table"),
        ("df-pn:x", "64K, 16M or 1G"),
        ("cns", "number of conspirators"),
        ("cns:0", "at least 1"),
        ("cns:256", "1 to 255"),
        ("ab-cns:4294967295", "fewer than"),
        ("uct", "constant of exploration"),
        ("uct:x", "from 0 to 100"),
        ("uct:-1", "from 0 to 100"),
        ("uct:NaN", "from 0 to 100"),
    ] {
        let error = id.parse::<Algorithm>().unwrap_err();
        assert!(error.reason.contains(expected), "{id}: {error}");
    }
}
