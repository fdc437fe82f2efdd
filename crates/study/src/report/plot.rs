//! Line plots: how a count grows with depth, width or order, with one line for each algorithm.
//!
//! Lines differ in colour, marker and dashes, because some readers print in grey or are colour-blind.
//! The legend has a place of its own and cannot cover the data.

mod axis;
mod frame;
mod line;
mod marks;
mod text;

use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::svg::{Canvas, number, wrap};
use axis::{Axis, LEAST_LOG, Tick, shorten, span, usable};
use frame::{Frame, font};
use line::{PlottedLine, draw_labels};
use marks::{INK, PALE};

pub(super) use marks::{definitions, variables};

const WIDTH: f64 = 860.0;
/// Long legends and notes make a plot higher than this.
const HEIGHT: f64 = 520.0;
const MARGIN: f64 = 20.0;
const TITLE_FONT: f64 = 18.0;
const LABEL_FONT: f64 = 13.0;
const NOTE_FONT: f64 = 11.0;

/// A line of a [`Plot`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// (x, y) in the order in which the line goes. A point that is not finite is a gap in the line;
    /// so is one at or below zero on a logarithmic axis.
    pub points: Vec<(f64, f64)>,
    /// The length of the error bar at each point, up and down, such as a standard error. One that is
    /// missing or not positive is not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<f64>>,
    /// The ends of the bar at each point, in place of `errors`, for bars that are not symmetric. One that
    /// is missing or does not contain its point is not drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<(f64, f64)>,
    /// The label beside each point, which is drawn if there is room; may be missing or empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The number of its colour, marker and dashes; by default its number in the plot. Plots that show the
    /// same algorithm give it the same number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<usize>,
    /// Dashed with hollow markers, or solid with full ones, for plots in which that has a meaning; `None`
    /// for the dashes of its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dashed: Option<bool>,
    /// Are there points alone, without a line through them?
    #[serde(skip_serializing_if = "Not::not")]
    pub scattered: bool,
    /// Is this a reference line, which was not measured? Then it is thin and has no markers.
    #[serde(skip_serializing_if = "Not::not")]
    pub reference: bool,
}

/// A line plot.
///
/// ```
/// use plyground_study::report::plot::{Plot, Series};
///
/// let minimax = Series {
///     name: "minimax".into(),
///     points: (1..=6).map(|depth| (f64::from(depth), 5f64.powi(depth))).collect(),
///     ..Series::default()
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Plot {
    /// The title above the plot.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// Is the horizontal axis logarithmic?
    #[serde(skip_serializing_if = "Not::not")]
    pub log_x: bool,
    /// Is the vertical axis logarithmic?
    #[serde(skip_serializing_if = "Not::not")]
    pub log_y: bool,
    /// Are the ticks of logarithmic axes powers of two, and not of ten?
    #[serde(skip_serializing_if = "Not::not")]
    pub by_twos: bool,
    /// Are the lines drawn a little beside each other, so that their bars do not cover one another?
    #[serde(skip_serializing_if = "Not::not")]
    pub apart: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// Ticks of the horizontal axis with their names, in place of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_ticks: Option<Vec<(f64, String)>>,
    /// A note below the plot, such as the source of the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The screen that a plot in a page is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// A desktop: the legend is beside the data.
    Wide,
    /// A phone: the legend is below the data.
    Narrow,
}

/// The space that a plot is drawn into.
struct Room {
    width: f64,
    height: f64,
    /// Are the title and the note part of the picture?
    titled: bool,
    legend_below: bool,
}

const FILE: Room = Room { width: WIDTH, height: HEIGHT, titled: true, legend_below: false };

impl Plot {
    /// The plot as an SVG file.
    pub fn to_svg(&self) -> String {
        self.drawn_in(&FILE)
    }

    /// The plot as a part of a page. The page writes title and note and sets the colours.
    pub fn to_inline_svg(&self, screen: Screen) -> String {
        let room = match screen {
            Screen::Wide => {
                Room { width: WIDTH, height: 460.0, titled: false, legend_below: false }
            }
            Screen::Narrow => {
                Room { width: 400.0, height: 370.0, titled: false, legend_below: true }
            }
        };
        marks::for_page(&self.drawn_on(Canvas::inline(), &room))
    }

    fn drawn_in(&self, room: &Room) -> String {
        self.drawn_on(Canvas::new(), room)
    }

    fn drawn_on(&self, mut canvas: Canvas, room: &Room) -> String {
        let lines = self.lines();
        let y_axis = self.y_axis(&lines);
        let x_axis = self.x_axis(&lines);
        let frame = Frame::of(self, room, &lines, &x_axis, &y_axis);
        self.draw_texts(&mut canvas, &frame, &lines);
        frame.draw_grid(&mut canvas, &x_axis, &y_axis);
        let place = |(x, y): (f64, f64)| frame.place(x_axis.part(x), y_axis.part(y));
        // The lines share the room that neighbouring ticks leave.
        let beside = |number: usize| {
            let middle = (lines.len() as f64 - 1.0) / 2.0;
            let step = if self.apart { (24.0 / lines.len() as f64).min(4.0) } else { 0.0 };
            let aside = (number as f64 - middle) * step;
            move |at: (f64, f64)| {
                let (x, y) = place(at);
                (x + aside, y)
            }
        };
        for (number, line) in lines.iter().enumerate() {
            line.draw_errors(&mut canvas, &y_axis, beside(number));
        }
        for (number, line) in lines.iter().enumerate() {
            line.draw(&mut canvas, beside(number));
        }
        for (number, line) in lines.iter().enumerate() {
            // A narrow screen is touched, and shows no text under a mouse.
            line.draw_markers(&mut canvas, !room.legend_below, beside(number));
        }
        draw_labels(&mut canvas, &frame, &lines, place);
        if lines.iter().all(PlottedLine::is_empty) {
            let style = format!("{} fill=\"{PALE}\"", font("middle", 16.0));
            canvas.text(frame.place(0.5, 0.5), "no data", &style);
        }
        frame.draw_legend(&mut canvas, &lines);
        canvas.finish(frame.width, frame.height, &self.title)
    }

    fn lines(&self) -> Vec<PlottedLine<'_>> {
        self.series.iter().enumerate().map(|(i, series)| PlottedLine::of(self, series, i)).collect()
    }

    fn y_axis(&self, lines: &[PlottedLine<'_>]) -> Axis {
        let ends = lines.iter().flat_map(|line| line.points().flat_map(|p| [p.y, p.low, p.high]));
        if self.log_y {
            // A bar may reach to zero, which this axis does not have, or very far: one decade is shown.
            let points = lines.iter().flat_map(|line| line.points().map(|p| p.y));
            let (least, most) = span(points).unwrap_or((1.0, 10.0));
            let more = if self.by_twos { 2.0 } else { 10.0 };
            let near = ends.filter(|&y| y >= least / more && y <= most * more);
            let (low, high) = span(near).unwrap_or((1.0, 10.0));
            self.logarithmic(low, high)
        } else {
            let (low, high) = span(ends).unwrap_or((0.0, 1.0));
            // The axis includes zero unless that would squeeze the lines together.
            let from_zero = if low > 0.0 && low < 0.5 * high { 0.0 } else { low };
            let to_zero = if high < 0.0 && high > 0.5 * low { 0.0 } else { high };
            Axis::linear(from_zero, to_zero)
        }
    }

    fn logarithmic(&self, low: f64, high: f64) -> Axis {
        if self.by_twos { Axis::binary(low, high) } else { Axis::logarithmic(low, high) }
    }

    fn x_axis(&self, lines: &[PlottedLine<'_>]) -> Axis {
        let points = lines.iter().flat_map(|line| line.points().map(|p| p.x));
        match &self.x_ticks {
            None if self.log_x => {
                let (low, high) = span(points).unwrap_or((1.0, 10.0));
                let axis = self.logarithmic(low, high);
                // Points are often at powers of two: those at the ends must not touch the frame.
                let pad = if self.by_twos { (axis.high / axis.low).powf(0.03) } else { 1.0 };
                Axis { low: axis.low / pad, high: axis.high * pad, ..axis }
            }
            None => {
                let whole = points.clone().all(|x| x == x.round());
                Axis::padded(span(points).unwrap_or((0.0, 1.0)), whole)
            }
            Some(named) => {
                let named: Vec<_> = named
                    .iter()
                    .filter(|(x, _)| usable(*x) && (!self.log_x || *x > LEAST_LOG))
                    .collect();
                let places = named.iter().map(|(x, _)| *x);
                let span = span(points.chain(places));
                let mut axis = match self.log_x {
                    true => Axis::logarithmic_padded(span.unwrap_or((1.0, 10.0))),
                    false => Axis::padded(span.unwrap_or((0.0, 1.0)), true),
                };
                let tick = |(x, name): &&(f64, String)| Tick { at: *x, label: Some(shorten(name)) };
                axis.ticks = named.iter().map(tick).collect();
                axis.ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
                axis
            }
        }
    }

    /// The notes below the plot. Points that cannot be shown are counted there.
    fn notes(&self, room: &Room) -> Vec<String> {
        let points = self.series.iter().flat_map(|s| &s.points);
        let lost = points
            .filter(|(x, y)| {
                let infinite = x.is_infinite() || y.is_infinite();
                let under_y = self.log_y && x.is_finite() && *y <= LEAST_LOG;
                let under_x = self.log_x && y.is_finite() && *x <= LEAST_LOG;
                infinite || under_x || under_y
            })
            .count();
        let mut notes = match self.note.as_deref().map(str::trim) {
            None | Some("") => Vec::new(),
            Some(_) if !room.titled => Vec::new(),
            Some(note) => wrap(note, NOTE_FONT, room.width - 2.0 * MARGIN),
        };
        let why = if self.log_x || self.log_y { "infinite, or not above zero" } else { "infinite" };
        match lost {
            0 => {}
            1 => notes.push(format!("1 point has no place on these axes ({why}).")),
            n => notes.push(format!("{n} points have no place on these axes ({why}).")),
        }
        notes
    }

    fn draw_texts(&self, canvas: &mut Canvas, frame: &Frame, lines: &[PlottedLine<'_>]) {
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
        let has_data = lines.iter().any(|line| !line.is_empty());
        let scale = |is_log: bool| if is_log && has_data { " (log scale)" } else { "" };
        canvas.text(x_label, &format!("{}{}", self.x_label, scale(self.log_x)), &style);
        let (x, y) = (frame.left - frame.y_room - 22.0, f64::midpoint(frame.top, frame.bottom));
        let turn = format!("transform=\"rotate(-90 {} {})\"", number(x), number(y));
        let y_label = format!("{}{}", self.y_label, scale(self.log_y));
        canvas.text((x, y), &y_label, &format!("{style} {turn}"));
        let mut y = frame.height - MARGIN - frame.notes.len() as f64 * (NOTE_FONT + 4.0);
        for note in &frame.notes {
            y += NOTE_FONT + 4.0;
            let style = format!("{} fill=\"{PALE}\"", font("start", NOTE_FONT));
            canvas.text((MARGIN, y), note, &style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::svg::{check, text_width};
    use super::axis::tests::any_number;
    use super::*;
    use proptest::prelude::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.into(), points: points.to_vec(), ..Series::default() }
    }

    #[test]
    fn zero_is_shown_unless_it_presses_the_lines() {
        let low = |points: &[(f64, f64)]| {
            let plot = Plot { series: vec![series("a", points)], ..Plot::default() };
            let lines = plot.lines();
            plot.y_axis(&lines).low
        };
        assert_eq!(low(&[(1.0, 3.0), (2.0, 10.0)]), 0.0);
        assert_eq!(low(&[(1.0, 90.0), (2.0, 100.0)]), 90.0);
    }

    #[test]
    fn gaps_break_the_line_and_are_counted() {
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
            let lines = plot.lines();
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
    fn intervals_are_drawn_as_they_are() {
        let mut line = series("a", &[(1.0, 1.0), (2.0, 2.0), (4.0, 2.0)]);
        line.intervals = vec![(1.0, 1.0), (1.5, 2.5), (1e-3, 1e3)];
        let plot =
            Plot { log_x: true, log_y: true, by_twos: true, series: vec![line], ..Plot::default() };
        let axis = plot.y_axis(&plot.lines());
        assert_eq!((axis.low, axis.high), (1.0, 4.0), "what reaches too far is cut off");
        let svg = plot.to_svg();
        check::well_formed(&svg);
        assert!(svg.contains("a: (2, 2 [1.500, 2.500])"), "{svg}");
        assert!(svg.contains("a: (1, 1)"), "an interval of one point says nothing");
    }

    #[test]
    fn dashes_may_have_a_meaning() {
        let line = |name: &str, dashed| Series {
            look: Some(1),
            dashed: Some(dashed),
            ..series(name, &[(1.0, 1.0), (2.0, 2.0)])
        };
        let svg = |dashed| Plot { series: vec![line("a", dashed)], ..Plot::default() }.to_svg();
        let (solid, dashed) = (svg(false), svg(true));
        let full = "fill=\"#d55e00\"";
        assert!(solid.contains("stroke-dasharray=\"none\"") && solid.contains(full), "{solid}");
        assert!(!dashed.contains("stroke-dasharray=\"none\"") && !dashed.contains(full));
        assert!(dashed.contains("stroke=\"#d55e00\""), "the colour is the same: {dashed}");
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
    fn the_legend_is_beside_the_data_and_inside_the_picture() {
        let long = "a very long name of an algorithm that does not fit on one line of a legend";
        let many = (0..40).map(|i| series(&format!("{i} {long}"), &[(0.0, 1.0), (9.0, 2.0)]));
        let plot = Plot { series: many.collect(), ..Plot::default() };
        let lines = plot.lines();
        let (x, y) = (plot.x_axis(&lines), plot.y_axis(&lines));
        for narrow in [false, true] {
            let width = if narrow { 400.0 } else { WIDTH };
            let room = Room { width, height: HEIGHT, titled: true, legend_below: narrow };
            let frame = Frame::of(&plot, &room, &lines, &x, &y);
            assert_eq!(frame.legend.len(), 40);
            for ((at, top), name) in &frame.legend {
                let names = at + frame::SAMPLE_WIDTH + 8.0;
                assert!(*at > frame.right || *top > frame.bottom + frame.x_height);
                assert!(top + name.len() as f64 * frame::LINE_HEIGHT < frame.height);
                for line in name {
                    assert!(names + text_width(line, frame::FONT) <= width);
                }
            }
            assert!(x.part(9.0) <= 1.0);
            assert!(frame.right - frame.left > if narrow { 250.0 } else { 400.0 });
            check::well_formed(&plot.drawn_in(&room));
        }
    }

    #[test]
    fn labels_stand_beside_their_points_and_not_on_each_other() {
        let mut line = series("a", &[(10.0, 1.0), (1000.0, 5.0), (1000.0, 5.0), (1e5, 3.0)]);
        line.labels = ["ps:8", "crowd", "ding", "ps:2"].map(String::from).to_vec();
        let plot = Plot { log_x: true, series: vec![line], ..Plot::default() };
        let svg = plot.to_svg();
        let texts = check::texts(&svg);
        assert!(texts.contains(&"ps:8") && texts.contains(&"crowd") && texts.contains(&"ps:2"));
        assert!(texts.contains(&"10,000"), "a decade on the horizontal axis: {texts:?}");
    }

    #[test]
    fn a_reference_has_no_markers_and_a_look_is_kept() {
        let reference = Series { reference: true, ..series("minimal", &[(1.0, 1.0), (2.0, 2.0)]) };
        let svg = Plot { series: vec![reference], ..Plot::default() }.to_svg();
        assert!(!svg.contains("<circle") && svg.contains("<path"));
        let third = Series { look: Some(2), ..series("third", &[(1.0, 1.0), (2.0, 2.0)]) };
        let plot = Plot { title: "in the page".into(), series: vec![third], ..Plot::default() };
        let inline = plot.to_inline_svg(Screen::Wide);
        assert!(inline.contains("var(--plot-2)") && inline.contains("#mark-2"), "{inline}");
        assert!(inline.contains("<title>in the page</title>"));
        assert!(!check::texts(&inline).contains(&"in the page"), "the page writes the title");
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

    proptest! {
        #[test]
        fn no_numbers_make_a_bad_file(
            points in prop::collection::vec((any_number(), any_number()), 0..12),
            errors in prop::option::of(prop::collection::vec(any_number(), 0..12)),
            names in ".{0,12}",
            log_x in any::<bool>(),
            log_y in any::<bool>(),
            by_twos in any::<bool>(),
        ) {
            let ticks = points.iter().map(|p| (p.0, names.clone())).collect();
            let labels = vec![names.clone(); 3];
            let intervals = points.iter().rev().copied().collect();
            let line = Series {
                name: names.clone(), points, errors, intervals, labels, ..Series::default()
            };
            let mut plot = Plot {
                title: names.clone(),
                x_label: names.clone(),
                y_label: names.clone(),
                log_x,
                log_y,
                by_twos,
                apart: log_x,
                series: vec![line.clone(), Series { reference: true, ..line }],
                x_ticks: None,
                note: Some(names),
            };
            check::well_formed(&plot.to_svg());
            check::well_formed(&plot.to_inline_svg(Screen::Narrow));
            plot.x_ticks = Some(ticks);
            check::well_formed(&plot.to_svg());
            check::well_formed(&plot.to_inline_svg(Screen::Wide));
        }
    }
}
