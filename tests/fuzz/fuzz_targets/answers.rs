//! Feeds the readers of webhooks' answers, and of the limits and models that Codex tells, with any answer.
//!
//! An input is two bytes for the status, one for the form, and the answer. Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run answers --fuzz-dir tests/fuzz
//! ```
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use vacancy::notify::form::{Form, Verdict};
use vacancy::toolprobe::free;

fuzz_target!(|data: &[u8]| {
    let [low, high, form, body @ ..] = data else { return };
    let status = u16::from_le_bytes([*low, *high]);
    let (_, form) = Form::ALL[usize::from(*form) % Form::ALL.len()];
    match form.verdict(status, body) {
        Verdict::Taken => assert!((200..300).contains(&status), "{form:?} {status}"),
        Verdict::Refused { why, .. } => assert!(why.chars().count() <= 400 && !why.contains(char::is_control), "{why:?}"),
        Verdict::Busy { .. } => {}
    }
    free::is_answered(body);
    free::catalogue(body);
    let told = free::read(body, Timestamp::UNIX_EPOCH);
    assert!(told.limits.iter().all(|limit| limit.used_percent.is_finite()), "{:?}", told.limits);
});
