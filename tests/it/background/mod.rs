//! The program in the background: a second start, sleep, signals, and, where there are a virtual display, a window manager
//! and a session bus, the real window with a tray.

#![cfg(target_os = "linux")]

mod desk;
mod motion;
mod starts;
mod watcher;
mod window;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use vacancy::loopback::{LoopbackThread, Options, Scenario};

/// Ends a test that has failed; nothing that works takes as long.
const LIMIT: Duration = Duration::from_secs(90);

/// Waits for something that no event tells of.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "the limit of a test is real time")]
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < end, "never {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Option<Self> {
        command.stdin(Stdio::null()).spawn().ok().map(Self)
    }

    fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Clock ticks of processor time so far: of all, and of each thread that is there, by its name.
    fn ticks(&self) -> (u64, BTreeMap<String, u64>) {
        let of = |stat: &str| {
            let (name, rest) = stat.rsplit_once(')').unwrap();
            let fields: Vec<&str> = rest.split_whitespace().collect();
            let ticks = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
            (name.split_once('(').unwrap().1.to_owned(), ticks)
        };
        let own = PathBuf::from(format!("/proc/{}", self.0.id()));
        let mut threads = BTreeMap::new();
        for thread in std::fs::read_dir(own.join("task")).unwrap().flatten() {
            // One that ends meanwhile is told of in the sum alone.
            let Ok(stat) = std::fs::read_to_string(thread.path().join("stat")) else { continue };
            let (name, ticks) = of(&stat);
            *threads.entry(name).or_default() += ticks;
        }
        (of(&std::fs::read_to_string(own.join("stat")).unwrap()).1, threads)
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// The code it ends with by itself.
    #[track_caller]
    fn end(&mut self) -> i32 {
        until("the end of the program", || self.0.try_wait().unwrap()).code().unwrap_or(-1)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// No budget holds a test back.
const CAP: &str = "daily_cap = { requests = 100000, tokens = 100000000 }\n";

/// Folders and settings of a program, and the provider that it asks.
struct World {
    dir: tempfile::TempDir,
    _loopback: LoopbackThread,
}

impl World {
    /// Two models of a provider on this machine: the primary is full, the backup is free.
    fn new(more: &str) -> Self {
        let loopback = LoopbackThread::start(Options::default()).unwrap();
        let base = loopback.addresses().base_url(vacancy::core::target::Dialect::OpenaiChat, Scenario::Ok);
        let dir = tempfile::tempdir().unwrap();
        let target = |id: &str, model: &str, role: &str| {
            format!("[[target]]\nid = \"{id}\"\nprovider = \"near\"\nmodel = \"{model}\"\nrole = \"{role}\"\n{CAP}")
        };
        let text = format!(
            "[schedule]\nconfirm_down = 1\nconfirm_up = 1\n\
             [[provider]]\nid = \"near\"\ndialect = \"openai-chat\"\nbase_url = \"{base}\"\n{CAP}{}{}{more}",
            target("first_one", "overloaded-503", "primary"),
            target("second", "ok", "backup"),
        );
        std::fs::create_dir(dir.path().join("config")).unwrap();
        std::fs::write(dir.path().join("config/vacancy.toml"), text).unwrap();
        Self { dir, _loopback: loopback }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn settings(&self) -> PathBuf {
        self.path().join("config/vacancy.toml")
    }

    fn socket(&self) -> PathBuf {
        self.path().join("data/vacancy.sock")
    }

    /// The program in this world, with nothing of the desktop of who runs the tests.
    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.env_clear().env("HOME", self.path()).env("TZ", "UTC").env("PATH", "/usr/bin:/bin");
        command.args(["--lang", "en", "--data"]).arg(self.path());
        command
    }

    fn now(&self) -> Value {
        let said = self.program().args(["now", "--json"]).output().unwrap();
        serde_json::from_slice(&said.stdout).unwrap_or_default()
    }

    /// The last kind of each target, once each has one.
    fn kinds(&self) -> Option<Vec<String>> {
        let now = self.now();
        let targets = now["targets"].as_array()?;
        targets.iter().map(|target| Some(target["last_kind"].as_str()?.to_owned())).collect()
    }

    /// How many rows of this rule the record has.
    fn rows(&self, rule: &str) -> usize {
        let said = self.program().args(["export", "--format", "csv"]).output().unwrap();
        String::from_utf8_lossy(&said.stdout).lines().filter(|line| line.contains(rule)).count()
    }
}
