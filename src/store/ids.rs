//! Small numbers for the texts that samples repeat: targets and verdicts.

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::core::outcome::{Kind, Scope};
use crate::core::sample::Sample;
use crate::core::target::TargetId;

/// How a sample ended, as stored once for all samples that ended so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The exact case.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// The HTTP status, when there was one.
    pub http_status: Option<u16>,
    /// The rule that fired.
    pub rule: Cow<'static, str>,
}

impl Verdict {
    /// Whether samples with it speak of the model's vacancy, as [`Sample::is_counted`] says.
    pub const fn is_counted(&self) -> bool {
        self.kind.is_counted() && matches!(self.scope, Scope::Model | Scope::Provider)
    }

    /// The verdict of a sample.
    pub fn of(sample: &Sample) -> Self {
        Self { kind: sample.kind, scope: sample.scope, http_status: sample.http_status, rule: sample.rule.clone() }
    }

    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        // Numbers of a newer program's kinds are read as what this one can say of them: nothing.
        let status: u16 = row.get(2)?;
        Ok(Self {
            kind: Kind::from_code(row.get(0)?).unwrap_or(Kind::Unrecognized),
            scope: Scope::from_code(row.get(1)?).unwrap_or(Scope::Local),
            http_status: (status != 0).then_some(status),
            rule: Cow::Owned(row.get(3)?),
        })
    }
}

/// What is known of the numbers in a database, on the writing side. Numbers are never reused, so entries stay right; those
/// made in a transaction that failed must be forgotten ([`Ids::forget`]).
#[derive(Debug, Default)]
pub(super) struct Ids {
    targets: HashMap<TargetId, i64>,
    verdicts: HashMap<Verdict, i64>,
    by_number: Verdicts,
}

impl Ids {
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The number of a target, made when it is new.
    pub(super) fn target(&mut self, conn: &Connection, target: &TargetId) -> rusqlite::Result<i64> {
        if let Some(id) = self.targets.get(target) {
            return Ok(*id);
        }
        conn.prepare_cached(
            "INSERT INTO target (name, provider, model, dialect) VALUES (?1, '', '', '') ON CONFLICT DO NOTHING",
        )?
        .execute([target.as_str()])?;
        let id = conn
            .prepare_cached("SELECT id FROM target WHERE name = ?1")?
            .query_row([target.as_str()], |row| row.get(0))?;
        self.targets.insert(target.clone(), id);
        Ok(id)
    }

    /// The number of a sample's verdict, made when it is new.
    pub(super) fn verdict(&mut self, conn: &Connection, sample: &Sample) -> rusqlite::Result<i64> {
        let verdict = Verdict::of(sample);
        if let Some(id) = self.verdicts.get(&verdict) {
            return Ok(*id);
        }
        let values = (verdict.kind.code(), verdict.scope.code(), verdict.http_status.unwrap_or(0), &*verdict.rule);
        conn.prepare_cached(
            "INSERT INTO verdict (kind, scope, http_status, rule) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )?
        .execute(values)?;
        let id = conn
            .prepare_cached("SELECT id FROM verdict WHERE kind = ?1 AND scope = ?2 AND http_status = ?3 AND rule = ?4")?
            .query_row(values, |row| row.get(0))?;
        self.verdicts.insert(verdict, id);
        Ok(id)
    }

    /// The verdict with a number.
    pub(super) fn verdict_by_number(&mut self, conn: &Connection, id: i64) -> rusqlite::Result<&Verdict> {
        self.by_number.get(conn, id)
    }
}

/// Verdicts by their number, read when first asked for.
#[derive(Debug, Default)]
pub(super) struct Verdicts(Vec<Option<Verdict>>);

impl Verdicts {
    pub(super) fn get(&mut self, conn: &Connection, id: i64) -> rusqlite::Result<&Verdict> {
        // SQLite numbers rows from 1 without holes here; a number beyond any real one is damage, not a reason to allocate.
        let slot = usize::try_from(id).ok().filter(|slot| *slot < 1 << 24);
        let slot = slot.ok_or(rusqlite::Error::IntegralValueOutOfRange(4, id))?;
        if self.0.len() <= slot {
            self.0.resize(slot + 1, None);
        }
        if self.0[slot].is_none() {
            let found = conn
                .prepare_cached("SELECT kind, scope, http_status, rule FROM verdict WHERE id = ?1")?
                .query_row(params![id], Verdict::from_row)
                .optional()?;
            self.0[slot] = Some(found.ok_or(rusqlite::Error::QueryReturnedNoRows)?);
        }
        self.0[slot].as_ref().ok_or(rusqlite::Error::QueryReturnedNoRows)
    }
}
