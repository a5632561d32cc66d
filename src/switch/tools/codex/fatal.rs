//! What stops Codex although the file is valid TOML. Each was seen with `codex app-server` but for what says otherwise.

use super::layers::{Source, Sources, differ};
use super::{PROFILE_FILES, is_project};
use crate::edit::{Kind, Node};
use crate::switch::reading::{LayerKind, Reading, Start};
use crate::switch::tool::At;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::Version;

/// `wire_api = "chat"` is an error: PR #10157. Seen on 0.99, not on 0.77; the first version lies between.
const NO_CHAT: Version = Version(0, 95, 0);
/// The built-in providers cannot be defined again. Seen on 0.118, not on 0.99; the first version lies between.
const RESERVED_SINCE: Version = Version(0, 112, 0);
const RESERVED: [&str; 3] = ["openai", "ollama", "lmstudio"];
/// Providers that need no definition.
const KNOWN: [&str; 4] = ["openai", "ollama", "lmstudio", "amazon-bedrock"];
/// `approval_policy = "untrusted"` is an error. Seen on 0.171, not on 0.145; reported for 0.162.
const NO_UNTRUSTED: Version = Version(0, 162, 0);
/// Root keys that must be texts.
const TEXTS: [&str; 8] = [
    "model",
    "model_provider",
    "profile",
    "review_model",
    "model_reasoning_effort",
    "model_verbosity",
    "openai_base_url",
    "oss_provider",
];

/// Whether a provider exists without a definition.
pub(super) fn is_built_in(provider: &str) -> bool {
    KNOWN.contains(&provider)
}

/// Notes what keeps Codex from starting: as an obstacle, or, where only the project's file is at fault, for this folder.
pub(super) fn check(at: &At<'_>, sources: &Sources, reading: &mut Reading) {
    for source in sources.all.iter().filter(|source| source.is_trusted) {
        for (trouble, line) in faults(at, source) {
            let trouble = trouble.with("file", &source.path).with("line", line);
            stop(at, reading, is_project(source.kind), trouble);
        }
    }
    let selector = sources.all.iter().find(|source| source.get(&["profile"]).is_some());
    if let Some(source) = selector
        && let Some(name) = source.text(&["profile"])
    {
        let warning = if at.world.versions.is_since(PROFILE_FILES) {
            Some("switch-codex-fatal-profile")
        } else {
            (!sources.has(&["profiles", &name])).then_some("switch-codex-no-such-profile")
        };
        if let Some(text) = warning {
            let warning = Warning::new(Code::FatalForTool, text).with("profile", &name).with("file", &source.path);
            let line = source.get(&["profile"]).map_or(1, |node| source.document.position(node.span.start).line);
            stop(at, reading, is_project(source.kind), warning.with("line", line));
        }
    }
    if reading.obstacle.is_none() {
        undefined_provider(at, sources, reading);
    }
}

/// A provider that nothing defines, by the user's files or in this project alone.
fn undefined_provider(at: &At<'_>, sources: &Sources, reading: &mut Reading) {
    for is_project_only in [false, true] {
        let leaves_out = |kind| !is_project_only && kind == LayerKind::Project;
        let Some(provider) = reading.effective_without(leaves_out).provider else { continue };
        if !is_built_in(&provider) && !sources.own_providers(is_project_only).contains(&provider) {
            let warning = Warning::new(Code::FatalForTool, "switch-codex-undefined-provider");
            stop(at, reading, is_project_only, warning.with("provider", provider));
            return;
        }
    }
}

fn stop(at: &At<'_>, reading: &mut Reading, is_project_only: bool, trouble: Warning) {
    let is_wrong_type = trouble.code == Code::WrongType;
    let file = trouble.args.iter().find(|(name, _)| *name == "file").map(|(_, file)| file.clone());
    if is_wrong_type && let Some(file) = file {
        let text = if is_project_only { "switch-codex-stops-here" } else { "switch-codex-stops" };
        let folder = at.world.cwd.map(ToString::to_string).unwrap_or_default();
        reading.warnings.push(Warning::new(Code::FatalForTool, text).with("file", file).with("folder", folder));
    }
    if is_project_only {
        reading.start = Start::Never;
        reading.warnings.push(trouble);
    } else if reading.obstacle.is_none() {
        reading.obstacle = Some(trouble);
    } else {
        reading.warnings.push(trouble);
    }
}

/// Each fault of a file, with its line.
fn faults(at: &At<'_>, source: &Source) -> Vec<(Warning, usize)> {
    let mut out = Vec::new();
    let versions = at.world.versions;
    let mut add = |warning: Warning, node: &Node| out.push((warning, source.document.position(node.span.start).line));
    let wrong_type = |key: &str| Warning::new(Code::WrongType, "switch-codex-wrong-type").with("key", key);
    let fatal = |text| Warning::new(Code::FatalForTool, text);

    for key in TEXTS {
        let Some(node) = source.get(&[key]).filter(|node| node.as_text().is_none()) else { continue };
        let meant = node.child("name").and_then(Node::as_text).filter(|_| key == "model");
        match meant {
            Some(meant) => {
                let warning = Warning::new(Code::WrongType, "switch-codex-model-table");
                add(warning.with("meant", meant), node);
            }
            None => add(wrong_type(key), node),
        }
    }
    for key in ["profiles", "model_providers", "projects"] {
        let Some(table) = source.get(&[key]) else { continue };
        if !table.is_table() {
            add(wrong_type(key), table);
        }
        for entry in table.entries().iter().filter(|entry| !entry.value.is_table()) {
            add(wrong_type(&format!("{key}.{}", entry.key)), &entry.value);
        }
    }
    for entry in source.get(&["profiles"]).map_or(&[][..], Node::entries) {
        for key in ["model", "model_provider"] {
            if let Some(node) = entry.value.child(key).filter(|node| node.as_text().is_none()) {
                add(wrong_type(&format!("profiles.{}.{key}", entry.key)), node);
            }
        }
    }
    for entry in source.get(&["model_providers"]).map_or(&[][..], Node::entries) {
        let provider = entry.key.as_str();
        let wire = entry.value.child("wire_api");
        if let Some(wire) = wire.filter(|wire| wire.as_text() == Some("chat") && versions.is_since(NO_CHAT)) {
            add(fatal("switch-codex-wire-chat").with("provider", provider), wire);
        }
        if RESERVED.contains(&provider) {
            if versions.is_since(RESERVED_SINCE) {
                add(fatal("switch-codex-reserved").with("provider", provider), &entry.value);
            }
        } else if provider != "amazon-bedrock"
            && entry.value.is_table()
            && entry.value.child("name").and_then(Node::as_text).is_none_or(str::is_empty)
        {
            add(fatal("switch-codex-nameless").with("provider", provider), &entry.value);
        }
    }
    for entry in source.get(&["projects"]).map_or(&[][..], Node::entries) {
        let level = entry.value.child("trust_level");
        if let Some(level) = level.filter(|level| !matches!(level.as_text(), Some("trusted" | "untrusted"))) {
            add(fatal("switch-codex-trust-level").with("project", &entry.key), level);
        }
    }
    // A root key that landed in this table, most often; every value there is a switch or a table.
    for entry in source.get(&["features"]).map_or(&[][..], Node::entries) {
        if matches!(entry.value.kind, Kind::Text(_)) {
            add(wrong_type(&format!("features.{}", entry.key)), &entry.value);
        }
    }
    if let Some(node) = source.get(&["approval_policy"])
        && node.as_text() == Some("untrusted")
        && versions.is_since(NO_UNTRUSTED)
    {
        add(fatal("switch-codex-approval"), node);
    }
    out
}

/// Whether versions on both sides of a gate are there, for a file that stops the newer ones.
pub(super) fn note_straddle(at: &At<'_>, sources: &Sources, reading: &mut Reading) {
    let providers = sources.all.iter().filter_map(|source| source.get(&["model_providers"])).flat_map(Node::entries);
    let is_chat = |node: &Node| node.child("wire_api").and_then(Node::as_text) == Some("chat");
    let mut is_old = false;
    for entry in providers {
        is_old |= is_chat(&entry.value) && at.world.versions.straddles(NO_CHAT);
        is_old |= RESERVED.contains(&entry.key.as_str()) && at.world.versions.straddles(RESERVED_SINCE);
    }
    if is_old {
        reading.warnings.push(differ(at, "switch-codex-versions-fatal"));
    }
}
