//! The stories of `tests/fixtures/notices`, played by the machines alone.

use super::{Pure, Story, line, play};

macro_rules! stories {
    ($($name:literal),* $(,)?) => {
        const STORIES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../tests/fixtures/notices/", $name, ".story")))),*];
    };
}

stories![
    "about-chain",
    "all-time-out",
    "away-at-start",
    "backup-away",
    "blip",
    "captive-portal",
    "chain-changed",
    "clock-back",
    "clock-forward",
    "do-not-disturb",
    "dst-autumn",
    "dst-autumn-inside",
    "dst-spring",
    "dst-spring-inside",
    "fault",
    "flapping",
    "flapping-ends-full",
    "flapping-off",
    "full-off",
    "key-refused",
    "kind-changes",
    "limit-early-reset",
    "limit-false-zero",
    "limit-longer-window",
    "limit-refused",
    "limit-resets",
    "limit-short",
    "limits-off",
    "log-newer-than-probe",
    "log-read-late",
    "never-disturb",
    "nothing-free",
    "one-provider-five",
    "one-provider-primary",
    "outage",
    "own-outage",
    "own-outage-flicker",
    "own-outage-in-outage",
    "own-outage-then-full",
    "paused",
    "primary-changed",
    "provider-grows",
    "quiet-away",
    "quiet-outage-inside",
    "quiet-recovery",
    "reminders",
    "restart-after-recovery",
    "restart-before-notice",
    "restart-in-outage",
    "second-is-full",
    "sleep-in-outage",
    "sleep-still-full",
    "sleep-when-free",
    "slow-recovery",
    "snooze-all-over",
    "snooze-ends",
    "two-providers",
];

#[test]
fn every_story_has_exactly_its_notices() {
    let mut faults = String::new();
    for (name, text) in STORIES {
        let story = Story::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let notices: Vec<String> = play(&story, &mut Pure::new(&story)).iter().map(line).collect();
        if notices != story.notices {
            faults += &format!(
                "\n{name}\n  got      {}\n  expected {}\n",
                notices.join("\n           "),
                story.notices.join("\n           ")
            );
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
