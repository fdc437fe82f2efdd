//! A game tree as a picture: the leaves that a search visited, their order, and what they prove.
//!
//! The label of a node is not what the algorithm claims, but what the visited leaves prove: an unvisited
//! leaf may have any value from -∞ to ∞, a visited one has its own, and f⁻ and f⁺ are the minimax of the
//! lower and of the upper ends. So the picture of a correct search has an exact root, and the drawing of
//! an algorithm that visits too few leaves shows its error.

mod export;
mod layout;
mod shapes;
mod solution;

pub use export::{TreeNode, dot, nodes};

use std::ops::Range;

use super::svg::{Canvas, Point, number, text_width, wrap};
use layout::Layout;
use plyground_core::tree::{Explicit, ExplicitNode, GameTree};
use plyground_core::value::{Bounds, ShownValue, Value};
use shapes::{LegendSample, draw_badge, draw_shape};

/// The margin around the picture.
const MARGIN: f64 = 24.0;
/// The least width of the picture, which the header needs.
const LEAST_WIDTH: f64 = 760.0;
/// The gap between two leaves; beside an interior node it is twice as wide.
const GAP: f64 = 7.0;
const FONT: f64 = 12.0;
const ROOT_FONT: f64 = 18.0;
const BADGE_FONT: f64 = 10.5;
const LEAF_HEIGHT: f64 = 24.0;
const BADGE_HEIGHT: f64 = 15.0;
/// The gap between a leaf and the badge below it.
const BADGE_GAP: f64 = 3.0;
/// The size of an interior node that was not visited.
const SMALL: f64 = 16.0;
/// The width of the text on a line that stands for many plies.
const FOLD_WIDTH: f64 = 74.0;
/// This many consecutive levels without a choice are folded into one line.
const FOLD_FROM: usize = 9;
/// Levels that stay visible on either side of a fold.
const FOLD_ENDS: usize = 2;

const INK: &str = "#1f2933";
const PALE: &str = "#707a84";
/// The colours of the inside and of the outline.
type Paint = (&'static str, &'static str);
const MAX_PAINT: Paint = ("#dcebf9", "#1d5a93");
const MIN_PAINT: Paint = ("#e3f3e1", "#2f6b3a");
const LEAF_PAINT: Paint = ("#ffffff", "#3d4852");
const UNVISITED_STYLE: &str = "fill=\"#fafafa\" stroke=\"#a3abb3\" stroke-dasharray=\"3 2.5\"";
const UNVISITED_EDGE: &str = "stroke=\"#aab2ba\" stroke-dasharray=\"4 3\" fill=\"none\"";
const VISITED_EDGE: &str = "stroke=\"#55606b\" stroke-width=\"1.3\" fill=\"none\"";
const MAX_TREE_EDGE: &str = "stroke=\"#1d5a93\" stroke-width=\"3\" stroke-linecap=\"round\"";
const MIN_TREE_EDGE: &str = "stroke=\"#2f8a3a\" stroke-width=\"3\" stroke-linecap=\"round\"";
const TYPE_FONT: f64 = 9.0;
const SOLUTION: &str = "#d55e00";
const SOLUTION_EDGE: &str = "stroke=\"#d55e00\" stroke-width=\"4\" stroke-linecap=\"round\"";

/// A leaf that was visited: the child numbers that lead there, and its value from MAX's view.
pub type Visit = (Vec<usize>, Value);

/// An SVG of `tree` with the `visited` leaves in their order, the bounds that they prove at every node
/// above them, and the principal variation, if they prove the root's value.
///
/// MAX nodes are squares and MIN nodes circles. A visit outside the tree is not drawn. A node that was
/// evaluated at the horizon of a shallower search counts as a leaf.
///
/// ```
/// use plyground_study::report::drawing::draw;
/// use plyground_search::{SearchSpec, Trace, Workspace, search_in};
/// use plyground_core::tree::Explicit;
///
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
/// let trace = Trace::of_leaves();
/// let spec = SearchSpec::new(&"sss".parse()?, 2);
/// search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher()))?;
/// let visited: Vec<_> = trace.read().visited().collect();
/// let svg = draw(&tree, &visited, "SSS* on a textbook's tree");
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw(tree: &Explicit, visited: &[Visit], title: &str) -> String {
    let picture = TreePicture::proved(tree, visited);
    let layout = Layout::of(&picture);
    let mut canvas = Canvas::new();
    let width = (layout.width + 2.0 * MARGIN).max(LEAST_WIDTH);
    let top = picture.draw_header(&mut canvas, &layout, title, width);
    let origin = ((width - layout.width) / 2.0, top);
    picture.draw_edges(&mut canvas, &layout, origin);
    for at in 0..picture.nodes.len() {
        if layout.is_visible(picture.nodes[at].depth) {
            picture.draw_node(&mut canvas, &layout, origin, at);
        }
    }
    canvas.finish(width, top + layout.height + MARGIN, title)
}

/// A node of the picture.
struct DrawnNode {
    /// The root is its own parent.
    parent: usize,
    /// Its number among its siblings.
    step: usize,
    depth: usize,
    children: Range<usize>,
    /// The value, and the number from the left, if it is a leaf.
    leaf: Option<(Value, usize)>,
    /// When it was visited, from 0, and the value that was found.
    visit: Option<(usize, Value)>,
    /// Was it or anything below it visited?
    touched: bool,
    /// f⁻ and f⁺ from the visited leaves.
    proved: Bounds,
    in_solution: bool,
    /// Is it in the max solution tree, which proves the upper bound, and in the min solution tree?
    in_max_tree: bool,
    in_min_tree: bool,
}

/// The nodes of the tree, level by level, each from left to right: parents come before their children,
/// and the children of a node are consecutive. Nothing here recurses, because trees may be deep.
struct TreePicture {
    nodes: Vec<DrawnNode>,
    /// The range of each level in `nodes`.
    levels: Vec<Range<usize>>,
    visits: usize,
    /// Was a node with children evaluated?
    has_horizon: bool,
}

impl TreePicture {
    /// The tree with all that the visited leaves prove.
    fn proved(tree: &Explicit, visited: &[Visit]) -> TreePicture {
        let mut picture = TreePicture::of(tree, visited);
        picture.prove();
        picture.find_solution();
        picture.find_solution_trees();
        picture
    }

    fn of(tree: &Explicit, visited: &[Visit]) -> TreePicture {
        let mut sources = vec![tree.root()];
        let mut nodes = vec![node(tree, &sources[0], 0, 0, 0)];
        let mut levels = Vec::new();
        let mut start = 0;
        while start < nodes.len() {
            let level = start..nodes.len();
            start = level.end;
            for at in level.clone() {
                let first = nodes.len();
                for step in 0..tree.child_count(&sources[at]) {
                    let child = tree.child(&sources[at], step as u32);
                    nodes.push(node(tree, &child, at, step, levels.len() + 1));
                    sources.push(child);
                }
                nodes[at].children = first..nodes.len();
            }
            levels.push(level);
        }
        let mut picture = TreePicture { nodes, levels, visits: 0, has_horizon: false };
        for (steps, value) in visited {
            picture.visit(steps, *value);
        }
        picture
    }

    fn visit(&mut self, steps: &[usize], value: Value) {
        let mut at = 0;
        for &step in steps {
            let Some(child) = self.nodes[at].children.clone().nth(step) else { return };
            at = child;
        }
        if self.nodes[at].visit.is_none() {
            self.nodes[at].visit = Some((self.visits, value));
            self.visits += 1;
            self.has_horizon |= self.nodes[at].leaf.is_none();
        }
    }

    /// Computes f⁻ and f⁺ of all nodes, from the leaves up.
    fn prove(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let children = &self.nodes[node.children.clone()];
            let touched = node.visit.is_some() || children.iter().any(|c| c.touched);
            let ends = |end: fn(&DrawnNode) -> Value| {
                let ends = children.iter().map(end);
                if is_max(node.depth) { ends.max() } else { ends.min() }
            };
            let proved = match node.visit {
                Some((_, value)) => Bounds::exact(value),
                None => Bounds {
                    lower: ends(|c| c.proved.lower).unwrap_or(Bounds::UNKNOWN.lower),
                    upper: ends(|c| c.proved.upper).unwrap_or(Bounds::UNKNOWN.upper),
                },
            };
            self.nodes[at].touched = touched;
            self.nodes[at].proved = proved;
        }
    }

    /// Finds the principal variation: from an exact root down the first children with the same bounds.
    /// There is always one: at MAX, the child that gives f⁻ = v has f⁺ ≤ v, since v is the greatest
    /// f⁺ of all children; at MIN likewise.
    fn find_solution(&mut self) {
        let value = self.nodes[0].proved;
        let mut next = Some(0).filter(|_| value.is_exact());
        while let Some(at) = next {
            self.nodes[at].in_solution = true;
            let children = match self.nodes[at].visit {
                Some(_) => 0..0,
                None => self.nodes[at].children.clone(),
            };
            next = children.into_iter().find(|&c| self.nodes[c].proved == value);
        }
    }

    /// The label of a node.
    fn label(&self, at: usize) -> String {
        let node = &self.nodes[at];
        match (node.leaf, node.visit) {
            (Some(_), Some((_, value))) => value.to_string(),
            (Some((value, _)), None) => value.to_string(),
            (None, _) => known(node.proved),
        }
    }

    fn font(&self, at: usize) -> f64 {
        if at == 0 && self.nodes[at].touched { ROOT_FONT } else { FONT }
    }

    /// The height of interior nodes, and the width of those whose labels fit: enough for most labels.
    fn common_size(&self) -> f64 {
        let interior = (1..self.nodes.len()).filter(|&at| self.nodes[at].leaf.is_none());
        interior.map(|at| self.room_for_label(at)).fold(30.0_f64, f64::max).min(42.0)
    }

    fn room_for_label(&self, at: usize) -> f64 {
        let around = if is_max(self.nodes[at].depth) { 7.0 } else { 9.0 };
        self.label_width(at) + around
    }

    fn label_width(&self, at: usize) -> f64 {
        const BOLD: f64 = 1.1;
        text_width(&self.label(at), self.font(at)) * BOLD
    }

    /// Width and height of a node without its badge.
    fn size(&self, at: usize, common: f64) -> (f64, f64) {
        let node = &self.nodes[at];
        let text = self.label_width(at);
        match node.leaf {
            Some(_) if at == 0 => (text.max(30.0) + 18.0, 40.0),
            Some(_) => (text.max(14.0) + 8.0, LEAF_HEIGHT),
            None if !node.touched => (SMALL, SMALL),
            None if at == 0 => (self.room_for_label(at).max(42.0) + 6.0, 48.0),
            None => (self.room_for_label(at).max(common), common),
        }
    }

    /// The width of a node's badge, if it was visited.
    fn badge(&self, at: usize) -> Option<f64> {
        let (order, _) = self.nodes[at].visit?;
        Some((text_width(&(order + 1).to_string(), BADGE_FONT) + 7.0).max(BADGE_HEIGHT))
    }

    fn draw_edges(&self, canvas: &mut Canvas, layout: &Layout, origin: Point) {
        type Select = fn(&DrawnNode) -> bool;
        // Later edges cover earlier ones: the most important come last.
        let kinds: [(&str, Select); 5] = [
            (UNVISITED_EDGE, |n| !n.touched),
            (VISITED_EDGE, |n| n.touched && !n.in_solution && !n.in_max_tree && !n.in_min_tree),
            (MAX_TREE_EDGE, |n| n.in_max_tree && !n.in_solution),
            (MIN_TREE_EDGE, |n| n.in_min_tree && !n.in_solution),
            (SOLUTION_EDGE, |n| n.in_solution),
        ];
        for (style, select) in kinds {
            canvas.open(style);
            for (at, node) in self.nodes.iter().enumerate().skip(1) {
                if select(node) && layout.is_visible(node.depth) {
                    self.draw_edge(canvas, layout, origin, at);
                }
            }
            canvas.close();
        }
    }

    /// The line down to `at` from the nearest visible node above it.
    fn draw_edge(&self, canvas: &mut Canvas, layout: &Layout, origin: Point, at: usize) {
        let mut above = self.nodes[at].parent;
        while !layout.is_visible(self.nodes[above].depth) {
            above = self.nodes[above].parent;
        }
        let (x1, y1) = layout.place(origin, above, self.nodes[above].depth);
        let to = layout.place(origin, at, self.nodes[at].depth);
        let from = (x1, y1 + layout.sizes[above].1);
        let folded = self.nodes[at].depth - self.nodes[above].depth - 1;
        if folded == 0 {
            return canvas.line(from, to, "");
        }
        let middle = (to.0, f64::midpoint(from.1, to.1));
        let first = self.nodes[above].depth + 1;
        canvas.open_with_hover(&format!("plies {first} to {}: one move each", first + folded - 1));
        canvas.line(from, to, "stroke-dasharray=\"2 5\"");
        canvas.rect(
            middle,
            (FOLD_WIDTH, 18.0),
            9.0,
            "fill=\"#ffffff\" stroke-width=\"1.2\" stroke-dasharray=\"none\"",
        );
        let style = format!("{} fill=\"{INK}\" stroke=\"none\"", centred(10.5));
        canvas.text((middle.0, middle.1 + 3.8), &format!("⋮ {folded} plies"), &style);
        canvas.close();
    }

    fn draw_node(&self, canvas: &mut Canvas, layout: &Layout, origin: Point, at: usize) {
        let node = &self.nodes[at];
        let (x, top) = layout.place(origin, at, node.depth);
        let size = layout.sizes[at];
        let centre = (x, top + size.1 / 2.0);
        canvas.open_with_hover(&self.hover(at));
        let (fill, outline) = match node.leaf {
            Some(_) => LEAF_PAINT,
            None if is_max(node.depth) => MAX_PAINT,
            None => MIN_PAINT,
        };
        let style = match (node.touched, node.in_solution) {
            (_, true) => painted((fill, SOLUTION), 3.0),
            (true, false) => painted((fill, outline), 1.5),
            (false, false) => UNVISITED_STYLE.into(),
        };
        draw_shape(canvas, node.leaf.is_some(), is_max(node.depth), centre, size, &style);
        let label = self.label(at);
        if !label.is_empty() {
            let font = self.font(at);
            let fill = if node.touched { INK } else { PALE };
            let bold = node.touched && (at == 0 || node.leaf.is_some() || node.proved.is_exact());
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            let style = format!("{} fill=\"{fill}\"{weight}", centred(font));
            canvas.text((x, centre.1 + font * 0.36), &label, &style);
        }
        if let (Some((order, _)), Some(width)) = (node.visit, self.badge(at)) {
            let middle = top + size.1 + BADGE_GAP + BADGE_HEIGHT / 2.0;
            draw_badge(canvas, (x, middle), width, &(order + 1).to_string(), self.age(order));
        }
        if let Some(kind) = node.kind() {
            let place = (x - size.0 / 2.0 - 1.0, top + TYPE_FONT * 0.6);
            let style = format!("text-anchor=\"end\" font-size=\"{TYPE_FONT}\" fill=\"{INK}\"");
            canvas.text(place, &kind.to_string(), &style);
        }
        canvas.close();
    }

    /// 0 for the first visit, 1 for the last.
    fn age(&self, order: usize) -> f64 {
        if self.visits < 2 { 0.0 } else { order as f64 / (self.visits - 1) as f64 }
    }

    fn hover(&self, at: usize) -> String {
        let node = &self.nodes[at];
        let name = self.name(at);
        let seen = node.visit.map_or("not visited".into(), |(order, _)| {
            format!("visited as number {} of {}", order + 1, self.visits)
        });
        if node.leaf.is_some() {
            return format!("leaf {name}: value {}, {seen}", self.label(at));
        }
        let side = if is_max(node.depth) { "MAX" } else { "MIN" };
        let horizon = if node.visit.is_some() { ", taken for a leaf: " } else { "" };
        let seen = if node.touched && node.visit.is_none() { "" } else { seen.as_str() };
        if !node.touched {
            return format!("{side} {name}: {seen}");
        }
        let Bounds { lower, upper } = node.proved;
        format!(
            "{side} {name}: f⁻ = {}, f⁺ = {}{horizon}{seen}",
            ShownValue(lower),
            ShownValue(upper)
        )
    }

    /// The Dewey number, from 0; the middle of a very long one is left out.
    fn name(&self, mut at: usize) -> String {
        const ENDS: usize = 12;
        let length = self.nodes[at].depth;
        let mut numbers = Vec::new();
        while at != 0 {
            let place = self.nodes[at].depth;
            if place <= ENDS || place + ENDS > length {
                numbers.push(self.nodes[at].step.to_string());
            } else if place == ENDS + 1 {
                numbers.push(format!("… ({} plies) …", length - 2 * ENDS));
            }
            at = self.nodes[at].parent;
        }
        numbers.reverse();
        if numbers.is_empty() { "root".into() } else { numbers.join(".") }
    }

    /// Draws title, result and legend; returns the upper edge of the tree.
    fn draw_header(&self, canvas: &mut Canvas, layout: &Layout, title: &str, width: f64) -> f64 {
        let room = width - 2.0 * MARGIN;
        let mut y = MARGIN;
        for line in wrap(title, 19.0, room) {
            y += 19.0;
            let style = format!("font-size=\"19\" font-weight=\"bold\" fill=\"{INK}\"");
            canvas.text((MARGIN, y), &line, &style);
            y += 5.0;
        }
        y += 20.0;
        let result = match known(self.nodes[0].proved) {
            nothing if nothing.is_empty() => "Root: nothing proved".into(),
            label => format!("Root: {}", spaced(&label)),
        };
        let fill = if self.nodes[0].in_solution { SOLUTION } else { INK };
        let style = format!("font-size=\"17\" font-weight=\"bold\" fill=\"{fill}\"");
        canvas.text((MARGIN, y), &result, &style);
        let leaves = self.nodes.iter().filter(|n| n.leaf.is_some()).count();
        let what = if self.has_horizon { "positions visited, the tree has" } else { "of" };
        let plural = if leaves == 1 { "leaf" } else { "leaves" };
        let end = if self.has_horizon { "" } else { " visited" };
        let count = format!("{} {what} {leaves} {plural}{end}", self.visits);
        let x = MARGIN + text_width(&result, 17.0) * 1.08 + 18.0;
        canvas.text((x, y), &count, &format!("font-size=\"14\" fill=\"{INK}\""));
        y += 14.0;
        self.draw_legend(canvas, layout, (MARGIN, y), room) + 22.0
    }

    /// Draws the legend from `start` down; returns its lower end.
    fn draw_legend(&self, canvas: &mut Canvas, layout: &Layout, start: Point, room: f64) -> f64 {
        const ROW: f64 = 26.0;
        let mut entries = vec![
            (LegendSample::Node(true), "MAX"),
            (LegendSample::Node(false), "MIN"),
            (LegendSample::Labels, "proved by the visited leaves"),
            (LegendSample::Leaf, "visited leaf: its value"),
            (LegendSample::Badges, "order of the visits"),
            (LegendSample::Unvisited, "not visited"),
        ];
        if self.nodes[0].in_solution {
            entries.push((LegendSample::Solution, "principal variation, in both solution trees"));
            entries.push((LegendSample::SolutionTree(true), "max solution tree: at most"));
            entries.push((LegendSample::SolutionTree(false), "min solution tree: at least"));
            entries.push((LegendSample::Types, "type of a node of the critical tree"));
        }
        if self.has_horizon {
            entries.push((LegendSample::Horizon, "taken for a leaf"));
        }
        if layout.hidden.iter().any(|&h| h) {
            entries.push((LegendSample::Fold, "plies without a choice"));
        }
        let (mut x, mut y) = (start.0, start.1 + ROW / 2.0);
        for (sample, text) in entries {
            let symbol = sample.width();
            let width = symbol + 7.0 + text_width(text, 12.0);
            if x > start.0 && x + width > start.0 + room {
                (x, y) = (start.0, y + ROW);
            }
            sample.draw(canvas, (x, y));
            let style = format!("font-size=\"12\" fill=\"{INK}\"");
            canvas.text((x + symbol + 7.0, y + 4.3), text, &style);
            x += width + 18.0;
        }
        y + ROW / 2.0
    }
}

fn node(
    tree: &Explicit,
    source: &ExplicitNode,
    parent: usize,
    step: usize,
    depth: usize,
) -> DrawnNode {
    DrawnNode {
        parent,
        step,
        depth,
        children: 0..0,
        leaf: tree.leaf_value(source).zip(tree.leaf_number(source)),
        visit: None,
        touched: false,
        proved: Bounds::UNKNOWN,
        in_solution: false,
        in_max_tree: false,
        in_min_tree: false,
    }
}

fn is_max(depth: usize) -> bool {
    depth.is_multiple_of(2)
}

/// `=3`, `≥3`, `≤3`, `2..5`, or nothing.
fn known(Bounds { lower, upper }: Bounds) -> String {
    match (lower > Bounds::UNKNOWN.lower, upper < Bounds::UNKNOWN.upper) {
        (true, true) if lower == upper => format!("={lower}"),
        (true, true) => format!("{lower}..{upper}"),
        (true, false) => format!("≥{lower}"),
        (false, true) => format!("≤{upper}"),
        (false, false) => String::new(),
    }
}

/// A label of [`known`] where there is more room.
fn spaced(label: &str) -> String {
    let mut chars = label.chars();
    match chars.next() {
        Some(sign @ ('=' | '≥' | '≤')) => format!("{sign} {}", chars.as_str()),
        _ => label.into(),
    }
}

fn painted((fill, outline): Paint, width: f64) -> String {
    format!("fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"{}\"", number(width))
}

fn centred(font: f64) -> String {
    format!("text-anchor=\"middle\" font-size=\"{}\"", number(font))
}

#[cfg(test)]
mod tests;
