//! Codex's list of turns beside its rollouts, in real databases.

use std::path::Path;

use rusqlite::Connection;
use vacancy::core::outcome::Kind;

use super::backfill::{fill, record};
use super::{Rollout, put};

const CODEX: &str = ".codex";
const LIST: &str = ".codex/thread_history_1.sqlite";
const TABLE: &str =
    "CREATE TABLE thread_turns (thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, rollout_ordinal INTEGER NOT NULL,
    status TEXT NOT NULL, error_json TEXT, started_at INTEGER, completed_at INTEGER, duration_ms INTEGER,
    first_user_item_id TEXT, final_agent_item_id TEXT, rollout_byte_offset INTEGER, PRIMARY KEY (thread_id, turn_id));
    CREATE TABLE thread_items (item_json TEXT); INSERT INTO thread_items VALUES ('ITEM-MUST-NOT-BE-STORED');";

/// A list that a running Codex has open: all of it is in the write-ahead log.
fn list(home: &Path, name: &str, table: &str) -> Connection {
    std::fs::create_dir_all(home.join(CODEX)).unwrap();
    let connection = Connection::open(home.join(name)).unwrap();
    connection.execute_batch(&format!("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {table}")).unwrap();
    connection
}

fn insert(list: &Connection, thread: &str, turn: u32, status: &str, code: &str, at: &str) {
    let at = at.parse::<jiff::Timestamp>().unwrap().as_second();
    let error = format!(
        "{{\"message\":\"MESSAGE-MUST-NOT-BE-STORED\",\"codexErrorInfo\":{code},\"additionalDetails\":\"DETAIL-MUST-NOT-BE-STORED\"}}"
    );
    let turn = format!("01a19bc2-50a0-7002-8002-{turn:012}");
    list.execute(
        "INSERT INTO thread_turns (thread_id, turn_id, rollout_ordinal, status, error_json, started_at, completed_at)
         VALUES (?1, ?2, ?7, ?3, CASE WHEN ?3 <> 'completed' THEN ?4 END, ?5 - 1, ?5 + ?6)",
        rusqlite::params![thread, turn, status, error, at, 0, turn],
    )
    .unwrap();
}

/// A session of three turns whose second line of failure is lost, and what the list says of it and of others.
fn home_with_a_lost_line(home: &Path) -> Connection {
    let mut rollout = Rollout::new("2026-11-20T10:00:00Z".parse().unwrap());
    let mut text = rollout.head() + &rollout.turn(None) + &rollout.turn(Some("rate_limit_exceeded"));
    let lost = rollout.turn(Some("server_overloaded"));
    // Torn: the next record is glued on.
    text += &lost[..lost.len() - 60];
    text += &rollout.turn(None);
    put(home, ".codex/sessions/2026/11/20/rollout-x.jsonl", text);
    let list = list(home, LIST, TABLE);
    insert(&list, Rollout::ID, 1, "completed", "null", "2026-11-20T10:00:01Z");
    insert(&list, Rollout::ID, 2, "failed", "\"rateLimitExceeded\"", "2026-11-20T10:00:02Z");
    insert(&list, Rollout::ID, 3, "failed", "\"serverOverloaded\"", "2026-11-20T10:00:03Z");
    insert(&list, Rollout::ID, 5, "interrupted", "\"other\"", "2026-11-20T10:00:05Z");
    insert(&list, Rollout::ID, 6, "inProgress", "null", "2026-11-20T10:00:06Z");
    // Before anything that names a model, and a session of which no rollout is left.
    insert(&list, Rollout::ID, 7, "failed", "\"serverOverloaded\"", "2026-11-20T09:00:00Z");
    insert(&list, "01a19bc1-50a0-7002-8002-00000000dead", 8, "failed", "\"serverOverloaded\"", "2026-11-20T10:00:07Z");
    // Copied from a parent: older than its session.
    insert(&list, "01a19bc3-50a0-7002-8002-000000000000", 9, "failed", "\"serverOverloaded\"", "2026-11-20T10:00:08Z");
    list
}

fn kinds(home: &Path) -> Vec<(String, Kind)> {
    record(home).iter().map(|sample| (sample.at.to_string(), sample.kind)).collect()
}

#[test]
fn the_list_tells_only_what_no_rollout_does_also_while_codex_writes_it() {
    let home = tempfile::tempdir().unwrap();
    let writer = home_with_a_lost_line(home.path());
    let (told, ..) = fill(home.path());
    assert!(!format!("{:?}", told.0).contains("MUST-NOT"));
    let expected = [
        ("2026-11-20T10:00:01Z", Kind::Available),
        ("2026-11-20T10:00:02Z", Kind::RateLimited),
        ("2026-11-20T10:00:03Z", Kind::AtCapacity),
        ("2026-11-20T10:00:04Z", Kind::Available),
    ];
    let expected: Vec<(String, Kind)> = expected.map(|(at, kind)| (at.to_owned(), kind)).into();
    assert_eq!(kinds(home.path()), expected);
    assert!(record(home.path()).iter().all(|sample| sample.target.as_str() == "codex/gpt-6.2-sol"));
    // What comes later is read from where it was left, the rest is not counted again.
    insert(
        &writer,
        Rollout::ID,
        10,
        "failed",
        "{\"httpConnectionFailed\":{\"httpStatusCode\":503}}",
        "2026-11-20T11:00:00Z",
    );
    let (told, ..) = fill(home.path());
    assert_eq!(told.0.len(), 1, "{:?}", told.0);
    let again = kinds(home.path());
    assert_eq!(again[..4], expected);
    assert_eq!(again[4..], [("2026-11-20T11:00:00Z".to_owned(), Kind::ServerError)]);
    fill(home.path());
    assert_eq!(kinds(home.path()), again);
}

#[test]
fn a_list_that_is_met_after_the_rollouts_counts_nothing_twice() {
    let home = tempfile::tempdir().unwrap();
    let mut rollout = Rollout::new("2026-11-20T10:00:00.400Z".parse().unwrap());
    let text = rollout.head() + &rollout.turn(None) + &rollout.turn(Some("server_overloaded"));
    put(home.path(), ".codex/sessions/2026/11/20/rollout-x.jsonl", text);
    fill(home.path());
    let before = kinds(home.path());
    let list = list(home.path(), LIST, TABLE);
    insert(&list, Rollout::ID, 2, "failed", "\"serverOverloaded\"", "2026-11-20T10:00:02Z");
    fill(home.path());
    assert_eq!(kinds(home.path()), before);
    assert_eq!(before.len(), 2);
}

#[test]
fn other_schemas_and_hostile_rows_break_nothing() {
    for (what, table, insert, expected) in [
        ("no such table", "CREATE TABLE other (x)", "", 0),
        ("no times", "CREATE TABLE thread_turns (thread_id, turn_id, status, error_json)", "", 0),
        ("no reason", "CREATE TABLE thread_turns (thread_id, turn_id, status, completed_at)",
            "INSERT INTO thread_turns VALUES ('T', 'U', 'failed', 1795168803)", 1),
        ("no end but a beginning", "CREATE TABLE thread_turns (thread_id, turn_id, status, error_json, started_at, duration_ms)",
            "INSERT INTO thread_turns VALUES ('T', 'U', 'failed', '{\"codexErrorInfo\":\"serverOverloaded\"}', 1795168800, 3000)", 1),
        ("more columns", "CREATE TABLE thread_turns (secret, thread_id, turn_id, status, error_json, completed_at, model)",
            "INSERT INTO thread_turns VALUES ('SECRET-MUST-NOT-BE-STORED', 'T', 'U', 'failed', '{', 1795168803, 'gpt-x')", 1),
        ("other types", "CREATE TABLE thread_turns (thread_id, turn_id, status, error_json, completed_at)",
            "INSERT INTO thread_turns VALUES (x'ff', 1, 'failed', x'00', 1795168803), ('T', x'ff', 'failed', 5, 1795168803),
             ('T', 'V', 'failed', '{}', 'PROMPT-MUST-NOT-BE-STORED'), ('T', 'W', 'failed', '{}', 9223372036854775807),
             ('T', 'X', 'failed', '{}', -5), ('T', 'Y', 'failed', '{}', 1e300), ('T', 'Z', 'failed', NULL, NULL),
             ('T', 'U', 'failed', '{\"message\":5,\"codexErrorInfo\":[1]}', 1795168803.5)", 1),
        ("a huge reason", "CREATE TABLE thread_turns (thread_id, turn_id, status, error_json, completed_at)",
            "INSERT INTO thread_turns VALUES ('T', 'U', 'failed', printf('{\"message\":\"%.*c\"}', 9000000, 'x'), 1795168803)", 1),
        ("a reason of our own side", "CREATE TABLE thread_turns (thread_id, turn_id, status, error_json, completed_at)",
            "INSERT INTO thread_turns VALUES ('T', 'U', 'failed', '{\"codexErrorInfo\":\"sandboxError\"}', 1795168803)", 0),
    ] {
        let home = tempfile::tempdir().unwrap();
        let mut rollout = Rollout::new("2026-11-20T09:59:00Z".parse().unwrap());
        let text = rollout.head() + &rollout.turn(None);
        put(home.path(), ".codex/sessions/2026/11/20/rollout-x.jsonl", text);
        let list = list(home.path(), ".codex/thread_history_7.sqlite", table);
        list.execute_batch(&insert.replace("'T'", &format!("'{}'", Rollout::ID))).unwrap();
        // An older schema that was left behind is not read.
        put(home.path(), LIST, "not a database");
        let (told, disk, progress, _) = fill(home.path());
        assert_eq!(told.0.len(), 1 + expected, "{what}: {:?}", told.0);
        assert_eq!(progress.unreadable, usize::from(what == "no such table"), "{what}");
        assert!(!disk.opened().contains(&home.path().canonicalize().unwrap().join(LIST)), "{what}");
        assert!(told.0[1..].iter().all(|one| one.model.is_some() && one.kind != Kind::Available), "{what}");
        assert_eq!(record(home.path()).len(), 1 + expected, "{what}");
    }
}

/// SQLite makes `-wal` and `-shm` for a reader too, and a reader cannot take them away again.
#[test]
fn nothing_is_made_beside_a_database() {
    for is_left_behind in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let writer = home_with_a_lost_line(home.path());
        let names = || {
            let mut names: Vec<String> = (home.path().join(CODEX).read_dir().unwrap())
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        if is_left_behind {
            // Copied without its index, as from another disk: what the log has is not seen, and nothing is written.
            writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
            let (main, log) = (home.path().join(LIST), home.path().join(format!("{LIST}-wal")));
            let bytes = std::fs::read(&main).unwrap();
            drop(writer);
            std::fs::write(&main, bytes).unwrap();
            std::fs::write(log, b"").unwrap();
        } else {
            drop(writer);
        }
        let before = names();
        assert!(!before.iter().any(|name| name.ends_with("-shm")), "{before:?}");
        fill(home.path());
        assert_eq!(names(), before);
        assert_eq!(kinds(home.path()).len(), 4);
    }
}
