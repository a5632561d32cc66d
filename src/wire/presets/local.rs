//! Servers on this machine, at the ports they take by default.
//!
//! Addresses are numeric: `localhost` may resolve to IPv6 first, where most of them do not listen.

use super::{CHAT, Preset};
use crate::core::target::{DailyCap, Dialect};
use crate::wire::endpoint::Auth;

/// Local computing costs nothing but warmth.
const FREE: DailyCap = DailyCap { requests: 1_000, tokens: 300_000 };

const LOCAL: Preset = Preset { is_local: true, auth: Auth::None, daily_cap: FREE, ..CHAT };

/// A relay needs a key and forwards to providers that cost money.
const RELAY: Preset = Preset { is_local: true, note: Some("probe-note-relay"), ..CHAT };

/// In the order in which they are offered.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        id: "ollama",
        name: "Ollama",
        dialect: Dialect::OllamaChat,
        base_url: "http://127.0.0.1:11434",
        models: &["llama3.2", "qwen3:8b"],
        ..LOCAL
    },
    Preset { id: "lm-studio", name: "LM Studio", base_url: "http://127.0.0.1:1234/v1", ..LOCAL },
    Preset { id: "vllm", name: "vLLM", auth: Auth::Bearer, base_url: "http://127.0.0.1:8000/v1", ..LOCAL },
    Preset {
        id: "llama-cpp",
        name: "llama.cpp server",
        auth: Auth::Bearer,
        base_url: "http://127.0.0.1:8080/v1",
        ..LOCAL
    },
    Preset {
        id: "litellm",
        name: "LiteLLM proxy",
        base_url: "http://127.0.0.1:4000/v1",
        key_vars: &["LITELLM_API_KEY", "LITELLM_MASTER_KEY"],
        ..RELAY
    },
    Preset {
        id: "one-api",
        name: "One API / New API",
        base_url: "http://127.0.0.1:3000/v1",
        key_vars: &["ONEAPI_API_KEY", "NEWAPI_API_KEY"],
        ..RELAY
    },
];
