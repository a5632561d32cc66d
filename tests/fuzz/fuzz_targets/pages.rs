//! Feeds the readers of status pages and of OpenRouter's statistics with any document.
//!
//! An input is one byte for the source, and the document. Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run pages --fuzz-dir tests/fuzz
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use vacancy::context::remark::{judge_page, judge_upstreams, read_page};
use vacancy::context::sources::CONCERNS;
use vacancy::context::{Part, Says};
use vacancy::listen::pages::SOURCES;

fuzz_target!(|data: &[u8]| {
    let [source, document @ ..] = data else { return };
    let source = &SOURCES[usize::from(*source) % SOURCES.len()];
    judge_upstreams(document);
    let Some(parts) = read_page(source, document) else { return };
    for concern in CONCERNS {
        match judge_page(source, concern, &parts) {
            Says::Trouble(parts) => assert!((1..=8).contains(&parts.len()) && parts.iter().all(is_short)),
            Says::Good { parts, .. } => assert!(parts > 0),
            _ => {}
        }
    }
});

fn is_short(part: &Part) -> bool {
    [&part.name, &part.status].iter().all(|name| name.as_str().chars().count() <= 200 && !name.as_str().contains(char::is_control))
}
