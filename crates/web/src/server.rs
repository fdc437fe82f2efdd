//! The server: who listens, how many connections there may be, and how it ends.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use plyground_core::limits::StopFlag;
use plyground_engine::games::Games;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::api::{App, routes};
use crate::guard::Guard;

/// Connections beyond these are closed at once.
const MOST_CONNECTIONS: usize = 256;

/// A client that has not sent its request by then is let go; one that keeps its connection for the next
/// request too.
const REQUEST_TIME: Duration = Duration::from_secs(15);

/// How often the flag that ends the server is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Searches for the page recurse as deep as a tree is nested.
const STACK: usize = 64 << 20;

/// What to serve, and where.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// The address to listen on; `None` for this machine alone.
    pub bind: Option<String>,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// A folder with records of experiments, for the page of results.
    pub records: Option<PathBuf>,
}

/// Serves the page until `stop` is raised. `started` is told the address to open.
pub fn serve(
    games: &Games,
    options: &ServeOptions,
    stop: &StopFlag,
    started: impl FnOnce(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_io().enable_time().max_blocking_threads(8).thread_stack_size(STACK);
    let runtime = builder.build().context("cannot start the server")?;
    let (listeners, guard) = runtime.block_on(listen(options))?;
    let host = match &options.bind {
        None => IpAddr::V4(Ipv4Addr::LOCALHOST).to_string(),
        Some(bind) if bind.contains(':') => format!("[{}]", bind.trim_matches(['[', ']'])),
        Some(bind) => bind.clone(),
    };
    let port = listeners.first().and_then(|listener| listener.local_addr().ok());
    let port = port.map_or(options.port, |address| address.port());
    let token = guard.token().map_or_else(String::new, |token| format!("?token={token}"));
    let app = Arc::new(App::new(games.clone(), options.records.clone())?);
    let router = routes(Arc::clone(&app), guard);
    started(&format!("http://{host}:{port}/{token}"))?;
    runtime.block_on(async {
        let connections = Arc::new(AtomicUsize::new(0));
        let accept = |listener| accept(listener, router.clone(), Arc::clone(&connections));
        let accepting: Vec<JoinHandle<()>> =
            listeners.into_iter().map(|listener| tokio::spawn(accept(listener))).collect();
        while !stop.is_raised() && !accepting.iter().any(JoinHandle::is_finished) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    });
    app.close();
    // What still computes hears of it within a moment; nothing is lost with it.
    runtime.shutdown_timeout(Duration::from_secs(1));
    match stop.is_raised() {
        true => Ok(()),
        false => Err(anyhow!("the server cannot accept connections any more")),
    }
}

async fn listen(options: &ServeOptions) -> anyhow::Result<(Vec<TcpListener>, Guard)> {
    let port = options.port;
    let taken = |address: String| {
        format!("cannot listen on {address}; expected a free port: `--port 0` takes one")
    };
    let Some(bind) = &options.bind else {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener =
            TcpListener::bind(address).await.with_context(|| taken(address.to_string()))?;
        let port = listener.local_addr()?.port();
        let mut listeners = vec![listener];
        // `localhost` may be either; not every machine has this one.
        listeners.extend(TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port))).await);
        return Ok((listeners, Guard::loopback(port)));
    };
    let named = bind.trim_matches(['[', ']']);
    let found = (named, port).to_socket_addrs();
    let addresses: Vec<SocketAddr> =
        found.with_context(|| format!("--bind {bind}: expected an address or a name"))?.collect();
    let listener =
        TcpListener::bind(&addresses[..]).await.with_context(|| taken(format!("{bind}:{port}")))?;
    let port = listener.local_addr()?.port();
    Ok((vec![listener], Guard::open(port, bind)))
}

async fn accept(listener: TcpListener, router: Router, connections: Arc<AtomicUsize>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                if connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                    connections.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let (router, connections) = (router.clone(), Arc::clone(&connections));
                tokio::spawn(async move {
                    answer(stream, router).await;
                    connections.fetch_sub(1, Ordering::Relaxed);
                });
            }
            // There may be too many open files for a moment, or a client that has gone already.
            Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
        }
    }
}

/// Answers the requests of one connection. A client that breaks off is no concern of ours.
async fn answer(stream: TcpStream, router: Router) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIME).max_buf_size(64 << 10);
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
