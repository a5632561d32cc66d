//! What the machines want of the record, and how it is read.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::board::{Confirmed, Entry, Stretch};
use crate::core::outcome::Kind;
use crate::core::sample::{Sample, Source};
use crate::core::schedule::Thresholds;
use crate::core::target::{Target, TargetId};
use crate::store::{Filter, Reader, StoreError, StoredTarget};

/// Samples that one look further into the past reads: two weeks of the usual schedule.
const PAGE: usize = 2_000;

/// How often a target's past is looked into further: with [`PAGE`], half a year of the usual schedule. A state that lasts
/// longer is shown as lasting since then.
const PAGES: usize = 16;

/// What is wanted of the record.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Of these targets.
    pub targets: Vec<Arc<Target>>,
    /// Everything from here on, and the newest dozen a target.
    pub since: Timestamp,
    /// Samples after this moment say nothing: they were written while the clock ran ahead.
    pub now: Timestamp,
    /// What confirms a state.
    pub thresholds: Thresholds,
}

/// What the record says.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The samples, in any order.
    pub samples: Vec<Sample>,
    /// States that began before these samples: as the samples alone tell them, and since when they last.
    pub begun: HashMap<TargetId, (Confirmed, Timestamp)>,
}

impl From<Vec<Sample>> for Record {
    fn from(samples: Vec<Sample>) -> Self {
        Self { samples, begun: HashMap::new() }
    }
}

impl Wanted {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn read(&self, reader: &Reader) -> Result<Record, StoreError> {
        if self.targets.is_empty() {
            return Ok(Record::default());
        }
        let ids: Vec<TargetId> = self.targets.iter().map(|target| target.id.clone()).collect();
        let recent = reader.recent_of_all(Entry::RECENT)?;
        // The newer ones come with all of the time; twice, they would be counted twice.
        let recent = ids.iter().filter_map(|id| recent.get(id)).flatten().filter(|sample| sample.at < self.since);
        let mut samples: Vec<Sample> = recent.cloned().collect();
        samples.extend(reader.samples(&Filter { from: Some(self.since), to: None, targets: ids })?);
        let stored: HashMap<TargetId, StoredTarget> =
            reader.targets()?.into_iter().map(|stored| (stored.info.id.clone(), stored)).collect();
        // Parted once: to look through all samples for each of many targets would take long at the start.
        let mut of_targets: HashMap<&TargetId, Vec<Sample>> = HashMap::new();
        for sample in samples.iter().filter(|sample| sample.at <= self.now) {
            of_targets.entry(&sample.target).or_default().push(sample.clone());
        }
        let mut begun = HashMap::new();
        for target in &self.targets {
            let Some((stored, mut own)) = stored.get(&target.id).zip(of_targets.remove(&target.id)) else { continue };
            own.sort_by_key(order);
            if let Some(found) = self.begun(target, stored, &own, reader)? {
                begun.insert(target.id.clone(), found);
            }
        }
        Ok(Record { samples, begun })
    }

    /// The state of a target that began before its `own` samples, oldest first.
    fn begun(
        &self,
        target: &Arc<Target>,
        stored: &StoredTarget,
        own: &[Sample],
        reader: &Reader,
    ) -> Result<Option<(Confirmed, Timestamp)>, StoreError> {
        let Some(mut stretch) = Stretch::begin(target, own, self.thresholds) else { return Ok(None) };
        for _ in 0..PAGES {
            let Some(oldest) = stretch.oldest() else { break };
            let mut page = reader.recent_before(stored, oldest, PAGE)?;
            let is_last = page.len() < PAGE;
            // The rest of a moment that the page cut through comes with the next one.
            if let Some(cut) = page.last().map(|sample| sample.at).filter(|_| !is_last)
                && page.first().is_some_and(|newest| newest.at != cut)
            {
                page.retain(|sample| sample.at != cut);
            }
            page.sort_by_key(order);
            if page.is_empty() || !stretch.older(&page) || is_last {
                break;
            }
        }
        Ok(Some(stretch.found()))
    }
}

/// The order of one target's samples, in which a board is shown them.
const fn order(sample: &Sample) -> (Timestamp, Source, Kind) {
    (sample.at, sample.source, sample.kind)
}
