//! The numbers of a report, compared with a plain computation from the records.

use super::*;
use crate::experiment::Setup;
use crate::report::document::ReportTable;
use crate::report::plot::Plot;
use plyground_search::Counts;

fn record(position: &str, algorithm: &str, depth: u32, leaves: u64) -> Record {
    Record {
        setup: Setup {
            game: "othello".into(),
            position: position.into(),
            algorithm: algorithm.into(),
            depth,
            memory: "none".into(),
            ..Setup::default()
        },
        value: Some(7),
        best: Some("e6".into()),
        counts: Counts {
            leaves: Some(leaves),
            evaluations: leaves + 1,
            interior: Some(leaves / 2),
            visits: 2 * leaves,
            quiescence: 0,
            peak_open: leaves / 10,
            peak_backup: 3,
            peak_stored: 0,
            peak_bytes: 8 * leaves,
            researches: 0,
            calls: 1,
        },
        width: None,
        seconds: Some(leaves as f64 * 1e-6),
        stopped: None,
        ..Record::default()
    }
}

fn with_memory(mut record: Record, memory: &str, deepening: bool, table: Option<u64>) -> Record {
    record.setup.memory = memory.into();
    record.setup.deepening = deepening;
    record.setup.table = table;
    record
}

fn stopped(mut record: Record) -> Record {
    record.stopped = Some("bytes".into());
    record.value = None;
    record
}

/// All tables and plots, folded ones too.
fn contents(blocks: &[Block]) -> (Vec<&ReportTable>, Vec<&Plot>) {
    let (mut tables, mut plots) = (Vec::new(), Vec::new());
    for block in blocks {
        match block {
            Block::Table(table) => tables.push(table),
            Block::Figure(plot, table) => {
                plots.push(plot);
                tables.push(table);
            }
            Block::Fold { blocks, .. } => {
                let (more_tables, more_plots) = contents(blocks);
                tables.extend(more_tables);
                plots.extend(more_plots);
            }
            _ => {}
        }
    }
    (tables, plots)
}

fn plot<'p>(report: &'p ExperimentReport, title: &str) -> &'p Plot {
    let (_, plots) = contents(&report.document.blocks);
    let titles: Vec<&str> = plots.iter().map(|plot| plot.title.as_str()).collect();
    let found = plots.iter().find(|plot| plot.title.starts_with(title));
    found.unwrap_or_else(|| panic!("{title} in {titles:?}"))
}

fn table_titled<'g>(report: &'g ExperimentReport, title: &str) -> &'g ReportTable {
    let (tables, _) = contents(&report.document.blocks);
    tables.into_iter().find(|table| table.title == title).unwrap()
}

fn row<'r>(
    report: &'r ExperimentReport,
    algorithm: &str,
    depth: u32,
    measure: &str,
) -> &'r ReportRow {
    let is_it = |row: &&ReportRow| {
        row.algorithm == algorithm && row.depth == depth && row.measure == measure
    };
    report.rows.iter().find(is_it).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

fn two_positions() -> Vec<Record> {
    vec![
        record("a", "sss", 4, 500),
        record("a", "alpha-beta", 4, 1000),
        record("b", "alpha-beta", 4, 4000),
        record("b", "sss", 4, 1000),
    ]
}

#[test]
fn ratios_and_means_are_the_records_own() {
    let report = report(&two_positions(), "test");
    // 1/2 and 1/4; their geometric mean is the root of 1/8.
    let leaves = row(&report, "sss", 4, "leaves ratio");
    assert!(near(leaves.mean, 0.125_f64.sqrt()));
    assert_eq!((leaves.positions, leaves.baseline.as_deref()), (2, Some("alpha-beta")));
    assert!(near(row(&report, "sss", 4, "leaves").mean, 500_000_f64.sqrt()));
    let evaluations = (501.0 / 1001.0 * 1001.0 / 4001.0_f64).sqrt();
    assert!(near(row(&report, "sss", 4, "evaluations ratio").mean, evaluations));
    assert!(near(row(&report, "sss", 4, "nodes").mean, (750.0 * 1500.0_f64).sqrt()));
    assert!(near(row(&report, "sss", 4, "visits").mean, (1000.0 * 2000.0_f64).sqrt()));
    assert!(near(row(&report, "sss", 4, "seconds ratio").mean, 0.125_f64.sqrt()));
    assert_eq!(row(&report, "sss", 4, "peak entries").mean, f64::midpoint(53.0, 103.0));
    assert_eq!(row(&report, "sss", 4, "peak bytes").mean, 6000.0);
    assert_eq!(row(&report, "sss", 4, "stopped").mean, 0.0);
    let table = table_titled(&report, "Depth 4");
    let names: Vec<&str> = table.rows.iter().map(|row| row[0].text.as_str()).collect();
    assert_eq!(names, ["αβ", "SSS*"]);
    let texts: Vec<&str> = table.rows[1].iter().map(|cell| cell.text.as_str()).collect();
    let expected = [
        "SSS*", "2", "707", "0.354", "0.354", "0.354", "0.354", "0.354", "707 µs", "78", "5.9 KiB",
        "–",
    ];
    assert_eq!(texts, expected);
    let interval = Ratio::of([0.5, 0.25]).unwrap();
    let shown = format!("{}, {}", significant(interval.low), significant(interval.high));
    assert_eq!(table.rows[1][3].interval.as_ref(), Some(&shown));
    let html = report.document.to_html();
    assert!(html.contains(&format!("<td>0.354 <small>[{shown}]</small></td>")), "{html}");
    assert!(report.document.to_markdown().contains("| SSS\\* | 2 | 707 | 0.354 \\["));
}

#[test]
fn every_cell_of_the_tables_is_a_row_of_the_numbers() {
    let mut records = Vec::new();
    for (i, position) in ["a", "b", "c"].into_iter().enumerate() {
        for depth in 2..5 {
            for (j, id) in ["alpha-beta", "pvs", "sss", "ps:2"].into_iter().enumerate() {
                let leaves = 7 * 11u64.pow(depth) / (3 + j as u64) + 13 * i as u64;
                records.push(record(position, id, depth, leaves));
            }
        }
    }
    let report = report(&records, "test");
    for depth in 2..5 {
        let table = table_titled(&report, &format!("Depth {depth}"));
        for (id, cells) in ["alpha-beta", "pvs", "sss", "ps:2"].iter().zip(&table.rows) {
            let of = |measure: &str| row(&report, id, depth, measure).mean;
            let mut logs = 0.0_f64;
            for record in &records {
                if record.setup.algorithm == *id && record.setup.depth == depth {
                    logs += (record.counts.leaves.unwrap() as f64).ln() / 3.0;
                }
            }
            assert!(near(of("leaves"), logs.exp()), "{id} {depth}");
            assert_eq!(cells[2].text, words::count(logs.exp()));
            assert_eq!(cells[9].text, words::count(of("peak entries")));
            assert_eq!(cells[10].text, words::short_bytes(of("peak bytes")));
            if *id != "alpha-beta" {
                let shown = Measure::ALL.into_iter().filter(|m| *m != Measure::Quiescence);
                for (i, measure) in shown.enumerate() {
                    let ratio = of(&format!("{} ratio", measure.name()));
                    assert_eq!(cells[3 + i].text, significant(ratio));
                }
            }
        }
    }
    let leaves = plot(&report, "Leaves against depth");
    for series in &leaves.series {
        for &(depth, leaves) in &series.points {
            let id = ["alpha-beta", "pvs", "sss", "ps:2"]
                .into_iter()
                .find(|id| words::algorithm_name(id) == series.name);
            assert!(near(leaves, row(&report, id.unwrap(), depth as u32, "leaves").mean));
        }
    }
}

#[test]
fn quiescence_is_shown_where_there_is_some() {
    let mut records = two_positions();
    for record in &mut records {
        record.counts.quiescence = 10 * record.counts.leaves.unwrap();
    }
    let quiet = report(&two_positions(), "test");
    let loud = report(&records, "test");
    let has_column = |report: &ExperimentReport| {
        table_titled(report, "Depth 4").columns.iter().any(|(name, _)| name == "× quiescence")
    };
    assert!(has_column(&loud) && !has_column(&quiet));
    assert!(near(row(&loud, "sss", 4, "quiescence ratio").mean, 0.125_f64.sqrt()));
    assert!(!quiet.rows.iter().any(|row| row.measure.starts_with("quiescence")));
}

#[test]
fn a_stopped_search_is_in_no_mean() {
    let mut records = two_positions();
    records[3] = stopped(records[3].clone());
    let report = report(&records, "test");
    let ratio = row(&report, "sss", 4, "leaves ratio");
    assert_eq!((ratio.positions, ratio.mean), (1, Ratio::of([0.5]).unwrap().mean));
    assert!(!report.rows.iter().any(|row| row.algorithm == "sss" && row.measure == "leaves"));
    assert_eq!(row(&report, "sss", 4, "stopped").mean, 1.0);
    let table = table_titled(&report, "Depth 4");
    assert_eq!(table.rows[1][2].text, "–");
    assert_eq!(table.rows[1][11].text, "1 of 2");
    assert!(report.document.to_markdown().contains("1 record (bytes: 1)"));
}

#[test]
fn a_run_that_was_broken_off_is_compared_on_what_all_have() {
    let records = &two_positions()[..3];
    let report = report(records, "test");
    assert_eq!(row(&report, "alpha-beta", 4, "leaves").positions, 1);
    assert!(near(row(&report, "alpha-beta", 4, "leaves").mean, 1000.0));
    assert_eq!(row(&report, "sss", 4, "leaves ratio").positions, 1);
}

#[test]
fn without_alpha_beta_the_first_algorithm_is_the_measure() {
    let records = [record("a", "sss", 4, 500), record("a", "pvs", 4, 1000)];
    let report = report(&records, "test");
    assert_eq!(row(&report, "sss", 4, "leaves ratio").baseline.as_deref(), Some("pvs"));
    assert!(table_titled(&report, "Depth 4").note.starts_with("Ratios to PVS."));
}

#[test]
fn values_must_agree() {
    let says = |records: &[Record], text: &str| {
        let markdown = report(records, "test").document.to_markdown();
        assert!(markdown.contains(text), "{text} in {markdown}");
    };
    let mut records = two_positions();
    says(&records, "All values agree. Compared: 2 pairs of");
    records[0].value = Some(8);
    says(&records, "Not all values agree");
    says(&records, "| othello | a | 4 | 8 | 1: SSS\\* (no memory) |");
    // Another evaluator may well find another value.
    records[0].setup.evaluator = "other".into();
    says(&records, "All values agree. Compared: 1 pair of");
    records[0].setup.evaluator = "standard".into();
    records[0].stopped = Some("time".into());
    says(&records, "All values agree. Compared: 1 pair of");
    says(&records[..1], "there are no values to compare");
}

#[test]
fn a_search_that_was_recorded_twice_counts_once() {
    let mut records = two_positions();
    let mut again = records[0].clone();
    again.setup.seed = 2;
    again.seconds = Some(1.0);
    records.push(again);
    let first = report(&records, "test");
    assert_eq!(row(&first, "sss", 4, "leaves ratio").positions, 2);
    let markdown = first.document.to_markdown();
    assert!(markdown.contains("of which 1 more record of a search that has one"), "{markdown}");
    assert!(!markdown.contains("with different results"));
    records[4].counts.leaves = Some(501);
    let markdown = report(&records, "test").document.to_markdown();
    assert!(markdown.contains("with different results"));
    assert!(markdown.contains("| othello | a | 4 | SSS\\* | none | 7 | 501 |"), "{markdown}");
}

#[test]
fn memory_in_percent_of_direct_alpha_beta() {
    let mut records = Vec::new();
    for (depth, leaves) in [(2, 200), (3, 2000), (4, 9000)] {
        let direct = record("a", "alpha-beta", depth, leaves);
        records.push(direct.clone());
        for table in [8192, 1 << 20] {
            let mut with_table = with_memory(direct.clone(), "table", true, Some(table));
            with_table.counts.leaves = Some(leaves / if table == 8192 { 2 } else { 4 });
            records.push(with_table);
        }
    }
    let bounded = report(&records, "test");
    let figure = plot(&bounded, "αβ with memory: othello");
    let line = figure.series.iter().find(|s| s.name.starts_with("table")).unwrap();
    assert_eq!(line.name, "table, 1M entries, deepening");
    let percents: Vec<f64> = line.points.iter().map(|p| p.1).collect();
    assert!(percents.iter().all(|&percent| near(percent, 25.0)), "{percents:?}");
    assert!(figure.note.as_ref().unwrap().contains("w is at most"));
    records.push(record("a", "minimax", 2, 100));
    let measured = report(&records, "test");
    let figure = plot(&measured, "αβ with memory: othello");
    assert!(figure.note.as_ref().unwrap().contains("w = 10.0 is the mean d-th root"));
    let minimal = figure.series.iter().find(|s| s.name == "minimal tree, w = 10.0").unwrap();
    assert!(minimal.reference);
    for (point, percent) in minimal.points.iter().zip([19.0 / 2.0, 109.0 / 20.0, 199.0 / 90.0]) {
        assert!(near(point.1, percent), "{point:?}");
    }
    assert!(near(row(&measured, "minimal-tree", 3, "leaves percent").mean, 109.0 / 20.0));
    assert!(near(row(&measured, "alpha-beta", 3, "leaves percent").mean, 25.0));
}

#[test]
fn space_and_time() {
    let mut records = vec![record("a", "alpha-beta", 4, 1000)];
    for (id, leaves, open) in
        [("sss", 500, 512), ("ps:2", 600, 85), ("ps:4", 900, 15), ("itersss:100", 800, 100)]
    {
        let mut record = record("a", id, 4, leaves);
        (record.counts.peak_open, record.counts.peak_backup) = (open, 0);
        records.push(record);
    }
    let report = report(&records, "test");
    for title in ["Leaves against stored entries", "Time against stored entries"] {
        let figure = plot(&report, title);
        let line = figure.series.iter().find(|s| s.name == "PS*(k)").unwrap();
        assert_eq!(line.labels, ["PS*(4)", "PS*(2)"]);
        assert_eq!((line.points[0].0, line.points[1].0), (15.0, 85.0));
        assert!(near(line.points[0].1, 0.9) && near(line.points[1].1, 0.6));
        assert!(figure.log_x && figure.series.iter().any(|s| s.name == "αβ = 1" && s.reference));
    }
}

#[test]
fn leaves_against_the_size_of_the_table() {
    let mut records = Vec::new();
    for (table, leaves) in [(8192, 3000), (65536, 1500), (1 << 20, 1000)] {
        for (id, leaves) in [("mtd-f", leaves), ("alpha-beta", 2000), ("sss", 1)] {
            let search = record("a", id, 5, leaves);
            records.push(with_memory(search, "table", true, Some(table)));
        }
    }
    let report = report(&records, "test");
    let figure = plot(&report, "Leaves against table size: othello, depth 5, table, deepening");
    let names: Vec<&str> = figure.series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["αβ", "MTD(f)"]);
    let expected = [(8192.0, 3000.0), (65536.0, 1500.0), (1_048_576.0, 1000.0)];
    for (point, expected) in figure.series[1].points.iter().zip(expected) {
        assert!(point.0 == expected.0 && near(point.1, expected.1));
    }
    let ticks: Vec<&str> =
        figure.x_ticks.as_ref().unwrap().iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(ticks, ["8K", "64K", "1M"]);
}

#[test]
fn parts_without_data_are_left_out_and_nothing_breaks_the_page() {
    let report = report(&[record("<script>", "<i>unknown</i>", 4, 0)], "<b>");
    let html = report.document.to_html();
    assert!(!html.contains("<script") && !html.contains("<i>") && !html.contains("<b>"));
    let parts = report.document.blocks.iter().filter(|b| matches!(b, Block::Part(_))).count();
    assert_eq!(parts, 2, "the summary and the table");
    assert!(!html.contains("NaN") && !html.contains("<svg"));
}

/// A search by a parallel algorithm, or by a serial one beside it.
fn threaded(position: &str, algorithm: &str, time: u64, simulated: bool) -> Record {
    let mut record = record(position, algorithm, 6, time);
    record.setup.simulated = simulated;
    if algorithm.parse::<plyground_search::Algorithm>().unwrap().threads().is_some() {
        record.setup.spawn_height = Some(4);
        record.cores = Some(2);
    }
    if simulated {
        (record.seconds, record.cores, record.terminal_count) = (None, None, Some(time));
    }
    record
}

/// Measured, with PVS the best serial algorithm, and simulated, with SSS* the best.
fn threads() -> Vec<Record> {
    let mut records = Vec::new();
    for (position, times) in [("a", 1), ("b", 3)] {
        for (id, time) in
            [("pvs", 400), ("ybw:1", 400), ("ybw:2", 200 + 50 * times), ("ybw:4", 200)]
        {
            records.push(threaded(position, id, times * time, false));
        }
        for (id, time) in [("sss", 400), ("parsss:1", 400), ("parsss:2", 250), ("parsss:1024", 100)]
        {
            records.push(threaded(position, id, times * time, true));
        }
        records.push(threaded(position, "parsss:1", times * 800, false));
        records.push(threaded(position, "parsss:2", times * 400, false));
    }
    records
}

#[test]
fn speed_ups_name_what_they_are_over() {
    let report = report(&threads(), "test");
    let best = |id: &str, kind: &str| {
        row(&report, id, 6, &format!("speed-up over the best serial, {kind}"))
    };
    for (id, kind, mean, baseline) in [
        ("parsss:2", "measured", 1.0, "pvs"),
        ("parsss:2", "simulated", 1.6, "sss"),
        ("ybw:4", "measured, too few processors", 2.0, "pvs"),
    ] {
        let found = best(id, kind);
        assert!(near(found.mean, mean), "{id}, {kind}: {}", found.mean);
        assert_eq!((found.baseline.as_deref(), found.spawn_height), (Some(baseline), Some(4)));
    }
    let itself = row(&report, "parsss:1024", 6, "speed-up over one thread, simulated");
    assert!(near(itself.mean, 4.0) && itself.baseline.as_deref() == Some("parsss:1"));
    let table = table_titled(&report, "othello, depth 6, no memory");
    let over = "× serial: measured over pvs, simulated over sss, the best serial ones recorded.";
    assert!(table.note.starts_with(over), "{}", table.note);
    let cells: Vec<&str> = table.rows[4].iter().take(4).map(|cell| cell.text.as_str()).collect();
    assert_eq!(cells, ["ybw:N", "4", "measured, too few processors", "2.00"]);
}

#[test]
fn speed_ups_are_drawn_solid_or_dashed_and_told_once() {
    let report = report(&threads(), "test");
    let figure = plot(&report, "Speed-up over the same with one thread");
    let line = |name: &str| figure.series.iter().find(|s| s.name == name).unwrap();
    let (measured, simulated) = (line("parsss:N, measured"), line("parsss:N, simulated"));
    assert_eq!((measured.dashed, simulated.dashed), (Some(false), Some(true)));
    assert_eq!(measured.look, simulated.look);
    assert_ne!(measured.look, line("ybw:N, measured").look);
    assert_eq!(line("ybw:N, measured").points.len(), 2, "four threads had too few processors");
    // 400 over 250 and over 350.
    let interval = Ratio::of([1.6, 400.0 / 350.0]).unwrap();
    let (low, high) = line("ybw:N, measured").intervals[1];
    assert!(near(low, interval.low) && near(high, interval.high), "{low} to {high}");
    assert!(figure.by_twos && figure.log_x && figure.log_y);
    let reference = figure.series.iter().find(|s| s.reference).unwrap();
    assert_eq!(reference.points, [(1.0, 1.0), (4.0, 4.0)], "no further than the data");
    let markdown = report.document.to_markdown();
    assert_eq!(markdown.matches("| parsss:N | 1024 | simulated |").count(), 1, "{markdown}");
    // Without a processor for each thread there is no figure, but still a table.
    let crowded: Vec<Record> =
        threads().into_iter().filter(|r| ["pvs", "ybw:4"].contains(&&*r.setup.algorithm)).collect();
    let report = super::report(&crowded, "test");
    let plots = contents(&report.document.blocks).1;
    assert!(plots.iter().all(|plot| !plot.title.starts_with("Speed-up")));
    assert_eq!(table_titled(&report, "othello, depth 6, no memory").rows.len(), 1);
}

#[test]
fn searches_without_a_time_are_said_to_have_none() {
    let mut records = threads();
    records.retain(|record| !record.setup.simulated);
    for record in &mut records {
        (record.seconds, record.cores) = (None, None);
    }
    let report = report(&records, "test");
    let table = table_titled(&report, "othello, depth 6, no memory");
    assert!(table.rows.iter().all(|row| row[2].text == "not timed"), "{table:?}");
    assert!(table.note.contains("Not timed: other searches ran beside it."), "{}", table.note);
}

#[test]
fn spawn_heights_are_different_searches() {
    let mut records = threads();
    let markdown = report(&records, "test").document.to_markdown();
    assert!(!markdown.contains("spawn height"), "{markdown}");
    for mut low in threads().into_iter().filter(|record| record.setup.spawn_height.is_some()) {
        low.setup.spawn_height = Some(2);
        low.counts.leaves = low.counts.leaves.map(|leaves| leaves + 7);
        low.terminal_count = low.terminal_count.map(|count| count / 2);
        records.push(low);
    }
    let report = report(&records, "test");
    let markdown = report.document.to_markdown();
    assert!(!markdown.contains("with different results"), "{markdown}");
    assert!(!markdown.contains("more record"), "{markdown}");
    let at = |height: u32| {
        let measure = "speed-up over the best serial, simulated";
        let is_it = |row: &&ReportRow| {
            row.algorithm == "parsss:2"
                && row.measure == measure
                && row.spawn_height == Some(height)
        };
        report.rows.iter().find(is_it).unwrap().mean
    };
    assert!(near(at(4), 1.6) && near(at(2), 3.2));
    assert!(markdown.contains("PARSSS\\*(2), spawn height 2"), "{markdown}");
    assert!(markdown.contains("| parsss:N, spawn height 2 | 2 | simulated | 3.20"), "{markdown}");
}

#[test]
fn pairs_have_totals_a_correction_and_a_scatter() {
    let mut records = Vec::new();
    for (i, leaves) in [100, 200, 400, 800].into_iter().enumerate() {
        let position = format!("p{i}");
        records.push(record(&position, "alpha-beta", 4, leaves - 1));
        records.push(record(&position, "sss", 4, leaves / 2 + i as u64 - 1));
        records.push(record(
            &position,
            "pvs",
            4,
            if i % 2 == 0 { leaves + 9 } else { leaves - 10 },
        ));
    }
    let report = report(&records, "pairs");
    let of = |algorithm: &str, measure: &str| {
        let row = |row: &&ReportRow| {
            row.part == "pairs" && row.algorithm == algorithm && row.measure == measure
        };
        report.rows.iter().find(row).unwrap_or_else(|| panic!("{algorithm}, {measure}"))
    };
    // Evaluations are a leaf more: 50, 101, 202 and 403 against 100, 200, 400 and 800.
    let total = of("sss", "evaluations total ratio").mean;
    assert!((total - 756.0 / 1500.0).abs() < 1e-12, "{total}");
    let mean = of("sss", "evaluations ratio");
    let product = [0.5, 101.0 / 200.0, 202.0 / 400.0, 403.0 / 800.0f64];
    let plain = (product.iter().map(|r| r.ln()).sum::<f64>() / 4.0).exp();
    assert!((mean.mean - plain).abs() < 1e-12 && mean.low.unwrap() <= plain, "{mean:?}");
    assert!(of("sss", "evaluations p, corrected").mean < 0.001);
    assert!(of("pvs", "evaluations p, corrected").mean > 0.05);
    let (tables, plots) = contents(&report.document.blocks);
    let paired = tables.iter().find(|table| table.title.starts_with("Paired with")).unwrap();
    assert_eq!(paired.rows.len(), 6);
    let scatter = plots.iter().find(|plot| plot.title.starts_with("Position by position")).unwrap();
    assert_eq!(scatter.series.len(), 3);
    let points = &scatter.series.iter().find(|series| series.name == "SSS*").unwrap().points;
    assert_eq!(points[..2], [(100.0, 50.0), (200.0, 101.0)]);
    assert!(!scatter.to_svg().is_empty());
}
