//! The planted record that several benches measure on: targets that are full for some hours of the day, each at its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use vacancy::clock::SystemClock;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::core::target::{Role, TargetId};
use vacancy::engine::snapshot::Snapshot;
use vacancy::store::{Options, Store, StoreHandle, TargetInfo};
use vacancy::ui::stage::Stage;

/// Targets of the record.
pub const TARGETS: usize = 20;
/// 2025-01-01T00:00:00Z.
pub const START: i64 = 1_735_689_600_000;
/// A sample a minute of each target, for a year.
pub const YEAR: usize = TARGETS * 365 * 24 * 60;
const BATCH: usize = 20_000;

/// The targets, registered.
pub fn register(handle: &StoreHandle) -> Vec<TargetId> {
    let targets: Vec<_> = (0..TARGETS).map(|n| TargetId::from(format!("provider-{}/model-{n}", n / 4))).collect();
    let infos = targets.iter().enumerate().map(|(n, id)| TargetInfo {
        id: id.clone(),
        provider: format!("provider-{}", n / 4),
        model: format!("model-{n}"),
        dialect: "openai-chat".to_owned(),
    });
    handle.register(infos.collect()).wait().expect("targets can be stored");
    targets
}

/// The nth sample: every target once a minute, jittered, full for some hours of the day.
pub fn planted(n: usize, targets: &[TargetId], rng: &mut fastrand::Rng) -> Sample {
    let (minute, target) = (n / TARGETS, n % TARGETS);
    let is_full = (minute / 60 + target) % 24 < 5 && rng.u8(..10) < 8;
    let first_token_ms = (!is_full).then(|| 300 + rng.u32(..400) + rng.u32(..400) + rng.u32(..800));
    Sample {
        target: targets[target].clone(),
        source: Source::Probe,
        at: Timestamp::from_millisecond(START + minute as i64 * 60_000 + rng.i64(0..12_000)).expect("a time"),
        kind: if is_full { Kind::AtCapacity } else { Kind::Available },
        scope: Scope::Model,
        http_status: Some(if is_full { 503 } else { 200 }),
        connect_ms: Some(rng.u32(5..120)),
        first_token_ms,
        total_ms: Some(first_token_ms.unwrap_or(90) + rng.u32(..700)),
        retry_after_s: is_full.then_some(30),
        rule: if is_full { "openai-overloaded".into() } else { "ok".into() },
    }
}

/// A record on disk, and its folder when that is thrown away at the end.
#[allow(dead_code, reason = "each bench uses its part of this file")]
pub struct Record {
    /// The database.
    pub path: PathBuf,
    /// When its last sample was taken, to the minute.
    pub now: Timestamp,
    /// Samples in it.
    pub samples: u64,
    _folder: Option<tempfile::TempDir>,
}

#[allow(dead_code, reason = "each bench uses its part of this file")]
impl Record {
    /// The record in the folder that the command line names (see `benches/store.rs`), or one of a year at a sample every so many minutes.
    pub fn named_or_filled(every_minutes: usize) -> Self {
        let named = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
        let (path, folder) = match named {
            Some(named) => (Path::new(&named).join("data/vacancy.sqlite"), None),
            None => {
                let folder = tempfile::tempdir().expect("a folder for the record");
                (fill(folder.path(), every_minutes), Some(folder))
            }
        };
        let reader = vacancy::store::Reader::open(&path, std::time::Duration::ZERO).expect("the record can be read");
        let samples = reader.info().expect("the record can be read").samples;
        let now = Timestamp::from_millisecond(START + 365 * 86_400_000).expect("a time");
        Self { path, now, samples, _folder: folder }
    }
}

/// Fills a record of a year.
fn fill(folder: &Path, every_minutes: usize) -> PathBuf {
    let path = folder.join("vacancy.sqlite");
    let store = Store::open(&path, Options::default(), Arc::new(SystemClock)).expect("the record can be made");
    let handle = store.handle();
    let targets = register(&handle);
    let mut rng = fastrand::Rng::with_seed(7);
    let samples = (0..YEAR).filter(|n| (n / TARGETS).is_multiple_of(every_minutes));
    let samples: Vec<Sample> = samples.map(|n| planted(n, &targets, &mut rng)).collect();
    for batch in samples.chunks(BATCH) {
        handle.append_batch(batch.to_vec()).wait().expect("samples can be stored");
    }
    path
}

/// What the engine would show of the targets: all kinds of states, roles, and a lively afternoon.
#[allow(dead_code, reason = "each bench uses its part of this file")]
pub fn snapshot(targets: usize, now: Timestamp) -> Snapshot {
    use vacancy::core::outcome::Family;
    use vacancy::engine::snapshot::ActivityEvent;
    let mut stage = Stage::new(now, TimeZone::get("Europe/Berlin").unwrap_or(TimeZone::UTC));
    for n in 0..targets {
        let role = if n == 0 { Role::Primary } else { Role::Backup };
        stage.target(&format!("model-{n}"), &format!("provider-{}", n / 4), Some(role));
        stage.state(Kind::ALL[n % 15], Scope::Model, 90, "rule");
    }
    for minutes in 0..200 {
        let target = "provider-0/model-0".into();
        let event = ActivityEvent::Changed { target, from: None, to: Family::Full, kind: Kind::AtCapacity };
        stage.happened(minutes, event);
    }
    stage.snapshot()
}
