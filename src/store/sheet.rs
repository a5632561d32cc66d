//! The cheat sheet read from the record: one pass over the days' observed parts, target by target, so that memory stays
//! that of one target.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::error::StoreError;
use super::read::{Filter, Reader};
use crate::core::bucket::Histogram;
use crate::core::sheet::{Latency, Quarter, Sheet, TargetSheet};
use crate::core::target::TargetId;

impl Reader {
    /// The sheets of the targets asked for, also of those without evidence, by name; without latency.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn sheet(&self, filter: &Filter, zone: &TimeZone, now: Timestamp) -> Result<Sheet, StoreError> {
        let mut ids: Vec<TargetId> = self.targets()?.into_iter().map(|stored| stored.info.id).collect();
        ids.retain(|id| filter.targets.is_empty() || filter.targets.contains(id));
        let mut targets = Vec::with_capacity(ids.len());
        let mut quarters = Vec::new();
        for id in ids {
            quarters.clear();
            let one = Filter { targets: vec![id.clone()], ..filter.clone() };
            self.each_observed(&one, |_, start_ms, seen| quarters.push(Quarter { start_ms, seen }))?;
            targets.push(TargetSheet::new(id, &quarters, zone, now));
        }
        Ok(Sheet { zone: zone.clone(), now, targets: targets.into() })
    }

    /// The latency by slot of one target. Slower than [`Reader::sheet`], as it reads the histograms.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn latency(&self, filter: &Filter, target: &TargetId, zone: &TimeZone) -> Result<Latency, StoreError> {
        let one = Filter { targets: vec![target.clone()], ..filter.clone() };
        let mut histograms: Vec<(i64, Histogram)> = Vec::new();
        self.each_bucket::<StoreError>(&one, |_, start, bucket| {
            if bucket.first_token.iter().next().is_some() {
                histograms.push((start, bucket.first_token.clone()));
            }
            Ok(())
        })?;
        Ok(Latency::new(histograms.iter().map(|(start, histogram)| (*start, histogram)), zone))
    }
}
