//! Who may ask: the names that the server answers to, the pages that may call it, and the token.
//!
//! A page from elsewhere must not reach the server through the browser of whoever runs it: not by a
//! name that was made to point here (`Host`), and not by a request of its own (`Origin`).

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use crate::api::Refusal;

/// What the page may do: run and show what comes from here, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// A request must have arrived whole, and its answer must have begun, after this long. Events may follow for
/// longer.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// The name of the cookie that keeps the token.
const COOKIE_NAME: &str = "plyground";

/// What a request must show.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    port: u16,
    /// The name or address that others on the network use; `None` if there is nobody but this machine.
    outside: Option<String>,
    token: Option<String>,
}

impl Guard {
    /// For this machine alone.
    pub(crate) fn loopback(port: u16) -> Guard {
        Guard { port, outside: None, token: None }
    }

    /// For others too, who must know the token.
    pub(crate) fn open(port: u16, bound: &str) -> Guard {
        Guard { port, outside: Some(bound.to_ascii_lowercase()), token: Some(new_token()) }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Is this a name of this server, with its port?
    fn knows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse() == Ok(self.port) => name,
            // A browser leaves the usual port out.
            None if self.port == 80 => host.as_str(),
            _ => return false,
        };
        if ["localhost", "127.0.0.1", "[::1]"].contains(&name) {
            return true;
        }
        let Some(outside) = &self.outside else { return false };
        let address = name.trim_start_matches('[').trim_end_matches(']');
        // An address cannot be made to point elsewhere, a name can.
        name == outside || address.parse::<IpAddr>().is_ok()
    }

    /// Does the request come with the token, in its address or in a cookie? The token may also have come
    /// in the address alone: then the cookie must be set.
    fn admits(&self, uri: &Uri, headers: &HeaderMap) -> (bool, bool) {
        let Some(token) = &self.token else { return (true, false) };
        let queried = uri.query().unwrap_or("").split('&');
        let by_address = queried.filter_map(|pair| pair.strip_prefix("token="));
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let by_cookie = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='));
        let in_address = by_address.into_iter().any(|given| same(given, token));
        let in_cookie = by_cookie.into_iter().any(|given| same(given, token));
        (in_address || in_cookie, in_address && !in_cookie)
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<bool, Refusal> {
        let forbidden = |what: String| Refusal::new(StatusCode::FORBIDDEN, what);
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if headers.get_all(HOST).iter().count() > 1 {
            return Err(Refusal::new(StatusCode::BAD_REQUEST, "expected one Host".into()));
        }
        let host = text(HOST).unwrap_or("");
        if !self.knows(host) {
            let expected = format!("expected localhost:{}", self.port);
            return Err(forbidden(format!("the Host {host:?} is not this server: {expected}")));
        }
        if let Some(origin) = text(ORIGIN)
            && !origin.strip_prefix("http://").is_some_and(|from| from.eq_ignore_ascii_case(host))
        {
            return Err(forbidden(format!("a page from {origin:?} may not call this server")));
        }
        // An image or a script of another page sends no Origin, but the browser says where it is from.
        // A link from elsewhere may be followed.
        let site = text(HeaderName::from_static("sec-fetch-site")).unwrap_or("none");
        let mode = text(HeaderName::from_static("sec-fetch-mode")).unwrap_or("navigate");
        let follows =
            mode == "navigate" && method == Method::GET && !uri.path().starts_with("/api");
        if !["same-origin", "none"].contains(&site) && !follows {
            return Err(forbidden("a page from elsewhere may not call this server".into()));
        }
        match self.admits(uri, headers) {
            (true, set) => Ok(set),
            (false, _) => {
                let hint = "expected the token: open the address that the server printed";
                Err(Refusal::new(StatusCode::UNAUTHORIZED, hint.into()))
            }
        }
    }
}

/// Checks a request before anything else sees it, and closes the answer against misuse.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = guard.check(request.method(), request.uri(), request.headers());
    let (mut response, set) = match checked {
        Ok(set) => match timeout(ANSWER_TIME, next.run(request)).await {
            Ok(response) => (response, set),
            Err(_) => {
                let late = "the request took too long to arrive or to answer";
                let refusal = Refusal::new(StatusCode::REQUEST_TIMEOUT, late.into());
                (refusal.into_response(), false)
            }
        },
        Err(refusal) => (refusal.into_response(), false),
    };
    let headers = response.headers_mut();
    if let Some(token) = guard.token().filter(|_| set) {
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(SET_COOKIE, cookie);
        }
    }
    let fixed = |text: &'static str| HeaderValue::from_static(text);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(fixed(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    headers.entry(CACHE_CONTROL).or_insert(fixed("no-store"));
    for name in ["cross-origin-opener-policy", "cross-origin-resource-policy"] {
        headers.insert(HeaderName::from_static(name), fixed("same-origin"));
    }
    response
}

/// A token that nobody can guess: 128 bits that depend on what the system gave for hash maps.
fn new_token() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}

/// Are two tokens the same? It takes as long to find that they are not.
fn same(given: &str, token: &str) -> bool {
    let differing = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(guard: &Guard, path: &str, headers: &[(&'static str, &str)]) -> Result<bool, u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let method = if path.starts_with("/api") { Method::POST } else { Method::GET };
        guard.check(&method, &path.parse().unwrap(), &map).map_err(|refusal| refusal.code())
    }

    #[test]
    fn only_this_machine_by_its_own_names() {
        let guard = Guard::loopback(8171);
        for host in ["localhost:8171", "127.0.0.1:8171", "[::1]:8171", "LOCALHOST:8171"] {
            assert_eq!(checked(&guard, "/", &[("host", host)]), Ok(false), "{host}");
        }
        for host in ["localhost", "localhost:80", "evil.example:8171", "10.0.0.1:8171", "", "[::1]"]
        {
            assert_eq!(checked(&guard, "/", &[("host", host)]), Err(403), "{host}");
        }
        assert_eq!(checked(&guard, "/", &[]), Err(403));
        let two = [("host", "localhost:8171"), ("host", "evil.example")];
        assert_eq!(checked(&guard, "/", &two), Err(400));
    }

    #[test]
    fn pages_from_elsewhere_may_link_and_not_call() {
        let guard = Guard::loopback(8171);
        let host = ("host", "localhost:8171");
        let own = [host, ("origin", "http://localhost:8171")];
        assert_eq!(checked(&guard, "/api/search", &own), Ok(false));
        for origin in
            ["http://evil.example", "null", "https://localhost:8171", "http://127.0.0.1:8171"]
        {
            assert_eq!(checked(&guard, "/api/search", &[host, ("origin", origin)]), Err(403));
        }
        let from = ("sec-fetch-site", "cross-site");
        assert_eq!(
            checked(&guard, "/watch", &[host, from, ("sec-fetch-mode", "navigate")]),
            Ok(false)
        );
        assert_eq!(
            checked(&guard, "/watch", &[host, from, ("sec-fetch-mode", "no-cors")]),
            Err(403)
        );
        assert_eq!(checked(&guard, "/api/info", &[host, from]), Err(403));
    }

    #[test]
    fn others_need_the_token() {
        let guard = Guard::open(8171, "box.example");
        let token = guard.token().unwrap().to_owned();
        assert_eq!(token.len(), 32);
        let host = ("host", "box.example:8171");
        assert_eq!(checked(&guard, "/watch", &[host]), Err(401));
        assert_eq!(checked(&guard, &format!("/watch?token={token}"), &[host]), Ok(true));
        let cookie = format!("a=b; plyground={token}");
        assert_eq!(checked(&guard, "/watch", &[host, ("cookie", &cookie)]), Ok(false));
        assert_eq!(checked(&guard, "/watch?token=0", &[host, ("cookie", "plyground=1")]), Err(401));
        let address = ("host", "192.0.2.7:8171");
        assert_eq!(checked(&guard, &format!("/?token={token}"), &[address]), Ok(true));
        let other = ("host", "evil.example:8171");
        assert_eq!(checked(&guard, &format!("/?token={token}"), &[other]), Err(403));
    }
}
