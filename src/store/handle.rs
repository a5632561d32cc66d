//! The handle of a store: what any thread may ask of the two that own the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::watch;

use super::backup::Backups;
use super::error::StoreError;
use super::ids::Ids;
use super::read::Reader;
use super::reply::{Reply, Slot, pair};
use super::upkeep::{Job, prune_before};
use super::{Appended, Health, Ingested, TargetInfo, TargetState, schema, write};
use crate::clock::Clock;
use crate::core::sample::Sample;
use crate::core::target::TargetId;

/// A change that can be kept in memory and made later.
#[derive(Debug)]
pub(super) enum Change {
    Samples(Vec<Sample>),
    Register { targets: Vec<TargetInfo>, overwrite: bool },
    States(Vec<(TargetId, TargetState)>),
    Note(Timestamp, String),
    Meta(Vec<(String, String)>),
}

impl Change {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Samples(samples) => samples.len(),
            _ => 1,
        }
    }

    pub(super) fn make(&self, conn: &Connection, ids: &mut Ids) -> rusqlite::Result<Vec<Appended>> {
        match self {
            Self::Samples(samples) => return write::ingest(conn, ids, samples),
            Self::Register { targets, overwrite } => write::register(conn, ids, targets, *overwrite)?,
            Self::States(states) => {
                for (target, state) in states {
                    write::set_state(conn, ids, target, state)?;
                }
            }
            Self::Note(at, body) => write::add_note(conn, *at, body)?,
            Self::Meta(values) => {
                for (key, value) in values {
                    write::set_meta(conn, key, value)?;
                }
            }
        }
        Ok(Vec::new())
    }
}

/// What the writing thread is asked for.
#[derive(Debug)]
pub(super) enum Request {
    Append(Sample, Slot<Appended>),
    Batch(Vec<Sample>, Slot<Ingested>),
    Import(Vec<TargetInfo>, Vec<Sample>, Slot<Ingested>),
    Change(Change, Slot<()>),
    Job(Job),
    LimitPages(u32, Slot<()>),
    KeepDays(u32, Slot<()>),
    Verify,
    Stop,
}

/// A query; it tells the second argument of an error before it answers with it.
pub(super) type Read = Box<dyn FnOnce(Result<&Reader, StoreError>, &dyn Fn(&StoreError)) + Send>;

/// What the reading thread is asked for.
pub(super) enum ReadRequest {
    Read(Read),
    Stop,
}

/// Talks to an open store, from any thread; cheap to clone. No call blocks but [`Reply::wait`].
#[derive(Clone, Debug)]
pub struct StoreHandle {
    pub(super) path: Arc<Path>,
    pub(super) backups: usize,
    pub(super) clock: ClockRef,
    pub(super) writer: SyncSender<Request>,
    pub(super) reader: SyncSender<ReadRequest>,
    pub(super) health: watch::Receiver<Health>,
}

#[derive(Clone)]
pub(super) struct ClockRef(pub(super) Arc<dyn Clock>);

impl std::fmt::Debug for ClockRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl StoreHandle {
    fn ask<T>(&self, request: impl FnOnce(Slot<T>) -> Request) -> Reply<T> {
        let (slot, reply) = pair();
        match self.writer.try_send(request(slot)) {
            Ok(()) => reply,
            Err(TrySendError::Full(_)) => Reply::failed(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Reply::failed(StoreError::Closed),
        }
    }

    /// Stores one sample with its buckets; the answer comes once it is on the disk, or kept in memory
    /// ([`Appended::Kept`]). A target that is not registered gets a row without provider and model.
    pub fn append(&self, sample: Sample) -> Reply<Appended> {
        self.ask(|slot| Request::Append(sample, slot))
    }

    /// Stores many samples in one transaction; they too are kept in memory when the file cannot be written.
    pub fn append_batch(&self, samples: Vec<Sample>) -> Reply<Ingested> {
        self.ask(|slot| Request::Batch(samples, slot))
    }

    /// Stores samples from elsewhere, with the targets they need, in one transaction, all or none. Targets that are
    /// known keep what they have. When the file cannot be written this fails, and nothing is kept.
    pub fn import(&self, targets: Vec<TargetInfo>, samples: Vec<Sample>) -> Reply<Ingested> {
        self.ask(|slot| Request::Import(targets, samples, slot))
    }

    /// Makes targets known, or corrects what is stored of them.
    pub fn register(&self, targets: Vec<TargetInfo>) -> Reply<()> {
        self.ask(|slot| Request::Change(Change::Register { targets, overwrite: true }, slot))
    }

    /// Writes what the engine knows of targets beside their samples.
    pub fn set_states(&self, states: Vec<(TargetId, TargetState)>) -> Reply<()> {
        self.ask(|slot| Request::Change(Change::States(states), slot))
    }

    /// Appends a line to the activity log.
    pub fn note(&self, at: Timestamp, body: String) -> Reply<()> {
        self.ask(|slot| Request::Change(Change::Note(at, body), slot))
    }

    /// Keeps a small value of ours under a name.
    pub fn set_meta(&self, key: &str, value: &str) -> Reply<()> {
        self.set_metas(vec![(key.to_owned(), value.to_owned())])
    }

    /// Keeps many small values of ours under their names, all or none.
    pub fn set_metas(&self, values: Vec<(String, String)>) -> Reply<()> {
        self.ask(|slot| Request::Change(Change::Meta(values), slot))
    }

    /// Drops all buckets that are not final and makes them again from the samples; answers with the number of targets.
    pub fn rebuild(&self) -> Reply<usize> {
        self.ask(|slot| Request::Job(Job::Rebuild { left: None, done: 0, slot }))
    }

    /// Deletes samples older than `days` before now, down to whole UTC days; their buckets stay for ever. Answers with the
    /// number of samples deleted.
    pub fn prune(&self, days: u32) -> Reply<usize> {
        let before = prune_before(self.clock.0.now().as_millisecond(), days);
        self.ask(|slot| Request::Job(Job::Prune { before, left: None, deleted: 0, slot }))
    }

    /// Gives unused pages back to the system; answers with their number.
    pub fn compact(&self) -> Reply<i64> {
        self.ask(|slot| Request::Job(Job::Compact { freed: 0, slot }))
    }

    /// Lets the file grow to this many pages only (0 is no limit): a full disk for tests.
    pub fn limit_pages(&self, pages: u32) -> Reply<()> {
        self.ask(|slot| Request::LimitPages(pages, slot))
    }

    /// Has the daily care keep samples for this many days from now on. A store without care stays without.
    pub fn keep_days(&self, days: u32) -> Reply<()> {
        self.ask(|slot| Request::KeepDays(days, slot))
    }

    /// Writes a backup on a thread of its own while all else goes on; answers with its file.
    pub fn backup(&self) -> Reply<PathBuf> {
        let backups = Backups { database: self.path.to_path_buf(), keep: self.backups };
        let now = self.clock.0.now();
        self.aside("vacancy-store-backup", move || backups.make(now))
    }

    /// Checks the whole file on a thread of its own. Damage is handled as at the start, and then answered as the error.
    pub fn check(&self) -> Reply<()> {
        let (path, writer) = (Arc::clone(&self.path), self.writer.clone());
        self.aside("vacancy-store-check", move || check_file(&path, &writer))
    }

    fn aside<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<T> {
        let (slot, reply) = pair();
        let thread = std::thread::Builder::new().name(name.to_owned());
        match thread.spawn(move || slot.answer(work())) {
            Ok(_) => reply,
            Err(error) => Reply::failed(StoreError::file("start a thread for", &self.path, error)),
        }
    }

    /// Reads with `query` on the reading thread.
    pub fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<T> {
        let (slot, reply) = pair();
        let read: Read = Box::new(move |reader, on_error| {
            let result = reader.and_then(query).inspect_err(on_error);
            slot.answer(result);
        });
        match self.reader.try_send(ReadRequest::Read(read)) {
            Ok(()) => reply,
            Err(TrySendError::Full(_)) => Reply::failed(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Reply::failed(StoreError::Closed),
        }
    }

    /// How the store is now; wait for changes with [`watch::Receiver::changed`].
    pub fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn stop(&self) {
        // Blocks while the queue is full: what waits in it is written first.
        let _ = self.writer.send(Request::Stop);
        let _ = self.reader.send(ReadRequest::Stop);
    }
}

fn check_file(path: &Path, writer: &SyncSender<Request>) -> Result<(), StoreError> {
    let conn = schema::open_read_only(path, Duration::from_secs(5))?;
    let result = schema::quick_check(&conn, path);
    if matches!(result, Err(StoreError::Damaged { .. })) {
        // The queue is full or closed: the next check finds it again.
        let _ = writer.try_send(Request::Verify);
    }
    result
}
