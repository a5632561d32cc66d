//! The demo's folder, its record, and the program that shows them.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use vacancy::app::window::switching::{Means, Worker};
use vacancy::clock::Clock;
use vacancy::core::outcome::{Family, Kind};
use vacancy::core::target::Dialect;
use vacancy::demo::{self, cast};
use vacancy::engine::record_snapshot;
use vacancy::i18n::{Lang, Tr};
use vacancy::loopback::settings::settings_file;
use vacancy::loopback::{LoopbackThread, Options, Scenario, Tempo};
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::settings::{Settings, ThemeChoice};
use vacancy::store::{Filter, Reader};
use vacancy::ui::switching::{Ask, Told};

/// A clock that stands still.
struct Fixed(Timestamp);

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        self.0
    }
}

fn roots(folder: &std::path::Path) -> Roots {
    Roots::resolve(&Env::default(), Some(folder), Some(folder), None, None).unwrap()
}

fn zone() -> TimeZone {
    TimeZone::get("Europe/Berlin").unwrap()
}

fn prepare(folder: &std::path::Path, at: Timestamp) -> demo::DemoWorld {
    let clock: Arc<dyn Clock> = Arc::new(Fixed(at));
    demo::prepare(&roots(folder), demo::SEED, 2, &zone(), &clock).unwrap()
}

fn afternoon() -> Timestamp {
    "2026-10-06T12:27:00Z".parse().unwrap()
}

#[test]
fn every_tool_of_the_demo_uses_one_of_its_models_and_can_be_switched() {
    let folder = tempfile::tempdir().unwrap();
    let world = prepare(folder.path(), afternoon());
    let clock: Arc<dyn Clock> = Arc::new(Fixed(afternoon()));
    let picture = record_snapshot(
        &Settings::load(&world.roots.settings_file()).unwrap(),
        &world.roots.database(),
        &zone(),
        afternoon(),
    )
    .unwrap();
    let mut worker = Worker::new(Means {
        roots: world.roots.clone(),
        env: Env::default(),
        clock,
        tr: Tr::new(Lang::English).into(),
        asks_running: false,
        is_picture: false,
        tell: Box::new(drop),
        snapshot: Box::new(move || picture.clone()),
    });
    let told = worker.answer(Ask::Look);
    let Some(Told::Seen(seen)) = told.first() else { panic!("{told:?}") };
    let used: BTreeMap<_, _> =
        seen.tools.iter().map(|tool| (tool.name, tool.used().map(|target| target.as_str()))).collect();
    let expected = [
        ("Claude Code", Some("sonnet-5")),
        ("Codex", Some("gpt-5.6-sol")),
        ("Gemini CLI", Some("gemini-4-flash")),
        ("aider", Some("qwen3-coder")),
        ("opencode", Some("deepseek-v4")),
    ];
    assert_eq!(used, BTreeMap::from(expected));
}

#[test]
fn the_next_demo_looks_like_the_last_one_and_forgets_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = prepare(folder.path(), afternoon()).roots.settings_file();
    let made = std::fs::read_to_string(&file).unwrap();
    let changed =
        made.replace("every = \"8s\"", "every = \"9s\"") + "\n[ui]\nlanguage = \"zh-Hans\" # mine\ntheme = \"light\"\n";
    std::fs::write(&file, changed).unwrap();
    let settings = Settings::load(&prepare(folder.path(), afternoon()).roots.settings_file()).unwrap();
    assert_eq!((settings.ui.language, settings.ui.theme), (Some(Lang::Chinese), ThemeChoice::Light));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("every = \"8s\"") && text.starts_with("# Made by"), "{text}");
    std::fs::write(&file, "[ui\n").unwrap();
    prepare(folder.path(), afternoon());
    assert!(!std::fs::read_to_string(&file).unwrap().contains("[ui"), "a broken file is no look");
}

#[test]
fn a_demo_has_everything_of_its_own_and_nothing_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let user = roots(folder.path());
    let world = prepare(folder.path(), afternoon());
    assert!(world.simulated > 5_000, "{}", world.simulated);
    for path in [&world.roots.config, &world.roots.data, &world.roots.home, world.roots.root.as_ref().unwrap()] {
        assert!(path.starts_with(user.cache.join("demo")), "{}", path.display());
    }
    assert!(!user.settings_file().exists() && !user.database().exists());

    let settings = Settings::load(&world.roots.settings_file()).unwrap();
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    let planned: Vec<_> = cast::targets().iter().map(|target| target.id.clone()).collect();
    let resolved: Vec<_> = settings.targets.iter().map(|target| target.id.clone()).collect();
    assert_eq!(resolved, planned, "in chain order");
    assert!(settings.providers.iter().all(|provider| provider.is_local), "nothing leaves this machine");

    let reader = Reader::open(&world.roots.database(), Duration::from_secs(5)).unwrap();
    let samples = reader.samples(&Filter::default()).unwrap();
    assert_eq!(samples.len(), world.simulated);
    assert!(reader.buckets(&Filter::default()).unwrap().len() > 1_000);
}

#[test]
fn a_fresh_record_is_kept_and_an_old_one_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let first = prepare(folder.path(), afternoon());
    let made = first.simulated;
    drop(first);
    let again = prepare(folder.path(), afternoon() + SignedDuration::from_mins(5));
    assert_eq!((again.simulated, made > 0), (0, true));
    drop(again);
    let later = prepare(folder.path(), afternoon() + SignedDuration::from_hours(2));
    assert!(later.simulated > 0);
    let reader = Reader::open(&later.roots.database(), Duration::from_secs(5)).unwrap();
    let last = reader.info().unwrap().last_at.unwrap();
    assert!(last > afternoon() + SignedDuration::from_mins(60), "{last}");
}

#[test]
fn two_demos_at_once_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (prepare(folder.path(), afternoon()), prepare(folder.path(), afternoon()));
    assert_ne!(one.roots.data, two.roots.data);
}

#[test]
fn the_past_shows_every_family_that_waiting_and_paying_end() {
    let past = demo::Past { seed: demo::SEED, now: afternoon(), zone: zone(), weeks: 6, ending: demo::Ending::Full };
    let samples = demo::history(&past);
    for family in [Family::Available, Family::Full, Family::Limited, Family::Fault, Family::Blocked] {
        let count = samples.iter().filter(|sample| sample.kind != Kind::Skipped && sample.family() == family).count();
        assert!(count > 0, "{family:?}");
    }
    let last = |model: &str| samples.iter().rfind(|sample| sample.target.as_str() == model).unwrap();
    let ends = [
        ("gpt-5.6-sol", Kind::AtCapacity),
        ("gpt-6-luna", Kind::Available),
        ("deepseek-v4", Kind::RateLimited),
        ("qwen3-coder", Kind::QuotaExhausted),
    ];
    for (model, kind) in ends {
        assert_eq!(last(model).kind, kind, "{model}");
    }
}

/// The path that a person takes: the loopback provider, an ordinary settings file, the program.
#[test]
fn an_ordinary_settings_file_shows_every_scenario_with_its_kind() {
    let tempo = Tempo { slow: Duration::from_millis(200), beat: Duration::from_millis(20) };
    let loopback = LoopbackThread::start(Options { tempo, ..Options::default() }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings = roots(folder.path()).settings_file();
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, settings_file(loopback.addresses(), &Dialect::PROBED)).unwrap();
    let run = |arguments: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_vacancy"));
        let output = program.arg("--data").arg(folder.path()).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    // A silent scenario takes as long as the deadlines say; those are held by tests of the prober with short ones.
    let is_silent = |s: &&Scenario| matches!(s, Scenario::Hang | Scenario::Stall | Scenario::SlowLoris);
    let mut expected = BTreeMap::new();
    for scenario in Scenario::ALL.iter().filter(|scenario| !is_silent(scenario)) {
        for dialect in Dialect::PROBED {
            expected.insert(format!("{dialect}-{}", scenario.name()), scenario.expected(dialect));
        }
    }
    let targets: Vec<&str> = expected.keys().map(String::as_str).collect();
    let probed = run(&[&["probe", "--json"], targets.as_slice()].concat());
    let mut seen = 0;
    for line in probed.lines() {
        let verdict: Value = serde_json::from_str(line).unwrap();
        let (kind, scope) = expected[verdict["target"].as_str().unwrap()];
        assert_eq!(
            (verdict["kind"].as_str(), verdict["scope"].as_str()),
            (Some(kind.name()), Some(scope.name())),
            "{line}"
        );
        seen += 1;
    }
    assert_eq!(seen, expected.len());
    let now: Value = serde_json::from_str(&run(&["now", "--json"])).unwrap();
    for target in now["targets"].as_array().unwrap() {
        let kind = expected.get(target["target"].as_str().unwrap()).map(|(kind, _)| kind.name());
        assert_eq!(target["last_kind"].as_str(), kind, "{target}");
    }
}

/// `vacancy demo --text` without a terminal: the board, until a signal ends it. A language that was chosen in the last one
/// is spoken in the next.
#[cfg(unix)]
#[test]
fn the_demo_runs_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache/demo/config/vacancy.toml");
    for (asked, state) in [(&["--lang", "en"][..], "Available"), (&[], "可用")] {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_vacancy"))
            .env("LC_ALL", "C")
            .arg("--data")
            .arg(folder.path())
            .args(asked)
            .args(["demo", "--text", "--weeks", "1"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
        let board: Vec<String> = lines.by_ref().take_while(|line| !line.contains("qwen3-coder")).collect();
        for member in &cast::CAST[..5] {
            let is_named = board.iter().any(|line| line.contains(member.model) && line.contains(member.provider));
            assert!(is_named, "{}: {board:?}", member.model);
        }
        assert!(board.iter().any(|line| line.contains(state)), "{state}: {board:?}");
        let ended = std::process::Command::new("kill").args(["-TERM", &program.id().to_string()]).status().unwrap();
        assert!(ended.success());
        assert!(program.wait().unwrap().success());
        let made = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, made + "\n[ui]\nlanguage = \"zh-Hans\"\n").unwrap();
    }
}
