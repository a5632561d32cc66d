//! HTTP clients: one for each way to reach a provider, built once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Certificate, Client, Proxy};
use tokio::sync::Mutex;
use url::{Host, Url};

use crate::probe::connect::WatchLayer;
use crate::probe::failure::chain;
use crate::probe::{ProbeError, Route};

/// The most header lines of an answer.
const HEADER_LINES: usize = 256;
/// The most bytes of an answer's header in HTTP/2; in HTTP/1 the client's own limit of about 400 KiB holds.
const HTTP2_HEADER_BYTES: u32 = 64 * 1024;
/// The outermost limit, beyond every deadline, so that no request outlives its probe.
const LAST_RESORT: Duration = Duration::from_secs(600);

/// Which proxy a client uses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Way {
    /// What the system says.
    System,
    /// None: this machine itself.
    Direct,
    /// The provider's own.
    Proxy(String),
}

/// The clients made so far.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    made: Mutex<HashMap<(Option<std::path::PathBuf>, Way), Client>>,
}

impl Clients {
    /// The client for a route to an address.
    pub(crate) async fn get(&self, route: &Route, url: &Url) -> Result<Client, ProbeError> {
        let way = match &route.proxy {
            Some(proxy) => Way::Proxy(proxy.clone()),
            None if is_loopback(url) => Way::Direct,
            None => Way::System,
        };
        let key = (route.ca_file.clone(), way);
        let mut made = self.made.lock().await;
        if let Some(client) = made.get(&key) {
            return Ok(client.clone());
        }
        // Trust roots are read from files and can take seconds on some systems.
        let (ca_file, way) = key.clone();
        let client = tokio::task::spawn_blocking(move || build(ca_file.as_deref(), &way))
            .await
            .map_err(|error| ProbeError::Client { reason: error.to_string() })??;
        made.insert(key, client.clone());
        Ok(client)
    }
}

/// What failed, on one line and without the address.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    chain(error)
}

/// The wait that `Retry-After` asks for, in seconds or as a date; never negative.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<SignedDuration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u32>() {
        Ok(seconds) => SignedDuration::from_secs(i64::from(seconds)),
        Err(_) => Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()?.duration_since(now),
    };
    Some(wait.max(SignedDuration::ZERO))
}

/// Whether an address is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

fn build(ca_file: Option<&Path>, way: &Way) -> Result<Client, ProbeError> {
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        // A retry of the client's own would be a request that nobody counted.
        .retry(reqwest::retry::never())
        .gzip(true)
        // Each probe makes its own connection: a kept one would hide how long that takes, and go stale between probes.
        .pool_max_idle_per_host(0)
        .timeout(LAST_RESORT)
        .http1_max_headers(HEADER_LINES)
        .http2_max_header_list_size(HTTP2_HEADER_BYTES)
        .connector_layer(WatchLayer)
        .tls_certs_merge(bundled_roots());
    if let Some(path) = ca_file {
        builder = builder.tls_certs_merge(read_roots(path)?);
    }
    builder = match way {
        Way::System => builder,
        Way::Direct => builder.no_proxy(),
        Way::Proxy(address) => {
            let unusable = |reason: String| ProbeError::Proxy { reason };
            let url = Url::parse(address).map_err(|error| unusable(error.to_string()))?;
            if !matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") {
                return Err(unusable(format!("unknown scheme {}", url.scheme())));
            }
            builder.no_proxy().proxy(Proxy::all(url).map_err(|error| unusable(chain(&error.without_url())))?)
        }
    };
    builder.build().map_err(|error| ProbeError::Client { reason: chain(&error.without_url()) })
}

/// Mozilla's roots, for systems whose own are missing or old.
fn bundled_roots() -> impl Iterator<Item = Certificate> {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().filter_map(|root| Certificate::from_der(root).ok())
}

fn read_roots(path: &Path) -> Result<Vec<Certificate>, ProbeError> {
    let unusable = |reason: String| ProbeError::CaFile { path: path.to_path_buf(), reason };
    let pem = std::fs::read(path).map_err(|error| unusable(error.kind().to_string()))?;
    let roots = Certificate::from_pem_bundle(&pem).map_err(|error| unusable(chain(&error)))?;
    if roots.is_empty() { Err(unusable("no certificate in it".to_owned())) } else { Ok(roots) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_addresses_are_told_apart() {
        for (url, expected) in [
            ("http://127.0.0.1:1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:1", true),
            ("http://LOCALHOST:1", true),
            ("http://model.localhost", true),
            ("http://localhost.example.com", false),
            ("http://10.0.0.1", false),
            ("https://api.openai.com", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn the_bundled_roots_are_there() {
        assert!(bundled_roots().count() > 100);
    }
}
