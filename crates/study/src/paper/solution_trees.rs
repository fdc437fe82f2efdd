//! Figures 6 to 10 of de Bruin, Pijls and Plaat 1994: newly expanded nodes on trees of width 5
//! and depth 9, values 0 to 999, against the probability that the first child is best; and figure 8 on trees
//! of even depth and of width 20, for which the paper believes the same.
//!
//! The paper prints neither the numbers of the figures nor the generator of the trees. So there are two
//! generators here: one hands values down from the root, the other swaps the best of children with
//! independent leaves into place. Differences between the two are a result, too.

mod bounds;

use serde_json::{Value as Json, json};

use super::{Findings, PaperRun};
use crate::experiment::Mean;
use crate::laboratory::{LabTree, count};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::names::plural;
use plyground_core::tree::{Swapped, Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_search::algorithms::{AlphaBeta, Dual2, Pvs, Sss0, Sss2, Sss4, SssB};
use plyground_search::{Algorithm, Counts, SearchSpec};

/// The sizes of the trees, widths and depths. The first is the paper's; on the others figure 8 is repeated.
const SIZES: [(usize, usize); 4] = [(5, 9), (5, 8), (20, 5), (20, 4)];
const VALUES: Value = 1000;
/// Figure 9's value for all trees.
const ROOT: Value = 504;
/// Nine levels of ordering, in percent.
const LEVELS: [u32; 9] = [20, 30, 40, 50, 60, 70, 80, 90, 100];
/// The six levels of figure 10.
const GUESS_LEVELS: [u32; 6] = [50, 60, 70, 80, 90, 100];
const GUESSES: [Value; 12] = [0, 100, 200, 300, 400, 504, 600, 700, 800, 900, 950, 999];

/// The lines of figure 8.
fn figure_8() -> [Algorithm; 7] {
    [
        AlphaBeta.into(),
        Pvs.into(),
        Sss2.into(),
        Dual2.into(),
        Sss4 { step: 50 }.into(),
        Sss4 { step: 100 }.into(),
        SssB.into(),
    ]
}

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
    size: (usize, usize),
    generator: Generator,
    x_label: &'static str,
    xs: Vec<Value>,
    lines: Vec<(String, Vec<NodeCounts>)>,
}

/// The nodes of one line at one place, tree by tree.
#[derive(Clone, Default)]
struct NodeCounts {
    mean: Mean,
    each: Vec<u64>,
}

impl NodeCounts {
    fn add_known(&mut self, count: Option<u64>) {
        self.mean.add_known(count);
        self.each.extend(count);
    }
}

impl Figure {
    fn new(
        (number, size): (u32, (usize, usize)),
        generator: Generator,
        x_label: &'static str,
        xs: impl IntoIterator<Item = Value>,
        lines: impl IntoIterator<Item = String>,
    ) -> Figure {
        let xs: Vec<Value> = xs.into_iter().collect();
        let lines =
            lines.into_iter().map(|name| (name, vec![NodeCounts::default(); xs.len()])).collect();
        Figure { number, size, generator, x_label, xs, lines }
    }

    fn has_points(&self) -> bool {
        self.lines.iter().flat_map(|(_, points)| points).any(|point| point.mean.count() > 0)
    }
}

/// Figures 6 to 10 of the solution-tree paper, by both generators.
pub fn solution_trees(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut figures = Vec::new();
    let mut done = 0;
    let all = 2 * run.trees_a_point() * (LEVELS.len() * SIZES.len()) as u64;
    run.progress.begin(all, "trees");
    'all: for size in SIZES {
        for generator in [Generator::HandedDown, Generator::Swapped] {
            let mut set = ThreeFigures::empty(generator, size);
            let mut stopped = false;
            'trees: for i in 0..run.trees_a_point() {
                for level in LEVELS {
                    if !set.add_tree(run, i, level)? {
                        stopped = true;
                        break 'trees;
                    }
                    done += 1;
                    run.progress.step();
                }
            }
            figures.extend(set.into_figures().into_iter().filter(Figure::has_points));
            if stopped {
                break 'all;
            }
        }
    }
    run.progress.end();
    let mut found = Findings::default();
    if !run.flag.is_raised() {
        found.extend(bounds::figure_6(run)?);
        found.extend(bounds::figure_7()?);
    }
    for figure in &figures {
        found.tables.push(table(figure));
        found.rows.extend(objects(figure));
        let (width, depth) = figure.size;
        let size =
            if figure.size == SIZES[0] { String::new() } else { format!("-{width}-{depth}") };
        let name = format!("figure-{}-{}{size}", figure.number, figure.generator.name());
        found.plots.push((name, plot(figure)));
    }
    found.note_work(done, all, "trees");
    Ok(found)
}

/// The three figures from one generator; of sizes that are not the paper's only the first has points.
struct ThreeFigures {
    generator: Generator,
    size: (usize, usize),
    algorithms: [Algorithm; 7],
    eight: Figure,
    nine: Figure,
    ten: Figure,
}

impl ThreeFigures {
    fn empty(generator: Generator, size: (usize, usize)) -> ThreeFigures {
        let algorithms = figure_8();
        let names: Vec<String> = algorithms.iter().map(Algorithm::name).collect();
        let levels = || LEVELS.iter().map(|&level| level as Value);
        let mut nine = names.clone();
        nine.push("SSS-0(exact)".into());
        let ten = GUESS_LEVELS.iter().map(|level| format!("q = {level} %"));
        let first_best = "first child best, %";
        ThreeFigures {
            generator,
            size,
            algorithms,
            eight: Figure::new((8, size), generator, first_best, levels(), names),
            nine: Figure::new((9, size), generator, first_best, levels(), nine),
            ten: Figure::new((10, size), generator, "first guess of SSS-0", GUESSES, ten),
        }
    }

    fn into_figures(self) -> [Figure; 3] {
        [self.eight, self.nine, self.ten]
    }

    /// Searches the trees of number `i` of one level; `false` if interrupted.
    fn add_tree(&mut self, run: &PaperRun<'_>, i: u64, level: u32) -> anyhow::Result<bool> {
        let q = f64::from(level) / 100.0;
        let (width, depth) = self.size;
        let seed = mix(run.seed, i);
        // The tree of figure 8, and that of figure 9 if it is another one.
        let (tree, fixed): (LabTree, Option<LabTree>) = match self.generator {
            Generator::HandedDown => {
                let ordering = TreeOrdering::Probable { order: width, probability: q };
                // Figure 8 spreads the root's values over the range: 25, 75, 125 … for 20 trees.
                let spread = ((2 * i + 1) * VALUES as u64 / (2 * run.trees_a_point())) as Value;
                let tree = Synthetic::ordered(width, depth, VALUES, spread, seed, ordering)?;
                let fixed = tree.with_root(ROOT)?;
                (tree.into(), Some(fixed.into()))
            }
            Generator::Swapped => {
                let Some(tree) = Swapped::new(width, depth, VALUES, q, seed) else {
                    unreachable!("a few million leaves fit")
                };
                (tree.into(), None)
            }
        };
        if self.size != SIZES[0] {
            return add(run, &mut self.eight, &tree, level, &self.algorithms);
        }
        let nine = fixed.as_ref().unwrap_or(&tree);
        let value = nine.known_value().unwrap_or(ROOT);
        Ok(add(run, &mut self.eight, &tree, level, &self.algorithms)?
            && add(run, &mut self.nine, nine, level, &self.algorithms)?
            && self.add_guesses(run, nine, value, level)?)
    }

    /// SSS-0 with the exact value as its guess for figure 9, and with all guesses for figure 10.
    fn add_guesses(
        &mut self,
        run: &PaperRun<'_>,
        tree: &LabTree,
        value: Value,
        level: u32,
    ) -> anyhow::Result<bool> {
        let Some(counts) = searched(run, tree, &guessing(value))? else { return Ok(false) };
        let x = self.nine.xs.iter().position(|&x| x == level as Value).unwrap_or_default();
        self.nine.lines[self.algorithms.len()].1[x].add_known(counts.nodes());
        let Some(line) = GUESS_LEVELS.iter().position(|&l| l == level) else { return Ok(true) };
        for (x, guess) in GUESSES.into_iter().enumerate() {
            let Some(counts) = searched(run, tree, &guessing(guess))? else { return Ok(false) };
            self.ten.lines[line].1[x].add_known(counts.nodes());
        }
        Ok(true)
    }
}

fn guessing(value: Value) -> Algorithm {
    Sss0 { guess: Some(value) }.into()
}

/// Adds a search by each algorithm to the first lines of a figure.
fn add(
    run: &PaperRun<'_>,
    figure: &mut Figure,
    tree: &LabTree,
    level: u32,
    algorithms: &[Algorithm],
) -> anyhow::Result<bool> {
    let Some(x) = figure.xs.iter().position(|&x| x == level as Value) else { return Ok(true) };
    for (line, algorithm) in algorithms.iter().enumerate() {
        let Some(counts) = searched(run, tree, algorithm)? else { return Ok(false) };
        figure.lines[line].1[x].add_known(counts.nodes());
    }
    Ok(true)
}

/// The counts of a search; `None` if interrupted.
fn searched(
    run: &PaperRun<'_>,
    tree: &LabTree,
    algorithm: &Algorithm,
) -> anyhow::Result<Option<Counts>> {
    let spec = SearchSpec::new(algorithm, tree.height() as u32).within(run.limits());
    let sample = count(tree, &spec)?;
    Ok((!run.stopped(&sample)).then_some(sample.counts))
}

fn title(figure: &Figure) -> String {
    let points = figure.lines.iter().flat_map(|(_, points)| points);
    let trees = points.map(|point| point.mean.count()).max();
    let (width, depth) = figure.size;
    format!(
        "Figure {}: nodes on T({width},{depth}), {} a point; {}",
        figure.number,
        plural(trees.unwrap_or(0) as usize, "tree"),
        figure.generator.words()
    )
}

fn table(figure: &Figure) -> TextTable {
    let mut table = TextTable::new(title(figure));
    table.column(figure.x_label, Align::Left);
    for x in &figure.xs {
        table.group(x.to_string(), Align::Right);
    }
    for (name, points) in &figure.lines {
        let mut row = vec![name.clone()];
        row.extend(points.iter().map(|point| match point.mean.count() {
            0 => "–".into(),
            _ => thousands(point.mean.mean(), 0),
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
    for (name, points) in &figure.lines {
        for (x, point) in figure.xs.iter().zip(points).filter(|(_, p)| p.mean.count() > 0) {
            let NodeCounts { mean, each } = point;
            rows.push(json!({
                "figure": figure.number,
                "width": figure.size.0,
                "depth": figure.size.1,
                "generator": figure.generator.name(),
                "line": name,
                "x": x,
                "count": mean.count(),
                "nodes": mean.mean(),
                "nodes_se": mean.error(),
                "each": each,
            }));
        }
    }
    rows
}

fn plot(figure: &Figure) -> Plot {
    let series = figure.lines.iter().map(|(name, points)| {
        let done = figure.xs.iter().zip(points).filter(|(_, point)| point.mean.count() > 0);
        let points: Vec<(f64, f64)> =
            done.clone().map(|(&x, point)| (f64::from(x), point.mean.mean())).collect();
        let errors = done.map(|(_, point)| point.mean.error()).collect();
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
