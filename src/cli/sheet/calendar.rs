//! The quiet windows of the next seven days as a calendar (RFC 5545).
//!
//! Written here and not by a library: the one at hand stamps a zone's definition with an identity and the time of day,
//! which the standard has no place for there.

use std::fmt::Write as _;

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use sha2::{Digest as _, Sha256};

use super::{Handout, grid::percent};
use crate::args;
use crate::core::bucket::bucket_start;
use crate::core::sheet::{Evidence, TargetSheet, Window};
use crate::ui::format;

/// Octets of a line without its end (RFC 5545, 3.1).
const LINE: usize = 75;
/// How far ahead windows are told.
const AHEAD: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The zone's name where it has none of the time zone database.
const NAMELESS: &str = "Local";

/// The calendar. Targets that were never seen have no windows.
pub(super) fn calendar(handout: &Handout<'_>) -> String {
    let Handout { sheet, tr, .. } = *handout;
    let zone = &sheet.zone;
    let name = zone.iana_name().unwrap_or(NAMELESS);
    let mut out = Lines::default();
    out.put("BEGIN", "VCALENDAR");
    out.put("VERSION", "2.0");
    out.put("PRODID", "-//Vacancy//Cheat sheet//EN");
    out.put("CALSCALE", "GREGORIAN");
    out.put("METHOD", "PUBLISH");
    out.put("X-WR-CALNAME", &text(&tr.text("handout-calendar")));
    out.put("X-WR-TIMEZONE", name);
    zone_definition(&mut out, zone, name, sheet.now);
    for target in sheet.targets.iter().filter(|target| target.seen.is_some()) {
        for (window, is_open) in windows(target, sheet.now, zone) {
            event(&mut out, target, (&window, is_open), handout);
        }
    }
    out.put("END", "VCALENDAR");
    out.0
}

/// The quiet windows that begin in the next seven days, and whether they have no end in sight. The last one is told to its
/// end, so that it is the same event tomorrow.
fn windows(target: &TargetSheet, now: Timestamp, zone: &TimeZone) -> Vec<(Window, bool)> {
    let mut windows: Vec<_> = target.quiet_windows(now, zone).into_iter().map(|window| (window, false)).collect();
    let Some((last, is_open)) = windows.last_mut() else { return windows };
    if last.end >= horizon(now) {
        let start = last.start;
        *last = target.next_quiet(start, zone).filter(|same| same.start == start).unwrap_or(*last);
        *is_open = last.end >= horizon(start);
    }
    windows
}

/// Where windows that are looked for from a moment on are cut off.
fn horizon(from: Timestamp) -> Timestamp {
    let start = Timestamp::from_millisecond(bucket_start(from.as_millisecond())).unwrap_or(from);
    start.saturating_add(AHEAD).unwrap_or(Timestamp::MAX)
}

fn event(out: &mut Lines, target: &TargetSheet, (window, is_open): (&Window, bool), handout: &Handout<'_>) {
    let Handout { sheet, tr, .. } = *handout;
    let words = args!("model" => handout.name_of(&target.target), "percent" => percent(window.share));
    let summary = match window.evidence {
        Evidence::Known => "handout-event",
        Evidence::Thin => "handout-event-few",
        Evidence::Empty => "handout-event-guess",
    };
    let mut description = tr.with(
        "handout-event-words",
        &args!(
            "percent" => percent(window.share),
            "low" => percent(window.low),
            "samples" => format::count(u64::from(target.slots.total().samples)),
        ),
    );
    match window.evidence {
        Evidence::Known => {}
        Evidence::Thin => description = format!("{description}\n{}", tr.text("handout-event-thin")),
        Evidence::Empty => description = format!("{description}\n{}", tr.text("handout-event-empty")),
    }
    out.put("BEGIN", "VEVENT");
    out.put("UID", &uid(target, (!is_open).then_some(window.end)));
    out.put("DTSTAMP", &utc(sheet.now));
    // One that is under way begins at its last full quarter hour, so that an export does not differ each minute.
    let start = Timestamp::from_millisecond(bucket_start(window.start.as_millisecond())).unwrap_or(window.start);
    let times = [("DTSTART", start), ("DTEND", window.end)];
    let name = sheet.zone.iana_name().unwrap_or(NAMELESS);
    // A local time that comes twice means the first; the second can only be told in UTC.
    let is_plain = times.iter().all(|(_, at)| {
        let local = sheet.zone.to_datetime(*at);
        sheet.zone.to_timestamp(local).is_ok_and(|back| back.as_second() == at.as_second())
    });
    for (key, at) in times {
        if is_plain {
            out.put(&format!("{key};TZID={name}"), &local(sheet.zone.to_datetime(at)));
        } else {
            out.put(key, &utc(at));
        }
    }
    out.put("SUMMARY", &text(&tr.with(summary, &words)));
    out.put("DESCRIPTION", &text(&description));
    // It is no appointment: the time stays free.
    out.put("TRANSP", "TRANSPARENT");
    out.put("END", "VEVENT");
}

/// The same window has the same identity in every export: by its target and its end, as its beginning is cut when it is
/// under way. One without an end in sight is the same as long as that is so.
fn uid(target: &TargetSheet, end: Option<Timestamp>) -> String {
    let end = end.map_or_else(String::new, |end| (end.as_second() / 60).to_string());
    let digest = Sha256::digest(format!("{}\n{end}", target.target.as_str()));
    let mut uid = String::with_capacity(48);
    for byte in digest.iter().take(16) {
        let _ = write!(uid, "{byte:02x}");
    }
    uid + "@vacancy"
}

/// The zone's rules from now to the end of the windows: the offset in force, then each change.
fn zone_definition(out: &mut Lines, zone: &TimeZone, name: &str, now: Timestamp) {
    out.put("BEGIN", "VTIMEZONE");
    out.put("TZID", name);
    let end = now.saturating_add(AHEAD * 2).unwrap_or(Timestamp::MAX);
    // A change at this very moment is in force already.
    let before = zone.preceding(now.checked_add(1.millisecond()).unwrap_or(now)).next();
    let after = zone.following(now).take_while(|change| change.timestamp() <= end);
    let from = before.as_ref().map(jiff::tz::TimeZoneTransition::timestamp);
    if from.is_none() {
        let info = zone.to_offset_info(now);
        observance(out, DateTime::constant(1970, 1, 1, 0, 0, 0, 0), [info.offset(); 2], info.abbreviation(), false);
    }
    for change in before.iter().cloned().chain(after) {
        let just_before = change.timestamp().checked_sub(1.nanosecond()).unwrap_or(change.timestamp());
        let old = zone.to_offset(just_before);
        let begins = old.to_datetime(change.timestamp());
        observance(out, begins, [old, change.offset()], change.abbreviation(), change.dst().is_dst());
    }
    out.put("END", "VTIMEZONE");
}

fn observance(out: &mut Lines, begins: DateTime, [from, to]: [Offset; 2], name: &str, is_summer: bool) {
    let kind = if is_summer { "DAYLIGHT" } else { "STANDARD" };
    out.put("BEGIN", kind);
    out.put("DTSTART", &local(begins));
    out.put("TZOFFSETFROM", &offset(from));
    out.put("TZOFFSETTO", &offset(to));
    out.put("TZNAME", &text(name));
    out.put("END", kind);
}

fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let (sign, size) = (if seconds < 0 { '-' } else { '+' }, seconds.unsigned_abs());
    let text = format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60);
    if size.is_multiple_of(60) { text } else { format!("{text}{:02}", size % 60) }
}

fn local(at: DateTime) -> String {
    at.strftime("%Y%m%dT%H%M%S").to_string()
}

fn utc(at: Timestamp) -> String {
    local(TimeZone::UTC.to_datetime(at)) + "Z"
}

/// Text as a value: what separates values is escaped, what cannot be shown is left out (RFC 5545, 3.3.11).
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in words.chars() {
        match sign {
            '\\' | ';' | ',' => out.extend(['\\', sign]),
            '\n' => out.push_str("\\n"),
            sign if sign.is_control() => {}
            sign => out.push(sign),
        }
    }
    out
}

/// Lines as they grow; each ends with CR and LF, and long ones are folded between characters.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn put(&mut self, key: &str, value: &str) {
        let mut used = 0;
        for sign in key.chars().chain([':']).chain(value.chars()) {
            if used + sign.len_utf8() > LINE {
                self.0.push_str("\r\n ");
                used = 1;
            }
            self.0.push(sign);
            used += sign.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters_and_come_back() {
        for words in ["a".repeat(300), "模型很忙".repeat(40), "é,;\\\n".repeat(60)] {
            let mut out = Lines::default();
            out.put("SUMMARY", &text(&words));
            assert!(out.0.ends_with("\r\n"));
            assert!(out.0.split("\r\n").all(|line| line.len() <= LINE));
            assert_eq!(out.0.replace("\r\n ", ""), format!("SUMMARY:{}\r\n", text(&words)));
        }
    }

    #[test]
    fn a_zone_is_told_with_the_offset_in_force_and_the_next_change() {
        let cases = [
            (
                "Europe/Berlin",
                "2026-10-20T00:00:00Z",
                "DAYLIGHT 20260329T020000 +0100 +0200 CEST, STANDARD 20261025T030000 +0200 +0100 CET",
            ),
            ("Europe/Berlin", "2026-10-25T01:00:00Z", "STANDARD 20261025T030000 +0200 +0100 CET"),
            (
                "Australia/Lord_Howe",
                "2026-04-01T00:00:00Z",
                "DAYLIGHT 20251005T020000 +1030 +1100 +11, STANDARD 20260405T020000 +1100 +1030 +1030",
            ),
            ("UTC", "2026-04-01T00:00:00Z", "STANDARD 19700101T000000 +0000 +0000 UTC"),
        ];
        for (name, now, expected) in cases {
            let mut out = Lines::default();
            zone_definition(&mut out, &TimeZone::get(name).unwrap(), name, now.parse().unwrap());
            let mut found = Vec::new();
            for line in out.0.lines() {
                match line.split_once([':', ';']).unwrap() {
                    ("BEGIN", "VTIMEZONE") => {}
                    ("BEGIN", kind) => found.push(kind.to_owned()),
                    ("DTSTART" | "TZOFFSETFROM" | "TZOFFSETTO" | "TZNAME", value) => {
                        let last = found.last_mut().unwrap();
                        *last = format!("{last} {value}");
                    }
                    _ => {}
                }
            }
            assert_eq!(found.join(", "), expected, "{name}");
        }
    }
}
