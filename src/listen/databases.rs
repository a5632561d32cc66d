//! Tools' own databases: opencode's messages, Codex's diagnostic log and its list of turns.
//!
//! Opened read-only and with their write-ahead log, one short bounded query each, only the named columns and fields. Tables
//! of contents (`part`, `thread_items`) are never named. What cannot be opened is passed over, and nothing is ever made
//! beside a database: SQLite makes the files of a write-ahead log anew even for a reader, so a database that has none is
//! read as it lies there, and not at all if it changed meanwhile.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, params};
use url::Url;

use super::codex_rules;
use super::disk::Disk;
use super::homes::{CODEX_TURNS, LogFile};
use super::observation::{Name, Observation, Tool};
use super::opencode;
use super::own::OWN_FOLDER;
use super::turns::{FailedTurn, Turns};

/// Rows read in one step; the next step goes on after them.
const MOST_ROWS: i64 = 20_000;

/// How long another program's lock is waited for.
const BUSY: Duration = Duration::from_millis(200);

/// Characters of an error that are looked at.
const LONGEST_ERROR: u32 = 65_536;

/// A list of turns is read again from so many seconds before its newest end: turns may end in the same second.
const AGAIN_S: i64 = 2;

/// Whether it is Codex's list of turns, which is read before the rollouts and told after them.
pub(super) fn is_turns(log: &LogFile) -> bool {
    let name = log.path.file_name().and_then(|name| name.to_str());
    log.is_database && log.tool == Tool::Codex && name.is_some_and(|name| name.starts_with(CODEX_TURNS))
}

/// Reads what came after `cursor` (0 for all) and returns the place to go on from.
///
/// # Errors
///
/// When the file cannot be opened, changed while it was read, or has other tables than the known ones.
pub fn read(disk: &dyn Disk, log: &LogFile, cursor: i64, out: &mut Vec<Observation>) -> io::Result<i64> {
    with(disk, log, |connection| match log.tool {
        Tool::Codex => codex_log(connection, cursor, out),
        _ => opencode_messages(connection, cursor, out),
    })
}

/// Reads the failed turns that ended from `cursor` (a unix second, 0 for all) until `until` into `turns`, and returns the
/// place to go on from.
///
/// # Errors
///
/// As for [`read`].
pub(super) fn read_turns(
    disk: &dyn Disk,
    log: &LogFile,
    cursor: i64,
    until: Timestamp,
    turns: &Turns,
) -> io::Result<i64> {
    with(disk, log, |connection| codex_turns(connection, cursor, until.as_second(), turns))
}

fn with<T>(disk: &dyn Disk, log: &LogFile, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> io::Result<T> {
    // Through the same door as all logs, so that it is on the list of what was opened.
    let mut header = [0; 20];
    disk.open(&log.path)?.read_exact(&mut header)?;
    let beside = |end: &str| {
        let mut path = log.path.clone().into_os_string();
        path.push(end);
        PathBuf::from(path)
    };
    let (wal, index) = (beside("-wal"), beside("-shm"));
    // The bytes that say that it is written through a log.
    let is_logged = header[18] == 2 || header[19] == 2;
    let is_open_elsewhere = wal.exists() && index.exists();
    if !is_logged || is_open_elsewhere {
        let connection = open(&log.path, false).map_err(io::Error::other)?;
        return query(&connection).map_err(io::Error::other);
    }
    let state = || (stamp(&log.path), stamp(&wal));
    let before = state();
    let found = query(&open(&log.path, true).map_err(io::Error::other)?).map_err(io::Error::other)?;
    if before == state() { Ok(found) } else { Err(io::Error::other("the database changed while it was read")) }
}

/// What tells that a file was written.
fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let about = path.metadata().ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// Opens a database; `is_still` when nobody writes it, so that no lock and no file of a log is needed.
fn open(path: &Path, is_still: bool) -> rusqlite::Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if is_still {
        let mut url = Url::from_file_path(path).map_err(|()| rusqlite::Error::InvalidPath(path.to_path_buf()))?;
        url.set_query(Some("immutable=1"));
        flags |= OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(url.as_str(), flags)?
    } else {
        Connection::open_with_flags(path, flags)?
    };
    connection.busy_timeout(BUSY)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -2000;")?;
    Ok(connection)
}

/// The cursor is the row's number. A message is updated in place when it is complete, so the newest ones are read again;
/// what was known is dropped by the store.
fn opencode_messages(connection: &Connection, cursor: i64, out: &mut Vec<Observation>) -> rusqlite::Result<i64> {
    const AGAIN: i64 = 200;
    let mut query = connection.prepare(
        "SELECT rowid, json_object('role', 'assistant', 'providerID', data ->> 'providerID', 'modelID', data ->> 'modelID',
             'time', json_object('created', data ->> '$.time.created', 'completed', data ->> '$.time.completed'),
             'error', json(CASE WHEN json_type(data, '$.error') = 'object' THEN json_object('name', data ->> '$.error.name',
                 'data', json_object('statusCode', data ->> '$.error.data.statusCode',
                     'message', substr(data ->> '$.error.data.message', 1, 2000),
                     'responseBody', substr(data ->> '$.error.data.responseBody', 1, 2000))) ELSE 'null' END))
         FROM message WHERE rowid > ?1 AND CASE WHEN json_valid(data) THEN data ->> 'role' = 'assistant'
             AND instr(COALESCE(data ->> '$.path.cwd', ''), ?3) = 0 END ORDER BY rowid LIMIT ?2",
    )?;
    let mut rows = query.query(params![(cursor - AGAIN).max(0), MOST_ROWS, OWN_FOLDER])?;
    let mut last = cursor;
    while let Some(row) = rows.next()? {
        last = last.max(row.get(0)?);
        if let Ok(text) = row.get_ref(1)?.as_str() {
            out.extend(opencode::message(text.as_bytes()));
        }
    }
    Ok(last)
}

/// Failed turns of sessions in the terminal: rows of one target whose text ends with the error. It fills the gap of
/// versions 0.118 to 0.144, whose rollouts do not say why.
fn codex_log(connection: &Connection, cursor: i64, out: &mut Vec<Observation>) -> rusqlite::Result<i64> {
    let body = if has_column(connection, "logs", "feedback_log_body")? { "feedback_log_body" } else { "message" };
    let mut query = connection.prepare(&format!(
        "SELECT id, ts, ts_nanos, substr({body}, 1, 4000) FROM logs
         WHERE id > ?1 AND target = 'codex_core::session::turn' AND level = 'INFO' AND instr({body}, 'Turn error: ') > 0
         ORDER BY id LIMIT ?2"
    ))?;
    let mut rows = query.query(params![cursor, MOST_ROWS])?;
    let mut last = cursor;
    while let Some(row) = rows.next()? {
        last = last.max(row.get(0)?);
        let Ok(text) = row.get_ref(3)?.as_str() else { continue };
        let Some((span, error)) = text.rsplit_once("Turn error: ") else { continue };
        let Some((kind, rule, status)) = codex_rules::judge_text(error) else { continue };
        let (Ok(second), Ok(nanos)) = (row.get(1), row.get(2)) else { continue };
        let Ok(at) = Timestamp::new(second, nanos) else { continue };
        let mut observation = Observation::new(Tool::Codex, Some(at), kind, rule);
        observation.model = model_in(span);
        observation.http_status = status;
        out.push(observation);
    }
    Ok(last)
}

/// Failed turns, oldest first. Only these columns are selected; a newer schema may have more of them, an older one fewer.
fn codex_turns(connection: &Connection, cursor: i64, until: i64, turns: &Turns) -> rusqlite::Result<i64> {
    let has = |name: &str| has_column(connection, "thread_turns", name);
    let or_null = |name: &'static str| has(name).map(|has| if has { name } else { "NULL" });
    let (begun, ended, lasted) = (or_null("started_at")?, or_null("completed_at")?, or_null("duration_ms")?);
    let at = format!("CAST(COALESCE({ended}, {begun} + COALESCE({lasted}, 0) / 1000) AS INTEGER)");
    let error = or_null("error_json")?;
    let mut query = connection.prepare(&format!(
        "SELECT thread_id, turn_id, {at}, CASE WHEN length({error}) <= {LONGEST_ERROR} THEN {error} END FROM thread_turns
         WHERE status = 'failed' AND {at} BETWEEN ?1 AND ?2 ORDER BY 3 LIMIT ?3"
    ))?;
    let mut rows = query.query(params![(cursor - AGAIN_S).max(0), until, MOST_ROWS])?;
    let mut last = cursor;
    while let Some(row) = rows.next()? {
        let at: i64 = row.get(2)?;
        last = last.max(at);
        let (Ok(thread), Ok(turn)) = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_str()) else { continue };
        let Ok(at) = Timestamp::from_second(at) else { continue };
        let error = match row.get_ref(3)? {
            ValueRef::Text(error) => error,
            _ => b"",
        };
        turns.expect(&FailedTurn { thread, turn, at, error });
    }
    Ok(last)
}

fn has_column(connection: &Connection, table: &str, name: &str) -> rusqlite::Result<bool> {
    let query = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
    connection.query_row(query, [table, name], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

/// `… model=gpt-5.5 …` in a span.
fn model_in(span: &str) -> Option<Name> {
    let (_, rest) = span.split_once("model=")?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '}' | ',' | '"')).unwrap_or(rest.len());
    Name::new(&rest[..end])
}
