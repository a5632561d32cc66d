//! The entries under `models`.

use crate::core::target::Dialect;
use crate::edit::{Document, Node};
use crate::switch::path::ToolPath;
use crate::switch::tool::{Credential, ToolEndpoint};

/// A model that can be chosen for chat.
pub(super) struct Entry {
    /// Its place under `models`.
    pub(super) index: usize,
    /// The name that selects it.
    pub(super) name: Option<String>,
    pub(super) provider: Option<String>,
    pub(super) model: Option<String>,
    /// The keys of its model; `None` where it is taken from the hub.
    pub(super) model_keys: Option<Vec<String>>,
    base_url: Option<String>,
    credential: Credential,
}

/// The models for chat, in the file's order.
pub(super) fn chat_entries(path: &ToolPath, document: &Document) -> Vec<Entry> {
    let is_old = path.name() == "config.json";
    let items = document.get(&["models"]).map(Node::items).unwrap_or_default();
    items
        .iter()
        .enumerate()
        .filter(|(_, item)| is_old || is_for_chat(item))
        .map(|(at, item)| entry(at, item, is_old))
        .collect()
}

/// Without roles a model is for chat, edit, apply and summaries.
fn is_for_chat(item: &Node) -> bool {
    item.child("roles").is_none_or(|roles| roles.items().iter().any(|role| role.as_text() == Some("chat")))
}

fn entry(index: usize, item: &Node, is_old: bool) -> Entry {
    let text = |key: &str| item.child(key).and_then(Node::as_text).map(str::to_owned);
    let is_of_hub = item.child("uses").is_some();
    let credential = match text("apiKey") {
        Some(key) if key.contains("${{") || key.is_empty() => Credential::Unknown,
        Some(_) => Credential::InFile,
        None if matches!(text("provider").as_deref(), Some("ollama" | "lmstudio" | "llamafile")) => Credential::None,
        None => Credential::Unknown,
    };
    Entry {
        index,
        name: text(if is_old { "title" } else { "name" }),
        provider: text("provider"),
        model: text("model"),
        model_keys: (!is_of_hub).then(|| vec!["models".to_owned(), index.to_string(), "model".to_owned()]),
        base_url: text("apiBase"),
        credential,
    }
}

/// What Continue knows under a provider's name. Source: its documentation pages on model providers.
const KNOWN: &[(&str, &str, Dialect)] = &[
    ("anthropic", "https://api.anthropic.com", Dialect::AnthropicMessages),
    ("openai", "https://api.openai.com/v1", Dialect::OpenaiChat),
    ("gemini", "https://generativelanguage.googleapis.com", Dialect::Gemini),
    ("openrouter", "https://openrouter.ai/api/v1", Dialect::OpenaiChat),
    ("deepseek", "https://api.deepseek.com", Dialect::OpenaiChat),
    ("mistral", "https://api.mistral.ai/v1", Dialect::OpenaiChat),
    ("groq", "https://api.groq.com/openai/v1", Dialect::OpenaiChat),
    ("xAI", "https://api.x.ai/v1", Dialect::OpenaiChat),
    ("moonshot", "https://api.moonshot.cn/v1", Dialect::OpenaiChat),
    ("ollama", "http://localhost:11434", Dialect::OllamaChat),
    ("lmstudio", "http://localhost:1234/v1", Dialect::OpenaiChat),
];

/// Each entry's endpoint once. Any model can be put into an entry, so none is listed.
pub(super) fn endpoints(entries: &[Entry]) -> Vec<ToolEndpoint> {
    let mut all: Vec<ToolEndpoint> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.model_keys.is_some()) {
        let Some(provider) = &entry.provider else { continue };
        let known = KNOWN.iter().find(|(name, ..)| name == provider);
        let endpoint = ToolEndpoint {
            provider: provider.clone(),
            base_url: entry.base_url.clone().or_else(|| known.map(|(_, address, _)| (*address).to_owned())),
            dialect: known.map(|(.., dialect)| *dialect),
            credential: entry.credential.clone(),
            models: Vec::new(),
        };
        if !all.contains(&endpoint) {
            all.push(endpoint);
        }
    }
    all
}
