use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use vacancy::clock::SystemClock;
use vacancy::core::outcome::Kind;
use vacancy::core::sample::Source;
use vacancy::listen::backfill::{Control, Job, Listener, Progress, run};
use vacancy::listen::cursor::Cursor;
use vacancy::listen::disk::NotingDisk;
use vacancy::listen::homes::homes;
use vacancy::listen::{Limit, Observation, Targets};
use vacancy::store::{Filter, Options, Reader, Store};

use super::{Rollout, fixture, no_env, put, roots};

const NOW: &str = "2026-11-29T12:00:00Z";

/// What the readers may not open, with a text that must not be kept should they do so.
const NEVER: &[&str] = &[
    ".codex/auth.json",
    ".codex/config.toml",
    ".codex/history.jsonl",
    ".codex/session_index.jsonl",
    ".codex/state_5.sqlite",
    ".codex/memories_1.sqlite",
    ".codex/sessions/2026/11/02/notes.jsonl",
    ".codex/sessions/2026/11/02/deeper/down/rollout-x.jsonl",
    ".claude/history.jsonl",
    ".claude/.credentials.json",
    ".claude/settings.json",
    ".claude/todos/x.jsonl",
    ".claude/projects/history.jsonl",
    ".claude/projects/-home-demo/tool-results/x.txt",
    ".gemini/oauth_creds.json",
    ".gemini/tmp/p/logs.json",
    ".gemini/tmp/p/chats/gemini-client-error-x.json",
    ".local/share/opencode/auth.json",
    ".local/share/opencode/storage/part/m/p.json",
    ".cline/data/tasks/1/api_conversation_history.json",
    ".cline/data/secrets.json",
];

fn full_home(home: &Path) {
    put(home, ".codex/sessions/2026/11/02/rollout-a.jsonl", fixture("codex-capacity.jsonl"));
    put(home, ".codex/sessions/2026/11/03/rollout-b.jsonl", fixture("codex-error-matrix.jsonl"));
    put(home, ".codex/archived_sessions/rollout-c.jsonl", fixture("codex-usage-limit.jsonl"));
    let packed = ruzstd::encoding::compress_to_vec(
        &fixture("codex-healthy.jsonl")[..],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    put(home, ".codex/sessions/2026/10/02/rollout-d.jsonl.zst", packed);
    // The plain one wins over its compressed copy.
    put(home, ".codex/sessions/2026/11/03/rollout-b.jsonl.zst", b"not read");
    put(home, ".claude/projects/-home-demo/1.jsonl", fixture("claude-529-retries.jsonl"));
    put(home, ".claude/projects/-home-demo/1/subagents/agent-a.jsonl", fixture("claude-healthy.jsonl"));
    put(
        home,
        ".gemini/tmp/p/chats/session-1.jsonl",
        "{\"sessionId\":\"s\",\"projectHash\":\"p\",\"startTime\":\"2026-11-20T10:00:00Z\"}\n\
         {\"id\":\"1\",\"timestamp\":\"2026-11-20T10:00:01.000Z\",\"type\":\"user\",\"content\":\"PROMPT-MUST-NOT-BE-STORED\"}\n\
         {\"id\":\"2\",\"timestamp\":\"2026-11-20T10:00:02.000Z\",\"type\":\"gemini\",\"content\":\"REPLY-MUST-NOT-BE-STORED\",\"model\":\"gemini-3-pro\",\"tokens\":{\"output\":3}}\n\
         {\"id\":\"3\",\"timestamp\":\"2026-11-20T10:00:09.000Z\",\"type\":\"error\",\"content\":\"[API Error: No capacity available for model gemini-3-pro on the server]\"}\n",
    );
    put(
        home,
        ".local/share/opencode/storage/message/s/m.json",
        "{\"role\":\"assistant\",\"providerID\":\"anthropic\",\"modelID\":\"claude-opus-5-5\",\"path\":{\"cwd\":\"CWD-MUST-NOT-BE-STORED\"},\"time\":{\"created\":1793600000000,\"completed\":1793600002000},\"tokens\":{\"output\":5}}",
    );
    put(
        home,
        ".cline/data/tasks/1/ui_messages.json",
        "[{\"ts\":1793600100000,\"type\":\"say\",\"say\":\"text\",\"text\":\"PROMPT-MUST-NOT-BE-STORED\"},{\"ts\":1793600101000,\"type\":\"say\",\"say\":\"api_req_started\",\"text\":\"{\\\"request\\\":\\\"PROMPT-MUST-NOT-BE-STORED\\\",\\\"tokensOut\\\":12}\",\"modelInfo\":{\"modelId\":\"glm-5\",\"providerId\":\"zai\"}}]",
    );
    for path in NEVER {
        put(home, path, "{\"text\":\"SECRET-MUST-NOT-BE-STORED\"}");
    }
}

#[derive(Default)]
pub struct Told(pub Vec<Observation>, pub Vec<Progress>);

impl Listener for Told {
    fn observed(&mut self, observations: &[Observation]) {
        self.0.extend_from_slice(observations);
    }

    fn progress(&mut self, progress: &Progress) {
        self.1.push(progress.clone());
    }
}

/// Reads a home into its record, from where it was left; what was told, opened, counted and read of limits.
pub fn fill(home: &Path) -> (Told, NotingDisk, Progress, Vec<Limit>) {
    let roots = roots(home);
    let store = Store::open(&roots.database(), Options::default(), Arc::new(SystemClock)).unwrap();
    let cursors =
        Reader::open(&roots.database(), std::time::Duration::from_secs(5)).unwrap().metas(Cursor::PREFIX).unwrap();
    let (mut told, disk) = (Told::default(), NotingDisk::default());
    let homes = homes(&roots, &no_env());
    let job = Job {
        homes: &homes,
        disk: &disk,
        now: NOW.parse().unwrap(),
        cursors: &cursors,
        targets: &Targets::default(),
        control: &Control::default(),
    };
    let (progress, limits) = run(&job, Some(&store.handle()), &mut told).unwrap();
    (told, disk, progress, limits)
}

pub fn record(home: &Path) -> Vec<vacancy::core::sample::Sample> {
    let reader = Reader::open(&roots(home).database(), std::time::Duration::from_secs(5)).unwrap();
    reader.samples(&Filter::default()).unwrap()
}

#[test]
fn months_of_logs_are_in_the_record_after_one_run_and_a_second_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    full_home(home.path());
    let (told, _, progress, limits) = fill(home.path());
    assert_eq!(progress.unreadable, 0);
    assert!(told.0.len() > 30);
    let samples = record(home.path());
    assert_eq!(samples.len(), progress.stored.stored);
    assert!(samples.iter().all(|sample| sample.source == Source::ToolLog));
    let count = |target: &str, kind: Kind| {
        samples.iter().filter(|sample| sample.target.as_str() == target && sample.kind == kind).count()
    };
    assert_eq!(count("codex/gpt-6.2-sol", Kind::AtCapacity), 2);
    assert_eq!(count("codex/gpt-6.1-sol", Kind::Available), 3 + 1, "the compressed one, and the archived one");
    assert_eq!(count("claude-code/claude-sonnet-5-2", Kind::AtCapacity), 4);
    assert_eq!(count("claude-code/claude-opus-5-5", Kind::Available), 2);
    assert_eq!(count("gemini-cli/gemini-3-pro", Kind::AtCapacity), 1);
    assert_eq!(count("anthropic/claude-opus-5-5", Kind::Available), 1);
    assert_eq!(count("zai/glm-5", Kind::Available), 1);
    assert!(limits.iter().any(|limit| limit.window_minutes == Some(300)));
    let (again, _, progress, _) = fill(home.path());
    assert_eq!(again.0, [], "every file is where it was left");
    assert_eq!((progress.bytes, progress.stored.stored), (0, 0));
    assert_eq!(record(home.path()), samples);
}

#[test]
fn nothing_but_logs_is_opened_and_no_text_of_theirs_is_kept() {
    let home = tempfile::tempdir().unwrap();
    full_home(home.path());
    let (told, disk, ..) = fill(home.path());
    let opened = disk.opened();
    assert!(opened.len() >= 9);
    let root = home.path().canonicalize().unwrap();
    for path in NEVER {
        assert!(!opened.contains(&root.join(path)), "{path} was opened");
    }
    assert!(!opened.iter().any(|path| path.ends_with("rollout-b.jsonl.zst")));
    assert!(!format!("{:?}", told.0).contains("MUST-NOT"));
    for file in roots(home.path()).data.read_dir().unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for text in ["MUST-NOT-BE-STORED", "SECRET", "-home-demo", "req_fake", "01a19bc1"] {
            assert!(!bytes.windows(text.len()).any(|window| window == text.as_bytes()), "{text} is in the record");
        }
    }
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_tools_folder() {
    let home = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    put(outside.path(), "rollout-out.jsonl", fixture("codex-capacity.jsonl"));
    put(home.path(), ".codex/auth.json", "SECRET");
    put(home.path(), ".codex/sessions/2026/11/02/rollout-in.jsonl", fixture("codex-healthy.jsonl"));
    let folder = home.path().join(".codex/sessions/2026/11/02");
    std::os::unix::fs::symlink(outside.path().join("rollout-out.jsonl"), folder.join("rollout-link.jsonl")).unwrap();
    std::os::unix::fs::symlink(home.path().join(".codex/auth.json"), folder.join("rollout-auth.jsonl")).unwrap();
    std::os::unix::fs::symlink(outside.path(), home.path().join(".codex/sessions/linked")).unwrap();
    let (told, disk, ..) = fill(home.path());
    assert_eq!(told.0.len(), 3);
    assert!(disk.opened().iter().all(|path| path.ends_with("rollout-in.jsonl")));
}

#[test]
fn what_is_added_is_read_from_where_it_was_left() {
    let home = tempfile::tempdir().unwrap();
    let mut rollout = Rollout::new("2026-11-20T10:00:00Z".parse().unwrap());
    let mut text = rollout.head() + &rollout.turn(None);
    let path = put(home.path(), ".codex/sessions/2026/11/20/rollout-x.jsonl", &text);
    fill(home.path());
    text += &rollout.turn(Some("server_overloaded"));
    std::fs::write(&path, &text).unwrap();
    // Archived meanwhile: the same name in another folder.
    std::fs::create_dir_all(home.path().join(".codex/archived_sessions")).unwrap();
    std::fs::rename(&path, home.path().join(".codex/archived_sessions/rollout-x.jsonl")).unwrap();
    let (told, _, progress, _) = fill(home.path());
    assert_eq!(told.0.iter().map(|one| one.kind).collect::<Vec<_>>(), [Kind::AtCapacity]);
    assert_eq!(told.0[0].model.as_ref().unwrap().as_str(), "gpt-6.2-sol");
    assert!(progress.bytes < text.len() as u64);
    // Another session in its place is read from its beginning.
    let mut other = Rollout::new("2026-11-21T10:00:00Z".parse().unwrap());
    put(home.path(), ".codex/archived_sessions/rollout-x.jsonl", other.head() + &other.turn(None) + &other.turn(None));
    assert_eq!(fill(home.path()).0.0.len(), 2);
}

#[test]
fn a_cancelled_run_keeps_what_it_read_and_the_next_one_does_the_rest() {
    let home = tempfile::tempdir().unwrap();
    for number in 0..4 {
        let mut rollout = Rollout::new(format!("2026-11-2{number}T10:00:00Z").parse().unwrap());
        let text = rollout.head() + &rollout.turn(None);
        put(home.path(), &format!(".codex/sessions/2026/11/2{number}/rollout-{number}.jsonl"), text);
    }
    struct CancelAfterOne<'a>(&'a Control);
    impl Listener for CancelAfterOne<'_> {
        fn observed(&mut self, _: &[Observation]) {}

        fn progress(&mut self, progress: &Progress) {
            if progress.files == 1 {
                self.0.cancel();
            }
        }
    }
    let roots = roots(home.path());
    let store = Store::open(&roots.database(), Options::default(), Arc::new(SystemClock)).unwrap();
    let (control, homes) = (Control::default(), homes(&roots, &no_env()));
    let job = Job {
        homes: &homes,
        disk: &NotingDisk::default(),
        now: NOW.parse::<Timestamp>().unwrap(),
        cursors: &HashMap::new(),
        targets: &Targets::default(),
        control: &control,
    };
    let (progress, _) = run(&job, Some(&store.handle()), &mut CancelAfterOne(&control)).unwrap();
    assert_eq!((progress.files, progress.stored.stored), (1, 1));
    drop(store);
    assert_eq!(fill(home.path()).2.stored.stored, 3);
    assert_eq!(record(home.path()).len(), 4);
}

/// As after a kill: of a large file that was not read to its end the place is kept, at the end of a turn.
#[test]
fn a_large_file_goes_on_where_it_was_left() {
    let home = tempfile::tempdir().unwrap();
    let mut rollout = Rollout::new("2026-11-20T10:00:00Z".parse().unwrap());
    let mut text = rollout.head();
    let filler = "x".repeat(300_000);
    for _ in 0..120 {
        let turn = rollout.turn(None);
        text += &turn.replacen("PROMPT", &filler, 1);
    }
    put(home.path(), ".codex/sessions/2026/11/20/rollout-x.jsonl", &text);
    struct CancelAfter<'a>(&'a Control, u64);
    impl Listener for CancelAfter<'_> {
        fn observed(&mut self, _: &[Observation]) {}

        fn progress(&mut self, progress: &Progress) {
            if progress.bytes >= self.1 {
                self.0.cancel();
            }
        }
    }
    let read = |bytes: u64| {
        let roots = roots(home.path());
        let store = Store::open(&roots.database(), Options::default(), Arc::new(SystemClock)).unwrap();
        let cursors = Reader::open(&roots.database(), std::time::Duration::from_secs(5)).unwrap();
        let (control, homes) = (Control::default(), homes(&roots, &no_env()));
        let job = Job {
            homes: &homes,
            disk: &NotingDisk::default(),
            now: NOW.parse::<Timestamp>().unwrap(),
            cursors: &cursors.metas(Cursor::PREFIX).unwrap(),
            targets: &Targets::default(),
            control: &control,
        };
        run(&job, Some(&store.handle()), &mut CancelAfter(&control, bytes)).unwrap().0
    };
    let first = read(1);
    assert!(first.bytes < text.len() as u64 * 2 / 3 && first.stored.stored > 10, "{first:?}");
    let second = read(u64::MAX);
    assert!(second.bytes < text.len() as u64 - first.bytes + (2 << 20), "{second:?}");
    assert!(second.stored.duplicates <= 1, "{second:?}");
    // What was read before counts as done, also while it goes on.
    assert_eq!((second.bytes_done, second.bytes_total), (text.len() as u64, text.len() as u64));
    let third = read(u64::MAX);
    assert_eq!((third.bytes, third.bytes_done), (0, third.bytes_total));
    assert_eq!(record(home.path()).len(), 120);
}

#[test]
fn databases_of_tools_are_read_by_the_named_columns_alone() {
    let home = tempfile::tempdir().unwrap();
    let base = home.path().join(".local/share/opencode");
    std::fs::create_dir_all(&base).unwrap();
    let opencode = rusqlite::Connection::open(base.join("opencode.db")).unwrap();
    opencode
        .execute_batch(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (data TEXT); INSERT INTO part VALUES ('PART-MUST-NOT-BE-STORED');
             INSERT INTO message VALUES ('1', 's', 1, '{\"role\":\"user\",\"text\":\"PROMPT-MUST-NOT-BE-STORED\"}');
             INSERT INTO message VALUES ('2', 's', 1, '{\"role\":\"assistant\",\"providerID\":\"zai\",\"modelID\":\"glm-5\",\"time\":{\"created\":1793600000000,\"completed\":1793600001000}}');
             INSERT INTO message VALUES ('3', 's', 1, '{\"role\":\"assistant\",\"providerID\":\"zai\",\"modelID\":\"glm-5\",\"time\":{\"created\":1793600005000},\"error\":{\"name\":\"APIError\",\"data\":{\"statusCode\":529,\"message\":\"Overloaded\",\"responseBody\":\"BODY-MUST-NOT-BE-STORED\"}}}');",
        )
        .unwrap();
    std::fs::create_dir_all(home.path().join(".codex")).unwrap();
    let codex = rusqlite::Connection::open(home.path().join(".codex/logs_2.sqlite")).unwrap();
    codex
        .execute_batch(
            "CREATE TABLE logs (id INTEGER PRIMARY KEY, ts INTEGER, ts_nanos INTEGER, level TEXT, target TEXT, feedback_log_body TEXT);
             INSERT INTO logs VALUES (1, 1793600000, 5000000, 'TRACE', 'other', 'PAYLOAD-MUST-NOT-BE-STORED Turn error: x');
             INSERT INTO logs VALUES (2, 1793600000, 5000000, 'INFO', 'codex_core::session::turn',
                 'session{thread_id=1}:turn{model=gpt-5.6-terra turn_id=2}: Turn error: Selected model is at capacity. Please try a different model.');",
        )
        .unwrap();
    let (told, ..) = fill(home.path());
    let mut lines: Vec<String> = told.0.iter().map(|one| one.to_json().to_string()).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            r#"{"ts":"2026-11-02T06:13:20.005Z","tool":"codex","model":"gpt-5.6-terra","kind":"at_capacity"}"#,
            r#"{"ts":"2026-11-02T06:13:21.000Z","tool":"opencode","model":"glm-5","provider":"zai","kind":"available"}"#,
            r#"{"ts":"2026-11-02T06:13:25.000Z","tool":"opencode","model":"glm-5","provider":"zai","kind":"at_capacity"}"#,
        ]
    );
    assert_eq!(fill(home.path()).2.stored.stored, 0);
}

/// Tools that cannot be told to keep no session keep one of each of our probes.
#[test]
fn sessions_of_our_own_probes_are_not_the_users() {
    let home = tempfile::tempdir().unwrap();
    let own = vacancy::listen::homes::probe_folder(&roots(home.path()), "gemini-cli");
    let slug = |path: &str| path.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let mut codex = Rollout::new("2026-11-20T10:00:00Z".parse().unwrap());
    let text = codex.head().replace("CWD-MUST-NOT-BE-STORED", "/c/toolprobe/vacancy-probe-codex") + &codex.turn(None);
    put(home.path(), ".codex/sessions/2026/11/20/rollout-own.jsonl", text);
    let project = slug("/c/toolprobe/vacancy-probe-claude-code");
    put(home.path(), &format!(".claude/projects/{project}/1.jsonl"), fixture("claude-529-retries.jsonl"));
    let chat = "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n\
        {\"id\":\"2\",\"timestamp\":\"2026-11-20T10:00:02.000Z\",\"type\":\"gemini\",\"model\":\"gemini-3-pro\"}\n";
    let digest: String = {
        use sha2::Digest as _;
        sha2::Sha256::digest(own.to_str().unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    for project in ["vacancy-probe-gemini-cli", "vacancy-probe-gemini-cli-1", &digest] {
        put(home.path(), &format!(".gemini/tmp/{project}/chats/session-1.jsonl"), chat);
    }
    let message = |cwd: &str| {
        format!(
            "{{\"role\":\"assistant\",\"providerID\":\"zai\",\"modelID\":\"glm-5\",\"path\":{{\"cwd\":\"{cwd}\"}},\"time\":{{\"created\":1793600000000,\"completed\":1793600002000}}}}"
        )
    };
    let base = ".local/share/opencode";
    let (ours, users) = (message("/c/toolprobe/vacancy-probe-opencode"), message("/home/u/toolprobe"));
    put(home.path(), &format!("{base}/storage/message/s/own.json"), &ours);
    let database = rusqlite::Connection::open(home.path().join(base).join("opencode.db")).unwrap();
    database
        .execute_batch("CREATE TABLE message (data TEXT); INSERT INTO message VALUES ('{broken'), (x'00')")
        .unwrap();
    for data in [&ours, &users] {
        database.execute("INSERT INTO message VALUES (?1)", [data]).unwrap();
    }
    let line = |run: &str, rest: &str| format!("timestamp=2026-11-20T10:00:02.000Z level=INFO run={run} {rest}\n");
    let refused =
        "level=ERROR message=\"stream error\" providerID=zai modelID=glm-5 error.error=\"AI_APICallError: Overloaded\"";
    put(
        home.path(),
        &format!("{base}/log/opencode.log"),
        line("a", "message=\"creating instance\" directory=/c/vacancy-probe-opencode")
            + &line("b", "message=\"creating instance\" directory=/home/u")
            + &line("a", refused)
            + &line("b", refused),
    );
    let (told, ..) = fill(home.path());
    let kinds: Vec<Kind> = told.0.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [Kind::AtCapacity, Kind::Available], "{:?}", told.0);
}
