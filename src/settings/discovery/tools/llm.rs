//! llm: `default_model.txt` and the names in `keys.json`.

use std::collections::BTreeMap;

use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::discovery::jsonc::Present;
use crate::settings::discovery::look::{Facts, Look, of_preset, preset_named};
use crate::settings::discovery::{Login, Reason};

const TOOL: &str = "llm";
const NAME: &str = "llm";

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let folder = match look.env.get("LLM_USER_PATH") {
        Some(path) => path.into(),
        None => look.system_config().join("io.datasette.llm"),
    };
    let model = look.read(&mut facts, &folder.join("default_model.txt"), |text| Some(text.trim().to_owned()));
    let keys: BTreeMap<String, Present> =
        look.read(&mut facts, &folder.join("keys.json"), |text| serde_json::from_str(text).ok()).unwrap_or_default();
    if keys.iter().any(|(name, key)| key.0 && !name.starts_with("//")) {
        facts.tool.login = Login::ApiKey;
    }
    let Some(model) = model.filter(|model| !model.is_empty()) else { return facts };
    facts.tool.model = Some(model.clone());
    // A bare name belongs to OpenAI, whose models are built in; plug-ins put their own name in front.
    let (name, bare) = model.split_once('/').unwrap_or(("openai", &model));
    let Some(preset) = preset_named(name) else { return facts };
    let key = match keys.get(name) {
        Some(Present(true)) => Some(KeyRef::Tool(ToolKey { tool: KeyTool::Llm, entry: name.to_owned() })),
        _ => look.preset_key(preset).map(|(_, key)| key),
    };
    if let Some(key) = key {
        facts.add(of_preset(preset, key), bare, Reason::Active { tool: NAME });
    }
    facts
}
