//! The quarter hours of a day as each source alone saw them, so that a question for one source need not weigh a month of
//! samples anew.
//!
//! Like all buckets they are a cache, made from the samples around them by one function. A day for which samples of one source
//! speak needs nothing of its own: its row in `bucket_day` says whose it is. Days with samples of several have a row a source in
//! `source_day`.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::ids::Ids;
use super::{bucket_key, write};
use crate::core::bucket::{BUCKET_MS, BUCKETS_PER_DAY, Bucket, DAY_MS, Day, Point, REACH_MS, fill};

/// Sources that a set of them can tell apart; numbers beyond are taken together.
const SOURCES: u8 = 63;

/// A sample as far as buckets are concerned, and the number of its source.
pub(super) type Told = (Point, u8);

/// The set of one source.
pub(super) const fn only(source: u8) -> i64 {
    1 << if source < SOURCES { source } else { SOURCES - 1 }
}

/// The key of a source's row of a day.
pub(super) const fn source_key(target: i64, day: i64, source: u8) -> i64 {
    (bucket_key(target, day) << 6) + source as i64
}

/// Key of `bucket_day` and source of a key.
pub(super) const fn split_source_key(key: i64) -> (i64, i64) {
    (key >> 6, key & 63)
}

/// Samples from when to when may speak for a day.
const fn around(day: i64) -> Range<i64> {
    day * DAY_MS - REACH_MS..(day + 1) * DAY_MS + REACH_MS
}

/// The sources of those of `points`, in order of time, that may speak for a day.
pub(super) fn speaking(points: &[Told], day: i64) -> i64 {
    let around = around(day);
    let first = points.partition_point(|(point, _)| point.at_ms < around.start);
    let end = points.partition_point(|(point, _)| point.at_ms < around.end);
    points[first..end].iter().fold(0, |set, (_, source)| set | only(*source))
}

/// The same of all samples that are stored.
pub(super) fn stored(conn: &Connection, target: i64, day: i64) -> rusqlite::Result<i64> {
    let around = around(day);
    let mut query =
        conn.prepare_cached("SELECT DISTINCT source FROM sample WHERE target = ?1 AND at >= ?2 AND at < ?3")?;
    let mut rows = query.query(params![target, around.start, around.end])?;
    let mut set = 0;
    while let Some(row) = rows.next()? {
        set |= only(row.get(0)?);
    }
    Ok(set)
}

/// Stretch of a day whose rows are to be made.
pub(super) struct Piece<'a> {
    pub target: i64,
    /// From and to, in milliseconds, bounded by bucket starts of one day.
    pub time: Range<i64>,
    /// The samples from [`REACH_MS`] before it to [`REACH_MS`] after it, in order of time.
    pub points: &'a [Told],
}

impl Piece<'_> {
    const fn day(&self) -> i64 {
        Day::number(self.time.start)
    }

    /// Brings the rows of a day's sources up to date. `before` is what the row of the day said of its sources, if it was there.
    pub(super) fn split(
        &self,
        conn: &Connection,
        ids: &mut Ids,
        sources: i64,
        before: Option<i64>,
    ) -> rusqlite::Result<()> {
        let is_whole = self.time.end - self.time.start == DAY_MS;
        if sources.count_ones() < 2 {
            if is_whole {
                forget(conn, self.target, self.day()..self.day() + 1)?;
            }
            return Ok(());
        }
        if !is_whole && before == Some(sources) && self.write(conn, sources)? {
            return Ok(());
        }
        if is_whole {
            self.write(conn, sources)?;
            return Ok(());
        }
        // Until now one source was all there was: the rest of the day has no rows yet.
        let mut points = Vec::new();
        let time = self.day() * DAY_MS..(self.day() + 1) * DAY_MS;
        write::read_points(conn, ids, self.target, time.start - REACH_MS..time.end + REACH_MS, &mut points)?;
        Piece { target: self.target, time, points: &points }.write(conn, sources)?;
        Ok(())
    }

    /// Writes the rows; `false` when the rest of a day cannot be read.
    fn write(&self, conn: &Connection, sources: i64) -> rusqlite::Result<bool> {
        let mut day = Day::default();
        let (mut spans, mut latency) = (Vec::new(), Vec::new());
        for source in (0..SOURCES).filter(|source| sources & only(*source) != 0) {
            let key = source_key(self.target, self.day(), source);
            let mut points: Vec<Point> =
                self.points.iter().filter(|(_, of)| only(*of) == only(source)).map(|(point, _)| *point).collect();
            let count = usize::try_from((self.time.end - self.time.start) / BUCKET_MS).unwrap_or(0);
            let mut buckets = vec![Bucket::default(); count];
            fill(&mut points, self.time.start, &mut buckets);
            day.clear();
            if count < BUCKETS_PER_DAY {
                let old = conn
                    .prepare_cached("SELECT spans, latency FROM source_day WHERE key = ?1")?
                    .query_row([key], |row| {
                        let (spans, latency) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
                        Ok(day.decode(spans, latency))
                    })
                    .optional()?;
                if old.is_some_and(|decoded| decoded.is_err()) {
                    return Ok(false);
                }
            }
            for (start, bucket) in (self.time.start..).step_by(BUCKET_MS as usize).zip(buckets) {
                *day.bucket_mut(start) = bucket;
            }
            if day.is_empty() {
                conn.prepare_cached("DELETE FROM source_day WHERE key = ?1")?.execute([key])?;
                continue;
            }
            day.encode(&mut spans, &mut latency);
            conn.prepare_cached(
                "INSERT INTO source_day (key, spans, latency) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET spans = excluded.spans, latency = excluded.latency",
            )?
            .execute(params![key, spans, latency])?;
        }
        Ok(true)
    }
}

/// Drops the rows of all sources of some days.
pub(super) fn forget(conn: &Connection, target: i64, days: Range<i64>) -> rusqlite::Result<()> {
    let keys = [source_key(target, days.start, 0), source_key(target, days.end, 0) - 1];
    conn.prepare_cached("DELETE FROM source_day WHERE key BETWEEN ?1 AND ?2")?.execute(keys)?;
    Ok(())
}
