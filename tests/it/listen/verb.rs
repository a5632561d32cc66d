use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use vacancy::clock::{Clock as _, SystemClock};

use super::{Rollout, fixture, put};

fn vacancy(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
    command.arg("--data").arg(home.join("own")).arg("--home").arg(home).args(args);
    for name in ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "VACANCY_HOME"] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_given_file_prints_what_is_expected_of_it() {
    let home = tempfile::tempdir().unwrap();
    for name in
        ["codex-capacity.jsonl", "claude-synthetic.jsonl", "statuspage-maintenance.json", "probe-codex-ok.jsonl"]
    {
        let path = put(home.path(), name, fixture(name));
        let expected = fixture(&format!("{}.expected.json", name.split('.').next().unwrap()));
        let expected: Vec<Value> = serde_json::from_slice(&expected).unwrap();
        let printed = vacancy(home.path(), &["listen", "--file", path.to_str().unwrap(), "--dry-run", "--json"]);
        assert_eq!(lines(&printed), expected, "{name}");
    }
    let document: Value = serde_json::from_slice(&fixture("probe-claude-ok.json")).unwrap();
    let path = put(home.path(), "pretty.json", serde_json::to_string_pretty(&document).unwrap());
    for tool in [&[][..], &["--tool", "claude-code"]] {
        let args = [&["listen", "--file", path.to_str().unwrap(), "--dry-run", "--json"], tool].concat();
        assert_eq!(lines(&vacancy(home.path(), &args))[0]["kind"], "available");
    }
    assert!(!home.path().join("own/data").exists(), "a dry run writes nothing");
}

#[test]
fn a_file_that_is_no_log_is_refused_and_an_empty_one_says_nothing() {
    let home = tempfile::tempdir().unwrap();
    let path = put(home.path(), "x.txt", "hello\n");
    let refused = vacancy(home.path(), &["listen", "--dry-run", "--json", "--file", path.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--tool"));
    let named = ["listen", "--dry-run", "--tool", "claude-code", "--file", path.to_str().unwrap()];
    let refused = vacancy(home.path(), &named);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing of claude-code was found in it"));
    let missing = vacancy(home.path(), &["listen", "--dry-run", "--json", "--file", "/nowhere/at/all"]);
    assert_eq!(missing.status.code(), Some(2));
    let empty = put(home.path(), "empty.jsonl", "");
    assert!(
        lines(&vacancy(home.path(), &["listen", "--dry-run", "--json", "--file", empty.to_str().unwrap()])).is_empty()
    );
}

#[test]
fn without_files_the_users_own_tools_fill_the_record_once() {
    let home = tempfile::tempdir().unwrap();
    let mut rollout = Rollout::new(SystemClock.now());
    let text = rollout.head() + &rollout.turn(None) + &rollout.turn(Some("server_overloaded"));
    put(home.path(), ".codex/sessions/2026/11/20/rollout-x.jsonl", text);
    let shown = lines(&vacancy(home.path(), &["listen", "--dry-run", "--json"]));
    assert_eq!(shown.len(), 2);
    assert!(!home.path().join("own/data").exists());
    let first = vacancy(home.path(), &["listen"]);
    let told = String::from_utf8_lossy(&first.stdout).into_owned();
    assert!(told.contains("2 new in the record"), "{told}");
    assert!(told.contains("82 % of your 5-hour window"), "{told}");
    let second = vacancy(home.path(), &["listen"]);
    assert!(String::from_utf8_lossy(&second.stdout).contains("0 new in the record"));
    let exported = vacancy(home.path(), &["export", "--format", "jsonl"]);
    let samples = lines(&exported);
    assert_eq!(samples.len(), 2);
    assert!(samples.iter().all(|sample| sample["target"] == "codex/gpt-6.2-sol" && sample["source"] == "tool-log"));
    assert!(!String::from_utf8_lossy(&exported.stdout).contains("MUST-NOT"));
}
