//! From a client's error to the facts: where it failed, and the whole chain of reasons in one line.

use std::error::Error;
use std::io;

use tokio_rustls::rustls;

use crate::core::exchange::{Failure, Phase};
use crate::probe::redact::Redactor;

/// What an error says, without URL and without keys.
pub(super) fn describe(error: reqwest::Error, redactor: &Redactor) -> Failure {
    // Some providers take the key in the query.
    let error = error.without_url();
    let phase = if error.is_builder() {
        Phase::Build
    } else if error.is_dns() {
        // Before "connect", which is said of both.
        Phase::Dns
    } else if is_tls(&error) {
        Phase::Tls
    } else if error.is_connect() {
        Phase::Connect
    } else {
        Phase::FirstByte
    };
    Failure { phase: Some(phase), text: redactor.text(&chain(&error)) }
}

/// The error and its sources, joined by `: `; a wrapper that only repeats what it wraps is left out.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let part = error.to_string();
        if parts.last().is_none_or(|last| *last != part) {
            parts.push(part);
        }
        next = error.source();
    }
    parts.join(": ").replace(['\n', '\r'], " ")
}

fn is_tls(error: &(dyn Error + 'static)) -> bool {
    if error.is::<rustls::Error>() {
        return true;
    }
    // An IO error hides the error it wraps from `source`.
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    if inner.is_some_and(|inner| is_tls(inner)) {
        return true;
    }
    error.source().is_some_and(is_tls)
}
