//! How times, ages and numbers are written; the one place that knows it. Pure: zone and now are arguments.

use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;

use crate::args;
use crate::i18n::Tr;

/// The time of day, `14:05`.
pub fn clock(at: Timestamp, zone: &TimeZone) -> String {
    let time = zone.to_datetime(at).time();
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// The time of day with seconds, `14:05:09`.
pub fn clock_secs(at: Timestamp, zone: &TimeZone) -> String {
    let time = zone.to_datetime(at).time();
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

/// The time of day, with its day when that is not today: `14:05`, `Sat 14:05`, `23 Nov 14:05`.
pub fn moment(at: Timestamp, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let (date, today) = (zone.to_datetime(at).date(), zone.to_datetime(now).date());
    let time = clock(at, zone);
    if date == today {
        return time;
    }
    // Within six days a weekday's name cannot be taken for another week's.
    let day = match (today - date).get_days().abs() {
        0..=6 => weekday(date.weekday(), tr),
        _ => day_of_month(at, zone, tr),
    };
    format!("{day} {time}")
}

/// The heading of a day: `Today`, `Yesterday`, `Sat 23 Nov`.
pub fn day(at: Timestamp, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let (date, today) = (zone.to_datetime(at).date(), zone.to_datetime(now).date());
    if date == today {
        tr.text("ui-today")
    } else if today.yesterday().is_ok_and(|yesterday| date == yesterday) {
        tr.text("ui-yesterday")
    } else {
        weekday_date(at, zone, tr)
    }
}

/// A day without its weekday, `29 Nov`.
pub fn day_of_month(at: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    day_and_month(zone.to_datetime(at).date(), tr)
}

fn day_and_month(date: Date, tr: &Tr) -> String {
    let month = tr.text(&format!("ui-month-{}", date.month()));
    tr.with("ui-day-month", &args!("day" => date.day(), "month" => month))
}

/// A day with its weekday, `Sun 29 Nov`.
pub fn weekday_date(at: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    date(zone.to_datetime(at).date(), tr)
}

/// A date with its weekday, `Sun 29 Nov`.
pub fn date(date: Date, tr: &Tr) -> String {
    format!("{} {}", weekday(date.weekday(), tr), day_and_month(date, tr))
}

/// The same with its year where that is not the year of `today`, `Mon 30 Dec 2024`.
pub fn date_of_years(day: Date, today: Date, tr: &Tr) -> String {
    if day.year() == today.year() { date(day, tr) } else { date_and_year(day, tr) }
}

/// A date with its weekday and its year, `Mon 30 Dec 2024`.
pub fn date_and_year(day: Date, tr: &Tr) -> String {
    let (weekday, date) = (weekday(day.weekday(), tr), day_and_month(day, tr));
    tr.with("ui-date-year", &args!("weekday" => weekday, "day" => date, "year" => day.year().to_string()))
}

/// The short name of a weekday.
pub fn weekday(day: Weekday, tr: &Tr) -> String {
    tr.text(&format!("ui-weekday-{}", day.to_monday_one_offset()))
}

/// Weekday and time of day of the status line, `Sun 14:27`.
pub fn weekday_clock(at: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    format!("{} {}", weekday(zone.to_datetime(at).date().weekday(), tr), clock(at, zone))
}

/// Whole minutes from `from` to `to` as clocks on a wall would count them: both cut to the minute, so that every age in
/// the window changes at the same moment, the full minute.
pub fn minutes_between(from: Timestamp, to: Timestamp) -> i64 {
    to.as_second().div_euclid(60) - from.as_second().div_euclid(60)
}

/// An age or a wait in whole minutes: `under 1 min`, `22 min`, `3 h 05 min`, `2 d 4 h`.
pub fn span(minutes: i64, tr: &Tr) -> String {
    match minutes {
        ..=0 => tr.text("ui-span-now"),
        1..=59 => tr.with("ui-span-minutes", &args!("n" => minutes)),
        60..=1439 if minutes % 60 == 0 => tr.with("ui-span-full-hours", &args!("hours" => minutes / 60)),
        60..=1439 => {
            tr.with("ui-span-hours", &args!("hours" => minutes / 60, "minutes" => format!("{:02}", minutes % 60)))
        }
        _ if minutes % 1440 < 60 => tr.with("ui-span-full-days", &args!("days" => minutes / 1440)),
        _ => tr.with("ui-span-days", &args!("days" => minutes / 1440, "hours" => minutes % 1440 / 60)),
    }
}

/// A latency: `20 ms`, `0.9 s`, `12 s`.
pub fn latency(millis: u32, tr: &Tr) -> String {
    if millis < 95 {
        return tr.with("ui-millis", &args!("n" => millis));
    }
    let text = if millis < 9_950 {
        format!("{:.1}", f64::from(millis) / 1000.0)
    } else {
        (millis.saturating_add(500) / 1000).to_string()
    };
    tr.with("ui-seconds", &args!("n" => text))
}

/// A size: `12 KB`, `3.4 MB`, `1.2 GB`, in powers of ten as file managers count.
pub fn bytes(n: u64, tr: &Tr) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let of = |unit: u64| n as f64 / unit as f64;
    let (number, id) = match n {
        1_000_000_000.. => (format!("{:.1}", of(1_000_000_000)), "ui-gigabytes"),
        10_000_000.. => (format!("{:.0}", of(1_000_000)), "ui-megabytes"),
        1_000_000.. => (format!("{:.1}", of(1_000_000)), "ui-megabytes"),
        _ => (n.div_ceil(1000).to_string(), "ui-kilobytes"),
    };
    tr.with(id, &args!("n" => number))
}

/// A number with its thousands apart, `21,304`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Whether it is the name that the sentence is about.
    pub is_strong: bool,
}

/// Names one after the other, as the language does it.
pub fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>, tr: &Tr) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.as_ref().to_owned()).collect();
    items.join(&tr.text("ui-list-separator"))
}

/// Clauses one after the other, each with commas of its own.
pub fn clauses<S: AsRef<str>>(items: impl IntoIterator<Item = S>, tr: &Tr) -> String {
    let mut items = items.into_iter();
    let first = items.next().map(|item| item.as_ref().to_owned()).unwrap_or_default();
    items.fold(first, |before, next| tr.with("ui-list-of-clauses", &args!("before" => before, "next" => next.as_ref())))
}

/// What something is called, and what is said of it.
pub fn labelled(label: &str, words: &str, tr: &Tr) -> String {
    tr.with("ui-labelled", &args!("label" => label, "words" => words))
}

/// The message `id` with the variable `name` set to `value`, cut so that the value can be drawn differently. Other
/// variables come in `args`.
pub fn pieces(tr: &Tr, id: &str, name: &'static str, value: &str, mut args: crate::i18n::FluentArgs<'_>) -> Vec<Piece> {
    // A private-use character marks the place: no message contains one.
    const PLACE: &str = "\u{e000}";
    args.set(name, PLACE);
    let sentence = tr.with(id, &args);
    let mut out = Vec::new();
    for (i, text) in sentence.split(PLACE).enumerate() {
        if i > 0 {
            out.push(Piece { text: value.to_owned(), is_strong: true });
        }
        if !text.is_empty() {
            out.push(Piece { text: text.to_owned(), is_strong: false });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn moments_name_the_day_only_when_it_is_needed() {
        let tr = Tr::new(Lang::English);
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now = at("2026-11-29T13:27:00Z");
        for (then, expected) in [
            ("2026-11-29T13:05:59Z", "14:05"),
            ("2026-11-28T22:59:00Z", "Sat 23:59"),
            ("2026-11-28T23:01:00Z", "00:01"),
            ("2026-11-23T09:00:00Z", "Mon 10:00"),
            ("2026-11-22T09:00:00Z", "22 Nov 10:00"),
            ("2026-11-30T09:00:00Z", "Mon 10:00"),
        ] {
            assert_eq!(moment(at(then), now, &zone, &tr), expected);
        }
        assert_eq!(day(at("2026-11-28T20:00:00Z"), now, &zone, &tr), "Yesterday");
        assert_eq!(day(at("2026-11-27T20:00:00Z"), now, &zone, &tr), "Fri 27 Nov");
    }

    #[test]
    fn spans_are_in_whole_minutes() {
        let tr = Tr::new(Lang::English);
        for (minutes, expected) in [
            (-3, "under 1 min"),
            (0, "under 1 min"),
            (59, "59 min"),
            (60, "1 h"),
            (185, "3 h 05 min"),
            (1440, "1 d"),
            (5000, "3 d 11 h"),
        ] {
            assert_eq!(span(minutes, &tr), expected);
        }
        assert_eq!(minutes_between(at("2026-11-29T13:05:59Z"), at("2026-11-29T13:06:00Z")), 1);
    }

    #[test]
    fn numbers_keep_their_width() {
        let tr = Tr::new(Lang::English);
        assert_eq!(latency(94, &tr), "94 ms");
        assert_eq!(latency(95, &tr), "0.1 s");
        assert_eq!(latency(949, &tr), "0.9 s");
        assert_eq!(latency(9_949, &tr), "9.9 s");
        assert_eq!(latency(9_950, &tr), "10 s");
        assert_eq!(latency(61_200, &tr), "61 s");
        assert_eq!([0, 999, 1_000, 21_304, 1_234_567].map(count), ["0", "999", "1,000", "21,304", "1,234,567"]);
    }
}
