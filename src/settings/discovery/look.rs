//! What a tool's reader is given to look with, and what it hands back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::{FoundKey, FoundTool, KeyPlace, Login, ProposedProvider, Reason, shell};
use crate::core::secretive::looks_like_key;
use crate::core::target::{Dialect, ProviderId};
use crate::edit::{Document, DotenvDialect, Language};
use crate::secrets::KeyRef;
use crate::settings::env::Env;
use crate::settings::resolve::providers::{holds_key, is_loopback, web_address};
use crate::settings::roots::{Platform, Roots};
use crate::wire::presets::Preset;

/// Eyes without hands.
pub(super) struct Look<'a> {
    pub roots: &'a Roots,
    pub env: &'a Env,
    pub disk: &'a dyn Disk,
    /// Names of variables that the login shell sets to something.
    pub shell: &'a BTreeSet<String>,
}

/// One model that a tool names.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub provider: ProposedProvider,
    pub model: String,
    pub reason: Reason,
}

/// What was learnt of one tool.
#[derive(Debug)]
pub(super) struct Facts {
    pub tool: FoundTool,
    pub candidates: Vec<Candidate>,
    pub keys: Vec<FoundKey>,
}

impl Facts {
    pub(super) fn new(tool: &'static str, name: &'static str) -> Self {
        let tool = FoundTool { tool, name, files: Vec::new(), model: None, login: Login::None, unreadable: Vec::new() };
        Self { tool, candidates: Vec::new(), keys: Vec::new() }
    }

    /// Whether there was anything at all.
    pub(super) fn is_empty(&self) -> bool {
        self.tool.files.is_empty() && self.tool.unreadable.is_empty() && self.tool.login == Login::None
    }

    /// Adds a model unless it is not a model's name.
    pub(super) fn add(&mut self, provider: ProposedProvider, model: &str, reason: Reason) {
        let model = model.trim();
        let is_name =
            !model.is_empty() && model.len() <= 200 && !model.contains(char::is_control) && !model.contains('$');
        if is_name && !looks_like_key(model) {
            self.candidates.push(Candidate { provider, model: model.to_owned(), reason });
        }
    }

    /// Adds the model in use and then what else is named. A tool's own `aliases` are no model of a provider, but its
    /// subscription knows them.
    pub(super) fn add_all(
        &mut self,
        provider: &ProposedProvider,
        (model, others): (Option<&String>, &[String]),
        aliases: &[&str],
        reason: impl Fn(&'static str) -> Reason,
    ) {
        let tool = self.tool.name;
        let is_usable = |model: &&String| provider.is_subscription || !aliases.contains(&model.as_str());
        if let Some(model) = model.filter(is_usable) {
            let reason = if provider.is_subscription { Reason::Subscription { tool } } else { Reason::Active { tool } };
            self.add(provider.clone(), model, reason);
        }
        for other in others.iter().filter(is_usable).filter(|other| Some(*other) != model) {
            self.add(provider.clone(), other, reason(tool));
        }
    }

    /// Notes a key in one of the tool's own files.
    pub(super) fn note_key(&mut self, variable: &str) {
        let preset = Preset::for_variable(variable).map(|preset| preset.id);
        self.keys.push(FoundKey { variable: variable.to_owned(), place: KeyPlace::ToolFile, preset });
    }
}

impl Look<'_> {
    /// A folder of the tool: from a variable, else below the home folder.
    pub(super) fn folder(&self, variable: &str, below_home: &str) -> PathBuf {
        self.env.get(variable).map_or_else(|| self.home(below_home), PathBuf::from)
    }

    /// A path below the home folder.
    pub(super) fn home(&self, below: &str) -> PathBuf {
        self.roots.home.join(below)
    }

    /// Where tools that follow the XDG rules keep their settings, also on Windows and macOS.
    pub(super) fn xdg(&self, variable: &str, below_home: &str) -> PathBuf {
        self.folder(variable, below_home)
    }

    /// Where tools keep their settings by the system's own rules.
    pub(super) fn system_config(&self) -> PathBuf {
        match self.roots.platform {
            Platform::Linux => self.xdg("XDG_CONFIG_HOME", ".config"),
            Platform::Macos => self.home("Library/Application Support"),
            Platform::Windows => self.folder("APPDATA", "AppData/Roaming"),
        }
    }

    /// Reads one of the tool's settings files and notes that it is there.
    pub(super) fn read<T>(&self, facts: &mut Facts, path: &Path, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let mut bytes = self.disk.read(&self.roots.real(path))?;
        let parsed =
            std::str::from_utf8(&bytes).ok().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text)).and_then(parse);
        // Some of these files hold keys; the copy goes at once.
        bytes.fill(0);
        let list = if parsed.is_some() { &mut facts.tool.files } else { &mut facts.tool.unreadable };
        let shown = self.roots.shown(path);
        if !list.contains(&shown) {
            list.push(shown);
        }
        parsed
    }

    /// Whether a file is there, without opening it.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.disk.has(&self.roots.real(path))
    }

    /// Where a variable is set to something, if it is.
    pub(super) fn place(&self, variable: &str) -> Option<KeyPlace> {
        if self.env.get(variable).is_some() {
            Some(KeyPlace::Process)
        } else {
            self.shell.contains(variable).then_some(KeyPlace::LoginShell)
        }
    }

    /// How to refer to a variable that is set; a command where only the login shell sets it.
    pub(super) fn key(&self, variable: &str) -> Option<KeyRef> {
        match (self.place(variable)?, self.env.get("SHELL")) {
            (KeyPlace::LoginShell, Some(shell)) => Some(KeyRef::Command(shell::key_command(shell, variable))),
            _ => Some(KeyRef::Env(variable.to_owned())),
        }
    }

    /// How to refer to a variable that a tool names, whether it is set or not; `None` if it is no variable's name.
    pub(super) fn named_key(&self, variable: &str) -> Option<KeyRef> {
        let is_name = !variable.starts_with(|c: char| c.is_ascii_digit())
            && variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_usable = is_name && !variable.is_empty() && !looks_like_key(variable);
        is_usable.then(|| self.key(variable).unwrap_or_else(|| KeyRef::Env(variable.to_owned())))
    }

    /// The preset's variable that is set, with how to refer to it.
    pub(super) fn preset_key(&self, preset: &Preset) -> Option<(&'static str, KeyRef)> {
        preset.key_vars.iter().find_map(|name| Some((*name, self.key(name)?)))
    }
}

/// The provider that a preset describes.
pub(super) fn of_preset(preset: &'static Preset, key: KeyRef) -> ProposedProvider {
    ProposedProvider {
        id: ProviderId::new(preset.id),
        preset: Some(preset.id),
        dialect: preset.dialect,
        base_url: None,
        key,
        headers: Vec::new(),
        query: Vec::new(),
        is_subscription: false,
    }
}

/// The provider at an address; a known host's preset fills in the rest. `None` when the address holds a key or is none.
pub(super) fn at_address(id: &str, address: &str, dialect: Dialect, key: KeyRef) -> Option<ProposedProvider> {
    let url = web_address(address)?;
    if holds_key(&url) {
        return None;
    }
    if let Some(preset) = Preset::for_url(&url, dialect).filter(|preset| !preset.is_local) {
        let own = web_address(preset.base_url)?;
        let is_same = own.as_str().trim_end_matches('/') == url.as_str().trim_end_matches('/');
        let base_url = (!is_same).then(|| address.trim().to_owned());
        return Some(ProposedProvider { base_url, ..of_preset(preset, key) });
    }
    Some(ProposedProvider {
        id: ProviderId::new(clean_id(id)),
        preset: None,
        dialect,
        base_url: Some(address.trim().to_owned()),
        // A key never travels to another machine unencrypted on our proposal.
        key: if url.scheme() == "http" && !is_loopback(&url) { KeyRef::None } else { key },
        headers: Vec::new(),
        query: Vec::new(),
        is_subscription: false,
    })
}

/// A tool's subscription.
pub(super) fn subscription(tool: &'static str, dialect: Dialect) -> ProposedProvider {
    ProposedProvider {
        id: ProviderId::new(tool),
        preset: None,
        dialect,
        base_url: None,
        key: KeyRef::None,
        headers: Vec::new(),
        query: Vec::new(),
        is_subscription: true,
    }
}

/// The preset that a tool or library means by a provider's name.
pub(super) fn preset_named(name: &str) -> Option<&'static Preset> {
    let id = match name {
        "google" | "gemini" | "google-generative-ai" => "gemini",
        "fireworks-ai" | "fireworks_ai" => "fireworks",
        "together_ai" | "togetherai" => "together",
        "moonshotai" => "moonshot",
        "moonshotai-cn" => "moonshot-cn",
        "zhipuai" => "zhipu",
        "alibaba" => "dashscope",
        "alibaba-cn" => "dashscope-cn",
        "nvidia" | "nvidia_nim" => "nvidia-nim",
        "lmstudio" | "lm_studio" => "lm-studio",
        "azure" => return None,
        other => other,
    };
    Preset::find(id)
}

/// A provider's id from a tool's name for it: never a tool's own name, never empty.
fn clean_id(name: &str) -> String {
    let id: String = name
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .take(60)
        .collect();
    match id.as_str() {
        "" => "custom".to_owned(),
        id if crate::settings::SUBSCRIPTIONS.contains(&id) => format!("{id}-api"),
        id => id.to_owned(),
    }
}

/// Variables by name from a `.env` file; see [`dotenv`].
pub(super) type Variables = BTreeMap<String, String>;

/// Reads a `.env` file as its tool does; variables without a value are left out.
pub(super) fn dotenv(text: &str, dialect: DotenvDialect) -> Variables {
    let Ok(document) = Document::parse(text.as_bytes(), Language::Dotenv(dialect)) else { return Variables::new() };
    let entries = document.root().entries().iter();
    let all: Variables =
        entries.filter_map(|entry| Some((entry.key.clone(), entry.value.as_text()?.to_owned()))).collect();
    all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}
