//! What the page asks the server for. Every input is limited, and bad input gets the same message as on
//! the command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::tree::Explicit;
use plyground_engine::door::AnyGame;
use plyground_engine::game::Heading;
use plyground_engine::games::Games;
use plyground_engine::profile::Weights;
use plyground_engine::session::{Clock, GoLimits};
use plyground_search::{MemoryFunctions, Update};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;

use crate::guard::{Guard, guard};
use crate::replay::{ReplayOptions, ReplaySubject, replay};
use crate::results::ResultsFolder;
use crate::stream::feed;
use crate::tabs::{EngineJob, EngineTask, LONGEST, Tabs};
use crate::{board, engines, pages};

/// The most bytes of a request.
const MOST_BYTES: usize = 512 << 10;

/// The searches for watching that run at the same time; others wait.
const MOST_SEARCHES: usize = 2;

/// A search for watching stops after this.
const SEARCH_TIME: Duration = Duration::from_secs(10);

/// The most memory of a search for watching.
const SEARCH_BYTES: usize = 512 << 20;

/// The most lines of play that are reported.
const MOST_LINES: usize = 32;

/// The nodes for each position of an analysis, unless the page asks for less or more; and the most.
const ANALYSIS_NODES: u64 = 50_000;
const MOST_ANALYSIS_NODES: u64 = 5_000_000;

/// What the server knows and does.
pub(crate) struct App {
    games: Games,
    tabs: Tabs,
    searches: Semaphore,
    results: Option<ResultsFolder>,
    closing: StopFlag,
}

impl App {
    pub(crate) fn new(games: Games, records: Option<PathBuf>) -> anyhow::Result<App> {
        let results = records.as_deref().map(ResultsFolder::open).transpose()?;
        let (tabs, searches) = (Tabs::default(), Semaphore::new(MOST_SEARCHES));
        Ok(App { games, tabs, searches, results, closing: StopFlag::new() })
    }

    /// Ends all that is under way.
    pub(crate) fn close(&self) {
        self.closing.raise();
        self.tabs.close_all();
    }

    fn game(&self, name: &str) -> anyhow::Result<&'static dyn AnyGame> {
        Ok(self.games.find(name)?)
    }
}

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal(StatusCode, String);

impl Refusal {
    pub(crate) fn new(code: StatusCode, message: String) -> Refusal {
        Refusal(code, message)
    }

    #[cfg(test)]
    pub(crate) fn code(&self) -> u16 {
        self.0.as_u16()
    }
}

impl<E: Into<anyhow::Error>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal(StatusCode::BAD_REQUEST, format!("{:#}", error.into()))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, answer(&json!({ "error": self.1 }))).into_response()
    }
}

type Answer = Result<Response, Refusal>;

fn answer(json: &Json) -> Response {
    ([(CONTENT_TYPE, "application/json")], json.to_string()).into_response()
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        Refusal(StatusCode::BAD_REQUEST, format!("the request is not what was expected: {error}"))
    })
}

/// All addresses.
pub(crate) fn routes(app: Arc<App>, checked: Guard) -> Router {
    Router::new()
        .route("/", get(async || pages::file("index.html")))
        .route("/play", get(first_game))
        .route("/play/{game}", get(play_page))
        .route("/watch", get(async || pages::file("watch.html")))
        .route("/race", get(async || pages::file("race.html")))
        .route("/quiz", get(async || pages::file("quiz.html")))
        .route("/results", get(async || pages::file("results.html")))
        .route("/results/report", get(report_page))
        .route("/page/{file}", get(async |Path(name): Path<String>| page_file(&name)))
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/api/info", get(info))
        .route("/api/search", post(search))
        .route("/api/position", post(position))
        .route("/api/save", post(save))
        .route("/api/load", post(load))
        .route("/api/think", post(think))
        .route("/api/annotate", post(annotate))
        .route("/api/stop", post(stop))
        .route("/api/close", post(close))
        .route("/api/results", get(results))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(Arc::new(checked), guard))
        .with_state(app)
}

/// The pages themselves have addresses of their own.
fn page_file(name: &str) -> Response {
    if name.ends_with(".html") { pages::file("") } else { pages::file(name) }
}

async fn first_game(State(app): State<Arc<App>>) -> Answer {
    Ok(Redirect::temporary(&format!("/play/{}", app.games.first()?.name())).into_response())
}

async fn play_page(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    let game =
        app.game(&name).map_err(|error| Refusal(StatusCode::NOT_FOUND, error.to_string()))?;
    match game.name() == name {
        true => Ok(pages::file("play.html")),
        false => Ok(Redirect::temporary(&format!("/play/{}", game.name())).into_response()),
    }
}

async fn info(State(app): State<Arc<App>>) -> Answer {
    let mut info = engines::info(&app.games)?;
    info["results"] = json!(app.results.is_some());
    Ok(answer(&info))
}

/// A search to watch: a tree as text, or a position of a game.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SearchQuestion {
    tree: Option<String>,
    game: String,
    position: String,
    moves: Vec<String>,
    depth: Option<u32>,
    algorithm: String,
    simulate: Option<bool>,
    maxsearch: bool,
    memory: String,
    deepening: bool,
}

/// Raises a flag when it is dropped: when the browser has gone.
struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

async fn search(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: SearchQuestion = read(&body)?;
    let id = question.algorithm.trim();
    ensure_some(id, "algorithm")?;
    let mut asked = ReplayOptions::new(id)?;
    let options = &mut asked.options;
    options.simulate = question.simulate.unwrap_or(options.simulate);
    options.deepening = question.deepening;
    if question.maxsearch {
        options.update = Update::Maxsearch;
    }
    if !question.memory.trim().is_empty() {
        options.memory = question.memory.trim().parse::<MemoryFunctions>()?;
    }
    let flag = options.limits.flag.clone();
    let (time, bytes) = (Some(SEARCH_TIME), Some(SEARCH_BYTES));
    options.limits = Limits { time, bytes, flag: flag.clone(), ..Limits::default() };
    let gone = StopOnDrop(flag);
    let _running = app.searches.acquire().await?;
    let app = Arc::clone(&app);
    let film = tokio::task::spawn_blocking(move || film(&app, &question, asked)).await;
    drop(gone);
    let film =
        film.map_err(|_| Refusal(StatusCode::INTERNAL_SERVER_ERROR, "the search failed".into()))??;
    Ok(answer(&film))
}

fn ensure_some(text: &str, what: &str) -> Result<(), Refusal> {
    match text.is_empty() {
        true => Err(Refusal(StatusCode::BAD_REQUEST, format!("which {what}? expected one"))),
        false => Ok(()),
    }
}

fn film(app: &App, question: &SearchQuestion, mut asked: ReplayOptions) -> anyhow::Result<Json> {
    if let Some(text) = &question.tree {
        let tree: Explicit = text.parse().context("the tree")?;
        return replay(&ReplaySubject::Written(&tree), &asked);
    }
    let game = app.game(&question.game)?;
    let line = board::line(game, &question.position, &question.moves)?;
    asked.options.depth = question.depth.unwrap_or(game.depths().quick);
    let weights = Weights::Standard;
    replay(&ReplaySubject::Position { line: &*line, weights: &weights }, &asked)
}

/// A game in progress, and a move to play in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameQuestion {
    game: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// A move as a person types it.
    #[serde(default)]
    play: Option<String>,
    /// The extension of the file to save.
    #[serde(default)]
    format: Option<String>,
    /// The players' names.
    #[serde(default)]
    players: Option<[String; 2]>,
}

async fn position(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: GameQuestion = read(&body)?;
    let mut line = board::line(app.game(&question.game)?, &question.start, &question.moves)?;
    if let Some(text) = &question.play {
        board::play_typed(&mut *line, text)?;
    }
    Ok(answer(&board::state(&*line)))
}

async fn save(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: GameQuestion = read(&body)?;
    let game = app.game(&question.game)?;
    let line = board::line(game, &question.start, &question.moves)?;
    let extensions = game.extensions();
    let format = question.format.as_deref().unwrap_or(extensions[0]);
    let Some(place) = extensions.iter().position(|known| *known == format) else {
        return Err(anyhow!("the format {format:?}: expected {}", extensions.join(" or ")).into());
    };
    let text = if place == 0 {
        let players = question.players.unwrap_or_default();
        line.save(&Heading { players, ..Heading::default() })
    } else {
        line.save_position(format)
    };
    Ok(answer(&json!({ "text": text, "name": format!("game.{format}") })))
}

/// A file to read: its text, never its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileQuestion {
    game: String,
    text: String,
}

async fn load(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: FileQuestion = read(&body)?;
    let game = app.game(&question.game)?;
    let text = question.text.trim();
    // A position as it is typed counts as a file too.
    let games = match game.games(text) {
        Ok(games) => games.into_iter().map(|saved| saved.line).collect(),
        Err(error) => vec![game.start(text).map_err(|_| error)?],
    };
    let line = games.into_iter().next().context("there is no game in the file")?;
    Ok(answer(&board::state(&*line)))
}

/// What an engine shall think about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThinkQuestion {
    tab: String,
    game: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    level: Option<u8>,
    #[serde(default)]
    seed: u64,
    /// Seconds for the move.
    #[serde(default)]
    time: Option<f64>,
    #[serde(default)]
    depth: Option<u32>,
    #[serde(default)]
    nodes: Option<u64>,
    /// Seconds on the clock, and those that a move adds.
    #[serde(default)]
    clock: Option<[f64; 2]>,
    #[serde(default)]
    lines: Option<usize>,
}

fn seconds(value: f64, what: &str) -> anyhow::Result<Duration> {
    let expected = || format!("{what} {value}: expected seconds, at least 0");
    Duration::try_from_secs_f64(value).with_context(expected)
}

impl ThinkQuestion {
    fn limits(&self) -> anyhow::Result<GoLimits> {
        let clock = self.clock.map(|[left, increment]| {
            anyhow::Ok(Clock {
                left: seconds(left, "clock")?,
                increment: seconds(increment, "increment")?,
                moves_to_go: None,
            })
        });
        Ok(GoLimits {
            clock: clock.transpose()?,
            move_time: self.time.map(|time| seconds(time, "time")).transpose()?,
            depth: self.depth,
            nodes: self.nodes,
            ..GoLimits::default()
        })
    }

    /// The job without its task.
    fn job(&self, app: &App) -> anyhow::Result<(EngineJob, Response)> {
        ensure!(!self.tab.is_empty() && self.tab.len() <= 64, "which tab? expected its name");
        let game = app.game(&self.game)?;
        let line = board::line(game, &self.start, &self.moves)?;
        let profile = engines::opponent(game, &self.engine)?;
        let mut limits = self.limits()?;
        let lines = self.lines.unwrap_or(1);
        ensure!((1..=MOST_LINES).contains(&lines), "{lines} lines: expected 1 to {MOST_LINES}");
        let mut choice = None;
        if let Some(number) = self.level {
            let levels = game.levels()?;
            let level = levels.get(number).with_context(|| {
                format!("level {number}: expected 1 to {}", plyground_engine::levels::MAX_LEVEL)
            })?;
            (limits, choice) = (level.limited(&limits), level.choice(self.seed));
        }
        // The clock of a person may be as long as it likes; nothing thinks for longer than this.
        limits.move_time = match (limits.move_time, limits.clock) {
            (None, Some(_)) => None,
            (time, _) => Some(time.unwrap_or(LONGEST).min(LONGEST)),
        };
        let stop = StopFlag::new();
        let (feed, response) = feed(stop.clone());
        let task = EngineTask::Think { lines, choice };
        Ok((EngineJob { line, profile, limits, task, stop, feed }, response))
    }
}

async fn think(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: ThinkQuestion = read(&body)?;
    let (job, response) = question.job(&app)?;
    if job.line.verdict().is_some() {
        return Err(anyhow!("the game is over").into());
    }
    app.tabs.give(&question.tab, job).map_err(busy)?;
    Ok(response)
}

fn busy(error: anyhow::Error) -> Refusal {
    Refusal(StatusCode::SERVICE_UNAVAILABLE, format!("{error:#}"))
}

async fn annotate(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let question: ThinkQuestion = read(&body)?;
    let (mut job, response) = question.job(&app)?;
    let nodes = question.nodes.unwrap_or(ANALYSIS_NODES).clamp(1, MOST_ANALYSIS_NODES);
    job.limits = GoLimits { nodes: Some(nodes), ..GoLimits::default() };
    job.task = EngineTask::Annotate;
    app.tabs.give(&question.tab, job).map_err(busy)?;
    Ok(response)
}

/// A browser tab.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TabQuestion {
    tab: String,
}

async fn stop(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    app.tabs.stop(&read::<TabQuestion>(&body)?.tab);
    Ok(answer(&json!({})))
}

async fn close(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    app.tabs.close(&read::<TabQuestion>(&body)?.tab);
    Ok(answer(&json!({})))
}

fn no_results() -> Refusal {
    let message = "no folder of records was given; expected `plyground serve DIR`";
    Refusal(StatusCode::NOT_FOUND, message.into())
}

async fn results(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    let known = uri.query().unwrap_or("").strip_prefix("version=").unwrap_or("").to_owned();
    let read = move || app.results.as_ref().map(|results| results.records(&known));
    let records = tokio::task::spawn_blocking(read).await?;
    Ok(answer(&records.ok_or_else(no_results)??))
}

async fn report_page(State(app): State<Arc<App>>) -> Answer {
    let make = move || app.results.as_ref().map(ResultsFolder::report);
    let html = tokio::task::spawn_blocking(make).await?;
    Ok(pages::plain_page(html.ok_or_else(no_results)??))
}
