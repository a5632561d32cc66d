//! Long work of the writer, cut into steps so that samples are written in between.

use rusqlite::{Connection, params};

use super::error::StoreError;
use super::ids::Ids;
use super::reply::Slot;
use super::write::rebuild_target;
use crate::core::bucket::{DAY_MS, REACH_MS};

/// Samples deleted in one step: some 20 ms of work.
const PRUNE_STEP: i64 = 20_000;

/// Pages given back in one step.
const COMPACT_STEP: i64 = 256;

/// A long piece of work with the place of its result.
#[derive(Debug)]
pub(super) enum Job {
    /// Drop all buckets that are not final and make them again; answers with the number of targets.
    Rebuild { left: Option<Vec<i64>>, done: usize, slot: Slot<usize> },
    /// Delete samples before a moment; answers with their number.
    Prune { before: i64, left: Option<Vec<i64>>, deleted: usize, slot: Slot<usize> },
    /// Give unused pages back to the system; answers with their number.
    Compact { freed: i64, slot: Slot<i64> },
}

/// How a step ended.
pub(super) enum Step {
    /// There is more to do.
    More,
    /// It is done; the answer may be given once the step is committed.
    Done,
}

impl Job {
    /// Does one step in a transaction of the caller's (but for `Compact`, which needs none).
    pub(super) fn step(&mut self, conn: &Connection, ids: &mut Ids) -> rusqlite::Result<Step> {
        match self {
            Self::Rebuild { left, done, .. } => {
                let targets = list_targets(conn, left)?;
                let Some(target) = targets.last() else { return Ok(Step::Done) };
                rebuild_target(conn, ids, *target)?;
                targets.pop();
                *done += 1;
                Ok(Step::More)
            }
            Self::Prune { before, left, deleted, .. } => {
                let targets = list_targets(conn, left)?;
                let Some(target) = targets.last() else { return Ok(Step::Done) };
                let count = prune_step(conn, *target, *before)?;
                *deleted += count;
                if count == 0 {
                    targets.pop();
                }
                Ok(Step::More)
            }
            Self::Compact { freed, .. } => {
                let free = |conn: &Connection| conn.query_row("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0));
                let before = free(conn)?;
                // It frees a page a row it yields.
                let mut vacuum = conn.prepare(&format!("PRAGMA incremental_vacuum({COMPACT_STEP})"))?;
                let mut rows = vacuum.query([])?;
                while rows.next()?.is_some() {}
                drop(rows);
                let after = free(conn)?;
                *freed += before - after;
                if after > 0 && after < before {
                    return Ok(Step::More);
                }
                // Only a checkpoint makes the file itself smaller.
                conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
                Ok(Step::Done)
            }
        }
    }

    /// Whether its steps run in a transaction.
    pub(super) const fn is_transactional(&self) -> bool {
        !matches!(self, Self::Compact { .. })
    }

    /// Gives the answer.
    pub(super) fn finish(self, result: Result<(), StoreError>) {
        match self {
            Self::Rebuild { done, slot, .. } => slot.answer(result.map(|()| done)),
            Self::Prune { deleted, slot, .. } => slot.answer(result.map(|()| deleted)),
            Self::Compact { freed, slot } => slot.answer(result.map(|()| freed)),
        }
    }
}

fn list_targets<'a>(conn: &Connection, left: &'a mut Option<Vec<i64>>) -> rusqlite::Result<&'a mut Vec<i64>> {
    if left.is_none() {
        let all =
            conn.prepare_cached("SELECT id FROM target")?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        *left = Some(all);
    }
    Ok(left.get_or_insert_default())
}

/// Deletes some of a target's samples before `before` (a UTC midnight). The buckets before it become final in the same
/// transaction. The last [`REACH_MS`] before it stay: what they say reaches beyond it, so a rebuild needs them.
fn prune_step(conn: &Connection, target: i64, before: i64) -> rusqlite::Result<usize> {
    let limit = before - REACH_MS;
    let bound: Option<i64> = conn
        .prepare_cached(
            "SELECT max(at) FROM (SELECT at FROM sample WHERE target = ?1 AND at < ?2 ORDER BY at LIMIT ?3)",
        )?
        .query_row(params![target, limit, PRUNE_STEP], |row| row.get(0))?;
    let Some(bound) = bound else { return Ok(0) };
    conn.prepare_cached("UPDATE target SET frozen_until = max(coalesce(frozen_until, ?2), ?2) WHERE id = ?1")?
        .execute([target, before])?;
    conn.prepare_cached("DELETE FROM sample WHERE target = ?1 AND at <= ?2")?.execute([target, bound])
}

/// The UTC midnight before which samples go, for a retention of `days` before `now_ms`.
pub(super) const fn prune_before(now_ms: i64, days: u32) -> i64 {
    (now_ms - days as i64 * DAY_MS).div_euclid(DAY_MS) * DAY_MS
}
