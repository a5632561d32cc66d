//! Figures of the store on a year of 20 targets at a probe a minute, or as many samples as the first argument says:
//! `cargo bench --bench store -- 10512000`. With a folder as another argument the record is kept there, for
//! `vacancy --data`, `benches/window.rs` and `benches/compare`.
//!
//! They are printed, not judged: no time limit belongs into a test.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

mod record;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use record::{START, TARGETS, YEAR, planted, register};
use tokio::time::Instant;
use vacancy::cli::export::{Format, What, write};
use vacancy::clock::SystemClock;
use vacancy::core::sample::{Sample, Source};
use vacancy::store::{Filter, Options, Reader, Store};
use vacancy::ui::screens::history::range::{Act, State};

const BATCH: usize = 20_000;

fn main() {
    let count = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(YEAR);
    let kept = std::env::args().skip(1).find(|arg| !arg.starts_with("--") && arg.parse::<usize>().is_err());
    let dir = tempfile::tempdir().unwrap();
    let path =
        kept.map_or_else(|| dir.path().to_path_buf(), |kept| Path::new(&kept).join("data")).join("vacancy.sqlite");
    let store = Store::open(&path, Options::default(), Arc::new(SystemClock)).unwrap();
    let handle = store.handle();
    let targets = register(&handle);

    let mut rng = fastrand::Rng::with_seed(7);
    let (mut writing, mut done) = (Duration::ZERO, 0);
    while done < count {
        let batch: Vec<_> = (done..count.min(done + BATCH)).map(|n| planted(n, &targets, &mut rng)).collect();
        done += batch.len();
        let start = Instant::now();
        assert_eq!(handle.append_batch(batch).wait().unwrap().kept, 0);
        writing += start.elapsed();
    }
    rate("batches, buckets kept exact", count, writing, "samples/s");

    let start = Instant::now();
    let singles = 5000;
    for n in 0..singles {
        handle.append(planted(count + n, &targets, &mut rng)).wait().unwrap();
    }
    rate("one sample a commit, durable", singles, start.elapsed(), "commits/s");
    drop((handle, store));

    let bytes = path.metadata().unwrap().len();
    let samples = count + singles;
    println!("{:<34} {:>12.1} bytes a sample ({:.0} MiB)", "on disk", bytes as f64 / samples as f64, mib(bytes));
    tables(&path, samples);

    for label in ["open a reader", "open a reader again"] {
        time(label, || Reader::open(&path, Duration::ZERO).unwrap());
    }
    let reader = Reader::open(&path, Duration::ZERO).unwrap();
    time("read the observed part of all buckets", || {
        let (mut buckets, mut up) = (0u64, 0u64);
        reader
            .each_observed(&Filter::default(), |_, _, observed| {
                buckets += 1;
                up += u64::from(observed.up_ms);
            })
            .unwrap();
        format!("{buckets} buckets, {up} ms up")
    });
    time("read all buckets with latency", || {
        let mut buckets = 0;
        reader
            .each_bucket::<vacancy::store::StoreError>(&Filter::default(), |_, _, _| {
                buckets += 1;
                Ok(())
            })
            .unwrap();
        format!("{buckets} buckets")
    });
    histories(&reader, count);
    one_source();
    time("newest 12 of every target", || reader.recent_of_all(12).unwrap().len());
    time("sizes and counts", || reader.info().unwrap().samples);
    time("quick check", || reader.check().unwrap());

    for (label, format) in [("export CSV", Format::Csv), ("export JSON Lines", Format::Jsonl)] {
        let file = dir.path().join("out");
        let start = Instant::now();
        let rows =
            write(&reader, What::Samples, &Filter::default(), format, BufWriter::new(File::create(&file).unwrap()));
        rate(label, rows.unwrap() as usize, start.elapsed(), "rows/s");
    }
    shell(&path, samples);

    let store = Store::open(&path, Options::default(), Arc::new(SystemClock)).unwrap();
    let start = Instant::now();
    store.handle().rebuild().wait().unwrap();
    rate("rebuild all buckets", samples, start.elapsed(), "samples/s");
    time("backup", || store.handle().backup().wait().unwrap().metadata().unwrap().len());
}

/// What the window asks while a person looks at a year and zooms in to minutes: 1,200 pixels, views padded on both sides.
fn histories(reader: &Reader, count: usize) {
    const DAY: i64 = 86_400_000;
    let now = START + (count / TARGETS) as i64 * 60_000;
    for (label, span, source) in [
        ("history: a year of all targets", 365 * DAY, None),
        ("history: a month", 30 * DAY, None),
        ("history: a week", 7 * DAY, None),
        ("history: a day, from samples", DAY, None),
        ("history: an hour, from samples", DAY / 24, None),
        ("history: a month of one source", 30 * DAY, Some(Source::Probe)),
    ] {
        let mut state = State::default();
        (state.pixels, state.source) = (1200, source);
        state.act(&Act::Show(now - span..now), None, now);
        let query = state.query(Vec::new(), None, now, &TimeZone::UTC);
        time(label, || {
            let answer = reader.history(&query, &|| false).unwrap().unwrap();
            (answer.lanes.len(), answer.query.grid().len(), answer.outages.len())
        });
    }
    let mut state = State::default();
    state.pixels = 1200;
    state.act(&Act::Show(now - 365 * DAY..now), None, now);
    let one = vec![reader.targets().unwrap()[7].info.id.clone()];
    let query = state.query(one, None, now, &TimeZone::UTC);
    time("history: a year of one target", || reader.history(&query, &|| false).unwrap().unwrap().outages.len());
}

/// A month of one source where two are mixed: a probe a minute, and the log of a tool every seven minutes of working hours. From
/// the rows of days, and as it was before there were any: from the samples, weighed anew.
fn one_source() {
    const DAY: i64 = 86_400_000;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vacancy.sqlite");
    let store = Store::open(&path, Options::default(), Arc::new(SystemClock)).unwrap();
    let handle = store.handle();
    let targets = register(&handle);
    let mut rng = fastrand::Rng::with_seed(3);
    let minutes = 62 * 24 * 60;
    let start = Instant::now();
    for batch in (0..minutes * TARGETS).collect::<Vec<_>>().chunks(BATCH) {
        let mut samples = Vec::with_capacity(BATCH * 2);
        for n in batch {
            samples.push(planted(*n, &targets, &mut rng));
            let minute = n / TARGETS;
            if minute.is_multiple_of(7) && (8..18).contains(&(minute / 60 % 24)) {
                samples.push(Sample { source: Source::ToolLog, ..planted(*n, &targets, &mut rng) });
            }
        }
        handle.append_batch(samples).wait().unwrap();
    }
    rate("two sources mixed, buckets exact", minutes * TARGETS, start.elapsed(), "samples/s");
    drop((handle, store));
    let conn = rusqlite::Connection::open(&path).unwrap();
    let ask = |label: &str, source: Source| {
        let now = START + minutes as i64 * 60_000;
        let mut state = State::default();
        (state.pixels, state.source) = (1200, Some(source));
        state.act(&Act::Show(now - 30 * DAY..now), None, now);
        let query = state.query(Vec::new(), None, now, &TimeZone::UTC);
        let count = |sql: &str, of: i64| -> i64 {
            let from = query.range.start / of * of;
            conn.query_row(sql, [from / of, query.range.end / of + 1], |row| row.get(0)).unwrap()
        };
        let samples = count("SELECT count(*) FROM sample WHERE at BETWEEN ?1 AND ?2", 1);
        let days = count("SELECT count(*) FROM bucket_day WHERE (key & 16777215) - 8388608 BETWEEN ?1 AND ?2", DAY)
            + count("SELECT count(*) FROM source_day WHERE (key >> 6 & 16777215) - 8388608 BETWEEN ?1 AND ?2", DAY);
        println!("  {days} rows of days are looked at, or {samples} samples");
        let reader = Reader::open(&path, Duration::ZERO).unwrap();
        for _ in 0..3 {
            time(label, || reader.history(&query, &|| false).unwrap().unwrap().outages.len());
        }
    };
    ask("a month of probes among logs", Source::Probe);
    ask("a month of logs among probes", Source::ToolLog);
    conn.execute_batch("UPDATE bucket_day SET sources = 0; DELETE FROM source_day").unwrap();
    ask("the probes, from samples", Source::Probe);
    ask("the logs, from samples", Source::ToolLog);
}

/// What each table takes.
fn tables(path: &Path, samples: usize) {
    let conn = rusqlite::Connection::open(path).unwrap();
    let mut query = conn.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 2").unwrap();
    let mut rows = query.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (name, bytes): (String, i64) = (row.get(0).unwrap(), row.get(1).unwrap());
        println!("{:<34} {:>12.1} bytes a sample", format!("  of that {name}"), bytes as f64 / samples as f64);
    }
}

/// The same rows through the sqlite3 shell, where it is installed.
fn shell(path: &Path, samples: usize) {
    let sql = "SELECT t.name, t.provider, t.model, t.dialect, s.source, \
               strftime('%Y-%m-%dT%H:%M:%fZ', s.at / 1000.0, 'unixepoch'), v.kind, v.scope, v.http_status, s.connect_ms, \
               s.first_token_ms, s.total_ms, s.retry_after_s, v.rule \
               FROM sample s JOIN target t ON t.id = s.target JOIN verdict v ON v.id = s.verdict";
    let start = Instant::now();
    let status = Command::new("sqlite3").args(["-readonly", "-csv"]).arg(path).arg(sql).stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => rate("the sqlite3 shell, to nowhere", samples, start.elapsed(), "rows/s"),
        _ => println!("the sqlite3 shell is not installed"),
    }
}

fn rate(label: &str, count: usize, time: Duration, unit: &str) {
    println!("{label:<34} {:>12.0} {unit} ({:.2} s)", count as f64 / time.as_secs_f64(), time.as_secs_f64());
}

fn time<T: std::fmt::Debug>(label: &str, work: impl FnOnce() -> T) {
    let start = Instant::now();
    let result = work();
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    let mut result = format!("{result:?}");
    result.truncate(60);
    println!("{label:<34} {ms:>12.1} ms  {result}");
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}
