//! The parts of the schedule by themselves: settings, estimate, clocks, budgets, and the classifier's rule ids.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::super::*;
use super::{Ledger, Reach, never_arrived};
use crate::core::classify::{RuleSet, classify};
use crate::core::exchange::{End, Exchange, Failure, Phase, Timing};
use crate::core::sample::{Sample, Source};
use crate::core::simulate::WorldDefaults;
use crate::core::target::{DailyCap, Dialect, Probing, ProviderId, Role, Target, TargetId};

fn target(id: &str, role: Option<Role>, cap: DailyCap) -> Target {
    let defaults = WorldDefaults { cap, tokens_per_probe: 20 };
    Target { role, ..defaults.target(TargetId::from(id), Some(ProviderId::from("p")), Role::Backup) }
}

const WIDE: DailyCap = DailyCap { requests: 1_000, tokens: 1_000_000 };

#[test]
fn settings_are_read_with_durations_as_people_write_them() {
    let config: ScheduleConfig = toml_edit::de::from_str(
        r#"
        every = "5m"
        slow_every = "1h 30m"
        confirm_up = 3
        target_cap = { requests = 50, tokens = 1000 }
        "#,
    )
    .unwrap();
    assert_eq!(config.steady(), Duration::from_secs(300));
    assert_eq!(config.slow(), Duration::from_secs(5400));
    assert_eq!((config.thresholds().down, config.thresholds().up), (2, 3));
    assert_eq!(config.target_cap.requests, 50);
    assert!(config.findings().is_empty());
    let written = toml_edit::ser::to_string(&config).unwrap();
    assert_eq!(toml_edit::de::from_str::<ScheduleConfig>(&written).unwrap(), config);
    assert!(toml_edit::de::from_str::<ScheduleConfig>("evry = \"5m\"").is_err());
}

#[test]
fn values_out_of_range_are_found_and_the_nearest_is_used() {
    let config = ScheduleConfig {
        every: Duration::ZERO,
        slow_every: Some(Duration::from_millis(1)),
        confirm_down: 0,
        confirm_up: 99,
        ..ScheduleConfig::default()
    };
    assert_eq!(config.findings().len(), 3, "{:?}", config.findings());
    assert_eq!((config.steady(), config.slow()), (ScheduleConfig::SHORTEST, ScheduleConfig::SHORTEST));
    assert_eq!((config.thresholds().down, config.thresholds().up), (1, 6));
    assert_eq!(ScheduleConfig::default().slow(), Duration::from_secs(1800));
}

#[test]
fn the_estimate_counts_what_the_schedule_will_do() {
    let small = DailyCap { requests: 20, tokens: 1_000_000 };
    let few_tokens = DailyCap { requests: 1_000, tokens: 1_000 };
    let targets = [
        target("primary", Some(Role::Primary), WIDE),
        target("watched", None, WIDE),
        target("capped", Some(Role::Backup), small),
        target("frugal", Some(Role::Backup), few_tokens),
        Target { probing: Probing::OnDemand, ..target("free-tier", Some(Role::Backup), WIDE) },
        Target { probing: Probing::Never, ..target("plan", Some(Role::Backup), WIDE) },
    ]
    .map(Arc::new);
    let config = ScheduleConfig { provider_cap: WIDE, ..ScheduleConfig::default() };
    let all = estimate(&targets, &HashMap::new(), &config);
    let usual: Vec<_> = all.targets.iter().map(|row| row.usual.requests).collect();
    assert_eq!(usual, [144, 48, 20, 50, 0, 0]);
    assert_eq!(all.usual, Cost { requests: 262, tokens: 262 * 20 });
    assert_eq!(all.most.requests, 1_000, "the provider's cap, once");
    let half = HashMap::from([(ProviderId::from("p"), DailyCap { requests: 131, tokens: 1_000_000 })]);
    let all = estimate(&targets, &half, &config);
    assert!(all.usual.requests.abs_diff(131) <= 1, "{:?}", all.usual);
    let none = HashMap::from([(ProviderId::from("p"), DailyCap { requests: 0, tokens: 0 })]);
    assert_eq!(estimate(&targets, &none, &config).usual, Cost::default());
    assert_eq!(estimate(&[], &none, &config), Estimate::default());
}

#[test]
fn the_most_of_a_day_stays_within_both_limits_of_a_provider_at_once() {
    let sized = |id: &str, tokens_per_probe: u32, requests: u32| {
        let cap = DailyCap { requests, tokens: u32::MAX };
        Arc::new(Target { tokens_per_probe, ..target(id, Some(Role::Primary), cap) })
    };
    let one = || vec![sized("a", 30, 500)];
    let two = || vec![sized("a", 20, 500), sized("b", 100, 50)];
    // Targets; the provider's requests and tokens; the most requests and tokens.
    for (targets, (requests, tokens), expected) in [
        (one(), (1_000, 1_000_000), (500, 15_000)),
        (one(), (100, 1_000_000), (100, 3_000)),
        (one(), (1_000, 1_000), (33, 990)),
        (one(), (0, 1_000_000), (0, 0)),
        (one(), (1_000, 29), (0, 0)),
        (two(), (1_000, 1_000_000), (550, 15_000)),
        (two(), (100, 1_000_000), (100, 6_000)),
        (two(), (1_000, 4_000), (200, 4_000)),
        (two(), (1_000, 12_000), (520, 12_000)),
        (Vec::new(), (1_000, 1_000), (0, 0)),
    ] {
        let caps = HashMap::from([(ProviderId::from("p"), DailyCap { requests, tokens })]);
        let most = estimate(&targets, &caps, &ScheduleConfig::default()).most;
        assert_eq!((most.requests, most.tokens), expected, "{requests} {tokens}");
    }
}

#[test]
fn two_clocks_that_part_are_a_jump() {
    let wall = |seconds: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
    let mut watch = ClockWatch::default();
    for (at, elapsed, is_jump) in [
        (1_000, 0, false),
        (1_600, 600, false),
        (1_625, 605, false),
        (5_000, 610, true),
        (5_010, 620, false),
        (100, 630, true),
        (110, 640, false),
    ] {
        assert_eq!(watch.is_jump(wall(at), Duration::from_secs(elapsed)), is_jump, "{at}");
    }
}

#[test]
fn a_new_day_begins_at_local_midnight_on_both_dst_nights() {
    for (day, hours) in [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)] {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let date: jiff::civil::Date = day.parse().unwrap();
        let start = zone.to_timestamp(date.at(0, 0, 0, 0)).unwrap();
        let mut ledger = Ledger::default();
        ledger.set_zone(zone.clone());
        assert!(!ledger.roll(start));
        assert_eq!(ledger.day_end(), start + SignedDuration::from_hours(hours), "{day}");
        let target = target("t", None, WIDE);
        ledger.book(&target);
        assert!(!ledger.roll(ledger.day_end() - SignedDuration::from_secs(1)));
        assert_eq!(ledger.spent(&target.id).requests, 1);
        assert!(ledger.roll(ledger.day_end()));
        assert_eq!(ledger.spent(&target.id).requests, 0);
        assert_eq!(Schedule::day_start(start + SignedDuration::from_hours(12), &zone), start);
    }
}

#[test]
fn a_clock_that_goes_back_gives_no_second_budget() {
    let mut ledger = Ledger::default();
    let target = target("t", None, WIDE);
    let noon: Timestamp = "2026-03-02T12:00:00Z".parse().unwrap();
    ledger.roll(noon);
    ledger.book(&target);
    assert!(!ledger.roll(noon - SignedDuration::from_hours(30)));
    assert_eq!(ledger.spent(&target.id).requests, 1);
}

/// The sample that the real classifier makes of a failed request.
fn failed(phase: Phase, text: &str) -> Finding {
    let failure = Failure { phase: Some(phase), text: text.into() };
    let exchange = Exchange { end: End::Failed(failure), ..Exchange::default() };
    finding(&exchange)
}

fn finding(exchange: &Exchange) -> Finding {
    let outcome = classify(Dialect::OpenaiChat, exchange, &RuleSet::default());
    let at = Timestamp::UNIX_EPOCH;
    let sample = Sample::new(TargetId::from("t"), Source::Probe, at, exchange.status, Timing::default(), &outcome);
    Finding { sample, wait_helps: outcome.wait_helps }
}

#[test]
fn connections_that_never_stood_cost_nothing_and_lost_answers_do() {
    for (phase, text, is_free) in [
        (Phase::Dns, "dns error: failed to lookup address information", true),
        (Phase::Connect, "tcp connect error: Network is unreachable (os error 101)", true),
        (Phase::Connect, "tcp connect error: Connection refused (os error 111)", true),
        (Phase::Connect, "operation timed out", true),
        (Phase::FirstByte, "connection closed before message completed", false),
        (Phase::FirstByte, "operation timed out", false),
    ] {
        let finding = failed(phase, text);
        assert_eq!(never_arrived(&finding.sample), is_free, "{phase:?} {text}: {}", finding.sample.rule);
        if is_free {
            assert_eq!(Reach::of(&finding), Reach::Failed, "{text}");
        }
    }
}

#[test]
fn portals_of_the_classifier_are_known_as_such() {
    let page = "<html><title>Captive portal</title><body>Please log in to the network</body></html>";
    for (status, location, body) in
        [(511, None, ""), (302, Some("http://portal.hotel.example/login"), "<html>Moved</html>"), (200, None, page)]
    {
        let mut headers = vec![("content-type".to_owned(), "text/html".to_owned())];
        headers.extend(location.map(|location| ("location".to_owned(), location.to_owned())));
        let exchange =
            Exchange { status: Some(status), headers, body: body.as_bytes().to_vec(), ..Exchange::default() };
        let finding = finding(&exchange);
        assert_eq!(Reach::of(&finding), Reach::Portal, "{status}: {}", finding.sample.rule);
    }
}
