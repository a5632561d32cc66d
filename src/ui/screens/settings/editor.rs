//! What is typed to add, change, rename or remove a provider or a target, and the changes that it becomes. Pure.

use crate::core::target::{Probing, ProviderId, Role, TargetId};
use crate::edit::Value;
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::Settings;
use crate::settings::amend::Amendment;
use crate::settings::discovery::{Proposal, ProposedProvider, Reason};
use crate::wire::presets::Preset;

use super::fields::cap_value;

/// What is done, in a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A provider of a preset with its first model.
    AddProvider,
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
}

impl Task {
    /// The stable name, used in message ids.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AddProvider => "add-provider",
            Self::AddTarget(_) => "add-target",
            Self::EditTarget(_) => "edit-target",
            Self::RenameProvider(_) => "rename-provider",
            Self::RenameTarget(_) => "rename-target",
            Self::RemoveProvider(_) => "remove-provider",
            Self::RemoveTarget(_) => "remove-target",
        }
    }

    /// Whose; empty for a new provider.
    pub fn subject(&self) -> &str {
        match self {
            Self::AddProvider => "",
            Self::AddTarget(id) | Self::RenameProvider(id) | Self::RemoveProvider(id) => id.as_str(),
            Self::EditTarget(id) | Self::RenameTarget(id) | Self::RemoveTarget(id) => id.as_str(),
        }
    }

    /// Nothing is typed: it is only asked whether it is meant.
    pub const fn is_question(&self) -> bool {
        matches!(self, Self::RemoveProvider(_) | Self::RemoveTarget(_))
    }
}

/// Where a new provider's key is kept.
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
}

impl KeyForm {
    /// Every form, in the order of the dialog.
    pub const ALL: [Self; 5] = [Self::Env, Self::Command, Self::Keyring, Self::Tool, Self::None];

    /// The stable name, used in message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Env => "env",
            Self::Command => "command",
            Self::Keyring => "keyring",
            Self::Tool => "tool",
            Self::None => "none",
        }
    }
}

/// The dialog with what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// What is done.
    pub task: Task,
    /// The preset of a new provider.
    pub preset: &'static str,
    /// The new name of what is added or renamed.
    pub id: String,
    /// The address of a new provider whose preset leaves it open.
    pub base_url: String,
    /// Where the key of a new provider is kept.
    pub key_form: KeyForm,
    /// The variable, the command, the keyring's entry or the tool: never the key.
    pub key: String,
    /// The model.
    pub model: String,
    /// The role.
    pub role: Option<Role>,
    /// Requests a day; empty leaves it to the provider and the schedule.
    pub requests: String,
    /// Tokens a day.
    pub tokens: String,
    /// The price in the user's own unit.
    pub price: String,
}

impl Editor {
    /// The dialog as it opens.
    pub fn new(task: Task, settings: &Settings) -> Self {
        let mut editor = Self {
            preset: "",
            id: task.subject().to_owned(),
            base_url: String::new(),
            key_form: KeyForm::default(),
            key: String::new(),
            model: String::new(),
            role: Some(Role::Backup),
            requests: String::new(),
            tokens: String::new(),
            price: String::new(),
            task: task.clone(),
        };
        match task {
            Task::AddProvider => {
                let known = |preset: &&Preset| settings.providers.iter().any(|own| own.preset == Some(preset.id));
                let first = Preset::all().find(|preset| !known(preset)).or_else(|| Preset::all().next());
                if let Some(preset) = first {
                    editor.take_preset(preset, settings);
                }
            }
            Task::EditTarget(id) => {
                if let Some(target) = settings.target(&id) {
                    editor.role = target.role;
                }
                editor.price = settings.prices.get(&id).map(ToString::to_string).unwrap_or_default();
            }
            Task::AddTarget(provider) => {
                editor.id.clear();
                let preset = settings.provider(&provider).and_then(|own| Preset::find(own.preset?));
                editor.model = preset.and_then(|preset| preset.models.first()).map_or("", |model| model).to_owned();
            }
            _ => {}
        }
        editor
    }

    /// Takes a preset, and what follows from it.
    pub fn take_preset(&mut self, preset: &'static Preset, settings: &Settings) {
        self.preset = preset.id;
        self.id = free_name(preset.id, |name| settings.providers.iter().any(|own| own.id.as_str() == name));
        self.base_url = if preset.is_template() { preset.base_url.to_owned() } else { String::new() };
        self.key_form = if preset.key_vars.is_empty() { KeyForm::None } else { KeyForm::Env };
        self.key = preset.key_vars.first().map_or("", |name| name).to_owned();
        self.model = preset.models.first().map_or("", |model| model).to_owned();
    }

    /// The preset leaves the address open.
    pub fn needs_url(&self) -> bool {
        Preset::find(self.preset).is_some_and(Preset::is_template)
    }

    /// The changes that this becomes; `None` while something that is needed is empty.
    pub fn amendments(&self, settings: &Settings) -> Option<Vec<Amendment>> {
        let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Some(match &self.task {
            Task::AddProvider => {
                let provider = self.provider()?;
                let (model, id) = (filled(&self.model)?, filled(&self.id)?);
                let proposal = self.proposal(provider.clone(), &format!("{id}/{model}"), &model);
                vec![Amendment::AddProvider(Box::new(provider)), Amendment::AddTarget(Box::new(proposal))]
            }
            Task::AddTarget(id) => {
                let provider = settings.provider(id)?;
                let model = filled(&self.model)?;
                let provider = ProposedProvider {
                    id: id.clone(),
                    preset: provider.preset,
                    dialect: provider.endpoint.dialect,
                    base_url: None,
                    key: KeyRef::None,
                    headers: Vec::new(),
                    query: Vec::new(),
                    is_subscription: false,
                };
                let name = filled(&self.id).unwrap_or_else(|| format!("{id}/{model}"));
                let target = TargetId::from(name.as_str());
                let mut out = vec![Amendment::AddTarget(Box::new(self.proposal(provider, &name, &model)))];
                if self.role.is_none() {
                    out.push(Amendment::Role(target.clone(), None));
                }
                out.extend(self.numbers(&target, None));
                out
            }
            Task::EditTarget(id) => {
                let mut out = Vec::new();
                if settings.target(id)?.role != self.role {
                    out.push(Amendment::Role(id.clone(), self.role));
                }
                out.extend(self.numbers(id, settings.prices.get(id).copied()));
                out
            }
            Task::RenameProvider(from) => {
                vec![Amendment::RenameProvider(from.clone(), filled(&self.id)?.into())]
            }
            Task::RenameTarget(from) => vec![Amendment::RenameTarget(from.clone(), filled(&self.id)?.into())],
            Task::RemoveProvider(id) => {
                let own = settings.targets.iter().filter(|target| &target.provider == id);
                own.map(|target| Amendment::RemoveTarget(target.id.clone()))
                    .chain([Amendment::RemoveProvider(id.clone())])
                    .collect()
            }
            Task::RemoveTarget(id) => vec![Amendment::RemoveTarget(id.clone())],
        })
    }

    /// Limit and price, where something is typed or something was.
    fn numbers(&self, id: &TargetId, old_price: Option<f64>) -> Vec<Amendment> {
        let mut out = Vec::new();
        if let Some(cap) = cap_value(&self.requests, &self.tokens) {
            out.push(Amendment::Target { id: id.clone(), key: "daily_cap", value: Some(cap) });
        }
        let typed = self.price.trim().replace(',', ".");
        let price = typed.parse::<f64>().ok().filter(|price| price.is_finite());
        let value = match price {
            Some(price) => Some(Value::Float(price)),
            None => (!typed.is_empty()).then(|| Value::text(&*typed)),
        };
        if price != old_price || (price.is_none() && value.is_some()) {
            out.push(Amendment::Target { id: id.clone(), key: "price", value });
        }
        out
    }

    fn provider(&self) -> Option<ProposedProvider> {
        let preset = Preset::find(self.preset)?;
        let typed = self.key.trim();
        let key = match self.key_form {
            KeyForm::None => KeyRef::None,
            _ if typed.is_empty() => return None,
            KeyForm::Env => KeyRef::Env(typed.to_owned()),
            KeyForm::Command => KeyRef::Command(typed.split_whitespace().map(str::to_owned).collect()),
            KeyForm::Keyring => KeyRef::Keyring(typed.to_owned()),
            KeyForm::Tool => KeyRef::Tool(ToolKey::parse(typed)?),
        };
        let id = self.id.trim();
        (!id.is_empty()).then(|| ProposedProvider {
            id: id.into(),
            preset: Some(preset.id),
            dialect: preset.dialect,
            base_url: preset.is_template().then(|| self.base_url.trim().to_owned()),
            key,
            headers: Vec::new(),
            query: Vec::new(),
            is_subscription: false,
        })
    }

    fn proposal(&self, provider: ProposedProvider, id: &str, model: &str) -> Proposal {
        Proposal {
            target: id.into(),
            provider,
            model: model.into(),
            role: self.role.unwrap_or(Role::Backup),
            probing: Probing::Scheduled,
            requests_a_day: 0,
            tokens_a_day: 0,
            is_ticked: true,
            unset_key: None,
            reason: Reason::Key { variable: String::new() },
        }
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
