//! `[schedule]`

use std::time::Duration;

use super::providers::cap;
use crate::core::schedule::ScheduleConfig;
use crate::settings::duration;
use crate::settings::finding::Problem;
use crate::settings::reader::{Reader, Section};

const KEYS: &[&str] =
    &["every", "slow_every", "confirm_down", "confirm_up", "slow_above", "target_cap", "provider_cap"];

/// A probe that comes once a day is the slowest that still says something.
const LONGEST: Duration = Duration::from_secs(86_400);

/// More often than this, a provider on another machine may mind.
const POLITE: Duration = Duration::from_secs(60);

/// Reads the table; `is_remote` says whether any target is on another machine.
pub(super) fn read<'a>(reader: &mut Reader<'a>, root: &Section<'a>, is_remote: bool) -> ScheduleConfig {
    let usual = ScheduleConfig::default();
    let Some(table) = reader.table(root, "schedule") else { return usual };
    let section = reader.section("[schedule]", table, KEYS);
    let every = reader.duration(&section, "every", ScheduleConfig::SHORTEST, LONGEST);
    if let Some(every) = &every
        && every.value < POLITE
        && is_remote
    {
        reader.report(every.span.clone(), Problem::Hurried { every: duration::text(every.value) });
    }
    let every = every.map_or(usual.every, |every| every.value);
    let slow = reader.duration(&section, "slow_every", ScheduleConfig::SHORTEST, LONGEST);
    if let Some(slow) = &slow
        && slow.value < every
    {
        reader.report(slow.span.clone(), Problem::Disorder { low: "every", high: "slow_every" });
    }
    let count = |reader: &mut Reader<'a>, key: &'static str, usual: u8| {
        let most = i64::from(ScheduleConfig::MOST_CONFIRMATIONS);
        let count = reader.number(&section, key, 1..most + 1);
        count.and_then(|count| u8::try_from(count.value).ok()).unwrap_or(usual)
    };
    let confirm_down = count(reader, "confirm_down", usual.confirm_down);
    let confirm_up = count(reader, "confirm_up", usual.confirm_up);
    let slow_above = reader.duration(&section, "slow_above", Duration::from_millis(100), Duration::from_secs(600));
    ScheduleConfig {
        every,
        slow_every: slow.map(|slow| slow.value),
        confirm_down,
        confirm_up,
        slow_above: slow_above.map_or(usual.slow_above, |slow| slow.value),
        target_cap: cap(reader, &section, "target_cap").unwrap_or(usual.target_cap),
        provider_cap: cap(reader, &section, "provider_cap").unwrap_or(usual.provider_cap),
    }
}
