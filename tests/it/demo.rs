//! The demo's folder, its record, and the program that shows them.

use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::clock::Clock;
use vacancy::core::outcome::{Family, Kind};
use vacancy::demo::{self, cast};
use vacancy::settings::Settings;
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::store::{Filter, Reader};

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
