//! Hours in which nobody is to be disturbed, as clocks on the wall show them.

use std::ops::Range;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan as _};

/// A stretch of some days of the week, from one time to another, over midnight where the end is not after the beginning: it
/// belongs to the day on which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    days: Days,
    from: Time,
    to: Time,
}

/// Days of the week: a bit each, Monday the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Days(u8);

impl Days {
    const EVERY: Self = Self(0b111_1111);
    const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    /// Reads `mon-fri`, `sat` or `mon,wed-thu`; a stretch may go over Sunday. `None` for anything else.
    fn parse(text: &str) -> Option<Self> {
        let day = |name: &str| Self::NAMES.iter().position(|known| name.trim().eq_ignore_ascii_case(known));
        let mut days = 0;
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (mut at, last) = (day(first)?, day(last)?);
            days |= 1 << at;
            while at != last {
                at = (at + 1) % Self::NAMES.len();
                days |= 1 << at;
            }
        }
        Some(Self(days))
    }

    fn has(self, day: Date) -> bool {
        self.0 & (1 << day.weekday().to_monday_zero_offset()) != 0
    }
}

impl std::fmt::Display for Days {
    /// The runs of days from Monday on: `mon-fri,sun`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mut at, mut is_first) = (0, true);
        while at < Self::NAMES.len() {
            let run = (at..Self::NAMES.len()).take_while(|day| self.0 & (1 << day) != 0).count();
            if run > 0 {
                let comma = if std::mem::take(&mut is_first) { "" } else { "," };
                write!(f, "{comma}{}", Self::NAMES[at])?;
                if run > 1 {
                    write!(f, "-{}", Self::NAMES[at + run - 1])?;
                }
            }
            at += run + 1;
        }
        Ok(())
    }
}

impl QuietHours {
    /// Reads `22:00-07:00`, for every day, or `mon-fri 22:00-07:00`; `None` for anything else, and for no time at all.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_named = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let times_at = if is_named { text.find(|other: char| other.is_ascii_digit())? } else { 0 };
        let (days, times) = text.split_at(times_at);
        let days = if is_named {
            days.ends_with(char::is_whitespace).then_some(())?;
            Days::parse(days)?
        } else {
            Days::EVERY
        };
        let (from, to) = times.split_once('-')?;
        let time = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let is_short = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            (is_short(hour) && minute.len() == 2 && is_short(minute)).then_some(())?;
            Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
        };
        let (from, to) = (time(from)?, time(to)?);
        (from != to).then_some(Self { days, from, to })
    }

    /// The stretch that covers `now` in `zone`.
    ///
    /// In a night that has an hour twice a beginning in it is the first and an end the second; in one that lacks an hour
    /// both are the moment at which it would have been.
    pub fn covering(&self, now: Timestamp, zone: &TimeZone) -> Option<Range<Timestamp>> {
        let today = zone.to_datetime(now).date();
        let days = [today.yesterday().ok(), Some(today)];
        days.into_iter().flatten().filter(|day| self.days.has(*day)).find_map(|day| {
            let last = if self.to <= self.from { day.tomorrow().ok()? } else { day };
            let from = moment(day.to_datetime(self.from), zone, false)?;
            let to = moment(last.to_datetime(self.to), zone, true)?;
            (from..to).contains(&now).then_some(from..to)
        })
    }
}

impl std::fmt::Display for QuietHours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { days, from, to } = self;
        if *days != Days::EVERY {
            write!(f, "{days} ")?;
        }
        write!(f, "{:02}:{:02}-{:02}:{:02}", from.hour(), from.minute(), to.hour(), to.minute())
    }
}

fn moment(at: DateTime, zone: &TimeZone, is_end: bool) -> Option<Timestamp> {
    let offset = match zone.to_ambiguous_timestamp(at).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Fold { before, after } => {
            if is_end {
                after
            } else {
                before
            }
        }
        AmbiguousOffset::Gap { after, .. } => {
            // With the new offset it lies before the change, which is the next one then.
            let before = after.to_timestamp(at).ok()?;
            let change = zone.following(before).next()?.timestamp();
            return (change <= before.checked_add(24.hours()).ok()?).then_some(change);
        }
    };
    offset.to_timestamp(at).ok()
}

/// The whole quiet stretch around `now`: of hours that follow each other without a break, from the first to the last.
pub fn covering(hours: &[QuietHours], now: Timestamp, zone: &TimeZone) -> Option<Range<Timestamp>> {
    let mut whole = hours.iter().find_map(|hours| hours.covering(now, zone))?;
    // Each can lengthen it once in either direction; hours without an end must not keep it going for ever.
    for _ in 0..hours.len() {
        for other in hours {
            if let Some(more) = other.covering(whole.end, zone) {
                whole.end = more.end;
            }
            if let Ok(before) = whole.start.checked_sub(1.nanosecond())
                && let Some(more) = other.covering(before, zone)
            {
                whole.start = more.start;
            }
        }
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn only_two_times_of_day_are_hours() {
        for good in ["22:00-07:00", " 9:30 - 10:00", "00:00-23:59"] {
            assert!(QuietHours::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "22-7",
            "22:00",
            "24:00-07:00",
            "22:60-07:00",
            "22:00-22:00",
            "22:0-7:00",
            "a:00-b:00",
            "1:00-2:00-3:00",
            "mon",
            "mon-fri",
            "mon-fri22:00-07:00",
            "moon 22:00-07:00",
            "mon- 22:00-07:00",
            "mon fri 22:00-07:00",
        ] {
            assert_eq!(QuietHours::parse(bad), None, "{bad}");
        }
        assert_eq!(QuietHours::parse(" 9:30 - 10:00").unwrap().to_string(), "09:30-10:00");
    }

    #[test]
    fn days_of_the_week_are_those_on_which_it_begins() {
        for (text, shown) in [
            ("mon-fri 22:00-07:00", "mon-fri 22:00-07:00"),
            ("Sat , sun  23:00-9:00", "sat-sun 23:00-09:00"),
            ("sat-mon 1:00-2:00", "mon,sat-sun 01:00-02:00"),
            ("mon-sun 1:00-2:00", "01:00-02:00"),
        ] {
            assert_eq!(QuietHours::parse(text).unwrap().to_string(), shown, "{text}");
        }
        let hours = QuietHours::parse("mon-fri 22:00-07:00").unwrap();
        // A Friday's night goes into Saturday; a Sunday's is none, up to Monday's morning.
        for (now, is_quiet) in [
            ("2026-11-27T23:00:00Z", true),
            ("2026-11-28T06:59:00Z", true),
            ("2026-11-28T23:00:00Z", false),
            ("2026-11-29T23:00:00Z", false),
            ("2026-11-30T06:00:00Z", false),
            ("2026-11-30T22:00:00Z", true),
        ] {
            assert_eq!(hours.covering(at(now), &TimeZone::UTC).is_some(), is_quiet, "{now}");
        }
    }

    #[test]
    fn nights_of_a_change_are_exact() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (hours, now, expected) in [
            ("22:00-07:00", "2026-03-02T02:00:00Z", Some(("2026-03-01T21:00:00Z", "2026-03-02T06:00:00Z"))),
            ("22:00-07:00", "2026-03-02T06:00:00Z", None),
            ("22:00-07:00", "2026-03-29T02:00:00Z", Some(("2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"))),
            ("22:00-07:00", "2026-10-25T02:00:00Z", Some(("2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"))),
            // 02:30 twice.
            ("01:00-02:30", "2026-10-25T01:10:00Z", Some(("2026-10-24T23:00:00Z", "2026-10-25T01:30:00Z"))),
            ("02:30-04:00", "2026-10-25T00:40:00Z", Some(("2026-10-25T00:30:00Z", "2026-10-25T03:00:00Z"))),
            // No 02:30 at all.
            ("01:00-02:30", "2026-03-29T00:59:00Z", Some(("2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"))),
            ("02:30-04:00", "2026-03-29T01:10:00Z", Some(("2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"))),
            ("02:10-02:50", "2026-03-29T01:00:00Z", None),
        ] {
            let found = QuietHours::parse(hours).unwrap().covering(at(now), &berlin);
            assert_eq!(found, expected.map(|(from, to)| at(from)..at(to)), "{hours} at {now}");
        }
    }

    #[test]
    fn hours_that_follow_each_other_are_one_stretch() {
        let hours = ["22:00-00:00", "00:00-07:00", "12:00-13:00"].map(|text| QuietHours::parse(text).unwrap());
        let whole = covering(&hours, at("2026-03-02T23:00:00Z"), &TimeZone::UTC);
        assert_eq!(whole, Some(at("2026-03-02T22:00:00Z")..at("2026-03-03T07:00:00Z")));
        let day = ["00:00-12:00", "12:00-00:00"].map(|text| QuietHours::parse(text).unwrap());
        assert!(covering(&day, at("2026-03-02T23:00:00Z"), &TimeZone::UTC).unwrap().end > at("2026-03-03T11:00:00Z"));
    }
}
