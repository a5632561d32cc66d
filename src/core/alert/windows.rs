//! Which windows of a plan are used up, as far as readings can be believed.
//!
//! A reading of *used up* counts at once. Before the told reset a lower one counts only when a second, later one says the
//! same: single readings of zero are common mistakes. From the reset on a window is not used up any more. A provider is
//! limited while any of its windows is, and until the last of their resets.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::core::limits::{Span, Window};

/// Shorter windows are an API's pace and nobody's news.
const SHORTEST: u32 = 60;
/// A window is given this long to start anew: clocks differ.
pub const GRACE: SignedDuration = SignedDuration::from_secs(10);
/// Two readings nearer than this are one.
const APART: SignedDuration = SignedDuration::from_secs(60);
/// Without a told reset a reading of *used up* is believed for this long.
const BELIEVED: SignedDuration = SignedDuration::from_hours(5);

/// What is known of one window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Used {
    /// Its length in minutes; `None` where that was not told.
    minutes: Option<u32>,
    is_up: bool,
    /// When it starts anew, told or assumed.
    until: Timestamp,
    /// Whether that was told.
    is_told: bool,
    /// The newest reading.
    read_at: Timestamp,
    /// The first lower reading of a window that was used up.
    lower_at: Option<Timestamp>,
}

/// A limit that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The newest reading that said so.
    pub read_at: Timestamp,
    /// When the last of the windows starts anew, as far as that was told.
    pub resets_at: Option<Timestamp>,
    /// From then on it is not reached any more.
    pub until: Timestamp,
}

/// Takes in readings; `true` when a window turned out to have started anew before its time.
pub fn learn(known: &mut Vec<Used>, readings: &[Window]) -> bool {
    let mut is_early = false;
    for reading in readings {
        let minutes = match reading.span {
            Span::Minutes(minutes) if minutes >= SHORTEST => Some(minutes),
            Span::Plan => None,
            Span::Minutes(_) | Span::Requests | Span::Tokens => continue,
        };
        let until = reading.resets_at.or_else(|| reading.told_at.checked_add(BELIEVED).ok()).unwrap_or(Timestamp::MAX);
        let fresh = Used {
            minutes,
            is_up: reading.used_percent >= 100.0,
            until,
            is_told: reading.resets_at.is_some(),
            read_at: reading.told_at,
            lower_at: None,
        };
        let Some(used) = known.iter_mut().find(|used| used.minutes == minutes) else {
            known.push(fresh);
            continue;
        };
        if reading.told_at < used.read_at {
            continue;
        }
        let is_over = reading.told_at >= used.until;
        if fresh.is_up || !used.is_up || is_over {
            *used = fresh;
        } else if used.lower_at.is_some_and(|first| reading.told_at.duration_since(first) >= APART) {
            is_early = true;
            *used = fresh;
        } else {
            used.lower_at.get_or_insert(reading.told_at);
        }
    }
    is_early
}

/// Whether any of these windows is used up at `now`.
pub fn reached(known: &[Used], now: Timestamp) -> Option<Reached> {
    let is_up = |used: &&Used| used.is_up && ended(used) > now;
    let read_at = known.iter().filter(is_up).map(|used| used.read_at).max()?;
    let last = known.iter().filter(is_up).max_by_key(|used| used.until)?;
    Some(Reached { read_at, resets_at: last.is_told.then_some(last.until), until: ended(last) })
}

/// Moves what would lie in the future after the clock was set back.
pub fn clamp(known: &mut [Used], now: Timestamp) {
    for used in known {
        used.read_at = used.read_at.min(now);
        used.lower_at = used.lower_at.map(|at| at.min(now));
    }
}

fn ended(used: &Used) -> Timestamp {
    used.until.checked_add(GRACE).unwrap_or(Timestamp::MAX)
}
