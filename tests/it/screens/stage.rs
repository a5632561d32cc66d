//! The snapshots that the tests look at, and a bench that draws a window and carries its commands out.

use std::sync::Arc;
use std::time::Duration;

use egui::Theme;
use egui_kittest::Harness;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use vacancy::context::{Origin, Part, Says};
use vacancy::core::alert::{Offer, Subject};
use vacancy::core::board::Banner;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::rules::Why;
use vacancy::core::target::{Dialect, Probing, Role, Target, TargetId};
use vacancy::engine::snapshot::{ActivityEvent, Snapshot};
use vacancy::i18n::{Lang, Tr};
use vacancy::listen::{Limit, Name, Tool, Upstreams};
use vacancy::secrets::KeyRef;
use vacancy::settings::ThemeChoice;
use vacancy::settings::discovery::{Found, FoundKey, KeyPlace, Proposal, ProposedProvider, Reason};
use vacancy::ui::command::Command;
use vacancy::ui::stage::Stage;
use vacancy::ui::state::{Kept, Screen};
use vacancy::ui::switching::Ask;
use vacancy::ui::window::{Event, Job, Window};
use vacancy::wire::presets::Preset;

use crate::support;

/// A Sunday afternoon in Berlin, 14:27.
pub fn now() -> Timestamp {
    "2026-11-29T13:27:00Z".parse().unwrap()
}

pub fn zone() -> TimeZone {
    TimeZone::get("Europe/Berlin").unwrap()
}

pub fn afternoon() -> Snapshot {
    Stage::afternoon(now(), zone()).snapshot()
}

/// Four models of the afternoon, two of them with long names that only their ends tell apart.
pub fn alike() -> Snapshot {
    let mut snapshot = afternoon();
    let entries = &mut Arc::make_mut(&mut snapshot.board).entries;
    entries.truncate(4);
    for (entry, size) in entries[1..3].iter_mut().zip(["1m", "200k"]) {
        let name = format!("anthropic/claude-sonnet-5-20261015-extended-thinking-{size}");
        Arc::make_mut(&mut entry.target).model = name.as_str().into();
    }
    snapshot
}

/// The afternoon with what was told of it, and what was answered.
pub fn noticed() -> Snapshot {
    let mut stage = Stage::afternoon(now(), zone());
    let (sol, luna): (TargetId, TargetId) = ("codex-plan/gpt-5.6-sol".into(), "codex-plan/gpt-6-luna".into());
    let snooze = |target: &TargetId| Offer::Snooze { targets: vec![target.clone()], minutes: 60 };
    let use_luna = Offer::Use { tool: None, target: luna.clone() };
    let full = Subject::Full { target: sol.clone(), kind: Kind::AtCapacity, free: Some(luna.clone()) };
    stage.offered(21, full, vec![use_luna.clone(), snooze(&sol)]);
    let back = Offer::SwitchBack { tool: None, target: sol.clone() };
    let recovered = Subject::Recovered { target: sol.clone(), after: Some(Duration::from_secs(1_860)), usually: None };
    stage.offered(94, recovered, vec![back, snooze(&sol)]);
    let switched =
        Subject::Switched { tool: "codex".into(), from: Some(sol.clone()), to: Some(luna), why: Why::Wish, journal: 3 };
    stage.offered(118, switched, vec![Offer::Undo { tool: "codex".into(), journal: 3 }]);
    let earlier = Subject::Full { target: sol.clone(), kind: Kind::AtCapacity, free: None };
    stage.offered(125, earlier, vec![use_luna, snooze(&sol)]);
    let mut snapshot = stage.snapshot();
    let answered = snapshot.activity.iter().rev().find_map(|line| match &line.event {
        ActivityEvent::Notice(notice) if notice.offers.len() == 2 => Some((notice.id, "use".to_owned())),
        _ => None,
    });
    Arc::make_mut(&mut snapshot.status).answers = Arc::new(answered.into_iter().collect());
    snapshot
}

pub fn nothing() -> Snapshot {
    Stage::new(now(), zone()).snapshot()
}

pub fn offline() -> Snapshot {
    let mut stage = Stage::afternoon(now(), zone());
    let since = stage.ago(17);
    stage.board(|board| board.banner = Some(Banner::Offline { since }));
    stage.status(|status| {
        status.settings_trouble =
            Some("~/.config/vacancy/vacancy.toml:14:9: unknown key `modell`; did you mean `model`?".to_owned());
        status.paused = Some(None);
    });
    stage.snapshot()
}

/// Plans of two tools, one used up and one nearly, and a model of OpenRouter: what limits and others say.
pub fn plans() -> Snapshot {
    let mut stage = Stage::new(now(), zone());
    stage.target("gpt-6-luna", "codex", Some(Role::Primary)).target = never("gpt-6-luna", "codex");
    stage.state(Kind::UsageLimit, Scope::Account, 12, "codex-usage-limit").next_probe_at = None;
    let part = |name: &str, status: &str| Part { name: Name::new(name).unwrap(), status: Name::new(status).unwrap() };
    let trouble = Says::Trouble(vec![part("Codex Web", "degraded_performance"), part("CLI", "partial_outage")]);
    stage.says(Origin::Page("https://status.openai.com"), trouble, 7);
    stage.target("claude-sonnet-5", "claude-code", Some(Role::Backup)).target = never("claude-sonnet-5", "claude-code");
    stage.state(Kind::Available, Scope::Model, 30, "claude-answered").next_probe_at = None;
    stage.target("qwen3-coder", "openrouter", Some(Role::Emergency));
    stage.state(Kind::Available, Scope::Model, 90, "answered");
    let upstreams = Upstreams { listed: 4, failing: 1, measured: 3, up_percent: Some(97.2) };
    stage.says(Origin::Page("https://status.openrouter.ai"), Says::Link, 0);
    stage.says(Origin::OpenRouter, Says::Upstreams(upstreams), 7);
    let limit = |tool, minutes, used_percent, resets: &str| Limit {
        ts: Some(now()),
        tool,
        id: None,
        window_minutes: Some(minutes),
        used_percent,
        resets_at: resets.parse().ok(),
    };
    stage.status(|status| {
        status.limits = vec![
            limit(Tool::Codex, 300, 100.0, "2026-11-29T14:40:00Z"),
            limit(Tool::Codex, 10_080, 31.0, "2026-12-03T08:00:00Z"),
            limit(Tool::ClaudeCode, 300, 82.0, "2026-11-29T14:40:00Z"),
        ];
        status.running = vec![(Tool::Codex, 6), (Tool::ClaudeCode, 2)];
    });
    stage.snapshot()
}

fn never(model: &str, provider: &str) -> Arc<Target> {
    let role = Some(if provider == "codex" { Role::Primary } else { Role::Backup });
    let target = Stage::new(now(), zone()).target(model, provider, role).target.as_ref().clone();
    Arc::new(Target { probing: Probing::Never, ..target })
}

/// Sixty targets, among them one with a name of eighty characters and one in Chinese.
pub fn many() -> Snapshot {
    let mut stage = Stage::new(now(), zone());
    stage.target(
        &"a-very-long-name-of-a-model-".repeat(3)[..80],
        "a-provider-with-a-long-name-too",
        Some(Role::Primary),
    );
    stage.state(Kind::UsageLimit, Scope::Account, 300, "codex-usage-limit");
    stage.target("通义千问三代编程旗舰版超长模型名称用于测试截断显示效果", "阿里云百炼", Some(Role::Backup));
    stage.state(Kind::ContentFiltered, Scope::Model, 30, "policy");
    for n in 3..=60 {
        let kind = Kind::ALL[n % 15];
        stage.target(&format!("model-{n:02}"), "provider", Some(Role::Emergency));
        stage.state(kind, Scope::Model, i64::try_from(n).unwrap() * 7, "rule");
    }
    stage.snapshot()
}

pub fn found() -> Found {
    let proposal = |target: &str, model: &str, role, requests_a_day, is_ticked, reason| Proposal {
        target: target.into(),
        provider: ProposedProvider {
            id: target.split('/').next().unwrap().into(),
            preset: target.split('/').next().and_then(Preset::find).map(|preset| preset.id),
            dialect: Dialect::OpenaiChat,
            base_url: None,
            key: KeyRef::None,
            query: Vec::new(),
            headers: Vec::new(),
            is_subscription: requests_a_day == 0,
        },
        model: model.into(),
        role,
        probing: if requests_a_day == 0 { Probing::Never } else { Probing::Scheduled },
        requests_a_day,
        tokens_a_day: requests_a_day * 28,
        is_ticked,
        unset_key: None,
        reason,
    };
    Found {
        tools: Vec::new(),
        keys: vec![FoundKey {
            variable: "GEMINI_API_KEY".to_owned(),
            place: KeyPlace::LoginShell,
            preset: Some("gemini"),
        }],
        proposals: vec![
            proposal("codex/sol", "gpt-5.6-sol", Role::Primary, 0, true, Reason::Subscription { tool: "codex" }),
            proposal(
                "openai/luna",
                "gpt-6-luna",
                Role::Backup,
                144,
                true,
                Reason::Key { variable: "OPENAI_API_KEY".to_owned() },
            ),
            proposal(
                "anthropic/sonnet",
                "claude-sonnet-5",
                Role::Backup,
                144,
                true,
                Reason::Active { tool: "claude-code" },
            ),
            proposal(
                "openrouter/qwen",
                "qwen3-coder:free",
                Role::Emergency,
                24,
                false,
                Reason::CommentedOut { tool: "opencode" },
            ),
        ],
    }
}

/// A window with what it answered.
pub struct Bench {
    pub window: Window,
    pub commands: Vec<Command>,
    pub jobs: Vec<Job>,
    /// What was asked of the tools; a window asks once by itself.
    pub asks: Vec<Ask>,
}

impl Bench {
    pub fn new(snapshot: Snapshot, tr: Tr) -> Self {
        let window =
            Window::new(snapshot, Kept::default(), tr, "~/.config/vacancy/vacancy.toml".to_owned(), ThemeChoice::Dark);
        Self { window, commands: Vec::new(), jobs: Vec::new(), asks: Vec::new() }
    }

    pub fn on(mut self, screen: Screen) -> Self {
        self.window.state.screen = screen;
        self
    }

    pub fn with_found(mut self, found: Found) -> Self {
        self.window.hear(Event::Found(Box::new(found)), &egui::Context::default());
        self
    }

    /// The window in a harness of this size.
    pub fn harness(self, theme: Theme, size: [f32; 2]) -> Harness<'static, Self> {
        let mut harness = support::window(theme, size).build_ui_state(
            |ui, bench: &mut Self| {
                let ctx = ui.ctx().clone();
                let whole = egui::UiBuilder::new().max_rect(ctx.content_rect());
                ui.scope_builder(whole, |ui| {
                    for command in bench.window.ui(ui, now()) {
                        if !matches!(command, Command::Switching(_)) {
                            bench.commands.push(command.clone());
                        }
                        match bench.window.carry_out(command, &ctx) {
                            Some(Job::Switching(ask)) => bench.asks.push(ask),
                            job => bench.jobs.extend(job),
                        }
                    }
                });
            },
            self,
        );
        harness.run();
        harness
    }
}

pub fn english() -> Tr {
    Tr::new(Lang::English)
}

pub fn chinese() -> Tr {
    Tr::new(Lang::Chinese)
}
