//! Where OpenClaw can send requests: providers that it brings, and those under `models.providers`.

use crate::core::target::Dialect;
use crate::edit::Node;
use crate::switch::tool::{Credential, ToolEndpoint};
use crate::switch::world::World;

use super::include::{Finder, Spot};

/// A built-in provider: name, address, dialect, the variable with its key.
type BuiltIn = (&'static str, &'static str, Dialect, &'static str);

/// Source: OpenClaw's documentation page on model providers.
const BUILT_IN: &[BuiltIn] = &[
    ("anthropic", "https://api.anthropic.com", Dialect::AnthropicMessages, "ANTHROPIC_API_KEY"),
    ("openai", "https://api.openai.com/v1", Dialect::OpenaiResponses, "OPENAI_API_KEY"),
    ("google", "https://generativelanguage.googleapis.com", Dialect::Gemini, "GEMINI_API_KEY"),
    ("openrouter", "https://openrouter.ai/api/v1", Dialect::OpenaiChat, "OPENROUTER_API_KEY"),
    ("xai", "https://api.x.ai/v1", Dialect::OpenaiChat, "XAI_API_KEY"),
    ("groq", "https://api.groq.com/openai/v1", Dialect::OpenaiChat, "GROQ_API_KEY"),
    ("mistral", "https://api.mistral.ai/v1", Dialect::OpenaiChat, "MISTRAL_API_KEY"),
    ("zai", "https://api.z.ai/api/paas/v4", Dialect::OpenaiChat, "ZAI_API_KEY"),
    ("minimax", "https://api.minimax.io/anthropic", Dialect::AnthropicMessages, "MINIMAX_API_KEY"),
    ("moonshot", "https://api.moonshot.ai/v1", Dialect::OpenaiChat, "MOONSHOT_API_KEY"),
    ("deepseek", "https://api.deepseek.com", Dialect::OpenaiChat, "DEEPSEEK_API_KEY"),
];
const PROVIDERS: &[&str] = &["models", "providers"];

/// The names that a reference may begin with, as far as the files tell.
pub(super) fn names(finder: &mut Finder<'_, '_>, root: &Spot, models: &[Spot]) -> Vec<String> {
    let listed = models.iter().flat_map(|spot| spot.node.entries());
    let mut names: Vec<String> = listed.filter_map(|entry| Some(entry.key.split_once('/')?.0.to_owned())).collect();
    let own = finder.find(root, PROVIDERS);
    names.extend(own.iter().flat_map(|spot| spot.node.entries()).map(|entry| entry.key.clone()));
    names.extend(BUILT_IN.iter().map(|(name, ..)| (*name).to_owned()));
    names
}

pub(super) fn endpoints(world: &World<'_>, finder: &mut Finder<'_, '_>, root: Option<&Spot>) -> Vec<ToolEndpoint> {
    let own = root.map(|root| finder.find(root, PROVIDERS)).unwrap_or_default();
    let mut all: Vec<ToolEndpoint> = Vec::new();
    for entry in own.iter().flat_map(|spot| spot.node.entries()) {
        if !all.iter().any(|known| known.provider == entry.key) {
            all.push(endpoint(world, &entry.key, &entry.value));
        }
    }
    let known: Vec<String> = all.iter().map(|endpoint| endpoint.provider.clone()).collect();
    let missing = BUILT_IN.iter().filter(|(name, ..)| !known.iter().any(|own| own == name));
    all.extend(missing.map(|&(name, address, dialect, variable)| ToolEndpoint {
        provider: name.to_owned(),
        base_url: Some(address.to_owned()),
        dialect: Some(dialect),
        credential: found_in(world, variable),
        models: Vec::new(),
    }));
    all
}

/// Keys may also lie in profiles of its own, which are not opened.
fn found_in(world: &World<'_>, variable: &str) -> Credential {
    match world.vars.get(variable) {
        Some(_) => Credential::Variable(variable.to_owned()),
        None => Credential::Unknown,
    }
}

fn endpoint(world: &World<'_>, name: &str, block: &Node) -> ToolEndpoint {
    let text = |key: &str| block.child(key).and_then(Node::as_text).filter(|text| !text.is_empty());
    let built_in = BUILT_IN.iter().find(|(known, ..)| *known == name);
    let dialect = match text("api") {
        Some("openai-completions") => Some(Dialect::OpenaiChat),
        Some("openai-responses") => Some(Dialect::OpenaiResponses),
        Some("anthropic-messages") => Some(Dialect::AnthropicMessages),
        Some("google-generative-ai") => Some(Dialect::Gemini),
        Some("ollama") => Some(Dialect::OllamaChat),
        Some(_) => None,
        None => built_in.map(|(_, _, dialect, _)| *dialect),
    };
    let key = block.child("apiKey");
    let of_env = |node: &Node| {
        let source = node.child("source").and_then(Node::as_text);
        node.child("id").and_then(Node::as_text).filter(|_| source == Some("env")).map(str::to_owned)
    };
    let credential = match (text("apiKey"), key.and_then(of_env)) {
        (_, Some(variable)) => Credential::Variable(variable),
        (Some(text), None) => match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
            Some(variable) => Credential::Variable(variable.to_owned()),
            None => Credential::InFile,
        },
        (None, None) => built_in.map_or(Credential::Unknown, |(.., variable)| found_in(world, variable)),
    };
    let models = block.child("models").map(Node::items).unwrap_or_default();
    ToolEndpoint {
        provider: name.to_owned(),
        base_url: text("baseUrl").or(built_in.map(|(_, address, ..)| *address)).map(str::to_owned),
        dialect,
        credential,
        models: models.iter().filter_map(|model| Some(model.child("id")?.as_text()?.to_owned())).collect(),
    }
}
