//! What the Board's detail panel says of one target, down to the evidence and the rule. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::board::{Detail as Known, Entry};
use crate::core::outcome::{Family, Kind};
use crate::core::sample::{Sample, Source};
use crate::core::target::{Probing, TargetId};
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::tools;

use super::model::{
    kind_words, next_words, provider_name, role, role_hint, shown_family, stale_words, state_kind_words,
};
use super::model_context::context;
use super::model_limits;

/// One target in full.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Which.
    pub target: TargetId,
    /// Its colour and mark.
    pub family: Family,
    /// An answer came that no rule knows: the mark is filled.
    pub is_unrecognized: bool,
    /// The state is what was known last, not what is.
    pub is_stale: bool,
    /// The model's name.
    pub name: String,
    /// Provider and role.
    pub subtitle: String,
    /// What the role means.
    pub role_hint: String,
    /// What is known, a line each.
    pub facts: Vec<Fact>,
    /// Which state there is to explain in plain words; see [`Explanation::new`].
    pub explains: Option<Kind>,
    /// The newest evidence: when and what, the decisive words, the rule.
    pub evidence: Vec<String>,
    /// What others say, a line each: never counted.
    pub context: Vec<Fact>,
    /// The newest samples, newest first.
    pub recent: Vec<Recent>,
    /// We may probe it.
    pub can_probe: bool,
    /// It is a plan's, whose own tool may be asked.
    pub has_tool: bool,
}

/// A label and what is known under it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The label.
    pub label: String,
    /// The words.
    pub value: String,
}

/// One sample in the list of the newest.
#[derive(Clone, Debug, PartialEq)]
pub struct Recent {
    /// Its colour and mark.
    pub family: Family,
    /// No rule knew the answer: the mark is filled.
    pub is_unrecognized: bool,
    /// When.
    pub time: String,
    /// The verdict in words.
    pub words: String,
    /// Source and latency.
    pub tail: String,
}

/// A state in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What it means.
    pub meaning: String,
    /// What to do next.
    pub next_step: String,
}

impl Explanation {
    /// The words for a kind, the same as `vacancy explain` has.
    pub fn new(kind: Kind, tr: &Tr) -> Self {
        let words = |what: &str| tr.text(&format!("explain-{}-{what}", kind.name()));
        Self { meaning: words("meaning"), next_step: words("next") }
    }
}

impl Detail {
    /// Reads one target as seen at `now`.
    pub fn new(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Self {
        let target = &entry.target;
        let role = role(target.role, tr);
        Self {
            target: target.id.clone(),
            family: shown_family(entry, now),
            is_unrecognized: entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Unrecognized),
            is_stale: entry.is_stale(now),
            name: target.model.as_str().to_owned(),
            subtitle: tr
                .with("ui-detail-subtitle", &args!("provider" => provider_name(target), "role" => role.as_str())),
            role_hint: role_hint(target.role, tr),
            facts: facts(entry, snapshot, now, tr),
            explains: entry.confirmed.map(|confirmed| confirmed.kind).or(entry.latest.as_ref().map(|l| l.sample.kind)),
            evidence: evidence(entry, snapshot, tr),
            context: context(&target.id, snapshot, now, tr),
            recent: entry.recent.iter().map(|sample| recent(entry, sample, snapshot, now, tr)).collect(),
            can_probe: target.probing != Probing::Never,
            has_tool: tools::program_of(entry).is_some(),
        }
    }
}

fn facts(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut fact = |id: &str, value: String| facts.push(Fact { label: tr.text(id), value });
    fact("ui-fact-verdict", verdict(entry, tr));
    if let Some(words) = stale_words(entry, now, tr) {
        fact("ui-fact-stale", tr.with("ui-stale", &args!("words" => words)));
    }
    if let Some(confirmed) = entry.confirmed {
        let time = format::moment(confirmed.since, now, &snapshot.zone, tr);
        fact("ui-fact-since", since(entry, &time, tr));
    }
    if entry.confirmed.is_some_and(|confirmed| confirmed.kind != Kind::Available) {
        fact("ui-fact-helps", helps(entry, tr));
    }
    fact("ui-fact-next", next_words(entry, snapshot, now, tr));
    let latest = entry.latest.as_ref();
    if let Some(millis) = latest.and_then(|latest| latest.sample.first_token_ms) {
        let latency = format::latency(millis, tr);
        // Of one answer, where Heatmap and Cheat sheet tell the median of many.
        let value = tr.with(if entry.is_slow { "ui-slow" } else { "ui-newest" }, &args!("latency" => latency));
        fact("ui-fact-first-token", value);
    }
    let limits = model_limits::facts(entry, snapshot, now, tr);
    if entry.target.probing == Probing::Never {
        facts.extend(limits);
        return facts;
    }
    let cap = entry.target.daily_cap;
    let value = tr.with(
        "ui-spent-target",
        &args!(
            "requests" => format::count(u64::from(entry.spent.requests)),
            "cap" => format::count(u64::from(cap.requests)),
            "tokens" => format::count(u64::from(entry.spent.tokens)),
        ),
    );
    fact("ui-fact-spent", value);
    facts.extend(limits);
    facts
}

fn verdict(entry: &Entry, tr: &Tr) -> String {
    if entry.is_refused_in_sessions {
        return tr.text("ui-verdict-refused-in-sessions");
    }
    let Some(confirmed) = entry.confirmed else {
        return match &entry.latest {
            Some(latest) => {
                let kind = kind_words(entry, &latest.sample, tr);
                tr.with("ui-verdict-unconfirmed", &args!("kind" => kind))
            }
            None => tr.text("ui-verdict-none"),
        };
    };
    let kind = state_kind_words(entry, confirmed.kind, tr);
    // "Available, this model only" would read as a restriction.
    if confirmed.kind == Kind::Available {
        return kind;
    }
    let scope = tr.text(&format!("scope-{}", confirmed.scope.name()));
    tr.with("ui-verdict", &args!("kind" => kind, "scope" => scope))
}

fn since(entry: &Entry, time: &str, tr: &Tr) -> String {
    let seen: Vec<&Sample> = entry.recent.iter().filter(|sample| sample.kind != Kind::Skipped).collect();
    let run = seen.iter().take_while(|sample| sample.family() == entry.family()).count();
    let id = if run == Entry::RECENT { "ui-since-confirmed-many" } else { "ui-since-confirmed" };
    if run == 0 { time.to_owned() } else { tr.with(id, &args!("time" => time, "n" => run)) }
}

fn helps(entry: &Entry, tr: &Tr) -> String {
    // Of the state, which the newest sample need not speak of: a probe that did not get out says nothing of the model.
    let (wait, switch) = match (&entry.latest, entry.evidence()) {
        (Some(latest), Some(evidence)) if latest.sample == *evidence => (latest.wait_helps, latest.switch_helps),
        _ => entry.confirmed.map_or((false, false), |confirmed| {
            let usual = Known::of_record(confirmed.kind, confirmed.scope);
            (usual.wait_helps, usual.switch_helps)
        }),
    };
    tr.text(match (wait, switch) {
        (true, true) => "ui-helps-both",
        (true, false) => "ui-helps-wait",
        (false, true) => "ui-helps-switch",
        (false, false) => "ui-helps-user",
    })
}

fn evidence(entry: &Entry, snapshot: &Snapshot, tr: &Tr) -> Vec<String> {
    let Some(latest) = &entry.latest else { return Vec::new() };
    // The evidence of what is said above; where a newer sample says another thing, that is in the list of the newest.
    let sample = entry.evidence().unwrap_or(&latest.sample);
    let time = format::clock_secs(sample.at, &snapshot.zone);
    let source = source(sample.source, tr);
    let head = match sample.http_status {
        Some(status) => {
            tr.with("ui-evidence-status", &args!("time" => time, "source" => source, "status" => status.to_string()))
        }
        None => tr.with("ui-evidence-no-status", &args!("time" => time, "source" => source)),
    };
    let mut lines = vec![head];
    if !latest.excerpt.is_empty() && latest.sample == *sample {
        lines.push(latest.excerpt.clone());
    }
    // Not every import has rules.
    if !sample.rule.is_empty() {
        lines.push(tr.with("ui-evidence-rule", &args!("rule" => sample.rule.as_ref())));
    }
    lines
}

fn recent(entry: &Entry, sample: &Sample, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Recent {
    let source = source(sample.source, tr);
    let millis = sample.first_token_ms.or(sample.total_ms);
    let tail = match millis {
        Some(millis) if sample.kind != Kind::Skipped => {
            tr.with("ui-recent-tail", &args!("source" => source, "latency" => format::latency(millis, tr)))
        }
        _ => source,
    };
    Recent {
        family: sample.family(),
        is_unrecognized: sample.kind == Kind::Unrecognized,
        time: format::moment(sample.at, now, &snapshot.zone, tr),
        words: kind_words(entry, sample, tr),
        tail,
    }
}

fn source(source: Source, tr: &Tr) -> String {
    tr.text(&format!("source-{}", source.name()))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::board::Detail as Known;
    use crate::core::outcome::Scope;
    use crate::core::schedule::Thresholds;
    use crate::core::target::Role;
    use crate::i18n::Lang;
    use crate::ui::stage::Stage;

    #[test]
    fn a_probe_that_did_not_get_out_changes_neither_evidence_nor_advice() {
        let now: Timestamp = "2026-11-29T13:27:00Z".parse().unwrap();
        let mut stage = Stage::new(now, TimeZone::UTC);
        stage.target("gpt-6-luna", "codex", Some(Role::Primary));
        stage.state(Kind::ModelNotFound, Scope::Model, 4, "openai.model-not-found");
        let snapshot = stage.snapshot();
        let mut board = (*snapshot.board).clone();
        let said = |board: &crate::core::board::Board| {
            let detail = Detail::new(&board.entries[0], &snapshot, now, &Tr::new(Lang::English));
            let helps = detail.facts.iter().find(|fact| fact.label.contains("elps")).map(|fact| fact.value.clone());
            (detail.evidence.last().cloned(), helps)
        };
        let before = said(&board);
        assert!(before.0.as_ref().is_some_and(|rule| rule.contains("openai.model-not-found")), "{before:?}");
        let known = board.entries[0].latest.as_ref().unwrap().sample.clone();
        let unreachable = Sample { at: now, kind: Kind::Network, scope: Scope::Local, rule: "net".into(), ..known };
        board.apply(&unreachable, Known::of_record(Kind::Network, Scope::Local), &Thresholds::default());
        assert_eq!(board.entries[0].latest.as_ref().unwrap().sample.kind, Kind::Network);
        assert_eq!(said(&board), before);
        // An import without rules has none to show.
        board.entries[0].recent.iter_mut().for_each(|sample| sample.rule = "".into());
        board.entries[0].latest.as_mut().unwrap().sample.rule = "".into();
        assert!(!said(&board).0.unwrap().contains("rule"));
    }
}
