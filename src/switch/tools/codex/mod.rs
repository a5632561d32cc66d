//! Codex (openai/codex): `config.toml` in `CODEX_HOME`, shared by the terminal, the editor plug-ins and the app.
//!
//! Sources: codex-rs/config/src/loader (README.md, mod.rs), config_toml.rs and profile_toml.rs; documentation pages "Config
//! basics", "Advanced configuration", "Managed configuration". Marked "seen" below: what versions 0.77, 0.99, 0.118, 0.128,
//! 0.130, 0.134, 0.145 and 0.171 answered to `config/read` and `thread/start` of `codex app-server` on Linux, without a
//! network. No variable names the model: `CODEX_MODEL` and `OPENAI_MODEL` are not looked at.

mod fatal;
mod layers;

use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::edit::{Change as Edit, Language, Placement, Value};
use crate::switch::path::ToolPath;
use crate::switch::reading::{LayerKind, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};
use layers::Sources;

const FILE: &str = "config.toml";
/// The provider when none is named.
const BUILT_IN: &str = "openai";
/// A project's `config.toml` is looked at. Seen on 0.99, not on 0.77; the first version lies between.
const PROJECTS: Version = Version(0, 80, 0);
/// `OPENAI_BASE_URL` is not looked at any more: PR #16720; seen to work on 0.118 and not on 0.120.
const NO_BASE_URL: Version = Version(0, 120, 0);
/// A project file may not choose the provider: seen to be stripped from 0.129 on.
const STRIPPED: Version = Version(0, 129, 0);
/// `profile = "x"` stops Codex, `[profiles.x]` is ignored, `x.config.toml` is a profile: PR #24051.
const PROFILE_FILES: Version = Version(0, 134, 0);

pub(super) struct Codex;

impl Tool for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn name(&self) -> &'static str {
        "Codex"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get("CODEX_HOME").map(|_| "CODEX_HOME");
        vec![Home { path: world.folder("CODEX_HOME", ".codex"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        reading.fallback.provider = Some(BUILT_IN.to_owned());
        if at.home.moved_by.is_some() && !at.world.files.exists(&at.home.path) {
            let text = "switch-codex-no-home";
            reading.obstacle = Some(Warning::new(Code::FatalForTool, text).with("folder", &at.home.path));
            return reading;
        }
        let sources = Sources::load(at, &mut reading);
        if let Some(sources) = &sources
            && reading.obstacle.is_none()
        {
            sources.read(at, &mut reading);
            fatal::check(at, sources, &mut reading);
            fatal::note_straddle(at, sources, &mut reading);
        }
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let user = user_file(at);
        let Some(sources) = Sources::load(at, &mut Reading::default()) else {
            return Err(Warning::new(Code::ParseError, "switch-codex-changed").with("file", user));
        };
        let mut changes = Changes::default();
        let legacy = (!at.world.versions.is_since(PROFILE_FILES)).then(|| sources.profile()).flatten();
        let own = |key: &str| legacy.as_ref().filter(|name| sources.user_text(&["profiles", name, key]).is_some());

        let mut path = vec!["model".to_owned()];
        if let Some(name) = own("model") {
            path = vec!["profiles".to_owned(), name.clone(), "model".to_owned()];
            let warning = Warning::new(Code::LegacyProfileSelected, "switch-codex-legacy-profile");
            changes.warnings.push(warning.with("profile", name).with("file", &user));
        }
        changes.changes.push(set(&user, path.clone(), &wanted.model, Placement::Last));

        let Some(provider) = &wanted.provider else { return Ok(changes) };
        if !fatal::is_built_in(provider) && !sources.own_providers(false).contains(provider) {
            let warning = Warning::new(Code::ProviderUnknown, "switch-codex-no-such-provider");
            return Err(warning.with("provider", provider).with("file", &user));
        }
        let (present, key) = match own("model_provider") {
            Some(name) => (
                sources.user_text(&["profiles", name, "model_provider"]),
                vec!["profiles".to_owned(), name.clone(), "model_provider".to_owned()],
            ),
            None => (sources.below_project("model_provider"), vec!["model_provider".to_owned()]),
        };
        if present.as_deref().unwrap_or(BUILT_IN) != provider {
            let behind = Placement::After("model".to_owned());
            changes.changes.push(set(&user, key, provider, behind));
            let before = reading.effective().provider.unwrap_or_default();
            if before != *provider {
                let warning = Warning::new(Code::ProviderSwitchHidesSessions, "switch-codex-hides-sessions");
                changes.warnings.push(warning.with("before", before).with("after", provider));
            }
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let Some(sources) = Sources::load(at, &mut Reading::default()) else { return Vec::new() };
        let has_login = at.world.files.exists(&at.home.path.join("auth.json"));
        let own_login = || match at.world.vars.get("CODEX_API_KEY") {
            _ if has_login => Credential::OwnLogin,
            Some(_) => Credential::Variable("CODEX_API_KEY".to_owned()),
            // The key chain may hold it.
            None => Credential::Unknown,
        };
        let endpoint = |provider: &str, base_url: Option<String>, credential| ToolEndpoint {
            provider: provider.to_owned(),
            base_url,
            dialect: Some(Dialect::OpenaiResponses),
            credential,
            models: Vec::new(),
        };
        let moved = match at.world.vars.get("OPENAI_BASE_URL") {
            Some(url) if !at.world.versions.is_since(NO_BASE_URL) => Some(url.to_owned()),
            _ => None,
        };
        let built_in = sources.text(&["openai_base_url"]).or(moved);
        let mut endpoints = vec![
            endpoint(BUILT_IN, built_in, own_login()),
            endpoint("ollama", Some("http://localhost:11434/v1".to_owned()), Credential::None),
            endpoint("lmstudio", Some("http://localhost:1234/v1".to_owned()), Credential::None),
        ];
        for name in sources.own_providers(true) {
            let key = |key: &str| sources.text(&["model_providers", &name, key]).filter(|text| !text.is_empty());
            let has = |key: &str| sources.has(&["model_providers", &name, key]);
            let credential = match key("env_key") {
                Some(variable) => Credential::Variable(variable),
                None if has("experimental_bearer_token") => Credential::InFile,
                None if has("auth") || has("aws") || has("env_http_headers") || has("http_headers") => {
                    Credential::Unknown
                }
                None if sources.is_true(&["model_providers", &name, "requires_openai_auth"]) => own_login(),
                None => Credential::None,
            };
            let mut own = endpoint(&name, key("base_url"), credential);
            if key("wire_api").as_deref() == Some("chat") {
                own.dialect = Some(Dialect::OpenaiChat);
            }
            endpoints.push(own);
        }
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

fn user_file(at: &At<'_>) -> ToolPath {
    at.home.path.join(FILE)
}

/// The folder of what is set for all users: `/etc/codex`, or `OpenAI\Codex` in `%ProgramData%`.
fn system_folder(world: &World<'_>) -> ToolPath {
    match world.platform {
        Platform::Windows => world.program_data().join("OpenAI/Codex"),
        Platform::Linux | Platform::Macos => ToolPath::new("/etc/codex"),
    }
}

fn set(file: &ToolPath, path: Vec<String>, value: &str, place: Placement) -> Change {
    let edit = Edit::Set { path, value: Value::text(value), place };
    Change { file: file.clone(), language: Language::Toml, edit, makes_file: true }
}

/// Whether a layer is the project's.
fn is_project(kind: LayerKind) -> bool {
    kind == LayerKind::Project
}
