//! Figures of reading logs: gigabytes of generated rollouts, 2 or as many as the first argument says:
//! `cargo bench --bench backfill -- 2`. With the word `cold` after it the files are dropped from the system's cache first,
//! where that is allowed.
//!
//! They are printed, not judged: no time limit belongs into a test.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use vacancy::clock::SystemClock;
use vacancy::listen::Targets;
use vacancy::listen::backfill::{Control, Job, Listener, Progress, run};
use vacancy::listen::cursor::Cursor;
use vacancy::listen::disk::RealDisk;
use vacancy::listen::homes::homes;
use vacancy::settings::env::Env;
use vacancy::settings::roots::{Platform, Roots};
use vacancy::store::{Options, Reader, Store};

/// A rollout is up to this long.
const FILE: u64 = 128 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let gigabytes: f64 = arguments.iter().find_map(|arg| arg.parse().ok()).unwrap_or(2.0);
    let dir = tempfile::tempdir().unwrap();
    let total = generate(dir.path(), (gigabytes * f64::from(1 << 30)) as u64);
    println!("{:<34} {:>12.2} GiB, {} files", "generated", total as f64 / f64::from(1 << 30), total.div_ceil(FILE));
    if arguments.iter().any(|arg| arg == "cold") {
        let dropped = std::fs::write("/proc/sys/vm/drop_caches", "1");
        println!("{:<34} {:>12}", "dropped from the cache", if dropped.is_ok() { "yes" } else { "not allowed" });
    }
    let own = dir.path().join("own");
    let roots = Roots {
        config: own.join("config"),
        data: own.join("data"),
        cache: own.join("cache"),
        home: dir.path().to_path_buf(),
        root: None,
        platform: Platform::Linux,
    };
    let store = Store::open(&roots.database(), Options::default(), Arc::new(SystemClock)).unwrap();
    let before = memory("VmRSS");
    for label in ["read into the record", "read again from where it was left"] {
        let cursors = Reader::open(&roots.database(), std::time::Duration::from_secs(5));
        let cursors: HashMap<String, String> = cursors.unwrap().metas(Cursor::PREFIX).unwrap();
        let homes = homes(&roots, &Env::default());
        let job = Job {
            homes: &homes,
            disk: &RealDisk,
            now: at(0).checked_add(SignedDuration::from_hours(24 * 300)).unwrap(),
            cursors: &cursors,
            targets: &Targets::default(),
            control: &Control::default(),
        };
        let start = Instant::now();
        let mut first = First { start, until_first: None };
        let (progress, _) = run(&job, Some(&store.handle()), &mut first).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{label:<34} {:>12.0} MB/s, {} stored of {} seen in {seconds:.2} s",
            progress.bytes as f64 / 1e6 / seconds,
            progress.stored.stored,
            progress.observations
        );
        if let Some(until) = first.until_first {
            println!("{:<34} {until:>12.3} s", "until the first is known");
        }
    }
    println!("{:<34} {:>12.1} MB (peak {:.1} MB in all)", "memory for it", memory("VmHWM") - before, memory("VmHWM"));
}

struct First {
    start: Instant,
    until_first: Option<f64>,
}

impl Listener for First {
    fn observed(&mut self, _: &[vacancy::listen::Observation]) {
        self.until_first.get_or_insert_with(|| self.start.elapsed().as_secs_f64());
    }

    fn progress(&mut self, _: &Progress) {}
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).unwrap()
}

/// Writes rollouts of the newest form: mostly content, some of it in lines of a megabyte, a success a few lines.
fn generate(home: &Path, total: u64) -> u64 {
    let mut rng = fastrand::Rng::with_seed(7);
    let words: String =
        (0..1_200_000).map(|_| *rng.choice(&["a", "e", "n ", "\\n", "\\\"", "{", "}:", "tree "]).unwrap()).collect();
    let (mut written, mut turn, mut number) = (0, 0_i64, 0);
    while written < total {
        number += 1;
        let folder = home.join(format!(".codex/sessions/2026/06/{:02}", number % 28 + 1));
        std::fs::create_dir_all(&folder).unwrap();
        let mut file =
            BufWriter::with_capacity(1 << 20, File::create(folder.join(format!("rollout-{number}.jsonl"))).unwrap());
        let mut size = 0;
        let (mut text, mut out) = (String::new(), 0);
        writeln!(text, "{{\"timestamp\":\"{:.3}\",\"ordinal\":0,\"type\":\"session_meta\",\"payload\":{{\"id\":\"01900000-0000-7000-8000-000000000000\",\"model_provider\":\"openai\",\"base_instructions\":{{\"text\":\"{}\"}}}}}}", at(turn), &words[..20_000]).unwrap();
        while size < FILE.min(total - written) {
            turn += 20;
            let (ts, id) = (format!("{:.3}", at(turn)), format!("01910000-0000-7000-8000-{turn:012}"));
            writeln!(text, "{{\"timestamp\":\"{ts}\",\"ordinal\":1,\"type\":\"event_msg\",\"payload\":{{\"type\":\"task_started\",\"turn_id\":\"{id}\"}}}}").unwrap();
            writeln!(text, "{{\"timestamp\":\"{ts}\",\"ordinal\":2,\"type\":\"turn_context\",\"payload\":{{\"turn_id\":\"{id}\",\"model\":\"gpt-6.2-sol\"}}}}").unwrap();
            for answer in 0..4 {
                for _ in 0..3 {
                    let length = if rng.u8(..) == 0 { 1_000_000 } else { rng.usize(500..12_000) };
                    // Not within an escape.
                    let start = rng.usize(..words.len() - length);
                    let piece =
                        words[start..start + length].trim_start_matches(['\\', '"', 'n']).trim_end_matches('\\');
                    let piece = piece.strip_prefix('"').unwrap_or(piece);
                    writeln!(text, "{{\"timestamp\":\"{ts}\",\"ordinal\":3,\"type\":\"response_item\",\"payload\":{{\"type\":\"message\",\"content\":[{{\"text\":\"{piece}\"}}]}}}}").unwrap();
                }
                out += 50;
                let ts = format!("{:.3}", at(turn + answer));
                writeln!(text, "{{\"timestamp\":\"{ts}\",\"ordinal\":4,\"type\":\"event_msg\",\"payload\":{{\"type\":\"token_count\",\"info\":{{\"total_token_usage\":{{\"input_tokens\":9000,\"output_tokens\":{out}}},\"last_token_usage\":{{\"input_tokens\":9000,\"output_tokens\":50}}}},\"rate_limits\":{{\"limit_id\":\"codex\",\"primary\":{{\"used_percent\":20.0,\"window_minutes\":300,\"resets_at\":1793615002}}}}}}}}").unwrap();
            }
            writeln!(text, "{{\"timestamp\":\"{ts}\",\"ordinal\":5,\"type\":\"event_msg\",\"payload\":{{\"type\":\"task_complete\",\"turn_id\":\"{id}\",\"last_agent_message\":\"done\",\"time_to_first_token_ms\":900}}}}").unwrap();
            size += text.len() as u64;
            file.write_all(text.as_bytes()).unwrap();
            text.clear();
        }
        file.flush().unwrap();
        written += size;
    }
    written
}

/// A figure of this process in megabytes; 0 where the system does not tell.
fn memory(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    let kilobytes: f64 = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0.0);
    kilobytes / 1024.0
}
