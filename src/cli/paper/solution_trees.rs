//! Figures 8, 9 and 10 of de Bruin, Pijls and Plaat 1994: newly expanded nodes on trees of width 5
//! and depth 9, values 0 to 999, against the probability that the first child is best.
//!
//! The figures' numbers are not printed and their generator is not given, so there are two: values
//! handed down from the root, and independent leaves with the best child swapped into place. What
//! depends on the generator is a finding.

use serde_json::{Value as Json, json};

use super::{FigureArgs, print, write_figures};
use crate::cli::console::Console;
use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{GameTree, Ordering, Swapped, Synthetic, mix};
use plyground_core::value::Value;
use plyground_search::{Algorithm, Options};
use plyground_study::experiment::{Mean, count};
use plyground_study::report::plot::{Plot, Series};
use plyground_study::report::{Align, Table, thousands};

const WIDTH: usize = 5;
const DEPTH: usize = 9;
const VALUES: Value = 1000;
/// Figure 9's value for all trees.
const ROOT: Value = 504;
/// Nine levels of ordering, in percent.
const LEVELS: [u32; 9] = [20, 30, 40, 50, 60, 70, 80, 90, 100];
/// Figure 10's six.
const GUESS_LEVELS: [u32; 6] = [50, 60, 70, 80, 90, 100];
const GUESSES: [Value; 12] = [0, 100, 200, 300, 400, 504, 600, 700, 800, 900, 950, 999];
const FIGURE_8: [&str; 7] =
    ["alpha-beta", "pvs", "sss-2", "dual-2", "sss-4:50", "sss-4:100", "sss-b"];

/// How a tree is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Generator {
    HandedDown,
    Swapped,
}

impl Generator {
    fn name(self) -> &'static str {
        match self {
            Generator::HandedDown => "handed-down",
            Generator::Swapped => "swapped",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Generator::HandedDown => "values handed down",
            Generator::Swapped => "independent leaves, best child swapped into place",
        }
    }
}

/// One figure from one generator: a mean for each line and place on the x-axis.
struct Figure {
    number: u32,
    generator: Generator,
    x_label: &'static str,
    xs: Vec<Value>,
    lines: Vec<(String, Vec<Mean>)>,
}

impl Figure {
    fn new(
        number: u32,
        generator: Generator,
        x_label: &'static str,
        xs: impl IntoIterator<Item = Value>,
        lines: impl IntoIterator<Item = String>,
    ) -> Figure {
        let xs: Vec<Value> = xs.into_iter().collect();
        let lines = lines.into_iter().map(|name| (name, vec![Mean::default(); xs.len()])).collect();
        Figure { number, generator, x_label, xs, lines }
    }

    fn has_points(&self) -> bool {
        self.lines.iter().flat_map(|(_, means)| means).any(|mean| mean.count() > 0)
    }
}

pub(super) fn run(console: &Console, args: &FigureArgs) -> anyhow::Result<()> {
    let mut figures = Vec::new();
    let mut done = 0;
    let bar = console.progress(2 * args.count() * LEVELS.len() as u64, "trees");
    for generator in [Generator::HandedDown, Generator::Swapped] {
        let mut three = empty_figures(generator);
        'trees: for i in 0..args.count() {
            for level in LEVELS {
                if !add_tree(console, &mut three, generator, i, level, args)? {
                    break 'trees;
                }
                done += 1;
                bar.inc(1);
            }
        }
        figures.extend(three.into_iter().filter(Figure::has_points));
    }
    bar.finish_and_clear();
    let tables: Vec<Table> = figures.iter().map(table).collect();
    let rows: Vec<Json> = figures.iter().flat_map(objects).collect();
    print(console, args.run.format.format(), &tables, &rows)?;
    let plots: Vec<(String, Plot)> = figures
        .iter()
        .map(|f| (format!("figure-{}-{}", f.number, f.generator.name()), plot(f)))
        .collect();
    write_figures(args, &plots)?;
    console.note_interruption(done, 2 * args.count() * LEVELS.len() as u64, "trees");
    Ok(())
}

fn empty_figures(generator: Generator) -> [Figure; 3] {
    let names = |ids: &[&str]| -> Vec<String> { ids.iter().map(|id| named(id)).collect() };
    let levels = || LEVELS.iter().map(|&level| level as Value);
    let mut nine = names(&FIGURE_8);
    nine.push("SSS-0(exact)".into());
    let ten = GUESS_LEVELS.iter().map(|level| format!("q = {level} %"));
    let first_best = "first child best, %";
    [
        Figure::new(8, generator, first_best, levels(), names(&FIGURE_8)),
        Figure::new(9, generator, first_best, levels(), nine),
        Figure::new(10, generator, "first guess of SSS-0", GUESSES, ten),
    ]
}

fn named(id: &str) -> String {
    id.parse::<Algorithm>().map_or_else(|_| id.into(), |algorithm| algorithm.name())
}

/// Searches the trees number `i` of one level; `false` if interrupted.
fn add_tree(
    console: &Console,
    [eight, nine, ten]: &mut [Figure; 3],
    generator: Generator,
    i: u64,
    level: u32,
    args: &FigureArgs,
) -> anyhow::Result<bool> {
    let q = f64::from(level) / 100.0;
    let seed = mix(args.run.seed, i);
    match generator {
        Generator::HandedDown => {
            let ordering = Ordering::Probable { order: WIDTH, probability: q };
            // Figure 8 spreads the root's values over the range: 25, 75, 125 … for 20 trees.
            let spread = ((2 * i + 1) * VALUES as u64 / (2 * args.count())) as Value;
            let tree = Synthetic::ordered(WIDTH, DEPTH, VALUES, spread, seed, ordering)?;
            let fixed = tree.with_root(ROOT)?;
            Ok(add(console, eight, &tree, level, &FIGURE_8)?
                && add(console, nine, &fixed, level, &FIGURE_8)?
                && add_guesses(console, nine, ten, &fixed, ROOT, level)?)
        }
        Generator::Swapped => {
            let Some(tree) = Swapped::new(WIDTH, DEPTH, VALUES, q, seed) else {
                unreachable!("5⁹ leaves fit")
            };
            Ok(add(console, eight, &tree, level, &FIGURE_8)?
                && add(console, nine, &tree, level, &FIGURE_8)?
                && add_guesses(console, nine, ten, &tree, tree.value(), level)?)
        }
    }
}

/// Runs algorithms for the first lines of a figure.
fn add<T: GameTree>(
    console: &Console,
    figure: &mut Figure,
    tree: &T,
    level: u32,
    ids: &[&str],
) -> anyhow::Result<bool> {
    let Some(x) = figure.xs.iter().position(|&x| x == level as Value) else { return Ok(true) };
    for (line, id) in ids.iter().enumerate() {
        let Some(nodes) = expanded(console, tree, &id.parse()?)? else { return Ok(false) };
        figure.lines[line].1[x].add(nodes);
    }
    Ok(true)
}

/// SSS-0 with the exact value as its guess for figure 9, and with all guesses for figure 10.
fn add_guesses<T: GameTree>(
    console: &Console,
    nine: &mut Figure,
    ten: &mut Figure,
    tree: &T,
    value: Value,
    level: u32,
) -> anyhow::Result<bool> {
    let exact = Algorithm::Sss0 { guess: Some(value) };
    let Some(nodes) = expanded(console, tree, &exact)? else { return Ok(false) };
    let x = nine.xs.iter().position(|&x| x == level as Value).unwrap_or_default();
    nine.lines[FIGURE_8.len()].1[x].add(nodes);
    let Some(line) = GUESS_LEVELS.iter().position(|&l| l == level) else { return Ok(true) };
    for (x, guess) in GUESSES.into_iter().enumerate() {
        let algorithm = Algorithm::Sss0 { guess: Some(guess) };
        let Some(nodes) = expanded(console, tree, &algorithm)? else { return Ok(false) };
        ten.lines[line].1[x].add(nodes);
    }
    Ok(true)
}

/// Interior nodes and leaves newly expanded, or `None` if interrupted.
fn expanded<T: GameTree>(
    console: &Console,
    tree: &T,
    algorithm: &Algorithm,
) -> anyhow::Result<Option<f64>> {
    let limits = Limits { flag: console.flag(), ..Limits::default() };
    let options = Options { limits, ..Options::to_depth(DEPTH as u32) };
    let sample = count(tree, algorithm, &options)?;
    if sample.stopped == Some(Stop::Flag) || console.interrupted() {
        return Ok(None);
    }
    Ok(Some((sample.counts.leaves + sample.counts.interior) as f64))
}

fn title(figure: &Figure) -> String {
    let trees = figure.lines.iter().flat_map(|(_, means)| means).map(Mean::count).max();
    format!(
        "Figure {}: nodes on T({WIDTH},{DEPTH}), {} trees a point; {}",
        figure.number,
        trees.unwrap_or(0),
        figure.generator.words()
    )
}

fn table(figure: &Figure) -> Table {
    let mut table = Table::new(title(figure));
    table.column(figure.x_label, Align::Left);
    for x in &figure.xs {
        table.column(x.to_string(), Align::Right);
    }
    for (name, means) in &figure.lines {
        let mut row = vec![name.clone()];
        row.extend(means.iter().map(|mean| match mean.count() {
            0 => "–".into(),
            _ => thousands(mean.mean(), 0),
        }));
        table.row(row);
    }
    if figure.number == 9 && figure.generator == Generator::Swapped {
        table.note("the trees of figure 8: with independent leaves the value cannot be chosen");
    }
    table
}

fn objects(figure: &Figure) -> Vec<Json> {
    let mut rows = Vec::new();
    for (name, means) in &figure.lines {
        for (x, mean) in figure.xs.iter().zip(means).filter(|(_, mean)| mean.count() > 0) {
            rows.push(json!({
                "figure": figure.number,
                "generator": figure.generator.name(),
                "line": name,
                "x": x,
                "count": mean.count(),
                "nodes": mean.mean(),
                "nodes_se": mean.error(),
            }));
        }
    }
    rows
}

fn plot(figure: &Figure) -> Plot {
    let series = figure.lines.iter().map(|(name, means)| {
        let done = figure.xs.iter().zip(means).filter(|(_, mean)| mean.count() > 0);
        let points: Vec<(f64, f64)> =
            done.clone().map(|(&x, mean)| (f64::from(x), mean.mean())).collect();
        let errors = done.map(|(_, mean)| mean.error()).collect();
        Series { name: name.clone(), points, errors, ..Series::default() }
    });
    Plot {
        title: title(figure),
        x_label: figure.x_label.into(),
        y_label: "nodes expanded".into(),
        log_y: false,
        series: series.collect(),
        x_ticks: None,
        ..Plot::default()
    }
}
