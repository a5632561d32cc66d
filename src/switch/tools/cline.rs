//! Cline: `providers.json`, where the last used provider and its model decide.
//!
//! Source: cline/cline @21cb8d2. The file has version 1 and is checked as a whole: what does not fit makes Cline begin
//! anew. A running Cline keeps it in memory and writes it back. Older versions keep the choice, by mode, in the editor's
//! own storage: they have no such file and cannot be switched by one.

use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Kind, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, duplicate, found, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const JSON: Language = Language::Json(JsonDialect::STRICT);
/// The variables that move the file, the strongest first: with the file's place below what they name.
const MOVED: [(&str, &str); 3] = [
    ("CLINE_PROVIDER_SETTINGS_PATH", ""),
    ("CLINE_DATA_DIR", "settings/providers.json"),
    ("CLINE_DIR", "data/settings/providers.json"),
];
const LAST_USED: &[&str] = &["lastUsedProvider"];

pub(super) struct Cline;

fn file(home: &Home) -> ToolPath {
    let moved = MOVED.iter().find(|(name, _)| home.moved_by == Some(name));
    home.path.join(moved.map_or(MOVED[2].1, |(_, below)| below))
}

fn model_keys(provider: &str) -> [&str; 4] {
    ["providers", provider, "settings", "model"]
}

/// What makes Cline drop the whole file.
fn misfit(path: &ToolPath, document: &Document) -> Option<Warning> {
    let is_first = document.get(&["version"]).is_some_and(|node| node.kind == Kind::Number("1".to_owned()));
    if !is_first || !document.root().is_table() {
        return Some(Warning::new(Code::InvalidForTool, "switch-cline-version").with("file", path));
    }
    if found(document, LAST_USED) == Found::Other {
        return Some(wrong_type(path, document, LAST_USED));
    }
    // One such address loses every provider (seen on 3.0.65).
    let entries = document.get(&["providers"]).map(Node::entries).unwrap_or_default();
    let address = |block: &Node| Some(block.child("settings")?.child("baseUrl")?.as_text()?.to_owned());
    let no_address =
        entries.iter().find_map(|entry| address(&entry.value).filter(|text| !text.is_empty() && !has_scheme(text)));
    if let Some(text) = no_address {
        let warning = Warning::new(Code::InvalidForTool, "switch-cline-address");
        return Some(warning.with("file", path).with("address", text));
    }
    let provider = found(document, LAST_USED).text()?;
    let keys = model_keys(provider);
    (found(document, &keys) == Found::Other).then(|| wrong_type(path, document, &keys))
}

/// Whether it begins as an address does: a letter, then letters, digits and `+-.`, then a colon.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.trim().split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|part| part.is_ascii_alphanumeric() || "+-.".contains(part))
}

impl Tool for Cline {
    fn id(&self) -> &'static str {
        "cline"
    }

    fn name(&self) -> &'static str {
        "Cline"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cline"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved = MOVED.iter().find_map(|&(name, _)| Some((world.vars.get(name)?, name)));
        vec![match moved {
            Some((path, name)) => Home { path: world.home.join(path), moved_by: Some(name) },
            None => Home { path: world.home.join(".cline"), moved_by: None },
        }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let path = file(at.home);
        match load(&at.world, &mut reading.files, &path, JSON) {
            Loaded::Missing => {
                reading.obstacle =
                    Some(Warning::new(Code::StorageNotInFile, "switch-cline-no-file").with("file", &path));
            }
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => {
                reading.obstacle = misfit(&path, &document);
                let last = found(&document, LAST_USED).text();
                for entry in document.get(&["providers"]).map(Node::entries).unwrap_or_default() {
                    let keys = model_keys(&entry.key);
                    let model = found(&document, &keys).text().map(str::to_owned);
                    let is_last = last == Some(&entry.key);
                    let kind = if is_last { LayerKind::User } else { LayerKind::OtherUser };
                    let layer = Layer::new(kind, Place::file(&path, keys.join(".")), model);
                    let layer = layer.provider(Some(entry.key.clone()));
                    reading.layers.push(if is_last { layer } else { layer.inert() });
                }
                reading.layers.sort_by_key(|layer| !layer.is_active);
                reading.fallback.provider = last.map(str::to_owned);
            }
        }
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = file(at.home);
        let loaded = load(&at.world, &mut Vec::new(), &path, JSON);
        let current = reading.effective();
        let Some(provider) = wanted.provider.as_ref().or(current.provider.as_ref()) else {
            return Err(Warning::new(Code::ProviderUnknown, "switch-cline-no-provider").with("file", &path));
        };
        let keys = model_keys(provider);
        let Some(document) = loaded.document().filter(|document| document.get(&keys[..3]).is_some()) else {
            let warning = Warning::new(Code::ProviderUnknown, "switch-cline-provider");
            return Err(warning.with("file", &path).with("provider", provider));
        };
        let mut changes = Changes::default();
        changes.warnings.extend(duplicate(&path, document, &keys).or_else(|| duplicate(&path, document, LAST_USED)));
        if found(document, &keys).text() != Some(&wanted.model) {
            changes.changes.push(Change::text(&path, JSON, &keys, &wanted.model));
        }
        if found(document, LAST_USED).text() != Some(provider) {
            changes.changes.push(Change::text(&path, JSON, LAST_USED, provider));
        }
        changes.warnings.push(Warning::new(Code::ToolMayWriteBack, "switch-cline-memory").with("file", &path));
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let loaded = load(&at.world, &mut Vec::new(), &file(at.home), JSON);
        let providers = loaded.document().and_then(|document| document.get(&["providers"]));
        providers
            .map(Node::entries)
            .unwrap_or_default()
            .iter()
            .filter_map(|entry| endpoint(&entry.key, &entry.value))
            .collect()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

/// What Cline knows under a provider's name: its address and dialect. Source: its documentation pages on providers.
const KNOWN: &[(&str, Option<&str>, Dialect)] = &[
    ("anthropic", Some("https://api.anthropic.com"), Dialect::AnthropicMessages),
    ("openai-native", Some("https://api.openai.com/v1"), Dialect::OpenaiResponses),
    ("openai-compatible", None, Dialect::OpenaiChat),
    ("openai", None, Dialect::OpenaiChat),
    ("openrouter", Some("https://openrouter.ai/api/v1"), Dialect::OpenaiChat),
    ("gemini", Some("https://generativelanguage.googleapis.com"), Dialect::Gemini),
    ("deepseek", Some("https://api.deepseek.com"), Dialect::OpenaiChat),
    ("ollama", Some("http://localhost:11434"), Dialect::OllamaChat),
    ("lmstudio", Some("http://localhost:1234/v1"), Dialect::OpenaiChat),
    ("moonshot", Some("https://api.moonshot.ai/v1"), Dialect::OpenaiChat),
    ("groq", Some("https://api.groq.com/openai/v1"), Dialect::OpenaiChat),
    ("xai", Some("https://api.x.ai/v1"), Dialect::OpenaiChat),
    ("mistral", Some("https://api.mistral.ai/v1"), Dialect::OpenaiChat),
    ("litellm", Some("http://localhost:4000"), Dialect::OpenaiChat),
];

fn endpoint(name: &str, block: &Node) -> Option<ToolEndpoint> {
    let settings = block.child("settings")?;
    let text = |key: &str| settings.child(key).and_then(Node::as_text).filter(|text| !text.is_empty());
    let known = KNOWN.iter().find(|(known, ..)| *known == name);
    let is_local = matches!(name, "ollama" | "lmstudio");
    let credential = match (text("apiKey"), settings.child("auth")) {
        (Some(_), _) => Credential::InFile,
        (None, Some(_)) => Credential::OwnLogin,
        (None, None) if is_local => Credential::None,
        (None, None) => Credential::Unknown,
    };
    Some(ToolEndpoint {
        provider: name.to_owned(),
        base_url: text("baseUrl").or(known.and_then(|(_, address, _)| *address)).map(str::to_owned),
        dialect: known.map(|(.., dialect)| *dialect),
        credential,
        models: Vec::new(),
    })
}
