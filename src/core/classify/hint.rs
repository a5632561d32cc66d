//! When to come back: from headers, body and text, in the order of trust.

use std::sync::LazyLock;
use std::time::Duration;

use aho_corasick::AhoCorasick;
use jiff::Timestamp;

use crate::core::classify::evidence::{BodyHint, Evidence};
use crate::core::classify::span::{duration, moment, number, seconds_of, span, zone};
use crate::core::exchange::Exchange;

/// Longer waits are cut to this: 35 days.
const LONGEST: f64 = 35.0 * 86_400.0;

/// The year 2200, in seconds. A moment after it is a mistake, and tells nothing.
const NEVER: f64 = 7_258_118_400.0;

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
        self.received.or(self.date).filter(|_| moment < NEVER).map(|now| moment - seconds_of(now))
    }

    /// Seconds from the server's clock: for moments in its own headers.
    fn until_by_server(&self, moment: f64) -> Option<f64> {
        self.date.or(self.received).filter(|_| moment < NEVER).map(|now| moment - seconds_of(now))
    }
}

fn http_date(text: &str) -> Option<Timestamp> {
    let at = httpdate::parse_http_date(text.trim()).ok()?;
    Timestamp::try_from(at).ok()
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
                None => http_date(text).and_then(|at| now.until_by_server(seconds_of(at))).or_else(|| span(text)),
            }
        })
    };
    let seconds = if skips_headers { None } else { header_hint() }
        .or_else(|| body(evidence, &now, is_beijing))
        .or_else(|| longer(evidence.window, if skips_headers { None } else { windows(exchange, &now) }))
        .or_else(|| evidence.sentences.iter().find_map(|at| text(evidence.sentence(at), &now, is_beijing)))
        .or_else(|| if skips_headers { None } else { dimensions(exchange, &now) })?;
    wait(seconds)
}

fn longer(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
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
        BodyHint::Duration(text) => span(text),
        BodyHint::Moment(text) => moment(text, is_beijing).and_then(|at| now.until(at)),
    })
}

/// Whether a header's name begins with one of these lower-case letters: spares the others a closer look.
fn begins(name: &str, letters: &[u8]) -> bool {
    name.len() > 8 && name.as_bytes().first().is_some_and(|first| letters.contains(&first.to_ascii_lowercase()))
}

/// The windows of plans: Codex, and those of Claude's that are rejected.
fn windows(exchange: &Exchange, now: &Now) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut take = |seconds: Option<f64>| {
        if let Some(seconds) = seconds {
            best = Some(best.map_or(seconds, |known| known.max(seconds)));
        }
    };
    for (name, value) in exchange.headers.iter().filter(|(name, _)| begins(name, b"xa")) {
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
    for (name, value) in exchange.headers.iter().filter(|(name, _)| begins(name, b"xar")) {
        let name = name.to_ascii_lowercase();
        if name == "ratelimit" {
            best = best.or_else(|| spent_policy(value));
            continue;
        }
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
                None => span(value),
            },
        };
        if let Some(seconds) = seconds {
            best = Some(best.map_or(seconds, |known| known.max(seconds)));
        }
    }
    best
}

/// The standard's one header: `limit=100, remaining=0, reset=30` or `"default";r=0;t=30`.
fn spent_policy(value: &str) -> Option<f64> {
    let mut fields = value.split([',', ';']).filter_map(|field| field.trim().split_once('='));
    let (mut left, mut reset) = (None, None);
    for (name, value) in &mut fields {
        match name.trim() {
            "remaining" | "r" => left = number(value),
            "reset" | "t" => reset = number(value),
            _ => {}
        }
    }
    reset.filter(|_| left.is_some_and(|left| left <= 0.0))
}

/// Phrases after which a span or a moment follows, lower case, longest first where one begins another.
const CUES: &[&str] = &[
    "try again in",
    "try again after",
    "try again at",
    "versuchen sie es in",
    "inténtelo en",
    "riprova tra",
    "retry after",
    "retry in",
    "retry at",
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
    "dans",
    "через",
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

static CUE_FINDER: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(CUES).expect("the cues fit into an automaton"));

/// The wait that a sentence states.
fn text(sentence: &str, now: &Now, is_beijing: bool) -> Option<f64> {
    if !sentence.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let lower = sentence.to_ascii_lowercase();
    // `timed out after 60s` tells how long it took.
    let invites = ["again", "retry", "wait", "available", "reset", "resume"].iter().any(|word| lower.contains(word));
    let mut hits: Vec<(usize, usize)> = CUE_FINDER
        .find_overlapping_iter(&lower)
        .map(|hit| (hit.pattern().as_usize(), hit.end()))
        .filter(|(cue, _)| CUES[*cue] != "after" || invites)
        .collect();
    hits.sort_unstable();
    let stated = hits.into_iter().find_map(|(cue, end)| stated(&lower[end..], CUES[cue], now, is_beijing));
    if stated.is_some() {
        return stated;
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
    if let Some(seconds) = clock(rest, now) {
        return Some(seconds);
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
    let is_chinese = matches!(cue, "请" | "约" | "于" | "预计");
    let is_loose = is_chinese || matches!(cue, "after" | "dans" | "через");
    if is_loose && !has_unit {
        return None;
    }
    if is_chinese && !rest.contains(['后', '後']) {
        return None;
    }
    (has_unit || (is_plain && stands_alone)).then_some(seconds)
}

/// `30 秒后重试`, `2小时15分钟后`: a span before "after".
fn chinese(text: &str) -> Option<f64> {
    for (at, _) in text.match_indices(['后', '後', '후']) {
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
                            | '間'
                            | '간'
                            | '초'
                            | '분'
                            | '시'
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

/// Reads a time of day with its zone that the text begins with, and waits for the next one: `10:00 UTC`, `3:05 am UTC`.
/// Without a zone it tells nothing.
fn clock(text: &str, now: &Now) -> Option<f64> {
    let (hours, rest) = text.split_once(':')?;
    let minutes = rest.get(..2)?;
    let is_plain = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(hours) || !is_plain(minutes) {
        return None;
    }
    let mut hours: f64 = hours.parse().ok()?;
    let minutes: f64 = minutes.parse().ok()?;
    let mut rest = rest[2..].trim_start();
    if let Some(tail) = rest.strip_prefix("am") {
        hours = if hours == 12.0 { 0.0 } else { hours };
        rest = tail;
    } else if let Some(tail) = rest.strip_prefix("pm") {
        hours = if hours < 12.0 { hours + 12.0 } else { hours };
        rest = tail;
    }
    if hours > 24.0 || minutes > 59.0 {
        return None;
    }
    let offset = f64::from(zone(rest.trim_start_matches([' ', '(']))?);
    let now = seconds_of(now.received.or(now.date)?);
    Some((hours * 3600.0 + minutes * 60.0 - offset - now).rem_euclid(86_400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Now {
        Now { received: Some(text.parse().expect("a moment")), date: None }
    }

    /// What is no wait counts as not said, so that what else the answer says is heard.
    #[test]
    fn a_header_of_nonsense_says_nothing() {
        let heard = |header: &str, body: &str| {
            let exchange = Exchange {
                headers: vec![("Retry-After".to_owned(), header.to_owned())],
                status: Some(429),
                body: body.as_bytes().to_vec(),
                received_at: Some("2026-08-24T15:00:00Z".parse().expect("a moment")),
                ..Exchange::default()
            };
            let rules = crate::core::classify::RuleSet::builtin();
            let dialect = crate::core::target::Dialect::OpenaiChat;
            crate::core::classify::classify(dialect, &exchange, &rules).retry_after.map(|wait| wait.as_secs())
        };
        let body = r#"{"error":{"code":"rate_limit_exceeded","message":"Please try again in 7s."}}"#;
        let digits = "9".repeat(400);
        for nonsense in ["1e999", "-1e999", "10,000", "1.2.3", "-5", "NaN", "inf", "1e300", &digits, "99999999999999"] {
            assert_eq!((heard(nonsense, ""), heard(nonsense, body)), (None, Some(7)), "{nonsense}");
        }
        for (text, seconds) in
            [("30", 30), ("1e3", 1000), ("2m", 120), ("1787587200", 3600), ("999999999", 35 * 86_400)]
        {
            assert_eq!(heard(text, body), Some(seconds), "{text}");
        }
    }

    /// An event's own number goes before the headers of windows that it carries, in whatever order they stand.
    #[test]
    fn the_order_of_members_is_no_matter() {
        let heard = |members: &[&str]| {
            let body = format!("data: {{{}}}\n\n", members.join(","));
            let exchange = Exchange { status: Some(200), body: body.into_bytes(), ..Exchange::default() };
            let rules = crate::core::classify::RuleSet::builtin();
            let dialect = crate::core::target::Dialect::OpenaiResponses;
            crate::core::classify::classify(dialect, &exchange, &rules).retry_after.map(|wait| wait.as_secs())
        };
        let kind = r#""type":"error""#;
        let full = r#""headers":{"X-Codex-Primary-Used-Percent":"100","X-Codex-Primary-Reset-After-Seconds":"5000"}"#;
        let two = r#""headers":{"x-codex-primary-reset-after-seconds":"600","x-codex-primary-used-percent":"40","x-codex-secondary-reset-after-seconds":"90000","x-codex-secondary-used-percent":"100"}"#;
        let error = r#""error":{"type":"usage_limit_reached","message":"x","resets_in_seconds":120}"#;
        let bare = r#""error":{"type":"usage_limit_reached","message":"x"}"#;
        let text = r#""error":{"type":"usage_limit_reached","message":"Try again in 7s."}"#;
        for (headers, error, seconds) in
            [(full, error, 120), (two, error, 120), (full, bare, 5000), (two, bare, 90_000), (full, text, 5000)]
        {
            for members in [[headers, kind, error], [kind, error, headers], [error, headers, kind]] {
                assert_eq!(heard(&members), Some(seconds), "{members:?}");
            }
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
