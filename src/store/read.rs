//! Reading. Nothing here writes; a [`Reader`] has a connection of its own, so reads never hold up a write.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::error::StoreError;
use super::ids::{Verdict, Verdicts};
use super::{FIRST_DAY, Info, LAST_DAY, Note, TargetInfo, TargetState, bucket_key, schema, split_key};
use crate::core::board::Confirmed;
use crate::core::bucket::{BUCKET_MS, Bucket, DAY_MS, Day, Observed, read_observed};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::target::TargetId;

/// One row of the record, with texts shared by many rows kept apart.
#[derive(Clone, Copy, Debug)]
pub struct SampleRow<'a> {
    /// Whose outcome it is.
    pub target: &'a TargetInfo,
    /// How it ended.
    pub verdict: &'a Verdict,
    /// The verdict's number in this database, for caches of what is made from it.
    pub verdict_number: i64,
    /// When, in milliseconds of Unix time.
    pub at_ms: i64,
    /// Where it comes from.
    pub source: Source,
    /// Until the connection stood, in milliseconds.
    pub connect_ms: Option<u32>,
    /// Until the first output, in milliseconds.
    pub first_token_ms: Option<u32>,
    /// Until the exchange ended, in milliseconds.
    pub total_ms: Option<u32>,
    /// The answer's retry hint in whole seconds.
    pub retry_after_s: Option<u32>,
}

impl SampleRow<'_> {
    /// The sample on its own.
    pub fn to_sample(&self) -> Sample {
        Sample {
            target: self.target.id.clone(),
            source: self.source,
            at: timestamp(self.at_ms),
            kind: self.verdict.kind,
            scope: self.verdict.scope,
            http_status: self.verdict.http_status,
            connect_ms: self.connect_ms,
            first_token_ms: self.first_token_ms,
            total_ms: self.total_ms,
            retry_after_s: self.retry_after_s,
            rule: self.verdict.rule.clone(),
        }
    }
}

/// Which part of the record is asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// From this moment on.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
    /// Of these targets; empty is all.
    pub targets: Vec<TargetId>,
}

impl Filter {
    /// Everything of one target.
    pub fn target(target: TargetId) -> Self {
        Self { targets: vec![target], ..Self::default() }
    }

    /// The same in a stretch of time.
    #[must_use]
    pub fn between(mut self, time: Range<Timestamp>) -> Self {
        (self.from, self.to) = (Some(time.start), Some(time.end));
        self
    }

    pub(super) fn time(&self) -> Range<i64> {
        let ms = |at: Timestamp| at.as_millisecond();
        self.from.map_or(i64::MIN, ms)..self.to.map_or(i64::MAX, ms)
    }
}

/// A target as stored, with its number in the database.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTarget {
    pub(super) number: i64,
    /// What it is.
    pub info: TargetInfo,
    /// What the engine knew when it last stopped.
    pub state: TargetState,
    /// Samples before this were pruned; its buckets before it are final.
    pub frozen_until: Option<Timestamp>,
}

/// A read-only connection to the record.
#[derive(Debug)]
pub struct Reader {
    conn: Connection,
    path: PathBuf,
}

impl Reader {
    /// Opens the record at `path` for reading alone.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] when there is none yet, [`StoreError::TooNew`], [`StoreError::Foreign`], and whatever keeps
    /// the file from being read.
    pub fn open(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        Ok(Self { conn: schema::open_read_only(path, busy)?, path: path.to_path_buf() })
    }

    /// The same for who reads and ends. On a full disk a log that a killed process left can be read too, by who has the
    /// record for himself: nobody else opens it meanwhile, so that no reader that stays may do so.
    ///
    /// # Errors
    ///
    /// As of [`Reader::open`].
    pub fn open_briefly(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        match Self::open(path, busy) {
            Err(refused @ StoreError::DiskFull { .. }) => {
                let conn = schema::open_alone(path, busy).ok_or(refused)?;
                Ok(Self { conn, path: path.to_path_buf() })
            }
            opened => opened,
        }
    }

    /// The connection, for the reads that are kept in other files.
    pub(super) const fn conn(&self) -> &Connection {
        &self.conn
    }

    pub(super) fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, error)
    }

    /// All targets that were ever recorded, by name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read; this holds for all reads.
    pub fn targets(&self) -> Result<Vec<StoredTarget>, StoreError> {
        let read = || {
            self.conn
                .prepare_cached(
                    "SELECT id, name, provider, model, dialect, next_probe_at, confirmed_kind, confirmed_scope,
                            confirmed_since, frozen_until FROM target ORDER BY name",
                )?
                .query_map([], stored_target)?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fail(error))
    }

    pub(super) fn selected(&self, filter: &Filter) -> Result<Vec<StoredTarget>, StoreError> {
        let mut targets = self.targets()?;
        if !filter.targets.is_empty() {
            targets.retain(|target| filter.targets.contains(&target.info.id));
        }
        Ok(targets)
    }

    /// Calls `each` with every sample asked for: by target name, then time, source and order of arrival. Memory stays
    /// constant. An error of `each` ends it and is handed back.
    ///
    /// # Errors
    ///
    /// Of the database, or whatever `each` returns.
    pub fn each_sample<E: From<StoreError>>(
        &self,
        filter: &Filter,
        mut each: impl FnMut(SampleRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let fail = |error| self.fail(error);
        let time = filter.time();
        let mut verdicts = Verdicts::default();
        for target in self.selected(filter)? {
            let mut query = self
                .conn
                .prepare_cached(
                    "SELECT at, source, verdict, connect_ms, first_token_ms, total_ms, retry_after_s FROM sample
                     WHERE target = ?1 AND at >= ?2 AND at < ?3 ORDER BY at, source, seq",
                )
                .map_err(fail)?;
            let mut rows = query.query(params![target.number, time.start, time.end]).map_err(fail)?;
            while let Some(row) = rows.next().map_err(fail)? {
                each(sample_row(&self.conn, row, &target.info, &mut verdicts).map_err(fail)?)?;
            }
        }
        Ok(())
    }

    /// The samples asked for, collected.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn samples(&self, filter: &Filter) -> Result<Vec<Sample>, StoreError> {
        let mut samples = Vec::new();
        self.each_sample::<StoreError>(filter, |row| {
            samples.push(row.to_sample());
            Ok(())
        })?;
        Ok(samples)
    }

    /// The newest `limit` samples of a target, newest first, skipped ones too.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn recent(&self, target: &TargetId, limit: usize) -> Result<Vec<Sample>, StoreError> {
        let Some(stored) = self.targets()?.into_iter().find(|stored| &stored.info.id == target) else {
            return Ok(Vec::new());
        };
        self.recent_of(&stored, limit).map_err(|error| self.fail(error))
    }

    /// The newest `limit` samples of a target before a moment, newest first, skipped ones too.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn recent_before(
        &self,
        target: &StoredTarget,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<Sample>, StoreError> {
        self.newest_of(target, before.as_millisecond(), limit).map_err(|error| self.fail(error))
    }

    fn recent_of(&self, target: &StoredTarget, limit: usize) -> rusqlite::Result<Vec<Sample>> {
        self.newest_of(target, i64::MAX, limit)
    }

    fn newest_of(&self, target: &StoredTarget, before: i64, limit: usize) -> rusqlite::Result<Vec<Sample>> {
        let mut verdicts = Verdicts::default();
        let mut query = self.conn.prepare_cached(
            "SELECT at, source, verdict, connect_ms, first_token_ms, total_ms, retry_after_s FROM sample
             WHERE target = ?1 AND at < ?2 ORDER BY at DESC, source DESC, seq DESC LIMIT ?3",
        )?;
        let mut rows = query.query(params![target.number, before, i64::try_from(limit).unwrap_or(i64::MAX)])?;
        let mut samples = Vec::new();
        while let Some(row) = rows.next()? {
            samples.push(sample_row(&self.conn, row, &target.info, &mut verdicts)?.to_sample());
        }
        Ok(samples)
    }

    /// The newest `limit` samples of every target, newest first.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn recent_of_all(&self, limit: usize) -> Result<HashMap<TargetId, Vec<Sample>>, StoreError> {
        let targets = self.targets()?;
        targets
            .iter()
            .map(|target| Ok((target.info.id.clone(), self.recent_of(target, limit)?)))
            .collect::<rusqlite::Result<_>>()
            .map_err(|error| self.fail(error))
    }

    /// Requests of our own since a moment, by target: what the day's budget has lost. Skipped probes cost nothing.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn probes_since(&self, since: Timestamp) -> Result<HashMap<TargetId, u32>, StoreError> {
        let count = |target: StoredTarget| {
            let probes = self
                .conn
                .prepare_cached(
                    "SELECT count(*) FROM sample s JOIN verdict v ON v.id = s.verdict
                     WHERE s.target = ?1 AND s.at >= ?2 AND s.source = ?3 AND v.kind <> ?4",
                )?
                .query_row(
                    params![target.number, since.as_millisecond(), Source::Probe.code(), Kind::Skipped.code()],
                    |row| row.get(0),
                )?;
            Ok((target.info.id, probes))
        };
        self.targets()?.into_iter().map(count).collect::<rusqlite::Result<_>>().map_err(|error| self.fail(error))
    }

    /// Calls `each` with every stored bucket asked for, by target name and time: target, start in milliseconds, bucket. A
    /// bucket belongs to the range when its start does.
    ///
    /// # Errors
    ///
    /// Of the database, or whatever `each` returns.
    pub fn each_bucket<E: From<StoreError>>(
        &self,
        filter: &Filter,
        mut each: impl FnMut(&TargetInfo, i64, &Bucket) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buckets = Day::default();
        self.each_day(
            filter,
            "SELECT key, spans, latency FROM bucket_day WHERE key BETWEEN ?1 AND ?2",
            |info, day, row, time| {
                let blob = |column| {
                    let value = row.get_ref(column).map_err(|error| self.fail(error))?;
                    value.as_blob().map_err(|error| self.damaged(error))
                };
                let (spans, latency) = (blob(1)?, blob(2)?);
                buckets.decode(spans, latency).map_err(|error| self.damaged(error))?;
                for (slot, bucket) in buckets.iter() {
                    let start = day * DAY_MS + slot as i64 * BUCKET_MS;
                    if time.contains(&start) {
                        each(info, start, bucket)?;
                    }
                }
                Ok(())
            },
        )
    }

    /// The same for the observed part alone: several times quicker, and all that shares and sheets need.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn each_observed(
        &self,
        filter: &Filter,
        mut each: impl FnMut(&TargetInfo, i64, Observed),
    ) -> Result<(), StoreError> {
        self.each_day(
            filter,
            "SELECT key, spans FROM bucket_day WHERE key BETWEEN ?1 AND ?2",
            |info, day, row, time| {
                let spans = row.get_ref(1).map_err(|error| self.fail(error))?.as_blob();
                let spans = spans.map_err(|error| self.damaged(error))?;
                read_observed(spans, |slot, observed| {
                    let start = day * DAY_MS + slot as i64 * BUCKET_MS;
                    if time.contains(&start) {
                        each(info, start, observed);
                    }
                })
                .map_err(|error| self.damaged(error))
            },
        )
    }

    fn each_day<E: From<StoreError>>(
        &self,
        filter: &Filter,
        sql: &str,
        mut each: impl FnMut(&TargetInfo, i64, &Row<'_>, &Range<i64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let fail = |error| self.fail(error);
        let time = filter.time();
        let first = Day::number(time.start).max(FIRST_DAY);
        let last = Day::number(time.end).clamp(FIRST_DAY, LAST_DAY);
        for target in self.selected(filter)? {
            let mut query = self.conn.prepare_cached(sql).map_err(fail)?;
            let keys = [bucket_key(target.number, first), bucket_key(target.number, last)];
            let mut rows = query.query(keys).map_err(fail)?;
            while let Some(row) = rows.next().map_err(fail)? {
                let (_, day) = split_key(row.get(0).map_err(fail)?);
                each(&target.info, day, row, &time)?;
            }
        }
        Ok(())
    }

    /// The buckets asked for, collected: target, start, bucket.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn buckets(&self, filter: &Filter) -> Result<Vec<(TargetId, Timestamp, Bucket)>, StoreError> {
        let mut buckets = Vec::new();
        self.each_bucket::<StoreError>(filter, |info, start, bucket| {
            buckets.push((info.id.clone(), timestamp(start), bucket.clone()));
            Ok(())
        })?;
        Ok(buckets)
    }

    /// The newest notes, newest first.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn notes(&self, limit: usize) -> Result<Vec<Note>, StoreError> {
        let read = || {
            self.conn
                .prepare_cached("SELECT at, body FROM note ORDER BY id DESC LIMIT ?1")?
                .query_map([i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
                    Ok(Note { at: timestamp(row.get(0)?), body: row.get(1)? })
                })?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fail(error))
    }

    /// A value of ours that outlives the process.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        let read = || {
            self.conn
                .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()
        };
        read().map_err(|error| self.fail(error))
    }

    /// All values of ours whose names begin with `prefix`, by the rest of their names.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn metas(&self, prefix: &str) -> Result<HashMap<String, String>, StoreError> {
        let read = || {
            self.conn
                .prepare_cached(
                    "SELECT substr(key, length(?1) + 1), value FROM meta WHERE substr(key, 1, length(?1)) = ?1",
                )?
                .query_map([prefix], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| self.fail(error))
    }

    /// Checks the whole file.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] with the first finding.
    pub fn check(&self) -> Result<(), StoreError> {
        schema::quick_check(&self.conn, &self.path)
    }

    /// Sizes and counts. Counting reads the whole index: up to a second for ten million samples.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn info(&self) -> Result<Info, StoreError> {
        let number = |sql: &str| self.number(sql);
        let read = || {
            let (first, last): (Option<i64>, Option<i64>) = (
                self.edge("SELECT min(at) FROM sample WHERE target = ?1")?.into_iter().min(),
                self.edge("SELECT max(at) FROM sample WHERE target = ?1")?.into_iter().max(),
            );
            Ok(Info {
                format: number("PRAGMA user_version")?,
                bytes: self.pages("page_count")?,
                free_bytes: self.pages("freelist_count")?,
                targets: number("SELECT count(*) FROM target")?.unsigned_abs(),
                samples: number("SELECT count(*) FROM sample")?.unsigned_abs(),
                bucket_days: number("SELECT count(*) FROM bucket_day")?.unsigned_abs(),
                first_at: first.map(timestamp),
                last_at: last.map(timestamp),
            })
        };
        read().map_err(|error| self.fail(error))
    }

    /// How large the record is, in bytes: with what still stands in its log and not yet in the file.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.pages("page_count").map_err(|error| self.fail(error))
    }

    /// What of the file could be given back to the system, in bytes.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn free_bytes(&self) -> Result<u64, StoreError> {
        self.pages("freelist_count").map_err(|error| self.fail(error))
    }

    /// A number of pages that a pragma tells, in bytes.
    fn pages(&self, pragma: &str) -> rusqlite::Result<u64> {
        Ok((self.number(&format!("PRAGMA {pragma}"))? * self.number("PRAGMA page_size")?).unsigned_abs())
    }

    fn number(&self, sql: &str) -> rusqlite::Result<i64> {
        self.conn.query_row(sql, [], |row| row.get(0))
    }

    fn edge(&self, sql: &str) -> rusqlite::Result<Vec<i64>> {
        let mut targets = self.conn.prepare_cached("SELECT id FROM target")?;
        let mut edge = self.conn.prepare_cached(sql)?;
        let mut found = Vec::new();
        let mut rows = targets.query([])?;
        while let Some(row) = rows.next()? {
            found.extend(edge.query_row([row.get::<_, i64>(0)?], |row| row.get::<_, Option<i64>>(0))?);
        }
        Ok(found)
    }

    pub(super) fn damaged(&self, reason: impl std::fmt::Display) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), reason: reason.to_string() }
    }
}

fn sample_row<'a>(
    conn: &Connection,
    row: &Row<'_>,
    target: &'a TargetInfo,
    verdicts: &'a mut Verdicts,
) -> rusqlite::Result<SampleRow<'a>> {
    let verdict_number = row.get(2)?;
    Ok(SampleRow {
        target,
        verdict: verdicts.get(conn, verdict_number)?,
        verdict_number,
        at_ms: row.get(0)?,
        // A source of a newer program is shown as what it is for this one: somebody else's request.
        source: Source::from_code(row.get(1)?).unwrap_or(Source::Relay),
        connect_ms: row.get(3)?,
        first_token_ms: row.get(4)?,
        total_ms: row.get(5)?,
        retry_after_s: row.get(6)?,
    })
}

fn stored_target(row: &Row<'_>) -> rusqlite::Result<StoredTarget> {
    let time = |index| row.get::<_, Option<i64>>(index).map(|at| at.map(timestamp));
    let confirmed = match (row.get::<_, Option<u8>>(6)?, row.get::<_, Option<u8>>(7)?, time(8)?) {
        (Some(kind), Some(scope), Some(since)) => {
            Kind::from_code(kind).zip(Scope::from_code(scope)).map(|(kind, scope)| Confirmed { kind, scope, since })
        }
        _ => None,
    };
    Ok(StoredTarget {
        number: row.get(0)?,
        info: TargetInfo {
            id: TargetId::new(row.get::<_, String>(1)?),
            provider: row.get(2)?,
            model: row.get(3)?,
            dialect: row.get(4)?,
        },
        state: TargetState { next_probe_at: time(5)?, confirmed },
        frozen_until: time(9)?,
    })
}

/// A stored time; one that no calendar holds is damage and is read as the nearest that it does.
fn timestamp(ms: i64) -> Timestamp {
    let (min, max) = (Timestamp::MIN, Timestamp::MAX);
    Timestamp::from_millisecond(ms).unwrap_or(if ms < 0 { min } else { max })
}
