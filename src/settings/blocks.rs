//! Tables of the settings file as text: what the program adds looks as if a person had written it.

use super::discovery::{Proposal, ProposedProvider};
use crate::core::target::{Probing, TargetId};
use crate::edit::toml_text;
use crate::secrets::KeyRef;
use crate::wire::presets::Preset;

/// A list of ids on one line.
fn list(ids: &[TargetId]) -> String {
    format!("[{}]", ids.iter().map(|id| toml_text(id.as_str())).collect::<Vec<_>>().join(", "))
}

/// `[[chain]]`
pub(super) fn chain(name: &str, tool: Option<&str>, targets: &[TargetId]) -> String {
    let tool = tool.map(|tool| format!("tool = {}\n", toml_text(tool))).unwrap_or_default();
    format!("[[chain]]\nname = {}\n{tool}targets = {}\n", toml_text(name), list(targets))
}

/// `[[provider]]`; what the preset says is left to it.
pub(super) fn provider(provider: &ProposedProvider) -> String {
    let mut out = format!("[[provider]]\nid = {}\n", toml_text(provider.id.as_str()));
    let preset = provider.preset.and_then(Preset::find);
    if let Some(preset) = preset {
        out.push_str(&format!("preset = {}\n", toml_text(preset.id)));
    }
    if preset.is_none_or(|preset| preset.dialect != provider.dialect) {
        out.push_str(&format!("dialect = {}\n", toml_text(provider.dialect.name())));
    }
    if let Some(base_url) = &provider.base_url {
        out.push_str(&format!("base_url = {}\n", toml_text(base_url)));
    }
    if let Some(key) = key(&provider.key) {
        out.push_str(&format!("key = {key}\n"));
    }
    for (name, pairs) in [("headers", &provider.headers), ("query", &provider.query)] {
        if !pairs.is_empty() {
            let pairs = pairs.iter().map(|(name, value)| format!("{} = {}", toml_text(name), toml_text(value)));
            out.push_str(&format!("{name} = {{ {} }}\n", pairs.collect::<Vec<_>>().join(", ")));
        }
    }
    out
}

fn key(key: &KeyRef) -> Option<String> {
    Some(match key {
        KeyRef::None => return None,
        KeyRef::Env(name) => format!("{{ env = {} }}", toml_text(name)),
        KeyRef::Command(words) => {
            format!("{{ command = [{}] }}", words.iter().map(|word| toml_text(word)).collect::<Vec<_>>().join(", "))
        }
        KeyRef::Keyring(entry) => format!("{{ keyring = {} }}", toml_text(entry)),
        KeyRef::Tool(tool) => format!("{{ tool = {} }}", toml_text(&tool.to_string())),
    })
}

/// `[[target]]`
pub(super) fn target(proposal: &Proposal) -> String {
    let mut out = format!(
        "[[target]]\nid = {}\nprovider = {}\nmodel = {}\nrole = {}\n",
        toml_text(proposal.target.as_str()),
        toml_text(proposal.provider.id.as_str()),
        toml_text(proposal.model.as_str()),
        toml_text(proposal.role.name()),
    );
    // A subscription is never probed anyway, and a preset says by itself what is on demand.
    if proposal.probing == Probing::OnDemand
        && proposal.provider.preset.and_then(Preset::find).is_none_or(|preset| preset.probing != Probing::OnDemand)
    {
        out.push_str("probing = \"on-demand\"\n");
    }
    out
}
