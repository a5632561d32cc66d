//! The engine's side of the store: what it writes, and what it reads at the start.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::core::board::{Board, Entry, Spent};
use crate::core::rules::{Busy, Memory};
use crate::core::sample::Sample;
use crate::core::sheet::{Evidence, TargetSheet};
use crate::core::target::{Target, TargetId};
use crate::engine::limits;
use crate::engine::machines::Machines;
use crate::engine::record::{Record, Wanted};
use crate::engine::snapshot::{EngineStatus, Snapshot};
use crate::i18n::Tr;
use crate::listen::Limit;
use crate::settings::Settings;
use crate::store::{Filter, IMPORTS, Reader, Recovery, Reply, StoreError, StoreHandle, TargetInfo, TargetState};

/// Samples held here while the store's queue is full, which takes a disk that hangs.
const MOST_HELD: usize = 10_000;

/// How long a verb waits for another program's lock before it says so.
const BUSY: Duration = Duration::from_secs(5);

/// The pause in force, so that a restart does not end it.
const PAUSED: &str = "paused";
/// A pause without an end.
const FOR_GOOD: &str = "for good";

/// Under this name the record remembers what a day's probes really cost: a stored sample does not tell of the requests
/// that were made before its own.
const SPENT: &str = "spent";

/// Under this name the record remembers what the rules that switch tools must not forget.
const RULES: &str = "rules";

/// How far usual busy times are read ahead.
const BUSY_AHEAD: SignedDuration = SignedDuration::from_hours(36);

/// Usual busy times by target.
pub(super) type BusyTimes = HashMap<TargetId, Vec<Busy>>;

/// A day by its first moment, and what was spent in it.
type DaySpent = (Timestamp, BTreeMap<TargetId, (u32, u32)>);

/// How often others had added to the record, and the record itself; `None` when nobody has since the last look.
pub(super) type Found = Option<(Option<String>, Record)>;

/// A look at the record under way.
pub(super) type Reread = Reply<Found>;

/// Hands samples and states to the store without ever waiting for it.
#[derive(Debug)]
pub(super) struct Recorder {
    store: StoreHandle,
    spent: Option<DaySpent>,
    held: VecDeque<Sample>,
    states: HashMap<TargetId, TargetState>,
    start_trouble: Option<StoreError>,
    told: Option<Arc<Recovery>>,
    /// What [`IMPORTS`] was when the record was read last.
    imports: Option<String>,
    /// The record is to be read again, whoever has written: there are other targets.
    is_record_wanted: bool,
}

impl Recorder {
    pub fn new(store: StoreHandle) -> Self {
        Self {
            store,
            spent: None,
            held: VecDeque::new(),
            states: HashMap::new(),
            start_trouble: None,
            told: None,
            imports: None,
            is_record_wanted: false,
        }
    }

    /// Keeps single samples for this many days from now on.
    pub fn keep_days(&self, days: u32) {
        drop(self.store.keep_days(days));
    }

    /// Makes targets known to the record. Not awaited: the store works in order.
    pub fn register(&self, targets: &[Arc<Target>]) {
        drop(self.store.register(targets.iter().map(|target| TargetInfo::from(target.as_ref())).collect()));
    }

    /// The record that the machines want at the start.
    pub async fn read(&mut self, wanted: Wanted) -> Record {
        let read = self.store.read(move |reader| Ok((reader.meta(IMPORTS)?, wanted.read(reader)?)));
        match read.await {
            Ok((imports, record)) => {
                self.imports = imports;
                record
            }
            Err(StoreError::Missing { .. }) => Record::default(),
            Err(error) => {
                tracing::error!(%error, "the record cannot be read");
                self.start_trouble = Some(error);
                Record::default()
            }
        }
    }

    /// Has the next look bring the record in any case.
    pub const fn want_record(&mut self) {
        self.is_record_wanted = true;
    }

    /// Begins to look whether others have added to the record; see [`Reread`].
    pub fn reread(&self, wanted: Wanted) -> Reread {
        let (known, is_wanted) = (self.imports.clone(), self.is_record_wanted);
        self.store.read(move |reader| {
            let imports = reader.meta(IMPORTS)?;
            if imports == known && !is_wanted { Ok(None) } else { Ok(Some((imports, wanted.read(reader)?))) }
        })
    }

    /// Takes what a look found: the record, if others have added to it since the last one.
    pub fn reread_done(&mut self, found: Result<Found, StoreError>) -> Option<Record> {
        match found {
            Ok(found) => {
                let (imports, record) = found?;
                self.imports = imports;
                self.is_record_wanted = false;
                Some(record)
            }
            Err(StoreError::Missing { .. } | StoreError::Busy) => None,
            Err(error) => {
                tracing::warn!(%error, "the record cannot be read again");
                None
            }
        }
    }

    /// Writes a sample down, or holds it until the store takes it.
    pub fn store(&mut self, sample: Sample) {
        if self.held.len() == MOST_HELD {
            self.held.pop_front();
            tracing::error!("the store takes nothing: the oldest unwritten sample is lost");
        }
        self.held.push_back(sample);
        self.retry();
    }

    /// Keeps how far logs are read, after the samples that were. While samples are held the old places stay: what is
    /// read again the store drops.
    pub fn keep_cursors(&self, cursors: Vec<(String, String)>) {
        if self.held.is_empty() && !cursors.is_empty() {
            drop(self.store.set_metas(cursors));
        }
    }

    /// Offers what is held to the store again.
    pub fn retry(&mut self) {
        while let Some(sample) = self.held.pop_front() {
            let reply = self.store.append(sample.clone());
            if matches!(reply.refusal(), Some(StoreError::Busy)) {
                self.held.push_front(sample);
                return;
            }
        }
    }

    /// Writes the plans that changed, for `vacancy now`.
    pub fn set_plans(&mut self, board: &Board) {
        let state = |entry: &Entry| TargetState { next_probe_at: entry.next_probe_at, confirmed: entry.confirmed };
        let changed: Vec<_> = board
            .entries
            .iter()
            .map(|entry| (entry.target.id.clone(), state(entry)))
            .filter(|(target, state)| self.states.get(target) != Some(state))
            .collect();
        if !changed.is_empty() {
            self.states.extend(changed.iter().cloned());
            drop(self.store.set_states(changed));
        }
    }

    /// Keeps what the local day that began at `day` has cost so far, when that is news.
    pub fn keep_spent(&mut self, board: &Board, day: Timestamp) {
        let spent = board.entries.iter().filter(|entry| entry.spent != Spent::default());
        let spent = spent.map(|entry| (entry.target.id.clone(), (entry.spent.requests, entry.spent.tokens))).collect();
        let news = Some((day, spent));
        if self.spent != news
            && let Ok(text) = serde_json::to_string(&news)
        {
            drop(self.store.set_meta(SPENT, &text));
            self.spent = news;
        }
    }

    /// What the local day that began at `day` has cost before this start, as far as it was kept.
    pub async fn read_spent(&self, day: Timestamp) -> HashMap<TargetId, Spent> {
        // In trouble the samples have to do.
        let kept = self.store.read(|reader| reader.meta(SPENT)).await.ok().flatten();
        let kept: Option<DaySpent> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let spent = kept.filter(|(began, _)| *began == day).map(|(_, spent)| spent).unwrap_or_default();
        spent.into_iter().map(|(target, (requests, tokens))| (target, Spent { requests, tokens })).collect()
    }

    /// Keeps a pause, or that there is none, for the next start.
    pub fn keep_pause(&self, paused: Option<Option<Timestamp>>) {
        let text = match paused {
            None => String::new(),
            Some(None) => FOR_GOOD.to_owned(),
            Some(Some(until)) => until.to_string(),
        };
        drop(self.store.set_meta(PAUSED, &text));
    }

    /// The pause that was in force at the end, as it was asked for: one that had an end may be over.
    pub async fn read_pause(&self) -> Option<Option<Timestamp>> {
        let kept = self.store.read(|reader| reader.meta(PAUSED)).await.ok().flatten()?;
        if kept == FOR_GOOD { Some(None) } else { kept.parse().ok().map(Some) }
    }

    /// Keeps plans' windows for the next start.
    pub fn keep_limits(&self, known: &[Limit], now: Timestamp) {
        drop(self.store.set_meta(limits::KEPT, &limits::to_text(known, now)));
    }

    /// The plans' windows of an earlier start that still say something.
    pub async fn read_limits(&self, now: Timestamp) -> Vec<Limit> {
        let kept = self.store.read(|reader| reader.meta(limits::KEPT)).await.ok().flatten();
        kept.map(|text| limits::from_text(&text, now)).unwrap_or_default()
    }

    /// Keeps what rules must not forget for the next start.
    pub fn keep_rules(&self, memory: &Memory) {
        match serde_json::to_string(memory) {
            Ok(text) => drop(self.store.set_meta(RULES, &text)),
            Err(error) => tracing::error!(%error, "what the rules remember cannot be kept"),
        }
    }

    /// What rules remember of an earlier start; nothing when there is none that can be read.
    pub async fn read_rules(&self) -> Memory {
        let kept = self.store.read(|reader| reader.meta(RULES)).await.ok().flatten();
        kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Reads the known usual busy times of all targets in the day and a half after `now`.
    pub fn read_busy(&self, zone: TimeZone, now: Timestamp) -> Reply<BusyTimes> {
        self.store.read(move |reader| {
            let sheet = reader.sheet(&Filter::default(), &zone, now)?;
            let known = |own: &TargetSheet| {
                let ahead = own.busy_ahead(now, BUSY_AHEAD, &zone).into_iter();
                let known = ahead.filter(|on| on.busy.evidence == Evidence::Known);
                let busy: Vec<Busy> = known.map(|on| Busy { start: on.start, end: on.end }).collect();
                (!busy.is_empty()).then(|| (own.target.clone(), busy))
            };
            Ok(sheet.targets.iter().filter_map(known).collect())
        })
    }

    /// Why the record cannot be written or was not read, in words.
    pub fn trouble(&self, tr: &Tr) -> Option<String> {
        let health = self.store.health();
        let trouble = health.borrow().trouble.clone();
        trouble.or_else(|| self.start_trouble.clone()).map(|error| error.text(tr))
    }

    /// What the store mended since the last call, in words.
    pub fn mended(&mut self, tr: &Tr) -> Option<String> {
        let recovery = self.store.health().borrow().recovery.clone()?;
        if self.told.replace(Arc::clone(&recovery)).is_some_and(|told| Arc::ptr_eq(&told, &recovery)) {
            return None;
        }
        Some(recovery.text(tr))
    }

    /// Waits until what was handed over is on the disk, or the store gives up on it.
    pub async fn close(&mut self) {
        self.retry();
        // The store works in order, so the answer to a last small write says that all before it are done.
        if let Err(error) = self.store.set_meta("closed", "1").await {
            tracing::warn!(%error, "the record could not be written to its end");
        }
    }
}

/// The picture that the record alone gives: for verbs that look without an engine. Plans are those that an engine
/// wrote last; one in the past is none.
///
/// # Errors
///
/// When the record cannot be read; a record that does not exist yet is an empty picture.
pub fn record_snapshot(
    settings: &Settings,
    database: &Path,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Snapshot, StoreError> {
    let mut machines = Machines::new(settings.setup(zone), fastrand::Rng::with_seed(0));
    let mut states = HashMap::new();
    match Reader::open_briefly(database, BUSY) {
        Ok(reader) => {
            machines.restore(machines.wanted(now).read(&reader)?, now);
            states.extend(reader.targets()?.into_iter().map(|target| (target.info.id, target.state)));
        }
        Err(StoreError::Missing { .. }) => {}
        Err(error) => return Err(error),
    }
    let keeper = machines.recall_plans(|target| states.get(target).and_then(|state| state.next_probe_at), now);
    Ok(machines.snapshot(EngineStatus { keeper, ..EngineStatus::default() }, now))
}

/// The picture that an engine would show after these samples, before its first probe: planted data for `vacancy shot`.
pub fn planted_snapshot(settings: &Settings, samples: Vec<Sample>, zone: &TimeZone, now: Timestamp) -> Snapshot {
    let mut machines = Machines::new(settings.setup(zone), fastrand::Rng::with_seed(0));
    let spent = machines.restore(samples.into(), now);
    // Its tasks are dropped: they are probes, and nobody waits for them.
    machines.start(spent, now);
    machines.snapshot(EngineStatus { is_demo: true, ..EngineStatus::default() }, now)
}
