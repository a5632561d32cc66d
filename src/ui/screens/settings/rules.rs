//! The rules that switch tools and the ways of notices in words, as Settings shows them. Pure.

use crate::args;
use crate::format;
use crate::i18n::Tr;
use crate::notify::config::Address;
use crate::settings::{Settings, SwitchRules, duration};
use crate::switch::tools;
use crate::ui::screens::switch::rule::does;

use super::editor::Task;

/// The keys of a rule, for the search.
pub const KEYS: &str = "[[rule]] [switch.TOOL] failover back hold ahead chain confirm";

/// The rule of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRow {
    /// The tool, by its name in commands.
    pub tool: &'static str,
    /// The tool's name.
    pub title: String,
    /// What it does.
    pub words: String,
    /// How it does it.
    pub detail: String,
}

/// The tools with a rule in the settings.
pub fn rows(settings: &Settings, tr: &Tr) -> Vec<RuleRow> {
    let row = |(tool, rules): (&&'static str, &SwitchRules)| RuleRow {
        tool,
        title: tools::find(tool).map_or(*tool, |found| found.name()).to_owned(),
        words: if rules.rule.is_on() { does(rules.rule, tr) } else { tr.text("settings-screen-rule-off") },
        detail: detail(rules, settings, tr),
    };
    settings.switch_rules.iter().map(row).collect()
}

/// The tools without a rule in the settings.
pub fn others(settings: &[RuleRow]) -> Vec<(&'static str, &'static str)> {
    let has_rule = |id: &str| settings.iter().any(|row| row.tool == id);
    tools::ALL.iter().filter(|tool| !has_rule(tool.id())).map(|tool| (tool.id(), tool.name())).collect()
}

fn detail(rules: &SwitchRules, settings: &Settings, tr: &Tr) -> String {
    let mut parts = Vec::new();
    if rules.rule.is_on() {
        parts.push(tr.with("settings-screen-rule-hold", &args!("hold" => duration::text(rules.rule.hold))));
        if rules.rule.ahead {
            parts.push(tr.text("settings-screen-rule-ahead"));
        }
        let chain = rules.chain.and_then(|at| settings.chains.get(at));
        parts.push(match chain {
            Some(chain) => tr.with("settings-screen-rule-chain", &args!("name" => &*chain.name)),
            None => tr.text("settings-screen-rule-chain-usual"),
        });
    }
    let asks = if rules.asks { "settings-screen-rule-asks" } else { "settings-screen-rule-trusted" };
    parts.push(tr.text(asks));
    parts.join(" · ")
}

/// Where notices go besides the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What it is called.
    pub label: String,
    /// What it does.
    pub help: String,
    /// What is set, in words.
    pub words: String,
    /// Where it stands in the file.
    pub place: &'static str,
    /// Its dialog.
    pub task: Task,
}

/// The hook and the webhook. An address that is a secret is named by its place alone.
pub fn ways(settings: &Settings, tr: &Tr) -> Vec<Way> {
    let none = || tr.text("settings-screen-way-none");
    let hook = settings.notices.hook.as_ref().map_or_else(none, |hook| {
        let program = hook.command.first().map_or("", String::as_str);
        tr.with("settings-screen-way-hook", &args!("program" => program, "timeout" => duration::text(hook.timeout)))
    });
    let webhook = settings.notices.webhook.as_ref().map_or_else(none, |webhook| {
        let form = tr.text(&format!("settings-screen-in-form-{}", webhook.form.name()));
        let place = match &webhook.url {
            Address::Open(url) => url.host_str().unwrap_or_default().to_owned(),
            Address::Kept(key) => key.to_string(),
        };
        format!("{form} · {place}")
    });
    let way = |name: &str, words, place, task| Way {
        label: tr.text(&format!("settings-screen-way-{name}-label")),
        help: tr.text(&format!("settings-screen-way-{name}-help")),
        words,
        place,
        task,
    };
    vec![way("hook", hook, "[notices] hook", Task::Hook), way("webhook", webhook, "[notices] webhook", Task::Webhook)]
}

/// The user's own rules for reading errors, in a sentence; `None` without any.
pub fn own_rules(settings: &Settings, tr: &Tr) -> Option<String> {
    let n = settings.rules.len();
    (n > 0).then(|| tr.with("settings-screen-rules-own", &args!("n" => format::count(n as u64))))
}
