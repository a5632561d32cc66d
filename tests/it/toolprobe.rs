//! When the engine has a subscription's own tool run, and what becomes of it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::clock::{Clock as _, SystemClock};
use vacancy::core::exchange::Timing;
use vacancy::core::outcome::{Kind, Outcome, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::engine::request::{Evidence, Request};
use vacancy::engine::snapshot::{ActivityEvent, Snapshot};
use vacancy::engine::{Handle, Parts};
use vacancy::i18n::{Lang, Tr};
use vacancy::listen::{Limit, Tool};
use vacancy::notify::{Message, Notifier};
use vacancy::probe::{Job, ProbeError, Probed, Prober};
use vacancy::settings::SettingsFile;
use vacancy::store::{Filter, Options, Reader, Store};
use vacancy::toolprobe::Program;
use vacancy::toolprobe::config::ToolProbe;
use vacancy::toolprobe::probe::{ToolError, ToolProbed, Tools};
use vacancy::toolprobe::run::Stop;

/// Tools that answer as they are told, one run after the other; without an answer left they hang until stopped.
#[derive(Default)]
pub(crate) struct Script(Option<Mutex<Receiver<Result<Kind, ToolError>>>>);

impl Script {
    fn new() -> (SyncSender<Result<Kind, ToolError>>, Arc<Self>) {
        let (sender, receiver) = sync_channel(8);
        (sender, Arc::new(Self(Some(Mutex::new(receiver)))))
    }
}

impl Tools for Script {
    fn probe(&self, program: Program, _: &ToolProbe, model: &str, _: &Stop) -> Result<ToolProbed, ToolError> {
        assert_eq!((program, model), (Program::Codex, "gpt-x"));
        let answers = self.0.as_ref().expect("no tool is asked without the user's leave").lock().unwrap();
        let kind = answers.recv().unwrap_or(Err(ToolError::Stopped { program }))?;
        let outcome = Outcome {
            kind,
            scope: Scope::Model,
            retry_after: None,
            wait_helps: true,
            switch_helps: true,
            rule: "test".into(),
            excerpt: String::new(),
        };
        let timing = Timing { total_ms: Some(900), ..Timing::default() };
        Ok(ToolProbed { began_at: SystemClock.now(), outcome, http_status: None, timing })
    }

    fn settle(&self) -> Duration {
        Duration::ZERO
    }
}

struct Nobody;

impl Prober for Nobody {
    fn probe<'a>(&'a self, _: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        async { unreachable!("a subscription is never asked over HTTP") }.boxed()
    }
}

impl Notifier for Nobody {
    fn show(&self, _: Message) {}
}

struct World {
    dir: tempfile::TempDir,
}

const TARGET: &str = "[[target]]\nid = \"plan\"\nprovider = \"codex\"\nmodel = \"gpt-x\"\nrole = \"primary\"\n";
const ENABLED: &str = "[tool_probe.codex]\nenabled = true\nevery = \"6h\"\ndaily = 2\n";

impl World {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn start(&self, text: &str, tools: Arc<Script>) -> (Handle, Store) {
        let store =
            Store::open(&self.dir.path().join("vacancy.sqlite"), Options::default(), Arc::new(SystemClock)).unwrap();
        let settings = SettingsFile::parse("vacancy.toml".as_ref(), text.to_owned()).resolve().unwrap();
        let handle = Handle::start(Parts {
            settings,
            settings_file: None,
            prober: Arc::new(Nobody),
            context: None,
            tools,
            hands: None,
            follower: None,
            store: store.handle(),
            clock: Arc::new(SystemClock),
            zone: TimeZone::UTC,
            rng: fastrand::Rng::with_seed(1),
            notifier: Arc::new(Nobody),
            tr: Tr::new(Lang::English),
            waker: Arc::new(()),
            is_demo: false,
        });
        (handle.unwrap(), store)
    }

    fn stored(&self) -> Vec<Sample> {
        let reader = Reader::open(&self.dir.path().join("vacancy.sqlite"), Duration::from_secs(5)).unwrap();
        reader.samples(&Filter::default()).unwrap()
    }
}

/// Waits for a snapshot that fits; the time limit only ends a test that has failed.
fn wait(handle: &Handle, what: &str, fits: impl Fn(&Snapshot) -> bool) -> Snapshot {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut snapshots = handle.snapshots();
    runtime.block_on(async {
        match tokio::time::timeout(Duration::from_secs(60), snapshots.wait_for(|snapshot| fits(snapshot))).await {
            Ok(snapshot) => snapshot.unwrap().clone(),
            Err(_) => panic!("never {what}"),
        }
    })
}

fn last(snapshot: &Snapshot) -> Option<(Kind, Source)> {
    let latest = snapshot.board.entry(&"plan".into())?.latest.as_ref()?;
    Some((latest.sample.kind, latest.sample.source))
}

fn next(snapshot: &Snapshot) -> Option<SignedDuration> {
    Some(snapshot.board.entry(&"plan".into())?.next_probe_at?.duration_since(snapshot.at))
}

fn log(at: Timestamp, kind: Kind) -> Sample {
    Sample {
        target: "plan".into(),
        source: Source::ToolLog,
        at,
        kind,
        scope: Scope::Model,
        http_status: None,
        connect_ms: None,
        first_token_ms: None,
        total_ms: None,
        retry_after_s: None,
        rule: "test".into(),
    }
}

#[test]
fn a_tool_is_run_recorded_and_left_alone_for_its_time() {
    let world = World::new();
    let (answers, tools) = Script::new();
    answers.send(Ok(Kind::Available)).unwrap();
    let (handle, store) = world.start(&format!("{TARGET}{ENABLED}"), tools);
    let snapshot = wait(&handle, "probed", |snapshot| last(snapshot) == Some((Kind::Available, Source::Probe)));
    let wait_for_next = next(&snapshot).unwrap();
    assert!(wait_for_next > SignedDuration::from_hours(5) && wait_for_next <= SignedDuration::from_hours(6));
    assert_eq!(snapshot.status.spent.tokens, 0, "the tool's budget is its own");
    handle.stop();
    drop(store);
    let stored = world.stored();
    assert_eq!((stored.len(), stored[0].source, stored[0].total_ms), (1, Source::Probe, Some(900)));

    // The run is known after a restart: where one a day is allowed, the next one is tomorrow's.
    let once = "[tool_probe.codex]\nenabled = true\nevery = \"15m\"\ndaily = 1\n";
    let (handle, store) = world.start(&format!("{TARGET}{once}"), Arc::default());
    let snapshot = wait(&handle, "restored", |snapshot| last(snapshot).is_some() && next(snapshot).is_some());
    let began = stored[0].at.to_zoned_datetime(TimeZone::UTC);
    let planned = snapshot.board.entry(&"plan".into()).unwrap().next_probe_at.unwrap();
    assert!(planned.to_zoned_datetime(TimeZone::UTC).date() > began.date(), "{planned}");
    handle.stop();
    drop(store);
    assert_eq!(world.stored().len(), 1);
}

#[test]
fn without_leave_nothing_is_run() {
    for table in ["", "[tool_probe.codex]\nevery = \"1h\"\n", "[tool_probe.claude-code]\nenabled = true\n"] {
        let world = World::new();
        let (handle, store) = world.start(&format!("{TARGET}{table}"), Arc::default());
        handle.requests().try_send(Request::ProbeNow(Vec::new())).unwrap();
        let heard = log(SystemClock.now(), Kind::Available);
        let evidence = Evidence { samples: vec![heard], ..Evidence::default() };
        handle.requests().try_send(Request::Evidence(evidence)).unwrap();
        let snapshot = wait(&handle, "heard", |snapshot| last(snapshot).is_some());
        assert_eq!(next(&snapshot), None, "{table}");
        handle.stop();
        drop(store);
    }
}

#[test]
fn the_users_own_sessions_put_a_run_off() {
    let world = World::new();
    let (answers, tools) = Script::new();
    answers.send(Ok(Kind::AtCapacity)).unwrap();
    let (handle, store) = world.start(&format!("{TARGET}{ENABLED}"), tools);
    let snapshot = wait(&handle, "probed", |snapshot| last(snapshot).is_some());
    assert!(next(&snapshot).unwrap() <= SignedDuration::from_mins(15), "full: looked at again soon");
    let heard = log(SystemClock.now(), Kind::Available);
    let evidence = Evidence { samples: vec![heard], running: vec![(Tool::Codex, 1)], ..Evidence::default() };
    handle.requests().try_send(Request::Evidence(evidence)).unwrap();
    let snapshot = wait(&handle, "heard", |snapshot| last(snapshot) == Some((Kind::Available, Source::ToolLog)));
    assert!(next(&snapshot).unwrap() > SignedDuration::from_hours(5), "evidence of the log replaces a run");
    handle.stop();
    drop(store);
}

#[test]
fn a_tool_that_cannot_be_asked_is_told_and_is_no_outcome() {
    let world = World::new();
    let (answers, tools) = Script::new();
    answers.send(Err(ToolError::Missing { program: Program::Codex })).unwrap();
    let (handle, store) = world.start(&format!("{TARGET}{ENABLED}"), tools);
    let told = |snapshot: &Snapshot| {
        let mut lines = snapshot.activity.iter();
        lines.any(|line| matches!(&line.event, ActivityEvent::Trouble(words) if words.contains("codex was not found")))
    };
    let snapshot = wait(&handle, "told", told);
    assert_eq!(last(&snapshot), None);
    assert!(next(&snapshot).unwrap() > SignedDuration::from_mins(50), "tried again later");
    handle.stop();
    drop(store);
    assert!(world.stored().is_empty());
}

#[test]
fn a_run_under_way_does_not_keep_the_engine_from_ending() {
    let world = World::new();
    let (answers, tools) = Script::new();
    let (handle, store) = world.start(&format!("{TARGET}{ENABLED}"), tools);
    wait(&handle, "planned", |snapshot| next(snapshot).is_some());
    // The script answers when its teller is gone, as a tool does that is stopped.
    drop(answers);
    handle.stop();
    drop(store);
    assert!(world.stored().is_empty());
}

/// The window asks for the user's consent, with the cost in view, before it sends this.
#[test]
fn a_plan_is_probed_when_the_user_asks_but_not_beside_the_users_own_session() {
    let world = World::new();
    let (answers, tools) = Script::new();
    answers.send(Ok(Kind::AtCapacity)).unwrap();
    let (handle, store) = world.start(TARGET, tools);
    let ask = || handle.requests().blocking_send(Request::ProbeNow(vec!["plan".into()])).unwrap();
    ask();
    let snapshot = wait(&handle, "probed", |snapshot| last(snapshot) == Some((Kind::AtCapacity, Source::Probe)));
    assert_eq!(next(&snapshot), None, "once is not always");
    assert_eq!(snapshot.status.asked_tools, []);
    let heard = log(SystemClock.now(), Kind::Available);
    let evidence = Evidence { samples: vec![heard], ..Evidence::default() };
    handle.requests().blocking_send(Request::Evidence(evidence)).unwrap();
    wait(&handle, "heard", |snapshot| last(snapshot) == Some((Kind::Available, Source::ToolLog)));
    answers.send(Ok(Kind::AtCapacity)).unwrap();
    ask();
    let told = |snapshot: &Snapshot| {
        let mut lines = snapshot.activity.iter();
        lines.any(|line| matches!(&line.event, ActivityEvent::Trouble(words) if words.contains("was in use 0 min ago")))
    };
    let snapshot = wait(&handle, "refused", told);
    assert_eq!(last(&snapshot), Some((Kind::Available, Source::ToolLog)));
    handle.stop();
    drop(store);
    assert_eq!(world.stored().len(), 2);
}

#[test]
fn how_much_of_a_plan_is_used_is_known_after_a_restart_until_it_resets() {
    let world = World::new();
    let now = SystemClock.now();
    let limit = |minutes, used_percent, resets_in: i64| Limit {
        ts: Some(now),
        tool: Tool::Codex,
        id: None,
        window_minutes: Some(minutes),
        used_percent,
        resets_at: Some(now + SignedDuration::from_secs(resets_in)),
    };
    let (handle, store) = world.start(TARGET, Arc::default());
    let told = vec![limit(300, 82.0, 7_200), limit(10_080, 31.0, -1)];
    handle.requests().blocking_send(Request::Limits(told.clone())).unwrap();
    wait(&handle, "told", |snapshot| snapshot.status.limits.len() == 2);
    // What the logs say later does not know of all windows.
    let newer = Limit { ts: Some(now + SignedDuration::from_secs(1)), ..limit(300, 83.0, 7_200) };
    let evidence = Evidence { limits: vec![newer.clone()], ..Evidence::default() };
    handle.requests().blocking_send(Request::Evidence(evidence)).unwrap();
    wait(&handle, "heard", |snapshot| snapshot.status.limits == [newer.clone(), told[1].clone()]);
    handle.stop();
    drop(store);
    let (handle, store) = world.start(TARGET, Arc::default());
    let snapshot = wait(&handle, "restored", |snapshot| !snapshot.status.limits.is_empty());
    assert_eq!(snapshot.status.limits, [newer]);
    handle.stop();
    drop(store);
}
