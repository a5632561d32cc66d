//! What is told, under which name: a contract. Pure.
//!
//! Times are seconds, sizes bytes, shares 0 to 1; moments are seconds of Unix time and have `timestamp` in their names. What
//! is not known is left out, never told as 0: an absent `vacancy_target_free` means that nobody knows at this moment.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::text::{Format, Labels, Text, Type};
use crate::core::board::Entry;
use crate::core::counts::{FIRST_TOKEN_MS, TargetCounts};
use crate::core::limits::{Span, Window};
use crate::core::outcome::Family;
use crate::core::target::{DailyCap, Role};
use crate::engine::snapshot::Snapshot;
use crate::switch::journal::{Purpose, Stage, Switch};

/// Switches that were done, by tool and by what they were.
pub type Switches = BTreeMap<(String, &'static str), u64>;

/// What is told beside the picture.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The newest picture.
    pub snapshot: &'a Snapshot,
    /// The time of the request.
    pub now: Timestamp,
    /// When this program was started.
    pub started_at: Timestamp,
    /// The engine is at work.
    pub is_up: bool,
    /// The size of the record on disk.
    pub store_bytes: Option<u64>,
    /// By the journal.
    pub switches: &'a Switches,
    /// Of this program.
    pub version: &'a str,
}

/// A target with the labels that all of its series have.
struct Target<'a> {
    entry: &'a Entry,
    labels: [(&'a str, &'a str); 4],
}

impl<'a> Target<'a> {
    fn new(entry: &'a Entry) -> Self {
        let target = &entry.target;
        let role = match target.role {
            Some(Role::Primary) => "primary",
            Some(Role::Backup) => "backup",
            Some(Role::Emergency) => "emergency",
            None => "",
        };
        let labels = [
            ("target", target.id.as_str()),
            ("provider", target.provider.as_str()),
            ("model", target.model.as_str()),
            ("role", role),
        ];
        Self { entry, labels }
    }

    /// Its labels and one more.
    fn with(&self, name: &'a str, value: &'a str) -> [(&'a str, &'a str); 5] {
        let [a, b, c, d] = self.labels;
        [a, b, c, d, (name, value)]
    }
}

/// Writes everything.
pub fn write(facts: &Facts<'_>, format: Format) -> String {
    let mut text = Text::new(format);
    let targets: Vec<Target<'_>> = facts.snapshot.board.entries.iter().map(Target::new).collect();
    program(&mut text, facts);
    states(&mut text, facts, &targets);
    counts(&mut text, facts, &targets);
    budgets(&mut text, facts, &targets);
    limits(&mut text, facts, &targets);
    text.finish()
}

fn program(text: &mut Text, facts: &Facts<'_>) {
    let status = &facts.snapshot.status;
    text.family("vacancy_build_info", Type::Info, "The program's version.");
    text.series(&[("version", facts.version)], 1);
    gauge(text, "vacancy_start_timestamp_seconds", "When the program was started.", seconds(facts.started_at));
    gauge(text, "vacancy_engine_up", "1 while the engine is at work.", u8::from(facts.is_up));
    let help = "When the engine published its newest picture; it does so at least every minute.";
    gauge(text, "vacancy_engine_snapshot_timestamp_seconds", help, seconds(facts.snapshot.at));
    gauge(text, "vacancy_engine_paused", "1 while the user has probing paused.", u8::from(status.paused.is_some()));
    let is_offline = facts.snapshot.board.banner.is_some();
    gauge(text, "vacancy_engine_offline", "1 while this machine's own network is down.", u8::from(is_offline));
    gauge(text, "vacancy_probes_in_flight", "Probes under way.", status.in_flight);
    let trouble = u8::from(status.store_trouble.is_some());
    gauge(text, "vacancy_store_trouble", "1 while the record cannot be written.", trouble);
    let trouble = u8::from(status.settings_trouble.is_some());
    gauge(text, "vacancy_settings_trouble", "1 while the settings file on disk is not valid.", trouble);
    if let Some(bytes) = facts.store_bytes {
        gauge(text, "vacancy_store_bytes", "Size of the record on disk, its write-ahead log included.", bytes);
    }
    text.family("vacancy_notices_total", Type::Counter, "Notices given since the start, by what they say.");
    for (subject, count) in &status.counts.notices {
        text.series(&[("subject", subject)], count);
    }
    let help = "Switches of tools that were done, by the journal: of the user, of a rule, taken back, done again.";
    text.family("vacancy_switches_total", Type::Counter, help);
    for ((tool, by), count) in facts.switches {
        text.series(&[("tool", tool), ("by", by)], count);
    }
}

fn states(text: &mut Text, facts: &Facts<'_>, targets: &[Target<'_>]) {
    let now = facts.now;
    text.family(
        "vacancy_target_state",
        Type::Gauge,
        "1 for the family of the target's state at this moment, 0 for the others.",
    );
    for target in targets {
        let is = family(target.entry, now);
        for family in Family::ALL {
            text.series(&target.with("family", family.name()), u8::from(family == is));
        }
    }
    text.family(
        "vacancy_target_free",
        Type::Gauge,
        "1 if the model is free, 0 if it is not; absent while that is not known.",
    );
    for target in targets.iter().filter(|target| family(target.entry, now) != Family::Unknown) {
        text.series(&target.labels, u8::from(target.entry.is_free(now)));
    }
    let mut moments = |name, help, of: &dyn Fn(&Entry) -> Option<Timestamp>| {
        text.family(name, Type::Gauge, help);
        for target in targets {
            if let Some(at) = of(target.entry) {
                text.series(&target.labels, seconds(at));
            }
        }
    };
    moments("vacancy_target_state_since_timestamp_seconds", "Since when the confirmed state holds.", &|entry| {
        entry.confirmed.map(|confirmed| confirmed.since)
    });
    moments("vacancy_target_last_sample_timestamp_seconds", "When the newest sample began.", &|entry| {
        entry.latest.as_ref().map(|latest| latest.sample.at)
    });
    moments("vacancy_target_next_probe_timestamp_seconds", "When the next probe is due.", &|entry| entry.next_probe_at);
    let help = "Time to the first token of the newest sample, if it was an answer.";
    text.family("vacancy_target_last_first_token_seconds", Type::Gauge, help);
    for target in targets {
        if let Some(millis) = target.entry.latest.as_ref().and_then(|latest| latest.sample.first_token_ms) {
            text.series(&target.labels, f64::from(millis) / 1000.0);
        }
    }
}

fn counts(text: &mut Text, facts: &Facts<'_>, targets: &[Target<'_>]) {
    let counts = &facts.snapshot.status.counts;
    let counted = || targets.iter().filter_map(|target| Some((target, counts.of(&target.entry.target.id)?)));
    let help = "Samples taken in since the start, by kind and source.";
    text.family("vacancy_samples_total", Type::Counter, help);
    for (target, counts) in counted() {
        for ((kind, source), count) in &counts.samples {
            let [a, b, c, d, e] = target.with("kind", kind.name());
            text.series(&[a, b, c, d, e, ("source", source.name())], count);
        }
    }
    let help = "Time to the first token of our own probes since the start.";
    text.family("vacancy_first_token_seconds", Type::Histogram, help);
    let ends = FIRST_TOKEN_MS.map(|millis| f64::from(millis) / 1000.0);
    for (target, TargetCounts { first_tokens, .. }) in counted() {
        #[expect(clippy::cast_precision_loss, reason = "a sum of milliseconds stays far below 2^53")]
        let sum = first_tokens.sum_ms as f64 / 1000.0;
        text.histogram(&target.labels, &ends, &first_tokens.classes, sum);
    }
    text.family("vacancy_probe_requests_total", Type::Counter, "Requests of our own since the start.");
    for (target, counts) in counted() {
        text.series(&target.labels, counts.requests);
    }
    text.family("vacancy_probe_tokens_total", Type::Counter, "Estimated tokens of our own requests since the start.");
    for (target, counts) in counted() {
        text.series(&target.labels, counts.tokens);
    }
}

fn budgets(text: &mut Text, facts: &Facts<'_>, targets: &[Target<'_>]) {
    let status = &facts.snapshot.status;
    if let Some(cap) = status.cap {
        let DailyCap { requests, tokens } = cap;
        gauge(text, "vacancy_budget_requests", "Requests that all targets may make a day.", requests);
        let left = requests.saturating_sub(status.spent.requests);
        gauge(text, "vacancy_budget_requests_remaining", "Of them, those that remain today.", left);
        gauge(text, "vacancy_budget_tokens", "Estimated tokens that all targets may use a day.", tokens);
        let left = tokens.saturating_sub(status.spent.tokens);
        gauge(text, "vacancy_budget_tokens_remaining", "Of them, those that remain today.", left);
    }
    text.family("vacancy_target_budget_requests_remaining", Type::Gauge, "Requests that remain to the target today.");
    for target in targets {
        let left = target.entry.target.daily_cap.requests.saturating_sub(target.entry.spent.requests);
        text.series(&target.labels, left);
    }
    text.family(
        "vacancy_target_budget_tokens_remaining",
        Type::Gauge,
        "Estimated tokens that remain to the target today.",
    );
    for target in targets {
        let left = target.entry.target.daily_cap.tokens.saturating_sub(target.entry.spent.tokens);
        text.series(&target.labels, left);
    }
}

/// A limit with whose it is: a tool's plan or a target's key.
struct Known {
    labels: Vec<(&'static str, String)>,
    used: f32,
    resets_at: Option<Timestamp>,
}

fn limits(text: &mut Text, facts: &Facts<'_>, targets: &[Target<'_>]) {
    let status = &facts.snapshot.status;
    let now = facts.now;
    let span = |minutes: Option<u32>| minutes.map_or_else(String::new, |minutes| format!("{minutes}m"));
    let plans = status.limits.iter().filter_map(|limit| {
        // Judged as a key's window is: one that has started anew is used by an unknown share.
        let window = Window {
            span: limit.window_minutes.map_or(Span::Plan, Span::Minutes),
            used_percent: limit.used_percent,
            resets_at: limit.resets_at,
            told_at: limit.ts.unwrap_or(now - SignedDuration::from_secs(1)),
        };
        let id = limit.id.as_ref().map_or("", |id| id.as_str());
        let labels = vec![
            ("tool", limit.tool.name().to_owned()),
            ("target", String::new()),
            ("limit", id.to_owned()),
            ("window", span(limit.window_minutes)),
        ];
        window.is_current(now).then_some(Known { labels, used: limit.used_percent, resets_at: limit.resets_at })
    });
    let keys = targets.iter().flat_map(|target| {
        let windows = status.key_limits.get(&target.entry.target.id).into_iter().flatten();
        windows.filter(|window| window.is_current(now)).map(|window| {
            let (limit, minutes) = match window.span {
                Span::Minutes(minutes) => ("plan", Some(minutes)),
                Span::Plan => ("plan", None),
                Span::Requests => ("requests", None),
                Span::Tokens => ("tokens", None),
            };
            let labels = vec![
                ("tool", String::new()),
                ("target", target.entry.target.id.as_str().to_owned()),
                ("limit", limit.to_owned()),
                ("window", span(minutes)),
            ];
            Known { labels, used: window.used_percent, resets_at: window.resets_at }
        })
    });
    let mut known: Vec<Known> = plans.chain(keys).collect();
    known.sort_by(|a, b| a.labels.cmp(&b.labels));
    known.dedup_by(|a, b| a.labels == b.labels);
    let mut each = |name, help, of: &dyn Fn(&Known) -> Option<f64>| {
        text.family(name, Type::Gauge, help);
        for limit in &known {
            let labels: Vec<(&str, &str)> = limit.labels.iter().map(|(name, value)| (*name, &**value)).collect();
            if let Some(value) = of(limit) {
                text.series(&labels, value);
            }
        }
    };
    let help = "Share of an own limit that is used: of a tool's plan, or of the key of a target.";
    each("vacancy_limit_used_ratio", help, &|limit| Some(f64::from(limit.used) / 100.0));
    each("vacancy_limit_reset_timestamp_seconds", "When the limit starts anew.", &|limit| limit.resets_at.map(seconds));
}

/// The family that the Board shows at `now`.
fn family(entry: &Entry, now: Timestamp) -> Family {
    match (entry.family_at(now), entry.is_refused_in_sessions) {
        (Family::Unknown, _) => Family::Unknown,
        (_, true) => Family::Full,
        (family, false) => family,
    }
}

/// A family with one series and no labels.
fn gauge(text: &mut Text, name: &'static str, help: &str, value: impl std::fmt::Display) {
    text.family(name, Type::Gauge, help);
    const NONE: Labels<'_> = &[];
    text.series(NONE, value);
}

/// Seconds of Unix time.
fn seconds(at: Timestamp) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this age stay far below 2^53")]
    let millis = at.as_millisecond() as f64;
    millis / 1000.0
}

/// Counts the switches of a journal that were done.
pub fn switches(all: &[Switch]) -> Switches {
    let mut counts = Switches::new();
    for switch in all.iter().filter(|switch| switch.stage == Stage::Done) {
        let by = match switch.entry.purpose {
            Purpose::Switch => "user",
            Purpose::Rule { .. } => "rule",
            Purpose::Undo { .. } => "undo",
            Purpose::Redo { .. } => "redo",
        };
        *counts.entry((switch.entry.tool.clone(), by)).or_default() += 1;
    }
    counts
}
