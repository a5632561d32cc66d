//! Probing: one request made to learn a state.
//!
//! [`Prober`] is what the engine asks; tests give it a script.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;

use crate::args;
use crate::core::exchange::Exchange;
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::core::target::{ModelId, ProviderId};
use crate::i18n::Tr;
use crate::secrets::{KeyRef, SecretError};
use crate::wire::endpoint::Endpoint;

pub(crate) mod client;
mod connect;
mod failure;
pub mod gate;
pub mod http;
mod redact;

pub use gate::Gate;
pub use http::HttpProber;

/// How an endpoint is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Route {
    /// PEM file with certificate authorities to trust besides the system's and the bundled ones.
    pub ca_file: Option<PathBuf>,
    /// `http://`, `https://`, `socks5://` or `socks5h://` address; `None` takes the system's proxy, except for loopback.
    pub proxy: Option<String>,
}

/// How long each step may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// Until the connection stands.
    pub connect: Duration,
    /// From the start until the status line and, anew from there, until the first output.
    pub first_byte: Duration,
    /// Between two outputs; a keep-alive is none.
    pub stall: Duration,
    /// The whole exchange.
    pub total: Duration,
}

impl Deadlines {
    /// The defaults of DESIGN section 4.
    pub const fn new(thinks: bool, is_local: bool) -> Self {
        let first_byte = if is_local {
            180
        } else if thinks {
            60
        } else {
            30
        };
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(first_byte),
            stall: Duration::from_secs(30),
            total: Duration::from_secs(first_byte + 30),
        }
    }
}

/// Everything one probe needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The provider: the credential that only one probe at a time may use.
    pub provider: ProviderId,
    /// Where.
    pub endpoint: Arc<Endpoint>,
    /// Which model.
    pub model: ModelId,
    /// With which key.
    pub key: KeyRef,
    /// By which way.
    pub route: Route,
    /// Runs on this machine: it may have to load the model first.
    pub is_local: bool,
    /// Other deadlines than those that model and place suggest: tests.
    pub deadlines: Option<Deadlines>,
}

/// A finished probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// When its last request began, after the wait for a place: the time of the sample.
    pub began_at: Timestamp,
    /// The raw facts of its last request.
    pub exchange: Exchange,
    /// Requests made: more than one when the request's shape had to be corrected.
    pub requests: u32,
    /// Estimated tokens of all of them, in and out together.
    pub tokens: u32,
}

/// Makes probes.
pub trait Prober: Send + Sync {
    /// Makes one probe, waiting first for a free place and the credential's turn. It ends by its deadlines.
    ///
    /// # Errors
    ///
    /// When nothing could be sent for a reason that lies in our own settings; what comes over the wire is never an error.
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>>;
}

/// Why nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// There is no key.
    #[error(transparent)]
    Key(#[from] SecretError),
    /// The certificate file cannot be used.
    #[error("the certificate file cannot be used ({reason}); correct ca_file in the settings: {path}")]
    CaFile {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The proxy's address cannot be used.
    #[error("the proxy address cannot be used ({reason}); correct proxy in the settings")]
    Proxy {
        /// Why.
        reason: String,
    },
    /// The client could not be made.
    #[error("the connection could not be prepared ({reason})")]
    Client {
        /// Why.
        reason: String,
    },
}

impl ProbeError {
    /// What it means for a target: always the user's key or settings, never the model.
    pub fn outcome(&self) -> Outcome {
        let rule = match self {
            Self::Key(error) => return error.outcome(),
            Self::CaFile { .. } => "ca-file",
            Self::Proxy { .. } => "proxy-setting",
            Self::Client { .. } => "client-setup",
        };
        Outcome {
            kind: Kind::Misconfigured,
            scope: Scope::Local,
            retry_after: None,
            wait_helps: false,
            switch_helps: false,
            rule: rule.into(),
            excerpt: String::new(),
        }
    }

    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::Key(error) => error.describe(tr),
            Self::CaFile { path, reason } => {
                tr.with("probe-ca-file", &args!("path" => path.display().to_string(), "reason" => reason.as_str()))
            }
            Self::Proxy { reason } => tr.with("probe-proxy", &args!("reason" => reason.as_str())),
            Self::Client { reason } => tr.with("probe-client", &args!("reason" => reason.as_str())),
        }
    }
}
