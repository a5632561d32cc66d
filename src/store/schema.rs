//! Connections and migrations.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::{StoreError, one_line};
use crate::private;

/// Marks the file as ours (`PRAGMA application_id`): "VACY".
const APPLICATION_ID: i64 = 0x5641_4359;

/// Numbered from 1 in order; only ever added to.
const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql"), include_str!("migrations/0002.sql")];

/// The format this program writes.
pub const FORMAT: i64 = MIGRATIONS.len() as i64;

/// Opens the database for writing, creates or migrates it, and checks that it is ours.
pub(super) fn open(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    // SQLite gives its companions the rights of the file; where it cannot be made SQLite says why.
    drop(private::open_file(path));
    let mut conn = Connection::open(path).map_err(|error| StoreError::sqlite(path, error))?;
    prepare(&mut conn, path, busy)?;
    Ok(conn)
}

/// Opens the database for reading alone.
pub(super) fn open_read_only(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing { path: path.to_path_buf(), is_empty: false });
    }
    match open_to_read(path, path, OpenFlags::empty(), busy) {
        Err(refused @ StoreError::ReadOnly { .. }) => open_at_rest(path, busy).ok_or(refused),
        opened => opened,
    }
}

/// A record in a folder that may not be written, such as a copy on a mounted disk: SQLite wants to put its companions
/// beside the file there, unless it is told that nobody changes it. Nobody does while there is no log of what is not in
/// the file yet.
fn open_at_rest(path: &Path, busy: Duration) -> Option<Connection> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if std::fs::metadata(log).is_ok_and(|log| log.len() > 0) {
        return None;
    }
    let name = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let uri = format!("file:{name}?immutable=1");
    open_to_read(path, Path::new(&uri), OpenFlags::SQLITE_OPEN_URI, busy).ok()
}

/// A record with a log on a full disk: there is no room for the index of the log that its readers share. Who has the file
/// for himself keeps that index in memory (sqlite.org/wal.html#noshm), and nothing is written. It is tried only where no
/// other process has the record open: such a one has made room for the index already.
pub(super) fn open_alone(path: &Path, busy: Duration) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).ok()?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok()?;
    conn.busy_timeout(busy).ok()?;
    conn.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON; PRAGMA cache_size = -8000;").ok()?;
    check_identity(&conn, path).ok().filter(|found| *found > 0)?;
    Some(conn)
}

fn open_to_read(path: &Path, name: &Path, more: OpenFlags, busy: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let fail = |error| StoreError::sqlite(path, error);
    let conn = Connection::open_with_flags(name, flags).map_err(fail)?;
    conn.busy_timeout(busy).map_err(fail)?;
    conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -8000;").map_err(fail)?;
    match check_identity(&conn, path)? {
        0 => Err(StoreError::Missing { path: path.to_path_buf(), is_empty: true }),
        _ => Ok(conn),
    }
}

fn prepare(conn: &mut Connection, path: &Path, busy: Duration) -> Result<(), StoreError> {
    let fail = |error| StoreError::sqlite(path, error);
    conn.busy_timeout(busy).map_err(fail)?;
    conn.set_prepared_statement_cache_capacity(64);
    let found = check_identity(conn, path)?;
    if found == 0 {
        // Page size and vacuum mode can only be chosen before the first table is made. Pages of 8 KiB hold several
        // days of buckets, which never spill over then.
        conn.execute_batch("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;").map_err(fail)?;
    }
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 16777216;",
    )
    .map_err(fail)?;
    if found < FORMAT {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        migrate(&tx).map_err(fail)?;
        tx.commit().map_err(fail)?;
    }
    Ok(())
}

/// The file's format, 0 for an empty file.
fn check_identity(conn: &Connection, path: &Path) -> Result<i64, StoreError> {
    let read = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    let fail = |error| StoreError::sqlite(path, error);
    let found = read("PRAGMA user_version").map_err(fail)?;
    let application = read("PRAGMA application_id").map_err(fail)?;
    let tables = read("SELECT count(*) FROM sqlite_schema").map_err(fail)?;
    if application != APPLICATION_ID && (application != 0 || tables > 0) {
        return Err(StoreError::Foreign { path: path.to_path_buf() });
    }
    if found > FORMAT {
        return Err(StoreError::TooNew { path: path.to_path_buf(), found, known: FORMAT });
    }
    Ok(found)
}

fn migrate(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    // Another process may have migrated while this one waited for the lock.
    let found: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (number, sql) in (1..).zip(MIGRATIONS) {
        if number > found {
            tx.execute_batch(sql)?;
        }
    }
    tx.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};", found.max(FORMAT)))
}

/// Runs SQLite's quick check over the whole file, and looks for values that no writer of ours makes: SQLite has no checksum, and
/// one such row would keep everything else from being read.
pub(super) fn quick_check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    check(conn, path, "PRAGMA quick_check(1)")?;
    check(conn, path, SOUND)?;
    let is_text = |sql: &str| -> rusqlite::Result<()> {
        let mut texts = conn.prepare(sql)?;
        let mut rows = texts.query([])?;
        while let Some(row) = rows.next()? {
            row.get::<_, String>(0)?;
        }
        Ok(())
    };
    TEXTS.iter().try_for_each(|sql| is_text(sql)).map_err(|error| match error {
        rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::Utf8Error(..) => {
            StoreError::Damaged { path: path.to_path_buf(), reason: "a name is no text".to_owned() }
        }
        error => StoreError::sqlite(path, error),
    })
}

/// `ok`, or that a row holds what cannot be read: of another target or verdict, or a number that is none of its kind.
const SOUND: &str = "SELECT CASE WHEN EXISTS (
    SELECT 1 FROM sample WHERE NOT (
        source BETWEEN 0 AND 255 AND target IN (SELECT id FROM target) AND verdict IN (SELECT id FROM verdict)
        AND ifnull(connect_ms, 0) BETWEEN 0 AND 4294967295 AND ifnull(first_token_ms, 0) BETWEEN 0 AND 4294967295
        AND ifnull(total_ms, 0) BETWEEN 0 AND 4294967295 AND ifnull(retry_after_s, 0) BETWEEN 0 AND 4294967295)
    UNION ALL
    SELECT 1 FROM verdict WHERE NOT (
        id BETWEEN 0 AND 16777215 AND kind BETWEEN 0 AND 255 AND scope BETWEEN 0 AND 255
        AND http_status BETWEEN 0 AND 65535)
) THEN 'a row holds what no sample has' ELSE 'ok' END";

/// The texts that are read with samples.
const TEXTS: [&str; 3] =
    ["SELECT rule FROM verdict", "SELECT name || provider || model || dialect FROM target", "SELECT body FROM note"];

/// Runs SQLite's quick check over one table.
pub(super) fn check_table(conn: &Connection, path: &Path, table: &str) -> Result<(), StoreError> {
    check(conn, path, &format!("PRAGMA quick_check({table})"))
}

/// Whether the tables are those that the migrations make. A byte that flipped in a table's definition is no damage to
/// SQLite, which then reads the table by another rule.
pub(super) fn check_shape(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let fail = |error| StoreError::sqlite(path, error);
    let made = Connection::open_in_memory().map_err(fail)?;
    MIGRATIONS.iter().try_for_each(|sql| made.execute_batch(sql)).map_err(fail)?;
    if shape(&made).map_err(fail)? == shape(conn).map_err(fail)? {
        return Ok(());
    }
    Err(StoreError::Damaged { path: path.to_path_buf(), reason: "its tables are not those of a record".to_owned() })
}

/// Every column as one line.
fn shape(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT t.name || ' ' || t.wr || ' ' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || c.pk
               FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
               WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1";
    let mut lines = conn.prepare(sql)?;
    lines.query_map([], |row| row.get(0))?.collect()
}

/// The first finding, if it is not "ok", is the damage.
fn check(conn: &Connection, path: &Path, sql: &str) -> Result<(), StoreError> {
    let finding: String = conn.query_row(sql, [], |row| row.get(0)).map_err(|error| StoreError::sqlite(path, error))?;
    if finding == "ok" {
        Ok(())
    } else {
        Err(StoreError::Damaged { path: path.to_path_buf(), reason: one_line(&finding) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_at_rest_is_read_without_a_companion_and_one_with_a_log_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a?b#c%41 d.sqlite");
        drop(open(&path, Duration::ZERO).unwrap());
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let before = files();
        let conn = open_at_rest(&path, Duration::ZERO).unwrap();
        let targets: i64 = conn.query_row("SELECT count(*) FROM target", [], |row| row.get(0)).unwrap();
        assert_eq!((targets, files()), (0, before));
        std::fs::write(folder.path().join("a?b#c%41 d.sqlite-wal"), "x").unwrap();
        assert!(open_at_rest(&path, Duration::ZERO).is_none());
    }
}
