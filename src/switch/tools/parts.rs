//! What the readers of several tools have in common.

use crate::edit::Document;
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place};
use crate::switch::tool::{Credential, ToolEndpoint, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;
use crate::wire::presets::Preset;

/// What stands at a key that should be a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// Nothing, or `null`.
    Nothing,
    /// A text, perhaps empty.
    Text(&'a str),
    /// Something that is no text.
    Other,
}

impl<'a> Found<'a> {
    /// The text, if it is one that says something.
    pub(super) const fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }
}

/// What stands at a path of keys.
pub(super) fn found<'a>(document: &'a Document, path: &[&str]) -> Found<'a> {
    match document.get(path) {
        Some(node) if node.as_text().is_some() => Found::Text(node.as_text().unwrap_or_default()),
        Some(node) if !matches!(node.kind, crate::edit::Kind::Null) => Found::Other,
        _ => Found::Nothing,
    }
}

/// The layer of a variable that is set to something.
pub(super) fn variable(world: &World<'_>, name: &str) -> Option<Layer> {
    let (value, origin) = (world.vars.get(name)?, world.vars.origin(name)?);
    let place = Place::Variable { name: name.to_owned(), origin };
    Some(Layer::new(LayerKind::Env, place, Some(value.to_owned())))
}

/// A key holds something that is no text: where it stands.
pub(super) fn wrong_type(file: &ToolPath, document: &Document, path: &[&str]) -> Warning {
    let offset = document.get(path).map_or(0, |node| node.span.start);
    Warning::new(Code::WrongType, "switch-wrong-type")
        .with("file", file)
        .with("key", path.join("."))
        .with("line", document.position(offset).line)
}

/// The file begins with a byte order mark, which this tool reads over.
pub(super) fn bom(file: &ToolPath, document: &Document) -> Option<Warning> {
    document.has_bom().then(|| Warning::new(Code::BomPresent, "switch-bom").with("file", file))
}

/// A key on this path occurs more than once; the tool takes the last, and so does an edit.
pub(super) fn duplicate(file: &ToolPath, document: &Document, path: &[&str]) -> Option<Warning> {
    let twice = document.duplicates();
    let key = (1..=path.len()).map(|length| path[..length].join(".")).find(|key| twice.contains(key))?;
    Some(Warning::new(Code::DuplicateKey, "switch-duplicate-key").with("file", file).with("key", key))
}

/// A vendor's own endpoint by the tool's name for it, from our preset: the variable that is set, else the usual one.
pub(super) fn vendor(world: &World<'_>, provider: &str, preset: &str) -> ToolEndpoint {
    let preset = Preset::find(preset);
    let variables = preset.map_or(&[][..], |preset| preset.key_vars);
    let variable = variables.iter().find(|name| world.vars.get(name).is_some()).or(variables.first());
    ToolEndpoint {
        provider: provider.to_owned(),
        base_url: None,
        dialect: preset.map(|preset| preset.dialect),
        credential: variable.map_or(Credential::Unknown, |name| Credential::Variable((*name).to_owned())),
        models: Vec::new(),
    }
}

/// Whether a user's name for a model leads to another one than it says: it is a vendor's or looks like a model's own name,
/// and what it stands for does not contain it.
pub(super) fn misleads(name: &str, target: &str, vendors_names: &[&str]) -> bool {
    let is_suggestive = vendors_names.contains(&name) || name.contains(|c: char| c.is_ascii_digit());
    is_suggestive && !target.to_lowercase().contains(&name.to_lowercase())
}

/// Providers whose own names of models hold a slash. Source: the providers of models.dev and the models below them.
const SLASHED: &[&str] = &[
    "openrouter",
    "requesty",
    "vercel",
    "vercel-ai-gateway",
    "together",
    "togetherai",
    "fireworks-ai",
    "groq",
    "deepinfra",
    "nvidia",
    "huggingface",
    "chutes",
    "nebius",
    "novita-ai",
    "siliconflow",
    "siliconflow-cn",
    "modelscope",
    "baseten",
    "kilo",
    "zenmux",
    "fastrouter",
    "github-models",
    "cloudflare-ai-gateway",
    "cloudflare-workers-ai",
    "lmstudio",
];

/// Other providers that tools of `provider/model` know without being told. Source: models.dev.
const KNOWN: &[&str] = &[
    "alibaba",
    "alibaba-cn",
    "amazon-bedrock",
    "azure",
    "azure-cognitive-services",
    "cerebras",
    "cohere",
    "github-copilot",
    "google-vertex",
    "google-vertex-anthropic",
    "inception",
    "kimi-for-coding",
    "llama",
    "minimax",
    "minimax-cn",
    "moonshotai",
    "moonshotai-cn",
    "ollama",
    "ollama-cloud",
    "opencode",
    "opencode-go",
    "perplexity",
    "poe",
    "scaleway",
    "synthetic",
    "upstage",
    "v0",
    "venice",
    "xai",
    "xiaomi",
    "zai",
    "zai-coding-plan",
    "zhipuai",
    "zhipuai-coding-plan",
];

/// A name with a slash is written as it is, as these tools read it: the provider is what stands before the slash. Where no
/// such provider is known, and the present one (with these models) has names with a slash itself, its model may have been
/// meant, which only the user can tell.
pub(super) fn in_doubt(
    tool: &str,
    wanted: &Wanted,
    present: &str,
    models: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Option<Warning> {
    let (first, _) = wanted.model.split_once('/').filter(|_| wanted.provider.is_none())?;
    let is_slashed = SLASHED.contains(&present) || models.iter().any(|model| model.contains('/'));
    let lower = first.to_lowercase();
    let is_common = lower == present || SLASHED.contains(&&*lower) || KNOWN.contains(&&*lower);
    if !is_slashed || is_common || is_known(first) {
        return None;
    }
    let warning = Warning::new(Code::ModelUnverified, "switch-provider-in-doubt").with("tool", tool);
    Some(warning.with("model", &wanted.model).with("first", first).with("provider", present))
}
