//! Says to a person what an error means, whose it is, and what to do.
//!
//! Pure: [`paste`] makes an exchange of what was pasted, [`words`] makes sentences of a verdict.

pub mod paste;
pub mod words;

use jiff::Timestamp;

use crate::core::classify::{Origin, RuleSet, classify, classify_text};
use crate::core::outcome::Outcome;
use crate::explain::paste::Paste;

/// The verdict on a pasted text. `now` stands in for the time of the answer where the text does not tell it.
pub fn judge(origin: Origin<'_>, text: &str, now: Timestamp, rules: &RuleSet) -> Outcome {
    match paste::read(text) {
        Paste::Exchange(mut exchange) => {
            if exchange.header("date").is_none() {
                exchange.received_at = Some(now);
            }
            classify(origin, &exchange, rules)
        }
        Paste::Printed(line) => classify_text(origin, &line, Some(now), rules),
    }
}
