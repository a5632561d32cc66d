//! The dialog of a task: what is added, changed, renamed or taken out, with what is typed. Pure; what it becomes stands in
//! `edits`.

use std::sync::Arc;

use crate::core::rules::{Mode, Rule};
use crate::core::target::{Dialect, Probing, ProviderId, Role, TargetId};
use crate::edit::Value;
use crate::notify::config::{Address, Hook};
use crate::notify::form::Form;
use crate::secrets::{KeyRef, KeyTool};
use crate::settings::{Settings, SettingsFile, SwitchRules, duration};
use crate::wire::presets::Preset;

use super::typed::{joined, pairs_text};

/// What is done, in a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A provider of a preset with its first model.
    AddProvider,
    /// Address, key, headers, way and limit of a provider.
    EditProvider(ProviderId),
    /// A model of this provider.
    AddTarget(ProviderId),
    /// Role, limit and price of a target.
    EditTarget(TargetId),
    /// Another name of a provider.
    RenameProvider(ProviderId),
    /// Another name of a target.
    RenameTarget(TargetId),
    /// A provider and all its targets go.
    RemoveProvider(ProviderId),
    /// A target goes.
    RemoveTarget(TargetId),
    /// A chain, for a tool or for all.
    AddChain,
    /// Another name of a chain.
    RenameChain(String),
    /// A chain goes.
    RemoveChain(String),
    /// When a tool is switched by itself.
    EditRule(&'static str),
    /// The program that is run for each notice.
    Hook,
    /// The address to which each notice is posted.
    Webhook,
}

impl Task {
    /// The stable name, used in message ids.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AddProvider => "add-provider",
            Self::EditProvider(_) => "edit-provider",
            Self::AddTarget(_) => "add-target",
            Self::EditTarget(_) => "edit-target",
            Self::RenameProvider(_) => "rename-provider",
            Self::RenameTarget(_) => "rename-target",
            Self::RemoveProvider(_) => "remove-provider",
            Self::RemoveTarget(_) => "remove-target",
            Self::AddChain => "add-chain",
            Self::RenameChain(_) => "rename-chain",
            Self::RemoveChain(_) => "remove-chain",
            Self::EditRule(_) => "edit-rule",
            Self::Hook => "hook",
            Self::Webhook => "webhook",
        }
    }

    /// Whose; empty for what is new or there once.
    pub fn subject(&self) -> &str {
        match self {
            Self::AddProvider | Self::AddChain | Self::Hook | Self::Webhook => "",
            Self::AddTarget(id) | Self::EditProvider(id) | Self::RenameProvider(id) | Self::RemoveProvider(id) => {
                id.as_str()
            }
            Self::EditTarget(id) | Self::RenameTarget(id) | Self::RemoveTarget(id) => id.as_str(),
            Self::RenameChain(name) | Self::RemoveChain(name) => name,
            Self::EditRule(tool) => tool,
        }
    }

    /// Nothing is typed: it is only asked whether it is meant.
    pub const fn is_question(&self) -> bool {
        matches!(self, Self::RemoveProvider(_) | Self::RemoveTarget(_) | Self::RemoveChain(_))
    }
}

/// Where a key or a secret address is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyForm {
    /// In an environment variable.
    #[default]
    Env,
    /// A program prints it.
    Command,
    /// In the system's keyring.
    Keyring,
    /// A coding tool keeps it.
    Tool,
    /// It needs none.
    None,
    /// It is no secret and stands in the file: an address alone.
    Open,
}

impl KeyForm {
    /// The forms of a provider's key, in the order of the dialog.
    pub const OF_KEY: [Self; 5] = [Self::Env, Self::Command, Self::Keyring, Self::Tool, Self::None];
    /// The forms of an address, in the order of the dialog.
    pub const OF_ADDRESS: [Self; 4] = [Self::Env, Self::Command, Self::Keyring, Self::Open];

    /// The stable name, used in message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Env => "env",
            Self::Command => "command",
            Self::Keyring => "keyring",
            Self::Tool => "tool",
            Self::None => "none",
            Self::Open => "open",
        }
    }

    /// A reference as it would be typed.
    fn of(key: &KeyRef) -> (Self, String) {
        match key {
            KeyRef::None => (Self::None, String::new()),
            KeyRef::Env(name) => (Self::Env, name.clone()),
            KeyRef::Command(words) => (Self::Command, joined(words)),
            KeyRef::Keyring(entry) => (Self::Keyring, entry.clone()),
            KeyRef::Tool(tool) => (Self::Tool, tool.to_string()),
        }
    }
}

/// The dialog with what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// What is done.
    pub task: Task,
    /// What it is done to, as people call it; empty for what is new or there once.
    pub called: String,
    /// What is typed.
    pub typed: Typed,
    /// What was there when it opened.
    pub was: Typed,
    /// The file as it was then.
    pub since: Arc<SettingsFile>,
    /// What is searched for in the open list of presets; `None` while it is closed.
    pub filter: Option<String>,
}

/// What is typed. Each task has some of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The preset of a new provider; empty for one that is given by its address.
    pub preset: &'static str,
    /// What a provider without a preset speaks.
    pub dialect: Dialect,
    /// The new name of what is added or renamed.
    pub id: String,
    /// The address of a provider.
    pub base_url: String,
    /// Where a key or an address is kept.
    pub key_form: KeyForm,
    /// The variable, the command, the keyring's entry or the tool: never the key.
    pub key: String,
    /// Headers, a line each.
    pub headers: String,
    /// What is added to each address, a line each.
    pub query: String,
    /// The proxy.
    pub proxy: String,
    /// The file of certificates.
    pub ca_file: String,
    /// The model.
    pub model: String,
    /// The role.
    pub role: Option<Role>,
    /// When it is probed; `None` for a new one leaves it to its provider.
    pub probing: Option<Probing>,
    /// Requests a day; empty leaves it to the provider and the schedule.
    pub requests: String,
    /// Tokens a day.
    pub tokens: String,
    /// The price in the user's own unit.
    pub price: String,
    /// The tool of a chain.
    pub tool: Option<&'static str>,
    /// How far a rule goes away.
    pub failover: Mode,
    /// How far it goes back.
    pub back: Mode,
    /// How long a model is free before it goes back.
    pub hold: String,
    /// It goes before usual busy times too.
    pub ahead: bool,
    /// The diff is shown before it is written.
    pub asks: bool,
    /// The chain of a rule; `None` is the tool's own or the main one.
    pub chain: Option<String>,
    /// The program of a hook.
    pub command: String,
    /// How long it may take.
    pub timeout: String,
    /// The shape of a webhook.
    pub form: Form,
}

impl Editor {
    /// The dialog as it opens.
    pub fn new(task: Task, settings: &Settings, file: &SettingsFile) -> Self {
        let mut typed = Typed { id: task.subject().to_owned(), role: Some(Role::Backup), ..Typed::default() };
        match &task {
            Task::AddProvider => {
                let known = |preset: &&Preset| settings.providers.iter().any(|own| own.preset == Some(preset.id));
                let first = Preset::all().find(|preset| !known(preset)).or_else(|| Preset::all().next());
                if let Some(preset) = first {
                    typed.take_preset(preset, settings);
                }
            }
            Task::EditProvider(id) => typed.take_provider(id, settings, file),
            Task::EditTarget(id) => {
                if let Some(target) = settings.target(id) {
                    typed.role = target.role;
                    typed.probing = Some(target.probing);
                }
                typed.take_cap(file.written("target", id.as_str(), "daily_cap"));
                typed.price = settings.prices.get(id).map(ToString::to_string).unwrap_or_default();
            }
            Task::AddTarget(provider) => {
                typed.id.clear();
                let preset = settings.provider(provider).and_then(|own| Preset::find(own.preset?));
                typed.model = preset.and_then(|preset| preset.models.first()).map_or("", |model| model).to_owned();
            }
            Task::EditRule(tool) => typed.take_rule(settings.switch_rules.get(tool).copied(), settings),
            Task::Hook => {
                let hook = settings.notices.hook.as_ref();
                typed.command = hook.map(|hook| joined(&hook.command)).unwrap_or_default();
                typed.timeout = duration::text(hook.map_or(Hook::TIMEOUT, |hook| hook.timeout));
            }
            Task::Webhook => {
                if let Some(webhook) = &settings.notices.webhook {
                    typed.form = webhook.form;
                    (typed.key_form, typed.key) = match &webhook.url {
                        Address::Open(url) => (KeyForm::Open, url.to_string()),
                        Address::Kept(key) => KeyForm::of(key),
                    };
                }
            }
            _ => {}
        }
        let called = match &task {
            Task::EditTarget(id) | Task::RemoveTarget(id) => settings.name_of(id),
            // Where a name in the file is changed, that name is meant.
            task => task.subject().to_owned(),
        };
        Self { task, called, was: typed.clone(), typed, since: Arc::new(file.clone()), filter: None }
    }

    /// The preset leaves the address open, or there is none.
    pub fn needs_url(&self) -> bool {
        Preset::find(self.typed.preset).is_none_or(Preset::is_template)
    }
}

impl Typed {
    /// Takes a preset, and what follows from it.
    pub fn take_preset(&mut self, preset: &'static Preset, settings: &Settings) {
        self.preset = preset.id;
        self.id = free_name(preset.id, |name| settings.providers.iter().any(|own| own.id.as_str() == name));
        self.base_url = if preset.is_template() { preset.base_url.to_owned() } else { String::new() };
        self.key_form = if preset.key_vars.is_empty() { KeyForm::None } else { KeyForm::Env };
        self.key = preset.key_vars.first().map_or("", |name| name).to_owned();
        self.model = preset.models.first().map_or("", |model| model).to_owned();
    }

    /// Takes a provider that no preset knows: its address is to be typed.
    pub fn take_other(&mut self, settings: &Settings) {
        let dialect = self.dialect;
        *self = Self { role: self.role, ..Self::default() };
        self.dialect = dialect;
        self.id = free_name("other", |name| settings.providers.iter().any(|own| own.id.as_str() == name));
    }

    fn take_provider(&mut self, id: &ProviderId, settings: &Settings, file: &SettingsFile) {
        let written = |key: &str| file.written("provider", id.as_str(), key);
        let text = |key: &str| written(key).map(|value| value.to_string()).unwrap_or_default();
        if let Some(own) = settings.provider(id) {
            self.preset = own.preset.unwrap_or_default();
            (self.key_form, self.key) = KeyForm::of(&own.key);
        }
        (self.base_url, self.proxy, self.ca_file) = (text("base_url"), text("proxy"), text("ca_file"));
        (self.headers, self.query) = (pairs_text(written("headers"), ": "), pairs_text(written("query"), " = "));
        self.take_cap(written("daily_cap"));
    }

    fn take_cap(&mut self, written: Option<Value>) {
        match written {
            Some(Value::Table(pairs)) => {
                let part = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_string());
                self.requests = part("requests").unwrap_or_default();
                self.tokens = part("tokens").unwrap_or_default();
            }
            Some(requests) => self.requests = requests.to_string(),
            None => {}
        }
    }

    fn take_rule(&mut self, rules: Option<SwitchRules>, settings: &Settings) {
        let SwitchRules { asks, rule, chain } = rules.unwrap_or_default();
        let Rule { failover, back, hold, ahead } = rule;
        (self.asks, self.failover, self.back, self.ahead) = (asks, failover, back, ahead);
        self.hold = duration::text(hold);
        self.chain = chain.and_then(|at| settings.chains.get(at)).map(|chain| chain.name.clone());
    }
}

/// The presets that have this in their name, id or address, whatever its case; all for an empty text.
pub fn found_presets(query: &str) -> Vec<&'static Preset> {
    let query = query.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&query);
    Preset::all().filter(|preset| [preset.name, preset.id, preset.base_url].into_iter().any(has)).collect()
}

/// What an address of such a provider looks like: what its dialect appends is left out.
pub const fn address_hint(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenaiChat | Dialect::OpenaiResponses => "https://api.example.com/v1",
        Dialect::AnthropicMessages | Dialect::Gemini | Dialect::Generic => "https://api.example.com",
        Dialect::OllamaChat => "http://127.0.0.1:11434",
    }
}

/// The names of tools whose key files can be read.
pub fn key_tools() -> String {
    KeyTool::ALL.map(KeyTool::name).join(", ")
}

fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{wanted}-{n}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}
