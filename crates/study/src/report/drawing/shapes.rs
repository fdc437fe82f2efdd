//! The shapes of a drawing: nodes, badges, the samples of the legend.

use super::*;

pub(super) fn draw_shape(
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
        // A circle that is widened for a long label.
        canvas.rect(centre, (width, height), height / 2.0, style);
    }
}

pub(super) fn draw_badge(canvas: &mut Canvas, (x, y): Point, width: f64, text: &str, age: f64) {
    let (fill, ink) = shade(age);
    canvas.rect((x, y), (width, BADGE_HEIGHT), BADGE_HEIGHT / 2.0, &format!("fill=\"{fill}\""));
    let style = format!("{} fill=\"{ink}\"", centred(BADGE_FONT));
    canvas.text((x, y + BADGE_FONT * 0.36), text, &style);
}

/// A colour from early (dark violet) to late (yellow), and a readable ink on it. The scale is viridis,
/// which keeps its order for colour-blind readers and in grey.
pub(super) fn shade(age: f64) -> (String, &'static str) {
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

/// An entry of the legend.
pub(super) enum LegendSample {
    Node(bool),
    Labels,
    Leaf,
    Badges,
    Unvisited,
    Solution,
    /// Of MAX, or of MIN?
    SolutionTree(bool),
    Types,
    Horizon,
    Fold,
}

impl LegendSample {
    pub(super) fn width(&self) -> f64 {
        match self {
            LegendSample::Node(_) | LegendSample::Horizon => 18.0,
            LegendSample::Labels => 108.0,
            LegendSample::Leaf => 22.0,
            LegendSample::Badges => 61.0,
            LegendSample::Unvisited => 43.0,
            LegendSample::Types => 30.0,
            LegendSample::Solution | LegendSample::SolutionTree(_) | LegendSample::Fold => 28.0,
        }
    }

    /// Draws the sample from `x` to the right, around `y`.
    pub(super) fn draw(&self, canvas: &mut Canvas, (x, y): Point) {
        let middle = (x + self.width() / 2.0, y);
        match self {
            &LegendSample::Node(is_max) => {
                let paint = if is_max { MAX_PAINT } else { MIN_PAINT };
                let style = painted(paint, 1.2);
                draw_shape(canvas, false, is_max, middle, (18.0, 18.0), &style);
            }
            LegendSample::Labels => {
                let style = format!("font-size=\"12\" font-weight=\"bold\" fill=\"{INK}\"");
                // Spaces in a row would be drawn as one.
                canvas.text((x, y + 4.3), "=3\u{a0} ≥3\u{a0} ≤3\u{a0} 2..5", &style);
            }
            LegendSample::Leaf => {
                draw_shape(canvas, true, true, middle, (22.0, 18.0), &painted(LEAF_PAINT, 1.2));
                let style = format!("{} font-weight=\"bold\" fill=\"{INK}\"", centred(11.0));
                canvas.text((middle.0, y + 4.0), "3", &style);
            }
            LegendSample::Badges => {
                for (i, text) in ["1", "2", "…", ""].iter().enumerate() {
                    let at = (x + 7.5 + 15.3 * i as f64, y);
                    draw_badge(canvas, at, BADGE_HEIGHT, text, i as f64 / 3.0);
                }
            }
            LegendSample::Unvisited => {
                draw_shape(canvas, false, true, (x + 8.0, y), (SMALL, SMALL), UNVISITED_STYLE);
                draw_shape(canvas, true, true, (x + 32.0, y), (22.0, 18.0), UNVISITED_STYLE);
            }
            LegendSample::Solution => canvas.line((x, y), (x + 28.0, y), SOLUTION_EDGE),
            &LegendSample::SolutionTree(is_max) => {
                let style = if is_max { MAX_TREE_EDGE } else { MIN_TREE_EDGE };
                canvas.line((x, y), (x + 28.0, y), style);
            }
            LegendSample::Types => {
                let style = format!("font-size=\"{TYPE_FONT}\" fill=\"{INK}\"");
                canvas.text((x, y + 3.5), "1\u{a0} 2\u{a0} 3", &style);
            }
            LegendSample::Horizon => {
                let style = painted(MAX_PAINT, 1.2);
                draw_shape(canvas, false, true, (middle.0, y - 6.0), (11.0, 11.0), &style);
                draw_badge(canvas, (middle.0, y + 8.0), BADGE_HEIGHT, "", 0.0);
            }
            LegendSample::Fold => {
                canvas.open(VISITED_EDGE);
                canvas.line((x, y), (x + 28.0, y), "stroke-dasharray=\"2 5\" stroke-width=\"2.5\"");
                canvas.close();
            }
        }
    }
}
