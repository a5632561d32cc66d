//! Spans of time and moments as people and programs spell them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Unix seconds.
pub(super) fn seconds_of(at: Timestamp) -> f64 {
    at.as_nanosecond() as f64 / 1e9
}

/// A finite number, as headers and texts spell it.
pub(in crate::core) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    text.parse::<f64>().ok().filter(|number| starts_well && number.is_finite())
}

/// Units by name, in seconds; longer names come first where one begins another.
const UNITS: &[(&str, f64)] = &[
    ("milliseconds", 0.001),
    ("millisecond", 0.001),
    ("msecs", 0.001),
    ("ms", 0.001),
    ("毫秒", 0.001),
    ("µs", 0.000_001),
    ("us", 0.000_001),
    ("ns", 0.000_000_001),
    ("seconds", 1.0),
    ("secondes", 1.0),
    ("seconde", 1.0),
    ("segundos", 1.0),
    ("secondi", 1.0),
    ("sekunden", 1.0),
    ("секунд", 1.0),
    ("초", 1.0),
    ("second(s)", 1.0),
    ("second", 1.0),
    ("secs", 1.0),
    ("sec", 1.0),
    ("秒钟", 1.0),
    ("秒", 1.0),
    ("s", 1.0),
    ("minutes", 60.0),
    ("minuten", 60.0),
    ("minutos", 60.0),
    ("minuti", 60.0),
    ("минут", 60.0),
    ("분", 60.0),
    ("minute(s)", 60.0),
    ("minute", 60.0),
    ("mins", 60.0),
    ("min", 60.0),
    ("分钟", 60.0),
    ("分", 60.0),
    ("months", 2_592_000.0),
    ("month", 2_592_000.0),
    ("m", 60.0),
    ("hours", 3600.0),
    ("heures", 3600.0),
    ("stunden", 3600.0),
    ("horas", 3600.0),
    ("часов", 3600.0),
    ("часа", 3600.0),
    ("時間", 3600.0),
    ("시간", 3600.0),
    ("hour(s)", 3600.0),
    ("hour", 3600.0),
    ("hrs", 3600.0),
    ("hr", 3600.0),
    ("小时", 3600.0),
    ("个小时", 3600.0),
    ("时", 3600.0),
    ("h", 3600.0),
    ("days", 86_400.0),
    ("day(s)", 86_400.0),
    ("day", 86_400.0),
    ("天", 86_400.0),
    ("日", 86_400.0),
    ("d", 86_400.0),
    ("weeks", 604_800.0),
    ("week", 604_800.0),
    ("周", 604_800.0),
    ("w", 604_800.0),
];

/// Reads a span that the text begins with: `6m0s`, `581981.3s`, `4 days 20 hours`, `2小时15分`. Tells whether it had a unit;
/// a bare number is in seconds.
pub(in crate::core) fn duration(text: &str) -> Option<(f64, bool)> {
    let mut rest = text;
    let mut total = 0.0;
    let mut has_unit = false;
    loop {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let digits = rest[..length].trim_end_matches('.');
        if digits.is_empty() {
            break;
        }
        let value = number(digits)?;
        // `10,000` and `3:15` are no spans.
        let after = &rest[digits.len()..];
        let gap = after.trim_start_matches([' ', '-']);
        let unit = UNITS.iter().find(|(name, _)| {
            gap.strip_prefix(name)
                .is_some_and(|tail| !name.is_ascii() || !tail.starts_with(|next: char| next.is_ascii_alphabetic()))
        });
        let Some((name, seconds)) = unit else {
            if has_unit {
                break;
            }
            return Some((value, false));
        };
        total += value * seconds;
        has_unit = true;
        rest = &gap[name.len()..];
        rest = rest.trim_start_matches([' ', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    has_unit.then_some((total, true))
}

/// A span that is all that a field says: with a unit, or a number and nothing behind it. `1e999` and `10,000` are neither, as
/// their first digits alone would tell something else.
pub(in crate::core) fn span(text: &str) -> Option<f64> {
    match duration(text.trim())? {
        (seconds, true) => Some(seconds),
        (_, false) => number(text),
    }
}

/// Reads a date and time that the text begins with, as unix seconds: RFC 3339, `2026-08-25 07:41:44 +0800`,
/// `2026-09-01 at 00:00 UTC`, `2026年8月25日 07:41`.
pub(super) fn moment(text: &str, is_beijing: bool) -> Option<f64> {
    let mut fields = [0_i64; 6];
    let mut rest = text.trim_start();
    let mut count = 0;
    for (at, field) in fields.iter_mut().enumerate() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let widths = if at == 0 { 4..=4 } else { 1..=2 };
        if !widths.contains(&length) {
            break;
        }
        *field = rest[..length].parse().ok()?;
        rest = &rest[length..];
        count = at + 1;
        let separators: &[&str] = match at {
            0 => &["-", "/", "年"],
            1 => &["-", "/", "月"],
            2 => &["日 ", "日", "t", "T", " at ", ", ", " "],
            3 => &[":", "时"],
            4 => &[":", "分"],
            _ => &[],
        };
        let Some(separator) = separators.iter().find(|separator| rest.starts_with(**separator)) else {
            break;
        };
        rest = &rest[separator.len()..];
    }
    if count < 3 {
        return None;
    }
    let narrow = |value: i64| i8::try_from(value).ok();
    let civil = DateTime::new(
        i16::try_from(fields[0]).ok()?,
        narrow(fields[1])?,
        narrow(fields[2])?,
        narrow(fields[3])?,
        narrow(fields[4])?,
        narrow(fields[5].min(59))?,
        0,
    )
    .ok()?;
    if !(2000..2200).contains(&fields[0]) {
        return None;
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = fraction.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    }
    let offset = zone(rest.trim_start_matches([' ', '(', '秒'])).unwrap_or(if is_beijing { 8 * 3600 } else { 0 });
    let at = Offset::from_seconds(offset).ok()?.to_timestamp(civil).ok()?;
    Some(seconds_of(at))
}

/// Reads an offset that the text begins with, in seconds.
pub(super) fn zone(text: &str) -> Option<i32> {
    let lower = text.get(..text.len().min(12)).unwrap_or(text).to_ascii_lowercase();
    for (name, hours) in [("pst", -8), ("pdt", -7), ("est", -5), ("edt", -4), ("cst", 8), ("北京时间", 8)] {
        if lower.starts_with(name) {
            return Some(hours * 3600);
        }
    }
    let rest = ["utc", "gmt"].iter().find_map(|name| lower.strip_prefix(name));
    let signed = rest.unwrap_or(&lower);
    if let Some(sign) = signed.strip_prefix('+').map(|_| 1).or_else(|| signed.strip_prefix('-').map(|_| -1)) {
        let digits: String =
            signed[1..].chars().filter(|symbol| *symbol != ':').take_while(char::is_ascii_digit).collect();
        let (hours, minutes) = match digits.len() {
            1 | 2 => (digits.parse::<i32>().ok()?, 0),
            4 => (digits[..2].parse().ok()?, digits[2..].parse::<i32>().ok()?),
            _ => return None,
        };
        return Some(sign * (hours * 3600 + minutes * 60));
    }
    (rest.is_some() || lower.starts_with('z')).then_some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_in_all_spellings() {
        for (text, seconds) in [
            ("6m0s", 360.0),
            ("17.168s", 17.168),
            ("8ms", 0.008),
            ("161h39m41s", 581_981.0),
            ("7m12s", 432.0),
            ("581981.300432511s", 581_981.300_432_511),
            ("900ms", 0.9),
            ("4 days 20 hours 9 minutes", 418_140.0),
            ("1 hour, 5 minutes and 3 seconds", 3903.0),
            ("58 hours", 208_800.0),
            ("2小时15分钟", 8100.0),
            ("30 秒", 30.0),
            ("1d2h", 93_600.0),
        ] {
            let (found, has_unit) = duration(text).expect(text);
            assert!(has_unit && (found - seconds).abs() < 1e-6, "{text}: {found}");
        }
        for text in ["", "soon", "attempts", "10,000 tokens", "3:15 pm"] {
            assert!(!matches!(duration(text), Some((_, true))), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_as_a_whole_is_no_span() {
        for (text, seconds) in [("30", Some(30.0)), (" 1.5 ", Some(1.5)), ("6m0s", Some(360.0)), ("1e3", Some(1000.0))]
        {
            assert_eq!(span(text), seconds, "{text}");
        }
        for text in ["1e999", "10,000", "3:15", "1.2.3", "30x", "-5", "inf", "NaN", "", &"9".repeat(400)] {
            assert_eq!(span(text), None, "{text}");
        }
    }

    #[test]
    fn moments_in_all_spellings() {
        let expected = 1_787_586_104.0;
        for (text, is_beijing) in [
            ("2026-08-24T15:41:44Z", false),
            ("2026-08-24 15:41:44", false),
            ("2026-08-24 23:41:44", true),
            ("2026-08-24 23:41:44 +0800 CST", false),
            ("2026-08-24T23:41:44.123+08:00", false),
            ("2026-08-24 15:41:44 utc", true),
            ("2026年8月24日 23:41:44", true),
            ("2026-08-24 23:41:44 (utc+8)", false),
        ] {
            assert_eq!(moment(text, is_beijing), Some(expected), "{text}");
        }
        for text in ["", "2026", "2026-13-01 00:00", "12:30", "2026-08"] {
            assert_eq!(moment(text, false), None, "{text}");
        }
    }
}
