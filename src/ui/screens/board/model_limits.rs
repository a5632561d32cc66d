//! How much of the user's limits is used, and how many sessions use them, in words. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::board::Entry;
use crate::core::limits::{Span, Window};
use crate::core::outcome::Family;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;

use super::model_detail::Fact;

/// From so many on, sessions are named as a reason for a limit.
const SEVERAL: usize = 2;

/// The limits of a target that still say something, shortest first: its tool's plan, or its key.
fn windows(entry: &Entry, snapshot: &Snapshot, now: Timestamp) -> Vec<Window> {
    let provider = entry.target.provider.as_str();
    let of_plan = snapshot.status.limits.iter().filter(|limit| {
        // Other groups of windows are of models that the log does not name.
        limit.tool.name() == provider && limit.id.as_ref().is_none_or(|id| id.as_str() == provider)
    });
    let of_key = snapshot.status.key_limits.get(&entry.target.id).map_or(&[][..], |windows| windows);
    let all = of_plan.filter_map(|limit| limit.window()).chain(of_key.iter().cloned());
    let mut windows: Vec<Window> = all.filter(|window| window.is_current(now)).collect();
    windows.sort_by_key(|window| window.span);
    windows
}

/// Running sessions of the tool whose plan the target is.
fn sessions(entry: &Entry, snapshot: &Snapshot) -> usize {
    let provider = entry.target.provider.as_str();
    snapshot.status.running.iter().find(|(tool, _)| tool.name() == provider).map_or(0, |(_, n)| *n)
}

/// The windows of a target's plan or key, a line each.
pub fn of_plan(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<String> {
    windows(entry, snapshot, now).iter().map(|window| line(window, snapshot, now, tr)).collect()
}

fn line(window: &Window, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let (name, percent) = (name(window.span, tr), percent(window));
    match window.resets_at {
        Some(at) => {
            let time = format::moment(at, now, &snapshot.zone, tr);
            tr.with("context-limit-resets", &args!("window" => name, "percent" => percent, "time" => time))
        }
        None => tr.with("context-limit", &args!("window" => name, "percent" => percent)),
    }
}

/// A line a limit, and one for the sessions where there is a limit to explain.
pub fn facts(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Fact> {
    let windows = windows(entry, snapshot, now);
    let is_close = entry.family() == Family::Limited || windows.iter().any(Window::is_near);
    let mut facts: Vec<Fact> = windows
        .iter()
        .map(|window| Fact { label: tr.text("context-limit-label"), value: line(window, snapshot, now, tr) })
        .collect();
    let n = sessions(entry, snapshot);
    if is_close && n > 0 {
        let value = tr.with("context-sessions", &args!("n" => n));
        facts.push(Fact { label: tr.text("context-sessions-label"), value });
    }
    facts
}

/// What a limit adds to the advice of a row: a warning before it is reached, and why and until when once it is.
/// `left` is the wait that the refusal named, in whole minutes.
pub fn advice(entry: &Entry, snapshot: &Snapshot, left: Option<i64>, now: Timestamp, tr: &Tr) -> Option<String> {
    if entry.is_refused_in_sessions {
        return None;
    }
    let windows = windows(entry, snapshot, now);
    let fullest = windows.iter().max_by(|one, other| one.used_percent.total_cmp(&other.used_percent));
    match entry.family() {
        Family::Available => {
            let window = fullest.filter(|window| window.is_near())?;
            let (name, percent) = (name(window.span, tr), percent(window));
            Some(tr.with("context-advice-near", &args!("window" => name, "percent" => percent)))
        }
        Family::Limited => {
            let resets_at = fullest.filter(|window| window.used_percent >= 100.0).and_then(|window| window.resets_at);
            let until = match (left, resets_at) {
                (None, Some(at)) => {
                    let time = format::moment(at, now, &snapshot.zone, tr);
                    Some(tr.with("context-advice-resets", &args!("time" => time)))
                }
                (Some(minutes), _) => Some(tr.with("context-advice-left", &args!("left" => format::span(minutes, tr)))),
                (None, None) => None,
            };
            match sessions(entry, snapshot) {
                n if n >= SEVERAL => Some(match until {
                    Some(advice) => tr.with("context-advice-sessions", &args!("advice" => advice, "n" => n)),
                    None => tr.with("context-sessions", &args!("n" => n)),
                }),
                // The usual advice names the wait in more words.
                _ => until.filter(|_| left.is_none()),
            }
        }
        Family::Full | Family::Fault | Family::Blocked | Family::Unknown => None,
    }
}

fn name(span: Span, tr: &Tr) -> String {
    match span {
        Span::Minutes(10_080) => tr.text("context-span-week"),
        Span::Minutes(1_440) => tr.text("context-span-day"),
        Span::Minutes(minutes) if minutes % 1_440 == 0 => tr.with("context-span-days", &args!("n" => minutes / 1_440)),
        Span::Minutes(minutes) if minutes % 60 == 0 => tr.with("context-span-hours", &args!("n" => minutes / 60)),
        Span::Minutes(minutes) => tr.with("context-span-minutes", &args!("n" => minutes)),
        Span::Plan => tr.text("context-span-plan"),
        Span::Requests => tr.text("context-span-requests"),
        Span::Tokens => tr.text("context-span-tokens"),
    }
}

/// Whole percents, cut off: 100 is said only of what is used up.
fn percent(window: &Window) -> String {
    format!("{:.0}", window.used_percent.floor())
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::outcome::{Kind, Scope};
    use crate::core::target::Role;
    use crate::i18n::Lang;
    use crate::listen::{Limit, Tool};
    use crate::ui::stage::Stage;

    fn said(kind: Kind, scope: Scope, used: f32, running: usize, left: Option<i64>) -> (Vec<String>, Option<String>) {
        let now: Timestamp = "2026-11-29T13:27:00Z".parse().unwrap();
        let mut stage = Stage::new(now, TimeZone::UTC);
        stage.target("gpt-6-luna", "codex", Some(Role::Primary));
        stage.state(kind, scope, 4, "rule");
        let limit = |minutes, used_percent, resets: &str| Limit {
            ts: Some(now),
            tool: Tool::Codex,
            id: None,
            window_minutes: Some(minutes),
            used_percent,
            resets_at: resets.parse().ok(),
        };
        stage.status(|status| {
            status.limits = vec![
                limit(10_080, 31.9, "2026-12-03T09:00:00Z"),
                limit(300, used, "2026-11-29T15:40:00Z"),
                limit(60, 100.0, "2026-11-29T13:27:00Z"),
            ];
            status.running = vec![(Tool::Codex, running), (Tool::ClaudeCode, 9)];
        });
        let (snapshot, tr) = (stage.snapshot(), Tr::new(Lang::English));
        let entry = &snapshot.board.entries[0];
        let facts = facts(entry, &snapshot, now, &tr).into_iter().map(|fact| fact.value).collect();
        (facts, advice(entry, &snapshot, left, now, &tr))
    }

    #[test]
    fn limits_are_told_before_and_after_they_are_reached() {
        let free = |used, running| said(Kind::Available, Scope::Model, used, running, None);
        let limited = |used, running, left| said(Kind::UsageLimit, Scope::Account, used, running, left);
        let week = "weekly window: 31 % used, resets Thu 09:00";
        let hours = |used: &str| format!("5-hour window: {used} % used, resets 15:40");
        // A window that has started anew is not told.
        assert_eq!(free(41.5, 6), (vec![hours("41"), week.into()], None));
        assert_eq!(
            free(99.7, 6),
            (
                vec![hours("99"), week.into(), "6 sessions of yours are running".into()],
                Some("5-hour window: 99 % used".into())
            )
        );
        assert_eq!(limited(100.0, 1, None).1.as_deref(), Some("resets 15:40"));
        assert_eq!(limited(100.0, 6, None).1.as_deref(), Some("6 sessions run; resets 15:40"));
        assert_eq!(limited(50.0, 6, Some(3)).1.as_deref(), Some("6 sessions run; 3 min left"));
        assert_eq!(limited(50.0, 6, None).1.as_deref(), Some("6 sessions of yours are running"));
        assert_eq!(limited(50.0, 1, None).1, None);
        assert_eq!(limited(50.0, 1, Some(3)).1, None, "the usual words are enough");
        assert_eq!(limited(50.0, 1, None).0.last().map(String::as_str), Some("1 session of yours is running"));
        assert_eq!(said(Kind::AtCapacity, Scope::Model, 99.0, 6, None).1, None, "their load is not the user's limit");
    }
}
