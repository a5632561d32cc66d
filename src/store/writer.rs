//! The threads of a store.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use tokio::sync::watch;
use tokio::time::Instant;

use super::backup::Backups;
use super::care::{self, CARED_AT, Rota};
use super::error::StoreError;
use super::handle::{Change, ClockRef, ReadRequest, Request, StoreHandle};
use super::ids::Ids;
use super::read::Reader;
use super::recover::{self, Lock};
use super::reply::{Slot, pair};
use super::upkeep::{Job, Step, prune_before};
use super::{Appended, Health, Ingested, Options, Store, TargetInfo, schema, write};
use crate::clock::Clock;
use crate::core::sample::Sample;
use crate::private;

/// Requests that may wait for the writer or the reader.
const WAITING: usize = 4096;

/// Samples of single requests that share a commit when they wait together.
const GROUP: usize = 256;

/// Samples of a batch kept in memory as one piece.
const KEPT_PIECE: usize = 4096;

/// See [`Store::open`].
pub(super) fn open(path: &Path, options: Options, clock: Arc<dyn Clock>) -> Result<Store, StoreError> {
    // Left behind by a process that was killed, or in use by another one.
    let had_log = recover::with_suffix(path, "-wal").metadata().is_ok_and(|log| log.len() > 0);
    let (to_writer, requests) = sync_channel(WAITING);
    let (to_reader, reads) = sync_channel(WAITING);
    let (health, health_seen) = watch::channel(Health::default());
    let generation = Arc::new(AtomicU64::new(0));
    let mut writer = Writer {
        path: path.to_path_buf(),
        options: options.clone(),
        clock: Arc::clone(&clock),
        lock: None,
        conn: None,
        identity: None,
        registered: Vec::new(),
        ids: Ids::default(),
        kept: VecDeque::new(),
        kept_size: 0,
        retry: None,
        health,
        generation: Arc::clone(&generation),
        jobs: VecDeque::new(),
        rota: options.care.map(Rota::new),
        to_self: to_writer.clone(),
    };
    match writer.connect() {
        Err(error) if !error.may_pass() => return Err(error),
        Err(error) => writer.report(error),
        Ok(()) => {}
    }
    let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(work)
            .map_err(|error| StoreError::file("start a thread for", path, error))
    };
    let (verify, reader_path, busy) = (to_writer.clone(), path.to_path_buf(), options.busy_timeout);
    let threads = vec![
        spawn("vacancy-store", Box::new(move || writer.run(&requests)))?,
        spawn("vacancy-store-read", Box::new(move || serve_reads(&reader_path, busy, &generation, &reads, &verify)))?,
    ];
    let handle = StoreHandle {
        path: path.into(),
        backups: options.backups,
        clock: ClockRef(clock),
        writer: to_writer,
        reader: to_reader,
        health: health_seen,
    };
    // The daily backup is checked too, so a file that was closed in order need not be read as a whole at every start.
    if had_log && !recover::is_checked_at_once(path) {
        drop(handle.check());
    }
    Ok(Store { handle, threads })
}

fn serve_reads(
    path: &Path,
    busy: Duration,
    generation: &AtomicU64,
    requests: &Receiver<ReadRequest>,
    verify: &SyncSender<Request>,
) {
    let verify = |error: &StoreError| {
        if matches!(error, StoreError::Damaged { .. }) {
            // The queue is full or closed: the next read finds it again.
            let _ = verify.try_send(Request::Verify);
        }
    };
    let mut open: Option<(u64, Reader)> = None;
    while let Ok(ReadRequest::Read(read)) = requests.recv() {
        let current = generation.load(Ordering::Acquire);
        if open.as_ref().is_none_or(|(opened, _)| *opened != current) {
            // Closed first: the old file may have been set aside.
            drop(open.take());
            match Reader::open(path, busy) {
                Ok(reader) => open = Some((current, reader)),
                Err(error) => {
                    read(Err(error), &verify);
                    continue;
                }
            }
        }
        if let Some((_, reader)) = &open {
            read(Ok(reader), &verify);
        }
    }
}

/// What tells a file from another one of the same name: device and number. `None` when there is none.
type Identity = Option<(u64, u64)>;

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    path.metadata().ok().map(|file| (file.dev(), file.ino()))
}

/// Elsewhere an open file can be neither deleted nor exchanged.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Identity {
    None
}

struct Writer {
    path: PathBuf,
    options: Options,
    clock: Arc<dyn Clock>,
    lock: Option<Lock>,
    conn: Option<Connection>,
    /// Which file was opened.
    identity: Identity,
    /// What the engine last said of its targets.
    registered: Vec<TargetInfo>,
    ids: Ids,
    kept: VecDeque<Change>,
    kept_size: usize,
    /// When what is kept is tried again, and how long the wait was.
    retry: Option<(Instant, Duration)>,
    health: watch::Sender<Health>,
    /// Counts the files that stood at the path: readers open again when it moves.
    generation: Arc<AtomicU64>,
    jobs: VecDeque<Job>,
    rota: Option<Rota>,
    to_self: SyncSender<Request>,
}

impl Writer {
    fn run(mut self, requests: &Receiver<Request>) {
        let mut next = None;
        loop {
            let request = match next.take() {
                Some(request) => Some(request),
                None => match self.receive(requests) {
                    Ok(request) => request,
                    Err(()) => break,
                },
            };
            match request {
                None => self.work(),
                Some(Request::Stop) => break,
                Some(Request::Append(sample, slot)) => next = self.append(sample, slot, requests),
                Some(request) => self.handle(request),
            }
            if self.retry.is_some_and(|(at, _)| at <= Instant::now()) {
                self.flush();
            }
            if self.rota.as_mut().is_some_and(Rota::looks) {
                self.care();
            }
        }
        if !self.kept.is_empty() {
            self.flush();
        }
        if self.kept_size > 0 {
            tracing::error!(changes = self.kept_size, "the database could not be written before the end");
        }
        for job in self.jobs.drain(..) {
            job.finish(Err(StoreError::Closed));
        }
    }

    /// The next request; `Ok(None)` when there is other work to do, `Err` when nobody can ask any more.
    fn receive(&self, requests: &Receiver<Request>) -> Result<Option<Request>, ()> {
        if !self.jobs.is_empty() {
            return match requests.try_recv() {
                Ok(request) => Ok(Some(request)),
                Err(TryRecvError::Empty) => Ok(None),
                Err(TryRecvError::Disconnected) => Err(()),
            };
        }
        let wake = self.retry.map(|(at, _)| at).into_iter().chain(self.rota.map(|rota| rota.next_look())).min();
        match wake {
            None => requests.recv().map(Some).map_err(|_| ()),
            Some(at) => match requests.recv_timeout(at.saturating_duration_since(Instant::now())) {
                Ok(request) => Ok(Some(request)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(()),
            },
        }
    }

    /// One step of the first job.
    fn work(&mut self) {
        let Some(mut job) = self.jobs.pop_front() else { return };
        let step = if job.is_transactional() {
            self.transaction(|conn, ids| job.step(conn, ids))
        } else {
            self.connect().and_then(|()| {
                let Some(conn) = &self.conn else { return Err(StoreError::Closed) };
                job.step(conn, &mut self.ids).map_err(|error| StoreError::sqlite(&self.path, error))
            })
        };
        match step {
            Ok(Step::More) => self.jobs.push_front(job),
            Ok(Step::Done) => job.finish(Ok(())),
            Err(error) => job.finish(Err(error)),
        }
    }

    /// Writes a sample together with others that wait already; returns the first request that is none.
    fn append(&mut self, sample: Sample, slot: Slot<Appended>, requests: &Receiver<Request>) -> Option<Request> {
        let (mut samples, mut slots, mut next) = (vec![sample], vec![slot], None);
        while samples.len() < GROUP {
            match requests.try_recv() {
                Ok(Request::Append(sample, slot)) => {
                    samples.push(sample);
                    slots.push(slot);
                }
                Ok(request) => {
                    next = Some(request);
                    break;
                }
                Err(_) => break,
            }
        }
        match self.change(Change::Samples(samples)) {
            Ok(appended) => slots.into_iter().zip(appended).for_each(|(slot, one)| slot.answer(Ok(one))),
            Err(error) => slots.into_iter().for_each(|slot| slot.answer(Err(error.clone()))),
        }
        next
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Append(..) | Request::Stop => {}
            Request::Batch(samples, slot) => {
                let result = self.change(Change::Samples(samples));
                slot.answer(result.map(|appended| Ingested::of(&appended)));
            }
            Request::Import(targets, samples, slot) => {
                let result = self.transaction(|conn, ids| {
                    write::register(conn, ids, &targets, false)?;
                    let appended = write::ingest(conn, ids, &samples)?;
                    if appended.contains(&Appended::Stored) {
                        write::count(conn, super::IMPORTS)?;
                    }
                    Ok(appended)
                });
                let result = result.map(|appended| Ingested::of(&appended));
                if result.as_ref().is_ok_and(|ingested| ingested.stored > 0) {
                    self.set_health(|health| health.imports += 1);
                }
                slot.answer(result);
            }
            Request::Change(change, slot) => slot.answer(self.change(change).map(|_| ())),
            Request::Job(job) => self.jobs.push_back(job),
            Request::LimitPages(pages, slot) => {
                let pages = if pages == 0 { u32::MAX - 1 } else { pages };
                let result = self.connect().and_then(|()| {
                    let Some(conn) = &self.conn else { return Err(StoreError::Closed) };
                    conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
                        .map_err(|error| StoreError::sqlite(&self.path, error))
                });
                slot.answer(result);
            }
            Request::KeepDays(days, slot) => {
                if let Some(rota) = &mut self.rota {
                    rota.care.keep_days = days;
                }
                slot.answer(Ok(()));
            }
            Request::Verify => self.verify(),
        }
    }

    /// Makes a change now, or keeps it.
    fn change(&mut self, change: Change) -> Result<Vec<Appended>, StoreError> {
        if let Change::Register { targets, overwrite: true } = &change {
            self.registered.clone_from(targets);
        }
        if self.retry.is_some() {
            return self.keep(change);
        }
        match self.transaction(|conn, ids| change.make(conn, ids)) {
            Ok(appended) => {
                self.set_health(|health| health.trouble = None);
                Ok(appended)
            }
            Err(error) => {
                self.report(error);
                self.keep(change)
            }
        }
    }

    fn keep(&mut self, change: Change) -> Result<Vec<Appended>, StoreError> {
        let size = change.size();
        let is_sample = matches!(change, Change::Samples(_));
        if self.kept_size + size > self.options.keep_in_memory {
            if is_sample {
                self.set_health(|health| health.lost += size as u64);
            }
            return Err(StoreError::Overflow);
        }
        self.kept_size += size;
        match (self.kept.back_mut(), change) {
            (Some(Change::Samples(kept)), Change::Samples(mut samples)) if kept.len() + size <= KEPT_PIECE => {
                kept.append(&mut samples);
            }
            (_, change) => self.kept.push_back(change),
        }
        let kept = self.kept_size;
        self.set_health(|health| health.kept = kept);
        Ok(if is_sample { vec![Appended::Kept; size] } else { Vec::new() })
    }

    /// Tries to write what is kept.
    fn flush(&mut self) {
        if let Err(error) = self.connect() {
            self.report(error);
            return;
        }
        while let Some(change) = self.kept.pop_front() {
            if let Err(error) = self.transaction(|conn, ids| change.make(conn, ids)) {
                self.kept.push_front(change);
                self.report(error);
                break;
            }
            self.kept_size -= change.size();
        }
        let kept = self.kept_size;
        if self.kept.is_empty() {
            self.retry = None;
            tracing::info!("the database can be written again");
        }
        let is_well = self.kept.is_empty();
        self.set_health(|health| {
            health.kept = kept;
            if is_well {
                health.trouble = None;
            }
        });
    }

    /// Says that writing failed and plans the next try.
    fn report(&mut self, error: StoreError) {
        let wait = self.retry.map_or(self.options.retry_first, |(_, wait)| (wait * 2).min(self.options.retry_longest));
        self.retry = Some((Instant::now() + wait, wait));
        tracing::warn!(%error, ?wait, "the database cannot be written; samples are kept in memory");
        self.set_health(|health| health.trouble = Some(error));
    }

    fn set_health(&self, change: impl FnOnce(&mut Health)) {
        self.health.send_if_modified(|health| {
            let before = (health.trouble.as_ref().map(ToString::to_string), health.kept, health.lost, health.imports);
            let had_recovery = health.recovery.clone();
            change(health);
            before != (health.trouble.as_ref().map(ToString::to_string), health.kept, health.lost, health.imports)
                || had_recovery != health.recovery
        });
    }

    /// Runs `work` in a transaction: all of it or nothing. A file that turns out to be damaged is replaced, and `work` is
    /// tried once more.
    fn transaction<T>(
        &mut self,
        mut work: impl FnMut(&Connection, &mut Ids) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        for is_last in [false, true] {
            self.connect()?;
            let Some(conn) = &mut self.conn else { return Err(StoreError::Closed) };
            let result = conn.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|tx| {
                let result = work(&tx, &mut self.ids)?;
                tx.commit()?;
                Ok(result)
            });
            match result.map_err(|error| StoreError::sqlite(&self.path, error)) {
                Ok(result) => return Ok(result),
                Err(StoreError::Damaged { reason, .. }) if !is_last => {
                    self.ids.forget();
                    self.replace(reason)?;
                }
                Err(error) => {
                    self.ids.forget();
                    return Err(error);
                }
            }
        }
        Err(StoreError::Closed)
    }

    /// Opens the file unless it is open. One that was deleted or exchanged meanwhile is let go: what is written into it
    /// nobody would ever read.
    fn connect(&mut self) -> Result<(), StoreError> {
        if self.conn.is_some() {
            if self.identity == identity(&self.path) {
                return Ok(());
            }
            tracing::warn!(path = %self.path.display(), "the database was deleted or exchanged; the one in its place is used");
            drop((self.conn.take(), self.lock.take()));
            self.ids.forget();
        }
        let now = self.clock.now();
        if let Some(folder) = self.path.parent() {
            private::create_folder(folder).map_err(|error| StoreError::file("create", folder, error))?;
        }
        let lock = match self.lock.take() {
            Some(lock) => lock,
            None => Lock::shared(&self.path)?,
        };
        let busy = self.options.busy_timeout;
        let opened = match self.options.sets_aside {
            true => recover::open(&self.path, busy, &lock, now),
            false => recover::open_sound(&self.path, busy).map(|conn| (conn, None)),
        };
        self.lock = Some(lock);
        let (conn, recovery) = opened?;
        // A fresh file knows nothing of the targets that the settings name.
        write::register(&conn, &mut self.ids, &self.registered, true)
            .map_err(|error| StoreError::sqlite(&self.path, error))?;
        self.identity = identity(&self.path);
        self.conn = Some(conn);
        self.generation.fetch_add(1, Ordering::Release);
        if let Some(recovery) = recovery {
            self.set_health(|health| health.recovery = Some(Arc::new(recovery)));
        }
        Ok(())
    }

    /// Sets the damaged file aside and opens what takes its place.
    fn replace(&mut self, reason: String) -> Result<(), StoreError> {
        drop(self.conn.take());
        let Some(lock) = self.lock.as_ref().filter(|_| self.options.sets_aside) else {
            return Err(StoreError::Damaged { path: self.path.clone(), reason });
        };
        let recovery = recover::set_aside(&self.path, lock, reason, self.clock.now())?;
        self.set_health(|health| health.recovery = Some(Arc::new(recovery)));
        self.connect()
    }

    /// Once a day: deletes old samples, step by step, and writes a backup on a thread of its own.
    fn care(&mut self) {
        let (now, Some(rota)) = (self.clock.now(), self.rota) else { return };
        let due = self.transaction(|conn, _| {
            let last: Option<String> = conn
                .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
                .query_row([CARED_AT], |row| row.get(0))
                .optional()?;
            let due = care::due(last.as_deref(), now);
            if due.is_some() {
                write::set_meta(conn, CARED_AT, &now.to_string())?;
            }
            Ok(due)
        });
        // In trouble whoever writes next meets the same and reports it.
        let Ok(Some(today)) = due else { return };
        let (slot, _) = pair();
        let before = prune_before(today.as_millisecond(), rota.care.keep_days);
        self.jobs.push_back(Job::Prune { before, left: None, deleted: 0, slot });
        let backups = Backups { database: self.path.clone(), keep: self.options.backups };
        let to_self = self.to_self.clone();
        let thread = std::thread::Builder::new().name("vacancy-store-backup".to_owned());
        let spawned = thread.spawn(move || {
            if let Err(error) = backups.make(now) {
                tracing::warn!(%error, "no backup could be written");
                if matches!(error, StoreError::Damaged { .. }) {
                    let _ = to_self.try_send(Request::Verify);
                }
            }
        });
        if let Err(error) = spawned {
            tracing::warn!(%error, "no backup could be written");
        }
    }

    /// Somebody met damage: the file is replaced if it is damaged, and the buckets are made again if only they are.
    fn verify(&mut self) {
        // A connection of its own, which has nothing in memory and must look at the file.
        let result = schema::open_read_only(&self.path, self.options.busy_timeout)
            .and_then(|conn| schema::quick_check(&conn, &self.path));
        match result {
            Ok(()) => {
                let (slot, _) = pair();
                self.jobs.push_back(Job::Rebuild { left: None, done: 0, slot });
            }
            Err(StoreError::Damaged { reason, .. }) => {
                if let Err(error) = self.replace(reason) {
                    self.report(error);
                }
            }
            Err(error) => self.report(error),
        }
    }
}
