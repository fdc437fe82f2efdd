//! A report as a single self-contained HTML page: no network, no fonts, no scripts.

use std::fmt::Write as _;

use super::Align;
use super::document::{Block, Cell, Document, Judgement, ReportTable, Tone};
use super::plot::{Plot, Screen, definitions, variables};
use super::svg::escape;

/// The style sheet. `LIGHT` and `DARK` are replaced by the colours of plots.
const STYLE: &str = include_str!("page.css");

/// A text in a cell that is longer than this may be wrapped.
const LONG: usize = 48;

impl Document {
    /// The report as a page.
    pub fn to_html(&self) -> String {
        let style = STYLE.replace("LIGHT", &variables(false)).replace("DARK", &variables(true));
        let title = escape(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        let drawn = figures(&self.blocks);
        if drawn > 0 {
            html.push_str(&definitions());
        }
        contents(&mut html, &self.blocks);
        let mut page = Page { parts: 0, once: drawn > MANY_FIGURES };
        blocks(&mut html, &self.blocks, &mut page);
        html.push_str("</body>\n</html>\n");
        html
    }
}

/// Writing to a string cannot fail.
macro_rules! put {
    ($html:expr, $($words:tt)*) => { let _ = writeln!($html, $($words)*); };
}

/// The table of contents: links to the parts, in the order in which [`blocks`] numbers them.
fn contents(html: &mut String, blocks: &[Block]) {
    html.push_str("<nav aria-label=\"Contents\"><ol>\n");
    let titles = blocks.iter().filter_map(|block| match block {
        Block::Part(title) => Some(title),
        _ => None,
    });
    for (i, title) in titles.enumerate() {
        put!(html, "<li><a href=\"#part-{}\">{}</a></li>", i + 1, escape(title));
    }
    html.push_str("</ol></nav>\n");
}

/// More figures than this are in a page once each, and a narrow screen scrolls them: drawn for both screens they
/// would take twice the room.
const MANY_FIGURES: usize = 30;

/// What is known while a page is written.
struct Page {
    /// The parts so far.
    parts: usize,
    /// Is every figure drawn only once?
    once: bool,
}

/// How many figures there are.
fn figures(all: &[Block]) -> usize {
    let of = |block: &Block| match block {
        Block::Figure(..) => 1,
        Block::Fold { blocks, .. } => figures(blocks),
        _ => 0,
    };
    all.iter().map(of).sum()
}

fn blocks(html: &mut String, all: &[Block], page: &mut Page) {
    for block in all {
        match block {
            Block::Part(title) => {
                page.parts += 1;
                put!(html, "<h2 id=\"part-{}\">{}</h2>", page.parts, escape(title));
            }
            Block::Heading(title) => {
                put!(html, "<h3>{}</h3>", escape(title));
            }
            Block::Text(text) => {
                put!(html, "<p>{}</p>", escape(text));
            }
            Block::Warning(text) => {
                put!(html, "<p class=\"warning\">{}</p>", escape(text));
            }
            Block::Assurance(text) => {
                put!(html, "<p class=\"assurance\">{}</p>", escape(text));
            }
            Block::Facts(facts) => {
                html.push_str("<dl>\n");
                for (name, what) in facts {
                    put!(html, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(what));
                }
                html.push_str("</dl>\n");
            }
            Block::Judgements(all) => judgements(html, all),
            Block::Table(content) => table(html, content),
            Block::Figure(plot, numbers) => figure(html, plot, numbers, page.once),
            Block::Fold { summary, open, blocks: folded } => {
                let open = if *open { " open" } else { "" };
                put!(html, "<details{open}><summary>{}</summary>", escape(summary));
                blocks(html, folded, page);
                html.push_str("</details>\n");
            }
        }
    }
}

/// Numbers that are longer than this are folded away.
const LONG_NUMBERS: usize = 420;

fn judgements(html: &mut String, all: &[Judgement]) {
    html.push_str("<ul class=\"judgements\">\n");
    for Judgement { verdict, held, claim, numbers, source } in all {
        let class = match held {
            Some(true) => "held",
            Some(false) => "not-held",
            None => "open",
        };
        let capital = |text: &str| {
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            format!("{first}{}", letters.as_str())
        };
        put!(
            html,
            "<li><span class=\"{class}\">{}</span> {}. <small>[{}]</small>",
            escape(verdict),
            escape(&capital(claim)),
            escape(source)
        );
        let text = escape(&capital(numbers));
        match numbers.chars().count() > LONG_NUMBERS {
            true => {
                put!(html, "<details><summary>the numbers</summary><p>{text}</p></details></li>");
            }
            false => {
                put!(html, "<p>{text}</p></li>");
            }
        }
    }
    html.push_str("</ul>\n");
}

fn figure(html: &mut String, plot: &Plot, numbers: &ReportTable, once: bool) {
    put!(html, "<figure>\n<figcaption>{}", escape(&plot.title));
    if let Some(note) = plot.note.as_deref().filter(|note| !note.is_empty()) {
        put!(html, "<p>{}</p>", escape(note));
    }
    html.push_str("</figcaption>\n");
    let drawn = |screen, class: &str| {
        let svg = plot.to_inline_svg(screen);
        svg.replacen("<svg ", &format!("<svg class=\"{class}\" "), 1)
    };
    if once {
        html.push_str("<div class=\"picture\" tabindex=\"0\" role=\"group\">");
        html.push_str(&drawn(Screen::Wide, "only"));
        html.push_str("</div>\n");
    } else {
        html.push_str(&drawn(Screen::Wide, "wide"));
        html.push_str(&drawn(Screen::Narrow, "narrow"));
    }
    if !numbers.columns.is_empty() {
        html.push_str("<details><summary>the numbers</summary>\n");
        table(html, numbers);
        html.push_str("</details>\n");
    }
    html.push_str("</figure>\n");
}

fn table(html: &mut String, table: &ReportTable) {
    // A table that scrolls must be reachable by keyboard.
    html.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table>\n");
    if !table.title.is_empty() {
        put!(html, "<caption><span>{}</span></caption>", escape(&table.title));
    }
    html.push_str("<thead><tr>");
    for (name, align) in &table.columns {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(&words(*align)), escape(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (i, (cell, (_, align))) in row.iter().zip(&table.columns).enumerate() {
            let text = escape(&cell.text);
            match i {
                0 => html.push_str(&format!("<th scope=\"row\">{text}</th>")),
                _ => {
                    let small = cell.interval.as_deref().map(escape);
                    let small =
                        small.map_or_else(String::new, |i| format!(" <small>[{i}]</small>"));
                    let classes = class(&classes(cell, *align));
                    html.push_str(&format!("<td{classes}>{text}{small}</td>"));
                }
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    if !table.note.is_empty() {
        put!(html, "<p class=\"note\">{}</p>", escape(&table.note));
    }
}

fn words(align: Align) -> Vec<&'static str> {
    match align {
        Align::Left => vec!["words"],
        Align::Right => vec![],
    }
}

fn classes(cell: &Cell, align: Align) -> Vec<&'static str> {
    let mut classes = words(align);
    match cell.tone {
        Tone::Plain => {}
        Tone::Less => classes.push("less"),
        Tone::More => classes.push("more"),
    }
    if cell.text.chars().count() > LONG {
        classes.push("long");
    }
    classes
}

fn class(classes: &[&str]) -> String {
    if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_escaped_and_asks_for_nothing() {
        let mut table = ReportTable::new("<T>", &["a", "b&"]);
        let interval = Some("0.4, 0.6".to_string());
        let cell = Cell { text: "0.5".into(), interval, tone: Tone::Less };
        table.rows.push(vec![Cell::new("<script>alert(1)</script>"), cell]);
        let plot = Plot { title: "<F>".into(), ..Plot::default() };
        let document = Document {
            title: "R & <R>".into(),
            blocks: vec![
                Block::Part("One".into()),
                Block::Facts(vec![("x<".into(), "y>".into())]),
                Block::Warning("<w>".into()),
                Block::Judgements(vec![Judgement {
                    verdict: "not held".into(),
                    held: Some(false),
                    claim: "a < b".into(),
                    numbers: "3 > 2".into(),
                    source: "x".into(),
                }]),
                Block::Fold {
                    summary: "<s>".into(),
                    open: true,
                    blocks: vec![Block::Figure(plot, table)],
                },
                Block::Part("Two".into()),
            ],
        };
        let html = document.to_html();
        for needed in [
            "<title>R &amp; &lt;R&gt;</title>",
            "<a href=\"#part-2\">Two</a>",
            "<h2 id=\"part-2\">Two</h2>",
            "<td class=\"less\">0.5 <small>[0.4, 0.6]</small></td>",
            "&lt;script&gt;",
            "<span class=\"not-held\">not held</span> A &lt; b. <small>[x]</small>\n<p>3 &gt; 2</p>",
            "<details open><summary>&lt;s&gt;</summary>",
            "<svg class=\"wide\" ",
            "<svg class=\"narrow\" ",
            "prefers-color-scheme:dark",
        ] {
            assert!(html.contains(needed), "{needed} in {html}");
        }
        assert!(!html.contains("<script") && !html.contains("LIGHT") && !html.contains("DARK"));
        let without_names = html.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!without_names.contains(outside), "{outside}");
        }
        for tag in ["table", "details", "figure", "div", "svg", "thead", "tbody"] {
            let opened = html.matches(&format!("<{tag}")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }

    #[test]
    fn many_figures_are_drawn_once_each() {
        let page = |count: usize| {
            let figure = || Block::Figure(Plot::default(), ReportTable::default());
            let folded = Block::Fold {
                summary: "more".into(),
                open: false,
                blocks: (1..count).map(|_| figure()).collect(),
            };
            Document { title: "F".into(), blocks: vec![figure(), folded] }.to_html()
        };
        let (few, many) = (page(MANY_FIGURES), page(MANY_FIGURES + 1));
        let pictures =
            |html: &str, class: &str| html.matches(&format!("<svg class=\"{class}\"")).count();
        assert_eq!((pictures(&few, "wide"), pictures(&few, "only")), (MANY_FIGURES, 0));
        assert_eq!(pictures(&few, "narrow"), MANY_FIGURES);
        assert_eq!((pictures(&many, "wide"), pictures(&many, "only")), (0, MANY_FIGURES + 1));
        assert_eq!(pictures(&many, "narrow"), 0);
    }
}
