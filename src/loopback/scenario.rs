//! The scenarios: each way of answering, with the verdict that is right for it.

use crate::core::outcome::{Kind, Scope};
use crate::core::target::Dialect;

/// Declares the scenarios with their stable names.
macro_rules! scenarios {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)?) => {
        /// One way of answering. The names are stable: they are model names of the loopback provider.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scenario {
            $($(#[$doc])* $variant,)*
        }

        impl Scenario {
            /// Every scenario.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name, in kebab case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

scenarios! {
    /// A short answer.
    Ok = "ok",
    /// A short answer whose first token takes [`super::Tempo::slow`].
    Slow = "slow",
    /// Only reasoning, then the length stop: no visible text.
    ReasoningOnly = "reasoning-only",
    /// The length stop without any text.
    LengthStop = "length-stop",
    /// Refuses `max_tokens` until `max_completion_tokens` is sent; Responses: an output cap under its minimum of 16.
    MaxTokensUnsupported = "max-tokens-unsupported",
    /// 400 "Could not finish the message because max_tokens …", which proves that the model ran.
    CouldNotFinish = "could-not-finish-400",
    /// An answer that never ends.
    Endless = "endless",
    /// An answer with output whose connection is lost before its end.
    CutAfterOutput = "cut-after-output",
    /// 503, as the dialect says that a model is full.
    Overloaded503 = "overloaded-503",
    /// 529, as Anthropic and some relays say that a model is full.
    Overloaded529 = "overloaded-529",
    /// An overload error as the whole body of a 200.
    ErrorIn200Json = "error-in-200-json",
    /// An overload error as an event of a stream that began well.
    ErrorIn200Stream = "error-in-200-stream",
    /// The refusal sentence as answer text, split over chunks.
    OverloadSentence = "overload-sentence",
    /// 429, the user's own short limit, with `retry-after`.
    Rate429 = "rate-429",
    /// 429, no money.
    Quota429 = "quota-429",
    /// 429, the window of a plan is used up, with its reset.
    UsageLimit429 = "usage-limit-429",
    /// The key is wrong, with the dialect's usual status (401; Gemini 400).
    Unauthorized401 = "unauthorized-401",
    /// 403, a right key that is not allowed.
    Forbidden403 = "forbidden-403",
    /// 403, a web application firewall's page.
    Waf403 = "waf-403",
    /// 404, the model is unknown.
    NotFound404 = "not-found-404",
    /// 400, the request is too long.
    BadRequest400 = "bad-request-400",
    /// A policy blocked the prompt.
    ContentFilter = "content-filter",
    /// 404 in plain text: the path is wrong.
    WrongPath404 = "wrong-path-404",
    /// 200 with a web application's page: the base URL is a website.
    WebPage200 = "web-page-200",
    /// 308 to another path of the same server.
    Redirect = "redirect",
    /// 500, as the dialect says it.
    Error500 = "error-500",
    /// 502, a reverse proxy's page.
    BadGateway502 = "bad-gateway-502",
    /// 504, a reverse proxy's page.
    GatewayTimeout504 = "gateway-timeout-504",
    /// 200 with an empty body.
    Empty200 = "empty-200",
    /// The connection is lost after the headers and before any output.
    CutBeforeOutput = "cut-before-output",
    /// A small compressed body that unpacks to hundreds of megabytes of nothing.
    GzipBomb = "gzip-bomb",
    /// The connection is accepted and never answered.
    Hang = "hang",
    /// Headers, then keep-alives for ever.
    Stall = "stall",
    /// The status line and headers come byte by byte and never end.
    SlowLoris = "slow-loris",
    /// 200 with a captive portal's page.
    PortalPage = "portal-page",
    /// 302 to a captive portal.
    PortalRedirect = "portal-redirect",
    /// The connection is reset instead of an answer.
    Reset = "reset",
    /// The connection is closed instead of an answer.
    Closed = "closed",
    /// Headers of several megabytes.
    HugeHeaders = "huge-headers",
    /// Bytes that are not HTTP.
    Garbage = "garbage",
    /// A port where nobody listens. Chosen by base URL, not by model.
    Refused = "refused",
    /// TLS with a certificate of an unknown issuer. Chosen by base URL, not by model.
    BadCertificate = "bad-certificate",
}

impl Scenario {
    /// Reads a scenario's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scenario| scenario.name() == name)
    }

    /// The scenario that a model's name asks for: `overloaded-503` or `anything@overloaded-503`.
    pub fn of_model(model: &str) -> Option<Self> {
        Self::from_name(model.rsplit_once('@').map_or(model, |(_, name)| name))
    }

    /// Whether it is a matter of the connection, so that a base URL chooses it and not a model's name.
    pub const fn is_by_base_url(self) -> bool {
        matches!(self, Self::Refused | Self::BadCertificate)
    }

    /// The kind and scope that a right classifier gives a probe's exchange, by `errors.md`.
    pub const fn expected(self, dialect: Dialect) -> (Kind, Scope) {
        match self {
            Self::Ok
            | Self::Slow
            | Self::ReasoningOnly
            | Self::LengthStop
            | Self::MaxTokensUnsupported
            | Self::CouldNotFinish
            | Self::Endless
            | Self::CutAfterOutput => (Kind::Available, Scope::Model),
            Self::Overloaded503
            | Self::Overloaded529
            | Self::ErrorIn200Json
            | Self::ErrorIn200Stream
            | Self::OverloadSentence => (Kind::AtCapacity, Scope::Model),
            Self::Rate429 => match dialect {
                Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Gemini => (Kind::RateLimited, Scope::Model),
                Dialect::AnthropicMessages | Dialect::OllamaChat | Dialect::Generic => {
                    (Kind::RateLimited, Scope::Account)
                }
            },
            Self::Quota429 => match dialect {
                Dialect::Gemini => (Kind::QuotaExhausted, Scope::Model),
                _ => (Kind::QuotaExhausted, Scope::Account),
            },
            Self::UsageLimit429 => (Kind::UsageLimit, Scope::Account),
            Self::Unauthorized401 => (Kind::Auth, Scope::Account),
            Self::Forbidden403 => match dialect {
                Dialect::OpenaiChat | Dialect::OpenaiResponses => (Kind::Forbidden, Scope::Local),
                _ => (Kind::Forbidden, Scope::Account),
            },
            Self::Waf403 => (Kind::Forbidden, Scope::Local),
            Self::NotFound404 => (Kind::ModelNotFound, Scope::Model),
            Self::BadRequest400 => (Kind::BadRequest, Scope::Local),
            Self::ContentFilter => (Kind::ContentFiltered, Scope::Local),
            Self::WrongPath404 | Self::WebPage200 | Self::Redirect => (Kind::Misconfigured, Scope::Local),
            Self::Error500 | Self::BadGateway502 | Self::Empty200 | Self::CutBeforeOutput => {
                (Kind::ServerError, Scope::Provider)
            }
            Self::GatewayTimeout504 | Self::Hang | Self::Stall | Self::SlowLoris => (Kind::Timeout, Scope::Provider),
            Self::GzipBomb => (Kind::Unrecognized, Scope::Provider),
            Self::PortalPage
            | Self::PortalRedirect
            | Self::Reset
            | Self::Closed
            | Self::HugeHeaders
            | Self::Garbage
            | Self::Refused
            | Self::BadCertificate => (Kind::Network, Scope::Local),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        let names: HashSet<_> = Scenario::ALL.iter().map(|scenario| scenario.name()).collect();
        assert_eq!(names.len(), Scenario::ALL.len());
        for &scenario in Scenario::ALL {
            assert_eq!(Scenario::from_name(scenario.name()), Some(scenario));
            assert_eq!(Scenario::of_model(scenario.name()), Some(scenario));
            assert_eq!(Scenario::of_model(&format!("vendor/model:free@{}", scenario.name())), Some(scenario));
        }
        assert_eq!(Scenario::of_model("gpt-6-luna"), None);
    }
}
