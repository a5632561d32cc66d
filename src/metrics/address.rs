//! Where metrics are served. Pure.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The port when none is named: the usual one of small exporters that have no number of their own.
pub const PORT: u16 = 9464;

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no address to listen on: write 127.0.0.1:9464, [::1]:9464, or a port alone")]
pub struct NoAddress;

/// Reads `HOST:PORT`, `HOST`, `:PORT` or `PORT`; the host is a number or `localhost`, and 127.0.0.1 when it is left out. A
/// name that would have to be looked up is refused: it could mean any machine.
///
/// # Errors
///
/// When it is nothing of these, and for port 0 when it is written, which nobody could find again.
pub fn parse(text: &str) -> Result<SocketAddr, NoAddress> {
    let text = text.trim();
    let port = |text: &str| text.parse().ok().filter(|port| *port != 0).ok_or(NoAddress);
    if let Ok(address) = text.parse::<SocketAddr>() {
        return if address.port() == 0 { Err(NoAddress) } else { Ok(address) };
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok((Ipv4Addr::LOCALHOST, port(text)?).into());
    }
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Ok(host) = bare.map_or_else(|| text.parse::<IpAddr>(), |host| host.parse::<Ipv6Addr>().map(IpAddr::from)) {
        return Ok((host, PORT).into());
    }
    match text.split_once(':') {
        Some(("" | "localhost", rest)) => Ok((Ipv4Addr::LOCALHOST, port(rest)?).into()),
        None if text == "localhost" => Ok((Ipv4Addr::LOCALHOST, PORT).into()),
        _ => Err(NoAddress),
    }
}

/// Whether a request with this `Host` may be answered on this address. On loopback only those that name loopback: a page
/// in a browser can have its own name lead here, and must not read what its user watches.
pub fn is_host_allowed(host: Option<&str>, local: IpAddr) -> bool {
    if !local.is_loopback() {
        return true;
    }
    let Some(host) = host else { return true };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_names_refused() {
        for (text, expected) in [
            ("127.0.0.1:9464", "127.0.0.1:9464"),
            ("127.0.0.1", "127.0.0.1:9464"),
            (" 9100 ", "127.0.0.1:9100"),
            (":9100", "127.0.0.1:9100"),
            ("localhost", "127.0.0.1:9464"),
            ("localhost:1", "127.0.0.1:1"),
            ("::1", "[::1]:9464"),
            ("[::1]", "[::1]:9464"),
            ("[::1]:80", "[::1]:80"),
            ("0.0.0.0:65535", "0.0.0.0:65535"),
            ("[::]:9464", "[::]:9464"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), expected, "{text}");
        }
        for text in
            ["", "0", ":0", "127.0.0.1:0", "65536", "example.com:80", "127.0.0.1:", "127.0.0.1:x", "-1", "[::1", "a"]
        {
            assert_eq!(parse(text), Err(NoAddress), "{text}");
        }
    }

    #[test]
    fn on_loopback_only_loopback_is_answered() {
        let (near, far) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([10, 0, 0, 1]));
        for (host, is_allowed) in [
            (None, true),
            (Some("127.0.0.1:9464"), true),
            (Some("127.1.2.3"), true),
            (Some("LOCALHOST:9464"), true),
            (Some("[::1]:9464"), true),
            (Some("evil.example:9464"), false),
            (Some("localhost.evil.example"), false),
            (Some("10.0.0.1"), false),
            (Some(""), false),
        ] {
            assert_eq!(is_host_allowed(host, near), is_allowed, "{host:?}");
            assert!(is_host_allowed(host, far));
        }
    }
}
