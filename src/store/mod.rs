//! The store: the record of samples with its buckets, in one SQLite file.
//!
//! One thread, `vacancy-store`, owns the only connection that writes; another, `vacancy-store-read`, the one that reads.
//! Both take bounded requests and answer into a [`Reply`], which can be awaited or waited for. A sample and its buckets
//! are written in one transaction and acknowledged once they are on the disk.
//!
//! **Invariant**: trouble of the store is a [`StoreError`] and shows in [`Health`]; it cannot become an outcome of a model.
//! While the file cannot be written, samples are kept in memory and written later.

mod backup;
mod care;
mod error;
mod handle;
mod history;
mod ids;
mod read;
mod recover;
mod reply;
mod schema;
mod sheet;
mod sources;
mod upkeep;
mod write;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::clock::Clock;
use crate::core::board::Confirmed;
use crate::core::target::{Target, TargetId};

pub use backup::{Backups, folder as backups_folder, in_progress as backup_in_progress, list as list_backups};
pub use care::Care;
pub use error::StoreError;
pub use ids::Verdict;
pub use read::{Filter, Reader, SampleRow, StoredTarget};
pub use recover::{Ready, Recovery, made_at, own_files, restore, set_aside_files};
pub use reply::Reply;
pub use schema::FORMAT;

/// Days that fit a bucket's key, before and after 1970: 22,000 years.
const FIRST_DAY: i64 = -(1 << 23);
const LAST_DAY: i64 = (1 << 23) - 1;

/// The key of a row of `bucket_day`.
const fn bucket_key(target: i64, day: i64) -> i64 {
    (target << 24) + day - FIRST_DAY
}

/// Target and day of a key.
const fn split_key(key: i64) -> (i64, i64) {
    (key >> 24, (key & 0x00ff_ffff) + FIRST_DAY)
}

/// Raw samples are kept this long unless the settings say otherwise; buckets are kept for ever.
pub const DEFAULT_RETENTION_DAYS: u32 = 400;

/// How a store behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long a write or a read waits for another program's lock.
    pub busy_timeout: Duration,
    /// How long after a failed write it is tried again; doubles up to [`Options::retry_longest`].
    pub retry_first: Duration,
    /// The longest time between two tries.
    pub retry_longest: Duration,
    /// How many changes (samples and others) are kept in memory while the file cannot be written.
    pub keep_in_memory: usize,
    /// How many backups are kept; the oldest goes first.
    pub backups: usize,
    /// A damaged file is set aside for a backup or a fresh file. Otherwise it stays where it is, and what is asked of it
    /// fails.
    pub sets_aside: bool,
    /// What it does by itself once a day; `None` for a short run that should only do what it is asked.
    pub care: Option<Care>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            busy_timeout: Duration::from_secs(5),
            retry_first: Duration::from_secs(1),
            retry_longest: Duration::from_secs(30),
            keep_in_memory: 100_000,
            backups: 3,
            sets_aside: true,
            care: None,
        }
    }
}

/// A target as far as the record knows it: texts as they were in the settings or in an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    /// Its name.
    pub id: TargetId,
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The dialect's name, also one that this program has no rules for.
    pub dialect: String,
}

impl From<&Target> for TargetInfo {
    fn from(target: &Target) -> Self {
        Self {
            id: target.id.clone(),
            provider: target.provider.as_str().to_owned(),
            model: target.model.as_str().to_owned(),
            dialect: target.dialect.name().to_owned(),
        }
    }
}

/// What the engine knows of a target beside its samples, for `now` and for the next start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetState {
    /// When the next probe is due, if one is planned.
    pub next_probe_at: Option<Timestamp>,
    /// The confirmed state, if there is one.
    pub confirmed: Option<Confirmed>,
}

/// A line of the activity log; what its body means is the writer's affair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// When it happened.
    pub at: Timestamp,
    /// What happened, as its writer spells it.
    pub body: String,
}

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is on the disk, with its buckets.
    Stored,
    /// A sample of the same target, source, time and kind was there already.
    Duplicate,
    /// It lies before what was pruned, where the buckets are final.
    TooOld,
    /// The file cannot be written at present; it is kept in memory and will be written later.
    Kept,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Samples written.
    pub stored: usize,
    /// Samples that were there already.
    pub duplicates: usize,
    /// Samples before what was pruned.
    pub too_old: usize,
    /// Samples kept in memory until the file can be written.
    pub kept: usize,
}

impl Ingested {
    fn of(appended: &[Appended]) -> Self {
        let count = |what| appended.iter().filter(|one| **one == what).count();
        Self {
            stored: count(Appended::Stored),
            duplicates: count(Appended::Duplicate),
            too_old: count(Appended::TooOld),
            kept: count(Appended::Kept),
        }
    }
}

/// How the store is.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Why it cannot be written at present.
    pub trouble: Option<StoreError>,
    /// Changes kept in memory until it can.
    pub kept: usize,
    /// Samples that found no room even there, since the start.
    pub lost: u64,
    /// The last time a damaged file was set aside, since the start.
    pub recovery: Option<Arc<Recovery>>,
    /// Imports that brought new samples, since the start; see [`IMPORTS`].
    pub imports: u64,
}

/// Under this name the record counts imports that brought new samples, by whichever program: who shows the record sees
/// by it that there is more than it wrote itself.
pub const IMPORTS: &str = "imports";

/// Sizes and counts of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The file's format.
    pub format: i64,
    /// How large it is, with what still stands in its log.
    pub bytes: u64,
    /// What of it is unused and can be given back.
    pub free_bytes: u64,
    /// Targets ever recorded.
    pub targets: u64,
    /// Samples.
    pub samples: u64,
    /// Days with buckets, over all targets.
    pub bucket_days: u64,
    /// The oldest sample.
    pub first_at: Option<Timestamp>,
    /// The newest sample.
    pub last_at: Option<Timestamp>,
}

/// An open store. Dropping it writes what is still kept in memory, if that is possible, and ends its threads.
#[derive(Debug)]
pub struct Store {
    handle: StoreHandle,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Store {
    /// Opens the record at `path`, creating its folder and the file when there is none.
    ///
    /// A damaged file is set aside under a dated name and the newest good backup takes its place, or a fresh file; the
    /// store's [`Health::recovery`] says so. A file that cannot be opened or written at present does not fail this: the
    /// store starts, says so in [`Health::trouble`], keeps samples in memory, and goes on trying.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooNew`] and [`StoreError::Foreign`], which trying again cannot heal, or when no thread can be made.
    pub fn open(path: &Path, options: Options, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        writer::open(path, options, clock)
    }

    /// A handle to it, for any thread.
    pub fn handle(&self) -> StoreHandle {
        self.handle.clone()
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.handle.stop();
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

pub use handle::StoreHandle;
