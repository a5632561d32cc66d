//! Do not disturb, from the window: for how long, and how it stands. Pure.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::core::alert::Alert;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;

/// The hour of the morning at which *until tomorrow* ends.
const MORNING: i8 = 8;

/// Before this hour the night is still yesterday's.
const SMALL_HOURS: i8 = 4;

/// For how long nobody is to be disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hush {
    /// For an hour.
    Hour,
    /// Until the next morning.
    Tomorrow,
    /// Until it is switched off.
    Always,
    /// No longer.
    Off,
}

impl Hush {
    /// Every choice, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Hour, Self::Tomorrow, Self::Always, Self::Off];

    /// The stable name of its command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hush-hour",
            Self::Tomorrow => "hush-tomorrow",
            Self::Always => "hush-always",
            Self::Off => "hush-off",
        }
    }

    /// The moment at which it ends; `None` is to disturb again.
    pub fn until(self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match self {
            Self::Hour => now.checked_add(SignedDuration::from_hours(1)).ok(),
            Self::Tomorrow => {
                let here = zone.to_datetime(now);
                let day = if here.hour() < SMALL_HOURS { here.date() } else { here.date().tomorrow().ok()? };
                let morning = day.to_datetime(Time::constant(MORNING, 0, 0, 0));
                zone.to_ambiguous_timestamp(morning).compatible().ok()
            }
            Self::Always => Some(Alert::FOR_GOOD),
            Self::Off => None,
        }
    }
}

/// Whether the user wants to be left alone at present, by a wish of the moment.
pub fn is_by_hand(snapshot: &Snapshot) -> bool {
    snapshot.status.notices.quiet.is_some_and(|quiet| quiet.is_by_hand)
}

/// How it stands at `now`, in words.
pub fn words(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let Some(quiet) = snapshot.status.notices.quiet else { return tr.text("ui-hush-off") };
    match quiet.until {
        Some(until) => {
            let time = format::moment(until, now, &snapshot.zone, tr);
            tr.with(if quiet.is_by_hand { "ui-hush-until" } else { "ui-hush-hours" }, &args!("time" => time))
        }
        None if quiet.is_by_hand => tr.text("ui-hush-on"),
        None => tr.text("ui-hush-settings"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tomorrow_is_the_next_morning_by_the_clock_on_the_wall() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (now, until) in [
            ("2026-11-29T21:30:00Z", "2026-11-30T07:00:00Z"),
            ("2026-11-30T01:30:00Z", "2026-11-30T07:00:00Z"),
            ("2026-11-30T03:30:00Z", "2026-12-01T07:00:00Z"),
            // The clocks change in that night.
            ("2026-03-28T20:00:00Z", "2026-03-29T06:00:00Z"),
        ] {
            let now: Timestamp = now.parse().unwrap();
            assert_eq!(Hush::Tomorrow.until(now, &berlin), until.parse().ok(), "from {now}");
        }
        assert_eq!(Hush::Off.until(Timestamp::UNIX_EPOCH, &berlin), None);
    }
}
