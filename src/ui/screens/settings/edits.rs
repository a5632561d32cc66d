//! What is typed in a dialog as changes of the file. Pure.
//!
//! Only what is another text than at the opening is changed. What cannot be read as its field's form is written as a text,
//! which the settings then refuse in their own words, beside the field.

use crate::core::target::{Probing, Role, TargetId};
use crate::edit::Value;
use crate::notify::config::Hook;
use crate::secrets::KeyRef;
use crate::settings::amend::Amendment;
use crate::settings::discovery::{Proposal, ProposedProvider};
use crate::settings::{Settings, duration};
use crate::wire::presets::Preset;

use super::editor::{Editor, KeyForm, Task, Typed};
use super::fields::cap_value;
use super::typed::{pairs_value, words_value};

impl Editor {
    /// The changes that this becomes; `None` while something that is needed is empty.
    pub fn amendments(&self, settings: &Settings) -> Option<Vec<Amendment>> {
        let typed = &self.typed;
        Some(match &self.task {
            Task::AddProvider => {
                let provider = self.provider()?;
                let (model, id) = (filled(&typed.model)?, provider.id.clone());
                let key = typed.place()?;
                let proposal = typed.proposal(provider.clone(), &format!("{id}/{model}"), &model);
                let mut out = vec![Amendment::AddProvider(Box::new(provider))];
                out.extend(key.map(|value| Amendment::Provider { id, key: "key", value: Some(value) }));
                out.push(Amendment::AddTarget(Box::new(proposal)));
                out
            }
            Task::EditProvider(id) => {
                let mut out = Vec::new();
                let mut put = |key, is_new: bool, value| {
                    out.extend(is_new.then(|| Amendment::Provider { id: id.clone(), key, value }));
                };
                let text = |typed: &str| filled(typed).map(Value::Text);
                let was = &self.was;
                put("base_url", typed.base_url != was.base_url, text(&typed.base_url));
                put("key", (typed.key_form, &typed.key) != (was.key_form, &was.key), typed.place()?);
                put("headers", typed.headers != was.headers, pairs_value(&typed.headers, ':'));
                put("query", typed.query != was.query, pairs_value(&typed.query, '='));
                put("proxy", typed.proxy != was.proxy, text(&typed.proxy));
                put("ca_file", typed.ca_file != was.ca_file, text(&typed.ca_file));
                put("daily_cap", self.has_new_cap(), cap_value(&typed.requests, &typed.tokens));
                out
            }
            Task::AddTarget(id) => {
                let provider = settings.provider(id)?;
                let model = filled(&typed.model)?;
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
                let name = filled(&typed.id).unwrap_or_else(|| format!("{id}/{model}"));
                let target = TargetId::from(name.as_str());
                let mut out = vec![Amendment::AddTarget(Box::new(typed.proposal(provider, &name, &model)))];
                if typed.role.is_none() {
                    out.push(Amendment::Role(target.clone(), None));
                }
                out.extend(self.numbers(&target));
                out
            }
            Task::EditTarget(id) => {
                let mut out = Vec::new();
                if typed.role != self.was.role {
                    out.push(Amendment::Role(id.clone(), typed.role));
                }
                out.extend(self.numbers(id));
                out
            }
            Task::RenameProvider(from) => {
                vec![Amendment::RenameProvider(from.clone(), filled(&typed.id)?.into())]
            }
            Task::RenameTarget(from) => vec![Amendment::RenameTarget(from.clone(), filled(&typed.id)?.into())],
            Task::RemoveProvider(id) => {
                let own = settings.targets.iter().filter(|target| &target.provider == id);
                own.map(|target| Amendment::RemoveTarget(target.id.clone()))
                    .chain([Amendment::RemoveProvider(id.clone())])
                    .collect()
            }
            Task::RemoveTarget(id) => vec![Amendment::RemoveTarget(id.clone())],
            Task::AddChain => {
                let targets = settings.main_chain().map(|chain| chain.targets.clone()).filter(|all| !all.is_empty())?;
                vec![Amendment::AddChain { name: filled(&typed.id)?, tool: typed.tool, targets }]
            }
            Task::RenameChain(from) => vec![Amendment::RenameChain(from.clone(), filled(&typed.id)?)],
            Task::RemoveChain(name) => vec![Amendment::RemoveChain(name.clone())],
            Task::EditRule(tool) => self.rule(tool),
            Task::Hook => {
                let timeout = filled(&typed.timeout).unwrap_or_else(|| duration::text(Hook::TIMEOUT));
                let hook = filled(&typed.command).map(|command| {
                    let command = ("command".to_owned(), words_value(&command));
                    Value::Table(vec![command, ("timeout".to_owned(), Value::Text(timeout))])
                });
                self.notices("hook", hook)
            }
            Task::Webhook => {
                let form = ("form".to_owned(), Value::text(typed.form.name()));
                let url = match typed.key_form {
                    KeyForm::Open => filled(&typed.key).map(Value::Text),
                    _ => typed.place().flatten(),
                };
                self.notices("webhook", url.map(|url| Value::Table(vec![("url".to_owned(), url), form])))
            }
        })
    }

    fn notices(&self, key: &'static str, value: Option<Value>) -> Vec<Amendment> {
        let is_new = self.typed != self.was;
        is_new.then_some(Amendment::Put { table: "notices", key, value }).into_iter().collect()
    }

    fn has_new_cap(&self) -> bool {
        (&self.typed.requests, &self.typed.tokens) != (&self.was.requests, &self.was.tokens)
    }

    /// When a target is probed, its limit and its price, where they are other ones than before.
    fn numbers(&self, id: &TargetId) -> Vec<Amendment> {
        let (typed, was) = (&self.typed, &self.was);
        let mut out = Vec::new();
        let mut put = |key, is_new: bool, value| {
            out.extend(is_new.then(|| Amendment::Target { id: id.clone(), key, value }));
        };
        let probing = typed.probing.map(|probing| Value::text(probing_name(probing)));
        put("probing", typed.probing != was.probing, probing);
        put("daily_cap", self.has_new_cap(), cap_value(&typed.requests, &typed.tokens));
        let price = filled(&typed.price).map(|price| price.replace(',', "."));
        let number = |price: &String| price.parse::<f64>().ok().filter(|price| price.is_finite());
        let price = price.map(|price| number(&price).map_or_else(|| Value::Text(price.clone()), Value::Float));
        put("price", typed.price != was.price, price);
        out
    }

    /// When a tool is switched by itself, where that is another rule than before.
    fn rule(&self, tool: &'static str) -> Vec<Amendment> {
        let (typed, was) = (&self.typed, &self.was);
        let mut out = Vec::new();
        let mut put = |key, is_new: bool, value| out.extend(is_new.then_some(Amendment::Rule { tool, key, value }));
        put("failover", typed.failover != was.failover, Some(Value::text(typed.failover.name())));
        put("back", typed.back != was.back, Some(Value::text(typed.back.name())));
        put("hold", typed.hold != was.hold, filled(&typed.hold).map(Value::Text));
        put("ahead", typed.ahead != was.ahead, Some(Value::Bool(typed.ahead)));
        put("chain", typed.chain != was.chain, typed.chain.clone().map(Value::Text));
        put("confirm", typed.asks != was.asks, Some(Value::Bool(typed.asks)));
        out
    }

    /// A new provider, whose key is put beside it.
    fn provider(&self) -> Option<ProposedProvider> {
        let preset = Preset::find(self.typed.preset);
        let base_url = filled(&self.typed.base_url);
        if self.needs_url() && base_url.is_none() {
            return None;
        }
        Some(ProposedProvider {
            id: filled(&self.typed.id)?.into(),
            preset: preset.map(|preset| preset.id),
            dialect: preset.map_or(self.typed.dialect, |preset| preset.dialect),
            base_url,
            key: KeyRef::None,
            headers: Vec::new(),
            query: Vec::new(),
            is_subscription: false,
        })
    }
}

impl Typed {
    /// Where the key is kept, as the file has it: `Some(None)` is nowhere, `None` is not said yet.
    fn place(&self) -> Option<Option<Value>> {
        let key = match self.key_form {
            KeyForm::None => return Some(None),
            KeyForm::Command => words_value(&filled(&self.key)?),
            _ => Value::Text(filled(&self.key)?),
        };
        Some(Some(Value::Table(vec![(self.key_form.name().to_owned(), key)])))
    }

    fn proposal(&self, provider: ProposedProvider, id: &str, model: &str) -> Proposal {
        Proposal::named(provider, id.into(), model.into(), self.role.unwrap_or(Role::Backup))
    }
}

/// What is typed, when it is not empty.
fn filled(typed: &str) -> Option<String> {
    Some(typed.trim().to_owned()).filter(|typed| !typed.is_empty())
}

/// The name in the settings.
pub const fn probing_name(probing: Probing) -> &'static str {
    match probing {
        Probing::Scheduled => "scheduled",
        Probing::OnDemand => "on-demand",
        Probing::Never => "never",
    }
}
