//! A canvas that writes SVG: the few shapes that drawings and plots need.
//!
//! Styles are attributes on the elements and not a style sheet, so that two drawings in one HTML
//! page cannot restyle each other. A white background is drawn, because a dark viewer would show
//! black ink on black.

use std::fmt::Write;

/// A place on the canvas: x to the right and y down, in pixels.
pub(super) type Point = (f64, f64);

/// The fonts of all texts, most pleasing first.
const FONTS: &str = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, 'DejaVu Sans', sans-serif";

/// The shapes drawn so far; later ones cover earlier ones.
///
/// The `style` of a shape is SVG attributes written by this crate. Only texts come from callers, and
/// they are escaped here.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    /// Is it a part of a page? Then it is written as shortly as can be: a page has many of them.
    inline: bool,
}

impl Canvas {
    /// An empty canvas.
    pub fn new() -> Canvas {
        Canvas::default()
    }

    /// An empty canvas for a part of a page, which has the [marks](Canvas::mark).
    pub fn inline() -> Canvas {
        Canvas { inline: true, ..Canvas::default() }
    }

    /// Is it a part of a page?
    pub fn is_inline(&self) -> bool {
        self.inline
    }

    /// A mark that the page has by this name, with the text that it shows under a mouse.
    pub fn mark(&mut self, name: &str, (x, y): Point, style: &str, hover: Option<&str>) {
        let (x, y) = (tenths(x), tenths(y));
        let end = match hover {
            Some(text) => format!("><title>{}</title></use>", escape(text)),
            None => "/>".into(),
        };
        let space = if style.is_empty() { "" } else { " " };
        self.put(format_args!("<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"{space}{style}{end}\n"));
    }

    /// Opens a group whose style applies to everything up to [`close`](Canvas::close).
    pub fn open(&mut self, style: &str) {
        self.put(format_args!("<g {style}>\n"));
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.put(format_args!("</g>\n"));
    }

    /// Opens a group that shows `text` when the mouse rests on it.
    pub fn open_with_hover(&mut self, text: &str) {
        self.put(format_args!("<g><title>{}</title>\n", escape(text)));
    }

    /// A line.
    pub fn line(&mut self, (x1, y1): Point, (x2, y2): Point, style: &str) {
        if self.inline {
            return self.segments(&[((x1, y1), (x2, y2))], style);
        }
        let (x1, y1, x2, y2) = (number(x1), number(y1), number(x2), number(y2));
        self.put(format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>\n"));
    }

    /// A rectangle around `centre` whose corners are rounded by `radius`.
    pub fn rect(&mut self, centre: Point, (width, height): (f64, f64), radius: f64, style: &str) {
        let (x, y) = (number(centre.0 - width / 2.0), number(centre.1 - height / 2.0));
        let (width, height, radius) = (number(width), number(height), number(radius));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" {style}/>\n"
        ));
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): Point, radius: f64, style: &str) {
        let (x, y, radius) = (number(x), number(y), number(radius));
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>\n"));
    }

    /// Straight lines from point to point; with `closed`, back to the first.
    pub fn path(&mut self, points: &[Point], closed: bool, style: &str) {
        if self.inline {
            return self.put_path(&short_path(points), closed, style);
        }
        let mut d = String::new();
        for (i, &(x, y)) in points.iter().enumerate() {
            d.push(if i == 0 { 'M' } else { 'L' });
            d.push_str(&number(x));
            d.push(' ');
            d.push_str(&number(y));
        }
        if closed {
            d.push('Z');
        }
        self.put(format_args!("<path d=\"{d}\" {style}/>\n"));
    }

    /// Separate straight lines, as one element.
    pub fn segments(&mut self, segments: &[(Point, Point)], style: &str) {
        let mut d = String::new();
        if self.inline {
            for &(from, to) in segments {
                d.push_str(&short_path(&[from, to]));
            }
            return self.put_path(&d, false, style);
        }
        for &((x1, y1), (x2, y2)) in segments {
            let _ = write!(d, "M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
        }
        self.put(format_args!("<path d=\"{d}\" {style}/>\n"));
    }

    fn put_path(&mut self, d: &str, closed: bool, style: &str) {
        let (end, space) = (if closed { "Z" } else { "" }, if style.is_empty() { "" } else { " " });
        self.put(format_args!("<path d=\"{d}{end}\"{space}{style}/>\n"));
    }

    /// A text whose baseline is at `y`; the style says what `x` is, the start by default.
    pub fn text(&mut self, (x, y): Point, text: &str, style: &str) {
        let text = escape(text);
        let (x, y) = match self.inline {
            true => (tenths(x), tenths(y)),
            false => (number(x), number(y)),
        };
        self.put(format_args!("<text x=\"{x}\" y=\"{y}\" {style}>{text}</text>\n"));
    }

    /// The whole file.
    pub fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (width, height, title) = (number(width.ceil()), number(height.ceil()), escape(title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             {}</svg>\n",
            self.body
        )
    }

    /// The shapes alone, without the file around them.
    pub fn shapes(&self) -> &str {
        &self.body
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
    }
}

/// `text` as XML character data or as an attribute's value. Characters that XML 1.0 has no way to
/// write become `U+FFFD`, so that no title can make the file invalid.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate with at most two decimals. NaN and infinity become `0`: a viewer would reject the whole
/// element.
pub(super) fn number(v: f64) -> String {
    if !v.is_finite() {
        return "0".into();
    }
    let text = format!("{v:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// A coordinate with at most one decimal, which is all that can be seen.
pub(super) fn tenths(v: f64) -> String {
    number((v * 10.0).round() / 10.0)
}

/// Straight lines from point to point, each from the one before. Places are rounded and then subtracted, so
/// that nothing drifts.
pub(super) fn short_path(points: &[Point]) -> String {
    let mut d = String::new();
    // Far beyond any page; what is not finite is 0.
    let round = |v: f64| (v * 10.0).round().clamp(-1e9, 1e9) as i64;
    let text = |v: i64| number(v as f64 / 10.0);
    let mut last: Option<(i64, i64)> = None;
    for &(x, y) in points {
        let (x, y) = (round(x), round(y));
        let _ = match last.map(|(a, b)| (x - a, y - b)) {
            None => write!(d, "M{} {}", text(x), text(y)),
            Some((0, down)) => write!(d, "v{}", text(down)),
            Some((right, 0)) => write!(d, "h{}", text(right)),
            Some((right, down)) => write!(d, "l{} {}", text(right), text(down)),
        };
        last = Some((x, y));
    }
    d
}

/// The approximate width of `text` at a font size. Fonts differ; this is rather too wide.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '·' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.98,
        'A'..='Z' | '=' | '≥' | '≤' | '<' | '>' | '+' | '∞' | '→' | '−' => 0.76,
        c if (c as u32) < 0x1100 => 0.63,
        _ => 1.0,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// `text` in lines of at most this width, wrapped at spaces; a word that is too long is split. There is
/// at least one line.
pub(super) fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let spaced = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
        if text_width(&spaced, size) <= width {
            line = spaced;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut room = width;
        for c in word.chars() {
            let needed = text_width(c.encode_utf8(&mut [0; 4]), size);
            if needed > room && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                room = width;
            }
            room -= needed;
            line.push(c);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Checks for the tests of drawings and plots, which must not depend on a viewer.
#[cfg(test)]
pub(super) mod check {
    /// Checks that tags are nested, attributes are quoted and unique, special characters are escaped, and
    /// no number is NaN or infinite.
    pub fn well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = svg;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'), "a stray > before {:.60}", &rest[start..]);
            check_references(&rest[..start]);
            let end = rest[start..].find('>').expect("a tag is not closed") + start;
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let (tag, closed) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            check_attributes(name, attributes);
            if !closed {
                open.push(name);
            }
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "left open: {open:?}, after: {rest:?}");
    }

    fn check_attributes(tag: &str, attributes: &str) {
        let mut names = Vec::new();
        let mut rest = attributes.trim();
        while !rest.is_empty() {
            let (name, value) = rest.split_once("=\"").expect("an attribute without a value");
            let (value, after) = value.split_once('"').expect("a value that does not end");
            assert!(
                name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'),
                "{tag}: {name:?}"
            );
            assert!(!names.contains(&name), "{tag}: {name} twice");
            assert!(!value.contains("NaN") && !value.contains("inf"), "{tag}: {name}={value}");
            check_references(value);
            names.push(name);
            rest = after.trim_start();
        }
    }

    fn check_references(text: &str) {
        for (i, _) in text.match_indices('&') {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
            assert!(known.iter().any(|k| text[i..].starts_with(k)), "a bare & in {text:?}");
        }
    }

    /// The contents of all `<text>` elements, in order.
    pub fn texts(svg: &str) -> Vec<&str> {
        svg.split("<text ")
            .skip(1)
            .filter_map(|s| s.split_once('>')?.1.split_once("</text>"))
            .map(|(text, _)| text)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_break_out() {
        assert_eq!(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(escape("1\n2\u{0}\u{8}\u{ffff}"), "1 2\u{fffd}\u{fffd}\u{fffd}");
        let mut canvas = Canvas::new();
        canvas.open_with_hover("</title><script>");
        canvas.text((1.0, 2.0), "</text>&", "fill=\"red\"");
        canvas.close();
        let svg = canvas.finish(10.0, 10.0, "<&\">");
        check::well_formed(&svg);
        assert_eq!(check::texts(&svg), ["&lt;/text&gt;&amp;"]);
        assert!(!svg.contains("<script"));
    }

    #[test]
    fn coordinates_are_short_and_always_numbers() {
        for (v, text) in [
            (1.0, "1"),
            (-0.001, "0"),
            (2.5, "2.5"),
            (1.0 / 3.0, "0.33"),
            (100.0, "100"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
        ] {
            assert_eq!(number(v), text);
        }
    }

    #[test]
    fn a_part_of_a_page_is_short() {
        assert_eq!(short_path(&[(1.04, 2.0), (1.0, 9.96), (4.5, 10.0)]), "M1 2v8h3.5");
        assert_eq!(short_path(&[(0.0, 0.0), (0.06, 1.0), (f64::NAN, 1.0)]), "M0 0l0.1 1h-0.1");
        let mut canvas = Canvas::inline();
        canvas.line((1.0, 2.0), (5.0, 2.0), "");
        canvas.segments(&[((1.0, 2.0), (1.0, 4.0)), ((3.0, 3.0), (4.0, 4.0))], "stroke=\"red\"");
        canvas.path(&[(0.0, 0.0), (1.5, 1.0)], true, "");
        canvas.mark("mark-1", (1.26, 2.0), "", Some("a < b"));
        canvas.text((1.26, 2.0), "&", "fill=\"red\"");
        let svg = canvas.finish(9.0, 9.0, "short");
        check::well_formed(&svg);
        for part in [
            "<path d=\"M1 2h4\"/>",
            "<path d=\"M1 2v2M3 3l1 1\" stroke=\"red\"/>",
            "<path d=\"M0 0l1.5 1Z\"/>",
            "<use href=\"#mark-1\" x=\"1.3\" y=\"2\"><title>a &lt; b</title></use>",
            "<text x=\"1.3\" y=\"2\" fill=\"red\">&amp;</text>",
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }

    #[test]
    fn every_shape_is_well_formed() {
        let mut canvas = Canvas::new();
        canvas.open("stroke=\"#000000\"");
        canvas.line((0.0, 1.0), (f64::NAN, 2.0), "");
        canvas.rect((5.0, 5.0), (4.0, 2.0), 1.0, "fill=\"none\"");
        canvas.circle((5.0, 5.0), 2.0, "");
        canvas.path(&[(0.0, 0.0), (1.5, 1.0)], true, "");
        canvas.path(&[], false, "");
        canvas.close();
        let svg = canvas.finish(9.2, 9.0, "shapes");
        check::well_formed(&svg);
        assert!(svg.contains("width=\"10\" height=\"9\""));
        assert!(svg.contains("<rect x=\"3\" y=\"4\" width=\"4\" height=\"2\""));
        assert!(svg.contains("d=\"M0 0L1.5 1Z\""));
    }

    #[test]
    fn lines_hold_all_words_and_none_is_too_wide() {
        let text = "the quick brown fox anunbelievablylongwordthatmustbebroken jumps";
        let lines = wrap(text, 12.0, 90.0);
        assert!(lines.len() > 3);
        assert!(lines.iter().all(|l| text_width(l, 12.0) <= 90.0), "{lines:?}");
        let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
        assert_eq!(wrap("", 12.0, 90.0), [""]);
        assert_eq!(wrap("ab", 12.0, 0.0), ["a", "b"], "at least a character a line");
    }
}
