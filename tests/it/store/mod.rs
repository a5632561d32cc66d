//! The store on real files.

mod basics;
mod history;
mod rebuild;
mod sheet;
mod trouble;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use vacancy::clock::Clock;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::core::target::TargetId;
use vacancy::store::{Options, Store, TargetInfo};

/// 2026-03-02T00:00:00Z, a Monday.
pub const T0: i64 = 1_772_409_600_000;
pub const MIN: i64 = 60_000;

pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A store in a folder of its own.
pub struct World {
    pub dir: tempfile::TempDir,
    pub options: Options,
}

impl World {
    pub fn new() -> Self {
        let options = Options {
            busy_timeout: Duration::from_millis(50),
            retry_first: Duration::from_millis(5),
            retry_longest: Duration::from_millis(20),
            ..Options::default()
        };
        Self { dir: tempfile::tempdir().unwrap(), options }
    }

    pub fn path(&self) -> PathBuf {
        self.dir.path().join("data/vacancy.sqlite")
    }

    pub fn open(&self) -> Store {
        self.try_open().unwrap()
    }

    pub fn try_open(&self) -> Result<Store, vacancy::store::StoreError> {
        Store::open(&self.path(), self.options.clone(), Arc::new(FixedClock(at(T0 + 500 * 86_400_000))))
    }

    /// A second connection, as another program would have it.
    pub fn sqlite(&self) -> rusqlite::Connection {
        sqlite(&self.path())
    }
}

pub fn sqlite(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

pub fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap()
}

pub fn sample(target: &str, at_ms: i64, kind: Kind) -> Sample {
    let is_up = kind == Kind::Available;
    Sample {
        target: TargetId::from(target),
        source: Source::Probe,
        at: at(at_ms),
        kind,
        scope: if kind == Kind::Skipped { Scope::Local } else { Scope::Model },
        http_status: if is_up { Some(200) } else { None },
        connect_ms: Some(20),
        first_token_ms: is_up.then_some(640),
        total_ms: Some(900),
        retry_after_s: None,
        rule: if is_up { "ok".into() } else { "planted".into() },
    }
}

pub fn info(target: &str) -> TargetInfo {
    TargetInfo {
        id: TargetId::from(target),
        provider: "acme".to_owned(),
        model: format!("{target}-model"),
        dialect: "openai-chat".to_owned(),
    }
}

/// All rows of `bucket_day` and `source_day`, which a rebuild must give again: key, sources, times, latencies.
pub fn bucket_rows(conn: &rusqlite::Connection) -> Vec<(i64, i64, Vec<u8>, Vec<u8>)> {
    let rows = |sql: &str| {
        conn.prepare(sql)
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .unwrap()
            .collect::<Result<Vec<_>, _>>()
            .unwrap()
    };
    let mut all = rows("SELECT key, sources, spans, latency FROM bucket_day ORDER BY key");
    all.extend(rows("SELECT key, 0, spans, latency FROM source_day ORDER BY key"));
    all
}
