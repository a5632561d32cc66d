//! How much of a limit is used and when it starts anew: of a plan's windows and of a key's headroom.
//!
//! Providers tell both with every answer, also with good ones, so they are known before they refuse.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::core::classify::span::{duration, number, span};
use crate::core::exchange::Exchange;

/// A reading without a reset time and without a length is believed for this long.
const BELIEVED: SignedDuration = SignedDuration::from_mins(15);
/// A reset further away than this is a mistake of the server.
const FURTHEST: SignedDuration = SignedDuration::from_hours(40 * 24);
/// From this share on, in percent, a limit is worth a word before it is reached.
pub const NEAR: f32 = 80.0;

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Span {
    /// A plan's use within so many minutes.
    Minutes(u32),
    /// A plan's use within a time that was not told.
    Plan,
    /// Requests of a key.
    Requests,
    /// Tokens of a key, in, out or both.
    Tokens,
}

/// One limit as it was told last.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// What it counts.
    pub span: Span,
    /// The share that is used, in percent: 0 to 100, above where a provider lets that be.
    pub used_percent: f32,
    /// When it starts anew.
    pub resets_at: Option<Timestamp>,
    /// When it was told.
    pub told_at: Timestamp,
}

impl Window {
    /// Whether it still says something at `now`: a window that has started anew is used by an unknown share.
    pub fn is_current(&self, now: Timestamp) -> bool {
        let until = self.resets_at.unwrap_or_else(|| {
            let believed = match self.span {
                Span::Minutes(minutes) => SignedDuration::from_mins(i64::from(minutes)),
                Span::Plan | Span::Requests | Span::Tokens => BELIEVED,
            };
            self.told_at.checked_add(believed).unwrap_or(Timestamp::MAX)
        });
        now < until
    }

    /// Whether it is nearly or quite used up.
    pub fn is_near(&self) -> bool {
        self.used_percent >= NEAR
    }
}

/// The limits that an answer's headers tell: Codex's and Claude's windows, and of ordinary dimensions (requests, tokens)
/// the one that is used most. `received_at` is when the answer came.
pub fn windows(exchange: &Exchange, received_at: Timestamp) -> Vec<Window> {
    let mut by_span: BTreeMap<Span, Window> = BTreeMap::new();
    let plans = exchange.headers.iter().filter_map(|(name, value)| plan(exchange, name, value, received_at));
    let dimensions = exchange.headers.iter().filter_map(|(name, _)| dimension(exchange, name, received_at));
    for window in plans.chain(dimensions) {
        let known = by_span.get(&window.span);
        if known.is_none_or(|known| known.used_percent < window.used_percent) {
            by_span.insert(window.span, window);
        }
    }
    // Of a key's dimensions the one that ends first is enough.
    let keys = [Span::Requests, Span::Tokens].map(|span| by_span.get(&span).map_or(-1.0, |window| window.used_percent));
    by_span.remove(if keys[0] >= keys[1] { &Span::Tokens } else { &Span::Requests });
    by_span.into_values().collect()
}

/// A plan's window, found by the header that tells its use.
fn plan(exchange: &Exchange, name: &str, value: &str, received_at: Timestamp) -> Option<Window> {
    let name = name.to_ascii_lowercase();
    let number_of = |name: String| exchange.header(&name).and_then(number);
    let (span, used, resets_at) = if let Some(rest) = name.strip_prefix("x-codex-") {
        let window = rest.strip_suffix("-used-percent")?;
        let minutes = number_of(format!("x-codex-{window}-window-minutes"));
        let span = minutes.and_then(whole_minutes).map_or(Span::Plan, Span::Minutes);
        let at = exchange.header(&format!("x-codex-{window}-reset-at"));
        let after = exchange.header(&format!("x-codex-{window}-reset-after-seconds"));
        let resets = after.or(at).and_then(|text| moment(text, received_at));
        (span, number(value)?, resets)
    } else {
        let window = name.strip_prefix("anthropic-ratelimit-unified-")?.strip_suffix("-utilization")?;
        let minutes = duration(window).map(|(seconds, _)| seconds / 60.0);
        let span = minutes.and_then(whole_minutes).map_or(Span::Plan, Span::Minutes);
        let resets = exchange.header(&format!("anthropic-ratelimit-unified-{window}-reset"));
        // A share of one.
        (span, number(value)? * 100.0, resets.and_then(|text| moment(text, received_at)))
    };
    made(span, used, resets_at, received_at)
}

/// A key's dimension, found by the header that tells what is left.
fn dimension(exchange: &Exchange, name: &str, received_at: Timestamp) -> Option<Window> {
    let name = name.to_ascii_lowercase();
    if !name.contains("ratelimit") || !name.contains("remaining") || name.contains("unified") {
        return None;
    }
    let of = |word: &str| exchange.header(&name.replace("remaining", word));
    let (left, limit) = (exchange.header(&name).and_then(number)?, of("limit").and_then(number)?);
    if limit <= 0.0 || left < 0.0 {
        return None;
    }
    let span = if name.contains("token") { Span::Tokens } else { Span::Requests };
    let used = (1.0 - left / limit).max(0.0) * 100.0;
    made(span, used, of("reset").and_then(|text| moment(text, received_at)), received_at)
}

fn made(span: Span, used: f64, resets_at: Option<Timestamp>, told_at: Timestamp) -> Option<Window> {
    #[expect(clippy::cast_possible_truncation, reason = "a percentage that was checked to be small")]
    (0.0..=1_000.0).contains(&used).then_some(Window { span, used_percent: used as f32, resets_at, told_at })
}

fn whole_minutes(minutes: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between a minute and forty days")]
    (1.0..=57_600.0).contains(&minutes).then(|| minutes.round() as u32)
}

/// A reset as servers spell it: RFC 3339, unix seconds or milliseconds, seconds from now, or `6m0s`.
fn moment(text: &str, received_at: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let at = match (text.parse::<Timestamp>(), number(text)) {
        (Ok(at), _) => at,
        (_, Some(millis)) if millis > 1e12 => {
            Timestamp::from_duration(SignedDuration::try_from_secs_f64(millis / 1e3).ok()?).ok()?
        }
        (_, Some(unix)) if unix > 1e9 => {
            Timestamp::from_duration(SignedDuration::try_from_secs_f64(unix).ok()?).ok()?
        }
        (_, seconds) => {
            let seconds = seconds.or_else(|| span(text))?;
            received_at.checked_add(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()?
        }
    };
    let wait = at.duration_since(received_at);
    (SignedDuration::ZERO..=FURTHEST).contains(&wait).then_some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(headers: &[(&str, &str)]) -> Vec<(Span, f32, Option<String>)> {
        let received_at = "2026-11-29T13:00:00Z".parse().unwrap();
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let exchange = Exchange { headers, ..Exchange::default() };
        let windows = windows(&exchange, received_at);
        assert!(windows.iter().all(|window| window.told_at == received_at));
        windows
            .iter()
            .map(|window| (window.span, window.used_percent, window.resets_at.map(|at| at.to_string())))
            .collect()
    }

    #[test]
    fn every_providers_headers_are_read() {
        let at = |text: &str| Some(format!("2026-11-29T{text}Z"));
        for (headers, expected) in [
            (vec![], vec![]),
            (
                vec![
                    ("X-Codex-Primary-Used-Percent", "82"),
                    ("x-codex-primary-window-minutes", "300"),
                    ("x-codex-primary-reset-after-seconds", "6000"),
                    ("x-codex-secondary-used-percent", "31.5"),
                    ("x-codex-secondary-window-minutes", "10080"),
                    ("x-codex-secondary-reset-at", "1780000000"),
                ],
                // The second reset lies in the past.
                vec![(Span::Minutes(300), 82.0, at("14:40:00")), (Span::Minutes(10_080), 31.5, None)],
            ),
            (
                vec![
                    ("anthropic-ratelimit-unified-5h-utilization", "0.5"),
                    ("anthropic-ratelimit-unified-5h-reset", "1795962600"),
                    ("anthropic-ratelimit-unified-7d-utilization", "1"),
                    ("anthropic-ratelimit-unified-status", "allowed"),
                ],
                vec![(Span::Minutes(300), 50.0, at("14:30:00")), (Span::Minutes(10_080), 100.0, None)],
            ),
            (
                vec![
                    ("anthropic-ratelimit-requests-limit", "50"),
                    ("anthropic-ratelimit-requests-remaining", "49"),
                    ("anthropic-ratelimit-requests-reset", "2026-11-29T13:00:30Z"),
                    ("anthropic-ratelimit-input-tokens-limit", "1000"),
                    ("anthropic-ratelimit-input-tokens-remaining", "250"),
                    ("anthropic-ratelimit-input-tokens-reset", "2026-11-29T13:01:00Z"),
                ],
                vec![(Span::Tokens, 75.0, at("13:01:00"))],
            ),
            (
                vec![
                    ("x-ratelimit-limit-requests", "200"),
                    ("x-ratelimit-remaining-requests", "0"),
                    ("x-ratelimit-reset-requests", "6m0s"),
                    ("x-ratelimit-limit-tokens", "40000"),
                    ("x-ratelimit-remaining-tokens", "40000"),
                ],
                vec![(Span::Requests, 100.0, at("13:06:00"))],
            ),
            (
                vec![
                    ("x-ratelimit-limit", "20"),
                    ("x-ratelimit-remaining", "5"),
                    ("x-ratelimit-reset", "1795957800000"),
                ],
                vec![(Span::Requests, 75.0, at("13:10:00"))],
            ),
            (vec![("x-ratelimit-remaining", "5")], vec![]),
            (vec![("x-ratelimit-limit", "0"), ("x-ratelimit-remaining", "0")], vec![]),
            (vec![("x-codex-primary-used-percent", "NaN")], vec![]),
            (vec![("x-codex-primary-used-percent", "12")], vec![(Span::Plan, 12.0, None)]),
        ] {
            assert_eq!(told(&headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn a_window_that_has_started_anew_says_nothing() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let told_at = at("2026-11-29T13:00:00Z");
        let mut window = Window {
            span: Span::Minutes(300),
            used_percent: 80.0,
            resets_at: Some(at("2026-11-29T15:40:00Z")),
            told_at,
        };
        assert!(window.is_near());
        assert!(window.is_current(at("2026-11-29T15:39:59Z")) && !window.is_current(at("2026-11-29T15:40:00Z")));
        window.resets_at = None;
        assert!(window.is_current(at("2026-11-29T17:59:00Z")) && !window.is_current(at("2026-11-29T18:00:00Z")));
        window.span = Span::Tokens;
        assert!(!window.is_current(at("2026-11-29T13:15:00Z")));
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn no_header_breaks_it(
            headers in proptest::collection::vec(
                ("(x-codex-|anthropic-ratelimit-(unified-)?|x-ratelimit-)?[a-z0-9-]{0,20}(remaining|limit|reset|-used-percent|-utilization)?", "\\PC{0,30}|-?[0-9.]{1,25}|[0-9]{1,9}[smhdw]"),
                0..12,
            )
        ) {
            let received_at: Timestamp = "2026-11-29T13:00:00Z".parse().unwrap();
            for window in windows(&Exchange { headers, ..Exchange::default() }, received_at) {
                prop_assert!((0.0..=1_000.0).contains(&window.used_percent));
                prop_assert!(window.resets_at.is_none_or(|at| at >= received_at));
            }
        }
    }
}
