//! The last 24 hours of every target, kept up to date sample by sample.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::bucket::{BUCKET_MS, Bucket, Point, REACH_MS, bucket_start, fill};
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::Sample;
use crate::core::target::TargetId;
use crate::engine::snapshot::{STRIP_CELLS, Strip, StripCell};

/// Length of a strip in milliseconds.
const SPAN_MS: i64 = STRIP_CELLS as i64 * BUCKET_MS;

/// Samples kept a target: one every ten seconds for a day, far more than any schedule makes. The oldest go first.
const MOST_POINTS: usize = 10_000;

/// Makes [`Strip`]s from samples.
#[derive(Debug, Default)]
pub(super) struct Strips {
    points: HashMap<TargetId, VecDeque<Point>>,
    made: Arc<HashMap<TargetId, Strip>>,
    /// Targets with points that `made` does not show yet.
    changed: HashSet<TargetId>,
    /// Where the strips of `made` begin.
    start: Option<i64>,
}

impl Strips {
    /// From when on samples are wanted at the start.
    pub fn since(now: Timestamp) -> Timestamp {
        let start = strip_start(now) - REACH_MS;
        Timestamp::from_millisecond(start).unwrap_or(now)
    }

    /// Takes in a sample, in any order; one that is known already (a log that is read again) changes nothing.
    pub fn add(&mut self, sample: &Sample) {
        let points = self.points.entry(sample.target.clone()).or_default();
        let point = Point::from(sample);
        let index = points.iter().rposition(|other| other.at_ms <= point.at_ms).map_or(0, |before| before + 1);
        let is_known = points.range(..index).rev().take_while(|other| other.at_ms == point.at_ms).any(|o| *o == point);
        if is_known {
            return;
        }
        points.insert(index, point);
        if points.len() > MOST_POINTS {
            points.pop_front();
        }
        self.changed.insert(sample.target.clone());
    }

    /// Forgets targets that are no longer watched.
    pub fn retain(&mut self, is_watched: impl Fn(&TargetId) -> bool) {
        self.points.retain(|target, _| is_watched(target));
        self.start = None;
    }

    /// The strips that end with the quarter hour of `now`.
    pub fn at(&mut self, now: Timestamp) -> Arc<HashMap<TargetId, Strip>> {
        let start = strip_start(now);
        let changed = std::mem::take(&mut self.changed);
        let is_moved = self.start.replace(start) != Some(start);
        if !is_moved && changed.is_empty() {
            return Arc::clone(&self.made);
        }
        let made = self.points.iter_mut().map(|(target, points)| {
            while points.front().is_some_and(|point| point.at_ms < start - REACH_MS) {
                points.pop_front();
            }
            let before = self.made.get(target).filter(|_| !is_moved && !changed.contains(target));
            (target.clone(), before.cloned().unwrap_or_else(|| strip(points, start, now)))
        });
        self.made = Arc::new(made.collect());
        Arc::clone(&self.made)
    }
}

fn strip_start(now: Timestamp) -> i64 {
    bucket_start(now.as_millisecond()) + BUCKET_MS - SPAN_MS
}

fn strip(points: &VecDeque<Point>, start: i64, now: Timestamp) -> Strip {
    let mut buckets = vec![Bucket::default(); STRIP_CELLS];
    let mut points: Vec<Point> = points.iter().copied().collect();
    fill(&mut points, start, &mut buckets);
    Strip { start: Timestamp::from_millisecond(start).unwrap_or(now), cells: buckets.iter().map(cell).collect() }
}

/// Time decides; where none is observed (our own limits, blocked, skipped) the most frequent kind does.
fn cell(bucket: &Bucket) -> StripCell {
    let samples = bucket.counts.total();
    let observed = bucket.observed_ms();
    if observed > 0 {
        let by_time =
            [(Family::Fault, bucket.fault_ms), (Family::Full, bucket.full_ms), (Family::Available, bucket.up_ms)];
        // `max_by_key` takes the last of equals, so the worst has to come last.
        let family = by_time.iter().rev().max_by_key(|(_, ms)| *ms).map(|(family, _)| *family);
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more than a float's digits")]
        let free_share = bucket.up_ms as f32 / observed as f32;
        return StripCell { family, free_share, samples };
    }
    let family = Kind::ALL
        .into_iter()
        .filter(|kind| !kind.is_counted() && *kind != Kind::Skipped)
        .map(|kind| (Family::of(kind, Scope::Local), bucket.counts.of(kind)))
        .filter(|(_, count)| *count > 0)
        .max_by_key(|(_, count)| *count)
        .map(|(family, _)| family);
    StripCell { family, free_share: 0.0, samples }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::sample::Source;

    fn sample(at: &str, kind: Kind, scope: Scope) -> Sample {
        Sample {
            target: "a".into(),
            source: Source::Probe,
            at: at.parse().expect("a timestamp"),
            kind,
            scope,
            http_status: None,
            connect_ms: None,
            first_token_ms: None,
            total_ms: None,
            retry_after_s: None,
            rule: "r".into(),
        }
    }

    fn cells(samples: &[Sample], now: &str) -> Vec<StripCell> {
        let mut strips = Strips::default();
        for sample in samples {
            strips.add(sample);
        }
        strips.at(now.parse().expect("a timestamp"))[&TargetId::from("a")].cells.to_vec()
    }

    #[test]
    fn the_last_cell_is_the_running_quarter_hour_and_gaps_stay_gaps() {
        let cells = cells(&[sample("2026-08-25T11:50:00Z", Kind::Available, Scope::Model)], "2026-08-25T12:07:00Z");
        assert_eq!(cells.len(), STRIP_CELLS);
        // 11:50 speaks until 12:05: ten minutes of the last but one cell, five of the last.
        assert_eq!(cells[STRIP_CELLS - 2], StripCell { family: Some(Family::Available), free_share: 1.0, samples: 1 });
        assert_eq!(cells[STRIP_CELLS - 1], StripCell { family: Some(Family::Available), free_share: 1.0, samples: 0 });
        assert!(cells[..STRIP_CELLS - 2].iter().all(|cell| cell.family.is_none()));
    }

    #[test]
    fn the_longest_seen_wins_and_the_worse_of_equals() {
        let quarter = [
            sample("2026-08-25T12:00:00Z", Kind::Available, Scope::Model),
            sample("2026-08-25T12:05:00Z", Kind::AtCapacity, Scope::Model),
            sample("2026-08-25T12:15:00Z", Kind::AtCapacity, Scope::Model),
        ];
        let cell = cells(&quarter, "2026-08-25T12:16:00Z")[STRIP_CELLS - 2];
        assert_eq!(cell.family, Some(Family::Full));
        assert!((cell.free_share - 2.5 / 15.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_not_counted_still_shows_but_a_skip_is_a_gap() {
        let cells = cells(
            &[
                sample("2026-08-25T11:31:00Z", Kind::Auth, Scope::Account),
                sample("2026-08-25T11:46:00Z", Kind::Network, Scope::Local),
                sample("2026-08-25T12:01:00Z", Kind::Skipped, Scope::Local),
            ],
            "2026-08-25T12:02:00Z",
        );
        assert_eq!(cells[STRIP_CELLS - 3].family, Some(Family::Blocked));
        assert_eq!(cells[STRIP_CELLS - 2].family, Some(Family::Unknown));
        assert_eq!(cells[STRIP_CELLS - 1].family, None);
    }

    #[test]
    fn a_sample_that_is_read_again_is_counted_once_and_only_changed_strips_are_made_anew() {
        let mut strips = Strips::default();
        let free = sample("2026-08-25T12:00:00Z", Kind::Available, Scope::Model);
        let full = sample("2026-08-25T12:00:00Z", Kind::AtCapacity, Scope::Model);
        let other = Sample { target: "b".into(), ..free.clone() };
        let now = "2026-08-25T12:01:00Z".parse().expect("a timestamp");
        for sample in [&free, &full, &other, &free, &full] {
            strips.add(sample);
        }
        let cells = |strips: &mut Strips, target: &str| Arc::clone(&strips.at(now)[&TargetId::from(target)].cells);
        let before = cells(&mut strips, "b");
        assert_eq!(cells(&mut strips, "a")[STRIP_CELLS - 1].samples, 2);
        strips.add(&sample("2026-08-25T12:00:30Z", Kind::Available, Scope::Model));
        assert_eq!(cells(&mut strips, "a")[STRIP_CELLS - 1].samples, 3);
        assert!(Arc::ptr_eq(&cells(&mut strips, "b"), &before));
        strips.retain(|id| id.as_str() == "b");
        assert_eq!(strips.at(now).len(), 1);
    }

    #[test]
    fn late_samples_find_their_place_and_old_ones_leave() {
        let mut strips = Strips::default();
        strips.add(&sample("2026-08-25T12:00:00Z", Kind::Available, Scope::Model));
        strips.add(&sample("2026-08-25T11:00:00Z", Kind::Available, Scope::Model));
        let first = strips.at("2026-08-25T12:10:00Z".parse().expect("a timestamp"));
        let second = strips.at("2026-08-25T12:11:00Z".parse().expect("a timestamp"));
        assert!(Arc::ptr_eq(&first, &second), "unchanged strips are shared");
        strips.at("2026-08-27T12:10:00Z".parse().expect("a timestamp"));
        assert!(strips.points[&TargetId::from("a")].is_empty());
    }
}
