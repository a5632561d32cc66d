//! What the first run's page says. Pure.

use std::collections::BTreeSet;

use crate::args;
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::settings::discovery::{Found, KeyPlace, Proposal};
use crate::ui::backfill::Scope;
use crate::ui::format;
use crate::ui::screens::board::model::role;

/// What the page knows of this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What discovery reported; `None` while it is still looking.
    pub found: Option<Found>,
    /// The settings file that *Start* writes, or that the user may write.
    pub settings_file: String,
    /// What the tools have written so far.
    pub scope: Scope,
    /// The user does not want that read.
    pub leaves_logs: bool,
}

/// What the page says.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The headline.
    pub headline: String,
    /// The sentence below it.
    pub subline: String,
    /// A line for each proposal.
    pub rows: Vec<Row>,
    /// The estimate for all that is ticked.
    pub total: String,
    /// What there is to read in the tools' logs; `None` when there is nothing.
    pub logs: Option<Logs>,
    /// Something is ticked.
    pub can_start: bool,
    /// What cannot be watched, and why.
    pub remarks: Vec<String>,
    /// How to add something by hand; shown when nothing was found.
    pub by_hand: Option<ByHand>,
}

/// A proposal in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The proposed target.
    pub target: TargetId,
    /// The model.
    pub name: String,
    /// Provider and place where it was found.
    pub origin: String,
    /// Its place in the chain.
    pub role: String,
    /// Requests and tokens a day; words when it costs nothing.
    pub cost: String,
    /// Ticked.
    pub is_ticked: bool,
    /// The whole row in one sentence, for screen readers.
    pub summary: String,
}

/// The offer to read the tools' logs.
#[derive(Clone, Debug, PartialEq)]
pub struct Logs {
    /// What is offered.
    pub title: String,
    /// Whose logs, how many, and what is taken from them.
    pub words: String,
    /// Ticked.
    pub is_ticked: bool,
}

/// How to add something by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct ByHand {
    /// The file to write.
    pub file: String,
    /// An example for it.
    pub example: String,
}

/// The smallest settings file that watches something.
pub const EXAMPLE: &str = "[[provider]]
id = \"openai\"
dialect = \"openai-chat\"
base_url = \"https://api.openai.com/v1\"
key = { env = \"OPENAI_API_KEY\" }

[[target]]
id = \"main\"
provider = \"openai\"
model = \"gpt-5.6-sol\"
role = \"primary\"
";

impl Model {
    /// Reads the findings; `toggled` holds the keys whose tick the user changed.
    pub fn new(findings: &Findings, toggled: &BTreeSet<TargetId>, tr: &Tr) -> Self {
        let proposals = findings.found.as_ref().map(|found| &*found.proposals).unwrap_or_default();
        let is_looking = findings.found.is_none();
        let rows: Vec<Row> =
            proposals.iter().map(|proposal| Row::new(proposal, is_ticked(proposal, toggled), tr)).collect();
        let ticked = || proposals.iter().filter(|proposal| is_ticked(proposal, toggled));
        let sum = |of: fn(&Proposal) -> u32| format::count(ticked().map(|proposal| u64::from(of(proposal))).sum());
        let n = ticked().count();
        let is_empty = rows.is_empty();
        let name = match (is_looking, is_empty) {
            (true, true) => "looking",
            (_, false) => "found",
            (false, true) => "nothing",
        };
        Self {
            headline: tr.text(&format!("ui-welcome-headline-{name}")),
            subline: tr.text(&format!("ui-welcome-subline-{name}")),
            total: tr.with(
                if ticked().all(|p| p.requests_a_day == 0) { "ui-welcome-total-none" } else { "ui-welcome-total" },
                &args!("n" => n, "requests" => sum(|p| p.requests_a_day), "tokens" => sum(|p| p.tokens_a_day)),
            ),
            logs: (!is_empty && findings.scope.files > 0).then(|| Logs::new(findings, tr)),
            can_start: n > 0,
            remarks: remarks(findings.found.as_ref(), tr),
            by_hand: (is_empty && !is_looking)
                .then(|| ByHand { file: findings.settings_file.clone(), example: EXAMPLE.to_owned() }),
            rows,
        }
    }
}

impl Logs {
    fn new(findings: &Findings, tr: &Tr) -> Self {
        let scope = &findings.scope;
        let arguments = args!(
            "tools" => format::list(&scope.tools, tr),
            "files" => format::count(scope.files as u64),
            "size" => format::bytes(scope.bytes, tr),
        );
        Self {
            title: tr.text("ui-welcome-logs"),
            words: tr.with("ui-welcome-logs-words", &arguments),
            is_ticked: !findings.leaves_logs,
        }
    }
}

/// What was found but cannot be used as it is, a sentence each.
fn remarks(found: Option<&Found>, tr: &Tr) -> Vec<String> {
    let Some(found) = found else { return Vec::new() };
    let shell_only = found.keys.iter().filter(|key| key.place == KeyPlace::LoginShell);
    let unreadable = found.tools.iter().flat_map(|tool| &tool.unreadable);
    shell_only
        .map(|key| tr.with("ui-welcome-shell-only", &args!("variable" => key.variable.as_str())))
        .chain(found.hints(tr))
        .chain(unreadable.map(|file| tr.with("ui-welcome-unreadable", &args!("file" => file.display().to_string()))))
        .collect()
}

/// Whether a proposal is to be watched.
pub fn is_ticked(proposal: &Proposal, toggled: &BTreeSet<TargetId>) -> bool {
    proposal.is_ticked != toggled.contains(&proposal.target)
}

impl Row {
    fn new(proposal: &Proposal, is_ticked: bool, tr: &Tr) -> Self {
        let cost = if proposal.requests_a_day == 0 {
            tr.text("ui-welcome-cost-none")
        } else {
            tr.with(
                "ui-welcome-cost",
                &args!(
                    "requests" => format::count(u64::from(proposal.requests_a_day)),
                    "tokens" => format::count(u64::from(proposal.tokens_a_day)),
                ),
            )
        };
        let reason = proposal.reason.text(tr);
        // The reason of a subscription names its tool, which is its provider.
        let origin = if proposal.provider.is_subscription {
            reason
        } else {
            tr.with("ui-welcome-origin", &args!("provider" => proposal.provider.name(), "reason" => reason))
        };
        let summary = tr.with(
            "ui-welcome-row-summary",
            &args!("model" => proposal.model.as_str(), "origin" => origin.as_str(), "cost" => cost.as_str()),
        );
        Self {
            target: proposal.target.clone(),
            name: proposal.model.as_str().to_owned(),
            origin,
            role: role(Some(proposal.role), tr),
            cost,
            is_ticked,
            summary,
        }
    }
}
