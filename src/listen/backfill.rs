//! Reads what tools have written so far into the record: newest files first, each from where it was left, at full speed.
//!
//! Idempotent: the store drops what it has, and cursors keep files from being read twice. It can be paused, cancelled and
//! begun again at any time; what was read until then is kept.

use std::collections::{HashMap, HashSet};
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
use crate::store::{DEFAULT_RETENTION_DAYS, Ingested, StoreError, StoreHandle, TargetInfo};

/// Samples a transaction.
const BATCH: usize = 10_000;

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
    /// Bytes that were read.
    pub bytes: u64,
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
    files.sort_by_key(|log| (log.is_database, std::cmp::Reverse(log.modified)));
    let mut progress = Progress {
        files_total: files.len(),
        bytes_total: files.iter().map(|log| log.len).sum(),
        ..Progress::default()
    };
    let mut recording = Recording::new(store, job.now, job.targets);
    let mut limits: Vec<Limit> = Vec::new();
    let (seen, mut chunk) = (Seen::default(), Vec::new());
    for log in &files {
        if !job.control.is_going() {
            break;
        }
        let key = Cursor::key(log.tool, &log.path);
        let cursor = job.cursors.get(&key);
        let mut failure = None;
        let mut sink = |out: &mut Vec<Observation>| {
            listener.observed(out);
            failure = recording.take(out, &mut progress).err();
            listener.progress(&progress);
            failure.is_none() && job.control.is_going()
        };
        let read = if log.is_database {
            let cursor = cursor.and_then(|text| text.parse().ok()).unwrap_or(0);
            let mut out = Vec::new();
            databases::read(job.disk, log, cursor, &mut out).map(|last| {
                sink(&mut out);
                (0, last.to_string())
            })
        } else {
            let cursor = cursor.and_then(|text| Cursor::from_text(text));
            Following::begin(job.disk, log, cursor.as_ref(), Start::Whole, &seen).and_then(|begun| {
                let Some((mut following, mut source)) = begun else { return Ok((0, String::new())) };
                let bytes = following.pump(&mut source, &mut chunk, &mut sink)?;
                following.finish(log, system_time(job.now), &mut sink);
                merge(&mut limits, following.limits());
                Ok((bytes, following.cursor().to_text()))
            })
        };
        if let Some(error) = failure {
            return Err(error);
        }
        match read {
            Ok((bytes, cursor)) => {
                progress.bytes += bytes;
                if !cursor.is_empty() {
                    recording.cursors.push((format!("{}{key}", Cursor::PREFIX), cursor));
                }
            }
            Err(_) => progress.unreadable += 1,
        }
        progress.files += 1;
        listener.progress(&progress);
    }
    recording.write(&mut progress)?;
    Ok((progress, limits))
}

/// A time as files have it.
pub(super) fn system_time(at: Timestamp) -> SystemTime {
    let since = u64::try_from(at.as_millisecond()).unwrap_or(0);
    SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(since)
}

/// Keeps the newest reading of each window.
pub(super) fn merge(known: &mut Vec<Limit>, new: &[Limit]) {
    for limit in new {
        let same = |other: &&mut Limit| {
            (other.tool, &other.id, other.window_minutes) == (limit.tool, &limit.id, limit.window_minutes)
        };
        match known.iter_mut().find(same) {
            Some(other) if other.ts <= limit.ts => *other = limit.clone(),
            Some(_) => {}
            None => known.push(limit.clone()),
        }
    }
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
        }
    }

    /// Takes observations and empties the list.
    pub fn take(&mut self, observations: &mut Vec<Observation>, progress: &mut Progress) -> Result<(), StoreError> {
        for observation in observations.drain(..) {
            progress.observations += 1;
            match self.sample(&observation) {
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

    /// Writes all that is held, then the cursors.
    pub fn write(&mut self, progress: &mut Progress) -> Result<(), StoreError> {
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
