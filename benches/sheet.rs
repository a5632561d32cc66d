//! Figures of the cheat sheet on a year of 20 targets: `cargo bench --bench sheet`. Quarter hours are all full, as with a probe a
//! minute; the record itself is filled with a sample each seven minutes, as more would only take longer to fill.
//!
//! They are printed, not judged: no time limit belongs into a test.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::Instant;
use vacancy::clock::SystemClock;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::core::sheet::{Quarter, TargetSheet};
use vacancy::core::target::TargetId;
use vacancy::store::{Filter, Options, Reader, Store, TargetInfo};

const TARGETS: usize = 20;
/// 2025-01-01T00:00:00Z.
const START: i64 = 1_735_689_600_000;
const YEAR_MS: i64 = 365 * 24 * 60 * 60 * 1000;
const EVERY_MS: i64 = 7 * 60 * 1000;

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vacancy.sqlite");
    let store = Store::open(&path, Options::default(), Arc::new(SystemClock)).unwrap();
    let handle = store.handle();
    let targets: Vec<_> = (0..TARGETS).map(|n| TargetId::from(format!("provider/model-{n}"))).collect();
    let infos = targets.iter().map(|id| TargetInfo {
        id: id.clone(),
        provider: "provider".to_owned(),
        model: "model".to_owned(),
        dialect: "openai-chat".to_owned(),
    });
    handle.register(infos.collect()).wait().unwrap();
    let mut rng = fastrand::Rng::with_seed(7);
    for (n, target) in targets.iter().enumerate() {
        let mut is_full = false;
        let samples: Vec<_> = (START..START + YEAR_MS)
            .step_by(EVERY_MS as usize)
            .map(|at| {
                let hour = at / 3_600_000 % 24;
                let is_busy = (hour + n as i64) % 24 > 18;
                let chance = if is_full {
                    0.7
                } else if is_busy {
                    0.15
                } else {
                    0.005
                };
                is_full = rng.f64() < chance;
                sample(target, at, is_full)
            })
            .collect();
        for batch in samples.chunks(20_000) {
            handle.append_batch(batch.to_vec()).wait().unwrap();
        }
    }
    drop((handle, store));

    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let now = Timestamp::from_millisecond(START + YEAR_MS).unwrap();
    let (mut read, mut all) = (Duration::MAX, Duration::MAX);
    for round in 0..5 {
        let reader = Reader::open(&path, Duration::ZERO).unwrap();
        let start = Instant::now();
        let sheet = reader.sheet(&Filter::default(), &zone, now).unwrap();
        let took = start.elapsed();
        assert_eq!(sheet.targets.len(), TARGETS);
        if round == 0 {
            print("read and worked out, a fresh reader, first", took);
        }
        all = all.min(took);
        let start = Instant::now();
        let mut quarters = 0;
        reader.each_observed(&Filter::default(), |_, _, _| quarters += 1).unwrap();
        read = read.min(start.elapsed());
        assert!(quarters > TARGETS * 35_000);
    }
    print("read and worked out, the best of five", all);
    print("of it reading the observed parts", read);
    let reader = Reader::open(&path, Duration::ZERO).unwrap();
    let mut quarters = Vec::new();
    let one = Filter::target(targets[0].clone());
    reader.each_observed(&one, |_, start_ms, seen| quarters.push(Quarter { start_ms, seen })).unwrap();
    for (label, part) in
        [("one target, a year", &quarters[..]), ("one target, two weeks", &quarters[quarters.len() - 1344..])]
    {
        let start = Instant::now();
        (0..10).for_each(|_| drop(TargetSheet::new(targets[0].clone(), part, &zone, now)));
        print(label, start.elapsed() / 10);
    }
    let start = Instant::now();
    reader.latency(&Filter::default(), &targets[0], &zone).unwrap();
    print("latency by slot of one target", start.elapsed());
}

fn sample(target: &TargetId, at: i64, is_full: bool) -> Sample {
    Sample {
        target: target.clone(),
        source: Source::Probe,
        at: Timestamp::from_millisecond(at).unwrap(),
        kind: if is_full { Kind::AtCapacity } else { Kind::Available },
        scope: Scope::Model,
        http_status: Some(if is_full { 503 } else { 200 }),
        connect_ms: Some(40),
        first_token_ms: (!is_full).then_some(700),
        total_ms: Some(900),
        retry_after_s: None,
        rule: "planted".into(),
    }
}

fn print(label: &str, took: Duration) {
    println!("{label:<44} {:>9.2} ms", took.as_secs_f64() * 1000.0);
}
