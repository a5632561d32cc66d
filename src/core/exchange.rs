//! The raw facts of one request, as the classifier sees them.

use jiff::Timestamp;

/// Bodies are read up to this many bytes; the rest is discarded unread.
pub const BODY_LIMIT: usize = 64 * 1024;

/// How an exchange ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The answer was read to its end, to [`BODY_LIMIT`], or until enough was known.
    #[default]
    Complete,
    /// The connection was lost after the status line.
    Cut,
    /// The status line came, then a deadline passed without progress.
    Stalled,
    /// There was no status line: the error's whole source chain as one line, without URL query or key.
    Failed(Failure),
}

/// A request that got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it failed, if the client knows; a pasted text does not.
    pub phase: Option<Phase>,
    /// The error and its sources, joined by `: `.
    pub text: String,
}

/// The step at which a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The request could not be built: a bad URL or header.
    Build,
    /// The name did not resolve.
    Dns,
    /// No connection: refused, unreachable, or not in time.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// Connected, but nothing came back.
    FirstByte,
}

/// Times since the request began, in milliseconds; `None` where that point was not reached or not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Until the connection (with TLS) stood; `None` also on a reused connection.
    pub connect_ms: Option<u32>,
    /// Until the status line.
    pub headers_ms: Option<u32>,
    /// Until the first output: text, reasoning or a tool call, never a keep-alive.
    pub first_token_ms: Option<u32>,
    /// Until the exchange ended.
    pub total_ms: Option<u32>,
}

/// What came back from one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// How it ended.
    pub end: End,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// The answer's headers in their order, names as received.
    pub headers: Vec<(String, String)>,
    /// The body, at most [`BODY_LIMIT`] bytes.
    pub body: Vec<u8>,
    /// When the answer was received: what absolute reset times are measured from. `None` in a pasted text.
    pub received_at: Option<Timestamp>,
    /// How long it took.
    pub timing: Timing,
}

impl Exchange {
    /// The first header with this name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The host that the answer redirects to, in lower case, when it belongs to another site than the host that was
    /// asked: what a captive portal does, and an API hardly ever.
    pub fn foreign_redirect(&self, asked: &str) -> Option<String> {
        self.status.filter(|status| (300..400).contains(status))?;
        let (_, rest) = self.header("location")?.split_once("//")?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // An address of IPv6 holds colons of its own.
        let end = host.rfind(']').map_or_else(|| host.find(':'), |bracket| Some(bracket + 1)).unwrap_or(host.len());
        let host = host.get(..end)?.trim_end_matches('.').to_ascii_lowercase();
        (!host.is_empty() && site(&host) != site(&asked.trim_end_matches('.').to_ascii_lowercase())).then_some(host)
    }
}

/// The last two labels of a name, which its owner registered or which a country gives away; an address as it is.
fn site(host: &str) -> &str {
    if host.ends_with(|last: char| last.is_ascii_digit() || last == ']') {
        return host;
    }
    host.rmatch_indices('.').nth(1).map_or(host, |(dot, _)| &host[dot + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_to_another_site_are_told_apart() {
        for (status, location, expected) in [
            (302, "http://login.hotel.example/x?u=1", Some("login.hotel.example")),
            (302, "https://user@Login.Hotel.example.:8443", Some("login.hotel.example")),
            (307, "http://[2001:db8::1]:80/x", Some("[2001:db8::1]")),
            (302, "http://192.0.2.1/x", Some("192.0.2.1")),
            (302, "//login.hotel.example/x", Some("login.hotel.example")),
            (301, "https://www.provider.test/v1", None),
            (301, "https://API.provider.test:443/v1/", None),
            (302, "/v1/other", None),
            (302, "https://", None),
            (302, "", None),
            (200, "http://login.hotel.example/", None),
        ] {
            let headers = vec![("Location".to_owned(), location.to_owned())];
            let exchange = Exchange { status: Some(status), headers, ..Exchange::default() };
            assert_eq!(exchange.foreign_redirect("api.provider.test").as_deref(), expected, "{status} {location}");
        }
    }
}
