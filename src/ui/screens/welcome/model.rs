//! What the first run's page says. Pure.

use std::collections::BTreeSet;

use crate::args;
use crate::core::target::Role;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::board::model::role;

/// What was found on this machine, as the page needs it; made from what discovery reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What can be watched, in the proposed chain order.
    pub proposals: Vec<Proposal>,
    /// What was found but cannot be watched, with the reason; a sentence each.
    pub remarks: Vec<String>,
    /// The settings file that *Start* writes, or that the user may write.
    pub settings_file: String,
    /// Still looking.
    pub is_looking: bool,
}

/// One thing that can be watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Names it to the program.
    pub key: String,
    /// The model.
    pub model: String,
    /// The provider.
    pub provider: String,
    /// Where it was found: a variable's name, a file. Never a key.
    pub found_in: String,
    /// Its proposed place in the chain.
    pub role: Option<Role>,
    /// Estimated requests of ours a day.
    pub requests_per_day: u32,
    /// Estimated tokens of ours a day.
    pub tokens_per_day: u32,
    /// Proposed to be watched.
    pub is_ticked: bool,
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
    /// See [`Proposal::key`].
    pub key: String,
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
    pub fn new(findings: &Findings, toggled: &BTreeSet<String>, tr: &Tr) -> Self {
        let rows: Vec<Row> =
            findings.proposals.iter().map(|proposal| Row::new(proposal, is_ticked(proposal, toggled), tr)).collect();
        let ticked = || findings.proposals.iter().filter(|proposal| is_ticked(proposal, toggled));
        let sum = |of: fn(&Proposal) -> u32| format::count(ticked().map(|proposal| u64::from(of(proposal))).sum());
        let n = ticked().count();
        let is_empty = rows.is_empty();
        let name = match (findings.is_looking, is_empty) {
            (true, true) => "looking",
            (_, false) => "found",
            (false, true) => "nothing",
        };
        Self {
            headline: tr.text(&format!("ui-welcome-headline-{name}")),
            subline: tr.text(&format!("ui-welcome-subline-{name}")),
            total: tr.with(
                "ui-welcome-total",
                &args!("n" => n, "requests" => sum(|p| p.requests_per_day), "tokens" => sum(|p| p.tokens_per_day)),
            ),
            can_start: n > 0,
            remarks: findings.remarks.clone(),
            by_hand: (is_empty && !findings.is_looking)
                .then(|| ByHand { file: findings.settings_file.clone(), example: EXAMPLE.to_owned() }),
            rows,
        }
    }
}

/// Whether a proposal is to be watched.
pub fn is_ticked(proposal: &Proposal, toggled: &BTreeSet<String>) -> bool {
    proposal.is_ticked != toggled.contains(&proposal.key)
}

impl Row {
    fn new(proposal: &Proposal, is_ticked: bool, tr: &Tr) -> Self {
        let cost = if proposal.requests_per_day == 0 {
            tr.text("ui-welcome-cost-none")
        } else {
            tr.with(
                "ui-welcome-cost",
                &args!(
                    "requests" => format::count(u64::from(proposal.requests_per_day)),
                    "tokens" => format::count(u64::from(proposal.tokens_per_day)),
                ),
            )
        };
        let origin = tr.with(
            "ui-welcome-origin",
            &args!("provider" => proposal.provider.as_str(), "place" => proposal.found_in.as_str()),
        );
        let summary = tr.with(
            "ui-welcome-row-summary",
            &args!("model" => proposal.model.as_str(), "origin" => origin.as_str(), "cost" => cost.as_str()),
        );
        Self {
            key: proposal.key.clone(),
            name: proposal.model.clone(),
            origin,
            role: role(proposal.role, tr),
            cost,
            is_ticked,
            summary,
        }
    }
}
