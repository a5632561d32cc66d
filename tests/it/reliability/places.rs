//! Places that cannot be written: a full disk, a read-only home, a limit on the size of files. Each is a small file system of
//! its own; without the right to mount one these tests say so and do nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tokio::time::Instant;
use vacancy::core::outcome::Kind;
use vacancy::loopback::{LoopbackThread, Options, Scenario};
use vacancy::store::{Appended, Filter, StoreError};

use crate::store::{MIN, T0, World, sample};
use crate::support::proof;

/// A file system in memory, unmounted at the end.
struct Mount {
    dir: tempfile::TempDir,
}

impl Mount {
    /// `None` where nothing can be mounted.
    fn new(mebibytes: u32) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let size = format!("size={mebibytes}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(dir.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self { dir });
        }
        println!("nothing can be mounted here (root can): this part is not proven");
        None
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Leaves about so many bytes free.
    fn fill(&self, left: usize) {
        let mut bytes = 8 << 20;
        let ballast = self.path().join("ballast");
        // Written until there is no room, then cut back.
        while bytes >= 4096 {
            let more = vec![7; bytes];
            let mut file = fs::File::options().append(true).create(true).open(&ballast).unwrap();
            if std::io::Write::write_all(&mut file, &more).is_err() {
                bytes /= 2;
            }
        }
        let length = fs::metadata(&ballast).unwrap().len();
        let file = fs::File::options().write(true).open(&ballast).unwrap();
        file.set_len(length.saturating_sub(left as u64)).unwrap();
    }

    fn make_room(&self) {
        fs::remove_file(self.path().join("ballast")).unwrap();
    }

    fn freeze(&self) {
        let frozen = Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status().unwrap();
        assert!(frozen.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.dir.path()).status();
    }
}

/// A provider on this machine, and settings that lead to it.
fn settings(folder: &Path, loopback: &LoopbackThread) {
    let base = loopback.addresses().base_url(vacancy::core::target::Dialect::OpenaiChat, Scenario::Ok);
    let text = format!(
        "[schedule]\nevery = \"1s\"\nconfirm_up = 1\n[[provider]]\nid = \"near\"\ndialect = \"openai-chat\"\nbase_url = \"{base}\"\n\
         [[target]]\nid = \"a\"\nprovider = \"near\"\nmodel = \"ok\"\nrole = \"primary\"\n\
         daily_cap = {{ requests = 100000, tokens = 100000000 }}\n"
    );
    fs::create_dir_all(folder.join("config")).unwrap();
    fs::write(folder.join("config/vacancy.toml"), text).unwrap();
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
    command.env_clear().env("HOME", folder).env("TZ", "UTC").env("PATH", "/usr/bin:/bin");
    command.args(["--lang", "en", "--data"]).arg(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, args: &[&str]) -> (i32, String) {
    let output: Output = program(folder).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?} ended by {}: {said}", output.status));
    assert!(code != 101 && !said.contains("panicked"), "{args:?}: {said}");
    (code, said)
}

/// Runs `watch` until it has said something that fits, then ends it; everything it said.
fn watch(folder: &Path, said: &Path, fits: impl Fn(&str) -> bool) -> String {
    let [out, err] = [0, 1].map(|_| fs::File::options().append(true).create(true).open(said).unwrap());
    let mut child = program(folder).args(["watch", "--silent"]).stdout(out).stderr(err).spawn().unwrap();
    let began = Instant::now();
    loop {
        let text = fs::read_to_string(said).unwrap_or_default();
        let has_ended = child.try_wait().unwrap().is_some();
        if fits(&text) || has_ended || began.elapsed() > Duration::from_secs(60) {
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
            let _ = child.wait();
            assert!(fits(&text) && !has_ended, "{text}");
            return text;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_full_disk_keeps_what_is_new_in_memory_and_loses_nothing_once_there_is_room() {
    let Some(mount) = Mount::new(3) else { return };
    let mut world = World::new();
    world.options.busy_timeout = Duration::from_secs(5);
    let path = mount.path().join("data/vacancy.sqlite");
    let clock = std::sync::Arc::new(crate::store::FixedClock(crate::store::at(T0 + 500 * 86_400_000)));
    let store = vacancy::store::Store::open(&path, world.options.clone(), clock).unwrap();
    let handle = store.handle();
    mount.fill(256 << 10);
    let (mut stored, mut kept, mut minute) = (0, 0, 0);
    while kept < proof::rounds(200) {
        let appended = handle.append(sample("a", T0 + minute * MIN, Kind::Available)).wait().unwrap();
        stored += usize::from(appended == Appended::Stored);
        kept += usize::from(appended == Appended::Kept);
        minute += 1;
    }
    let trouble = handle.health().borrow().trouble.clone();
    assert!(matches!(trouble, Some(StoreError::DiskFull { .. })), "{trouble:?}");
    mount.make_room();
    let began = Instant::now();
    while handle.health().borrow().kept > 0 {
        assert!(began.elapsed() < Duration::from_secs(60), "what was kept was not written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(handle.health().borrow().lost, 0);
    let count = handle.read(|reader| reader.samples(&Filter::default())).wait().unwrap().len();
    assert_eq!(count, usize::try_from(minute).unwrap());
    assert!(handle.check().wait().is_ok());
    proof::row(
        "a file system of 3 MiB that fills up under the record, then has room again",
        format!("{minute} samples: {stored} written before, {kept} while it was full"),
        "those were kept in memory, the trouble named, and all are in the record afterwards; check ok",
    );
}

#[test]
fn a_full_disk_leaves_no_half_file_of_any_verb() {
    let Some(mount) = Mount::new(3) else { return };
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    let own = mount.path();
    settings(own, &loopback);
    let codex = own.join(".codex/config.toml");
    fs::create_dir_all(codex.parent().unwrap()).unwrap();
    let config = format!("model = \"a\"\n{}", "# mine\n".repeat(2_000));
    fs::write(&codex, &config).unwrap();
    assert_eq!(run(own, &["probe", "a"]).0, 0);
    // What is imported is on another disk.
    let outside = tempfile::tempdir().unwrap();
    let rows: String = (0..60_000)
        .map(|n| {
            let at = crate::store::at(T0 + n * MIN);
            format!("b,p,m,openai-chat,probe,{at},available,model,200,20,640,900,,ok\n")
        })
        .collect();
    let csv = outside.path().join("rows.csv");
    let head = "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,retry_after_s,rule\n";
    fs::write(&csv, format!("{head}{rows}")).unwrap();
    let listing = |folder: &Path| -> Vec<PathBuf> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    };
    mount.fill(300 << 10);
    let before = listing(own);
    let (code, said) = run(own, &["import", csv.to_str().unwrap()]);
    assert!(code == 1 && said.contains("full"), "import: {code} {said}");
    assert_eq!(run(own, &["db", "check"]).0, 0);
    mount.fill(0);
    let [out, shot, sheet] = ["all.csv", "shot.png", "sheet.html"].map(|name| own.join(name).display().to_string());
    let verbs: [&[&str]; 7] = [
        &["import", csv.to_str().unwrap()],
        &["export", "--out", &out],
        &["db", "backup"],
        &["switch", "codex", "b", "--tool-version", "0.160.0", "--yes"],
        &["autostart", "on"],
        &["shot", "--demo", "--out", &shot, "--size", "1000x640"],
        &["sheet", "--format", "html", "--out", &sheet],
    ];
    let mut told = Vec::new();
    for args in verbs {
        // What a verb cleans up is filled again.
        mount.fill(0);
        let (code, said) = run(own, args);
        assert!(code != 0 && !said.trim().is_empty(), "{args:?}: {code} {said}");
        told.push(format!("`{}` {code}", args[0]));
    }
    assert_eq!(fs::read_to_string(&codex).unwrap(), config);
    for file in listing(own) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            before.contains(&file) || name == "ballast" || name == "autostart" || name == ".config",
            "left: {name}"
        );
    }
    mount.fill(0);
    let kept = watch(own, &outside.path().join("said"), |said| {
        let is_said = said.contains("disk is full") || said.contains("disk I/O error");
        is_said && said.contains("is free")
    });
    assert!(!kept.contains("panicked"), "{kept}");
    mount.make_room();
    assert_eq!(run(own, &["probe", "a"]).0, 0);
    assert_eq!(run(own, &["db", "check"]).0, 0);
    proof::row(
        "the same file system full to the last byte, under `import`, `export`, `db backup`, `switch`, `autostart`, `shot`, `sheet` and `watch`",
        "8 verbs",
        format!(
            "each says that there is no room and ends with a code ({}); no half file, the tool's file as it was; `watch` shows \
             the board and says so; with room again all is well",
            told.join(", ")
        ),
    );
}

#[test]
fn a_probe_that_finds_no_room_or_no_right_to_write_ends_with_a_fault_and_the_doctor_says_what_to_do() {
    let Some(mount) = Mount::new(3) else { return };
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    let own = mount.path();
    settings(own, &loopback);
    assert_eq!(run(own, &["probe", "a"]).0, 0);
    let is_lost = |cure: &str| {
        let (code, said) = run(own, &["probe", "a", "--json"]);
        let parts = ["\"kind\":\"available\"", "\"recorded\":false", "1 result is not in the record"];
        assert!(code == 1 && parts.iter().all(|part| said.contains(part)), "{code} {said}");
        let (code, said) = run(own, &["doctor"]);
        assert!(code == 3 && said.contains("! folders") && said.contains(cure), "{code} {said}");
    };
    mount.fill(0);
    is_lost("Make room");
    mount.make_room();
    assert_eq!(run(own, &["probe", "a"]).0, 0);
    mount.freeze();
    is_lost("Mount that file system for writing");
}

#[test]
fn a_log_that_a_kill_left_is_read_on_a_full_disk() {
    let Some(mount) = Mount::new(3) else { return };
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    let own = mount.path();
    settings(own, &loopback);
    // The record as a process leaves it that is killed: its newest sample is in the log alone.
    let world = World::new();
    let store = world.open();
    store.handle().append(sample("a", T0, Kind::Available)).wait().unwrap();
    fs::create_dir_all(own.join("data")).unwrap();
    for suffix in ["", "-wal"] {
        let name = format!("vacancy.sqlite{suffix}");
        fs::copy(world.path().with_file_name(&name), own.join("data").join(&name)).unwrap();
    }
    drop(store);
    let log = || fs::read(own.join("data/vacancy.sqlite-wal")).unwrap();
    let before = log();
    assert!(before.len() > 8192);
    mount.fill(0);
    let reading: [(&[&str], &str); 4] = [
        (&["now", "--json"], "\"last_kind\":\"available\""),
        (&["export"], ",available,"),
        (&["db"], "Samples  1"),
        (&["sheet"], "Since"),
    ];
    for (args, part) in reading {
        let (code, said) = run(own, args);
        assert!([0, 5].contains(&code) && said.contains(part), "{args:?}: {code} {said}");
    }
    assert!(log() == before, "reading changes nothing");
    // Who keeps the record reads beside its writer, and must not keep that out once there is room.
    let clock = std::sync::Arc::new(crate::store::FixedClock(crate::store::at(T0 + 500 * 86_400_000)));
    let store = vacancy::store::Store::open(&own.join("data/vacancy.sqlite"), world.options.clone(), clock).unwrap();
    let handle = store.handle();
    let count = || handle.read(|reader| reader.samples(&Filter::default())).wait().map(|samples| samples.len());
    assert!(matches!(count(), Err(StoreError::DiskFull { .. })));
    assert_eq!(handle.append(sample("a", T0 + MIN, Kind::Available)).wait().unwrap(), Appended::Kept);
    mount.make_room();
    let began = Instant::now();
    while handle.health().borrow().kept > 0 {
        assert!(began.elapsed() < Duration::from_secs(60), "what was kept was not written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(count().unwrap(), 2);
    drop(store);
    assert_eq!(run(own, &["db", "check"]).0, 0);
}

#[test]
fn a_home_that_cannot_be_written_is_said_and_the_board_is_shown() {
    let Some(mount) = Mount::new(3) else { return };
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    let outside = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    // Once before anything was written there, and once with a record and a switch.
    let fresh = mount.path().join("fresh");
    let used = mount.path().join("used");
    for folder in [&fresh, &used] {
        settings(folder, &loopback);
        fs::create_dir_all(folder.join(".codex")).unwrap();
        fs::write(folder.join(".codex/config.toml"), "model = \"a\"\n").unwrap();
    }
    let switch = ["switch", "codex", "b", "--tool-version", "0.160.0", "--yes"];
    assert_eq!(run(&used, &["probe", "a"]).0, 0);
    assert_eq!(run(&used, &switch).0, 0);
    mount.freeze();
    for folder in [&fresh, &used] {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let out = folder.join("x.csv");
        let writing: [&[&str]; 6] = [
            &["import", "/dev/null"],
            &["switch", "codex", "c", "--tool-version", "0.160.0", "--yes"],
            &["undo", "--yes"],
            &["db", "backup"],
            &["export", "--out", out.to_str().unwrap()],
            &["autostart", "on"],
        ];
        for args in writing {
            let (code, said) = run(folder, args);
            assert!(code != 0 && !said.trim().is_empty(), "{name} {args:?}: {code} {said}");
            told.push(code);
        }
        let reading: [&[&str]; 4] = [&["now", "--json"], &["tools"], &["doctor"], &["sheet"]];
        for args in reading {
            let (code, said) = run(folder, args);
            assert!([0, 3, 5].contains(&code) && !said.trim().is_empty(), "{name} {args:?}: {code} {said}");
        }
        let said = watch(folder, &outside.path().join(name), |said| {
            said.contains("cannot be written") && said.to_lowercase().contains("available")
        });
        assert!(said.contains("Check the permissions") || said.contains("check its permissions"), "{said}");
    }
    assert_eq!(fs::read_to_string(used.join(".codex/config.toml")).unwrap(), "model = \"b\"\n");
    proof::row(
        "a home on a read-only file system, without a record and with one: six verbs that write, four that read, and `watch`",
        "22 runs",
        "those that write end with a code and the reason, those that read answer, `watch` shows the board, keeps samples in \
         memory and says that nothing can be written",
    );
}

#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..60_000)
        .map(|n| {
            format!("b,p,m,openai-chat,probe,{},available,model,200,20,640,900,,ok\n", crate::store::at(T0 + n * MIN))
        })
        .collect();
    let csv = folder.path().join("rows.csv");
    let head = "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,retry_after_s,rule\n";
    fs::write(&csv, format!("{head}{rows}")).unwrap();
    let script = "ulimit -f 512; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_vacancy"), "--data"]).arg(folder.path()).arg("import").arg(&csv);
    let output = command.env_clear().env("HOME", folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code == 1), "{} {said}", output.status);
    assert_eq!(run(folder.path(), &["db", "check"]).0, 0);
    let (code, _) = run(folder.path(), &["import", csv.to_str().unwrap()]);
    assert_eq!(code, 0, "without the limit the same import goes through");
    proof::row(
        "a limit of 256 KiB on the size of files (`ulimit -f`) under an import of 60,000 samples",
        "1 run",
        "the import ends with code 1 and the reason; check ok; the same import without the limit brings all",
    );
}
