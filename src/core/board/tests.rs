//! What confirms a state, as a table: `.` free, `F` full, `5` server error, `A` key refused, `n` own network, `?` not
//! understood, `_` skipped; capitals after `l` come from a session log.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::core::schedule::SkipReason;
use crate::core::simulate::WorldDefaults;
use crate::core::target::{DailyCap, Role};

fn target() -> Arc<Target> {
    let defaults = WorldDefaults { cap: DailyCap { requests: 9, tokens: 9 }, tokens_per_probe: 1 };
    Arc::new(defaults.target(TargetId::from("t"), None, Role::Primary))
}

fn at(minute: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
}

/// One sample a minute.
fn samples(script: &str) -> Vec<Sample> {
    let mut source = Source::Probe;
    let mut minute = 0;
    let mut samples = Vec::new();
    for letter in script.chars() {
        let (kind, scope) = match letter {
            '.' => (Kind::Available, Scope::Model),
            'F' => (Kind::AtCapacity, Scope::Model),
            '5' => (Kind::ServerError, Scope::Provider),
            'A' => (Kind::Auth, Scope::Account),
            'n' => (Kind::Network, Scope::Local),
            '?' => (Kind::Unrecognized, Scope::Provider),
            '_' => (Kind::Skipped, Scope::Local),
            'l' => {
                source = Source::ToolLog;
                continue;
            }
            other => unreachable!("no meaning for {other}"),
        };
        let mut sample = SkipReason::Asleep.sample(TargetId::from("t"), at(minute));
        (sample.kind, sample.scope, sample.source) = (kind, scope, source);
        samples.push(sample);
        source = Source::Probe;
        minute += 1;
    }
    samples
}

fn play(samples: &[Sample]) -> (Board, Vec<Change>) {
    let mut board = Board::new([target()]);
    let mut changes = Vec::new();
    for sample in samples {
        changes.extend(board.apply(sample, Detail::of_record(sample.kind, sample.scope), &Thresholds::default()));
    }
    (board, changes)
}

#[test]
fn a_state_needs_its_confirmations() {
    let cases: &[(&str, Option<(Kind, i64)>)] = &[
        ("", None),
        (".", None),
        ("..", Some((Kind::Available, 0))),
        ("F", None),
        ("F5", Some((Kind::ServerError, 0))),
        (".F.F.F", None),
        ("..F", Some((Kind::Available, 0))),
        ("..F.F.", Some((Kind::Available, 0))),
        ("..FF", Some((Kind::AtCapacity, 2))),
        ("..FF.", Some((Kind::AtCapacity, 2))),
        ("..FF.F.", Some((Kind::AtCapacity, 2))),
        ("..FF..", Some((Kind::Available, 4))),
        // Another way of not being free is not a new outage until it is confirmed.
        ("FF5", Some((Kind::AtCapacity, 0))),
        ("FF55", Some((Kind::ServerError, 2))),
        // Only the user can end it: at once.
        ("..A", Some((Kind::Auth, 2))),
        ("..AA", Some((Kind::Auth, 2))),
        ("..A..", Some((Kind::Available, 3))),
        // What says nothing of the model neither counts nor resets.
        ("..FnF", Some((Kind::AtCapacity, 2))),
        ("..F?F", Some((Kind::AtCapacity, 2))),
        ("..n", Some((Kind::Available, 0))),
        ("..nn", Some((Kind::Network, 2))),
        ("..??", Some((Kind::Unrecognized, 2))),
        ("..nn..", Some((Kind::Available, 4))),
        // A gap ends a run, and changes nothing by itself.
        ("..F_F", Some((Kind::Available, 0))),
        ("..____", Some((Kind::Available, 0))),
        ("FF_.", Some((Kind::AtCapacity, 0))),
        ("FF_..", Some((Kind::Available, 3))),
    ];
    for (script, expected) in cases {
        let (board, _) = play(&samples(script));
        let confirmed = board.entries[0].confirmed.map(|state| (state.kind, state.since));
        assert_eq!(confirmed, expected.map(|(kind, minute)| (kind, at(minute))), "{script}");
    }
}

#[test]
fn own_trouble_never_has_the_family_of_a_fault() {
    let (board, _) = play(&samples("..nnnn"));
    assert_eq!(board.entries[0].family(), Family::Unknown);
}

#[test]
fn refusals_in_sessions_outweigh_passing_probes() {
    let cases = [
        ("..lF", true, Kind::Available),
        ("..lF.", false, Kind::Available),
        ("..lFlF", true, Kind::AtCapacity),
        ("..lFlF.", true, Kind::AtCapacity),
        ("..lFlF...", true, Kind::AtCapacity),
        ("..lFlFl.", false, Kind::AtCapacity),
        ("..lFlFl.l.", false, Kind::Available),
        ("..FF", false, Kind::AtCapacity),
    ];
    for (script, is_refused, kind) in cases {
        let (board, _) = play(&samples(script));
        let entry = &board.entries[0];
        assert_eq!((entry.is_refused_in_sessions, entry.confirmed.unwrap().kind), (is_refused, kind), "{script}");
        let now = samples(script).last().unwrap().at;
        assert_eq!(entry.is_free(now), !is_refused && kind == Kind::Available, "{script}");
    }
}

#[test]
fn after_ten_quiet_minutes_the_probes_decide_again() {
    let mut samples = samples("..lFlF..");
    for sample in &mut samples[4..] {
        sample.at += SignedDuration::from_mins(11);
    }
    let (board, _) = play(&samples);
    assert!(board.entries[0].is_free(samples.last().unwrap().at));
}

#[test]
fn a_skip_is_remembered_but_is_not_the_newest_answer() {
    let (board, _) = play(&samples("..F_"));
    let entry = &board.entries[0];
    assert_eq!(entry.latest.as_ref().unwrap().sample.kind, Kind::AtCapacity);
    assert_eq!(entry.recent.front().unwrap().kind, Kind::Skipped);
}

#[test]
fn a_late_first_token_is_slow() {
    for (ms, is_slow) in [(5_999, false), (6_000, false), (6_001, true)] {
        let mut samples = samples(".");
        samples[0].first_token_ms = Some(ms);
        assert_eq!(play(&samples).0.entries[0].is_slow, is_slow, "{ms}");
    }
}

#[test]
fn under_a_banner_own_network_results_change_nothing() {
    let mut board = play(&samples("..")).0;
    board.set_banner(Some(Banner::Offline { since: at(2) }));
    for sample in &samples("..nnn")[2..] {
        let changes = board.apply(sample, Detail::of_record(sample.kind, sample.scope), &Thresholds::default());
        assert!(changes.is_empty());
    }
    assert_eq!(board.entries[0].family(), Family::Available);
}

#[test]
fn a_clock_that_was_set_back_does_not_freeze_the_board() {
    let mut future = samples("..");
    for sample in &mut future {
        sample.at += SignedDuration::from_hours(1000);
    }
    let mut board = play(&future).0;
    board.forget_after(at(0));
    for sample in &samples("FF") {
        board.apply(sample, Detail::of_record(sample.kind, sample.scope), &Thresholds::default());
    }
    assert_eq!(board.entries[0].confirmed.unwrap().kind, Kind::AtCapacity);
    assert_eq!(board.entries[0].latest.as_ref().unwrap().sample.at, at(1));
}

#[test]
fn targets_that_stay_keep_what_is_known() {
    let mut board = play(&samples("..")).0;
    let other = Arc::new(Target { id: TargetId::from("new"), ..(*target()).clone() });
    board.set_targets([other, target()]);
    assert_eq!(board.entries[0].confirmed, None);
    assert!(board.entries[1].confirmed.is_some());
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    #[test]
    fn replay_gives_the_live_picture_and_changes_tell_all_of_it(script in "(l?[.F5An?_]){0,60}") {
        let samples = samples(&script);
        let (live, changes) = play(&samples);
        let told = changes.iter().filter_map(|change| match change {
            Change::Confirmed { transition, .. } => Some(*transition),
            Change::Banner(_) => None,
        });
        let told: Vec<_> = told.collect();
        prop_assert_eq!(told.last().map(|last| last.to), live.entries[0].confirmed);
        prop_assert!(told.windows(2).all(|pair| pair[1].from == Some(pair[0].to)));
        // Stored rows that come twice change nothing.
        let mut again = live.clone();
        for sample in &samples {
            again.apply(sample, Detail::of_record(sample.kind, sample.scope), &Thresholds::default());
        }
        prop_assert_eq!(&again, &live);
        prop_assert!(live.entries[0].recent.len() <= Entry::RECENT);
        prop_assert!(live.entries[0].recent.iter().zip(live.entries[0].recent.iter().skip(1)).all(|(a, b)| a.at >= b.at));
    }

    #[test]
    fn the_newest_dozen_is_enough_after_a_restart(script in "[.F5]{12,40}", end in "(\\.\\.|FF|55)") {
        let samples = samples(&format!("{script}{end}"));
        let (live, _) = play(&samples);
        let (restarted, _) = play(&samples[samples.len() - Entry::RECENT..]);
        let kind = |board: &Board| board.entries[0].confirmed.map(|state| state.kind);
        prop_assert_eq!(kind(&restarted), kind(&live));
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    #[test]
    fn a_stretch_begins_where_a_board_that_saw_everything_says(
        script in "([.]{5,40}|F{1,30}|[.F5An?_]{1,6}){1,24}", newest in 12_usize..30, page in 12_usize..40,
    ) {
        let samples = samples(&script);
        let (live, _) = play(&samples);
        let mut rest = samples.len().saturating_sub(newest);
        let (mut board, _) = play(&samples[rest..]);
        if let Some(mut stretch) = Stretch::begin(&target(), &samples[rest..], Thresholds::default()) {
            while rest > 0 {
                let older = rest.saturating_sub(page);
                if !stretch.older(&samples[older..rest]) {
                    break;
                }
                rest = older;
            }
            board.set_begun(&HashMap::from([(TargetId::from("t"), stretch.found())]));
        }
        let state = |board: &Board| board.entries[0].confirmed;
        // Where the newest samples alone tell another state than all do, no beginning is claimed for it.
        if state(&board).map(|state| state.kind) == state(&live).map(|state| state.kind) {
            prop_assert_eq!(state(&board), state(&live));
        }
    }
}

/// Samples by minute, kind and scope, from a tool's log.
fn told(script: &[(i64, Kind, Scope)]) -> (Board, Vec<Change>) {
    let sample = |(minute, kind, scope): &(i64, Kind, Scope)| {
        let mut sample = SkipReason::Asleep.sample(TargetId::from("t"), at(*minute));
        (sample.kind, sample.scope, sample.source) = (*kind, *scope, Source::ToolLog);
        sample
    };
    play(&script.iter().map(sample).collect::<Vec<_>>())
}

const FREE: (Kind, Scope) = (Kind::Available, Scope::Model);
const FULL: (Kind, Scope) = (Kind::AtCapacity, Scope::Model);
const KEY: (Kind, Scope) = (Kind::Auth, Scope::Account);

#[test]
fn a_state_speaks_of_now_as_long_as_its_newest_sign_does() {
    const DAYS: i64 = 2 * 24 * 60;
    let of = |minute: i64, (kind, scope): (Kind, Scope)| (minute, kind, scope);
    // Samples, the minute of now, and whether it is free, was free, and is stale.
    let cases = [
        (vec![of(0, FREE), of(5, FREE)], 25, (true, true, false)),
        (vec![of(0, FREE), of(5, FREE)], 26, (false, true, true)),
        (vec![of(0, FREE), of(5, FREE)], DAYS, (false, true, true)),
        // One fresh sample makes it live again; one that says another thing does not.
        (vec![of(0, FREE), of(5, FREE), of(DAYS, FREE)], DAYS + 1, (true, true, false)),
        (vec![of(0, FREE), of(5, FREE), of(DAYS, FULL)], DAYS + 1, (false, true, true)),
        (vec![of(0, FREE), of(5, FREE), of(15, FULL)], 16, (true, true, false)),
        (vec![of(0, FULL), of(5, FULL)], 26, (false, false, true)),
        (vec![of(0, FULL), of(5, FULL)], 25, (false, false, false)),
        // Only the user ends it.
        (vec![of(0, KEY)], DAYS, (false, false, false)),
        (vec![], 0, (false, false, false)),
        (vec![of(0, FREE)], 1, (false, false, false)),
    ];
    for (script, now, expected) in cases {
        let (board, _) = told(&script);
        let (entry, now) = (&board.entries[0], at(now));
        assert_eq!((entry.is_free(now), entry.was_free(), entry.is_stale(now)), expected, "{script:?} at {now}");
        assert_eq!(board.first_free(now).is_some(), expected.0, "{script:?} at {now}");
        assert_eq!(board.last_known_free().is_some(), expected.1, "{script:?} at {now}");
        let unknown = expected.2 || entry.confirmed.is_none();
        assert_eq!(entry.family_at(now) == Family::Unknown, unknown, "{script:?} at {now}");
    }
}

#[test]
fn a_refusal_that_names_its_end_holds_until_then() {
    let mut samples: Vec<Sample> = samples("FF");
    for sample in &mut samples {
        (sample.kind, sample.scope, sample.retry_after_s) = (Kind::UsageLimit, Scope::Account, Some(3 * 3600));
    }
    let (board, _) = play(&samples);
    assert!(board.entries[0].is_fresh(at(180)) && board.entries[0].is_stale(at(182)));
}

#[test]
fn a_silence_ends_a_run() {
    let of = |minute: i64, (kind, scope): (Kind, Scope)| (minute, kind, scope);
    let (board, changes) = told(&[of(0, FREE), of(5, FREE), of(500, FREE)]);
    assert_eq!(board.entries[0].confirmed.unwrap().since, at(500), "free since it was seen again, not for hours");
    assert_eq!(changes.len(), 2);
    for (gap, is_seen) in [(30, true), (61, false)] {
        let again = 5 + gap;
        let (_, changes) = told(&[of(0, FULL), of(5, FULL), of(again, FREE), of(again + 1, FREE)]);
        let Some(Change::Confirmed { transition, .. }) = changes.last() else { panic!("{changes:?}") };
        assert_eq!(!transition.is_after_gap, is_seen, "after {gap} minutes of silence");
    }
}
