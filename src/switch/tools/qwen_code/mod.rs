//! Qwen Code (QwenLM/qwen-code): `settings.json` in `~/.qwen`, models by auth type, and a file that is renamed away when it
//! cannot be read.
//!
//! Sources: docs/users/configuration (settings.md, model-providers.md). Marked "seen": which model 0.5.0, 0.12.0, 0.15.6,
//! 0.15.10 and 0.24.4 asked a server on this machine for, on Linux. The variables rank below `model.name` since 0.15 at the
//! latest (seen on 0.15.6), though the documentation still has them above.

mod known;

use crate::core::target::Dialect;
use crate::edit::{Kind, Value};
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::gemini_family::{Dotenv, Settings, expand, has_reference, is_no_text};
use crate::switch::tools::parts;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};
use known::Known;

const FILE: &str = "settings.json";
const MOVED_BY: &str = "QWEN_HOME";
/// `model.name` goes before the variables. Seen on 0.15.6, not on 0.12.0; the first version lies between.
const FILE_FIRST: Version = Version(0, 15, 0);
const TYPES: [&str; 6] = ["openai", "anthropic", "gemini", "vertex-ai", "qwen-oauth", "copilot"];
/// Each auth type's variables: those that name a model, and the one that holds the key.
const VARIABLES: [(&str, &[&str], &str); 4] = [
    ("openai", &["OPENAI_MODEL", "QWEN_MODEL"], "OPENAI_API_KEY"),
    ("anthropic", &["ANTHROPIC_MODEL"], "ANTHROPIC_API_KEY"),
    ("gemini", &["GEMINI_MODEL"], "GEMINI_API_KEY"),
    ("vertex-ai", &["GOOGLE_MODEL"], "GOOGLE_API_KEY"),
];

pub(super) struct QwenCode;

impl Tool for QwenCode {
    fn id(&self) -> &'static str {
        "qwen-code"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn name(&self) -> &'static str {
        "Qwen Code"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let usual = world.home.join(".qwen");
        // The user's own .env files may move it too (seen in the source of 0.15.10).
        let places = [usual.join(".env"), world.home.join(".env")];
        let in_file = || {
            let found = places.iter().filter_map(|place| Dotenv::find(world, &mut Vec::new(), [place.clone()]));
            found.filter_map(|file| file.raw(MOVED_BY).map(str::to_owned)).find(|moved| !moved.is_empty())
        };
        match world.vars.get(MOVED_BY).map(str::to_owned).or_else(in_file) {
            Some(moved) => vec![Home { path: world.home.join(&moved), moved_by: Some(MOVED_BY) }],
            None => vec![Home { path: usual, moved_by: None }],
        }
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let known = Known::load(at, &mut reading);
        reading.fallback.provider = known.auth_type();
        let vars = at.world.vars;
        let mut named = Vec::new();
        for file in &known.files {
            let flat = file.document.text(&["model"]);
            let (key, value, is_read) = match flat {
                Some(flat) => ("model", Some(flat), !is_flat_ignored(file)),
                None => ("model.name", file.document.text(&["model", "name"]), true),
            };
            let model = value.map(|text| expand(vars, text)).filter(|text| !text.is_empty());
            let auth = file.document.text(&["security", "auth", "selectedType"]).map(|text| expand(vars, text));
            if model.is_none() && auth.is_none() {
                continue;
            }
            let key = if model.is_some() { key } else { "security.auth.selectedType" };
            let counts = file.counts && is_read;
            if !counts && file.counts && auth.is_some() {
                // The flat text is ignored, the type beside it is not.
                let place = Place::file(&file.path, "security.auth.selectedType");
                named.push(Layer::new(file.kind, place, None).provider(auth.clone()));
            }
            let layer = Layer::new(file.kind, Place::file(&file.path, key), model).provider(auth);
            named.push(if counts { layer } else { layer.inert() });
        }
        let mut from_variables = known.variable_layers();
        let is_listed = named
            .iter()
            .find_map(|layer| layer.model.as_ref().filter(|_| layer.is_active))
            .is_some_and(|model| known.lists(model) == Some(true));
        if at.world.versions.is_since(FILE_FIRST) {
            reading.layers.append(&mut named);
            reading.layers.append(&mut from_variables);
        } else {
            // A model on the list of its type is a closed package: no variable reaches it (seen on 0.12.0).
            reading
                .layers
                .extend(from_variables.into_iter().map(|layer| if is_listed { layer.inert() } else { layer }));
            reading.layers.append(&mut named);
        }
        self.note(at, &known, &mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let known = Known::load(at, &mut Reading::default());
        let file = at.home.path.join(FILE);
        let user = known.user();
        let mut warnings = Vec::new();
        let own = reading.effective_without(|kind| matches!(kind, LayerKind::Project | LayerKind::Managed));
        let block = own.decided_by.map(|at| &reading.layers[at]).filter(|layer| layer.kind == LayerKind::EnvBlock);
        let in_block = block.and_then(|layer| match &layer.place {
            Place::File { key, .. } => key.strip_prefix("env."),
            Place::Variable { .. } => None,
        });
        let model = user.and_then(|user| user.document.get(&["model"]));
        let is_flat = model.is_some_and(|model| !model.is_table() && model.kind != Kind::Null);
        let must_be_made_a_table = is_flat && (is_no_text(model) || user.is_some_and(is_flat_ignored));
        let mut path = vec!["model", "name"];
        let mut value = Value::text(&wanted.model);
        if let Some(name) = in_block {
            path = vec!["env", name];
            let warning = Warning::new(Code::DecidedByEnvBlock, "switch-qwen-env-block");
            warnings.push(warning.with("name", name).with("file", &file));
        } else if is_flat {
            path = vec!["model"];
            if must_be_made_a_table {
                value = Value::Table(vec![("name".to_owned(), value)]);
            }
        }
        if let Some(user) = user {
            warnings.extend(parts::duplicate(&file, &user.document, &path));
            if let Some(old) = user.document.text(&path).filter(|old| has_reference(old)) {
                let warning = Warning::new(Code::ValueWasReference, "switch-qwen-reference");
                warnings.push(warning.with("file", &file).with("reference", old));
            }
        }
        let mut changes = vec![Change::value(&file, known.language, &path, value).or_new()];
        let present = known.auth_type();
        if let Some(wanted_type) = &wanted.provider {
            if !TYPES.contains(&wanted_type.as_str()) && !known.has_provider(wanted_type) {
                let warning = Warning::new(Code::ProviderUnknown, "switch-qwen-provider");
                return Err(warning.with("provider", wanted_type).with("file", &file));
            }
            let own_type = known.own_type();
            if own_type.as_deref().or(present.as_deref()) != Some(wanted_type) {
                let path = ["security", "auth", "selectedType"];
                changes.push(Change::text(&file, known.language, &path, wanted_type).or_new());
            }
        }
        warnings.extend(known.unlisted(&wanted.model, wanted.provider.clone().or(present)));
        Ok(Changes { changes, warnings })
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let known = Known::load(at, &mut Reading::default());
        let mut endpoints: Vec<ToolEndpoint> = Vec::new();
        for (auth_type, entry) in known.entries() {
            let text = |key: &str| entry.child(key).and_then(|node| node.as_text());
            let Some(id) = text("id") else { continue };
            let usual = VARIABLES.iter().find(|(name, ..)| *name == auth_type).map(|(.., key)| *key);
            let credential = match text("envKey").or(usual) {
                Some(variable) => known.credential(variable),
                None => Credential::Unknown,
            };
            let base_url = text("baseUrl").map(|url| expand(at.world.vars, url));
            let same = endpoints.iter_mut().find(|endpoint| {
                endpoint.provider == auth_type && endpoint.base_url == base_url && endpoint.credential == credential
            });
            match same {
                Some(endpoint) => endpoint.models.push(id.to_owned()),
                None => endpoints.push(ToolEndpoint {
                    provider: auth_type.to_owned(),
                    base_url,
                    dialect: dialect(known.protocol(auth_type).as_deref().unwrap_or(auth_type)),
                    credential,
                    models: vec![id.to_owned()],
                }),
            }
        }
        if let Some(auth_type) = known.auth_type()
            && !endpoints.iter().any(|endpoint| endpoint.provider == auth_type)
        {
            let name = VARIABLES.iter().find(|(name, ..)| *name == auth_type).map(|(.., key)| *key);
            let is_set = |name: &&str| known.variable(name).is_some_and(|(value, _)| !value.is_empty());
            let has_key = known.files.iter().any(|file| file.get(&["security", "auth", "apiKey"]).is_some());
            let credential = match name.filter(is_set) {
                Some(name) => known.credential(name),
                None if has_key => Credential::InFile,
                None if at.world.files.exists(&at.home.path.join("oauth_creds.json")) => Credential::OwnLogin,
                None => Credential::Unknown,
            };
            let base_url =
                if auth_type == "openai" { known.variable("OPENAI_BASE_URL").map(|(url, _)| url) } else { None };
            let dialect = dialect(&auth_type);
            endpoints.push(ToolEndpoint { provider: auth_type, base_url, dialect, credential, models: Vec::new() });
        }
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

impl QwenCode {
    fn note(&self, at: &At<'_>, known: &Known<'_>, reading: &mut Reading) {
        let Some(user) = known.user() else { return };
        if user.document.has_bom() {
            reading.warnings.push(Warning::new(Code::BomPresent, "switch-qwen-bom").with("file", &user.path));
        }
        if let Some(flat) = user.document.text(&["model"]) {
            let text = if is_flat_ignored(user) { "switch-qwen-flat-ignored" } else { "switch-qwen-flat-migrated" };
            let warning = Warning::new(Code::LegacyShape, text).with("file", &user.path);
            reading.warnings.push(warning.with("model", flat));
        } else if is_no_text(user.document.get(&["model"]).filter(|model| !model.is_table())) {
            reading.warnings.push(parts::wrong_type(&user.path, &user.document, &["model"]));
        } else if is_no_text(user.document.get(&["model", "name"])) {
            reading.warnings.push(parts::wrong_type(&user.path, &user.document, &["model", "name"]));
        }
        let is_set = reading.layers.iter().any(|layer| {
            matches!(layer.kind, LayerKind::Env | LayerKind::Dotenv | LayerKind::EnvBlock) && layer.model.is_some()
        });
        if is_set && at.world.versions.straddles(FILE_FIRST) {
            reading.warnings.push(Warning::new(Code::VersionsDiffer, "switch-qwen-versions").with("gate", FILE_FIRST));
        }
    }
}

/// `"model": "x"` is migrated in a file without a version, and ignored in one that has it (seen on 0.15.10 and 0.24.4).
fn is_flat_ignored(file: &Settings) -> bool {
    file.document.get(&["$version"]).is_some_and(|version| matches!(version.kind, Kind::Number(_)))
}

fn dialect(auth_type: &str) -> Option<Dialect> {
    match auth_type {
        "openai" => Some(Dialect::OpenaiChat),
        "anthropic" => Some(Dialect::AnthropicMessages),
        "gemini" => Some(Dialect::Gemini),
        _ => None,
    }
}
