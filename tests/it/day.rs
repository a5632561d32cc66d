//! A scripted day: the real engine on a fast clock, its record, its rules and its hands, a loopback provider that plays the
//! script, and every notice with its time. `tests/e2e` runs it once more with a real notification daemon.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use url::Url;
use vacancy::app::hands::SystemHands;
use vacancy::clock::Clock;
use vacancy::engine::request::Request;
use vacancy::engine::snapshot::Snapshot;
use vacancy::engine::{Handle, Parts};
use vacancy::i18n::{Lang, Tr};
use vacancy::loopback::{LoopbackThread, Options, Reply, Scenario};
use vacancy::notify::everywhere::{Everywhere, Means};
use vacancy::notify::{Answer, Answers, Message, Notifier};
use vacancy::probe::gate::Gate;
use vacancy::probe::http::HttpProber;
use vacancy::probe::{Job, ProbeError, Probed, Prober};
use vacancy::secrets::SystemSecrets;
use vacancy::settings::SettingsFile;
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::store::{self, Store};

use crate::support::fast_clock::{FastClock, Holding};

const SETTINGS: &str = r#"
[notices]
about = "chain"
quiet = "22:00-07:00"
[ui]
zone = "Europe/Berlin"

[[provider]]
id = "near"
dialect = "openai-responses"
base_url = "https://near.example/v1"
key = { env = "NEAR_KEY" }
[[provider]]
id = "far"
dialect = "openai-responses"
base_url = "https://far.example/v1"
key = { env = "FAR_KEY" }

[[target]]
id = "sol"
provider = "near"
model = "sol"
role = "primary"
[[target]]
id = "luna"
provider = "far"
model = "luna"
role = "backup"
[[target]]
id = "vega"
provider = "near"
model = "vega"
role = "emergency"
"#;

fn zone() -> TimeZone {
    TimeZone::get("Europe/Berlin").unwrap()
}

/// A moment of the day by the clock on the wall; the later one of an hour that comes twice.
fn at(text: &str) -> Timestamp {
    let civil: jiff::civil::DateTime = text.parse().unwrap();
    zone().to_ambiguous_timestamp(civil).later().unwrap()
}

/// From when to when a model answers so.
type Part = (&'static str, Timestamp, Timestamp, Scenario);

/// Sends probes of invented hosts to the loopback provider, and nowhere while our own network is down.
struct Wire {
    http: HttpProber,
    clock: FastClock,
    provider: String,
    nowhere: String,
    down: (Timestamp, Timestamp),
}

impl Prober for Wire {
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        let now = self.clock.now();
        let is_down = self.down.0 <= now && now < self.down.1;
        let base = if is_down { &self.nowhere } else { &self.provider };
        let mut job = job.clone();
        let mut endpoint = (*job.endpoint).clone();
        endpoint.base_url = Url::parse(&format!("{base}/v1")).unwrap();
        job.endpoint = Arc::new(endpoint);
        async move { self.http.probe(&job).await }.boxed()
    }
}

/// Notes every notice, and shows it on the desktop too where there is one.
struct Told {
    clock: FastClock,
    messages: Mutex<Vec<(Timestamp, Message)>>,
    desktop: Option<Everywhere>,
}

impl Notifier for Told {
    fn show(&self, message: Message) {
        self.messages.lock().unwrap().push((self.clock.now(), message.clone()));
        if let Some(desktop) = &self.desktop {
            desktop.show(message);
        }
    }

    fn withdraw(&self, id: u64) {
        if let Some(desktop) = &self.desktop {
            desktop.withdraw(id);
        }
    }

    fn answer_to(&self, answers: Answers) {
        if let Some(desktop) = &self.desktop {
            desktop.answer_to(answers);
        }
    }
}

const CODEX: &str = r#"# mine
model = "sol"   # the good one
model_provider = "near"

[model_providers.near]
name = "near"
base_url = "https://near.example/v1"
env_key = "NEAR_KEY"
wire_api = "responses"

[model_providers.far]
name = "far"
base_url = "https://far.example/v1"
env_key = "FAR_KEY"
wire_api = "responses"
"#;

/// Saturday and Sunday with the night in which summer time ends, and what the models answer when it is not simply *ok*.
fn script() -> Vec<Part> {
    let full = Scenario::Overloaded503;
    let mut parts = vec![
        // An ordinary outage.
        ("sol", at("2026-10-24T09:00"), at("2026-10-24T09:25"), full),
        // A whole provider.
        ("sol", at("2026-10-24T15:00"), at("2026-10-24T15:40"), Scenario::Error500),
        ("vega", at("2026-10-24T15:00"), at("2026-10-24T15:40"), Scenario::Error500),
        // While the machine sleeps.
        ("sol", at("2026-10-24T19:00"), at("2026-10-24T19:30"), full),
        // In the quiet hours, and over before they end.
        ("sol", at("2026-10-24T23:00"), at("2026-10-24T23:40"), full),
        // In the hour that comes twice, and until after the quiet hours.
        ("sol", at("2026-10-25T02:10"), at("2026-10-25T08:00"), full),
    ];
    // Coming and going for two hours.
    let mut from = at("2026-10-24T11:00");
    while from < at("2026-10-24T13:00") {
        let to = from + SignedDuration::from_mins(12);
        parts.push(("sol", from, to, full));
        from = to + SignedDuration::from_mins(12);
    }
    parts
}

fn line((at, message): &(Timestamp, Message)) -> String {
    format!("{} {}", at.to_zoned_datetime(zone()).strftime("%a %H:%M"), message.summary)
}

/// A day in a folder.
struct Day {
    clock: FastClock,
    told: Arc<Told>,
    engine: Handle,
    store: Store,
    _loopback: LoopbackThread,
}

impl Day {
    fn start(folder: &Path, has_desktop: bool) -> Self {
        let clock = FastClock::new(at("2026-10-24T08:00"));
        clock.stand_at(at("2026-10-24T08:00"));
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let (played, seen_by) = (script(), clock.clone());
        let plan = move |model: &str, _: Duration| {
            let now = seen_by.now();
            let part = played.iter().find(|(its, from, to, _)| *its == model && *from <= now && now < *to);
            Some(Reply::from(part.map_or(Scenario::Ok, |part| part.3)))
        };
        let loopback = LoopbackThread::start(Options { plan: Some(Arc::new(plan)), ..Options::default() }).unwrap();
        let keys = HashMap::from([("NEAR_KEY", "k-near"), ("FAR_KEY", "k-far")]);
        let env: Env = keys.into_iter().collect();
        let roots = Roots::resolve(&env, Some(folder), Some(folder), None, None).unwrap();
        let secrets = Arc::new(SystemSecrets::new(env.clone(), roots.clone()));
        let http = HttpProber::new(Arc::clone(&secrets) as _, Arc::clone(&shared), Gate::default());
        let wire = Wire {
            http,
            clock: clock.clone(),
            provider: loopback.addresses().plain.clone(),
            nowhere: loopback.addresses().refused.clone(),
            down: (at("2026-10-24T17:00"), at("2026-10-24T17:30")),
        };
        let desktop = has_desktop.then(|| {
            let (env, roots, clock) = (env.clone(), roots.clone(), Arc::clone(&shared));
            Everywhere::start(Means { env, roots, secrets, clock, has_desktop, patience: Means::PATIENCE }).unwrap()
        });
        let told = Arc::new(Told { clock: clock.clone(), messages: Mutex::default(), desktop });
        std::fs::create_dir_all(roots.database().parent().unwrap()).unwrap();
        let store = Store::open(&roots.database(), store::Options::default(), Arc::clone(&shared)).unwrap();
        let engine = Handle::start(Parts {
            follower: None,
            settings: SettingsFile::parse("vacancy.toml".as_ref(), SETTINGS.to_owned()).resolve().unwrap(),
            settings_file: None,
            prober: Arc::new(Holding::new(clock.clone(), wire)),
            context: None,
            tools: Arc::new(crate::toolprobe::Script::default()),
            hands: Some(Box::new(SystemHands::new(roots, env, Arc::clone(&shared)))),
            store: store.handle(),
            clock: shared,
            zone: TimeZone::UTC,
            rng: fastrand::Rng::with_seed(3),
            notifier: Arc::clone(&told) as _,
            tr: Tr::new(Lang::English),
            waker: Arc::new(()),
            is_demo: false,
        })
        .unwrap();
        Self { clock, told, engine, store, _loopback: loopback }
    }

    /// Waits for a picture that fits; the limit only ends a test that has failed.
    fn wait(&self, what: &str, fits: impl Fn(&Snapshot) -> bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut snapshots = self.engine.snapshots();
        let found = runtime.block_on(async {
            tokio::time::timeout(Duration::from_secs(240), snapshots.wait_for(|snapshot| fits(snapshot))).await.is_ok()
        });
        assert!(found, "never {what}: {:#?}", self.lines());
    }

    /// Goes on to a moment; the clock stands there until the next one.
    fn wait_until(&self, moment: &str) {
        self.clock.stand_at(at(moment));
        self.wait(moment, |snapshot| snapshot.at >= at(moment));
    }

    /// Waits until a file is written and the notice of it shown.
    fn wait_told(&self, summary: &str, is_written: impl Fn() -> bool) {
        let is_told = || self.told.messages.lock().unwrap().iter().any(|(_, message)| message.summary == summary);
        self.wait(summary, |_| is_written() && is_told());
    }

    /// Every notice so far: time and first line.
    fn lines(&self) -> Vec<String> {
        let messages = self.told.messages.lock().unwrap();
        messages.iter().map(line).collect()
    }

    /// Presses the button with this label on the newest notice that has it.
    fn press(&self, label: &str) {
        let messages = self.told.messages.lock().unwrap();
        let found = messages.iter().rev().find_map(|(_, message)| {
            let button = message.buttons.iter().find(|button| button.label == label)?;
            Some(Answer { id: message.id, action: button.action.clone() })
        });
        let answer = found.unwrap_or_else(|| panic!("no button {label}: {messages:#?}"));
        self.engine.requests().try_send(Request::Answered(answer)).unwrap();
    }
}

/// What is to be told, each once and nothing else: first line, and from when to when it may come. The usual pace is ten
/// minutes, and what is seen is confirmed within a minute.
const RIGHT: [(&str, &str, &str); 14] = [
    ("sol is full", "2026-10-24T09:00", "2026-10-24T09:14"),
    ("Codex uses luna now", "2026-10-24T09:15", "2026-10-24T09:25"),
    ("sol is free again", "2026-10-24T09:25", "2026-10-24T09:32"),
    ("Codex uses sol now", "2026-10-24T09:45", "2026-10-24T10:30"),
    ("sol is full", "2026-10-24T11:00", "2026-10-24T11:12"),
    ("sol is free again", "2026-10-24T11:12", "2026-10-24T11:20"),
    ("sol is full", "2026-10-24T11:24", "2026-10-24T11:36"),
    ("sol comes and goes", "2026-10-24T11:36", "2026-10-24T11:48"),
    ("sol has settled: free", "2026-10-24T13:15", "2026-10-24T13:40"),
    ("sol is failing", "2026-10-24T15:00", "2026-10-24T15:12"),
    // In the place of the one before.
    ("near: 2 models are not free", "2026-10-24T15:01", "2026-10-24T15:40"),
    ("near: 2 models are free again", "2026-10-24T15:40", "2026-10-24T16:00"),
    ("Since Sat 22:00 you were not disturbed", "2026-10-25T07:00", "2026-10-25T07:01"),
    ("sol is free again", "2026-10-25T08:00", "2026-10-25T08:08"),
];

/// Lives the day through, with the buttons pressed in the morning.
fn live(folder: &Path, has_desktop: bool) -> Vec<(Timestamp, Message)> {
    let codex = folder.join(".codex/config.toml");
    std::fs::create_dir_all(codex.parent().unwrap()).unwrap();
    std::fs::write(&codex, CODEX).unwrap();
    let uses = |text: &str| std::fs::read_to_string(&codex).unwrap() == text;
    let day = Day::start(folder, has_desktop);
    // The button of the notice writes the tool's file, and the button of the next one takes it back.
    day.wait_until("2026-10-24T09:15");
    day.press("Use luna now");
    let switched = CODEX.replace("model = \"sol\"", "model = \"luna\"").replace("= \"near\"\n\n", "= \"far\"\n\n");
    day.wait_told("Codex uses luna now", || uses(&switched));
    day.wait_until("2026-10-24T09:45");
    day.press("Switch back to sol");
    day.wait_told("Codex uses sol now", || uses(CODEX));
    day.wait_until("2026-10-24T18:00");
    // The machine sleeps for two hours: nobody sees the outage in them.
    day.clock.set_ahead(SignedDuration::from_hours(2));
    day.wait_until("2026-10-25T12:00");
    let messages = day.told.messages.lock().unwrap().clone();
    day.engine.stop();
    drop(day.store);
    messages
}

fn check(told: &[(Timestamp, Message)]) {
    let lines: Vec<String> = told.iter().map(line).collect();
    for ((when, message), (summary, from, to)) in told.iter().zip(RIGHT) {
        let is_in_time = at(from) <= *when && *when <= at(to);
        assert!(message.summary == summary && is_in_time, "{summary} between {from} and {to}: {lines:#?}");
    }
    assert_eq!(told.len(), RIGHT.len(), "{lines:#?}");
    assert_eq!(told[10].1.replaces, Some(told[9].1.id));
    // As programs read it: lengths of time are whole seconds.
    let after = told[2].1.facts["after_s"].as_u64();
    assert!(after.is_some_and(|after| (600..=1_800).contains(&after)), "{}", told[2].1.facts);
}

#[test]
fn a_scripted_day_is_told_once_each() {
    let folder = tempfile::tempdir().unwrap();
    check(&live(folder.path(), false));
}

/// The same day, shown by the notification daemon whose log `VACANCY_DUNST_LOG` names: `tests/e2e` starts both.
#[test]
#[ignore = "needs a session bus with dunst: tests/e2e runs it"]
fn a_scripted_day_reaches_a_real_daemon() {
    let env = Env::process();
    let Some(log) = env.get("VACANCY_DUNST_LOG") else { panic!("VACANCY_DUNST_LOG names no log") };
    let folder = tempfile::tempdir().unwrap();
    let told = live(folder.path(), true);
    check(&told);
    let shown = || {
        let log = std::fs::read_to_string(log).unwrap();
        let count = |(_, message): &(Timestamp, Message)| {
            let formatted = log.lines().filter(|line| line.contains("formatted:") && line.contains(&message.summary));
            formatted.count()
        };
        told.iter().map(count).collect::<Vec<_>>()
    };
    let same = |message: &Message| told.iter().filter(|(_, other)| other.summary == message.summary).count();
    let right: Vec<usize> = told.iter().map(|(_, message)| same(message)).collect();
    // The daemon writes its log by itself; the limit only ends a test that has failed.
    let until = tokio::time::Instant::now() + Duration::from_secs(20);
    while shown() != right && tokio::time::Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(shown(), right, "{:#?}", told.iter().map(line).collect::<Vec<_>>());
}
