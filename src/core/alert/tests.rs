//! What holds whatever happens.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::simulate::story::{Act, Pure, Story, line, play};

const HEAD: &str = "
settings about=chain quiet=02:00-03:30 reminders=45m
target sol near primary
target luna near backup
target mars near backup
target vega far emergency
00:00..00:10/5m all free
";

const KINDS: [(Kind, Scope); 6] = [
    (Kind::Available, Scope::Model),
    (Kind::Available, Scope::Model),
    (Kind::AtCapacity, Scope::Model),
    (Kind::ServerError, Scope::Provider),
    (Kind::Timeout, Scope::Provider),
    (Kind::UsageLimit, Scope::Account),
];

/// Seconds from one thing to the next; nothing at all often, so that things happen together.
const STEPS: [i64; 8] = [0, 0, 1, 20, 30, 90, 400, 900];

/// What is seen: how long after the last, of which target, and what.
type Step = (usize, usize, usize);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..STEPS.len(), 0..4_usize, 0..KINDS.len()), 1..120)
}

fn story(steps: &[Step]) -> Story {
    let mut story = Story::parse(HEAD).unwrap();
    let mut at = story.acts.last().unwrap().0 + SignedDuration::from_secs(1);
    let mut together: Vec<usize> = Vec::new();
    for (step, target, kind) in steps {
        at += SignedDuration::from_secs(STEPS[*step]);
        if STEPS[*step] > 0 {
            together.clear();
        } else if together.contains(target) {
            // A target has one result at a moment.
            together.clear();
            at += SignedDuration::from_secs(1);
        }
        together.push(*target);
        let (kind, scope) = KINDS[*kind];
        let retry_after_s = (kind == Kind::UsageLimit).then_some(1_800);
        let sample = Sample {
            target: story.targets[*target].id.clone(),
            source: Source::Probe,
            at,
            kind,
            scope,
            http_status: None,
            connect_ms: None,
            first_token_ms: None,
            total_ms: None,
            retry_after_s,
            rule: "test".into(),
        };
        story.acts.push((at, Act::Probed(sample)));
    }
    story.acts.push((at + SignedDuration::from_hours(4), Act::End));
    story
}

fn notices(story: &Story) -> Vec<Notice> {
    play(story, &mut Pure::new(story))
}

/// What a person believes of a model who reads nothing but notices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Belief {
    Free,
    Away,
    Unsteady,
}

/// Follows the notices as a person does; what says again what is believed already is an error.
fn believe(beliefs: &mut HashMap<TargetId, Belief>, notice: &Notice) -> Result<(), String> {
    let mut news = |targets: &[TargetId], to: Belief| {
        let is_news = targets.iter().any(|target| beliefs.get(target).copied().unwrap_or(Belief::Free) != to);
        beliefs.extend(targets.iter().map(|target| (target.clone(), to)));
        if is_news { Ok(()) } else { Err(format!("said again: {}", line(notice))) }
    };
    match &notice.subject {
        Subject::Full { target, .. } | Subject::Limited { target, .. } => {
            news(std::slice::from_ref(target), Belief::Away)
        }
        Subject::Recovered { target, .. } | Subject::LimitReset { target } => {
            news(std::slice::from_ref(target), Belief::Free)
        }
        Subject::ProviderAway { targets, .. } => news(targets, Belief::Away),
        Subject::ProviderBack { targets, .. } => news(targets, Belief::Free),
        Subject::Flapping { target, .. } => news(std::slice::from_ref(target), Belief::Unsteady),
        Subject::Settled { target, is_free, .. } => {
            news(std::slice::from_ref(target), if *is_free { Belief::Free } else { Belief::Away })
        }
        Subject::Summary { back, away, .. } => {
            beliefs.extend(back.iter().map(|target| (target.clone(), Belief::Free)));
            beliefs.extend(away.iter().map(|target| (target.clone(), Belief::Away)));
            Ok(())
        }
        Subject::Reminder { target, .. } => {
            if beliefs.get(target) == Some(&Belief::Away) {
                Ok(())
            } else {
                Err(format!("of nothing: {}", line(notice)))
            }
        }
        other => Err(format!("{other:?}")),
    }
}

/// Whether the same was told at the same time. What waits for evidence is told within a second of it, when the schedule wakes
/// by its own chance.
fn alike(one: &[Notice], other: &[Notice]) -> Result<(), String> {
    let is_same = |one: &Notice, other: &Notice| {
        one.subject == other.subject && one.at.duration_since(other.at).abs() <= SignedDuration::from_secs(1)
    };
    if one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other)) {
        return Ok(());
    }
    let text = |notices: &[Notice]| notices.iter().map(line).collect::<Vec<_>>().join("\n");
    Err(format!("\n{}\n--- or ---\n{}", text(one), text(other)))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..crate::properties::cases(120) })]

    #[test]
    fn nothing_is_told_twice_and_nobody_is_disturbed(steps in steps()) {
        let story = story(&steps);
        let notices = notices(&story);
        let mut beliefs = HashMap::new();
        for notice in &notices {
            if let Err(fault) = believe(&mut beliefs, notice) {
                prop_assert!(false, "{fault}\n{}", notices.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
            let minute = notice.at.as_second() % 86_400 / 60;
            prop_assert!(!(120..210).contains(&minute), "in quiet hours: {}", line(notice));
        }
        prop_assert!(notices.is_sorted_by(|a, b| a.id < b.id && a.at <= b.at));
    }

    #[test]
    fn a_restart_at_any_moment_changes_nothing(steps in steps(), when in any::<prop::sample::Index>()) {
        let story = story(&steps);
        let mut restarted = story.clone();
        let index = when.index(story.acts.len());
        let at = story.acts[index].0;
        restarted.acts.insert(index + 1, (at, Act::Restart));
        if let Err(fault) = alike(&notices(&story), &notices(&restarted)) {
            prop_assert!(false, "a restart at {at}: {fault}");
        }
    }

    #[test]
    fn the_order_of_what_happens_at_one_moment_does_not_matter(steps in steps(), seed in any::<u64>()) {
        let story = story(&steps);
        let mut shuffled = story.clone();
        let mut rng = fastrand::Rng::with_seed(seed);
        for moment in shuffled.acts.chunk_by_mut(|a, b| a.0 == b.0) {
            rng.shuffle(moment);
        }
        if let Err(fault) = alike(&notices(&story), &notices(&shuffled)) {
            prop_assert!(false, "{fault}");
        }
    }
}

#[test]
fn a_memory_that_is_not_understood_is_none() {
    let text = Alert::default().to_text();
    assert!(Memory::from_text(&text).is_some());
    for strange in ["", "{}", "[]", "null", &text.replace("\"version\":1", "\"version\":2"), &text[..text.len() / 2]] {
        assert_eq!(Memory::from_text(strange), None, "{strange}");
        let mut alert = Alert::default();
        alert.recall(strange);
        assert_eq!(alert.to_text(), text);
    }
}

#[test]
fn what_others_say_waits_for_the_end_of_quiet_hours_and_only_the_newest_of_a_tool_is_shown() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let quiet = vec![QuietHours::parse("22:00-07:00").unwrap()];
    let mut alert = Alert::new(AlertConfig { quiet, ..AlertConfig::default() });
    let board = Board::default();
    let switched = |tool: &str, why| Subject::Switched {
        tool: tool.to_owned(),
        from: None,
        to: Some("luna".into()),
        why,
        journal: 1,
    };
    let night = at("2026-03-02T23:00:00Z");
    alert.observe(&board, night);
    let rule = || crate::core::rules::Why::Away { kind: Kind::AtCapacity };
    assert!(!alert.post(switched("codex", rule()), Vec::new(), night).1);
    let (newest, is_shown) = alert.post(switched("codex", rule()), Vec::new(), night);
    assert!(!is_shown);
    assert!(alert.post(switched("codex", crate::core::rules::Why::Wish), Vec::new(), night).1, "the user is there");
    alert.observe(&board, night);
    assert_eq!(alert.wake_at(), Some(at("2026-03-03T07:00:00Z")));
    assert_eq!(alert.advance(&board, at("2026-03-03T07:00:00Z")), [newest]);
    assert!(alert.advance(&board, at("2026-03-03T07:00:01Z")).is_empty());
}
