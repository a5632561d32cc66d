//! When a model is usually free is one thing: every place that says it names the same ends, and none says it too early.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::core::bucket::{BUCKET_MS, Bucket, Observed, Point, bucket_start, fill};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sheet::{Advice, Quarter, Sheet, TargetSheet};
use vacancy::core::target::{Role, TargetId};
use vacancy::demo;
use vacancy::engine::snapshot::Snapshot;
use vacancy::format;
use vacancy::ui::screens::glance::model as glance;
use vacancy::ui::screens::heatmap::model as heatmap;
use vacancy::ui::screens::sheet::away::Away;
use vacancy::ui::screens::sheet::document::{Markup, document};
use vacancy::ui::screens::sheet::model as cheat;
use vacancy::ui::screens::sheet::plan::{self, Promise};
use vacancy::ui::screens::sheet::words::Speaker;
use vacancy::ui::screens::switch::uses::Uses;
use vacancy::ui::sheets::State;
use vacancy::ui::stage::Stage;

use super::stage::{english, now, zone};

/// Quarter hours by model, as the record would have them.
type Record = BTreeMap<String, Vec<Quarter>>;

/// The sheet of one target as a text.
fn as_text(sheet: &Sheet, id: &TargetId, speaker: &Speaker<'_>) -> String {
    let ids = std::slice::from_ref(id);
    document(sheet, ids, ids, &Away::default(), speaker, Markup::Text)
}

/// The demo's past of so many weeks.
fn planted(weeks: u32) -> Record {
    let past = demo::Past { seed: demo::SEED, now: now(), zone: zone(), weeks, ending: demo::Ending::Live };
    let mut points: BTreeMap<String, Vec<Point>> = BTreeMap::new();
    for sample in demo::history(&past) {
        let point = Point {
            at_ms: sample.at.as_millisecond(),
            kind: sample.kind,
            is_counted: sample.is_counted(),
            first_token_ms: sample.first_token_ms,
        };
        points.entry(sample.target.to_string()).or_default().push(point);
    }
    let quarters = |mut points: Vec<Point>| {
        let first = bucket_start(points.iter().map(|point| point.at_ms).min().unwrap());
        let count = (now().as_millisecond() - first) / BUCKET_MS + 2;
        let mut buckets = vec![Bucket::default(); usize::try_from(count).unwrap()];
        fill(&mut points, first, &mut buckets);
        let quarter = |(place, bucket): (usize, &Bucket)| {
            let ms = |ms: u64| u32::try_from(ms).unwrap();
            let seen = Observed {
                up_ms: ms(bucket.up_ms),
                full_ms: ms(bucket.full_ms),
                fault_ms: ms(bucket.fault_ms),
                counted: bucket.counts.counted(),
            };
            Quarter { start_ms: first + place as i64 * BUCKET_MS, seen }
        };
        buckets.iter().enumerate().filter(|(_, bucket)| !bucket.is_empty()).map(quarter).collect()
    };
    points.into_iter().map(|(model, points)| (model, quarters(points))).collect()
}

/// Two days of one model, full on their afternoons.
fn two_days() -> Record {
    let start = now().as_millisecond().div_euclid(BUCKET_MS) * BUCKET_MS - 2 * 96 * BUCKET_MS;
    let quarter = |n: i64| {
        let start_ms = start + n * BUCKET_MS;
        let hour = zone().to_datetime(Timestamp::from_millisecond(start_ms).unwrap()).hour();
        let is_full = (15..18).contains(&hour);
        let ms = u32::try_from(BUCKET_MS).unwrap();
        let (up_ms, full_ms) = if is_full { (0, ms) } else { (ms, 0) };
        Quarter { start_ms, seen: Observed { up_ms, full_ms, fault_ms: 0, counted: 2 } }
    };
    [("gpt-5.6-sol".to_owned(), (0..2 * 96).map(quarter).collect())].into()
}

/// A board on which one model has been free for an hour.
fn board(model: &str, at: Timestamp) -> Snapshot {
    let mut stage = Stage::new(at, zone());
    stage.target(model, "demo", Some(Role::Primary));
    stage.state(Kind::Available, Scope::Model, 60, "");
    stage.snapshot()
}

/// What every place says of one model at a moment; how many of them named an end.
fn same_ends(record: &str, model: &str, quarters: &[Quarter], at: Timestamp) -> usize {
    let (zone, tr) = (zone(), english());
    let snapshot = board(model, at);
    let id = snapshot.board.entries[0].target.id.clone();
    let own = TargetSheet::new(id.clone(), quarters, &zone, at);
    let sheet = Sheet { zone: zone.clone(), now: at, targets: [own.clone()].into() };
    let name = |_: &TargetId| model.to_owned();
    let speaker = Speaker { now: at, zone: &zone, tr: &tr, name: &name };
    let state = State::default();
    let source =
        heatmap::Source { sheet: Some(&sheet), snapshot: &snapshot, state: &state, zone: &zone, now: at, tr: &tr };
    let place = format!("{record}, {model}, {at}");
    let moment = |of: Timestamp| format::moment(of, at, &zone, &tr);
    let clock = |of: Timestamp| format::clock(of, &zone);
    let day = |of: Timestamp| zone.to_datetime(of).date();
    let mut told = 0;

    // The statistics: a time is usually free or usually busy and never both, and the next of one begins where the other ends.
    let windows = own.quiet_windows(at, &zone);
    let busy = own.busy_ahead(at, SignedDuration::from_hours(168), &zone);
    for (window, busy) in windows.iter().flat_map(|window| busy.iter().map(move |busy| (window, busy))) {
        assert!(busy.end <= window.start || busy.start >= window.end, "{place}: {window:?} {busy:?}");
    }
    let open = own.open_window(at, &zone);
    let is_on = busy.first().is_some_and(|busy| busy.start <= at);
    assert!(!(open.is_some() && is_on), "{place}");

    // The cheat sheet, the glance and the heatmap.
    let cheat = cheat::Model::new(&source);
    let uses = Uses::new();
    let glance =
        glance::Model::new(&glance::Source { snapshot: &snapshot, sheet: Some(&sheet), uses: &uses, now: at, tr: &tr });
    let next = &glance.rows[0].next;
    let map = heatmap::Model::new(&source).words;
    let lines = speaker.busy(&own);
    if let Some(line) = lines.first().filter(|_| !map.starts_with("Weekdays cannot")) {
        assert!(map.contains(line.as_str()), "{place}: {map}\n{lines:?}");
        told += 1;
    }
    for busy in busy.iter().filter(|busy| busy.busy.end - busy.busy.start <= 1440) {
        let hours = speaker.stretch(busy.busy.start, busy.busy.end);
        assert!(lines.iter().any(|line| line.contains(&hours)), "{place}: {hours} is not in {lines:?}");
    }
    let note = cheat.ribbons[0].note.as_str();
    let present = cheat.present.as_ref().map(|present| present.words.as_str()).unwrap_or_default();
    match (&open, busy.first()) {
        (Some(window), next_busy) => {
            let until = format!("until {}", moment(window.end));
            if window.evidence != vacancy::core::sheet::Evidence::Empty && !window.is_all_week() {
                assert!(next.contains(&until), "{place}: {next} is not {until}");
                told += 1;
            }
            if present.starts_with("usually free until") {
                assert!(present.contains(&until), "{place}: {present} is not {until}");
                told += 1;
            }
            if let Some(busy) = next_busy.filter(|busy| day(busy.start) == day(at)) {
                assert!(note.starts_with("busy from") || note.contains(&clock(busy.start)), "{place}: {note}");
                assert!(note.contains(&clock(window.end)) || window.end < busy.start, "{place}: {note} {window:?}");
                told += 1;
            }
            let minutes = |of: Timestamp| {
                let time = zone.to_datetime(of).time();
                time.hour() as u16 * 60 + time.minute() as u16
            };
            let week = plan::week(&sheet, std::slice::from_ref(&id));
            let today = &week[usize::from(day(at).weekday().to_monday_zero_offset().unsigned_abs())];
            let of_plan = plan::rest(today, minutes(at)).into_iter().next();
            if let Some(stretch) = of_plan.filter(|stretch| matches!(stretch.promise, Promise::Usual | Promise::Few)) {
                let end = if day(window.end) > day(at) { 1440 } else { minutes(window.end) };
                assert!(
                    stretch.to == end || stretch.to < end && today.iter().any(|part| part.from == stretch.to),
                    "{place}: {stretch:?} {window:?}"
                );
                told += 1;
            }
        }
        (None, Some(busy)) if is_on => {
            let back = windows.first().map(|window| window.start);
            assert!(back.is_none_or(|back| back >= busy.end), "{place}: {back:?} {busy:?}");
            if day(busy.end) == day(at) {
                assert_eq!(note, format!("quiet from {}", clock(busy.end)), "{place}");
            }
            if let Some(start) = back.filter(|_| next.contains("ree ")) {
                assert!(next.contains(&moment(start)), "{place}: {next}");
            }
            assert!(!present.contains("usually free"), "{place}: {present}");
            told += 1;
        }
        _ => {}
    }

    // The text has the same sentences.
    let text = as_text(&sheet, &id, &speaker);
    for advice in own.advice(at, &zone) {
        let end = match advice {
            Advice::BusyNow(busy) => busy.end,
            Advice::BusyToday { busy, .. } => {
                assert!(open.is_none_or(|window| window.end <= busy.start), "{place}: {open:?} {busy:?}");
                busy.start
            }
            Advice::FreeToday => {
                assert!(open.is_some_and(|window| day(window.end) > day(at)), "{place}: {open:?}");
                continue;
            }
            _ => continue,
        };
        assert!(text.contains(&moment(end)), "{place}: {end} is not in\n{text}");
        told += 1;
    }
    told
}

#[test]
fn every_place_names_the_same_ends() {
    for (name, count, record) in
        [("a year", 4, planted(52)), ("six weeks", 14, planted(6)), ("two days", 3, two_days())]
    {
        // From every part of the week, at minutes that are no quarter hours.
        let step = if name == "two days" { 487 } else { 10_000 / count };
        let instants: Vec<Timestamp> = (0..count).map(|n| now() - SignedDuration::from_mins(n * step)).collect();
        for (model, quarters) in &record {
            let told: usize = instants.iter().map(|at| same_ends(name, model, quarters, *at)).sum();
            assert!(told > instants.len() / 2, "{name}, {model}: {told} ends were named");
        }
    }
}

#[test]
fn what_is_too_early_to_say_is_said_nowhere() {
    let (zone, tr) = (zone(), english());
    let end = now().as_millisecond().div_euclid(BUCKET_MS) * BUCKET_MS;
    let ms = u32::try_from(BUCKET_MS).unwrap();
    let seen = Observed { up_ms: ms, full_ms: 0, fault_ms: 0, counted: 2 };
    let ago = |quarters: i64| Quarter { start_ms: end - quarters * BUCKET_MS, seen };
    let minutes: Vec<Quarter> = (1..=3).map(ago).collect();
    // The same hour on three days: old, and still one hour of the day.
    let days: Vec<Quarter> = [1, 97, 193].map(ago).into();
    for (name, quarters, why) in [
        ("six samples", minutes, "Less than a day recorded"),
        ("one hour of three days", days, "Too early to say: only one hour of the day"),
    ] {
        let snapshot = board("sol", now());
        let id = snapshot.board.entries[0].target.id.clone();
        let own = TargetSheet::new(id.clone(), &quarters, &zone, now());
        assert!(own.is_early(now()) && own.quiet_windows(now(), &zone).is_empty(), "{name}");
        let sheet = Sheet { zone: zone.clone(), now: now(), targets: [own].into() };
        let state = State::default();
        let source = heatmap::Source {
            sheet: Some(&sheet),
            snapshot: &snapshot,
            state: &state,
            zone: &zone,
            now: now(),
            tr: &tr,
        };
        let cheat = cheat::Model::new(&source);
        assert!(cheat.outlooks.is_empty() && cheat.best.is_empty(), "{name}: {cheat:?}");
        assert!(cheat.week.iter().all(|day| day.parts.is_empty()), "{name}");
        assert_eq!(cheat.ribbons[0].note, "too early to say", "{name}");
        let present = cheat.present.unwrap();
        assert_eq!(present.words, "free now; too little is known of this hour to call it usual", "{name}");
        let missing = cheat.missing.unwrap();
        assert!(missing.starts_with(why), "{name}: {missing}");
        let words = heatmap::Model::new(&source).words;
        assert_eq!(words, missing, "{name}");
        let uses = Uses::new();
        let glance = glance::Model::new(&glance::Source {
            snapshot: &snapshot,
            sheet: Some(&sheet),
            uses: &uses,
            now: now(),
            tr: &tr,
        });
        assert!(!glance.rows[0].next.contains("ree"), "{name}: {}", glance.rows[0].next);
        let name_of = |_: &TargetId| "sol".to_owned();
        let speaker = Speaker { now: now(), zone: &zone, tr: &tr, name: &name_of };
        let text = as_text(&sheet, &id, &speaker);
        for never in ["all day", "For long work", "guess", "Best hours", "usually", "Usually"] {
            assert!(!text.contains(never), "{name}: {never} is in\n{text}");
        }
    }
}

/// The zone of these records has to be one whose days are 24 hours long then.
#[test]
fn the_records_lie_between_changes_of_the_clock() {
    let week = |zone: &TimeZone| zone.to_offset(now()) == zone.to_offset(now() - SignedDuration::from_hours(168 + 24));
    assert!(week(&zone()));
}
