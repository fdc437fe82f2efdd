//! A game tree as a picture: which leaves a search visited, in which order, and what they prove.
//!
//! What is written in a node is not what an algorithm said there. It is what the visited leaves
//! prove: an unvisited leaf may be worth anything from -∞ to ∞, a visited one is worth its value, and
//! f⁻ and f⁺ are the minimax of either end. The picture of a correct search therefore has an exact
//! root, and an algorithm that visits too little is caught by its own drawing.

use std::ops::Range;

use super::svg::{Canvas, Point, number, text_width, wrap};
use plyground_core::tree::{Explicit, GameTree, TreeNode};
use plyground_core::value::{Bounds, Shown, Value};

/// Around everything.
const MARGIN: f64 = 24.0;
/// The header needs this much, however small the tree is.
const LEAST_WIDTH: f64 = 760.0;
/// Between two leaves; there is twice as much beside an interior node.
const GAP: f64 = 7.0;
const FONT: f64 = 12.0;
const ROOT_FONT: f64 = 18.0;
const BADGE_FONT: f64 = 10.5;
const LEAF_HEIGHT: f64 = 24.0;
const BADGE_HEIGHT: f64 = 15.0;
/// From a leaf to the badge below it.
const BADGE_GAP: f64 = 3.0;
/// The size of an interior node that was not visited.
const SMALL: f64 = 16.0;
/// The width of the text on a line that stands for many plies.
const FOLD_WIDTH: f64 = 74.0;
/// As many levels in a row where nobody has a choice are folded into one line.
const FOLD_FROM: usize = 9;
/// Levels that stay visible on either side of a fold.
const FOLD_ENDS: usize = 2;

const INK: &str = "#1f2933";
const PALE: &str = "#707a84";
/// Inside and outline.
type Paint = (&'static str, &'static str);
const MAX_PAINT: Paint = ("#dcebf9", "#1d5a93");
const MIN_PAINT: Paint = ("#e3f3e1", "#2f6b3a");
const LEAF_PAINT: Paint = ("#ffffff", "#3d4852");
const UNVISITED_STYLE: &str = "fill=\"#fafafa\" stroke=\"#a3abb3\" stroke-dasharray=\"3 2.5\"";
const UNVISITED_EDGE: &str = "stroke=\"#aab2ba\" stroke-dasharray=\"4 3\" fill=\"none\"";
const VISITED_EDGE: &str = "stroke=\"#55606b\" stroke-width=\"1.3\" fill=\"none\"";
const SOLUTION: &str = "#d55e00";
const SOLUTION_EDGE: &str = "stroke=\"#d55e00\" stroke-width=\"4\" stroke-linecap=\"round\"";

/// A leaf that was visited: the child numbers that lead there, and its value from MAX's view.
pub type Visit = (Vec<usize>, Value);

/// One SVG of `tree` with the leaves that were `visited`, in their order, what they prove at every node above them,
/// and the principal variation, if they prove the root's value.
///
/// MAX nodes are squares and MIN nodes circles. A visit that the tree has no place for is not drawn.
/// A node that was evaluated at the horizon of a shallower search counts as a leaf.
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
    let mut picture = Picture::of(tree, visited);
    picture.prove();
    picture.find_solution();
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
struct Drawn {
    /// The root is its own parent.
    parent: usize,
    /// Which child of its parent it is.
    step: usize,
    depth: usize,
    children: Range<usize>,
    /// The value and the place from the left, if it is a leaf.
    leaf: Option<(Value, usize)>,
    /// When it was visited, from 0, and the value that was found.
    visit: Option<(usize, Value)>,
    /// Was it or anything below it visited?
    touched: bool,
    /// f⁻ and f⁺ from the visited leaves.
    proved: Bounds,
    in_solution: bool,
}

/// The tree level by level, each from left to right: parents come before their children, and the
/// children of a node stand in a run. Nothing here recurses, for trees may be deep.
struct Picture {
    nodes: Vec<Drawn>,
    /// Where in `nodes` each level is.
    levels: Vec<Range<usize>>,
    visits: usize,
    /// Was a node with children evaluated?
    has_horizon: bool,
}

impl Picture {
    fn of(tree: &Explicit, visited: &[Visit]) -> Picture {
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
        let mut picture = Picture { nodes, levels, visits: 0, has_horizon: false };
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

    /// f⁻ and f⁺ everywhere, from the leaves up.
    fn prove(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let children = &self.nodes[node.children.clone()];
            let touched = node.visit.is_some() || children.iter().any(|c| c.touched);
            let ends = |end: fn(&Drawn) -> Value| {
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

    /// The principal variation: from an exact root down the first children with the same bounds.
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

    /// What is written in a node.
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

    /// The height of interior nodes, and the width of those whose labels fit: large enough for most
    /// labels, small enough for a picture.
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
        type Select = fn(&Drawn) -> bool;
        // Later edges lie over earlier ones: what matters most comes last.
        let kinds: [(&str, Select); 3] = [
            (UNVISITED_EDGE, |n| !n.touched),
            (VISITED_EDGE, |n| n.touched && !n.in_solution),
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
        format!("{side} {name}: f⁻ = {}, f⁺ = {}{horizon}{seen}", Shown(lower), Shown(upper))
    }

    /// The Dewey number, from 1; the middle of a very long one is left out.
    fn name(&self, mut at: usize) -> String {
        const ENDS: usize = 12;
        let length = self.nodes[at].depth;
        let mut numbers = Vec::new();
        while at != 0 {
            let place = self.nodes[at].depth;
            if place <= ENDS || place + ENDS > length {
                numbers.push((self.nodes[at].step + 1).to_string());
            } else if place == ENDS + 1 {
                numbers.push(format!("… ({} plies) …", length - 2 * ENDS));
            }
            at = self.nodes[at].parent;
        }
        numbers.reverse();
        if numbers.is_empty() { "root".into() } else { numbers.join(".") }
    }

    /// Title, result and legend; returns where the tree may begin.
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

    /// The legend from `start` down; returns where it ends.
    fn draw_legend(&self, canvas: &mut Canvas, layout: &Layout, start: Point, room: f64) -> f64 {
        const ROW: f64 = 26.0;
        let mut entries = vec![
            (Sample::Node(true), "MAX"),
            (Sample::Node(false), "MIN"),
            (Sample::Labels, "proved by the visited leaves"),
            (Sample::Leaf, "visited leaf: its value"),
            (Sample::Badges, "order of the visits"),
            (Sample::Unvisited, "not visited"),
        ];
        if self.nodes[0].in_solution {
            entries.push((Sample::Solution, "principal variation"));
        }
        if self.has_horizon {
            entries.push((Sample::Horizon, "taken for a leaf"));
        }
        if layout.hidden.iter().any(|&h| h) {
            entries.push((Sample::Fold, "plies without a choice"));
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

fn node(tree: &Explicit, source: &TreeNode, parent: usize, step: usize, depth: usize) -> Drawn {
    Drawn {
        parent,
        step,
        depth,
        children: 0..0,
        leaf: tree.leaf_value(source).zip(tree.leaf_number(source)),
        visit: None,
        touched: false,
        proved: Bounds::UNKNOWN,
        in_solution: false,
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

fn draw_shape(
    canvas: &mut Canvas,
    is_leaf: bool,
    is_max: bool,
    centre: Point,
    (width, height): (f64, f64),
    style: &str,
) {
    if is_leaf {
        canvas.rect(centre, (width, height), 4.0, style);
    } else if is_max {
        canvas.rect(centre, (width, height), 0.0, style);
    } else if width == height {
        canvas.circle(centre, width / 2.0, style);
    } else {
        // A circle pulled wide for a long label.
        canvas.rect(centre, (width, height), height / 2.0, style);
    }
}

fn draw_badge(canvas: &mut Canvas, (x, y): Point, width: f64, text: &str, age: f64) {
    let (fill, ink) = shade(age);
    canvas.rect((x, y), (width, BADGE_HEIGHT), BADGE_HEIGHT / 2.0, &format!("fill=\"{fill}\""));
    let style = format!("{} fill=\"{ink}\"", centred(BADGE_FONT));
    canvas.text((x, y + BADGE_FONT * 0.36), text, &style);
}

/// A colour from early (dark violet) to late (yellow), and the ink to be read on it. The scale is
/// viridis: it stays in order for colour-blind eyes and in grey.
fn shade(age: f64) -> (String, &'static str) {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [240.0, 225.0, 60.0],
    ];
    let place = age.clamp(0.0, 1.0) * 4.0;
    let stop = (place as usize).min(3);
    let part = place - stop as f64;
    let mixed: [f64; 3] =
        std::array::from_fn(|i| STOPS[stop][i] + part * (STOPS[stop + 1][i] - STOPS[stop][i]));
    let [r, g, b] = mixed;
    let is_dark = 0.299 * r + 0.587 * g + 0.114 * b < 103.0;
    let ink = if is_dark { "#ffffff" } else { "#000000" };
    (format!("#{:02x}{:02x}{:02x}", r as u8, g as u8, b as u8), ink)
}

/// What the legend explains.
enum Sample {
    Node(bool),
    Labels,
    Leaf,
    Badges,
    Unvisited,
    Solution,
    Horizon,
    Fold,
}

impl Sample {
    fn width(&self) -> f64 {
        match self {
            Sample::Node(_) | Sample::Horizon => 18.0,
            Sample::Labels => 108.0,
            Sample::Leaf => 22.0,
            Sample::Badges => 61.0,
            Sample::Unvisited => 43.0,
            Sample::Solution | Sample::Fold => 28.0,
        }
    }

    /// Draws the sample from `x` to the right, around `y`.
    fn draw(&self, canvas: &mut Canvas, (x, y): Point) {
        let middle = (x + self.width() / 2.0, y);
        match self {
            &Sample::Node(is_max) => {
                let paint = if is_max { MAX_PAINT } else { MIN_PAINT };
                let style = painted(paint, 1.2);
                draw_shape(canvas, false, is_max, middle, (18.0, 18.0), &style);
            }
            Sample::Labels => {
                let style = format!("font-size=\"12\" font-weight=\"bold\" fill=\"{INK}\"");
                // Spaces in a row would be drawn as one.
                canvas.text((x, y + 4.3), "=3\u{a0} ≥3\u{a0} ≤3\u{a0} 2..5", &style);
            }
            Sample::Leaf => {
                draw_shape(canvas, true, true, middle, (22.0, 18.0), &painted(LEAF_PAINT, 1.2));
                let style = format!("{} font-weight=\"bold\" fill=\"{INK}\"", centred(11.0));
                canvas.text((middle.0, y + 4.0), "3", &style);
            }
            Sample::Badges => {
                for (i, text) in ["1", "2", "…", ""].iter().enumerate() {
                    let at = (x + 7.5 + 15.3 * i as f64, y);
                    draw_badge(canvas, at, BADGE_HEIGHT, text, i as f64 / 3.0);
                }
            }
            Sample::Unvisited => {
                draw_shape(canvas, false, true, (x + 8.0, y), (SMALL, SMALL), UNVISITED_STYLE);
                draw_shape(canvas, true, true, (x + 32.0, y), (22.0, 18.0), UNVISITED_STYLE);
            }
            Sample::Solution => canvas.line((x, y), (x + 28.0, y), SOLUTION_EDGE),
            Sample::Horizon => {
                let style = painted(MAX_PAINT, 1.2);
                draw_shape(canvas, false, true, (middle.0, y - 6.0), (11.0, 11.0), &style);
                draw_badge(canvas, (middle.0, y + 8.0), BADGE_HEIGHT, "", 0.0);
            }
            Sample::Fold => {
                canvas.open(VISITED_EDGE);
                canvas.line((x, y), (x + 28.0, y), "stroke-dasharray=\"2 5\" stroke-width=\"2.5\"");
                canvas.close();
            }
        }
    }
}

/// Where everything is. Leaves stand at even distances, parents over the middle of their children,
/// and the distance is as small as it can be without a level's nodes touching.
struct Layout {
    /// The middle of every node, from the left edge of the tree.
    x: Vec<f64>,
    /// Width and height of every node.
    sizes: Vec<(f64, f64)>,
    /// The upper edge of every level.
    tops: Vec<f64>,
    /// Levels that are folded away.
    hidden: Vec<bool>,
    width: f64,
    height: f64,
}

impl Layout {
    fn of(picture: &Picture) -> Layout {
        let nodes = &picture.nodes;
        let common = picture.common_size();
        let sizes: Vec<_> = (0..nodes.len()).map(|at| picture.size(at, common)).collect();
        let hidden = folded_levels(picture);
        // In units of the distance between two leaves.
        let mut x = vec![0.0; nodes.len()];
        for at in (0..nodes.len()).rev() {
            let children = &nodes[at].children;
            x[at] = match nodes[at].leaf {
                Some((_, place)) => place as f64,
                None => f64::midpoint(x[children.start], x[children.end - 1]),
            };
        }
        let half = |at: usize| {
            let depth = nodes[at].depth;
            let own = sizes[at].0.max(picture.badge(at).unwrap_or(0.0));
            let fold = hidden.get(depth + 1).is_some_and(|&h| h);
            if fold { own.max(FOLD_WIDTH) / 2.0 } else { own / 2.0 }
        };
        // Small trees may be generous: the header is wide anyway.
        let leaves = nodes.iter().filter(|n| n.leaf.is_some()).count();
        let mut unit = (1_500.0 / leaves as f64).min(46.0);
        for (level, _) in picture.levels.iter().zip(&hidden).filter(|&(_, &hidden)| !hidden) {
            for (left, right) in level.clone().zip(level.clone().skip(1)) {
                let both = nodes[left].leaf.is_some() && nodes[right].leaf.is_some();
                let apart = half(left) + half(right) + if both { GAP } else { 2.0 * GAP };
                unit = unit.max(apart / (x[right] - x[left]));
            }
        }
        let everywhere = 0..nodes.len();
        let left = everywhere.clone().map(|at| x[at] * unit - half(at)).fold(0.0, f64::min);
        let right = everywhere.map(|at| x[at] * unit + half(at)).fold(0.0, f64::max);
        for x in &mut x {
            *x = *x * unit - left;
        }
        let (tops, height) = tops(picture, &x, &sizes, &hidden);
        Layout { x, sizes, tops, hidden, width: right - left, height }
    }

    fn is_visible(&self, depth: usize) -> bool {
        !self.hidden[depth]
    }

    /// The middle of a node's upper edge.
    fn place(&self, origin: Point, at: usize, depth: usize) -> Point {
        (origin.0 + self.x[at], origin.1 + self.tops[depth])
    }
}

/// The upper edge of every level, and the height of the tree.
fn tops(picture: &Picture, x: &[f64], sizes: &[(f64, f64)], hidden: &[bool]) -> (Vec<f64>, f64) {
    let badge = |at: usize| picture.nodes[at].visit.map_or(0.0, |_| BADGE_GAP + BADGE_HEIGHT);
    let visible = hidden.iter().filter(|&&h| !h).count();
    let least = if visible > 40 { 18.0 } else { 30.0 };
    let mut tops = Vec::with_capacity(picture.levels.len());
    let (mut y, mut bottom) = (0.0, 0.0_f64);
    for (depth, level) in picture.levels.iter().enumerate() {
        tops.push(y);
        if hidden[depth] {
            continue;
        }
        let height = level.clone().map(|at| sizes[at].1 + badge(at)).fold(0.0, f64::max);
        bottom = y + height;
        // Long edges need height, or they come out flat.
        let reach =
            level.clone().flat_map(|at| picture.nodes[at].children.clone().map(move |c| (at, c)));
        let reach = reach.map(|(at, c)| (x[at] - x[c]).abs()).fold(0.0, f64::max);
        let fold = hidden.get(depth + 1).is_some_and(|&h| h);
        y = bottom + if fold { 64.0 } else { (0.16 * reach).clamp(least, 120.0) };
    }
    (tops, bottom)
}

/// Levels to leave out: inside long runs of levels where every node has one child, so that nothing
/// changes from one to the next.
fn folded_levels(picture: &Picture) -> Vec<bool> {
    let mut hidden = vec![false; picture.levels.len()];
    let is_plain = |level: &Range<usize>| {
        let mut nodes = picture.nodes[level.clone()].iter();
        nodes.all(|n| n.children.len() == 1 && n.visit.is_none())
    };
    let mut run = 0;
    for (depth, level) in picture.levels.iter().enumerate() {
        if is_plain(level) {
            run += 1;
            continue;
        }
        if run >= FOLD_FROM {
            hidden[depth - run + FOLD_ENDS..depth - FOLD_ENDS].fill(true);
        }
        run = 0;
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::super::svg::check;
    use super::*;
    use plyground_core::value::INFINITY;
    use plyground_search::{SearchSpec, Trace, Workspace, search_in};
    use proptest::prelude::*;

    const TEXTBOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

    /// Visits to the nodes at these steps, in this order.
    fn visits(tree: &Explicit, steps: &[&[usize]]) -> Vec<Visit> {
        let visit = |steps: &&[usize]| {
            let value = tree.node_at(steps).map_or(0, |n| tree.evaluate(&n));
            (steps.to_vec(), if is_max(steps.len()) { value } else { -value })
        };
        steps.iter().map(visit).collect()
    }

    fn searched(text: &str, id: &str) -> (Explicit, Vec<Visit>) {
        let tree: Explicit = text.parse().unwrap();
        let trace = Trace::of_leaves();
        let spec = SearchSpec::new(&id.parse().unwrap(), tree.height() as u32);
        search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher())).unwrap();
        let visited = trace.read().visited().collect();
        (tree, visited)
    }

    fn picture(tree: &Explicit, visited: &[Visit]) -> Picture {
        let mut picture = Picture::of(tree, visited);
        picture.prove();
        picture.find_solution();
        picture
    }

    #[test]
    fn alpha_beta_on_the_textbook_tree() {
        let (tree, visited) = searched(TEXTBOOK, "alpha-beta");
        let picture = picture(&tree, &visited);
        let labels: Vec<String> = (0..4).map(|at| picture.label(at)).collect();
        assert_eq!(labels, ["=3", "=3", "≤2", "=2"]);
        let solution: Vec<usize> = (0..13).filter(|&at| picture.nodes[at].in_solution).collect();
        assert_eq!(solution, [0, 1, 4]);
        let svg = draw(&tree, &visited, "alpha-beta & <others>");
        check::well_formed(&svg);
        let texts = check::texts(&svg);
        assert_eq!(
            texts[..3],
            ["alpha-beta &amp; &lt;others&gt;", "Root: = 3", "7 of 9 leaves visited"]
        );
        let tail =
            ["3", "1", "12", "2", "8", "3", "2", "4", "4", "6", "14", "5", "5", "6", "2", "7"];
        assert!(texts.ends_with(&tail), "leaves with their orders: {texts:?}");
        assert_eq!(svg.matches(", not visited</title>").count(), 2);
        assert!(svg.contains("<title>MIN 2: f⁻ = -∞, f⁺ = 2</title>"));
        assert!(svg.contains("<title>leaf 3.1: value 14, visited as number 5 of 7</title>"));
    }

    #[test]
    fn labels_say_what_is_known() {
        for (lower, upper, text) in [
            (3, 3, "=3"),
            (3, INFINITY, "≥3"),
            (-INFINITY, -3, "≤-3"),
            (-2, 5, "-2..5"),
            (-INFINITY, INFINITY, ""),
        ] {
            assert_eq!(known(Bounds { lower, upper }), text);
        }
        assert_eq!((spaced("≤-3"), spaced("2..5")), ("≤ -3".into(), "2..5".into()));
    }

    #[test]
    fn an_unfinished_search_proves_less() {
        let tree: Explicit = TEXTBOOK.parse().unwrap();
        let svg = |steps: &[&[usize]]| draw(&tree, &visits(&tree, steps), "unfinished");
        let nothing = svg(&[]);
        check::well_formed(&nothing);
        assert!(check::texts(&nothing).contains(&"Root: nothing proved"));
        assert!(!nothing.contains("principal variation"));
        let lower = svg(&[&[0, 0], &[0, 1], &[0, 2]]);
        assert!(check::texts(&lower).contains(&"Root: ≥ 3"));
        let both = svg(&[&[0, 0], &[1, 0], &[1, 1], &[1, 2], &[2, 0]]);
        assert!(check::texts(&both).contains(&"Root: 2..14"));
    }

    #[test]
    fn a_horizon_above_the_leaves_counts_as_leaves() {
        let tree: Explicit = TEXTBOOK.parse().unwrap();
        let picture = picture(&tree, &visits(&tree, &[&[0], &[1], &[2]]));
        assert_eq!(picture.nodes[0].proved, Bounds::exact(14), "of the leftmost leaves 3, 2, 14");
        assert!(picture.nodes[3].in_solution);
        assert!(picture.nodes[4..].iter().all(|n| !n.touched && !n.in_solution));
    }

    #[test]
    fn visits_outside_the_tree_are_not_drawn() {
        let tree: Explicit = TEXTBOOK.parse().unwrap();
        let picture = picture(&tree, &visits(&tree, &[&[7], &[0, 0, 1], &[0, 1]]));
        assert_eq!(picture.visits, 1);
        assert_eq!(picture.nodes[5].visit, Some((0, 12)));
    }

    #[test]
    fn a_single_leaf_is_a_tree() {
        let (tree, visited) = searched("-7", "alpha-beta");
        let svg = draw(&tree, &visited, "");
        check::well_formed(&svg);
        assert!(check::texts(&svg).ends_with(&["-7", "1"]));
        assert!(svg.contains("<title>leaf root: value -7"));
    }

    #[test]
    fn a_long_chain_is_folded() {
        let text = format!("{}(4 5){}", "(".repeat(200), ")".repeat(200));
        let (tree, visited) = searched(&text, "alpha-beta");
        let svg = draw(&tree, &visited, "chain");
        check::well_formed(&svg);
        assert!(check::texts(&svg).contains(&"⋮ 196 plies"));
        assert!(svg.contains("<title>plies 2 to 197: one move each</title>"));
        let layout = Layout::of(&picture(&tree, &visited));
        assert!(layout.height < 600.0, "{}", layout.height);
        assert_eq!(folded_levels(&picture(&tree, &visited))[..3], [false, false, true]);
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let deep = |unit: &str, close: &str| format!("{}1{}", unit.repeat(999), close.repeat(999));
        for text in [deep("(", ")"), deep("(", " 2)"), deep("(3 ", ")")] {
            let drawing = std::thread::Builder::new().stack_size(128 << 10).spawn(move || {
                let tree: Explicit = text.parse().unwrap();
                let leaf = vec![0; 999];
                draw(&tree, &visits(&tree, &[&leaf, &[1]]), "deep")
            });
            let svg = drawing.unwrap().join().unwrap();
            check::well_formed(&svg);
            assert!(svg.len() < 2_000_000, "long names are cut: {}", svg.len());
        }
    }

    #[test]
    fn many_leaves_make_a_wide_file_and_no_more() {
        let leaves: Vec<Value> = (0..2_000).collect();
        let tree = Explicit::uniform(2_000, 1, &leaves).unwrap();
        let svg = draw(&tree, &visits(&tree, &[&[1_999]]), "wide");
        check::well_formed(&svg);
        assert!(check::texts(&svg).contains(&"Root: ≥ 1999"));
    }

    #[test]
    fn orders_can_be_read_on_their_colours() {
        let light = |c: &str| {
            let part = |i: usize| {
                let v = f64::from(u8::from_str_radix(&c[i..i + 2], 16).unwrap()) / 255.0;
                if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let mut last = 0.0;
        for step in 0..=50 {
            let (fill, ink) = shade(f64::from(step) / 50.0);
            let (a, b) = (light(&fill), light(ink));
            assert!((a.max(b) + 0.05) / (a.min(b) + 0.05) >= 4.5, "{ink} on {fill}");
            assert!(a >= last, "later is lighter, in grey too");
            last = a;
        }
    }

    fn any_tree() -> impl Strategy<Value = Explicit> {
        let leaf = (-20..=2_000_000_i32).prop_map(|v| if v > 30 { v % 40 } else { v * 40_000 });
        let text = leaf.prop_map(|v| v.to_string()).prop_recursive(6, 60, 4, |inner| {
            prop::collection::vec(inner, 1..5).prop_map(|c| format!("({})", c.join(" ")))
        });
        text.prop_map(|text| text.parse().unwrap())
    }

    /// The minimax value if unvisited leaves have this value: the definition, word by word.
    fn minimax(tree: &Explicit, steps: &mut Vec<usize>, seen: &[bool], other: Value) -> Value {
        let node = tree.node_at(steps).unwrap();
        if let (Some(value), Some(number)) = (tree.leaf_value(&node), tree.leaf_number(&node)) {
            return if seen[number] { value } else { other };
        }
        let values: Vec<Value> = (0..tree.child_count(&node))
            .map(|step| {
                steps.push(step);
                let value = minimax(tree, steps, seen, other);
                steps.pop();
                value
            })
            .collect();
        let best = if is_max(steps.len()) { values.iter().max() } else { values.iter().min() };
        *best.unwrap()
    }

    fn steps_of(picture: &Picture, mut at: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        while at != 0 {
            steps.push(picture.nodes[at].step);
            at = picture.nodes[at].parent;
        }
        steps.reverse();
        steps
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn proofs_and_solutions_are_those_of_the_definition(
            tree in any_tree(),
            seen in prop::collection::vec(any::<bool>(), 300),
            all in any::<bool>(),
        ) {
            let seen: Vec<bool> = seen.iter().map(|&s| s || all).collect();
            let empty = Picture::of(&tree, &[]);
            let steps: Vec<Vec<usize>> = (0..empty.nodes.len())
                .filter(|&at| empty.nodes[at].leaf.is_some_and(|(_, number)| seen[number]))
                .map(|at| steps_of(&empty, at))
                .collect();
            let steps: Vec<&[usize]> = steps.iter().map(Vec::as_slice).collect();
            let visited = visits(&tree, &steps);
            let picture = picture(&tree, &visited);
            for at in 0..picture.nodes.len() {
                let mut steps = steps_of(&picture, at);
                let lower = minimax(&tree, &mut steps, &seen, -INFINITY);
                let upper = minimax(&tree, &mut steps, &seen, INFINITY);
                prop_assert_eq!(picture.nodes[at].proved, Bounds { lower, upper });
            }
            let root = picture.nodes[0].proved;
            let ends: Vec<&Drawn> =
                picture.nodes.iter().filter(|n| n.in_solution && n.leaf.is_some()).collect();
            if root.is_exact() {
                prop_assert_eq!(ends.len(), 1, "one path, down to a leaf");
                prop_assert_eq!(ends[0].visit.map(|v| v.1), Some(root.lower));
                let length = picture.nodes.iter().filter(|n| n.in_solution).count();
                prop_assert_eq!(length, ends[0].depth + 1);
            } else {
                prop_assert!(picture.nodes.iter().all(|n| !n.in_solution));
            }
            check::well_formed(&draw(&tree, &visited, "any tree"));
        }

        #[test]
        fn nodes_do_not_touch_and_parents_stand_in_the_middle(
            tree in any_tree(),
            seen in prop::collection::vec(any::<bool>(), 300),
        ) {
            let mut picture = Picture::of(&tree, &[]);
            for at in 0..picture.nodes.len() {
                if let Some((value, number)) = picture.nodes[at].leaf.filter(|l| seen[l.1]) {
                    picture.nodes[at].visit = Some((number, value));
                }
            }
            picture.prove();
            let layout = Layout::of(&picture);
            for level in &picture.levels {
                for (a, b) in level.clone().zip(level.clone().skip(1)) {
                    let apart = layout.x[b] - layout.x[a];
                    let needed = f64::midpoint(layout.sizes[a].0, layout.sizes[b].0);
                    prop_assert!(apart >= needed + GAP - 1e-6);
                }
                for at in level.clone() {
                    let (x, half) = (layout.x[at], layout.sizes[at].0 / 2.0);
                    prop_assert!(x - half >= -1e-6 && x + half <= layout.width + 1e-6);
                    let children = picture.nodes[at].children.clone();
                    if let (Some(first), Some(last)) = (children.clone().next(), children.last()) {
                        let middle = f64::midpoint(layout.x[first], layout.x[last]);
                        prop_assert!((middle - x).abs() < 1e-6);
                    }
                }
            }
            let mut leaves: Vec<f64> = (0..picture.nodes.len())
                .filter(|&at| picture.nodes[at].leaf.is_some())
                .map(|at| layout.x[at])
                .collect();
            leaves.sort_by(f64::total_cmp);
            let steps: Vec<f64> = leaves.windows(2).map(|w| w[1] - w[0]).collect();
            prop_assert!(steps.iter().all(|s| (s - steps[0]).abs() < 1e-6));
        }
    }
}
