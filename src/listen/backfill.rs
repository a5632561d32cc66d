//! Reads what tools have written so far into the record: newest files first, each from where it was left, at full speed.
//!
//! Idempotent: the store drops what it has, and cursors keep files from being read twice. It can be paused, cancelled and
//! begun again at any time; what was read until then is kept.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};

use super::Seen;
use super::cursor::Cursor;
use super::databases;
use super::disk::Disk;
use super::follow::{Following, Start};
use super::homes::{Home, LogFile};
use super::observation::{Limit, Observation, Tool};
use super::place::{Targets, place, sample};
use crate::core::outcome::Kind;
use crate::core::sample::Sample;
use crate::core::target::TargetId;
use crate::store::{DEFAULT_RETENTION_DAYS, Filter, Ingested, StoreError, StoreHandle, TargetInfo};

/// Samples a transaction.
const BATCH: usize = 10_000;

/// Bytes of a large file after which the user is told how far it is, and may hold it.
const PIECE: u64 = 16 << 20;

/// Bytes of large files after which what was found is written down, however little it is.
const UNWRITTEN: u64 = 256 << 20;

/// A log's time may be this much ahead of our clock.
pub const AHEAD: SignedDuration = SignedDuration::from_mins(5);

/// How near to a rollout's reason a row of Codex's diagnostic log is the same event.
const SAME_EVENT_S: i64 = 3;

/// Pauses and cancels a backfill from another thread.
#[derive(Debug, Default)]
pub struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Going,
    Paused,
    Cancelled,
}

impl Control {
    /// Holds it before its next step.
    pub fn pause(&self) {
        self.set(State::Paused);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.set(State::Going);
    }

    /// Ends it before its next step, for good.
    pub fn cancel(&self) {
        self.set(State::Cancelled);
    }

    /// Whether it is held.
    pub fn is_paused(&self) -> bool {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) == State::Paused
    }

    /// Whether it was ended.
    pub fn is_cancelled(&self) -> bool {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) == State::Cancelled
    }

    fn set(&self, to: State) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state != State::Cancelled {
            *state = to;
        }
        self.changed.notify_all();
    }

    /// Waits while paused; whether to go on.
    fn is_going(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let paused = |state: &mut State| *state == State::Paused;
        let state = self.changed.wait_while(state, paused).unwrap_or_else(PoisonError::into_inner);
        *state == State::Going
    }
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Files that were read or passed over.
    pub files: usize,
    /// Files in all.
    pub files_total: usize,
    /// Bytes that were read in this reading.
    pub bytes: u64,
    /// Bytes of the total that are done: read now or in an earlier reading, or of a file that was passed over.
    pub bytes_done: u64,
    /// Bytes of all files, read before or not.
    pub bytes_total: u64,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Observations made.
    pub observations: usize,
    /// Of those without a model or a time, or too old: not stored.
    pub left_out: usize,
    /// What became of the samples.
    pub stored: Ingested,
}

/// What a backfill works with.
pub struct Job<'a> {
    /// Which folders.
    pub homes: &'a [Home],
    /// Opens the files.
    pub disk: &'a dyn Disk,
    /// The present moment.
    pub now: Timestamp,
    /// Cursors by [`Cursor::key`], as stored.
    pub cursors: &'a HashMap<String, String>,
    /// What the user calls targets.
    pub targets: &'a Targets,
    /// Pauses and cancels it.
    pub control: &'a Control,
}

/// What a backfill tells while it goes on.
pub trait Listener {
    /// Sees observations as they are made, newest file first, each file from its beginning.
    fn observed(&mut self, observations: &[Observation]);

    /// Sees how far it is, after each file and each piece of a large one.
    fn progress(&mut self, progress: &Progress);
}

impl Listener for () {
    fn observed(&mut self, _: &[Observation]) {}

    fn progress(&mut self, _: &Progress) {}
}

/// Reads all; with a store it is written down, without one only told.
///
/// # Errors
///
/// When the store cannot be written; what was read until then is kept.
pub fn run(
    job: &Job<'_>,
    store: Option<&StoreHandle>,
    listener: &mut dyn Listener,
) -> Result<(Progress, Vec<Limit>), StoreError> {
    let mut files: Vec<LogFile> = job.homes.iter().flat_map(Home::files).collect();
    // Codex's list of turns comes right after the rollouts: it is told by them first.
    files.sort_by_key(|log| (log.is_database, !databases::is_turns(log), std::cmp::Reverse(log.modified)));
    let progress = Progress {
        files_total: files.len(),
        bytes_total: files.iter().map(|log| log.len).sum(),
        ..Progress::default()
    };
    let mut pass =
        Pass { job, listener, progress, recording: Recording::new(store, job.now, job.targets), failure: None };
    let mut limits: Vec<Limit> = Vec::new();
    let (seen, mut chunk) = (Seen::default(), Vec::new());
    let number = |log: &LogFile| {
        job.cursors.get(&Cursor::key(log.tool, &log.path)).and_then(|text| text.parse().ok()).unwrap_or(0)
    };
    let list = files.iter().find(|log| databases::is_turns(log));
    let until = job.now.checked_add(AHEAD).unwrap_or(job.now);
    let mut listed = list.map(|log| databases::read_turns(job.disk, log, number(log), until, &seen.turns));
    for log in &files {
        if !pass.is_going() {
            break;
        }
        let key = Cursor::key(log.tool, &log.path);
        let done = pass.progress.bytes_done;
        pass.recording.repeats_rollouts = log.is_database && log.tool == Tool::Codex;
        let read = if databases::is_turns(log) {
            listed.take().unwrap_or(Ok(0)).map(|last| {
                pass.take(&mut seen.turns.untold());
                last.to_string()
            })
        } else if log.is_database {
            let mut out = Vec::new();
            databases::read(job.disk, log, number(log), &mut out).map(|last| {
                pass.take(&mut out);
                last.to_string()
            })
        } else {
            pass.file(log, &key, &seen, &mut chunk, &mut limits)
        };
        if let Some(error) = pass.failure.take() {
            return Err(error);
        }
        match read {
            Ok(cursor) if !cursor.is_empty() => pass.recording.reached(&key, cursor),
            Ok(_) => {}
            Err(_) => pass.progress.unreadable += 1,
        }
        pass.progress.files += 1;
        if !job.control.is_cancelled() {
            pass.progress.bytes_done = done + log.len;
        }
        pass.listener.progress(&pass.progress);
    }
    let Pass { mut progress, mut recording, .. } = pass;
    recording.write(&mut progress)?;
    Ok((progress, limits))
}

/// One reading of all.
struct Pass<'a> {
    job: &'a Job<'a>,
    listener: &'a mut dyn Listener,
    progress: Progress,
    recording: Recording<'a>,
    /// The store could not be written.
    failure: Option<StoreError>,
}

impl Pass<'_> {
    /// Takes observations; whether to go on.
    fn take(&mut self, out: &mut Vec<Observation>) -> bool {
        self.listener.observed(out);
        if let Err(error) = self.recording.take(out, &mut self.progress) {
            self.failure = Some(error);
        }
        self.listener.progress(&self.progress);
        self.is_going()
    }

    /// Waits while paused, with all that was read on the disk; whether to go on.
    fn is_going(&mut self) -> bool {
        if self.failure.is_none() && self.job.control.is_paused() {
            self.failure = self.recording.write(&mut self.progress).err();
            self.listener.progress(&self.progress);
        }
        self.failure.is_none() && self.job.control.is_going()
    }

    /// Reads a file of lines or a document to its end and answers with the place reached; in pieces, so that a large one
    /// can be held and is not begun again after a kill.
    fn file(
        &mut self,
        log: &LogFile,
        key: &str,
        seen: &Seen,
        chunk: &mut Vec<u8>,
        limits: &mut Vec<Limit>,
    ) -> io::Result<String> {
        let cursor = self.job.cursors.get(key).and_then(|text| Cursor::from_text(text));
        let begun = Following::begin(self.job.disk, log, cursor.as_ref(), Start::Whole, seen)?;
        let Some((mut following, mut source)) = begun else { return Ok(String::new()) };
        // Of a compressed file the bytes on the disk are counted, at its end.
        let is_packed = log.path.extension().is_some_and(|end| end == "zst");
        let done = self.progress.bytes_done;
        let done_at = |offset: u64| done + if is_packed { 0 } else { offset.min(log.len) };
        self.progress.bytes_done = done_at(following.offset());
        loop {
            let bytes = following.pump(&mut source, chunk, PIECE, &mut |out| self.take(out))?;
            self.progress.bytes_done = done_at(following.offset());
            self.progress.bytes += if is_packed { 0 } else { bytes };
            Limit::merge(limits, following.limits());
            if self.failure.is_some() || self.job.control.is_cancelled() {
                break;
            }
            if bytes < PIECE {
                following.finish(log, system_time(self.job.now), &mut |out| self.take(out));
                break;
            }
            self.recording.reached(key, following.cursor().to_text());
            if let Err(error) = self.recording.read(bytes, &mut self.progress) {
                self.failure = Some(error);
            }
            self.listener.progress(&self.progress);
            if !self.is_going() {
                break;
            }
        }
        Ok(following.cursor().to_text())
    }
}

/// A time as files have it.
pub(super) fn system_time(at: Timestamp) -> SystemTime {
    let since = u64::try_from(at.as_millisecond()).unwrap_or(0);
    SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(since)
}

/// Samples on their way into the store, with the cursors that may be kept once they are there.
struct Recording<'a> {
    store: Option<&'a StoreHandle>,
    now: Timestamp,
    targets: &'a Targets,
    oldest: Timestamp,
    known: HashSet<TargetId>,
    fresh: Vec<TargetInfo>,
    samples: Vec<Sample>,
    cursors: Vec<(String, String)>,
    /// Seconds in which a rollout gave the reason of a failure.
    reasons: HashSet<i64>,
    /// What is read now may repeat what rollouts said, in this reading or in an earlier one.
    repeats_rollouts: bool,
    /// Bytes that were read of large files since the last writing.
    unwritten: u64,
}

impl<'a> Recording<'a> {
    pub fn new(store: Option<&'a StoreHandle>, now: Timestamp, targets: &'a Targets) -> Self {
        let kept = SignedDuration::from_hours(24 * i64::from(DEFAULT_RETENTION_DAYS));
        Self {
            store,
            now,
            targets,
            oldest: now.checked_sub(kept).unwrap_or(Timestamp::MIN),
            known: HashSet::new(),
            fresh: Vec::new(),
            samples: Vec::new(),
            cursors: Vec::new(),
            reasons: HashSet::new(),
            repeats_rollouts: false,
            unwritten: 0,
        }
    }

    /// Notes how far a file is read.
    fn reached(&mut self, key: &str, cursor: String) {
        let key = format!("{}{key}", Cursor::PREFIX);
        match self.cursors.last_mut().filter(|(last, _)| *last == key) {
            Some(last) => last.1 = cursor,
            None => self.cursors.push((key, cursor)),
        }
    }

    /// Notes that so much of a large file was read, and writes now and then.
    fn read(&mut self, bytes: u64, progress: &mut Progress) -> Result<(), StoreError> {
        self.unwritten += bytes;
        if self.unwritten >= UNWRITTEN { self.write(progress) } else { Ok(()) }
    }

    /// Takes observations and empties the list.
    pub fn take(&mut self, observations: &mut Vec<Observation>, progress: &mut Progress) -> Result<(), StoreError> {
        for observation in observations.drain(..) {
            progress.observations += 1;
            match self.sample(&observation) {
                Some(sample) if self.repeats_rollouts && self.is_recorded(&sample)? => progress.left_out += 1,
                Some(sample) if self.store.is_some() => self.samples.push(sample),
                Some(_) => {}
                None => progress.left_out += 1,
            }
        }
        if self.samples.len() >= BATCH { self.write(progress) } else { Ok(()) }
    }

    /// The sample of an observation, with its target made known.
    fn sample(&mut self, observation: &Observation) -> Option<Sample> {
        let at = observation.ts.filter(|at| *at >= self.oldest && at.duration_since(self.now) <= AHEAD)?;
        if observation.tool == Tool::Codex && self.is_told_twice(observation, at) {
            return None;
        }
        let place = self.targets.named(place(observation)?);
        if self.known.insert(place.target.clone()) {
            self.fresh.push(TargetInfo {
                id: place.target.clone(),
                provider: place.provider.as_str().to_owned(),
                model: place.model.as_str().to_owned(),
                dialect: place.dialect.name().to_owned(),
            });
        }
        sample(observation, place.target)
    }

    /// The diagnostic log, which has no provider, repeats what newer rollouts say themselves.
    fn is_told_twice(&mut self, observation: &Observation, at: Timestamp) -> bool {
        let second = at.as_second();
        if observation.provider.is_some() {
            if !matches!(observation.rule, "codex-silent" | "codex-silent-limit" | "codex-token-count") {
                self.reasons.insert(second);
            }
            return false;
        }
        observation.kind != Kind::Available
            && (second - SAME_EVENT_S..=second + SAME_EVENT_S).any(|second| self.reasons.contains(&second))
    }

    /// Whether the record has this failure from an earlier reading of the rollout, under a slightly other time.
    fn is_recorded(&self, sample: &Sample) -> Result<bool, StoreError> {
        let Some(store) = self.store else { return Ok(false) };
        let near = SignedDuration::from_secs(SAME_EVENT_S);
        let (Ok(from), Ok(to)) = (sample.at.checked_sub(near), sample.at.checked_add(near)) else { return Ok(false) };
        let filter = Filter::target(sample.target.clone()).between(from..to);
        let near = store.read(move |reader| reader.samples(&filter)).wait()?;
        Ok(near.iter().any(|other| other.source == sample.source && other.kind != Kind::Available))
    }

    /// Writes all that is held, then the cursors.
    pub fn write(&mut self, progress: &mut Progress) -> Result<(), StoreError> {
        self.unwritten = 0;
        let Some(store) = self.store else { return Ok(()) };
        if !self.samples.is_empty() {
            let done = store.import(std::mem::take(&mut self.fresh), std::mem::take(&mut self.samples)).wait()?;
            progress.stored.stored += done.stored;
            progress.stored.duplicates += done.duplicates;
            progress.stored.too_old += done.too_old;
            progress.stored.kept += done.kept;
        }
        if !self.cursors.is_empty() {
            store.set_metas(std::mem::take(&mut self.cursors)).wait()?;
        }
        Ok(())
    }
}

/// Writes down what is read from named files.
pub struct Keeper<'a> {
    recording: Recording<'a>,
    progress: Progress,
}

impl<'a> Keeper<'a> {
    /// A keeper; without a store it only counts.
    pub fn new(store: Option<&'a StoreHandle>, now: Timestamp, targets: &'a Targets) -> Self {
        Self { recording: Recording::new(store, now, targets), progress: Progress::default() }
    }

    /// Takes observations and empties the list.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    pub fn take(&mut self, observations: &mut Vec<Observation>) -> Result<(), StoreError> {
        self.recording.take(observations, &mut self.progress)
    }

    /// Writes what is still held.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.recording.write(&mut self.progress)
    }
}
