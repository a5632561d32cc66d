//! The hook: what it is given, what it is not given, and how it ends.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use vacancy::notify::config::Hook;
use vacancy::notify::hook::{HookError, call, key_variables};
use vacancy::notify::{Message, Notifier as _, Trouble};
use vacancy::toolprobe::run::Stop;

use super::{means, message, settings, start};

fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("hook me.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn run(folder: &Path, text: &str, timeout: Duration) -> Result<(), HookError> {
    let path = script(folder, text);
    let command = vec![path.display().to_string(), "an argument".to_owned(), "$(touch hacked); `id` > x".to_owned()];
    let more = [
        ("OPENAI_API_KEY", "sk-aaaaaaaaaaaaaaaaaaaa"),
        ("MY_OWN_KEY", "k"),
        ("HOOK_ADDRESS", "https://x"),
        ("KEPT", "yes"),
    ];
    let means = means(folder, &more);
    let settings = settings(
        r#"
        [[provider]]
        id = "p"
        dialect = "openai-chat"
        base_url = "http://127.0.0.1:9"
        key = { env = "MY_OWN_KEY" }
        [notices]
        webhook = { url = { env = "HOOK_ADDRESS" } }
        "#,
    );
    let keys = key_variables(&settings);
    call(&Hook { command, timeout }, &message(7), &means.env, &means.roots, &keys, &Stop::default()).map(|_| ())
}

#[test]
fn a_hook_is_given_the_notice_and_no_key_and_no_shell_reads_its_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = format!(
        "cat > '{0}.json'; env > '{0}.env'; for a in \"$@\"; do echo \"[$a]\"; done > '{0}.args'; pwd > '{0}.pwd'",
        out.display()
    );
    run(folder.path(), &text, Duration::from_secs(60)).unwrap();
    let read = |ending: &str| std::fs::read_to_string(out.with_extension(ending)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("json")).unwrap();
    assert_eq!(json, vacancy::notify::data::notice(&message(7)));
    assert_eq!(read("args"), "[an argument]\n[$(touch hacked); `id` > x]\n");
    assert!(!folder.path().join("config/hacked").exists());
    assert!(read("pwd").trim_end().ends_with("/config"));
    let env = read("env");
    let has = |line: &str| env.lines().any(|known| known == line);
    for line in [
        "VACANCY_NOTICE=recovered",
        "VACANCY_ID=7",
        "VACANCY_SUMMARY=sol is free again 7",
        "VACANCY_BODY=After <25> min & more.",
        "VACANCY_TARGET=sol",
        "VACANCY_AT=2026-03-01T12:00:00Z",
        "VACANCY_URGENT=0",
        "KEPT=yes",
    ] {
        assert!(has(line), "{line} in\n{env}");
    }
    for name in ["OPENAI_API_KEY=", "MY_OWN_KEY=", "HOOK_ADDRESS="] {
        assert!(!env.contains(name), "{name}");
    }
}

#[test]
fn every_end_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let long = Duration::from_secs(60);
    let failed = run(folder.path(), "echo one; echo 'bad sk-abcdefghijklmnopqrst0123' >&2; exit 3", long);
    match failed.unwrap_err() {
        HookError::Failed { code: Some(3), output, .. } => assert_eq!(output, "bad …"),
        other => panic!("{other}"),
    }
    let loud = run(folder.path(), "while :; do echo 0123456789012345678901234567890123456789; done", long);
    assert!(matches!(loud.unwrap_err(), HookError::TooLoud { .. }));
    // It reads nothing, and ends: no trouble.
    run(folder.path(), "exec <&-; exit 0", long).unwrap();
    let means = means(folder.path(), &[]);
    for name in ["no-such-program-anywhere", "/no/such/program", "./nor-this"] {
        let hook = Hook { command: vec![name.to_owned()], timeout: long };
        let ran =
            call(&hook, &message(1), &means.env, &means.roots, &std::collections::BTreeSet::new(), &Stop::default());
        assert_eq!(ran, Err(HookError::Missing { program: name.to_owned() }));
    }
}

#[test]
fn a_hook_that_does_not_end_is_ended_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let text = format!("sleep 600 & echo $! > '{0}'; echo $$ >> '{0}'; wait", pids.display());
    let ran = run(folder.path(), &text, Duration::from_secs(1));
    assert!(matches!(ran.unwrap_err(), HookError::TooSlow { seconds: 1, .. }));
    for pid in std::fs::read_to_string(&pids).unwrap().lines() {
        // The system may take a moment; a zombie that waits for its parent is ended, too.
        let began = tokio::time::Instant::now();
        let is_running = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
            !matches!(state, None | Some('Z' | 'X'))
        };
        while is_running() {
            assert!(began.elapsed() < super::LIMIT, "{pid} still runs");
            std::thread::yield_now();
        }
    }
}

#[test]
fn one_run_at_a_time_and_old_notices_go() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let done = folder.path().join("done");
    let path = script(
        folder.path(),
        &format!(
            "echo \"begin $VACANCY_ID\" >> '{0}'\nsleep 0.05\necho \"end $VACANCY_ID\" >> '{0}'\n[ $VACANCY_ID = 300 ] && mkfifo '{1}' && : > '{1}'\nexit 0",
            log.display(),
            done.display()
        ),
    );
    let (everywhere, _answers) = start(means(folder.path(), &[]));
    let text = format!("[notices]\nhook = {{ command = [\"{}\"] }}", path.display());
    everywhere.configure(&settings(&text));
    for id in 1..=300 {
        everywhere.show(Message { body: "x".repeat(1_000), ..message(id) });
    }
    // The last run waits until it is read here.
    let began = tokio::time::Instant::now();
    while !done.exists() {
        assert!(began.elapsed() < super::LIMIT, "the newest notice never came");
        std::thread::yield_now();
    }
    std::fs::read(&done).unwrap();
    drop(everywhere);
    let log = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines.len() <= 2 * 18, "at most the queue and those under way: {}", lines.len());
    for pair in lines.chunks(2) {
        assert_eq!(pair[0].replace("begin", "end"), pair[1], "one at a time");
    }
    assert_eq!(lines.last(), Some(&"end 300"));
}

#[test]
fn a_hook_that_fails_is_complained_of_and_one_that_works_again_is_said_too() {
    let folder = tempfile::tempdir().unwrap();
    let (everywhere, _answers) = start(means(folder.path(), &[]));
    let (sender, troubles) = std::sync::mpsc::sync_channel(8);
    everywhere.complain_to(std::sync::Arc::new(move |trouble| sender.try_send(trouble).unwrap()));
    let hook = script(folder.path(), "cat > /dev/null; exit 3");
    let told = format!("[notices]\nhook = {{ command = ['{}'] }}", hook.display());
    everywhere.configure(&settings(&told));
    everywhere.show(message(1));
    let trouble = troubles.recv_timeout(super::LIMIT).unwrap();
    let words = trouble.words.unwrap();
    assert_eq!((trouble.way, words.len()), ("hook", 2));
    assert!(words.iter().all(|(_, words)| words.contains("hook me.sh")), "{words:?}");
    script(folder.path(), "cat > /dev/null");
    everywhere.show(message(2));
    assert_eq!(troubles.recv_timeout(super::LIMIT).unwrap(), Trouble::over("hook"));
}
