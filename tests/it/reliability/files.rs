//! Hostile files in the place of settings: nothing hangs, nothing panics, and no byte of theirs is written that a switch
//! does not own. The real program reads them.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::time::Instant;
use vacancy::core::platform::Platform;
use vacancy::switch::path::ToolPath;
use vacancy::switch::tool::{At, Home, Tool};
use vacancy::switch::tools;
use vacancy::switch::world::{Overlay, Vars, Versions, World};

use crate::support::proof::{self, seconds};

/// Far more than a healthy run takes on a busy machine; what hangs never ends.
const LIMIT: Duration = Duration::from_secs(60);

/// What is put where a file is looked for.
enum Content {
    Bytes(Vec<u8>),
    Folder,
    Pipe,
    /// A link to a device.
    Device(&'static str),
    /// Two links that lead to each other.
    Circle,
    /// A link to nothing.
    Dangling,
    /// A chain of sixty links.
    Chain,
    /// A file that nobody may read.
    Closed,
}

fn hostile() -> Vec<(&'static str, Content)> {
    let text = |text: String| Content::Bytes(text.into_bytes());
    let nested = |open: &str, close: &str| [open.repeat(100_000), close.repeat(100_000)].concat();
    let bomb: String = (1..40).map(|n| format!("a{n}: &a{n} [{}]\n", format!("*a{},", n - 1).repeat(9))).collect();
    vec![
        ("10 MB", text(format!("model = \"a\"\n{}", "# comment\n".repeat(1_000_000)))),
        ("10 MB on one line", text(format!("{{\"model\": \"{}\"}}", "a".repeat(10_000_000)))),
        ("100,000 deep JSON lists", text(nested("[", "]"))),
        ("100,000 deep JSON objects", text(nested("{\"a\":", "}"))),
        ("100,000 deep, never closed", text("[".repeat(100_000))),
        ("100,000 deep TOML", text(format!("a = {}", nested("[", "]")))),
        ("deep YAML", text((0..2_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect())),
        ("deep YAML in one line", text(nested("- ", ""))),
        ("YAML anchors that multiply", text(format!("a0: &a0 [x]\n{bomb}model: *a39\n"))),
        ("a dotted key of 50,000 parts", text(format!("a{} = 1\n", ".a".repeat(50_000)))),
        ("NUL bytes", Content::Bytes(b"model = \"a\"\0\0\0\nmodel: a\0".to_vec())),
        ("invalid UTF-8", Content::Bytes(b"model = \"\xff\xfe\xc3\"\n".to_vec())),
        ("a byte order mark", Content::Bytes(b"\xef\xbb\xbfmodel = \"a\"\n".to_vec())),
        ("UTF-16", Content::Bytes("model = \"a\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect())),
        (
            "CR, LF and CR LF mixed",
            Content::Bytes(b"model = \"a\"\r# x\r\nother = 1\n\rmodel_provider = \"b\"\r".to_vec()),
        ),
        ("keys twice (TOML)", text("model = \"a\"\nmodel = \"b\"\n".to_owned())),
        ("keys twice (JSON)", text("{\"model\": \"a\", \"model\": \"b\"}".to_owned())),
        ("keys twice (YAML)", text("model: a\nmodel: b\n".to_owned())),
        ("200,000 keys", text((0..200_000).map(|n| format!("k{n} = {n}\n")).collect())),
        ("a number of 100,000 digits", text(format!("{{\"model\": {}}}", "9".repeat(100_000)))),
        ("wrong types", text("{\"model\": {\"name\": []}, \"env\": 7, \"providers\": null}".to_owned())),
        ("nothing", Content::Bytes(Vec::new())),
        ("white space", text(" \n\t\r\n".repeat(1_000))),
        ("noise", Content::Bytes((0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect())),
        ("a folder", Content::Folder),
        ("a pipe", Content::Pipe),
        ("/dev/zero", Content::Device("/dev/zero")),
        ("/dev/tty", Content::Device("/dev/tty")),
        ("links in a circle", Content::Circle),
        ("a link to nothing", Content::Dangling),
        ("a chain of sixty links", Content::Chain),
        ("no permission", Content::Closed),
    ]
}

impl Content {
    fn put(&self, path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match self {
            Self::Bytes(bytes) => fs::write(path, bytes).unwrap(),
            Self::Folder => fs::create_dir_all(path).unwrap(),
            Self::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Self::Device(device) => symlink(device, path).unwrap(),
            Self::Circle => {
                let other = PathBuf::from(format!("{}.circle", path.display()));
                let _ = symlink(path, &other);
                symlink(&other, path).unwrap();
            }
            Self::Dangling => symlink("nowhere/at/all", path).unwrap(),
            Self::Chain => {
                // After the whole name: files of one tool may differ in their endings alone.
                let link = |n: usize| PathBuf::from(format!("{}.chain{n}", path.display()));
                fs::write(link(0), "model = \"a\"\n").unwrap();
                (1..60).for_each(|n| symlink(link(n - 1), link(n)).unwrap());
                symlink(link(59), path).unwrap();
            }
            Self::Closed => {
                fs::write(path, "model = \"a\"\n").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
            }
        }
    }

    /// Whether what was put there still lies there as it was.
    fn is_untouched(&self, path: &Path) -> bool {
        let looks = fs::symlink_metadata(path);
        match self {
            Self::Bytes(bytes) => fs::read(path).is_ok_and(|now| now == *bytes),
            Self::Folder => looks.is_ok_and(|looks| looks.is_dir()),
            Self::Pipe => looks.is_ok_and(|looks| looks.file_type().is_fifo()),
            Self::Device(_) | Self::Circle | Self::Dangling | Self::Chain => {
                looks.is_ok_and(|looks| looks.is_symlink())
            }
            Self::Closed => looks.is_ok_and(|looks| looks.permissions().mode() & 0o777 == 0),
        }
    }
}

/// A home with hostile files in it.
struct Machine {
    dir: tempfile::TempDir,
    longest: (Duration, String),
    runs: usize,
}

impl Machine {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), longest: (Duration::ZERO, String::new()), runs: 0 }
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn settings(&self) -> PathBuf {
        self.dir.path().join("own/config/vacancy.toml")
    }

    /// Runs the program to its end; it must come, and be neither a panic nor a signal.
    fn run(&mut self, args: &[&str], what: &str) -> (i32, String) {
        let began = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.arg("--data").arg(self.dir.path().join("own")).arg("--home").arg(self.home()).args(args);
        command.env_clear().env("TZ", "UTC").current_dir(self.dir.path());
        let outputs = [self.dir.path().join("out"), self.dir.path().join("err")];
        let [out, err] = outputs.each_ref().map(|path| fs::File::create(path).unwrap());
        let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if began.elapsed() > LIMIT {
                child.kill().unwrap();
                panic!("{what}: {args:?} hangs");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut said = String::new();
        for path in &outputs {
            fs::File::open(path).unwrap().take(1 << 20).read_to_string(&mut said).unwrap();
        }
        let code = status.code().unwrap_or_else(|| panic!("{what}: {args:?} ended by {status}: {said}"));
        assert!(code != 101 && !said.contains("panicked"), "{what}: {args:?}: {said}");
        self.runs += 1;
        let took = began.elapsed();
        if took > self.longest.0 {
            self.longest = (took, format!("{what}, `{}`", args.first().unwrap_or(&"")));
        }
        (code, said)
    }
}

#[test]
fn hostile_settings_are_refused_in_time_and_never_written() {
    let (mut longest, mut runs, mut refused) = ((Duration::ZERO, String::new()), 0, 0);
    let all = hostile();
    let every = if proof::is_long() { 1 } else { 4 };
    let chosen: Vec<_> = all.iter().step_by(every).collect();
    for (what, content) in &chosen {
        let mut machine = Machine::new();
        content.put(&machine.settings());
        // What means no targets is valid: then `watch` would watch.
        let is_refused = machine.run(&["now", "--json"], what).0 == 2;
        for args in [&["probe"][..], &["setup", "--yes"], &["doctor"]] {
            machine.run(args, what);
        }
        if is_refused {
            assert_eq!(machine.run(&["watch", "--silent"], what).0, 2, "{what}");
            refused += 1;
        }
        assert!(content.is_untouched(&machine.settings()), "{what}: the file was written");
        runs += machine.runs;
        longest = longest.max(machine.longest);
    }
    proof::row(
        "hostile files in the place of `vacancy.toml`, read by `now`, `probe`, `watch`, `setup --yes` and `doctor`",
        format!("{} files, {runs} runs", chosen.len()),
        format!(
            "no hang, panic or signal; {refused} refused by name with code 2, the others (nothing, white space) have no target; longest run {} ({}); no file was written",
            seconds(longest.0),
            longest.1
        ),
    );
}

/// Where a tool looks for its files in this home, as far as it can be told without any.
fn places(tool: &dyn Tool, home: &ToolPath) -> Vec<PathBuf> {
    let (vars, files) = (Vars::complete(), Overlay::empty());
    let (platform, versions) = (Platform::Linux, Versions::default());
    let world = World { platform, home, cwd: None, vars: &vars, files: &files, versions, trust: None };
    let mut homes = tool.homes(&world);
    if tool.takes_file() {
        homes.push(Home { path: home.join("named.yaml"), moved_by: None });
    }
    let read = homes.iter().flat_map(|home| tool.read(&At { world, home }).files);
    let mut paths: Vec<PathBuf> = read.map(|seen| PathBuf::from(seen.path.as_str())).collect();
    paths.retain(|path| path.starts_with(home.as_str()));
    paths.sort();
    paths.dedup();
    paths
}

#[test]
fn hostile_files_of_tools_are_refused_in_time_and_written_only_where_undo_leads_back() {
    let all = hostile();
    let (mut longest, mut runs) = ((Duration::ZERO, String::new()), 0);
    let (mut files, mut switched, mut refused) = (0, 0, 0);
    // A few of each in the short run: other tools meet other files.
    let every = if proof::is_long() { 1 } else { 17 };
    let pairs = tools::ALL.iter().flat_map(|tool| all.iter().map(move |hostile| (tool, hostile)));
    for (tool, (what, content)) in pairs.step_by(every) {
        let mut machine = Machine::new();
        let home = ToolPath::new(machine.home().to_str().unwrap());
        let places = places(*tool, &home);
        for place in &places {
            if fs::symlink_metadata(place).is_err() {
                content.put(place);
                files += 1;
            }
        }
        let what = format!("{} with {what}", tool.id());
        machine.run(&["tools", tool.id(), "--json"], &what);
        let named = home.join("named.yaml").to_string();
        let mut args = vec!["switch", tool.id(), "model-beta", "--yes", "--json"];
        if tool.takes_file() {
            args.extend(["--file", &named]);
        }
        let (code, said) = machine.run(&args, &what);
        if code == 0 {
            switched += 1;
            let (code, said) = machine.run(&["undo", "--yes", "--json"], &what);
            assert!(code == 0 || said.contains("nothing to undo"), "{what}: {said}");
        } else {
            refused += 1;
            assert!(!said.trim().is_empty(), "{what}: refused without a word");
        }
        for place in &places {
            assert!(content.is_untouched(place), "{what}: {} is not what it was: {said}", place.display());
        }
        runs += machine.runs;
        longest = longest.max(machine.longest);
    }
    proof::row(
        "hostile files in every place of every tool, read by `tools`, then `switch --yes` and `undo`",
        format!("{} tools, {} files of {} kinds, {runs} runs", tools::ALL.len(), files, all.len()),
        format!(
            "no hang, panic or signal; {refused} refused with the reason and nothing written, {switched} switched (the file is \
             good enough for the tool, or another one decides) and taken back byte for byte; longest run {} ({})",
            seconds(longest.0),
            longest.1
        ),
    );
}
