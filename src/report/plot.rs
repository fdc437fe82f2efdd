//! Line plots: how a count grows with depth, width or order, one line an algorithm.
//!
//! Lines are told apart three times over, by colour, by marker and by dashes, because readers print
//! in grey and not all eyes see the same colours. The legend has a column of its own and cannot
//! cover the data.

use super::svg::{Canvas, Point, number, text_width, wrap};
use super::thousands;

const WIDTH: f64 = 860.0;
/// Long legends and notes make a plot higher than this.
const HEIGHT: f64 = 520.0;
const MARGIN: f64 = 20.0;
const FONT: f64 = 12.0;
const TITLE_FONT: f64 = 18.0;
const LABEL_FONT: f64 = 13.0;
const NOTE_FONT: f64 = 11.0;
/// The widest that the names of a legend may be before they are broken into lines.
const NAME_WIDTH: f64 = 180.0;
/// The line beside a name.
const SAMPLE_WIDTH: f64 = 38.0;
const LINE_HEIGHT: f64 = 16.0;

const INK: &str = "#1f2933";
const PALE: &str = "#616b75";
const GRID: &str = "stroke=\"#dfe3e8\" stroke-width=\"1\"";
const MINOR_GRID: &str = "stroke=\"#f1f3f5\" stroke-width=\"1\"";
const AXIS: &str = "stroke=\"#4a5560\" stroke-width=\"1.2\"";

/// Okabe and Ito's colours without their yellow, which is lost on white, and Tol's darker ones.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#b8579a", "#e69f00", "#3d2b8c", "#222222", "#56b4e9",
    "#882255", "#8a8a1c", "#117733", "#8c6d5a",
];
/// Dashes repeat after 5, markers after 11 and colours after 12: no two of 660 lines are alike.
const DASHES: [&str; 5] = ["none", "8 4", "2.5 3", "10 3 2.5 3", "5 2.5"];
const MARKERS: usize = 11;
/// The radius of a marker.
const MARKER: f64 = 4.6;

/// A line of a [`Plot`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// (x, y) in the order in which the line goes. A point that is not finite is a gap in the line;
    /// so is one at or below zero on a logarithmic axis.
    pub points: Vec<(f64, f64)>,
    /// How far an error bar reaches up and down from each point, such as a standard error. A missing
    /// one is not drawn, nor is one that is not positive.
    pub errors: Option<Vec<f64>>,
}

/// A line plot.
///
/// ```
/// use plyground::report::plot::{Plot, Series};
///
/// let minimax = Series {
///     name: "minimax".into(),
///     points: (1..=6).map(|depth| (f64::from(depth), 5f64.powi(depth))).collect(),
///     errors: None,
/// };
/// let plot = Plot {
///     title: "Leaves of a uniform tree of width 5".into(),
///     x_label: "depth".into(),
///     y_label: "leaves".into(),
///     log_y: true,
///     series: vec![minimax],
///     ..Plot::default()
/// };
/// assert!(plot.to_svg().contains("10,000"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Over the plot.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// Is the vertical axis logarithmic?
    pub log_y: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// Places on the horizontal axis with their names, where numbers would not do.
    pub x_ticks: Option<Vec<(f64, String)>>,
    /// A few words below the plot: where the numbers come from.
    pub note: Option<String>,
}

impl Plot {
    /// The plot as an SVG file.
    pub fn to_svg(&self) -> String {
        let lines: Vec<Line<'_>> = self.series.iter().map(|s| Line::of(s, self.log_y)).collect();
        let y_axis = self.y_axis(&lines);
        let x_axis = self.x_axis(&lines);
        let frame = self.frame(&lines, &x_axis, &y_axis);
        let mut canvas = Canvas::new();
        self.draw_texts(&mut canvas, &frame, &lines);
        draw_grid(&mut canvas, &frame, &x_axis, &y_axis);
        let place = |(x, y): (f64, f64)| frame.place(x_axis.part(x), y_axis.part(y));
        for (i, line) in lines.iter().enumerate() {
            line.draw_errors(&mut canvas, i, &y_axis, place);
        }
        for (i, line) in lines.iter().enumerate() {
            line.draw(&mut canvas, i, place);
        }
        for (i, line) in lines.iter().enumerate() {
            line.draw_markers(&mut canvas, i, place);
        }
        if lines.iter().all(Line::is_empty) {
            let style = format!("{} fill=\"{PALE}\"", font("middle", 16.0));
            canvas.text(frame.place(0.5, 0.5), "no data", &style);
        }
        draw_legend(&mut canvas, &frame, &lines);
        canvas.finish(WIDTH, frame.height, &self.title)
    }

    fn y_axis(&self, lines: &[Line<'_>]) -> Axis {
        let ends = lines.iter().flat_map(|line| {
            line.shown.iter().flatten().flat_map(|p| [p.y, p.y + p.error, p.y - p.error])
        });
        if self.log_y {
            // An error bar may reach to zero, which is nowhere on this axis: a decade is enough.
            let points = lines.iter().flat_map(|line| line.shown.iter().flatten().map(|p| p.y));
            let least = points.fold(f64::INFINITY, f64::min) / 10.0;
            match span(ends.filter(|&y| y >= least)) {
                Some((low, high)) => Axis::logarithmic(low, high),
                None => Axis::logarithmic(1.0, 10.0),
            }
        } else {
            let (low, high) = span(ends).unwrap_or((0.0, 1.0));
            // Zero belongs to the picture unless it would press the lines together.
            let from_zero = if low > 0.0 && low < 0.5 * high { 0.0 } else { low };
            let to_zero = if high < 0.0 && high > 0.5 * low { 0.0 } else { high };
            Axis::linear(from_zero, to_zero)
        }
    }

    fn x_axis(&self, lines: &[Line<'_>]) -> Axis {
        let points = lines.iter().flat_map(|line| line.shown.iter().flatten().map(|p| p.x));
        match &self.x_ticks {
            None => {
                let whole = points.clone().all(|x| x == x.round());
                Axis::padded(span(points).unwrap_or((0.0, 1.0)), whole)
            }
            Some(named) => {
                let named: Vec<_> = named.iter().filter(|(x, _)| usable(*x)).collect();
                let places = named.iter().map(|(x, _)| *x);
                let mut axis = Axis::padded(span(points.chain(places)).unwrap_or((0.0, 1.0)), true);
                let tick = |(x, name): &&(f64, String)| Tick { at: *x, label: Some(shorten(name)) };
                axis.ticks = named.iter().map(tick).collect();
                axis.ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
                axis
            }
        }
    }

    /// How the room is divided.
    fn frame(&self, lines: &[Line<'_>], x_axis: &Axis, y_axis: &Axis) -> Frame {
        let title = match self.title.trim() {
            "" => Vec::new(),
            title => wrap(title, TITLE_FONT * 1.05, WIDTH - 2.0 * MARGIN),
        };
        // A name in the legend and no line in the plot: say that it is not an oversight.
        let name = |line: &Line<'_>| match line.is_empty() {
            true => wrap(&format!("{} (no data)", line.name), FONT, NAME_WIDTH),
            false => wrap(line.name, FONT, NAME_WIDTH),
        };
        let names: Vec<Vec<String>> = lines.iter().map(name).collect();
        let has_legend = self.series.len() > 1 || self.series.iter().any(|s| !s.name.is_empty());
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|t| text_width(t, FONT)).fold(0.0, f64::max)
        };
        let legend = match has_legend {
            true => SAMPLE_WIDTH + 8.0 + widest(&mut names.iter().flatten()).max(50.0) + 22.0,
            false => 10.0,
        };
        let y_room = widest(&mut y_axis.ticks.iter().filter_map(|t| t.label.as_ref()));
        let mut left = MARGIN + 22.0 + y_room + 10.0;
        let right = WIDTH - MARGIN - legend;
        let x_room = widest(&mut x_axis.ticks.iter().filter_map(|t| t.label.as_ref()));
        // Names that would touch are turned.
        let places = x_axis.labelled().map(|at| left + x_axis.part(at) * (right - left));
        let nearest = gaps(places).fold(f64::INFINITY, f64::min);
        let turned = x_room + 8.0 > nearest;
        if turned {
            // They reach to the left, the first one perhaps beyond the picture.
            for tick in &x_axis.ticks {
                let reach = 0.82 * tick.label.as_ref().map_or(0.0, |l| text_width(l, FONT));
                let part = x_axis.part(tick.at);
                left = left.max((MARGIN + reach - part * right) / (1.0 - part));
            }
        }
        let x_height = if turned { 0.6 * x_room + 20.0 } else { 22.0 };
        let top = MARGIN + title.len() as f64 * (TITLE_FONT + 5.0) + 14.0;
        let bottom_room = x_height + 26.0;
        let notes = self.notes();
        let note_height = notes.len() as f64 * (NOTE_FONT + 4.0);
        let rows: usize = names.iter().map(Vec::len).sum();
        let legend_height = rows as f64 * LINE_HEIGHT + names.len() as f64 * 5.0;
        let bottom = (HEIGHT - MARGIN - note_height - bottom_room).max(top + 160.0);
        let below = bottom + bottom_room + note_height;
        let height = below.max(top + legend_height) + MARGIN;
        Frame {
            title,
            names,
            has_legend,
            turned,
            left,
            right,
            top,
            bottom,
            y_room,
            x_height,
            notes,
            height,
        }
    }

    /// The lines below the plot. What could not be shown is said and not left out in silence.
    fn notes(&self) -> Vec<String> {
        let points = self.series.iter().flat_map(|s| &s.points);
        let lost = points
            .filter(|(x, y)| {
                let infinite = x.is_infinite() || y.is_infinite();
                infinite || (self.log_y && x.is_finite() && *y <= LEAST_LOG)
            })
            .count();
        let mut notes = match self.note.as_deref().map(str::trim) {
            None | Some("") => Vec::new(),
            Some(note) => wrap(note, NOTE_FONT, WIDTH - 2.0 * MARGIN),
        };
        let why = if self.log_y { "infinite, or not above zero" } else { "infinite" };
        match lost {
            0 => {}
            1 => notes.push(format!("1 point has no place on these axes ({why}).")),
            n => notes.push(format!("{n} points have no place on these axes ({why}).")),
        }
        notes
    }

    fn draw_texts(&self, canvas: &mut Canvas, frame: &Frame, lines: &[Line<'_>]) {
        let mut y = MARGIN;
        for line in &frame.title {
            y += TITLE_FONT;
            let style =
                format!("{} font-weight=\"bold\" fill=\"{INK}\"", font("start", TITLE_FONT));
            canvas.text((MARGIN, y), line, &style);
            y += 5.0;
        }
        let style = format!("{} fill=\"{INK}\"", font("middle", LABEL_FONT));
        let middle = f64::midpoint(frame.left, frame.right);
        let x_label = (middle, frame.bottom + frame.x_height + LABEL_FONT + 3.0);
        canvas.text(x_label, &self.x_label, &style);
        let (x, y) = (frame.left - frame.y_room - 22.0, f64::midpoint(frame.top, frame.bottom));
        let turn = format!("transform=\"rotate(-90 {} {})\"", number(x), number(y));
        let scale =
            if self.log_y && lines.iter().any(|l| !l.is_empty()) { " (log scale)" } else { "" };
        canvas.text((x, y), &format!("{}{scale}", self.y_label), &format!("{style} {turn}"));
        let mut y = frame.height - MARGIN - frame.notes.len() as f64 * (NOTE_FONT + 4.0);
        for note in &frame.notes {
            y += NOTE_FONT + 4.0;
            let style = format!("{} fill=\"{PALE}\"", font("start", NOTE_FONT));
            canvas.text((MARGIN, y), note, &style);
        }
    }
}

/// A point with its error bar, 0 if it has none.
#[derive(Clone, Copy)]
struct Shown {
    x: f64,
    y: f64,
    error: f64,
}

/// What of a series can be shown.
struct Line<'p> {
    name: &'p str,
    /// `None` is a gap.
    shown: Vec<Option<Shown>>,
}

impl Line<'_> {
    fn of(series: &Series, log_y: bool) -> Line<'_> {
        let errors = series.errors.as_deref().unwrap_or(&[]);
        let shown = series.points.iter().enumerate().map(|(i, &(x, y))| {
            let error = errors.get(i).copied().filter(|&e| usable(e) && e > 0.0).unwrap_or(0.0);
            let fits = usable(x) && usable(y) && (!log_y || y > LEAST_LOG);
            fits.then_some(Shown { x, y, error })
        });
        Line { name: &series.name, shown: shown.collect() }
    }

    fn is_empty(&self) -> bool {
        self.shown.iter().all(Option::is_none)
    }

    fn draw_errors(
        &self,
        canvas: &mut Canvas,
        i: usize,
        y_axis: &Axis,
        place: impl Fn((f64, f64)) -> Point,
    ) {
        if self.shown.iter().flatten().all(|p| p.error == 0.0) {
            return;
        }
        canvas.open(&format!("stroke=\"{}\" stroke-width=\"1.2\" opacity=\"0.75\"", colour(i)));
        for p in self.shown.iter().flatten().filter(|p| p.error > 0.0) {
            let upper = place((p.x, p.y + p.error));
            // On a logarithmic axis the bar may go down for ever.
            let ends_inside = p.y - p.error >= y_axis.low;
            let lower = place((p.x, if ends_inside { p.y - p.error } else { y_axis.low }));
            canvas.line(lower, upper, "");
            let caps = if ends_inside { vec![lower, upper] } else { vec![upper] };
            for (x, y) in caps {
                canvas.line((x - 4.0, y), (x + 4.0, y), "");
            }
        }
        canvas.close();
    }

    fn draw(&self, canvas: &mut Canvas, i: usize, place: impl Fn((f64, f64)) -> Point) {
        for run in self.shown.split(Option::is_none).filter(|run| run.len() > 1) {
            let points: Vec<Point> = run.iter().flatten().map(|p| place((p.x, p.y))).collect();
            canvas.path(&points, false, &stroke(i));
        }
    }

    fn draw_markers(&self, canvas: &mut Canvas, i: usize, place: impl Fn((f64, f64)) -> Point) {
        for p in self.shown.iter().flatten() {
            let plain =
                |v: f64| if v.abs() < 1e15 { thousands(v, decimals(v)) } else { format!("{v:e}") };
            let error =
                if p.error > 0.0 { format!(" ± {}", plain(p.error)) } else { String::new() };
            let hover = format!("{}: ({}, {}{error})", self.name, plain(p.x), plain(p.y));
            canvas.open_with_hover(&hover);
            draw_marker(canvas, i, place((p.x, p.y)));
            canvas.close();
        }
    }
}

/// As many as tell something: none for a whole number, more for a small one.
fn decimals(v: f64) -> usize {
    if v == v.round() { 0 } else { (3.0 - v.abs().log10().floor()).clamp(2.0, 9.0) as usize }
}

/// How the room of a plot is divided.
struct Frame {
    title: Vec<String>,
    /// The names of the legend in lines.
    names: Vec<Vec<String>>,
    has_legend: bool,
    /// Are the names on the horizontal axis turned?
    turned: bool,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// The width of the numbers on the vertical axis.
    y_room: f64,
    /// The height of the names on the horizontal axis.
    x_height: f64,
    notes: Vec<String>,
    height: f64,
}

impl Frame {
    /// A place given in parts of the axes.
    fn place(&self, x: f64, y: f64) -> Point {
        (self.left + x * (self.right - self.left), self.bottom - y * (self.bottom - self.top))
    }
}

fn draw_grid(canvas: &mut Canvas, frame: &Frame, x_axis: &Axis, y_axis: &Axis) {
    let Frame { left, right, top, bottom, .. } = *frame;
    // Minor lines first, so that the others lie over them.
    for (labelled, style) in [(false, MINOR_GRID), (true, GRID)] {
        canvas.open(style);
        for tick in y_axis.ticks.iter().filter(|t| t.label.is_some() == labelled) {
            let (_, y) = frame.place(0.0, y_axis.part(tick.at));
            canvas.line((left, y), (right, y), "");
        }
        for tick in x_axis.ticks.iter().filter(|t| t.label.is_some() == labelled) {
            let (x, _) = frame.place(x_axis.part(tick.at), 0.0);
            canvas.line((x, top), (x, bottom), "");
        }
        canvas.close();
    }
    canvas.open(AXIS);
    canvas.line((left, top), (left, bottom), "");
    canvas.line((left, bottom), (right, bottom), "");
    if y_axis.low < 0.0 && y_axis.high > 0.0 && !y_axis.is_log {
        let (_, zero) = frame.place(0.0, y_axis.part(0.0));
        canvas.line((left, zero), (right, zero), "");
    }
    for tick in &y_axis.ticks {
        let (x, y) = frame.place(0.0, y_axis.part(tick.at));
        canvas.line((x - if tick.label.is_some() { 5.0 } else { 3.0 }, y), (x, y), "");
    }
    for tick in &x_axis.ticks {
        let (x, y) = frame.place(x_axis.part(tick.at), 0.0);
        canvas.line((x, y), (x, y + 5.0), "");
    }
    canvas.close();
    let style = format!("{} fill=\"{INK}\"", font("end", FONT));
    for tick in &y_axis.ticks {
        let (x, y) = frame.place(0.0, y_axis.part(tick.at));
        canvas.text((x - 9.0, y + 4.2), tick.label.as_deref().unwrap_or(""), &style);
    }
    let mut last = f64::NEG_INFINITY;
    for tick in &x_axis.ticks {
        let (x, y) = frame.place(x_axis.part(tick.at), 0.0);
        let label = tick.label.as_deref().unwrap_or("");
        if !frame.turned {
            let style = format!("{} fill=\"{INK}\"", font("middle", FONT));
            canvas.text((x, y + 19.0), label, &style);
        } else if x - last >= LINE_HEIGHT {
            // Even turned, names need a line's height each: of a crowd, only some are written.
            last = x;
            let turn =
                format!("transform=\"rotate(-35 {} {})\"", number(x + 4.0), number(y + 15.0));
            canvas.text((x + 4.0, y + 15.0), label, &format!("{style} {turn}"));
        }
    }
}

fn draw_legend(canvas: &mut Canvas, frame: &Frame, lines: &[Line<'_>]) {
    if !frame.has_legend {
        return;
    }
    let x = frame.right + 22.0;
    let mut y = frame.top + 6.0;
    for (i, (line, name)) in lines.iter().zip(&frame.names).enumerate() {
        canvas.line((x, y), (x + SAMPLE_WIDTH, y), &stroke(i));
        draw_marker(canvas, i, (x + SAMPLE_WIDTH / 2.0, y));
        let fill = if line.is_empty() { "#8a949e" } else { INK };
        let style = format!("{} fill=\"{fill}\"", font("start", FONT));
        for text in name {
            canvas.text((x + SAMPLE_WIDTH + 8.0, y + 4.2), text, &style);
            y += LINE_HEIGHT;
        }
        y += 5.0;
    }
}

fn font(anchor: &str, size: f64) -> String {
    format!("text-anchor=\"{anchor}\" font-size=\"{}\"", number(size))
}

fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

fn stroke(i: usize) -> String {
    let dashes = DASHES[i % DASHES.len()];
    format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
         stroke-dasharray=\"{dashes}\"",
        colour(i)
    )
}

fn draw_marker(canvas: &mut Canvas, i: usize, (x, y): Point) {
    let r = MARKER;
    // A white rim keeps markers apart that lie on each other.
    let style = format!("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.9\"", colour(i));
    // Corners at angles in twelfths of a turn, clockwise from the top, at a share of the radius.
    let corners = |corners: &[(f64, f64)]| -> Vec<Point> {
        let corner = |&(hour, share): &(f64, f64)| {
            let angle = hour / 12.0 * std::f64::consts::TAU;
            (x + r * share * angle.sin(), y - r * share * angle.cos())
        };
        corners.iter().map(corner).collect()
    };
    let triangle = |turn: f64| [(turn, 1.25), (turn + 4.0, 1.25), (turn + 8.0, 1.25)];
    // Four arms, each with two corners at its end and one between it and the next.
    let cross = |turn: f64| -> Vec<(f64, f64)> {
        let arm = |k: f64| [(k - 0.6, 1.3), (k + 0.6, 1.3), (k + 1.5, 0.58)];
        (0..4).flat_map(|k| arm(turn + 3.0 * f64::from(k))).collect()
    };
    let star: Vec<(f64, f64)> =
        (0..10).map(|k| (1.2 * f64::from(k), if k % 2 == 0 { 1.5 } else { 0.65 })).collect();
    let pentagon: Vec<(f64, f64)> = (0..5).map(|k| (2.4 * f64::from(k), 1.15)).collect();
    let outline = match i % MARKERS {
        0 => return canvas.circle((x, y), r, &style),
        1 => return canvas.rect((x, y), (1.75 * r, 1.75 * r), 0.0, &style),
        2 => corners(&triangle(0.0)),
        3 => corners(&[(0.0, 1.3), (3.0, 1.3), (6.0, 1.3), (9.0, 1.3)]),
        4 => corners(&triangle(6.0)),
        5 => corners(&cross(1.5)),
        6 => corners(&star),
        7 => corners(&cross(0.0)),
        8 => corners(&pentagon),
        9 => corners(&triangle(3.0)),
        _ => corners(&triangle(9.0)),
    };
    canvas.path(&outline, true, &style);
}

/// A place on an axis; without a label, a small one.
#[derive(Clone, Debug, PartialEq)]
struct Tick {
    at: f64,
    label: Option<String>,
}

/// An axis from `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
    ticks: Vec<Tick>,
}

impl Axis {
    /// From a round number to a round number.
    fn linear(low: f64, high: f64) -> Axis {
        let (low, high) = widened(low, high);
        let step = round_step((high - low) / 8.0);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let ticks = linear_ticks(first, last, step);
        Axis { low: first * step, high: last * step, is_log: false, ticks }
    }

    /// From a little below to a little above, with round numbers between. With `whole`, only whole
    /// numbers are written.
    fn padded((low, high): (f64, f64), whole: bool) -> Axis {
        let one = high - low < 1e-9 * low.abs().max(1e-270);
        let (low, high) = if one { (low - 0.5, high + 0.5) } else { (low, high) };
        // Of a very large number, a half more or less is no difference.
        let (low, high) = widened(low, high);
        let pad = 0.04 * (high - low);
        let (low, high) = (low - pad, high + pad);
        let least = if whole { 1.0 } else { 0.0 };
        let step = round_step((high - low) / 10.0).max(least);
        let ticks = linear_ticks((low / step).ceil(), (high / step).floor(), step);
        Axis { low, high, is_log: false, ticks }
    }

    /// A logarithmic axis; both ends are above zero.
    fn logarithmic(low: f64, high: f64) -> Axis {
        let (low, high) =
            if high / low < 1.0 + 1e-6 { (low / 2.0, high * 2.0) } else { (low, high) };
        // So little holds few powers of anything. The ticks are those of a linear axis, whose step is
        // then well below `low`: the axis does not reach zero.
        if high / low < 3.0 {
            return Axis { is_log: true, ..Axis::linear(low, high) };
        }
        let (low, high) = (one_two_five(low, false), one_two_five(high, true));
        let first = low.log10().floor() as i32;
        let last = high.log10().ceil() as i32;
        let inside = |v: f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&v);
        let places: Vec<(i32, i32, f64)> = (first..=last)
            .flat_map(|power| {
                (1..10).map(move |digit| (power, digit, f64::from(digit) * ten(power)))
            })
            .filter(|&(_, _, v)| inside(v))
            .collect();
        let decades = places.iter().filter(|&&(_, digit, _)| digit == 1).count() as i32;
        let long = first < -6 || last > 9;
        // The fewest labels that are still enough.
        let of_few = |digit: i32| matches!(digit, 1 | 2 | 5);
        let few = places.iter().filter(|&&(_, digit, _)| of_few(digit)).count();
        let every = 1 + (decades - 1) / 9;
        let is_labelled = |power: i32, digit: i32| match digit {
            1 => power.rem_euclid(every) == 0,
            _ if decades >= 4 => false,
            2 | 5 => true,
            _ => few < 4,
        };
        let ticks = places
            .iter()
            .filter(|&&(_, digit, _)| digit == 1 || decades <= 9)
            .map(|&(power, digit, at)| {
                let label = is_labelled(power, digit).then(|| power_label(digit, power, long));
                Tick { at, label }
            })
            .collect();
        Axis { low, high, is_log: true, ticks }
    }

    /// Where `v` is: 0 at the low end, 1 at the high end.
    fn part(&self, v: f64) -> f64 {
        if self.is_log {
            (v.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            (v - self.low) / (self.high - self.low)
        }
    }

    fn labelled(&self) -> impl Iterator<Item = f64> + '_ {
        self.ticks.iter().filter(|t| t.label.is_some()).map(|t| t.at)
    }
}

/// Differences of neighbours.
fn gaps(mut places: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    let mut last = places.next().unwrap_or(0.0);
    places.map(move |place| place - std::mem::replace(&mut last, place))
}

/// Numbers that can be reckoned with: differences of larger ones would overflow.
fn usable(v: f64) -> bool {
    v.is_finite() && v.abs() < 1e290
}

/// What a logarithmic axis takes for zero: powers of ten below it cannot be reckoned with.
const LEAST_LOG: f64 = 1e-280;

/// The least and the greatest.
fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |span, v| {
        let (low, high) = span.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    })
}

/// Ends that differ enough to write numbers between them.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < 1e-290 {
        (0.0, 1.0)
    } else if high - low < size * 1e-9 {
        (low - 0.1 * size, high + 0.1 * size)
    } else {
        (low, high)
    }
}

fn ten(power: i32) -> f64 {
    10f64.powi(power)
}

/// The next of 1, 2, 5, 10, … at or above `least`.
fn round_step(least: f64) -> f64 {
    one_two_five(least, true)
}

/// The nearest of …, 1, 2, 5, 10, … above `v`, or below it; `v` itself if it is one.
fn one_two_five(v: f64, above: bool) -> f64 {
    let power = v.log10().floor() as i32;
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * ten(power));
    let found = if above {
        candidates.into_iter().find(|&c| c >= v * (1.0 - 1e-9))
    } else {
        candidates.into_iter().rev().find(|&c| c <= v * (1.0 + 1e-9))
    };
    found.unwrap_or(v)
}

/// Ticks at `first`, …, `last` times `step`.
fn linear_ticks(first: f64, last: f64, step: f64) -> Vec<Tick> {
    let decimals = -step.log10().floor() as i32;
    let count = (last - first).clamp(0.0, 100.0) as i32;
    let at = |i: i32| (first + f64::from(i)) * step;
    let tick = |at: f64| Tick { at, label: Some(shown_number(at, decimals)) };
    (0..=count).map(at).map(tick).collect()
}

/// A number for people, rounded to `decimals`, which are those left of the point if negative: with
/// separators, or with a power of ten where that would be too long.
fn shown_number(v: f64, decimals: i32) -> String {
    if v == 0.0 || (v.abs() < 1e12 && decimals < 8) {
        return thousands(v, decimals.max(0) as usize);
    }
    let digits = (v.abs().log10().floor() as i32 + decimals).clamp(0, 12) as usize;
    format!("{v:.digits$e}")
}

/// `digit` · 10^`power`. On an axis with `long` numbers, powers are written as such.
fn power_label(digit: i32, power: i32, long: bool) -> String {
    if !long || (-3..=3).contains(&power) {
        return thousands(f64::from(digit) * ten(power), power.min(0).unsigned_abs() as usize);
    }
    let raised: String = power.to_string().chars().map(superscript).collect();
    if digit == 1 { format!("10{raised}") } else { format!("{digit}·10{raised}") }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// A name that fits under an axis.
fn shorten(name: &str) -> String {
    const MOST: usize = 24;
    if name.chars().count() <= MOST {
        return name.into();
    }
    let start: String = name.chars().take(MOST - 1).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::super::svg::check;
    use super::*;
    use proptest::prelude::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.into(), points: points.to_vec(), errors: None }
    }

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().filter_map(|t| t.label.as_deref()).collect()
    }

    #[test]
    fn linear_axes_have_round_numbers() {
        assert_eq!(
            labels(&Axis::linear(0.0, 262_000.0)),
            ["0", "50,000", "100,000", "150,000", "200,000", "250,000", "300,000"]
        );
        assert_eq!(
            labels(&Axis::linear(0.97, 1.04)),
            ["0.97", "0.98", "0.99", "1.00", "1.01", "1.02", "1.03", "1.04"]
        );
        assert_eq!(labels(&Axis::linear(-3.0, 3.0)), ["-3", "-2", "-1", "0", "1", "2", "3"]);
        assert_eq!(labels(&Axis::linear(5.0, 5.0)).len(), 7, "one value has an axis around it");
    }

    #[test]
    fn whole_numbers_stay_whole() {
        assert_eq!(labels(&Axis::padded((2.0, 4.0), true)), ["2", "3", "4"]);
        assert_eq!(labels(&Axis::padded((2.0, 4.0), false)), ["2.0", "2.5", "3.0", "3.5", "4.0"]);
        assert_eq!(labels(&Axis::padded((7.0, 7.0), true)), ["7"]);
    }

    #[test]
    fn logarithmic_axes_have_powers_and_minor_ticks() {
        let axis = Axis::logarithmic(8.0, 262_000.0);
        assert_eq!(labels(&axis), ["10", "100", "1,000", "10,000", "100,000"]);
        assert_eq!((axis.low, axis.high), (5.0, 500_000.0));
        assert!(axis.ticks.iter().any(|t| t.at == 300.0 && t.label.is_none()));
        assert_eq!(labels(&Axis::logarithmic(11.0, 190.0)), ["10", "20", "50", "100", "200"]);
        assert_eq!(
            labels(&Axis::logarithmic(21.0, 90.0)),
            ["20", "30", "40", "50", "60", "70", "80", "90", "100"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(0.8, 1.15)),
            ["0.80", "0.85", "0.90", "0.95", "1.00", "1.05", "1.10", "1.15"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(1.0, 1e13)),
            ["1", "100", "10⁴", "10⁶", "10⁸", "10¹⁰", "10¹²"]
        );
        assert_eq!(axis.part(axis.low), 0.0);
        let middle = axis.part((axis.low * axis.high).sqrt());
        assert!((middle - 0.5).abs() < 1e-9);
    }

    #[test]
    fn zero_is_shown_unless_it_presses_the_lines() {
        let low = |points: &[(f64, f64)]| {
            let plot = Plot { series: vec![series("a", points)], ..Plot::default() };
            let lines: Vec<_> = plot.series.iter().map(|s| Line::of(s, false)).collect();
            plot.y_axis(&lines).low
        };
        assert_eq!(low(&[(1.0, 3.0), (2.0, 10.0)]), 0.0);
        assert_eq!(low(&[(1.0, 90.0), (2.0, 100.0)]), 90.0);
    }

    #[test]
    fn gaps_break_the_line_and_are_told() {
        let points = [
            (1.0, 1.0),
            (2.0, 10.0),
            (3.0, f64::NAN),
            (4.0, 5.0),
            (5.0, 0.0),
            (6.0, 7.0),
            (7.0, 8.0),
        ];
        let mut plot = Plot { log_y: true, series: vec![series("a", &points)], ..Plot::default() };
        let svg = plot.to_svg();
        check::well_formed(&svg);
        let paths = |svg: &str| svg.matches("<path").count();
        assert_eq!(paths(&svg), 2, "one over 1 and 2, one over 6 and 7");
        assert!(svg.contains("1 point has no place"), "the zero is lost; a NaN is no point");
        plot.log_y = false;
        let svg = plot.to_svg();
        assert_eq!(paths(&svg), 2, "with the zero, one over 1 and 2 and one from 4 to 7");
        assert!(!svg.contains("no place"));
    }

    #[test]
    fn error_bars_widen_the_axis_but_not_for_ever() {
        let axis = |error: f64, log_y: bool| {
            let mut line = series("a", &[(1.0, 100.0), (2.0, 200.0)]);
            line.errors = Some(vec![error]);
            let plot = Plot { log_y, series: vec![line], ..Plot::default() };
            let lines: Vec<_> = plot.series.iter().map(|s| Line::of(s, log_y)).collect();
            check::well_formed(&plot.to_svg());
            let axis = plot.y_axis(&lines);
            (axis.low, axis.high)
        };
        assert!(axis(300.0, false).1 >= 400.0);
        assert!(axis(300.0, false).0 <= -200.0);
        assert!(axis(99.9999999, true).0 >= 10.0, "a bar that ends near zero is cut off");
        assert_eq!(axis(f64::NAN, false), axis(0.0, false));
        assert_eq!(axis(-5.0, false), axis(0.0, false));
    }

    #[test]
    fn an_empty_plot_says_so() {
        for log_y in [false, true] {
            let nothing = series("void", &[(f64::NAN, 1.0), (1.0, f64::INFINITY)]);
            for series in [vec![], vec![nothing]] {
                let svg = Plot { log_y, series, ..Plot::default() }.to_svg();
                check::well_formed(&svg);
                assert!(check::texts(&svg).contains(&"no data"));
            }
        }
    }

    #[test]
    fn lines_differ_in_more_than_colour() {
        let mut looks = Vec::new();
        for i in 0..60 {
            looks.push((colour(i), DASHES[i % DASHES.len()], i % MARKERS));
        }
        for (i, a) in looks.iter().enumerate() {
            for b in &looks[..i] {
                assert_ne!(a, b);
            }
        }
        for i in 0..COLOURS.len() {
            for j in 0..i {
                assert_ne!(colour(i), colour(j));
                assert!(
                    i % MARKERS != j % MARKERS || DASHES[i % 5] != DASHES[j % 5],
                    "{i} and {j}"
                );
            }
        }
    }

    #[test]
    fn the_legend_is_beside_the_data_and_inside_the_picture() {
        let long = "a very long name of an algorithm that does not fit on one line of a legend";
        let many = (0..40).map(|i| series(&format!("{i} {long}"), &[(0.0, 1.0), (9.0, 2.0)]));
        let plot = Plot { series: many.collect(), ..Plot::default() };
        let lines: Vec<_> = plot.series.iter().map(|s| Line::of(s, false)).collect();
        let (x, y) = (plot.x_axis(&lines), plot.y_axis(&lines));
        let frame = plot.frame(&lines, &x, &y);
        let names = frame.right + 22.0 + SAMPLE_WIDTH + 8.0;
        for name in frame.names.iter().flatten() {
            assert!(names + text_width(name, FONT) <= WIDTH);
        }
        assert!(x.part(9.0) <= 1.0);
        let rows: usize = frame.names.iter().map(Vec::len).sum();
        assert!(frame.top + rows as f64 * LINE_HEIGHT < frame.height);
        assert!(frame.right - frame.left > 400.0);
    }

    #[test]
    fn crowded_names_are_turned() {
        let named = |names: &[&str]| {
            let ticks = names.iter().enumerate().map(|(i, n)| (i as f64, n.to_string())).collect();
            let plot = Plot {
                series: vec![series("a", &[(0.0, 1.0), (3.0, 2.0)])],
                x_ticks: Some(ticks),
                ..Plot::default()
            };
            let svg = plot.to_svg();
            check::well_formed(&svg);
            svg.contains("rotate(-35")
        };
        assert!(!named(&["a", "b", "c", "d"]));
        assert!(named(&["quite a long name"; 12]));
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => -1e6..1e6_f64,
            2 => (-10..10_i32).prop_map(f64::from),
            1 => any::<f64>(),
            1 => Just(f64::NAN),
            1 => Just(f64::INFINITY),
        ]
    }

    proptest! {
        #[test]
        fn axes_hold_what_they_are_made_for(a in any_number(), b in any_number()) {
            let [a, b] = [a, b].map(|v| if usable(v) { v } else { 1.0 });
            let (low, high) = (a.min(b), a.max(b));
            let mut axes = vec![Axis::linear(low, high), Axis::padded((low, high), false)];
            let (tiny, large) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
            if tiny > LEAST_LOG {
                axes.push(Axis::logarithmic(tiny, large));
            }
            for axis in axes {
                for v in if axis.is_log { [tiny, large] } else { [low, high] } {
                    prop_assert!((-1e-6..=1.0 + 1e-6).contains(&axis.part(v)), "{v} on {axis:?}");
                }
                prop_assert!(axis.ticks.windows(2).all(|t| t[0].at < t[1].at), "{axis:?}");
                for tick in &axis.ticks {
                    prop_assert!((-1e-6..=1.0 + 1e-6).contains(&axis.part(tick.at)), "{axis:?}");
                }
                let mut labels = labels(&axis);
                prop_assert!((2..=14).contains(&labels.len()), "{axis:?}");
                labels.dedup();
                prop_assert_eq!(labels.len(), axis.labelled().count());
            }
        }

        #[test]
        fn no_numbers_make_a_bad_file(
            points in prop::collection::vec((any_number(), any_number()), 0..12),
            errors in prop::option::of(prop::collection::vec(any_number(), 0..12)),
            names in ".{0,12}",
            log_y in any::<bool>(),
        ) {
            let ticks = points.iter().map(|p| (p.0, names.clone())).collect();
            let line = Series { name: names.clone(), points, errors };
            let mut plot = Plot {
                title: names.clone(),
                x_label: names.clone(),
                y_label: names.clone(),
                log_y,
                series: vec![line.clone(), line],
                x_ticks: None,
                note: Some(names),
            };
            check::well_formed(&plot.to_svg());
            plot.x_ticks = Some(ticks);
            check::well_formed(&plot.to_svg());
        }
    }
}
