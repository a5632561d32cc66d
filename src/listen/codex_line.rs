//! A line of a Codex rollout: the fields that are read, and no others.

use serde::Deserialize;

use super::lenient::{FromText, Object, Presence, Scalar};

#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow, default)]
    pub(super) timestamp: Scalar<'a>,
    #[serde(borrow, default, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) payload: Object<Payload<'a>>,
}

/// The fields of all payloads that are read; each is in few of them.
#[derive(Default, Deserialize)]
pub(super) struct Payload<'a> {
    #[serde(borrow, default, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) id: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) session_id: Scalar<'a>,
    /// Looked at to know our own sessions, and dropped.
    #[serde(borrow, default)]
    pub(super) cwd: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) model_provider: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) turn_id: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) model: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) thread_settings: Object<Settings<'a>>,
    #[serde(borrow, default)]
    pub(super) info: Object<Info<'a>>,
    #[serde(borrow, default)]
    pub(super) rate_limits: Object<Limits<'a>>,
    #[serde(borrow, default)]
    pub(super) error: Object<Failure<'a>>,
    /// An `error` event has the two fields of a failure itself.
    #[serde(borrow, default)]
    pub(super) message: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) codex_error_info: Object<ErrorInfo<'a>>,
    #[serde(borrow, default)]
    pub(super) time_to_first_token_ms: Scalar<'a>,
    #[serde(default)]
    pub(super) last_agent_message: Presence,
}

#[derive(Default, Deserialize)]
pub(super) struct Settings<'a> {
    #[serde(borrow, default)]
    pub(super) model: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) model_provider_id: Scalar<'a>,
}

#[derive(Default, Deserialize)]
pub(super) struct Info<'a> {
    #[serde(borrow, default)]
    pub(super) total_token_usage: Object<Usage<'a>>,
    #[serde(borrow, default)]
    pub(super) last_token_usage: Object<Usage<'a>>,
}

#[derive(Default, Deserialize)]
pub(super) struct Usage<'a> {
    #[serde(borrow, default)]
    pub(super) output_tokens: Scalar<'a>,
}

#[derive(Default, Deserialize)]
pub(super) struct Limits<'a> {
    #[serde(borrow, default)]
    pub(super) limit_id: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) primary: Object<Window<'a>>,
    #[serde(borrow, default)]
    pub(super) secondary: Object<Window<'a>>,
    #[serde(default)]
    pub(super) rate_limit_reached_type: Presence,
}

#[derive(Default, Deserialize)]
pub(super) struct Window<'a> {
    #[serde(borrow, default)]
    pub(super) used_percent: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) window_minutes: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) resets_at: Scalar<'a>,
    /// Until 0.44.
    #[serde(borrow, default)]
    pub(super) resets_in_seconds: Scalar<'a>,
}

#[derive(Default, Deserialize)]
pub(super) struct Failure<'a> {
    #[serde(borrow, default)]
    pub(super) message: Scalar<'a>,
    #[serde(borrow, default, alias = "codexErrorInfo")]
    pub(super) codex_error_info: Object<ErrorInfo<'a>>,
}

/// `codex_error_info`: a word, or an object of one word with a status.
#[derive(Default)]
pub(super) struct ErrorInfo<'a> {
    pub(super) word: std::borrow::Cow<'a, str>,
    pub(super) status: Option<u16>,
}

#[derive(Default, Deserialize)]
pub(super) struct CodeDetail<'a> {
    #[serde(borrow, default, alias = "httpStatusCode")]
    pub(super) http_status_code: Scalar<'a>,
}

impl<'a> FromText<'a> for ErrorInfo<'a> {
    fn from_text(text: std::borrow::Cow<'a, str>) -> Option<Self> {
        Some(Self { word: text, status: None })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for ErrorInfo<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = ErrorInfo<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<ErrorInfo<'de>, A::Error> {
                let mut code = ErrorInfo::default();
                while let Some((word, detail)) = map.next_entry::<Scalar<'de>, Object<CodeDetail<'de>>>()? {
                    if let Scalar::Text(word) = word {
                        code.word = word;
                    }
                    code.status = detail.get().and_then(|detail| detail.http_status_code.status());
                }
                Ok(code)
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl<'a> FromText<'a> for Failure<'a> {
    fn from_text(text: std::borrow::Cow<'a, str>) -> Option<Self> {
        Some(Self { message: Scalar::Text(text), ..Self::default() })
    }
}

impl FromText<'_> for Payload<'_> {}
impl FromText<'_> for Settings<'_> {}
impl FromText<'_> for Info<'_> {}
impl FromText<'_> for Usage<'_> {}
impl FromText<'_> for Limits<'_> {}
impl FromText<'_> for Window<'_> {}
impl FromText<'_> for CodeDetail<'_> {}

/// The word and the status of an error.
pub(super) fn code_of<'a>(code: &'a Object<ErrorInfo<'_>>) -> (&'a str, Option<u16>) {
    code.get().map_or(("", None), |code| (&*code.word, code.status))
}
