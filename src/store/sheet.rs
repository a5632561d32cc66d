//! The cheat sheet read from the record: one pass over the days' observed parts, target by target. While this thread reads the
//! next target, a few others work on those that were read, so that only some targets are in memory at a time.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, SendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::error::StoreError;
use super::read::{Filter, Reader};
use crate::core::bucket::Histogram;
use crate::core::sheet::{Latency, Quarter, Sheet, TargetSheet};
use crate::core::target::TargetId;

/// Threads that work on sheets, at most.
const WORKERS: usize = 4;

/// A target that was read: its place in the order, its id, its quarter hours.
type Read = (usize, TargetId, Vec<Quarter>);

fn lock(receive: &Mutex<Receiver<Read>>) -> MutexGuard<'_, Receiver<Read>> {
    receive.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reader {
    /// The sheets of the targets asked for, also of those without evidence, by name; without latency.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn sheet(&self, filter: &Filter, zone: &TimeZone, now: Timestamp) -> Result<Sheet, StoreError> {
        let all = self.sheet_while(filter, zone, now, |_, _| true)?;
        Ok(all.unwrap_or_else(|| Sheet { zone: zone.clone(), now, targets: Arc::new([]) }))
    }

    /// The same, as long as `go_on` says so: it hears before each target how many were read, of how many. `None` when it ended
    /// the reading.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn sheet_while(
        &self,
        filter: &Filter,
        zone: &TimeZone,
        now: Timestamp,
        mut go_on: impl FnMut(usize, usize) -> bool,
    ) -> Result<Option<Sheet>, StoreError> {
        let mut ids: Vec<TargetId> = self.targets()?.into_iter().map(|stored| stored.info.id).collect();
        ids.retain(|id| filter.targets.is_empty() || filter.targets.contains(id));
        let all = ids.len();
        let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(WORKERS).min(ids.len());
        let sheets: Option<Vec<(usize, TargetSheet)>> = std::thread::scope(|scope| {
            let (send, receive) = sync_channel::<Read>(workers);
            // Read lists come back empty: fresh memory costs as much as what is read into it.
            let (give_back, spare) = sync_channel::<Vec<Quarter>>(2 * workers + 2);
            let receive = Arc::new(Mutex::new(receive));
            let mut running = Vec::with_capacity(workers);
            for number in 0..workers {
                let receive = Arc::clone(&receive);
                let give_back = give_back.clone();
                let work = move || {
                    let mut made = Vec::new();
                    // Held while waiting for the next target, not while working on it.
                    while let Ok((place, id, mut quarters)) = lock(&receive).recv() {
                        made.push((place, TargetSheet::new(id, &quarters, zone, now)));
                        quarters.clear();
                        // Nobody takes it once all are read.
                        drop(give_back.try_send(quarters));
                    }
                    made
                };
                let named = std::thread::Builder::new().name(format!("vacancy-sheet-{number}"));
                // Where no thread is to be had, this one does the work.
                running.extend(named.spawn_scoped(scope, work).ok());
            }
            drop(receive);
            let mut own = Vec::new();
            let mut is_whole = true;
            let mut longest = 0;
            for (place, id) in ids.into_iter().enumerate() {
                if !go_on(place, all) {
                    is_whole = false;
                    break;
                }
                let mut quarters = spare.try_recv().unwrap_or_else(|_| Vec::with_capacity(longest));
                let one = Filter { targets: vec![id.clone()], ..filter.clone() };
                self.each_observed(&one, |_, start_ms, seen| quarters.push(Quarter { start_ms, seen }))?;
                longest = longest.max(quarters.len());
                if let Err(SendError((place, id, quarters))) = send.send((place, id, quarters)) {
                    own.push((place, TargetSheet::new(id, &quarters, zone, now)));
                }
            }
            drop(send);
            for worker in running {
                own.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            Ok::<_, StoreError>(is_whole.then_some(own))
        })?;
        let Some(mut sheets) = sheets else { return Ok(None) };
        sheets.sort_by_key(|(place, _)| *place);
        let targets = sheets.into_iter().map(|(_, sheet)| sheet).collect();
        Ok(Some(Sheet { zone: zone.clone(), now, targets }))
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
