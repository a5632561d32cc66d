//! The engine: from a probe to the snapshot, the record and the notice.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::clock::{Clock as _, SystemClock};
use vacancy::context::fetch::Fetch;
use vacancy::context::watch::{Answer, Order, Validators};
use vacancy::context::{Part, Says};
use vacancy::core::alert::{Notice, Subject};
use vacancy::core::board::Spent;
use vacancy::core::exchange::{End, Exchange, Failure, Phase, Timing};
use vacancy::core::limits::Span;
use vacancy::core::outcome::{Family, Kind, Outcome, Scope};
use vacancy::core::sample::{Sample, Source, kept};
use vacancy::core::schedule::Event;
use vacancy::core::target::TargetId;
use vacancy::engine::machines::{Machines, Task};
use vacancy::engine::request::{Evidence, Request};
use vacancy::engine::snapshot::{Activity, ActivityEvent, EngineStatus, Snapshot};
use vacancy::engine::{Handle, Parts};
use vacancy::i18n::{Lang, Tr};
use vacancy::notify::Answer as Pressed;
use vacancy::notify::{Message, Notifier, Trouble};
use vacancy::probe::{Job, ProbeError, Probed, Prober};
use vacancy::secrets::SecretError;
use vacancy::settings::{Settings, SettingsFile};
use vacancy::store::{Filter, Options, Reader, Store};

const SETTINGS: &str = r#"
[[provider]]
id = "near"
dialect = "openai-chat"
base_url = "http://127.0.0.1:9/v1"

[[target]]
id = "sol"
provider = "near"
model = "sol-5"
role = "primary"

[[target]]
id = "luna"
provider = "near"
model = "luna-6"
role = "backup"
"#;

fn settings(text: &str) -> Settings {
    SettingsFile::parse("vacancy.toml".as_ref(), text.to_owned()).resolve().unwrap()
}

fn outcome(kind: Kind, scope: Scope) -> Outcome {
    Outcome {
        kind,
        scope,
        retry_after: None,
        wait_helps: kind != Kind::Available,
        switch_helps: false,
        rule: "test".into(),
        excerpt: String::new(),
    }
}

/// The machines on a clock that jumps from one wake to the next, with a world that says what each model answers.
struct Driver {
    machines: Machines,
    /// Of one probe of one request.
    tokens: u32,
    now: Timestamp,
    stored: Vec<Sample>,
    notices: Vec<(Timestamp, Notice)>,
}

impl Driver {
    fn new(text: &str, now: Timestamp) -> Self {
        let setup = settings(text).setup(&TimeZone::UTC);
        let tokens = setup.targets[0].tokens_per_probe;
        let machines = Machines::new(setup, fastrand::Rng::with_seed(7));
        Self { machines, tokens, now, stored: Vec::new(), notices: Vec::new() }
    }

    fn start(&mut self, record: Vec<Sample>) -> Vec<Task> {
        let spent = self.machines.restore(record.into(), self.now);
        self.machines.start(spent, self.now)
    }

    /// Runs for a time; `world` gives the answer of a target at a moment.
    fn run(
        &mut self,
        mut tasks: Vec<Task>,
        time: SignedDuration,
        world: impl Fn(&TargetId, Timestamp) -> (Kind, Scope),
    ) {
        let end = self.now + time;
        loop {
            let mut queue = VecDeque::from(tasks);
            while let Some(task) = queue.pop_front() {
                match task {
                    Task::Probe { target, .. } => {
                        let (kind, scope) = world(&target, self.now);
                        let outcome = outcome(kind, scope);
                        let timing = Timing { first_token_ms: Some(300), total_ms: Some(500), ..Timing::default() };
                        let sample = Sample::new(target.clone(), Source::Probe, self.now, Some(200), timing, &outcome);
                        let spent = Spent { requests: 1, tokens: self.tokens };
                        queue.extend(self.machines.probed(&target, spent, Some((sample, outcome)), self.now));
                    }
                    Task::Store(sample) => self.stored.push(sample),
                    Task::Notify(notice) => self.notices.push((self.now, notice)),
                }
            }
            match self.machines.wake_at() {
                Some(at) if at <= end => self.now = at.max(self.now),
                _ => break,
            }
            tasks = self.machines.event(Event::Tick, self.now);
        }
        self.now = end;
    }

    fn snapshot(&mut self) -> Snapshot {
        self.machines.snapshot(EngineStatus::default(), self.now)
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

const FREE: (Kind, Scope) = (Kind::Available, Scope::Model);
const FULL: (Kind, Scope) = (Kind::AtCapacity, Scope::Model);

#[test]
fn an_outage_of_the_primary_ends_in_one_notice_and_the_record_holds_every_probe() {
    let start = at("2026-03-02T09:00:00Z");
    let mut driver = Driver::new(SETTINGS, start);
    let tasks = driver.start(Vec::new());
    let (from, to) = (at("2026-03-02T10:00:00Z"), at("2026-03-02T10:25:00Z"));
    driver.run(tasks, SignedDuration::from_hours(3), |target, now| {
        if target.as_str() == "sol" && now >= from && now < to { FULL } else { FREE }
    });
    let [(_, away), (when, back)] = &driver.notices[..] else { panic!("two notices, not {:?}", driver.notices) };
    let Subject::Full { free: Some(free), .. } = &away.subject else { panic!("{away:?}") };
    assert_eq!(free.as_str(), "luna", "the first of the chain that is free");
    let Subject::Recovered { target, after: Some(after), .. } = &back.subject else { panic!("{back:?}") };
    assert_eq!(target.as_str(), "sol");
    assert!(*when >= to && *when < to + SignedDuration::from_mins(8), "told at {when}");
    assert!((10..=40).contains(&(after.as_secs() / 60)), "{after:?}");
    let snapshot = driver.snapshot();
    assert_eq!(snapshot.board.first_free(snapshot.at).unwrap().target.id.as_str(), "sol");
    let told = snapshot.activity.iter().filter(|line| matches!(line.event, ActivityEvent::Notice(_))).count();
    assert_eq!(told, 2);
    let strip = &snapshot.strips[&TargetId::from("sol")];
    assert!(strip.cells.iter().any(|cell| cell.family == Some(Family::Full)));
    assert_eq!(snapshot.status.spent.requests as usize, driver.stored.len(), "every probe is stored and counted");
    assert!(snapshot.status.next_probe.is_some());
}

#[test]
fn a_restart_gives_the_same_board_without_telling_old_news() {
    let start = at("2026-03-02T09:00:00Z");
    let mut driver = Driver::new(SETTINGS, start);
    let tasks = driver.start(Vec::new());
    let from = at("2026-03-02T10:00:00Z");
    driver.run(
        tasks,
        SignedDuration::from_hours(2),
        |target, now| {
            if target.as_str() == "sol" && now >= from { FULL } else { FREE }
        },
    );
    let before = driver.snapshot();
    let mut again = Driver::new(SETTINGS, driver.now);
    let tasks = again.start(driver.stored.clone());
    assert!(!tasks.iter().any(|task| matches!(task, Task::Notify(_) | Task::Store(_))), "{tasks:?}");
    let after = again.snapshot();
    for (old, new) in before.board.entries.iter().zip(&after.board.entries) {
        assert_eq!((old.confirmed, &old.recent), (new.confirmed, &new.recent));
    }
    assert_eq!(before.strips, after.strips);
    assert_eq!(before.status.spent, after.status.spent, "the day's budget survives");
    // The outage that began before the restart still ends in one notice.
    again.run(tasks, SignedDuration::from_hours(1), |_, _| FREE);
    assert_eq!(again.notices.len(), 1, "{:?}", again.notices);
}

#[test]
fn a_clock_that_is_set_back_during_a_probe_leaves_nothing_in_the_future() {
    for back in [SignedDuration::from_secs(20), SignedDuration::from_hours(24)] {
        for asked in [FREE, FULL] {
            let mut driver = Driver::new(SETTINGS, at("2026-03-02T09:00:00Z"));
            let mut tasks = driver.start(Vec::new());
            let target = loop {
                if let Some(held) = tasks.iter().position(|task| matches!(task, Task::Probe { .. }))
                    && let Task::Probe { target, .. } = tasks.remove(held)
                {
                    break target;
                }
                driver.now = driver.machines.wake_at().unwrap();
                tasks = driver.machines.event(Event::Tick, driver.now);
            };
            let began = driver.now;
            driver.now = began - back;
            let mut tasks = driver.machines.event(Event::ClockJumped, driver.now);
            let outcome = outcome(asked.0, asked.1);
            let sample = Sample::new(target.clone(), Source::Probe, began, Some(200), Timing::default(), &outcome);
            let spent = Spent { requests: 1, tokens: driver.tokens };
            tasks.extend(driver.machines.probed(&target, spent, Some((sample, outcome)), driver.now));
            let set_back = driver.now;
            driver.run(tasks, SignedDuration::from_mins(30), |_, _| FULL);
            let of_target = |at| driver.stored.iter().any(|sample| sample.target == target && sample.at == at);
            assert!(
                of_target(kept(set_back)) && !of_target(kept(began)),
                "what began in the future counts from its end"
            );
            assert_eq!(family(&driver.snapshot(), target.as_str()), Family::Full, "{back:?} {asked:?}");
        }
    }
}

#[test]
fn wherever_the_clock_goes_the_engine_goes_on_and_tells_what_is_true_once() {
    let hour = SignedDuration::from_hours(1);
    for jump in
        [-24 * hour, -hour, SignedDuration::from_secs(-20), SignedDuration::from_secs(20), hour, 24 * 365 * hour]
    {
        let mut driver = Driver::new(SETTINGS, at("2026-03-02T09:00:00Z"));
        let tasks = driver.start(Vec::new());
        driver.run(tasks, 3 * hour, |_, _| FREE);
        driver.now += jump;
        let landed = driver.now;
        driver.stored.clear();
        let tasks = driver.machines.event(Event::ClockJumped, landed);
        let fails_from = landed + hour;
        let world = |target: &TargetId, now| if target.as_str() == "sol" && now >= fails_from { FULL } else { FREE };
        driver.run(tasks, 4 * hour, world);
        let probes = driver.stored.iter().filter(|sample| sample.kind != Kind::Skipped);
        let in_first_hour = probes.clone().filter(|sample| sample.at < fails_from).count();
        assert!((4..=40).contains(&in_first_hour), "{jump:?}: {in_first_hour} probes of two models in an hour");
        assert!(probes.clone().all(|sample| sample.at >= landed && sample.at <= driver.now), "{jump:?}");
        let told: Vec<_> = driver.notices.iter().map(|(when, notice)| (*when, &notice.subject)).collect();
        let [(when, Subject::Full { .. })] = told[..] else { panic!("{jump:?}: {told:?}") };
        assert!(when >= fails_from, "{jump:?}");
        let snapshot = driver.snapshot();
        assert_eq!(
            (family(&snapshot, "sol"), family(&snapshot, "luna")),
            (Family::Full, Family::Available),
            "{jump:?}"
        );
        assert!(
            snapshot
                .board
                .entries
                .iter()
                .all(|entry| entry.confirmed.as_ref().is_some_and(|state| state.since <= driver.now)),
            "{jump:?}"
        );
    }
}

#[test]
fn our_own_network_is_nobodys_outage() {
    // Two unrelated providers; nothing is sent, the world is a function.
    let far =
        |name: &str| SETTINGS.replace("near", name).replace("http://127.0.0.1:9", &format!("https://{name}.example"));
    let other = far("second").replace("sol", "vega").replace("luna", "rigel").replace("primary", "backup");
    let mut driver = Driver::new(&(far("first") + &other), at("2026-03-02T09:00:00Z"));
    let tasks = driver.start(Vec::new());
    driver.run(tasks, SignedDuration::from_hours(1), |_, _| FREE);
    let (from, to) = (at("2026-03-02T10:00:00Z"), at("2026-03-02T11:00:00Z"));
    driver.run(Vec::new(), SignedDuration::from_hours(3), |_, now| {
        if now >= from && now < to { (Kind::Network, Scope::Local) } else { FREE }
    });
    assert!(driver.notices.is_empty(), "{:?}", driver.notices);
    let snapshot = driver.snapshot();
    assert!(snapshot.board.entries.iter().all(|entry| entry.family() == Family::Available));
    let count = |wanted: &ActivityEvent| snapshot.activity.iter().filter(|line| line.event == *wanted).count();
    assert_eq!((count(&ActivityEvent::WentOffline), count(&ActivityEvent::CameOnline)), (1, 1));
    assert!(driver.stored.iter().any(|sample| sample.rule == "skip-offline"));
}

/// Answers from a list a model, then the last answer for ever.
#[derive(Default)]
struct Script(Mutex<HashMap<String, VecDeque<Result<Exchange, ProbeError>>>>);

impl Script {
    fn of(self, model: &str, answers: impl IntoIterator<Item = Result<Exchange, ProbeError>>) -> Self {
        self.0.lock().unwrap().insert(model.to_owned(), answers.into_iter().collect());
        self
    }
}

impl Prober for Script {
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        async move {
            let mut all = self.0.lock().unwrap();
            let answers = all.get_mut(job.model.as_str()).expect("a scripted model");
            let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
            answer.expect("an answer").map(|exchange| Probed {
                began_at: SystemClock.now(),
                exchange,
                requests: 1,
                tokens: 20,
            })
        }
        .boxed()
    }
}

fn answer(status: u16, body: &str) -> Result<Exchange, ProbeError> {
    Ok(Exchange {
        status: Some(status),
        headers: vec![("content-type".into(), "application/json".into())],
        body: body.as_bytes().to_vec(),
        timing: Timing { first_token_ms: Some(120), total_ms: Some(150), ..Timing::default() },
        ..Exchange::default()
    })
}

fn ok() -> Result<Exchange, ProbeError> {
    answer(200, r#"{"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}"#)
}

fn full() -> Result<Exchange, ProbeError> {
    answer(
        503,
        r#"{"error":{"message":"The engine is overloaded","type":"server_error","code":"server_is_overloaded"}}"#,
    )
}

#[derive(Default)]
struct Told(Mutex<Vec<Message>>);

impl Notifier for Told {
    fn show(&self, message: Message) {
        self.0.lock().unwrap().push(message);
    }
}

/// An engine on a real store in a folder of its own.
struct World {
    dir: tempfile::TempDir,
    told: Arc<Told>,
}

impl World {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), told: Arc::default() }
    }

    fn database(&self) -> std::path::PathBuf {
        self.dir.path().join("vacancy.sqlite")
    }

    fn start(&self, text: &str, script: impl Prober + 'static) -> (Handle, Store) {
        self.start_among(text, script, None)
    }

    /// Starts with others to ask.
    fn start_among(
        &self,
        text: &str,
        script: impl Prober + 'static,
        context: Option<Arc<dyn Fetch>>,
    ) -> (Handle, Store) {
        self.start_whole(text, script, context, None)
    }

    fn start_followed(&self, text: &str, follower: Box<dyn vacancy::engine::Follower>) -> (Handle, Store) {
        self.start_whole(text, Script::default(), None, Some(follower))
    }

    fn start_whole(
        &self,
        text: &str,
        script: impl Prober + 'static,
        context: Option<Arc<dyn Fetch>>,
        follower: Option<Box<dyn vacancy::engine::Follower>>,
    ) -> (Handle, Store) {
        let file = self.dir.path().join("vacancy.toml");
        std::fs::write(&file, text).unwrap();
        let store = Store::open(&self.database(), Options::default(), Arc::new(SystemClock)).unwrap();
        let handle = Handle::start(Parts {
            settings: settings(text),
            settings_file: Some(file),
            prober: Arc::new(script),
            context,
            tools: Arc::new(crate::toolprobe::Script::default()),
            hands: None,
            follower,
            store: store.handle(),
            clock: Arc::new(SystemClock),
            zone: TimeZone::UTC,
            rng: fastrand::Rng::with_seed(1),
            notifier: Arc::clone(&self.told) as _,
            tr: Tr::new(Lang::English),
            waker: Arc::new(()),
            is_demo: false,
        });
        (handle.unwrap(), store)
    }
}

/// Waits for a snapshot that fits; the time limit only ends a test that has failed.
fn wait(handle: &Handle, what: &str, fits: impl Fn(&Snapshot) -> bool) -> Snapshot {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut snapshots = handle.snapshots();
    runtime.block_on(async {
        let found = tokio::time::timeout(Duration::from_secs(60), snapshots.wait_for(|snapshot| fits(snapshot))).await;
        match found {
            Ok(snapshot) => snapshot.unwrap().clone(),
            Err(_) => panic!("never {what}"),
        }
    })
}

fn family(snapshot: &Snapshot, target: &str) -> Family {
    snapshot.board.entry(&target.into()).unwrap().family()
}

fn last(snapshot: &Snapshot, target: &str) -> Option<Kind> {
    snapshot.board.entry(&target.into()).unwrap().latest.as_ref().map(|latest| latest.sample.kind)
}

#[test]
fn probes_reach_the_snapshot_and_the_disk() {
    let world = World::new();
    let (handle, store) = world.start(SETTINGS, Script::default().of("sol-5", [full()]).of("luna-6", [ok()]));
    let snapshot =
        wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some() && last(snapshot, "luna").is_some());
    assert_eq!(last(&snapshot, "sol"), Some(Kind::AtCapacity));
    let entry = snapshot.board.entry(&"sol".into()).unwrap();
    assert!(entry.latest.as_ref().unwrap().excerpt.contains("overloaded"));
    handle.requests().blocking_send(Request::ProbeNow(vec!["sol".into()])).unwrap();
    wait(&handle, "confirmed full", |snapshot| family(snapshot, "sol") == Family::Full);
    handle.stop();
    drop(store);
    let reader = Reader::open(&world.database(), Duration::from_secs(1)).unwrap();
    let samples = reader.samples(&Filter::default()).unwrap();
    assert!(samples.iter().filter(|sample| sample.target.as_str() == "sol").count() >= 2, "{samples:?}");
    let state = reader.targets().unwrap().into_iter().find(|target| target.info.id.as_str() == "sol").unwrap();
    assert_eq!(state.info.model, "sol-5");
    assert!(state.state.next_probe_at.is_some());
    assert_eq!(state.state.confirmed.unwrap().kind, Kind::AtCapacity);
}

/// A status page that says that everything is down.
struct Doom(Mutex<Vec<Order>>);

impl Fetch for Doom {
    fn fetch<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Answer> {
        self.0.lock().unwrap().push(order.clone());
        let page = br#"{"components":[{"name":"Chat Completions","status":"major_outage"}]}"#;
        std::future::ready(Answer::Document(page.to_vec(), Validators::default())).boxed()
    }
}

#[test]
fn what_a_status_page_says_is_shown_and_changes_nothing() {
    let text = SETTINGS.replace("dialect = \"openai-chat\"", "preset = \"openai\"");
    for is_on in [true, false] {
        let world = World::new();
        let doom = Arc::new(Doom(Mutex::default()));
        let text = if is_on { text.clone() } else { format!("{text}\n[context]\nstatus_pages = false\n") };
        let script = Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]);
        let (handle, store) = world.start_among(&text, script, Some(Arc::clone(&doom) as _));
        let says = |snapshot: &Snapshot| snapshot.context.get(&"sol".into()).map(|said| said[0].says.clone());
        if is_on {
            let trouble = |snapshot: &Snapshot| matches!(says(snapshot), Some(Says::Trouble(_)));
            let snapshot = wait(&handle, "told", trouble);
            let Some(Says::Trouble(parts)) = says(&snapshot) else { unreachable!() };
            let [Part { name, status }] = &parts[..] else { panic!("{parts:?}") };
            assert_eq!((name.as_str(), status.as_str()), ("Chat Completions", "major_outage"));
        }
        let all = ["sol", "luna"];
        wait(&handle, "answered", |snapshot| all.iter().all(|target| last(snapshot, target).is_some()));
        handle.requests().blocking_send(Request::ProbeNow(Vec::new())).unwrap();
        let is_free = |snapshot: &Snapshot| all.iter().all(|target| family(snapshot, target) == Family::Available);
        let snapshot = wait(&handle, "free", is_free);
        assert_eq!(says(&snapshot).is_some(), is_on);
        assert!(snapshot.board.banner.is_none());
        handle.stop();
        drop(store);
        // One page for both targets, asked once; and no trace of it in the record.
        assert_eq!(doom.0.lock().unwrap().len(), usize::from(is_on));
        let reader = Reader::open(&world.database(), Duration::from_secs(1)).unwrap();
        let samples = reader.samples(&Filter::default()).unwrap();
        assert!(!samples.is_empty());
        assert!(samples.iter().all(|sample| (sample.source, sample.kind) == (Source::Probe, Kind::Available)));
    }
}

#[test]
fn what_headers_say_of_a_keys_limits_is_shown() {
    let world = World::new();
    let mut told = ok().unwrap();
    let headers = [("limit", "200"), ("remaining", "30")];
    told.headers.extend(headers.map(|(word, n)| (format!("x-ratelimit-{word}-requests"), n.to_owned())));
    let (handle, _store) = world.start(SETTINGS, Script::default().of("sol-5", [Ok(told)]).of("luna-6", [ok()]));
    let snapshot =
        wait(&handle, "answered", |snapshot| ["sol", "luna"].iter().all(|target| last(snapshot, target).is_some()));
    let limits = &snapshot.status.key_limits;
    let [window] = &limits[&"sol".into()][..] else { panic!("one limit, not {limits:?}") };
    assert_eq!((window.span, window.used_percent), (Span::Requests, 85.0));
    assert!(!limits.contains_key(&"luna".into()));
}

/// The real clock, so that it takes the hold of a notice: whole days are in `day`.
/// Probes until the backup is known to be free and the primary full, and that has been told.
fn tell_that_sol_is_full(handle: &Handle) {
    let ask = |target: &str, kind: Family| {
        while family(&handle.snapshots().borrow().clone(), target) != kind {
            let seen = handle.snapshots().borrow().board.entry(&target.into()).unwrap().recent.len();
            handle.requests().blocking_send(Request::ProbeNow(vec![target.into()])).unwrap();
            wait(handle, "probed", |snapshot| snapshot.board.entry(&target.into()).unwrap().recent.len() > seen);
        }
    };
    ask("luna", Family::Available);
    ask("sol", Family::Full);
    let is_told =
        |snapshot: &Snapshot| snapshot.activity.iter().any(|line| matches!(line.event, ActivityEvent::Notice(_)));
    wait(handle, "told", is_told);
}

#[test]
fn notices_speak_the_language_that_the_window_changed_to() {
    let world = World::new();
    let script = Script::default().of("sol-5", [full(), full(), full()]).of("luna-6", [ok(), ok()]);
    let (handle, _store) = world.start(SETTINGS, script);
    handle.requests().blocking_send(Request::Speak(Lang::Chinese)).unwrap();
    tell_that_sol_is_full(&handle);
    let told = world.told.0.lock().unwrap().clone();
    let [message] = &told[..] else { panic!("one notice, not {told:?}") };
    assert_eq!((message.summary.as_str(), message.body.as_str()), ("sol-5 已满载", "luna-6 现在可用。"));
    handle.stop();
}

#[test]
fn what_is_told_outside_the_window_is_kept_and_its_buttons_work() {
    let world = World::new();
    let script = Script::default().of("sol-5", [full(), full(), full()]).of("luna-6", [ok(), ok()]);
    let (handle, _store) = world.start(SETTINGS, script);
    tell_that_sol_is_full(&handle);
    let told = world.told.0.lock().unwrap().clone();
    let [message] = &told[..] else { panic!("one notice, not {told:?}") };
    assert_eq!((message.summary.as_str(), message.body.as_str()), ("sol-5 is full", "luna-6 is free."));
    assert_eq!(message.facts["kind"], "full");
    let actions: Vec<&str> = message.buttons.iter().map(|button| button.action.as_str()).collect();
    assert_eq!(actions, ["use", "snooze"]);
    let answer = |action: &str| Request::Answered(Pressed { id: message.id, action: action.to_owned() });
    handle.requests().blocking_send(answer("nonsense")).unwrap();
    handle.requests().blocking_send(answer("snooze")).unwrap();
    let snapshot = wait(&handle, "snoozed", |snapshot| !snapshot.status.notices.snoozed.is_empty());
    assert!(snapshot.status.notices.snoozed.contains_key(&"sol".into()));
    handle.stop();
    let reader = Reader::open(&world.database(), Duration::from_secs(1)).unwrap();
    let kept = reader.meta("notices").unwrap().unwrap();
    assert!(kept.contains("\"snoozed\":{\"sol\""), "{kept}");
}

#[test]
fn a_missing_key_is_the_users_to_mend_and_is_said_with_the_next_step() {
    let world = World::new();
    let missing = || Err(ProbeError::Key(SecretError::EnvUnset { name: "NEAR_KEY".into() }));
    let (handle, _store) = world.start(SETTINGS, Script::default().of("sol-5", [missing()]).of("luna-6", [ok()]));
    let snapshot = wait(&handle, "said", |snapshot| last(snapshot, "sol").is_some());
    let entry = snapshot.board.entry(&"sol".into()).unwrap();
    assert_eq!(entry.family(), Family::Blocked, "the user's affairs need no confirmation");
    assert!(entry.latest.as_ref().unwrap().excerpt.contains("NEAR_KEY"));
    assert_eq!(entry.hold, Some(vacancy::core::board::Hold::NeedsUser));
}

#[test]
fn settings_changed_by_hand_are_taken_in_and_wrong_ones_are_said() {
    let world = World::new();
    let script = Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]).of("vega-1", [ok()]);
    let (handle, _store) = world.start(SETTINGS, script);
    wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some());
    let file = world.dir.path().join("vacancy.toml");
    std::fs::write(&file, SETTINGS.replace("luna-6", "vega-1").replace("id = \"luna\"", "id = \"vega\"")).unwrap();
    handle.requests().blocking_send(Request::ReloadSettings).unwrap();
    let snapshot = wait(&handle, "reloaded", |snapshot| snapshot.board.entry(&"vega".into()).is_some());
    assert!(snapshot.board.entry(&"luna".into()).is_none());
    assert!(last(&snapshot, "sol").is_some(), "what is known of the others stays");
    std::fs::write(&file, "[[provider]]\nid = 5\n").unwrap();
    handle.requests().blocking_send(Request::ReloadSettings).unwrap();
    let snapshot = wait(&handle, "complained", |snapshot| snapshot.status.settings_trouble.is_some());
    assert!(snapshot.status.settings_trouble.as_ref().unwrap().contains(":2:"), "{:?}", snapshot.status);
    assert_eq!(snapshot.board.entries.len(), 2, "the last valid settings stay in force");
}

/// However it is written: nobody says that it was, and no minute passes.
#[cfg(unix)]
#[test]
fn a_change_by_hand_is_seen_by_itself() {
    let world = World::new();
    let file = world.dir.path().join("vacancy.toml");
    let elsewhere = world.dir.path().join("dotfiles");
    std::fs::create_dir(&elsewhere).unwrap();
    let script = Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]).of("vega-1", [ok()]);
    let (handle, _store) = world.start(SETTINGS, script);
    wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some());
    let began = tokio::time::Instant::now();
    let reads = |snapshot: &Snapshot| snapshot.status.settings_reads;
    let with_zoom = |zoom: &str| format!("{SETTINGS}\n[ui]\nzoom = {zoom}\n");
    // As editors do: the file itself, another one in its place, and a link to one elsewhere.
    std::fs::write(&file, with_zoom("1.1")).unwrap();
    wait(&handle, "written", |snapshot| reads(snapshot) == 1);
    std::fs::write(elsewhere.join("new"), with_zoom("1.25")).unwrap();
    std::fs::rename(elsewhere.join("new"), &file).unwrap();
    wait(&handle, "replaced", |snapshot| reads(snapshot) == 2);
    std::fs::write(elsewhere.join("mine.toml"), with_zoom("1.125")).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("mine.toml"), &file).unwrap();
    let snapshot = wait(&handle, "linked", |snapshot| reads(snapshot) == 3);
    let news = snapshot.activity.iter().filter(|line| line.event == ActivityEvent::SettingsReloaded).count();
    assert_eq!(news, 1, "several within an hour are one line, with the newest time");
    std::fs::write(elsewhere.join("mine.toml"), "[ui]\nzoom = \"big\"\n").unwrap();
    wait(&handle, "wrong", |snapshot| snapshot.status.settings_trouble.is_some());
    assert!(began.elapsed() < Duration::from_secs(55), "not by the look of each minute");
}

/// Notes what it was told, and is not content with one address.
struct Following(Arc<Mutex<Vec<Option<std::net::SocketAddr>>>>);

impl vacancy::engine::Follower for Following {
    fn follow(&mut self, settings: &Settings, _: &Tr) -> Option<String> {
        let listen = settings.metrics.listen;
        self.0.lock().unwrap().push(listen);
        listen.filter(|address| address.port() == 9465).map(|_| "the port is taken".to_owned())
    }
}

#[test]
fn what_this_program_writes_takes_hold_at_once_and_is_not_told_as_news() {
    let world = World::new();
    let followed = Arc::default();
    let (handle, _store) = world.start_followed(SETTINGS, Box::new(Following(Arc::clone(&followed))));
    let file = world.dir.path().join("vacancy.toml");
    let news = |snapshot: &Snapshot| {
        snapshot.activity.iter().filter(|line| line.event == ActivityEvent::SettingsReloaded).count()
    };
    for (reads, (request, port)) in
        [(Request::SettingsWritten, 9464), (Request::ReloadSettings, 9465)].into_iter().enumerate()
    {
        std::fs::write(&file, format!("{SETTINGS}\n[metrics]\nlisten = \"127.0.0.1:{port}\"\n")).unwrap();
        handle.requests().blocking_send(request).unwrap();
        let snapshot = wait(&handle, "read", |snapshot| snapshot.status.settings_reads == reads as u64 + 1);
        assert_eq!(news(&snapshot), reads, "only what another hand wrote is news");
        let is_told =
            |line: &Activity| matches!(&line.event, ActivityEvent::Trouble(words) if words == "the port is taken");
        assert_eq!(snapshot.activity.iter().any(is_told), port == 9465);
    }
    let ports: Vec<_> = followed.lock().unwrap().iter().map(|at| at.map(|at| at.port())).collect();
    assert_eq!(ports, [Some(9464), Some(9465)]);
}

/// Says which job came, and answers as it is told; a probe's end is in the test's hand.
struct Held {
    came: std::sync::mpsc::SyncSender<Job>,
    answers: tokio::sync::Mutex<tokio::sync::mpsc::Receiver<Result<Probed, ProbeError>>>,
}

impl Prober for Held {
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        async move {
            self.came.send(job.clone()).expect("the test listens");
            self.answers.lock().await.recv().await.expect("the test answers")
        }
        .boxed()
    }
}

const LONE: &str = r#"
[[provider]]
id = "near"
dialect = "openai-chat"
base_url = "http://127.0.0.1:9/v1"

[[target]]
id = "sol"
provider = "near"
model = "sol-5"
"#;

#[test]
fn an_answer_to_old_settings_is_no_outcome_of_the_new_ones_but_its_cost_is_counted() {
    let world = World::new();
    let (came, jobs) = std::sync::mpsc::sync_channel(8);
    let (answer_with, answers) = tokio::sync::mpsc::channel(8);
    let held = Held { came, answers: tokio::sync::Mutex::new(answers) };
    let (handle, store) = world.start(LONE, held);
    let job = |what: &str| jobs.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("no probe {what}"));
    let probed = |exchange: Result<Exchange, ProbeError>, requests, tokens| {
        exchange.map(|exchange| Probed { began_at: SystemClock.now(), exchange, requests, tokens })
    };
    assert_eq!(job("at the start").model.as_str(), "sol-5");
    let file = world.dir.path().join("vacancy.toml");
    std::fs::write(&file, LONE.replace("127.0.0.1:9", "127.0.0.1:8")).unwrap();
    handle.requests().blocking_send(Request::ReloadSettings).unwrap();
    wait(&handle, "reloaded", |snapshot| {
        snapshot.activity.iter().any(|line| line.event == ActivityEvent::SettingsReloaded)
    });
    answer_with.blocking_send(probed(answer(401, r#"{"error":{"code":"invalid_api_key"}}"#), 1, 20)).unwrap();
    // The new address is asked within seconds, and what the old one said is nowhere.
    assert_eq!(job("of the new address").endpoint.base_url.port(), Some(8));
    let snapshot = handle.snapshots().borrow().clone();
    assert_eq!((last(&snapshot, "sol"), snapshot.status.spent.requests), (None, 2), "one made, one booked");
    // Its shape had to be corrected twice.
    answer_with.blocking_send(probed(ok(), 3, 900)).unwrap();
    let snapshot = wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some());
    assert_eq!(last(&snapshot, "sol"), Some(Kind::Available));
    assert_eq!(snapshot.status.spent, Spent { requests: 4, tokens: 920 });
    handle.stop();
    drop(store);
    let reader = Reader::open(&world.database(), Duration::from_secs(1)).unwrap();
    assert_eq!(reader.samples(&Filter::default()).unwrap().len(), 1);
    // What it cost is known after a restart too.
    let (handle, _store) = world.start(LONE, Script::default().of("sol-5", [ok()]));
    let again = wait(&handle, "started", |snapshot| snapshot.status.spent != Spent::default());
    assert!(again.status.spent.requests >= 4 && again.status.spent.tokens >= 920, "{:?}", again.status.spent);
}

/// Blocks a thread until the test lets it go: a keyring that asks its user.
struct Blocking(Mutex<Option<std::sync::mpsc::Receiver<()>>>, std::sync::mpsc::SyncSender<()>);

impl Prober for Blocking {
    fn probe<'a>(&'a self, _job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        let (let_go, blocks) = (self.0.lock().unwrap().take().expect("one probe"), self.1.clone());
        async move {
            let work = tokio::task::spawn_blocking(move || {
                blocks.send(()).unwrap();
                let_go.recv().unwrap_err();
            });
            work.await.unwrap();
            Err(ProbeError::Client { reason: "never".into() })
        }
        .boxed()
    }
}

#[test]
fn what_blocks_does_not_keep_the_engine_from_ending() {
    let world = World::new();
    let (hold, let_go) = std::sync::mpsc::sync_channel(8);
    let (blocks, blocked) = std::sync::mpsc::sync_channel(8);
    let (handle, _store) = world.start(LONE, Blocking(Mutex::new(Some(let_go)), blocks));
    blocked.recv_timeout(Duration::from_secs(60)).expect("the probe begins");
    handle.stop();
    drop(hold);
}

#[test]
fn pause_and_resume_are_seen_and_stop_all_probing() {
    let world = World::new();
    let (handle, _store) = world.start(SETTINGS, Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]));
    wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some() && last(snapshot, "luna").is_some());
    handle.requests().blocking_send(Request::Pause(None)).unwrap();
    let snapshot = wait(&handle, "paused", |snapshot| snapshot.status.paused.is_some());
    assert!(snapshot.board.entries.iter().all(|entry| entry.next_probe_at.is_none()));
    handle.requests().blocking_send(Request::Resume).unwrap();
    let snapshot = wait(&handle, "resumed", |snapshot| snapshot.status.paused.is_none());
    assert!(snapshot.status.next_probe.is_some());
    let events: Vec<_> = snapshot.activity.iter().map(|line| &line.event).collect();
    assert!(events.contains(&&ActivityEvent::Paused) && events.contains(&&ActivityEvent::Resumed));
}

#[test]
fn a_refused_connection_alone_makes_no_model_look_down() {
    let world = World::new();
    let refused = || {
        Ok(Exchange {
            end: End::Failed(Failure {
                phase: Some(Phase::Connect),
                text: "tcp connect error: Connection refused (os error 111)".into(),
            }),
            ..Exchange::default()
        })
    };
    let (handle, _store) = world.start(SETTINGS, Script::default().of("sol-5", [refused()]).of("luna-6", [refused()]));
    let snapshot = wait(&handle, "answered", |snapshot| last(snapshot, "sol").is_some());
    assert_eq!(last(&snapshot, "sol"), Some(Kind::Network));
    assert_eq!(family(&snapshot, "sol"), Family::Unknown);
}

#[test]
fn refusals_in_the_users_sessions_win_over_passing_probes() {
    let mut driver = Driver::new(SETTINGS, at("2026-03-02T09:00:00Z"));
    let tasks = driver.start(Vec::new());
    driver.run(tasks, SignedDuration::from_hours(1), |_, _| FREE);
    let snapshot = driver.snapshot();
    assert!(snapshot.board.entry(&"sol".into()).unwrap().is_free(snapshot.at));
    let heard = |target: &str, second: i64, kind: Kind| {
        let outcome = outcome(kind, Scope::Model);
        let at = at("2026-03-02T10:00:00Z") + SignedDuration::from_secs(second);
        Sample::new(target.into(), Source::ToolLog, at, None, Timing::default(), &outcome)
    };
    driver.now += SignedDuration::from_secs(5);
    let mut tasks = driver.machines.heard(&heard("sol", 1, Kind::AtCapacity), driver.now);
    tasks.extend(driver.machines.heard(&heard("sol", 2, Kind::AtCapacity), driver.now));
    let of_another = driver.machines.heard(&heard("claude-code/opus", 2, Kind::AtCapacity), driver.now);
    assert!(matches!(&of_another[..], [Task::Store(_)]), "only written down: {of_another:?}");
    assert_eq!(tasks.iter().filter(|task| matches!(task, Task::Store(_))).count(), 2);
    let snapshot = driver.snapshot();
    let entry = snapshot.board.entry(&"sol".into()).unwrap();
    assert!(entry.is_refused_in_sessions && !entry.is_free(snapshot.at));
    assert_eq!(entry.source(), Some(Source::ToolLog));
    assert_eq!(snapshot.board.first_free(snapshot.at).unwrap().target.id.as_str(), "luna");
}

#[test]
fn what_sessions_met_is_kept_before_the_place_up_to_which_it_was_read() {
    let world = World::new();
    let (handle, store) = world.start(SETTINGS, Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]));
    let refused = outcome(Kind::AtCapacity, Scope::Model);
    let sample = Sample::new("sol".into(), Source::ToolLog, SystemClock.now(), Some(503), Timing::default(), &refused);
    let evidence = Evidence {
        samples: vec![sample],
        cursors: vec![("cursor:log".to_owned(), "7".to_owned())],
        ..Evidence::default()
    };
    handle.requests().blocking_send(Request::Evidence(evidence)).unwrap();
    wait(&handle, "heard", |snapshot| {
        let recent = &snapshot.board.entry(&"sol".into()).unwrap().recent;
        recent.iter().any(|sample| sample.source == Source::ToolLog)
    });
    handle.stop();
    drop(store);
    let reader = Reader::open(&world.database(), Duration::from_secs(1)).unwrap();
    assert_eq!(reader.meta("cursor:log").unwrap().as_deref(), Some("7"));
    let samples = reader.samples(&Filter::target("sol".into())).unwrap();
    assert!(samples.iter().any(|sample| sample.source == Source::ToolLog), "{samples:?}");
}

fn plan_settings() -> String {
    let plan = "\n[[target]]\nid = \"plan\"\nprovider = \"codex\"\nmodel = \"gpt-6-luna\"\nrole = \"backup\"\n";
    format!("{SETTINGS}{plan}")
}

fn of_log(target: &str, minutes_ago: i64, kind: Kind, scope: Scope) -> Sample {
    let at = SystemClock.now() - SignedDuration::from_mins(minutes_ago);
    Sample::new(target.into(), Source::ToolLog, at, None, Timing::default(), &outcome(kind, scope))
}

/// As a backfill does it, in this program or beside it.
#[test]
fn what_is_added_to_the_record_beside_the_engine_is_shown_without_a_restart() {
    let world = World::new();
    let script = Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]);
    let (handle, store) = world.start(&plan_settings(), script);
    let all = ["sol", "luna"];
    wait(&handle, "answered", |snapshot| all.iter().all(|target| last(snapshot, target).is_some()));
    let full = (Kind::AtCapacity, Scope::Model);
    let mut past: Vec<Sample> = (0..40).map(|n| of_log("plan", 600 - n * 10, FREE.0, FREE.1)).collect();
    // A primary that was full hours ago and is free since is no news.
    past.extend([300, 295].map(|ago| of_log("sol", ago, full.0, full.1)));
    past.extend([280, 275].map(|ago| of_log("sol", ago, FREE.0, FREE.1)));
    let samples = |snapshot: &Snapshot, target: &str| {
        snapshot.strips.get(&target.into()).map_or(0, |strip| strip.cells.iter().map(|cell| cell.samples).sum::<u32>())
    };
    let probed = samples(&handle.snapshots().borrow().clone(), "sol");
    for _ in 0..2 {
        // The second time the store knows them all.
        store.handle().import(Vec::new(), past.clone()).wait().unwrap();
        let snapshot = wait(&handle, "taken in", |snapshot| samples(snapshot, "plan") == 40);
        let entry = snapshot.board.entry(&"plan".into()).unwrap();
        assert_eq!((entry.family(), entry.is_stale(snapshot.at)), (Family::Available, true));
        assert_eq!(samples(&snapshot, "sol"), probed + 4);
        assert_eq!(snapshot.board.entry(&"sol".into()).unwrap().latest.as_ref().unwrap().sample.source, Source::Probe);
    }
    // What another program's writer brings is seen at the next look.
    let other = Store::open(&world.database(), Options::default(), Arc::new(SystemClock)).unwrap();
    other.handle().import(Vec::new(), vec![of_log("plan", 1, FREE.0, FREE.1)]).wait().unwrap();
    drop(other);
    handle.requests().blocking_send(Request::ReloadSettings).unwrap();
    let snapshot = wait(&handle, "seen", |snapshot| samples(snapshot, "plan") == 41);
    assert!(snapshot.board.entry(&"plan".into()).unwrap().is_free(snapshot.at), "a fresh one makes it live");
    let recovered =
        |snapshot: &Snapshot| snapshot.activity.iter().any(|line| matches!(line.event, ActivityEvent::Notice(_)));
    assert!(!recovered(&snapshot));
    handle.stop();
    assert!(world.told.0.lock().unwrap().is_empty());
}

/// Processes with the name of the tool, as a user's sessions are.
#[cfg(target_os = "linux")]
#[test]
fn sessions_that_run_stand_beside_a_limit() {
    use std::os::unix::process::CommandExt as _;
    use vacancy::ui::screens::board::model::Model;

    let world = World::new();
    let script = Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]);
    let (handle, _store) = world.start(&plan_settings(), script);
    let spawn = || std::process::Command::new("sleep").arg0("codex").arg("600").spawn().unwrap();
    let mut fakes = [spawn(), spawn()];
    // What has just started has no arguments yet.
    let running = || vacancy::listen::sessions(&vacancy::platform::processes::own().unwrap(), 0);
    let all =
        |found: &[(vacancy::listen::Tool, usize)]| found.iter().map(|(_, count)| count).sum::<usize>() >= fakes.len();
    let running = std::iter::repeat_with(running).take(1_000).find(|found| all(found)).expect("both run");
    for fake in &mut fakes {
        fake.kill().unwrap();
        fake.wait().unwrap();
    }
    let limited = |ago| of_log("plan", ago, Kind::RateLimited, Scope::Account);
    let evidence = Evidence { samples: vec![limited(2), limited(1)], running, ..Evidence::default() };
    handle.requests().blocking_send(Request::Evidence(evidence)).unwrap();
    let snapshot = wait(&handle, "limited", |snapshot| family(snapshot, "plan") == Family::Limited);
    let model = Model::new(&snapshot, None, &Default::default(), snapshot.at, &Tr::new(Lang::English));
    let advice = &model.rows.iter().find(|row| row.target.as_str() == "plan").unwrap().advice;
    assert!(advice.contains("sessions of yours are running"), "{advice}");
    handle.stop();
}

#[test]
fn a_hook_that_does_not_work_is_said_once_until_it_does_again_and_silence_lasts_until_it_is_taken_back() {
    let world = World::new();
    let (handle, _store) = world.start(SETTINGS, Script::default().of("sol-5", [ok()]).of("luna-6", [ok()]));
    let broken = || Request::NoticeTrouble(Trouble::of("hook", |_| "the hook failed".to_owned()));
    let send = |request| handle.requests().blocking_send(request).unwrap();
    let said = |snapshot: &Snapshot| {
        let is_trouble = |line: &&Activity| line.event == ActivityEvent::Trouble("the hook failed".to_owned());
        snapshot.activity.iter().filter(is_trouble).count()
    };
    let until = |snapshot: &Snapshot| snapshot.status.notices.quiet.map(|quiet| (quiet.until, quiet.is_by_hand));
    for _ in 0..3 {
        send(broken());
    }
    send(Request::DoNotDisturb(Some(vacancy::core::alert::Alert::FOR_GOOD)));
    let snapshot = wait(&handle, "silent", |snapshot| until(snapshot) == Some((None, true)));
    assert_eq!(said(&snapshot), 1);
    send(Request::NoticeTrouble(Trouble::over("hook")));
    send(broken());
    send(Request::DoNotDisturb(None));
    let snapshot = wait(&handle, "loud again", |snapshot| until(snapshot).is_none() && said(snapshot) == 2);
    assert_eq!(said(&snapshot), 2);
    handle.stop();
}
