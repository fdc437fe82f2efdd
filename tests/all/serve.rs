//! `plyground serve` without a browser: the pages, searches to watch, thinking as events, and what is
//! refused. `.ci/web` tests the page itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::commands::stdout;

/// A server that ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(options: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_plyground"))
            .args(["serve", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.split(':').next_back().unwrap().split('/').next().unwrap();
        let port = port.parse().unwrap_or_else(|_| panic!("{line}"));
        Server { child, port }
    }

    /// Sends a request and returns the code and the whole answer.
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: localhost:{}\r\n", self.port),
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// Asks for JSON.
    fn ask(&self, path: &str, question: &Value) -> (u16, Value) {
        let (code, answer) = self.request("POST", path, "", &question.to_string());
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        let json = body.split_once('{').map(|(_, rest)| format!("{{{rest}")).unwrap_or_default();
        // A long answer comes in pieces.
        let end = json.rfind('}').map_or(0, |end| end + 1);
        (code, serde_json::from_str(&json[..end]).unwrap_or(Value::Null))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn pages_and_searches_are_served() {
    let server = Server::start(&[]);
    for path in ["/", "/play/chess", "/play/othello", "/watch", "/race", "/quiz", "/results"] {
        let (code, page) = server.request("GET", path, "", "");
        assert_eq!(code, 200, "{path}");
        assert!(page.contains("<!DOCTYPE html>") && page.contains("default-src 'none'"), "{path}");
    }
    let tree = "((3 12 8) (2 4 6) (14 5 2))";
    let (code, film) = server.ask("/api/search", &json!({ "tree": tree, "algorithm": "sss" }));
    assert_eq!(code, 200);
    let told: Value =
        serde_json::from_str(&stdout(&["tree", tree, "--algorithm", "sss", "--json"])).unwrap();
    let last = &film["steps"].as_array().unwrap().last().unwrap()["c"];
    assert_eq!((&last[0], &last[1]), (&told["leaves"], &told["visits"]));
    let question = json!({ "game": "chess", "moves": ["e2e4"], "play": "c5" });
    let (code, state) = server.ask("/api/position", &question);
    assert_eq!((code, &state["numbered"][0]), (200, &json!("1.e4")));
    assert_eq!(state["board"]["pieces"]["c5"], json!([1, "p"]));
}

#[test]
fn thinking_comes_as_events() {
    let server = Server::start(&[]);
    let question = json!({ "tab": "one", "game": "othello", "depth": 4, "lines": 2 });
    let (code, answer) = server.request("POST", "/api/think", "", &question.to_string());
    assert_eq!(code, 200, "{answer}");
    assert!(answer.contains("text/event-stream"), "{answer}");
    assert!(answer.contains("event: info") && answer.contains("event: done"), "{answer}");
    let question =
        json!({ "tab": "one", "game": "chess", "moves": ["e2e4", "e7e5"], "nodes": 500 });
    let (code, answer) = server.request("POST", "/api/annotate", "", &question.to_string());
    assert!(code == 200 && answer.contains("\"of\":2"), "{answer}");
}

#[test]
fn bad_input_is_told_and_strangers_are_refused() {
    let mut server = Server::start(&[]);
    for (path, question, expected) in [
        ("/api/search", json!({ "tree": "((1 2)", "algorithm": "sss" }), "the tree: line 1"),
        ("/api/search", json!({ "tree": "(1)", "algorithm": "ssss" }), "did you mean"),
        ("/api/search", json!({ "tree": "(1)", "speed": 3 }), "unknown field"),
        ("/api/position", json!({ "game": "go" }), "`go` is no game"),
        ("/api/position", json!({ "game": "chess", "play": "e5" }), "e5"),
        ("/api/think", json!({ "tab": "t", "game": "chess", "engine": "x.toml" }), "no engine"),
        ("/api/save", json!({ "game": "chess", "format": "exe" }), "expected pgn"),
    ] {
        let (code, told) = server.ask(path, &question);
        let message = told["error"].as_str().unwrap_or_default();
        assert!(code == 400 && message.contains(expected), "{path}: {code} {told}");
    }
    let port = server.port;
    for headers in [
        "Origin: http://evil.example\r\n".to_owned(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
    ] {
        assert_eq!(server.request("POST", "/api/search", &headers, "{}").0, 403, "{headers}");
    }
    for path in ["/page/../../Cargo.toml", "/page/%2e%2e%2fCargo.toml", "/nothing", "/play/go"] {
        assert_eq!(server.request("GET", path, "", "").0, 404, "{path}");
    }
    assert_eq!(server.request("GET", "/watch", "", "").0, 200, "the server goes on");
    assert!(server.child.try_wait().unwrap().is_none());
}

#[test]
fn others_need_the_token() {
    let server = Server::start(&["--bind", "127.0.0.1"]);
    assert_eq!(server.request("GET", "/watch", "", "").0, 401);
}

#[test]
fn a_folder_without_records_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_plyground"))
        .args(["serve", "--port", "0"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected a folder with records"));
}

#[test]
fn searches_are_written_as_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.html");
    let name = file.to_str().unwrap();
    for arguments in [
        &["tree", "((1 2) (3 4))", "--algorithm", "mtd-f:2", "--html", name][..],
        &["best", "chess", "--depth", "2", "--algorithm", "ps:2", "--html", name],
        &["best", "chess", "--depth", "2", "--deepening", "--html", name],
    ] {
        stdout(arguments);
        let page = std::fs::read_to_string(&file).unwrap();
        assert!(page.contains("openAlone();") && page.contains("\"steps\":["), "{arguments:?}");
    }
}
