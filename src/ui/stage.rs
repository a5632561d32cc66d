//! A snapshot made by hand: what the tests of the screens and `vacancy shot --demo` draw, with every family in it.
//!
//! It does not model the schedule: planned times and spending are set, not derived.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::context::{Origin, Remark, Says};
use crate::core::alert::{Notice, NoticeId, Offer, Subject};
use crate::core::board::{Board, Confirmed, Entry, Hold, Latest, Spent};
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::target::{DailyCap, Dialect, Probing, Role, Target, TargetId};
use crate::engine::snapshot::{Activity, ActivityEvent, EngineStatus, STRIP_CELLS, Snapshot, Strip, StripCell};
use crate::listen::Upstreams;
use crate::wire::presets::Preset;

/// Builds a [`Snapshot`] target by target.
#[derive(Clone, Debug)]
pub struct Stage {
    now: Timestamp,
    zone: TimeZone,
    board: Board,
    strips: HashMap<TargetId, Strip>,
    activity: Vec<Activity>,
    context: HashMap<TargetId, Arc<[Remark]>>,
    status: EngineStatus,
}

impl Stage {
    /// An empty stage at this moment.
    pub fn new(now: Timestamp, zone: TimeZone) -> Self {
        Self {
            now,
            zone,
            board: Board::default(),
            strips: HashMap::new(),
            activity: Vec::new(),
            context: HashMap::new(),
            status: EngineStatus { cap: Some(DailyCap { requests: 600, tokens: 60_000 }), ..EngineStatus::default() },
        }
    }

    /// A moment so many minutes before now.
    pub fn ago(&self, minutes: i64) -> Timestamp {
        self.now - SignedDuration::from_mins(minutes)
    }

    /// Adds a target that has never been probed.
    pub fn target(&mut self, model: &str, provider: &str, role: Option<Role>) -> &mut Entry {
        let id = format!("{provider}/{model}");
        self.board.entries.push(Entry {
            target: Arc::new(Target {
                id: id.into(),
                provider: provider.into(),
                vendor: Preset::find(provider).map(|preset| preset.name.to_owned()),
                model: model.into(),
                dialect: Dialect::OpenaiChat,
                role,
                probing: Probing::Scheduled,
                daily_cap: DailyCap { requests: 144, tokens: 8_000 },
                tokens_per_probe: 28,
                is_local: false,
            }),
            confirmed: None,
            latest: None,
            recent: VecDeque::new(),
            is_refused_in_sessions: false,
            is_slow: false,
            next_probe_at: Some(self.now + SignedDuration::from_mins(1)),
            hold: None,
            spent: Spent::default(),
        });
        self.status.watched += 1;
        let last = self.board.entries.len() - 1;
        &mut self.board.entries[last]
    }

    /// Gives the last added target a confirmed state that began so many minutes ago, with samples since and one free
    /// sample before, and a strip that agrees.
    pub fn state(&mut self, kind: Kind, scope: Scope, since_mins: i64, rule: &'static str) -> &mut Entry {
        let now = self.now;
        let since = self.ago(since_mins);
        let Some(entry) = self.board.entries.last_mut() else { panic!("a target is added before its state") };
        let id = entry.target.id.clone();
        let is_free = kind == Kind::Available;
        let sample = |at: Timestamp, kind: Kind, scope: Scope, n: i64| Sample {
            target: id.clone(),
            source: Source::Probe,
            at,
            kind,
            scope,
            http_status: Some(status_of(kind)),
            connect_ms: Some(40),
            first_token_ms: (kind == Kind::Available).then_some(u32::try_from(880 + 130 * (n % 4)).unwrap_or(0)),
            total_ms: Some(1_310),
            retry_after_s: None,
            rule: if kind == Kind::Available { "answered".into() } else { rule.into() },
        };
        // The first of the run, then the newest of it.
        let step = (since_mins / 5).clamp(1, 10);
        let mut recent: VecDeque<Sample> = std::iter::once(since)
            .chain((0..4).rev().map(|n| now - SignedDuration::from_mins(1 + n * step)).filter(|at| *at > since))
            .zip(0..)
            .map(|(at, n)| sample(at, kind, scope, n))
            .collect();
        if !is_free {
            recent.push_front(sample(since - SignedDuration::from_mins(7), Kind::Available, Scope::Model, 1));
        }
        let recent: VecDeque<Sample> = recent.into_iter().rev().collect();
        entry.confirmed = Some(Confirmed { kind, scope, since });
        entry.latest = recent.front().map(|sample| Latest {
            sample: sample.clone(),
            excerpt: excerpt_of(kind).to_owned(),
            wait_helps: matches!(kind, Kind::AtCapacity | Kind::RateLimited | Kind::UsageLimit | Kind::ServerError),
            switch_helps: matches!(kind, Kind::AtCapacity | Kind::ServerError | Kind::ModelNotFound),
        });
        entry.recent = recent;
        entry.spent = Spent { requests: 42, tokens: 1_180 };
        if kind.needs_user() {
            entry.next_probe_at = None;
            entry.hold = Some(Hold::NeedsUser);
        } else {
            entry.next_probe_at = Some(now + SignedDuration::from_mins(if is_free { 6 } else { 3 }));
        }
        let strip = strip(now, since, Family::of(kind, scope), self.board.entries.len());
        self.strips.insert(id, strip);
        let last = self.board.entries.len() - 1;
        &mut self.board.entries[last]
    }

    /// Changes the engine's own state.
    pub fn status(&mut self, change: impl FnOnce(&mut EngineStatus)) -> &mut Self {
        change(&mut self.status);
        self
    }

    /// Changes the board as a whole.
    pub fn board(&mut self, change: impl FnOnce(&mut Board)) -> &mut Self {
        change(&mut self.board);
        self
    }

    /// Lets a source say something of the last added target.
    pub fn says(&mut self, origin: Origin, says: Says, minutes: i64) -> &mut Self {
        let checked_at = (says != Says::Link).then(|| self.ago(minutes));
        if let Some(entry) = self.board.entries.last() {
            let remarks = self.context.entry(entry.target.id.clone()).or_default();
            *remarks = remarks.iter().cloned().chain([Remark { origin, says, checked_at }]).collect();
        }
        self
    }

    /// Adds something that happened so many minutes ago.
    pub fn happened(&mut self, minutes: i64, event: ActivityEvent) -> &mut Self {
        self.activity.push(Activity { at: self.ago(minutes), event });
        self
    }

    /// Gives a notice so many minutes ago.
    pub fn told(&mut self, minutes: i64, subject: Subject) -> &mut Self {
        let id = NoticeId(u64::try_from(self.activity.len()).unwrap_or_default());
        let notice = Notice { id, at: self.ago(minutes), subject, offers: Vec::new(), replaces: None };
        self.happened(minutes, ActivityEvent::Notice(notice))
    }

    /// Gives a notice with what it offers so many minutes ago.
    pub fn offered(&mut self, minutes: i64, subject: Subject, offers: Vec<Offer>) -> &mut Self {
        self.told(minutes, subject);
        if let Some(Activity { event: ActivityEvent::Notice(notice), .. }) = self.activity.last_mut() {
            notice.offers = offers;
        }
        self
    }

    /// The picture.
    pub fn snapshot(&self) -> Snapshot {
        let mut status = self.status.clone();
        status.next_probe =
            self.board.entries.iter().filter_map(|entry| Some((entry.next_probe_at?, entry.target.id.clone()))).min();
        status.spent = self.board.entries.iter().fold(Spent::default(), |sum, entry| Spent {
            requests: sum.requests + entry.spent.requests,
            tokens: sum.tokens + entry.spent.tokens,
        });
        let mut activity = self.activity.clone();
        activity.sort_by_key(|activity| std::cmp::Reverse(activity.at));
        Snapshot {
            at: self.now,
            zone: self.zone.clone(),
            board: Arc::new(self.board.clone()),
            strips: Arc::new(self.strips.clone()),
            activity: activity.into(),
            context: Arc::new(self.context.clone()),
            status: Arc::new(status),
        }
    }

    /// Five targets, one a family, the primary full and the first backup free: the picture of a usual afternoon.
    pub fn afternoon(now: Timestamp, zone: TimeZone) -> Self {
        let mut stage = Self::new(now, zone);
        stage.target("gpt-5.6-sol", "codex-plan", Some(Role::Primary));
        stage.state(Kind::AtCapacity, Scope::Model, 22, "openai-server-overloaded");
        let parts = Says::Good { parts: 3, missing: Vec::new() };
        stage.says(Origin::Page("https://status.openai.com"), parts, 7);
        stage.target("gpt-6-luna", "codex-plan", Some(Role::Backup));
        stage.state(Kind::Available, Scope::Model, 190, "answered");
        stage.target("claude-sonnet-5", "anthropic", Some(Role::Backup));
        let sonnet = stage.state(Kind::Available, Scope::Model, 1_700, "answered");
        sonnet.is_slow = true;
        if let Some(latest) = &mut sonnet.latest {
            latest.sample.first_token_ms = Some(7_400);
        }
        stage.target("deepseek-v4", "deepseek", Some(Role::Emergency));
        let deepseek = stage.state(Kind::RateLimited, Scope::Account, 4, "openai-rate-limit");
        if let Some(latest) = &mut deepseek.latest {
            latest.sample.retry_after_s = Some(180);
        }
        stage.target("glm-5", "zhipu", Some(Role::Emergency));
        stage.state(Kind::ServerError, Scope::Provider, 51, "status-5xx");
        stage.target("qwen3-coder", "openrouter", Some(Role::Emergency));
        stage.state(Kind::QuotaExhausted, Scope::Account, 2_050, "openrouter-credits");
        let upstreams = Upstreams { listed: 3, failing: 1, measured: 3, up_percent: Some(97.0) };
        stage.says(Origin::Page("https://status.openrouter.ai"), Says::Link, 7);
        stage.says(Origin::OpenRouter, Says::Upstreams(upstreams), 7);
        stage.target("llama-4-70b", "lm-studio", None);
        let sol: TargetId = "codex-plan/gpt-5.6-sol".into();
        let changed = |target: &str, from: Option<Family>, to: Family, kind: Kind| ActivityEvent::Changed {
            target: target.into(),
            from,
            to,
            kind,
        };
        let (free, full) = (Some(Family::Available), Some(Family::Full));
        stage.happened(22, changed(sol.as_str(), free, Family::Full, Kind::AtCapacity));
        stage.happened(4, changed("deepseek/deepseek-v4", free, Family::Limited, Kind::RateLimited));
        stage.happened(51, changed("zhipu/glm-5", free, Family::Fault, Kind::ServerError));
        stage.happened(190, changed("codex-plan/gpt-6-luna", full, Family::Available, Kind::Available));
        stage.told(
            95,
            Subject::Recovered { target: sol.clone(), after: Some(Duration::from_secs(31 * 60)), usually: None },
        );
        stage.happened(126, changed(sol.as_str(), free, Family::Full, Kind::AtCapacity));
        stage.happened(300, ActivityEvent::Woke);
        stage.happened(330, ActivityEvent::Resumed);
        stage.happened(390, ActivityEvent::Paused);
        stage.happened(1_100, ActivityEvent::CameOnline);
        stage.happened(1_130, ActivityEvent::WentOffline);
        stage.happened(2_050, changed("openrouter/qwen3-coder", free, Family::Blocked, Kind::QuotaExhausted));
        stage.happened(2_400, ActivityEvent::SettingsReloaded);
        stage
    }
}

fn status_of(kind: Kind) -> u16 {
    match kind {
        Kind::Available => 200,
        Kind::AtCapacity => 503,
        Kind::RateLimited | Kind::UsageLimit => 429,
        Kind::QuotaExhausted => 402,
        Kind::Auth => 401,
        Kind::Forbidden => 403,
        Kind::ModelNotFound => 404,
        Kind::ServerError => 502,
        _ => 400,
    }
}

fn excerpt_of(kind: Kind) -> &'static str {
    match kind {
        Kind::AtCapacity => "server_overloaded: Selected model is at capacity. Please try a different model.",
        Kind::RateLimited => "rate_limit_exceeded: Rate limit reached, please try again in 180 s.",
        Kind::ServerError => "502 Bad Gateway: upstream connect error",
        Kind::QuotaExhausted => "Insufficient credits. Add more and try again.",
        _ => "",
    }
}

fn strip(now: Timestamp, since: Timestamp, family: Family, salt: usize) -> Strip {
    let quarter = 900;
    let end = now.as_second().div_euclid(quarter) * quarter + quarter;
    let first = end - quarter * i64::try_from(STRIP_CELLS).unwrap_or(96);
    let mut rng = fastrand::Rng::with_seed(salt as u64);
    let cells = (0..STRIP_CELLS)
        .map(|i| {
            let at = first + quarter * i64::try_from(i).unwrap_or(0);
            let is_since = at + quarter > since.as_second();
            let busy = (40..64).contains(&i) && salt % 2 == 1 && rng.f32() < 0.4;
            if salt % 3 == 1 && i < 6 {
                StripCell::default()
            } else if is_since && family != Family::Available {
                StripCell { family: Some(family), free_share: 0.0, samples: 4 }
            } else if busy {
                StripCell { family: Some(Family::Full), free_share: 0.3, samples: 5 }
            } else {
                StripCell { family: Some(Family::Available), free_share: 1.0, samples: 2 }
            }
        })
        .collect();
    Strip { start: Timestamp::from_second(first).unwrap_or(now), cells }
}
