//! When a tool is run of itself: rarely, never beside the user's own work, never for what waiting does not heal. Pure.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::core::outcome::{Family, Kind};
use crate::core::sample::{Sample, Source};
use crate::core::schedule::Schedule;

/// The user's own session is fresh for so long after its last sign: what it writes down is newer than a probe, and free.
pub const FRESH: Duration = Duration::from_secs(10 * 60);

/// The first look at a plan that was full comes so much later; the next ones each twice as late, up to the usual pace.
const RECHECK: Duration = Duration::from_secs(15 * 60);

/// How often a tool may be run of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The usual time since the newest evidence, of whatever source.
    pub every: Duration,
    /// The most runs in a local day.
    pub daily: u32,
}

impl Pace {
    /// The shortest allowed [`Pace::every`].
    pub const SHORTEST: Duration = Duration::from_secs(15 * 60);
    /// The most that [`Pace::daily`] can be.
    pub const MOST: u32 = 96;
}

impl Default for Pace {
    /// Four times a day.
    fn default() -> Self {
        Self { every: Duration::from_secs(6 * 3600), daily: 4 }
    }
}

/// When the target whose newest samples these are (in any order; a dozen and all of today) is due; `None` is not before
/// something else happens. A time in the past is now.
///
/// `until` is when a limit ends, where that is known. `daily` counts over all targets of the tool: `spent` is how many
/// runs there were today.
pub fn due(
    pace: Pace,
    samples: &[Sample],
    until: Option<Timestamp>,
    spent: u32,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<Timestamp> {
    let mut newest: Vec<&Sample> = samples.iter().filter(|sample| sample.kind != Kind::Skipped).collect();
    newest.sort_by_key(|sample| std::cmp::Reverse(sample.at));
    let Some(last) = newest.first() else { return within_budget(pace, now, spent, now, zone) };
    let limit_ends = until.or_else(|| {
        let wait = SignedDuration::from_secs(i64::from(last.retry_after_s?));
        last.at.checked_add(wait).ok()
    });
    let wish = match last.kind {
        // A limit's end is known or nothing is: asking costs tokens that are missing.
        Kind::UsageLimit | Kind::QuotaExhausted => limit_ends?.max(after(last.at, FRESH)),
        kind if kind.needs_user() => return None,
        _ if matches!(last.family(), Family::Full | Family::Fault | Family::Limited) => {
            let row = newest.iter().take_while(|sample| sample.family() != Family::Available);
            let probes = row.filter(|sample| sample.source == Source::Probe).count();
            let growth = 1u32 << u32::try_from(probes.saturating_sub(1)).unwrap_or(8).min(8);
            let wait = RECHECK.saturating_mul(growth).min(pace.every);
            after(last.at, wait).max(limit_ends.unwrap_or(last.at))
        }
        _ => after(last.at, pace.every),
    };
    let own = newest.iter().find(|sample| sample.source == Source::ToolLog);
    let quiet = own.map_or(wish, |sample| wish.max(after(sample.at, FRESH)));
    within_budget(pace, quiet, spent, now, zone)
}

/// Whole minutes since the user's own session last left a sign in these samples, while that is too fresh for a run beside
/// it; `None` when it is not.
pub fn in_use<'a>(samples: impl IntoIterator<Item = &'a Sample>, now: Timestamp) -> Option<i64> {
    let own = samples.into_iter().filter(|sample| sample.source == Source::ToolLog).map(|sample| sample.at).max()?;
    let age = now.duration_since(own);
    (!age.is_negative() && age.unsigned_abs() < FRESH).then(|| age.as_mins())
}

/// The soonest time for a run while a session of the user's is running.
pub fn put_off(now: Timestamp) -> Timestamp {
    after(now, FRESH)
}

/// Not before tomorrow when today's runs are spent.
fn within_budget(pace: Pace, at: Timestamp, spent: u32, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    if spent < pace.daily {
        return Some(at);
    }
    let tomorrow = now.to_zoned_datetime(zone.clone()).tomorrow().ok()?.timestamp();
    Some(at.max(Schedule::day_start(tomorrow, zone)))
}

fn after(at: Timestamp, wait: Duration) -> Timestamp {
    SignedDuration::try_from(wait).ok().and_then(|wait| at.checked_add(wait).ok()).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::outcome::Scope;

    const MINUTE: i64 = 60;
    const HOUR: i64 = 3600;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn sample(source: Source, second: i64, kind: Kind) -> Sample {
        let scope = if kind == Kind::Available || kind == Kind::AtCapacity { Scope::Model } else { Scope::Account };
        Sample {
            target: "t".into(),
            source,
            at: at(second),
            kind,
            scope,
            http_status: None,
            connect_ms: None,
            first_token_ms: None,
            total_ms: None,
            retry_after_s: None,
            rule: "r".into(),
        }
    }

    fn next(samples: &[Sample], spent: u32) -> Option<i64> {
        let found = due(Pace::default(), samples, None, spent, at(0), &TimeZone::UTC);
        found.map(|found| found.as_second() - at(0).as_second())
    }

    #[test]
    fn evidence_of_any_source_puts_a_run_off() {
        assert_eq!(next(&[], 0), Some(0));
        assert_eq!(next(&[sample(Source::Probe, -HOUR, Kind::Available)], 1), Some(5 * HOUR));
        let log = sample(Source::ToolLog, -MINUTE, Kind::Available);
        assert_eq!(next(&[log, sample(Source::Probe, -9 * HOUR, Kind::AtCapacity)], 1), Some(6 * HOUR - MINUTE));
    }

    #[test]
    fn a_full_model_is_looked_at_sooner_and_ever_more_rarely() {
        let full =
            |n: i64| (0..n).map(|back| sample(Source::Probe, -back * HOUR, Kind::AtCapacity)).collect::<Vec<_>>();
        let waits: Vec<_> = (1..8).map(|n| next(&full(n), 0).unwrap() / MINUTE).collect();
        assert_eq!(waits, [15, 30, 60, 120, 240, 360, 360]);
        // The user's own refusal counts as a sign of work: ten minutes of quiet at least, and not as a run.
        assert_eq!(next(&[sample(Source::ToolLog, 0, Kind::AtCapacity)], 0), Some(15 * MINUTE));
    }

    #[test]
    fn what_waiting_does_not_heal_is_left_alone_until_a_limit_ends() {
        for kind in [Kind::Auth, Kind::Forbidden, Kind::ModelNotFound, Kind::Misconfigured, Kind::UsageLimit] {
            assert_eq!(next(&[sample(Source::Probe, -100 * HOUR, kind)], 0), None, "{kind}");
        }
        let mut limit = sample(Source::ToolLog, -MINUTE, Kind::UsageLimit);
        limit.retry_after_s = Some(7_200);
        assert_eq!(next(std::slice::from_ref(&limit), 0), Some(2 * HOUR - MINUTE));
        let known = due(Pace::default(), &[limit], Some(at(HOUR)), 0, at(0), &TimeZone::UTC);
        assert_eq!(known, Some(at(HOUR)));
    }

    #[test]
    fn a_spent_day_ends_at_local_midnight() {
        let midnight = next(&[], 4).unwrap();
        assert!(midnight > 0 && midnight <= 24 * HOUR);
        assert_eq!((at(0).as_second() + midnight).rem_euclid(24 * HOUR), 0);
    }
}
