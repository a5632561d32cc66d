//! How much of plans' windows is used, over a restart: kept with the record, and forgotten once they start anew.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::listen::{Limit, Name, Tool};

/// Under this name the record remembers the plans' windows.
pub(super) const KEPT: &str = "limits";

/// A window as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    tool: String,
    id: Option<String>,
    minutes: Option<u32>,
    used_percent: f32,
    resets_at: Option<Timestamp>,
    told_at: Timestamp,
}

/// What is worth keeping of these windows at `now`, as a text.
pub(super) fn to_text(limits: &[Limit], now: Timestamp) -> String {
    let kept: Vec<Kept> = limits
        .iter()
        .filter(|limit| is_current(limit, now))
        .filter_map(|limit| {
            Some(Kept {
                tool: limit.tool.name().to_owned(),
                id: limit.id.as_ref().map(|id| id.as_str().to_owned()),
                minutes: limit.window_minutes,
                used_percent: limit.used_percent,
                resets_at: limit.resets_at,
                told_at: limit.ts?,
            })
        })
        .collect();
    serde_json::to_string(&kept).unwrap_or_default()
}

/// The windows of a kept text that still say something at `now`; a text that is not understood has none.
pub(super) fn from_text(text: &str, now: Timestamp) -> Vec<Limit> {
    let kept: Vec<Kept> = serde_json::from_str(text).unwrap_or_default();
    let limits = kept.into_iter().filter_map(|kept| {
        Some(Limit {
            ts: Some(kept.told_at),
            tool: Tool::from_name(&kept.tool)?,
            id: kept.id.as_deref().and_then(Name::new),
            window_minutes: kept.minutes,
            used_percent: kept.used_percent,
            resets_at: kept.resets_at,
        })
    });
    limits.filter(|limit| is_current(limit, now)).collect()
}

fn is_current(limit: &Limit, now: Timestamp) -> bool {
    limit.window().is_some_and(|window| window.is_current(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_come_back_until_they_start_anew() {
        let now: Timestamp = "2026-11-29T12:00:00Z".parse().unwrap();
        let at = |text: &str| text.parse::<Timestamp>().ok();
        let limit = |minutes, resets_at| Limit {
            ts: Some(now),
            tool: Tool::Codex,
            id: Name::new("codex"),
            window_minutes: Some(minutes),
            used_percent: 82.5,
            resets_at,
        };
        let limits = [
            limit(300, at("2026-11-29T15:40:00Z")),
            limit(10_080, at("2026-12-03T09:00:00Z")),
            limit(60, at("2026-11-29T11:59:00Z")),
            limit(30, None),
            Limit { ts: None, ..limit(1, None) },
        ];
        let text = to_text(&limits, now);
        assert_eq!(from_text(&text, now), [limits[0].clone(), limits[1].clone(), limits[3].clone()]);
        assert_eq!(from_text(&text, at("2026-11-29T16:00:00Z").unwrap()), [limits[1].clone()]);
        for damaged in [
            "",
            "{}",
            "[{\"tool\":\"codex\"}]",
            "[{\"tool\":\"x\",\"used_percent\":1,\"told_at\":\"2026-11-29T12:00:00Z\"}]",
        ] {
            assert_eq!(from_text(damaged, now), []);
        }
    }
}
