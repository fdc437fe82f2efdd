//! The styles of the lines of a plot, and its colours on a light or dark page.

use super::super::svg::{Canvas, Point};

/// The colour of text.
pub(super) const INK: &str = "#1f2933";
/// The colour of less important text.
pub(super) const PALE: &str = "#616b75";
pub(super) const GRID: &str = "stroke=\"#dfe3e8\" stroke-width=\"1\"";
pub(super) const MINOR_GRID: &str = "stroke=\"#f1f3f5\" stroke-width=\"1\"";
pub(super) const AXIS: &str = "stroke=\"#4a5560\" stroke-width=\"1.2\"";
/// The colour of the name of a line without data.
pub(super) const MISSING: &str = "#8a949e";

/// Okabe and Ito's colours, without their yellow, which is hard to see on white, and Tol's darker ones;
/// for dark pages, the same hues lighter.
const COLOURS: [(&str, &str); 12] = [
    ("#0072b2", "#5cb3f0"),
    ("#d55e00", "#f58a42"),
    ("#009e73", "#2fc79b"),
    ("#b8579a", "#dd8fc4"),
    ("#e69f00", "#f0b93a"),
    ("#3d2b8c", "#a99bf0"),
    ("#222222", "#eeeeee"),
    ("#56b4e9", "#9ad6f7"),
    ("#882255", "#d9709f"),
    ("#8a8a1c", "#c9c95a"),
    ("#117733", "#5fbb79"),
    ("#8c6d5a", "#c4a48f"),
];
/// The other colours of a plot, on light and on dark pages.
const PAPERS: [(&str, &str, &str); 7] = [
    ("paper", "#ffffff", "#14181d"),
    ("ink", INK, "#e4e8ec"),
    ("pale", PALE, "#a3adb8"),
    ("grid", "#dfe3e8", "#323a44"),
    ("minor", "#f1f3f5", "#20262d"),
    ("axis", "#4a5560", "#8b96a2"),
    ("missing", MISSING, "#6d7782"),
];
/// Dashes repeat after 5, markers after 11 and colours after 12: no two of 660 lines are alike.
const DASHES: [&str; 5] = ["none", "8 4", "2.5 3", "10 3 2.5 3", "5 2.5"];
const MARKERS: usize = 11;
/// The radius of a marker.
pub(super) const MARKER: f64 = 4.6;

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The colour, the dashes and the marker of this number.
    Number(usize),
    /// The colour and the marker of this number; dashes and hollow markers have a meaning.
    Stroked { number: usize, dashed: bool },
    /// A thin line without markers, which was not measured.
    Reference(usize),
}

impl Look {
    pub(super) fn colour(self) -> &'static str {
        match self {
            Look::Number(i) | Look::Stroked { number: i, .. } => COLOURS[i % COLOURS.len()].0,
            Look::Reference(_) => INK,
        }
    }

    pub(super) fn stroke(self) -> String {
        let (width, dashes) = match self {
            Look::Number(i) => ("2", DASHES[i % DASHES.len()]),
            Look::Stroked { dashed, .. } => ("2", DASHES[usize::from(dashed)]),
            Look::Reference(i) => ("1.6", ["6 4", "2 3", "12 4"][i % 3]),
        };
        format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" \
             stroke-dasharray=\"{dashes}\"",
            self.colour()
        )
    }

    /// The style of the markers, of one or of a group of them.
    pub(super) fn marker_style(self) -> String {
        let colour = self.colour();
        // A white rim separates markers that overlap.
        match self {
            Look::Stroked { dashed: true, .. } => {
                format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.6\"")
            }
            _ => format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.9\""),
        }
    }

    /// A marker in the style of its group, which shows a text under a mouse.
    pub(super) fn draw_hovered(self, canvas: &mut Canvas, at: Point, hover: &str) {
        match self {
            Look::Number(i) | Look::Stroked { number: i, .. } if canvas.is_inline() => {
                canvas.mark(&mark_name(i), at, "", Some(hover));
            }
            _ => {
                canvas.open_with_hover(hover);
                self.draw_marker(canvas, at, "");
                canvas.close();
            }
        }
    }

    /// A marker; its style may be that of a group.
    pub(super) fn draw_marker(self, canvas: &mut Canvas, at: Point, style: &str) {
        let (Look::Number(i) | Look::Stroked { number: i, .. }) = self else { return };
        match canvas.is_inline() {
            true => canvas.mark(&mark_name(i), at, style, None),
            false => self.draw_shape(canvas, at, style),
        }
    }

    fn draw_shape(self, canvas: &mut Canvas, (x, y): Point, style: &str) {
        let (Look::Number(i) | Look::Stroked { number: i, .. }) = self else { return };
        let r = MARKER;
        // Corners at angles in twelfths of a turn, clockwise from the top, at a share of the radius.
        let corners = |corners: &[(f64, f64)]| -> Vec<Point> {
            let corner = |&(hour, share): &(f64, f64)| {
                let angle = hour / 12.0 * std::f64::consts::TAU;
                let tenth = |v: f64| (10.0 * v).round() / 10.0;
                (tenth(x + r * share * angle.sin()), tenth(y - r * share * angle.cos()))
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
            0 => return canvas.circle((x, y), r, style),
            1 => return canvas.rect((x, y), (1.75 * r, 1.75 * r), 0.0, style),
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
        canvas.path(&outline, true, style);
    }
}

/// The name of the marker of a line in a page.
fn mark_name(number: usize) -> String {
    format!("mark-{}", number % MARKERS)
}

/// The markers that the plots of a page use: a picture that takes no room.
pub(in super::super) fn definitions() -> String {
    let mut canvas = Canvas::new();
    for number in 0..MARKERS {
        let name = format!("id=\"{}\"", mark_name(number));
        Look::Number(number).draw_shape(&mut canvas, (0.0, 0.0), &name);
    }
    format!(
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>\n{}</defs></svg>\n",
        canvas.shapes()
    )
}

/// The CSS variables of the colours, for `dark` or for light pages. A page with plots sets them.
pub(in super::super) fn variables(dark: bool) -> String {
    let of_paper = PAPERS.iter().map(|&(name, light, on_dark)| (name.to_string(), light, on_dark));
    let of_lines =
        COLOURS.iter().enumerate().map(|(i, &(light, on_dark))| (i.to_string(), light, on_dark));
    let variable = |(name, light, on_dark): (String, &str, &str)| {
        format!("--plot-{name}:{};", if dark { on_dark } else { light })
    };
    of_paper.chain(of_lines).map(variable).collect()
}

/// `svg` as a part of a page, which sets the colours. What most texts and lines have in common stands once,
/// at the root.
pub(super) fn for_page(svg: &str) -> String {
    let common = ["stroke-linejoin=\"round\"", "font-size=\"12\"", "fill=\"var(--plot-ink)\""];
    let mut svg = with_variables(svg);
    let defaults = ["text-anchor=\"start\"", "stroke-dasharray=\"none\""];
    for attribute in common.iter().chain(&defaults) {
        svg = svg.replace(&format!(" {attribute}"), "");
    }
    svg.replacen("<svg ", &format!("<svg {} ", common.join(" ")), 1)
}

/// `svg` with variables in place of colours. A quoted colour is the value of an attribute: in texts,
/// quotes are escaped.
fn with_variables(svg: &str) -> String {
    let mut svg = svg.to_string();
    let mut set = |name: &str, colour: &str| {
        svg = svg.replace(&format!("\"{colour}\""), &format!("\"var(--plot-{name})\""));
    };
    for (name, colour, _) in PAPERS {
        set(name, colour);
    }
    for (i, (colour, _)) in COLOURS.iter().enumerate() {
        set(&i.to_string(), colour);
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::super::super::svg::check;
    use super::*;

    #[test]
    fn lines_differ_in_more_than_colour() {
        let look = |i: usize| (Look::Number(i).colour(), DASHES[i % DASHES.len()], i % MARKERS);
        for i in 0..60 {
            for j in 0..i {
                assert_ne!(look(i), look(j));
            }
        }
        for (i, a) in COLOURS.iter().enumerate() {
            for (j, b) in COLOURS[..i].iter().enumerate() {
                assert_ne!(a.0, b.0);
                assert_ne!(a.1, b.1);
                assert!(look(i).1 != look(j).1 || look(i).2 != look(j).2, "{i} and {j}");
            }
        }
    }

    /// The contrast of two colours as the web's accessibility guidelines define it.
    fn contrast(a: &str, b: &str) -> f64 {
        let light = |colour: &str| -> f64 {
            let part = |i: usize| {
                let c = f64::from(u8::from_str_radix(&colour[i..i + 2], 16).unwrap()) / 255.0;
                if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn lines_and_texts_stand_out_from_either_paper() {
        let (_, white, dark) = PAPERS[0];
        for (on_white, on_dark) in COLOURS {
            assert!(contrast(on_white, white) > 2.2, "{on_white}");
            assert!(contrast(on_dark, dark) > 4.5, "{on_dark}");
        }
        for (_, on_white, on_dark) in &PAPERS[1..3] {
            assert!(contrast(on_white, white) > 4.5 && contrast(on_dark, dark) > 4.5);
        }
    }

    #[test]
    fn a_page_has_every_marker_once() {
        let defined = definitions();
        check::well_formed(&defined);
        for number in 0..2 * MARKERS {
            let name = format!("id=\"{}\"", mark_name(number));
            assert_eq!(defined.matches(&name).count(), 1, "{name} in {defined}");
        }
    }

    #[test]
    fn what_is_common_stands_at_the_root() {
        let text = "<text font-size=\"12\" fill=\"#1f2933\">a</text>";
        let pale = "<text font-size=\"11\" fill=\"#616b75\">b</text>";
        let svg = for_page(&format!("<svg role=\"img\">{text}{pale}</svg>"));
        check::well_formed(&svg);
        assert!(svg.contains("<text>a</text>"), "{svg}");
        assert!(svg.contains("<text font-size=\"11\" fill=\"var(--plot-pale)\">b"), "{svg}");
        assert!(svg.starts_with(
            "<svg stroke-linejoin=\"round\" font-size=\"12\" fill=\"var(--plot-ink)\" role"
        ));
    }

    #[test]
    fn every_variable_is_set() {
        for dark in [false, true] {
            let set = variables(dark);
            assert!(set.contains("--plot-ink:") && set.contains("--plot-11:"));
        }
        let themed = with_variables("<g stroke=\"#0072b2\" fill=\"#ffffff\">&quot;#0072b2&quot;");
        assert!(themed.contains("stroke=\"var(--plot-0)\""), "{themed}");
        assert!(themed.contains("fill=\"var(--plot-paper)\""), "{themed}");
        assert!(themed.ends_with("&quot;#0072b2&quot;"), "{themed}");
    }
}
