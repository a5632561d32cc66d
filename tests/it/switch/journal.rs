//! What is written, kept and taken back, on a real disk and through real kills.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tokio::time::Instant;

use serde_json::Value;

use crate::support::proof;

/// A home with a Codex in it.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new(config: &str) -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(home.path(".codex")).unwrap();
        home.write(".codex/config.toml", config);
        home
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join("home").join(below)
    }

    fn write(&self, below: &str, content: &str) {
        fs::create_dir_all(self.path(below).parent().unwrap()).unwrap();
        fs::write(self.path(below), content).unwrap();
    }

    fn config(&self) -> String {
        fs::read_to_string(self.path(".codex/config.toml")).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.arg("--data").arg(self.dir.path().join("own")).arg("--home").arg(self.path("")).args(args);
        command.env_clear().current_dir(self.dir.path());
        command
    }

    fn run(&self, args: &[&str]) -> (i32, Value) {
        let output = self.command(args).output().unwrap();
        let json = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        (code(&output), json)
    }

    fn switch(&self, model: &str) -> (i32, Value) {
        self.run(&["switch", "codex", model, "--tool-version", "0.160.0", "--yes", "--json"])
    }

    fn journal(&self) -> String {
        fs::read_to_string(self.dir.path().join("own/data/switches.jsonl")).unwrap_or_default()
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[test]
fn a_switch_is_taken_back_and_done_again() {
    let home = Home::new("model = 'a' # mine\n");
    let (exit, done) = home.switch("b");
    assert_eq!((exit, &done["journal_id"], home.config().as_str()), (0, &Value::from(1), "model = 'b' # mine\n"));
    let (exit, undone) = home.run(&["undo", "--yes", "--json"]);
    assert_eq!((exit, &undone["of"], &undone["exact"]), (0, &Value::from(1), &Value::from(true)));
    assert_eq!(home.config(), "model = 'a' # mine\n");
    assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 3, "there is nothing more to undo");
    assert_eq!(home.run(&["redo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = 'b' # mine\n");
    assert_eq!(home.run(&["redo", "--yes", "--json"]).0, 3);
    home.switch("c");
    home.switch("d");
    home.run(&["undo", "--yes", "--json"]);
    home.run(&["undo", "--yes", "--json"]);
    assert_eq!(home.config(), "model = 'b' # mine\n");
    home.run(&["redo", "--yes", "--json"]);
    assert_eq!(home.config(), "model = 'c' # mine\n", "what was undone last comes back first");
}

#[test]
fn nothing_is_written_without_consent_or_twice() {
    let home = Home::new("model = \"a\"\n");
    assert_eq!(home.run(&["switch", "codex", "b", "--json"]).0, 4);
    assert_eq!(home.run(&["switch", "codex", "b", "--dry-run", "--json"]).0, 0);
    assert_eq!((home.config().as_str(), home.journal().as_str()), ("model = \"a\"\n", ""));
    let (exit, done) = home.switch("a");
    assert_eq!((exit, &done["journal_id"], &done["diff"]), (0, &Value::Null, &Value::from("")));
    assert_eq!(home.journal(), "");
}

#[test]
fn what_the_tool_added_since_stays_when_a_switch_is_taken_back() {
    let home = Home::new("model = \"a\"\n");
    home.switch("b");
    home.write(".codex/config.toml", "model = \"b\"\n\n[projects.\"/srv\"]\ntrust_level = \"trusted\"\n");
    let (exit, undone) = home.run(&["undo", "--yes", "--json"]);
    assert_eq!((exit, &undone["exact"]), (0, &Value::from(false)));
    assert_eq!(home.config(), "model = \"a\"\n\n[projects.\"/srv\"]\ntrust_level = \"trusted\"\n");
}

#[test]
fn a_value_that_somebody_else_set_since_is_not_overwritten_without_asking() {
    let home = Home::new("model = \"a\"\n");
    home.switch("b");
    home.write(".codex/config.toml", "model = \"theirs\"\n");
    let (exit, asked) = home.run(&["undo", "--json"]);
    let conflict = &asked["conflicts"][0];
    assert_eq!((exit, conflict["ours"].as_str(), conflict["now"].as_str()), (4, Some("b"), Some("theirs")));
    assert_eq!(home.config(), "model = \"theirs\"\n");
    assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = \"a\"\n");
}

#[test]
fn a_file_that_was_made_is_taken_away_again() {
    let home = Home::new("");
    fs::remove_file(home.path(".codex/config.toml")).unwrap();
    assert_eq!(home.switch("b").0, 0);
    assert_eq!(home.config(), "model = \"b\"\n");
    assert_eq!(fs::metadata(home.path(".codex/config.toml")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 0);
    assert!(!home.path(".codex/config.toml").exists());
    assert_eq!(home.run(&["redo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = \"b\"\n");
}

#[test]
fn rights_owner_and_links_stay() {
    let home = Home::new("");
    let target = home.path("dotfiles/codex.toml");
    home.write("dotfiles/codex.toml", "model = \"a\"\n");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    fs::remove_file(home.path(".codex/config.toml")).unwrap();
    symlink("../dotfiles/codex.toml", home.path(".codex/config.toml")).unwrap();
    assert_eq!(home.switch("b").0, 0);
    let looks = fs::metadata(&target).unwrap();
    assert_eq!((looks.mode() & 0o777, fs::read_to_string(&target).unwrap().as_str()), (0o640, "model = \"b\"\n"));
    assert!(fs::symlink_metadata(home.path(".codex/config.toml")).unwrap().is_symlink());
    let left: Vec<_> = fs::read_dir(home.path("dotfiles")).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
}

#[test]
fn a_file_that_nobody_may_write_is_refused() {
    let home = Home::new("model = \"a\"\n");
    fs::set_permissions(home.path(".codex/config.toml"), fs::Permissions::from_mode(0o444)).unwrap();
    let (exit, refused) = home.switch("b");
    assert_eq!((exit, refused["action"].as_str()), (3, Some("refuse")));
    assert_eq!(refused["warnings"][0]["code"], "target_readonly");
    assert_eq!(home.config(), "model = \"a\"\n");
}

#[test]
fn a_key_is_neither_written_nor_kept() {
    let home = Home::new("model = \"sk-test-0123456789abcdef\"\n");
    let (exit, refused) = home.switch("b");
    assert_eq!((exit, home.journal().as_str()), (3, ""));
    assert!(!refused.to_string().contains("0123456789abcdef"), "{refused}");
    let home = Home::new("model = \"a\"\n");
    assert_eq!(home.switch("sk-test-0123456789abcdef").0, 3);
    assert_eq!((home.config().as_str(), home.journal().as_str()), ("model = \"a\"\n", ""));
}

#[test]
fn a_torn_last_line_of_the_journal_costs_nothing_else() {
    let home = Home::new("model = \"a\"\n");
    home.switch("b");
    let path = home.dir.path().join("own/data/switches.jsonl");
    let mut journal = fs::read(&path).unwrap();
    journal.extend_from_slice(b"{\"event\":\"intended\",\"id\":2,\"at\":\"20");
    fs::write(&path, &journal).unwrap();
    assert_eq!(home.switch("c").0, 0);
    home.run(&["undo", "--yes", "--json"]);
    home.run(&["undo", "--yes", "--json"]);
    assert_eq!(home.config(), "model = \"a\"\n");
}

#[test]
fn a_switch_whose_end_is_torn_is_taken_back_and_done_again() {
    let home = Home::new("model = \"a\"\n");
    let path = home.dir.path().join("own/data/switches.jsonl");
    let tear = || {
        let journal = home.journal();
        let last = journal.trim_end().rfind('\n').unwrap() + 1;
        fs::write(&path, &journal[..last + 6]).unwrap();
        assert_eq!(unfinished(&home), 1, "{}", home.journal());
    };
    // Of an ordinary switch, of its undo, of its redo; the one that is asked for by number as well.
    home.switch("b");
    tear();
    assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = \"a\"\n");
    tear();
    assert_eq!(home.run(&["redo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = \"b\"\n");
    tear();
    assert_eq!(home.run(&["undo", "1", "--yes", "--json"]).0, 0);
    assert_eq!((home.config().as_str(), unfinished(&home)), ("model = \"a\"\n", 0));
}

#[test]
fn what_cannot_be_read_of_the_journal_is_told() {
    let home = Home::new("model = \"a\"\n");
    let path = home.dir.path().join("own/data/switches.jsonl");
    let said = |args: &[&str]| {
        let output = home.command(args).output().unwrap();
        let both = [output.stdout.clone(), output.stderr.clone()].concat();
        (code(&output), String::from_utf8(both).unwrap())
    };
    home.switch("b");
    let (_, whole) = said(&["--lang", "en", "doctor", "--tool-version", "0.160.0"]);
    assert!(!whole.contains("journal:"), "{whole}");
    let first = home.journal().lines().next().unwrap().to_owned();
    let torn = first.as_bytes()[..first.len() / 2].to_vec();
    for (content, count) in [(torn, "1 line of"), (b"\xff\x00\x9b\n\x01{\n\xfe".to_vec(), "3 lines of")] {
        fs::write(&path, &content).unwrap();
        let place = path.to_str().unwrap();
        let (exit, undo) = said(&["--lang", "en", "undo", "--yes"]);
        assert!(
            exit == 3 && undo.contains("nothing to undo") && undo.contains(count) && undo.contains(place),
            "{undo}"
        );
        let (_, doctor) = said(&["--lang", "en", "doctor", "--tool-version", "0.160.0"]);
        let line = doctor.lines().find(|line| line.starts_with("· journal: ")).unwrap();
        assert!(line.contains(count) && line.contains(place), "{line}");
        assert_eq!(fs::read(&path).unwrap(), content, "looking changes nothing");
    }
}

#[test]
fn a_journal_that_cannot_be_used_is_told_in_the_users_language() {
    let home = Home::new("model = \"a\"\n");
    fs::create_dir_all(home.dir.path().join("own/data/switches.jsonl")).unwrap();
    let args = ["--lang", "zh-Hans", "doctor", "--tool-version", "0.160.0"];
    let said = String::from_utf8(home.command(&args).output().unwrap().stdout).unwrap();
    let line = said.lines().find(|line| line.starts_with("! 日志：")).unwrap();
    assert!(line.contains("无法使用切换记录") && !line.contains("cannot be used"), "{line}");
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new_file() {
    let comment = format!("# {}", "x".repeat(200_000));
    let home = Home::new(&format!("{comment}\nmodel = \"a0\"\n"));
    let config = home.path(".codex/config.toml");
    let (rounds, mut rng) = (proof::rounds(40), fastrand::Rng::with_seed(23));
    // How long a switch takes here: the kills come at random moments of it.
    let began = Instant::now();
    assert_eq!(home.switch("first").0, 0);
    let mut whole = began.elapsed();
    let (mut killed, mut old, mut open) = (0, 0, 0);
    for round in 0..rounds {
        let before = home.config();
        let model = format!("a{}", round + 1);
        // Every third one takes the last switch back.
        let is_undo = round % 3 == 2;
        let switch = ["switch", "codex", &model, "--tool-version", "0.160.0", "--yes", "--json"];
        let undo = ["undo", "--yes", "--json"];
        let mut child = home
            .command(if is_undo { &undo } else { &switch })
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The writing is the last part of it.
        std::thread::sleep(whole.mul_f64(0.4 + rng.f64() * 0.6));
        let is_in_time = child.try_wait().unwrap().is_none();
        killed += usize::from(is_in_time);
        whole = whole.mul_f64(if is_in_time { 1.05 } else { 0.9 });
        child.kill().unwrap();
        let end = child.wait().unwrap();
        // Not in time is a switch that was made, or there was nothing to undo.
        assert!(is_in_time || end.success() || is_undo, "round {round}: {end}");
        let after = fs::read_to_string(&config).unwrap();
        let (kept, rest) = after.split_once('\n').unwrap();
        assert_eq!(kept, comment, "round {round}");
        let model_now = rest.strip_prefix("model = \"").and_then(|rest| rest.strip_suffix("\"\n")).unwrap();
        assert!(after == before || is_undo || model_now == model, "round {round}: neither old nor new: {rest}");
        old += usize::from(after == before);
        open += unfinished(&home);
        // The next start tells from the file what became of what the journal calls unfinished.
        let (_, found) = home.run(&["doctor", "--tool-version", "0.160.0", "--json"]);
        assert!(found.is_array(), "round {round}: {found}");
        assert_eq!(unfinished(&home), 0, "round {round}: {}", home.journal());
    }
    assert!(killed > 0, "no kill came in time");
    let left = fs::read_dir(home.path(".codex")).unwrap().count() - 1;
    assert_eq!(left, 0, "copies of the file beside it");
    // The journal leads back from wherever it stands, a step at a time, to the first file.
    let mut steps = 0;
    while home.run(&["undo", "--yes", "--json"]).0 == 0 {
        steps += 1;
        assert!(steps <= rounds + 1);
    }
    assert_eq!(fs::read_to_string(&config).unwrap(), format!("{comment}\nmodel = \"a0\"\n"));
    proof::row(
        "SIGKILL of a switch, or of an undo (every third), at random moments of it",
        format!("{killed} kills that came in time, of {rounds}"),
        format!(
            "the old file {old} times, else the new one, never another; {open} unfinished entries, all settled by the next \
             start; {steps} undos led back to the first file; {left} temporary files left beside it"
        ),
    );
}

#[test]
fn what_a_kill_left_is_settled_by_the_next_switch() {
    let home = Home::new("model = \"a\"\n");
    home.switch("b");
    // As a kill before the writing leaves it: intended, a copy beside the file, and nothing else.
    let first = home.journal().lines().next().unwrap().to_owned();
    fs::write(home.dir.path().join("own/data/switches.jsonl"), format!("{first}\n")).unwrap();
    home.write(".codex/config.toml", "model = \"a\"\n");
    home.write(".codex/.vacancy-aB3dE6.tmp", "model = \"b\"\n");
    assert_eq!(home.switch("c").0, 0);
    assert_eq!(unfinished(&home), 0, "{}", home.journal());
    assert!(!home.path(".codex/.vacancy-aB3dE6.tmp").exists());
    let (_, found) = home.run(&["doctor", "--tool-version", "0.160.0", "--json"]);
    assert!(found.as_array().unwrap().iter().all(|finding| finding["weight"] != "trouble"), "{found}");
    assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 0);
    assert_eq!(home.config(), "model = \"a\"\n");
}

#[test]
fn a_model_of_the_users_own_elsewhere_is_told_apart() {
    let home = Home::new("model = \"a\"\n");
    let settings = "[[provider]]\nid = \"shed\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n[[target]]\nid \
                    = \"mine\"\nprovider = \"shed\"\nmodel = \"house-model\"\n";
    fs::create_dir_all(home.dir.path().join("own/config")).unwrap();
    fs::write(home.dir.path().join("own/config/vacancy.toml"), settings).unwrap();
    for (model, is_told) in [("mine", true), ("house-model", true), ("gpt-5.5", false)] {
        let output = home.command(&["switch", "codex", model, "--tool-version", "0.160.0", "--yes"]).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((code(&output), words.contains("at shed")), (0, is_told), "{model}: {words}");
    }
}

/// Entries of the journal without an end.
fn unfinished(home: &Home) -> usize {
    let journal = home.journal();
    let count = |event: &str| journal.matches(&format!("\"event\":\"{event}\"")).count();
    count("intended") - count("done") - count("dropped")
}

#[test]
fn switches_at_the_same_time_do_not_mix() {
    let home = Home::new("model = \"a\"\n");
    let children: Vec<_> = ["b", "c", "d", "e"]
        .map(|model| {
            let args = ["switch", "codex", model, "--tool-version", "0.160.0", "--yes", "--json"];
            home.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .into_iter()
        .collect();
    let done = children.into_iter().map(|child| child.wait_with_output().unwrap()).filter(|output| code(output) == 0);
    let ids: Vec<u64> = done
        .map(|output| serde_json::from_slice::<Value>(&output.stdout).unwrap()["journal_id"].as_u64().unwrap())
        .collect();
    let mut distinct = ids.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!((ids.is_empty(), distinct.len()), (false, ids.len()));
    for _ in &ids {
        assert_eq!(home.run(&["undo", "--yes", "--json"]).0, 0);
    }
    assert_eq!(home.config(), "model = \"a\"\n");
}

#[test]
fn projects_that_pin_a_model_are_switched_along_each_with_its_own_undo() {
    let home = Home::new("model = \"a\"\n");
    let trusted = |name: &str| home.path(&format!("projects/{name}")).display().to_string();
    let config = format!(
        "model = \"a\"\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n",
        trusted("one"),
        trusted("two")
    );
    home.write(".codex/config.toml", &config);
    home.write("projects/one/.codex/config.toml", "# one\nmodel = 'x'\n");
    home.write("projects/two/.codex/config.toml", "model = \"y\"");
    home.write("projects/two/.git/HEAD", "");
    let read = |name: &str| fs::read_to_string(home.path(&format!("projects/{name}/.codex/config.toml"))).unwrap();
    let folder = home.path("projects").display().to_string();
    let mut args = vec!["switch", "codex", "b", "--tool-version", "0.160.0", "--projects", &folder, "--json"];
    assert_eq!(home.run(&args).0, 4);
    args.push("--yes");
    let (exit, done) = home.run(&args);
    let pins = done["projects"].as_array().unwrap();
    assert_eq!(
        (exit, pins.len(), &pins[0]["model"], &pins[0]["decides"]),
        (0, 2, &Value::from("x"), &Value::from(true))
    );
    assert_eq!((read("one").as_str(), read("two").as_str()), ("# one\nmodel = 'b'\n", "model = \"b\""));
    let id = pins[0]["journal_id"].to_string();
    assert_eq!(home.run(&["undo", &id, "--yes", "--json"]).0, 0);
    assert_eq!((read("one").as_str(), read("two").as_str()), ("# one\nmodel = 'x'\n", "model = \"b\""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_project_whose_folders_name_is_no_text_is_said_to_be_left_out() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = Home::new("model = \"a\"\n");
    let odd = home.path("projects").join(std::ffi::OsStr::from_bytes(b"caf\xe9/.codex"));
    fs::create_dir_all(&odd).unwrap();
    fs::write(odd.join("config.toml"), "model = 'x'\n").unwrap();
    let folder = home.path("projects").display().to_string();
    let args = ["switch", "codex", "b", "--tool-version", "0.160.0", "--projects", &folder, "--dry-run"];
    let said = home.command(&args).output().unwrap();
    let (code, said) = (code(&said), String::from_utf8(said.stderr).unwrap());
    assert!(code == 0 && said.contains("Left out") && said.contains("projects/caf\u{fffd}"), "{code} {said}");
}

#[test]
fn the_doctor_tells_what_stops_a_tool_and_closes_what_a_crash_left_open() {
    let home = Home::new("model = \"a\"\n");
    let doctor = || home.run(&["doctor", "--tool-version", "0.160.0", "--json"]);
    let weights = |found: &Value, weight: &str| {
        let all = found.as_array().unwrap().iter();
        all.filter(|finding| finding["weight"] == weight).map(|finding| finding["about"].clone()).collect::<Vec<_>>()
    };
    let (exit, found) = doctor();
    assert_eq!((exit, weights(&found, "trouble")), (0, vec![]), "{found}");
    assert!(weights(&found, "good").contains(&Value::from("codex")));
    home.switch("b");
    // As a kill between the two lines of the journal leaves it: the file is written, the end is not noted.
    let journal = home.journal();
    let first = journal.lines().next().unwrap();
    fs::write(home.dir.path().join("own/data/switches.jsonl"), format!("{first}\n")).unwrap();
    assert!(weights(&doctor().1, "note").contains(&Value::from("journal")));
    assert!(home.journal().contains("\"done\""));
    home.write(".codex/config.toml", "model = \"a\"\nprofile = \"x\"\n");
    let (exit, found) = doctor();
    assert_eq!((exit, weights(&found, "trouble")), (3, vec![Value::from("codex")]), "{found}");
}

#[test]
fn the_doctor_tells_where_a_rule_s_chain_leads_nowhere() {
    let home = Home::new("model = \"a\"\n");
    let settings = home.dir.path().join("own/config/vacancy.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let found = |targets: &str| {
        let text = format!(
            "[[target]]\nid = 'a'\nprovider = 'codex'\nmodel = 'a'\n[[target]]\nid = 'b'\nprovider = 'claude-code'\nmodel = 'b'\n\
             [[target]]\nid = 'c'\nprovider = 'codex'\nmodel = 'c'\n\
             [[chain]]\nname = 'main'\ntargets = [{targets}]\n[switch.codex]\nfailover = 'ask'\n"
        );
        fs::write(&settings, text).unwrap();
        let (exit, found) = home.run(&["doctor", "--tool-version", "0.160.0", "--json"]);
        let all = found.as_array().unwrap().iter();
        let troubles =
            all.filter(|one| one["weight"] == "trouble").map(|one| one["message"].as_str().unwrap().to_owned());
        (exit, troubles.collect::<Vec<_>>())
    };
    assert_eq!(found("'a', 'b', 'c'"), (0, vec![]));
    let (exit, troubles) = found("'a', 'b'");
    assert!(exit == 3 && troubles.len() == 1 && troubles[0].contains("only a of its chain"), "{exit} {troubles:?}");
    let (exit, troubles) = found("'b'");
    assert!(exit == 3 && troubles.len() == 1 && troubles[0].contains("none of the models"), "{exit} {troubles:?}");
    assert!(troubles[0].contains("login of claude-code") && troubles[0].contains("[switch.codex]"), "{troubles:?}");
}

#[test]
fn a_model_of_ones_own_at_another_provider_is_told_before_anything_is_written() {
    let home = Home::new("model = \"a\"\n");
    let settings = home.dir.path().join("own/config/vacancy.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let text = "[[provider]]\nid = 'gateway'\ndialect = 'openai-chat'\nbase_url = 'http://127.0.0.1:9/v1'\n\
                key = { env = 'NONE' }\n[[target]]\nid = 'b'\nprovider = 'gateway'\nmodel = 'b'\n";
    fs::write(&settings, text).unwrap();
    let said = |more: &[&str]| {
        let args: Vec<&str> = ["switch", "codex"].iter().chain(more).copied().collect();
        let output = home.command(&args).args(["--tool-version", "0.160.0"]).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let own = "b is a model of yours at gateway";
    assert!(said(&["b", "--dry-run"]).contains(own), "{}", said(&["b", "--dry-run"]));
    assert!(!said(&["c", "--dry-run"]).contains("of yours"));
    assert!(said(&["b", "--yes"]).contains(own));
    assert!(home.config().contains("model = \"b\""));
    assert!(!said(&["b", "--dry-run"]).contains(own), "nothing would be written");
}
