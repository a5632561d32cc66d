//! Writing: samples with their buckets in one transaction, and the small state beside them.
//!
//! Buckets are never updated by a difference. Those near a new sample are made again from the samples around them, by the
//! same function as in a rebuild, so that the two cannot disagree.

use std::ops::Range;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::ids::Ids;
use super::sources::{self, Piece, Told};
use super::{Appended, TargetInfo, TargetState, bucket_key};
use crate::core::bucket::{
    BUCKET_MS, BUCKETS_PER_DAY, Bucket, DAY_MS, Day, Point, REACH_MS, affected, bucket_start, fill,
};
use crate::core::sample::Sample;
use crate::core::target::TargetId;

/// Buckets made at once: bounds the memory of a rebuild, and is long enough that the overlap at its ends costs little.
const CHUNK_MS: i64 = 8 * DAY_MS;

/// Stores samples and brings their buckets up to date; the answer has one entry a sample, in their order.
pub(super) fn ingest(conn: &Connection, ids: &mut Ids, samples: &[Sample]) -> rusqlite::Result<Vec<Appended>> {
    let mut order = Vec::with_capacity(samples.len());
    for (index, sample) in samples.iter().enumerate() {
        let target = ids.target(conn, &sample.target)?;
        order.push((target, sample.at.as_millisecond(), sample.source.code(), index));
    }
    // Neighbours in the file are inserted together, and what touches the same buckets stands together.
    order.sort_unstable();
    let mut result = vec![Appended::Stored; samples.len()];
    let mut insert = conn.prepare_cached(
        "INSERT INTO sample (target, at, source, seq, verdict, connect_ms, first_token_ms, total_ms, retry_after_s)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
    )?;
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        let target = group[0].0;
        let frozen = frozen_until(conn, target)?;
        let mut dirty: Vec<Range<i64>> = Vec::new();
        for &(_, at, source, index) in group {
            if at < frozen {
                result[index] = Appended::TooOld;
                continue;
            }
            let sample = &samples[index];
            let verdict = ids.verdict(conn, sample)?;
            let mut store = |seq: i64| {
                insert.execute(params![
                    target,
                    at,
                    source,
                    seq,
                    verdict,
                    sample.connect_ms,
                    sample.first_token_ms,
                    sample.total_ms,
                    sample.retry_after_s
                ])
            };
            if store(0)? == 0 {
                match next_seq(conn, (target, at, source), sample)? {
                    Some(seq) => store(seq)?,
                    None => {
                        result[index] = Appended::Duplicate;
                        continue;
                    }
                };
            }
            let range = affected(at);
            match dirty.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => dirty.push(range),
            }
        }
        for range in dirty {
            make_buckets(conn, ids, target, range, frozen)?;
        }
    }
    Ok(result)
}

/// The place of a sample whose key is taken, or `None` if one of the same kind is there: a duplicate.
fn next_seq(conn: &Connection, key: (i64, i64, u8), sample: &Sample) -> rusqlite::Result<Option<i64>> {
    conn.prepare_cached(
        "SELECT max(s.seq) + 1, max(v.kind = ?4) FROM sample s JOIN verdict v ON v.id = s.verdict
         WHERE s.target = ?1 AND s.at = ?2 AND s.source = ?3",
    )?
    .query_row(params![key.0, key.1, key.2, sample.kind.code()], |row| {
        Ok(if row.get(1)? { None } else { Some(row.get(0)?) })
    })
}

/// Before this moment (a UTC midnight) a target's samples were pruned and its buckets are final.
pub(super) fn frozen_until(conn: &Connection, target: i64) -> rusqlite::Result<i64> {
    let frozen: Option<i64> =
        conn.prepare_cached("SELECT frozen_until FROM target WHERE id = ?1")?.query_row([target], |row| row.get(0))?;
    Ok(frozen.unwrap_or(i64::MIN))
}

/// Makes a target's buckets of a range (milliseconds, bounded by bucket starts) again from its samples; those before
/// `frozen` stay as they are.
pub(super) fn make_buckets(
    conn: &Connection,
    ids: &mut Ids,
    target: i64,
    range: Range<i64>,
    frozen: i64,
) -> rusqlite::Result<()> {
    let mut told: Vec<Told> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let mut buckets = Vec::new();
    let mut day = StoredDay::default();
    let mut start = range.start.max(frozen);
    while start < range.end {
        let end = range.end.min((start.div_euclid(CHUNK_MS) + 1) * CHUNK_MS);
        told.clear();
        read_points(conn, ids, target, start - REACH_MS..end + REACH_MS, &mut told)?;
        points.clear();
        points.extend(told.iter().map(|(point, _)| *point));
        buckets.clear();
        buckets.resize(((end - start) / BUCKET_MS) as usize, Bucket::default());
        fill(&mut points, start, &mut buckets);
        let mut rest = &mut buckets[..];
        let mut from = start;
        while from < end {
            let to = end.min((Day::number(from) + 1) * DAY_MS);
            let (head, tail) = rest.split_at_mut(((to - from) / BUCKET_MS) as usize);
            let piece = Piece { target, time: from..to, points: &told };
            if !day.replace(conn, ids, &piece, head)? {
                // The rest of the day is unreadable. It is only a cache: make all of it.
                let whole = Day::number(from) * DAY_MS;
                make_buckets(conn, ids, target, whole..whole + DAY_MS, frozen)?;
            }
            (from, rest) = (to, tail);
        }
        start = end;
    }
    Ok(())
}

/// Adds a target's samples of a range, its end included, in order of time.
pub(super) fn read_points(
    conn: &Connection,
    ids: &mut Ids,
    target: i64,
    time: Range<i64>,
    points: &mut Vec<Told>,
) -> rusqlite::Result<()> {
    let mut query = conn.prepare_cached(
        "SELECT at, verdict, first_token_ms, source FROM sample WHERE target = ?1 AND at BETWEEN ?2 AND ?3 ORDER BY at",
    )?;
    let mut rows = query.query(params![target, time.start, time.end])?;
    while let Some(row) = rows.next()? {
        let verdict = ids.verdict_by_number(conn, row.get(1)?)?;
        let point = Point {
            at_ms: row.get(0)?,
            kind: verdict.kind,
            is_counted: verdict.is_counted(),
            first_token_ms: row.get(2)?,
        };
        points.push((point, row.get(3)?));
    }
    Ok(())
}

/// One row of `bucket_day` with its buffers.
#[derive(Default)]
struct StoredDay {
    day: Day,
    spans: Vec<u8>,
    latency: Vec<u8>,
}

impl StoredDay {
    /// Replaces consecutive buckets of one day, those of `piece`. `Ok(false)` when the rest of the day cannot be read; nothing
    /// is written then.
    fn replace(
        &mut self,
        conn: &Connection,
        ids: &mut Ids,
        piece: &Piece<'_>,
        buckets: &mut [Bucket],
    ) -> rusqlite::Result<bool> {
        let (from, number) = (piece.time.start, Day::number(piece.time.start));
        let key = bucket_key(piece.target, number);
        self.day.clear();
        let mut speaking = sources::speaking(piece.points, number);
        let mut before = None;
        // A whole day needs nothing of the old row.
        if buckets.len() < BUCKETS_PER_DAY {
            let old = conn
                .prepare_cached("SELECT spans, latency, sources FROM bucket_day WHERE key = ?1")?
                .query_row([key], |row| {
                    let (spans, latency) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
                    before = Some(row.get(2)?);
                    Ok(self.day.decode(spans, latency))
                })
                .optional()?;
            if old.is_some_and(|decoded| decoded.is_err()) {
                return Ok(false);
            }
            // Only a row that knows its sources spares the look at the samples.
            speaking |= match before.filter(|sources| *sources != 0) {
                Some(sources) => sources,
                None => sources::stored(conn, piece.target, number)?,
            };
        }
        for (slot, bucket) in buckets.iter_mut().enumerate() {
            *self.day.bucket_mut(from + slot as i64 * BUCKET_MS) = std::mem::take(bucket);
        }
        piece.split(conn, ids, speaking, before)?;
        if self.day.is_empty() {
            conn.prepare_cached("DELETE FROM bucket_day WHERE key = ?1")?.execute([key])?;
            return Ok(true);
        }
        self.day.encode(&mut self.spans, &mut self.latency);
        conn.prepare_cached(
            "INSERT INTO bucket_day (key, spans, latency, sources) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE
             SET spans = excluded.spans, latency = excluded.latency, sources = excluded.sources",
        )?
        .execute(params![key, self.spans, self.latency, speaking])?;
        Ok(true)
    }
}

/// Drops a target's buckets that are not final and makes them again from its samples.
pub(super) fn rebuild_target(conn: &Connection, ids: &mut Ids, target: i64) -> rusqlite::Result<()> {
    let frozen = frozen_until(conn, target)?;
    let first_day = if frozen == i64::MIN { super::FIRST_DAY } else { Day::number(frozen) };
    conn.prepare_cached("DELETE FROM bucket_day WHERE key BETWEEN ?1 AND ?2")?
        .execute(params![bucket_key(target, first_day), bucket_key(target, super::LAST_DAY)])?;
    sources::forget(conn, target, first_day..super::LAST_DAY)?;
    // Long gaps are stepped over, not walked through. The samples kept from before `frozen` still speak for time after it.
    let mut from = frozen.saturating_sub(REACH_MS);
    loop {
        let next: Option<i64> = conn
            .prepare_cached("SELECT min(at) FROM sample WHERE target = ?1 AND at >= ?2")?
            .query_row(params![target, from], |row| row.get(0))?;
        let Some(next) = next else { return Ok(()) };
        let start = bucket_start(next - REACH_MS).max(from);
        let end = (next.div_euclid(CHUNK_MS) + 1) * CHUNK_MS;
        make_buckets(conn, ids, target, start..end, frozen)?;
        // What the last samples before `end` speak for after it.
        make_buckets(conn, ids, target, end..end + 2 * BUCKET_MS, frozen)?;
        from = end;
    }
}

/// Creates or corrects targets. `overwrite` is for the settings, which know best; an import only fills what is empty.
pub(super) fn register(
    conn: &Connection,
    ids: &mut Ids,
    targets: &[TargetInfo],
    overwrite: bool,
) -> rusqlite::Result<()> {
    for target in targets {
        let id = ids.target(conn, &target.id)?;
        conn.prepare_cached(
            "UPDATE target SET
                 provider = CASE WHEN ?5 OR provider = '' THEN ?2 ELSE provider END,
                 model = CASE WHEN ?5 OR model = '' THEN ?3 ELSE model END,
                 dialect = CASE WHEN ?5 OR dialect = '' THEN ?4 ELSE dialect END
             WHERE id = ?1",
        )?
        .execute(params![id, target.provider, target.model, target.dialect, overwrite])?;
    }
    Ok(())
}

/// Writes the state that outlives the engine.
pub(super) fn set_state(
    conn: &Connection,
    ids: &mut Ids,
    target: &TargetId,
    state: &TargetState,
) -> rusqlite::Result<()> {
    let id = ids.target(conn, target)?;
    let ms = |at: Timestamp| at.as_millisecond();
    conn.prepare_cached(
        "UPDATE target SET next_probe_at = ?2, confirmed_kind = ?3, confirmed_scope = ?4, confirmed_since = ?5
         WHERE id = ?1",
    )?
    .execute(params![
        id,
        state.next_probe_at.map(ms),
        state.confirmed.map(|confirmed| confirmed.kind.code()),
        state.confirmed.map(|confirmed| confirmed.scope.code()),
        state.confirmed.map(|confirmed| ms(confirmed.since)),
    ])?;
    Ok(())
}

/// Appends a note.
pub(super) fn add_note(conn: &Connection, at: Timestamp, body: &str) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT INTO note (at, body) VALUES (?1, ?2)")?.execute(params![at.as_millisecond(), body])?;
    Ok(())
}

/// Sets a value of ours that outlives the process.
pub(super) fn set_meta(conn: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
    )?
    .execute([key, value])?;
    Ok(())
}

/// Adds one to a number under a name, which begins at nothing.
pub(super) fn count(conn: &Connection, key: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, '1')
         ON CONFLICT DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)",
    )?
    .execute([key])?;
    Ok(())
}
