//! Figures of the cheat sheet on a year of 20 targets: `cargo bench --bench sheet [-- DIR]`, with a folder that `benches/store.rs`
//! filled, or a record with a sample every seven minutes; its quarter hours are all seen, as with a probe a minute.
//!
//! They are printed, not judged: no time limit belongs into a test.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

mod record;

use std::time::Duration;

use cpu_time::ProcessTime;
use jiff::tz::TimeZone;
use record::{Record, TARGETS};
use tokio::time::Instant;
use vacancy::core::sheet::{Quarter, TargetSheet};
use vacancy::store::{Filter, Reader};

/// Readers opened one after the other, as by a window that was just started.
const ROUNDS: usize = 15;

fn main() {
    let record = Record::named_or_filled(7);
    println!("a year of {TARGETS} targets, {} samples", record.samples);
    let (path, now) = (&record.path, record.now);
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let (mut all, mut read) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let reader = Reader::open(path, Duration::ZERO).unwrap();
        let (start, cpu) = (Instant::now(), ProcessTime::now());
        let sheet = reader.sheet(&Filter::default(), &zone, now).unwrap();
        let (took, cpu) = (start.elapsed(), cpu.elapsed());
        assert_eq!(sheet.targets.len(), TARGETS);
        if round == 0 {
            print("read and worked out, the first of this process", took);
            print("  of processors, all threads together", cpu);
        }
        all.push(took);
        let start = Instant::now();
        let mut quarters = 0;
        reader.each_observed(&Filter::default(), |_, _, _| quarters += 1).unwrap();
        read.push(start.elapsed());
        assert!(quarters > TARGETS * 35_000);
    }
    all.sort_unstable();
    read.sort_unstable();
    print("read and worked out, a fresh reader, median of 15", all[ROUNDS / 2]);
    print("the best of them", all[0]);
    print("reading the observed parts alone, median", read[ROUNDS / 2]);
    let reader = Reader::open(path, Duration::ZERO).unwrap();
    let targets: Vec<_> = reader.targets().unwrap().into_iter().map(|stored| stored.info.id).collect();
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

fn print(label: &str, took: Duration) {
    println!("{label:<44} {:>9.2} ms", took.as_secs_f64() * 1000.0);
}
