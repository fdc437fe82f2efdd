//! Events for the browser while something is under way.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use plyground_core::limits::StopFlag;
use serde_json::Value as Json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that may wait for a slow reader; reports beyond them are left out.
const WAITING: usize = 256;

/// Where a thread puts events.
pub(crate) struct Feed(Sender<(&'static str, Json)>);

/// The events as the browser gets them. When it goes away, what makes them is stopped.
struct Events {
    receiver: Receiver<(&'static str, Json)>,
    stop: StopFlag,
}

/// A feed, and the answer that carries its events; when the browser no longer listens, `stop` is raised.
pub(crate) fn feed(stop: StopFlag) -> (Feed, Response) {
    let (sender, receiver) = channel(WAITING);
    (Feed(sender), Sse::new(Events { receiver, stop }).into_response())
}

impl Feed {
    /// Sends a report, unless too many are waiting.
    pub(crate) fn report(&self, name: &'static str, data: Json) {
        let _ = self.0.try_send((name, data));
    }

    /// Sends what must arrive, if anybody listens.
    pub(crate) fn deliver(&self, name: &'static str, data: Json) {
        let _ = self.0.blocking_send((name, data));
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let event =
            |(name, data): (&str, Json)| Ok(Event::default().event(name).data(data.to_string()));
        self.receiver.poll_recv(context).map(|next| next.map(event))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.stop.raise();
    }
}
