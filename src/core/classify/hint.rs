//! When to come back: from headers, body and text, in the order of trust.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::core::classify::evidence::{BodyHint, Evidence};
use crate::core::exchange::Exchange;

/// Longer waits are cut to this: 35 days.
const LONGEST: f64 = 35.0 * 86_400.0;

/// Makes a wait of seconds; `None` for what is no number.
fn wait(seconds: f64) -> Option<Duration> {
    seconds.is_finite().then(|| Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}

/// The moment from which absolute times count.
struct Now {
    received: Option<Timestamp>,
    date: Option<Timestamp>,
}

impl Now {
    fn of(exchange: &Exchange) -> Self {
        Self { received: exchange.received_at, date: exchange.header("date").and_then(http_date) }
    }

    /// Seconds from the local clock, or the server's where there is none, until `moment`.
    fn until(&self, moment: f64) -> Option<f64> {
        self.received.or(self.date).map(|now| moment - seconds_of(now))
    }

    /// Seconds from the server's clock: for moments in its own headers.
    fn until_by_server(&self, moment: f64) -> Option<f64> {
        self.date.or(self.received).map(|now| moment - seconds_of(now))
    }
}

fn seconds_of(at: Timestamp) -> f64 {
    at.as_nanosecond() as f64 / 1e9
}

fn http_date(text: &str) -> Option<Timestamp> {
    let at = httpdate::parse_http_date(text.trim()).ok()?;
    Timestamp::try_from(at).ok()
}

fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    text.parse::<f64>().ok().filter(|number| starts_well && number.is_finite())
}

/// Unix seconds from seconds or milliseconds, by magnitude.
fn unix(number: f64) -> f64 {
    if number > 1e12 { number / 1000.0 } else { number }
}

/// A number of seconds may be a moment after all: nobody waits for decades.
fn seconds_or_unix(number: f64, now: &Now) -> Option<f64> {
    if number > 1e9 { now.until(unix(number)) } else { Some(number) }
}

/// The wait that the answer states. `is_beijing` says that its local times are of UTC+8; `skips_headers` leaves out what
/// is only told by headers.
pub(super) fn find(
    exchange: &Exchange,
    evidence: &Evidence,
    is_beijing: bool,
    skips_headers: bool,
) -> Option<Duration> {
    let now = Now::of(exchange);
    let header_hint = || {
        let milliseconds = exchange.header("retry-after-ms").and_then(number).map(|number| number / 1000.0);
        milliseconds.filter(|seconds| *seconds >= 0.0).or_else(|| {
            let text = exchange.header("retry-after")?;
            match number(text) {
                Some(seconds) if seconds < 0.0 => None,
                Some(seconds) => seconds_or_unix(seconds, &now),
                None => http_date(text)
                    .and_then(|at| now.until_by_server(seconds_of(at)))
                    .or_else(|| duration(text.trim()).map(|(seconds, _)| seconds)),
            }
        })
    };
    let seconds = if skips_headers { None } else { header_hint() }
        .or_else(|| body(evidence, &now, is_beijing))
        .or_else(|| if skips_headers { None } else { windows(exchange, &now) })
        .or_else(|| evidence.sentences.iter().find_map(|at| text(evidence.sentence(at), &now, is_beijing)))
        .or_else(|| if skips_headers { None } else { dimensions(exchange, &now) })?;
    wait(seconds)
}

fn body(evidence: &Evidence, now: &Now, is_beijing: bool) -> Option<f64> {
    // A span beats a moment, which depends on two clocks.
    let rank = |hint: &BodyHint| match hint {
        BodyHint::Seconds(_) => 0,
        BodyHint::Unix(_) => 1,
        BodyHint::Moment(_) => 2,
        BodyHint::Duration(_) => 3,
    };
    let mut hints: Vec<_> = evidence.hints.iter().collect();
    hints.sort_by_key(|(level, hint)| (std::cmp::Reverse(*level), rank(hint)));
    hints.into_iter().find_map(|(_, hint)| match hint {
        BodyHint::Seconds(seconds) => {
            (*seconds >= 0.0).then_some(*seconds).and_then(|seconds| seconds_or_unix(seconds, now))
        }
        BodyHint::Unix(moment) if *moment > 1e9 => now.until(unix(*moment)),
        // Too small for a moment: seconds from now under a wrong name.
        BodyHint::Unix(seconds) => (*seconds > 0.0).then_some(*seconds),
        BodyHint::Duration(text) => duration(text.trim()).map(|(seconds, _)| seconds),
        BodyHint::Moment(text) => moment(text, is_beijing).and_then(|at| now.until(at)),
    })
}

/// The windows of plans: Codex, and those of Claude's that are rejected.
fn windows(exchange: &Exchange, now: &Now) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut take = |seconds: Option<f64>| {
        if let Some(seconds) = seconds {
            best = Some(best.map_or(seconds, |known| known.max(seconds)));
        }
    };
    for (name, value) in &exchange.headers {
        let name = name.to_ascii_lowercase();
        if let Some(rest) = name.strip_prefix("x-codex-") {
            let is_full = |window: &str| {
                exchange
                    .header(&format!("x-codex-{window}-used-percent"))
                    .and_then(number)
                    .is_none_or(|percent| percent >= 100.0)
            };
            if let Some(window) = rest.strip_suffix("-reset-after-seconds") {
                if is_full(window) {
                    take(number(value));
                }
            } else if let Some(window) = rest.strip_suffix("-reset-at")
                && is_full(window)
                && exchange.header(&format!("x-codex-{window}-reset-after-seconds")).is_none()
            {
                take(number(value).and_then(|at| now.until(unix(at))));
            }
        } else if let Some(window) =
            name.strip_prefix("anthropic-ratelimit-unified").and_then(|rest| rest.strip_suffix("-reset"))
        {
            let status = exchange.header(&format!("anthropic-ratelimit-unified{window}-status"));
            if status.is_some_and(|status| status.trim().eq_ignore_ascii_case("rejected")) {
                take(number(value).map(unix).or_else(|| moment(value, false)).and_then(|at| now.until(at)));
            }
        }
    }
    best
}

/// Ordinary limit headers: only dimensions of which nothing remains.
fn dimensions(exchange: &Exchange, now: &Now) -> Option<f64> {
    let mut best: Option<f64> = None;
    for (name, value) in &exchange.headers {
        if name.len() < 15 || !name.is_ascii() {
            continue;
        }
        let name = name.to_ascii_lowercase();
        let remaining = if let Some(rest) = name.strip_prefix("anthropic-ratelimit-") {
            if rest.starts_with("unified") {
                continue;
            }
            rest.strip_suffix("-reset").map(|dimension| format!("anthropic-ratelimit-{dimension}-remaining"))
        } else if let Some(dimension) = name.strip_prefix("x-ratelimit-reset") {
            Some(format!("x-ratelimit-remaining{dimension}"))
        } else if name == "ratelimit-reset" {
            Some("ratelimit-remaining".to_owned())
        } else {
            None
        };
        let is_spent = remaining
            .and_then(|remaining| exchange.header(&remaining).and_then(number))
            .is_some_and(|left| left <= 0.0);
        if !is_spent {
            continue;
        }
        let seconds = match number(value) {
            Some(number) if number > 1e9 => now.until_by_server(unix(number)),
            Some(number) => (number >= 0.0).then_some(number),
            None => match moment(value, false) {
                Some(at) => now.until(at),
                None => duration(value.trim()).map(|(seconds, _)| seconds),
            },
        };
        if let Some(seconds) = seconds {
            best = Some(best.map_or(seconds, |known| known.max(seconds)));
        }
    }
    best
}

/// Phrases after which a span or a moment follows, lower case, longest first where one begins another.
const CUES: &[&str] = &[
    "try again in",
    "try again after",
    "try again at",
    "retry after",
    "retry in",
    "retry at",
    "retrying in",
    "retry your request in",
    "retry the request after",
    "retry-after:",
    "retry_after:",
    "wait for at least",
    "wait at least",
    "wait for",
    "wait",
    "available in",
    "available again in",
    "available at",
    "will reset at",
    "will reset in",
    "will reset after",
    "will reset on",
    "will be reset at",
    "will be reset in",
    "resets at",
    "resets in",
    "resets on",
    "reset at",
    "reset in",
    "reset after",
    "reset on",
    "refreshes in",
    "refresh in",
    "renews on",
    "renews in",
    "regain access on",
    "regain access at",
    "regain access in",
    "cooldown:",
    "cooling down for",
    "limit reached|",
    "come back in",
    "back off for",
    "next reset:",
    "reset time:",
    "after",
    "将在",
    "将于",
    "请在",
    "请于",
    "重置时间",
    "预计",
    "请等待",
    "等待",
    "请",
    "约",
    "于",
];

/// The wait that a sentence states.
fn text(sentence: &str, now: &Now, is_beijing: bool) -> Option<f64> {
    if !sentence.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let lower = sentence.to_ascii_lowercase();
    for cue in CUES {
        let mut from = 0;
        while let Some(at) = lower[from..].find(cue) {
            let end = from + at + cue.len();
            from = end;
            if let Some(seconds) = stated(&lower[end..], cue, now, is_beijing) {
                return Some(seconds);
            }
        }
    }
    chinese(&lower)
}

/// Reads what follows a cue.
fn stated(rest: &str, cue: &str, now: &Now, is_beijing: bool) -> Option<f64> {
    let mut rest = rest.trim_start_matches([' ', ':', '：', '\'', '"', '`', '(', '~', '≈']);
    for filler in [
        "about ",
        "approximately ",
        "around ",
        "at least ",
        "another ",
        "up to ",
        "the next ",
        "approx. ",
        "约",
        "大约",
    ] {
        rest = rest.strip_prefix(filler).unwrap_or(rest).trim_start();
    }
    if !rest.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if let Some(at) = moment(rest, is_beijing) {
        return now.until(at);
    }
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    if digits.len() >= 10 {
        return number(&digits).and_then(|at| now.until(unix(at)));
    }
    let (seconds, has_unit) = duration(rest)?;
    // `after 3 attempts` is no wait: without a unit only the plain cues count, and nothing may follow.
    let is_plain =
        matches!(cue, "retry after" | "try again in" | "retry in" | "retry-after:" | "retry_after:" | "wait");
    let tail = rest.trim_start_matches(|symbol: char| symbol.is_ascii_digit() || symbol == '.').trim_start();
    let stands_alone = tail.is_empty() || tail.starts_with([',', ')', '\'', '"', '}', ';']);
    // Chinese cues are short words; what they announce must end in "after".
    let is_loose = matches!(cue, "请" | "约" | "于" | "预计" | "after");
    if is_loose && !has_unit {
        return None;
    }
    if is_loose && cue != "after" && !rest.contains('后') {
        return None;
    }
    (has_unit || (is_plain && stands_alone)).then_some(seconds)
}

/// `30 秒后重试`, `2小时15分钟后`: a span before "after".
fn chinese(text: &str) -> Option<f64> {
    for (at, _) in text.match_indices('后') {
        let before = &text[..at];
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, symbol)| {
                symbol.is_ascii_digit()
                    || matches!(
                        symbol,
                        '.' | ' '
                            | '秒'
                            | '钟'
                            | '分'
                            | '小'
                            | '时'
                            | '天'
                            | '日'
                            | '个'
                            | '毫'
                            | '以'
                            | '之'
                            | 's'
                            | 'm'
                            | 'h'
                    )
            })
            .last()
            .map_or(at, |(start, _)| start);
        // `4 月 1 日后` is a date.
        let is_date = before[..start].trim_end().ends_with(['月', '年', '号']);
        if !is_date && let Some((seconds, true)) = duration(before[start..].trim_start()) {
            return Some(seconds);
        }
    }
    None
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
    ("second(s)", 1.0),
    ("second", 1.0),
    ("secs", 1.0),
    ("sec", 1.0),
    ("秒钟", 1.0),
    ("秒", 1.0),
    ("s", 1.0),
    ("minutes", 60.0),
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
fn duration(text: &str) -> Option<(f64, bool)> {
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

/// Reads a date and time that the text begins with, as unix seconds: RFC 3339, `2026-08-25 07:41:44 +0800`,
/// `2026-09-01 at 00:00 UTC`, `2026年8月25日 07:41`.
fn moment(text: &str, is_beijing: bool) -> Option<f64> {
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
fn zone(text: &str) -> Option<i32> {
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

    fn at(text: &str) -> Now {
        Now { received: Some(text.parse().expect("a moment")), date: None }
    }

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

    #[test]
    fn sentences_state_waits() {
        let now = at("2026-08-24T15:00:00Z");
        for (sentence, seconds) in [
            ("Please try again in 1.898s. Visit the page", Some(1.898)),
            ("please try again after 1 seconds", Some(1.0)),
            ("Please wait 46 seconds before retrying.", Some(46.0)),
            ("Please retry after 86400 seconds.", Some(86_400.0)),
            ("retry after 30", Some(30.0)),
            ("You will regain access on 2026-08-25 at 15:00 UTC.", Some(86_400.0)),
            ("您的限额将在 2026-08-24 23:41:44 重置。", Some(2504.0)),
            ("请在 30 秒后重试", Some(30.0)),
            ("请求过于频繁，请 5 分钟后再试", Some(300.0)),
            ("限流，2小时15分钟后恢复", Some(8100.0)),
            ("Claude AI usage limit reached|1787587200", Some(3600.0)),
            ("failed after 3 attempts", None),
            ("after 3 retries, wait and see", None),
            ("Limit 30000, Used 6899", None),
            ("该模型 4 月 1 日后下线", None),
        ] {
            let found = text(sentence, &now, true);
            let is_right = match (found, seconds) {
                (Some(found), Some(seconds)) => (found - seconds).abs() < 0.01,
                (None, None) => true,
                _ => false,
            };
            assert!(is_right, "{sentence}: {found:?}");
        }
    }
}
