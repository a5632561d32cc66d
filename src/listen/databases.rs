//! Tools' own databases: opencode's messages and Codex's diagnostic log.
//!
//! Opened read-only and with their write-ahead log, one short bounded query each, only the named columns and fields. Tables
//! of contents (`part`, `thread_items`) are never named. What cannot be opened is passed over.

use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, params};

use super::codex;
use super::disk::Disk;
use super::homes::LogFile;
use super::observation::{Name, Observation, Tool};
use super::opencode;

/// Rows read in one step; the next step goes on after them.
const MOST_ROWS: i64 = 20_000;

/// How long another program's lock is waited for.
const BUSY: Duration = Duration::from_millis(200);

/// Reads what came after `cursor` (0 for all) and returns the place to go on from.
///
/// # Errors
///
/// When the file cannot be opened or has other tables than the known ones.
pub fn read(disk: &dyn Disk, log: &LogFile, cursor: i64, out: &mut Vec<Observation>) -> io::Result<i64> {
    // Through the same door as all logs, so that it is on the list of what was opened.
    drop(disk.open(&log.path)?);
    let connection = open(&log.path).map_err(io::Error::other)?;
    let result = match log.tool {
        Tool::Codex => codex_log(&connection, cursor, out),
        _ => opencode_messages(&connection, cursor, out),
    };
    result.map_err(io::Error::other)
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
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
         FROM message WHERE rowid > ?1 AND data ->> 'role' = 'assistant' ORDER BY rowid LIMIT ?2",
    )?;
    let mut rows = query.query(params![(cursor - AGAIN).max(0), MOST_ROWS])?;
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
    let body = if has_column(connection, "feedback_log_body")? { "feedback_log_body" } else { "message" };
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
        let Some((kind, rule, status)) = codex::judge_text(error) else { continue };
        let nanos: i64 = row.get(2)?;
        let at = jiff::Timestamp::from_millisecond(row.get::<_, i64>(1)? * 1000 + nanos / 1_000_000);
        let mut observation = Observation::new(Tool::Codex, at.ok(), kind, rule);
        observation.model = model_in(span);
        observation.http_status = status;
        out.push(observation);
    }
    Ok(last)
}

fn has_column(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let count: i64 =
        connection
            .query_row("SELECT count(*) FROM pragma_table_info('logs') WHERE name = ?1", [name], |row| row.get(0))?;
    Ok(count > 0)
}

/// `… model=gpt-5.5 …` in a span.
fn model_in(span: &str) -> Option<Name> {
    let (_, rest) = span.split_once("model=")?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '}' | ',' | '"')).unwrap_or(rest.len());
    Name::new(&rest[..end])
}
