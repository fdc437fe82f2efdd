//! The page's files, which are part of the program.

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value as Json;

/// A file of the page.
struct PageFile {
    name: &'static str,
    text: &'static str,
}

macro_rules! page_files {
    ($($name:literal),+ $(,)?) => {
        /// All of them.
        const FILES: &[PageFile] = &[$(PageFile {
            name: $name,
            text: include_str!(concat!("../../../src/web/", $name)),
        }),+];
    };
}

page_files!(
    "index.html",
    "play.html",
    "watch.html",
    "race.html",
    "quiz.html",
    "results.html",
    "style.css",
    "base.js",
    "api.js",
    "film.js",
    "layout.js",
    "treeview.js",
    "stepper.js",
    "chart.js",
    "examples.js",
    "forms.js",
    "board.js",
    "pieces.js",
    "engine.js",
    "game.js",
    "play.js",
    "watch.js",
    "race.js",
    "quiz.js",
    "results.js",
    "index.js",
);

/// The modules of the stepper, each after those that it imports.
const STEPPER: [&str; 5] = ["base.js", "film.js", "layout.js", "treeview.js", "stepper.js"];

fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|file| file.name == name).map(|file| file.text)
}

/// A page or a file of it, as an answer.
pub(crate) fn file(name: &str) -> Response {
    let Some(text) = text(name) else {
        return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], text).into_response()
}

/// A page that is whole in itself: its style is written in it, and it runs no script.
pub(crate) fn plain_page(html: String) -> Response {
    const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'self'";
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))];
    let mut response = (headers, html).into_response();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// The stepper with the film of a search, as one self-contained file for a lecture: no server, no network.
pub fn stepper_page(film: &Json, title: &str) -> String {
    let style = text("style.css").unwrap_or_default();
    let modules = STEPPER.iter().filter_map(|name| text(name)).map(unwrapped);
    let script: String = modules.collect::<Vec<_>>().join("\n");
    // Nothing in the data can end the element that holds it.
    let data = film.to_string().replace('<', "\\u003c");
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body class=\"alone\">\n\
         <header><h1>{title}</h1></header>\n<main id=\"stepper\"></main>\n\
         <script type=\"application/json\" id=\"film\">{data}</script>\n\
         <script type=\"module\">\n{script}\nopenAlone();\n</script>\n</body>\n</html>\n"
    )
}

/// A module's text without its imports and exports, to stand in one script with others.
fn unwrapped(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.map(|line| line.to_owned() + "\n").collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_asks_for_nothing_from_elsewhere() {
        for file in FILES {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            for outside in ["http:", "https:", "//cdn", "@import", "eval(", "innerHTML"] {
                assert!(!text.contains(outside), "{}: {outside}", file.name);
            }
            if file.name.ends_with(".html") {
                assert!(!text.contains("style=") && !text.contains(" onclick="), "{}", file.name);
            }
        }
    }

    #[test]
    fn every_import_is_one_line_and_a_file_of_ours() {
        for file in FILES.iter().filter(|file| file.name.ends_with(".js")) {
            for line in file.text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.rsplit("\"./").next().and_then(|end| end.strip_suffix("\";"));
                assert!(from.is_some_and(|name| text(name).is_some()), "{}: {line}", file.name);
            }
        }
    }

    #[test]
    fn the_stepper_is_one_file_that_nothing_breaks_out_of() {
        let film = json!({ "position": "</script><script>alert(1)</script>" });
        let page = stepper_page(&film, "a <title> & more");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("<title>a &lt;title&gt; &amp; more</title>"));
        for line in page.lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains("http:") && !own.contains("src=") && !own.contains("href="));
    }
}
