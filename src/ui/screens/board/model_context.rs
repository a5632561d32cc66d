//! What others say of one target, in words. Pure.

use jiff::Timestamp;

use crate::args;
use crate::context::{Origin, Part, Remark, Says, Silence};
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::listen::Upstreams;
use crate::ui::format;

use super::model_detail::Fact;

/// Parts in trouble that are named.
const NAMED: usize = 3;

/// A line a source; none where no source speaks of the target.
pub fn context(target: &TargetId, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Fact> {
    let remarks = snapshot.context.get(target).map_or(&[][..], |remarks| remarks);
    remarks.iter().map(|remark| line(remark, snapshot, now, tr)).collect()
}

fn line(remark: &Remark, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Fact {
    let words = words(remark, tr);
    let value = match remark.checked_at {
        Some(at) => {
            let time = format::moment(at, now, &snapshot.zone, tr);
            tr.with("context-checked", &args!("words" => words, "time" => time))
        }
        None => words,
    };
    let label = tr.text(match remark.origin {
        Origin::Page(_) => "context-page",
        Origin::OpenRouter => "context-openrouter",
    });
    Fact { label, value }
}

fn words(remark: &Remark, tr: &Tr) -> String {
    match &remark.says {
        Says::Good { parts, missing } if missing.is_empty() => tr.with("context-good", &args!("n" => *parts)),
        Says::Good { parts, missing } => {
            tr.with("context-good-missing", &args!("n" => *parts, "names" => format::list(missing, tr)))
        }
        Says::NothingReported => tr.text("context-nothing-reported"),
        Says::Trouble(parts) => format::list(parts.iter().take(NAMED).map(|part| trouble(part, tr)), tr),
        Says::Upstreams(upstreams) => up(upstreams, tr),
        Says::Unknown(silence) => tr.text(match silence {
            Silence::NotAsked => "context-silent-not-asked",
            Silence::NoAnswer => "context-silent-no-answer",
            Silence::Moved => "context-silent-moved",
            Silence::NotUnderstood => "context-silent-not-understood",
            Silence::NoSuchPart => "context-silent-no-such-part",
        }),
        Says::Link => {
            let Origin::Page(page) = remark.origin else { return String::new() };
            tr.with("context-link", &args!("address" => page.trim_start_matches("https://")))
        }
    }
}

fn trouble(part: &Part, tr: &Tr) -> String {
    let word = part.status.as_str().to_ascii_lowercase();
    let status = tr.with("context-status", &args!("word" => word));
    tr.with("context-part", &args!("name" => part.name.as_str(), "status" => status))
}

fn up(upstreams: &Upstreams, tr: &Tr) -> String {
    let Upstreams { listed, failing, measured, up_percent } = *upstreams;
    let words = match up_percent {
        Some(percent) => tr.with("context-upstreams", &args!("percent" => percent_text(percent), "n" => measured)),
        None => tr.with("context-upstreams-unmeasured", &args!("n" => listed)),
    };
    match failing {
        0 => words,
        _ => tr.with("context-upstreams-failing", &args!("words" => words, "failing" => failing, "listed" => listed)),
    }
}

/// Whole percents, but never 100 for less.
fn percent_text(percent: f32) -> String {
    match percent {
        99.95.. => "100".to_owned(),
        99.0..99.95 => format!("{percent:.1}"),
        _ => format!("{percent:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::listen::Name;

    const PAGE: Origin = Origin::Page("https://status.example.com");

    fn said(origin: Origin, says: Says) -> String {
        words(&Remark { origin, says, checked_at: None }, &Tr::new(Lang::English))
    }

    #[test]
    fn every_word_is_a_sentence_a_person_can_use() {
        let part =
            |name: &str, status: &str| Part { name: Name::new(name).unwrap(), status: Name::new(status).unwrap() };
        let upstreams = |listed, failing, measured, up_percent| {
            Says::Upstreams(Upstreams { listed, failing, measured, up_percent })
        };
        for (origin, says, expected) in [
            (PAGE, Says::Good { parts: 1, missing: vec![] }, "operational"),
            (PAGE, Says::Good { parts: 3, missing: vec![] }, "all 3 parts operational"),
            (
                PAGE,
                Says::Good { parts: 2, missing: vec!["CLI"] },
                "2 parts operational, but “CLI” is not on the page any more",
            ),
            (PAGE, Says::NothingReported, "no trouble reported"),
            (
                PAGE,
                Says::Trouble(vec![part("Claude API", "partial_outage"), part("Code", "Melting")]),
                "Claude API: partial outage, Code: melting",
            ),
            (PAGE, Says::Link, "only for people: status.example.com"),
            (PAGE, Says::Unknown(Silence::Moved), "unknown: the page has moved"),
            (
                Origin::OpenRouter,
                upstreams(3, 0, 3, Some(97.2)),
                "97 % up in the last 30 min over 3 upstreams, rate limits left out",
            ),
            (
                Origin::OpenRouter,
                upstreams(4, 1, 1, Some(99.94)),
                "99.9 % up in the last 30 min on 1 upstream, rate limits left out; 1 of 4 failing",
            ),
            (Origin::OpenRouter, upstreams(2, 0, 0, None), "2 upstreams without figures"),
        ] {
            assert_eq!(said(origin, says), expected);
        }
        assert_eq!(percent_text(100.0), "100");
    }
}
