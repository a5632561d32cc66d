//! What History shows, in words.

use super::*;
use crate::i18n::Lang;

const HOUR: i64 = 3_600_000;

#[test]
fn a_line_is_drawn_through_usual_pauses_and_not_over_gaps() {
    let latency = |n| Some(Latency { least: 1.0, low: 1.0, median: 1.0, high: 1.0, most: 1.0, n });
    let mut cells = vec![None; 200];
    for index in [0, 10, 20, 90, 91] {
        cells[index] = latency(1);
    }
    assert_eq!(stretches(&cells, 60_000), [0..21, 90..92], "minutes: ten between probes are usual, seventy are a gap");
    assert_eq!(stretches(&cells, 12 * HOUR), [0..1, 10..11, 20..21, 90..92], "half days: every one should have some");
}

#[test]
fn shares_are_never_rounded_to_a_lie() {
    for (ms, of, expected) in [
        (0, 0, None),
        (0, 10, Some(0)),
        (1, 100_000, Some(1)),
        (99_999, 100_000, Some(99)),
        (5, 5, Some(100)),
        (1, 3, Some(33)),
    ] {
        assert_eq!(percent(ms, of), expected, "{ms} of {of}");
    }
}

#[test]
fn periods_are_said_as_a_person_would() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let tr = Tr::new(Lang::English);
    let ms = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
    let now = "2026-11-29T13:27:00Z".parse().unwrap();
    for (from, to, expected) in [
        ("2026-11-27T23:00:00Z", "2026-11-28T23:00:00Z", "Sat 28 Nov"),
        ("2025-11-27T23:00:00Z", "2025-11-28T23:00:00Z", "Fri 28 Nov 2025"),
        ("2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z", "Mar 2026"),
        ("2026-11-22T23:00:00Z", "2026-11-29T23:00:00Z", "23 Nov – 29 Nov"),
        ("2026-11-29T12:00:00Z", "2026-11-29T13:00:00Z", "Sun 29 Nov 13:00 – 14:00"),
        ("2026-11-28T22:45:00Z", "2026-11-28T23:00:00Z", "Sat 28 Nov 23:45 – 00:00"),
        ("2026-11-28T17:00:00Z", "2026-11-29T05:00:00Z", "Sat 28 Nov 18:00 – Sun 29 Nov 06:00"),
    ] {
        assert_eq!(period(&(ms(from)..ms(to)), now, &zone, &tr), expected);
    }
    let words = |from, to, is_live| view_words(&(ms(from)..ms(to)), is_live, now, &zone, &tr);
    assert_eq!(words("2026-11-22T13:28:00Z", "2026-11-29T13:28:00Z", true), "22 Nov – now");
    assert_eq!(words("2025-11-22T13:28:00Z", "2026-11-20T13:28:00Z", false), "22 Nov 2025 – 20 Nov");
    assert_eq!(words("2026-11-29T10:00:00Z", "2026-11-29T11:30:00Z", false), "29 Nov 11:00 – 29 Nov 12:30");
}

#[test]
fn outages_say_how_sure_their_length_is() {
    let tr = Tr::new(Lang::English);
    let now = "2026-11-29T13:27:00Z".parse::<Timestamp>().unwrap();
    let end = now.as_millisecond() - 60 * 60_000;
    let outage = Outage {
        time: end - 25 * 60_000..end,
        full_ms: 20 * 60_000,
        samples: [4, 0, 1],
        is_start_seen: true,
        is_end_seen: true,
        is_now: false,
        is_rough: false,
    };
    let listed = |outage: &Outage| Listing {
        target: "a".into(),
        name: "Luna".to_owned(),
        outage: outage.clone(),
        words: OnceCell::new(),
    };
    let told = |outage: &Outage| listed(outage).words(now, &TimeZone::UTC, &tr).clone();
    assert_eq!(told(&outage).summary, "Luna: from 12:02, 25 min. At capacity 4×, No answer in time 1×");
    assert_eq!(listed(&outage).family(), Family::Full);
    assert_eq!(told(&Outage { is_end_seen: false, ..outage.clone() }).length, "at least 25 min");
    assert_eq!(told(&Outage { is_end_seen: false, is_now: true, ..outage.clone() }).length, "25 min so far");
    assert_eq!(told(&Outage { is_rough: true, samples: [0; 3], ..outage.clone() }).length, "about 25 min");
    assert_eq!(told(&Outage { samples: [0; 3], ..outage }).kinds, "Full, Fault");
}
