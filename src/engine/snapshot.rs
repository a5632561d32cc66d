//! The immutable picture that the window draws and the command line prints.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::context::Remark;
use crate::core::alert::{Notice, NoticeId, Quiet};
use crate::core::board::{Board, Spent};
use crate::core::counts::Counts;
use crate::core::limits::Window;
use crate::core::outcome::Family;
use crate::core::rules::RuleState;
use crate::core::target::{DailyCap, TargetId};
use crate::listen::{Limit, Tool};
use crate::settings::Background;
use crate::toolprobe::Program;

/// Quarter hours in [`Strip::cells`].
pub const STRIP_CELLS: usize = 96;

/// One quarter hour of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StripCell {
    /// The family that was seen longest, worst first on a tie; `None` is a gap: no evidence.
    pub family: Option<Family>,
    /// Share of the observed time in which the model was free, 0 to 1.
    pub free_share: f32,
    /// Samples in the quarter hour.
    pub samples: u32,
}

/// The last 24 hours of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Start of the first cell: a quarter hour of UTC.
    pub start: Timestamp,
    /// One cell a quarter hour, oldest first; [`STRIP_CELLS`] of them.
    pub cells: Arc<[StripCell]>,
}

/// What happened, as a list for the Activity screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// When.
    pub at: Timestamp,
    /// What.
    pub event: ActivityEvent,
}

/// The cases of [`Activity`].
#[derive(Clone, Debug, PartialEq)]
pub enum ActivityEvent {
    /// A target's confirmed state changed.
    Changed {
        /// Whose.
        target: TargetId,
        /// What it was; `None` before the first.
        from: Option<Family>,
        /// What it is.
        to: Family,
        /// The exact new kind.
        kind: crate::core::outcome::Kind,
    },
    /// A notice was given, on the desktop or here alone.
    Notice(Notice),
    /// Our own network went down.
    WentOffline,
    /// Our own network is back.
    CameOnline,
    /// The machine slept or the clock jumped; that time is a gap.
    Woke,
    /// The user paused probing.
    Paused,
    /// Probing goes on.
    Resumed,
    /// The settings were read again.
    SettingsReloaded,
    /// A fault of our own that the user should know of, already in words.
    Trouble(String),
}

/// Who keeps the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeper {
    /// An engine, of this program or of another one on the same record.
    #[default]
    Engine,
    /// Nobody: no plan lies ahead, and the newest sample is older than two slow cycles. Whatever is shown may be over.
    Nobody {
        /// The newest sample, if there is any.
        last_at: Option<Timestamp>,
    },
}

/// What is said of what, at present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoticeStatus {
    /// Targets that the user wants to hear nothing of, and until when.
    pub snoozed: Arc<BTreeMap<TargetId, Timestamp>>,
    /// Nobody is disturbed: quiet hours, or the user's wish.
    pub quiet: Option<Quiet>,
}

/// The buttons of notices that were pressed: their actions, by notice.
pub type Answers = Arc<BTreeMap<NoticeId, String>>;

/// The engine's own state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineStatus {
    /// Who keeps the record up to date.
    pub keeper: Keeper,
    /// Targets with a plan.
    pub watched: usize,
    /// The soonest planned probe.
    pub next_probe: Option<(Timestamp, TargetId)>,
    /// Probes under way.
    pub in_flight: usize,
    /// Paused, and until when if it ends by itself.
    pub paused: Option<Option<Timestamp>>,
    /// Today's spending of all targets.
    pub spent: Spent,
    /// Today's limit of all targets.
    pub cap: Option<DailyCap>,
    /// The database cannot be written at present: the reason in words.
    pub store_trouble: Option<String>,
    /// The settings file on disk is not valid: the reason in words; the last valid one stays in force.
    pub settings_trouble: Option<String>,
    /// That trouble is that the file is not there.
    pub are_settings_gone: bool,
    /// How often the settings file was read since the start, whoever had changed it.
    pub settings_reads: u64,
    /// Running against the loopback provider with planted data.
    pub is_demo: bool,
    /// How much of subscriptions' windows is used, as the tools' logs said last.
    pub limits: Vec<Limit>,
    /// How much of keys' limits is used, as the headers of the newest probes said, by target.
    pub key_limits: Arc<HashMap<TargetId, Vec<Window>>>,
    /// What happened since the start, counted.
    pub counts: Arc<Counts>,
    /// How the rules that switch tools stand; none where no rule is on.
    pub rules: Arc<[RuleState]>,
    /// Subscriptions' tools that the user lets be asked of themselves.
    pub asked_tools: Vec<Program>,
    /// What becomes of the window that is not looked at, as the settings say.
    pub background: Background,
    /// The user's own sessions that are running, by tool; beside a rate limit they may be its reason.
    pub running: Vec<(Tool, usize)>,
    /// Snoozes and quiet hours.
    pub notices: NoticeStatus,
    /// What the user answered to notices.
    pub answers: Answers,
}

/// What status pages and the like say, by target. A target that no source speaks of is absent.
pub type Remarks = Arc<HashMap<TargetId, Arc<[Remark]>>>;

/// Everything a screen may show. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// When it was published.
    pub at: Timestamp,
    /// The zone that times are shown in.
    pub zone: TimeZone,
    /// All targets in chain order.
    pub board: Arc<Board>,
    /// The last 24 hours by target.
    pub strips: Arc<HashMap<TargetId, Strip>>,
    /// What happened, newest first.
    pub activity: Arc<[Activity]>,
    /// What others say of the targets: context beside our own evidence, counted nowhere.
    pub context: Remarks,
    /// The engine's own state.
    pub status: Arc<EngineStatus>,
}
