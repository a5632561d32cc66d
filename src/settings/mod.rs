//! Settings: where things lie, what the user wrote, and what it resolves to.
//!
//! [`file::SettingsFile`] is `vacancy.toml` as written; [`Settings`] is what it means, with every default filled in. All
//! mistakes of a file are found at once, each with line, column and a hint ([`finding`]). When the program writes the
//! file it changes only what it was asked to. [`discovery`] finds what a person already uses, read-only.

pub mod amend;
mod blocks;
pub mod discovery;
pub mod duration;
pub mod edit;
pub mod env;
pub mod file;
pub mod finding;
pub mod nearest;
mod reader;
mod resolve;
pub mod roots;
mod save;
mod source;
mod starter;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::core::alert::AlertConfig;
use crate::core::classify::UserRule;
use crate::core::rules::{Rule, ToolRule};
use crate::core::schedule::{Estimate, ScheduleConfig, Setup, daily_limit, estimate};
use crate::core::target::{DailyCap, ModelId, ProviderId, Target, TargetId};
use crate::i18n::Lang;
use crate::notify::config::{Hook, Webhook};
use crate::probe::{Job, Route};
use crate::secrets::KeyRef;
use crate::toolprobe::Program;
use crate::toolprobe::config::ToolProbe;
use crate::wire::curl::curl;
use crate::wire::endpoint::Endpoint;
use crate::wire::request::Request;
use crate::wire::tuning::Tuning;

pub use file::SettingsFile;
pub use finding::Finding;
pub use save::WriteError;

/// What the settings file means, with every default filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The endpoints, in the order of the file. A tool's subscription is none of them: it has no endpoint of ours.
    pub providers: Vec<Provider>,
    /// All targets: those of the main chain in its order, then the others in the order of the file.
    pub targets: Vec<Arc<Target>>,
    /// The chains, the main chain first. Never empty when there are targets.
    pub chains: Vec<Chain>,
    /// What a target costs, in the user's own unit; only helps to order a chain.
    pub prices: BTreeMap<TargetId, f64>,
    /// When targets are probed.
    pub schedule: ScheduleConfig,
    /// The user's own rules for reading errors.
    pub rules: Vec<UserRule>,
    /// Tools that may be run to probe their subscriptions.
    pub tool_probes: BTreeMap<Program, ToolProbe>,
    /// How tools are switched, by their names.
    pub switch_rules: BTreeMap<&'static str, SwitchRules>,
    /// Folders with projects whose own files may name a model, as they were written: from the root, or from `~`.
    pub projects: Vec<String>,
    /// What the user is told of.
    pub notices: Notices,
    /// Whether others are asked.
    pub context: Context,
    /// Whether others are told.
    pub metrics: Metrics,
    /// What becomes of the window that is not looked at.
    pub background: Background,
    /// How the program looks.
    pub ui: Ui,
    /// How long the record is kept.
    pub data: Data,
    /// What the user should know though the file works.
    pub warnings: Vec<Finding>,
}

/// One endpoint with one credential.
#[derive(Clone, Debug, PartialEq)]
pub struct Provider {
    /// Unique in the settings.
    pub id: ProviderId,
    /// The preset it was filled in from.
    pub preset: Option<&'static str>,
    /// Where requests go.
    pub endpoint: Arc<Endpoint>,
    /// Where the key is kept.
    pub key: KeyRef,
    /// By which way it is reached.
    pub route: Route,
    /// Runs on this machine.
    pub is_local: bool,
    /// The daily limit of all its targets together; `None` leaves it to theirs.
    pub daily_cap: Option<DailyCap>,
}

impl Provider {
    /// What the prober needs to know for a probe of one of its models.
    pub fn job(&self, model: &ModelId) -> Job {
        Job {
            provider: self.id.clone(),
            endpoint: Arc::clone(&self.endpoint),
            model: model.clone(),
            key: self.key.clone(),
            route: self.route.clone(),
            is_local: self.is_local,
            deadlines: None,
        }
    }

    /// The same probe as a curl command, with the key as a shell variable.
    pub fn curl(&self, model: &ModelId) -> String {
        let tuning = Tuning::guess(self.endpoint.dialect, model);
        let request = Request::build(&self.endpoint, model, &tuning, self.key != KeyRef::None);
        curl(&request, self.key.variable())
    }
}

/// How a tool is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchRules {
    /// Whether the diff is shown before it is written.
    pub asks: bool,
    /// When it is switched by itself.
    pub rule: Rule,
    /// Along which chain, as an index into [`Settings::chains`]; `None` is [`Settings::chain_for`] the tool.
    pub chain: Option<usize>,
}

impl Default for SwitchRules {
    fn default() -> Self {
        Self { asks: true, rule: Rule::default(), chain: None }
    }
}

/// An ordered list of targets to fall back along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Unique; `main` when the file has no chain.
    pub name: String,
    /// The tool it is for; `None` is the main chain or a named one.
    pub tool: Option<String>,
    /// The targets, best first.
    pub targets: Vec<TargetId>,
}

impl Chain {
    /// The name of the chain that a file without chains has.
    pub const MAIN: &'static str = "main";
}

/// `[notices]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    /// A program that is run for each notice.
    pub hook: Option<Hook>,
    /// An address to which each notice is posted.
    pub webhook: Option<Webhook>,
    /// What the user wants to hear of; its zone is filled in by [`Settings::alert_config`].
    pub alert: AlertConfig,
}

/// `[context]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Ask the status pages of the providers in these settings, and OpenRouter's statistics of its models. On by default: it
    /// needs no key, goes only to companies that are asked anyway, at most every five minutes while the window is in use.
    pub status_pages: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self { status_pages: true }
    }
}

/// What closing the window means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Close {
    /// The user is asked, and may have the answer kept.
    #[default]
    Ask,
    /// Watching goes on: in the tray, or minimised where there is none.
    Tray,
    /// The program ends.
    Quit,
}

impl Close {
    /// Every choice with its name in the file.
    pub const ALL: [(&'static str, Self); 3] = [("ask", Self::Ask), ("tray", Self::Tray), ("quit", Self::Quit)];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Tray => "tray",
            Self::Quit => "quit",
        }
    }
}

/// `[background]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// What closing the window means.
    pub close: Close,
    /// Every start is as with `--minimized`.
    pub start_hidden: bool,
    /// Whether there is to be an icon in the tray, where the desktop has one.
    pub tray: bool,
}

impl Default for Background {
    fn default() -> Self {
        Self { close: Close::default(), start_hidden: false, tray: true }
    }
}

/// `[metrics]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Where metrics are served for Prometheus; `None`, as usual, nowhere.
    pub listen: Option<SocketAddr>,
}

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

impl ThemeChoice {
    /// Every choice with its name in the file.
    pub const ALL: [(&'static str, Self); 3] = [("system", Self::System), ("dark", Self::Dark), ("light", Self::Light)];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

/// `[ui]`
#[derive(Clone, Debug, PartialEq)]
pub struct Ui {
    /// The language; `None` follows the locale.
    pub language: Option<Lang>,
    /// The colours.
    pub theme: ThemeChoice,
    /// Black on white or white on black, with stronger lines.
    pub high_contrast: bool,
    /// Nothing moves or fades.
    pub reduced_motion: bool,
    /// Size of everything, 0.8 to 2.
    pub zoom: f32,
    /// The zone that times are shown in and days begin in; `None` is the system's.
    pub zone: Option<TimeZone>,
}

impl Ui {
    /// Bounds of [`Ui::zoom`].
    pub const ZOOM: std::ops::RangeInclusive<f64> = 0.8..=2.0;
}

impl Default for Ui {
    fn default() -> Self {
        Self {
            language: None,
            theme: ThemeChoice::default(),
            high_contrast: false,
            reduced_motion: false,
            zoom: 1.0,
            zone: None,
        }
    }
}

/// `[data]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Days for which raw samples are kept; buckets are kept for ever.
    pub keep_days: u32,
}

impl Default for Data {
    fn default() -> Self {
        Self { keep_days: 400 }
    }
}

impl Settings {
    /// Reads and resolves a settings file.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in the order of the file; warnings are among them.
    pub fn load(path: &Path) -> Result<Self, Vec<Finding>> {
        SettingsFile::read(path)?.resolve()
    }

    /// The endpoint of a provider; `None` for a tool's subscription.
    pub fn provider(&self, id: &ProviderId) -> Option<&Provider> {
        self.providers.iter().find(|provider| &provider.id == id)
    }

    /// The target with this id.
    pub fn target(&self, id: &TargetId) -> Option<&Arc<Target>> {
        self.targets.iter().find(|target| &target.id == id)
    }

    /// What people call a target; its id when it is not in the settings.
    pub fn name_of(&self, id: &TargetId) -> String {
        self.target(id).map_or_else(|| id.to_string(), |target| target.called(&self.targets))
    }

    /// What the schedule works by; days begin in `system_zone` unless the file names another.
    pub fn setup(&self, system_zone: &TimeZone) -> Setup {
        let caps = self.providers.iter().filter_map(|provider| Some((provider.id.clone(), provider.daily_cap?)));
        Setup {
            config: self.schedule.clone(),
            zone: self.ui.zone.as_ref().unwrap_or(system_zone).clone(),
            targets: self.targets.clone(),
            provider_caps: caps.collect(),
        }
    }

    /// The daily limit of all targets of a provider together.
    pub fn cap_of(&self, provider: &ProviderId) -> DailyCap {
        self.provider(provider).and_then(|provider| provider.daily_cap).unwrap_or(self.schedule.provider_cap)
    }

    /// What a day of probes costs.
    pub fn estimate(&self) -> Estimate {
        let caps = self.providers.iter().filter_map(|provider| Some((provider.id.clone(), provider.daily_cap?)));
        estimate(&self.targets, &caps.collect(), &self.schedule)
    }

    /// What is allowed in a day over all targets; `None` when none is probed by the schedule.
    pub fn daily_limit(&self) -> Option<DailyCap> {
        let caps = self.providers.iter().filter_map(|provider| Some((provider.id.clone(), provider.daily_cap?)));
        daily_limit(&self.targets, &caps.collect(), &self.schedule)
    }

    /// What notices are given, with quiet hours in `system_zone` unless the file names another.
    pub fn alert_config(&self, system_zone: &TimeZone) -> AlertConfig {
        let zone = self.ui.zone.as_ref().unwrap_or(system_zone).clone();
        AlertConfig { zone, ..self.notices.alert.clone() }
    }

    /// The chain for a tool: its own, else the main chain.
    pub fn chain_for(&self, tool: &str) -> Option<&Chain> {
        self.chains.iter().find(|chain| chain.tool.as_deref() == Some(tool)).or_else(|| self.main_chain())
    }

    /// The rules that switch tools, each with its chain; those that are off too, as far as they are written.
    pub fn tool_rules(&self) -> Vec<ToolRule> {
        let rule = |(tool, rules): (&&'static str, &SwitchRules)| {
            let chain = rules.chain.and_then(|at| self.chains.get(at)).or_else(|| self.chain_for(tool));
            let chain = chain.map(|chain| chain.targets.clone()).unwrap_or_default();
            ToolRule { tool: (*tool).to_owned(), rule: rules.rule, chain }
        };
        self.switch_rules.iter().map(rule).collect()
    }

    /// The chain that the board shows.
    pub fn main_chain(&self) -> Option<&Chain> {
        self.chains.first()
    }
}

/// The tools whose own login is a provider without a table: a target of it is known from the tool's logs.
pub const SUBSCRIPTIONS: &[&str] =
    &["claude-code", "codex", "copilot", "cursor", "gemini-cli", "opencode", "qwen-code"];
