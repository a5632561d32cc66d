//! Rules that switch tools, with the real program: a provider that comes and goes, a home with a tool, and a user.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use vacancy::core::target::Dialect;
use vacancy::loopback::{LoopbackThread, Options, Scenario};

const SOL: &str = "gpt-5.6-sol";
const LUNA: &str = "gpt-6-luna";

/// A data folder, a home with a configured Codex, and a provider.
struct World {
    dir: tempfile::TempDir,
    loopback: LoopbackThread,
    config: String,
}

impl World {
    fn new(rule: &str) -> Self {
        let loopback = LoopbackThread::start(Options::default()).unwrap();
        let base = loopback.addresses().base_url(Dialect::OpenaiResponses, Scenario::Ok);
        let config = format!(
            "# mine\r\nmodel = '{SOL}' # the best\r\nmodel_provider = \"near\"\r\n\r\n[model_providers.near]\r\nname = \"Near\"\r\n\
             base_url = \"{base}\"\r\nwire_api = \"responses\"\r\n\r\n[tui]\r\ntheme = \"dark\""
        );
        let target = |id: &str, model: &str, role: &str| {
            format!(
                "[[target]]\nid = \"{id}\"\nprovider = \"here\"\nmodel = \"{model}\"\nrole = \"{role}\"\n\
                 daily_cap = {{ requests = 100000, tokens = 100000000 }}\n"
            )
        };
        let settings = format!(
            "[schedule]\nevery = \"1s\"\n[[provider]]\nid = \"here\"\ndialect = \"openai-responses\"\nbase_url = \"{base}\"\n\
             daily_cap = {{ requests = 100000, tokens = 100000000 }}\n{}{}[switch.codex]\n{rule}\n",
            target("sol", SOL, "primary"),
            target("luna", LUNA, "backup"),
        );
        let world = Self { dir: tempfile::tempdir().unwrap(), loopback, config };
        world.put("config/vacancy.toml", &settings);
        world.put(".codex/config.toml", &world.config);
        world.set(SOL, Scenario::Ok);
        world.set(LUNA, Scenario::Ok);
        world
    }

    fn set(&self, model: &str, scenario: Scenario) {
        self.loopback.set(model, scenario);
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    fn put(&self, below: &str, text: &str) {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn config_now(&self) -> String {
        std::fs::read_to_string(self.path(".codex/config.toml")).unwrap()
    }

    /// The configuration with another model in the same bytes' place.
    fn with(&self, model: &str) -> String {
        self.config.replace(SOL, model)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
        let data = self.dir.path();
        command
            .args(args)
            .arg("--data")
            .arg(data)
            .args(["--lang", "en"])
            .env_clear()
            .env("HOME", data)
            .env("TZ", "UTC");
        command
    }

    /// The journal's lines of one kind.
    fn journal(&self, event: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("data/switches.jsonl"))
            .or_else(|_| std::fs::read_to_string(self.path("switches.jsonl")))
            .unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter(|line| line["event"] == event).collect()
    }

    fn rules(&self) -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let entries = self.journal("intended").into_iter().filter(|entry| entry["action"] == "rule");
        entries.map(|entry| (text(&entry["rule"]), text(&entry["from"]), text(&entry["to"]))).collect()
    }

    fn watch(&self) -> Watch {
        let mut command = self.command(&["watch", "--silent"]);
        if self.path("root").exists() {
            command.arg("--root").arg(self.path("root"));
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (said, stdout) = (Arc::clone(&lines), child.stdout.take().unwrap());
        let read = move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                said.lock().unwrap().push(line);
            }
        };
        std::thread::Builder::new().name("reader".into()).spawn(read).unwrap();
        Watch { child, lines }
    }

    /// Waits until it holds; the time limit only ends a test that has failed.
    fn until(&self, what: &str, watch: &Watch, holds: impl Fn() -> bool) {
        let begun = begun();
        while !holds() {
            let is_late = Instant::elapsed(&begun) > Duration::from_secs(90);
            assert!(!is_late, "never {what}; the file:\n{}\nsaid: {:#?}", self.config_now(), watch.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn is_known_free(&self, target: &str) -> bool {
        let out = self.command(&["now", "--json"]).output().unwrap();
        let now: Value = serde_json::from_slice(&out.stdout).unwrap_or_default();
        let mut targets = now["targets"].as_array().into_iter().flatten();
        targets.any(|found| found["target"] == target && found["kind"] == "available" && found["confirmed"] == true)
    }

    fn started(&self) -> Watch {
        let watch = self.watch();
        self.until("free", &watch, || self.is_known_free("sol") && self.is_known_free("luna"));
        watch
    }
}

#[expect(clippy::disallowed_methods, reason = "a test that waits for a process has to give up at some time")]
fn begun() -> Instant {
    Instant::now()
}

struct Watch {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Watch {
    fn said(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    fn says(&self, words: &str) -> usize {
        self.said().iter().filter(|line| line.contains(words)).count()
    }

    fn signal(&mut self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
        self.child.wait().unwrap();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const AUTO: &str = "failover = \"auto\"\nback = \"auto\"\nhold = \"2s\"";

fn way(rule: &str, from: &str, to: &str) -> (String, String, String) {
    (rule.to_owned(), from.to_owned(), to.to_owned())
}

#[test]
fn away_and_back_changes_the_value_and_leaves_the_file_as_it_was() {
    let world = World::new(AUTO);
    let watch = world.started();
    assert_eq!(world.config_now(), world.config, "nothing is written at a start");
    world.set(SOL, Scenario::Overloaded503);
    world.until("away", &watch, || world.config_now() == world.with(LUNA));
    world.set(SOL, Scenario::Ok);
    world.until("back", &watch, || world.config_now() == world.config);
    world.until("journalled", &watch, || world.journal("done").len() == 2);
    assert_eq!(world.rules(), [way("failover", "sol", "luna"), way("back", "luna", "sol")]);
    world.until("said", &watch, || watch.says("uses gpt-") == 2);

    // The user takes the return back: his word holds the rule off.
    let out = world.command(&["undo", "--yes"]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(world.config_now(), world.with(LUNA));
    world.set(LUNA, Scenario::Overloaded503);
    world.until("known", &watch, || !world.is_known_free("luna"));
    assert_eq!(world.config_now(), world.with(LUNA), "what the user chose is left alone");
}

#[test]
fn a_value_of_another_hand_is_left_alone_and_said() {
    let world = World::new(AUTO);
    let watch = world.started();
    world.set(SOL, Scenario::Overloaded503);
    world.until("away", &watch, || world.config_now() == world.with(LUNA));
    let own = world.with("my-own-model");
    world.put(".codex/config.toml", &own);
    world.set(SOL, Scenario::Ok);
    world.until("said", &watch, || watch.says("my-own-model") == 1);
    world.set(SOL, Scenario::Overloaded503);
    world.until("full", &watch, || !world.is_known_free("sol"));
    world.set(SOL, Scenario::Ok);
    world.until("free", &watch, || world.is_known_free("sol"));
    assert_eq!(world.config_now(), own);
    assert_eq!((world.rules().len(), watch.says("my-own-model")), (1, 1));
}

#[test]
fn after_a_kill_it_goes_on_where_it_stood() {
    let world = World::new(AUTO);
    for round in 0..2 {
        let mut watch = world.started();
        world.set(SOL, Scenario::Overloaded503);
        world.until("begun", &watch, || world.journal("intended").len() == 2 * round + 1);
        watch.signal("-KILL");
        let found = world.config_now();
        assert!(found == world.config || found == world.with(LUNA), "old or new, whole:\n{found}");
        let watch = world.watch();
        world.until("away", &watch, || world.config_now() == world.with(LUNA) && !world.is_known_free("sol"));
        world.set(SOL, Scenario::Ok);
        world.until("back", &watch, || world.config_now() == world.config);
        let is_closed =
            || world.journal("done").len() + world.journal("dropped").len() == world.journal("intended").len();
        world.until("closed", &watch, is_closed);
        assert_eq!(world.rules().last(), Some(&way("back", "luna", "sol")));
        if world.rules().len() != 2 * (round + 1) {
            // Killed before anything was written, and done again after the start.
            assert_eq!(world.journal("dropped").len(), 1);
            return;
        }
    }
}

#[test]
fn what_needs_an_eye_is_refused_once_with_the_reason() {
    let world = World::new(AUTO);
    // The administrator's file names the same model: a switch of the user's file would change nothing.
    world.put("root/etc/codex/managed_config.toml", &format!("model = \"{SOL}\"\n"));
    let watch = world.started();
    world.set(SOL, Scenario::Overloaded503);
    world.until("refused", &watch, || watch.says("was not switched") == 1);
    assert_eq!(watch.says("/etc/codex/managed_config.toml"), 1, "{:#?}", watch.said());
    world.set(LUNA, Scenario::Overloaded503);
    world.until("known", &watch, || !world.is_known_free("luna"));
    world.set(LUNA, Scenario::Ok);
    world.until("free", &watch, || world.is_known_free("luna"));
    assert_eq!((watch.says("was not switched"), world.journal("intended").len()), (1, 0));
    assert_eq!(world.config_now(), world.config);
}
