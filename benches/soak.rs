//! The engine for weeks on a fast clock: real record, real HTTP to the loopback provider, planted rhythms.
//!
//! `cargo bench --bench soak [-- --days N] [--check]`; Linux only, as it reads `/proc`. Prints memory, threads, open files
//! and the record's size a simulated day. With `--check` it fails if any of them but the record grew once the loopback
//! provider, which keeps its newest 4,096 requests for tests, has reached that.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed run")]

use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::clock::Clock as _;
use vacancy::core::target::Dialect;
use vacancy::demo::cast::{self, CAST, State};
use vacancy::demo::rhythm::{Span, spans, state_at};
use vacancy::engine::{Handle, Parts};
use vacancy::i18n::{Lang, Tr};
use vacancy::loopback::{LoopbackThread, Options, Reply, Scenario};
use vacancy::notify::Silent;
use vacancy::probe::gate::Gate;
use vacancy::probe::http::HttpProber;
use vacancy::secrets::SystemSecrets;
use vacancy::settings::SettingsFile;
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::store::{self, Filter, Reader, Store};
use vacancy::toolprobe::probe::SystemTools;

use fast_clock::{FastClock, Holding};

#[path = "../tests/it/support/fast_clock.rs"]
mod fast_clock;

/// What memory may vary by without being a leak, in KiB: SQLite's page caches grow with a young record, to 2 MiB each.
const LEEWAY_KIB: u64 = 2 * 1024;

/// Requests that the loopback provider remembers.
const REMEMBERED: u64 = 4096;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    resident_kib: u64,
    threads: u64,
    files: u64,
}

impl Held {
    fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
        };
        let files = std::fs::read_dir("/proc/self/fd").unwrap().count() as u64;
        Self { resident_kib: field("VmRSS:"), threads: field("Threads:"), files }
    }
}

fn scenario(state: State, dialect: Dialect) -> Scenario {
    match state {
        State::Free | State::Slow => Scenario::Ok,
        State::Full if dialect == Dialect::AnthropicMessages => Scenario::Overloaded529,
        State::Full => Scenario::Overloaded503,
        State::Fault => Scenario::Error500,
        State::Limited => Scenario::Rate429,
        State::Spent => Scenario::Quota429,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let days: i64 =
        arguments.iter().skip_while(|argument| *argument != "--days").nth(1).map_or(14, |n| n.parse().unwrap());
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    // Through the night in which summer time ends.
    let start: Timestamp = "2026-10-20T22:00:00Z".parse().unwrap();
    let end = start + SignedDuration::from_hours(24 * days);
    let clock = FastClock::new(start);
    let mut rng = fastrand::Rng::with_seed(7);
    let plans: Vec<(&str, Dialect, Vec<Span>)> =
        CAST.iter().map(|member| (member.model, member.dialect, spans(member, start, end, &zone, &mut rng))).collect();
    let seen_by = clock.clone();
    let plan = move |model: &str, _: Duration| {
        let (_, dialect, spans) = plans.iter().find(|plan| plan.0 == model)?;
        Some(Reply::from(scenario(state_at(spans, seen_by.now()), *dialect)))
    };
    let loopback = LoopbackThread::start(Options { plan: Some(Arc::new(plan)), ..Options::default() }).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let env = Env::default();
    let roots = Roots::resolve(&env, Some(folder.path()), Some(folder.path()), None, None).unwrap();
    // The demo's targets at the usual pace, not at the demo's.
    let text = cast::settings_file(&loopback.addresses().plain);
    let (_, text) = text.split_once("[[provider]]").unwrap();
    let text = format!("[[provider]]{text}");
    let settings = SettingsFile::parse("vacancy.toml".as_ref(), text).resolve().unwrap();
    let targets = settings.targets.len();
    let shared = Arc::new(clock.clone());
    std::fs::create_dir_all(roots.database().parent().unwrap()).unwrap();
    let store = Store::open(&roots.database(), store::Options::default(), Arc::clone(&shared) as _).unwrap();
    let secrets = Arc::new(SystemSecrets::new(env.clone(), roots.clone()));
    let prober = HttpProber::new(secrets, Arc::clone(&shared) as _, Gate::default());
    let parts = Parts {
        follower: None,
        settings,
        settings_file: None,
        prober: Arc::new(Holding::new(clock.clone(), prober)),
        context: None,
        tools: Arc::new(SystemTools { env, roots: roots.clone(), clock: Arc::clone(&shared) as _ }),
        hands: None,
        store: store.handle(),
        clock: shared,
        zone,
        rng: fastrand::Rng::with_seed(7),
        notifier: Arc::new(Silent),
        tr: Tr::new(Lang::English),
        waker: Arc::new(()),
        is_demo: false,
    };
    let engine = Handle::start(parts).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    println!("{targets} targets, {days} days\n\n| day | requests | memory KiB | threads | open files | record KiB |");
    println!("|---|---|---|---|---|---|");
    let (mut settled, mut last): (Option<Held>, Option<Held>) = (None, None);
    for day in 1..=days {
        let until = start + SignedDuration::from_hours(24 * day);
        let mut snapshots = engine.snapshots();
        drop(runtime.block_on(snapshots.wait_for(|snapshot| snapshot.at >= until)).unwrap());
        let held = Held::now();
        let record: u64 = ["", "-wal"]
            .iter()
            .filter_map(|end| std::fs::metadata(format!("{}{end}", roots.database().display())).ok())
            .map(|data| data.len() / 1024)
            .sum();
        let requests = loopback.request_count();
        println!("| {day} | {requests} | {} | {} | {} | {record} |", held.resident_kib, held.threads, held.files);
        if requests > REMEMBERED {
            settled = settled.or(last);
        }
        last = Some(held);
    }
    engine.stop();
    drop(store);
    let reader = Reader::open(&roots.database(), Duration::from_secs(5)).unwrap();
    println!("\n{} samples in the record", reader.samples(&Filter::default()).unwrap().len());
    if arguments.iter().any(|argument| argument == "--check") {
        let (settled, last) = settled.zip(last).expect("too few days to tell");
        assert!(last.resident_kib <= settled.resident_kib + LEEWAY_KIB, "memory grew: {settled:?} to {last:?}");
        assert!(last.threads <= settled.threads && last.files <= settled.files, "{settled:?} to {last:?}");
        println!("nothing grew but the record");
    }
}
