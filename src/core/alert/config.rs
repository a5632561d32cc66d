//! What the user wants to hear of, and when.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::quiet::QuietHours;

/// Which models the user is told about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum About {
    /// The primary ones.
    #[default]
    Primary,
    /// All of the chain: those with a role.
    Chain,
    /// All that are watched.
    All,
}

impl About {
    /// Every choice with its name in the settings.
    pub const ALL: [(&'static str, Self); 3] = [("primary", Self::Primary), ("chain", Self::Chain), ("all", Self::All)];
}

/// What the `[notices]` table of the settings decides, with the zone of `[ui]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertConfig {
    /// Which models.
    pub about: About,
    /// That one is free again.
    pub recovered: bool,
    /// That one is not free.
    pub full: bool,
    /// That the user's own limit is reached, and that it has started anew.
    pub limits: bool,
    /// Several models of one provider in one notice. Switched off, each has its own.
    pub provider: bool,
    /// That one comes and goes, in one notice in place of many. Switched off, each change has its own.
    pub flapping: bool,
    /// How often it is said again that one is still not free; `None` is never.
    pub reminders: Option<Duration>,
    /// When nobody is to be disturbed.
    pub quiet: Vec<QuietHours>,
    /// Never disturb: everything stands on the Board and in Activity alone.
    pub do_not_disturb: bool,
    /// The zone that quiet hours are meant in.
    pub zone: TimeZone,
}

impl Default for AlertConfig {
    fn default() -> Self {
        Self {
            about: About::Primary,
            recovered: true,
            full: true,
            limits: true,
            provider: true,
            flapping: true,
            reminders: None,
            quiet: Vec::new(),
            do_not_disturb: false,
            zone: TimeZone::UTC,
        }
    }
}
