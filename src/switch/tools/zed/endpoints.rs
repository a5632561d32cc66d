//! Where Zed can send requests: its built-in providers and those that the settings add.

use crate::core::target::Dialect;
use crate::edit::{Document, Node};
use crate::switch::tool::{Credential, ToolEndpoint};
use crate::switch::world::World;

/// A built-in provider: its name, its block under `language_models`, address, dialect, the variable with its key.
type BuiltIn = (&'static str, &'static str, &'static str, Dialect, Option<&'static str>);

/// Source: Zed's documentation page on providers.
const BUILT_IN: &[BuiltIn] = &[
    ("anthropic", "anthropic", "https://api.anthropic.com", Dialect::AnthropicMessages, Some("ANTHROPIC_API_KEY")),
    ("openai", "openai", "https://api.openai.com/v1", Dialect::OpenaiChat, Some("OPENAI_API_KEY")),
    ("google", "google", "https://generativelanguage.googleapis.com", Dialect::Gemini, Some("GEMINI_API_KEY")),
    ("deepseek", "deepseek", "https://api.deepseek.com/v1", Dialect::OpenaiChat, Some("DEEPSEEK_API_KEY")),
    ("mistral", "mistral", "https://api.mistral.ai/v1", Dialect::OpenaiChat, Some("MISTRAL_API_KEY")),
    ("openrouter", "open_router", "https://openrouter.ai/api/v1", Dialect::OpenaiChat, Some("OPENROUTER_API_KEY")),
    ("x_ai", "x_ai", "https://api.x.ai/v1", Dialect::OpenaiChat, Some("XAI_API_KEY")),
    ("ollama", "ollama", "http://localhost:11434", Dialect::OllamaChat, None),
    ("lmstudio", "lmstudio", "http://localhost:1234/v1", Dialect::OpenaiChat, None),
];

pub(super) fn endpoints(world: &World<'_>, document: Option<&Document>) -> Vec<ToolEndpoint> {
    let models = |key: &str| document.and_then(|document| document.get(&["language_models", key]));
    let mut all: Vec<_> = BUILT_IN
        .iter()
        .map(|&(provider, block, address, dialect, variable)| ToolEndpoint {
            provider: provider.to_owned(),
            base_url: Some(models(block).and_then(address_of).unwrap_or(address).to_owned()),
            dialect: Some(dialect),
            credential: variable.map_or(Credential::None, |variable| credential(world, variable)),
            models: Vec::new(),
        })
        .collect();
    let own = models("openai_compatible").map(Node::entries).unwrap_or_default();
    all.extend(own.iter().filter_map(|entry| {
        Some(ToolEndpoint {
            provider: entry.key.clone(),
            base_url: Some(address_of(&entry.value)?.to_owned()),
            dialect: Some(Dialect::OpenaiChat),
            credential: credential(world, &variable_of(&entry.key)),
            models: listed(&entry.value),
        })
    }));
    all
}

fn address_of(block: &Node) -> Option<&str> {
    block.child("api_url")?.as_text()
}

/// The models that the settings list, which are all that such a provider offers.
fn listed(block: &Node) -> Vec<String> {
    let items = block.child("available_models").map(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| Some(item.child("name")?.as_text()?.to_owned())).collect()
}

/// A key may lie in the system's key chain as well, which is not asked.
fn credential(world: &World<'_>, variable: &str) -> Credential {
    match world.vars.get(variable) {
        Some(_) => Credential::Variable(variable.to_owned()),
        None => Credential::Unknown,
    }
}

/// The variable of an added provider: its name in capitals.
fn variable_of(name: &str) -> String {
    let upper = |c: char| if c.is_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{}_API_KEY", name.chars().map(upper).collect::<String>())
}
