//! Feeds the classifier with any exchange and the explainer with any text.
//!
//! An input is one byte for how the exchange ended, two for the status, header lines, an empty line, and the body
//! (`tests/it/classify.rs` makes such seeds of the corpora). Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run classify --fuzz-dir tests/fuzz
//! ```
#![no_main]

use std::time::Duration;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Phase};
use vacancy::core::outcome::{Kind, Outcome, Scope};
use vacancy::core::reply::ReplyReader;
use vacancy::core::target::Dialect;
use vacancy::explain::judge;

fuzz_target!(|data: &[u8]| {
    let rules = RuleSet::builtin();
    let exchange = exchange(data);
    for dialect in [Dialect::OpenaiChat, Dialect::Generic] {
        hold(&classify(dialect, &exchange, &rules));
    }
    split(&exchange.body, usize::from(data.first().copied().unwrap_or(1)));
    let text = String::from_utf8_lossy(data.get(3..).unwrap_or_default());
    hold(&judge(Dialect::Generic.into(), &text, Timestamp::UNIX_EPOCH, &rules));
});

fn exchange(data: &[u8]) -> Exchange {
    let (start, rest) = data.split_at(data.len().min(3));
    let at = |index: usize| start.get(index).copied().unwrap_or(0);
    let (head, body) = match rest.windows(2).position(|pair| pair == b"\n\n") {
        Some(end) => (&rest[..end], &rest[end + 2..]),
        None => (&b""[..], rest),
    };
    let headers = String::from_utf8_lossy(head)
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let failed = |phase| End::Failed(Failure { phase, text: String::from_utf8_lossy(body).into_owned() });
    let end = match at(0) % 9 {
        0..=1 => End::Complete,
        2 => End::Cut,
        3 => End::Stalled,
        4 => failed(None),
        5 => failed(Some(Phase::Build)),
        6 => failed(Some(Phase::Connect)),
        7 => failed(Some(Phase::Tls)),
        _ => failed(Some(Phase::FirstByte)),
    };
    let status = if matches!(end, End::Failed(_)) { None } else { Some(u16::from_le_bytes([at(1), at(2)])) };
    let body = body[..body.len().min(BODY_LIMIT)].to_vec();
    Exchange { end, status, headers, body, received_at: Some(Timestamp::UNIX_EPOCH), ..Exchange::default() }
}

/// What holds for every verdict.
fn hold(outcome: &Outcome) {
    assert!(!outcome.rule.is_empty());
    assert!(outcome.excerpt.chars().count() <= 300);
    assert!(outcome.retry_after.is_none_or(|wait| wait <= Duration::from_secs(35 * 86_400)));
    assert_eq!(outcome.switch_helps, outcome.scope == Scope::Model && outcome.kind != Kind::Available);
    assert!(outcome.kind != Kind::Available || outcome.excerpt.is_empty());
}

/// A body reads alike however it is cut.
fn split(body: &[u8], size: usize) {
    let mut whole = ReplyReader::new();
    whole.push(body);
    let mut parts = ReplyReader::new();
    for part in body.chunks(size.max(1)) {
        parts.push(part);
    }
    assert_eq!(whole.progress(), parts.progress());
    let (whole, parts) = (whole.finish(), parts.finish());
    assert_eq!(format!("{whole:?}"), format!("{parts:?}"));
}
