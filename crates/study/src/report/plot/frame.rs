//! The layout of a plot: title, axes with their numbers, legend, notes.

use super::super::svg::{Canvas, Point, number, text_width, wrap};
use super::axis::Axis;
use super::line::PlottedLine;
use super::marks::{AXIS, GRID, INK, MINOR_GRID, MISSING};
use super::{MARGIN, NOTE_FONT, Plot, Room, TITLE_FONT};

pub(super) const FONT: f64 = 12.0;
/// The greatest width of a name in the legend; longer ones are wrapped.
const NAME_WIDTH: f64 = 180.0;
/// The length of the line beside a name.
pub(super) const SAMPLE_WIDTH: f64 = 38.0;
pub(super) const LINE_HEIGHT: f64 = 16.0;

/// The layout of a plot.
pub(super) struct Frame {
    pub(super) title: Vec<String>,
    /// The legend: where the sample of each line begins, and its name in lines.
    pub(super) legend: Vec<(Point, Vec<String>)>,
    /// Are the names on the horizontal axis turned?
    turned: bool,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The width of the numbers on the vertical axis.
    pub(super) y_room: f64,
    /// The height of the names on the horizontal axis.
    pub(super) x_height: f64,
    pub(super) notes: Vec<String>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn of(
        plot: &Plot,
        room: &Room,
        lines: &[PlottedLine<'_>],
        x_axis: &Axis,
        y_axis: &Axis,
    ) -> Frame {
        let width = room.width;
        let title = match plot.title.trim() {
            "" => Vec::new(),
            _ if !room.titled => Vec::new(),
            title => wrap(title, TITLE_FONT * 1.05, width - 2.0 * MARGIN),
        };
        let names = names(plot, lines);
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|t| text_width(t, FONT)).fold(0.0, f64::max)
        };
        let column = SAMPLE_WIDTH + 8.0 + widest(&mut names.iter().flatten()).max(50.0);
        let beside = match (names.is_empty(), room.legend_below) {
            (false, false) => column + 22.0,
            _ => 10.0,
        };
        let y_room = widest(&mut y_axis.ticks.iter().filter_map(|t| t.label.as_ref()));
        let mut left = MARGIN + 22.0 + y_room + 10.0;
        let right = width - MARGIN - beside;
        let x_room = widest(&mut x_axis.ticks.iter().filter_map(|t| t.label.as_ref()));
        // Names that would touch are written at an angle.
        let places = x_axis.labelled().map(|at| left + x_axis.part(at) * (right - left));
        let nearest = gaps(places).fold(f64::INFINITY, f64::min);
        let turned = x_room + 8.0 > nearest;
        if turned {
            // They extend to the left, the first one perhaps beyond the picture.
            for tick in &x_axis.ticks {
                let reach = 0.82 * tick.label.as_ref().map_or(0.0, |l| text_width(l, FONT));
                let part = x_axis.part(tick.at);
                left = left.max((MARGIN + reach - part * right) / (1.0 - part));
            }
        }
        let x_height = if turned { 0.6 * x_room + 20.0 } else { 22.0 };
        let top = MARGIN + title.len() as f64 * (TITLE_FONT + 5.0) + 14.0;
        let bottom_room = x_height + 26.0;
        let notes = plot.notes(room);
        let note_height = notes.len() as f64 * (NOTE_FONT + 4.0);
        // Many names need a higher legend, and so a higher plot.
        let rows: usize = names.iter().map(Vec::len).sum();
        let legend_height = rows as f64 * LINE_HEIGHT + names.len() as f64 * 5.0;
        let beside_legend = match room.legend_below {
            false => (top + legend_height - bottom_room).min(top + 560.0),
            true => top,
        };
        let bottom =
            (room.height - MARGIN - note_height - bottom_room).max(top + 160.0).max(beside_legend);
        let below = bottom + bottom_room;
        let (legend, legend_end) = match room.legend_below {
            false => in_columns(names, (right + 22.0, top + 6.0), column, 1),
            true => {
                let columns = ((width - 2.0 * MARGIN + 16.0) / (column + 16.0)).max(1.0) as usize;
                in_columns(names, (MARGIN, below + 22.0), column + 16.0, columns)
            }
        };
        let height = match room.legend_below {
            false => (below + note_height).max(legend_end),
            true => legend_end.max(below) + note_height,
        } + MARGIN;
        Frame {
            title,
            legend,
            turned,
            left,
            right,
            top,
            bottom,
            y_room,
            x_height,
            notes,
            width,
            height,
        }
    }

    /// A place given in parts of the axes.
    pub(super) fn place(&self, x: f64, y: f64) -> Point {
        (self.left + x * (self.right - self.left), self.bottom - y * (self.bottom - self.top))
    }

    pub(super) fn draw_grid(&self, canvas: &mut Canvas, x_axis: &Axis, y_axis: &Axis) {
        let Frame { left, right, top, bottom, .. } = *self;
        // Minor lines first, so that the others cover them.
        for (labelled, style) in [(false, MINOR_GRID), (true, GRID)] {
            canvas.open(style);
            for tick in y_axis.ticks.iter().filter(|t| t.label.is_some() == labelled) {
                let (_, y) = self.place(0.0, y_axis.part(tick.at));
                canvas.line((left, y), (right, y), "");
            }
            for tick in x_axis.ticks.iter().filter(|t| t.label.is_some() == labelled) {
                let (x, _) = self.place(x_axis.part(tick.at), 0.0);
                canvas.line((x, top), (x, bottom), "");
            }
            canvas.close();
        }
        canvas.open(AXIS);
        canvas.line((left, top), (left, bottom), "");
        canvas.line((left, bottom), (right, bottom), "");
        if y_axis.low < 0.0 && y_axis.high > 0.0 && !y_axis.is_log {
            let (_, zero) = self.place(0.0, y_axis.part(0.0));
            canvas.line((left, zero), (right, zero), "");
        }
        for tick in &y_axis.ticks {
            let (x, y) = self.place(0.0, y_axis.part(tick.at));
            canvas.line((x - if tick.label.is_some() { 5.0 } else { 3.0 }, y), (x, y), "");
        }
        for tick in &x_axis.ticks {
            let (x, y) = self.place(x_axis.part(tick.at), 0.0);
            canvas.line((x, y), (x, y + if tick.label.is_some() { 5.0 } else { 3.0 }), "");
        }
        canvas.close();
        let style = format!("{} fill=\"{INK}\"", font("end", FONT));
        for tick in &y_axis.ticks {
            let Some(label) = &tick.label else { continue };
            let (x, y) = self.place(0.0, y_axis.part(tick.at));
            canvas.text((x - 9.0, y + 4.2), label, &style);
        }
        let mut last = f64::NEG_INFINITY;
        for tick in &x_axis.ticks {
            let Some(label) = &tick.label else { continue };
            let (x, y) = self.place(x_axis.part(tick.at), 0.0);
            if !self.turned {
                let style = format!("{} fill=\"{INK}\"", font("middle", FONT));
                canvas.text((x, y + 19.0), label, &style);
            } else if x - last >= LINE_HEIGHT {
                // At an angle each name needs the height of a line; if there are too many, some are left out.
                last = x;
                let turn =
                    format!("transform=\"rotate(-35 {} {})\"", number(x + 4.0), number(y + 15.0));
                canvas.text((x + 4.0, y + 15.0), label, &format!("{style} {turn}"));
            }
        }
    }

    pub(super) fn draw_legend(&self, canvas: &mut Canvas, lines: &[PlottedLine<'_>]) {
        for (line, &((x, y), ref name)) in lines.iter().zip(&self.legend) {
            canvas.line((x, y), (x + SAMPLE_WIDTH, y), &line.look.stroke());
            line.look.draw_marker(canvas, (x + SAMPLE_WIDTH / 2.0, y), &line.look.marker_style());
            let fill = if line.is_empty() { MISSING } else { INK };
            let style = format!("{} fill=\"{fill}\"", font("start", FONT));
            let mut y = y;
            for text in name {
                canvas.text((x + SAMPLE_WIDTH + 8.0, y + 4.2), text, &style);
                y += LINE_HEIGHT;
            }
        }
    }
}

/// The wrapped names of the legend; none if there is a single line without a name.
fn names(plot: &Plot, lines: &[PlottedLine<'_>]) -> Vec<Vec<String>> {
    if plot.series.len() <= 1 && plot.series.iter().all(|s| s.name.is_empty()) {
        return Vec::new();
    }
    // A line without points is named nevertheless, with the reason.
    let name = |line: &PlottedLine<'_>| match line.is_empty() {
        true => wrap(&format!("{} (no data)", line.name), FONT, NAME_WIDTH),
        false => wrap(line.name, FONT, NAME_WIDTH),
    };
    lines.iter().map(name).collect()
}

/// The places of the names in this many columns, filled from the top, and the lower end of the longest.
fn in_columns(
    names: Vec<Vec<String>>,
    (x, y): Point,
    column: f64,
    columns: usize,
) -> (Vec<(Point, Vec<String>)>, f64) {
    let rows = names.len().div_ceil(columns).max(1);
    let mut end = y - 6.0;
    let mut at = y;
    let mut placed = Vec::new();
    for (i, name) in names.into_iter().enumerate() {
        if i % rows == 0 {
            at = y;
        }
        let height = name.len() as f64 * LINE_HEIGHT + 5.0;
        placed.push(((x + (i / rows) as f64 * column, at), name));
        at += height;
        end = f64::max(end, at - 6.0);
    }
    (placed, end)
}

pub(super) fn font(anchor: &str, size: f64) -> String {
    format!("text-anchor=\"{anchor}\" font-size=\"{}\"", number(size))
}

/// The differences between neighbours.
fn gaps(mut places: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    let mut last = places.next().unwrap_or(0.0);
    places.map(move |place| place - std::mem::replace(&mut last, place))
}
