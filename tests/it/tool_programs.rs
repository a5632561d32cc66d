//! Tools that are run for a short answer, played by shell scripts.
#![cfg(unix)]

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use vacancy::clock::{Clock as _, SystemClock};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::settings::env::Env;
use vacancy::settings::roots::{Platform, Roots};
use vacancy::toolprobe::Program;
use vacancy::toolprobe::config::ToolProbe;
use vacancy::toolprobe::probe::{Installed, ToolError, ToolProbed};
use vacancy::toolprobe::run::{End, Stop, Task, Wish, run};

use crate::support::homes;

/// A machine with one tool on its path.
struct World {
    dir: tempfile::TempDir,
}

const THREAD: &str = r#"{"type":"thread.started","thread_id":"t"}"#;
const ANSWER: &str = r#"{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"OK"}}"#;
const CAPACITY: &str =
    r#"{"type":"turn.failed","error":{"message":"Selected model is at capacity. Please try a different model."}}"#;

impl World {
    /// `script` is what `codex exec` does; its arguments, variables and folder are written down first.
    fn new(script: &str) -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        let record = world.path("record");
        let text = format!(
            "#!/bin/sh\n\
             case \"$*\" in\n\
             'exec --help') echo '  --json --ephemeral --ignore-user-config --skip-git-repo-check'; exit;;\n\
             'features list') echo 'shell_tool stable true'; exit;;\n\
             app-server) exec cat '{app_server}';;\n\
             esac\n\
             {{ printf 'arg %s\\n' \"$@\"; env | sed 's/^/env /'; echo \"mode $(ls -ld . | cut -c1-10)\"; \
             echo \"entries $(ls -A | wc -l)\"; echo \"input $(cat | wc -c)\"; echo \"folder $(pwd -P)\"; }} >'{record}'\n\
             {script}\n",
            record = record.display(),
            app_server = world.path("app-server").display(),
        );
        world.script("bin/codex", &text);
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written under another name: a file that is open for writing, also in a child of another test, cannot be run.
        let fresh = path.with_extension("new");
        std::fs::write(&fresh, text).unwrap();
        std::fs::set_permissions(&fresh, PermissionsExt::from_mode(0o755)).unwrap();
        std::fs::rename(fresh, path).unwrap();
    }

    fn search_path(&self) -> String {
        format!("{}:/usr/bin:/bin", self.path("bin").display())
    }

    fn env(&self) -> Env {
        let path = self.search_path();
        [("PATH", path.as_str()), ("OPENAI_API_KEY", "sk-secret"), ("CODEX_HOME", "/else/where"), ("ODD", "passed")]
            .into_iter()
            .collect()
    }

    fn roots(&self) -> Roots {
        Roots { platform: Platform::here(), ..homes::roots(&self.path("data"), &self.path("home")) }
    }

    fn find(&self, config: &ToolProbe) -> Result<Installed, ToolError> {
        Installed::find(Program::Codex, config, &self.env(), &self.roots(), &SystemClock, &Stop::default())
    }

    fn probe(&self) -> Result<ToolProbed, ToolError> {
        self.find(&ToolProbe::default())?.probe("gpt-x", &SystemClock, &Stop::default())
    }

    fn record(&self) -> String {
        std::fs::read_to_string(self.path("record")).unwrap()
    }

    fn vacancy(&self, args: &[&str]) -> Command {
        let settings = self.path("data/config/vacancy.toml");
        std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
        std::fs::write(settings, "[[target]]\nid = \"plan\"\nprovider = \"codex\"\nmodel = \"gpt-x\"\n").unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
        command.arg("--data").arg(self.path("data")).arg("--home").arg(self.path("home")).args(args);
        command.env("PATH", self.search_path()).env("OPENAI_API_KEY", "sk-secret").stdin(Stdio::null());
        command
    }

    fn output(&self, args: &[&str]) -> Output {
        self.vacancy(args).output().unwrap()
    }

    /// A pipe whose reading end sees its end when the last process that holds it is gone.
    fn fifo(&self) -> PathBuf {
        let path = self.path("alive");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    fn script_with_grandchild(&self, alive: &Path) -> String {
        format!("sh -c 'echo alive; exec sleep 1000' >'{0}' &\necho '{THREAD}'\nsleep 1000\n", alive.display())
    }
}

fn last_line(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_else(|| panic!("{output:?}"))).unwrap()
}

#[test]
fn an_answer_is_available_and_nothing_is_left_behind() {
    let world = World::new(&format!("echo '{THREAD}'; echo '{ANSWER}'; touch left-behind"));
    let probed = world.probe().unwrap();
    assert_eq!((probed.outcome.kind, probed.outcome.scope), (Kind::Available, Scope::Model));
    assert!(probed.timing.total_ms.is_some() && probed.timing.first_token_ms.is_none());
    let record = world.record();
    for line in
        ["mode drwx------", "entries 0", "input 0", "arg gpt-x", "arg --ephemeral", "env CODEX_HOME=/else/where"]
    {
        assert!(record.lines().any(|known| known == line), "{line}\n{record}");
    }
    assert!(record.contains(&format!("env HOME={}", world.path("home").display())), "{record}");
    assert!(!record.contains("sk-secret") && !record.contains("ODD"), "{record}");
    let folder = record.lines().find_map(|line| line.strip_prefix("folder ")).unwrap();
    assert!(!Path::new(folder).exists(), "{folder}");
}

#[test]
fn the_settings_name_the_program_and_what_else_it_needs() {
    let world = World::new(&format!("echo '{ANSWER}'"));
    std::fs::rename(world.path("bin"), world.path("elsewhere")).unwrap();
    assert!(matches!(world.find(&ToolProbe::default()), Err(ToolError::Missing { program: Program::Codex })));
    let config = ToolProbe {
        program: Some(world.path("elsewhere/codex")),
        pass: vec!["ODD".to_owned()],
        ..ToolProbe::default()
    };
    let installed = world.find(&config).unwrap();
    assert_eq!(installed.probe("m", &SystemClock, &Stop::default()).unwrap().outcome.kind, Kind::Available);
    assert!(world.record().contains("env ODD=passed"));
}

#[test]
fn a_refusal_is_told_by_the_words_whatever_the_exit_code() {
    for code in [0, 1] {
        let probed = World::new(&format!("echo '{THREAD}'; echo '{CAPACITY}'; exit {code}")).probe().unwrap();
        assert_eq!(probed.outcome.kind, Kind::AtCapacity);
        assert!(probed.outcome.wait_helps && probed.outcome.switch_helps && probed.outcome.excerpt.is_empty());
    }
}

#[test]
fn a_tool_that_fails_without_a_word_of_a_model_says_nothing_of_it() {
    let error = World::new("echo 'error: unexpected argument' >&2; exit 2").probe().unwrap_err();
    assert!(matches!(&error, ToolError::NotUnderstood { status, .. } if status.contains('2')), "{error}");
}

#[test]
fn a_tool_that_lingers_after_its_answer_is_not_waited_for() {
    let probed = World::new(&format!("echo '{ANSWER}'; sleep 1000")).probe().unwrap();
    assert_eq!(probed.outcome.kind, Kind::Available);
    assert!(u128::from(probed.timing.total_ms.unwrap()) < Program::Codex.deadline().as_millis());
}

#[test]
fn a_folder_in_use_keeps_a_second_probe_off_and_one_of_a_crash_does_not() {
    let world = World::new(&format!("echo '{ANSWER}'"));
    let installed = world.find(&ToolProbe::default()).unwrap();
    let folder = world.path("data/cache/toolprobe/vacancy-probe-codex");
    std::fs::create_dir_all(&folder).unwrap();
    let busy = installed.probe("m", &SystemClock, &Stop::default());
    assert!(matches!(busy, Err(ToolError::Busy { .. })), "{busy:?}");
    let old = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    std::fs::File::open(&folder).unwrap().set_modified(old).unwrap();
    assert_eq!(installed.probe("m", &SystemClock, &Stop::default()).unwrap().outcome.kind, Kind::Available);
}

fn task<'a>(world: &'a World, script: &str, deadline: Duration) -> Task<'a> {
    Task {
        program: Path::new("/bin/sh"),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        variables: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        folder: world.dir.path(),
        input: None,
        deadline,
        output_limit: 10_000,
    }
}

/// Waits until the first sign of the process that holds the pipe, and then until the last holder is gone.
fn until_gone(alive: PathBuf) -> std::thread::JoinHandle<String> {
    let wait = move || {
        let mut text = String::new();
        std::fs::File::open(alive).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    std::thread::Builder::new().name("until-gone".into()).spawn(wait).unwrap()
}

#[test]
fn at_the_deadline_the_whole_family_is_ended() {
    let world = World::new("");
    let alive = world.fifo();
    let script = world.script_with_grandchild(&alive);
    let gone = until_gone(alive);
    let ran = run(task(&world, &script, Duration::from_secs(1)), &Stop::default(), |_| Wish::More).unwrap();
    assert_eq!(ran.end, End::Deadline);
    assert_eq!(String::from_utf8(ran.stdout).unwrap().trim(), THREAD);
    // The grandchild held the pipe: its end is the proof, and it may not have come to write.
    assert!(["alive\n", ""].contains(&gone.join().unwrap().as_str()));
}

#[test]
fn a_run_is_stopped_from_elsewhere_and_none_begins_later() {
    let world = World::new("");
    let stop = Stop::default();
    let script = "echo ready; sleep 1000";
    let ran = run(task(&world, script, Duration::from_secs(600)), &stop, |_| {
        stop.stop();
        Wish::More
    });
    assert_eq!(ran.unwrap().end, End::Stopped);
    let ran = run(task(&world, script, Duration::from_secs(600)), &stop, |_| Wish::More);
    assert_eq!(ran.unwrap().end, End::Stopped);
}

#[test]
fn output_without_end_is_cut_and_ends_the_run() {
    let world = World::new("");
    let ran = run(task(&world, "yes", Duration::from_secs(600)), &Stop::default(), |_| Wish::More).unwrap();
    assert_eq!((ran.end, ran.stdout.len()), (End::TooMuch, 10_000));
    let ran = run(task(&world, "yes >&2", Duration::from_secs(600)), &Stop::default(), |_| Wish::More).unwrap();
    assert_eq!((ran.end, ran.stderr.len()), (End::TooMuch, 10_000));
}

#[test]
fn what_is_printed_last_is_read_also_when_a_child_outlives_its_parent() {
    let world = World::new("");
    let ran =
        run(task(&world, "sleep 1000 & echo last; exit 3", Duration::from_secs(600)), &Stop::default(), |_| Wish::More);
    let ran = ran.unwrap();
    assert!(matches!(ran.end, End::Exited(status) if status.code() == Some(3)), "{:?}", ran.end);
    assert_eq!(ran.stdout, b"last\n");
}

#[test]
fn nothing_is_spent_without_consent_and_the_cost_is_shown() {
    let world = World::new(&format!("echo '{ANSWER}'"));
    let output = world.output(&["probe", "--tool", "codex"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("10,900") || said.contains("10900"), "{said}");
    assert!(!world.path("record").exists());

    let output = world.output(&["probe", "--tool", "codex", "--yes", "--json", "plan"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(last_line(&output)["kind"], "available");
    assert!(!world.record().contains("sk-secret"));
    let now: Value = serde_json::from_slice(&world.output(&["now", "--json"]).stdout).unwrap();
    let target = &now["targets"][0];
    assert_eq!((&target["last_kind"], &target["source"]), (&"available".into(), &"probe".into()), "{now}");
}

#[test]
fn a_plan_that_is_full_a_foreign_target_and_a_missing_tool_have_their_exit_codes() {
    let world = World::new(&format!("echo '{CAPACITY}'; exit 1"));
    assert_eq!(world.output(&["probe", "--tool", "codex", "--yes"]).status.code(), Some(5));
    assert_eq!(world.output(&["probe", "--tool", "codex", "--yes", "other"]).status.code(), Some(2));
    assert_eq!(world.output(&["probe", "--tool", "claude-code", "--yes"]).status.code(), Some(2));
    std::fs::remove_file(world.path("bin/codex")).unwrap();
    assert_eq!(world.output(&["probe", "--tool", "codex", "--yes"]).status.code(), Some(3));
}

#[test]
fn the_users_own_fresh_session_comes_first() {
    let world = World::new(&format!("echo '{ANSWER}'"));
    let now = SystemClock.now();
    let samples = world.path("samples.csv");
    let text = format!(
        "target,provider,model,dialect,source,at,kind,scope\nplan,codex,gpt-x,openai-responses,tool-log,{now:.3},available,model\n"
    );
    std::fs::write(&samples, text).unwrap();
    let imported = world.output(&["import", samples.to_str().unwrap()]);
    assert!(imported.status.success(), "{imported:?}");
    assert_eq!(world.output(&["probe", "--tool", "codex"]).status.code(), Some(3));
    assert!(!world.path("record").exists());
    assert_eq!(world.output(&["probe", "--tool", "codex", "--yes"]).status.code(), Some(0));
}

#[test]
fn a_signal_ends_the_tool_too() {
    let world = World::new("");
    let alive = world.fifo();
    let script = world.script_with_grandchild(&alive);
    let world = World { dir: world.dir };
    world.script("bin/codex", &format!("#!/bin/sh\ncase \"$*\" in *--help|*list) exit;; esac\n{script}"));
    let mut vacancy = world.vacancy(&["probe", "--tool", "codex", "--yes"]).stderr(Stdio::null()).spawn().unwrap();
    let mut pipe = std::fs::File::open(alive).unwrap();
    let mut first = [0; 6];
    pipe.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"alive\n");
    assert!(Command::new("kill").args(["-TERM", &vacancy.id().to_string()]).status().unwrap().success());
    assert_eq!(pipe.read_to_end(&mut Vec::new()).unwrap(), 0);
    assert_eq!(vacancy.wait().unwrap().code(), Some(3));
}

#[test]
fn limits_and_models_cost_nothing() {
    let world = World::new("exit 9");
    let answers = [
        r#"{"id":1,"result":{}}"#,
        r#"{"id":3,"result":{"data":[{"model":"gpt-x"}]}}"#,
        r#"{"id":2,"result":{"rateLimits":{"limitId":"codex","primary":{"usedPercent":82,"windowDurationMins":300,"resetsAt":1795990000}}}}"#,
    ];
    std::fs::write(world.path("app-server"), answers.join("\n") + "\n").unwrap();
    let output = world.output(&["probe", "--tool", "codex", "--limits", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = last_line(&output);
    assert_eq!(told["limits"][0]["used_percent"], 82.0);
    assert_eq!(told["models"][0], "gpt-x");
    let text = String::from_utf8(world.output(&["probe", "--tool", "codex", "--limits"]).stdout).unwrap();
    assert!(text.contains("codex · 5-hour window: 82 % used, resets"), "{text}");
    assert!(!world.path("record").exists());
    assert_eq!(world.output(&["probe", "--tool", "gemini-cli", "--limits"]).status.code(), Some(3));
}
