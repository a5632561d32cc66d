//! The program as a script or a person at a terminal meets it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use vacancy::loopback::{LoopbackThread, Options, Scenario};

/// A data folder with settings that lead to a loopback provider.
struct World {
    dir: tempfile::TempDir,
    loopback: LoopbackThread,
}

impl World {
    /// Targets by id, model (the scenario) and role.
    fn new(targets: &[(&str, &str, &str)]) -> Self {
        let world =
            Self { dir: tempfile::tempdir().unwrap(), loopback: LoopbackThread::start(Options::default()).unwrap() };
        let base = world.loopback.addresses().base_url(vacancy::core::target::Dialect::OpenaiChat, Scenario::Ok);
        let mut text = format!(
            "[schedule]\nevery = \"1s\"\n[[provider]]\nid = \"near\"\ndialect = \"openai-chat\"\nbase_url = \"{base}\"\n"
        );
        for (id, model, role) in targets {
            text.push_str(&format!(
                "[[target]]\nid = \"{id}\"\nprovider = \"near\"\nmodel = \"{model}\"\nrole = \"{role}\"\ndaily_cap = {{ requests = 100000, tokens = 100000000 }}\n"
            ));
        }
        world.write(&text);
        world
    }

    fn settings(&self) -> PathBuf {
        self.dir.path().join("config/vacancy.toml")
    }

    fn write(&self, settings: &str) {
        std::fs::create_dir_all(self.settings().parent().unwrap()).unwrap();
        std::fs::write(self.settings(), settings).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        command(self.dir.path(), args)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn now(&self) -> Value {
        serde_json::from_slice(&self.run(&["now", "--json"]).stdout).unwrap()
    }

    /// Asks until it fits; the time limit only ends a test that has failed.
    fn now_when(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let deadline = deadline();
        loop {
            let now = self.now();
            if fits(&now) {
                return now;
            }
            assert!(Instant::elapsed(&deadline) < Duration::from_secs(60), "never {what}: {now:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn watch(&self) -> Killed {
        let mut child = self.command(&["watch", "--silent"]).stdout(Stdio::piped()).spawn().unwrap();
        // The first line says that it looked at everything.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        // Whoever reads no further must not stop it.
        std::thread::Builder::new().name("reader".into()).spawn(move || lines.for_each(drop)).unwrap();
        Killed { child, first }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test that waits for a process has to give up at some time")]
fn deadline() -> Instant {
    Instant::now()
}

fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
    command.args(args).arg("--data").arg(data).env_clear().env("HOME", data).env("TZ", "UTC");
    if !args.contains(&"--lang") {
        command.args(["--lang", "en"]);
    }
    command
}

/// A process that is gone when the test ends, however it ends.
struct Killed {
    child: Child,
    first: String,
}

impl Killed {
    fn signal(&mut self, name: &str) -> std::process::ExitStatus {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn target<'a>(now: &'a Value, id: &str) -> &'a Value {
    now["targets"].as_array().unwrap().iter().find(|target| target["target"] == id).unwrap()
}

#[test]
fn watching_leads_to_confirmed_states_that_scripts_read() {
    let world = World::new(&[("sol", "overloaded-503", "primary"), ("luna", "ok", "backup")]);
    let mut watch = world.watch();
    assert!(!watch.first.is_empty());
    let now = world.now_when("confirmed", |now| {
        target(now, "sol")["confirmed"] == true && target(now, "luna")["confirmed"] == true
    });
    assert_eq!(now["first_free"], "luna");
    let sol = target(&now, "sol");
    assert_eq!(
        (&sol["kind"], &sol["scope"], &sol["role"]),
        (&"at_capacity".into(), &"model".into(), &"primary".into())
    );
    assert_eq!(
        (&sol["provider"], &sol["model"], &sol["source"]),
        (&"near".into(), &"overloaded-503".into(), &"probe".into())
    );
    let luna = target(&now, "luna");
    assert_eq!(luna["fresh"], true);
    assert_eq!((&luna["kind"], &luna["last_kind"]), (&"available".into(), &"available".into()));
    assert!(luna["first_token_ms"].is_u64() && luna["rule"].is_string() && luna["next_probe_at"].is_string());
    let keys: Vec<&str> = luna.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = "target provider model role kind confirmed fresh last_kind last_scope last_rule scope since last_at \
                    source first_token_ms retry_after_s next_probe_at rule";
    assert_eq!(keys, contract.split_whitespace().collect::<Vec<_>>());
    assert!(watch.signal("-TERM").success(), "SIGTERM ends it in good order");
    let out = world.run(&["now"]);
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stdout).contains("Full"), "{}", text(&out.stdout));
}

#[test]
fn a_killed_program_keeps_its_history_and_the_next_one_goes_on() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let mut kept = 0;
    for _ in 0..3 {
        let mut watch = world.watch();
        world.now_when("more samples", |_| count(&world) > kept);
        let before = count(&world);
        watch.signal("-KILL");
        let after = count(&world);
        assert!(after >= before && before > kept, "{kept} {before} {after}");
        kept = after;
    }
    let check = world.run(&["db", "check"]);
    assert!(check.status.success(), "{}", text(&check.stderr));
}

fn count(world: &World) -> usize {
    let out = world.run(&["export", "--format", "jsonl"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout).lines().count()
}

#[test]
fn two_engines_never_run_on_one_record() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let _first = world.watch();
    let second = world.run(&["watch", "--silent"]);
    assert_eq!(second.status.code(), Some(3));
    assert!(text(&second.stderr).contains("already running"), "{}", text(&second.stderr));
}

#[test]
fn nothing_free_and_nothing_known_have_exit_codes_of_their_own() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let out = world.run(&["now", "--json"]);
    assert_eq!(out.status.code(), Some(5), "no record yet: nothing is known to be free");
    let now: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((&now["first_free"], &target(&now, "sol")["kind"]), (&Value::Null, &"unknown".into()));
    assert_eq!(target(&now, "sol")["confirmed"], false);
}

#[test]
fn missing_and_broken_settings_say_where_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let mut others: Vec<String> = Vec::new();
    for verb in ["now", "watch", "probe"] {
        let out = command(dir.path(), &[verb]).output().unwrap();
        assert_eq!(out.status.code(), Some(2));
        let said = text(&out.stderr);
        assert!(others.iter().all(|other| *other == said), "one wording: {said}");
        others.push(said.clone());
        assert!(said.contains("vacancy setup") && said.contains("vacancy.toml"), "{said}");
    }
    let world = World::new(&[("sol", "ok", "primary")]);
    world.write("[[provider]]\nid = \"near\"\ndialect = \"openai-chat\"\nbase_url = \"nonsense\"\n\n[[target]]\nid = \"sol\"\nprovider = \"naer\"\nmodel = \"m\"\n");
    let out = world.run(&["now"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(said.contains("vacancy.toml:4:") && said.contains("vacancy.toml:8:") && said.contains("near"), "{said}");
}

#[test]
fn a_probe_that_cannot_be_recorded_prints_its_verdicts_says_so_and_ends_with_a_fault() {
    let world = World::new(&[("sol", "ok", "primary"), ("luna", "overloaded-503", "backup")]);
    let data = world.dir.path().join("data");
    std::fs::write(&data, "no folder").unwrap();
    let verdicts = |out: &Output| -> Vec<(Value, Value)> {
        let lines = text(&out.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
        lines.into_iter().map(|line| (line["kind"].clone(), line["recorded"].clone())).collect()
    };
    let out = world.run(&["probe", "--json"]);
    let expected = |recorded: Value| ["available", "at_capacity"].map(|kind| (kind.into(), recorded.clone()));
    assert_eq!((out.status.code(), verdicts(&out)), (Some(1), expected(false.into()).to_vec()));
    assert!(text(&out.stderr).contains("2 results are not in the record"), "{}", text(&out.stderr));
    let out = world.run(&["probe", "sol"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("Available") && text(&out.stderr).contains("1 result is not in the record"));
    // The doctor finds the same by trying, and says what helps.
    let out = world.run(&["doctor"]);
    let said = text(&out.stdout);
    let line = said.lines().find(|line| line.starts_with("! folders")).unwrap();
    assert_eq!(out.status.code(), Some(3));
    assert!(line.contains(data.to_str().unwrap()) && line.contains("move it away"), "{line}");
    std::fs::remove_file(&data).unwrap();
    let out = world.run(&["probe", "--json"]);
    assert_eq!((out.status.code(), verdicts(&out)), (Some(0), expected(Value::Null).to_vec()));
    let said = text(&world.run(&["doctor"]).stdout);
    assert!(said.lines().any(|line| line.starts_with("✓ folders")), "{said}");
}

#[test]
fn what_the_doctor_looks_at_is_named_in_the_users_language_and_in_json_as_ever() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let said = text(&world.run(&["--lang", "zh-Hans", "doctor"]).stdout);
    for label in ["✓ 设置：", "✓ 文件夹：", "· 记录："] {
        assert!(said.lines().any(|line| line.starts_with(label)), "{label} in {said}");
    }
    let found: Value = serde_json::from_slice(&world.run(&["--lang", "zh-Hans", "doctor", "--json"]).stdout).unwrap();
    let about = found.as_array().unwrap().iter().map(|finding| finding["about"].clone()).collect::<Vec<_>>();
    assert!(about.starts_with(&["settings", "folders", "record"].map(Value::from)), "{about:?}");
}

#[test]
fn the_doctor_tells_what_stands_in_the_place_of_our_files() {
    let told = |at: &str, put: &dyn Fn(&Path), about: &str, words: &[&str]| {
        let world = World::new(&[("sol", "ok", "primary")]);
        let place = world.dir.path().join(at);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&place);
        put(&place);
        let out = world.run(&["doctor"]);
        let said = text(&out.stdout);
        let line = said.lines().find(|line| line.starts_with(&format!("! {about}: "))).unwrap_or(&said);
        assert_eq!(out.status.code(), Some(3), "{at}: {said}");
        assert!(words.iter().all(|word| line.contains(word)) && line.contains(place.to_str().unwrap()), "{at}: {line}");
        said
    };
    let folder = |place: &Path| std::fs::create_dir(place).unwrap();
    let file = |place: &Path| std::fs::write(place, "no folder").unwrap();
    for at in ["data/vacancy.sqlite", "config/vacancy.toml"] {
        told(at, &folder, "folders", &["A folder stands in the place of the file", "move it away"]);
    }
    told("data/backups", &file, "folders", &["no backups", "is none: move it away"]);
    #[cfg(unix)]
    {
        let link = |place: &Path| std::os::unix::fs::symlink("/nowhere/at/all", place).unwrap();
        let said = told("data/vacancy.sqlite", &link, "record", &["a link to /nowhere/at/all"]);
        assert!(!said.contains("no record yet"), "{said}");
        let said = told("config/vacancy.toml", &link, "settings", &["a link to /nowhere/at/all", "remove the link"]);
        assert!(!said.contains("no settings yet"), "{said}");
        told("data/backups", &link, "folders", &["no backups"]);
    }
}

#[test]
fn a_file_in_the_place_of_the_data_folder_is_named_by_who_would_keep_the_record() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let data = world.dir.path().join("data");
    std::fs::write(&data, "no folder").unwrap();
    let out = world.run(&["watch", "--silent"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(
        said.contains(data.to_str().unwrap()) && said.contains("Move it away") && !said.contains("os error"),
        "{said}"
    );
}

#[test]
fn an_empty_file_in_the_place_of_the_record_is_called_empty_and_the_next_start_begins_it() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let record = world.dir.path().join("data/vacancy.sqlite");
    std::fs::create_dir_all(record.parent().unwrap()).unwrap();
    std::fs::write(&record, "").unwrap();
    for args in [&["db"][..], &["db", "check"], &["db", "backup"], &["export"]] {
        let out = world.run(args);
        let said = text(&out.stderr);
        assert!(!out.status.success() && said.contains("is empty") && !said.contains("does not exist"), "{said}");
    }
    let said = text(&world.run(&["now"]).stderr);
    assert!(said.contains("is empty") && said.contains("Start Vacancy"), "{said}");
    assert_eq!(std::fs::metadata(&record).unwrap().len(), 0, "maintenance begins no record");
    let said = text(&world.run(&["doctor"]).stdout);
    assert!(said.lines().any(|line| line.starts_with("· record") && line.contains("is empty")), "{said}");
    assert_eq!(world.run(&["probe"]).status.code(), Some(0));
    assert_eq!(world.run(&["db", "check"]).status.code(), Some(0));
}

#[test]
fn a_key_that_is_not_set_is_not_called_refused() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let text_of = std::fs::read_to_string(world.settings()).unwrap();
    world.write(&text_of.replace("[[target]]", "key = { env = \"NOT_SET_HERE\" }\n[[target]]"));
    let said = text(&world.run(&["probe"]).stdout);
    assert!(said.starts_with("sol: No key found") && said.contains("NOT_SET_HERE is not set"), "{said}");
    assert_eq!(world.run(&["probe"]).status.code(), Some(5));
    let said = text(&world.run(&["now"]).stdout);
    assert!(said.contains("No key found") && !said.contains("refused"), "{said}");
    let now = world.now();
    let [last, rule] = ["last_kind", "last_rule"].map(|field| now["targets"][0][field].clone());
    assert_eq!((last, rule), ("auth".into(), "key-missing".into()), "the record says what it always said");
}

#[test]
fn a_record_that_is_none_is_not_backed_up_and_stays_and_a_probe_that_sets_it_aside_says_so() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let data = world.dir.path().join("data");
    let record = data.join("vacancy.sqlite");
    let garbage = [0x5a_u8; 20_000];
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(&record, garbage).unwrap();
    for verb in ["backup", "compact", "rebuild", "check"] {
        let out = world.run(&["db", verb]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{verb}: {said}");
        assert!(said.contains("is damaged (") && said.lines().count() == 1, "{verb}: {said}");
        assert_eq!(std::fs::read(&record).unwrap(), garbage, "{verb}");
        assert!(!data.join("backups").exists(), "{verb}");
    }
    let csv = world.dir.path().join("none.csv");
    std::fs::write(
        &csv,
        "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,retry_after_s,rule\n",
    )
    .unwrap();
    for args in [&["probe", "--lang", "zh-Hans"][..], &["import", csv.to_str().unwrap(), "--lang", "zh-Hans"]] {
        std::fs::write(&record, garbage).unwrap();
        let out = world.run(args);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{said}");
        assert!(said.contains("已另存为") && said.contains("vacancy.sqlite.damaged-"), "{said}");
        assert!(said.lines().count() == 1 && !said.contains("。 "), "{said}");
    }
}

#[test]
fn a_record_that_cannot_be_opened_is_told_in_one_sentence() {
    let world = World::new(&[("sol", "ok", "primary")]);
    std::fs::create_dir_all(world.dir.path().join("data/vacancy.sqlite")).unwrap();
    let out = world.run(&["probe", "--lang", "zh-Hans"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.lines().count() == 1 && said.contains("未能写入记录"), "{said}");
}

#[test]
fn without_a_display_the_window_names_the_way_around() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let out = world.run(&[]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("vacancy watch"), "{}", text(&out.stderr));
}

#[test]
fn help_completions_and_manual_are_there() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let out = Command::new(assert_cmd::cargo::cargo_bin!("vacancy")).args(args).output().unwrap();
        assert!(out.status.success(), "{args:?}: {}", text(&out.stderr));
        text(&out.stdout)
    };
    for verb in ["watch", "now", "probe", "explain", "simulate", "demo", "shot", "db", "import", "export", "setup"] {
        let help = run(&[verb, "--help"]);
        assert!(help.contains("Usage:") && help.lines().next().unwrap().len() > 10, "{verb}: {help}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(run(&["completions", shell]).contains("vacancy"));
    }
    assert!(run(&["manual"]).contains(".TH"));
    let out = command(dir.path(), &["no-such-verb"]).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn a_record_that_nobody_keeps_says_how_old_it_is_and_claims_no_probe_under_way() {
    let world = World::new(&[("sol", "ok", "primary"), ("luna", "ok", "backup")]);
    let settings = std::fs::read_to_string(world.settings()).unwrap();
    let plan = "[[target]]\nid = \"plan\"\nprovider = \"codex\"\nmodel = \"gpt-9\"\n";
    world.write(&(settings.replace("every = \"1s\"", "every = \"10m\"") + plan));
    let now = world.run(&["now"]);
    let said = text(&now.stdout);
    assert!(said.contains("Nothing was looked at yet") && said.contains("known from session logs alone"), "{said}");
    assert!(!said.contains("seconds"), "{said}");
    let old = "target,source,at,kind,scope\nsol,probe,2025-03-02T10:00:00Z,available,model\n\
               sol,probe,2025-03-02T10:10:00Z,available,model\n";
    let file = world.dir.path().join("old.csv");
    std::fs::write(&file, old).unwrap();
    assert!(world.run(&["import", file.to_str().unwrap()]).status.success());
    let now = world.run(&["now"]);
    let said = text(&now.stdout);
    assert!(said.starts_with("sol") && said.contains("was free\nLast looked at 2 Mar 10:10"), "{said}");
    assert!(said.contains("Was free"), "{said}");
    assert_eq!(now.status.code(), Some(5), "what was free then is not free now");
    let json = world.now();
    let sol = target(&json, "sol");
    // The confirmed state stays the record's, and says how old it is.
    assert_eq!((&sol["kind"], &sol["fresh"]), (&"available".into(), &false.into()));
    assert_eq!((&json["first_free"], &sol["last_at"]), (&Value::Null, &"2025-03-02T10:10:00Z".into()));
    let plan = world.dir.path().join("config/vacancy.toml");
    std::fs::write(plan, "[[target]]\nid = \"plan\"\nprovider = \"codex\"\nmodel = \"gpt-9\"\n").unwrap();
    let said = text(&world.run(&["now"]).stdout);
    assert!(said.contains("known from its tool's own session logs"), "{said}");
}

#[test]
fn a_state_lasts_since_it_began_and_its_evidence_is_its_own() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let start: jiff::Timestamp = "2026-01-02T10:00:00Z".parse().unwrap();
    // Full, and from the second hour on free for seventeen days, with a blip that was never confirmed; at the end our own
    // network fails. The import has no rules.
    let mut lines = vec!["target,source,at,kind,scope".to_owned()];
    for step in 0_i64..2_500 {
        let (kind, scope) = match step {
            0..6 | 1_000 => ("at_capacity", "model"),
            2_499 => ("network", "local"),
            _ => ("available", "model"),
        };
        lines.push(format!("sol,probe,{},{kind},{scope}", start + jiff::SignedDuration::from_mins(step * 10)));
    }
    let file = world.dir.path().join("long.csv");
    std::fs::write(&file, lines.join("\n")).unwrap();
    assert!(world.run(&["import", file.to_str().unwrap()]).status.success());
    let now = world.now();
    let sol = target(&now, "sol");
    assert_eq!((&sol["kind"], &sol["scope"]), (&"available".into(), &"model".into()));
    assert_eq!((&sol["last_kind"], &sol["last_scope"]), (&"network".into(), &"local".into()));
    assert_eq!(sol["since"], "2026-01-02T11:00:00Z", "since the first free answer, not since the day that was read");
    assert_eq!((&sol["rule"], &sol["last_rule"]), (&Value::Null, &Value::Null));
}

#[test]
fn output_that_cannot_be_written_is_a_fault_and_one_that_nobody_reads_is_none() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let samples = "target,source,at,kind,scope\nsol,probe,2025-03-02T10:00:00Z,available,model\n";
    let file = world.dir.path().join("samples.csv");
    std::fs::write(&file, samples).unwrap();
    let file = file.to_str().unwrap();
    let verbs: &[(&[&str], i32)] = &[
        (&["import", file], 0),
        (&["export"], 0),
        (&["db"], 0),
        (&["db", "check"], 0),
        (&["now"], 5),
        (&["now", "--json"], 5),
        (&["simulate", "quiet", "--days", "1"], 0),
        (&["simulate", "quiet", "--days", "1", "--json"], 0),
        (&["explain", "overloaded"], 0),
        (&["completions", "bash"], 0),
        (&["manual"], 0),
        (&["demo", "--settings"], 0),
    ];
    for (args, code) in verbs {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = world.command(args).stdout(writer).output().unwrap();
        assert_eq!(ended.status.code(), Some(*code), "{args:?}: {}", text(&ended.stderr));
        if cfg!(target_os = "linux") {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let ended = world.command(args).stdout(full).output().unwrap();
            assert_eq!(ended.status.code(), Some(1), "{args:?}: {}", text(&ended.stderr));
        }
    }
}

#[test]
fn a_language_that_is_not_spoken_is_refused_and_an_empty_home_is_none() {
    let world = World::new(&[("sol", "ok", "primary")]);
    let with = |lang: &str| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
        command.args(["now", "--lang", lang]).env_clear().env("HOME", world.dir.path());
        command.env("VACANCY_HOME", world.dir.path()).output().unwrap()
    };
    assert_eq!(with("fr").status.code(), Some(2));
    assert!(text(&with("en_GB").stdout).contains("Primary"), "VACANCY_HOME is where the settings are");
    assert!(text(&with("zh-Hans").stdout).contains("主用"));
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
    let empty = command.args(["now"]).env_clear().env("HOME", world.dir.path()).env("VACANCY_HOME", "");
    let said = text(&empty.output().unwrap().stderr);
    assert!(said.contains("vacancy.toml does not exist"), "{said}");
}

#[test]
#[cfg(unix)]
fn an_export_has_the_rights_that_the_users_mask_gives() {
    use std::os::unix::fs::PermissionsExt as _;

    let world = World::new(&[("sol", "ok", "primary")]);
    let samples = world.dir.path().join("samples.csv");
    std::fs::write(&samples, "target,source,at,kind,scope\nsol,probe,2025-03-02T10:00:00Z,available,model\n").unwrap();
    assert!(world.run(&["import", samples.to_str().unwrap()]).status.success());
    for (mask, mode) in [("077", 0o600), ("022", 0o644)] {
        let out = world.dir.path().join(mask);
        let program = assert_cmd::cargo::cargo_bin!("vacancy");
        let line = format!("umask {mask}; exec \"$0\" export --data \"$1\" --out \"$2\"");
        let ended =
            Command::new("sh").arg("-c").arg(line).arg(program).arg(world.dir.path()).arg(&out).output().unwrap();
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        assert_eq!(out.metadata().unwrap().permissions().mode() & 0o777, mode);
    }
    let folder = world.dir.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    let into = |args: &[&str]| world.run(args).status.code();
    assert_eq!(into(&["export", "--out", folder.to_str().unwrap()]), Some(3));
    assert_eq!(into(&["export", "--force", "--out", folder.to_str().unwrap()]), Some(1));
    assert_eq!(
        std::fs::read_dir(world.dir.path())
            .unwrap()
            .filter(|entry| { entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".vacancy-export-") })
            .count(),
        0,
        "nothing is left behind"
    );
}

/// A program whose reader went away and that has something to complain of ends as it would have, without a crash.
#[test]
fn nobody_listening_is_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    for (verb, code) in [("db", 1), ("now", 2), ("import /nonexistent", 2), ("completions bash", 0)] {
        let nobody = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            writer
        };
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
        program.arg("--data").arg(folder.path()).args(verb.split(' ')).stdout(nobody()).stderr(nobody());
        assert_eq!(program.status().unwrap().code(), Some(code), "{verb}");
    }
}

#[test]
fn a_line_for_a_status_bar_is_made_of_the_record() {
    let world = World::new(&[("near/sol", "overloaded-503", "primary"), ("near/luna", "ok", "backup")]);
    let mut watch = world.watch();
    world.now_when("confirmed", |now| {
        target(now, "near/sol")["confirmed"] == true && target(now, "near/luna")["confirmed"] == true
    });
    let line = |format: &str| {
        let out = world.run(&["now", "--format", format]);
        assert_eq!(out.status.code(), Some(0), "{format}: {}", text(&out.stderr));
        text(&out.stdout)
    };
    // Also while the engine writes.
    for (format, expected) in [
        ("{first_free} {first_free.model}", "near/luna ok\n"),
        ("{primary.mark} {primary.family} {primary.kind}", "‖ full at_capacity\n"),
        ("{free}/{total}", "1/2\n"),
        ("{each}{mark} {model}{between}, {end}", "‖ overloaded-503, ■ ok\n"),
        ("{[near/luna].state:json}|{[near/luna].role}", "Available|Backup\n"),
        ("{next_quiet|nobody knows}", "nobody knows\n"),
        ("{{\"text\": \"{first_free.model:json}\"}}", "{\"text\": \"ok\"}\n"),
    ] {
        assert_eq!(line(format), expected, "{format}");
    }
    let waybar: Value = serde_json::from_str(&line("waybar")).unwrap();
    assert_eq!(
        (&waybar["text"], &waybar["alt"], &waybar["percentage"]),
        (&"■ ok".into(), &"available".into(), &50.into())
    );
    assert_eq!(waybar["class"], serde_json::json!(["available"]));
    assert!(waybar["tooltip"].as_str().unwrap().lines().count() == 3, "{waybar}");
    assert_eq!(line("i3blocks"), "■ ok\n■\n#40f0d2\n");
    assert_eq!(line("tmux"), "#[fg=#40f0d2]■ ok#[default]\n");
    assert_eq!(line("polybar"), "%{F#40f0d2}■ ok%{F-}\n");
    let xbar = line("xbar");
    assert!(
        xbar.starts_with("■ ok\n---\n") && xbar.contains(" | color=#ffd83c\n") && xbar.ends_with("| refresh=true\n"),
        "{xbar}"
    );
    for (format, said) in [
        ("{firstfree}", "did you mean “first_free”?"),
        ("{model}", "first_free.model"),
        ("{[near/lunna].state}", "did you mean “near/luna”?"),
        ("{", "character 1"),
    ] {
        let out = world.run(&["now", "--format", format]);
        assert_eq!(out.status.code(), Some(2), "{format}");
        assert!(text(&out.stderr).contains(said) && out.stdout.is_empty(), "{format}: {}", text(&out.stderr));
    }
    watch.signal("-TERM");
    let nothing = World::new(&[("near/sol", "ok", "primary")]);
    let out = nothing.run(&["now", "--format", "{first_free.model|nothing}"]);
    assert_eq!((out.status.code(), text(&out.stdout)), (Some(5), "nothing\n".to_owned()));
}
