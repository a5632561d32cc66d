//! Stories: what was seen at which moment, and the right notices beside it, as one readable text.
//!
//! ```text
//! # An ordinary outage.
//! zone Europe/Berlin              in which quiet hours are meant; all times of the story are UTC
//! settings quiet=22:00-07:00      see `settings`
//! target sol near primary         name, provider, role; without such lines: sol near, luna far, vega third
//! usual sol 2h 9                  how long free times usually last, and how many of them are known
//! day 2026-03-02
//! 09:00..10:00/10m all free       probes that passed
//! 10:10 sol full
//! 10:10:30 sol full
//! 10:10:50 > full sol at_capacity -> luna
//! 10:40 end
//! ```

mod parse;
mod play;
mod pure;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::core::alert::{AlertConfig, Notice, Subject, Usually};
use crate::core::limits::Window;
use crate::core::sample::Sample;
use crate::core::target::{ProviderId, Target, TargetId};

pub use parse::StoryError;
pub use play::{Actor, play};
pub use pure::Pure;

/// One thing that happens in a story.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// A probe came back.
    Probed(Sample),
    /// A tool's log was read.
    Heard(Sample),
    /// A reading of a provider's windows.
    Windows(ProviderId, Vec<Window>),
    /// The machine wakes, or its clock was set: to this time.
    Jump,
    /// The program ends and starts again at once.
    Restart,
    /// The user pauses probing, or goes on.
    Pause(bool),
    /// The user wants to hear nothing of a target until then.
    Snooze(TargetId, Timestamp),
    /// The user does not want to be disturbed until then.
    DoNotDisturb(Timestamp),
    /// The settings are others now.
    Configure(Vec<Arc<Target>>, AlertConfig),
    /// Nothing; time passes until here.
    End,
}

/// A whole story.
#[derive(Clone, Debug)]
pub struct Story {
    /// The targets at its start, in chain order.
    pub targets: Vec<Arc<Target>>,
    /// The settings at its start.
    pub config: AlertConfig,
    /// The user's zone.
    pub zone: TimeZone,
    /// What is known of free times.
    pub usual: Vec<(TargetId, Usually)>,
    /// What happens, in the order of the text; the clock may be set back.
    pub acts: Vec<(Timestamp, Act)>,
    /// The right notices, as [`line()`] writes them.
    pub notices: Vec<String>,
}

/// A notice as a line of a story: its time of UTC and what it says.
pub fn line(notice: &Notice) -> String {
    let clock = |at: Timestamp| at.strftime("%H:%M:%S").to_string();
    let time = |at: Timestamp| if at.as_second() % 60 == 0 { at.strftime("%H:%M").to_string() } else { clock(at) };
    let names = |targets: &[TargetId]| targets.iter().map(TargetId::as_str).collect::<Vec<_>>().join(",");
    let spaced = |targets: &[TargetId]| if targets.is_empty() { String::new() } else { format!(" {}", names(targets)) };
    let free = |free: &Option<TargetId>| format!("-> {}", free.as_ref().map_or("none", TargetId::as_str));
    let span = |span: &Duration| {
        let secs = span.as_secs();
        if secs.is_multiple_of(60) { format!("{}m", secs / 60) } else { format!("{secs}s") }
    };
    let after =
        |after: &Option<Duration>| after.as_ref().map_or("after unseen".to_owned(), |a| format!("after {}", span(a)));
    let words = match &notice.subject {
        Subject::Recovered { target, after: length, usually } => {
            let usually = usually.map(|usually| format!(" usually {} n={}", span(&usually.median), usually.spells));
            format!("recovered {target} {}{}", after(length), usually.unwrap_or_default())
        }
        Subject::Full { target, kind, free: other } => format!("full {target} {kind} {}", free(other)),
        Subject::ProviderAway { provider, targets, free: other } => {
            format!("provider-away {provider}: {} {}", names(targets), free(other))
        }
        Subject::ProviderBack { provider, targets, after: length } => {
            format!("provider-back {provider}: {} {}", names(targets), after(length))
        }
        Subject::Flapping { target, changes, since, free: other } => {
            format!("flapping {target} {changes} since {} {}", time(*since), free(other))
        }
        Subject::Settled { target, is_free, since } => {
            format!("settled {target} {} since {}", if *is_free { "free" } else { "away" }, time(*since))
        }
        Subject::Limited { target, resets_at, free: other } => {
            let resets = resets_at.map_or("unknown".to_owned(), time);
            format!("limited {target} until {resets} {}", free(other))
        }
        Subject::LimitReset { target } => format!("limit-reset {target}"),
        Subject::Reminder { target, since, free: other } => {
            format!("reminder {target} since {} {}", time(*since), free(other))
        }
        Subject::Summary { since, back, away, free: other } => {
            format!("summary since {}: back{}; away{} {}", time(*since), spaced(back), spaced(away), free(other))
        }
        other => format!("{other:?}"),
    };
    format!("{} > {words}", clock(notice.at))
}
