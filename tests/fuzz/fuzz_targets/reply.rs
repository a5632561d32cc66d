//! Feeds the reader of replies with any stream, as it comes from a network: in pieces of any size.
//!
//! An input is one byte for the size of the pieces, and the stream. Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run reply --fuzz-dir tests/fuzz
//! ```
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::exchange::{BODY_LIMIT, End, Exchange};
use vacancy::core::outcome::Kind;
use vacancy::core::reply::ReplyReader;
use vacancy::core::target::Dialect;

static RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::builtin);

fuzz_target!(|data: &[u8]| {
    let [size, body @ ..] = data else { return };
    let body = &body[..body.len().min(BODY_LIMIT)];
    let mut whole = ReplyReader::new();
    whole.push(body);
    let mut parts = ReplyReader::new();
    let mut before = parts.progress();
    for part in body.chunks(usize::from(*size).max(1)) {
        let now = parts.push(part);
        assert!(now.output || !before.output, "what was said stays said");
        before = now;
    }
    assert_eq!(whole.progress(), parts.progress());
    let (whole, parts) = (whole.finish(), parts.finish());
    assert_eq!(format!("{whole:?}"), format!("{parts:?}"));
    // A torn stream is a free model only if it had output, counted its tokens, or said why it ended.
    let (has_output, says_end) = (whole.progress.output || whole.has_usage, whole.finish.is_some());
    for end in [End::Complete, End::Cut, End::Stalled] {
        let exchange = Exchange { end: end.clone(), status: Some(200), body: body.to_vec(), ..Exchange::default() };
        for dialect in Dialect::PROBED {
            let outcome = classify(dialect, &exchange, &RULES);
            // An error that says that the output budget was spent proves that the model ran.
            let is_spent = outcome.rule == "output-budget-spent";
            assert!(outcome.kind != Kind::Available || has_output || says_end || is_spent || end == End::Complete, "{end:?}: {outcome:?}");
        }
    }
});
