//! The tables, objects and figures of the experiment.

use serde_json::json;

use super::{Curve, Experiment, Kind, Point};
use crate::experiment::{Mean, student};
use crate::laboratory::minimal_leaves;
use crate::paper::Findings;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};

/// The means over all trees of a kind, for one algorithm and one number of processors.
#[derive(Clone, Debug, Default)]
struct Cell {
    processors: usize,
    count: Mean,
    /// Over its own serial form.
    own: Mean,
    /// Over the best serial search of the same tree.
    best: Mean,
    overhead: Mean,
    idle: Mean,
    bytes: Mean,
    /// Evaluations.
    work: Mean,
    /// Speed-ups over the own serial form, tree by tree.
    each: Vec<f64>,
    /// The same over the best serial search.
    each_best: Vec<f64>,
}

/// One algorithm on all trees of a kind.
struct Line {
    kind: usize,
    algorithm: usize,
    cells: Vec<Cell>,
    measured: Vec<(usize, Mean)>,
}

/// A speed-up that the survey quotes.
pub(super) struct Quoted {
    pub(super) source: &'static str,
    pub(super) id: &'static str,
    pub(super) processors: usize,
    pub(super) speed_up: f64,
}

pub(super) const QUOTED: [Quoted; 5] = [
    Quoted { source: "Feldmann et al. 1990", id: "ybw", processors: 16, speed_up: 11.8 },
    Quoted { source: "Felten, Otto 1988", id: "dts", processors: 256, speed_up: 101.0 },
    Quoted {
        source: "Ferguson, Korf 1988",
        id: "bound-and-branch",
        processors: 32,
        speed_up: 12.0,
    },
    Quoted { source: "Steinberg, Solomon 1990", id: "er", processors: 16, speed_up: 10.0 },
    Quoted { source: "Hsu 1990, predicted", id: "hsu", processors: 1000, speed_up: 350.0 },
];

pub(super) fn findings(experiment: &Experiment<'_>, curves: &[Curve]) -> Findings {
    let lines = lines(experiment, curves);
    let mut found = Findings::default();
    for (kind, &what) in experiment.kinds.iter().enumerate() {
        let of_kind: Vec<&Line> = lines.iter().filter(|line| line.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let best = best_serial(experiment, curves, kind);
        found.tables.push(speed_ups(experiment, what, &of_kind, &best));
        found.tables.push(losses(experiment, what, &of_kind));
        found
            .plots
            .push((format!("parallel-{}", experiment.key(what)), plot(experiment, what, &of_kind)));
        for line in &of_kind {
            objects(experiment, line, &mut found);
        }
    }
    found.tables.extend(quoted(experiment, &lines));
    bounds(experiment, curves, &mut found);
    found.tables.extend(conclusions(experiment, curves, &lines));
    found
}

/// The least evaluations of a serial form on a tree.
fn least(curves: &[Curve], kind: usize, tree: u64) -> u64 {
    let same = |curve: &&Curve| (curve.kind, curve.tree) == (kind, tree);
    curves.iter().filter(same).map(|curve| curve.serial).min().unwrap_or(1)
}

/// The serial algorithms that are best on some tree of a kind.
fn best_serial(experiment: &Experiment<'_>, curves: &[Curve], kind: usize) -> String {
    let mut names: Vec<String> = Vec::new();
    for curve in curves.iter().filter(|curve| curve.kind == kind) {
        let name = experiment.algorithms[curve.algorithm].serial().name();
        if curve.serial == least(curves, kind, curve.tree) && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0..=3 => names.join(", "),
        n => format!("{} and {} others", names[0], n - 1),
    }
}

fn lines(experiment: &Experiment<'_>, curves: &[Curve]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for curve in curves {
        let Curve { kind, algorithm, tree, serial, .. } = *curve;
        if lines.last().is_none_or(|line| (line.kind, line.algorithm) != (kind, algorithm)) {
            let cell = |processors| Cell { processors, ..Cell::default() };
            let cells = experiment.numbers().into_iter().map(cell).collect();
            lines.push(Line { kind, algorithm, cells, measured: Vec::new() });
        }
        let Some(line) = lines.last_mut() else { continue };
        let best = least(curves, kind, tree) as f64;
        let serial = serial as f64;
        for &Point { processors, count, evaluations, idle_share, bytes } in &curve.points {
            let Some(cell) = line.cells.iter_mut().find(|cell| cell.processors == processors)
            else {
                continue;
            };
            let time = count.max(1) as f64;
            cell.count.add(time);
            cell.own.add(serial / time);
            cell.best.add(best / time);
            cell.overhead.add(evaluations as f64 / serial - 1.0);
            cell.idle.add(idle_share);
            cell.bytes.add(bytes as f64);
            cell.work.add(evaluations as f64);
            cell.each.push(three_digits(serial / time));
            cell.each_best.push(three_digits(best / time));
        }
        for &(n, speed_up) in &curve.measured {
            let i = line.measured.iter().position(|(other, _)| *other == n).unwrap_or_else(|| {
                line.measured.push((n, Mean::default()));
                line.measured.len() - 1
            });
            line.measured[i].1.add(speed_up);
        }
    }
    lines
}

/// Some of the numbers of processors, for a table of 80 columns: every second or third power of two.
fn shown(experiment: &Experiment<'_>) -> Vec<usize> {
    let numbers = experiment.numbers();
    let step = numbers.len().div_ceil(6).max(1);
    let mut shown: Vec<usize> = numbers.iter().rev().step_by(step).copied().collect();
    shown.reverse();
    shown
}

fn speed_up_text(mean: &Mean) -> String {
    match mean.count() {
        0 => "–".into(),
        _ if mean.mean() >= 100.0 => thousands(mean.mean(), 0),
        _ => thousands(mean.mean(), 2),
    }
}

/// A number with three decimals: enough for a speed-up, and short in a file.
fn three_digits(x: f64) -> f64 {
    (1000.0 * x).round() / 1000.0
}

/// Half of the 95 % interval of a mean, by Student's t; a dash if one tree tells of no spread.
fn half_interval(mean: &Mean) -> String {
    let t = student((mean.count() as usize).saturating_sub(1));
    mean.error().map_or_else(|| "–".into(), |error| thousands(t * error, 2))
}

fn speed_ups(experiment: &Experiment<'_>, kind: Kind, lines: &[&Line], best: &str) -> TextTable {
    let title = format!("Speed-up over the best serial search, {}", experiment.title(kind));
    let mut table = TextTable::new(title);
    table.column("scheme", Align::Left);
    let shown = shown(experiment);
    for n in &shown {
        table.column(format!("N={n}"), Align::Right);
    }
    let is_measured = lines.iter().any(|line| !line.measured.is_empty());
    if is_measured {
        table.column("threads", Align::Right);
    }
    for line in lines {
        let mut row = vec![experiment.family(line.algorithm)];
        for n in &shown {
            let cell = line.cells.iter().find(|cell| cell.processors == *n);
            row.push(cell.map_or_else(|| "–".into(), |cell| speed_up_text(&cell.best)));
        }
        if is_measured {
            let measured = line.measured.iter();
            let texts: Vec<String> =
                measured.map(|(n, mean)| format!("{n}: {}", speed_up_text(mean))).collect();
            row.push(texts.join(" "));
        }
        table.row(row);
    }
    let trees = lines.iter().flat_map(|line| &line.cells).map(|cell| cell.own.count()).max();
    table.note(format!(
        "In terminal counts, simulated; means of {}; the best serial search tree by tree: {best}.",
        plyground_core::names::plural(trees.unwrap_or(0) as usize, "tree")
    ));
    if is_measured {
        table.note(
            "threads: by the clock over its own serial form, the least of three times, on trees during whose \
             searches the cores were free.",
        );
    }
    table
}

/// What keeps the speed-up down, at two numbers of processors.
fn losses(experiment: &Experiment<'_>, kind: Kind, lines: &[&Line]) -> TextTable {
    let title = format!("What it costs, {}", experiment.title(kind));
    let mut table = TextTable::new(title);
    table.column("scheme", Align::Left);
    let numbers = experiment.numbers();
    let middle = numbers[numbers.len() / 2];
    let last = numbers[numbers.len() - 1];
    for n in [middle, last] {
        table.group(format!("N={n} own"), Align::Right);
        table.column("more", Align::Right);
        table.column("idle", Align::Right);
        table.column("KB", Align::Right);
    }
    for line in lines {
        let mut row = vec![experiment.family(line.algorithm)];
        for n in [middle, last] {
            let Some(cell) = line.cells.iter().find(|cell| cell.processors == n) else { continue };
            row.push(speed_up_text(&cell.own));
            row.push(format!("{}%", thousands(100.0 * cell.overhead.mean(), 0)));
            row.push(format!("{}%", thousands(100.0 * cell.idle.mean(), 0)));
            row.push(thousands(cell.bytes.mean() / 1e3, 0));
        }
        table.row(row);
    }
    table.note(
        "own: speed-up over its own serial form; more: evaluations beyond those of the serial form; \
         idle: the processors' idle share; KB: lists, stored bounds and table at their largest.",
    );
    table
}

fn objects(experiment: &Experiment<'_>, line: &Line, found: &mut Findings) {
    let algorithm = &experiment.algorithms[line.algorithm];
    for cell in line.cells.iter().filter(|cell| cell.own.count() > 0) {
        let threads = std::num::NonZeroUsize::new(cell.processors);
        let id = threads.map(|threads| algorithm.with_threads(threads).to_string());
        let measured = line.measured.iter().find(|(n, _)| *n == cell.processors);
        found.rows.push(json!({
            "experiment": "parallel",
            "trees": experiment.key(experiment.kinds[line.kind]),
            "algorithm": id,
            "serial": algorithm.serial().to_string(),
            "processors": cell.processors,
            "count": cell.own.count(),
            "terminal_count": cell.count.mean(),
            "speed_up": cell.own.mean(),
            "speed_up_se": cell.own.error(),
            "speed_up_best": cell.best.mean(),
            "speed_up_best_se": cell.best.error(),
            "search_overhead": cell.overhead.mean(),
            "idle_share": cell.idle.mean(),
            "peak_bytes": cell.bytes.mean(),
            "threads_speed_up": measured.map(|(_, mean)| mean.mean()),
            "threads_speed_up_se": measured.and_then(|(_, mean)| mean.error()),
            "each": cell.each,
            "each_best": cell.each_best,
        }));
    }
}

fn plot(experiment: &Experiment<'_>, kind: Kind, lines: &[&Line]) -> Plot {
    let known = |line: &&Line| {
        let known = line.cells.iter().filter(|cell| cell.best.count() > 0);
        known.map(|cell| (cell.processors as f64, cell.best.mean())).collect()
    };
    // A mean less its error may be below what a logarithm has a place for.
    let ends = |cell: &Cell| {
        let mean = cell.best.mean();
        let t = student((cell.best.count() as usize).saturating_sub(1));
        let half = cell.best.error().map_or(0.0, |error| t * error);
        ((mean - half).max(0.1 * mean), mean + half)
    };
    let mut series: Vec<Series> = lines
        .iter()
        .map(|line| Series {
            name: experiment.family(line.algorithm),
            points: known(line),
            intervals: line.cells.iter().filter(|cell| cell.best.count() > 0).map(ends).collect(),
            look: Some(line.algorithm),
            ..Series::default()
        })
        .collect();
    let numbers = experiment.numbers();
    series.push(Series {
        name: "linear".into(),
        points: numbers.iter().map(|&n| (n as f64, n as f64)).collect(),
        reference: true,
        ..Series::default()
    });
    Plot {
        title: format!("Speed-up over the best serial search, {}", experiment.title(kind)),
        x_label: "processors".into(),
        y_label: "speed-up".into(),
        log_x: true,
        log_y: true,
        by_twos: true,
        series,
        note: Some("Simulated: time is counted in leaves; means with 95 % intervals".into()),
        apart: true,
        ..Plot::default()
    }
}

/// The survey's quoted figures beside ours, on the trees that are nearest to games.
fn quoted(experiment: &Experiment<'_>, lines: &[Line]) -> Option<TextTable> {
    let mut table =
        TextTable::new("The survey's quoted speed-ups beside ours, over the own serial form");
    table.column("quoted from", Align::Left);
    table.column("as", Align::Left);
    table.column("N", Align::Right);
    table.column("quoted", Align::Right);
    let is_shown = |kind: &Kind| !matches!(kind, Kind::Minimal | Kind::Worst);
    let kinds: Vec<Kind> = experiment.kinds.iter().copied().filter(is_shown).collect();
    for &kind in &kinds {
        table.column(experiment.key(kind), Align::Right);
    }
    let mut any = false;
    for quoted in &QUOTED {
        let mut row = vec![
            quoted.source.to_string(),
            quoted.id.to_string(),
            quoted.processors.to_string(),
            thousands(quoted.speed_up, 1),
        ];
        for &kind in &kinds {
            let line = lines.iter().find(|line| {
                experiment.kinds[line.kind] == kind
                    && experiment.algorithms[line.algorithm].entry().id == quoted.id
            });
            // A power of two stands for the number next to it.
            let cell = line.and_then(|line| {
                let near = |cell: &&Cell| {
                    cell.processors.abs_diff(quoted.processors) * 20 <= quoted.processors
                };
                line.cells.iter().find(near)
            });
            any |= cell.is_some();
            row.push(cell.map_or_else(
                || "–".into(),
                |cell| format!("{} ±{}", speed_up_text(&cell.own), half_interval(&cell.own)),
            ));
        }
        table.row(row);
    }
    table.note(
        "Each quoted figure is from its own trees against its own baseline, and from much larger ones; ours are \
         from the same small trees, without the cost of messages. Felten and Otto's hypercube had 256 times the memory of one \
         processor, and their scheme is told in two sentences: dynamic splitting stands for it. N = 1024 \
         stands for 1,000. ±: half of the 95 % interval of our mean.",
    );
    any.then_some(table)
}

/// The bounds on PARSSS*'s speed-up, and the simulation between them.
fn bounds(experiment: &Experiment<'_>, curves: &[Curve], findings: &mut Findings) {
    let Some(kind) = experiment.kinds.iter().position(|kind| *kind == Kind::Random) else {
        return;
    };
    let mine = |curve: &&Curve| curve.kind == kind && experiment.is_parsss(curve.algorithm);
    let (width, depth) = (experiment.settings.width as f64, experiment.settings.depth as u32);
    let chain = width.powi(depth as i32 / 2);
    let minimal = minimal_leaves(width, depth);
    let [mut path, mut simulated, mut work] = [(); 3].map(|()| Vec::new());
    for n in experiment.numbers() {
        let [mut upper, mut found, mut lower] = [Mean::default(); 3];
        for curve in curves.iter().filter(mine) {
            let leaves = curve.serial as f64;
            let Some(point) = curve.points.iter().find(|point| point.processors == n) else {
                continue;
            };
            // No search takes less than its longest chain, nor less than a share of the minimal tree.
            upper.add((leaves / chain).min(n as f64 * leaves / minimal));
            found.add(leaves / point.count.max(1) as f64);
            lower.add(leaves / point.evaluations.max(1) as f64);
        }
        if found.count() > 0 {
            path.push((n as f64, upper.mean()));
            simulated.push((n as f64, found.mean()));
            work.push((n as f64, lower.mean()));
            findings.rows.push(json!({
                "experiment": "parallel-bounds", "processors": n, "trees": found.count(),
                "upper": upper.mean(), "simulated": found.mean(), "lower": lower.mean(),
            }));
        }
    }
    if simulated.is_empty() {
        return;
    }
    let line = |name: &str, points, reference| Series {
        name: name.into(),
        points,
        reference,
        ..Series::default()
    };
    let plot = Plot {
        title: format!("PARSSS* between its bounds, {}", experiment.title(Kind::Random)),
        x_label: "processes".into(),
        y_label: "speed-up over SSS*".into(),
        log_x: true,
        log_y: true,
        by_twos: true,
        series: vec![
            line("upper bound: critical path and minimal tree", path, true),
            line("simulated", simulated, false),
            line("lower bound: total work", work, true),
        ],
        note: Some("Derived in docs/threads.md".into()),
        ..Plot::default()
    };
    findings.plots.push(("parallel-bounds".into(), plot));
}

/// Who is best where, computed from the cells.
fn conclusions(experiment: &Experiment<'_>, curves: &[Curve], lines: &[Line]) -> Option<TextTable> {
    let mut table = TextTable::new("Findings");
    table.column("trees", Align::Left);
    table.column("N", Align::Right);
    table.column("best scheme", Align::Left);
    table.column("speed-up", Align::Right);
    table.column("±", Align::Right);
    table.column("idle", Align::Right);
    table.column("more", Align::Right);
    let numbers = experiment.numbers();
    let mut sentences = Vec::new();
    for (kind, &what) in experiment.kinds.iter().enumerate() {
        for n in [numbers[numbers.len() / 2], numbers[numbers.len() - 1]] {
            let cells = lines.iter().filter(|line| line.kind == kind).flat_map(|line| {
                let cells = line.cells.iter().filter(|cell| cell.processors == n);
                cells.filter(|cell| cell.best.count() > 0).map(|cell| (line.algorithm, cell))
            });
            let Some((algorithm, cell)) =
                cells.max_by(|(_, a), (_, b)| a.best.mean().total_cmp(&b.best.mean()))
            else {
                continue;
            };
            table.row(vec![
                experiment.key(what),
                n.to_string(),
                experiment.family(algorithm),
                speed_up_text(&cell.best),
                half_interval(&cell.best),
                format!("{}%", thousands(100.0 * cell.idle.mean(), 0)),
                format!("{}%", thousands(100.0 * cell.overhead.mean(), 0)),
            ]);
            if n == numbers[numbers.len() - 1] {
                sentences.push(format!(
                    "{} gains most on {}: {} on {n} processors, {} % of linear",
                    experiment.family(algorithm),
                    experiment.title(what),
                    speed_up_text(&cell.best),
                    thousands(100.0 * cell.best.mean() / n as f64, 0),
                ));
            }
        }
    }
    if sentences.is_empty() {
        return None;
    }
    table.note(format!("{}.", sentences.join("; ")));
    table.note("±: half of the 95 % interval of the mean speed-up.");
    let lost = |kind: Kind| {
        let kind = experiment.kinds.iter().position(|other| *other == kind)?;
        let best =
            |curve: &&Curve| curve.kind == kind && curve.serial == least(curves, kind, curve.tree);
        let over = curves.iter().filter(|curve| curve.kind == kind);
        let worst = over.map(|curve| curve.serial as f64 / least(curves, kind, curve.tree) as f64);
        curves.iter().find(best)?;
        Some(worst.fold(1.0, f64::max))
    };
    if let Some(times) = lost(Kind::Random) {
        table.note(format!(
            "On random trees the serial forms themselves differ by up to {} times in leaves: a speed-up over \
             the own serial form says little until it is held against the best one.",
            thousands(times, 2)
        ));
    }
    Some(table)
}
