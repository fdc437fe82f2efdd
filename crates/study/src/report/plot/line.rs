//! One line of a plot: its points, error bars, markers and labels.

use super::super::svg::{Canvas, Point, text_width};
use super::super::thousands;
use super::axis::{Axis, LEAST_LOG, usable};
use super::frame::{Frame, font};
use super::marks::{INK, Look, MARKER};
use super::{Plot, Series};

/// A point with its error bar and its label.
#[derive(Clone, Copy)]
pub(super) struct PlottedPoint<'p> {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The lower end of the bar; the point itself if there is none.
    pub(super) low: f64,
    /// The upper end.
    pub(super) high: f64,
    label: &'p str,
}

impl PlottedPoint<'_> {
    fn has_bar(&self) -> bool {
        self.low < self.high
    }
}

/// The part of a series that can be shown.
pub(super) struct PlottedLine<'p> {
    pub(super) name: &'p str,
    pub(super) look: Look,
    /// Are the bars symmetric?
    even: bool,
    /// Is there no line through the points?
    scattered: bool,
    /// `None` is a gap.
    pub(super) shown: Vec<Option<PlottedPoint<'p>>>,
}

impl<'p> PlottedLine<'p> {
    /// The line number `i` of `plot`.
    pub(super) fn of(plot: &Plot, series: &'p Series, i: usize) -> PlottedLine<'p> {
        let errors = series.errors.as_deref().unwrap_or(&[]);
        let shown = series.points.iter().enumerate().map(|(i, &(x, y))| {
            let error = errors.get(i).copied().filter(|&e| usable(e) && e > 0.0).unwrap_or(0.0);
            let holds =
                |(low, high): &(f64, f64)| usable(*low) && usable(*high) && *low <= y && y <= *high;
            let (low, high) = match series.intervals.get(i).copied() {
                None => (y - error, y + error),
                Some(interval) => Some(interval).filter(holds).unwrap_or((y, y)),
            };
            let label = series.labels.get(i).map_or("", String::as_str);
            let fits = usable(x)
                && usable(y)
                && (!plot.log_x || x > LEAST_LOG)
                && (!plot.log_y || y > LEAST_LOG);
            fits.then_some(PlottedPoint { x, y, low, high, label })
        });
        let number = series.look.unwrap_or(i);
        let look = match (series.reference, series.dashed) {
            (true, _) => Look::Reference(number),
            (_, Some(dashed)) => Look::Stroked { number, dashed },
            _ => Look::Number(number),
        };
        let even = series.intervals.is_empty();
        let scattered = series.scattered;
        PlottedLine { name: &series.name, look, even, scattered, shown: shown.collect() }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = &PlottedPoint<'p>> + Clone {
        self.shown.iter().flatten()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shown.iter().all(Option::is_none)
    }

    pub(super) fn draw_errors(
        &self,
        canvas: &mut Canvas,
        y_axis: &Axis,
        place: impl Fn((f64, f64)) -> Point,
    ) {
        if !self.points().any(PlottedPoint::has_bar) {
            return;
        }
        let colour = self.look.colour();
        let mut segments = Vec::new();
        for p in self.points().filter(|p| p.has_bar()) {
            // On a logarithmic axis a bar may be infinitely long, or very long: it is cut at the frame.
            let ends = [p.low, p.high].map(|y| y.clamp(y_axis.low, y_axis.high));
            let [lower, upper] = ends.map(|y| place((p.x, y)));
            segments.push((lower, upper));
            for (end, cut, (x, y)) in [(p.low, ends[0], lower), (p.high, ends[1], upper)] {
                if end == cut {
                    segments.push(((x - 4.0, y), (x + 4.0, y)));
                }
            }
        }
        let style = format!("stroke=\"{colour}\" stroke-width=\"1.2\" opacity=\"0.75\"");
        canvas.segments(&segments, &style);
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, place: impl Fn((f64, f64)) -> Point) {
        if self.scattered {
            return;
        }
        for run in self.shown.split(Option::is_none).filter(|run| run.len() > 1) {
            let points: Vec<Point> = run.iter().flatten().map(|p| place((p.x, p.y))).collect();
            canvas.path(&points, false, &self.look.stroke());
        }
    }

    /// The markers, with what they say when the mouse rests on them if there is one.
    pub(super) fn draw_markers(
        &self,
        canvas: &mut Canvas,
        hover: bool,
        place: impl Fn((f64, f64)) -> Point,
    ) {
        if let Look::Reference(_) = self.look {
            return;
        }
        canvas.open(&self.look.marker_style());
        for p in self.points() {
            if !hover {
                self.look.draw_marker(canvas, place((p.x, p.y)), "");
                continue;
            }
            let plain =
                |v: f64| if v.abs() < 1e15 { thousands(v, decimals(v)) } else { format!("{v:e}") };
            let bar = match self.even {
                _ if !p.has_bar() => String::new(),
                true => format!(" ± {}", plain(p.high - p.y)),
                false => format!(" [{}, {}]", plain(p.low), plain(p.high)),
            };
            let name = if p.label.is_empty() { self.name } else { p.label };
            let hover = format!("{name}: ({}, {}{bar})", plain(p.x), plain(p.y));
            self.look.draw_hovered(canvas, place((p.x, p.y)), &hover);
        }
        canvas.close();
    }
}

/// The decimals of a number: none for a whole one, more for a small one.
fn decimals(v: f64) -> usize {
    if v == v.round() { 0 } else { (3.0 - v.abs().log10().floor()).clamp(2.0, 9.0) as usize }
}

/// Left, top, right, bottom.
type Rectangle = (f64, f64, f64, f64);

const LABEL: f64 = 11.0;

/// Writes the labels beside the points, each where it covers no marker, no line and no other label. A
/// label without such a place appears only in the marker's hover text.
pub(super) fn draw_labels(
    canvas: &mut Canvas,
    frame: &Frame,
    lines: &[PlottedLine<'_>],
    place: impl Fn((f64, f64)) -> Point,
) {
    let around = |(x, y): Point, r: f64| (x - r, y - r, x + r, y + r);
    let mut taken: Vec<Rectangle> = Vec::new();
    for line in lines {
        taken.extend(line.points().map(|p| around(place((p.x, p.y)), MARKER + 1.0)));
        for pair in line.shown.windows(2) {
            let [Some(a), Some(b)] = pair else { continue };
            let (a, b) = (place((a.x, a.y)), place((b.x, b.y)));
            let steps = ((b.0 - a.0).hypot(b.1 - a.1) / 4.0).ceil().clamp(1.0, 1000.0);
            for i in 0..=steps as usize {
                let part = i as f64 / steps;
                taken.push(around((a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1)), 1.5));
            }
        }
    }
    for point in lines.iter().flat_map(PlottedLine::points).filter(|p| !p.label.is_empty()) {
        let (x, y) = place((point.x, point.y));
        let (w, h) = (text_width(point.label, LABEL), LABEL);
        let (side, over) = (MARKER + 3.0, MARKER + 2.0);
        let corners = [
            (x + side, y - h / 2.0),
            (x - side - w, y - h / 2.0),
            (x - w / 2.0, y - over - h),
            (x - w / 2.0, y + over),
            (x + over, y - over - h),
            (x + over, y + over),
            (x - over - w, y - over - h),
            (x - over - w, y + over),
        ];
        let free = corners.into_iter().map(|(x, y)| (x, y, x + w, y + h)).find(|&at| {
            let inside = at.0 > frame.left && at.2 < frame.right && at.1 > frame.top - 8.0;
            inside && at.3 < frame.bottom - 2.0 && !taken.iter().any(|&t| overlap(at, t))
        });
        if let Some(at) = free {
            let style = format!("{} fill=\"{INK}\"", font("start", LABEL));
            canvas.text((at.0, at.3 - 2.0), point.label, &style);
            taken.push(at);
        }
    }
}

fn overlap(a: Rectangle, b: Rectangle) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
