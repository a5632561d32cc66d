//! What the Board says. Pure.

use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::core::board::{Banner, Board, Entry, Hold};
use crate::core::outcome::{Family, Kind};
use crate::core::sample::Sample;
use crate::core::target::{Probing, Role, Target, TargetId};
use crate::engine::snapshot::{Keeper, STRIP_CELLS, Snapshot, Strip, StripCell};
use crate::i18n::{FluentArgs, Tr};
use crate::settings::SUBSCRIPTIONS;
use crate::switch::tools;
use crate::ui::format::{self, Piece};
use crate::ui::screens::activity;
use crate::ui::screens::switch::rule;
use crate::ui::state::UiState;
use crate::ui::switching::Seen;

use super::model_limits;

pub use super::model_detail::{Detail, Fact, Recent};

/// The most events that the card below the table has room for.
const LATELY: usize = 30;

/// What the Board says.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The small words above the headline.
    pub kicker: String,
    /// Names the first free model, or says that there is none.
    pub headline: Vec<Piece>,
    /// One sentence on the primary model.
    pub subline: String,
    /// The targets in chain order.
    pub rows: Vec<Row>,
    /// The target that the detail panel shows, when the user chose one; see [`Model::shown`].
    pub selected: Option<TargetId>,
    /// The newest events, for the card below the table.
    pub lately: Vec<activity::model::Line>,
    /// Today's probing, for the card beside it.
    pub spending: Spending,
    /// Whether anything may be probed at all.
    pub can_probe: bool,
}

/// One target in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub target: TargetId,
    /// Its place in the chain.
    pub role: String,
    /// Its colour and mark.
    pub family: Family,
    /// An answer came that no rule knows: the mark is filled.
    pub is_unrecognized: bool,
    /// The state is what was known last, not what is: it has a mark of its own.
    pub is_stale: bool,
    /// The model's name.
    pub name: String,
    /// The provider's name.
    pub provider: String,
    /// The state in words, with its age: `Full for 22 min`.
    pub state: String,
    /// What to do about it.
    pub advice: String,
    /// The newest time to the first token, or a dash.
    pub first_token: String,
    /// That time is above the threshold.
    pub is_slow: bool,
    /// The last 24 hours.
    pub strip: Strip,
    /// The time of the next probe, or a dash.
    pub next: String,
    /// Why there is none.
    pub next_words: String,
    /// The whole row in one sentence, for screen readers.
    pub summary: String,
}

/// Today's requests and tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Spending {
    /// `212 of 600 requests`.
    pub requests: String,
    /// Share of the day's requests that is spent, 0 to 1.
    pub requests_share: f32,
    /// `about 5,900 of 60,000 tokens`.
    pub tokens: String,
    /// Share of the day's tokens that is spent, 0 to 1.
    pub tokens_share: f32,
    /// When and whom next.
    pub next: String,
    /// The models that were asked today and how often, the most asked first.
    pub models: Vec<(String, String)>,
}

impl Model {
    /// Reads the snapshot as seen at `now`, and what was read of the tools.
    pub fn new(snapshot: &Snapshot, tools: Option<&Seen>, state: &UiState, now: Timestamp, tr: &Tr) -> Self {
        let rows: Vec<Row> = snapshot.board.entries.iter().map(|entry| Row::new(entry, snapshot, now, tr)).collect();
        Self {
            kicker: tr.text(if is_past(snapshot, now) { "ui-board-kicker-last-known" } else { "ui-board-kicker" }),
            headline: headline(snapshot, now, tr),
            subline: subline(snapshot, now, tr),
            can_probe: snapshot.board.entries.iter().any(|entry| entry.target.probing != Probing::Never),
            rows,
            selected: state.selected.clone().filter(|id| snapshot.board.entry(id).is_some()),
            lately: activity::model::happened(snapshot, tools)
                .into_iter()
                .take(LATELY)
                .map(|(_, happened)| activity::model::Line::of(happened, snapshot, None, now, tr))
                .collect(),
            spending: spending(snapshot, now, tr),
        }
    }

    /// The row whose detail is shown: the selected one, or the first where the panel has room beside the table.
    pub fn shown(&self, has_room: bool) -> Option<usize> {
        match &self.selected {
            Some(id) => self.rows.iter().position(|row| &row.target == id),
            None if has_room && !self.rows.is_empty() => Some(0),
            None => None,
        }
    }
}

impl Row {
    fn new(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Self {
        let target = &entry.target;
        let family = shown_family(entry, now);
        let state = state_words(entry, now, tr);
        let by_limit = model_limits::advice(entry, snapshot, hint_left(entry, now), now, tr);
        let stands_in = rule::stands_in(&target.id, snapshot, tr);
        let mut advice = stands_in.or(by_limit).unwrap_or_else(|| advice(entry, now, tr));
        if let Some(until) = snapshot.status.notices.snoozed.get(&entry.target.id) {
            let time = format::moment(*until, now, &snapshot.zone, tr);
            advice = format!("{advice} · {}", tr.with("notice-snoozed-until", &args!("time" => time)));
        }
        let role = role(target.role, tr);
        let dash = || "–".to_owned();
        let is_twin = |other: &Entry| other.target.id != target.id && other.target.place() == target.place();
        let mut provider = provider_name(target).to_owned();
        if snapshot.board.entries.iter().any(is_twin) {
            // Two logins or addresses of one model: their ids tell them apart.
            provider = format!("{provider} · {}", target.id);
        }
        let latency = entry.latest.as_ref().and_then(|latest| latest.sample.first_token_ms);
        let latency = latency.filter(|_| family == Family::Available);
        let summary = tr.with(
            "ui-row-summary",
            &args!("model" => target.model.as_str(), "provider" => provider.as_str(), "role" => role.as_str(),
                "state" => state.as_str(), "advice" => advice.as_str()),
        );
        Self {
            target: target.id.clone(),
            role,
            family,
            is_unrecognized: entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Unrecognized),
            is_stale: entry.is_stale(now),
            name: target.model.as_str().to_owned(),
            provider,
            state,
            advice,
            first_token: latency.map_or_else(dash, |millis| format::latency(millis, tr)),
            is_slow: entry.is_slow && latency.is_some(),
            strip: snapshot.strips.get(&target.id).cloned().unwrap_or_else(|| no_evidence(now)),
            next: entry.next_probe_at.map_or_else(dash, |at| format::moment(at, now, &snapshot.zone, tr)),
            next_words: next_words(entry, snapshot, now, tr),
            summary,
        }
    }
}

/// The family that a target is shown with at `now`: where the user's own sessions are refused it is not free, whatever
/// our probes say, and of what is stale none is known.
pub fn shown_family(entry: &Entry, now: Timestamp) -> Family {
    if entry.is_stale(now) { Family::Unknown } else { last_family(entry) }
}

/// The family that a target had when it was seen last.
fn last_family(entry: &Entry) -> Family {
    if entry.is_refused_in_sessions { Family::Full } else { entry.family() }
}

/// What was known last, with its age, of a state that is stale at `now`: `Was free 2 d ago`.
pub fn stale_words(entry: &Entry, now: Timestamp, tr: &Tr) -> Option<String> {
    let seen = entry.seen_at().filter(|_| entry.is_stale(now))?;
    let age = format::span(format::minutes_between(seen, now), tr);
    Some(tr.with(&format!("ui-state-was-{}", last_family(entry).name()), &args!("age" => age)))
}

/// The server of a model on this machine is not running: its address refused the connection.
fn is_not_running(entry: &Entry, sample: &Sample) -> bool {
    entry.target.is_local && sample.kind == Kind::Network && sample.rule.starts_with("refused")
}

/// The kind of a target's sample in words: of a server on this machine that is not running it is not the network's trouble,
/// and a key that was not found was refused by nobody.
pub fn kind_words(entry: &Entry, sample: &Sample, tr: &Tr) -> String {
    match sample.kind {
        _ if is_not_running(entry, sample) => tr.text("ui-kind-no-server"),
        _ if sample.has_no_key() => tr.text("ui-kind-no-key"),
        kind => tr.text(&format!("kind-{}", kind.name())),
    }
}

/// The kind of the confirmed state in words.
pub fn state_kind_words(entry: &Entry, kind: Kind, tr: &Tr) -> String {
    let evidence = entry.evidence().filter(|sample| sample.kind == kind);
    evidence.map_or_else(|| tr.text(&format!("kind-{}", kind.name())), |sample| kind_words(entry, sample, tr))
}

/// The role in words.
pub fn role(role: Option<Role>, tr: &Tr) -> String {
    tr.text(match role {
        Some(Role::Primary) => "role-primary",
        Some(Role::Backup) => "role-backup",
        Some(Role::Emergency) => "role-emergency",
        None => "role-none",
    })
}

/// What a target's provider is called: as its vendor or, for a tool's own login, the tool spells it, else as the user does.
pub fn provider_name(target: &Target) -> &str {
    let id = target.provider.as_str();
    // No provider of the user's has such an id.
    let tool = || SUBSCRIPTIONS.contains(&id).then(|| tools::find(id)).flatten().map(|tool| tool.name());
    target.vendor.as_deref().or_else(tool).unwrap_or(id)
}

/// What a role means, in a sentence.
pub fn role_hint(role: Option<Role>, tr: &Tr) -> String {
    tr.text(&format!("role-hint-{}", role.map_or("none", Role::name)))
}

/// The state in words, with its age.
pub fn state_words(entry: &Entry, now: Timestamp, tr: &Tr) -> String {
    if let Some(words) = stale_words(entry, now, tr) {
        return words;
    }
    if entry.is_refused_in_sessions {
        return tr.text("ui-state-refused-in-sessions");
    }
    let Some(confirmed) = entry.confirmed else {
        return tr.text(match (&entry.latest, entry.hold) {
            (Some(_), _) => "ui-state-confirming",
            (None, Some(Hold::OnDemand | Hold::NeverProbed)) => "ui-state-not-watched",
            (None, Some(Hold::NotRunning)) => "ui-state-not-known",
            (None, _) => "ui-state-looking",
        });
    };
    let age = || format::span(format::minutes_between(confirmed.since, now), tr);
    let kind = || state_kind_words(entry, confirmed.kind, tr);
    match entry.family() {
        Family::Available if entry.is_slow => tr.text("ui-state-slow"),
        Family::Available => tr.text("kind-available"),
        Family::Full => tr.with("ui-state-full-for", &args!("age" => age())),
        Family::Fault => tr.with("ui-state-kind-for", &args!("kind" => kind(), "age" => age())),
        Family::Limited | Family::Blocked | Family::Unknown => kind(),
    }
}

/// Whole minutes until the moment that the newest answer named, if that is still to come.
fn hint_left(entry: &Entry, now: Timestamp) -> Option<i64> {
    let sample = &entry.latest.as_ref()?.sample;
    let until = sample.at + std::time::Duration::from_secs(u64::from(sample.retry_after_s?));
    (until > now).then(|| format::minutes_between(now, until).max(1))
}

/// What to do about a target's state, in a few words.
pub fn advice(entry: &Entry, now: Timestamp, tr: &Tr) -> String {
    if entry.is_stale(now) {
        return match entry.latest.as_ref().filter(|latest| Some(latest.sample.at) > entry.seen_at()) {
            // Something else came since, and is not confirmed yet.
            Some(latest) => {
                let kind = kind_words(entry, &latest.sample, tr);
                tr.with("ui-advice-confirming", &args!("kind" => kind))
            }
            None => tr.text("ui-advice-stale"),
        };
    }
    if entry.is_refused_in_sessions {
        return tr.text("ui-advice-refused-in-sessions");
    }
    let Some(confirmed) = entry.confirmed else {
        return match entry.hold {
            Some(Hold::OnDemand) => tr.text("ui-advice-on-demand"),
            Some(Hold::NeverProbed) => tr.text("ui-advice-never-probed"),
            _ => match &entry.latest {
                Some(latest) => {
                    let kind = kind_words(entry, &latest.sample, tr);
                    tr.with("ui-advice-confirming", &args!("kind" => kind))
                }
                None if entry.hold == Some(Hold::NotRunning) => tr.text("ui-advice-not-running"),
                None => tr.text("ui-advice-first-look"),
            },
        };
    };
    match entry.family() {
        Family::Available => {
            let age = format::span(format::minutes_between(confirmed.since, now), tr);
            tr.with("ui-advice-free-for", &args!("age" => age))
        }
        Family::Limited if let Some(minutes) = hint_left(entry, now) => {
            tr.with("ui-advice-limited-left", &args!("left" => format::span(minutes, tr)))
        }
        _ if entry.evidence().is_some_and(|sample| is_not_running(entry, sample)) => tr.text("ui-advice-no-server"),
        _ if entry.evidence().is_some_and(Sample::has_no_key) => tr.text("ui-advice-no-key"),
        _ => tr.text(&format!("ui-advice-{}", confirmed.kind.name())),
    }
}

/// A day of gaps.
fn no_evidence(now: Timestamp) -> Strip {
    Strip { start: now - SignedDuration::from_hours(24), cells: [StripCell::default(); STRIP_CELLS].into() }
}

/// When the next probe is due, or why none is planned; a sentence.
pub fn next_words(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let time = |at| format::moment(at, now, &snapshot.zone, tr);
    match (entry.hold, entry.next_probe_at) {
        (Some(Hold::NeedsUser), _) => tr.text("ui-next-needs-user"),
        (Some(Hold::OnDemand), _) => tr.text("ui-next-on-demand"),
        (Some(Hold::NeverProbed), _) => tr.text("ui-next-never"),
        (Some(Hold::BudgetSpent { until }), _) => tr.with("ui-next-budget", &args!("time" => time(until))),
        (Some(Hold::Paused { until: Some(until) }), _) => {
            tr.with("ui-next-paused-until", &args!("time" => time(until)))
        }
        (Some(Hold::Paused { until: None }), _) => tr.text("ui-next-paused"),
        (Some(Hold::Offline), _) => tr.text("ui-next-offline"),
        (Some(Hold::NotRunning), _) => tr.text("ui-next-none"),
        (None, Some(at)) => {
            let minutes = format::minutes_between(now, at);
            if minutes < 1 {
                tr.text("ui-next-now")
            } else {
                tr.with("ui-next-at", &args!("time" => time(at), "left" => format::span(minutes, tr)))
            }
        }
        (None, None) => tr.text("ui-next-none"),
    }
}

/// Nothing will be known of it by the schedule.
const fn is_left_alone(entry: &Entry) -> bool {
    matches!(entry.hold, Some(Hold::OnDemand | Hold::NeverProbed | Hold::NotRunning))
}

/// What is shown was so, and may be over: the network is down, nobody looks, or all that is known of the chain is stale.
fn is_past(snapshot: &Snapshot, now: Timestamp) -> bool {
    let board = &snapshot.board;
    board.banner.is_some() || snapshot.status.keeper != Keeper::Engine || is_all_stale(board, now)
}

fn is_all_stale(board: &Board, now: Timestamp) -> bool {
    let mut known = board.entries.iter().filter(|e| e.target.role.is_some() && e.confirmed.is_some()).peekable();
    known.peek().is_some() && known.all(|entry| entry.is_stale(now))
}

fn headline(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Piece> {
    let board = &snapshot.board;
    let plain = |id: &str| vec![Piece { text: tr.text(id), is_strong: true }];
    let name = |id: &str, entry: &Entry| {
        format::pieces(tr, id, "model", &snapshot.board.name_of(&entry.target.id), FluentArgs::new())
    };
    if board.entries.is_empty() {
        return plain("ui-headline-no-targets");
    }
    if board.entries.iter().all(|entry| entry.confirmed.is_none()) {
        let is_asked = board.entries.iter().any(|entry| !is_left_alone(entry));
        return plain(if is_asked { "ui-headline-looking" } else { "ui-headline-unknown" });
    }
    let is_past = is_past(snapshot, now);
    match (is_past, if is_past { board.last_known_free() } else { board.first_free(now) }) {
        (true, Some(entry)) => name("ui-headline-was-free", entry),
        (true, None) => plain("ui-headline-nothing-was-free"),
        (false, Some(entry)) if entry.target.role == Some(Role::Primary) => name("ui-headline-primary-free", entry),
        (false, Some(entry)) => name("ui-headline-first-free", entry),
        (false, None) if board.entries.iter().all(|entry| entry.target.role.is_none()) => plain("ui-headline-no-chain"),
        (false, None) => {
            let in_state = |family: Family| {
                let chain = board.entries.iter().filter(|entry| entry.target.role.is_some());
                let n = chain.filter(|entry| shown_family(entry, now) == family).count();
                (n > 0).then(|| tr.with(&format!("ui-count-{}", family.name()), &args!("n" => n)))
            };
            let states = format::list(Family::ALL.into_iter().filter_map(in_state), tr);
            let is_looking = board.entries.iter().any(|entry| entry.confirmed.is_none() && entry.hold.is_none());
            let is_unsure = board.entries.iter().any(|entry| entry.target.role.is_some() && entry.is_stale(now));
            let nothing = tr.text(match (is_looking, is_unsure) {
                (true, _) => "ui-headline-nothing-yet",
                (false, true) => "ui-headline-nothing-known",
                (false, false) => "ui-headline-nothing",
            });
            format::pieces(tr, "ui-headline-nothing-free", "nothing", &nothing, args!("states" => states))
        }
    }
}

fn subline(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let board = &snapshot.board;
    let time = |at| format::moment(at, now, &snapshot.zone, tr);
    if board.entries.is_empty() {
        return tr.text("ui-subline-no-targets");
    }
    if let Some(Banner::Offline { since } | Banner::Portal { since }) = board.banner {
        return tr.with("ui-subline-last-known", &args!("time" => time(since)));
    }
    match snapshot.status.keeper {
        Keeper::Engine => {}
        Keeper::Nobody { last_at: None } => {
            if board.entries.iter().any(|entry| entry.hold == Some(Hold::NotRunning)) {
                return tr.text("ui-subline-never-looked");
            }
        }
        Keeper::Nobody { last_at: Some(last) } => {
            let age = format::span(format::minutes_between(last, now), tr);
            return tr.with("ui-subline-not-running", &args!("time" => time(last), "age" => age));
        }
    }
    let Some(primary) = board.entries.iter().find(|entry| entry.target.role == Some(Role::Primary)) else {
        return tr.text("ui-subline-no-primary");
    };
    let model = primary.target.model.as_str();
    let Some(confirmed) = primary.confirmed else {
        let id = match primary.hold {
            Some(Hold::NeverProbed) => "ui-subline-never-probed",
            Some(Hold::NotRunning) => "ui-subline-too-little",
            _ if is_left_alone(primary) => "ui-subline-left-alone",
            _ => "ui-subline-looking",
        };
        return tr.with(id, &args!("model" => model));
    };
    if let Some(seen) = primary.seen_at().filter(|_| primary.is_stale(now)) {
        let id = if primary.was_free() { "ui-subline-primary-was-free" } else { "ui-subline-primary-was" };
        let age = format::span(format::minutes_between(seen, now), tr);
        return tr.with(id, &args!("model" => model, "time" => time(seen), "age" => age));
    }
    if primary.is_refused_in_sessions {
        return tr.with("ui-subline-refused-in-sessions", &args!("model" => model));
    }
    let since = time(confirmed.since);
    match primary.family() {
        Family::Available => {
            let latency = primary.latest.as_ref().and_then(|latest| latest.sample.first_token_ms);
            match latency {
                Some(millis) => tr
                    .with("ui-subline-primary-free", &args!("time" => since, "latency" => format::latency(millis, tr))),
                None => tr.with("ui-subline-primary-free-unmeasured", &args!("time" => since)),
            }
        }
        Family::Full => tr.with("ui-subline-primary-full", &args!("model" => model, "time" => since)),
        Family::Limited | Family::Fault | Family::Blocked | Family::Unknown => {
            let kind = state_kind_words(primary, confirmed.kind, tr);
            tr.with("ui-subline-primary-other", &args!("model" => model, "kind" => kind, "time" => since))
        }
    }
}

fn spending(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Spending {
    let status = &snapshot.status;
    let (spent, cap) = (status.spent, status.cap);
    let share = |spent: u32, cap: Option<u32>| match cap {
        Some(cap) if cap > 0 => (f64::from(spent) / f64::from(cap)).min(1.0) as f32,
        _ => 0.0,
    };
    let words = |[plain, of]: [&str; 2], spent: u32, cap: Option<u32>| {
        let n = format::count(u64::from(spent));
        match cap {
            Some(cap) => tr.with(of, &args!("n" => n, "number" => spent, "cap" => format::count(u64::from(cap)))),
            None => tr.with(plain, &args!("n" => n, "number" => spent)),
        }
    };
    let mut asked: Vec<&Entry> = snapshot.board.entries.iter().filter(|entry| entry.spent.requests > 0).collect();
    asked.sort_by_key(|entry| std::cmp::Reverse(entry.spent.requests));
    let of_model = |entry: &&Entry| {
        (
            snapshot.board.name_of(&entry.target.id),
            words(["ui-spent-requests", "ui-spent-requests-of"], entry.spent.requests, None),
        )
    };
    Spending {
        models: asked.iter().map(of_model).collect(),
        requests: words(["ui-spent-requests", "ui-spent-requests-of"], spent.requests, cap.map(|cap| cap.requests)),
        requests_share: share(spent.requests, cap.map(|cap| cap.requests)),
        tokens: words(["ui-spent-tokens", "ui-spent-tokens-of"], spent.tokens, cap.map(|cap| cap.tokens)),
        tokens_share: share(spent.tokens, cap.map(|cap| cap.tokens)),
        next: next_probe(snapshot, now, tr),
    }
}

/// The soonest planned probe: time and model; or why there is none.
pub fn next_probe(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let status = &snapshot.status;
    if status.paused.is_some() {
        return tr.text("ui-next-probe-paused");
    }
    match &status.next_probe {
        _ if status.in_flight > 0 => tr.with("ui-next-probe-running", &args!("n" => status.in_flight)),
        Some((at, target)) => {
            let model = snapshot.board.name_of(target);
            tr.with("ui-next-probe", &args!("time" => format::moment(*at, now, &snapshot.zone, tr), "model" => model))
        }
        None => tr.text("ui-next-probe-none"),
    }
}
